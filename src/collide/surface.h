// Normals of round surfaces.

#ifndef CT_COLLIDE_SURFACE_H_
#define CT_COLLIDE_SURFACE_H_

#include "collide/shape.h"

// Replaces the normals of hits on round shapes by what their surfaces say, at the positions of the
// hits. A shape that is NULL, or has flat faces where it is hit, has nothing to say.
LANE_FN void ct_correct_normals(ct_Hit* hit, int count, const ct_Shape* s1, const ct_Shape* s2);

#endif  // CT_COLLIDE_SURFACE_H_
