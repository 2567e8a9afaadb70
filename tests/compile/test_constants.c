// R5: constants at the initial pose, spring-dampers, statistics and plugin configuration of
// compiled models. Numbers without a source are the reference's.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "build.h"

static void set_servo(mjSpec* s, const char* tendon) {
  double ratio = 0.7;
  mjsActuator* servo = mjs_addActuator(s, NULL);
  servo->trntype = mjTRN_TENDON;
  mjs_setString(servo->target, tendon);
  servo->gear[0] = 3;
  mjs_setToPosition(servo, 10, NULL, &ratio, NULL, 0);
}

static void damping_ratios_become_damping(void** state) {
  (void)state;
  mjSpec* s = mj_makeSpec();
  mjsBody* b = add_body(world_of(s), "b", 0, 0, 0);
  add_joint(b, "j", mjJNT_HINGE, 0, 0, 1)->armature = 0.1;
  set3(add_geom(b, NULL, mjGEOM_SPHERE, 0.1, 0, 0)->pos, 0.3, 0, 0);
  mjsBody* child = add_body(b, "c", 0, 0, 0.5);
  add_joint(child, "k", mjJNT_HINGE, 0, 1, 0);
  add_geom(child, NULL, mjGEOM_SPHERE, 0.1, 0, 0);
  mjsTendon* tendon = mjs_addTendon(s, NULL);
  mjs_setName(tendon->element, "t");
  mjs_wrapJoint(tendon, "j", 2);
  mjs_wrapJoint(tendon, "k", -0.5);
  set_servo(s, "t");
  mjModel* m = compile(s);
  EXPECT_NUMS(m->dof_M0, 0.5105014400690663, 0.01675516081914553);
  EXPECT_NUMS(m->actuator_biasprm + 2, -0.6510727612998441);
  EXPECT_NUMS(m->actuator_acc0, 90.29285949268012);
  EXPECT_NUMS(m->tendon_invweight0, 22.756209247744422);

  // once more, nothing changes: the number is negative now
  mjData* d = mj_makeData(m);
  mj_setConst(m, d);
  EXPECT_NUMS(m->actuator_biasprm + 2, -0.6510727612998441);
  mj_deleteData(d);
  mj_deleteModel(m);
  mj_deleteSpec(s);
}

static void weights_and_statistics_are_the_references(void** state) {
  (void)state;
  mjSpec* s = mj_makeSpec();
  mjsBody* world = world_of(s);
  add_geom(world, "floor", mjGEOM_PLANE, 1, 1, 0.1);
  mjsBody* base = add_body(world, "base", 0, 0, 1);
  mjs_addFreeJoint(base);
  add_geom(base, "torso", mjGEOM_BOX, 0.1, 0.2, 0.3);
  mjsBody* arm = add_body(base, "arm", 0.1, 0, 0);
  add_joint(arm, "h", mjJNT_HINGE, 0, 1, 0);
  mjsGeom* capsule = add_geom(arm, "a", mjGEOM_CAPSULE, 0.05, 0, 0);
  const double ends[6] = {0, 0, 0, 0.4, 0, 0};
  memcpy(capsule->fromto, ends, sizeof(ends));
  set3(add_geom(arm, "tip", mjGEOM_SPHERE, 0.06, 0, 0)->pos, 0.4, 0, 0);
  mjsBody* ball = add_body(world, "ball", 1, 0, 0.5);
  mjs_addFreeJoint(ball);
  add_geom(ball, "s", mjGEOM_SPHERE, 0.1, 0, 0);
  mjsBody* slider = add_body(world, "slider", 2, 0, 0.5);
  add_joint(slider, NULL, mjJNT_SLIDE, 1, 0, 0)->armature = 1;
  add_geom(slider, NULL, mjGEOM_CYLINDER, 0.1, 0.2, 0);
  mjModel* m = compile(s);
  EXPECT_NUMS(m->body_invweight0, 0, 0, 0.01966043224790, 0.6079712982060, 0.08942491657224,
              1.402141921783);
  EXPECT_NUMS(m->body_invweight0 + 8, 0.07957747154595, 0);
  EXPECT_NUMS(m->dof_M0 + 6, 0.3619210660231);
  EXPECT_NUMS(m->dof_M0 + 13, 13.56637061436);
  EXPECT_NUMS(m->dof_invweight0 + 6, 3.988731622695);
  EXPECT_NUMS(m->dof_invweight0 + 13, 0.07957747154595);
  EXPECT_NUMS(&m->stat.meaninertia, 13.57098664474927);
  EXPECT_NUMS(&m->stat.meanmass, 17.331282733141883);
  EXPECT_NUMS(&m->stat.meansize, 0.24684230917558758);
  EXPECT_NUMS(&m->stat.extent, 2.597772536427373);
  EXPECT_NUMS(m->stat.center, 0.924720529536, 0, 0.637082869339);
  mj_deleteModel(m);

  s->stat.extent = 7;
  m = compile(s);
  EXPECT_NUMS(&m->stat.extent, 7);
  EXPECT_NUMS(&m->stat.meansize, 0.24684230917558758);
  mj_deleteModel(m);
  mj_deleteSpec(s);
}

static void spring_dampers_follow_from_inertia(void** state) {
  (void)state;
  mjSpec* s = mj_makeSpec();
  mjsBody* body = add_body(world_of(s), "b", 0, 0, 0);
  mjsJoint* joint = mjs_addFreeJoint(body);
  joint->springdamper[0] = 0.1;
  joint->springdamper[1] = 1;
  add_geom(body, NULL, mjGEOM_BOX, 0.1, 0.2, 0.3);
  mjModel* m = compile(s);
  EXPECT_NUMS(m->jnt_stiffness, 248.111332008);
  for (int i = 0; i < 6; i++) EXPECT_NUMS(m->dof_damping + i, 49.6222664016);
  mj_deleteModel(m);
  mj_deleteSpec(s);
}

// A slide one level deeper than a simple body may be.
static void rotation_falls_back_to_translation(void** state) {
  (void)state;
  mjSpec* s = mj_makeSpec();
  mjsBody* outer = add_body(add_body(world_of(s), "a", 0, 0, 0), "b", 0, 0, 0);
  mjsBody* body = add_body(outer, "c", 0, 0, 0);
  add_joint(body, NULL, mjJNT_SLIDE, 1, 0, 0);
  add_geom(body, NULL, mjGEOM_SPHERE, 0.1, 0, 0);
  mjModel* m = compile(s);
  EXPECT_NUMS(m->body_invweight0 + 6, 0.0795774715459, 0.0795774715459);
  mj_deleteModel(m);
  mj_deleteSpec(s);
}

static void trees_that_are_driven_or_coupled_stay_awake(void** state) {
  (void)state;
  mjSpec* s = mj_makeSpec();
  const char* name[4] = {"a", "b", "c", "d"};
  for (int i = 0; i < 4; i++) {
    mjsBody* body = add_body(world_of(s), name[i], i, 0, 0);
    add_joint(body, name[i], mjJNT_HINGE, 0, 0, 1);
    set3(add_geom(body, NULL, mjGEOM_SPHERE, 0.1, 0, 0)->pos, 0.2, 0, 0);
    add_site(body, name[i]);
  }
  mjsTendon* spring = mjs_addTendon(s, NULL);
  mjs_wrapSite(spring, "b");
  mjs_wrapSite(spring, "c");
  spring->stiffness = 1;
  mjsActuator* motor = mjs_addActuator(s, NULL);
  motor->trntype = mjTRN_JOINT;
  mjs_setString(motor->target, "a");
  mjModel* m = compile(s);
  EXPECT_INTS(m->tree_sleep_policy, mjSLEEP_AUTO_NEVER, mjSLEEP_AUTO_NEVER, mjSLEEP_AUTO_NEVER,
              mjSLEEP_AUTO_ALLOWED);
  mj_deleteModel(m);
  mjs_findBody(s, "b")->sleep = mjSLEEP_ALLOWED;
  expect_refusal(s, "cannot be allowed to sleep");
}

// Length ranges

static mjSpec* make_muscle(void) {
  mjSpec* s = mj_makeSpec();
  mjsBody* body = add_body(world_of(s), "b", 0, 0, 0);
  add_joint(body, "j", mjJNT_SLIDE, 1, 0, 0);
  add_geom(body, NULL, mjGEOM_SPHERE, 0.1, 0, 0);
  mjsActuator* muscle = mjs_addActuator(s, NULL);
  mjs_setName(muscle->element, "muscle");
  muscle->trntype = mjTRN_JOINT;
  mjs_setString(muscle->target, "j");
  double timeconst[2] = {-1, -1}, range[2] = {-1, -1};
  mjs_setToMuscle(muscle, timeconst, 0, range, -1, -1, -1, -1, -1, -1, -1);
  return s;
}

static void a_length_range_that_does_not_end_is_refused(void** state) {
  (void)state;
  expect_refusal(make_muscle(), "did not converge");
}

static void length_ranges_come_from_limits_on_request(void** state) {
  (void)state;
  mjSpec* s = make_muscle();
  mjsJoint* joint = mjs_asJoint(mjs_findElement(s, mjOBJ_JOINT, "j"));
  joint->range[0] = -1;
  joint->range[1] = 0.5;
  s->compiler.LRopt.uselimit = 1;
  mjModel* m = compile(s);
  EXPECT_NUMS(m->actuator_lengthrange, -1, 0.5);
  mj_deleteModel(m);
  mj_deleteSpec(s);
}

static void given_length_ranges_are_kept(void** state) {
  (void)state;
  mjSpec* s = make_muscle();
  mjsActuator* muscle = mjs_asActuator(mjs_findElement(s, mjOBJ_ACTUATOR, "muscle"));
  muscle->lengthrange[1] = 2;
  mjModel* m = compile(s);
  EXPECT_NUMS(m->actuator_lengthrange, 0, 2);
  mj_deleteModel(m);
  mj_deleteSpec(s);
}

// Trees of 1 to 5 dofs, some of them coupled by a tendon; each dof and each tendon has a motor.
static mjModel* make_many_trees(void) {
  static const int links[] = {1, 3, 2, 5, 1, 4, 1, 2};
  mjSpec* s = mj_makeSpec();
  char name[32], tendon[32];
  for (int t = 0; t < 8; t++) {
    mjsBody* b = world_of(s);
    for (int k = 0; k < links[t]; k++) {
      b = add_body(b, NULL, 0.1 * t, 0.2, 0.3);
      snprintf(name, sizeof(name), "j%d_%d", t, k);
      add_joint(b, name, mjJNT_HINGE, k % 2, 1, 0.5)->armature = 0.01 * t;
      set3(add_geom(b, NULL, mjGEOM_SPHERE, 0.1, 0, 0)->pos, 0.3, 0.1 * k, 0);
      mjsActuator* motor = mjs_addActuator(s, NULL);
      motor->trntype = mjTRN_JOINT;
      mjs_setString(motor->target, name);
    }
    if (t % 3 != 2) continue;
    snprintf(tendon, sizeof(tendon), "t%d", t);
    mjsTendon* fixed = mjs_addTendon(s, NULL);
    mjs_setName(fixed->element, tendon);
    mjs_wrapJoint(fixed, name, 2);
    mjs_wrapJoint(fixed, "j1_1", -0.5);
    set_servo(s, tendon);
  }
  mjModel* m = compile(s);
  mj_deleteSpec(s);
  return m;
}

// What is computed inside of the trees that a row touches is what all dofs give, to the bit if the
// arithmetic is strict.
static void many_trees_are_as_good_as_one_matrix(void** state) {
  (void)state;
  mjModel* m = make_many_trees();
  mjData* d = mj_makeData(m);
#ifdef CT_FAST
  double tolerance = sizeof(mjtNum) == sizeof(float) ? 1e-5 : 1e-13;
#else
  double tolerance = 0;
#endif
  mj_forward(m, d);
  mjtNum* row = (mjtNum*)calloc((size_t)m->nv, sizeof(mjtNum));
  for (int i = 0; i < m->nu; i++) {
    for (int k = 0; k < m->nv; k++) row[k] = 0;
    for (int k = 0; k < d->moment_rownnz[i]; k++) {
      int at = d->moment_rowadr[i] + k;
      row[d->moment_colind[at]] = d->actuator_moment[at];
    }
    mj_solveM(m, d, row, row, 1);
    mjtNum expected = mju_norm(row, (int)m->nv);
    if (!(fabs((double)(m->actuator_acc0[i] - expected)) <= tolerance * (double)expected)) {
      fail_msg("acc0 of actuator %d is %.17g, not %.17g", i, (double)m->actuator_acc0[i],
               (double)expected);
    }
  }
  free(row);
  mj_deleteData(d);
  mj_deleteModel(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(damping_ratios_become_damping),
      cmocka_unit_test(weights_and_statistics_are_the_references),
      cmocka_unit_test(spring_dampers_follow_from_inertia),
      cmocka_unit_test(rotation_falls_back_to_translation),
      cmocka_unit_test(trees_that_are_driven_or_coupled_stay_awake),
      cmocka_unit_test(a_length_range_that_does_not_end_is_refused),
      cmocka_unit_test(length_ranges_come_from_limits_on_request),
      cmocka_unit_test(given_length_ranges_are_kept),
      cmocka_unit_test(many_trees_are_as_good_as_one_matrix),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
