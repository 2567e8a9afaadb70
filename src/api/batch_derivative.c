// Derivatives of all environments of a batch: the functions of one mjData, with the rows of each
// environment. A GPU makes analytic matrices and products by itself; environments for which it has
// none come to the host, as all of them do for rollouts and differences.

#include <corten/batch.h>
#include <corten/derivative.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>

#include "batch/batch_core.h"
#include "derive/step_slopes.h"

typedef struct {
  const ct_DerivativeOptions* options;
  const ct_DerivativeMatrices* matrices;
  const ct_DerivativeProduct* products;
  const ct_RolloutProduct* rollouts;
  int* results;
  ct_DerivativeReport* reports;
} Request;

// Row e of a matrix with so many numbers in a row.
static mjtNum* row(mjtNum* x, int e, size_t numbers) {
  return x ? x + (size_t)e * numbers : NULL;
}

static const mjtNum* given(const mjtNum* x, int e, size_t numbers) {
  return x ? x + (size_t)e * numbers : NULL;
}

static int answer(const Request* r, const mjModel* m, mjData* d, int e,
                  ct_DerivativeReport* report) {
  size_t n = (size_t)(2 * m->nv + m->na), nu = (size_t)m->nu, ns = (size_t)m->nsensordata;
  if (r->matrices) {
    const ct_DerivativeMatrices* x = r->matrices;
    ct_DerivativeMatrices one = {row(x->A, e, n * n), row(x->B, e, n * nu), row(x->C, e, ns * n),
                                 row(x->D, e, ns * nu)};
    return ct_derivative(m, d, r->options, &one, report);
  }
  if (r->products) {
    const ct_DerivativeProduct* x = r->products;
    ct_DerivativeProduct one = {given(x->dx, e, n),   given(x->du, e, nu), row(x->dy, e, n),
                                given(x->by_y, e, n), row(x->by_x, e, n),  row(x->by_u, e, nu)};
    return ct_derivative_product(m, d, r->options, &one, report);
  }
  ct_RolloutProduct one = *r->rollouts;
  size_t steps = one.steps > 0 ? (size_t)one.steps : 0;
  one.ctrl = given(one.ctrl, e, steps * nu);
  one.dx = given(one.dx, e, n);
  one.du = given(one.du, e, steps * nu);
  one.dy = row(one.dy, e, (steps + 1) * n);
  one.by_y = given(one.by_y, e, (steps + 1) * n);
  one.by_x = row(one.by_x, e, n);
  one.by_u = row(one.by_u, e, steps * nu);
  one.by_parameter = row(one.by_parameter, e, (size_t)(one.nparameter > 0 ? one.nparameter : 0));
  return ct_rollout_product(m, d, r->options, &one, report);
}

static void derive_environment(const mjModel* m, mjData* d, int environment, void* argument) {
  const Request* r = (const Request*)argument;
  int result = answer(r, m, d, environment, r->reports ? r->reports + environment : NULL);
  if (r->results) r->results[environment] = result;
}

// On a GPU

static bool suits_a_device(const ct_Batch* b, const Request* r) {
  const ct_DerivativeOptions* o = r->options;
  const mjModel* m = ct_batch_derives(b) ? b->model : NULL;
  if (r->matrices && (r->matrices->C || r->matrices->D)) return false;  // some sensors have none
  if (!m || m->nv == 0 || m->opt.integrator == mjINT_RK4 || ct_reasons_of_model(m)) return false;
  return !o || (o->method != CT_DERIVATIVE_DIFFERENCES && o->smoothing >= 0 && o->eps > 0);
}

// Environments whose derivative the device has made are struck off the mask.
static void take_over(const Request* r, const ct_BatchSlopes* found, mjtByte* left, int n) {
  for (int e = 0; e < n; e++) {
    int forbidden = found->reasons[e] & ~(int)CT_SLOPE_NOTES;
    if (!left[e] || forbidden || found->status[e] || isnan((double)found->worst[e])) continue;
    left[e] = 0;
    if (r->results) r->results[e] = 0;
    if (!r->reports) continue;
    r->reports[e] = (ct_DerivativeReport){CT_DERIVATIVE_ANALYTIC, found->reasons[e],
                                          found->status[e], found->worst[e]};
  }
}

// left (n) receives who has no derivative yet.
static int ask_device(ct_Batch* b, const mjtByte* mask, const Request* r, mjtByte* left) {
  size_t n = (size_t)b->setup.count;
  ct_BatchSlopes ask = {.evaluated = r->options && r->options->evaluated,
                        .smoothing = r->options ? r->options->smoothing : 0,
                        .status = (int*)calloc(n, sizeof(int)),
                        .reasons = (int*)calloc(n, sizeof(int)),
                        .worst = (mjtNum*)calloc(n, sizeof(mjtNum))};
  if (r->matrices) ask.out = *r->matrices;
  if (r->products) ask.product = *r->products;
  int code = ask.status && ask.reasons && ask.worst
                 ? ct_batch_ask_slopes(b, mask, left, &ask)
                 : ct_batch_refuse(CT_BATCH_NO_MEMORY, "there is no memory for derivatives");
  if (!code) take_over(r, &ask, left, (int)n);
  free(ask.status);
  free(ask.reasons);
  free(ask.worst);
  return code;
}

static bool someone(const mjtByte* mask, int n) {
  bool any = false;
  for (int e = 0; e < n; e++) any = any || mask[e];
  return any;
}

static int derive_all(ct_Batch* b, const mjtByte* mask, Request* r) {
  if (!suits_a_device(b, r)) return ct_batch_apply(b, mask, derive_environment, r, 0);
  int n = b->setup.count, code;
  mjtByte* left = (mjtByte*)malloc((size_t)n + 1);
  if (!left) return ct_batch_refuse(CT_BATCH_NO_MEMORY, "there is no memory for a mask");
  code = ask_device(b, mask, r, left);
  if (!code && someone(left, n)) {
    code = ct_batch_apply(b, left, derive_environment, r, 0);
  }
  free(left);
  return code;
}

int ct_batch_derivative(ct_Batch* b, const mjtByte* mask, const ct_DerivativeOptions* options,
                        const ct_DerivativeMatrices* out, int* results,
                        ct_DerivativeReport* reports) {
  Request r = {options, out, NULL, NULL, results, reports};
  return derive_all(b, mask, &r);
}

int ct_batch_derivative_product(ct_Batch* b, const mjtByte* mask,
                                const ct_DerivativeOptions* options,
                                const ct_DerivativeProduct* products, int* results,
                                ct_DerivativeReport* reports) {
  Request r = {options, NULL, products, NULL, results, reports};
  return derive_all(b, mask, &r);
}

int ct_batch_rollout_product(ct_Batch* b, const mjtByte* mask, const ct_DerivativeOptions* options,
                             const ct_RolloutProduct* rollouts, int* results,
                             ct_DerivativeReport* reports) {
  Request r = {options, NULL, NULL, rollouts, results, reports};
  return ct_batch_apply(b, mask, derive_environment, &r, 0);
}
