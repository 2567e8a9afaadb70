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

#include "engine/smooth/factor.h"

#include <math.h>
#include <stdint.h>

#include "base/memory/scratch.h"
#include "base/model/awake.h"
#include "base/private.h"
#include "math/lane_vec.h"
#include "math/sparse.h"
#include "math/vec.h"

// Eliminates dof k, whose row has n entries before the diagonal. The parent's row comes first: it
// is the next to be needed.
LANE_FN static void eliminate_alone(Lane g, mjtNum* LD, mjtNum* row, const int* row_of_entry, int n,
                                    mjtNum inverse) {
  for (int i = n - 1; i >= 0; i--) {
    mjtNum f = row[i] * inverse;
    lane_add_scaled(g, LD + row_of_entry[i], row, -f, i + 1);
    row[i] = f;
  }
}

// Element e of a triangle whose row i has i + 1 elements: 8 e + 1 = (2 i + 1)^2 where a row starts.
// The root of a large number may be off by one.
LANE_INLINE int row_of_triangle(int e) {
  int i = (int)((sqrtf(8 * (float)e + 1) - 1) / 2);
  if (i * (i + 1) / 2 > e) return i - 1;
  return (i + 1) * (i + 2) / 2 > e ? i : i + 1;
}

// The same by several lanes, which deal out the triangle of (i, j) that changes. A becomes L after
// all have read the row, and is not read again before the next lane_sync. Measured: a column for
// each lane needs no root, and is slower.
LANE_FN static void eliminate_lanes(Lane g, mjtNum* LD, mjtNum* row, const int* row_of_entry, int n,
                                    mjtNum inverse) {
  LANE_FOR(e, g, n * (n + 1) / 2) {
    int i = row_of_triangle(e), j = e - i * (i + 1) / 2;
    LD[row_of_entry[i] + j] -= row[i] * inverse * row[j];
  }
  lane_sync(g);
  LANE_FOR(c, g, n) {
    row[c] *= inverse;
  }
}

LANE_FN static inline void eliminate(Lane g, mjtNum* LD, mjtNum* row, const int* row_of_entry,
                                     int n, mjtNum inverse) {
  if (lane_count(g) == 1) {
    eliminate_alone(g, LD, row, row_of_entry, n, inverse);
  } else {
    eliminate_lanes(g, LD, row, row_of_entry, n, inverse);
  }
}

// Eliminates dof k and its parent k - 1 together, on one lane: n entries stand before the diagonal
// of `row`, which is k's, and the columns of `above`, the parent's row, are the same without the
// last. Rows of common ancestors are read and written once instead of twice. Measured: a fifth
// faster on chains.
LANE_FN static void eliminate_two(Lane g, mjtNum* LD, mjtNum* row, mjtNum* above, mjtNum invD[2],
                                  const int* row_of_entry, int n) {
  mjtNum inverse = 1 / row[n], f = row[n - 1] * inverse;
  lane_add_scaled(g, above, row, -f, n);
  row[n - 1] = f;
  mjtNum inverse_above = 1 / above[n - 1];
  for (int i = n - 2; i >= 0; i--) {
    mjtNum f_above = above[i] * inverse_above;
    f = row[i] * inverse;
    lane_add_scaled2(g, LD + row_of_entry[i], row, -f, above, -f_above, i + 1);
    row[i] = f;
    above[i] = f_above;
  }
  invD[0] = inverse_above;
  invD[1] = inverse;
}

// Dofs first <= k < end without ancestors: one number each, one after the other.
LANE_FN static void invert_singles(Lane g, const mjModel* m, const mjtNum* LD, mjtNum* invD,
                                   int first, int end) {
  if (first >= end) return;
  const mjtNum* D = LD + m->M_rowadr[first];
  LANE_WIDE(k, g, end - first) {
    wide_store(invD + first + k, wide_div(wide_all(lane_num(1)), wide_load(D + k)));
  }
  LANE_WIDE_REST(k, g, end - first) {
    invD[first + k] = 1 / D[k];
  }
}

// While nothing sleeps.
LANE_FN static void factor_all(Lane g, const mjModel* m, const mjData* d, mjtNum* LD,
                               mjtNum* invD) {
  const int* row_of_entry = ct_private(d)->schedule.row_of_entry;
  int first = ct_private(d)->schedule.dofs.first, end = ct_private(d)->schedule.dofs.end;
  invert_singles(g, m, LD, invD, end, (int)m->nv);
  for (int k = end - 1; k >= first; k--) {
    int start = m->M_rowadr[k], n = m->M_rownnz[k] - 1;
    if (lane_count(g) == 1 && n > 1 && m->M_colind[start + n - 1] == k - 1) {
      k--;
      eliminate_two(g, LD, LD + start, LD + m->M_rowadr[k], invD + k, row_of_entry + start, n);
      continue;
    }
    mjtNum inverse = 1 / LD[start + n];
    LANE_ONCE(g) {
      invD[k] = inverse;
    }
    if (n > 0) eliminate(g, LD, LD + start, row_of_entry + start, n, inverse);
  }
  invert_singles(g, m, LD, invD, 0, first);  // roots among them have changed
}

LANE_FN LANE_RARE static void factor_awake(Lane g, const mjModel* m, const mjData* d, mjtNum* LD,
                                           mjtNum* invD) {
  const int* row_of_entry = ct_private(d)->schedule.row_of_entry;
  for (int at = d->nv_awake - 1; at >= 0; at--) {
    int k = d->dof_awake_ind[at];
    int start = m->M_rowadr[k], n = m->M_rownnz[k] - 1;
    mjtNum inverse = 1 / LD[start + n];
    LANE_ONCE(g) {
      invD[k] = inverse;
    }
    if (n > 0) eliminate(g, LD, LD + start, row_of_entry + start, n, inverse);
  }
}

LANE_FN void ct_factor(Lane g, const mjModel* m, const mjData* d, mjtNum* LD, mjtNum* invD) {
  if (ct_some_asleep(m, d)) {
    factor_awake(g, m, d, LD, invD);
  } else {
    factor_all(g, m, d, LD, invD);
  }
  lane_sync(g);
}

LANE_FN int ct_factor_M(Lane g, const mjModel* m, mjData* d) {
  if (ct_all_asleep(m, d)) return CT_OK;
  if (ct_some_asleep(m, d)) {
    LANE_FOR(i, g, d->nv_awake) {
      int k = d->dof_awake_ind[i], end = m->M_rowadr[k] + m->M_rownnz[k];
      for (int a = m->M_rowadr[k]; a < end; a++) {
        d->qLD[a] = d->M[a];
      }
    }
  } else {
    lane_copy(g, d->qLD, d->M, m->nC);
  }
  lane_sync(g);
  ct_factor(g, m, d, d->qLD, d->qLDiagInv);
  return CT_OK;
}

#if LANE_WIDTH > 1

// M and M + hB in one pass, on one lane. Both have the same pattern, and rows of small models are
// shorter than words: entries of both side by side make words of two columns, and all addresses,
// loops and branches serve two matrices. Measured: 3 to 5 % of a step of 20 to 30 dofs; rows of M
// alone in padded words gain nothing, and rows of two ancestors at a time no more than this. Rows
// of pairs begin where the schedule says (pair_adr) and end with whole words. What stands behind
// their last entry is never read as a number.

typedef mjtNum Pair
    __attribute__((vector_size(2 * sizeof(mjtNum)), aligned(sizeof(mjtNum)), may_alias));

LANE_INLINE Pair pair_of_row(const mjtNum* row, int i) {
  return *(const Pair*)(row + 2 * i);
}

LANE_INLINE Wide pair_twice(Pair x) {
  return __builtin_shufflevector(x, x, 0, 1, 0, 1);
}

typedef struct FactorPair_ {
  const mjModel* m;
  const int* adr;  // of rows of pairs
  mjtNum* rows;    // rows of pairs
  mjtNum *LD[2], *invD[2];
} FactorPair;

LANE_INLINE void store_pair(mjtNum* const to[2], int at, Pair x) {
  to[0][at] = x[0];
  to[1][at] = x[1];
}

// From the last row to the first: what is written last, number by number, is needed last.
static void spread_pairs(const FactorPair* s, const mjtNum* M) {
  const mjModel* m = s->m;
  mjtNum h = m->opt.timestep;
  for (int k = (int)m->nv - 1; k >= 0; k--) {
    int n = m->M_rownnz[k];
    const mjtNum* from = M + m->M_rowadr[k];
    mjtNum* row = s->rows + s->adr[k];
    int i = 0;
    for (; i + 2 <= n; i += 2) {
      Pair x = pair_of_row(from + i, 0);
      wide_store(row + 2 * i, __builtin_shufflevector(x, x, 0, 0, 1, 1));
    }
    if (i < n) {
      Wide last = {from[i], from[i], 0, 0};
      wide_store(row + 2 * i, last);
    }
    row[2 * n - 1] = from[n - 1] + h * m->dof_damping[k];
  }
}

// Dof k, with n entries before its diagonal.
static void eliminate_pair(const FactorPair* s, int k, int n) {
  int start = s->m->M_rowadr[k];
  const int* column = s->m->M_colind + start;
  const mjtNum* row = s->rows + s->adr[k];
  Pair inverse = 1 / pair_of_row(row, n);
  store_pair(s->LD, start + n, pair_of_row(row, n));
  store_pair(s->invD, k, inverse);
  for (int i = n - 1; i >= 0; i--) {
    Pair f = pair_of_row(row, i) * inverse;
    Wide both = pair_twice(f);
    mjtNum* y = s->rows + s->adr[column[i]];
    for (int e = 0; e <= 2 * i; e += LANE_WIDTH) {
      wide_store(y + e, wide_load(y + e) - both * wide_load(row + e));
    }
    store_pair(s->LD, start + i, f);
  }
}

// Dofs k and k - 1, its parent, as eliminate_two does.
static void eliminate_two_pairs(const FactorPair* s, int k, int n) {
  int start = s->m->M_rowadr[k], start_above = s->m->M_rowadr[k - 1];
  const int* column = s->m->M_colind + start;
  const mjtNum* row = s->rows + s->adr[k];
  mjtNum* above = s->rows + s->adr[k - 1];
  Pair D = pair_of_row(row, n), inverse = 1 / D;
  Pair f = pair_of_row(row, n - 1) * inverse;
  Wide both = pair_twice(f);
  for (int e = 0; e < 2 * n; e += LANE_WIDTH) {
    wide_store(above + e, wide_load(above + e) - both * wide_load(row + e));
  }
  store_pair(s->LD, start + n, D);
  store_pair(s->LD, start + n - 1, f);
  store_pair(s->invD, k, inverse);
  Pair D_above = pair_of_row(above, n - 1), inverse_above = 1 / D_above;
  store_pair(s->LD, start_above + n - 1, D_above);
  store_pair(s->invD, k - 1, inverse_above);
  for (int i = n - 2; i >= 0; i--) {
    Pair f_above = pair_of_row(above, i) * inverse_above;
    f = pair_of_row(row, i) * inverse;
    Wide both_above = pair_twice(f_above);
    both = pair_twice(f);
    mjtNum* y = s->rows + s->adr[column[i]];
    for (int e = 0; e <= 2 * i; e += LANE_WIDTH) {
      Wide once = wide_load(y + e) - both * wide_load(row + e);
      wide_store(y + e, once - both_above * wide_load(above + e));
    }
    store_pair(s->LD, start + i, f);
    store_pair(s->LD, start_above + i, f_above);
  }
}

static void factor_pairs(const FactorPair* s) {
  const mjModel* m = s->m;
  for (int k = (int)m->nv - 1; k >= 0; k--) {
    int n = m->M_rownnz[k] - 1;
    if (n > 1 && m->M_colind[m->M_rowadr[k] + n - 1] == k - 1) {
      eliminate_two_pairs(s, k, n);
      k--;
    } else {
      eliminate_pair(s, k, n);
    }
  }
}

bool ct_factor_M_and_damped(Lane g, const mjModel* m, mjData* d) {
  const ct_Schedule* schedule = &ct_private(d)->schedule;
  if (lane_count(g) > 1 || 2 * (schedule->dofs.end - schedule->dofs.first) < m->nv) return false;
  if (!lane_mark(g, d)) return false;
  mjtNum* rows = lane_scratch_num(g, d, (int)(2 * (m->nC + m->nv)));
  if (rows) {
    FactorPair s = {m, schedule->pair_adr, rows, {d->qLD, d->qH}, {d->qLDiagInv, d->qHDiagInv}};
    spread_pairs(&s, d->M);
    factor_pairs(&s);
  }
  lane_free(g, d);
  return rows != NULL;
}

#endif

// Long rows are worth a look: if their columns are neighbours, as in a chain, vectors need no
// gathering. Measured: a chain of 100 links is solved three times as fast, short rows lose a tenth.
LANE_INLINE bool is_wide_row(const int* column, int n) {
  return n >= CT_LONG_LEAD && column[n - 1] - column[0] == n - 1;
}

// A chain hands a number from each row to the next. On one lane it stays in a register, which
// saves the way through memory; several lanes meet there anyway.
typedef struct Carried_ {
  int dof;
  mjtNum x;
} Carried;

LANE_FN static inline mjtNum carried_or_stored(Lane g, Carried c, const mjtNum* x, int k) {
  return lane_count(g) == 1 && c.dof == k ? c.x : x[k];
}

// x <- inverse of L' times x; rows outside first <= k < end are those of the identity.
LANE_FN static void solve_upwards(Lane g, const mjModel* m, const int* lead, const mjtNum* LD,
                                  mjtNum* x, int first, int end) {
  Carried next = {-1, lane_num(0)};
  for (int k = end - 1; k >= first; k--) {
    int n = m->M_rownnz[k] - 1;
    if (n == 0) continue;
    const mjtNum* row = LD + m->M_rowadr[k];
    const int* column = m->M_colind + m->M_rowadr[k];
    mjtNum known = carried_or_stored(g, next, x, k);
    if (lane_count(g) == 1) {
      next.dof = column[--n];
      next.x = x[next.dof] - row[n] * known;
      x[next.dof] = next.x;
    }
    if (lane_count(g) == 1) {
      ct_add_to_scl_led(x, row, column, -known, n, lead[k] < n ? lead[k] : n);
    } else if (is_wide_row(column, n)) {
      lane_add_scaled(g, x + column[0], row, -known, n);
    } else {
      LANE_FOR(i, g, n) {
        x[column[i]] -= row[i] * known;
      }
    }
    lane_sync(g);
  }
}

// The row of L below the root, applied to what is known above it.
LANE_FN static inline mjtNum minus_known(Lane g, Carried last, const mjtNum* row, const int* column,
                                         int n, int lead, const mjtNum* x, mjtNum sum) {
  if (n == 0) return sum;
  if (is_wide_row(column, n - 1)) {
    sum -= ct_dot(row, x + column[0], n - 1);
  } else {
    sum = ct_minus_dot_led(sum, row, column, n - 1, lead < n - 1 ? lead : n - 1, x);
  }
  return sum - row[n - 1] * carried_or_stored(g, last, x, column[n - 1]);
}

// x_k, when those above it in the tree are known.
LANE_FN static inline mjtNum solve_row(Lane g, const mjModel* m, const int* lead, const mjtNum* LD,
                                       const mjtNum* invD, const mjtNum* x, int k, Carried last) {
  int start = m->M_rowadr[k], n = m->M_rownnz[k] - 1;
  return minus_known(g, last, LD + start, m->M_colind + start, n, lead[k], x, x[k] * invD[k]);
}

LANE_FN static void scale_entries(Lane g, mjtNum* x, const mjtNum* by, int first, int end) {
  LANE_WIDE(k, g, end - first) {
    wide_store(x + first + k, wide_mul(wide_load(x + first + k), wide_load(by + first + k)));
  }
  LANE_WIDE_REST(k, g, end - first) {
    x[first + k] *= by[first + k];
  }
}

#if LANE_WIDTH > 1

// Both sweeps on one lane, block by block: of two dofs on a chain both rows go at a time.

LANE_INLINE const ct_DofBlock* block_at(const ct_Schedule* s, int i) {
  return (const ct_DofBlock*)(const void*)s->blocks + i;
}

// x -= known row + known_above above, in the columns that both have, of which there are some. The
// number of the last one is returned.
static inline mjtNum subtract_two_rows(mjtNum* x, const int* column, const ct_DofBlock* b,
                                       const mjtNum* row, mjtNum known, const mjtNum* above,
                                       mjtNum known_above) {
  int i = 0, n = b->n - 1;
  mjtNum next = x[b->parent] - row[n] * known - above[n] * known_above;
  x[b->parent] = next;
  for (mjtNum* y = x + column[0]; i + LANE_WIDTH <= b->lead; i += LANE_WIDTH) {
    Wide once = wide_load(y + i) - wide_load(row + i) * wide_all(known);
    wide_store(y + i, once - wide_load(above + i) * wide_all(known_above));
  }
  for (; i < n; i++) {
    mjtNum* y = x + column[i];
    *y = *y - row[i] * known - above[i] * known_above;
  }
  return next;
}

static void solve_upwards_alone(const mjModel* m, const ct_Schedule* s, const mjtNum* LD, mjtNum* x,
                                int first, int end) {
  Carried next = {-1, 0};
  for (int i = end - 1; i >= first; i--) {
    const ct_DofBlock* b = block_at(s, i);
    const mjtNum* row = LD + b->row;
    const int *column = m->M_colind + b->row, n = b->n;
    mjtNum known = next.dof == b->last ? next.x : x[b->last];
    next.dof = b->parent;
    if (b->size == 2) {
      mjtNum known_above = x[b->last - 1] - row[n] * known;
      x[b->last - 1] = known_above;
      if (n > 0) {
        next.x = subtract_two_rows(x, column, b, row, known, LD + b->above, known_above);
      }
    } else if (n > 0) {
      next.x = x[b->parent] - row[n - 1] * known;
      x[b->parent] = next.x;
      ct_add_to_scl_led(x, row, column, -known, n - 1, b->lead);
    }
  }
}

// Both rows of a block of two, applied to what is known before it: sums of both. last: the number
// of the last column that both have.
static inline void minus_known_of_two(mjtNum sums[2], const mjtNum* above, const mjtNum* row,
                                      const int* column, const ct_DofBlock* b, const mjtNum* x,
                                      mjtNum last) {
  mjtNum of_above = sums[0], of_row = sums[1];
  int i = 0, n = b->n - 1;
  if (b->lead >= LANE_WIDTH) {
    Two both = {of_above, of_row};
    for (const mjtNum* y = x + column[0]; i + LANE_WIDTH <= b->lead; i += LANE_WIDTH) {
      Wide p = wide_load(above + i) * wide_load(y + i), q = wide_load(row + i) * wide_load(y + i);
      Wide even = __builtin_shufflevector(p, q, 0, 4, 2, 6);
      Wide odd = __builtin_shufflevector(p, q, 1, 5, 3, 7);
      both -= __builtin_shufflevector(even, even, 0, 1);
      both -= __builtin_shufflevector(odd, odd, 0, 1);
      both -= __builtin_shufflevector(even, even, 2, 3);
      both -= __builtin_shufflevector(odd, odd, 2, 3);
    }
    of_above = both[0];
    of_row = both[1];
  }
  for (; i < n; i++) {
    mjtNum known = x[column[i]];
    of_above -= above[i] * known;
    of_row -= row[i] * known;
  }
  sums[0] = of_above - above[n] * last;
  sums[1] = of_row - row[n] * last;
}

// x <- inverse of L times inverse of D times x.
static void solve_downwards_alone(Lane g, const mjModel* m, const ct_Schedule* s, const mjtNum* LD,
                                  const mjtNum* invD, mjtNum* x, int first, int end) {
  Carried last = {-1, 0};
  for (int i = first; i < end; i++) {
    const ct_DofBlock* b = block_at(s, i);
    int k = b->last;
    if (b->size == 2) {
      const mjtNum *above = LD + b->above, *row = LD + b->row;
      mjtNum sums[2] = {x[k - 1] * invD[k - 1], x[k] * invD[k]};
      if (b->n > 0) {
        mjtNum parent = last.dof == b->parent ? last.x : x[b->parent];
        minus_known_of_two(sums, above, row, m->M_colind + b->row, b, x, parent);
      }
      x[k - 1] = sums[0];
      x[k] = last.x = sums[1] - row[b->n] * sums[0];
    } else {
      x[k] = last.x = solve_row(g, m, s->lead, LD, invD, x, k, last);
    }
    last.dof = k;
  }
}

// The whole of it for dofs first <= k < end, of which low <= k < high may have others above them.
static void solve_alone(Lane g, const mjModel* m, const ct_Schedule* s, const mjtNum* LD,
                        const mjtNum* invD, mjtNum* x, int first, int low, int high, int end) {
  int first_block = low < high ? s->block_of[low] : 0;
  int end_block = low < high ? s->block_of[high - 1] + 1 : 0;
  solve_upwards_alone(m, s, LD, x, first_block, end_block);
  scale_entries(g, x, invD, first, low);
  scale_entries(g, x, invD, high, end);
  solve_downwards_alone(g, m, s, LD, invD, x, first_block, end_block);
}

#endif

LANE_FN void ct_solve_half(Lane g, const mjModel* m, const mjData* d, const mjtNum* LD, mjtNum* x) {
  solve_upwards(g, m, ct_private(d)->schedule.lead, LD, x, 0, (int)m->nv);
}

// Several lanes keep x instead of sharing it: a lane has the elements rank, rank + count, ..., and
// each is handed out when it is known. A dof's place in the rows of its descendants is the number
// of its own ancestors. For rows that are short and matrices that are small.
#if defined(CT_ONLY_DENSE) && CT_SMALL <= 32
enum { KEPT = CT_SMALL, SHORT = 17 };
typedef uint32_t DofWord;  // a kernel for few dofs has narrow words
#else
enum { KEPT = 64, SHORT = 17 };
typedef uint64_t DofWord;
#endif

LANE_INLINE DofWord word_of_dofs(const int* words, int k) {
  DofWord low = (unsigned)words[2 * k];
#if !(defined(CT_ONLY_DENSE) && CT_SMALL <= 32)
  low |= (DofWord)(unsigned)words[2 * k + 1] << 32;
#endif
  return low;
}

typedef struct {  // what a lane knows about one of its dofs
  DofWord above, below;
  int start, place;  // of its row, and its own place in the rows of dofs below
} KeptDof;

// Dofs of turn t that are in first <= k < end.
typedef struct {
  int base, first, end;
} KeptTurn;

LANE_FN static inline KeptTurn kept_turn(Lane g, int t, int first, int end) {
  KeptTurn turn = {t * lane_count(g), first, end};
  if (turn.first < turn.base) turn.first = turn.base;
  if (turn.end > turn.base + lane_count(g)) turn.end = turn.base + lane_count(g);
  return turn;
}

LANE_FN static void solve_kept(Lane g, const mjModel* m, const ct_Schedule* s, const mjtNum* LD,
                               const mjtNum* invD, mjtNum* x) {
  int nv = (int)m->nv;
  mjtNum kept[LANE_TURNS(KEPT)];
  KeptDof dof[LANE_TURNS(KEPT)];
  LANE_TURN(c, g, nv, KEPT) {
    int j = lane_element(g, c) < nv ? lane_element(g, c) : nv - 1;
    kept[c] = lane_element(g, c) < nv ? x[j] : lane_num(0);
    dof[c].above = word_of_dofs(s->dofs_above, j);
    dof[c].below = word_of_dofs(s->dofs_below, j);
    dof[c].start = m->M_rowadr[j];
    dof[c].place = m->M_rownnz[j] - 1;
  }

  // x <- inverse of L' times x
  LANE_TURN_DOWN(t, g, nv, KEPT) {
    KeptTurn turn = kept_turn(g, t, s->dofs.first, s->dofs.end);
    LANE_ROLLED for (int k = turn.end - 1; k >= turn.first; k--) {
      const mjtNum* row = LD + m->M_rowadr[k];
      mjtNum known = lane_exchange_num(g, kept[t], k - turn.base);
      LANE_TURN(c, g, nv, KEPT) {
        if (dof[c].below >> k & 1) kept[c] -= row[dof[c].place] * known;
      }
    }
  }
  LANE_TURN(c, g, nv, KEPT) {
    if (lane_element(g, c) < nv) kept[c] *= invD[lane_element(g, c)];
  }

  // x <- inverse of L times x
  LANE_TURN(t, g, nv, KEPT) {
    KeptTurn turn = kept_turn(g, t, 0, s->dofs.end);
    LANE_ROLLED for (int j = turn.first; j < turn.end; j++) {
      const mjtNum* column = LD + m->M_rownnz[j] - 1;
      mjtNum known = lane_exchange_num(g, kept[t], j - turn.base);
      LANE_TURN(c, g, nv, KEPT) {
        if (dof[c].above >> j & 1) kept[c] -= column[dof[c].start] * known;
      }
    }
  }
  LANE_TURN(c, g, nv, KEPT) {
    if (lane_element(g, c) < nv) x[lane_element(g, c)] = kept[c];
  }
  lane_sync(g);
}

LANE_FN void ct_solve(Lane g, const mjModel* m, const mjData* d, const mjtNum* LD,
                      const mjtNum* invD, mjtNum* x) {
  const ct_Levels* coupled = &ct_private(d)->schedule.dofs;
  if (lane_count(g) > 1 && m->nv <= KEPT && coupled->count <= SHORT) {
    solve_kept(g, m, &ct_private(d)->schedule, LD, invD, x);
    return;
  }
#if LANE_WIDTH > 1
  if (lane_count(g) == 1) {
    solve_alone(g, m, &ct_private(d)->schedule, LD, invD, x, 0, coupled->first, coupled->end,
                (int)m->nv);
    return;
  }
#endif
  const int* lead = ct_private(d)->schedule.lead;
  solve_upwards(g, m, lead, LD, x, coupled->first, coupled->end);
  scale_entries(g, x, invD, 0, coupled->first);
  scale_entries(g, x, invD, coupled->end, (int)m->nv);
  lane_sync(g);
  Carried last = {-1, lane_num(0)};
  LANE_LEVELS(k, g, *coupled) {
    x[k] = last.x = solve_row(g, m, lead, LD, invD, x, k, last);
    last.dof = k;  // only ever asked for by the lane that was here
  }
}

#ifndef CT_SIDE_BY_SIDE  // where nothing sleeps
LANE_FN LANE_RARE void ct_solve_awake(Lane g, const mjModel* m, const mjData* d, const mjtNum* LD,
                                      const mjtNum* invD, mjtNum* x) {
  const ct_Levels* coupled = &ct_private(d)->schedule.dofs;
  const int *lead = ct_private(d)->schedule.lead, *awake = d->dof_awake_ind;
  const Carried nothing = {-1, lane_num(0)};
  for (int i = d->nv_awake - 1; i >= 0; i--) {
    int k = awake[i], n = m->M_rownnz[k] - 1;
    const mjtNum* row = LD + m->M_rowadr[k];
    const int* column = m->M_colind + m->M_rowadr[k];
    if (n == 0) continue;
    LANE_FOR(e, g, n) {
      x[column[e]] -= row[e] * x[k];
    }
    lane_sync(g);
  }
  LANE_FOR(i, g, d->nv_awake) {
    int k = awake[i];
    if (lane_count(g) == 1) {
      x[k] = solve_row(g, m, lead, LD, invD, x, k, nothing);
    } else if (k < coupled->first || k >= coupled->end) {
      x[k] *= invD[k];
    }
  }
  lane_sync(g);
  if (lane_count(g) == 1) return;
  LANE_LEVELS(k, g, *coupled) {
    if (!ct_dof_asleep(m, d, k)) x[k] = solve_row(g, m, lead, LD, invD, x, k, nothing);
  }
}
#endif

LANE_FN static int within(int k, int low, int high) {
  return k < low ? low : k > high ? high : k;
}

LANE_FN void ct_solve_trees(Lane g, const mjModel* m, const mjData* d, const mjtNum* LD,
                            const mjtNum* invD, mjtNum* x, int first, int end) {
  const ct_Schedule* s = &ct_private(d)->schedule;
  int low = within(s->dofs.first, first, end), high = within(s->dofs.end, low, end);
#if LANE_WIDTH > 1
  solve_alone(g, m, s, LD, invD, x, first, low, high, end);
#else
  solve_upwards(g, m, s->lead, LD, x, low, high);
  scale_entries(g, x, invD, first, low);
  scale_entries(g, x, invD, high, end);
  Carried last = {-1, lane_num(0)};
  for (int k = low; k < high; k++) {
    x[k] = last.x = solve_row(g, m, s->lead, LD, invD, x, k, last);
    last.dof = k;
  }
#endif
}
