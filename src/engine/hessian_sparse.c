// The Hessian of large problems: compressed rows and their L'DL.
//
//   H = M + sum over rows of D J'J + sum over cones of J'CJ
//
// Row i of the factor has the columns that J or M couple to dof i, and what elimination of later
// dofs adds. Sets of dofs are bits, one row of words per dof: the row of the next dof that k is
// tied to inherits the row of k. Values are then kept in compressed rows, in the pattern of the
// factor from the start. Rows of one contact have the same columns, which is what its cone needs.

#include "engine/hessian.h"

#include "base/scratch.h"
#include "math/sparse.h"

LANE_INLINE int words_of(int n) {
  return (n + 63) / 64;
}

// Columns of row i of J as bits. A dense row counts where it is not zero.
LANE_FN static void row_bits(const ct_Problem* p, int i, uint64_t* bits) {
  for (int w = 0; w < words_of(p->n); w++) bits[w] = 0;
  if (p->sparse) {
    int start = p->J_rowadr[i];
    for (int k = start; k < start + p->J_rownnz[i]; k++) {
      bits[p->J_colind[k] / 64] |= ct_dof_bit(p->J_colind[k] % 64);
    }
  } else {
    const mjtNum* row = p->J + (size_t)i * (size_t)p->n;
    for (int j = 0; j < p->n; j++) bits[j / 64] |= (uint64_t)(row[j] != 0) << j % 64;
  }
}

LANE_INLINE int rows_together(const ct_Problem* p, int i) {
  return p->rows.type[i] == mjCNSTR_CONTACT_ELLIPTIC ? p->contact[p->rows.id[i]].dim : 1;
}

// Rows i to i + count of J tie their dofs to each other. bits has room for two sets.
LANE_FN static void tie_dofs(const ct_Problem* p, int i, int count, uint64_t* bits,
                             uint64_t* pattern) {
  int nword = words_of(p->n);
  uint64_t* more = bits + nword;
  row_bits(p, i, bits);
  for (int q = 1; q < count; q++) {
    row_bits(p, i + q, more);
    for (int w = 0; w < nword; w++) bits[w] |= more[w];
  }
  for (int w = 0; w < nword; w++) {
    for (uint64_t left = bits[w]; left; left &= left - 1) {
      int bit = ct_lowest_dof(left);
      uint64_t* row = pattern + (size_t)(64 * w + bit) * (size_t)nword;
      for (int v = 0; v < w; v++) row[v] |= bits[v];
      row[w] |= bits[w] & (ct_dofs_below(bit) | ct_dof_bit(bit));
    }
  }
}

LANE_FN static int count_bits(const uint64_t* bits, int nword) {
  int count = 0;
  for (int w = 0; w < nword; w++) count += ct_count_dofs(bits[w]);
  return count;
}

// The largest dof below k in the set; -1: none.
LANE_FN static int highest_below(const uint64_t* bits, int k) {
  int w = k / 64;
  uint64_t word = bits[w] & ct_dofs_below(k % 64);
  while (!word && w > 0) word = bits[--w];
  return word ? 64 * w + ct_highest_dof(word) : -1;
}

LANE_FN static void find_sparse_pattern(const ct_Problem* p, ct_Hessian* h, uint64_t* pattern,
                                        uint64_t* bits) {
  int nword = words_of(p->n);
  for (size_t i = 0; i < (size_t)p->n * (size_t)nword; i++) pattern[i] = 0;
  for (int i = 0; i < p->rows.nefc; i += rows_together(p, i)) {
    tie_dofs(p, i, rows_together(p, i), bits, pattern);
  }
  h->nsquare = h->nfactor = 0;
  for (int i = 0; i < p->n; i++) {
    uint64_t* row = pattern + (size_t)i * (size_t)nword;
    h->nsquare += count_bits(row, nword);
    int start = p->M_rowadr[i];
    for (int k = start; k < start + p->M_rownnz[i]; k++) {
      row[p->M_colind[k] / 64] |= ct_dof_bit(p->M_colind[k] % 64);
    }
  }
  for (int k = p->n - 1; k >= 0; k--) {
    uint64_t* row = pattern + (size_t)k * (size_t)nword;
    int next = highest_below(row, k);
    h->nfactor += count_bits(row, nword);
    if (next < 0) continue;
    uint64_t* heir = pattern + (size_t)next * (size_t)nword;
    for (int w = 0; w < k / 64; w++) heir[w] |= row[w];
    heir[k / 64] |= row[k / 64] & ct_dofs_below(k % 64);
  }
}

LANE_FN static void list_factor_columns(const ct_Problem* p, ct_Hessian* h,
                                        const uint64_t* pattern) {
  int nword = words_of(p->n), at = 0;
  for (int i = 0; i < p->n; i++) {
    h->rowadr[i] = at;
    for (int w = 0; w < nword; w++) {
      uint64_t left = pattern[(size_t)i * (size_t)nword + (size_t)w];
      for (; left; left &= left - 1) h->colind[at++] = 64 * w + ct_lowest_dof(left);
    }
    h->rownnz[i] = at - h->rowadr[i];
  }
}

LANE_FN bool ct_open_sparse_hessian(Lane g, mjData* d, const ct_Problem* p, ct_Hessian* h) {
  int n = p->n;
  size_t words = (size_t)words_of(n);
  h->rownnz = lane_scratch_int(g, d, n);
  h->rowadr = lane_scratch_int(g, d, n);
  h->row = lane_scratch_num(g, d, 8 * n);
  uint64_t* pattern =
      (uint64_t*)lane_scratch_bytes_(g, d, ((size_t)n + 2) * words * sizeof(uint64_t));
  if (!h->rownnz || !h->rowadr || !h->row || !pattern) return false;
  h->D = h->row + 6 * n;
  h->invD = h->D + n;
  int nsquare = 0, nfactor = 0;
  LANE_ONCE(g) {
    find_sparse_pattern(p, h, pattern, pattern + (size_t)n * words);
    nsquare = h->nsquare;
    nfactor = h->nfactor;
  }
  lane_sync(g);
  h->nsquare = lane_broadcast_int(g, nsquare);
  h->nfactor = lane_broadcast_int(g, nfactor);
  h->colind = lane_scratch_int(g, d, h->nfactor);
  h->value = lane_scratch_num(g, d, h->nfactor);
  if (!h->colind || !h->value) return false;
  LANE_ONCE(g) {
    list_factor_columns(p, h, pattern);
  }
  lane_sync(g);
  return true;
}

// Assembly: all lanes go through the rows of J, the owner of a dof adds to its row of H.

// H += J_i' y with y in the columns of J_i, sparse
LANE_FN static void add_sparse_outer(Lane g, const ct_Problem* p, ct_Hessian* h, int i,
                                     const mjtNum* y, mjtNum scale) {
  int start = p->J_rowadr[i], nnz = p->J_rownnz[i];
  const int* column = p->J_colind + start;
  for (int k = 0; k < nnz; k++) {
    mjtNum f = p->J[start + k] * scale;
    int at = column[k];
    if (f == 0 || !LANE_OWNS(g, at)) continue;
    ct_add_common_sparse(h->value + h->rowadr[at], h->colind + h->rowadr[at], h->rownnz[at], y,
                         column, k + 1, f);
  }
}

// The same for dense rows: y has all columns.
LANE_FN static void add_dense_outer(Lane g, const ct_Problem* p, ct_Hessian* h, int i,
                                    const mjtNum* y, mjtNum scale) {
  const mjtNum* row = p->J + (size_t)i * (size_t)p->n;
  LANE_FOR(at, g, p->n) {
    mjtNum f = row[at] * scale;
    if (f == 0) continue;
    for (int k = h->rowadr[at]; k < h->rowadr[at] + h->rownnz[at]; k++) {
      h->value[k] += f * y[h->colind[k]];
    }
  }
}

LANE_FN static void add_outer_product(Lane g, const ct_Problem* p, ct_Hessian* h, int i,
                                      const mjtNum* y, mjtNum scale) {
  if (p->sparse) {
    add_sparse_outer(g, p, h, i, y, scale);
  } else {
    add_dense_outer(g, p, h, i, y, scale);
  }
}

LANE_INLINE const mjtNum* stored_row(const ct_Problem* p, int i) {
  return p->sparse ? p->J + p->J_rowadr[i] : p->J + (size_t)i * (size_t)p->n;
}

LANE_FN static void add_cone(Lane g, const ct_Problem* p, ct_Hessian* h, int i) {
  const mjContact* contact = p->contact + p->rows.id[i];
  int dim = contact->dim, n = p->sparse ? p->J_rownnz[i] : p->n;
  lane_sync(g);
  LANE_FOR(j, g, n) {
    for (int q = 0; q < dim; q++) {
      mjtNum sum = 0;
      for (int s = 0; s < dim; s++) sum += contact->H[q * dim + s] * stored_row(p, i + s)[j];
      h->row[q * p->n + j] = sum;
    }
  }
  lane_sync(g);
  for (int q = 0; q < dim; q++) add_outer_product(g, p, h, i + q, h->row + q * p->n, 1);
}

LANE_FN static void assemble_sparse_hessian(Lane g, const ct_Problem* p, ct_Hessian* h) {
  LANE_FOR(i, g, p->n) {
    mjtNum* row = h->value + h->rowadr[i];
    for (int k = 0; k < h->rownnz[i]; k++) row[k] = 0;
    ct_add_common_sparse(row, h->colind + h->rowadr[i], h->rownnz[i], p->M + p->M_rowadr[i],
                         p->M_colind + p->M_rowadr[i], p->M_rownnz[i], 1);
  }
  for (int i = 0; i < p->rows.nefc; i++) {
    if (ct_is_quadratic(p->rows.state[i])) {
      add_outer_product(g, p, h, i, stored_row(p, i), p->rows.D[i]);
    } else if (p->rows.state[i] == mjCNSTRSTATE_CONE) {
      add_cone(g, p, h, i);
      i += p->contact[p->rows.id[i]].dim - 1;
    }
  }
  lane_sync(g);
}

LANE_FN void ct_factor_sparse_hessian(Lane g, const ct_Problem* p, ct_Hessian* h) {
  assemble_sparse_hessian(g, p, h);
  for (int k = p->n - 1; k >= 0; k--) {
    mjtNum* row = h->value + h->rowadr[k];
    const int* column = h->colind + h->rowadr[k];
    int n = h->rownnz[k] - 1;
    mjtNum pivot = row[n] < mjMINVAL ? mjMINVAL : row[n], inverse = 1 / pivot;
    LANE_FOR(e, g, n) {
      int at = column[e];
      ct_add_common_sparse(h->value + h->rowadr[at], h->colind + h->rowadr[at], h->rownnz[at], row,
                           column, e + 1, -(row[e] * inverse));
    }
    lane_sync(g);
    LANE_FOR(e, g, n) {
      row[e] *= inverse;
    }
    LANE_ONCE(g) {
      h->D[k] = pivot;
      h->invD[k] = inverse;
    }
  }
  lane_sync(g);
}

LANE_FN void ct_solve_sparse_hessian(Lane g, const ct_Problem* p, const ct_Hessian* h, mjtNum* x) {
  for (int k = p->n - 1; k > 0; k--) {
    const mjtNum* row = h->value + h->rowadr[k];
    const int* column = h->colind + h->rowadr[k];
    mjtNum known = x[k];
    LANE_FOR(e, g, h->rownnz[k] - 1) {
      x[column[e]] -= row[e] * known;
    }
    lane_sync(g);
  }
  LANE_ONCE(g) {
    for (int k = 0; k < p->n; k++) {
      int start = h->rowadr[k];
      x[k] = x[k] * h->invD[k] -
             ct_dot_sparse(h->value + start, h->colind + start, h->rownnz[k] - 1, x);
    }
  }
  lane_sync(g);
}
