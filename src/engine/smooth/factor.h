// L'DL of the mass matrix and of matrices with its pattern, and solving with it.

#ifndef CT_ENGINE_SMOOTH_FACTOR_H_
#define CT_ENGINE_SMOOTH_FACTOR_H_

#include <stdbool.h>

#include <mujoco/mujoco.h>

#include "base/failure.h"
#include "base/lanes.h"

// M -> qLD, qLDiagInv. See factor.c.
LANE_FN int ct_factor_M(Lane g, const mjModel* m, mjData* d);

// The same, and with it M + h diag(dof_damping) -> qH, qHDiagInv, on the host. False where that
// does not pay, and nothing is done: on several lanes, without room, or where most dofs are on
// their own.
bool ct_factor_M_and_damped(Lane g, const mjModel* m, mjData* d);

// Factors in place a matrix with the pattern of M: on entry LD (nC) has its values, on return L and
// D; invD (nv) receives 1 / D.
LANE_FN void ct_factor(Lane g, const mjModel* m, const mjData* d, mjtNum* LD, mjtNum* invD);

// x = (L'DL)^-1 x in place, x (nv).
LANE_FN void ct_solve(Lane g, const mjModel* m, const mjData* d, const mjtNum* LD,
                      const mjtNum* invD, mjtNum* x);

// The same for dofs that are awake, while some sleep: nothing else is read or written.
LANE_FN void ct_solve_awake(Lane g, const mjModel* m, const mjData* d, const mjtNum* LD,
                            const mjtNum* invD, mjtNum* x);

// The same on one lane for an x that is zero outside of dofs first <= k < end, which are whole
// trees: nothing else is read or written.
LANE_FN void ct_solve_trees(Lane g, const mjModel* m, const mjData* d, const mjtNum* LD,
                            const mjtNum* invD, mjtNum* x, int first, int end);

// The half of it that solves with L' alone: x = L^-T x.
LANE_FN void ct_solve_half(Lane g, const mjModel* m, const mjData* d, const mjtNum* LD, mjtNum* x);

#endif  // CT_ENGINE_SMOOTH_FACTOR_H_
