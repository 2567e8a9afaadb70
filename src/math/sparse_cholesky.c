// Sparse Cholesky in reverse order. See sparse_cholesky.h.
//
// The pattern of the factor follows from the elimination tree (Davis, Direct Methods for Sparse
// Linear Systems, chapter 4), here with parents before their children: the parent of row i is the
// largest j < i with L_ij != 0, and the nonzeros of column j are what one meets walking from each i
// > j with A_ij != 0 towards the root, up to j.

#include "math/sparse_cholesky.h"

#include "math/cholesky.h"
#include "math/sparse.h"

int ct_sparse_cholesky_factor(mjtNum* mat, int n, mjtNum mindiag, int* rownnz, const int* rowadr,
                              int* colind) {
  int rank = n;
  for (int r = n - 1; r >= 0; r--) {
    mjtNum* row = mat + rowadr[r];
    int* columns = colind + rowadr[r];
    int before = rownnz[r] - 1;  // elements left of the diagonal
    row[before] = ct_cholesky_pivot(row[before], mindiag, &rank);
    ct_scl(row, row, 1 / row[before], before);

    // A_c -= L_rc L_r for every row c that row r reaches, up to its diagonal
    for (int k = 0; k < before; k++) {
      int c = columns[k];
      rownnz[c] = ct_add_sparse_row(mat + rowadr[c], colind + rowadr[c], rownnz[c], row, columns,
                                    k + 1, -row[k]);
    }
  }
  return rank;
}

int ct_sparse_cholesky_update(mjtNum* mat, mjtNum* x, int n, int plus, const int* rownnz,
                              const int* rowadr, const int* colind, int last) {
  int rank = n;
  for (int r = last; r >= 0; r--) {
    if (x[r] == 0) continue;
    mjtNum* row = mat + rowadr[r];
    const int* columns = colind + rowadr[r];
    int before = rownnz[r] - 1;
    ct_CholeskyTurn turn = ct_cholesky_turn(row + before, x[r], plus, &rank);
    for (int k = 0; k < before; k++) {
      int c = columns[k];
      row[k] = (row[k] + turn.signed_sine * x[c]) * turn.inverse;
      x[c] = turn.cosine * x[c] - turn.sine * row[k];
    }
  }
  return rank;
}

int ct_sparse_cholesky_count(const ct_CholeskyPattern* L, int n, const int* H_rownnz,
                             const int* H_rowadr, const int* H_colind, int* scratch) {
  int *parent = scratch, *mark = scratch + n;
  for (int j = 0; j < n; j++) {
    L->rownnz[j] = L->rownnzT[j] = 1;  // the diagonal
    parent[j] = -1;
    mark[j] = -1;
  }
  for (int j = n - 1; j >= 0; j--) {
    mark[j] = j;
    for (int k = H_rowadr[j]; k < H_rowadr[j] + H_rownnz[j]; k++) {
      if (H_colind[k] <= j) continue;
      for (int i = H_colind[k]; mark[i] != j; i = parent[i]) {
        mark[i] = j;
        L->rownnz[i]++;
        L->rownnzT[j]++;
        if (parent[i] < 0) parent[i] = j;
      }
    }
  }
  int total = 0, totalT = 0;
  for (int j = 0; j < n; j++) {
    L->rowadr[j] = total;
    L->rowadrT[j] = totalT;
    total += L->rownnz[j];
    totalT += L->rownnzT[j];
  }
  return total;
}

void ct_sparse_cholesky_fill(const ct_CholeskyPattern* L, int n, const int* H_rownnz,
                             const int* H_rowadr, const int* H_colind, int* scratch) {
  // Columns come in descending order, so rows of L fill from their end; what a row has got first is
  // its parent.
  int *next = scratch, *mark = scratch + n;
  for (int j = 0; j < n; j++) {
    next[j] = L->rowadr[j] + L->rownnz[j] - 1;
    mark[j] = -1;
  }
  for (int j = n - 1; j >= 0; j--) {
    int toT = L->rowadrT[j];
    mark[j] = j;
    L->colindT[toT] = L->colind[next[j]] = j;
    L->map[toT++] = next[j]--;
    for (int k = H_rowadr[j]; k < H_rowadr[j] + H_rownnz[j]; k++) {
      if (H_colind[k] <= j) continue;
      for (int i = H_colind[k]; mark[i] != j; i = L->colind[L->rowadr[i] + L->rownnz[i] - 2]) {
        mark[i] = j;
        L->colindT[toT] = i;
        L->colind[next[i]] = j;
        L->map[toT++] = next[i]--;
      }
    }
  }
}

int ct_sparse_cholesky_values(mjtNum* values, int n, mjtNum mindiag,
                              const ct_CholeskyPatternView* L, const mjtNum* H, const int* H_rownnz,
                              const int* H_rowadr, const int* H_colind, mjtNum* row) {
  int rank = n;
  ct_zero(row, n);
  for (int r = n - 1; r >= 0; r--) {
    for (int k = H_rowadr[r]; k < H_rowadr[r] + H_rownnz[r] && H_colind[k] <= r; k++) {
      row[H_colind[k]] = H[k];
    }
    // less the rows below that have this column
    for (int k = L->rowadrT[r] + 1; k < L->rowadrT[r] + L->rownnzT[r]; k++) {
      int below = L->colindT[k], start = L->rowadr[below];
      mjtNum f = values[L->map[k]];
      for (int l = start; l < start + L->rownnz[below] && L->colind[l] <= r; l++) {
        row[L->colind[l]] -= f * values[l];
      }
    }
    // gather, and leave the scratch row zero
    int start = L->rowadr[r], diagonal = start + L->rownnz[r] - 1;
    values[diagonal] = ct_cholesky_pivot(row[r], mindiag, &rank);
    mjtNum inverse = 1 / values[diagonal];
    for (int l = start; l < diagonal; l++) {
      values[l] = row[L->colind[l]] * inverse;
      row[L->colind[l]] = 0;
    }
    row[r] = 0;
  }
  return rank;
}
