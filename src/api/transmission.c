// Public function of the transmissions of actuators.

#include <mujoco/mujoco.h>

#include "engine/transmission.h"

void mj_transmission(const mjModel* m, mjData* d) {
  for (int i = 0; i < m->nu; i++) {
    int type = m->actuator_trntype[i];
    if (type < mjTRN_JOINT || type > mjTRN_BODY) {
      mju_error("mj_transmission: actuator %d has transmission type %d, which does not exist", i,
                type);
      return;
    }
  }
  ct_transmission(lane_one(), m, d);
}
