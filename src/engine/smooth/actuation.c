// Actuation: from controls to activations, forces of actuators and forces on the dofs.
//
//   in    ctrl, act, history                   (nu), (na), (nhistory)
//         actuator_length, actuator_velocity   (nu)
//         actuator_moment and its pattern      (nu x nv, sparse rows)
//         qfrc_gravcomp                        (nv)
//   out   act_dot                              (na)
//         actuator_force                       (nu)
//         qfrc_actuator                        (nv)
//
// An actuator without activation takes its control u as input x, one with activation the state w of
// a first-order system driven by u. Its force is affine in x,
//
//   f = gain(length, velocity) x + bias(length, velocity),
//
// and acts on the dofs by its moment row. Limits apply to the control, the activation, the sum of
// forces on a tendon, the force, and the sum of forces on a joint, in this order. Muscles are in
// math/muscle.h.
//
// While trees sleep, forces of their actuators are 0 and the rates of their activations keep what
// they had. Oddity: if actuation is disabled, or a model has no actuators, gravity compensation
// that a joint leaves to its actuators is lost.

#include "engine/smooth/actuation.h"

#include "base/history_read.h"
#include "base/private.h"
#include "math/vec.h"

LANE_FN bool ct_actuation_starts(Lane g, const mjModel* m, mjData* d) {
  bool starts = m->nu > 0 && !(m->opt.disableflags & mjDSBL_ACTUATION);
  LANE_FOR(i, g, m->nu) {
    d->actuator_force[i] = 0;
  }
  if (!starts) {
    LANE_FOR(k, g, m->nv) {
      d->qfrc_actuator[k] = 0;
    }
  }
  lane_sync(g);
  return starts;
}

LANE_FN mjtNum ct_delayed_control(const mjModel* m, const mjData* d, int i) {
  int n = m->actuator_history[2 * i];
  mjtNum computed;
  if (n <= 0) return d->ctrl[i];
  const mjtNum* stored =
      ct_history_read(d->history + m->actuator_historyadr[i], n, 1, &computed,
                      d->time - m->actuator_delay[i], m->actuator_history[2 * i + 1]);
  return stored ? *stored : computed;
}

LANE_FN int ct_bad_control(Lane g, const mjModel* m, const mjData* d) {
  int nbad;
  LANE_COUNT(nbad, i, g, m->nu, ct_is_bad(ct_control(m, d, i)));
  if (nbad == 0) return -1;
  mjtNum first;
  LANE_MIN(first, i, g, m->nu, (mjtNum)m->nu, (mjtNum)(ct_is_bad(ct_control(m, d, i)) ? i : m->nu));
  return (int)first;
}

// Rate of the activation `act` of actuator i.
LANE_INLINE mjtNum activation_rate(const mjModel* m, int i, mjtNum control, mjtNum act) {
  const mjtNum* prm = m->actuator_dynprm + mjNDYN * i;
  switch (m->actuator_dyntype[i]) {
    case mjDYN_INTEGRATOR:
      return control;
    case mjDYN_FILTER:
    case mjDYN_FILTEREXACT:
      return (control - act) / ct_max(mjMINVAL, prm[0]);
    case mjDYN_MUSCLE:
      return ct_muscle_dynamics(control, act, prm);
    default:
      return 0;
  }
}

// Rates of the activations of actuator i. Built-in dynamics drive the last one.
LANE_INLINE void set_rates(const mjModel* m, mjData* d, int i, mjtNum control) {
  int first = m->actuator_actadr[i], last = first + m->actuator_actnum[i] - 1;
  if (first < 0) return;
  for (int k = first; k < last; k++) d->act_dot[k] = 0;
  d->act_dot[last] = activation_rate(m, i, control, d->act[last]);
}

LANE_INLINE void set_force(const mjModel* m, mjData* d, int i, mjtNum control) {
  d->actuator_force[i] =
      ct_actuator_gain(m, d, i) * ct_actuator_input(m, d, i, control) + ct_actuator_bias(m, d, i);
}

LANE_FN void ct_activation_rates(Lane g, const mjModel* m, mjData* d, bool silent) {
  bool filter = ct_some_asleep(m, d);
  LANE_FOR(i, g, m->nu) {
    if (filter && ct_actuator_asleep(m, d, i)) continue;
    set_rates(m, d, i, silent ? 0 : ct_control(m, d, i));
  }
  lane_sync(g);
}

LANE_FN void ct_actuator_forces(Lane g, const mjModel* m, mjData* d, bool silent) {
  bool filter = ct_some_asleep(m, d);
  LANE_FOR(i, g, m->nu) {
    if (!ct_actuator_computed(m, d, i, filter)) continue;
    set_force(m, d, i, silent ? 0 : ct_control(m, d, i));
  }
  lane_sync(g);
}

// Rates and force of actuator i; returns whether its control is bad.
LANE_FN static inline int activate(const mjModel* m, mjData* d, int i, bool filter) {
  mjtNum control = ct_control(m, d, i);
  if (!(filter && ct_actuator_asleep(m, d, i))) set_rates(m, d, i, control);
  if (ct_actuator_computed(m, d, i, filter)) set_force(m, d, i, control);
  return ct_is_bad(control);
}

// Bad controls are rare: they are looked for on the way, and found again once there is one.
LANE_FN int ct_activate(Lane g, const mjModel* m, mjData* d) {
  bool filter = ct_some_asleep(m, d);
  int nbad;
  LANE_COUNT(nbad, i, g, m->nu, activate(m, d, i, filter));
  lane_sync(g);
  if (nbad == 0) return -1;
  ct_activation_rates(g, m, d, true);
  ct_actuator_forces(g, m, d, true);
  return ct_bad_control(g, m, d);
}

// Is one of the bytes not zero? Without leaving early, so that the loop becomes vectors.
LANE_INLINE bool any_byte(const mjtByte* x, mjtSize n) {
  mjtByte any = 0;
  for (mjtSize i = 0; i < n; i++) any |= x[i];
  return any != 0;
}

LANE_INLINE bool drives_tendon(const mjModel* m, int i, int tendon) {
  return m->actuator_trntype[i] == mjTRN_TENDON && m->actuator_trnid[2 * i] == tendon;
}

// Scales the forces on a tendon so that their sum is in its range.
LANE_FN static void limit_tendon_force(const mjModel* m, mjData* d, int tendon) {
  const mjtNum* range = m->tendon_actfrcrange + 2 * tendon;
  mjtNum sum = 0;
  for (int i = 0; i < m->nu; i++) {
    if (drives_tendon(m, i, tendon)) sum += d->actuator_force[i];
  }
  mjtNum allowed = ct_clip(sum, range[0], range[1]);
  if (sum == 0 || allowed == sum) return;
  for (int i = 0; i < m->nu; i++) {
    if (drives_tendon(m, i, tendon)) d->actuator_force[i] *= allowed / sum;
  }
}

// Is there an actuator that a limited tendon cares about?
LANE_FN static bool some_tendon_is_limited(const mjModel* m, const mjData* d) {
  bool filter = ct_some_asleep(m, d);
  if (!any_byte(m->tendon_actfrclimited, m->ntendon)) return false;
  for (int i = 0; i < m->nu; i++) {
    if (m->actuator_trntype[i] == mjTRN_TENDON &&
        m->tendon_actfrclimited[m->actuator_trnid[2 * i]] &&
        ct_actuator_computed(m, d, i, filter)) {
      return true;
    }
  }
  return false;
}

LANE_FN static void limit_actuator_forces(Lane g, const mjModel* m, mjData* d) {
  if (some_tendon_is_limited(m, d)) {
    LANE_FOR(tendon, g, m->ntendon) {
      if (m->tendon_actfrclimited[tendon]) limit_tendon_force(m, d, tendon);
    }
    lane_sync(g);
  }
  if (!any_byte(m->actuator_forcelimited, m->nu)) return;
  LANE_FOR(i, g, m->nu) {
    if (!m->actuator_forcelimited[i]) continue;
    d->actuator_force[i] = ct_clip(d->actuator_force[i], m->actuator_forcerange[2 * i],
                                   m->actuator_forcerange[2 * i + 1]);
  }
  lane_sync(g);
}

// Adds up moment' force. Every lane walks all rows and takes the dofs that are its own, so that the
// sum of a dof runs over actuators in their order.
LANE_FN static void add_moments(Lane g, const mjModel* m, mjData* d) {
  LANE_FOR(k, g, m->nv) {
    d->qfrc_actuator[k] = 0;
  }
  for (int i = 0; i < m->nu; i++) {
    int end = d->moment_rowadr[i] + d->moment_rownnz[i];
    mjtNum force = d->actuator_force[i];
    for (int a = d->moment_rowadr[i]; a < end; a++) {
      int dof = d->moment_colind[a];
      if (dof % lane_count(g) != lane_rank(g)) continue;
      d->qfrc_actuator[dof] += d->actuator_moment[a] * force;
    }
  }
  lane_sync(g);
}

LANE_INLINE int joint_dofs(const mjModel* m, int joint) {
  int type = m->jnt_type[joint];
  return type == mjJNT_FREE ? 6 : type == mjJNT_BALL ? 3 : 1;
}

LANE_FN static void actuator_forces_on_dofs(Lane g, const mjModel* m, mjData* d) {
  bool gravcomp =
      m->ngravcomp > 0 && !(m->opt.disableflags & mjDSBL_GRAVITY) && ct_norm3(m->opt.gravity) != 0;
  add_moments(g, m, d);
  if (gravcomp) {
    LANE_FOR(joint, g, m->njnt) {
      int dof = m->jnt_dofadr[joint];
      if (!m->jnt_actgravcomp[joint]) continue;
      ct_add_to(d->qfrc_actuator + dof, d->qfrc_gravcomp + dof, joint_dofs(m, joint));
    }
    lane_sync(g);
  }
  if (any_byte(m->jnt_actfrclimited, m->njnt)) {
    LANE_FOR(joint, g, m->njnt) {
      mjtNum* force = d->qfrc_actuator + m->jnt_dofadr[joint];
      const mjtNum* range = m->jnt_actfrcrange + 2 * joint;
      if (m->jnt_actfrclimited[joint]) *force = ct_clip(*force, range[0], range[1]);
    }
    lane_sync(g);
  }
}

LANE_FN int ct_finish_actuation(Lane g, const mjModel* m, mjData* d, int bad) {
  if (bad >= 0) ct_count_warning(g, d, mjWARN_BADCTRL, bad, 1);
  limit_actuator_forces(g, m, d);
  actuator_forces_on_dofs(g, m, d);
  return bad >= 0 ? CT_BAD_CONTROL : CT_OK;
}

LANE_FN int ct_actuation(Lane g, const mjModel* m, mjData* d) {
  if (!ct_actuation_starts(g, m, d)) return CT_OK;
  return ct_finish_actuation(g, m, d, ct_activate(g, m, d));
}
