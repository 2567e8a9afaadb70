// From hits to contacts: parameters mixed from the two geoms, the frame, all other fields.

#ifndef CT_COLLIDE_CONTACT_H_
#define CT_COLLIDE_CONTACT_H_

#include "collide/shape.h"

// Two geoms to be tested, in ascending order of type.
typedef struct ct_GeomPair_ {
  int geom1, geom2;
  int pair;  // predefined pair that it comes from, -1: none
} ct_GeomPair;

// Distance within which the two geoms make contacts: the sum of their margins, the predefined
// pair's or the model's.
LANE_INLINE mjtNum ct_pair_margin(const mjModel* m, ct_GeomPair p) {
  if (m->opt.enableflags & mjENBL_OVERRIDE) return m->opt.o_margin;
  if (p.pair >= 0) return m->pair_margin[p.pair];
  return m->geom_margin[p.geom1] + m->geom_margin[p.geom2];
}

// Completes x (row 0) to a right-handed frame; row 1 holds a wish for the first tangent or 0.
// False if x has no direction.
LANE_FN bool ct_complete_frame(mjtNum frame[9]);

// All fields of the contacts of one pair from its hits. False if some hit has no
// normal, or if the condim makes no sense.
LANE_FN bool ct_write_contacts(const mjModel* m, mjContact* contact, const ct_Hit* hit, int count,
                               ct_GeomPair p);

// One side of a contact with a flex: a geom, or an element or vertex of a flex; -1: not this.
typedef struct ct_TouchSide_ {
  int geom, flex, elem, vert;
} ct_TouchSide;

typedef struct ct_Touch_ {
  ct_TouchSide side[2];
  mjtNum margin, gap;
  bool frictionless;  // whatever condim the sides want
} ct_Touch;

// The same for a contact in which a flex takes part.
LANE_FN bool ct_write_touches(const mjModel* m, mjContact* contact, const ct_Hit* hit, int count,
                              const ct_Touch* touch);

#endif  // CT_COLLIDE_CONTACT_H_
