// The course of a step (engine/flow.h) as a list of launches, made once for a batch.

#ifndef CT_BATCH_CUDA_PLAN_H_
#define CT_BATCH_CUDA_PLAN_H_

#include <cuda_runtime_api.h>

#include "batch/cuda/parts.h"

enum { CT_MOST_LAUNCHES = 96 };

typedef struct ct_PlannedLaunch_ {
  const ct_PartKernel* kernel;
  uint64_t stages;
  int slot;
  int near;
  int islands;  // as in ct_PartLaunch; where it is positive, the next one is for all others
  bool slept;
  bool ordered;  // environments are to be sorted by their rows (order.h)
} ct_PlannedLaunch;

typedef struct ct_Plan_ {
  ct_PlannedLaunch launch[CT_MOST_LAUNCHES];
  int count;
  int lines;              // independent parts that the environments go in: 1 or 2
  bool full;              // there were more
  bool slept;             // while it is made: what follows concerns those that fell asleep
  int runs;               // so far
  cudaGraphExec_t graph;  // of all launches; NULL: not yet, or it cannot be
} ct_Plan;

typedef struct ct_PlanFor_ {
  const mjModel* model;  // on the host
  bool varied;           // environments have models of their own
  int front;             // bytes
  size_t shared_memory;  // bytes that a block may have on this device
  int multiprocessors;   // of this device
  int environments;
} ct_PlanFor;

// Parts (ct_Part) of a step; check: accelerations are looked at in the end, though no step is made.
// False if they are more launches than a plan has room for.
bool ct_make_plan(ct_Plan* plan, const ct_PlanFor* what, unsigned parts, bool check);
void ct_free_plan(ct_Plan* plan);

// The first kernel of a part that takes the model, and whose memory that is set apart a block of
// the device has.
const ct_PartKernel* ct_choose_kernel(const ct_PlanFor* what, ct_KernelPart part);

#endif  // CT_BATCH_CUDA_PLAN_H_
