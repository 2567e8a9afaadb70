// How the slopes of forces by velocity change that implicit integrators solve with.
//
// Beside the bias (integrator_slopes.c) D has three kinds of parts: dampers of dofs, which are
// constant, and
//
//   actuators, tendons   sigma m m' on the places of D, m being the moment row or that of the
//   tendon
//                        and sigma how the force along it changes with its velocity
//   medium               J_b' B_b J_b of each body, B_b the slope of its wrench by its twist
//
// so that with x = acc^ fixed and p_i = sum m_j x_j over the j for which D has a place (i, j)
//
//   d(D x)_i = dsigma m_i p_i + sigma (dm_i p_i + m_i sum x_j dm_j),
//
// the last sum over the same j; dm is from transmission_slopes.c. sigma of a muscle depends on
// length, velocity and activation, that of an affine gain on its input, and that of a tendon's
// damper is constant.
//
// The medium acts on body b by B_b X with X = sum S_k x_k, a wrench that goes with the body, as its
// force does (force_slopes.c): with C = d(B_b X)/dV at fixed X, V the twist relative to the wind,
//
//   by v_j: C S_j,   by q_j: C (V_j x S_j + wind that turns away) + B_b (X_j x S_j), + S_j x* B_b X
//
// the last for rows above j alone; V_j and X_j are sums before j. implicitfast drops all of a
// simple body's dofs but the diagonal, so that its rows have an X of their own, S_i x_i.

#include <corten/derivative.h>

#include "derive/muscle_slopes.h"
#include "derive/step_work.h"
#include "engine/smooth/actuation.h"
#include "engine/smooth/fluid.h"
#include "engine/smooth/passive.h"

// h times a change of (D acc^)_row.
LANE_INLINE void add_change(const ct_StepWork* w, int row, int column, mjtNum x) {
  const ct_Slopes* s = &w->s;
  mjtNum scaled = s->m->opt.timestep * x;
  if (s->y) {
    s->by[column] += w->across[row] * scaled;
  } else {
    w->other[(size_t)row * (size_t)s->width + (size_t)column] += scaled;
  }
}

LANE_FN static bool row_has(const int* adr, const int* nnz, const int* column, int row,
                            int wanted) {
  for (int k = adr[row]; k < adr[row] + nnz[row]; k++) {
    if (column[k] == wanted) return true;
  }
  return false;
}

// Does the integrator's D have a place for dofs i and j? That of implicitfast is as M, of which the
// lower half is stored.
LANE_FN static bool has_place(const ct_StepWork* w, int i, int j) {
  const mjModel* m = w->s.m;
  if (w->mover == CT_MOVES_BY_LU) return row_has(m->D_rowadr, m->D_rownnz, m->D_colind, i, j);
  return row_has(m->M_rowadr, m->M_rownnz, m->M_colind, i > j ? i : j, i > j ? j : i);
}

// Actuators and tendons

typedef struct {  // sigma, and how it changes
  mjtNum slope, by_length, by_speed, by_input;
} Sigma;

// Row i of one of them, of which ct_transmission_slopes has just told; dsigma by position is in
// w->sum.
LANE_FN static void driven_row(ct_StepWork* w, int i, int count, const Sigma* sigma, int ctrl,
                               const mjtNum by_input[2], int act) {
  const ct_Slopes* s = &w->s;
  size_t nv = (size_t)s->nv;
  mjtNum* x = s->row;
  mjtNum mine = s->lever[i], p = 0;
  for (int e = 0; e < count; e++) {
    int j = s->driven[e];
    x[j] = has_place(w, i, j) ? w->moved[j] : 0;
    p += s->lever[j] * x[j];
  }
  for (int f = 0; f < count; f++) {
    int c = s->driven[f];
    mjtNum turned = 0;
    for (int e = 0; e < count && mine != 0 && sigma->slope != 0; e++) {
      int j = s->driven[e];
      turned += x[j] * s->bend[(size_t)j * nv + (size_t)c];
    }
    mjtNum change = mine * (w->sum[c] * p + sigma->slope * turned);
    change += sigma->slope * s->bend[(size_t)i * nv + (size_t)c] * p;
    if (change != 0) add_change(w, i, ct_column_q(s, c), change);
    mjtNum faster = sigma->by_speed * s->lever[c] * mine * p;
    if (faster != 0) add_change(w, i, ct_column_v(s, c), faster);
  }
  mjtNum fed = sigma->by_input * mine * p;
  if (ctrl >= 0 && fed != 0) add_change(w, i, ct_column_ctrl(s, ctrl), by_input[0] * fed);
  if (act >= 0 && fed != 0) add_change(w, i, ct_column_act(s, act), by_input[1] * fed);
}

// dsigma by position, from length and velocity, for all columns.
LANE_FN static void find_change(ct_StepWork* w, int count, const Sigma* sigma) {
  const ct_Slopes* s = &w->s;
  for (int f = 0; f < count; f++) {
    int c = s->driven[f];
    mjtNum rate = 0;
    for (int e = 0; e < count && sigma->by_speed != 0; e++) {
      int j = s->driven[e];
      rate += s->d->qvel[j] * s->bend[(size_t)j * (size_t)s->nv + (size_t)c];
    }
    w->sum[c] = sigma->by_length * s->stretch[c] + sigma->by_speed * rate;
  }
}

// As the engine has it: the control without limits, the activation perhaps that after the step.
LANE_FN static Sigma sigma_of(const mjModel* m, const mjData* d, int i) {
  const mjtNum *gain = m->actuator_gainprm + mjNGAIN * i, *range = m->actuator_forcerange + 2 * i;
  mjtNum force = d->actuator_force[i];
  Sigma sigma = {0, 0, 0, 0};
  if (ct_actuator_disabled(m, i)) return sigma;
  if (m->actuator_forcelimited[i] && (force <= range[0] || force >= range[1])) return sigma;
  if (m->actuator_gaintype[i] == mjGAIN_AFFINE) sigma.by_input = gain[2];
  if (m->actuator_gaintype[i] == mjGAIN_MUSCLE) {
    sigma.by_input =
        ct_muscle_gain_slope(d->actuator_length[i], d->actuator_velocity[i],
                             m->actuator_lengthrange + 2 * i, m->actuator_acc0[i], gain);
    ct_muscle_gain_bends(m, d, i, &sigma.by_length, &sigma.by_speed);
  }
  // a bad control, which actuation takes for zero, must not matter where gains have no slope
  if (sigma.by_input != 0 || sigma.by_length != 0 || sigma.by_speed != 0) {
    mjtNum control = m->actuator_dyntype[i] == mjDYN_NONE ? d->ctrl[i] : 0;
    mjtNum input = ct_actuator_input(m, d, i, control);
    sigma.by_length *= input;
    sigma.by_speed *= input;
    sigma.slope = sigma.by_input != 0 ? sigma.by_input * input : 0;
  }
  if (m->actuator_biastype[i] == mjBIAS_AFFINE) {
    sigma.slope += m->actuator_biasprm[mjNBIAS * i + 2];
  }
  return sigma;
}

// Does the row of an actuator stay as it is?
LANE_FN static bool is_straight(const mjModel* m, int i) {
  int id = m->actuator_trnid[2 * i], type = m->actuator_trntype[i];
  if (type == mjTRN_TENDON) return !ct_is_spatial(m, id);
  if (type != mjTRN_JOINT && type != mjTRN_JOINTINPARENT) return false;
  return m->jnt_type[id] == mjJNT_HINGE || m->jnt_type[id] == mjJNT_SLIDE || type == mjTRN_JOINT;
}

LANE_FN static void one_actuator(ct_StepWork* w, int i) {
  ct_Slopes* s = &w->s;
  const mjModel* m = s->m;
  Sigma sigma = sigma_of(m, s->d, i);
  bool varies = sigma.by_length != 0 || sigma.by_speed != 0 || sigma.by_input != 0;
  if (!varies && (sigma.slope == 0 || is_straight(m, i))) return;
  const mjtNum* drive = s->drive + CT_DRIVE * i;
  int act = m->actuator_actadr[i] < 0 ? -1 : m->actuator_actadr[i] + m->actuator_actnum[i] - 1;
  mjtNum by_input[2] = {act < 0 ? 1 : drive[4], drive[5]};
  int count = ct_transmission_slopes(s, i);
  find_change(w, count, &sigma);
  for (int e = 0; e < count; e++) driven_row(w, s->driven[e], count, &sigma, i, by_input, act);
}

LANE_FN static void one_damper(ct_StepWork* w, int t) {
  ct_Slopes* s = &w->s;
  Sigma sigma = {-s->m->tendon_damping[t], 0, 0, 0};
  const mjtNum none[2] = {0, 0};
  if (sigma.slope == 0 || !ct_is_spatial(s->m, t)) return;
  int count = ct_damper_slopes(s, t);
  find_change(w, count, &sigma);
  for (int e = 0; e < count; e++) driven_row(w, s->driven[e], count, &sigma, -1, none, -1);
}

// The medium

typedef struct {  // a body, what X is of, and where it acts
  int body, last;
  int only;  // row of a simple body, whose X is of this dof alone; -1: all rows
  mjtNum B[36], C[36], X[6], push[6];
} BodyDamping;

LANE_INLINE void mul6(mjtNum res[6], const mjtNum A[36], const mjtNum x[6]) {
  for (int r = 0; r < 6; r++) res[r] = ct_dot6(A + 6 * r, x);
}

// Sum of S_k x_k over the dofs of the body up to `end`.
LANE_FN static void twist_up_to(const ct_StepWork* w, const BodyDamping* b, int end,
                                mjtNum twist[6]) {
  const ct_Slopes* s = &w->s;
  ct_zero6(twist);
  for (int k = b->last; k >= 0; k = s->m->dof_parentid[k]) {
    bool counts = k < end && (b->only < 0 || b->only == k);
    if (counts) ct_add_to_scl6(twist, s->d->cdof + 6 * k, w->moved[k]);
  }
}

LANE_FN static void damped_column(const ct_StepWork* w, const BodyDamping* b, int j) {
  const ct_Slopes* s = &w->s;
  const mjtNum* axis = s->d->cdof + 6 * j;
  mjtNum before[6], rate[6], wind[3], by_q[6], by_v[6], part[6], moved[6];
  ct_cross_motion(rate, s->speed_before + 6 * j, axis);
  ct_cross(wind, axis, s->m->opt.wind);
  ct_add_to3(rate + 3, wind);
  mul6(by_q, b->C, rate);
  mul6(by_v, b->C, axis);
  twist_up_to(w, b, s->first[j], before);
  ct_cross_motion(part, before, axis);
  mul6(moved, b->B, part);
  ct_add_to6(by_q, moved);
  ct_cross_force(moved, axis, b->push);
  for (int i = b->last; i >= 0; i = s->m->dof_parentid[i]) {
    const mjtNum* mine = s->d->cdof + 6 * i;
    if (b->only >= 0 && b->only != i) continue;
    mjtNum change = ct_dot6(mine, by_q);
    if (!ct_turns_axis(s, j, i)) change += ct_dot6(mine, moved);
    add_change(w, i, ct_column_q(s, j), change);
    add_change(w, i, ct_column_v(s, j), ct_dot6(mine, by_v));
  }
}

LANE_FN static void damped_rows(Lane g, const ct_StepWork* w, BodyDamping* b) {
  const ct_Slopes* s = &w->s;
  bool symmetric = w->mover == CT_MOVES_FAST;
  twist_up_to(w, b, s->nv, b->X);
  mul6(b->push, b->B, b->X);
  ct_fluid_bend(s->m, s->d, b->body, symmetric, b->X, b->C);
  for (int j = b->last; j >= 0; j = s->m->dof_parentid[j]) {
    if (LANE_OWNS(g, j)) damped_column(w, b, j);
  }
}

LANE_FN static void damped_body(Lane g, const ct_StepWork* w, int body) {
  const ct_Slopes* s = &w->s;
  const mjModel* m = s->m;
  BodyDamping b;
  b.body = body;
  b.last = ct_last_dof(m, body);
  b.only = -1;
  if (b.last < 0) return;
  bool fast = w->mover == CT_MOVES_FAST;
  ct_fluid_damping(m, s->d, body, fast, b.B);
  if (!fast || !m->dof_simplenum[b.last]) {
    damped_rows(g, w, &b);
    return;
  }
  for (b.only = b.last; b.only >= 0; b.only = m->dof_parentid[b.only]) damped_rows(g, w, &b);
}

LANE_FN void ct_damping_slopes(Lane g, ct_StepWork* w) {
  ct_Slopes* s = &w->s;
  const mjModel* m = s->m;
  bool passive = ct_has_passive(m), acts = !(m->opt.disableflags & mjDSBL_ACTUATION);
  bool damps = passive && !(m->opt.disableflags & mjDSBL_DAMPER);
  LANE_ALONE(g) {
    for (int i = 0; i < m->nu && acts; i++) one_actuator(w, i);
    for (int t = 0; t < m->ntendon && damps; t++) one_damper(w, t);
  }
  for (int b = 1; b < m->nbody && passive && ct_has_fluid(m); b++) damped_body(g, w, b);
  lane_sync(g);
}
