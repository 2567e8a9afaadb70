// L'DL of the mass matrix, and solving with it.
//
//   in    M          (nC)  lower triangle by rows: ancestors of the dof ascending, diagonal last
//   out   qLD        (nC)  the same layout: L without its unit diagonal, D in place of it
//         qLDiagInv  (nv)  1 / D
//
// M = L' D L with L unit lower triangular creates no entries outside M's pattern if dofs are
// eliminated from the leaves to the root (Featherstone, Rigid Body Dynamics Algorithms,
// section 6.5). With A = M, for k from nv-1 down to 0 and all ancestors i >= j of k:
//
//   D_k = A_kk,   A_ij -= (A_ki / D_k) A_kj,   then   L_ki = A_ki / D_k
//
// The columns of row i are the first columns of row k, because i's ancestors are k's ancestors
// above i. So one (k, i) is one update of a whole row by a part of another, both contiguous:
//
//   row_i[0..i's ancestors] -= f row_k[0..],   f = A_ki / D_k
//
// and the address of row_i is an integer that the schedule has ready. Each entry of A receives its
// updates with k descending, whatever the number of lanes. The cost is the sum over dofs of depth
// squared (R2.1). Pivots are not tested: with a matrix that is not positive definite the numbers
// say so.
//
// While trees sleep, rows of their dofs keep what they had.

#include "engine/factor.h"

#include "base/private.h"
#include "engine/sleep.h"
#include "math/lane_vec.h"
#include "math/vec.h"

// Eliminates dof k, whose row has n entries before the diagonal. The parent's row comes first: it
// is the next to be needed.
LANE_FN static void eliminate(Lane g, mjtNum* LD, mjtNum* row, const int* row_of_entry, int n,
                              mjtNum inverse) {
  for (int i = n - 1; i >= 0; i--) {
    mjtNum f = row[i] * inverse;
    lane_add_scaled(g, LD + row_of_entry[i], row, -f, i + 1);
    if (lane_count(g) == 1) row[i] = f;
  }
  lane_sync(g);

  // A becomes L. Several lanes must wait with it until all have read the row; it is not read again
  // before the next lane_sync.
  if (lane_count(g) > 1) {
    LANE_FOR(i, g, n) {
      row[i] *= inverse;
    }
  }
}

LANE_FN void ct_factor(Lane g, const mjModel* m, const mjData* d, mjtNum* LD, mjtNum* invD) {
  const int* row_of_entry = ct_private(d)->schedule.row_of_entry;
  bool filter = ct_some_asleep(m, d);
  for (int k = (int)m->nv - 1; k >= 0; k--) {
    if (filter && ct_dof_asleep(m, d, k)) continue;
    int start = m->M_rowadr[k], n = m->M_rownnz[k] - 1;
    mjtNum inverse = 1 / LD[start + n];
    LANE_ONCE(g) {
      invD[k] = inverse;
    }
    if (n > 0) eliminate(g, LD, LD + start, row_of_entry + start, n, inverse);
  }
  lane_sync(g);
}

LANE_FN void ct_factor_M(Lane g, const mjModel* m, mjData* d) {
  if (ct_some_asleep(m, d)) {
    LANE_FOR(k, g, m->nv) {
      if (ct_dof_asleep(m, d, k)) continue;
      int end = m->M_rowadr[k] + m->M_rownnz[k];
      for (int a = m->M_rowadr[k]; a < end; a++) {
        d->qLD[a] = d->M[a];
      }
    }
  } else {
    LANE_FOR(a, g, m->nC) {
      d->qLD[a] = d->M[a];
    }
  }
  lane_sync(g);
  ct_factor(g, m, d, d->qLD, d->qLDiagInv);
}

// Long rows are worth a look: if their columns are neighbours, as in a chain, vectors need no
// gathering. Measured: a chain of 100 links is solved three times as fast, short rows lose a tenth.
LANE_INLINE bool is_wide_row(const int* column, int n) {
  return n >= 16 && column[n - 1] - column[0] == n - 1;
}

LANE_FN void ct_solve_half(Lane g, const mjModel* m, const mjtNum* LD, mjtNum* x) {
  for (int k = (int)m->nv - 1; k >= 0; k--) {
    int n = m->M_rownnz[k] - 1;
    if (n == 0) continue;
    const mjtNum* row = LD + m->M_rowadr[k];
    const int* column = m->M_colind + m->M_rowadr[k];
    mjtNum known = x[k];
    if (is_wide_row(column, n)) {
      lane_add_scaled(g, x + column[0], row, -known, n);
    } else {
      LANE_FOR(i, g, n) {
        x[column[i]] -= row[i] * known;
      }
    }
    lane_sync(g);
  }
}

LANE_FN void ct_solve(Lane g, const mjModel* m, const mjData* d, const mjtNum* LD,
                      const mjtNum* invD, mjtNum* x) {
  ct_solve_half(g, m, LD, x);
  LANE_LEVELS(k, g, ct_private(d)->schedule.dofs) {
    int n = m->M_rownnz[k] - 1;
    const mjtNum* row = LD + m->M_rowadr[k];
    const int* column = m->M_colind + m->M_rowadr[k];
    mjtNum sum = x[k] * invD[k];
    if (is_wide_row(column, n)) {
      sum -= ct_dot(row, x + column[0], n);
    } else {
      for (int i = 0; i < n; i++) {
        sum -= row[i] * x[column[i]];
      }
    }
    x[k] = sum;
  }
}
