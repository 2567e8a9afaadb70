// R11.2: elementary functions with the same bits everywhere. Three kinds of proof: exact values
// recorded with 2400 bits, identities and special cases that no table is needed for, and one hash
// per function over 100000 results that any difference between compilers or machines would change.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "math/strict.h"
#include "math/strict_samples.h"
#include "support/recorded.h"

typedef double (*OneArgument)(double x);
typedef double (*TwoArguments)(double x, double y);

// Distance between a value and hi + lo in units in the last place of hi.
static double error_in_ulp(double value, double hi, double lo) {
  int exponent;
  frexp(hi, &exponent);
  int lowest = exponent - 53 < -1074 ? -1074 : exponent - 53;
  return fabs(ldexp(value - hi, -lowest) - ldexp(lo, -lowest));
}

// What docs/math.md promises.
static const struct {
  const char* name;
  OneArgument one;
  TwoArguments two;
  double bound;
} promises[] = {
    {"sin", ct_sin64, NULL, 0.90},     {"cos", ct_cos64, NULL, 0.90},
    {"tan", ct_tan64, NULL, 0.95},     {"asin", ct_asin64, NULL, 0.70},
    {"acos", ct_acos64, NULL, 0.70},   {"atan", sample_atan, NULL, 0.60},
    {"atan2", NULL, ct_atan264, 0.60}, {"exp", ct_exp64, NULL, 0.76},
    {"log", ct_log64, NULL, 0.60},     {"pow", NULL, ct_pow64, 0.76},
};

static void hard_arguments_stay_within_the_stated_error(void** state) {
  (void)state;
#ifdef CT_FAST
  skip();  // the fast build takes the C library's functions
#endif
  Recorded* recorded = recorded_open("strict.rec");
  for (size_t f = 0; f < sizeof(promises) / sizeof(promises[0]); f++) {
    char name[32];
    size_t count = 0;
    snprintf(name, sizeof(name), "%s/x", promises[f].name);
    const double* x = recorded_doubles(recorded, name, &count);
    snprintf(name, sizeof(name), "%s/y", promises[f].name);
    const double* y = recorded_doubles(recorded, name, &count);
    snprintf(name, sizeof(name), "%s/lo", promises[f].name);
    const double* lo = recorded_doubles(recorded, name, &count);
    snprintf(name, sizeof(name), "%s/hi", promises[f].name);
    const double* hi = recorded_doubles(recorded, name, &count);
    assert_true(x != NULL && hi != NULL && lo != NULL && count > 100);
    for (size_t i = 0; i < count; i++) {
      double value = promises[f].two != NULL ? promises[f].two(x[i], y[i]) : promises[f].one(x[i]);
      double error = error_in_ulp(value, hi[i], lo[i]);
      if (!(error <= promises[f].bound)) {
        fail_msg("%s(%a%s%a) = %a, exactly %a + %a: off by %.3f ulp, allowed %.2f",
                 promises[f].name, x[i], y != NULL ? ", " : " ", y != NULL ? y[i] : 0, value, hi[i],
                 lo[i], error, promises[f].bound);
      }
    }
  }
  recorded_close(recorded);
}

// Only a deliberate change of a function may change its number, and then docs/math.md is measured
// anew.
static const uint64_t golden[SAMPLE_FUNCTIONS] = {
    0x33c20a9603247074, 0x64fa51a1b056861a, 0x2ceca0121b8fba1d, 0xea4454d963faee32,
    0x78d330786f1253af, 0x02c0b45b764ee0d0, 0xb5fa42b6ebbfd247, 0x47f137356fae24dd,
    0xdf9990af3e8a3507, 0x091e5b41f5293e6c};

static void every_build_gives_the_same_bits(void** state) {
  (void)state;
#ifdef CT_FAST
  skip();
#endif
  static const char* const names[SAMPLE_FUNCTIONS] = {"sin",  "cos",   "tan", "asin", "acos",
                                                      "atan", "atan2", "exp", "log",  "pow"};
  int wrong = 0;
  for (int f = 0; f < SAMPLE_FUNCTIONS; f++) {
    uint64_t hash = SAMPLE_HASH_START;
    for (int i = 0; i < SAMPLE_COUNT; i++) {
      hash = sample_hash(hash, sample_value(f, i));
    }
    if (hash != golden[f]) {
      print_error("%s: hash 0x%016llx, expected 0x%016llx\n", names[f], (unsigned long long)hash,
                  (unsigned long long)golden[f]);
      wrong++;
    }
  }
  assert_int_equal(wrong, 0);
}

static void assert_same_bits(double value, double expected) {
  if (isnan(expected) ? !isnan(value) : ct_bits(value) != ct_bits(expected)) {
    fail_msg("%a, expected %a", value, expected);
  }
}

// C17, Annex F.10: what goes in, what comes out.
static void special_arguments_of_one(void** state) {
  (void)state;
  const double pi = 0x1.921fb54442d18p+1;
  const struct {
    OneArgument function;
    double x, value;
  } cases[] = {
      {ct_sin64, -0.0, -0.0},
      {ct_sin64, 0.0, 0.0},
      {ct_sin64, INFINITY, NAN},
      {ct_sin64, NAN, NAN},
      {ct_sin64, 5e-324, 5e-324},
      {ct_cos64, -0.0, 1},
      {ct_cos64, -INFINITY, NAN},
      {ct_cos64, NAN, NAN},
      {ct_tan64, -0.0, -0.0},
      {ct_tan64, INFINITY, NAN},
      {ct_tan64, NAN, NAN},
      {ct_asin64, -0.0, -0.0},
      {ct_asin64, 1, pi / 2},
      {ct_asin64, -1, -pi / 2},
      {ct_asin64, 1.5, NAN},
      {ct_asin64, -INFINITY, NAN},
      {ct_asin64, NAN, NAN},
      {ct_acos64, 1, 0.0},
      {ct_acos64, -1, pi},
      {ct_acos64, 0, pi / 2},
      {ct_acos64, -2, NAN},
      {ct_acos64, NAN, NAN},
      {sample_atan, -0.0, -0.0},
      {sample_atan, INFINITY, pi / 2},
      {sample_atan, NAN, NAN},
      {sample_atan, -INFINITY, -pi / 2},
      {ct_exp64, -0.0, 1},
      {ct_exp64, -INFINITY, 0.0},
      {ct_exp64, INFINITY, INFINITY},
      {ct_exp64, NAN, NAN},
      {ct_exp64, 709.79, INFINITY},
      {ct_exp64, -745.2, 0.0},
      {ct_log64, 1, 0.0},
      {ct_log64, 0.0, -INFINITY},
      {ct_log64, -0.0, -INFINITY},
      {ct_log64, -1, NAN},
      {ct_log64, -INFINITY, NAN},
      {ct_log64, INFINITY, INFINITY},
      {ct_log64, NAN, NAN},
  };
  for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
    assert_same_bits(cases[i].function(cases[i].x), cases[i].value);
  }
}

static void special_directions(void** state) {
  (void)state;
  const double pi = 0x1.921fb54442d18p+1;
  const double cases[][3] = {
      {0.0, -0.0, pi},
      {-0.0, -0.0, -pi},
      {0.0, 0.0, 0.0},
      {-0.0, 0.0, -0.0},
      {0.0, -3, pi},
      {-0.0, -3, -pi},
      {0.0, 3, 0.0},
      {-0.0, 3, -0.0},
      {-1, 0.0, -pi / 2},
      {-1, -0.0, -pi / 2},
      {1, 0.0, pi / 2},
      {1, -0.0, pi / 2},
      {1, -INFINITY, pi},
      {-1, -INFINITY, -pi},
      {1, INFINITY, 0.0},
      {-1, INFINITY, -0.0},
      {INFINITY, 5, pi / 2},
      {-INFINITY, -5, -pi / 2},
      {INFINITY, -INFINITY, 0.75 * pi},
      {-INFINITY, -INFINITY, -0.75 * pi},
      {INFINITY, INFINITY, pi / 4},
      {NAN, 1, NAN},
      {1, NAN, NAN},
      {5e-324, 5e-324, pi / 4},
      {1e308, -1e308, 0.75 * pi},
      {5e-324, 2, 0.0},
  };
  for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
    assert_same_bits(ct_atan264(cases[i][0], cases[i][1]), cases[i][2]);
  }
}

static void special_powers(void** state) {
  (void)state;
  const double inf = INFINITY;
  const double cases[][3] = {
      {0.0, -3, inf},
      {-0.0, -3, -inf},
      {0.0, -2, inf},
      {-0.0, -2, inf},
      {-0.0, -2.5, inf},
      {0.0, -inf, inf},
      {0.0, 3, 0.0},
      {-0.0, 3, -0.0},
      {-0.0, 2, 0.0},
      {-0.0, 2.5, 0.0},
      {-1, inf, 1},
      {-1, -inf, 1},
      {1, NAN, 1},
      {NAN, 0.0, 1},
      {inf, -0.0, 1},
      {-2, 0.5, NAN},
      {0.5, -inf, inf},
      {2, -inf, 0.0},
      {0.5, inf, 0.0},
      {2, inf, inf},
      {-inf, -3, -0.0},
      {-inf, -2, 0.0},
      {-inf, 3, -inf},
      {-inf, 2.5, inf},
      {inf, -1, 0.0},
      {inf, 0.5, inf},
      {NAN, 2, NAN},
      {2, NAN, NAN},
      {-2, 3, -8},
      {-2, -2, 0.25},
      {2, -1074, 5e-324},
      {2, -1076, 0.0},
      {2, 1023, 0x1p1023},
      {2, 1024, inf},
      {-2, 1025, -inf},
      {10, 22, 1e22},
      {1e300, 1e300, inf},
      {1e-300, 1e300, 0.0},
      {4, 0.5, 2},
      {-1, 1e300, 1},
      {-1, 0x1.fffffffffffffp52, -1},
      {3, 1e-300, 1},
  };
  for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
    assert_same_bits(ct_pow64(cases[i][0], cases[i][1]), cases[i][2]);
  }
}

// Whole powers that fit into 53 bits come out exactly.
static void small_whole_powers_are_exact(void** state) {
  (void)state;
  for (int base = 2; base < 40; base++) {
    double product = 1;
    for (int n = 1; product * base < 0x1p53; n++) {
      product *= base;
      assert_same_bits(ct_pow64(base, n), product);
    }
  }
}

static void odd_and_even_functions_are_so_to_the_bit(void** state) {
  (void)state;
  for (uint64_t i = 0; i < 20000; i++) {
    double x = sample_argument(i, 50);
    assert_same_bits(ct_sin64(-x), -ct_sin64(x));
    assert_same_bits(ct_cos64(-x), ct_cos64(x));
    assert_same_bits(ct_tan64(-x), -ct_tan64(x));
    assert_same_bits(sample_atan(-x), -sample_atan(x));
    assert_same_bits(ct_asin64(-x / 50), -ct_asin64(x / 50));
  }
}

static void sine_and_cosine_lie_on_the_circle(void** state) {
  (void)state;
  for (uint64_t i = 0; i < 20000; i++) {
    double s, c;
    double x = sample_argument(i, 1e7);
    ct_sincos64(&s, &c, x);
    assert_same_bits(s, ct_sin64(x));
    assert_same_bits(c, ct_cos64(x));
    if (isfinite(x)) {
      assert_true(fabs(s * s + c * c - 1) < 4e-16);
    }
  }
}

// Around the change from one reduction to the other, both must agree to the last place.
static void both_reductions_meet(void** state) {
  (void)state;
#ifdef CT_FAST
  skip();
#else
  for (uint64_t i = 0; i < 20000; i++) {
    double x = CT_ANGLE_LIMIT / 2 * (1 + (double)(sample_bits(i) >> 11) * 0x1p-53);
    double s1, c1, s2, c2;
    ct_sincos_of_angle(&s1, &c1, ct_reduce_angle(x));
    ct_sincos_of_angle(&s2, &c2, ct_reduce_huge_angle(x));
    assert_true(error_in_ulp(s1, s2, 0) <= 1 && error_in_ulp(c1, c2, 0) <= 1);
  }
#endif
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(hard_arguments_stay_within_the_stated_error),
      cmocka_unit_test(every_build_gives_the_same_bits),
      cmocka_unit_test(special_arguments_of_one),
      cmocka_unit_test(special_directions),
      cmocka_unit_test(special_powers),
      cmocka_unit_test(small_whole_powers_are_exact),
      cmocka_unit_test(odd_and_even_functions_are_so_to_the_bit),
      cmocka_unit_test(sine_and_cosine_lie_on_the_circle),
      cmocka_unit_test(both_reductions_meet),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
