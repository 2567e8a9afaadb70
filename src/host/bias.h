// Exported functions of bias forces that the public headers do not declare.

#ifndef CT_HOST_BIAS_H_
#define CT_HOST_BIAS_H_

#include <mujoco/mujoco.h>

// Adds to force (nv) what the inertia of tendons demands.
MJAPI void mj_tendonBias(const mjModel* m, mjData* d, mjtNum* force);

#endif  // CT_HOST_BIAS_H_
