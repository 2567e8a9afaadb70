// Sparse Cholesky in reverse order, A = L' L with L lower triangular: from the last row to the
// first, which creates no fill-in on trees. Rows are compressed, columns ascending, diagonal last.

#ifndef CT_MATH_SPARSE_CHOLESKY_H_
#define CT_MATH_SPARSE_CHOLESKY_H_

#include "mujoco/mjtnum.h"

// In place; rows grow into the room behind them. Returns the rank, as the dense factor does.
int ct_sparse_cholesky_factor(mjtNum* mat, int n, mjtNum mindiag, int* rownnz, const int* rowadr,
                              int* colind);

// Factor of A + x x' (plus) or A - x x' for x given as a dense scratch vector, which is destroyed.
// Rows must have the pattern of the result already. last: the last nonzero of x.
int ct_sparse_cholesky_update(mjtNum* mat, mjtNum* x, int n, int plus, const int* rownnz,
                              const int* rowadr, const int* colind, int last);

// Pattern of the factor, by rows and transposed. The two are called one after the other: count,
// then allocate, then fill. H holds the pattern of A: its upper triangle is read. scratch: 2 n
// integers each.
typedef struct {
  int *rownnz, *rowadr, *colind;     // of L
  int *rownnzT, *rowadrT, *colindT;  // of L', the diagonal first in each row
  int* map;                          // address in L of each element of L'
} ct_CholeskyPattern;

// The same, to read from.
typedef struct {
  const int *rownnz, *rowadr, *colind, *rownnzT, *rowadrT, *colindT, *map;
} ct_CholeskyPatternView;

int ct_sparse_cholesky_count(const ct_CholeskyPattern* L, int n, const int* H_rownnz,
                             const int* H_rowadr, const int* H_colind, int* scratch);
void ct_sparse_cholesky_fill(const ct_CholeskyPattern* L, int n, const int* H_rownnz,
                             const int* H_rowadr, const int* H_colind, int* scratch);

// Values of the factor of H, of which the lower triangle is read; row (n) is scratch. Returns the
// rank.
int ct_sparse_cholesky_values(mjtNum* values, int n, mjtNum mindiag,
                              const ct_CholeskyPatternView* L, const mjtNum* H, const int* H_rownnz,
                              const int* H_rowadr, const int* H_colind, mjtNum* row);

#endif  // CT_MATH_SPARSE_CHOLESKY_H_
