// Every mju_ function that computes something, as cases to record from the reference and to replay
// on corten.

#ifndef TESTS_CONFORMANCE_MJU_CASES_H_
#define TESTS_CONFORMANCE_MJU_CASES_H_

#include "conformance/case.h"

typedef struct {
  const char* name;
  CaseFunction run;
  int flavours;  // how many of enum Flavour the cases go through
} MjuEntry;

typedef struct {
  const MjuEntry* entries;
  int count;
} MjuTable;

MjuTable mju_vector_table(void);  // scalars, vectors, matrices, quaternions, poses
MjuTable mju_solver_table(void);  // factorisations, solvers, sparse matrices, actuators

MjuTable mju_export_table(void);  // exported but not declared

// An mjData of one library, for the functions that take scratch from its stack. The caller deletes
// it.
mjData* mju_data_of(void* library);

// An entry of one of the tables, NULL behind the last one.
const MjuEntry* mju_entry(int i);

// Functions that no case covers, and why.
typedef struct {
  const char* name;
  const char* reason;
} MjuException;

const MjuException* mju_exception(int i);  // NULL behind the last one

// What tests/recorded/mju.rec holds: so many cases of each function, with sizes up to the largest.
#define MJU_RECORDED_CASES 10
#define MJU_RECORDED_LARGEST 6

// Sets up case `number` of an entry: which flavour, how large.
Case mju_case(const MjuEntry* entry, int number, int largest, Tape* tape);

#endif  // TESTS_CONFORMANCE_MJU_CASES_H_
