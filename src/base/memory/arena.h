// The arena of an mjData: narena bytes that two users share.
//
//   |  arena: grows up from 0 to parena  |   free   |  stack: grows down, pstack bytes used  |
//
// The arena holds what one step makes and the next throws away: contacts, then constraint rows. The
// stack holds scratch between a mark and the matching free. A mark pushes a frame record that
// remembers where the stack and the previous frame were; pbase is the address of the newest record,
// 0 without one.
//
// Under the address sanitizer everything that has not been handed out is poisoned, allocations have
// red zones around them, and a mark must be freed by the function that made it. Offsets then differ
// from those of other builds.
//
// What stands here never prints or stops: without room it returns NULL. Stages turn that into their
// status (base/failure.h), the public functions (src/base/memory/stack.c) into an error.

#ifndef CT_BASE_MEMORY_ARENA_H_
#define CT_BASE_MEMORY_ARENA_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <mujoco/mujoco.h>

#include "base/private.h"

#if defined(CT_ASAN) && !defined(__CUDACC__)
#include <sanitizer/asan_interface.h>
#define CT_POISON(from_, bytes_) __asan_poison_memory_region(from_, bytes_)
#define CT_UNPOISON(from_, bytes_) __asan_unpoison_memory_region(from_, bytes_)
#define CT_RED_ZONE \
  64  // bytes on either side of an allocation; a multiple of every alignment we use
#else
#define CT_POISON(from_, bytes_) ((void)0)
#define CT_UNPOISON(from_, bytes_) ((void)0)
#define CT_RED_ZONE 0
#endif

typedef struct ct_StackFrame_ {  // what a mark pushes: 24 bytes, as in the reference
  size_t pstack;                 // before the mark
  size_t pbase;
  const void* owner;  // who marked; only looked at under the address sanitizer
} ct_StackFrame;

// Bytes that neither of the two uses.
LANE_INLINE size_t ct_arena_free_bytes(const mjData* d) {
  size_t used = d->pstack + d->parena;
  return used < (size_t)d->narena ? (size_t)d->narena - used : 0;
}

LANE_INLINE void ct_arena_high_water(mjData* d) {
  if ((mjtSize)d->pstack > d->maxuse_stack) d->maxuse_stack = (mjtSize)d->pstack;
  mjtSize both = (mjtSize)(d->pstack + d->parena);
  if (both > d->maxuse_arena) d->maxuse_arena = both;
}

// Scratch of that many bytes, aligned (a power of two); NULL for 0 bytes or without room.
LANE_INLINE void* ct_stack_alloc(mjData* d, size_t bytes, size_t alignment) {
  if (bytes == 0) return NULL;
#if CT_RED_ZONE
  if (bytes + 2 * CT_RED_ZONE > ct_arena_free_bytes(d)) return NULL;
#endif
  if (bytes > (size_t)d->narena) return NULL;

  // down by the size, then down to the alignment
  intptr_t bottom = (intptr_t)d->arena, end = bottom + (intptr_t)d->narena;
  intptr_t start = (end - (intptr_t)(d->pstack + bytes + CT_RED_ZONE)) & -(intptr_t)alignment;
  if (start < bottom + (intptr_t)d->parena + CT_RED_ZONE) return NULL;
  d->pstack = (size_t)(end - start) + CT_RED_ZONE;
  ct_arena_high_water(d);
  CT_UNPOISON((void*)start, bytes);
  return (void*)start;
}

// Remembers where the stack is; false without room for the record. owner tells marks apart under
// the address sanitizer: the caller's return address, or NULL for whoever does not care.
LANE_INLINE bool ct_stack_mark(mjData* d, const void* owner) {
  size_t pstack = d->pstack;
  ct_StackFrame* frame = (ct_StackFrame*)ct_stack_alloc(d, sizeof(ct_StackFrame), sizeof(size_t));
  if (!frame) return false;
  frame->pstack = pstack;
  frame->pbase = d->pbase;
  frame->owner = owner;
  d->pbase = (size_t)(uintptr_t)frame;
  return true;
}

// Gives back everything since the newest mark; nothing happens without one.
LANE_INLINE void ct_stack_free(mjData* d) {
  if (!d->pbase) return;
  const ct_StackFrame* frame = (const ct_StackFrame*)(uintptr_t)d->pbase;
  size_t pstack = frame->pstack, pbase = frame->pbase;
  CT_POISON((char*)d->arena + (size_t)d->narena - d->pstack, d->pstack - pstack);
  d->pstack = pstack;
  d->pbase = pbase;
}

// The next bytes of the arena, aligned; NULL without room.
LANE_INLINE void* ct_arena_alloc(mjData* d, size_t bytes, size_t alignment) {
  size_t padding = (size_t)(-(d->parena + (size_t)(uintptr_t)d->arena)) & (alignment - 1);
  size_t room = ct_arena_free_bytes(d);
  if (padding > room || bytes > room - padding) return NULL;
  char* start = (char*)d->arena + d->parena + padding;
  d->parena += padding + bytes;
  ct_arena_high_water(d);
  CT_UNPOISON(start, bytes);
  return start;
}

// Moves the end of the arena back to parena; what lay behind it is gone.
LANE_INLINE void ct_arena_cut(mjData* d, size_t parena) {
  if (parena >= d->parena) return;
  CT_POISON((char*)d->arena + parena, d->parena - parena);
  d->parena = parena;
}

#endif  // CT_BASE_MEMORY_ARENA_H_
