// Public functions that factor the mass matrix and solve with it.

#include <string.h>

#include <mujoco/mujoco.h>

#include "engine/smooth/factor.h"

void mj_factorM(const mjModel* m, mjData* d) {
  ct_factor_M(lane_one(), m, d);
}

// x and y hold n vectors one after the other and may be the same array.
static void copy_vectors(const mjModel* m, mjtNum* x, const mjtNum* y, int n) {
  if (x != y && n > 0) memmove(x, y, (size_t)n * (size_t)m->nv * sizeof(mjtNum));
}

void mj_solveM(const mjModel* m, mjData* d, mjtNum* x, const mjtNum* y, int n) {
  copy_vectors(m, x, y, n);
  for (int i = 0; i < n; i++) {
    ct_solve(lane_one(), m, d, d->qLD, d->qLDiagInv, x + i * m->nv);
  }
}

void mj_solveM2(const mjModel* m, mjData* d, mjtNum* x, const mjtNum* y, const mjtNum* sqrtInvD,
                int n) {
  copy_vectors(m, x, y, n);
  for (int i = 0; i < n; i++) {
    mjtNum* one = x + i * m->nv;
    ct_solve_half(lane_one(), m, d->qLD, one);
    for (int k = 0; k < m->nv; k++) {
      one[k] *= sqrtInvD[k];
    }
  }
}
