// The pair functions by type.

#ifndef CT_COLLIDE_PAIRS_H_
#define CT_COLLIDE_PAIRS_H_

#include "base/meetings.h"
#include "collide/contact.h"

// Hits of two geoms, in order of their types; hit has room for CT_MOST_HITS. Returns how many.
LANE_FN int ct_collide_pair(const mjModel* m, const mjData* d, ct_Hit* hit, ct_GeomPair pair,
                            mjtNum margin);

// The same without the clean-up that contacts of two boxes get.
LANE_FN int ct_raw_hits(const mjModel* m, const mjData* d, ct_Hit* hit, ct_GeomPair pair,
                        mjtNum margin);

// Two shapes that the convex solver could handle and that have no formula for distances of their
// own.
LANE_INLINE bool ct_is_convex_pair(int type1, int type2) {
  int low = type1 < type2 ? type1 : type2, high = type1 < type2 ? type2 : type1;
  if (low <= mjGEOM_HFIELD || high >= mjGEOM_SDF) return false;
  if (low == mjGEOM_SPHERE) return high == mjGEOM_ELLIPSOID || high == mjGEOM_MESH;
  if (low == mjGEOM_CAPSULE) return high != mjGEOM_CAPSULE && high != mjGEOM_BOX;
  return true;
}

#endif  // CT_COLLIDE_PAIRS_H_
