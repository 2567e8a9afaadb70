// Exported functions beside the stages that the public headers do not declare.

#ifndef CT_HOST_SUPPORT_FUNCTIONS_H_
#define CT_HOST_SUPPORT_FUNCTIONS_H_

#include <mujoco/mujoco.h>

#ifdef __cplusplus
extern "C" {
#endif

// mj_integratePos for the joints of the bodies that a list of `count` names; NULL: the first
// bodies. The first entry is taken for the world and skipped.
MJAPI void mj_integratePosInd(const mjModel* m, mjtNum* pos, const mjtNum* velocity, mjtNum time,
                              const int* bodies, int count);

#ifdef __cplusplus
}
#endif

#endif  // CT_HOST_SUPPORT_FUNCTIONS_H_
