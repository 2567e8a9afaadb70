// Exported functions of the mass matrix that the public headers do not declare.

#ifndef CT_HOST_MASS_MATRIX_H_
#define CT_HOST_MASS_MATRIX_H_

#include <mujoco/mujoco.h>

// Adds the inertia of tendons to M (not to qM).
MJAPI void mj_tendonArmature(const mjModel* m, mjData* d);

#endif  // CT_HOST_MASS_MATRIX_H_
