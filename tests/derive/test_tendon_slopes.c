// Second derivatives of tendons against closed forms, up to the places that have none.

#include <corten/derivative.h>

#include <math.h>
#include <stdio.h>

#include "support/fail.h"
#include "support/states.h"
#include "support/text_models.h"

// A mass of 1 that slides in x and y below a sphere of radius 0.1 at the origin, on a string from
// above; gravity is off. `tendon` is what the string is made of.
static mjModel* hanging(const char* geom, const char* site, const char* tendon) {
  char xml[1500];
  snprintf(
      xml, sizeof(xml),
      "<mujoco><option gravity='0 0 0'/><worldbody><site name='top' pos='0 0 .5'/>"
      "<geom name='obstacle' %s contype='0' conaffinity='0'/>"
      "<body pos='0 0 -.4'><joint type='slide' axis='1 0 0'/><joint type='slide' axis='0 1 0'/>"
      "<geom size='.01' mass='1'/><site name='end' pos='%s'/></body></worldbody>"
      "<tendon><spatial name='string' %s><site site='top'/><geom geom='obstacle'/>"
      "<site site='end'/></spatial></tendon></mujoco>",
      geom, site, tendon);
  return text_model(xml);
}

static const char ball[] = "size='.1'", taut[] = "stiffness='30' springlength='.2'";

// Analytic alone, at x.
static int slopes_at(const mjModel* m, mjData* d, double x, mjtNum by_q[4],
                     ct_DerivativeReport* report) {
  ct_DerivativeOptions options;
  ct_ForwardMatrices out = {by_q, NULL, NULL, NULL, NULL};
  ct_default_derivative_options(&options);
  options.method = CT_DERIVATIVE_ANALYTIC;
  d->qpos[0] = (mjtNum)x;
  mj_forward(m, d);
  return ct_forward_derivative(m, d, &options, &out, report);
}

// Turning the string about the line through its upper end and the centre changes nothing, so that
// across the plane of the string its force turns with it: df_y/dy = f_x / x.
static void strings_round_a_sphere_turn_with_their_plane(void** state) {
  (void)state;
  mjModel* m = hanging(ball, "0 0 0", taut);
  mjData* d = mj_makeData(m);
  const double least = PRECISION(1e-6, 3e-3), small = PRECISION(1e-9, 1e-2);
  for (double x = 0.05; x > least; x /= 3) {
    mjtNum by_q[4];
    ct_DerivativeReport report;
    assert_int_equal(slopes_at(m, d, x, by_q, &report), 0);
    double want = (double)d->qacc[0] / x;
    assert_true(fabs((double)by_q[3] - want) < small * fabs(want));
  }
  mj_deleteData(d);
  mj_deleteModel(m);
}

// A spring with one length of rest pulls on both sides of it, so it is stiff there. One with a band
// is slack inside.
static void springs_at_rest_are_stiff(void** state) {
  (void)state;
  for (int band = 0; band < 2; band++) {
    char xml[600];
    snprintf(xml, sizeof(xml),
             "<mujoco><option gravity='0 0 0'/><worldbody><body><joint name='j' axis='0 1 0'/>"
             "<geom size='.1' pos='.2 0 0'/></body></worldbody><tendon><fixed stiffness='200'"
             " springlength='%s'><joint joint='j' coef='1'/></fixed></tendon></mujoco>",
             band ? "-.1 .1" : "0 0");
    mjModel* m = text_model(xml);
    mjData* d = mj_makeData(m);
    mjtNum by_q[4];
    ct_DerivativeReport report;
    assert_int_equal(slopes_at(m, d, 0, by_q, &report), 0);
    double want = band ? 0 : -200 / (double)d->M[0];
    assert_true(fabs((double)by_q[0] - want) <= PRECISION(1e-9, 1e-4) * fabs(want));
    mj_deleteData(d);
    mj_deleteModel(m);
  }
}

// Where ends and centre are in line every way round the sphere is as short as any other: there is
// no derivative, and a status instead of NaN. Differences are made of what the two sides happen to
// do.
static void ends_in_line_with_the_centre_have_no_derivative(void** state) {
  (void)state;
  mjModel* m = hanging(ball, "0 0 0", taut);
  mjData* d = mj_makeData(m);
  mjtNum by_q[4], A[16], by_y[4] = {1, 1, 1, 1}, by_x[4];
  ct_DerivativeReport report;
  assert_int_equal(slopes_at(m, d, 0, by_q, &report), -1);
  assert_int_equal(report.reasons, CT_NO_SLOPE_TENDON);
  ct_DerivativeOptions options;
  ct_DerivativeMatrices out = {A, NULL, NULL, NULL};
  ct_DerivativeProduct product = {NULL, NULL, NULL, by_y, by_x, NULL};
  ct_InverseMatrices inverse = {by_q, NULL, NULL};
  ct_default_derivative_options(&options);
  options.method = CT_DERIVATIVE_ANALYTIC;
  for (int integrator = mjINT_EULER; integrator <= mjINT_IMPLICITFAST; integrator++) {
    m->opt.integrator = integrator;
    assert_int_equal(ct_derivative(m, d, &options, &out, &report), -1);
    assert_int_equal(report.reasons, CT_NO_SLOPE_TENDON);
    assert_int_equal(ct_derivative_product(m, d, &options, &product, &report), -1);
    assert_int_equal(report.reasons, CT_NO_SLOPE_TENDON);
  }
  assert_int_equal(ct_inverse_derivative(m, d, &options, 0, &inverse, &report), -1);
  assert_int_equal(report.reasons, CT_NO_SLOPE_TENDON);
  assert_int_equal(ct_derivative(m, d, NULL, &out, &report), 0);
  assert_int_equal(report.method, CT_DERIVATIVE_DIFFERENCES);
  for (int k = 0; k < 16; k++) assert_true(isfinite((double)A[k]));
  mj_deleteData(d);
  mj_deleteModel(m);
}

// A string that nothing acts along, and of which no sensor tells the velocity, is not asked.
static void slack_strings_may_be_in_line(void** state) {
  (void)state;
  static const char* const tendons[] = {"", "limited='true' range='0 2'",
                                        "limited='true' range='0 .9'"};
  for (int k = 0; k < 3; k++) {
    mjModel* m = hanging(ball, "0 0 0", tendons[k]);
    mjData* d = mj_makeData(m);
    mjtNum by_q[4];
    ct_DerivativeReport report;
    assert_int_equal(slopes_at(m, d, 0, by_q, &report), k < 2 ? 0 : -1);
    assert_int_equal(report.reasons, k < 2 ? 0 : CT_NO_SLOPE_TENDON);
    mj_deleteData(d);
    mj_deleteModel(m);
  }
}

// An end on the surface, and two sites in one point.
static void other_tips_have_no_derivative_either(void** state) {
  (void)state;
  const double touching = 0.1 * (1 + PRECISION(1e-13, 1e-6));
  const struct {
    const char *geom, *site;
    double x;
  } places[] = {{"size='.1'", "0 0 .4", touching},
                {"type='cylinder' size='.1 1' euler='90 0 0'", "0 0 .4", touching},
                {"size='.1' pos='3 0 0'", "0 0 .9", 0}};
  for (int k = 0; k < 3; k++) {
    mjModel* m = hanging(places[k].geom, places[k].site, taut);
    mjData* d = mj_makeData(m);
    mjtNum by_q[4];
    ct_DerivativeReport report;
    m->site_pos[0] = k < 2 ? (mjtNum)-0.3 : 0;  // so that the string goes round
    if (slopes_at(m, d, places[k].x, by_q, &report) == 0) {
      fail_msg("place %d has %g %g", k, (double)by_q[0], (double)by_q[3]);
    }
    assert_int_equal(report.reasons, CT_NO_SLOPE_TENDON);
    mj_deleteData(d);
    mj_deleteModel(m);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(springs_at_rest_are_stiff),
      cmocka_unit_test(strings_round_a_sphere_turn_with_their_plane),
      cmocka_unit_test(ends_in_line_with_the_centre_have_no_derivative),
      cmocka_unit_test(slack_strings_may_be_in_line),
      cmocka_unit_test(other_tips_have_no_derivative_either),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
