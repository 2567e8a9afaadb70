// Products with derivatives of steps and rollouts, against the matrices that they stand for.

#include <corten/derivative.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/fail.h"
#include "support/messages.h"
#include "support/models.h"
#include "support/states.h"
#include "support/text_models.h"

enum { STEPS = 12 };

typedef struct {
  mjModel* m;
  mjData* d;
  int n, nu;
} Subject;

static mjtNum* numbers(int n) {
  return (mjtNum*)calloc((size_t)n + 1, sizeof(mjtNum));
}

// Numbers between -1 and 1.
static void scatter(mjtNum* x, int n, unsigned seed) {
  for (int i = 0; i < n; i++) {
    seed = seed * 1664525u + 1013904223u;
    x[i] = (mjtNum)((seed >> 8) / 8388608.0 - 1);
  }
}

static Subject open_subject(const char* name, int integrator, int steps) {
  Subject s = {recorded_model(name), NULL, 0, 0};
  s.m->opt.tolerance = 0;
  s.m->opt.iterations = 100;
  s.m->opt.solver = mjSOL_NEWTON;
  s.d = mj_makeData(s.m);
  s.n = (int)(2 * s.m->nv + s.m->na);
  s.nu = (int)s.m->nu;
  scatter(s.d->ctrl, s.nu, 5);
  for (int i = 0; i < steps; i++) mj_step(s.m, s.d);
  s.m->opt.integrator = integrator;
  return s;
}

static void close_subject(Subject* s) {
  mj_deleteData(s->d);
  mj_deleteModel(s->m);
}

static double dot(const mjtNum* x, const mjtNum* y, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++) sum += (double)x[i] * (double)y[i];
  return sum;
}

// y (rows) = M x, or M' x
static void mul(const mjtNum* M, int rows, int columns, const mjtNum* x, bool transposed,
                mjtNum* y) {
  for (int i = 0; i < rows; i++) {
    for (int k = 0; k < columns; k++) {
      if (transposed) {
        y[k] += M[i * columns + k] * x[i];
      } else {
        y[i] += M[i * columns + k] * x[k];
      }
    }
  }
}

static void compare_products(const char* name, int integrator) {
  Subject s = open_subject(name, integrator, 60);
  int n = s.n, nu = s.nu;
  mjtNum *A = numbers(n * n), *B = numbers(n * nu), *dx = numbers(n), *du = numbers(nu);
  mjtNum *dy = numbers(n), *by_y = numbers(n), *by_x = numbers(n), *by_u = numbers(nu);
  mjtNum *want = numbers(n), *want_x = numbers(n), *want_u = numbers(nu);
  ct_DerivativeMatrices out = {A, B, NULL, NULL};
  ct_DerivativeProduct product = {dx, du, dy, by_y, by_x, by_u};
  ct_DerivativeReport report, alike;
  scatter(dx, n, 1);
  scatter(du, nu, 2);
  scatter(by_y, n, 3);
  int with = ct_derivative(s.m, s.d, NULL, &out, &report);
  assert_int_equal(ct_derivative_product(s.m, s.d, NULL, &product, &alike), with);
  if (with == 0) {
    assert_int_equal(report.method, alike.method);
    assert_int_equal(report.reasons, alike.reasons);
    mul(A, n, n, dx, false, want);
    mul(B, n, nu, du, false, want);
    mul(A, n, n, by_y, true, want_x);
    mul(B, n, nu, by_y, true, want_u);
    expect_close(name, dy, want, n, PRECISION(1e-9, 1e-2));
    expect_close(name, by_x, want_x, n, PRECISION(1e-9, 1e-2));
    expect_close(name, by_u, want_u, nu, PRECISION(1e-9, 1e-2));

    // weights alone, which take a shorter way
    product.dy = NULL;
    memset(by_x, 0, (size_t)n * sizeof(mjtNum));
    memset(by_u, 0, (size_t)nu * sizeof(mjtNum));
    assert_int_equal(ct_derivative_product(s.m, s.d, NULL, &product, &alike), 0);
    assert_int_equal(report.method, alike.method);
    assert_int_equal(report.reasons, alike.reasons);
    expect_close(name, by_x, want_x, n, PRECISION(1e-9, 1e-2));
    expect_close(name, by_u, want_u, nu, PRECISION(1e-9, 1e-2));
  }
  free(A), free(B), free(dx), free(du), free(dy), free(by_y), free(by_x), free(by_u);
  free(want), free(want_x), free(want_u);
  close_subject(&s);
}

static void products_equal_those_of_the_matrices(void** state) {
  (void)state;
  static const int integrators[] = {mjINT_EULER, mjINT_IMPLICIT, mjINT_IMPLICITFAST, mjINT_RK4};
  for (int i = 0; recorded_model_name(i); i++) {
    const char* name = recorded_model_name(i);
    mjModel* m = recorded_model(name);
    bool fits = m->nflex == 0 && m->nhistory == 0 && m->nv <= 30;
    mj_deleteModel(m);
    for (int k = 0; k < 4 && fits; k++) compare_products(name, integrators[k]);
  }
}

typedef struct {  // directions, weights and results of a rollout
  mjtNum *ctrl, *dx, *du, *dy, *by_y, *by_x, *by_u;
  ct_RolloutProduct r;
} Rollout;

static Rollout make_rollout(const Subject* s) {
  int n = s->n, nu = s->nu;
  Rollout o = {numbers(STEPS * nu),      numbers(n), numbers(STEPS * nu), numbers((STEPS + 1) * n),
               numbers((STEPS + 1) * n), numbers(n), numbers(STEPS * nu), {0}};
  scatter(o.ctrl, STEPS * nu, 11);
  scatter(o.dx, n, 12);
  scatter(o.du, STEPS * nu, 13);
  scatter(o.by_y, (STEPS + 1) * n, 14);
  ct_RolloutProduct r = {.steps = STEPS,
                         .ctrl = o.ctrl,
                         .dx = o.dx,
                         .du = o.du,
                         .dy = o.dy,
                         .by_y = o.by_y,
                         .by_x = o.by_x,
                         .by_u = o.by_u};
  o.r = r;
  return o;
}

static void free_rollout(Rollout* o) {
  free(o->ctrl), free(o->dx), free(o->du), free(o->dy), free(o->by_y), free(o->by_x), free(o->by_u);
}

// Weights of all states times their directions is the same from both ends of the rollout.
static void the_adjoint_of_a_rollout_belongs_to_its_directions(void** state) {
  (void)state;
  static const struct {
    const char* name;
    int integrator;
  } cases[] = {{"humanoid", mjINT_EULER},
               {"humanoid", mjINT_IMPLICITFAST},
               {"integrators", mjINT_IMPLICIT},
               {"ball_chain", mjINT_RK4},
               {"muscles", mjINT_EULER}};
  for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
    Subject s = open_subject(cases[i].name, cases[i].integrator, 100);
    Rollout o = make_rollout(&s);
    ct_DerivativeReport report;
    assert_int_equal(ct_rollout_product(s.m, s.d, NULL, &o.r, &report), 0);
    double ahead = dot(o.by_y, o.dy, (STEPS + 1) * s.n);
    double back = dot(o.by_x, o.dx, s.n) + dot(o.by_u, o.du, STEPS * s.nu);
    double size = sqrt(dot(o.dy, o.dy, (STEPS + 1) * s.n) * dot(o.by_y, o.by_y, (STEPS + 1) * s.n));
    if (!(fabs(ahead - back) <= PRECISION(1e-10, 1e-3) * (1 + size))) {
      fail_msg("%s: %.12g along, %.12g backwards", cases[i].name, ahead, back);
    }
    free_rollout(&o);
    close_subject(&s);
  }
}

// The derivative of a whole rollout equals a difference of two rollouts.
static void directions_of_a_rollout_equal_differences(void** state) {
  (void)state;
  SKIP_IN_SINGLE_PRECISION();
  Subject s = open_subject("humanoid", mjINT_EULER, 100);
  Rollout o = make_rollout(&s);
  const mjtNum eps = (mjtNum)1e-7;
  int nq = (int)s.m->nq, nv = (int)s.m->nv;
  mjtNum *end[2], *qpos[2], *difference = numbers(s.n);
  for (int k = 0; k < STEPS * s.nu; k++) o.ctrl[k] /= 4;
  o.r.by_y = NULL;
  assert_int_equal(ct_rollout_product(s.m, s.d, NULL, &o.r, NULL), 0);
  for (int side = 0; side < 2; side++) {
    mjtNum step = side ? eps : -eps;
    mjData* d = mj_copyData(NULL, s.m, s.d);
    mj_integratePos(s.m, d->qpos, o.dx, step);
    for (int i = 0; i < nv; i++) d->qvel[i] += step * o.dx[nv + i];
    for (int t = 0; t < STEPS; t++) {
      for (int i = 0; i < s.nu; i++) d->ctrl[i] = o.ctrl[t * s.nu + i] + step * o.du[t * s.nu + i];
      mj_step(s.m, d);
    }
    qpos[side] = numbers(nq);
    end[side] = numbers(nv);
    memcpy(qpos[side], d->qpos, (size_t)nq * sizeof(mjtNum));
    memcpy(end[side], d->qvel, (size_t)nv * sizeof(mjtNum));
    mj_deleteData(d);
  }
  mj_differentiatePos(s.m, difference, 2 * eps, qpos[0], qpos[1]);
  for (int i = 0; i < nv; i++) difference[nv + i] = (end[1][i] - end[0][i]) / (2 * eps);
  expect_close("rollout", o.dy + STEPS * s.n, difference, s.n, 1e-5);
  free(end[0]), free(end[1]), free(qpos[0]), free(qpos[1]), free(difference);
  free_rollout(&o);
  close_subject(&s);
}

// R12.8: with any number of checkpoints the adjoint has the same bits, and the data is left alone.
static void checkpoints_do_not_change_a_bit(void** state) {
  (void)state;
  Subject s = open_subject("humanoid", mjINT_EULER, 100);
  Rollout all = make_rollout(&s);
  assert_int_equal(ct_rollout_product(s.m, s.d, NULL, &all.r, NULL), 0);
  mjData before = *s.d;
  char* buffer = (char*)malloc((size_t)s.d->nbuffer);
  memcpy(buffer, s.d->buffer, (size_t)s.d->nbuffer);
  for (int kept = 1; kept <= STEPS + 1; kept += 3) {
    Rollout some = make_rollout(&s);
    some.r.checkpoints = kept;
    assert_int_equal(ct_rollout_product(s.m, s.d, NULL, &some.r, NULL), 0);
    assert_memory_equal(all.by_x, some.by_x, (size_t)s.n * sizeof(mjtNum));
    assert_memory_equal(all.by_u, some.by_u, (size_t)(STEPS * s.nu) * sizeof(mjtNum));
    assert_memory_equal(&before, s.d, sizeof(mjData));
    assert_memory_equal(buffer, s.d->buffer, (size_t)s.d->nbuffer);
    free_rollout(&some);
  }
  free(buffer);
  free_rollout(&all);
  close_subject(&s);
}

// R12.8: who sleeps is part of what is kept. Trees fall asleep on the way, so that the steps before
// and behind differ in more than in their states.
static void checkpoints_and_directions_do_not_change_a_bit_of_trees_that_sleep(void** state) {
  (void)state;
  Subject s = {
      .m = text_model("<mujoco><option timestep='.004'><flag sleep='enable'/></option><worldbody>"
                      "<geom type='plane' size='5 5 .1'/>"
                      "<body pos='0 0 .1'><freejoint/><geom type='box' size='.1 .1 .1'/></body>"
                      "<body pos='1 0 .3'><freejoint/><geom size='.1'/></body>"
                      "</worldbody></mujoco>")};
  enum { SLEEPY = 60, N = 24, COUNT = (SLEEPY + 1) * N };
  const ct_Parameter mass[] = {{"body_mass", 1}, {"opt.gravity", 2}};
  s.d = mj_makeData(s.m);
  mjtNum *by_y = numbers(COUNT), *dy = numbers(COUNT), *dx = numbers(N);
  mjtNum *all = numbers(N), *some = numbers(N), by_all[2], by_some[2];
  scatter(by_y, COUNT, 3);
  scatter(dx, N, 4);
  int fell_asleep = 0;
  for (int start = 0; start < 3; start++) {
    ct_RolloutProduct r = {.steps = SLEEPY,
                           .by_y = by_y,
                           .by_x = all,
                           .nparameter = 2,
                           .parameters = mass,
                           .by_parameter = by_all};
    assert_int_equal(ct_rollout_product(s.m, s.d, NULL, &r, NULL), 0);
    r.by_x = some;
    r.by_parameter = by_some;
    r.dx = dx;
    for (int kept = 0; kept <= SLEEPY; kept += 7) {
      r.checkpoints = kept;
      r.dy = kept % 2 ? dy : NULL;
      assert_int_equal(ct_rollout_product(s.m, s.d, NULL, &r, NULL), 0);
      assert_memory_equal(all, some, N * sizeof(mjtNum));
      assert_memory_equal(by_all, by_some, sizeof(by_all));
    }
    r.dy = dy;
    assert_int_equal(ct_rollout_product(s.m, s.d, NULL, &r, NULL), 0);
    double ahead = dot(by_y, dy, COUNT), back = dot(all, dx, N);
    double size = sqrt(dot(dy, dy, COUNT) * dot(by_y, by_y, COUNT));
    if (!(fabs(ahead - back) <= PRECISION(1e-9, 1e-3) * (1 + size))) {
      fail_msg("from step %d: %.12g along, %.12g backwards", start * SLEEPY, ahead, back);
    }
    bool was_awake = s.d->tree_asleep[0] < 0;
    for (int i = 0; i < SLEEPY; i++) mj_step(s.m, s.d);
    fell_asleep += was_awake && s.d->tree_asleep[0] >= 0;
  }
  assert_int_equal(fell_asleep, 1);
  free(by_y), free(dy), free(dx), free(all), free(some);
  close_subject(&s);
}

static void rollouts_of_no_steps_and_of_fewer_are_understood(void** state) {
  (void)state;
  Subject s = open_subject("pendulum", mjINT_EULER, 1);
  Rollout o = make_rollout(&s);
  o.r.steps = 0;
  assert_int_equal(ct_rollout_product(s.m, s.d, NULL, &o.r, NULL), 0);
  assert_memory_equal(o.dy, o.dx, (size_t)s.n * sizeof(mjtNum));
  assert_memory_equal(o.by_x, o.by_y, (size_t)s.n * sizeof(mjtNum));
  o.r.steps = -1;
  assert_int_equal(ct_rollout_product(s.m, s.d, NULL, &o.r, NULL), -1);
  expect_one_error("-1 steps");
  o.r.steps = STEPS;
  o.r.nparameter = -2;
  assert_int_equal(ct_rollout_product(s.m, s.d, NULL, &o.r, NULL), -1);
  expect_one_error("-2 parameters");
  o.r.nparameter = 0;
  s.d->qpos[0] = (mjtNum)NAN;
  assert_int_equal(ct_rollout_product(s.m, s.d, NULL, &o.r, NULL), -1);
  free_rollout(&o);
  close_subject(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(products_equal_those_of_the_matrices),
      cmocka_unit_test(the_adjoint_of_a_rollout_belongs_to_its_directions),
      cmocka_unit_test(directions_of_a_rollout_equal_differences),
      cmocka_unit_test(checkpoints_do_not_change_a_bit),
      cmocka_unit_test(checkpoints_and_directions_do_not_change_a_bit_of_trees_that_sleep),
      cmocka_unit_test_setup_teardown(rollouts_of_no_steps_and_of_fewer_are_understood,
                                      listen_to_messages, stop_listening),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
