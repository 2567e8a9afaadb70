// R0.3: positions as a curved space: quaternion exponential map, integration, differences.

#include "engine/smooth/position.h"

#include <stdio.h>
#include <string.h>

#include "host/support_functions.h"
#include "math/quat.h"
#include "support/fail.h"
#include "support/states.h"

enum { MOST = 64 };

#define DT ((mjtNum)0.3)

// What the reference's function of that name returned at this state.
static void expect_recorded(const RecordedState* s, const char* function, const mjtNum* got,
                            double tolerance) {
  char name[256];
  size_t count;
  mjtNum want[MOST];
  snprintf(name, sizeof(name), "%s%s", s->prefix, function);
  const double* recorded = recorded_doubles(s->recorded, name, &count);
  assert_non_null(recorded);
  assert_true(count <= MOST);
  for (size_t i = 0; i < count; i++) want[i] = (mjtNum)recorded[i];
  expect_close(name, got, want, (int)count, tolerance);
}

static void agrees_with_the_reference(void** state) {
  (void)state;
  RECORDED_STATES(s, "support") {
    mjtNum qpos[MOST], qvel[MOST];
    for (int i = 0; i < s.model->nq; i++) qpos[i] = (mjtNum)1.5 * s.data->qpos[i];
    mj_integratePos(s.model, qpos, s.data->qvel, DT);
    expect_recorded(&s, "mj_integratePos", qpos, PRECISION(1e-14, 1e-5));
    mj_differentiatePos(s.model, qvel, DT, s.data->qpos, qpos);
    expect_recorded(&s, "mj_differentiatePos", qvel, PRECISION(1e-13, 1e-4));
    mj_normalizeQuat(s.model, qpos);
    expect_recorded(&s, "mj_normalizeQuat", qpos, PRECISION(1e-14, 1e-5));
  }
}

// As long as no rotation exceeds half a turn.
static void the_difference_after_integration_is_the_velocity(void** state) {
  (void)state;
  RECORDED_STATES(s, "support") {
    mjtNum qpos[MOST], qvel[MOST];
    memcpy(qpos, s.data->qpos, (size_t)s.model->nq * sizeof(mjtNum));
    mj_integratePos(s.model, qpos, s.data->qvel, DT);
    mj_differentiatePos(s.model, qvel, DT, s.data->qpos, qpos);
    expect_close("qvel", qvel, s.data->qvel, (int)s.model->nv, PRECISION(1e-13, 1e-4));
  }
}

// exp(w t) exp(w t) = exp(2 w t) for a constant w.
static void two_half_steps_make_a_whole_one(void** state) {
  (void)state;
  RECORDED_STATES(s, "support") {
    mjtNum once[MOST], twice[MOST];
    size_t bytes = (size_t)s.model->nq * sizeof(mjtNum);
    memcpy(once, s.data->qpos, bytes);
    memcpy(twice, s.data->qpos, bytes);
    mj_integratePos(s.model, once, s.data->qvel, 2 * DT);
    mj_integratePos(s.model, twice, s.data->qvel, DT);
    mj_integratePos(s.model, twice, s.data->qvel, DT);
    expect_close("qpos", twice, once, (int)s.model->nq, PRECISION(1e-14, 1e-5));
  }
}

static void without_velocity_only_the_length_of_quaternions_changes(void** state) {
  (void)state;
  RECORDED_STATES_OF(s, "support", "poses") {
    mjtNum qpos[MOST], unit[MOST];
    const mjtNum rest[MOST] = {0};
    for (int i = 0; i < s.model->nq; i++) qpos[i] = unit[i] = 3 * s.data->qpos[i];
    mj_normalizeQuat(s.model, unit);
    mj_integratePos(s.model, qpos, rest, DT);
    expect_close("qpos", qpos, unit, (int)s.model->nq, PRECISION(1e-15, 1e-7));
  }
}

// The first entry of the list stands for the world.
static void listed_bodies_move_alone(void** state) {
  (void)state;
  RECORDED_STATES_OF(s, "support", "poses") {
    const mjModel* m = s.model;
    int arm = mj_name2id(m, mjOBJ_BODY, "arm"), drone = mj_name2id(m, mjOBJ_BODY, "drone");
    const int list[3] = {arm, drone, 0};
    mjtNum all[MOST], some[MOST];
    memcpy(all, s.data->qpos, (size_t)m->nq * sizeof(mjtNum));
    memcpy(some, s.data->qpos, (size_t)m->nq * sizeof(mjtNum));
    mj_integratePos(m, all, s.data->qvel, DT);
    mj_integratePosInd(m, some, s.data->qvel, DT, list, 3);
    int start = m->jnt_qposadr[m->body_jntadr[drone]];
    for (int i = 0; i < m->nq; i++) {
      bool moved = i >= start && i < start + 7;
      assert_true(some[i] == (moved ? all[i] : s.data->qpos[i]));
    }
    memcpy(some, s.data->qpos, (size_t)m->nq * sizeof(mjtNum));
    mj_integratePosInd(m, some, s.data->qvel, DT, NULL, (int)m->nbody);
    expect_close("qpos", some, all, (int)m->nq, 0);
  }
}

static void total_mass_scales_masses_and_inertias(void** state) {
  (void)state;
  RECORDED_STATES_OF(s, "support", "humanoid") {
    mjtNum before = mj_getTotalmass(s.model);
    mjtNum ratio = s.model->body_inertia[4] / s.model->body_mass[1];
    mjtNum world = s.model->body_mass[0] = 5;
    mj_setTotalmass(s.model, 2 * before);
    mjtNum twice = 2 * before, after = mj_getTotalmass(s.model);
    mjtNum same = s.model->body_inertia[4] / s.model->body_mass[1];
    expect_close("mass", &after, &twice, 1, PRECISION(1e-15, 1e-6));
    expect_close("inertia", &same, &ratio, 1, PRECISION(1e-15, 1e-6));
    assert_true(s.model->body_mass[0] == world);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(agrees_with_the_reference),
      cmocka_unit_test(the_difference_after_integration_is_the_velocity),
      cmocka_unit_test(two_half_steps_make_a_whole_one),
      cmocka_unit_test(without_velocity_only_the_length_of_quaternions_changes),
      cmocka_unit_test(listed_bodies_move_alone),
      cmocka_unit_test(total_mass_scales_masses_and_inertias),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
