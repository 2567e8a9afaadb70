// Products with the derivative of a rollout: directions carried along, and the adjoint backwards.
//
//   x_{t+1} = f(x_t, u_t),  dx_{t+1} = A_t dx_t + B_t du_t
//   l_t = A_t' l_{t+1} + by_y_t,  by_u_t = B_t' l_{t+1},  l_steps = by_y_steps
//
// Backwards needs the states again, last first. One state is kept at the beginning of every segment
// of `stride` steps; a segment's own states are computed when its turn comes. Warm starts are part
// of a state, so that repeated steps have the same bits. Who sleeps, and where the bodies of a tree
// that sleeps were placed, is not: of models with sleep all of the data is kept.

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
  mjtNum* state;         // (1 + count + stride) of nstate numbers: start, checkpoints, segment
  ct_Kept** whole;       // the same, NULL until something is kept there; NULL: states will do
  mjtNum *weight, *sum;  // (n)
  ct_ParameterWork parameters;
  mjtNum* by;  // (nparameter) of one step; NULL: not wanted
} Rollout;

static const int state_parts = mjSTATE_INTEGRATION;

// Places of what is kept

enum { START = 0, FIRST_CHECKPOINT = 1 };

static size_t count_places(const Rollout* s) {
  return 1 + (size_t)s->count + (size_t)s->stride;
}

static size_t checkpoint(int k) {
  return FIRST_CHECKPOINT + (size_t)k;
}

static size_t segment(const Rollout* s, int i) {
  return FIRST_CHECKPOINT + (size_t)s->count + (size_t)i;
}

static void forget(ct_Kept* kept) {
  if (kept) mju_free(kept->block);
  mju_free(kept);
}

// False without memory.
static bool keep_here(Rollout* s, size_t place) {
  if (!s->whole) {
    mj_getState(s->m, s->d, s->state + place * s->nstate, state_parts);
    return true;
  }
  forget(s->whole[place]);
  ct_Kept* kept = s->whole[place] = (ct_Kept*)mju_malloc(sizeof(ct_Kept));
  if (kept && ct_keep_data(kept, s->m, s->d, false)) return true;
  mju_free(kept);
  s->whole[place] = NULL;
  s->report->reasons |= CT_NO_SLOPE_NUMBERS;
  return false;
}

static void go_to(Rollout* s, size_t place) {
  if (s->whole) {
    ct_load_kept(s->whole[place], s->m, s->d);
  } else {
    mj_setState(s->m, s->d, s->state + place * s->nstate, state_parts);
  }
}

static bool make_places(Rollout* s) {
  size_t places = count_places(s);
  s->state = NULL;
  s->whole = NULL;
  if (s->m->opt.enableflags & mjENBL_SLEEP) {
    s->whole = (ct_Kept**)mju_malloc(places * sizeof(ct_Kept*));
    for (size_t i = 0; s->whole && i < places; i++) s->whole[i] = NULL;
    return s->whole != NULL;
  }
  s->state = (mjtNum*)mju_malloc((places * s->nstate + 1) * sizeof(mjtNum));
  return s->state != NULL;
}

static void give_places_back(Rollout* s) {
  size_t places = count_places(s);
  for (size_t i = 0; s->whole && i < places; i++) forget(s->whole[i]);
  mju_free(s->whole);
  mju_free(s->state);
}

// Steps and products

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
    if (!keep_here(s, segment(s, 0)) || !multiply_here(s, &product, NULL)) return false;
    go_to(s, segment(s, 0));
    if (!step_on(s)) return false;
  }
  return true;
}

// The adjoint, backwards

static bool keep_checkpoints(Rollout* s) {
  for (int t = 0; t < s->r->steps; t++) {
    set_controls(s, t);
    if (t % s->stride == 0 && !keep_here(s, checkpoint(t / s->stride))) return false;
    if (t < (s->count - 1) * s->stride && !step_on(s)) return false;
  }
  return true;
}

// The states of one segment; returns how many.
static int repeat_segment(Rollout* s, int k) {
  int first = k * s->stride, left = s->r->steps - first,
      length = left < s->stride ? left : s->stride;
  go_to(s, checkpoint(k));
  for (int i = 0; i < length; i++) {
    set_controls(s, first + i);
    if (!keep_here(s, segment(s, i))) return 0;
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
      go_to(s, segment(s, i));
      if (!multiply_here(s, &product, s->by ? &s->parameters : NULL)) return false;
      for (int p = 0; s->by && p < r->nparameter; p++) r->by_parameter[p] += s->by[p];
      for (size_t j = 0; j < s->n; j++) s->weight[j] = s->sum[j] + r->by_y[t * s->n + j];
    }
  }
  if (r->by_x) ct_copy(r->by_x, s->weight, (int)s->n);
  if (ct_are_finite(s->weight, s->n) &&
      ct_are_finite(s->by ? r->by_parameter : NULL, (size_t)r->nparameter)) {
    return true;
  }
  s->report->reasons |= CT_NO_SLOPE_NUMBERS;
  return false;
}

static void plan_segments(Rollout* s) {
  int steps = s->r->steps, kept = s->r->checkpoints;
  s->stride = kept <= 0 || kept >= steps ? 1 : (steps + kept - 1) / kept;
  s->count = (steps + s->stride - 1) / s->stride;
}

static bool run_rollout(Rollout* s) {
  if (!keep_here(s, START)) return false;
  if (s->r->dy && !carry_along(s)) return false;
  if (!s->r->by_y) return true;
  go_to(s, START);
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
  if (rollout->nparameter < 0) {
    mju_error("ct_rollout_product: %d parameters; there must be none or more", rollout->nparameter);
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
  mjtNum* room = (mjtNum*)mju_malloc((2 * s.n + nparameter + 1) * sizeof(mjtNum));
  if (!room || !make_places(&s) || !ct_keep_data(&kept, m, d, false)) {
    give_places_back(&s);
    mju_free(room);
    if (wants_parameters) ct_close_parameters(&s.parameters);
    s.report->reasons |= CT_NO_SLOPE_NUMBERS;
    return -1;
  }
  s.weight = room;
  s.sum = s.weight + s.n;
  if (wants_parameters) s.by = s.sum + s.n;
  bool good = run_rollout(&s);
  ct_put_back_data(&kept, m, d);
  give_places_back(&s);
  mju_free(room);
  if (wants_parameters) ct_close_parameters(&s.parameters);
  return good ? 0 : -1;
}
