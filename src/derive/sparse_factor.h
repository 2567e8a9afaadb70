// Symmetric positive matrices of dofs, factored without square roots from the last dof to the
// first, A = L' D L, which keeps trees free of fill-in; and solving for many columns at once.
//
// Values are dense rows, of which only the lower triangle is used; which entries can differ from
// zero is in bits. Columns of a right-hand side are taken in blocks that stay in registers, and
// belong to one lane each.

#ifndef CT_DERIVE_SPARSE_FACTOR_H_
#define CT_DERIVE_SPARSE_FACTOR_H_

#include <mujoco/mujoco.h>

#include "base/lanes.h"

#define CT_COLUMN_BLOCK 16

typedef struct ct_SparseMatrix_ {
  int n, words;
  mjtNum* value;           // (n x n), in row i columns up to i
  unsigned* pattern;       // (n x words) bits of the columns left of the diagonal
  int *row_adr, *row_col;  // (n + 1), (n x n / 2) lists of them
  int *col_adr, *col_row;  // (n + 1), the same by columns
  mjtNum* inverse;         // (n) 1 / D
} ct_SparseMatrix;

LANE_INLINE mjtNum* ct_sparse_entry(const ct_SparseMatrix* a, int i, int j) {
  return a->value + (size_t)i * (size_t)a->n + j;
}

LANE_INLINE void ct_mark_entry(const ct_SparseMatrix* a, int i, int j) {
  a->pattern[i * a->words + j / 32] |= 1u << j % 32;
}

// Lists by columns from those by rows; col_adr[j + 1] has the number of entries of column j.
LANE_FN void ct_list_columns(const ct_SparseMatrix* a);

// Adds what elimination fills, and makes the lists.
LANE_FN void ct_complete_pattern(Lane g, ct_SparseMatrix* a);

// Factors in place. False if a pivot is not positive.
LANE_FN bool ct_factor_sparse(Lane g, ct_SparseMatrix* a);

// x = A^-1 x, x (n x width) by rows, width a multiple of CT_COLUMN_BLOCK.
LANE_FN void ct_solve_many(Lane g, const ct_SparseMatrix* a, mjtNum* x, int width);

// The same for one column (n).
LANE_FN void ct_solve_sparse(Lane g, const ct_SparseMatrix* a, mjtNum* x);

#endif  // CT_DERIVE_SPARSE_FACTOR_H_
