// One environment of a batch on a GPU: to and from the host, copies, derived constants.

#include <stdlib.h>
#include <string.h>

#include "base/private.h"
#include "batch/cpu.h"
#include "batch/cuda/cuda_batch.h"
#include "batch/guard.h"
#include "host/sleep_functions.h"

static bool may_sleep(const ct_GpuBatch* b) {
  return (b->m->opt.enableflags & mjENBL_SLEEP) != 0;
}

static ct_BatchField warnings(const ct_GpuBatch* b) {
  ct_BatchField field;
  char why[100];
  ct_find_batch_field(b->m, "warning", &field, why, sizeof(why));
  return field;
}

// All arrays of the buffer, from the device to the host or back.
static int move_arrays(ct_GpuBatch* b, int environment, mjData* d, bool in) {
  char* there = b->e.memory + (size_t)environment * b->e.stride + b->e.buffer_at;
  cudaError_t e = cudaMemcpyAsync(in ? (void*)there : d->buffer, in ? d->buffer : (void*)there,
                                  (size_t)d->nbuffer, cudaMemcpyDefault, b->stream);
  if (e == cudaSuccess) e = cudaStreamSynchronize(b->stream);
  return ct_cuda_result(b, e, "moving an environment");
}

// Members of mjData that say how many are awake.
static int move_awake_counts(ct_GpuBatch* b, int environment, const mjData* d) {
  static const char* const names[] = {"ntree_awake", "nbody_awake", "nparent_awake", "nv_awake"};
  int code = CT_BATCH_OK;
  for (size_t i = 0; !code && i < sizeof(names) / sizeof(names[0]); i++) {
    ct_BatchField field;
    char why[100];
    if (!ct_find_batch_field(b->m, names[i], &field, why, sizeof(why))) continue;
    code = ct_cuda_set_row(b, &field, environment, ct_batch_field_in(&field, d));
  }
  return code;
}

int ct_cuda_update_sleep(ct_GpuBatch* b, int environment) {
  int code = move_arrays(b, environment, b->desk, false);
  if (code) return code;
  mj_updateSleep(b->m, b->desk);
  code = move_arrays(b, environment, b->desk, true);
  return code ? code : move_awake_counts(b, environment, b->desk);
}

// Copies

int ct_cuda_copy(void* self, int from, int to) {
  ct_GpuBatch* b = (ct_GpuBatch*)self;
  cudaSetDevice(b->device);
  cudaError_t e = ct_copy_environment(&b->e, from, to, b->stream);
  for (int i = 0; e == cudaSuccess && i < b->nvaried; i++) {
    ct_DeviceRows rows = ct_device_rows(b, &b->varied[i].field);
    if (!rows.bytes) continue;
    e = cudaMemcpyAsync(rows.at + (size_t)to * rows.stride, rows.at + (size_t)from * rows.stride,
                        rows.bytes, cudaMemcpyDeviceToDevice, b->stream);
  }
  return ct_cuda_result(b, e, "copying an environment");
}

// To the host

static int get_model(ct_GpuBatch* b, int environment, mjModel* m) {
  int code = CT_BATCH_OK;
  mj_copyModel(m, b->m);
  for (int i = 0; !code && i < b->nvaried; i++) {
    const ct_BatchField* f = &b->varied[i].field;
    code = ct_cuda_get_row(b, f, environment, ct_batch_field_in(f, m));
  }
  return code;
}

static int get_state(ct_GpuBatch* b, int environment, mjData* d) {
  ct_BatchField field = ct_state_field(b->m, mjSTATE_INTEGRATION);
  mjtNum* row = (mjtNum*)malloc(ct_batch_row_bytes(&field) + 1);
  if (!row) return ct_cuda_refuse(b, CT_BATCH_NO_MEMORY, "there is no memory for a state");
  int code = ct_cuda_get_row(b, &field, environment, row);
  if (!code) mj_setState(b->m, d, row, mjSTATE_INTEGRATION);
  free(row);
  return code;
}

typedef struct {
  ct_GpuBatch* b;
  int environment;
  mjModel* m;
  mjData* d;
  int code;
} Taking;

static void take(void* argument) {
  Taking* t = (Taking*)argument;
  ct_GpuBatch* b = t->b;
  if (t->m) t->code = get_model(b, t->environment, t->m);
  if (!t->d || t->code) return;
  mj_resetData(b->m, t->d);
  if (may_sleep(b)) t->code = move_arrays(b, t->environment, t->d, false);
  if (!t->code) t->code = get_state(b, t->environment, t->d);
  for (int i = 0; !t->code && i < b->nkept; i++) {
    const ct_BatchField* f = b->kept + i;
    if (ct_field_comes_back(f)) {
      t->code = ct_cuda_get_row(b, f, t->environment, ct_batch_field_in(f, t->d));
    }
  }
  ct_BatchField warning = warnings(b);
  if (!t->code) t->code = ct_cuda_get_row(b, &warning, t->environment, t->d->warning);
  if (!t->code && may_sleep(b)) mj_updateSleep(b->m, t->d);
}

int ct_cuda_get_data(void* self, int environment, mjModel* m, mjData* d) {
  Taking t = {(ct_GpuBatch*)self, environment, m, d, CT_BATCH_OK};
  cudaSetDevice(t.b->device);
  if (ct_run_guarded(take, &t, t.b->error, sizeof(t.b->error))) return t.code;
  return CT_BATCH_BAD_ARGUMENT;
}

// From the host

static int set_state(ct_GpuBatch* b, int environment, const mjData* d) {
  ct_BatchField field = ct_state_field(b->m, mjSTATE_INTEGRATION);
  mjtNum* row = (mjtNum*)malloc(ct_batch_row_bytes(&field) + 1);
  if (!row) return ct_cuda_refuse(b, CT_BATCH_NO_MEMORY, "there is no memory for a state");
  mj_getState(b->m, d, row, mjSTATE_INTEGRATION);
  int code = ct_cuda_set_row(b, &field, environment, row);
  free(row);
  return code;
}

int ct_cuda_set_data(void* self, int environment, const mjData* d) {
  ct_GpuBatch* b = (ct_GpuBatch*)self;
  cudaSetDevice(b->device);
  int code = set_state(b, environment, d);
  for (int i = 0; !code && i < b->nkept; i++) {
    code = ct_cuda_set_row(b, b->kept + i, environment, ct_batch_field_in(b->kept + i, d));
  }
  ct_BatchField warning = warnings(b);
  if (!code) code = ct_cuda_set_row(b, &warning, environment, d->warning);
  if (!code && may_sleep(b)) {
    code = move_arrays(b, environment, (mjData*)(uintptr_t)d, true);
    if (!code) code = ct_cuda_update_sleep(b, environment);
  }
  // addresses of the host that go with it must not change before they are read
  return code ? code : ct_cuda_result(b, cudaStreamSynchronize(b->stream), "bringing rows");
}

// Constants

typedef struct {
  mjModel* m;
  mjData* d;
} Desk;

static void set_const(void* argument) {
  Desk* desk = (Desk*)argument;
  mj_setConst(desk->m, desk->d);
}

static int flag(ct_GpuBatch* b, int environment) {
  ct_BatchField field;
  char why[100];
  int status = 0;
  ct_find_batch_field(b->m, "status", &field, why, sizeof(why));
  int code = ct_cuda_get_row(b, &field, environment, &status);
  status |= CT_BAD_MODEL;
  return code ? code : ct_cuda_set_row(b, &field, environment, &status);
}

// What mj_setConst makes of one environment's model; fields that it changes vary from then on.
static int derive(ct_GpuBatch* b, int environment, Desk* desk) {
  char message[240];
  int code = get_model(b, environment, desk->m);
  if (code) return code;
  if (!ct_run_guarded(set_const, desk, message, sizeof(message))) {
    ct_recover_data(desk->d);
    return flag(b, environment);
  }
  for (int k = 0; !code && ct_derived_field(k); k++) {
    ct_BatchField f;
    char why[100];
    if (!ct_find_batch_field(b->m, ct_derived_field(k), &f, why, sizeof(why))) continue;
    size_t bytes = ct_batch_row_bytes(&f);
    const void* result = ct_batch_field_in(&f, desk->m);
    bool varies = ct_cuda_has(b, &f);
    if (!bytes || (!varies && !memcmp(ct_batch_field_in(&f, b->m), result, bytes))) continue;
    if (!varies) code = ct_cuda_vary(b, &f);
    if (!code) code = ct_cuda_set_row(b, &f, environment, result);
    if (!code) code = ct_cuda_result(b, cudaStreamSynchronize(b->stream), "deriving constants");
  }
  return code;
}

int ct_cuda_set_const(void* self, const mjtByte* mask) {
  ct_GpuBatch* b = (ct_GpuBatch*)self;
  cudaSetDevice(b->device);
  if (!b->nvaried) return CT_BATCH_OK;
  ct_Listener listener;
  ct_listen(&listener);
  Desk desk = {mj_copyModel(NULL, b->m), NULL};
  if (desk.m) desk.d = mj_makeData(desk.m);
  ct_stop_listening(&listener);
  mjtByte* chosen = (mjtByte*)calloc((size_t)b->n, 1);
  int code = desk.d && chosen ? CT_BATCH_OK
                              : ct_cuda_refuse(b, CT_BATCH_NO_MEMORY, "deriving constants: %s",
                                               listener.message);
  if (!code && mask) code = ct_cuda_host_mask(b, mask, chosen);
  for (int i = 0; !code && i < b->n; i++) {
    if (!mask || chosen[i]) code = derive(b, i, &desk);
  }
  free(chosen);
  mj_deleteData(desk.d);
  mj_deleteModel(desk.m);
  return code;
}
