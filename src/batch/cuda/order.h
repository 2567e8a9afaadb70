// The order in which blocks of the solver take environments. For the host's C and for CUDA.

#ifndef CT_BATCH_CUDA_ORDER_H_
#define CT_BATCH_CUDA_ORDER_H_

#include <cuda_runtime_api.h>
#include <mujoco/mujoco.h>
#include <stddef.h>

// Integers that an ordering works with.
enum { CT_ORDER_BUCKETS = 256, CT_ORDER_SCRATCH = 2 * CT_ORDER_BUCKETS };

typedef struct ct_Ordering_ {  // all addresses are the device's
  const char* memory;          // of the first environment, which begins with its front
  size_t stride;               // bytes from one to the next
  const mjtByte* going;        // (count) who takes part in this step
  int count;
  int* scratch;  // (CT_ORDER_SCRATCH)
  int* order;    // (count) the result: which environment comes when, from 0 for the first
} ct_Ordering;

#ifdef __cplusplus
extern "C" {
#endif

// Those with the most rows first, those with as many together, those that do nothing last. Queued
// on the stream.
cudaError_t ct_order_by_rows(const ct_Ordering* what, cudaStream_t stream);

#ifdef __cplusplus
}
#endif

#endif  // CT_BATCH_CUDA_ORDER_H_
