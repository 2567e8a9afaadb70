// Derivatives at states that no step can be made from: NaN, infinite and huge numbers in whatever a
// step reads. Nothing ends the program, nothing wrong is handed over as a number, and the data is
// left as it was, bit for bit (R12.8).

#include <corten/derivative.h>

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/fail.h"
#include "support/messages.h"
#include "support/states.h"
#include "support/text_models.h"

// A free body, a hinge with a ball joint behind it, a weld to a mocap body, a filter.
static const char scene[] =
    "<mujoco><option timestep='.01'/><worldbody>"
    "<geom type='plane' size='5 5 .1' pos='0 0 -1'/>"
    "<body name='hand' mocap='true' pos='3 0 1'><geom size='.1' contype='0' "
    "conaffinity='0'/></body>"
    "<body name='held' pos='3 0 1'><freejoint/><geom size='.1' mass='1'/></body>"
    "<body pos='1 0 1'><joint name='h' axis='0 1 0' damping='1'/>"
    "<geom type='capsule' size='.05' fromto='0 0 0 .3 0 0'/>"
    "<body pos='.3 0 0'><joint type='ball' damping='.1'/>"
    "<geom type='capsule' size='.05' fromto='0 0 0 .3 0 0'/></body></body></worldbody>"
    "<equality><weld body1='hand' body2='held'/></equality>"
    "<actuator><general joint='h' dyntype='filter' dynprm='.1' gainprm='2' biastype='affine' "
    "biasprm='0 -1 -.2'/><motor joint='h' ctrllimited='true' ctrlrange='-1 1'/></actuator>"
    "<sensor><jointpos joint='h'/><jointvel joint='h'/><framepos objtype='body' objname='held'/>"
    "</sensor></mujoco>";

enum { FIELDS = 10, MOST = 10000 };

static mjtNum* field_of(mjData* d, int field, const char** name) {
  const struct {
    const char* name;
    mjtNum* x;
  } fields[FIELDS] = {{"qpos of a free body", d->qpos + 2},
                      {"qpos of a hinge", d->qpos + 7},
                      {"qvel", d->qvel + 6},
                      {"act", d->act},
                      {"ctrl", d->ctrl + 1},
                      {"mocap_pos", d->mocap_pos + 1},
                      {"mocap_quat", d->mocap_quat + 2},
                      {"qfrc_applied", d->qfrc_applied + 7},
                      {"xfrc_applied", d->xfrc_applied + 6 * 3 + 2},
                      {"time", &d->time}};
  *name = fields[field].name;
  return fields[field].x;
}

static const mjtNum bad_numbers[] = {(mjtNum)NAN, (mjtNum)INFINITY, (mjtNum)-1e11};
static const int integrators[] = {mjINT_EULER, mjINT_RK4, mjINT_IMPLICIT, mjINT_IMPLICITFAST};

typedef struct {
  mjModel* m;
  mjData* d;
  char what[200];
  bool resets;  // does mj_step warn of this state, and begin anew?
  mjtNum *A, *B, *C, *D;
  size_t n, nu, ns;
} Case;

static bool step_resets(const mjModel* m, const mjData* d) {
  mjData* probe = mj_copyData(NULL, m, d);
  for (int i = 0; i < mjNWARNING; i++) probe->warning[i].number = 0;
  mj_step(m, probe);
  bool resets = probe->warning[mjWARN_BADQPOS].number || probe->warning[mjWARN_BADQVEL].number ||
                probe->warning[mjWARN_BADQACC].number;
  mj_deleteData(probe);
  count_warnings();
  return resets;
}

static void fill(Case* c, mjtNum x) {
  for (int i = 0; i < 4 * MOST; i++) c->A[i] = x;
}

static Case open_case(int field, int value, int integrator) {
  Case c = {.m = text_model(scene)};
  const char* name;
  c.m->opt.integrator = integrator;
  c.d = mj_makeData(c.m);
  c.d->ctrl[0] = (mjtNum)0.3;
  c.d->ctrl[1] = (mjtNum)0.2;
  for (int i = 0; i < 3; i++) mj_step(c.m, c.d);
  mj_forward(c.m, c.d);
  *field_of(c.d, field, &name) = bad_numbers[value];
  snprintf(c.what, sizeof(c.what), "%g in %s, integrator %d", (double)bad_numbers[value], name,
           integrator);
  c.resets = step_resets(c.m, c.d);
  c.n = (size_t)(2 * c.m->nv + c.m->na);
  c.nu = (size_t)c.m->nu;
  c.ns = (size_t)c.m->nsensordata;
  c.A = (mjtNum*)malloc(4 * MOST * sizeof(mjtNum));
  c.B = c.A + MOST;
  c.C = c.B + MOST;
  c.D = c.C + MOST;
  fill(&c, 7);
  return c;
}

static void close_case(Case* c) {
  free(c->A);
  mj_deleteData(c->d);
  mj_deleteModel(c->m);
}

// How many of n numbers are not finite.
static size_t count_bad(const mjtNum* x, size_t n) {
  size_t bad = 0;
  for (size_t i = 0; i < n; i++) bad += isfinite((double)x[i]) ? 0 : 1;
  return bad;
}

typedef struct {
  mjData fields;
  char* buffer;
} Snapshot;

static Snapshot take_snapshot(const mjData* d) {
  Snapshot s = {*d, (char*)malloc((size_t)d->nbuffer)};
  memcpy(s.buffer, d->buffer, (size_t)d->nbuffer);
  return s;
}

static void expect_unchanged(const Case* c, const char* function, Snapshot* s) {
  if (memcmp(&s->fields, c->d, sizeof(mjData)) ||
      memcmp(s->buffer, c->d->buffer, (size_t)c->d->nbuffer)) {
    fail_msg("%s: %s has changed the data", c->what, function);
  }
  if (count_errors()) fail_msg("%s: %s: %s", c->what, function, newest_message());
  count_warnings();
  free(s->buffer);
}

#define EACH_CASE(c_)                                                         \
  for (int i_ = 0; i_ < FIELDS * 3 * 4; i_++)                                 \
    for (Case c_ = open_case(i_ / 12, i_ / 4 % 3, integrators[i_ % 4]); c_.A; \
         close_case(&c_), c_.A = NULL)

// R12.8
static void steps_that_reset_have_nan_for_derivatives(void** state) {
  (void)state;
  int refused = 0, made = 0;
  EACH_CASE(c) {
    if (c.m->opt.integrator == mjINT_RK4) continue;  // is refused
    for (int centred = 0; centred < 2; centred++) {
      Snapshot before = take_snapshot(c.d);
      mjd_transitionFD(c.m, c.d, (mjtNum)1e-6, (mjtByte)centred, c.A, c.B, c.C, c.D);
      expect_unchanged(&c, "mjd_transitionFD", &before);
      size_t bad = count_bad(c.A, c.n * c.n) + count_bad(c.B, c.n * c.nu) +
                   count_bad(c.C, c.ns * c.n) + count_bad(c.D, c.ns * c.nu);
      size_t all = (c.n + c.ns) * (c.n + c.nu);
      if (bad != (c.resets ? all : 0)) {
        fail_msg("%s: %d of %d numbers are not finite", c.what, (int)bad, (int)all);
      }
      refused += c.resets;
      made += !c.resets;
    }
  }
  assert_in_range(refused, 60, 1000);
  assert_in_range(made, 20, 1000);
}

// With the reset disabled a step goes on with what there is, and numbers become NaN where it leads
// to any, in both engines alike.
static void without_a_reset_nan_goes_where_it_goes(void** state) {
  (void)state;
  EACH_CASE(c) {
    if (c.m->opt.integrator == mjINT_RK4) continue;
    c.m->opt.disableflags |= mjDSBL_AUTORESET;
    Snapshot before = take_snapshot(c.d);
    mjd_transitionFD(c.m, c.d, (mjtNum)1e-6, 1, c.A, c.B, c.C, c.D);
    expect_unchanged(&c, "mjd_transitionFD", &before);
    mjData* next = mj_copyData(NULL, c.m, c.d);
    mj_step(c.m, next);
    count_warnings();
    for (size_t i = 0; i < (size_t)c.m->nv; i++) {
      if (isfinite((double)next->qvel[i])) continue;
      size_t bad = count_bad(c.A + ((size_t)c.m->nv + i) * c.n, c.n);
      if (bad != c.n) fail_msg("%s: row of dof %d has %d NaN", c.what, (int)i, (int)bad);
    }
    mj_deleteData(next);
  }
}

// Inverse dynamics are neither checked nor reset: bad numbers make bad ones.
static void inverse_dynamics_go_on(void** state) {
  (void)state;
  EACH_CASE(c) {
    if (c.m->opt.integrator == mjINT_RK4) continue;
    Snapshot before = take_snapshot(c.d);
    mjd_inverseFD(c.m, c.d, (mjtNum)1e-6, 1, c.A, c.B, c.C, NULL, NULL, NULL, NULL);
    expect_unchanged(&c, "mjd_inverseFD", &before);
  }
}

// -1 and a reason, or numbers.
static void expect_answer(const Case* c, const char* function, int result,
                          const ct_DerivativeReport* report, size_t bad) {
  if (result == 0 && bad) fail_msg("%s: %s gives %d bad numbers", c->what, function, (int)bad);
  const int known = CT_NO_SLOPE_NUMBERS | CT_NO_SLOPE_PARAMETER;
  if (result && !(report->reasons & known)) {
    fail_msg("%s: %s fails for reasons %d", c->what, function, report->reasons);
  }
}

static void ask_all(Case* c, const ct_DerivativeOptions* options) {
  ct_DerivativeReport report;
  size_t nv = (size_t)c->m->nv;
  Snapshot before = take_snapshot(c->d);
  ct_DerivativeMatrices out = {c->A, c->B, c->C, c->D};
  int result = ct_derivative(c->m, c->d, options, &out, &report);
  expect_unchanged(c, "ct_derivative", &before);
  expect_answer(c, "ct_derivative", result, &report,
                count_bad(c->A, c->n * c->n) + count_bad(c->B, c->n * c->nu) +
                    count_bad(c->C, c->ns * c->n) + count_bad(c->D, c->ns * c->nu));
  if (c->resets && result == 0) fail_msg("%s: ct_derivative gives numbers", c->what);

  mjtNum dy[64] = {0}, by_x[64] = {0}, by_u[8] = {0}, dx[64], du[8] = {1, 1};
  for (int i = 0; i < 64; i++) dx[i] = 1;
  ct_DerivativeProduct product = {dx, du, dy, dx, by_x, by_u};
  before = take_snapshot(c->d);
  result = ct_derivative_product(c->m, c->d, options, &product, &report);
  expect_unchanged(c, "ct_derivative_product", &before);
  expect_answer(c, "ct_derivative_product", result, &report,
                count_bad(dy, c->n) + count_bad(by_x, c->n) + count_bad(by_u, c->nu));
  if (c->resets && result == 0) fail_msg("%s: ct_derivative_product gives numbers", c->what);

  ct_ForwardMatrices forward = {c->A, c->A + MOST / 4, c->B, c->C, c->D};
  before = take_snapshot(c->d);
  result = ct_forward_derivative(c->m, c->d, options, &forward, &report);
  expect_unchanged(c, "ct_forward_derivative", &before);
  expect_answer(c, "ct_forward_derivative", result, &report,
                count_bad(c->A, nv * nv) + count_bad(c->A + MOST / 4, nv * nv) +
                    count_bad(c->B, nv * (size_t)c->m->na) + count_bad(c->C, nv * c->nu) +
                    count_bad(c->D, nv * nv));

  ct_InverseMatrices inverse = {c->A, c->B, c->C};
  before = take_snapshot(c->d);
  result = ct_inverse_derivative(c->m, c->d, options, 1, &inverse, &report);
  expect_unchanged(c, "ct_inverse_derivative", &before);
  expect_answer(c, "ct_inverse_derivative", result, &report,
                count_bad(c->A, nv * nv) + count_bad(c->B, nv * nv) + count_bad(c->C, nv * nv));

  const ct_Parameter mass[] = {{"body_mass", 2}, {"opt.timestep", 0}};
  for (int k = 0; k < 2; k++) {
    before = take_snapshot(c->d);
    result = ct_parameter_derivative(c->m, c->d, options, 1, mass + k, c->A, &report);
    expect_unchanged(c, "ct_parameter_derivative", &before);
    expect_answer(c, "ct_parameter_derivative", result, &report, count_bad(c->A, c->n));
    if (c->resets && result == 0) fail_msg("%s: ct_parameter_derivative: numbers", c->what);
  }

  mjtNum path[4 * 64] = {0}, weights[4 * 64];
  for (int i = 0; i < 4 * 64; i++) weights[i] = 1;
  ct_RolloutProduct rollout = {
      .steps = 3, .dx = dx, .dy = path, .by_y = weights, .by_x = by_x, .checkpoints = 2};
  before = take_snapshot(c->d);
  result = ct_rollout_product(c->m, c->d, options, &rollout, &report);
  expect_unchanged(c, "ct_rollout_product", &before);
  expect_answer(c, "ct_rollout_product", result, &report,
                count_bad(path, 4 * c->n) + count_bad(by_x, c->n));
  if (c->resets && result == 0) fail_msg("%s: ct_rollout_product gives numbers", c->what);
}

// R12.1, R12.8
static void every_function_answers_with_numbers_or_a_reason(void** state) {
  (void)state;
  ct_DerivativeOptions options;
  ct_default_derivative_options(&options);
  EACH_CASE(c) {
    for (int reset = 1; reset >= 0; reset--) {
      if (!reset) {
        c.m->opt.disableflags |= mjDSBL_AUTORESET;
        c.resets = false;
      }
      for (int method = CT_DERIVATIVE_HYBRID; method <= CT_DERIVATIVE_DIFFERENCES; method++) {
        options.method = method;
        ask_all(&c, &options);
      }
    }
  }
}

static void fill_numbers(mjtNum* x, int n, mjtNum value) {
  for (int i = 0; i < n; i++) x[i] = value;
}

// R12.1: steps so long that the next state is beyond all numbers.
static void steps_without_end_have_numbers_or_a_reason(void** state) {
  (void)state;
  static const double steps[] = {PRECISION(1e300, 1e37), -1e9, PRECISION(1e200, 1e25),
                                 PRECISION(-1e100, -1e15)};
  ct_DerivativeOptions options;
  ct_default_derivative_options(&options);
  int refused = 0;
  for (int i = 0; i < 4 * 4; i++) {
    for (int method = CT_DERIVATIVE_HYBRID; method <= CT_DERIVATIVE_DIFFERENCES; method++) {
      Case c = open_case(4, 0, integrators[i % 4]);
      c.d->ctrl[1] = 0;
      c.m->opt.timestep = (mjtNum)steps[i / 4];
      c.resets = false;
      snprintf(c.what, sizeof(c.what), "timestep %g, integrator %d, method %d", steps[i / 4],
               integrators[i % 4], method);
      options.method = method;
      ask_all(&c, &options);
      fill_numbers(c.A, 4 * MOST, 0);
      ct_DerivativeMatrices out = {c.A, NULL, NULL, NULL};
      refused += ct_derivative(c.m, c.d, &options, &out, NULL) != 0;
      close_case(&c);
    }
  }
  assert_in_range(refused, 10, 48);
}

// R12.1: directions and weights that make numbers too large.
static void products_beyond_all_numbers_are_refused(void** state) {
  (void)state;
  for (int i = 0; i < 4; i++) {
    Case c = open_case(4, 0, integrators[i]);
    c.d->ctrl[1] = 0;
    mjtNum x[64], y[64], path[2 * 64] = {0}, weights[2 * 64];
    const mjtNum most = (mjtNum)PRECISION(1.7e308, 3.3e38);
    fill_numbers(x, 64, most);
    fill_numbers(weights, 2 * 64, most);
    ct_DerivativeReport report;
    ct_DerivativeProduct ahead = {.dx = x, .dy = y}, back = {.by_y = x, .by_x = y};
    ct_RolloutProduct rollout = {.steps = 1, .dx = x, .dy = path};
    assert_int_equal(ct_derivative_product(c.m, c.d, NULL, &ahead, &report), -1);
    assert_true(report.reasons & CT_NO_SLOPE_NUMBERS);
    assert_int_equal(ct_derivative_product(c.m, c.d, NULL, &back, &report), -1);
    assert_true(report.reasons & CT_NO_SLOPE_NUMBERS);
    assert_int_equal(ct_rollout_product(c.m, c.d, NULL, &rollout, &report), -1);
    assert_true(report.reasons & CT_NO_SLOPE_NUMBERS);
    rollout = (ct_RolloutProduct){.by_y = weights, .by_x = x};
    weights[0] = (mjtNum)INFINITY;
    assert_int_equal(ct_rollout_product(c.m, c.d, NULL, &rollout, &report), -1);
    assert_true(report.reasons & CT_NO_SLOPE_NUMBERS);
    close_case(&c);
  }
}

// R12.8: threads that share the columns of such a state.
static void threads_refuse_alike(void** state) {
  (void)state;
  mjThreadPool* pool = mju_threadPoolCreate(3);
  for (int value = 0; value < 3; value++) {
    Case c = open_case(1, value, mjINT_IMPLICIT);
    mju_bindThreadPool(c.d, pool);
    Snapshot before = take_snapshot(c.d);
    mjd_transitionFD(c.m, c.d, (mjtNum)1e-6, 1, c.A, c.B, c.C, c.D);
    expect_unchanged(&c, "mjd_transitionFD with threads", &before);
    assert_int_equal(count_bad(c.A, c.n * c.n), c.n * c.n);
    assert_int_equal(count_bad(c.D, c.ns * c.nu), c.ns * c.nu);
    close_case(&c);
  }
  mju_threadPoolDestroy(pool);
}

// R12.8: a step whose acceleration is too large for a nudged state alone.
static void a_nudge_that_resets_has_no_derivative_either(void** state) {
  (void)state;
  SKIP_IN_SINGLE_PRECISION();
  mjModel* m = text_model(
      "<mujoco><option gravity='0 0 0'/><worldbody><body><joint type='slide' "
      "stiffness='1e6'/><geom size='.1' mass='1'/>"
      "</body></worldbody></mujoco>");
  mjData* d = mj_makeData(m);
  mjtNum A[4] = {0};
  d->qpos[0] = -(mjtNum)(1e4 - 5e-7);
  mjd_transitionFD(m, d, (mjtNum)1e-7, 1, A, NULL, NULL, NULL);
  assert_int_equal(count_bad(A, 4), 0);
  mjd_transitionFD(m, d, (mjtNum)1e-6, 1, A, NULL, NULL, NULL);
  assert_int_equal(count_bad(A, 4), 4);
  assert_true(count_warnings() > 0);
  assert_int_equal(count_errors(), 0);
  mj_deleteData(d);
  mj_deleteModel(m);
}

#define LISTENING(test_) cmocka_unit_test_setup_teardown(test_, listen_to_messages, stop_listening)

int main(void) {
  const struct CMUnitTest tests[] = {
      LISTENING(steps_that_reset_have_nan_for_derivatives),
      LISTENING(without_a_reset_nan_goes_where_it_goes),
      LISTENING(inverse_dynamics_go_on),
      LISTENING(every_function_answers_with_numbers_or_a_reason),
      LISTENING(steps_without_end_have_numbers_or_a_reason),
      LISTENING(products_beyond_all_numbers_are_refused),
      LISTENING(threads_refuse_alike),
      LISTENING(a_nudge_that_resets_has_no_derivative_either),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
