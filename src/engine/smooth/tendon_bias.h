// Bias forces from the inertia of tendons.

#ifndef CT_ENGINE_SMOOTH_TENDON_BIAS_H_
#define CT_ENGINE_SMOOTH_TENDON_BIAS_H_

#include <mujoco/mujoco.h>

#include "base/failure.h"
#include "base/lanes.h"

// Adds to qfrc (nv) what the inertia of tendons demands. See tendon_bias.c.
LANE_FN int ct_tendon_bias(Lane g, const mjModel* m, mjData* d, mjtNum* qfrc);

#endif  // CT_ENGINE_SMOOTH_TENDON_BIAS_H_
