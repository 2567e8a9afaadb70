// Pairs of geoms of two trees of bodies, for scenes whose list of meetings leaves them out.

#ifndef CT_COLLIDE_TREES_H_
#define CT_COLLIDE_TREES_H_

#include "base/schedule.h"
#include "collide/contact.h"

#ifndef __CUDACC__

// Two geoms whose spheres meet.
typedef struct ct_NearPair_ {
  unsigned bodies;  // their bodies, by ct_pair_of_bodies
  unsigned geoms;   // they themselves, by ct_two_geoms
  int how;          // CT_MEET_BY_LOOPS, CT_MEET_BY_TREE
  bool close;       // and boxes around them meet
} ct_NearPair;

typedef struct ct_NearPairs_ {  // in the order of their contacts
  ct_NearPair* pair;
  int count, room;
} ct_NearPairs;

// They are put into scratch. spheres: of all slots, by ct_gather_four. False without room.
LANE_FN bool ct_find_between_trees(Lane g, const mjModel* m, mjData* d, const ct_Meetings* list,
                                   const mjtNum* spheres, ct_NearPairs* to);

#endif

#endif  // CT_COLLIDE_TREES_H_
