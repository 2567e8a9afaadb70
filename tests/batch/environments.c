#include "batch/environments.h"

#include <corten/step.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/fail.h"
#include "support/models.h"

// Models with a plugin need one that is registered.
static bool is_steppable(const char* name) {
  mjModel* m = recorded_model(name);
  bool good = m->nplugin == 0;
  mj_deleteModel(m);
  return good;
}

const char* steppable_model(int i) {
  for (int k = 0; recorded_model_name(k); k++) {
    if (is_steppable(recorded_model_name(k)) && i-- == 0) return recorded_model_name(k);
  }
  return NULL;
}

ct_Batch* make_batch(const mjModel* m, int n, int threads) {
  char error[500];
  ct_BatchOptions options = ct_default_batch_options();
  options.threads = threads;
  options.auto_reset = 0;  // a loop does not do it either
  ct_Batch* b = ct_batch_create(m, n, &options, error, sizeof(error));
  if (!b) fail_msg("the batch cannot be made: %s", error);
  return b;
}

void disturb_environment(const mjModel* m, mjData* d, int i) {
  for (int k = 0; k < m->nv; k++) d->qvel[k] = (mjtNum)((i * 13 + k * 7) % 23 - 11) / 50;
  for (int k = 0; k < m->nu; k++) d->ctrl[k] = (mjtNum)((i * 31 + k * 17) % 41 - 20) / 20;
  for (int k = 0; k < m->nv; k++) d->qfrc_applied[k] = (mjtNum)((i * 5 + k * 3) % 7 - 3) / 100;
}

void choose_controls(const mjModel* m, mjtNum* ctrl, int i, int t) {
  for (int k = 0; k < m->nu; k++) ctrl[k] = (mjtNum)((i * 31 + k * 17 + t * 29) % 41 - 20) / 20;
}

static void disturb_one(const mjModel* m, mjData* d, int environment, void* argument) {
  (void)argument;
  disturb_environment(m, d, environment);
}

void disturb_batch(ct_Batch* b) {
  assert_int_equal(ct_batch_apply(b, NULL, disturb_one, NULL, 1), CT_BATCH_OK);
}

void control_batch(ct_Batch* b, int t) {
  const mjModel* m = ct_batch_model(b);
  ct_BatchView ctrl;
  assert_int_equal(ct_batch_view(b, "ctrl", &ctrl), CT_BATCH_OK);
  for (int i = 0; i < ct_batch_count(b); i++) {
    choose_controls(m, (mjtNum*)((char*)ctrl.data + (size_t)i * ctrl.stride), i, t);
  }
}

Loop make_loop(mjModel* m, int n) {
  Loop loop = {m, n, (mjData**)calloc((size_t)n, sizeof(mjData*))};
  for (int i = 0; i < n; i++) {
    loop.d[i] = mj_makeData(m);
    disturb_environment(m, loop.d[i], i);
  }
  return loop;
}

void step_loop(Loop* loop, int t, int substeps) {
  for (int i = 0; i < loop->n; i++) {
    choose_controls(loop->m, loop->d[i]->ctrl, i, t);
    for (int k = 0; k < substeps; k++) ct_step(loop->m, loop->d[i]);
  }
}

void free_loop(Loop* loop) {
  for (int i = 0; i < loop->n; i++) mj_deleteData(loop->d[i]);
  free(loop->d);
}

static void expect_row(const char* what, const char* field, int i, const void* got,
                       const void* want, size_t bytes, size_t element) {
  if (!bytes || !memcmp(got, want, bytes)) return;
  size_t at = 0;
  while (((const char*)got)[at] == ((const char*)want)[at]) at++;
  at = at / element * element;
  double x = 0, y = 0;
  if (element == sizeof(mjtNum)) {
    x = (double)*(const mjtNum*)((const char*)got + at);
    y = (double)*(const mjtNum*)((const char*)want + at);
  }
  fail_msg("%s, environment %d: element %zu of %s is %.17g in the batch and %.17g alone", what, i,
           at / element, field, x, y);
}

void expect_same_field(ct_Batch* b, const Loop* loop, const char* field) {
  const mjModel* m = loop->m;
  int type, size = ct_batch_field_size(b, field, &type);
  if (size < 0) fail_msg("%s", ct_batch_error(b));
  size_t element = type == CT_NUMBER ? sizeof(mjtNum) : type == CT_INT ? sizeof(int) : 1;
  size_t bytes = (size_t)size * element;
  char* got = (char*)malloc((size_t)loop->n * bytes + 1);
  if (ct_batch_get(b, field, NULL, got)) fail_msg("%s", ct_batch_error(b));
  for (int i = 0; i < loop->n; i++) {
    const void* want = NULL;
#define DATA_ARRAY(type_, name_, rows_, cols_, stage_, doc_) \
  if (!strcmp(field, #name_)) want = loop->d[i]->name_;
#define DATA_VALUE(type_, name_, extent_, doc_) \
  if (!strcmp(field, #name_)) want = &loop->d[i]->name_;
#include "data.def"
    expect_row(m->names, field, i, got + (size_t)i * bytes, want, bytes, element);
  }
  free(got);
}

void expect_same_bits(ct_Batch* b, const Loop* loop, const char* what) {
  int size = mj_stateSize(loop->m, mjSTATE_INTEGRATION);
  size_t bytes = (size_t)size * sizeof(mjtNum);
  mjtNum* got = (mjtNum*)malloc((size_t)loop->n * bytes);
  mjtNum* want = (mjtNum*)malloc(bytes);
  assert_int_equal(ct_batch_get_state(b, mjSTATE_INTEGRATION, NULL, got), CT_BATCH_OK);
  for (int i = 0; i < loop->n; i++) {
    mj_getState(loop->m, loop->d[i], want, mjSTATE_INTEGRATION);
    expect_row(what, "the state", i, got + i * size, want, bytes, sizeof(mjtNum));
  }
  free(got);
  free(want);
  expect_same_field(b, loop, "sensordata");
  expect_same_field(b, loop, "energy");
}

void expect_refusal(ct_Batch* b, int got, int code, const char* text) {
  if (got != code) fail_msg("%d instead of %d; \"%s\"", got, code, ct_batch_error(b));
  if (!strstr(ct_batch_error(b), text)) {
    fail_msg("the message \"%s\" does not say \"%s\"", ct_batch_error(b), text);
  }
}
