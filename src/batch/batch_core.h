// What the public functions of a batch share: the struct, its lock, and messages.

#ifndef CT_BATCH_BATCH_CORE_H_
#define CT_BATCH_BATCH_CORE_H_

#include <pthread.h>

#include "batch/backend.h"
#include "batch/batch_fields.h"
#include "batch/team.h"

struct ct_Batch_ {
  const ct_Backend* backend;
  void* self;           // the backend's
  ct_BatchSetup setup;  // its model is the batch's
  mjModel* model;
  int which;       // ct_BatchBackend
  bool dead;       // the device failed
  char** applied;  // (count) what went wrong in functions that were applied on the host; or NULL
  pthread_mutex_t lock;
};

// Keeps a message for ct_batch_error on this thread and returns the code.
int ct_batch_refuse(int code, const char* format, ...) mjPRINTFLIKE(2, 3);

// Every public function that uses a backend stands between these two. `enter` takes the lock, or
// returns a code: no batch, a dead one, or a call from a function that the same batch is running.
// `leave` gives the lock back, takes the backend's message over and returns the code.
int ct_enter_batch(ct_Batch* b, ct_AtWork* entry, const char* function);
int ct_leave_batch(ct_Batch* b, const ct_AtWork* entry, int code);

// A field by name; otherwise the message is kept and the code returned.
int ct_need_field(const ct_Batch* b, const char* name, ct_BatchField* field);

// Bits within mjSTATE_INTEGRATION and at least one?
int ct_need_state(int state);

// The backend that serves GPUs in a precision (ct_BatchPrecision); NULL with the reason.
const ct_Backend* ct_open_cuda_backend(int precision, char* error, size_t nerror);

// Does the backend derive by itself? And what it finds for those of the mask, which may be the
// device's; chosen (n) receives who that is and becomes the mask of the slopes.
bool ct_batch_derives(const ct_Batch* b);
int ct_batch_ask_slopes(ct_Batch* b, const mjtByte* mask, mjtByte* chosen, ct_BatchSlopes* slopes);

// Bytes of arena in which all environments flagged with CT_ARENA_FULL make their step; 0: none is
// flagged, or no arena is large enough. The lock must be held.
mjtSize ct_needed_arena(ct_Batch* b, const int* status);

// Draws number `counter` of an environment. See noise.c.
mjtNum ct_draw(uint64_t seed, int environment, uint64_t counter, int noise, mjtNum low,
               mjtNum high);

#endif  // CT_BATCH_BATCH_CORE_H_
