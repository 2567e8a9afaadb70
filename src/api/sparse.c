// Public and exported sparse functions: scratch from the stack, then src/math.

#include "api/sparse.h"

#include "math/sparse.h"
#include "math/sparse_cholesky.h"

int mju_dense2sparse(mjtNum* res, const mjtNum* mat, int nr, int nc, int* rownnz, int* rowadr,
                     int* colind, int nnz) {
  return ct_dense_to_sparse(res, mat, nr, nc, rownnz, rowadr, colind, nnz);
}

void mju_sparse2dense(mjtNum* res, const mjtNum* mat, int nr, int nc, const int* rownnz,
                      const int* rowadr, const int* colind) {
  ct_sparse_to_dense(res, mat, nr, nc, rownnz, rowadr, colind);
}

mjtNum mju_dotSparse2(const mjtNum* vec1, const int* ind1, int nnz1, const mjtNum* vec2,
                      const int* ind2, int nnz2) {
  return ct_dot_sparse2(vec1, ind1, nnz1, vec2, ind2, nnz2);
}

int mju_combineSparseCount(int a_nnz, int b_nnz, const int* a_ind, const int* b_ind) {
  return ct_union_count(a_ind, a_nnz, b_ind, b_nnz);
}

void mju_mulMatVecSparse(mjtNum* res, const mjtNum* mat, const mjtNum* vec, int nr,
                         const int* rownnz, const int* rowadr, const int* colind,
                         const int* rowsuper) {
  (void)rowsuper;
  ct_mul_mat_vec_sparse(res, mat, vec, nr, rownnz, rowadr, colind);
}

void mju_mulMatTVecSparse(mjtNum* res, const mjtNum* mat, const mjtNum* vec, int nr, int nc,
                          const int* rownnz, const int* rowadr, const int* colind) {
  ct_mul_mat_t_vec_sparse(res, mat, vec, nr, nc, rownnz, rowadr, colind);
}

void mju_mulSymVecSparse(mjtNum* res, const mjtNum* mat, const mjtNum* vec, int n,
                         const int* rownnz, const int* rowadr, const int* colind) {
  ct_mul_sym_vec_sparse(res, mat, vec, n, rownnz, rowadr, colind);
}

void mju_addToMatSparse(mjtNum* dst, int* rownnz, int* rowadr, int* colind, int nr,
                        const mjtNum* src, const int* src_rownnz, const int* src_rowadr,
                        const int* src_colind, mjtNum* buf_val, int* buf_ind) {
  (void)buf_val;
  (void)buf_ind;
  for (int i = 0; i < nr; i++) {
    rownnz[i] =
        ct_add_sparse_row(dst + rowadr[i], colind + rowadr[i], rownnz[i], src + src_rowadr[i],
                          src_colind + src_rowadr[i], src_rownnz[i], 1);
  }
}

void mju_addToSymSparse(mjtNum* res, const mjtNum* mat, int n, const int* rownnz, const int* rowadr,
                        const int* colind, int flg_upper) {
  ct_add_sym_sparse(res, mat, n, rownnz, rowadr, colind, flg_upper);
}

int mju_compressSparse(mjtNum* mat, int nr, int nc, int* rownnz, int* rowadr, int* colind,
                       mjtNum minval) {
  (void)nc;
  return ct_compress_sparse(mat, nr, rownnz, rowadr, colind, minval);
}

void mju_transposeSparse(mjtNum* res, const mjtNum* mat, int nr, int nc, int* res_rownnz,
                         int* res_rowadr, int* res_colind, int* res_rowsuper, const int* rownnz,
                         const int* rowadr, const int* colind) {
  ct_transpose_sparse(res, mat, nr, nc, res_rownnz, res_rowadr, res_colind, rownnz, rowadr, colind);
  if (!res_rowsuper) return;
  ct_find_supernodes(lane_one(), nc, res_rowsuper, res_rownnz, res_rowadr, res_colind);
}

void mju_superSparse(int nr, int* rowsuper, const int* rownnz, const int* rowadr,
                     const int* colind) {
  ct_find_supernodes(lane_one(), nr, rowsuper, rownnz, rowadr, colind);
}

void mju_sqrMatTDSparse(mjtNum* res, const mjtNum* mat, const mjtNum* matT, const mjtNum* diag,
                        int nr, int nc, int* res_rownnz, const int* res_rowadr, int* res_colind,
                        const int* rownnz, const int* rowadr, const int* colind,
                        const int* rowsuper, const int* rownnzT, const int* rowadrT,
                        const int* colindT, const int* rowsuperT, mjData* d, int* diagind) {
  (void)nr, (void)rowsuper, (void)rowsuperT, (void)d;
  ct_square_sparse(res, mat, diag, nc, res_rownnz, res_rowadr, res_colind, rownnz, rowadr, colind,
                   matT, rownnzT, rowadrT, colindT, diagind, 1);
}

void mju_sqrMatTDSparse_row(mjtNum* res, const mjtNum* mat, const mjtNum* matT, const mjtNum* diag,
                            int nr, int nc, int* res_rownnz, const int* res_rowadr, int* res_colind,
                            const int* rownnz, const int* rowadr, const int* colind,
                            const int* rowsuper, const int* rownnzT, const int* rowadrT,
                            const int* colindT, const int* rowsuperT, mjData* d, int* diagind) {
  (void)nr, (void)rowsuper, (void)rowsuperT, (void)d;
  ct_square_sparse(res, mat, diag, nc, res_rownnz, res_rowadr, res_colind, rownnz, rowadr, colind,
                   matT, rownnzT, rowadrT, colindT, diagind, 0);
}

int mju_sqrMatTDSparseCount(int* res_rownnz, int* res_rowadr, int nr, const int* rownnz,
                            const int* rowadr, const int* colind, const int* rownnzT,
                            const int* rowadrT, const int* colindT, const int* rowsuperT, mjData* d,
                            int flg_upper) {
  (void)rowsuperT;
  mj_markStack(d);
  int* mark = mj_stackAllocInt(d, (size_t)nr);
  int total = ct_square_sparse_count(res_rownnz, res_rowadr, nr, rownnz, rowadr, colind, rownnzT,
                                     rowadrT, colindT, flg_upper, mark);
  mj_freeStack(d);
  return total;
}

void mju_sqrMatTDUncompressedInit(int* res_rowadr, int nc) {
  for (int r = 0; r < nc; r++) {
    res_rowadr[r] = r * nc;
  }
}

void mju_sparseMap(int* map, int nr, const int* res_rowadr, const int* res_rownnz,
                   const int* res_colind, const int* src_rowadr, const int* src_rownnz,
                   const int* src_colind) {
  ct_sparse_map(map, nr, res_rowadr, res_rownnz, res_colind, src_rowadr, src_rownnz, src_colind);
}

void mju_lower2SymMap(int* map, int nr, const int* sym_rowadr, const int* sym_rownnz,
                      const int* sym_colind, const int* low_rowadr, const int* low_rownnz,
                      const int* low_colind, int* cursor) {
  (void)cursor;
  ct_lower_to_symmetric_map(map, nr, sym_rowadr, sym_rownnz, sym_colind, low_rowadr, low_rownnz,
                            low_colind);
}

void mju_blockDiag(mjtNum* res, const mjtNum* mat, int nc_mat, int nc_res, int nb,
                   const int* perm_r, const int* perm_c, const int* block_nr, const int* block_nc,
                   const int* block_r, const int* block_c) {
  for (int b = 0; b < nb; b++) {
    mjtNum* to = res + block_r[b] * nc_res;
    for (int i = 0; i < block_nr[b]; i++) {
      const mjtNum* from = mat + perm_r[block_r[b] + i] * nc_mat;
      for (int j = 0; j < block_nc[b]; j++) {
        *to++ = from[perm_c[block_c[b] + j]];
      }
    }
  }
}

void mju_blockDiagSparse(mjtNum* res, int* res_rownnz, int* res_rowadr, int* res_colind,
                         const mjtNum* mat, const int* rownnz, const int* rowadr, const int* colind,
                         int nr, int nb, const int* perm_r, const int* perm_c, const int* block_r,
                         const int* block_c, mjtNum* res2, const mjtNum* mat2) {
  int used = 0, block = 0;
  for (int i = 0; i < nr; i++) {
    while (block + 1 < nb && i >= block_r[block + 1]) block++;
    int row = perm_r[i];
    res_rowadr[i] = used;
    res_rownnz[i] = rownnz[row];
    for (int k = rowadr[row]; k < rowadr[row] + rownnz[row]; k++, used++) {
      res[used] = mat[k];
      if (res2 && mat2) res2[used] = mat2[k];
      res_colind[used] = perm_c[colind[k]] - block_c[block];
    }
  }
}

int mju_cholFactorSparse(mjtNum* mat, int n, mjtNum mindiag, int* rownnz, const int* rowadr,
                         int* colind, mjData* d) {
  (void)d;
  return ct_sparse_cholesky_factor(mat, n, mindiag, rownnz, rowadr, colind);
}

int mju_cholUpdateSparse(mjtNum* mat, const mjtNum* x, int n, int flg_plus, const int* rownnz,
                         const int* rowadr, const int* colind, int x_nnz, const int* x_ind,
                         mjData* d) {
  if (x_nnz <= 0) return n;
  mj_markStack(d);
  mjtNum* dense = mj_stackAllocNum(d, (size_t)n);
  ct_zero(dense, n);
  ct_add_to_scl_sparse(dense, x, x_ind, 1, x_nnz);
  int rank =
      ct_sparse_cholesky_update(mat, dense, n, flg_plus, rownnz, rowadr, colind, x_ind[x_nnz - 1]);
  mj_freeStack(d);
  return rank;
}

int mju_cholFactorSymbolic(int* L_colind, int* L_rownnz, int* L_rowadr, int* LT_colind,
                           int* LT_rownnz, int* LT_rowadr, int* LT_map, const int* H_rownnz,
                           const int* H_rowadr, const int* H_colind, int n, mjData* d) {
  ct_CholeskyPattern L = {L_rownnz, L_rowadr, L_colind, LT_rownnz, LT_rowadr, LT_colind, LT_map};
  mj_markStack(d);
  int* scratch = mj_stackAllocInt(d, 2 * (size_t)n);
  int total = 0;
  if (L_colind) {
    ct_sparse_cholesky_fill(&L, n, H_rownnz, H_rowadr, H_colind, scratch);
  } else {
    total = ct_sparse_cholesky_count(&L, n, H_rownnz, H_rowadr, H_colind, scratch);
  }
  mj_freeStack(d);
  return total;
}

int mju_cholFactorNumeric(mjtNum* L, int n, mjtNum mindiag, const int* L_rownnz,
                          const int* L_rowadr, const int* L_colind, const int* LT_rownnz,
                          const int* LT_rowadr, const int* LT_colind, const int* LT_map,
                          const mjtNum* H, const int* H_rownnz, const int* H_rowadr,
                          const int* H_colind, mjData* d) {
  ct_CholeskyPatternView pattern = {L_rownnz,  L_rowadr,  L_colind, LT_rownnz,
                                    LT_rowadr, LT_colind, LT_map};
  mj_markStack(d);
  mjtNum* row = mj_stackAllocNum(d, (size_t)n);
  int rank =
      ct_sparse_cholesky_values(L, n, mindiag, &pattern, H, H_rownnz, H_rowadr, H_colind, row);
  mj_freeStack(d);
  return rank;
}
