// Smooth acceleration: what all forces but those of constraints do.
//
//   in    qfrc_passive, qfrc_bias, qfrc_applied, qfrc_actuator  (nv)
//         xfrc_applied                                          (nbody x 6)  force, torque
//         qLD, qLDiagInv                                        factor.c
//         cdof, subtree_com, xipos                              where xfrc_applied acts
//   out   qfrc_smooth, qacc_smooth                              (nv)
//
//   qfrc_smooth = passive - bias + applied + actuator + J' xfrc_applied,   qacc_smooth = M^-1 of it
//
// with J the Jacobian of the bodies' centres of mass. What is applied to the world is ignored.

#include "engine/smooth/acceleration.h"

#include "base/model/awake.h"
#include "engine/smooth/factor.h"
#include "engine/smooth/jacobian.h"
#include "math/lane_vec.h"

LANE_FN void ct_add_applied(Lane g, const mjModel* m, const mjData* d, mjtNum* force) {
  int nbody = (int)m->nbody;
  if (!ct_any_bit(d->xfrc_applied + 6, 6 * (nbody - 1))) return;
  for (int b = 1; b < nbody; b++) {
    const mjtNum* applied = d->xfrc_applied + 6 * b;
    if (!ct_any_nonzero(applied, 6)) continue;
    ct_apply_force(g, m, d, force, applied, applied + 3, d->xipos + 3 * b, b);
  }
}

LANE_INLINE mjtNum smooth_force(const mjData* d, int k) {
  return d->qfrc_passive[k] - d->qfrc_bias[k] + d->qfrc_applied[k] + d->qfrc_actuator[k];
}

LANE_FN void ct_smooth_force(Lane g, const mjModel* m, mjData* d) {
  if (ct_some_asleep(m, d)) {
    LANE_FOR(i, g, d->nv_awake) {
      int k = d->dof_awake_ind[i];
      d->qfrc_smooth[k] = smooth_force(d, k);
    }
  } else {
    LANE_FOR(k, g, m->nv) {
      d->qfrc_smooth[k] = smooth_force(d, k);
    }
  }
  lane_sync(g);
  ct_add_applied(g, m, d, d->qfrc_smooth);
}

LANE_FN int ct_acceleration(Lane g, const mjModel* m, mjData* d) {
  ct_smooth_force(g, m, d);
  if (ct_some_asleep(m, d)) {
    LANE_FOR(i, g, d->nv_awake) {
      int k = d->dof_awake_ind[i];
      d->qacc_smooth[k] = d->qfrc_smooth[k];
    }
    lane_sync(g);
    ct_solve_awake(g, m, d, d->qLD, d->qLDiagInv, d->qacc_smooth);
    return CT_OK;
  }
  lane_copy(g, d->qacc_smooth, d->qfrc_smooth, m->nv);
  lane_sync(g);
  ct_solve(g, m, d, d->qLD, d->qLDiagInv, d->qacc_smooth);
  return CT_OK;
}
