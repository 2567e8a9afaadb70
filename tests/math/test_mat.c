// Matrices: every product against three plain loops, bit for bit, for all small shapes and for
// awkward numbers; and what is skipped where a coefficient is zero.

#include "math/mat.h"
#include "math/numbers.h"

enum { LARGEST = 19 };

// The stated order of each product: rows are added one after the other, zero coefficients are
// skipped.
static mjtNum slow_combination(const mjtNum* coefficient, int stride, const mjtNum* b, int columns,
                               int rows) {
  mjtNum sum = 0;
  for (int k = 0; k < rows; k++) {
    if (coefficient[k * stride] != 0) {
      sum += b[k * columns] * coefficient[k * stride];
    }
  }
  return sum;
}

typedef struct {
  mjtNum a[LARGEST * LARGEST], b[LARGEST * LARGEST];
  mjtNum fast[LARGEST * LARGEST + 1], slow[LARGEST * LARGEST + 1];
} Operands;

static void fill(Operands* o, int awkward) {
  (awkward ? awkward_vector : any_vector)(o->a, LARGEST * LARGEST);
  (awkward ? awkward_vector : any_vector)(o->b, LARGEST * LARGEST);
  for (int i = 0; i < 60; i++) {
    o->a[any_integer(LARGEST * LARGEST)] = 0;
  }
  any_vector(o->fast, LARGEST * LARGEST + 1);
  memcpy(o->slow, o->fast, sizeof(o->fast));  // what lies behind the result must not change
}

static void check_products(Operands* o, int r, int k, int c) {
  for (int i = 0; i < r; i++) {
    for (int j = 0; j < c; j++) {
      o->slow[i * c + j] = slow_combination(o->a + i * k, 1, o->b + j, c, k);
    }
  }
  mju_mulMatMat(o->fast, o->a, o->b, r, k, c);
  expect_same(o->fast, o->slow, r * c + 1, "mju_mulMatMat");

  memcpy(o->slow, o->fast, sizeof(o->fast));
  for (int i = 0; i < r; i++) {
    for (int j = 0; j < c; j++) {
      o->slow[i * c + j] = slow_combination(o->a + i, r, o->b + j, c, k);
    }
  }
  mju_mulMatTMat(o->fast, o->a, o->b, k, r, c);
  expect_same(o->fast, o->slow, r * c + 1, "mju_mulMatTMat");

  memcpy(o->slow, o->fast, sizeof(o->fast));
  for (int i = 0; i < r; i++) {
    for (int j = 0; j < c; j++) {
      o->slow[i * c + j] = mju_dot(o->a + i * k, o->b + j * k, k);
    }
  }
  mju_mulMatMatT(o->fast, o->a, o->b, r, k, c);
  expect_same(o->fast, o->slow, r * c + 1, "mju_mulMatMatT");
}

static void check_vectors(Operands* o, int r, int c) {
  memcpy(o->slow, o->fast, sizeof(o->fast));
  for (int i = 0; i < r; i++) {
    o->slow[i] = mju_dot(o->a + i * c, o->b, c);
  }
  mju_mulMatVec(o->fast, o->a, o->b, r, c);
  expect_same(o->fast, o->slow, r + 1, "mju_mulMatVec");

  memcpy(o->slow, o->fast, sizeof(o->fast));
  for (int j = 0; j < c; j++) {
    o->slow[j] = slow_combination(o->a, 1, o->b + j, c, r);
  }
  mju_mulMatTVec(o->fast, o->b, o->a, r, c);
  expect_same(o->fast, o->slow, c + 1, "mju_mulMatTVec");

  mjtNum sum = 0;
  for (int i = 0; i < r; i++) {
    sum += o->b[i] * mju_dot(o->a + i * r, o->b + r, r);
  }
  mjtNum form = r * r + r <= LARGEST * LARGEST ? mju_mulVecMatVec(o->b, o->a, o->b + r, r) : sum;
  expect_same(&form, &sum, 1, "mju_mulVecMatVec");
}

// m' diag m; zeros of m and of diag are skipped.
static void check_square(Operands* o, int r, int c, const mjtNum* diag) {
  memcpy(o->slow, o->fast, sizeof(o->fast));
  for (int i = 0; i < c; i++) {
    for (int j = 0; j <= i; j++) {
      mjtNum sum = 0;
      for (int k = 0; k < r; k++) {
        if (o->a[k * c + i] != 0 && (diag == NULL || diag[k] != 0)) {
          sum += o->a[k * c + j] * (diag != NULL ? o->a[k * c + i] * diag[k] : o->a[k * c + i]);
        }
      }
      o->slow[i * c + j] = o->slow[j * c + i] = sum;
    }
  }
  mju_sqrMatTD(o->fast, o->a, diag, r, c);
  expect_same(o->fast, o->slow, c * c + 1, "mju_sqrMatTD");
}

static void all_shapes(int awkward) {
  static Operands o;
  for (int r = 0; r <= LARGEST; r += 1 + r / 6) {
    for (int k = 0; k <= LARGEST; k += 1 + k / 5) {
      fill(&o, awkward);
      check_vectors(&o, r, k);
      check_square(&o, r, k, NULL);
      check_square(&o, r, k, o.b);
      for (int c = 0; c <= LARGEST; c += 1 + c / 4) {
        fill(&o, awkward);
        check_products(&o, r, k, c);
      }
    }
  }
}

static void products_equal_plain_loops(void** state) {
  (void)state;
  all_shapes(0);
}

static void products_of_awkward_numbers_equal_plain_loops(void** state) {
  (void)state;
#ifdef CT_FAST
  skip();  // reordering may turn an infinity into NaN
#endif
  all_shapes(1);
}

static void zero_coefficients_hide_infinities(void** state) {
  (void)state;
  const mjtNum zero[1] = {0}, infinite[1] = {INFINITY}, diag[1] = {INFINITY};
  mjtNum res[1];
  mju_mulMatTVec(res, infinite, zero, 1, 1);
  assert_true(res[0] == 0);
  mju_mulMatMat(res, zero, infinite, 1, 1, 1);
  assert_true(res[0] == 0);
  mju_mulMatTMat(res, zero, infinite, 1, 1, 1);
  assert_true(res[0] == 0);
  mju_sqrMatTD(res, zero, diag, 1, 1);
  assert_true(res[0] == 0);
  mju_sqrMatTD(res, infinite, zero, 1, 1);
  assert_true(res[0] == 0);
  mju_mulMatVec(res, zero, infinite, 1, 1);
  assert_true(isnan(res[0]));
  mju_mulMatMatT(res, zero, infinite, 1, 1, 1);
  assert_true(isnan(res[0]));
  assert_true(isnan(mju_mulVecMatVec(infinite, zero, infinite, 1)));
}

static void transposing_twice_gives_the_matrix_back(void** state) {
  (void)state;
  mjtNum m[35], once[35], twice[35];
  awkward_vector(m, 35);
  mju_transpose(once, m, 5, 7);
  mju_transpose(twice, once, 7, 5);
  expect_same(twice, m, 35, "transpose of the transpose");
  assert_true(same_number(once[3 * 5 + 2], m[2 * 7 + 3]));
}

static void symmetrizing_works_in_place(void** state) {
  (void)state;
  mjtNum m[25], apart[25];
  any_vector(m, 25);
  mju_symmetrize(apart, m, 5);
  assert_true(apart[1] == (m[1] + m[5]) / 2 && apart[5] == apart[1] && apart[6] == m[6]);
  mju_symmetrize(m, m, 5);
  expect_same(m, apart, 25, "mju_symmetrize in place");
}

static void the_identity_changes_nothing(void** state) {
  (void)state;
  mjtNum eye[49], m[49], res[49];
  any_vector(m, 49);
  mju_eye(eye, 7);
  mju_mulMatMat(res, m, eye, 7, 7, 7);
  expect_same(res, m, 49, "m times identity");
}

static void three_by_three_products_equal_the_general_ones(void** state) {
  (void)state;
  for (int round = 0; round < 50; round++) {
    mjtNum a[9], b[9], v[3], special[9], general[9];
    any_vector(a, 9);
    any_vector(b, 9);
    any_vector(v, 3);
    ct_mul_mat_mat3(special, a, b);
    mju_mulMatMat(general, a, b, 3, 3, 3);
    expect_near(special, general, 9, ROUNDING, "a b");
    ct_mul_mat_t_mat3(special, a, b);
    mju_mulMatTMat(general, a, b, 3, 3, 3);
    expect_near(special, general, 9, ROUNDING, "a' b");
    ct_mul_mat_mat_t3(special, a, b);
    mju_mulMatMatT(general, a, b, 3, 3, 3);
    expect_near(special, general, 9, ROUNDING, "a b'");
    mju_mulMatVec(general, a, v, 3, 3);
    mju_copy3(special, v);
    mju_mulMatVec3(special, a, special);
    expect_near(special, general, 3, ROUNDING, "a v, in place");
    mju_mulMatTVec(general, a, v, 3, 3);
    mju_copy3(special, v);
    mju_mulMatTVec3(special, a, special);
    expect_near(special, general, 3, ROUNDING, "a' v, in place");
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup(products_equal_plain_loops, numbers_restart),
      cmocka_unit_test_setup(products_of_awkward_numbers_equal_plain_loops, numbers_restart),
      cmocka_unit_test_setup(zero_coefficients_hide_infinities, numbers_restart),
      cmocka_unit_test_setup(transposing_twice_gives_the_matrix_back, numbers_restart),
      cmocka_unit_test_setup(symmetrizing_works_in_place, numbers_restart),
      cmocka_unit_test_setup(the_identity_changes_nothing, numbers_restart),
      cmocka_unit_test_setup(three_by_three_products_equal_the_general_ones, numbers_restart),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
