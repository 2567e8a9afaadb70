// A step on a GPU is a few kernels, each a part: stages of engine/stages.def that follow one
// another. Which stage is in which part, what a kernel is told, and what a compiled kernel says
// about itself. For the host's C and for CUDA.
//
// A part is compiled several times. Kernels that are made for some models only (CT_ONLY_...,
// base/model/options.h) are one translation unit with the whole engine in it, so that they contain
// what they need and nothing else. One more kernel of every part takes all models; those are linked
// from the lane sources as they are.

#ifndef CT_BATCH_CUDA_PARTS_H_
#define CT_BATCH_CUDA_PARTS_H_

#include <assert.h>
#include <mujoco/mujoco.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/stages.h"

typedef enum ct_KernelPart_ {
  CT_KERNEL_POSITIONS,  // up to the factor of the mass matrix
  CT_KERNEL_COLLISION,  // and who wakes of it
  CT_KERNEL_ROWS,       // rows and islands
  CT_KERNEL_FORCES,     // transmission to the acceleration without constraints, energies
  CT_KERNEL_SOLVER,     // forces of constraints
  CT_KERNEL_SENSORS,    // of position, velocity and force
  CT_KERNEL_MOTION,     // from accelerations to the next state, or the next evaluation
  CT_KERNEL_REST,       // what hardly any model asks for
  CT_NKERNEL_PART,
} ct_KernelPart;

#ifdef __CUDACC__
#define CT_CONSTANT_FN __host__ __device__ constexpr static inline
#else
#define CT_CONSTANT_FN static inline
#endif

CT_CONSTANT_FN ct_KernelPart ct_part_of_stage(int stage) {
  switch (stage) {
#define STAGE(name_, function_, part_, applies_, timer_, kernel_) \
  case CT_STAGE_##name_:                                          \
    return CT_KERNEL_##kernel_;
#include "engine/stages.def"
    default:
      return CT_KERNEL_REST;
  }
}

// A set of stages is one word.
static_assert(CT_NSTAGE <= 64, "more stages than bits");
#define CT_STAGE_BIT(stage_) ((uint64_t)1 << (stage_))

// What a kernel is told beside the model.
typedef struct ct_PartLaunch_ {
  char* memory;          // of all environments; each begins with its front
  size_t stride;         // bytes from one to the next
  const mjtByte* going;  // (count) who takes part in this step
  const int* order;      // (count) which one comes when; NULL: one after the other
  uint64_t stages;       // those to run, as bits
  int count;
  int slot;   // bytes of shared memory of an environment: its front, then scratch
  int near;   // of these, bytes that are set apart (CT_NEAR)
  int slept;  // nonzero: only those in which trees have just fallen asleep
  // Not zero: only those with small islands, of at most so many dofs; or, negative, all but these.
  int islands;
} ct_PartLaunch;

// The models of all environments: one behind the other, or, with a stride of 0, the same.
typedef struct ct_EachModel_ {
  const char* first;
  size_t stride;
} ct_EachModel;

// Models that a kernel was made for; -1 and 0: all.
typedef struct ct_KernelNeeds_ {
  int solver, cone, integrator;
  int small;    // dense Jacobians and at most that many dofs
  int present;  // no delays and no history
  int awake;    // nothing sleeps
  int rigid;    // no flexes
  int shapes;   // bits of mjtGeom that collide
  int shared;   // no field varies
  int islands;  // states with islands of at most so many dofs; another kernel does the others
} ct_KernelNeeds;

typedef struct ct_PartKernel_ {
  const char* name;
  const void* function;  // takes an mjModel or a ct_EachModel (`by_value`), and a ct_PartLaunch
  ct_KernelPart part;
  int lanes, threads;  // of an environment, of a block
  int blocks;          // that a multiprocessor should have
  int scratch;         // bytes of shared memory behind the front that are worth it
  int by_value;        // the model itself is an argument
  int near;            // it has scratch of small problems set apart
  ct_KernelNeeds needs;
} ct_PartKernel;

#ifdef __cplusplus
extern "C" {
#endif

// All kernels, special ones first.
extern const ct_PartKernel* const ct_part_kernels[];
extern const int ct_npart_kernel;

#ifdef __cplusplus
}
#endif

#endif  // CT_BATCH_CUDA_PARTS_H_
