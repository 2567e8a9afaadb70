// R5: mj_recompile keeps model and data where they are and carries the state over.

#include "build.h"

static void state_follows_its_joint(void** state) {
  (void)state;
  mjSpec* s = mj_makeSpec();
  mjsBody* first = add_body(world_of(s), "first", 0, 0, 0);
  add_joint(first, "a", mjJNT_SLIDE, 1, 0, 0);
  add_geom(first, NULL, mjGEOM_SPHERE, 0.1, 0, 0);
  mjsBody* second = add_body(world_of(s), "second", 0, 0, 0);
  add_joint(second, "b", mjJNT_SLIDE, 1, 0, 0);
  add_geom(second, NULL, mjGEOM_SPHERE, 0.1, 0, 0);
  mjModel* m = compile(s);
  mjData* d = mj_makeData(m);
  d->qpos[1] = 0.25;
  d->qvel[1] = 0.5;
  d->time = 3;

  // a joint in front of it moves its numbers to another place
  add_joint(first, "c", mjJNT_SLIDE, 0, 1, 0)->ref = 7;
  assert_int_equal(mj_recompile(s, NULL, m, d), 0);
  assert_int_equal(m->nq, 3);
  EXPECT_NUMS(d->qpos, 0, 7, 0.25);
  EXPECT_NUMS(d->qvel, 0, 0, 0.5);
  EXPECT_NUMS(&d->time, 3);

  // once more, over the memory of the first time
  assert_int_equal(mj_recompile(s, NULL, m, d), 0);
  EXPECT_NUMS(d->qpos, 0, 7, 0.25);
  mjData* copy = mj_copyData(NULL, m, d);
  EXPECT_NUMS(copy->qpos, 0, 7, 0.25);
  mj_deleteData(copy);
  mj_deleteData(d);
  mj_deleteModel(m);
  mj_deleteSpec(s);
}

// The model that comes in may be empty memory: how many numbers the data has, the spec knows.
static void state_is_kept_when_the_model_is_fresh(void** state) {
  (void)state;
  char error[500];
  mjSpec* s = mj_parseXMLString(
      "<mujoco><worldbody><body mocap='true' pos='1 2 3'/>"
      "<body><joint name='j' type='slide'/><geom size='.1'/></body></worldbody>"
      "<actuator><motor joint='j'/><intvelocity joint='j' actrange='-1 1'/></actuator></mujoco>",
      NULL, error, sizeof(error));
  mjModel* m = compile(s);
  mjData* d = mj_makeData(m);
  d->qpos[0] = 0.5;
  d->qvel[0] = 0.25;
  d->ctrl[0] = 3;
  d->ctrl[1] = 4;
  d->act[0] = 0.75;
  d->mocap_pos[1] = 9;
  d->time = 2;
  mj_deleteModel(m);
  mjModel* fresh = (mjModel*)mju_malloc(sizeof(mjModel));
  memset(fresh, 0, sizeof(*fresh));
  assert_int_equal(mj_recompile(s, NULL, fresh, d), 0);
  EXPECT_NUMS(d->qpos, 0.5);
  EXPECT_NUMS(d->qvel, 0.25);
  EXPECT_NUMS(d->ctrl, 3, 4);
  EXPECT_NUMS(d->act, 0.75);
  EXPECT_NUMS(d->mocap_pos, 1, 9, 3);
  EXPECT_NUMS(&d->time, 2);
  mj_deleteData(d);
  mj_deleteModel(fresh);
  mj_deleteSpec(s);
}

// A key of the wrong length is noticed after the elements have got their new places.
static void state_is_kept_across_a_failed_compilation(void** state) {
  (void)state;
  mjSpec* s = mj_makeSpec();
  mjsBody* first = add_body(world_of(s), NULL, 0, 0, 0);
  mjsBody* second = add_body(world_of(s), NULL, 0, 0, 0);
  add_geom(first, NULL, mjGEOM_SPHERE, 0.1, 0, 0);
  add_joint(second, "b", mjJNT_SLIDE, 1, 0, 0);
  add_geom(second, NULL, mjGEOM_SPHERE, 0.1, 0, 0);
  mjModel* m = compile(s);
  mjData* d = mj_makeData(m);
  d->qpos[0] = 0.25;
  add_joint(first, "a", mjJNT_SLIDE, 1, 0, 0);
  mjsKey* key = mjs_addKey(s);
  const double too_many[3] = {1, 2, 3};
  mjs_setDouble(key->qpos, too_many, 3);
  assert_null(mj_compile(s, NULL));
  mjs_delete(s, key->element);
  assert_int_equal(mj_recompile(s, NULL, m, d), 0);
  EXPECT_NUMS(d->qpos, 0, 0.25);
  mj_deleteData(d);
  mj_deleteModel(m);
  mj_deleteSpec(s);
}

static void a_failure_releases_model_and_data(void** state) {
  (void)state;
  mjSpec* s = mj_makeSpec();
  mjsBody* body = add_body(world_of(s), "b", 0, 0, 0);
  add_joint(body, "a", mjJNT_SLIDE, 1, 0, 0);
  mjsGeom* geom = add_geom(body, NULL, mjGEOM_SPHERE, 0.1, 0, 0);
  mjModel* m = compile(s);
  mjData* d = mj_makeData(m);
  geom->size[0] = -1;
  assert_int_equal(mj_recompile(s, NULL, m, d), -1);
  assert_non_null(strstr(mjs_getError(s), "positive"));
  mj_deleteSpec(s);
}

// What has more numbers than it had does not get those of its neighbours: a joint starts anew, the
// other activations of an actuator are zero.
static void state_of_larger_elements_is_not_that_of_others(void** state) {
  (void)state;
  char error[500];
  mjSpec* s = mj_parseXMLString(
      "<mujoco><worldbody><body><joint name='i'/><geom size='.1'/></body>"
      "<body><joint name='j'/><geom size='.1'/></body><body><joint/><geom size='.1'/></body>"
      "<body><joint type='ball'/><geom size='.1'/></body></worldbody>"
      "<actuator><general name='a' joint='i' dyntype='user' actdim='2'/>"
      "<intvelocity joint='i' actrange='-9 9'/></actuator></mujoco>",
      NULL, error, sizeof(error));
  if (!s) fail_msg("%s", error);
  mjModel* m = compile(s);
  mjData* d = mj_makeData(m);
  for (int i = 0; i < m->nq; i++) d->qpos[i] = i + 1;
  for (int i = 0; i < m->na; i++) d->act[i] = i + 1;
  mjs_asJoint(mjs_findElement(s, mjOBJ_JOINT, "j"))->type = mjJNT_BALL;
  mjs_asActuator(mjs_findElement(s, mjOBJ_ACTUATOR, "a"))->actdim = 3;
  assert_int_equal(mj_recompile(s, NULL, m, d), 0);
  EXPECT_NUMS(d->qpos, 1, 1, 0, 0, 0, 3, 4, 5, 6, 7);
  EXPECT_NUMS(d->act, 1, 2, 0, 3);
  mj_deleteData(d);
  mj_deleteModel(m);
  mj_deleteSpec(s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(state_follows_its_joint),
      cmocka_unit_test(state_is_kept_when_the_model_is_fresh),
      cmocka_unit_test(state_is_kept_across_a_failed_compilation),
      cmocka_unit_test(a_failure_releases_model_and_data),
      cmocka_unit_test(state_of_larger_elements_is_not_that_of_others),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
