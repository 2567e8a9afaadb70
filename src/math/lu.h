// Sparse LU without pivoting, for the implicit integrator (smooth-dynamics: M - h D).
//
// A is n x n in compressed rows (rownnz, rowadr, colind) with ascending columns, a structurally
// symmetric pattern that holds the diagonal and needs no fill-in, such as "ancestors and
// descendants in a tree". Elimination runs from the last row to the first, which is what keeps a
// tree free of fill-in:
//
//   A = (I + U) L,  U strictly upper, L lower with the diagonal, both stored in place of A.
//
// With a list of rows (ascending) only these are touched; rows outside of it must not couple to
// them.

#ifndef CT_MATH_LU_H_
#define CT_MATH_LU_H_

#include "corten/status.h"
#include "math/scalar.h"

typedef struct {
  int n;            // number of rows to work on
  const int* rows;  // which rows, ascending, or NULL for 0 ... n-1
  const int* rownnz;
  const int* rowadr;
  const int* colind;
} ct_LuPattern;

LANE_INLINE int ct_lu_row(const ct_LuPattern* p, int i) {
  return p->rows ? p->rows[i] : i;
}

// Address of element (row, column), or -1.
LANE_INLINE int ct_lu_find(const ct_LuPattern* p, int row, int column) {
  int low = p->rowadr[row], high = low + p->rownnz[row] - 1;
  while (low <= high) {
    int middle = (low + high) / 2;
    if (p->colind[middle] == column) return middle;
    if (p->colind[middle] < column) {
      low = middle + 1;
    } else {
      high = middle - 1;
    }
  }
  return -1;
}

// Row j less f times row r, in the columns left of r; false if row j lacks one of them.
LANE_INLINE int ct_lu_eliminate(mjtNum* lu, const ct_LuPattern* p, int j, int r, int diagonal,
                                mjtNum f) {
  int at = p->rowadr[j], end = at + p->rownnz[j];
  for (int k = p->rowadr[r]; k < diagonal; k++) {
    while (at < end && p->colind[at] < p->colind[k]) at++;
    if (at == end || p->colind[at] != p->colind[k]) return 0;
    lu[at] -= f * lu[k];
  }
  return 1;
}

// Factorises in place. Returns CT_OK, or CT_LU_SINGULAR with the factor half done if a diagonal
// element is missing, a pivot is smaller than mjMINVAL, or the pattern needs fill-in (R13.7). A
// pivot that is not a number does not end it: it spreads to the solution, where checks of
// accelerations and states find it.
LANE_INLINE ct_Status ct_lu_factor_sparse(mjtNum* lu, const ct_LuPattern* p) {
  for (int i = p->n - 1; i >= 0; i--) {
    int r = ct_lu_row(p, i);
    int diagonal = ct_lu_find(p, r, r);
    if (diagonal < 0 || ct_abs(lu[diagonal]) < mjMINVAL) return CT_LU_SINGULAR;
    for (int k = p->rowadr[r]; k < diagonal; k++) {
      int j = p->colind[k];
      int above = ct_lu_find(p, j, r);
      if (above < 0) return CT_LU_SINGULAR;
      lu[above] /= lu[diagonal];
      if (!ct_lu_eliminate(lu, p, j, r, diagonal, lu[above])) return CT_LU_SINGULAR;
    }
  }
  return CT_OK;
}

// res = A^-1 vec from the factor. res may be vec; elements outside of the rows are left alone.
LANE_INLINE void ct_lu_solve_sparse(mjtNum* res, const mjtNum* lu, const mjtNum* vec,
                                    const ct_LuPattern* p) {
  for (int i = p->n - 1; i >= 0; i--) {  // (I + U) y = vec
    int r = ct_lu_row(p, i);
    mjtNum rest = vec[r];
    for (int k = p->rowadr[r] + p->rownnz[r] - 1; k >= p->rowadr[r] && p->colind[k] > r; k--) {
      rest -= lu[k] * res[p->colind[k]];
    }
    res[r] = rest;
  }
  for (int i = 0; i < p->n; i++) {  // L res = y
    int r = ct_lu_row(p, i);
    mjtNum rest = res[r];
    int k = p->rowadr[r];
    for (; p->colind[k] < r; k++) {
      rest -= lu[k] * res[p->colind[k]];
    }
    res[r] = rest / lu[k];
  }
}

#endif  // CT_MATH_LU_H_
