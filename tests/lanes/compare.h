// Compares two data bit for bit and says where they differ first.

#ifndef TESTS_LANES_COMPARE_H_
#define TESTS_LANES_COMPARE_H_

#include <stdbool.h>
#include <stddef.h>

#include <mujoco/mujoco.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct BitReport_ {
  int nstate;       // states that were compared
  int nfield;       // arrays that were compared
  int ndifferent;   // arrays that differ
  char wrote[256];  // arrays that the kernel changed
  char first[256];  // the first difference in words, "" if none
} BitReport;

// Arrays of bytes; where and array name them in the report.
void compare_bytes(BitReport* report, const char* where, const char* array, const void* a,
                   const void* b, size_t size);

void compare_ints(BitReport* report, const char* where, const char* array, const int* a,
                  const int* b, size_t n);

// Arrays in the buffer, and contacts without the padding at their end.
void compare_data(BitReport* report, const char* where, const mjModel* m, const mjData* a,
                  const mjData* b);

// Arrays in the arena that both data have. What the reference, and so the engine, leaves unset in
// them is compared only if both arenas held the same bytes in the beginning.
void compare_arena(BitReport* report, const char* where, const mjModel* m, const mjData* a,
                   const mjData* b, bool same_bytes_before);

// Everything that is not an array: counts, time, energies, solver statistics.
void compare_values(BitReport* report, const char* where, const mjData* a, const mjData* b);

#ifdef __cplusplus
}
#endif

#endif  // TESTS_LANES_COMPARE_H_
