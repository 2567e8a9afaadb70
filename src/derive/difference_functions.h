// Functions of finite differences that the public headers do not declare.

#ifndef CT_DERIVE_DIFFERENCE_FUNCTIONS_H_
#define CT_DERIVE_DIFFERENCE_FUNCTIONS_H_

#include <mujoco/mujoco.h>

#ifdef __cplusplus
extern "C" {
#endif

// qDeriv, where it has places, by differences of qfrc_passive (one-sided), or of all smooth forces
// (centred). The stages of velocities, and for the second of actuators, are run again at the end.
MJAPI void mjd_passive_velFD(const mjModel* m, mjData* d, mjtNum eps);
MJAPI void mjd_smooth_velFD(const mjModel* m, mjData* d, mjtNum eps);

#ifdef __cplusplus
}
#endif

#endif  // CT_DERIVE_DIFFERENCE_FUNCTIONS_H_
