// Potential and kinetic energy.

#ifndef CT_ENGINE_SMOOTH_ENERGY_H_
#define CT_ENGINE_SMOOTH_ENERGY_H_

#include <mujoco/mujoco.h>

#include "base/failure.h"
#include "base/lanes.h"

// Gravity and springs -> energy[0]; sets flg_energypos. See energy.c.
LANE_FN int ct_energy_position(Lane g, const mjModel* m, mjData* d);

// M, qvel -> energy[1]; sets flg_energyvel.
LANE_FN int ct_energy_velocity(Lane g, const mjModel* m, mjData* d);

#endif  // CT_ENGINE_SMOOTH_ENERGY_H_
