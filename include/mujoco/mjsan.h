// Marks memory as out of bounds for the address sanitizer, in programs compiled with it; in others
// these macros do nothing. The stack of an mjData is such memory: what mj_freeStack gives back is
// poisoned, so that a pointer kept too long is caught at its first use.

#ifndef MUJOCO_MJSAN_H_
#define MUJOCO_MJSAN_H_

#if !defined(ADDRESS_SANITIZER) && defined(__SANITIZE_ADDRESS__)
#define ADDRESS_SANITIZER 1
#elif !defined(ADDRESS_SANITIZER) && defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ADDRESS_SANITIZER 1
#endif
#endif

#ifdef ADDRESS_SANITIZER
#include <sanitizer/asan_interface.h>
#endif

#ifndef ASAN_POISON_MEMORY_REGION
#define ASAN_POISON_MEMORY_REGION(addr, size) ((void)(addr), (void)(size))
#define ASAN_UNPOISON_MEMORY_REGION(addr, size) ((void)(addr), (void)(size))
#endif

#endif  // MUJOCO_MJSAN_H_
