// Public functions of numbers, vectors and arrays: comparisons, rounding, random numbers,
// conversions and small sorts; math/vec.h under its public names; integers, bytes, gather and
// scatter, boxes, interpolation.

#include <limits.h>
#include <stdlib.h>

#include <mujoco/mujoco.h>

#include "api/exports.h"
#include "math/basis.h"
#include "math/mat.h"
#include "math/scalar.h"
#include "math/strict.h"
#include "math/vec.h"

// Numbers

mjtNum mju_min(mjtNum a, mjtNum b) {
  return ct_min(a, b);
}

mjtNum mju_max(mjtNum a, mjtNum b) {
  return ct_max(a, b);
}

mjtNum mju_clip(mjtNum x, mjtNum min, mjtNum max) {
  return ct_clip(x, min, max);
}

mjtNum mju_sign(mjtNum x) {
  return ct_sign(x);
}

// Halves go up: 2.5 becomes 3, -2.5 becomes -2. What int cannot hold becomes its least value.
int mju_round(mjtNum x) {
  mjtNum below = (mjtNum)floor(x);
  double rounded = (double)(x - below < (mjtNum)0.5 ? below : below + 1);
  return fabs(rounded) < 2147483648.0 ? (int)rounded : INT_MIN;
}

int mju_isBad(mjtNum x) {
  return ct_is_bad(x);
}

int mju_isZero(const mjtNum* vec, int n) {
  for (int i = 0; i < n; i++) {
    if (!(vec[i] == 0)) {
      return 0;
    }
  }
  return 1;
}

mjtNum mju_sigmoid(mjtNum x) {
  return ct_sigmoid(x);
}

// Two independent normal numbers by Marsaglia's polar method, from the C library's rand.
mjtNum mju_standardNormal(mjtNum* num2) {
  mjtNum x1, x2, s;
  do {
    x1 = (mjtNum)(2.0 * rand() / RAND_MAX - 1);
    x2 = (mjtNum)(2.0 * rand() / RAND_MAX - 1);
    s = x1 * x1 + x2 * x2;
  } while (s >= 1 || s == 0);

  mjtNum w = ct_sqrt(-2 * ct_log(s) / s);
  if (num2 != NULL) {
    *num2 = x2 * w;
  }
  return x1 * w;
}

mjtNum mju_Halton(int index, int base) {
  return ct_halton(index, base);
}

void mju_f2n(mjtNum* res, const float* vec, int n) {
  for (int i = 0; i < n; i++) {
    res[i] = (mjtNum)vec[i];
  }
}

void mju_n2f(float* res, const mjtNum* vec, int n) {
  for (int i = 0; i < n; i++) {
    res[i] = (float)vec[i];
  }
}

void mju_d2n(mjtNum* res, const double* vec, int n) {
  for (int i = 0; i < n; i++) {
    res[i] = (mjtNum)vec[i];
  }
}

void mju_n2d(double* res, const mjtNum* vec, int n) {
  for (int i = 0; i < n; i++) {
    res[i] = (double)vec[i];
  }
}

void mju_insertionSort(mjtNum* list, int n) {
  for (int i = 1; i < n; i++) {
    mjtNum x = list[i];
    int j = i;
    for (; j > 0 && list[j - 1] > x; j--) {
      list[j] = list[j - 1];
    }
    list[j] = x;
  }
}

void mju_insertionSortInt(int* list, int n) {
  for (int i = 1; i < n; i++) {
    int x = list[i];
    int j = i;
    for (; j > 0 && list[j - 1] > x; j--) {
      list[j] = list[j - 1];
    }
    list[j] = x;
  }
}

// Vectors

void mju_zero3(mjtNum res[3]) {
  ct_zero3(res);
}

void mju_copy3(mjtNum res[3], const mjtNum data[3]) {
  ct_copy3(res, data);
}

void mju_scl3(mjtNum res[3], const mjtNum vec[3], mjtNum scl) {
  ct_scl3(res, vec, scl);
}

void mju_add3(mjtNum res[3], const mjtNum vec1[3], const mjtNum vec2[3]) {
  ct_add3(res, vec1, vec2);
}

void mju_sub3(mjtNum res[3], const mjtNum vec1[3], const mjtNum vec2[3]) {
  ct_sub3(res, vec1, vec2);
}

void mju_addTo3(mjtNum res[3], const mjtNum vec[3]) {
  ct_add_to3(res, vec);
}

void mju_subFrom3(mjtNum res[3], const mjtNum vec[3]) {
  ct_sub_from3(res, vec);
}

void mju_addToScl3(mjtNum res[3], const mjtNum vec[3], mjtNum scl) {
  ct_add_to_scl3(res, vec, scl);
}

void mju_addScl3(mjtNum res[3], const mjtNum vec1[3], const mjtNum vec2[3], mjtNum scl) {
  ct_add_scl3(res, vec1, vec2, scl);
}

mjtNum mju_normalize3(mjtNum vec[3]) {
  return ct_normalize3(vec);
}

mjtNum mju_norm3(const mjtNum vec[3]) {
  return ct_norm3(vec);
}

mjtNum mju_dot3(const mjtNum vec1[3], const mjtNum vec2[3]) {
  return ct_dot3(vec1, vec2);
}

mjtNum mju_dist3(const mjtNum pos1[3], const mjtNum pos2[3]) {
  return ct_dist3(pos1, pos2);
}

void mju_cross(mjtNum res[3], const mjtNum a[3], const mjtNum b[3]) {
  ct_cross(res, a, b);
}

void mju_zero4(mjtNum res[4]) {
  ct_zero4(res);
}

void mju_unit4(mjtNum res[4]) {
  ct_unit4(res);
}

void mju_copy4(mjtNum res[4], const mjtNum data[4]) {
  ct_copy4(res, data);
}

mjtNum mju_normalize4(mjtNum vec[4]) {
  return ct_normalize4(vec);
}

void mju_zero(mjtNum* res, int n) {
  ct_zero(res, n);
}

void mju_fill(mjtNum* res, mjtNum val, int n) {
  ct_fill(res, val, n);
}

void mju_copy(mjtNum* res, const mjtNum* vec, int n) {
  ct_copy(res, vec, n);
}

mjtNum mju_sum(const mjtNum* vec, int n) {
  return ct_sum(vec, n);
}

mjtNum mju_L1(const mjtNum* vec, int n) {
  return ct_l1(vec, n);
}

void mju_scl(mjtNum* res, const mjtNum* vec, mjtNum scl, int n) {
  ct_scl(res, vec, scl, n);
}

void mju_add(mjtNum* res, const mjtNum* vec1, const mjtNum* vec2, int n) {
  ct_add(res, vec1, vec2, n);
}

void mju_sub(mjtNum* res, const mjtNum* vec1, const mjtNum* vec2, int n) {
  ct_sub(res, vec1, vec2, n);
}

void mju_addTo(mjtNum* res, const mjtNum* vec, int n) {
  ct_add_to(res, vec, n);
}

void mju_subFrom(mjtNum* res, const mjtNum* vec, int n) {
  ct_sub_from(res, vec, n);
}

void mju_addToScl(mjtNum* res, const mjtNum* vec, mjtNum scl, int n) {
  ct_add_to_scl(res, vec, scl, n);
}

void mju_addScl(mjtNum* res, const mjtNum* vec1, const mjtNum* vec2, mjtNum scl, int n) {
  ct_add_scl(res, vec1, vec2, scl, n);
}

mjtNum mju_normalize(mjtNum* res, int n) {
  return ct_normalize(res, n);
}

mjtNum mju_norm(const mjtNum* res, int n) {
  return ct_norm(res, n);
}

mjtNum mju_dot(const mjtNum* vec1, const mjtNum* vec2, int n) {
  return ct_dot(vec1, vec2, n);
}

// Arrays, boxes, interpolation

int mju_equal3(const mjtNum a[3], const mjtNum b[3]) {
  return ct_abs(a[0] - b[0]) < mjMINVAL && ct_abs(a[1] - b[1]) < mjMINVAL &&
         ct_abs(a[2] - b[2]) < mjMINVAL;
}

void mju_zeroInt(int* a, int count) {
  for (int i = 0; i < count; i++) {
    a[i] = 0;
  }
}

void mju_copyInt(int* to, const int* from, int count) {
  for (int i = 0; i < count; i++) {
    to[i] = from[i];
  }
}

int mju_isZeroByte(const unsigned char* bytes, int count) {
  for (int i = 0; i < count; i++) {
    if (bytes[i] != 0) {
      return 0;
    }
  }
  return 1;
}

void mju_gather(mjtNum* packed, const mjtNum* from, const int* place, int count) {
  for (int i = 0; i < count; i++) {
    packed[i] = from[place[i]];
  }
}

void mju_gatherMasked(mjtNum* packed, const mjtNum* from, const int* place, int count) {
  for (int i = 0; i < count; i++) {
    packed[i] = place[i] >= 0 ? from[place[i]] : 0;
  }
}

void mju_gatherInt(int* packed, const int* from, const int* place, int count) {
  for (int i = 0; i < count; i++) {
    packed[i] = from[place[i]];
  }
}

void mju_scatter(mjtNum* to, const mjtNum* packed, const int* place, int count) {
  for (int i = 0; i < count; i++) {
    to[place[i]] = packed[i];
  }
}

void mju_scatterInt(int* to, const int* packed, const int* place, int count) {
  for (int i = 0; i < count; i++) {
    to[place[i]] = packed[i];
  }
}

void mju_geomSemiAxes(mjtNum half_axes[3], const mjtNum geom_size[3], int geom_type) {
  ct_copy3(half_axes, geom_size);
  if (geom_type == mjGEOM_SPHERE) {
    half_axes[1] = half_axes[2] = geom_size[0];
  } else if (geom_type == mjGEOM_CAPSULE) {
    half_axes[1] = geom_size[0];
    half_axes[2] = geom_size[0] + geom_size[1];
  } else if (geom_type == mjGEOM_CYLINDER) {
    half_axes[1] = geom_size[0];
    half_axes[2] = geom_size[1];
  }
}

int mju_outsideBox(const mjtNum point[3], const mjtNum center[3], const mjtNum frame[9],
                   const mjtNum half_size[3], mjtNum growth) {
  if (growth < 1) {
    mju_error("mju_outsideBox: the growth must be at least 1, not %g", (double)growth);
    return 0;
  }
  mjtNum local[3];
  ct_sub3(local, point, center);
  ct_mul_mat_t_vec3(local, frame, local);

  int inside = 0;
  for (int i = 0; i < 3; i++) {
    if (ct_abs(local[i]) > half_size[i] * growth) {
      return 1;
    }
    inside += ct_abs(local[i]) < half_size[i] / growth;
  }
  return growth == 1 || inside == 3 ? -1 : 0;
}

mjtNum mju_evalBasis(const mjtNum at[3], int node, int degree) {
  if (degree == 2 && (node < 0 || node >= 27)) {
    mju_error("mju_evalBasis: degree 2 has nodes 0 to 26, not %d", node);
    return 0;
  }
  return degree == 1 || degree == 2 ? ct_basis(at, node, degree) : (mjtNum)-1;
}

void mju_interpolate3D(mjtNum sum[3], const mjtNum at[3], const mjtNum* node_value, int degree) {
  int nodes = (degree + 1) * (degree + 1) * (degree + 1);
  for (int i = 0; i < nodes; i++) {
    ct_add_to_scl3(sum, node_value + 3 * i, mju_evalBasis(at, i, degree));
  }
}

void mju_defGradient(mjtNum jacobian[9], const mjtNum at[3], const mjtNum* node_position,
                     int degree) {
  int nodes = (degree + 1) * (degree + 1) * (degree + 1);
  ct_zero(jacobian, 9);
  for (int i = 0; i < nodes; i++) {
    mjtNum gradient[3];
    ct_basis_gradient(gradient, at, i, degree);
    for (int k = 0; k < 3; k++) {
      ct_add_to_scl3(jacobian + 3 * k, gradient, node_position[3 * i + k]);
    }
  }
}
