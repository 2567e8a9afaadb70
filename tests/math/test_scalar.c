// Scalars, conversions, sorts and the exported array functions: their rules for NaN, zeros, halves
// and ends.

#include "api/exports.h"
#include "math/numbers.h"

#include <limits.h>
#include <stdlib.h>

static const mjtNum nan_number = (mjtNum)NAN;

static void a_nan_loses_first_and_wins_second(void** state) {
  (void)state;
  assert_true(mju_min(nan_number, 2) == 2 && isnan(mju_min(2, nan_number)));
  assert_true(mju_max(nan_number, 2) == 2 && isnan(mju_max(2, nan_number)));
  assert_true(mju_min(1, 2) == 1 && mju_max(1, 2) == 2);
  assert_true(isnan(mju_clip(nan_number, 0, 1)));
}

static void clip_tests_the_lower_bound_first(void** state) {
  (void)state;
  assert_true(mju_clip(-1, 0, 1) == 0 && mju_clip(2, 0, 1) == 1 &&
              mju_clip((mjtNum)0.5, 0, 1) == (mjtNum)0.5);
  assert_true(mju_clip(2, 3, 1) == 3 && mju_clip(4, 3, 1) == 1);
}

static void signs_of_zero_and_nan_are_zero(void** state) {
  (void)state;
  assert_true(mju_sign(-3) == -1 && mju_sign((mjtNum)1e-40) == 1 && mju_sign(0) == 0);
  assert_true(mju_sign((mjtNum)-0.0) == 0 && mju_sign(nan_number) == 0);
}

static void halves_round_up(void** state) {
  (void)state;
  const double cases[][2] = {{2.5, 3},  {-2.5, -2},  {-0.5, 0}, {0.5, 1},
                             {1.25, 1}, {-1.75, -2}, {7, 7},    {-7, -7}};
  for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
    assert_int_equal(mju_round((mjtNum)cases[i][0]), (int)cases[i][1]);
  }
#ifndef mjUSESINGLE
  assert_int_equal(mju_round(0x1.fffffffffffffp-2), 0);  // the largest number below one half
#endif
}

// As the reference does on x86, where a conversion that overflows gives this number.
static void rounding_beyond_int_gives_its_least_value(void** state) {
  (void)state;
  const double cases[] = {1e10, -1e10, 2147483648.0, -2147483904.0, INFINITY, -INFINITY, NAN};
  for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
    assert_int_equal(mju_round((mjtNum)cases[i]), INT_MIN);
  }
  assert_int_equal(mju_round(-2147483648), INT_MIN);
#ifndef mjUSESINGLE
  assert_int_equal(mju_round(2147483646.5), INT_MAX);
#endif
}

static void the_smooth_step_ends_flat(void** state) {
  (void)state;
  assert_true(mju_sigmoid(-1) == 0 && mju_sigmoid(0) == 0 && mju_sigmoid(1) == 1 &&
              mju_sigmoid(2) == 1);
  mjtNum middle = mju_sigmoid((mjtNum)0.5), half = (mjtNum)0.5;
  expect_near(&middle, &half, 1, ROUNDING, "sigmoid of one half");
  mjtNum sum = mju_sigmoid((mjtNum)0.3) + mju_sigmoid((mjtNum)0.7), one = 1;
  expect_near(&sum, &one, 1, ROUNDING, "sigmoid(x) + sigmoid(1-x)");
}

static void bad_numbers_are_found(void** state) {
  (void)state;
  assert_int_equal(mju_isBad(nan_number), 1);
  assert_int_equal(mju_isBad((mjtNum)INFINITY), 1);
  assert_int_equal(mju_isBad((mjtNum)1.001e10), 1);
  assert_int_equal(mju_isBad((mjtNum)-1e10), 0);
  assert_int_equal(mju_isBad(0), 0);
}

static void zero_vectors_are_found(void** state) {
  (void)state;
  mjtNum v[3] = {0, (mjtNum)-0.0, nan_number};
  assert_int_equal(mju_isZero(v, 0), 1);
  assert_int_equal(mju_isZero(v, 2), 1);
  assert_int_equal(mju_isZero(v, 3), 0);
  const unsigned char bytes[3] = {0, 0, 4};
  assert_int_equal(mju_isZeroByte(bytes, 0), 1);
  assert_int_equal(mju_isZeroByte(bytes, 2), 1);
  assert_int_equal(mju_isZeroByte(bytes, 3), 0);
}

static void halton_mirrors_digits(void** state) {
  (void)state;
  assert_true(mju_Halton(5, 2) == (mjtNum)0.625 && mju_Halton(1, 2) == (mjtNum)0.5);
  mjtNum value = mju_Halton(7, 3), expected = (mjtNum)5 / 9;
  expect_near(&value, &expected, 1, ROUNDING, "Halton(7, 3)");
  assert_true(mju_Halton(0, 2) == 0 && mju_Halton(-4, 2) == 0);
}

static void normal_numbers_have_mean_zero_and_variance_one(void** state) {
  (void)state;
  srand(1);
  enum { COUNT = 20000 };
  double sum = 0, square = 0, product = 0;
  for (int i = 0; i < COUNT; i++) {
    mjtNum second, first = mju_standardNormal(&second);
    sum += (double)first + (double)second;
    square += (double)first * (double)first + (double)second * (double)second;
    product += (double)first * (double)second;
  }
  // four standard deviations of each mean
  assert_true(fabs(sum / (2 * COUNT)) < 4 / sqrt(2 * COUNT));
  assert_true(fabs(square / (2 * COUNT) - 1) < 4 * sqrt(2.0 / (2 * COUNT)));
  assert_true(fabs(product / COUNT) < 4 / sqrt(COUNT));
  srand(5);
  mjtNum once = mju_standardNormal(NULL), second;
  srand(5);
  assert_true(mju_standardNormal(&second) == once);
}

static void sorting_is_ascending_and_keeps_every_number(void** state) {
  (void)state;
  for (int n = 0; n < 30; n++) {
    mjtNum list[30], sum = 0;
    int numbers[30];
    for (int i = 0; i < n; i++) {
      numbers[i] = any_integer(9) - 4;
      list[i] = (mjtNum)numbers[i] / 4;
      sum += list[i];
    }
    mju_insertionSort(list, n);
    mju_insertionSortInt(numbers, n);
    for (int i = 0; i < n; i++) {
      assert_true(list[i] * 4 == (mjtNum)numbers[i]);
      assert_true(i == 0 || numbers[i - 1] <= numbers[i]);
      sum -= list[i];
    }
    assert_true(sum == 0);
  }
}

static void conversions_are_casts(void** state) {
  (void)state;
  const double doubles[2] = {0.1, -1e300};
  const float floats[2] = {0.1f, 3e38f};
  mjtNum numbers[2];
  double back[2];
  float short_back[2];
  mju_d2n(numbers, doubles, 2);
  assert_true(numbers[0] == (mjtNum)0.1 && numbers[1] == (mjtNum)-1e300);
  mju_n2d(back, numbers, 2);
  assert_true(back[0] == (double)numbers[0]);
  mju_f2n(numbers, floats, 2);
  mju_n2f(short_back, numbers, 2);
  assert_true(short_back[0] == floats[0] && short_back[1] == floats[1]);
}

static void gather_and_scatter_follow_the_index(void** state) {
  (void)state;
  const mjtNum source[4] = {10, 11, 12, 13};
  const int whole[4] = {20, 21, 22, 23}, index[3] = {2, 0, 3}, masked[3] = {2, -1, 3};
  mjtNum res[4] = {0, 0, 0, 0};
  int numbers[4] = {0, 0, 0, 0};
  mju_gather(res, source, index, 3);
  assert_true(res[0] == 12 && res[1] == 10 && res[2] == 13);
  mju_gatherMasked(res, source, masked, 3);
  assert_true(res[0] == 12 && res[1] == 0 && res[2] == 13);
  mju_zero(res, 4);
  mju_scatter(res, source, index, 3);
  assert_true(res[2] == 10 && res[0] == 11 && res[3] == 12 && res[1] == 0);
  mju_gatherInt(numbers, whole, index, 3);
  assert_true(numbers[0] == 22 && numbers[1] == 20 && numbers[2] == 23);
  mju_zeroInt(numbers, 4);
  mju_scatterInt(numbers, whole, index, 3);
  assert_true(numbers[2] == 20 && numbers[0] == 21 && numbers[3] == 22 && numbers[1] == 0);
  mju_copyInt(numbers, whole, 4);
  assert_int_equal(numbers[3], 23);
}

static void equality_allows_less_than_the_smallest_length(void** state) {
  (void)state;
  const mjtNum a[3] = {0, 0, 0}, near[3] = {0, (mjtNum)-9e-16, 0}, away[3] = {0, 0, mjMINVAL},
               bad[3] = {0, nan_number, 0};
  assert_int_equal(mju_equal3(a, near), 1);
  assert_int_equal(mju_equal3(a, away), 0);
  assert_int_equal(mju_equal3(a, bad), 0);
}

static void boxes_have_an_inside_an_outside_and_a_rim(void** state) {
  (void)state;
  const mjtNum pos[3] = {1, 0, 0}, mat[9] = {0, -1, 0, 1, 0, 0, 0, 0, 1}, size[3] = {1, 2, 3};
  const struct {
    mjtNum point[3];
    mjtNum inflate;
    int where;
  } cases[] = {
      {{1, 0, 0}, 1, -1},          {{3, 1, 3}, 1, -1},          {{(mjtNum)3.1, 0, 0}, 1, 1},
      {{1, (mjtNum)1.1, 0}, 1, 1}, {{1, (mjtNum)1.4, 0}, 2, 0}, {{1, (mjtNum)0.4, 0}, 2, -1},
      {{1, (mjtNum)0.5, 0}, 2, 0}, {{1, 0, 7}, 2, 1},
  };
  for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
    assert_int_equal(mju_outsideBox(cases[i].point, pos, mat, size, cases[i].inflate),
                     cases[i].where);
  }
}

static void capsules_count_their_caps(void** state) {
  (void)state;
  const mjtNum size[3] = {1, 2, 3};
  const struct {
    int type;
    mjtNum axes[3];
  } cases[] = {{mjGEOM_SPHERE, {1, 1, 1}},
               {mjGEOM_CAPSULE, {1, 1, 3}},
               {mjGEOM_CYLINDER, {1, 1, 2}},
               {mjGEOM_ELLIPSOID, {1, 2, 3}},
               {mjGEOM_BOX, {1, 2, 3}}};
  for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
    mjtNum axes[3];
    mju_geomSemiAxes(axes, size, cases[i].type);
    expect_same(axes, cases[i].axes, 3, "half axes");
  }
}

// The basis functions sum to 1, and a field that is linear in x is interpolated without error.
static void interpolation_reproduces_linear_fields(void** state) {
  (void)state;
  for (int order = 1; order <= 2; order++) {
    int n = order + 1, nodes = n * n * n;
    mjtNum map[9], shift[3], x[3], coeff[81], value[3] = {0, 0, 0}, expected[3], gradient[9],
                                              sum = 0, one = 1;
    any_vector(map, 9);
    any_vector(shift, 3);
    any_vector(x, 3);
    for (int i = 0; i < nodes; i++) {
      mjtNum node[3] = {(mjtNum)(i / (n * n)) / order, (mjtNum)(i / n % n) / order,
                        (mjtNum)(i % n) / order};
      mju_mulMatVec3(coeff + 3 * i, map, node);
      mju_addTo3(coeff + 3 * i, shift);
      sum += mju_evalBasis(x, i, order);
    }
    expect_near(&sum, &one, 1, 10 * ROUNDING, "sum of the basis");
    mju_interpolate3D(value, x, coeff, order);
    mju_mulMatVec3(expected, map, x);
    mju_addTo3(expected, shift);
    expect_near(value, expected, 3, 10 * ROUNDING, "interpolated point");
    mju_defGradient(gradient, x, coeff, order);
    expect_near(gradient, map, 9, 20 * ROUNDING, "gradient");
  }
  const mjtNum x[3] = {0, 0, 0};
  assert_true(mju_evalBasis(x, 0, 3) == -1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_nan_loses_first_and_wins_second),
      cmocka_unit_test(clip_tests_the_lower_bound_first),
      cmocka_unit_test(signs_of_zero_and_nan_are_zero),
      cmocka_unit_test(halves_round_up),
      cmocka_unit_test(rounding_beyond_int_gives_its_least_value),
      cmocka_unit_test(the_smooth_step_ends_flat),
      cmocka_unit_test(bad_numbers_are_found),
      cmocka_unit_test(zero_vectors_are_found),
      cmocka_unit_test(halton_mirrors_digits),
      cmocka_unit_test(normal_numbers_have_mean_zero_and_variance_one),
      cmocka_unit_test_setup(sorting_is_ascending_and_keeps_every_number, numbers_restart),
      cmocka_unit_test(conversions_are_casts),
      cmocka_unit_test(gather_and_scatter_follow_the_index),
      cmocka_unit_test(equality_allows_less_than_the_smallest_length),
      cmocka_unit_test(boxes_have_an_inside_an_outside_and_a_rim),
      cmocka_unit_test(capsules_count_their_caps),
      cmocka_unit_test_setup(interpolation_reproduces_linear_fields, numbers_restart),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
