// Models and data on the GPU: copies of the public structs whose pointers lead to device memory, so
// that engine code reads d->qpos[i] there as everywhere.
//
// All functions return false and describe the reason in ct_cuda_error when the device refuses.

#ifndef CT_BATCH_CUDA_UPLOAD_H_
#define CT_BATCH_CUDA_UPLOAD_H_

#include <stdbool.h>

#include <mujoco/mujoco.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ct_CudaModel_ {
  mjModel* model;  // device pointers
  void* buffer;    // all arrays
} ct_CudaModel;

typedef struct ct_CudaData_ {
  mjData* data;  // device pointers; corten's private block follows it as on the host
  void* schedule;
  void* buffer;
  void* arena;
} ct_CudaData;

bool ct_cuda_available(void);
const char* ct_cuda_error(void);

bool ct_cuda_upload_model(ct_CudaModel* to, const mjModel* m);
void ct_cuda_free_model(ct_CudaModel* to);

// The data must have no open stack marks: they are addresses of the host.
bool ct_cuda_upload_data(ct_CudaData* to, const mjModel* m, const mjData* d);
// Arrays, counts and status bits come back; d keeps its own memory.
bool ct_cuda_download_data(mjData* d, const mjModel* m, const ct_CudaData* from);
void ct_cuda_free_data(ct_CudaData* to);

// Many mjData of one model in one piece of memory: struct, arrays and arena of one, then those of
// the next.
typedef struct ct_CudaBatch_ {
  char* memory;
  mjData** data;  // (count) on the device
  int count;
  size_t stride;
  void* schedule;  // one for all
} ct_CudaBatch;

// Room for `count` mjData with the sizes of d. They hold nothing before they are put.
bool ct_cuda_make_batch(ct_CudaBatch* batch, const mjModel* m, const mjData* d, int count);
// Copies d, which must have no open stack marks, to place i; contacts and rows stay behind.
bool ct_cuda_put(const ct_CudaBatch* batch, int i, const mjModel* m, const mjData* d);
// Copies the data at place i to d: all of it.
bool ct_cuda_get(const ct_CudaBatch* batch, int i, const mjModel* m, mjData* d);
void ct_cuda_free_batch(ct_CudaBatch* batch);

#ifdef __cplusplus
}
#endif

#endif  // CT_BATCH_CUDA_UPLOAD_H_
