// R30.2: URDF: refusals with file and line, and small documents whose spec or model can be
// foreseen. Whole files against the reference's models: tests/compile/test_recorded_models.c.

#include <math.h>
#include <mujoco/mujoco.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <corten/mjcf.h>

#include "mistakes.h"
#include "refused.h"
#include "spec/spec.h"

#define KEEP "<mujoco><compiler fusestatic='false' discardvisual='false'/></mujoco>"
#define BALL "<collision><geometry><sphere radius='.1'/></geometry></collision>"
#define TWO "<link name='a'>" BALL "</link><link name='b'>" BALL "</link>"
#define BETWEEN "<parent link='a'/><child link='b'/>"

static mjModel* compiled(const char* text) {
  char error[1000] = "";
  mjSpec* spec = mj_parseXMLString(text, NULL, error, sizeof(error));
  if (!spec) fail_msg("%s\nis refused: %s", text, error);
  mjModel* m = mj_compile(spec, NULL);
  if (!m) fail_msg("%s\nis not compiled: %s", text, mjs_getError(spec));
  mj_deleteSpec(spec);
  return m;
}

static void expect(const mjtNum* got, int n, const double* wanted) {
  const double tolerance = sizeof(mjtNum) == sizeof(double) ? 1e-12 : 1e-6;
  for (int i = 0; i < n; i++) {
    if (fabs((double)got[i] - wanted[i]) > tolerance)
      fail_msg("number %d is %.17g, expected %.17g", i, (double)got[i], wanted[i]);
  }
}
#define EXPECT(got_, ...)                                  \
  {                                                        \
    static const double wanted[] = {__VA_ARGS__};          \
    expect(got_, sizeof(wanted) / sizeof(double), wanted); \
  }

// Mistakes

static void expect_fine(const char* text) {
  mj_deleteModel(compiled(text));
}

static void R30_2_mistakes_get_the_reference_verdict_and_a_clear_message(void** state) {
  (void)state;
#define FINE(text_) expect_fine(text_);
#define REFUSED(text_, message_) assert_true(is_refused(text_, message_, true));
#include "urdf.def"
}

static void R30_2_a_message_names_file_and_line(void** state) {
  (void)state;
  const char* text =
      "<robot>\n<link name='a'>\n<collision>\n<geometry>\n<box size='1'/>"
      "</geometry></collision></link></robot>";
  mjVFS vfs;
  char error[1000] = "";
  mj_defaultVFS(&vfs);
  assert_int_equal(mj_addBufferVFS(&vfs, "r.urdf", text, (int)strlen(text)), 0);
  assert_null(mj_parseXML("r.urdf", &vfs, error, sizeof(error)));
  assert_string_equal(error, "r.urdf:5: box: size needs 3 numbers, got 1");
  mj_deleteVFS(&vfs);
}

static void count(void* arg, const char* message) {
  (void)message;
  (*(int*)arg)++;
}

static void R30_2_all_mistakes_of_a_file_are_listed(void** state) {
  (void)state;
  const char* text = ROBOT(
      "<link name='a'><collision/><collision/></link>"
      "<link name='b'><inertial/></link>");
  mjVFS vfs;
  int told = 0;
  mj_defaultVFS(&vfs);
  assert_int_equal(mj_addBufferVFS(&vfs, "r.urdf", text, (int)strlen(text)), 0);
  assert_int_equal(ct_check_mjcf("r.urdf", &vfs, count, &told), 3);
  assert_int_equal(told, 3);
  mj_deleteVFS(&vfs);
}

// Models

static void R30_2_inertia_is_read_in_the_axes_of_the_link(void** state) {
  (void)state;
  mjModel* m =
      compiled(ROBOT(
          KEEP "<link name='a'><inertial><origin rpy='.3 .2 .1'/><mass value='1'/>"
               "<inertia ixx='1' iyy='2' izz='2.5' ixy='.1' ixz='0' iyz='0'/></inertial></link>"));
  EXPECT(m->body_inertia + 3, 2.5, 2.009901951359278, 0.9900980486407213);
  EXPECT(m->body_iquat + 4, 0.034880773113313945, 0.7062459427614572, -0.034880773113313945,
         0.7062459427614572);
  mj_deleteModel(m);
}

static void R30_2_boxes_have_half_sizes_and_origins_turn_about_fixed_axes(void** state) {
  (void)state;
  mjModel* m = compiled(
      ROBOT("<link name='a'><collision><origin rpy='.3 .4 .5'/><geometry><box size='1 2 3'/>"
            "</geometry></collision></link>"));
  EXPECT(m->geom_size, .5, 1, 1.5);
  EXPECT(m->geom_quat, 0.9462808319656861, 0.0933065937729005, 0.2265663068902134,
         0.2109838268563661);
  mj_deleteModel(m);
}

static void R30_2_planar_is_two_slides_and_a_hinge(void** state) {
  (void)state;
  mjModel* m = compiled(ROBOT(TWO "<joint name='j' type='planar'>" BETWEEN
                                  "<axis xyz='0 1 1'/><limit lower='-1' upper='2' effort='-5'/>"
                                  "</joint>"));
  assert_int_equal(m->njnt, 3);
  assert_int_equal(mj_name2id(m, mjOBJ_JOINT, "j_TX"), 0);
  assert_int_equal(mj_name2id(m, mjOBJ_JOINT, "j_TY"), 1);
  assert_int_equal(mj_name2id(m, mjOBJ_JOINT, "j_RZ"), 2);
  EXPECT(m->jnt_axis, 1, 0, 0, 0, .7071067811865475, -.7071067811865476, 0, .7071067811865475,
         .7071067811865475);
  assert_true(m->jnt_limited[0] && !m->jnt_limited[1] && !m->jnt_limited[2]);
  EXPECT(m->jnt_actfrcrange, -5, 5, 0, 0, 0, 0);
  mj_deleteModel(m);
}

static void R30_2_scales_of_a_file_are_meshes_of_their_own(void** state) {
  (void)state;
#define SCALED(s_) \
  "<collision><geometry><mesh filename='x/m.stl' scale='" s_ "'/></geometry></collision>"
  char error[1000] = "";
  mjSpec* spec = mj_parseXMLString(ROBOT("<link name='a'>" SCALED("1 1 1") SCALED("2 2 2") SCALED(
                                       "2 2 2") SCALED("3 3 3") SCALED("1 1 1") "</link>"),
                                   NULL, error, sizeof(error));
  static const char* const meshes[] = {"m", "m1", "m", "m2", "m"};
  int i = 0;
  for (mjsElement* e = mjs_firstElement(spec, mjOBJ_GEOM); e; e = mjs_nextElement(spec, e)) {
    assert_string_equal(mjs_getString(mjs_asGeom(e)->meshname), meshes[i++]);
  }
  assert_int_equal(i, 5);
  assert_int_equal(ct_count(ct_spec(spec), mjOBJ_MESH), 3);
  mjsMesh* mesh = mjs_asMesh(mjs_findElement(spec, mjOBJ_MESH, "m2"));
  assert_string_equal(mjs_getString(mesh->file), "m.stl");
  mj_deleteSpec(spec);
}

// A chain of links, as text to be freed.
static char* chain(int links) {
  char* text = (char*)malloc((size_t)links * 200);
  size_t n = (size_t)sprintf(text, "<robot>" KEEP);
  for (int i = 0; i < links; i++) n += (size_t)sprintf(text + n, "<link name='%d'/>", i);
  for (int i = 1; i < links; i++) {
    n += (size_t)sprintf(text + n,
                         "<joint name='%d' type='fixed'><parent link='%d'/><child link='%d'/>"
                         "</joint>",
                         i, i - 1, i);
  }
  sprintf(text + n, "</robot>");
  return text;
}

static void R30_2_chains_have_as_many_links_as_bodies_nest(void** state) {
  (void)state;
  char* text = chain(1023);
  mjModel* m = compiled(text);
  assert_int_equal(m->nbody, 1024);
  mj_deleteModel(m);
  free(text);
  text = chain(20000);
  assert_true(is_refused(text, "link \"1023\": more than 1023 links in a row", true));
  free(text);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(R30_2_mistakes_get_the_reference_verdict_and_a_clear_message),
      cmocka_unit_test(R30_2_a_message_names_file_and_line),
      cmocka_unit_test(R30_2_all_mistakes_of_a_file_are_listed),
      cmocka_unit_test(R30_2_inertia_is_read_in_the_axes_of_the_link),
      cmocka_unit_test(R30_2_boxes_have_half_sizes_and_origins_turn_about_fixed_axes),
      cmocka_unit_test(R30_2_planar_is_two_slides_and_a_hinge),
      cmocka_unit_test(R30_2_scales_of_a_file_are_meshes_of_their_own),
      cmocka_unit_test(R30_2_chains_have_as_many_links_as_bodies_nest),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
