// Questions about the options of a model that stages ask.

#ifndef CT_BASE_MODEL_OPTIONS_H_
#define CT_BASE_MODEL_OPTIONS_H_

#include <stdbool.h>

#include <mujoco/mujoco.h>

#include "base/lanes.h"

// A kernel of a GPU may be made for some models only, so that it has nothing else in it:
//
//   CT_ONLY_SOLVER, CT_ONLY_CONE, CT_ONLY_INTEGRATOR  with these options
//   CT_ONLY_DENSE    dense Jacobians and at most CT_SMALL dofs (engine/solver/problem.h)
//   CT_ONLY_ISLANDS  states with islands of at most CT_SMALL dofs (ct_islands_are_small)
//   CT_ONLY_PRESENT  no delays and no history
//   CT_ONLY_RIGID    no flexes
//   CT_ONLY_AWAKE    nothing sleeps (base/model/awake.h)
//   CT_ONLY_SHAPES   which shapes collide (collide/shape.h)
//
// Elsewhere the model decides.
LANE_INLINE int ct_solver(const mjModel* m) {
#ifdef CT_ONLY_SOLVER
  (void)m;
  return CT_ONLY_SOLVER;
#else
  return m->opt.solver;
#endif
}

LANE_INLINE int ct_cone(const mjModel* m) {
#ifdef CT_ONLY_CONE
  (void)m;
  return CT_ONLY_CONE;
#else
  return m->opt.cone;
#endif
}

// Can there be elliptic contacts?
LANE_INLINE bool ct_may_be_elliptic(void) {
#ifdef CT_ONLY_CONE
  return CT_ONLY_CONE == mjCONE_ELLIPTIC;
#else
  return true;
#endif
}

// Iterations of the pass that stops slip; none where there is one solver only.
LANE_INLINE int ct_noslip_iterations(const mjModel* m) {
#ifdef CT_ONLY_SOLVER
  (void)m;
  return 0;
#else
  return m->opt.noslip_iterations;
#endif
}

// The integrator that is meant, in place of the one that is asked for.
LANE_INLINE int ct_integrator(int asked) {
#ifdef CT_ONLY_INTEGRATOR
  (void)asked;
  return CT_ONLY_INTEGRATOR;
#else
  return asked;
#endif
}

// Are controls or sensor values of earlier steps kept?
LANE_INLINE bool ct_has_history(const mjModel* m) {
#ifdef CT_ONLY_PRESENT
  (void)m;
  return false;
#else
  return m->nhistory > 0;
#endif
}

LANE_INLINE bool ct_has_flexes(const mjModel* m) {
#ifdef CT_ONLY_RIGID
  (void)m;
  return false;
#else
  return m->nflex > 0;
#endif
}

#define CT_SPARSE_NV 60  // from here on "auto" means sparse Jacobians

// Are Jacobians of tendons and constraints stored as sparse rows?
LANE_INLINE bool ct_is_sparse(const mjModel* m) {
#ifdef CT_ONLY_DENSE
  (void)m;
  return false;
#else
  return m->opt.jacobian == mjJAC_SPARSE ||
         (m->opt.jacobian == mjJAC_AUTO && m->nv >= CT_SPARSE_NV);
#endif
}

#endif  // CT_BASE_MODEL_OPTIONS_H_
