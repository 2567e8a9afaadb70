// What primal solvers work on, and gathering it. products.c multiplies with its matrices.
//
//   in    efc_*, M, qLD, qLDiagInv, qfrc_smooth, qacc_smooth     of the whole model, or
//         iefc_*, iM*, iLD*, ifrc_smooth, iacc_smooth            of one island
//   out   ct_Problem: of a small one dense M and the basis of its blocks; of others sparse rows
//
// problem.h says what blocks and small problems are.

#include "engine/solver/problem.h"

#include "base/memory/scratch.h"
#include "base/model/options.h"
#include "base/private.h"
#include "engine/smooth/factor.h"
#include "engine/smooth/mass_matrix.h"
#include "engine/solver/row_newton.h"
#include "math/lane_vec.h"
#include "math/mat.h"
#include "math/sparse.h"

LANE_FN ct_Problem ct_whole_problem(const mjModel* m, mjData* d) {
  ct_Problem p;
  p.n = (int)m->nv;
  p.stride = ct_pad4(p.n);
  p.island = -1;
  p.alone = false;
  p.scale = 1 / (m->stat.meaninertia * (mjtNum)(p.n > 1 ? p.n : 1));
  p.rows = ct_all_rows(d);
  p.contact = d->contact;
  p.acc_smooth = d->qacc_smooth;
  p.frc_smooth = d->qfrc_smooth;
  p.acc = d->qacc;
  p.frc_constraint = d->qfrc_constraint;
  p.M_rownnz = m->M_rownnz;
  p.M_rowadr = m->M_rowadr;
  p.M_colind = m->M_colind;
  p.M = d->M;
  p.LD = d->qLD;
  p.invD = d->qLDiagInv;
  p.sparse = ct_is_sparse(m);
  p.J = d->efc_J;
  p.J_rownnz = d->efc_J_rownnz;
  p.J_rowadr = d->efc_J_rowadr;
  p.J_colind = d->efc_J_colind;
  p.J_rowsuper = p.sparse ? d->efc_J_rowsuper : NULL;
  p.no_four_before = 0;
  p.near = 0;
  p.small = p.n <= CT_SMALL;
  p.few_rows = ct_has_few_rows(m, p.n, p.rows.nefc);
  p.nblock = p.nbasis = 0;
  p.block = NULL;
  p.block_of_row = NULL;
  p.dense_M = p.basis = p.coefficient = NULL;
  return p;
}

LANE_FN ct_Problem ct_island_problem(const mjModel* m, mjData* d, int island) {
  ct_Problem p = ct_whole_problem(m, d);
  int dof = d->island_idofadr[island], row = d->island_iefcadr[island];
  p.n = d->island_nv[island];
  p.stride = ct_pad4(p.n);
  p.island = island;
  p.rows = ct_island_rows(d, island);
  p.acc_smooth = d->iacc_smooth + dof;
  p.frc_smooth = d->ifrc_smooth + dof;
  p.acc = d->iacc + dof;
  p.frc_constraint = d->ifrc_constraint + dof;
  p.M_rownnz = d->iM_rownnz + dof;
  p.M_rowadr = d->iM_rowadr + dof;
  p.M_colind = d->iM_colind;
  p.M = d->iM;
  p.LD = d->iLD;
  p.invD = d->iLDiagInv + dof;
  p.J = p.sparse ? d->iefc_J : d->iefc_J + (size_t)d->nidof * (size_t)row;
  p.J_rownnz = d->iefc_J_rownnz + row;
  p.J_rowadr = d->iefc_J_rowadr + row;
  p.J_colind = d->iefc_J_colind;
  p.J_rowsuper = p.sparse ? d->iefc_J_rowsuper + row : NULL;
  p.small = p.n <= CT_SMALL;
  p.few_rows = ct_has_few_rows(m, p.n, p.rows.nefc);

  mjtNum trace = 0;
  for (int i = 0; i < p.n; i++) trace += p.M[p.M_rowadr[i] + p.M_rownnz[i] - 1];
  p.scale = 1 / trace;
  return p;
}

// Blocks of a small problem

// The dof of a row that touches one dof because of what it is; -1: it may touch more.
LANE_INLINE int unit_dof(const mjModel* m, const mjData* d, const ct_Problem* p, int row) {
  int type = p->rows.type[row], id = p->rows.id[row], dof = -1;
  if (type == mjCNSTR_FRICTION_DOF) dof = id;
  if (type == mjCNSTR_LIMIT_JOINT && m->jnt_type[id] >= mjJNT_SLIDE) dof = m->jnt_dofadr[id];
  if (dof < 0 || p->island < 0 || p->alone) return dof;
  return d->map_dof2idof[dof] - d->island_idofadr[p->island];
}

// Rows of a connect or weld belong together; those of a flex do not have the same dofs.
LANE_INLINE ct_Block block_at(const mjModel* m, const mjData* d, const ct_Problem* p, int row) {
  int type = p->rows.type[row], id = p->rows.id[row];
  ct_Block b = {CT_BLOCK_PLAIN, row, 1, p->nbasis, 1, unit_dof(m, d, p, row), 0, 0};
  if (b.dof >= 0) {
    b.kind = CT_BLOCK_UNIT;
    b.dim = 0;
    b.factor = ct_problem_is_sparse(p) ? p->J[p->J_rowadr[row]] : p->J[row * p->n + b.dof];
    b.dofs = ct_dof_bit(b.dof);
  } else if (type == mjCNSTR_CONTACT_PYRAMIDAL) {
    b.kind = CT_BLOCK_PYRAMID;
    b.dim = p->contact[id].dim;
    b.nrow = 2 * (b.dim - 1);
  } else if (type == mjCNSTR_CONTACT_ELLIPTIC) {
    b.kind = CT_BLOCK_ELLIPTIC;
    b.nrow = b.dim = p->contact[id].dim;
  } else if (type == mjCNSTR_EQUALITY && m->eq_type[id] <= mjEQ_WELD) {
    int end = row + 1;
    while (end < row + 6 && end < p->rows.ne && p->rows.id[end] == id) end++;
    b.nrow = b.dim = end - row;
  }
  return b;
}

LANE_FN static void find_blocks(Lane g, const mjModel* m, const mjData* d, ct_Problem* p) {
  for (int row = 0; row < p->rows.nefc;) {
    ct_Block b = block_at(m, d, p, row);
    LANE_ONCE(g) {
      p->block[p->nblock] = b;
      for (int q = 0; q < b.nrow; q++) p->block_of_row[row + q] = p->nblock;
    }
    p->nblock++;
    p->nbasis += b.dim;
    row += b.nrow;
  }
  lane_sync(g);
}

// Does the row belong to the block of the row before it? As block_at says.
LANE_INLINE bool continues_block(const mjModel* m, const ct_Problem* p, int row) {
  if (row == 0) return false;
  int type = p->rows.type[row], id = p->rows.id[row];
  if (p->rows.type[row - 1] != type || p->rows.id[row - 1] != id) return false;
  if (type == mjCNSTR_EQUALITY) return m->eq_type[id] <= mjEQ_WELD;
  return type == mjCNSTR_CONTACT_PYRAMIDAL || type == mjCNSTR_CONTACT_ELLIPTIC;
}

// The same by several lanes, which look at a row each.
LANE_FN static void find_blocks_lanes(Lane g, const mjModel* m, const mjData* d, ct_Problem* p) {
  int nrow = p->rows.nefc;
  LANE_ROLLED for (int base = 0; base < nrow; base += lane_count(g)) {
    int row = base + lane_rank(g), nblock, nbasis;
    bool starts = row < nrow && !continues_block(m, p, row);
    ct_Block b = {0, 0, 0, 0, 0, 0, 0, 0};
    if (starts) b = block_at(m, d, p, row);
    int k = p->nblock + lane_sum_before(g, starts, &nblock);
    b.basis = p->nbasis + lane_sum_before(g, b.dim, &nbasis);
    if (starts) {
      p->block[k] = b;
      for (int q = 0; q < b.nrow; q++) p->block_of_row[row + q] = k;
    }
    p->nblock += nblock;
    p->nbasis += nbasis;
  }
  lane_sync(g);
}

// Columns of a block that are stored, if J is sparse.
LANE_INLINE ct_DofSet stored_columns(const ct_Problem* p, const ct_Block* b) {
  ct_DofSet dofs = 0;
  for (int q = 0; q < b->nrow; q++) {
    int start = p->J_rowadr[b->row + q];
    for (int k = 0; k < p->J_rownnz[b->row + q]; k++) dofs |= ct_dof_bit(p->J_colind[start + k]);
  }
  return dofs;
}

// The rows of J that a basis is made of: all, or those of a pyramid's positive edges and its first
// negative one.
LANE_INLINE int row_of_basis(const ct_Block* b, int q) {
  return b->row + (b->kind == CT_BLOCK_PYRAMID && q > 1 ? 2 * q - 2 : q);
}

// The basis of a pyramid from these rows: plus, minus -> their mean and half their difference; then
// the positive edges minus the mean, which is the normal that all pairs share.
LANE_INLINE void combine_edges(mjtNum* x, int stride, int dim) {
  mjtNum plus = x[0], minus = x[stride];
  x[0] = (plus + minus) / 2;
  x[stride] = (plus - minus) / 2;
  for (int q = 2; q < dim; q++) x[q * stride] -= x[0];
}

// By one lane if J is sparse. Columns are those that are stored.
LANE_FN static void spread_basis(ct_Problem* p, ct_Block* b) {
  mjtNum* x = p->basis + b->basis * p->stride;
  if (b->kind == CT_BLOCK_UNIT) return;
  ct_zero(x, b->dim * p->stride);
  for (int q = 0; q < b->dim; q++) {
    int row = row_of_basis(b, q), start = p->J_rowadr[row];
    for (int k = start; k < start + p->J_rownnz[row]; k++)
      x[q * p->stride + p->J_colind[k]] = p->J[k];
  }
  for (int j = 0; b->kind == CT_BLOCK_PYRAMID && j < p->n; j++)
    combine_edges(x + j, p->stride, b->dim);
  b->dofs = stored_columns(p, b);
}

// The same by several lanes, which own columns. J is dense: column j of the block.
LANE_INLINE bool fill_basis_column(const ct_Problem* p, const ct_Block* b, mjtNum* x, int j) {
  const mjtNum* J = p->J + b->row * p->n + j;
  bool real = j < p->n, any = false;
  mjtNum normal = 0;
  if (b->kind == CT_BLOCK_PYRAMID) {
    mjtNum plus = real ? J[0] : 0, minus = real ? J[p->n] : 0;
    normal = (plus + minus) / 2;
    x[0] = normal;
    x[p->stride] = (plus - minus) / 2;
    any = x[0] != 0 || x[p->stride] != 0;
  }
  for (int q = b->kind == CT_BLOCK_PYRAMID ? 2 : 0; q < b->dim; q++) {
    mjtNum entry = real ? J[(b->kind == CT_BLOCK_PYRAMID ? 2 * q - 2 : q) * p->n] : 0;
    x[q * p->stride] = entry - normal;
    any = any || entry - normal != 0;
  }
  return any;
}

#ifndef __CUDACC__

// Four neighbours of a row of a dense J, zeros behind its last.
LANE_INLINE Wide word_of_J(const ct_Problem* p, int row, int j) {
  const mjtNum* x = p->J + row * p->n + j;
  return j + 4 <= p->n ? wide_load(x) : ct_last_word_(x, p->n - j);
}

// The same by one lane, four columns at a time.
LANE_FN static void fill_basis_words(ct_Problem* p, ct_Block* b) {
  bool pyramid = b->kind == CT_BLOCK_PYRAMID;
  if (b->kind == CT_BLOCK_UNIT) return;
  b->dofs = 0;
  for (int j = 0; j < p->stride; j += 4) {
    mjtNum* x = p->basis + b->basis * p->stride + j;
    Wide zero = wide_all(0), normal = zero;
    WideMask any = {0, 0, 0, 0};
    if (pyramid) {
      Wide plus = word_of_J(p, b->row, j), minus = word_of_J(p, b->row + 1, j);
      Wide tangent = (plus - minus) / 2;
      normal = (plus + minus) / 2;
      wide_store(x, normal);
      wide_store(x + p->stride, tangent);
      any = (WideMask)(normal != zero) | (WideMask)(tangent != zero);
    }
    for (int q = pyramid ? 2 : 0; q < b->dim; q++) {
      Wide entry = word_of_J(p, row_of_basis(b, q), j) - normal;
      wide_store(x + q * p->stride, entry);
      any |= (WideMask)(entry != zero);
    }
    b->dofs |= (ct_DofSet)wide_bits(any) << j;
  }
}

#endif

LANE_FN static void fill_basis_lanes(Lane g, ct_Problem* p) {
  LANE_ROLLED for (int k = 0; k < p->nblock; k++) {
    ct_Block b = p->block[k];
    if (b.kind == CT_BLOCK_UNIT) continue;
    ct_DofSet dofs = 0;
    LANE_ROLLED for (int base = 0; base < p->stride; base += lane_count(g)) {
      int j = base + lane_rank(g);
      bool any = j < p->stride && fill_basis_column(p, &b, p->basis + b.basis * p->stride + j, j);
      dofs |= (ct_DofSet)lane_ballot(g, any) << base;
    }
    LANE_ONCE(g) {
      p->block[k].dofs = dofs;
    }
  }
}

// The same if J is sparse: its rows are spread out by lanes, then columns combined.
LANE_FN static void spread_basis_lanes(Lane g, ct_Problem* p) {
  LANE_WIDE(j, g, p->nbasis * p->stride) {
    wide_store(p->basis + j, wide_all(0));
  }
  lane_sync(g);
  LANE_ROLLED for (int k = 0; k < p->nblock; k++) {
    const ct_Block* b = p->block + k;
    LANE_ROLLED for (int q = 0; q < b->dim; q++) {
      int row = row_of_basis(b, q), start = p->J_rowadr[row];
      mjtNum* x = p->basis + (b->basis + q) * p->stride;
      LANE_FOR(e, g, p->J_rownnz[row]) {
        x[p->J_colind[start + e]] = p->J[start + e];
      }
    }
  }
  lane_sync(g);
  LANE_FOR(k, g, p->nblock) {
    ct_Block* b = p->block + k;
    if (b->kind != CT_BLOCK_UNIT) b->dofs = stored_columns(p, b);
  }
  LANE_ROLLED for (int k = 0; k < p->nblock; k++) {
    const ct_Block* b = p->block + k;
    if (b->kind != CT_BLOCK_PYRAMID) continue;
    LANE_FOR(j, g, p->stride) {
      combine_edges(p->basis + b->basis * p->stride + j, p->stride, b->dim);
    }
  }
}

LANE_FN static void fill_basis(Lane g, ct_Problem* p) {
  if (ct_problem_is_sparse(p)) {
    if (lane_count(g) > 1) {
      spread_basis_lanes(g, p);
      return;
    }
    for (int k = 0; k < p->nblock; k++) spread_basis(p, p->block + k);
    return;
  }
#ifndef __CUDACC__
  if (lane_count(g) == 1) {
    for (int k = 0; k < p->nblock; k++) fill_basis_words(p, p->block + k);
    return;
  }
#endif
  fill_basis_lanes(g, p);
}

#ifndef __CUDACC__

// What is below the diagonal once more above it, four rows and columns at a time. Blocks on the
// diagonal are zero above it, so bits of entry and mirrored entry are those of either.
LANE_FN static void mirror(mjtNum* A, int n, int stride) {
  for (int i = 0; i < n; i += 4) {
    int rows = n - i < 4 ? n - i : 4;
    Wide x[4], y[4];
    for (int j = 0; j < i; j += 4) {
      for (int q = 0; q < 4; q++)
        y[q] = q < rows ? wide_load(A + (i + q) * stride + j) : wide_all(0);
      wide_transpose(y);
      for (int q = 0; q < 4; q++) wide_store(A + (j + q) * stride + i, y[q]);
    }
    for (int q = 0; q < 4; q++)
      x[q] = y[q] = q < rows ? wide_load(A + (i + q) * stride + i) : wide_all(0);
    wide_transpose(y);
    for (int q = 0; q < rows; q++) {
      wide_store(A + (i + q) * stride + i, (Wide)((WideMask)x[q] | (WideMask)y[q]));
    }
  }
}

// By one lane: rows of M, whose first columns follow each other, then their mirror image.
LANE_FN static void fill_mirrored_M(Lane g, const mjData* d, ct_Problem* p) {
  bool gathered = p->island >= 0 && !p->alone;
  const int* dof = gathered ? d->map_idof2dof + d->island_idofadr[p->island] : NULL;
  const int* lead = ct_private(d)->schedule.lead;
  for (int i = 0; i < p->n; i++) {
    const mjtNum* M = p->M + p->M_rowadr[i];
    const int* column = p->M_colind + p->M_rowadr[i];
    mjtNum* row = p->dense_M + i * p->stride;
    int k = 0, led = lead[dof ? dof[i] : i];
    for (int j = 0; j <= i; j += 4) wide_store(row + j, wide_all(0));
    if (led >= 4) {
      ct_copy_numbers(g, row + column[0], M, led);
      k = led;
    }
    for (; k < p->M_rownnz[i]; k++) row[column[k]] = M[k];
  }
  mirror(p->dense_M, p->n, p->stride);
}

#endif

// Entry (i, j) of M stands in row i and in row j.
LANE_FN static void fill_dense_M(Lane g, const mjData* d, ct_Problem* p) {
#ifndef __CUDACC__
  int last = p->n - 1, entries = p->M_rowadr[last] + p->M_rownnz[last] - p->M_rowadr[0];
  if (lane_count(g) == 1 && 4 * entries >= p->n * p->stride) {  // else most of it is zero
    fill_mirrored_M(g, d, p);
    return;
  }
#else
  (void)d;
#endif
  mjtNum* dense = p->dense_M;
  ptrdiff_t stride = p->stride;
  lane_set_zero(g, dense, p->n * p->stride);
  lane_sync(g);
  LANE_FOR(i, g, p->n) {
    const mjtNum* M = p->M + p->M_rowadr[i];
    const int* column = p->M_colind + p->M_rowadr[i];
    mjtNum *row = dense + i * stride, *across = dense + i;
    int n = p->M_rownnz[i];
    LANE_ROLLED for (int k = 0; k < n; k++) {
      ptrdiff_t j = column[k];
      row[j] = across[j * stride] = M[k];
    }
  }
}

// M spread out before there is a problem: kernels for small ones with memory set apart keep it
// there.
#if defined(CT_NEAR) && defined(CT_ONLY_DENSE)

LANE_FN mjtNum* ct_start_dense_M(Lane g, const mjModel* m, mjData* d) {
  (void)g, (void)m, (void)d;
  return NULL;
}

LANE_FN void ct_start_mul_M(Lane g, const mjModel* m, mjData* d, const mjtNum* dense_M, mjtNum* res,
                            const mjtNum* vec) {
  (void)dense_M;
  ct_Problem p = ct_whole_problem(m, d);
  p.dense_M = ct_problem_scratch(g, d, &p, p.n * p.stride);
  fill_dense_M(g, d, &p);
  lane_sync(g);
  LANE_FOR(i, g, p.n) {
    mjtNum sum = 0;
    for (int j = 0; j < p.n; j++) sum += p.dense_M[j * p.stride + i] * vec[j];
    res[i] = sum;
  }
  lane_sync(g);
}

LANE_INLINE bool has_dense_M(const ct_Problem* p) {
  return p->island < 0 || p->alone;
}

#else

LANE_FN mjtNum* ct_start_dense_M(Lane g, const mjModel* m, mjData* d) {
  if (lane_count(g) > 1 || m->nv > CT_SMALL) return NULL;
  ct_Problem p = ct_whole_problem(m, d);
  p.dense_M = ct_problem_scratch(g, d, &p, p.n * p.stride);
  if (p.dense_M) fill_dense_M(g, d, &p);
  return p.dense_M;
}

#ifndef __CUDACC__

// Row k of M, and with `pair` that of its child k + 1, against vec and, transposed, into res: all
// sums get their terms in the order of dofs, as in ct_mul_M. Inlined with `pair` known.
LANE_INLINE void mul_rows_of_M(bool pair, const mjModel* m, const mjData* d, int k, int lead,
                               mjtNum* res, const mjtNum* vec) {
  int start = m->M_rowadr[k], n = m->M_rownnz[k] - 1, e = 0;
  const int* column = m->M_colind + start;
  const mjtNum *M0 = d->M + start, *M1 = M0 + n + 1;
  mjtNum v0 = vec[k], v1 = pair ? vec[k + 1] : 0, sum0 = 0, sum1 = 0;
  Wide f0 = wide_all(v0), f1 = wide_all(v1);
  for (; e + 4 <= lead; e += 4) {
    const mjtNum* x = vec + column[0] + e;
    mjtNum* y = res + column[0] + e;
    Wide word = wide_load(x), a0 = wide_load(M0 + e), p0 = wide_mul(a0, word);
    Wide sum = wide_add(wide_load(y), wide_mul(a0, f0));
    sum0 = sum0 + p0[0] + p0[1] + p0[2] + p0[3];
    if (pair) {
      Wide a1 = wide_load(M1 + e), p1 = wide_mul(a1, word);
      sum = wide_add(sum, wide_mul(a1, f1));
      sum1 = sum1 + p1[0] + p1[1] + p1[2] + p1[3];
    }
    wide_store(y, sum);
  }
  for (; e < n; e++) {
    int c = column[e];
    mjtNum known = vec[c], sum = res[c] + M0[e] * v0;
    sum0 += M0[e] * known;
    if (pair) {
      sum += M1[e] * v1;
      sum1 += M1[e] * known;
    }
    res[c] = sum;
  }
  sum0 += M0[n] * v0;
  if (pair) {
    res[k + 1] = sum1 + M1[n] * v0 + M1[n + 1] * v1;
    sum0 += M1[n] * v1;
  }
  res[k] = sum0;
}

// ct_mul_M by one lane, a dof and its only child so far at a time.
LANE_FN static void mul_M_by_pairs(const mjModel* m, const mjData* d, mjtNum* res,
                                   const mjtNum* vec) {
  const int* lead = ct_private(d)->schedule.lead;
  for (int k = 0; k < m->nv; k++) {
    int n = m->M_rownnz[k], next = m->M_rowadr[k] + 2 * n - 1;
    if (k + 1 < m->nv && m->M_rownnz[k + 1] == n + 1 && m->M_colind[next] == k) {
      mul_rows_of_M(true, m, d, k, lead[k], res, vec);
      k++;
    } else {
      mul_rows_of_M(false, m, d, k, lead[k], res, vec);
    }
  }
}

#endif

// One lane adds columns, which are rows, in the order of dofs. Zeros among them change no sum. Room
// for res is whole words, as that of all scratch.
LANE_FN void ct_start_mul_M(Lane g, const mjModel* m, mjData* d, const mjtNum* dense_M, mjtNum* res,
                            const mjtNum* vec) {
  if (dense_M) {
    ct_mul_mat_t_vec(res, dense_M, vec, (int)m->nv, ct_pad4((int)m->nv));
    return;
  }
#ifndef __CUDACC__
  if (lane_count(g) == 1) {
    mul_M_by_pairs(m, d, res, vec);
    return;
  }
#endif
  ct_mul_M(g, m, d, res, vec);
}

LANE_INLINE bool has_dense_M(const ct_Problem* p) {
  return p->dense_M != NULL;
}

#endif

// Large problems

// How many rows from this one on have to have the same columns: those of an elliptic contact.
LANE_INLINE int common_rows(const ct_Problem* p, int row) {
  return p->rows.type[row] == mjCNSTR_CONTACT_ELLIPTIC ? p->contact[p->rows.id[row]].dim : 1;
}

LANE_INLINE bool has_column(const mjtNum* J, int n, int rows, int j) {
  for (int q = 0; q < rows; q++) {
    if (J[(size_t)q * (size_t)n + (size_t)j] != 0) return true;
  }
  return false;
}

// Writes the sparse rows of a dense J, or only counts their entries. Returns how many there are.
LANE_FN static int make_sparse(const ct_Problem* p, int* rownnz, int* rowadr, int* colind,
                               mjtNum* value) {
  int at = 0;
  for (int row = 0, rows; row < p->rows.nefc; row += rows) {
    const mjtNum* J = p->J + (size_t)row * (size_t)p->n;
    rows = common_rows(p, row);
    for (int q = 0; q < rows; q++) {
      int start = at;
      for (int j = 0; j < p->n; j++) {
        if (!has_column(J, p->n, rows, j)) continue;
        if (value) {
          colind[at] = j;
          value[at] = J[(size_t)q * (size_t)p->n + (size_t)j];
        }
        at++;
      }
      if (!value) continue;
      rowadr[row + q] = start;
      rownnz[row + q] = at - start;
    }
  }
  return at;
}

LANE_FN static bool open_large(Lane g, mjData* d, ct_Problem* p) {
  if (ct_problem_is_sparse(p)) {
    if (lane_count(g) == 1) p->no_four_before = ct_next_four_alike(p, 0);
    return true;
  }
  int nrow = p->rows.nefc, nnz = make_sparse(p, NULL, NULL, NULL, NULL);
  int* rownnz = lane_scratch_int(g, d, 2 * nrow + nnz);
  mjtNum* value = lane_scratch_num(g, d, nnz);
  if (!rownnz || !value) return false;
  int *rowadr = rownnz + nrow, *colind = rowadr + nrow;
  LANE_ONCE(g) {
    make_sparse(p, rownnz, rowadr, colind, value);
  }
  lane_sync(g);
  p->sparse = true;
  p->J = value;
  p->J_rownnz = rownnz;
  p->J_rowadr = rowadr;
  p->J_colind = colind;
  return true;
}

LANE_FN static bool open_blocks(Lane g, const mjModel* m, mjData* d, ct_Problem* p) {
  int nrow = p->rows.nefc;
  size_t room = (size_t)nrow * (sizeof(ct_Block) + sizeof(int));
  p->block = (ct_Block*)lane_scratch_bytes_(g, d, room);
  if (!p->block) return false;
  p->block_of_row = (int*)(p->block + nrow);
  if (lane_count(g) == 1) {
    find_blocks(g, m, d, p);
  } else {
    find_blocks_lanes(g, m, d, p);
  }
  return true;
}

LANE_FN bool ct_open_stored_blocks(Lane g, const mjModel* m, mjData* d, ct_Problem* p) {
  if (!open_blocks(g, m, d, p)) return false;
  LANE_FOR(k, g, p->nblock) {
    ct_Block* b = p->block + k;
    if (b->kind != CT_BLOCK_UNIT) b->dofs = stored_columns(p, b);
  }
  lane_sync(g);
  return true;
}

LANE_FN bool ct_open_problem(Lane g, const mjModel* m, mjData* d, ct_Problem* p) {
  if (!ct_problem_is_small(p)) return open_large(g, d, p);
  if (!open_blocks(g, m, d, p)) return false;
  bool spread = has_dense_M(p);
  if (!p->dense_M) p->dense_M = ct_problem_scratch(g, d, p, p->n * p->stride);
  p->basis = lane_scratch_num(g, d, p->nbasis * p->stride + p->nbasis);
  if (!p->dense_M || !p->basis) return false;
  p->coefficient = p->basis + p->nbasis * p->stride;
  fill_basis(g, p);
  if (!spread) fill_dense_M(g, d, p);
  lane_sync(g);
  return true;
}
