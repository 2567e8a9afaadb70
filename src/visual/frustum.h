// What cameras of the model see.

#ifndef CT_VISUAL_FRUSTUM_H_
#define CT_VISUAL_FRUSTUM_H_

#include <mujoco/mujoco.h>

// Extents of the near plane of a camera with intrinsics: below and above, left and right of its
// axis; in single precision, as the intrinsics are stored.
void ct_intrinsic_extents(const mjModel* m, int cam, float znear, float ver[2], float hor[2]);

#endif  // CT_VISUAL_FRUSTUM_H_
