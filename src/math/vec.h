// Vectors of 3, 4 and n numbers, for lane code and the public mju_ functions alike.
//
// Every function is the work of one lane; a vector shared by the lanes of a group is better served
// by a lane loop of its own. The output comes first. It may be the same array as an input of the
// same size unless the function says otherwise; arrays that overlap only partly are never allowed.
//
// The order of every sum is part of the contract, in every build but the fast one: ct_dot has four
// partial sums over index mod 4, all others add from left to right.

#ifndef CT_MATH_VEC_H_
#define CT_MATH_VEC_H_

#include <mujoco/mjtnum.h>
#include <stddef.h>
#include <string.h>

#include "base/lanes.h"
#include "math/scalar.h"

// Three numbers

LANE_INLINE void ct_zero3(mjtNum res[3]) {
  res[0] = lane_num(0);
  res[1] = lane_num(0);
  res[2] = lane_num(0);
}

LANE_INLINE void ct_copy3(mjtNum res[3], const mjtNum v[3]) {
  res[0] = v[0];
  res[1] = v[1];
  res[2] = v[2];
}

LANE_INLINE void ct_scl3(mjtNum res[3], const mjtNum v[3], mjtNum s) {
  res[0] = v[0] * s;
  res[1] = v[1] * s;
  res[2] = v[2] * s;
}

LANE_INLINE void ct_add3(mjtNum res[3], const mjtNum a[3], const mjtNum b[3]) {
  res[0] = a[0] + b[0];
  res[1] = a[1] + b[1];
  res[2] = a[2] + b[2];
}

LANE_INLINE void ct_sub3(mjtNum res[3], const mjtNum a[3], const mjtNum b[3]) {
  res[0] = a[0] - b[0];
  res[1] = a[1] - b[1];
  res[2] = a[2] - b[2];
}

LANE_INLINE void ct_add_to3(mjtNum res[3], const mjtNum v[3]) {
  ct_add3(res, res, v);
}

LANE_INLINE void ct_sub_from3(mjtNum res[3], const mjtNum v[3]) {
  ct_sub3(res, res, v);
}

// res = a + s b
LANE_INLINE void ct_add_scl3(mjtNum res[3], const mjtNum a[3], const mjtNum b[3], mjtNum s) {
  res[0] = a[0] + b[0] * s;
  res[1] = a[1] + b[1] * s;
  res[2] = a[2] + b[2] * s;
}

LANE_INLINE void ct_add_to_scl3(mjtNum res[3], const mjtNum v[3], mjtNum s) {
  ct_add_scl3(res, res, v, s);
}

LANE_INLINE mjtNum ct_dot3(const mjtNum a[3], const mjtNum b[3]) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

#if LANE_WIDTH > 1
// Two numbers as half a word, on the CPU: of neighbours, or of the same place in two vectors.
typedef mjtNum Two __attribute__((vector_size(2 * sizeof(mjtNum))));
typedef mjtNum TwoUnaligned_
    __attribute__((vector_size(2 * sizeof(mjtNum)), aligned(sizeof(mjtNum)), may_alias));
LANE_INLINE Two two_load(const mjtNum* from) {
  return *(const TwoUnaligned_*)from;
}
LANE_INLINE void two_store(mjtNum* to, Two x) {
  *(TwoUnaligned_*)to = x;
}
LANE_INLINE Two two_all(mjtNum x) {
  Two all = {x, x};
  return all;
}
LANE_INLINE Two two_of(mjtNum a, mjtNum b) {
  Two both = {a, b};
  return both;
}
LANE_INLINE void two_store_apart(mjtNum* a, mjtNum* b, Two x) {
  *a = x[0];
  *b = x[1];
}

// Four roots as a word, on the CPU.
LANE_INLINE Wide wide_sqrt(Wide x) {
  Wide root = {ct_sqrt(x[0]), ct_sqrt(x[1]), ct_sqrt(x[2]), ct_sqrt(x[3])};
  return root;
}
#endif

LANE_INLINE mjtNum ct_norm3(const mjtNum v[3]) {
  return ct_sqrt(ct_dot3(v, v));
}

LANE_INLINE mjtNum ct_dist3(const mjtNum a[3], const mjtNum b[3]) {
  mjtNum d[3];
  ct_sub3(d, a, b);
  return ct_norm3(d);
}

// res = a x b; res may be a or b.
LANE_INLINE void ct_cross(mjtNum res[3], const mjtNum a[3], const mjtNum b[3]) {
  mjtNum x = a[1] * b[2] - a[2] * b[1];
  mjtNum y = a[2] * b[0] - a[0] * b[2];
  mjtNum z = a[0] * b[1] - a[1] * b[0];
  res[0] = x;
  res[1] = y;
  res[2] = z;
}

#ifndef CT_SIDE_BY_SIDE
// Scales v to length 1 and returns the old length; a vector shorter than mjMINVAL becomes the x
// axis.
LANE_INLINE mjtNum ct_normalize3(mjtNum v[3]) {
  mjtNum length = ct_norm3(v);
  if (length < mjMINVAL) {
    v[0] = 1;
    v[1] = 0;
    v[2] = 0;
  } else {
    ct_scl3(v, v, 1 / length);
  }
  return length;
}
#endif

// Four numbers

LANE_INLINE void ct_zero4(mjtNum res[4]) {
  ct_zero3(res);
  res[3] = lane_num(0);
}

LANE_INLINE void ct_unit4(mjtNum res[4]) {
  ct_zero4(res);
  res[0] = lane_num(1);
}

LANE_INLINE void ct_copy4(mjtNum res[4], const mjtNum v[4]) {
  ct_copy3(res, v);
  res[3] = v[3];
}

// Squares whose square root is within mjMINVAL of 1: exactly these, because the root is rounded
// correctly and grows with the square.
#ifdef mjUSESINGLE
#define CT_UNIT_SQUARE_LOW 1
#define CT_UNIT_SQUARE_HIGH 0x1.000002p+0f
#else
#define CT_UNIT_SQUARE_LOW 0x1.fffffffffffeep-1
#define CT_UNIT_SQUARE_HIGH 0x1.0000000000009p+0
#endif

// As ct_normalize3, with (1,0,0,0) for short vectors. A length within mjMINVAL of 1 leaves v as it
// is, bit for bit, so that a unit quaternion survives being normalised in every step; so does a
// length that is not a number. That is asked of the square: a chain of bodies would otherwise wait
// for one root after the other.
LANE_INLINE mjtNum ct_normalize4(mjtNum v[4]) {
  mjtNum square = v[0] * v[0] + v[1] * v[1] + v[2] * v[2] + v[3] * v[3];
#ifdef CT_SIDE_BY_SIDE
  ct_FourMask other = (square < CT_UNIT_SQUARE_LOW) | (square > CT_UNIT_SQUARE_HIGH);
  mjtNum length = ct_sqrt(square);
  if (!four_any(other)) return length;
  ct_FourMask small = length < mjMINVAL, scaled = other & ~small;
  mjtNum s = 1 / length;
  for (int k = 0; k < 4; k++) {
    mjtNum unit = lane_num(k == 0 ? 1 : 0);
    v[k] = four_select(small, unit, four_select(scaled, v[k] * s, v[k]));
  }
#else
  if (square >= CT_UNIT_SQUARE_LOW && square <= CT_UNIT_SQUARE_HIGH) return ct_sqrt(square);
  mjtNum length = ct_sqrt(square);
  if (length < mjMINVAL) {
    ct_unit4(v);
  } else if (length >= mjMINVAL) {
    mjtNum s = 1 / length;
    ct_scl3(v, v, s);
    v[3] *= s;
  }
#endif
  return length;
}

// n numbers

#ifndef CT_SIDE_BY_SIDE
// Does any of the numbers have a bit set? All are looked at, because that goes by the word; -0
// counts.
LANE_INLINE int ct_any_bit(const mjtNum* x, int n) {
  unsigned long long any = 0;
  for (int i = 0; i < n; i++) {
    unsigned long long word = 0;
    memcpy(&word, x + i, sizeof(mjtNum));
    any |= word;
  }
  return any != 0;
}

// Are these three numbers 0 or -0? Their bits are asked, in one question instead of three.
LANE_INLINE bool ct_is_zero3(const mjtNum v[3]) {
  unsigned long long any = 0;
  for (int k = 0; k < 3; k++) {
    unsigned long long word = 0;
    memcpy(&word, v + k, sizeof(mjtNum));
    any |= word;
  }
  return any << (65 - 8 * sizeof(mjtNum)) == 0;  // without the sign
}

// Is any of the numbers not zero?
LANE_INLINE bool ct_any_nonzero(const mjtNum* x, int n) {
  bool any = false;
  for (int i = 0; i < n; i++) any = any || x[i] != 0;
  return any;
}
#endif

// `wide_` for whole words of LANE_WIDTH neighbours, `plain_` for the numbers that remain; both give
// the same bits. Compilers vectorise a plain loop too, but guard it against overlap at every call,
// which costs more than the short vectors of a simulation.
#if LANE_WIDTH == 1
#define CT_EACH(i_, n_, wide_, plain_) \
  for (int i_ = 0; i_ < (n_); i_++) {  \
    plain_;                            \
  }
#else
#define CT_EACH(i_, n_, wide_, plain_)              \
  ptrdiff_t i_ = 0;                                 \
  while (i_ <= (n_)-4 * LANE_WIDTH) {               \
    wide_;                                          \
    i_ += LANE_WIDTH;                               \
    wide_;                                          \
    i_ += LANE_WIDTH;                               \
    wide_;                                          \
    i_ += LANE_WIDTH;                               \
    wide_;                                          \
    i_ += LANE_WIDTH;                               \
  }                                                 \
  for (; i_ <= (n_)-LANE_WIDTH; i_ += LANE_WIDTH) { \
    wide_;                                          \
  }                                                 \
  if (i_ < (n_)) {                                  \
    plain_;                                         \
    if (++i_ < (n_)) {                              \
      plain_;                                       \
      if (++i_ < (n_)) {                            \
        plain_;                                     \
      }                                             \
    }                                               \
  }
#endif

LANE_INLINE void ct_zero(mjtNum* res, int n){
    CT_EACH(i, n, wide_store(res + i, wide_all(lane_num(0))), res[i] = lane_num(0))}

LANE_INLINE void ct_fill(mjtNum* res, mjtNum value,
                         int n){CT_EACH(i, n, wide_store(res + i, wide_all(value)), res[i] = value)}

LANE_INLINE void ct_copy(mjtNum* res, const mjtNum* v,
                         int n){CT_EACH(i, n, wide_store(res + i, wide_load(v + i)), res[i] = v[i])}
#ifndef CT_SIDE_BY_SIDE
LANE_INLINE mjtNum ct_sum(const mjtNum* v, int n) {
  mjtNum sum = 0;
  for (int i = 0; i < n; i++) {
    sum += v[i];
  }
  return sum;
}

// Sum of absolute values.
LANE_INLINE mjtNum ct_l1(const mjtNum* v, int n) {
  mjtNum sum = 0;
  for (int i = 0; i < n; i++) {
    sum += ct_abs(v[i]);
  }
  return sum;
}
#endif

LANE_INLINE void ct_scl(mjtNum* res, const mjtNum* v, mjtNum s, int n){
    CT_EACH(i, n, wide_store(res + i, wide_mul(wide_load(v + i), wide_all(s))), res[i] = v[i] * s)}

LANE_INLINE void ct_add(mjtNum* res, const mjtNum* a, const mjtNum* b, int n){
    CT_EACH(i, n, wide_store(res + i, wide_add(wide_load(a + i), wide_load(b + i))),
            res[i] = a[i] + b[i])}

LANE_INLINE void ct_sub(mjtNum* res, const mjtNum* a, const mjtNum* b, int n){
    CT_EACH(i, n, wide_store(res + i, wide_sub(wide_load(a + i), wide_load(b + i))),
            res[i] = a[i] - b[i])}

LANE_INLINE void ct_add_to(mjtNum* res, const mjtNum* v, int n) {
  ct_add(res, res, v, n);
}

LANE_INLINE void ct_sub_from(mjtNum* res, const mjtNum* v, int n) {
  ct_sub(res, res, v, n);
}

// res = a + s b
LANE_INLINE void ct_add_scl(mjtNum* res, const mjtNum* a, const mjtNum* b, mjtNum s, int n){CT_EACH(
    i, n, wide_store(res + i, wide_add(wide_load(a + i), wide_mul(wide_load(b + i), wide_all(s)))),
    res[i] = a[i] + b[i] * s)}

LANE_INLINE void ct_add_to_scl(mjtNum* res, const mjtNum* v, mjtNum s, int n) {
  ct_add_scl(res, res, v, s, n);
}

// a . b for n <= 3, from left to right; 0 for n = 0.
LANE_INLINE mjtNum ct_dot_short(const mjtNum* a, const mjtNum* b, int n) {
  switch (n) {
    case 3:
      return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    case 2:
      return a[0] * b[0] + a[1] * b[1];
    case 1:
      return a[0] * b[0];
    default:
      return lane_num(0);
  }
}

// Four partial sums over index mod 4, combined as (s0 + s2) + (s1 + s3), plus the sum of the last n
// mod 4 products. The partial sums start with a product, not with 0, so that a sum of negative
// zeros stays -0.
LANE_INLINE mjtNum ct_dot(const mjtNum* a, const mjtNum* b, int n) {
  if (n < 4) {
    return 0 + ct_dot_short(a, b, n);
  }
  int i = 4;
#if LANE_WIDTH == 1
  mjtNum s[4] = {a[0] * b[0], a[1] * b[1], a[2] * b[2], a[3] * b[3]};
  for (; i <= n - 4; i += 4) {
    s[0] += a[i] * b[i];
    s[1] += a[i + 1] * b[i + 1];
    s[2] += a[i + 2] * b[i + 2];
    s[3] += a[i + 3] * b[i + 3];
  }
#else
  Wide s = wide_mul(wide_load(a), wide_load(b));
  for (; i <= n - 16; i += 16) {
    for (int k = i; k < i + 16; k += 4) {
      s = wide_add(s, wide_mul(wide_load(a + k), wide_load(b + k)));
    }
  }
  for (; i <= n - 4; i += 4) {
    s = wide_add(s, wide_mul(wide_load(a + i), wide_load(b + i)));
  }
#endif
  mjtNum head = (s[0] + s[2]) + (s[1] + s[3]);
  return i < n ? head + ct_dot_short(a + i, b + i, n - i) : head;
}

LANE_INLINE mjtNum ct_norm(const mjtNum* v, int n) {
  return ct_sqrt(ct_dot(v, v, n));
}

#ifndef CT_SIDE_BY_SIDE
// As ct_normalize3; a short vector becomes the first axis. n must be at least 1.
LANE_INLINE mjtNum ct_normalize(mjtNum* v, int n) {
  mjtNum length = ct_norm(v, n);
  if (length < mjMINVAL) {
    ct_zero(v, n);
    v[0] = 1;
  } else {
    ct_scl(v, v, 1 / length, n);
  }
  return length;
}
#endif

#endif  // CT_MATH_VEC_H_
