// One way to run lane functions. runner.c is compiled once for one lane and once for threads, and
// tests/lanes/cuda_runner.cu has the third, so that a program can run the same function in several
// builds.

#ifndef TESTS_LANES_RUNNER_H_
#define TESTS_LANES_RUNNER_H_

#include <mujoco/mujoco.h>

#ifdef __cplusplus
extern "C" {
#endif

struct Probe_;

typedef struct LaneRunner_ {
  const char* name;
  // Returns the status that the kernel returned.
  int (*run_kernel)(int kernel, int nlane, const mjModel* m, mjData* d);
  void (*run_probe)(int probe, int nlane, struct Probe_* p);
} LaneRunner;

// One lane: nlane is ignored.
const LaneRunner* lanes_one(void);

// Threads of the CPU.
__attribute__((visibility("default"))) const LaneRunner* lanes_threads(void);

#ifdef __cplusplus
}
#endif

#endif  // TESTS_LANES_RUNNER_H_
