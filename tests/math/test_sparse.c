// Sparse matrices against their dense twins, on random patterns with empty rows and columns.

#include "math/sparse.h"

#include <math.h>

#include "api/exports.h"
#include "math/linear.h"
#include "support/fail.h"
#include "support/models.h"

#define LARGEST 9
#define ROOM (LARGEST * LARGEST)

typedef struct {
  int nr, nc, nnz;
  mjtNum dense[ROOM], values[ROOM];
  int rownnz[LARGEST], rowadr[LARGEST], colind[ROOM];
} Sparse;

static void from_dense(Sparse* s) {
  s->nnz = 0;
  for (int i = 0; i < s->nr; i++) {
    s->rowadr[i] = s->nnz;
    for (int j = 0; j < s->nc; j++) {
      if (s->dense[i * s->nc + j] == 0) continue;
      s->values[s->nnz] = s->dense[i * s->nc + j];
      s->colind[s->nnz++] = j;
    }
    s->rownnz[i] = s->nnz - s->rowadr[i];
  }
}

static Sparse draw_sparse(Random* random, int nr, int nc) {
  Sparse s;
  memset(&s, 0, sizeof(s));
  s.nr = nr;
  s.nc = nc;
  for (int i = 0; i < nr * nc; i++) s.dense[i] = draw(random) < 0 ? 0 : draw(random);
  from_dense(&s);
  return s;
}

// Symmetric positive definite with holes; the whole matrix, or its lower triangle.
static Sparse draw_symmetric(Random* random, int n, int lower) {
  Sparse s = draw_sparse(random, n, n);
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < i; j++) s.dense[j * n + i] = s.dense[i * n + j];
    s.dense[i * (n + 1)] = (mjtNum)(n + 1);
  }
  for (int i = 0; lower && i < n; i++) {
    for (int j = i + 1; j < n; j++) s.dense[i * n + j] = 0;
  }
  from_dense(&s);
  return s;
}

static void to_dense(mjtNum* dense, const mjtNum* values, int nr, int nc, const int* rownnz,
                     const int* rowadr, const int* colind) {
  mju_sparse2dense(dense, values, nr, nc, rownnz, rowadr, colind);
}

#define FOR_MATRICES(random_, s_)                                                                \
  for (int s_##_k = 0; s_##_k < 60; s_##_k++)                                                    \
    for (Sparse s_ = draw_sparse(random_, s_##_k % (LARGEST + 1), (s_##_k * 7) % (LARGEST + 1)), \
                *s_##_p = &s_;                                                                   \
         s_##_p; s_##_p = NULL)

static void dense_and_back_is_the_same(void** state) {
  (void)state;
  Random random = {1};
  FOR_MATRICES(&random, s) {
    mjtNum back[ROOM], values[ROOM];
    int rownnz[LARGEST], rowadr[LARGEST], colind[ROOM];
    to_dense(back, s.values, s.nr, s.nc, s.rownnz, s.rowadr, s.colind);
    assert_close(back, s.dense, s.nr * s.nc, 0);
    int failed = mju_dense2sparse(values, s.dense, s.nr, s.nc, rownnz, rowadr, colind, s.nnz);
    assert_int_equal(failed, s.nnz == 0);
    if (failed) continue;
    assert_close(values, s.values, s.nnz, 0);
    assert_memory_equal(colind, s.colind, sizeof(int) * (size_t)s.nnz);
    assert_int_equal(
        mju_dense2sparse(values, s.dense, s.nr, s.nc, rownnz, rowadr, colind, s.nnz - 1), 1);
  }
}

static void products_agree_with_the_dense_ones(void** state) {
  (void)state;
  Random random = {2};
  FOR_MATRICES(&random, s) {
    mjtNum x[LARGEST], y[LARGEST], res[LARGEST], expected[LARGEST];
    for (int i = 0; i < LARGEST; i++) x[i] = draw(&random), y[i] = draw(&random);
    mju_mulMatVecSparse(res, s.values, x, s.nr, s.rownnz, s.rowadr, s.colind, NULL);
    mju_mulMatVec(expected, s.dense, x, s.nr, s.nc);
    assert_close(res, expected, s.nr, PRECISION(1e-14, 1e-5));
    mju_mulMatTVecSparse(res, s.values, y, s.nr, s.nc, s.rownnz, s.rowadr, s.colind);
    mju_mulMatTVec(expected, s.dense, y, s.nr, s.nc);
    assert_close(res, expected, s.nc, PRECISION(1e-14, 1e-5));
    for (int i = 1; i < s.nr; i++) {
      mjtNum dot = mju_dotSparse2(s.values + s.rowadr[0], s.colind + s.rowadr[0], s.rownnz[0],
                                  s.values + s.rowadr[i], s.colind + s.rowadr[i], s.rownnz[i]);
      mjtNum whole = mju_dot(s.dense, s.dense + i * s.nc, s.nc);
      assert_close(&dot, &whole, 1, PRECISION(1e-14, 1e-5));
    }
  }
}

// Columns that follow each other are taken by the word; sums keep their order, so in a strict build
// bits are the same.
static void products_of_led_rows_have_the_bits_of_others(void** state) {
  (void)state;
  SKIP_IN_FAST_BUILD();
  Random random = {15};
  for (int nnz = 1; nnz < 20; nnz++) {
    for (int lead = 1; lead <= nnz; lead++) {
      mjtNum row[20], x[80], y[80];
      int ind[20];
      for (int k = 0; k < nnz; k++) ind[k] = 3 + k + (k >= lead ? 2 * (k - lead) + 1 : 0);
      for (int k = 0; k < 20; k++) row[k] = draw(&random);
      for (int k = 0; k < 80; k++) x[k] = y[k] = draw(&random);
      mjtNum minus = x[0];
      for (int k = 0; k < nnz; k++) minus -= row[k] * x[ind[k]];
      assert_true(ct_dot_led(row, ind, nnz, lead, x) == ct_dot_sparse(row, ind, nnz, x));
      assert_true(ct_minus_dot_led(x[0], row, ind, nnz, lead, x) == minus);
      ct_add_to_scl_led(x, row, ind, minus, nnz, lead);
      ct_add_to_scl_sparse(y, row, ind, minus, nnz);
      for (int k = 0; k < 80; k++) assert_true(x[k] == y[k]);
    }
  }
}

// Columns that follow each other in fours, in threes, and alone.
static void four_rows_alike_have_the_bits_of_rows_alone(void** state) {
  enum { N = 9, COLUMNS = 16 };
  static const int ind[N] = {0, 1, 2, 3, 6, 7, 8, 11, 14};
  (void)state;
  SKIP_IN_FAST_BUILD();
  Random random = {16};
  mjtNum rows[4 * N], scale[4], dense[COLUMNS], res[4], sum[COLUMNS];
  for (int trial = 0; trial < 20; trial++) {
    for (int n = 0; n <= N; n++) {
      for (int k = 0; k < 4 * N; k++) rows[k] = draw(&random);
      for (int q = 0; q < 4; q++) scale[q] = draw(&random);
      for (int j = 0; j < COLUMNS; j++) dense[j] = sum[j] = draw(&random);
      ct_dot_four_alike(res, rows, ind, n, dense);
      for (int q = 0; q < 4; q++) {
        mjtNum alone = ct_dot_sparse(rows + q * n, ind, n, dense);
        assert_true(res[q] == alone);
      }
      ct_add_four_alike(sum, rows, ind, n, scale);
      for (int q = 0; q < 4; q++) ct_add_to_scl_sparse(dense, rows + q * n, ind, scale[q], n);
      for (int j = 0; j < COLUMNS; j++) assert_true(sum[j] == dense[j]);
    }
  }
}

static void symmetric_products_and_sums_use_the_lower_triangle(void** state) {
  (void)state;
  Random random = {3};
  for (int n = 1; n <= LARGEST; n++) {
    Sparse s = draw_symmetric(&random, n, 1);
    mjtNum full[ROOM], x[LARGEST], res[LARGEST], expected[LARGEST], sum[ROOM] = {0};
    for (int i = 0; i < n * n; i++)
      full[i] = i / n >= i % n ? s.dense[i] : s.dense[i % n * n + i / n];
    for (int i = 0; i < n; i++) x[i] = draw(&random);
    mju_mulSymVecSparse(res, s.values, x, n, s.rownnz, s.rowadr, s.colind);
    mju_mulMatVec(expected, full, x, n, n);
    assert_close(res, expected, n, PRECISION(1e-13, 1e-5));
    mju_addToSymSparse(sum, s.values, n, s.rownnz, s.rowadr, s.colind, 1);
    assert_close(sum, full, n * n, 0);
    mju_addToSymSparse(sum, s.values, n, s.rownnz, s.rowadr, s.colind, 0);
    for (int i = 0; i < n * n; i++) sum[i] -= full[i];
    assert_close(sum, s.dense, n * n, PRECISION(1e-14, 1e-5));
  }
}

static void a_transpose_has_ascending_columns(void** state) {
  (void)state;
  Random random = {4};
  FOR_MATRICES(&random, s) {
    mjtNum values[ROOM], dense[ROOM], expected[ROOM];
    int rownnz[LARGEST], rowadr[LARGEST], colind[ROOM], super[LARGEST];
    mju_transposeSparse(values, s.values, s.nr, s.nc, rownnz, rowadr, colind, super, s.rownnz,
                        s.rowadr, s.colind);
    to_dense(dense, values, s.nc, s.nr, rownnz, rowadr, colind);
    mju_transpose(expected, s.dense, s.nr, s.nc);
    assert_close(dense, expected, s.nr * s.nc, 0);
    for (int j = 0; j < s.nc; j++) {
      for (int k = rowadr[j] + 1; k < rowadr[j] + rownnz[j]; k++)
        assert_true(colind[k - 1] < colind[k]);
    }
  }
}

// The lower rows of a matrix, given by pointers to the first of them and their own addresses.
static void rows_from_the_middle_of_a_matrix_are_transposed(void** state) {
  (void)state;
  Random random = {14};
  FOR_MATRICES(&random, s) {
    if (s.nr < 2) continue;
    int skip = s.nr / 2, from = s.rowadr[skip], nr = s.nr - skip;
    mjtNum values[ROOM], dense[ROOM], expected[ROOM];
    int rownnz[LARGEST], rowadr[LARGEST], colind[ROOM];
    mju_transposeSparse(values, s.values + from, nr, s.nc, rownnz, rowadr, colind, NULL,
                        s.rownnz + skip, s.rowadr + skip, s.colind + from);
    to_dense(dense, values, s.nc, nr, rownnz, rowadr, colind);
    mju_transpose(expected, s.dense + skip * s.nc, nr, s.nc);
    assert_close(dense, expected, nr * s.nc, 0);
  }
}

static void rows_of_one_pattern_are_counted(void** state) {
  (void)state;
  const int rownnz[6] = {2, 2, 2, 2, 2, 1}, rowadr[6] = {0, 2, 4, 6, 8, 10};
  const int colind[11] = {0, 1, 0, 1, 0, 1, 1, 2, 1, 2, 0}, expected[6] = {2, 1, 0, 1, 0, 0};
  int super[6];
  mju_superSparse(6, super, rownnz, rowadr, colind);
  assert_memory_equal(super, expected, sizeof(expected));
}

static void adding_a_matrix_merges_patterns(void** state) {
  (void)state;
  Random random = {5};
  FOR_MATRICES(&random, a) {
    Sparse b = draw_sparse(&random, a.nr, a.nc);
    mjtNum values[ROOM] = {0}, dense[ROOM], sum[ROOM];
    int rownnz[LARGEST], rowadr[LARGEST], colind[ROOM];
    for (int i = 0; i < a.nr; i++) {  // rows with room
      rowadr[i] = i * a.nc;
      rownnz[i] = a.rownnz[i];
      memcpy(values + rowadr[i], a.values + a.rowadr[i], sizeof(mjtNum) * (size_t)a.rownnz[i]);
      memcpy(colind + rowadr[i], a.colind + a.rowadr[i], sizeof(int) * (size_t)a.rownnz[i]);
    }
    mju_addToMatSparse(values, rownnz, rowadr, colind, a.nr, b.values, b.rownnz, b.rowadr, b.colind,
                       NULL, NULL);
    to_dense(dense, values, a.nr, a.nc, rownnz, rowadr, colind);
    mju_add(sum, a.dense, b.dense, a.nr * a.nc);
    assert_close(dense, sum, a.nr * a.nc, 0);
    for (int i = 0; i < a.nr; i++) {
      assert_int_equal(rownnz[i],
                       mju_combineSparseCount(a.rownnz[i], b.rownnz[i], a.colind + a.rowadr[i],
                                              b.colind + b.rowadr[i]));
    }
  }
}

static void compressing_drops_small_elements(void** state) {
  (void)state;
  Random random = {6};
  FOR_MATRICES(&random, s) {
    mjtNum kept[ROOM], dense[ROOM];
    for (int i = 0; i < s.nr * s.nc; i++)
      kept[i] = fabs((double)s.dense[i]) <= 0.3 ? 0 : s.dense[i];
    int total = mju_compressSparse(s.values, s.nr, s.nc, s.rownnz, s.rowadr, s.colind, (mjtNum)0.3);
    to_dense(dense, s.values, s.nr, s.nc, s.rownnz, s.rowadr, s.colind);
    assert_close(dense, kept, s.nr * s.nc, 0);
    if (s.nr) assert_int_equal(total, s.rowadr[s.nr - 1] + s.rownnz[s.nr - 1]);
  }
}

static void squares_agree_with_the_dense_ones(void** state) {
  (void)state;
  Random random = {7};
  FOR_MATRICES(&random, s) {
    Sparse t = draw_sparse(&random, s.nc, s.nr);
    mju_transpose(t.dense, s.dense, s.nr, s.nc);
    from_dense(&t);
    mjtNum diag[LARGEST], expected[ROOM], dense[ROOM], res[ROOM];
    int rownnz[LARGEST], rowadr[LARGEST], colind[ROOM], diagind[LARGEST];
    for (int i = 0; i < s.nr; i++) diag[i] = draw(&random);
    mju_sqrMatTD(expected, s.dense, diag, s.nr, s.nc);
    mju_sqrMatTDUncompressedInit(rowadr, s.nc);
    mju_sqrMatTDSparse(res, s.values, t.values, diag, s.nr, s.nc, rownnz, rowadr, colind, s.rownnz,
                       s.rowadr, s.colind, NULL, t.rownnz, t.rowadr, t.colind, NULL, NULL, diagind);
    to_dense(dense, res, s.nc, s.nc, rownnz, rowadr, colind);
    assert_close(dense, expected, s.nc * s.nc, PRECISION(1e-14, 1e-5));
    for (int r = 0; r < s.nc; r++) assert_int_equal(colind[diagind[r]], r);

    mju_sqrMatTDSparse_row(res, s.values, t.values, diag, s.nr, s.nc, rownnz, rowadr, colind,
                           s.rownnz, s.rowadr, s.colind, NULL, t.rownnz, t.rowadr, t.colind, NULL,
                           NULL, NULL);
    to_dense(dense, res, s.nc, s.nc, rownnz, rowadr, colind);
    for (int i = 0; i < s.nc * s.nc; i++) {
      if (i % s.nc > i / s.nc) expected[i] = 0;
    }
    assert_close(dense, expected, s.nc * s.nc, PRECISION(1e-14, 1e-5));

    int count[LARGEST], address[LARGEST], mark[LARGEST];
    ct_square_sparse_count(count, address, s.nc, s.rownnz, s.rowadr, s.colind, t.rownnz, t.rowadr,
                           t.colind, 0, mark);
    assert_memory_equal(count, rownnz, sizeof(int) * (size_t)s.nc);
  }
}

static void maps_find_elements_in_other_patterns(void** state) {
  (void)state;
  Random random = {8};
  for (int n = 1; n <= LARGEST; n++) {
    Sparse full = draw_symmetric(&random, n, 0), lower = full;
    int map[ROOM], cursor[LARGEST];
    for (int i = 0; i < n; i++) {
      for (int j = i + 1; j < n; j++) lower.dense[i * n + j] = 0;
    }
    from_dense(&lower);
    mju_lower2SymMap(map, n, full.rowadr, full.rownnz, full.colind, lower.rowadr, lower.rownnz,
                     lower.colind, cursor);
    for (int k = 0; k < full.nnz; k++) assert_true(lower.values[map[k]] == full.values[k]);
    mju_sparseMap(map, n, lower.rowadr, lower.rownnz, lower.colind, full.rowadr, full.rownnz,
                  full.colind);
    for (int k = 0; k < lower.nnz; k++) assert_true(full.values[map[k]] == lower.values[k]);
  }
}

static void blocks_are_taken_out_of_a_permuted_matrix(void** state) {
  (void)state;
  mjtNum mat[42], res[40];
  for (int i = 0; i < 42; i++) mat[i] = (mjtNum)(i + 1);
  for (int i = 0; i < 40; i++) res[i] = -7;
  const int perm_r[6] = {2, 0, 1, 3, 5, 4}, perm_c[7] = {5, 1, 0, 2, 4, 3, 6};
  const int nr[3] = {1, 3, 2}, nc[3] = {2, 3, 1}, r[3] = {0, 1, 4}, c[3] = {0, 2, 5};
  mju_blockDiag(res, mat, 7, 6, 3, perm_r, perm_c, nr, nc, r, c);
  const mjtNum second[9] = {1, 3, 5, 8, 10, 12, 22, 24, 26};  // what the reference gives
  assert_true(res[0] == 20 && res[1] == 16 && res[2] == -7);
  assert_close(res + 6, second, 9, 0);
  assert_true(res[24] == 39 && res[25] == 32);

  // sparse: rows 0 2 4 with columns 1 3, then rows 1 3 with columns 0 2 4 5
  const int rownnz[5] = {2, 2, 1, 1, 2}, rowadr[5] = {0, 2, 4, 5, 6},
            colind[8] = {1, 3, 0, 5, 1, 2, 1, 3};
  const mjtNum values[8] = {1, 2, 4, 5, 3, 6, 8, 7}, expected[8] = {1, 2, 3, 8, 7, 4, 5, 6};
  const int rows[5] = {0, 2, 4, 1, 3}, columns[6] = {2, 0, 3, 1, 4, 5}, block_r[2] = {0, 3},
            block_c[2] = {0, 2};
  const int local[8] = {0, 1, 0, 0, 1, 0, 3, 1};
  mjtNum out[8];
  int out_nnz[5], out_adr[5], out_ind[8];
  mju_blockDiagSparse(out, out_nnz, out_adr, out_ind, values, rownnz, rowadr, colind, 5, 2, rows,
                      columns, block_r, block_c, NULL, NULL);
  assert_close(out, expected, 8, 0);
  assert_memory_equal(out_ind, local, sizeof(local));
}

// L' L, dense.
static void expect_factor_of(const mjtNum* A, const mjtNum* values, int n, const int* rownnz,
                             const int* rowadr, const int* colind, double tolerance) {
  mjtNum L[ROOM], product[ROOM];
  to_dense(L, values, n, n, rownnz, rowadr, colind);
  mju_mulMatTMat(product, L, L, n, n, n);
  assert_close(product, A, n * n, tolerance);
}

static void sparse_factor_grows_and_multiplies_back(void** state) {
  (void)state;
  Random random = {9};
  for (int n = 1; n <= LARGEST; n++) {
    Sparse s = draw_symmetric(&random, n, 0);
    mjtNum values[ROOM];
    int rownnz[LARGEST], rowadr[LARGEST], colind[ROOM];
    for (int i = 0; i < n; i++) {
      rowadr[i] = i * n;
      rownnz[i] = 0;
      for (int j = 0; j <= i; j++) {
        if (s.dense[i * n + j] == 0) continue;
        values[i * n + rownnz[i]] = s.dense[i * n + j];
        colind[i * n + rownnz[i]++] = j;
      }
    }
    assert_int_equal(mju_cholFactorSparse(values, n, mjMINVAL, rownnz, rowadr, colind, NULL), n);
    expect_factor_of(s.dense, values, n, rownnz, rowadr, colind, PRECISION(1e-13, 1e-4));
  }
}

static void symbolic_and_numeric_factor_and_update(void** state) {
  (void)state;
  mjModel* m = recorded_model("humanoid");
  mjData* d = mj_makeData(m);
  Random random = {10};
  for (int n = 1; n <= LARGEST; n++) {
    Sparse s = draw_symmetric(&random, n, 0);
    int nnz[LARGEST], adr[LARGEST], ind[ROOM], nnzT[LARGEST], adrT[LARGEST], indT[ROOM], map[ROOM];
    int total = mju_cholFactorSymbolic(NULL, nnz, adr, NULL, nnzT, adrT, NULL, s.rownnz, s.rowadr,
                                       s.colind, n, d);
    assert_in_range(total, n, n * (n + 1) / 2);
    mju_cholFactorSymbolic(ind, nnz, adr, indT, nnzT, adrT, map, s.rownnz, s.rowadr, s.colind, n,
                           d);
    mjtNum values[ROOM];
    int rank = mju_cholFactorNumeric(values, n, mjMINVAL, nnz, adr, ind, nnzT, adrT, indT, map,
                                     s.values, s.rownnz, s.rowadr, s.colind, d);
    assert_int_equal(rank, n);
    expect_factor_of(s.dense, values, n, nnz, adr, ind, PRECISION(1e-13, 1e-4));
    for (int r = 0; r < n; r++) {
      for (int k = adrT[r]; k < adrT[r] + nnzT[r]; k++) assert_int_equal(ind[map[k]], r);
    }

    // a change along the pattern of the last row
    mjtNum x[LARGEST], sum[ROOM];
    int last = adr[n - 1], x_nnz = nnz[n - 1];
    for (int k = 0; k < x_nnz; k++) x[k] = draw(&random);
    memcpy(sum, s.dense, sizeof(sum));
    for (int i = 0; i < x_nnz; i++) {
      for (int j = 0; j < x_nnz; j++) sum[ind[last + i] * n + ind[last + j]] += x[i] * x[j];
    }
    assert_int_equal(mju_cholUpdateSparse(values, x, n, 1, nnz, adr, ind, x_nnz, ind + last, d), n);
    expect_factor_of(sum, values, n, nnz, adr, ind, PRECISION(1e-12, 1e-4));
    mju_cholUpdateSparse(values, x, n, 0, nnz, adr, ind, x_nnz, ind + last, d);
    expect_factor_of(s.dense, values, n, nnz, adr, ind, PRECISION(1e-12, 1e-4));
  }
  mj_deleteData(d);
  mj_deleteModel(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(dense_and_back_is_the_same),
      cmocka_unit_test(products_agree_with_the_dense_ones),
      cmocka_unit_test(products_of_led_rows_have_the_bits_of_others),
      cmocka_unit_test(four_rows_alike_have_the_bits_of_rows_alone),
      cmocka_unit_test(symmetric_products_and_sums_use_the_lower_triangle),
      cmocka_unit_test(a_transpose_has_ascending_columns),
      cmocka_unit_test(rows_from_the_middle_of_a_matrix_are_transposed),
      cmocka_unit_test(rows_of_one_pattern_are_counted),
      cmocka_unit_test(adding_a_matrix_merges_patterns),
      cmocka_unit_test(compressing_drops_small_elements),
      cmocka_unit_test(squares_agree_with_the_dense_ones),
      cmocka_unit_test(maps_find_elements_in_other_patterns),
      cmocka_unit_test(blocks_are_taken_out_of_a_permuted_matrix),
      cmocka_unit_test(sparse_factor_grows_and_multiplies_back),
      cmocka_unit_test(symbolic_and_numeric_factor_and_update),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
