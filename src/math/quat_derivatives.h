// Derivatives of the two maps between quaternions and rotation vectors: difference and integration.
//
// Both are derivatives of the exponential map of rotations. A small turn e of a quaternion q means
// q exp(e), in its own axes. [u] is the matrix with [u] v = u x v; all matrices are 3x3, row by
// row. Formulas after Sola, Deray and Atchuthan, A micro Lie theory for state estimation in
// robotics, 2018, appendix B (right Jacobian of SO(3) and its inverse).

#ifndef CT_MATH_QUAT_DERIVATIVES_H_
#define CT_MATH_QUAT_DERIVATIVES_H_

#include "math/quat.h"

// res = one 1 + turn [u] + twice (u u' - |u|^2 1), where the last bracket is [u]^2.
LANE_INLINE void ct_skew_polynomial(mjtNum res[9], const mjtNum u[3], mjtNum one, mjtNum turn,
                                    mjtNum twice) {
  mjtNum xx = u[0] * u[0], yy = u[1] * u[1], zz = u[2] * u[2];
  mjtNum xy = u[0] * u[1], xz = u[0] * u[2], yz = u[1] * u[2];
  res[0] = one - twice * (yy + zz);
  res[4] = one - twice * (xx + zz);
  res[8] = one - twice * (xx + yy);
  res[1] = twice * xy - turn * u[2];
  res[3] = twice * xy + turn * u[2];
  res[2] = twice * xz + turn * u[1];
  res[6] = twice * xz - turn * u[1];
  res[5] = twice * yz - turn * u[0];
  res[7] = twice * yz + turn * u[0];
}

// How ct_sub_quat(qa, qb) = n u, |u| = 1, changes with a small turn of qa: with t = n/2,
//   1 + t [u] + (1 - t / tan t) [u]^2.
// The derivative by a turn of qb is minus the transpose.
LANE_INLINE void ct_deriv_sub_quat(mjtNum by_a[9], const mjtNum qa[4], const mjtNum qb[4]) {
  mjtNum u[3];
  ct_sub_quat(u, qa, qb);
  mjtNum t = ct_normalize3(u) / 2;
  // below this the coefficient, t^2 / 3, is lost beside 1
  mjtNum twice = t < (mjtNum)6e-8 ? 0 : 1 - t / ct_tan(t);
  ct_skew_polynomial(by_a, u, 1, t, twice);
}

// sin x / x, (1 - cos x) / x^2 and (x - sin x) / x^3, by series where the quotients lose digits.
LANE_INLINE void ct_turn_coefficients(mjtNum* sine, mjtNum* versine, mjtNum* rest, mjtNum x) {
  mjtNum xx = x * x;
  if (x <= (mjtNum)0.03125) {
    *sine = 1 - xx / 6 * (1 - xx / 20 * (1 - xx / 42));
    *versine = (1 - xx / 12 * (1 - xx / 30 * (1 - xx / 56))) / 2;
    *rest = (1 - xx / 20 * (1 - xx / 42 * (1 - xx / 72))) / 6;
  } else {
    mjtNum s, c;
    ct_sincos(&s, &c, x);
    *sine = s / x;
    *versine = (1 - c) / xx;
    *rest = (x - s) / (xx * x);
  }
}

// How the quaternion that ct_quat_integrate reaches turns with a small turn of the one it starts
// from, and with the vector z = time v:
//   by_quat = cos x 1 - (sin x / x) [z] + ((1 - cos x) / x^2) z z' = exp(-z) as a matrix, x = |z|
//   by_z    = (sin x / x) 1 - ((1 - cos x) / x^2) [z] + ((x - sin x) / x^3) z z'
LANE_INLINE void ct_deriv_quat_integrate(mjtNum by_quat[9], mjtNum by_z[9], const mjtNum z[3]) {
  mjtNum sine, versine, rest;
  ct_turn_coefficients(&sine, &versine, &rest, ct_norm3(z));
  // z z' = [z]^2 + x^2 1, so the coefficients of the identity add up to 1 in both
  ct_skew_polynomial(by_quat, z, 1, -sine, versine);
  ct_skew_polynomial(by_z, z, 1, -versine, rest);
}

#endif  // CT_MATH_QUAT_DERIVATIVES_H_
