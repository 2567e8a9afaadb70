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

#include <stdint.h>
#include <string.h>

#include "base/history_read.h"
#include "base/private.h"
#include "math/vec.h"
#include "math/wide_muscle.h"
#include "math/wide_spatial.h"

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

#if LANE_WIDTH > 1
// On one lane: four neighbours at a time, if they push with fixed gains and with no bias or an
// affine one, have no activations, and all of them have limits or none has.

// actuator_ctrllimited of four.
enum { NO_LIMITS = 0, ALL_LIMITED = 0x01010101 };

// *affine: has one of them a bias?
LANE_INLINE bool four_are_plain(const mjModel* m, int i, uint32_t limited, bool* affine) {
  uint64_t dyn[2], gain[2], bias[2], first[2];
  memcpy(dyn, m->actuator_dyntype + i, sizeof(dyn));
  memcpy(gain, m->actuator_gaintype + i, sizeof(gain));
  memcpy(bias, m->actuator_biastype + i, sizeof(bias));
  memcpy(first, m->actuator_actadr + i, sizeof(first));
  uint64_t kinds = dyn[0] | dyn[1] | gain[0] | gain[1], biases = bias[0] | bias[1];
  *affine = biases != 0;
  kinds |= biases & ~((uint64_t)mjBIAS_AFFINE << 32 | mjBIAS_AFFINE);
  return (kinds | ~(first[0] & first[1])) == 0 && (limited == NO_LIMITS || limited == ALL_LIMITED);
}

// As ct_clip.
LANE_INLINE Wide clip_four(Wide x, const mjtNum* range) {
  Wide even = wide_of_pairs(two_load(range), two_load(range + 4));
  Wide odd = wide_of_pairs(two_load(range + 2), two_load(range + 6));
  Wide lower = __builtin_shufflevector(even, odd, 0, 4, 2, 6);
  Wide upper = __builtin_shufflevector(even, odd, 1, 5, 3, 7);
  WideMask below = x < lower;
  return wide_choose(below, lower, ~below, wide_smaller(upper, x));
}

LANE_INLINE Wide affine_bias_of_four(const mjModel* m, const mjData* d, int i) {
  const mjtNum* prm = m->actuator_biasprm + mjNBIAS * i;
  const int* type = m->actuator_biastype + i;
  WideMask affine = {-(type[0] != 0), -(type[1] != 0), -(type[2] != 0), -(type[3] != 0)};
  Wide bias =
      wide_gather(prm, mjNBIAS) + wide_gather(prm + 1, mjNBIAS) * wide_load(d->actuator_length + i);
  bias += wide_gather(prm + 2, mjNBIAS) * wide_load(d->actuator_velocity + i);
  return (Wide)(affine & (WideMask)bias);
}

// As ct_is_bad.
LANE_INLINE bool some_is_bad(Wide x) {
  const mjtNum most = (mjtNum)1e10;
  return wide_bits((x <= wide_all(most)) & (x >= wide_all(-most))) != 15;
}

// Returns whether a control is bad.
LANE_INLINE int activate_four(const mjModel* m, mjData* d, int i, bool clip, bool affine) {
  Wide control = wide_load(d->ctrl + i), bias = wide_all(0);
  if (clip) control = clip_four(control, m->actuator_ctrlrange + 2 * i);
  if (affine) bias = affine_bias_of_four(m, d, i);
  Wide gain = wide_gather(m->actuator_gainprm + mjNGAIN * i, mjNGAIN);
  wide_store(d->actuator_force + i, gain * control + bias);
  return some_is_bad(control);
}

LANE_INLINE bool both_are(const int* x, int value) {
  uint64_t word[2], wanted = (uint64_t)(unsigned)value << 32 | (unsigned)value;
  memcpy(word, x, sizeof(word));
  return word[0] == wanted && word[1] == wanted;
}

// Are four actuators muscles with one activation each, without smoothing?
LANE_INLINE bool four_are_muscles(const mjModel* m, int i, uint32_t limited) {
  uint32_t early;
  memcpy(&early, m->actuator_actearly + i, sizeof(early));
  if (early != 0 || (limited != NO_LIMITS && limited != ALL_LIMITED)) return false;
  if (!both_are(m->actuator_dyntype + i, mjDYN_MUSCLE)) return false;
  if (!both_are(m->actuator_gaintype + i, mjGAIN_MUSCLE)) return false;
  if (!both_are(m->actuator_biastype + i, mjBIAS_MUSCLE)) return false;
  if (!both_are(m->actuator_actnum + i, 1)) return false;
  Wide smoothing = wide_gather(m->actuator_dynprm + mjNDYN * i + 2, mjNDYN);
  return wide_bits(smoothing < wide_all(mjMINVAL)) == 15;
}

LANE_FN static __attribute__((noinline)) int activate_muscles(const mjModel* m, mjData* d, int i,
                                                              bool clip) {
  Wide control = wide_load(d->ctrl + i), curve[6], range[2], tau[2];
  if (clip) control = clip_four(control, m->actuator_ctrlrange + 2 * i);

  // activations
  int first = m->actuator_actadr[i];
  Wide act = wide_load(d->act + first);
  wide_gather_rows(tau, m->actuator_dynprm + mjNDYN * i, mjNDYN, 2);
  wide_store(d->act_dot + first, wide_muscle_dynamics(control, act, tau[0], tau[1]));

  // gains
  const mjtNum *prm = m->actuator_gainprm + mjNGAIN * i, *acc0 = m->actuator_acc0 + i;
  WideMuscle muscle = wide_muscle(prm, mjNGAIN);
  wide_gather_rows(curve, prm + 4, mjNGAIN, 4);
  Wide fvmax = wide_gather(prm + 8, mjNGAIN);
  wide_gather_rows(range, m->actuator_lengthrange + 2 * i, 2, 2);
  Wide at = wide_load(d->actuator_length + i),
       optimal = wide_muscle_optimal(&muscle, range[0], range[1]);
  Wide velocity = wide_load(d->actuator_velocity + i) / wide_denominator(optimal * curve[2]);
  Wide length = wide_muscle_length(&muscle, at, range[0], optimal);
  Wide peak = wide_muscle_peak(&muscle, acc0);
  Wide gain = -peak * wide_muscle_gain_length(length, curve[0], curve[1]) *
              wide_muscle_gain_velocity(velocity, fvmax);

  // biases, which mostly have the same parameters
  prm = m->actuator_biasprm + mjNBIAS * i;
  WideMuscle other = wide_muscle(prm, mjNBIAS);
  if (!wide_same_muscle(&muscle, &other)) {
    length =
        wide_muscle_length(&other, at, range[0], wide_muscle_optimal(&other, range[0], range[1]));
    peak = wide_muscle_peak(&other, acc0);
  }
  wide_gather_rows(curve, prm + 4, mjNBIAS, 4);
  Wide bias = wide_muscle_bias(length, peak, curve[1], curve[3]);
  wide_store(d->actuator_force + i, gain * act + bias);
  return some_is_bad(control);
}

// As activate for all, where nobody sleeps and no actuator is switched off, delayed or a plugin.
// The last four may overlap those before.
LANE_FN static int activate_alone(const mjModel* m, mjData* d) {
  bool clamp = !(m->opt.disableflags & mjDSBL_CLAMPCTRL);
  int nu = (int)m->nu, nbad = 0;
  for (int i = 0; i < nu;) {
    int four = i + 4 <= nu ? i : nu - 4, type = m->actuator_dyntype[i];
    if (four >= 0 && (type == mjDYN_NONE || type == mjDYN_MUSCLE)) {
      uint32_t limited;
      bool affine;
      memcpy(&limited, m->actuator_ctrllimited + four, sizeof(limited));
      bool clip = clamp && limited;
      if (type == mjDYN_NONE && four_are_plain(m, four, limited, &affine)) {
        nbad += activate_four(m, d, four, clip, affine);
        i = four + 4;
        continue;
      } else if (type == mjDYN_MUSCLE && four_are_muscles(m, four, limited)) {
        nbad += activate_muscles(m, d, four, clip);
        i = four + 4;
        continue;
      }
    }
    nbad += activate(m, d, i++, false);
  }
  return nbad;
}
#endif

// Bad controls are rare: they are looked for on the way, and found again once there is one.
LANE_FN int ct_activate(Lane g, const mjModel* m, mjData* d) {
  bool filter = ct_some_asleep(m, d);
  int nbad;
#if LANE_WIDTH > 1
  bool simple = !filter && !m->opt.disableactuator && !m->nplugin && !ct_has_history(m);
  if (lane_count(g) == 1 && simple) {
    nbad = activate_alone(m, d);
  } else {
    LANE_COUNT(nbad, i, g, m->nu, activate(m, d, i, filter));
  }
#else
  LANE_COUNT(nbad, i, g, m->nu, activate(m, d, i, filter));
#endif
  lane_sync(g);
  if (nbad == 0) return -1;
  ct_activation_rates(g, m, d, true);
  ct_actuator_forces(g, m, d, true);
  return ct_bad_control(g, m, d);
}

// Is one of the bytes not zero? Eight are looked at together, and the last eight may overlap
// others.
LANE_INLINE bool any_byte(const mjtByte* x, mjtSize n) {
  uint64_t any = 0, word;
  if (n < 8 || LANE_WIDTH == 1) {
    for (mjtSize i = 0; i < n; i++) {
      if (x[i]) return true;
    }
    return false;
  }
  for (mjtSize i = 0; i < n; i += 8) {
    memcpy(&word, x + (i + 8 < n ? i : n - 8), sizeof(word));
    any |= word;
  }
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
  const int *rowadr = d->moment_rowadr, *rownnz = d->moment_rownnz, *column = d->moment_colind;
  const mjtNum *moment = d->actuator_moment, *forces = d->actuator_force;
  mjtNum* qfrc = d->qfrc_actuator;
  for (int i = 0, nu = (int)m->nu; i < nu; i++) {
    int end = rowadr[i] + rownnz[i];
    mjtNum force = forces[i];
    for (int a = rowadr[i]; a < end; a++) {
      int dof = column[a];
      if (dof % lane_count(g) != lane_rank(g)) continue;
      qfrc[dof] += moment[a] * force;
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
