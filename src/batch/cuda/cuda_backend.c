// What libcorten_cuda.so exports: the GPU backend as a table of functions (backend.h).

#include <stdio.h>
#include <string.h>

#include "base/model/faults.h"
#include "base/private.h"
#include "batch/cuda/cuda_batch.h"

static const char* last_error(void* self) {
  return ((ct_GpuBatch*)self)->error;
}

// A stream of the user's did not take what a good one takes. If the device still answers, the
// stream is to blame, and the batch goes on with the one that it had.
static int blame_stream(ct_GpuBatch* b, cudaError_t code, const char* what) {
  cudaGetLastError();
  cudaError_t answer = cudaEventQuery(b->passed);
  if (answer != cudaSuccess && answer != cudaErrorNotReady) return ct_cuda_result(b, code, what);
  return ct_cuda_refuse(b, CT_BATCH_BAD_ARGUMENT,
                        "%s: %s; give a stream of GPU %d that has not been destroyed", what,
                        cudaGetErrorString(code), b->device);
}

static int set_stream(void* self, void* stream) {
  static const char what[] = "changing the stream";
  ct_GpuBatch* b = (ct_GpuBatch*)self;
  cudaSetDevice(b->device);
  cudaError_t code = cudaStreamSynchronize(b->stream);
  if (code != cudaSuccess) return ct_cuda_result(b, code, what);
  code = cudaEventRecord(b->passed, (cudaStream_t)stream);
  if (code != cudaSuccess) return blame_stream(b, code, what);
  b->stream = (cudaStream_t)stream;
  return CT_BATCH_OK;
}

// A stream of the user's need not order itself with any other, not even with the default stream.
static int order(void* self, void* stream, bool follow) {
  ct_GpuBatch* b = (ct_GpuBatch*)self;
  cudaStream_t first = follow ? (cudaStream_t)stream : b->stream;
  cudaStream_t second = follow ? b->stream : (cudaStream_t)stream;
  cudaSetDevice(b->device);
  cudaError_t code = cudaEventRecord(b->passed, first);
  if (code == cudaSuccess) code = cudaStreamWaitEvent(second, b->passed, 0);
  return code == cudaSuccess ? CT_BATCH_OK
                             : blame_stream(b, code, "making one stream wait for another");
}

static int wait_for_device(void* self) {
  ct_GpuBatch* b = (ct_GpuBatch*)self;
  cudaSetDevice(b->device);
  return ct_cuda_result(b, cudaStreamSynchronize(b->stream), "waiting");
}

int ct_cuda_counts(void* self, ct_BatchCounts* sum) {
  ct_GpuBatch* b = (ct_GpuBatch*)self;
  ct_DeviceCounts found;
  cudaSetDevice(b->device);
  cudaError_t code = ct_tally_environments(&b->e, b->stream);
  if (code == cudaSuccess) {
    code = cudaMemcpyAsync(&found, b->e.counts, sizeof(found), cudaMemcpyDeviceToHost, b->stream);
  }
  if (code == cudaSuccess) code = cudaStreamSynchronize(b->stream);
  if (code != cudaSuccess) return ct_cuda_result(b, code, "counting");
  sum->steps = (int64_t)found.steps;
  sum->resets = (int64_t)found.resets;
  for (int i = 0; i < CT_NSTATUS; i++) sum->raised[i] = (int64_t)found.raised[i];
  sum->arena = b->setup->options.arena;
  sum->arena_used = (mjtSize)found.arena_used;
  sum->most_contacts = found.most_contacts;
  sum->most_rows = found.most_rows;
  return CT_BATCH_OK;
}

// The status says that something is wrong with the model; here is what.
static const char* reason(void* self, int environment) {
  ct_GpuBatch* b = (ct_GpuBatch*)self;
  ct_Private p;
  int status = 0;
  const char* front = b->e.memory + (size_t)environment * b->e.stride;
  cudaSetDevice(b->device);
  cudaError_t code = cudaStreamSynchronize(b->stream);
  if (code == cudaSuccess) {
    code = cudaMemcpy(&p, front + ct_front_private(), sizeof(p), cudaMemcpyDeviceToHost);
  }
  if (code == cudaSuccess) {
    code = cudaMemcpy(&status, b->e.status + environment, sizeof(int), cudaMemcpyDeviceToHost);
  }
  if (code != cudaSuccess || !(status & CT_BAD_MODEL)) return NULL;
  ct_describe_fault(b->m, (ct_Cause)p.detail.cause, p.detail.id, b->reason, sizeof(b->reason));
  return b->reason;
}

static const ct_Backend backend = {
    .version = CT_BACKEND_VERSION,
    .num_bytes = sizeof(mjtNum),
    .name = "cuda",
    .estimate = ct_cuda_estimate,
    .create = ct_cuda_create,
    .destroy = ct_cuda_destroy,
    .error = last_error,
    .run = ct_cuda_run,
    .reset = ct_cuda_reset,
    .keep = ct_cuda_keep,
    .vary = ct_cuda_vary,
    .has = ct_cuda_has,
    .read = ct_cuda_read,
    .write = ct_cuda_write,
    .view = ct_cuda_view,
    .set_const = ct_cuda_set_const,
    .copy = ct_cuda_copy,
    .get_data = ct_cuda_get_data,
    .set_data = ct_cuda_set_data,
    .host_mask = ct_cuda_host_mask,
    .set_stream = set_stream,
    .order = order,
    .noise = ct_cuda_noise,
    .counts = ct_cuda_counts,
    .reason = reason,
    .derive = ct_cuda_derive,
    .wait = wait_for_device,
};

const ct_Backend* ct_cuda_backend(char* error, size_t nerror) {
  int count = 0;
  cudaError_t code = cudaGetDeviceCount(&count);
  if (code == cudaSuccess && count > 0) return &backend;
  cudaGetLastError();
  snprintf(error, nerror, "CUDA: %s", cudaGetErrorString(code));
  return NULL;
}
