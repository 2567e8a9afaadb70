// A height field against convex shapes.

#ifndef CT_COLLIDE_HFIELD_H_
#define CT_COLLIDE_HFIELD_H_

#include "collide/ccd.h"

LANE_FN int ct_hfield_convex(const mjModel* m, ct_Hit* hit, const ct_Shape* hfield,
                             const ct_Shape* shape, mjtNum margin);

// The same for something that is given by its support, in the frame of the height field.
LANE_FN int ct_hfield_support(const mjModel* m, ct_Hit* hit, const ct_Shape* hfield,
                              const ct_Support* support, mjtNum margin);

#endif  // CT_COLLIDE_HFIELD_H_
