// Vectors that all lanes of a group work on together. Every lane calls with the same arguments; the
// result is visible to other lanes after the next lane_sync. Each element is computed alone, so any
// number of lanes gives the same bits.

#ifndef CT_MATH_LANE_VEC_H_
#define CT_MATH_LANE_VEC_H_

#include <mujoco/mujoco.h>

#include "base/lanes.h"

// y[0..n) += a x[0..n); x and y must not overlap. The step of which products of matrices are made:
// sums over the reduction index stay in its order, and this inner loop is wide.
//
// Measured: the last 1 to 3 elements as a loop instead of two branches cost a fifth of the L'DL of
// a humanoid.
LANE_FN static inline void lane_add_scaled(Lane g, mjtNum* y, const mjtNum* x, mjtNum a, int n) {
  LANE_WIDE(i, g, n) {
    wide_store(y + i, wide_add(wide_load(y + i), wide_mul(wide_all(a), wide_load(x + i))));
  }
  LANE_ONCE(g) {
    int rest = n % LANE_WIDTH, i = n - rest;
    if (rest & 2) {
      y[i] += a * x[i];
      y[i + 1] += a * x[i + 1];
    }
    if (rest & 1) y[n - 1] += a * x[n - 1];
  }
}

// y[0..n) += a x[0..n), then += b z[0..n), in one pass: the bits of two calls of lane_add_scaled.
LANE_FN static inline void lane_add_scaled2(Lane g, mjtNum* y, const mjtNum* x, mjtNum a,
                                            const mjtNum* z, mjtNum b, int n) {
  LANE_WIDE(i, g, n) {
    Wide once = wide_add(wide_load(y + i), wide_mul(wide_all(a), wide_load(x + i)));
    wide_store(y + i, wide_add(once, wide_mul(wide_all(b), wide_load(z + i))));
  }
  LANE_ONCE(g) {
    int rest = n % LANE_WIDTH, i = n - rest;
    if (rest & 2) {
      y[i] = y[i] + a * x[i] + b * z[i];
      y[i + 1] = y[i + 1] + a * x[i + 1] + b * z[i + 1];
    }
    if (rest & 1) y[n - 1] = y[n - 1] + a * x[n - 1] + b * z[n - 1];
  }
}

// y[0..n) = x[0..n)
LANE_FN static inline void lane_copy(Lane g, mjtNum* y, const mjtNum* x, mjtSize n) {
  LANE_WIDE(i, g, n) {
    wide_store(y + i, wide_load(x + i));
  }
  LANE_WIDE_REST(i, g, n) {
    y[i] = x[i];
  }
}

// x[0..n) = 0
LANE_FN static inline void lane_set_zero(Lane g, mjtNum* x, mjtSize n) {
  LANE_WIDE(i, g, n) {
    wide_store(x + i, wide_all(0));
  }
  LANE_WIDE_REST(i, g, n) {
    x[i] = 0;
  }
}

#endif  // CT_MATH_LANE_VEC_H_
