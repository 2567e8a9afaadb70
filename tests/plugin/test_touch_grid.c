// mujoco.sensor.touch_grid: what the reference computes, and what is refused.

#include <math.h>
#include <mujoco/mujoco.h>
#include <stdio.h>
#include <string.h>

#include "plugins.h"
#include "support/fail.h"
#include "support/plugin_models.h"
#include "support/recorded.h"

static void readings_agree_with_the_reference(void** state) {
  (void)state;
  SKIP_IN_SINGLE_PRECISION();  // contacts of other steps
  mjModel* m = plugin_model("touch_grid.xml");
  mjData* d = mj_makeData(m);
  Recorded* r = recorded_open("plugins.rec");
  size_t count = 0;
  const double* want = recorded_doubles(r, "touch_grid/sensordata", &count);
  assert_int_equal(count, m->nsensordata);
  for (int i = 0; i < 5; i++) mj_step(m, d);
  mj_forward(m, d);
  for (int i = 0; i < m->nsensordata; i++) {
    if (!(fabs((double)d->sensordata[i] - want[i]) <= 1e-6)) {
      fail_msg("sensordata[%d] is %.17g, expected %.17g", i, (double)d->sensordata[i], want[i]);
    }
  }
  recorded_close(r);
  mj_deleteData(d);
  mj_deleteModel(m);
}

// What the table bears is what lies on it weighs.
static void a_grid_that_sees_all_has_the_sum_of_all_forces(void** state) {
  (void)state;
  mjModel* m = plugin_model("touch_grid.xml");
  mjData* d = mj_makeData(m);
  for (int i = 0; i < 500; i++) mj_step(m, d);
  mj_forward(m, d);
  double down = 0;
  int cells = m->sensor_dim[0] / 6;
  for (int i = 0; i < cells; i++) down += (double)d->sensordata[m->sensor_adr[0] + i];
  double weight = (2 + 1 + 1 + 3) * 9.81;
  if (!(fabs(down + weight) < 0.05 * weight)) fail_msg("%g, expected %g", down, -weight);
  mj_deleteData(d);
  mj_deleteModel(m);
}

static const char* with(const char* config, const char* object) {
  static char xml[2000];
  snprintf(xml, sizeof(xml),
           "<mujoco><extension><plugin plugin='mujoco.sensor.touch_grid'/></extension><worldbody>"
           "<site name='s'/></worldbody><sensor><plugin plugin='mujoco.sensor.touch_grid' %s>%s"
           "</plugin></sensor></mujoco>",
           object, config);
  return xml;
}

static const char* grid(const char* size, const char* fov, const char* gamma,
                        const char* channels) {
  static char config[1000];
  snprintf(config, sizeof(config),
           "<config key='size' value='%s'/><config key='fov' value='%s'/><config key='gamma' "
           "value='%s'/><config key='nchannel' value='%s'/>",
           size, fov, gamma, channels);
  return with(config, "objtype='site' objname='s'");
}

static void a_wrong_configuration_is_refused_with_the_reason(void** state) {
  (void)state;
  expect_refused_model(grid("3", "9 9", "0", "1"), "size=\"3\" should be 2 numbers");
  expect_refused_model(grid("0 3", "9 9", "0", "1"), "size has 0, it should be between 1 and");
  expect_refused_model(grid("1e9 3", "9 9", "0", "1"), "size has 1e+09");
  expect_refused_model(grid("2000 2000", "9 9", "0", "1"), "are too many");
  expect_refused_model(grid("2 2", "9 9 9", "0", "1"), "fov=\"9 9 9\" should be 2 numbers");
  expect_refused_model(grid("2 2", "181 9", "0", "1"), "fov has 181, it should be above 0");
  expect_refused_model(grid("2 2", "9 91", "0", "1"), "at most 90");
  expect_refused_model(grid("2 2", "9 9", "2", "1"), "gamma is 2, it should be between 0 and 1");
  expect_refused_model(grid("2 2", "9 9", "0", "7"),
                       "nchannel has 7, it should be between 0 and 6");
  const char* site = "objtype='site' objname='s'";
  expect_refused_model(with("", site), "size is missing");
  expect_refused_model(with("<config key='size' value='2 2'/>", site), "fov is missing");
  expect_refused_model(with("<config key='width' value='2 2'/>", site), "no attribute \"width\"");
  const char* whole = "<config key='size' value='2 2'/><config key='fov' value='9 9'/>";
  expect_refused_model(with(whole, "objtype='body' objname='world'"),
                       "sensor 0 should be attached to a site");
  expect_refused_model(with(whole, ""), "sensor 0 should be attached to a site");
}

// As in the reference; no channel at all is one.
static void digits_behind_the_point_are_cut_off(void** state) {
  (void)state;
  const struct {
    const char *size, *channels;
    int readings;
  } given[] = {{"3.7 2.2", "1", 6}, {"3 2", "1.9", 6}, {"3.99 2", "2.5", 12},
               {"3 2", "0.5", 6},   {"3 2", "0", 6},   {"3 2", "6.9", 36}};
  for (size_t i = 0; i < sizeof(given) / sizeof(given[0]); i++) {
    mjVFS vfs;
    mj_defaultVFS(&vfs);
    const char* xml = grid(given[i].size, "9 9", "0", given[i].channels);
    mj_addBufferVFS(&vfs, "m.xml", xml, (int)strlen(xml));
    char error[500] = "";
    mjModel* m = mj_loadXML("m.xml", &vfs, error, sizeof(error));
    if (!m) fail_msg("size %s: %s", given[i].size, error);
    assert_int_equal(m->nsensordata, given[i].readings);
    mj_deleteModel(m);
    mj_deleteVFS(&vfs);
  }
}

int main(void) {
  register_touch_grid();
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(readings_agree_with_the_reference),
      cmocka_unit_test(a_grid_that_sees_all_has_the_sum_of_all_forces),
      cmocka_unit_test(a_wrong_configuration_is_refused_with_the_reason),
      cmocka_unit_test(digits_behind_the_point_are_cut_off),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
