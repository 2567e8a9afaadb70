// Public functions of bias forces, and of what follows from forces and velocities.

#include "host/bias.h"

#include "engine/constraint/contact_force.h"
#include "engine/constraint/post_constraint.h"
#include "engine/smooth/bias.h"
#include "engine/smooth/subtree.h"
#include "engine/smooth/tendon.h"
#include "engine/smooth/tendon_bias.h"
#include "host/report.h"

void mj_rne(const mjModel* m, mjData* d, int flg_acc, mjtNum* result) {
  if (!ct_newton_euler(lane_one(), m, d, flg_acc != 0, result)) ct_no_room(d, "mj_rne");
}

// A tendon with armature that bends around a geom; -1: none. The compiler refuses it, users may
// not.
static int bent_tendon(const mjModel* m) {
  for (int t = 0; t < m->ntendon; t++) {
    int end = m->tendon_adr[t] + m->tendon_num[t];
    for (int k = m->tendon_adr[t]; m->tendon_armature[t] != 0 && k < end; k++) {
      if (ct_is_wrap_geom(m, k)) return t;
    }
  }
  return -1;
}

void mj_tendonBias(const mjModel* m, mjData* d, mjtNum* force) {
  int bent = bent_tendon(m);
  if (bent >= 0) {
    mju_error(
        "mj_tendonBias: tendon %d has armature and wraps around a geom; give it one or the "
        "other",
        bent);
    return;
  }
  ct_tendon_bias(lane_one(), m, d, force);
}

void mj_rnePostConstraint(const mjModel* m, mjData* d) {
  ct_post_constraint(lane_one(), m, d);
}

void mj_subtreeVel(const mjModel* m, mjData* d) {
  ct_subtree_velocity(lane_one(), m, d);
}

void mj_contactForce(const mjModel* m, const mjData* d, int id, mjtNum result[6]) {
  if (id >= 0 && id < d->ncon) {
    ct_contact_force(m, d, id, result);
  } else {
    ct_zero6(result);
  }
}
