// Eigenvalues of a real matrix, by the QR algorithm with single complex shifts (Golub and Van Loan,
// Matrix Computations, chapter 7).
//
// Householder reflections make A upper Hessenberg, H = Q'AQ. Then, with the shift s that is an
// eigenvalue of the last two rows, H - s = QR and H <- RQ + s, by rotations of neighbouring rows,
// until an entry below the diagonal vanishes: what is behind it is done.

#include "eigenvalues.h"

#include <complex.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>

typedef double complex Number;

// For one eigenvalue; it takes two or three. Eigenvalues that are equal may shift an entry no lower
// than rounding of the whole matrix makes it, so that after some rounds this is what counts.
enum { MOST_ROUNDS = 60, MANY_ROUNDS = 30 };

double magnitude_of(Eigenvalue x) {
  return hypot(x.real, x.imaginary);
}

static int larger_first(const void* a, const void* b) {
  double x = magnitude_of(*(const Eigenvalue*)a), y = magnitude_of(*(const Eigenvalue*)b);
  return (x < y) - (x > y);
}

// H <- P H P with P = 1 - 2 v v' / v'v, which clears column k below its second row.
static void reflect(double* H, int n, int k, double* v) {
  double size = 0, square;
  for (int i = k + 1; i < n; i++) size += H[i * n + k] * H[i * n + k];
  size = sqrt(size);
  if (size == 0) return;
  for (int i = k + 1; i < n; i++) v[i] = H[i * n + k];
  v[k + 1] += v[k + 1] < 0 ? -size : size;
  square = 2 * size * fabs(v[k + 1]);
  for (int j = 0; j < n; j++) {
    double sum = 0;
    for (int i = k + 1; i < n; i++) sum += v[i] * H[i * n + j];
    for (int i = k + 1; i < n; i++) H[i * n + j] -= 2 * sum / square * v[i];
  }
  for (int i = 0; i < n; i++) {
    double sum = 0;
    for (int j = k + 1; j < n; j++) sum += H[i * n + j] * v[j];
    for (int j = k + 1; j < n; j++) H[i * n + j] -= 2 * sum / square * v[j];
  }
}

// Both eigenvalues of rows last - 1 and last alone. Half of the difference keeps the digits that
// the product of the diagonal loses where its entries are almost equal.
static void solve_pair(const Number* H, int n, int last, Number pair[2]) {
  const Number *up = H + (last - 1) * n + last - 1, *low = up + n;
  Number mean = (up[0] + low[1]) / 2, half = (up[0] - low[1]) / 2;
  Number root = csqrt(half * half + up[1] * low[0]);
  pair[0] = mean + root;
  pair[1] = mean - root;
}

// The one that is nearer to the last entry.
static Number choose_shift(const Number* H, int n, int last, int round) {
  Number end = H[last * n + last], pair[2];
  if (round % 20 == 19) return end + cabs(H[last * n + last - 1]);  // out of a circle
  solve_pair(H, n, last, pair);
  return cabs(pair[0] - end) < cabs(pair[1] - end) ? pair[0] : pair[1];
}

// One round on rows from `first` to `last`.
static void make_round(Number* H, int n, int first, int last, Number shift, Number* turn) {
  for (int i = first; i <= last; i++) H[i * n + i] -= shift;
  for (int k = first; k < last; k++) {
    Number *row = H + k * n, *next = row + n, x = row[k], y = next[k];
    double size = sqrt(creal(x * conj(x)) + creal(y * conj(y)));
    Number c = size > 0 ? x / size : 1, s = size > 0 ? y / size : 0;
    turn[2 * k] = c;
    turn[2 * k + 1] = s;
    for (int j = k; j <= last; j++) {
      Number a = row[j], b = next[j];
      row[j] = conj(c) * a + conj(s) * b;
      next[j] = -s * a + c * b;
    }
  }
  for (int k = first; k < last; k++) {
    Number c = turn[2 * k], s = turn[2 * k + 1];
    for (int i = first; i <= k + 1; i++) {
      Number a = H[i * n + k], b = H[i * n + k + 1];
      H[i * n + k] = a * c + b * s;
      H[i * n + k + 1] = -a * conj(s) + b * conj(c);
    }
  }
  for (int i = first; i <= last; i++) H[i * n + i] += shift;
}

// The first row of the block that ends with row `last`. least: what counts as zero beside the
// numbers around it.
static int start_of_block(const Number* H, int n, int last, double least) {
  int k = last;
  while (k > 0) {
    double around = cabs(H[k * n + k]) + cabs(H[(k - 1) * n + k - 1]);
    if (cabs(H[k * n + k - 1]) <= fmax(least, DBL_EPSILON * (around > 0 ? around : 1))) break;
    k--;
  }
  return k;
}

static bool iterate(Number* H, int n, Number* turn) {
  double size = 0;
  for (int i = 0; i < n * n; i++) size = hypot(size, cabs(H[i]));
  int round = 0;
  for (int last = n - 1; last > 0;) {
    int first = start_of_block(H, n, last, round < MANY_ROUNDS ? 0 : DBL_EPSILON * size);
    if (first == last) {
      last--;
      round = 0;
    } else if (first == last - 1) {
      Number pair[2];
      solve_pair(H, n, last, pair);
      if (!isfinite(cabs(pair[0])) || !isfinite(cabs(pair[1]))) return false;
      H[first * n + first] = pair[0];
      H[last * n + last] = pair[1];
      last -= 2;
      round = 0;
    } else if (round++ < MOST_ROUNDS) {
      make_round(H, n, first, last, choose_shift(H, n, last, round), turn);
    } else {
      return false;
    }
  }
  return true;
}

bool find_eigenvalues(const mjtNum* A, int n, Eigenvalue* to) {
  size_t size = (size_t)n;
  double* real = (double*)malloc((size * size + size + 1) * sizeof(double));
  Number* H = (Number*)malloc((size * size + 2 * size + 1) * sizeof(Number));
  bool found = real && H;
  if (found) {
    for (int i = 0; i < n * n; i++) real[i] = (double)A[i];
    for (int k = 0; k < n - 2; k++) reflect(real, n, k, real + size * size);
    for (int i = 0; i < n * n; i++) H[i] = i % n + 1 < i / n ? 0 : real[i];
    found = iterate(H, n, H + size * size);
    for (int i = 0; i < n; i++) {
      to[i].real = creal(H[i * n + i]);
      to[i].imaginary = cimag(H[i * n + i]);
    }
    qsort(to, size, sizeof(to[0]), larger_first);
  }
  free(real);
  free(H);
  return found;
}
