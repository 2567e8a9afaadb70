// Numbers for the tests of mathematics: repeatable random ones, awkward ones, and comparisons that
// say what differs.

#ifndef TESTS_MATH_NUMBERS_H_
#define TESTS_MATH_NUMBERS_H_

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>
#include <mujoco/mujoco.h>

// Tolerances for laws that hold up to rounding.
#ifdef mjUSESINGLE
#define ROUNDING ((mjtNum)2e-5)
#else
#define ROUNDING 1e-13
#endif

static inline uint64_t* numbers_state(void) {
  static uint64_t state = 1;
  return &state;
}

// Every test starts from the same number.
static inline int numbers_restart(void** state) {
  (void)state;
  *numbers_state() = 0x9e3779b97f4a7c15;
  return 0;
}

// Even in (-1, 1).
static inline mjtNum any_number(void) {
  uint64_t* s = numbers_state();
  *s ^= *s << 13;
  *s ^= *s >> 7;
  *s ^= *s << 17;
  return (mjtNum)((double)(*s >> 11) * 0x1p-52 - 1);
}

static inline int any_integer(int below) {
  return (int)((double)below * ((double)any_number() + 1) / 2) % below;
}

static inline void any_vector(mjtNum* v, int n) {
  for (int i = 0; i < n; i++) {
    v[i] = any_number();
  }
}

// Zeros of both signs, ones, denormals, huge numbers, infinities, NaN, and ordinary numbers among
// them.
static inline mjtNum awkward_number(void) {
  static const double awkward[] = {0,     -0.0, 1,        -1,        1e-40, 1e-320,
                                   -1e30, 1e38, INFINITY, -INFINITY, NAN};
  int i = any_integer(16);
  return i < (int)(sizeof(awkward) / sizeof(awkward[0])) ? (mjtNum)awkward[i] : any_number();
}

static inline void awkward_vector(mjtNum* v, int n) {
  for (int i = 0; i < n; i++) {
    v[i] = awkward_number();
  }
}

static inline void any_quat(mjtNum q[4]) {
  any_vector(q, 4);
  mju_normalize4(q);
}

// Same bits, all NaN alike. The fast build reorders sums, so there it means: equal up to rounding.
static inline int same_number(mjtNum value, mjtNum expected) {
  if (isnan(value) || isnan(expected)) {
    return isnan(value) && isnan(expected);
  }
#ifdef CT_FAST
  return value == expected ||
         fabs((double)value - (double)expected) <= 1e-12 * (1 + fabs((double)expected));
#else
  return memcmp(&value, &expected, sizeof(value)) == 0;
#endif
}

static inline void expect_same(const mjtNum* value, const mjtNum* expected, int n,
                               const char* what) {
  for (int i = 0; i < n; i++) {
    if (!same_number(value[i], expected[i])) {
      fail_msg("%s: element %d of %d is %a, expected %a", what, i, n, (double)value[i],
               (double)expected[i]);
    }
  }
}

static inline void expect_near(const mjtNum* value, const mjtNum* expected, int n, mjtNum tolerance,
                               const char* what) {
  for (int i = 0; i < n; i++) {
    if (!(fabs((double)value[i] - (double)expected[i]) <= (double)tolerance)) {
      fail_msg("%s: element %d of %d is %.17g, expected %.17g", what, i, n, (double)value[i],
               (double)expected[i]);
    }
  }
}

#endif  // TESTS_MATH_NUMBERS_H_
