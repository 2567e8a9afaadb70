// Products with the derivative of a rollout: directions carried along, and the adjoint backwards.
//
//   x_{t+1} = f(x_t, u_t),  dx_{t+1} = A_t dx_t + B_t du_t
//   l_t = A_t' l_{t+1} + by_y_t,  by_u_t = B_t' l_{t+1},  l_steps = by_y_steps
//
// Backwards needs the states again, last first. One state is kept at the beginning of every segment
// of `stride` steps; a segment's own states are computed when its turn comes. Warm starts are part
// of a state, so that repeated steps have the same bits.

#include <corten/derivative.h>
#include <string.h>

#include "base/failure.h"
#include "base/private.h"
#include "derive/keep.h"
#include "derive/parameter.h"
#include "derive/question.h"
#include "engine/stages.h"
#include "host/dynamics.h"
#include "host/report.h"
#include "math/vec.h"

typedef struct {
  const mjModel* m;
  mjData* d;
  const ct_RolloutProduct* r;
  ct_DerivativeOptions options;
  ct_DerivativeReport* report;
  size_t n, nu, nstate;
  int stride, count;     // steps of a segment, segments
  mjtNum* checkpoint;    // (count x nstate)
  mjtNum* segment;       // (stride x nstate)
  mjtNum *weight, *sum;  // (n)
  ct_ParameterWork parameters;
  mjtNum* by;  // (nparameter) of one step; NULL: not wanted
} Rollout;

static const int state_parts = mjSTATE_INTEGRATION;

static void set_controls(const Rollout* s, int t) {
  if (s->r->ctrl) ct_copy(s->d->ctrl, s->r->ctrl + (size_t)t * s->nu, (int)s->nu);
}

// False if the step could not be made, or had to begin anew from the start.
static bool step_on(Rollout* s) {
  const unsigned lost = CT_ERRORS | CT_BAD_STATE;
  unsigned status = (unsigned)ct_step_skipping(s->m, s->d, mjSTAGE_NONE, 1, NULL);
  s->report->status |= (int)(status & CT_PUBLIC_STATUS);
  if (status & lost) s->report->reasons |= CT_NO_SLOPE_NUMBERS;
  return (status & lost) == 0;
}

// One product at the state that d has.
static bool multiply_here(Rollout* s, const ct_DerivativeProduct* product, ct_ParameterWork* w) {
  ct_DerivativeReport here;
  int status = ct_walk_silently(s->m, s->d, CT_FORWARD & ~(unsigned)CT_ALL_SENSORS);
  s->report->status |= status & CT_PUBLIC_STATUS;
  if (status & CT_ERRORS) {
    s->report->reasons |= CT_NO_SLOPE_NUMBERS;
    return false;
  }
  if (ct_multiply_step(s->m, s->d, &s->options, product, w, s->by, &here)) {
    s->report->reasons |= here.reasons;
    return false;
  }
  if (here.method == CT_DERIVATIVE_DIFFERENCES) s->report->method = here.method;
  s->report->reasons |= here.reasons;
  s->report->status |= here.status;
  if (here.worst > s->report->worst) s->report->worst = here.worst;
  return true;
}

static bool carry_along(Rollout* s) {
  const ct_RolloutProduct* r = s->r;
  if (r->dx) {
    ct_copy(r->dy, r->dx, (int)s->n);
  } else {
    ct_zero(r->dy, (int)s->n);
  }
  for (int t = 0; t < r->steps; t++) {
    mjtNum* here = r->dy + (size_t)t * s->n;
    ct_DerivativeProduct product = {
        .dx = here, .du = r->du ? r->du + (size_t)t * s->nu : NULL, .dy = here + s->n};
    set_controls(s, t);
    mj_getState(s->m, s->d, s->segment, state_parts);
    if (!multiply_here(s, &product, NULL)) return false;
    mj_setState(s->m, s->d, s->segment, state_parts);
    if (!step_on(s)) return false;
  }
  return true;
}

// The adjoint, backwards

static bool keep_checkpoints(Rollout* s) {
  for (int t = 0; t < s->r->steps; t++) {
    set_controls(s, t);
    if (t % s->stride == 0) {
      mj_getState(s->m, s->d, s->checkpoint + (size_t)(t / s->stride) * s->nstate, state_parts);
    }
    if (t < (s->count - 1) * s->stride && !step_on(s)) return false;
  }
  return true;
}

// The states of one segment; returns how many.
static int repeat_segment(Rollout* s, int k) {
  int first = k * s->stride, left = s->r->steps - first,
      length = left < s->stride ? left : s->stride;
  mj_setState(s->m, s->d, s->checkpoint + (size_t)k * s->nstate, state_parts);
  for (int i = 0; i < length; i++) {
    set_controls(s, first + i);
    mj_getState(s->m, s->d, s->segment + (size_t)i * s->nstate, state_parts);
    if (i + 1 < length && !step_on(s)) return 0;
  }
  return length;
}

static bool go_back(Rollout* s) {
  const ct_RolloutProduct* r = s->r;
  ct_copy(s->weight, r->by_y + (size_t)r->steps * s->n, (int)s->n);
  for (int p = 0; s->by && p < r->nparameter; p++) r->by_parameter[p] = 0;
  for (int k = s->count - 1; k >= 0; k--) {
    int length = repeat_segment(s, k);
    if (length == 0) return false;
    for (int i = length - 1; i >= 0; i--) {
      size_t t = (size_t)(k * s->stride + i);
      ct_DerivativeProduct product = {
          .by_y = s->weight, .by_x = s->sum, .by_u = r->by_u ? r->by_u + t * s->nu : NULL};
      mj_setState(s->m, s->d, s->segment + (size_t)i * s->nstate, state_parts);
      if (!multiply_here(s, &product, s->by ? &s->parameters : NULL)) return false;
      for (int p = 0; s->by && p < r->nparameter; p++) r->by_parameter[p] += s->by[p];
      for (size_t j = 0; j < s->n; j++) s->weight[j] = s->sum[j] + r->by_y[t * s->n + j];
    }
  }
  if (r->by_x) ct_copy(r->by_x, s->weight, (int)s->n);
  return true;
}

static void plan_segments(Rollout* s) {
  int steps = s->r->steps, kept = s->r->checkpoints;
  s->stride = kept <= 0 || kept >= steps ? 1 : (steps + kept - 1) / kept;
  s->count = (steps + s->stride - 1) / s->stride;
}

static bool run_rollout(Rollout* s, mjtNum* start) {
  mj_getState(s->m, s->d, start, state_parts);
  if (s->r->dy && !carry_along(s)) return false;
  if (!s->r->by_y) return true;
  mj_setState(s->m, s->d, start, state_parts);
  return keep_checkpoints(s) && go_back(s);
}

int ct_rollout_product(const mjModel* m, mjData* d, const ct_DerivativeOptions* options,
                       const ct_RolloutProduct* rollout, ct_DerivativeReport* report) {
  ct_DerivativeReport mine;
  Rollout s = {.m = m, .d = d, .r = rollout, .report = report ? report : &mine};
  if (!ct_open_question("ct_rollout_product", m, d, options, s.report)) return -1;
  s.report->method = CT_DERIVATIVE_ANALYTIC;
  ct_default_derivative_options(&s.options);
  if (options) s.options = *options;
  s.options.evaluated = 1;
  if (!rollout) {
    mju_error("ct_rollout_product: the ct_RolloutProduct is NULL");
    return -1;
  }
  if (rollout->checkpoints < 0) {
    mju_error("ct_rollout_product: %d checkpoints; there must be none or more",
              rollout->checkpoints);
    return -1;
  }
  if (rollout->steps < 0) {
    mju_error("ct_rollout_product: %d steps; there must be none or more", rollout->steps);
    return -1;
  }
  s.n = (size_t)(2 * m->nv + m->na);
  s.nu = (size_t)m->nu;
  s.nstate = (size_t)mj_stateSize(m, state_parts);
  plan_segments(&s);
  ct_Kept kept;
  bool wants_parameters = rollout->by_y && rollout->by_parameter && rollout->nparameter > 0;
  size_t nparameter = wants_parameters ? (size_t)rollout->nparameter : 0;
  if (wants_parameters &&
      !ct_open_parameters(&s.parameters, m, rollout->nparameter, rollout->parameters)) {
    return -1;
  }
  size_t states = (size_t)s.count + (size_t)s.stride + 1;
  size_t numbers = states * s.nstate + 2 * s.n + nparameter + 1;
  mjtNum* room = (mjtNum*)mju_malloc(numbers * sizeof(mjtNum));
  if (!room || !ct_keep_data(&kept, m, d, false)) {
    mju_free(room);
    if (wants_parameters) ct_close_parameters(&s.parameters);
    s.report->reasons |= CT_NO_SLOPE_NUMBERS;
    return -1;
  }
  s.checkpoint = room + s.nstate;
  s.segment = s.checkpoint + (size_t)s.count * s.nstate;
  s.weight = s.segment + (size_t)s.stride * s.nstate;
  s.sum = s.weight + s.n;
  if (wants_parameters) s.by = s.sum + s.n;
  bool good = run_rollout(&s, room);
  ct_put_back_data(&kept, m, d);
  mju_free(room);
  if (wants_parameters) ct_close_parameters(&s.parameters);
  return good ? 0 : -1;
}
