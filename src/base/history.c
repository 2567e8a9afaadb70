#include "base/history.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

// A buffer taken apart.
typedef struct {
  int n, dim, cursor;
  mjtNum *times, *values;
} View;

static View view(const mjtNum* buf, int n, int dim) {
  mjtNum* b = (mjtNum*)(uintptr_t)buf;  // readers get a view too and do not write through it
  // the history is part of the state, which can be set to anything
  int cursor = b[1] >= 0 && b[1] < n ? (int)b[1] : n - 1;
  View v = {n, dim, cursor, b + 2, b + 2 + n};
  return v;
}

static int slot(const View* v, int i) {
  return (v->cursor + 1 + i) % v->n;
}

static mjtNum time_of(const View* v, int i) {
  return v->times[slot(v, i)];
}

static mjtNum* value_of(const View* v, int i) {
  return v->values + (size_t)slot(v, i) * (size_t)v->dim;
}

// The oldest sample whose time is not before t; n if there is none. Bisection.
static int find(const View* v, mjtNum t) {
  if (t <= time_of(v, 0)) return 0;
  if (t > time_of(v, v->n - 1)) return v->n;
  int before = 0, found = v->n - 1;
  while (found - before > 1) {
    int middle = before + (found - before) / 2;
    if (time_of(v, middle) >= t) {
      found = middle;
    } else {
      before = middle;
    }
  }
  return found;
}

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
  View v = view(buf, n, dim);
  int i = find(&v, t);
  if (i < n && fabs(t - time_of(&v, i)) < mjMINVAL) return value_of(&v, i);

  if (i == n) {  // newer than all: the oldest slot becomes the newest
    v.cursor = (v.cursor + 1) % n;
    buf[1] = (mjtNum)v.cursor;
    i = n - 1;
  } else if (i >
             0) {  // in between: samples 1 .. i-1 move one place towards the oldest, dropping it
    for (int k = 1; k < i; k++) {
      v.times[slot(&v, k - 1)] = time_of(&v, k);
      memcpy(value_of(&v, k - 1), value_of(&v, k), (size_t)dim * sizeof(mjtNum));
    }
    i--;
  }
  v.times[slot(&v, i)] = t;
  return value_of(&v, i);
}

// Cubic Hermite between samples lo and lo + 1, slopes from their neighbours; zero slope at the
// ends.
static void interpolate_cubic(const View* v, mjtNum* res, int lo, mjtNum a) {
  int hi = lo + 1;
  mjtNum span = time_of(v, hi) - time_of(v, lo), a2 = a * a, a3 = a2 * a;
  bool inner_lo = lo >= 1, inner_hi = hi <= v->n - 2;
  for (int k = 0; k < v->dim; k++) {
    mjtNum at_lo = value_of(v, lo)[k], at_hi = value_of(v, hi)[k], slope_lo = 0, slope_hi = 0;
    if (inner_lo) {
      slope_lo = (at_hi - value_of(v, lo - 1)[k]) / (time_of(v, hi) - time_of(v, lo - 1));
    }
    if (inner_hi) {
      slope_hi = (value_of(v, hi + 1)[k] - at_lo) / (time_of(v, hi + 1) - time_of(v, lo));
    }
    res[k] = (2 * a3 - 3 * a2 + 1) * at_lo + (a3 - 2 * a2 + a) * span * slope_lo +
             (3 * a2 - 2 * a3) * at_hi + (a3 - a2) * span * slope_hi;
  }
}

const mjtNum* mju_historyRead(const mjtNum* buf, int n, int dim, mjtNum* res, mjtNum t,
                              int interp) {
  View v = view(buf, n, dim);
  if (t <= time_of(&v, 0) + mjMINVAL) return value_of(&v, 0);
  if (t >= time_of(&v, n - 1) - mjMINVAL) return value_of(&v, n - 1);
  int i = find(&v, t);
  if (i == 0) return value_of(&v, 0);  // one sample, and t is not a number
  if (fabs(t - time_of(&v, i)) < mjMINVAL) return value_of(&v, i);
  if (interp <= 0) return value_of(&v, i - 1);

  int lo = i - 1;
  mjtNum a = (t - time_of(&v, lo)) / (time_of(&v, i) - time_of(&v, lo));
  if (interp == 1) {
    for (int k = 0; k < dim; k++) {
      res[k] = value_of(&v, lo)[k] + a * (value_of(&v, i)[k] - value_of(&v, lo)[k]);
    }
  } else {
    interpolate_cubic(&v, res, lo, a);
  }
  return NULL;
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
