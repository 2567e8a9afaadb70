// Derivatives of forward dynamics against differences, and against those of steps.

#include <corten/derivative.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/fail.h"
#include "support/messages.h"
#include "support/models.h"
#include "support/states.h"

enum { BY_Q, BY_V, BY_ACT, BY_CTRL, BY_FORCE, NKIND };

typedef struct {
  mjModel* m;
  mjData* d;
  size_t size[NKIND];
  mjtNum *exact[NKIND], *rough[NKIND], *fine[NKIND];
} Subject;

static mjtNum* numbers(size_t n) {
  return (mjtNum*)calloc(n + 1, sizeof(mjtNum));
}

static ct_ForwardMatrices matrices(mjtNum* x[NKIND]) {
  ct_ForwardMatrices out = {x[BY_Q], x[BY_V], x[BY_ACT], x[BY_CTRL], x[BY_FORCE]};
  return out;
}

static Subject open_subject(const char* name, int integrator) {
  Subject s = {.m = recorded_model(name)};
  size_t nv = (size_t)s.m->nv;
  const size_t columns[NKIND] = {nv, nv, (size_t)s.m->na, (size_t)s.m->nu, nv};
  s.m->opt.integrator = mjINT_EULER;
  s.m->opt.solver = mjSOL_NEWTON;
  s.m->opt.tolerance = 0;
  s.m->opt.iterations = 100;
  s.d = mj_makeData(s.m);
  for (int i = 0; i < s.m->nu; i++) s.d->ctrl[i] = (mjtNum)0.3 - (mjtNum)0.1 * (mjtNum)(i % 4);
  for (int i = 0; i < 60; i++) mj_step(s.m, s.d);
  s.m->opt.integrator = integrator;
  for (int k = 0; k < NKIND; k++) {
    s.size[k] = nv * columns[k];
    s.exact[k] = numbers(s.size[k]);
    s.rough[k] = numbers(s.size[k]);
    s.fine[k] = numbers(s.size[k]);
  }
  return s;
}

static void close_subject(Subject* s) {
  for (int k = 0; k < NKIND; k++) free(s->exact[k]), free(s->rough[k]), free(s->fine[k]);
  mj_deleteData(s->d);
  mj_deleteModel(s->m);
}

static int ask(Subject* s, int method, double eps, mjtNum* x[NKIND], ct_DerivativeReport* report) {
  ct_DerivativeOptions options;
  ct_ForwardMatrices out = matrices(x);
  ct_default_derivative_options(&options);
  options.method = method;
  options.eps = (mjtNum)eps;
  return ct_forward_derivative(s->m, s->d, &options, &out, report);
}

// As near to one of the differences as they are to each other, or to 1e-7 of the largest number.
static void expect_alike(const Subject* s, const char* name, int kind) {
  double most = 1e-3, worst = 0, doubt = 0;
  for (size_t i = 0; i < s->size[kind]; i++) {
    double x = (double)s->exact[kind][i], y = (double)s->rough[kind][i];
    double z = (double)s->fine[kind][i];
    most = fmax(most, fabs(x));
    worst = fmax(worst, fmin(fabs(x - y), fabs(x - z)));
    doubt = fmax(doubt, fabs(y - z));
  }
  if (!(worst <= 1e-7 * most) && doubt < worst) {
    fail_msg("%s, matrix %d: off by %g, differences by %g", name, kind, worst / most, doubt / most);
  }
}

// R12.10, and R12.8: all of the data is as before.
static void accelerations_have_exact_derivatives(void** state) {
  (void)state;
  SKIP_IN_SINGLE_PRECISION();
  int analytic = 0;
  for (int i = 0; recorded_model_name(i); i++) {
    const char* name = recorded_model_name(i);
    mjModel* m = recorded_model(name);
    bool fits = !m->nflex && !m->nhistory && m->nv <= 30 && m->nv > 0;
    mj_deleteModel(m);
    if (!fits) continue;
    Subject s = open_subject(name, i % 2 ? mjINT_EULER : mjINT_RK4);
    ct_DerivativeReport report;
    mjData before = *s.d;
    char* buffer = (char*)malloc((size_t)s.d->nbuffer);
    memcpy(buffer, s.d->buffer, (size_t)s.d->nbuffer);
    if (ask(&s, CT_DERIVATIVE_ANALYTIC, 1e-6, s.exact, &report) == 0) {
      assert_int_equal(report.method, CT_DERIVATIVE_ANALYTIC);
      assert_int_equal(ask(&s, CT_DERIVATIVE_DIFFERENCES, 1e-6, s.rough, NULL), 0);
      assert_int_equal(ask(&s, CT_DERIVATIVE_DIFFERENCES, 1e-7, s.fine, NULL), 0);
      for (int kind = 0; kind < NKIND; kind++) expect_alike(&s, name, kind);
      analytic++;
    } else {
      assert_int_not_equal(report.reasons, 0);
    }
    assert_memory_equal(&before, s.d, sizeof(mjData));
    assert_memory_equal(buffer, s.d->buffer, (size_t)s.d->nbuffer);
    free(buffer);
    close_subject(&s);
  }
  assert_in_range(analytic, 25, 200);
}

static void assert_near(mjtNum x, mjtNum y, double tolerance) {
  if (!(fabs((double)(x - y)) <= tolerance)) fail_msg("%g is not %g", (double)x, (double)y);
}

// Without damping, Euler's velocities are v + h qacc: rows of A and B.
static void those_of_a_step_follow(void** state) {
  (void)state;
  Subject s = open_subject("humanoid", mjINT_EULER);
  const mjModel* m = s.m;
  int nv = (int)m->nv, nu = (int)m->nu, n = 2 * nv + (int)m->na;
  for (int i = 0; i < nv; i++) m->dof_damping[i] = 0;
  mjtNum *A = numbers((size_t)(n * n)), *B = numbers((size_t)(n * nu)), h = m->opt.timestep;
  ct_DerivativeMatrices out = {A, B, NULL, NULL};
  assert_int_equal(ct_derivative(m, s.d, NULL, &out, NULL), 0);
  assert_int_equal(ask(&s, CT_DERIVATIVE_HYBRID, 1e-6, s.exact, NULL), 0);
  for (int i = 0; i < nv; i++) {
    for (int j = 0; j < nv; j++) {
      size_t at = (size_t)(i * nv + j), row = (size_t)((nv + i) * n);
      assert_near(A[row + (size_t)j], h * s.exact[BY_Q][at], PRECISION(1e-10, 1e-3));
      assert_near(A[row + (size_t)(nv + j)], (i == j) + h * s.exact[BY_V][at],
                  PRECISION(1e-10, 1e-3));
    }
    for (int j = 0; j < nu; j++) {
      size_t at = (size_t)(i * nu + j);
      assert_near(B[(size_t)((nv + i) * nu + j)], h * s.exact[BY_CTRL][at], PRECISION(1e-10, 1e-3));
    }
  }
  free(A), free(B);
  close_subject(&s);
}

// R12.1: options and states that make no sense, and outputs that nobody wants.
static void bad_questions_are_refused(void** state) {
  (void)state;
  Subject s = open_subject("pendulum", mjINT_EULER);
  ct_DerivativeReport report;
  static const double bad[] = {0, -1, 0.1, (double)NAN};
  for (int i = 0; i < 4; i++) {
    assert_int_equal(ask(&s, CT_DERIVATIVE_HYBRID, bad[i], s.exact, &report), -1);
    expect_one_error("ct_forward_derivative: eps is");
  }
  assert_int_equal(ask(&s, 3, 1e-6, s.exact, &report), -1);
  expect_one_error("no method 3");
  assert_int_equal(ct_forward_derivative(NULL, s.d, NULL, NULL, NULL), -1);
  expect_one_error("mjModel is NULL");
  assert_int_equal(ct_forward_derivative(s.m, s.d, NULL, NULL, NULL), 0);
  s.d->qfrc_applied[0] = (mjtNum)NAN;
  assert_int_equal(ask(&s, CT_DERIVATIVE_HYBRID, 1e-6, s.exact, &report), -1);
  assert_int_equal(report.reasons, CT_NO_SLOPE_NUMBERS);
  close_subject(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(accelerations_have_exact_derivatives),
      cmocka_unit_test(those_of_a_step_follow),
      cmocka_unit_test_setup_teardown(bad_questions_are_refused, listen_to_messages,
                                      stop_listening),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
