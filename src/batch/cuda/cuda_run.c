// Steps, forward passes and resets of a batch on a GPU. backend.h has the order of what happens in
// a step; nothing here waits for the device unless memory of the host is involved.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "batch/cuda/cuda_batch.h"

// Launches

typedef struct {  // some of the environments, one after the other
  int first, count;
} Share;

static cudaError_t put_in_order(const ct_GpuBatch* b, Share share, const ct_LaunchLine* line) {
  size_t first = (size_t)share.first;
  ct_Ordering what = {.memory = b->e.memory + first * b->e.stride,
                      .stride = b->e.stride,
                      .going = b->e.going + first,
                      .count = share.count,
                      .scratch = line->scratch,
                      .order = b->order + first};
  return ct_order_by_rows(&what, line->stream);
}

static cudaError_t launch(const ct_GpuBatch* b, const ct_PlannedLaunch* planned, Share share,
                          cudaStream_t stream) {
  const ct_PartKernel* k = planned->kernel;
  size_t first = (size_t)share.first;
  ct_PartLaunch l = {.memory = b->e.memory + first * b->e.stride,
                     .stride = b->e.stride,
                     .going = b->e.going + first,
                     .order = planned->ordered ? b->order + first : NULL,
                     .stages = planned->stages,
                     .count = share.count,
                     .slot = planned->slot,
                     .near = planned->near,
                     .slept = planned->slept,
                     .islands = planned->islands};
  ct_EachModel models = b->e.models;
  models.first += first * models.stride;
  mjModel* model = (mjModel*)(uintptr_t)&b->model;
  void* arguments[] = {k->by_value ? (void*)model : (void*)&models, &l};
  unsigned in_block = (unsigned)(k->threads / k->lanes);
  struct dim3 grid = {((unsigned)share.count + in_block - 1) / in_block, 1, 1};
  struct dim3 block = {(unsigned)k->threads, 1, 1};
  return cudaLaunchKernel(k->function, grid, block, arguments,
                          (size_t)in_block * (size_t)planned->slot, stream);
}

// A kernel for states with small islands, and beside it the one for all others: they concern
// different environments, and the few large problems take long.
static cudaError_t launch_beside(const ct_GpuBatch* b, const ct_PlannedLaunch* pair, Share share,
                                 const ct_LaunchLine* line) {
  cudaError_t code = cudaEventRecord(line->fork, line->stream);
  if (code == cudaSuccess) code = cudaStreamWaitEvent(line->side, line->fork, 0);
  if (code == cudaSuccess) code = launch(b, pair + 1, share, line->side);
  if (code == cudaSuccess) code = launch(b, pair, share, line->stream);
  if (code == cudaSuccess) code = cudaEventRecord(line->join, line->side);
  if (code == cudaSuccess) code = cudaStreamWaitEvent(line->stream, line->join, 0);
  return code;
}

static cudaError_t launch_share(const ct_GpuBatch* b, const ct_Plan* plan, Share share,
                                const ct_LaunchLine* line) {
  cudaError_t code = cudaSuccess;
  for (int i = 0; i < plan->count && code == cudaSuccess; i++) {
    const ct_PlannedLaunch* planned = plan->launch + i;
    if (planned->ordered) code = put_in_order(b, share, line);
    if (code != cudaSuccess) return code;
    if (planned->islands > 0) {
      code = launch_beside(b, planned, share, line);
      i++;
    } else {
      code = launch(b, planned, share, line->stream);
    }
  }
  return code;
}

// All environments, on the stream of the user.
static cudaError_t launch_all(const ct_GpuBatch* b, const ct_Plan* plan) {
  ct_LaunchLine line = b->line[0];
  line.stream = b->stream;
  return launch_share(b, plan, (Share){0, b->n}, &line);
}

// All environments in as many lines as are planned, which part from own_stream and come back.
static cudaError_t launch_lines(const ct_GpuBatch* b, const ct_Plan* plan) {
  cudaError_t code = cudaEventRecord(b->begin, b->own_stream);
  int first = 0;
  for (int i = 0; i < plan->lines && code == cudaSuccess; i++) {
    const ct_LaunchLine* line = b->line + i;
    Share share = {first, b->n / plan->lines};
    if (i == plan->lines - 1) share.count = b->n - first;
    first += share.count;
    if (i) code = cudaStreamWaitEvent(line->stream, b->begin, 0);
    if (code == cudaSuccess) code = launch_share(b, plan, share, line);
    if (code == cudaSuccess && i) code = cudaEventRecord(line->end, line->stream);
  }
  for (int i = 1; i < plan->lines && code == cudaSuccess; i++) {
    code = cudaStreamWaitEvent(b->own_stream, b->line[i].end, 0);
  }
  return code;
}

// All launches as one graph, which costs the host one call. Without it they go on one by one.
static void make_graph(const ct_GpuBatch* b, ct_Plan* plan) {
  cudaGraph_t graph = NULL;
  if (cudaStreamBeginCapture(b->own_stream, cudaStreamCaptureModeThreadLocal) != cudaSuccess) {
    cudaGetLastError();
    return;
  }
  cudaError_t code = launch_lines(b, plan);
  if (cudaStreamEndCapture(b->own_stream, &graph) != cudaSuccess || code != cudaSuccess ||
      cudaGraphInstantiate(&plan->graph, graph, 0) != cudaSuccess) {
    plan->graph = NULL;
    cudaGetLastError();
  }
  if (graph) cudaGraphDestroy(graph);
}

// One by one, each waited for.
static cudaError_t time_all(const ct_GpuBatch* b, const ct_Plan* plan) {
  cudaEvent_t begin = NULL, end = NULL;
  const Share all = {0, b->n};
  ct_LaunchLine line = b->line[0];
  line.stream = b->stream;
  cudaError_t code = cudaEventCreate(&begin);
  if (code == cudaSuccess) code = cudaEventCreate(&end);
  for (int i = 0; i < plan->count && code == cudaSuccess; i++) {
    float ms = 0;
    cudaEventRecord(begin, b->stream);
    if (plan->launch[i].ordered) code = put_in_order(b, all, &line);
    if (code == cudaSuccess) code = launch(b, plan->launch + i, all, b->stream);
    cudaEventRecord(end, b->stream);
    if (code == cudaSuccess) code = cudaEventSynchronize(end);
    cudaEventElapsedTime(&ms, begin, end);
    b->times->seconds[i] += 1e-3 * (double)ms;
  }
  b->times->steps++;
  if (begin) cudaEventDestroy(begin);
  if (end) cudaEventDestroy(end);
  return code;
}

void ct_print_launch_times(const ct_GpuBatch* b) {
  double all = 0;
  for (int i = 0; i < b->plan->count; i++) all += b->times->seconds[i];
  double steps = (double)(b->times->steps ? b->times->steps : 1);
  for (int i = 0; i < b->plan->count; i++) {
    const ct_PlannedLaunch* l = b->plan->launch + i;
    struct cudaFuncAttributes a = {0};
    cudaFuncGetAttributes(&a, l->kernel->function);
    fprintf(stderr, "%-28s %9.1f us %5.1f %%  %3d registers %6zu bytes of locals\n",
            l->kernel->name, 1e6 * b->times->seconds[i] / steps, 100 * b->times->seconds[i] / all,
            a.numRegs, a.localSizeBytes);
  }
  fprintf(stderr, "%-28s %9.1f us for %d environments\n", "all", 1e6 * all / steps, b->n);
}

static cudaError_t run_plan(const ct_GpuBatch* b, ct_Plan* plan) {
  if (b->times && plan == b->plan) return time_all(b, plan);
  if (plan->runs++ == 1) make_graph(b, plan);
  return plan->graph ? cudaGraphLaunch(plan->graph, b->stream) : launch_all(b, plan);
}

// Steps

// Inputs of step t, on the device.
static int bring_controls(ct_GpuBatch* b, const ct_BatchRun* run, int t, ct_StepStart* start) {
  size_t row = (size_t)mj_stateSize(b->m, run->control_state) * sizeof(mjtNum);
  size_t pitch = run->time_first ? row : row * (size_t)run->nstep;
  const char* from =
      (const char*)run->control + (size_t)t * (run->time_first ? row * (size_t)b->n : row);
  if (!row) return CT_BATCH_OK;
  start->control_state = run->control_state;
  start->control = from;
  start->control_stride = pitch;
  if (ct_is_device_memory(run->control)) return CT_BATCH_OK;
  char* staging = ct_cuda_staging(b, row * (size_t)b->n);
  if (!staging) return CT_BATCH_NO_MEMORY;
  start->control = staging;
  start->control_stride = row;
  return ct_cuda_result(b, ct_bring_rows(b, staging, from, pitch, row, (size_t)b->n),
                        "bringing controls");
}

static int write_records(ct_GpuBatch* b, const ct_BatchRun* run, int t) {
  for (int k = 0; k < run->nrecord; k++) {
    const ct_BatchField* f = run->record + k;
    size_t row = ct_batch_row_bytes(f);
    size_t pitch = run->time_first ? row : row * (size_t)run->nstep;
    char* to = (char*)run->out[k] + (size_t)t * (run->time_first ? row * (size_t)b->n : row);
    int code = row ? ct_cuda_take_out(b, f, run->mask, to, pitch) : CT_BATCH_OK;
    if (code) return code;
  }
  return CT_BATCH_OK;
}

static int run_steps(ct_GpuBatch* b, const ct_BatchRun* run, const ct_StepStart* start) {
  ct_StepEnd end = {0, start->forward, b->setup->options.max_steps};
  ct_Plan* plan = b->plan + (start->forward ? run->stage : 0);
  int substeps = start->forward ? 1 : run->substeps;
  cudaError_t code = ct_begin_step(&b->e, start, b->stream);
  for (int k = 0; k < substeps && code == cudaSuccess; k++) {
    end.last = k == substeps - 1;
    code = run_plan(b, plan);
    if (code == cudaSuccess) code = ct_finish_step(&b->e, &end, b->stream);
  }
  return ct_cuda_result(b, code, "a step");
}

int ct_cuda_run(void* self, const ct_BatchRun* run) {
  ct_GpuBatch* b = (ct_GpuBatch*)self;
  const ct_BatchOptions* o = &b->setup->options;
  cudaSetDevice(b->device);
  ct_StepStart start;
  memset(&start, 0, sizeof(start));
  start.forward = run->nstep == 0;
  start.auto_reset = o->auto_reset;
  start.reset_key = o->reset_key;
  int code = ct_device_mask(b, run->mask, &start.mask);
  if (!code && start.forward) return run_steps(b, run, &start);
  for (int t = 0; t < run->nstep && !code; t++) {
    if (run->control) code = bring_controls(b, run, t, &start);
    if (!code) code = run_steps(b, run, &start);
    if (!code && run->nrecord) code = write_records(b, run, t);
  }
  return code;
}

// Resets

static int check_keys(ct_GpuBatch* b, const int* keys, const mjtByte* mask) {
  for (int i = 0; i < b->n; i++) {
    if ((mask && !mask[i]) || (keys[i] >= -1 && keys[i] < b->m->nkey)) continue;
    return ct_cuda_refuse(b, CT_BATCH_BAD_ARGUMENT,
                          "environment %d: keyframe %d does not exist; the model has %d, and -1 is "
                          "its default state",
                          i, keys[i], (int)b->m->nkey);
  }
  return CT_BATCH_OK;
}

// Keys on the device, after they were looked at on the host.
static int bring_keys(ct_GpuBatch* b, const ct_BatchStart* start, ct_StateStart* s) {
  size_t n = (size_t)b->n, bytes = n * sizeof(int);
  int* keys = (int*)malloc(bytes);
  mjtByte* mask = (mjtByte*)malloc(n);
  char* staging = ct_cuda_staging(b, bytes);
  int code = keys && mask && staging ? CT_BATCH_OK : CT_BATCH_NO_MEMORY;
  if (!code) {
    memset(mask, 1, n);
    cudaError_t e = cudaMemcpyAsync(keys, start->keys, bytes, cudaMemcpyDefault, b->stream);
    if (e == cudaSuccess && start->mask) {
      e = cudaMemcpyAsync(mask, start->mask, n, cudaMemcpyDefault, b->stream);
    }
    if (e == cudaSuccess) e = cudaStreamSynchronize(b->stream);
    code = ct_cuda_result(b, e, "bringing keys");
  }
  if (!code) code = check_keys(b, keys, mask);
  for (size_t i = 0; !code && i < n; i++) keys[i] = mask[i] ? keys[i] : -1;
  if (!code) {
    cudaError_t e = cudaMemcpyAsync(staging, keys, bytes, cudaMemcpyHostToDevice, b->stream);
    code = ct_cuda_result(b, e, "bringing keys");
  }
  s->keys = (const int*)staging;
  free(keys);
  free(mask);
  return code;
}

static int bring_states(ct_GpuBatch* b, const ct_BatchStart* start, ct_StateStart* s) {
  size_t bytes = (size_t)b->n * (size_t)mj_stateSize(b->m, start->state) * sizeof(mjtNum);
  s->states = start->states;
  if (!bytes || ct_is_device_memory(start->states)) return CT_BATCH_OK;
  void* staging = ct_cuda_staging(b, bytes);
  if (!staging) return CT_BATCH_NO_MEMORY;
  s->states = (const mjtNum*)staging;
  return ct_cuda_result(b, ct_bring_rows(b, staging, start->states, bytes, bytes, 1),
                        "bringing states");
}

int ct_cuda_reset(void* self, const ct_BatchStart* start) {
  ct_GpuBatch* b = (ct_GpuBatch*)self;
  cudaSetDevice(b->device);
  ct_StateStart s = {NULL, start->key, NULL, start->state, NULL};
  int code = ct_device_mask(b, start->mask, &s.mask);
  if (!code && start->keys) code = bring_keys(b, start, &s);
  if (!code && start->states) code = bring_states(b, start, &s);
  return code ? code : ct_cuda_result(b, ct_start_environments(&b->e, &s, b->stream), "a reset");
}
