// Velocities of the bodies, and how fast the motion axes turn with them.

#ifndef CT_ENGINE_SMOOTH_COM_VELOCITY_H_
#define CT_ENGINE_SMOOTH_COM_VELOCITY_H_

#include <mujoco/mujoco.h>

#include "base/failure.h"
#include "base/lanes.h"

// cdof, qvel -> cvel, cdof_dot. See com_velocity.c.
LANE_FN int ct_com_velocity(Lane g, const mjModel* m, mjData* d);

#endif  // CT_ENGINE_SMOOTH_COM_VELOCITY_H_
