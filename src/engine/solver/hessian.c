// The Hessian of the constraint problem, H = M + sum over rows of D J'J + sum over cones of J'CJ,
// and its factor.
//
//   in    problem: M, basis, states of rows, contact.H of contacts on the side of their cone
//   out   L'DL = H with L unit lower triangular, eliminated from the last dof to the first
//
// Here stands what small problems do; hessian_sparse.c has the large ones. A block with basis B
// adds B'SB with a small matrix S: for the edges n +- mu t_k of a pyramid, of which some are
// active, the first row, first column and diagonal of S; for an elliptic contact the Hessian of its
// cone; else a diagonal. Rows of H are padded to four columns, and pads stay finite but mean
// nothing: a row of L is zero from its diagonal to its next multiple of four, so that solving needs
// no rests.
//
// Elimination takes up to four pivots at a time where the columns of their rows nest, which along
// chains of dofs they do. If few rows changed since the last factor, the factor is changed by
// rank-one terms instead (Gill, Golub, Murray, Saunders 1974, method C1): for pivots k from the
// last to the first, with A = L'DL + sigma x x',
//
//   D_k' = D_k + sigma x_k^2,  x_j -= x_k L_kj,  L_kj += (sigma x_k / D_k') x_j,  sigma *= D_k/D_k'

#include "engine/solver/hessian.h"

#include "base/memory/scratch.h"
#include "base/private.h"
#include "math/lane_vec.h"
#include "math/mat.h"

// Pattern

// Entries of J'J, and its pattern.
LANE_FN static int spread_blocks(const ct_Problem* p, ct_DofSet* pattern) {
  int count = 0;
  ct_DofSet before = 0;
  for (int i = 0; i < p->n; i++) pattern[i] = 0;
  for (int k = 0; k < p->nblock; before = p->block[k++].dofs) {
    if (p->block[k].dofs == before) continue;  // the next contact of a foot
    for (ct_DofSet left = p->block[k].dofs; left; left &= left - 1) {
      int i = ct_lowest_dof(left);
      pattern[i] |= p->block[k].dofs & (ct_dofs_below(i) | ct_dof_bit(i));
    }
  }
  for (int i = 0; i < p->n; i++) count += ct_count_dofs(pattern[i]);
  return count;
}

// Columns of row i of M: its parent's and itself, if rows are those of chains.
LANE_INLINE ct_DofSet inertia_dofs(const ct_Problem* p, int i, const ct_DofSet* M_pattern) {
  int start = p->M_rowadr[i], n = p->M_rownnz[i] - 1;
  ct_DofSet dofs = ct_dof_bit(i);
  if (n == 0) return dofs;
  int parent = p->M_colind[start + n - 1];
  if (p->M_rownnz[parent] == n) return dofs | M_pattern[parent];
  for (int k = 0; k < n; k++) dofs |= ct_dof_bit(p->M_colind[start + k]);
  return dofs;
}

// The pattern of M. That of the whole model is known to the schedule.
LANE_FN static void find_inertia_pattern(const mjData* d, const ct_Problem* p, ct_DofSet* inertia) {
  if (p->island >= 0 && !p->alone) {
    for (int i = 0; i < p->n; i++) inertia[i] = inertia_dofs(p, i, inertia);
    return;
  }
  const int* above = ct_private(d)->schedule.dofs_above;
  for (int i = 0; i < p->n; i++) {
    uint64_t low = (unsigned)above[2 * i], high = (unsigned)above[2 * i + 1];
    inertia[i] = (ct_DofSet)(high << 32 | low) | ct_dof_bit(i);
  }
}

// Adds the dofs of blocks to the row of their last one, from where elimination hands them on.
// False: no block ties dofs of two chains, and nothing was added.
LANE_FN static bool tie_blocks(const ct_Problem* p, ct_DofSet* pattern) {
  ct_DofSet before = 0, more = 0;
  for (int k = 0; k < p->nblock; k++) {
    ct_DofSet dofs = p->block[k].dofs;
    if (dofs == before || !dofs) continue;
    ct_DofSet* last = pattern + ct_highest_dof(dofs);
    more |= dofs & ~*last;
    *last |= dofs;
    before = dofs;
  }
  return more != 0;
}

// What elimination of dof k fills in is in the row of the next dof that k is tied to. Counts
// entries.
LANE_FN static int fill_pattern(const ct_Problem* p, ct_DofSet* pattern) {
  int count = 0;
  for (int k = p->n - 1; k >= 0; k--) {
    ct_DofSet below = pattern[k] & ct_dofs_below(k);
    if (below) pattern[ct_highest_dof(below)] |= below;
    count += ct_count_dofs(pattern[k]);
  }
  return count;
}

// By one lane. Entries are counted where J is sparse: else nobody asks.
LANE_FN static void find_pattern(const mjData* d, const ct_Problem* p, ct_Hessian* h) {
  h->nsquare = h->nfactor = 0;
  if (ct_problem_is_sparse(p)) h->nsquare = spread_blocks(p, h->pattern);
  find_inertia_pattern(d, p, h->pattern);
  if (tie_blocks(p, h->pattern) || ct_problem_is_sparse(p)) {
    h->nfactor = fill_pattern(p, h->pattern);
  }
}

LANE_FN bool ct_open_pattern(Lane g, mjData* d, const ct_Problem* p, ct_Hessian* h) {
  h->pattern = (ct_DofSet*)lane_scratch_bytes_(g, d, (size_t)p->n * sizeof(ct_DofSet));
  if (!h->pattern) return false;
  if (lane_count(g) == 1) {
    find_pattern(d, p, h);
  } else {
    ct_find_pattern_lanes(g, p, h);
  }
  return true;
}

LANE_FN static bool open_small_hessian(Lane g, mjData* d, ct_Problem* p, ct_Hessian* h) {
  h->H = ct_problem_scratch(g, d, p, (p->n + CT_HESSIAN_EXTRA) * p->stride);
  if (!h->H) return false;
  h->weighed = h->H + p->n * p->stride;
  h->D = h->weighed + 6 * p->stride;
  h->invD = h->D + p->stride;
  h->change = h->invD + p->stride;
  h->npanel = 0;
  if (lane_count(g) == 1) {
    h->kept = lane_scratch_num(g, d, p->n * p->stride);
    h->panel = (ct_Panel*)lane_scratch_bytes_(g, d, (size_t)p->n * sizeof(ct_Panel));
    if (!h->kept || !h->panel) return false;
  }
  return ct_open_pattern(g, d, p, h);
}

LANE_FN bool ct_open_hessian(Lane g, mjData* d, ct_Problem* p, ct_Hessian* h) {
  h->factored = h->had_cones = h->patched = false;
  h->state = lane_scratch_int(g, d, p->rows.nefc);
  if (!h->state) return false;
  if (ct_problem_is_small(p)) return open_small_hessian(g, d, p, h);
  return ct_lanes_keep_dense(g, p) ? ct_open_dense_hessian(g, d, p, h)
                                   : ct_open_sparse_hessian(g, d, p, h, CT_MOST_ROOM);
}

// Assembly

// The next two are inlined with dim known, so that the inner loops are unrolled.

// Y = S B in the columns from lo to hi
LANE_FN static inline void weigh_basis(Lane g, int dim, const mjtNum* S, const mjtNum* B, mjtNum* Y,
                                       int stride, int lo, int hi) {
  LANE_WIDE(k, g, hi - lo) {
    int j = lo + k;
    Wide x[6];
    for (int q = 0; q < dim; q++) x[q] = wide_load(B + q * stride + j);
    for (int i = 0; i < dim; i++) {
      Wide sum = wide_mul(wide_all(S[i * dim]), x[0]);
      for (int q = 1; q < dim; q++) {
        sum = wide_add(sum, wide_mul(wide_all(S[i * dim + q]), x[q]));
      }
      wide_store(Y + i * stride + j, sum);
    }
  }
}

// Row i of H += column i of B times Y, in the columns from lo to i. A lane reads only what it wrote
// in weigh_basis.
LANE_FN static inline void add_block_row(Lane g, int dim, mjtNum* H, const mjtNum* B,
                                         const mjtNum* Y, int stride, int i, int lo) {
  Wide x[6];
  for (int q = 0; q < dim; q++) x[q] = wide_all(B[q * stride + i]);
  LANE_WIDE(k, g, ct_pad4(i + 1) - lo) {
    int j = lo + k;
    Wide sum = wide_load(H + j);
    for (int q = 0; q < dim; q++)
      sum = wide_add(sum, wide_mul(x[q], wide_load(Y + q * stride + j)));
    wide_store(H + j, sum);
  }
}

// Adds to these rows of H.
LANE_FN static inline void add_block(Lane g, int dim, const ct_Problem* p, ct_Hessian* h,
                                     const ct_Block* b, const mjtNum* S, ct_DofSet rows) {
  const mjtNum* B = p->basis + b->basis * p->stride;
  int lo = ct_lowest_dof(b->dofs) & ~3, hi = ct_pad4(ct_highest_dof(rows) + 1);
  weigh_basis(g, dim, S, B, h->weighed, p->stride, lo, hi);
  for (ct_DofSet left = rows; left; left &= left - 1) {
    int i = ct_lowest_dof(left);
    add_block_row(g, dim, h->H + i * p->stride, B, h->weighed, p->stride, i, lo);
  }
}

// Rows of H = those of M, four at a time, as far as they have columns: above the diagonal nothing
// is read. In place of one that is not asked for, the first of the four is copied again.
LANE_FN static void copy_inertia(Lane g, const ct_Problem* p, ct_Hessian* h, ct_DofSet rows) {
  int stride = p->stride;
  for (int i = 0; i < p->n; i += 4) {
    int four = (int)(rows >> i) & 15;
    if (!four) continue;
    int r0 = ct_lowest_dof((ct_DofSet)four) * stride, r1 = four & 2 ? stride : r0,
        r2 = four & 4 ? 2 * stride : r0, r3 = four & 8 ? 3 * stride : r0;
    mjtNum* to = h->H + i * stride;
    const mjtNum* from = p->dense_M + i * stride;
    LANE_WIDE(j, g, i + 4) {
      Wide x0 = wide_load(from + r0 + j), x1 = wide_load(from + r1 + j);
      Wide x2 = wide_load(from + r2 + j), x3 = wide_load(from + r3 + j);
      wide_store(to + r0 + j, x0);
      wide_store(to + r1 + j, x1);
      wide_store(to + r2 + j, x2);
      wide_store(to + r3 + j, x3);
    }
  }
}

// These rows of H = M + the sum of J' S J of all blocks; by one lane.
LANE_FN static void assemble_hessian(Lane g, const ct_Problem* p, ct_Hessian* h, ct_DofSet stale) {
  copy_inertia(g, p, h, stale);
  for (int k = 0; k < p->nblock; k++) {
    const ct_Block* b = p->block + k;
    ct_DofSet rows = b->dofs & stale;
    mjtNum S[36];
    // a block with one entry adds to one element, or to one that nobody reads: no branch, and none
    // waits for the one before
    if (b->kind == CT_BLOCK_UNIT) {
      mjtNum* to = stale >> b->dof & 1 ? h->H + b->dof * p->stride : h->weighed;
      to += b->dof;
      *to += ct_active_weight(p, b->row) * b->factor * b->factor;
      continue;
    }

    // others add rows; common sizes are known to the compiler
    if (!rows || !ct_block_weights(b->dim, p, b, S)) continue;
    switch (b->dim) {
      case 1:
        add_block(g, 1, p, h, b, S, rows);
        break;
      case 3:
        add_block(g, 3, p, h, b, S, rows);
        break;
      case 4:
        add_block(g, 4, p, h, b, S, rows);
        break;
      case 6:
        add_block(g, 6, p, h, b, S, rows);
        break;
      default:
        add_block(g, b->dim, p, h, b, S, rows);
        break;
    }
  }
}

// Factor

// Rows from k down whose columns nest, four at most. Not returned by value: a copy would wait for
// what was just written.
LANE_INLINE void find_panel(const ct_Hessian* h, int k, ct_Panel* panel) {
  ct_DofSet below = h->pattern[k] & ct_dofs_below(k);
  int width = 1;
  panel->k = k;
  panel->lo = below ? ct_lowest_dof(below) & ~3 : k & ~3;
  while (width < 4 && k - width >= 0) {
    int next = k - width;
    if (below != (h->pattern[next] & (ct_dofs_below(next) | ct_dof_bit(next)))) break;
    below &= ct_dofs_below(next);
    width++;
  }
  panel->width = width;
  panel->ancestors = below;
  panel->rows = (ct_dofs_below(width)) << (k - width + 1);
  panel->own = (k - width + 1) & ~3;
  panel->end = below ? ct_pad4(ct_highest_dof(below) + 1) : panel->lo;
  if (panel->end > panel->own) panel->end = panel->own;
}

LANE_FN static void list_panels(const ct_Problem* p, ct_Hessian* h) {
  for (int k = p->n - 1; k >= 0; k -= h->panel[h->npanel++].width) {
    find_panel(h, k, h->panel + h->npanel);
  }
}

// row[0..to) -= factor * other[0..to), columns from lo
LANE_FN static inline void subtract_row(Lane g, mjtNum* row, const mjtNum* other, mjtNum factor,
                                        int lo, int to) {
  Wide f = wide_all(factor);
  LANE_WIDE(k, g, ct_pad4(to) - lo) {
    int j = lo + k;
    wide_store(row + j, wide_sub(wide_load(row + j), wide_mul(f, wide_load(other + j))));
  }
}

// The places of a word of columns from j on that are before the diagonal of row k - q, and zeros.
LANE_INLINE Wide before_diagonal(Wide x, int j, int k, int q) {
#ifdef __CUDACC__
  return j < k - q ? x : 0;
#else
  const Wide place = {0, 1, 2, 3};
  return wide_if_less(place + (mjtNum)q, wide_all((mjtNum)(k - j)), x);
#endif
}

// Rows of the panel become rows of L: zero from the diagonal on. What they were before they were
// divided by their pivots is kept. First the triangle in which the pivots stand, then columns of
// ancestors, then the panel's own; between them all is zero. Inlined with `width` known.
LANE_FN static inline void eliminate_inside(int width, const ct_Problem* p, ct_Hessian* h,
                                            const ct_Panel* panel) {
  mjtNum a[4][4], inverse[4];  // a[q][s]: row k - q, column k - s
  mjtNum *row[4], *kept[4];
  Wide f[4][4], scale[4];
  int k = panel->k;
  for (int q = 0; q < width; q++) {
    row[q] = h->H + (k - q) * p->stride;
    kept[q] = h->kept + (k - q) * p->stride;
    for (int s = q; s < width; s++) a[q][s] = row[q][k - s];
  }
  for (int q = 0; q < width; q++) {
    mjtNum pivot = a[q][q] < mjMINVAL ? mjMINVAL : a[q][q];
    inverse[q] = 1 / pivot;
    scale[q] = wide_all(inverse[q]);
    h->D[k - q] = pivot;
    h->invD[k - q] = inverse[q];
    for (int s = q + 1; s < width; s++) {
      mjtNum factor = a[q][s] * inverse[q];
      f[q][s] = wide_all(factor);
      for (int t = s; t < width; t++) a[s][t] -= factor * a[q][t];
    }
  }
  for (int j = panel->lo; j < panel->end; j += LANE_WIDTH) {
    Wide x[4];
    for (int q = 0; q < width; q++) {
      x[q] = wide_load(row[q] + j);
      for (int r = 0; r < q; r++) x[q] = wide_sub(x[q], wide_mul(f[r][q], x[r]));
      wide_store(kept[q] + j, x[q]);
      wide_store(row[q] + j, wide_mul(x[q], scale[q]));
    }
  }
  for (int j = panel->own; j <= (k | 3); j += LANE_WIDTH) {
    Wide x[4];
    for (int q = 0; q < width; q++) {
      x[q] = wide_load(row[q] + j);
      for (int r = 0; r < q; r++) x[q] = wide_sub(x[q], wide_mul(f[r][q], x[r]));
      wide_store(kept[q] + j, x[q]);
      wide_store(row[q] + j, before_diagonal(wide_mul(x[q], scale[q]), j, k, q));
    }
  }
}

// What the panel takes from these rows above it.
LANE_FN static inline void eliminate_above(int width, const ct_Problem* p, ct_Hessian* h,
                                           const ct_Panel* panel, ct_DofSet rows) {
  const mjtNum *L[4], *kept[4];
  int lo = panel->lo;
  for (int q = 0; q < width; q++) {
    L[q] = h->H + (panel->k - q) * p->stride;
    kept[q] = h->kept + (panel->k - q) * p->stride;
  }
  // the last rows first: they are the next to be needed
  for (ct_DofSet left = rows; left;) {
    int i = ct_highest_dof(left);
    mjtNum* H = h->H + i * p->stride;
    Wide f[4];
    left ^= ct_dof_bit(i);
    for (int q = 0; q < width; q++) f[q] = wide_all(L[q][i]);
    for (int j = lo; j <= i; j += LANE_WIDTH) {
      Wide x = wide_load(H + j);
      for (int q = 0; q < width; q++) {
        x = wide_sub(x, wide_mul(f[q], wide_load(kept[q] + j)));
      }
      wide_store(H + j, x);
    }
  }
}

LANE_FN static inline void eliminate_panel(int width, const ct_Problem* p, ct_Hessian* h,
                                           const ct_Panel* panel, ct_DofSet stale) {
  if (stale >> panel->k & 1) eliminate_inside(width, p, h, panel);
  eliminate_above(width, p, h, panel, panel->ancestors & stale);
}

// Rows of L that have to be made again, if these rows of H are other ones. Panels stay together.
LANE_FN static ct_DofSet spread_stale(const ct_Hessian* h, ct_DofSet stale) {
  for (int e = 0; e < h->npanel; e++) {
    const ct_Panel* panel = h->panel + e;
    if (stale & panel->rows) stale |= panel->rows | panel->ancestors;
  }
  return stale;
}

// By one lane.
LANE_FN static void factor_small_hessian(const ct_Problem* p, ct_Hessian* h, ct_DofSet stale) {
  for (int e = 0; e < h->npanel; e++) {
    const ct_Panel* panel = h->panel + e;
    switch (panel->width) {
      case 1:
        eliminate_panel(1, p, h, panel, stale);
        break;
      case 2:
        eliminate_panel(2, p, h, panel, stale);
        break;
      case 3:
        eliminate_panel(3, p, h, panel, stale);
        break;
      default:
        eliminate_panel(4, p, h, panel, stale);
        break;
    }
  }
}

// By one lane: rows of the factor that are not up to date, or all of it where rank-one terms
// changed some.
LANE_FN static void make_factor(Lane g, const ct_Problem* p, ct_Hessian* h, ct_DofSet changed) {
  ct_DofSet stale = ct_dofs_below(p->n - 1) | ct_dof_bit(p->n - 1);
  if (h->npanel == 0) list_panels(p, h);
  if (h->factored && !h->patched) stale = spread_stale(h, changed);
  assemble_hessian(g, p, h, stale);
  factor_small_hessian(p, h, stale);
  h->patched = false;
}

// Rank-one changes

LANE_FN static void changed_row(Lane g, const ct_Problem* p, int row, mjtNum* x) {
  const ct_Block* b = p->block + p->block_of_row[row];
  const mjtNum* B = p->basis + b->basis * p->stride;
  int q = row - b->row;
  if (b->kind == CT_BLOCK_UNIT) {
    LANE_FOR(j, g, p->stride) {
      x[j] = j == b->dof ? b->factor : 0;
    }
  } else if (b->kind == CT_BLOCK_PYRAMID) {
    const mjtNum* t = B + (q / 2 + 1) * p->stride;
    LANE_FOR(j, g, p->stride) {
      x[j] = q % 2 ? B[j] - t[j] : B[j] + t[j];
    }
  } else {
    LANE_FOR(j, g, p->stride) {
      x[j] = B[q * p->stride + j];
    }
  }
}

// Applies all changes to one pivot row. False if the pivot gets too small.
LANE_FN static bool change_pivot(Lane g, const ct_Problem* p, ct_Hessian* h, int k, int count,
                                 mjtNum* sigma) {
  mjtNum *L = h->H + k * p->stride, pivot = h->D[k];
  for (int u = 0; u < count; u++) {
    mjtNum *x = h->change + u * p->stride, at = x[k];
    if (at == 0) continue;
    lane_sync(g);  // pads reach up to x[k]
    mjtNum next = pivot + sigma[u] * at * at;
    if (next <= CT_LEAST_PIVOT_LEFT * pivot || next < mjMINVAL) return false;
    mjtNum inverse = 1 / next;
    Wide a = wide_all(at), beta = wide_all(sigma[u] * at * inverse);
    sigma[u] *= pivot * inverse;
    pivot = next;
    LANE_WIDE(j, g, ct_pad4(k)) {
      Wide l = wide_load(L + j), y = wide_sub(wide_load(x + j), wide_mul(a, l));
      wide_store(x + j, y);
      wide_store(L + j, wide_add(l, wide_mul(beta, y)));
    }
  }
  lane_sync(g);
  LANE_ONCE(g) {
    h->D[k] = pivot;
    h->invD[k] = 1 / pivot;
    for (int j = k; j < ct_pad4(k); j++) L[j] = 0;  // pads took part
  }
  return true;
}

// Changes the factor by the rows whose part in H changed. False: the factor is spoilt.
LANE_FN static bool update_factor(Lane g, const ct_Problem* p, ct_Hessian* h) {
  mjtNum sigma[CT_MOST_UPDATES];
  int count = 0;
  ct_DofSet dofs = 0;
  h->patched = true;
  for (int i = 0; i < p->rows.nefc; i++) {
    bool now = ct_is_quadratic(p->rows.state[i]);
    if (now == ct_is_quadratic(h->state[i])) continue;
    changed_row(g, p, i, h->change + count * p->stride);
    sigma[count++] = now ? p->rows.D[i] : -p->rows.D[i];
    dofs |= p->block[p->block_of_row[i]].dofs;
  }
  lane_sync(g);
  while (dofs) {
    int k = ct_highest_dof(dofs);
    dofs = (dofs & ~ct_dof_bit(k)) | (h->pattern[k] & ct_dofs_below(k));
    if (!change_pivot(g, p, h, k, count, sigma)) return false;
  }
  lane_sync(g);
  return true;
}

// What to do

typedef struct {   // what rows are now, and since the last factor
  int cones;       // rows on the side of a cone
  int changed;     // rows whose weight comes or goes
  ct_DofSet dofs;  // of all whose part in H may have changed; of small problems on one lane
} Changes;

LANE_INLINE void add_change(const ct_Problem* p, const ct_Hessian* h, int i, Changes* c) {
  int now = p->rows.state[i], before = h->state[i];
  if (!ct_part_has_changed(now, before)) return;
  c->cones += now == mjCNSTRSTATE_CONE;
  c->changed += ct_is_quadratic(now) != ct_is_quadratic(before);
  c->dofs |= p->block[p->block_of_row[i]].dofs;
}

// Two rows at a time are passed over that are as they were and on no cone, whose bit no other state
// has.
LANE_FN static void find_changes(const ct_Problem* p, const ct_Hessian* h, Changes* c) {
  const int *state = p->rows.state, n = p->rows.nefc;
  const uint64_t cones = (uint64_t)mjCNSTRSTATE_CONE << 32 | mjCNSTRSTATE_CONE;
  c->cones = c->changed = 0;
  c->dofs = 0;
  for (int i = 0; i + 1 < n; i += 2) {
    uint64_t now, before;
    memcpy(&now, state + i, sizeof(now));
    memcpy(&before, h->state + i, sizeof(before));
    if (now == before && !(now & cones)) continue;
    add_change(p, h, i, c);
    add_change(p, h, i + 1, c);
  }
  if (n % 2) add_change(p, h, n - 1, c);
}

LANE_FN void ct_factor_hessian(Lane g, const ct_Problem* p, ct_Hessian* h) {
  Changes now;
  const int* state = p->rows.state;
  if (lane_count(g) == 1 && h->factored && ct_problem_is_small(p)) {
    find_changes(p, h, &now);
  } else {
    LANE_COUNT(now.cones, i, g, p->rows.nefc, state[i] == mjCNSTRSTATE_CONE);
    now.changed = p->rows.nefc;
    now.dofs = 0;
    if (h->factored) {
      LANE_COUNT(now.changed, i, g, p->rows.nefc,
                 ct_is_quadratic(state[i]) != ct_is_quadratic(h->state[i]));
    }
  }
  // A contact that leaves the side of its cone may change no weight of a row: start anew after
  // cones
  bool had_cones = h->had_cones, anew = !h->factored || now.cones || had_cones;
  h->had_cones = now.cones > 0;
  if (!anew && now.changed == 0) return;
  if (!ct_problem_is_small(p)) {
    if (ct_lanes_keep_dense(g, p)) {
      ct_factor_dense_hessian(g, p, h);
    } else {
      ct_factor_sparse_hessian(g, p, h);
    }
  } else if (lane_count(g) > 1) {
    if (anew || now.changed > CT_MOST_UPDATES || !ct_update_factor_lanes(g, p, h)) {
      ct_assemble_lanes(g, p, h);
      ct_factor_lanes(g, p, h);
    }
  } else if (anew || now.changed > CT_MOST_UPDATES || !update_factor(g, p, h)) {
    make_factor(g, p, h, now.dofs);
  }
  h->factored = true;
  lane_sync(g);
  lane_copy_int(g, h->state, state, p->rows.nefc);
  lane_sync(g);
}

// Solving

LANE_INLINE void store_four(mjtNum* to, mjtNum a, mjtNum b, mjtNum c, mjtNum d) {
#ifdef __CUDACC__
  to[0] = a;
  to[1] = b;
  to[2] = c;
  to[3] = d;
#else
  Wide word = {a, b, c, d};
  wide_store(to, word);
#endif
}

// By one lane. Of four rows the numbers that wait for each other stay in registers and are stored
// as a word, which is how they are read next: words of numbers that were just stored one by one
// have to wait for memory.

// x of the last few rows, which are fewer than four.
LANE_FN static void solve_last_columns(Lane g, const ct_Problem* p, const ct_Hessian* h, mjtNum* x,
                                       int k) {
  for (int q = p->n - 1 - k; q >= 0; q--) {
    const mjtNum* row = h->H + (k + q) * p->stride;
    mjtNum known = x[k + q];
    for (int j = 0; j < q; j++) x[k + j] -= known * row[k + j];
    subtract_row(g, x, row, known, 0, k);
  }
}

// x = L^-T x, four rows at a time from the last: the triangle between them, then what is before.
LANE_FN static void solve_columns(Lane g, const ct_Problem* p, const ct_Hessian* h, mjtNum* x) {
  int k = p->n & ~3;
  if (k < p->n) solve_last_columns(g, p, h, x, k);
  for (k -= 4; k >= 0; k -= 4) {
    const mjtNum *L0 = h->H + k * p->stride, *L1 = L0 + p->stride;
    const mjtNum *L2 = L1 + p->stride, *L3 = L2 + p->stride;
    mjtNum x3 = x[k + 3], x2 = x[k + 2] - x3 * L3[k + 2];
    mjtNum x1 = x[k + 1] - x3 * L3[k + 1] - x2 * L2[k + 1];
    mjtNum x0 = x[k] - x3 * L3[k] - x2 * L2[k] - x1 * L1[k];
    Wide f0 = wide_all(x0), f1 = wide_all(x1), f2 = wide_all(x2), f3 = wide_all(x3);
    LANE_WIDE(j, g, k) {
      Wide y = wide_sub(wide_load(x + j), wide_mul(f3, wide_load(L3 + j)));
      y = wide_sub(y, wide_mul(f2, wide_load(L2 + j)));
      y = wide_sub(y, wide_mul(f1, wide_load(L1 + j)));
      wide_store(x + j, wide_sub(y, wide_mul(f0, wide_load(L0 + j))));
    }
    store_four(x + k, x0, x1, x2, x3);
  }
}

// x = L^-1 D^-1 x: four rows at a time against the part of x that is known, then the triangle
// between the four.
LANE_FN static void solve_rows(const ct_Problem* p, const ct_Hessian* h, mjtNum* x) {
  int k = 0;
  for (; k + 4 <= p->n; k += 4) {
    const mjtNum *L0 = h->H + k * p->stride, *L1 = L0 + p->stride + k;
    const mjtNum *L2 = L1 + p->stride, *L3 = L2 + p->stride, *invD = h->invD + k;
    mjtNum dots[4] = {0, 0, 0, 0};
    if (k) ct_dot_four(dots, L0, p->stride, x, k);
    mjtNum x0 = x[k] * invD[0], x1 = x[k + 1] * invD[1];
    mjtNum x2 = x[k + 2] * invD[2], x3 = x[k + 3] * invD[3];
    if (k) {  // a zero would turn -0 into 0
      x0 -= dots[0];
      x1 -= dots[1];
      x2 -= dots[2];
      x3 -= dots[3];
    }
    x1 -= L1[0] * x0;
    x2 = x2 - L2[0] * x0 - L2[1] * x1;
    x3 = x3 - L3[0] * x0 - L3[1] * x1 - L3[2] * x2;
    store_four(x + k, x0, x1, x2, x3);
  }
  for (int q = k; q < p->n; q++) {
    const mjtNum* row = h->H + q * p->stride;
    mjtNum sum = x[q] * h->invD[q];
    if (k) sum -= ct_dot(row, x, k);
    for (int j = k; j < q; j++) sum -= row[j] * x[j];
    x[q] = sum;
  }
}

LANE_FN void ct_solve_hessian(Lane g, const ct_Problem* p, const ct_Hessian* h, mjtNum* x) {
  if (!ct_problem_is_small(p)) {
    if (ct_lanes_keep_dense(g, p)) {
      ct_solve_dense_hessian(g, p, h, x);
    } else {
      ct_solve_sparse_hessian(g, p, h, x);
    }
    return;
  }
  if (lane_count(g) > 1) {
    ct_solve_lanes(g, p, h, x);
    return;
  }
  solve_columns(g, p, h, x);
  solve_rows(p, h, x);
}
