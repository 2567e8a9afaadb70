// Eigenvalues of symmetric 3 x 3 matrices: orthonormal vectors, sorted values, A v = lambda v.

#include "math/eig3.h"

#include "math/linear.h"

static void expect_decomposition(const mjtNum A[9], double tolerance) {
  mjtNum val[3], vec[9], quat[4], from_quat[9];
  int iterations = mju_eig3(val, vec, quat, A);
  assert_in_range(iterations, 0, 499);
  assert_true(val[0] >= val[1] - tolerance && val[1] >= val[2] - tolerance);
  mju_quat2Mat(from_quat, quat);
  assert_memory_equal(vec, from_quat, sizeof(vec));
  for (int i = 0; i < 3; i++) {
    mjtNum v[3] = {vec[i], vec[i + 3], vec[i + 6]}, Av[3], scaled[3];
    mju_mulMatVec3(Av, A, v);
    mju_scl3(scaled, v, val[i]);
    assert_close(Av, scaled, 3, tolerance);
    for (int j = 0; j < 3; j++) {
      mjtNum w[3] = {vec[j], vec[j + 3], vec[j + 6]}, dot = mju_dot3(v, w), expected = i == j;
      assert_close(&dot, &expected, 1, PRECISION(1e-14, 1e-5));
    }
  }
}

// The iteration also stops when the cosine of the next turn is within 1e-12 of 1 (in single
// precision: rounds to 1), so vectors are known to 1.4e-6 (3.5e-4) and products to that times the
// spread of the eigenvalues, 4 here.
static void random_matrices_decompose(void** state) {
  (void)state;
  Random random = {1};
  for (int i = 0; i < 200; i++) {
    mjtNum A[9];
    for (int k = 0; k < 9; k++) A[k] = draw(&random);
    A[3] = A[1], A[6] = A[2], A[7] = A[5];
    expect_decomposition(A, PRECISION(6e-6, 2e-3));
  }
}

static void equal_and_zero_eigenvalues_are_fine(void** state) {
  (void)state;
  const mjtNum twice[9] = {2, 1, 1, 1, 2, 1, 1, 1, 2}, zero[9] = {0},
               rank1[9] = {1, 2, 3, 2, 4, 6, 3, 6, 9};
  expect_decomposition(twice, PRECISION(1e-11, 1e-4));
  expect_decomposition(zero, PRECISION(1e-11, 1e-4));
  expect_decomposition(rank1, PRECISION(1e-11, 1e-3));
}

static void a_diagonal_matrix_is_only_sorted(void** state) {
  (void)state;
  const mjtNum A[9] = {1, 0, 0, 0, 2, 0, 0, 0, 3};
  mjtNum val[3], vec[9], quat[4];
  assert_int_equal(mju_eig3(val, vec, quat, A), 0);
  assert_true(val[0] == 3 && val[1] == 2 && val[2] == 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(random_matrices_decompose),
      cmocka_unit_test(equal_and_zero_eigenvalues_are_fine),
      cmocka_unit_test(a_diagonal_matrix_is_only_sorted),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
