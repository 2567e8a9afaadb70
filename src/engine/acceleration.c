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

#include "engine/acceleration.h"

#include "engine/factor.h"
#include "engine/jacobian.h"
#include "engine/sleep.h"

LANE_INLINE bool is_zero6(const mjtNum v[6]) {
  return v[0] == 0 && v[1] == 0 && v[2] == 0 && v[3] == 0 && v[4] == 0 && v[5] == 0;
}

LANE_FN void ct_add_applied(Lane g, const mjModel* m, const mjData* d, mjtNum* force) {
  for (int b = 1; b < m->nbody; b++) {
    const mjtNum* applied = d->xfrc_applied + 6 * b;
    if (is_zero6(applied)) continue;
    ct_apply_force(g, m, d, force, applied, applied + 3, d->xipos + 3 * b, b);
  }
}

LANE_FN void ct_acceleration(Lane g, const mjModel* m, mjData* d) {
  bool filter = ct_some_asleep(m, d);
  LANE_FOR(k, g, m->nv) {
    if (filter && ct_dof_asleep(m, d, k)) continue;
    d->qfrc_smooth[k] =
        d->qfrc_passive[k] - d->qfrc_bias[k] + d->qfrc_applied[k] + d->qfrc_actuator[k];
  }
  lane_sync(g);
  ct_add_applied(g, m, d, d->qfrc_smooth);
  LANE_FOR(k, g, m->nv) {
    d->qacc_smooth[k] = d->qfrc_smooth[k];
  }
  lane_sync(g);
  ct_solve(g, m, d, d->qLD, d->qLDiagInv, d->qacc_smooth);
}
