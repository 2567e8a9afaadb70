// R30.1: keyframes of specs that change in the middle of things: after a compilation keys have the
// sizes of its model, and know their elements, whatever has come and gone since (src/spec/keys.c).

#include <mujoco/mujoco.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/fail.h"

static const char text[] =
    "<mujoco><worldbody>"
    "<body name='a'><joint name='ja'/><geom size='.1'/></body>"
    "<body name='b'><joint name='jb'/><geom size='.1'/></body>"
    "<body name='c'><geom size='.1'/></body></worldbody>"
    "<actuator><motor name='ua' joint='ja'/></actuator>"
    "<keyframe><key name='k' qpos='1 2' qvel='3 4' ctrl='5'/></keyframe></mujoco>";

static mjSpec* read_spec(bool compiled) {
  char error[300] = "";
  mjSpec* s = mj_parseXMLString(text, NULL, error, sizeof(error));
  if (!s) fail_msg("%s", error);
  if (compiled) {
    mjModel* m = mj_compile(s, NULL);
    assert_non_null(m);
    mj_deleteModel(m);
  }
  return s;
}

static void add_slide(mjSpec* s, const char* body) {
  mjsJoint* joint = mjs_addJoint(mjs_findBody(s, body), NULL);
  joint->type = mjJNT_SLIDE;
  joint->ref = 0.5;
}

static int delete_body(mjSpec* s, const char* name) {
  return mjs_delete(s, mjs_findBody(s, name)->element);
}

static void delete_joint(mjSpec* s, const char* name) {
  assert_int_equal(mjs_delete(s, mjs_findElement(s, mjOBJ_JOINT, name)), 0);
}

enum { MOST = 8 };

static int numbers(const char* given, double number[MOST]) {
  int n = 0;
  for (char* end; n < MOST; given = end, n++) {
    number[n] = strtod(given, &end);
    if (end == given) break;
  }
  return n;
}

static void set(mjDoubleVec* vector, const char* given) {
  double number[MOST];
  int n = numbers(given, number);
  mjs_setDouble(vector, number, n);
}

static void expect_numbers(const char* what, const mjtNum* found, mjtSize nfound,
                           const char* wanted) {
  double number[MOST];
  int n = numbers(wanted, number);
  if (nfound != n) fail_msg("%s has %d numbers, not %d", what, (int)nfound, n);
  for (int i = 0; i < n; i++) {
    if (found[i] != (mjtNum)number[i]) {
      fail_msg("%s[%d] is %g, not %g", what, i, (double)found[i], number[i]);
    }
  }
}

// Compiles and releases the spec; its only key must have these numbers.
static void expect_key(mjSpec* s, int nbody, const char* qpos, const char* qvel) {
  mjModel* m = mj_compile(s, NULL);
  if (!m) fail_msg("%s", mjs_getError(s));
  assert_int_equal(m->nkey, 1);
  assert_int_equal(m->nbody, nbody);
  expect_numbers("qpos", m->key_qpos, m->nq, qpos);
  expect_numbers("qvel", m->key_qvel, m->nv, qvel);
  mj_deleteModel(m);
  mj_deleteSpec(s);
}

static void new_joints_do_not_shift_the_key(void** state) {
  (void)state;
  mjSpec* s = read_spec(true);
  add_slide(s, "a");
  assert_int_equal(delete_body(s, "c"), 0);
  expect_key(s, 3, "1 0.5 2", "3 0 4");

  s = read_spec(true);
  add_slide(s, "c");
  assert_int_equal(delete_body(s, "b"), 0);
  expect_key(s, 3, "1 0.5", "3 0");
}

static void deleted_joints_take_their_numbers_along(void** state) {
  (void)state;
  mjSpec* s = read_spec(true);
  mjs_delete(s, mjs_findElement(s, mjOBJ_ACTUATOR, "ua"));
  delete_joint(s, "ja");
  assert_int_equal(delete_body(s, "c"), 0);
  expect_key(s, 3, "2", "4");

  // one for another: the sizes are those of before, the joints are not
  s = read_spec(true);
  mjs_delete(s, mjs_findElement(s, mjOBJ_ACTUATOR, "ua"));
  delete_joint(s, "ja");
  add_slide(s, "b");
  assert_int_equal(delete_body(s, "c"), 0);
  expect_key(s, 3, "2 0.5", "4 0");
}

static void actuators_come_and_go(void** state) {
  (void)state;
  mjSpec* s = read_spec(true);
  mjsActuator* u = mjs_addActuator(s, NULL);
  u->trntype = mjTRN_JOINT;
  mjs_setString(u->target, "jb");
  assert_int_equal(delete_body(s, "c"), 0);
  mjModel* m = mj_compile(s, NULL);
  assert_non_null(m);
  expect_numbers("ctrl", m->key_ctrl, m->nu, "5 0");
  mj_deleteModel(m);
  mj_deleteSpec(s);

  s = read_spec(true);
  assert_int_equal(mjs_delete(s, mjs_findElement(s, mjOBJ_ACTUATOR, "ua")), 0);
  assert_int_equal(delete_body(s, "c"), 0);
  expect_key(s, 3, "1 2", "3 4");
}

// A joint with more coordinates than it had has no numbers in the key; one with fewer or as many
// has the first of its own.
static void joints_of_a_larger_kind_start_anew(void** state) {
  (void)state;
  mjSpec* s = read_spec(true);
  mjs_asJoint(mjs_findElement(s, mjOBJ_JOINT, "ja"))->type = mjJNT_BALL;
  assert_int_equal(delete_body(s, "c"), 0);
  mjModel* m = mj_compile(s, NULL);
  assert_non_null(m);
  expect_numbers("qpos", m->key_qpos, m->nq, "1 0 0 0 2");
  expect_numbers("qvel", m->key_qvel, m->nv, "0 0 0 4");
  mj_deleteModel(m);
  mj_deleteSpec(s);
}

static void joints_of_a_smaller_kind_keep_their_first_numbers(void** state) {
  (void)state;
  for (int kind = 0; kind < 2; kind++) {
    mjSpec* s = read_spec(false);
    mjsJoint* joint = mjs_asJoint(mjs_findElement(s, mjOBJ_JOINT, "ja"));
    mjsKey* key = mjs_asKey(mjs_findElement(s, mjOBJ_KEY, "k"));
    joint->type = mjJNT_BALL;
    set(key->qpos, "1 0 0 0 6");
    set(key->qvel, "2 3 4 5");
    mjModel* m = mj_compile(s, NULL);
    assert_non_null(m);
    mj_deleteModel(m);
    joint->type = kind ? mjJNT_SLIDE : mjJNT_HINGE;
    assert_int_equal(delete_body(s, "c"), 0);
    expect_key(s, 3, "1 6", "2 5");
  }
}

// The first of its own, and zero where it has more than it had.
static void activations_stay_with_actuators_of_another_size(void** state) {
  (void)state;
  static const char* const wanted[] = {"", "1 9", "1 2 9", "1 2 0 9"};
  for (int way = 0; way < 6; way++) {
    int size = 1 + way % 3;
    bool deleted_first = way >= 3;
    mjSpec* s = read_spec(false);
    mjsActuator* a = mjs_asActuator(mjs_findElement(s, mjOBJ_ACTUATOR, "ua"));
    mjsActuator* b = mjs_addActuator(s, NULL);
    a->dyntype = mjDYN_USER;
    a->actdim = 2;
    b->trntype = mjTRN_JOINT;
    b->dyntype = mjDYN_INTEGRATOR;
    mjs_setString(b->target, "jb");
    mjsKey* key = mjs_asKey(mjs_findElement(s, mjOBJ_KEY, "k"));
    set(key->act, "1 2 9");
    set(key->ctrl, "5 6");
    mjModel* m = mj_compile(s, NULL);
    assert_non_null(m);
    mj_deleteModel(m);
    if (!deleted_first) a->actdim = size;
    assert_int_equal(delete_body(s, "c"), 0);
    a->actdim = size;
    m = mj_compile(s, NULL);
    assert_non_null(m);
    expect_numbers("act", m->key_act, m->na, wanted[size]);
    expect_numbers("ctrl", m->key_ctrl, m->nu, "5 6");
    mj_deleteModel(m);
    mj_deleteSpec(s);
  }
}

// Also if it shrinks while its numbers wait for the compilation after a deletion.
static void activations_that_wait_are_no_more_than_there_is_room_for(void** state) {
  (void)state;
  static const char* const wanted[] = {"", "1", "1 2"};
  for (int size = 1; size < 3; size++) {
    mjSpec* s = read_spec(false);
    mjsActuator* a = mjs_asActuator(mjs_findElement(s, mjOBJ_ACTUATOR, "ua"));
    a->dyntype = mjDYN_USER;
    a->actdim = 3;
    set(mjs_asKey(mjs_findElement(s, mjOBJ_KEY, "k"))->act, "1 2 3");
    mjModel* m = mj_compile(s, NULL);
    assert_non_null(m);
    mj_deleteModel(m);
    assert_int_equal(delete_body(s, "c"), 0);
    a->actdim = size;
    m = mj_compile(s, NULL);
    assert_non_null(m);
    expect_numbers("act", m->key_act, m->na, wanted[size]);
    mj_deleteModel(m);
    mj_deleteSpec(s);
  }
}

// A hinge that became free is padded as a hinge: only its first number is a reference.
static void short_keys_are_padded_by_the_kinds_of_the_last_model(void** state) {
  (void)state;
  mjSpec* s = read_spec(true);
  mjsJoint* joint = mjs_asJoint(mjs_findElement(s, mjOBJ_JOINT, "jb"));
  mjs_findBody(s, "b")->pos[2] = 4;
  joint->type = mjJNT_FREE;
  expect_key(s, 4, "1 2 0 0 1 0 0 0", "3 4 0 0 0 0 0");
}

// What the key says about it goes with it, where the reference ends the program.
static void mocap_bodies_become_frames(void** state) {
  (void)state;
  mjSpec* s = read_spec(false);
  for (int i = 0; i < 2; i++) {
    mjsBody* mocap = mjs_addBody(mjs_findBody(s, "world"), NULL);
    mocap->mocap = 1;
    assert_int_equal(mjs_setName(mocap->element, i ? "n" : "m"), 0);
  }
  set(mjs_asKey(mjs_findElement(s, mjOBJ_KEY, "k"))->mpos, "1 2 3 4 5 6");
  mjsBody* body = mjs_findBody(s, "m");
  assert_non_null(mjs_bodyToFrame(&body));
  mjModel* m = mj_compile(s, NULL);
  if (!m) fail_msg("%s", mjs_getError(s));
  expect_numbers("mpos", m->key_mpos, 3 * m->nmocap, "4 5 6");
  mj_deleteModel(m);
  mj_deleteSpec(s);
}

static void bodies_stay_while_names_repeat(void** state) {
  (void)state;
  mjSpec* s = read_spec(false);
  mjsElement *one = mjs_addMaterial(s, NULL)->element, *other = mjs_addMaterial(s, NULL)->element;
  assert_int_equal(mjs_setName(one, "m"), 0);
  assert_int_equal(mjs_setName(other, "m"), -1);
  assert_int_equal(delete_body(s, "c"), -1);
  assert_non_null(strstr(mjs_getError(s), "two elements of type material are called \"m\""));
  assert_int_equal(mjs_setName(other, "n"), 0);
  assert_int_equal(delete_body(s, "c"), 0);
  expect_key(s, 3, "1 2", "3 4");
}

static void copies_keep_their_keys(void** state) {
  (void)state;
  mjSpec *s = read_spec(true), *copy = mj_copySpec(s);
  add_slide(copy, "a");
  assert_int_equal(delete_body(copy, "b"), 0);
  expect_key(copy, 3, "1 0.5", "3 0");
  mj_deleteSpec(s);
}

static void bodies_become_frames(void** state) {
  (void)state;
  mjSpec* s = read_spec(true);
  add_slide(s, "a");
  mjsBody* body = mjs_findBody(s, "c");
  assert_non_null(mjs_bodyToFrame(&body));
  expect_key(s, 3, "1 0.5 2", "3 0 4");
}

// A child that got a joint since it was compiled.
static void changed_children_can_be_attached(void** state) {
  (void)state;
  for (int by_copy = 0; by_copy < 2; by_copy++) {
    mjSpec *parent = mj_makeSpec(), *s = read_spec(true);
    add_slide(s, "a");
    mjs_setDeepCopy(parent, by_copy);
    mjsFrame* frame = mjs_addFrame(mjs_findBody(parent, "world"), NULL);
    assert_non_null(mjs_attach(frame->element, mjs_findBody(s, "a")->element, "p_", ""));
    expect_key(parent, 2, "1 0.5", "3 0");
    mj_deleteSpec(s);
  }
}

// Who does not look at what mjs_delete returns gets no model with the body; after that the spec is
// as good as before.
static void refused_deletions_fail_the_next_compilation(void** state) {
  (void)state;
  for (int copied = 0; copied < 2; copied++) {
    mjSpec* s = read_spec(false);
    add_slide(s, "a");
    assert_int_equal(delete_body(s, "b"), -1);
    assert_non_null(strstr(mjs_getError(s), "qpos has 2 numbers"));
    if (copied) {
      mjSpec* copy = mj_copySpec(s);
      mj_deleteSpec(s);
      s = copy;
    }
    assert_null(mj_compile(s, NULL));
    assert_non_null(strstr(mjs_getError(s), "body \"b\": it was to be deleted"));
    expect_key(s, 4, "1 2 0", "3 4 0");
  }

  // a second attempt with success makes up for it
  mjSpec* s = read_spec(false);
  add_slide(s, "a");
  assert_int_equal(delete_body(s, "b"), -1);
  mjsKey* key = mjs_asKey(mjs_findElement(s, mjOBJ_KEY, "k"));
  set(key->qpos, "7 8 9");
  set(key->qvel, "1 2 3");
  assert_int_equal(delete_body(s, "b"), 0);
  expect_key(s, 3, "7 8", "1 2");
}

// Keys that were given for the tree as it is now.
static void keys_may_have_the_size_of_the_tree(void** state) {
  (void)state;
  mjSpec* s = read_spec(true);
  add_slide(s, "a");
  mjsKey* key = mjs_asKey(mjs_findElement(s, mjOBJ_KEY, "k"));
  set(key->qpos, "7 8 9");
  assert_int_equal(delete_body(s, "c"), 0);
  expect_key(s, 3, "7 8 9", "3 0 4");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(new_joints_do_not_shift_the_key),
      cmocka_unit_test(deleted_joints_take_their_numbers_along),
      cmocka_unit_test(actuators_come_and_go),
      cmocka_unit_test(joints_of_a_larger_kind_start_anew),
      cmocka_unit_test(joints_of_a_smaller_kind_keep_their_first_numbers),
      cmocka_unit_test(activations_stay_with_actuators_of_another_size),
      cmocka_unit_test(activations_that_wait_are_no_more_than_there_is_room_for),
      cmocka_unit_test(short_keys_are_padded_by_the_kinds_of_the_last_model),
      cmocka_unit_test(mocap_bodies_become_frames),
      cmocka_unit_test(bodies_stay_while_names_repeat),
      cmocka_unit_test(copies_keep_their_keys),
      cmocka_unit_test(bodies_become_frames),
      cmocka_unit_test(changed_children_can_be_attached),
      cmocka_unit_test(refused_deletions_fail_the_next_compilation),
      cmocka_unit_test(keys_may_have_the_size_of_the_tree),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
