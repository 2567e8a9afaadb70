// State vectors and keyframes beyond the public functions in mujoco/mujoco.h.

#ifndef CT_HOST_STATE_H_
#define CT_HOST_STATE_H_

#include <mujoco/mujoco.h>

// Copies keyframe k, which must exist, from the model into the data: the reverse of mj_setKeyframe.
void ct_load_keyframe(const mjModel* m, mjData* d, int k);

#endif  // CT_HOST_STATE_H_
