// Four muscles at a time, on the CPU: the operations of muscle.h in the same order, so every place
// has the bits that the scalar functions give. Where these ask which piece of a curve they are on,
// the numerator and the denominator of that piece are selected, and divided once.

#ifndef CT_MATH_WIDE_MUSCLE_H_
#define CT_MATH_WIDE_MUSCLE_H_

#include "math/muscle.h"
#include "math/wide_spatial.h"

#if LANE_WIDTH > 1

// What ct_Muscle has in common for gain and bias.
typedef struct WideMuscle_ {
  Wide range0, range1, force, scale;
} WideMuscle;

LANE_INLINE WideMuscle wide_muscle(const mjtNum* prm, int stride) {
  Wide x[4];
  wide_gather_rows(x, prm, stride, 4);
  WideMuscle m = {x[0], x[1], x[2], x[3]};
  return m;
}

LANE_INLINE bool wide_same_muscle(const WideMuscle* a, const WideMuscle* b) {
  WideMask same = (a->range0 == b->range0) & (a->range1 == b->range1) & (a->force == b->force) &
                  (a->scale == b->scale);
  return wide_bits(same) == 15;
}

LANE_INLINE Wide wide_select(WideMask mask, Wide yes, Wide no) {
  return wide_choose(mask, yes, ~mask, no);
}

LANE_INLINE Wide wide_denominator(Wide x) {
  return wide_larger(wide_all(mjMINVAL), x);
}

LANE_INLINE Wide wide_muscle_optimal(const WideMuscle* m, Wide lower, Wide upper) {
  return (upper - lower) / wide_denominator(m->range1 - m->range0);
}

LANE_INLINE Wide wide_muscle_length(const WideMuscle* m, Wide len, Wide lower, Wide optimal) {
  return m->range0 + (len - lower) / wide_denominator(optimal);
}

LANE_INLINE Wide wide_muscle_peak(const WideMuscle* m, const mjtNum* acc0) {
  WideMask scaled = m->force < wide_all(0);
  if (!wide_bits(scaled)) return m->force;
  return wide_select(scaled, m->scale / wide_denominator(wide_load(acc0)), m->force);
}

LANE_INLINE Wide wide_muscle_gain_length(Wide length, Wide lmin, Wide lmax) {
  const Wide one = wide_all(1), half = wide_all((mjtNum)0.5);
  Wide a = (lmin + one) * half, b = (one + lmax) * half;
  WideMask first = length <= a, second = ~first & (length <= one);
  WideMask fourth = ~(first | second) & ~(length <= b), inside = second | ~(first | fourth);
  Wide above = wide_select(second, one - length, length - one);
  Wide below = wide_select(second, one - a, b - one);
  above = wide_select(first, length - lmin, wide_select(fourth, lmax - length, above));
  below = wide_select(first, a - lmin, wide_select(fourth, lmax - b, below));
  Wide x = above / wide_denominator(below), foot = x * x * half;
  Wide bump = wide_select(inside, one - foot, foot);
  return (Wide)((length >= lmin) & (length <= lmax) & (WideMask)bump);
}

LANE_INLINE Wide wide_muscle_gain_velocity(Wide velocity, Wide fvmax) {
  const Wide one = wide_all(1);
  Wide y = fvmax - one, up = velocity + one, left = y - velocity;
  Wide lengthening = fvmax - left * left / wide_denominator(y);
  Wide v = wide_select(velocity <= y, lengthening, fvmax);
  v = wide_select(velocity <= wide_all(0), up * up, v);
  return (Wide)(~(velocity <= -one) & (WideMask)v);
}

// peak: of ct_muscle_peak. lmax, fpmax: numbers 5 and 7 of a muscle.
LANE_INLINE Wide wide_muscle_bias(Wide length, Wide peak, Wide lmax, Wide fpmax) {
  const Wide one = wide_all(1), half = wide_all((mjtNum)0.5);
  WideMask slack = length <= one;
  if (wide_bits(slack) == 15) return wide_all(0);
  Wide b = (one + lmax) * half, most = -peak * fpmax;
  WideMask parabola = length <= b;
  Wide x = (length - wide_select(parabola, one, b)) / wide_denominator(b - one);
  Wide force = wide_select(parabola, most * x * x * half, most * (half + x));
  return (Wide)(~slack & (WideMask)force);
}

// Without smoothing; tau_act, tau_deact: numbers 0 and 1 of the dynamics.
LANE_INLINE Wide wide_muscle_dynamics(Wide ctrl, Wide act, Wide tau_act, Wide tau_deact) {
  const Wide one = wide_all(1), zero = wide_all(0);
  Wide excess = wide_smaller(one, wide_larger(zero, ctrl)) - act;
  Wide stretch =
      wide_all((mjtNum)0.5) + wide_all((mjtNum)1.5) * wide_smaller(one, wide_larger(zero, act));
  Wide tau = wide_select(excess > zero, tau_act * stretch, tau_deact / stretch);
  return excess / wide_denominator(tau);
}

#endif

#endif  // CT_MATH_WIDE_MUSCLE_H_
