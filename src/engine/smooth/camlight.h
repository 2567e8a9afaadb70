// Poses of cameras and lights.

#ifndef CT_ENGINE_SMOOTH_CAMLIGHT_H_
#define CT_ENGINE_SMOOTH_CAMLIGHT_H_

#include <mujoco/mujoco.h>

#include "base/failure.h"
#include "base/lanes.h"

// Poses of bodies, subtree_com -> cam_xpos, cam_xmat, light_xpos, light_xdir. See camlight.c.
LANE_FN int ct_camlight(Lane g, const mjModel* m, mjData* d);

// The same as if all cameras and lights were fixed to their bodies.
LANE_FN int ct_camlight_fixed(Lane g, const mjModel* m, mjData* d);

#endif  // CT_ENGINE_SMOOTH_CAMLIGHT_H_
