// Spatial algebra on wide words: each place of a word belongs to another body. The same operations
// in the same order as in spatial.h, so every place has the bits that the scalar function gives.

#ifndef CT_MATH_WIDE_SPATIAL_H_
#define CT_MATH_WIDE_SPATIAL_H_

#include "base/lanes.h"

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

// The product of one motion with a force in each place.
LANE_FN static inline Wide wide_dot6(const mjtNum a[6], const Wide b[6]) {
  Wide head = (wide_all(a[0]) * b[0] + wide_all(a[2]) * b[2]) +
              (wide_all(a[1]) * b[1] + wide_all(a[3]) * b[3]);
  return head + (wide_all(a[4]) * b[4] + wide_all(a[5]) * b[5]);
}

#endif  // CT_MATH_WIDE_SPATIAL_H_
