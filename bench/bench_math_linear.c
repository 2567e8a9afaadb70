// bench_math_linear: dense Cholesky factor, solve and rank-one update, corten and the reference
// side by side.
//
//   bench_math_linear REFERENCE CORTEN
//
// Both work on the same matrices in turn, and who goes first alternates. A ratio is the median over
// rounds of the reference's time over corten's, so more than 1 is faster. Times of single rounds
// mean nothing on a shared machine.

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <mujoco/mujoco.h>

#include "conformance/two_libraries.h"

#define ROUNDS 41
#define LARGEST 100

typedef struct {
  __typeof__(&mju_cholFactor) factor;
  __typeof__(&mju_cholSolve) solve;
  __typeof__(&mju_cholUpdate) update;
} Functions;

typedef struct {
  int n;
  mjtNum matrix[LARGEST * LARGEST];  // positive definite
  mjtNum factor[LARGEST * LARGEST];
  mjtNum work[LARGEST * LARGEST];
  mjtNum vector[LARGEST], result[LARGEST];
} Problem;

typedef void (*Operation)(const Functions* f, Problem* p);

static void factor(const Functions* f, Problem* p) {
  memcpy(p->work, p->matrix, sizeof(mjtNum) * (size_t)(p->n * p->n));
  f->factor(p->work, p->n, 1e-10);
}

static void solve(const Functions* f, Problem* p) {
  f->solve(p->result, p->factor, p->vector, p->n);
}

static void update(const Functions* f, Problem* p) {
  memcpy(p->work, p->factor, sizeof(mjtNum) * (size_t)(p->n * p->n));
  memcpy(p->result, p->vector, sizeof(mjtNum) * (size_t)p->n);
  f->update(p->work, p->result, p->n, 1);
}

static double seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double time_of(Operation op, const Functions* f, Problem* p, int repeats) {
  op(f, p);
  double start = seconds();
  for (int i = 0; i < repeats; i++) op(f, p);
  return seconds() - start;
}

static int ascending(const void* a, const void* b) {
  double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

static double ratio(Operation op, const Functions* theirs, const Functions* ours, Problem* p,
                    int repeats) {
  double ratios[ROUNDS];
  for (int round = 0; round < ROUNDS; round++) {
    int first = round % 2;
    double a = time_of(op, first ? ours : theirs, p, repeats);
    double b = time_of(op, first ? theirs : ours, p, repeats);
    ratios[round] = first ? b / a : a / b;
  }
  qsort(ratios, ROUNDS, sizeof(double), ascending);
  return ratios[ROUNDS / 2];
}

static void fill(Problem* p, int n, const Functions* f) {
  uint64_t random = 88172645463325252u;
  p->n = n;
  for (int i = 0; i < n; i++) {
    for (int j = 0; j <= i; j++) {
      random ^= random << 13;
      random ^= random >> 7;
      random ^= random << 17;
      mjtNum x = (mjtNum)(random >> 11) * (mjtNum)0x1p-53;
      p->matrix[i * n + j] = p->matrix[j * n + i] = i == j ? (mjtNum)n + x : x;
    }
    p->vector[i] = p->matrix[i * n];
  }
  memcpy(p->factor, p->matrix, sizeof(mjtNum) * (size_t)(n * n));
  f->factor(p->factor, n, 1e-10);
}

static Functions functions_of(void* library) {
  Functions f;
  f.factor = LIBRARY_FUNCTION(library, mju_cholFactor);
  f.solve = LIBRARY_FUNCTION(library, mju_cholSolve);
  f.update = LIBRARY_FUNCTION(library, mju_cholUpdate);
  return f;
}

int main(int argc, char** argv) {
  if (argc != 3) {
    fprintf(stderr, "usage: bench_math_linear REFERENCE CORTEN\n");
    return 2;
  }
  TwoLibraries libraries = two_libraries_open(argv[1], argv[2]);
  Functions theirs = functions_of(libraries.reference), ours = functions_of(libraries.corten);
  static const int sizes[] = {6, 9, 14, 18, 27, 32, 50, 64, 100};
  static Problem p;
  printf("speed of corten relative to the reference\n%6s %8s %8s %8s\n", "n", "factor", "solve",
         "update");
  for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
    int n = sizes[i];
    fill(&p, n, &theirs);
    int cubic = 3000000 / (n * n * n + 500) + 1, square = 2000000 / (n * n + 50) + 1;
    printf("%6d %8.2f %8.2f %8.2f\n", n, ratio(factor, &theirs, &ours, &p, cubic),
           ratio(solve, &theirs, &ours, &p, square / 4),
           ratio(update, &theirs, &ours, &p, square / 8));
  }
  return 0;
}
