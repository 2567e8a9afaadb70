// Kernels around a step. See environments.h; compiled with nvcc -include layout.h.

#include "batch/cuda/environments.h"

#include <corten/batch.h>
#include <limits.h>
#include <string.h>

#include "base/failure.h"
#include "batch/cuda/front.h"
#include "batch/philox.h"
#include "math/vec.h"

enum { WARP = 32, BLOCK = 128 };  // an environment has a warp, unless it needs one thread only

// Where things are

int ct_front_bytes(void) {
  return CT_FRONT;
}

int ct_front_private(void) {
  return (int)CT_ALIGN_UP(sizeof(mjData));
}

int ct_front_member(const char* name) {
#define DATA_VALUE(type_, name_, extent_, doc_) \
  if (!strcmp(name, #name_)) return (int)offsetof(mjData, name_);
#define DATA_ARRAY(type_, name_, rows_, cols_, stage_, doc_) \
  if (!strcmp(name, #name_)) return (int)offsetof(mjData, name_);
#define DATA_ARENA(type_, name_, rows_, cols_, stage_, placed_, doc_) \
  if (!strcmp(name, #name_)) return (int)offsetof(mjData, name_);
#include "data.def"
  return -1;
}

static __device__ __forceinline__ mjData* front_of(const ct_Environments* e, int i) {
  return (mjData*)(e->memory + (size_t)i * e->stride);
}

static __device__ __forceinline__ mjtNum* row_of(const ct_Environments* e, int i) {
  return e->state + (size_t)i * (size_t)e->nstate;
}

static __device__ __forceinline__ const mjModel* model_of(const ct_Environments* e, int i) {
  return (const mjModel*)(e->models.first + (size_t)i * e->models.stride);
}

static __device__ __forceinline__ int part_size(const ct_Environments* e, int component) {
  return e->component[component + 1] - e->component[component];
}

// Components of the state that have a name here.
enum { TIME = 0, QPOS = 1, QVEL = 2, ACT = 3, CTRL = 6, EQ_ACTIVE = 9, MOCAP_POS, MOCAP_QUAT };
static_assert(mjSTATE_TIME == 1 << TIME && mjSTATE_QPOS == 1 << QPOS && mjSTATE_QVEL == 1 << QVEL &&
                  mjSTATE_ACT == 1 << ACT && mjSTATE_CTRL == 1 << CTRL &&
                  mjSTATE_EQ_ACTIVE == 1 << EQ_ACTIVE && mjSTATE_MOCAP_POS == 1 << MOCAP_POS &&
                  mjSTATE_MOCAP_QUAT == 1 << MOCAP_QUAT,
              "the order of components in a row");

static __device__ void copy_numbers(mjtNum* to, const mjtNum* from, int n) {
  for (int k = (int)threadIdx.x % WARP; k < n; k += WARP) to[k] = from[k];
}

static __device__ void copy_words(char* to, const char* from, size_t bytes) {
  size_t lane = threadIdx.x % WARP;
  if ((((uintptr_t)to | (uintptr_t)from | bytes) & 15) == 0) {
    for (size_t k = lane; k < bytes / 16; k += WARP) ((int4*)to)[k] = ((const int4*)from)[k];
  } else if ((((uintptr_t)to | (uintptr_t)from | bytes) & 3) == 0) {
    for (size_t k = lane; k < bytes / 4; k += WARP) ((int*)to)[k] = ((const int*)from)[k];
  } else {
    for (size_t k = lane; k < bytes; k += WARP) to[k] = from[k];
  }
}

// The environment of this warp; -1: none.
static __device__ __forceinline__ int my_environment(int count) {
  int i = (int)(blockIdx.x * (BLOCK / WARP) + threadIdx.x / WARP);
  return i < count ? i : -1;
}

static __device__ __forceinline__ bool first_lane(void) {
  return threadIdx.x % WARP == 0;
}

// Founding

static __global__ void found_kernel(ct_Environments e, const ct_Link* links, int nlink) {
  int i = my_environment(e.count);
  if (i < 0) return;
  char* front = (char*)front_of(&e, i);
  copy_words(front, e.start, CT_FRONT);
  __syncwarp();
  for (int k = (int)threadIdx.x % WARP; k < nlink; k += WARP) {
    const ct_Link* link = links + k;
    char* base = link->region == CT_IN_BUFFER  ? front + e.buffer_at
                 : link->region == CT_IN_ARENA ? front + e.arena_at
                                               : (char*)row_of(&e, i);
    *(char**)(front + link->at) = base + link->offset;
  }
}

// Resetting

// What a model that varies says about the start, in place of the shared one.
static __device__ void start_from_model(const ct_Environments* e, int i, int key, bool keep_ctrl) {
  const mjModel* m = model_of(e, i);
  mjtNum* row = row_of(e, i);
  int lane = (int)threadIdx.x % WARP;
  if (key >= 0) {
    const int* at = e->component;
    if (lane == 0) row[at[TIME]] = m->key_time[key];
    copy_numbers(row + at[QPOS], m->key_qpos + key * m->nq, (int)m->nq);
    copy_numbers(row + at[QVEL], m->key_qvel + key * m->nv, (int)m->nv);
    copy_numbers(row + at[ACT], m->key_act + key * m->na, (int)m->na);
    if (!keep_ctrl) copy_numbers(row + at[CTRL], m->key_ctrl + key * m->nu, (int)m->nu);
    copy_numbers(row + at[MOCAP_POS], m->key_mpos + key * 3 * m->nmocap, (int)(3 * m->nmocap));
    copy_numbers(row + at[MOCAP_QUAT], m->key_mquat + key * 4 * m->nmocap, (int)(4 * m->nmocap));
  } else {
    copy_numbers(row + e->component[QPOS], m->qpos0, (int)m->nq);
    for (int b = lane; b < m->nbody; b += WARP) {
      int k = m->body_mocapid[b];
      for (int c = 0; k >= 0 && c < 3; c++) {
        row[e->component[MOCAP_POS] + 3 * k + c] = m->body_pos[3 * b + c];
      }
      for (int c = 0; k >= 0 && c < 4; c++) {
        row[e->component[MOCAP_QUAT] + 4 * k + c] = m->body_quat[4 * b + c];
      }
    }
  }
  for (int k = lane; k < m->neq; k += WARP) {
    row[e->component[EQ_ACTIVE] + k] = m->eq_active0[k];
  }
}

static __device__ void tally_memory(const ct_Environments* e, const mjData* d) {
  atomicMax(&e->counts->arena_used, (unsigned long long)d->maxuse_arena);
  atomicMax(&e->counts->most_contacts, d->maxuse_con);
  atomicMax(&e->counts->most_rows, d->maxuse_efc);
}

// Everything is as after mj_resetData or mj_resetDataKeyframe. keep_ctrl: but for ctrl.
static __device__ void reset_environment(const ct_Environments* e, int i, int key, bool keep_ctrl) {
  mjData* d = front_of(e, i);
  char* front = (char*)d;
  if (first_lane()) tally_memory(e, d);
  __syncwarp();
  int low = e->component[CTRL], high = keep_ctrl ? e->component[CTRL + 1] : low;
  mjtNum* row = row_of(e, i);
  const mjtNum* from = e->starts + (size_t)(key + 1) * (size_t)e->nstate;
  copy_words(front + e->buffer_at, e->start + e->buffer_at, e->nbuffer);
  for (int k = 0; k < e->nmember; k++) {
    copy_words(front + e->member[k].at, e->start + e->member[k].at, (size_t)e->member[k].bytes);
  }
  copy_numbers(row, from, low);
  copy_numbers(row + high, from + high, e->nstate - high);
  __syncwarp();
  if (e->models.stride) start_from_model(e, i, key, keep_ctrl);
  if (first_lane()) {
    ct_Private* p = ct_private(d);
    d->parena = 0;
    d->pstack = d->pbase = 0;
    p->status = 0;
    p->walk = 0;
    p->integration.room = NULL;
    e->status[i] = 0;
    e->reward[i] = 0;
    e->terminated[i] = e->truncated[i] = 0;
    e->steps[i] = 0;
  }
  __syncwarp();
}

// Components of one row from packed numbers.
static __device__ void take_components(const ct_Environments* e, int i, int state,
                                       const mjtNum* packed) {
  for (int c = 0; c < mjNSTATE; c++) {
    if (!(state & (1 << c))) continue;
    int size = part_size(e, c);
    copy_numbers(row_of(e, i) + e->component[c], packed, size);
    packed += size;
  }
}

static __global__ void start_kernel(ct_Environments e, ct_StateStart s) {
  int i = my_environment(e.count);
  if (i < 0 || (s.mask && !s.mask[i])) return;
  reset_environment(&e, i, s.keys ? s.keys[i] : s.key, false);
  if (!s.states) return;
  int size = 0;
  for (int c = 0; c < mjNSTATE; c++) size += s.state & (1 << c) ? part_size(&e, c) : 0;
  take_components(&e, i, s.state, s.states + (size_t)i * (size_t)size);
}

// A step

static __device__ __forceinline__ bool is_due(const ct_Environments* e, int i, int rule) {
  bool failed = (e->status[i] & CT_GRAVE) != 0;
  return ((rule & 1) && failed) || ((rule & 2) && (e->terminated[i] || e->truncated[i]));
}

// What an assignment to a byte makes of a number: host/state.c.
static __device__ __forceinline__ mjtByte byte_of(mjtNum x) {
  int whole = x > (mjtNum)-2147483649.0 && x < (mjtNum)2147483648.0 ? (int)x : 0;
  return (mjtByte)(whole & 255);
}

// What one thread does for an environment: the last of a beginning.
static __device__ void open_step(const ct_Environments* e, const ct_StepStart* s, int i, bool due) {
  mjData* d = front_of(e, i);
  d->time = row_of(e, i)[0];
  ct_private(d)->walk = 0;
  if (due) atomicAdd(&e->counts->resets, 1ull);
  if (s->forward) return;
  e->status[i] = 0;
  e->reward[i] = 0;
  e->terminated[i] = e->truncated[i] = 0;
}

// Nothing is brought in: a thread per environment, and a warp for those that are reset.
static __global__ void begin_alone_kernel(ct_Environments e, ct_StepStart s) {
  int i = (int)(blockIdx.x * blockDim.x + threadIdx.x), lane = (int)threadIdx.x % WARP;
  bool selected = i < e.count && (!s.mask || s.mask[i]);
  if (i < e.count) e.going[i] = selected;
  bool due = selected && !s.forward && is_due(&e, i, s.auto_reset);
  for (unsigned rest = __ballot_sync(~0u, due); rest; rest &= rest - 1) {
    reset_environment(&e, i - lane + __ffs((int)rest) - 1, s.reset_key, true);
  }
  if (selected) open_step(&e, &s, i, due);
}

static __global__ void begin_kernel(ct_Environments e, ct_StepStart s) {
  int i = my_environment(e.count);
  if (i < 0) return;
  bool selected = !s.mask || s.mask[i];
  if (first_lane()) e.going[i] = selected;
  if (!selected) return;
  if (s.control) {
    const char* from = s.control + (size_t)i * s.control_stride;
    take_components(&e, i, s.control_state, (const mjtNum*)from);
    __syncwarp();
  }
  bool due = !s.forward && is_due(&e, i, s.auto_reset);
  __syncwarp();
  if (due) reset_environment(&e, i, s.reset_key, true);
  mjData* d = front_of(&e, i);
  mjtNum* active = row_of(&e, i) + e.component[EQ_ACTIVE];
  int neq = part_size(&e, EQ_ACTIVE);
  for (int k = (int)threadIdx.x % WARP; k < neq; k += WARP) {
    d->eq_active[k] = byte_of(active[k]);
    active[k] = d->eq_active[k];
  }
  if (first_lane()) open_step(&e, &s, i, due);
}

// Adds how many threads of the warp say yes.
static __device__ void count_all(unsigned long long* sum, bool yes) {
  unsigned mask = __activemask();
  unsigned votes = __ballot_sync(mask, yes);
  if (votes && (int)threadIdx.x % WARP == __ffs((int)mask) - 1) {
    atomicAdd(sum, (unsigned long long)__popc(votes));
  }
}

// One thread per environment. A forward pass looks for bad accelerations only, and adds to a status
// whose bits have been counted.
static __global__ void finish_kernel(ct_Environments e, ct_StepEnd s) {
  int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
  bool here = i < e.count && e.going[i];
  int status = 0, known = 0;
  if (here) {
    const mjData* d = front_of(&e, i);
    int found = ct_private(d)->walk & CT_PUBLIC_STATUS;
    if (s.forward) {
      found &= ~CT_MASS_SINGULAR;
      known = e.status[i];
    }
    status = e.status[i] | found;
    e.status[i] = status;
    if (!s.forward) row_of(&e, i)[0] = d->time;
  }
  bool stopped = here && (status & CT_GRAVE), made = here && !s.forward && !stopped;
  bool over = here && (s.last || stopped);
  count_all(&e.counts->steps, made);
  for (int k = 0; k < CT_NSTATUS; k++) {
    count_all(&e.counts->raised[k], over && (status & ~known & (1 << k)));
  }
  if (stopped || (here && s.last)) e.going[i] = 0;
  if (made && s.last) {
    int steps = e.steps[i] < INT_MAX ? e.steps[i] + 1 : INT_MAX;
    e.steps[i] = steps;
    e.truncated[i] = s.max_steps > 0 && steps >= s.max_steps;
  }
}

// Fields

static __global__ void move_kernel(ct_RowMove v) {
  int i = my_environment(v.count);
  if (i < 0 || (v.mask && !v.mask[i])) return;
  copy_words(v.to + (size_t)i * v.to_stride, v.from + (size_t)i * v.from_stride, v.bytes);
}

static __global__ void bend_kernel(char* models, size_t offset, char* rows, size_t bytes,
                                   int count) {
  int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= count) return;
  *(char**)(models + (size_t)i * sizeof(mjModel) + offset) = rows + (size_t)i * bytes;
}

// All but what varies and the noise, which belongs to the place.
static __global__ void copy_kernel(ct_Environments e, int from, int to) {
  const char* a = (const char*)front_of(&e, from);
  char* b = (char*)front_of(&e, to);
  copy_words(b + e.buffer_at, a + e.buffer_at, e.nbuffer);
  for (int k = 0; k < e.nmember; k++) {
    copy_words(b + e.member[k].at, a + e.member[k].at, (size_t)e.member[k].bytes);
  }
  copy_numbers(row_of(&e, to), row_of(&e, from), e.nstate);
  __syncwarp();
  if (!first_lane()) return;
  mjData* d = (mjData*)b;
  d->parena = 0;  // contacts and rows stay where they were made
  d->ncon = d->ne = d->nf = d->nl = d->nefc = d->nJ = d->nA = d->nisland = d->nidof = 0;
  ct_private(d)->detail = ct_private((const mjData*)a)->detail;
  e.status[to] = e.status[from];
  e.reward[to] = e.reward[from];
  e.terminated[to] = e.terminated[from];
  e.truncated[to] = e.truncated[from];
  e.steps[to] = e.steps[from];
}

static __global__ void tally_kernel(ct_Environments e) {
  int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < e.count) tally_memory(&e, front_of(&e, i));
}

static __global__ void islands_kernel(ct_Environments e) {
  int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < e.count) ct_private(front_of(&e, i))->one_island = false;
}

// Noise: number k of an environment is the same as on the CPU (noise.c).

static __device__ mjtNum draw(const ct_DeviceNoise* v, int i, uint64_t counter) {
  ct_RandomBlock block = ct_random_block(v->seed, v->first + i, counter);
  if (v->noise == CT_NOISE_NORMAL) return (mjtNum)(v->low + v->high * ct_random_normal(block));
  return (mjtNum)(v->low + (v->high - v->low) * ct_random_uniform(block));
}

static __device__ mjtNum disturbed(mjtNum x, mjtNum drawn, int use) {
  return use == CT_NOISE_SET ? drawn : use == CT_NOISE_ADD ? x + drawn : x * drawn;
}

static __device__ void normalise(const ct_Environments* e, const ct_DeviceNoise* v, mjtNum* row) {
  const mjModel* m = model_of(e, 0);
  int lane = (int)threadIdx.x % WARP;
  for (int j = lane; v->state == mjSTATE_QPOS && j < m->njnt; j += WARP) {
    int type = m->jnt_type[j];
    if (type != mjJNT_FREE && type != mjJNT_BALL) continue;
    ct_normalize4(row + m->jnt_qposadr[j] + (type == mjJNT_FREE ? 3 : 0));
  }
  for (int k = lane; v->state == mjSTATE_MOCAP_QUAT && k < m->nmocap; k += WARP) {
    ct_normalize4(row + 4 * k);
  }
}

static __global__ void noise_kernel(ct_Environments e, ct_DeviceNoise v) {
  int i = my_environment(e.count);
  if (i < 0 || (v.mask && !v.mask[i])) return;
  char* row = v.rows + (size_t)i * v.stride;
  uint64_t drawn = (uint64_t)e.noise[i];
  for (int k = (int)threadIdx.x % WARP; k < v.size; k += WARP) {
    mjtNum x = draw(&v, i, drawn + (uint64_t)k);
    if (v.single) {
      float* at = (float*)row + k;
      *at = (float)disturbed((mjtNum)*at, x, v.use);
    } else {
      mjtNum* at = (mjtNum*)row + k;
      *at = disturbed(*at, x, v.use);
    }
  }
  __syncwarp();
  normalise(&e, &v, (mjtNum*)row);
  if (first_lane()) e.noise[i] = (mjtSize)(drawn + (uint64_t)v.size);
}

// Launches

static unsigned warps(int count) {
  return (unsigned)((count + BLOCK / WARP - 1) / (BLOCK / WARP));
}

static unsigned threads(int count) {
  return (unsigned)((count + BLOCK - 1) / BLOCK);
}

cudaError_t ct_found_environments(const ct_Environments* e, const ct_Link* links, int nlink,
                                  cudaStream_t stream) {
  found_kernel<<<warps(e->count), BLOCK, 0, stream>>>(*e, links, nlink);
  return cudaGetLastError();
}

cudaError_t ct_begin_step(const ct_Environments* e, const ct_StepStart* s, cudaStream_t stream) {
  if (s->control || e->component[EQ_ACTIVE + 1] > e->component[EQ_ACTIVE]) {
    begin_kernel<<<warps(e->count), BLOCK, 0, stream>>>(*e, *s);
  } else {
    begin_alone_kernel<<<threads(e->count), BLOCK, 0, stream>>>(*e, *s);
  }
  return cudaGetLastError();
}

cudaError_t ct_finish_step(const ct_Environments* e, const ct_StepEnd* s, cudaStream_t stream) {
  finish_kernel<<<threads(e->count), BLOCK, 0, stream>>>(*e, *s);
  return cudaGetLastError();
}

cudaError_t ct_start_environments(const ct_Environments* e, const ct_StateStart* s,
                                  cudaStream_t stream) {
  start_kernel<<<warps(e->count), BLOCK, 0, stream>>>(*e, *s);
  return cudaGetLastError();
}

cudaError_t ct_copy_environment(const ct_Environments* e, int from, int to, cudaStream_t stream) {
  copy_kernel<<<1, WARP, 0, stream>>>(*e, from, to);
  return cudaGetLastError();
}

cudaError_t ct_move_rows(const ct_RowMove* move, cudaStream_t stream) {
  move_kernel<<<warps(move->count), BLOCK, 0, stream>>>(*move);
  return cudaGetLastError();
}

cudaError_t ct_make_noise(const ct_Environments* e, const ct_DeviceNoise* noise,
                          cudaStream_t stream) {
  noise_kernel<<<warps(e->count), BLOCK, 0, stream>>>(*e, *noise);
  return cudaGetLastError();
}

cudaError_t ct_tally_environments(const ct_Environments* e, cudaStream_t stream) {
  tally_kernel<<<threads(e->count), BLOCK, 0, stream>>>(*e);
  return cudaGetLastError();
}

cudaError_t ct_expect_islands(const ct_Environments* e, cudaStream_t stream) {
  islands_kernel<<<threads(e->count), BLOCK, 0, stream>>>(*e);
  return cudaGetLastError();
}

cudaError_t ct_bend_pointers(char* models, size_t offset, char* rows, size_t bytes, int count,
                             cudaStream_t stream) {
  bend_kernel<<<threads(count), BLOCK, 0, stream>>>(models, offset, rows, bytes, count);
  return cudaGetLastError();
}
