#include "dense.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

double* dense_make(size_t rows, size_t columns) {
  double* x = (double*)calloc(rows * columns + 1, sizeof(double));
  if (!x) {
    fprintf(stderr, "out of memory\n");
    exit(1);
  }
  return x;
}

void dense_mul(double* res, const double* A, const double* B, int n, int m, int p) {
  for (int i = 0; i < n * p; i++) res[i] = 0;
  for (int i = 0; i < n; i++) {
    for (int k = 0; k < m; k++) {
      double a = A[i * m + k];
      for (int j = 0; j < p; j++) res[i * p + j] += a * B[k * p + j];
    }
  }
}

void dense_mul_t(double* res, const double* A, const double* B, int n, int m, int p) {
  for (int i = 0; i < n * p; i++) res[i] = 0;
  for (int k = 0; k < m; k++) {
    for (int i = 0; i < n; i++) {
      double a = A[k * n + i];
      for (int j = 0; j < p; j++) res[i * p + j] += a * B[k * p + j];
    }
  }
}

void dense_transpose(double* res, const double* A, int rows, int columns) {
  for (int i = 0; i < rows; i++) {
    for (int j = 0; j < columns; j++) res[j * rows + i] = A[i * columns + j];
  }
}

static void swap_rows(double* x, int columns, int a, int b) {
  for (int j = 0; j < columns && a != b; j++) {
    double keep = x[a * columns + j];
    x[a * columns + j] = x[b * columns + j];
    x[b * columns + j] = keep;
  }
}

int dense_solve(double* A, double* B, int n, int p) {
  for (int c = 0; c < n; c++) {
    int best = c;
    for (int r = c + 1; r < n; r++) {
      if (fabs(A[r * n + c]) > fabs(A[best * n + c])) best = r;
    }
    if (A[best * n + c] == 0) return 0;
    swap_rows(A, n, c, best);
    swap_rows(B, p, c, best);
    for (int r = c + 1; r < n; r++) {
      double f = A[r * n + c] / A[c * n + c];
      if (f == 0) continue;
      for (int j = c; j < n; j++) A[r * n + j] -= f * A[c * n + j];
      for (int j = 0; j < p; j++) B[r * p + j] -= f * B[c * p + j];
    }
  }
  for (int r = n - 1; r >= 0; r--) {
    for (int j = 0; j < p; j++) {
      double sum = B[r * p + j];
      for (int k = r + 1; k < n; k++) sum -= A[r * n + k] * B[k * p + j];
      B[r * p + j] = sum / A[r * n + r];
    }
  }
  return 1;
}
