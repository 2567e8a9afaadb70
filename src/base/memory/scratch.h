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

#ifdef __CUDACC__

// On a GPU scratch lies in the multiprocessor's own memory as long as there is room
// (ct_Private.hot), then on the stack. Where the end of either is, every lane finds by itself, so
// that no lane waits for another's answer.
#define CT_HOT_ALIGN_ 16

LANE_FN static inline char* lane_take_hot_(Lane g, ct_Private* own, size_t bytes) {
  lane_sync(g);
  int used = own->hot_used, room = own->hot_room;
  lane_sync(g);
  if (bytes > (size_t)(room - used)) return NULL;
  LANE_ONCE(g) {
    own->hot_used = used + (int)((bytes + CT_HOT_ALIGN_ - 1) & ~(size_t)(CT_HOT_ALIGN_ - 1));
  }
  return own->hot + used;
}

LANE_FN static inline char* lane_take_stack_(Lane g, mjData* d, size_t bytes) {
  int good = 0;
  LANE_ONCE(g) {
    good = ct_stack_alloc(d, bytes, 64) != NULL;
  }
  lane_sync(g);
  char* start = (char*)d->arena + (size_t)d->narena - d->pstack;
  return lane_broadcast_int(g, good) ? start : NULL;
}

LANE_FN LANE_APART static void* lane_scratch_bytes_(Lane g, mjData* d, size_t bytes) {
  char* hot = lane_take_hot_(g, ct_private(d), bytes ? bytes : 1);
  return hot ? hot : lane_take_stack_(g, d, bytes ? bytes : 1);
}

#ifdef CT_NEAR
// A kernel may have some of that memory set apart. It is reached from where the memory of a block
// begins, so that the compiler knows what it is and takes shorter instructions.
LANE_FN static inline char* lane_near_scratch(const mjData* d) {
  extern __shared__ __align__(16) char block_memory[];
  return block_memory + ct_private(d)->near_at;
}
#endif

// Remembers where the stack is, and in `owner` how much fast memory is taken.
LANE_FN static inline bool lane_mark(Lane g, mjData* d) {
  lane_sync(g);
  size_t pstack = d->pstack;
  int used = ct_private(d)->hot_used;
  ct_StackFrame* frame = (ct_StackFrame*)lane_scratch_bytes_(g, d, sizeof(ct_StackFrame));
  if (!frame) return false;
  LANE_ONCE(g) {
    frame->pstack = pstack;
    frame->pbase = d->pbase;
    frame->owner = (const void*)(uintptr_t)used;
    d->pbase = (size_t)(uintptr_t)frame;
  }
  lane_sync(g);
  return true;
}

// Gives back everything since the matching lane_mark.
LANE_FN static inline void lane_free(Lane g, mjData* d) {
  lane_sync(g);
  LANE_ONCE(g) {
    ct_private(d)->hot_used = (int)(uintptr_t)((const ct_StackFrame*)(uintptr_t)d->pbase)->owner;
    ct_stack_free(d);
  }
  lane_sync(g);
}

#else

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

#endif

// n numbers, not set. Rounded up to a multiple of four; the numbers behind the n are zero, so that
// wide loops may run over them.
LANE_FN static inline mjtNum* lane_scratch_num(Lane g, mjData* d, int n) {
  int padded = (n + 3) / 4 * 4;
  mjtNum* x = (mjtNum*)lane_scratch_bytes_(g, d, (size_t)padded * sizeof(mjtNum));
  LANE_ONCE(g) {
    for (int i = n; x && i < padded; i++) x[i] = lane_num(0);
  }
  lane_sync(g);
  return x;
}

// n integers, not set.
LANE_FN static inline int* lane_scratch_int(Lane g, mjData* d, int n) {
  return (int*)lane_scratch_bytes_(g, d, (size_t)n * sizeof(int));
}

#endif  // CT_BASE_MEMORY_SCRATCH_H_
