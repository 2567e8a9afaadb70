// Band-dense matrices: factor, solve, product, conversion. See band.h for the storage.
//
// Rows are addressed so that mat[row + j] is element (i, j); a dense row is a band that reaches to
// column 0.

#include "math/band.h"

// Products of rows i and j over the columns before j that both have.
static mjtNum row_product(const mjtNum* mat, ct_Band b, int i, int j) {
  int first_i = ct_band_first(b, i), first_j = ct_band_first(b, j);
  int first = first_i > first_j ? first_i : first_j;
  if (first >= j) return 0;
  return ct_dot(mat + ct_band_row(b, i) + first, mat + ct_band_row(b, j) + first, j - first);
}

mjtNum ct_band_factor(mjtNum* mat, ct_Band b, mjtNum diagadd, mjtNum diagmul) {
  mjtNum smallest = -1;
  for (int j = 0; j < b.ntotal; j++) {
    mjtNum* diagonal = mat + ct_band_diag(b, j);
    mjtNum pivot = *diagonal + (diagadd + diagmul * *diagonal);
    pivot -= row_product(mat, b, j, j);
    if (pivot < mjMINVAL) return 0;
    if (smallest < 0 || pivot < smallest) smallest = pivot;
    *diagonal = ct_sqrt(pivot);

    // the column below: rows of the band as far as it reaches, then the dense rows
    mjtNum inverse = 1 / *diagonal;
    for (int i = j + 1; i < b.ntotal; i++) {
      if (ct_band_first(b, i) > j) {
        i = b.ntotal - b.ndense - 1;
        continue;
      }
      mjtNum* element = mat + ct_band_row(b, i) + j;
      *element = (*element - row_product(mat, b, i, j)) * inverse;
    }
  }
  return smallest < 0 ? 0 : smallest;
}

void ct_band_solve(mjtNum* res, const mjtNum* mat, const mjtNum* vec, ct_Band b) {
  for (int i = 0; i < b.ntotal; i++) {  // L y = vec
    int first = ct_band_first(b, i), row = ct_band_row(b, i);
    mjtNum known = i > first ? ct_dot(mat + row + first, res + first, i - first) : 0;
    res[i] = (vec[i] - known) / mat[row + i];
  }
  for (int i = b.ntotal - 1; i >= 0; i--) {  // L' res = y
    int first = ct_band_first(b, i), row = ct_band_row(b, i);
    res[i] /= mat[row + i];
    ct_add_to_scl(res + first, mat + row + first, -res[i], i - first);
  }
}

void ct_band_to_dense(mjtNum* res, const mjtNum* mat, ct_Band b, int symmetric) {
  int n = b.ntotal;
  ct_zero(res, n * n);
  for (int i = 0; i < n; i++) {
    int row = ct_band_row(b, i);
    for (int j = ct_band_first(b, i); j <= i; j++) {
      res[i * n + j] = mat[row + j];
      if (symmetric) res[j * n + i] = mat[row + j];
    }
  }
}

void ct_dense_to_band(mjtNum* res, const mjtNum* mat, ct_Band b) {
  for (int i = 0; i < b.ntotal; i++) {
    int first = ct_band_first(b, i), row = ct_band_row(b, i);
    ct_copy(res + row + first, mat + i * b.ntotal + first, i - first + 1);
  }
}

void ct_band_mul(mjtNum* res, const mjtNum* mat, const mjtNum* vec, ct_Band b, int nvec,
                 int symmetric) {
  for (int v = 0; v < nvec; v++, res += b.ntotal, vec += b.ntotal) {
    for (int i = 0; i < b.ntotal; i++) {
      int first = ct_band_first(b, i), row = ct_band_row(b, i);
      res[i] = ct_dot(mat + row + first, vec + first, i - first + 1);
      if (symmetric) ct_add_to_scl(res + first, mat + row + first, vec[i], i - first);
    }
  }
}
