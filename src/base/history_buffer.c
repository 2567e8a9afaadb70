#include "base/history_buffer.h"

#include <math.h>
#include <string.h>

#include "base/history_read.h"

void mju_historyInit(mjtNum* buf, int n, int dim, const mjtNum* times, const mjtNum* values,
                     mjtNum user) {
  for (int i = 0; i + 1 < n; i++) {
    if (!(times[i + 1] - times[i] >= mjMINVAL)) {
      mju_error("mju_historyInit: times must increase, but sample %d is at %g and sample %d at %g",
                i, (double)times[i], i + 1, (double)times[i + 1]);
      return;
    }
  }
  buf[0] = user;
  buf[1] = (mjtNum)(n - 1);
  memmove(buf + 2, times, (size_t)n * sizeof(mjtNum));
  if (values) memmove(buf + 2 + n, values, (size_t)n * (size_t)dim * sizeof(mjtNum));
}

mjtNum* mju_historyInsert(mjtNum* buf, int n, int dim, mjtNum t) {
  return ct_history_insert(buf, n, dim, t);
}

const mjtNum* mju_historyRead(const mjtNum* buf, int n, int dim, mjtNum* res, mjtNum t,
                              int interp) {
  return ct_history_read(buf, n, dim, res, t, interp);
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
