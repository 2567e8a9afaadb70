// From the slopes of all forces to those of a step.
//
// Every part adds its share to R = -dG/dx and to H; then da = H^-1 R, and the integrator
// (integrator_slopes.c) makes d acc^ of that. Then v+ = v + h acc^ and q+ = q (+) h v+, of which
// quaternions have their own derivatives (math/quat_derivatives.h).
//
// A product with one direction w needs R w and one solution, and the product with weights of the
// next state needs the solution for these and then R' times that: no matrix is solved for.

#include "derive/step_slopes.h"

#include <corten/derivative.h>

#include "base/memory/scratch.h"
#include "derive/step_work.h"
#include "engine/constraint/constraint.h"
#include "engine/integrate.h"
#include "engine/smooth/actuation.h"
#include "engine/smooth/factor.h"
#include "engine/smooth/fluid.h"
#include "engine/smooth/mass_matrix.h"
#include "engine/smooth/passive.h"
#include "math/lane_vec.h"
#include "math/quat_derivatives.h"

#ifdef mjUSESINGLE
#define LARGEST_SLOPE ((mjtNum)1e37)
#else
#define LARGEST_SLOPE ((mjtNum)1e300)
#endif

// Reasons

LANE_FN unsigned ct_reasons_of_model(const mjModel* m) {
  unsigned reasons = 0;
  int integrator = m->opt.integrator;
  if (m->nflex > 0) reasons |= CT_NO_SLOPE_FLEX;
  if (m->nplugin > 0 || m->nhistory > 0) reasons |= CT_NO_SLOPE_USER_CODE;
  if (m->opt.enableflags & mjENBL_SLEEP) reasons |= CT_NO_SLOPE_SLEEP;
  if (m->opt.noslip_iterations > 0) reasons |= CT_NO_SLOPE_NOSLIP;
  if (integrator != mjINT_EULER && integrator != mjINT_IMPLICIT &&
      integrator != mjINT_IMPLICITFAST && integrator != mjINT_RK4) {
    reasons |= CT_NO_SLOPE_INTEGRATOR;
  }
  if (ct_has_fluid(m) && ct_has_passive(m)) {
    if (m->opt.viscosity < 0 || m->opt.density < 0) reasons |= CT_NO_SLOPE_FLUID;
  }
  return reasons;
}

LANE_INLINE bool is_forbidden(unsigned reasons) {
  return (reasons & ~CT_SLOPE_NOTES) != 0;
}

// Accelerations

LANE_FN static mjtNum unbalance(Lane g, ct_StepWork* w) {
  ct_Slopes* s = &w->s;
  mjData* d = s->d;
  ct_mul_M(g, s->m, d, w->sum, s->acc);
  lane_sync(g);
  if (d->nefc) {
    ct_mul_jac_t_vec(g, s->m, d, w->rest, s->force);
    lane_sync(g);
  }
  mjtNum worst, scale;
  LANE_MAX(scale, k, g, s->nv, 1, ct_abs(d->qfrc_smooth[k]));
  LANE_MAX(worst, k, g, s->nv, 0,
           ct_abs(w->sum[k] - d->qfrc_smooth[k] - (d->nefc ? w->rest[k] : 0)));
  lane_sync(g);
  return worst / scale;
}

// Nothing that is not a number goes out as a derivative.

// Counts those that are none; words by two sums, so that they do not wait for each other.
LANE_FN static inline bool are_numbers(const mjtNum* x, int n) {
  const Wide one = wide_all(1), most = wide_all(LARGEST_SLOPE), least = wide_all(-LARGEST_SLOPE);
  Wide sum[2] = {wide_all(0), wide_all(0)};
  int i = 0;
  for (; i + 2 * LANE_WIDTH <= n; i += 2 * LANE_WIDTH) {
    for (int k = 0; k < 2; k++) {
      Wide here = wide_load(x + i + k * LANE_WIDTH);
      Wide below = wide_if_not_less(most, here, one);
      sum[k] = wide_add(sum[k], wide_if_not_less(here, least, below));
    }
  }
  mjtNum count[LANE_WIDTH];
  wide_store(count, wide_add(sum[0], sum[1]));
  mjtNum good = (mjtNum)(n - i);
  for (int k = 0; k < LANE_WIDTH; k++) good += count[k];
  for (; i < n; i++) good -= ct_abs(x[i]) <= LARGEST_SLOPE ? 0 : 1;
  return good == (mjtNum)n;
}

LANE_FN static bool rows_are_numbers(Lane g, const mjtNum* x, int rows, int columns, int width) {
  mjtNum bad;
  LANE_MAX(bad, i, g, rows, 0,
           are_numbers(x + (size_t)i * (size_t)width, columns) ? (mjtNum)0 : (mjtNum)1);
  lane_sync(g);
  return bad == 0;
}

// Of a result, which may be missing.
LANE_FN static bool is_result(Lane g, const mjtNum* x, int rows, int columns) {
  return rows_are_numbers(g, x, x ? rows : 0, columns, columns);
}

// The integrator may make infinite numbers of finite ones, as may directions and weights.
LANE_FN static bool results_are_numbers(Lane g, const mjModel* m, const ct_SlopeTarget* to) {
  int nv = (int)m->nv, n = 2 * nv + (int)m->na, nu = (int)m->nu, ns = (int)m->nsensordata;
  bool good = is_result(g, to->A, n, n);
  good = is_result(g, to->B, n, nu) && good;
  good = is_result(g, to->C, ns, n) && good;
  good = is_result(g, to->D, ns, nu) && good;
  if (to->product) {
    good = is_result(g, to->product->dy, 1, n) && good;
    good = is_result(g, to->product->by_y ? to->product->by_x : NULL, 1, n) && good;
    good = is_result(g, to->product->by_y ? to->product->by_u : NULL, 1, nu) && good;
  }
  if (to->extra) {
    good = is_result(g, to->extra->out, n, to->extra->count) && good;
    good = is_result(g, to->extra->by, 1, to->extra->count) && good;
  }
  if (to->forward) good = is_result(g, to->forward->force, nv, nv) && good;
  return good;
}

// Are there no constraints, so that H is M?
LANE_INLINE bool is_free(const ct_Slopes* s) {
  return s->d->nefc == 0;
}

// Accelerations, and slopes that only some models set.
LANE_FN static void start_slopes(Lane g, ct_Slopes* s) {
  ct_prepare_slopes(g, s);
  lane_copy(g, s->acc, s->d->qacc, s->nv);
  LANE_ONCE(g) {
    ct_zero6(s->push);
    *s->reasons = 0;
  }
  LANE_FOR(k, g, s->na) {
    s->act_by_act[k] = 0;
  }
  LANE_FOR(i, g, s->nu) {
    s->act_by_ctrl[i] = 0;
    ct_zero(s->drive + CT_DRIVE * i, CT_DRIVE);
  }
  lane_sync(g);
}

// R of forces and rows: in rhs, or weighed.
LANE_FN static void add_slopes(Lane g, ct_Slopes* s) {
  if (s->m->ntendon) {
    ct_tendon_slopes(g, s);
    ct_tendon_inertia_slopes(g, s);
  }
  ct_force_slopes(g, s);
  if (s->d->nefc) ct_row_slopes(g, s);
}

// R in rhs, and H; only H where weights will do.
LANE_FN static void assemble(Lane g, ct_StepWork* w) {
  ct_Slopes* s = &w->s;
  start_slopes(g, s);
  if (!is_free(s) || !s->pushed) ct_load_M(g, s->m, &s->H, s->d->M);
  ct_row_forces(g, s);
  if (w->lean) {
    ct_sweep_motion(g, s);
  } else {
    ct_InertialTarget to = {-1, s->rhs, s->rhs + s->nv, true};
    lane_set_zero(g, s->rhs, (mjtSize)s->nv * s->width);
    lane_sync(g);
    ct_inertial_slopes(g, s, s->d->qvel, s->acc, true, to);
  }
  if (s->d->nefc) {
    ct_row_pattern(g, s);
    ct_row_hessian(g, s, w->lean);
  }
  if (!w->lean) add_slopes(g, s);
}

// Without rows the factor of M is that of H; products need nothing but that.
LANE_FN static void factor_H(Lane g, ct_StepWork* w) {
  ct_Slopes* s = &w->s;
  if (is_free(s)) {
    if (w->columns) ct_load_factor(g, s->m, &s->H, s->d->qLD, s->d->qLDiagInv);
    return;
  }
  ct_complete_pattern(g, &s->H);
  if (!ct_factor_sparse(g, &s->H)) {
    LANE_ALONE(g) {
      *s->reasons |= CT_NO_SLOPE_NUMBERS;
    }
  }
}

// x = H^-1 x
LANE_FN static void solve_H(Lane g, const ct_Slopes* s, mjtNum* x) {
  if (is_free(s)) {
    ct_solve(g, s->m, s->d, s->d->qLD, s->d->qLDiagInv, x);
    lane_sync(g);
  } else {
    ct_solve_sparse(g, &s->H, x);
  }
}

// The next state

// Row i of the velocities: h d acc^, and one on the diagonal.
LANE_FN static void speed_row(const ct_StepWork* w, int i, ct_SlopeTarget* to) {
  const ct_Slopes* s = &w->s;
  const mjtNum* row = ct_slope_row(s, i);
  int n = 2 * s->nv + s->na;
  mjtNum h = s->m->opt.timestep;
  if (to->A) {
    mjtNum* out = to->A + (size_t)(s->nv + i) * (size_t)n;
    for (int c = 0; c < n; c++) out[c] = h * row[c];
    out[s->nv + i] += 1;
  }
  if (to->B) {
    mjtNum* out = to->B + (size_t)(s->nv + i) * (size_t)s->nu;
    for (int c = 0; c < s->nu; c++) out[c] = h * row[n + c];
  }
}

// Rows of the positions from those of the velocities (columns of one matrix): h times, with
// quaternions by_z between.
LANE_FN static void place_row(const mjtNum* rows, mjtNum* out, int columns, mjtNum h) {
  for (int c = 0; c < columns; c++) out[c] = h * rows[c];
}

LANE_FN static void turn_rows(const mjtNum* rows, mjtNum* out, int columns, mjtNum h,
                              const mjtNum by_z[9]) {
  size_t n = (size_t)columns;
  for (size_t r = 0; r < 3; r++) {
    mjtNum a = h * by_z[3 * r], b = h * by_z[3 * r + 1], c = h * by_z[3 * r + 2];
    for (size_t k = 0; k < n; k++)
      out[r * n + k] = a * rows[k] + b * rows[n + k] + c * rows[2 * n + k];
  }
}

// The two derivatives of a rotation that the step makes.
LANE_FN static void rotation_slopes(const ct_StepWork* w, int turn, mjtNum by_quat[9],
                                    mjtNum by_z[9]) {
  mjtNum h = w->s.m->opt.timestep, z[3];
  for (int k = 0; k < 3; k++) z[k] = h * (w->s.d->qvel[turn + k] + h * w->moved[turn + k]);
  ct_deriv_quat_integrate(by_quat, by_z, z);
}

LANE_FN static void joint_rows(const ct_StepWork* w, int joint, ct_SlopeTarget* to) {
  const ct_Slopes* s = &w->s;
  const mjModel* m = s->m;
  int type = m->jnt_type[joint], first = m->jnt_dofadr[joint], n = 2 * s->nv + s->na;
  int straight = type == mjJNT_BALL ? 0 : type == mjJNT_FREE ? 3 : 1;
  mjtNum h = m->opt.timestep;
  size_t speeds = (size_t)s->nv;
  for (int k = first; k < first + straight; k++) {
    if (to->A) {
      mjtNum* out = to->A + (size_t)k * (size_t)n;
      place_row(to->A + (speeds + (size_t)k) * (size_t)n, out, n, h);
      out[k] += 1;
    }
    if (to->B) {
      place_row(to->B + (speeds + (size_t)k) * (size_t)s->nu, to->B + (size_t)k * (size_t)s->nu,
                s->nu, h);
    }
  }
  if (type != mjJNT_BALL && type != mjJNT_FREE) return;
  int turn = first + straight;
  mjtNum by_quat[9], by_z[9];
  rotation_slopes(w, turn, by_quat, by_z);
  if (to->A) {
    mjtNum* out = to->A + (size_t)turn * (size_t)n;
    turn_rows(to->A + (speeds + (size_t)turn) * (size_t)n, out, n, h, by_z);
    for (int r = 0; r < 3; r++) {
      for (int c = 0; c < 3; c++) out[r * n + turn + c] += by_quat[3 * r + c];
    }
  }
  if (to->B) {
    turn_rows(to->B + (speeds + (size_t)turn) * (size_t)s->nu, to->B + (size_t)turn * (size_t)s->nu,
              s->nu, h, by_z);
  }
}

// How act moves on: act + g act_dot, unless a limit holds it. By itself and by the control of its
// actuator i.
LANE_FN static void next_activation(const ct_StepWork* w, int i, int k, mjtNum* by_act,
                                    mjtNum* by_ctrl) {
  const ct_Slopes* s = &w->s;
  const mjModel* m = s->m;
  int last = m->actuator_actadr[i] + m->actuator_actnum[i] - 1;
  bool off = (m->opt.disableflags & mjDSBL_ACTUATION) != 0;
  bool still = off || ct_actuator_disabled(m, i);
  mjtNum h = m->opt.timestep, tau = ct_max(mjMINVAL, m->actuator_dynprm[mjNDYN * i]);
  mjtNum time = m->actuator_dyntype[i] == mjDYN_FILTEREXACT ? tau * (1 - ct_exp(-h / tau)) : h;
  mjtNum rate = still ? 0 : s->d->act_dot[k], next = s->d->act[k] + time * rate;
  const mjtNum* range = m->actuator_actrange + 2 * i;
  bool held = !off && m->actuator_actlimited[i] && (next < range[0] || next > range[1]);
  *by_act = held ? 0 : 1;
  *by_ctrl = 0;
  if (k == last && !still && !held) {
    *by_act += time * s->act_by_act[k];
    *by_ctrl = time * s->act_by_ctrl[i];
  }
}

LANE_FN static void activation_rows(const ct_StepWork* w, int i, ct_SlopeTarget* to) {
  const ct_Slopes* s = &w->s;
  int first = s->m->actuator_actadr[i], end = first + s->m->actuator_actnum[i];
  size_t n = (size_t)(2 * s->nv + s->na);
  for (int k = first; first >= 0 && k < end; k++) {
    size_t row = (size_t)(2 * s->nv + k);
    mjtNum by_act, by_ctrl;
    next_activation(w, i, k, &by_act, &by_ctrl);
    if (to->A) {
      ct_zero(to->A + row * n, (int)n);
      to->A[row * n + row] = by_act;
    }
    if (to->B) {
      ct_zero(to->B + row * (size_t)s->nu, s->nu);
      to->B[row * (size_t)s->nu + (size_t)i] = by_ctrl;
    }
  }
}

LANE_FN static void write_step(Lane g, ct_StepWork* w, ct_SlopeTarget* to) {
  const ct_Slopes* s = &w->s;
  LANE_FOR(i, g, s->nv) {
    speed_row(w, i, to);
  }
  lane_sync(g);
  LANE_FOR(joint, g, s->m->njnt) {
    joint_rows(w, joint, to);
  }
  LANE_FOR(i, g, s->nu) {
    activation_rows(w, i, to);
  }
  lane_sync(g);
}

// Rates: da, and how act_dot changes, for Runge-Kutta.
LANE_FN static void write_rates(Lane g, ct_StepWork* w, const ct_RateTarget* to) {
  const ct_Slopes* s = &w->s;
  const mjModel* m = s->m;
  size_t columns = (size_t)(2 * s->nv + s->na + s->nu);
  LANE_FOR(i, g, s->nv) {
    const mjtNum* row = ct_slope_row(s, i);
    for (size_t c = 0; c < columns; c++) to->acc[(size_t)i * columns + c] = row[c];
  }
  LANE_FOR(k, g, s->na) {
    to->act_by_act[k] = s->act_by_act[k];
    for (int i = 0; i < s->nu; i++) to->act_by_ctrl[(size_t)k * (size_t)s->nu + (size_t)i] = 0;
  }
  lane_sync(g);
  LANE_FOR(i, g, s->nu) {
    int act = m->actuator_actadr[i] < 0 ? -1 : m->actuator_actadr[i] + m->actuator_actnum[i] - 1;
    if (act >= 0) to->act_by_ctrl[(size_t)act * (size_t)s->nu + (size_t)i] = s->act_by_ctrl[i];
  }
  lane_sync(g);
}

// Products: the same chain for one direction, and backwards for weights of the next state.

// res = X w over the columns of state and controls.
LANE_FN static void mul_columns(Lane g, const ct_Slopes* s, const mjtNum* X,
                                const ct_DerivativeProduct* to, mjtNum* res) {
  int n = 2 * s->nv + s->na;
  LANE_FOR(i, g, s->nv) {
    const mjtNum* row = X + (size_t)i * (size_t)s->width;
    mjtNum sum = 0;
    for (int c = 0; to->dx && c < n; c++) sum += row[c] * to->dx[c];
    for (int c = 0; to->du && c < s->nu; c++) sum += row[n + c] * to->du[c];
    res[i] = sum;
  }
  lane_sync(g);
}

// Weights of state and controls from those of rows, a block of columns at a time.
LANE_FN static void add_rows_weighted(Lane g, const ct_Slopes* s, const mjtNum* X,
                                      const mjtNum* weight, const ct_DerivativeProduct* to) {
  enum { BLOCK = 8 };
  int n = 2 * s->nv + s->na, columns = n + s->nu;
  LANE_FOR(b, g, (columns + BLOCK - 1) / BLOCK) {
    mjtNum sum[BLOCK];
    int first = BLOCK * b;
    for (int c = 0; c < BLOCK; c++) sum[c] = 0;
    for (int i = 0; i < s->nv; i++) {
      const mjtNum* row = X + (size_t)i * (size_t)s->width + (size_t)first;
      for (int c = 0; c < BLOCK; c++) sum[c] += weight[i] * row[c];
    }
    for (int c = 0; c < BLOCK && first + c < columns; c++) {
      int k = first + c;
      if (k < n && to->by_x) to->by_x[k] += sum[c];
      if (k >= n && to->by_u) to->by_u[k - n] += sum[c];
    }
  }
  lane_sync(g);
}

// The first rotation of a joint; -1: it has none.
LANE_INLINE int turning_dof(const mjModel* m, int joint) {
  int type = m->jnt_type[joint];
  return type == mjJNT_BALL   ? m->jnt_dofadr[joint]
         : type == mjJNT_FREE ? m->jnt_dofadr[joint] + 3
                              : -1;
}

// From d acc^ in along to the next state.
LANE_FN static void write_direction(Lane g, const ct_StepWork* w, const ct_DerivativeProduct* to) {
  const ct_Slopes* s = &w->s;
  const mjModel* m = s->m;
  mjtNum h = m->opt.timestep, *dq = to->dy, *dv = to->dy + s->nv;
  LANE_FOR(k, g, s->nv) {
    dv[k] = (to->dx ? to->dx[s->nv + k] : 0) + h * w->along[k];
    dq[k] = (to->dx ? to->dx[k] : 0) + h * dv[k];
  }
  lane_sync(g);
  LANE_FOR(joint, g, m->njnt) {
    int turn = turning_dof(m, joint);
    if (turn < 0) continue;
    mjtNum by_quat[9], by_z[9], part[3];
    rotation_slopes(w, turn, by_quat, by_z);
    ct_mul_mat_vec3(part, by_z, dv + turn);
    ct_scl3(dq + turn, part, h);
    if (!to->dx) continue;
    ct_mul_mat_vec3(part, by_quat, to->dx + turn);
    ct_add_to3(dq + turn, part);
  }
  LANE_FOR(i, g, s->nu) {
    int first = m->actuator_actadr[i], end = first + m->actuator_actnum[i];
    for (int k = first; first >= 0 && k < end; k++) {
      mjtNum by_act, by_ctrl;
      next_activation(w, i, k, &by_act, &by_ctrl);
      to->dy[2 * s->nv + k] =
          by_act * (to->dx ? to->dx[2 * s->nv + k] : 0) + by_ctrl * (to->du ? to->du[i] : 0);
    }
  }
  lane_sync(g);
}

// The other way round: weights of the next state become those of d acc^, in along, and what goes to
// state and controls without passing accelerations.
LANE_FN static void read_weights(Lane g, const ct_StepWork* w, const ct_DerivativeProduct* to) {
  const ct_Slopes* s = &w->s;
  const mjModel* m = s->m;
  const mjtNum *on_q = to->by_y, *on_v = to->by_y + s->nv, h = m->opt.timestep;
  LANE_FOR(k, g, s->nv) {
    w->along[k] = on_v[k] + h * on_q[k];  // of the next velocity
    if (to->by_x) to->by_x[k] = on_q[k];
  }
  lane_sync(g);
  LANE_FOR(joint, g, m->njnt) {
    int turn = turning_dof(m, joint);
    if (turn < 0) continue;
    mjtNum by_quat[9], by_z[9], part[3];
    rotation_slopes(w, turn, by_quat, by_z);
    ct_mul_mat_t_vec3(part, by_z, on_q + turn);
    ct_add_scl3(w->along + turn, on_v + turn, part, h);
    if (to->by_x) ct_mul_mat_t_vec3(to->by_x + turn, by_quat, on_q + turn);
  }
  lane_sync(g);
  LANE_FOR(k, g, s->nv) {
    if (to->by_x) to->by_x[s->nv + k] = w->along[k];
    w->along[k] *= h;
  }
  LANE_FOR(k, g, to->by_x ? s->na : 0) {
    to->by_x[2 * s->nv + k] = 0;
  }
  LANE_FOR(i, g, to->by_u ? s->nu : 0) {
    to->by_u[i] = 0;
  }
  lane_sync(g);
}

// And what goes to activations and controls by way of the next activations.
LANE_FN static void read_activations(Lane g, const ct_StepWork* w, const ct_DerivativeProduct* to) {
  const ct_Slopes* s = &w->s;
  const mjModel* m = s->m;
  LANE_FOR(i, g, s->nu) {
    int first = m->actuator_actadr[i], end = first + m->actuator_actnum[i];
    for (int k = first; first >= 0 && k < end; k++) {
      mjtNum by_act, by_ctrl, weight = to->by_y[2 * s->nv + k];
      next_activation(w, i, k, &by_act, &by_ctrl);
      if (to->by_x) to->by_x[2 * s->nv + k] += by_act * weight;
      if (to->by_u) to->by_u[i] += by_ctrl * weight;
    }
  }
  lane_sync(g);
}

// Extra columns, of which controls, state and activations know nothing.
LANE_FN static void write_extra(Lane g, ct_StepWork* w, const ct_ExtraColumns* to) {
  int n = 2 * w->s.nv + w->s.na;
  ct_DerivativeProduct column = {NULL, NULL, w->column, NULL, NULL, NULL};
  for (int k = 0; k < to->count; k++) {
    lane_copy(g, w->along, to->rhs + (size_t)k * (size_t)w->s.nv, w->s.nv);
    lane_copy(g, w->across, to->other + (size_t)k * (size_t)w->s.nv, w->s.nv);
    lane_sync(g);
    solve_H(g, &w->s, w->along);
    ct_move_vector(g, w, w->along, w->across);
    write_direction(g, w, &column);
    LANE_FOR(i, g, n) {
      to->out[(size_t)i * (size_t)to->count + (size_t)k] = w->column[i];
    }
    lane_sync(g);
  }
}

LANE_FN static void weigh_extra(Lane g, const ct_StepWork* w, const ct_ExtraColumns* to) {
  int nv = w->s.nv;
  LANE_FOR(k, g, to->count) {
    const mjtNum *rhs = to->rhs + (size_t)k * (size_t)nv,
                 *other = to->other + (size_t)k * (size_t)nv;
    mjtNum sum = ct_dot(w->along, rhs, nv);
    if (w->mover != CT_MOVES_BY_A) sum += ct_dot(w->across, other, nv);
    to->by[k] = sum;
  }
  lane_sync(g);
}

LANE_FN static void multiply(Lane g, ct_StepWork* w, const ct_DerivativeProduct* to,
                             const ct_ExtraColumns* extra) {
  ct_Slopes* s = &w->s;
  if (to->dy) {
    mul_columns(g, s, s->rhs, to, w->along);
    solve_H(g, s, w->along);
    if (w->mover != CT_MOVES_BY_A) mul_columns(g, s, w->other, to, w->across);
    ct_move_vector(g, w, w->along, w->across);
    write_direction(g, w, to);
  }
  if (to->by_y) {
    read_weights(g, w, to);
    read_activations(g, w, to);
    ct_move_weights(g, w, w->along, w->across);
    solve_H(g, s, w->along);
    add_rows_weighted(g, s, s->rhs, w->along, to);
    if (w->mover != CT_MOVES_BY_A) add_rows_weighted(g, s, w->other, w->across, to);
    if (extra && extra->by) weigh_extra(g, w, extra);
  }
}

// The last of these alone: every part of R is weighed as soon as it is known, and nothing of it is
// kept. Contacts may yet turn out to have no derivative, so that results are kept back.
LANE_FN static void weigh(Lane g, ct_StepWork* w, const ct_DerivativeProduct* to,
                          const ct_ExtraColumns* extra, unsigned* reasons) {
  ct_Slopes* s = &w->s;
  int n = 2 * s->nv + s->na;
  ct_DerivativeProduct mine = {NULL, NULL, NULL, to->by_y, s->by, s->by + n};
  read_weights(g, w, &mine);
  ct_move_weights(g, w, w->along, w->across);
  solve_H(g, s, w->along);
  s->y = w->along;
  s->x = w->rest;
  s->z = w->mover == CT_MOVES_BY_A ? NULL : w->across;
  ct_sweep_weights(g, s);
  add_slopes(g, s);
  read_activations(g, w, &mine);
  ct_inertial_weights(g, s);
  ct_weigh_other(g, w);
  s->y = s->x = s->z = NULL;
  *reasons |= *s->reasons;
  if (!rows_are_numbers(g, s->by, n + s->nu, 1, 1)) *reasons |= CT_NO_SLOPE_NUMBERS;
  if (is_forbidden(*reasons)) return;
  if (to->by_x) lane_copy(g, to->by_x, s->by, n);
  if (to->by_u) lane_copy(g, to->by_u, s->by + n, s->nu);
  lane_sync(g);
  if (extra && extra->by) weigh_extra(g, w, extra);
}

// Forward dynamics: da by columns, and H^-1 for forces, in the place of `other`.
LANE_FN static void copy_columns(Lane g, const ct_Slopes* s, const mjtNum* from, int first,
                                 int count, mjtNum* to) {
  LANE_FOR(i, g, to ? s->nv : 0) {
    for (int c = 0; c < count; c++) {
      to[(size_t)i * (size_t)count + (size_t)c] =
          from[(size_t)i * (size_t)s->width + (size_t)(first + c)];
    }
  }
}

LANE_FN static void write_forward(Lane g, ct_StepWork* w, const ct_ForwardMatrices* to) {
  const ct_Slopes* s = &w->s;
  copy_columns(g, s, s->rhs, ct_column_q(s, 0), s->nv, to->q);
  copy_columns(g, s, s->rhs, ct_column_v(s, 0), s->nv, to->v);
  copy_columns(g, s, s->rhs, ct_column_act(s, 0), s->na, to->act);
  copy_columns(g, s, s->rhs, ct_column_ctrl(s, 0), s->nu, to->ctrl);
  if (to->force) {
    lane_set_zero(g, w->other, (mjtSize)s->nv * s->width);
    lane_sync(g);
    LANE_FOR(i, g, s->nv) {
      w->other[(size_t)i * (size_t)s->width + (size_t)i] = 1;
    }
    lane_sync(g);
    ct_solve_many(g, &s->H, w->other, s->width);
    copy_columns(g, s, w->other, 0, s->nv, to->force);
  }
  lane_sync(g);
}

// Inverse dynamics: f = G at given accelerations, so that its derivatives are -R and H.
LANE_FN static void write_inverse(Lane g, const ct_Slopes* s, const ct_InverseMatrices* to) {
  LANE_FOR(i, g, s->nv) {
    const mjtNum* row = ct_slope_row(s, i);
    size_t first = (size_t)i * (size_t)s->nv;
    for (int j = 0; j < s->nv; j++) {
      if (to->q) to->q[first + (size_t)j] = -row[ct_column_q(s, j)];
      if (to->v) to->v[first + (size_t)j] = -row[ct_column_v(s, j)];
      if (to->a) {
        to->a[first + (size_t)j] =
            j <= i ? *ct_sparse_entry(&s->H, i, j) : *ct_sparse_entry(&s->H, j, i);
      }
    }
  }
  lane_sync(g);
}

// Are only weights asked for, by an integrator whose own slopes need no columns of the bias?
LANE_INLINE bool weighs_only(const mjModel* m, const ct_SlopeTarget* to) {
  if (to->A || to->B || to->C || to->D || to->rates || to->forward) return false;
  if (to->extra && to->extra->out) return false;
  return to->product && to->product->by_y && !to->product->dy &&
         m->opt.integrator != mjINT_IMPLICIT;
}

LANE_FN bool ct_step_resets(Lane g, const mjModel* m, mjData* d) {
  if (m->opt.disableflags & mjDSBL_AUTORESET) return false;
  return (ct_check_acceleration(g, m, d) & CT_BAD_QACC) != 0;
}

LANE_FN static int answer(Lane g, ct_StepWork* w, ct_SlopeTarget* to) {
  ct_Slopes* s = &w->s;
  int status = CT_OK;
  if (to->inverse) {
    s->acts = to->less_actuation;
    s->pushed = false;
    assemble(g, w);
    to->reasons |= *s->reasons;
    if (!rows_are_numbers(g, s->rhs, s->nv, 2 * s->nv, s->width))
      to->reasons |= CT_NO_SLOPE_NUMBERS;
    if (!is_forbidden(to->reasons)) write_inverse(g, s, to->inverse);
    return CT_OK;
  }
  w->lean = weighs_only(s->m, to);
  w->columns = to->A || to->B || to->C || to->D || to->rates || to->forward;
  assemble(g, w);
  factor_H(g, w);
  to->worst = unbalance(g, w);
  to->reasons |= *s->reasons;
  bool forward = to->rates || to->forward;
  if (!forward && ct_step_resets(g, s->m, s->d)) to->reasons |= CT_NO_SLOPE_NUMBERS;
  if (is_forbidden(to->reasons)) return CT_OK;
  bool wants_step = to->A || to->B, wants_sensors = to->C || to->D;
  bool moves = !to->rates && (wants_step || to->product || to->extra || to->moved);
  if (moves) {
    status = ct_open_integrator(g, w);
    to->reasons |= *s->reasons;
    moves = !status && !is_forbidden(to->reasons);
  }

  // from R itself
  if (moves && to->moved) lane_copy(g, to->moved, w->moved, s->nv);
  if (moves && w->lean) {
    weigh(g, w, to->product, to->extra, &to->reasons);
  } else if (moves && to->product) {
    multiply(g, w, to->product, to->extra);
  }
  if (moves && to->extra && to->extra->out) write_extra(g, w, to->extra);

  // from da
  if (w->columns) ct_solve_many(g, &s->H, s->rhs, s->width);
  int rows = w->lean ? 0 : s->nv, columns = 2 * s->nv + s->na + s->nu;
  bool numbers = rows_are_numbers(g, s->rhs, rows, columns, s->width);
  if (moves && w->mover != CT_MOVES_BY_A) {
    numbers = rows_are_numbers(g, w->other, rows, columns, s->width) && numbers;
  }
  if (!numbers) {
    to->reasons |= CT_NO_SLOPE_NUMBERS;
    ct_close_integrator(g, w);
    return status;
  }
  if (wants_sensors) ct_sensor_slopes(g, w, to->C, to->D);
  to->sensed = wants_sensors;
  if (to->rates) write_rates(g, w, to->rates);
  if (to->forward) write_forward(g, w, to->forward);

  // from d acc^
  if (moves && wants_step) {
    ct_move_columns(g, w);
    write_step(g, w, to);
  }
  ct_close_integrator(g, w);
  lane_sync(g);
  if (!status && !is_forbidden(to->reasons) && !results_are_numbers(g, s->m, to)) {
    to->reasons |= CT_NO_SLOPE_NUMBERS;
    to->sensed = false;
  }
  return status;
}

LANE_FN int ct_step_slopes(Lane g, const mjModel* m, mjData* d, ct_SlopeTarget* to) {
  int width = ct_slope_width(m);
  mjtSize stack = d->maxuse_stack, arena = d->maxuse_arena;
  int status = CT_STACK_FULL;
  lane_sync(g);  // all have read what the first to take scratch changes
  ct_StepWork w;
  if (!lane_mark(g, d)) return status;
  mjtNum* room = lane_scratch_num(g, d, (int)ct_step_work_numbers(m, d->nefc, (size_t)width));
  int* ints = lane_scratch_int(g, d, (int)ct_step_work_ints(m, d->nefc));
  if (room && ints) {
    ct_place_step_work(&w, m, d, width, room, ints);
    w.s.smoothing = to->smoothing;
    status = answer(g, &w, to);
  }
  lane_free(g, d);
  LANE_ONCE(g) {
    d->maxuse_stack = stack;
    d->maxuse_arena = arena;
  }
  lane_sync(g);
  return status;
}
