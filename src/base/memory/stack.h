// Exported functions on arena and stack that are not in mujoco/mujoco.h.

#ifndef CT_BASE_MEMORY_STACK_H_
#define CT_BASE_MEMORY_STACK_H_

#include <stddef.h>

#include <mujoco/mujoco.h>

// Scratch; the error for an overflow names the caller.
MJAPI void* mj_stackAllocInfo(mjData* d, size_t size, size_t multiple_of, const char* asked_by,
                              int asked_at);

// The next bytes of the arena; NULL without room.
MJAPI void* mj_arenaAllocByte(mjData* d, size_t size, size_t multiple_of);

// Bytes that are left for the stack.
MJAPI size_t mj_stackBytesAvailable(mjData* d);

#endif  // CT_BASE_MEMORY_STACK_H_
