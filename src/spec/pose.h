// Geometry of the compiler: poses (position, quaternion w x y z) in double precision with the
// compiler's own tolerances, which differ from the engine's. Lengths below 1e-7 count as zero, and
// what is longer by less than 1e-14 than it should be is left as it is.

#ifndef CT_SPEC_POSE_H_
#define CT_SPEC_POSE_H_

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "math/strict.h"

#define CT_COMPILER_EPS 1e-14

// Scales v to length 1 and returns the length it had; 0, and v unchanged, if that is below 1e-7.
static inline double ct_normalize64(double* v, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++) sum += v[i] * v[i];
  if (sum < CT_COMPILER_EPS) return 0;
  double length = sqrt(sum);
  if (fabs(length - 1) > CT_COMPILER_EPS) {
    for (int i = 0; i < n; i++) v[i] /= length;
  }
  return length;
}

static inline void ct_cross64(double res[3], const double a[3], const double b[3]) {
  double x = a[1] * b[2] - a[2] * b[1], y = a[2] * b[0] - a[0] * b[2];
  res[2] = a[0] * b[1] - a[1] * b[0];
  res[0] = x;
  res[1] = y;
}

static inline double ct_dot64(const double a[3], const double b[3]) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline bool ct_is_identity(const double q[4]) {
  return q[0] == 1 && q[1] == 0 && q[2] == 0 && q[3] == 0;
}

// res = a b, normalised; res may be a or b.
static inline void ct_quat_product(double res[4], const double a[4], const double b[4]) {
  double q[4] = {a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
                 a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
                 a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
                 a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0]};
  ct_normalize64(q, 4);
  memcpy(res, q, sizeof(q));
}

// Rotation matrix, row by row.
static inline void ct_quat_matrix(double m[9], const double q[4]) {
  double w = q[0], x = q[1], y = q[2], z = q[3];
  m[0] = w * w + x * x - y * y - z * z;
  m[4] = w * w - x * x + y * y - z * z;
  m[8] = w * w - x * x - y * y + z * z;
  m[1] = 2 * (x * y - w * z);
  m[2] = 2 * (x * z + w * y);
  m[3] = 2 * (x * y + w * z);
  m[5] = 2 * (y * z - w * x);
  m[6] = 2 * (x * z - w * y);
  m[7] = 2 * (y * z + w * x);
  if (ct_is_identity(q)) {
    memset(m, 0, 9 * sizeof(m[0]));
    m[0] = m[4] = m[8] = 1;
  }
}

static inline void ct_matrix_times(double res[3], const double m[9], const double v[3]) {
  double x = ct_dot64(m, v), y = ct_dot64(m + 3, v);
  res[2] = ct_dot64(m + 6, v);
  res[0] = x;
  res[1] = y;
}

// res = v turned by q, without a matrix; exact for zero and for the identity.
static inline void ct_turn(double res[3], const double v[3], const double q[4]) {
  if (ct_is_identity(q) || (v[0] == 0 && v[1] == 0 && v[2] == 0)) {
    memmove(res, v, 3 * sizeof(v[0]));
    return;
  }
  // in this order of terms: boxes of planes are so large that rounding decides about their shape
  double w = q[0], x = q[1], y = q[2], z = q[3], s[3];
  double t[3] = {w * v[0] + y * v[2] - z * v[1], w * v[1] + z * v[0] - x * v[2],
                 w * v[2] + x * v[1] - y * v[0]};
  ct_cross64(s, q + 1, t);
  for (int i = 0; i < 3; i++) res[i] = v[i] + 2 * s[i];
}

// Child pose seen from where its parent's pose is given: (pos, quat) := (pos0, quat0) o (pos,
// quat).
static inline void ct_pose_compose(double pos[3], double quat[4], const double pos0[3],
                                   const double quat0[4]) {
  double m[9];
  ct_quat_matrix(m, quat0);
  ct_matrix_times(pos, m, pos);
  for (int i = 0; i < 3; i++) pos[i] = pos0[i] + pos[i];
  ct_quat_product(quat, quat0, quat);
}

static inline void ct_pose_invert(double pos[3], double quat[4]) {
  double m[9];
  for (int i = 1; i < 4; i++) quat[i] = -quat[i];
  ct_quat_matrix(m, quat);
  ct_matrix_times(pos, m, pos);
  for (int i = 0; i < 3; i++) pos[i] = -pos[i];
}

// Shortest rotation from the z axis to the unit vector v.
static inline void ct_quat_to_z(double quat[4], const double v[3]) {
  double axis[3] = {-v[1], v[0], 0};
  double sine = ct_normalize64(axis, 3);
  if (sine < 1e-10) {
    axis[0] = 1;
    axis[1] = 0;
  }
  double half = ct_atan264(sine, v[2]) / 2, scale;
  ct_sincos64(&scale, &quat[0], half);
  for (int i = 0; i < 3; i++) quat[i + 1] = axis[i] * scale;
}

// Rotation whose matrix has the unit vectors x, y, z as columns.
void ct_quat_of_axes(double quat[4], const double x[3], const double y[3], const double z[3]);

#endif  // CT_SPEC_POSE_H_
