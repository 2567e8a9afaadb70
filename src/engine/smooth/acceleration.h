// Smooth acceleration: what all forces but those of constraints do.

#ifndef CT_ENGINE_SMOOTH_ACCELERATION_H_
#define CT_ENGINE_SMOOTH_ACCELERATION_H_

#include <mujoco/mujoco.h>

#include "base/failure.h"
#include "base/lanes.h"

// qfrc_smooth and qacc_smooth. See acceleration.c.
LANE_FN int ct_acceleration(Lane g, const mjModel* m, mjData* d);

// qfrc_smooth alone.
LANE_FN void ct_smooth_force(Lane g, const mjModel* m, mjData* d);

// Adds xfrc_applied of all bodies to a force on the dofs (nv).
LANE_FN void ct_add_applied(Lane g, const mjModel* m, const mjData* d, mjtNum* force);

#endif  // CT_ENGINE_SMOOTH_ACCELERATION_H_
