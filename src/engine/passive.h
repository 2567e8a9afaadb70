// Passive forces: springs, dampers, gravity compensation, fluid.

#ifndef CT_ENGINE_PASSIVE_H_
#define CT_ENGINE_PASSIVE_H_

#include <stdbool.h>

#include <mujoco/mujoco.h>

#include "base/lanes.h"

// All of them, without the user's callback and plugins. See passive.c.
LANE_FN void ct_passive(Lane g, const mjModel* m, mjData* d);

// Are there passive forces at all? Disabling springs and dampers together switches off every kind.
LANE_INLINE bool ct_has_passive(const mjModel* m) {
  int both = mjDSBL_SPRING | mjDSBL_DAMPER;
  return (m->opt.disableflags & both) != both;
}

#endif  // CT_ENGINE_PASSIVE_H_
