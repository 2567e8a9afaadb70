// Analytic derivatives of a step for all environments of a batch on a GPU, and products with them.
// Scratch for as many environments as fit into half of the free memory is taken for the time of the
// call; the others follow. What lies on the host is brought to the device and back.

#include "batch/cuda/slope_launch.h"

#include "batch/cuda/cuda_batch.h"
#include "derive/step_work.h"

enum { MOST_LENT = 13 };

typedef struct {  // memory of the host that the device works on, or memory of the device alone
  void* device;
  void* host;  // NULL: none
  size_t bytes;
  bool back;
} Lent;

typedef struct {
  ct_GpuBatch* b;
  Lent lent[MOST_LENT];
  int nlent;
  char* scratch;
  cudaError_t code;
} Work;

// Also what is only written comes along, so that rows which are left out stay as they are.
static void* lend(Work* w, const void* host, size_t bytes, bool back) {
  if (!host || !bytes || w->code != cudaSuccess) return NULL;
  if (ct_is_device_memory(host)) return (void*)(uintptr_t)host;
  Lent* l = w->lent + w->nlent;
  w->code = cudaMalloc(&l->device, bytes);
  if (w->code != cudaSuccess) return NULL;
  w->nlent++;
  l->host = (void*)(uintptr_t)host;
  l->bytes = bytes;
  l->back = back;
  w->code = cudaMemcpyAsync(l->device, host, bytes, cudaMemcpyHostToDevice, w->b->stream);
  return l->device;
}

static void lend_rows(Work* w, const ct_BatchSlopes* ask, ct_SlopeLaunch* l) {
  const mjModel* m = w->b->m;
  size_t row = (size_t)w->b->n * sizeof(mjtNum), n = (size_t)(2 * m->nv + m->na);
  size_t nu = (size_t)m->nu, ns = (size_t)m->nsensordata;
  const ct_DerivativeProduct* p = &ask->product;
  l->out.A = (mjtNum*)lend(w, ask->out.A, row * n * n, true);
  l->out.B = (mjtNum*)lend(w, ask->out.B, row * n * nu, true);
  l->out.C = (mjtNum*)lend(w, ask->out.C, row * ns * n, true);
  l->out.D = (mjtNum*)lend(w, ask->out.D, row * ns * nu, true);
  l->product.dx = (const mjtNum*)lend(w, p->dx, row * n, false);
  l->product.du = (const mjtNum*)lend(w, p->du, row * nu, false);
  l->product.dy = (mjtNum*)lend(w, p->dy, row * n, true);
  l->product.by_y = (const mjtNum*)lend(w, p->by_y, row * n, false);
  l->product.by_x = (mjtNum*)lend(w, p->by_x, row * n, true);
  l->product.by_u = (mjtNum*)lend(w, p->by_u, row * nu, true);
  l->status = (int*)lend(w, ask->status, (size_t)w->b->n * sizeof(int), true);
  l->reasons = (int*)lend(w, ask->reasons, (size_t)w->b->n * sizeof(int), true);
  l->worst = (mjtNum*)lend(w, ask->worst, row, true);
}

// Bytes of scratch of an environment with so many rows: what ct_step_slopes asks for, and some for
// the records of what it takes and for pairs of shapes that are nudged.
static size_t scratch_of(const mjModel* m, int rows) {
  size_t numbers = ct_step_work_numbers(m, rows, (size_t)ct_slope_width(m));
  size_t bytes = numbers * sizeof(mjtNum) + ct_step_work_ints(m, rows) * sizeof(int) + 16384;
  return (bytes + 255) / 256 * 256;
}

static void launch_all(Work* w, ct_SlopeLaunch* l) {
  size_t free_bytes = 0, total, chunk;
  if (w->code == cudaSuccess) w->code = cudaMemGetInfo(&free_bytes, &total);
  if (w->code != cudaSuccess) return;
  chunk = free_bytes / 2 / l->room;
  if (chunk < 1) chunk = 1;
  if (chunk > (size_t)w->b->n) chunk = (size_t)w->b->n;
  w->code = cudaMalloc((void**)&w->scratch, chunk * l->room);
  l->scratch = w->scratch;
  for (l->first = 0; l->first < w->b->n && w->code == cudaSuccess; l->first += (int)chunk) {
    int left = w->b->n - l->first;
    l->count = left < (int)chunk ? left : (int)chunk;
    w->code = ct_launch_slopes(l, w->b->stream);
  }
}

static void finish(Work* w) {
  for (int i = 0; i < w->nlent; i++) {
    Lent* l = w->lent + i;
    if (!l->back || w->code != cudaSuccess) continue;
    w->code = cudaMemcpyAsync(l->host, l->device, l->bytes, cudaMemcpyDeviceToHost, w->b->stream);
  }
  cudaError_t code = cudaStreamSynchronize(w->b->stream);
  if (w->code == cudaSuccess) w->code = code;
  for (int i = 0; i < w->nlent; i++) cudaFree(w->lent[i].device);
  cudaFree(w->scratch);
}

int ct_cuda_derive(void* self, const ct_BatchSlopes* ask) {
  ct_GpuBatch* b = (ct_GpuBatch*)self;
  ct_BatchCounts counts;
  Work w = {.b = b};
  ct_SlopeLaunch l = {.memory = b->e.memory,
                      .stride = b->e.stride,
                      .models = b->e.models,
                      .smoothing = ask->smoothing};
  int code = CT_BATCH_OK;
  cudaSetDevice(b->device);
  if (!ask->evaluated) {
    ct_BatchRun run = {.mask = ask->mask, .stage = mjSTAGE_ACC};
    code = ct_cuda_run(b, &run);
  }
  if (!code) code = ct_device_mask(b, ask->mask, &l.mask);
  if (!code) code = ct_cuda_counts(b, &counts);
  if (code) return code;
  l.room = scratch_of(b->m, counts.most_rows);
  lend_rows(&w, ask, &l);
  launch_all(&w, &l);
  finish(&w);
  return ct_cuda_result(b, w.code, "derivatives");
}
