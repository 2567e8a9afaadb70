// Box-constrained quadratic programs: optimality conditions, warm start, bad problems, no
// allocation.

#include "math/boxqp.h"

#include <math.h>

#include "api/exports.h"
#include "math/linear.h"

#define N 12

typedef struct {
  int n;
  mjtNum H[N * N], g[N], lower[N], upper[N], x[N], R[CT_BOXQP_ROOM(N)];
  int index[N];
} Box;

static Box draw_box(Random* random, int n) {
  Box b;
  memset(&b, 0, sizeof(b));
  b.n = n;
  mjtNum* H = draw_spd(random, n);
  memcpy(b.H, H, sizeof(mjtNum) * (size_t)(n * n));
  free(H);
  for (int i = 0; i < n; i++) {
    b.g[i] = 3 * draw(random);
    b.lower[i] = -1 + draw(random) / 2;
    b.upper[i] = 1 + draw(random) / 2;
  }
  return b;
}

static mjtNum gradient(const Box* b, int i) {
  double sum = (double)b->g[i];
  for (int j = 0; j < b->n; j++) sum += (double)b->H[i * b->n + j] * (double)b->x[j];
  return (mjtNum)sum;
}

// Karush-Kuhn-Tucker: inside the box the gradient vanishes, at a bound it points outwards.
static void expect_optimal(const Box* b, int nfree) {
  const double tolerance = PRECISION(1e-7, 1e-3);
  int interior = 0;
  for (int i = 0; i < b->n; i++) {
    double slope = (double)gradient(b, i);
    assert_true(b->x[i] >= b->lower[i] && b->x[i] <= b->upper[i]);
    if (b->x[i] == b->lower[i]) {
      assert_true(slope >= -tolerance);
    } else if (b->x[i] == b->upper[i]) {
      assert_true(slope <= tolerance);
    } else {
      assert_true(fabs(slope) <= tolerance);
      assert_int_equal(b->index[interior], i);
      interior++;
    }
  }
  assert_int_equal(interior, nfree);
}

static void solutions_satisfy_the_optimality_conditions(void** state) {
  (void)state;
  Random random = {1};
  for (int n = 1; n <= N; n++) {
    for (int k = 0; k < 20; k++) {
      Box b = draw_box(&random, n);
      int nfree = mju_boxQP(b.x, b.R, b.index, b.H, b.g, n, b.lower, b.upper);
      assert_in_range(nfree, 0, n);
      expect_optimal(&b, nfree);
    }
  }
}

// R holds the factor of the free block.
static void factor_of_the_free_block_is_returned(void** state) {
  (void)state;
  Random random = {2};
  Box b = draw_box(&random, N);
  int nfree = mju_boxQP(b.x, b.R, b.index, b.H, b.g, N, b.lower, b.upper);
  assert_in_range(nfree, 1, N);
  for (int i = 0; i < nfree; i++) {
    for (int j = 0; j <= i; j++) {
      mjtNum product = mju_dot(b.R + i * nfree, b.R + j * nfree, j + 1);
      mjtNum expected = b.H[b.index[i] * N + b.index[j]];
      assert_close(&product, &expected, 1, PRECISION(1e-12, 1e-4));
    }
  }
}

static void without_bounds_it_is_a_linear_system(void** state) {
  (void)state;
  Random random = {3};
  Box b = draw_box(&random, N);
  assert_int_equal(mju_boxQP(b.x, b.R, b.index, b.H, b.g, N, NULL, NULL), N);
  for (int i = 0; i < N; i++) {
    mjtNum slope = gradient(&b, i), zero = 0;
    assert_close(&slope, &zero, 1, PRECISION(1e-11, 1e-3));
    assert_int_equal(b.index[i], i);
  }
}

static void one_sided_bounds_and_no_index_are_fine(void** state) {
  (void)state;
  Random random = {4};
  Box b = draw_box(&random, N);
  int both = mju_boxQP(b.x, b.R, NULL, b.H, b.g, N, b.lower, NULL);
  assert_in_range(both, 0, N);
  for (int i = 0; i < N; i++) {
    assert_true(b.x[i] >= b.lower[i]);
    if (b.x[i] > b.lower[i]) assert_true(fabs((double)gradient(&b, i)) < PRECISION(1e-7, 1e-3));
  }
}

static void a_solution_is_a_fixed_point_and_ends_at_once(void** state) {
  (void)state;
  Random random = {5};
  Box b = draw_box(&random, N);
  mju_boxQP(b.x, b.R, b.index, b.H, b.g, N, b.lower, b.upper);
  mjtNum before[N];
  memcpy(before, b.x, sizeof(before));
  ct_BoxQPOptions options = ct_default_boxqp();
  ct_BoxQPReport report;
  ct_boxqp(b.x, b.R, b.index, b.H, b.g, N, b.lower, b.upper, &options, &report);
  assert_int_equal(report.iterations, 1);
  assert_memory_equal(b.x, before, sizeof(before));
}

static void an_indefinite_matrix_gives_minus_one(void** state) {
  (void)state;
  mjtNum H[4] = {1, 0, 0, -1}, g[2] = {0, 0}, x[2] = {0, 0}, R[CT_BOXQP_ROOM(2)];
  mjtNum lower[2] = {-1, -1}, upper[2] = {1, 1};
  assert_int_equal(mju_boxQP(x, R, NULL, H, g, 2, lower, upper), -1);
  assert_int_equal(mju_boxQP(x, R, NULL, H, g, 2, NULL, NULL), -1);
}

// The reference takes the whole first step to the minimum that the lower triangle describes, and
// finds no way down from there, because the gradient reads full rows.
static void the_value_that_descends_reads_the_lower_triangle(void** state) {
  (void)state;
  mjtNum H[4] = {2, 5, 0.5, 1}, g[2] = {1, 1}, x[2] = {0, 0}, R[CT_BOXQP_ROOM(2)];
  mjtNum lower[2] = {-100, -100}, upper[2] = {100, 100}, expected[2] = {-2.0 / 7, -6.0 / 7};
  assert_int_equal(mju_boxQP(x, R, NULL, H, g, 2, lower, upper), -1);
  assert_close(x, expected, 2, PRECISION(1e-15, 1e-6));
}

static char error_text[200];
static void keep_error(const char* message) {
  strncpy(error_text, message, sizeof(error_text) - 1);
}

static void bad_problems_are_errors_that_say_why(void** state) {
  (void)state;
  mjtNum H[1] = {1}, g[1] = {1}, x[1] = {0}, R[CT_BOXQP_ROOM(1)], lower[1] = {1}, upper[1] = {1};
  mju_user_error = keep_error;
  mju_boxQP(x, R, NULL, H, g, 0, lower, upper);
  assert_non_null(strstr(error_text, "at least one variable"));
  mju_boxQP(x, R, NULL, H, g, 1, lower, upper);
  assert_non_null(strstr(error_text, "variable 0 has lower bound 1"));
  mju_user_error = NULL;
}

static void options_limit_the_iterations_and_log_the_end(void** state) {
  (void)state;
  Random random = {6};
  Box b = draw_box(&random, N);
  char log[200] = "";
  int nfree = mju_boxQPoption(b.x, b.R, b.index, b.H, b.g, N, b.lower, b.upper, 1, (mjtNum)1e-16,
                              (mjtNum)0.5, (mjtNum)1e-22, (mjtNum)0.1, log, sizeof(log));
  assert_in_range(nfree, 1, N);
  assert_non_null(strstr(log, "after 1 iterations"));
}

static void memory_for_a_problem_has_the_right_size(void** state) {
  (void)state;
  mjtNum *res, *R, *H, *g, *lower, *upper;
  int* index;
  mju_boxQPmalloc(&res, &R, &index, &H, &g, N, &lower, &upper);
  Random random = {7};
  Box b = draw_box(&random, N);
  memcpy(H, b.H, sizeof(b.H));
  memcpy(g, b.g, sizeof(b.g));
  memcpy(lower, b.lower, sizeof(b.lower));
  memcpy(upper, b.upper, sizeof(b.upper));
  memset(res, 0, sizeof(b.x));
  memset(R, 0, sizeof(b.R));  // the address sanitizer knows whether there is room
  assert_in_range(mju_boxQP(res, R, index, H, g, N, lower, upper), 0, N);
  mju_free(res), mju_free(R), mju_free(H), mju_free(g), mju_free(lower), mju_free(upper),
      mju_free(index);
  mju_boxQPmalloc(&res, &R, NULL, &H, &g, N, NULL, NULL);  // the optional ones are optional
  mju_free(res), mju_free(R), mju_free(H), mju_free(g);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(solutions_satisfy_the_optimality_conditions),
      cmocka_unit_test(factor_of_the_free_block_is_returned),
      cmocka_unit_test(without_bounds_it_is_a_linear_system),
      cmocka_unit_test(one_sided_bounds_and_no_index_are_fine),
      cmocka_unit_test(a_solution_is_a_fixed_point_and_ends_at_once),
      cmocka_unit_test(an_indefinite_matrix_gives_minus_one),
      cmocka_unit_test(the_value_that_descends_reads_the_lower_triangle),
      cmocka_unit_test(bad_problems_are_errors_that_say_why),
      cmocka_unit_test(options_limit_the_iterations_and_log_the_end),
      cmocka_unit_test(memory_for_a_problem_has_the_right_size),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
