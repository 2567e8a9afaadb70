// mj_setLengthRange as programs call it: on the model as it is, with its own timestep and forces.

#include "support/fail.h"
#include "support/states.h"

static mjModel* m;
static mjData* d;

// A weight on a vertical rail, and a motor that lifts it.
static int open_lift(void** state) {
  (void)state;
  static const char xml[] =
      "<mujoco><worldbody><body><joint name='rail' type='slide' axis='0 0 1' range='-1 .5' "
      "damping='3' armature='1'/><geom size='.1' mass='1'/></body></worldbody>"
      "<actuator><motor joint='rail' gear='2'/></actuator></mujoco>";
  char why[300] = "";
  mjSpec* spec = mj_parseXMLString(xml, NULL, why, sizeof(why));
  if (!spec) fail_msg("%s", why);
  m = mj_compile(spec, NULL);
  mj_deleteSpec(spec);
  d = mj_makeData(m);
  return 0;
}

static int close_lift(void** state) {
  (void)state;
  mj_deleteData(d);
  mj_deleteModel(m);
  return 0;
}

static mjLROpt options_for_all(void) {
  mjLROpt options;
  mj_defaultLROpt(&options);
  options.mode = mjLRMODE_ALL;
  return options;
}

// Limits give way a little under the pull.
static void limits_of_the_joint_are_the_ends(void** state) {
  (void)state;
  char why[300] = "";
  mjLROpt options = options_for_all();
  assert_int_equal(mj_setLengthRange(m, d, 0, &options, why, sizeof(why)), 1);
  const mjtNum* range = m->actuator_lengthrange;
  assert_true(range[0] < -2 && range[0] > (mjtNum)-2.1);
  assert_true(range[1] > 1 && range[1] < (mjtNum)1.1);
}

// The compiler uses the timestep of the options; a program that calls this has its own.
static void the_timestep_is_that_of_the_model(void** state) {
  (void)state;
  mjLROpt options = options_for_all();
  options.timestep = (mjtNum)0.3;
  mj_setLengthRange(m, d, 0, &options, NULL, 0);
  double beyond = (double)d->time - (double)options.inttotal;
  assert_true(beyond > -1e-3 && beyond < 0.003);
}

// Gravity is stronger than the pull, so the weight stays below.
static void forces_of_the_model_count(void** state) {
  (void)state;
  char why[300] = "";
  mjLROpt options = options_for_all();
  options.accel = 1;
  options.useexisting = 0;
  assert_int_equal(mj_setLengthRange(m, d, 0, &options, why, sizeof(why)), 1);
  assert_true(m->actuator_lengthrange[1] < -1);
  m->opt.disableflags = mjDSBL_GRAVITY;
  assert_int_equal(mj_setLengthRange(m, d, 0, &options, why, sizeof(why)), 1);
  assert_true(m->actuator_lengthrange[1] > 0);
  assert_int_equal(m->opt.disableflags, mjDSBL_GRAVITY);
}

static void limits_are_taken_over_without_a_simulation(void** state) {
  (void)state;
  mjLROpt options = options_for_all();
  options.uselimit = 1;
  assert_int_equal(mj_setLengthRange(m, d, 0, &options, NULL, 0), 1);
  assert_true(m->actuator_lengthrange[0] == m->jnt_range[0]);
  assert_true(m->actuator_lengthrange[1] == m->jnt_range[1]);
  assert_true(d->time == 0);
}

// Muscles only, by default; ranges that are there stay.
static void actuators_that_are_not_asked_for_stay(void** state) {
  (void)state;
  mjLROpt options;
  mj_defaultLROpt(&options);
  assert_int_equal(mj_setLengthRange(m, d, 0, &options, NULL, 0), 1);
  assert_true(m->actuator_lengthrange[1] == 0);
  options.mode = mjLRMODE_ALL;
  m->actuator_lengthrange[1] = 7;
  assert_int_equal(mj_setLengthRange(m, d, 0, &options, NULL, 0), 1);
  assert_true(m->actuator_lengthrange[1] == 7);
}

#define WITH_LIFT(test_) cmocka_unit_test_setup_teardown(test_, open_lift, close_lift)

int main(void) {
  const struct CMUnitTest tests[] = {
      WITH_LIFT(limits_of_the_joint_are_the_ends),
      WITH_LIFT(the_timestep_is_that_of_the_model),
      WITH_LIFT(forces_of_the_model_count),
      WITH_LIFT(limits_are_taken_over_without_a_simulation),
      WITH_LIFT(actuators_that_are_not_asked_for_stay),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
