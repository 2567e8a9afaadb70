// Passive forces: springs, dampers, gravity compensation, fluid.

#ifndef CT_ENGINE_SMOOTH_PASSIVE_H_
#define CT_ENGINE_SMOOTH_PASSIVE_H_

#include <stdbool.h>

#include <mujoco/mujoco.h>

#include "base/failure.h"
#include "base/lanes.h"

// All of them, without the user's callback and plugins. See passive.c.
LANE_FN int ct_passive(Lane g, const mjModel* m, mjData* d);

// Are there passive forces at all? Disabling springs and dampers together switches off every kind.
LANE_INLINE bool ct_has_passive(const mjModel* m) {
  int both = mjDSBL_SPRING | mjDSBL_DAMPER;
  return (m->opt.disableflags & both) != both;
}

// Force of the tendon's spring; none inside its dead band.
LANE_INLINE mjtNum ct_tendon_spring(const mjModel* m, const mjData* d, int t) {
  mjtNum length = d->ten_length[t], stiffness = m->tendon_stiffness[t];
  mjtNum lower = m->tendon_lengthspring[2 * t], upper = m->tendon_lengthspring[2 * t + 1];
  if (length > upper) return stiffness * (upper - length);
  if (length < lower) return stiffness * (lower - length);
  return 0;
}

#endif  // CT_ENGINE_SMOOTH_PASSIVE_H_
