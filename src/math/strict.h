// Elementary functions that give the same bits on every machine: sine, cosine, tangent and their
// inverses, exponential, logarithm, power. The C library's differ from version
// to version and from the GPU's, and a last bit is all that a contact needs to open a step later.
//
// ct_NAME64 works on doubles, ct_NAME on mjtNum. In single precision the double function is
// evaluated and rounded, so that the result is the correctly rounded one in all but about one case
// in 2^28. Errors are stated and measured in docs/math.md. A NaN is a NaN: which bits it carries is
// not defined.
//
// The fast build (CT_FAST) lets the compiler reorder sums, which would break the exact sums used
// here; it takes the C library's functions instead.

#ifndef CT_MATH_STRICT_H_
#define CT_MATH_STRICT_H_

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include <mujoco/mjtnum.h>

#include "base/lanes.h"
#include "math/scalar.h"

#ifdef CT_FAST

LANE_INLINE double ct_sin64(double x) {
  return sin(x);
}

LANE_INLINE double ct_cos64(double x) {
  return cos(x);
}

LANE_INLINE void ct_sincos64(double* sine, double* cosine, double x) {
  *sine = sin(x);
  *cosine = cos(x);
}

LANE_INLINE double ct_tan64(double x) {
  return tan(x);
}

LANE_INLINE double ct_asin64(double x) {
  return asin(x);
}

LANE_INLINE double ct_acos64(double x) {
  return acos(x);
}

LANE_INLINE double ct_atan264(double y, double x) {
  return atan2(y, x);
}

LANE_INLINE double ct_exp64(double x) {
  return exp(x);
}

LANE_INLINE double ct_log64(double x) {
  return log(x);
}

LANE_INLINE double ct_pow64(double x, double y) {
  return pow(x, y);
}

#else

#include "math/strict_arc.h"
#include "math/strict_exp.h"
#include "math/strict_trig.h"

#endif

#ifdef CT_SIDE_BY_SIDE

#define CT_ANGLES CT_PLACES  // those of a word
typedef ct_Place ct_AngleNum;

LANE_INLINE ct_Place ct_size_of_angle_(ct_Place x) {
  return x < 0 ? -x : x;
}

#else

#define CT_ANGLES LANE_WIDTH
typedef mjtNum ct_AngleNum;

LANE_INLINE mjtNum ct_size_of_angle_(mjtNum x) {
  return ct_abs(x);
}

LANE_INLINE mjtNum ct_sin(mjtNum x) {
  return (mjtNum)ct_sin64(x);
}

LANE_INLINE mjtNum ct_cos(mjtNum x) {
  return (mjtNum)ct_cos64(x);
}

LANE_INLINE void ct_sincos(mjtNum* sine, mjtNum* cosine, mjtNum x) {
  double s, c;
  ct_sincos64(&s, &c, x);
  *sine = (mjtNum)s;
  *cosine = (mjtNum)c;
}

#endif

// Several angles at once, with the bits of ct_sincos. Loops without branches become vector
// instructions. Angles below pi/4 are what they are reduced to, so the reduction is left out if all
// are such.
LANE_INLINE void ct_sincos_angles(ct_AngleNum sine[CT_ANGLES], ct_AngleNum cosine[CT_ANGLES],
                                  const ct_AngleNum x[CT_ANGLES]) {
  double s[CT_ANGLES], c[CT_ANGLES];
#ifdef CT_FAST
  bool small = false;
#else
  bool reduced = true, small = true;
  for (int i = 0; i < CT_ANGLES; i++) {
    reduced &= ct_size_of_angle_(x[i]) < (ct_AngleNum)0.78;
    small &= ct_size_of_angle_(x[i]) < (ct_AngleNum)CT_ANGLE_LIMIT;
  }
  if (reduced) {
    for (int i = 0; i < CT_ANGLES; i++) {
      double r = x[i], z = r * r, half = z / 2, near = 1 - half;
      s[i] = copysign(r + r * z * ct_sin_polynomial(z), r);  // keeps -0
      c[i] = near + (((1 - near) - half) + z * z * ct_cos_polynomial(z));
    }
  } else if (small) {
    for (int i = 0; i < CT_ANGLES; i++) {
      ct_sincos_of_angle(s + i, c + i, ct_reduce_angle(x[i]));
      s[i] = x[i] == 0 ? x[i] : s[i];
    }
  }
#endif
  for (int i = 0; !small && i < CT_ANGLES; i++) ct_sincos64(s + i, c + i, x[i]);
  for (int i = 0; i < CT_ANGLES; i++) {
    sine[i] = (ct_AngleNum)s[i];
    cosine[i] = (ct_AngleNum)c[i];
  }
}

// LANE_WIDTH numbers of angles.
LANE_INLINE void ct_sincos_wide(mjtNum sine[LANE_WIDTH], mjtNum cosine[LANE_WIDTH],
                                const mjtNum x[LANE_WIDTH]) {
#ifdef CT_SIDE_BY_SIDE
  ct_AngleNum s[CT_ANGLES], c[CT_ANGLES], angle[CT_ANGLES];
  memcpy(angle, x, sizeof(angle));
  ct_sincos_angles(s, c, angle);
  memcpy(sine, s, sizeof(s));
  memcpy(cosine, c, sizeof(c));
#else
  ct_sincos_angles(sine, cosine, x);
#endif
}

#if LANE_WIDTH > 1
// Angles that are not all small, out of the way of those that are.
static __attribute__((noinline, unused)) void ct_sincos_apart(mjtNum* sine, mjtNum* cosine,
                                                              const mjtNum* x) {
  ct_sincos_angles(sine, cosine, x);
}

// The same as a word.
LANE_INLINE void ct_sincos_word(Wide* sine, Wide* cosine, Wide x) {
#if !defined(CT_FAST) && !defined(mjUSESINGLE)
  const WideMask sign = (WideMask)wide_all(-0.0);
  if (wide_bits((Wide)((WideMask)x & ~sign) < wide_all(0.78)) == 15) {
    Wide z = x * x, z2 = z * z, half = z * 0.5, near = 1 - half;
    Wide s = x + x * z * CT_SIN_POLYNOMIAL_(z, z2);
    *sine = (Wide)(((WideMask)s & ~sign) | ((WideMask)x & sign));  // keeps -0
    *cosine = near + (((1 - near) - half) + z2 * CT_COS_POLYNOMIAL_(z, z2));
    return;
  }
#endif
  mjtNum angle[LANE_WIDTH], s[LANE_WIDTH], c[LANE_WIDTH];
  wide_store(angle, x);
  ct_sincos_apart(s, c, angle);
  *sine = wide_load(s);
  *cosine = wide_load(c);
}
#endif

#ifndef CT_SIDE_BY_SIDE

LANE_INLINE mjtNum ct_tan(mjtNum x) {
  return (mjtNum)ct_tan64(x);
}

LANE_INLINE mjtNum ct_asin(mjtNum x) {
  return (mjtNum)ct_asin64(x);
}

LANE_INLINE mjtNum ct_acos(mjtNum x) {
  return (mjtNum)ct_acos64(x);
}

LANE_INLINE mjtNum ct_atan2(mjtNum y, mjtNum x) {
  return (mjtNum)ct_atan264(y, x);
}

LANE_INLINE mjtNum ct_exp(mjtNum x) {
  return (mjtNum)ct_exp64(x);
}

LANE_INLINE mjtNum ct_log(mjtNum x) {
  return (mjtNum)ct_log64(x);
}

LANE_INLINE mjtNum ct_pow(mjtNum x, mjtNum y) {
  return (mjtNum)ct_pow64(x, y);
}

#endif

#endif  // CT_MATH_STRICT_H_
