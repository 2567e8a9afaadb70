// Pairs that the reference loses because they touch in one point of its sweep.

#ifndef CT_COLLIDE_SWEEP_H_
#define CT_COLLIDE_SWEEP_H_

#include "collide/candidates.h"

// Takes such pairs out of the list (their first geom becomes -1).
LANE_FN void ct_drop_touching(Lane g, const mjModel* m, mjData* d, ct_PairList* list);

#endif  // CT_COLLIDE_SWEEP_H_
