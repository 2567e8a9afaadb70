#include "lanes/cuda_runner.h"

#include <stdio.h>
#include <stdlib.h>

#include "batch/cuda/upload.h"
#include "lanes/probes.h"

// The group that works; threads of the other groups of the warp have nothing to do.
static __device__ bool in_last_group(int nlane) {
  return (int)threadIdx.x / nlane == 32 / nlane - 1;
}

typedef void (*Kernel)(int nlane, const mjModel* m, mjData* d, int* status);
typedef void (*ProbeFunction)(int nlane, Probe p);

#define KERNEL_(name_, recording_, function_)                                           \
  LANE_FN int function_(Lane g, const mjModel* m, mjData* d);                           \
  __global__ void launch_##name_(int nlane, const mjModel* m, mjData* d, int* status) { \
    if (in_last_group(nlane)) *status = function_(lane_of_thread(nlane), m, d);         \
  }
#include "lanes/kernels.def"

#define DEFINE_PROBE(name_)                                             \
  __global__ void launch_probe_##name_(int nlane, Probe p) {            \
    if (in_last_group(nlane)) probe_##name_(lane_of_thread(nlane), &p); \
  }
PROBES(DEFINE_PROBE)

static const Kernel kernels[] = {
#define KERNEL_(name_, recording_, function_) launch_##name_,
#include "lanes/kernels.def"
};

static const ProbeFunction probes[] = {
#define PROBE_FUNCTION(name_) launch_probe_##name_,
    PROBES(PROBE_FUNCTION)};

static void check(bool good) {
  if (good) return;
  fprintf(stderr, "%s\n", ct_cuda_error());
  exit(1);
}

static void check_cuda(cudaError_t code) {
  if (code == cudaSuccess) return;
  fprintf(stderr, "CUDA: %s\n", cudaGetErrorString(code));
  exit(1);
}

template <typename T>
static T* to_device(const T* from, int n) {
  T* copy = NULL;
  check_cuda(cudaMalloc((void**)&copy, (size_t)n * sizeof(T)));
  check_cuda(cudaMemcpy(copy, from, (size_t)n * sizeof(T), cudaMemcpyHostToDevice));
  return copy;
}

template <typename T>
static void from_device(T* to, T* device, int n) {
  check_cuda(cudaMemcpy(to, device, (size_t)n * sizeof(T), cudaMemcpyDeviceToHost));
}

static int run_kernel(int kernel, int nlane, const mjModel* m, mjData* d) {
  ct_CudaModel model;
  ct_CudaData data;
  check(ct_cuda_upload_model(&model, m));
  check(ct_cuda_upload_data(&data, m, d));
  int status = 0, *of_device = to_device(&status, 1);
  kernels[kernel]<<<1, 32>>>(nlane, model.model, data.data, of_device);
  check_cuda(cudaGetLastError());
  check_cuda(cudaDeviceSynchronize());
  check(ct_cuda_download_data(d, m, &data));
  from_device(&status, of_device, 1);
  cudaFree(of_device);
  ct_cuda_free_data(&data);
  ct_cuda_free_model(&model);
  return status;
}

static void run_probe(int probe, int nlane, Probe* p) {
  int nnum = p->n + 4 * LANE_MOST, nwhole = p->n + LANE_MOST;
  mjtNum *x = to_device(p->x, p->n), *num = to_device(p->num, nnum);
  int *counts = to_device(p->counts, p->n), *whole = to_device(p->whole, nwhole);
  Probe device = {p->n, x, counts, num, whole};
  probes[probe]<<<1, 32>>>(nlane, device);
  check_cuda(cudaGetLastError());
  check_cuda(cudaDeviceSynchronize());
  from_device(p->num, num, nnum);
  from_device(p->whole, whole, nwhole);
  cudaFree(x);
  cudaFree(num);
  cudaFree(counts);
  cudaFree(whole);
}

const LaneRunner* lanes_cuda(void) {
  static const LaneRunner runner = {"CUDA", run_kernel, run_probe};
  return &runner;
}
