// Sparsity patterns of inertia matrices.
//
//   M  (nv x nv)     lower triangle: row i has the dofs up to the root; simple dofs only themselves
//   D  (nv x nv)     both triangles: row i has the dofs up to the root and all dofs below
//   B  (nbody x nv)  the same for the dofs of a body and all bodies above and below
//
// Dofs are numbered in depth-first order. So the ones below dof i are i + 1 ... end - 1, and the
// way to the root visits smaller numbers.

#include "compile/compile.h"

// Writes the dofs from j up to the root, increasing, ending before `stop`; returns how many.
static int put_chain(const ct_Dofs* dof, int* column, int j) {
  int count = j >= 0 ? dof->chain[j] : 0;
  for (int k = count - 1; k >= 0; k--) {
    column[k] = j;
    j = dof->parent[j];
  }
  return count;
}

static void copy_m(ct_Compiler* c) {
  mjModel* m = c->model;
  for (int i = 0, adr = 0; i < m->nv; i++) {
    m->M_rowadr[i] = adr;
    if (c->dof.simplenum[i]) {
      m->M_rownnz[i] = 1;
      m->M_colind[adr] = i;
    } else {
      m->M_rownnz[i] = put_chain(&c->dof, m->M_colind + adr, i);
    }

    // the legacy layout goes the other way: diagonal first, then up
    int nnz = m->M_rownnz[i];
    for (int k = 0; k < nnz; k++) m->mapM2M[adr + k] = m->dof_Madr[i] + nnz - 1 - k;
    adr += nnz;
  }
}

static void copy_d(ct_Compiler* c) {
  mjModel* m = c->model;
  for (int i = 0, adr = 0; i < m->nv; i++) {
    int nnz = put_chain(&c->dof, m->D_colind + adr, i);
    m->D_rowadr[i] = adr;
    m->D_diag[i] = nnz - 1;
    for (int j = i + 1; j < c->dof.end[i]; j++) m->D_colind[adr + nnz++] = j;
    m->D_rownnz[i] = nnz;
    adr += nnz;
  }
}

// Index in M of its entry (row, column), column <= row; -1: not stored. The place of an ancestor in
// a row is its depth.
static int find_in_m(const ct_Compiler* c, int row, int column) {
  const mjModel* m = c->model;
  if (!c->dof.simplenum[row]) return m->M_rowadr[row] + c->dof.chain[column] - 1;
  return row == column ? m->M_rowadr[row] : -1;
}

static void copy_maps(ct_Compiler* c) {
  mjModel* m = c->model;
  for (int i = 0; i < m->nv; i++) {
    for (int k = 0; k < m->D_rownnz[i]; k++) {
      int at = m->D_rowadr[i] + k, j = m->D_colind[at];
      int in_m = j <= i ? find_in_m(c, i, j) : find_in_m(c, j, i);
      m->mapM2D[at] = in_m;
      if (j <= i && in_m >= 0) m->mapD2M[in_m] = at;
    }
  }
}

static void copy_b(ct_Compiler* c) {
  mjModel* m = c->model;
  int nbody = (int)m->nbody;
  int* end = (int*)ct_pool_array(&c->pool, (size_t)nbody, sizeof(int));  // after the subtree's dofs
  int* last = (int*)ct_pool_array(&c->pool, (size_t)nbody, sizeof(int));  // dof up to the parent
  for (int b = 0; b < nbody; b++) end[b] = ct_body_at(c, b)->dofadr + ct_body_at(c, b)->dofnum;
  for (int b = nbody - 1; b > 0; b--) {
    int parent = m->body_parentid[b];
    if (end[parent] < end[b]) end[parent] = end[b];
  }
  last[0] = -1;
  for (int b = 1; b < nbody; b++) {
    const ct_WorkBody* parent = ct_body_at(c, m->body_parentid[b]);
    last[b] = parent->dofnum ? parent->dofadr + parent->dofnum - 1 : last[parent->head.id];
  }
  for (int b = 0, adr = 0; b < nbody; b++) {
    int nnz = put_chain(&c->dof, m->B_colind + adr, last[b]);
    for (int j = ct_body_at(c, b)->dofadr; j < end[b]; j++) m->B_colind[adr + nnz++] = j;
    m->B_rowadr[b] = adr;
    m->B_rownnz[b] = nnz;
    adr += nnz;
  }
}

void ct_copy_sparsity(ct_Compiler* c) {
  copy_m(c);
  copy_d(c);
  copy_maps(c);
  copy_b(c);
}
