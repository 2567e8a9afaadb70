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
// and the direction follows from it:
//
//   v = M^-1 J' m - c (a_0 - a_s),   M v = J' m - c M (a_0 - a_s)
//
// The rest of an iteration is about rows too. With y = J (a - a_s), e = J (a_0 - a_s), w = J v and
// p = M (a_0 - a_s)
//
//   Gauss cost             (l'(y + c e) + c^2 p'(a_0 - a_s)) / 2
//   its slope along v      l'w + c p'v
//   its curvature          m'w - c p'v
//   gradient               J'(l - f) + c p
//
// So an iteration needs neither a Hessian of all dofs nor products with M, only three combinations
// of rows of J, of X = J M^-1 and of A, which are made once. Rows that are few beside dofs, as
// those of a humanoid on its feet, make that several times as fast.
//
//   in    start, r and r_smooth, J, factor of M      once
//         states and forces of rows                  in every iteration
//   out   a, J' f                                    at the end
//
// Close to the solution v is the small difference of large vectors, and what it is does not matter
// as much as that w and m belong to it: a search along three vectors that have nothing to do with
// each other goes anywhere. So w is a product, not the same sum of rows of A (which is off by a
// rounding error of J (a_0 - a_s), seen with a good warm start), and forces are those that change,
// not all (the same with newton_cradle.xml, without end).

#include "engine/solver/row_newton.h"

#include "engine/solver/hessian.h"
#include "math/lane_vec.h"

#ifndef __CUDACC__

// One lane has sets of rows as bits.

LANE_INLINE unsigned all_rows(const ct_Problem* p) {
  return (1u << p->rows.nefc) - 1;
}

// Writes the rows of a set behind `count` others. Returns how many there are then.
LANE_INLINE int list_set(int* listed, int count, unsigned set) {
  for (; set; set &= set - 1) listed[count++] = __builtin_ctz(set);
  return count;
}

// ct_update_rows for rows that are all one-sided.
LANE_FN static mjtNum update_sided(const ct_Problem* p, ct_RowNewton* k) {
  Wide slot[8], zero = wide_all(0);
  int words = k->stride / 4;
  unsigned set = 0;
  slot[0] = slot[1] = zero;  // for the compiler
  for (int w = 0; w < words; w++) {
    Wide r = wide_load(k->r + 4 * w), t = wide_mul(wide_load(k->D + 4 * w), r);
    WideMask quadratic = ~(WideMask)(r >= zero);
    wide_store(k->f + 4 * w, (Wide)(quadratic & (WideMask)(-t)));
    slot[w] = wide_add(zero, (Wide)(quadratic & (WideMask)(t * r / 2)));
    set |= wide_bits(quadratic) << 4 * w;
  }
  k->quadratic = set & all_rows(p);
  return ct_fold_words_(slot, words);
}

#endif

LANE_FN mjtNum ct_row_update(Lane g, const ct_Problem* p, ct_RowNewton* k) {
#ifndef __CUDACC__
  if (ct_has_words(g) && k->sided) return update_sided(p, k);
#endif
  return ct_update_rows(g, p->rows, p->contact, k->r, false);
}

// Lists of rows: those that are quadratic, then others whose force is to change.

#ifndef __CUDACC__

LANE_FN static void list_rows_alone(const ct_Problem* p, ct_RowNewton* k) {
  unsigned changed = 0;
  for (int i = 0; i < k->stride; i += 4) {
    changed |= wide_bits((WideMask)(wide_load(k->f + i) != wide_load(k->force + i))) << i;
  }
  if (!k->sided) {
    k->quadratic = 0;
    for (int i = 0; i < p->rows.nefc; i++) {
      k->quadratic |= (unsigned)ct_is_quadratic(p->rows.state[i]) << i;
    }
  }
  k->nquadratic = list_set(k->listed, 0, k->quadratic);
  k->nlisted = list_set(k->listed, k->nquadratic, changed & ~k->quadratic & all_rows(p));
}

#endif

LANE_FN static void list_rows(Lane g, const ct_Problem* p, ct_RowNewton* k) {
  const int* state = p->rows.state;
  const mjtNum* force = p->rows.force;
  int nefc = p->rows.nefc, count = 0;
  for (int kind = 0; kind < 2; kind++) {
    LANE_ROLLED for (int base = 0; base < nefc; base += lane_count(g)) {
      int i = base + lane_rank(g), all;
      bool quadratic = i < nefc && ct_is_quadratic(state[i]);
      bool other = i < nefc && !quadratic && force[i] != k->force[i];
      int at = count + lane_yes_before(g, kind == 0 ? quadratic : other, &all);
      if (kind == 0 ? quadratic : other) k->listed[at] = i;
      count += all;
    }
    if (kind == 0) k->nquadratic = count;
  }
  k->nlisted = count;
  lane_sync(g);
}

#ifndef __CUDACC__

// sum = the sum of factor_i row_i in `words` words of columns: over listed rows, or, without a
// list, over the first `count`. Inlined with `words` known.
LANE_INLINE void add_rows(int words, Wide sum[4], const mjtNum* rows, int columns,
                          const mjtNum* factor, const int* listed, int count) {
  for (int w = 0; w < words; w++) sum[w] = wide_all(0);
  for (int a = 0; a < count; a++) {
    int i = listed ? listed[a] : a;
    Wide f = wide_all(factor[i]);
    const mjtNum* row = rows + i * columns;
    for (int w = 0; w < words; w++) {
      sum[w] = wide_add(sum[w], wide_mul(wide_load(row + 4 * w), f));
    }
  }
}

// The same for up to four words from column j on. Returns how many there are.
LANE_INLINE int add_some_rows(Wide sum[4], const mjtNum* rows, int columns, int j,
                              const mjtNum* factor, const int* listed, int count) {
  int words = (columns - j) / 4;
  switch (words) {
    case 1:
      add_rows(1, sum, rows + j, columns, factor, listed, count);
      return 1;
    case 2:
      add_rows(2, sum, rows + j, columns, factor, listed, count);
      return 2;
    case 3:
      add_rows(3, sum, rows + j, columns, factor, listed, count);
      return 3;
    default:
      add_rows(4, sum, rows + j, columns, factor, listed, count);
      return 4;
  }
}

#endif

// Forces

#ifndef __CUDACC__

// b of the quadratic rows, less what the forces of others that change do to them.
LANE_FN static void shift_rows(const ct_RowNewton* k) {
  for (int q = 0; q < k->nquadratic; q++) {
    int i = k->listed[q];
    mjtNum sum = 0;
    for (int a = k->nquadratic; a < k->nlisted; a++) {
      int j = k->listed[a];
      sum += k->A[i > j ? i * k->stride + j : j * k->stride + i] * k->change[j];
    }
    k->b[i] -= sum;
  }
}

// b of all rows; m of those that are not quadratic.
LANE_FN static void start_forces(const ct_Problem* p, ct_RowNewton* k) {
  bool others = k->nlisted > k->nquadratic;
  Wide left = wide_all(k->left), zero = wide_all(0);
  for (int i = 0; i < k->stride; i += 4) {
    Wide held = wide_mul(wide_load(k->R + i), wide_load(k->force + i));
    Wide gap = wide_add(wide_load(k->r + i), held);
    wide_store(k->b + i, wide_sub(wide_mul(left, wide_load(k->from_start + i)), gap));
    wide_store(k->change + i, zero);
  }
  if (!others) return;
  for (int a = k->nquadratic; a < k->nlisted; a++) {
    int i = k->listed[a];
    k->change[i] = p->rows.force[i] - k->force[i];
  }
  shift_rows(k);
}

// A of the quadratic rows = L'DL, from the last row to the first, and b = L^-T b, by one lane: two
// pivots at a time, as if one after the other. Rows stay where they are, and words of a row have
// columns of other rows among them, which mean nothing: to gather the few that count costs more.
// The first pivots read A, and leave in K what is left of it. A row becomes that of L when all rows
// above have seen it: single numbers among words that are read next would hold them up.

LANE_INLINE mjtNum pivot_of(mjtNum x) {
  return x < mjMINVAL ? mjMINVAL : x;
}

LANE_INLINE void scale_row(mjtNum* to, const mjtNum* row, mjtNum by, int n) {
  Wide scale = wide_all(by);
  for (int j = 0; j < n; j += 4) wide_store(to + j, wide_mul(wide_load(row + j), scale));
}

LANE_FN static void factor_rows(ct_RowNewton* k) {
  int stride = k->stride, q = k->nquadratic - 1;
  const int* listed = k->listed;
  const mjtNum* from = k->A;
  mjtNum *K = k->K, *b = k->b, *inverse = k->invD;
  for (; q > 0; q -= 2, from = K) {
    int last = listed[q], before = listed[q - 1];
    const mjtNum *row = from + last * stride, *above = from + before * stride;
    mjtNum* next = K + before * stride;
    inverse[q] = 1 / pivot_of(row[last]);
    mjtNum factor = row[before] * inverse[q], known = b[last];
    mjtNum pivot = above[before] - factor * row[before], next_known = b[before] - factor * known;
    inverse[q - 1] = 1 / pivot_of(pivot);
    b[before] = next_known;
    Wide f = wide_all(factor);
    for (int j = 0; j < before; j += 4) {
      wide_store(next + j, wide_sub(wide_load(above + j), wide_mul(f, wide_load(row + j))));
    }
    for (int a = q - 2; a >= 0; a--) {
      int i = listed[a];
      mjtNum first = row[i] * inverse[q], second = next[i] * inverse[q - 1];
      const mjtNum* x = from + i * stride;
      mjtNum* to = K + i * stride;
      Wide f0 = wide_all(first), f1 = wide_all(second);
      for (int j = 0; j <= i; j += 4) {
        Wide once = wide_sub(wide_load(x + j), wide_mul(f0, wide_load(row + j)));
        wide_store(to + j, wide_sub(once, wide_mul(f1, wide_load(next + j))));
      }
      b[i] = b[i] - first * known - second * next_known;
    }
    scale_row(K + last * stride, row, inverse[q], last);
    scale_row(next, next, inverse[q - 1], before);
  }
  if (q == 0) inverse[0] = 1 / pivot_of(from[listed[0] * (stride + 1)]);
}

// m of the quadratic rows = L^-1 D^-1 b
LANE_FN static void solve_rows_of_factor(ct_RowNewton* k) {
  mjtNum* x = k->change;
  for (int q = 0; q < k->nquadratic; q++) {
    int i = k->listed[q];
    const mjtNum* L = k->K + i * k->stride;
    mjtNum sum = k->b[i] * k->invD[q];
    for (int a = 0; a < q; a++) sum -= L[k->listed[a]] * x[k->listed[a]];
    x[i] = sum;
  }
}

// v = M^-1 J' m - c (a_0 - a_s)
LANE_FN static void respond(const ct_Problem* p, const ct_RowNewton* k) {
  Wide left = wide_all(k->left);
  for (int j = 0; j < p->stride; j += 16) {
    Wide sum[4];
    int words = add_some_rows(sum, k->X, p->stride, j, k->change, k->listed, k->nlisted);
    for (int w = 0; w < words; w++) {
      Wide away = wide_load(k->away + j + 4 * w);
      wide_store(k->v + j + 4 * w, wide_sub(sum[w], wide_mul(left, away)));
    }
  }
}

LANE_FN static void direct_alone(const ct_Problem* p, ct_RowNewton* k) {
  list_rows_alone(p, k);
  start_forces(p, k);
  factor_rows(k);
  solve_rows_of_factor(k);
  respond(p, k);
}

#endif

// Several lanes

// res (stride) = what the forces of others that change do to the rows.
LANE_FN static void shift_rows_lanes(Lane g, const ct_RowNewton* k, mjtNum* res) {
  int first = k->nquadratic;
  LANE_FOR(j, g, k->stride) {
    mjtNum sum = 0;
    for (int a = first; a < k->nlisted; a++) {
      sum += k->A[k->listed[a] * k->stride + j] * k->change[k->listed[a]];
    }
    res[j] = sum;
  }
}

// K (lower triangle) and b of the quadratic rows; m of the others.
LANE_FN static void gather_quadratic_lanes(Lane g, const ct_Problem* p, ct_RowNewton* k) {
  int stride = k->stride, count = k->nquadratic;
  bool others = k->nlisted > count;
  LANE_WIDE(i, g, stride) {
    wide_store(k->change + i, wide_all(0));
  }
  if (others) {
    lane_sync(g);
    LANE_FOR(a, g, k->nlisted - count) {
      int i = k->listed[count + a];
      k->change[i] = p->rows.force[i] - k->force[i];
    }
    lane_sync(g);
    shift_rows_lanes(g, k, k->shift);
    lane_sync(g);
  }
  LANE_FOR(a, g, count) {
    int i = k->listed[a];
    mjtNum b = k->left * k->from_start[i] - (k->r[i] + p->rows.R[i] * k->force[i]);
    k->b[a] = others ? b - k->shift[i] : b;
  }
  ct_RowLane own = ct_lane_of_row(g, stride);
  LANE_ROLLED for (int a = own.first; a < count; a += own.step) {
    int i = k->listed[a];
    LANE_ROLLED for (int c = own.row; c < count; c += lane_count(g)) {
      k->K[a * stride + c] = k->A[i * stride + k->listed[c]];
    }
  }
  lane_sync(g);
}

// K = L'DL and b = L^-T b; lanes own columns, and b is one more. Entries above the diagonal are
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
LANE_FN static void solve_rows_of_factor_lanes(Lane g, ct_RowNewton* k) {
  mjtNum* b = k->b;
  int count = k->nquadratic, own = lane_rank(g);
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

// v = M^-1 J' m - c (a_0 - a_s)
LANE_FN static void respond_lanes(Lane g, const ct_Problem* p, const ct_RowNewton* k) {
  LANE_FOR(c, g, p->stride) {
    mjtNum sum = 0;
    for (int a = 0; a < k->nlisted && c < p->n; a++) {
      sum += k->Xt[c * k->stride + k->listed[a]] * k->change[k->listed[a]];
    }
    k->v[c] = sum - k->left * k->away[c];
  }
}

LANE_FN static void direct_lanes(Lane g, const ct_Problem* p, ct_RowNewton* k) {
  list_rows(g, p, k);
  gather_quadratic_lanes(g, p, k);
  factor_rows_lanes(g, k);
  solve_rows_of_factor_lanes(g, k);
  LANE_FOR(a, g, k->nquadratic) {
    k->change[k->listed[a]] = k->b[a];
  }
  lane_sync(g);
  respond_lanes(g, p, k);
  lane_sync(g);
}

// Direction

LANE_FN static bool is_zero(Lane g, const mjtNum* x, int n) {
#ifndef __CUDACC__
  if (ct_has_words(g)) {
    WideMask some = {0, 0, 0, 0};
    for (int j = 0; j < n; j += 4) some |= (WideMask)(wide_load(x + j) != wide_all(0));
    return wide_bits(some) == 0;
  }
#endif
  int some;
  LANE_COUNT(some, j, g, n, x[j] != 0);
  return some == 0;
}

// A direction where the start is the solution: what its gradient differs from zero by is a rounding
// error, which the reference's solver takes out in one iteration, and counts it. Forces change by
// all that they are, and v = -M^-1 times the gradient.
LANE_FN LANE_RARE static void polish(Lane g, const mjModel* m, const mjData* d, const ct_Problem* p,
                                     ct_RowNewton* k) {
  ct_problem_add_rows(g, k->v, k->J, p->rows.force, p->rows.nefc, p->stride);
  LANE_FOR(i, g, p->rows.nefc) {
    k->change[i] = p->rows.force[i];
  }
  lane_sync(g);
  LANE_FOR(j, g, p->stride) {
    k->v[j] -= k->pull[j];
  }
  lane_sync(g);
  ct_problem_solve_M(g, m, d, p, k->v);
}

LANE_FN void ct_row_direction(Lane g, const mjModel* m, const mjData* d, const ct_Problem* p,
                              ct_RowNewton* k, bool first) {
#ifdef __CUDACC__
  direct_lanes(g, p, k);
#else
  if (ct_has_words(g)) {
    direct_alone(p, k);
  } else {
    direct_lanes(g, p, k);
  }
#endif
  if (first && is_zero(g, k->v, p->n)) polish(g, m, d, p, k);
  int nrow = ct_has_words(g) ? k->stride : p->rows.nefc;  // one lane has words of rows
  ct_problem_mul_rows(g, k->change_r, k->J, k->v, nrow, p->stride);
  lane_sync(g);
}

// Sums

#ifndef __CUDACC__

// Slots of three sums on one lane, as words.
typedef struct {
  Wide slot[3][8];
} WideSums;

// For the compiler: all slots are written before they are read.
LANE_INLINE void begin_sums(WideSums* sums) {
  for (int i = 0; i < 3; i++) sums->slot[i][0] = sums->slot[i][1] = wide_all(0);
}

LANE_INLINE void add_words(WideSums* sums, int w, int which, Wide x) {
  Wide before = w < 8 ? wide_all(0) : sums->slot[which][w % 8];
  sums->slot[which][w % 8] = wide_add(before, x);
}

// Twice the Gauss cost without what is left of the start, and the squared gradient.
LANE_FN static void measure_alone(const ct_Problem* p, const ct_RowNewton* k, mjtNum of[2]) {
  WideSums sums;
  begin_sums(&sums);
  Wide left = wide_all(k->left);
  int row_words = k->stride / 4, words = p->stride / 4;
  for (int w = 0; w < row_words; w++) {
    Wide e = wide_load(k->from_start + 4 * w), force = wide_load(k->force + 4 * w);
    Wide gone = wide_add(wide_load(k->gone + 4 * w), wide_mul(left, e));
    Wide excess = wide_sub(force, wide_load(k->f + 4 * w));
    add_words(&sums, w, 0, wide_mul(force, gone));
    wide_store(k->excess + 4 * w, excess);
  }
  for (int j = 0; j < p->stride; j += 16) {
    Wide sum[4];
    int some = add_some_rows(sum, k->J, p->stride, j, k->excess, NULL, p->rows.nefc);
    for (int w = 0; w < some; w++) {
      Wide pull = wide_load(k->pull + j + 4 * w), g = wide_add(sum[w], wide_mul(left, pull));
      add_words(&sums, j / 4 + w, 1, wide_mul(g, g));
    }
  }
  Wide folded =
      ct_fold_four(ct_fold_to_word_(sums.slot[0], row_words < 8 ? row_words : 8),
                   ct_fold_to_word_(sums.slot[1], words < 8 ? words : 8), wide_all(0), wide_all(0));
  of[0] = folded[0];
  of[1] = folded[1];
}

// Slope and curvature of the Gauss cost along v, and the squared length of v.
LANE_FN static void look_along_alone(const ct_Problem* p, const ct_RowNewton* k, mjtNum of[3]) {
  WideSums sums;
  begin_sums(&sums);
  Wide left = wide_all(k->left);
  int row_words = k->stride / 4, dof_words = p->stride / 4;
  int words = row_words > dof_words ? row_words : dof_words, first = words < 8 ? words : 8;
  for (int w = 0; w < words; w++) {
    Wide slope = wide_all(0), curvature = slope, square = slope;
    if (w < dof_words) {
      Wide v = wide_load(k->v + 4 * w);
      slope = wide_mul(left, wide_mul(wide_load(k->pull + 4 * w), v));
      curvature = wide_sub(curvature, slope);
      square = wide_mul(v, v);
    }
    if (w < row_words) {
      Wide change_r = wide_load(k->change_r + 4 * w);
      slope = wide_add(slope, wide_mul(wide_load(k->force + 4 * w), change_r));
      curvature = wide_add(curvature, wide_mul(wide_load(k->change + 4 * w), change_r));
    }
    add_words(&sums, w, 0, slope);
    add_words(&sums, w, 1, curvature);
    add_words(&sums, w, 2, square);
  }
  Wide folded =
      ct_fold_four(ct_fold_to_word_(sums.slot[0], first), ct_fold_to_word_(sums.slot[1], first),
                   ct_fold_to_word_(sums.slot[2], first), wide_all(0));
  for (int i = 0; i < 3; i++) of[i] = folded[i];
}

#endif

LANE_FN static void measure_lanes(Lane g, const ct_Problem* p, const ct_RowNewton* k,
                                  mjtNum of[2]) {
  LaneSums sums = lane_no_sums(g);
  int most = k->stride > p->stride ? k->stride : p->stride;
  LANE_FOR(i, g, p->rows.nefc) {
    k->excess[i] = k->force[i] - p->rows.force[i];
  }
  lane_sync(g);
  LANE_SUMS_FOR(j, g, most) {
    mjtNum gauss = 0, gradient = 0;
    if (j < k->stride) gauss = k->force[j] * (k->gone[j] + k->left * k->from_start[j]);
    if (j < p->stride) {
      for (int i = 0; i < p->rows.nefc; i++) {
        if (k->excess[i] != 0) gradient += k->J[i * p->stride + j] * k->excess[i];
      }
      gradient += k->left * k->pull[j];
    }
    lane_sums_add(&sums, gauss, gradient * gradient, 0);
  }
  lane_sums_fold(g, &sums);
  of[0] = sums.of[0];
  of[1] = sums.of[1];
}

LANE_FN static void look_along_lanes(Lane g, const ct_Problem* p, const ct_RowNewton* k,
                                     mjtNum of[3]) {
  LaneSums sums = lane_no_sums(g);
  int most = k->stride > p->stride ? k->stride : p->stride;
  LANE_SUMS_FOR(j, g, most) {
    mjtNum slope = 0, curvature = 0, square = 0;
    if (j < p->stride) {
      slope = k->left * (k->pull[j] * k->v[j]);
      curvature = curvature - slope;
      square = k->v[j] * k->v[j];
    }
    if (j < k->stride) {
      slope += k->force[j] * k->change_r[j];
      curvature += k->change[j] * k->change_r[j];
    }
    lane_sums_add(&sums, slope, curvature, square);
  }
  lane_sums_fold(g, &sums);
  for (int i = 0; i < 3; i++) of[i] = sums.of[i];
}

LANE_INLINE mjtNum row_force(const ct_Problem* p, const ct_RowNewton* k, int j) {
  mjtNum sum = p->frc_smooth[j];
  for (int i = 0; i < p->rows.nefc; i++) sum += k->J[i * p->stride + j] * p->rows.force[i];
  return sum;
}

// With float: the length of M a where a is the solution.
LANE_FN static mjtNum rounding_of_gradient(Lane g, const ct_Problem* p, const ct_RowNewton* k) {
  if (!(ct_rounding(1) > 0)) return 0;
  mjtNum square;
  LANE_SUM(square, j, g, p->n, row_force(p, k, j) * row_force(p, k, j));
  return ct_rounding(ct_sqrt(square));
}

LANE_FN void ct_row_measure(Lane g, const ct_Problem* p, ct_RowNewton* k, mjtNum* gauss,
                            mjtNum* length_g, mjtNum* rounding_g) {
  mjtNum of[2];
#ifdef __CUDACC__
  measure_lanes(g, p, k, of);
#else
  if (ct_has_words(g)) {
    measure_alone(p, k, of);
  } else {
    measure_lanes(g, p, k, of);
  }
#endif
  *gauss = (of[0] + k->left * k->left * k->energy) / 2;
  *length_g = ct_sqrt(of[1]);
  *rounding_g = rounding_of_gradient(g, p, k);
}

LANE_FN void ct_row_look_along(Lane g, const ct_Problem* p, const ct_RowNewton* k, mjtNum of[3]) {
#ifdef __CUDACC__
  look_along_lanes(g, p, k, of);
#else
  if (ct_has_words(g)) {
    look_along_alone(p, k, of);
  } else {
    look_along_lanes(g, p, k, of);
  }
#endif
}

// y += alpha x, n numbers, padded
LANE_FN static inline void move_vector(Lane g, mjtNum* y, const mjtNum* x, Wide alpha, int n) {
  LANE_WIDE(i, g, n) {
    wide_store(y + i, wide_add(wide_load(y + i), wide_mul(alpha, wide_load(x + i))));
  }
}

LANE_FN void ct_row_move(Lane g, const ct_Problem* p, ct_RowNewton* k, mjtNum alpha) {
  Wide A = wide_all(alpha);
  move_vector(g, k->a, k->v, A, p->stride);
  LANE_WIDE(i, g, k->stride) {
    Wide step = wide_mul(A, wide_load(k->change_r + i));
    wide_store(k->r + i, wide_add(wide_load(k->r + i), step));
    wide_store(k->gone + i, wide_add(wide_load(k->gone + i), step));
  }
  move_vector(g, k->force, k->change, A, k->stride);
  k->left *= 1 - alpha;
  k->before = k->quadratic;
  lane_sync(g);
}

#ifndef __CUDACC__

// States of sided rows from their bits.
LANE_FN static void write_states(const ct_Problem* p, const ct_RowNewton* k) {
  for (int i = 0; i < p->rows.nefc; i++) {
    bool quadratic = k->quadratic >> i & 1;
    p->rows.state[i] = quadratic ? mjCNSTRSTATE_QUADRATIC : mjCNSTRSTATE_SATISFIED;
  }
}

#endif

LANE_FN void ct_row_close(Lane g, const ct_Problem* p, ct_RowNewton* k) {
  ct_problem_add_rows(g, k->v, k->J, p->rows.force, p->rows.nefc, p->stride);
  lane_sync(g);
  ct_copy_numbers(g, p->acc, k->a, p->n);
  ct_copy_numbers(g, p->frc_constraint, k->v, p->n);
#ifndef __CUDACC__
  if (ct_has_words(g) && k->sided) write_states(p, k);
#endif
}
