// The Hessian of small problems where every dof has a lane of its own: a lane takes its column.
//
// The same numbers as hessian.c and hessian_lanes.c, for at most CT_COLUMN dofs and at least as
// many lanes. Four rows are eliminated together, from the last dof to the first: a lane has its
// elements of them in registers, and what other lanes need of the four is handed around.
// Elimination subtracts from every element of the triangle, also where the pattern has nothing:
// that is zero and changes no finite number.
//
// Measured: columns of all rows in registers need no memory, but loops that are unrolled. That is
// 90 kB of instructions, for which threads of a GPU wait.

#include "engine/solver/hessian.h"
#include "math/scalar.h"

#ifdef __CUDACC__
#define UNROLLED_ _Pragma("unroll")
#else
#define UNROLLED_
#endif

// Row k of H as this lane has it: its element left of the diagonal.
LANE_PRIMITIVE_ mjtNum* own_element(Lane g, const ct_Problem* p, const ct_Hessian* h, int k) {
  return h->H + k * p->stride + lane_rank(g);
}

// Four neighbours of a row, the first a multiple of four: one access to memory.
LANE_PRIMITIVE_ void load_four(mjtNum to[4], const mjtNum* from) {
  const mjtNum* x = (const mjtNum*)__builtin_assume_aligned(from, 16);
  UNROLLED_ for (int q = 0; q < 4; q++) to[q] = x[q];
}

// Rows base to base + 3 become rows of L, as far as there are that many; x: this lane's elements
// before they were divided by the pivots.
LANE_FN static inline void eliminate_four(Lane g, const ct_Problem* p, ct_Hessian* h, int base,
                                          mjtNum x[4]) {
  int j = lane_rank(g);
  UNROLLED_ for (int q = 0; q < 4; q++) {
    bool mine = base + q < p->n && j <= base + q;
    x[q] = mine ? *own_element(g, p, h, base + q) : 0;
  }
  UNROLLED_ for (int q = 3; q >= 0; q--) {
    int k = base + q;
    mjtNum pivot = lane_exchange_num(g, x[q], k);
    if (pivot < mjMINVAL) pivot = mjMINVAL;
    mjtNum inverse = 1 / pivot, L = x[q] * inverse;
    UNROLLED_ for (int s = 0; s < q; s++) x[s] -= lane_exchange_num(g, L, base + s) * x[q];
    if (k >= p->n || j > k) continue;
    if (j < k) {
      *own_element(g, p, h, k) = L;
    } else {
      h->D[k] = pivot;
      h->invD[k] = inverse;
    }
  }
}

LANE_FN void ct_factor_columns(Lane g, const ct_Problem* p, ct_Hessian* h) {
  int j = lane_rank(g);
  LANE_ROLLED for (int base = (p->n - 1) & ~3; base >= 0; base -= 4) {
    mjtNum x[4];
    eliminate_four(g, p, h, base, x);
    lane_sync(g);

    // what is left of them, in the rows before
    LANE_ROLLED for (int i = 0; i < base; i += 4) {
      mjtNum L[4][4];
      UNROLLED_ for (int q = 0; q < 4; q++) {
        UNROLLED_ for (int r = 0; r < 4; r++) L[q][r] = 0;
        if (base + q < p->n) load_four(L[q], h->H + (base + q) * p->stride + i);
      }
      if (j >= i + 4) continue;
      UNROLLED_ for (int r = 0; r < 4; r++) {
        mjtNum* H = own_element(g, p, h, i + r);
        mjtNum y = *H;
        UNROLLED_ for (int q = 3; q >= 0; q--) y -= L[q][r] * x[q];
        *H = y;
      }
    }
    lane_sync(g);
  }
}

// Rank-one changes

// This lane's element of the row of J.
LANE_PRIMITIVE_ mjtNum own_row_element(Lane g, const ct_Problem* p, int row) {
  const ct_Block* b = p->block + p->block_of_row[row];
  int q = row - b->row, j = lane_rank(g) < p->n ? lane_rank(g) : 0;
  if (b->kind == CT_BLOCK_UNIT) return j == b->dof ? b->factor : 0;
  const mjtNum* B = p->basis + b->basis * p->stride + j;
  if (b->kind != CT_BLOCK_PYRAMID) return B[q * p->stride];
  mjtNum t = B[(q / 2 + 1) * p->stride];
  return q % 2 ? B[0] - t : B[0] + t;
}

typedef struct {
  mjtNum x[CT_MOST_UPDATES];      // this lane's elements of the rows that changed
  mjtNum sigma[CT_MOST_UPDATES];  // their weights
  int count;
  ct_DofSet dofs;  // columns that they have
} RowChanges;

LANE_FN static inline void collect_changes(Lane g, const ct_Problem* p, const ct_Hessian* h,
                                           RowChanges* c) {
  int count = 0;
  c->dofs = 0;
  UNROLLED_ for (int u = 0; u < CT_MOST_UPDATES; u++) c->x[u] = c->sigma[u] = 0;
  LANE_ROLLED for (int base = 0; base < p->rows.nefc; base += lane_count(g)) {
    int row = base + lane_rank(g);
    bool changed =
        row < p->rows.nefc && ct_is_quadratic(p->rows.state[row]) != ct_is_quadratic(h->state[row]);
    LANE_ROLLED for (unsigned left = lane_ballot(g, changed); left; left &= left - 1) {
      int i = base + lane_lowest_bit(left);
      mjtNum x = own_row_element(g, p, i);
      mjtNum sigma = ct_is_quadratic(p->rows.state[i]) ? p->rows.D[i] : -p->rows.D[i];
      UNROLLED_ for (int u = 0; u < CT_MOST_UPDATES; u++) {
        if (u != count) continue;
        c->x[u] = x;
        c->sigma[u] = sigma;
      }
      c->dofs |= p->block[p->block_of_row[i]].dofs;
      count++;
    }
  }
  c->count = count;
}

// Applies all changes to one pivot row. False if the pivot gets too small.
LANE_FN static inline bool change_pivot(Lane g, const ct_Problem* p, ct_Hessian* h, int k,
                                        RowChanges* c) {
  bool left_of_pivot = lane_rank(g) < k;
  mjtNum L = left_of_pivot ? *own_element(g, p, h, k) : 0, pivot = h->D[k];
  UNROLLED_ for (int u = 0; u < CT_MOST_UPDATES; u++) {
    if (u >= c->count) break;
    mjtNum at = lane_exchange_num(g, c->x[u], k);
    if (at == 0) continue;
    mjtNum next = pivot + c->sigma[u] * at * at;
    if (next <= CT_LEAST_PIVOT_LEFT * pivot || next < mjMINVAL) return false;
    mjtNum inverse = 1 / next, beta = c->sigma[u] * at * inverse;
    c->sigma[u] *= pivot * inverse;
    pivot = next;
    c->x[u] -= at * L;
    L += beta * c->x[u];
  }
  mjtNum inverse = 1 / pivot;
  lane_sync(g);
  if (left_of_pivot) *own_element(g, p, h, k) = L;
  if (lane_rank(g) == k) {
    h->D[k] = pivot;
    h->invD[k] = inverse;
  }
  return true;
}

LANE_FN bool ct_update_factor_columns(Lane g, const ct_Problem* p, ct_Hessian* h) {
  RowChanges c;
  collect_changes(g, p, h, &c);
  while (c.dofs) {
    int k = ct_highest_dof(c.dofs);
    c.dofs = (c.dofs & ~ct_dof_bit(k)) | (h->pattern[k] & ct_dofs_below(k));
    if (change_pivot(g, p, h, k, &c)) continue;
    lane_sync(g);
    return false;
  }
  lane_sync(g);
  return true;
}

// Solving

// vector = H^-1 vector. In the second half row i takes the columns before its block of four as four
// sums over j mod 4, as ct_dot does, then the others of its block one after the other. A sum starts
// at -0: adding the first product to that gives the product itself.
LANE_FN void ct_solve_columns(Lane g, const ct_Problem* p, const ct_Hessian* h, mjtNum* vector) {
  int n = p->n, j = lane_rank(g), own = j < n ? j : n - 1, block = j & ~3;
  mjtNum x = j < n ? vector[j] : 0, sum[4], L[4];
  LANE_ROLLED for (int base = (n - 1) & ~3; base >= 0; base -= 4) {
    UNROLLED_ for (int q = 0; q < 4; q++) {
      bool mine = base + q < n && j < base + q;
      L[q] = mine ? *own_element(g, p, h, base + q) : 0;
    }
    UNROLLED_ for (int q = 3; q >= 0; q--) {
      mjtNum known = lane_exchange_num(g, x, base + q);
      if (j < base + q) x -= known * L[q];
    }
  }
  x *= h->invD[own];
  const mjtNum* row = h->H + own * p->stride;
  UNROLLED_ for (int q = 0; q < 4; q++) sum[q] = -(mjtNum)0;
  LANE_ROLLED for (int k = 0; k < n; k += 4) {
    load_four(L, row + k);
    if (block == k && k > 0) x -= (sum[0] + sum[2]) + (sum[1] + sum[3]);
    UNROLLED_ for (int q = 0; q < 4; q++) {
      mjtNum term = L[q] * lane_exchange_num(g, x, k + q);
      if (block == k && j > k + q) x -= term;
      if (block > k) sum[q] += term;
    }
  }
  if (j < n) vector[j] = x;
  lane_sync(g);
}
