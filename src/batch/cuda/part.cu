// One part of a step as a kernel (parts.h), compiled with nvcc -include layout.h and
//
//   CT_PART, CT_KERNEL_NAME             which one; without: all parts, to be linked with lane code
//   CT_LANE_COUNT, CT_THREADS, CT_BLOCKS  lanes, threads per block, blocks per multiprocessor
//   CT_ONLY_..., CT_SMALL               models that it is made for
//   CT_VARIED                           environments have models of their own
//   CT_SCRATCH                          bytes of shared memory for scratch
//   CT_NEAR                             and some for what small problems always need
//
// An environment's front (its mjData and private block) is brought into shared memory, since every
// array is reached through it, and scratch follows it there. Arrays stay where they are.

#ifdef CT_PART
#include "batch/cuda/engine.h"
#endif

#include "base/private.h"
#include "batch/cuda/front.h"
#include "batch/cuda/parts.h"
#include "engine/stage_headers.h"

// Stages whose bit is set, up to the first that fails; then what puts the state back.
template <int part>
static __device__ __forceinline__ void run_stages(Lane g, const mjModel* m, mjData* d,
                                                  uint64_t stages) {
  constexpr uint64_t start = CT_STAGE_BIT(CT_STAGE_check_state);
  int status = stages & start ? 0 : ct_private(d)->walk;
#define STAGE(name_, function_, part_, applies_, timer_, kernel_)                              \
  if constexpr (ct_part_of_stage(CT_STAGE_##name_) == part) {                                  \
    bool after_failure = CT_STAGE_##name_ == CT_STAGE_undo_integration;                        \
    if ((stages & CT_STAGE_BIT(CT_STAGE_##name_)) &&                                           \
        ((status & CT_GRAVE) != 0) == after_failure && CT_STAGE_APPLIES(part_, applies_, m)) { \
      status |= function_(g, m, d);                                                            \
    }                                                                                          \
  }
#include "engine/stages.def"
  lane_sync(g);
  LANE_ONCE(g) {
    ct_private(d)->walk = status;
  }
}

// Does the environment at home take part in this launch?
static __device__ __forceinline__ bool takes_part(const ct_PartLaunch* l, int i) {
  if (!l->going[i]) return false;
  const ct_Private* p = ct_private((const mjData*)(l->memory + (size_t)i * l->stride));
  if (l->slept && !p->integration.slept) return false;
  if (l->islands) {
    const mjData* d = (const mjData*)(l->memory + (size_t)i * l->stride);
    bool small = ct_islands_are_small(d, l->islands < 0 ? -l->islands : l->islands);
    if (small != (l->islands > 0)) return false;
  }
  constexpr uint64_t anyway =
      CT_STAGE_BIT(CT_STAGE_check_state) | CT_STAGE_BIT(CT_STAGE_undo_integration);
  return (l->stages & anyway) || !(p->walk & CT_GRAVE);
}

// Does the part leave all arrays where they are? Contacts, rows and islands get places, and what
// dual solvers work on.
template <int part>
static __device__ __forceinline__ bool keeps_addresses(const mjModel* m) {
  bool projects = ct_solver(m) == mjSOL_PGS || ct_noslip_iterations(m) > 0;
  if (part == CT_KERNEL_FORCES || part == CT_KERNEL_SOLVER) return !projects;
  return part == CT_KERNEL_POSITIONS || part == CT_KERNEL_MOTION;
}

// Where addresses stand in a front, in units of 16 bytes that have nothing else in them.
enum {
  CT_FIRST_ADDRESS = (offsetof(mjData, buffer) + 15) / 16,
  CT_END_OF_ADDRESSES = offsetof(mjData, threadpool) / 16,
};

template <int part>
static __device__ __forceinline__ void run_part(const mjModel* m, const ct_PartLaunch* l, int i,
                                                int place, char* shared) {
  Lane g = lane_of_thread(CT_LANE_COUNT);
  int4* home = (int4*)(l->memory + (size_t)i * l->stride);
  char* here = shared + place * l->slot;
  LANE_FOR(k, g, CT_FRONT / 16) {
    ((int4*)here)[k] = home[k];
  }
  lane_sync(g);
  mjData* d = (mjData*)here;
  LANE_ONCE(g) {
    ct_Private* p = ct_private(d);
    p->hot = here + CT_FRONT + l->near;
    p->hot_room = l->slot - CT_FRONT - l->near;
    p->hot_used = 0;
    p->near_at = place * l->slot + CT_FRONT;
  }
  lane_sync(g);
  run_stages<part>(g, m, d, l->stages);
  lane_sync(g);
  // what kept its address need not go back
  int gap = keeps_addresses<part>(m) ? CT_END_OF_ADDRESSES - CT_FIRST_ADDRESS : 0;
  LANE_FOR(k, g, CT_FRONT / 16 - gap) {
    int at = k < CT_FIRST_ADDRESS ? k : k + gap;
    home[at] = ((int4*)here)[at];
  }
}

#if defined(CT_PART) && !defined(CT_VARIED)
#define BY_VALUE 1
#define MODEL const __grid_constant__ mjModel
#define ADDRESS(m_, i_) (&m_)
#else
#define BY_VALUE 0
#define MODEL const ct_EachModel
#define ADDRESS(m_, i_) ((const mjModel*)((m_).first + (size_t)(i_) * (m_).stride))
#endif

template <int part>
static __global__ void __launch_bounds__(CT_THREADS, CT_BLOCKS)
    part_kernel(MODEL m, const __grid_constant__ ct_PartLaunch l) {
  extern __shared__ __align__(16) char shared[];
  int place = (int)threadIdx.x / CT_LANE_COUNT;
  int i = (int)blockIdx.x * (CT_THREADS / CT_LANE_COUNT) + place;
  if (i >= l.count) return;
  if (l.order) i = l.order[i];
  if (!takes_part(&l, i)) return;
  run_part<part>(ADDRESS(m, i), &l, i, place, shared);
}

// What was given on the command line.
#ifdef CT_ONLY_SOLVER
#define NEEDS_SOLVER CT_ONLY_SOLVER
#else
#define NEEDS_SOLVER -1
#endif
#ifdef CT_ONLY_CONE
#define NEEDS_CONE CT_ONLY_CONE
#else
#define NEEDS_CONE -1
#endif
#ifdef CT_ONLY_INTEGRATOR
#define NEEDS_INTEGRATOR CT_ONLY_INTEGRATOR
#else
#define NEEDS_INTEGRATOR -1
#endif
#ifdef CT_ONLY_DENSE
#define NEEDS_SMALL CT_SMALL
#else
#define NEEDS_SMALL 0
#endif
#ifdef CT_ONLY_PRESENT
#define NEEDS_PRESENT 1
#else
#define NEEDS_PRESENT 0
#endif
#ifdef CT_ONLY_AWAKE
#define NEEDS_AWAKE 1
#else
#define NEEDS_AWAKE 0
#endif
#ifdef CT_ONLY_RIGID
#define NEEDS_RIGID 1
#else
#define NEEDS_RIGID 0
#endif
#ifdef CT_ONLY_SHAPES
#define NEEDS_SHAPES CT_ONLY_SHAPES
#else
#define NEEDS_SHAPES 0
#endif

#ifdef CT_ONLY_ISLANDS
#define NEEDS_ISLANDS CT_SMALL
#else
#define NEEDS_ISLANDS 0
#endif

#ifdef CT_NEAR
#define HAS_NEAR 1
#else
#define HAS_NEAR 0
#endif

#define DESCRIPTION(part_, name_)                                                          \
  {                                                                                        \
    name_, (const void*)part_kernel<part_>, part_, CT_LANE_COUNT, CT_THREADS, CT_BLOCKS,   \
        CT_SCRATCH, BY_VALUE, HAS_NEAR, {                                                  \
      NEEDS_SOLVER, NEEDS_CONE, NEEDS_INTEGRATOR, NEEDS_SMALL, NEEDS_PRESENT, NEEDS_AWAKE, \
          NEEDS_RIGID, NEEDS_SHAPES, BY_VALUE, NEEDS_ISLANDS                               \
    }                                                                                      \
  }

#ifdef CT_PART
#define TEXT_(x_) #x_
#define TEXT(x_) TEXT_(x_)
extern "C" const ct_PartKernel CT_KERNEL_NAME = DESCRIPTION(CT_PART, TEXT(CT_KERNEL_NAME));
#else
extern "C" const ct_PartKernel ct_general_kernels[CT_NKERNEL_PART] = {
    DESCRIPTION(CT_KERNEL_POSITIONS, "positions"), DESCRIPTION(CT_KERNEL_COLLISION, "collision"),
    DESCRIPTION(CT_KERNEL_ROWS, "rows"),           DESCRIPTION(CT_KERNEL_FORCES, "forces"),
    DESCRIPTION(CT_KERNEL_SOLVER, "solver"),       DESCRIPTION(CT_KERNEL_SENSORS, "sensors"),
    DESCRIPTION(CT_KERNEL_MOTION, "motion"),       DESCRIPTION(CT_KERNEL_REST, "rest"),
};
#endif
