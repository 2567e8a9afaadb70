// Derivatives of forward dynamics: H^-1 R of the equation of motion, H^-1 itself for applied
// forces; or differences of accelerations.

#include <string.h>

#include <corten/derivative.h>

#include "base/failure.h"
#include "base/private.h"
#include "derive/keep.h"
#include "derive/question.h"
#include "derive/step_slopes.h"
#include "engine/integrate.h"
#include "host/dynamics.h"
#include "host/report.h"
#include "host/walk.h"
#include "math/vec.h"

#define ACCELERATIONS (CT_FORWARD & ~(unsigned)CT_ALL_SENSORS)

static int analytic(const mjModel* m, mjData* d, bool evaluated, ct_SlopeTarget* to) {
  if (evaluated) return ct_step_slopes(lane_one(), m, d, to);
  ct_Kept kept;
  if (!ct_keep_data(&kept, m, d, true)) return CT_STACK_FULL;
  int status = ct_walk_silently(m, d, ACCELERATIONS);
  if (!(status & CT_ERRORS)) status |= ct_step_slopes(lane_one(), m, d, to);
  ct_put_back_data(&kept, m, d);
  return status & CT_ERRORS;
}

// Differences

typedef struct {
  const mjModel* m;
  mjData* d;
  mjtNum eps;
  bool centred;
  mjtNum *start, *plus, *minus, *centre, *unit;  // state; accelerations (nv)
  int status;
  const ct_Kept* all;  // where trees may sleep, which nudges wake: the state will not do
} Nudges;

enum { STATE = mjSTATE_INTEGRATION };

static void evaluate(Nudges* s, mjtNum* acc) {
  if (s->status) return;
  s->status = ct_walk_silently(s->m, s->d, ACCELERATIONS) & CT_ERRORS;
  ct_copy(acc, s->d->qacc, (int)s->m->nv);
  if (!s->all) {
    mj_setState(s->m, s->d, s->start, STATE);
  } else if (!s->status) {
    ct_load_kept(s->all, s->m, s->d);
  }
}

// Column j of a matrix from the sides that were tried.
static void write_column(const Nudges* s, mjtNum* matrix, size_t columns, size_t j, bool forward,
                         bool backward) {
  const mjtNum *to = forward ? s->plus : s->centre, *from = backward ? s->minus : s->centre;
  mjtNum t = forward && backward ? 2 * s->eps : s->eps;
  for (size_t i = 0; i < (size_t)s->m->nv && !s->status; i++) {
    matrix[i * columns + j] = (to[i] - from[i]) / t;
  }
}

static void nudge_numbers(Nudges* s, mjtNum* x, int n, mjtNum* matrix) {
  for (int j = 0; j < n && matrix; j++) {
    mjtNum start = x[j];
    x[j] = start + s->eps;
    evaluate(s, s->plus);
    if (s->centred) {
      x[j] = start - s->eps;
      evaluate(s, s->minus);
    }
    write_column(s, matrix, (size_t)n, (size_t)j, true, s->centred);
  }
}

static void nudge_positions(Nudges* s, mjtNum* matrix) {
  int nv = (int)s->m->nv;
  for (int j = 0; j < nv && matrix; j++) {
    ct_zero(s->unit, nv);
    s->unit[j] = 1;
    mj_integratePos(s->m, s->d->qpos, s->unit, s->eps);
    evaluate(s, s->plus);
    if (s->centred) {
      mj_integratePos(s->m, s->d->qpos, s->unit, -s->eps);
      evaluate(s, s->minus);
    }
    write_column(s, matrix, (size_t)nv, (size_t)j, true, s->centred);
  }
}

// Not beyond their ranges.
static void nudge_controls(Nudges* s, mjtNum* matrix) {
  const mjModel* m = s->m;
  for (int i = 0; i < m->nu && matrix; i++) {
    const mjtNum* range = m->actuator_ctrlrange + 2 * i;
    mjtNum u = s->d->ctrl[i];
    bool limited = m->actuator_ctrllimited[i], inside = range[0] <= u && u <= range[1];
    bool forward = !limited || (inside && u + s->eps <= range[1]);
    bool backward = (s->centred || !forward) && (!limited || (inside && u - s->eps >= range[0]));
    if (forward) {
      s->d->ctrl[i] = u + s->eps;
      evaluate(s, s->plus);
    }
    if (backward) {
      s->d->ctrl[i] = u - s->eps;
      evaluate(s, s->minus);
    }
    write_column(s, matrix, (size_t)m->nu, (size_t)i, forward, backward);
  }
}

static int differences(const mjModel* m, mjData* d, const ct_DerivativeOptions* options,
                       const ct_ForwardMatrices* out) {
  size_t nv = (size_t)m->nv, nstate = (size_t)mj_stateSize(m, STATE);
  mjtNum* room = (mjtNum*)mju_malloc((nstate + 4 * nv + 1) * sizeof(mjtNum));
  ct_Kept kept;
  if (!room || !ct_keep_data(&kept, m, d, false)) {
    mju_free(room);
    return CT_STACK_FULL;
  }
  Nudges s = {m,    d,         options->eps,  options->centred != 0, room + 4 * nv,
              room, room + nv, room + 2 * nv, room + 3 * nv,         CT_OK,
              NULL};
  if (m->opt.enableflags & mjENBL_SLEEP) s.all = &kept;
  mj_getState(m, d, s.start, STATE);
  evaluate(&s, s.centre);
  nudge_positions(&s, out->q);
  nudge_numbers(&s, d->qvel, (int)m->nv, out->v);
  nudge_numbers(&s, d->act, (int)m->na, out->act);
  nudge_controls(&s, out->ctrl);
  nudge_numbers(&s, d->qfrc_applied, (int)m->nv, out->force);
  ct_put_back_data(&kept, m, d);
  mju_free(room);
  return s.status;
}

static bool are_good(const mjModel* m, const ct_ForwardMatrices* x) {
  size_t nv = (size_t)m->nv;
  return ct_are_finite(x->q, nv * nv) && ct_are_finite(x->v, nv * nv) &&
         ct_are_finite(x->act, nv * (size_t)m->na) && ct_are_finite(x->ctrl, nv * (size_t)m->nu) &&
         ct_are_finite(x->force, nv * nv);
}

int ct_forward_derivative(const mjModel* m, mjData* d, const ct_DerivativeOptions* options,
                          const ct_ForwardMatrices* out, ct_DerivativeReport* report) {
  ct_DerivativeReport mine, *to = report ? report : &mine;
  const ct_ForwardMatrices nothing = {NULL, NULL, NULL, NULL, NULL};
  options = ct_open_question("ct_forward_derivative", m, d, options, to);
  if (!options) return -1;

  // which integrator there is does not matter
  unsigned reasons = ct_first_reasons(m) & ~(unsigned)CT_NO_SLOPE_INTEGRATOR;
  ct_SlopeTarget target = {
      .reasons = reasons, .smoothing = options->smoothing, .forward = out ? out : &nothing};
  bool wants_formulas = options->method != CT_DERIVATIVE_DIFFERENCES;
  int status = CT_OK;
  if (wants_formulas && reasons == 0) {
    status = analytic(m, d, options->evaluated != 0, &target);
    if (status) target.reasons |= CT_NO_SLOPE_NUMBERS;
  }
  bool done = wants_formulas && (target.reasons & ~CT_SLOPE_NOTES) == 0;
  if (!done && options->method != CT_DERIVATIVE_ANALYTIC) {
    status = differences(m, d, options, target.forward);
  }
  to->method = done ? CT_DERIVATIVE_ANALYTIC : CT_DERIVATIVE_DIFFERENCES;
  to->reasons = wants_formulas ? (int)target.reasons : 0;
  to->status = status & CT_PUBLIC_STATUS;
  to->worst = target.worst;
  if (done) return 0;
  if (options->method == CT_DERIVATIVE_ANALYTIC || status) return -1;
  if (are_good(m, target.forward)) return 0;
  to->reasons |= CT_NO_SLOPE_NUMBERS;
  return -1;
}
