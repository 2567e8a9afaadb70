// Public functions for energy.

#include <mujoco/mujoco.h>

#include "engine/smooth/energy.h"

void mj_energyPos(const mjModel* m, mjData* d) {
  ct_energy_position(lane_one(), m, d);
}

void mj_energyVel(const mjModel* m, mjData* d) {
  ct_energy_velocity(lane_one(), m, d);
}
