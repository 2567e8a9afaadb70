// Passive forces of all flexes, in the reference's order: bending and elasticity of each, then
// springs and dampers along edges, then contacts of passive flexes.
//
//   in    what the files of the kinds read; contact
//   out   qfrc_spring, qfrc_damper   added to
//         contact.exclude: 3 for passive contacts of bodies that cannot move, if rows are sparse
//
// A passive contact pushes along its normal with 1e4 times its depth. Oddity of the reference: one
// that is within the margin without touching pulls. Another: whether nothing can move is noticed
// with sparse rows only.

#include "base/model/options.h"
#include "soft/contact_bodies.h"
#include "soft/elasticity.h"
#include "soft/flex_edges.h"

#define PASSIVE_STIFFNESS ((mjtNum)1e4)

enum { EXCLUDED_AS_PASSIVE = 4, EXCLUDED_AS_STATIC = 3 };  // mjContact.exclude

LANE_FN static int inner_forces(Lane g, const mjModel* m, mjData* d, int f, ct_PassiveKinds kinds) {
  if (m->flex_rigid[f] || m->flex_dim[f] == 1) return CT_OK;
  if (m->flex_interp[f]) return ct_node_forces(g, m, d, f, kinds);
  int status = ct_bending_forces(g, m, d, f, kinds);
  return status | ct_element_forces(g, m, d, f);
}

LANE_FN static void push_apart(Lane g, const mjModel* m, mjData* d, mjContact* con) {
  ct_ContactBodies bodies = ct_contact_bodies(m, d, con);
  mjtNum force = -PASSIVE_STIFFNESS * con->dist;
  ct_walk_start(m, &bodies);
  int dof = ct_walk_dof(&bodies);
  if (dof < 0 && m->nv > 0 && ct_is_sparse(m)) {
    LANE_ALONE(g) {
      con->exclude = EXCLUDED_AS_STATIC;
    }
  }
  for (; dof >= 0; dof = ct_walk_next(m, &bodies, dof)) {
    if (!LANE_OWNS(g, dof)) continue;
    mjtNum move[3], turn[3];
    ct_walk_column(m, d, &bodies, con->pos, dof, move, turn);
    d->qfrc_spring[dof] += force * ct_dot3(con->frame, move);
  }
}

LANE_FN static void passive_contacts(Lane g, const mjModel* m, mjData* d) {
  if (m->opt.disableflags & mjDSBL_CONTACT) return;
  for (int i = 0; i < d->ncon; i++) {
    if (d->contact[i].exclude == EXCLUDED_AS_PASSIVE) push_apart(g, m, d, d->contact + i);
  }
  lane_sync(g);
}

LANE_FN int ct_soft_forces(Lane g, const mjModel* m, mjData* d) {
  ct_PassiveKinds kinds = {!(m->opt.disableflags & mjDSBL_SPRING),
                           !(m->opt.disableflags & mjDSBL_DAMPER)};
  int status = CT_OK;
  for (int f = 0; f < m->nflex; f++) status |= inner_forces(g, m, d, f, kinds);
  for (int f = 0; f < m->nflex; f++) ct_edge_forces(g, m, d, f, kinds);
  passive_contacts(g, m, d);
  return status;
}
