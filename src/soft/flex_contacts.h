// Contacts in which flexes take part.

#ifndef CT_SOFT_FLEX_CONTACTS_H_
#define CT_SOFT_FLEX_CONTACTS_H_

#include "collide/collision.h"
#include "soft/flex.h"

// Appends contacts of flexes with geoms, with each other and with themselves to those of geoms.
LANE_FN int ct_flex_collision(Lane g, const mjModel* m, mjData* d);

// The same after trees have woken and contacts of geoms were found again.
LANE_FN int ct_flex_collision_of_woken(Lane g, const mjModel* m, mjData* d);

// What is between the parts of the stage.

enum { CT_FLEX_HITS = mjMAXCONPAIR };  // room for the hits of one pair

typedef struct ct_ContactWriter_ {
  int ncon;      // contacts so far, the same on all lanes
  int refused;   // pairs without room, the same on all lanes
  int mistakes;  // contacts of this lane without a normal or with a wrong condim
} ct_ContactWriter;

// Appends the hits that every lane has found for a pair of its own, in the order of lanes. All
// lanes call it; those that have no pair pass -1 for found.
LANE_FN void ct_append_touches(Lane g, const mjModel* m, mjData* d, ct_ContactWriter* w,
                               const ct_Hit* hit, int found, const ct_Touch* touch);

// Contacts of a flex with itself: self_contacts.c. CT_STACK_FULL without room.
LANE_FN int ct_self_contacts(Lane g, const mjModel* m, mjData* d, int f, ct_ContactWriter* w);

// Contacts of two flexes: self_contacts.c.
LANE_FN int ct_mutual_contacts(Lane g, const mjModel* m, mjData* d, int f1, int f2, mjtNum margin,
                               ct_ContactWriter* w);

// Do two boxes along the axes of the world, centre and half sizes, come within the margin?
LANE_INLINE bool ct_aabbs_meet(const mjtNum a[6], const mjtNum b[6], mjtNum margin) {
  for (int k = 0; k < 3; k++) {
    if (a[k] - a[3 + k] - margin > b[k] + b[3 + k] || b[k] - b[3 + k] - margin > a[k] + a[3 + k]) {
      return false;
    }
  }
  return true;
}

LANE_INLINE const mjtNum* ct_element_box(const mjModel* m, const mjData* d, int f, int e) {
  return d->flexelem_aabb + 6 * (m->flex_elemadr[f] + e);
}

#endif  // CT_SOFT_FLEX_CONTACTS_H_
