// Quadratic programs with one ellipsoid, which is what elliptic friction asks for:
//
//   minimise  x'A x / 2 + b'x   subject to   sum_i (x_i / d_i)^2 <= r^2
//
// With y_i = x_i / d_i the ellipsoid is a ball, and the optimum is y = -(A + lambda I)^-1 b for the
// lambda >= 0 that puts it inside. Newton's method on |y|^2 - r^2 = 0 starts at lambda = 0 and
// climbs monotonically. Dimensions 2 and 3 invert by cofactors, others factorise.

#ifndef CT_MATH_QCQP_H_
#define CT_MATH_QCQP_H_

#include "math/cholesky.h"
#include "math/mat.h"

#define CT_QCQP_ITERATIONS 20
#define CT_QCQP_TOLERANCE ((mjtNum)1e-10)
#define CT_QCQP_MAX 5  // largest dimension: friction of a contact

// Newton step of the multiplier from |y|^2 - r^2 and y'(A + lambda)^-1 y; 0 when converged.
LANE_INLINE mjtNum ct_qcqp_step(mjtNum excess, mjtNum slope) {
  if (excess < CT_QCQP_TOLERANCE) return 0;
  mjtNum step = -excess / (-2 * slope);
  return step < CT_QCQP_TOLERANCE ? 0 : step;
}

// Returns whether the constraint is active. A singular matrix gives res = 0, not active.
LANE_INLINE int ct_qcqp2(mjtNum res[2], const mjtNum A[4], const mjtNum b[2], const mjtNum d[2],
                         mjtNum r) {
  mjtNum b0 = b[0] * d[0], b1 = b[1] * d[1];
  mjtNum a00 = A[0] * d[0] * d[0], a11 = A[3] * d[1] * d[1], a01 = A[1] * d[0] * d[1];
  mjtNum lambda = 0, y0 = 0, y1 = 0;
  for (int i = 0; i < CT_QCQP_ITERATIONS; i++) {
    mjtNum det = (a00 + lambda) * (a11 + lambda) - a01 * a01;
    if (det < CT_QCQP_TOLERANCE) {
      res[0] = res[1] = 0;
      return 0;
    }
    mjtNum inverse = 1 / det;
    mjtNum p00 = (a11 + lambda) * inverse, p11 = (a00 + lambda) * inverse, p01 = -a01 * inverse;
    y0 = -p00 * b0 - p01 * b1;
    y1 = -p01 * b0 - p11 * b1;

    mjtNum excess = y0 * y0 + y1 * y1 - r * r;
    mjtNum step = ct_qcqp_step(excess, p00 * y0 * y0 + 2 * p01 * y0 * y1 + p11 * y1 * y1);
    if (step == 0) break;
    lambda += step;
  }
  res[0] = y0 * d[0];
  res[1] = y1 * d[1];
  return lambda != 0;
}

// (A + lambda I)^-1 of a symmetric 3 x 3 matrix; returns 0 if its determinant is too small.
LANE_INLINE int ct_qcqp_inverse3(mjtNum P[9], const mjtNum A[9], mjtNum lambda) {
  mjtNum a = A[0] + lambda, b = A[4] + lambda, c = A[8] + lambda;
  mjtNum xy = A[1], xz = A[2], yz = A[5];
  mjtNum p00 = b * c - yz * yz, p01 = xz * yz - xy * c, p02 = xy * yz - xz * b;
  mjtNum det = a * p00 + xy * p01 + xz * p02;
  if (det < CT_QCQP_TOLERANCE) return 0;
  mjtNum inverse = 1 / det;
  P[0] = p00 * inverse;
  P[1] = P[3] = p01 * inverse;
  P[2] = P[6] = p02 * inverse;
  P[4] = (a * c - xz * xz) * inverse;
  P[5] = P[7] = (xy * xz - a * yz) * inverse;
  P[8] = (a * b - xy * xy) * inverse;
  return 1;
}

LANE_INLINE int ct_qcqp3(mjtNum res[3], const mjtNum A[9], const mjtNum b[3], const mjtNum d[3],
                         mjtNum r) {
  mjtNum scaled[9], P[9], minus_b[3], y[3] = {0, 0, 0}, py[3];
  for (int i = 0; i < 3; i++) {
    minus_b[i] = -(b[i] * d[i]);
    for (int j = 0; j < 3; j++) scaled[3 * i + j] = A[3 * i + j] * d[i] * d[j];
  }
  mjtNum lambda = 0;
  for (int i = 0; i < CT_QCQP_ITERATIONS; i++) {
    if (!ct_qcqp_inverse3(P, scaled, lambda)) {
      ct_zero3(res);
      return 0;
    }
    ct_mul_mat_vec3(y, P, minus_b);
    ct_mul_mat_vec3(py, P, y);
    mjtNum step = ct_qcqp_step(ct_dot3(y, y) - r * r, ct_dot3(y, py));
    if (step == 0) break;
    lambda += step;
  }
  for (int i = 0; i < 3; i++) res[i] = y[i] * d[i];
  return lambda != 0;
}

// The same for any n up to CT_QCQP_MAX, by Cholesky.
LANE_INLINE int ct_qcqp(mjtNum* res, const mjtNum* A, const mjtNum* b, const mjtNum* d, mjtNum r,
                        int n) {
  mjtNum L[CT_QCQP_MAX * CT_QCQP_MAX], minus_b[CT_QCQP_MAX], y[CT_QCQP_MAX], py[CT_QCQP_MAX];
  for (int i = 0; i < n; i++) {
    minus_b[i] = -(b[i] * d[i]);
    y[i] = 0;
  }
  mjtNum lambda = 0;
  for (int iteration = 0; iteration < CT_QCQP_ITERATIONS; iteration++) {
    for (int i = 0; i < n; i++) {
      for (int j = 0; j <= i; j++) L[i * n + j] = A[i * n + j] * d[i] * d[j];
      L[i * n + i] += lambda;
    }
    if (ct_cholesky_factor(L, n, CT_QCQP_TOLERANCE) < n) {
      ct_zero(res, n);
      return 0;
    }
    ct_cholesky_solve(y, L, minus_b, n);
    ct_cholesky_solve(py, L, y, n);
    mjtNum step = ct_qcqp_step(ct_dot(y, y, n) - r * r, ct_dot(y, py, n));
    if (step == 0) break;
    lambda += step;
  }
  for (int i = 0; i < n; i++) res[i] = y[i] * d[i];
  return lambda != 0;
}

#endif  // CT_MATH_QCQP_H_
