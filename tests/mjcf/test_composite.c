// R30.1: cables. Names and numbers as the reference has them; what the reference cannot make is
// refused with a reason.

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

#include "support/fail.h"
#include "support/idle_plugin.h"

#define CAPSULE "<geom type='capsule' size='.01'/>"
#define CABLE(attributes_, inside_)                                     \
  "<mujoco><worldbody><composite type='cable' " attributes_ ">" inside_ \
  "</composite>"                                                        \
  "</worldbody></mujoco>"

static mjModel* load(const char* text) {
  char error[1000] = "";
  mjSpec* spec = mj_parseXMLString(text, NULL, error, sizeof(error));
  if (!spec) fail_msg("%s\nis refused: %s", text, error);
  mjModel* m = mj_compile(spec, NULL);
  if (!m) fail_msg("%s\ndoes not compile: %s", text, mjs_getError(spec));
  mj_deleteSpec(spec);
  return m;
}

static void refuse(const char* text, const char* words) {
  char error[1000] = "";
  mjSpec* spec = mj_parseXMLString(text, NULL, error, sizeof(error));
  if (spec) {
    mjModel* m = mj_compile(spec, NULL);
    snprintf(error, sizeof(error), "%s", m ? "(compiled)" : mjs_getError(spec));
    mj_deleteModel(m);
    mj_deleteSpec(spec);
  }
  if (!strstr(error, words)) fail_msg("%s\nexpected \"%s\", got \"%s\"", text, words, error);
}

static void near(mjtNum found, double expected) {
  double tolerance = sizeof(mjtNum) == 8 ? 2e-15 : 2e-7;
  if (!(fabs((double)found - expected) <= tolerance))
    fail_msg("expected %.17g, got %.17g", expected, (double)found);
}

static void near_all(const mjtNum* found, const double* expected, int n) {
  for (int i = 0; i < n; i++) near(found[i], expected[i]);
}

// Geometry

static void a_cable_follows_given_vertices(void** state) {
  (void)state;
  static const double quats[3][4] = {
      {0.08629157354817635, 0.7913181301836249, 0.27917696464290376, 0.5370564249592833},
      {0.9219149106004128, 0, 0, 0.3873924336027137},
      {0.5581568898351947, 0, -0.7314221467368394, -0.3917684642647695}};
  mjModel* m = load(CABLE("prefix='A' vertex='0 0 0 .1 .2 .3 .3 .1 .7 .9 .8 .1'", CAPSULE));
  assert_int_equal(m->nbody, 4);
  assert_int_equal(mj_name2id(m, mjOBJ_BODY, "AB_first"), 1);
  assert_int_equal(mj_name2id(m, mjOBJ_BODY, "AB_1"), 2);
  assert_int_equal(mj_name2id(m, mjOBJ_BODY, "AB_last"), 3);
  near(m->body_pos[6], 0.37416575022665244);
  near(m->body_pos[9], 0.45825755681395497);
  for (int i = 0; i < 3; i++) near_all(m->body_quat + 4 * (i + 1), quats[i], 4);
  near(m->geom_size[1], 0.18708287511332622);
  near(m->geom_size[4], 0.22912877840697748);
  near(m->geom_size[7], 0.5499999767000027);
  mj_deleteModel(m);
}

static void a_cable_follows_a_curve(void** state) {
  (void)state;
  static const double quat[4] = {0.3024908617897110, 0.3223281338544285, 0.1095167935607595,
                                 0.8902864283969567};
  mjModel* m = load(CABLE("count='5' curve='cos(s) sin(s) s' size='1 .3 2'", CAPSULE));
  near(m->body_pos[3], 0.30000001192092896);
  near_all(m->body_quat + 4, quat, 4);
  near(m->body_pos[6], 0.49244290461444873);
  mj_deleteModel(m);
}

static void a_blank_behind_the_curve_repeats_its_last_word(void** state) {
  (void)state;
  mjModel* m = load(CABLE("count='5' curve='s '", CAPSULE));
  near(m->body_pos[6], 0.3535533905932738);
  mj_deleteModel(m);
}

// Names and parts

static void the_first_joint_is_free_ball_or_none(void** state) {
  (void)state;
  mjModel* m = load(CABLE("count='5' curve='s' initial='free'",
                          CAPSULE "<joint kind='main' damping='1' armature='2'/>"));
  assert_int_equal(m->jnt_type[0], mjJNT_FREE);
  assert_int_equal(m->jnt_type[1], mjJNT_BALL);
  near(m->dof_damping[0], 0);
  near(m->dof_armature[0], 0);
  near(m->dof_damping[6], 1);
  mj_deleteModel(m);
  m = load(CABLE("count='5' curve='s' initial='none'", CAPSULE));
  assert_int_equal(m->njnt, 3);
  assert_int_equal(mj_name2id(m, mjOBJ_JOINT, "J_first"), -1);
  assert_int_equal(mj_name2id(m, mjOBJ_JOINT, "J_last"), 2);
  mj_deleteModel(m);
  m = load(CABLE("count='5' curve='s' initial='anything'", CAPSULE));
  assert_int_equal(m->jnt_type[0], mjJNT_BALL);
  mj_deleteModel(m);
}

static void parts_are_named_after_the_prefix(void** state) {
  (void)state;
  mjModel* m = load(CABLE("prefix='p' count='5' curve='s'", CAPSULE));
  assert_string_equal(mj_id2name(m, mjOBJ_GEOM, 0), "pG0");
  assert_string_equal(mj_id2name(m, mjOBJ_GEOM, 3), "pG3");
  assert_string_equal(mj_id2name(m, mjOBJ_SITE, 0), "pS_first");
  assert_string_equal(mj_id2name(m, mjOBJ_SITE, 1), "pS_last");
  assert_string_equal(mj_id2name(m, mjOBJ_TEXT, 0), "composite_p");
  assert_string_equal(m->text_data, "rope_p");
  assert_int_equal(m->nexclude, 3);
  assert_int_equal(m->exclude_signature[0], (1 << 16) + 2);
  mj_deleteModel(m);
}

static void a_cable_of_two_vertices_is_one_body(void** state) {
  (void)state;
  mjModel* m = load(CABLE("count='2' curve='s'", CAPSULE));
  assert_int_equal(m->nbody, 2);
  assert_int_equal(m->nsite, 1);
  near(m->site_pos[0], 1);
  assert_int_equal(m->nexclude, 0);
  mj_deleteModel(m);
}

static void limited_is_not_even_looked_at(void** state) {
  (void)state;
  mjModel* m =
      load(CABLE("count='5' curve='s'", CAPSULE "<joint kind='main' limited='what' range='0 9'/>"));
  assert_int_equal(m->jnt_limited[0], 1);
  assert_int_equal(m->jnt_group[0], 3);
  mj_deleteModel(m);
}

// Skins

static void a_cable_of_boxes_has_a_skin(void** state) {
  (void)state;
  mjModel* m = load(CABLE("prefix='b' count='4' curve='s'", "<geom type='box' size='.1 .2 .3'/>"));
  assert_int_equal(m->nskin, 1);
  assert_string_equal(mj_id2name(m, mjOBJ_SKIN, 0), "bSkin");
  assert_int_equal(m->nskinvert, 16);
  assert_int_equal(m->nskinface, 28);
  assert_int_equal(m->nskinbone, 8);
  assert_true(m->skin_inflate[0] == 0.6f);
  assert_true(m->skin_bonebindpos[3 * 6] == -0.2f);
  assert_int_equal(m->skin_bonebodyid[7], 3);
  mj_deleteModel(m);
}

// Where rounding leaves 1e-17, bones have entries; the reference has the same number of them.
static void a_subgrid_spreads_weights_over_sixteen_bones(void** state) {
  (void)state;
  SKIP_IN_FAST_BUILD();
  static const struct {
    const char* text;
    int entries;
  } grids[] = {
      {CABLE("count='5' curve='s'", "<geom type='box' size='.1 .1 .1'/><skin subgrid='1'/>"), 342},
      {CABLE("count='5' curve='s'", "<geom type='box' size='.1 .1 .1'/><skin subgrid='2'/>"), 1066},
      {CABLE("count='5' curve='s'", "<geom type='box' size='.1 .1 .1'/><skin subgrid='4'/>"), 3480},
      {CABLE("count='5' curve='s'", "<geom type='box' size='.1 .1 .1'/><skin subgrid='9'/>"),
       15286},
  };
  for (size_t i = 0; i < sizeof(grids) / sizeof(grids[0]); i++) {
    mjModel* m = load(grids[i].text);
    assert_int_equal(m->nskinbonevert, grids[i].entries);
    mj_deleteModel(m);
  }
}

// Plugins

static void register_cable(void) {
  static const char* const attributes[] = {"twist", "bend", "flat", "vmax"};
  mjpPlugin plugin;
  make_idle_plugin(&plugin, "mujoco.elasticity.cable", attributes, 4, mjPLUGIN_PASSIVE);
  assert_true(mjp_registerPlugin(&plugin) >= 0);
}

#define ELASTIC(inside_)                                                            \
  "<mujoco><extension><plugin plugin='mujoco.elasticity.cable'><instance name='i'>" \
  "<config key='twist' value='10'/></instance></plugin></extension><worldbody>"     \
  "<composite type='cable' prefix='A' count='5' curve='s'>" CAPSULE inside_         \
  "</composite>"                                                                    \
  "</worldbody></mujoco>"

static void one_plugin_instance_serves_all_bodies(void** state) {
  (void)state;
  register_cable();
  mjModel* m = load(
      ELASTIC("<plugin plugin='mujoco.elasticity.cable'><config key='bend' value='3'/></plugin>"));
  assert_int_equal(m->nplugin, 2);
  assert_string_equal(mj_id2name(m, mjOBJ_PLUGIN, 1), "compositeA");
  assert_int_equal(m->body_plugin[0], -1);
  for (int i = 1; i < m->nbody; i++) assert_int_equal(m->body_plugin[i], 1);
  assert_memory_equal(m->plugin_attr, "10\0\0\0\0\0003\0\0", 10);
  mj_deleteModel(m);
  m = load(ELASTIC("<plugin plugin='mujoco.elasticity.cable' instance='i'/>"));
  assert_int_equal(m->nplugin, 1);
  assert_int_equal(m->body_plugin[4], 0);
  mj_deleteModel(m);
  refuse(ELASTIC("<plugin plugin='mujoco.elasticity.shell'/>"), "mujoco.elasticity.cable");
  refuse(ELASTIC("<plugin instance='i'/>"), "mujoco.elasticity.cable");
  refuse(ELASTIC("<plugin plugin='mujoco.elasticity.cable' instance='x'/>"),
         "no plugin named \"x\"");
}

// Refusals

static void R30_1_what_cannot_be_a_cable_is_refused(void** state) {
  (void)state;
  refuse(CABLE("count='1' curve='s'", CAPSULE), "2 vertices or more");
  refuse(CABLE("count='5 2' curve='s'", CAPSULE), "in one row");
  refuse(CABLE("count='1 5' curve='s'", CAPSULE), "in one row");
  refuse(CABLE("count='0' curve='s'", CAPSULE), "must be positive");
  refuse(CABLE("count='3' curve='s'", CAPSULE), "cable of 3 vertices");
  refuse(CABLE("count='2000000000' curve='s'", CAPSULE), "too long");
  refuse(CABLE("count='1100' curve='s'", CAPSULE), "1024 deep");
  refuse(CABLE("count='5' curve='s' size='0 0 0'", CAPSULE), "size is zero");
  refuse(CABLE("count='5' curve='s' size='nan'", CAPSULE), "not a number");
  refuse(CABLE("count='5' curve='t'", CAPSULE), "it can have s, cos(s), sin(s) or 0");
  refuse(CABLE("count='5' curve='s s s s'", CAPSULE), "1 to 3 words");
  refuse(CABLE("count='5' curve='  '", CAPSULE), "no words");
  refuse(CABLE("count='4' vertex='0 0 0 1 0 0'", CAPSULE), "both say how many");
  refuse(CABLE("vertex='0 0 0 0 0 0 0 0 0 0 0 0'", CAPSULE), "too close");
  refuse(CABLE("count='5' curve='s'", ""), "capsules, cylinders or boxes");
  refuse(CABLE("count='2' curve='s'", "<geom type='box' size='.1 .1 .1'/>"), "4 vertices or more");
  refuse(CABLE("count='5' curve='s'", CAPSULE "<joint kind='main'/><joint kind='main'/>"),
         "one kind of joint");
  refuse(CABLE("count='5' curve='s'", CAPSULE "<joint/>"), "kind is missing");
  refuse(CABLE("count='5' curve='s'", CAPSULE "<joint kind='main' solreffix='1 2 3'/>"),
         "solreffix takes 1 to 2 numbers");
  refuse(CABLE("count='5' curve='s'", CAPSULE "<skin group='6'/>"), "groups are 0 to 5");
  refuse(CABLE("count='5' curve='s'",
               "<geom type='box' size='.1 .1 .1'/><skin subgrid='2000000000'/>"),
         "is the most");
  refuse(CABLE("count='5' curve='s'", CAPSULE "</composite><composite type='cable' count='5' "
                                              "curve='s'>" CAPSULE),
         "has this name");
}

static void kinds_that_are_gone_name_what_to_use(void** state) {
  (void)state;
  refuse("<mujoco><worldbody><composite type='particle'/></worldbody></mujoco>", "use replicate");
  refuse("<mujoco><worldbody><composite type='rope'/></worldbody></mujoco>", "cable");
  refuse("<mujoco><worldbody><composite type='grid'/></worldbody></mujoco>", "use flexcomp");
  refuse("<mujoco><worldbody><composite type='loop'/></worldbody></mujoco>", "use flexcomp");
  refuse("<mujoco><worldbody><composite type='cloth'/></worldbody></mujoco>", "use flexcomp");
  refuse("<mujoco><worldbody><composite type='net'/></worldbody></mujoco>", "it can be particle");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_cable_follows_given_vertices),
      cmocka_unit_test(a_cable_follows_a_curve),
      cmocka_unit_test(a_blank_behind_the_curve_repeats_its_last_word),
      cmocka_unit_test(the_first_joint_is_free_ball_or_none),
      cmocka_unit_test(parts_are_named_after_the_prefix),
      cmocka_unit_test(a_cable_of_two_vertices_is_one_body),
      cmocka_unit_test(limited_is_not_even_looked_at),
      cmocka_unit_test(a_cable_of_boxes_has_a_skin),
      cmocka_unit_test(a_subgrid_spreads_weights_over_sixteen_bones),
      cmocka_unit_test(one_plugin_instance_serves_all_bodies),
      cmocka_unit_test(R30_1_what_cannot_be_a_cable_is_refused),
      cmocka_unit_test(kinds_that_are_gone_name_what_to_use),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
