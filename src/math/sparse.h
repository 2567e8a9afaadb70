// Sparse matrices in compressed rows: rownnz[i] elements of row i stand at rowadr[i], with columns
// colind, ascending.
//
// Rows need not be packed: a row may have room behind its elements, into which functions that say
// so grow it. All outputs are owned by the caller; nothing is allocated. Sums run in the order of
// the stored elements.

#ifndef CT_MATH_SPARSE_H_
#define CT_MATH_SPARSE_H_

#include <stdbool.h>
#include <stddef.h>

#include "base/lanes.h"
#include "math/mat.h"
#include "math/scalar.h"
#include "math/vec.h"

// Sparse times dense.
LANE_INLINE mjtNum ct_dot_sparse(const mjtNum* sparse, const int* ind, int nnz,
                                 const mjtNum* dense) {
  mjtNum sum = lane_num(0);
  for (int k = 0; k < nnz; k++) {
    sum += sparse[k] * dense[ind[k]];
  }
  return sum;
}

#ifndef CT_SIDE_BY_SIDE
// The same for rows with runs of three neighbouring columns, as points that move in space have: the
// column of the first of them says where all are.
LANE_INLINE mjtNum ct_dot_sparse_runs(const mjtNum* sparse, const int* ind, int nnz,
                                      const mjtNum* dense) {
  mjtNum sum = 0;
  int k = 0;
  while (k + 3 <= nnz && ind[k + 2] == ind[k] + 2) {
    const mjtNum* x = dense + ind[k];
    sum += sparse[k] * x[0];
    sum += sparse[k + 1] * x[1];
    sum += sparse[k + 2] * x[2];
    k += 3;
  }
  for (; k < nnz; k++) sum += sparse[k] * dense[ind[k]];
  return sum;
}

// res (4) = four rows, one after the other, with the same columns, times dense. Their sums do not
// wait for each other, and each is the sum that the row would have alone.
LANE_INLINE void ct_dot_four_alike(mjtNum* res, const mjtNum* sparse, const int* ind, int n,
                                   const mjtNum* dense) {
#ifdef __CUDACC__
  for (int i = 0; i < 4; i++) res[i] = ct_dot_sparse(sparse + i * n, ind, n, dense);
#else
  const mjtNum *a = sparse, *b = sparse + n, *c = sparse + 2 * n, *d = sparse + 3 * n;
  Wide sum = wide_all(0);
  int k = 0;
  for (; k + 4 <= n; k += 4) {
    Wide part[4];
    ct_columns_of_four(part, wide_load(a + k), wide_load(b + k), wide_load(c + k),
                       wide_load(d + k));
    for (int q = 0; q < 4; q++) {
      sum = wide_add(sum, wide_mul(part[q], wide_all(dense[ind[k + q]])));
    }
  }
  for (; k < n; k++) {
    Wide part = {a[k], b[k], c[k], d[k]};
    sum = wide_add(sum, wide_mul(part, wide_all(dense[ind[k]])));
  }
  wide_store(res, sum);
#endif
}

// dense += four such rows, each with its scale, one after the other. What adding a zero does to a
// -0 is for the caller to know.
LANE_INLINE void ct_add_four_alike(mjtNum* dense, const mjtNum* sparse, const int* ind, int n,
                                   const mjtNum* scale) {
  int k = 0;
  while (k < n) {
    mjtNum* x = dense + ind[k];
#if LANE_WIDTH > 1
    if (k + 4 <= n && ind[k + 3] == ind[k] + 3) {
      Wide sum = wide_load(x);
      for (int q = 0; q < 4; q++) {
        sum = wide_add(sum, wide_mul(wide_load(sparse + q * n + k), wide_all(scale[q])));
      }
      wide_store(x, sum);
      k += 4;
      continue;
    }
#endif
    mjtNum sum = *x;
    for (int q = 0; q < 4; q++) sum += sparse[q * n + k] * scale[q];
    *x = sum;
    k++;
  }
}

// Sparse times sparse.
LANE_INLINE mjtNum ct_dot_sparse2(const mjtNum* a, const int* a_ind, int a_nnz, const mjtNum* b,
                                  const int* b_ind, int b_nnz) {
  mjtNum sum = 0;
  int i = 0, j = 0;
  while (i < a_nnz && j < b_nnz) {
    if (a_ind[i] == b_ind[j]) {
      sum += a[i++] * b[j++];
    } else if (a_ind[i] < b_ind[j]) {
      i++;
    } else {
      j++;
    }
  }
  return sum;
}

#endif

// dense += scale * sparse
LANE_INLINE void ct_add_to_scl_sparse(mjtNum* dense, const mjtNum* sparse, const int* ind,
                                      mjtNum scale, int nnz) {
  for (int k = 0; k < nnz; k++) {
    dense[ind[k]] += sparse[k] * scale;
  }
}

// The same where the first `lead` columns follow each other, as those of a floating base do. On the
// CPU these are words; sums keep their order.

LANE_INLINE mjtNum ct_sum_led_(mjtNum sum, const mjtNum* sparse, const int* ind, int nnz, int lead,
                               const mjtNum* dense, bool minus) {
  int k = 0;
#if LANE_WIDTH == 1
  (void)lead;
#else
  const mjtNum* led = dense + (lead >= LANE_WIDTH ? ind[0] : 0);
  for (; k + LANE_WIDTH <= lead; k += LANE_WIDTH) {
    Wide p = wide_mul(wide_load(sparse + k), wide_load(led + k));
    sum = minus ? sum - p[0] - p[1] - p[2] - p[3] : sum + p[0] + p[1] + p[2] + p[3];
  }
#endif
  for (; k < nnz; k++) {
    mjtNum product = sparse[k] * dense[ind[k]];
    sum = minus ? sum - product : sum + product;
  }
  return sum;
}

LANE_INLINE mjtNum ct_dot_led(const mjtNum* sparse, const int* ind, int nnz, int lead,
                              const mjtNum* dense) {
  return ct_sum_led_(lane_num(0), sparse, ind, nnz, lead, dense, false);
}

// sum - sparse . dense, term by term
LANE_INLINE mjtNum ct_minus_dot_led(mjtNum sum, const mjtNum* sparse, const int* ind, int nnz,
                                    int lead, const mjtNum* dense) {
  return ct_sum_led_(sum, sparse, ind, nnz, lead, dense, true);
}

LANE_INLINE void ct_add_to_scl_led(mjtNum* dense, const mjtNum* sparse, const int* ind,
                                   mjtNum scale, int nnz, int lead) {
  int k = 0;
#if LANE_WIDTH == 1
  (void)lead;
#else
  mjtNum* led = dense + (lead >= LANE_WIDTH ? ind[0] : 0);
  for (; k + LANE_WIDTH <= lead; k += LANE_WIDTH) {
    Wide product = wide_mul(wide_load(sparse + k), wide_all(scale));
    wide_store(led + k, wide_add(wide_load(led + k), product));
  }
#endif
  for (; k < nnz; k++) {
    dense[ind[k]] += sparse[k] * scale;
  }
}

#ifndef CT_SIDE_BY_SIDE
// The same with runs of three columns.
LANE_INLINE void ct_add_to_scl_sparse_runs(mjtNum* dense, const mjtNum* sparse, const int* ind,
                                           mjtNum scale, int nnz) {
  int k = 0;
  while (k + 3 <= nnz && ind[k + 2] == ind[k] + 2) {
    mjtNum* x = dense + ind[k];
    mjtNum x0 = x[0] + sparse[k] * scale, x1 = x[1] + sparse[k + 1] * scale;
    mjtNum x2 = x[2] + sparse[k + 2] * scale;
    x[0] = x0;
    x[1] = x1;
    x[2] = x2;
    k += 3;
  }
  for (; k < nnz; k++) dense[ind[k]] += sparse[k] * scale;
}

// Number of columns in the union of two ascending lists.
LANE_INLINE int ct_union_count(const int* a, int a_nnz, const int* b, int b_nnz) {
  int i = 0, j = 0, count = 0;
  while (i < a_nnz && j < b_nnz) {
    int left = a[i], right = b[j];
    i += left <= right;
    j += right <= left;
    count++;
  }
  return count + (a_nnz - i) + (b_nnz - j);
}

// row += scale * other, where row grows to the union of both patterns; returns its new length.
// Merges from the back, so that elements of row only move to the right and no scratch is needed.
LANE_INLINE int ct_add_sparse_row(mjtNum* row, int* ind, int nnz, const mjtNum* other,
                                  const int* other_ind, int other_nnz, mjtNum scale) {
  int count = ct_union_count(ind, nnz, other_ind, other_nnz);
  int i = nnz - 1, j = other_nnz - 1;
  for (int to = count - 1; j >= 0; to--) {
    int here = i >= 0 && ind[i] >= other_ind[j], there = i < 0 || ind[i] <= other_ind[j];
    mjtNum value = there ? scale * other[j] : 0;
    int column = there ? other_ind[j] : ind[i];
    if (here) value = there ? row[i] + value : row[i];
    row[to] = value;
    ind[to] = column;
    i -= here;
    j -= there;
  }
  return count;
}

// row += scale * other in the columns that both have; both ascending.
LANE_INLINE void ct_add_common_sparse(mjtNum* row, const int* ind, int nnz, const mjtNum* other,
                                      const int* other_ind, int other_nnz, mjtNum scale) {
  for (int k = 0, i = 0; k < nnz && i < other_nnz;) {
    int at = ind[k], other_at = other_ind[i];
    if (at == other_at) row[k] += scale * other[i];
    k += at <= other_at;
    i += other_at <= at;
  }
}

// Do rows i and k of a sparse matrix have the same columns?
LANE_INLINE bool ct_same_columns(int i, int k, const int* rownnz, const int* rowadr,
                                 const int* colind) {
  const int *a = colind + rowadr[i], *b = colind + rowadr[k];
  if (rownnz[i] != rownnz[k]) return false;
  int differ = 0;  // mostly nothing does, and a loop that goes on to the end is a wide one
  for (int e = 0; e < rownnz[i]; e++) differ |= a[e] ^ b[e];
  return !differ;
}

// super[i]: how many rows right behind row i have its columns. First only whether the next has,
// then runs are counted from their ends.
LANE_FN static inline void ct_find_supernodes(Lane g, int nr, int* super, const int* rownnz,
                                              const int* rowadr, const int* colind) {
  LANE_FOR(i, g, nr) {
    super[i] = i + 1 < nr && ct_same_columns(i, i + 1, rownnz, rowadr, colind) ? 1 : 0;
  }
  LANE_ALONE(g) {
    for (int i = nr - 2; i >= 0; i--) {
      if (super[i]) super[i] += super[i + 1];
    }
  }
}

// Zeros are dropped. Returns 1 if there is no room (nnz) for all, or none at all; else 0.
int ct_dense_to_sparse(mjtNum* res, const mjtNum* mat, int nr, int nc, int* rownnz, int* rowadr,
                       int* colind, int nnz);
void ct_sparse_to_dense(mjtNum* res, const mjtNum* mat, int nr, int nc, const int* rownnz,
                        const int* rowadr, const int* colind);

// res (nr) = mat vec;  res (nc) = mat' vec, where zeros of vec are skipped
void ct_mul_mat_vec_sparse(mjtNum* res, const mjtNum* mat, const mjtNum* vec, int nr,
                           const int* rownnz, const int* rowadr, const int* colind);
void ct_mul_mat_t_vec_sparse(mjtNum* res, const mjtNum* mat, const mjtNum* vec, int nr, int nc,
                             const int* rownnz, const int* rowadr, const int* colind);

// res = S vec for a symmetric S stored as lower triangle, diagonal last in each row.
void ct_mul_sym_vec_sparse(mjtNum* res, const mjtNum* mat, const mjtNum* vec, int n,
                           const int* rownnz, const int* rowadr, const int* colind);

// Dense res += S, its lower triangle or both.
void ct_add_sym_sparse(mjtNum* res, const mjtNum* mat, int n, const int* rownnz, const int* rowadr,
                       const int* colind, int upper);

// Packs the rows, dropping elements up to minval in magnitude unless minval is negative. Returns
// their number.
int ct_compress_sparse(mjtNum* mat, int nr, int* rownnz, int* rowadr, int* colind, mjtNum minval);

// Transpose (nc x nr), packed. Values are left out if res or mat is NULL. mat and colind begin with
// row 0, whatever its address: rows from the middle of a matrix keep the addresses they have there.
void ct_transpose_sparse(mjtNum* res, const mjtNum* mat, int nr, int nc, int* res_rownnz,
                         int* res_rowadr, int* res_colind, const int* rownnz, const int* rowadr,
                         const int* colind);

// res = mat' diag(diag) mat, from mat and its transpose; diag NULL stands for ones. Row r of res
// must have room for all columns up to r that some row of mat shares with column r (all columns if
// symmetric). The lower triangle, or both if diagind, which then receives the addresses of the
// diagonal. fill_diagonal stores the diagonal even where it is structurally zero.
void ct_square_sparse(mjtNum* res, const mjtNum* mat, const mjtNum* diag, int nc, int* res_rownnz,
                      const int* res_rowadr, int* res_colind, const int* rownnz, const int* rowadr,
                      const int* colind, const mjtNum* matT, const int* rownnzT, const int* rowadrT,
                      const int* colindT, int* diagind, int fill_diagonal);

// Sizes and packed addresses of the rows of mat' mat; mark (nc) is scratch. Returns the total.
int ct_square_sparse_count(int* res_rownnz, int* res_rowadr, int nc, const int* rownnz,
                           const int* rowadr, const int* colind, const int* rownnzT,
                           const int* rowadrT, const int* colindT, int upper, int* mark);

// For every element of res, the address of the same element of src, whose pattern includes that of
// res.
void ct_sparse_map(int* map, int nr, const int* res_rowadr, const int* res_rownnz,
                   const int* res_colind, const int* src_rowadr, const int* src_rownnz,
                   const int* src_colind);

// For every element of a symmetric pattern, the address of the element in its lower triangle, or
// -1.
void ct_lower_to_symmetric_map(int* map, int n, const int* sym_rowadr, const int* sym_rownnz,
                               const int* sym_colind, const int* low_rowadr, const int* low_rownnz,
                               const int* low_colind);

#endif

#endif  // CT_MATH_SPARSE_H_
