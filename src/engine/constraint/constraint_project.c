// The inverse inertia that constraint rows see, for solvers that work on forces.
//
//   in    efc_J and its indices, efc_R, qLD, qLDiagInv
//   out   efc_AR, nA; efc_AR_rownnz, efc_AR_rowadr, efc_AR_colind if rows are sparse
//
//   AR = J M^-1 J' + diag(R)
//
// With M = L'DL this is X X' + diag(R), X = J L^-1 D^-1/2. A row of X has an entry wherever the
// elimination can carry one: at the columns of the row of J and at their ancestors in the tree. Two
// rows of AR meet if their rows of X have a dof in common. Rows with the same columns, such as
// those of a contact, are one run; runs are compared only if they share a tree, and multiplied in
// tiles of four by four rows.
//
// Columns of J ascend, and dofs are numbered with each branch of a tree after the one before. So
// what column c adds to the list of ancestors is the part of its row of M in which that differs
// from the row of the column before c, and the list ascends without sorting.

#include <limits.h>

#include "base/memory/arena_arrays.h"
#include "base/memory/scratch.h"
#include "base/model/options.h"
#include "engine/constraint/constraint.h"
#include "math/vec.h"

LANE_INLINE bool project_is_wanted(const mjModel* m) {
  return ct_solver(m) == mjSOL_PGS || ct_noslip_iterations(m) > 0;
}

// Dense

// Several lanes: each has rows of X, which are mostly zero, as rows of J are; then elements of AR.

// x = D^-1/2 L^-T x, by one lane.
LANE_FN static void project_row(const mjModel* m, const mjData* d, mjtNum* x) {
  for (int k = (int)m->nv - 1; k >= 0; k--) {
    mjtNum known = x[k];
    if (known == 0) continue;
    int n = m->M_rownnz[k] - 1;
    const mjtNum* L = d->qLD + m->M_rowadr[k];
    const int* column = m->M_colind + m->M_rowadr[k];
    for (int i = 0; i < n; i++) x[column[i]] -= L[i] * known;
    x[k] = known * ct_sqrt(d->qLDiagInv[k]);
  }
}

LANE_FN static void project_dense_lanes(Lane g, const mjModel* m, mjData* d, mjtNum* X) {
  int nefc = d->nefc, nv = (int)m->nv;
  LANE_FOR(i, g, nefc) {
    mjtNum* x = X + (size_t)i * (size_t)nv;
    ct_copy(x, d->efc_J + (size_t)i * (size_t)nv, nv);
    project_row(m, d, x);
  }
  lane_sync(g);
  LANE_FOR(e, g, nefc * nefc) {
    int i = e / nefc, j = e % nefc;
    const mjtNum *x = X + (size_t)i * (size_t)nv, *y = X + (size_t)j * (size_t)nv;
    mjtNum sum = 0;
    for (int k = nv - 1; k >= 0; k--) sum += x[k] * y[k];
    d->efc_AR[e] = i == j ? sum + d->efc_R[i] : sum;
  }
  lane_sync(g);
}

#ifndef __CUDACC__

// One lane: four rows are a word, X[k * stride + i] of dof k and rows i to i + 3.

// Rows i to i + 3 of J as words of X; zeros for rows that are not there.
LANE_FN static void transpose_rows(const mjModel* m, const mjData* d, mjtNum* X, int stride,
                                   int i) {
  int nv = (int)m->nv, count = d->nefc - i < 4 ? d->nefc - i : 4;
  const mjtNum* J = d->efc_J + (size_t)i * (size_t)nv;
  for (int k = 0; k < nv; k += 4) {
    Wide x[4];
    int n = nv - k < 4 ? nv - k : 4;
    for (int q = 0; q < 4; q++) {
      x[q] = q >= count ? wide_all(0)
             : n == 4   ? wide_load(J + q * nv + k)
                        : ct_last_word_(J + q * nv + k, n);
    }
    wide_transpose(x);
    for (int q = 0; q < n; q++) wide_store(X + (size_t)(k + q) * (size_t)stride + i, x[q]);
  }
}

// X = D^-1/2 L^-T X for a word of rows. Returns how many dofs these have to do with, and which, the
// last one first.
LANE_FN static int project_word(const mjModel* m, const mjData* d, mjtNum* X, int stride,
                                int* dof) {
  int count = 0;
  for (int k = (int)m->nv - 1; k >= 0; k--) {
    Wide known = wide_load(X + (size_t)k * (size_t)stride);
    if (!wide_bits((WideMask)(known != wide_all(0)))) continue;
    int n = m->M_rownnz[k] - 1;
    const mjtNum* L = d->qLD + m->M_rowadr[k];
    const int* column = m->M_colind + m->M_rowadr[k];
    for (int e = 0; e < n; e++) {
      mjtNum* x = X + (size_t)column[e] * (size_t)stride;
      wide_store(x, wide_sub(wide_load(x), wide_mul(wide_all(L[e]), known)));
    }
    mjtNum scale = ct_sqrt(d->qLDiagInv[k]);
    wide_store(X + (size_t)k * (size_t)stride, wide_mul(known, wide_all(scale)));
    dof[count++] = k;
  }
  return count;
}

// Up to four numbers of a row of AR.
LANE_INLINE void write_AR(mjData* d, int row, int column, Wide x) {
  mjtNum* to = d->efc_AR + (size_t)row * (size_t)d->nefc + (size_t)column;
  if (row >= d->nefc) return;
  if (column + 4 <= d->nefc) {
    wide_store(to, x);
  } else {
    for (int q = 0; column + q < d->nefc; q++) to[q] = x[q];
  }
}

// Rows i to i + 3 of AR, which have to do with these dofs, in columns j to j + 3; and once more as
// columns.
LANE_FN static void multiply_words(mjData* d, const mjtNum* X, int stride, int i, int j,
                                   const int* dof, int count) {
  Wide sum[4];
  for (int q = 0; q < 4; q++) sum[q] = wide_all(0);
  for (int e = 0; e < count; e++) {
    const mjtNum* x = X + (size_t)dof[e] * (size_t)stride;
    Wide y = wide_load(x + j);
    for (int q = 0; q < 4; q++) sum[q] = wide_add(sum[q], wide_mul(wide_all(x[i + q]), y));
  }
  for (int q = 0; q < 4; q++) write_AR(d, i + q, j, sum[q]);
  if (i == j) return;
  wide_transpose(sum);
  for (int q = 0; q < 4; q++) write_AR(d, j + q, i, sum[q]);
}

LANE_FN static void project_dense_alone(const mjModel* m, mjData* d, mjtNum* X, int stride,
                                        int* dof) {
  for (int i = 0; i < stride; i += 4) {
    transpose_rows(m, d, X, stride, i);
    int count = project_word(m, d, X + i, stride, dof);
    for (int j = 0; j <= i; j += 4) multiply_words(d, X, stride, i, j, dof, count);
  }
  for (int i = 0; i < d->nefc; i++) d->efc_AR[(size_t)i * (size_t)(d->nefc + 1)] += d->efc_R[i];
}

#endif

LANE_FN static int project_dense(Lane g, const mjModel* m, mjData* d) {
  int placed, nv = (int)m->nv, stride = d->nefc <= INT_MAX - 3 ? (d->nefc + 3) / 4 * 4 : INT_MAX;
  if (stride > INT_MAX / (stride > nv ? stride : nv)) return CT_ROWS_FULL;  // not to be counted
  LANE_ALONE(g) {
    d->nA = d->nefc * d->nefc;
  }
  LANE_ANSWER(placed, g, ct_place_arrays(m, d, CT_PLACED_AR));
  if (!placed) return CT_ROWS_FULL;
  mjtNum* X = lane_scratch_num(g, d, stride * nv);
  int* dof = lane_scratch_int(g, d, nv);
  if (!X || !dof) return CT_STACK_FULL;
#ifndef __CUDACC__
  if (lane_count(g) == 1) {
    project_dense_alone(m, d, X, stride, dof);
    return CT_OK;
  }
#endif
  project_dense_lanes(g, m, d, X);
  return CT_OK;
}

// Sparse

typedef struct {  // neighbouring rows with the same columns
  int first, count;
  int stride;   // count, rounded up to whole words
  int columns;  // of X
  int column;   // where its columns start
  int value;    // where its entries of X start: column by column, the rows of a column side by side
} Run;

typedef struct {  // X, run by run
  int count;
  Run* run;  // (count + 1) the last one only says where the others end
  int* column;
  mjtNum* value;
  int* tree_adr;  // (ntree + 1) where the runs of each tree start in tree_run
  int* tree_run;  // runs that have dofs of the tree, ascending
} SparseX;

// How many entries of the row of M of dof c are not in that of dof `before`; all if that is -1.
LANE_INLINE int new_ancestors(const mjModel* m, int c, int before) {
  int n = m->M_rownnz[c], common = 0;
  const int* row = m->M_colind + m->M_rowadr[c];
  if (before < 0) return n;
  const int* other = m->M_colind + m->M_rowadr[before];
  int most = m->M_rownnz[before] < n ? m->M_rownnz[before] : n;
  while (common < most && row[common] == other[common]) common++;
  return n - common;
}

// Columns of row i of X, into a list unless that is NULL; returns how many.
LANE_FN static int list_ancestors(const mjModel* m, const mjData* d, int i, int* list) {
  int count = 0, before = -1, end = d->efc_J_rowadr[i] + d->efc_J_rownnz[i];
  for (int k = d->efc_J_rowadr[i]; k < end; k++) {
    int c = d->efc_J_colind[k], added = new_ancestors(m, c, before);
    const int* row = m->M_colind + m->M_rowadr[c] + m->M_rownnz[c] - added;
    for (int a = 0; list && a < added; a++) list[count + a] = row[a];
    count += added;
    before = c;
  }
  return count;
}

// The rows of J of a run among the columns of X; zero elsewhere and in the padding.
LANE_FN static void spread_run(const mjData* d, const Run* run, const int* column, mjtNum* x) {
  int start = d->efc_J_rowadr[run->first], n = d->efc_J_rownnz[run->first], at = 0;
  for (int k = 0; k < run->columns * run->stride; k++) x[k] = 0;
  for (int k = 0; k < n; k++) {
    while (column[at] != d->efc_J_colind[start + k]) at++;
    for (int r = 0; r < run->count; r++) {
      x[at * run->stride + r] = d->efc_J[d->efc_J_rowadr[run->first + r] + k];
    }
  }
}

LANE_FN static inline void add_scaled_word(mjtNum* to, const mjtNum* from, mjtNum scale) {
  for (int w = 0; w < 4; w += LANE_WIDTH) {
    Wide product = wide_mul(wide_all(scale), wide_load(from + w));
    wide_store(to + w, wide_add(wide_load(to + w), product));
  }
}

// Entries of X of a run, by one lane.
LANE_FN static void project_run(const mjModel* m, const mjData* d, const SparseX* X, int p) {
  const Run* run = X->run + p;
  int stride = run->stride;
  int* column = X->column + run->column;
  mjtNum* x = X->value + run->value;
  list_ancestors(m, d, run->first, column);
  spread_run(d, run, column, x);
  for (int k = run->columns - 1; k >= 0; k--) {
    int dof = column[k], place = k - 1;
    const int* ancestor = m->M_colind + m->M_rowadr[dof];
    const mjtNum* L = d->qLD + m->M_rowadr[dof];
    for (int a = m->M_rownnz[dof] - 2; a >= 0; a--) {
      while (column[place] != ancestor[a]) place--;
      for (int r = 0; r < stride; r += 4) {
        add_scaled_word(x + place * stride + r, x + k * stride + r, -L[a]);
      }
    }
    mjtNum scale = ct_sqrt(d->qLDiagInv[dof]);
    for (int r = 0; r < stride; r++) x[k * stride + r] *= scale;
  }
}

// Runs that may have a dof in common with one run: those that share a tree with it.

enum { MOST_TREES = 8 };  // of a run; with more, all runs are candidates

typedef struct {
  int trees;  // 0: all runs
  int at[MOST_TREES], end[MOST_TREES];
  int next;
} Candidates;

LANE_FN static Candidates open_candidates(const mjModel* m, const SparseX* X, int p) {
  const Run* run = X->run + p;
  Candidates c;
  int last = -1;
  c.trees = c.next = 0;
  for (int k = 0; k < run->columns; k++) {
    int tree = m->dof_treeid[X->column[run->column + k]];
    if (tree == last) continue;
    if (c.trees == MOST_TREES) {
      c.trees = 0;
      return c;
    }
    c.at[c.trees] = X->tree_adr[tree];
    c.end[c.trees++] = X->tree_adr[tree + 1];
    last = tree;
  }
  return c;
}

// Returns the next one in rising order, or X->count if there is none.
LANE_INLINE int next_candidate(const SparseX* X, Candidates* c) {
  if (c->trees == 0) return c->next < X->count ? c->next++ : X->count;
  int least = X->count;
  for (int t = 0; t < c->trees; t++) {
    if (c->at[t] < c->end[t] && X->tree_run[c->at[t]] < least) least = X->tree_run[c->at[t]];
  }
  for (int t = 0; t < c->trees; t++) {
    if (c->at[t] < c->end[t] && X->tree_run[c->at[t]] == least) c->at[t]++;
  }
  return least;
}

// Two runs side by side; a and b are where the next common column is in each.
typedef struct {
  const Run *left, *right;
  int a, b;
} Meeting;

LANE_INLINE bool next_common_column(const SparseX* X, Meeting* t) {
  const int *left = X->column + t->left->column, *right = X->column + t->right->column;
  while (t->a < t->left->columns && t->b < t->right->columns) {
    if (left[t->a] == right[t->b]) return true;
    if (left[t->a] < right[t->b]) {
      t->a++;
    } else {
      t->b++;
    }
  }
  return false;
}

LANE_INLINE Meeting open_meeting(const SparseX* X, int p, int q) {
  Meeting t = {X->run + p, X->run + q, 0, 0};
  return t;
}

// Products of four rows of one run, from r on, with four of another, from s on.
LANE_FN static void multiply_tile(const SparseX* X, Meeting t, int r, int s, mjtNum product[16]) {
  enum { WORDS = 4 / LANE_WIDTH };
  Wide sum[4 * WORDS];
  for (int k = 0; k < 4 * WORDS; k++) sum[k] = wide_all(0);
  for (; next_common_column(X, &t); t.a++, t.b++) {
    const mjtNum* x = X->value + t.left->value + t.a * t.left->stride + r;
    const mjtNum* y = X->value + t.right->value + t.b * t.right->stride + s;
    for (int k = 0; k < 4 * WORDS; k++) {
      Wide part = wide_load(y + LANE_WIDTH * (k % WORDS));
      sum[k] = wide_add(sum[k], wide_mul(wide_all(x[k / WORDS]), part));
    }
  }
  for (int k = 0; k < 4 * WORDS; k++) wide_store(product + LANE_WIDTH * k, sum[k]);
}

// The part of AR where the rows of run p meet those of run q, from place `at` of each row on.
LANE_FN static void write_meeting(mjData* d, const SparseX* X, int p, int q, int at) {
  const Run *left = X->run + p, *right = X->run + q;
  for (int r = 0; r < left->count; r += 4) {
    for (int s = 0; s < right->count; s += 4) {
      mjtNum product[16];
      multiply_tile(X, open_meeting(X, p, q), r, s, product);
      for (int u = r; u < r + 4 && u < left->count; u++) {
        int start = d->efc_AR_rowadr[left->first + u] + at;
        for (int v = s; v < s + 4 && v < right->count; v++) {
          d->efc_AR[start + v] = product[4 * (u - r) + v - s];
          d->efc_AR_colind[start + v] = right->first + v;
        }
      }
    }
  }
}

// How many rows meet those of run p; writes the rows of AR too, if that is wanted.
LANE_FN static int meet_others(const mjModel* m, mjData* d, const SparseX* X, int p, bool write) {
  Candidates c = open_candidates(m, X, p);
  int count = 0;
  for (int q = next_candidate(X, &c); q < X->count; q = next_candidate(X, &c)) {
    Meeting t = open_meeting(X, p, q);
    if (!next_common_column(X, &t)) continue;
    if (write) write_meeting(d, X, p, q, count);
    for (int r = 0; write && p == q && r < X->run[p].count; r++) {
      d->efc_AR[d->efc_AR_rowadr[X->run[p].first + r] + count + r] += d->efc_R[X->run[p].first + r];
    }
    count += X->run[q].count;
  }
  return count;
}

// Which rows make a run, by all lanes alike; false without room.
LANE_FN static bool find_runs(Lane g, mjData* d, SparseX* X) {
  X->count = 0;
  for (int i = 0; i < d->nefc; i += d->efc_J_rowsuper[i] + 1) X->count++;
  X->run = (Run*)lane_scratch_bytes_(g, d, (size_t)(X->count + 1) * sizeof(Run));
  if (!X->run) return false;
  LANE_ONCE(g) {
    for (int i = 0, p = 0; i < d->nefc; i += d->efc_J_rowsuper[i] + 1, p++) {
      Run run = {i, d->efc_J_rowsuper[i] + 1, 0, 0, 0, 0};
      run.stride = (run.count + 3) / 4 * 4;
      X->run[p] = run;
    }
  }
  lane_sync(g);
  return true;
}

// Where columns and entries of runs go, by one lane.
LANE_FN static void place_runs(SparseX* X) {
  int column = 0, value = 0;
  for (int p = 0; p <= X->count; p++) {
    X->run[p].column = column;
    X->run[p].value = value;
    if (p == X->count) break;
    column += X->run[p].columns;
    value += X->run[p].columns * X->run[p].stride;
  }
}

// Calls of this count (fill false) or list the runs of each tree; by one lane.
LANE_FN static void deal_runs(const mjModel* m, SparseX* X, bool fill) {
  for (int p = 0; p < X->count; p++) {
    int last = -1;
    for (int k = X->run[p].column; k < X->run[p + 1].column; k++) {
      int tree = m->dof_treeid[X->column[k]];
      if (tree != last && fill) X->tree_run[X->tree_adr[tree]++] = p;
      if (tree != last && !fill) X->tree_adr[tree + 1]++;
      last = tree;
    }
  }
}

LANE_FN static bool list_runs_of_trees(Lane g, const mjModel* m, mjData* d, SparseX* X) {
  int ntree = (int)m->ntree;
  X->tree_adr = lane_scratch_int(g, d, ntree + 1);
  if (!X->tree_adr) return false;
  LANE_ONCE(g) {
    for (int t = 0; t <= ntree; t++) X->tree_adr[t] = 0;
    deal_runs(m, X, false);
    for (int t = 0; t < ntree; t++) X->tree_adr[t + 1] += X->tree_adr[t];
  }
  lane_sync(g);
  X->tree_run = lane_scratch_int(g, d, X->tree_adr[ntree]);
  if (!X->tree_run) return false;
  LANE_ONCE(g) {
    deal_runs(m, X, true);  // moves each start to the next one's
    for (int t = ntree; t > 0; t--) X->tree_adr[t] = X->tree_adr[t - 1];
    X->tree_adr[0] = 0;
  }
  lane_sync(g);
  return true;
}

// Room for X, and X itself; false without room.
LANE_FN static bool make_sparse_X(Lane g, const mjModel* m, mjData* d, SparseX* X) {
  if (!find_runs(g, d, X)) return false;
  LANE_FOR(p, g, X->count) {
    X->run[p].columns = list_ancestors(m, d, X->run[p].first, NULL);
  }
  LANE_ALONE(g) {
    place_runs(X);
  }
  X->column = lane_scratch_int(g, d, X->run[X->count].column);
  X->value = lane_scratch_num(g, d, X->run[X->count].value);
  if (!X->column || !X->value) return false;
  LANE_FOR(p, g, X->count) {
    project_run(m, d, X, p);
  }
  lane_sync(g);
  return list_runs_of_trees(g, m, d, X);
}

LANE_FN static int project_sparse(Lane g, const mjModel* m, mjData* d) {
  SparseX X;
  int placed;
  lane_sync(g);
  LANE_ANSWER(placed, g, ct_place_arrays(m, d, CT_PLACED_AR_ROWS));
  if (!placed) return CT_ROWS_FULL;
  if (!make_sparse_X(g, m, d, &X)) return CT_STACK_FULL;
  LANE_FOR(p, g, X.count) {
    int count = meet_others(m, d, &X, p, false);
    for (int r = 0; r < X.run[p].count; r++) d->efc_AR_rownnz[X.run[p].first + r] = count;
  }
  lane_sync(g);
  int entries = lane_scan(g, d->efc_AR_rowadr, d->efc_AR_rownnz, d->nefc);
  LANE_ALONE(g) {
    d->nA = entries;
  }
  LANE_ANSWER(placed, g,
              ct_place_arrays(m, d, CT_PLACED_AR) && ct_place_arrays(m, d, CT_PLACED_AR_COLUMNS));
  if (!placed) return CT_ROWS_FULL;
  LANE_FOR(p, g, X.count) {
    meet_others(m, d, &X, p, true);
  }
  lane_sync(g);
  return CT_OK;
}

LANE_FN int ct_project_constraint(Lane g, const mjModel* m, mjData* d) {
  if (d->nefc == 0 || !project_is_wanted(m)) return CT_OK;
  if (!lane_mark(g, d)) return CT_STACK_FULL;
  int status = ct_is_sparse(m) ? project_sparse(g, m, d) : project_dense(g, m, d);
  lane_free(g, d);
  if (!(status & CT_NO_ROWS)) return status;
  ct_forget_rows(g, d);
  return ct_rows_full(g, d);
}
