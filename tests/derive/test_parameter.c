// Derivatives by parameters of the model: those through the equation of motion against differences
// of whole steps.

#include <corten/derivative.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/fail.h"
#include "support/messages.h"
#include "support/models.h"
#include "support/states.h"
#include "support/text_models.h"

static mjtNum* numbers(int n) {
  return (mjtNum*)calloc((size_t)n + 1, sizeof(mjtNum));
}

static const char* const fields[] = {
    "body_mass",        "body_inertia",     "body_ipos",     "dof_armature",     "dof_damping",
    "dof_frictionloss", "jnt_stiffness",    "qpos_spring",   "tendon_stiffness", "tendon_damping",
    "actuator_gainprm", "actuator_biasprm", "geom_friction", "geom_solref",      "geom_solimp",
    "geom_size",        "jnt_solref",       "opt.gravity",   "opt.timestep",     "opt.impratio",
    "actuator_dynprm",
};
enum { NFIELD = sizeof(fields) / sizeof(fields[0]) };

typedef struct {
  mjModel* m;
  mjData* d;
  int n;
} Subject;

static Subject open_subject(const char* name, int integrator, int steps) {
  Subject s = {recorded_model(name), NULL, 0};
  s.m->opt.tolerance = 0;
  s.m->opt.iterations = 100;
  s.m->opt.solver = mjSOL_NEWTON;
  s.d = mj_makeData(s.m);
  s.n = (int)(2 * s.m->nv + s.m->na);
  for (int i = 0; i < s.m->nu; i++) s.d->ctrl[i] = (mjtNum)0.1 * (mjtNum)(i % 5);
  for (int i = 0; i < steps; i++) mj_step(s.m, s.d);
  s.m->opt.integrator = integrator;
  return s;
}

static void close_subject(Subject* s) {
  mj_deleteData(s->d);
  mj_deleteModel(s->m);
}

// Numbers of a field that the test looks at, the first of which is body 1, geom 1 or the like.
static int width_of(const mjModel* m, const char* field) {
  if (!strcmp(field, "body_mass")) return 1;
  if (!strncmp(field, "body_", 5)) return 3;
  if (!strncmp(field, "geom_", 5)) return m->ngeom > 1 ? 3 : 0;
  if (!strncmp(field, "dof_", 4)) return (int)m->nv;
  if (!strncmp(field, "jnt_", 4)) return (int)m->njnt;
  if (!strncmp(field, "tendon_", 7)) return (int)m->ntendon;
  if (!strncmp(field, "actuator_", 9)) return m->nu ? 3 : 0;
  return !strcmp(field, "qpos_spring") ? (int)m->nq : !strcmp(field, "opt.gravity") ? 3 : 1;
}

static int first_of(const char* field) {
  if (!strcmp(field, "body_mass")) return 1;
  if (!strncmp(field, "body_", 5)) return 3;
  return 0;
}

// Of two matrices beside the largest number. What is zero by a formula is rounding of velocities
// over the nudge by differences: up to 9e-7 for the friction of a humanoid's floor, whose contacts
// stick, from 100 to 160 steps on.
static int compare_field(Subject* s, const char* name, const char* field, double tolerance) {
  ct_Parameter list[8];
  int count = width_of(s->m, field);
  if (count > 8) count = 8;
  for (int k = 0; k < count; k++) list[k] = (ct_Parameter){field, first_of(field) + k};
  mjtNum *exact = numbers(s->n * count), *rough = numbers(s->n * count);
  ct_DerivativeOptions options;
  ct_DerivativeReport report;
  ct_default_derivative_options(&options);
  assert_int_equal(ct_parameter_derivative(s->m, s->d, &options, count, list, exact, &report), 0);
  int analytic = report.method == CT_DERIVATIVE_ANALYTIC;
  options.method = CT_DERIVATIVE_DIFFERENCES;
  assert_int_equal(ct_parameter_derivative(s->m, s->d, &options, count, list, rough, &report), 0);
  double most = 0.05, worst = 0;
  for (int i = 0; i < s->n * count; i++) {
    most = fmax(most, fabs((double)rough[i]));
    worst = fmax(worst, fabs((double)(exact[i] - rough[i])));
  }
  if (!(worst <= tolerance * most)) {
    fail_msg("%s, integrator %d: by %s off by %g of %g", name, s->m->opt.integrator, field, worst,
             most);
  }
  free(exact);
  free(rough);
  return analytic && count > 0;
}

static void parameters_act_as_differences_of_steps_say(void** state) {
  (void)state;
  SKIP_IN_SINGLE_PRECISION();
  static const char* const models[] = {"humanoid", "integrators", "tree_two_links", "linkage"};
  static const int integrators[] = {mjINT_EULER, mjINT_IMPLICIT, mjINT_IMPLICITFAST, mjINT_RK4};
  int analytic = 0;
  for (int i = 0; i < 16; i++) {
    Subject s = open_subject(models[i / 4], integrators[i % 4], 120);
    for (int k = 0; k < NFIELD; k++) analytic += compare_field(&s, models[i / 4], fields[k], 2e-5);
    close_subject(&s);
  }
  assert_in_range(analytic, 100, 400);
}

// Mass and damping of a slider are in a formula: x' = F / (m + h b).
static void a_slider_obeys_its_formula(void** state) {
  (void)state;
  char error[500] = "";
  mjSpec* spec = mj_parseXMLString(
      "<mujoco><option timestep='0.01' gravity='0 0 0'/><worldbody><body>"
      "<joint name='x' type='slide' axis='1 0 0' damping='2' stiffness='3'/>"
      "<geom type='sphere' size='.1' mass='1.5'/></body></worldbody>"
      "<actuator><motor joint='x'/></actuator></mujoco>",
      NULL, error, sizeof(error));
  assert_non_null(spec);
  mjModel* m = mj_compile(spec, NULL);
  mjData* d = mj_makeData(m);
  ct_Parameter list[] = {
      {"body_mass", 1}, {"dof_damping", 0}, {"jnt_stiffness", 0}, {"actuator_gainprm", 0}};
  mjtNum P[8];
  d->qpos[0] = (mjtNum)0.4;
  d->qvel[0] = (mjtNum)0.7;
  d->ctrl[0] = 5;
  const double h = 0.01, mass = 1.5, b = 2, k = 3, q = 0.4, v = 0.7, u = 5;
  double force = u - b * v - k * q, whole = mass + h * b, acc = force / whole;
  double want[4] = {-h * acc / whole, h * (-v - h * acc) / whole, -h * q / whole, h * u / whole};
  ct_DerivativeReport report;
  assert_int_equal(ct_parameter_derivative(m, d, NULL, 4, list, P, &report), 0);
  assert_int_equal(report.method, CT_DERIVATIVE_ANALYTIC);
  for (int i = 0; i < 4; i++) {
    if (!(fabs((double)P[4 + i] - want[i]) < PRECISION(1e-12, 1e-4))) {
      fail_msg("by %s: %.12g, wanted %.12g", list[i].field, (double)P[4 + i], want[i]);
    }
    assert_true(fabs((double)P[i] - h * want[i]) < PRECISION(1e-12, 1e-4));
  }
  mj_deleteData(d);
  mj_deleteModel(m);
  mj_deleteSpec(spec);
}

// Numbers at 0 that count as 0 below it have the slope of their positive side, not half of it.
static void parameters_at_zero_take_the_side_that_acts(void** state) {
  (void)state;
  SKIP_IN_SINGLE_PRECISION();
  char error[500] = "";
  mjSpec* spec = mj_parseXMLString(
      "<mujoco><option gravity='0 0 0'/><worldbody><body>"
      "<joint name='x' type='slide' axis='1 0 0'/><joint name='r' axis='0 0 1'/>"
      "<geom type='box' size='.1 .2 .3' mass='1.5'/></body></worldbody>"
      "<tendon><fixed><joint joint='x' coef='2'/></fixed></tendon></mujoco>",
      NULL, error, sizeof(error));
  assert_non_null(spec);
  mjModel* m = mj_compile(spec, NULL);
  mjData* d = mj_makeData(m);
  const ct_Parameter list[] = {{"opt.density", 0},
                               {"opt.viscosity", 0},
                               {"tendon_frictionloss", 0},
                               {"dof_frictionloss", 0},
                               {"opt.wind", 0}};
  enum { COUNT = sizeof(list) / sizeof(list[0]) };
  mjtNum* const place[COUNT] = {&m->opt.density, &m->opt.viscosity, m->tendon_frictionloss,
                                m->dof_frictionloss, m->opt.wind};
  static const int integrators[] = {mjINT_EULER, mjINT_IMPLICIT, mjINT_IMPLICITFAST, mjINT_RK4};
  d->qvel[0] = (mjtNum)0.7;
  for (int i = 0; i < 4 * COUNT; i++) {
    int k = i % COUNT;
    mjtNum P[4], eps = (mjtNum)1e-7, before, after;
    m->opt.integrator = integrators[i / COUNT];
    m->opt.tolerance = 0;
    assert_int_equal(ct_parameter_derivative(m, d, NULL, 1, list + k, P, NULL), 0);
    mjData* copy = mj_copyData(NULL, m, d);
    mj_step(m, copy);
    before = copy->qvel[0];
    mj_copyData(copy, m, d);
    *place[k] = eps;
    mj_step(m, copy);
    after = copy->qvel[0];
    *place[k] = 0;
    mj_deleteData(copy);
    double want = (double)((after - before) / eps);
    assert_true(k == 4 ? want == 0 : want < -1e-8);
    if (!(fabs((double)P[2] - want) <= 1e-4 * fabs(want) + 1e-9)) {
      fail_msg("by %s, integrator %d: %.9g, wanted %.9g", list[k].field, m->opt.integrator,
               (double)P[2], want);
    }
  }
  mj_deleteData(d);
  mj_deleteModel(m);
  mj_deleteSpec(spec);
}

// Velocities behind a step with the parameter shifted.
static void step_with(const Subject* s, mjtNum* place, mjtNum step, mjtNum* qvel) {
  mjtNum start = *place;
  mjData* d = mj_copyData(NULL, s->m, s->d);
  *place = start + step;
  mj_step(s->m, d);
  memcpy(qvel, d->qvel, (size_t)s->m->nv * sizeof(mjtNum));
  *place = start;
  mj_deleteData(d);
}

// Centred differences without what grows as eps^2.
static void extrapolate(const Subject* s, mjtNum* place, mjtNum eps, mjtNum* to) {
  int nv = (int)s->m->nv;
  mjtNum* x[4];
  for (int i = 0; i < 4; i++) {
    x[i] = numbers(nv);
    step_with(s, place, (mjtNum)(i % 2 ? 1 : -1) * (i < 2 ? eps : eps / 2), x[i]);
  }
  for (int k = 0; k < nv; k++) {
    mjtNum wide = (x[1][k] - x[0][k]) / (2 * eps), narrow = (x[3][k] - x[2][k]) / eps;
    to[k] = (4 * narrow - wide) / 3;
  }
  for (int i = 0; i < 4; i++) free(x[i]);
}

static int compare_bent(Subject* s, const char* field, mjtNum* place, int index) {
  int nv = (int)s->m->nv;
  mjtNum *P = numbers(s->n), *want = numbers(nv);
  const ct_Parameter parameter = {field, index};
  ct_DerivativeReport report;
  assert_int_equal(ct_parameter_derivative(s->m, s->d, NULL, 1, &parameter, P, &report), 0);
  assert_int_equal(report.method, CT_DERIVATIVE_ANALYTIC);
  extrapolate(s, place + index, (mjtNum)1e-4 * (mjtNum)fabs((double)place[index]), want);
  double most = 0, worst = 0;
  for (int k = 0; k < nv; k++) {
    most = fmax(most, fabs((double)want[k]));
    worst = fmax(worst, fabs((double)(P[nv + k] - want[k])));
  }
  if (!(worst <= 1e-6 * most + 1e-10)) {
    fail_msg("integrator %d: by %s[%d] off by %g of %g", s->m->opt.integrator, field, index, worst,
             most);
  }
  free(P), free(want);
  return most > 1e-9;
}

// What is linear elsewhere is not in muscles, and masses are not in a medium, nor the direction of
// the spring of a ball joint.
static void parameters_that_bend_what_they_act_on_are_as_accurate(void** state) {
  (void)state;
  SKIP_IN_SINGLE_PRECISION();
  static const int integrators[] = {mjINT_EULER, mjINT_IMPLICIT, mjINT_IMPLICITFAST};
  int muscles = 0, others = 0;
  for (int i = 0; i < 3; i++) {
    Subject s = open_subject("muscles", integrators[i], 40);
    for (int u = 0; u < s.m->nu; u++) {
      for (int k = 0; k < 9 && s.m->actuator_gaintype[u] == mjGAIN_MUSCLE; k++) {
        int index = mjNGAIN * u + k;
        if (s.m->actuator_gainprm[index] <= 0) continue;
        muscles += compare_bent(&s, "actuator_gainprm", s.m->actuator_gainprm, index);
      }
    }
    close_subject(&s);
    s = open_subject("ball_chain", integrators[i], 40);
    s.m->opt.density = 1000;
    s.m->opt.viscosity = (mjtNum)0.2;
    for (int k = 0; k < s.m->njnt; k++) s.m->jnt_stiffness[k] = 5;
    for (int k = 0; k < s.m->nv; k++) s.d->qvel[k] += (mjtNum)0.3;
    others += compare_bent(&s, "body_mass", s.m->body_mass, 1);
    others += compare_bent(&s, "body_inertia", s.m->body_inertia, 4);
    close_subject(&s);
  }
  assert_in_range(muscles, 12, 1000);
  assert_in_range(others, 6, 1000);
}

// The gradient of a rollout by parameters is the sum over its steps.
static void gradients_of_rollouts_equal_differences(void** state) {
  (void)state;
  SKIP_IN_SINGLE_PRECISION();
  enum { STEPS = 20, NPARAMETER = 3 };
  static const int integrators[] = {mjINT_EULER, mjINT_IMPLICITFAST, mjINT_RK4};
  for (int i = 0; i < 3; i++) {
    Subject s = open_subject("humanoid", integrators[i], 150);
    const ct_Parameter list[NPARAMETER] = {
        {"geom_friction", 0}, {"dof_damping", 8}, {"body_mass", 4}};
    mjtNum by[NPARAMETER], *weights = numbers((STEPS + 1) * s.n);
    mjtNum* last = weights + STEPS * s.n;
    for (int k = 0; k < s.m->nv; k++) last[s.m->nv + k] = (mjtNum)(k % 3 - 1);
    ct_RolloutProduct r = {.steps = STEPS,
                           .by_y = weights,
                           .checkpoints = 4,
                           .nparameter = NPARAMETER,
                           .parameters = list,
                           .by_parameter = by};
    assert_int_equal(ct_rollout_product(s.m, s.d, NULL, &r, NULL), 0);
    for (int k = 0; k < NPARAMETER; k++) {
      mjtNum* place = k == 0   ? s.m->geom_friction
                      : k == 1 ? s.m->dof_damping + 8
                               : s.m->body_mass + 4;
      mjtNum start = *place, eps = (mjtNum)1e-6 * start;
      double value[2] = {0, 0};
      for (int side = 0; side < 2; side++) {
        mjData* d = mj_copyData(NULL, s.m, s.d);
        *place = start + (side ? eps : -eps);
        for (int t = 0; t < STEPS; t++) mj_step(s.m, d);
        for (int v = 0; v < s.m->nv; v++) {
          value[side] += (double)last[s.m->nv + v] * (double)d->qvel[v];
        }
        mj_deleteData(d);
      }
      *place = start;
      double want = (value[1] - value[0]) / (2 * (double)eps);
      if (!(fabs((double)by[k] - want) <= 1e-4 * (fabs(want) + 1e-3))) {
        fail_msg("integrator %d, %s: %.9g, by differences %.9g", integrators[i], list[k].field,
                 (double)by[k], want);
      }
    }
    free(weights);
    close_subject(&s);
  }
}

// R12.1: no formula for a parameter, no analytic gradient of a rollout by it, as for a step.
static void rollouts_say_which_parameters_take_differences(void** state) {
  (void)state;
  Subject s = open_subject("tree_two_links", mjINT_EULER, 20);
  const ct_Parameter step = {"opt.timestep", 0};
  mjtNum by = 0, *weights = numbers(3 * s.n);
  for (int i = 0; i < 3 * s.n; i++) weights[i] = 1;
  ct_RolloutProduct r = {
      .steps = 2, .by_y = weights, .nparameter = 1, .parameters = &step, .by_parameter = &by};
  ct_DerivativeOptions options;
  ct_DerivativeReport report;
  ct_default_derivative_options(&options);
  assert_int_equal(ct_rollout_product(s.m, s.d, &options, &r, &report), 0);
  assert_int_equal(report.reasons, CT_NO_SLOPE_PARAMETER);
  assert_true(by != 0);
  options.method = CT_DERIVATIVE_ANALYTIC;
  assert_int_equal(ct_rollout_product(s.m, s.d, &options, &r, &report), -1);
  assert_int_equal(report.reasons, CT_NO_SLOPE_PARAMETER);
  free(weights);
  close_subject(&s);
}

static void parameters_that_do_not_exist_are_refused(void** state) {
  (void)state;
  Subject s = open_subject("pendulum", mjINT_EULER, 1);
  mjtNum P[8];
  const ct_Parameter none = {"dof_dampng", 0}, integer = {"jnt_type", 0}, far = {"dof_damping", 9};
  assert_int_equal(ct_parameter_derivative(s.m, s.d, NULL, 1, &none, P, NULL), -1);
  expect_one_error("dof_dampng");
  assert_int_equal(ct_parameter_derivative(s.m, s.d, NULL, 1, &integer, P, NULL), -1);
  expect_one_error("jnt_type");
  assert_int_equal(ct_parameter_derivative(s.m, s.d, NULL, 1, &far, P, NULL), -1);
  expect_one_error("none at 9");
  close_subject(&s);
}

// R12.1: a box sleeps while a ball falls. The copy that takes the steps must know who sleeps.
static void trees_that_sleep_are_not_woken_by_parameters(void** state) {
  (void)state;
  Subject s = {text_model("<mujoco><option timestep='.004'><flag sleep='enable'/></option>"
                          "<worldbody><geom type='plane' size='5 5 .1'/>"
                          "<body pos='0 0 .1'><freejoint/><geom type='box' size='.1 .1 .1'/></body>"
                          "<body pos='1 0 30'><freejoint/><geom size='.1'/></body>"
                          "</worldbody></mujoco>"),
               NULL, 24};
  const ct_Parameter gravity[] = {{"opt.gravity", 2}};
  mjtNum P[24], eps = PRECISION((mjtNum)1e-4, (mjtNum)1e-2);
  s.d = mj_makeData(s.m);
  for (int i = 0; i < 400 && s.d->tree_asleep[0] < 0; i++) mj_step(s.m, s.d);
  assert_true(s.d->tree_asleep[0] >= 0);
  assert_true(s.d->tree_asleep[1] < 0);
  assert_int_equal(ct_parameter_derivative(s.m, s.d, NULL, 1, gravity, P, NULL), 0);
  mjtNum busy[24];  // where the stack is in use
  mj_markStack(s.d);
  mj_stackAllocNum(s.d, 1);
  assert_int_equal(ct_parameter_derivative(s.m, s.d, NULL, 1, gravity, busy, NULL), 0);
  mj_freeStack(s.d);
  assert_memory_equal(busy, P, sizeof(P));
  mjtNum velocity[2][12], start = s.m->opt.gravity[2];
  for (int side = 0; side < 2; side++) {
    mjData* d = mj_copyData(NULL, s.m, s.d);
    s.m->opt.gravity[2] = start + (side ? eps : -eps);
    mj_step(s.m, d);
    memcpy(velocity[side], d->qvel, sizeof(velocity[side]));
    mj_deleteData(d);
  }
  s.m->opt.gravity[2] = start;
  for (int i = 0; i < 12; i++) {
    double expected = (double)(velocity[1][i] - velocity[0][i]) / (2 * (double)eps);
    if (fabs((double)P[12 + i] - expected) > PRECISION(1e-7, 1e-3)) {
      fail_msg("velocity %d by gravity: %.12g, steps say %.12g", i, (double)P[12 + i], expected);
    }
  }
  close_subject(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(parameters_act_as_differences_of_steps_say),
      cmocka_unit_test(a_slider_obeys_its_formula),
      cmocka_unit_test(parameters_at_zero_take_the_side_that_acts),
      cmocka_unit_test(parameters_that_bend_what_they_act_on_are_as_accurate),
      cmocka_unit_test(gradients_of_rollouts_equal_differences),
      cmocka_unit_test(trees_that_sleep_are_not_woken_by_parameters),
      cmocka_unit_test(rollouts_say_which_parameters_take_differences),
      cmocka_unit_test_setup_teardown(parameters_that_do_not_exist_are_refused, listen_to_messages,
                                      stop_listening),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
