// Public functions of tendons.

#include "host/tendon.h"

#include <stdbool.h>

#include <corten/tendon.h>

#include "engine/smooth/passive.h"
#include "engine/smooth/tendon.h"
#include "host/report.h"

// Side sites are stored as real numbers, which users may edit.
static bool side_sites_exist(const mjModel* m, mjData* d, int tendon) {
  int end = m->tendon_adr[tendon] + m->tendon_num[tendon];
  for (int k = m->tendon_adr[tendon]; k < end; k++) {
    if (m->wrap_type[k] == mjWRAP_JOINT) return true;  // a fixed tendon
    if (!ct_is_wrap_geom(m, k)) continue;
    int side = ct_wrap_side(m, k);
    if (side < -1 || side >= m->nsite) {
      ct_wrong_model(d, "mj_tendon: wrap_prm[%d] is %g, but side sites are -1 (none) to %d", k,
                     (double)m->wrap_prm[k], (int)m->nsite - 1);
      return false;
    }
  }
  return true;
}

void mj_tendon(const mjModel* m, mjData* d) {
  for (int i = 0; i < m->ntendon; i++) {
    if (!side_sites_exist(m, d, i)) return;
  }
  ct_tendon(lane_one(), m, d);
}

void mj_tendonDot(const mjModel* m, mjData* d, int tendon, mjtNum* row) {
  if (tendon < 0 || tendon >= m->ntendon) {
    mju_error("mj_tendonDot: tendon %d does not exist, ids are 0 to %d", tendon,
              (int)m->ntendon - 1);
    return;
  }
  int end = m->tendon_adr[tendon] + m->tendon_num[tendon];
  for (int k = m->tendon_adr[tendon]; k < end; k++) {
    if (ct_is_wrap_geom(m, k)) {
      mju_error(
          "mj_tendonDot: tendon %d wraps around geom %d; only paths through sites have a "
          "derivative",
          tendon, m->wrap_objid[k]);
      return;
    }
  }
  ct_tendon_dot(lane_one(), m, d, tendon, row);
}

static void add_passive_forces(const mjModel* m, const mjData* d, mjtNum* force) {
  bool spring = !(m->opt.disableflags & mjDSBL_SPRING);
  bool damper = !(m->opt.disableflags & mjDSBL_DAMPER);
  for (int t = 0; t < m->ntendon; t++) {
    force[t] = (spring ? ct_tendon_spring(m, d, t) : 0) -
               (damper ? m->tendon_damping[t] * d->ten_velocity[t] : 0);
  }
}

static void add_actuator_forces(const mjModel* m, const mjData* d, mjtNum* force) {
  for (int i = 0; i < m->nu; i++) {
    if (m->actuator_trntype[i] != mjTRN_TENDON) continue;
    force[m->actuator_trnid[2 * i]] += m->actuator_gear[6 * i] * d->actuator_force[i];
  }
}

// A row of an equality pulls its first tendon and, by the slope of the polynomial, the second.
static void add_equality_force(const mjModel* m, const mjData* d, int row, mjtNum* force) {
  int equality = d->efc_id[row], second = m->eq_obj2id[equality];
  const mjtNum* c = m->eq_data + mjNEQDATA * equality;
  if (m->eq_type[equality] != mjEQ_TENDON) return;
  force[m->eq_obj1id[equality]] += d->efc_force[row];
  if (second < 0) return;
  mjtNum x = d->ten_length[second] - m->tendon_length0[second];
  mjtNum slope = c[1] + x * (2 * c[2] + x * (3 * c[3] + x * 4 * c[4]));
  force[second] -= slope * d->efc_force[row];
}

// The position of a limit's row is the distance to it: which of the two is it?
static mjtNum limit_side(const mjModel* m, const mjData* d, int row, int tendon) {
  mjtNum lower = d->ten_length[tendon] - m->tendon_range[2 * tendon];
  mjtNum upper = m->tendon_range[2 * tendon + 1] - d->ten_length[tendon];
  mjtNum to_lower = d->efc_pos[row] - lower, to_upper = d->efc_pos[row] - upper;
  return to_lower * to_lower <= to_upper * to_upper ? 1 : -1;
}

static void add_constraint_forces(const mjModel* m, const mjData* d, mjtNum* force) {
  for (int row = 0; row < d->nefc; row++) {
    int id = d->efc_id[row];
    switch (d->efc_type[row]) {
      case mjCNSTR_EQUALITY:
        add_equality_force(m, d, row, force);
        break;
      case mjCNSTR_FRICTION_TENDON:
        force[id] += d->efc_force[row];
        break;
      case mjCNSTR_LIMIT_TENDON:
        force[id] += limit_side(m, d, row, id) * d->efc_force[row];
        break;
    }
  }
}

void ct_tendon_force(const mjModel* m, const mjData* d, mjtNum* force) {
  add_passive_forces(m, d, force);
  add_actuator_forces(m, d, force);
  add_constraint_forces(m, d, force);
}
