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
  bool taut = spring && (length > band[1] || length < band[0]);
  mjtNum k = taut ? m->tendon_stiffness[t] : 0;
  if (k == 0 && b == 0) return;
  ct_TendonRow row = ct_tendon_row(m, s->d, t);
  const mjtNum* rate = s->length_v + (size_t)t * (size_t)s->nv;
  LANE_FOR(f, g, row.count) {
    int j = ct_tendon_dof(row, f);
    mjtNum by_q = k * row.value[f] + b * rate[j], by_v = b * row.value[f];
    for (int e = 0; e < row.count && (by_q != 0 || by_v != 0); e++) {
      if (row.value[e] == 0) continue;
      ct_add_slope(s, ct_tendon_dof(row, e), ct_column_q(s, j), -row.value[e] * by_q);
      ct_add_slope(s, ct_tendon_dof(row, e), ct_column_v(s, j), -row.value[e] * by_v);
    }
  }
  lane_sync(g);
}

// Forces of fixed direction

LANE_FN void ct_fixed_wrench_slopes(Lane g, ct_Slopes* s, int body, const mjtNum point[3],
                                    const mjtNum force[3], const mjtNum torque[3]) {
  const mjModel* m = s->m;
  int last = ct_last_dof(m, body);
  for (int j = last; j >= 0; j = m->dof_parentid[j]) {
    if (!LANE_OWNS(g, j)) continue;
    mjtNum lower[6], upper[6], moved[3];
    ct_axis_at(s, j, point, upper);
    for (int i = last; i >= 0; i = m->dof_parentid[i]) {
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

LANE_INLINE bool lifts(const mjModel* m) {
  return m->ngravcomp > 0 && !(m->opt.disableflags & mjDSBL_GRAVITY) && ct_has_passive(m);
}

LANE_FN static void applied_forces(Lane g, ct_Slopes* s) {
  const mjModel* m = s->m;
  for (int b = 1; b < m->nbody; b++) {
    const mjtNum* applied = s->d->xfrc_applied + 6 * b;
    mjtNum force[3] = {0, 0, 0}, torque[3] = {0, 0, 0};
    if (s->pushed) {
      ct_copy3(force, applied);
      ct_copy3(torque, applied + 3);
    }
    if (lifts(m)) ct_add_to_scl3(force, m->opt.gravity, -m->body_mass[b] * m->body_gravcomp[b]);
    if (ct_dot3(force, force) == 0 && ct_dot3(torque, torque) == 0) continue;
    ct_fixed_wrench_slopes(g, s, b, s->d->xipos + 3 * b, force, torque);
  }
}

// The medium. The wrench w on a body depends on its twist relative to the wind, both seen from the
// body, and goes with it. The twist changes with S_j by velocity, and by position with S'_j and the
// wind that turns away; rows above j also see w move by S_j x* w. B is the slope of the wrench.

#ifdef mjUSESINGLE
#define SPEED_NUDGE ((mjtNum)1e-3)
#else
#define SPEED_NUDGE ((mjtNum)1e-6)
#endif

LANE_INLINE bool has_ellipsoids(const mjModel* m, int b) {
  int first = m->body_geomadr[b];
  for (int geom = first; geom < first + m->body_geomnum[b]; geom++) {
    if (m->geom_fluid[mjNFLUID * geom] != 0) return true;
  }
  return false;
}

// What implicit integrators take for the slope of an ellipsoid's wrench leaves terms out. The whole
// slope is found by differences of the wrench alone.
LANE_FN static void nudge_wrench(const ct_Slopes* s, int b, mjtNum* B) {
  mjtNum *speed = s->d->cvel + 6 * b, plus[6], minus[6];
  for (int c = 0; c < 6; c++) {
    mjtNum start = speed[c], eps = SPEED_NUDGE * ct_max(1, ct_abs(start));
    speed[c] = start + eps;
    ct_fluid_wrench(s->m, s->d, b, plus);
    speed[c] = start - eps;
    ct_fluid_wrench(s->m, s->d, b, minus);
    speed[c] = start;
    for (int r = 0; r < 6; r++) B[6 * r + c] = (plus[r] - minus[r]) / (2 * eps);
  }
}

LANE_FN static void fluid_on_body(Lane g, ct_Slopes* s, int b) {
  const mjModel* m = s->m;
  const mjData* d = s->d;
  int last = ct_last_dof(m, b);
  mjtNum B[36], w[6];
  ct_fluid_wrench(m, d, b, w);
  if (has_ellipsoids(m, b)) {
    LANE_ALONE(g) {
      nudge_wrench(s, b, s->table);
    }
    ct_copy(B, s->table, 36);
  } else {
    ct_fluid_damping(m, d, b, false, B);
  }
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

LANE_INLINE mjtNum muscle_length_slope(const ct_Muscle* u, mjtNum length) {
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

LANE_FN static mjtNum muscle_gain_by_length(const mjModel* m, const mjData* d, int i) {
  const mjtNum *prm = m->actuator_gainprm + mjNGAIN * i, *range = m->actuator_lengthrange + 2 * i;
  ct_Muscle u = ct_muscle(prm);
  mjtNum optimal = ct_muscle_denominator(ct_muscle_optimal(u, range));
  mjtNum speed =
      d->actuator_velocity[i] / ct_muscle_denominator(ct_muscle_optimal(u, range) * u.vmax);
  mjtNum length = ct_muscle_length(u, d->actuator_length[i], range);
  return -ct_muscle_peak(u, m->actuator_acc0[i]) * muscle_length_slope(&u, length) *
         ct_muscle_gain_velocity(speed, u.fvmax) / optimal;
}

LANE_FN static mjtNum muscle_bias_by_length(const mjModel* m, const mjData* d, int i) {
  const mjtNum *prm = m->actuator_biasprm + mjNBIAS * i, *range = m->actuator_lengthrange + 2 * i;
  ct_Muscle u = ct_muscle(prm);
  mjtNum length = ct_muscle_length(u, d->actuator_length[i], range), b = (1 + u.lmax) / 2;
  if (length <= 1) return 0;
  mjtNum unit = ct_muscle_denominator(b - 1), x = length <= b ? (length - 1) / unit : 1;
  return -ct_muscle_peak(u, m->actuator_acc0[i]) * u.fpmax * x / unit /
         ct_muscle_denominator(ct_muscle_optimal(u, range));
}

// How fast the activation of a muscle changes with control and activation.
LANE_FN static void muscle_rate_slopes(const mjtNum* prm, mjtNum control, mjtNum act,
                                       mjtNum* by_ctrl, mjtNum* by_act) {
  mjtNum excess = ct_clip(control, 0, 1) - act, inside = control > 0 && control < 1 ? 1 : 0;
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
    a.by_length = muscle_gain_by_length(m, d, i) * x;
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
    a.by_length += muscle_bias_by_length(m, d, i);
  } else if (m->actuator_biastype[i] != mjBIAS_NONE) {
    *s->reasons |= CT_NO_SLOPE_USER_CODE;
  }
  const mjtNum* range = m->actuator_forcerange + 2 * i;
  if (m->actuator_forcelimited[i] && !(a.force > range[0] && a.force < range[1])) {
    a.by_length = a.by_speed = a.by_input = 0;
  }
  return a;
}

// Does a limit hold the sum of actuator forces on the joint of a dof?
LANE_INLINE bool is_saturated(const mjModel* m, const mjData* d, int dof) {
  int joint = m->dof_jntid[dof];
  const mjtNum* range = m->jnt_actfrcrange + 2 * joint;
  mjtNum force = d->qfrc_actuator[dof];
  return m->jnt_actfrclimited[joint] && !(force > range[0] && force < range[1]);
}

// A ball or free joint: how its row and length change. The rotation vector of the joint is its
// length along the row, of a free joint there is none; given in the parent's axes, the row turns.
LANE_FN static void rotating_joint(ct_Slopes* s, int i, const ActuatorSlope* a) {
  const mjModel* m = s->m;
  const mjData* d = s->d;
  int joint = m->actuator_trnid[2 * i], type = m->jnt_type[joint];
  int turn = type == mjJNT_FREE ? 3 : 0, dof = m->jnt_dofadr[joint] + turn;
  const mjtNum* row = d->actuator_moment + d->moment_rowadr[i] + turn;
  mjtNum moment_slope[9], by_turn[9], length_slope[3] = {0, 0, 0}, unit[4], vec[3];
  ct_zero(moment_slope, 9);
  if (m->actuator_trntype[i] == mjTRN_JOINTINPARENT) ct_skew_polynomial(moment_slope, row, 0, 1, 0);
  if (type == mjJNT_BALL) {
    const mjtNum none[4] = {1, 0, 0, 0};
    ct_copy4(unit, d->qpos + m->jnt_qposadr[joint]);
    ct_normalize4(unit);
    ct_quat_to_vel(vec, unit, 1);
    ct_deriv_sub_quat(by_turn, unit, none);
    for (int j = 0; j < 3; j++) {
      for (int k = 0; k < 3; k++) {
        length_slope[j] += row[k] * by_turn[3 * k + j] + vec[k] * moment_slope[3 * k + j];
      }
    }
  }
  for (int e = 0; e < d->moment_rownnz[i]; e++) {
    int k = d->moment_colind[d->moment_rowadr[i] + e];
    mjtNum moment = d->actuator_moment[d->moment_rowadr[i] + e];
    for (int j = 0; j < 3; j++) {
      mjtNum rate = 0;
      for (int l = 0; l < 3; l++) rate += d->qvel[dof + l] * moment_slope[3 * l + j];
      ct_add_slope(s, k, ct_column_q(s, dof + j),
                   moment * (a->by_length * length_slope[j] + a->by_speed * rate));
      if (k < dof) continue;
      ct_add_slope(s, k, ct_column_q(s, dof + j), a->force * moment_slope[3 * (k - dof) + j]);
    }
  }
}

// A force and torque fixed in the frame of a site: w stays with the body, so only rows above a dof
// see it move, by S_j x* w.
LANE_FN static void site_wrench(ct_Slopes* s, int i, const ActuatorSlope* a) {
  const mjModel* m = s->m;
  const mjData* d = s->d;
  int site = m->actuator_trnid[2 * i], body = m->site_bodyid[site], last = ct_last_dof(m, body);
  const mjtNum *gear = m->actuator_gear + 6 * i, *point = d->site_xpos + 3 * site;
  mjtNum w[6];
  ct_mul_mat_vec3(w + 3, d->site_xmat + 9 * site, gear);
  ct_mul_mat_vec3(w, d->site_xmat + 9 * site, gear + 3);
  for (int j = last; j >= 0; j = m->dof_parentid[j]) {
    mjtNum axis[6], moved[6], before[6], other[6];
    ct_axis_at(s, j, point, axis);
    ct_cross_force(moved, axis, w);
    ct_transform_motion(before, s->speed_before + 6 * j, point, ct_reference_point(m, d, body),
                        NULL);
    mjtNum rate = a->by_speed * ct_dot6(before, moved);
    for (int k = last; k >= 0; k = m->dof_parentid[k]) {
      if (is_saturated(m, d, k)) continue;
      ct_axis_at(s, k, point, other);
      ct_add_slope(s, k, ct_column_q(s, j), ct_dot6(other, w) * rate);
      if (ct_turns_axis(s, j, k)) continue;
      ct_add_slope(s, k, ct_column_q(s, j), a->force * ct_dot6(other, moved));
    }
  }
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

// The share of an actuator whose length has the moment row for its gradient.
LANE_FN static void length_actuator(ct_Slopes* s, int i, const ActuatorSlope* a,
                                    const mjtNum* row_v, mjtNum gear) {
  const mjData* d = s->d;
  MomentRow row = moment_row(d, i);
  for (int e = 0; e < row.count; e++) {
    if (is_saturated(s->m, d, row.dof[e])) continue;
    mjtNum mine = row.moment[e];
    int dof = row.dof[e];
    for (int f = 0; f < row.count; f++) {
      ct_add_slope(s, dof, ct_column_q(s, row.dof[f]), mine * a->by_length * row.moment[f]);
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
    if (is_saturated(s->m, d, row.dof[e])) continue;
    int dof = row.dof[e];
    mjtNum by_input = row.moment[e] * a->by_input, by_speed = row.moment[e] * a->by_speed;
    for (int f = 0; f < row.count && a->by_speed != 0; f++) {
      ct_add_slope(s, dof, ct_column_v(s, row.dof[f]), by_speed * row.moment[f]);
    }
    ct_add_slope(s, dof, ct_column_ctrl(s, i), by_input * a->by_ctrl);
    if (a->act >= 0) ct_add_slope(s, dof, ct_column_act(s, a->act), by_input * a->by_act);
  }
}

// Two ends that an actuator acts between: a site and its reference site, or crank and slider. Each
// has a wrench (T; F) at its point, and m_i = S_i.(T; F) for the dofs i that move only this end:
//
//   dm_i/dq_j = S_i.(dT + dx x F; dF) - S_i.(S_j x* (T; F)), the last if j turns i
//
// with dx the motion of the point.
typedef struct {
  int site[2], body[2];
  const mjtNum* point[2];
  mjtNum wrench[2][6];
} EndPair;

typedef struct {  // what dof j does to it
  bool moves[2];
  mjtNum turn[2][3], shift[2][3];  // of both ends
  mjtNum wrench[2][6];
  mjtNum length;
} EndMotion;

// l = v.a - sqrt((v.a)^2 + r^2 - v.v), v from slider to crank, a the axis of the slider; without
// the root where the rod does not reach. Gradients by v and a are (k a + v/root, k v), k = 1 -
// v.a/root.
typedef struct {
  mjtNum v[3], a[3];
  mjtNum along, root, k;  // root 0: none
  mjtNum by_v[3], by_a[3];
} Crank;

LANE_FN static Crank open_crank(const ct_Slopes* s, int i, const EndPair* p) {
  const mjtNum* mat = s->d->site_xmat + 9 * p->site[1];
  mjtNum rod = s->m->actuator_cranklength[i];
  Crank c;
  for (int k = 0; k < 3; k++) c.a[k] = mat[3 * k + 2];
  ct_sub3(c.v, p->point[0], p->point[1]);
  c.along = ct_dot3(c.a, c.v);
  mjtNum det = c.along * c.along + rod * rod - ct_dot3(c.v, c.v);
  c.root = det > 0 ? ct_sqrt(det) : 0;
  c.k = det > 0 ? 1 - c.along / c.root : 1;
  ct_scl3(c.by_v, c.a, c.k);
  if (det > 0) ct_add_to_scl3(c.by_v, c.v, 1 / c.root);
  ct_scl3(c.by_a, c.v, c.k);
  return c;
}

LANE_FN static void crank_motion(const Crank* c, mjtNum gear, EndMotion* e) {
  mjtNum dv[3], da[3], by_v[3], by_a[3], part[3];
  ct_sub3(dv, e->shift[0], e->shift[1]);
  ct_cross(da, e->turn[1], c->a);
  e->length = gear * (ct_dot3(c->by_v, dv) + ct_dot3(c->by_a, da));
  mjtNum dk = 0, inverse = c->root > 0 ? 1 / c->root : 0;
  if (c->root > 0) {
    mjtNum along = ct_dot3(da, c->v) + ct_dot3(c->a, dv);
    mjtNum root = (c->along * along - ct_dot3(c->v, dv)) * inverse;
    dk = (c->along * root * inverse - along) * inverse;
    ct_scl3(by_v, c->v, -root * inverse * inverse);
    ct_add_to_scl3(by_v, dv, inverse);
  } else {
    ct_zero3(by_v);
  }
  ct_add_to_scl3(by_v, c->a, dk);
  ct_add_to_scl3(by_v, da, c->k);
  ct_scl3(by_a, c->v, dk);
  ct_add_to_scl3(by_a, dv, c->k);
  ct_zero3(e->wrench[0]);
  ct_scl3(e->wrench[0] + 3, by_v, gear);
  ct_scl3(e->wrench[1] + 3, by_v, -gear);
  ct_cross(e->wrench[1], da, c->by_a);
  ct_cross(part, c->a, by_a);
  ct_add_to3(e->wrench[1], part);
  ct_scl3(e->wrench[1], e->wrench[1], gear);
}

// How the rotation vector between the ends, as transmissions measure it, changes along gear.
LANE_FN static mjtNum turn_length(const ct_Slopes* s, const mjtNum* gear, const EndPair* p,
                                  const EndMotion* e) {
  const mjModel* m = s->m;
  mjtNum quat[2][4], by_turn[9], local[3], along[3], sum = 0;
  for (int k = 0; k < 2; k++) {
    ct_mul_quat(quat[k], m->site_quat + 4 * p->site[k], s->d->xquat + 4 * p->body[k]);
  }
  ct_deriv_sub_quat(by_turn, quat[0], quat[1]);
  for (int k = 0; k < 2; k++) {
    ct_mul_mat_t_vec3(local, s->d->xmat + 9 * p->body[k], e->turn[k]);
    if (k == 0) {
      ct_mul_mat_vec3(along, by_turn, local);
    } else {
      ct_mul_mat_t_vec3(along, by_turn, local);
    }
    sum += k ? -ct_dot3(gear, along) : ct_dot3(gear, along);
  }
  return sum;
}

// Force and torque turn with the reference site.
LANE_FN static void reference_motion(const ct_Slopes* s, const mjtNum* gear, const EndPair* p,
                                     EndMotion* e) {
  mjtNum dx[3], offset[3];
  for (int k = 0; k < 2; k++) {
    ct_cross(e->wrench[k], e->turn[1], p->wrench[k]);
    ct_cross(e->wrench[k] + 3, e->turn[1], p->wrench[k] + 3);
  }
  ct_sub3(dx, e->shift[0], e->shift[1]);
  ct_sub3(offset, p->point[0], p->point[1]);
  e->length = ct_dot3(p->wrench[0] + 3, dx) + ct_dot3(offset, e->wrench[0] + 3);
  if (gear[3] != 0 || gear[4] != 0 || gear[5] != 0) e->length += turn_length(s, gear + 3, p, e);
}

LANE_FN static EndPair open_pair(const ct_Slopes* s, int i, const Crank* crank) {
  const mjModel* m = s->m;
  const mjtNum* gear = m->actuator_gear + 6 * i;
  EndPair p;
  for (int k = 0; k < 2; k++) {
    p.site[k] = m->actuator_trnid[2 * i + k];
    p.body[k] = m->site_bodyid[p.site[k]];
    p.point[k] = s->d->site_xpos + 3 * p.site[k];
    mjtNum sign = k ? (mjtNum)-1 : (mjtNum)1;
    if (crank) {
      ct_scl3(p.wrench[k] + 3, crank->by_v, sign * gear[0]);
      ct_zero3(p.wrench[k]);
      if (k) ct_cross(p.wrench[k], crank->a, crank->by_a);
      ct_scl3(p.wrench[k], p.wrench[k], gear[0]);
    } else {
      const mjtNum* mat = s->d->site_xmat + 9 * m->actuator_trnid[2 * i + 1];
      ct_mul_mat_vec3(p.wrench[k] + 3, mat, gear);
      ct_mul_mat_vec3(p.wrench[k], mat, gear + 3);
      for (int c = 0; c < 6; c++) p.wrench[k][c] *= sign;
    }
  }
  return p;
}

LANE_FN static void end_motion(const ct_Slopes* s, const EndPair* p, int j, EndMotion* e) {
  for (int k = 0; k < 2; k++) {
    mjtNum axis[6];
    e->moves[k] = ct_chain_has(ct_chain(s->d, p->body[k]), j);
    ct_axis_at(s, j, p->point[k], axis);
    mjtNum scale = e->moves[k] ? (mjtNum)1 : (mjtNum)0;
    ct_scl3(e->turn[k], axis, scale);
    ct_scl3(e->shift[k], axis + 3, scale);
  }
}

// dm_i/dq_j of a dof i that moves end k.
LANE_FN static mjtNum end_entry(const ct_Slopes* s, const EndPair* p, const EndMotion* e, int k,
                                int i, int j) {
  mjtNum mine[6], change[6], part[6], axis[6];
  ct_axis_at(s, i, p->point[k], mine);
  ct_copy6(change, e->wrench[k]);
  ct_cross(part, e->shift[k], p->wrench[k] + 3);
  ct_add_to3(change, part);
  if (e->moves[k] && ct_turns_axis(s, j, i)) {  // then they are on one chain
    ct_axis_at(s, j, p->point[k], axis);
    ct_cross_force(part, axis, p->wrench[k]);
    for (int c = 0; c < 6; c++) change[c] -= part[c];
  }
  return ct_dot6(mine, change);
}

// Dofs that move both ends change no moment; but the length of a pair with a reference site, whose
// turn is not measured between the sites themselves.
LANE_INLINE bool moves_both(const ct_Slopes* s, const EndPair* p, int dof) {
  return ct_chain_has(ct_chain(s->d, p->body[0]), dof) &&
         ct_chain_has(ct_chain(s->d, p->body[1]), dof);
}

LANE_FN static void pair_column(ct_Slopes* s, int i, const ActuatorSlope* a, const EndPair* p,
                                const EndMotion* e, int j) {
  const mjModel* m = s->m;
  mjtNum rate = 0;
  bool together = moves_both(s, p, j);
  for (int k = 0; k < 2 && !together; k++) {
    for (int dof = ct_last_dof(m, p->body[k]); dof >= 0; dof = m->dof_parentid[dof]) {
      if (moves_both(s, p, dof)) break;
      mjtNum entry = end_entry(s, p, e, k, dof, j);
      rate += s->d->qvel[dof] * entry;
      if (!is_saturated(m, s->d, dof)) {
        ct_add_slope(s, dof, ct_column_q(s, j), a->force * entry);
      }
    }
  }
  MomentRow row = moment_row(s->d, i);
  mjtNum along = a->by_length * e->length + a->by_speed * rate;
  for (int k = 0; k < row.count && along != 0; k++) {
    if (is_saturated(m, s->d, row.dof[k])) continue;
    ct_add_slope(s, row.dof[k], ct_column_q(s, j), row.moment[k] * along);
  }
}

LANE_FN static void pair_slopes(ct_Slopes* s, int i, const ActuatorSlope* a) {
  const mjModel* m = s->m;
  const mjtNum* gear = m->actuator_gear + 6 * i;
  bool crank = m->actuator_trntype[i] == mjTRN_SLIDERCRANK;
  EndPair p = open_pair(s, i, NULL);
  Crank c;
  if (crank) {
    c = open_crank(s, i, &p);
    p = open_pair(s, i, &c);
  }
  for (int k = 0; k < 2; k++) {
    for (int j = ct_last_dof(m, p.body[k]); j >= 0; j = m->dof_parentid[j]) {
      EndMotion e;
      if (k && moves_both(s, &p, j)) break;  // seen with the other end
      end_motion(s, &p, j, &e);
      if (crank) {
        crank_motion(&c, gear[0], &e);
      } else {
        reference_motion(s, gear, &p, &e);
      }
      pair_column(s, i, a, &p, &e, j);
    }
  }
}

LANE_FN static void one_actuator(ct_Slopes* s, int i) {
  const mjModel* m = s->m;
  int id = m->actuator_trnid[2 * i], type = m->actuator_trntype[i];
  ActuatorSlope a = actuator_slopes(s, i);
  if (ct_actuator_disabled(m, i)) return;
  mjtNum* drive = s->drive + CT_DRIVE * i;
  drive[0] = a.by_length;
  drive[1] = a.by_speed;
  drive[2] = a.by_input * a.by_ctrl;
  drive[3] = a.act >= 0 ? a.by_input * a.by_act : 0;
  moment_columns(s, i, &a);
  if (type == mjTRN_JOINT || type == mjTRN_JOINTINPARENT) {
    if (m->jnt_type[id] == mjJNT_HINGE || m->jnt_type[id] == mjJNT_SLIDE) {
      if (a.by_length != 0) length_actuator(s, i, &a, NULL, 0);
    } else {
      rotating_joint(s, i, &a);
    }
  } else if (type == mjTRN_TENDON) {
    length_actuator(s, i, &a, s->length_v + (size_t)id * (size_t)s->nv, m->actuator_gear[6 * i]);
  } else if (type == mjTRN_SITE && m->actuator_trnid[2 * i + 1] < 0) {
    site_wrench(s, i, &a);
  } else if (type == mjTRN_SITE || type == mjTRN_SLIDERCRANK) {
    pair_slopes(s, i, &a);
  } else {
    *s->reasons |= CT_NO_SLOPE_TRANSMISSION;
  }
}

// A limit of the sum of forces along a tendon is not differentiated. Nor is one of a joint that a
// spatial tendon pulls: the part of the force that follows from the path's own change is added for
// all actuators of a tendon at once.
LANE_FN static void check_limits(ct_Slopes* s) {
  const mjModel* m = s->m;
  const mjData* d = s->d;
  for (int t = 0; t < m->ntendon; t++) {
    if (!m->tendon_actfrclimited[t]) continue;
    mjtNum sum = 0;
    for (int i = 0; i < m->nu; i++) {
      bool drives = m->actuator_trntype[i] == mjTRN_TENDON && m->actuator_trnid[2 * i] == t;
      if (drives) sum += d->actuator_force[i];
    }
    const mjtNum* range = m->tendon_actfrcrange + 2 * t;
    if (!(sum > range[0] && sum < range[1])) *s->reasons |= CT_NO_SLOPE_TENDON;
  }
  for (int i = 0; i < m->nu; i++) {
    int tendon = m->actuator_trnid[2 * i];
    if (m->actuator_trntype[i] != mjTRN_TENDON) continue;
    if (m->wrap_type[m->tendon_adr[tendon]] == mjWRAP_JOINT) continue;
    for (int e = 0; e < d->moment_rownnz[i]; e++) {
      if (is_saturated(m, d, d->moment_colind[d->moment_rowadr[i] + e])) {
        *s->reasons |= CT_NO_SLOPE_TENDON;
      }
    }
  }
}

// Gravity compensation that is left to actuators is lost where there are none, or held by a limit.
LANE_FN static void check_compensation(ct_Slopes* s, bool acts) {
  const mjModel* m = s->m;
  for (int k = 0; k < m->nv && m->ngravcomp > 0; k++) {
    bool left = m->jnt_actgravcomp[m->dof_jntid[k]] != 0;
    if (left && (!acts || is_saturated(m, s->d, k))) *s->reasons |= CT_NO_SLOPE_TRANSMISSION;
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
    bool acts = s->acts && m->nu > 0 && !(m->opt.disableflags & mjDSBL_ACTUATION);
    for (int i = 0; i < m->nu && acts; i++) one_actuator(s, i);
    if (acts) check_limits(s);
    check_compensation(s, acts);
  }
}
