// What the tests of linear algebra share: random matrices and measures of error.

#ifndef TESTS_MATH_LINEAR_H_
#define TESTS_MATH_LINEAR_H_

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <mujoco/mujoco.h>

#include "support/states.h"

typedef struct {
  uint64_t state;
} Random;

// Uniform in [-1, 1).
static inline mjtNum draw(Random* r) {
  r->state = r->state * 6364136223846793005u + 1442695040888963407u;
  return (mjtNum)((double)(r->state >> 11) * 0x1p-52 - 1);
}

static inline mjtNum* draw_vector(Random* r, int n) {
  mjtNum* x = (mjtNum*)malloc(sizeof(mjtNum) * (size_t)(n + 1));
  for (int i = 0; i < n; i++) x[i] = draw(r);
  return x;
}

// Symmetric positive definite, eigenvalues from about 1/2 to n.
static inline mjtNum* draw_spd(Random* r, int n) {
  mjtNum *half = draw_vector(r, n * n), *mat = draw_vector(r, n * n);
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) {
      double sum = i == j ? 0.5 : 0;
      for (int k = 0; k < n; k++) sum += (double)half[i * n + k] * (double)half[j * n + k];
      mat[i * n + j] = (mjtNum)sum;
    }
  }
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < i; j++) mat[j * n + i] = mat[i * n + j];
  }
  free(half);
  return mat;
}

static inline double difference(const mjtNum* a, const mjtNum* b, int n) {
  double largest = 0;
  for (int i = 0; i < n; i++) {
    double d = (double)a[i] - (double)b[i];
    if (!(d <= largest && -d <= largest)) largest = d < 0 ? -d : d;
  }
  return largest;
}

#define assert_close(a_, b_, n_, tolerance_)                                  \
  do {                                                                        \
    double difference_ = difference(a_, b_, n_);                              \
    if (!(difference_ <= (tolerance_)))                                       \
      fail_msg("%s and %s differ by %g, more than %g", #a_, #b_, difference_, \
               (double)(tolerance_));                                         \
  } while (0)

#endif  // TESTS_MATH_LINEAR_H_
