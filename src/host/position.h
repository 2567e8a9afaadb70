// Functions of the position stage that the shared library exports beside the public headers.

#ifndef CT_HOST_POSITION_H_
#define CT_HOST_POSITION_H_

#include <stdbool.h>

#include <mujoco/mujoco.h>

#ifdef __cplusplus
extern "C" {
#endif

// mj_integratePos for the joints of the bodies that are listed; listed_body NULL: the first
// nlisted. The first entry is taken for the world and skipped.
MJAPI void mj_integratePosInd(const mjModel* m, mjtNum* qpos, const mjtNum* qvel, mjtNum duration,
                              const int* listed_body, int nlisted);

// Do all joints have a type that exists? If not, as in an edited model, this is an error of
// `function`.
bool ct_joints_exist(const mjModel* m, const char* function);

#ifdef __cplusplus
}
#endif

#endif  // CT_HOST_POSITION_H_
