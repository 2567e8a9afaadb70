// Exported functions of sleep and islands. What they give was found by calling the reference's.

#include "host/sleep_functions.h"

#include <string.h>

#include "support/fail.h"
#include "support/messages.h"
#include "support/states.h"

static mjModel* m;
static mjData* d;

// A mocap body, two bodies that sleep, and a third that turns.
static int open_model(void** state) {
  const char* xml =
      "<mujoco><option gravity='0 0 0'><flag sleep='enable'/></option><worldbody>"
      "<geom type='box' size='.1 .1 .1' pos='9 9 9'/><site name='w'/>"
      "<body mocap='true' pos='5 0 0'><geom size='.1'/><site name='ms'/></body>"
      "<body name='a'><freejoint/><geom size='.1'/><site name='sa'/><camera/><light/></body>"
      "<body pos='1 0 0'><freejoint/><geom size='.1'/><site name='sb'/></body>"
      "<body pos='3 0 0'><joint name='j'/><geom size='.1'/><site name='sc'/></body></worldbody>"
      "<tendon><spatial><site site='w'/><site site='sc'/></spatial>"
      "<spatial><site site='w'/><site site='ms'/></spatial>"
      "<spatial><site site='w'/><site site='sa'/></spatial></tendon>"
      "<equality><connect site1='sa' site2='sb' active='false'/></equality>"
      "<actuator><motor joint='j'/></actuator>"
      "<sensor><jointpos joint='j'/><clock/><framepos objtype='body' "
      "objname='a'/></sensor></mujoco>";
  char error[300] = "";
  mjSpec* spec = mj_parseXMLString(xml, NULL, error, sizeof(error));
  if (!spec) fail_msg("%s", error);
  m = mj_compile(spec, NULL);
  mj_deleteSpec(spec);
  d = mj_makeData(m);
  d->qvel[12] = (mjtNum)0.5;
  for (int i = 0; i < 30; i++) mj_step(m, d);
  return listen_to_messages(state);
}

static int close_model(void** state) {
  mj_deleteData(d);
  mj_deleteModel(m);
  return stop_listening(state);
}

static void objects_are_awake_asleep_or_static(void** state) {
  (void)state;
  const struct {
    int type, count, want[5];
  } cases[] = {
      {mjOBJ_BODY, 5, {-1, 1, 0, 0, 1}},
      {mjOBJ_XBODY, 5, {-1, 1, 0, 0, 1}},
      {mjOBJ_JOINT, 3, {0, 0, 1}},
      {mjOBJ_GEOM, 5, {-1, 1, 0, 0, 1}},
      {mjOBJ_SITE, 5, {-1, 1, 0, 0, 1}},
      {mjOBJ_CAMERA, 1, {0}},
      {mjOBJ_LIGHT, 1, {0}},
      {mjOBJ_TENDON, 3, {1, -1, 0}},
      {mjOBJ_ACTUATOR, 1, {1}},
      {mjOBJ_SENSOR, 3, {1, 1, 0}},
      {mjOBJ_EQUALITY, 1, {0}},
      {mjOBJ_UNKNOWN, 1, {1}},
  };
  for (size_t k = 0; k < sizeof(cases) / sizeof(cases[0]); k++) {
    for (int i = 0; i < cases[k].count; i++) {
      int got = mj_sleepState(m, d, cases[k].type, i);
      if (got != cases[k].want[i]) fail_msg("type %d, id %d: %d", cases[k].type, i, got);
    }
  }
  assert_int_equal(mj_sleepState(m, d, mjOBJ_DOF, 11), 0);
  assert_int_equal(mj_sleepState(m, d, mjOBJ_DOF, 12), 1);
  mj_sleepState(m, d, mjOBJ_MESH, 0);
  expect_one_error("type 10");
}

static void lists_follow_what_is_asleep(void** state) {
  (void)state;
  assert_int_equal(d->nbody_awake, 3);
  d->tree_asleep[0] = -11;
  mj_updateSleep(m, d);
  assert_true(d->tree_awake[0] == 1 && d->body_awake[2] == 1 && d->body_awake[3] == 0);
  assert_true(d->nbody_awake == 4 && d->nv_awake == 7);
}

static void a_ring_wakes_as_a_whole(void** state) {
  (void)state;
  int ring[5] = {1, 2, 0, -11, 4};
  const int woken[5] = {-3, -3, -3, -11, 4};
  assert_int_equal(mj_wakeTree(ring, 5, 1, -3), 3);
  assert_memory_equal(ring, woken, sizeof(ring));
  assert_int_equal(mj_wakeTree(ring, 5, 0, -2), 0);  // awake already: only a smaller count counts
  assert_int_equal(ring[0], -3);
  assert_int_equal(mj_wakeTree(ring, 5, 0, -9), 0);
  assert_int_equal(ring[0], -9);
  assert_int_equal(count_errors(), 0);
  mj_wakeTree(ring, 5, 5, -11);
  expect_one_error("tree 5");
  int broken[3][2] = {{1, -4}, {9, 0}, {1, 1}};
  for (int i = 0; i < 3; i++) {
    int before = broken[i][0];
    assert_int_equal(mj_wakeTree(broken[i], 2, 0, -11), 0);
    assert_int_equal(broken[i][0], before);
    expect_one_error("ring");
  }
}

// Vertex 4 has no edge, 5 one to itself; 6 leads to 2 but not back.
static void components_of_a_graph_are_numbered(void** state) {
  (void)state;
  const int rownnz[7] = {1, 0, 1, 1, 0, 1, 1}, rowadr[7] = {0, 1, 1, 2, 3, 3, 4};
  const int colind[5] = {3, 2, 0, 5, 2}, want[7] = {0, -1, 1, 0, -1, 2, 3};
  int island[7], stack[5];
  assert_int_equal(mj_floodFill(island, 7, rownnz, rowadr, colind, stack), 4);
  assert_memory_equal(island, want, sizeof(island));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(objects_are_awake_asleep_or_static, open_model, close_model),
      cmocka_unit_test_setup_teardown(lists_follow_what_is_asleep, open_model, close_model),
      cmocka_unit_test_setup_teardown(a_ring_wakes_as_a_whole, open_model, close_model),
      cmocka_unit_test_setup_teardown(components_of_a_graph_are_numbered, open_model, close_model),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
