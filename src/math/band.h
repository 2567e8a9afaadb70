// Symmetric matrices that are banded except for some dense rows at the end, and their Cholesky
// factor.
//
//   ntotal  rows                      nband   width of the band, diagonal included
//   ndense  dense rows at the end     nsparse = ntotal - ndense
//
// Stored are nsparse rows of nband numbers, row i holding columns i - nband + 1 ... i (so the
// diagonal comes last, and what lies left of column 0 is unused), then ndense full rows of ntotal
// numbers, of which only the lower triangle counts.

#ifndef CT_MATH_BAND_H_
#define CT_MATH_BAND_H_

#include "math/scalar.h"
#include "math/vec.h"

typedef struct {
  int ntotal, nband, ndense;
} ct_Band;

LANE_INLINE ct_Band ct_band(int ntotal, int nband, int ndense) {
  ct_Band band;
  band.ntotal = ntotal;
  band.nband = nband;
  band.ndense = ndense;
  return band;
}

// Address of the diagonal element of row i. Elements left of it are at smaller addresses in column
// order.
LANE_INLINE int ct_band_diag(ct_Band b, int i) {
  int nsparse = b.ntotal - b.ndense;
  return i < nsparse ? i * b.nband + b.nband - 1 : nsparse * b.nband + (i - nsparse) * b.ntotal + i;
}

// First column stored in row i.
LANE_INLINE int ct_band_first(ct_Band b, int i) {
  return i < b.ntotal - b.ndense && i >= b.nband ? i - b.nband + 1 : 0;
}

// Row i such that row[j] is element (i, j), for j from ct_band_first to i. The pointer itself may
// lie outside of the matrix, which is why it is an address and not a pointer.
LANE_INLINE int ct_band_row(ct_Band b, int i) {
  return ct_band_diag(b, i) - i;
}

// Overwrites mat with the factor L of mat + diag(diagadd + diagmul * diagonal). Returns the
// smallest pivot before the square root, or 0 as soon as one is below mjMINVAL, leaving the factor
// half done.
mjtNum ct_band_factor(mjtNum* mat, ct_Band b, mjtNum diagadd, mjtNum diagmul);

// res = (L L')^-1 vec. res may be vec.
void ct_band_solve(mjtNum* res, const mjtNum* mat, const mjtNum* vec, ct_Band b);

// Dense (ntotal x ntotal) from banded: the lower triangle, zero elsewhere; mirrored if symmetric.
void ct_band_to_dense(mjtNum* res, const mjtNum* mat, ct_Band b, int symmetric);

// Banded from dense; reads the lower triangle only and leaves unused elements of res alone.
void ct_dense_to_band(mjtNum* res, const mjtNum* mat, ct_Band b);

// res = mat vec for nvec vectors, one after the other. The lower triangle alone, or the symmetric
// matrix.
void ct_band_mul(mjtNum* res, const mjtNum* mat, const mjtNum* vec, ct_Band b, int nvec,
                 int symmetric);

#endif  // CT_MATH_BAND_H_
