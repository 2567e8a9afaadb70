// Vectors: every fast kernel against its slow twin, bit for bit, on ordinary and awkward numbers,
// of all lengths up to 40, with outputs on top of inputs.

#include "math/numbers.h"
#include "math/vec.h"

enum { LONGEST = 40 };

static mjtNum slow_dot(const mjtNum* a, const mjtNum* b, int n) {
  mjtNum sum[4] = {0, 0, 0, 0}, head = 0, tail = 0;
  int whole = n - n % 4;
  for (int i = 0; i < whole; i++) {
    sum[i % 4] = i < 4 ? a[i] * b[i] : sum[i % 4] + a[i] * b[i];
  }
  if (whole > 0) {
    head = (sum[0] + sum[2]) + (sum[1] + sum[3]);
  }
  for (int i = whole; i < n; i++) {
    tail = i == whole ? a[i] * b[i] : tail + a[i] * b[i];
  }
  return n > whole ? head + tail : head;
}

// Runs `check` on vectors of every length, ordinary and awkward.
static void on_all_lengths(void (*check)(const mjtNum* a, const mjtNum* b, mjtNum s, int n)) {
  for (int round = 0; round < 40; round++) {
    for (int n = 0; n <= LONGEST; n++) {
      mjtNum a[LONGEST + 1], b[LONGEST + 1];
      (round % 2 ? awkward_vector : any_vector)(a, LONGEST + 1);
      (round % 2 ? awkward_vector : any_vector)(b, LONGEST + 1);
      check(a, b, b[LONGEST], n);
    }
  }
}

static void check_dot(const mjtNum* a, const mjtNum* b, mjtNum s, int n) {
  (void)s;
  mjtNum fast = mju_dot(a, b, n), slow = slow_dot(a, b, n);
#ifdef CT_FAST
  if (!isfinite(slow)) return;  // reordering may turn an infinity into NaN
#endif
  expect_same(&fast, &slow, 1, "mju_dot");
}

static void dot_adds_in_the_stated_order(void** state) {
  (void)state;
  on_all_lengths(check_dot);
}

// One function on its fast and its slow way; b is also what the output holds before. What lies
// behind the last element must not change.
#define CHECK_ELEMENTS(call_, ...)                \
  do {                                            \
    mjtNum fast[LONGEST + 1], slow[LONGEST + 1];  \
    memcpy(fast, b, sizeof(fast));                \
    memcpy(slow, b, sizeof(slow));                \
    for (int i = 0; i < n; i++) {                 \
      slow[i] = __VA_ARGS__;                      \
    }                                             \
    call_;                                        \
    expect_same(fast, slow, LONGEST + 1, #call_); \
  } while (0)

static void check_elementwise(const mjtNum* a, const mjtNum* b, mjtNum s, int n) {
  CHECK_ELEMENTS(mju_add(fast, a, b, n), a[i] + b[i]);
  CHECK_ELEMENTS(mju_sub(fast, a, b, n), a[i] - b[i]);
  CHECK_ELEMENTS(mju_scl(fast, a, s, n), a[i] * s);
  CHECK_ELEMENTS(mju_addScl(fast, a, b, s, n), a[i] + b[i] * s);
  CHECK_ELEMENTS(mju_addTo(fast, a, n), b[i] + a[i]);
  CHECK_ELEMENTS(mju_subFrom(fast, a, n), b[i] - a[i]);
  CHECK_ELEMENTS(mju_addToScl(fast, a, s, n), b[i] + a[i] * s);
  CHECK_ELEMENTS(mju_copy(fast, a, n), a[i]);
  CHECK_ELEMENTS(mju_fill(fast, s, n), s);
  CHECK_ELEMENTS(mju_zero(fast, n), 0);
}

static void elementwise_functions_equal_their_plain_loops(void** state) {
  (void)state;
  on_all_lengths(check_elementwise);
}

static void check_alias(const mjtNum* a, const mjtNum* b, mjtNum s, int n) {
  mjtNum apart[LONGEST + 1] = {0}, inplace[LONGEST + 1];
  mju_add(apart, a, b, n);
  memcpy(inplace, a, sizeof(inplace));
  mju_add(inplace, inplace, b, n);
  expect_same(inplace, apart, n, "mju_add onto its first input");
  memcpy(inplace, b, sizeof(inplace));
  mju_add(inplace, a, inplace, n);
  expect_same(inplace, apart, n, "mju_add onto its second input");
  mju_addScl(apart, a, b, s, n);
  memcpy(inplace, b, sizeof(inplace));
  mju_addScl(inplace, a, inplace, s, n);
  expect_same(inplace, apart, n, "mju_addScl onto its second input");
  mju_scl(apart, a, s, n);
  memcpy(inplace, a, sizeof(inplace));
  mju_scl(inplace, inplace, s, n);
  expect_same(inplace, apart, n, "mju_scl onto its input");
}

static void outputs_may_be_inputs(void** state) {
  (void)state;
  on_all_lengths(check_alias);
  for (int round = 0; round < 50; round++) {
    mjtNum a[3], b[3], apart[3], inplace[3];
    any_vector(a, 3);
    any_vector(b, 3);
    mju_cross(apart, a, b);
    mju_copy3(inplace, a);
    mju_cross(inplace, inplace, b);
    expect_same(inplace, apart, 3, "mju_cross onto its first input");
    mju_copy3(inplace, b);
    mju_cross(inplace, a, inplace);
    expect_same(inplace, apart, 3, "mju_cross onto its second input");
  }
}

static void sums_run_from_left_to_right(void** state) {
  (void)state;
#ifdef CT_FAST
  skip();
#endif
  mjtNum v[5] = {(mjtNum)1e30, 1, (mjtNum)-1e30, 2, -3};
  assert_true(mju_sum(v, 5) == -1);
  assert_true(mju_L1(v + 1, 1) == 1 && mju_L1(v + 4, 1) == 3);
  assert_true(mju_sum(v, 0) == 0 && mju_L1(v, 0) == 0 && mju_dot(v, v, 0) == 0);
}

static void cross_products_are_perpendicular(void** state) {
  (void)state;
  for (int round = 0; round < 100; round++) {
    mjtNum a[3], b[3], c[3];
    any_vector(a, 3);
    any_vector(b, 3);
    mju_cross(c, a, b);
    mjtNum dots[2] = {mju_dot3(a, c), mju_dot3(b, c)}, zeros[2] = {0, 0};
    expect_near(dots, zeros, 2, ROUNDING, "(a x b) . a, (a x b) . b");
  }
}

static void short_vectors_become_an_axis(void** state) {
  (void)state;
  mjtNum v[4] = {0, (mjtNum)9e-16, 0, 0};
  const mjtNum axis[6] = {1, 0, 0, 0, 0, 0};
  assert_true(mju_normalize3(v) == (mjtNum)9e-16);
  expect_same(v, axis, 3, "mju_normalize3");
  mjtNum q[4] = {0, 0, (mjtNum)-9e-16, 0};
  assert_true(mju_normalize4(q) == (mjtNum)9e-16);
  expect_same(q, axis, 4, "mju_normalize4");
  mjtNum w[6] = {0, 0, 0, 0, 0, 0};
  assert_true(mju_normalize(w, 6) == 0);
  expect_same(w, axis, 6, "mju_normalize");
}

static void unit_quaternions_keep_their_bits(void** state) {
  (void)state;
  for (int round = 0; round < 100; round++) {
    mjtNum q[4], again[4];
    any_quat(q);
    mju_normalize4(q);
    mju_copy4(again, q);
    if (fabs((double)mju_normalize4(again) - 1) <= (double)mjMINVAL) {
      expect_same(again, q, 4, "mju_normalize4 of a unit quaternion");
    }
  }
}

static void lengths_are_returned_and_removed(void** state) {
  (void)state;
  for (int n = 1; n <= LONGEST; n++) {
    mjtNum v[LONGEST], copy[LONGEST];
    any_vector(v, n);
    mju_copy(copy, v, n);
    mjtNum length = mju_normalize(v, n);
    assert_true(length == mju_norm(copy, n));
    mju_scl(v, v, length, n);
    expect_near(v, copy, n, ROUNDING, "direction times length");
  }
}

static void three_numbers_are_zero_whatever_their_signs(void** state) {
  (void)state;
  const mjtNum other[4] = {1, -(mjtNum)1e-300, (mjtNum)NAN, (mjtNum)INFINITY};
  for (int signs = 0; signs < 8; signs++) {
    mjtNum v[3];
    for (int k = 0; k < 3; k++) v[k] = signs & (1 << k) ? -(mjtNum)0.0 : (mjtNum)0.0;
    assert_true(ct_is_zero3(v));
    for (int k = 0; k < 3; k++) {
      for (int i = 0; i < 4; i++) {
        mjtNum w[3] = {v[0], v[1], v[2]};
        w[k] = other[i];
        assert_int_equal(ct_is_zero3(w), other[i] == 0);  // 1e-300 is 0 in single precision
      }
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup(dot_adds_in_the_stated_order, numbers_restart),
      cmocka_unit_test_setup(elementwise_functions_equal_their_plain_loops, numbers_restart),
      cmocka_unit_test_setup(three_numbers_are_zero_whatever_their_signs, numbers_restart),
      cmocka_unit_test_setup(outputs_may_be_inputs, numbers_restart),
      cmocka_unit_test_setup(sums_run_from_left_to_right, numbers_restart),
      cmocka_unit_test_setup(cross_products_are_perpendicular, numbers_restart),
      cmocka_unit_test_setup(short_vectors_become_an_axis, numbers_restart),
      cmocka_unit_test_setup(unit_quaternions_keep_their_bits, numbers_restart),
      cmocka_unit_test_setup(lengths_are_returned_and_removed, numbers_restart),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
