// All contacts of a position.
//
// CT_BAD_CONTACT: a contact has no normal, or a wrong condim. CT_CONTACTS_FULL: some pairs had no
// room for their contacts; they are counted in the detail and as warnings.

#ifndef CT_COLLIDE_COLLISION_H_
#define CT_COLLIDE_COLLISION_H_

#include "collide/candidates.h"

LANE_FN int ct_collision(Lane g, const mjModel* m, mjData* d);

// Parts that the host runs with its callbacks between them.

// No contacts, and nothing else in the arena.
LANE_FN void ct_start_contacts(Lane g, mjData* d);

// Can there be contacts at all?
LANE_INLINE bool ct_has_contacts(const mjModel* m) {
  return !(m->opt.disableflags & (mjDSBL_CONSTRAINT | mjDSBL_CONTACT)) && m->nbody + m->nflex >= 2;
}

// Contacts of the pairs in the list, appended in its order.
LANE_FN int ct_append_contacts(Lane g, const mjModel* m, mjData* d, const ct_PairList* list);

#endif  // CT_COLLIDE_COLLISION_H_
