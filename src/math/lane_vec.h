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

// Sums over all elements, the same on all lanes, with the bits of LANE_SUM: 32 slots, folded by
// halves. What is summed must be visible to all lanes. On one lane slots are wide words.
#ifndef __CUDACC__
LANE_INLINE mjtNum ct_fold_words_(Wide s[8]) {
  for (int k = 0; k < 4; k++) s[k] = wide_add(s[k], s[k + 4]);
  Wide sum = wide_add(wide_add(s[0], s[2]), wide_add(s[1], s[3]));
  return (sum[0] + sum[2]) + (sum[1] + sum[3]);
}

// The last n mod 4 numbers as a word.
LANE_INLINE Wide ct_last_word_(const mjtNum* x, int n) {
  Wide last = wide_all(0);
  for (int k = 0; k < n; k++) last[k] = x[k];
  return last;
}

LANE_INLINE mjtNum ct_slot_dot_(const mjtNum* a, const mjtNum* b, int n) {
  Wide s[8];
  for (int k = 0; k < 8; k++) s[k] = wide_all(0);
  int i = 0;
  for (; i + 32 <= n; i += 32) {
    for (int k = 0; k < 8; k++) {
      s[k] = wide_add(s[k], wide_mul(wide_load(a + i + 4 * k), wide_load(b + i + 4 * k)));
    }
  }
  for (int k = 0; i + 4 <= n; i += 4, k++) {
    s[k] = wide_add(s[k], wide_mul(wide_load(a + i), wide_load(b + i)));
  }
  if (i < n) {
    int k = i % 32 / 4;
    s[k] = wide_add(s[k], wide_mul(ct_last_word_(a + i, n - i), ct_last_word_(b + i, n - i)));
  }
  return ct_fold_words_(s);
}

LANE_INLINE mjtNum ct_slot_sum_(const mjtNum* x, int n) {
  Wide s[8];
  for (int k = 0; k < 8; k++) s[k] = wide_all(0);
  int i = 0;
  for (; i + 32 <= n; i += 32) {
    for (int k = 0; k < 8; k++) s[k] = wide_add(s[k], wide_load(x + i + 4 * k));
  }
  for (int k = 0; i + 4 <= n; i += 4, k++) s[k] = wide_add(s[k], wide_load(x + i));
  if (i < n) s[i % 32 / 4] = wide_add(s[i % 32 / 4], ct_last_word_(x + i, n - i));
  return ct_fold_words_(s);
}
#endif

LANE_FN static inline mjtNum lane_dot(Lane g, const mjtNum* a, const mjtNum* b, int n) {
#ifndef __CUDACC__
  if (lane_count(g) == 1) return ct_slot_dot_(a, b, n);
#endif
  mjtNum sum;
  LANE_SUM(sum, i, g, n, a[i] * b[i]);
  return sum;
}

LANE_FN static inline mjtNum lane_sum_all(Lane g, const mjtNum* x, int n) {
#ifndef __CUDACC__
  if (lane_count(g) == 1) return ct_slot_sum_(x, n);
#endif
  mjtNum sum;
  LANE_SUM(sum, i, g, n, x[i]);
  return sum;
}

#endif  // CT_MATH_LANE_VEC_H_
