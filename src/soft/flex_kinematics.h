// Positions of flexes.

#ifndef CT_SOFT_FLEX_KINEMATICS_H_
#define CT_SOFT_FLEX_KINEMATICS_H_

#include "soft/flex.h"

// flexvert_xpos, flexelem_aabb, bvh_aabb_dyn from the poses of bodies.
LANE_FN int ct_flex_kinematics(Lane g, const mjModel* m, mjData* d);

#endif  // CT_SOFT_FLEX_KINEMATICS_H_
