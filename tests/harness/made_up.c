#include "harness/made_up.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/model/fields.h"

enum { TREE_DOFS = 3 };

mjModel* load_trees(bool sparse) {
  mjModel* m = mj_loadModel(CT_SOURCE_DIR "/tests/recorded/models/cloth.mjb", NULL);
  assert_non_null(m);
  assert_int_equal(m->tree_dofnum[0], TREE_DOFS);
  m->opt.jacobian = sparse ? mjJAC_SPARSE : mjJAC_DENSE;
  m->opt.disableflags = 0;
  return m;
}

static bool is_sparse(const mjModel* m) {
  return m->opt.jacobian == mjJAC_SPARSE;
}

// Memory for every array of the arena; the real arena stays out of it.
static void allocate(const mjModel* m, mjData* d) {
  for (int i = 0; i < ct_narena_field; i++) {
    const ct_Field* f = ct_arena_fields + i;
    *ct_field_pointer(f, d) = calloc(ct_field_bytes(f, m, d) + 1, 1);
  }
}

void delete_made_up(mjData* d) {
  for (int i = 0; i < ct_narena_field; i++) {
    free(*ct_field_pointer(ct_arena_fields + i, d));
    *ct_field_pointer(ct_arena_fields + i, d) = NULL;
  }
  mj_deleteData(d);
}

// A number that belongs to a row of a contact, whatever its place.
static mjtNum number(int contact, int row, int what) {
  return (mjtNum)(0.3 + contact + 0.1 * row + 0.013 * what);
}

static void make_contact(mjData* d, int i, int contact) {
  mjContact* c = d->contact + i;
  c->geom[0] = c->geom1 = 0;
  c->geom[1] = c->geom2 = 1 + contact;
  c->flex[0] = c->flex[1] = c->elem[0] = c->elem[1] = c->vert[0] = c->vert[1] = -1;
  c->pos[0] = (mjtNum)contact;
  c->dist = (mjtNum)(-0.01 * (contact + 1));
  c->dim = 3;
  c->efc_address = i * ROWS_EACH;
}

// Row i of the Jacobian, on the dofs of its tree.
static void make_jacobian(const mjModel* m, mjData* d, int i, int contact, int row) {
  int first = m->tree_dofadr[contact % ISLANDS], nv = (int)m->nv;
  for (int k = 0; k < TREE_DOFS; k++) {
    int at = is_sparse(m) ? i * TREE_DOFS + k : i * nv + first + k;
    d->efc_J[at] = number(contact, row, k);
    if (is_sparse(m)) d->efc_J_colind[at] = first + k;
  }
  d->efc_J_rownnz[i] = TREE_DOFS;
  d->efc_J_rowadr[i] = i * TREE_DOFS;
}

static void make_row(const mjModel* m, mjData* d, int i, int contact, int row) {
  d->efc_type[i] = mjCNSTR_CONTACT_PYRAMIDAL;
  d->efc_id[i] = i / ROWS_EACH;
  d->efc_D[i] = number(contact, row, 11);
  d->efc_R[i] = 1 / d->efc_D[i];
  d->efc_pos[i] = number(contact, row, 12);
  d->efc_aref[i] = number(contact, row, 13);
  d->efc_vel[i] = number(contact, row, 14);
  d->efc_force[i] = number(contact, row, 15);
  d->efc_state[i] = mjCNSTRSTATE_QUADRATIC;
  d->efc_island[i] = contact % ISLANDS;
  make_jacobian(m, d, i, contact, row);
}

// Inertia in constraint space: every row couples with every row of its island.
static void make_projection(const mjModel* m, mjData* d, const int order[CONTACTS]) {
  int next = 0;
  for (int i = 0; i < ROWS; i++) {
    int c = order[i / ROWS_EACH];
    d->efc_AR_rowadr[i] = next;
    for (int j = 0; j < ROWS; j++) {
      int e = order[j / ROWS_EACH];
      if (c % ISLANDS != e % ISLANDS) continue;
      int at = is_sparse(m) ? next : i * ROWS + j;
      d->efc_AR[at] = number(c, i % ROWS_EACH, 21) * number(e, j % ROWS_EACH, 21);
      if (is_sparse(m)) d->efc_AR_colind[at] = j;
      next++;
    }
    d->efc_AR_rownnz[i] = next - d->efc_AR_rowadr[i];
  }
}

static void make_trees(const mjModel* m, mjData* d) {
  for (int t = 0; t < m->ntree; t++) d->tree_island[t] = t < ISLANDS ? t : -1;
  for (int t = 0; t < m->ntree; t++) d->map_itree2tree[t] = t;
  for (int i = 0; i < m->nv; i++) {
    d->dof_island[i] = d->tree_island[m->dof_treeid[i]];
    d->map_dof2idof[i] = d->map_idof2dof[i] = i;
  }
  for (int k = 0; k < ISLANDS; k++) {
    d->island_ntree[k] = 1;
    d->island_itreeadr[k] = k;
    d->island_nv[k] = TREE_DOFS;
    d->island_idofadr[k] = d->island_dofadr[k] = k * TREE_DOFS;
    d->island_nefc[k] = ROWS / ISLANDS;
    d->island_iefcadr[k] = k * ROWS / ISLANDS;
  }
}

// Row i, gathered to its place in island order.
static void gather(const mjModel* m, mjData* d, int i, int place) {
  int island = d->efc_island[i], first = d->island_iefcadr[island];
  d->map_efc2iefc[i] = place;
  d->map_iefc2efc[place] = i;
  d->iefc_type[place] = d->efc_type[i];
  d->iefc_id[place] = d->efc_id[i];
  d->iefc_D[place] = d->efc_D[i];
  d->iefc_R[place] = d->efc_R[i];
  d->iefc_force[place] = d->efc_force[i];
  d->iefc_state[place] = d->efc_state[i];
  d->iefc_J_rownnz[place] = TREE_DOFS;
  d->iefc_J_rowadr[place] = place * TREE_DOFS;
  int to = is_sparse(m) ? place * TREE_DOFS : d->nidof * first + (place - first) * TREE_DOFS;
  int from = is_sparse(m) ? i * TREE_DOFS : i * (int)m->nv + island * TREE_DOFS;
  for (int k = 0; k < TREE_DOFS; k++) {
    d->iefc_J[to + k] = d->efc_J[from + k];
    if (is_sparse(m)) d->iefc_J_colind[to + k] = k;
  }
}

// Rows after each one that have the same dofs, counted from the end; islands do not mix.
static void count_alike(mjData* d) {
  for (int i = ROWS - 2; i >= 0; i--) {
    bool alike = d->efc_island[i] == d->efc_island[i + 1];
    d->efc_J_rowsuper[i] = alike ? d->efc_J_rowsuper[i + 1] + 1 : 0;
    alike = i + 1 != d->island_iefcadr[1];
    d->iefc_J_rowsuper[i] = alike ? d->iefc_J_rowsuper[i + 1] + 1 : 0;
  }
}

mjData* make_up(const mjModel* m, const int order[CONTACTS]) {
  mjData* d = mj_makeData(m);
  for (int i = 0; i < m->nq; i++) d->qpos[i] = (mjtNum)(0.1 * i);
  for (int i = 0; i < m->nv; i++) d->qacc[i] = (mjtNum)(0.2 * i - 1);
  d->ncon = CONTACTS;
  d->nefc = ROWS;
  d->nisland = ISLANDS;
  d->nidof = ISLANDS * TREE_DOFS;
  d->nJ = is_sparse(m) ? ROWS * TREE_DOFS : ROWS * (int)m->nv;
  d->nA = is_sparse(m) ? ROWS * ROWS / ISLANDS : ROWS * ROWS;
  allocate(m, d);
  for (int i = 0; i < CONTACTS; i++) make_contact(d, i, order[i]);
  for (int i = 0; i < ROWS; i++) make_row(m, d, i, order[i / ROWS_EACH], i % ROWS_EACH);
  make_projection(m, d, order);
  make_trees(m, d);
  int place = 0;
  for (int k = 0; k < ISLANDS; k++) {
    for (int i = 0; i < ROWS; i++) {
      if (d->efc_island[i] == k) gather(m, d, i, place++);
    }
  }
  if (is_sparse(m)) count_alike(d);
  return d;
}
