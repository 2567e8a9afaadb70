// Matrices, row by row: 3x3 and dense. For lane code and the public mju_ functions alike; each
// function is the work of one lane.
//
// A vector output may be the vector input in the 3x3 functions; a matrix output must not overlap an
// input, and neither may the vector output of the dense functions.

#ifndef CT_MATH_MAT_H_
#define CT_MATH_MAT_H_

#include "math/vec.h"

// res = m v
LANE_INLINE void ct_mul_mat_vec3(mjtNum res[3], const mjtNum m[9], const mjtNum v[3]) {
  mjtNum x = m[0] * v[0] + m[1] * v[1] + m[2] * v[2];
  mjtNum y = m[3] * v[0] + m[4] * v[1] + m[5] * v[2];
  mjtNum z = m[6] * v[0] + m[7] * v[1] + m[8] * v[2];
  res[0] = x;
  res[1] = y;
  res[2] = z;
}

// res = m' v
LANE_INLINE void ct_mul_mat_t_vec3(mjtNum res[3], const mjtNum m[9], const mjtNum v[3]) {
  mjtNum x = m[0] * v[0] + m[3] * v[1] + m[6] * v[2];
  mjtNum y = m[1] * v[0] + m[4] * v[1] + m[7] * v[2];
  mjtNum z = m[2] * v[0] + m[5] * v[1] + m[8] * v[2];
  res[0] = x;
  res[1] = y;
  res[2] = z;
}

// res = a b
LANE_INLINE void ct_mul_mat_mat3(mjtNum res[9], const mjtNum a[9], const mjtNum b[9]) {
  for (int i = 0; i < 3; i++) {
    ct_mul_mat_t_vec3(res + 3 * i, b, a + 3 * i);
  }
}

// res = a b'
LANE_INLINE void ct_mul_mat_mat_t3(mjtNum res[9], const mjtNum a[9], const mjtNum b[9]) {
  for (int i = 0; i < 3; i++) {
    ct_mul_mat_vec3(res + 3 * i, b, a + 3 * i);
  }
}

// res = a' b
LANE_INLINE void ct_mul_mat_t_mat3(mjtNum res[9], const mjtNum a[9], const mjtNum b[9]) {
  for (int i = 0; i < 3; i++) {
    mjtNum column[3] = {a[i], a[i + 3], a[i + 6]};
    ct_mul_mat_t_vec3(res + 3 * i, b, column);
  }
}

// res = m', 3x3
LANE_INLINE void ct_transpose3(mjtNum res[9], const mjtNum m[9]) {
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++) {
      res[3 * i + j] = m[3 * j + i];
    }
  }
}

// res (rows) = m v, m (rows x columns). Each element is one ct_dot.
LANE_INLINE void ct_mul_mat_vec(mjtNum* res, const mjtNum* m, const mjtNum* v, int rows,
                                int columns) {
  for (int i = 0; i < rows; i++) {
    res[i] = ct_dot(m + i * columns, v, columns);
  }
}

// res (columns) = m' v, m (rows x columns). Rows whose coefficient in v is zero are skipped, so
// that an infinity in them does no harm.
LANE_INLINE void ct_mul_mat_t_vec(mjtNum* res, const mjtNum* m, const mjtNum* v, int rows,
                                  int columns) {
  ct_zero(res, columns);
  for (int i = 0; i < rows; i++) {
    if (v[i] != 0) {
      ct_add_to_scl(res, m + i * columns, v[i], columns);
    }
  }
}

#endif  // CT_MATH_MAT_H_
