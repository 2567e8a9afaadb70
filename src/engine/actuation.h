// Actuation: from controls to activations, forces of actuators and forces on the dofs.

#ifndef CT_ENGINE_ACTUATION_H_
#define CT_ENGINE_ACTUATION_H_

#include <stdbool.h>

#include <mujoco/mujoco.h>

#include "base/lanes.h"
#include "engine/sleep.h"
#include "math/muscle.h"
#include "math/strict.h"

// The whole stage for models without callbacks and plugins. See actuation.c.
LANE_FN void ct_actuation(Lane g, const mjModel* m, mjData* d);

// Its parts, in this order; the host puts callbacks and plugins between them.

// Clears actuator_force. False if there is nothing to do; qfrc_actuator is cleared then.
LANE_FN bool ct_actuation_starts(Lane g, const mjModel* m, mjData* d);

// control (nu): what the actuators see, after delays and limits. Returns the first actuator whose
// control is not a sensible number, -1 if there is none; with such a one all controls become 0.
LANE_FN int ct_controls(Lane g, const mjModel* m, const mjData* d, mjtNum* control);

// act_dot, except where only a callback knows it.
LANE_FN void ct_activation_rates(Lane g, const mjModel* m, mjData* d, const mjtNum* control);

// actuator_force without limits; user gains count as 1 and user biases as 0.
LANE_FN void ct_actuator_forces(Lane g, const mjModel* m, mjData* d, const mjtNum* control);

// Limits the forces by tendon and by actuator.
LANE_FN void ct_limit_actuator_forces(Lane g, const mjModel* m, mjData* d);

// qfrc_actuator, from actuator_force and what gravity compensation leaves to actuators.
LANE_FN void ct_actuator_forces_on_dofs(Lane g, const mjModel* m, mjData* d);

// Is the actuator in a group that is switched off? Groups beyond 30 cannot be.
LANE_INLINE bool ct_actuator_disabled(const mjModel* m, int i) {
  int group = m->actuator_group[i];
  return group >= 0 && group <= 30 && (m->opt.disableactuator & (1 << group));
}

// Does the engine compute the force of this actuator: is it enabled, awake and no plugin?
LANE_INLINE bool ct_actuator_computed(const mjModel* m, const mjData* d, int i) {
  return !ct_actuator_disabled(m, i) && m->actuator_plugin[i] < 0 &&
         !(ct_some_asleep(m, d) && ct_actuator_asleep(m, d, i));
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

#endif  // CT_ENGINE_ACTUATION_H_
