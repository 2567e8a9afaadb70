// Public functions of collision detection.

#include "collide/collision.h"

#include "api/timer.h"
#include "base/scratch.h"

void mj_collision(const mjModel* m, mjData* d) {
  mjtNum start = ct_clock();
  ct_collision(lane_one(), m, d);
  ct_timer_count(d, mjTIMER_POS_COLLISION, start);
}
