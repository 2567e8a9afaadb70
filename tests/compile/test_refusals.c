// R5: what cannot be compiled is refused with a message that names the element, and leaves a spec
// that can be repaired.

#include <corten/mjcf.h>
#include <stdio.h>

#include "build.h"

// A body with a joint and a geom; the parts are spoiled by the tests.
typedef struct {
  mjSpec* s;
  mjsBody* body;
  mjsJoint* joint;
  mjsGeom* geom;
} Part;

static Part make_part(void) {
  Part p;
  p.s = mj_makeSpec();
  p.body = add_body(world_of(p.s), "b", 0, 0, 0);
  p.joint = add_joint(p.body, "j", mjJNT_HINGE, 0, 0, 1);
  p.geom = add_geom(p.body, "g", mjGEOM_BOX, 0.1, 0.1, 0.1);
  return p;
}

static void sizes_must_be_positive(void** state) {
  (void)state;
  Part p = make_part();
  p.geom->size[2] = 0;
  expect_refusal(p.s, "geom \"g\": the three sizes must be positive");
  p = make_part();
  p.geom->size[1] = NAN;
  expect_refusal(p.s, "geom \"g\": size 1 is not a number");
}

// Programs that make a spec from files of their own say in `info` where an element came from.
static void what_a_program_says_about_an_element_is_in_the_message(void** state) {
  (void)state;
  Part p = make_part();
  mjs_setString(p.geom->info, "robot.urdf:12");
  p.geom->size[2] = 0;
  expect_refusal(p.s, "robot.urdf:12: geom \"g\": the three sizes must be positive");

  const char* xml = "<mujoco>\n<worldbody>\n<geom name='g'/>\n</worldbody></mujoco>";
  char error[100] = "";
  mjSpec* s = mj_parseXMLString(xml, NULL, error, sizeof(error));
  mjsGeom* geom = mjs_asGeom(mjs_findElement(s, mjOBJ_GEOM, "g"));
  assert_string_equal(mjs_getString(geom->info), "line 3");
  assert_null(mj_compile(s, NULL));
  assert_string_equal(mjs_getError(s),
                      "line 3: geom \"g\": the first size must be positive, number 1 is 0");
  mjs_setString(geom->info, "mine");
  expect_refusal(s, "mine: geom \"g\": the first size");
}

// Programs look for sentences that they know, in elements that they made themselves.
static void a_sentence_that_programs_know_stands_beneath(void** state) {
  (void)state;
  Part p = make_part();
  mjs_setString(p.geom->info, "arm 2");
  p.geom->size[2] = 0;
  expect_refusal(p.s, "\nError: size 2 must be positive in geom\nElement name 'g', id 0, arm 2");
  p = make_part();
  p.geom->size[0] = 0;
  expect_refusal(p.s, "\nError: size 0 must be positive in geom\nElement name 'g', id 0");
}

static void geoms_are_checked(void** state) {
  (void)state;
  Part p = make_part();
  p.geom->condim = 2;
  expect_refusal(p.s, "geom \"g\": condim is 2");
  p = make_part();
  p.geom->type = mjGEOM_PLANE;
  expect_refusal(p.s, "planes cannot move");
  p = make_part();
  p.geom->type = mjGEOM_MESH;
  expect_refusal(p.s, "needs a mesh");
  p = make_part();
  mjs_setString(p.geom->material, "missing");
  expect_refusal(p.s, "geom \"g\": material: there is no material named \"missing\"");
  p = make_part();
  p.geom->mass = -1;
  expect_refusal(p.s, "cannot be negative");
  p = make_part();
  p.geom->fromto[0] = 0;
  p.geom->fromto[1] = p.geom->fromto[2] = p.geom->fromto[3] = 0;
  p.geom->fromto[4] = p.geom->fromto[5] = 0;
  expect_refusal(p.s, "too close");
}

// The reference makes a model of it whose inertia is NaN, if the body does not move.
static void geoms_without_a_finite_inertia_are_refused(void** state) {
  (void)state;
  static const double places[] = {INFINITY, -INFINITY, NAN};
  for (int i = 0; i < 3; i++) {
    mjSpec* s = mj_makeSpec();
    mjsBody* body = add_body(world_of(s), "b", 0, 0, 0);
    add_geom(body, "near", mjGEOM_SPHERE, 0.1, 0, 0);
    add_geom(body, "far", mjGEOM_SPHERE, 0.1, 0, 0)->pos[0] = places[i];
    expect_refusal(s, "body \"b\": the inertia of its geoms is too small or not positive");
  }
}

static void joints_are_checked(void** state) {
  (void)state;
  Part p = make_part();
  set3(p.joint->axis, 0, 0, 1e-8);
  expect_refusal(p.s, "joint \"j\": axis is too short");
  p = make_part();
  p.joint->limited = mjLIMITED_TRUE;
  expect_refusal(p.s, "joint \"j\": range goes from 0 to 0");
  p = make_part();
  p.s->compiler.autolimits = 0;
  p.joint->range[1] = 1;
  expect_refusal(p.s, "autolimits");
  p = make_part();
  p.joint->type = mjJNT_BALL;
  add_joint(p.body, "k", mjJNT_HINGE, 0, 0, 1);
  expect_refusal(p.s, "joint \"k\": a body cannot turn about a joint after a ball joint");
  p = make_part();
  mjs_addFreeJoint(p.body);
  expect_refusal(p.s, "body \"b\": the joints of the body have 7 degrees of freedom");
  p = make_part();
  p.joint->springdamper[0] = 1;
  expect_refusal(p.s, "springdamper is 1 0");
  p = make_part();
  add_joint(world_of(p.s), NULL, mjJNT_HINGE, 0, 0, 1);
  expect_refusal(p.s, "the world cannot have joints");
}

static void bodies_are_checked(void** state) {
  (void)state;
  Part p = make_part();
  p.geom->density = 0;
  expect_refusal(p.s, "body \"b\": a body that moves needs mass");
  p = make_part();
  p.body->explicitinertial = 1;
  p.body->mass = 1;
  set3(p.body->ipos, 0, 0, 0);
  set3(p.body->inertia, 1, 1, 3);
  expect_refusal(p.s, "balanceinertia");
  p = make_part();
  p.body->mocap = 1;
  expect_refusal(p.s, "mocap");
  p = make_part();
  p.body->alt.type = mjORIENTATION_ZAXIS;
  set3(p.body->alt.zaxis, 0, 0, 0);
  expect_refusal(p.s, "body \"b\": zaxis");
  p = make_part();
  add_geom(p.body, "g", mjGEOM_SPHERE, 1, 0, 0);
  expect_refusal(p.s, "geom \"g\": another geom has this name");
}

static void user_numbers_must_fit(void** state) {
  (void)state;
  const double numbers[2] = {1, 2};
  Part p = make_part();
  mjs_setDouble(p.geom->userdata, numbers, 2);
  mjModel* m = compile(p.s);
  assert_int_equal(m->nuser_geom, 2);
  EXPECT_NUMS(m->geom_user, 1, 2);
  mj_deleteModel(m);
  p.s->nuser_geom = 1;
  expect_refusal(p.s, "user has 2 numbers, the size for this type (nuser) is 1");
}

static void nesting_has_a_limit(void** state) {
  (void)state;
  mjSpec* s = mj_makeSpec();
  mjsBody* body = world_of(s);
  for (int i = 0; i < 1023; i++) body = mjs_addBody(body, NULL);
  mj_deleteModel(compile(s));
  mjs_addBody(body, NULL);
  expect_refusal(s, "nested 1024 deep");
}

// After a refusal the spec is as it was, and compiles when the mistake is repaired.
static void a_refused_spec_can_be_repaired(void** state) {
  (void)state;
  Part p = make_part();
  p.geom->size[0] = -1;
  assert_null(mj_compile(p.s, NULL));
  assert_int_equal(mjs_isWarning(p.s), 0);
  p.geom->size[0] = 0.1;
  mjModel* m = compile(p.s);
  assert_int_equal(m->nv, 1);
  mj_deleteModel(m);
  mj_deleteSpec(p.s);
}

// All of them

typedef struct {
  int count;
  char text[10][200];
} Told;

static void note(void* arg, const char* message) {
  Told* told = (Told*)arg;
  if (told->count < 10) snprintf(told->text[told->count], sizeof(told->text[0]), "%s", message);
  told->count++;
}

static void checking_reports_all_mistakes(void** state) {
  (void)state;
  Part p = make_part();
  p.joint->limited = mjLIMITED_TRUE;
  mjsBody* other = add_body(world_of(p.s), "c", 1, 0, 0);
  add_geom(other, "bad", mjGEOM_SPHERE, -1, 0, 0);
  mjs_setString(mjs_addExclude(p.s)->bodyname1, "nobody");
  Told told = {0};
  add_geom(other, "worse", mjGEOM_SPHERE, -2, 0, 0);
  add_joint(other, "jc", mjJNT_HINGE, 0, 0, 0);
  assert_int_equal(ct_check_spec(p.s, NULL, note, &told), 5);
  assert_string_equal(
      told.text[0],
      "joint \"j\": range goes from 0 to 0: the first number must be the smaller one");
  assert_string_equal(told.text[1],
                      "geom \"bad\": the first size must be positive, number 1 is -1");
  assert_string_equal(told.text[2],
                      "geom \"worse\": the first size must be positive, number 1 is -2");
  assert_string_equal(told.text[3], "joint \"jc\": axis is too short: it has no direction");
  assert_string_equal(told.text[4], "exclude 0: body1: there is no body named \"nobody\"");

  // a mistake is told once, though several passes look at the element
  p.joint->limited = mjLIMITED_AUTO;
  mjs_delete(p.s, other->element);
  mjs_addNumeric(p.s);
  told.count = 0;
  assert_int_equal(ct_check_spec(p.s, NULL, note, &told), 2);
  assert_string_equal(told.text[0], "exclude 0: body1: there is no body named \"nobody\"");
  assert_string_equal(told.text[1], "numeric 0: there are no numbers: give data or a size");
  mj_deleteSpec(p.s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sizes_must_be_positive),
      cmocka_unit_test(what_a_program_says_about_an_element_is_in_the_message),
      cmocka_unit_test(a_sentence_that_programs_know_stands_beneath),
      cmocka_unit_test(geoms_are_checked),
      cmocka_unit_test(geoms_without_a_finite_inertia_are_refused),
      cmocka_unit_test(joints_are_checked),
      cmocka_unit_test(bodies_are_checked),
      cmocka_unit_test(user_numbers_must_fit),
      cmocka_unit_test(nesting_has_a_limit),
      cmocka_unit_test(a_refused_spec_can_be_repaired),
      cmocka_unit_test(checking_reports_all_mistakes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
