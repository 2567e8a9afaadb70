// Matrices, row by row: 3x3 and dense. For lane code and the public mju_ functions alike; each
// function is the work of one lane.
//
// A vector output may be the vector input in the 3x3 functions; a matrix output must not overlap an
// input, and neither may the vector output of the dense functions.

#ifndef CT_MATH_MAT_H_
#define CT_MATH_MAT_H_

#include <stddef.h>

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

// v1' m v2, m (n x n)
LANE_INLINE mjtNum ct_mul_vec_mat_vec(const mjtNum* v1, const mjtNum* m, const mjtNum* v2, int n) {
  mjtNum sum = 0;
  for (int i = 0; i < n; i++) {
    sum += v1[i] * ct_dot(m + i * n, v2, n);
  }
  return sum;
}

// res (columns x rows) = m', m (rows x columns)
LANE_INLINE void ct_transpose(mjtNum* res, const mjtNum* m, int rows, int columns) {
  for (int i = 0; i < rows; i++) {
    for (int j = 0; j < columns; j++) {
      res[j * rows + i] = m[i * columns + j];
    }
  }
}

// res = (m + m') / 2, both n x n; res may be m.
LANE_INLINE void ct_symmetrize(mjtNum* res, const mjtNum* m, int n) {
  for (int i = 0; i < n; i++) {
    res[i * n + i] = m[i * n + i];
    for (int j = 0; j < i; j++) {
      mjtNum mean = (m[i * n + j] + m[j * n + i]) / 2;
      res[i * n + j] = mean;
      res[j * n + i] = mean;
    }
  }
}

LANE_INLINE void ct_eye(mjtNum* res, int n) {
  ct_zero(res, n * n);
  for (int i = 0; i < n; i++) {
    res[i * n + i] = 1;
  }
}

// The products below own their output rows: each row of the result is a sum of scaled rows, so that
// no sum runs across a row and all of them vectorise. Coefficients that are zero are skipped.

// res (r1 x c2) = a b, a (r1 x c1), b (c1 x c2)
LANE_INLINE void ct_mul_mat_mat(mjtNum* res, const mjtNum* a, const mjtNum* b, int r1, int c1,
                                int c2) {
  for (int i = 0; i < r1; i++) {
    ct_mul_mat_t_vec(res + i * c2, b, a + i * c1, c1, c2);
  }
}

// res (r1 x r2) = a b', a (r1 x c1), b (r2 x c1). Nothing is skipped: each element is one ct_dot.
LANE_INLINE void ct_mul_mat_mat_t(mjtNum* res, const mjtNum* a, const mjtNum* b, int r1, int c1,
                                  int r2) {
  for (int i = 0; i < r1; i++) {
    ct_mul_mat_vec(res + i * r2, b, a + i * c1, r2, c1);
  }
}

// res (c1 x c2) = a' b, a (r1 x c1), b (r1 x c2)
LANE_INLINE void ct_mul_mat_t_mat(mjtNum* res, const mjtNum* a, const mjtNum* b, int r1, int c1,
                                  int c2) {
  ct_zero(res, c1 * c2);
  for (int i = 0; i < r1; i++) {
    for (int j = 0; j < c1; j++) {
      mjtNum coefficient = a[i * c1 + j];
      if (coefficient != 0) {
        ct_add_to_scl(res + j * c2, b + i * c2, coefficient, c2);
      }
    }
  }
}

// res (columns x columns) = m' diag m, m (rows x columns); diag NULL stands for ones. Zeros of m
// and of diag are skipped. The lower triangle is computed and copied to the upper one.
LANE_INLINE void ct_sqr_mat_t_d(mjtNum* res, const mjtNum* m, const mjtNum* diag, int rows,
                                int columns) {
  ct_zero(res, columns * columns);
  for (int i = 0; i < rows; i++) {
    const mjtNum* row = m + i * columns;
    mjtNum weight = diag != NULL ? diag[i] : 1;
    if (weight == 0) {
      continue;
    }
    for (int j = 0; j < columns; j++) {
      if (row[j] != 0) {
        mjtNum coefficient = row[j] * weight;
        ct_add_to_scl(res + j * columns, row, coefficient, j + 1);
      }
    }
  }
  for (int j = 0; j < columns; j++) {
    for (int k = j + 1; k < columns; k++) {
      res[j * columns + k] = res[k * columns + j];
    }
  }
}

#endif  // CT_MATH_MAT_H_
