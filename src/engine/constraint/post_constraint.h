// Accelerations of the bodies and the forces on and between them, once all forces are known.

#ifndef CT_ENGINE_CONSTRAINT_POST_CONSTRAINT_H_
#define CT_ENGINE_CONSTRAINT_POST_CONSTRAINT_H_

#include <mujoco/mujoco.h>

#include "base/failure.h"
#include "base/lanes.h"

// qacc, efc_force, contacts -> cacc, cfrc_ext, cfrc_int. See post_constraint.c.
LANE_FN int ct_post_constraint(Lane g, const mjModel* m, mjData* d);

#endif  // CT_ENGINE_CONSTRAINT_POST_CONSTRAINT_H_
