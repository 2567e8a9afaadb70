// Principal axes of an inertia, by Jacobi's method on quaternions.

#include <math.h>
#include <string.h>

#include "compile/work/work.h"

// Diagonal form D = R' A R.
static void rotated(double d[9], const double a[9], const double quat[4]) {
  double r[9], left[9];
  ct_quat_matrix(r, quat);
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++) {
      left[3 * i + j] = r[i] * a[j] + r[3 + i] * a[3 + j] + r[6 + i] * a[6 + j];
    }
  }
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++) {
      d[3 * i + j] = left[3 * i] * r[j] + left[3 * i + 1] * r[3 + j] + left[3 * i + 2] * r[6 + j];
    }
  }
}

// One turn of Jacobi's method about the axis of the largest off-diagonal entry; false: none needed.
static bool jacobi_turn(double moment[3], double quat[4], const double a[9]) {
  const double tolerance = 1e-12;  // absolute: inertias below it count as diagonal
  double d[9];
  rotated(d, a, quat);
  for (int i = 0; i < 3; i++) moment[i] = d[4 * i];

  int row, column, axis;
  if (fabs(d[1]) > fabs(d[2]) && fabs(d[1]) > fabs(d[5])) {
    row = 0, column = 1, axis = 2;
  } else if (fabs(d[2]) > fabs(d[5])) {
    row = 0, column = 2, axis = 1;
  } else {
    row = 1, column = 2, axis = 0;
  }
  double pivot = d[3 * row + column];
  if (fabs(pivot) < tolerance) return false;

  double tau = (d[4 * column] - d[4 * row]) / (2 * pivot), root = sqrt(1 + tau * tau);
  double t = tau >= 0 ? 1 / (tau + root) : -1 / (-tau + root);
  double cosine = 1 / sqrt(1 + t * t);
  if (cosine > 1 - tolerance) return false;

  double half = sqrt(0.5 - 0.5 * cosine);
  double turn[4] = {0, 0, 0, 0};
  turn[1 + axis] = (tau >= 0) == (axis == 1) ? half : -half;
  turn[0] = sqrt(1 - half * half);
  ct_normalize64(turn, 4);
  ct_quat_product(quat, quat, turn);
  return true;
}

static void exchange_if_rising(double moment[3], double quat[4], int j) {
  if (!(moment[j] + 1e-12 < moment[j + 1])) return;
  double larger = moment[j + 1], turn[4] = {0.707106781186548, 0, 0, 0};
  moment[j + 1] = moment[j];
  moment[j] = larger;
  turn[1 + (j + 2) % 3] = 0.707106781186548;
  ct_quat_product(quat, quat, turn);
}

bool ct_principal_axes(double moment[3], double quat[4], const double matrix[9]) {
  const double start[4] = {1, 0, 0, 0};
  memcpy(quat, start, sizeof(start));
  for (int i = 0; i < 500; i++) {
    if (!jacobi_turn(moment, quat, matrix)) break;
  }
  exchange_if_rising(moment, quat, 0);
  exchange_if_rising(moment, quat, 1);
  exchange_if_rising(moment, quat, 0);
  return moment[2] >= CT_COMPILER_EPS;
}
