// Fields of a batch on a GPU: where they are, in and out, those that are kept and those that vary.

#include <stdlib.h>
#include <string.h>

#include "base/private.h"
#include "batch/cuda/cuda_batch.h"

// Where fields are

static ct_DeviceRows outcome_rows(const ct_GpuBatch* b, const ct_BatchField* field) {
  const ct_Environments* e = &b->e;
  void* const table[CT_NOUTCOME] = {e->status, e->reward, e->terminated, e->truncated,
                                    e->steps,  NULL,      e->noise};
  size_t bytes = ct_batch_row_bytes(field);
  ct_DeviceRows rows = {(char*)table[field->outcome], bytes, bytes};
  if (field->outcome == CT_OUTCOME_WARNING) {
    rows.at = e->memory + ct_front_member("warning");
    rows.stride = e->stride;
  }
  return rows;
}

static ct_DeviceRows data_rows(const ct_GpuBatch* b, const ct_BatchField* field) {
  const ct_Environments* e = &b->e;
  ct_DeviceRows rows = {e->memory, e->stride, ct_batch_row_bytes(field)};
  if (field->array) {
    const char* array = (const char*)ct_field_array(field->array, b->desk);
    rows.at += e->buffer_at + (size_t)(array - (const char*)b->desk->buffer);
  } else {
    rows.at += ct_front_member(field->name);
  }
  return rows;
}

static ct_DeviceColumn* find_column(const ct_GpuBatch* b, const ct_BatchField* field) {
  for (int i = 0; i < b->nvaried; i++) {
    if (b->varied[i].field.offset == field->offset) return b->varied + i;
  }
  return NULL;
}

static ct_DeviceRows model_rows(const ct_GpuBatch* b, const ct_BatchField* field) {
  const ct_DeviceColumn* c = find_column(b, field);
  ct_DeviceRows rows = {NULL, 0, ct_batch_row_bytes(field)};
  if (!c) {
    rows.at = field->array ? (char*)*ct_field_pointer(field->array, (void*)(uintptr_t)&b->model)
                           : (char*)b->one_model + field->offset;
  } else if (field->array) {
    rows.at = c->rows;
    rows.stride = c->bytes;
  } else {
    rows.at = (char*)b->models + field->offset;
    rows.stride = sizeof(mjModel);
  }
  return rows;
}

// One component of the state, or all of it.
static ct_DeviceRows state_rows(const ct_GpuBatch* b, int state) {
  const ct_Environments* e = &b->e;
  size_t stride = (size_t)e->nstate * sizeof(mjtNum);
  ct_DeviceRows rows = {(char*)e->state, stride, stride};
  for (int i = 0; i < mjNSTATE; i++) {
    if (state != 1 << i) continue;
    rows.at = (char*)(e->state + e->component[i]);
    rows.bytes = (size_t)(e->component[i + 1] - e->component[i]) * sizeof(mjtNum);
  }
  return rows;
}

ct_DeviceRows ct_device_rows(const ct_GpuBatch* b, const ct_BatchField* field) {
  switch (field->place) {
    case CT_PLACE_STATE:
      return state_rows(b, field->state);
    case CT_PLACE_OUTCOME:
      return outcome_rows(b, field);
    case CT_PLACE_DATA:
      return data_rows(b, field);
    default:
      return model_rows(b, field);
  }
}

// Some components of the state are several pieces of a row.
static bool is_one_piece(const ct_BatchField* field) {
  int state = field->state;
  return field->place != CT_PLACE_STATE || state == mjSTATE_INTEGRATION || !(state & (state - 1));
}

// Moving

// Between the environments and a matrix on the device.
static int move(ct_GpuBatch* b, const ct_BatchField* field, const mjtByte* mask, char* matrix,
                size_t pitch, bool in) {
  size_t offset = 0;
  for (int i = 0; i < mjNSTATE; i++) {
    bool whole = is_one_piece(field);
    if (!whole && !(field->state & (1 << i))) continue;
    ct_DeviceRows rows = whole ? ct_device_rows(b, field) : state_rows(b, 1 << i);
    ct_RowMove out = {matrix + offset, pitch, rows.at, rows.stride, rows.bytes, b->n, mask};
    ct_RowMove back = {rows.at, rows.stride, matrix + offset, pitch, rows.bytes, b->n, mask};
    int code = rows.bytes
                   ? ct_cuda_result(b, ct_move_rows(in ? &back : &out, b->stream), "moving a field")
                   : CT_BATCH_OK;
    if (code || whole) return code;
    offset += rows.bytes;
  }
  return CT_BATCH_OK;
}

// Rows of a packed matrix of the device that a mask selects, to the host.
static int fetch_selected(ct_GpuBatch* b, const char* packed, size_t bytes, const mjtByte* mask,
                          char* to, size_t pitch) {
  size_t n = (size_t)b->n;
  char* rows = (char*)malloc(n * bytes);
  mjtByte* chosen = (mjtByte*)malloc(n);
  int code = rows && chosen ? CT_BATCH_OK
                            : ct_cuda_refuse(b, CT_BATCH_NO_MEMORY, "there is no memory for rows");
  if (!code) {
    cudaError_t e = cudaMemcpyAsync(rows, packed, n * bytes, cudaMemcpyDeviceToHost, b->stream);
    if (e == cudaSuccess) e = cudaMemcpyAsync(chosen, mask, n, cudaMemcpyDefault, b->stream);
    if (e == cudaSuccess) e = cudaStreamSynchronize(b->stream);
    code = ct_cuda_result(b, e, "fetching a field");
  }
  for (size_t i = 0; !code && i < n; i++) {
    if (chosen[i]) memcpy(to + i * pitch, rows + i * bytes, bytes);
  }
  free(rows);
  free(chosen);
  return code;
}

int ct_cuda_take_out(ct_GpuBatch* b, const ct_BatchField* field, const mjtByte* mask, char* to,
                     size_t pitch) {
  size_t bytes = ct_batch_row_bytes(field), n = (size_t)b->n;
  const mjtByte* chosen;
  int code = ct_device_mask(b, mask, &chosen);
  if (code) return code;
  if (ct_is_device_memory(to)) return move(b, field, chosen, to, pitch, false);
  char* staging = ct_cuda_staging(b, n * bytes);
  if (!staging) return CT_BATCH_NO_MEMORY;
  code = move(b, field, NULL, staging, bytes, false);
  if (code) return code;
  if (mask) return fetch_selected(b, staging, bytes, mask, to, pitch);
  cudaError_t e =
      cudaMemcpy2DAsync(to, pitch, staging, bytes, bytes, n, cudaMemcpyDeviceToHost, b->stream);
  if (e == cudaSuccess) e = cudaStreamSynchronize(b->stream);
  return ct_cuda_result(b, e, "fetching a field");
}

int ct_cuda_put_in(ct_GpuBatch* b, const ct_BatchField* field, const mjtByte* mask,
                   const char* from, size_t pitch) {
  size_t bytes = ct_batch_row_bytes(field), n = (size_t)b->n;
  const mjtByte* chosen;
  int code = ct_device_mask(b, mask, &chosen);
  if (code) return code;
  if (ct_is_device_memory(from)) {
    return move(b, field, chosen, (char*)(uintptr_t)from, pitch, true);
  }
  char* staging = ct_cuda_staging(b, n * bytes);
  if (!staging) return CT_BATCH_NO_MEMORY;
  code = ct_cuda_result(b, ct_bring_rows(b, staging, from, pitch, bytes, n), "bringing a field");
  return code ? code : move(b, field, chosen, staging, bytes, true);
}

int ct_cuda_get_row(ct_GpuBatch* b, const ct_BatchField* field, int environment, void* to) {
  ct_DeviceRows rows = ct_device_rows(b, field);
  if (!rows.bytes) return CT_BATCH_OK;
  cudaError_t e = cudaMemcpyAsync(to, rows.at + (size_t)environment * rows.stride, rows.bytes,
                                  cudaMemcpyDeviceToHost, b->stream);
  if (e == cudaSuccess) e = cudaStreamSynchronize(b->stream);
  return ct_cuda_result(b, e, "fetching a row");
}

int ct_cuda_set_row(ct_GpuBatch* b, const ct_BatchField* field, int environment, const void* from) {
  ct_DeviceRows rows = ct_device_rows(b, field);
  if (!rows.bytes) return CT_BATCH_OK;
  char* to = rows.at + (size_t)environment * rows.stride;
  return ct_cuda_result(b, ct_bring_rows(b, to, from, rows.bytes, rows.bytes, 1), "bringing a row");
}

// Kept

static const ct_BatchField* find_kept(const ct_GpuBatch* b, const ct_BatchField* field) {
  for (int i = 0; i < b->nkept; i++) {
    if (b->kept[i].offset == field->offset) return b->kept + i;
  }
  return NULL;
}

// Every environment has all arrays anyway; only those that are kept are part of it.
int ct_cuda_keep(void* self, const ct_BatchField* field) {
  ct_GpuBatch* b = (ct_GpuBatch*)self;
  cudaSetDevice(b->device);
  if (find_kept(b, field)) return CT_BATCH_OK;
  size_t bytes = (size_t)(b->nkept + 1) * sizeof(ct_BatchField);
  ct_BatchField* kept = (ct_BatchField*)realloc(b->kept, bytes);
  if (!kept) return ct_cuda_refuse(b, CT_BATCH_NO_MEMORY, "there is no memory for a name");
  b->kept = kept;
  b->kept[b->nkept++] = *field;
  if (!strstr(field->name, "island")) return CT_BATCH_OK;
  return ct_cuda_result(b, ct_expect_islands(&b->e, b->stream), "keeping islands");
}

bool ct_cuda_has(void* self, const ct_BatchField* field) {
  const ct_GpuBatch* b = (const ct_GpuBatch*)self;
  switch (field->place) {
    case CT_PLACE_DATA:  // what sleeps must stay where it is
      return find_kept(b, field) || (field->array && (b->m->opt.enableflags & mjENBL_SLEEP));
    case CT_PLACE_MODEL:
      return find_column(b, field) != NULL;
    default:
      return true;
  }
}

// Varying

// Fields that decide which kernels run, or what a reset computes on the host.
static const char* why_shared(const ct_GpuBatch* b, const ct_BatchField* field) {
  static const char* const names[] = {"opt.integrator",       "opt.solver",       "opt.cone",
                                      "opt.jacobian",         "opt.disableflags", "opt.enableflags",
                                      "opt.noslip_iterations"};
  if (b->m->opt.enableflags & mjENBL_SLEEP) return "trees of this model may sleep";
  if (b->m->nhistory > 0 && !strcmp(field->name, "opt.timestep")) return "the model has delays";
  for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
    if (!strcmp(field->name, names[i])) return "it decides which kernels run";
  }
  return NULL;
}

// From the shared model to one for each environment.
static int make_models(ct_GpuBatch* b) {
  size_t n = (size_t)b->n;
  if (b->models) return CT_BATCH_OK;
  char* models = (char*)ct_cuda_allocate(b, n * sizeof(mjModel), "a model for each environment");
  if (!models) return CT_BATCH_NO_MEMORY;
  ct_RowMove all = {models, sizeof(mjModel), (const char*)b->one_model, 0, sizeof(mjModel), b->n,
                    NULL};
  int code = ct_cuda_result(b, ct_move_rows(&all, b->stream), "making models");
  if (code) return code;
  b->models = (mjModel*)models;
  b->e.models.first = models;
  b->e.models.stride = sizeof(mjModel);
  ct_cuda_make_plans(b);
  return CT_BATCH_OK;
}

static int make_column(ct_GpuBatch* b, ct_DeviceColumn* c) {
  size_t n = (size_t)b->n;
  if (!c->field.array || !c->bytes) return CT_BATCH_OK;
  c->rows = (char*)ct_cuda_allocate(b, n * c->bytes, c->field.name);
  if (!c->rows) return CT_BATCH_NO_MEMORY;
  ct_DeviceRows shared = model_rows(b, &c->field);
  ct_RowMove all = {c->rows, c->bytes, shared.at, 0, c->bytes, b->n, NULL};
  cudaError_t e = ct_move_rows(&all, b->stream);
  if (e == cudaSuccess) {
    e = ct_bend_pointers((char*)b->models, c->field.offset, c->rows, c->bytes, b->n, b->stream);
  }
  return ct_cuda_result(b, e, "varying a field");
}

int ct_cuda_vary(void* self, const ct_BatchField* field) {
  ct_GpuBatch* b = (ct_GpuBatch*)self;
  cudaSetDevice(b->device);
  if (find_column(b, field)) return CT_BATCH_OK;
  const char* why = why_shared(b, field);
  if (why) {
    return ct_cuda_refuse(b, CT_BATCH_UNSUPPORTED,
                          "field \"%s\" cannot vary on a GPU: %s; use the CPU, or a batch of its "
                          "own for every value",
                          field->name, why);
  }
  size_t bytes = (size_t)(b->nvaried + 1) * sizeof(ct_DeviceColumn);
  ct_DeviceColumn* varied = (ct_DeviceColumn*)realloc(b->varied, bytes);
  if (!varied) return ct_cuda_refuse(b, CT_BATCH_NO_MEMORY, "there is no memory for a name");
  b->varied = varied;
  ct_DeviceColumn c = {*field, NULL, ct_batch_row_bytes(field)};
  int code = make_models(b);
  if (!code) code = make_column(b, &c);
  if (!code && !strncmp(field->name, "tendon_", 7)) {  // may make rows where there were none
    code = ct_cuda_result(b, ct_expect_islands(&b->e, b->stream), "varying a field");
  }
  if (!code) b->varied[b->nvaried++] = c;
  return code;
}

// The backend's functions

int ct_cuda_read(void* self, const ct_BatchField* field, const mjtByte* mask, void* to) {
  ct_GpuBatch* b = (ct_GpuBatch*)self;
  cudaSetDevice(b->device);
  return ct_cuda_take_out(b, field, mask, (char*)to, ct_batch_row_bytes(field));
}

int ct_cuda_write(void* self, const ct_BatchField* field, const mjtByte* mask, const void* from) {
  ct_GpuBatch* b = (ct_GpuBatch*)self;
  cudaSetDevice(b->device);
  int code = ct_cuda_put_in(b, field, mask, (const char*)from, ct_batch_row_bytes(field));
  bool sleep = field->place == CT_PLACE_DATA && !strcmp(field->name, "tree_asleep") &&
               (b->m->opt.enableflags & mjENBL_SLEEP);
  for (int i = 0; !code && sleep && i < b->n; i++) code = ct_cuda_update_sleep(b, i);
  return code;
}

int ct_cuda_view(void* self, const ct_BatchField* field, ct_BatchView* view) {
  ct_GpuBatch* b = (ct_GpuBatch*)self;
  if (!ct_cuda_has(b, field)) {
    return ct_cuda_refuse(b, CT_BATCH_BAD_ARGUMENT,
                          "field \"%s\" has no rows of its own; call ct_batch_keep for a field of "
                          "mjData, ct_batch_vary for one of the model",
                          field->name);
  }
  ct_DeviceRows rows = ct_device_rows(b, field);
  view->data = rows.at;
  view->stride = rows.stride;
  view->size = field->size;
  view->type = field->type;
  view->element = (int)field->element;
  view->on_device = 1;
  return CT_BATCH_OK;
}

int ct_cuda_noise(void* self, const ct_BatchField* field, const mjtByte* mask, int noise, int use,
                  mjtNum low, mjtNum high) {
  ct_GpuBatch* b = (ct_GpuBatch*)self;
  cudaSetDevice(b->device);
  ct_DeviceRows rows = ct_device_rows(b, field);
  ct_DeviceNoise n = {.rows = rows.at,
                      .stride = rows.stride,
                      .size = field->size,
                      .single = field->element == sizeof(float),
                      .noise = noise,
                      .use = use,
                      .low = low,
                      .high = high,
                      .seed = b->setup->options.seed,
                      .first = b->setup->options.first,
                      .state = field->state};
  int code = ct_device_mask(b, mask, &n.mask);
  return code ? code : ct_cuda_result(b, ct_make_noise(&b->e, &n, b->stream), "noise");
}
