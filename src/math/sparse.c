// Sparse matrices in compressed rows: conversions, products, maps. See sparse.h.

#include "math/sparse.h"

int ct_dense_to_sparse(mjtNum* res, const mjtNum* mat, int nr, int nc, int* rownnz, int* rowadr,
                       int* colind, int nnz) {
  if (nnz <= 0) return 1;
  int used = 0;
  for (int i = 0; i < nr; i++) {
    rowadr[i] = used;
    rownnz[i] = 0;
    for (int j = 0; j < nc; j++) {
      if (mat[i * nc + j] == 0) continue;
      if (used == nnz) return 1;
      res[used] = mat[i * nc + j];
      colind[used++] = j;
      rownnz[i]++;
    }
  }
  return 0;
}

void ct_sparse_to_dense(mjtNum* res, const mjtNum* mat, int nr, int nc, const int* rownnz,
                        const int* rowadr, const int* colind) {
  ct_zero(res, nr * nc);
  for (int i = 0; i < nr; i++) {
    for (int k = rowadr[i]; k < rowadr[i] + rownnz[i]; k++) {
      res[i * nc + colind[k]] = mat[k];
    }
  }
}

void ct_mul_mat_vec_sparse(mjtNum* res, const mjtNum* mat, const mjtNum* vec, int nr,
                           const int* rownnz, const int* rowadr, const int* colind) {
  for (int i = 0; i < nr; i++) {
    res[i] = ct_dot_sparse(mat + rowadr[i], colind + rowadr[i], rownnz[i], vec);
  }
}

void ct_mul_mat_t_vec_sparse(mjtNum* res, const mjtNum* mat, const mjtNum* vec, int nr, int nc,
                             const int* rownnz, const int* rowadr, const int* colind) {
  ct_zero(res, nc);
  for (int i = 0; i < nr; i++) {
    if (vec[i] != 0) {
      ct_add_to_scl_sparse(res, mat + rowadr[i], colind + rowadr[i], vec[i], rownnz[i]);
    }
  }
}

void ct_mul_sym_vec_sparse(mjtNum* res, const mjtNum* mat, const mjtNum* vec, int n,
                           const int* rownnz, const int* rowadr, const int* colind) {
  for (int i = 0; i < n; i++) {
    const mjtNum* row = mat + rowadr[i];
    const int* columns = colind + rowadr[i];
    res[i] = ct_dot_sparse(row, columns, rownnz[i], vec);
    ct_add_to_scl_sparse(res, row, columns, vec[i],
                         rownnz[i] - 1);  // mirrored, without the diagonal
  }
}

void ct_add_sym_sparse(mjtNum* res, const mjtNum* mat, int n, const int* rownnz, const int* rowadr,
                       const int* colind, int upper) {
  for (int i = 0; i < n; i++) {
    for (int k = rowadr[i]; k < rowadr[i] + rownnz[i]; k++) {
      int j = colind[k];
      res[i * n + j] += mat[k];
      if (upper && j < i) res[j * n + i] += mat[k];
    }
  }
}

int ct_compress_sparse(mjtNum* mat, int nr, int* rownnz, int* rowadr, int* colind, mjtNum minval) {
  int used = 0;
  for (int i = 0; i < nr; i++) {
    int from = rowadr[i], end = from + rownnz[i];
    rowadr[i] = used;
    for (; from < end; from++) {
      if (minval >= 0 && ct_abs(mat[from]) <= minval) continue;
      mat[used] = mat[from];
      colind[used++] = colind[from];
    }
    rownnz[i] = used - rowadr[i];
  }
  return used;
}

void ct_transpose_sparse(mjtNum* res, const mjtNum* mat, int nr, int nc, int* res_rownnz,
                         int* res_rowadr, int* res_colind, const int* rownnz, const int* rowadr,
                         const int* colind) {
  int first = nr > 0 ? rowadr[0] : 0;
  for (int j = 0; j < nc; j++) {
    res_rownnz[j] = 0;
  }
  for (int i = 0; i < nr; i++) {
    int start = rowadr[i] - first;
    for (int k = start; k < start + rownnz[i]; k++) {
      res_rownnz[colind[k]]++;
    }
  }
  int used = 0;
  for (int j = 0; j < nc; j++) {
    res_rowadr[j] = used;
    used += res_rownnz[j];
    res_rownnz[j] = 0;  // counts again while the rows fill up
  }
  for (int i = 0; i < nr; i++) {
    int start = rowadr[i] - first;
    for (int k = start; k < start + rownnz[i]; k++) {
      int j = colind[k], to = res_rowadr[j] + res_rownnz[j]++;
      res_colind[to] = i;
      if (res && mat) res[to] = mat[k];
    }
  }
}

// How many of a row's columns are at most `last`.
static int count_up_to(const int* columns, int nnz, int last) {
  int count = 0;
  while (count < nnz && columns[count] <= last) count++;
  return count;
}

// Mirrors the lower triangle. Rows are visited in ascending order, so what is appended to an
// earlier row ascends too.
static void mirror_lower(mjtNum* res, int n, int* rownnz, const int* rowadr, int* colind,
                         int* diagind) {
  for (int r = 0; r < n; r++) {
    diagind[r] = rowadr[r] + rownnz[r] - 1;
    int lower = rownnz[r];
    for (int k = rowadr[r]; k < rowadr[r] + lower; k++) {
      int c = colind[k];
      if (c == r) continue;
      int to = rowadr[c] + rownnz[c]++;
      res[to] = res[k];
      colind[to] = r;
    }
  }
}

void ct_square_sparse(mjtNum* res, const mjtNum* mat, const mjtNum* diag, int nc, int* res_rownnz,
                      const int* res_rowadr, int* res_colind, const int* rownnz, const int* rowadr,
                      const int* colind, const mjtNum* matT, const int* rownnzT, const int* rowadrT,
                      const int* colindT, int* diagind, int fill_diagonal) {
  for (int r = 0; r < nc; r++) {
    mjtNum* row = res + res_rowadr[r];
    int* columns = res_colind + res_rowadr[r];
    int nnz = 0;
    if (fill_diagonal) {
      row[0] = 0;
      columns[0] = r;
      nnz = 1;
    }
    for (int k = rowadrT[r]; k < rowadrT[r] + rownnzT[r]; k++) {
      int i = colindT[k];
      mjtNum scale = diag ? matT[k] * diag[i] : matT[k];
      int lower = count_up_to(colind + rowadr[i], rownnz[i], r);
      nnz = ct_add_sparse_row(row, columns, nnz, mat + rowadr[i], colind + rowadr[i], lower, scale);
    }
    res_rownnz[r] = nnz;
  }
  if (diagind) mirror_lower(res, nc, res_rownnz, res_rowadr, res_colind, diagind);
}

int ct_square_sparse_count(int* res_rownnz, int* res_rowadr, int nc, const int* rownnz,
                           const int* rowadr, const int* colind, const int* rownnzT,
                           const int* rowadrT, const int* colindT, int upper, int* mark) {
  for (int r = 0; r < nc; r++) {
    res_rownnz[r] = 0;
    mark[r] = -1;
  }
  for (int r = 0; r < nc; r++) {
    for (int k = rowadrT[r]; k < rowadrT[r] + rownnzT[r]; k++) {
      int i = colindT[k];
      for (int l = rowadr[i]; l < rowadr[i] + rownnz[i] && colind[l] <= r; l++) {
        int c = colind[l];
        if (mark[c] == r) continue;
        mark[c] = r;
        res_rownnz[r]++;
        if (upper && c < r) res_rownnz[c]++;
      }
    }
  }
  int total = 0;
  for (int r = 0; r < nc; r++) {
    res_rowadr[r] = total;
    total += res_rownnz[r];
  }
  return total;
}

// Address of a column in a row, searched from *from on, or -1. Columns asked for in ascending order
// take one pass.
static int find_column(const int* colind, int* from, int end, int column) {
  while (*from < end && colind[*from] < column) ++*from;
  return *from < end && colind[*from] == column ? *from : -1;
}

void ct_sparse_map(int* map, int nr, const int* res_rowadr, const int* res_rownnz,
                   const int* res_colind, const int* src_rowadr, const int* src_rownnz,
                   const int* src_colind) {
  for (int i = 0; i < nr; i++) {
    int from = src_rowadr[i], end = from + src_rownnz[i];
    for (int k = res_rowadr[i]; k < res_rowadr[i] + res_rownnz[i]; k++) {
      map[k] = find_column(src_colind, &from, end, res_colind[k]);
    }
  }
}

void ct_lower_to_symmetric_map(int* map, int n, const int* sym_rowadr, const int* sym_rownnz,
                               const int* sym_colind, const int* low_rowadr, const int* low_rownnz,
                               const int* low_colind) {
  for (int i = 0; i < n; i++) {
    for (int k = sym_rowadr[i]; k < sym_rowadr[i] + sym_rownnz[i]; k++) {
      int j = sym_colind[k];
      int row = i > j ? i : j, column = i > j ? j : i;
      int from = low_rowadr[row];
      map[k] = find_column(low_colind, &from, from + low_rownnz[row], column);
    }
  }
}
