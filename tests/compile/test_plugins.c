// R5: plugin instances in compiled models: configuration, capabilities, sizes that plugins tell.

#include "build.h"
#include "spec/containers.h"
#include "support/idle_plugin.h"

enum { NSTATE = 2, NREADING = 12 };

static int state_size(const mjModel* m, int instance) {
  (void)m;
  (void)instance;
  return NSTATE;
}
static int reading_size(const mjModel* m, int instance, int sensor_id) {
  (void)m;
  (void)instance;
  (void)sensor_id;
  return NREADING;
}
static int register_plugins(void** state) {
  (void)state;
  static const char* const attributes[] = {"kp", "ki", "kd", "imax", "slewmax"};
  mjpPlugin plugin;
  make_idle_plugin(&plugin, "test.sensor", attributes, 5, mjPLUGIN_SENSOR);
  plugin.needstage = mjSTAGE_VEL;
  plugin.nstate = state_size;
  plugin.nsensordata = reading_size;
  return mjp_registerPlugin(&plugin) < 0;
}

// A sensor whose plugin instance is named "i".
static mjSpec* make_plugin_sensor(mjsPlugin** instance, mjsSensor** sensor) {
  mjSpec* s = mj_makeSpec();
  assert_int_equal(mjs_activatePlugin(s, "test.sensor"), 0);
  *instance = mjs_addPlugin(s);
  mjs_setString((*instance)->name, "i");
  mjs_setString((*instance)->plugin_name, "test.sensor");
  (*instance)->active = 1;
  *sensor = mjs_addSensor(s);
  (*sensor)->type = mjSENS_PLUGIN;
  (*sensor)->plugin.active = 1;
  mjs_setString((*sensor)->plugin.plugin_name, "test.sensor");
  (*sensor)->plugin.element = (*instance)->element;
  return s;
}

static void an_instance_without_values_has_empty_ones(void** state) {
  (void)state;
  mjsPlugin* instance;
  mjsSensor* sensor;
  mjSpec* s = make_plugin_sensor(&instance, &sensor);
  mjModel* m = compile(s);
  assert_int_equal(m->nplugin, 1);
  assert_int_equal(m->npluginattr, 5);
  assert_string_equal(mj_getPluginConfig(m, 0, "kd"), "");
  assert_int_equal(m->npluginstate, NSTATE);
  EXPECT_INTS(m->plugin_stateadr, 0);
  EXPECT_INTS(m->plugin_statenum, NSTATE);
  EXPECT_INTS(m->sensor_plugin, 0);
  EXPECT_INTS(m->sensor_dim, NREADING);
  EXPECT_INTS(m->sensor_needstage, mjSTAGE_VEL);
  assert_int_equal(m->nsensordata, NREADING);
  mj_deleteModel(m);
  mj_deleteSpec(s);
}

static void values_come_in_the_order_of_the_plugin(void** state) {
  (void)state;
  mjsPlugin* instance;
  mjsSensor* sensor;
  mjSpec* s = make_plugin_sensor(&instance, &sensor);
  ct_Map values;
  ct_map_init(&values);
  ct_map_set(&values, "imax", "1");
  ct_map_set(&values, "ki", "4.0");
  mjs_setPluginAttributes(instance, &values);
  mjModel* m = compile(s);
  const char expected[] = {0, '4', '.', '0', 0, 0, '1', 0, 0};
  assert_int_equal(m->npluginattr, sizeof(expected));
  assert_memory_equal(m->plugin_attr, expected, sizeof(expected));
  mj_deleteModel(m);

  ct_map_set(&values, "unknown", "1");
  mjs_setPluginAttributes(instance, &values);
  ct_map_free(&values);
  expect_refusal(s, "plugin \"test.sensor\" has no attribute \"unknown\"");
}

// The reference reserves 4 numbers here and writes 28.
static void past_readings_of_plugins_have_room(void** state) {
  (void)state;
  mjsPlugin* instance;
  mjsSensor* sensor;
  mjSpec* s = make_plugin_sensor(&instance, &sensor);
  sensor->nsample = 2;
  mjModel* m = compile(s);
  assert_int_equal(m->nhistory, 2 + 2 + 2 * NREADING);
  mj_deleteModel(m);
  mj_deleteSpec(s);
}

static void plugins_are_checked(void** state) {
  (void)state;
  mjsPlugin* instance;
  mjsSensor* sensor;
  mjSpec* s = make_plugin_sensor(&instance, &sensor);
  mjs_setString(sensor->plugin.plugin_name, "Test.Sensor");  // case counts
  expect_refusal(s, "plugin \"Test.Sensor\" is not active");

  s = make_plugin_sensor(&instance, &sensor);
  sensor->plugin.active = 0;
  expect_refusal(s, "the plugin is missing");

  s = make_plugin_sensor(&instance, &sensor);
  mjsBody* body = add_body(world_of(s), "b", 0, 0, 0);
  body->plugin = sensor->plugin;
  body->plugin.name = sensor->plugin.name;
  expect_refusal(s, "plugin \"test.sensor\" cannot make passive forces");

  s = make_plugin_sensor(&instance, &sensor);
  mjs_setString(sensor->plugin.name, "nobody");
  expect_refusal(s, "there is no plugin named \"nobody\"");
}

static int start_with_a_warning(const mjModel* m, mjData* d, int instance) {
  (void)m;
  (void)d;
  (void)instance;
  mju_warning("kp is too shy");
  return -1;
}

static void a_plugin_that_cannot_start_is_heard(void** state) {
  (void)state;
  mjpPlugin plugin;
  make_idle_plugin(&plugin, "test.shy", NULL, 0, mjPLUGIN_SENSOR);
  plugin.nsensordata = reading_size;
  plugin.needstage = mjSTAGE_VEL;
  plugin.init = start_with_a_warning;
  assert_true(mjp_registerPlugin(&plugin) >= 0);
  mjsPlugin* instance;
  mjsSensor* sensor;
  mjSpec* s = make_plugin_sensor(&instance, &sensor);
  assert_int_equal(mjs_activatePlugin(s, "test.shy"), 0);
  mjs_setString(instance->plugin_name, "test.shy");
  mjs_setString(sensor->plugin.plugin_name, "test.shy");
  expect_refusal(s, "plugin test.shy could not initialise instance 0: kp is too shy");
}

// A user that has its instance by address and not by name keeps it when it is attached.
static void an_instance_given_by_its_address_is_attached_with_its_user(void** state) {
  (void)state;
  for (int by_copy = 0; by_copy < 2; by_copy++) {
    for (int whole = 0; whole < 2; whole++) {
      mjsPlugin* instance;
      mjsSensor* sensor;
      mjSpec *child = make_plugin_sensor(&instance, &sensor), *parent = mj_makeSpec();
      mjs_setString(instance->name, "");
      mjsBody* body = add_body(world_of(child), "b", 0, 0, 0);
      sensor->objtype = mjOBJ_BODY;
      mjs_setString(sensor->objname, "b");
      mjs_setDeepCopy(parent, by_copy);
      mjsFrame* frame = mjs_addFrame(world_of(parent), NULL);
      assert_non_null(mjs_attach(frame->element, whole ? child->element : body->element, "x_", ""));
      mjModel* m = compile(parent);
      assert_int_equal(m->nplugin, 1);
      EXPECT_INTS(m->sensor_plugin, 0);
      EXPECT_INTS(m->sensor_dim, NREADING);
      mj_deleteModel(m);
      if (by_copy) {
        m = compile(child);
        assert_int_equal(m->nplugin, 1);
        mj_deleteModel(m);
      }
      mj_deleteSpec(child);
      mj_deleteSpec(parent);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(an_instance_without_values_has_empty_ones),
      cmocka_unit_test(values_come_in_the_order_of_the_plugin),
      cmocka_unit_test(past_readings_of_plugins_have_room),
      cmocka_unit_test(plugins_are_checked),
      cmocka_unit_test(an_instance_given_by_its_address_is_attached_with_its_user),
      cmocka_unit_test(a_plugin_that_cannot_start_is_heard),
  };
  return cmocka_run_group_tests(tests, register_plugins, NULL);
}
