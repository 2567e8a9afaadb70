// Runs kernels and probes: directly on one lane, or with CT_LANE_THREADS on as many threads, or
// turns of one thread, as asked for.

#include "lanes/runner.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "lanes/probes.h"

typedef int (*Kernel)(Lane g, const mjModel* m, mjData* d);
typedef void (*ProbeFunction)(Lane g, Probe* p);

#define KERNEL_(name_, recording_, function_) int function_(Lane g, const mjModel* m, mjData* d);
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
  int status[LANE_MOST];  // what the kernel returned on each lane
} Job;

static void run_job(Lane g, Job* job) {
  if (job->kernel) {
    job->status[lane_rank(g)] = job->kernel(g, job->m, job->d);
  } else {
    job->probe(g, job->p);
  }
}

static int status_of_all(const Job* job, int nlane) {
  for (int i = 1; i < nlane; i++) {
    if (job->status[i] == job->status[0]) continue;
    fprintf(stderr, "lane 0 returns status %d, lane %d status %d\n", job->status[0], i,
            job->status[i]);
    abort();
  }
  return job->status[0];
}

#ifdef CT_LANE_THREADS

// Under a sanitizer lanes are threads, which it watches. Elsewhere they take turns in one thread: a
// meeting costs a switch instead of a wait for the scheduler, and the order of the turns changes
// from meeting to meeting, so that a missing lane_sync shows in the bits.
#if defined(__SANITIZE_THREAD__) || defined(CT_ASAN)
#include <pthread.h>
#else
#define TAKE_TURNS
#include <ucontext.h>
#endif

struct ct_LaneTeam_ {
  Job* job;
  mjtNum num[LANE_MOST];  // what lanes exchange
  int whole[LANE_MOST];
#ifdef TAKE_TURNS
  ucontext_t host, context[LANE_MOST];
  Lane lane[LANE_MOST];
  bool done[LANE_MOST];
  int turn;  // whose it is
#else
  pthread_barrier_t barrier;
#endif
};

#ifdef TAKE_TURNS

void ct_lane_barrier(ct_LaneTeam* team) {
  swapcontext(&team->context[team->turn], &team->host);
}

#else

void ct_lane_barrier(ct_LaneTeam* team) {
  pthread_barrier_wait(&team->barrier);
}

#endif

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

#ifdef TAKE_TURNS

enum { STACK_BYTES = 1 << 20 };

static ct_LaneTeam* starting;  // contexts take no pointers

static void run_lane(void) {
  ct_LaneTeam* team = starting;
  int turn = team->turn;
  run_job(team->lane[turn], team->job);
  team->done[turn] = true;
}

// Every lane once, up to its next meeting; returns how many have left the function.
static int give_turns(ct_LaneTeam* team, int nlane, bool backwards) {
  int left = 0;
  for (int i = 0; i < nlane; i++) {
    team->turn = backwards ? nlane - 1 - i : i;
    swapcontext(&team->host, &team->context[team->turn]);
    left += team->done[team->turn];
  }
  return left;
}

static void run(int nlane, Job* job) {
  static char stacks[LANE_MOST][STACK_BYTES] __attribute__((aligned(64)));
  static ct_LaneTeam team;
  team.job = job;
  starting = &team;
  for (int i = 0; i < nlane; i++) {
    team.lane[i].rank = i;
    team.lane[i].count = nlane;
    team.lane[i].team = &team;
    team.done[i] = false;
    getcontext(&team.context[i]);
    team.context[i].uc_stack.ss_sp = stacks[i];
    team.context[i].uc_stack.ss_size = STACK_BYTES;
    team.context[i].uc_link = &team.host;
    makecontext(&team.context[i], run_lane, 0);
  }
  int left = 0;
  for (int meeting = 0; !left; meeting++) left = give_turns(&team, nlane, meeting % 2);
  if (left < nlane) {
    fprintf(stderr, "%d of %d lanes wait for the others, which have left\n", nlane - left, nlane);
    abort();
  }
}

#else

static void* run_lane(void* argument) {
  Lane g = *(Lane*)argument;
  run_job(g, g.team->job);
  return NULL;
}

static void run(int nlane, Job* job) {
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

#endif

#else

static void run(int nlane, Job* job) {
  (void)nlane;
  run_job(lane_one(), job);
}

#endif

static int run_kernel(int kernel, int nlane, const mjModel* m, mjData* d) {
  Job job = {kernels[kernel], m, d, NULL, NULL, {0}};
  run(nlane, &job);
#ifndef CT_LANE_THREADS
  nlane = 1;
#endif
  return status_of_all(&job, nlane);
}

static void run_probe(int probe, int nlane, Probe* p) {
  Job job = {NULL, NULL, NULL, probes[probe], p, {0}};
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
