// Spatial algebra: motions and forces of rigid bodies as six numbers, rotation first.
//
//   motion  (angular velocity, linear velocity of the point)
//   force   (torque about the point, force)
//   inertia Ixx Iyy Izz Ixy Ixz Iyz  mcx mcy mcz  m    about the point, c the centre of mass seen
//   from it
//
// All vectors that are combined must be taken at the same point and in the same axes. Symbols
// follow Featherstone, Rigid Body Dynamics Algorithms, chapter 2. Outputs may be the same array as
// an input of the same size unless the function says otherwise.

#ifndef CT_MATH_SPATIAL_H_
#define CT_MATH_SPATIAL_H_

#include <stddef.h>

#include "math/mat.h"
#include "math/vec.h"

LANE_INLINE void ct_zero6(mjtNum res[6]) {
  ct_zero(res, 6);
}

LANE_INLINE void ct_copy6(mjtNum res[6], const mjtNum v[6]) {
  ct_copy3(res, v);
  ct_copy3(res + 3, v + 3);
}

LANE_INLINE void ct_add_to6(mjtNum res[6], const mjtNum v[6]) {
  ct_add_to3(res, v);
  ct_add_to3(res + 3, v + 3);
}

LANE_INLINE void ct_add_to_scl6(mjtNum res[6], const mjtNum v[6], mjtNum s) {
  ct_add_to_scl3(res, v, s);
  ct_add_to_scl3(res + 3, v + 3, s);
}

// Power of a force along a motion; added in the order of ct_dot.
LANE_INLINE mjtNum ct_dot6(const mjtNum a[6], const mjtNum b[6]) {
  mjtNum head = (a[0] * b[0] + a[2] * b[2]) + (a[1] * b[1] + a[3] * b[3]);
  return head + (a[4] * b[4] + a[5] * b[5]);
}

// How a motion s fixed in a body changes when the body moves with v: res = v x s (eq. 2.31),
//   (w x s_ang,  w x s_lin + v_lin x s_ang).
LANE_INLINE void ct_cross_motion(mjtNum res[6], const mjtNum v[6], const mjtNum s[6]) {
  mjtNum angular[3], linear[3], sweep[3];
  ct_cross(angular, v, s);
  ct_cross(linear, v, s + 3);
  ct_cross(sweep, v + 3, s);
  ct_copy3(res, angular);
  ct_add3(res + 3, linear, sweep);
}

// How a force f fixed in a body changes when the body moves with v: res = v x* f (eq. 2.32),
//   (w x f_ang + v_lin x f_lin,  w x f_lin).
LANE_INLINE void ct_cross_force(mjtNum res[6], const mjtNum v[6], const mjtNum f[6]) {
  mjtNum torque[3], force[3], sweep[3];
  ct_cross(torque, v, f);
  ct_cross(sweep, v + 3, f + 3);
  ct_cross(force, v, f + 3);
  ct_add3(res, torque, sweep);
  ct_copy3(res + 3, force);
}

// Momentum of the inertia i10 moving with v: (I w + mc x v, m v - mc x w).
LANE_INLINE void ct_mul_inert_vec(mjtNum res[6], const mjtNum i10[10], const mjtNum v[6]) {
  const mjtNum* mc = i10 + 6;
  mjtNum a0 = i10[0] * v[0] + i10[3] * v[1] + i10[4] * v[2] - mc[2] * v[4] + mc[1] * v[5];
  mjtNum a1 = i10[3] * v[0] + i10[1] * v[1] + i10[5] * v[2] + mc[2] * v[3] - mc[0] * v[5];
  mjtNum a2 = i10[4] * v[0] + i10[5] * v[1] + i10[2] * v[2] - mc[1] * v[3] + mc[0] * v[4];
  mjtNum l0 = mc[2] * v[1] - mc[1] * v[2] + i10[9] * v[3];
  mjtNum l1 = mc[0] * v[2] - mc[2] * v[0] + i10[9] * v[4];
  mjtNum l2 = mc[1] * v[0] - mc[0] * v[1] + i10[9] * v[5];
  res[0] = a0;
  res[1] = a1;
  res[2] = a2;
  res[3] = l0;
  res[4] = l1;
  res[5] = l2;
}

// Inertia about a point, of a body with the principal moments `inertia` along the columns of
// `axes`, with its centre of mass at `offset` from the point: axes diag(inertia) axes' + m (|o|^2 E
// - o o').
LANE_INLINE void ct_inert_at(mjtNum res[10], const mjtNum inertia[3], const mjtNum axes[9],
                             const mjtNum offset[3], mjtNum mass) {
  mjtNum scaled[9], turned[9];
  for (int i = 0; i < 9; i++) {
    scaled[i] = axes[i] * inertia[i % 3];
  }
  ct_mul_mat_mat_t3(turned, scaled, axes);
  const mjtNum* o = offset;
  res[0] = turned[0] + mass * (o[1] * o[1] + o[2] * o[2]);
  res[1] = turned[4] + mass * (o[0] * o[0] + o[2] * o[2]);
  res[2] = turned[8] + mass * (o[0] * o[0] + o[1] * o[1]);
  // the lower triangle, whose last bit differs from the upper one's
  res[3] = turned[3] - mass * o[0] * o[1];
  res[4] = turned[6] - mass * o[0] * o[2];
  res[5] = turned[7] - mass * o[1] * o[2];
  ct_scl3(res + 6, offset, mass);
  res[9] = mass;
}

#if LANE_WIDTH > 1
// The same for two bodies that follow each other in these arrays.
LANE_INLINE void ct_two_inert_at(mjtNum res[20], const mjtNum inertia[6], const mjtNum axes[18],
                                 const Two offset[3], const mjtNum mass[2]) {
  Two i0 = two_of(inertia[0], inertia[3]), i1 = two_of(inertia[1], inertia[4]);
  Two i2 = two_of(inertia[2], inertia[5]), a[9], m = two_load(mass);
  for (int i = 0; i < 9; i++) a[i] = two_of(axes[i], axes[9 + i]);
  const Two x = offset[0], y = offset[1], z = offset[2];
  Two xx = x * x, yy = y * y, zz = z * z, mx = x * m, my = y * m, mz = z * m;

  // the lower triangle of axes diag(inertia) axes', row by row
  Two s0 = a[0] * i0, s1 = a[1] * i1, s2 = a[2] * i2;
  two_store_apart(res, res + 10, s0 * a[0] + s1 * a[1] + s2 * a[2] + m * (yy + zz));
  s0 = a[3] * i0, s1 = a[4] * i1, s2 = a[5] * i2;
  two_store_apart(res + 1, res + 11, s0 * a[3] + s1 * a[4] + s2 * a[5] + m * (xx + zz));
  two_store_apart(res + 3, res + 13, s0 * a[0] + s1 * a[1] + s2 * a[2] - mx * y);
  s0 = a[6] * i0, s1 = a[7] * i1, s2 = a[8] * i2;
  two_store_apart(res + 2, res + 12, s0 * a[6] + s1 * a[7] + s2 * a[8] + m * (xx + yy));
  two_store_apart(res + 4, res + 14, s0 * a[0] + s1 * a[1] + s2 * a[2] - mx * z);
  two_store_apart(res + 5, res + 15, s0 * a[3] + s1 * a[4] + s2 * a[5] - my * z);
  two_store_apart(res + 6, res + 16, mx);
  two_store_apart(res + 7, res + 17, my);
  two_store_apart(res + 8, res + 18, mz);
  two_store_apart(res + 9, res + 19, m);
}
#endif

// Motion axis of a rotation about `axis`; `offset` leads from a point on the axis to the point of
// reference.
LANE_INLINE void ct_dof_rotation(mjtNum res[6], const mjtNum axis[3], const mjtNum offset[3]) {
  mjtNum sweep[3];
  ct_cross(sweep, axis, offset);
  ct_copy3(res, axis);
  ct_copy3(res + 3, sweep);
}

// Motion axis of a translation along `axis`.
LANE_INLINE void ct_dof_translation(mjtNum res[6], const mjtNum axis[3]) {
  ct_copy3(res + 3, axis);
  ct_zero3(res);
}

// The same motion or force seen from another point, and then in other axes. `to_old` (may be NULL:
// same axes) turns vectors of the new axes into the old ones.
LANE_INLINE void ct_transform_motion(mjtNum res[6], const mjtNum v[6], const mjtNum newpos[3],
                                     const mjtNum oldpos[3], const mjtNum* to_old) {
  mjtNum shift[3], sweep[3];
  ct_sub3(shift, newpos, oldpos);
  ct_cross(sweep, shift, v);
  ct_sub3(res + 3, v + 3, sweep);
  ct_copy3(res, v);
  if (to_old != NULL) {
    ct_mul_mat_t_vec3(res, to_old, res);
    ct_mul_mat_t_vec3(res + 3, to_old, res + 3);
  }
}

LANE_INLINE void ct_transform_force(mjtNum res[6], const mjtNum f[6], const mjtNum newpos[3],
                                    const mjtNum oldpos[3], const mjtNum* to_old) {
  mjtNum shift[3], sweep[3];
  ct_sub3(shift, newpos, oldpos);
  ct_cross(sweep, shift, f + 3);
  ct_sub3(res, f, sweep);
  ct_copy3(res + 3, f + 3);
  if (to_old != NULL) {
    ct_mul_mat_t_vec3(res, to_old, res);
    ct_mul_mat_t_vec3(res + 3, to_old, res + 3);
  }
}

// One column of a Jacobian: velocity of the point at `offset` from the reference point when a dof
// with this motion axis has unit speed.
LANE_INLINE void ct_jac_column(mjtNum column[3], const mjtNum cdof[6], const mjtNum offset[3]) {
  mjtNum sweep[3];
  ct_cross(sweep, cdof, offset);
  ct_add3(column, cdof + 3, sweep);
}

#endif  // CT_MATH_SPATIAL_H_
