// Rotations for pictures, with the C library's sine, cosine and arc tangent.
//
// A picture need not have the same bits on every machine, as a step has; it has those of the
// reference, which uses the C library too.

#ifndef CT_VISUAL_TURNS_H_
#define CT_VISUAL_TURNS_H_

#include <math.h>

#include "math/quat.h"

static inline void ct_turn_about(mjtNum quat[4], const mjtNum axis[3], mjtNum angle) {
  ct_unit4(quat);
  if (angle == 0) return;
  quat[0] = (mjtNum)cos((double)angle * 0.5);
  ct_scl3(quat + 1, axis, (mjtNum)sin((double)angle * 0.5));
}

// The matrix of the shortest turn of the z axis to v, as ct_quat_z_to_vec has it.
static inline void ct_turn_z_to(mjtNum mat[9], const mjtNum v[3]) {
  mjtNum target[3] = {v[0], v[1], v[2]}, z[3] = {0, 0, 1}, axis[3], quat[4] = {1, 0, 0, 0};
  if (ct_normalize3(target) >= (mjtNum)mjMINVAL) {
    ct_cross(axis, z, target);
    mjtNum sine = ct_normalize3(axis);
    if (sine >= (mjtNum)mjMINVAL) {
      ct_turn_about(quat, axis, (mjtNum)atan2((double)sine, (double)target[2]));
    } else if (target[2] < 0) {
      quat[0] = 0;
      quat[1] = 1;
    }
  }
  ct_quat_to_mat(mat, quat);
}

#endif  // CT_VISUAL_TURNS_H_
