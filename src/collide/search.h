// The search for pairs of geoms that needs no list of who can meet.

#ifndef CT_COLLIDE_SEARCH_H_
#define CT_COLLIDE_SEARCH_H_

#include "collide/candidates.h"

// As ct_find_pairs, and with the same result, but for pairs whose first geom is -1: left out.
// loose, by one lane: round pairs are not asked about their boxes.
LANE_FN ct_PairList ct_search_pairs(Lane g, const mjModel* m, mjData* d, bool all_masks,
                                    bool loose);

#endif  // CT_COLLIDE_SEARCH_H_
