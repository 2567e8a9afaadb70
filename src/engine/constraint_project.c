// The inverse inertia that constraint rows see, for solvers that work on forces.
//
//   in    efc_J and its indices, efc_R, qLD, qLDiagInv
//   out   efc_AR, nA; efc_AR_rownnz, efc_AR_rowadr, efc_AR_colind if rows are sparse
//
//   AR = J M^-1 J' + diag(R)
//
// With M = L'DL this is X X' + diag(R), X = J L^-1 D^-1/2. A row of X has an entry wherever the
// elimination can carry one: at the columns of the row of J and at their ancestors in the tree. Two
// rows of AR meet if their rows of X have a dof in common.
//
// Columns of J ascend, and dofs are numbered with each branch of a tree after the one before. So
// what column c adds to the list of ancestors is the part of its row of M in which that differs
// from the row of the column before c, and the list ascends without sorting.

#include <limits.h>

#include "base/scratch.h"
#include "engine/constraint.h"
#include "engine/constraint_memory.h"
#include "engine/options.h"
#include "math/vec.h"

LANE_INLINE bool project_is_wanted(const mjModel* m) {
  return m->opt.solver == mjSOL_PGS || m->opt.noslip_iterations > 0;
}

LANE_FN static bool place_indices(const mjModel* m, mjData* d, int nefc) {
  (void)m;
  CT_PLACE_ARRAYS(CT_PROJECT_INDICES);
}

LANE_FN static bool place_projection(const mjModel* m, mjData* d, int nefc) {
  (void)m;
  (void)nefc;
  CT_PLACE_ARRAYS(CT_PROJECT_ARRAYS);
}

LANE_FN static bool place_columns(const mjModel* m, mjData* d, int nefc) {
  (void)m;
  (void)nefc;
  CT_PLACE_ARRAYS(CT_PROJECT_COLUMNS);
}

// Dense

// x = D^-1/2 L^-T x, by one lane. Rows of J are mostly zero, and so is much of what becomes of
// them.
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

LANE_FN static void dense_projection(Lane g, const mjModel* m, mjData* d, mjtNum* X, int stride) {
  int nefc = d->nefc, nv = (int)m->nv;
  LANE_FOR(i, g, nefc) {
    mjtNum* x = X + (size_t)i * (size_t)stride;
    ct_copy(x, d->efc_J + (size_t)i * (size_t)nv, nv);
    for (int k = nv; k < stride; k++) x[k] = 0;
    project_row(m, d, x);
  }
  lane_sync(g);
  LANE_FOR(i, g, nefc) {
    const mjtNum* x = X + (size_t)i * (size_t)stride;
    mjtNum* row = d->efc_AR + (size_t)i * (size_t)nefc;
    for (int j = 0; j <= i; j++) {
      mjtNum value = ct_dot(x, X + (size_t)j * (size_t)stride, stride);
      if (j == i) value += d->efc_R[i];
      row[j] = value;
      d->efc_AR[(size_t)j * (size_t)nefc + (size_t)i] = value;
    }
  }
  lane_sync(g);
}

LANE_FN static ct_RowResult project_dense(Lane g, const mjModel* m, mjData* d) {
  int placed = 0, stride = ((int)m->nv + 3) / 4 * 4;
  mjtSize most = INT_MAX / (d->nefc > stride ? d->nefc : stride);  // rows that can be counted
  if (d->nefc > most) return CT_ROWS_NO_ROOM;
  lane_sync(g);
  LANE_ONCE(g) {
    d->nA = d->nefc * d->nefc;
    placed = place_projection(m, d, d->nefc) ? 1 : 0;
  }
  lane_sync(g);
  if (!lane_broadcast_int(g, placed)) return CT_ROWS_NO_ROOM;
  mjtNum* X = lane_scratch_num(g, d, d->nefc * stride);
  if (!X) return CT_ROWS_NO_SCRATCH;
  dense_projection(g, m, d, X, stride);
  return CT_ROWS_GOOD;
}

// Sparse

typedef struct {       // rows of X
  int *count, *start;  // (nefc)
  int* column;
  mjtNum* value;
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

// Entries of row i of X, by one lane.
LANE_FN static void project_sparse_row(const mjModel* m, const mjData* d, const SparseX* X, int i) {
  int n = X->count[i], at = 0, end = d->efc_J_rowadr[i] + d->efc_J_rownnz[i];
  int* column = X->column + X->start[i];
  mjtNum* x = X->value + X->start[i];
  list_ancestors(m, d, i, column);
  for (int k = 0; k < n; k++) x[k] = 0;
  for (int k = d->efc_J_rowadr[i]; k < end; k++) {
    while (column[at] != d->efc_J_colind[k]) at++;
    x[at] = d->efc_J[k];
  }
  for (int k = n - 1; k >= 0; k--) {
    int dof = column[k], place = k - 1;
    const int* ancestor = m->M_colind + m->M_rowadr[dof];
    const mjtNum* L = d->qLD + m->M_rowadr[dof];
    for (int a = m->M_rownnz[dof] - 2; a >= 0; a--) {
      while (column[place] != ancestor[a]) place--;
      x[place] -= L[a] * x[k];
    }
    x[k] *= ct_sqrt(d->qLDiagInv[dof]);
  }
}

// Have rows i and j of X a dof in common? Their dot product is *dot, if that is not NULL.
LANE_FN static bool rows_meet(const SparseX* X, int i, int j, mjtNum* dot) {
  int n = X->count[i], k = X->count[j], a = 0, b = 0;
  const int *left = X->column + X->start[i], *right = X->column + X->start[j];
  const mjtNum *x = X->value + X->start[i], *y = X->value + X->start[j];
  bool meet = false;
  mjtNum sum = 0;
  if (n == 0 || k == 0 || left[n - 1] < right[0] || right[k - 1] < left[0]) return false;
  while (a < n && b < k && !(meet && !dot)) {
    if (left[a] == right[b]) {
      meet = true;
      sum += x[a++] * y[b++];
    } else if (left[a] < right[b]) {
      a++;
    } else {
      b++;
    }
  }
  if (dot) *dot = sum;
  return meet;
}

LANE_FN static int count_meetings(const SparseX* X, int i, int n) {
  int count = 0;
  for (int j = 0; j < n; j++) count += rows_meet(X, i, j, NULL) ? 1 : 0;
  return count;
}

LANE_FN static void sparse_projection_row(mjData* d, const SparseX* X, int i) {
  int at = d->efc_AR_rowadr[i];
  for (int j = 0; j < d->nefc; j++) {
    mjtNum value;
    if (!rows_meet(X, i, j, &value)) continue;
    d->efc_AR[at] = value + (i == j ? d->efc_R[i] : 0);
    d->efc_AR_colind[at++] = j;
  }
}

// Room for X, and X itself; false without room.
LANE_FN static bool make_sparse_X(Lane g, const mjModel* m, mjData* d, SparseX* X) {
  X->count = lane_scratch_int(g, d, d->nefc);
  X->start = lane_scratch_int(g, d, d->nefc);
  if (!X->count || !X->start) return false;
  LANE_FOR(i, g, d->nefc) {
    X->count[i] = list_ancestors(m, d, i, NULL);
  }
  lane_sync(g);
  int entries = lane_scan(g, X->start, X->count, d->nefc);
  X->column = lane_scratch_int(g, d, entries);
  X->value = lane_scratch_num(g, d, entries);
  if (!X->column || !X->value) return false;
  LANE_FOR(i, g, d->nefc) {
    project_sparse_row(m, d, X, i);
  }
  lane_sync(g);
  return true;
}

LANE_FN static ct_RowResult project_sparse(Lane g, const mjModel* m, mjData* d) {
  SparseX X;
  int placed = 0;
  lane_sync(g);
  LANE_ONCE(g) {
    placed = place_indices(m, d, d->nefc) ? 1 : 0;
  }
  lane_sync(g);
  if (!lane_broadcast_int(g, placed)) return CT_ROWS_NO_ROOM;
  if (!make_sparse_X(g, m, d, &X)) return CT_ROWS_NO_SCRATCH;
  LANE_FOR(i, g, d->nefc) {
    d->efc_AR_rownnz[i] = count_meetings(&X, i, d->nefc);
  }
  lane_sync(g);
  int entries = lane_scan(g, d->efc_AR_rowadr, d->efc_AR_rownnz, d->nefc);
  LANE_ONCE(g) {
    d->nA = entries;
    placed = place_projection(m, d, d->nefc) && place_columns(m, d, d->nefc) ? 1 : 0;
  }
  lane_sync(g);
  if (!lane_broadcast_int(g, placed)) return CT_ROWS_NO_ROOM;
  LANE_FOR(i, g, d->nefc) {
    sparse_projection_row(d, &X, i);
  }
  lane_sync(g);
  return CT_ROWS_GOOD;
}

LANE_FN ct_RowResult ct_project_constraint(Lane g, const mjModel* m, mjData* d) {
  if (d->nefc == 0 || !project_is_wanted(m)) return CT_ROWS_GOOD;
  if (!lane_mark(g, d)) return CT_ROWS_NO_SCRATCH;
  ct_RowResult result = ct_is_sparse(m) ? project_sparse(g, m, d) : project_dense(g, m, d);
  lane_free(g, d);
  if (result == CT_ROWS_NO_ROOM) ct_forget_rows(g, d);
  return result;
}
