// Making a batch on a GPU: how much memory it takes, the image of an environment, plans.

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <corten/step.h>

#include "base/model/faults.h"
#include "base/private.h"
#include "batch/cpu.h"
#include "batch/cuda/cuda_batch.h"
#include "batch/guard.h"
#include "engine/constraint/constraint.h"

// Messages

int ct_cuda_refuse(ct_GpuBatch* b, int code, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(b->error, sizeof(b->error), format, arguments);
  va_end(arguments);
  return code;
}

int ct_cuda_result(ct_GpuBatch* b, cudaError_t code, const char* what) {
  if (code == cudaSuccess) return CT_BATCH_OK;
  cudaGetLastError();  // one that does not stay is forgotten
  return ct_cuda_refuse(
      b, code == cudaErrorMemoryAllocation ? CT_BATCH_NO_MEMORY : CT_BATCH_DEVICE_FAILED,
      "GPU %d, %s: %s", b->device, what, cudaGetErrorString(code));
}

bool ct_cuda_good(ct_GpuBatch* b, cudaError_t code, const char* what) {
  return ct_cuda_result(b, code, what) == CT_BATCH_OK;
}

// Memory

void* ct_cuda_allocate(ct_GpuBatch* b, size_t bytes, const char* what) {
  void* memory = NULL;
  if (b->nmemory == (int)(sizeof(b->memory) / sizeof(b->memory[0]))) {
    ct_cuda_refuse(b, CT_BATCH_NO_MEMORY, "%s: too many fields vary", what);
    return NULL;
  }
  if (!ct_cuda_good(b, cudaMalloc(&memory, bytes ? bytes : 1), what)) return NULL;
  b->memory[b->nmemory++] = memory;
  if (!ct_cuda_good(b, cudaMemsetAsync(memory, 0, bytes, b->stream), what)) return NULL;
  return memory;
}

void* ct_cuda_upload(ct_GpuBatch* b, const void* from, size_t bytes, const char* what) {
  void* memory = ct_cuda_allocate(b, bytes, what);
  if (!memory) return NULL;
  cudaError_t code =
      bytes ? cudaMemcpyAsync(memory, from, bytes, cudaMemcpyHostToDevice, b->stream) : cudaSuccess;
  if (code == cudaSuccess) code = cudaStreamSynchronize(b->stream);
  return ct_cuda_good(b, code, what) ? memory : NULL;
}

char* ct_cuda_staging(ct_GpuBatch* b, size_t bytes) {
  if (bytes <= b->nstaging) return b->staging;
  cudaStreamSynchronize(b->stream);
  cudaFree(b->staging);
  b->staging = NULL;
  b->nstaging = 0;
  void* memory = NULL;
  if (!ct_cuda_good(b, cudaMalloc(&memory, bytes), "room for a matrix")) return NULL;
  b->staging = (char*)memory;
  b->nstaging = bytes;
  return b->staging;
}

bool ct_is_device_memory(const void* pointer) {
  struct cudaPointerAttributes a;
  if (cudaPointerGetAttributes(&a, pointer) != cudaSuccess) {
    cudaGetLastError();
    return false;
  }
  return a.type == cudaMemoryTypeDevice || a.type == cudaMemoryTypeManaged;
}

cudaError_t ct_bring_rows(ct_GpuBatch* b, void* to, const void* from, size_t pitch, size_t bytes,
                          size_t rows) {
  struct cudaPointerAttributes a;
  cudaError_t code =
      cudaMemcpy2DAsync(to, bytes, from, pitch, bytes, rows, cudaMemcpyHostToDevice, b->stream);
  if (code != cudaSuccess) return code;
  if (cudaPointerGetAttributes(&a, from) != cudaSuccess) {
    cudaGetLastError();
    return cudaSuccess;
  }
  return a.type == cudaMemoryTypeHost ? cudaStreamSynchronize(b->stream) : cudaSuccess;
}

int ct_device_mask(ct_GpuBatch* b, const mjtByte* mask, const mjtByte** on_device) {
  *on_device = mask;
  if (!mask || ct_is_device_memory(mask)) return CT_BATCH_OK;
  *on_device = b->mask;
  size_t n = (size_t)b->n;
  return ct_cuda_result(b, ct_bring_rows(b, b->mask, mask, n, n, 1), "bringing the mask");
}

int ct_cuda_host_mask(void* self, const mjtByte* mask, mjtByte* to) {
  ct_GpuBatch* b = (ct_GpuBatch*)self;
  cudaSetDevice(b->device);
  cudaError_t e = cudaMemcpyAsync(to, mask, (size_t)b->n, cudaMemcpyDefault, b->stream);
  if (e == cudaSuccess) e = cudaStreamSynchronize(b->stream);
  return ct_cuda_result(b, e, "fetching the mask");
}

// Sizes

typedef struct {
  size_t front, buffer_at, arena_at, stride;
  size_t arena, nbuffer;
} Layout;

static Layout lay_out(const mjModel* m, size_t arena) {
  Layout l;
  l.front = (size_t)ct_front_bytes();
  ct_place_fields(ct_data_fields, ct_ndata_field, m, NULL, NULL, &l.nbuffer);
  l.nbuffer = CT_ALIGN_UP(l.nbuffer);
  l.arena = CT_ALIGN_UP(arena);
  l.buffer_at = CT_ALIGN_UP(l.front);
  l.arena_at = l.buffer_at + l.nbuffer;
  l.stride = l.arena_at + l.arena;
  return l;
}

static size_t bytes_of_each(const ct_BatchSetup* setup, const Layout* l) {
  return l->stride + (setup->nstate + 1) * sizeof(mjtNum) + 3 * sizeof(int) + sizeof(mjtSize) +
         4 * sizeof(mjtByte);
}

static size_t bytes_once(const ct_BatchSetup* setup, const Layout* l) {
  const mjModel* m = setup->model;
  return (size_t)m->nbuffer + 2 * sizeof(mjModel) + ct_schedule_bytes(m) + l->arena_at +
         (size_t)(1 + m->nkey) * setup->nstate * sizeof(mjtNum) + 65536;
}

// Devices

static bool explain(char* error, size_t nerror, const char* format, ...) mjPRINTFLIKE(3, 4);
static bool explain(char* error, size_t nerror, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(error, nerror, format, arguments);
  va_end(arguments);
  return false;
}

static bool find_device(int device, char* error, size_t nerror) {
  int count = 0;
  cudaError_t code = cudaGetDeviceCount(&count);
  if (code != cudaSuccess) {
    cudaGetLastError();
    return explain(error, nerror, "CUDA: %s", cudaGetErrorString(code));
  }
  if (device >= count) {
    return explain(error, nerror, "options.device is %d, but there %s %d GPU%s, counted from 0",
                   device, count == 1 ? "is" : "are", count, count == 1 ? "" : "s");
  }
  code = cudaSetDevice(device);
  if (code == cudaSuccess) return true;
  return explain(error, nerror, "GPU %d cannot be used: %s", device, cudaGetErrorString(code));
}

// What a GPU cannot do, or this library was not built for.
static bool check_setup(const ct_BatchSetup* setup, char* error, size_t nerror) {
  const mjModel* m = setup->model;
  int id;
  if (setup->options.precision == CT_PRECISION_FLOAT && sizeof(mjtNum) == sizeof(double)) {
    return explain(error, nerror,
                   "this library computes in double; float has one of its own (make cuda "
                   "CUDA_VARIANT=float)");
  }
  if (m->nplugin > 0) {
    return explain(error, nerror, "the model has %d plugins, which cannot run on a GPU",
                   (int)m->nplugin);
  }
  ct_Cause cause = ct_find_fault(m, &id);
  if (cause) ct_describe_fault(m, cause, id, error, nerror);
  return !cause;
}

// Bytes that the device sets aside for the locals of every thread that it could hold.
static size_t bytes_of_locals(const mjModel* m, const struct cudaDeviceProp* device) {
  ct_PlanFor what = {
      .model = m, .front = ct_front_bytes(), .shared_memory = device->sharedMemPerBlockOptin};
  size_t most = 0;
  for (int part = 0; part < CT_NKERNEL_PART; part++) {
    struct cudaFuncAttributes a;
    const ct_PartKernel* k = ct_choose_kernel(&what, (ct_KernelPart)part);
    if (part == CT_KERNEL_REST && !ct_compares_inverse(m)) continue;
    if (part == CT_KERNEL_SENSORS && !ct_has_sensors(m)) continue;
    if (k && cudaFuncGetAttributes(&a, k->function) == cudaSuccess && a.localSizeBytes > most) {
      most = a.localSizeBytes;
    }
  }
  return most * (size_t)device->maxThreadsPerMultiProcessor * (size_t)device->multiProcessorCount;
}

// Is there room for all? Otherwise says for how many.
static bool check_memory(const ct_BatchSetup* setup, size_t arena, size_t each, size_t once,
                         char* error, size_t nerror) {
  size_t unused = 0, total = 0;
  struct cudaDeviceProp device;
  if (cudaMemGetInfo(&unused, &total) != cudaSuccess ||
      cudaGetDeviceProperties(&device, setup->options.device) != cudaSuccess) {
    return explain(error, nerror, "GPU %d does not answer: %s", setup->options.device,
                   cudaGetErrorString(cudaGetLastError()));
  }
  size_t locals = bytes_of_locals(setup->model, &device), reserve = (size_t)64 << 20;
  size_t room = unused > once + locals + reserve ? unused - once - locals - reserve : 0;
  if (room / each >= (size_t)setup->count) return true;
  return explain(error, nerror,
                 "%d environments of %zu bytes do not fit into the %zu MB that GPU %d has left; "
                 "%zu would (%zu bytes of each are its arena: options.arena)",
                 setup->count, each, unused >> 20, setup->options.device, room / each, arena);
}

// The model

static bool upload_model(ct_GpuBatch* b) {
  const mjModel* m = b->m;
  char* buffer = (char*)ct_cuda_upload(b, m->buffer, (size_t)m->nbuffer, "the model");
  if (!buffer) return false;
  b->model = *m;
  b->model.buffer = buffer;
  for (int i = 0; i < ct_nmodel_field; i++) {
    const char* array = (const char*)ct_field_array(ct_model_fields + i, m);
    *ct_field_pointer(ct_model_fields + i, &b->model) =
        array ? buffer + (array - (const char*)m->buffer) : NULL;
  }
  b->one_model = (mjModel*)ct_cuda_upload(b, &b->model, sizeof(mjModel), "the model");
  b->e.models.first = (const char*)b->one_model;
  b->e.models.stride = 0;
  return b->one_model != NULL;
}

// The image of an environment

// Members that describe memory, or that a device does not have.
static bool is_about_memory(const char* name) {
  static const char* const names[] = {
      "narena",     "nbuffer", "nplugin",           "buffer", "arena", "parena", "pstack", "pbase",
      "threadpool", "solver",  "maxuse_threadstack"};
  for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
    if (!strcmp(name, names[i])) return true;
  }
  return false;
}

static void put_size(char* image, const char* name, mjtSize size) {
  memcpy(image + ct_front_member(name), &size, sizeof(size));
}

static int collect_members(char* image, const mjData* d, ct_Span* span) {
  int count = 0;
  for (int i = 0; i < ct_ndata_value; i++) {
    const ct_Member* v = ct_data_values + i;
    int at = ct_front_member(v->name);
    if (at < 0 || is_about_memory(v->name)) continue;
    memcpy(image + at, (const char*)d + v->offset, v->bytes);
    span[count].at = at;
    span[count++].bytes = (int)v->bytes;
  }
  return count;
}

// Where an array of mjData that is part of the state begins in a row; -1: it is not.
static int place_in_state(const ct_GpuBatch* b, const ct_Field* f) {
  ct_BatchField field;
  char why[200];
  if (!strcmp(f->name, "eq_active")) return -1;  // bytes there, numbers in the row
  if (!ct_find_batch_field(b->m, f->name, &field, why, sizeof(why))) return -1;
  if (field.place != CT_PLACE_STATE) return -1;
  for (int i = 0; i < mjNSTATE; i++) {
    if (field.state == 1 << i) return b->e.component[i];
  }
  return -1;
}

static int collect_links(const ct_GpuBatch* b, const mjData* d, ct_Link* link) {
  int count = 0;
  for (int i = 0; i < ct_ndata_field; i++) {
    const ct_Field* f = ct_data_fields + i;
    const char* array = (const char*)ct_field_array(f, d);
    int place = place_in_state(b, f);
    if (!array) continue;
    ct_Link l = {ct_front_member(f->name), CT_IN_BUFFER, (size_t)(array - (const char*)d->buffer)};
    if (place >= 0) {
      l.region = CT_IN_STATE;
      l.offset = (size_t)place * sizeof(mjtNum);
    }
    link[count++] = l;
  }
  const char* const arena[] = {"arena", "contact"};
  for (int i = 0; i < 2; i++) {
    ct_Link l = {ct_front_member(arena[i]), CT_IN_ARENA, 0};
    link[count++] = l;
  }
  ct_Link buffer = {ct_front_member("buffer"), CT_IN_BUFFER, 0};
  link[count++] = buffer;
  return count;
}

static bool upload_schedule(ct_GpuBatch* b, ct_Schedule* s) {
  void* memory = ct_cuda_upload(b, ct_schedule_memory(s), ct_schedule_bytes(b->m), "the schedule");
  if (memory) ct_schedule_place(s, memory, b->m);
  return memory != NULL;
}

// Front and arrays after a reset, to be freed.
static char* draw_image(ct_GpuBatch* b, const Layout* l, ct_Span* span, int* nspan) {
  const mjData* d = b->desk;
  char* image = (char*)calloc(1, l->arena_at);
  if (!image) return NULL;
  *nspan = collect_members(image, d, span);
  put_size(image, "narena", (mjtSize)l->arena);
  put_size(image, "nbuffer", d->nbuffer);
  ct_Private p = *ct_private(d);
  p.status = 0;
  p.walk = 0;
  p.integration.room = NULL;
  p.content = NULL;
  p.one_island = ct_has_one_island(b->m);
  if (!upload_schedule(b, &p.schedule)) {
    free(image);
    return NULL;
  }
  memcpy(image + ct_front_private(), &p, sizeof(p));
  memcpy(image + l->buffer_at, d->buffer, (size_t)d->nbuffer);
  return image;
}

// States after a reset: the default, and the keyframes.
static bool upload_starts(ct_GpuBatch* b) {
  size_t rows = (size_t)(1 + b->m->nkey), n = (size_t)b->e.nstate;
  mjtNum* state = (mjtNum*)calloc(rows * n + 1, sizeof(mjtNum));
  if (!state) return false;
  for (int key = (int)b->m->nkey - 1; key >= -1; key--) {
    mj_resetDataKeyframe(b->m, b->desk, key);
    mj_getState(b->m, b->desk, state + (size_t)(key + 1) * n, mjSTATE_INTEGRATION);
  }
  b->e.starts = (const mjtNum*)ct_cuda_upload(b, state, rows * n * sizeof(mjtNum), "keyframes");
  free(state);
  return b->e.starts != NULL;
}

static bool upload_image(ct_GpuBatch* b, const Layout* l) {
  enum { MOST = 400 };
  ct_Span span[MOST];
  ct_Link link[MOST];
  if (!upload_starts(b)) return false;
  char* image = draw_image(b, l, span, &b->e.nmember);
  if (!image) return false;
  b->e.start = (const char*)ct_cuda_upload(b, image, l->arena_at, "an environment");
  free(image);
  int nlink = collect_links(b, b->desk, link);
  b->e.member =
      (const ct_Span*)ct_cuda_upload(b, span, (size_t)b->e.nmember * sizeof(ct_Span), "members");
  const ct_Link* links =
      (const ct_Link*)ct_cuda_upload(b, link, (size_t)nlink * sizeof(ct_Link), "addresses");
  if (!b->e.start || !b->e.member || !links) return false;
  ct_StateStart all = {NULL, -1, NULL, 0, NULL};
  return ct_cuda_good(b, ct_found_environments(&b->e, links, nlink, b->stream), "founding") &&
         ct_cuda_good(b, ct_start_environments(&b->e, &all, b->stream), "the first reset");
}

// Tables

static bool make_tables(ct_GpuBatch* b, const Layout* l) {
  size_t n = (size_t)b->n;
  ct_Environments* e = &b->e;
  int end = 0;
  for (int i = 0; i < mjNSTATE; i++) {
    e->component[i] = end;
    end += mj_stateSize(b->m, 1 << i);
  }
  e->component[mjNSTATE] = e->nstate = end;
  e->count = b->n;
  e->stride = l->stride;
  e->buffer_at = l->buffer_at;
  e->arena_at = l->arena_at;
  e->nbuffer = l->nbuffer;
  e->memory = (char*)ct_cuda_allocate(b, n * l->stride, "environments");
  if (!e->memory) return false;
  e->state = (mjtNum*)ct_cuda_allocate(b, n * (size_t)end * sizeof(mjtNum), "states");
  e->status = (int*)ct_cuda_allocate(b, n * sizeof(int), "status");
  e->reward = (mjtNum*)ct_cuda_allocate(b, n * sizeof(mjtNum), "rewards");
  e->terminated = (mjtByte*)ct_cuda_allocate(b, n, "outcomes");
  e->truncated = (mjtByte*)ct_cuda_allocate(b, n, "outcomes");
  e->steps = (int*)ct_cuda_allocate(b, n * sizeof(int), "steps");
  e->noise = (mjtSize*)ct_cuda_allocate(b, n * sizeof(mjtSize), "counters of noise");
  e->going = (mjtByte*)ct_cuda_allocate(b, n, "masks");
  b->mask = (mjtByte*)ct_cuda_allocate(b, n, "masks");
  b->order = (int*)ct_cuda_allocate(b, n * sizeof(int), "the order");
  for (int i = 0; i < CT_MOST_LINES; i++) {
    ct_LaunchLine* line = b->line + i;
    line->scratch = (int*)ct_cuda_allocate(b, CT_ORDER_SCRATCH * sizeof(int), "the order");
    if (!line->scratch) return false;
  }
  e->counts = (ct_DeviceCounts*)ct_cuda_allocate(b, sizeof(ct_DeviceCounts), "counts");
  return e->state && e->status && e->reward && e->terminated && e->truncated && e->steps &&
         e->noise && e->going && b->mask && b->order && e->counts;
}

void ct_cuda_make_plans(ct_GpuBatch* b) {
  ct_PlanFor what = {
      b->m, b->models != NULL, ct_front_bytes(), b->shared_memory, b->multiprocessors, b->n};
  for (int stage = 0; stage < CT_NSTAGE_PLAN; stage++) {
    ct_free_plan(b->plan + stage);
    unsigned parts = stage ? ct_parts_up_to(stage) : (unsigned)CT_STEP;
    bool fits = ct_make_plan(b->plan + stage, &what, parts, stage == mjSTAGE_ACC);
    assert(fits);  // the course of a step is the same for all models but for what they lack
    (void)fits;
  }
}

// Kernels that want more shared memory than usual must be told that they may.
static bool allow_shared_memory(ct_GpuBatch* b) {
  for (int i = 0; i < ct_npart_kernel; i++) {
    cudaError_t code =
        cudaFuncSetAttribute(ct_part_kernels[i]->function,
                             cudaFuncAttributeMaxDynamicSharedMemorySize, (int)b->shared_memory);
    if (!ct_cuda_good(b, code, "preparing kernels")) return false;
  }
  return true;
}

static bool keep_what_steps_read(ct_GpuBatch* b) {
  static const char* const names[] = {"sensordata", "energy", "flg_energypos", "flg_energyvel"};
  for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
    ct_BatchField field;
    char why[200];
    if (!ct_find_batch_field(b->m, names[i], &field, why, sizeof(why))) return false;
    if (ct_cuda_keep(b, &field)) return false;
  }
  return true;
}

static bool make_line(ct_GpuBatch* b, ct_LaunchLine* line) {
  const unsigned quick = cudaEventDisableTiming;
  cudaError_t code = cudaStreamCreate(&line->stream);
  if (code == cudaSuccess) code = cudaStreamCreate(&line->side);
  if (code == cudaSuccess) code = cudaEventCreateWithFlags(&line->end, quick);
  if (code == cudaSuccess) code = cudaEventCreateWithFlags(&line->fork, quick);
  if (code == cudaSuccess) code = cudaEventCreateWithFlags(&line->join, quick);
  return ct_cuda_good(b, code, "making streams");
}

static bool make_streams(ct_GpuBatch* b) {
  const unsigned quick = cudaEventDisableTiming;
  for (int i = 0; i < CT_MOST_LINES; i++) {
    if (!make_line(b, b->line + i)) return false;
  }
  b->own_stream = b->stream = b->line[0].stream;
  cudaError_t code = cudaEventCreateWithFlags(&b->begin, quick);
  if (code == cudaSuccess) code = cudaEventCreateWithFlags(&b->passed, quick);
  return ct_cuda_good(b, code, "making streams");
}

static void free_line(ct_LaunchLine* line) {
  if (line->stream) cudaStreamDestroy(line->stream);
  if (line->side) cudaStreamDestroy(line->side);
  if (line->end) cudaEventDestroy(line->end);
  if (line->fork) cudaEventDestroy(line->fork);
  if (line->join) cudaEventDestroy(line->join);
}

// The number that the device gives for an attribute.
static bool ask_device(ct_GpuBatch* b, enum cudaDeviceAttr attribute, int* number) {
  return ct_cuda_good(b, cudaDeviceGetAttribute(number, attribute, b->device), "asking the device");
}

static bool make_all(ct_GpuBatch* b, const Layout* l) {
  int shared = 0;
  if (!ask_device(b, cudaDevAttrMaxSharedMemoryPerBlockOptin, &shared) ||
      !ask_device(b, cudaDevAttrMultiProcessorCount, &b->multiprocessors) || !make_streams(b)) {
    return false;
  }
  b->shared_memory = (size_t)shared;
  if (!make_tables(b, l) || !upload_model(b) || !upload_image(b, l) || !allow_shared_memory(b) ||
      !keep_what_steps_read(b)) {
    return false;
  }
  ct_cuda_make_plans(b);
  return ct_cuda_good(b, cudaStreamSynchronize(b->stream), "the first reset");
}

// A batch with this arena; NULL with the reason.
static ct_GpuBatch* make_batch(ct_BatchSetup* setup, size_t arena, char* error, size_t nerror) {
  ct_Listener listener;
  ct_listen(&listener);
  ct_GpuBatch* b = (ct_GpuBatch*)calloc(1, sizeof(ct_GpuBatch));
  if (b) b->desk = mj_makeData(setup->model);
  bool good = b && b->desk;
  if (good) {
    b->setup = setup;
    b->m = setup->model;
    b->n = setup->count;
    b->device = setup->options.device;
    setup->options.arena = (mjtSize)CT_ALIGN_UP(arena);
    setup->options.threads = 0;
    Layout l = lay_out(b->m, arena);
    good = make_all(b, &l);
  }
  ct_stop_listening(&listener);
  if (good) return b;
  const char* why = b && b->error[0] ? b->error : listener.message;
  explain(error, nerror, "%s", *why ? why : "there is no memory");
  ct_cuda_destroy(b);
  return NULL;
}

// How much arena

static double seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// Steps of a few environments, some of which move at random; returns what they used, or 0.
static size_t try_steps(ct_GpuBatch* b, const int* keys) {
  ct_BatchField ctrl, qvel;
  char why[100];
  ct_BatchStart start = {NULL, -1, keys, 0, NULL};
  ct_BatchRun run;
  memset(&run, 0, sizeof(run));
  run.nstep = run.substeps = 1;
  ct_find_batch_field(b->m, "ctrl", &ctrl, why, sizeof(why));
  ct_find_batch_field(b->m, "qvel", &qvel, why, sizeof(why));
  double end = seconds() + 0.5;
  int code = ct_cuda_reset(b, &start);
  if (!code) code = ct_cuda_noise(b, &qvel, NULL, CT_NOISE_NORMAL, CT_NOISE_ADD, 0, (mjtNum)0.1);
  for (int t = 0; t < 200 && !code && (t < 20 || seconds() < end); t++) {
    if (t % 20 == 0) code = ct_cuda_noise(b, &ctrl, NULL, CT_NOISE_UNIFORM, CT_NOISE_SET, -1, 1);
    if (!code) code = ct_cuda_run(b, &run);
    if (!code && t % 10 == 9) code = ct_cuda_result(b, cudaStreamSynchronize(b->stream), "a trial");
  }
  ct_BatchCounts counts;
  memset(&counts, 0, sizeof(counts));
  if (!code) code = ct_cuda_counts(b, &counts);
  return code ? 0 : (size_t)counts.arena_used;
}

// A third as much again as steps from the default state and from keyframes use on the device, some
// of them under random controls, and at least what costs little. What the model asks for is the
// most.
static size_t choose_arena(const ct_BatchSetup* setup) {
  enum { EACH = 16, KEYS = 8, LEAST = 4096 * sizeof(mjtNum) };
  const size_t most = (size_t)setup->model->narena;
  if (setup->options.arena > 0) return (size_t)setup->options.arena;
  ct_BatchSetup trial = *setup;
  int starts = 1 + (int)(setup->model->nkey < KEYS ? setup->model->nkey : KEYS);
  int keys[EACH * (1 + KEYS)];
  for (int i = 0; i < EACH * starts; i++) keys[i] = i % starts - 1;
  char error[500];
  trial.count = EACH * starts;
  trial.options.max_steps = 0;
  size_t used = 0;
  for (size_t arena = (size_t)1 << 20; !used; arena *= 4) {
    if (arena > most) arena = most;
    ct_GpuBatch* b = make_batch(&trial, arena, error, sizeof(error));
    bool made = b != NULL;
    used = made ? try_steps(b, keys) : 0;
    bool full = used > arena / 2 && arena < most;
    ct_cuda_destroy(b);
    if (full) used = 0;
    if (!made || (!full && !used)) return most;
  }
  size_t enough = CT_ALIGN_UP(used + used / 3 + 2048);
  if (enough < LEAST) enough = LEAST;
  return enough < most ? enough : most;
}

int ct_cuda_estimate(const ct_BatchSetup* setup, size_t* each, size_t* once, char* error,
                     size_t nerror) {
  if (!check_setup(setup, error, nerror)) return CT_BATCH_UNSUPPORTED;
  if (!find_device(setup->options.device, error, nerror)) return CT_BATCH_BAD_ARGUMENT;
  Layout l = lay_out(setup->model, choose_arena(setup));
  *each = bytes_of_each(setup, &l);
  *once = bytes_once(setup, &l);
  return check_memory(setup, l.arena, *each, *once, error, nerror) ? CT_BATCH_OK
                                                                   : CT_BATCH_NO_MEMORY;
}

void* ct_cuda_create(ct_BatchSetup* setup, char* error, size_t nerror) {
  if (!check_setup(setup, error, nerror) || !find_device(setup->options.device, error, nerror)) {
    return NULL;
  }
  Layout l = lay_out(setup->model, choose_arena(setup));
  size_t each = bytes_of_each(setup, &l), once = bytes_once(setup, &l);
  if (!check_memory(setup, l.arena, each, once, error, nerror)) return NULL;
  ct_GpuBatch* b = make_batch(setup, l.arena, error, nerror);
  if (b && getenv("CORTEN_CUDA_TIMES")) {
    b->times = (ct_LaunchTimes*)calloc(1, sizeof(ct_LaunchTimes));
  }
  return b;
}

void ct_cuda_destroy(void* self) {
  ct_GpuBatch* b = (ct_GpuBatch*)self;
  if (!b) return;
  cudaSetDevice(b->device);
  cudaDeviceSynchronize();
  if (b->times) ct_print_launch_times(b);
  free(b->times);
  for (int i = 0; i < CT_NSTAGE_PLAN; i++) ct_free_plan(b->plan + i);
  for (int i = 0; i < b->nmemory; i++) cudaFree(b->memory[i]);
  cudaFree(b->staging);
  for (int i = 0; i < CT_MOST_LINES; i++) free_line(b->line + i);
  if (b->begin) cudaEventDestroy(b->begin);
  if (b->passed) cudaEventDestroy(b->passed);
  mj_deleteData(b->desk);
  free(b->kept);
  free(b->varied);
  free(b);
}
