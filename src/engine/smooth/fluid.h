// Forces of the medium around the bodies.

#ifndef CT_ENGINE_SMOOTH_FLUID_H_
#define CT_ENGINE_SMOOTH_FLUID_H_

#include <stdbool.h>

#include <mujoco/mujoco.h>

#include "base/failure.h"
#include "base/lanes.h"

// Is there a medium?
LANE_INLINE bool ct_has_fluid(const mjModel* m) {
  return m->opt.viscosity != 0 || m->opt.density != 0;
}

// Adds to qfrc_fluid, which the caller has cleared. See fluid.c.
LANE_FN int ct_fluid(Lane g, const mjModel* m, mjData* d);

// wrench: torque and force of the medium on body b, in world axes at the reference point of its
// tree. Zero for bodies that the medium does not act on.
LANE_FN void ct_fluid_wrench(const mjModel* m, const mjData* d, int b, mjtNum wrench[6]);

// damping (36, row-major): how the wrench of the medium on body b (torque, force) changes with the
// velocity of the body (angular, linear), both in world axes at the reference point of its tree.
// Zero for bodies that the medium does not act on. symmetric: half the sum with its transpose.
LANE_FN void ct_fluid_damping(const mjModel* m, const mjData* d, int b, bool symmetric,
                              mjtNum damping[36]);

// The same without the terms that the reference leaves out of it: how the wrench really changes.
LANE_FN void ct_fluid_slope(const mjModel* m, const mjData* d, int b, mjtNum slope[36]);

// bend (36, row-major): how `damping` times a twist, which stays as it is, changes with the
// velocity of body b.
LANE_FN void ct_fluid_bend(const mjModel* m, const mjData* d, int b, bool symmetric,
                           const mjtNum twist[6], mjtNum bend[36]);

#endif  // CT_ENGINE_SMOOTH_FLUID_H_
