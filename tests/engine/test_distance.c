// The distance equality (R30.6): two sites keep their distance by one row along the line between
// them. The reference does not have it, so these are laws, and a tendon as a slow twin.

#include <corten/derivative.h>
#include <math.h>
#include <mujoco/mujoco.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/sleep_functions.h"
#include "support/fail.h"
#include "support/messages.h"
#include "support/states.h"

// A chain and a free body, far enough from each other to be held: the sites a, b, and o in the
// world.
#define MECHANISM(in_equality_)                                                       \
  "<mujoco><option timestep='.002'/><worldbody><site name='o' pos='0 0 2'/>"          \
  "<body pos='0 0 1.5'><joint name='h' axis='0 1 0'/><geom size='.05' pos='.3 0 0'/>" \
  "<body pos='.5 0 0'><joint axis='0 0 1'/><geom size='.05' pos='0 .2 .1'/>"          \
  "<site name='a' pos='.1 .2 .1'/></body></body>"                                     \
  "<body pos='.2 .7 1'><freejoint/><geom type='box' size='.1 .05 .02'/>"              \
  "<site name='b' pos='.1 .05 .02'/></body></worldbody>"                              \
  "<tendon><spatial name='t'><site site='a'/><site site='b'/></spatial></tendon>"     \
  "<actuator><motor joint='h'/></actuator>"                                           \
  "<equality>" in_equality_ "</equality></mujoco>"
#define HELD MECHANISM("<distance name='rod' site1='a' site2='b' distance='.8'/>")

static mjModel* m;
static mjData* d;

static mjSpec* read(const char* text) {
  char error[1000] = "";
  mjSpec* spec = mj_parseXMLString(text, NULL, error, sizeof(error));
  if (!spec) fail_msg("%s\nis refused: %s", text, error);
  return spec;
}

static void open_text(const char* text) {
  mjSpec* spec = read(text);
  m = mj_compile(spec, NULL);
  if (!m) fail_msg("%s\nis not compiled: %s", text, mjs_getError(spec));
  d = mj_makeData(m);
  mj_deleteSpec(spec);
}

static void close_text(void) {
  mj_deleteData(d);
  mj_deleteModel(m);
}

static void disturb(void) {
  for (int i = 0; i < m->nv; i++) d->qvel[i] = mju_sin((mjtNum)(1 + 3 * i));
  mj_integratePos(m, d->qpos, d->qvel, (mjtNum)0.3);
}

static mjtNum between(const char* first, const char* second) {
  mjtNum line[3];
  mju_sub3(line, d->site_xpos + 3 * mj_name2id(m, mjOBJ_SITE, first),
           d->site_xpos + 3 * mj_name2id(m, mjOBJ_SITE, second));
  return mju_norm3(line);
}

// Rows

static void R30_6_residual_is_length_less_distance_and_its_rate_is_J_v(void** state) {
  (void)state;
  SKIP_IN_SINGLE_PRECISION();
  open_text(HELD);
  disturb();
  mj_forward(m, d);
  assert_int_equal(d->ne, 1);
  mjtNum residual = between("a", "b") - (mjtNum)0.8, step = (mjtNum)1e-6, at[2];
  expect_close("residual", d->efc_pos, &residual, 1, 1e-14);
  mjtNum rate = d->efc_vel[0];
  mj_integratePos(m, d->qpos, d->qvel, step);
  mj_kinematics(m, d);
  at[1] = between("a", "b");
  mj_integratePos(m, d->qpos, d->qvel, -2 * step);
  mj_kinematics(m, d);
  at[0] = between("a", "b");
  mjtNum quotient = (at[1] - at[0]) / (2 * step);
  expect_close("rate", &rate, &quotient, 1, 1e-8);
  close_text();
}

// The length of a tendon through two sites is their distance: its equality is the slow twin.
static void R30_6_row_is_that_of_a_tendon_of_fixed_length(void** state) {
  (void)state;
  for (int jacobian = 0; jacobian < 2; jacobian++) {
    open_text(MECHANISM("<tendon tendon1='t'/><distance site1='a' site2='b'/>"));
    m->opt.jacobian = jacobian;
    disturb();
    mj_forward(m, d);
    assert_int_equal(d->ne, 2);
    int nv = (int)m->nv, count = jacobian ? d->efc_J_rownnz[1] : nv;
    const mjtNum* row[2] = {d->efc_J, d->efc_J + (jacobian ? d->efc_J_rowadr[1] : nv)};
    if (jacobian) assert_int_equal(d->efc_J_rownnz[0], count);
    expect_close("Jacobian", row[1], row[0], count, PRECISION(1e-14, 1e-5));
    expect_close("residual", d->efc_pos + 1, d->efc_pos, 1, PRECISION(1e-14, 1e-5));
    close_text();
  }
}

static void R30_6_without_a_number_the_distance_is_that_of_the_initial_pose(void** state) {
  (void)state;
  open_text(MECHANISM("<distance site1='a' site2='o'/>"));
  mj_kinematics(m, d);
  mjtNum want = between("a", "o");
  expect_close("distance", m->eq_data, &want, 1, PRECISION(1e-14, 1e-6));
  assert_int_equal(m->eq_type[0], mjEQ_DISTANCE);
  assert_int_equal(m->eq_objtype[0], mjOBJ_SITE);
  mj_setConst(m, d);
  expect_close("distance", m->eq_data, &want, 1, PRECISION(1e-14, 1e-6));
  close_text();
}

// Motion

static void R30_6_sites_keep_their_distance_under_every_solver(void** state) {
  (void)state;
  for (int solver = mjSOL_PGS; solver <= mjSOL_NEWTON; solver++) {
    for (int jacobian = 0; jacobian < 2; jacobian++) {
      open_text(HELD);
      m->opt.solver = solver;
      m->opt.jacobian = jacobian;
      for (int i = 0; i < 1000; i++) mj_step(m, d);
      mj_forward(m, d);
      mjtNum length = between("a", "b"), want = (mjtNum)0.8;
      expect_close("distance", &length, &want, 1, 0.01);
      assert_int_equal(d->nisland, 1);
      close_text();
    }
  }
}

static void R30_6_inverse_dynamics_know_the_row(void** state) {
  (void)state;
  open_text(HELD);
  disturb();
  m->opt.tolerance = 0;
  m->opt.enableflags |= mjENBL_FWDINV;
  mj_forward(m, d);
  mj_compareFwdInv(m, d);
  assert_true(d->solver_fwdinv[0] < PRECISION(1e-9, 1e-2));
  close_text();
}

// What hangs at rest is held by its weight, which mj_rnePostConstraint sees as an external force
// at the site.
static void R30_6_force_along_the_line_is_an_external_force(void** state) {
  (void)state;
  open_text(
      "<mujoco><worldbody><site name='o' pos='0 0 2'/><body pos='0 0 1'><freejoint/>"
      "<geom size='.1' mass='3'/><site name='b' pos='0 0 .1'/></body></worldbody><equality>"
      "<distance site1='o' site2='b' distance='.9'/></equality></mujoco>");
  for (int i = 0; i < 500; i++) mj_step(m, d);
  mj_forward(m, d);
  mj_rnePostConstraint(m, d);
  mjtNum want[6] = {0, 0, 0, 0, 0, (mjtNum)(3 * 9.81)};
  expect_close("force", d->cfrc_ext + 6, want, 6, PRECISION(1e-6, 1e-3));
  close_text();
}

static void R30_6_points_that_coincide_are_driven_apart(void** state) {
  (void)state;
  open_text(
      "<mujoco><worldbody><site name='o'/><body><joint type='slide' axis='1 0 0'/>"
      "<joint type='slide' axis='0 0 1'/><geom size='.1'/><site name='b'/></body></worldbody>"
      "<option gravity='0 0 0'/><equality><distance site1='o' site2='b' distance='.3'/></equality>"
      "</mujoco>");
  mj_forward(m, d);
  assert_int_equal(d->ne, 1);
  mjtNum residual = (mjtNum)-0.3;
  expect_close("residual", d->efc_pos, &residual, 1, PRECISION(1e-15, 1e-7));
  for (int i = 0; i < 1000; i++) mj_step(m, d);
  mj_kinematics(m, d);
  mjtNum length = between("o", "b"), want = (mjtNum)0.3;
  expect_close("distance", &length, &want, 1, PRECISION(1e-6, 1e-3));
  assert_int_equal(d->warning[mjWARN_BADQACC].number, 0);
  close_text();
}

static void R30_6_what_it_ties_together_wakes_together(void** state) {
  (void)state;
  open_text(
      "<mujoco><option><flag sleep='enable'/></option><worldbody><geom type='plane' size='3 3 1'/>"
      "<body pos='0 0 .1'><freejoint/><geom type='box' size='.1 .1 .1'/><site name='a'/></body>"
      "<body pos='1 0 .1'><freejoint/><geom type='box' size='.1 .1 .1'/><site name='b'/></body>"
      "</worldbody><equality><distance site1='a' site2='b'/></equality></mujoco>");
  for (int i = 0; i < 2000; i++) mj_step(m, d);
  assert_int_equal(d->ntree_awake, 0);
  assert_int_equal(mj_sleepState(m, d, mjOBJ_EQUALITY, 0), 0);
  d->xfrc_applied[6] = 1;
  mj_step(m, d);
  assert_int_equal(d->ntree_awake, 2);
  assert_int_equal(mj_sleepState(m, d, mjOBJ_EQUALITY, 0), 1);
  close_text();
}

// Derivatives

static void R30_6_derivatives_are_analytic_and_agree_with_differences(void** state) {
  (void)state;
  SKIP_IN_SINGLE_PRECISION();
  open_text(HELD);
  m->opt.tolerance = 0;
  m->opt.iterations = 100;
  disturb();
  for (int i = 0; i < 5; i++) mj_step(m, d);
  int n = (int)(2 * m->nv);
  mjtNum* A[2];
  for (int k = 0; k < 2; k++) {
    ct_DerivativeOptions options;
    ct_default_derivative_options(&options);
    options.method = k ? CT_DERIVATIVE_DIFFERENCES : CT_DERIVATIVE_ANALYTIC;
    options.eps = (mjtNum)1e-6;
    A[k] = (mjtNum*)calloc((size_t)(n * n), sizeof(mjtNum));
    ct_DerivativeMatrices out = {A[k], NULL, NULL, NULL};
    ct_DerivativeReport report;
    assert_int_equal(ct_derivative(m, d, &options, &out, &report), 0);
  }
  mjtNum most = 0;
  for (int i = 0; i < n * n; i++) most = mju_max(most, mju_abs(A[1][i]));
  for (int i = 0; i < n * n; i++) {
    if (mju_abs(A[0][i] - A[1][i]) > 1e-7 * most) {
      fail_msg("A[%d] is %.15g, by differences %.15g", i, (double)A[0][i], (double)A[1][i]);
    }
  }
  free(A[0]);
  free(A[1]);
  close_text();
}

// Files and specs

static void R30_6_is_saved_and_read_back(void** state) {
  (void)state;
  char text[4000], error[200] = "";
  mjSpec* spec = read(MECHANISM(
      "<distance name='rod' site1='a' site2='b' distance='.75' active='false' solref='.01 1'/>"));
  mj_deleteModel(mj_compile(spec, NULL));
  assert_int_equal(mj_saveXMLString(spec, text, sizeof(text), error, sizeof(error)), 0);
  mj_deleteSpec(spec);
  const char* line =
      "<distance name=\"rod\" site1=\"a\" site2=\"b\" distance=\"0.75\" active=\"false\" "
      "solref=\"0.01\"/>";
  if (!strstr(text, line)) fail_msg("expected %s in\n%s", line, text);
  open_text(text);
  mjtNum want = (mjtNum)0.75;
  expect_close("distance", m->eq_data, &want, 1, PRECISION(0, 1e-7));
  assert_int_equal(m->eq_active0[0], 0);

  // the same as bytes
  int size = (int)mj_sizeModel(m);
  void* bytes = malloc((size_t)size);
  mj_saveModel(m, NULL, bytes, size);
  mjModel* again = mj_loadModelBuffer(bytes, size);
  assert_non_null(again);
  assert_int_equal(again->eq_type[0], mjEQ_DISTANCE);
  mj_deleteModel(again);
  free(bytes);
  close_text();
}

static void R30_6_names_follow_an_attachment(void** state) {
  (void)state;
  mjSpec* parent = mj_makeSpec();
  mjSpec* child = read(
      "<mujoco><worldbody><site name='o'/><body name='arm'><joint/><geom size='.1' pos='.3 0 0'/>"
      "<site name='a' pos='.3 .1 0'/></body></worldbody><equality><distance site1='a' site2='o'/>"
      "</equality></mujoco>");
  mjsFrame* frame = mjs_addFrame(mjs_findBody(parent, "world"), NULL);
  mjsBody* root = mjs_findBody(child, "world");
  assert_non_null(mjs_attach(frame->element, root->element, "one/", ""));
  m = mj_compile(parent, NULL);
  if (!m) fail_msg("%s", mjs_getError(parent));
  assert_int_equal(m->neq, 1);
  assert_string_equal(mj_id2name(m, mjOBJ_SITE, m->eq_obj1id[0]), "one/a");
  mj_deleteModel(m);
  mj_deleteSpec(child);
  mj_deleteSpec(parent);
}

static void R30_6_what_makes_no_sense_is_refused(void** state) {
  (void)state;
  static const char* const mistakes[][2] = {
      {MECHANISM("<distance site1='a' site2='b' distance='-1'/>"), "distance -1 is not a length"},
      {MECHANISM("<distance site1='a' site2='a'/>"), "both objects are \"a\""},
      {MECHANISM("<distance site1='a' site2='nobody'/>"), "nobody"},
  };
  for (size_t i = 0; i < sizeof(mistakes) / sizeof(mistakes[0]); i++) {
    mjSpec* spec = read(mistakes[i][0]);
    assert_null(mj_compile(spec, NULL));
    if (!strstr(mjs_getError(spec), mistakes[i][1])) {
      fail_msg("expected \"%s\", got \"%s\"", mistakes[i][1], mjs_getError(spec));
    }
    mj_deleteSpec(spec);
  }
  mjSpec* spec = read(HELD);
  mjs_asEquality(mjs_findElement(spec, mjOBJ_EQUALITY, "rod"))->objtype = mjOBJ_BODY;
  assert_null(mj_compile(spec, NULL));
  assert_non_null(strstr(mjs_getError(spec), "between two sites"));
  mj_deleteSpec(spec);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(R30_6_residual_is_length_less_distance_and_its_rate_is_J_v),
      cmocka_unit_test(R30_6_row_is_that_of_a_tendon_of_fixed_length),
      cmocka_unit_test(R30_6_without_a_number_the_distance_is_that_of_the_initial_pose),
      cmocka_unit_test(R30_6_sites_keep_their_distance_under_every_solver),
      cmocka_unit_test(R30_6_inverse_dynamics_know_the_row),
      cmocka_unit_test(R30_6_force_along_the_line_is_an_external_force),
      cmocka_unit_test(R30_6_points_that_coincide_are_driven_apart),
      cmocka_unit_test(R30_6_what_it_ties_together_wakes_together),
      cmocka_unit_test(R30_6_derivatives_are_analytic_and_agree_with_differences),
      cmocka_unit_test(R30_6_is_saved_and_read_back),
      cmocka_unit_test(R30_6_names_follow_an_attachment),
      cmocka_unit_test(R30_6_what_makes_no_sense_is_refused),
  };
  return cmocka_run_group_tests(tests, listen_to_messages, stop_listening);
}
