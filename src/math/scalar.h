// Scalars of lane code: square root, absolute value, and the comparisons with their NaN rules.
//
// mjtNum is double, or float under mjUSESINGLE. Constants in lane code are integers where possible
// (x / 2, not 0.5 * x), so that single precision stays single.

#ifndef CT_MATH_SCALAR_H_
#define CT_MATH_SCALAR_H_

#include <math.h>
#include <mujoco/mjtnum.h>

#include "base/lanes.h"

#ifdef CT_SIDE_BY_SIDE
#include "math/four_scalar.h"
#else

#define CT_PI ((mjtNum)3.14159265358979323846)

// Correctly rounded by IEEE 754, so the same bits everywhere.
LANE_INLINE mjtNum ct_sqrt(mjtNum x) {
#ifdef mjUSESINGLE
  return sqrtf(x);
#else
  return sqrt(x);
#endif
}

LANE_INLINE mjtNum ct_abs(mjtNum x) {
#ifdef mjUSESINGLE
  return fabsf(x);
#else
  return fabs(x);
#endif
}

// A NaN as first argument loses, as second it wins: min(NaN, b) = b, min(a, NaN) = NaN.
LANE_INLINE mjtNum ct_min(mjtNum a, mjtNum b) {
  return a <= b ? a : b;
}

LANE_INLINE mjtNum ct_max(mjtNum a, mjtNum b) {
  return a >= b ? a : b;
}

// x moved into [lower, upper]. NaN stays NaN; if the bounds are crossed, the lower one is tested
// first.
LANE_INLINE mjtNum ct_clip(mjtNum x, mjtNum lower, mjtNum upper) {
  return x < lower ? lower : x > upper ? upper : x;
}

// -1, 0 or 1; 0 for NaN.
LANE_INLINE mjtNum ct_sign(mjtNum x) {
  return x < 0 ? (mjtNum)-1 : x > 0 ? (mjtNum)1 : (mjtNum)0;
}

// NaN, or too large to be a state of a simulation.
LANE_INLINE int ct_is_bad(mjtNum x) {
  return !(ct_abs(x) <= (mjtNum)1e10);
}

// Smooth step: 0 up to x = 0, 1 from x = 1 on, between them 6x^5 - 15x^4 + 10x^3, whose first and
// second derivatives vanish at both ends.
LANE_INLINE mjtNum ct_sigmoid(mjtNum x) {
  if (x <= 0) {
    return 0;
  }
  if (x >= 1) {
    return 1;
  }
  return x * x * x * (3 * x * (2 * x - 5) + 10);
}

// Radical inverse of index: its digits in the given base, mirrored at the point.
LANE_INLINE mjtNum ct_halton(int index, int base) {
  mjtNum result = 0;
  mjtNum weight = 1;
  while (index > 0) {
    weight /= (mjtNum)base;
    result += weight * (mjtNum)(index % base);
    index /= base;
  }
  return result;
}

#endif

#endif  // CT_MATH_SCALAR_H_
