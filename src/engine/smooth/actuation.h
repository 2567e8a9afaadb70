// Actuation: from controls to activations, forces of actuators and forces on the dofs.

#ifndef CT_ENGINE_SMOOTH_ACTUATION_H_
#define CT_ENGINE_SMOOTH_ACTUATION_H_

#include <stdbool.h>

#include <corten/muscle.h>
#include <mujoco/mujoco.h>

#include "base/failure.h"
#include "base/lanes.h"
#include "base/model/awake.h"
#include "base/model/options.h"
#include "math/hill.h"
#include "math/muscle.h"
#include "math/strict.h"

// The whole stage, without callbacks and plugins. CT_BAD_CONTROL: controls are taken for 0, because
// one is not a sensible number. See actuation.c.
LANE_FN int ct_actuation(Lane g, const mjModel* m, mjData* d);

// Its parts, in this order; the host puts callbacks and plugins between them.

// Clears actuator_force. False if there is nothing to do; qfrc_actuator is cleared then.
LANE_FN bool ct_actuation_starts(Lane g, const mjModel* m, mjData* d);

// The first actuator whose control is not a sensible number; -1: none. With such a one, `silent` is
// true below, and all controls count as 0.
LANE_FN int ct_bad_control(Lane g, const mjModel* m, const mjData* d);

// act_dot, except where only a callback knows it.
LANE_FN void ct_activation_rates(Lane g, const mjModel* m, mjData* d, bool silent);

// actuator_force without limits; user gains count as 1 and user biases as 0.
LANE_FN void ct_actuator_forces(Lane g, const mjModel* m, mjData* d, bool silent);

// All of the above in one pass. Returns what ct_bad_control does.
LANE_FN int ct_activate(Lane g, const mjModel* m, mjData* d);

// Limits the forces by tendon and by actuator, and makes qfrc_actuator of them and of what gravity
// compensation leaves to actuators. bad: what ct_bad_control said; it is counted as a warning, and
// CT_BAD_CONTROL is returned.
LANE_FN int ct_finish_actuation(Lane g, const mjModel* m, mjData* d, int bad);

// Is the actuator in a group that is switched off? Groups beyond 30 cannot be.
LANE_INLINE bool ct_actuator_disabled(const mjModel* m, int i) {
  if (m->opt.disableactuator == 0) return false;
  int group = m->actuator_group[i];
  return group >= 0 && group <= 30 && (m->opt.disableactuator & (1 << group));
}

// Does the engine compute the force of this actuator: is it enabled, awake and no plugin? filter:
// some are asleep.
LANE_INLINE bool ct_actuator_computed(const mjModel* m, const mjData* d, int i, bool filter) {
  return !ct_actuator_disabled(m, i) && !(m->nplugin > 0 && m->actuator_plugin[i] >= 0) &&
         !(filter && ct_actuator_asleep(m, d, i));
}

// The control that was given actuator_delay ago.
LANE_FN mjtNum ct_delayed_control(const mjModel* m, const mjData* d, int i);

// What the actuator sees of its control, after delay and limits.
LANE_FN static inline mjtNum ct_control(const mjModel* m, const mjData* d, int i) {
  bool delayed = ct_has_history(m) && m->actuator_delay[i] != 0;
  mjtNum control = delayed ? ct_delayed_control(m, d, i) : d->ctrl[i];
  if (!m->actuator_ctrllimited[i] || (m->opt.disableflags & mjDSBL_CLAMPCTRL)) return control;
  return ct_clip(control, m->actuator_ctrlrange[2 * i], m->actuator_ctrlrange[2 * i + 1]);
}

// Activation `act` of actuator i one time step on, if its rate is act_dot.
LANE_INLINE mjtNum ct_next_activation(const mjModel* m, int i, mjtNum act, mjtNum act_dot) {
  mjtNum h = m->opt.timestep;
  if (m->actuator_dyntype[i] == mjDYN_FILTEREXACT) {
    mjtNum tau = ct_max(mjMINVAL, m->actuator_dynprm[mjNDYN * i]);
    act += act_dot * tau * (1 - ct_exp(-h / tau));
  } else {
    act += act_dot * h;
  }
  if (!m->actuator_actlimited[i]) return act;
  return ct_clip(act, m->actuator_actrange[2 * i], m->actuator_actrange[2 * i + 1]);
}

// prm0 + prm1 length + prm2 velocity
LANE_INLINE mjtNum ct_actuator_affine(const mjData* d, int i, const mjtNum* prm) {
  return prm[0] + prm[1] * d->actuator_length[i] + prm[2] * d->actuator_velocity[i];
}

// Do user parameters describe a Hill-type muscle?
LANE_INLINE bool ct_is_hill(const mjtNum* prm) {
  return prm[9] == CT_HILL;
}

LANE_INLINE mjtNum ct_actuator_gain(const mjModel* m, const mjData* d, int i) {
  const mjtNum* prm = m->actuator_gainprm + mjNGAIN * i;
  switch (m->actuator_gaintype[i]) {
    case mjGAIN_FIXED:
      return prm[0];
    case mjGAIN_AFFINE:
      return ct_actuator_affine(d, i, prm);
    case mjGAIN_MUSCLE:
      return ct_muscle_gain(d->actuator_length[i], d->actuator_velocity[i],
                            m->actuator_lengthrange + 2 * i, m->actuator_acc0[i], prm);
    case mjGAIN_USER:
      return ct_is_hill(prm) ? ct_hill_gain_of(d->actuator_length[i], d->actuator_velocity[i], prm)
                             : 1;
    default:
      return 1;
  }
}

LANE_INLINE mjtNum ct_actuator_bias(const mjModel* m, const mjData* d, int i) {
  const mjtNum* prm = m->actuator_biasprm + mjNBIAS * i;
  switch (m->actuator_biastype[i]) {
    case mjBIAS_AFFINE:
      return ct_actuator_affine(d, i, prm);
    case mjBIAS_MUSCLE:
      return ct_muscle_bias(d->actuator_length[i], m->actuator_lengthrange + 2 * i,
                            m->actuator_acc0[i], prm);
    case mjBIAS_USER:
      return ct_is_hill(prm) ? ct_hill_bias_of(d->actuator_length[i], prm) : 0;
    default:
      return 0;
  }
}

// What the gain is applied to: the control, or the last activation, now or after this step.
LANE_INLINE mjtNum ct_actuator_input(const mjModel* m, const mjData* d, int i, mjtNum control) {
  int first = m->actuator_actadr[i];
  if (first < 0) return control;
  int last = first + m->actuator_actnum[i] - 1;
  if (!m->actuator_actearly[i]) return d->act[last];
  return ct_next_activation(m, i, d->act[last], d->act_dot[last]);
}

#endif  // CT_ENGINE_SMOOTH_ACTUATION_H_
