// Muscles: active force, passive force and activation dynamics, after Millard et al. (2013),
// simplified to piecewise quadratics.
//
//   prm     range[2], force, scale, lmin, lmax, vmax, fpmax, fvmax      (9 numbers)
//   length  is normalised so that lengthrange maps to range; 1 is the length of greatest force
//   velocity is normalised by vmax optimal lengths per second
//
// Forces pull, so gain and bias are negative. No denominator is smaller than mjMINVAL.

#ifndef CT_MATH_MUSCLE_H_
#define CT_MATH_MUSCLE_H_

#include "math/scalar.h"

typedef struct {
  mjtNum range0, range1, force, scale, lmin, lmax, vmax, fpmax, fvmax;
} ct_Muscle;

LANE_INLINE ct_Muscle ct_muscle(const mjtNum prm[9]) {
  ct_Muscle m;
  m.range0 = prm[0];
  m.range1 = prm[1];
  m.force = prm[2];
  m.scale = prm[3];
  m.lmin = prm[4];
  m.lmax = prm[5];
  m.vmax = prm[6];
  m.fpmax = prm[7];
  m.fvmax = prm[8];
  return m;
}

LANE_INLINE mjtNum ct_muscle_denominator(mjtNum x) {
  return ct_max(mjMINVAL, x);
}

// Greatest active force: given, or from the acceleration that unit force causes.
LANE_INLINE mjtNum ct_muscle_peak(ct_Muscle m, mjtNum acc0) {
  return m.force < 0 ? m.scale / ct_muscle_denominator(acc0) : m.force;
}

// Optimal length in units of the actuator's length.
LANE_INLINE mjtNum ct_muscle_optimal(ct_Muscle m, const mjtNum lengthrange[2]) {
  return (lengthrange[1] - lengthrange[0]) / ct_muscle_denominator(m.range1 - m.range0);
}

LANE_INLINE mjtNum ct_muscle_length(ct_Muscle m, mjtNum len, const mjtNum lengthrange[2]) {
  mjtNum optimal = ct_muscle_optimal(m, lengthrange);
  return m.range0 + (len - lengthrange[0]) / ct_muscle_denominator(optimal);
}

// Active force over length: a bump of height 1 at length 1 and support [lmin, lmax], four
// parabolas.
LANE_INLINE mjtNum ct_muscle_gain_length(mjtNum length, mjtNum lmin, mjtNum lmax) {
  if (!(length >= lmin && length <= lmax)) return 0;
  mjtNum a = (lmin + 1) / 2, b = (1 + lmax) / 2;
  if (length <= a) {
    mjtNum x = (length - lmin) / ct_muscle_denominator(a - lmin);
    return x * x / 2;
  }
  if (length <= 1) {
    mjtNum x = (1 - length) / ct_muscle_denominator(1 - a);
    return 1 - x * x / 2;
  }
  if (length <= b) {
    mjtNum x = (length - 1) / ct_muscle_denominator(b - 1);
    return 1 - x * x / 2;
  }
  mjtNum x = (lmax - length) / ct_muscle_denominator(lmax - b);
  return x * x / 2;
}

// Active force over velocity: 0 when shortening at vmax, 1 at rest, fvmax when lengthening.
LANE_INLINE mjtNum ct_muscle_gain_velocity(mjtNum velocity, mjtNum fvmax) {
  mjtNum y = fvmax - 1;
  if (velocity <= -1) return 0;
  if (velocity <= 0) return (velocity + 1) * (velocity + 1);
  if (velocity <= y) return fvmax - (y - velocity) * (y - velocity) / ct_muscle_denominator(y);
  return fvmax;
}

LANE_INLINE mjtNum ct_muscle_gain(mjtNum len, mjtNum vel, const mjtNum lengthrange[2], mjtNum acc0,
                                  const mjtNum prm[9]) {
  ct_Muscle m = ct_muscle(prm);
  mjtNum velocity = vel / ct_muscle_denominator(ct_muscle_optimal(m, lengthrange) * m.vmax);
  mjtNum over_length = ct_muscle_gain_length(ct_muscle_length(m, len, lengthrange), m.lmin, m.lmax);
  return -ct_muscle_peak(m, acc0) * over_length * ct_muscle_gain_velocity(velocity, m.fvmax);
}

// Slope of ct_muscle_gain_velocity.
LANE_INLINE mjtNum ct_muscle_gain_velocity_slope(mjtNum velocity, mjtNum fvmax) {
  mjtNum y = fvmax - 1;
  if (velocity <= -1) return 0;
  if (velocity <= 0) return 2 * velocity + 2;
  if (velocity <= y) return 2 * (y - velocity) / ct_muscle_denominator(y);
  return 0;
}

// How ct_muscle_gain changes with vel.
LANE_INLINE mjtNum ct_muscle_gain_slope(mjtNum len, mjtNum vel, const mjtNum lengthrange[2],
                                        mjtNum acc0, const mjtNum prm[9]) {
  ct_Muscle m = ct_muscle(prm);
  mjtNum unit = ct_muscle_denominator(ct_muscle_optimal(m, lengthrange) * m.vmax);
  mjtNum over_length = ct_muscle_gain_length(ct_muscle_length(m, len, lengthrange), m.lmin, m.lmax);
  mjtNum slope = ct_muscle_gain_velocity_slope(vel / unit, m.fvmax);
  return -ct_muscle_peak(m, acc0) * over_length * slope / unit;
}

// Passive force: none up to length 1, a parabola up to half way to lmax, then a line.
LANE_INLINE mjtNum ct_muscle_bias(mjtNum len, const mjtNum lengthrange[2], mjtNum acc0,
                                  const mjtNum prm[9]) {
  ct_Muscle m = ct_muscle(prm);
  mjtNum length = ct_muscle_length(m, len, lengthrange);
  mjtNum b = (1 + m.lmax) / 2;
  if (length <= 1) return 0;
  if (length <= b) {
    mjtNum x = (length - 1) / ct_muscle_denominator(b - 1);
    return -ct_muscle_peak(m, acc0) * m.fpmax * x * x / 2;
  }
  mjtNum x = (length - b) / ct_muscle_denominator(b - 1);
  return -ct_muscle_peak(m, acc0) * m.fpmax * ((mjtNum)0.5 + x);
}

// Time constant: tau_act when the control exceeds the activation, tau_deact when it is below,
// blended over a range of that difference if smoothing is given.
LANE_INLINE mjtNum ct_muscle_timescale(mjtNum excess, mjtNum tau_act, mjtNum tau_deact,
                                       mjtNum smoothing) {
  if (smoothing < mjMINVAL) return excess > 0 ? tau_act : tau_deact;
  return tau_deact + (tau_act - tau_deact) * ct_sigmoid(excess / smoothing + (mjtNum)0.5);
}

// Time derivative of the activation; prm: tau_act, tau_deact, smoothing width.
LANE_INLINE mjtNum ct_muscle_dynamics(mjtNum ctrl, mjtNum act, const mjtNum prm[3]) {
  mjtNum excess = ct_clip(ctrl, 0, 1) - act;
  mjtNum stretch = (mjtNum)0.5 + (mjtNum)1.5 * ct_clip(act, 0, 1);
  mjtNum tau = ct_muscle_timescale(excess, prm[0] * stretch, prm[1] / stretch, prm[2]);
  return excess / ct_muscle_denominator(tau);
}

#endif  // CT_MATH_MUSCLE_H_
