// Tendons: paths, lengths, Jacobians.

#ifndef CT_ENGINE_SMOOTH_TENDON_H_
#define CT_ENGINE_SMOOTH_TENDON_H_

#include <mujoco/mujoco.h>

#include "base/failure.h"
#include "base/lanes.h"
#include "math/scalar.h"

// Paths, lengths and Jacobians of all tendons. See tendon.c.
LANE_FN int ct_tendon(Lane g, const mjModel* m, mjData* d);

// ten_velocity = ten_J qvel
LANE_FN int ct_tendon_velocity(Lane g, const mjModel* m, mjData* d);

// Time derivative of the Jacobian row of one tendon (nv, dense), from cvel and cdof_dot. Only
// tendons without geoms in their paths have one; the pieces next to a geom are left out.
LANE_FN void ct_tendon_dot(Lane g, const mjModel* m, const mjData* d, int tendon, mjtNum* Jdot);

// The site on whose side geom element k of a path is passed, as the model has it; -1: none,
// -2: not even an int.
LANE_INLINE int ct_wrap_side(const mjModel* m, int k) {
  mjtNum side = m->wrap_prm[k];
  mjtNum nearest = side < 0 ? side - (mjtNum)0.5 : side + (mjtNum)0.5;
  return ct_abs(nearest) < (mjtNum)2147483648.0 ? (int)nearest : -2;
}

// Is element k of a path a geom to bend around?
LANE_INLINE int ct_is_wrap_geom(const mjModel* m, int k) {
  return m->wrap_type[k] == mjWRAP_SPHERE || m->wrap_type[k] == mjWRAP_CYLINDER;
}

#endif  // CT_ENGINE_SMOOTH_TENDON_H_
