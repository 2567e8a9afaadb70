// Analytic derivatives of a step for all environments, the lane code of src/derive as it is.
//
// An environment's front is brought into shared memory, and is not brought back: what a derivative
// changes in it is scratch. That is in memory of its own, because it is many times what a step
// needs, and is taken through the front like any other.

#include "base/private.h"
#include "batch/cuda/front.h"
#include "batch/cuda/slope_launch.h"
#include "derive/step_slopes.h"

// Row i of a matrix with so many numbers in a row.
template <typename Number>
static __device__ __forceinline__ Number* row(Number* x, int i, size_t numbers) {
  return x ? x + (size_t)i * numbers : nullptr;
}

static __device__ void derive(Lane g, const mjModel* m, mjData* d, const ct_SlopeLaunch* l, int i) {
  size_t n = (size_t)(2 * m->nv + m->na), nu = (size_t)m->nu, ns = (size_t)m->nsensordata;
  const ct_DerivativeProduct* p = &l->product;
  ct_DerivativeProduct product = {row(p->dx, i, n),   row(p->du, i, nu),  row(p->dy, i, n),
                                  row(p->by_y, i, n), row(p->by_x, i, n), row(p->by_u, i, nu)};
  ct_SlopeTarget to;
  memset(&to, 0, sizeof(to));
  to.A = row(l->out.A, i, n * n);
  to.B = row(l->out.B, i, n * nu);
  to.C = row(l->out.C, i, ns * n);
  to.D = row(l->out.D, i, ns * nu);
  to.smoothing = l->smoothing;
  if (p->dy || p->by_y) to.product = &product;
  int status = ct_step_slopes(g, m, d, &to);
  lane_sync(g);
  LANE_ONCE(g) {
    l->status[i] = status;
    l->reasons[i] = (int)to.reasons;
    l->worst[i] = to.worst;
  }
}

static __global__ void __launch_bounds__(CT_THREADS)
    slope_kernel(const __grid_constant__ ct_SlopeLaunch l) {
  extern __shared__ __align__(16) char shared[];
  Lane g = lane_of_thread(CT_LANE_COUNT);
  int place = (int)threadIdx.x / CT_LANE_COUNT;
  int k = (int)blockIdx.x * (CT_THREADS / CT_LANE_COUNT) + place, i = l.first + k;
  if (k >= l.count || (l.mask && !l.mask[i])) return;
  const int4* home = (const int4*)(l.memory + (size_t)i * l.stride);
  char* here = shared + place * CT_FRONT;
  LANE_FOR(q, g, CT_FRONT / 16) {
    ((int4*)here)[q] = home[q];
  }
  lane_sync(g);
  mjData* d = (mjData*)here;
  int pass = ct_private(d)->walk;
  if (pass & CT_GRAVE) {  // the forward pass did not come to its end
    LANE_ONCE(g) {
      l.status[i] = pass;
    }
    return;
  }
  LANE_ONCE(g) {
    ct_Private* p = ct_private(d);
    p->hot = l.scratch + (size_t)k * l.room;
    p->hot_room = (int)l.room;
    p->hot_used = 0;
  }
  lane_sync(g);
  derive(g, (const mjModel*)(l.models.first + (size_t)i * l.models.stride), d, &l, i);
}

extern "C" cudaError_t ct_launch_slopes(const ct_SlopeLaunch* launch, cudaStream_t stream) {
  int in_block = CT_THREADS / CT_LANE_COUNT, blocks = (launch->count + in_block - 1) / in_block;
  if (blocks == 0) return cudaSuccess;
  slope_kernel<<<blocks, CT_THREADS, (size_t)(in_block * CT_FRONT), stream>>>(*launch);
  return cudaGetLastError();
}
