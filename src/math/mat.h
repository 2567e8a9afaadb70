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

#ifndef CT_SIDE_BY_SIDE
#ifndef __CUDACC__
// (s0 + s2) + (s1 + s3) of four words at once.
LANE_INLINE Wide ct_fold_four(Wide a, Wide b, Wide c, Wide d) {
#if defined(__has_builtin) && __has_builtin(__builtin_shufflevector)
  Wide ab = wide_add(__builtin_shufflevector(a, b, 0, 1, 4, 5),
                     __builtin_shufflevector(a, b, 2, 3, 6, 7));
  Wide cd = wide_add(__builtin_shufflevector(c, d, 0, 1, 4, 5),
                     __builtin_shufflevector(c, d, 2, 3, 6, 7));
  return wide_add(__builtin_shufflevector(ab, cd, 0, 2, 4, 6),
                  __builtin_shufflevector(ab, cd, 1, 3, 5, 7));
#else
  Wide sum = {(a[0] + a[2]) + (a[1] + a[3]), (b[0] + b[2]) + (b[1] + b[3]),
              (c[0] + c[2]) + (c[1] + c[3]), (d[0] + d[2]) + (d[1] + d[3])};
  return sum;
#endif
}

// Words a, b, c, d as rows of a matrix: its columns.
LANE_INLINE void ct_columns_of_four(Wide column[4], Wide a, Wide b, Wide c, Wide d) {
#if defined(__has_builtin) && __has_builtin(__builtin_shufflevector)
  Wide ab02 = __builtin_shufflevector(a, b, 0, 4, 2, 6);
  Wide ab13 = __builtin_shufflevector(a, b, 1, 5, 3, 7);
  Wide cd02 = __builtin_shufflevector(c, d, 0, 4, 2, 6);
  Wide cd13 = __builtin_shufflevector(c, d, 1, 5, 3, 7);
  column[0] = __builtin_shufflevector(ab02, cd02, 0, 1, 4, 5);
  column[1] = __builtin_shufflevector(ab13, cd13, 0, 1, 4, 5);
  column[2] = __builtin_shufflevector(ab02, cd02, 2, 3, 6, 7);
  column[3] = __builtin_shufflevector(ab13, cd13, 2, 3, 6, 7);
#else
  for (int k = 0; k < 4; k++) {
    Wide word = {a[k], b[k], c[k], d[k]};
    column[k] = word;
  }
#endif
}
#endif

#ifndef __CUDACC__
// Entry j of four rows.
LANE_INLINE Wide ct_column_of_four(const mjtNum* r0, const mjtNum* r1, const mjtNum* r2,
                                   const mjtNum* r3, ptrdiff_t j) {
  Wide column = {r0[j], r1[j], r2[j], r3[j]};
  return column;
}
#endif

// Dots of four rows, `stride` apart, with one vector: each has the bits of ct_dot. Four at a time,
// because one alone waits for its own additions.
LANE_INLINE void ct_dot_four(mjtNum res[4], const mjtNum* rows, int stride, const mjtNum* v,
                             int n) {
#ifndef __CUDACC__
  if (n >= 4) {
    const mjtNum* r0 = rows;
    const mjtNum* r1 = r0 + stride;
    const mjtNum* r2 = r1 + stride;
    const mjtNum* r3 = r2 + stride;
    Wide x = wide_load(v);
    Wide s0 = wide_mul(wide_load(r0), x), s1 = wide_mul(wide_load(r1), x);
    Wide s2 = wide_mul(wide_load(r2), x), s3 = wide_mul(wide_load(r3), x);
    ptrdiff_t i = 4;
    for (; i <= n - 4; i += 4) {
      x = wide_load(v + i);
      s0 = wide_add(s0, wide_mul(wide_load(r0 + i), x));
      s1 = wide_add(s1, wide_mul(wide_load(r1 + i), x));
      s2 = wide_add(s2, wide_mul(wide_load(r2 + i), x));
      s3 = wide_add(s3, wide_mul(wide_load(r3 + i), x));
    }
    Wide sum = ct_fold_four(s0, s1, s2, s3);
    if (i < n) {  // the last columns, as ct_dot_short
      Wide rest = wide_mul(ct_column_of_four(r0, r1, r2, r3, i), wide_all(v[i]));
      for (ptrdiff_t j = i + 1; j < n; j++) {
        rest = wide_add(rest, wide_mul(ct_column_of_four(r0, r1, r2, r3, j), wide_all(v[j])));
      }
      sum = wide_add(sum, rest);
    }
    wide_store(res, sum);
    return;
  }
#endif
  for (int k = 0; k < 4; k++) {
    res[k] = ct_dot(rows + k * stride, v, n);
  }
}

// res (rows) = m v, m (rows x columns). Each element is one ct_dot.
LANE_INLINE void ct_mul_mat_vec(mjtNum* res, const mjtNum* m, const mjtNum* v, int rows,
                                int columns) {
  int i = 0;
  if (columns == 3) {
    for (; i < rows; i++) {
      res[i] = 0 + ct_dot3(m + 3 * i, v);
    }
  }
  for (; i <= rows - 4; i += 4) {
    ct_dot_four(res + i, m + i * columns, columns, v, columns);
  }
  for (; i < rows; i++) {
    res[i] = ct_dot(m + i * columns, v, columns);
  }
}

// res (n) = sum_k coefficient_k row_k, rows of b `columns` apart, coefficients `stride` apart, in
// the order of k. Zero coefficients are skipped. The sums of a few columns stay in registers while
// k runs.
LANE_INLINE void ct_combine_rows(mjtNum* res, int n, const mjtNum* b, int columns,
                                 const mjtNum* coefficient, int stride, int rows) {
  int j = 0;
#ifndef __CUDACC__
  for (; j <= n - 3 * LANE_WIDTH; j += 3 * LANE_WIDTH) {
    Wide s0 = wide_all(0), s1 = s0, s2 = s0;
    const mjtNum* row = b + j;
    for (int k = 0; k < rows; k++, row += columns) {
      mjtNum c = coefficient[k * stride];
      if (c != 0) {
        s0 = wide_add(s0, wide_mul(wide_load(row), wide_all(c)));
        s1 = wide_add(s1, wide_mul(wide_load(row + LANE_WIDTH), wide_all(c)));
        s2 = wide_add(s2, wide_mul(wide_load(row + 2 * LANE_WIDTH), wide_all(c)));
      }
    }
    wide_store(res + j, s0);
    wide_store(res + j + LANE_WIDTH, s1);
    wide_store(res + j + 2 * LANE_WIDTH, s2);
  }
  for (; j <= n - LANE_WIDTH; j += LANE_WIDTH) {
    Wide s = wide_all(0);
    const mjtNum* row = b + j;
    for (int k = 0; k < rows; k++, row += columns) {
      mjtNum c = coefficient[k * stride];
      if (c != 0) {
        s = wide_add(s, wide_mul(wide_load(row), wide_all(c)));
      }
    }
    wide_store(res + j, s);
  }
#endif
  for (; j < n; j++) {
    mjtNum s = 0;
    for (int k = 0; k < rows; k++) {
      mjtNum c = coefficient[k * stride];
      if (c != 0) {
        s += b[k * columns + j] * c;
      }
    }
    res[j] = s;
  }
}

// res (columns) = m' v, m (rows x columns). Rows whose coefficient in v is zero are skipped, so
// that an infinity in them does no harm.
LANE_INLINE void ct_mul_mat_t_vec(mjtNum* res, const mjtNum* m, const mjtNum* v, int rows,
                                  int columns) {
  ct_combine_rows(res, columns, m, columns, v, 1, rows);
}

// v1' m v2, m (n x n)
LANE_INLINE mjtNum ct_mul_vec_mat_vec(const mjtNum* v1, const mjtNum* m, const mjtNum* v2, int n) {
  mjtNum sum = 0;
  int i = 0;
  for (; i <= n - 4; i += 4) {
    mjtNum dots[4];
    ct_dot_four(dots, m + i * n, n, v2, n);
    sum += v1[i] * dots[0];
    sum += v1[i + 1] * dots[1];
    sum += v1[i + 2] * dots[2];
    sum += v1[i + 3] * dots[3];
  }
  for (; i < n; i++) {
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

#endif

LANE_INLINE void ct_eye(mjtNum* res, int n) {
  ct_zero(res, n * n);
  for (int i = 0; i < n; i++) {
    res[i * n + i] = lane_num(1);
  }
}

#ifndef CT_SIDE_BY_SIDE

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
  for (int j = 0; j < c1; j++) {
    ct_combine_rows(res + j * c2, c2, b, c2, a + j, c1, r1);
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
#endif

#endif  // CT_MATH_MAT_H_
