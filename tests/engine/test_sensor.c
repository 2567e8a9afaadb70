// Sensors: readings and histories over steps of the reference, laws that need no reference, and
// what happens around the stage: cutoff, callbacks, disabled sensors, sensors that cannot be.

#include "engine/sensor/sensor.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/fail.h"
#include "support/messages.h"
#include "support/models.h"
#include "support/recorded.h"

static mjModel* m;
static mjData* d;

static void open_model(const char* xml) {
  char error[500] = "";
  mjSpec* spec = mj_parseXMLString(xml, NULL, error, sizeof(error));
  if (!spec) fail_msg("%s", error);
  m = mj_compile(spec, NULL);
  if (!m) fail_msg("%s", mjs_getError(spec));
  mj_deleteSpec(spec);
  d = mj_makeData(m);
}

static void close_model(void) {
  mj_deleteData(d);
  mj_deleteModel(m);
}

// The reading of a sensor.
static const mjtNum* reading(const char* name) {
  int id = mj_name2id(m, mjOBJ_SENSOR, name);
  if (id < 0) fail_msg("there is no sensor %s", name);
  return d->sensordata + m->sensor_adr[id];
}

// Written so that NaN fails.
static void expect_reading(const char* name, int k, double want, double tolerance) {
  double got = (double)reading(name)[k];
  if (!(fabs(got - want) <= tolerance)) {
    fail_msg("%s[%d] is %.12g, expected %.12g", name, k, got, want);
  }
}

static void expect_vector(const char* name, double x, double y, double z, double tolerance) {
  expect_reading(name, 0, x, tolerance);
  expect_reading(name, 1, y, tolerance);
  expect_reading(name, 2, z, tolerance);
}

static void steps(int n) {
  for (int i = 0; i < n; i++) mj_step(m, d);
}

// Steps of the reference

static Recorded* recorded;
static char prefix[64];  // "sensors/runge_kutta"

static const double* numbers(const char* what, size_t* count) {
  char name[128];
  snprintf(name, sizeof(name), "%s/%s", prefix, what);
  const double* values = recorded_doubles(recorded, name, count);
  if (!values) fail_msg("%s is not recorded", name);
  return values;
}

static void set(const char* what, mjtNum* target, mjtSize n) {
  size_t count;
  const double* values = numbers(what, &count);
  if ((mjtSize)count != n) fail_msg("%s/%s has %zu numbers", prefix, what, count);
  for (mjtSize i = 0; i < n; i++) target[i] = (mjtNum)values[i];
}

// Solvers stop at a tolerance, so readings agree relative to large ones.
static void expect_recorded(const char* what, const mjtNum* got) {
  size_t count;
  const double* want = numbers(what, &count);
  for (size_t i = 0; i < count; i++) {
    if (!(fabs((double)got[i] - want[i]) <= 2e-6 * (1 + fabs(want[i])))) {
      fail_msg("%s: %s[%zu] is %.12g, expected %.12g", prefix, what, i, (double)got[i], want[i]);
    }
  }
}

static void start_like(const char* model, const char* way) {
  snprintf(prefix, sizeof(prefix), "%s/%s", model, way);
  m = recorded_model(model);
  m->opt.integrator = strcmp(way, "runge_kutta") ? mjINT_EULER : mjINT_RK4;
  d = mj_makeData(m);
  set("in/qpos", d->qpos, m->nq);
  set("in/qvel", d->qvel, m->nv);
  set("in/act", d->act, m->na);
  set("in/ctrl", d->ctrl, m->nu);
  set("in/history", d->history, m->nhistory);
  set("in/qacc_warmstart", d->qacc_warmstart, m->nv);
  set("in/time", &d->time, 1);
}

static void follow(const char* model, const char* way) {
  char name[64];
  start_like(model, way);
  for (int i = 0; i < 6; i++) {
    if (strcmp(way, "halves") == 0) {
      mj_step1(m, d);
      mj_step2(m, d);
    } else {
      mj_step(m, d);
    }
    snprintf(name, sizeof(name), "%d/sensordata", i);
    expect_recorded(name, d->sensordata);
    snprintf(name, sizeof(name), "%d/history", i);
    expect_recorded(name, d->history);
  }
  close_model();
}

static void R6_1_readings_and_histories_of_steps_are_those_of_the_reference(void** state) {
  (void)state;
  SKIP_IN_SINGLE_PRECISION();
  recorded = recorded_open("sensor_steps.rec");
  const char* models[] = {"sensors", "touch", "delays"};
  const char* ways[] = {"euler", "runge_kutta", "halves"};
  for (int i = 0; i < 3; i++) {
    for (int k = 0; k < 3; k++) follow(models[i], ways[k]);
  }
  recorded_close(recorded);
}

// Laws

static const char resting[] =
    "<mujoco><worldbody><geom name='floor' type='plane' size='9 9 .1'/>"
    "<site name='fixed'/>"
    "<body name='box' pos='0 0 .1'><freejoint/>"
    "<geom name='box' type='box' size='.1 .1 .1' mass='2'/>"
    "<site name='zone' type='box' size='.2 .2 .2'/><site name='imu' pos='.03 .04 0'/></body>"
    "</worldbody><sensor><touch name='touch' site='zone'/>"
    "<accelerometer name='acc' site='imu'/><accelerometer name='fixed' site='fixed'/>"
    "<gyro name='gyro' site='imu'/>"
    "<contact name='net' body1='box' data='found force' reduce='netforce'/>"
    "<contact name='all' geom1='box' geom2='floor' num='4' data='found force normal'/>"
    "</sensor></mujoco>";

// Soft contacts come to rest slowly.
static void R6_3_touch_is_the_weight_of_a_body_at_rest(void** state) {
  (void)state;
  open_model(resting);
  steps(2000);
  expect_reading("touch", 0, 2 * 9.81, 1e-3);
  expect_reading("net", 0, 4, 0);
  expect_vector("all", 4, (double)reading("all")[1], 0, 1e-4);
  double sum = 0;
  for (int slot = 0; slot < 4; slot++) {
    sum += (double)reading("all")[7 * slot + 1];
    expect_reading("all", 7 * slot + 6, -1, 1e-4);  // from the box to the floor
  }
  if (!(fabs(sum - (double)reading("touch")[0]) <= 1e-5)) fail_msg("normal forces: %g", sum);
  expect_reading("net", 3, -sum, 1e-3);  // what the floor receives
  close_model();
}

// Three balls on the floor; the force of the middle one is then not a number.
static void contacts_whose_force_is_not_a_number_come_last(void** state) {
  (void)state;
  open_model(
      "<mujoco><worldbody><geom type='plane' size='5 5 1'/>"
      "<body pos='0 0 .099'><freejoint/><geom size='.1' mass='1'/></body>"
      "<body pos='1 0 .099'><freejoint/><geom size='.1' mass='2'/></body>"
      "<body pos='2 0 .099'><freejoint/><geom size='.1' mass='3'/></body></worldbody>"
      "<sensor><contact name='s' data='found pos' reduce='maxforce' num='3'/></sensor></mujoco>");
  mj_forward(m, d);
  const double order[2][3] = {{2, 1, 0}, {2, 0, 1}};
  for (int bad = 0; bad < 2; bad++) {
    if (bad) d->efc_force[d->contact[1].efc_address] = (mjtNum)NAN;
    mj_sensorAcc(m, d);
    for (int slot = 0; slot < 3; slot++) {
      expect_reading("s", 4 * slot, 3, 0);
      expect_reading("s", 4 * slot + 1, order[bad][slot], 1e-6);
    }
  }
  close_model();
}

static void an_accelerometer_reads_g_at_rest_and_nothing_in_free_fall(void** state) {
  (void)state;
  open_model(resting);
  steps(2000);
  expect_vector("acc", 0, 0, 9.81, 1e-3);
  expect_vector("fixed", 0, 0, 0, 0);
  mj_resetData(m, d);
  d->qpos[2] = 5;
  mj_step(m, d);
  expect_vector("acc", 0, 0, 0, 1e-5);
  expect_reading("touch", 0, 0, 0);
  close_model();
}

// A point at r from the centre of a body that spins with w feels -w^2 r.
static void an_accelerometer_on_a_spinning_body_points_to_the_axis(void** state) {
  (void)state;
  open_model(resting);
  d->qpos[2] = 5;
  d->qvel[5] = 3;
  mj_forward(m, d);
  expect_vector("acc", -9 * 0.03, -9 * 0.04, 0, 1e-5);
  expect_vector("gyro", 0, 0, 3, 1e-6);
  close_model();
}

static const char rays[] =
    "<mujoco><worldbody><geom type='plane' size='9 9 .1'/>"
    "<body pos='0 0 1'><geom size='.05'/>"
    "<site name='down' euler='180 0 0'/><site name='tilted' euler='120 0 0'/>"
    "<site name='up'/></body></worldbody><sensor>"
    "<rangefinder name='down' site='down'/><rangefinder name='tilted' site='tilted'/>"
    "<rangefinder name='up' site='up'/><rangefinder name='capped' site='up' cutoff='2'/>"
    "<rangefinder name='short' site='up' cutoff='0.5'/>"
    "<rangefinder name='near' site='down' cutoff='0.25'/></sensor></mujoco>";

static void R6_2_rangefinders_measure_along_z_and_read_minus_one_without_a_hit(void** state) {
  (void)state;
  open_model(rays);
  mj_forward(m, d);
  expect_reading("down", 0, 1, 1e-6);
  expect_reading("tilted", 0, 2, sizeof(mjtNum) == 8 ? 1e-6 : 1e-5);
  expect_reading("up", 0, -1, 0);
  expect_reading("capped", 0, -1, 0);
  expect_reading("short", 0, -0.5, 0);  // a cutoff below 1 clamps the miss too
  expect_reading("near", 0, 0.25, 0);
  close_model();
}

static const char drives[] =
    "<mujoco><option><flag contact='disable'/></option><worldbody>"
    "<site name='base' pos='.3 .2 .9'/>"
    "<body pos='0 0 1'><joint name='hinge' axis='0 1 0'/><geom size='.1'/>"
    "<site name='crank' pos='.1 0 0'/>"
    "<body pos='.5 0 0'><joint name='ball' type='ball'/><geom size='.1'/>"
    "<site name='tip' pos='.2 .1 0'/></body></body>"
    "<body pos='1 0 1'><joint name='slide' type='slide' axis='1 0 0'/><geom size='.1'/>"
    "<site name='slider' euler='0 -90 0'/></body></worldbody>"
    "<tendon><spatial name='line'><site site='base'/><site site='tip'/></spatial></tendon>"
    "<actuator><motor name='a0' joint='hinge' gear='3'/>"
    "<motor name='a1' jointinparent='ball' gear='1 2 3'/><motor name='a2' tendon='line' gear='2'/>"
    "<motor name='a3' site='tip' refsite='base' gear='1 2 3 0 0 0'/>"
    "<motor name='a4' cranksite='crank' slidersite='slider' cranklength='2' gear='1.5'/>"
    "</actuator><sensor>"
    "<actuatorpos name='p0' actuator='a0'/><actuatorvel name='v0' actuator='a0'/>"
    "<actuatorpos name='p1' actuator='a1'/><actuatorvel name='v1' actuator='a1'/>"
    "<actuatorpos name='p2' actuator='a2'/><actuatorvel name='v2' actuator='a2'/>"
    "<actuatorpos name='p3' actuator='a3'/><actuatorvel name='v3' actuator='a3'/>"
    "<actuatorpos name='p4' actuator='a4'/><actuatorvel name='v4' actuator='a4'/>"
    "</sensor></mujoco>";

static void positions_of_drives(mjtNum* position) {
  char name[16];
  mj_forward(m, d);
  for (int i = 0; i < m->nu; i++) {
    snprintf(name, sizeof(name), "p%d", i);
    position[i] = reading(name)[0];
  }
}

// The length of a ball joint is only linear about zero, which is where it is here.
static void R6_4_actuatorvel_is_the_rate_of_actuatorpos_for_every_transmission(void** state) {
  (void)state;
  SKIP_IN_SINGLE_PRECISION();
  mjtNum before[8], after[8], start[16];
  const mjtNum h = (mjtNum)1e-6;
  char name[16];
  open_model(drives);
  for (int k = 0; k < m->nv; k++) d->qvel[k] = (mjtNum)0.3 * (mjtNum)(k + 1);
  d->qpos[0] = (mjtNum)0.2;
  mju_copy(start, d->qpos, (int)m->nq);
  mj_integratePos(m, d->qpos, d->qvel, -h);
  positions_of_drives(before);
  mju_copy(d->qpos, start, (int)m->nq);
  mj_integratePos(m, d->qpos, d->qvel, h);
  positions_of_drives(after);
  mju_copy(d->qpos, start, (int)m->nq);
  mj_forward(m, d);
  assert_int_equal(m->nu, 5);
  for (int i = 0; i < m->nu; i++) {
    double rate = (double)(after[i] - before[i]) / (2 * (double)h);
    snprintf(name, sizeof(name), "v%d", i);
    if (fabs(rate) < 1e-3) fail_msg("actuator %d does not move", i);
    expect_reading(name, 0, rate, 1e-6 * (1 + fabs(rate)));
  }
  close_model();
}

// Runge-Kutta evaluates four times; sensors belong to the first.
static void R8_7_readings_of_a_step_are_those_of_the_state_before_it(void** state) {
  (void)state;
  open_model(drives);
  m->opt.integrator = mjINT_RK4;
  d->qvel[0] = 1;
  mjtNum position[8], before[8];
  positions_of_drives(before);
  mj_step(m, d);
  for (int i = 0; i < m->nu; i++) {
    char name[16];
    snprintf(name, sizeof(name), "p%d", i);
    expect_reading(name, 0, (double)before[i], 0);
  }
  positions_of_drives(position);
  assert_true(position[0] != before[0]);
  close_model();
}

// Around the stage

static const char mine[] =
    "<mujoco><worldbody><body><joint name='j' axis='0 1 0'/><geom size='.1' pos='.2 0 0'/></body>"
    "</worldbody><sensor><user name='early' dim='2' needstage='pos' cutoff='5'/>"
    "<user name='late' dim='1' needstage='acc' datatype='positive' cutoff='5'/>"
    "<jointpos name='j' joint='j' cutoff='1'/><clock name='clock'/></sensor></mujoco>";

static int called[4];

static void fill_readings(const mjModel* model, mjData* data, int stage) {
  (void)model;
  called[stage]++;
  for (int i = 0; i < 3; i++) data->sensordata[i] += -7 + 14 * (i > 0);
}

static void R6_1_user_sensors_are_zeroed_filled_by_the_callback_and_clamped(void** state) {
  (void)state;
  open_model(mine);
  memset(called, 0, sizeof(called));
  mjcb_sensor = fill_readings;
  mj_forward(m, d);
  mjcb_sensor = NULL;
  assert_int_equal(called[mjSTAGE_POS], 1);
  assert_int_equal(called[mjSTAGE_VEL], 0);  // no user sensor asks for it
  assert_int_equal(called[mjSTAGE_ACC], 1);
  // the later call adds to what the earlier sensors say; only its own are clamped then
  expect_reading("early", 0, -12, 0);
  expect_reading("early", 1, 12, 0);
  expect_reading("late", 0, 5, 0);
  mj_forward(m, d);
  expect_vector("early", 0, 0, 0, 0);
  close_model();
}

static void R6_1_cutoff_clamps_and_disabled_sensors_keep_their_values(void** state) {
  (void)state;
  open_model(mine);
  d->qpos[0] = 2;
  d->time = 3;
  mj_forward(m, d);
  expect_reading("j", 0, 1, 0);
  expect_reading("clock", 0, 3, 0);
  d->time = 4;
  d->qpos[0] = -2;
  m->opt.disableflags |= mjDSBL_SENSOR;
  mj_forward(m, d);
  expect_reading("clock", 0, 3, 0);
  m->opt.disableflags = 0;
  mj_inverse(m, d);
  expect_reading("clock", 0, 4, 0);
  expect_reading("j", 0, -1, 0);
  close_model();
}

static const char dozing[] =
    "<mujoco><option><flag sleep='enable'/></option><worldbody>"
    "<geom type='plane' size='9 9 .1'/><body name='box' pos='0 0 .1' sleep='init'><freejoint/>"
    "<geom type='box' size='.1 .1 .1'/></body><body name='ball' pos='3 0 2'><freejoint/>"
    "<geom size='.1'/></body></worldbody><sensor>"
    "<framelinvel name='box' objtype='body' objname='box'/>"
    "<framelinvel name='ball' objtype='body' objname='ball'/></sensor></mujoco>";

static void sensors_of_sleeping_bodies_keep_their_values(void** state) {
  (void)state;
  open_model(dozing);
  for (int i = 0; i < m->nsensordata; i++) d->sensordata[i] = 77;
  mj_forward(m, d);
  assert_true(d->nbody_awake < m->nbody);
  expect_vector("box", 77, 77, 77, 0);
  expect_vector("ball", 0, 0, 0, 0);
  close_model();
}

// Quantities on demand: computed because a sensor asks for them, not otherwise.
static void accelerations_of_bodies_are_computed_when_a_sensor_asks(void** state) {
  (void)state;
  open_model(mine);
  for (int i = 0; i < 6; i++) d->cacc[6 + i] = 77;
  m->sensor_type[1] = mjSENS_JOINTACTFRC;  // instead of a user sensor, which may look at everything
  m->sensor_objtype[1] = mjOBJ_JOINT;
  m->sensor_objid[1] = 0;
  mj_forward(m, d);
  assert_int_equal(d->flg_rnepost, 0);
  assert_true(d->cacc[6] == 77);
  close_model();
  open_model(resting);
  mj_forward(m, d);
  assert_int_equal(d->flg_rnepost, 1);
  assert_int_equal(d->flg_subtreevel, 0);
  close_model();
}

static void a_delayed_user_sensor_is_an_error_that_names_it(void** state) {
  (void)state;
  m = recorded_model("sensors");
  int delayed = mj_name2id(m, mjOBJ_SENSOR, "tendonpos");
  m->sensor_type[delayed] = mjSENS_USER;
  d = mj_makeData(m);
  mj_step(m, d);
  expect_one_error("mj_step: sensor 13 'tendonpos'");
  close_model();
}

// Plugins

static int no_state(const mjModel* model, int instance) {
  (void)model;
  (void)instance;
  return 0;
}

static int two_numbers(const mjModel* model, int instance, int sensor) {
  (void)model;
  (void)instance;
  (void)sensor;
  return 2;
}

// What a plugin of the velocity stage may read has been computed: subtree velocities.
static void say_velocity(const mjModel* model, mjData* data, int instance, int capability) {
  assert_int_equal(capability, mjPLUGIN_SENSOR);
  assert_int_equal(data->flg_subtreevel, 1);
  for (int i = 0; i < model->nsensor; i++) {
    if (model->sensor_plugin[i] != instance) continue;
    data->sensordata[model->sensor_adr[i]] = data->subtree_linvel[3 + 2];
    data->sensordata[model->sensor_adr[i] + 1] = 100;
  }
}

static void R6_1_plugins_fill_their_sensors_in_their_stage_and_cutoff_applies(void** state) {
  (void)state;
  mjpPlugin plugin;
  mjp_defaultPlugin(&plugin);
  plugin.name = "test.speed";
  plugin.capabilityflags = mjPLUGIN_SENSOR;
  plugin.needstage = mjSTAGE_VEL;
  plugin.nstate = no_state;
  plugin.nsensordata = two_numbers;
  plugin.compute = say_velocity;
  mjp_registerPlugin(&plugin);
  open_model(
      "<mujoco><extension><plugin plugin='test.speed'/></extension><worldbody>"
      "<body><joint type='slide' axis='0 0 1'/><geom size='.1'/></body></worldbody>"
      "<sensor><plugin name='speed' plugin='test.speed' cutoff='5'/></sensor></mujoco>");
  d->qvel[0] = 3;
  mj_forward(m, d);
  expect_reading("speed", 0, 3, 1e-6);
  expect_reading("speed", 1, 5, 0);
  close_model();
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(R6_1_readings_and_histories_of_steps_are_those_of_the_reference),
      cmocka_unit_test(R6_3_touch_is_the_weight_of_a_body_at_rest),
      cmocka_unit_test(an_accelerometer_reads_g_at_rest_and_nothing_in_free_fall),
      cmocka_unit_test(an_accelerometer_on_a_spinning_body_points_to_the_axis),
      cmocka_unit_test(R6_2_rangefinders_measure_along_z_and_read_minus_one_without_a_hit),
      cmocka_unit_test(R6_4_actuatorvel_is_the_rate_of_actuatorpos_for_every_transmission),
      cmocka_unit_test(R8_7_readings_of_a_step_are_those_of_the_state_before_it),
      cmocka_unit_test(R6_1_user_sensors_are_zeroed_filled_by_the_callback_and_clamped),
      cmocka_unit_test(R6_1_cutoff_clamps_and_disabled_sensors_keep_their_values),
      cmocka_unit_test(sensors_of_sleeping_bodies_keep_their_values),
      cmocka_unit_test(accelerations_of_bodies_are_computed_when_a_sensor_asks),
      cmocka_unit_test(R6_1_plugins_fill_their_sensors_in_their_stage_and_cutoff_applies),
      cmocka_unit_test(contacts_whose_force_is_not_a_number_come_last),
      cmocka_unit_test_setup_teardown(a_delayed_user_sensor_is_an_error_that_names_it,
                                      listen_to_messages, stop_listening),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
