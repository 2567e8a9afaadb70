// Sine, cosine and tangent with the same bits everywhere.
//
// The argument is reduced to x = k pi/2 + r with |r| <= pi/4, r as a sum of two doubles, so that
// arguments close to a multiple of pi/2 keep full relative precision. Below 2^20, k times pi/2 is
// subtracted in four parts of which the first three multiply exactly; above, the bits of 2/pi that
// matter are multiplied as integers (Payne and Hanek, Radian reduction for trigonometric functions,
// 1983). Then
//
//   sin r = r + r^3 S(r^2),   cos r = 1 - r^2/2 + r^4 C(r^2)
//
// with polynomials fitted for this file (tests/record/fit_strict.py).

#ifndef CT_MATH_STRICT_TRIG_H_
#define CT_MATH_STRICT_TRIG_H_

#include "math/strict_base.h"

// r + tail is the reduced argument; k mod 4, between -2 and 2, says which quarter turn it came
// from.
typedef struct ct_Angle_ {
  double r;
  double tail;
  double quarter;
} ct_Angle;

#define CT_ANGLE_LIMIT 0x1p20  // from here on the integer reduction is used

// The nearest integer for |x| < 2^51, halves to even: the addition rounds.
LANE_INLINE double ct_nearest(double x) {
  const double shift = 0x1.8p52;
  return (x + shift) - shift;
}

// For |x| < CT_ANGLE_LIMIT. k has at most 20 bits and the first three parts of pi/2 have 33, so
// their products are exact; so are the differences whenever they cancel, which is when the quick
// sums would not be.
LANE_INLINE ct_Angle ct_reduce_angle(double x) {
  const double half_pi_1 = 0x1.921fb544p+0;
  const double half_pi_2 = 0x1.0b4611a6p-34;
  const double half_pi_3 = 0x1.3198a2ep-69;
  const double half_pi_4 = 0x1.b839a252049c1p-104;

  double k = ct_nearest(x * 0x1.45f306dc9c883p-1);
  double first = x - k * half_pi_1;
  ct_Pair second = ct_quick_sum(first, -(k * half_pi_2));
  ct_Pair third = ct_quick_sum(second.hi, -(k * half_pi_3));
  ct_Pair r = ct_quick_sum(third.hi, (second.lo + third.lo) - k * half_pi_4);
  ct_Angle angle = {r.hi, r.lo, k - 4 * ct_nearest(k / 4)};
  return angle;
}

// 32 bits of 2/pi starting `first` bits behind the binary point; bits before the point are 0.
CT_RARE uint32_t ct_bits_of_two_over_pi(int first) {
  const uint32_t words[40] = {
      0x00000000, 0x00000000, 0xa2f9836e, 0x4e441529, 0xfc2757d1, 0xf534ddc0, 0xdb629599,
      0x3c439041, 0xfe5163ab, 0xdebbc561, 0xb7246e3a, 0x424dd2e0, 0x06492eea, 0x09d1921c,
      0xfe1deb1c, 0xb129a73e, 0xe88235f5, 0x2ebb4484, 0xe99c7026, 0xb45f7e41, 0x3991d639,
      0x835339f4, 0x9c845f8b, 0xbdf9283b, 0x1ff897ff, 0xde05980f, 0xef2f118b, 0x5a0a6d1f,
      0x6d367ecf, 0x27cb09b7, 0x4f463f66, 0x9e5fea2d, 0x7527bac7, 0xebe5f17b, 0x3d0739f7,
      0x8a5292ea, 0x6bfb5fb1, 0x1f8d5d08, 0x56033046, 0xfc7b6bab};
  int position = first + 64;
  uint64_t both = ((uint64_t)words[position / 32] << 32) | words[position / 32 + 1];
  return (uint32_t)(both >> (32 - position % 32));
}

// (fraction / 2^190) pi/2 as a pair, fraction given by six words, the highest first.
CT_RARE ct_Pair ct_angle_of_fraction(const uint32_t fraction[6]) {
  int top = 0;
  while (top < 2 && fraction[top] == 0) {
    top++;
  }
  // 128 bits hold more than two doubles do, even if the first of them starts with zeros
  double value[4];
  for (int i = 0; i < 4; i++) {
    value[i] = (double)fraction[top + i];
  }
  ct_Pair upper = ct_quick_sum(value[0] * 0x1p32, value[1]);
  ct_Pair sum = ct_quick_sum(upper.hi, value[2] * 0x1p-32);
  sum = ct_quick_sum(sum.hi, sum.lo + (upper.lo + value[3] * 0x1p-64));
  ct_Pair angle = ct_pair_mul(sum, ct_pair(0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54));
  double unit = ct_power_of_two(-62 - 32 * top);
  return ct_pair(angle.hi * unit, angle.lo * unit);
}

// For any finite |x| >= CT_ANGLE_LIMIT. With |x| = m 2^e, the bits of 2/pi in front of weight
// 2^(1-e) contribute multiples of 4 quarter turns and those behind the next 192 less than 2^-137,
// while no double comes closer to a multiple of pi/2 than 2^-62.
CT_RARE ct_Angle ct_reduce_huge_angle(double x) {
  uint64_t bits = ct_bits(x) & 0x7fffffffffffffff;
  int e = (int)(bits >> 52) - 1075;
  uint64_t m = (bits & 0xfffffffffffff) | 0x10000000000000;

  // product = m times the 192 bits, modulo 2^192; its upper two bits count quarter turns
  uint32_t product[6];
  uint64_t carry = 0;
  uint32_t below = 0;
  for (int i = 5; i >= 0; i--) {
    uint32_t word = ct_bits_of_two_over_pi(e - 2 + 32 * i);
    uint64_t low = (m & 0xffffffff) * word;
    uint64_t high = (m >> 32) * below;
    uint64_t sum = (low & 0xffffffff) + (high & 0xffffffff) + (carry & 0xffffffff);
    product[i] = (uint32_t)sum;
    carry = (low >> 32) + (high >> 32) + (carry >> 32) + (sum >> 32);
    below = word;
  }

  int quarter = (int)(product[0] >> 30);
  product[0] &= 0x3fffffff;
  int negative = (product[0] >> 29) != 0;  // more than half a quarter turn: count from the next one
  if (negative) {
    quarter++;
    uint64_t borrow = 1;
    for (int i = 5; i >= 0; i--) {
      borrow += (uint32_t)~product[i];
      product[i] = (uint32_t)borrow;
      borrow >>= 32;
    }
    product[0] &= 0x3fffffff;
  }

  ct_Pair r = ct_angle_of_fraction(product);
  double sign = (negative != 0) != (x < 0) ? -1.0 : 1.0;
  double turned = quarter > 2 ? quarter - 4 : quarter;
  ct_Angle angle = {sign * r.hi, sign * r.lo, x < 0 ? -turned : turned};
  return angle;
}

LANE_INLINE ct_Angle ct_any_angle(double x) {
  if (fabs(x) < CT_ANGLE_LIMIT) {
    return ct_reduce_angle(x);
  }
  if (isfinite(x)) {
    return ct_reduce_huge_angle(x);
  }
  ct_Angle none = {NAN, 0, 0};
  return none;
}

// (sin r - r) / r^3 as a polynomial in z = r^2, given z and z^2; error of the sine below 2^-57. For
// one number or words of them.
#define CT_SIN_POLYNOMIAL_(z_, z2_)                                                \
  ((-0x1.5555555555555p-3 +                                                        \
    (z2_) * (-0x1.a01a01a018a6cp-13 +                                              \
             (z2_) * (-0x1.ae64528d6fb57p-26 + (z2_) * -0x1.aaa242d210ec1p-41))) + \
   (z_) * (0x1.111111111110bp-7 + (z2_) * (0x1.71de3a53307fbp-19 + (z2_)*0x1.61208c3edc9e6p-33)))

// (cos r - 1 + r^2/2) / r^4 as a polynomial in z = r^2, error of the cosine below 2^-59.
#define CT_COS_POLYNOMIAL_(z_, z2_)                                                         \
  ((0x1.555555555554bp-5 + (z2_) * (0x1.a01a019c844bap-16 + (z2_)*0x1.1ee9d7b289d93p-29)) + \
   (z_) * (-0x1.6c16c16c14f91p-10 +                                                         \
           (z2_) * (-0x1.27e4f7eac19dfp-22 + (z2_) * -0x1.8fa498b89eab8p-37)))

LANE_INLINE double ct_sin_polynomial(double z) {
  double z2 = z * z;
  return CT_SIN_POLYNOMIAL_(z, z2);
}

LANE_INLINE double ct_cos_polynomial(double z) {
  double z2 = z * z;
  return CT_COS_POLYNOMIAL_(z, z2);
}

// Sine and cosine of a reduced angle, turned back by its quarter turns. Selections instead of
// branches, so that a loop over many angles vectorises.
LANE_INLINE void ct_sincos_of_angle(double* sine, double* cosine, ct_Angle angle) {
  double r = angle.r;
  double z = r * r;
  double half = z / 2;
  double near = 1 - half;  // cos r up to r^4; what the subtraction lost is added back below
  double s = r + (r * z * ct_sin_polynomial(z) + angle.tail * near);
  double c = near + (((1 - near) - half) + (z * z * ct_cos_polynomial(z) - r * angle.tail));

  double turn = fabs(angle.quarter);
  double first = turn == 1 ? c : s;
  double second = turn == 1 ? s : c;
  *sine = (turn == 2 || angle.quarter == -1) ? -first : first;
  *cosine = (turn == 2 || angle.quarter == 1) ? -second : second;
}

LANE_INLINE void ct_sincos64(double* sine, double* cosine, double x) {
  double s, c;
  ct_sincos_of_angle(&s, &c, ct_any_angle(x));
  *sine = x == 0 ? x : s;  // keeps -0
  *cosine = c;
}

LANE_INLINE double ct_sin64(double x) {
  double s, c;
  ct_sincos64(&s, &c, x);
  return s;
}

LANE_INLINE double ct_cos64(double x) {
  double s, c;
  ct_sincos64(&s, &c, x);
  return c;
}

// The quotient of sine and cosine, both with an error far below half a unit.
LANE_INLINE double ct_tan64(double x) {
  if (fabs(x) < 0x1p-30) {
    return x;  // keeps -0 and denormals
  }
  ct_Angle angle = ct_any_angle(x);
  double r = angle.r;
  ct_Pair square = ct_exact_product(r, r);
  double z = square.hi;
  ct_Pair s = ct_quick_sum(r, r * z * ct_sin_polynomial(z) + angle.tail * (1 - z / 2));
  ct_Pair c = ct_quick_sum(1, -z / 2);
  c = ct_quick_sum(c.hi, c.lo + ((z * z * ct_cos_polynomial(z) - square.lo / 2) - r * angle.tail));
  if (fabs(angle.quarter) == 1) {
    return -ct_pair_div(c, s).hi;
  }
  return ct_pair_div(s, c).hi;
}

#endif  // CT_MATH_STRICT_TRIG_H_
