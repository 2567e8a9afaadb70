// Questions about the options of a model, answered from what they are at the moment of the call.

#include <mujoco/mujoco.h>

#include "base/model/options.h"

int mj_isPyramidal(const mjModel* m) {
  return m->opt.cone == mjCONE_PYRAMIDAL;
}

int mj_isSparse(const mjModel* m) {
  return ct_is_sparse(m);
}

// The dual matrix AR is needed by the dual solver and by the iterations that remove slip after any
// solver.
int mj_isDual(const mjModel* m) {
  return m->opt.solver == mjSOL_PGS || m->opt.noslip_iterations > 0;
}
