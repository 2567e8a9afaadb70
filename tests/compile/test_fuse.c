// R5: fusing static bodies and discarding what only matters to the eye.

#include "build.h"

// The reference's numbers, wrong frames included.
static void fused_inertia_is_the_references(void** state) {
  (void)state;
  mjSpec* s = mj_makeSpec();
  s->compiler.fusestatic = 1;
  mjsBody* p = add_body(world_of(s), "p", 0, 0, 0);
  mjs_addFreeJoint(p)->align = mjALIGNFREE_FALSE;
  add_geom(p, NULL, mjGEOM_BOX, 0.1, 0.2, 0.3);
  mjsBody* fixed = add_body(p, NULL, 0.5, 0, 0);
  set_euler(&fixed->alt, 0, 0, 90);
  fixed->explicitinertial = 1;
  fixed->mass = 2;
  set3(fixed->ipos, 0.1, 0.2, 0.3);
  set3(fixed->inertia, 0.1, 0.15, 0.2);
  set_euler(&fixed->ialt, 0, 45, 0);
  add_geom(fixed, NULL, mjGEOM_SPHERE, 0.1, 0, 0);
  mjModel* m = compile(s);
  assert_int_equal(m->nbody, 2);
  EXPECT_NUMS(m->body_mass + 1, 50);
  EXPECT_NUMS(m->body_ipos + 3, 0.0181421356, 0.008, -0.0021421356);
  EXPECT_NUMS(m->body_inertia + 3, 2.4284179798, 2.0468721625, 1.4092518498);
  EXPECT_NUMS(m->body_iquat + 4, 0.9602120962, 0.0424067477, -0.0487744349, -0.2716899934);
  assert_int_equal(m->nbvh, 4);
  EXPECT_INTS(m->body_bvhnum, 0, 3);
  EXPECT_INTS(m->bvh_nodeid, 0, 0, 1, 0);
  mj_deleteModel(m);

  // the spec has lost the body too
  assert_null(mjs_firstChild(p, mjOBJ_BODY, 0));
  mj_deleteSpec(s);
}

// A static sibling's geoms go to the end of their parent's, in front of those of moving children.
static void geoms_of_fused_bodies_follow_those_of_the_parent(void** state) {
  (void)state;
  mjSpec* s = mj_makeSpec();
  s->compiler.fusestatic = 1;
  mjsBody* p = add_body(world_of(s), "p", 0, 0, 0);
  add_joint(p, NULL, mjJNT_HINGE, 0, 0, 1);
  add_geom(p, "gp", mjGEOM_SPHERE, 0.1, 0, 0);
  mjsBody* child = add_body(p, "c", 1, 0, 0);
  add_joint(child, NULL, mjJNT_HINGE, 0, 0, 1);
  add_geom(child, "gc", mjGEOM_SPHERE, 0.1, 0, 0);
  mjsBody* fixed = add_body(p, "s", 0, 1, 0);
  set3(add_geom(fixed, "gs", mjGEOM_SPHERE, 0.1, 0, 0)->pos, 0, 0, 1);
  mjModel* m = compile(s);
  assert_int_equal(m->nbody, 3);
  assert_int_equal(mj_name2id(m, mjOBJ_GEOM, "gp"), 0);
  assert_int_equal(mj_name2id(m, mjOBJ_GEOM, "gs"), 1);
  assert_int_equal(mj_name2id(m, mjOBJ_GEOM, "gc"), 2);
  EXPECT_NUMS(m->geom_pos + 3, 0, 1, 1);
  EXPECT_INTS(m->geom_bodyid, 1, 1, 2);
  mj_deleteModel(m);
  mj_deleteSpec(s);
}

// Chains of static bodies end in the first one that stays; children keep their place in the world.
static void chains_of_static_bodies_become_one(void** state) {
  (void)state;
  mjSpec* s = mj_makeSpec();
  s->compiler.fusestatic = 1;
  mjsBody* a = add_body(world_of(s), "a", 1, 0, 0);
  set_euler(&a->alt, 0, 0, 90);
  mjsBody* b = add_body(a, "b", 1, 0, 0);
  mjsBody* moving = add_body(b, "moving", 1, 0, 0);
  add_joint(moving, NULL, mjJNT_SLIDE, 1, 0, 0);
  add_geom(moving, NULL, mjGEOM_SPHERE, 0.1, 0, 0);
  add_geom(b, NULL, mjGEOM_SPHERE, 0.1, 0, 0);
  mjModel* m = compile(s);
  assert_int_equal(m->nbody, 2);
  EXPECT_NUMS(m->body_pos + 3, 1, 2, 0);
  EXPECT_NUMS(m->geom_pos, 1, 1, 0);
  EXPECT_INTS(m->geom_bodyid, 0, 1);
  mj_deleteModel(m);
  mj_deleteSpec(s);
}

// What cannot collide goes, but its mass has counted, now and when the spec is compiled again.
static void discarded_geoms_leave_their_mass(void** state) {
  (void)state;
  mjSpec* s = mj_makeSpec();
  s->compiler.discardvisual = 1;
  mjsBody* body = add_body(world_of(s), "b", 0, 0, 0);
  add_joint(body, NULL, mjJNT_HINGE, 0, 0, 1);
  mjsGeom* seen = add_geom(body, "seen", mjGEOM_SPHERE, 0.1, 0, 0);
  seen->contype = seen->conaffinity = 0;
  seen->mass = 2;
  add_geom(body, "hit", mjGEOM_SPHERE, 0.1, 0, 0)->mass = 1;
  for (int i = 0; i < 2; i++) {
    mjModel* m = compile(s);
    assert_int_equal(m->ngeom, 1);
    assert_int_equal(mj_name2id(m, mjOBJ_GEOM, "hit"), 0);
    EXPECT_NUMS(m->body_mass + 1, 3);
    EXPECT_INTS(m->bvh_nodeid, 0);
    mj_deleteModel(m);
  }
  mj_deleteSpec(s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(fused_inertia_is_the_references),
      cmocka_unit_test(geoms_of_fused_bodies_follow_those_of_the_parent),
      cmocka_unit_test(chains_of_static_bodies_become_one),
      cmocka_unit_test(discarded_geoms_leave_their_mass),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
