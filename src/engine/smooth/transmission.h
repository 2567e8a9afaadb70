// Transmissions: lengths of actuators, and how their forces reach the dofs.

#ifndef CT_ENGINE_SMOOTH_TRANSMISSION_H_
#define CT_ENGINE_SMOOTH_TRANSMISSION_H_

#include <mujoco/mujoco.h>

#include "base/failure.h"
#include "base/lanes.h"

// actuator_length and the sparse rows of actuator_moment. See transmission.c.
LANE_FN int ct_transmission(Lane g, const mjModel* m, mjData* d);

// actuator_velocity = actuator_moment qvel, or 0 if actuation is disabled
LANE_FN int ct_actuator_velocity(Lane g, const mjModel* m, mjData* d);

#endif  // CT_ENGINE_SMOOTH_TRANSMISSION_H_
