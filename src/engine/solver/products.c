// Products with the matrices of a problem (problem.h): J x, J' f, M x, M^-1 x.
//
// Small problems go through their basis: J x is that of the basis, spread to the rows of each
// block, and J' f gathers rows before it combines vectors. Others have sparse rows, of which one
// lane takes four at a time where they have the same columns.

#include "base/memory/scratch.h"
#include "engine/smooth/factor.h"
#include "engine/solver/problem.h"
#include "math/lane_vec.h"
#include "math/mat.h"
#include "math/sparse.h"

// res (n) = A vec, A symmetric and padded: one ct_dot each. A lane goes down a column, so that
// lanes read neighbours; rows that only pad are zero.
LANE_FN static void mul_symmetric_lanes(Lane g, mjtNum* res, const mjtNum* A, const mjtNum* vec,
                                        int n, int stride) {
  LANE_FOR(i, g, n) {
    const mjtNum* column = A + i;
    mjtNum s[4];
    for (int q = 0; q < 4; q++) s[q] = q < n ? column[q * stride] * vec[q] : 0;
    LANE_ROLLED for (int k = 4; k < n; k += 4) {
      for (int q = 0; q < 4; q++) {
        s[q] += k + q < n ? column[(k + q) * stride] * vec[k + q] : 0;
      }
    }
    res[i] = (s[0] + s[2]) + (s[1] + s[3]);
  }
}

// res (nrow) = A vec with four lanes to a row, a quarter of its ct_dot each.
LANE_FN static void mul_quarters_lanes(Lane g, mjtNum* res, const mjtNum* A, const mjtNum* vec,
                                       int nrow, int stride) {
  LANE_ROLLED for (int base = 0; base < 4 * nrow; base += lane_count(g)) {
    int e = base + lane_rank(g), row = e / 4 < nrow ? e / 4 : 0;
    const mjtNum* a = A + row * stride;
    mjtNum sum = a[e % 4] * vec[e % 4];
    for (int k = 4 + e % 4; k < stride; k += 4) sum += a[k] * vec[k];
    sum += lane_exchange_num(g, sum, lane_rank(g) ^ 2);
    sum += lane_exchange_num(g, sum, lane_rank(g) ^ 1);
    if (e % 4 == 0 && e / 4 < nrow) res[row] = sum;
  }
}

// res (nrow) = A vec, rows `stride` apart: one ct_dot each.
LANE_FN void ct_problem_mul_rows(Lane g, mjtNum* res, const mjtNum* A, const mjtNum* vec, int nrow,
                                 int stride) {
  if (lane_count(g) == 1) {
    ct_mul_mat_vec(res, A, vec, nrow, stride);
  } else if (lane_count(g) >= 4) {
    mul_quarters_lanes(g, res, A, vec, nrow, stride);
  } else {
    LANE_FOR(i, g, nrow) {
      res[i] = ct_dot(A + i * stride, vec, stride);
    }
  }
}

#ifndef __CUDACC__

// res (stride) = A' vec by one lane. Rows of zeros are added like others: to ask for them is to
// guess, and a zero changes no sum that starts from zero.
LANE_FN static void combine_all_rows(mjtNum* res, const mjtNum* A, const mjtNum* vec, int nrow,
                                     int stride) {
  int j = 0;
  for (; j + 8 < stride; j += 12) {
    Wide s0 = wide_all(0), s1 = s0, s2 = s0;
    const mjtNum* row = A + j;
    for (int k = 0; k < nrow; k++, row += stride) {
      Wide c = wide_all(vec[k]);
      s0 = wide_add(s0, wide_mul(wide_load(row), c));
      s1 = wide_add(s1, wide_mul(wide_load(row + 4), c));
      s2 = wide_add(s2, wide_mul(wide_load(row + 8), c));
    }
    wide_store(res + j, s0);
    wide_store(res + j + 4, s1);
    wide_store(res + j + 8, s2);
  }
  for (; j < stride; j += 4) {
    Wide s = wide_all(0);
    const mjtNum* row = A + j;
    for (int k = 0; k < nrow; k++, row += stride) {
      s = wide_add(s, wide_mul(wide_load(row), wide_all(vec[k])));
    }
    wide_store(res + j, s);
  }
}

#endif

LANE_FN void ct_problem_add_rows(Lane g, mjtNum* res, const mjtNum* A, const mjtNum* vec, int nrow,
                                 int stride) {
#ifndef __CUDACC__
  if (lane_count(g) == 1) {
    combine_all_rows(res, A, vec, nrow, stride);
    return;
  }
#endif
  LANE_FOR(j, g, stride) {
    mjtNum sum = 0;
    for (int i = 0; i < nrow; i++) {
      if (vec[i] != 0) sum += A[i * stride + j] * vec[i];
    }
    res[j] = sum;
  }
}

// Numbers of the rows of a block from those of its basis.
LANE_INLINE void rows_from_basis(const ct_Block* b, mjtNum* row, const mjtNum* c) {
  if (b->kind == CT_BLOCK_PYRAMID) {
    for (int q = 1; q < b->dim; q++) {
      row[2 * q - 2] = c[0] + c[q];
      row[2 * q - 1] = c[0] - c[q];
    }
  } else {
    for (int q = 0; q < b->dim; q++) row[q] = c[q];
  }
}

// The transpose of that: forces of rows to forces along the basis.
LANE_INLINE void basis_from_rows(const ct_Block* b, mjtNum* c, const mjtNum* row) {
  if (b->kind == CT_BLOCK_PYRAMID) {
    c[0] = 0;
    for (int q = 1; q < b->dim; q++) {
      c[0] += row[2 * q - 2] + row[2 * q - 1];
      c[q] = row[2 * q - 2] - row[2 * q - 1];
    }
  } else {
    for (int q = 0; q < b->dim; q++) c[q] = row[q];
  }
}

LANE_FN static void mul_J_small(Lane g, const ct_Problem* p, mjtNum* res, const mjtNum* vec) {
  ct_problem_mul_rows(g, p->coefficient, p->basis, vec, p->nbasis, p->stride);
  lane_sync(g);
  LANE_FOR(k, g, p->nblock) {
    const ct_Block* b = p->block + k;
    if (b->kind == CT_BLOCK_UNIT) {
      res[b->row] = b->factor * vec[b->dof];
    } else {
      rows_from_basis(b, res + b->row, p->coefficient + b->basis);
    }
  }
  lane_sync(g);
}

LANE_FN static void mul_JT_small(Lane g, const ct_Problem* p, mjtNum* res, const mjtNum* vec) {
  LANE_FOR(k, g, p->nblock) {
    const ct_Block* b = p->block + k;
    if (b->kind != CT_BLOCK_UNIT) basis_from_rows(b, p->coefficient + b->basis, vec + b->row);
  }
  lane_sync(g);
  ct_problem_add_rows(g, res, p->basis, p->coefficient, p->nbasis, p->stride);
  lane_sync(g);
  LANE_ROLLED for (int k = 0; k < p->nblock; k++) {
    const ct_Block* b = p->block + k;
    if (b->kind != CT_BLOCK_UNIT) continue;
    if (LANE_OWNS(g, b->dof)) res[b->dof] += b->factor * vec[b->row];
  }
  lane_sync(g);
}

LANE_FN static void mul_J_alone(const ct_Problem* p, mjtNum* res, const mjtNum* vec) {
  for (int i = 0; i < p->rows.nefc; i += 4) {
    for (int four = ct_next_four_alike(p, i); i < four; i++) {
      int start = p->J_rowadr[i];
      res[i] = ct_dot_sparse_runs(p->J + start, p->J_colind + start, p->J_rownnz[i], vec);
    }
    if (i == p->rows.nefc) return;
    int start = p->J_rowadr[i];
    ct_dot_four_alike(res + i, p->J + start, p->J_colind + start, p->J_rownnz[i], vec);
  }
}

LANE_FN void ct_problem_mul_J(Lane g, const ct_Problem* p, mjtNum* res, const mjtNum* vec) {
  if (ct_problem_is_small(p)) {
    mul_J_small(g, p, res, vec);
    return;
  }
  if (lane_count(g) == 1) {
    mul_J_alone(p, res, vec);
    return;
  }
  LANE_FOR(i, g, p->rows.nefc) {
    int start = p->J_rowadr[i];
    res[i] = ct_dot_sparse_runs(p->J + start, p->J_colind + start, p->J_rownnz[i], vec);
  }
  lane_sync(g);
}

// res += J' vec by one lane. Sums that started from 0 are never -0, so that zeros change nothing.
LANE_FN static void add_JT(const ct_Problem* p, mjtNum* res, const mjtNum* vec) {
  for (int i = 0; i < p->rows.nefc; i += 4) {
    for (int four = ct_next_four_alike(p, i); i < four; i++) {
      int start = p->J_rowadr[i];
      if (vec[i] == 0) continue;
      ct_add_to_scl_sparse_runs(res, p->J + start, p->J_colind + start, vec[i], p->J_rownnz[i]);
    }
    if (i == p->rows.nefc) return;
    int start = p->J_rowadr[i];
    bool some = vec[i] != 0 || vec[i + 1] != 0 || vec[i + 2] != 0 || vec[i + 3] != 0;
    if (some) {
      ct_add_four_alike(res, p->J + start, p->J_colind + start, p->J_rownnz[i], vec + i);
    }
  }
}

// In large problems every lane goes through all rows and adds to its own dofs.
LANE_FN void ct_problem_mul_JT(Lane g, const ct_Problem* p, mjtNum* res, const mjtNum* vec) {
  if (ct_problem_is_small(p)) {
    mul_JT_small(g, p, res, vec);
    return;
  }
  LANE_FOR(j, g, p->stride) {
    res[j] = 0;
  }
  if (lane_count(g) == 1) {
    add_JT(p, res, vec);
    return;
  }
  for (int i = 0; i < p->rows.nefc; i++) {
    mjtNum f = vec[i];
    if (f == 0) continue;
    int start = p->J_rowadr[i];
    for (int k = start; k < start + p->J_rownnz[i]; k++) {
      if (LANE_OWNS(g, p->J_colind[k])) res[p->J_colind[k]] += p->J[k] * f;
    }
  }
  lane_sync(g);
}

// Is M diagonal? It is for points that slide along three axes, the vertices of a flex. Rows have
// their diagonal at least, and follow each other.
LANE_INLINE bool has_diagonal_M(const ct_Problem* p) {
  int last = p->n - 1;
  return p->M_rowadr[last] + p->M_rownnz[last] - p->M_rowadr[0] == p->n;
}

// Row i adds to dof i first, then to the dofs of its other columns.
LANE_FN static void mul_stored_M(Lane g, const ct_Problem* p, mjtNum* res, const mjtNum* vec) {
  for (int i = 0; i < p->n; i++) {
    int start = p->M_rowadr[i], nnz = p->M_rownnz[i];
    const mjtNum* row = p->M + start;
    const int* column = p->M_colind + start;
    if (LANE_OWNS(g, i)) res[i] = ct_dot_sparse(row, column, nnz, vec);
    for (int k = 0; k < nnz - 1; k++) {
      if (LANE_OWNS(g, column[k])) res[column[k]] += row[k] * vec[i];
    }
  }
}

// The same by one lane, which reads each row once.
LANE_FN static void mul_stored_M_alone(const ct_Problem* p, mjtNum* res, const mjtNum* vec) {
  for (int i = 0; i < p->n; i++) {
    int start = p->M_rowadr[i], last = p->M_rownnz[i] - 1;
    const mjtNum* row = p->M + start;
    const int* column = p->M_colind + start;
    mjtNum sum = 0, x = vec[i];
    for (int k = 0; k < last; k++) {
      sum += row[k] * vec[column[k]];
      res[column[k]] += row[k] * x;
    }
    res[i] = sum + row[last] * x;
  }
}

LANE_FN void ct_problem_mul_M(Lane g, const ct_Problem* p, mjtNum* res, const mjtNum* vec) {
  if (ct_problem_is_small(p) && lane_count(g) > 1) {
    mul_symmetric_lanes(g, res, p->dense_M, vec, p->n, p->stride);
  } else if (ct_problem_is_small(p)) {
    ct_problem_mul_rows(g, res, p->dense_M, vec, p->n, p->stride);
  } else if (has_diagonal_M(p)) {
    const mjtNum* M = p->M + p->M_rowadr[0];
    LANE_FOR(i, g, p->n) {
      res[i] = M[i] * vec[i];
    }
  } else if (lane_count(g) == 1) {
    mul_stored_M_alone(p, res, vec);
  } else {
    mul_stored_M(g, p, res, vec);
  }
  lane_sync(g);
}

// The factor of an island is solved with by one lane: its rows are short and wait for each other.
LANE_FN static void solve_island(const ct_Problem* p, mjtNum* x) {
  for (int k = p->n - 1; k >= 0; k--) {
    int start = p->M_rowadr[k];
    ct_add_to_scl_sparse(x, p->LD + start, p->M_colind + start, -x[k], p->M_rownnz[k] - 1);
  }
  for (int k = 0; k < p->n; k++) {
    int start = p->M_rowadr[k];
    mjtNum sum = ct_dot_sparse(p->LD + start, p->M_colind + start, p->M_rownnz[k] - 1, x);
    x[k] = x[k] * p->invD[k] - sum;
  }
}

LANE_FN void ct_problem_solve_M(Lane g, const mjModel* m, const mjData* d, const ct_Problem* p,
                                mjtNum* x) {
  if (p->island < 0) {
    ct_solve(g, m, d, p->LD, p->invD, x);
  } else if (has_diagonal_M(p)) {
    LANE_FOR(i, g, p->n) {
      x[i] *= p->invD[i];
    }
  } else {
    LANE_ONCE(g) {
      solve_island(p, x);
    }
  }
  lane_sync(g);
}
