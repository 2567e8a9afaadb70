// Velocities and angular momenta of subtrees.

#ifndef CT_ENGINE_SMOOTH_SUBTREE_H_
#define CT_ENGINE_SMOOTH_SUBTREE_H_

#include <mujoco/mujoco.h>

#include "base/failure.h"
#include "base/lanes.h"

// cvel, poses -> subtree_linvel, subtree_angmom. See subtree.c.
LANE_FN int ct_subtree_velocity(Lane g, const mjModel* m, mjData* d);

#endif  // CT_ENGINE_SMOOTH_SUBTREE_H_
