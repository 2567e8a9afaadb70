// Building blocks of scenes: numbers of the reference for connectors, colours and hanging strings.

#include <mujoco/mujoco.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "support/messages.h"
#include "support/text_models.h"
#include "visual/hanging_string.h"
#include "visual/shown.h"

static void expect_near(const float* got, const float* want, int n) {
  for (int i = 0; i < n; i++) assert_float_equal(got[i], want[i], 1e-6);
}

static void a_connector_joins_two_points(void** state) {
  (void)state;
  mjvGeom g;
  const mjtNum from[3] = {0, 0, 0}, to[3] = {1, 2, 2}, down[3] = {0, 0, -2};
  const float size[3] = {0.05f, 0.05f, 1.5f}, pos[3] = {0.5f, 1, 1};
  const float mat[9] = {0.93333334f, -0.13333334f, 0.33333334f, -0.13333334f, 0.73333335f,
                        0.6666667f,  -0.33333334f, -0.6666667f, 0.6666667f};
  const float upside_down[9] = {1, 0, 0, 0, -1, 0, 0, 0, -1};
  mjv_initGeom(&g, mjGEOM_NONE, NULL, NULL, NULL, NULL);
  mjv_connector(&g, mjGEOM_CAPSULE, (mjtNum)0.05, from, to);
  expect_near(g.size, size, 3);
  expect_near(g.pos, pos, 3);
  expect_near(g.mat, mat, 9);
  mjv_connector(&g, mjGEOM_ARROW, (mjtNum)0.05, from, down);
  assert_float_equal(g.size[2], 2, 0);
  expect_near(g.mat, upside_down, 9);
}

static void a_box_does_not_connect(void** state) {
  listen_to_messages(state);
  mjvGeom g;
  const mjtNum from[3] = {0, 0, 0}, to[3] = {1, 2, 2};
  mjv_initGeom(&g, mjGEOM_NONE, NULL, NULL, NULL, NULL);
  mjv_connector(&g, mjGEOM_BOX, 1, from, to);
  expect_one_error("does not connect");
  assert_int_equal(g.type, mjGEOM_NONE);
  stop_listening(state);
}

static void round_shapes_repeat_their_radius(void** state) {
  (void)state;
  mjvGeom g;
  const mjtNum size[3] = {1, 2, 3};
  const int types[3] = {mjGEOM_SPHERE, mjGEOM_CAPSULE, mjGEOM_BOX};
  const float want[3][3] = {{1, 1, 1}, {1, 1, 2}, {1, 2, 3}};
  for (int i = 0; i < 3; i++) {
    mjv_initGeom(&g, types[i], size, NULL, NULL, NULL);
    expect_near(g.size, want[i], 3);
  }
}

static void islands_have_their_colours(void** state) {
  (void)state;
  float rgba[4];
  const float awake[4] = {0.68f, 0.61523813f, 0.22666666f, 1};
  const float asleep[4] = {0.408f, 0.3808f, 0.21759999f, 1};
  const float seventh[4] = {0.776f, 0.2463492f, 0.17244443f, 1};
  const float none[4] = {0.7f, 0.7f, 0.7f, 1};
  ct_island_color(rgba, 0, true);
  expect_near(rgba, awake, 4);
  ct_island_color(rgba, 0, false);
  expect_near(rgba, asleep, 4);
  ct_island_color(rgba, 6, true);
  expect_near(rgba, seventh, 4);
  ct_island_color(rgba, -1, true);
  expect_near(rgba, none, 4);
}

// A ring of sleeping trees that somebody wrote, which never comes back to where it began, or leaves
// the trees that are there: a scene is made all the same.
static void forged_rings_of_sleepers_end(void** state) {
  (void)state;
  mjModel* m = text_model(
      "<mujoco><option gravity='0 0 0'><flag sleep='enable'/></option><worldbody>"
      "<body><freejoint/><geom size='.1'/></body>"
      "<body pos='1 0 0'><freejoint/><geom size='.1'/></body>"
      "<body pos='2 0 0'><freejoint/><geom size='.1'/></body></worldbody></mujoco>");
  mjData* d = mj_makeData(m);
  for (int i = 0; i < 40; i++) mj_step(m, d);
  const int rings[3][3] = {{1, 2, 1}, {1, 99, 2}, {2, 2, 2}};
  mjvScene scene;
  mjvOption option;
  mjvCamera camera;
  mjv_defaultScene(&scene);
  mjv_makeScene(m, &scene, 100);
  mjv_defaultOption(&option);
  mjv_defaultFreeCamera(m, &camera);
  option.flags[mjVIS_ISLAND] = 1;
  for (int i = 0; i < 3; i++) {
    for (int t = 0; t < 3; t++) d->tree_asleep[t] = rings[i][t];
    for (int b = 1; b < m->nbody; b++) d->body_awake[b] = 0;
    mjv_updateScene(m, d, &option, NULL, &camera, mjCAT_ALL, &scene);
    assert_int_equal(scene.ngeom, 3);
  }
  mjv_freeScene(&scene);
  mj_deleteData(d);
  mj_deleteModel(m);
}

static void a_slack_string_hangs_as_a_catenary(void** state) {
  (void)state;
  mjtNum point[CT_MOST_STRING_POINTS][3];
  const mjtNum a[3] = {0, 0, 1}, b[3] = {1, 0, 1}, gravity[3] = {0, 0, (mjtNum)-9.81};
  assert_int_equal(ct_hang_string(point, 29, a, b, gravity, (mjtNum)1.5), 29);
  const int at[3] = {1, 14, 27};
  const double want[3][2] = {
      {0.034482759, 0.921000912}, {0.482758621, 0.497849067}, {0.931034483, 0.85117085}};
  for (int i = 0; i < 3; i++) {
    assert_float_equal(point[at[i]][0], want[i][0], 2e-6);
    assert_float_equal(point[at[i]][1], 0, 0);
    assert_float_equal(point[at[i]][2], want[i][1], 2e-6);
  }
  assert_int_equal(ct_hang_string(point, 29, a, b, gravity, (mjtNum)0.5), 2);
  assert_int_equal(ct_hang_string(point, 29, a, a, gravity, (mjtNum)0.5), 3);
  assert_float_equal(point[1][2], 0.75, 1e-6);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_connector_joins_two_points),
      cmocka_unit_test(a_box_does_not_connect),
      cmocka_unit_test(round_shapes_repeat_their_radius),
      cmocka_unit_test(islands_have_their_colours),
      cmocka_unit_test(forged_rings_of_sleepers_end),
      cmocka_unit_test(a_slack_string_hangs_as_a_catenary),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
