// Whole steps: every integrator against the reference's trajectories and inverse dynamics, without
// constraints; and that all ways to make a step write the same bits, for all models.

#include "engine/step.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <corten/step.h>

#include "base/private.h"
#include "lanes/march.h"
#include "support/fail.h"
#include "support/messages.h"
#include "support/models.h"
#include "support/states.h"

enum { STEPS = 20 };

static int integrator_of(const RecordedState* s) {
  return atoi(s->prefix + strlen(s->name) + 1);
}

// Recorded models have default options in single precision; these need theirs.
static bool has_its_options(const RecordedState* s) {
  (void)s;
#ifdef mjUSESINGLE
  return strcmp(s->name, "swimmer") != 0 && strcmp(s->name, "actuators") != 0 &&
         strcmp(s->name, "hand_sparse") != 0;
#else
  return true;
#endif
}

static void set_up(RecordedState* s) {
  s->model->opt.disableflags |= mjDSBL_CONSTRAINT;
  s->model->opt.integrator = integrator_of(s);
  s->model->opt.timestep = (mjtNum)0.0005;
}

static void expect_recorded(const RecordedState* s, const char* name, const mjtNum* got,
                            double tolerance) {
  char path[256];
  size_t count;
  snprintf(path, sizeof(path), "%s%s", s->prefix, name);
  const double* recorded = recorded_doubles(s->recorded, path, &count);
  if (!recorded) fail_msg("%s is not recorded", path);
  mjtNum* want = (mjtNum*)malloc((count + 1) * sizeof(mjtNum));
  for (size_t i = 0; i < count; i++) want[i] = (mjtNum)recorded[i];
  expect_close(path, got, want, (int)count, tolerance);
  free(want);
}

static void expect_state(const RecordedState* s, const char* when, double tolerance) {
  char name[64];
  snprintf(name, sizeof(name), "%s/qpos", when);
  expect_recorded(s, name, s->data->qpos, tolerance);
  snprintf(name, sizeof(name), "%s/qvel", when);
  expect_recorded(s, name, s->data->qvel, tolerance);
  snprintf(name, sizeof(name), "%s/act", when);
  expect_recorded(s, name, s->data->act, tolerance);
}

// R7.1, R13.1, R13.5
static void every_integrator_goes_where_the_reference_goes(void** state) {
  (void)state;
  RECORDED_STATES(s, "trajectory") {
    if (!has_its_options(&s)) continue;
    set_up(&s);
    mj_step(s.model, s.data);
    expect_state(&s, "one", PRECISION(1e-11, 1e-3));
    if (integrator_of(&s) >= mjINT_IMPLICIT) {
      expect_recorded(&s, "one/qDeriv", s.data->qDeriv, PRECISION(1e-11, 1e-3));
    }
#ifndef mjUSESINGLE
    for (int i = 1; i < STEPS; i++) mj_step(s.model, s.data);
    expect_state(&s, "many", 1e-8);
#endif
  }
}

// R0.4
static void inverse_dynamics_agrees_with_the_reference(void** state) {
  (void)state;
  RECORDED_STATES(s, "trajectory") {
    if (!has_its_options(&s)) continue;
    set_up(&s);
    mj_forward(s.model, s.data);
    mj_inverse(s.model, s.data);
    expect_recorded(&s, "inverse", s.data->qfrc_inverse, PRECISION(1e-10, 1e-2));
    if (integrator_of(&s) == mjINT_RK4) continue;
    s.model->opt.enableflags |= mjENBL_INVDISCRETE;
    mj_inverse(s.model, s.data);
    expect_recorded(&s, "discrete", s.data->qfrc_inverse, PRECISION(1e-10, 1e-2));
  }
}

// What forward dynamics was given is what inverse dynamics finds.
static void inverse_undoes_forward(void** state) {
  (void)state;
  RECORDED_STATES(s, "trajectory") {
    set_up(&s);
    mjModel* m = s.model;
    mjData* d = s.data;
    mju_zero(d->xfrc_applied, 6 * (int)m->nbody);
    mj_forward(m, d);
    mj_inverse(m, d);
    for (int k = 0; k < m->nv; k++) {
      mjtNum given = d->qfrc_applied[k] + d->qfrc_actuator[k];
      expect_close(s.prefix, d->qfrc_inverse + k, &given, 1, PRECISION(1e-10, 1e-1));
    }
  }
}

// Ways to make a step. All write the same: every array, every count, the status.

// One lane has no races, so under ThreadSanitizer a model goes a seventh of the ways, others for
// each model.
#if defined(__SANITIZE_THREAD__)
enum { FAR = 2, WAY_STRIDE = 7 };
#elif defined(CT_ASAN)
enum { FAR = 10, WAY_STRIDE = 1 };
#else
enum { FAR = 60, WAY_STRIDE = 1 };
#endif

typedef int(Step)(const mjModel* m, mjData* d);  // returns its status

// Status bits so far are among what is compared.
static int step_by_lanes(const mjModel* m, mjData* d) {
  int status = ct_step_lanes(lane_one(), m, d) & CT_PUBLIC_STATUS;
  ct_private(d)->status |= (unsigned)status;
  return status;
}

// Oddity of the reference: mj_step2 does not forget body forces, which accelerometers look at.
static int step_by_halves(const mjModel* m, mjData* d) {
  mj_step1(m, d);
  d->flg_rnepost = 0;
  mj_step2(m, d);
  return CT_OK;
}

// Has the model become unstable, so that mj_step resets it?
static bool was_reset(const mjData* d) {
  return d->warning[mjWARN_BADQPOS].number || d->warning[mjWARN_BADQVEL].number ||
         d->warning[mjWARN_BADQACC].number;
}

// Steps that were compared before the model became unstable, or because it cannot be stepped this
// way.
static int expect_same_steps(const char* name, int way, const char* how, Step* step) {
  BitReport report;
  memset(&report, 0, sizeof(report));
  mjModel* m = recorded_model(name);
  march_change(m, way);
  mjData *d = march_start(m), *other = march_start(m);
  int k = 0;
  for (; k < FAR; k++) {
    march_steer(m, d, k);
    march_steer(m, other, k);
    mj_step(m, d);
    if (was_reset(d) || count_errors()) break;
    if (step(m, other) & CT_BAD_QACC) break;  // where mj_step resets in the next step
    char where[200];
    snprintf(where, sizeof(where), "%s, %s, %s, step %d: ", name, march_way_name(way), how, k);
    march_compare(&report, where, m, d, other);
    int bits[2] = {ct_status(d), ct_status(other) & ~CT_CHOLESKY_FAILED};  // mj_step does not look
    compare_ints(&report, where, "status", bits, bits + 1, 1);
    if (report.ndifferent) fail_msg("%s (and %d more)", report.first, report.ndifferent - 1);
  }
  mj_deleteData(other);
  mj_deleteData(d);
  mj_deleteModel(m);
  return k;
}

static bool can_march(const char* name) {
  March march = {name, 0, 0};
  return march_is_possible(&march);
}

// Every model in every way.
static void expect_same_steps_of_all(const char* how, Step* step) {
  int far = 0;
  for (int i = 0; recorded_model_name(i); i++) {
    if (!can_march(recorded_model_name(i))) continue;
    for (int way = i % WAY_STRIDE; way < march_way_count(); way += WAY_STRIDE) {
      far += expect_same_steps(recorded_model_name(i), way, how, step) == FAR;
    }
  }
  assert_true(far > 50 * (march_way_count() / WAY_STRIDE));
}

// R0.4
static void lane_step_is_the_public_step(void** state) {
  (void)state;
  expect_same_steps_of_all("lanes", step_by_lanes);
}

static mjtNum still_clock(void) {
  return 0;
}

// R0.4, R0.5. ct_step runs lane code unless the user has code to run in between.
static void step_that_reports_is_the_public_step(void** state) {
  (void)state;
  mjcb_time = still_clock;
  expect_same_steps_of_all("ct_step", ct_step);
  mjcb_time = NULL;
}

static bool has_halves(const char* name, int way) {
  mjModel* m = recorded_model(name);
  march_change(m, way);
  bool has = m->opt.integrator != mjINT_RK4;
  mj_deleteModel(m);
  return has;
}

// R0.4
static void two_halves_are_one_step(void** state) {
  (void)state;
  int far = 0;
  for (int i = 0; recorded_model_name(i); i++) {
    const char* name = recorded_model_name(i);
    if (!can_march(name)) continue;
    for (int way = i % WAY_STRIDE; way < march_way_count(); way += WAY_STRIDE) {
      if (has_halves(name, way))
        far += expect_same_steps(name, way, "halves", step_by_halves) == FAR;
    }
  }
  assert_true(far > 40 * (march_way_count() / WAY_STRIDE));
}

// R0.4
static void two_halves_count_as_one_step(void** state) {
  (void)state;
  mjModel* m = recorded_model("humanoid");
  mjData* d = mj_makeData(m);
  for (int i = 0; i < 3; i++) step_by_halves(m, d);
  assert_int_equal(d->timer[mjTIMER_STEP].number, 3);
  mj_deleteData(d);
  mj_deleteModel(m);
}

static void damp_knees(const mjModel* m, mjData* d) {
  for (int k = 6; k < m->nv; k++) ((mjModel*)(uintptr_t)m)->dof_damping[k] = 1 + d->qpos[2];
}

static void expect_same_state(const mjModel* m, const mjData* d, const mjData* other) {
  assert_memory_equal(d->qvel, other->qvel, (size_t)m->nv * sizeof(mjtNum));
  assert_memory_equal(d->qpos, other->qpos, (size_t)m->nq * sizeof(mjtNum));
  assert_memory_equal(d->qH, other->qH, (size_t)m->nC * sizeof(mjtNum));
}

// R0.4. What the integrator solves with is that of the dampings which the step has found when it
// comes there, not of those that it began with.
static void dampings_may_change_in_the_middle_of_a_step(void** state) {
  (void)state;
  mjModel *m = recorded_model("humanoid"), *plain = recorded_model("humanoid");
  mjData *d = mj_makeData(m), *other = mj_makeData(plain);
  for (int k = 0; k < 20; k++) {
    mjcb_control = damp_knees;
    mj_step(m, d);
    mjcb_control = NULL;
    mj_step1(plain, other);
    damp_knees(plain, other);
    mj_step2(plain, other);
    expect_same_state(m, d, other);
  }
  mj_deleteData(other);
  mj_deleteData(d);
  mj_deleteModel(plain);
  mj_deleteModel(m);
}

static int damp_where_geoms_meet(const mjModel* m, const mjData* d, mjContact* contact, int geom1,
                                 int geom2, mjtNum margin) {
  (void)contact, (void)geom1, (void)geom2, (void)margin;
  damp_knees(m, (mjData*)(uintptr_t)d);
  return 0;
}

static int damp_where_geoms_are_asked_for(const mjModel* m, mjData* d, int geom1, int geom2) {
  (void)geom1, (void)geom2;
  damp_knees(m, d);
  return 0;
}

// R0.4. Nor those that collision began with, if it runs functions of users.
static void dampings_may_change_in_a_collision(void** state) {
  (void)state;
  mjfCollision* function = &mjCOLLISIONFUNC[mjGEOM_PLANE][mjGEOM_SPHERE];
  mjfCollision before = *function;
  for (int filter = 0; filter < 2; filter++) {
    mjModel *m = recorded_model("humanoid"), *plain = recorded_model("humanoid");
    mjData *d = mj_makeData(m), *other = mj_makeData(plain);
    if (filter) {
      mjcb_contactfilter = damp_where_geoms_are_asked_for;
    } else {
      *function = damp_where_geoms_meet;
    }
    for (int k = 0; k < 20; k++) {
      mj_step(m, d);
      mj_step1(plain, other);
      mj_step2(plain, other);
      expect_same_state(m, d, other);
    }
    assert_true(m->dof_damping[6] > 1);
    *function = before;
    mjcb_contactfilter = NULL;
    mj_deleteData(other);
    mj_deleteData(d);
    mj_deleteModel(plain);
    mj_deleteModel(m);
  }
}

// R0.4. A reset in the middle of a step leaves nothing of the state before.
static void a_step_that_resets_goes_on_from_the_start(void** state) {
  (void)state;
  mjModel* m = recorded_model("humanoid");
  mjData *d = mj_makeData(m), *other = mj_makeData(m);
  d->qpos[10] = 1;
  d->qfrc_applied[8] = (mjtNum)mjMAXVAL * (mjtNum)1e6;
  mj_step(m, d);
  assert_int_equal(d->warning[mjWARN_BADQACC].number, 1);
  mj_step(m, other);
  expect_same_state(m, d, other);
  mj_deleteData(other);
  mj_deleteData(d);
  mj_deleteModel(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_integrator_goes_where_the_reference_goes),
      cmocka_unit_test(inverse_dynamics_agrees_with_the_reference),
      cmocka_unit_test(inverse_undoes_forward),
      cmocka_unit_test_setup_teardown(lane_step_is_the_public_step, listen_to_messages,
                                      stop_listening),
      cmocka_unit_test_setup_teardown(step_that_reports_is_the_public_step, listen_to_messages,
                                      stop_listening),
      cmocka_unit_test_setup_teardown(two_halves_are_one_step, listen_to_messages, stop_listening),
      cmocka_unit_test(two_halves_count_as_one_step),
      cmocka_unit_test(dampings_may_change_in_the_middle_of_a_step),
      cmocka_unit_test(dampings_may_change_in_a_collision),
      cmocka_unit_test_setup_teardown(a_step_that_resets_goes_on_from_the_start, listen_to_messages,
                                      stop_listening),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
