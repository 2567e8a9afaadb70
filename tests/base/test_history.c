// R6.1: history buffers, against the rules written down as simply as possible and against recorded
// numbers.

#include "base/history_buffer.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/messages.h"
#include "support/models.h"

enum { N = 5, DIM = 2, BYTES = 2 + N + N * DIM };

// The slow twin: a list of samples ordered by time, no ring, no slots.
typedef struct {
  mjtNum time, value[DIM];
} Sample;

static void twin_insert(Sample* list, mjtNum t, const mjtNum* value) {
  int i = 0;
  while (i < N && list[i].time < t) i++;
  if (i < N && list[i].time == t) {
    memcpy(list[i].value, value, sizeof(list[i].value));
    return;
  }
  if (i > 0) {  // the oldest makes way
    memmove(list, list + 1, (size_t)(i - 1) * sizeof(Sample));
    i--;
  }
  list[i].time = t;
  memcpy(list[i].value, value, sizeof(list[i].value));
}

static mjtNum random_number(unsigned* seed) {
  *seed = *seed * 1664525u + 1013904223u;
  return (mjtNum)(*seed >> 24);  // few different ones, so that times repeat
}

static void insertion_in_any_order_keeps_samples_sorted(void** state) {
  (void)state;
  mjtNum buf[BYTES] = {0}, start[N] = {-5, -4, -3, -2, -1}, zeros[N * DIM] = {0};
  Sample list[N] = {{0}};
  unsigned seed = 3;
  mju_historyInit(buf, N, DIM, start, zeros, 9);
  for (int i = 0; i < N; i++) list[i].time = start[i];
  for (int k = 0; k < 2000; k++) {
    mjtNum t = random_number(&seed) / 8 + (mjtNum)k / 16,
           value[DIM] = {(mjtNum)k, random_number(&seed)};
    memcpy(mju_historyInsert(buf, N, DIM, t), value, sizeof(value));
    twin_insert(list, t, value);
    for (int i = 0; i < N; i++) {
      mjtNum res[DIM];
      const mjtNum* read = mju_historyRead(buf, N, DIM, res, list[i].time, 1);
      assert_non_null(read);
      assert_memory_equal(read, list[i].value, sizeof(list[i].value));
    }
  }
  assert_true(buf[0] == 9);
}

static void reading_between_samples_interpolates(void** state) {
  (void)state;
  mjtNum buf[2 + 4 + 4], times[] = {0, 1, 3, 4}, values[] = {0, 2, 4, 10}, res = 0;
  mju_historyInit(buf, 4, 1, times, values, 0);
  assert_true(*mju_historyRead(buf, 4, 1, &res, -7, 1) == 0);  // before and after: no extrapolation
  assert_true(*mju_historyRead(buf, 4, 1, &res, 99, 1) == 10);
  assert_true(*mju_historyRead(buf, 4, 1, &res, 2, 0) == 2);  // hold
  assert_null(mju_historyRead(buf, 4, 1, &res, 2, 1));
  assert_true(res == 3);
  // cubic at the middle of [1, 3]: mean of the values plus span / 8 of the difference of slopes
  assert_null(mju_historyRead(buf, 4, 1, &res, 2, 2));
  mjtNum slope_lo = (mjtNum)4 / 3, slope_hi = (mjtNum)8 / 3;
  assert_true(fabs(res - (3 + 2 * (slope_lo - slope_hi) / 8)) < 1e-6);
  assert_null(mju_historyRead(buf, 4, 1, &res, (mjtNum)NAN, 2));
  assert_true(isnan(res));
  buf[1] = (mjtNum)NAN;
  assert_non_null(mju_historyRead(buf, 4, 1, &res, 0, 2));
}

static void times_that_do_not_increase_are_an_error(void** state) {
  (void)state;
  mjtNum buf[BYTES], times[N] = {0, 1, 1, 2, 3};
  mju_historyInit(buf, N, DIM, times, NULL, 0);
  expect_one_error("sample 1 is at 1 and sample 2 at 1");
}

// By name: the model may gain sensors.
static int sensor_named(const mjModel* m, const char* name) {
  int id = mj_name2id(m, mjOBJ_SENSOR, name);
  if (id < 0) fail_msg("the model has no sensor %s", name);
  return id;
}

// Vector 6 of the behaviour sheet is in models/sensors.xml: timestep 0.003, period 0.01, phase
// -0.004.
static void a_reset_fills_the_buffers_of_actuators_and_sensors(void** state) {
  (void)state;
  mjModel* m = recorded_model("sensors");
  m->opt.timestep = (mjtNum)0.003;
  mjData* d = mj_makeData(m);
  assert_int_equal(m->actuator_historyadr[0], 0);
  const mjtNum tolerance = sizeof(mjtNum) == 8 ? 1e-15 : 1e-7;
  mjtNum motor[] = {0, 3, -0.012, -0.009, -0.006, -0.003, 0, 0, 0, 0};
  for (int i = 0; i < 10; i++) assert_true(fabs(d->history[i] - motor[i]) < tolerance);
  const mjtNum* acc = d->history + m->sensor_historyadr[sensor_named(m, "acc")];
  mjtNum expected_acc[] = {-0.01, 1, -0.018, -0.009};
  for (int i = 0; i < 4; i++) assert_true(fabs(acc[i] - expected_acc[i]) < tolerance);
  const mjtNum* vel = d->history + m->sensor_historyadr[sensor_named(m, "jointvel")];
  mjtNum expected_vel[] = {-0.004, 2, -0.024, -0.012, -0.003};
  for (int i = 0; i < 5; i++) assert_true(fabs(vel[i] - expected_vel[i]) < tolerance);

  m->opt.timestep = 0;
  d->qpos[0] = 77;
  mj_resetData(m, d);
  expect_one_error("positive timestep");
  assert_true(d->qpos[0] == 77);
  mj_deleteData(d);
  mj_deleteModel(m);
}

static void controls_and_sensors_are_read_and_written_through_the_api(void** state) {
  (void)state;
  mjModel* m = recorded_model("sensors");
  mjData* d = mj_makeData(m);
  d->ctrl[1] = 5;
  assert_true(mj_readCtrl(m, d, 1, 0, -1) == 5);  // no buffer
  mjtNum times[] = {1, 2, 3, 4}, values[] = {10, 20, 30, 40};
  mj_initCtrlHistory(m, d, 0, times, values);
  assert_true(mj_readCtrl(m, d, 0, 2.5, 0) == 20);
  assert_true(mj_readCtrl(m, d, 0, 2.5, 1) == 25);
  mj_initCtrlHistory(m, d, 0, NULL, NULL);  // keeps everything
  assert_true(mj_readCtrl(m, d, 0, 3, 0) == 30);

  assert_ptr_equal(mj_readSensor(m, d, 0, 0, NULL, -1), d->sensordata);
  int position = sensor_named(m, "jointpos");  // 3 samples
  mj_initSensorHistory(m, d, position, times, values, 0.5);
  assert_true(d->history[m->sensor_historyadr[position]] == 0.5);
  mjtNum res = 0;
  assert_null(mj_readSensor(m, d, position, 1.5, &res, 1));
  assert_true(res == 15);
  assert_true(*mj_readSensor(m, d, position, 2, &res, 1) == 20);
  assert_int_equal(count_errors(), 0);

  mj_readCtrl(m, d, -1, 0, 0);
  expect_one_error("actuator -1 does not exist; the model has 2");
  assert_null(mj_readSensor(m, d, 1000, 0, &res, 0));
  expect_one_error("sensor 1000 does not exist");
  mj_initCtrlHistory(m, d, 1, times, values);
  expect_one_error("actuator 1 has no history");
  mj_initSensorHistory(m, d, 0, times, values, 0);
  expect_one_error("sensor 0 has no history");
  mj_deleteData(d);
  mj_deleteModel(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(insertion_in_any_order_keeps_samples_sorted),
      cmocka_unit_test(reading_between_samples_interpolates),
      cmocka_unit_test(times_that_do_not_increase_are_an_error),
      cmocka_unit_test(a_reset_fills_the_buffers_of_actuators_and_sensors),
      cmocka_unit_test(controls_and_sensors_are_read_and_written_through_the_api),
  };
  return cmocka_run_group_tests(tests, listen_to_messages, stop_listening);
}
