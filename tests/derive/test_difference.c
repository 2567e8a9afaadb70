// Derivatives by finite differences: the reference's numbers, what is left behind, and bad input.

#include <corten/derivative.h>

#include "derive/difference.h"
#include "derive/difference_functions.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "api/exports.h"
#include "base/private.h"
#include "support/fail.h"
#include "support/messages.h"
#include "support/models.h"
#include "support/recorded.h"
#include "support/states.h"
#include "support/text_models.h"

static const struct {
  const char* model;
  const char* name;
  int integrator;
} cases[] = {
    {"tree_two_links", "tree_two_links/euler", mjINT_EULER},
    {"ball_chain", "ball_chain/euler", mjINT_EULER},
    {"convoy", "convoy/euler", mjINT_EULER},
    {"linkage", "linkage/implicitfast", mjINT_IMPLICITFAST},
    {"integrators", "integrators/euler", mjINT_EULER},
    {"integrators", "integrators/implicit", mjINT_IMPLICIT},
    {"integrators", "integrators/implicitfast", mjINT_IMPLICITFAST},
    {"humanoid", "humanoid/euler", mjINT_EULER},
    {"swimmer", "swimmer/implicit", mjINT_IMPLICIT},
    {"muscles", "muscles/implicitfast", mjINT_IMPLICITFAST},
    {"tendons", "tendons/euler", mjINT_EULER},
};
enum { NCASE = sizeof(cases) / sizeof(cases[0]) };

typedef struct {
  Recorded* recorded;
  const char* name;
  mjModel* m;
  mjData* d;
} Subject;

static Subject open_subject(int i) {
  Subject s = {recorded_open("differences.rec"), cases[i].name, recorded_model(cases[i].model),
               NULL};
  s.m->opt.integrator = cases[i].integrator;
  s.d = mj_makeData(s.m);
  char name[128];
  size_t count;
  snprintf(name, sizeof(name), "%s/state", s.name);
  const double* state = recorded_doubles(s.recorded, name, &count);
  assert_int_equal(count, mj_stateSize(s.m, mjSTATE_INTEGRATION));
  mjtNum* numbers = (mjtNum*)malloc((count + 1) * sizeof(mjtNum));
  for (size_t k = 0; k < count; k++) numbers[k] = (mjtNum)state[k];
  mj_setState(s.m, s.d, numbers, mjSTATE_INTEGRATION);
  free(numbers);
  return s;
}

static void close_subject(Subject* s) {
  mj_deleteData(s->d);
  mj_deleteModel(s->m);
  recorded_close(s->recorded);
}

static mjtNum* numbers_for(mjtSize rows, mjtSize columns) {
  return (mjtNum*)calloc((size_t)(rows * columns) + 1, sizeof(mjtNum));
}

// Differences have the rounding errors of a step, divided by eps.
static void expect_recorded(const Subject* s, const char* what, const mjtNum* got, double eps) {
  char name[128];
  size_t count;
  snprintf(name, sizeof(name), "%s/%s", s->name, what);
  const double* want = recorded_doubles(s->recorded, name, &count);
  assert_non_null(want);
  double scale = 1;
  for (size_t i = 0; i < count; i++) scale = fmax(scale, fabs(want[i]));
  for (size_t i = 0; i < count; i++) {
    if (!(fabs((double)got[i] - want[i]) <= eps * scale)) {
      fail_msg("%s[%zu]: %.12g, recorded %.12g (largest %g)", name, i, (double)got[i], want[i],
               scale);
    }
  }
}

// R12.2
static void steps_have_the_derivatives_of_the_reference(void** state) {
  (void)state;
  SKIP_IN_SINGLE_PRECISION();
  for (int i = 0; i < NCASE; i++) {
    Subject s = open_subject(i);
    mjtSize n = 2 * s.m->nv + s.m->na, nu = s.m->nu, ns = s.m->nsensordata;
    mjtNum *A = numbers_for(n, n), *B = numbers_for(n, nu);
    mjtNum *C = numbers_for(ns, n), *D = numbers_for(ns, nu);
    for (int centred = 0; centred < 2; centred++) {
      mjd_transitionFD(s.m, s.d, (mjtNum)1e-6, (mjtByte)centred, A, B, C, D);
      expect_recorded(&s, centred ? "centred/A" : "one/A", A, 1e-7);
      expect_recorded(&s, centred ? "centred/B" : "one/B", B, 1e-7);
      expect_recorded(&s, centred ? "centred/C" : "one/C", C, 1e-7);
      expect_recorded(&s, centred ? "centred/D" : "one/D", D, 1e-7);
    }
    free(A), free(B), free(C), free(D);
    close_subject(&s);
  }
}

// R12.2
static void inverse_dynamics_have_the_derivatives_of_the_reference(void** state) {
  (void)state;
  SKIP_IN_SINGLE_PRECISION();
  static const char* const names[] = {"DfDq", "DfDv", "DfDa", "DsDq", "DsDv", "DsDa", "DmDq"};
  for (int i = 0; i < NCASE; i++) {
    Subject s = open_subject(i);
    mjtSize nv = s.m->nv, ns = s.m->nsensordata;
    mjtNum* x[7];
    for (int k = 0; k < 7; k++) x[k] = numbers_for(nv, k < 3 ? nv : k < 6 ? ns : s.m->nM);
    mj_forward(s.m, s.d);
    mjd_inverseFD(s.m, s.d, (mjtNum)1e-6, 1, x[0], x[1], x[2], x[3], x[4], x[5], x[6]);
    for (int k = 0; k < 7; k++) expect_recorded(&s, names[k], x[k], 2e-7);
    for (int k = 0; k < 7; k++) free(x[k]);
    close_subject(&s);
  }
}

// What must not change: the struct, the buffer, the arena as far as it is used.
typedef struct {
  mjData fields;
  unsigned status;
  char *buffer, *arena;
} Snapshot;

static Snapshot take_snapshot(const mjData* d) {
  Snapshot s = {*d, ct_private(d)->status, (char*)malloc((size_t)d->nbuffer),
                (char*)malloc((size_t)d->ncon * sizeof(mjContact) + 1)};
  memcpy(s.buffer, d->buffer, (size_t)d->nbuffer);
  memcpy(s.arena, d->contact, (size_t)d->ncon * sizeof(mjContact));
  return s;
}

static void expect_unchanged(const char* name, Snapshot* s, const mjData* d) {
  if (memcmp(&s->fields, d, sizeof(mjData))) fail_msg("%s: the struct has changed", name);
  if (memcmp(s->buffer, d->buffer, (size_t)d->nbuffer)) fail_msg("%s: arrays have changed", name);
  if (memcmp(s->arena, d->contact, (size_t)d->ncon * sizeof(mjContact))) {
    fail_msg("%s: contacts have changed", name);
  }
  assert_int_equal(s->status, ct_private(d)->status);
  free(s->buffer);
  free(s->arena);
}

// R12.8
static void the_data_is_left_as_it_was_and_calls_repeat_to_the_bit(void** state) {
  (void)state;
  for (int i = 0; i < NCASE; i++) {
    Subject s = open_subject(i);
    size_t n = (size_t)(2 * s.m->nv + s.m->na), bytes = n * n * sizeof(mjtNum);
    mjtNum *A = numbers_for((mjtSize)n, (mjtSize)n), *again = numbers_for((mjtSize)n, (mjtSize)n);
    mjtNum* f = numbers_for(s.m->nv, s.m->nv);
    mj_forward(s.m, s.d);
    Snapshot before = take_snapshot(s.d);
    mjd_transitionFD(s.m, s.d, (mjtNum)1e-6, 1, A, NULL, NULL, NULL);
    expect_unchanged(s.name, &before, s.d);
    mjd_transitionFD(s.m, s.d, (mjtNum)1e-6, 1, again, NULL, NULL, NULL);
    if (memcmp(A, again, bytes)) fail_msg("%s: a second call differs", s.name);
    before = take_snapshot(s.d);
    mjd_inverseFD(s.m, s.d, (mjtNum)1e-6, 1, f, NULL, NULL, NULL, NULL, NULL, NULL);
    expect_unchanged(s.name, &before, s.d);
    free(A), free(again), free(f);
    close_subject(&s);
  }
}

// Each matrix alone has the bits that it has together with the others.
static void matrices_that_nobody_wants_are_left_out(void** state) {
  (void)state;
  Subject s = open_subject(7);
  mjtSize n = 2 * s.m->nv + s.m->na, nu = s.m->nu, ns = s.m->nsensordata;
  mjtSize rows[4] = {n, n, ns, ns}, columns[4] = {n, nu, n, nu};
  mjtNum *all[4], *alone[4];
  for (int k = 0; k < 4; k++) all[k] = numbers_for(rows[k], columns[k]);
  mjd_transitionFD(s.m, s.d, (mjtNum)1e-6, 0, all[0], all[1], all[2], all[3]);
  for (int k = 0; k < 4; k++) {
    for (int j = 0; j < 4; j++) alone[j] = j == k ? numbers_for(rows[k], columns[k]) : NULL;
    mjd_transitionFD(s.m, s.d, (mjtNum)1e-6, 0, alone[0], alone[1], alone[2], alone[3]);
    assert_memory_equal(all[k], alone[k], (size_t)(rows[k] * columns[k]) * sizeof(mjtNum));
    free(alone[k]);
  }
  mjd_transitionFD(s.m, s.d, (mjtNum)1e-6, 0, NULL, NULL, NULL, NULL);
  mjd_inverseFD(s.m, s.d, (mjtNum)1e-6, 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
  for (int k = 0; k < 4; k++) free(all[k]);
  close_subject(&s);
}

// With threads bound to the data all bits are those of one thread.
static void threads_share_the_columns(void** state) {
  (void)state;
  for (int i = 0; i < NCASE; i += 3) {
    Subject s = open_subject(i);
    mjtSize n = 2 * s.m->nv + s.m->na, nu = s.m->nu, ns = s.m->nsensordata;
    mjtSize rows[4] = {n, n, ns, ns}, columns[4] = {n, nu, n, nu};
    mjtNum *alone[4], *shared[4];
    for (int k = 0; k < 4; k++) alone[k] = numbers_for(rows[k], columns[k]);
    for (int k = 0; k < 4; k++) shared[k] = numbers_for(rows[k], columns[k]);
    mjd_transitionFD(s.m, s.d, (mjtNum)1e-6, 1, alone[0], alone[1], alone[2], alone[3]);
    mjThreadPool* pool = mju_threadPoolCreate(3);
    mju_bindThreadPool(s.d, pool);
    Snapshot before = take_snapshot(s.d);
    mjd_transitionFD(s.m, s.d, (mjtNum)1e-6, 1, shared[0], shared[1], shared[2], shared[3]);
    expect_unchanged(s.name, &before, s.d);
    for (int k = 0; k < 4; k++) {
      assert_memory_equal(alone[k], shared[k], (size_t)(rows[k] * columns[k]) * sizeof(mjtNum));
      free(alone[k]), free(shared[k]);
    }
    close_subject(&s);
    mju_threadPoolDestroy(pool);
  }
}

// R12.9: six links in less than 10 ms, by the processor's clock.
static void six_links_take_less_than_ten_milliseconds(void** state) {
  (void)state;
  char error[500] = "", text[4000] = "<mujoco><worldbody>";
  for (int i = 0; i < 6; i++) {
    strcat(text,
           "<body pos='0 0 -.2'><joint axis='0 1 0' damping='.1'/>"
           "<geom type='capsule' size='.02' fromto='0 0 0 0 0 -.2'/>");
  }
  strcat(text, "</body></body></body></body></body></body></worldbody></mujoco>");
  mjSpec* spec = mj_parseXMLString(text, NULL, error, sizeof(error));
  mjModel* m = mj_compile(spec, NULL);
  assert_non_null(m);
  mjData* d = mj_makeData(m);
  mjtNum A[144];
  double best = 1;
  for (int i = 0; i < 10; i++) {
    clock_t start = clock();
    mjd_transitionFD(m, d, (mjtNum)1e-6, 1, A, NULL, NULL, NULL);
    best = fmin(best, (double)(clock() - start) / CLOCKS_PER_SEC);
  }
  assert_true(best < 0.01);
  mj_deleteData(d);
  mj_deleteModel(m);
  mj_deleteSpec(spec);
}

// Whatever eps is, nothing breaks: the reference does not check it either.
static void eps_that_makes_no_sense_does_no_harm(void** state) {
  (void)state;
  Subject s = open_subject(0);
  mjtNum A[16], wrong[] = {0, (mjtNum)NAN, (mjtNum)INFINITY, (mjtNum)1e300};
  mjd_transitionFD(s.m, s.d, (mjtNum)-1e-6, 0, A, NULL, NULL, NULL);
  expect_recorded(&s, "one/A", A, PRECISION(1e-5, 10));
  Snapshot before = take_snapshot(s.d);
  for (int i = 0; i < 4; i++) mjd_transitionFD(s.m, s.d, wrong[i], 1, A, NULL, NULL, NULL);
  expect_unchanged(s.name, &before, s.d);
  close_subject(&s);
}

static void runge_kutta_and_delays_are_refused(void** state) {
  (void)state;
  mjModel* m = recorded_model("pendulum");
  mjData* d = mj_makeData(m);
  mjtNum A[4];
  m->opt.integrator = mjINT_RK4;
  mjd_transitionFD(m, d, (mjtNum)1e-6, 0, A, NULL, NULL, NULL);
  expect_one_error("mjd_transitionFD: RK4");
  mjd_inverseFD(m, d, (mjtNum)1e-6, 0, A, NULL, NULL, NULL, NULL, NULL, NULL);
  expect_one_error("mjd_inverseFD: RK4");
  m->opt.integrator = mjINT_EULER;
  m->opt.noslip_iterations = 3;
  mjd_inverseFD(m, d, (mjtNum)1e-6, 0, A, NULL, NULL, NULL, NULL, NULL, NULL);
  expect_one_error("noslip");
  mj_deleteData(d);
  mj_deleteModel(m);
  m = recorded_model("delays");
  d = mj_makeData(m);
  mjd_transitionFD(m, d, (mjtNum)1e-6, 0, A, NULL, NULL, NULL);
  expect_one_error("delays");
  mj_deleteData(d);
  mj_deleteModel(m);
}

// R12.3: all forces of a model with many kinds of them.
static void forces_by_velocities_equal_the_analytic_ones(void** state) {
  (void)state;
  SKIP_IN_SINGLE_PRECISION();
  mjModel* m = recorded_model("integrators");
  for (int t = 0; t < m->ntendon; t++) m->tendon_armature[t] = 0;  // has no analytic derivative
  mjData* d = mj_makeData(m);
  for (int i = 0; i < 20; i++) mj_step(m, d);
  mj_forward(m, d);
  int n = (int)m->nD;
  mjtNum* analytic = numbers_for(n, 1);

  mjd_smooth_vel(m, d, 1);
  memcpy(analytic, d->qDeriv, (size_t)n * sizeof(mjtNum));
  mjd_smooth_velFD(m, d, (mjtNum)1e-5);
  expect_close("qDeriv", d->qDeriv, analytic, n, 1e-6);
  mjd_passive_velFD(m, d, (mjtNum)1e-6);
  free(analytic);
  mj_deleteData(d);
  mj_deleteModel(m);
}

// qDeriv as a square matrix, and what it is by differences.
static void both_by_velocity(const mjModel* m, mjData* d, int with_bias, mjtNum eps, mjtNum* exact,
                             mjtNum* rough) {
  mj_forward(m, d);
  for (int side = 0; side < 2; side++) {
    mjtNum* to = side ? rough : exact;
    if (side) {
      mjd_smooth_velFD(m, d, eps);
    } else {
      mjd_smooth_vel(m, d, with_bias);
    }
    memset(to, 0, (size_t)(m->nv * m->nv) * sizeof(mjtNum));
    for (int i = 0; i < m->nv; i++) {
      for (int e = m->D_rowadr[i]; e < m->D_rowadr[i] + m->D_rownnz[i]; e++) {
        to[i * m->nv + m->D_colind[e]] = d->qDeriv[e];
      }
    }
  }
}

#define TWO_LINKS(joint_, rest_)                                                                \
  "<mujoco><option gravity='0 0 0'/><worldbody><body><joint name='a' axis='0 1 0' " joint_      \
  "/><geom type='capsule' size='.02' fromto='0 0 0 .1 0 -.3'/><body pos='.1 0 -.3'>"            \
  "<joint name='b' axis='0 1 0' " joint_                                                        \
  "/><geom type='capsule' size='.02' fromto='0 0 0 .1 0 -.3'/></body></body></worldbody>" rest_ \
  "</mujoco>"

static void set_two_links(mjData* d, double speed) {
  d->qpos[0] = (mjtNum)0.4;
  d->qpos[1] = (mjtNum)-0.9;
  d->qvel[0] = (mjtNum)(1.3 * speed);
  d->qvel[1] = (mjtNum)(-0.7 * speed);
}

// R12.3: damping of dofs is exactly the diagonal.
static void damping_of_dofs_is_the_diagonal(void** state) {
  (void)state;
  mjModel* m = text_model(TWO_LINKS("damping='.37'", ""));
  mjData* d = mj_makeData(m);
  mjtNum exact[4], rough[4];
  set_two_links(d, 1);
  both_by_velocity(m, d, 0, (mjtNum)1e-3, exact, rough);
  for (int i = 0; i < 4; i++) assert_true(exact[i] == (i % 3 ? 0 : -m->dof_damping[i / 2]));
  mj_deleteData(d);
  mj_deleteModel(m);
}

// R12.3: damping b of a tendon is -b J'J, and equals differences to 1e-8; so do actuators whose
// gain and bias are affine in velocity. Forces are linear, so that the step may be large.
static void damping_of_tendons_and_affine_actuators(void** state) {
  (void)state;
  SKIP_IN_SINGLE_PRECISION();
  static const char* const xml[] = {
      TWO_LINKS("",
                "<tendon><fixed damping='3'><joint joint='a' coef='2'/>"
                "<joint joint='b' coef='-1.5'/></fixed></tendon>"),
      TWO_LINKS("",
                "<actuator><general joint='a' gaintype='affine' gainprm='2 .3 -.7' "
                "biastype='affine' biasprm='.1 -2 -.9'/><general joint='b' "
                "biastype='affine' biasprm='0 0 -.4' gear='3'/></actuator>")};
  const mjtNum want[2][4] = {{-12, 9, 9, (mjtNum)-6.75},
                             {(mjtNum)(-0.7 * 1.7 - 0.9), 0, 0, (mjtNum)(-0.4 * 9)}};
  for (int k = 0; k < 2; k++) {
    mjModel* m = text_model(xml[k]);
    mjData* d = mj_makeData(m);
    mjtNum exact[4], rough[4];
    set_two_links(d, 0);  // where the bias has no slope
    if (m->nu) d->ctrl[0] = (mjtNum)1.7;
    both_by_velocity(m, d, 1, (mjtNum)1e-3, exact, rough);
    expect_close("qDeriv", exact, want[k], 4, 1e-14);
    expect_close("differences", rough, exact, 4, 1e-8);
    mj_deleteData(d);
    mj_deleteModel(m);
  }
}

// R12.3: the bias to 1e-6, and all forces together with those of a medium to 1e-5. A step of 1e-4
// is exact for what is quadratic in velocity.
static void the_bias_and_a_medium_have_their_derivatives(void** state) {
  (void)state;
  SKIP_IN_SINGLE_PRECISION();
  static const char rest[] =
      "<tendon><fixed damping='3'><joint joint='a' coef='2'/><joint joint='b' coef='-1.5'/></fixed>"
      "</tendon><actuator><general joint='a' gaintype='affine' gainprm='2 .3 -.7'/></actuator>";
  char text[2000];
  mjtNum exact[2][4], rough[4];
  snprintf(text, sizeof(text), TWO_LINKS("damping='.2'", "%s"), rest);
  for (int k = 0; k < 2; k++) {
    mjModel* m = text_model(k ? text : TWO_LINKS("", ""));
    mjData* d = mj_makeData(m);
    set_two_links(d, 3);
    if (k) d->ctrl[0] = (mjtNum)0.8;
    both_by_velocity(m, d, 1, (mjtNum)1e-4, exact[0], rough);
    expect_close("bias", rough, exact[0], 4, k ? 1e-5 : 1e-6);
    assert_true(fabs((double)exact[0][1]) > 1e-3);
    m->opt.density = 1000;
    m->opt.viscosity = (mjtNum)0.01;
    both_by_velocity(m, d, 1, (mjtNum)1e-5, exact[1], rough);
    expect_close("in a medium", rough, exact[1], 4, 1e-5);
    assert_true(fabs((double)(exact[1][0] - exact[0][0])) > 1e-2);
    mj_deleteData(d);
    mj_deleteModel(m);
  }
}

static const char sleepy[] =
    "<mujoco><option timestep='.004'><flag sleep='enable'/></option><worldbody>"
    "<geom type='plane' size='5 5 .1'/>"
    "<body pos='0 0 .1'><freejoint/><geom type='box' size='.1 .1 .1'/></body>"
    "<body pos='1 0 .3'><freejoint/><geom size='.1'/></body></worldbody></mujoco>";

// Column by column, each from a copy of the data.
static void step_from_copies(const mjModel* m, const mjData* d, mjtNum eps, mjtNum* A) {
  size_t nv = (size_t)m->nv, n = 2 * nv;
  mjtNum* change = (mjtNum*)calloc(nv, sizeof(mjtNum));
  for (size_t j = 0; j < n; j++) {
    mjData* side[2];
    for (int k = 0; k < 2; k++) {
      mjtNum step = k ? eps : -eps;
      side[k] = mj_copyData(NULL, m, d);
      memset(change, 0, nv * sizeof(mjtNum));
      change[j % nv] = 1;
      if (j < nv) mj_integratePos(m, side[k]->qpos, change, step);
      if (j >= nv) side[k]->qvel[j - nv] += step;
      mj_step(m, side[k]);
    }
    mj_differentiatePos(m, change, 2 * eps, side[0]->qpos, side[1]->qpos);
    for (size_t i = 0; i < nv; i++) {
      A[i * n + j] = change[i];
      A[(nv + i) * n + j] = (side[1]->qvel[i] - side[0]->qvel[i]) / (2 * eps);
    }
    for (int k = 0; k < 2; k++) mj_deleteData(side[k]);
  }
  free(change);
}

// R12.1, R12.8: who is about to fall asleep does not do so in the middle, and no column depends on
// those before it, nor on threads.
static void columns_of_trees_that_may_sleep_are_those_of_steps(void** state) {
  (void)state;
  SKIP_IN_SINGLE_PRECISION();
  mjModel* m = text_model(sleepy);
  mjData* d = mj_makeData(m);
  enum { N = 24 };
  mjtNum A[N * N], want[N * N], B[1];
  mjThreadPool* pool = mju_threadPoolCreate(3);
  int asleep = 0;
  for (int i = 0; i <= 200; i++, mj_step(m, d)) {
    if (i % 20) continue;
    ct_Transition to = {A, B, NULL, NULL};
    assert_int_equal(ct_difference_step(m, d, (mjtNum)1e-6, true, true, to), 0);
    step_from_copies(m, d, (mjtNum)1e-6, want);
    expect_close("A", A, want, N * N, 1e-8);
    mjd_transitionFD(m, d, (mjtNum)1e-6, 1, A, NULL, NULL, NULL);
    mju_bindThreadPool(d, pool);
    mjd_transitionFD(m, d, (mjtNum)1e-6, 1, want, NULL, NULL, NULL);
    d->threadpool = 0;
    assert_memory_equal(A, want, sizeof(A));
    asleep += d->tree_asleep[0] >= 0;
  }
  assert_in_range(asleep, 1, 10);
  mju_threadPoolDestroy(pool);
  mj_deleteData(d);
  mj_deleteModel(m);
}

enum { SLEEPY = 12 };  // degrees of freedom

// Accelerations or, of inverse dynamics, forces of a copy of the data, of which number j of
// positions, velocities or what acts is larger by a step. j < 0: of none.
static void find_from_a_copy(const mjModel* m, const mjData* d, bool inverse, int part, int j,
                             mjtNum step, mjtNum* to) {
  mjData* copy = mj_copyData(NULL, m, d);
  mjtNum* const numbers[] = {NULL, copy->qvel, inverse ? copy->qacc : copy->qfrc_applied};
  mjtNum direction[SLEEPY] = {0};
  if (j >= 0) direction[j] = 1;
  if (j >= 0 && part == 0) mj_integratePos(m, copy->qpos, direction, step);
  if (j >= 0 && part > 0) numbers[part][j] += step;
  (inverse ? mj_inverse : mj_forward)(m, copy);
  memcpy(to, inverse ? copy->qfrc_inverse : copy->qacc, SLEEPY * sizeof(mjtNum));
  mj_deleteData(copy);
}

// R12.1: a tree that one nudge wakes sleeps again before the next.
static void accelerations_and_forces_of_trees_that_sleep_are_those_of_copies(void** state) {
  (void)state;
  SKIP_IN_SINGLE_PRECISION();
  mjModel* m = text_model(sleepy);
  mjData* d = mj_makeData(m);
  mjtNum got[3][SLEEPY * SLEEPY], want[SLEEPY * SLEEPY], centre[SLEEPY], side[SLEEPY];
  ct_DerivativeOptions options;
  ct_default_derivative_options(&options);
  options.centred = 0;
  for (int i = 0; i < 400 && d->tree_asleep[0] < 0; i++) mj_step(m, d);
  assert_true(d->tree_asleep[0] >= 0);
  for (int inverse = 0; inverse < 2; inverse++) {
    ct_ForwardMatrices forward = {.q = got[0], .v = got[1], .force = got[2]};
    ct_InverseMatrices backward = {got[0], got[1], got[2]};
    int result = inverse ? ct_inverse_derivative(m, d, &options, 0, &backward, NULL)
                         : ct_forward_derivative(m, d, &options, &forward, NULL);
    assert_int_equal(result, 0);
    find_from_a_copy(m, d, inverse, 0, -1, 0, centre);
    for (int part = 0; part < 3; part++) {
      for (int j = 0; j < SLEEPY; j++) {
        find_from_a_copy(m, d, inverse, part, j, options.eps, side);
        for (int k = 0; k < SLEEPY; k++) {
          want[k * SLEEPY + j] = (side[k] - centre[k]) / options.eps;
        }
      }
      expect_close(inverse ? "forces" : "accelerations", got[part], want, SLEEPY * SLEEPY, 1e-8);
    }
  }
  mj_deleteData(d);
  mj_deleteModel(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(steps_have_the_derivatives_of_the_reference),
      cmocka_unit_test(inverse_dynamics_have_the_derivatives_of_the_reference),
      cmocka_unit_test(the_data_is_left_as_it_was_and_calls_repeat_to_the_bit),
      cmocka_unit_test(matrices_that_nobody_wants_are_left_out),
      cmocka_unit_test(threads_share_the_columns),
      cmocka_unit_test(columns_of_trees_that_may_sleep_are_those_of_steps),
      cmocka_unit_test(accelerations_and_forces_of_trees_that_sleep_are_those_of_copies),
      cmocka_unit_test(six_links_take_less_than_ten_milliseconds),
      cmocka_unit_test_setup_teardown(eps_that_makes_no_sense_does_no_harm, listen_to_messages,
                                      stop_listening),
      cmocka_unit_test_setup_teardown(runge_kutta_and_delays_are_refused, listen_to_messages,
                                      stop_listening),
      cmocka_unit_test(forces_by_velocities_equal_the_analytic_ones),
      cmocka_unit_test(damping_of_dofs_is_the_diagonal),
      cmocka_unit_test(damping_of_tendons_and_affine_actuators),
      cmocka_unit_test(the_bias_and_a_medium_have_their_derivatives),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
