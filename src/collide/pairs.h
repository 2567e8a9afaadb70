// The pair functions by type.

#ifndef CT_COLLIDE_PAIRS_H_
#define CT_COLLIDE_PAIRS_H_

#include "collide/contact.h"

// Hits of two geoms, in order of their types; hit has room for CT_MOST_HITS. Returns how many.
LANE_FN int ct_collide_pair(const mjModel* m, const mjData* d, ct_Hit* hit, ct_GeomPair pair,
                            mjtNum margin);

// Is there a pair function for these two types, in any order?
LANE_INLINE bool ct_types_collide(int type1, int type2) {
  int low = type1 < type2 ? type1 : type2, high = type1 < type2 ? type2 : type1;
  return low >= mjGEOM_PLANE && high <= mjGEOM_SDF && high > mjGEOM_HFIELD &&
         !(low == mjGEOM_HFIELD && high == mjGEOM_SDF);
}

#endif  // CT_COLLIDE_PAIRS_H_
