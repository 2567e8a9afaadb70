// The mass matrix: building it and multiplying with it.

#ifndef CT_ENGINE_SMOOTH_MASS_MATRIX_H_
#define CT_ENGINE_SMOOTH_MASS_MATRIX_H_

#include <mujoco/mujoco.h>

#include "base/failure.h"
#include "base/lanes.h"

// cinert, cdof -> crb, M, without the inertia of tendons. See mass_matrix.c.
LANE_FN void ct_composite_bodies(Lane g, const mjModel* m, mjData* d);

// Adds the inertia of tendons to M; reads ten_J.
LANE_FN void ct_tendon_inertia(Lane g, const mjModel* m, mjData* d);

// Everything: crb, M, and its copy qM in the legacy layout.
LANE_FN int ct_mass_matrix(Lane g, const mjModel* m, mjData* d);

// res = M vec, both (nv) and different arrays.
LANE_FN void ct_mul_M(Lane g, const mjModel* m, const mjData* d, mjtNum* res, const mjtNum* vec);

// The same for any symmetric matrix (nC) with the layout of M.
LANE_FN void ct_mul_like_M(Lane g, const mjModel* m, const mjData* d, const mjtNum* M, mjtNum* res,
                           const mjtNum* vec);

// res = sqrt(D) L vec from the factor of M, so that res'res = vec' M vec; different arrays.
LANE_FN void ct_mul_root_M(Lane g, const mjModel* m, const mjData* d, mjtNum* res,
                           const mjtNum* vec);

#endif  // CT_ENGINE_SMOOTH_MASS_MATRIX_H_
