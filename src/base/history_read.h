// Reading and writing history buffers (base/history_buffer.h has their layout), for lane code and
// the host alike.

#ifndef CT_BASE_HISTORY_READ_H_
#define CT_BASE_HISTORY_READ_H_

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/lanes.h"

// A buffer taken apart.
typedef struct ct_HistoryView_ {
  int n, dim, cursor;
  mjtNum *times, *values;
} ct_HistoryView;

LANE_INLINE ct_HistoryView ct_history_view(const mjtNum* buf, int n, int dim) {
  mjtNum* b = (mjtNum*)(uintptr_t)buf;  // readers get a view too and do not write through it
  // the history is part of the state, which can be set to anything
  int cursor = b[1] >= 0 && b[1] < n ? (int)b[1] : n - 1;
  ct_HistoryView v = {n, dim, cursor, b + 2, b + 2 + n};
  return v;
}

LANE_INLINE int ct_history_slot(const ct_HistoryView* v, int i) {
  return (v->cursor + 1 + i) % v->n;
}

LANE_INLINE mjtNum ct_history_time(const ct_HistoryView* v, int i) {
  return v->times[ct_history_slot(v, i)];
}

LANE_INLINE mjtNum* ct_history_value(const ct_HistoryView* v, int i) {
  return v->values + (size_t)ct_history_slot(v, i) * (size_t)v->dim;
}

// The oldest sample whose time is not before t; n if there is none. Bisection.
LANE_INLINE int ct_history_find(const ct_HistoryView* v, mjtNum t) {
  if (t <= ct_history_time(v, 0)) return 0;
  if (t > ct_history_time(v, v->n - 1)) return v->n;
  int before = 0, found = v->n - 1;
  while (found - before > 1) {
    int middle = before + (found - before) / 2;
    if (ct_history_time(v, middle) >= t) {
      found = middle;
    } else {
      before = middle;
    }
  }
  return found;
}

// Makes room for a sample at time t and returns where its values go.
LANE_INLINE mjtNum* ct_history_insert(mjtNum* buf, int n, int dim, mjtNum t) {
  ct_HistoryView v = ct_history_view(buf, n, dim);
  int i = ct_history_find(&v, t);
  if (i < n && fabs((double)(t - ct_history_time(&v, i))) < mjMINVAL) {
    return ct_history_value(&v, i);
  }
  if (i == n) {  // newer than all: the oldest slot becomes the newest
    v.cursor = (v.cursor + 1) % n;
    buf[1] = (mjtNum)v.cursor;
    i = n - 1;
  } else if (i > 0) {  // in between: samples 1 .. i-1 move towards the oldest, dropping it
    for (int k = 1; k < i; k++) {
      v.times[ct_history_slot(&v, k - 1)] = ct_history_time(&v, k);
      for (int c = 0; c < dim; c++) ct_history_value(&v, k - 1)[c] = ct_history_value(&v, k)[c];
    }
    i--;
  }
  v.times[ct_history_slot(&v, i)] = t;
  return ct_history_value(&v, i);
}

// Cubic Hermite between samples lo and lo + 1, slopes from their neighbours; zero slope at the
// ends.
LANE_INLINE void ct_history_cubic(const ct_HistoryView* v, mjtNum* res, int lo, mjtNum a) {
  int hi = lo + 1;
  mjtNum span = ct_history_time(v, hi) - ct_history_time(v, lo), a2 = a * a, a3 = a2 * a;
  bool inner_lo = lo >= 1, inner_hi = hi <= v->n - 2;
  for (int k = 0; k < v->dim; k++) {
    mjtNum at_lo = ct_history_value(v, lo)[k], at_hi = ct_history_value(v, hi)[k], slope_lo = 0,
           slope_hi = 0;
    if (inner_lo) {
      slope_lo = (at_hi - ct_history_value(v, lo - 1)[k]) /
                 (ct_history_time(v, hi) - ct_history_time(v, lo - 1));
    }
    if (inner_hi) {
      slope_hi = (ct_history_value(v, hi + 1)[k] - at_lo) /
                 (ct_history_time(v, hi + 1) - ct_history_time(v, lo));
    }
    res[k] = (2 * a3 - 3 * a2 + 1) * at_lo + (a3 - 2 * a2 + a) * span * slope_lo +
             (3 * a2 - 2 * a3) * at_hi + (a3 - a2) * span * slope_hi;
  }
}

LANE_INLINE const mjtNum* ct_history_read(const mjtNum* buf, int n, int dim, mjtNum* res, mjtNum t,
                                          int interp) {
  ct_HistoryView v = ct_history_view(buf, n, dim);
  if (t <= ct_history_time(&v, 0) + mjMINVAL) return ct_history_value(&v, 0);
  if (t >= ct_history_time(&v, n - 1) - mjMINVAL) return ct_history_value(&v, n - 1);
  int i = ct_history_find(&v, t);
  if (i == 0) return ct_history_value(&v, 0);  // one sample, and t is not a number
  if (fabs(t - ct_history_time(&v, i)) < mjMINVAL) return ct_history_value(&v, i);
  if (interp <= 0) return ct_history_value(&v, i - 1);

  int lo = i - 1;
  mjtNum a = (t - ct_history_time(&v, lo)) / (ct_history_time(&v, i) - ct_history_time(&v, lo));
  if (interp == 1) {
    for (int k = 0; k < dim; k++) {
      res[k] = ct_history_value(&v, lo)[k] +
               a * (ct_history_value(&v, i)[k] - ct_history_value(&v, lo)[k]);
    }
  } else {
    ct_history_cubic(&v, res, lo, a);
  }
  return NULL;
}

#endif  // CT_BASE_HISTORY_READ_H_
