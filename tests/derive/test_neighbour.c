// Steps next to one that has been solved: as steps of their own, wherever they land.

#include "derive/neighbour.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/fail.h"
#include "support/messages.h"
#include "support/models.h"

#define TOLERANCE 1e-7  // relative to the largest number of a matrix

typedef struct {
  mjModel* m;
  mjData *d, *other;
  int n, nu;
  mjtNum eps;
  mjtNum *state, *A, *B, *want_A, *want_B;
} Subject;

static mjtNum* numbers(int n) {
  return (mjtNum*)calloc((size_t)n + 1, sizeof(mjtNum));
}

static Subject open_subject(mjModel* m) {
  Subject s = {.m = m, .n = (int)(2 * m->nv + m->na), .nu = (int)m->nu, .eps = (mjtNum)1e-6};
  s.d = mj_makeData(m);
  s.other = mj_makeData(m);
  s.state = numbers(mj_stateSize(m, mjSTATE_INTEGRATION));
  s.A = numbers(s.n * s.n);
  s.B = numbers(s.n * s.nu);
  s.want_A = numbers(s.n * s.n);
  s.want_B = numbers(s.n * s.nu);
  return s;
}

static void close_subject(Subject* s) {
  free(s->state), free(s->A), free(s->B), free(s->want_A), free(s->want_B);
  mj_deleteData(s->d);
  mj_deleteData(s->other);
  mj_deleteModel(s->m);
}

static mjModel* model_of(const char* text) {
  char error[500] = "";
  mjSpec* spec = mj_parseXMLString(text, NULL, error, sizeof(error));
  mjModel* m = spec ? mj_compile(spec, NULL) : NULL;
  if (!m) fail_msg("%s", error);
  mj_deleteSpec(spec);
  return m;
}

// A whole step from the state with column k of A, or of B, moved by eps.
static void step_nudged(Subject* s, int k, bool control, mjtNum eps) {
  int nv = (int)s->m->nv;
  mjData* d = s->other;
  mj_setState(s->m, d, s->state, mjSTATE_INTEGRATION);
  if (control) {
    d->ctrl[k] += eps;
  } else if (k < nv) {
    mjtNum* unit = numbers(nv);
    unit[k] = 1;
    mj_integratePos(s->m, d->qpos, unit, eps);
    free(unit);
  } else if (k < 2 * nv) {
    d->qvel[k - nv] += eps;
  } else {
    d->act[k - 2 * nv] += eps;
  }
  mj_step(s->m, d);
}

static void column_of_steps(Subject* s, int k, bool control, mjtNum* matrix) {
  const mjModel* m = s->m;
  int nv = (int)m->nv, nq = (int)m->nq, na = (int)m->na, width = control ? s->nu : s->n;
  mjtNum *from = numbers(nq + nv + na), *column = numbers(s->n);
  step_nudged(s, k, control, -s->eps);
  memcpy(from, s->other->qpos, (size_t)nq * sizeof(mjtNum));
  memcpy(from + nq, s->other->qvel, (size_t)nv * sizeof(mjtNum));
  memcpy(from + nq + nv, s->other->act, (size_t)na * sizeof(mjtNum));
  step_nudged(s, k, control, s->eps);
  mj_differentiatePos(m, column, 2 * s->eps, from, s->other->qpos);
  for (int i = 0; i < nv; i++) column[nv + i] = (s->other->qvel[i] - from[nq + i]) / (2 * s->eps);
  for (int i = 0; i < na; i++)
    column[2 * nv + i] = (s->other->act[i] - from[nq + nv + i]) / (2 * s->eps);
  for (int i = 0; i < s->n; i++) matrix[i * width + k] = column[i];
  free(from);
  free(column);
}

static void expect_matrix(const char* name, const mjtNum* got, const mjtNum* want, int n) {
  double size = 1, worst = 0;
  for (int i = 0; i < n; i++) {
    size = fmax(size, fabs((double)want[i]));
    worst = fmax(worst, fabs((double)(got[i] - want[i])));
  }
  if (!(worst <= TOLERANCE * size)) fail_msg("%s: off by %g of %g", name, worst, size);
}

// mjd_transitionFD at the state of d, centred, against whole steps one by one.
static void expect_steps(Subject* s, const char* name) {
  mj_getState(s->m, s->d, s->state, mjSTATE_INTEGRATION);
  mjd_transitionFD(s->m, s->d, s->eps, 1, s->A, s->B, NULL, NULL);
  for (int k = 0; k < s->n; k++) column_of_steps(s, k, false, s->want_A);
  for (int k = 0; k < s->nu; k++) column_of_steps(s, k, true, s->want_B);
  expect_matrix(name, s->A, s->want_A, s->n * s->n);
  expect_matrix(name, s->B, s->want_B, s->n * s->nu);
}

static bool opens(Subject* s) {
  ct_Centre c;
  mj_setState(s->m, s->other, s->state, mjSTATE_INTEGRATION);
  mj_step(s->m, s->other);
  bool open = ct_open_centre(&c, s->m, s->other, s->eps, false);
  mj_resetData(s->m, s->other);
  return open;
}

// Controls stay in the middle of their ranges, where both sides are tried.
static void recorded_models_take_the_steps_that_they_take_alone(void** state) {
  (void)state;
  if (sizeof(mjtNum) < sizeof(double)) return;  // rounding leaves nothing of such differences
  int opened = 0;
  for (int i = 0; recorded_model_name(i); i++) {
    mjModel* m = recorded_model(recorded_model_name(i));
    if (m->nv == 0 || m->nv > 30 || m->nhistory > 0 || (m->opt.enableflags & mjENBL_SLEEP)) {
      mj_deleteModel(m);
      continue;
    }
    // one is refused, the others keep matrices that depend on controls, as the reference does
    bool gains = false;
    for (int k = 0; k < m->nu; k++) gains = gains || m->actuator_gaintype[k] != mjGAIN_FIXED;
    if (m->opt.integrator == mjINT_RK4 || gains) m->opt.integrator = mjINT_EULER;
    m->opt.tolerance = 0;  // or quotients would be of residuals
    Subject s = open_subject(m);
    for (int k = 0; k < m->nu; k++) {
      const mjtNum* range = m->actuator_ctrlrange + 2 * k;
      s.d->ctrl[k] = m->actuator_ctrllimited[k] ? (range[0] + range[1]) / 2 : (mjtNum)0.1;
    }
    for (int k = 0; k < 60; k++) mj_step(m, s.d);
    if (!s.d->warning[mjWARN_BADQACC].number) {  // a nudge would decide whether there is a reset
      expect_steps(&s, recorded_model_name(i));
      opened += opens(&s);
    }
    close_subject(&s);
  }
  if (opened < 20) fail_msg("only %d models had neighbours", opened);
}

static void long_chains_keep_their_factors(void** state) {
  (void)state;
  if (sizeof(mjtNum) < sizeof(double)) return;
  static const char* const option[] = {"", "<option><flag eulerdamp='disable'/></option>",
                                       "<option integrator='implicitfast'/>"};
  for (int k = 0; k < 3; k++) {
    char text[20000] = "<mujoco>";
    strcat(text, option[k]);
    strcat(text, "<worldbody>");
    for (int i = 0; i < 40; i++) {
      snprintf(text + strlen(text), 200,
               "<body pos='0 0 -.1'><joint axis='%s' damping='.1'/><geom type='capsule' size='.02' "
               "fromto='0 0 0 0 0 -.1' contype='0' conaffinity='0'/>",
               i % 2 ? "1 0 0" : "0 1 0");
    }
    for (int i = 0; i < 40; i++) strcat(text, "</body>");
    strcat(text, "</worldbody></mujoco>");
    Subject s = open_subject(model_of(text));
    s.eps = (mjtNum)1e-5;  // accelerations of such chains have few digits
    for (int i = 0; i < s.m->nv; i++) s.d->qpos[i] = (mjtNum)(0.01 * (i % 7));
    for (int i = 0; i < 20; i++) mj_step(s.m, s.d);
    expect_steps(&s, "chain");
    assert_true(opens(&s));
    close_subject(&s);
  }
}

static const char falling[] =
    "<mujoco><option gravity='0 0 -10'/><worldbody><geom type='plane' size='1 1 1'/>"
    "<body pos='0 0 .1'><freejoint/><geom size='.1'/></body>"
    "<body pos='1 0 %.9f'><freejoint/><geom size='.1'/></body></worldbody></mujoco>";

// The second ball touches only if it is moved down.
static void rows_that_come_and_go_are_solved_for(void** state) {
  (void)state;
  if (sizeof(mjtNum) < sizeof(double)) return;
  static const double height[] = {0.1 + 5e-7, 0.1, 0.1 - 5e-7, 0.3};
  for (int k = 0; k < 4; k++) {
    char text[1000];
    snprintf(text, sizeof(text), falling, height[k]);
    Subject s = open_subject(model_of(text));
    s.m->opt.tolerance = 0;
    expect_steps(&s, text);
    close_subject(&s);
  }
}

// Does one iteration leave more than rounding of the way to the solution?
static bool stops_early(Subject* s) {
  mjtNum first[100], far = 0;
  assert_true(s->m->nv <= 100);
  mj_forward(s->m, s->d);
  for (int i = 0; i < s->m->nv; i++) first[i] = s->d->qacc[i];
  s->m->opt.iterations = 100;
  mj_forward(s->m, s->d);
  s->m->opt.iterations = 1;
  for (int i = 0; i < s->m->nv; i++) far = mju_max(far, mju_abs(s->d->qacc[i] - first[i]));
  return far > (mjtNum)0.01;
}

// A solver that stops early leaves a residual that the reference divides by eps.
static void solvers_that_stop_early_are_left_alone(void** state) {
  (void)state;
  Subject s = open_subject(recorded_model("humanoid"));
  s.m->opt.cone = mjCONE_ELLIPTIC;
  s.m->opt.iterations = 1;
  s.m->opt.disableflags |= mjDSBL_WARMSTART;
  for (int k = 0; k < 200; k++) mj_step(s.m, s.d);
  for (int k = 0; k < 200 && !stops_early(&s); k++) mj_step(s.m, s.d);
  assert_true(s.d->nefc > 0 && stops_early(&s));
  mj_getState(s.m, s.d, s.state, mjSTATE_INTEGRATION);
  assert_false(opens(&s));
  close_subject(&s);
}

// One nudge of the slide makes its acceleration too large, so that the step begins anew from a
// reset, which forgets all scratch: there is no derivative.
static void a_reset_forgets_the_centre(void** state) {
  (void)state;
  if (sizeof(mjtNum) < sizeof(double)) return;
  Subject s =
      open_subject(model_of("<mujoco><worldbody><geom type='plane' size='1 1 1'/>"
                            "<body pos='0 0 .099'><freejoint/><geom size='.1'/></body>"
                            "<body pos='1 0 5'><joint type='slide' axis='1 0 0' "
                            "stiffness='1e6'/><geom size='.1' mass='1'/></body>"
                            "</worldbody></mujoco>"));
  s.d->qpos[7] = -(mjtNum)(1e4 - 5e-7);
  mjd_transitionFD(s.m, s.d, s.eps, 1, s.A, s.B, NULL, NULL);
  assert_true(s.d->qpos[7] == -(mjtNum)(1e4 - 5e-7));
  for (int i = 0; i < s.n * s.n; i++) assert_int_equal(isnan((double)s.A[i]), 1);
  assert_int_equal(count_errors(), 0);
  close_subject(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(recorded_models_take_the_steps_that_they_take_alone),
      cmocka_unit_test(long_chains_keep_their_factors),
      cmocka_unit_test(rows_that_come_and_go_are_solved_for),
      cmocka_unit_test(solvers_that_stop_early_are_left_alone),
      cmocka_unit_test_setup_teardown(a_reset_forgets_the_centre, listen_to_messages,
                                      stop_listening),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
