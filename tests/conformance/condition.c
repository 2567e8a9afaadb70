// How well a mass matrix can be inverted: its eigenvalues, by Jacobi's rotations.

#include "conformance/condition.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

// Turns rows and columns p, q of a symmetric matrix so that its entry (p, q) vanishes.
static void rotate_away(double* A, int n, int p, int q) {
  double apq = A[p * n + q];
  if (apq == 0) return;
  double theta = (A[q * n + q] - A[p * n + p]) / (2 * apq);
  double t = copysign(1, theta) / (fabs(theta) + sqrt(theta * theta + 1));
  double c = 1 / sqrt(t * t + 1), s = t * c;
  for (int k = 0; k < n; k++) {
    double x = A[k * n + p], y = A[k * n + q];
    A[k * n + p] = c * x - s * y;
    A[k * n + q] = s * x + c * y;
  }
  for (int k = 0; k < n; k++) {
    double x = A[p * n + k], y = A[q * n + k];
    A[p * n + k] = c * x - s * y;
    A[q * n + k] = s * x + c * y;
  }
}

double matrix_condition(double* A, int n) {
  double smallest = INFINITY, largest = 0;
  for (int i = 0; i < n; i++) {
    if (!(A[i * n + i] > 0)) return INFINITY;
    for (int k = 0; k < n; k++) {
      if (k != i) A[i * n + k] /= sqrt(A[i * n + i]);
      if (k != i) A[k * n + i] /= sqrt(A[i * n + i]);
    }
  }
  for (int i = 0; i < n; i++) A[i * n + i] = 1;
  for (int sweep = 0; sweep < 15; sweep++) {  // converges quadratically
    for (int p = 0; p < n; p++) {
      for (int q = p + 1; q < n; q++) rotate_away(A, n, p, q);
    }
  }
  for (int i = 0; i < n; i++) {
    smallest = fmin(smallest, fabs(A[i * n + i]));
    largest = fmax(largest, fabs(A[i * n + i]));
  }
  return n ? largest / smallest : 1;
}

bool needs_inverse_mass(const char* field) {
  static const char* const fields[] = {"dof_invweight0", "body_invweight0", "tendon_invweight0",
                                       "actuator_acc0"};
  for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++) {
    if (!strcmp(field, fields[i])) return true;
  }
  return false;
}
