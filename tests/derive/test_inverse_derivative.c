// Derivatives of inverse dynamics against differences.

#include <corten/derivative.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/fail.h"
#include "support/models.h"
#include "support/states.h"

static mjtNum* numbers(int n) {
  return (mjtNum*)calloc((size_t)n + 1, sizeof(mjtNum));
}

// Row i by column j: centred differences of qfrc_inverse along one coordinate.
static void difference(const mjModel* m, mjData* d, int kind, bool less, mjtNum eps, mjtNum* out) {
  int nv = (int)m->nv;
  mjtNum* force[2] = {numbers(nv), numbers(nv)};
  mjData* probe = mj_copyData(NULL, m, d);
  for (int j = 0; j < nv; j++) {
    for (int side = 0; side < 2; side++) {
      mjtNum step = side ? eps : -eps, *unit = numbers(nv);
      mj_copyData(probe, m, d);
      unit[j] = 1;
      if (kind == 0) mj_integratePos(m, probe->qpos, unit, step);
      if (kind == 1) probe->qvel[j] += step;
      if (kind == 2) probe->qacc[j] += step;
      mj_inverse(m, probe);
      if (less) mj_fwdActuation(m, probe);
      for (int i = 0; i < nv; i++) {
        force[side][i] = probe->qfrc_inverse[i] - (less ? probe->qfrc_actuator[i] : 0);
      }
      free(unit);
    }
    for (int i = 0; i < nv; i++) out[i * nv + j] = (force[1][i] - force[0][i]) / (2 * eps);
  }
  mj_deleteData(probe);
  free(force[0]), free(force[1]);
}

static void expect_alike(const char* name, int kind, const mjtNum* x, const mjtNum* y,
                         const mjtNum* z, int n) {
  double most = 1e-3, worst = 0, doubt = 0;
  for (int i = 0; i < n; i++) {
    most = fmax(most, fabs((double)y[i]));
    worst = fmax(worst, fmin(fabs((double)(x[i] - y[i])), fabs((double)(x[i] - z[i]))));
    doubt = fmax(doubt, fabs((double)(y[i] - z[i])));
  }
  if (!(worst <= 1e-7 * most) && doubt < worst) {
    fail_msg("%s, by %c: off by %g, differences by %g", name, "qva"[kind], worst / most,
             doubt / most);
  }
}

static void compare_model(const char* name, bool less, int* analytic) {
  mjModel* m = recorded_model(name);
  if (m->nflex || m->nhistory || m->nv > 30 || m->nv == 0) {
    mj_deleteModel(m);
    return;
  }
  m->opt.integrator = less ? mjINT_EULER : mjINT_IMPLICITFAST;
  mjData* d = mj_makeData(m);
  int nv = (int)m->nv;
  for (int i = 0; i < m->nu; i++) d->ctrl[i] = (mjtNum)0.3 - (mjtNum)0.1 * (mjtNum)(i % 4);
  for (int i = 0; i < 60; i++) mj_step(m, d);
  mj_forward(m, d);
  for (int i = 0; i < nv; i++) d->qacc[i] += (mjtNum)0.2 * (mjtNum)(i % 3);
  mjtNum *x[3], *y = numbers(nv * nv), *z = numbers(nv * nv);
  for (int k = 0; k < 3; k++) x[k] = numbers(nv * nv);
  ct_InverseMatrices out = {x[0], x[1], x[2]};
  ct_DerivativeOptions options;
  ct_DerivativeReport report;
  ct_default_derivative_options(&options);
  options.method = CT_DERIVATIVE_ANALYTIC;
  mjData before = *d;
  if (ct_inverse_derivative(m, d, &options, less, &out, &report) == 0) {
    assert_memory_equal(&before, d, sizeof(mjData));
    for (int kind = 0; kind < 3; kind++) {
      difference(m, d, kind, less, (mjtNum)1e-6, y);
      difference(m, d, kind, less, (mjtNum)1e-7, z);
      expect_alike(name, kind, x[kind], y, z, nv * nv);
    }
    ++*analytic;
  } else {
    assert_int_not_equal(report.reasons, 0);
  }
  for (int k = 0; k < 3; k++) free(x[k]);
  free(y), free(z);
  mj_deleteData(d);
  mj_deleteModel(m);
}

static void inverse_dynamics_has_exact_derivatives(void** state) {
  (void)state;
  SKIP_IN_SINGLE_PRECISION();
  int analytic = 0;
  for (int i = 0; recorded_model_name(i); i++) {
    compare_model(recorded_model_name(i), i % 2, &analytic);
  }
  assert_in_range(analytic, 25, 200);
}

// Where there is no formula, the reference's differences serve, with forces in rows.
static void differences_have_forces_in_rows_too(void** state) {
  (void)state;
  SKIP_IN_SINGLE_PRECISION();
  mjModel* m = recorded_model("ball_chain");
  m->opt.integrator = mjINT_EULER;
  mjData* d = mj_makeData(m);
  int nv = (int)m->nv;
  for (int i = 0; i < 30; i++) mj_step(m, d);
  mj_forward(m, d);
  mjtNum *exact = numbers(nv * nv), *rough = numbers(nv * nv);
  ct_InverseMatrices out = {exact, NULL, NULL}, other = {rough, NULL, NULL};
  ct_DerivativeOptions options;
  ct_default_derivative_options(&options);
  assert_int_equal(ct_inverse_derivative(m, d, &options, 0, &out, NULL), 0);
  options.method = CT_DERIVATIVE_DIFFERENCES;
  assert_int_equal(ct_inverse_derivative(m, d, &options, 0, &other, NULL), 0);
  expect_close("by position", exact, rough, nv * nv, 1e-4);
  free(exact), free(rough);
  mj_deleteData(d);
  mj_deleteModel(m);
}

static double largest_error(const mjtNum* x, const mjtNum* y, int n) {
  double most = 1, worst = 0;
  for (int i = 0; i < n; i++) {
    most = fmax(most, fabs((double)y[i]));
    worst = fmax(worst, fabs((double)(x[i] - y[i])));
  }
  return worst / most;
}

// `centred` takes both sides: what grows as eps is gone then, in every matrix. Neither the
// integrator nor the data matters.
static void differences_are_centred_if_so_wished(void** state) {
  (void)state;
  SKIP_IN_SINGLE_PRECISION();
  for (int round = 0; round < 4; round++) {
    mjModel* m = recorded_model(round % 2 ? "ball_chain" : "tree_two_links");
    m->opt.integrator = round < 2 ? mjINT_EULER : mjINT_RK4;
    mjData* d = mj_makeData(m);
    int nv = (int)m->nv;
    for (int i = 0; i < 30; i++) mj_step(m, d);
    for (int i = 0; i < nv; i++) d->qvel[i] += 1;
    mj_forward(m, d);
    mjtNum* x[3][3];
    ct_DerivativeOptions options;
    ct_default_derivative_options(&options);
    options.eps = (mjtNum)1e-3;
    for (int k = 0; k < 3; k++) {  // formulas, centred, one-sided
      for (int i = 0; i < 3; i++) x[k][i] = numbers(nv * nv);
      ct_InverseMatrices out = {x[k][0], x[k][1], x[k][2]};
      options.method = k ? CT_DERIVATIVE_DIFFERENCES : CT_DERIVATIVE_ANALYTIC;
      options.centred = k == 1;
      assert_int_equal(ct_inverse_derivative(m, d, &options, 1, &out, NULL), 0);
    }
    for (int i = 0; i < 3; i++) {
      double both = largest_error(x[1][i], x[0][i], nv * nv);
      double one = largest_error(x[2][i], x[0][i], nv * nv);
      if (!(both < 1e-5)) fail_msg("%c: centred differences are off by %g", "qva"[i], both);
      if (i < 1 && !(one > 10 * both)) fail_msg("%c: one-sided ones are off by %g", "qva"[i], one);
      for (int k = 0; k < 3; k++) free(x[k][i]);
    }
    mj_deleteData(d);
    mj_deleteModel(m);
  }
}

// R12.1: numbers or a reason, also where only the matrix by accelerations has none.
static void a_model_that_is_not_a_number_has_no_inverse_derivative(void** state) {
  (void)state;
  mjModel* m = recorded_model("ball_chain");
  mjData* d = mj_makeData(m);
  mjtNum* by_a = numbers((int)(m->nv * m->nv));
  m->dof_armature[1] = (mjtNum)NAN;
  for (int method = CT_DERIVATIVE_HYBRID; method <= CT_DERIVATIVE_DIFFERENCES; method++) {
    ct_DerivativeOptions options;
    ct_DerivativeReport report;
    ct_default_derivative_options(&options);
    options.method = method;
    ct_InverseMatrices out = {NULL, NULL, by_a};
    assert_int_equal(ct_inverse_derivative(m, d, &options, 0, &out, &report), -1);
    assert_int_equal(report.reasons, CT_NO_SLOPE_NUMBERS);
  }
  free(by_a);
  mj_deleteData(d);
  mj_deleteModel(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(inverse_dynamics_has_exact_derivatives),
      cmocka_unit_test(differences_have_forces_in_rows_too),
      cmocka_unit_test(differences_are_centred_if_so_wished),
      cmocka_unit_test(a_model_that_is_not_a_number_has_no_inverse_derivative),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
