// Public functions of tendons.

#include "api/tendon.h"

#include <stdbool.h>

#include "engine/tendon.h"

// Side sites are stored as real numbers, which users may edit.
static bool side_sites_exist(const mjModel* m, int tendon) {
  int end = m->tendon_adr[tendon] + m->tendon_num[tendon];
  for (int k = m->tendon_adr[tendon]; k < end; k++) {
    if (m->wrap_type[k] == mjWRAP_JOINT) return true;  // a fixed tendon
    if (!ct_is_wrap_geom(m, k)) continue;
    int side = ct_wrap_side(m, k);
    if (side < -1 || side >= m->nsite) {
      mju_error("mj_tendon: wrap_prm[%d] is %g, but side sites are -1 (none) to %d", k,
                (double)m->wrap_prm[k], (int)m->nsite - 1);
      return false;
    }
  }
  return true;
}

void mj_tendon(const mjModel* m, mjData* d) {
  for (int i = 0; i < m->ntendon; i++) {
    if (!side_sites_exist(m, i)) return;
  }
  ct_tendon(lane_one(), m, d);
}

void mj_tendonDot(const mjModel* m, mjData* d, int id, mjtNum* Jdot) {
  if (id < 0 || id >= m->ntendon) {
    mju_error("mj_tendonDot: tendon %d does not exist, ids are 0 to %d", id, (int)m->ntendon - 1);
    return;
  }
  int end = m->tendon_adr[id] + m->tendon_num[id];
  for (int k = m->tendon_adr[id]; k < end; k++) {
    if (ct_is_wrap_geom(m, k)) {
      mju_error(
          "mj_tendonDot: tendon %d wraps around geom %d; only paths through sites have a "
          "derivative",
          id, m->wrap_objid[k]);
      return;
    }
  }
  ct_tendon_dot(lane_one(), m, d, id, Jdot);
}
