// Eigenvalues of a real matrix.

#ifndef APPS_EIGENVALUES_H_
#define APPS_EIGENVALUES_H_

#include <mujoco/mujoco.h>
#include <stdbool.h>

typedef struct Eigenvalue_ {
  double real, imaginary;
} Eigenvalue;

double magnitude_of(Eigenvalue x);

// Those of A (n x n), the largest magnitudes first. False without memory, or if they are not found.
bool find_eigenvalues(const mjtNum* A, int n, Eigenvalue* to);

#endif  // APPS_EIGENVALUES_H_
