// Measures the error of the strict functions against quadruple precision and prints the table of
// docs/math.md: the largest error in units in the last place, and where it was found.
//
//   gcc -O2 -std=c17 -ffp-contract=off -Iinclude -Isrc tests/record/strict_error.c -lquadmath -lm
//   -o strict_error
//   ./strict_error [points per range, default 1000000]

#include <quadmath.h>
#include <stdio.h>
#include <stdlib.h>

#include "math/strict.h"

typedef double (*Function)(double x, double y);
typedef __float128 (*Exact)(__float128 x, __float128 y);

#define ONE_ARGUMENT(name_)                                     \
  static double ours_##name_(double x, double y) {              \
    (void)y;                                                    \
    return ct_##name_##64(x);                                   \
  }                                                             \
  static __float128 exact_##name_(__float128 x, __float128 y) { \
    (void)y;                                                    \
    return name_##q(x);                                         \
  }
ONE_ARGUMENT(sin)
ONE_ARGUMENT(cos)
ONE_ARGUMENT(tan)
ONE_ARGUMENT(asin)
ONE_ARGUMENT(acos)
ONE_ARGUMENT(exp)
ONE_ARGUMENT(log)

static double ours_atan2(double y, double x) {
  return ct_atan264(y, x);
}

static double ours_pow(double x, double y) {
  return ct_pow64(x, y);
}

static unsigned long long state = 88172645463325252ull;

// Uniform in [0, 1).
static double uniform(void) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return (double)(state >> 11) * 0x1p-53;
}

// How the arguments are spread over [low, high].
typedef enum { EVEN, BY_EXPONENT } Spread;

static double draw(Spread spread, double low, double high) {
  if (spread == EVEN) {
    return low + (high - low) * uniform();
  }
  double a = log2(low), b = log2(high);
  double x = exp2(a + (b - a) * uniform());
  return low < 0 ? -x : x;
}

// Error of `value` in units in the last place of the exact result.
static double error_in_ulp(double value, __float128 exact) {
  if (isinf(value) || isnan(value)) {
    return isnan(value) == isnanq(exact) && (isnan(value) || fabsq(exact) > DBL_MAX) ? 0 : INFINITY;
  }
  int exponent;
  frexpq(exact, &exponent);
  int lowest = exponent - 53 < -1074 ? -1074 : exponent - 53;
  return (double)fabsq(((__float128)value - exact) * ldexpq(1, -lowest));
}

typedef struct {
  const char* name;
  Function ours;
  Exact exact;
  Spread spread;
  double low, high;    // of the first argument
  double low2, high2;  // of the second; equal: there is none
  Spread spread2;
} Range;

static const Range ranges[] = {
    {"sin", ours_sin, exact_sin, EVEN, -0.8, 0.8, 0, 0, EVEN},
    {"sin", ours_sin, exact_sin, EVEN, -100, 100, 0, 0, EVEN},
    {"sin", ours_sin, exact_sin, BY_EXPONENT, 1e-30, 1e6, 0, 0, EVEN},
    {"sin", ours_sin, exact_sin, BY_EXPONENT, 1e6, 1e300, 0, 0, EVEN},
    {"cos", ours_cos, exact_cos, EVEN, -0.8, 0.8, 0, 0, EVEN},
    {"cos", ours_cos, exact_cos, EVEN, -100, 100, 0, 0, EVEN},
    {"cos", ours_cos, exact_cos, BY_EXPONENT, 1e-30, 1e6, 0, 0, EVEN},
    {"cos", ours_cos, exact_cos, BY_EXPONENT, 1e6, 1e300, 0, 0, EVEN},
    {"tan", ours_tan, exact_tan, EVEN, -1.6, 1.6, 0, 0, EVEN},
    {"tan", ours_tan, exact_tan, BY_EXPONENT, 1e-30, 1e6, 0, 0, EVEN},
    {"tan", ours_tan, exact_tan, BY_EXPONENT, 1e6, 1e300, 0, 0, EVEN},
    {"asin", ours_asin, exact_asin, EVEN, -1, 1, 0, 0, EVEN},
    {"asin", ours_asin, exact_asin, BY_EXPONENT, 1e-30, 1, 0, 0, EVEN},
    {"acos", ours_acos, exact_acos, EVEN, -1, 1, 0, 0, EVEN},
    {"acos", ours_acos, exact_acos, EVEN, 0.999, 1, 0, 0, EVEN},
    {"atan2", ours_atan2, atan2q, EVEN, -3, 3, 1, 1.000001, EVEN},
    {"atan2", ours_atan2, atan2q, BY_EXPONENT, 1e-30, 1e30, 1, 1.000001, EVEN},
    {"atan2", ours_atan2, atan2q, EVEN, -1, 1, -1, 1, EVEN},
    {"atan2", ours_atan2, atan2q, BY_EXPONENT, 1e-300, 1e300, -1e300, 1e300, EVEN},
    {"atan2", ours_atan2, atan2q, BY_EXPONENT, 1e-320, 1e-300, 1e-320, 1e-300, BY_EXPONENT},
    {"exp", ours_exp, exact_exp, EVEN, -1, 1, 0, 0, EVEN},
    {"exp", ours_exp, exact_exp, EVEN, -746, 710, 0, 0, EVEN},
    {"log", ours_log, exact_log, EVEN, 0.5, 2, 0, 0, EVEN},
    {"log", ours_log, exact_log, EVEN, 0.999, 1.001, 0, 0, EVEN},
    {"log", ours_log, exact_log, BY_EXPONENT, 1e-320, 1e308, 0, 0, EVEN},
    {"pow", ours_pow, powq, EVEN, 0, 10, -10, 10, EVEN},
    {"pow", ours_pow, powq, EVEN, 0, 1e3, -120, 120, EVEN},
    {"pow", ours_pow, powq, EVEN, 0.99, 1.01, -80000, 80000, EVEN},
    {"pow", ours_pow, powq, BY_EXPONENT, 1e-300, 1e300, -1, 1, EVEN},
};

int main(int argc, char** argv) {
  long count = argc > 1 ? atol(argv[1]) : 1000000;
  printf("| function | arguments | largest error | at |\n|---|---|---|---|\n");
  for (size_t i = 0; i < sizeof(ranges) / sizeof(ranges[0]); i++) {
    const Range* range = &ranges[i];
    double worst = 0, worst_x = 0, worst_y = 0;
    for (long k = 0; k < count; k++) {
      double x = draw(range->spread, range->low, range->high);
      double y = range->low2 == range->high2 ? 0 : draw(range->spread2, range->low2, range->high2);
      double error = error_in_ulp(range->ours(x, y), range->exact(x, y));
      if (!(error <= worst)) {
        worst = error;
        worst_x = x;
        worst_y = y;
      }
    }
    printf("| %s | %g to %g, %s | %.3f | %a %a |\n", range->name, range->low, range->high,
           range->spread == EVEN ? "even" : "by exponent", worst, worst_x, worst_y);
    fflush(stdout);
  }
  return 0;
}
