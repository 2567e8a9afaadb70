// The hashes of test_strict.c, computed on the GPU: they must be the ones that the CPU finds.
//
//   nvcc -fmad=false -Iinclude -Isrc -Itests tests/math/strict_bits.cu -o strict_bits &&
//   ./strict_bits

#include <cstdio>
#include <vector>

#include "math/strict_samples.h"

__global__ void evaluate(double* value, int function) {
  int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < SAMPLE_COUNT) value[i] = sample_value(function, i);
}

static uint64_t hash_of(const std::vector<double>& values) {
  uint64_t hash = SAMPLE_HASH_START;
  for (double value : values) hash = sample_hash(hash, value);
  return hash;
}

int main() {
  int different = 0;
  double* device;
  if (cudaMalloc((void**)&device, SAMPLE_COUNT * sizeof(double)) != cudaSuccess) {
    printf("no GPU\n");
    return 77;
  }
  for (int f = 0; f < SAMPLE_FUNCTIONS; f++) {
    std::vector<double> gpu(SAMPLE_COUNT), cpu(SAMPLE_COUNT);
    evaluate<<<(SAMPLE_COUNT + 127) / 128, 128>>>(device, f);
    if (cudaMemcpy(gpu.data(), device, SAMPLE_COUNT * sizeof(double), cudaMemcpyDeviceToHost) !=
        cudaSuccess) {
      printf("the kernel failed: %s\n", cudaGetErrorString(cudaGetLastError()));
      return 1;
    }
    for (int i = 0; i < SAMPLE_COUNT; i++) cpu[i] = sample_value(f, i);
    bool same = hash_of(gpu) == hash_of(cpu);
    different += !same;
    printf("function %2d  GPU %016llx  CPU %016llx  %s\n", f, (unsigned long long)hash_of(gpu),
           (unsigned long long)hash_of(cpu), same ? "same" : "DIFFERENT");
    for (int i = 0, shown = 0; i < SAMPLE_COUNT && !same && shown < 3; i++) {
      if (ct_bits(gpu[i]) != ct_bits(cpu[i]) && !(gpu[i] != gpu[i] && cpu[i] != cpu[i])) {
        printf("  sample %d: GPU %a, CPU %a\n", i, gpu[i], cpu[i]);
        shown++;
      }
    }
  }
  cudaFree(device);
  return different != 0;
}
