// Mass matrices that cannot be inverted, whose inverse weights are nobody's number.

#ifndef TESTS_CONFORMANCE_CONDITION_H_
#define TESTS_CONFORMANCE_CONDITION_H_

#include <stdbool.h>

#define MOST_CONDITION 1e14  // beyond it, less than two digits of a double are left

// Condition number of a symmetric matrix with positive diagonal, which is destroyed. Rows and
// columns are scaled to a unit diagonal first: units do not make a matrix hard to invert.
double matrix_condition(double* A, int n);

// Is this field of an mjModel computed from the inverse of the mass matrix?
bool needs_inverse_mass(const char* field);

#endif  // TESTS_CONFORMANCE_CONDITION_H_
