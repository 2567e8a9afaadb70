// Runs kernels and probes: directly on one lane, or with CT_LANE_THREADS on as many threads as
// asked for.

#include "lanes/runner.h"

#include "lanes/probes.h"

typedef void (*Kernel)(Lane g, const mjModel* m, mjData* d);
typedef void (*ProbeFunction)(Lane g, Probe* p);

#define KERNEL_(name_, recording_, function_) void function_(Lane g, const mjModel* m, mjData* d);
#include "lanes/kernels.def"

static const Kernel kernels[] = {
#define KERNEL_(name_, recording_, function_) function_,
#include "lanes/kernels.def"
};

static const ProbeFunction probes[] = {
#define PROBE_FUNCTION(name_) probe_##name_,
    PROBES(PROBE_FUNCTION)
#undef PROBE_FUNCTION
};

typedef struct {  // a kernel or a probe with its arguments
  Kernel kernel;
  const mjModel* m;
  mjData* d;
  ProbeFunction probe;
  Probe* p;
} Job;

static void run_job(Lane g, const Job* job) {
  if (job->kernel) {
    job->kernel(g, job->m, job->d);
  } else {
    job->probe(g, job->p);
  }
}

#ifdef CT_LANE_THREADS

#include <pthread.h>

struct ct_LaneTeam_ {
  pthread_barrier_t barrier;
  const Job* job;
  mjtNum num[LANE_MOST];  // what lanes exchange
  int whole[LANE_MOST];
};

void ct_lane_barrier(ct_LaneTeam* team) {
  pthread_barrier_wait(&team->barrier);
}

// The second barrier keeps the next exchange from overwriting what a slow lane still reads.
mjtNum ct_lane_exchange_num(Lane g, mjtNum x, int from) {
  g.team->num[g.rank] = x;
  ct_lane_barrier(g.team);
  mjtNum result = g.team->num[from];
  ct_lane_barrier(g.team);
  return result;
}

int ct_lane_exchange_int(Lane g, int x, int from) {
  g.team->whole[g.rank] = x;
  ct_lane_barrier(g.team);
  int result = g.team->whole[from];
  ct_lane_barrier(g.team);
  return result;
}

static void* run_lane(void* argument) {
  Lane g = *(Lane*)argument;
  run_job(g, g.team->job);
  return NULL;
}

static void run(int nlane, const Job* job) {
  ct_LaneTeam team;
  team.job = job;
  pthread_barrier_init(&team.barrier, NULL, (unsigned)nlane);
  pthread_t thread[LANE_MOST];
  Lane lane[LANE_MOST];
  for (int i = 0; i < nlane; i++) {
    lane[i].rank = i;
    lane[i].count = nlane;
    lane[i].team = &team;
    pthread_create(&thread[i], NULL, run_lane, &lane[i]);
  }
  for (int i = 0; i < nlane; i++) pthread_join(thread[i], NULL);
  pthread_barrier_destroy(&team.barrier);
}

#else

static void run(int nlane, const Job* job) {
  (void)nlane;
  run_job(lane_one(), job);
}

#endif

static void run_kernel(int kernel, int nlane, const mjModel* m, mjData* d) {
  Job job = {kernels[kernel], m, d, NULL, NULL};
  run(nlane, &job);
}

static void run_probe(int probe, int nlane, Probe* p) {
  Job job = {NULL, NULL, NULL, probes[probe], p};
  run(nlane, &job);
}

#ifdef CT_LANE_THREADS

const LaneRunner* lanes_threads(void) {
  static const LaneRunner runner = {"threads", run_kernel, run_probe};
  return &runner;
}

#else

const LaneRunner* lanes_one(void) {
  static const LaneRunner runner = {"one lane", run_kernel, run_probe};
  return &runner;
}

#endif
