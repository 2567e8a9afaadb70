// All of an mjData put aside, so that functions which try other states can leave no trace: the
// struct, the private block, the buffer and the used part of the arena. What lies on the stack
// stays there.

#ifndef CT_DERIVE_KEEP_H_
#define CT_DERIVE_KEEP_H_

#include <stdbool.h>

#include <mujoco/mujoco.h>

#include "base/private.h"

typedef struct ct_Kept_ {
  mjData fields;  // of the statistics of solvers only what steps can write
  ct_Private own;
  char* block;              // buffer, then arena
  size_t before, left_out;  // bytes of the buffer before those that are not in the block, and these
  bool lent;                // block is on the stack of the data
} ct_Kept;

// Memory from the stack of the data if that has plenty of room, which goes back with the next mark
// or with ct_put_back_data; otherwise from the heap. NULL without memory, which has been reported.
void* ct_borrow(mjData* d, size_t bytes, bool* lent);

// lend: borrows the block; callers that make whole steps, which may reset the data and its stack,
// take it from the heap. False without memory, which has been reported.
bool ct_keep_data(ct_Kept* kept, const mjModel* m, mjData* d, bool lend);

// Everything as it was, bit for bit. Handles that plugins own stay as they are.
void ct_load_kept(const ct_Kept* kept, const mjModel* m, mjData* d);

// The same, and gives the block back.
void ct_put_back_data(ct_Kept* kept, const mjModel* m, mjData* d);

#endif  // CT_DERIVE_KEEP_H_
