// Newton's direction found in the space of rows.
//
// Where the cost of every row is linear or quadratic, Newton's step leads to the minimum of the
// pieces at hand: to a* with
//
//   M (a* - a_s) = J' f*,   f* = -D (J a* - aref)  for rows that are quadratic now,
//                           f* = f                 for the others
//
// From the start a_0 on, all points of the descent have M (a - a_s) = J' l + c M (a_0 - a_s), where
// l are forces, none at first, and c, one at first, is what is left of the start. With
// A = J M^-1 J', R = 1 / D and r = J a - aref the change m = f* - l of the forces of the quadratic
// rows q comes from a small problem, symmetric and positive definite,
//
//   (R + A)_qq m_q = -(r + R l)_q - A_qo m_o + c (J (a_0 - a_s))_q,   o: the others, m_o = f_o -
//   l_o
//
// and what a search needs follows from it:
//
//   M v = J' m - c M (a_0 - a_s),   v = M^-1 J' m - c (a_0 - a_s),   J v = A m - c J (a_0 - a_s)
//
// So an iteration needs neither a Hessian of all dofs nor products with M and J, only combinations
// of rows of J, of X = J M^-1 and of A, which are made once. Rows that are few beside dofs, as
// those of a humanoid on its feet, make that several times as fast.
//
//   in    r_smooth, start, J, factor of M      once
//         r, states and forces of rows         in every iteration
//   out   v, M v, J v
//
// Close to the solution v is the small difference of large vectors, and what it is does not matter
// as much as that M v and J v belong to it: a search along three vectors that have nothing to do
// with each other goes anywhere. So J v is a product, not the same sum of rows of A (which is off
// by a rounding error of J (a_0 - a_s), seen with a good warm start), and forces are those that
// change, not all (the same with newton_cradle.xml, without end).
//
// X is made for four rows at a time: M^-1 = L^-1 D^-1 L^-T goes up and down the tree with the
// numbers of a dof for these rows side by side, a word. Up, rows have to do with the dofs of their
// bodies and those above alone.

#include "engine/solver/row_newton.h"

#include "base/memory/scratch.h"
#include "engine/solver/hessian.h"
#include "math/lane_vec.h"

// Opening

#ifndef __CUDACC__

// Rows of J, padded.
LANE_FN static void spread_rows(const ct_Problem* p, ct_RowNewton* k) {
  int n = p->n, nefc = p->rows.nefc;
  ct_zero(k->J + nefc * p->stride, (k->stride - nefc) * p->stride);
  for (int i = 0; i < nefc; i++) {
    mjtNum* to = k->J + i * p->stride;
    if (ct_problem_is_sparse(p)) {
      int start = p->J_rowadr[i];
      ct_zero(to, p->stride);
      for (int e = start; e < start + p->J_rownnz[i]; e++) to[p->J_colind[e]] = p->J[e];
    } else {
      const mjtNum* from = p->J + i * n;
      int j = 0;
      for (; j + 4 <= n; j += 4) wide_store(to + j, wide_load(from + j));
      if (j < n) wide_store(to + j, ct_last_word_(from + j, n - j));
    }
  }
}

// Rows i to i + 3 of J as words of Xt. Returns the dofs that they have to do with.
LANE_FN static uint64_t transpose_four_rows(const ct_Problem* p, const ct_RowNewton* k, int i) {
  uint64_t dofs = 0;
  for (int j = 0; j < p->stride; j += 4) {
    Wide x[4], zero = wide_all(0);
    for (int q = 0; q < 4; q++) x[q] = wide_load(k->J + (i + q) * p->stride + j);
    WideMask any = (WideMask)(x[0] != zero) | (WideMask)(x[1] != zero) | (WideMask)(x[2] != zero) |
                   (WideMask)(x[3] != zero);
    dofs |= (uint64_t)wide_bits(any) << j;
    wide_transpose(x);
    for (int q = 0; q < 4; q++) wide_store(k->Xt + (j + q) * k->stride + i, x[q]);
  }
  return dofs;
}

// x = L^-T x for a word of four rows, x[j * stride] of dof j: what rows have to do with is handed
// from dofs to their ancestors. Two dofs that follow each other in a chain go together.
LANE_FN static void go_up(const ct_Problem* p, mjtNum* x, int stride, uint64_t dofs) {
  while (dofs) {
    int k = 63 - __builtin_clzll(dofs), start = p->M_rowadr[k], n = p->M_rownnz[k] - 1;
    const int* column = p->M_colind + start;
    const mjtNum* L = p->LD + start;
    Wide known = wide_load(x + k * stride);
    dofs ^= (uint64_t)1 << k;
    if (n == 0) continue;
    int parent = column[n - 1], above = p->M_rownnz[parent] - 1;
    mjtNum* y = x + parent * stride;
    if (above != n - 1) {  // rows of an island may leave out dofs
      for (int e = 0; e < n; e++) {
        y = x + column[e] * stride;
        wide_store(y, wide_sub(wide_load(y), wide_mul(wide_all(L[e]), known)));
        dofs |= (uint64_t)1 << column[e];
      }
      continue;
    }
    const mjtNum* L_above = p->LD + p->M_rowadr[parent];
    Wide next = wide_sub(wide_load(y), wide_mul(wide_all(L[n - 1]), known));
    wide_store(y, next);
    if (parent < k - 1 && (dofs >> parent) > 1) {  // another child is to come first
      for (int e = 0; e < n - 1; e++) {
        y = x + column[e] * stride;
        wide_store(y, wide_sub(wide_load(y), wide_mul(wide_all(L[e]), known)));
      }
      dofs |= (uint64_t)1 << parent;
      continue;
    }
    for (int e = 0; e < above; e++) {
      y = x + column[e] * stride;
      Wide once = wide_sub(wide_load(y), wide_mul(wide_all(L[e]), known));
      wide_store(y, wide_sub(once, wide_mul(wide_all(L_above[e]), next)));
    }
    dofs &= ~((uint64_t)1 << parent);
    if (above) dofs |= (uint64_t)1 << column[above - 1];
  }
}

// x = L^-1 D^-1 x for `words` words. Inlined with `words` known.
LANE_FN static inline void go_down(int words, const ct_Problem* p, mjtNum* x, int stride) {
  for (int k = 0; k < p->n; k++) {
    int start = p->M_rowadr[k], n = p->M_rownnz[k] - 1;
    const int* column = p->M_colind + start;
    const mjtNum* L = p->LD + start;
    Wide sum[4], below[4], inverse = wide_all(p->invD[k]);
    for (int w = 0; w < words; w++) {
      sum[w] = wide_mul(wide_load(x + k * stride + 4 * w), inverse);
    }

    // a dof and its only child so far
    bool pair = k + 1 < p->n && p->M_rownnz[k + 1] == n + 2 && column[n + 1 + n] == k;
    if (pair) {
      const mjtNum* L_below = L + n + 1;
      Wide inverse_below = wide_all(p->invD[k + 1]);
      for (int w = 0; w < words; w++) {
        below[w] = wide_mul(wide_load(x + (k + 1) * stride + 4 * w), inverse_below);
      }
      for (int e = 0; e < n; e++) {
        const mjtNum* y = x + column[e] * stride;
        Wide l = wide_all(L[e]), l_below = wide_all(L_below[e]);
        for (int w = 0; w < words; w++) {
          Wide known = wide_load(y + 4 * w);
          sum[w] = wide_sub(sum[w], wide_mul(l, known));
          below[w] = wide_sub(below[w], wide_mul(l_below, known));
        }
      }
      Wide l_below = wide_all(L_below[n]);
      for (int w = 0; w < words; w++) {
        wide_store(x + k * stride + 4 * w, sum[w]);
        wide_store(x + (k + 1) * stride + 4 * w, wide_sub(below[w], wide_mul(l_below, sum[w])));
      }
      k++;
      continue;
    }
    for (int e = 0; e < n; e++) {
      const mjtNum* y = x + column[e] * stride;
      Wide l = wide_all(L[e]);
      for (int w = 0; w < words; w++) {
        sum[w] = wide_sub(sum[w], wide_mul(l, wide_load(y + 4 * w)));
      }
    }
    for (int w = 0; w < words; w++) wide_store(x + k * stride + 4 * w, sum[w]);
  }
}

LANE_FN static void go_down_all(const ct_Problem* p, mjtNum* x, int stride) {
  for (int i = 0; i < stride; i += 16) {
    int words = (stride - i) / 4;
    switch (words < 4 ? words : 4) {
      case 1:
        go_down(1, p, x + i, stride);
        break;
      case 2:
        go_down(2, p, x + i, stride);
        break;
      case 3:
        go_down(3, p, x + i, stride);
        break;
      default:
        go_down(4, p, x + i, stride);
        break;
    }
  }
}

// Rows i to i + 3 of A, which have to do with these dofs, in the columns from j on, `words` words:
// sums over dofs stay in registers.
LANE_FN static inline void project_four_rows(int words, const ct_Problem* p, const ct_RowNewton* k,
                                             int i, int j, uint64_t dofs) {
  Wide sum[4][3];
  const mjtNum* J = k->J + i * p->stride;
  for (int q = 0; q < 4; q++) {
    for (int w = 0; w < words; w++) sum[q][w] = wide_all(0);
  }
  for (; dofs; dofs &= dofs - 1) {
    int c = __builtin_ctzll(dofs);
    Wide x[3];
    for (int w = 0; w < words; w++) x[w] = wide_load(k->Xt + c * k->stride + j + 4 * w);
    for (int q = 0; q < 4; q++) {
      Wide entry = wide_all(J[q * p->stride + c]);
      for (int w = 0; w < words; w++) sum[q][w] = wide_add(sum[q][w], wide_mul(x[w], entry));
    }
  }
  for (int q = 0; q < 4; q++) {
    for (int w = 0; w < words; w++) wide_store(k->A + (i + q) * k->stride + j + 4 * w, sum[q][w]);
  }
}

// Those rows up to the diagonal, and what is left of it once more above it.
LANE_FN static void project_up_to_diagonal(const ct_Problem* p, const ct_RowNewton* k, int i,
                                           uint64_t dofs) {
  int j = 0;
  for (; j + 8 <= i; j += 12) project_four_rows(3, p, k, i, j, dofs);
  if (j + 4 == i) project_four_rows(2, p, k, i, j, dofs);
  if (j == i) project_four_rows(1, p, k, i, j, dofs);
  for (j = 0; j <= i; j += 4) {
    const WideMask below[4] = {{-1, 0, 0, 0}, {-1, -1, 0, 0}, {-1, -1, -1, 0}, {-1, -1, -1, -1}};
    Wide x[4], y[4];
    for (int q = 0; q < 4; q++) x[q] = y[q] = wide_load(k->A + (i + q) * k->stride + j);
    wide_transpose(y);
    for (int q = 0; q < 4; q++) {
      if (j == i) y[q] = wide_choose(below[q], x[q], ~below[q], y[q]);
      wide_store(k->A + (j + q) * k->stride + i, y[q]);
    }
  }
}

// X, its transpose and A, by one lane.
LANE_FN static void project_rows_alone(const ct_Problem* p, ct_RowNewton* k) {
  uint64_t dofs[CT_MOST_ROWS / 4];
  int stride = k->stride;
  for (int i = 0; i < stride; i += 4) {
    dofs[i / 4] = transpose_four_rows(p, k, i);
    go_up(p, k->Xt + i, stride, dofs[i / 4]);
  }
  go_down_all(p, k->Xt, stride);
  for (int i = 0; i < stride; i += 4) project_up_to_diagonal(p, k, i, dofs[i / 4]);
  for (int j = 0; j < p->stride; j += 4) {
    for (int i = 0; i < stride; i += 4) {
      Wide x[4];
      for (int q = 0; q < 4; q++) x[q] = wide_load(k->Xt + (j + q) * stride + i);
      wide_transpose(x);
      for (int q = 0; q < 4; q++) wide_store(k->X + (i + q) * p->stride + j, x[q]);
    }
  }
}

#endif

// Several lanes: a lane has a row, and as many dofs or rows at a time as there are lanes for.
typedef struct {
  int row, first, step;
} RowLane;

LANE_PRIMITIVE_ RowLane lane_of_row(Lane g, int stride) {
  int width = 4;
  while (width < stride && width < lane_count(g)) width *= 2;
  RowLane own = {lane_rank(g) % width, lane_rank(g) / width, lane_count(g) / width};
  if (width > lane_count(g)) {  // two lanes
    RowLane each = {lane_rank(g), 0, 1};
    return each;
  }
  return own;
}

// x = L^-T x, then L^-1 D^-1 x, for all rows by several lanes, which share what a dof hands to its
// ancestors. As on one lane, a dof that follows its parent goes together with it.
LANE_FN static void go_up_lanes(Lane g, const ct_Problem* p, mjtNum* x, int stride) {
  RowLane own = lane_of_row(g, stride);
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
  RowLane own = lane_of_row(g, stride);
  go_up_lanes(g, p, k->Xt, stride);
  go_down_lanes(g, p, k->Xt, stride);
  LANE_ROLLED for (int i = own.first; i < nefc; i += own.step) {
    LANE_ROLLED for (int c = own.row; c <= i; c += lane_count(g)) {
      mjtNum sum = 0;
      for (int j = 0; j < n; j++) sum += k->Xt[j * stride + c] * k->J[i * p->stride + j];
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
  int own = CT_DESCENT_VECTORS * p->stride;
  if (p->near + n + own <= ct_near_numbers(p->n)) return ct_problem_scratch(g, d, p, n);
#else
  (void)p;
#endif
  return lane_scratch_num(g, d, n);
}

LANE_FN static bool take_room(Lane g, mjData* d, ct_Problem* p, ct_RowNewton* k) {
  bool alone = lane_count(g) == 1;
  int nefc = p->rows.nefc, stride = ct_pad4(nefc), size = stride * p->stride;
  int square = stride * stride, most = alone && size < square ? square : size;
  mjtNum* x = take_numbers(g, d, p, size + most + square + (alone ? size : square) + 6 * stride);
  k->listed = lane_scratch_int(g, d, nefc + 1);  // one lane writes before it counts
  if (!x || !k->listed) return false;
  k->stride = stride;
  k->J = x;
  k->Xt = k->J + size;
  k->A = k->Xt + most;
  k->invD = k->A + square;
  k->b = k->invD + stride;
  k->from_start = k->b + stride;
  k->force = k->from_start + stride;
  k->change = k->force + stride;
  k->shift = k->change + stride;
  x = k->shift + stride;
  k->X = alone ? x : NULL;
  k->K = alone ? k->Xt : x;  // one lane has no more use for the transpose
  return true;
}

LANE_FN bool ct_open_row_newton(Lane g, mjData* d, ct_Problem* p, ct_RowNewton* k, const mjtNum* r,
                                const mjtNum* r_smooth) {
  if (!take_room(g, d, p, k)) return false;
  LANE_FOR(i, g, k->stride) {
    k->from_start[i] = i < p->rows.nefc ? r[i] - r_smooth[i] : 0;
    k->force[i] = k->change[i] = 0;
  }
  k->left = 1;
#ifndef __CUDACC__
  if (lane_count(g) == 1) {
    spread_rows(p, k);
    project_rows_alone(p, k);
    return true;
  }
#endif
  spread_rows_lanes(g, p, k);
  project_rows_lanes(g, p, k);
  return true;
}

// Lists of rows

// Those that are quadratic, then others whose force is to change.
LANE_FN static void list_rows(Lane g, const ct_Problem* p, ct_RowNewton* k) {
  const int* state = p->rows.state;
  const mjtNum* force = p->rows.force;
  int nefc = p->rows.nefc, count = 0;
  for (int kind = 0; kind < 2; kind++) {
    if (lane_count(g) == 1) {
      for (int i = 0; i < nefc; i++) {
        bool quadratic = ct_is_quadratic(state[i]);
        k->listed[count] = i;
        count += kind == 0 ? quadratic : !quadratic && force[i] != k->force[i];
      }
    } else {
      LANE_ROLLED for (int base = 0; base < nefc; base += lane_count(g)) {
        int i = base + lane_rank(g), all;
        bool quadratic = i < nefc && ct_is_quadratic(state[i]);
        bool other = i < nefc && !quadratic && force[i] != k->force[i];
        int at = count + lane_yes_before(g, kind == 0 ? quadratic : other, &all);
        if (kind == 0 ? quadratic : other) k->listed[at] = i;
        count += all;
      }
    }
    if (kind == 0) k->nquadratic = count;
  }
  k->nlisted = count;
  lane_sync(g);
}

// res (columns) = the sum of factor_i row_i over the rows from `first` on in the list.
LANE_FN static void add_listed(Lane g, const ct_RowNewton* k, mjtNum* res, const mjtNum* rows,
                               const mjtNum* factor, int columns, int first) {
#ifndef __CUDACC__
  if (lane_count(g) == 1) {
    int j = 0;
    for (; j + 8 < columns; j += 12) {
      Wide s0 = wide_all(0), s1 = s0, s2 = s0;
      for (int a = first; a < k->nlisted; a++) {
        const mjtNum* row = rows + k->listed[a] * columns + j;
        Wide f = wide_all(factor[k->listed[a]]);
        s0 = wide_add(s0, wide_mul(wide_load(row), f));
        s1 = wide_add(s1, wide_mul(wide_load(row + 4), f));
        s2 = wide_add(s2, wide_mul(wide_load(row + 8), f));
      }
      wide_store(res + j, s0);
      wide_store(res + j + 4, s1);
      wide_store(res + j + 8, s2);
    }
    for (; j < columns; j += 4) {
      Wide s = wide_all(0);
      for (int a = first; a < k->nlisted; a++) {
        const mjtNum* row = rows + k->listed[a] * columns + j;
        s = wide_add(s, wide_mul(wide_load(row), wide_all(factor[k->listed[a]])));
      }
      wide_store(res + j, s);
    }
    return;
  }
#endif
  LANE_FOR(j, g, columns) {
    mjtNum sum = 0;
    for (int a = first; a < k->nlisted; a++) {
      sum += rows[k->listed[a] * columns + j] * factor[k->listed[a]];
    }
    res[j] = sum;
  }
}

LANE_FN void ct_row_push(Lane g, const ct_Problem* p, const ct_RowNewton* k, mjtNum* res) {
  ct_problem_add_rows(g, res, k->J, p->rows.force, p->rows.nefc, p->stride);
  lane_sync(g);
}

// Forces

// K (lower triangle, pads zero) and b of the quadratic rows; m of the others.
LANE_FN static void gather_quadratic(Lane g, const ct_Problem* p, ct_RowNewton* k,
                                     const mjtNum* r) {
  int stride = k->stride, count = k->nquadratic;
  bool others = k->nlisted > count;
  if (others) {
    LANE_FOR(a, g, k->nlisted - count) {
      int i = k->listed[count + a];
      k->change[i] = p->rows.force[i] - k->force[i];
    }
    lane_sync(g);
    add_listed(g, k, k->shift, k->A, k->change, stride, count);
    lane_sync(g);
  }
  LANE_FOR(a, g, count) {
    int i = k->listed[a];
    mjtNum b = k->left * k->from_start[i] - (r[i] + p->rows.R[i] * k->force[i]);
    k->b[a] = others ? b - k->shift[i] : b;
  }
  if (lane_count(g) > 1) {
    RowLane own = lane_of_row(g, stride);
    LANE_ROLLED for (int a = own.first; a < count; a += own.step) {
      int i = k->listed[a];
      LANE_ROLLED for (int c = own.row; c < count; c += lane_count(g)) {
        mjtNum entry = k->A[i * stride + k->listed[c]];
        k->K[a * stride + c] = c == a ? entry + p->rows.R[i] : entry;
      }
    }
    lane_sync(g);
    return;
  }
  for (int a = 0; a < count; a++) {
    int i = k->listed[a], end = ct_pad4(a + 1);
    const mjtNum* from = k->A + i * stride;
    mjtNum* to = k->K + a * stride;
    for (int c = 0; c <= a; c++) to[c] = from[k->listed[c]];
    to[a] += p->rows.R[i];
    for (int c = a + 1; c < end; c++) to[c] = 0;
  }
}

// K = L'DL from the last row to the first, and b = L^-T b, by one lane.
LANE_FN static void factor_rows(Lane g, ct_RowNewton* k) {
  int stride = k->stride;
  mjtNum* b = k->b;
  for (int q = k->nquadratic - 1; q >= 0; q--) {
    mjtNum* row = k->K + q * stride;
    mjtNum pivot = row[q] < mjMINVAL ? mjMINVAL : row[q], inverse = 1 / pivot, known = b[q];
    k->invD[q] = inverse;
    for (int i = q - 1; i >= 0; i--) {
      mjtNum factor = row[i] * inverse, *to = k->K + i * stride;
      Wide f = wide_all(factor);
      LANE_WIDE(j, g, ct_pad4(i + 1)) {
        wide_store(to + j, wide_sub(wide_load(to + j), wide_mul(f, wide_load(row + j))));
      }
      b[i] -= factor * known;
      row[i] = factor;
    }
  }
}

// The same by several lanes, which own columns; b is one more. Entries above the diagonal are
// changed too, and mean nothing.
LANE_FN static void factor_rows_lanes(Lane g, ct_RowNewton* k) {
  int stride = k->stride;
  LANE_ROLLED for (int q = k->nquadratic - 1; q >= 0; q--) {
    mjtNum *row = k->K + q * stride, pivot = row[q] < mjMINVAL ? mjMINVAL : row[q];
    mjtNum inverse = 1 / pivot;
    LANE_ROLLED for (int j = lane_rank(g); j <= q; j += lane_count(g)) {
      mjtNum *column = j < q ? k->K + j : k->b, known = j < q ? row[j] : k->b[q];
      int step = j < q ? stride : 1, i = 0;
      LANE_ROLLED for (; i + 4 <= q; i += 4) {  // loads do not wait for stores
        mjtNum* x = column + i * step;
        mjtNum x0 = x[0], x1 = x[step], x2 = x[2 * step], x3 = x[3 * step];
        mjtNum f0 = row[i] * inverse, f1 = row[i + 1] * inverse;
        mjtNum f2 = row[i + 2] * inverse, f3 = row[i + 3] * inverse;
        x[0] = x0 - f0 * known;
        x[step] = x1 - f1 * known;
        x[2 * step] = x2 - f2 * known;
        x[3 * step] = x3 - f3 * known;
      }
      LANE_ROLLED for (; i < q; i++) column[i * step] -= row[i] * inverse * known;
    }
    lane_sync(g);
    LANE_FOR(j, g, q + 1) {
      if (j == q) {
        k->invD[q] = inverse;
      } else {
        row[j] *= inverse;
      }
    }
  }
  lane_sync(g);
}

// b = L^-1 D^-1 b
LANE_FN static void solve_rows_of_factor(Lane g, ct_RowNewton* k) {
  mjtNum* b = k->b;
  int count = k->nquadratic, own = lane_rank(g);
  if (lane_count(g) == 1) {
    for (int q = 0; q < count; q++) {
      const mjtNum* L = k->K + q * k->stride;
      mjtNum sum = b[q] * k->invD[q];
      for (int j = 0; j < q; j++) sum -= L[j] * b[j];
      b[q] = sum;
    }
    return;
  }
  if (count <= lane_count(g)) {  // each lane has a number
    bool mine = own < count;
    mjtNum x = mine ? b[own] * k->invD[own] : 0;
    LANE_ROLLED for (int j = 0; j < count; j++) {
      mjtNum known = lane_exchange_num(g, x, j);
      if (mine && own > j) x -= k->K[own * k->stride + j] * known;
    }
    if (mine) b[own] = x;
    lane_sync(g);
    return;
  }
  LANE_FOR(q, g, count) {
    b[q] *= k->invD[q];
  }
  LANE_ROLLED for (int j = 0; j < count; j++) {
    lane_sync(g);
    LANE_FOR(q, g, count) {
      if (q > j) b[q] -= k->K[q * k->stride + j] * b[j];
    }
  }
  lane_sync(g);
}

// Direction

// v = M^-1 J' m
LANE_FN static void respond(Lane g, const ct_Problem* p, const ct_RowNewton* k, mjtNum* v) {
  if (lane_count(g) == 1) {
    add_listed(g, k, v, k->X, k->change, p->stride, 0);
    return;
  }
  LANE_FOR(c, g, p->stride) {
    mjtNum sum = 0;
    for (int a = 0; a < k->nlisted && c < p->n; a++) {
      sum += k->Xt[c * k->stride + k->listed[a]] * k->change[k->listed[a]];
    }
    v[c] = sum;
  }
}

LANE_FN void ct_row_direction(Lane g, const ct_Problem* p, ct_RowNewton* k, const mjtNum* away,
                              const mjtNum* pull, const mjtNum* r, mjtNum* v, mjtNum* Mv,
                              mjtNum* Jv) {
  Wide left = wide_all(k->left);
  list_rows(g, p, k);
  gather_quadratic(g, p, k, r);
  if (lane_count(g) == 1) {
    factor_rows(g, k);
  } else {
    factor_rows_lanes(g, k);
  }
  solve_rows_of_factor(g, k);
  LANE_FOR(a, g, k->nquadratic) {
    k->change[k->listed[a]] = k->b[a];
  }
  lane_sync(g);
  add_listed(g, k, Mv, k->J, k->change, p->stride, 0);
  respond(g, p, k, v);
  lane_sync(g);
  LANE_WIDE(j, g, p->stride) {
    wide_store(v + j, wide_sub(wide_load(v + j), wide_mul(left, wide_load(away + j))));
    wide_store(Mv + j, wide_sub(wide_load(Mv + j), wide_mul(left, wide_load(pull + j))));
  }
  lane_sync(g);
  ct_problem_mul_rows(g, Jv, k->J, v, p->rows.nefc, p->stride);
  lane_sync(g);
}

LANE_FN void ct_row_move(Lane g, ct_RowNewton* k, mjtNum alpha) {
  LANE_FOR(a, g, k->nlisted) {
    k->force[k->listed[a]] += alpha * k->change[k->listed[a]];
  }
  k->left *= 1 - alpha;
  lane_sync(g);
}
