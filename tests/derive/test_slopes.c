// Analytic derivatives against differences, on all recorded models; the interface of derivatives;
// bad input.

#include <corten/derivative.h>
#include <corten/integrator.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/fail.h"
#include "support/messages.h"
#include "support/models.h"
#include "support/states.h"
#include "support/text_models.h"

#define TOLERANCE 1e-7  // of analytic derivatives, relative to the largest number of a matrix

static mjtNum* numbers(mjtSize n) {
  return (mjtNum*)calloc((size_t)n + 1, sizeof(mjtNum));
}

typedef struct {
  mjModel* m;
  mjData* d;
  int n, nu;
  mjtNum *A, *B;  // analytic
  mjtNum *C, *D;  // the same again
} Subject;

static Subject subject_of(mjModel* m) {
  Subject s;
  s.m = m;
  s.m->opt.tolerance = 0;  // a quotient of residuals is no derivative
  s.m->opt.iterations = 100;
  s.m->opt.solver = mjSOL_NEWTON;
  s.d = mj_makeData(s.m);
  s.n = (int)(2 * s.m->nv + s.m->na);
  s.nu = (int)s.m->nu;
  s.A = numbers(s.n * s.n);
  s.B = numbers(s.n * s.nu);
  s.C = numbers(s.n * s.n);
  s.D = numbers(s.n * s.nu);
  return s;
}

static Subject open_subject(const char* name) {
  return subject_of(recorded_model(name));
}

static void close_subject(Subject* s) {
  free(s->A), free(s->B), free(s->C), free(s->D);
  mj_deleteData(s->d);
  mj_deleteModel(s->m);
}

// Steps with controls that change, so that something moves.
static void move_on(Subject* s, int steps, unsigned seed) {
  for (int i = 0; i < steps; i++) {
    for (int k = 0; k < s->nu; k++) {
      seed = seed * 1664525u + 1013904223u;
      mjtNum part = (mjtNum)(0.2 + 0.6 * (seed >> 8) / 16777216.0);
      const mjtNum* range = s->m->actuator_ctrlrange + 2 * k;
      s->d->ctrl[k] = s->m->actuator_ctrllimited[k] ? range[0] + part * (range[1] - range[0])
                                                    : part - (mjtNum)0.5;
    }
    mj_step(s->m, s->d);
  }
}

static int derive_sided(Subject* s, int method, mjtNum eps, bool centred, mjtNum* A, mjtNum* B,
                        ct_DerivativeReport* report) {
  ct_DerivativeOptions options;
  ct_default_derivative_options(&options);
  options.method = method;
  options.eps = eps;
  options.centred = centred;
  ct_DerivativeMatrices out = {A, B, NULL, NULL};
  return ct_derivative(s->m, s->d, &options, &out, report);
}

static int derive(Subject* s, int method, mjtNum eps, mjtNum* A, mjtNum* B,
                  ct_DerivativeReport* report) {
  return derive_sided(s, method, eps, true, A, B, report);
}

static double largest(const mjtNum* x, int n) {
  double most = 1e-3;
  for (int i = 0; i < n; i++) most = fmax(most, fabs((double)x[i]));
  return most;
}

// Of one column of two matrices.
static double difference(const mjtNum* x, const mjtNum* y, int rows, int columns, int c) {
  double most = 0;
  for (int i = c; i < rows * columns; i += columns) {
    double now = fabs((double)(x[i] - y[i]));
    if (!(now <= most)) most = now;
  }
  return most;
}

typedef struct {
  int compared, touching, without, borders;
  double worst;
} Tally;

enum { NEPS = 3 };
static const mjtNum eps_tried[NEPS] = {(mjtNum)1e-5, (mjtNum)1e-6, (mjtNum)1e-7};

#define KINK 1e-4  // between one side and both, at the last of them

// The largest error of all columns, each against the best eps, relative to the largest number; and
// what the two eps that agree best differ by in that column, or, if that is a kink, what one side
// (the last of those tried) and both do. Where that is as much, a nudge crosses a border, and
// nothing can be said.
static double worst_column(const mjtNum* exact, mjtNum* const* tried, int rows, int columns,
                           double* doubt) {
  double scale = largest(tried[1], rows * columns), worst = 0;
  *doubt = 0;
  for (int c = 0; c < columns; c++) {
    double best = HUGE_VAL, between = HUGE_VAL;
    for (int k = 0; k < NEPS; k++) {
      best = fmin(best, difference(exact, tried[k], rows, columns, c) / scale);
      if (k) between = fmin(between, difference(tried[k - 1], tried[k], rows, columns, c) / scale);
    }
    if (best <= worst) continue;
    double kink = difference(tried[NEPS - 1], tried[NEPS], rows, columns, c) / scale;
    worst = best;
    *doubt = kink > KINK ? fmax(kink, between) : between;
  }
  return worst;
}

static void compare_state(Subject* s, const char* name, Tally* t) {
  ct_DerivativeReport report, other;
  int na = s->n * s->n, nb = s->n * s->nu;
  if (derive(s, CT_DERIVATIVE_ANALYTIC, (mjtNum)1e-6, s->A, s->B, &report)) {
    t->without++;
    assert_int_not_equal(report.reasons, 0);
    return;
  }
  mjtNum *A[NEPS + 1], *B[NEPS + 1];
  double doubt_A, doubt_B;
  for (int k = 0; k <= NEPS; k++) {
    mjtNum eps = eps_tried[k < NEPS ? k : NEPS - 1];
    A[k] = numbers(na);
    B[k] = numbers(nb);
    int failed = derive_sided(s, CT_DERIVATIVE_DIFFERENCES, eps, k < NEPS, A[k], B[k], &other);
    assert_int_equal(failed, 0);
  }
  double error_A = worst_column(s->A, A, s->n, s->n, &doubt_A);
  double error_B = worst_column(s->B, B, s->n, s->nu, &doubt_B);
  double error = fmax(error_A, error_B), doubt = error_A > error_B ? doubt_A : doubt_B;
  for (int k = 0; k <= NEPS; k++) free(A[k]), free(B[k]);
  bool curved = (report.reasons & CT_SHAPES_TO_TOLERANCE) != 0;  // differences divide it by eps
  if (error > TOLERANCE && (doubt > error / 4 || curved)) {
    t->borders++;
    return;
  }
  if (!(error <= TOLERANCE)) {
    fail_msg("%s at %g s, integrator %d, cone %d: off by %g, differences by %g", name,
             (double)s->d->time, s->m->opt.integrator, s->m->opt.cone, error, doubt);
  }
  t->compared++;
  t->touching += s->d->ncon > 0;
  t->worst = fmax(t->worst, error);
}

// R12.5, R12.10: analytic A and B of all recorded models, all integrators, both cones.
static void analytic_derivatives_equal_differences(void** state) {
  (void)state;
  SKIP_IN_SINGLE_PRECISION();
  static const int integrators[] = {mjINT_EULER, mjINT_IMPLICIT, mjINT_IMPLICITFAST, mjINT_RK4};
  Tally t = {0, 0, 0, 0, 0};
  for (int i = 0; recorded_model_name(i); i++) {
    const char* name = recorded_model_name(i);
    Subject s = open_subject(name);
    if (s.m->nflex || s.m->nhistory || s.m->nv > 60) {
      close_subject(&s);
      continue;
    }
    int own = s.m->opt.integrator, cone = s.m->opt.cone;
    for (int k = 0; k < 4; k++) {
      s.m->opt.integrator = own;
      s.m->opt.cone = cone;
      move_on(&s, 15 + 15 * k, (unsigned)i);
      s.m->opt.integrator = integrators[k];
      s.m->opt.cone = k == 1 ? mjCONE_ELLIPTIC : mjCONE_PYRAMIDAL;
      compare_state(&s, name, &t);
    }
    close_subject(&s);
  }
  print_message(
      "%d states compared (%d with contacts), worst %.1e; %d without analytic "
      "derivative, %d at borders\n",
      t.compared, t.touching, t.worst, t.without, t.borders);
  assert_in_range(t.compared, 130, 1000);
  assert_in_range(t.touching, 8, 1000);
  assert_in_range(t.borders, 0, 8);
}

// R12.10: the humanoid on the ground, in both cones and with all integrators.
static void the_humanoid_has_derivatives_through_contact(void** state) {
  (void)state;
  SKIP_IN_SINGLE_PRECISION();
  Tally t = {0, 0, 0, 0, 0};
  Subject s = open_subject("humanoid");
  for (int i = 0; i < 4; i++) {
    move_on(&s, 100, 7);
    for (int k = 0; k < 6; k++) {
      static const int integrators[] = {mjINT_EULER, mjINT_IMPLICIT, mjINT_IMPLICITFAST};
      s.m->opt.cone = k % 2;
      s.m->opt.integrator = integrators[k / 2];
      compare_state(&s, "humanoid", &t);
    }
    s.m->opt.integrator = mjINT_EULER;
  }
  assert_in_range(t.touching, 12, 24);
  assert_int_equal(t.without, 0);
  close_subject(&s);
}

// A hybrid takes differences where it must, and says so.
static void hybrids_say_what_they_did(void** state) {
  (void)state;
  Subject s = open_subject("ball_chain");
  s.m->opt.noslip_iterations = 2;
  ct_DerivativeReport report;
  assert_int_equal(derive(&s, CT_DERIVATIVE_ANALYTIC, (mjtNum)1e-6, s.A, s.B, &report), -1);
  assert_int_equal(report.reasons, CT_NO_SLOPE_NOSLIP);
  assert_int_equal(derive(&s, CT_DERIVATIVE_HYBRID, (mjtNum)1e-6, s.A, s.B, &report), 0);
  assert_int_equal(report.method, CT_DERIVATIVE_DIFFERENCES);
  assert_int_equal(report.reasons, CT_NO_SLOPE_NOSLIP);
  assert_string_not_equal(ct_derivative_reason(report.reasons), "");
  s.m->opt.noslip_iterations = 0;
  assert_int_equal(derive(&s, CT_DERIVATIVE_HYBRID, (mjtNum)1e-6, s.A, s.B, &report), 0);
  assert_int_equal(report.method, CT_DERIVATIVE_ANALYTIC);
  assert_int_equal(report.reasons, 0);
  close_subject(&s);
}

// R12.1: who asks for differences is told no reasons against formulas, by any function.
static void differences_that_were_asked_for_need_no_reasons(void** state) {
  (void)state;
  Subject s = open_subject("ball_chain");
  size_t nv = (size_t)s.m->nv;
  mjtNum* room = (mjtNum*)calloc(4 * nv * nv + 1, sizeof(mjtNum));
  const ct_Parameter step = {"opt.timestep", 0};
  ct_DerivativeOptions options;
  ct_DerivativeReport report;
  ct_default_derivative_options(&options);
  options.method = CT_DERIVATIVE_DIFFERENCES;
  ct_InverseMatrices inverse = {room, NULL, NULL};
  ct_ForwardMatrices forward = {.q = room};
  ct_DerivativeProduct product = {.by_y = room, .by_x = room + 2 * nv};
  mjtNum by;
  s.m->opt.integrator = mjINT_EULER;
  ct_RolloutProduct rollout = {
      .steps = 1, .by_y = room, .nparameter = 1, .parameters = &step, .by_parameter = &by};
  for (int k = 0; k < 2; k++) {
    s.m->opt.enableflags = k ? mjENBL_SLEEP : mjENBL_INVDISCRETE;
    mj_forward(s.m, s.d);
    assert_int_equal(derive(&s, CT_DERIVATIVE_DIFFERENCES, (mjtNum)1e-6, s.A, s.B, &report), 0);
    assert_int_equal(report.reasons, 0);
    assert_int_equal(ct_derivative_product(s.m, s.d, &options, &product, &report), 0);
    assert_int_equal(report.reasons, 0);
    assert_int_equal(ct_forward_derivative(s.m, s.d, &options, &forward, &report), 0);
    assert_int_equal(report.reasons, 0);
    assert_int_equal(ct_inverse_derivative(s.m, s.d, &options, 0, &inverse, &report), 0);
    assert_int_equal(report.reasons, 0);
    assert_int_equal(ct_parameter_derivative(s.m, s.d, &options, 1, &step, room, &report), 0);
    assert_int_equal(report.reasons, 0);
    assert_int_equal(ct_rollout_product(s.m, s.d, &options, &rollout, &report), 0);
    assert_int_equal(report.reasons, 0);
  }
  free(room);
  close_subject(&s);
}

// R12.1
static void eps_must_make_sense(void** state) {
  (void)state;
  Subject s = open_subject("pendulum");
  const mjtNum wrong[] = {0, -1, (mjtNum)NAN, (mjtNum)0.1};
  for (int k = 0; k < 4; k++) {
    assert_int_equal(derive(&s, CT_DERIVATIVE_HYBRID, wrong[k], s.A, s.B, NULL), -1);
    expect_one_error("eps");
  }
  assert_int_equal(derive(&s, 7, (mjtNum)1e-6, s.A, s.B, NULL), -1);
  expect_one_error("method 7");
  assert_int_equal(derive(&s, CT_DERIVATIVE_HYBRID, (mjtNum)0.01, s.A, s.B, NULL), 0);
  ct_DerivativeMatrices none = {NULL, NULL, NULL, NULL};
  assert_int_equal(ct_derivative(s.m, s.d, NULL, &none, NULL), 0);
  s.d->qpos[0] = (mjtNum)NAN;
  assert_int_equal(derive(&s, CT_DERIVATIVE_HYBRID, (mjtNum)1e-6, s.A, s.B, NULL), -1);
  close_subject(&s);
}

// R12.1: NULL where a result or a question could be, counts and numbers that make no sense.
static void questions_must_make_sense(void** state) {
  (void)state;
  Subject s = open_subject("pendulum");
  mjtNum room[64];
  const ct_Parameter unknown = {"dof_dampin", 0}, beyond = {"dof_damping", 99}, none = {NULL, 0};
  ct_DerivativeOptions rough;
  ct_DerivativeReport report;
  ct_RolloutProduct rollout = {.steps = -1};
  ct_default_derivative_options(&rough);
  rough.smoothing = (mjtNum)NAN;
  assert_int_equal(ct_derivative(s.m, s.d, NULL, NULL, NULL), 0);
  assert_int_equal(ct_derivative_product(s.m, s.d, NULL, NULL, NULL), 0);
  assert_int_equal(ct_inverse_derivative(s.m, s.d, NULL, 0, NULL, NULL), 0);
  assert_int_equal(ct_check_derivative(s.m, s.d, NULL, NULL), 0);
  assert_int_equal(ct_parameter_derivative(s.m, s.d, NULL, 0, NULL, NULL, NULL), 0);
  assert_int_equal(ct_derivative(NULL, s.d, NULL, NULL, NULL), -1);
  expect_one_error("mjModel is NULL");
  assert_int_equal(ct_derivative(s.m, NULL, NULL, NULL, NULL), -1);
  expect_one_error("mjData is NULL");
  assert_int_equal(ct_inverse_derivative(s.m, s.d, &rough, 0, NULL, NULL), -1);
  expect_one_error("ct_inverse_derivative: smoothing is nan");
  assert_int_equal(ct_parameter_derivative(s.m, s.d, NULL, 1, &unknown, room, NULL), -1);
  expect_one_error("dof_dampin");
  assert_int_equal(ct_parameter_derivative(s.m, s.d, NULL, 1, &beyond, room, NULL), -1);
  expect_one_error("none at 99");
  assert_int_equal(ct_parameter_derivative(s.m, s.d, NULL, 1, &none, room, NULL), -1);
  expect_one_error("parameter 0 has no field");
  assert_int_equal(ct_parameter_derivative(s.m, s.d, NULL, -1, &none, room, NULL), -1);
  expect_one_error("there are -1");
  assert_int_equal(ct_rollout_product(s.m, s.d, NULL, NULL, NULL), -1);
  expect_one_error("ct_RolloutProduct is NULL");
  assert_int_equal(ct_rollout_product(s.m, s.d, NULL, &rollout, NULL), -1);
  expect_one_error("-1 steps");
  rollout.steps = 2;
  rollout.checkpoints = -3;
  assert_int_equal(ct_rollout_product(s.m, s.d, NULL, &rollout, NULL), -1);
  expect_one_error("-3 checkpoints");
  s.d->xfrc_applied[7] = (mjtNum)NAN;
  assert_int_equal(ct_derivative(s.m, s.d, NULL, NULL, &report), -1);
  assert_int_equal(report.reasons, CT_NO_SLOPE_NUMBERS);
  close_subject(&s);
}

static int allocations;

static void* count_allocation(size_t bytes) {
  allocations++;
  return malloc(bytes);
}

// Nothing is allocated by analytic derivatives, neither with a forward pass before them nor
// without, by any integrator; and nothing by those of forward and inverse dynamics.
static void analytic_derivatives_allocate_nothing(void** state) {
  (void)state;
  Subject s = open_subject("humanoid");
  static const int integrators[] = {mjINT_EULER, mjINT_IMPLICIT, mjINT_IMPLICITFAST, mjINT_RK4};
  move_on(&s, 100, 3);
  mj_forward(s.m, s.d);
  size_t nv = (size_t)s.m->nv;
  mjtNum* room = numbers(s.m->nv * s.m->nv);
  for (int k = 0; k < 8; k++) {
    ct_DerivativeOptions options;
    ct_default_derivative_options(&options);
    options.method = CT_DERIVATIVE_ANALYTIC;
    options.evaluated = (mjtByte)(k / 4);
    s.m->opt.integrator = integrators[k % 4];
    ct_DerivativeMatrices out = {s.A, s.B, NULL, NULL};
    ct_ForwardMatrices forward = {room, NULL, NULL, NULL, NULL};
    ct_InverseMatrices inverse = {room, NULL, NULL};
    ct_DerivativeProduct adjoint = {NULL, NULL, NULL, s.A + nv, s.C, NULL};
    mju_user_malloc = count_allocation;
    allocations = 0;
    int failed = ct_derivative(s.m, s.d, &options, &out, NULL);
    failed += ct_forward_derivative(s.m, s.d, &options, &forward, NULL);
    failed += ct_inverse_derivative(s.m, s.d, &options, 0, &inverse, NULL);
    if (integrators[k % 4] != mjINT_RK4) {
      failed += ct_derivative_product(s.m, s.d, &options, &adjoint, NULL);
    }
    mju_user_malloc = NULL;
    assert_int_equal(failed, 0);
    assert_int_equal(allocations, 0);
  }
  free(room);
  close_subject(&s);
}

// R12.8
static void analytic_derivatives_leave_the_data_alone(void** state) {
  (void)state;
  Subject s = open_subject("humanoid");
  move_on(&s, 100, 3);
  for (int evaluated = 0; evaluated < 2; evaluated++) {
    for (int k = 0; k < 4; k++) {
      static const int integrators[] = {mjINT_EULER, mjINT_IMPLICIT, mjINT_IMPLICITFAST, mjINT_RK4};
      s.m->opt.integrator = integrators[k];
      mj_forward(s.m, s.d);
      mjData before = *s.d;
      char* buffer = (char*)malloc((size_t)s.d->nbuffer);
      memcpy(buffer, s.d->buffer, (size_t)s.d->nbuffer);
      ct_DerivativeOptions options;
      ct_default_derivative_options(&options);
      options.evaluated = (mjtByte)evaluated;
      ct_DerivativeMatrices first = {s.A, s.B, NULL, NULL}, again = {s.C, s.D, NULL, NULL};
      assert_int_equal(ct_derivative(s.m, s.d, &options, &first, NULL), 0);
      assert_memory_equal(&before, s.d, sizeof(mjData));
      assert_memory_equal(buffer, s.d->buffer, (size_t)s.d->nbuffer);
      assert_int_equal(ct_derivative(s.m, s.d, &options, &again, NULL), 0);
      assert_memory_equal(s.A, s.C, (size_t)(s.n * s.n) * sizeof(mjtNum));
      assert_memory_equal(s.B, s.D, (size_t)(s.n * s.nu) * sizeof(mjtNum));
      free(buffer);
    }
  }
  close_subject(&s);
}

// R12.7
static void checks_find_errors_and_convergence(void** state) {
  (void)state;
  SKIP_IN_SINGLE_PRECISION();
  Subject s = open_subject("tree_branching");
  ct_DerivativeCheck check;
  move_on(&s, 30, 1);
  assert_int_equal(ct_check_derivative(s.m, s.d, NULL, &check), 0);
  assert_true(check.analytic);
  assert_true(check.error_A < 1e-7);
  assert_true(ct_differences_converge(s.m, s.d, (mjtNum)1e-3));
  assert_false(ct_differences_converge(s.m, s.d, (mjtNum)1e-15));
  const mjtNum x[3] = {1, 2, 3}, y[3] = {1, (mjtNum)2.2, 3};
  int where;
  assert_true(fabs((double)ct_derivative_error(x, y, 3, (mjtNum)1e-8, &where) - 0.2 / 2.2) < 1e-6);
  assert_int_equal(where, 1);
  close_subject(&s);
}

// Contacts with what stands still: of all dimensions, of several bodies of one tree, with the body
// that moves on either side, and with references that differ, also between rows of one contact.
static const char grounded[] =
    "<mujoco><option impratio='2'/><worldbody><geom name='floor' type='plane' size='5 5 .1'/>"
    "<geom type='box' pos='0 0 .1' size='.5 .5 .1' euler='3 2 0'/>"
    "<body pos='0 0 .3'><freejoint/><geom size='.11' condim='6' friction='.8 .02 .01'/>"
    "<geom pos='.2 0 0' size='.11' condim='4' solref='.01 1'/>"
    "<body pos='.4 0 0'><joint type='ball' damping='.1'/>"
    "<geom type='capsule' fromto='0 0 0 .3 0 0' size='.08'/>"
    "<body pos='.3 0 0'><joint axis='0 1 0' damping='.1'/><geom size='.05' pos='.3 0 -.08'/>"
    "<geom type='box' pos='.2 0 0' size='.1 .1 .1' condim='1'/></body></body></body>"
    "<body pos='0 1 .3' euler='10 5 3'><freejoint/><geom type='box' size='.1 .1 .1' condim='4'/>"
    "</body><body pos='.5 1 .3' euler='10 80 3'><freejoint/>"
    "<geom name='egg' type='ellipsoid' size='.1 .15 .2'/></body></worldbody>"
    "<contact><pair geom1='floor' geom2='egg' solreffriction='.05 1'/></contact></mujoco>";

static void contacts_with_the_ground_may_differ(void** state) {
  (void)state;
  SKIP_IN_SINGLE_PRECISION();
  Tally t = {0, 0, 0, 0, 0};
  for (int cone = 0; cone < 2; cone++) {
    Subject s = subject_of(text_model(grounded));
    s.m->opt.cone = cone;
    for (int i = 0; i < 6; i++) {
      static const int integrators[] = {mjINT_EULER, mjINT_IMPLICIT, mjINT_IMPLICITFAST};
      s.m->opt.integrator = integrators[i % 3];
      move_on(&s, 40, 1);
      compare_state(&s, "grounded", &t);
    }
    close_subject(&s);
  }
  print_message("%d states with contact, %d at borders\n", t.touching, t.borders);
  assert_in_range(t.touching, 8, 12);
  assert_int_equal(t.without, 0);
}

static const char three_links[] =
    "<mujoco><option timestep='0.01'/><worldbody>"
    "<body><joint name='a' axis='0 1 0'/><geom type='capsule' size='.02' fromto='0 0 0 0 0 -.3'/>"
    "<body pos='0 0 -.3'><joint name='b' axis='0 1 0'/>"
    "<geom type='capsule' size='.02' fromto='0 0 0 0 0 -.3'/>"
    "<body pos='0 0 -.3'><joint name='c' axis='0 1 0'/>"
    "<geom type='capsule' size='.02' fromto='0 0 0 0 0 -.3'/>"
    "</body></body></body></worldbody><actuator><motor joint='a' gear='2'/>"
    "<general joint='b' dyntype='filter' dynprm='.1'/>"
    "<general joint='c' dyntype='filterexact' dynprm='.1'/></actuator></mujoco>";

// R12.4: a torque moves velocities by h M^-1 moment and positions by h times that; activations
// decay by 1 - h / tau, or exactly by exp(-h / tau).
static void torques_and_filters_have_their_textbook_derivatives(void** state) {
  (void)state;
  mjModel* m = text_model(three_links);
  mjData* d = mj_makeData(m);
  mjtNum A[64], B[24], torque[3] = {2, 0, 0}, acc[3];
  ct_DerivativeMatrices out = {A, B, NULL, NULL};
  ct_DerivativeReport report;
  d->qpos[0] = (mjtNum)0.4;
  d->qvel[1] = (mjtNum)-0.7;
  mj_forward(m, d);
  mj_solveM(m, d, acc, torque, 1);
  assert_int_equal(ct_derivative(m, d, NULL, &out, &report), 0);
  assert_int_equal(report.method, CT_DERIVATIVE_ANALYTIC);
  const double h = 0.01, tau = 0.1, small = PRECISION(1e-12, 1e-5);
  for (int i = 0; i < 3; i++) {
    double want = h * (double)acc[i];
    assert_true(fabs((double)B[3 * (3 + i)] - want) < small * (1 + fabs(want)));
    assert_true(fabs((double)B[3 * i] - h * want) < small * (1 + fabs(want)));
  }
  assert_true(fabs((double)A[8 * 6 + 6] - (1 - h / tau)) < small);
  assert_true(fabs((double)A[8 * 7 + 7] - exp(-h / tau)) < small);
  assert_true(fabs((double)B[3 * 6 + 1] - h / tau) < small);
  assert_true(fabs((double)B[3 * 7 + 2] - (1 - exp(-h / tau))) < small);
  mj_deleteData(d);
  mj_deleteModel(m);
}

// R12.4: three links without actuators have six columns of states and none of controls.
static void three_links_have_six_states(void** state) {
  (void)state;
  char text[sizeof(three_links)];
  strcpy(text, three_links);
  strcpy(strstr(text, "<actuator>"), "</mujoco>");
  mjModel* m = text_model(text);
  mjData* d = mj_makeData(m);
  assert_int_equal(2 * m->nv + m->na, 6);
  assert_int_equal(m->nu, 0);
  d->qpos[0] = (mjtNum)0.4;
  for (int method = CT_DERIVATIVE_HYBRID; method <= CT_DERIVATIVE_DIFFERENCES; method++) {
    ct_DerivativeOptions options;
    mjtNum A[37], B[1] = {7};
    ct_DerivativeMatrices out = {A, B, NULL, NULL};
    ct_default_derivative_options(&options);
    options.method = method;
    for (int i = 0; i < 37; i++) A[i] = 7;
    assert_int_equal(ct_derivative(m, d, &options, &out, NULL), 0);
    for (int i = 0; i < 36; i++) assert_true(A[i] != 7);
    assert_true(A[36] == 7 && B[0] == 7);
  }
  mj_deleteData(d);
  mj_deleteModel(m);
}

static mjModel* chain_of(int links, const char* joint) {
  static char text[20000];
  int at = snprintf(text, sizeof(text), "<mujoco><option timestep='0.005'/><worldbody>");
  for (int i = 0; i < links; i++) {
    at += snprintf(text + at, sizeof(text) - (size_t)at,
                   "<body pos='0 0 %g'><joint name='j%d' axis='0 1 0' %s/>"
                   "<geom type='capsule' size='.02' fromto='0 0 0 0 0 -.2'/>",
                   i ? -0.2 : 0.0, i, joint);
  }
  for (int i = 0; i < links; i++) strcat(text, "</body>");
  strcat(text, "</worldbody><actuator>");
  for (int i = 0; i < links; i++) {
    char motor[64];
    snprintf(motor, sizeof(motor), "<motor joint='j%d' gear='%d'/>", i, 1 + i % 3);
    strcat(text, motor);
  }
  strcat(text, "</actuator></mujoco>");
  return text_model(text);
}

// Hybrid A and B against differences that the test takes itself, from whole steps.
static double error_of_hybrid(const mjModel* m, mjData* d, int* method) {
  enum { MOST = 32 };
  int nv = (int)m->nv, n = 2 * nv, nu = (int)m->nu;
  mjtNum A[MOST * MOST], B[MOST * MOST], state[2 * MOST], eps = (mjtNum)1e-6;
  ct_DerivativeMatrices out = {A, B, NULL, NULL};
  ct_DerivativeReport report;
  double worst = 0;
  assert_int_equal(ct_derivative(m, d, NULL, &out, &report), 0);
  *method = report.method;
  mjData* tried = mj_makeData(m);
  mj_getState(m, d, state, mjSTATE_PHYSICS);
  for (int c = 0; c < n + nu; c++) {
    mjtNum end[2][MOST];
    for (int side = 0; side < 2; side++) {
      mj_resetData(m, tried);
      mj_setState(m, tried, state, mjSTATE_PHYSICS);
      mju_copy(tried->ctrl, d->ctrl, nu);
      mjtNum* place = c < nv ? tried->qpos + c : c < n ? tried->qvel + c - nv : tried->ctrl + c - n;
      *place += side ? eps : -eps;
      mj_step(m, tried);
      mju_copy(end[side], tried->qpos, nv);
      mju_copy(end[side] + nv, tried->qvel, nv);
    }
    for (int i = 0; i < n; i++) {
      double rough = (double)(end[1][i] - end[0][i]) / (2 * (double)eps);
      double exact = (double)(c < n ? A[i * n + c] : B[i * nu + c - n]);
      worst = fmax(worst, fabs(exact - rough) / fmax(1, fabs(rough)));
    }
  }
  mj_deleteData(tried);
  return worst;
}

// R12.5: hybrids of three and ten links with as many torques, damped, in all integrators, and of
// stiff springs and dampers under the integrator that has both implicit, which takes differences.
static void hybrids_of_chains_equal_differences(void** state) {
  (void)state;
  SKIP_IN_SINGLE_PRECISION();
  static const int integrators[] = {mjINT_EULER, mjINT_IMPLICIT, mjINT_IMPLICITFAST, mjINT_RK4,
                                    CT_INT_SPRINGDAMPER};
  for (int k = 0; k < 10; k++) {
    int stiff = integrators[k / 2] == CT_INT_SPRINGDAMPER, method;
    mjModel* m = chain_of(k % 2 ? 10 : 3, stiff ? "stiffness='1000' damping='10'" : "damping='.1'");
    mjData* d = mj_makeData(m);
    m->opt.integrator = integrators[k / 2];
    for (int i = 0; i < m->nv; i++) {
      d->qpos[i] = (mjtNum)(0.3 * (i % 3) - 0.2);
      d->qvel[i] = (mjtNum)(0.5 - 0.2 * (i % 4));
      d->ctrl[i] = (mjtNum)(0.1 * i);
    }
    double error = error_of_hybrid(m, d, &method);
    assert_int_equal(method, stiff ? CT_DERIVATIVE_DIFFERENCES : CT_DERIVATIVE_ANALYTIC);
    if (!(error < 1e-6)) fail_msg("integrator %d: off by %g", m->opt.integrator, error);
    mj_deleteData(d);
    mj_deleteModel(m);
  }
}

// R12.6: the two derivatives of a quaternion's integration against differences, at one velocity and
// step.
static void integrated_quaternions_have_their_derivatives(void** state) {
  (void)state;
  SKIP_IN_SINGLE_PRECISION();
  const mjtNum vel[3] = {1, (mjtNum)0.5, (mjtNum)-0.3}, h = (mjtNum)0.001, eps = (mjtNum)1e-5;
  mjtNum start[4] = {(mjtNum)0.5, (mjtNum)0.1, (mjtNum)-0.7, (mjtNum)0.3}, by_quat[9], by_vel[9];
  mju_normalize4(start);
  mjd_quatIntegrate(vel, h, by_quat, by_vel, NULL);
  for (int k = 0; k < 3; k++) {
    mjtNum unit[3] = {0, 0, 0}, end[2][4], turned[2][4], difference[3];
    unit[k] = 1;
    for (int side = 0; side < 2; side++) {
      mjtNum step = side ? eps : -eps, faster[3];
      mju_copy4(turned[side], start);
      mju_quatIntegrate(turned[side], unit, step);
      assert_true(fabs((double)mju_norm(turned[side], 4) - 1) < 1e-14);
      mju_quatIntegrate(turned[side], vel, h);
      for (int i = 0; i < 3; i++) faster[i] = vel[i] + step * unit[i];
      mju_copy4(end[side], start);
      mju_quatIntegrate(end[side], faster, h);
    }
    mju_subQuat(difference, turned[1], turned[0]);
    for (int i = 0; i < 3; i++) {
      assert_true(fabs((double)(difference[i] / (2 * eps) - by_quat[3 * i + k])) < 1e-6);
    }
    mju_subQuat(difference, end[1], end[0]);  // by_vel is by the scaled velocity
    for (int i = 0; i < 3; i++) {
      assert_true(fabs((double)(difference[i] / (2 * eps * h) - by_vel[3 * i + k])) < 1e-6);
    }
  }
}

// R12.6: ball and free joints in tangent space, after steps with unit quaternions.
static void rotations_are_differentiated_in_tangent_space(void** state) {
  (void)state;
  SKIP_IN_SINGLE_PRECISION();
  static const char* const names[] = {"ball_chain", "free_chain", "tree_ball_chain"};
  for (int i = 0; i < 3; i++) {
    Tally t = {0, 0, 0, 0, 0};
    Subject s = open_subject(names[i]);
    move_on(&s, 40, 5);
    compare_state(&s, names[i], &t);
    assert_int_equal(t.compared, 1);
    for (int j = 0; j < s.m->njnt; j++) {
      int at = s.m->jnt_qposadr[j] + (s.m->jnt_type[j] == mjJNT_FREE ? 3 : 0);
      if (s.m->jnt_type[j] > mjJNT_BALL) continue;
      assert_true(fabs((double)mju_norm(s.d->qpos + at, 4) - 1) < 1e-14);
    }
    close_subject(&s);
  }
}

// A ball joint without any turn has no axis to be limited about: no derivative, and no NaN.
static void limits_of_balls_need_a_turn(void** state) {
  (void)state;
  mjModel* m = text_model(
      "<mujoco><worldbody><body><joint type='ball' limited='true' range='0 1' margin='.2'/>"
      "<geom size='.1' pos='.1 0 0'/></body></worldbody></mujoco>");
  mjData* d = mj_makeData(m);
  mjtNum A[36];
  ct_DerivativeMatrices out = {A, NULL, NULL, NULL};
  ct_DerivativeReport report;
  m->jnt_range[1] = (mjtNum)0.1;
  assert_int_equal(ct_derivative(m, d, NULL, &out, &report), 0);
  assert_int_equal(report.method, CT_DERIVATIVE_DIFFERENCES);
  assert_int_equal(report.reasons, CT_NO_SLOPE_ROTATION);
  assert_string_not_equal(ct_derivative_reason(report.reasons), "");
  d->qpos[1] = (mjtNum)0.01;
  assert_int_equal(ct_derivative(m, d, NULL, &out, &report), 0);
  assert_int_equal(report.method, CT_DERIVATIVE_ANALYTIC);
  mj_deleteData(d);
  mj_deleteModel(m);
}

// Evaluations of a Runge-Kutta step that leave all numbers have no derivative of any kind.
static void steps_that_diverge_have_none(void** state) {
  (void)state;
  mjModel* m = text_model(
      "<mujoco><option integrator='RK4' density='1'/><worldbody><body><freejoint/>"
      "<geom size='.1'/></body></worldbody></mujoco>");
  mjData* d = mj_makeData(m);
  mjtNum A[144];
  m->opt.density = (mjtNum)PRECISION(1e200, 1e30);
  for (int i = 0; i < 6; i++) d->qvel[i] = 1;
  for (int method = CT_DERIVATIVE_HYBRID; method <= CT_DERIVATIVE_DIFFERENCES; method++) {
    ct_DerivativeOptions options;
    ct_DerivativeMatrices out = {A, NULL, NULL, NULL};
    ct_DerivativeReport report;
    ct_default_derivative_options(&options);
    options.method = method;
    assert_int_equal(ct_derivative(m, d, &options, &out, &report), -1);
    assert_true(report.reasons & CT_NO_SLOPE_NUMBERS || report.status);
  }
  mj_deleteData(d);
  mj_deleteModel(m);
}

// One bad control silences all of them: nothing changes with any.
static void bad_controls_have_no_effect(void** state) {
  (void)state;
  mjModel* m = text_model(
      "<mujoco><worldbody><body><joint name='a' axis='0 1 0'/><geom size='.1' pos='.1 0 0'/>"
      "</body></worldbody><actuator><general joint='a' gaintype='affine' gainprm='1 2 0'/>"
      "<general joint='a' dyntype='filter' dynprm='.1'/></actuator></mujoco>");
  mjData* d = mj_makeData(m);
  mjtNum A[2][9], B[2][6];
  for (int method = CT_DERIVATIVE_ANALYTIC; method <= CT_DERIVATIVE_DIFFERENCES; method++) {
    ct_DerivativeOptions options;
    int k = method - CT_DERIVATIVE_ANALYTIC;
    ct_DerivativeMatrices out = {A[k], B[k], NULL, NULL};
    ct_default_derivative_options(&options);
    options.method = method;
    options.eps = (mjtNum)PRECISION(1e-6, 1e-3);
    d->ctrl[0] = (mjtNum)NAN;
    d->ctrl[1] = 1;
    assert_int_equal(ct_derivative(m, d, &options, &out, NULL), 0);
  }
  for (int i = 0; i < 6; i++) assert_true(B[0][i] == 0 && B[1][i] == 0);
  for (int i = 0; i < 9; i++) {
    assert_true(fabs((double)(A[0][i] - A[1][i])) < PRECISION(1e-8, 1e-2));
  }
  mj_deleteData(d);
  mj_deleteModel(m);
}

static const char hovering[] =
    "<mujoco><option timestep='0.01' gravity='0 0 0'/><worldbody>"
    "<geom type='plane' size='1 1 1' margin='.02'/><body pos='0 0 .11'>"
    "<joint type='slide' axis='0 0 1'/><geom size='.1' mass='1'/></body></worldbody></mujoco>";

// A ball within the margin of the floor that leaves it too fast to be pushed: smoothing lets the
// floor be felt, less and less as it becomes smaller, and half of the weight at the border.
static void smoothing_feels_contacts_that_do_not_push(void** state) {
  (void)state;
  SKIP_IN_SINGLE_PRECISION();
  mjModel* m = text_model(hovering);
  for (int cone = 0; cone < 2; cone++) {
    m->opt.cone = cone;
    mjData* d = mj_makeData(m);
    mjtNum A[4], soft[3];
    ct_DerivativeMatrices out = {A, NULL, NULL, NULL};
    ct_DerivativeOptions options;
    ct_default_derivative_options(&options);
    d->qvel[0] = 1;
    mj_forward(m, d);
    assert_true(d->nefc > 0 && d->efc_force[0] == 0);
    assert_int_equal(ct_derivative(m, d, &options, &out, NULL), 0);
    assert_true(A[2] == 0 && A[3] == 1);
    for (int k = 0; k < 3; k++) {
      options.smoothing = (mjtNum)(k == 0 ? 100 : k == 1 ? 20 : 0.01);
      assert_int_equal(ct_derivative(m, d, &options, &out, NULL), 0);
      soft[k] = A[2];
    }
    assert_true(soft[0] < soft[1] && soft[1] < 0);
    assert_true(fabs((double)soft[2]) < 1e-9);
    mj_deleteData(d);
  }
  mj_deleteModel(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(analytic_derivatives_equal_differences),
      cmocka_unit_test(the_humanoid_has_derivatives_through_contact),
      cmocka_unit_test(contacts_with_the_ground_may_differ),
      cmocka_unit_test(torques_and_filters_have_their_textbook_derivatives),
      cmocka_unit_test(three_links_have_six_states),
      cmocka_unit_test(hybrids_of_chains_equal_differences),
      cmocka_unit_test(integrated_quaternions_have_their_derivatives),
      cmocka_unit_test(rotations_are_differentiated_in_tangent_space),
      cmocka_unit_test(smoothing_feels_contacts_that_do_not_push),
      cmocka_unit_test(hybrids_say_what_they_did),
      cmocka_unit_test(differences_that_were_asked_for_need_no_reasons),
      cmocka_unit_test(limits_of_balls_need_a_turn),
      cmocka_unit_test(steps_that_diverge_have_none),
      cmocka_unit_test(bad_controls_have_no_effect),
      cmocka_unit_test_setup_teardown(eps_must_make_sense, listen_to_messages, stop_listening),
      cmocka_unit_test_setup_teardown(questions_must_make_sense, listen_to_messages,
                                      stop_listening),
      cmocka_unit_test(analytic_derivatives_leave_the_data_alone),
      cmocka_unit_test(analytic_derivatives_allocate_nothing),
      cmocka_unit_test(checks_find_errors_and_convergence),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
