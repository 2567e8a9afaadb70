// How passive, applied and actuator forces change with the state and the controls, and activations
// with their rates.
//
//   springs      -k, of ball and free joints by the derivative of the rotation vector
//   dampers      -b
//   forces of fixed direction at the centre of mass: xfrc_applied, gravity compensation
//   tendons      force f(L, L') along the length: J'(f_L J + f_L' v'Gamma), Gamma = dJ/dq; the part
//                f Gamma is added in tendon_slopes.c
//   actuators    f = gain(l, l') x + bias(l, l') along the moment row m(q):
//                by q: m'(f_l dl/dq + f_l' v'dm/dq) + f dm/dq, by v: f_l' m'm, by x: gain m'
//
// Where a limit holds a force, a control or an activation, its slope is zero.

#include <corten/derivative.h>

#include "derive/muscle_slopes.h"
#include "derive/slopes.h"
#include "derive/tendon_row.h"
#include "engine/smooth/actuation.h"
#include "engine/smooth/fluid.h"
#include "engine/smooth/passive.h"
#include "math/quat_derivatives.h"

// Springs and dampers

LANE_FN static void turning_spring(ct_Slopes* s, int dof, const mjtNum* quat, const mjtNum* spring,
                                   mjtNum stiffness) {
  mjtNum unit[4], by_turn[9];
  ct_copy4(unit, quat);
  ct_normalize4(unit);
  ct_deriv_sub_quat(by_turn, unit, spring);
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++) {
      ct_add_slope(s, dof + i, ct_column_q(s, dof + j), -stiffness * by_turn[3 * i + j]);
    }
  }
}

LANE_FN static void joint_spring(ct_Slopes* s, int joint) {
  const mjModel* m = s->m;
  mjtNum stiffness = m->jnt_stiffness[joint];
  int dof = m->jnt_dofadr[joint], at = m->jnt_qposadr[joint], type = m->jnt_type[joint];
  const mjtNum *q = s->d->qpos + at, *spring = m->qpos_spring + at;
  if (type == mjJNT_FREE) {
    for (int k = dof; k < dof + 3; k++) ct_add_slope(s, k, ct_column_q(s, k), -stiffness);
    turning_spring(s, dof + 3, q + 3, spring + 3, stiffness);
  } else if (type == mjJNT_BALL) {
    turning_spring(s, dof, q, spring, stiffness);
  } else {
    ct_add_slope(s, dof, ct_column_q(s, dof), -stiffness);
  }
}

LANE_FN static void tendon_spring_damper(Lane g, ct_Slopes* s, int t, bool spring, bool damper) {
  const mjModel* m = s->m;
  const mjtNum* band = m->tendon_lengthspring + 2 * t;
  mjtNum length = s->d->ten_length[t], b = damper ? m->tendon_damping[t] : 0;
  bool slack = length >= band[0] && length <= band[1] && band[0] < band[1];
  bool taut = spring && !slack;  // at rest, too, where the spring has one length
  mjtNum k = taut ? m->tendon_stiffness[t] : 0;
  if (k == 0 && b == 0) return;
  ct_TendonRow row = ct_tendon_row(m, s->d, t);
  const mjtNum* rate = s->length_v + (size_t)t * (size_t)s->nv;
  const mjtNum* gap = s->length_gap + (size_t)t * (size_t)s->nv;
  LANE_FOR(f, g, row.count) {
    int j = ct_tendon_dof(row, f);
    mjtNum by_q = k * (row.value[f] + gap[j]) + b * rate[j], by_v = b * row.value[f];
    for (int e = 0; e < row.count && (by_q != 0 || by_v != 0); e++) {
      if (row.value[e] == 0) continue;
      ct_add_slope(s, ct_tendon_dof(row, e), ct_column_q(s, j), -row.value[e] * by_q);
      ct_add_slope(s, ct_tendon_dof(row, e), ct_column_v(s, j), -row.value[e] * by_v);
    }
  }
  lane_sync(g);
}

// Forces of fixed direction

LANE_INLINE bool acts_at_all(const ct_Slopes* s) {
  return s->acts && s->m->nu > 0 && !(s->m->opt.disableflags & mjDSBL_ACTUATION);
}

// Gravity compensation that is left to actuators is lost where there are none, or held by a limit.
LANE_INLINE bool loses_lift(const ct_Slopes* s, int dof) {
  if (!s->m->jnt_actgravcomp[s->m->dof_jntid[dof]]) return false;
  return !acts_at_all(s) || ct_is_saturated(s->m, s->d, dof);
}

// Adds to q columns what a force and a torque of fixed direction, at a point that moves with its
// body, do to R.
LANE_FN static void fixed_wrench(Lane g, ct_Slopes* s, int body, const mjtNum force[3],
                                 const mjtNum torque[3], bool lifts) {
  const mjModel* m = s->m;
  const mjtNum* point = s->d->xipos + 3 * body;
  int last = ct_last_dof(m, body);
  for (int j = last; j >= 0; j = m->dof_parentid[j]) {
    if (!LANE_OWNS(g, j)) continue;
    mjtNum lower[6], upper[6], moved[3];
    ct_axis_at(s, j, point, upper);
    for (int i = last; i >= 0; i = m->dof_parentid[i]) {
      if (lifts && loses_lift(s, i)) continue;
      ct_axis_at(s, i, point, lower);
      if (ct_turns_axis(s, j, i)) {
        ct_cross(moved, upper, lower + 3);
        ct_add_slope(s, i, ct_column_q(s, j), ct_dot3(force, moved));
        ct_cross(moved, upper, lower);
        ct_add_slope(s, i, ct_column_q(s, j), ct_dot3(torque, moved));
      } else {
        ct_cross(moved, lower, upper + 3);
        ct_add_slope(s, i, ct_column_q(s, j), ct_dot3(force, moved));
      }
    }
  }
  lane_sync(g);
}

LANE_FN static void applied_forces(Lane g, ct_Slopes* s) {
  const mjModel* m = s->m;
  const mjtNum none[3] = {0, 0, 0};
  bool lifts = m->ngravcomp > 0 && !(m->opt.disableflags & mjDSBL_GRAVITY) && ct_has_passive(m);
  for (int b = 1; b < m->nbody; b++) {
    const mjtNum *force = s->d->xfrc_applied + 6 * b, *torque = force + 3;
    mjtNum lift[3];
    bool applied = ct_dot3(force, force) != 0 || ct_dot3(torque, torque) != 0;
    if (s->pushed && applied) fixed_wrench(g, s, b, force, torque, false);
    if (!lifts || m->body_gravcomp[b] == 0) continue;
    ct_scl3(lift, m->opt.gravity, -m->body_mass[b] * m->body_gravcomp[b]);
    fixed_wrench(g, s, b, lift, none, true);
  }
}

// The medium. The wrench w on a body depends on its twist relative to the wind, both seen from the
// body, and goes with it. The twist changes with S_j by velocity, and by position with S'_j and the
// wind that turns away; rows above j also see w move by S_j x* w. B is the slope of the wrench.

LANE_FN static void fluid_on_body(Lane g, ct_Slopes* s, int b) {
  const mjModel* m = s->m;
  const mjData* d = s->d;
  int last = ct_last_dof(m, b);
  mjtNum B[36], w[6];
  ct_fluid_wrench(m, d, b, w);
  ct_fluid_slope(m, d, b, B);
  for (int j = last; j >= 0; j = m->dof_parentid[j]) {
    if (!LANE_OWNS(g, j)) continue;
    const mjtNum* axis = d->cdof + 6 * j;
    mjtNum rate[6], wind[3], by_q[6], by_v[6], moved[6];
    ct_cross_motion(rate, s->speed_before + 6 * j, axis);
    ct_cross(wind, axis, m->opt.wind);
    ct_add_to3(rate + 3, wind);
    for (int r = 0; r < 6; r++) {
      by_q[r] = ct_dot6(B + 6 * r, rate);
      by_v[r] = ct_dot6(B + 6 * r, axis);
    }
    ct_cross_force(moved, axis, w);
    for (int i = last; i >= 0; i = m->dof_parentid[i]) {
      const mjtNum* other = d->cdof + 6 * i;
      ct_add_slope(s, i, ct_column_q(s, j), ct_dot6(other, by_q));
      ct_add_slope(s, i, ct_column_v(s, j), ct_dot6(other, by_v));
      if (!ct_turns_axis(s, j, i)) ct_add_slope(s, i, ct_column_q(s, j), ct_dot6(other, moved));
    }
  }
  lane_sync(g);
}

// Actuators

typedef struct {  // how the force of an actuator changes
  mjtNum force, by_length, by_speed, by_input;
  mjtNum by_ctrl, by_act;  // of its input
  int act;                 // its activation, -1: none
} ActuatorSlope;

// How fast the activation of a muscle changes with control and activation.
LANE_FN static void muscle_rate_slopes(const mjtNum* prm, mjtNum control, mjtNum act,
                                       mjtNum* by_ctrl, mjtNum* by_act) {
  mjtNum excess = ct_clip(control, 0, 1) - act, inside = control >= 0 && control <= 1 ? 1 : 0;
  mjtNum stretch = (mjtNum)0.5 + (mjtNum)1.5 * ct_clip(act, 0, 1);
  mjtNum growth = act > 0 && act < 1 ? (mjtNum)1.5 : 0;
  mjtNum on = prm[0] * stretch, off = prm[1] / stretch;
  mjtNum on_slope = prm[0] * growth, off_slope = -prm[1] * growth / (stretch * stretch);
  mjtNum tau, by_stretch, by_excess = 0;
  if (prm[2] < mjMINVAL) {
    tau = excess > 0 ? on : off;
    by_stretch = excess > 0 ? on_slope : off_slope;
  } else {
    mjtNum x = ct_clip(excess / prm[2] + (mjtNum)0.5, 0, 1);
    mjtNum blend = ct_sigmoid(x), slope = 30 * x * x * (1 - x) * (1 - x) / prm[2];
    tau = off + (on - off) * blend;
    by_stretch = off_slope + (on_slope - off_slope) * blend;
    by_excess = (on - off) * slope;
  }
  tau = ct_muscle_denominator(tau);
  *by_ctrl = inside / tau - excess / (tau * tau) * by_excess * inside;
  *by_act = -1 / tau - excess / (tau * tau) * (by_stretch - by_excess);
}

LANE_FN static mjtNum control_of(const ct_Slopes* s, int i) {
  return s->silent ? 0 : ct_control(s->m, s->d, i);
}

// Slopes of act_dot of actuator i; by_ctrl is that of the clipped control.
LANE_FN static void rate_slopes(ct_Slopes* s, int i, mjtNum* by_ctrl, mjtNum* by_act) {
  const mjModel* m = s->m;
  int act = m->actuator_actadr[i] + m->actuator_actnum[i] - 1;
  const mjtNum* prm = m->actuator_dynprm + mjNDYN * i;
  *by_ctrl = *by_act = 0;
  switch (m->actuator_dyntype[i]) {
    case mjDYN_INTEGRATOR:
      *by_ctrl = 1;
      break;
    case mjDYN_FILTER:
    case mjDYN_FILTEREXACT:
      *by_ctrl = 1 / ct_max(mjMINVAL, prm[0]);
      *by_act = -*by_ctrl;
      break;
    case mjDYN_MUSCLE:
      muscle_rate_slopes(prm, control_of(s, i), s->d->act[act], by_ctrl, by_act);
      break;
    default:
      *s->reasons |= CT_NO_SLOPE_USER_CODE;
  }
}

// g of act+ = act + g act_dot; 0 if a limit holds the next activation.
LANE_FN static mjtNum activation_time(const mjModel* m, const mjData* d, int i, int act) {
  mjtNum h = m->opt.timestep, tau = ct_max(mjMINVAL, m->actuator_dynprm[mjNDYN * i]);
  mjtNum time = m->actuator_dyntype[i] == mjDYN_FILTEREXACT ? tau * (1 - ct_exp(-h / tau)) : h;
  if (m->actuator_actlimited[i]) {
    mjtNum next = d->act[act] + time * d->act_dot[act];
    const mjtNum* range = m->actuator_actrange + 2 * i;
    if (next < range[0] || next > range[1]) return 0;
  }
  return time;
}

LANE_FN static mjtNum control_slope(const ct_Slopes* s, int i) {
  const mjModel* m = s->m;
  const mjData* d = s->d;
  if (s->silent) return 0;
  if (!m->actuator_ctrllimited[i] || (m->opt.disableflags & mjDSBL_CLAMPCTRL)) return 1;
  const mjtNum* range = m->actuator_ctrlrange + 2 * i;
  return d->ctrl[i] >= range[0] && d->ctrl[i] <= range[1] ? 1 : 0;
}

LANE_FN static void input_slopes(ct_Slopes* s, int i, ActuatorSlope* a) {
  const mjModel* m = s->m;
  mjtNum inside = control_slope(s, i), by_ctrl, by_act;
  a->act = -1;
  a->by_ctrl = inside;
  a->by_act = 0;
  if (m->actuator_actadr[i] < 0) return;
  int act = a->act = m->actuator_actadr[i] + m->actuator_actnum[i] - 1;
  rate_slopes(s, i, &by_ctrl, &by_act);
  s->act_by_ctrl[i] = by_ctrl * inside;
  s->act_by_act[act] = by_act;
  a->by_ctrl = 0;
  a->by_act = 1;
  if (!m->actuator_actearly[i]) return;
  mjtNum time = activation_time(m, s->d, i, act);
  a->by_ctrl = time * by_ctrl * inside;
  a->by_act = time == 0 ? 0 : 1 + time * by_act;
}

// Does a limit of its own hold the force of an actuator?
LANE_INLINE bool is_limited(const mjModel* m, const mjData* d, int i) {
  const mjtNum* range = m->actuator_forcerange + 2 * i;
  mjtNum force = d->actuator_force[i];
  return m->actuator_forcelimited[i] && !(force > range[0] && force < range[1]);
}

LANE_FN static ActuatorSlope actuator_slopes(ct_Slopes* s, int i) {
  const mjModel* m = s->m;
  const mjData* d = s->d;
  const mjtNum *gain = m->actuator_gainprm + mjNGAIN * i, *bias = m->actuator_biasprm + mjNBIAS * i;
  ActuatorSlope a;
  input_slopes(s, i, &a);
  mjtNum x = ct_actuator_input(m, d, i, control_of(s, i));
  a.force = d->actuator_force[i];
  a.by_length = a.by_speed = 0;
  a.by_input = ct_actuator_gain(m, d, i);
  if (m->actuator_gaintype[i] == mjGAIN_AFFINE) {
    a.by_length = gain[1] * x;
    a.by_speed = gain[2] * x;
  } else if (m->actuator_gaintype[i] == mjGAIN_MUSCLE) {
    a.by_length = ct_muscle_gain_by_length(m, d, i) * x;
    a.by_speed = ct_muscle_gain_slope(d->actuator_length[i], d->actuator_velocity[i],
                                      m->actuator_lengthrange + 2 * i, m->actuator_acc0[i], gain) *
                 x;
  } else if (m->actuator_gaintype[i] != mjGAIN_FIXED) {
    *s->reasons |= CT_NO_SLOPE_USER_CODE;
  }
  if (m->actuator_biastype[i] == mjBIAS_AFFINE) {
    a.by_length += bias[1];
    a.by_speed += bias[2];
  } else if (m->actuator_biastype[i] == mjBIAS_MUSCLE) {
    a.by_length += ct_muscle_bias_by_length(m, d, i);
  } else if (m->actuator_biastype[i] != mjBIAS_NONE) {
    *s->reasons |= CT_NO_SLOPE_USER_CODE;
  }
  if (is_limited(m, d, i)) a.by_length = a.by_speed = a.by_input = 0;
  return a;
}

typedef struct {  // how an actuator acts on dofs
  int count;
  const mjtNum* moment;
  const int* dof;
} MomentRow;

LANE_INLINE MomentRow moment_row(const mjData* d, int i) {
  int start = d->moment_rowadr[i];
  MomentRow row = {d->moment_rownnz[i], d->actuator_moment + start, d->moment_colind + start};
  return row;
}

// The share of an actuator whose length has the moment row for its gradient, of a tendon t or (-1)
// a joint; but for the gap of the tendon.
LANE_FN static void length_actuator(ct_Slopes* s, int i, const ActuatorSlope* a, int t) {
  const mjData* d = s->d;
  const mjtNum *row_v = NULL, *gap = NULL, gear = s->m->actuator_gear[6 * i];
  if (t >= 0) {
    row_v = s->length_v + (size_t)t * (size_t)s->nv;
    gap = s->length_gap + (size_t)t * (size_t)s->nv;
  }
  MomentRow row = moment_row(d, i);
  for (int e = 0; e < row.count; e++) {
    if (ct_is_saturated(s->m, d, row.dof[e])) continue;
    mjtNum mine = row.moment[e];
    int dof = row.dof[e];
    for (int f = 0; f < row.count; f++) {
      mjtNum longer = row.moment[f] + (gap ? gear * gap[row.dof[f]] : 0);
      ct_add_slope(s, dof, ct_column_q(s, row.dof[f]), mine * a->by_length * longer);
    }
    for (int j = 0; row_v && a->by_speed != 0 && j < s->nv; j++) {
      ct_add_slope(s, dof, ct_column_q(s, j), mine * a->by_speed * gear * row_v[j]);
    }
  }
}

// What all actuators have in common: velocities and inputs.
LANE_FN static void moment_columns(ct_Slopes* s, int i, const ActuatorSlope* a) {
  const mjData* d = s->d;
  MomentRow row = moment_row(d, i);
  for (int e = 0; e < row.count; e++) {
    if (ct_is_saturated(s->m, d, row.dof[e])) continue;
    int dof = row.dof[e];
    mjtNum by_input = row.moment[e] * a->by_input, by_speed = row.moment[e] * a->by_speed;
    for (int f = 0; f < row.count && a->by_speed != 0; f++) {
      ct_add_slope(s, dof, ct_column_v(s, row.dof[f]), by_speed * row.moment[f]);
    }
    ct_add_slope(s, dof, ct_column_ctrl(s, i), by_input * a->by_ctrl);
    if (a->act >= 0) ct_add_slope(s, dof, ct_column_act(s, a->act), by_input * a->by_act);
  }
}

// The share of any actuator, from how its row and length change.
LANE_FN static void driven_actuator(ct_Slopes* s, int i, const ActuatorSlope* a) {
  const mjData* d = s->d;
  int count = ct_transmission_slopes(s, i);
  for (int f = 0; f < count; f++) {
    int j = s->driven[f];
    const mjtNum* bend = s->bend + j;
    mjtNum rate = 0;
    for (int e = 0; e < count; e++) {
      int k = s->driven[e];
      rate += d->qvel[k] * bend[(size_t)k * (size_t)s->nv];
    }
    mjtNum along = a->by_length * s->stretch[j] + a->by_speed * rate;
    for (int e = 0; e < count; e++) {
      int k = s->driven[e];
      mjtNum x = s->lever[k] * along + a->force * bend[(size_t)k * (size_t)s->nv];
      if (x != 0 && !ct_is_saturated(s->m, d, k)) ct_add_slope(s, k, ct_column_q(s, j), x);
    }
  }
}

// Forces f_k of the actuators of a tendon whose sum S exceeds its limit r are f_k r/S, so that what
// acts along the tendon, F = sum gear_k f_k r/S, changes by r/S (gear_k - mean gear) df_k, the mean
// weighed by the forces. The share of actuator i beside what it has without limit. Not
// differentiated if one of them is at a limit of its own too, or if somebody measures them.
LANE_FN static mjtNum share_of_limit(ct_Slopes* s, int i) {
  const mjModel* m = s->m;
  const mjData* d = s->d;
  int t = m->actuator_trnid[2 * i];
  if (m->actuator_trntype[i] != mjTRN_TENDON || !m->tendon_actfrclimited[t]) return 1;
  mjtNum sum = 0, mean = 0, gear = m->actuator_gear[6 * i];
  bool bad = gear == 0;
  for (int k = 0; k < m->nu; k++) {
    bool drives = m->actuator_trntype[k] == mjTRN_TENDON && m->actuator_trnid[2 * k] == t;
    if (!drives || ct_actuator_disabled(m, k)) continue;
    mjtNum force = ct_actuator_gain(m, d, k) * ct_actuator_input(m, d, k, control_of(s, k)) +
                   ct_actuator_bias(m, d, k);
    sum += force;
    mean += m->actuator_gear[6 * k] * force;
    bad = bad || is_limited(m, d, k);
  }
  mjtNum allowed = ct_clip(sum, m->tendon_actfrcrange[2 * t], m->tendon_actfrcrange[2 * t + 1]);
  if (sum == 0 || allowed == sum) return 1;
  for (int k = 0; k < m->nsensor; k++) bad = bad || m->sensor_type[k] == mjSENS_ACTUATORFRC;
  if (bad) *s->reasons |= CT_NO_SLOPE_TENDON;
  return bad ? 0 : allowed / sum * (1 - mean / sum / gear);
}

LANE_FN static void one_actuator(ct_Slopes* s, int i) {
  const mjModel* m = s->m;
  int id = m->actuator_trnid[2 * i], type = m->actuator_trntype[i];
  ActuatorSlope a = actuator_slopes(s, i);
  if (ct_actuator_disabled(m, i)) return;
  mjtNum share = share_of_limit(s, i);
  a.by_length *= share;
  a.by_speed *= share;
  a.by_input *= share;
  mjtNum* drive = s->drive + CT_DRIVE * i;
  drive[0] = a.by_length;
  drive[1] = a.by_speed;
  drive[2] = a.by_input * a.by_ctrl;
  drive[3] = a.act >= 0 ? a.by_input * a.by_act : 0;
  drive[4] = a.by_ctrl;
  drive[5] = a.act >= 0 ? a.by_act : 0;
  moment_columns(s, i, &a);
  bool straight = (type == mjTRN_JOINT || type == mjTRN_JOINTINPARENT) &&
                  (m->jnt_type[id] == mjJNT_HINGE || m->jnt_type[id] == mjJNT_SLIDE);
  if (straight) {
    if (a.by_length != 0) length_actuator(s, i, &a, -1);
  } else if (type == mjTRN_TENDON && !ct_pulls_saturated(m, s->d, i)) {
    length_actuator(s, i, &a, id);
  } else {
    driven_actuator(s, i, &a);
  }
}

LANE_FN void ct_force_slopes(Lane g, ct_Slopes* s) {
  const mjModel* m = s->m;
  bool spring = !(m->opt.disableflags & mjDSBL_SPRING);
  bool damper = !(m->opt.disableflags & mjDSBL_DAMPER);
  if (ct_has_passive(m)) {
    LANE_FOR(joint, g, spring ? m->njnt : 0) {
      if (m->jnt_stiffness[joint] != 0) joint_spring(s, joint);
    }
    lane_sync(g);
    for (int t = 0; t < m->ntendon; t++) tendon_spring_damper(g, s, t, spring, damper);
    for (int b = 1; b < m->nbody && ct_has_fluid(m); b++) fluid_on_body(g, s, b);
  }
  LANE_FOR(k, g, damper ? m->nv : 0) {
    ct_add_slope(s, k, ct_column_v(s, k), -m->dof_damping[k]);
  }
  lane_sync(g);
  applied_forces(g, s);
  s->silent = ct_bad_control(g, m, s->d) >= 0;
  lane_sync(g);
  LANE_ALONE(g) {
    for (int i = 0; i < m->nu && acts_at_all(s); i++) one_actuator(s, i);
  }
}
