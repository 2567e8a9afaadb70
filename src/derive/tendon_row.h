// The Jacobian row of a tendon, dense or sparse.

#ifndef CT_DERIVE_TENDON_ROW_H_
#define CT_DERIVE_TENDON_ROW_H_

#include <mujoco/mujoco.h>

#include "base/model/options.h"

typedef struct ct_TendonRow_ {
  int count;
  const mjtNum* value;
  const int* column;  // NULL: all dofs
} ct_TendonRow;

LANE_INLINE ct_TendonRow ct_tendon_row(const mjModel* m, const mjData* d, int t) {
  ct_TendonRow row;
  if (ct_is_sparse(m)) {
    row.count = d->ten_J_rownnz[t];
    row.value = d->ten_J + d->ten_J_rowadr[t];
    row.column = d->ten_J_colind + d->ten_J_rowadr[t];
  } else {
    row.count = (int)m->nv;
    row.value = d->ten_J + (size_t)t * (size_t)m->nv;
    row.column = NULL;
  }
  return row;
}

LANE_INLINE int ct_tendon_dof(ct_TendonRow row, int e) {
  return row.column ? row.column[e] : e;
}

#endif  // CT_DERIVE_TENDON_ROW_H_
