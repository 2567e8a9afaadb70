#include "base/history_buffer.h"

#include <math.h>
#include <string.h>

#include "base/history_read.h"

void mju_historyInit(mjtNum* buffer, int slots, int width, const mjtNum* time, const mjtNum* sample,
                     mjtNum note) {
  for (int i = 0; i + 1 < slots; i++) {
    if (!(time[i + 1] - time[i] >= mjMINVAL)) {
      mju_error("mju_historyInit: times must increase, but sample %d is at %g and sample %d at %g",
                i, (double)time[i], i + 1, (double)time[i + 1]);
      return;
    }
  }
  buffer[0] = note;
  buffer[1] = (mjtNum)(slots - 1);
  memmove(buffer + 2, time, (size_t)slots * sizeof(mjtNum));
  if (sample) memmove(buffer + 2 + slots, sample, (size_t)slots * (size_t)width * sizeof(mjtNum));
}

mjtNum* mju_historyInsert(mjtNum* buffer, int slots, int width, mjtNum time) {
  return ct_history_insert(buffer, slots, width, time);
}

const mjtNum* mju_historyRead(const mjtNum* buffer, int slots, int width, mjtNum* scratch,
                              mjtNum time, int order) {
  return ct_history_read(buffer, slots, width, scratch, time, order);
}

// Times one timestep apart, the newest one step before the start; values zero.
static void reset_buffer(mjtNum* buf, int n, int dim, mjtNum user, mjtNum h) {
  buf[0] = user;
  buf[1] = (mjtNum)(n - 1);
  for (int j = 0; j < n; j++) buf[2 + j] = -(n - j) * h;
  memset(buf + 2 + n, 0, (size_t)n * (size_t)dim * sizeof(mjtNum));
}

void ct_reset_history(const mjModel* m, mjData* d) {
  mjtNum h = m->opt.timestep;
  for (int i = 0; i < m->nu; i++) {
    int n = m->actuator_history[2 * i];
    if (n > 0) reset_buffer(d->history + m->actuator_historyadr[i], n, 1, 0, h);
  }
  for (int i = 0; i < m->nsensor; i++) {
    int n = m->sensor_history[2 * i];
    if (n <= 0) continue;
    mjtNum* buf = d->history + m->sensor_historyadr[i];
    mjtNum period = m->sensor_interval[2 * i], phase = m->sensor_interval[2 * i + 1];
    reset_buffer(buf, n, m->sensor_dim[i], -h, h);

    // a sensor with a period has samples one period apart, each at the first step not before it
    if (period > 0) {
      mjtNum last = phase == 0 ? -period : phase;
      buf[0] = last;
      for (int j = 0; j < n; j++) buf[2 + j] = ceil((last - (n - 1 - j) * period) / h) * h;
    }
  }
}
