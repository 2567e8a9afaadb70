// R23, R30.5: meshes. Numbers are the reference's where nothing else is said.

#include <stdio.h>
#include <string.h>

#include "build.h"

static mjsMesh* add_mesh(mjSpec* s, const float* vert, int nvert, const int* face, int nface) {
  mjsMesh* mesh = mjs_addMesh(s, NULL);
  mjs_setName(mesh->element, "m");
  mjs_setFloat(mesh->uservert, vert, 3 * nvert);
  if (nface) mjs_setInt(mesh->userface, face, 3 * nface);
  return mesh;
}

static mjsGeom* add_mesh_geom(mjSpec* s, mjtGeom type) {
  mjsBody* body = mjs_addBody(world_of(s), NULL);
  mjs_addFreeJoint(body);
  mjsGeom* geom = add_geom(body, NULL, type, 0, 0, 0);
  mjs_setString(geom->meshname, "m");
  return geom;
}

static const float wedge[15] = {0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3, 1, 2, 3};

static mjModel* compile_wedge(mjtMeshInertia inertia) {
  mjSpec* s = mj_makeSpec();
  add_mesh(s, wedge, 5, NULL, 0)->inertia = inertia;
  add_mesh_geom(s, mjGEOM_MESH);
  mjModel* m = compile(s);
  mj_deleteSpec(s);
  return m;
}

// The hull's graph, faces and polygons keep the order in which Qhull finds them.
static void hull_has_the_references_order(void** state) {
  (void)state;
  mjModel* m = compile_wedge(mjMESH_INERTIA_LEGACY);
  EXPECT_INTS(m->mesh_graph, 5, 6, 0, 4, 8, 13, 18, 0, 4, 2, 1, 3, 2, 3, 4, -1, 2, 3, 4, -1, 3, 0,
              4, 1, -1, 2, 0, 4, 1, -1, 3, 0, 2, 1, -1, 2, 1, 0, 1, 3, 0, 3, 2, 0, 2, 4, 1, 4, 3, 1,
              3, 4, 2);
  EXPECT_INTS(m->mesh_polyvert, 2, 4, 1, 4, 3, 1, 2, 1, 0, 1, 3, 0, 3, 4, 2, 3, 2, 0);
  mj_deleteModel(m);
}

static void R23_1_closed_meshes_have_one_inertia_in_three_modes(void** state) {
  (void)state;
  const mjtMeshInertia modes[3] = {mjMESH_INERTIA_LEGACY, mjMESH_INERTIA_EXACT,
                                   mjMESH_INERTIA_CONVEX};
  for (int i = 0; i < 3; i++) {
    mjModel* m = compile_wedge(modes[i]);
    EXPECT_NUMS(m->mesh_pos, 0.4166666666666666, 0.8333333333333333, 1.25);
    EXPECT_NUMS(m->mesh_quat, 0.9940915447545704, -0.09554565290185078, 0.028928220264738028,
                -0.042616744729583926);
    EXPECT_NUMS(m->body_mass + 1, 3000);
    EXPECT_NUMS(m->body_inertia + 3, 2338.8028382806115, 1821.3716328019282, 856.4921955841355);
    EXPECT_NUMS(m->geom_aabb, 0.12956182760137178, 0.08191048770345977, 0.2817380501566499,
                0.5876047937272211, 1.2667515393592907, 1.690428300939899);
    EXPECT_NUMS(m->geom_rbound, 2.494525474391142);
    mj_deleteModel(m);
  }
}

static void R23_1_shells_have_their_own_inertia(void** state) {
  (void)state;
  mjModel* m = compile_wedge(mjMESH_INERTIA_SHELL);
  EXPECT_NUMS(m->mesh_pos, 0.4166666666666666, 0.8958333333333333, 1.375);
  EXPECT_NUMS(m->mesh_quat, 0.9948753243941768, -0.07585944798062404, 0.03463487738781447,
              -0.05717393052771122);
  EXPECT_NUMS(m->body_mass + 1, 16000);
  EXPECT_NUMS(m->body_inertia + 3, 19533.763484599134, 15069.015204481924, 7661.110199807833);
  mj_deleteModel(m);
}

// The search for principal axes stops early for small meshes, and does not start for tiny ones.
static void small_meshes_are_not_turned(void** state) {
  (void)state;
  mjSpec* s = mj_makeSpec();
  mjsMesh* mesh = add_mesh(s, wedge, 5, NULL, 0);
  set3(mesh->scale, 0.01, 0.01, 0.01);
  add_mesh_geom(s, mjGEOM_MESH);
  mjModel* m = compile(s);
  EXPECT_NUMS(m->mesh_quat, 0.9942215869005027, -0.09415758180504231, 0.028940756818072653,
              -0.04266401908482691);
  EXPECT_NUMS(m->mesh_scale, 0.01, 0.01, 0.01);
  mj_deleteModel(m);
  set3(mesh->scale, 0.001, 0.001, 0.001);
  m = compile(s);
  EXPECT_NUMS(m->mesh_quat, 1, 0, 0, 0);
  EXPECT_NUMS(m->geom_size, 0.00058333333, 0.00116666667, 0.00175);
  mj_deleteModel(m);
  mj_deleteSpec(s);
}

static const float cube[24] = {-1, -1, -1, 1, -1, -1, 1, 1, -1, -1, 1, -1,
                               -1, -1, 1,  1, -1, 1,  1, 1, 1,  -1, 1, 1};

static void cube_has_six_polygons(void** state) {
  (void)state;
  mjSpec* s = mj_makeSpec();
  add_mesh(s, cube, 8, NULL, 0);
  add_mesh_geom(s, mjGEOM_MESH);
  mjModel* m = compile(s);
  assert_int_equal(m->nmeshpoly, 6);
  EXPECT_INTS(m->mesh_polyvert, 2, 6, 5, 1, 6, 2, 3, 7, 5, 6, 7, 4, 3, 2, 1, 0, 1, 5, 4, 0, 7, 3, 0,
              4);
  EXPECT_INTS(m->mesh_polymap, 3, 4, 5, 0, 3, 4, 0, 1, 3, 1, 3, 5, 2, 4, 5, 0, 2, 4, 0, 1, 2, 1, 2,
              5);
  EXPECT_INTS(m->mesh_face, 3, 2, 1, 3, 1, 0, 1, 5, 0, 5, 4, 0, 7, 3, 0, 4, 7, 0, 2, 6, 1, 6, 5, 1,
              3, 6, 2, 7, 6, 3, 5, 6, 4, 6, 7, 4);
  EXPECT_INTS(m->bvh_nodeid + m->mesh_bvhadr[0], -1, -1, -1, 4, -1, 5, 0, -1, 1, -1, 2, 3, -1, -1,
              8, -1, 9, 10, -1, 11, -1, 6, 7);
  mj_deleteModel(m);
  mj_deleteSpec(s);
}

// Against the formula of a box, not the reference.
static void R23_2_cube_has_the_inertia_of_a_box(void** state) {
  (void)state;
  mjSpec* s = mj_makeSpec();
  mjsMesh* mesh = add_mesh(s, cube, 8, NULL, 0);
  mesh->inertia = mjMESH_INERTIA_EXACT;
  set3(mesh->scale, 1, 2, 3);
  add_mesh_geom(s, mjGEOM_MESH);
  mjModel* m = compile(s);
  const double mass = 1000 * 8 * 6;
  EXPECT_NUMS(m->body_mass + 1, mass);
  EXPECT_NUMS(m->body_inertia + 3, mass * 13 / 3, mass * 10 / 3, mass * 5 / 3);
  mj_deleteModel(m);
  mj_deleteSpec(s);
}

// A cube of half size 1 and a cube of size 1 inside it whose faces look inwards: exact inertia is
// that of the space between them, the old way adds up all volumes.
#define HOLLOW_CUBE                                                                       \
  "vertex='-1 -1 -1 1 -1 -1 1 1 -1 -1 1 -1 -1 -1 1 1 -1 1 1 1 1 -1 1 1 "                  \
  "-.5 -.5 -.5 .5 -.5 -.5 .5 .5 -.5 -.5 .5 -.5 -.5 -.5 .5 .5 -.5 .5 .5 .5 .5 -.5 .5 .5' " \
  "face='3 2 1 3 1 0 1 5 0 5 4 0 7 3 0 4 7 0 2 6 1 6 5 1 3 6 2 7 6 3 5 6 4 6 7 4 "        \
  "9 10 11 8 9 11 8 13 9 8 12 13 8 11 15 8 15 12 9 14 10 9 13 14 10 14 11 11 14 15 "      \
  "12 14 13 12 15 14'"

static mjtNum mass_of_hollow_cube(const char* before, const char* mesh) {
  char text[4000], error[1000] = "";
  snprintf(text, sizeof(text),
           "<mujoco>%s<asset><mesh name='m' " HOLLOW_CUBE
           " %s/></asset><worldbody><body><freejoint/>"
           "<geom type='mesh' mesh='m' density='1'/></body></worldbody></mujoco>",
           before, mesh);
  mjSpec* s = mj_parseXMLString(text, NULL, error, sizeof(error));
  if (!s) fail_msg("%s", error);
  mjModel* m = compile(s);
  mjtNum mass = m->body_mass[1];
  mj_deleteModel(m);
  mj_deleteSpec(s);
  return mass;
}

static void R23_1_legacy_is_what_meshes_that_say_nothing_get(void** state) {
  (void)state;
  mjtNum mass[6] = {
      mass_of_hollow_cube("", ""),
      mass_of_hollow_cube("", "inertia='legacy'"),
      mass_of_hollow_cube("", "inertia='exact'"),
      mass_of_hollow_cube("", "inertia='convex'"),
      mass_of_hollow_cube("", "inertia='shell'"),
      mass_of_hollow_cube("<default><mesh inertia='convex'/></default>", ""),
  };
  EXPECT_NUMS(mass, 9, 9, 7, 8, 30, 8);
}

static void R23_3_the_compiler_says_what_meshes_that_say_nothing_get(void** state) {
  (void)state;
  const char* exact = "<compiler exactmeshinertia='true'/>";
  mjtNum mass[6] = {
      mass_of_hollow_cube(exact, ""),
      mass_of_hollow_cube(exact, "inertia='legacy'"),
      mass_of_hollow_cube("<compiler exactmeshinertia='false'/>", ""),
      mass_of_hollow_cube("<compiler exactmeshinertia='false'/>", "inertia='exact'"),
      mass_of_hollow_cube("<default><mesh inertia='legacy'/></default>"
                          "<compiler exactmeshinertia='true'/>",
                          ""),
      mass_of_hollow_cube("<compiler exactmeshinertia='true'/><default><mesh maxhullvert='20'/>"
                          "<default class='c'/></default>",
                          "class='c'"),
  };
  EXPECT_NUMS(mass, 7, 9, 9, 7, 9, 7);
}

static void R23_3_the_printed_schema_stays_the_references(void** state) {
  (void)state;
  char text[30000];
  assert_int_equal(mj_printSchema(NULL, text, sizeof(text), 0, 0), 27415);
  assert_null(strstr(text, "exactmeshinertia"));
}

static void R23_4_other_shapes_are_unaffected(void** state) {
  (void)state;
  mjtNum mass[2];
  for (int i = 0; i < 2; i++) {
    char text[600], error[1000] = "";
    snprintf(text, sizeof(text),
             "<mujoco><compiler exactmeshinertia='%s'/><worldbody><body><freejoint/>"
             "<geom size='.1'/><geom type='box' size='.1 .2 .3'/></body></worldbody></mujoco>",
             i ? "true" : "false");
    mjSpec* s = mj_parseXMLString(text, NULL, error, sizeof(error));
    assert_non_null(s);
    mjModel* m = compile(s);
    mass[i] = m->body_inertia[3];
    mj_deleteModel(m);
    mj_deleteSpec(s);
  }
  assert_true(mass[0] == mass[1]);
}

static void R23_4_explicit_inertia_wins(void** state) {
  (void)state;
  mjSpec* s = mj_makeSpec();
  add_mesh(s, cube, 8, NULL, 0)->inertia = mjMESH_INERTIA_SHELL;
  mjsGeom* geom = add_mesh_geom(s, mjGEOM_MESH);
  mjsBody* body = mjs_getParent(geom->element);
  body->explicitinertial = 1;
  body->mass = 2;
  set3(body->inertia, 1, 1, 1);
  mjModel* m = compile(s);
  EXPECT_NUMS(m->body_mass + 1, 2);
  EXPECT_NUMS(m->body_inertia + 3, 1, 1, 1);
  mj_deleteModel(m);
  mj_deleteSpec(s);
}

// Half the box of a cube of half size 1, and the sphere of its mean.
static void primitives_are_fitted(void** state) {
  (void)state;
  mjSpec* s = mj_makeSpec();
  add_mesh(s, cube, 8, NULL, 0);
  mjsGeom* geom = add_mesh_geom(s, mjGEOM_BOX);
  mjModel* m = compile(s);
  EXPECT_NUMS(m->geom_size, 1, 1, 1);
  EXPECT_INTS(m->geom_dataid, 0);
  EXPECT_INTS(m->mesh_graphadr, 0);  // it has no faces of its own
  mj_deleteModel(m);
  geom->type = mjGEOM_CAPSULE;
  m = compile(s);
  EXPECT_NUMS(m->geom_size, 1, 0.5);
  mj_deleteModel(m);
  s->compiler.fitaabb = 1;
  expect_refusal(s, "must be positive");
}

// The reference has the same number of nodes and distances.
static void distances_are_sampled_on_an_octree(void** state) {
  (void)state;
  mjSpec* s = mj_makeSpec();
  add_mesh(s, wedge, 5, NULL, 0);
  add_mesh_geom(s, mjGEOM_SDF);
  mjModel* m = compile(s);
  assert_int_equal(m->noct, 43145);
  EXPECT_NUMS(m->oct_coeff, 0.7624871338998718, 0.8194618346288844, 0.5616712443454519,
              1.2055879125716025, 0.6293524581369886, 1.279010380153855, 1.0982288423131563,
              0.7542988759834365);
  mj_deleteModel(m);
  mj_deleteSpec(s);
}

// Refusals

static void degenerate_meshes_are_refused(void** state) {
  (void)state;
  mjSpec* s = mj_makeSpec();
  add_mesh(s, wedge, 3, NULL, 0);
  expect_refusal(s, "at least 4 vertices");

  const float flat[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0};
  s = mj_makeSpec();
  add_mesh(s, flat, 4, NULL, 0);
  expect_refusal(s, "no convex hull");

  float bad[15];
  memcpy(bad, wedge, sizeof(bad));
  bad[7] = NAN;
  s = mj_makeSpec();
  add_mesh(s, bad, 5, NULL, 0);
  expect_refusal(s, "vertex 2: coordinate 1 is not a finite number");

  const int outside[3] = {0, 1, 5}, point[3] = {0, 0, 0};
  s = mj_makeSpec();
  add_mesh(s, wedge, 5, outside, 1);
  expect_refusal(s, "triangle 0 has vertex 5");
  s = mj_makeSpec();
  add_mesh(s, wedge, 5, point, 1);
  expect_refusal(s, "the surface of the mesh is too small");

  const int twice[6] = {0, 2, 1, 0, 2, 3};
  s = mj_makeSpec();
  add_mesh(s, wedge, 5, twice, 2)->inertia = mjMESH_INERTIA_EXACT;
  expect_refusal(s, "triangles 0 and 1 go through an edge in the same direction");
}

// The reader of OBJ files knows words for numbers that are none.
static void words_for_numbers_that_are_not_finite_are_refused(void** state) {
  (void)state;
  static const char* const words[] = {"nan", "NaN", "-nan", "inf", "-Inf", "infinity"};
  static const char xml[] =
      "<mujoco><asset><mesh name='a' file='a.obj'/></asset><worldbody><geom type='mesh' mesh='a'/>"
      "</worldbody></mujoco>";
  for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
    char obj[200], error[300] = "";
    mjVFS vfs;
    mj_defaultVFS(&vfs);
    snprintf(obj, sizeof(obj),
             "v 0 0 0\nv 1 %s 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\nf 1 2 4\nf 2 3 4\nf 1 3 4\n", words[i]);
    assert_int_equal(mj_addBufferVFS(&vfs, "a.obj", obj, (int)strlen(obj)), 0);
    assert_int_equal(mj_addBufferVFS(&vfs, "m.xml", xml, (int)strlen(xml)), 0);
    assert_null(mj_loadXML("m.xml", &vfs, error, sizeof(error)));
    if (!strstr(error, "vertex 1: coordinate 1 is not a finite number")) {
      fail_msg("%s: %s", words[i], error);
    }
    mj_deleteVFS(&vfs);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(words_for_numbers_that_are_not_finite_are_refused),
      cmocka_unit_test(hull_has_the_references_order),
      cmocka_unit_test(R23_1_closed_meshes_have_one_inertia_in_three_modes),
      cmocka_unit_test(R23_1_shells_have_their_own_inertia),
      cmocka_unit_test(small_meshes_are_not_turned),
      cmocka_unit_test(cube_has_six_polygons),
      cmocka_unit_test(R23_2_cube_has_the_inertia_of_a_box),
      cmocka_unit_test(R23_1_legacy_is_what_meshes_that_say_nothing_get),
      cmocka_unit_test(R23_3_the_compiler_says_what_meshes_that_say_nothing_get),
      cmocka_unit_test(R23_3_the_printed_schema_stays_the_references),
      cmocka_unit_test(R23_4_other_shapes_are_unaffected),
      cmocka_unit_test(R23_4_explicit_inertia_wins),
      cmocka_unit_test(primitives_are_fitted),
      cmocka_unit_test(distances_are_sampled_on_an_octree),
      cmocka_unit_test(degenerate_meshes_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
