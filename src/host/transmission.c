// Public function of the transmissions of actuators.

#include <mujoco/mujoco.h>

#include "engine/smooth/transmission.h"
#include "host/report.h"

// The first actuator whose type of transmission does not exist; -1: none.
static int unknown_transmission(const mjModel* m) {
  int unknown = 0;
  for (int i = 0; i < m->nu; i++) unknown |= (unsigned)m->actuator_trntype[i] > mjTRN_BODY;
  for (int i = 0; i < m->nu && unknown; i++) {
    if ((unsigned)m->actuator_trntype[i] > mjTRN_BODY) return i;
  }
  return -1;
}

void mj_transmission(const mjModel* m, mjData* d) {
  int unknown = unknown_transmission(m);
  if (unknown >= 0) {
    ct_wrong_model(d, "mj_transmission: actuator %d has transmission type %d, which does not exist",
                   unknown, m->actuator_trntype[unknown]);
    return;
  }
  ct_transmission(lane_one(), m, d);
}
