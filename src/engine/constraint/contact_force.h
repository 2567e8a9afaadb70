// Forces of contacts, from the forces of their constraint rows.

#ifndef CT_ENGINE_CONSTRAINT_CONTACT_FORCE_H_
#define CT_ENGINE_CONSTRAINT_CONTACT_FORCE_H_

#include <mujoco/mujoco.h>

#include "math/pyramid.h"
#include "math/vec.h"

// Force and torque in the frame of the contact: normal, two tangents; spin, two rolls. Zero where
// the contact has fewer dimensions, and for a contact without rows. The contact must exist.
LANE_INLINE void ct_contact_force(const mjModel* m, const mjData* d, int contact, mjtNum force[6]) {
  const mjContact* con = d->contact + contact;
  ct_zero(force, 6);
  if (con->efc_address < 0) return;
  const mjtNum* row = d->efc_force + con->efc_address;
  if (m->opt.cone == mjCONE_PYRAMIDAL) {
    ct_decode_pyramid(force, row, con->friction, con->dim);
  } else {
    for (int i = 0; i < con->dim; i++) force[i] = row[i];
  }
}

#endif  // CT_ENGINE_CONSTRAINT_CONTACT_FORCE_H_
