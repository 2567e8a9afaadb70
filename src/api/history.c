// Public functions on the history buffers of controls and sensors (base/history_buffer.h).

#include "base/history_buffer.h"

#include <stdbool.h>

static bool id_is_valid(const char* function, const char* what, int id, mjtSize n) {
  if (id >= 0 && id < n) return true;
  mju_error("%s: %s %d does not exist; the model has %lld", function, what, id, (long long)n);
  return false;
}

static bool has_buffer(const char* function, const char* what, int id, int n) {
  if (n > 0) return true;
  mju_error("%s: %s %d has no history; give it nsample in the model", function, what, id);
  return false;
}

mjtNum mj_readCtrl(const mjModel* m, const mjData* d, int id, mjtNum time, int interp) {
  if (!id_is_valid("mj_readCtrl", "actuator", id, m->nu)) return 0;
  int n = m->actuator_history[2 * id];
  if (n <= 0) return d->ctrl[id];
  if (interp < 0) interp = m->actuator_history[2 * id + 1];
  mjtNum computed;
  const mjtNum* stored = mju_historyRead(d->history + m->actuator_historyadr[id], n, 1, &computed,
                                         time - m->actuator_delay[id], interp);
  return stored ? *stored : computed;
}

const mjtNum* mj_readSensor(const mjModel* m, const mjData* d, int id, mjtNum time, mjtNum* result,
                            int interp) {
  if (!id_is_valid("mj_readSensor", "sensor", id, m->nsensor)) return NULL;
  int n = m->sensor_history[2 * id];
  if (n <= 0) return d->sensordata + m->sensor_adr[id];
  if (interp < 0) interp = m->sensor_history[2 * id + 1];
  return mju_historyRead(d->history + m->sensor_historyadr[id], n, m->sensor_dim[id], result,
                         time - m->sensor_delay[id], interp);
}

void mj_initCtrlHistory(const mjModel* m, mjData* d, int id, const mjtNum* times,
                        const mjtNum* values) {
  if (!id_is_valid("mj_initCtrlHistory", "actuator", id, m->nu)) return;
  int n = m->actuator_history[2 * id];
  if (!has_buffer("mj_initCtrlHistory", "actuator", id, n)) return;
  mjtNum* buf = d->history + m->actuator_historyadr[id];
  mju_historyInit(buf, n, 1, times ? times : buf + 2, values, buf[0]);
}

void mj_initSensorHistory(const mjModel* m, mjData* d, int id, const mjtNum* times,
                          const mjtNum* values, mjtNum phase) {
  if (!id_is_valid("mj_initSensorHistory", "sensor", id, m->nsensor)) return;
  int n = m->sensor_history[2 * id];
  if (!has_buffer("mj_initSensorHistory", "sensor", id, n)) return;
  mjtNum* buf = d->history + m->sensor_historyadr[id];
  mju_historyInit(buf, n, m->sensor_dim[id], times ? times : buf + 2, values, phase);
}
