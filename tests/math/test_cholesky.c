// R1: dense Cholesky factor, solve and rank-one update.

#include "math/cholesky.h"

#include <math.h>

#include "math/linear.h"
#include "support/fail.h"

static const int sizes[] = {0, 1, 2, 3, 4, 5, 7, 8, 9, 11, 12, 27, 64, 130, 270};
#define NSIZES (int)(sizeof(sizes) / sizeof(sizes[0]))

// L L' from the lower triangle of L, full.
static mjtNum* square(const mjtNum* L, int n) {
  mjtNum* A = (mjtNum*)calloc((size_t)(n * n) + 1, sizeof(mjtNum));
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) {
      double sum = 0;
      for (int k = 0; k <= (i < j ? i : j); k++) sum += (double)L[i * n + k] * (double)L[j * n + k];
      A[i * n + j] = (mjtNum)sum;
    }
  }
  return A;
}

static mjtNum* copy_of(const mjtNum* x, int n) {
  mjtNum* y = (mjtNum*)malloc(sizeof(mjtNum) * (size_t)(n + 1));
  memcpy(y, x, sizeof(mjtNum) * (size_t)n);
  return y;
}

// R1.1, R1.3
static void factor_times_its_transpose_is_the_matrix(void** state) {
  (void)state;
  Random random = {1};
  for (int s = 0; s < NSIZES; s++) {
    int n = sizes[s];
    mjtNum *A = draw_spd(&random, n), *L = copy_of(A, n * n);
    assert_int_equal(mju_cholFactor(L, n, mjMINVAL), n);
    mjtNum* product = square(L, n);
    assert_close(product, A, n * n, PRECISION(1e-12, 2e-3));
    free(A), free(L), free(product);
  }
}

// R1.1: NaN above the diagonal is neither read nor written, by factor, solve and update.
static void upper_triangle_does_not_matter(void** state) {
  (void)state;
  Random random = {2};
  for (int s = 0; s < NSIZES; s++) {
    int n = sizes[s];
    mjtNum *A = draw_spd(&random, n), *poisoned = copy_of(A, n * n);
    mjtNum *b = draw_vector(&random, n), *x = draw_vector(&random, n), *y = draw_vector(&random, n);
    for (int i = 0; i < n; i++) {
      for (int j = i + 1; j < n; j++) poisoned[i * n + j] = (mjtNum)NAN;
    }
    mju_cholFactor(A, n, mjMINVAL);
    assert_int_equal(mju_cholFactor(poisoned, n, mjMINVAL), n);
    mju_cholSolve(x, A, b, n);
    mju_cholSolve(y, poisoned, b, n);
    assert_memory_equal(x, y, sizeof(mjtNum) * (size_t)n);
    assert_int_equal(mju_cholUpdate(poisoned, b, n, 1), n);
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < n; j++) assert_int_equal(isnan(poisoned[i * n + j]) != 0, j > i);
    }
    free(A), free(poisoned), free(b), free(x), free(y);
  }
}

// The fast factor and solve have plain twins that give the same bits.
static void blocks_of_four_change_no_bit(void** state) {
  (void)state;
  SKIP_IN_FAST_BUILD();
  Random random = {3};
  for (int s = 0; s < NSIZES; s++) {
    int n = sizes[s];
    mjtNum *A = draw_spd(&random, n), *B = copy_of(A, n * n);
    mjtNum *b = draw_vector(&random, n), *x = draw_vector(&random, n), *y = draw_vector(&random, n);
    ct_cholesky_factor(A, n, mjMINVAL);
    ct_cholesky_factor_wide(B, n, mjMINVAL);
    assert_memory_equal(A, B, sizeof(mjtNum) * (size_t)(n * n));
    ct_cholesky_solve(x, A, b, n);
    ct_cholesky_solve_wide(y, A, b, n);
    assert_memory_equal(x, y, sizeof(mjtNum) * (size_t)n);
    free(A), free(B), free(b), free(x), free(y);
  }
}

static void solve_inverts_also_in_place(void** state) {
  (void)state;
  Random random = {4};
  for (int s = 0; s < NSIZES; s++) {
    int n = sizes[s];
    mjtNum *A = draw_spd(&random, n), *L = copy_of(A, n * n), *x = draw_vector(&random, n);
    mjtNum *b = draw_vector(&random, n), *separate = draw_vector(&random, n);
    for (int i = 0; i < n; i++) {
      double sum = 0;
      for (int j = 0; j < n; j++) sum += (double)A[i * n + j] * (double)x[j];
      b[i] = (mjtNum)sum;
    }
    mju_cholFactor(L, n, mjMINVAL);
    mju_cholSolve(separate, L, b, n);
    mju_cholSolve(b, L, b, n);
    assert_memory_equal(b, separate, sizeof(mjtNum) * (size_t)n);
    assert_close(b, x, n, PRECISION(1e-12 * (n + 1), 1e-2));
    free(A), free(L), free(x), free(b), free(separate);
  }
}

// R1.2: bad pivots are counted and raised; NaN is left to be seen.
static void small_pivots_cost_rank(void** state) {
  (void)state;
  mjtNum ones[9] = {1, 1, 1, 1, 1, 1, 1, 1, 1};
  assert_int_equal(mju_cholFactor(ones, 3, (mjtNum)0.25), 1);
  assert_true(ones[4] == (mjtNum)0.5 && ones[8] == (mjtNum)0.5);
  mjtNum negative[1] = {-4};
  assert_int_equal(mju_cholFactor(negative, 1, mjMINVAL), 0);
  mjtNum nan[1] = {(mjtNum)NAN};
  assert_int_equal(mju_cholFactor(nan, 1, mjMINVAL), 1);
  assert_true(isnan(nan[0]));

  // the same in the blocked factor
  mjtNum big[144] = {0};
  for (int i = 0; i < 12; i++) big[13 * i] = i % 5 == 4 ? -1 : 4;
  assert_int_equal(mju_cholFactor(big, 12, 1), 10);
  assert_true(big[13 * 4] == 1 && big[13 * 9] == 1 && big[0] == 2);
}

static void update_and_downdate_change_the_matrix(void** state) {
  (void)state;
  Random random = {5};
  for (int s = 0; s < NSIZES; s++) {
    int n = sizes[s];
    mjtNum *A = draw_spd(&random, n), *L = copy_of(A, n * n), *x = draw_vector(&random, n);
    if (n > 2) x[1] = 0;
    mjtNum* scratch = copy_of(x, n);
    mju_cholFactor(L, n, mjMINVAL);
    assert_int_equal(mju_cholUpdate(L, scratch, n, 1), n);
    mjtNum *up = square(L, n), *expected = copy_of(A, n * n);
    for (int i = 0; i < n * n; i++) expected[i] += x[i / n] * x[i % n];
    assert_close(up, expected, n * n, PRECISION(1e-11, 5e-3));

    memcpy(scratch, x, sizeof(mjtNum) * (size_t)n);
    assert_int_equal(mju_cholUpdate(L, scratch, n, 0), n);
    mjtNum* down = square(L, n);
    assert_close(down, A, n * n, PRECISION(1e-11, 5e-3));
    free(A), free(L), free(x), free(scratch), free(up), free(expected), free(down);
  }
}

static void taking_away_too_much_costs_rank(void** state) {
  (void)state;
  mjtNum L[4] = {1, 0, 0, 1}, x[2] = {2, 0};
  assert_int_equal(mju_cholUpdate(L, x, 2, 0), 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(factor_times_its_transpose_is_the_matrix),
      cmocka_unit_test(upper_triangle_does_not_matter),
      cmocka_unit_test(blocks_of_four_change_no_bit),
      cmocka_unit_test(solve_inverts_also_in_place),
      cmocka_unit_test(small_pivots_cost_rank),
      cmocka_unit_test(update_and_downdate_change_the_matrix),
      cmocka_unit_test(taking_away_too_much_costs_rank),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
