// Scratch of a lane function: taken from the stack of its data, seen by all lanes at the same
// address.
//
//   if (!lane_mark(g, d)) return CT_STACK_FULL;
//   mjtNum* row = lane_scratch_num(g, d, nv);
//   if (row) {
//     ...
//   }
//   lane_free(g, d);
//   return row ? CT_OK : CT_STACK_FULL;
//
// Without room the answer is false or NULL on all lanes. Every lane must make every call. Take
// scratch once per stage, not once per row: each call costs the group a meeting.

#ifndef CT_BASE_MEMORY_SCRATCH_H_
#define CT_BASE_MEMORY_SCRATCH_H_

#include "base/lanes.h"
#include "base/memory/arena.h"

// Remembers where the stack is.
LANE_FN static inline bool lane_mark(Lane g, mjData* d) {
  int good;
  LANE_ANSWER(good, g, ct_stack_mark(d, NULL));
  return good != 0;
}

// Gives back everything since the matching lane_mark.
LANE_FN static inline void lane_free(Lane g, mjData* d) {
  LANE_ALONE(g) {
    ct_stack_free(d);
  }
}

// That many bytes at a multiple of 64; none are taken for one, because NULL means that there is no
// room. All lanes find the address from where the stack ends.
LANE_FN static inline void* lane_scratch_bytes_(Lane g, mjData* d, size_t bytes) {
  int good;
  lane_sync(g);
  LANE_ANSWER(good, g, ct_stack_alloc(d, bytes ? bytes : 1, 64) != NULL);
  char* start = (char*)d->arena + (size_t)d->narena - d->pstack + CT_RED_ZONE;
  return good ? start : NULL;
}

// n numbers, not set. Rounded up to a multiple of four; the numbers behind the n are zero, so that
// wide loops may run over them.
LANE_FN static inline mjtNum* lane_scratch_num(Lane g, mjData* d, int n) {
  int padded = (n + 3) / 4 * 4;
  mjtNum* x = (mjtNum*)lane_scratch_bytes_(g, d, (size_t)padded * sizeof(mjtNum));
  LANE_ONCE(g) {
    for (int i = n; x && i < padded; i++) x[i] = 0;
  }
  lane_sync(g);
  return x;
}

// n integers, not set.
LANE_FN static inline int* lane_scratch_int(Lane g, mjData* d, int n) {
  return (int*)lane_scratch_bytes_(g, d, (size_t)n * sizeof(int));
}

#endif  // CT_BASE_MEMORY_SCRATCH_H_
