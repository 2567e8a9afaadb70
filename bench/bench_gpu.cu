// Steps of many environments on a GPU: whole physics, one model.
//
//   bench MODEL.mjb [STEPS [ENVIRONMENTS...]]
//
// For each number of environments and each number of lanes per environment, prints steps per second
// of all environments together. Every environment has velocities and controls of its own, and two
// of them are compared with the CPU bit for bit in the end.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <mujoco/mujoco.h>

#include "batch/cuda/upload.h"
#include "collide/collision.h"
#include "engine/constraint/constraint.h"
#include "engine/integrate.h"
#include "engine/sensor/sensor.h"
#include "engine/smooth/acceleration.h"
#include "engine/smooth/actuation.h"
#include "engine/smooth/camlight.h"
#include "engine/smooth/com.h"
#include "engine/smooth/factor.h"
#include "engine/smooth/kinematics.h"
#include "engine/smooth/mass_matrix.h"
#include "engine/smooth/sleep.h"
#include "engine/smooth/tendon.h"
#include "engine/smooth/transmission.h"
#include "engine/solver/solver.h"
#include "engine/step.h"

enum { BLOCK = 128, WARM_UP = 20, DEFAULT_STEPS = 100 };

// A step in parts, in the order of src/engine/step.c. Groups of a multiprocessor that work on
// different parts push each other's instructions out of its cache, so a launch may do one part
// only.
enum { PARTS = 7, WHOLE = -1 };

static __device__ void step_part(Lane g, const mjModel* m, mjData* d, int part) {
  switch (part) {
    case 0:
      LANE_ONCE(g) {
        d->flg_energypos = d->flg_energyvel = d->flg_subtreevel = d->flg_rnepost = 0;
      }
      lane_sync(g);
      ct_kinematics(g, m, d);
      ct_com_position(g, m, d);
      ct_camlight(g, m, d);
      if (m->ntendon) ct_tendon(g, m, d);
      ct_wake_along_tendons(g, m, d);
      break;
    case 1:
      ct_mass_matrix(g, m, d);
      ct_factor_M(g, m, d);
      break;
    case 2:
      ct_collision(g, m, d);
      if (ct_wake_touched(g, m, d)) ct_collision(g, m, d);
      break;
    case 3:
      ct_wake_equal(g, m, d);
      ct_make_constraint(g, m, d);
      ct_island(g, m, d);
      if (m->nu) ct_transmission(g, m, d);
      ct_project_constraint(g, m, d);
      ct_sensors(g, m, d, mjSTAGE_POS);
      ct_position_energy(g, m, d);
      break;
    case 4:
      ct_velocity_stage(g, m, d);
      ct_sensors(g, m, d, mjSTAGE_VEL);
      ct_velocity_energy(g, m, d);
      ct_actuation(g, m, d);
      ct_acceleration(g, m, d);
      break;
    case 5:
      ct_forward_constraint(g, m, d);
      ct_sensors(g, m, d, mjSTAGE_ACC);
      break;
    default:
      ct_integrate(g, m, d);
      break;
  }
}

__global__ void step_all(int nlane, const mjModel* m, mjData** data, int count, int part) {
  int i = (int)(blockIdx.x * blockDim.x + threadIdx.x) / nlane;
  if (i >= count) return;
  Lane g = lane_of_thread(nlane);
  if (part == WHOLE) {
    ct_step_lanes(g, m, data[i]);
  } else {
    step_part(g, m, data[i], part);
  }
}

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
              !memcmp(cpu->qvel, gpu->qvel, (size_t)m->nv * sizeof(mjtNum));
  mj_deleteData(cpu);
  mj_deleteData(gpu);
  return same;
}

static void make_steps(int nlane, const ct_CudaModel* model, const ct_CudaBatch* batch, int nstep,
                       bool in_parts) {
  long long threads = (long long)batch->count * nlane;
  unsigned blocks = (unsigned)((threads + BLOCK - 1) / BLOCK);
  for (int k = 0; k < nstep; k++) {
    for (int part = in_parts ? 0 : WHOLE; part < (in_parts ? PARTS : 0); part++) {
      step_all<<<blocks, BLOCK>>>(nlane, model->model, batch->data, batch->count, part);
    }
  }
  check(cudaGetLastError(), "launching");
  check(cudaDeviceSynchronize(), "stepping");
}

static void measure(const mjModel* m, const ct_CudaModel* model, ct_CudaBatch* batch, int nlane,
                    int nstep, bool in_parts) {
  mjData* d = mj_makeData(m);
  for (int i = 0; i < batch->count; i++) {
    start(m, d, i);
    stop_if(!ct_cuda_put(batch, i, m, d), "starting", ct_cuda_error());
  }
  make_steps(nlane, model, batch, WARM_UP, in_parts);
  double begin = seconds();
  make_steps(nlane, model, batch, nstep, in_parts);
  double spent = seconds() - begin;
  bool same = same_bits(m, batch, 0, WARM_UP + nstep) &&
              same_bits(m, batch, batch->count - 1, WARM_UP + nstep);
  printf("%7d environments %3d lanes  %-8s %12.0f steps/s  %8.2f ms per step of all  %s\n",
         batch->count, nlane, in_parts ? "in parts" : "whole", (double)batch->count * nstep / spent,
         1e3 * spent / nstep, same ? "bits of the CPU" : "OTHER BITS THAN THE CPU");
  fflush(stdout);
  mj_deleteData(d);
}

static void measure_count(const mjModel* m, const ct_CudaModel* model, int count, int nstep) {
  mjData* d = mj_makeData(m);
  ct_CudaBatch batch;
  stop_if(!ct_cuda_make_batch(&batch, m, d, count), "making a batch", ct_cuda_error());
  for (int nlane = 1; nlane <= 32; nlane *= 2) {
    measure(m, model, &batch, nlane, nstep, false);
    measure(m, model, &batch, nlane, nstep, true);
  }
  ct_cuda_free_batch(&batch);
  mj_deleteData(d);
}

static void print_sizes(const mjModel* m, const char* name) {
  mjData* d = mj_makeData(m);
  cudaFuncAttributes a;
  check(cudaFuncGetAttributes(&a, step_all), "asking for the kernel");
  int blocks = 0;
  check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, step_all, BLOCK, 0), "asking");
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
