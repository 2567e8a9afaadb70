// Quaternions (w, x, y, z) and poses (position, quaternion), for lane code and the public mju_
// functions alike.
//
// A quaternion q turns a vector v into q v q*. None of the functions normalises its inputs unless
// it says so. Outputs may be the same array as an input of the same kind.

#ifndef CT_MATH_QUAT_H_
#define CT_MATH_QUAT_H_

#include "math/mat.h"
#include "math/strict.h"
#include "math/vec.h"

// Is this exactly the identity? Such quaternions are common, and rotating by them changes no bit.
// Side by side, q is of the model.
LANE_INLINE int ct_is_unit_quat(const mjtNum q[4]) {
  return lane_common(q[0]) == 1 && lane_common(q[1]) == 0 && lane_common(q[2]) == 0 &&
         lane_common(q[3]) == 0;
}

// res = v turned by q: v + 2 u x (w v + u x v) with u = (x, y, z).
LANE_INLINE void ct_rotate(mjtNum res[3], const mjtNum v[3], const mjtNum q[4]) {
  mjtNum t[3] = {q[0] * v[0] + q[2] * v[2] - q[3] * v[1],  // w v + u x v
                 q[0] * v[1] + q[3] * v[0] - q[1] * v[2], q[0] * v[2] + q[1] * v[1] - q[2] * v[0]};
  ct_cross(t, q + 1, t);
  ct_add_scl3(res, v, t, lane_num(2));
}

#ifndef CT_SIDE_BY_SIDE
// The same, and exact where nothing has to be done even if the other argument is not finite.
LANE_INLINE void ct_rot_vec_quat(mjtNum res[3], const mjtNum v[3], const mjtNum q[4]) {
  if (v[0] == 0 && v[1] == 0 && v[2] == 0) {
    ct_zero3(res);
  } else if (ct_is_unit_quat(q)) {
    ct_copy3(res, v);
  } else {
    ct_rotate(res, v, q);
  }
}
#endif

LANE_INLINE void ct_neg_quat(mjtNum res[4], const mjtNum q[4]) {
  res[0] = q[0];
  res[1] = -q[1];
  res[2] = -q[2];
  res[3] = -q[3];
}

// res = a b
LANE_INLINE void ct_mul_quat(mjtNum res[4], const mjtNum a[4], const mjtNum b[4]) {
  mjtNum w = a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3];
  mjtNum x = a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2];
  mjtNum y = a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1];
  mjtNum z = a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0];
  res[0] = w;
  res[1] = x;
  res[2] = y;
  res[3] = z;
}

// res = q (0, axis)
LANE_INLINE void ct_mul_quat_axis(mjtNum res[4], const mjtNum q[4], const mjtNum axis[3]) {
  mjtNum w = -q[1] * axis[0] - q[2] * axis[1] - q[3] * axis[2];
  mjtNum x = q[0] * axis[0] + q[2] * axis[2] - q[3] * axis[1];
  mjtNum y = q[0] * axis[1] + q[3] * axis[0] - q[1] * axis[2];
  mjtNum z = q[0] * axis[2] + q[1] * axis[1] - q[2] * axis[0];
  res[0] = w;
  res[1] = x;
  res[2] = y;
  res[3] = z;
}

// Time derivative of q under the angular velocity v in world axes: (0, v) q / 2.
LANE_INLINE void ct_deriv_quat(mjtNum res[4], const mjtNum q[4], const mjtNum v[3]) {
  mjtNum w = (-v[0] * q[1] - v[1] * q[2] - v[2] * q[3]) / 2;
  mjtNum x = (v[0] * q[0] + v[1] * q[3] - v[2] * q[2]) / 2;
  mjtNum y = (-v[0] * q[3] + v[1] * q[0] + v[2] * q[1]) / 2;
  mjtNum z = (v[0] * q[2] - v[1] * q[1] + v[2] * q[0]) / 2;
  res[0] = w;
  res[1] = x;
  res[2] = y;
  res[3] = z;
}

// Rotation matrix of q; a quaternion that is not of unit length scales it by its squared length.
LANE_INLINE void ct_rotation_of(mjtNum res[9], const mjtNum q[4]) {
  mjtNum ww = q[0] * q[0], xx = q[1] * q[1], yy = q[2] * q[2], zz = q[3] * q[3];
  mjtNum wx = q[0] * q[1], wy = q[0] * q[2], wz = q[0] * q[3];
  mjtNum xy = q[1] * q[2], xz = q[1] * q[3], yz = q[2] * q[3];
  res[0] = ww + xx - yy - zz;
  res[4] = ww - xx + yy - zz;
  res[8] = ww - xx - yy + zz;
  res[1] = 2 * (xy - wz);
  res[2] = 2 * (xz + wy);
  res[3] = 2 * (xy + wz);
  res[5] = 2 * (yz - wx);
  res[6] = 2 * (xz - wy);
  res[7] = 2 * (yz + wx);
}

#ifndef CT_SIDE_BY_SIDE

// The same, with a short cut for the identity.
LANE_INLINE void ct_quat_to_mat(mjtNum res[9], const mjtNum q[4]) {
  if (ct_is_unit_quat(q)) {
    ct_zero(res, 9);
    res[0] = res[4] = res[8] = 1;
    return;
  }
  ct_rotation_of(res, q);
}

// Quaternion of the rotation matrix m, from its largest component, then normalised.
LANE_INLINE void ct_mat_to_quat(mjtNum q[4], const mjtNum m[9]) {
  if (m[0] + m[4] + m[8] > 0) {
    q[0] = ct_sqrt(1 + m[0] + m[4] + m[8]) / 2;
    q[1] = (m[7] - m[5]) / (4 * q[0]);
    q[2] = (m[2] - m[6]) / (4 * q[0]);
    q[3] = (m[3] - m[1]) / (4 * q[0]);
  } else if (m[0] > m[4] && m[0] > m[8]) {
    q[1] = ct_sqrt(1 + m[0] - m[4] - m[8]) / 2;
    q[0] = (m[7] - m[5]) / (4 * q[1]);
    q[2] = (m[1] + m[3]) / (4 * q[1]);
    q[3] = (m[2] + m[6]) / (4 * q[1]);
  } else if (m[4] > m[8]) {
    q[2] = ct_sqrt(1 - m[0] + m[4] - m[8]) / 2;
    q[0] = (m[2] - m[6]) / (4 * q[2]);
    q[1] = (m[1] + m[3]) / (4 * q[2]);
    q[3] = (m[5] + m[7]) / (4 * q[2]);
  } else {
    q[3] = ct_sqrt(1 - m[0] - m[4] + m[8]) / 2;
    q[0] = (m[3] - m[1]) / (4 * q[3]);
    q[1] = (m[2] + m[6]) / (4 * q[3]);
    q[2] = (m[5] + m[7]) / (4 * q[3]);
  }
  ct_normalize4(q);
}

// Rotation about an axis, whose length should be 1. An angle of 0 gives the identity for any axis.
LANE_INLINE void ct_axis_angle_to_quat(mjtNum q[4], const mjtNum axis[3], mjtNum angle) {
  if (angle == 0) {
    ct_unit4(q);
    return;
  }
  mjtNum sine, cosine;
  ct_sincos(&sine, &cosine, angle / 2);
  q[0] = cosine;
  ct_scl3(q + 1, axis, sine);
}

// The angular velocity that turns the identity into q within time dt, the shorter way round.
LANE_INLINE void ct_quat_to_vel(mjtNum res[3], const mjtNum q[4], mjtNum dt) {
  mjtNum axis[3] = {q[1], q[2], q[3]};
  mjtNum sine = ct_normalize3(axis);
  mjtNum angle = 2 * ct_atan2(sine, q[0]);
  if (angle > CT_PI) {
    angle -= 2 * CT_PI;
  }
  ct_scl3(res, axis, angle / dt);
}

// The rotation vector, in the axes of b, that turns b into a: b exp(res) = a.
LANE_INLINE void ct_sub_quat(mjtNum res[3], const mjtNum a[4], const mjtNum b[4]) {
  mjtNum difference[4];
  ct_neg_quat(difference, b);
  ct_mul_quat(difference, difference, a);
  ct_quat_to_vel(res, difference, 1);
}

// q turned by the angular velocity v, in its own axes, during `time`. q is normalised before, not
// after.
LANE_INLINE void ct_quat_integrate(mjtNum q[4], const mjtNum v[3], mjtNum time) {
  mjtNum axis[3], turn[4];
  ct_copy3(axis, v);
  mjtNum angle = time * ct_normalize3(axis);
  ct_axis_angle_to_quat(turn, axis, angle);
  ct_normalize4(q);
  ct_mul_quat(q, q, turn);
}

// The shortest rotation that takes the z axis to v; half a turn about x if v points down.
LANE_INLINE void ct_quat_z_to_vec(mjtNum q[4], const mjtNum v[3]) {
  ct_unit4(q);
  mjtNum target[3] = {v[0], v[1], v[2]};
  if (ct_normalize3(target) < mjMINVAL) {
    return;
  }
  mjtNum z[3] = {0, 0, 1}, axis[3];
  ct_cross(axis, z, target);  // in full, so that an infinite target gives NaN and not identity
  mjtNum sine = ct_normalize3(axis);
  if (sine < mjMINVAL) {
    if (target[2] < 0) {
      q[0] = 0;
      q[1] = 1;
    }
    return;
  }
  ct_axis_angle_to_quat(q, axis, ct_atan2(sine, target[2]));
}

// One step of ct_mat_to_rot: the rotation vector w = sum_k r_k x m_k / (|sum_k r_k . m_k| + eps),
// where r_k and m_k are the columns of the rotation q and of m.
LANE_INLINE void ct_rotation_error(mjtNum w[3], const mjtNum q[4], const mjtNum m[9]) {
  mjtNum rotation[9], along = 0;
  ct_quat_to_mat(rotation, q);
  ct_zero3(w);
  for (int k = 0; k < 3; k++) {
    mjtNum r[3] = {rotation[k], rotation[k + 3], rotation[k + 6]};
    mjtNum column[3] = {m[k], m[k + 3], m[k + 6]};
    mjtNum across[3];
    ct_cross(across, r, column);
    ct_add_to3(w, across);
    along += ct_dot3(r, column);
  }
  ct_scl3(w, w, 1 / (ct_abs(along) + mjMINVAL));
}

// Turns q towards the rotation nearest to the matrix m (the orthogonal part of its polar
// decomposition; Mueller, Bender, Chentanez and Macklin, A robust method to extract the rotational
// part of deformations, 2016). q must hold a starting guess. Returns how many times q was updated,
// at most 500.
LANE_INLINE int ct_mat_to_rot(mjtNum q[4], const mjtNum m[9]) {
  const mjtNum smallest_turn = (mjtNum)1e-9;
  int round = 0;
  for (; round < 500; round++) {
    mjtNum w[3], turn[4];
    ct_rotation_error(w, q, m);
    mjtNum angle = ct_normalize3(w);
    if (angle < smallest_turn) {
      break;
    }
    ct_axis_angle_to_quat(turn, w, angle);
    ct_mul_quat(q, turn, q);
    ct_normalize4(q);
  }
  return round;
}

// Pose 1 followed, in its frame, by pose 2; the quaternion is normalised.
LANE_INLINE void ct_mul_pose(mjtNum pos[3], mjtNum quat[4], const mjtNum pos1[3],
                             const mjtNum quat1[4], const mjtNum pos2[3], const mjtNum quat2[4]) {
  mjtNum turned[3];
  ct_rot_vec_quat(turned, pos2, quat1);
  ct_add3(pos, turned, pos1);
  ct_mul_quat(quat, quat1, quat2);
  ct_normalize4(quat);
}

// The inverse pose, for a unit quaternion.
LANE_INLINE void ct_neg_pose(mjtNum pos[3], mjtNum quat[4], const mjtNum pos1[3],
                             const mjtNum quat1[4]) {
  ct_neg_quat(quat, quat1);
  ct_rot_vec_quat(pos, pos1, quat);
  ct_scl3(pos, pos, -1);
}

// res = the point v of a frame with that pose, in the outer frame.
LANE_INLINE void ct_trn_vec_pose(mjtNum res[3], const mjtNum pos[3], const mjtNum quat[4],
                                 const mjtNum v[3]) {
  mjtNum turned[3];
  ct_rot_vec_quat(turned, v, quat);
  ct_add3(res, turned, pos);
}

#endif

#endif  // CT_MATH_QUAT_H_
