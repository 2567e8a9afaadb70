// The older convex solver, in use while mjDSBL_NATIVECCD is set.

#ifndef CT_COLLIDE_MPR_H_
#define CT_COLLIDE_MPR_H_

#include "collide/ccd.h"

// One hit, or none. The supports of ccd carry half the margin each, which is taken off the depth.
LANE_FN int ct_mpr_hit(ct_Ccd* ccd, ct_Hit* hit, mjtNum margin);

#endif  // CT_COLLIDE_MPR_H_
