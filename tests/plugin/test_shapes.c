// mujoco.sdf.bolt, bowl, gear, nut and torus: distances and contacts of the reference, meshes made
// from them, and what is refused.

#include <math.h>
#include <mujoco/mujoco.h>
#include <stdio.h>
#include <string.h>

#include "plugins.h"
#include "support/fail.h"
#include "support/plugin_models.h"
#include "support/recorded.h"

// The shapes that tests/record/record_plugins.py has recorded, in its order.
static const char* const recorded_shapes[] = {"bolt", "bolt",  "nut",   "nut",  "bowl",
                                              "bowl", "torus", "torus", "gear", "gear",
                                              "gear", "gear",  "gear"};

static const mjpPlugin* shape_named(const char* name) {
  char full[100];
  snprintf(full, sizeof(full), "mujoco.sdf.%s", name);
  const mjpPlugin* plugin = mjp_getPlugin(full, NULL);
  assert_non_null(plugin);
  return plugin;
}

static const double* array_of(const Recorded* r, int shape, const char* what, size_t* count) {
  char name[100];
  snprintf(name, sizeof(name), "shape%d/%s", shape, what);
  return recorded_doubles(r, name, count);
}

static void compare_shape(const Recorded* r, int shape) {
  const mjpPlugin* plugin = shape_named(recorded_shapes[shape]);
  size_t nattribute, nbox, npoint, ndistance;
  const double* given = array_of(r, shape, "attribute", &nattribute);
  const double* box = array_of(r, shape, "box", &nbox);
  const double* point = array_of(r, shape, "point", &npoint);
  const double* distance = array_of(r, shape, "distance", &ndistance);
  assert_int_equal(nattribute, plugin->nattribute);
  assert_int_equal(npoint, 3 * ndistance);
  mjtNum attribute[8], aabb[6];
  for (size_t i = 0; i < nattribute; i++) attribute[i] = (mjtNum)given[i];
  plugin->sdf_aabb(aabb, attribute);
  double tolerance = sizeof(mjtNum) == sizeof(float) ? 1e-4 : 1e-13;
  for (int i = 0; i < 6; i++) {
    if (!(fabs((double)aabb[i] - box[i]) < tolerance)) fail_msg("box of shape %d", shape);
  }
  for (size_t i = 0; i < ndistance; i++) {
    mjtNum x[3] = {(mjtNum)point[3 * i], (mjtNum)point[3 * i + 1], (mjtNum)point[3 * i + 2]};
    double got = (double)plugin->sdf_staticdistance(x, attribute);
    if (!(fabs(got - distance[i]) < tolerance)) {
      fail_msg("shape %d at %g %g %g: %.17g, expected %.17g", shape, (double)x[0], (double)x[1],
               (double)x[2], got, distance[i]);
    }
  }
}

static void distances_agree_with_the_reference(void** state) {
  (void)state;
  Recorded* r = recorded_open("plugins.rec");
  for (int i = 0; i < 13; i++) compare_shape(r, i);
  recorded_close(r);
}

static void what_is_not_given_has_its_usual_value(void** state) {
  (void)state;
  const struct {
    const char* shape;
    double attribute[5];
  } usual[] = {{"bolt", {0.26}},
               {"nut", {0.26}},
               {"bowl", {0.4, 1, 0.02}},
               {"torus", {0.35, 0.15}},
               {"gear", {0, 2.8, 25, 0.2, -1}}};
  for (int i = 0; i < 5; i++) {
    const mjpPlugin* plugin = shape_named(usual[i].shape);
    const char* empty[5] = {"", "", "", "", ""};
    mjtNum attribute[5];
    plugin->sdf_attribute(attribute, (const char**)(uintptr_t)plugin->attributes, empty);
    for (int k = 0; k < plugin->nattribute; k++) {
      assert_true(attribute[k] == (mjtNum)usual[i].attribute[k]);
    }
  }
}

// Contacts, and the mesh that is drawn and weighs.
static void contacts_agree_with_the_reference(void** state) {
  (void)state;
  SKIP_IN_SINGLE_PRECISION();
  mjModel* m = plugin_model("shapes.xml");
  mjData* d = mj_makeData(m);
  mj_forward(m, d);
  Recorded* r = recorded_open("plugins.rec");
  size_t n, count;
  const int* geom = recorded_ints(r, "shapes/geom", &n);
  const double* want = recorded_doubles(r, "shapes/contact", &count);
  const int* sizes = recorded_ints(r, "shapes/sizes", &count);
  const double* inertia = recorded_doubles(r, "shapes/inertia", &count);
  assert_int_equal(m->nmeshvert, sizes[0]);
  assert_int_equal(m->nmeshface, sizes[1]);
  for (int i = 0; i < 3; i++) {
    assert_true(fabs((double)m->body_inertia[3 + i] - inertia[i]) < 1e-9 * inertia[i]);
  }
  assert_int_equal(2 * d->ncon, n);
  for (int i = 0; i < d->ncon; i++, want += 13) {
    const mjContact* c = d->contact + i;
    assert_int_equal(c->geom[0], geom[2 * i]);
    assert_int_equal(c->geom[1], geom[2 * i + 1]);
    double got[13] = {(double)c->dist};
    for (int k = 0; k < 3; k++) got[1 + k] = (double)c->pos[k];
    for (int k = 0; k < 9; k++) got[4 + k] = (double)c->frame[k];
    for (int k = 0; k < 13; k++) {
      if (!(fabs(got[k] - want[k]) < 1e-9)) {
        fail_msg("contact %d: number %d is %.17g, expected %.17g", i, k, got[k], want[k]);
      }
    }
  }
  recorded_close(r);
  mj_deleteData(d);
  mj_deleteModel(m);
}

// The gradient is that of the distance, up to the noise of a difference quotient.
static void gradients_are_those_of_distances(void** state) {
  (void)state;
  SKIP_IN_SINGLE_PRECISION();
  mjModel* m = plugin_model("shapes.xml");
  mjData* d = mj_makeData(m);
  for (int instance = 0; instance < m->nplugin; instance++) {
    const mjpPlugin* plugin = mjp_getPluginAtSlot(m->plugin[instance]);
    mjtNum x[3] = {(mjtNum)0.21, (mjtNum)0.17, (mjtNum)-0.13}, gradient[3];
    plugin->sdf_gradient(gradient, x, d, instance);
    for (int i = 0; i < 3; i++) {
      const mjtNum step = (mjtNum)1e-5;
      mjtNum up[3] = {x[0], x[1], x[2]}, down[3] = {x[0], x[1], x[2]};
      up[i] += step;
      down[i] -= step;
      double slope = (double)(plugin->sdf_distance(up, d, instance) -
                              plugin->sdf_distance(down, d, instance)) /
                     (2 * (double)step);
      if (!(fabs((double)gradient[i] - slope) < 1e-6)) {
        fail_msg("%s: %g, expected %g", plugin->name, (double)gradient[i], slope);
      }
    }
  }
  mj_deleteData(d);
  mj_deleteModel(m);
}

static const char* with(const char* shape, const char* config, const char* mesh) {
  static char xml[2000];
  snprintf(xml, sizeof(xml),
           "<mujoco><extension><plugin plugin='mujoco.sdf.%s'><instance name='i'>%s</instance>"
           "</plugin></extension>%s</mujoco>",
           shape, config, mesh);
  return xml;
}

static void a_wrong_configuration_is_refused_with_the_reason(void** state) {
  (void)state;
  const char* mesh = "<asset><mesh name='m'><plugin instance='i'/></mesh></asset>";
  expect_refused_model(with("bolt", "<config key='radius' value='x'/>", ""),
                       "mujoco.sdf.bolt: radius=\"x\" should be a number");
  expect_refused_model(with("bolt", "<config key='radius' value='x'/>", mesh),
                       "radius=\"x\" should be a number");
  expect_refused_model(with("torus", "<config key='radius2' value='-1'/>", mesh),
                       "mujoco.sdf.torus: radius2 is -1, it should be above 0");
  expect_refused_model(with("gear", "<config key='teeth' value='0'/>", ""),
                       "teeth is 0, it should be above 0");
  expect_refused_model(with("gear", "<config key='pitch' value='0'/>", ""),
                       "no attribute \"pitch\"");
  expect_refused_model(with("gear", "<config key='thickness' value='1e-9'/>", mesh),
                       "is too thin for a grid");
  expect_refused_model(
      with("torus", "",
           "<asset><mesh name='m' scale='1 2 1'><plugin instance='i'/></mesh></asset>"),
      "cannot be scaled");
}

int main(void) {
  register_bolt();
  register_bowl();
  register_gear();
  register_nut();
  register_torus();
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(distances_agree_with_the_reference),
      cmocka_unit_test(what_is_not_given_has_its_usual_value),
      cmocka_unit_test(contacts_agree_with_the_reference),
      cmocka_unit_test(gradients_are_those_of_distances),
      cmocka_unit_test(a_wrong_configuration_is_refused_with_the_reason),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
