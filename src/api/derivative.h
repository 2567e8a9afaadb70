// Exported functions of velocity derivatives that the public headers do not declare.

#ifndef CT_API_DERIVATIVE_H_
#define CT_API_DERIVATIVE_H_

#include <mujoco/mujoco.h>

// qDeriv from scratch, with or without the bias forces.
MJAPI void mjd_smooth_vel(const mjModel* m, mjData* d, int with_bias);

// Add to qDeriv.
MJAPI void mjd_actuator_vel(const mjModel* m, mjData* d);
MJAPI void mjd_passive_vel(const mjModel* m, mjData* d);

#endif  // CT_API_DERIVATIVE_H_
