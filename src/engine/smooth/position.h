// Positions as a curved space: moving along a velocity, the velocity between two positions.

#ifndef CT_ENGINE_SMOOTH_POSITION_H_
#define CT_ENGINE_SMOOTH_POSITION_H_

#include <mujoco/mujoco.h>

#include "base/lanes.h"

// All positions move on with qvel (nv) for the time dt. See position.c.
LANE_FN void ct_integrate_position(Lane g, const mjModel* m, mjtNum* qpos, const mjtNum* qvel,
                                   mjtNum dt);

// The same for the joints of `count` bodies, listed in `bodies`, or the first ones if that is NULL.
// The first entry is taken for the world, as in body_awake_ind, and skipped.
LANE_FN void ct_integrate_position_of(Lane g, const mjModel* m, mjtNum* qpos, const mjtNum* qvel,
                                      mjtNum dt, const int* bodies, int count);

// qvel (nv) that takes qpos1 to qpos2 in the time dt.
LANE_FN void ct_differentiate_position(Lane g, const mjModel* m, mjtNum* qvel, mjtNum dt,
                                       const mjtNum* qpos1, const mjtNum* qpos2);

// Quaternions of ball and free joints get unit length.
LANE_FN void ct_normalize_position(Lane g, const mjModel* m, mjtNum* qpos);

#endif  // CT_ENGINE_SMOOTH_POSITION_H_
