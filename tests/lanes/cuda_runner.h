// The runner that launches lane functions on the GPU. Kernels and probes run on the last group of a
// warp, so that groups smaller than a warp do not start at its first thread. Leaves the program if
// the device fails.

#ifndef TESTS_LANES_CUDA_RUNNER_H_
#define TESTS_LANES_CUDA_RUNNER_H_

#include "lanes/runner.h"

#ifdef __cplusplus
extern "C" {
#endif

const LaneRunner* lanes_cuda(void);

#ifdef __cplusplus
}
#endif

#endif  // TESTS_LANES_CUDA_RUNNER_H_
