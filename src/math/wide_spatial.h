// Spatial algebra on wide words: each place of a word belongs to another body. The same operations
// in the same order as in spatial.h, so every place has the bits that the scalar function gives.

#ifndef CT_MATH_WIDE_SPATIAL_H_
#define CT_MATH_WIDE_SPATIAL_H_

#include "base/lanes.h"
#include "math/vec.h"

// res = a x b; res must be neither.
LANE_FN static inline void wide_cross(Wide res[3], const Wide a[3], const Wide b[3]) {
  res[0] = a[1] * b[2] - a[2] * b[1];
  res[1] = a[2] * b[0] - a[0] * b[2];
  res[2] = a[0] * b[1] - a[1] * b[0];
}

// res = v x* f; res must be neither.
LANE_FN static inline void wide_cross_force(Wide res[6], const Wide v[6], const Wide f[6]) {
  Wide torque[3], sweep[3];
  wide_cross(torque, v, f);
  wide_cross(sweep, v + 3, f + 3);
  wide_cross(res + 3, v, f + 3);
  for (int i = 0; i < 3; i++) res[i] = torque[i] + sweep[i];
}

// Momentum of the inertia i10 moving with v; res must not be v.
LANE_FN static inline void wide_mul_inert_vec(Wide res[6], const Wide i10[10], const Wide v[6]) {
  const Wide* mc = i10 + 6;
  res[0] = i10[0] * v[0] + i10[3] * v[1] + i10[4] * v[2] - mc[2] * v[4] + mc[1] * v[5];
  res[1] = i10[3] * v[0] + i10[1] * v[1] + i10[5] * v[2] + mc[2] * v[3] - mc[0] * v[5];
  res[2] = i10[4] * v[0] + i10[5] * v[1] + i10[2] * v[2] - mc[1] * v[3] + mc[0] * v[4];
  res[3] = mc[2] * v[1] - mc[1] * v[2] + i10[9] * v[3];
  res[4] = mc[0] * v[2] - mc[2] * v[0] + i10[9] * v[4];
  res[5] = mc[1] * v[0] - mc[0] * v[1] + i10[9] * v[5];
}

// How motions s fixed in bodies change when the bodies move with v: res = v x s; res must be
// neither.
LANE_FN static inline void wide_cross_motion(Wide res[6], const Wide v[6], const Wide s[6]) {
  Wide linear[3], sweep[3];
  wide_cross(res, v, s);
  wide_cross(linear, v, s + 3);
  wide_cross(sweep, v + 3, s);
  for (int i = 0; i < 3; i++) res[3 + i] = linear[i] + sweep[i];
}

// The product of one motion with a force in each place.
LANE_FN static inline Wide wide_dot6(const mjtNum a[6], const Wide b[6]) {
  Wide head = (wide_all(a[0]) * b[0] + wide_all(a[2]) * b[2]) +
              (wide_all(a[1]) * b[1] + wide_all(a[3]) * b[3]);
  return head + (wide_all(a[4]) * b[4] + wide_all(a[5]) * b[5]);
}

#if LANE_WIDTH > 1

LANE_PRIMITIVE_ Wide wide_of_pairs(Two low, Two high) {
  return __builtin_shufflevector(low, high, 0, 1, 2, 3);
}

LANE_PRIMITIVE_ Two wide_low(Wide x) {
  return __builtin_shufflevector(x, x, 0, 1);
}

LANE_PRIMITIVE_ Two wide_high(Wide x) {
  return __builtin_shufflevector(x, x, 2, 3);
}

// A motion or force of one body: a word and a half.
typedef struct WideSix_ {
  Wide head;
  Two tail;
} WideSix;

LANE_INLINE WideSix wide_load6(const mjtNum v[6]) {
  WideSix x = {wide_load(v), two_load(v + 4)};
  return x;
}

LANE_INLINE void wide_store6(mjtNum res[6], WideSix x) {
  wide_store(res, x.head);
  two_store(res + 4, x.tail);
}

LANE_INLINE WideSix wide_add6(WideSix a, WideSix b) {
  WideSix x = {a.head + b.head, a.tail + b.tail};
  return x;
}

LANE_INLINE WideSix wide_scl6(const mjtNum v[6], mjtNum s) {
  Two both = two_all(s);
  WideSix x = {wide_load(v) * wide_all(s), two_load(v + 4) * both};
  return x;
}

// a + s b
LANE_INLINE WideSix wide_add_scl6(WideSix a, const mjtNum b[6], mjtNum s) {
  return wide_add6(a, wide_scl6(b, s));
}

// As ct_dot6.
LANE_INLINE mjtNum wide_dot_six(const mjtNum a[6], WideSix b) {
  Wide head = wide_load(a) * b.head;
  Two tail = two_load(a + 4) * b.tail;
  Two sum = wide_low(head) + wide_high(head);
  return (sum[0] + sum[1]) + (tail[0] + tail[1]);
}

// The first n numbers of four neighbours, which lie `stride` apart, as words of one number of each;
// n is even. Two numbers of an element are loaded, and stored, together.
LANE_INLINE void wide_gather_rows(Wide* res, const mjtNum* from, int stride, int n) {
  for (int i = 0; i < n; i += 2) {
    Wide even = wide_of_pairs(two_load(from + i), two_load(from + 2 * stride + i));
    Wide odd = wide_of_pairs(two_load(from + stride + i), two_load(from + 3 * stride + i));
    res[i] = __builtin_shufflevector(even, odd, 0, 4, 2, 6);
    res[i + 1] = __builtin_shufflevector(even, odd, 1, 5, 3, 7);
  }
}

LANE_INLINE void wide_scatter_rows(mjtNum* to, int stride, const Wide* x, int n) {
  for (int i = 0; i < n; i += 2) {
    Wide even = __builtin_shufflevector(x[i], x[i + 1], 0, 4, 2, 6);
    Wide odd = __builtin_shufflevector(x[i], x[i + 1], 1, 5, 3, 7);
    two_store(to + i, wide_low(even));
    two_store(to + stride + i, wide_low(odd));
    two_store(to + 2 * stride + i, wide_high(even));
    two_store(to + 3 * stride + i, wide_high(odd));
  }
}

#endif

#endif  // CT_MATH_WIDE_SPATIAL_H_
