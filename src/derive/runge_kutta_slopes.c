// The chain rule over the four evaluations of a Runge-Kutta step.
//
// Evaluation i is made at x_i = x (+) h c_i k_{i-1} with rates k_i = (v_i, a_i, act_dot_i). With Q,
// V, C the derivatives of the positions, velocities and activations of x_i by (x, u),
//
//   da_i = a_q Q_i + a_v V_i + a_act C_i + a_u,   dact_dot_i likewise,
//   Q_{i+1} = D_q + h c D_s V_i,  V_{i+1} = 1 + h c da_i,  C_{i+1} = 1 + h c dact_dot_i,
//
// where D_q and D_s are the identity, or for quaternions the derivatives of their integration. The
// last line has the means of all rates, and activations their own time and limits.

#include "derive/runge_kutta_slopes.h"

#include <corten/derivative.h>
#include <string.h>

#include "derive/keep.h"
#include "derive/question.h"
#include "engine/smooth/actuation.h"
#include "engine/smooth/position.h"
#include "engine/stages.h"
#include "host/dynamics.h"
#include "host/report.h"
#include "math/quat_derivatives.h"
#include "math/vec.h"

typedef struct {
  const mjModel* m;
  mjData* d;
  size_t nv, na, nu, n, N;           // n = 2 nv + na, N = n + nu
  mjtNum *Q, *V, *C;                 // of the evaluation, (. x N)
  mjtNum *sum_V, *sum_a, *sum_c;     // weighted sums of rates, (. x N)
  mjtNum *da, *dc;                   // of its rates
  mjtNum *qpos, *qvel, *act;         // the state before the step
  mjtNum *mean_v, *mean_c, *mean_a;  // means of rates
  ct_RateTarget rates;
} Chain;

static size_t chain_numbers(const Chain* c) {
  size_t rows = 6 * c->nv + 3 * c->na;
  return rows * c->N + c->nv * c->N + c->na * (1 + c->nu) + (size_t)c->m->nq + 3 * c->nv +
         2 * c->na;
}

static void place_chain(Chain* c, mjtNum* room) {
  mjtNum** blocks[] = {&c->Q, &c->V, &c->C, &c->sum_V, &c->sum_a, &c->sum_c, &c->da, &c->dc};
  size_t rows[] = {c->nv, c->nv, c->na, c->nv, c->nv, c->na, c->nv, c->na};
  for (int k = 0; k < 8; k++) {
    *blocks[k] = room;
    room += rows[k] * c->N;
  }
  c->rates.acc = room;
  c->rates.act_by_act = room += c->nv * c->N;
  c->rates.act_by_ctrl = room += c->na;
  c->qpos = room += c->na * c->nu;
  c->qvel = room += c->m->nq;
  c->mean_v = room += c->nv;
  c->mean_a = room += c->nv;
  c->act = room += c->nv;
  c->mean_c = room + c->na;
}

// Unit rows that begin at this column.
static void set_unit(mjtNum* X, size_t rows, size_t N, size_t first) {
  memset(X, 0, rows * N * sizeof(mjtNum));
  for (size_t i = 0; i < rows; i++) X[i * N + first + i] = 1;
}

static void add_rows(mjtNum* to, const mjtNum* from, mjtNum scale, size_t count) {
  for (size_t i = 0; i < count; i++) to[i] += scale * from[i];
}

// da and dact_dot of this evaluation.
static void chain_rates(Chain* c) {
  size_t nv = c->nv, na = c->na, N = c->N;
  memset(c->da, 0, nv * N * sizeof(mjtNum));
  memset(c->dc, 0, na * N * sizeof(mjtNum));
  for (size_t i = 0; i < nv; i++) {
    const mjtNum* slope = c->rates.acc + i * N;
    mjtNum* to = c->da + i * N;
    for (size_t k = 0; k < nv; k++) {
      add_rows(to, c->Q + k * N, slope[k], N);
      add_rows(to, c->V + k * N, slope[nv + k], N);
    }
    for (size_t k = 0; k < na; k++) add_rows(to, c->C + k * N, slope[2 * nv + k], N);
    for (size_t k = 0; k < c->nu; k++) to[c->n + k] += slope[c->n + k];
  }
  for (size_t k = 0; k < na; k++) {
    add_rows(c->dc + k * N, c->C + k * N, c->rates.act_by_act[k], N);
    add_rows(c->dc + k * N + c->n, c->rates.act_by_ctrl + k * c->nu, 1, c->nu);
  }
}

// Q = D_q + time D_s V along the velocity v, where V may be Q.
static void chain_positions(const Chain* c, mjtNum* Q, const mjtNum* V, const mjtNum* v,
                            mjtNum time) {
  const mjModel* m = c->m;
  size_t N = c->N;
  for (int j = 0; j < m->njnt; j++) {
    size_t first = (size_t)m->jnt_dofadr[j];
    int type = m->jnt_type[j];
    size_t straight = type == mjJNT_BALL ? 0 : type == mjJNT_FREE ? 3 : 1;
    for (size_t i = first; i < first + straight; i++) {
      for (size_t k = 0; k < N; k++) Q[i * N + k] = time * V[i * N + k];
      Q[i * N + i] += 1;
    }
    if (type != mjJNT_BALL && type != mjJNT_FREE) continue;
    size_t turn = first + straight;
    mjtNum z[3], by_quat[9], by_z[9];
    for (int k = 0; k < 3; k++) z[k] = time * v[turn + (size_t)k];
    ct_deriv_quat_integrate(by_quat, by_z, z);
    for (size_t k = 0; k < N; k++) {
      mjtNum x[3] = {time * V[turn * N + k], time * V[(turn + 1) * N + k],
                     time * V[(turn + 2) * N + k]};
      for (size_t r = 0; r < 3; r++) Q[(turn + r) * N + k] = ct_dot3(by_z + 3 * r, x);
    }
    for (size_t r = 0; r < 3; r++) {
      for (size_t k = 0; k < 3; k++) Q[(turn + r) * N + turn + k] += by_quat[3 * r + k];
    }
  }
}

// The next state to evaluate, `time` along the rates of this one, and its derivatives.
static void move_on(Chain* c, mjtNum time) {
  mjData* d = c->d;
  size_t nv = c->nv, na = c->na, N = c->N;
  chain_positions(c, c->Q, c->V, d->qvel, time);
  set_unit(c->V, nv, N, nv);
  add_rows(c->V, c->da, time, nv * N);
  set_unit(c->C, na, N, 2 * nv);
  add_rows(c->C, c->dc, time, na * N);
  ct_copy(d->qpos, c->qpos, (int)c->m->nq);
  ct_integrate_position(lane_one(), c->m, d->qpos, d->qvel, time);
  for (size_t i = 0; i < nv; i++) d->qvel[i] = c->qvel[i] + time * d->qacc[i];
  for (size_t i = 0; i < na; i++) d->act[i] = c->act[i] + time * d->act_dot[i];
}

static void add_to_means(Chain* c, mjtNum weight) {
  const mjData* d = c->d;
  size_t nv = c->nv, na = c->na, N = c->N;
  add_rows(c->sum_V, c->V, weight, nv * N);
  add_rows(c->sum_a, c->da, weight, nv * N);
  add_rows(c->sum_c, c->dc, weight, na * N);
  add_rows(c->mean_v, d->qvel, weight, nv);
  add_rows(c->mean_a, d->qacc, weight, nv);
  add_rows(c->mean_c, d->act_dot, weight, na);
}

// Rows of activations in sum_c: from means of rates to the next state.
static void finish_activations(Chain* c) {
  const mjModel* m = c->m;
  size_t N = c->N;
  mjtNum h = m->opt.timestep;
  bool off = (m->opt.disableflags & mjDSBL_ACTUATION) != 0;
  for (int i = 0; i < m->nu; i++) {
    int first = m->actuator_actadr[i], end = first + m->actuator_actnum[i];
    bool still = off || ct_actuator_disabled(m, i);
    mjtNum tau = ct_max(mjMINVAL, m->actuator_dynprm[mjNDYN * i]);
    mjtNum time = m->actuator_dyntype[i] == mjDYN_FILTEREXACT ? tau * (1 - ct_exp(-h / tau)) : h;
    const mjtNum* range = m->actuator_actrange + 2 * i;
    for (int k = first; first >= 0 && k < end; k++) {
      mjtNum next = c->act[k] + (still ? 0 : time * c->mean_c[k]);
      bool held = !off && m->actuator_actlimited[i] && (next < range[0] || next > range[1]);
      mjtNum *row = c->sum_c + (size_t)k * N, scale = still || held ? 0 : time;
      for (size_t q = 0; q < N; q++) row[q] *= scale;
      if (!held) row[2 * c->nv + (size_t)k] += 1;
    }
  }
}

static void copy_out(const Chain* c, const mjtNum* from, size_t rows, size_t first,
                     ct_SlopeTarget* to) {
  for (size_t i = 0; i < rows; i++) {
    const mjtNum* row = from + i * c->N;
    if (to->A) memcpy(to->A + (first + i) * c->n, row, c->n * sizeof(mjtNum));
    if (to->B) memcpy(to->B + (first + i) * c->nu, row + c->n, c->nu * sizeof(mjtNum));
  }
}

static void finish_chain(Chain* c, ct_SlopeTarget* to) {
  mjtNum h = c->m->opt.timestep;
  size_t nv = c->nv, N = c->N;
  chain_positions(c, c->Q, c->sum_V, c->mean_v, h);
  set_unit(c->V, nv, N, nv);
  add_rows(c->V, c->sum_a, h, nv * N);
  finish_activations(c);
  copy_out(c, c->Q, nv, 0, to);
  copy_out(c, c->V, nv, nv, to);
  copy_out(c, c->sum_c, c->na, 2 * nv, to);
}

static int run_chain(Chain* c, ct_SlopeTarget* to) {
  static const mjtNum part[3] = {(mjtNum)0.5, (mjtNum)0.5, 1};
  const mjtNum weight[4] = {(mjtNum)1 / 6, (mjtNum)1 / 3, (mjtNum)1 / 3, (mjtNum)1 / 6};
  mjtNum worst = 0;
  set_unit(c->Q, c->nv, c->N, 0);
  set_unit(c->V, c->nv, c->N, c->nv);
  set_unit(c->C, c->na, c->N, 2 * c->nv);
  for (int pass = 0; pass < 4; pass++) {
    ct_SlopeTarget at = {.smoothing = to->smoothing, .rates = &c->rates};
    if (pass == 0) {  // sensors are those of the state before the step
      at.C = to->C;
      at.D = to->D;
    }
    int status = pass ? ct_walk_silently(c->m, c->d, CT_EVALUATION) & CT_ERRORS : CT_OK;
    if (!status) status = ct_step_slopes(lane_one(), c->m, c->d, &at);
    to->reasons |= at.reasons;
    to->sensed = to->sensed || at.sensed;
    if (status || (to->reasons & ~CT_SLOPE_NOTES)) return status;
    worst = ct_max(worst, at.worst);
    to->worst = worst;
    if (!to->A && !to->B) return CT_OK;
    chain_rates(c);
    add_to_means(c, weight[pass]);
    if (pass < 3) move_on(c, part[pass] * c->m->opt.timestep);
  }
  finish_chain(c, to);
  if (!ct_are_finite(to->A, c->n * c->n) || !ct_are_finite(to->B, c->n * c->nu)) {
    to->reasons |= CT_NO_SLOPE_NUMBERS;
    to->sensed = false;
  }
  return CT_OK;
}

int ct_runge_kutta_slopes(const mjModel* m, mjData* d, ct_SlopeTarget* to) {
  if (ct_step_resets(lane_one(), m, d)) {
    to->reasons |= CT_NO_SLOPE_NUMBERS;
    return CT_OK;
  }
  Chain c = {.m = m, .d = d, .nv = (size_t)m->nv, .na = (size_t)m->na, .nu = (size_t)m->nu};
  c.n = 2 * c.nv + c.na;
  c.N = c.n + c.nu;
  size_t bytes = (chain_numbers(&c) + 1) * sizeof(mjtNum);
  bool lent;
  mjtNum* room = (mjtNum*)ct_borrow(d, bytes, &lent);
  if (!room) return CT_STACK_FULL;
  memset(room, 0, bytes);
  place_chain(&c, room);
  ct_copy(c.qpos, d->qpos, (int)m->nq);
  ct_copy(c.qvel, d->qvel, (int)m->nv);
  ct_copy(c.act, d->act, (int)m->na);
  int status = run_chain(&c, to);
  if (!lent) mju_free(room);
  return status;
}
