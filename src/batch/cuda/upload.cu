// Copies models and data to the GPU and back by the field tables. See upload.h.

#include "batch/cuda/upload.h"

#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern "C" {
#include "base/model/fields.h"
#include "base/private.h"
}

static char error_text[256];

const char* ct_cuda_error(void) {
  return error_text;
}

static bool good(cudaError_t code, const char* what) {
  if (code == cudaSuccess) return true;
  snprintf(error_text, sizeof(error_text), "%s: %s", what, cudaGetErrorString(code));
  return false;
}

bool ct_cuda_available(void) {
  int count = 0;
  return good(cudaGetDeviceCount(&count), "looking for a GPU") && count > 0;
}

// Device memory with a copy of these bytes.
static bool upload(void** to, const void* from, size_t bytes) {
  return good(cudaMalloc(to, bytes ? bytes : 1), "allocating") &&
         good(cudaMemcpy(*to, from, bytes, cudaMemcpyHostToDevice), "uploading");
}

// Points the arrays of a copied struct, which still lead into host_block, to the same places of
// device_block.
static void move_pointers(const ct_Field* fields, int nfield, void* owner, const void* host_block,
                          size_t bytes, void* device_block) {
  for (int i = 0; i < nfield; i++) {
    void** pointer = ct_field_pointer(fields + i, owner);
    size_t offset = (size_t)((const char*)*pointer - (const char*)host_block);
    *pointer = *pointer && offset <= bytes ? (char*)device_block + offset : NULL;
  }
}

bool ct_cuda_upload_model(ct_CudaModel* to, const mjModel* m) {
  memset(to, 0, sizeof(*to));
  mjModel copy = *m;
  if (!upload(&to->buffer, m->buffer, (size_t)m->nbuffer)) return false;
  move_pointers(ct_model_fields, ct_nmodel_field, &copy, m->buffer, (size_t)m->nbuffer, to->buffer);
  copy.buffer = to->buffer;
  return upload((void**)&to->model, &copy, sizeof(copy));
}

void ct_cuda_free_model(ct_CudaModel* to) {
  cudaFree(to->model);
  cudaFree(to->buffer);
  memset(to, 0, sizeof(*to));
}

enum {
  FRONT = CT_ALIGN_UP(sizeof(mjData)) + sizeof(ct_Private)
};  // the struct and the private block

// A copy of the struct and the private block whose arrays are at these places of the device; to be
// freed.
static mjData* copy_front(const mjData* d, void* buffer, void* arena) {
  mjData* copy = (mjData*)calloc(1, FRONT);
  if (!copy) return NULL;
  memcpy(copy, d, FRONT);
  move_pointers(ct_data_fields, ct_ndata_field, copy, d->buffer, (size_t)d->nbuffer, buffer);
  move_pointers(ct_arena_fields, ct_narena_field, copy, d->arena, (size_t)d->narena, arena);
  copy->buffer = buffer;
  copy->arena = arena;
  copy->pbase = 0;
  return copy;
}

bool ct_cuda_upload_data(ct_CudaData* to, const mjModel* m, const mjData* d) {
  memset(to, 0, sizeof(*to));
  if (!upload(&to->buffer, d->buffer, (size_t)d->nbuffer) ||
      !upload(&to->arena, d->arena, (size_t)d->narena) ||
      !upload(&to->schedule, ct_schedule_memory(&ct_private(d)->schedule), ct_schedule_bytes(m))) {
    return false;
  }
  mjData* copy = copy_front(d, to->buffer, to->arena);
  if (!copy) return false;
  ct_schedule_place(&ct_private(copy)->schedule, to->schedule, m);
  bool done = upload((void**)&to->data, copy, FRONT);
  free(copy);
  return done;
}

// Members that are addresses stay the host's.
static bool is_address(const ct_Member* member) {
  return strchr(member->type, '*') || !strcmp(member->name, "pbase") ||
         !strcmp(member->name, "threadpool");
}

static void take_values(mjData* d, const mjData* from) {
  for (int i = 0; i < ct_ndata_value; i++) {
    const ct_Member* member = ct_data_values + i;
    if (is_address(member)) continue;
    memcpy((char*)d + member->offset, (const char*)from + member->offset, member->bytes);
  }
  ct_private(d)->status |= ct_private(from)->status;
}

// Arrays of the arena are wherever the last step has put them.
static void take_arena_pointers(mjData* d, const mjData* from) {
  for (int i = 0; i < ct_narena_field; i++) {
    const ct_Field* f = ct_arena_fields + i;
    const char* array = (const char*)ct_field_array(f, from);
    *ct_field_pointer(f, d) = array ? (char*)d->arena + (array - (const char*)from->arena) : NULL;
  }
}

// Everything of one mjData from the places of the device.
static bool download(mjData* d, const void* front, const void* buffer, const void* arena) {
  mjData* copy = (mjData*)calloc(1, FRONT);
  if (!copy) return false;
  bool done =
      good(cudaMemcpy(copy, front, FRONT, cudaMemcpyDeviceToHost), "downloading") &&
      good(cudaMemcpy(d->buffer, buffer, (size_t)d->nbuffer, cudaMemcpyDeviceToHost),
           "downloading") &&
      good(cudaMemcpy(d->arena, arena, (size_t)d->narena, cudaMemcpyDeviceToHost), "downloading");
  if (done) {
    take_values(d, copy);
    take_arena_pointers(d, copy);
  }
  free(copy);
  return done;
}

bool ct_cuda_download_data(mjData* d, const mjModel* m, const ct_CudaData* from) {
  (void)m;
  return download(d, from->data, from->buffer, from->arena);
}

void ct_cuda_free_data(ct_CudaData* to) {
  cudaFree(to->data);
  cudaFree(to->schedule);
  cudaFree(to->buffer);
  cudaFree(to->arena);
  memset(to, 0, sizeof(*to));
}
