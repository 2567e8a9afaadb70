// The Hessian of small problems on several lanes: the same numbers as hessian.c, dealt out by
// columns.
//
// One lane takes four columns of a row at a time and goes row by row. Here a lane owns the columns
// j = rank, rank + count, ... and goes through their rows, so that it reads what it has written
// itself and lanes meet twice per panel of pivots. Every element gets its terms in the order in
// which hessian.c adds them: blocks in their order, pivots from the last to the first. So the bits
// are the same; what elimination would subtract outside of the pattern is zero and left out.
//
// Measured on a GPU: elements dealt out by (row, column) pairs instead of columns need tables to
// find them, which cost what they save.

#include "engine/solver/hessian.h"
#include "math/scalar.h"

// Pattern

// Columns of dof i that blocks tie it to, up to itself.
LANE_INLINE ct_DofSet block_columns(const ct_Problem* p, int i) {
  ct_DofSet columns = 0, upto = ct_dofs_below(i) | ct_dof_bit(i);
  LANE_ROLLED for (int k = 0; k < p->nblock; k++) {
    ct_DofSet dofs = p->block[k].dofs;
    if (dofs >> i & 1) columns |= dofs & upto;
  }
  return columns;
}

LANE_INLINE ct_DofSet inertia_columns(const ct_Problem* p, int i) {
  ct_DofSet columns = 0;
  const int* column = p->M_colind + p->M_rowadr[i];
  LANE_ROLLED for (int k = 0; k < p->M_rownnz[i]; k++) columns |= ct_dof_bit(column[k]);
  return columns;
}

// Elimination fills nothing in unless a block ties dofs together that M does not.
LANE_FN static void fill_in(Lane g, const ct_Problem* p, ct_DofSet* pattern) {
  LANE_ONCE(g) {
    for (int k = p->n - 1; k >= 0; k--) {
      ct_DofSet below = pattern[k] & ct_dofs_below(k);
      if (below) pattern[ct_highest_dof(below)] |= below;
    }
  }
  lane_sync(g);
}

LANE_FN void ct_find_pattern_lanes(Lane g, const ct_Problem* p, ct_Hessian* h) {
  int square = 0, foreign = 0, factor = 0;
  LANE_FOR(i, g, p->n) {
    ct_DofSet blocks = block_columns(p, i), inertia = inertia_columns(p, i);
    h->pattern[i] = blocks | inertia;
    square += ct_count_dofs(blocks);
    factor += ct_count_dofs(inertia);
    foreign += (blocks & ~inertia) != 0;
  }
  h->nsquare = lane_sum_int(g, square);
  h->nfactor = lane_sum_int(g, factor);
  foreign = lane_sum_int(g, foreign);
  lane_sync(g);
  if (!foreign) return;
  fill_in(g, p, h->pattern);
  LANE_COUNT(h->nfactor, i, g, p->n, ct_count_dofs(h->pattern[i]));
}

// Assembly

// Y = S x of a block with an elliptic contact on its cone.
LANE_INLINE void weigh_by_cone(int dim, const mjtNum* S, const mjtNum x[6], mjtNum Y[6]) {
  LANE_UNROLL_ for (int i = 0; i < 6; i++) {
    mjtNum sum = i < dim ? S[i * dim] * x[0] : 0;
    LANE_UNROLL_ for (int q = 1; q < 6; q++) {
      if (i < dim && q < dim) sum += S[i * dim + q] * x[q];
    }
    Y[i] = sum;
  }
}

// The same for a pyramid: S has a first row, a first column and a diagonal. False: S is zero.
LANE_INLINE bool weigh_by_edges(int dim, const ct_Problem* p, int row, const mjtNum x[6],
                                mjtNum Y[6]) {
  mjtNum total = 0;
  LANE_UNROLL_ for (int q = 1; q < 6; q++) {
    if (q >= dim) continue;
    mjtNum plus = ct_active_weight(p, row + 2 * q - 2);
    mjtNum minus = ct_active_weight(p, row + 2 * q - 1);
    mjtNum both = plus + minus;
    total += both;
    Y[q] = (plus - minus) * x[0] + both * x[q];
  }
  Y[0] = total * x[0];
  LANE_UNROLL_ for (int q = 1; q < 6; q++) {
    if (q >= dim) continue;
    Y[0] += (ct_active_weight(p, row + 2 * q - 2) - ct_active_weight(p, row + 2 * q - 1)) * x[q];
  }
  return total != 0;
}

// The same for other blocks: S is diagonal.
LANE_INLINE bool weigh_rows(int dim, const ct_Problem* p, int row, const mjtNum x[6], mjtNum Y[6]) {
  bool any = false;
  LANE_UNROLL_ for (int q = 0; q < 6; q++) {
    mjtNum weight = q < dim ? ct_active_weight(p, row + q) : 0;
    Y[q] = weight * x[q];
    any = any || weight != 0;
  }
  return any;
}

LANE_INLINE bool weigh_column(const ct_Problem* p, const ct_Block* b, const mjtNum x[6],
                              mjtNum Y[6]) {
  if (b->kind == CT_BLOCK_PYRAMID) return weigh_by_edges(b->dim, p, b->row, x, Y);
  bool cone = ct_may_be_elliptic() && b->kind == CT_BLOCK_ELLIPTIC &&
              p->rows.state[b->row] == mjCNSTRSTATE_CONE;
  if (!cone) return weigh_rows(b->dim, p, b->row, x, Y);
  weigh_by_cone(b->dim, p->contact[p->rows.id[b->row]].H, x, Y);
  return true;
}

// Column j of H += B' Y, in rows of these dofs. Inlined with dim known, or with most = 6.
LANE_INLINE void add_to_column(int most, int dim, const ct_Problem* p, mjtNum* H, const mjtNum* B,
                               const mjtNum Y[6], ct_DofSet dofs) {
  LANE_ROLLED for (ct_DofSet left = dofs; left; left &= left - 1) {
    int i = ct_lowest_dof(left);
    mjtNum sum = H[i * p->stride];
    LANE_UNROLL_ for (int q = 0; q < most; q++) {
      if (q < dim) sum += B[q * p->stride + i] * Y[q];
    }
    H[i * p->stride] = sum;
  }
}

// H += B' S B of one block.
LANE_FN static inline void add_block_lanes(Lane g, const ct_Problem* p, ct_Hessian* h,
                                           const ct_Block* b) {
  const mjtNum* B = p->basis + b->basis * p->stride;
  int dim = b->dim;
  LANE_TURN(c, g, p->n, CT_SMALL) {
    int j = lane_element(g, c);
    if (j >= p->n) continue;
    mjtNum x[6], Y[6];
    LANE_UNROLL_ for (int q = 0; q < 6; q++) x[q] = q < dim ? B[q * p->stride + j] : 0;
    if (!weigh_column(p, b, x, Y)) continue;
    ct_DofSet dofs = b->dofs & ~ct_dofs_below(j);
    if (dim == 3) {
      add_to_column(3, 3, p, h->H + j, B, Y, dofs);
    } else {
      add_to_column(6, dim, p, h->H + j, B, Y, dofs);
    }
  }
}

LANE_FN void ct_assemble_lanes(Lane g, const ct_Problem* p, ct_Hessian* h) {
  LANE_FOR(e, g, p->n * p->stride) {  // a lane needs the others' columns not before lane_sync
    h->H[e] = p->dense_M[e];
  }
  lane_sync(g);
  LANE_ROLLED for (int k = 0; k < p->nblock; k++) {
    const ct_Block* b = p->block + k;
    if (b->kind == CT_BLOCK_UNIT) {
      mjtNum* to = h->H + b->dof * (p->stride + 1);
      if (LANE_OWNS(g, b->dof)) *to += ct_active_weight(p, b->row) * b->factor * b->factor;
      continue;
    }
    add_block_lanes(g, p, h, b);
  }
  lane_sync(g);
}

// Factor

typedef struct {  // rows that are eliminated together: k, k - 1, ...
  int k, width;
  ct_DofSet ancestors;          // columns of all of them, below the last
  mjtNum pivot[4], inverse[4];  // of their diagonals
  mjtNum L[4][4];               // L[q][s]: row k - q, column k - s
} LanePanel;

// Rows from k down whose columns nest, four at most.
LANE_INLINE int panel_width(const ct_DofSet* pattern, int k, ct_DofSet* below) {
  int width = 1;
  *below = pattern[k] & ct_dofs_below(k);
  while (width < 4 && k - width >= 0 && *below == pattern[k - width]) {
    *below &= ct_dofs_below(k - width);
    width++;
  }
  return width;
}

// The triangle where the panel's rows cross their own columns; every lane does it for itself.
LANE_INLINE void eliminate_triangle(int width, const mjtNum* H, int stride, LanePanel* panel) {
  mjtNum T[4][4];
  int k = panel->k;
  for (int q = 0; q < width; q++) {
    for (int s = q; s < width; s++) T[q][s] = H[(k - q) * stride + k - s];
  }
  for (int q = 0; q < width; q++) {
    panel->pivot[q] = T[q][q] < mjMINVAL ? mjMINVAL : T[q][q];
    panel->inverse[q] = 1 / panel->pivot[q];
    for (int s = q + 1; s < width; s++) {
      mjtNum f = panel->L[q][s] = T[q][s] * panel->inverse[q];
      for (int t = s; t < width; t++) T[s][t] -= f * T[q][t];
    }
  }
}

// One column of the panel's rows becomes one of L; x: what it was before it was divided by the
// pivots.
LANE_INLINE void eliminate_column(int width, mjtNum* H, int stride, const LanePanel* panel,
                                  mjtNum* x) {
  for (int q = 0; q < width; q++) x[q] = H[(panel->k - q) * stride];
  for (int q = 0; q < width; q++) {
    for (int s = q + 1; s < width; s++) x[s] -= panel->L[q][s] * x[q];
  }
  for (int q = 0; q < width; q++) H[(panel->k - q) * stride] = x[q] * panel->inverse[q];
}

// L beside the diagonal inside the panel, and the diagonal; by one lane.
LANE_INLINE void write_triangle(int width, ct_Hessian* h, int stride, const LanePanel* panel) {
  int k = panel->k;
  for (int q = 0; q < width; q++) {
    for (int s = q + 1; s < width; s++) h->H[(k - q) * stride + k - s] = panel->L[q][s];
    h->D[k - q] = panel->pivot[q];
    h->invD[k - q] = panel->inverse[q];
  }
}

// Inlined with `width` known.
LANE_FN static inline void eliminate_panel(Lane g, int width, const ct_Problem* p, ct_Hessian* h,
                                           LanePanel* panel) {
  mjtNum x[LANE_TURNS(CT_SMALL)][4];
  int stride = p->stride;
  ct_DofSet ancestors = panel->ancestors;
  eliminate_triangle(width, h->H, stride, panel);
  LANE_TURN(c, g, p->n, CT_SMALL) {
    int j = lane_element(g, c);
    if (j < p->n && ancestors >> j & 1) eliminate_column(width, h->H + j, stride, panel, x[c]);
  }
  lane_sync(g);
  const mjtNum* L = h->H + panel->k * stride;
  LANE_ROLLED for (ct_DofSet left = ancestors; left; left &= left - 1) {
    int i = ct_lowest_dof(left);
    LANE_TURN(c, g, p->n, CT_SMALL) {
      int j = lane_element(g, c);
      if (j > i || !(ancestors >> j & 1)) continue;
      mjtNum y = h->H[i * stride + j];
      for (int q = 0; q < width; q++) y -= L[i - q * stride] * x[c][q];
      h->H[i * stride + j] = y;
    }
  }
  LANE_ONCE(g) {
    write_triangle(width, h, stride, panel);
  }
  lane_sync(g);
}

LANE_FN void ct_factor_lanes(Lane g, const ct_Problem* p, ct_Hessian* h) {
  if (ct_dofs_have_lanes(g, p)) {
    ct_factor_columns(g, p, h);
    return;
  }
  for (int k = p->n - 1; k >= 0;) {
    LanePanel panel;
    panel.k = k;
    panel.width = panel_width(h->pattern, k, &panel.ancestors);
    switch (panel.width) {
      case 1:
        eliminate_panel(g, 1, p, h, &panel);
        break;
      case 2:
        eliminate_panel(g, 2, p, h, &panel);
        break;
      case 3:
        eliminate_panel(g, 3, p, h, &panel);
        break;
      default:
        eliminate_panel(g, 4, p, h, &panel);
        break;
    }
    k -= panel.width;
  }
}

// Rank-one changes

// Element j of the row of J.
LANE_INLINE mjtNum row_element(const ct_Problem* p, int row, int j) {
  const ct_Block* b = p->block + p->block_of_row[row];
  const mjtNum* B = p->basis + b->basis * p->stride + j;
  int q = row - b->row;
  if (b->kind == CT_BLOCK_UNIT) return j == b->dof ? b->factor : 0;
  if (b->kind != CT_BLOCK_PYRAMID) return B[q * p->stride];
  mjtNum t = B[(q / 2 + 1) * p->stride];
  return q % 2 ? B[0] - t : B[0] + t;
}

// Applies all changes to one pivot row. False if the pivot gets too small.
LANE_FN static bool change_pivot_lanes(Lane g, const ct_Problem* p, ct_Hessian* h, int k, int count,
                                       mjtNum* sigma) {
  mjtNum *L = h->H + k * p->stride, pivot = h->D[k];
  LANE_ROLLED for (int u = 0; u < count; u++) {
    mjtNum *x = h->change + u * p->stride, at = x[k];
    if (at == 0) continue;
    mjtNum next = pivot + sigma[u] * at * at;
    if (next <= CT_LEAST_PIVOT_LEFT * pivot || next < mjMINVAL) return false;
    mjtNum inverse = 1 / next, beta = sigma[u] * at * inverse;
    sigma[u] *= pivot * inverse;
    pivot = next;
    LANE_FOR(j, g, k) {
      mjtNum l = L[j], y = x[j] - at * l;
      x[j] = y;
      L[j] = l + beta * y;
    }
  }
  lane_sync(g);
  LANE_ONCE(g) {
    h->D[k] = pivot;
    h->invD[k] = 1 / pivot;
  }
  return true;
}

LANE_FN bool ct_update_factor_lanes(Lane g, const ct_Problem* p, ct_Hessian* h) {
  if (ct_dofs_have_lanes(g, p)) return ct_update_factor_columns(g, p, h);
  mjtNum sigma[CT_MOST_UPDATES];
  int count = 0;
  ct_DofSet dofs = 0;
  LANE_ROLLED for (int base = 0; base < p->rows.nefc; base += lane_count(g)) {
    int row = base + lane_rank(g);
    bool changed =
        row < p->rows.nefc && ct_is_quadratic(p->rows.state[row]) != ct_is_quadratic(h->state[row]);
    LANE_ROLLED for (unsigned left = lane_ballot(g, changed); left; left &= left - 1) {
      int i = base + lane_lowest_bit(left);
      LANE_FOR(j, g, p->n) {
        h->change[count * p->stride + j] = row_element(p, i, j);
      }
      sigma[count++] = ct_is_quadratic(p->rows.state[i]) ? p->rows.D[i] : -p->rows.D[i];
      dofs |= p->block[p->block_of_row[i]].dofs;
    }
  }
  lane_sync(g);
  while (dofs) {
    int k = ct_highest_dof(dofs);
    dofs = (dofs & ~ct_dof_bit(k)) | (h->pattern[k] & ct_dofs_below(k));
    if (!change_pivot_lanes(g, p, h, k, count, sigma)) return false;
  }
  lane_sync(g);
  return true;
}

// Solving: a lane keeps the elements of x that it owns and hands each out when it is known.

// x = L^-T x
LANE_FN static inline void solve_columns_lanes(Lane g, const ct_Problem* p, const ct_Hessian* h,
                                               mjtNum* x) {
  int n = p->n;
  LANE_TURN_DOWN(c, g, n, CT_SMALL) {
    int first = c * lane_count(g), last = first + lane_count(g) < n ? first + lane_count(g) : n;
    LANE_ROLLED for (int k = last - 1; k >= first; k--) {
      const mjtNum* L = h->H + k * p->stride;
      mjtNum known = lane_exchange_num(g, x[c], k - first);
      LANE_TURN(b, g, k, CT_SMALL) {
        int j = lane_element(g, b);
        if (j < k) x[b] -= known * L[j];
      }
    }
  }
}

// Element k of x, which its owner has.
LANE_FN static inline mjtNum hand_out(Lane g, const mjtNum* x, int n, int k) {
  mjtNum known = 0;
  LANE_TURN(c, g, n, CT_SMALL) {
    if (k / lane_count(g) == c) known = lane_exchange_num(g, x[c], k % lane_count(g));
  }
  return known;
}

// x = L^-1 x. Row i takes the columns before its block of four as four sums over j mod 4, as ct_dot
// does, then the others of its block one after the other. A sum starts at -0: adding the first
// product to that gives the product itself.
LANE_FN static inline void solve_rows_lanes(Lane g, const ct_Problem* p, const ct_Hessian* h,
                                            mjtNum* x) {
  int n = p->n;
  mjtNum sum[LANE_TURNS(CT_SMALL)][4];
  LANE_TURN(b, g, n, CT_SMALL) {
    for (int q = 0; q < 4; q++) sum[b][q] = -(mjtNum)0;
  }
  LANE_ROLLED for (int k = 0; k < n; k += 4) {
    LANE_TURN(b, g, n, CT_SMALL) {
      bool here = k > 0 && (lane_element(g, b) & ~3) == k;
      if (here) x[b] -= (sum[b][0] + sum[b][2]) + (sum[b][1] + sum[b][3]);
    }
    LANE_UNROLL_ for (int q = 0; q < 4; q++) {
      if (k + q >= n) break;
      mjtNum known = hand_out(g, x, n, k + q);
      LANE_TURN(b, g, n, CT_SMALL) {
        int i = lane_element(g, b);
        if (i <= k + q || i >= n) continue;
        mjtNum term = h->H[i * p->stride + k + q] * known;
        if ((i & ~3) == k) {
          x[b] -= term;
        } else {
          sum[b][q] += term;
        }
      }
    }
  }
}

LANE_FN void ct_solve_lanes(Lane g, const ct_Problem* p, const ct_Hessian* h, mjtNum* vector) {
  if (ct_dofs_have_lanes(g, p)) {
    ct_solve_columns(g, p, h, vector);
    return;
  }
  mjtNum x[LANE_TURNS(CT_SMALL)];
  LANE_TURN(c, g, p->n, CT_SMALL) {
    int j = lane_element(g, c);
    x[c] = j < p->n ? vector[j] : 0;
  }
  solve_columns_lanes(g, p, h, x);
  LANE_TURN(c, g, p->n, CT_SMALL) {
    int j = lane_element(g, c);
    if (j < p->n) x[c] *= h->invD[j];
  }
  solve_rows_lanes(g, p, h, x);
  LANE_TURN(c, g, p->n, CT_SMALL) {
    int j = lane_element(g, c);
    if (j < p->n) vector[j] = x[c];
  }
  lane_sync(g);
}
