// Recorded numbers: what the reference computed, kept as data so that tests need no reference.
//
// A file is a list of named arrays of doubles or ints, written by tests/record/recorded.py:
//   "CTREC2 mujoco 3.5.0\n" (the format, and whose numbers they are; or "exact"), then per array:
//   int32 length of name, name, int32 type ('d' or 'i'), int64 count, values
// all little-endian. Names are paths such as "state3/cvel". `make record` writes all files anew.

#ifndef TESTS_SUPPORT_RECORDED_H_
#define TESTS_SUPPORT_RECORDED_H_

#include <stdbool.h>
#include <stddef.h>

#include <mujoco/mujoco.h>

typedef struct Recorded_ Recorded;

// tests/recorded, or what the environment variable CORTEN_RECORDED says.
const char* recorded_folder(void);

// Opens tests/recorded/<name>; fails the running test if it cannot.
Recorded* recorded_open(const char* name);

// Is there such a file?
bool recorded_exists(const char* name);
void recorded_close(Recorded* r);

// The array of that name, or NULL; *count receives its length.
const double* recorded_doubles(const Recorded* r, const char* name, size_t* count);
const int* recorded_ints(const Recorded* r, const char* name, size_t* count);

// Number of arrays, and the name of one of them.
int recorded_count(const Recorded* r);
const char* recorded_name(const Recorded* r, int i);

// Arrays of one state, "STATE/WHAT"; they fail the running test if there is none. recorded_fill
// copies all of it, which must be n numbers.
const double* recorded_numbers_of(const Recorded* r, const char* state, const char* what,
                                  size_t* count);
const int* recorded_ints_of(const Recorded* r, const char* state, const char* what);
void recorded_fill(const Recorded* r, const char* state, const char* what, mjtNum* target,
                   size_t n);

// The next state from array *i on, one that has an array "STATE/in/qpos"; false if there is none.
bool recorded_next_state(const Recorded* r, int* i, char* state, size_t size);

#endif  // TESTS_SUPPORT_RECORDED_H_
