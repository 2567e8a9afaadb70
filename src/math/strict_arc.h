// Arc sine, arc cosine and arc tangent with the same bits everywhere.
//
// The arc tangent of n/d in [0, 1] is taken from the nearest of three angles, 0, atan(1/2) and
// pi/4:
//
//   atan(n/d) = atan(c) + atan(u),   u = (n - c d) / (d + c n),   |u| <= 1/4
//
// with u as a pair, so that only the polynomial's rounding adds to the half unit of the result. Arc
// sine and cosine are a polynomial up to 1/2, and beyond it asin(x) = pi/2 - 2 asin(sqrt((1 -
// x)/2)). The polynomials were fitted for this file (tests/record/fit_strict.py).

#ifndef CT_MATH_STRICT_ARC_H_
#define CT_MATH_STRICT_ARC_H_

#include "math/strict_base.h"

#define CT_PI_HI 0x1.921fb54442d18p+1
#define CT_PI_LO 0x1.1a62633145c07p-53

// (atan u - u) / u^3 as a polynomial in z = u^2 <= 1/16, error of the arc tangent below 2^-59.
LANE_INLINE double ct_atan_polynomial(double z) {
  double z2 = z * z;
  double even = -0x1.5555555555555p-2 +
                z2 * (-0x1.249249248e20ap-3 +
                      z2 * (-0x1.745d15f656cb4p-4 +
                            z2 * (-0x1.110994ab1bfc4p-4 + z2 * -0x1.a0e2062dfaac3p-5)));
  double odd =
      0x1.999999999995bp-3 +
      z2 * (0x1.c71c71c2c21c8p-4 +
            z2 * (0x1.3b1372a66bac2p-4 + z2 * (0x1.e0ba83db57642p-5 + z2 * 0x1.1f6a3b7f236ffp-5)));
  return even + z * odd;
}

// base + sign atan(n/d) for 0 <= n <= d, where d is far from overflow and n/d from underflow.
LANE_INLINE double ct_add_atan(ct_Pair base, double sign, double n, double d) {
  double c = 0;
  ct_Pair angle = ct_pair(0, 0);
  if (n > 0.75 * d) {
    c = 1;
    angle = ct_pair(CT_PI_HI / 4, CT_PI_LO / 4);
  } else if (n > 0.25 * d) {
    c = 0.5;
    angle = ct_pair(0x1.dac670561bb4fp-2, 0x1.a2b7f222f65e2p-56);  // atan(1/2)
  }
  // n - c d cancels without rounding (n is between half and twice c d); d is the largest of the
  // numbers
  ct_Pair u = ct_pair_div(ct_pair(n - c * d, 0), ct_quick_sum(d, c * n));
  double z = u.hi * u.hi;
  double small = u.lo + u.hi * z * ct_atan_polynomial(z);

  ct_Pair whole = ct_quick_sum(base.hi, sign * angle.hi);
  ct_Pair sum = ct_quick_sum(whole.hi, sign * u.hi);
  return sum.hi + (sum.lo + (whole.lo + (base.lo + sign * angle.lo) + sign * small));
}

// Angle of the point (x, y), both positive and finite or zero, not both zero; `left` mirrors x.
LANE_INLINE double ct_atan2_positive(double y, double x, int left) {
  int steep = y > x;
  double n = steep ? x : y;
  double d = steep ? y : x;
  if (n < 0x1p-60 * d) {  // too flat or too steep for n to matter, except where it is the result
    return steep ? CT_PI_HI / 2 : left ? CT_PI_HI : n / d;
  }
  // away from overflow and underflow; the factor is a power of two, so nothing is rounded
  double scale = d > 0x1p500 ? 0x1p-600 : d < 0x1p-400 ? 0x1p600 : 1.0;
  ct_Pair base = ct_pair(0, 0);
  if (steep) {
    base = ct_pair(CT_PI_HI / 2, CT_PI_LO / 2);
  } else if (left) {
    base = ct_pair(CT_PI_HI, CT_PI_LO);
  }
  return ct_add_atan(base, steep != left ? -1 : 1, n * scale, d * scale);
}

// Special cases as in C's Annex F.
LANE_INLINE double ct_atan264(double y, double x) {
  if (isnan(x) || isnan(y)) {
    return x + y;
  }
  double up = fabs(y);
  double right = fabs(x);
  if (isinf(x) || isinf(y)) {  // infinities are directions
    up = isinf(y) ? 1 : 0;
    right = isinf(x) ? 1 : 0;
  }
  int left = signbit(x) != 0;
  double angle;
  if (up == 0) {
    angle = left ? CT_PI_HI : 0;
  } else {
    angle = ct_atan2_positive(up, right, left);
  }
  return copysign(angle, y);
}

// (asin s - s) / s^3 as a polynomial in z = s^2 <= 1/4, error of the arc sine below 2^-58.
LANE_INLINE double ct_asin_polynomial(double z) {
  double z2 = z * z;
  double even = 0x1.5555555555578p-3 +
                z2 * (0x1.6db6db7226381p-5 +
                      z2 * (0x1.6e8bdfa78bbd1p-6 +
                            z2 * (0x1.ca20cf3cd016fp-7 +
                                  z2 * (0x1.6174161c71c45p-7 +
                                        z2 * (0x1.6493135aae085p-6 + z2 * 0x1.0bb07fbbaef50p-5)))));
  double odd = 0x1.333333332df7ap-4 +
               z2 * (0x1.f1c71a8db65a5p-6 +
                     z2 * (0x1.1c49e2ab9e0bep-6 +
                           z2 * (0x1.757b725ba21c1p-7 +
                                 z2 * (0x1.e2bcf01194810p-9 + z2 * -0x1.5954f42a08ca4p-6))));
  return even + z * odd;
}

// 2 asin(sqrt((1 - x)/2)) = acos(x) for 1/2 < x <= 1, as a pair.
LANE_INLINE ct_Pair ct_acos_near_one(double x) {
  double z = (1 - x) / 2;  // exact
  if (z == 0) {
    return ct_pair(0, 0);
  }
  double root = sqrt(z);
  ct_Pair square = ct_exact_product(root, root);
  double rest = ((z - square.hi) - square.lo) / (2 * root);
  return ct_quick_sum(2 * root, 2 * (rest + root * z * ct_asin_polynomial(z)));
}

// NaN outside [-1, 1].
LANE_INLINE double ct_asin64(double x) {
  double size = fabs(x);
  if (size <= 0.5) {
    double z = x * x;
    return size < 0x1p-30 ? x : x + x * z * ct_asin_polynomial(z);
  }
  if (!(size <= 1)) {
    return NAN;
  }
  ct_Pair rest = ct_acos_near_one(size);
  ct_Pair angle = ct_quick_sum(CT_PI_HI / 2, -rest.hi);
  return copysign(angle.hi + (angle.lo + (CT_PI_LO / 2 - rest.lo)), x);
}

LANE_INLINE double ct_acos64(double x) {
  if (fabs(x) <= 0.5) {
    double z = x * x;
    ct_Pair angle = ct_quick_sum(CT_PI_HI / 2, -x);
    return angle.hi + (angle.lo + (CT_PI_LO / 2 - x * z * ct_asin_polynomial(z)));
  }
  if (!(fabs(x) <= 1)) {
    return NAN;
  }
  ct_Pair rest = ct_acos_near_one(fabs(x));
  if (x > 0) {
    return rest.hi;
  }
  ct_Pair angle = ct_quick_sum(CT_PI_HI, -rest.hi);
  return angle.hi + (angle.lo + (CT_PI_LO - rest.lo));
}

#endif  // CT_MATH_STRICT_ARC_H_
