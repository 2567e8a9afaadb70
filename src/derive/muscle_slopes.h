// How gain and bias of muscles change with length and velocity; second derivatives where implicit
// integrators need them.

#ifndef CT_DERIVE_MUSCLE_SLOPES_H_
#define CT_DERIVE_MUSCLE_SLOPES_H_

#include <mujoco/mujoco.h>

#include "math/muscle.h"

// Of ct_muscle_gain_length, by the normalised length.
LANE_INLINE mjtNum ct_muscle_length_slope(const ct_Muscle* u, mjtNum length) {
  mjtNum a = (u->lmin + 1) / 2, b = (1 + u->lmax) / 2;
  if (!(length >= u->lmin && length <= u->lmax)) return 0;
  mjtNum width = length <= a   ? a - u->lmin
                 : length <= 1 ? 1 - a
                 : length <= b ? b - 1
                               : u->lmax - b;
  mjtNum from = length <= a ? length - u->lmin : length <= b ? 1 - length : length - u->lmax;
  width = ct_muscle_denominator(width);
  return from / (width * width);
}

// Of ct_muscle_gain_velocity_slope, by the normalised velocity.
LANE_INLINE mjtNum ct_muscle_velocity_bend(mjtNum velocity, mjtNum fvmax) {
  mjtNum y = fvmax - 1;
  if (velocity <= -1 || velocity > y) return 0;
  return velocity <= 0 ? 2 : -2 / ct_muscle_denominator(y);
}

// The muscle of actuator i, with its peak force, units, and where it is.
typedef struct ct_MuscleNow_ {
  ct_Muscle u;
  mjtNum peak, length_unit, speed_unit;
  mjtNum length, speed;  // normalised
} ct_MuscleNow;

LANE_INLINE ct_MuscleNow ct_muscle_now(const mjModel* m, const mjData* d, int i,
                                       const mjtNum* prm) {
  const mjtNum* range = m->actuator_lengthrange + 2 * i;
  ct_MuscleNow now;
  now.u = ct_muscle(prm);
  mjtNum optimal = ct_muscle_optimal(now.u, range);
  now.peak = ct_muscle_peak(now.u, m->actuator_acc0[i]);
  now.length_unit = ct_muscle_denominator(optimal);
  now.speed_unit = ct_muscle_denominator(optimal * now.u.vmax);
  now.length = ct_muscle_length(now.u, d->actuator_length[i], range);
  now.speed = d->actuator_velocity[i] / now.speed_unit;
  return now;
}

LANE_INLINE mjtNum ct_muscle_gain_by_length(const mjModel* m, const mjData* d, int i) {
  ct_MuscleNow now = ct_muscle_now(m, d, i, m->actuator_gainprm + mjNGAIN * i);
  return -now.peak * ct_muscle_length_slope(&now.u, now.length) *
         ct_muscle_gain_velocity(now.speed, now.u.fvmax) / now.length_unit;
}

// How the slope of the gain by velocity changes with length and velocity.
LANE_INLINE void ct_muscle_gain_bends(const mjModel* m, const mjData* d, int i, mjtNum* by_length,
                                      mjtNum* by_speed) {
  ct_MuscleNow now = ct_muscle_now(m, d, i, m->actuator_gainprm + mjNGAIN * i);
  mjtNum scale = -now.peak / now.speed_unit;
  *by_length = scale * ct_muscle_length_slope(&now.u, now.length) / now.length_unit *
               ct_muscle_gain_velocity_slope(now.speed, now.u.fvmax);
  *by_speed = scale * ct_muscle_gain_length(now.length, now.u.lmin, now.u.lmax) *
              ct_muscle_velocity_bend(now.speed, now.u.fvmax) / now.speed_unit;
}

LANE_INLINE mjtNum ct_muscle_bias_by_length(const mjModel* m, const mjData* d, int i) {
  ct_MuscleNow now = ct_muscle_now(m, d, i, m->actuator_biasprm + mjNBIAS * i);
  mjtNum b = (1 + now.u.lmax) / 2, unit = ct_muscle_denominator(b - 1);
  if (now.length <= 1) return 0;
  mjtNum x = now.length <= b ? (now.length - 1) / unit : 1;
  return -now.peak * now.u.fpmax * x / unit / now.length_unit;
}

#endif  // CT_DERIVE_MUSCLE_SLOPES_H_
