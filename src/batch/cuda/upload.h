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

#ifdef __cplusplus
}
#endif

#endif  // CT_BATCH_CUDA_UPLOAD_H_
