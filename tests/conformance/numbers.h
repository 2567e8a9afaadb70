// Sizes of arrays of numbers.

#ifndef TESTS_CONFORMANCE_NUMBERS_H_
#define TESTS_CONFORMANCE_NUMBERS_H_

#include <math.h>
#include <mujoco/mujoco.h>
#include <stddef.h>

// The largest magnitude, but at least `least`.
static inline double largest_number(const mjtNum* x, size_t n, double least) {
  double most = least;
  for (size_t i = 0; i < n; i++) most = fmax(most, fabs((double)x[i]));
  return most;
}

#endif  // TESTS_CONFORMANCE_NUMBERS_H_
