// Exponential, logarithm and power with the same bits everywhere.
//
//   exp:  x = k ln 2 + r, |r| <= ln(2)/2;   e^x = 2^k (1 + r + r^2/2 + r^3 E(r))
//   log:  x = 2^k m, m in [sqrt(1/2), sqrt(2));   s = (m - 1)/(m + 1);
//         log m = 2 (s + s^3/3 + s^5/5 + ...)
//   pow:  e^(y log x) with log x as a pair, good to 2^-68 relative, since y log x may be as large
//         as 745
//
// The polynomials were fitted for this file (tests/record/fit_strict.py). Special cases as in C's
// Annex F.

#ifndef CT_MATH_STRICT_EXP_H_
#define CT_MATH_STRICT_EXP_H_

#include "math/strict_base.h"

#define CT_LN2_HI 0x1.62e42fefa2000p-1  // 40 bits: exact when multiplied by an exponent
#define CT_LN2_LO 0x1.9ef35793c7673p-41

// e^(hi + lo) = 2^power (1 + rest)
typedef struct ct_Exponential_ {
  ct_Pair rest;
  int power;
} ct_Exponential;

// For |hi| < 1100. The polynomial is (e^r - 1 - r - r^2/2) / r^3, error of the result below 2^-60.
LANE_INLINE ct_Exponential ct_exponential(double hi, double lo) {
  const double shift = 0x1.8p52;  // the sum with it rounds to an integer
  double k = (hi * 0x1.71547652b82fep+0 + shift) - shift;
  double high = hi - k * CT_LN2_HI;  // exact
  ct_Pair r = ct_exact_sum(high, lo - k * CT_LN2_LO);
  double z = r.hi;
  ct_Pair square = ct_exact_product(z, z);
  double z2 = square.hi;
  double odd = 0x1.555555555555ap-3 +
               z2 * (0x1.111111110f07fp-7 +
                     z2 * (0x1.a01a01b22c1b2p-13 +
                           z2 * (0x1.71ddf2f346a95p-19 + z2 * 0x1.af6798144decep-26)));
  double even = 0x1.5555555555531p-5 +
                z2 * (0x1.6c16c16c26fbdp-10 +
                      z2 * (0x1.a01a015235708p-16 +
                            z2 * (0x1.27e58e0806b7cp-22 + z2 * 0x1.1e64da48944dbp-29)));
  ct_Pair start = ct_quick_sum(z, z2 / 2);  // r + r^2/2; the terms behind it are below r^3/6
  double small = (square.lo / 2 + (r.lo + z * r.lo)) + z * z2 * (odd + z * even);
  ct_Exponential e = {ct_quick_sum(start.hi, start.lo + small), (int)k};
  return e;
}

// 2^power (1 + rest), in two steps where the result may be denormal or overflow.
LANE_INLINE double ct_scale_exponential(ct_Exponential e) {
  ct_Pair sum = ct_quick_sum(1, e.rest.hi);
  double value = sum.hi + (sum.lo + e.rest.lo);
  int half = e.power / 2;
  return value * ct_power_of_two(half) * ct_power_of_two(e.power - half);
}

LANE_INLINE double ct_exp64(double x) {
  if (isnan(x)) {
    return x;
  }
  if (x > 710) {
    return HUGE_VAL;
  }
  if (x < -746) {
    return 0;
  }
  return ct_scale_exponential(ct_exponential(x, 0));
}

// x = 2^power m with m in [sqrt(1/2), sqrt(2)), for positive finite x.
typedef struct ct_Scaled_ {
  double m;
  int power;
} ct_Scaled;

LANE_INLINE ct_Scaled ct_scaled(double x) {
  int offset = 1023;
  if (x < 0x1p-1022) {
    x *= 0x1p54;
    offset += 54;
  }
  uint64_t bits = ct_bits(x);
  // the fraction of sqrt(2), rounded, decides to which power of two x is nearer
  int up = (bits & 0xfffffffffffff) > 0x6a09e667f3bcd;
  ct_Scaled scaled;
  scaled.power = (int)(bits >> 52) - offset + up;
  scaled.m = ct_from_bits((bits & 0xfffffffffffff) | (uint64_t)(1023 - up) << 52);
  return scaled;
}

// (m - 1) / (m + 1) as a pair.
LANE_INLINE ct_Pair ct_log_ratio(double m) {
  return ct_pair_div(ct_pair(m - 1, 0), ct_quick_sum(1, m));
}

LANE_INLINE double ct_log64(double x) {
  if (x == 0) {
    return -HUGE_VAL;
  }
  if (!(x > 0 && x < HUGE_VAL)) {
    return x < 0 ? NAN : x;
  }
  ct_Scaled scaled = ct_scaled(x);
  double k = scaled.power;
  ct_Pair s = ct_log_ratio(scaled.m);
  double z = s.hi * s.hi;
  double z2 = z * z;
  double even =
      0x1.5555555555555p-2 +
      z2 * (0x1.249249242b0b8p-3 + z2 * (0x1.745cde21aea10p-4 + z2 * 0x1.0f5c7b66c2ad4p-4));
  double odd =
      0x1.9999999999e02p-3 +
      z2 * (0x1.c71c72593d25ep-4 + z2 * (0x1.3b20aefc05ce1p-4 + z2 * 0x1.0f65d786e195dp-4));
  double small = 2 * (s.lo + s.hi * z * (even + z * odd));
  ct_Pair sum = ct_quick_sum(k * CT_LN2_HI, 2 * s.hi);
  return sum.hi + (sum.lo + (k * CT_LN2_LO + small));
}

// log x of a positive finite x as a pair, error below 2^-68 relative: the first two terms behind s
// are kept in pairs.
LANE_INLINE ct_Pair ct_log_pair(double x) {
  ct_Scaled scaled = ct_scaled(x);
  double k = scaled.power;
  ct_Pair s = ct_log_ratio(scaled.m);
  ct_Pair z = ct_pair_mul(s, s);
  double w = z.hi;
  double w2 = w * w;
  double even =
      0x1.2492492492492p-3 +
      w2 * (0x1.745d1745dc073p-4 +
            w2 * (0x1.1111138e56da6p-4 + w2 * (0x1.af5748fa3bcc7p-5 + w2 * 0x1.9fe46d9e87f70p-5)));
  double odd =
      0x1.c71c71c71c688p-4 +
      w2 * (0x1.3b13b1347e4ecp-4 + w2 * (0x1.e1e0aff6b383dp-5 + w2 * 0x1.81aa8c118e9a9p-5));

  const ct_Pair third = {0x1.5555555555555p-2, 0x1.5555555555555p-56};
  const ct_Pair fifth = {0x1.999999999999ap-3, -0x1.999999999999ap-57};
  ct_Pair series = ct_pair_add(fifth, ct_pair(w * (even + w * odd), 0));
  series = ct_pair_add(third, ct_pair_mul(z, series));
  ct_Pair twice = ct_pair(2 * s.hi, 2 * s.lo);
  ct_Pair log_m = ct_pair_add(twice, ct_pair_mul(twice, ct_pair_mul(z, series)));

  const ct_Pair low = {0x1.9ef35793c7673p-41, 0x1.f97b57a079a19p-103};
  ct_Pair tail = ct_pair_mul(ct_pair(k, 0), low);
  ct_Pair sum = ct_pair_add(ct_pair(k * CT_LN2_HI, 0), log_m);
  return ct_pair_add(sum, tail);
}

// 0: not an integer, 1: odd, 2: even. Every double from 2^53 on is even.
LANE_INLINE int ct_parity(double y) {
  double size = fabs(y);
  if (size >= 0x1p53) {
    return 2;
  }
  uint64_t whole = (uint64_t)size;
  return (double)whole != size ? 0 : (whole & 1) != 0 ? 1 : 2;
}

// x^y where x is 0 or infinite or y is infinite; neither is NaN, x is not 1 and y is not 0.
LANE_INLINE double ct_pow_limits(double x, double y) {
  double size = fabs(x);
  if (isinf(y)) {
    return size == 1 ? 1.0 : (size > 1) == (y > 0) ? HUGE_VAL : 0.0;
  }
  double value = (size == 0) == (y > 0) ? 0.0 : HUGE_VAL;
  return signbit(x) != 0 && ct_parity(y) == 1 ? -value : value;
}

LANE_INLINE double ct_pow64(double x, double y) {
  if (x == 1 || y == 0) {
    return 1;
  }
  if (isnan(x) || isnan(y)) {
    return x + y;
  }
  if (x == 0 || isinf(x) || isinf(y)) {
    return ct_pow_limits(x, y);
  }
  int parity = x < 0 ? ct_parity(y) : 2;
  if (parity == 0) {
    return NAN;
  }
  double sign = parity == 1 ? -1 : 1;
  ct_Pair log_x = ct_log_pair(fabs(x));
  // y log x beyond these bounds overflows or vanishes; below 2^-64 the power is 1 in any case
  double estimate = y * log_x.hi;
  if (!(fabs(estimate) < 750)) {
    return sign * (estimate > 0 ? HUGE_VAL : 0.0);
  }
  if (fabs(estimate) < 0x1p-64) {
    return sign;
  }
  ct_Pair product = ct_exact_product(y, log_x.hi);
  return sign * ct_scale_exponential(ct_exponential(product.hi, product.lo + y * log_x.lo));
}

#endif  // CT_MATH_STRICT_EXP_H_
