// Public functions of the velocity stage.

#include <mujoco/mujoco.h>

#include "engine/smooth/com_velocity.h"

void mj_comVel(const mjModel* m, mjData* d) {
  ct_com_velocity(lane_one(), m, d);
}
