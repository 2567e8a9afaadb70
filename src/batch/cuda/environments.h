// Environments in device memory, and the kernels that do what is not part of a step: they begin and
// finish one, reset, move fields. For the host's C and for CUDA.
//
// An environment is a piece of memory: its front, its arrays, its arena. Arrays that belong to the
// state are not there but in one row of a table, in the order of mjtState, so that users see all
// states as one matrix. Two components of the state are no arrays of numbers in mjData, the time
// and eq_active: they are brought from the row when a step begins, and back.

#ifndef CT_BATCH_CUDA_ENVIRONMENTS_H_
#define CT_BATCH_CUDA_ENVIRONMENTS_H_

#include <corten/status.h>
#include <mujoco/mujoco.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cuda_runtime_api.h>

#include "batch/cuda/parts.h"

typedef struct ct_DeviceCounts_ {
  unsigned long long steps, resets, raised[CT_NSTATUS], arena_used;
  int most_contacts, most_rows;
} ct_DeviceCounts;

typedef struct ct_Span_ {  // bytes of a front
  int at, bytes;
} ct_Span;

typedef enum ct_Region_ { CT_IN_BUFFER, CT_IN_ARENA, CT_IN_STATE } ct_Region;

typedef struct ct_Link_ {  // an address in a front
  int at;
  ct_Region region;
  size_t offset;  // where in the region it leads
} ct_Link;

typedef struct ct_Environments_ {  // all addresses are the device's
  char* memory;
  size_t stride, buffer_at, arena_at, nbuffer;
  int count;

  mjtNum* state;  // (count x nstate)
  int nstate, component[mjNSTATE + 1];

  int* status;
  mjtNum* reward;
  mjtByte *terminated, *truncated;
  int* steps;
  mjtSize* noise;
  mjtByte* going;  // takes part in the step that is on its way

  const char* start;     // front and arrays after a reset
  const mjtNum* starts;  // (1 + nkey) rows of state: the default, the keyframes
  const ct_Span* member;
  int nmember;  // members of the front that a reset sets
  ct_EachModel models;
  ct_DeviceCounts* counts;
} ct_Environments;

typedef struct ct_StepStart_ {
  const mjtByte* mask;
  const char* control;  // row i starts control_stride bytes after row i - 1; NULL: none
  size_t control_stride;
  int control_state;
  int forward;  // nonzero: no step, so that nothing of the outcome begins anew
  int auto_reset, reset_key;
} ct_StepStart;

typedef struct ct_StepEnd_ {
  int last;  // of the substeps
  int forward;
  int max_steps;
} ct_StepEnd;

typedef struct ct_StateStart_ {
  const mjtByte* mask;
  int key;
  const int* keys;
  int state;
  const mjtNum* states;
} ct_StateStart;

typedef struct ct_RowMove_ {  // rows of bytes from one matrix to another
  char* to;
  size_t to_stride;
  const char* from;
  size_t from_stride;  // 0: all get the same
  size_t bytes;
  int count;
  const mjtByte* mask;
} ct_RowMove;

typedef struct ct_DeviceNoise_ {
  char* rows;
  size_t stride;
  int size;
  int single;  // nonzero: the rows are float, whatever mjtNum is
  int noise, use;
  mjtNum low, high;
  uint64_t seed;
  int first;  // environment of a larger batch that the first one here is
  const mjtByte* mask;
  int state;  // component of the state that it is; 0: none. Quaternions are normalised.
} ct_DeviceNoise;

#ifdef __cplusplus
extern "C" {
#endif

// The front as the device has it: bytes, where the private block is, where a member is (-1: it has
// none of that name).
int ct_front_bytes(void);
int ct_front_private(void);
int ct_front_member(const char* name);

// All are queued on the stream.
cudaError_t ct_found_environments(const ct_Environments* e, const ct_Link* links, int nlink,
                                  cudaStream_t stream);
cudaError_t ct_begin_step(const ct_Environments* e, const ct_StepStart* start, cudaStream_t stream);
cudaError_t ct_finish_step(const ct_Environments* e, const ct_StepEnd* end, cudaStream_t stream);
cudaError_t ct_start_environments(const ct_Environments* e, const ct_StateStart* start,
                                  cudaStream_t stream);
cudaError_t ct_copy_environment(const ct_Environments* e, int from, int to, cudaStream_t stream);
cudaError_t ct_move_rows(const ct_RowMove* move, cudaStream_t stream);
cudaError_t ct_make_noise(const ct_Environments* e, const ct_DeviceNoise* noise,
                          cudaStream_t stream);
cudaError_t ct_tally_environments(const ct_Environments* e, cudaStream_t stream);
// No environment counts on one island any more.
cudaError_t ct_expect_islands(const ct_Environments* e, cudaStream_t stream);
// Points the array at `offset` of each model to its row.
cudaError_t ct_bend_pointers(char* models, size_t offset, char* rows, size_t bytes, int count,
                             cudaStream_t stream);

#ifdef __cplusplus
}
#endif

#endif  // CT_BATCH_CUDA_ENVIRONMENTS_H_
