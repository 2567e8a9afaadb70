// Timers of an mjData (mjData.timer): how often a part of a step ran and, if the user gave a clock,
// for how long.

#ifndef CT_HOST_TIMER_H_
#define CT_HOST_TIMER_H_

#include <mujoco/mujoco.h>

// The user's clock; 0 without one.
static inline mjtNum ct_clock(void) {
  return mjcb_time ? mjcb_time() : 0;
}

// Adds the time since `start`.
static inline void ct_timer_add(mjData* d, int timer, mjtNum start) {
  if (mjcb_time) d->timer[timer].duration += mjcb_time() - start;
}

// Adds the time since `start` and counts one more run.
static inline void ct_timer_count(mjData* d, int timer, mjtNum start) {
  ct_timer_add(d, timer, start);
  d->timer[timer].number++;
}

#endif  // CT_HOST_TIMER_H_
