// Compares two runners bit for bit. Needs no cmocka, so that the CUDA program uses it too.

#ifndef TESTS_LANES_BITS_H_
#define TESTS_LANES_BITS_H_

#include <stdbool.h>

#include "lanes/compare.h"
#include "lanes/runner.h"

#ifdef __cplusplus
extern "C" {
#endif

// Runs a kernel at every recorded state on one lane and by the other runner with nlane lanes, and
// compares every array in the buffer of mjData.
BitReport compare_kernel_bits(int kernel, const LaneRunner* other, int nlane);

// The same for a probe at many array lengths, 1 to 200.
BitReport compare_probe_bits(int probe, const LaneRunner* other, int nlane);

// Kernels (kernels.def) and probes (probes.h) by number.
int lane_kernel_count(void);
const char* lane_kernel_name(int kernel);
bool lane_kernel_is_recorded(int kernel);  // has states to run at
int lane_probe_count(void);
const char* lane_probe_name(int probe);
bool lane_probe_is_wrong(int probe);  // on purpose

#ifdef __cplusplus
}
#endif

#endif  // TESTS_LANES_BITS_H_
