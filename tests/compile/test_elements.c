// R5: elements outside the tree as they come into a model: cameras, lights, pairs, equalities,
// tendons, actuators, sensors, custom data.

#include "build.h"

static mjsActuator* add_motor(mjSpec* s, const char* name, const char* joint) {
  mjsActuator* actuator = mjs_addActuator(s, NULL);
  if (name) mjs_setName(actuator->element, name);
  actuator->trntype = mjTRN_JOINT;
  mjs_setString(actuator->target, joint);
  return actuator;
}

static mjsSensor* add_sensor(mjSpec* s, mjtSensor type, mjtObj objtype, const char* object) {
  mjsSensor* sensor = mjs_addSensor(s);
  sensor->type = type;
  sensor->objtype = objtype;
  mjs_setString(sensor->objname, object);
  return sensor;
}

// Two hinged bodies, a sliding one, a ball; sites on two of them.
static mjSpec* make_parts(void) {
  mjSpec* s = mj_makeSpec();
  mjsBody* b1 = add_body(world_of(s), "b1", 0, 0, 0);
  mjsJoint* hinge = add_joint(b1, "hinge", mjJNT_HINGE, 0, 0, 1);
  hinge->range[0] = -90;
  hinge->range[1] = 30;
  add_geom(b1, "g1", mjGEOM_SPHERE, 0.1, 0, 0);
  add_geom(b1, "g1b", mjGEOM_SPHERE, 0.1, 0, 0);
  add_site(b1, "s1");
  mjsBody* b2 = add_body(world_of(s), "b2", 1, 0, 0);
  set_euler(&b2->alt, 0, 0, 30);
  add_joint(b2, "slide", mjJNT_SLIDE, 1, 0, 0);
  add_geom(b2, "g2", mjGEOM_CYLINDER, 0.1, 0.1, 0);
  add_site(b2, "s2");
  mjsBody* b3 = add_body(b2, "b3", 1, 0, 0);
  add_joint(b3, "ball", mjJNT_BALL, 0, 0, 1);
  add_geom(b3, "g3", mjGEOM_BOX, 0.1, 0.1, 0.1);
  return s;
}

// Cameras and lights

static void focal_lengths_are_lengths_on_the_sensor(void** state) {
  (void)state;
  mjSpec* s = make_parts();
  mjsCamera* camera = mjs_addCamera(mjs_findBody(s, "b1"), NULL);
  camera->sensor_size[0] = 1;
  camera->sensor_size[1] = 2;
  camera->resolution[0] = 100;
  camera->resolution[1] = 50;
  camera->focal_pixel[0] = 30;
  camera->focal_pixel[1] = 40;
  camera->focal_length[0] = 3;
  camera->focal_length[1] = 4;
  camera->principal_pixel[0] = 1;
  camera->principal_pixel[1] = 2;
  mjModel* m = compile(s);
  EXPECT_NUMS(m->cam_intrinsic, 0.30000001192092896, 1.600000023841858, 0.009999999776482582,
              0.07999999821186066);
  EXPECT_NUMS(m->cam_fovy, 64.01076388236447);
  EXPECT_INTS(m->cam_resolution, 100, 50);
  EXPECT_INTS(m->cam_targetbodyid, -1);
  mj_deleteModel(m);
  mj_deleteSpec(s);
}

static void cameras_and_lights_are_checked(void** state) {
  (void)state;
  mjSpec* s = make_parts();
  mjs_addCamera(mjs_findBody(s, "b1"), NULL)->fovy = 180;
  expect_refusal(s, "camera 0: fovy is 180");
  s = make_parts();
  mjs_addCamera(mjs_findBody(s, "b1"), NULL)->focal_length[0] = 1;
  expect_refusal(s, "need a positive sensorsize");
  s = make_parts();
  mjs_setString(mjs_addCamera(mjs_findBody(s, "b1"), NULL)->targetbody, "nobody");
  expect_refusal(s, "target: there is no body named \"nobody\"");
  s = make_parts();
  set3(mjs_addLight(mjs_findBody(s, "b1"), NULL)->dir, 0, 0, 1e-8);
  expect_refusal(s, "light 0: dir is too short");
}

// Pairs and excludes

static void add_pair(mjSpec* s, const char* name, const char* geom1, const char* geom2) {
  mjsPair* pair = mjs_addPair(s, NULL);
  mjs_setName(pair->element, name);
  mjs_setString(pair->geomname1, geom1);
  mjs_setString(pair->geomname2, geom2);
}

static void pairs_are_sorted_by_their_bodies(void** state) {
  (void)state;
  mjSpec* s = make_parts();
  add_pair(s, "p0", "g3", "g1");
  add_pair(s, "p1", "g2", "g1");
  add_pair(s, "p2", "g2", "g2");
  add_pair(s, "p3", "g1b", "g1");
  add_pair(s, "p4", "g1", "g2");
  mjModel* m = compile(s);
  const char* order[] = {"p3", "p1", "p4", "p0", "p2"};
  for (int i = 0; i < 5; i++) {
    assert_string_equal(mj_id2name(m, mjOBJ_PAIR, i), order[i]);
    assert_int_equal(mjs_getId(mjs_findElement(s, mjOBJ_PAIR, order[i])), i);
  }
  EXPECT_INTS(m->pair_geom1, 1, 0, 0, 0, 2);
  EXPECT_INTS(m->pair_geom2, 0, 2, 2, 3, 2);
  EXPECT_INTS(m->pair_signature, 65537, 65538, 65538, 65539, 131074);
  mj_deleteModel(m);
  mj_deleteSpec(s);
}

static void undefined_numbers_of_a_pair_come_from_its_geoms(void** state) {
  (void)state;
  mjSpec* s = make_parts();
  mjsGeom* g1 = mjs_asGeom(mjs_findElement(s, mjOBJ_GEOM, "g1"));
  mjsGeom* g2 = mjs_asGeom(mjs_findElement(s, mjOBJ_GEOM, "g2"));
  set3(g2->friction, 0.9, 0.1, 0.2);
  g2->solref[0] = 0.05;
  g2->solref[1] = 0.5;
  set3(g1->friction, 0.3, 0.4, 0.5);
  g1->solref[0] = 0.03;
  g1->solref[1] = 2;
  const double solimp[5] = {0.8, 0.9, 0.01, 0.4, 3};
  for (int i = 0; i < 5; i++) g1->solimp[i] = (mjtNum)solimp[i];
  g1->solmix = 2;
  add_pair(s, "p", "g2", "g1");
  mjsPair* pair = mjs_asPair(mjs_findElement(s, mjOBJ_PAIR, "p"));
  pair->friction[0] = pair->margin = pair->gap = NAN;
  pair->solref[0] = pair->solimp[0] = (mjtNum)NAN;
  mjModel* m = compile(s);
  EXPECT_NUMS(m->pair_friction, 0.9, 0.9, 0.4, 0.5, 0.5);
  EXPECT_NUMS(m->pair_solref, 0.03, 0.5);
  EXPECT_NUMS(m->pair_solimp, 0.8333333333333334, 0.9166666666666667, 0.007, 0.43333333333333335,
              2.666666666666667);
  EXPECT_NUMS(m->pair_margin, 0);
  mj_deleteModel(m);
  mj_deleteSpec(s);
}

// Equalities

static mjsEquality* add_equality(mjSpec* s, mjtEq type, mjtObj objtype, const char* one,
                                 const char* other) {
  mjsEquality* eq = mjs_addEquality(s, NULL);
  eq->type = type;
  eq->objtype = objtype;
  mjs_setString(eq->name1, one);
  mjs_setString(eq->name2, other);
  return eq;
}

static void anchors_and_poses_are_completed(void** state) {
  (void)state;
  mjSpec* s = make_parts();
  set3(add_equality(s, mjEQ_CONNECT, mjOBJ_BODY, "b1", "b2")->data, 0.5, 0.6, 0.7);
  mjsEquality* weld = add_equality(s, mjEQ_WELD, mjOBJ_BODY, "b1", "b2");
  set3(weld->data, 0, 0, 0);
  add_equality(s, mjEQ_CONNECT, mjOBJ_SITE, "s1", "s2");
  add_equality(s, mjEQ_JOINT, mjOBJ_UNKNOWN, "hinge", "");
  mjModel* m = compile(s);
  EXPECT_NUMS(m->eq_data + 3, -0.13301270189221942, 0.7696152422706632, 0.7);
  EXPECT_NUMS(m->eq_data + mjNEQDATA + 3, 1, 0, 0, 0.9659258262890683, 0, 0, 0.25881904510252074);
  EXPECT_NUMS(m->eq_data + 2 * mjNEQDATA, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
  EXPECT_INTS(m->eq_objtype, mjOBJ_BODY, mjOBJ_BODY, mjOBJ_SITE, 0);
  EXPECT_INTS(m->eq_obj2id, 2, 2, 1, -1);
  assert_int_equal(m->nemax, 3 + 7 + 3 + 1);
  mj_deleteModel(m);
  mj_deleteSpec(s);
}

static void equalities_are_checked(void** state) {
  (void)state;
  mjSpec* s = make_parts();
  add_equality(s, mjEQ_WELD, mjOBJ_BODY, "world", "");
  expect_refusal(s, "equality 0: both objects are \"world\"");
  s = make_parts();
  add_equality(s, mjEQ_JOINT, mjOBJ_UNKNOWN, "hinge", "ball");
  expect_refusal(s, "joint \"ball\" is neither hinge nor slide");
  s = make_parts();
  add_equality(s, mjEQ_CONNECT, mjOBJ_SITE, "s1", "");
  expect_refusal(s, "the second site is missing");
  s = make_parts();
  add_equality(s, mjEQ_CONNECT, mjOBJ_GEOM, "g1", "g2");
  expect_refusal(s, "between two bodies or two sites");
}

// Tendons

static void paths_of_tendons_are_copied(void** state) {
  (void)state;
  mjSpec* s = make_parts();
  mjsTendon* spatial = mjs_addTendon(s, NULL);
  mjs_wrapSite(spatial, "s1");
  mjs_wrapGeom(spatial, "g2", "s2");
  mjs_wrapSite(spatial, "s2");
  mjs_wrapPulley(spatial, 2);
  mjs_wrapSite(spatial, "s1");
  mjs_wrapSite(spatial, "s2");
  mjsTendon* fixed = mjs_addTendon(s, NULL);
  mjs_wrapJoint(fixed, "hinge", 3);
  mjModel* m = compile(s);
  EXPECT_INTS(m->tendon_adr, 0, 6);
  EXPECT_INTS(m->tendon_num, 6, 1);
  EXPECT_INTS(m->wrap_type, mjWRAP_SITE, mjWRAP_CYLINDER, mjWRAP_SITE, mjWRAP_PULLEY, mjWRAP_SITE,
              mjWRAP_SITE, mjWRAP_JOINT);
  EXPECT_INTS(m->wrap_objid, 0, 2, 1, -1, 0, 1, 0);
  EXPECT_NUMS(m->wrap_prm, 0, 1, 0, 2, 0, 0, 3);
  EXPECT_INTS(m->tendon_treenum, 2, 1);
  EXPECT_INTS(m->tendon_treeid, 0, 1, 0, -1);
  mj_deleteModel(m);
  mj_deleteSpec(s);
}

// What the geom is, is known after compiling, and again after it has changed.
static void parts_of_a_path_know_their_shape_after_compiling(void** state) {
  (void)state;
  mjSpec* s = make_parts();
  mjsTendon* tendon = mjs_addTendon(s, NULL);
  mjs_wrapSite(tendon, "s1");
  mjsWrap* wrap = mjs_wrapGeom(tendon, "g2", "");
  mjs_wrapSite(tendon, "s2");
  assert_int_equal(wrap->type, mjWRAP_SPHERE);
  mj_deleteModel(compile(s));
  assert_int_equal(wrap->type, mjWRAP_CYLINDER);
  mjs_asGeom(mjs_findElement(s, mjOBJ_GEOM, "g2"))->type = mjGEOM_SPHERE;
  mj_deleteModel(compile(s));
  assert_int_equal(wrap->type, mjWRAP_SPHERE);
  mj_deleteSpec(s);
}

static void impossible_paths_are_refused(void** state) {
  (void)state;
  mjSpec* s = make_parts();
  mjs_addTendon(s, NULL);
  expect_refusal(s, "tendon 0: the path is empty");
  s = make_parts();
  mjs_wrapSite(mjs_addTendon(s, NULL), "s1");
  expect_refusal(s, "it needs at least two");
  s = make_parts();
  mjsTendon* tendon = mjs_addTendon(s, NULL);
  mjs_wrapSite(tendon, "s1");
  mjs_wrapSite(tendon, "s1");
  expect_refusal(s, "site \"s1\" is twice in a row");
  s = make_parts();
  tendon = mjs_addTendon(s, NULL);
  mjs_wrapJoint(tendon, "hinge", 1);
  mjs_wrapSite(tendon, "s1");
  expect_refusal(s, "all parts must be joints");
  s = make_parts();
  tendon = mjs_addTendon(s, NULL);
  mjs_wrapSite(tendon, "s1");
  mjs_wrapGeom(tendon, "g3", "");
  mjs_wrapSite(tendon, "s2");
  expect_refusal(s, "geom \"g3\" is neither sphere nor cylinder");
  s = make_parts();
  tendon = mjs_addTendon(s, NULL);
  mjs_wrapSite(tendon, "s1");
  mjs_wrapSite(tendon, "s2");
  mjs_wrapPulley(tendon, 1);
  expect_refusal(s, "the path ends with a pulley");
}

// Actuators

static void servos_inherit_the_range_of_their_target(void** state) {
  (void)state;
  mjSpec* s = make_parts();
  mjsActuator* servo = add_motor(s, NULL, "hinge");
  mjs_setToPosition(servo, 5, NULL, NULL, NULL, 0.5);
  mjModel* m = compile(s);
  double middle = -30 * mjPI / 180, radius = 30 * mjPI / 180;
  EXPECT_NUMS(m->actuator_ctrlrange, middle - radius, middle + radius);
  EXPECT_INTS(m->actuator_ctrllimited, 1);
  EXPECT_INTS(m->actuator_trnid, 0, -1);
  mj_deleteModel(m);
  servo->dyntype = mjDYN_FILTER;
  expect_refusal(s, "inheritrange is for servos");
}

static void activations_and_moments_are_counted(void** state) {
  (void)state;
  mjSpec* s = make_parts();
  add_motor(s, NULL, "hinge");
  add_motor(s, NULL, "ball")->dyntype = mjDYN_FILTER;
  mjsActuator* user = add_motor(s, NULL, "slide");
  user->dyntype = mjDYN_USER;
  user->actdim = 3;
  mjsActuator* site = mjs_addActuator(s, NULL);
  site->trntype = mjTRN_SITE;
  mjs_setString(site->target, "s1");
  mjModel* m = compile(s);
  assert_int_equal(m->na, 4);
  assert_int_equal(m->nJmom, 1 + 3 + 1 + m->nv);
  EXPECT_INTS(m->actuator_actadr, -1, 0, 1, -1);
  EXPECT_INTS(m->actuator_actnum, 0, 1, 3, 0);
  mj_deleteModel(m);
  mj_deleteSpec(s);
}

static void actuators_are_checked(void** state) {
  (void)state;
  mjSpec* s = make_parts();
  mjs_addActuator(s, NULL);
  expect_refusal(s, "actuator 0: the transmission is missing");
  s = make_parts();
  add_motor(s, "m", "nobody");
  expect_refusal(s, "actuator \"m\": target of the transmission: there is no joint named");
  s = make_parts();
  add_motor(s, "m", "hinge")->actdim = 1;
  expect_refusal(s, "actdim is 1, but dyntype is none");
  s = make_parts();
  add_motor(s, "m", "hinge")->delay = 1;
  expect_refusal(s, "delay needs a positive nsample");
  s = make_parts();
  add_motor(s, "m", "hinge")->ctrllimited = mjLIMITED_TRUE;
  expect_refusal(s, "ctrlrange goes from 0 to 0");
  s = make_parts();
  mjsActuator* crank = add_motor(s, "m", "s1");
  crank->trntype = mjTRN_SLIDERCRANK;
  crank->cranklength = 1;
  expect_refusal(s, "needs a slidersite");
}

// Sensors

static void histories_follow_each_other(void** state) {
  (void)state;
  mjSpec* s = make_parts();
  s->option.timestep = (mjtNum)0.003;
  add_motor(s, NULL, "hinge")->nsample = 4;
  add_sensor(s, mjSENS_JOINTPOS, mjOBJ_JOINT, "hinge")->nsample = 3;
  mjsSensor* accelerometer = add_sensor(s, mjSENS_ACCELEROMETER, mjOBJ_SITE, "s1");
  accelerometer->nsample = 2;
  accelerometer->interval[0] = 0.01;
  mjsSensor* jointvel = add_sensor(s, mjSENS_JOINTVEL, mjOBJ_JOINT, "slide");
  jointvel->nsample = 3;
  jointvel->interval[0] = 0.01;
  jointvel->interval[1] = -0.004;
  mjModel* m = compile(s);
  EXPECT_INTS(m->actuator_historyadr, 0);
  EXPECT_INTS(m->sensor_historyadr, 10, 18, 28);
  assert_int_equal(m->nhistory, 36);
  EXPECT_INTS(m->sensor_adr, 0, 1, 4);
  assert_int_equal(m->nsensordata, 5);
  mjData* d = mj_makeData(m);
  EXPECT_NUMS(d->history + 18, -0.01, 1, -0.018, -0.009);
  EXPECT_NUMS(d->history + 28, -0.004, 2, -0.024, -0.012, -0.003);
  mj_deleteData(d);
  mj_deleteModel(m);
  mj_deleteSpec(s);
}

static void sensors_read_as_many_numbers_as_their_data_has(void** state) {
  (void)state;
  mjSpec* s = make_parts();
  mjsCamera* camera = mjs_addCamera(mjs_findBody(s, "b1"), NULL);
  mjs_setName(camera->element, "camera");
  camera->resolution[0] = 3;
  camera->resolution[1] = 2;
  add_sensor(s, mjSENS_RANGEFINDER, mjOBJ_CAMERA, "camera")->intprm[0] = 1 | 1 << 1;
  mjsSensor* contact = add_sensor(s, mjSENS_CONTACT, mjOBJ_UNKNOWN, "");
  contact->intprm[0] = 1 | 1 << 3 | 1 << 4;
  contact->intprm[2] = 2;
  add_sensor(s, mjSENS_BALLQUAT, mjOBJ_JOINT, "ball");
  mjModel* m = compile(s);
  EXPECT_INTS(m->sensor_dim, 24, 10, 4);
  EXPECT_INTS(m->sensor_adr, 0, 24, 34);
  EXPECT_INTS(m->sensor_needstage, mjSTAGE_POS, mjSTAGE_ACC, mjSTAGE_POS);
  EXPECT_INTS(m->sensor_datatype, mjDATATYPE_REAL, mjDATATYPE_REAL, mjDATATYPE_QUATERNION);
  mj_deleteModel(m);
  mj_deleteSpec(s);
}

static void sensors_are_checked(void** state) {
  (void)state;
  mjSpec* s = make_parts();
  add_sensor(s, mjSENS_TOUCH, mjOBJ_GEOM, "g1");
  expect_refusal(s, "sensor 0: a sensor of this type cannot measure a geom");
  s = make_parts();
  add_sensor(s, mjSENS_TOUCH, mjOBJ_UNKNOWN, "");
  expect_refusal(s, "the object to measure is missing");
  s = make_parts();
  add_sensor(s, mjSENS_JOINTPOS, mjOBJ_JOINT, "ball");
  expect_refusal(s, "the joint must be a hinge or slide");
  s = make_parts();
  add_sensor(s, mjSENS_JOINTLIMITPOS, mjOBJ_JOINT, "slide");
  expect_refusal(s, "the joint has no limits");
  s = make_parts();
  add_sensor(s, mjSENS_FRAMEQUAT, mjOBJ_BODY, "b1")->cutoff = 1;
  expect_refusal(s, "cutoff cannot be applied");
  s = make_parts();
  add_sensor(s, mjSENS_JOINTPOS, mjOBJ_JOINT, "hinge")->interval[1] = 1;
  expect_refusal(s, "the phase of interval is 1");
  s = make_parts();
  add_sensor(s, mjSENS_RANGEFINDER, mjOBJ_SITE, "s1")->intprm[0] = 1 << 6;
  expect_refusal(s, "the data to read is 64");
}

// The reference crashes on this one.
static void a_projection_needs_its_camera(void** state) {
  (void)state;
  mjSpec* s = make_parts();
  add_sensor(s, mjSENS_CAMPROJECTION, mjOBJ_SITE, "s1");
  expect_refusal(s, "the second object is missing");
}

// Custom data

static void custom_data_is_laid_out_in_order(void** state) {
  (void)state;
  mjSpec* s = make_parts();
  const double numbers[2] = {3, 4};
  mjsNumeric* numeric = mjs_addNumeric(s);
  mjs_setName(numeric->element, "n");
  numeric->size = 3;
  mjs_setDouble(numeric->data, numbers, 2);
  mjsText* text = mjs_addText(s);
  mjs_setName(text->element, "t");
  mjs_setString(text->data, "hello");
  mjsTuple* tuple = mjs_addTuple(s);
  mjs_setName(tuple->element, "tu");
  const int types[2] = {mjOBJ_GEOM, mjOBJ_TUPLE};
  mjs_setInt(tuple->objtype, types, 2);
  mjs_setStringVec(tuple->objname, "g3 tu");
  mjs_setDouble(tuple->objprm, numbers, 2);
  mjModel* m = compile(s);
  EXPECT_INTS(m->numeric_size, 3);
  EXPECT_NUMS(m->numeric_data, 3, 4, 0);
  EXPECT_INTS(m->text_size, 6);
  assert_string_equal(m->text_data, "hello");
  EXPECT_INTS(m->tuple_objid, 3, 0);
  EXPECT_NUMS(m->tuple_objprm, 3, 4);
  mj_deleteModel(m);

  numeric->size = 1;
  expect_refusal(s, "numeric \"n\": size is 1, but data has 2 numbers");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(focal_lengths_are_lengths_on_the_sensor),
      cmocka_unit_test(cameras_and_lights_are_checked),
      cmocka_unit_test(pairs_are_sorted_by_their_bodies),
      cmocka_unit_test(undefined_numbers_of_a_pair_come_from_its_geoms),
      cmocka_unit_test(anchors_and_poses_are_completed),
      cmocka_unit_test(equalities_are_checked),
      cmocka_unit_test(paths_of_tendons_are_copied),
      cmocka_unit_test(parts_of_a_path_know_their_shape_after_compiling),
      cmocka_unit_test(impossible_paths_are_refused),
      cmocka_unit_test(servos_inherit_the_range_of_their_target),
      cmocka_unit_test(activations_and_moments_are_counted),
      cmocka_unit_test(actuators_are_checked),
      cmocka_unit_test(histories_follow_each_other),
      cmocka_unit_test(sensors_read_as_many_numbers_as_their_data_has),
      cmocka_unit_test(sensors_are_checked),
      cmocka_unit_test(a_projection_needs_its_camera),
      cmocka_unit_test(custom_data_is_laid_out_in_order),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
