// Products with the Jacobian of the rows, and the acceleration that each row strives for.
//
//   in    efc_J and its indices, qvel, efc_pos, efc_margin, efc_KBIP
//   out   efc_vel   (nefc)  J qvel
//         efc_aref  (nefc)  -B vel - K impedance (pos - margin)
//
// Dense products own their outputs: J v is a dot product per row, J' f adds rows to a vector.
// Sparse J' f adds the rows of a run with common columns together, so that lanes meet once per run.

#include "base/model/options.h"
#include "engine/constraint/constraint.h"
#include "math/lane_vec.h"
#include "math/mat.h"
#include "math/sparse.h"

// Four dense rows, or the last few; each has the bits of ct_dot.
LANE_INLINE void mul_dense_rows(const mjModel* m, const mjData* d, mjtNum* res, const mjtNum* vec,
                                int row) {
  int nv = (int)m->nv, left = d->nefc - row;
  const mjtNum* J = d->efc_J + (size_t)row * (size_t)nv;
  ct_mul_mat_vec(res + row, J, vec, left < 4 ? left : 4, nv);
}

// Four sparse rows, or the last few.
LANE_INLINE void mul_sparse_rows(const mjData* d, mjtNum* res, const mjtNum* vec, int row) {
  int end = row + 4 < d->nefc ? row + 4 : d->nefc, start = d->efc_J_rowadr[row];
  if (end == row + 4 && d->efc_J_rowsuper[row] >= 3) {
    ct_dot_four_alike(res + row, d->efc_J + start, d->efc_J_colind + start, d->efc_J_rownnz[row],
                      vec);
    return;
  }
  for (int i = row; i < end; i++) {
    start = d->efc_J_rowadr[i];
    res[i] = ct_dot_sparse(d->efc_J + start, d->efc_J_colind + start, d->efc_J_rownnz[i], vec);
  }
}

LANE_FN LANE_APART void ct_mul_jac_vec(Lane g, const mjModel* m, const mjData* d, mjtNum* res,
                                       const mjtNum* vec) {
  bool sparse = ct_is_sparse(m);
  if (lane_count(g) > 1 && !sparse) {  // a row each
    LANE_FOR(row, g, d->nefc) {
      ct_mul_mat_vec(res + row, d->efc_J + (size_t)row * (size_t)m->nv, vec, 1, (int)m->nv);
    }
    lane_sync(g);
    return;
  }
  LANE_FOR(word, g, (d->nefc + 3) / 4) {
    if (sparse) {
      mul_sparse_rows(d, res, vec, 4 * word);
    } else {
      mul_dense_rows(m, d, res, vec, 4 * word);
    }
  }
  lane_sync(g);
}

LANE_FN static void mul_sparse_transposed(Lane g, const mjData* d, mjtNum* res, const mjtNum* vec) {
  for (int i = 0; i < d->nefc; i += d->efc_J_rowsuper[i] + 1) {
    int count = d->efc_J_rownnz[i], run = d->efc_J_rowsuper[i] + 1;
    const int* column = d->efc_J_colind + d->efc_J_rowadr[i];
    const mjtNum* J = d->efc_J + d->efc_J_rowadr[i];
    LANE_FOR(k, g, count) {
      mjtNum sum = res[column[k]];
      for (int r = 0; r < run; r++) sum += J[r * count + k] * vec[i + r];
      res[column[k]] = sum;
    }
    lane_sync(g);
  }
}

LANE_FN void ct_mul_jac_t_vec(Lane g, const mjModel* m, const mjData* d, mjtNum* res,
                              const mjtNum* vec) {
  if (d->nefc == 0) return;
  int nv = (int)m->nv;
  LANE_FOR(k, g, nv) {
    res[k] = 0;
  }
  lane_sync(g);
  if (ct_is_sparse(m)) {
    mul_sparse_transposed(g, d, res, vec);
    return;
  }
  for (int i = 0; i < d->nefc; i++) {
    if (vec[i] != 0) lane_add_scaled(g, res, d->efc_J + (size_t)i * (size_t)nv, vec[i], nv);
  }
  lane_sync(g);
}

LANE_FN int ct_reference_constraint(Lane g, const mjModel* m, mjData* d) {
  ct_mul_jac_vec(g, m, d, d->efc_vel, d->qvel);
  LANE_FOR(i, g, d->nefc) {
    const mjtNum* KBIP = d->efc_KBIP + 4 * (size_t)i;
    d->efc_aref[i] =
        -KBIP[1] * d->efc_vel[i] - KBIP[0] * KBIP[2] * (d->efc_pos[i] - d->efc_margin[i]);
  }
  lane_sync(g);
  return CT_OK;
}
