// A height field against convex shapes.

#ifndef CT_COLLIDE_HFIELD_H_
#define CT_COLLIDE_HFIELD_H_

#include "collide/ccd.h"

LANE_FN int ct_hfield_convex(const mjModel* m, ct_Hit* hit, const ct_Shape* hfield,
                             const ct_Shape* shape, mjtNum margin);

#endif  // CT_COLLIDE_HFIELD_H_
