// R5: the tree of a spec in the model, with numbers of the reference for small specs.

#include "build.h"

// Layout, sizes and signature of a model with nothing in it.
static void an_empty_spec_compiles_to_the_smallest_model(void** state) {
  (void)state;
  mjSpec* s = mj_makeSpec();
  mjModel* m = compile(s);
  assert_int_equal(m->nbody, 1);
  assert_true(m->signature == 0x32ef5598ddf004a0u);
  assert_true(m->signature == s->element->signature);
  if (sizeof(mjtNum) == 8) {  // bytes of reals are counted
    assert_int_equal(m->narena, 13631488);
    assert_int_equal(m->nbuffer, 2176);
    assert_int_equal(mj_sizeModel(m), 2014);
  }
  mj_deleteModel(m);
  mj_deleteSpec(s);
}

// A geom at (5, 1, 2) in the world and one in a body with a NaN among its coordinates.
static void the_extent_with_nan_positions_is_the_references(void** state) {
  (void)state;
  static const double extent[3] = {2, 5.4, 2e-5};
  for (int axis = 0; axis < 3; axis++) {
    mjSpec* s = mj_makeSpec();
    mjsGeom* far = add_geom(world_of(s), "far", mjGEOM_SPHERE, 0.3, 0, 0);
    for (int i = 0; i < 3; i++) far->pos[i] = (double[]){5, 1, 2}[i];
    mjsBody* body = add_body(world_of(s), "lost", 0, 0, 0);
    body->pos[axis] = NAN;
    add_geom(body, "g", mjGEOM_SPHERE, 0.1, 0, 0);
    mjModel* m = compile(s);
    assert_true(fabs((double)m->stat.extent - extent[axis]) < 1e-6);
    mj_deleteModel(m);
    mj_deleteSpec(s);
  }
}

// A plane, a free box with an arm, a free ball, a slider.
static mjSpec* make_zoo(void) {
  mjSpec* s = mj_makeSpec();
  mjs_setString(s->modelname, "v");
  mjsBody* world = world_of(s);
  add_geom(world, "floor", mjGEOM_PLANE, 1, 1, 0.1);
  mjsBody* base = add_body(world, "base", 0, 0, 1);
  mjs_addFreeJoint(base);
  add_geom(base, "torso", mjGEOM_BOX, 0.1, 0.2, 0.3);
  mjsBody* arm = add_body(base, "arm", 0.1, 0, 0);
  mjsJoint* hinge = add_joint(arm, "h", mjJNT_HINGE, 0, 1, 0);
  hinge->range[0] = -90;
  hinge->range[1] = 90;
  static const double ends[6] = {0, 0, 0, 0.4, 0, 0};
  mjsGeom* upper = add_geom(arm, "a", mjGEOM_CAPSULE, 0.05, 0, 0);
  memcpy(upper->fromto, ends, sizeof(ends));
  set3(add_geom(arm, "tip", mjGEOM_SPHERE, 0.06, 0, 0)->pos, 0.4, 0, 0);
  mjsBody* ball = add_body(world, "ball", 1, 0, 0.5);
  mjs_addFreeJoint(ball);
  add_geom(ball, "s", mjGEOM_SPHERE, 0.1, 0, 0);
  mjsBody* slider = add_body(world, "slider", 2, 0, 0.5);
  add_joint(slider, NULL, mjJNT_SLIDE, 1, 0, 0)->armature = 1;
  add_geom(slider, NULL, mjGEOM_CYLINDER, 0.1, 0.2, 0);
  return s;
}

static void sizes_and_structure_are_the_references(void** state) {
  (void)state;
  mjSpec* s = make_zoo();
  mjModel* m = compile(s);
  const mjtSize sizes[] = {m->nM, m->nB, m->nC, m->nD, m->nbvh, m->nnames, m->nnames_map};
  EXPECT_INTS(sizes, 50, 35, 35, 86, 7, 55, 30);
  assert_true(m->signature == 0xf36f1a9a4b7884e0u);
  if (sizeof(mjtNum) == 8) {
    assert_int_equal(m->narena, 14680064);
    assert_int_equal(m->nbuffer, 12236);
    assert_int_equal(mj_sizeModel(m), 10392);
  }
  EXPECT_INTS(m->body_simple, 1, 0, 0, 1, 2);
  EXPECT_INTS(m->body_sameframe, 1, 1, 0, 1, 1);
  EXPECT_INTS(m->geom_sameframe, 1, 1, 0, 3, 1, 1);
  EXPECT_INTS(m->dof_simplenum, 0, 0, 0, 0, 0, 0, 0, 7, 6, 5, 4, 3, 2, 1);
  EXPECT_INTS(m->bvh_nodeid, 0, 1, -1, 2, 3, 4, 5);
  EXPECT_INTS(m->body_treeid, -1, 0, 0, 1, 2);
  EXPECT_INTS(m->tree_bodynum, 2, 1, 1);
  mj_deleteModel(m);
  mj_deleteSpec(s);
}

static void names_are_found_in_the_references_tables(void** state) {
  (void)state;
  mjSpec* s = make_zoo();
  mjModel* m = compile(s);
  EXPECT_INTS(m->names_map, -1, -1, 1, 0, 2, 4, 3, -1, -1, -1, -1, -1, -1, -1, -1, 1, -1, -1, -1,
              -1, -1, -1, 2, 0, -1, -1, 1, 3, 4, -1);
  assert_int_equal(mj_name2id(m, mjOBJ_BODY, "slider"), 4);
  assert_int_equal(mj_name2id(m, mjOBJ_GEOM, "tip"), 3);
  assert_string_equal(m->names, "v");
  mj_deleteModel(m);
  mj_deleteSpec(s);
}

static void several_geoms_make_one_inertia_about_its_own_axes(void** state) {
  (void)state;
  mjSpec* s = make_zoo();
  mjModel* m = compile(s);
  EXPECT_NUMS(m->body_mass + 2, 4.569970113422);
  EXPECT_NUMS(m->body_ipos + 6, 0.239596700275, 0, 0);
  EXPECT_NUMS(m->body_iquat + 8, 0.5, 0.5, 0.5, 0.5);
  EXPECT_NUMS(m->body_inertia + 6, 0.099574716673, 0.099574716673, 0.005753470898);
  EXPECT_NUMS(m->jnt_range + 2, -mjPI / 2, mjPI / 2);
  mj_deleteModel(m);
  mj_deleteSpec(s);
}

// A frame turns and moves what is in it, and so does the frame around it.
static void nested_frames_compose(void** state) {
  (void)state;
  mjSpec* s = mj_makeSpec();
  mjsBody* body = add_body(world_of(s), NULL, 0, 0, 0);
  mjsFrame* outer = mjs_addFrame(body, NULL);
  set3(outer->pos, 1, 0, 0);
  set_euler(&outer->alt, 0, 0, 90);
  mjsFrame* inner = mjs_addFrame(body, outer);
  set3(inner->pos, 1, 0, 0);
  set_euler(&inner->alt, 0, 90, 0);
  mjsJoint* joint = add_joint(body, NULL, mjJNT_HINGE, 1, 0, 0);
  set3(joint->pos, 0, 0, 1);
  mjs_setFrame(joint->element, inner);
  mjsGeom* geom = add_geom(body, NULL, mjGEOM_BOX, 0.1, 0.2, 0.3);
  mjs_setFrame(geom->element, outer);
  mjModel* m = compile(s);
  EXPECT_NUMS(m->jnt_axis, 0, 0, -1);
  EXPECT_NUMS(m->jnt_pos, 1, 2, 0);
  EXPECT_NUMS(m->geom_pos, 1, 0, 0);
  EXPECT_NUMS(m->geom_quat, sqrt(0.5), 0, 0, sqrt(0.5));
  mj_deleteModel(m);
  mj_deleteSpec(s);
}

// The frame of a free body may be moved to its centre of mass; nothing moves in the world.
static void aligned_free_bodies_start_at_their_centre_of_mass(void** state) {
  (void)state;
  mjSpec* s = mj_makeSpec();
  mjsBody* body = add_body(world_of(s), NULL, 1, 2, 3);
  set_euler(&body->alt, 0, 0, 90);
  mjs_addFreeJoint(body)->align = mjALIGNFREE_TRUE;
  set3(add_geom(body, NULL, mjGEOM_BOX, 0.1, 0.2, 0.3)->pos, 1, 0, 0);
  set3(add_site(body, "s")->pos, 1, 0, 0.5);
  mjModel* m = compile(s);
  EXPECT_NUMS(m->body_pos + 3, 1, 3, 3);
  EXPECT_NUMS(m->qpos0, 1, 3, 3, sqrt(0.5), 0, 0, sqrt(0.5));
  EXPECT_NUMS(m->body_ipos + 3, 0, 0, 0);
  EXPECT_NUMS(m->geom_pos, 0, 0, 0);
  EXPECT_NUMS(m->site_pos, 0, 0, 0.5);
  mj_deleteModel(m);
  mj_deleteSpec(s);
}

// Every entry of a pattern is a dof that moves the row's dof or is moved by it.
static void patterns_hold_ancestors_and_descendants(void** state) {
  (void)state;
  mjSpec* s = make_zoo();
  mjModel* m = compile(s);
  for (int i = 0; i < m->nv; i++) {
    int found = 0;
    for (int j = 0; j < m->nv; j++) {
      int low = i < j ? i : j, k = i < j ? j : i;
      while (k > low) k = m->dof_parentid[k];
      if (k != low) continue;
      assert_true(found < m->D_rownnz[i]);
      assert_int_equal(m->D_colind[m->D_rowadr[i] + found++], j);
    }
    assert_int_equal(m->D_rownnz[i], found);
    assert_int_equal(m->D_colind[m->D_rowadr[i] + m->D_diag[i]], i);
    assert_int_equal(m->M_colind[m->M_rowadr[i] + m->M_rownnz[i] - 1], i);
  }
  for (int k = 0; k < m->nC; k++) assert_int_equal(m->mapM2D[m->mapD2M[k]], k);
  mj_deleteModel(m);
  mj_deleteSpec(s);
}

static void short_keyframes_are_completed_and_long_ones_refused(void** state) {
  (void)state;
  const double two[2] = {0.5, 0.25};
  mjSpec* s = mj_makeSpec();
  mjsBody* body = add_body(world_of(s), NULL, 0, 0, 0);
  add_geom(body, NULL, mjGEOM_SPHERE, 0.1, 0, 0);
  add_joint(body, NULL, mjJNT_SLIDE, 1, 0, 0);
  add_joint(body, NULL, mjJNT_SLIDE, 0, 1, 0)->ref = 3;
  s->nkey = 2;
  mjsKey* key = mjs_addKey(s);
  mjs_setDouble(key->qpos, two, 1);
  mjs_setDouble(key->qvel, two, 2);
  mjModel* m = compile(s);
  assert_int_equal(m->nkey, 2);
  EXPECT_NUMS(m->key_qpos, 0.5, 3, 0, 3);
  EXPECT_NUMS(m->key_qvel, 0.5, 0.25, 0, 0);
  mj_deleteModel(m);
  const double three[3] = {1, 2, 3};
  mjs_setDouble(key->qpos, three, 3);
  expect_refusal(s, "qpos has 3 numbers, the model needs 2");
}

// The second compilation of an unchanged spec gives the same bytes.
static void compiling_twice_gives_the_same_model(void** state) {
  (void)state;
  mjSpec* s = make_zoo();
  mjModel *a = compile(s), *b = compile(s);
  assert_int_equal(a->nbuffer, b->nbuffer);
  assert_memory_equal(a->buffer, b->buffer, (size_t)a->nbuffer);
  mj_deleteModel(a);
  mj_deleteModel(b);
  mj_deleteSpec(s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_extent_with_nan_positions_is_the_references),
      cmocka_unit_test(an_empty_spec_compiles_to_the_smallest_model),
      cmocka_unit_test(sizes_and_structure_are_the_references),
      cmocka_unit_test(names_are_found_in_the_references_tables),
      cmocka_unit_test(several_geoms_make_one_inertia_about_its_own_axes),
      cmocka_unit_test(nested_frames_compose),
      cmocka_unit_test(aligned_free_bodies_start_at_their_centre_of_mass),
      cmocka_unit_test(patterns_hold_ancestors_and_descendants),
      cmocka_unit_test(short_keyframes_are_completed_and_long_ones_refused),
      cmocka_unit_test(compiling_twice_gives_the_same_model),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
