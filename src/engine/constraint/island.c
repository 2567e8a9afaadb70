// Islands: sets of trees that constraint rows tie together, and everything in their order.
//
//   in    rows, M, qLD, qLDiagInv
//   out   nisland, nidof
//         tree_island, dof_island, efc_island     which island each belongs to
//         island_*                                sizes of islands and where they start
//         map_*                                   island order <-> model order
//         iM*, iLD, iLDiagInv, iefc_* to iefc_R   parts of M, its factor and the rows
//
// An island is a connected component of trees, with an edge between any two trees of one row. Trees
// without rows belong to none. Islands are numbered by their smallest tree. In island order the
// trees, dofs and rows of island 0 come first, in the order of the model, then those of island 1,
// and so on, then what is in no island.
//
// Components are found by union-find, where the smallest tree of a set is its root. One lane does
// this, and what concerns whole trees and islands; dofs, rows and matrices are dealt out by all.
// Where one island has everything, which is common, its order is that of the model: arrays are
// copied as they are, and solvers take those of the model.

#include "base/memory/arena_arrays.h"
#include "base/memory/scratch.h"
#include "base/model/equality.h"
#include "base/model/options.h"
#include "engine/constraint/constraint.h"
#include "math/lane_vec.h"
#include "math/sparse.h"
#include "math/vec.h"
#include "soft/contact_bodies.h"

typedef struct {  // sets of trees that grow together; by one lane
  int* parent;    // (ntree) a smaller tree of the set, itself for a root; -1: in no row
  int first;      // tree of the row that is being read; -1: none yet
} TreeSets;

LANE_INLINE int root_of(int* parent, int tree) {
  while (parent[tree] != tree) {
    parent[tree] = parent[parent[tree]];
    tree = parent[tree];
  }
  return tree;
}

// The row has this tree; -1 for what cannot move.
LANE_INLINE void add_tree(TreeSets* sets, int tree) {
  if (tree < 0) return;
  if (sets->parent[tree] < 0) sets->parent[tree] = tree;
  if (sets->first < 0) sets->first = tree;
  int a = root_of(sets->parent, sets->first), b = root_of(sets->parent, tree);
  if (a < b) sets->parent[b] = a;
  if (b < a) sets->parent[a] = b;
}

LANE_FN static void add_trees_of_columns(const mjModel* m, const mjData* d, TreeSets* sets,
                                         int row) {
  int last = -1;
  bool sparse = ct_is_sparse(m);
  int start = sparse ? d->efc_J_rowadr[row] : 0, n = sparse ? d->efc_J_rownnz[row] : (int)m->nv;
  for (int k = 0; k < n; k++) {
    int dof = sparse ? d->efc_J_colind[start + k] : k;
    if (!sparse && d->efc_J[(size_t)row * (size_t)m->nv + (size_t)k] == 0) continue;
    if (m->dof_treeid[dof] == last) continue;
    last = m->dof_treeid[dof];
    add_tree(sets, last);
  }
}

// Trees of a row, -1 for what cannot move, where two bodies, a dof or a joint say it; else the
// first is ASK_COLUMNS. SAME: those of the row before.
typedef struct {
  int first, second;
} RowTrees;

enum { ASK_COLUMNS = -2, SAME = -3 };

#if LANE_WIDTH > 1
typedef int FourIntegers __attribute__((vector_size(4 * sizeof(int)), aligned(4), may_alias));
#endif

LANE_INLINE RowTrees trees_of_row(const mjModel* m, const mjData* d, int row) {
  int type = d->efc_type[row], id = d->efc_id[row];
  RowTrees trees = {ASK_COLUMNS, -1};
  if (type == mjCNSTR_FRICTION_DOF) {
    trees.first = m->dof_treeid[id];
  } else if (type == mjCNSTR_LIMIT_JOINT) {
    trees.first = m->dof_treeid[m->jnt_dofadr[id]];
  } else if (type >= mjCNSTR_CONTACT_FRICTIONLESS && d->contact[id].geom[0] >= 0 &&
             d->contact[id].geom[1] >= 0) {
    trees.first = m->body_treeid[m->geom_bodyid[d->contact[id].geom[0]]];
    trees.second = m->body_treeid[m->geom_bodyid[d->contact[id].geom[1]]];
  } else if (type == mjCNSTR_EQUALITY && ct_holds_points(m, id)) {
    trees.first = m->body_treeid[ct_held_body(m, id, 0)];
    trees.second = m->body_treeid[ct_held_body(m, id, 1)];
  }
  return trees;
}

// Are rows i and i - 1 of the same constraint?
LANE_INLINE bool goes_on(const mjData* d, int i) {
  return d->efc_type[i] == d->efc_type[i - 1] && d->efc_id[i] == d->efc_id[i - 1];
}

// Those of a flex equality hold edges of their own.
LANE_INLINE bool has_rows_of_its_own(const mjModel* m, const mjData* d, int row) {
  return d->efc_type[row] == mjCNSTR_EQUALITY && ct_is_flex_equality(m, d->efc_id[row]);
}

LANE_INLINE RowTrees look_at_row(const mjModel* m, const mjData* d, int i) {
  RowTrees as_before = {SAME, -1};
  return i > 0 && goes_on(d, i) && !has_rows_of_its_own(m, d, i) ? as_before
                                                                 : trees_of_row(m, d, i);
}

// Dense rows of a contact with a flex may be zero, across the direction in which a body slides or
// about the normal, so all of them say which trees it ties. The reference looks at the first row
// alone, leaves others to no island, and ends the program at one of zeros.
LANE_FN static void add_trees_of_contact(const mjModel* m, const mjData* d, TreeSets* sets,
                                         int row) {
  for (int i = row; i == row || (i < d->nefc && goes_on(d, i)); i++) {
    add_trees_of_columns(m, d, sets, i);
  }
  if (sets->first >= 0) return;
  // all of them are: the contact is of bodies that slide along it, and any of their trees will do
  const mjContact* con = d->contact + d->efc_id[row];
  if (!ct_touches_flex(con)) return;
  ct_ContactBodies bodies = ct_contact_bodies(m, d, con);
  ct_walk_start(m, &bodies);
  int dof = ct_walk_dof(&bodies);
  if (dof >= 0) add_tree(sets, m->dof_treeid[dof]);
}

// Ties the trees of each row together and leaves one of them as its first; false if a row has none.
// By one lane.
LANE_FN static bool tie_rows(const mjModel* m, const mjData* d, int* parent, RowTrees* row) {
  TreeSets sets = {parent, -1};
  for (int t = 0; t < m->ntree; t++) parent[t] = -1;
  for (int i = 0; i < d->nefc; i++) {
    if (row[i].first == SAME) {
      row[i].first = row[i - 1].first;
      continue;
    }
    sets.first = -1;
    if (row[i].first == ASK_COLUMNS && d->efc_type[i] >= mjCNSTR_CONTACT_FRICTIONLESS) {
      add_trees_of_contact(m, d, &sets, i);
    } else if (row[i].first == ASK_COLUMNS) {
      add_trees_of_columns(m, d, &sets, i);
    } else {
      add_tree(&sets, row[i].first);
      add_tree(&sets, row[i].second);
    }
    row[i].first = sets.first;
    if (sets.first < 0) return false;
  }
  return true;
}

// Makes parent the island of each tree, -1 for none, and sets nisland and nidof. By one lane.
LANE_FN static void number_islands(const mjModel* m, mjData* d, int* parent) {
  d->nisland = d->nidof = 0;
  for (int t = 0; t < m->ntree; t++) {
    if (parent[t] < 0) continue;
    // roots are smaller than what hangs on them, so they have their numbers, kept as -2 - number
    int up = t;
    while (parent[up] >= 0 && parent[up] != up) up = parent[up];
    int island = parent[up] == up ? d->nisland++ : -2 - parent[up];
    parent[t] = -2 - island;
    d->nidof += m->tree_dofnum[t];
  }
  for (int t = 0; t < m->ntree; t++) parent[t] = parent[t] <= -2 ? -2 - parent[t] : -1;
}

// The starts of parts of these sizes; returns the sum.
LANE_INLINE int starts_of_parts(const int* size, int n, int* start) {
  int sum = 0;
  for (int k = 0; k < n; k++) {
    start[k] = sum;
    sum += size[k];
  }
  return sum;
}

LANE_INLINE void step_back(int* end, const int* size, int n) {
  for (int k = 0; k < n; k++) end[k] -= size[k];
}

// Trees: sizes and starts of islands, maps; tree_start (ntree) = the first dof of each in island
// order. Those in no island are the last. By one lane.
LANE_FN static void list_trees(const mjModel* m, mjData* d, const int* tree_island,
                               int* tree_start) {
  int n = d->nisland, ntree = (int)m->ntree;
  for (int k = 0; k < n; k++) d->island_ntree[k] = d->island_nv[k] = 0;
  for (int t = 0; t < ntree; t++) {
    int island = d->tree_island[t] = tree_island[t];
    if (island < 0) continue;
    d->island_ntree[island]++;
    d->island_nv[island] += m->tree_dofnum[t];
  }
  int rest = starts_of_parts(d->island_ntree, n, d->island_itreeadr), dof = 0;
  starts_of_parts(d->island_nv, n, d->island_idofadr);
  for (int t = 0; t < ntree; t++) {
    int island = tree_island[t], at = island < 0 ? rest++ : d->island_itreeadr[island]++;
    d->map_itree2tree[at] = t;
  }
  step_back(d->island_itreeadr, d->island_ntree, n);
  for (int k = 0; k < ntree; k++) {
    int t = d->map_itree2tree[k];
    tree_start[t] = dof;
    dof += m->tree_dofnum[t];
  }
}

// Dofs of a tree, and its rows of M, follow each other, before and after: all of their numbers move
// by the same. Returns where rows of M of the next tree start. By one lane.
LANE_FN static int list_dofs_of_tree(const mjModel* m, mjData* d, int tree, int island, int start,
                                     int row_start) {
  int dof = m->tree_dofadr[tree], n = m->tree_dofnum[tree];
  int shift = row_start - m->M_rowadr[dof];
  for (int i = 0; i < n; i++) {
    d->dof_island[dof + i] = island;
    d->map_dof2idof[dof + i] = start + i;
    d->map_idof2dof[start + i] = dof + i;
    if (island < 0) continue;
    d->iM_rownnz[start + i] = m->M_rownnz[dof + i];
    d->iM_rowadr[start + i] = m->M_rowadr[dof + i] + shift;
  }
  if (island < 0) return row_start;
  return m->M_rowadr[dof + n - 1] + m->M_rownnz[dof + n - 1] + shift;
}

LANE_FN static void list_dofs(Lane g, const mjModel* m, mjData* d, const int* tree_island,
                              const int* tree_start) {
  if (lane_count(g) == 1) {
    for (int k = 0, row = 0; k < m->ntree; k++) {
      int t = d->map_itree2tree[k];
      row = list_dofs_of_tree(m, d, t, tree_island[t], tree_start[t], row);
    }
  } else {
    LANE_FOR(i, g, m->nv) {
      int t = m->dof_treeid[i], at = tree_start[t] + i - m->tree_dofadr[t];
      d->dof_island[i] = tree_island[t];
      d->map_dof2idof[i] = at;
      d->map_idof2dof[at] = i;
      if (at < d->nidof) d->iM_rownnz[at] = m->M_rownnz[i];
    }
  }
  lane_sync(g);
  LANE_FOR(k, g, d->nisland) {
    d->island_dofadr[k] = d->map_idof2dof[d->island_idofadr[k]];
  }
  if (lane_count(g) > 1) lane_scan(g, d->iM_rowadr, d->iM_rownnz, d->nidof);
}

// Rows: sizes, starts, maps, in one pass after another. By one lane.
LANE_FN static void list_rows(mjData* d) {
  int n = d->nisland;
  for (int k = 0; k < n; k++) d->island_ne[k] = d->island_nf[k] = d->island_nefc[k] = 0;
  for (int i = 0; i < d->nefc; i++) {
    int island = d->efc_island[i];
    d->island_nefc[island]++;
    if (i < d->ne) d->island_ne[island]++;
    if (i >= d->ne && i < d->ne + d->nf) d->island_nf[island]++;
  }
  starts_of_parts(d->island_nefc, n, d->island_iefcadr);
  for (int i = 0; i < d->nefc; i++) {
    int at = d->island_iefcadr[d->efc_island[i]]++;
    d->map_iefc2efc[at] = i;
    d->map_efc2iefc[i] = at;
  }
  step_back(d->island_iefcadr, d->island_nefc, n);
}

// The same by a lane for each island, which looks at all rows.
LANE_FN static void list_rows_lanes(Lane g, mjData* d, const RowTrees* row) {
  LANE_FOR(k, g, d->nisland) {
    int ne = 0, nf = 0, n = 0;
    for (int i = 0; i < d->nefc; i++) {
      bool own = row[i].second == k;
      n += own;
      ne += own && i < d->ne;
      nf += own && i >= d->ne && i < d->ne + d->nf;
    }
    d->island_ne[k] = ne;
    d->island_nf[k] = nf;
    d->island_nefc[k] = n;
  }
  lane_sync(g);
  lane_scan(g, d->island_iefcadr, d->island_nefc, d->nisland);
  LANE_FOR(k, g, d->nisland) {
    int at = d->island_iefcadr[k];
    for (int i = 0; i < d->nefc; i++) {
      if (row[i].second != k) continue;
      d->map_iefc2efc[at] = i;
      d->map_efc2iefc[i] = at++;
    }
  }
  lane_sync(g);
}

// Where the rows of iefc_J start, if it is sparse.
LANE_FN static void place_jacobian(Lane g, mjData* d) {
  LANE_FOR(i, g, d->nefc) {
    d->iefc_J_rownnz[i] = d->efc_J_rownnz[d->map_iefc2efc[i]];
  }
  lane_sync(g);
  lane_scan(g, d->iefc_J_rowadr, d->iefc_J_rownnz, d->nefc);
}

// Rows in island order; row[i].second becomes the island of row i.
LANE_FN static void sort_rows(Lane g, const mjModel* m, mjData* d, const int* tree_island,
                              RowTrees* row) {
  LANE_FOR(i, g, d->nefc) {
    d->efc_island[i] = row[i].second = tree_island[row[i].first];
  }
  lane_sync(g);
  if (lane_count(g) > 1 && d->nisland <= lane_count(g)) {
    list_rows_lanes(g, d, row);
  } else {
    LANE_ONCE(g) {
      list_rows(d);
    }
    lane_sync(g);
  }
  if (ct_is_sparse(m)) place_jacobian(g, d);
}

// Rows of M of a tree follow each other, before and after, and its columns move by one number. By
// one lane.
LANE_FN static void gather_tree(Lane g, const mjModel* m, mjData* d, int tree) {
  int dof = m->tree_dofadr[tree], n = m->tree_dofnum[tree], i = d->map_dof2idof[dof];
  int last = dof + n - 1, from = m->M_rowadr[dof], to = d->iM_rowadr[i];
  int count = m->M_rowadr[last] + m->M_rownnz[last] - from;
  int shift = i - dof - d->island_idofadr[d->tree_island[tree]];
  ct_copy_numbers(g, d->iM + to, d->M + from, count);
  ct_copy_numbers(g, d->iLD + to, d->qLD + from, count);
  ct_copy_numbers(g, d->iLDiagInv + i, d->qLDiagInv + dof, n);
  for (int k = 0; k < count; k++) d->iM_colind[to + k] = m->M_colind[from + k] + shift;
}

LANE_FN static void gather_inertia(Lane g, const mjModel* m, mjData* d) {
  if (lane_count(g) == 1) {
    for (int t = 0; t < m->ntree; t++) {
      if (d->tree_island[t] >= 0) gather_tree(g, m, d, t);
    }
    return;
  }
  LANE_FOR(i, g, d->nidof) {
    int dof = d->map_idof2dof[i], from = m->M_rowadr[dof], to = d->iM_rowadr[i];
    int first = d->island_idofadr[d->dof_island[dof]];
    for (int k = 0; k < d->iM_rownnz[i]; k++) {
      d->iM[to + k] = d->M[from + k];
      d->iLD[to + k] = d->qLD[from + k];
      d->iM_colind[to + k] = d->map_dof2idof[m->M_colind[from + k]] - first;
    }
    d->iLDiagInv[i] = d->qLDiagInv[dof];
  }
}

// Sparse rows from row i on that have their columns in common, by one lane; returns how many.
LANE_FN static int gather_alike(Lane g, mjData* d, int i) {
  int row = d->map_iefc2efc[i], first = d->island_idofadr[d->efc_island[row]];
  int from = d->efc_J_rowadr[row], to = d->iefc_J_rowadr[i], n = d->efc_J_rownnz[row];
  int rows = d->efc_J_rowsuper[row] + 1;
  const int* map = d->map_dof2idof;
  int* column = d->iefc_J_colind + to;
  ct_copy_numbers(g, d->iefc_J + to, d->efc_J + from, rows * n);
  for (int k = 0; k < n; k++) column[k] = map[d->efc_J_colind[from + k]] - first;
  for (int k = n; k < rows * n; k++) column[k] = column[k - n];
  return rows;
}

// Row i in island order: its Jacobian, restricted to the dofs of the island if it is dense.
LANE_INLINE void gather_jacobian(const mjModel* m, mjData* d, int i, bool sparse) {
  int row = d->map_iefc2efc[i], island = d->efc_island[row], first = d->island_idofadr[island];
  if (sparse) {
    int from = d->efc_J_rowadr[row], to = d->iefc_J_rowadr[i];
    for (int k = 0; k < d->iefc_J_rownnz[i]; k++) {
      d->iefc_J[to + k] = d->efc_J[from + k];
      d->iefc_J_colind[to + k] = d->map_dof2idof[d->efc_J_colind[from + k]] - first;
    }
    return;
  }
  int start = d->island_iefcadr[island], nv = d->island_nv[island];
  const mjtNum* from = d->efc_J + (size_t)row * (size_t)m->nv;
  mjtNum* to = d->iefc_J + (size_t)d->nidof * (size_t)start + (size_t)(i - start) * (size_t)nv;
  const int* dof = d->map_idof2dof + first;
  if (dof[nv - 1] - dof[0] == nv - 1) {  // mostly, islands are of neighbouring trees
    ct_copy(to, from + dof[0], nv);
  } else {
    for (int k = 0; k < nv; k++) to[k] = from[dof[k]];
  }
}

LANE_FN static void gather_rows(Lane g, const mjModel* m, mjData* d, bool sparse) {
  LANE_FOR(i, g, d->nefc) {
    int row = d->map_iefc2efc[i];
    d->iefc_type[i] = d->efc_type[row];
    d->iefc_id[i] = d->efc_id[row];
    d->iefc_frictionloss[i] = d->efc_frictionloss[row];
    d->iefc_D[i] = d->efc_D[row];
    d->iefc_R[i] = d->efc_R[row];
    if (lane_count(g) > 1 || !sparse) gather_jacobian(m, d, i, sparse);
  }
  for (int i = 0; lane_count(g) == 1 && sparse && i < d->nefc;) i += gather_alike(g, d, i);
}

// The same by one lane, which knows about rows that follow each other in the model.
LANE_FN static void find_supernodes_alone(mjData* d, int first, int rows) {
  int* super = d->iefc_J_rowsuper + first;
  const int* of = d->map_iefc2efc + first;
  super[rows - 1] = 0;
  for (int i = rows - 2; i >= 0; i--) {
    bool alike = of[i + 1] == of[i] + 1
                     ? d->efc_J_rowsuper[of[i]] > 0
                     : ct_same_columns(first + i, first + i + 1, d->iefc_J_rownnz, d->iefc_J_rowadr,
                                       d->iefc_J_colind);
    super[i] = alike ? super[i + 1] + 1 : 0;
  }
}

// Columns are numbered within an island, so runs of equal ones are sought in each by itself.
LANE_FN static void find_island_supernodes(Lane g, mjData* d) {
  for (int i = 0; i < d->nisland; i++) {
    int first = d->island_iefcadr[i], rows = d->island_nefc[i];
    if (lane_count(g) == 1) {
      find_supernodes_alone(d, first, rows);
    } else {
      ct_find_supernodes(g, rows, d->iefc_J_rowsuper + first, d->iefc_J_rownnz + first,
                         d->iefc_J_rowadr + first, d->iefc_J_colind);
    }
  }
}

// As ct_copy_numbers, for integers.
LANE_FN static void copy_integers(Lane g, int* y, const int* x, int n) {
#if LANE_WIDTH > 1
  if (lane_count(g) == 1 && n >= 4) {
    for (int k = 0; k + 4 < n; k += 4) *(FourIntegers*)(y + k) = *(const FourIntegers*)(x + k);
    *(FourIntegers*)(y + n - 4) = *(const FourIntegers*)(x + n - 4);
    return;
  }
#endif
  lane_copy_int(g, y, x, n);
}

// y[k] = slope k, where slope is 0 or 1.
LANE_FN static void number_integers(Lane g, int* y, int n, int slope) {
#if LANE_WIDTH > 1
  if (lane_count(g) == 1 && n >= 4) {
    FourIntegers next = {0, slope, 2 * slope, 3 * slope}, last = next + slope * (n - 4);
    for (int k = 0; k + 4 < n; k += 4, next += 4 * slope) *(FourIntegers*)(y + k) = next;
    *(FourIntegers*)(y + n - 4) = last;
    return;
  }
#endif
  LANE_FOR(k, g, n) {
    y[k] = slope * k;
  }
}

// Dofs of the only island, which has everything: maps are identities.
LANE_FN static void keep_dofs(Lane g, const mjModel* m, mjData* d) {
  int nv = (int)m->nv;
  number_integers(g, d->dof_island, nv, 0);
  number_integers(g, d->map_dof2idof, nv, 1);
  number_integers(g, d->map_idof2dof, nv, 1);
  LANE_ONCE(g) {
    d->island_dofadr[0] = 0;
  }
  copy_integers(g, d->iM_rownnz, m->M_rownnz, nv);
  copy_integers(g, d->iM_rowadr, m->M_rowadr, nv);
  lane_sync(g);
}

// And rows.
LANE_FN static void keep_rows(Lane g, const mjModel* m, mjData* d) {
  LANE_ONCE(g) {
    d->island_ne[0] = d->ne;
    d->island_nf[0] = d->nf;
    d->island_nefc[0] = d->nefc;
    d->island_iefcadr[0] = 0;
  }
  number_integers(g, d->efc_island, d->nefc, 0);
  number_integers(g, d->map_efc2iefc, d->nefc, 1);
  number_integers(g, d->map_iefc2efc, d->nefc, 1);
  lane_sync(g);
  if (ct_is_sparse(m)) place_jacobian(g, d);
}

LANE_FN static void copy_everything(Lane g, const mjModel* m, mjData* d, bool sparse) {
  ct_copy_numbers(g, d->iM, d->M, (int)m->nC);
  ct_copy_numbers(g, d->iLD, d->qLD, (int)m->nC);
  ct_copy_numbers(g, d->iLDiagInv, d->qLDiagInv, (int)m->nv);
  copy_integers(g, d->iM_colind, m->M_colind, (int)m->nC);
  copy_integers(g, d->iefc_type, d->efc_type, d->nefc);
  copy_integers(g, d->iefc_id, d->efc_id, d->nefc);
  ct_copy_numbers(g, d->iefc_frictionloss, d->efc_frictionloss, d->nefc);
  ct_copy_numbers(g, d->iefc_D, d->efc_D, d->nefc);
  ct_copy_numbers(g, d->iefc_R, d->efc_R, d->nefc);
  ct_copy_numbers(g, d->iefc_J, d->efc_J, d->nJ);
  if (sparse) copy_integers(g, d->iefc_J_colind, d->efc_J_colind, d->nJ);
}

// Finds islands and their memory; returns the status. By one lane.
LANE_FN static int discover(const mjModel* m, mjData* d, int* tree_island, int* tree_start,
                            RowTrees* row) {
  d->nisland = d->nidof = 0;
  if (!tie_rows(m, d, tree_island, row)) return CT_BAD_MODEL;
  number_islands(m, d, tree_island);
  if (!ct_place_arrays(m, d, CT_PLACED_ISLANDS)) {
    d->nidof = 0;
    return CT_ROWS_FULL;
  }
  list_trees(m, d, tree_island, tree_start);
  return CT_OK;
}

LANE_FN static int find_islands(Lane g, const mjModel* m, mjData* d, int* tree_island,
                                RowTrees* row) {
  bool sparse = ct_is_sparse(m);
  int status, *tree_start = tree_island + m->ntree;
  LANE_FOR(i, g, d->nefc) {
    row[i] = look_at_row(m, d, i);
  }
  lane_sync(g);
  LANE_ANSWER(status, g, discover(m, d, tree_island, tree_start, row));
  if (status & CT_NO_ROWS) {  // without islands there are no rows, which contacts must not point at
    ct_forget_rows(g, d);
    return ct_rows_full(g, d);
  }
  if (status) return ct_blame_model(g, d, CT_CAUSE_ADRIFT, 0);
  if (ct_is_everything(m, d)) {
    keep_dofs(g, m, d);
    keep_rows(g, m, d);
    copy_everything(g, m, d, sparse);
  } else {
    list_dofs(g, m, d, tree_island, tree_start);
    sort_rows(g, m, d, tree_island, row);
    gather_inertia(g, m, d);
    gather_rows(g, m, d, sparse);
  }
  lane_sync(g);
  if (sparse) find_island_supernodes(g, d);
  return CT_OK;
}

// Memory of the only island. By one lane.
LANE_FN static bool place_only_island(const mjModel* m, mjData* d) {
  d->nisland = 1;
  d->nidof = (int)m->nv;
  if (!ct_islands_have_room(d) || ct_place_arrays(m, d, CT_PLACED_ISLANDS)) return true;
  d->nidof = 0;
  return false;
}

// The only tree is the only island.
LANE_FN static void keep_tree(Lane g, const mjModel* m, mjData* d) {
  LANE_ONCE(g) {
    d->tree_island[0] = d->map_itree2tree[0] = 0;
    d->island_ntree[0] = 1;
    d->island_nv[0] = (int)m->nv;
    d->island_itreeadr[0] = d->island_idofadr[0] = 0;
  }
}

LANE_FN static int keep_as_only_island(Lane g, const mjModel* m, mjData* d) {
  int placed;
  LANE_ANSWER(placed, g, place_only_island(m, d));
  if (!placed) {
    ct_forget_rows(g, d);
    return ct_rows_full(g, d);
  }
  if (ct_private(d)->one_island) return CT_OK;  // nobody asks for what is kept
  bool sparse = ct_is_sparse(m);
  keep_tree(g, m, d);
  keep_dofs(g, m, d);
  keep_rows(g, m, d);
  copy_everything(g, m, d, sparse);
  lane_sync(g);
  if (sparse) find_island_supernodes(g, d);
  return CT_OK;
}

LANE_FN int ct_island(Lane g, const mjModel* m, mjData* d) {
  if ((m->opt.disableflags & mjDSBL_ISLAND) || d->nefc == 0) {
    LANE_ALONE(g) {
      d->nisland = d->nidof = 0;
    }
    return CT_OK;
  }
  // a pair may be of two bodies that cannot move
  if (ct_private(d)->one_island || (ct_has_one_island(m) && m->npair == 0)) {
    return keep_as_only_island(g, m, d);
  }
  if (!lane_mark(g, d)) return CT_STACK_FULL;
  int status = CT_STACK_FULL;
  int* trees = lane_scratch_int(g, d, 2 * (int)m->ntree);
  RowTrees* rows = (RowTrees*)lane_scratch_int(g, d, 2 * d->nefc);
  if (trees && rows) status = find_islands(g, m, d, trees, rows);
  lane_free(g, d);
  return status;
}
