// The distance between two geoms.

#ifndef CT_COLLIDE_DISTANCE_H_
#define CT_COLLIDE_DISTANCE_H_

#include "collide/shape.h"

// At most distmax; negative if they overlap. fromto (6, may be NULL): the nearest points of the
// two, zero if they are farther apart.
LANE_FN mjtNum ct_geom_distance(const mjModel* m, const mjData* d, int geom1, int geom2,
                                mjtNum distmax, mjtNum fromto[6]);

// Are the two farther apart than that for sure? By spheres around them, so many are that are not
// said to be.
LANE_FN bool ct_surely_farther(const mjModel* m, const mjData* d, int geom1, int geom2,
                               mjtNum than);

// What ct_geom_distance gives from hits found by a pair function that got distmax as margin.
LANE_FN mjtNum ct_nearest_hit(const ct_Hit* hit, int count, bool swapped, mjtNum distmax,
                              mjtNum fromto[6]);

// The same by the convex solver.
LANE_FN mjtNum ct_convex_distance(const mjModel* m, const mjData* d, int geom1, int geom2,
                                  mjtNum distmax, mjtNum fromto[6]);

#endif  // CT_COLLIDE_DISTANCE_H_
