// Public functions of matrices: math/mat.h and math/spatial.h under their public names,
// decompositions and solvers, sparse matrices, printing. Arguments are checked and scratch is taken
// from the stack here; the work is done in src/math.

#include <stdio.h>

#include <mujoco/mujoco.h>

#include "api/exports.h"
#include "math/band.h"
#include "math/boxqp.h"
#include "math/cholesky.h"
#include "math/eig3.h"
#include "math/mat.h"
#include "math/qcqp.h"
#include "math/sparse.h"
#include "math/sparse_cholesky.h"
#include "math/spatial.h"

// Dense matrices and spatial vectors

void mju_mulMatVec3(mjtNum res[3], const mjtNum mat[9], const mjtNum vec[3]) {
  ct_mul_mat_vec3(res, mat, vec);
}

void mju_mulMatTVec3(mjtNum res[3], const mjtNum mat[9], const mjtNum vec[3]) {
  ct_mul_mat_t_vec3(res, mat, vec);
}

void mju_mulMatMat3(mjtNum product[9], const mjtNum a[9], const mjtNum b[9]) {
  ct_mul_mat_mat3(product, a, b);
}

void mju_mulMatTMat3(mjtNum product[9], const mjtNum a[9], const mjtNum b[9]) {
  ct_mul_mat_t_mat3(product, a, b);
}

void mju_mulMatMatT3(mjtNum product[9], const mjtNum a[9], const mjtNum b[9]) {
  ct_mul_mat_mat_t3(product, a, b);
}

void mju_mulMatVec(mjtNum* res, const mjtNum* mat, const mjtNum* vec, int nr, int nc) {
  ct_mul_mat_vec(res, mat, vec, nr, nc);
}

void mju_mulMatTVec(mjtNum* res, const mjtNum* mat, const mjtNum* vec, int nr, int nc) {
  ct_mul_mat_t_vec(res, mat, vec, nr, nc);
}

mjtNum mju_mulVecMatVec(const mjtNum* vec1, const mjtNum* mat, const mjtNum* vec2, int n) {
  return ct_mul_vec_mat_vec(vec1, mat, vec2, n);
}

void mju_transpose(mjtNum* res, const mjtNum* mat, int nr, int nc) {
  ct_transpose(res, mat, nr, nc);
}

void mju_symmetrize(mjtNum* res, const mjtNum* mat, int n) {
  ct_symmetrize(res, mat, n);
}

void mju_eye(mjtNum* mat, int n) {
  ct_eye(mat, n);
}

void mju_mulMatMat(mjtNum* res, const mjtNum* mat1, const mjtNum* mat2, int r1, int c1, int c2) {
  ct_mul_mat_mat(res, mat1, mat2, r1, c1, c2);
}

void mju_mulMatMatT(mjtNum* res, const mjtNum* mat1, const mjtNum* mat2, int r1, int c1, int r2) {
  ct_mul_mat_mat_t(res, mat1, mat2, r1, c1, r2);
}

void mju_mulMatTMat(mjtNum* res, const mjtNum* mat1, const mjtNum* mat2, int r1, int c1, int c2) {
  ct_mul_mat_t_mat(res, mat1, mat2, r1, c1, c2);
}

void mju_sqrMatTD(mjtNum* res, const mjtNum* mat, const mjtNum* diag, int nr, int nc) {
  ct_sqr_mat_t_d(res, mat, diag, nr, nc);
}

void mju_transformSpatial(mjtNum res[6], const mjtNum vec[6], int flg_force, const mjtNum newpos[3],
                          const mjtNum oldpos[3], const mjtNum rotnew2old[9]) {
  if (flg_force) {
    ct_transform_force(res, vec, newpos, oldpos, rotnew2old);
  } else {
    ct_transform_motion(res, vec, newpos, oldpos, rotnew2old);
  }
}

void mju_mulInertVec(mjtNum momentum[6], const mjtNum inertia[10], const mjtNum velocity[6]) {
  ct_mul_inert_vec(momentum, inertia, velocity);
}

// Decompositions and solvers

int mju_cholFactor(mjtNum* mat, int n, mjtNum mindiag) {
  return ct_cholesky_factor_wide(mat, n, mindiag);
}

void mju_cholSolve(mjtNum* res, const mjtNum* mat, const mjtNum* vec, int n) {
  ct_cholesky_solve_wide(res, mat, vec, n);
}

int mju_cholUpdate(mjtNum* mat, mjtNum* x, int n, int flg_plus) {
  return ct_cholesky_update(mat, x, n, flg_plus);
}

mjtNum mju_cholFactorBand(mjtNum* mat, int ntotal, int nband, int ndense, mjtNum diagadd,
                          mjtNum diagmul) {
  return ct_band_factor(mat, ct_band(ntotal, nband, ndense), diagadd, diagmul);
}

void mju_cholSolveBand(mjtNum* res, const mjtNum* mat, const mjtNum* vec, int ntotal, int nband,
                       int ndense) {
  ct_band_solve(res, mat, vec, ct_band(ntotal, nband, ndense));
}

void mju_band2Dense(mjtNum* res, const mjtNum* mat, int ntotal, int nband, int ndense,
                    mjtByte flg_sym) {
  ct_band_to_dense(res, mat, ct_band(ntotal, nband, ndense), flg_sym);
}

void mju_dense2Band(mjtNum* res, const mjtNum* mat, int ntotal, int nband, int ndense) {
  ct_dense_to_band(res, mat, ct_band(ntotal, nband, ndense));
}

void mju_bandMulMatVec(mjtNum* res, const mjtNum* mat, const mjtNum* vec, int ntotal, int nband,
                       int ndense, int nvec, mjtByte flg_sym) {
  ct_band_mul(res, mat, vec, ct_band(ntotal, nband, ndense), nvec, flg_sym);
}

int mju_bandDiag(int i, int ntotal, int nband, int ndense) {
  return ct_band_diag(ct_band(ntotal, nband, ndense), i);
}

int mju_eig3(mjtNum eigval[3], mjtNum eigvec[9], mjtNum quat[4], const mjtNum mat[9]) {
  return ct_eig3(eigval, eigvec, quat, mat);
}

int mju_QCQP2(mjtNum* x, const mjtNum* A, const mjtNum* b, const mjtNum* scale, mjtNum radius) {
  return ct_qcqp2(x, A, b, scale, radius);
}

int mju_QCQP3(mjtNum* x, const mjtNum* A, const mjtNum* b, const mjtNum* scale, mjtNum radius) {
  return ct_qcqp3(x, A, b, scale, radius);
}

// Raises an error unless the problem makes sense.
static int boxqp_arguments_ok(int n, const mjtNum* lower, const mjtNum* upper) {
  if (n <= 0) {
    mju_error("mju_boxQP: the problem needs at least one variable, n is %d", n);
    return 0;
  }
  for (int i = 0; lower && upper && i < n; i++) {
    if (lower[i] >= upper[i]) {
      mju_error("mju_boxQP: variable %d has lower bound %g, which must be below its upper bound %g",
                i, (double)lower[i], (double)upper[i]);
      return 0;
    }
  }
  return 1;
}

int mju_boxQP(mjtNum* res, mjtNum* R, int* index, const mjtNum* H, const mjtNum* g, int n,
              const mjtNum* lower, const mjtNum* upper) {
  if (!boxqp_arguments_ok(n, lower, upper)) return -1;
  ct_BoxQPOptions options = ct_default_boxqp();
  return ct_boxqp(res, R, index, H, g, n, lower, upper, &options, NULL);
}

int mju_boxQPoption(mjtNum* x, mjtNum* room, int* free_index, const mjtNum* hessian,
                    const mjtNum* slope, int size, const mjtNum* least, const mjtNum* most,
                    int iterations, mjtNum least_gradient, mjtNum shorten, mjtNum least_step,
                    mjtNum enough, char* report_text, int report_room) {
  if (!boxqp_arguments_ok(size, least, most)) return -1;
  ct_BoxQPOptions options = {iterations, least_gradient, shorten, least_step, enough};
  ct_BoxQPReport report;
  int nfree = ct_boxqp(x, room, free_index, hessian, slope, size, least, most, &options, &report);
  if (report_text && report_room > 0) {
    snprintf(report_text, (size_t)report_room,
             "box QP: %s after %d iterations, %d of %d variables free\n", report.ended,
             report.iterations, nfree, size);
  }
  return nfree;
}

void mju_boxQPmalloc(mjtNum** res, mjtNum** R, int** index, mjtNum** H, mjtNum** g, int n,
                     mjtNum** lower, mjtNum** upper) {
  if (!boxqp_arguments_ok(n, NULL, NULL)) return;
  size_t vector = (size_t)n * sizeof(mjtNum);
  *res = (mjtNum*)mju_malloc(vector);
  *R = (mjtNum*)mju_malloc(CT_BOXQP_ROOM((size_t)n) * sizeof(mjtNum));
  *H = (mjtNum*)mju_malloc(vector * (size_t)n);
  *g = (mjtNum*)mju_malloc(vector);
  if (index) *index = (int*)mju_malloc((size_t)n * sizeof(int));
  if (lower) *lower = (mjtNum*)mju_malloc(vector);
  if (upper) *upper = (mjtNum*)mju_malloc(vector);
}

// Sparse matrices

int mju_dense2sparse(mjtNum* res, const mjtNum* mat, int nr, int nc, int* rownnz, int* rowadr,
                     int* colind, int nnz) {
  return ct_dense_to_sparse(res, mat, nr, nc, rownnz, rowadr, colind, nnz);
}

void mju_sparse2dense(mjtNum* res, const mjtNum* mat, int nr, int nc, const int* rownnz,
                      const int* rowadr, const int* colind) {
  ct_sparse_to_dense(res, mat, nr, nc, rownnz, rowadr, colind);
}

mjtNum mju_dotSparse2(const mjtNum* x, const int* x_index, int x_count, const mjtNum* y,
                      const int* y_index, int y_count) {
  return ct_dot_sparse2(x, x_index, x_count, y, y_index, y_count);
}

int mju_combineSparseCount(int x_count, int y_count, const int* x_index, const int* y_index) {
  return ct_union_count(x_index, x_count, y_index, y_count);
}

void mju_mulMatVecSparse(mjtNum* product, const mjtNum* a, const mjtNum* x, int rows,
                         const int* a_count, const int* a_start, const int* a_column,
                         const int* a_alike) {
  (void)a_alike;
  ct_mul_mat_vec_sparse(product, a, x, rows, a_count, a_start, a_column);
}

void mju_mulMatTVecSparse(mjtNum* product, const mjtNum* a, const mjtNum* x, int rows, int columns,
                          const int* a_count, const int* a_start, const int* a_column) {
  ct_mul_mat_t_vec_sparse(product, a, x, rows, columns, a_count, a_start, a_column);
}

void mju_mulSymVecSparse(mjtNum* product, const mjtNum* a, const mjtNum* x, int size,
                         const int* a_count, const int* a_start, const int* a_column) {
  ct_mul_sym_vec_sparse(product, a, x, size, a_count, a_start, a_column);
}

void mju_addToMatSparse(mjtNum* a, int* a_count, int* a_start, int* a_column, int rows,
                        const mjtNum* b, const int* b_count, const int* b_start,
                        const int* b_column, mjtNum* spare_numbers, int* spare_indices) {
  (void)spare_numbers;
  (void)spare_indices;
  for (int i = 0; i < rows; i++) {
    a_count[i] = ct_add_sparse_row(a + a_start[i], a_column + a_start[i], a_count[i],
                                   b + b_start[i], b_column + b_start[i], b_count[i], 1);
  }
}

void mju_addToSymSparse(mjtNum* dense, const mjtNum* a, int size, const int* a_count,
                        const int* a_start, const int* a_column, int both_triangles) {
  ct_add_sym_sparse(dense, a, size, a_count, a_start, a_column, both_triangles);
}

int mju_compressSparse(mjtNum* a, int rows, int columns, int* a_count, int* a_start, int* a_column,
                       mjtNum threshold) {
  (void)columns;
  return ct_compress_sparse(a, rows, a_count, a_start, a_column, threshold);
}

void mju_transposeSparse(mjtNum* t, const mjtNum* a, int rows, int columns, int* t_count,
                         int* t_start, int* t_column, int* t_alike, const int* a_count,
                         const int* a_start, const int* a_column) {
  ct_transpose_sparse(t, a, rows, columns, t_count, t_start, t_column, a_count, a_start, a_column);
  if (!t_alike) return;
  ct_find_supernodes(lane_one(), columns, t_alike, t_count, t_start, t_column);
}

void mju_superSparse(int rows, int* a_alike, const int* a_count, const int* a_start,
                     const int* a_column) {
  ct_find_supernodes(lane_one(), rows, a_alike, a_count, a_start, a_column);
}

void mju_sqrMatTDSparse(mjtNum* square, const mjtNum* a, const mjtNum* t, const mjtNum* weight,
                        int rows, int columns, int* square_count, const int* square_start,
                        int* square_column, const int* a_count, const int* a_start,
                        const int* a_column, const int* a_alike, const int* t_count,
                        const int* t_start, const int* t_column, const int* t_alike, mjData* lender,
                        int* diagonal) {
  (void)rows, (void)a_alike, (void)t_alike, (void)lender;
  ct_square_sparse(square, a, weight, columns, square_count, square_start, square_column, a_count,
                   a_start, a_column, t, t_count, t_start, t_column, diagonal, 1);
}

void mju_sqrMatTDSparse_row(mjtNum* square, const mjtNum* a, const mjtNum* t, const mjtNum* weight,
                            int rows, int columns, int* square_count, const int* square_start,
                            int* square_column, const int* a_count, const int* a_start,
                            const int* a_column, const int* a_alike, const int* t_count,
                            const int* t_start, const int* t_column, const int* t_alike,
                            mjData* lender, int* diagonal) {
  (void)rows, (void)a_alike, (void)t_alike, (void)lender;
  ct_square_sparse(square, a, weight, columns, square_count, square_start, square_column, a_count,
                   a_start, a_column, t, t_count, t_start, t_column, diagonal, 0);
}

int mju_sqrMatTDSparseCount(int* square_count, int* square_start, int size, const int* a_count,
                            const int* a_start, const int* a_column, const int* t_count,
                            const int* t_start, const int* t_column, const int* t_alike,
                            mjData* lender, int both_triangles) {
  (void)t_alike;
  mj_markStack(lender);
  int* mark = mj_stackAllocInt(lender, (size_t)size);
  int total = ct_square_sparse_count(square_count, square_start, size, a_count, a_start, a_column,
                                     t_count, t_start, t_column, both_triangles, mark);
  mj_freeStack(lender);
  return total;
}

void mju_sqrMatTDUncompressedInit(int* square_start, int size) {
  for (int r = 0; r < size; r++) {
    square_start[r] = r * size;
  }
}

void mju_sparseMap(int* place, int rows, const int* b_start, const int* b_count,
                   const int* b_column, const int* a_start, const int* a_count,
                   const int* a_column) {
  ct_sparse_map(place, rows, b_start, b_count, b_column, a_start, a_count, a_column);
}

void mju_lower2SymMap(int* place, int rows, const int* full_start, const int* full_count,
                      const int* full_column, const int* lower_start, const int* lower_count,
                      const int* lower_column, int* spare) {
  (void)spare;
  ct_lower_to_symmetric_map(place, rows, full_start, full_count, full_column, lower_start,
                            lower_count, lower_column);
}

void mju_blockDiag(mjtNum* blocks, const mjtNum* a, int a_width, int blocks_width, int nblock,
                   const int* row_order, const int* column_order, const int* block_rows,
                   const int* block_columns, const int* block_first_row,
                   const int* block_first_column) {
  for (int k = 0; k < nblock; k++) {
    mjtNum* to = blocks + block_first_row[k] * blocks_width;
    for (int i = 0; i < block_rows[k]; i++) {
      const mjtNum* from = a + row_order[block_first_row[k] + i] * a_width;
      for (int j = 0; j < block_columns[k]; j++) {
        *to++ = from[column_order[block_first_column[k] + j]];
      }
    }
  }
}

void mju_blockDiagSparse(mjtNum* blocks, int* blocks_count, int* blocks_start, int* blocks_column,
                         const mjtNum* a, const int* a_count, const int* a_start,
                         const int* a_column, int rows, int nblock, const int* row_order,
                         const int* new_column, const int* block_first_row,
                         const int* block_first_column, mjtNum* second_blocks,
                         const mjtNum* second_a) {
  int used = 0, block = 0;
  for (int i = 0; i < rows; i++) {
    while (block + 1 < nblock && i >= block_first_row[block + 1]) block++;
    int row = row_order[i];
    blocks_start[i] = used;
    blocks_count[i] = a_count[row];
    for (int k = a_start[row]; k < a_start[row] + a_count[row]; k++, used++) {
      blocks[used] = a[k];
      if (second_blocks && second_a) second_blocks[used] = second_a[k];
      blocks_column[used] = new_column[a_column[k]] - block_first_column[block];
    }
  }
}

int mju_cholFactorSparse(mjtNum* a, int size, mjtNum least_pivot, int* a_count, const int* a_start,
                         int* a_column, mjData* lender) {
  (void)lender;
  return ct_sparse_cholesky_factor(a, size, least_pivot, a_count, a_start, a_column);
}

int mju_cholUpdateSparse(mjtNum* l, const mjtNum* x, int size, int add, const int* l_count,
                         const int* l_start, const int* l_column, int x_count, const int* x_index,
                         mjData* lender) {
  if (x_count <= 0) return size;
  mj_markStack(lender);
  mjtNum* dense = mj_stackAllocNum(lender, (size_t)size);
  ct_zero(dense, size);
  ct_add_to_scl_sparse(dense, x, x_index, 1, x_count);
  int rank = ct_sparse_cholesky_update(l, dense, size, add, l_count, l_start, l_column,
                                       x_index[x_count - 1]);
  mj_freeStack(lender);
  return rank;
}

int mju_cholFactorSymbolic(int* l_column, int* l_count, int* l_start, int* t_column, int* t_count,
                           int* t_start, int* t_place, const int* a_count, const int* a_start,
                           const int* a_column, int size, mjData* lender) {
  ct_CholeskyPattern pattern = {l_count, l_start, l_column, t_count, t_start, t_column, t_place};
  mj_markStack(lender);
  int* scratch = mj_stackAllocInt(lender, 2 * (size_t)size);
  int total = 0;
  if (l_column) {
    ct_sparse_cholesky_fill(&pattern, size, a_count, a_start, a_column, scratch);
  } else {
    total = ct_sparse_cholesky_count(&pattern, size, a_count, a_start, a_column, scratch);
  }
  mj_freeStack(lender);
  return total;
}

int mju_cholFactorNumeric(mjtNum* l, int size, mjtNum least_pivot, const int* l_count,
                          const int* l_start, const int* l_column, const int* t_count,
                          const int* t_start, const int* t_column, const int* t_place,
                          const mjtNum* a, const int* a_count, const int* a_start,
                          const int* a_column, mjData* lender) {
  ct_CholeskyPatternView pattern = {l_count, l_start,  l_column, t_count,
                                    t_start, t_column, t_place};
  mj_markStack(lender);
  mjtNum* row = mj_stackAllocNum(lender, (size_t)size);
  int rank =
      ct_sparse_cholesky_values(l, size, least_pivot, &pattern, a, a_count, a_start, a_column, row);
  mj_freeStack(lender);
  return rank;
}

// Printing

void mju_printMat(const mjtNum* mat, int nr, int nc) {
  for (int r = 0; r < nr; r++) {
    for (int c = 0; c < nc; c++) printf("%.8f ", (double)mat[(size_t)r * (size_t)nc + (size_t)c]);
    printf("\n");
  }
  printf("\n");
}

void mju_printMatSparse(const mjtNum* mat, int nr, const int* rownnz, const int* rowadr,
                        const int* colind) {
  for (int r = 0; r < nr; r++) {
    for (int k = rowadr[r]; k < rowadr[r] + rownnz[r]; k++) {
      printf("(%d %d): %9.6f  ", r, colind[k], (double)mat[k]);
    }
    printf("\n");
  }
  printf("\n");
}
