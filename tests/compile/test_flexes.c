// R20.1, R20.8: flexes of the spec become arrays of the model. Numbers of elasticity are those of
// the reference; what it makes NaN of, or reads memory for that was never set, is refused or given
// a value that makes sense.

#include <stdbool.h>
#include <stdio.h>

#include "build.h"
#include "support/text_models.h"

static void near(double found, double expected) {
  double tolerance = sizeof(mjtNum) == 8 ? 1e-11 : 2e-5;
  if (!(fabs(found - expected) <= tolerance * fmax(1, fabs(expected))))
    fail_msg("expected %.12g, got %.12g", expected, found);
}

static void near_all(const mjtNum* found, const double* expected, int n) {
  for (int i = 0; i < n; i++) near((double)found[i], expected[i]);
}

static void ints_are(const int* found, const int* expected, int n) {
  for (int i = 0; i < n; i++) {
    if (found[i] != expected[i]) fail_msg("[%d]: expected %d, got %d", i, expected[i], found[i]);
  }
}

// A body that slides along three axes, called b0, b1, ...
static mjsBody* add_mover(mjSpec* s, int i, const double pos[3]) {
  char name[16];
  snprintf(name, sizeof(name), "b%d", i);
  mjsBody* body = add_body(world_of(s), name, pos[0], pos[1], pos[2]);
  for (int k = 0; k < 3; k++) add_joint(body, NULL, mjJNT_SLIDE, k == 0, k == 1, k == 2);
  body->mass = 1;
  set3(body->inertia, 1, 1, 1);
  body->explicitinertial = 1;
  return body;
}

// A flex over movers at the points.
static mjsFlex* add_flex(mjSpec* s, int dim, const double (*point)[3], int npoint, const int* elem,
                         int nelem) {
  mjsFlex* flex = mjs_addFlex(s);
  mjs_setName(flex->element, "f");
  flex->dim = dim;
  for (int i = 0; i < npoint; i++) {
    char name[16];
    add_mover(s, i, point[i]);
    snprintf(name, sizeof(name), "b%d", i);
    mjs_appendString(flex->vertbody, name);
  }
  mjs_setInt(flex->elem, elem, nelem * (dim + 1));
  return flex;
}

static const double tetrahedron[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
static const int one[4] = {0, 1, 2, 3};

static mjModel* compiled(mjSpec* s) {
  mjModel* m = mj_compile(s, NULL);
  if (!m) fail_msg("%s", mjs_getError(s));
  mj_deleteSpec(s);
  return m;
}

// Elasticity

static void a_tetrahedron_is_turned_outwards_and_gets_its_stiffness(void** state) {
  (void)state;
  mjSpec* s = mj_makeSpec();
  mjsFlex* flex = add_flex(s, 3, tetrahedron, 4, one, 1);
  flex->young = 1;
  flex->poisson = 0.25;
  mjModel* m = compiled(s);
  const int elem[4] = {0, 2, 1, 3}, edge[12] = {0, 2, 1, 2, 0, 1, 1, 3, 0, 3, 2, 3};
  const double third = 1.0 / 30;
  const double k[21] = {0.2, -third, 0.1, 0, 0.1,   -third, third, -third, 0,      0,    0,
                        0.2, -third, 0.1, 0, third, -third, 0,     0.2,    -third, third};
  ints_are(m->flex_elem, elem, 4);
  ints_are(m->flex_edge, edge, 12);
  near_all(m->flex_stiffness, k, 21);
  mj_deleteModel(m);
}

static void a_triangle_gets_stiffness_against_stretch(void** state) {
  (void)state;
  mjSpec* s = mj_makeSpec();
  mjsFlex* flex = add_flex(s, 2, tetrahedron, 3, one, 1);
  flex->young = 1;
  flex->poisson = 0.25;
  flex->thickness = 0.1;
  flex->elastic2d = 2;
  mjModel* m = compiled(s);
  const double k[7] = {0.0025, -0.0025, -0.0025, 0.0125, 0.0075, 0.0125, 0};
  near_all(m->flex_stiffness, k, 7);
  mj_deleteModel(m);
}

static void two_triangles_get_stiffness_against_bending(void** state) {
  (void)state;
  static const double sheet[4][3] = {{0, 0, 0}, {1, 0, 0}, {0.2, 0.9, 0}, {0.4, -0.7, 0}};
  static const int elem[6] = {1, 0, 3, 0, 1, 2};
  mjSpec* s = mj_makeSpec();
  mjsFlex* flex = add_flex(s, 2, sheet, 4, elem, 2);
  flex->young = 1e6;
  flex->poisson = 0.3;
  flex->thickness = 0.01;
  flex->elastic2d = 1;
  mjModel* m = compiled(s);
  const int edge[2] = {0, 1}, flap[2] = {3, 2};
  const double row[4] = {0.037853460473, 0.08327761304, -0.068136228851, -0.052994844662};
  ints_are(m->flex_edge + 4, edge, 2);
  ints_are(m->flex_edgeflap + 4, flap, 2);
  near_all(m->flex_bending + 2 * 17, row, 4);
  near((double)m->flex_bending[0], 0);  // an edge of one triangle
  mj_deleteModel(m);
}

// A unit cube of n x n x n cells, which control points move.
static mjModel* cube(const char* dof, int n) {
  char text[600];
  snprintf(text, sizeof(text),
           "<mujoco><worldbody><flexcomp name='f' dim='3' dof='%s' count='%d %d %d' "
           "spacing='%.17g %.17g %.17g'><contact selfcollide='none'/>"
           "<elasticity young='1' poisson='.25'/></flexcomp></worldbody></mujoco>",
           dof, n + 1, n + 1, n + 1, 1.0 / n, 1.0 / n, 1.0 / n);
  return text_model(text);
}

static void control_points_share_one_matrix(void** state) {
  (void)state;
  mjModel* m = cube("trilinear", 2);
  const double row[6] = {-2.0 / 15, -0.05, -0.05, -1.0 / 30, -0.025, 1.0 / 60};
  double trace = 0;
  near_all(m->flex_stiffness, row, 6);
  for (int i = 0; i < 24; i++) trace += (double)m->flex_stiffness[25 * i];
  near(trace, -3.2);
  assert_int_equal(m->flex_interp[0], 1);
  assert_int_equal(m->nflexnode, 8);
  assert_int_equal(m->flex_vertbodyid[0], -1);
  mj_deleteModel(m);

  m = cube("quadratic", 4);
  near((double)m->flex_stiffness[0], -2.150756151671);
  near((double)m->flex_stiffness[1], -0.714449016918);
  assert_int_equal(m->nflexnode, 27);
  mj_deleteModel(m);
}

// Shape

static void R20_8_a_grid_of_25_vertices_has_56_edges(void** state) {
  (void)state;
  mjModel* m = text_model(
      "<mujoco><worldbody><flexcomp name='f' count='5 5 1' spacing='.04 .04 "
      ".04'/></worldbody></mujoco>");
  assert_int_equal(m->nflexvert, 25);
  assert_int_equal(m->nflexedge, 56);
  assert_int_equal(m->nflexelem, 32);
  assert_int_equal(m->flex_shellnum[0], 16);
  mj_deleteModel(m);
}

// Every element is a leaf once, and every node but the root is a child once.
static void the_tree_has_every_element_once(void** state) {
  (void)state;
  mjModel* m = cube("trilinear", 3);
  int count[162] = {0}, children[400] = {0};
  assert_int_equal(m->nflexelem, 162);
  assert_int_equal(m->flex_bvhnum[0], m->nbvhdynamic);
  int inner = 0, layered = 0;
  for (int i = 0; i < m->flex_bvhnum[0]; i++) {
    int node = m->flex_bvhadr[0] + i;
    if (m->bvh_nodeid[node] >= 0) {
      count[m->bvh_nodeid[node]]++;
      continue;
    }
    inner++;
    for (int k = 0; k < 2; k++) children[m->bvh_child[2 * node + k]]++;
  }
  for (int e = 0; e < 162; e++) {
    bool active = m->flex_elemlayer[e] < m->flex_activelayers[0];
    assert_int_equal(count[e], active);
    if (active) layered++;
  }
  assert_int_equal(inner, layered - 1);
  for (int i = 1; i < m->flex_bvhnum[0]; i++) assert_int_equal(children[i], 1);
  mj_deleteModel(m);
}

static void a_solid_without_active_layers_has_no_tree_but_a_size(void** state) {
  (void)state;
  mjSpec* s = mj_makeSpec();
  mjsFlex* flex = add_flex(s, 3, tetrahedron, 4, one, 1);
  flex->activelayers = 0;
  mjModel* m = compiled(s);
  const double half[3] = {0.5, 0.5, 0.5};
  assert_int_equal(m->flex_bvhadr[0], -1);
  assert_int_equal(m->flex_bvhnum[0], 0);
  near_all(m->flex_size, half, 3);
  near_all(m->flex_vert0, tetrahedron[0], 12);
  mj_deleteModel(m);
}

static void vertices_of_one_body_are_rigid(void** state) {
  (void)state;
  mjSpec* s = mj_makeSpec();
  add_mover(s, 0, tetrahedron[0]);
  mjsFlex* flex = mjs_addFlex(s);
  mjs_appendString(flex->vertbody, "b0");
  mjs_setDouble(flex->vert, tetrahedron[0], 9);
  mjs_setInt(flex->elem, one, 3);
  mjModel* m = compiled(s);
  assert_int_equal(m->flex_rigid[0], 1);
  assert_int_equal(m->flexedge_rigid[0], 1);
  assert_int_equal(m->nJfe, 0);
  near((double)m->flexedge_length0[0], sqrt(2));
  mj_deleteModel(m);
}

// Mistakes

static mjsFlex* spoiled(mjSpec** s, int dim) {
  *s = mj_makeSpec();
  return add_flex(*s, dim, tetrahedron, 4, one, 1);
}

static void elements_without_volume_cannot_be_elastic(void** state) {
  (void)state;
  static const double flat[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}};
  static const double line[4][3] = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {3, 0, 0}};
  mjSpec* s = mj_makeSpec();
  mjsFlex* flex = add_flex(s, 3, flat, 4, one, 1);
  flex->young = 1;
  expect_refusal(s, "flex \"f\": element 0 has no volume, so it cannot be elastic");
  s = mj_makeSpec();
  flex = add_flex(s, 2, line, 3, one, 1);
  flex->young = flex->thickness = 1;
  flex->elastic2d = 2;
  expect_refusal(s, "flex \"f\": element 0 has no area, so it cannot be elastic");
  static const int pair[6] = {0, 1, 2, 1, 2, 3};
  s = mj_makeSpec();
  flex = add_flex(s, 2, line, 4, pair, 2);
  flex->young = flex->thickness = 1;
  flex->elastic2d = 1;
  expect_refusal(s, "has no area to bend");
}

static void inverted_elements_are_turned(void** state) {
  (void)state;
  static const int inside_out[4] = {0, 2, 1, 3};
  mjSpec* s = mj_makeSpec();
  add_flex(s, 3, tetrahedron, 4, inside_out, 1);
  mjModel* m = compiled(s);
  ints_are(m->flex_elem, inside_out, 4);
  mj_deleteModel(m);
}

static void values_are_checked(void** state) {
  (void)state;
  mjSpec* s;
  spoiled(&s, 3)->dim = 4;
  expect_refusal(s, "flex \"f\": dim is 4; it can be 1, 2 or 3");
  spoiled(&s, 3)->radius = -0.1;
  expect_refusal(s, "flex \"f\": radius is -0.1; it cannot be negative");
  spoiled(&s, 3)->radius = NAN;
  expect_refusal(s, "radius is nan");
  spoiled(&s, 3)->condim = 7;
  expect_refusal(s, "flex \"f\": condim is 7: it must be 1, 3, 4 or 6");
  spoiled(&s, 3)->edgestiffness = 1;
  expect_refusal(s, "edges have stiffness in flexes of dim 1 only");
  mjsFlex* flex = spoiled(&s, 3);
  flex->young = 1;
  flex->poisson = 0.5;
  expect_refusal(s, "poisson is 0.5; it must be at least 0 and below 0.5");
  mjs_setString(spoiled(&s, 3)->material, "missing");
  expect_refusal(s, "flex \"f\": material: there is no material named \"missing\"");
}

static void elements_are_checked(void** state) {
  (void)state;
  static const int wrong[][4] = {{0, 1, 2, 4}, {0, 1, 2, -1}, {0, 1, 2, 1000000000}, {0, 1, 1, 2}};
  static const char* const message[] = {
      "element 0 has vertex 4; there are 4, counted from 0", "element 0 has vertex -1",
      "element 0 has vertex 1000000000", "element 0 has vertex 1 twice"};
  mjSpec* s;
  for (int i = 0; i < 4; i++) {
    mjs_setInt(spoiled(&s, 3)->elem, wrong[i], 4);
    expect_refusal(s, message[i]);
  }
  mjs_setInt(spoiled(&s, 3)->elem, one, 3);
  expect_refusal(s, "element has 3 numbers, not 4 per element");
  mjs_setInt(spoiled(&s, 3)->elem, one, 0);
  expect_refusal(s, "there are no elements");
}

static void bodies_are_checked(void** state) {
  (void)state;
  mjSpec* s;
  mjs_appendString(spoiled(&s, 3)->vertbody, "b7");
  expect_refusal(s, "flex \"f\": body: there is no body named \"b7\"; did you mean");
  mjs_setStringVec(spoiled(&s, 3)->vertbody, "b0");
  expect_refusal(s, "1 vertices are too few; elements have 4");
  mjs_setStringVec(spoiled(&s, 3)->vertbody, "");
  expect_refusal(s, "neither body nor node says what it moves with");
  mjs_setDouble(spoiled(&s, 3)->vert, tetrahedron[0], 9);
  expect_refusal(s, "4 bodies for 3 vertices; give one for each or one for all");
  mjs_setDouble(spoiled(&s, 3)->vert, tetrahedron[0], 10);
  expect_refusal(s, "vertex has 10 numbers, not 3 per vertex");
  mjsFlex* flex = spoiled(&s, 2);
  mjs_setInt(flex->elem, one, 3);
  flex->elastic2d = 1;
  mjs_setDouble(flex->vert, tetrahedron[0], 12);
  mjs_setStringVec(flex->vertbody, "b0 b1 b2 world");
  expect_refusal(s, "bending needs three joints in the body of every vertex");
}

// The reference ends the program if one body is given for all vertices.
static void control_points_need_a_body_for_every_vertex(void** state) {
  (void)state;
  mjSpec* s;
  mjsFlex* flex = spoiled(&s, 3);
  mjs_setStringVec(flex->nodebody, "b0 b1 b2 b3 b0 b1 b2 b3");
  expect_refusal(s, "interpolated flexes do not collide with themselves");
  flex = spoiled(&s, 3);
  flex->selfcollide = mjFLEXSELF_NONE;
  mjs_setStringVec(flex->nodebody, "b0 b1 b2");
  expect_refusal(s, "node has 3 bodies; interpolation needs 8 or 27");
  flex = spoiled(&s, 3);
  flex->selfcollide = mjFLEXSELF_NONE;
  mjs_setStringVec(flex->nodebody, "b0 b1 b2 b3 b0 b1 b2 b3");
  mjs_setStringVec(flex->vertbody, "world");
  mjs_setDouble(flex->vert, tetrahedron[0], 12);
  expect_refusal(s, "1 bodies for 4 vertices; with control points, body names one for each");
  flex = spoiled(&s, 3);
  flex->selfcollide = mjFLEXSELF_NONE;
  flex->young = 1;
  mjs_setStringVec(flex->nodebody, "b0 b1 b2 b3 b0 b1 b2 b3");
  expect_refusal(s, "1 elements are too few: with 8 nodes elasticity needs 28");
}

static void texture_coordinates_are_checked(void** state) {
  (void)state;
  static const float uv[8] = {0, 0, 1, 0, 0, 1, 1, 1};
  static const int outside[4] = {0, 1, 2, 4};
  mjSpec* s;
  mjs_setFloat(spoiled(&s, 3)->texcoord, uv, 6);
  expect_refusal(s, "texcoord has 6 numbers, not 2 for each of 4 vertices");
  mjsFlex* flex = spoiled(&s, 3);
  mjs_setFloat(flex->texcoord, uv, 8);
  mjs_setInt(flex->elemtexcoord, outside, 4);
  expect_refusal(s, "elemtexcoord has 4; there are 4 texture coordinates, counted from 0");
  flex = spoiled(&s, 3);
  mjs_setFloat(flex->texcoord, uv, 8);
  mjs_setInt(flex->elemtexcoord, one, 2);
  expect_refusal(s, "elemtexcoord has 2 numbers, not 4 for each of 1 elements");
}

static void equalities_of_flexes_are_checked(void** state) {
  (void)state;
  mjSpec* s = mj_makeSpec();
  add_mover(s, 0, tetrahedron[0]);
  mjsFlex* flex = mjs_addFlex(s);
  mjs_setName(flex->element, "f");
  mjs_appendString(flex->vertbody, "b0");
  mjs_setDouble(flex->vert, tetrahedron[0], 9);
  mjs_setInt(flex->elem, one, 3);
  mjsEquality* equality = mjs_addEquality(s, NULL);
  equality->type = mjEQ_FLEX;
  mjs_setString(equality->name1, "g");
  assert_null(mj_compile(s, NULL));
  assert_non_null(strstr(mjs_getError(s), "there is no flex named \"g\""));
  mjs_setString(equality->name1, "f");
  expect_refusal(s, "flex \"f\" is rigid: it has nothing to constrain");
}

// Editing

static void a_flex_that_is_deleted_is_gone(void** state) {
  (void)state;
  mjSpec* s;
  mjsFlex* flex = spoiled(&s, 3);
  assert_int_equal(mjs_delete(s, flex->element), 0);
  mjModel* m = compiled(s);
  assert_int_equal(m->nflex, 0);
  assert_int_equal(m->nbody, 5);
  mj_deleteModel(m);
}

static void a_flex_whose_body_is_deleted_is_refused(void** state) {
  (void)state;
  mjSpec* s;
  spoiled(&s, 3);
  mjs_delete(s, mjs_findBody(s, "b2")->element);
  expect_refusal(s, "flex \"f\": body: there is no body named \"b2\"");
}

// As in the reference, the name of the flex has no prefix.
static void an_attached_flex_follows_its_bodies(void** state) {
  (void)state;
  mjSpec* child = mj_makeSpec();
  mjsBody* root = add_body(world_of(child), "root", 0, 0, 1);
  for (int i = 0; i < 3; i++) {
    char name[16];
    snprintf(name, sizeof(name), "v%d", i);
    mjsBody* body = add_body(root, name, i, i * i, 0);
    add_joint(body, NULL, mjJNT_SLIDE, 0, 0, 1);
    add_geom(body, NULL, mjGEOM_SPHERE, 0.1, 0, 0);
  }
  mjsFlex* flex = mjs_addFlex(child);
  mjs_setName(flex->element, "f");
  mjs_setStringVec(flex->vertbody, "v0 v1 v2");
  mjs_setInt(flex->elem, one, 3);

  mjSpec* s = mj_makeSpec();
  mjsFrame* frame = mjs_addFrame(world_of(s), NULL);
  assert_non_null(mjs_attach(frame->element, root->element, "p_", ""));
  mjModel* m = compiled(s);
  assert_int_equal(m->nflex, 1);
  assert_string_equal(mj_id2name(m, mjOBJ_FLEX, 0), "f");
  for (int i = 0; i < 3; i++) {
    char name[16];
    snprintf(name, sizeof(name), "p_v%d", i);
    assert_string_equal(mj_id2name(m, mjOBJ_BODY, m->flex_vertbodyid[i]), name);
  }
  mj_deleteModel(m);
  mj_deleteSpec(child);
}

// The reference asks for the square of the dofs, 9 GB here.
static void a_large_cloth_asks_for_a_sane_amount_of_memory(void** state) {
  (void)state;
  mjModel* m = text_model(
      "<mujoco><worldbody><flexcomp name='f' type='grid' dim='2' count='70 70 1'"
      " spacing='.05 .05 .05' radius='.01'/></worldbody></mujoco>");
  assert_true(m->nv == 14700 && m->narena == (mjtSize)1 << 30);
  mj_deleteModel(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_tetrahedron_is_turned_outwards_and_gets_its_stiffness),
      cmocka_unit_test(a_triangle_gets_stiffness_against_stretch),
      cmocka_unit_test(two_triangles_get_stiffness_against_bending),
      cmocka_unit_test(control_points_share_one_matrix),
      cmocka_unit_test(R20_8_a_grid_of_25_vertices_has_56_edges),
      cmocka_unit_test(the_tree_has_every_element_once),
      cmocka_unit_test(a_solid_without_active_layers_has_no_tree_but_a_size),
      cmocka_unit_test(vertices_of_one_body_are_rigid),
      cmocka_unit_test(elements_without_volume_cannot_be_elastic),
      cmocka_unit_test(inverted_elements_are_turned),
      cmocka_unit_test(values_are_checked),
      cmocka_unit_test(elements_are_checked),
      cmocka_unit_test(bodies_are_checked),
      cmocka_unit_test(control_points_need_a_body_for_every_vertex),
      cmocka_unit_test(texture_coordinates_are_checked),
      cmocka_unit_test(equalities_of_flexes_are_checked),
      cmocka_unit_test(a_flex_that_is_deleted_is_gone),
      cmocka_unit_test(a_flex_whose_body_is_deleted_is_refused),
      cmocka_unit_test(an_attached_flex_follows_its_bodies),
      cmocka_unit_test(a_large_cloth_asks_for_a_sane_amount_of_memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
