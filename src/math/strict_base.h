// What the strict elementary functions are made of: the bits of a double, and sums and products
// that keep their rounding error.
//
// Only additions, subtractions, multiplications, divisions, square roots and integer operations are
// used, each rounded once as IEEE 754 says, so every compiler and every processor gives the same
// bits, provided that nothing is contracted or reordered (-ffp-contract=off for C, -fmad=false for
// CUDA).
//
// References: Dekker, A floating-point technique for extending the available precision (1971);
// Knuth, The Art of Computer Programming, volume 2, 4.2.2.

#ifndef CT_MATH_STRICT_BASE_H_
#define CT_MATH_STRICT_BASE_H_

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/lanes.h"

#if defined(FLT_EVAL_METHOD) && FLT_EVAL_METHOD != 0 && !defined(__CUDACC__)
#error "the strict functions need doubles that are evaluated as doubles (on x86: SSE2, not x87)"
#endif

// Rare paths stay out of line. They need not be used by every file that includes them.
#ifdef __CUDACC__
#define CT_RARE static __host__ __device__ __noinline__
#else
#define CT_RARE __attribute__((noinline, cold, unused)) static
#endif

LANE_INLINE uint64_t ct_bits(double x) {
  uint64_t bits;
  memcpy(&bits, &x, sizeof(bits));
  return bits;
}

LANE_INLINE double ct_from_bits(uint64_t bits) {
  double x;
  memcpy(&x, &bits, sizeof(x));
  return x;
}

// 2^n for -1022 <= n <= 1023.
LANE_INLINE double ct_power_of_two(int n) {
  return ct_from_bits((uint64_t)(n + 1023) << 52);
}

// A number as the sum of two doubles, lo no larger than half a unit in the last place of hi.
typedef struct ct_Pair_ {
  double hi;
  double lo;
} ct_Pair;

LANE_INLINE ct_Pair ct_pair(double hi, double lo) {
  ct_Pair p = {hi, lo};
  return p;
}

// a + b without error, if a is 0 or its exponent is not below that of b.
LANE_INLINE ct_Pair ct_quick_sum(double a, double b) {
  double hi = a + b;
  return ct_pair(hi, b - (hi - a));
}

// a + b without error.
LANE_INLINE ct_Pair ct_exact_sum(double a, double b) {
  double hi = a + b;
  double part = hi - a;
  return ct_pair(hi, (a - (hi - part)) + (b - part));
}

// a b without error, if |a|, |b| < 2^995 and the product is 0 or above 2^-960. Where the processor
// fuses, one fused operation gives the same error term, because it is exact either way.
LANE_INLINE ct_Pair ct_exact_product(double a, double b) {
  double hi = a * b;
#if defined(__CUDA_ARCH__) || defined(__FMA__)
  return ct_pair(hi, fma(a, b, -hi));
#else
  const double splitter = 134217729.0;  // 2^27 + 1 cuts 53 bits into 26 and 26 and a sign
  double a_cut = splitter * a;
  double b_cut = splitter * b;
  double a_high = a_cut - (a_cut - a);
  double b_high = b_cut - (b_cut - b);
  double a_low = a - a_high;
  double b_low = b - b_high;
  double error = a_high * b_high - hi;
  error += a_high * b_low;
  error += a_low * b_high;
  return ct_pair(hi, error + a_low * b_low);
#endif
}

// a + b, error below 2^-103 relative unless the sum cancels.
LANE_INLINE ct_Pair ct_pair_add(ct_Pair a, ct_Pair b) {
  ct_Pair sum = ct_exact_sum(a.hi, b.hi);
  return ct_quick_sum(sum.hi, sum.lo + (a.lo + b.lo));
}

// a b, error below 2^-101 relative.
LANE_INLINE ct_Pair ct_pair_mul(ct_Pair a, ct_Pair b) {
  ct_Pair product = ct_exact_product(a.hi, b.hi);
  return ct_quick_sum(product.hi, product.lo + (a.hi * b.lo + a.lo * b.hi));
}

// a / b, error below 2^-100 relative. The reciprocal serves the small second part only and does not
// wait for the first.
LANE_INLINE ct_Pair ct_pair_div(ct_Pair a, ct_Pair b) {
  double quotient = a.hi / b.hi;
  double reciprocal = 1 / b.hi;
  ct_Pair back = ct_exact_product(quotient, b.hi);
  double rest = ((a.hi - back.hi) - back.lo) + (a.lo - quotient * b.lo);
  return ct_quick_sum(quotient, rest * reciprocal);
}

#endif  // CT_MATH_STRICT_BASE_H_
