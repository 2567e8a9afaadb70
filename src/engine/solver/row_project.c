// What Newton's directions by rows are made of, once for a solve: rows of J side by side, X = J
// M^-1, A = J M^-1 J' + R, and the start.
//
//   in    start, r and r_smooth, J, R, factor of M
//   out   ct_RowNewton
//
// X is made for all rows at once: M^-1 = L^-1 D^-1 L^-T goes up and down the tree with the numbers
// of a dof for these rows side by side, in words. Up, rows have to do with the dofs of their bodies
// and those above alone.

#include "base/memory/scratch.h"
#include "base/private.h"
#include "engine/solver/row_newton.h"
#include "math/lane_vec.h"

#ifndef __CUDACC__

// The first n < 4 numbers of x as a word, zeros behind them. One load, so they should not have just
// been stored one by one.
LANE_INLINE Wide first_numbers(const mjtNum* x, int n) {
#if defined(__AVX__) && !defined(mjUSESINGLE)
  static const long long ends[8] = {-1, -1, -1, -1, 0, 0, 0, 0};
  typedef long long Mask __attribute__((vector_size(32), aligned(8), may_alias));
  return __builtin_ia32_maskloadpd256((const Wide*)x, *(const Mask*)(ends + 4 - n));
#else
  return ct_last_word_(x, n);
#endif
}

// Rows of a sparse J, padded.
LANE_FN static void spread_rows(const ct_Problem* p, ct_RowNewton* k) {
  int nefc = p->rows.nefc;
  ct_zero(k->J, k->stride * p->stride);
  for (int i = 0; i < nefc; i++) {
    mjtNum* to = k->J + i * p->stride;
    int start = p->J_rowadr[i];
    for (int e = start; e < start + p->J_rownnz[i]; e++) to[p->J_colind[e]] = p->J[e];
  }
}

// Rows i to i + 3 of J, padded, and as words of Xt. Returns the dofs that they have to do with.
// Inlined with `all` known: are there all four rows?
LANE_INLINE uint64_t bring_rows(bool all, const ct_Problem* p, const ct_RowNewton* k, int i) {
  bool sparse = ct_problem_is_sparse(p);  // J is spread out
  int n = sparse ? p->stride : p->n, rows = p->rows.nefc - i, columns = p->stride;
  int stride = k->stride;
  const mjtNum *from = sparse ? k->J + i * n : p->J + i * n, *row[4];
  mjtNum *to = k->J + i * columns, *across = k->Xt + i;
  uint64_t dofs = 0;
  for (int q = 0; q < 4; q++) row[q] = from + (all || q < rows ? q * n : 0);
  for (int j = 0; j < columns; j += 4, across += 4 * stride) {
    Wide x[4], zero = wide_all(0);
    if (j + 4 <= n) {
      for (int q = 0; q < 4; q++) x[q] = wide_load(row[q] + j);
    } else {
      for (int q = 0; q < 4; q++) x[q] = first_numbers(row[q] + j, n - j);
    }
    for (int q = 1; q < 4; q++) x[q] = all || q < rows ? x[q] : zero;
    WideMask any = (WideMask)(x[0] != zero) | (WideMask)(x[1] != zero) | (WideMask)(x[2] != zero) |
                   (WideMask)(x[3] != zero);
    dofs |= (uint64_t)wide_bits(any) << j;
    for (int q = 0; q < 4; q++) wide_store(to + q * columns + j, x[q]);
    wide_transpose(x);
    for (int q = 0; q < 4; q++) wide_store(across + q * stride, x[q]);
  }
  return dofs;
}

LANE_FN static uint64_t bring_four_rows(const ct_Problem* p, const ct_RowNewton* k, int i) {
  return i + 4 <= p->rows.nefc ? bring_rows(true, p, k, i) : bring_rows(false, p, k, i);
}

// How many columns of the row of a dof follow each other, from the first on: they need no list.
typedef struct {
  const int *lead, *dof;  // dof: of an island
} Leads;

LANE_INLINE Leads leads_of(const mjData* d, const ct_Problem* p) {
  bool gathered = p->island >= 0 && !p->alone;
  Leads leads = {ct_private(d)->schedule.lead,
                 gathered ? d->map_idof2dof + d->island_idofadr[p->island] : NULL};
  return leads;
}

LANE_INLINE int leading(Leads leads, int k) {
  return leads.lead[leads.dof ? leads.dof[k] : k];
}

// x = L^-T x for `words` words of rows, x[j * stride] of dof j: what rows have to do with, which
// are these dofs at first, is handed from dofs to their ancestors. A dof and the one before it go
// together if that is its parent. Inlined with `words` known.

// y -= l known
LANE_INLINE void hand_up(int words, mjtNum* y, mjtNum l, const Wide known[4]) {
  Wide all = wide_all(l);
  for (int w = 0; w < words; w++) {
    wide_store(y + 4 * w, wide_sub(wide_load(y + 4 * w), wide_mul(all, known[w])));
  }
}

// The same of a dof and of its parent after it.
LANE_INLINE void hand_up_two(int words, mjtNum* y, mjtNum l, const Wide known[4], mjtNum l_above,
                             const Wide next[4]) {
  Wide all = wide_all(l), all_above = wide_all(l_above);
  for (int w = 0; w < words; w++) {
    Wide once = wide_sub(wide_load(y + 4 * w), wide_mul(all, known[w]));
    wide_store(y + 4 * w, wide_sub(once, wide_mul(all_above, next[w])));
  }
}

LANE_FN static inline void go_up(int words, const ct_Problem* p, Leads leads, mjtNum* x, int stride,
                                 uint64_t dofs) {
  const int *rowadr = p->M_rowadr, *rownnz = p->M_rownnz, *colind = p->M_colind;
  const mjtNum* LD = p->LD;
  for (int k = p->n - 1; k > 0; k--) {
    int start = rowadr[k], n = rownnz[k] - 1, lead = leading(leads, k), e = 0;
    const int* column = colind + start;
    const mjtNum* L = LD + start;
    mjtNum *y = x + column[0] * stride, *from = x + k * stride;
    Wide known[4], next[4];
    if (!(dofs >> k & 1) || n == 0) continue;
    for (int w = 0; w < words; w++) known[w] = wide_load(from + 4 * w);
    for (int w = 0; w < words; w++) next[w] = known[w];  // for the compiler
    dofs |= (uint64_t)1 << column[n - 1];
    if (column[n - 1] == k - 1 && rownnz[k - 1] == n) {
      const mjtNum* L_above = LD + rowadr[k - 1];
      from -= stride;
      n--;
      k--;
      for (int w = 0; w < words; w++) {
        next[w] = wide_sub(wide_load(from + 4 * w), wide_mul(wide_all(L[n]), known[w]));
        wide_store(from + 4 * w, next[w]);
      }
      if (n == 0) continue;
      dofs |= (uint64_t)1 << column[n - 1];
      if (lead > n) lead = n;
      for (; e < lead; e++, y += stride) hand_up_two(words, y, L[e], known, L_above[e], next);
      for (; e < n; e++) {
        hand_up_two(words, x + column[e] * stride, L[e], known, L_above[e], next);
      }
      continue;
    }
    for (; e < lead; e++, y += stride) hand_up(words, y, L[e], known);
    for (; e < n; e++) hand_up(words, x + column[e] * stride, L[e], known);
  }
}

// x = L^-1 D^-1 x for `words` words. Inlined with `words` known.

// sum -= l y
LANE_INLINE void take_down(int words, Wide sum[4], mjtNum l, const mjtNum* y) {
  Wide all = wide_all(l);
  for (int w = 0; w < words; w++) sum[w] = wide_sub(sum[w], wide_mul(all, wide_load(y + 4 * w)));
}

// The same for a dof and its child.
LANE_INLINE void take_down_two(int words, Wide sum[4], mjtNum l, Wide below[4], mjtNum l_below,
                               const mjtNum* y) {
  Wide all = wide_all(l), all_below = wide_all(l_below);
  for (int w = 0; w < words; w++) {
    Wide known = wide_load(y + 4 * w);
    sum[w] = wide_sub(sum[w], wide_mul(all, known));
    below[w] = wide_sub(below[w], wide_mul(all_below, known));
  }
}

LANE_FN static inline void go_down(int words, const ct_Problem* p, Leads leads, mjtNum* x,
                                   int stride) {
  const int *rowadr = p->M_rowadr, *rownnz = p->M_rownnz, *colind = p->M_colind;
  const mjtNum *LD = p->LD, *invD = p->invD;
  int last = p->n - 1;
  for (int k = 0; k <= last; k++) {
    int start = rowadr[k], n = rownnz[k] - 1, lead = leading(leads, k), e = 0;
    const int* column = colind + start;
    const mjtNum *L = LD + start, *y = x + column[0] * stride;
    mjtNum* to = x + k * stride;
    Wide sum[4], below[4], inverse = wide_all(invD[k]);
    for (int w = 0; w < words; w++) sum[w] = wide_mul(wide_load(to + 4 * w), inverse);

    // a dof and its only child so far
    bool pair = k < last && rownnz[k + 1] == n + 2 && column[n + 1 + n] == k;
    if (pair) {
      const mjtNum* L_below = L + n + 1;
      Wide inverse_below = wide_all(invD[k + 1]);
      for (int w = 0; w < words; w++) {
        below[w] = wide_mul(wide_load(to + stride + 4 * w), inverse_below);
      }
      for (; e < lead; e++, y += stride) take_down_two(words, sum, L[e], below, L_below[e], y);
      for (; e < n; e++) {
        take_down_two(words, sum, L[e], below, L_below[e], x + column[e] * stride);
      }
      Wide l_below = wide_all(L_below[n]);
      for (int w = 0; w < words; w++) {
        wide_store(to + 4 * w, sum[w]);
        wide_store(to + stride + 4 * w, wide_sub(below[w], wide_mul(l_below, sum[w])));
      }
      k++;
      continue;
    }
    for (; e < lead; e++, y += stride) take_down(words, sum, L[e], y);
    for (; e < n; e++) take_down(words, sum, L[e], x + column[e] * stride);
    for (int w = 0; w < words; w++) wide_store(to + 4 * w, sum[w]);
  }
}

LANE_FN static void go_both_ways(const ct_Problem* p, Leads leads, mjtNum* x, int stride,
                                 uint64_t dofs) {
  switch (stride / 4) {
    case 1:
      go_up(1, p, leads, x, stride, dofs);
      go_down(1, p, leads, x, stride);
      break;
    case 2:
      go_up(2, p, leads, x, stride, dofs);
      go_down(2, p, leads, x, stride);
      break;
    case 3:
      go_up(3, p, leads, x, stride, dofs);
      go_down(3, p, leads, x, stride);
      break;
    default:
      go_up(4, p, leads, x, stride, dofs);
      go_down(4, p, leads, x, stride);
      break;
  }
}

// Rows i to i + 3 of A, which have to do with these dofs, in the columns from j on, `words` words,
// of which the last may be on the diagonal: sums over dofs stay in registers.
LANE_FN static inline void project_four_rows(int words, const ct_Problem* p, const ct_RowNewton* k,
                                             int i, int j, uint64_t dofs) {
  Wide sum[4][3];
  int columns = p->stride, stride = k->stride;
  const mjtNum *J = k->J + i * columns, *Xt = k->Xt + j;
  mjtNum* A = k->A + i * stride + j;
  for (int q = 0; q < 4; q++) {
    for (int w = 0; w < words; w++) sum[q][w] = wide_all(0);
  }
  for (; dofs; dofs &= dofs - 1) {
    int c = __builtin_ctzll(dofs);
    Wide x[3];
    for (int w = 0; w < words; w++) x[w] = wide_load(Xt + c * stride + 4 * w);
    for (int q = 0; q < 4; q++) {
      Wide entry = wide_all(J[q * columns + c]);
      for (int w = 0; w < words; w++) sum[q][w] = wide_add(sum[q][w], wide_mul(x[w], entry));
    }
  }
  if (j + 4 * words > i) {
    const WideMask only[4] = {{-1, 0, 0, 0}, {0, -1, 0, 0}, {0, 0, -1, 0}, {0, 0, 0, -1}};
    WideMask R = (WideMask)wide_load(k->R + i);
    for (int q = 0; q < 4; q++) {
      sum[q][words - 1] = wide_add(sum[q][words - 1], (Wide)(only[q] & R));
    }
  }
  for (int q = 0; q < 4; q++) {
    for (int w = 0; w < words; w++) wide_store(A + q * stride + 4 * w, sum[q][w]);
  }
}

// Those rows up to the diagonal. Nobody asks for what is above it.
LANE_FN static void project_up_to_diagonal(const ct_Problem* p, const ct_RowNewton* k, int i,
                                           uint64_t dofs) {
  int j = 0;
  for (; j + 8 <= i; j += 12) project_four_rows(3, p, k, i, j, dofs);
  if (j + 4 == i) project_four_rows(2, p, k, i, j, dofs);
  if (j == i) project_four_rows(1, p, k, i, j, dofs);
}

// X from its transpose.
LANE_FN static void turn_over(mjtNum* X, const mjtNum* Xt, int rows, int columns) {
  for (int i = 0; i < rows; i += 4, X += 4 * columns) {
    const mjtNum* from = Xt + i;
    for (int j = 0; j < columns; j += 4, from += 4 * rows) {
      Wide x[4];
      for (int q = 0; q < 4; q++) x[q] = wide_load(from + q * rows);
      wide_transpose(x);
      for (int q = 0; q < 4; q++) wide_store(X + q * columns + j, x[q]);
    }
  }
}

// X, its transpose and A, by one lane.
LANE_FN static void project_rows_alone(const mjData* d, const ct_Problem* p, ct_RowNewton* k) {
  uint64_t dofs[CT_MOST_ROWS / 4], some = 0;
  int stride = k->stride;
  Leads leads = leads_of(d, p);
  if (ct_problem_is_sparse(p)) spread_rows(p, k);
  for (int i = 0; i < stride; i += 4) {
    dofs[i / 4] = bring_four_rows(p, k, i);
    some |= dofs[i / 4];
  }
  go_both_ways(p, leads, k->Xt, stride, some);
  for (int i = 0; i < stride; i += 4) project_up_to_diagonal(p, k, i, dofs[i / 4]);
  turn_over(k->X, k->Xt, stride, p->stride);
}

#endif

// x = L^-T x, then L^-1 D^-1 x, for all rows by several lanes, which share what a dof hands to its
// ancestors. As on one lane, a dof that follows its parent goes together with it.
LANE_FN static void go_up_lanes(Lane g, const ct_Problem* p, mjtNum* x, int stride) {
  ct_RowLane own = ct_lane_of_row(g, stride);
  LANE_ROLLED for (int k = p->n - 1; k > 0; k--) {
    int start = p->M_rowadr[k], n = p->M_rownnz[k] - 1;
    bool pair = n > 0 && p->M_colind[start + n - 1] == k - 1;
    int above = pair ? n - 1 : n, start_above = pair ? p->M_rowadr[k - 1] : start;
    mjtNum last = pair ? p->LD[start + n - 1] : 0;
    LANE_ROLLED for (int i = own.row; i < stride; i += lane_count(g)) {
      mjtNum known = x[k * stride + i], next = x[(k - 1) * stride + i] - last * known;
      for (int c = own.first; c < above; c += own.step) {
        mjtNum* y = x + p->M_colind[start + c] * stride + i;
        mjtNum once = *y - p->LD[start + c] * known;
        *y = pair ? once - p->LD[start_above + c] * next : once;
      }
    }
    if (pair) {
      lane_sync(g);
      LANE_FOR(i, g, stride) {
        x[(k - 1) * stride + i] -= last * x[k * stride + i];
      }
      k--;
    }
    lane_sync(g);
  }
}

// A lane owns a row.
LANE_FN static void go_down_lanes(Lane g, const ct_Problem* p, mjtNum* x, int stride) {
  LANE_FOR(i, g, stride) {
    LANE_ROLLED for (int k = 0; k < p->n; k++) {
      int start = p->M_rowadr[k], n = p->M_rownnz[k] - 1, start_below = start + n + 1;
      bool pair = k + 1 < p->n && p->M_rownnz[k + 1] == n + 2 && p->M_colind[start_below + n] == k;
      mjtNum sum = x[k * stride + i] * p->invD[k];
      mjtNum below = pair ? x[(k + 1) * stride + i] * p->invD[k + 1] : 0;
      if (!pair) start_below = start;
      for (int e = 0; e < n; e++) {
        mjtNum known = x[p->M_colind[start + e] * stride + i];
        sum -= p->LD[start + e] * known;
        below -= p->LD[start_below + e] * known;
      }
      x[k * stride + i] = sum;
      if (pair) x[++k * stride + i] = below - p->LD[start_below + n] * sum;
    }
  }
  lane_sync(g);
}

// A below the diagonal once more above it.
LANE_FN static void project_rows_lanes(Lane g, const ct_Problem* p, ct_RowNewton* k) {
  int n = p->n, stride = k->stride, nefc = p->rows.nefc;
  ct_RowLane own = ct_lane_of_row(g, stride);
  go_up_lanes(g, p, k->Xt, stride);
  go_down_lanes(g, p, k->Xt, stride);
  LANE_ROLLED for (int i = own.first; i < nefc; i += own.step) {
    LANE_ROLLED for (int c = own.row; c <= i; c += lane_count(g)) {
      mjtNum sum = 0;
      for (int j = 0; j < n; j++) sum += k->Xt[j * stride + c] * k->J[i * p->stride + j];
      if (c == i) sum += p->rows.R[i];
      k->A[i * stride + c] = k->A[c * stride + i] = sum;
    }
  }
  lane_sync(g);
}

// Rows of J by several lanes, and their transpose.
LANE_FN static void spread_rows_lanes(Lane g, const ct_Problem* p, ct_RowNewton* k) {
  int stride = k->stride, nefc = p->rows.nefc;
  if (ct_problem_is_sparse(p)) {
    lane_set_zero(g, k->J, stride * p->stride);
    lane_set_zero(g, k->Xt, stride * p->n);
    lane_sync(g);
    LANE_ROLLED for (int i = 0; i < nefc; i++) {
      int start = p->J_rowadr[i];
      LANE_FOR(e, g, p->J_rownnz[i]) {
        int j = p->J_colind[start + e];
        k->J[i * p->stride + j] = k->Xt[j * stride + i] = p->J[start + e];
      }
    }
  } else {
    LANE_ROLLED for (int i = 0; i < stride; i++) {
      LANE_FOR(j, g, p->stride) {
        mjtNum entry = i < nefc && j < p->n ? p->J[i * p->n + j] : 0;
        k->J[i * p->stride + j] = entry;
        if (j < p->n) k->Xt[j * stride + i] = entry;
      }
    }
  }
  lane_sync(g);
}

// A kernel with memory set apart for small problems has not used it yet.
LANE_FN static mjtNum* take_numbers(Lane g, mjData* d, ct_Problem* p, int n) {
#ifdef CT_NEAR
  if (p->near + n <= ct_near_numbers(p->n)) return ct_problem_scratch(g, d, p, n);
#else
  (void)p;
#endif
  return lane_scratch_num(g, d, n);
}

enum { VECTORS_OF_ROWS = 10, MORE_VECTORS_ALONE = 3, VECTORS_OF_DOFS = 4 };

// Vectors come first: they are what most is done with. One lane asks once.
LANE_FN static bool take_room(Lane g, mjData* d, ct_Problem* p, ct_RowNewton* k) {
  bool alone = ct_has_words(g);
  int nefc = p->rows.nefc, stride = ct_pad4(nefc), size = stride * p->stride;
  int square = stride * stride, most = alone && size < square ? square : size;
  int vectors =
      (VECTORS_OF_ROWS + (alone ? MORE_VECTORS_ALONE : 0)) * stride + VECTORS_OF_DOFS * p->stride;
  int matrices = size + most + square + (alone ? size : square), lists = 2 * stride;
  mjtNum *x, *J;
  if (alone) {
    x = lane_scratch_num(g, d, vectors + matrices + lists);
    if (!x) return false;
    J = x + vectors;
    k->listed = (int*)(J + matrices);
  } else {
    x = take_numbers(g, d, p, vectors);
    J = take_numbers(g, d, p, matrices);
    k->listed = lane_scratch_int(g, d, lists);
    if (!x || !J || !k->listed) return false;
  }
  k->old_state = k->listed + stride;
  mjtNum** of_rows[VECTORS_OF_ROWS] = {&k->invD,  &k->b, &k->from_start, &k->force, &k->change,
                                       &k->shift, &k->r, &k->change_r,   &k->gone,  &k->excess};
  mjtNum** of_dofs[VECTORS_OF_DOFS] = {&k->a, &k->v, &k->away, &k->pull};
  for (int i = 0; i < VECTORS_OF_ROWS; i++, x += stride) *of_rows[i] = x;
  for (int i = 0; i < VECTORS_OF_DOFS; i++, x += p->stride) *of_dofs[i] = x;
  k->D = x;
  k->R = k->D + stride;
  k->f = k->R + stride;
  k->stride = stride;
  k->J = J;
  k->Xt = k->J + size;
  k->A = k->Xt + most;
  x = k->A + square;
  k->X = alone ? x : NULL;
  k->K = alone ? k->Xt : x;  // one lane has no more use for the transpose
  return true;
}

#ifndef __CUDACC__

// The word from x[i] on of an array of n numbers, zeros behind its end.
LANE_INLINE Wide word_at(const mjtNum* x, int i, int n) {
  return i + 4 <= n ? wide_load(x + i) : first_numbers(x + i, n - i);
}

// Vectors of rows, and what rows are read and written by: loops over them need no ends.
LANE_FN static void start_rows_alone(ct_Problem* p, ct_RowNewton* k, const mjtNum* r,
                                     const mjtNum* r_smooth) {
  Wide zero = wide_all(0);
  int n = p->rows.nefc;
  k->sided = p->rows.ne + p->rows.nf == 0;
  for (int i = 0; i < k->stride; i += 4) {
    Wide now = word_at(r, i, n), from_start = wide_sub(now, word_at(r_smooth, i, n));
    wide_store(k->r + i, now);
    wide_store(k->from_start + i, from_start);
    wide_store(k->gone + i, from_start);
    wide_store(k->force + i, zero);
    wide_store(k->f + i, zero);
    wide_store(k->D + i, word_at(p->rows.D, i, n));
    wide_store(k->R + i, word_at(p->rows.R, i, n));
  }
  p->rows.D = k->D;
  p->rows.R = k->R;
  p->rows.force = k->f;
}

LANE_FN static void start_dofs_alone(const ct_Problem* p, ct_RowNewton* k, const mjtNum* Ma) {
  int n = p->n;
  for (int j = 0; j < p->stride; j += 4) {
    Wide a = word_at(p->acc, j, n);
    wide_store(k->a + j, a);
    wide_store(k->away + j, wide_sub(a, word_at(p->acc_smooth, j, n)));
    wide_store(k->pull + j, wide_sub(word_at(Ma, j, n), word_at(p->frc_smooth, j, n)));
  }
}

#endif

// Vectors at the start, pads zero.
LANE_FN static void start_vectors(Lane g, const ct_Problem* p, ct_RowNewton* k, const mjtNum* r,
                                  const mjtNum* r_smooth, const mjtNum* Ma) {
  LANE_FOR(i, g, k->stride) {
    bool row = i < p->rows.nefc;
    k->r[i] = row ? r[i] : 0;
    k->from_start[i] = k->gone[i] = row ? r[i] - r_smooth[i] : 0;
    k->force[i] = k->change_r[i] = 0;
  }
  LANE_FOR(j, g, p->stride) {
    bool dof = j < p->n;
    k->a[j] = dof ? p->acc[j] : 0;
    k->away[j] = dof ? p->acc[j] - p->acc_smooth[j] : 0;
    k->pull[j] = dof ? Ma[j] - p->frc_smooth[j] : 0;
  }
  k->sided = false;
}

LANE_FN bool ct_open_row_newton(Lane g, mjData* d, ct_Problem* p, ct_RowNewton* k, const mjtNum* r,
                                const mjtNum* r_smooth, const mjtNum* Ma) {
  if (!take_room(g, d, p, k)) return false;
  k->left = 1;
  k->quadratic = k->before = 0;
#ifndef __CUDACC__
  if (ct_has_words(g)) {
    start_rows_alone(p, k, r, r_smooth);
    start_dofs_alone(p, k, Ma);
    k->energy = lane_dot(g, k->pull, k->away, p->stride);
    project_rows_alone(d, p, k);
    return true;
  }
#endif
  start_vectors(g, p, k, r, r_smooth, Ma);
  lane_sync(g);
  k->energy = lane_dot(g, k->pull, k->away, p->stride);
  spread_rows_lanes(g, p, k);
  project_rows_lanes(g, p, k);
  return true;
}
