// Pairs of geoms of two trees of bodies, for scenes whose list of meetings leaves them out.

#ifndef CT_COLLIDE_TREES_H_
#define CT_COLLIDE_TREES_H_

#include <stdint.h>

#include "base/lanes.h"
#include "base/schedule.h"

#ifndef __CUDACC__

// Pairs in the order of their contacts, as numbers: ct_pair_of_bodies above 32 bits of
// ct_two_geoms.
typedef struct ct_NearPairs_ {
  uint64_t* pair;
  int count, room;
} ct_NearPairs;

// Those that are worth a closer look, in scratch. spheres: of all slots, by ct_gather_four; loose:
// somebody else asks about boxes of round pairs. False without room.
LANE_FN bool ct_find_between_trees(Lane g, const mjModel* m, mjData* d, const ct_Meetings* list,
                                   const mjtNum* spheres, bool loose, ct_NearPairs* to);

#endif

#endif  // CT_COLLIDE_TREES_H_
