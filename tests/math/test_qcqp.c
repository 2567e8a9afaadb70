// Quadratic programs with an ellipsoid: optimality, agreement of the special with the general
// solver.

#include "math/qcqp.h"

#include <math.h>

#include "math/linear.h"

// At the optimum A x + b = -lambda x / d^2 with lambda >= 0, and lambda = 0 inside the ellipsoid.
static void expect_optimal(const mjtNum* x, const mjtNum* A, const mjtNum* b, const mjtNum* d,
                           mjtNum r, int n, int active) {
  double size = 0, lambda = 0, weight = 0;
  mjtNum slope[CT_QCQP_MAX], pull[CT_QCQP_MAX];
  for (int i = 0; i < n; i++) {
    double sum = (double)b[i];
    for (int j = 0; j < n; j++) sum += (double)A[i * n + j] * (double)x[j];
    slope[i] = (mjtNum)sum;
    size += (double)(x[i] * x[i]) / (double)(d[i] * d[i]);
    lambda -= sum * (double)x[i];
    weight += (double)(x[i] * x[i]) / (double)(d[i] * d[i]);
  }
  lambda = active ? lambda / weight : 0;
  assert_true(lambda >= 0);
  assert_true(size <= (double)(r * r) * (1 + PRECISION(1e-8, 1e-3)));
  if (active) assert_true(size >= (double)(r * r) * (1 - PRECISION(1e-8, 1e-3)));
  for (int i = 0; i < n; i++) pull[i] = (mjtNum)(-lambda * (double)x[i] / (double)(d[i] * d[i]));
  assert_close(slope, pull, n, PRECISION(1e-7, 1e-2));
}

static void solutions_satisfy_the_optimality_conditions(void** state) {
  (void)state;
  Random random = {1};
  int seen[2] = {0, 0};
  for (int n = 2; n <= CT_QCQP_MAX; n++) {
    for (int k = 0; k < 50; k++) {
      mjtNum *A = draw_spd(&random, n), *b = draw_vector(&random, n), *d = draw_vector(&random, n);
      mjtNum x[CT_QCQP_MAX], special[CT_QCQP_MAX], r = (mjtNum)1.2 + draw(&random);
      for (int i = 0; i < n; i++) {
        d[i] = (mjtNum)1.1 + d[i] / 2;
        b[i] *= 2;
      }
      int active = ct_qcqp(x, A, b, d, r, n);
      seen[active]++;
      expect_optimal(x, A, b, d, r, n, active);
      if (n <= 3) {
        assert_int_equal(n == 2 ? ct_qcqp2(special, A, b, d, r) : ct_qcqp3(special, A, b, d, r),
                         active);
        assert_close(special, x, n, PRECISION(1e-10, 1e-3));
      }
      free(A), free(b), free(d);
    }
  }
  assert_true(seen[0] > 10 && seen[1] > 10);
}

static void a_singular_matrix_gives_zero(void** state) {
  (void)state;
  const mjtNum A[25] = {0}, b[5] = {1, 1, 1, 1, 1}, d[5] = {1, 1, 1, 1, 1}, zero[5] = {0};
  mjtNum x[5] = {9, 9, 9, 9, 9};
  assert_int_equal(ct_qcqp(x, A, b, d, 1, 5), 0);
  assert_close(x, zero, 5, 0);
  assert_int_equal(ct_qcqp2(x, A, b, d, 1), 0);
  assert_int_equal(ct_qcqp3(x, A, b, d, 1), 0);
  assert_close(x, zero, 3, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(solutions_satisfy_the_optimality_conditions),
      cmocka_unit_test(a_singular_matrix_gives_zero),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
