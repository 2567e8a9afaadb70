// Derivatives of all environments of a batch: the functions of one mjData, with the rows of each
// environment.

#include <corten/batch.h>
#include <corten/derivative.h>
#include <stddef.h>

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

int ct_batch_derivative(ct_Batch* b, const mjtByte* mask, const ct_DerivativeOptions* options,
                        const ct_DerivativeMatrices* out, int* results,
                        ct_DerivativeReport* reports) {
  Request r = {options, out, NULL, NULL, results, reports};
  return ct_batch_apply(b, mask, derive_environment, &r, 0);
}

int ct_batch_derivative_product(ct_Batch* b, const mjtByte* mask,
                                const ct_DerivativeOptions* options,
                                const ct_DerivativeProduct* products, int* results,
                                ct_DerivativeReport* reports) {
  Request r = {options, NULL, products, NULL, results, reports};
  return ct_batch_apply(b, mask, derive_environment, &r, 0);
}

int ct_batch_rollout_product(ct_Batch* b, const mjtByte* mask, const ct_DerivativeOptions* options,
                             const ct_RolloutProduct* rollouts, int* results,
                             ct_DerivativeReport* reports) {
  Request r = {options, NULL, NULL, rollouts, results, reports};
  return ct_batch_apply(b, mask, derive_environment, &r, 0);
}
