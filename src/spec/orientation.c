// Orientations given by other means than a quaternion.

#include <mujoco/mujoco.h>

#include "spec/pose.h"

void ct_quat_of_axes(double quat[4], const double x[3], const double y[3], const double z[3]) {
  double xx = x[0], yy = y[1], zz = z[2];
  double* q = quat;
  if (xx + yy + zz > 0) {
    q[0] = 0.5 * sqrt(1 + xx + yy + zz);
    q[1] = 0.25 * (y[2] - z[1]) / q[0];
    q[2] = 0.25 * (z[0] - x[2]) / q[0];
    q[3] = 0.25 * (x[1] - y[0]) / q[0];
  } else if (xx > yy && xx > zz) {
    q[1] = 0.5 * sqrt(1 + xx - yy - zz);
    q[0] = 0.25 * (y[2] - z[1]) / q[1];
    q[2] = 0.25 * (y[0] + x[1]) / q[1];
    q[3] = 0.25 * (z[0] + x[2]) / q[1];
  } else if (yy > zz) {
    q[2] = 0.5 * sqrt(1 - xx + yy - zz);
    q[0] = 0.25 * (z[0] - x[2]) / q[2];
    q[1] = 0.25 * (y[0] + x[1]) / q[2];
    q[3] = 0.25 * (z[1] + y[2]) / q[2];
  } else {
    q[3] = 0.5 * sqrt(1 - xx - yy + zz);
    q[0] = 0.25 * (x[1] - y[0]) / q[3];
    q[1] = 0.25 * (z[0] + x[2]) / q[3];
    q[2] = 0.25 * (z[1] + y[2]) / q[3];
  }
  ct_normalize64(q, 4);
}

static double radians(double angle, mjtByte degree) {
  return degree ? angle / 180.0 * mjPI : angle;
}

static const char* from_axisangle(double quat[4], mjtByte degree, const double given[4]) {
  double axis[3] = {given[0], given[1], given[2]}, sine;
  if (ct_normalize64(axis, 3) < CT_COMPILER_EPS) return "axisangle: the axis is too short";
  ct_sincos64(&sine, &quat[0], radians(given[3], degree) / 2);
  for (int i = 0; i < 3; i++) quat[i + 1] = axis[i] * sine;
  return NULL;
}

static const char* from_xyaxes(double quat[4], const double given[6]) {
  double x[3] = {given[0], given[1], given[2]}, y[3], z[3];
  if (ct_normalize64(x, 3) < CT_COMPILER_EPS) return "xyaxes: the x axis is too short";
  double along = ct_dot64(x, given + 3);
  for (int i = 0; i < 3; i++) y[i] = given[i + 3] - x[i] * along;
  if (ct_normalize64(y, 3) < CT_COMPILER_EPS)
    return "xyaxes: the y axis is too short, or parallel to the x axis";
  ct_cross64(z, x, y);
  if (ct_normalize64(z, 3) < CT_COMPILER_EPS) return "xyaxes: the axes span no plane";
  ct_quat_of_axes(quat, x, y, z);
  return NULL;
}

static const char* from_zaxis(double quat[4], const double given[3]) {
  double z[3] = {given[0], given[1], given[2]};
  if (ct_normalize64(z, 3) < CT_COMPILER_EPS) return "zaxis: the axis is too short";
  ct_quat_to_z(quat, z);
  return NULL;
}

// Turns one after the other, about axes that move along (lower case) or stay (upper case).
static const char* from_euler(double quat[4], mjtByte degree, const char* sequence,
                              const double given[3]) {
  double q[4] = {1, 0, 0, 0};
  for (int i = 0; i < 3; i++) {
    bool fixed = sequence[i] >= 'X' && sequence[i] <= 'Z';
    int axis = sequence[i] - (fixed ? 'X' : 'x');
    if (axis < 0 || axis > 2) return "euler: the sequence has a letter other than x y z X Y Z";
    double turn[4] = {1, 0, 0, 0};
    ct_sincos64(&turn[axis + 1], &turn[0], radians(given[i], degree) / 2);
    ct_quat_product(q, fixed ? turn : q, fixed ? q : turn);
    memcpy(quat, q, sizeof(q));
  }
  ct_normalize64(quat, 4);
  return NULL;
}

const char* mjs_resolveOrientation(double quat[4], mjtByte degree, const char* sequence,
                                   const mjsOrientation* orientation) {
  if (!quat || !orientation) return "the quaternion or the orientation is NULL";
  switch (orientation->type) {
    case mjORIENTATION_AXISANGLE:
      return from_axisangle(quat, degree, orientation->axisangle);
    case mjORIENTATION_XYAXES:
      return from_xyaxes(quat, orientation->xyaxes);
    case mjORIENTATION_ZAXIS:
      return from_zaxis(quat, orientation->zaxis);
    case mjORIENTATION_EULER:
      if (!sequence) return "euler: the sequence of axes is NULL";
      return from_euler(quat, degree, sequence, orientation->euler);
    default:
      return NULL;
  }
}
