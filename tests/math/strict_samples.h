// Arguments for the strict functions that every build makes alike, and a hash of the results: one
// number per function that shows any difference between compilers, options, CPU and GPU.

#ifndef TESTS_MATH_STRICT_SAMPLES_H_
#define TESTS_MATH_STRICT_SAMPLES_H_

#include "math/strict.h"
#include "math/strict_base.h"

enum {
  SAMPLE_SIN,
  SAMPLE_COS,
  SAMPLE_TAN,
  SAMPLE_ASIN,
  SAMPLE_ACOS,
  SAMPLE_ATAN,
  SAMPLE_ATAN2,
  SAMPLE_EXP,
  SAMPLE_LOG,
  SAMPLE_POW,
  SAMPLE_FUNCTIONS
};

#define SAMPLE_COUNT 100000  // arguments per function

// 64 well mixed bits for each i (the finaliser of Steele, Lea and Flood's SplitMix generator).
LANE_INLINE uint64_t sample_bits(uint64_t i) {
  uint64_t z = (i + 1) * 0x9e3779b97f4a7c15;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

// A quarter of the arguments are arbitrary bits (all exponents, infinities, NaN); the others are
// even in
// (-range, range).
LANE_INLINE double sample_argument(uint64_t i, double range) {
  uint64_t bits = sample_bits(i);
  if ((bits & 3) == 0) {
    return ct_from_bits(bits);
  }
  return ((double)(bits >> 11) * 0x1p-52 - 1) * range;
}

LANE_INLINE double sample_atan(double x) {
  return ct_atan264(x, 1);
}

LANE_INLINE double sample_value(int function, int i) {
  uint64_t at = 2 * (uint64_t)i + (uint64_t)function * 1000003;
  switch (function) {
    case SAMPLE_SIN:
      return ct_sin64(sample_argument(at, 100));
    case SAMPLE_COS:
      return ct_cos64(sample_argument(at, 100));
    case SAMPLE_TAN:
      return ct_tan64(sample_argument(at, 100));
    case SAMPLE_ASIN:
      return ct_asin64(sample_argument(at, 1));
    case SAMPLE_ACOS:
      return ct_acos64(sample_argument(at, 1));
    case SAMPLE_ATAN:
      return sample_atan(sample_argument(at, 10));
    case SAMPLE_ATAN2:
      return ct_atan264(sample_argument(at, 1), sample_argument(at + 1, 1));
    case SAMPLE_EXP:
      return ct_exp64(sample_argument(at, 750));
    case SAMPLE_LOG:
      return ct_log64(fabs(sample_argument(at, 10)));
    default:
      return ct_pow64(fabs(sample_argument(at, 5)), sample_argument(at + 1, 50));
  }
}

// Adds one result to a hash (Fowler, Noll and Vo's, a word at a time). All NaN count alike.
LANE_INLINE uint64_t sample_hash(uint64_t hash, double value) {
  uint64_t bits = value != value ? 0x7ff8000000000000 : ct_bits(value);
  return (hash ^ bits) * 0x100000001b3;
}

#define SAMPLE_HASH_START 0xcbf29ce484222325

#endif  // TESTS_MATH_STRICT_SAMPLES_H_
