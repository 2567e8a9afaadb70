// A row of the Jacobian of constraints, dense or sparse.

#ifndef CT_DERIVE_JACOBIAN_ROW_H_
#define CT_DERIVE_JACOBIAN_ROW_H_

#include "base/model/options.h"
#include "derive/slopes.h"

typedef struct ct_JacobianRow_ {
  const mjtNum* value;
  const int* column;  // NULL: all dofs
  int count;
} ct_JacobianRow;

LANE_INLINE ct_JacobianRow ct_jacobian_row(const ct_Slopes* s, int r) {
  ct_JacobianRow row;
  if (ct_is_sparse(s->m)) {
    row.value = s->d->efc_J + s->d->efc_J_rowadr[r];
    row.column = s->d->efc_J_colind + s->d->efc_J_rowadr[r];
    row.count = s->d->efc_J_rownnz[r];
  } else {
    row.value = s->d->efc_J + (size_t)r * (size_t)s->nv;
    row.column = NULL;
    row.count = s->nv;
  }
  return row;
}

LANE_INLINE int ct_row_dof(ct_JacobianRow row, int e) {
  return row.column ? row.column[e] : e;
}

#endif  // CT_DERIVE_JACOBIAN_ROW_H_
