// R1: band-dense matrices against their dense twins.

#include "math/band.h"

#include "math/linear.h"

// Visits shapes from a single number to all dense, with the band narrower and wider than the rows.
#define FOR_SHAPES(n_, band_, dense_)         \
  for (int n_ = 1; n_ <= 9; n_++)             \
    for (int band_ = 1; band_ <= n_; band_++) \
      for (int dense_ = 0; dense_ <= n_; dense_++)

// Number of stored elements.
static int stored_size(ct_Band b) {
  return (b.ntotal - b.ndense) * b.nband + b.ndense * b.ntotal;
}

// A random band-dense matrix with a dominant diagonal; unused elements too are random.
static mjtNum* draw_band(Random* r, int n, int band, int dense) {
  ct_Band b = ct_band(n, band, dense);
  mjtNum* mat = draw_vector(r, stored_size(b));
  for (int i = 0; i < n; i++) mat[ct_band_diag(b, i)] += (mjtNum)(n + 1);
  return mat;
}

static void dense_and_back_is_the_same(void** state) {
  (void)state;
  Random random = {1};
  FOR_SHAPES(n, band, dense) {
    mjtNum* mat = draw_band(&random, n, band, dense);
    mjtNum full[81], lower[81];
    int size = stored_size(ct_band(n, band, dense));
    mju_band2Dense(full, mat, n, band, dense, 1);
    mju_band2Dense(lower, mat, n, band, dense, 0);
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < n; j++) {
        assert_true(full[i * n + j] == full[j * n + i]);
        assert_true(lower[i * n + j] == (j > i ? 0 : full[i * n + j]));
      }
    }
    mjtNum* back = draw_vector(&random, size);
    memcpy(back, mat, sizeof(mjtNum) * (size_t)size);  // unused elements are left alone
    mju_dense2Band(back, full, n, band, dense);
    assert_memory_equal(back, mat, sizeof(mjtNum) * (size_t)size);
    free(mat), free(back);
  }
}

static void product_agrees_with_the_dense_one(void** state) {
  (void)state;
  Random random = {2};
  FOR_SHAPES(n, band, dense) {
    mjtNum *mat = draw_band(&random, n, band, dense), *vec = draw_vector(&random, 2 * n);
    for (int symmetric = 0; symmetric < 2; symmetric++) {
      mjtNum full[81], res[18], expected[18];
      mju_band2Dense(full, mat, n, band, dense, (mjtByte)symmetric);
      mju_bandMulMatVec(res, mat, vec, n, band, dense, 2, (mjtByte)symmetric);
      for (int v = 0; v < 2; v++) mju_mulMatVec(expected + v * n, full, vec + v * n, n, n);
      assert_close(res, expected, 2 * n, PRECISION(1e-13, 1e-4));
    }
    free(mat), free(vec);
  }
}

// The factor has the pattern of the matrix, so it must equal the dense factor.
static void factor_and_solve_agree_with_the_dense_ones(void** state) {
  (void)state;
  Random random = {3};
  FOR_SHAPES(n, band, dense) {
    mjtNum *mat = draw_band(&random, n, band, dense), *vec = draw_vector(&random, n);
    mjtNum add = (mjtNum)0.3, mul = (mjtNum)0.2, full[81], factor[81], x[9];
    mju_band2Dense(full, mat, n, band, dense, 1);
    for (int i = 0; i < n; i++) full[i * (n + 1)] += add + mul * full[i * (n + 1)];
    mju_cholFactor(full, n, mjMINVAL);
    mjtNum smallest = full[0] * full[0];
    for (int i = 1; i < n; i++) {
      mjtNum pivot = full[i * (n + 1)] * full[i * (n + 1)];
      if (pivot < smallest) smallest = pivot;
      for (int j = 0; j < i; j++) full[j * n + i] = 0;
    }

    mjtNum least = mju_cholFactorBand(mat, n, band, dense, add, mul);
    assert_close(&least, &smallest, 1, PRECISION(1e-12, 1e-4));
    mju_band2Dense(factor, mat, n, band, dense, 0);
    for (int i = 0; i < n; i++) {
      for (int j = i + 1; j < n; j++) full[i * n + j] = 0;
    }
    assert_close(factor, full, n * n, PRECISION(1e-13, 1e-4));

    mju_cholSolve(x, full, vec, n);
    mju_cholSolveBand(vec, mat, vec, n, band, dense);  // in place
    assert_close(vec, x, n, PRECISION(1e-13, 1e-4));
    free(mat), free(vec);
  }
}

// R1.2
static void a_bad_pivot_gives_zero(void** state) {
  (void)state;
  mjtNum mat[3] = {1, -1, 1};  // diagonal
  assert_true(mju_cholFactorBand(mat, 3, 1, 0, 0, 0) == 0);
  assert_true(mat[2] == 1);  // what comes after is not touched
  mjtNum good[3] = {4, 9, 16};
  assert_true(mju_cholFactorBand(good, 3, 1, 0, 0, 0) == 4);
  assert_true(good[2] == 4);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(dense_and_back_is_the_same),
      cmocka_unit_test(product_agrees_with_the_dense_one),
      cmocka_unit_test(factor_and_solve_agree_with_the_dense_ones),
      cmocka_unit_test(a_bad_pivot_gives_zero),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
