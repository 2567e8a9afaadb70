// Vectors that all lanes of a group work on together. Every lane calls with the same arguments; the
// result is visible to other lanes after the next lane_sync. Each element is computed alone, so any
// number of lanes gives the same bits.

#ifndef CT_MATH_LANE_VEC_H_
#define CT_MATH_LANE_VEC_H_

#include <stddef.h>
#include <string.h>

#include <mujoco/mujoco.h>

#include "base/lanes.h"
#include "math/mat.h"

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

LANE_FN static inline void lane_copy_int(Lane g, int* y, const int* x, mjtSize n) {
  if (lane_count(g) == 1) {
    if (n > 0) memcpy(y, x, (size_t)n * sizeof(int));
    return;
  }
  LANE_FOR(i, g, n) {
    y[i] = x[i];
  }
}

// x[0..n) = 0
LANE_FN static inline void lane_set_zero(Lane g, mjtNum* x, mjtSize n) {
  if (lane_count(g) == 1) {
    if (n > 0) memset(x, 0, (size_t)n * sizeof(mjtNum));
    return;
  }
  LANE_WIDE(i, g, n) {
    wide_store(x + i, wide_all(lane_num(0)));
  }
  LANE_WIDE_REST(i, g, n) {
    x[i] = lane_num(0);
  }
}

#ifndef CT_SIDE_BY_SIDE

// Sums over all elements, the same on all lanes, with the bits of LANE_SUM: 32 slots, folded by
// halves. What is summed must be visible to all lanes. On one lane slots are wide words.
#ifndef __CUDACC__
// The last words of a sum have no partner yet: with eight of them all have.
LANE_INLINE Wide ct_fold_to_word_(const Wide s[8], int words) {
  Wide a = s[0];
  if (words == 1) return a;
  Wide b = s[1];
  if (words > 4) a = wide_add(a, s[4]);
  if (words > 5) b = wide_add(b, s[5]);
  if (words > 2) a = wide_add(a, words > 6 ? wide_add(s[2], s[6]) : s[2]);
  if (words > 3) b = wide_add(b, words > 7 ? wide_add(s[3], s[7]) : s[3]);
  return wide_add(a, b);
}

LANE_INLINE mjtNum ct_fold_words_(const Wide s[8], int words) {
  Wide sum = ct_fold_to_word_(s, words);
  return (sum[0] + sum[2]) + (sum[1] + sum[3]);
}

// The last n mod 4 numbers as a word. Of a loop compilers make a string move through memory. Each
// number is loaded alone, because it may have just been stored alone: a wider load would wait.
LANE_INLINE Wide ct_last_word_(const mjtNum* x, int n) {
  mjtNum second = 0, third = 0;
  if (n > 1) second = x[1];
  if (n > 2) third = x[2];
  Wide last = {x[0], second, third, 0};
  return last;
}

// A word of products. Slots start at 0, which makes +0 of a -0.
LANE_INLINE Wide ct_slot_word_(const mjtNum* a, const mjtNum* b) {
  return wide_add(wide_all(0), wide_mul(wide_load(a), wide_load(b)));
}

LANE_INLINE Wide ct_slot_sum_word_(const mjtNum* a, const mjtNum* b, int n) {
  Wide s[8];
  int whole = n / 4, words = (n + 3) / 4, first = words < 8 ? words : 8;
  if (n <= 0) return wide_all(0);
  s[0] = s[1] = wide_all(0);  // for the compiler
  for (int w = 0; w < whole && w < 8; w++) s[w] = ct_slot_word_(a + 4 * w, b + 4 * w);
  for (int w = 8; w < whole; w++) {
    s[w % 8] = wide_add(s[w % 8], ct_slot_word_(a + 4 * w, b + 4 * w));
  }
  if (whole < words) {
    Wide x = ct_last_word_(a + 4 * whole, n % 4), y = ct_last_word_(b + 4 * whole, n % 4);
    Wide last = wide_add(wide_all(0), wide_mul(x, y));
    s[whole % 8] = whole < 8 ? last : wide_add(s[whole % 8], last);
  }
  return ct_fold_to_word_(s, first);
}

// (a - b)' (c - e)
LANE_INLINE mjtNum ct_slot_sum_of_differences(const mjtNum* a, const mjtNum* b, const mjtNum* c,
                                              const mjtNum* e, int n) {
  Wide s[8];
  int words = (n + 3) / 4, first = words < 8 ? words : 8;
  s[0] = s[1] = wide_all(0);
  for (int w = 0; w < words; w++) {
    int i = 4 * w, rest = n - i;
    Wide before = w < 8 ? wide_all(0) : s[w % 8], x, y;
    if (rest >= 4) {
      x = wide_sub(wide_load(a + i), wide_load(b + i));
      y = wide_sub(wide_load(c + i), wide_load(e + i));
    } else {
      x = wide_sub(ct_last_word_(a + i, rest), ct_last_word_(b + i, rest));
      y = wide_sub(ct_last_word_(c + i, rest), ct_last_word_(e + i, rest));
    }
    s[w % 8] = wide_add(before, wide_mul(x, y));
  }
  return ct_fold_words_(s, first);
}

LANE_INLINE mjtNum ct_slot_sum_(const mjtNum* a, const mjtNum* b, int n) {
  Wide sum = ct_slot_sum_word_(a, b, n);
  return (sum[0] + sum[2]) + (sum[1] + sum[3]);
}
#endif

LANE_FN static inline mjtNum lane_dot(Lane g, const mjtNum* a, const mjtNum* b, int n) {
#ifndef __CUDACC__
  if (lane_count(g) == 1) return ct_slot_sum_(a, b, n);
#endif
  mjtNum sum;
  LANE_SUM(sum, i, g, n, a[i] * b[i]);
  return sum;
}

// Three such products over the same elements: res[k] = a[k] . b[k]; two, if a2 is NULL. Several
// lanes exchange the sums together.
LANE_FN static inline void lane_dot_three(Lane g, mjtNum res[3], const mjtNum* a0, const mjtNum* b0,
                                          const mjtNum* a1, const mjtNum* b1, const mjtNum* a2,
                                          const mjtNum* b2, int n) {
#ifndef __CUDACC__
  if (lane_count(g) == 1) {
    Wide first = ct_slot_sum_word_(a0, b0, n), second = ct_slot_sum_word_(a1, b1, n);
    Wide third = a2 ? ct_slot_sum_word_(a2, b2, n) : wide_all(0);
    Wide sums = ct_fold_four(first, second, third, wide_all(0));
    for (int k = 0; k < 3; k++) res[k] = sums[k];
    return;
  }
#endif
  LaneSums sums = lane_no_sums(g);
  LANE_SUMS_FOR(i, g, n) {
    bool in = i < n;
    lane_sums_add(&sums, in ? a0[i] * b0[i] : 0, in ? a1[i] * b1[i] : 0,
                  in && a2 ? a2[i] * b2[i] : 0);
  }
  lane_sums_fold(g, &sums);
  for (int k = 0; k < 3; k++) res[k] = sums.of[k];
}

#endif

#endif  // CT_MATH_LANE_VEC_H_
