// bench_math: the mju_ functions of vectors, matrices and quaternions, corten and the reference
// side by side.
//
//   bench_math REFERENCE_LIBRARY CORTEN_LIBRARY [words of function names ...]
//
// Both libraries run the same call on the same numbers in turns, some microseconds each, who goes
// first alternating; what is printed is the median over rounds of (reference time / corten time),
// above 1 where corten is faster. Ratios of calls below 3 ns are mostly the cost of the call
// itself.

#include <mujoco/mujoco.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <x86intrin.h>

#include "conformance/two_libraries.h"

enum { LARGEST = 200, ROUNDS = 301 };

// Operands: filled once, large enough for every case. Outputs go elsewhere, so inputs never change.
static mjtNum a[LARGEST * LARGEST], b[LARGEST * LARGEST], out[LARGEST * LARGEST];
static mjtNum v[LARGEST], w[LARGEST], unit1[4], unit2[4], rotation[9];
static volatile mjtNum sink;  // keeps results alive

// One case: `repeat` calls of the function at `f` with size n.
typedef void (*Run)(AnyFunction f, int n, int repeat);

#define CASE(name_, ...)                                         \
  static void run_##name_(AnyFunction f, int n, int repeat) {    \
    (void)n;                                                     \
    __typeof__(&mju_##name_) call = (__typeof__(&mju_##name_))f; \
    for (int k = 0; k < repeat; k++) {                           \
      __VA_ARGS__;                                               \
    }                                                            \
  }

CASE(dot, sink = call(a, b, n))
CASE(norm, sink = call(a, n))
CASE(sum, sink = call(a, n))
CASE(L1, sink = call(a, n))
CASE(zero, call(out, n))
CASE(fill, call(out, 2, n))
CASE(copy, call(out, a, n))
CASE(scl, call(out, a, 3, n))
CASE(add, call(out, a, b, n))
CASE(sub, call(out, a, b, n))
CASE(addTo, call(out, a, n))
CASE(subFrom, call(out, a, n))
CASE(addToScl, call(out, a, 1e-9, n))
CASE(addScl, call(out, a, b, 3, n))
CASE(normalize, sink = call(w, n))
CASE(mulMatVec, call(out, a, v, n, n))
CASE(mulMatTVec, call(out, a, v, n, n))
CASE(mulVecMatVec, sink = call(v, a, v, n))
CASE(transpose, call(out, a, n, n))
CASE(symmetrize, call(out, a, n))
CASE(eye, call(out, n))
CASE(mulMatMat, call(out, a, b, n, n, n))
CASE(mulMatMatT, call(out, a, b, n, n, n))
CASE(mulMatTMat, call(out, a, b, n, n, n))
CASE(sqrMatTD, call(out, a, v, n, n))
CASE(isZero, sink = call(out, n))
CASE(insertionSort, memcpy(out, a, sizeof(mjtNum) * (size_t)n); call(out, n))
CASE(cross, call(out, a, b))
CASE(normalize3, memcpy(out, a, 3 * sizeof(mjtNum)); sink = call(out))
CASE(normalize4, memcpy(out, a, 4 * sizeof(mjtNum)); sink = call(out))
CASE(mulMatVec3, call(out, a, b))
CASE(mulMatTVec3, call(out, a, b))
CASE(rotVecQuat, call(out, a, unit1))
CASE(mulQuat, call(out, unit1, unit2))
CASE(mulQuatAxis, call(out, unit1, a))
CASE(axisAngle2Quat, call(out, a, a[k & 63]))
CASE(quat2Vel, call(out, unit1, 0.5))
CASE(subQuat, call(out, unit1, unit2))
CASE(quat2Mat, call(out, unit1))
CASE(mat2Quat, call(out, rotation))
CASE(derivQuat, call(out, unit1, a))
CASE(quatIntegrate, memcpy(out, unit1, 4 * sizeof(mjtNum)); call(out, a, 0.01))
CASE(quatZ2Vec, call(out, a))
CASE(mat2Rot, memcpy(out, unit1, 4 * sizeof(mjtNum)); call(out, rotation))
CASE(euler2Quat, call(out, a, "xyz"))
CASE(mulPose, call(out, out + 4, a, unit1, b, unit2))
CASE(negPose, call(out, out + 4, a, unit1))
CASE(trnVecPose, call(out, a, unit1, b))
CASE(transformSpatial, call(out, a, 1, b, v, rotation))
CASE(sigmoid, sink = call(0.3))
CASE(Halton, sink = call(1234567, 3))

static const struct {
  const char* name;
  Run run;
  int order;  // the work grows with n to this power; 0: there is no n
} cases[] = {
#define ENTRY(name_, order_) \
  { "mju_" #name_, run_##name_, order_ }
    ENTRY(dot, 1),
    ENTRY(norm, 1),
    ENTRY(sum, 1),
    ENTRY(L1, 1),
    ENTRY(zero, 1),
    ENTRY(fill, 1),
    ENTRY(copy, 1),
    ENTRY(scl, 1),
    ENTRY(add, 1),
    ENTRY(sub, 1),
    ENTRY(addTo, 1),
    ENTRY(subFrom, 1),
    ENTRY(addToScl, 1),
    ENTRY(addScl, 1),
    ENTRY(normalize, 1),
    ENTRY(isZero, 1),
    ENTRY(insertionSort, 1),
    ENTRY(mulMatVec, 2),
    ENTRY(mulMatTVec, 2),
    ENTRY(mulVecMatVec, 2),
    ENTRY(transpose, 2),
    ENTRY(symmetrize, 2),
    ENTRY(eye, 2),
    ENTRY(mulMatMat, 3),
    ENTRY(mulMatMatT, 3),
    ENTRY(mulMatTMat, 3),
    ENTRY(sqrMatTD, 3),
    ENTRY(cross, 0),
    ENTRY(normalize3, 0),
    ENTRY(normalize4, 0),
    ENTRY(mulMatVec3, 0),
    ENTRY(mulMatTVec3, 0),
    ENTRY(rotVecQuat, 0),
    ENTRY(mulQuat, 0),
    ENTRY(mulQuatAxis, 0),
    ENTRY(axisAngle2Quat, 0),
    ENTRY(quat2Vel, 0),
    ENTRY(subQuat, 0),
    ENTRY(quat2Mat, 0),
    ENTRY(mat2Quat, 0),
    ENTRY(derivQuat, 0),
    ENTRY(quatIntegrate, 0),
    ENTRY(quatZ2Vec, 0),
    ENTRY(mat2Rot, 0),
    ENTRY(euler2Quat, 0),
    ENTRY(mulPose, 0),
    ENTRY(negPose, 0),
    ENTRY(trnVecPose, 0),
    ENTRY(transformSpatial, 0),
    ENTRY(sigmoid, 0),
    ENTRY(Halton, 0),
};

static uint64_t cycles(Run run, AnyFunction f, int n, int repeat) {
  uint64_t start = __rdtsc();
  run(f, n, repeat);
  return __rdtsc() - start;
}

static int compare_doubles(const void* x, const void* y) {
  double p = *(const double*)x, q = *(const double*)y;
  return (p > q) - (p < q);
}

// Median over rounds of reference time / corten time; *per_call receives corten's cycles.
static double ratio(Run run, AnyFunction reference, AnyFunction corten, int n, double* per_call) {
  static double ratios[ROUNDS], own[ROUNDS];
  int repeat = 4;
  while (cycles(run, reference, n, repeat) < 12000 && repeat < 4096) {
    repeat *= 2;
  }
  run(corten, n, repeat);
  for (int i = 0; i < ROUNDS; i++) {
    uint64_t first = cycles(run, i % 2 ? corten : reference, n, repeat);
    uint64_t second = cycles(run, i % 2 ? reference : corten, n, repeat);
    uint64_t theirs = i % 2 ? second : first;
    uint64_t ours = i % 2 ? first : second;
    ratios[i] = (double)theirs / (double)ours;
    own[i] = (double)ours / repeat;
  }
  qsort(ratios, ROUNDS, sizeof(double), compare_doubles);
  qsort(own, ROUNDS, sizeof(double), compare_doubles);
  *per_call = own[ROUNDS / 2];
  return ratios[ROUNDS / 2];
}

static mjtNum random_number(void) {
  return 2 * (mjtNum)rand() / (mjtNum)RAND_MAX - 1;
}

static void fill_operands(TwoLibraries libraries) {
  for (int i = 0; i < LARGEST * LARGEST; i++) {
    a[i] = random_number();
    b[i] = random_number();
  }
  for (int i = 0; i < LARGEST; i++) {
    v[i] = random_number();
    w[i] = random_number();
  }
  for (int i = 0; i < 4; i++) {
    unit1[i] = random_number();
    unit2[i] = random_number();
  }
  LIBRARY_FUNCTION(libraries.reference, mju_normalize4)(unit1);
  LIBRARY_FUNCTION(libraries.reference, mju_normalize4)(unit2);
  LIBRARY_FUNCTION(libraries.reference, mju_quat2Mat)(rotation, unit2);
}

static int wanted(const char* name, int argc, char** argv) {
  for (int i = 3; i < argc; i++) {
    if (strstr(name, argv[i]) != NULL) {
      return 1;
    }
  }
  return argc <= 3;
}

int main(int argc, char** argv) {
  if (argc < 3) {
    fprintf(stderr,
            "usage: bench_math REFERENCE_LIBRARY CORTEN_LIBRARY [words of function names ...]\n");
    return 2;
  }
  static const int sizes[] = {3, 4, 6, 9, 16, 27, 50, 100, 200};
  enum { SIZES = sizeof(sizes) / sizeof(sizes[0]) };
  TwoLibraries libraries = two_libraries_open(argv[1], argv[2]);
  fill_operands(libraries);

  printf("%-20s", "reference / corten");
  for (int i = 0; i < SIZES; i++) {
    printf(" n=%-5d", sizes[i]);
  }
  printf("   (cycles of one corten call at the smallest size)\n");
  for (size_t c = 0; c < sizeof(cases) / sizeof(cases[0]); c++) {
    if (!wanted(cases[c].name, argc, argv)) {
      continue;
    }
    AnyFunction reference = library_function(libraries.reference, cases[c].name);
    AnyFunction corten = library_function(libraries.corten, cases[c].name);
    double smallest = 0;
    printf("%-20s", cases[c].name);
    for (int i = 0; i < (cases[c].order > 0 ? SIZES : 1); i++) {
      double per_call;
      if (cases[c].order == 3 && sizes[i] > 100) {
        break;
      }
      printf(" %-7.2f", ratio(cases[c].run, reference, corten, sizes[i], &per_call));
      fflush(stdout);
      smallest = i == 0 ? per_call : smallest;
    }
    printf("   (%.0f)\n", smallest);
  }
  return 0;
}
