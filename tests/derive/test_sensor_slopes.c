// R12.1: C and D, analytic derivatives of sensors against differences, sensor by sensor.

#include <corten/derivative.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/fail.h"
#include "support/idle_plugin.h"
#include "support/models.h"
#include "support/states.h"

enum { NTYPE = mjSENS_USER + 1 };

static mjtNum* numbers(int n) {
  return (mjtNum*)calloc((size_t)n + 1, sizeof(mjtNum));
}

// Objects on a moving base and beside it, with references; a spatial and a fixed tendon; limits.
static const char instruments[] =
    "<mujoco><option timestep='0.004'/><worldbody>"
    "<geom name='floor' type='plane' size='5 5 1'/><site name='post' pos='.3 -.2 .9'/>"
    "<body name='base' pos='0 0 .32'><freejoint/><geom type='box' size='.2 .15 .1' mass='3'/>"
    "<site name='front' pos='.2 .05 .1' euler='20 30 10'/>"
    "<camera name='eye' pos='.1 0 .2' euler='10 40 0'/>"
    "<body name='arm' pos='.1 0 .1'><joint name='shoulder' axis='0 1 0' range='-40 40' "
    "limited='true' damping='.2'/>"
    "<geom name='upper' type='capsule' size='.03' fromto='0 0 0 .05 .02 .3'/>"
    "<site name='elbow' pos='.05 0 .3' euler='0 15 50'/>"
    "<body name='hand' pos='.05 .02 .3'><joint name='wrist' type='ball' damping='.05'/>"
    "<geom type='capsule' size='.02' fromto='0 0 0 .1 0 .2'/><site name='tip' pos='.1 0 .2'/>"
    "<body name='slider' pos='.1 0 .2'><joint name='slide' type='slide' axis='1 0 1' "
    "range='-.1 .1' limited='true'/><geom type='sphere' size='.04'/></body></body></body></body>"
    "</worldbody><tendon><spatial name='string' range='0 .5' limited='true'><site site='post'/>"
    "<site site='tip'/></spatial>"
    "<fixed name='belt'><joint joint='shoulder' coef='2'/><joint joint='slide' coef='-1'/></fixed>"
    "</tendon><actuator><position name='servo' joint='shoulder' kp='20' kv='2'/>"
    "<general name='pull' tendon='string' gear='.5' dyntype='filter' dynprm='.05' gainprm='8' "
    "biastype='affine' biasprm='1 -3 -.4'/><motor name='belted' tendon='belt' gear='3'/></actuator>"
    "<sensor><jointpos joint='shoulder'/><jointvel joint='slide'/><ballquat joint='wrist'/>"
    "<ballangvel joint='wrist'/><tendonpos tendon='string'/><tendonvel tendon='string'/>"
    "<tendonpos tendon='belt'/><tendonvel tendon='belt'/><actuatorpos actuator='servo'/>"
    "<actuatorpos actuator='pull'/><actuatorvel actuator='servo'/><actuatorvel actuator='pull'/>"
    "<actuatorfrc actuator='servo'/><actuatorfrc actuator='pull'/><actuatorfrc actuator='belted'/>"
    "<jointlimitpos joint='shoulder'/><jointlimitvel joint='shoulder'/>"
    "<jointlimitfrc joint='shoulder'/><tendonlimitpos tendon='string'/>"
    "<tendonlimitvel tendon='string'/><magnetometer site='tip'/><gyro site='tip'/>"
    "<velocimeter site='tip'/><accelerometer site='elbow'/><accelerometer site='front'/>"
    "<framepos objtype='site' objname='tip'/>"
    "<framepos objtype='geom' objname='upper' reftype='site' refname='front'/>"
    "<framequat objtype='site' objname='tip'/>"
    "<framequat objtype='body' objname='slider' reftype='camera' refname='eye'/>"
    "<framexaxis objtype='xbody' objname='hand'/>"
    "<frameyaxis objtype='site' objname='tip' reftype='site' refname='elbow'/>"
    "<framezaxis objtype='camera' objname='eye' reftype='body' refname='hand'/>"
    "<framelinvel objtype='site' objname='tip'/><frameangvel objtype='body' objname='hand'/>"
    "<framelinvel objtype='site' objname='tip' reftype='site' refname='front'/>"
    "<frameangvel objtype='body' objname='slider' reftype='geom' refname='upper'/>"
    "<framelinvel objtype='site' objname='post' reftype='xbody' refname='hand'/>"
    "<framelinacc objtype='site' objname='tip'/><frameangacc objtype='body' objname='slider'/>"
    "<subtreecom body='arm'/><subtreecom body='base'/><subtreelinvel body='arm'/>"
    "<clock/><touch site='tip'/><force site='elbow'/><framepos objtype='site' objname='tip' "
    "cutoff='.05'/><jointactuatorfrc joint='shoulder'/></sensor></mujoco>";

typedef struct {
  int compared[NTYPE];
  double worst;
} Tally;

static void compare_row(const mjModel* m, int row, int columns, const mjtNum* exact,
                        mjtNum* const* rough, const char* what, Tally* t) {
  int sensor = 0;
  while (sensor + 1 < m->nsensor && m->sensor_adr[sensor + 1] <= row) sensor++;
  double most = 1, error = 0, doubt = 0;
  for (int c = 0; c < columns; c++) {
    int i = row * columns + c;
    most = fmax(most, fabs((double)rough[0][i]));
    error = fmax(error, fmin(fabs((double)(exact[i] - rough[0][i])),
                             fabs((double)(exact[i] - rough[1][i]))));
    doubt = fmax(doubt, fabs((double)(rough[0][i] - rough[1][i])));
  }
  t->compared[m->sensor_type[sensor]]++;
  if (error <= 1e-7 * most || doubt > error) return;
  fail_msg("%s of sensor %d, type %d: off by %g of %g, differences by %g", what, sensor,
           m->sensor_type[sensor], error, most, doubt);
}

static void compare_state(const mjModel* m, mjData* d, Tally* t) {
  int n = (int)(2 * m->nv + m->na), nu = (int)m->nu, ns = (int)m->nsensordata;
  mjtNum *C[3], *D[3];
  for (int k = 0; k < 3; k++) {
    C[k] = numbers(ns * n);
    D[k] = numbers(ns * nu);
  }
  ct_DerivativeOptions options;
  ct_DerivativeReport report;
  ct_default_derivative_options(&options);
  for (int k = 0; k < 3; k++) {
    ct_DerivativeMatrices out = {NULL, NULL, C[k], D[k]};
    options.method = k ? CT_DERIVATIVE_DIFFERENCES : CT_DERIVATIVE_HYBRID;
    options.eps = k == 2 ? (mjtNum)1e-5 : (mjtNum)1e-6;
    assert_int_equal(ct_derivative(m, d, &options, &out, &report), 0);
  }
  for (int row = 0; row < ns; row++) {
    compare_row(m, row, n, C[0], C + 1, "C", t);
    compare_row(m, row, nu, D[0], D + 1, "D", t);
  }
  for (int k = 0; k < 3; k++) free(C[k]), free(D[k]);
}

static mjModel* tighten(mjModel* m) {
  m->opt.solver = mjSOL_NEWTON;
  m->opt.tolerance = 0;
  m->opt.iterations = 100;
  return m;
}

static void sensors_have_the_derivatives_of_differences(void** state) {
  (void)state;
  SKIP_IN_SINGLE_PRECISION();
  char error[500] = "";
  static const int analytic[] = {
      mjSENS_JOINTPOS,    mjSENS_JOINTVEL,      mjSENS_BALLQUAT,       mjSENS_BALLANGVEL,
      mjSENS_TENDONPOS,   mjSENS_TENDONVEL,     mjSENS_ACTUATORPOS,    mjSENS_ACTUATORVEL,
      mjSENS_ACTUATORFRC, mjSENS_JOINTLIMITPOS, mjSENS_TENDONLIMITPOS, mjSENS_MAGNETOMETER,
      mjSENS_GYRO,        mjSENS_VELOCIMETER,   mjSENS_ACCELEROMETER,  mjSENS_FRAMEPOS,
      mjSENS_FRAMEQUAT,   mjSENS_FRAMEXAXIS,    mjSENS_FRAMELINVEL,    mjSENS_FRAMEANGVEL,
      mjSENS_FRAMELINACC, mjSENS_FRAMEANGACC,   mjSENS_SUBTREECOM,
  };
  mjSpec* spec = mj_parseXMLString(instruments, NULL, error, sizeof(error));
  if (!spec) fail_msg("%s", error);
  mjModel* m = tighten(mj_compile(spec, NULL));
  mjData* d = mj_makeData(m);
  Tally t = {{0}, 0};
  for (int round = 0; round < 4; round++) {
    static const int integrators[] = {mjINT_EULER, mjINT_IMPLICIT, mjINT_IMPLICITFAST, mjINT_RK4};
    d->ctrl[0] = (mjtNum)(round % 2 ? 1.5 : -0.4);
    d->ctrl[1] = (mjtNum)0.7;
    for (int i = 0; i < 40; i++) mj_step(m, d);
    m->opt.integrator = integrators[round];
    compare_state(m, d, &t);
  }
  for (size_t i = 0; i < sizeof(analytic) / sizeof(analytic[0]); i++) {
    assert_int_not_equal(t.compared[analytic[i]], 0);
  }
  mj_deleteData(d);
  mj_deleteModel(m);
  mj_deleteSpec(spec);
}

static void sensors_of_recorded_models_have_them_too(void** state) {
  (void)state;
  SKIP_IN_SINGLE_PRECISION();
  Tally t = {{0}, 0};
  int models = 0;
  for (int i = 0; recorded_model_name(i); i++) {
    mjModel* m = tighten(recorded_model(recorded_model_name(i)));
    if (m->nsensor > 0 && m->nhistory == 0 && m->nflex == 0 && m->nv <= 30) {
      mjData* d = mj_makeData(m);
      for (int k = 0; k < 50; k++) mj_step(m, d);
      compare_state(m, d, &t);
      mj_deleteData(d);
      models++;
    }
    mj_deleteModel(m);
  }
  assert_in_range(models, 2, 100);
}

// Models whose sensors all have a formula take no differences, Runge-Kutta steps neither: sensors
// are those of the state before the step. Others say so.
static void reports_name_sensors_without_formula(void** state) {
  (void)state;
  char error[500] = "", text[600];
  for (int round = 0; round < 4; round++) {
    int some = round % 2;
    snprintf(text, sizeof(text),
             "<mujoco><worldbody><body><joint name='j'/><geom size='.1' pos='.3 0 0'/>"
             "<site name='s'/></body></worldbody><sensor><jointpos joint='j'/><gyro site='s'/>%s"
             "</sensor></mujoco>",
             some ? "<force site='s'/>" : "");
    mjSpec* spec = mj_parseXMLString(text, NULL, error, sizeof(error));
    mjModel* m = mj_compile(spec, NULL);
    m->opt.integrator = round < 2 ? mjINT_EULER : mjINT_RK4;
    mjData* d = mj_makeData(m);
    mjtNum C[2 * 7];
    ct_DerivativeMatrices out = {NULL, NULL, C, NULL};
    ct_DerivativeReport report;
    ct_DerivativeOptions options;
    ct_default_derivative_options(&options);
    assert_int_equal(ct_derivative(m, d, &options, &out, &report), 0);
    assert_int_equal(report.reasons, some ? CT_NO_SLOPE_SENSOR : 0);
    options.method = CT_DERIVATIVE_ANALYTIC;
    assert_int_equal(ct_derivative(m, d, &options, &out, &report), some ? -1 : 0);
    assert_true(C[0] == 1 && C[1] == 0);
    mj_deleteData(d);
    mj_deleteModel(m);
    mj_deleteSpec(spec);
  }
}

static int one_reading(const mjModel* m, int instance, int sensor_id) {
  (void)m;
  (void)instance;
  (void)sensor_id;
  return 1;
}

static void sense_square(const mjModel* m, mjData* d, int instance, int capability) {
  (void)capability;
  for (int i = 0; i < m->nsensor; i++) {
    if (m->sensor_type[i] != mjSENS_PLUGIN || m->sensor_plugin[i] != instance) continue;
    d->sensordata[m->sensor_adr[i]] = d->qpos[0] * d->qpos[0];
  }
}

static void sense_sum(const mjModel* m, mjData* d, int stage) {
  if (stage == mjSTAGE_VEL) d->sensordata[m->nsensordata - 1] = d->qpos[0] + 3 * d->qvel[0];
}

// Sensors of users, by a plugin or by a callback, concern C and D alone: A and B stay analytic, and
// the analytic method refuses only who asks for C or D.
static void sensors_of_users_leave_the_step_analytic(void** state) {
  (void)state;
  char error[500] = "";
  mjpPlugin plugin;
  make_idle_plugin(&plugin, "tests.sensor.square", NULL, 0, mjPLUGIN_SENSOR);
  plugin.nsensordata = one_reading;
  plugin.compute = sense_square;
  plugin.needstage = mjSTAGE_POS;
  mjp_registerPlugin(&plugin);
  for (int callback = 0; callback < 2; callback++) {
    mjSpec* spec = mj_parseXMLString(
        callback ? "<mujoco><worldbody><body><joint name='j'/><geom size='.1' pos='.3 0 0'/></body>"
                   "</worldbody><sensor><jointvel joint='j'/><user dim='1' needstage='vel'/>"
                   "</sensor></mujoco>"
                 : "<mujoco><extension><plugin plugin='tests.sensor.square'/></extension>"
                   "<worldbody><body><joint name='j'/><geom size='.1' pos='.3 0 0'/></body>"
                   "</worldbody><sensor><jointvel joint='j'/><plugin name='s' "
                   "plugin='tests.sensor.square'/></sensor></mujoco>",
        NULL, error, sizeof(error));
    if (!spec) fail_msg("%s", error);
    mjModel* m = mj_compile(spec, NULL);
    assert_non_null(m);
    mjData* d = mj_makeData(m);
    mjcb_sensor = callback ? sense_sum : NULL;
    mjtNum A[4], C[4], P[2], q[1];
    const ct_Parameter mass = {"body_mass", 1};
    ct_DerivativeMatrices step = {A, NULL, NULL, NULL}, all = {A, NULL, C, NULL};
    ct_ForwardMatrices forward = {q, NULL, NULL, NULL, NULL};
    ct_InverseMatrices inverse = {q, NULL, NULL};
    ct_DerivativeOptions options;
    ct_DerivativeReport report;
    ct_default_derivative_options(&options);
    d->qpos[0] = (mjtNum)0.4;
    options.method = CT_DERIVATIVE_ANALYTIC;
    assert_int_equal(ct_derivative(m, d, &options, &step, &report), 0);
    assert_int_equal(report.method, CT_DERIVATIVE_ANALYTIC);
    assert_int_equal(report.reasons, 0);
    assert_int_equal(ct_forward_derivative(m, d, &options, &forward, NULL), 0);
    assert_int_equal(ct_inverse_derivative(m, d, &options, 0, &inverse, NULL), 0);
    assert_int_equal(ct_parameter_derivative(m, d, &options, 1, &mass, P, NULL), 0);
    assert_int_equal(ct_derivative(m, d, &options, &all, &report), -1);
    assert_int_equal(report.reasons, CT_NO_SLOPE_SENSOR);
    options.method = CT_DERIVATIVE_HYBRID;
    options.eps = (mjtNum)PRECISION(1e-6, 1e-3);
    assert_int_equal(ct_derivative(m, d, &options, &all, &report), 0);
    assert_int_equal(report.method, CT_DERIVATIVE_ANALYTIC);
    assert_int_equal(report.reasons, CT_NO_SLOPE_SENSOR);
    const double want[4] = {0, 1, callback ? 1 : 0.8, callback ? 3 : 0};
    for (int i = 0; i < 4; i++) {
      assert_true(fabs((double)C[i] - want[i]) < PRECISION(1e-8, 1e-3));
    }
    mjcb_sensor = NULL;
    mj_deleteData(d);
    mj_deleteModel(m);
    mj_deleteSpec(spec);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sensors_have_the_derivatives_of_differences),
      cmocka_unit_test(sensors_of_recorded_models_have_them_too),
      cmocka_unit_test(reports_name_sensors_without_formula),
      cmocka_unit_test(sensors_of_users_leave_the_step_analytic),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
