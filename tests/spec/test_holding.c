// R30.1 R40.3: who owns what when specs are attached by reference (src/spec/holding.c). The address
// sanitizer watches over what is released when.

#include <mujoco/mujoco.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "spec/spec.h"

static mjsBody* world_of(mjSpec* s) {
  return mjs_findBody(s, "world");
}

static mjsBody* add_body(mjsBody* parent, const char* name) {
  mjsBody* body = mjs_addBody(parent, NULL);
  mjs_setName(body->element, name);
  mjs_addGeom(body, NULL)->size[0] = 0.1;
  return body;
}

static mjsFrame* add_frame(mjSpec* s) {
  return mjs_addFrame(world_of(s), NULL);
}

static int count(mjSpec* s, mjtObj type) {
  return ct_count(ct_spec(s), type);
}

// The world of the child goes along as a body; the child gets another one.
static void a_world_that_is_attached_leaves_an_empty_one(void** state) {
  (void)state;
  mjSpec *parent = mj_makeSpec(), *child = mj_makeSpec();
  mjsBody* world = world_of(child);
  add_body(world, "b");
  mjsElement* came = mjs_attach(add_frame(parent)->element, world->element, "c_", "");
  assert_ptr_equal(came, world->element);
  assert_ptr_equal(mjs_getSpec(came), parent);
  assert_non_null(mjs_findBody(parent, "c_b"));
  assert_ptr_not_equal(world_of(child), world);
  assert_int_equal(count(child, mjOBJ_BODY), 1);

  // it can be deleted there, and the child edited on
  assert_int_equal(mjs_delete(parent, came), 0);
  add_body(world_of(child), "later");
  assert_int_equal(count(child, mjOBJ_BODY), 2);
  assert_int_equal(count(parent, mjOBJ_BODY), 1);
  mj_deleteSpec(child);
  mj_deleteSpec(parent);
}

static int count_shown(mjSpec* s, mjtObj type) {
  int shown = 0;
  for (mjsElement* e = mjs_firstElement(s, type); e; e = mjs_nextElement(s, e)) shown++;
  return shown;
}

// R30.1: who looks through the child finds its elements there as long as they are in any spec.
static void what_was_attached_is_found_in_both_specs(void** state) {
  (void)state;
  mjSpec *parent = mj_makeSpec(), *child = mj_makeSpec();
  mjsBody* body = add_body(world_of(child), "b");
  add_body(world_of(child), "stays");
  mjs_setName(mjs_addMaterial(child, NULL)->element, "m");
  mjs_attach(add_frame(parent)->element, body->element, "c_", "");
  add_body(body, "later");
  for (int i = 0; i < 2; i++) {
    mjSpec* s = i ? parent : child;
    assert_ptr_equal(mjs_findBody(s, "c_b"), body);
    assert_non_null(mjs_findElement(s, mjOBJ_MATERIAL, "c_m"));
    assert_null(mjs_findBody(s, "b"));
  }
  assert_int_equal(count_shown(child, mjOBJ_BODY), 3);  // world, b, stays
  assert_int_equal(count_shown(child, mjOBJ_GEOM), 2);
  assert_int_equal(count_shown(parent, mjOBJ_BODY), 3);  // world, b, later
  assert_int_equal(mjs_delete(parent, body->element), 0);
  assert_int_equal(count_shown(child, mjOBJ_BODY), 2);
  mj_deleteSpec(parent);
  mj_deleteSpec(child);
}

static void parts_go_one_way(void** state) {
  (void)state;
  mjSpec *a = mj_makeSpec(), *b = mj_makeSpec(), *c = mj_makeSpec();
  add_body(world_of(a), "a");
  add_body(world_of(b), "b");
  add_body(world_of(c), "c");
  assert_non_null(mjs_attach(add_frame(a)->element, mjs_findBody(b, "b")->element, "", ""));
  assert_non_null(mjs_attach(add_frame(b)->element, mjs_findBody(c, "c")->element, "", ""));

  // b has parts of c, and a of b: neither can be a part of what it is made of
  assert_null(mjs_attach(add_frame(b)->element, mjs_findBody(a, "a")->element, "x", ""));
  assert_non_null(strstr(mjs_getError(b), "by reference"));
  assert_null(mjs_attach(add_frame(c)->element, a->element, "x", ""));
  assert_non_null(strstr(mjs_getError(c), "by reference"));
  assert_int_equal(count(a, mjOBJ_BODY), 3);

  // a copy may go back
  mjs_setDeepCopy(c, 1);
  assert_non_null(mjs_attach(add_frame(c)->element, a->element, "x", ""));
  mj_deleteSpec(a);
  mj_deleteSpec(c);
  mj_deleteSpec(b);
}

// Whatever order they go in, what was made by others is not looked at any more.
static void the_parent_may_go_before_the_child(void** state) {
  (void)state;
  mjSpec *parent = mj_makeSpec(), *child = mj_makeSpec(), *third = mj_makeSpec();
  mjsBody *body = add_body(world_of(child), "b"), *inner = add_body(body, "inner");
  add_body(world_of(third), "t");
  mjsTendon* tendon = mjs_addTendon(child, NULL);
  mjs_addSite(inner, NULL);
  mjs_setName(mjs_addSite(body, NULL)->element, "s");
  mjs_wrapSite(tendon, "s");
  mjs_attach(add_frame(parent)->element, body->element, "", "");

  // the parent gives the child's elements things of its own and of a third spec
  mjsFrame* frame = mjs_addFrame(inner, NULL);
  mjs_setName(mjs_addGeom(inner, NULL)->element, "of the parent");
  assert_ptr_equal(mjs_getSpec(tendon->element), parent);
  mjs_wrapSite(tendon, "s");
  mjs_attach(frame->element, mjs_findBody(third, "t")->element, "", "");
  mjs_setFrame(mjs_firstChild(inner, mjOBJ_SITE, 0), frame);
  assert_int_equal(count(parent, mjOBJ_BODY), 4);
  mj_deleteSpec(third);
  mj_deleteSpec(parent);

  // what is left is the child's
  assert_ptr_equal(mjs_getSpec(body->element), child);
  assert_ptr_equal(mjs_getParent(inner->element), body);
  assert_null(mjs_getParent(body->element));
  assert_int_equal(mjs_getWrapNum(tendon), 1);
  assert_null(mjs_firstChild(inner, mjOBJ_BODY, 0));
  assert_null(mjs_nextChild(inner, mjs_firstChild(inner, mjOBJ_GEOM, 0), 0));
  assert_null(mjs_getFrame(mjs_firstChild(inner, mjOBJ_SITE, 0)));
  add_body(inner, "still usable");
  assert_null(mj_compile(child, NULL));
  mj_deleteSpec(child);
}

// Parts came by way of a third spec, and copies went back: all are released together, but for one
// that is still in use.
static void of_a_circle_what_is_in_use_stays(void** state) {
  (void)state;
  mjSpec *a = mj_makeSpec(), *b = mj_makeSpec(), *c = mj_makeSpec();
  mjsBody* deep = add_body(world_of(c), "c");
  mjs_attach(add_frame(b)->element, deep->element, "", "");
  mjs_attach(add_frame(a)->element, mjs_findBody(b, "c")->element, "", "");
  assert_ptr_equal(mjs_getSpec(deep->element), a);
  mjs_setDeepCopy(b, 1);
  mjs_attach(add_frame(b)->element, mjs_findBody(a, "c")->element, "x", "");
  mj_deleteSpec(b);
  mj_deleteSpec(a);
  assert_ptr_equal(mjs_getSpec(deep->element), c);
  add_body(deep, "d");
  mj_deleteSpec(c);
}

static void parts_of_a_path_go_along(void** state) {
  (void)state;
  mjSpec *parent = mj_makeSpec(), *child = mj_makeSpec();
  mjsBody* body = add_body(world_of(child), "b");
  mjs_setName(mjs_addSite(body, NULL)->element, "s");
  mjsTendon* tendon = mjs_addTendon(child, NULL);
  mjsWrap* wrap = mjs_wrapSite(tendon, "s");
  mjs_attach(add_frame(parent)->element, child->element, "c_", "");
  assert_ptr_equal(mjs_getSpec(wrap->element), parent);
  assert_ptr_equal(mjs_getWrapTarget(wrap), mjs_findElement(parent, mjOBJ_SITE, "c_s"));
  mj_deleteSpec(child);
  mj_deleteSpec(parent);
}

static void what_was_deleted_cannot_be_attached(void** state) {
  (void)state;
  mjSpec *parent = mj_makeSpec(), *child = mj_makeSpec();
  mjsBody *body = add_body(world_of(child), "b"), *inner = add_body(body, "inner");
  mjsFrame* frame = mjs_addFrame(inner, NULL);
  mjs_delete(child, body->element);
  for (int by_copy = 0; by_copy < 2; by_copy++) {
    mjs_setDeepCopy(parent, by_copy);
    assert_null(mjs_attach(add_frame(parent)->element, body->element, "", ""));
    assert_null(mjs_attach(add_frame(parent)->element, inner->element, "", ""));
    assert_non_null(strstr(mjs_getError(parent), "deleted"));
    assert_null(mjs_attach(frame->element, parent->element, "", ""));
  }
  // it can still be looked at and added to, without any effect on its spec
  uint64_t signature = child->element->signature;
  add_body(inner, "more");
  assert_true(child->element->signature == signature);
  assert_null(mjs_findBody(child, "more"));
  mj_deleteSpec(child);
  mj_deleteSpec(parent);
}

static void classes_and_frames_of_others_are_not_kept(void** state) {
  (void)state;
  mjSpec *s = mj_makeSpec(), *other = mj_makeSpec();
  mjsDefault* foreign = mjs_addDefault(other, "foreign", NULL);
  foreign->geom->group = 3;
  mjsDefault* def = mjs_addDefault(s, "own", foreign);
  mjsFrame* frame = mjs_addFrame(world_of(s), add_frame(other));
  assert_null(mjs_getFrame(frame->element));
  mj_deleteSpec(other);
  assert_int_equal(def->geom->group, 3);
  mjs_delete(s, def->element);
  mjs_addGeom(world_of(s), NULL);
  mj_deleteSpec(s);
}

// A frame is attached to a body: what was around it stays behind, its pose does not.
static void frames_around_an_attached_frame_count_in_its_new_body(void** state) {
  (void)state;
  for (int by_copy = 0; by_copy < 2; by_copy++) {
    mjSpec *parent = mj_makeSpec(), *child = mj_makeSpec();
    mjs_setDeepCopy(parent, by_copy);
    mjsFrame* outer = add_frame(child);
    mjsFrame* inner = mjs_addFrame(world_of(child), outer);
    outer->pos[0] = inner->pos[1] = 1;
    mjs_setFrame(add_body(world_of(child), "b")->element, inner);
    mjsElement* came = mjs_attach(world_of(parent)->element, inner->element, "x_", "");
    assert_non_null(came);
    assert_ptr_equal(mjs_getSpec(mjs_getFrame(came)->element), parent);
    mj_deleteSpec(child);
    mjModel* m = mj_compile(parent, NULL);
    assert_non_null(m);
    const mjtNum pos[3] = {1, 1, 0};
    assert_memory_equal(m->body_pos + 3, pos, sizeof(pos));
    mj_deleteModel(m);
    mj_deleteSpec(parent);
  }
}

static void a_copy_into_a_part_of_itself_has_what_was_there_before(void** state) {
  (void)state;
  mjSpec* s = mj_makeSpec();
  mjs_setDeepCopy(s, 1);
  mjsFrame* frame = add_frame(s);
  mjsBody *first = add_body(world_of(s), "first"), *second = add_body(world_of(s), "second");
  mjs_setFrame(first->element, frame);
  mjs_setFrame(second->element, frame);
  assert_non_null(mjs_attach(second->element, frame->element, "x_", ""));
  assert_int_equal(count(s, mjOBJ_BODY), 5);
  assert_ptr_equal(mjs_getParent(mjs_findBody(s, "x_first")->element), second);
  assert_ptr_equal(mjs_getParent(mjs_findBody(s, "x_second")->element), second);
  mjModel* m = mj_compile(s, NULL);
  assert_non_null(m);
  mj_deleteModel(m);
  mj_deleteSpec(s);
}

// The child has the name twice, so not even the first can go.
static void names_that_would_come_twice_are_refused_before_anything_moves(void** state) {
  (void)state;
  mjSpec *parent = mj_makeSpec(), *child = mj_makeSpec();
  add_body(world_of(child), "b");
  mjs_setName(mjs_addMaterial(child, NULL)->element, "m");
  mjs_setName(mjs_addMaterial(child, NULL)->element, "m");
  assert_null(mjs_attach(add_frame(parent)->element, world_of(child)->element, "c_", ""));
  assert_non_null(strstr(mjs_getError(parent), "a second material with the name \"c_m\""));
  assert_int_equal(count(child, mjOBJ_BODY), 2);
  assert_int_equal(count(parent, mjOBJ_BODY), 1);
  assert_int_equal(count(child, mjOBJ_MATERIAL), 2);
  mj_deleteSpec(child);
  mj_deleteSpec(parent);
}

static void what_is_in_no_body_is_put_into_no_frame(void** state) {
  (void)state;
  mjSpec *parent = mj_makeSpec(), *child = mj_makeSpec();
  mjsFrame* frame = add_frame(child);
  mjs_attach(add_frame(parent)->element, frame->element, "", "");
  mj_deleteSpec(parent);
  assert_null(mjs_getParent(frame->element));
  assert_int_equal(mjs_setFrame(mjs_addActuator(child, NULL)->element, frame), -1);
  assert_non_null(strstr(mjs_getError(child), "is in no body"));
  assert_int_equal(mjs_setFrame(add_body(world_of(child), "b")->element, frame), -1);
  mj_deleteSpec(child);
}

static mjsActuator* add_motor(mjSpec* s, mjtTrn type, const char* target) {
  mjsActuator* motor = mjs_addActuator(s, NULL);
  motor->trntype = type;
  mjs_setString(motor->target, target);
  return motor;
}

// Things without names are found by the empty one, and it stays empty under any prefix.
static void what_moves_a_thing_without_a_name_goes_along(void** state) {
  (void)state;
  for (int unnamed = 0; unnamed < 2; unnamed++) {
    mjSpec *parent = mj_makeSpec(), *child = mj_makeSpec();
    mjsBody* body = add_body(world_of(child), "b");
    mjs_setName(mjs_addJoint(body, NULL)->element, unnamed ? "" : "j");
    add_motor(child, mjTRN_JOINT, "");
    add_motor(child, mjTRN_SLIDERCRANK, "b");  // without a slider's site
    mjsEquality* equality = mjs_addEquality(child, NULL);
    equality->type = mjEQ_JOINT;
    mjs_attach(add_frame(parent)->element, body->element, "c_", "");
    assert_int_equal(count(parent, mjOBJ_ACTUATOR), unnamed);
    assert_int_equal(count(parent, mjOBJ_EQUALITY), unnamed);
    if (unnamed) {
      mjsElement* came = mjs_firstElement(parent, mjOBJ_ACTUATOR);
      assert_string_equal(mjs_getString(mjs_asActuator(came)->target), "");
    }
    mj_deleteSpec(child);
    mj_deleteSpec(parent);
  }
}

// A whole spec goes in a frame of its own, which stands before those that were in its world.
static void the_frame_of_an_attached_spec_stands_before_its_contents(void** state) {
  (void)state;
  for (int deep = 0; deep < 2; deep++) {
    mjSpec *parent = mj_makeSpec(), *child = mj_makeSpec();
    mjs_setName(add_frame(child)->element, "one");
    mjs_setName(add_frame(child)->element, "two");
    mjsFrame* place = add_frame(parent);
    mjs_setName(place->element, "place");
    mjs_setDeepCopy(parent, deep);
    assert_non_null(mjs_attach(place->element, child->element, "c_", ""));
    static const char* const expected[] = {"place", "", "c_one", "c_two"};
    mjsElement* frame = mjs_firstElement(parent, mjOBJ_FRAME);
    for (int i = 0; i < 4; i++) {
      assert_non_null(frame);
      assert_string_equal(mjs_getString(mjs_getName(frame)), expected[i]);
      frame = mjs_nextElement(parent, frame);
    }
    assert_null(frame);
    mj_deleteSpec(child);
    mj_deleteSpec(parent);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_world_that_is_attached_leaves_an_empty_one),
      cmocka_unit_test(what_was_attached_is_found_in_both_specs),
      cmocka_unit_test(parts_go_one_way),
      cmocka_unit_test(the_parent_may_go_before_the_child),
      cmocka_unit_test(of_a_circle_what_is_in_use_stays),
      cmocka_unit_test(parts_of_a_path_go_along),
      cmocka_unit_test(what_was_deleted_cannot_be_attached),
      cmocka_unit_test(frames_around_an_attached_frame_count_in_its_new_body),
      cmocka_unit_test(a_copy_into_a_part_of_itself_has_what_was_there_before),
      cmocka_unit_test(names_that_would_come_twice_are_refused_before_anything_moves),
      cmocka_unit_test(what_is_in_no_body_is_put_into_no_frame),
      cmocka_unit_test(classes_and_frames_of_others_are_not_kept),
      cmocka_unit_test(what_moves_a_thing_without_a_name_goes_along),
      cmocka_unit_test(the_frame_of_an_attached_spec_stands_before_its_contents),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
