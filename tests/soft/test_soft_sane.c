// Where the reference reads memory that was never set or ends the program with flexes, corten has a
// result: docs/differences.md lists them. And oddities of the reference that corten shares.

#include <math.h>
#include <mujoco/mujoco.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "support/fail.h"
#include "support/states.h"
#include "support/text_models.h"

static mjModel* m;
static mjData* d;

static void open_model(const char* text) {
  m = text_model(text);
  d = mj_makeData(m);
}

static void close_model(void) {
  mj_deleteData(d);
  mj_deleteModel(m);
}

static void run(double time) {
  while ((double)d->time < time) mj_step(m, d);
  for (int i = 0; i < m->nq; i++) assert_true(isfinite((double)d->qpos[i]));
  assert_int_equal(d->warning[mjWARN_BADQACC].number, 0);
}

static void expect_heights(double low, double high) {
  for (int i = 0; i < m->nflexvert; i++) {
    double z = (double)d->flexvert_xpos[3 * i + 2];
    if (!(z >= low && z <= high)) fail_msg("vertex %d is at %g, not in %g .. %g", i, z, low, high);
  }
}

// The reference leaves the rows of rotations unwritten. Points do not rotate: their rows are zero.
static void contacts_of_four_and_six_dimensions_have_whole_rows(void** state) {
  (void)state;
  const char* cones[] = {"pyramidal", "elliptic"};
  for (int k = 0; k < 8; k++) {
    bool elliptic = k % 2, six = k / 2 % 2, sparse = k / 4;
    char text[1000];
    snprintf(
        text, sizeof(text),
        "<mujoco><option cone='%s' jacobian='%s'/><worldbody><geom type='plane' size='1 1 .1'/>"
        "<flexcomp name='c' type='grid' count='3 3 1' spacing='.1 .1 .1' pos='0 0 .012'"
        " radius='.01' mass='.2'><edge equality='true'/><contact condim='%d'"
        " selfcollide='none'/></flexcomp></worldbody></mujoco>",
        cones[elliptic], sparse ? "sparse" : "dense", six ? 6 : 4);
    open_model(text);
    run(0.5);
    assert_int_equal(d->ncon, 9);
    assert_int_equal(d->contact[0].dim, six ? 6 : 4);
    mjtNum product[500];
    assert_true(d->nefc <= 500);
    mj_mulJacVec(m, d, product, d->qvel);
    for (int i = 0; i < d->nefc; i++) assert_true(isfinite((double)product[i]));
    for (int i = 0; i < 9 && elliptic; i++) {  // torsion of an elliptic contact
      assert_true(product[d->contact[i].efc_address + 3] == 0);
    }
    expect_heights(0.005, 0.0125);
    close_model();
  }
}

// A box that slides along a cloth that is pinned: most of its contacts have rows of zeros only.
static void contacts_along_which_bodies_slide_are_in_their_island(void** state) {
  (void)state;
  open_model(
      "<mujoco><option jacobian='dense'/><worldbody><body pos='.5 .01 .045'><joint type='slide'"
      " axis='1 0 0'/><geom type='box' size='.03 .03 .03' condim='1' mass='.1'/></body><flexcomp"
      " name='c' type='grid' count='3 3 1' spacing='.1 .1 .1' dim='2' pos='.5 0 .008' radius='.01'"
      " mass='.2'><contact condim='1' selfcollide='none'/><pin id='0 1 2 3 4 5 6 7 8'/></flexcomp>"
      "</worldbody></mujoco>");
  mj_forward(m, d);
  mjtNum with_islands = d->qacc[0];
  assert_true(d->nefc > 8 && d->efc_J[0] == 0);
  assert_int_equal(d->nisland, 1);
  for (int i = 0; i < d->nefc; i++) assert_int_equal(d->efc_island[i], 0);
  m->opt.disableflags |= mjDSBL_ISLAND;
  mj_forward(m, d);
  assert_true(fabs((double)(with_islands - d->qacc[0])) < PRECISION(1e-10, 1e-4));
  run(0.1);
  close_model();
}

static void a_cloth_lies_on_a_height_field(void** state) {
  (void)state;
  open_model(
      "<mujoco><asset><hfield name='h' nrow='3' ncol='3' size='1 1 .1 .1' elevation='0 0 0 0 0 0 0"
      " 0 0'/></asset><worldbody><geom type='hfield' hfield='h'/><flexcomp name='c' type='grid'"
      " count='3 3 1' spacing='.1 .1 .1' pos='.03 .02 .015' radius='.01' mass='.2'>"
      "<edge equality='true'/><contact selfcollide='none'/></flexcomp></worldbody></mujoco>");
  run(0.5);
  assert_true(d->ncon > 0);
  expect_heights(0, 0.0125);
  close_model();
}

// The reference crashes. At rest an accelerometer feels what holds it up.
static void interpolated_flexes_and_sensors_of_forces_go_together(void** state) {
  (void)state;
  open_model(
      "<mujoco><option integrator='implicitfast'/><worldbody><geom type='plane' size='1 1 .1'/>"
      "<body name='box' pos='.5 0 .05'><freejoint/><geom type='box' size='.05 .05 .05'/>"
      "<site name='s'/></body><flexcomp name='c' type='grid' count='4 4 4' spacing='.03 .03 .03'"
      " dim='3' pos='0 0 .06' radius='.005' mass='.3' dof='trilinear'><elasticity young='1e4'"
      " poisson='.2' damping='.02'/><contact selfcollide='none'/></flexcomp></worldbody><sensor>"
      "<accelerometer site='s'/><force site='s'/><torque site='s'/></sensor></mujoco>");
  run(1);
  if (!(fabs((double)d->sensordata[2] - 9.81) < 0.1)) {
    fail_msg("the accelerometer says %g", (double)d->sensordata[2]);
  }
  close_model();
}

// The reference ends the program.
static void flexes_with_equalities_live_with_sleep(void** state) {
  (void)state;
  open_model(
      "<mujoco><option><flag sleep='enable'/></option><worldbody><geom type='plane' size='1 1 .1'/>"
      "<body name='box' pos='.5 0 .05'><freejoint/><geom type='box' size='.05 .05 .05'/></body>"
      "<flexcomp name='c' type='grid' count='3 3 1' spacing='.1 .1 .1' pos='0 0 .012'"
      " radius='.01' mass='.2'><edge equality='true'/></flexcomp></worldbody></mujoco>");
  run(1);
  expect_heights(0.005, 0.0125);
  close_model();
}

// As in the reference: 3 says that nothing can move, 4 that the contact is passive.
static void passive_contacts_of_static_things_are_excluded_as_in_the_reference(void** state) {
  (void)state;
  for (int sparse = 0; sparse < 2; sparse++) {
    char text[800];
    snprintf(text, sizeof(text),
             "<mujoco><option jacobian='%s'/><worldbody><geom type='plane' size='1 1 .1'/>"
             "<body pos='0 0 2'><freejoint/><geom size='.1'/></body>"
             "<flexcomp name='c' type='grid' count='3 3 1' spacing='.1 .1 .1' pos='0 0 .005'"
             " radius='.01' rigid='true'><contact passive='true'/></flexcomp></worldbody></mujoco>",
             sparse ? "sparse" : "dense");
    open_model(text);
    mj_forward(m, d);
    assert_true(d->ncon > 0);
    for (int i = 0; i < d->ncon; i++) {
      assert_int_equal(d->contact[i].exclude, sparse ? 3 : 4);
      assert_int_equal(d->contact[i].efc_address, -1);
    }
    close_model();
  }
}

// The reference finds no tree for their dense rows and ends the program. Sparse rows are not made.
static void pinned_elements_on_static_things_make_no_rows(void** state) {
  (void)state;
  static const char* const kinds[] = {
      "dim='2' count='4 4 1'><pin gridrange='0 0 1 3'/><edge equality='true'/>",
      "dim='3' count='3 3 3'><pin gridrange='0 0 0 1 2 2'/>"
      "<elasticity young='1e4' poisson='.2' damping='.01'/>"};
  for (int k = 0; k < 4; k++) {
    char text[1000];
    snprintf(text, sizeof(text),
             "<mujoco><option jacobian='%s'/><worldbody><body name='table' pos='0 0 -.1'>"
             "<geom type='box' size='.3 .3 .1'/></body><flexcomp name='c' type='grid' spacing='.1 "
             ".1 .1' pos='0 0 %s' radius='.01' "
             "mass='1' %s<contact selfcollide='none'/></flexcomp></worldbody></mujoco>",
             k % 2 ? "sparse" : "dense", k < 2 ? ".005" : ".105", kinds[k / 2]);
    open_model(text);
    run(0.2);
    int excluded = 0;
    for (int i = 0; i < d->ncon; i++) {
      excluded += d->contact[i].exclude == 3;
      assert_int_equal(d->contact[i].exclude == 3, d->contact[i].efc_address < 0);
    }
    if (!(excluded > 0 && excluded < d->ncon)) {
      fail_msg("case %d: %d of %d contacts are excluded", k, excluded, d->ncon);
    }
    close_model();
  }
}

// A cell on body b, which may have joints, after one step from speeds that are not zero.
static void expect_step_of_cell(const char* integrator, const char* joint, const char* pin, int nv,
                                const double* expected) {
  char text[1000];
  snprintf(text, sizeof(text),
           "<mujoco><option integrator='%s' timestep='.01'/><worldbody><body name='b'"
           " pos='.3 .2 .1' quat='.8 .36 0 .48'>%s<geom size='.1' mass='1' contype='0'"
           " conaffinity='0'/><flexcomp name='c' type='grid' dim='3' dof='trilinear'"
           " count='4 4 4' spacing='.05 .05 .05' radius='.004' mass='.7'><elasticity young='16000'"
           " poisson='.27' damping='.005'/><contact selfcollide='none'/>%s</flexcomp></body>"
           "</worldbody></mujoco>",
           integrator, joint, pin);
  open_model(text);
  assert_int_equal(m->nv, nv);
  for (int i = 0; i < nv; i++) d->qvel[i] = (mjtNum)((i * 7 % 11 - 5) / 10.0);
  mj_step(m, d);
  double tolerance = sizeof(mjtNum) == 8 ? 1e-9 : 2e-2;
  for (int i = 0; i < nv; i++) {
    if (fabs((double)d->qvel[i] - expected[i]) <= tolerance) continue;
    fail_msg("dof %d: %.12g, expected %.12g", i, (double)d->qvel[i], expected[i]);
  }
  close_model();
}

// One step of the reference: slides of nodes need not be along the axes of the world.
static void cells_on_a_turned_body_are_integrated_along_their_own_slides(void** state) {
  (void)state;
  static const double expected[24] = {
      -8.48394161697, 6.25343809603,  3.48613378788,  -8.25914651994, 8.54664211215,
      2.88990449315,  12.69238239,    8.96341712026,  -1.52585900168, 12.0479552475,
      11.2996022273,  -2.0836183435,  -11.9876554982, -11.8415595361, 1.89398561265,
      -12.2537615294, -9.35320372262, 1.36398853729,  8.71505435876,  -8.97225491612,
      -3.03475631146, 8.15788628827,  -6.54812618085, -3.57115861434};
  expect_step_of_cell("implicitfast", "", "", 24, expected);
}

// One step of the reference: what a body that turns does to its nodes is taken at the places where
// the cell sees them (docs/behaviour-notes.md). With a pin the dofs of the body are among those
// that are solved for with the nodes.
static void cells_on_a_body_that_turns_are_integrated_as_in_the_reference(void** state) {
  (void)state;
  static const char ball[] = "<joint type='ball'/>", pin[] = "<pin id='3'/>";
  static const double loose[27] = {50.8340091088,  -39.7217428382, 422.075074686,  -46.7935721224,
                                   17.097241708,   7.80152871278,  -41.1105955838, 27.5589366465,
                                   7.23256890919,  45.2327062246,  19.9038433808,  -4.19497301221,
                                   51.0071480749,  30.4963904533,  -3.84696315618, -50.6882094015,
                                   -30.7579999055, 4.35571229271,  -45.0473343918, -20.5147834226,
                                   3.86417874347,  41.3183750149,  -28.1201825518, -7.53232967444,
                                   47.0126553051,  -17.0136911089, -7.96530265531};
  static const double pinned[24] = {
      -14.4747645941, -5.58135271509,  -14.5989050407,  1.42054814218,  -0.776013343562,
      -1.07778899061, 1.77040082624,   -1.26608669184,  -1.59681186518, 1.49566823972,
      -3.13363238462, -0.472453821451, -1.15931473335,  4.42508507875,  -0.389759039631,
      -1.20606389641, 3.45412599738,   -0.750170975301, -1.91301374625, 2.7023710163,
      1.48133424326,  -2.38951027835,  1.79437024321,   1.24026830994};
  static const double implicit[24] = {
      -16.3352677245, -4.0176030442,  -24.3748989136, 2.28471737796,  -1.36270819252,
      -1.72809149094, 2.86266541401,  -3.79806806479, -2.11972591742, -0.61921675153,
      -3.54583822165, 0.742929385038, 0.587473328693, 4.82829269711,  -0.721003228653,
      0.762293854532, 3.12965491208,  -1.11267086027, -2.3573165456,  3.6470053571,
      1.70425960842,  -1.90513385379, 2.37475892382,  1.27072592497};
  expect_step_of_cell("implicitfast", ball, "", 27, loose);
  expect_step_of_cell("implicitfast", ball, pin, 24, pinned);
  expect_step_of_cell("implicit", ball, pin, 24, implicit);
}

// The reference crashes.
static void one_node_is_not_enough(void** state) {
  (void)state;
  char why[500] = "";
  assert_null(
      try_text_model("<mujoco><worldbody><body name='b'><freejoint/><geom size='.1'/></body>"
                     "</worldbody><deformable><flex name='f' dim='3' node='b' body='b'"
                     " vertex='0 0 0 1 0 0 0 1 0 0 0 1' element='0 1 2 3'/></deformable>"
                     "</mujoco>",
                     why, sizeof(why)));
  assert_true(strstr(why, "node") || strstr(why, "8"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(contacts_of_four_and_six_dimensions_have_whole_rows),
      cmocka_unit_test(contacts_along_which_bodies_slide_are_in_their_island),
      cmocka_unit_test(a_cloth_lies_on_a_height_field),
      cmocka_unit_test(interpolated_flexes_and_sensors_of_forces_go_together),
      cmocka_unit_test(flexes_with_equalities_live_with_sleep),
      cmocka_unit_test(passive_contacts_of_static_things_are_excluded_as_in_the_reference),
      cmocka_unit_test(pinned_elements_on_static_things_make_no_rows),
      cmocka_unit_test(cells_on_a_turned_body_are_integrated_along_their_own_slides),
      cmocka_unit_test(cells_on_a_body_that_turns_are_integrated_as_in_the_reference),
      cmocka_unit_test(one_node_is_not_enough),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
