// History buffers: the last n samples of a control or a sensor, each with its time.
//
// A buffer is [note, cursor, times (n), samples (n x width)]. The cursor, an integer kept as a real
// number, is the slot of the newest sample; the i-th oldest stands in slot (cursor + 1 + i) mod n.
// Times increase from the oldest to the newest. The note is free for the owner: an interval sensor
// keeps there when it last ran. n is called `slots` below.

#ifndef CT_BASE_HISTORY_BUFFER_H_
#define CT_BASE_HISTORY_BUFFER_H_

#include <mujoco/mujoco.h>

// Fills a buffer from samples given oldest first. sample NULL: the samples stay as they are. Times
// must increase; otherwise an error.
MJAPI void mju_historyInit(mjtNum* buffer, int slots, int width, const mjtNum* time,
                           const mjtNum* sample, mjtNum note);

// Makes room for a sample of a time and returns where its values go. A sample of that time is
// replaced; otherwise the oldest makes way.
MJAPI mjtNum* mju_historyInsert(mjtNum* buffer, int slots, int width, mjtNum time);

// The sample at a time; before the oldest that one, after the newest that one. order says what
// happens in between: 0 the earlier sample, 1 linear, 2 cubic. Returns where the values stand in
// the buffer, or NULL if it had to compute them into scratch.
MJAPI const mjtNum* mju_historyRead(const mjtNum* buffer, int slots, int width, mjtNum* scratch,
                                    mjtNum time, int order);

// All buffers of an mjData as they are before the first step. opt.timestep must be positive.
void ct_reset_history(const mjModel* m, mjData* d);

#endif  // CT_BASE_HISTORY_BUFFER_H_
