// Steps of many environments on a GPU: whole physics, one model.
//
//   bench MODEL.mjb [STEPS [ENVIRONMENTS...]]
//
// For each number of environments and each number of lanes per environment, prints steps per second
// of all environments together: a step in one launch, and stage by stage. Every environment has
// velocities and controls of its own, and two of them are compared with the CPU bit for bit in the
// end.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <mujoco/mujoco.h>

#include "batch/cuda/stage_kernels.h"
#include "batch/cuda/upload.h"

enum { BLOCK = 128, WARM_UP = 20, DEFAULT_STEPS = 100 };

static void stop_if(bool bad, const char* what, const char* why) {
  if (!bad) return;
  fprintf(stderr, "%s: %s\n", what, why);
  exit(1);
}

static void check(cudaError_t code, const char* what) {
  stop_if(code != cudaSuccess, what, cudaGetErrorString(code));
}

static double seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

// Environment i: small velocities and constant controls, made from integers.
static void start(const mjModel* m, mjData* d, int i) {
  mj_resetData(m, d);
  for (int k = 0; k < m->nv; k++) d->qvel[k] = (mjtNum)((i * 13 + k * 7) % 23 - 11) / 50;
  for (int k = 0; k < m->nu; k++) d->ctrl[k] = (mjtNum)((i * 31 + k * 17) % 41 - 20) / 20;
}

// An arena with twice the room that some environments have used on the CPU; their steps per second
// on one core.
static double size_arena(mjModel* m, int nstep) {
  mjData* d = mj_makeData(m);
  mjtSize most = 0;
  double begin = seconds();
  enum { SOME = 20 };
  for (int i = 0; i < SOME; i++) {
    start(m, d, i);
    for (int k = 0; k < nstep; k++) mj_step(m, d);
    if (d->maxuse_arena > most) most = d->maxuse_arena;
  }
  double spent = seconds() - begin;
  mj_deleteData(d);
  m->narena = (2 * most + 65536) / 4096 * 4096;
  return SOME * nstep / spent;
}

static bool same_bits(const mjModel* m, const ct_CudaBatch* batch, int i, int nstep) {
  mjData *cpu = mj_makeData(m), *gpu = mj_makeData(m);
  start(m, cpu, i);
  for (int k = 0; k < nstep; k++) mj_step(m, cpu);
  stop_if(!ct_cuda_get(batch, i, m, gpu), "reading a result", ct_cuda_error());
  bool same = cpu->time == gpu->time &&
              !memcmp(cpu->qpos, gpu->qpos, (size_t)m->nq * sizeof(mjtNum)) &&
              !memcmp(cpu->qvel, gpu->qvel, (size_t)m->nv * sizeof(mjtNum)) &&
              !memcmp(cpu->act, gpu->act, (size_t)m->na * sizeof(mjtNum)) &&
              !memcmp(cpu->sensordata, gpu->sensordata, (size_t)m->nsensordata * sizeof(mjtNum));
  mj_deleteData(cpu);
  mj_deleteData(gpu);
  return same;
}

static ct_Launch launch_of(const ct_CudaModel* model, const ct_CudaBatch* batch, int nlane) {
  ct_Launch launch = {model->model, batch->data, batch->count, nlane, BLOCK, 0,
                      NULL,         NULL,        CT_WHEN_GOING};
  return launch;
}

static void make_steps(ct_Launch* launch, const mjModel* m, int nstep, bool by_stage) {
  for (int k = 0; k < nstep; k++) {
    if (by_stage) {
      ct_launch_step(launch, m);
    } else {
      ct_launch_whole_step(launch);
    }
  }
  check(cudaGetLastError(), "launching");
  check(cudaDeviceSynchronize(), "stepping");
}

static void start_all(const mjModel* m, ct_CudaBatch* batch) {
  mjData* d = mj_makeData(m);
  for (int i = 0; i < batch->count; i++) {
    start(m, d, i);
    stop_if(!ct_cuda_put(batch, i, m, d), "starting", ct_cuda_error());
  }
  mj_deleteData(d);
}

static void measure(const mjModel* m, const ct_CudaModel* model, ct_CudaBatch* batch, int nlane,
                    int nstep, bool by_stage) {
  ct_Launch launch = launch_of(model, batch, nlane);
  start_all(m, batch);
  make_steps(&launch, m, WARM_UP, by_stage);
  double begin = seconds();
  make_steps(&launch, m, nstep, by_stage);
  double spent = seconds() - begin;
  bool same = same_bits(m, batch, 0, WARM_UP + nstep) &&
              same_bits(m, batch, batch->count - 1, WARM_UP + nstep);
  printf("%7d environments %3d lanes  %-8s %12.0f steps/s  %8.2f ms per step of all  %s\n",
         batch->count, nlane, by_stage ? "by stage" : "whole", (double)batch->count * nstep / spent,
         1e3 * spent / nstep, same ? "bits of the CPU" : "OTHER BITS THAN THE CPU");
  fflush(stdout);
}

// Where the time of a step goes, by the table of stages

static const char* const stage_names[] = {
#define STAGE(name_, function_, part_, applies_, timer_, kernel_) #name_,
#include "engine/stages.def"
};

typedef struct {
  double last, spent[CT_NSTAGE];
} Split;

static void note_stage(void* argument, ct_Stage stage) {
  Split* split = (Split*)argument;
  check(cudaDeviceSynchronize(), stage_names[stage]);
  double now = seconds();
  split->spent[stage] += now - split->last;
  split->last = now;
}

static void print_split(const mjModel* m, const ct_CudaModel* model, ct_CudaBatch* batch, int nlane,
                        int nstep) {
  Split split = {0, {0}};
  ct_Launch launch = launch_of(model, batch, nlane);
  start_all(m, batch);
  make_steps(&launch, m, WARM_UP, true);
  launch.watch = note_stage;
  launch.argument = &split;
  split.last = seconds();
  make_steps(&launch, m, nstep, true);
  printf("        %d lanes, us per step of all:", nlane);
  for (int k = 0; k < CT_NSTAGE; k++) {
    if (split.spent[k] > 0) printf(" %s %.0f", stage_names[k], 1e6 * split.spent[k] / nstep);
  }
  printf("\n");
  fflush(stdout);
}

static void measure_count(const mjModel* m, const ct_CudaModel* model, int count, int nstep) {
  mjData* d = mj_makeData(m);
  ct_CudaBatch batch;
  stop_if(!ct_cuda_make_batch(&batch, m, d, count), "making a batch", ct_cuda_error());
  for (int nlane = 1; nlane <= 32; nlane *= 2) {
    measure(m, model, &batch, nlane, nstep, false);
    measure(m, model, &batch, nlane, nstep, true);
  }
  print_split(m, model, &batch, 16, nstep);
  ct_cuda_free_batch(&batch);
  mj_deleteData(d);
}

static void print_sizes(const mjModel* m, const char* name) {
  mjData* d = mj_makeData(m);
  cudaFuncAttributes a;
  check(cudaFuncGetAttributes(&a, ct_kernel_step), "asking for the kernel");
  int blocks = 0;
  check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, ct_kernel_step, BLOCK, 0), "asking");
  printf("%s: nv %d; an environment has %.0f kB of struct, %.0f kB of arrays, %.0f kB of arena\n",
         name, (int)m->nv, (double)sizeof(mjData) / 1e3, (double)d->nbuffer / 1e3,
         (double)d->narena / 1e3);
  printf("a thread has %d registers and %.1f kB of locals; %d threads fit on a multiprocessor\n",
         a.numRegs, (double)a.localSizeBytes / 1e3, blocks * BLOCK);
  mj_deleteData(d);
}

int main(int argc, char** argv) {
  stop_if(argc < 2, "usage", "bench MODEL.mjb [STEPS [ENVIRONMENTS...]]");
  stop_if(!ct_cuda_available(), "no GPU", ct_cuda_error());
  mjModel* m = mj_loadModel(argv[1], NULL);
  stop_if(!m, argv[1], "does not load");
  int nstep = argc > 2 ? atoi(argv[2]) : DEFAULT_STEPS;
  double core = size_arena(m, WARM_UP + nstep);
  print_sizes(m, argv[1]);
  printf("one core of the CPU %25.0f steps/s\n", core);
  ct_CudaModel model;
  stop_if(!ct_cuda_upload_model(&model, m), "uploading the model", ct_cuda_error());
  const int counts[] = {1024, 4096, 8192, 16384, 32768};
  if (argc > 3) {
    for (int i = 3; i < argc; i++) measure_count(m, &model, atoi(argv[i]), nstep);
  } else {
    for (int i = 0; i < 5; i++) measure_count(m, &model, counts[i], nstep);
  }
  ct_cuda_free_model(&model);
  mj_deleteModel(m);
  return 0;
}
