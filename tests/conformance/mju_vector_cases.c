// Cases of scalars, vectors, matrices, quaternions, poses and spatial vectors.

#include "conformance/mju_cases.h"

#include <math.h>
#include <string.h>

static const double PI = 3.141592653589793;

// Magnitudes of a + b, elementwise, where b is scaled.
static double* magnitude_add(Case* c, const mjtNum* a, const mjtNum* b, mjtNum scale, int n) {
  double* sum = (double*)case_memory(c, (size_t)n * sizeof(double));
  for (int i = 0; i < n; i++) sum[i] = fabs((double)a[i]) + fabs((double)scale * (double)b[i]);
  return sum;
}

static double* magnitude_fixed(Case* c, double magnitude, int n) {
  double* all = (double*)case_memory(c, (size_t)n * sizeof(double));
  for (int i = 0; i < n; i++) all[i] = magnitude;
  return all;
}

// The largest magnitude of a bilinear product of vectors: every output is a sum of their elements'
// products.
static double largest(const mjtNum* x, int n) {
  double max = 0;
  for (int i = 0; i < n; i++) max = fmax(max, fabs((double)x[i]));
  return max;
}

// A quaternion of one of the kinds that matter: exact identity, zero, tiny, not of unit length,
// near identity, near a half turn, any.
static mjtNum* draw_quat(Case* c) {
  mjtNum* q = case_numbers(c, 4);
  int kind = case_int(c, 0, 9);
  if (!c->replay) {
    double norm = sqrt((double)(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]));
    bool unit = isfinite(norm) && norm > 1e-3 && kind > 2;
    if (kind == 0) {
      q[0] = 1;
      q[1] = q[2] = q[3] = 0;
    } else if (kind == 1) {
      for (int i = 0; i < 4; i++) q[i] *= (mjtNum)1e-18;
    } else if (kind == 2) {
      q[0] = q[1] = q[2] = q[3] = 0;
    } else if (unit) {
      if (kind == 3) q[0] = (mjtNum)(1e7 * norm);
      if (kind == 4) q[0] = (mjtNum)(1e-9 * norm);
      double length = sqrt((double)(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]));
      for (int i = 0; i < 4 && kind < 9; i++) q[i] = (mjtNum)((double)q[i] / length);
    }
  }
  case_input(c, q, 4);
  return q;
}

static void quat_matrix(double r[9], const mjtNum q[4]) {
  double w = (double)q[0], x = (double)q[1], y = (double)q[2], z = (double)q[3];
  double m[9] = {
      w * w + x * x - y * y - z * z, 2 * (x * y - w * z),           2 * (x * z + w * y),
      2 * (x * y + w * z),           w * w - x * x + y * y - z * z, 2 * (y * z - w * x),
      2 * (x * z - w * y),           2 * (y * z + w * x),           w * w - x * x - y * y + z * z};
  memcpy(r, m, sizeof(m));
}

// A 3 x 3 matrix: a rotation, exactly or nearly, or nine free numbers.
static mjtNum* draw_mat3(Case* c, double noise) {
  mjtNum* q = draw_quat(c);
  mjtNum* m = case_numbers(c, 9);
  if (!c->replay && (noise > 0 || case_random(c) < 0.8)) {
    double r[9];
    quat_matrix(r, q);
    for (int i = 0; i < 9; i++) m[i] = (mjtNum)(r[i] + noise * (2 * case_random(c) - 1));
  }
  case_input(c, m, 9);
  return m;
}

// Vectors of fixed length

#define CASE_FIXED_ZERO(name_, n_)    \
  static void case_##name_(Case* c) { \
    mjtNum* res = case_output(c, n_); \
    CALL(c, mju_##name_)(res);        \
    expect_same(c, res, n_);          \
  }
CASE_FIXED_ZERO(zero3, 3)
CASE_FIXED_ZERO(zero4, 4)
CASE_FIXED_ZERO(unit4, 4)

#define CASE_FIXED_COPY(name_, n_)     \
  static void case_##name_(Case* c) {  \
    mjtNum* res = case_output(c, n_);  \
    mjtNum* vec = case_numbers(c, n_); \
    CALL(c, mju_##name_)(res, vec);    \
    expect_same(c, res, n_);           \
  }
CASE_FIXED_COPY(copy3, 3)
CASE_FIXED_COPY(copy4, 4)
CASE_FIXED_COPY(negQuat, 4)

static void case_scl3(Case* c) {
  mjtNum *res = case_output(c, 3), *vec = case_numbers(c, 3), scl = case_number(c);
  CALL(c, mju_scl3)(res, vec, scl);
  expect_same(c, res, 3);
}

#define CASE_FIXED_BINARY(name_)                                                       \
  static void case_##name_(Case* c) {                                                  \
    mjtNum *res = case_output(c, 3), *a = case_numbers(c, 3), *b = case_numbers(c, 3); \
    CALL(c, mju_##name_)(res, a, b);                                                   \
    expect_same(c, res, 3);                                                            \
  }
CASE_FIXED_BINARY(add3)
CASE_FIXED_BINARY(sub3)

#define CASE_FIXED_ONTO(name_)                                   \
  static void case_##name_(Case* c) {                            \
    mjtNum *res = case_numbers(c, 3), *vec = case_numbers(c, 3); \
    CALL(c, mju_##name_)(res, vec);                              \
    expect_same(c, res, 3);                                      \
  }
CASE_FIXED_ONTO(addTo3)
CASE_FIXED_ONTO(subFrom3)

static void case_addToScl3(Case* c) {
  mjtNum *res = case_numbers(c, 3), *vec = case_numbers(c, 3), scl = case_number(c);
  double* magnitude = magnitude_add(c, res, vec, scl, 3);
  CALL(c, mju_addToScl3)(res, vec, scl);
  expect_sum(c, res, 3, magnitude, 1);
}

static void case_addScl3(Case* c) {
  mjtNum *res = case_output(c, 3), *a = case_numbers(c, 3), *b = case_numbers(c, 3);
  mjtNum scl = case_number(c);
  CALL(c, mju_addScl3)(res, a, b, scl);
  expect_sum(c, res, 3, magnitude_add(c, a, b, scl, 3), 1);
}

// A vector that is sometimes too short to have a direction.
static mjtNum* draw_direction(Case* c, int n) {
  mjtNum* v = case_numbers(c, n);
  if (!c->replay) {
    double shrink = case_random(c) < 0.2 ? 1e-16 : 1;
    for (int i = 0; i < n; i++) v[i] *= (mjtNum)shrink;
  }
  case_input(c, v, n);
  return v;
}

#define CASE_FIXED_NORMALIZE(name_, n_)        \
  static void case_##name_(Case* c) {          \
    mjtNum* vec = draw_direction(c, n_);       \
    mjtNum length = CALL(c, mju_##name_)(vec); \
    expect_same(c, &length, 1);                \
    expect_same(c, vec, n_);                   \
  }
CASE_FIXED_NORMALIZE(normalize3, 3)
CASE_FIXED_NORMALIZE(normalize4, 4)

static void case_norm3(Case* c) {
  mjtNum* vec = case_numbers(c, 3);
  mjtNum res = CALL(c, mju_norm3)(vec);
  expect_same(c, &res, 1);
}

static void case_dot3(Case* c) {
  mjtNum *a = case_numbers(c, 3), *b = case_numbers(c, 3);
  mjtNum res = CALL(c, mju_dot3)(a, b);
  expect_sum(c, &res, 1, magnitude_dot(c, a, b, 3), 3);
}

static void case_dist3(Case* c) {
  mjtNum *a = case_numbers(c, 3), *b = case_numbers(c, 3);
  mjtNum res = CALL(c, mju_dist3)(a, b);
  expect_same(c, &res, 1);
}

static void case_mulMatVec3(Case* c) {
  mjtNum *res = case_output(c, 3), *mat = case_numbers(c, 9), *vec = case_numbers(c, 3);
  CALL(c, mju_mulMatVec3)(res, mat, vec);
  expect_sum(c, res, 3, magnitude_product(c, mat, 3, 1, vec, 1, 0, 3, 3, 1), 3);
}

static void case_mulMatTVec3(Case* c) {
  mjtNum *res = case_output(c, 3), *mat = case_numbers(c, 9), *vec = case_numbers(c, 3);
  CALL(c, mju_mulMatTVec3)(res, mat, vec);
  expect_sum(c, res, 3, magnitude_product(c, mat, 1, 3, vec, 1, 0, 3, 3, 1), 3);
}

static void case_cross(Case* c) {
  mjtNum *res = case_output(c, 3), *a = case_numbers(c, 3), *b = case_numbers(c, 3);
  CALL(c, mju_cross)(res, a, b);
  expect_sum(c, res, 3, magnitude_fixed(c, largest(a, 3) * largest(b, 3), 3), 2);
}

// Vectors of any length

static void case_zero(Case* c) {
  int n = case_size(c);
  mjtNum* res = case_output(c, n + 1);
  CALL(c, mju_zero)(res, n);
  expect_same(c, res, n + 1);
}

static void case_fill(Case* c) {
  int n = case_size(c);
  mjtNum *res = case_output(c, n + 1), value = case_number(c);
  CALL(c, mju_fill)(res, value, n);
  expect_same(c, res, n + 1);
}

static void case_copy_any(Case* c) {
  int n = case_size(c);
  mjtNum *res = case_output(c, n + 1), *vec = case_numbers(c, n);
  CALL(c, mju_copy)(res, vec, n);
  expect_same(c, res, n + 1);
}

#define CASE_REDUCE(name_)                                                    \
  static void case_##name_(Case* c) {                                         \
    int n = case_size(c);                                                     \
    mjtNum *vec = case_numbers(c, n), one = 1;                                \
    mjtNum res = CALL(c, mju_##name_)(vec, n);                                \
    double* magnitude = magnitude_product(c, vec, 0, 1, &one, 0, 0, 1, n, 1); \
    expect_sum(c, &res, 1, magnitude, n);                                     \
  }
CASE_REDUCE(sum)
CASE_REDUCE(L1)

static void case_norm(Case* c) {
  int n = case_size(c);
  mjtNum* vec = case_numbers(c, n);
  mjtNum res = CALL(c, mju_norm)(vec, n);
  expect_same(c, &res, 1);
}

static void case_normalize(Case* c) {
  int n = case_int(c, 1, c->largest);
  mjtNum* vec = draw_direction(c, n);
  mjtNum length = CALL(c, mju_normalize)(vec, n);
  expect_same(c, &length, 1);
  expect_same(c, vec, n);
}

static void case_scl(Case* c) {
  int n = case_size(c);
  mjtNum *res = case_output(c, n + 1), *vec = case_numbers(c, n), scl = case_number(c);
  CALL(c, mju_scl)(res, vec, scl, n);
  expect_same(c, res, n + 1);
}

#define CASE_BINARY(name_)                                                                 \
  static void case_##name_(Case* c) {                                                      \
    int n = case_size(c);                                                                  \
    mjtNum *res = case_output(c, n + 1), *a = case_numbers(c, n), *b = case_numbers(c, n); \
    CALL(c, mju_##name_)(res, a, b, n);                                                    \
    expect_same(c, res, n + 1);                                                            \
  }
CASE_BINARY(add)
CASE_BINARY(sub)

#define CASE_ONTO(name_)                                         \
  static void case_##name_(Case* c) {                            \
    int n = case_size(c);                                        \
    mjtNum *res = case_numbers(c, n), *vec = case_numbers(c, n); \
    CALL(c, mju_##name_)(res, vec, n);                           \
    expect_same(c, res, n);                                      \
  }
CASE_ONTO(addTo)
CASE_ONTO(subFrom)

static void case_addToScl(Case* c) {
  int n = case_size(c);
  mjtNum *res = case_numbers(c, n), *vec = case_numbers(c, n), scl = case_number(c);
  double* magnitude = magnitude_add(c, res, vec, scl, n);
  CALL(c, mju_addToScl)(res, vec, scl, n);
  expect_sum(c, res, n, magnitude, 1);
}

static void case_addScl(Case* c) {
  int n = case_size(c);
  mjtNum *res = case_output(c, n), *a = case_numbers(c, n), *b = case_numbers(c, n);
  mjtNum scl = case_number(c);
  CALL(c, mju_addScl)(res, a, b, scl, n);
  expect_sum(c, res, n, magnitude_add(c, a, b, scl, n), 1);
}

static void case_dot(Case* c) {
  int n = case_size(c);
  mjtNum *a = case_numbers(c, n), *b = case_numbers(c, n);
  mjtNum res = CALL(c, mju_dot)(a, b, n);
  expect_sum(c, &res, 1, magnitude_dot(c, a, b, n), n);
}

// Matrices

static void case_mulMatVec(Case* c) {
  int nr = case_size(c), nc = case_size(c);
  mjtNum *res = case_output(c, nr), *mat = case_numbers(c, nr * nc), *vec = case_numbers(c, nc);
  CALL(c, mju_mulMatVec)(res, mat, vec, nr, nc);
  expect_sum(c, res, nr, magnitude_product(c, mat, nc, 1, vec, 1, 0, nr, nc, 1), nc);
}

static void case_mulMatTVec(Case* c) {
  int nr = case_size(c), nc = case_size(c);
  mjtNum *res = case_output(c, nc), *mat = case_numbers(c, nr * nc), *vec = case_numbers(c, nr);
  CALL(c, mju_mulMatTVec)(res, mat, vec, nr, nc);
  expect_sum(c, res, nc, magnitude_product(c, mat, 1, nc, vec, 1, 0, nc, nr, 1), nr);
}

static void case_mulVecMatVec(Case* c) {
  int n = case_size(c);
  mjtNum *a = case_numbers(c, n), *mat = case_numbers(c, n * n), *b = case_numbers(c, n);
  mjtNum res = CALL(c, mju_mulVecMatVec)(a, mat, b, n);
  double magnitude = 0;
  for (int i = 0; i < n * n; i++) magnitude += fabs((double)(a[i / n] * mat[i]) * (double)b[i % n]);
  expect_sum(c, &res, 1, &magnitude, 2 * n);
}

static void case_transpose(Case* c) {
  int nr = case_size(c), nc = case_size(c);
  mjtNum *res = case_output(c, nr * nc), *mat = case_numbers(c, nr * nc);
  CALL(c, mju_transpose)(res, mat, nr, nc);
  expect_same(c, res, nr * nc);
}

static void case_symmetrize(Case* c) {
  int n = case_size(c);
  mjtNum *mat = case_numbers(c, n * n), *res = case_int(c, 0, 1) ? mat : case_output(c, n * n);
  CALL(c, mju_symmetrize)(res, mat, n);
  expect_same(c, res, n * n);
}

static void case_eye(Case* c) {
  int n = case_size(c);
  mjtNum* res = case_output(c, n * n);
  CALL(c, mju_eye)(res, n);
  expect_same(c, res, n * n);
}

static void case_mulMatMat(Case* c) {
  int r1 = case_size(c), c1 = case_size(c), c2 = case_size(c);
  mjtNum *res = case_output(c, r1 * c2), *a = case_numbers(c, r1 * c1),
         *b = case_numbers(c, c1 * c2);
  CALL(c, mju_mulMatMat)(res, a, b, r1, c1, c2);
  expect_sum(c, res, r1 * c2, magnitude_product(c, a, c1, 1, b, c2, 1, r1, c1, c2), c1);
}

static void case_mulMatMatT(Case* c) {
  int r1 = case_size(c), c1 = case_size(c), r2 = case_size(c);
  mjtNum *res = case_output(c, r1 * r2), *a = case_numbers(c, r1 * c1),
         *b = case_numbers(c, r2 * c1);
  CALL(c, mju_mulMatMatT)(res, a, b, r1, c1, r2);
  expect_sum(c, res, r1 * r2, magnitude_product(c, a, c1, 1, b, 1, c1, r1, c1, r2), c1);
}

static void case_mulMatTMat(Case* c) {
  int r1 = case_size(c), c1 = case_size(c), c2 = case_size(c);
  mjtNum *res = case_output(c, c1 * c2), *a = case_numbers(c, r1 * c1),
         *b = case_numbers(c, r1 * c2);
  CALL(c, mju_mulMatTMat)(res, a, b, r1, c1, c2);
  expect_sum(c, res, c1 * c2, magnitude_product(c, a, 1, c1, b, c2, 1, c1, r1, c2), r1);
}

static void case_sqrMatTD(Case* c) {
  int nr = case_size(c), nc = case_size(c);
  mjtNum *res = case_output(c, nc * nc), *mat = case_numbers(c, nr * nc);
  mjtNum* diag = case_int(c, 0, 1) ? case_numbers(c, nr) : NULL;
  CALL(c, mju_sqrMatTD)(res, mat, diag, nr, nc);
  mjtNum* scaled = case_copy(c, mat, nr * nc);
  for (int i = 0; diag && i < nr * nc; i++) scaled[i] *= diag[i / nc];
  expect_sum(c, res, nc * nc, magnitude_product(c, scaled, 1, nc, mat, nc, 1, nc, nr, nc), 2 * nr);
}

static void case_transformSpatial(Case* c) {
  mjtNum *res = case_output(c, 6), *vec = case_numbers(c, 6);
  int force = case_int(c, 0, 1), turned = case_int(c, 0, 1);
  mjtNum *newpos = case_numbers(c, 3), *oldpos = case_numbers(c, 3);
  mjtNum* rot = turned ? draw_mat3(c, 0) : NULL;
  CALL(c, mju_transformSpatial)(res, vec, force, newpos, oldpos, rot);
  double arm = largest(newpos, 3) + largest(oldpos, 3);
  double magnitude = (1 + 2 * arm) * largest(vec, 6) * (rot ? 3 * largest(rot, 9) : 1);
  expect_sum(c, res, 6, magnitude_fixed(c, magnitude, 6), 6);
}

// Quaternions

static void case_rotVecQuat(Case* c) {
  mjtNum *res = case_output(c, 3), *vec = case_numbers(c, 3), *quat = draw_quat(c);
  CALL(c, mju_rotVecQuat)(res, vec, quat);
  double q = largest(quat, 4);
  expect_sum(c, res, 3, magnitude_fixed(c, largest(vec, 3) * (1 + 8 * q * q), 3), 4);
}

static void case_mulQuat(Case* c) {
  mjtNum *res = case_output(c, 4), *a = draw_quat(c), *b = draw_quat(c);
  CALL(c, mju_mulQuat)(res, a, b);
  expect_sum(c, res, 4, magnitude_fixed(c, largest(a, 4) * largest(b, 4), 4), 4);
}

static void case_mulQuatAxis(Case* c) {
  mjtNum *res = case_output(c, 4), *a = draw_quat(c), *axis = case_numbers(c, 3);
  CALL(c, mju_mulQuatAxis)(res, a, axis);
  expect_sum(c, res, 4, magnitude_fixed(c, largest(a, 4) * largest(axis, 3), 4), 4);
}

static void case_axisAngle2Quat(Case* c) {
  mjtNum *res = case_output(c, 4), *axis = case_numbers(c, 3), angle = case_number(c);
  CALL(c, mju_axisAngle2Quat)(res, axis, angle);
  expect_same(c, res, 4);
}

static void case_quat2Vel(Case* c) {
  mjtNum *res = case_output(c, 3), *quat = draw_quat(c), dt = case_uniform(c, (mjtNum)1e-3, 2);
  CALL(c, mju_quat2Vel)(res, quat, dt);
  expect_sum(c, res, 3, magnitude_fixed(c, 2 * PI / (double)dt, 3), 4);
}

static void case_subQuat(Case* c) {
  mjtNum *res = case_output(c, 3), *a = draw_quat(c), *b = draw_quat(c);
  CALL(c, mju_subQuat)(res, a, b);
  expect_sum(c, res, 3, magnitude_fixed(c, 2 * PI, 3), 8);
}

static void case_quat2Mat(Case* c) {
  mjtNum *res = case_output(c, 9), *quat = draw_quat(c);
  CALL(c, mju_quat2Mat)(res, quat);
  double q = largest(quat, 4);
  expect_sum(c, res, 9, magnitude_fixed(c, 4 * q * q, 9), 2);
}

static void case_mat2Quat(Case* c) {
  mjtNum *quat = case_output(c, 4), *mat = draw_mat3(c, 1e-9);
  CALL(c, mju_mat2Quat)(quat, mat);
  expect_close(c, quat, 4, 2e-15);
}

static void case_derivQuat(Case* c) {
  mjtNum *res = case_output(c, 4), *quat = draw_quat(c), *vel = case_numbers(c, 3);
  CALL(c, mju_derivQuat)(res, quat, vel);
  expect_sum(c, res, 4, magnitude_fixed(c, largest(quat, 4) * largest(vel, 3), 4), 4);
}

static void case_quatIntegrate(Case* c) {
  mjtNum *quat = draw_quat(c), *vel = case_numbers(c, 3), scale = case_number(c);
  CALL(c, mju_quatIntegrate)(quat, vel, scale);
  // the angle is rounded before its sine is taken: large angles lose digits in any implementation
  double angle = fabs((double)scale) * largest(vel, 3);
  expect_sum(c, quat, 4, magnitude_fixed(c, 1 + (isfinite(angle) ? angle : 0), 4), 8);
}

static void case_quatZ2Vec(Case* c) {
  mjtNum *quat = case_output(c, 4), *vec = draw_direction(c, 3);
  if (!c->replay && case_random(c) < 0.4)
    vec[0] = vec[1] = (mjtNum)(case_random(c) < 0.5 ? 0 : 1e-9);
  case_input(c, vec, 3);
  CALL(c, mju_quatZ2Vec)(quat, vec);
  expect_close(c, quat, 4, 1e-15);
}

// The start is not far from the answer. Half a turn away from it lies an unstable equilibrium,
// where the last bit decides when the iteration leaves.
static void case_mat2Rot(Case* c) {
  mjtNum *quat = case_uniforms(c, 4, -1, 1), *mat = case_uniforms(c, 9, (mjtNum)-0.3, (mjtNum)0.3);
  double norm =
      sqrt((double)(quat[0] * quat[0] + quat[1] * quat[1] + quat[2] * quat[2] + quat[3] * quat[3]));
  for (int i = 0; i < 4; i++) quat[i] = (mjtNum)((double)quat[i] / norm);
  double rotation[9];
  quat_matrix(rotation, quat);
  for (int i = 0; i < 9; i++) mat[i] += (mjtNum)rotation[i];
  case_input(c, quat, 4);
  case_input(c, mat, 9);
  int iterations = CALL(c, mju_mat2Rot)(quat, mat);
  expect_ints(c, &iterations, 1);
  expect_close(c, quat, 4, 1e-12);
}

static void case_euler2Quat(Case* c) {
  mjtNum *quat = case_output(c, 4), *euler = case_numbers(c, 3);
  char seq[4] = {0};
  for (int i = 0; i < 3; i++) seq[i] = "xyzXYZ"[case_int(c, 0, 5)];
  CALL(c, mju_euler2Quat)(quat, euler, seq);
  expect_close(c, quat, 4, 2e-15);
}

// Poses

static void case_mulPose(Case* c) {
  mjtNum *pos = case_output(c, 3), *quat = case_output(c, 4);
  mjtNum *pos1 = case_numbers(c, 3), *quat1 = draw_quat(c);
  mjtNum *pos2 = case_numbers(c, 3), *quat2 = draw_quat(c);
  CALL(c, mju_mulPose)(pos, quat, pos1, quat1, pos2, quat2);
  double q = largest(quat1, 4);
  expect_sum(c, pos, 3,
             magnitude_fixed(c, largest(pos1, 3) + (1 + 8 * q * q) * largest(pos2, 3), 3), 5);
  expect_close(c, quat, 4, 2e-15);
}

static void case_negPose(Case* c) {
  mjtNum *pos = case_output(c, 3), *quat = case_output(c, 4);
  mjtNum *pos1 = case_numbers(c, 3), *quat1 = draw_quat(c);
  CALL(c, mju_negPose)(pos, quat, pos1, quat1);
  double q = largest(quat1, 4);
  expect_sum(c, pos, 3, magnitude_fixed(c, (1 + 8 * q * q) * largest(pos1, 3), 3), 5);
  expect_same(c, quat, 4);
}

static void case_trnVecPose(Case* c) {
  mjtNum *res = case_output(c, 3), *pos = case_numbers(c, 3), *quat = draw_quat(c);
  mjtNum* vec = case_numbers(c, 3);
  CALL(c, mju_trnVecPose)(res, pos, quat, vec);
  double q = largest(quat, 4);
  expect_sum(c, res, 3, magnitude_fixed(c, largest(pos, 3) + (1 + 8 * q * q) * largest(vec, 3), 3),
             5);
}

// Scalars and lists

#define CASE_SCALAR2(name_)                        \
  static void case_##name_(Case* c) {              \
    mjtNum a = case_number(c), b = case_number(c); \
    mjtNum res = CALL(c, mju_##name_)(a, b);       \
    expect_same(c, &res, 1);                       \
  }
CASE_SCALAR2(min)
CASE_SCALAR2(max)

static void case_clip(Case* c) {
  mjtNum x = case_number(c), lo = case_number(c), hi = case_number(c);
  mjtNum res = CALL(c, mju_clip)(x, lo, hi);
  expect_same(c, &res, 1);
}

static void case_sign(Case* c) {
  mjtNum res = CALL(c, mju_sign)(case_number(c));
  expect_same(c, &res, 1);
}

static void case_round(Case* c) {
  // halves are where roundings differ; numbers beyond int are undefined
  int halves = case_int(c, -9, 9), on = case_int(c, 0, 1);
  mjtNum x = (mjtNum)halves / 2 + case_uniform(c, 0, 1) * (mjtNum)on;
  int res = CALL(c, mju_round)(x);
  expect_ints(c, &res, 1);
}

static void case_sigmoid(Case* c) {
  mjtNum res = CALL(c, mju_sigmoid)(case_number(c));
  double one = 1;  // a polynomial of size one: near 0 only its absolute error is bounded
  expect_sum(c, &res, 1, &one, 4);
}

static void case_isBad(Case* c) {
  mjtNum x = case_number(c);
  if (!c->replay && case_random(c) < 0.3)
    x = case_random(c) < 0.5 ? (mjtNum)1e10 : (mjtNum)-1.0000001e10;
  case_input(c, &x, 1);
  int res = CALL(c, mju_isBad)(x);
  expect_ints(c, &res, 1);
}

static void case_isZero(Case* c) {
  int n = case_size(c);
  mjtNum* vec = case_numbers(c, n);
  if (!c->replay && case_random(c) < 0.5) {
    for (int i = 0; i < n; i++) vec[i] *= 0;  // zeros of both signs, and NaN from the infinite
  }
  case_input(c, vec, n);
  int res = CALL(c, mju_isZero)(vec, n);
  expect_ints(c, &res, 1);
}

static void case_Halton(Case* c) {
  int index = case_int(c, -2, 1000), base = case_int(c, 2, 13);
  mjtNum res = CALL(c, mju_Halton)(index, base);
  expect_same(c, &res, 1);
}

static void case_f2n(Case* c) {
  int n = case_size(c);
  mjtNum *res = case_output(c, n + 1), *numbers = case_numbers(c, n);
  float* vec = (float*)case_memory(c, (size_t)n * sizeof(float));
  for (int i = 0; i < n; i++) vec[i] = (float)numbers[i];
  CALL(c, mju_f2n)(res, vec, n);
  expect_same(c, res, n + 1);
}

static void case_n2f(Case* c) {
  int n = case_size(c);
  mjtNum *res = case_output(c, n), *vec = case_numbers(c, n);
  float* floats = (float*)case_memory(c, (size_t)n * sizeof(float));
  CALL(c, mju_n2f)(floats, vec, n);
  for (int i = 0; i < n; i++) res[i] = (mjtNum)floats[i];
  expect_same(c, res, n);
}

static void case_d2n(Case* c) {
  int n = case_size(c);
  mjtNum *res = case_output(c, n + 1), *numbers = case_numbers(c, n);
  double* vec = (double*)case_memory(c, (size_t)n * sizeof(double));
  for (int i = 0; i < n; i++) vec[i] = (double)numbers[i];
  CALL(c, mju_d2n)(res, vec, n);
  expect_same(c, res, n + 1);
}

static void case_n2d(Case* c) {
  int n = case_size(c);
  mjtNum *res = case_output(c, n), *vec = case_numbers(c, n);
  double* doubles = (double*)case_memory(c, (size_t)n * sizeof(double));
  CALL(c, mju_n2d)(doubles, vec, n);
  for (int i = 0; i < n; i++) res[i] = (mjtNum)doubles[i];
  expect_same(c, res, n);
}

static void case_insertionSort(Case* c) {
  int n = case_size(c);
  mjtNum* list = case_numbers(c, n);
  CALL(c, mju_insertionSort)(list, n);
  expect_same(c, list, n);
}

static void case_insertionSortInt(Case* c) {
  int n = case_size(c);
  int* list = case_ints(c, n, -5, 5);
  CALL(c, mju_insertionSortInt)(list, n);
  expect_ints(c, list, n);
}

#define ALL 5     // every flavour
#define FINITE 4  // infinities and NaN would only test the order of operations
#define ENTRY(name_, flavours_) \
  { "mju_" #name_, case_##name_, flavours_ }

MjuTable mju_vector_table(void) {
  static const MjuEntry entries[] = {
      ENTRY(zero3, 1),
      ENTRY(zero4, 1),
      ENTRY(unit4, 1),
      ENTRY(copy3, ALL),
      ENTRY(copy4, ALL),
      ENTRY(scl3, ALL),
      ENTRY(add3, ALL),
      ENTRY(sub3, ALL),
      ENTRY(addTo3, ALL),
      ENTRY(subFrom3, ALL),
      ENTRY(addToScl3, ALL),
      ENTRY(addScl3, ALL),
      ENTRY(normalize3, ALL),
      ENTRY(normalize4, ALL),
      ENTRY(norm3, ALL),
      ENTRY(dot3, ALL),
      ENTRY(dist3, ALL),
      ENTRY(mulMatVec3, ALL),
      ENTRY(mulMatTVec3, ALL),
      ENTRY(cross, ALL),
      ENTRY(zero, 1),
      ENTRY(fill, ALL),
      {"mju_copy", case_copy_any, ALL},
      ENTRY(sum, ALL),
      ENTRY(L1, ALL),
      ENTRY(norm, ALL),
      ENTRY(normalize, ALL),
      ENTRY(scl, ALL),
      ENTRY(add, ALL),
      ENTRY(sub, ALL),
      ENTRY(addTo, ALL),
      ENTRY(subFrom, ALL),
      ENTRY(addToScl, ALL),
      ENTRY(addScl, ALL),
      ENTRY(dot, ALL),
      ENTRY(mulMatVec, ALL),
      ENTRY(mulMatTVec, ALL),
      ENTRY(mulVecMatVec, ALL),
      ENTRY(transpose, ALL),
      ENTRY(symmetrize, ALL),
      ENTRY(eye, 1),
      ENTRY(mulMatMat, ALL),
      ENTRY(mulMatMatT, ALL),
      ENTRY(mulMatTMat, ALL),
      ENTRY(sqrMatTD, ALL),
      ENTRY(transformSpatial, ALL),
      ENTRY(rotVecQuat, ALL),
      ENTRY(negQuat, ALL),
      ENTRY(mulQuat, ALL),
      ENTRY(mulQuatAxis, ALL),
      ENTRY(axisAngle2Quat, ALL),
      ENTRY(quat2Vel, ALL),
      ENTRY(subQuat, ALL),
      ENTRY(quat2Mat, ALL),
      ENTRY(mat2Quat, FINITE),
      ENTRY(derivQuat, ALL),
      ENTRY(quatIntegrate, ALL),
      ENTRY(quatZ2Vec, ALL),
      ENTRY(mat2Rot, 1),
      ENTRY(euler2Quat, ALL),
      ENTRY(mulPose, ALL),
      ENTRY(negPose, ALL),
      ENTRY(trnVecPose, ALL),
      ENTRY(min, ALL),
      ENTRY(max, ALL),
      ENTRY(clip, ALL),
      ENTRY(sign, ALL),
      ENTRY(round, 1),
      ENTRY(sigmoid, ALL),
      ENTRY(isBad, ALL),
      ENTRY(isZero, ALL),
      ENTRY(Halton, 1),
      ENTRY(f2n, ALL),
      ENTRY(n2f, ALL),
      ENTRY(d2n, ALL),
      ENTRY(n2d, ALL),
      ENTRY(insertionSort, FINITE),
      ENTRY(insertionSortInt, 1),
  };
  MjuTable table = {entries, (int)(sizeof(entries) / sizeof(entries[0]))};
  return table;
}
