// Whole steps: every integrator against the reference's trajectories, and inverse dynamics. Models
// run without constraints.

#include "engine/step.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/fail.h"
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

// step.c and the public pipelines run the same stages: R0.4.
static void lane_step_is_the_public_step(void** state) {
  (void)state;
  RECORDED_STATES(s, "trajectory") {
    set_up(&s);
    mjData* copy = mj_copyData(NULL, s.model, s.data);
    for (int i = 0; i < 3; i++) {
      mj_step(s.model, s.data);
      assert_true(ct_step_lanes(lane_one(), s.model, copy));
    }
    assert_memory_equal(copy->qpos, s.data->qpos, (size_t)s.model->nq * sizeof(mjtNum));
    assert_memory_equal(copy->qvel, s.data->qvel, (size_t)s.model->nv * sizeof(mjtNum));
    assert_true(copy->time == s.data->time);
    mj_deleteData(copy);
  }
}

// R0.4
static void two_halves_are_one_step(void** state) {
  (void)state;
  RECORDED_STATES(s, "trajectory") {
    set_up(&s);
    if (integrator_of(&s) == mjINT_RK4) continue;
    mjData* copy = mj_copyData(NULL, s.model, s.data);
    for (int i = 0; i < 3; i++) {
      mj_step(s.model, s.data);
      mj_step1(s.model, copy);
      mj_step2(s.model, copy);
    }
    assert_memory_equal(copy->qpos, s.data->qpos, (size_t)s.model->nq * sizeof(mjtNum));
    assert_memory_equal(copy->qvel, s.data->qvel, (size_t)s.model->nv * sizeof(mjtNum));
    assert_int_equal(copy->timer[mjTIMER_STEP].number, 3);
    mj_deleteData(copy);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_integrator_goes_where_the_reference_goes),
      cmocka_unit_test(inverse_dynamics_agrees_with_the_reference),
      cmocka_unit_test(inverse_undoes_forward),
      cmocka_unit_test(lane_step_is_the_public_step),
      cmocka_unit_test(two_halves_are_one_step),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
