// The bodies that a contact acts on, each with its weight: one for a geom or a vertex, those of all
// vertices for an element, those of nodes for an interpolated flex.

#ifndef CT_SOFT_CONTACT_BODIES_H_
#define CT_SOFT_CONTACT_BODIES_H_

#include "soft/flex.h"

typedef struct ct_ContactBodies_ {
  int count;
  int body[2 * CT_MOST_NODES];
  mjtNum weight[2 * CT_MOST_NODES];  // side 1 less side 0
  int head[2 * CT_MOST_NODES];       // of a walk: the next dof of each chain, -1: none is left
} ct_ContactBodies;

LANE_INLINE bool ct_touches_flex(const mjContact* con) {
#ifdef CT_ONLY_RIGID
  (void)con;
  return false;
#else
  return con->flex[0] >= 0 || con->flex[1] >= 0;
#endif
}

// Do its contacts push like springs instead of making rows?
LANE_INLINE bool ct_is_passive_contact(const mjModel* m, const mjContact* con) {
  return (con->flex[0] >= 0 && m->flex_passive[con->flex[0]]) ||
         (con->flex[1] >= 0 && m->flex_passive[con->flex[1]]);
}

LANE_FN ct_ContactBodies ct_contact_bodies(const mjModel* m, const mjData* d, const mjContact* con);

// Can no dof move either side of a contact with a flex? Such are elements and vertices that are
// pinned to the world, on things that stand there.
LANE_FN bool ct_is_static_contact(const mjModel* m, const mjData* d, const mjContact* con);

// What regularisation takes for the diagonal of J M^-1 J' in the normal direction.
LANE_FN mjtNum ct_contact_inverse_weight(const mjModel* m, const mjData* d, const mjContact* con);

// Walks the dofs that move one of the bodies, in falling order:
//
//   ct_walk_start(m, &bodies);
//   for (int dof = ct_walk_dof(&bodies); dof >= 0; dof = ct_walk_next(m, &bodies, dof)) ...

LANE_INLINE void ct_walk_start(const mjModel* m, ct_ContactBodies* b) {
  for (int i = 0; i < b->count; i++) b->head[i] = ct_last_dof(m, b->body[i]);
}

LANE_INLINE int ct_walk_dof(const ct_ContactBodies* b) {
  int dof = -1;
  for (int i = 0; i < b->count; i++) dof = b->head[i] > dof ? b->head[i] : dof;
  return dof;
}

LANE_INLINE int ct_walk_next(const mjModel* m, ct_ContactBodies* b, int dof) {
  for (int i = 0; i < b->count; i++) {
    if (b->head[i] == dof) b->head[i] = m->dof_parentid[dof];
  }
  return ct_walk_dof(b);
}

LANE_INLINE int ct_count_walk(const mjModel* m, ct_ContactBodies* b) {
  int count = 0;
  ct_walk_start(m, b);
  for (int dof = ct_walk_dof(b); dof >= 0; dof = ct_walk_next(m, b, dof)) count++;
  return count;
}

// At a dof of the walk: velocity of the contact point, side 1 less side 0, and rotation, per speed
// of the dof.
LANE_INLINE void ct_walk_column(const mjModel* m, const mjData* d, const ct_ContactBodies* b,
                                const mjtNum pos[3], int dof, mjtNum move[3], mjtNum turn[3]) {
  mjtNum offset[3], column[3], weight = 0;
  for (int i = 0; i < b->count; i++) {
    if (b->head[i] == dof) weight += b->weight[i];
  }
  ct_sub3(offset, pos, ct_reference_point(m, d, m->dof_bodyid[dof]));
  ct_jac_column(column, d->cdof + 6 * dof, offset);
  ct_scl3(move, column, weight);
  ct_scl3(turn, d->cdof + 6 * dof, weight);
}

#endif  // CT_SOFT_CONTACT_BODIES_H_
