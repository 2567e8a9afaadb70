// Inverse dynamics: the forces behind an acceleration.

#ifndef CT_ENGINE_INVERSE_H_
#define CT_ENGINE_INVERSE_H_

#include <stdbool.h>

#include <mujoco/mujoco.h>

#include "base/lanes.h"

// qfrc_inverse = bias forces. The first part; sensors run after it. False without room for scratch.
LANE_FN bool ct_inverse_bias(Lane g, const mjModel* m, mjData* d);

// qfrc_inverse += M qacc - qfrc_passive - qfrc_constraint. The last part. False without room.
LANE_FN bool ct_inverse_force(Lane g, const mjModel* m, mjData* d);

#endif  // CT_ENGINE_INVERSE_H_
