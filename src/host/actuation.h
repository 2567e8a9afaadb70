// Exported functions of actuators that the public headers do not declare.

#ifndef CT_HOST_ACTUATION_H_
#define CT_HOST_ACTUATION_H_

#include <mujoco/mujoco.h>

// Is the actuator in a group that is switched off?
MJAPI int mj_actuatorDisabled(const mjModel* m, int actuator);

#endif  // CT_HOST_ACTUATION_H_
