// The mass matrix, by composite rigid bodies.
//
//   in    cinert  (nbody x 10)  inertia of every body
//         cdof    (nv x 6)      motion axis of every dof
//         ten_J   (ntendon x nv, or sparse rows)
//   out   crb     (nbody x 10)  inertia of every body and all that hangs on it, taken as rigid
//         M       (nC)          lower triangle by rows: ancestors of the dof, then the diagonal
//         qM      (nM)          the same numbers: diagonal, then the ancestors from near to far
//
// Inertias and axes are taken at one point per tree, see com.c. When only dof i moves, everything
// below it moves as one body. With I_b the inertia of that body and s_i the axis, the momentum is
// I_b s_i, and an ancestor j feels (Featherstone, Rigid Body Dynamics Algorithms, section 6.2)
//
//   M_ij = s_j . I_b(i) s_i,       M_ii also takes the armature of the dof.
//
// Dofs of a simple body (free or sliding, nothing hanging on it, axes through its centre of mass)
// have a constant diagonal, which the model has as dof_M0, and no row beside it.
//
// A tendon with armature a moves with the speed J qd, so that M += a J'J. Products of dofs that are
// not on one chain have no place in M and are dropped, as the reference does.
//
// While trees sleep, rows of their bodies and dofs keep what they had.

#include "engine/smooth/mass_matrix.h"

#include "base/model/awake.h"
#include "base/model/options.h"
#include "base/private.h"
#include "math/sparse.h"
#include "math/spatial.h"
#include "math/wide_spatial.h"

// Children are added from the last to the first, the order of a loop over all bodies backwards.
LANE_FN static void gather_composite(const ct_Schedule* s, mjData* d, int b) {
  mjtNum inertia[10];
  ct_copy(inertia, d->cinert + 10 * b, 10);
  for (int i = s->child_adr[b]; i < s->child_adr[b + 1]; i++) {
    ct_add_to(inertia, d->crb + 10 * s->child[i], 10);
  }
  ct_copy(d->crb + 10 * b, inertia, 10);
}

LANE_INLINE void composite_row(const mjModel* m, mjData* d, int i) {
  mjtNum* row = d->M + m->M_rowadr[i];
  if (m->dof_simplenum[i]) {
    row[0] = m->dof_M0[i];
    return;
  }
  const int* column = m->M_colind + m->M_rowadr[i];
  int last = m->M_rownnz[i] - 1;
  mjtNum momentum[6];
  ct_mul_inert_vec(momentum, d->crb + 10 * m->dof_bodyid[i], d->cdof + 6 * i);
  for (int k = 0; k <= last; k++) {
    row[k] = ct_dot6(d->cdof + 6 * column[k], momentum);
  }
  row[last] += m->dof_armature[i];
}

#if LANE_WIDTH == 1

LANE_FN static void composite_rows(Lane g, const mjModel* m, mjData* d, bool filter) {
  LANE_FOR(i, g, m->nv) {
    if (!filter || !ct_dof_asleep(m, d, i)) composite_row(m, d, i);
  }
}

#else

// Dofs that follow each other on one chain have the same columns, each one more than the one before
// it. Up to four such rows are made together, one in each place of a word: an axis is loaded once
// for all of them. Measured: 1.4 to 2 times as fast as row by row.

// How many dofs from i on can be made together.
static inline int rows_in_run(const mjModel* m, int i) {
  int n = 1;
  while (n < LANE_WIDTH && i + n < m->nv && m->dof_parentid[i + n] == i + n - 1) n++;
  return m->dof_simplenum[i] ? 1 : n;
}

// I_b s_i of n dofs from i on; the places behind them repeat the last.
static inline void run_momenta(const mjModel* m, const mjData* d, int i, int n, Wide momentum[6]) {
  const mjtNum *crb[LANE_WIDTH], *axis[LANE_WIDTH];
  for (int t = 0; t < LANE_WIDTH; t++) {
    int j = i + (t < n ? t : n - 1);
    crb[t] = d->crb + 10 * m->dof_bodyid[j];
    axis[t] = d->cdof + 6 * j;
  }
  Wide inertia[10], motion[6];
  for (int k = 0; k < 10; k++) inertia[k] = (Wide){crb[0][k], crb[1][k], crb[2][k], crb[3][k]};
  for (int k = 0; k < 6; k++) motion[k] = (Wide){axis[0][k], axis[1][k], axis[2][k], axis[3][k]};
  wide_mul_inert_vec(momentum, inertia, motion);
}

static void rows_of_run(const mjModel* m, mjData* d, int i, int n) {
  Wide momentum[6];
  run_momenta(m, d, i, n, momentum);
  mjtNum* row[LANE_WIDTH];
  for (int t = 0; t < LANE_WIDTH; t++) row[t] = d->M + m->M_rowadr[i + (t < n ? t : n - 1)];
  const int* column = m->M_colind + m->M_rowadr[i + n - 1];
  int shared = m->M_rownnz[i];
  for (int k = 0; k < shared; k++) {
    Wide entry = wide_dot6(d->cdof + 6 * column[k], momentum);
    row[0][k] = entry[0];
    row[1][k] = entry[1];
    row[2][k] = entry[2];
    row[3][k] = entry[3];
  }
  for (int k = shared; k < shared + n - 1; k++) {  // the columns of the run itself
    Wide entry = wide_dot6(d->cdof + 6 * column[k], momentum);
    for (int t = k - shared + 1; t < n; t++) row[t][k] = entry[t];
  }
  for (int t = 0; t < n; t++) row[t][shared - 1 + t] += m->dof_armature[i + t];
}

// Rows of n simple dofs from i on, which are a number each and follow each other.
LANE_FN static void copy_simple_rows(Lane g, const mjModel* m, mjData* d, int i, int n) {
  mjtNum* M = d->M + m->M_rowadr[i];
  LANE_FOR(k, g, n) {
    M[k] = m->dof_M0[i + k];
  }
}

static void composite_rows(Lane g, const mjModel* m, mjData* d, bool filter) {
  for (int i = 0, n, run = 0; i < m->nv; i += n, run++) {
    if (!filter && m->dof_simplenum[i]) {
      n = m->dof_simplenum[i];
      copy_simple_rows(g, m, d, i, n);
      continue;
    }
    n = rows_in_run(m, i);
    if (!LANE_OWNS(g, run) || (filter && ct_dof_asleep(m, d, i))) continue;
    if (n == 1) {
      composite_row(m, d, i);
    } else {
      rows_of_run(m, d, i, n);
    }
  }
}

#endif

LANE_FN void ct_composite_bodies(Lane g, const mjModel* m, mjData* d) {
  const ct_Schedule* s = &ct_private(d)->schedule;
  bool filter = ct_some_asleep(m, d);
  LANE_LEVELS_UP(b, g, s->bodies) {
    if (filter && ct_body_asleep(d, b)) continue;
    gather_composite(s, d, b);
  }
  LANE_ONCE(g) {
    ct_zero(d->crb, 10);  // nothing moves the world
  }
  composite_rows(g, m, d, filter);
  lane_sync(g);
}

#ifndef CT_SIDE_BY_SIDE  // tendons are not

LANE_FN static void add_tendon_sparse(Lane g, const mjModel* m, mjData* d, int t, bool filter) {
  int start = d->ten_J_rowadr[t], n = d->ten_J_rownnz[t];
  const mjtNum* J = d->ten_J + start;
  const int* J_column = d->ten_J_colind + start;
  LANE_FOR(e, g, n) {
    int i = J_column[e];
    if (filter && ct_dof_asleep(m, d, i)) continue;
    ct_add_common_sparse(d->M + m->M_rowadr[i], m->M_colind + m->M_rowadr[i], m->M_rownnz[i], J,
                         J_column, n, m->tendon_armature[t] * J[e]);
  }
}

LANE_FN static void add_tendon_dense(Lane g, const mjModel* m, mjData* d, int t, bool filter) {
  const mjtNum* J = d->ten_J + t * m->nv;
  LANE_FOR(i, g, m->nv) {
    if (J[i] == 0 || (filter && ct_dof_asleep(m, d, i))) continue;
    mjtNum* row = d->M + m->M_rowadr[i];
    const int* column = m->M_colind + m->M_rowadr[i];
    mjtNum scale = m->tendon_armature[t] * J[i];
    for (int k = 0; k < m->M_rownnz[i]; k++) {
      row[k] += scale * J[column[k]];
    }
  }
}

LANE_FN void ct_tendon_inertia(Lane g, const mjModel* m, mjData* d) {
  bool filter = ct_some_asleep(m, d), sparse = ct_is_sparse(m);
  for (int t = 0; t < m->ntendon; t++) {
    if (m->tendon_armature[t] == 0) continue;
    if (sparse) {
      add_tendon_sparse(g, m, d, t, filter);
    } else {
      add_tendon_dense(g, m, d, t, filter);
    }
    lane_sync(g);  // the next tendon may touch the same rows
  }
}

#endif

LANE_FN int ct_mass_matrix(Lane g, const mjModel* m, mjData* d) {
  if (ct_all_asleep(m, d)) return CT_OK;
  ct_composite_bodies(g, m, d);
#ifndef CT_SIDE_BY_SIDE
  ct_tendon_inertia(g, m, d);
#endif
  LANE_FOR(i, g, m->nv) {  // rows of qM run the other way
    const mjtNum* row = d->M + m->M_rowadr[i];
    mjtNum* reversed = d->qM + m->dof_Madr[i];
    int n = m->M_rownnz[i];
    reversed[0] = row[n - 1];
    for (int k = 1; k < n; k++) reversed[k] = row[n - 1 - k];
  }
  lane_sync(g);
  return CT_OK;
}

// Both of the following add to res[j] its own row first, then what dofs below j contribute, in
// rising order. One lane goes through M once and adds into the ancestors. Several would have to
// meet after every row; there the owner of j goes through the rows below it, whose addresses
// D's pattern has.

LANE_INLINE void add_to_ancestors(const mjModel* m, const mjtNum* M, int i, int lead, mjtNum* res,
                                  const mjtNum* vec) {
  int start = m->M_rowadr[i];
  ct_add_to_scl_led(res, M + start, m->M_colind + start, vec[i], m->M_rownnz[i] - 1, lead);
}

LANE_INLINE void add_from_descendants(const mjModel* m, const mjtNum* M, int j, mjtNum* res,
                                      const mjtNum* vec) {
  int end = m->D_rowadr[j] + m->D_rownnz[j];
  for (int e = m->D_rowadr[j] + m->D_diag[j] + 1; e < end; e++) {
    if (m->mapM2D[e] >= 0) res[j] += M[m->mapM2D[e]] * vec[m->D_colind[e]];
  }
}

LANE_PRIMITIVE_ void mul_symmetric(Lane g, const mjModel* m, const mjData* d, const mjtNum* M,
                                   mjtNum* res, const mjtNum* vec) {
  const int* lead = ct_private(d)->schedule.lead;
  LANE_FOR(i, g, m->nv) {
    int start = m->M_rowadr[i];
    res[i] = ct_dot_led(M + start, m->M_colind + start, m->M_rownnz[i], lead[i], vec);
    if (lane_count(g) == 1) {
      add_to_ancestors(m, M, i, lead[i], res, vec);
    } else {
      add_from_descendants(m, M, i, res, vec);
    }
  }
  lane_sync(g);
}

LANE_FN void ct_mul_like_M(Lane g, const mjModel* m, const mjData* d, const mjtNum* M, mjtNum* res,
                           const mjtNum* vec) {
  mul_symmetric(g, m, d, M, res, vec);
}

LANE_FN LANE_APART void ct_mul_M(Lane g, const mjModel* m, const mjData* d, mjtNum* res,
                                 const mjtNum* vec) {
  mul_symmetric(g, m, d, d->M, res, vec);
}

LANE_FN void ct_mul_root_M(Lane g, const mjModel* m, const mjData* d, mjtNum* res,
                           const mjtNum* vec) {
  LANE_FOR(i, g, m->nv) {
    int start = m->M_rowadr[i], n = m->M_rownnz[i] - 1;
    mjtNum sum = vec[i] + ct_dot_sparse(d->qLD + start, m->M_colind + start, n, vec);
    res[i] = ct_sqrt(d->qLD[start + n]) * sum;
  }
  lane_sync(g);
}
