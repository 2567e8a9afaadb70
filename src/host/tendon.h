// Exported functions of tendons that the public headers do not declare.

#ifndef CT_HOST_TENDON_H_
#define CT_HOST_TENDON_H_

#include <mujoco/mujoco.h>

// Time derivative of the Jacobian of a tendon's length, a dense row of nv numbers.
MJAPI void mj_tendonDot(const mjModel* m, mjData* d, int tendon, mjtNum* row);

#endif  // CT_HOST_TENDON_H_
