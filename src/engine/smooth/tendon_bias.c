// Bias forces from the inertia of tendons.
//
//   in    ten_J            (ntendon x nv, or sparse rows)
//         cvel, cdof_dot   (nbody x 6), (nv x 6)
//         cdof, site_xpos, subtree_com, qvel
//   out   a vector (nv) of the caller, to which the forces are added
//
// A tendon with inertia a and length L(q) has the kinetic energy a/2 (J qd)^2, J = dL/dq.
// Lagrange's equation makes of it the forces a J' (J qdd + dJ/dt qd); the first part is in M
// (mass_matrix.c), the second is
//
//   a (dJ/dt qd) J'
//
// dJ/dt is zero for a tendon over joints, and comes from tendon.c for one through sites. A tendon
// that bends around a geom cannot have inertia: the compiler refuses it.

#include "engine/smooth/tendon_bias.h"

#include "base/memory/scratch.h"
#include "base/model/options.h"
#include "engine/smooth/tendon.h"

LANE_FN static void add_tendon_force(Lane g, const mjModel* m, const mjData* d, int t, mjtNum force,
                                     mjtNum* qfrc) {
  if (ct_is_sparse(m)) {
    int start = d->ten_J_rowadr[t];
    LANE_FOR(e, g, d->ten_J_rownnz[t]) {
      qfrc[d->ten_J_colind[start + e]] += force * d->ten_J[start + e];
    }
  } else {
    const mjtNum* J = d->ten_J + t * m->nv;
    LANE_FOR(k, g, m->nv) {
      qfrc[k] += force * J[k];
    }
  }
  lane_sync(g);
}

LANE_INLINE bool has_tendon_bias(const mjModel* m, int t) {
  return m->tendon_armature[t] != 0 && m->wrap_type[m->tendon_adr[t]] != mjWRAP_JOINT;
}

LANE_FN int ct_tendon_bias(Lane g, const mjModel* m, mjData* d, mjtNum* qfrc) {
  int first = 0;
  while (first < m->ntendon && !has_tendon_bias(m, first)) first++;
  if (first == m->ntendon) return CT_OK;
  if (!lane_mark(g, d)) return CT_STACK_FULL;
  mjtNum* Jdot = lane_scratch_num(g, d, (int)m->nv);
  for (int t = first; Jdot && t < m->ntendon; t++) {
    if (!has_tendon_bias(m, t)) continue;
    ct_tendon_dot(g, m, d, t, Jdot);
    mjtNum rate;
    LANE_SUM(rate, k, g, m->nv, Jdot[k] * d->qvel[k]);
    add_tendon_force(g, m, d, t, m->tendon_armature[t] * rate, qfrc);
  }
  lane_free(g, d);
  return Jdot ? CT_OK : CT_STACK_FULL;
}
