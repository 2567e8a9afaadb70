// One call of one function on one set of inputs, recorded from one library and replayed on another.
//
// A case is a small function that draws its inputs, calls, and states what it expects of the
// outputs:
//
//   static void case_dot(Case* c) {
//     int n = case_size(c);
//     mjtNum *a = case_numbers(c, n), *b = case_numbers(c, n);
//     mjtNum res = CALL(c, mju_dot)(a, b, n);
//     expect_sum(c, &res, 1, magnitude_dot(c, a, b, n), n);
//   }
//
// It runs twice. While recording, inputs come from a random generator, and inputs and outputs are
// written on a tape. While replaying, inputs come from the tape, and outputs are compared with it.
// The tape may have been written a moment ago, by the reference in the same process, or long ago,
// to a file.

#ifndef TESTS_CONFORMANCE_CASE_H_
#define TESTS_CONFORMANCE_CASE_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <mujoco/mujoco.h>

#include "conformance/two_libraries.h"

typedef struct {
  double* values;
  size_t count, capacity;
  size_t position;  // of the next value to be replayed
} Tape;

void tape_clear(Tape* tape);
void tape_free(Tape* tape);

// What numbers a case draws. A table entry runs its cases through these in turn.
typedef enum {
  ORDINARY,   // uniform in [-2, 2]
  INTEGERS,   // -3 ... 3, so that zeros and ties are frequent
  SCALES,     // 1e-8 to 1e8
  EDGES,      // signed zeros, denormals, 1e200, among ordinary ones
  NOT_FINITE  // the same with infinities and NaN
} Flavour;

typedef struct Case_ {
  const char* name;      // of the function
  int number;            // of the case
  AnyFunction function;  // of the library that is called
  mjData* data;          // of the same library, for functions that need a stack
  bool replay;
  Flavour flavour;
  int largest;  // size of vectors, rows and columns of matrices
  uint64_t random;
  Tape* tape;
  void* blocks;  // memory handed out, freed when the case ends
  int outputs;   // arrays compared so far
  int mismatches;
  char message[256];  // the first mismatch
} Case;

typedef void (*CaseFunction)(Case* c);

// Records one case, or replays it; the latter returns false on a mismatch, with c->message set.
void case_record(Case* c, CaseFunction run, uint64_t seed);
bool case_replay(Case* c, CaseFunction run);

// The function under test, with the type of a declared function.
#define CALL(c_, name_) ((__typeof__(&name_))(c_)->function)

// Draw inputs in separate statements or declarators: the order of arguments of a call is up to the
// compiler, and a tape is read in the order in which it was written.
//
// Inputs: an integer in [lo, hi]; a size; a number or numbers of the case's flavour; numbers
// uniform in [lo, hi].
int case_int(Case* c, int lo, int hi);
int case_size(Case* c);  // from 0 to c->largest
mjtNum case_number(Case* c);
mjtNum* case_numbers(Case* c, int n);
mjtNum case_uniform(Case* c, mjtNum lo, mjtNum hi);
mjtNum* case_uniforms(Case* c, int n, mjtNum lo, mjtNum hi);
int* case_ints(Case* c, int n, int lo, int hi);

// Inputs computed by the case: draw raw numbers with case_random, then register the result, which a
// replay overwrites with what was recorded.
double case_random(Case* c);  // uniform in [0, 1)
void case_input(Case* c, mjtNum* x, int n);
void case_input_ints(Case* c, int* x, int n);

// Memory of the case: outputs start as a pattern, so that what a function leaves alone is compared
// too.
mjtNum* case_output(Case* c, int n);
int* case_output_ints(Case* c, int n);
mjtNum* case_copy(Case* c, const mjtNum* x, int n);
void* case_memory(Case* c, size_t bytes);

// Expectations. NaN equals NaN, and only NaN; infinities equal themselves.
#define CASE_EPS 2.220446049250313e-16
void expect_same(Case* c, const mjtNum* x, int n);  // to 1e-15 of each number
void expect_close(Case* c, const mjtNum* x, int n,
                  double tolerance);  // of the largest finite of them
void expect_ints(Case* c, const int* x, int n);

// Sums of products: a result may differ by `terms` roundings of the sum of the magnitudes of its
// terms, because another order of summation is no error and cancellation leaves no relative
// accuracy.
void expect_sum(Case* c, const mjtNum* x, int n, const double* magnitudes, int terms);
double* magnitude_dot(Case* c, const mjtNum* a, const mjtNum* b, int n);

// Of a product of matrices, (r x k) times (k x m), by strides so that either may be transposed.
double* magnitude_product(Case* c, const mjtNum* a, int a_row, int a_col, const mjtNum* b,
                          int b_row, int b_col, int r, int k, int m);

#endif  // TESTS_CONFORMANCE_CASE_H_
