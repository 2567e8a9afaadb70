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
  int visit;    // where its visits to trees start
} Run;

typedef struct {  // the columns of a run in one tree
  int run, tree;
  int column, count;  // where they start in SparseX.column
  bool usual;         // the same columns as the first visit to the tree
} TreeVisit;

typedef struct {  // X, run by run
  int count;
  Run* run;  // (count + 1) the last one only says where the others end
  int* column;
  mjtNum* value;
  TreeVisit* visit;  // to trees, run by run
  int* tree_adr;     // (ntree + 1) where the visits to each tree start in tree_visit
  int* tree_visit;   // visits to each tree, ascending
} SparseX;

// How many entries of the row of M of dof c are not in that of dof `before`; all if that is -1. The
// row of a dof is that of its parent and itself.
LANE_INLINE int new_ancestors(const mjModel* m, int c, int before) {
  int n = m->M_rownnz[c], common = 0;
  const int* row = m->M_colind + m->M_rowadr[c];
  if (before < 0) return n;
  if (n == 1 || row[n - 2] == before) return 1;
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
  const mjtNum* J = d->efc_J + start;  // rows of a run follow each other
  for (int k = 0; k < run->columns * run->stride; k++) x[k] = 0;
  for (int k = 0; k < n; k++) {
    while (column[at] != d->efc_J_colind[start + k]) at++;
    for (int r = 0; r < run->count; r++) x[at * run->stride + r] = J[r * n + k];
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

// Where two runs have dofs in common. Columns of a run are listed tree by tree, so two lists are
// compared in the trees of both only; where a run has too many trees, all columns of both.

enum { MOST_TREES = 8 };  // of a run that is compared by trees

typedef struct {  // columns of two runs, in one tree or in all
  int a, b;       // where they start in X->column
  int na, nb;
  bool same;  // the same columns
} Overlap;

typedef struct {
  int left, right;  // runs
  int count;
  Overlap part[MOST_TREES];
} Meeting;

// The next column that both have; false if there is none.
LANE_INLINE bool next_common_column(const SparseX* X, Overlap* o) {
  while (o->na > 0 && o->nb > 0) {
    int a = X->column[o->a], b = X->column[o->b];
    if (a == b) return true;
    if (a < b) {
      o->a++, o->na--;
    } else {
      o->b++, o->nb--;
    }
  }
  return false;
}

LANE_INLINE void pass_common_column(Overlap* o) {
  o->a++, o->na--;
  o->b++, o->nb--;
}

// What two visits to a tree have in common; false if nothing.
LANE_INLINE bool visits_overlap(const SparseX* X, const TreeVisit* a, const TreeVisit* b,
                                Overlap* o) {
  Overlap both = {a->column, b->column, a->count, b->count, a->usual && b->usual};
  *o = both;
  return o->same || next_common_column(X, o);
}

LANE_FN static inline void add_overlap(const SparseX* X, Meeting* t, const TreeVisit* a,
                                       const TreeVisit* b) {
  Overlap o;
  if (visits_overlap(X, a, b, &o)) t->part[t->count++] = o;
}

// All runs that have dofs in common with one run, in rising order.

typedef struct {
  int run, last;                       // the run, and the last one that is asked for
  int trees;                           // 0: too many
  int at[MOST_TREES];                  // where we are in the list of each tree
  int end[MOST_TREES];                 // and where it ends
  const TreeVisit* visit[MOST_TREES];  // that is there
  int next;                            // without trees
} Candidates;

LANE_INLINE void next_visit(const SparseX* X, Candidates* c, int k) {
  c->at[k]++;
  c->visit[k] = c->at[k] < c->end[k] ? X->visit + X->tree_visit[c->at[k]] : NULL;
}

LANE_FN static inline Candidates open_candidates(const SparseX* X, int p, int last) {
  const TreeVisit* own = X->visit + X->run[p].visit;
  Candidates c;
  c.run = p;
  c.last = last;
  c.next = 0;
  c.trees = X->run[p + 1].visit - X->run[p].visit;
  if (c.trees > MOST_TREES) c.trees = 0;
  for (int k = 0; k < c.trees; k++) {
    c.at[k] = X->tree_adr[own[k].tree] - 1;
    c.end[k] = X->tree_adr[own[k].tree + 1];
    next_visit(X, &c, k);
  }
  return c;
}

LANE_FN static bool next_of_all(const SparseX* X, Candidates* c, Meeting* t) {
  while (c->next <= c->last) {
    const Run *left = X->run + c->run, *right = X->run + c->next;
    TreeVisit a = {c->run, 0, left->column, left->columns, false};
    TreeVisit b = {c->next, 0, right->column, right->columns, false};
    t->right = c->next++;
    add_overlap(X, t, &a, &b);
    if (t->count) return true;
  }
  return false;
}

LANE_FN static inline bool next_meeting(const SparseX* X, Candidates* c, Meeting* t) {
  const TreeVisit* own = X->visit + X->run[c->run].visit;
  t->left = c->run;
  t->count = 0;
  if (c->trees == 0) return next_of_all(X, c, t);
  while (t->count == 0) {
    int least = INT_MAX;
    for (int k = 0; k < c->trees; k++) {
      if (c->visit[k] && c->visit[k]->run < least) least = c->visit[k]->run;
    }
    if (least > c->last) return false;
    t->right = least;
    for (int k = 0; k < c->trees; k++) {
      if (!c->visit[k] || c->visit[k]->run != least) continue;
      add_overlap(X, t, own + k, c->visit[k]);
      next_visit(X, c, k);
    }
  }
  return true;
}

// sum += products of some rows of one run, x, with four of another, y, of a column; rows is a
// constant wherever this is compiled.
LANE_PRIMITIVE_ void add_tile_column(Wide* sum, const mjtNum* x, const mjtNum* y, int rows) {
  enum { WORDS = 4 / LANE_WIDTH };
  for (int k = 0; k < rows * WORDS; k++) {
    Wide part = wide_load(y + LANE_WIDTH * (k % WORDS));
    sum[k] = wide_add(sum[k], wide_mul(wide_all(x[k / WORDS]), part));
  }
}

// Products of rows of one run, from r on, with four of another, from s on: rows x 4.
LANE_PRIMITIVE_ void multiply_tile(const SparseX* X, const Meeting* t, int r, int s, int rows,
                                   Wide* sum) {
  const Run *left = X->run + t->left, *right = X->run + t->right;
  const mjtNum* x = X->value + left->value + r - left->column * left->stride;
  const mjtNum* y = X->value + right->value + s - right->column * right->stride;
  for (int k = 0; k < rows * 4 / LANE_WIDTH; k++) sum[k] = wide_all(0);
  for (int p = 0; p < t->count; p++) {
    Overlap o = t->part[p];
    if (o.same) {
      const mjtNum *u = x + o.a * left->stride, *v = y + o.b * right->stride;
      for (int k = 0; k < o.na; k++, u += left->stride, v += right->stride) {
        add_tile_column(sum, u, v, rows);
      }
      continue;
    }
    for (; next_common_column(X, &o); pass_common_column(&o)) {
      add_tile_column(sum, x + o.a * left->stride, y + o.b * right->stride, rows);
    }
  }
}

// Several lanes: each has the rows of some runs.

// The part of AR where the left rows meet the right ones, from place `at` of each row on.
LANE_FN static void write_meeting(mjData* d, const SparseX* X, const Meeting* t, int at) {
  const Run *left = X->run + t->left, *right = X->run + t->right;
  for (int r = 0; r < left->count; r += 4) {
    for (int s = 0; s < right->count; s += 4) {
      Wide sum[16 / LANE_WIDTH];
      mjtNum product[16];
      multiply_tile(X, t, r, s, 4, sum);
      for (int k = 0; k < 16 / LANE_WIDTH; k++) wide_store(product + LANE_WIDTH * k, sum[k]);
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
LANE_FN static int meet_others(mjData* d, const SparseX* X, int p, bool write) {
  Candidates c = open_candidates(X, p, X->count - 1);
  Meeting t;
  int count = 0;
  while (next_meeting(X, &c, &t)) {
    if (write) write_meeting(d, X, &t, count);
    for (int r = 0; write && p == t.right && r < X->run[p].count; r++) {
      d->efc_AR[d->efc_AR_rowadr[X->run[p].first + r] + count + r] += d->efc_R[X->run[p].first + r];
    }
    count += X->run[t.right].count;
  }
  return count;
}

#ifndef __CUDACC__

// One lane: a run meets those before it and itself, and what it has with one of them stands in the
// rows of both. Runs come in order, so the rows of each are filled from the left.

// Adds up how many rows meet those of each run. seen (count): the last run that has met each.
LANE_FN static void count_meetings_alone(mjData* d, const SparseX* X, int* count, int* seen) {
  for (int p = 0; p < X->count; p++) {
    count[p] = 0;
    seen[p] = -1;
    for (int v = X->run[p].visit; v < X->run[p + 1].visit; v++) {
      const int* other = X->tree_visit + X->tree_adr[X->visit[v].tree];
      for (int last = -1; last != v; other++) {
        int q = X->visit[*other].run;
        Overlap o;
        last = *other;
        if (seen[q] == p || !visits_overlap(X, X->visit + v, X->visit + last, &o)) continue;
        seen[q] = p;
        count[p] += X->run[q].count;
        if (q != p) count[q] += X->run[p].count;
      }
    }
  }
  for (int p = 0; p < X->count; p++) {
    for (int r = 0; r < X->run[p].count; r++) d->efc_AR_rownnz[X->run[p].first + r] = count[p];
  }
}

// The first n numbers of some words to rows of AR, which are `stride` long.
LANE_INLINE void write_words(mjtNum* to, const Wide* word, int rows, int stride, int n) {
  for (int u = 0; u < rows; u++, to += stride) {
    if (n >= 4) {
      wide_store(to, word[u]);
    } else {
      for (int v = 0; v < n; v++) to[v] = word[u][v];
    }
  }
}

// Products of rows of two runs, and once more as columns. left_at: where the rows of the left run
// have the columns of the right one; right_at: the other way round.
LANE_FN static void write_both(mjData* d, const SparseX* X, const Meeting* t, mjtNum* left_at,
                               mjtNum* right_at) {
  const Run *left = X->run + t->left, *right = X->run + t->right;
  int wide = d->efc_AR_rownnz[left->first], high = d->efc_AR_rownnz[right->first];
  if (left->count == 1 && right->count == 1) {
    Wide sum;
    multiply_tile(X, t, 0, 0, 1, &sum);
    left_at[0] = right_at[0] = sum[0];
    return;
  }
  for (int r = 0; r < left->count; r += 4) {
    for (int s = 0; s < right->count && !(left == right && s > r); s += 4) {
      Wide sum[4];
      int rows = left->count - r < 4 ? left->count - r : 4;
      int columns = right->count - s < 4 ? right->count - s : 4;
      multiply_tile(X, t, r, s, 4, sum);
      write_words(left_at + r * wide + s, sum, rows, wide, columns);
      if (left == right && s == r) continue;
      wide_transpose(sum);
      write_words(right_at + s * high + r, sum, columns, high, rows);
    }
  }
}

LANE_INLINE void list_run_rows(int* list, const Run* run) {
  for (int r = 0; r < run->count; r++) list[r] = run->first + r;
}

// filled (count): how far the rows of each run are filled.
LANE_FN static void meet_earlier_alone(mjData* d, const SparseX* X, int p, int* filled) {
  const Run* run = X->run + p;
  int start = d->efc_AR_rowadr[run->first], nnz = d->efc_AR_rownnz[run->first];
  Candidates c = open_candidates(X, p, p);
  Meeting t;
  filled[p] = 0;
  while (next_meeting(X, &c, &t)) {
    const Run* other = X->run + t.right;
    int at = start + filled[p], there = d->efc_AR_rowadr[other->first] + filled[t.right];
    write_both(d, X, &t, d->efc_AR + at, d->efc_AR + there);
    list_run_rows(d->efc_AR_colind + at, other);
    filled[p] += other->count;
    if (t.right != p) {
      list_run_rows(d->efc_AR_colind + there, run);
      filled[t.right] += run->count;
    } else {
      for (int r = 0; r < run->count; r++)
        d->efc_AR[at + r * (nnz + 1)] += d->efc_R[run->first + r];
    }
  }
}

// All rows of AR, which have the places that were counted.
LANE_FN static void multiply_runs_alone(mjData* d, const SparseX* X, int* filled) {
  for (int p = 0; p < X->count; p++) meet_earlier_alone(d, X, p, filled);
  for (int p = 0; p < X->count; p++) {
    int nnz = d->efc_AR_rownnz[X->run[p].first];
    int* first = d->efc_AR_colind + d->efc_AR_rowadr[X->run[p].first];
    for (int r = 1; r < X->run[p].count; r++) {
      memcpy(first + (size_t)r * (size_t)nnz, first, (size_t)nnz * sizeof(int));
    }
  }
}

#endif

// Which rows make a run, by all lanes alike; false without room.
LANE_FN static bool find_runs(Lane g, mjData* d, SparseX* X) {
  X->count = 0;
  for (int i = 0; i < d->nefc; i += d->efc_J_rowsuper[i] + 1) X->count++;
  X->run = (Run*)lane_scratch_bytes_(g, d, (size_t)(X->count + 1) * sizeof(Run));
  if (!X->run) return false;
  LANE_ONCE(g) {
    for (int i = 0, p = 0; i < d->nefc; i += d->efc_J_rowsuper[i] + 1, p++) {
      Run run = {i, d->efc_J_rowsuper[i] + 1, 0, 0, 0, 0, 0};
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

// Trees that a run visits, into a list unless that is NULL; returns how many.
LANE_FN static int list_visits(const mjModel* m, const SparseX* X, int p, TreeVisit* list) {
  const Run* run = X->run + p;
  int count = 0, last = -1;
  for (int k = run->column; k < run->column + run->columns; k++) {
    int tree = m->dof_treeid[X->column[k]];
    if (tree != last) {
      TreeVisit visit = {p, tree, k, 0, false};
      if (list) list[count] = visit;
      count++;
      last = tree;
    }
    if (list) list[count - 1].count++;
  }
  return count;
}

LANE_INLINE bool same_columns(const SparseX* X, const TreeVisit* a, const TreeVisit* b) {
  if (a->count != b->count) return false;
  for (int k = 0; k < a->count; k++) {
    if (X->column[a->column + k] != X->column[b->column + k]) return false;
  }
  return true;
}

// Visits by tree; by one lane.
LANE_FN static void deal_visits(const mjModel* m, SparseX* X) {
  int ntree = (int)m->ntree, count = X->run[X->count].visit;
  for (int t = 0; t <= ntree; t++) X->tree_adr[t] = 0;
  for (int v = 0; v < count; v++) X->tree_adr[X->visit[v].tree + 1]++;
  for (int t = 0; t < ntree; t++) X->tree_adr[t + 1] += X->tree_adr[t];

  // moves each start to the next one's
  for (int v = 0; v < count; v++) X->tree_visit[X->tree_adr[X->visit[v].tree]++] = v;
  for (int t = ntree; t > 0; t--) X->tree_adr[t] = X->tree_adr[t - 1];
  X->tree_adr[0] = 0;
  for (int v = 0; v < count; v++) {
    const TreeVisit* first = X->visit + X->tree_visit[X->tree_adr[X->visit[v].tree]];
    X->visit[v].usual = same_columns(X, X->visit + v, first);
  }
}

LANE_FN static bool find_visits(Lane g, const mjModel* m, mjData* d, SparseX* X) {
  LANE_FOR(p, g, X->count) {
    X->run[p].visit = list_visits(m, X, p, NULL);
  }
  LANE_ALONE(g) {
    int sum = 0;
    for (int p = 0; p <= X->count; p++) {
      int count = p < X->count ? X->run[p].visit : 0;
      X->run[p].visit = sum;
      sum += count;
    }
  }
  int count = X->run[X->count].visit;
  X->visit = (TreeVisit*)lane_scratch_bytes_(g, d, (size_t)count * sizeof(TreeVisit));
  X->tree_adr = lane_scratch_int(g, d, (int)m->ntree + 1);
  X->tree_visit = lane_scratch_int(g, d, count);
  if (!X->visit || !X->tree_adr || !X->tree_visit) return false;
  LANE_FOR(p, g, X->count) {
    list_visits(m, X, p, X->visit + X->run[p].visit);
  }
  LANE_ALONE(g) {
    deal_visits(m, X);
  }
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
  return find_visits(g, m, d, X);
}

// Not inlined beside the dense one, which got 18 % more instructions there.
LANE_FN static __attribute__((noinline)) int project_sparse(Lane g, const mjModel* m, mjData* d) {
  SparseX X;
  int placed;
  lane_sync(g);
  LANE_ANSWER(placed, g, ct_place_arrays(m, d, CT_PLACED_AR_ROWS));
  if (!placed) return CT_ROWS_FULL;
  if (!make_sparse_X(g, m, d, &X)) return CT_STACK_FULL;
#ifndef __CUDACC__
  bool alone = lane_count(g) == 1;
  int* filled = alone ? lane_scratch_int(g, d, 2 * X.count) : NULL;
  if (alone && !filled) return CT_STACK_FULL;
  if (alone) count_meetings_alone(d, &X, filled, filled + X.count);
#else
  bool alone = false;
#endif
  LANE_FOR(p, g, alone ? 0 : X.count) {
    int count = meet_others(d, &X, p, false);
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
#ifndef __CUDACC__
  if (alone) {
    multiply_runs_alone(d, &X, filled);
    return CT_OK;
  }
#endif
  LANE_FOR(p, g, X.count) {
    meet_others(d, &X, p, true);
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
