// History buffers: the last n samples of a control or a sensor, each with its time.
//
// A buffer is [user, cursor, times (n), values (n x dim)]. The cursor, an integer kept as a real
// number, is the slot of the newest sample; the i-th oldest stands in slot (cursor + 1 + i) mod n.
// Times increase from the oldest to the newest. `user` is free for the owner: an interval sensor
// keeps there when it last ran.

#ifndef CT_BASE_HISTORY_BUFFER_H_
#define CT_BASE_HISTORY_BUFFER_H_

#include <mujoco/mujoco.h>

// Fills a buffer from samples given oldest first. values NULL: the values stay as they are. Times
// must increase; otherwise an error.
MJAPI void mju_historyInit(mjtNum* buf, int n, int dim, const mjtNum* times, const mjtNum* values,
                           mjtNum user);

// Makes room for a sample at time t and returns where its values go. A sample of that time is
// replaced; otherwise the oldest makes way.
MJAPI mjtNum* mju_historyInsert(mjtNum* buf, int n, int dim, mjtNum t);

// The sample at time t; before the oldest that one, after the newest that one. interp says what
// happens in between: 0 the earlier sample, 1 linear, 2 cubic. Returns where the values stand in
// the buffer, or NULL if it had to compute them into res.
MJAPI const mjtNum* mju_historyRead(const mjtNum* buf, int n, int dim, mjtNum* res, mjtNum t,
                                    int interp);

// All buffers of a data as they are before the first step. opt.timestep must be positive.
void ct_reset_history(const mjModel* m, mjData* d);

#endif  // CT_BASE_HISTORY_BUFFER_H_
