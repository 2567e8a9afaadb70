// The older convex solver, in use while mjDSBL_NATIVECCD is set.

#ifndef CT_COLLIDE_MPR_H_
#define CT_COLLIDE_MPR_H_

#include "collide/ccd.h"

// One hit, or none.
LANE_FN int ct_mpr_hit(ct_Ccd* c, ct_Hit* hit, mjtNum margin);

// Replaces the normals of round shapes by what their surfaces say.
LANE_FN void ct_correct_normals(ct_Hit* hit, int count, const ct_Shape* s1, const ct_Shape* s2);

#endif  // CT_COLLIDE_MPR_H_
