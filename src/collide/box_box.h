// Two boxes.

#ifndef CT_COLLIDE_BOX_BOX_H_
#define CT_COLLIDE_BOX_BOX_H_

#include "collide/shape.h"

// Up to 24 hits, some of which may be far from one of the boxes: see ct_box_box_clean.
LANE_FN int ct_box_box(ct_Hit* hit, const ct_Shape* box1, const ct_Shape* box2, mjtNum margin);

// Drops hits that lie outside of one box without being well inside of the other, then repeated
// points. Returns how many remain, in their order.
LANE_FN int ct_box_box_clean(ct_Hit* hit, int count, const ct_Shape* box1, const ct_Shape* box2,
                             mjtNum margin);

#endif  // CT_COLLIDE_BOX_BOX_H_
