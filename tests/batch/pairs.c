#include "batch/pairs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "batch/environments.h"
#include "support/fail.h"
#include "support/models.h"

static ct_Batch* make_some(const mjModel* m, int n, int backend, const ct_BatchOptions* from) {
  char error[500];
  ct_BatchOptions o = from ? *from : ct_default_batch_options();
  o.backend = backend;
  o.required = 1;
  o.threads = n > N ? 0 : 1;
  o.own_data = 0;
  ct_Batch* b = ct_batch_create(m, n, &o, error, sizeof(error));
  if (!b) fail_msg("%s: %s", m->names, error);
  return b;
}

ct_Batch* make_on(const mjModel* m, int backend, const ct_BatchOptions* from) {
  return make_some(m, N, backend, from);
}

Pair make_many(const mjModel* m, int n, const ct_BatchOptions* options) {
  Pair p = {m, n, make_some(m, n, CT_BACKEND_CPU, options),
            make_some(m, n, CT_BACKEND_GPU, options)};
  return p;
}

bool there_is_a_gpu(void) {
  static int known = -1;
  if (known < 0) {
    mjModel* m = recorded_model("pendulum");
    ct_BatchOptions o = ct_default_batch_options();
    char error[500];
    o.backend = CT_BACKEND_GPU;
    o.required = 1;
    ct_Batch* b = ct_batch_create(m, 1, &o, error, sizeof(error));
    known = b != NULL;
    if (!b) printf("skipped: %s\n", error);
    ct_batch_destroy(b);
    mj_deleteModel(m);
  }
  return known != 0;
}

Pair make_pair_with(const mjModel* m, const ct_BatchOptions* options) {
  Pair p = {m, N, make_on(m, CT_BACKEND_CPU, options), make_on(m, CT_BACKEND_GPU, options)};
  return p;
}

Pair make_pair(const mjModel* m) {
  return make_pair_with(m, NULL);
}

void free_pair(Pair* p) {
  ct_batch_destroy(p->cpu);
  ct_batch_destroy(p->gpu);
}

void set_both(Pair* p, const char* field, const mjtByte* mask, const void* matrix) {
  BOTH(ct_batch_set(p->cpu, field, mask, matrix), ct_batch_set(p->gpu, field, mask, matrix));
}

void step_both(Pair* p, const mjtByte* mask, int nstep) {
  BOTH(ct_batch_step(p->cpu, mask, nstep), ct_batch_step(p->gpu, mask, nstep));
}

void expect_same_matrix(const Pair* p, const char* field, const char* a, const char* b,
                        size_t row) {
  for (int i = 0; i < p->n; i++) {
    for (size_t k = 0; k < row; k++) {
      size_t at = (size_t)i * row + k;
      if (a[at] == b[at]) continue;
      size_t e = at / sizeof(mjtNum);
      mjtNum x, y;
      memcpy(&x, a + e * sizeof(mjtNum), sizeof(x));
      memcpy(&y, b + e * sizeof(mjtNum), sizeof(y));
      fail_msg("%s: %s of environment %d differs at byte %zu: %.17g on the CPU, %.17g on the GPU",
               p->m->names, field, i, k, (double)x, (double)y);
    }
  }
}

void expect_same_field_of_both(Pair* p, const char* field) {
  static const size_t element[] = {sizeof(mjtNum), sizeof(float), sizeof(int), 1, sizeof(mjtSize)};
  int type, size = ct_batch_field_size(p->cpu, field, &type);
  size_t row = (size_t)size * element[type];
  char *a = (char*)calloc((size_t)p->n, row + 8), *b = (char*)calloc((size_t)p->n, row + 8);
  BOTH(ct_batch_get(p->cpu, field, NULL, a), ct_batch_get(p->gpu, field, NULL, b));
  expect_same_matrix(p, field, a, b, row);
  free(a);
  free(b);
}

void expect_same(Pair* p) {
  size_t row = (size_t)mj_stateSize(p->m, mjSTATE_INTEGRATION) * sizeof(mjtNum);
  mjtNum *a = (mjtNum*)calloc((size_t)p->n, row), *b = (mjtNum*)calloc((size_t)p->n, row);
  expect_same_field_of_both(p, "status");
  BOTH(ct_batch_get_state(p->cpu, mjSTATE_INTEGRATION, NULL, a),
       ct_batch_get_state(p->gpu, mjSTATE_INTEGRATION, NULL, b));
  expect_same_matrix(p, "the state", (const char*)a, (const char*)b, row);
  free(a);
  free(b);
  const char* const others[] = {"sensordata", "energy", "reward",  "terminated",
                                "truncated",  "steps",  "warning", "noise"};
  for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
    expect_same_field_of_both(p, others[i]);
  }
}

void disturb_both(Pair* p) {
  disturb_batch(p->cpu);
  disturb_batch(p->gpu);
}

void control_both(Pair* p, int t) {
  size_t nu = (size_t)p->m->nu;
  mjtNum* ctrl = (mjtNum*)calloc((size_t)p->n * nu + 1, sizeof(mjtNum));
  for (int i = 0; i < p->n; i++) choose_controls(p->m, ctrl + (size_t)i * nu, i, t);
  set_both(p, "ctrl", NULL, ctrl);
  free(ctrl);
}
