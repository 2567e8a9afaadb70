// Hill-type muscles (Zajac, Muscle and tendon, 1989; curves after Thelen, Adjustment of muscle
// mechanics model parameters to simulate dynamic contractions in older adults, 2003).
//
// Fibres of length l are attached to a tendon of fixed length s at the angle a. Muscles keep their
// thickness, so the height l sin a = l0 sin a0 of the fibres is constant, and with L the length of
// muscle and tendon together
//
//   l cos a = L - s,     l^2 = (L - s)^2 + (l0 sin a0)^2,     dl/dt = dL/dt cos a
//
// The force along the tendon is F cos a (activation FL(l) FV(dl/dt) + FP(l)): isometric force F,
// bell FL, Hill's hyperbola FV, exponential FP. A muscle shorter than its tendon is slack.

#ifndef CT_MATH_HILL_H_
#define CT_MATH_HILL_H_

#include "math/scalar.h"
#include "math/strict.h"

typedef struct {
  mjtNum force, fibre, slack, pennation, vmax, width, passive_strain, passive_shape, eccentric;
} ct_Hill;

LANE_INLINE mjtNum ct_hill_or(mjtNum x, mjtNum usual) {
  return x == 0 ? usual : x;
}

// The curves have usual values.
LANE_INLINE ct_Hill ct_hill(const mjtNum prm[10]) {
  ct_Hill h = {prm[0], prm[1], prm[2], prm[3], prm[4], 0, 0, 0, 0};
  h.width = ct_hill_or(prm[5], (mjtNum)0.45);
  h.passive_strain = ct_hill_or(prm[6], (mjtNum)0.6);
  h.passive_shape = ct_hill_or(prm[7], 4);
  h.eccentric = ct_hill_or(prm[8], (mjtNum)1.4);
  return h;
}

// Fibre length over its optimum, and cosine of the pennation angle: 0 for a slack muscle.
LANE_INLINE mjtNum ct_hill_length(ct_Hill h, mjtNum len, mjtNum* cosine) {
  mjtNum along = len - h.slack, height = h.fibre * ct_sin(h.pennation);
  mjtNum fibre = ct_sqrt(along * along + height * height);
  *cosine = along > 0 ? along / fibre : 0;
  return fibre / ct_max(mjMINVAL, h.fibre);
}

// Active force over length: 1 at length 1.
LANE_INLINE mjtNum ct_hill_active(ct_Hill h, mjtNum length) {
  return ct_exp(-(length - 1) * (length - 1) / ct_max(mjMINVAL, h.width));
}

// Force over velocity: 0 when shortening at vmax, 1 at rest, towards `eccentric` when lengthening.
// Both are hyperbolas with the same slope at rest.
LANE_INLINE mjtNum ct_hill_velocity(ct_Hill h, mjtNum velocity) {
  const mjtNum curvature = 4;  // Hill's F / a
  if (velocity <= -1) return 0;
  if (velocity <= 0) return (1 + velocity) / (1 - curvature * velocity);
  mjtNum steepness = (1 + curvature) / ct_max(mjMINVAL, h.eccentric - 1);
  return (1 + h.eccentric * steepness * velocity) / (1 + steepness * velocity);
}

// Its derivative.
LANE_INLINE mjtNum ct_hill_velocity_slope(ct_Hill h, mjtNum velocity) {
  const mjtNum curvature = 4;
  if (velocity <= -1) return 0;
  if (velocity <= 0) {
    mjtNum below = 1 - curvature * velocity;
    return (1 + curvature) / (below * below);
  }
  mjtNum steepness = (1 + curvature) / ct_max(mjMINVAL, h.eccentric - 1);
  mjtNum below = 1 + steepness * velocity;
  return steepness * (h.eccentric - 1) / (below * below);
}

// Passive force: none up to length 1, 1 at the strain given.
LANE_INLINE mjtNum ct_hill_passive(ct_Hill h, mjtNum length) {
  if (length <= 1) return 0;
  mjtNum strain = (length - 1) / ct_max(mjMINVAL, h.passive_strain);
  return (ct_exp(h.passive_shape * strain) - 1) / (ct_exp(h.passive_shape) - 1);
}

LANE_INLINE mjtNum ct_hill_gain_of(mjtNum len, mjtNum vel, const mjtNum prm[10]) {
  ct_Hill h = ct_hill(prm);
  mjtNum cosine, length = ct_hill_length(h, len, &cosine);
  mjtNum velocity = vel * cosine / ct_max(mjMINVAL, h.fibre * h.vmax);
  return -h.force * cosine * ct_hill_active(h, length) * ct_hill_velocity(h, velocity);
}

// How the gain changes with vel.
LANE_INLINE mjtNum ct_hill_gain_slope(mjtNum len, mjtNum vel, const mjtNum prm[10]) {
  ct_Hill h = ct_hill(prm);
  mjtNum cosine, length = ct_hill_length(h, len, &cosine);
  mjtNum scale = cosine / ct_max(mjMINVAL, h.fibre * h.vmax);
  return -h.force * cosine * ct_hill_active(h, length) * ct_hill_velocity_slope(h, vel * scale) *
         scale;
}

LANE_INLINE mjtNum ct_hill_bias_of(mjtNum len, const mjtNum prm[10]) {
  ct_Hill h = ct_hill(prm);
  mjtNum cosine, length = ct_hill_length(h, len, &cosine);
  return -h.force * cosine * ct_hill_passive(h, length);
}

#endif  // CT_MATH_HILL_H_
