// Public functions of the position stage: poses and what follows from them.

#include <mujoco/mujoco.h>

#include "engine/camlight.h"
#include "engine/com.h"
#include "engine/kinematics.h"

void mj_kinematics(const mjModel* m, mjData* d) {
  ct_kinematics(lane_one(), m, d);
}

void mj_comPos(const mjModel* m, mjData* d) {
  ct_com_position(lane_one(), m, d);
}

void mj_camlight(const mjModel* m, mjData* d) {
  ct_camlight(lane_one(), m, d);
}

void mj_local2Global(mjData* d, mjtNum xpos[3], mjtNum xmat[9], const mjtNum pos[3],
                     const mjtNum quat[4], int body, mjtByte sameframe) {
  if (xpos) ct_attached_position(d, xpos, pos, body, sameframe);
  if (xmat) ct_attached_orientation(d, xmat, quat, body, sameframe);
}
