// Inverse dynamics: the forces that, added to passive and constraint forces, cause qacc.
//
//   in    qacc             (nv)
//         M, and what bias.c reads
//         qfrc_passive     (nv)
//         qfrc_constraint  (nv)  what the constraints do at this acceleration
//   out   qfrc_inverse     (nv)
//
//   qfrc_inverse = M qacc + bias - passive - constraint
//
// Tendons and armature are in M, so M qacc is formed with it and not by a Newton-Euler sweep with
// accelerations. The stage has two parts because sensors of accelerations run between them.

#include "engine/inverse.h"

#include "base/memory/scratch.h"
#include "engine/smooth/bias.h"
#include "engine/smooth/mass_matrix.h"
#include "engine/smooth/tendon_bias.h"

LANE_FN bool ct_inverse_bias(Lane g, const mjModel* m, mjData* d) {
  bool good = ct_newton_euler(g, m, d, false, d->qfrc_inverse);
  ct_tendon_bias(g, m, d, d->qfrc_inverse);
  return good;
}

LANE_FN bool ct_inverse_force(Lane g, const mjModel* m, mjData* d) {
  if (!lane_mark(g, d)) return false;
  mjtNum* Ma = lane_scratch_num(g, d, (int)m->nv);
  if (Ma) {
    ct_mul_M(g, m, d, Ma, d->qacc);
    LANE_FOR(i, g, m->nv) {
      d->qfrc_inverse[i] += Ma[i] - d->qfrc_passive[i] - d->qfrc_constraint[i];
    }
  }
  lane_free(g, d);
  return Ma != NULL;
}
