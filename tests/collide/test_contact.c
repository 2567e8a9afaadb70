// Parameters of contacts (R24 to R27), which pairs are looked at, order, callbacks, full arenas.

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "host/pair_functions.h"
#include "math/scalar.h"
#include "support/fail.h"
#include "support/messages.h"
#include "support/states.h"

typedef struct {
  mjModel* m;
  mjData* d;
} World;

static World make_world(const char* xml) {
  char error[300] = "";
  World w;
  mjSpec* spec = mj_parseXMLString(xml, NULL, error, sizeof(error));
  if (!spec) fail_msg("%s", error);
  w.m = mj_compile(spec, NULL);
  if (!w.m) fail_msg("%s", mjs_getError(spec));
  mj_deleteSpec(spec);
  w.d = mj_makeData(w.m);
  mj_kinematics(w.m, w.d);
  mj_comPos(w.m, w.d);
  mj_collision(w.m, w.d);
  return w;
}

static void free_world(World w) {
  mj_deleteData(w.d);
  mj_deleteModel(w.m);
}

// Two spheres that touch, with the given attributes, and what else the model has.
static World two_spheres(const char* first, const char* second, const char* rest) {
  char xml[1000];
  snprintf(xml, sizeof(xml),
           "<mujoco><worldbody>"
           "<body name='a'><freejoint/><geom name='a' size='.1' %s/></body>"
           "<body name='b' pos='.15 0 0'><freejoint/><geom name='b' size='.1' %s/></body>"
           "</worldbody>%s</mujoco>",
           first, second, rest);
  return make_world(xml);
}

static void expect_numbers(const mjtNum* got, int n, const double* want) {
  for (int i = 0; i < n; i++) {
    if (!(ct_abs(got[i] - (mjtNum)want[i]) <= PRECISION(1e-12, 1e-6))) {
      fail_msg("number %d is %g, not %g", i, (double)got[i], want[i]);
    }
  }
}

#define EXPECT_NUMBERS(got_, ...)                                       \
  do {                                                                  \
    const double want_[] = {__VA_ARGS__};                               \
    expect_numbers(got_, (int)(sizeof(want_) / sizeof(double)), want_); \
  } while (0)

static void friction_is_the_larger_R24(void** state) {
  (void)state;
  World w = two_spheres("friction='.3 .01 .0002'", "friction='.7 .003 .0001'", "");
  assert_int_equal(w.d->ncon, 1);
  EXPECT_NUMBERS(w.d->contact[0].friction, .7, .7, .01, .0002, .0002);
  free_world(w);
  w = two_spheres("friction='0 0 0'", "friction='0 0 0'", "");
  EXPECT_NUMBERS(w.d->contact[0].friction, 1e-5, 1e-5, 1e-5, 1e-5, 1e-5);
  free_world(w);
}

static void higher_priority_decides_alone_R25(void** state) {
  (void)state;
  World w = two_spheres("priority='1' condim='1' friction='.2 .1 .1' solref='.1 2'",
                        "condim='6' friction='.9 .2 .2' solimp='.5 .6 .01'", "");
  const mjContact* c = w.d->contact;
  assert_int_equal(c->dim, 1);
  EXPECT_NUMBERS(c->friction, .2, .2, .1, .1, .1);
  EXPECT_NUMBERS(c->solref, .1, 2);
  EXPECT_NUMBERS(c->solimp, .9, .95, .001);
  free_world(w);
}

static void solver_parameters_mix_by_weight_R26(void** state) {
  (void)state;
  World w = two_spheres("solmix='3' solref='.02 1'", "solmix='1' solref='.06 2'", "");
  EXPECT_NUMBERS(w.d->contact[0].solref, .03, 1.25);
  free_world(w);
  w = two_spheres("solmix='0' solref='.02 1'", "solmix='0' solref='.06 2'", "");
  EXPECT_NUMBERS(w.d->contact[0].solref, .04, 1.5);
  free_world(w);
  w = two_spheres("solmix='0' solref='.02 1'", "solmix='1' solref='.06 2'", "");
  EXPECT_NUMBERS(w.d->contact[0].solref, .06, 2);
  free_world(w);
  w = two_spheres("solref='-100 -5'", "solref='.06 2'", "");
  EXPECT_NUMBERS(w.d->contact[0].solref, -100, -5);
  free_world(w);
}

static void margins_and_gaps_add_up_R27_1(void** state) {
  (void)state;
  World w = two_spheres("margin='.01' gap='.002'", "margin='.02' gap='.003'", "");
  EXPECT_NUMBERS(&w.d->contact[0].includemargin, .025);
  free_world(w);
  w = two_spheres("margin='.01'", "",
                  "<option o_margin='.5' o_solref='.3 .4' o_friction='2 3 4 5 6'>"
                  "<flag override='enable'/></option>");
  const mjContact* c = w.d->contact;
  EXPECT_NUMBERS(&c->includemargin, .5);
  EXPECT_NUMBERS(c->friction, 2, 3, 4, 5, 6);
  EXPECT_NUMBERS(c->solref, .3, .4);
  EXPECT_NUMBERS(c->solreffriction, .3, .4);
  free_world(w);
}

static void a_sphere_within_the_margin_of_a_plane_has_a_contact_R27_2(void** state) {
  (void)state;
  World w = make_world(
      "<mujoco><worldbody><geom type='plane' size='1 1 1' margin='.002'/>"
      "<body pos='0 0 .101'><freejoint/><geom size='.1' margin='.002'/></body>"
      "</worldbody></mujoco>");
  assert_int_equal(w.d->ncon, 1);
  EXPECT_NUMBERS(&w.d->contact[0].dist, .001);
  EXPECT_NUMBERS(&w.d->contact[0].includemargin, .004);
  assert_int_equal(w.d->contact[0].exclude, 0);
  mj_forward(w.m, w.d);
  assert_true(w.d->qfrc_constraint[2] > 0);
  free_world(w);
}

static void a_contact_in_the_gap_is_excluded_R27_3(void** state) {
  (void)state;
  World w = make_world(
      "<mujoco><worldbody><geom type='plane' size='1 1 1'/>"
      "<body pos='0 0 .103'><freejoint/><geom size='.1' margin='.004' gap='.002'/></body>"
      "</worldbody></mujoco>");
  assert_int_equal(w.d->ncon, 1);
  assert_int_equal(w.d->contact[0].exclude, 1);
  mj_forward(w.m, w.d);
  assert_int_equal(w.d->ncon, 1);
  assert_int_equal(w.d->nefc, 0);
  for (int i = 0; i < 6; i++) assert_true(w.d->qfrc_constraint[i] == 0);
  free_world(w);
}

// A sphere that moves and spins, at five distances from a plane; forces are the reference's.
static void force_ends_where_the_gap_begins_R27_5(void** state) {
  (void)state;
  SKIP_IN_SINGLE_PRECISION();  // the last distance is the margin, up to rounding
  const struct {
    double distance;
    int rows;
    double x, z, pitch;  // of qfrc_constraint
  } cases[] = {
      {-.002, 4, -24.926354731889504, 175.1731119690641, 2.4677091184570608},
      {-.001, 4, -24.692033080926816, 164.70113645709813, 2.456857291552218},
      {0, 4, -24.460088787073968, 154.22916094513332, 2.4460088787073966},
      {.0015, 4, -24.11657518704069, 138.52119767718358, 2.42974495009435},
      {.003, 0, 0, 0, 0},
  };
  World w = make_world(
      "<mujoco><worldbody><geom type='plane' size='1 1 1'/>"
      "<body pos='0 0 .1'><freejoint/><geom size='.1' margin='.004' gap='.001'/></body>"
      "</worldbody></mujoco>");
  for (int i = 0; i < 5; i++) {
    const mjtNum velocity[6] = {(mjtNum).3, 0, (mjtNum)-.2, 0, 1, 0};
    const mjtNum want[6] = {(mjtNum)cases[i].x, 0, (mjtNum)cases[i].z, 0, (mjtNum)cases[i].pitch};
    mj_resetData(w.m, w.d);
    w.d->qpos[2] = (mjtNum)(.1 + cases[i].distance);
    mju_copy(w.d->qvel, velocity, 6);
    mj_forward(w.m, w.d);
    assert_int_equal(w.d->ncon, 1);
    assert_int_equal(w.d->nefc, cases[i].rows);
    expect_close("qfrc_constraint", w.d->qfrc_constraint, want, 6, 1e-8);
  }
  free_world(w);
}

// Pyramids, cones and contacts without friction.
static void rows_of_a_contact_have_its_margin_R27_6(void** state) {
  (void)state;
  for (int kind = 0; kind < 3; kind++) {
    World w = make_world(
        "<mujoco><worldbody><geom type='plane' size='1 1 1' condim='1' margin='.003'/>"
        "<body pos='0 0 .1'><freejoint/><geom size='.1' condim='3' margin='.004' gap='.001'/>"
        "</body></worldbody></mujoco>");
    if (kind == 2) w.m->geom_condim[1] = 1;
    w.m->opt.cone = kind == 1 ? mjCONE_ELLIPTIC : mjCONE_PYRAMIDAL;
    mj_forward(w.m, w.d);
    const int rows[] = {4, 3, 1};
    assert_int_equal(w.d->nefc, rows[kind]);
    EXPECT_NUMBERS(&w.d->contact[0].includemargin, .006);
    assert_true(w.d->efc_margin[w.d->contact[0].efc_address] == w.d->contact[0].includemargin);
    free_world(w);
  }
}

static void a_predefined_pair_has_its_own_parameters_R27_4(void** state) {
  (void)state;
  World w = two_spheres("margin='.3' friction='.9'", "condim='6'",
                        "<contact><pair geom1='b' geom2='a' margin='.01' gap='.005' "
                        "friction='.1 .2 .3 .4 .5' condim='4' solreffriction='.7 .8'/></contact>");
  const mjContact* c = w.d->contact;
  assert_int_equal(w.d->ncon, 1);
  EXPECT_NUMBERS(&c->includemargin, .005);
  EXPECT_NUMBERS(c->friction, .1, .2, .3, .4, .5);
  EXPECT_NUMBERS(c->solreffriction, .7, .8);
  assert_int_equal(c->dim, 4);
  free_world(w);
}

static void masks_parents_and_exclusions_prevent_contacts(void** state) {
  (void)state;
  World w = two_spheres("contype='2' conaffinity='4'", "contype='1' conaffinity='1'", "");
  assert_int_equal(w.d->ncon, 0);
  free_world(w);
  w = two_spheres("contype='2' conaffinity='0'", "contype='0' conaffinity='2'", "");
  assert_int_equal(w.d->ncon, 1);
  free_world(w);
  w = two_spheres("", "", "<contact><exclude body1='b' body2='a'/></contact>");
  assert_int_equal(w.d->ncon, 0);
  free_world(w);
  const char* const nested =
      "<mujoco>%s<worldbody><body><freejoint/><geom size='.1'/><body pos='.1 0 0'><joint/>"
      "<geom size='.1'/></body></body></worldbody></mujoco>";
  char xml[500];
  snprintf(xml, sizeof(xml), nested, "");
  w = make_world(xml);
  assert_int_equal(w.d->ncon, 0);
  free_world(w);
  snprintf(xml, sizeof(xml), nested, "<option><flag filterparent='disable'/></option>");
  w = make_world(xml);
  assert_int_equal(w.d->ncon, 1);
  free_world(w);
}

// Bodies {box, sphere} and {sphere, box}: with trees the pairs are sorted by their geoms in order
// of type, without them they come as nested loops.
static void the_order_depends_on_the_mid_phase(void** state) {
  (void)state;
  const char* const bodies =
      "<mujoco>%s<worldbody>"
      "<body><freejoint/><geom type='box' size='.1 .1 .1'/><geom size='.1'/></body>"
      "<body><freejoint/><geom size='.1'/><geom type='box' size='.1 .1 .1'/></body>"
      "</worldbody></mujoco>";
  const int sorted[4][2] = {{0, 3}, {1, 2}, {1, 3}, {2, 0}};
  const int nested[4][2] = {{2, 0}, {0, 3}, {1, 2}, {1, 3}};
  for (int k = 0; k < 2; k++) {
    char xml[600];
    snprintf(xml, sizeof(xml), bodies, k ? "<option><flag midphase='disable'/></option>" : "");
    World w = make_world(xml);
    int pair = -1, last[2] = {-1, -1};
    for (int i = 0; i < w.d->ncon; i++) {
      const int* geom = w.d->contact[i].geom;
      if (geom[0] != last[0] || geom[1] != last[1]) pair++;
      assert_true(pair < 4);
      assert_int_equal(geom[0], k ? nested[pair][0] : sorted[pair][0]);
      assert_int_equal(geom[1], k ? nested[pair][1] : sorted[pair][1]);
      last[0] = geom[0];
      last[1] = geom[1];
    }
    assert_int_equal(pair, 3);
    free_world(w);
  }
}

static int nothing_collides(const mjModel* m, mjData* d, int geom1, int geom2) {
  (void)m;
  (void)d;
  (void)geom1;
  (void)geom2;
  return 1;
}

static int one_point(const mjModel* m, const mjData* d, mjContact* con, int g1, int g2,
                     mjtNum margin) {
  (void)m;
  (void)d;
  (void)g1;
  (void)g2;
  (void)margin;
  memset((void*)con, 0, sizeof(mjContact));
  con->dist = -1;
  con->frame[1] = 1;
  return 1;
}

static void callbacks_decide(void** state) {
  (void)state;
  World w = two_spheres("", "", "");
  assert_int_equal(w.d->ncon, 1);
  mjcb_contactfilter = nothing_collides;
  mj_collision(w.m, w.d);
  mjcb_contactfilter = NULL;
  assert_int_equal(w.d->ncon, 0);

  mjCOLLISIONFUNC[mjGEOM_SPHERE][mjGEOM_SPHERE] = one_point;
  mj_collision(w.m, w.d);
  mjCOLLISIONFUNC[mjGEOM_SPHERE][mjGEOM_SPHERE] = mjc_SphereSphere;
  assert_int_equal(w.d->ncon, 1);
  EXPECT_NUMBERS(&w.d->contact[0].dist, -1);
  EXPECT_NUMBERS(w.d->contact[0].frame, 0, 1, 0);
  assert_int_equal(w.d->contact[0].dim, 3);
  free_world(w);
}

// The corners of the area where two boxes touch, as the reference's mjc_Convex gives them. Boxes
// come to it only through the table of functions, and then with all corners, not four.
static void boxes_as_convex_shapes_have_all_corners(void** state) {
  (void)state;
  const double corner[6][2] = {{0.3, -0.08333333333333337},
                               {0.3, 0.09},
                               {0.2125, 0.3},
                               {0.18, 0.3},
                               {-0.16153846153846155, 0.1576923076923077},
                               {-0.007692307692307693, -0.21153846153846156}};
  mjfCollision before = mjCOLLISIONFUNC[mjGEOM_BOX][mjGEOM_BOX];
  mjCOLLISIONFUNC[mjGEOM_BOX][mjGEOM_BOX] = mjc_Convex;
  World w = make_world(
      "<mujoco><worldbody><body><freejoint/><geom type='box' size='.3 .3 .3'/></body>"
      "<body pos='.1 .05 .49' quat='1 0 0 .2'><freejoint/><geom type='box' size='.2 .2 .2'/></body>"
      "</worldbody></mujoco>");
  mjCOLLISIONFUNC[mjGEOM_BOX][mjGEOM_BOX] = before;
  assert_int_equal(w.d->ncon, 6);
  for (int i = 0; i < 6; i++) {
    const double want[3] = {corner[i][0], corner[i][1], 0.295}, dist[1] = {-0.01};
    expect_numbers(w.d->contact[i].pos, 3, want);
    expect_numbers(&w.d->contact[i].dist, 1, dist);
  }
  free_world(w);
}

// A hand that the user moves pushes a ball, meets no wall and no other hand, and has no dofs.
static void mocap_bodies_collide_but_do_not_move_R14_2(void** state) {
  (void)state;
  World w = make_world(
      "<mujoco><option gravity='0 0 0'/><worldbody><geom type='box' size='.1 .1 .1' pos='0 .15 0'/>"
      "<body mocap='true'><geom name='hand' size='.1'/></body>"
      "<body mocap='true' pos='0 -.15 0'><geom size='.1'/></body>"
      "<body pos='.3 0 0'><freejoint/><geom name='ball' size='.1' mass='2'/></body>"
      "</worldbody></mujoco>");
  assert_true(w.m->nmocap == 2 && w.m->nv == 6 && w.d->ncon == 0);
  w.d->mocap_pos[0] = (mjtNum)0.15;
  for (int i = 0; i < 100; i++) {
    mj_step(w.m, w.d);
    if (i > 0) continue;
    assert_int_equal(w.d->ncon, 1);
    assert_int_equal(w.d->contact[0].geom[0], mj_name2id(w.m, mjOBJ_GEOM, "hand"));
    assert_int_equal(w.d->contact[0].geom[1], mj_name2id(w.m, mjOBJ_GEOM, "ball"));
    assert_true(w.d->qacc[0] > 0 && w.d->qacc[1] == 0);
  }
  mjtNum M[36];
  mj_fullM(w.m, M, w.d->M);
  assert_true(M[0] == 2 && M[7] == 2);
  assert_true(w.d->qvel[0] > 0 && w.d->qpos[0] > (mjtNum)0.35);
  assert_true(w.d->mocap_pos[0] == (mjtNum)0.15 && w.d->xpos[3] == (mjtNum)0.15);
  free_world(w);
}

// A plane is a box that reaches 1e10 down, so boxes are compared with a precision of 1e-6 there. A
// box on one of its corners, at a height where that does not matter and at one where it does: the
// numbers are the reference's.
static void planes_at_height_zero_miss_no_contact_however_shallow(void** state) {
  (void)state;
  SKIP_IN_SINGLE_PRECISION();
  SKIP_IN_FAST_BUILD();
  const struct {
    double height, depth;
    int touching;  // of 500 orientations
  } cases[] = {{0, 1e-8, 500}, {0, 1e-7, 500}, {.7, 1e-8, 396}, {.7, 1e-7, 437}, {.7, 1e-6, 500}};
  for (int i = 0; i < 5; i++) {
    int touching = 0;
    char xml[300];
    snprintf(xml, sizeof(xml),
             "<mujoco><worldbody><geom type='plane' size='1 1 1' pos='0 0 %g'/><body><freejoint/>"
             "<geom type='box' size='.1 .2 .3'/><geom size='.01'/></body></worldbody></mujoco>",
             cases[i].height);
    World w = make_world(xml);
    for (int k = 0; k < 500; k++) {
      mjtNum *q = w.d->qpos + 3, mat[9];
      q[0] = (mjtNum)cos(k);
      q[1] = (mjtNum)sin(2 * k);
      q[2] = (mjtNum)cos(3 * k);
      q[3] = (mjtNum)sin(5 * k);
      mju_normalize4(q);
      mju_quat2Mat(mat, q);
      mjtNum reach =
          ct_abs(mat[6]) * (mjtNum).1 + ct_abs(mat[7]) * (mjtNum).2 + ct_abs(mat[8]) * (mjtNum).3;
      w.d->qpos[2] = (mjtNum)cases[i].height + reach - (mjtNum)cases[i].depth;
      mj_forward(w.m, w.d);
      touching += w.d->ncon > 0;
    }
    if (touching != cases[i].touching) {
      fail_msg("%d of 500 touch at height %g, expected %d", touching, cases[i].height,
               cases[i].touching);
    }
    free_world(w);
  }
}

// Disabled constraints or contacts mean none.
static void flags_disable_contacts(void** state) {
  (void)state;
  World w = two_spheres("", "", "");
  w.m->opt.disableflags = mjDSBL_CONTACT;
  mj_collision(w.m, w.d);
  assert_int_equal(w.d->ncon, 0);
  w.m->opt.disableflags = mjDSBL_CONSTRAINT;
  mj_collision(w.m, w.d);
  assert_int_equal(w.d->ncon, 0);
  free_world(w);
}

// Room for one pair is always asked for, so the second pair finds none.
static void a_full_arena_is_a_warning(void** state) {
  (void)state;
  SKIP_IN_SINGLE_PRECISION();  // seven boxes find room there
  World w = make_world(
      "<mujoco><size memory='40K'/><worldbody><geom type='plane' size='1 1 1'/>"
      "<body><freejoint/><geom type='box' size='.1 .1 .1'/></body>"
      "<body pos='1 0 0'><freejoint/><geom type='box' size='.1 .1 .1'/></body>"
      "<body pos='2 0 0'><freejoint/><geom type='box' size='.1 .1 .1'/></body>"
      "<body pos='3 0 0'><freejoint/><geom type='box' size='.1 .1 .1'/></body>"
      "<body pos='4 0 0'><freejoint/><geom type='box' size='.1 .1 .1'/></body>"
      "<body pos='5 0 0'><freejoint/><geom type='box' size='.1 .1 .1'/></body>"
      "<body pos='6 0 0'><freejoint/><geom type='box' size='.1 .1 .1'/></body>"
      "</worldbody></mujoco>");
  expect_one_warning("contact");
  assert_true(w.d->ncon < 28);
  assert_true(w.d->ncon >= 4);
  assert_int_equal(w.d->warning[mjWARN_CONTACTFULL].lastinfo, w.d->ncon);
  assert_int_equal(w.d->warning[mjWARN_CONTACTFULL].number, 7 - w.d->ncon / 4);
  free_world(w);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(friction_is_the_larger_R24),
      cmocka_unit_test(higher_priority_decides_alone_R25),
      cmocka_unit_test(solver_parameters_mix_by_weight_R26),
      cmocka_unit_test(margins_and_gaps_add_up_R27_1),
      cmocka_unit_test(a_sphere_within_the_margin_of_a_plane_has_a_contact_R27_2),
      cmocka_unit_test(a_contact_in_the_gap_is_excluded_R27_3),
      cmocka_unit_test(a_predefined_pair_has_its_own_parameters_R27_4),
      cmocka_unit_test(force_ends_where_the_gap_begins_R27_5),
      cmocka_unit_test(rows_of_a_contact_have_its_margin_R27_6),
      cmocka_unit_test(masks_parents_and_exclusions_prevent_contacts),
      cmocka_unit_test(the_order_depends_on_the_mid_phase),
      cmocka_unit_test(callbacks_decide),
      cmocka_unit_test(boxes_as_convex_shapes_have_all_corners),
      cmocka_unit_test(mocap_bodies_collide_but_do_not_move_R14_2),
      cmocka_unit_test(planes_at_height_zero_miss_no_contact_however_shallow),
      cmocka_unit_test(flags_disable_contacts),
      cmocka_unit_test_setup_teardown(a_full_arena_is_a_warning, listen_to_messages,
                                      stop_listening),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
