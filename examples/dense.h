// Small dense matrices for the examples: row by row, outputs first.

#ifndef EXAMPLES_DENSE_H_
#define EXAMPLES_DENSE_H_

#include <stddef.h>

double* dense_make(size_t rows, size_t columns);  // zeros; ends the program without memory

// res (n x p) = A (n x m) B (m x p);  with A transposed, A being (m x n)
void dense_mul(double* res, const double* A, const double* B, int n, int m, int p);
void dense_mul_t(double* res, const double* A, const double* B, int n, int m, int p);
void dense_transpose(double* res, const double* A, int rows, int columns);

// B (n x p) becomes A^-1 B, A (n x n) is used up. Zero if A is singular.
int dense_solve(double* A, double* B, int n, int p);

#endif  // EXAMPLES_DENSE_H_
