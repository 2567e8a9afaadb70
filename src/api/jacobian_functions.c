// Public functions for Jacobians, and for forces brought to the dofs by them.

#include <mujoco/mujoco.h>

#include "engine/smooth/jacobian.h"

// True if an index is good; otherwise says which function got which index of what.
static int good_index(const char* function, const char* what, int id, mjtSize n) {
  if (id >= 0 && id < n) return 1;
  mju_error("%s: %s %d does not exist, ids are 0 to %d", function, what, id, (int)n - 1);
  return 0;
}

void mj_jac(const mjModel* m, const mjData* d, mjtNum* jacp, mjtNum* jacr, const mjtNum point[3],
            int body) {
  if (!good_index("mj_jac", "body", body, m->nbody)) return;
  ct_jac(lane_one(), m, d, jacp, jacr, point, body);
}

void mj_jacBody(const mjModel* m, const mjData* d, mjtNum* jacp, mjtNum* jacr, int body) {
  if (!good_index("mj_jacBody", "body", body, m->nbody)) return;
  ct_jac(lane_one(), m, d, jacp, jacr, d->xpos + 3 * body, body);
}

void mj_jacBodyCom(const mjModel* m, const mjData* d, mjtNum* jacp, mjtNum* jacr, int body) {
  if (!good_index("mj_jacBodyCom", "body", body, m->nbody)) return;
  ct_jac(lane_one(), m, d, jacp, jacr, d->xipos + 3 * body, body);
}

void mj_jacGeom(const mjModel* m, const mjData* d, mjtNum* jacp, mjtNum* jacr, int geom) {
  if (!good_index("mj_jacGeom", "geom", geom, m->ngeom)) return;
  ct_jac(lane_one(), m, d, jacp, jacr, d->geom_xpos + 3 * geom, m->geom_bodyid[geom]);
}

void mj_jacSite(const mjModel* m, const mjData* d, mjtNum* jacp, mjtNum* jacr, int site) {
  if (!good_index("mj_jacSite", "site", site, m->nsite)) return;
  ct_jac(lane_one(), m, d, jacp, jacr, d->site_xpos + 3 * site, m->site_bodyid[site]);
}

void mj_jacPointAxis(const mjModel* m, mjData* d, mjtNum* jacPoint, mjtNum* jacAxis,
                     const mjtNum point[3], const mjtNum axis[3], int body) {
  if (!good_index("mj_jacPointAxis", "body", body, m->nbody)) return;
  ct_jac_point_axis(lane_one(), m, d, jacPoint, jacAxis, point, axis, body);
}

void mj_jacDot(const mjModel* m, const mjData* d, mjtNum* jacp, mjtNum* jacr, const mjtNum point[3],
               int body) {
  if (!good_index("mj_jacDot", "body", body, m->nbody)) return;
  ct_jac_dot(lane_one(), m, d, jacp, jacr, point, body);
}

static void subtree_momentum(const char* function, const mjModel* m, mjData* d, mjtNum* velocity,
                             mjtNum* angular, int body) {
  if (!good_index(function, "body", body, m->nbody)) return;
  if (!ct_subtree_momentum(lane_one(), m, d, velocity, angular, body)) {
    mju_error("%s: the stack has no room for %d numbers; give the model more memory", function,
              10 * (int)m->nbody);
  }
}

void mj_jacSubtreeCom(const mjModel* m, mjData* d, mjtNum* jacp, int body) {
  subtree_momentum("mj_jacSubtreeCom", m, d, jacp, NULL, body);
}

void mj_angmomMat(const mjModel* m, mjData* d, mjtNum* mat, int body) {
  subtree_momentum("mj_angmomMat", m, d, NULL, mat, body);
}

void mj_applyFT(const mjModel* m, mjData* d, const mjtNum force[3], const mjtNum torque[3],
                const mjtNum point[3], int body, mjtNum* qfrc_target) {
  if (!good_index("mj_applyFT", "body", body, m->nbody)) return;
  ct_apply_force(lane_one(), m, d, qfrc_target, force, torque, point, body);
}
