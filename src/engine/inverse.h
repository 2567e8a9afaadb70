// Inverse dynamics: the forces behind an acceleration.

#ifndef CT_ENGINE_INVERSE_H_
#define CT_ENGINE_INVERSE_H_

#include <mujoco/mujoco.h>

#include "base/failure.h"
#include "base/lanes.h"

// qacc, the acceleration that the integrator of the model made, becomes the one that M alone makes.
// CT_BAD_MODEL: this integrator cannot be undone.
LANE_FN int ct_continuous_acceleration(Lane g, const mjModel* m, mjData* d);

// qfrc_inverse = bias forces. Sensors run after it.
LANE_FN int ct_inverse_bias(Lane g, const mjModel* m, mjData* d);

// qfrc_inverse += M qacc - qfrc_passive - qfrc_constraint. The last part.
LANE_FN int ct_inverse_force(Lane g, const mjModel* m, mjData* d);

// solver_fwdinv: how far forward and inverse dynamics are apart, in forces of constraints and in
// what is applied. They can only be where there are constraints. Forces of the forward pass come
// back, but efc_state and qfrc_inverse stay.
LANE_FN int ct_compare_inverse(Lane g, const mjModel* m, mjData* d);

#endif  // CT_ENGINE_INVERSE_H_
