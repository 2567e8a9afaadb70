// Dense Cholesky factorisation A = L L', in place: factor, solve, rank-one change of the factor.
//
// Matrices are row-major, n x n. Only the lower triangle is read and written; what stands above the
// diagonal stays as it was (R1.1). Nothing is allocated (R1.4). Every element is its start value
// minus its products in ascending order, one after the other, so all variants below give the same
// bits in the strict build.

#ifndef CT_MATH_CHOLESKY_H_
#define CT_MATH_CHOLESKY_H_

#include "math/scalar.h"

// Square root of a pivot. A pivot below mindiag is raised to it and costs one rank; NaN passes
// through.
LANE_INLINE mjtNum ct_cholesky_pivot(mjtNum pivot, mjtNum mindiag, int* rank) {
  if (pivot < mindiag) {
    pivot = mindiag;
    *rank -= 1;
  }
  return ct_sqrt(pivot);
}

// Overwrites the lower triangle of mat with L. Returns the rank: n, less one for every pivot below
// mindiag.
LANE_INLINE int ct_cholesky_factor(mjtNum* mat, int n, mjtNum mindiag) {
  int rank = n;
  for (int j = 0; j < n; j++) {
    mjtNum* above = mat + j * n;
    mjtNum pivot = above[j];
    for (int k = 0; k < j; k++) {
      pivot -= above[k] * above[k];
    }
    above[j] = ct_cholesky_pivot(pivot, mindiag, &rank);

    mjtNum inverse = 1 / above[j];
    for (int i = j + 1; i < n; i++) {
      mjtNum* row = mat + i * n;
      mjtNum rest = row[j];
      for (int k = 0; k < j; k++) {
        rest -= row[k] * above[k];
      }
      row[j] = rest * inverse;
    }
  }
  return rank;
}

// res = (L L')^-1 vec. res may be vec.
LANE_INLINE void ct_cholesky_solve(mjtNum* res, const mjtNum* mat, const mjtNum* vec, int n) {
  for (int i = 0; i < n; i++) {  // L y = vec
    const mjtNum* row = mat + i * n;
    mjtNum rest = vec[i];
    for (int j = 0; j < i; j++) {
      rest -= row[j] * res[j];
    }
    res[i] = rest / row[i];
  }
  for (int i = n - 1; i >= 0; i--) {  // L' res = y
    const mjtNum* row = mat + i * n;
    mjtNum x = res[i] / row[i];
    res[i] = x;
    for (int j = 0; j < i; j++) {
      res[j] -= row[j] * x;
    }
  }
}

// The plane rotation (or, for a downdate, hyperbolic one) that clears x against one diagonal
// element of L:
//   l' = (l + s x) / c,  x' = c x - s l'      in the column below; s -> -s in the first for a
//   downdate
typedef struct {
  mjtNum cosine, inverse, sine, signed_sine;
} ct_CholeskyTurn;

LANE_INLINE ct_CholeskyTurn ct_cholesky_turn(mjtNum* diagonal, mjtNum x, int plus, int* rank) {
  ct_CholeskyTurn turn;
  mjtNum square = *diagonal * *diagonal + (plus ? x * x : -(x * x));
  if (square < mjMINVAL) {
    square = mjMINVAL;
    *rank -= 1;
  }
  mjtNum root = ct_sqrt(square);
  turn.cosine = root / *diagonal;
  turn.inverse = 1 / turn.cosine;
  turn.sine = x / *diagonal;
  turn.signed_sine = plus ? turn.sine : -turn.sine;
  *diagonal = root;
  return turn;
}

// Changes the factor of A into that of A + x x' (plus) or A - x x'. x is destroyed. Returns the
// rank: n, less one for every squared diagonal element that had to be raised to mjMINVAL.
LANE_INLINE int ct_cholesky_update(mjtNum* mat, mjtNum* x, int n, int plus) {
  int rank = n;
  for (int k = 0; k < n; k++) {
    if (x[k] == 0) continue;
    ct_CholeskyTurn turn = ct_cholesky_turn(mat + k * (n + 1), x[k], plus, &rank);
    for (int i = k + 1; i < n; i++) {
      mjtNum* l = mat + i * n + k;
      *l = (*l + turn.signed_sine * x[i]) * turn.inverse;
      x[i] = turn.cosine * x[i] - turn.sine * *l;
    }
  }
  return rank;
}

#ifndef __CUDACC__
// The same functions for one core of a CPU, several rows at a time.
int ct_cholesky_factor_wide(mjtNum* mat, int n, mjtNum mindiag);
void ct_cholesky_solve_wide(mjtNum* res, const mjtNum* mat, const mjtNum* vec, int n);
#endif

#endif  // CT_MATH_CHOLESKY_H_
