// Constraint solvers: from the smooth acceleration to the one that constraints allow.
//
//   solver.c         where to start, what to solve: the whole model or island by island
//   solver_primal.c  Newton's method and conjugate gradients on accelerations
//   solver_dual.c    projected Gauss-Seidel on forces, and the pass that stops slip
//   problem.c, products.c, line_search.c, hessian*.c   what the primal solvers are made of

#ifndef CT_ENGINE_SOLVER_SOLVER_H_
#define CT_ENGINE_SOLVER_SOLVER_H_

#include <math.h>
#include <stdbool.h>

#include <mujoco/mujoco.h>

#include "base/private.h"
#include "engine/solver/problem.h"

// qacc_smooth, rows, qacc_warmstart -> qacc, efc_force, efc_state, qfrc_constraint, statistics.
// CT_SOLVER_UNCONVERGED: it ran out of iterations. Without room for scratch, or with a solver that
// does not exist (CT_BAD_MODEL), qacc is the smooth one.
LANE_FN int ct_forward_constraint(Lane g, const mjModel* m, mjData* d);

// Are there several islands, none with more than so many dofs? A GPU solves such states by a kernel
// of its own (CT_ONLY_ISLANDS).
LANE_INLINE bool ct_islands_are_small(const mjData* d, int most) {
  if (d->nisland <= 0 || ct_private(d)->one_island) return false;
  for (int k = 0; k < d->nisland; k++) {
    if (d->island_nv[k] > most) return false;
  }
  return true;
}

// Newton or conjugate gradients on one problem, from p->acc, Ma (n) = M acc, and the residuals r
// (nefc) = J acc - aref, which are overwritten. r_smooth (nefc): residuals at the smooth
// acceleration.
LANE_FN int ct_solve_primal(Lane g, const mjModel* m, mjData* d, ct_Problem* p, mjtNum* r,
                            const mjtNum* Ma, const mjtNum* r_smooth);

// Gauss-Seidel from efc_force, with efc_AR. residual (nefc): efc_b + AR efc_force, which is
// overwritten.
LANE_FN int ct_solve_dual(Lane g, const mjModel* m, mjData* d, mjtNum* residual);

// Friction without regularisation: more sweeps over what resists sliding.
LANE_FN int ct_stop_slip(Lane g, const mjModel* m, mjData* d);

// res (nefc) = AR efc_force
LANE_FN void ct_AR_times_force(Lane g, const mjModel* m, const mjData* d, mjtNum* res);

// NaN does not converge. As many iterations as are made by default are made with it too, because
// other rows may be sound; what is asked for beyond them would only take time.
LANE_INLINE bool ct_hopeless(mjtNum improvement, int done) {
  enum { WITH_NAN = 100 };
  return done >= WITH_NAN && isnan(improvement);
}

// Writes one iteration of a problem (-1: the whole model) where there is room for it.
LANE_INLINE void ct_save_statistics(mjData* d, int island, int iteration, mjSolverStat stat) {
  int problem = island < 0 ? 0 : island;
  if (problem < mjNISLAND && iteration < mjNSOLVER) {
    d->solver[problem * mjNSOLVER + iteration] = stat;
  }
}

#endif  // CT_ENGINE_SOLVER_SOLVER_H_
