// Questions about the options of a model, answered from what they are at the moment of the call.

#include <mujoco/mujoco.h>

#define SPARSE_NV 60  // from here on "auto" means a sparse constraint Jacobian

int mj_isPyramidal(const mjModel* m) {
  return m->opt.cone == mjCONE_PYRAMIDAL;
}

int mj_isSparse(const mjModel* m) {
  return m->opt.jacobian == mjJAC_SPARSE || (m->opt.jacobian == mjJAC_AUTO && m->nv >= SPARSE_NV);
}

// The dual matrix AR is needed by the dual solver and by the iterations that remove slip after any
// solver.
int mj_isDual(const mjModel* m) {
  return m->opt.solver == mjSOL_PGS || m->opt.noslip_iterations > 0;
}
