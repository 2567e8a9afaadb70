// Questions about the options of a model that stages ask.

#ifndef CT_BASE_MODEL_OPTIONS_H_
#define CT_BASE_MODEL_OPTIONS_H_

#include <stdbool.h>

#include <mujoco/mujoco.h>

#include "base/lanes.h"

#define CT_SPARSE_NV 60  // from here on "auto" means sparse Jacobians

// Are Jacobians of tendons and constraints stored as sparse rows?
LANE_INLINE bool ct_is_sparse(const mjModel* m) {
  return m->opt.jacobian == mjJAC_SPARSE ||
         (m->opt.jacobian == mjJAC_AUTO && m->nv >= CT_SPARSE_NV);
}

#endif  // CT_BASE_MODEL_OPTIONS_H_
