// Analytic derivatives through contacts whose shapes have no formula, or meet by an iteration.

#include <corten/derivative.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/fail.h"
#include "support/text_models.h"

static mjModel* compiled(const char* xml) {
  mjModel* m = text_model(xml);
  m->opt.tolerance = 0;  // a quotient of residuals is no derivative
  m->opt.iterations = 100;
  return m;
}

enum { N = 12, NEPS = 3 };
static const mjtNum eps_tried[NEPS] = {(mjtNum)1e-5, (mjtNum)1e-6, (mjtNum)1e-7};

// Analytic A of one free body, its error in units of its largest number with the best eps for each
// column.
static double error_of(const mjModel* m, mjData* d, int* reasons) {
  mjtNum exact[N * N], rough[NEPS][N * N];
  ct_DerivativeOptions options;
  ct_DerivativeReport report;
  ct_default_derivative_options(&options);
  options.method = CT_DERIVATIVE_ANALYTIC;
  ct_DerivativeMatrices out = {exact, NULL, NULL, NULL};
  int failed = ct_derivative(m, d, &options, &out, &report);
  *reasons = report.reasons;
  if (failed) return HUGE_VAL;
  options.method = CT_DERIVATIVE_DIFFERENCES;
  for (int k = 0; k < NEPS; k++) {
    options.eps = eps_tried[k];
    out.A = rough[k];
    assert_int_equal(ct_derivative(m, d, &options, &out, NULL), 0);
  }
  double scale = 1, worst = 0;
  for (int i = 0; i < N * N; i++) scale = fmax(scale, fabs((double)rough[1][i]));
  for (int c = 0; c < N; c++) {
    double best = HUGE_VAL;
    for (int k = 0; k < NEPS; k++) {
      double error = 0;
      for (int i = c; i < N * N; i += N) {
        error = fmax(error, fabs((double)(exact[i] - rough[k][i])));
      }
      best = fmin(best, error / scale);
    }
    worst = fmax(worst, best);
  }
  return worst;
}

// Shapes that are nudged, so far from the origin that rounding of the contact point, divided by the
// nudge, is seen if that is too small.
static void nudged_shapes_are_exact_to_rounding(void** state) {
  (void)state;
  SKIP_IN_SINGLE_PRECISION();
  SKIP_IN_FAST_BUILD();
  static const char* const floors[] = {
      "<geom type='box' size='.5 .5 .1' pos='%g 0 -.1'/>",
      "<geom type='mesh' mesh='slab' pos='%g 0 -.1'/>",
  };
  static const char* const bodies[] = {"type='mesh' mesh='stone'", "type='box' size='.1 .12 .15'"};
  double worst = 0;
  int compared = 0;
  for (int k = 0; k < 8; k++) {
    char floor[200], text[2000];
    double far = k / 4 ? 100 : 0;
    snprintf(floor, sizeof(floor), floors[k % 2], far);
    snprintf(text, sizeof(text),
             "<mujoco><asset><mesh name='stone' vertex='.1 0 -.08  -.07 .09 -.1  -.06 -.1 -.09  "
             ".11 .02 .1  -.05 .1 .12  -.08 -.09 .11'/>"
             "<mesh name='slab' vertex='.5 .5 .1  -.5 .5 .1  .5 -.5 .1  -.5 -.5 .1  "
             ".5 .5 -.1  -.5 .5 -.1  .5 -.5 -.1  -.5 -.5 -.1'/></asset>"
             "<worldbody>%s<body pos='%g 0 .15' euler='12 -7 30'><freejoint/>"
             "<geom %s mass='1'/></body></worldbody></mujoco>",
             floor, far, bodies[k / 2 % 2]);
    mjModel* m = compiled(text);
    mjData* d = mj_makeData(m);
    d->qvel[1] = (mjtNum)0.3;
    d->qvel[4] = (mjtNum)0.5;
    for (int i = 0; i < 100; i++) {
      mj_step(m, d);
      if (i % 5 || d->ncon == 0) continue;
      int reasons;
      double error = error_of(m, d, &reasons);
      if (error == HUGE_VAL) continue;  // it passes from one feature to another
      assert_int_equal(reasons & ~CT_SHAPES_BY_DIFFERENCES, 0);
      worst = fmax(worst, error);
      compared++;
    }
    mj_deleteData(d);
    mj_deleteModel(m);
  }
  print_message("%d states, worst %.1e\n", compared, worst);
  assert_in_range(compared, 20, 200);
  assert_true(worst < 1e-7);
}

// Curved shapes that meet by the convex solver say so. With a fine tolerance their derivative is
// nearly that of differences, which have what is left of it divided by eps.
static void curved_shapes_say_that_they_are_vague(void** state) {
  (void)state;
  SKIP_IN_SINGLE_PRECISION();
  static const char* const pairs[][2] = {
      {"ellipsoid' size='.2 .3 .1", "ellipsoid' size='.1 .08 .12"},
      {"box' size='.3 .3 .1", "ellipsoid' size='.1 .08 .12"},
      {"box' size='.3 .3 .1", "cylinder' size='.1 .1"},
      {"cylinder' size='.2 .1", "cylinder' size='.1 .1"},
      {"plane' size='1 1 1", "ellipsoid' size='.1 .08 .12"},
      {"sphere' size='.1", "cylinder' size='.1 .1"},
  };
  for (int k = 0; k < 6; k++) {
    char text[1000];
    double height = k == 4 ? 0 : -0.1;
    snprintf(text, sizeof(text),
             "<mujoco><option ccd_tolerance='1e-14' ccd_iterations='200'/><worldbody>"
             "<geom type='%s' pos='0 0 %g'/><body pos='.02 .01 .09' euler='20 15 40'><freejoint/>"
             "<geom type='%s' mass='1'/></body></worldbody></mujoco>",
             pairs[k][0], height, pairs[k][1]);
    mjModel* m = compiled(text);
    mjData* d = mj_makeData(m);
    int reasons;
    while (d->ncon == 0 && d->time < 1) mj_step(m, d);
    assert_true(d->ncon > 0);
    double error = error_of(m, d, &reasons);
    assert_int_equal(reasons, k < 4 ? CT_SHAPES_TO_TOLERANCE : 0);
    assert_string_not_equal(ct_derivative_reason(CT_SHAPES_TO_TOLERANCE), "");
    assert_true(error < 1e-2);
    mj_deleteData(d);
    mj_deleteModel(m);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(nudged_shapes_are_exact_to_rounding),
      cmocka_unit_test(curved_shapes_say_that_they_are_vague),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
