// The table of stages (engine/stages.def) as kernels, and the course of a step (engine/flow.h) as
// launches. For .cu files; host code makes a ct_Launch and calls ct_launch_step.
//
// A kernel runs one stage of all environments, each on its own group of lanes. What an environment
// knows between launches is in its private block: the status of the step so far (walk), its
// integration. An environment whose step has ended skips what follows, and puts its state back in
// the end. Stages that the model does not need are not launched.

#ifndef CT_BATCH_CUDA_STAGE_KERNELS_H_
#define CT_BATCH_CUDA_STAGE_KERNELS_H_

#include <mujoco/mujoco.h>

#include "base/private.h"
#include "engine/stage_headers.h"

// Which environments take part in a launch.
typedef enum ct_LaunchWhen_ {
  CT_WHEN_GOING,    // those whose step has not ended
  CT_WHEN_SLEPT,    // of these, those in which trees have just fallen asleep
  CT_WHEN_STOPPED,  // those whose step has ended with a bit of CT_GRAVE
} ct_LaunchWhen;

typedef struct ct_Launch_ {
  const mjModel* model;  // on the device
  mjData** data;         // (count) on the device
  int count;
  int nlane;  // of an environment
  int block;  // threads of a block, a multiple of 32
  cudaStream_t stream;
  void (*watch)(void* argument, ct_Stage stage);  // called after each launch; NULL: nobody watches
  void* argument;
  ct_LaunchWhen when;
} ct_Launch;

// The environment of this thread's group, if it takes part; NULL otherwise.
static __device__ mjData* ct_launched_data(mjData** data, int count, int nlane, bool starts,
                                           int when) {
  int i = (int)(blockIdx.x * blockDim.x + threadIdx.x) / nlane;
  if (i >= count) return NULL;
  const ct_Private* p = ct_private(data[i]);
  bool stopped = !starts && (p->walk & CT_GRAVE);
  if (stopped != (when == CT_WHEN_STOPPED)) return NULL;
  return when == CT_WHEN_SLEPT && !p->integration.slept ? NULL : data[i];
}

// Joins the status of a stage to that of the step so far.
static __device__ void ct_join_walk(Lane g, mjData* d, int status, bool starts) {
  LANE_ALONE(g) {
    ct_Private* p = ct_private(d);
    p->walk = starts ? status : p->walk | status;
  }
}

#define STAGE(name_, function_, part_, applies_, timer_, kernel_)                                 \
  static __global__ void ct_kernel_##name_(const mjModel* m, mjData** data, int count, int nlane, \
                                           int when) {                                            \
    const bool starts = CT_PART_##part_ == CT_PART_START;                                         \
    mjData* d = ct_launched_data(data, count, nlane, starts, when);                               \
    if (!d) return;                                                                               \
    Lane g = lane_of_thread(nlane);                                                               \
    lane_sync(g);                                                                                 \
    ct_join_walk(g, d, function_(g, m, d), starts);                                               \
  }
#include "engine/stages.def"

typedef void (*ct_StageKernel)(const mjModel* m, mjData** data, int count, int nlane, int when);

static inline int ct_launch_stage(ct_Launch* l, ct_StageKernel kernel, ct_Stage stage) {
  long long threads = (long long)l->count * l->nlane;
  unsigned blocks = (unsigned)((threads + l->block - 1) / l->block);
  kernel<<<blocks, (unsigned)l->block, 0, l->stream>>>(l->model, l->data, l->count, l->nlane,
                                                       (int)l->when);
  if (l->watch) l->watch(l->argument, stage);
  return CT_OK;
}

// Launches concern some environments as long as this lives.
struct ct_LaunchOnly {
  ct_Launch* launch;
  ct_LaunchWhen before;
  ct_LaunchOnly(ct_Launch* l, ct_LaunchWhen when) : launch(l), before(l->when) { l->when = when; }
  ~ct_LaunchOnly() { launch->when = before; }
};

#define FLOW_FN static inline
#define FLOW_INLINE static inline
#define FLOW_PARAMETERS ct_Launch *l, const mjModel *m
#define FLOW_WITH l, m
#define FLOW_RUN(name_, function_, timer_) ct_launch_stage(l, ct_kernel_##name_, CT_STAGE_##name_)
#define FLOW_STOPS(status_) ((void)(status_), false)
#define FLOW_CONTROL() (void)0
#define FLOW_BEGIN(timer_) (void)0
#define FLOW_END(timer_) (void)0
#define FLOW_RUNGE_KUTTA() ct_is_runge_kutta(m)
#define FLOW_IF_SLEPT() if (ct_LaunchOnly only(l, CT_WHEN_SLEPT); ct_may_sleep(m))
#define FLOW_IF_STOPPED(status_) if (ct_LaunchOnly only(l, CT_WHEN_STOPPED); true)
#include "engine/flow.h"

// One step of all environments. m is the model on the host, which decides what is launched. The
// status of each is in `walk` of its private block afterwards.
static inline void ct_launch_step(ct_Launch* l, const mjModel* m) {
  l->when = CT_WHEN_GOING;
  flow_step(l, m, CT_STEP);
}

// The same in one launch.
static __global__ void ct_kernel_step(const mjModel* m, mjData** data, int count, int nlane) {
  mjData* d = ct_launched_data(data, count, nlane, true, CT_WHEN_GOING);
  if (!d) return;
  Lane g = lane_of_thread(nlane);
  ct_join_walk(g, d, ct_step_lanes(g, m, d), true);
}

static inline void ct_launch_whole_step(const ct_Launch* l) {
  long long threads = (long long)l->count * l->nlane;
  unsigned blocks = (unsigned)((threads + l->block - 1) / l->block);
  ct_kernel_step<<<blocks, (unsigned)l->block, 0, l->stream>>>(l->model, l->data, l->count,
                                                               l->nlane);
}

#endif  // CT_BATCH_CUDA_STAGE_KERNELS_H_
