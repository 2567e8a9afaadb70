// R30.1: the inertial of a body that becomes a frame of the body around it is not lost.

#include "compile/build.h"

typedef struct {
  mjSpec* s;
  mjsBody *outer, *inner;
} Pair;

static void give_inertial(mjsBody* body, double mass, double x, double z) {
  const double inertia[3] = {0.3, 0.2, 0.25}, quat[4] = {0.6, 0, 0.8, 0};
  body->explicitinertial = 1;
  body->mass = mass;
  set3(body->ipos, x, 0, z);
  memcpy(body->inertia, inertia, sizeof(inertia));
  memcpy(body->iquat, quat, sizeof(quat));
}

// A body that moves, and one that is turned and welded to it, in a frame; both have geoms.
static Pair make_pair(void) {
  Pair p;
  p.s = mj_makeSpec();
  p.outer = add_body(world_of(p.s), "outer", 0, 0, 0);
  mjs_addFreeJoint(p.outer);
  add_geom(p.outer, NULL, mjGEOM_BOX, 0.1, 0.2, 0.3);
  p.inner = add_body(p.outer, "inner", 0, 1, 0);
  add_geom(p.inner, NULL, mjGEOM_BOX, 0.3, 0.2, 0.1);
  const double quat[4] = {0.6, 0, 0, 0.8};
  memcpy(p.inner->quat, quat, sizeof(quat));
  mjsFrame* frame = mjs_addFrame(p.outer, NULL);
  set3(frame->pos, 0, 0, 3);
  frame->alt.type = mjORIENTATION_EULER;
  set3(frame->alt.euler, 90, 0, 0);
  mjs_setFrame(p.inner->element, frame);
  return p;
}

// The inertia matrix of the joint, by which the body moves with all that is welded to it.
static void inertia_matrix(const mjModel* m, mjtNum matrix[36]) {
  mjData* d = mj_makeData(m);
  assert_int_equal(m->nv, 6);
  mj_forward(m, d);
  mj_fullM(m, matrix, d->qM);
  mj_deleteData(d);
}

// The matrix is the same before and after the inner body becomes a frame of the outer one, but for
// the search for principal axes, which ends at angles of about 1e-9.
static void expect_same_inertia(Pair p) {
  mjtNum before[36], after[36];
  mjModel* m = compile(p.s);
  assert_int_equal(m->nbody, 3);
  inertia_matrix(m, before);
  mj_deleteModel(m);
  mjs_bodyToFrame(&p.inner);
  m = compile(p.s);
  assert_int_equal(m->nbody, 2);
  inertia_matrix(m, after);
  mj_deleteModel(m);
  double tolerance = sizeof(mjtNum) == 8 ? 1e-8 : 1e-4;
  for (int i = 0; i < 36; i++) {
    double x = (double)after[i], expected = (double)before[i];
    if (!(fabs(x - expected) <= tolerance * (1 + fabs(expected)))) {
      fail_msg("entry %d of the inertia matrix is %.12g, expected %.12g", i, x, expected);
    }
  }
  mj_deleteSpec(p.s);
}

static void a_given_inertial_is_added_to_that_of_the_body_around(void** state) {
  (void)state;
  Pair p = make_pair();
  give_inertial(p.outer, 2, 0.5, 0);
  give_inertial(p.inner, 3, 0, 0.5);
  expect_same_inertia(p);
}

static void a_given_tensor_is_added_as_well(void** state) {
  (void)state;
  const double full[6] = {0.3, 0.25, 0.2, 0.01, 0.02, 0.03};
  Pair p = make_pair();
  give_inertial(p.outer, 2, 0.5, 0);
  give_inertial(p.inner, 3, 0, 0.5);
  memset(p.inner->inertia, 0, sizeof(p.inner->inertia));
  memset(p.inner->iquat, 0, sizeof(p.inner->iquat));
  p.inner->iquat[0] = 1;
  memcpy(p.inner->fullinertia, full, sizeof(full));
  expect_same_inertia(p);
}

// Its geoms do not count any more, nor do those that come along: in the reference it has the given
// inertial too, in a form that does not compile.
static void a_body_without_inertial_takes_over_the_given_one(void** state) {
  (void)state;
  Pair p = make_pair();
  give_inertial(p.inner, 3, 0, 0.5);
  mj_deleteModel(compile(p.s));
  mjs_bodyToFrame(&p.inner);
  mjModel* m = compile(p.s);
  EXPECT_NUMS(m->body_mass + 1, 3);
  EXPECT_NUMS(m->body_ipos + 3, 0, -0.5, 4);
  EXPECT_NUMS(m->body_inertia + 3, 0.3, 0.25, 0.2);
  mj_deleteModel(m);
  mj_deleteSpec(p.s);
}

// The body around has one geom of 48 kg, the other one none. The numbers are the reference's, whose
// result compiles only after its diagonal inertia has been cleared.
static void a_body_with_geoms_only_takes_over_the_inertial_of_one_without(void** state) {
  (void)state;
  for (int given = 0; given < 2; given++) {
    mjSpec* s = mj_makeSpec();
    mjsBody* outer = add_body(world_of(s), "outer", 0, 0, 0);
    mjs_addFreeJoint(outer);
    add_geom(outer, NULL, mjGEOM_BOX, 0.1, 0.2, 0.3);
    mjsBody* inner = add_body(outer, "inner", 0, 1, 0);
    if (given) {
      give_inertial(inner, 3, 0, 0.5);
      memset(inner->iquat, 0, sizeof(inner->iquat));
      inner->iquat[0] = 1;
    }
    mj_deleteModel(compile(s));
    mjs_bodyToFrame(&inner);
    mjModel* m = compile(s);
    assert_int_equal(m->nbody, 2);
    if (given) {
      EXPECT_NUMS(m->body_mass + 1, 3);
      EXPECT_NUMS(m->body_ipos + 3, 0, 1, 0.5);
      EXPECT_NUMS(m->body_inertia + 3, 0.3, 0.25, 0.2);
    } else {
      EXPECT_NUMS(m->body_mass + 1, 48);
      EXPECT_NUMS(m->body_ipos + 3, 0, 0, 0);
      EXPECT_NUMS(m->body_inertia + 3, 2.08, 1.6, 0.8);
    }
    mj_deleteModel(m);
    mj_deleteSpec(s);
  }
}

static void without_a_given_inertial_the_geoms_count(void** state) {
  (void)state;
  expect_same_inertia(make_pair());
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_given_inertial_is_added_to_that_of_the_body_around),
      cmocka_unit_test(a_given_tensor_is_added_as_well),
      cmocka_unit_test(a_body_without_inertial_takes_over_the_given_one),
      cmocka_unit_test(a_body_with_geoms_only_takes_over_the_inertial_of_one_without),
      cmocka_unit_test(without_a_given_inertial_the_geoms_count),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
