// Derivatives of a batch have the bits of those of each environment alone.

#include <corten/batch.h>
#include <corten/derivative.h>

#include <stdlib.h>
#include <string.h>

#include "support/fail.h"
#include "support/models.h"
#include "support/states.h"

enum { COUNT = 6, STEPS = 5 };

static mjtNum* numbers(int n) {
  return (mjtNum*)calloc((size_t)n + 1, sizeof(mjtNum));
}

static void fill(mjtNum* x, int n, unsigned seed) {
  for (int i = 0; i < n; i++) {
    seed = seed * 1664525u + 1013904223u;
    x[i] = (mjtNum)((seed >> 8) / 8388608.0 - 1);
  }
}

typedef struct {
  mjModel* m;
  ct_Batch* b;
  mjData* d[COUNT];  // each environment alone
  int n, nu;
} Subject;

// Environments with different controls, a few steps from the start.
static Subject open_subject(int threads) {
  Subject s;
  char error[500] = "";
  s.m = recorded_model("humanoid");
  ct_BatchOptions options = ct_default_batch_options();
  options.threads = threads;
  s.b = ct_batch_create(s.m, COUNT, &options, error, sizeof(error));
  assert_non_null(s.b);
  s.n = (int)(2 * s.m->nv + s.m->na);
  s.nu = (int)s.m->nu;
  mjtNum* ctrl = numbers(COUNT * s.nu);
  fill(ctrl, COUNT * s.nu, 3);
  assert_int_equal(ct_batch_set(s.b, "ctrl", NULL, ctrl), 0);
  assert_int_equal(ct_batch_step(s.b, NULL, 100), 0);
  for (int e = 0; e < COUNT; e++) {
    s.d[e] = mj_makeData(s.m);
    assert_int_equal(ct_batch_get_data(s.b, e, NULL, s.d[e]), 0);
  }
  free(ctrl);
  return s;
}

static void close_subject(Subject* s) {
  for (int e = 0; e < COUNT; e++) mj_deleteData(s->d[e]);
  ct_batch_destroy(s->b);
  mj_deleteModel(s->m);
}

static void matrices_are_those_of_each_environment(void** state) {
  (void)state;
  Subject s = open_subject(2);
  int n = s.n, nu = s.nu, results[COUNT];
  mjtNum *A = numbers(COUNT * n * n), *B = numbers(COUNT * n * nu);
  mjtNum *one_A = numbers(n * n), *one_B = numbers(n * nu);
  const mjtByte mask[COUNT] = {1, 1, 0, 1, 1, 1};
  ct_DerivativeReport reports[COUNT];
  ct_DerivativeMatrices out = {A, B, NULL, NULL}, one = {one_A, one_B, NULL, NULL};
  assert_int_equal(ct_batch_derivative(s.b, mask, NULL, &out, results, reports), 0);
  for (int e = 0; e < COUNT; e++) {
    memset(one_A, 0, (size_t)(n * n) * sizeof(mjtNum));
    if (mask[e]) {
      ct_DerivativeReport report;
      assert_int_equal(ct_derivative(s.m, s.d[e], NULL, &one, &report), results[e]);
      assert_int_equal(reports[e].method, report.method);
      assert_int_equal(reports[e].reasons, report.reasons);
      assert_memory_equal(B + e * n * nu, one_B, (size_t)(n * nu) * sizeof(mjtNum));
    }
    assert_memory_equal(A + e * n * n, one_A, (size_t)(n * n) * sizeof(mjtNum));
  }
  free(A), free(B), free(one_A), free(one_B);
  close_subject(&s);
}

static void products_are_those_of_each_environment(void** state) {
  (void)state;
  Subject s = open_subject(3);
  int n = s.n, nu = s.nu;
  mjtNum *by_y = numbers(COUNT * n), *by_x = numbers(COUNT * n), *by_u = numbers(COUNT * nu);
  mjtNum *one_x = numbers(n), *one_u = numbers(nu);
  fill(by_y, COUNT * n, 9);
  ct_DerivativeProduct all = {.by_y = by_y, .by_x = by_x, .by_u = by_u};
  assert_int_equal(ct_batch_derivative_product(s.b, NULL, NULL, &all, NULL, NULL), 0);
  for (int e = 0; e < COUNT; e++) {
    ct_DerivativeProduct one = {.by_y = by_y + e * n, .by_x = one_x, .by_u = one_u};
    assert_int_equal(ct_derivative_product(s.m, s.d[e], NULL, &one, NULL), 0);
    assert_memory_equal(by_x + e * n, one_x, (size_t)n * sizeof(mjtNum));
    assert_memory_equal(by_u + e * nu, one_u, (size_t)nu * sizeof(mjtNum));
  }
  free(by_y), free(by_x), free(by_u), free(one_x), free(one_u);
  close_subject(&s);
}

static void rollouts_are_those_of_each_environment(void** state) {
  (void)state;
  Subject s = open_subject(2);
  int n = s.n, nu = s.nu, results[COUNT];
  mjtNum *ctrl = numbers(COUNT * STEPS * nu), *by_y = numbers(COUNT * (STEPS + 1) * n);
  mjtNum *by_u = numbers(COUNT * STEPS * nu), *one_u = numbers(STEPS * nu);
  fill(ctrl, COUNT * STEPS * nu, 1);
  fill(by_y, COUNT * (STEPS + 1) * n, 2);
  // each environment has dampings of its own
  mjtNum* dampings = numbers(COUNT * (int)s.m->nv);
  for (int i = 0; i < COUNT * s.m->nv; i++) dampings[i] = (mjtNum)(1 + i % 5);
  assert_int_equal(ct_batch_vary(s.b, "dof_damping"), 0);
  assert_int_equal(ct_batch_set(s.b, "dof_damping", NULL, dampings), 0);
  const ct_Parameter damping = {"dof_damping", 7};
  mjtNum by_damping[COUNT], one_damping;
  ct_RolloutProduct all = {.steps = STEPS,
                           .ctrl = ctrl,
                           .by_y = by_y,
                           .by_u = by_u,
                           .nparameter = 1,
                           .parameters = &damping,
                           .by_parameter = by_damping};
  assert_int_equal(ct_batch_rollout_product(s.b, NULL, NULL, &all, results, NULL), 0);
  for (int e = 0; e < COUNT; e++) {
    ct_RolloutProduct one = {.steps = STEPS,
                             .ctrl = ctrl + e * STEPS * nu,
                             .by_y = by_y + e * (STEPS + 1) * n,
                             .by_u = one_u,
                             .nparameter = 1,
                             .parameters = &damping,
                             .by_parameter = &one_damping};
    memcpy(s.m->dof_damping, dampings + e * s.m->nv, (size_t)s.m->nv * sizeof(mjtNum));
    assert_int_equal(results[e], 0);
    assert_int_equal(ct_rollout_product(s.m, s.d[e], NULL, &one, NULL), 0);
    assert_memory_equal(by_u + e * STEPS * nu, one_u, (size_t)(STEPS * nu) * sizeof(mjtNum));
    assert_memory_equal(by_damping + e, &one_damping, sizeof(mjtNum));
  }
  free(ctrl), free(by_y), free(by_u), free(one_u), free(dampings);
  close_subject(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(matrices_are_those_of_each_environment),
      cmocka_unit_test(products_are_those_of_each_environment),
      cmocka_unit_test(rollouts_are_those_of_each_environment),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
