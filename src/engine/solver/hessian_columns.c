// The Hessian of small problems where every dof has a lane of its own: a lane keeps its column.
//
// The same numbers as hessian.c and hessian_lanes.c, for at most CT_COLUMN dofs and at least as
// many lanes. A column is a few registers, so the loops over its rows are unrolled; what other
// lanes need of it is handed around. Elimination goes from the last dof to the first and subtracts
// from every element of the triangle, also where the pattern has nothing: that is zero and changes
// nothing.

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

LANE_FN void ct_factor_columns(Lane g, const ct_Problem* p, ct_Hessian* h) {
  int n = p->n, j = lane_rank(g);
  mjtNum H[CT_COLUMN], own_pivot = 1, own_inverse = 1;
  UNROLLED_ for (int i = 0; i < CT_COLUMN; i++) {
    H[i] = i < n && j <= i ? *own_element(g, p, h, i) : 0;
  }
  UNROLLED_ for (int k = CT_COLUMN - 1; k >= 0; k--) {
    if (k >= n) continue;
    mjtNum x = H[k], pivot = lane_exchange_num(g, x, k);
    if (pivot < mjMINVAL) pivot = mjMINVAL;
    mjtNum inverse = 1 / pivot, L = x * inverse;
    if (j == k) {
      own_pivot = pivot;
      own_inverse = inverse;
    }
    if (j < k) *own_element(g, p, h, k) = L;
    UNROLLED_ for (int i = 0; i < CT_COLUMN; i++) {
      if (i < k) H[i] -= lane_exchange_num(g, L, i) * x;
    }
  }
  if (j < n) {
    h->D[j] = own_pivot;
    h->invD[j] = own_inverse;
  }
  lane_sync(g);
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
  int n = p->n, j = lane_rank(g), own = j < n ? j : n - 1;
  mjtNum x = j < n ? vector[j] : 0, sum[4];
  for (int k = n - 1; k > 0; k--) {
    mjtNum known = lane_exchange_num(g, x, k);
    if (j < k) x -= known * *own_element(g, p, h, k);
  }
  x *= h->invD[own];
  const mjtNum* row = h->H + own * p->stride;
  int block = j & ~3;
  for (int q = 0; q < 4; q++) sum[q] = -(mjtNum)0;
  for (int k = 0; k < n; k += 4) {
    bool here = block == k;
    if (here && k > 0) x -= (sum[0] + sum[2]) + (sum[1] + sum[3]);
    UNROLLED_ for (int q = 0; q < 4; q++) {
      if (k + q >= n) break;
      mjtNum known = lane_exchange_num(g, x, k + q);
      mjtNum term = (j > k + q ? row[k + q] : 0) * known;
      if (here && j > k + q) x -= term;
      if (block > k) sum[q] += term;
    }
  }
  if (j < n) vector[j] = x;
  lane_sync(g);
}
