// The path of a step.

#ifndef CT_ENGINE_STEP_H_
#define CT_ENGINE_STEP_H_

#include <stdbool.h>

#include <mujoco/mujoco.h>

#include "base/lanes.h"

// One step, and its stages in order. See step.c.
LANE_FN bool ct_step_lanes(Lane g, const mjModel* m, mjData* d);

LANE_FN void ct_forward(Lane g, const mjModel* m, mjData* d);
LANE_FN void ct_forward_from_velocity(Lane g, const mjModel* m, mjData* d);
LANE_FN void ct_position_stage(Lane g, const mjModel* m, mjData* d);
LANE_FN void ct_velocity_stage(Lane g, const mjModel* m, mjData* d);
LANE_FN void ct_acceleration_stage(Lane g, const mjModel* m, mjData* d);
LANE_FN bool ct_integrate(Lane g, const mjModel* m, mjData* d);
LANE_FN bool ct_runge_kutta(Lane g, const mjModel* m, mjData* d);

// Parts that the host runs between its checks, timers and callbacks.
LANE_FN void ct_velocities(Lane g, const mjModel* m, mjData* d);

// Energies, computed or set to zero, as the flags of the model say.
LANE_FN void ct_position_energy(Lane g, const mjModel* m, mjData* d);
LANE_FN void ct_velocity_energy(Lane g, const mjModel* m, mjData* d);

#endif  // CT_ENGINE_STEP_H_
