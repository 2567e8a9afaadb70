// Analytic derivatives of a step for all environments: the kernel. For the host's C and for CUDA.

#ifndef CT_BATCH_CUDA_SLOPE_LAUNCH_H_
#define CT_BATCH_CUDA_SLOPE_LAUNCH_H_

#include <corten/derivative.h>
#include <cuda_runtime_api.h>

#include "batch/cuda/parts.h"

// What is asked for some environments that follow one another, the first of which has number
// `first`. All addresses are the device's; those of rows belong to environment 0.
typedef struct ct_SlopeLaunch_ {
  char* memory;  // of all environments; each begins with its front
  size_t stride;
  ct_EachModel models;
  const mjtByte* mask;  // (all) NULL: everybody
  int first, count;
  char* scratch;  // (count x room) bytes
  size_t room;
  mjtNum smoothing;
  ct_DerivativeMatrices out;
  ct_DerivativeProduct product;
  int *status, *reasons;  // (all) out
  mjtNum* worst;          // (all) out
} ct_SlopeLaunch;

#ifdef __cplusplus
extern "C" {
#endif

cudaError_t ct_launch_slopes(const ct_SlopeLaunch* launch, cudaStream_t stream);

#ifdef __cplusplus
}
#endif

#endif  // CT_BATCH_CUDA_SLOPE_LAUNCH_H_
