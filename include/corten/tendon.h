// Forces of tendons.

#ifndef CORTEN_TENDON_H_
#define CORTEN_TENDON_H_

#include <mujoco/mujoco.h>

#ifdef __cplusplus
extern "C" {
#endif

// force (ntendon): what acts along every tendon after mj_forward (R4.5), the sum of its spring and
// damper, of the actuators that pull it, and of its limits, friction loss and equalities. Positive
// lengthens. The transpose of ten_J times these numbers is what tendons contribute to the forces on
// the dofs. Limits of joint forces (jnt_actfrcrange), which act behind the tendon, are left out.
MJAPI void ct_tendon_force(const mjModel* m, const mjData* d, mjtNum* force);

#ifdef __cplusplus
}
#endif

#endif  // CORTEN_TENDON_H_
