// Public functions on the arena and stack of an mjData. Unlike the engine's (base/memory/arena.h)
// they raise an error when there is no room.

#include "base/memory/stack.h"

#include <stdint.h>

#include "base/memory/arena.h"

static void overflow(mjData* d, size_t bytes, const char* caller, int line) {
  ct_private(d)->status |= CT_ARENA_FULL;
  mju_error(
      "mj_stackAlloc: out of memory, stack overflow at %s, line %d: %zu bytes wanted, %zu free of "
      "%lld (nefc = "
      "%d, ncon = %d); "
      "give the model more memory in <size>",
      caller ? caller : "unknown function", line, bytes, ct_arena_free_bytes(d),
      (long long)d->narena, d->nefc, d->ncon);
}

// Frame of the function that called ours: marks and frees of one function have it in common.
#ifdef CT_ASAN
#pragma GCC diagnostic ignored "-Wframe-address"  // safe: the sanitizer build keeps frame pointers
#define CALLER_FRAME() __builtin_frame_address(1)
#else
#define CALLER_FRAME() NULL
#endif

void mj_markStack(mjData* d) {
  if (!ct_stack_mark(d, CALLER_FRAME())) overflow(d, sizeof(ct_StackFrame), "mj_markStack", 0);
}

void mj_freeStack(mjData* d) {
#ifdef CT_ASAN
  const ct_StackFrame* frame = (const ct_StackFrame*)(uintptr_t)d->pbase;
  if (frame && frame->owner && frame->owner != CALLER_FRAME()) {
    mju_error(
        "mj_freeStack: the newest mark was made by another function; every mj_markStack needs a "
        "mj_freeStack in the same function");
    return;
  }
#endif
  ct_stack_free(d);
}

void* mj_stackAllocInfo(mjData* d, size_t size, size_t multiple_of, const char* asked_by,
                        int asked_at) {
  if (multiple_of == 0 || (multiple_of & (multiple_of - 1))) {
    mju_error("mj_stackAlloc: alignment %zu at %s, line %d is not a power of two", multiple_of,
              asked_by ? asked_by : "unknown function", asked_at);
    return NULL;
  }
  void* memory = ct_stack_alloc(d, size, multiple_of);
  if (!memory && size) overflow(d, size, asked_by, asked_at);
  return memory;
}

void* mj_stackAllocByte(mjData* d, size_t bytes, size_t alignment) {
  return mj_stackAllocInfo(d, bytes, alignment, "mj_stackAllocByte", 0);
}

// Bytes of n elements; false with an error if that is more than can be counted.
static bool count_bytes(size_t n, size_t element, const char* function, size_t* bytes) {
  if (!__builtin_mul_overflow(n, element, bytes)) return true;
  mju_error("%s: %zu elements are more than can be addressed", function, n);
  return false;
}

mjtNum* mj_stackAllocNum(mjData* d, size_t size) {
  size_t bytes;
  if (!count_bytes(size, sizeof(mjtNum), "mj_stackAllocNum", &bytes)) return NULL;
  return (mjtNum*)mj_stackAllocInfo(d, bytes, sizeof(mjtNum), "mj_stackAllocNum", 0);
}

int* mj_stackAllocInt(mjData* d, size_t size) {
  size_t bytes;
  if (!count_bytes(size, sizeof(int), "mj_stackAllocInt", &bytes)) return NULL;
  return (int*)mj_stackAllocInfo(d, bytes, sizeof(int), "mj_stackAllocInt", 0);
}

void* mj_arenaAllocByte(mjData* d, size_t size, size_t multiple_of) {
  void* memory = ct_arena_alloc(d, size, multiple_of);
  if (!memory) ct_private(d)->status |= CT_ARENA_FULL;
  return memory;
}

size_t mj_stackBytesAvailable(mjData* d) {
  return ct_arena_free_bytes(d);
}
