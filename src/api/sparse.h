// Sparse functions that the reference's library exports without declaring them. Their signatures
// were proposed from knowledge of the interface and confirmed by experiment:
// docs/behaviour-notes.md.
//
// A matrix in compressed rows is (mat, rownnz, rowadr, colind). d lends its stack.

#ifndef CT_API_SPARSE_H_
#define CT_API_SPARSE_H_

#include <mujoco/mujoco.h>

#ifdef __cplusplus
extern "C" {
#endif

MJAPI mjtNum mju_dotSparse2(const mjtNum* vec1, const int* ind1, int nnz1, const mjtNum* vec2,
                            const int* ind2, int nnz2);
MJAPI int mju_combineSparseCount(int a_nnz, int b_nnz, const int* a_ind, const int* b_ind);

// Products. rowsuper may be NULL and changes nothing but the reference's speed.
MJAPI void mju_mulMatVecSparse(mjtNum* res, const mjtNum* mat, const mjtNum* vec, int nr,
                               const int* rownnz, const int* rowadr, const int* colind,
                               const int* rowsuper);
MJAPI void mju_mulMatTVecSparse(mjtNum* res, const mjtNum* mat, const mjtNum* vec, int nr, int nc,
                                const int* rownnz, const int* rowadr, const int* colind);
MJAPI void mju_mulSymVecSparse(mjtNum* res, const mjtNum* mat, const mjtNum* vec, int n,
                               const int* rownnz, const int* rowadr, const int* colind);

// dst += src; rows of dst grow. The two buffers are not needed.
MJAPI void mju_addToMatSparse(mjtNum* dst, int* rownnz, int* rowadr, int* colind, int nr,
                              const mjtNum* src, const int* src_rownnz, const int* src_rowadr,
                              const int* src_colind, mjtNum* buf_val, int* buf_ind);
// dense res += lower triangle, or both
MJAPI void mju_addToSymSparse(mjtNum* res, const mjtNum* mat, int n, const int* rownnz,
                              const int* rowadr, const int* colind, int flg_upper);

MJAPI int mju_compressSparse(mjtNum* mat, int nr, int nc, int* rownnz, int* rowadr, int* colind,
                             mjtNum minval);
// res and mat may be NULL (pattern only); so may res_rowsuper.
MJAPI void mju_transposeSparse(mjtNum* res, const mjtNum* mat, int nr, int nc, int* res_rownnz,
                               int* res_rowadr, int* res_colind, int* res_rowsuper,
                               const int* rownnz, const int* rowadr, const int* colind);
MJAPI void mju_superSparse(int nr, int* rowsuper, const int* rownnz, const int* rowadr,
                           const int* colind);

// res = mat' diag mat: lower triangle, or both triangles with diagind. mju_sqrMatTDSparse stores
// every diagonal element, mju_sqrMatTDSparse_row and mju_sqrMatTDSparseCount only what is
// structurally there.
MJAPI void mju_sqrMatTDSparse(mjtNum* res, const mjtNum* mat, const mjtNum* matT,
                              const mjtNum* diag, int nr, int nc, int* res_rownnz,
                              const int* res_rowadr, int* res_colind, const int* rownnz,
                              const int* rowadr, const int* colind, const int* rowsuper,
                              const int* rownnzT, const int* rowadrT, const int* colindT,
                              const int* rowsuperT, mjData* d, int* diagind);
MJAPI void mju_sqrMatTDSparse_row(mjtNum* res, const mjtNum* mat, const mjtNum* matT,
                                  const mjtNum* diag, int nr, int nc, int* res_rownnz,
                                  const int* res_rowadr, int* res_colind, const int* rownnz,
                                  const int* rowadr, const int* colind, const int* rowsuper,
                                  const int* rownnzT, const int* rowadrT, const int* colindT,
                                  const int* rowsuperT, mjData* d, int* diagind);
MJAPI int mju_sqrMatTDSparseCount(int* res_rownnz, int* res_rowadr, int nr, const int* rownnz,
                                  const int* rowadr, const int* colind, const int* rownnzT,
                                  const int* rowadrT, const int* colindT, const int* rowsuperT,
                                  mjData* d, int flg_upper);
MJAPI void mju_sqrMatTDUncompressedInit(int* res_rowadr, int nc);

// Addresses of one pattern's elements in another.
MJAPI void mju_sparseMap(int* map, int nr, const int* res_rowadr, const int* res_rownnz,
                         const int* res_colind, const int* src_rowadr, const int* src_rownnz,
                         const int* src_colind);
// cursor (nr) is scratch
MJAPI void mju_lower2SymMap(int* map, int nr, const int* sym_rowadr, const int* sym_rownnz,
                            const int* sym_colind, const int* low_rowadr, const int* low_rownnz,
                            const int* low_colind, int* cursor);

// Permutes a matrix into blocks. Dense: block b, packed, starts at block_r[b] * nc_res; perm_c
// lists old columns. No block is empty. Sparse: rows packed, columns local to their block; perm_c
// gives new columns. mat2 and res2 may be NULL.
MJAPI void mju_blockDiag(mjtNum* res, const mjtNum* mat, int nc_mat, int nc_res, int nb,
                         const int* perm_r, const int* perm_c, const int* block_nr,
                         const int* block_nc, const int* block_r, const int* block_c);
MJAPI void mju_blockDiagSparse(mjtNum* res, int* res_rownnz, int* res_rowadr, int* res_colind,
                               const mjtNum* mat, const int* rownnz, const int* rowadr,
                               const int* colind, int nr, int nb, const int* perm_r,
                               const int* perm_c, const int* block_r, const int* block_c,
                               mjtNum* res2, const mjtNum* mat2);

// Reverse Cholesky, mat = L' L, rows with the diagonal last; see math/sparse_cholesky.h.
MJAPI int mju_cholFactorSparse(mjtNum* mat, int n, mjtNum mindiag, int* rownnz, const int* rowadr,
                               int* colind, mjData* d);
MJAPI int mju_cholUpdateSparse(mjtNum* mat, const mjtNum* x, int n, int flg_plus, const int* rownnz,
                               const int* rowadr, const int* colind, int x_nnz, const int* x_ind,
                               mjData* d);
// First with L_colind NULL: counts, returns the number of elements. Then with room for them: fills,
// returns 0.
MJAPI int mju_cholFactorSymbolic(int* L_colind, int* L_rownnz, int* L_rowadr, int* LT_colind,
                                 int* LT_rownnz, int* LT_rowadr, int* LT_map, const int* H_rownnz,
                                 const int* H_rowadr, const int* H_colind, int n, mjData* d);
MJAPI int mju_cholFactorNumeric(mjtNum* L, int n, mjtNum mindiag, const int* L_rownnz,
                                const int* L_rowadr, const int* L_colind, const int* LT_rownnz,
                                const int* LT_rowadr, const int* LT_colind, const int* LT_map,
                                const mjtNum* H, const int* H_rownnz, const int* H_rowadr,
                                const int* H_colind, mjData* d);

#ifdef __cplusplus
}
#endif

#endif  // CT_API_SPARSE_H_
