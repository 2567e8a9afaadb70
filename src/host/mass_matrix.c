// Public functions that build the mass matrix and compute with it.

#include "host/mass_matrix.h"

#include "engine/smooth/mass_matrix.h"
#include "host/timer.h"
#include "math/sparse.h"

void mj_crb(const mjModel* m, mjData* d) {
  ct_composite_bodies(lane_one(), m, d);
}

void mj_tendonArmature(const mjModel* m, mjData* d) {
  ct_tendon_inertia(lane_one(), m, d);
}

void mj_makeM(const mjModel* m, mjData* d) {
  mjtNum start = ct_clock();
  ct_mass_matrix(lane_one(), m, d);
  ct_timer_count(d, mjTIMER_POS_INERTIA, start);
}

void mj_mulM(const mjModel* m, const mjData* d, mjtNum* res, const mjtNum* vec) {
  ct_mul_M(lane_one(), m, d, res, vec);
}

void mj_mulM2(const mjModel* m, const mjData* d, mjtNum* res, const mjtNum* vec) {
  ct_mul_root_M(lane_one(), m, d, res, vec);
}

// M has the legacy layout: each row from its diagonal through the ancestors of the dof.
void mj_fullM(const mjModel* m, mjtNum* dst, const mjtNum* M) {
  mjtSize nv = m->nv;
  ct_zero(dst, (int)(nv * nv));
  for (int i = 0; i < nv; i++) {
    const mjtNum* value = M + m->dof_Madr[i];
    for (int j = i; j >= 0; j = m->dof_parentid[j]) {
      dst[i * nv + j] = dst[j * nv + i] = *value++;
    }
  }
}

// A dense destination receives the lower triangle only. Rows of a sparse one grow to hold M's.
void mj_addM(const mjModel* m, mjData* d, mjtNum* dst, int* rownnz, int* rowadr, int* colind) {
  if (!rownnz || !rowadr || !colind) {
    ct_add_sym_sparse(dst, d->M, (int)m->nv, m->M_rownnz, m->M_rowadr, m->M_colind, 0);
    return;
  }
  for (int i = 0; i < m->nv; i++) {
    int start = m->M_rowadr[i];
    rownnz[i] = ct_add_sparse_row(dst + rowadr[i], colind + rowadr[i], rownnz[i], d->M + start,
                                  m->M_colind + start, m->M_rownnz[i], 1);
  }
}
