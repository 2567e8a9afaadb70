// What nobody in base may do: call the step.

#include <mujoco/mujoco.h>

void calls_up(const mjModel* m, mjData* d);
void calls_up(const mjModel* m, mjData* d) {
  mj_step(m, d);
}
