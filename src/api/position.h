// Functions of the position stage that the shared library exports beside the public headers.

#ifndef CT_API_POSITION_H_
#define CT_API_POSITION_H_

#include <mujoco/mujoco.h>

#ifdef __cplusplus
extern "C" {
#endif

// mj_integratePos for the joints of the nbody bodies that index lists; index NULL: the first nbody.
// The first entry is taken for the world and skipped.
MJAPI void mj_integratePosInd(const mjModel* m, mjtNum* qpos, const mjtNum* qvel, mjtNum dt,
                              const int* index, int nbody);

#ifdef __cplusplus
}
#endif

#endif  // CT_API_POSITION_H_
