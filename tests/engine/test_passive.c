// Passive forces: springs, dampers, gravity compensation, fluid.

#include "engine/smooth/passive.h"

#include <math.h>
#include <string.h>

#include "support/fail.h"
#include "support/models.h"
#include "support/states.h"

// Recorded models have default options in single precision; these need theirs.
static bool has_its_options(const RecordedState* s) {
  (void)s;
#ifdef mjUSESINGLE
  return strcmp(s->name, "swimmer") != 0 && strcmp(s->name, "hand_sparse") != 0;
#else
  return true;
#endif
}

static void agrees_with_the_reference(void** state) {
  (void)state;
  RECORDED_STATES(s, "passive") {
    if (!has_its_options(&s)) continue;
    mj_passive(s.model, s.data);
    EXPECT_FIELD(s, qfrc_spring, PRECISION(1e-13, 1e-4));
    EXPECT_FIELD(s, qfrc_damper, PRECISION(1e-13, 1e-4));
    EXPECT_FIELD(s, qfrc_gravcomp, PRECISION(1e-13, 1e-4));
    EXPECT_FIELD(s, qfrc_fluid, PRECISION(1e-12, 1e-4));
    EXPECT_FIELD(s, qfrc_passive, PRECISION(1e-12, 1e-4));
  }
}

// Four neighbours are computed together. Joints without a spring keep +0, whatever their position.
static void every_hinge_has_its_spring(void** state) {
  (void)state;
  mjModel* m = recorded_model("humanoid");
  mjData* d = mj_makeData(m);
  for (int trial = 0; trial < 20; trial++) {
    for (int i = 0; i < m->nq; i++) d->qpos[i] = m->qpos_spring[i] + (mjtNum)(i * 7 % 11 - 5) / 3;
    for (int i = 0; i < m->njnt; i++) {
      m->jnt_stiffness[i] = m->jnt_type[i] == mjJNT_FREE ? 0 : (mjtNum)((i + trial) * 5 % 4);
    }
    mj_forward(m, d);
    for (int i = 0; i < m->njnt; i++) {
      int at = m->jnt_qposadr[i];
      mjtNum k = m->jnt_stiffness[i], force = k == 0 ? 0 : -k * (d->qpos[at] - m->qpos_spring[at]);
      assert_memory_equal(&force, d->qfrc_spring + m->jnt_dofadr[i], sizeof(force));
    }
  }
  mj_deleteData(d);
  mj_deleteModel(m);
}

// A medium at rest takes energy out of every motion.
static void still_medium_takes_power(void** state) {
  (void)state;
  RECORDED_STATES_OF(s, "passive", "swimmer") {
    mjtNum power = 0;
    s.model->opt.density = 1000;
    s.model->opt.viscosity = 1;
    mju_zero3(s.model->opt.wind);
    mj_passive(s.model, s.data);
    for (int k = 0; k < s.model->nv; k++) power += s.data->qfrc_fluid[k] * s.data->qvel[k];
    assert_true(power < 0);
  }
}

// What drifts with the current feels nothing.
static void nothing_happens_to_what_drifts_with_the_current(void** state) {
  (void)state;
  mjModel* m = recorded_model("swimmer");
  mjData* d = mj_makeData(m);
  const mjtNum wind[3] = {(mjtNum)0.3, (mjtNum)-0.1, (mjtNum)0.05};
  m->opt.density = 1000;
  m->opt.viscosity = 1;
  m->opt.disableflags |= mjDSBL_CONSTRAINT;
  mju_copy3(m->opt.wind, wind);
  mju_copy3(d->qvel, wind);
  mj_forward(m, d);
  for (int k = 0; k < m->nv; k++) {
    assert_true(mju_abs(d->qfrc_fluid[k]) < PRECISION(1e-12, 1e-4));
  }
  mj_deleteData(d);
  mj_deleteModel(m);
}

static void full_gravity_compensation_holds_a_body(void** state) {
  (void)state;
  RECORDED_STATES_OF(s, "passive", "swimmer") {
    mjModel* m = s.model;
    mjData* d = s.data;
    for (int b = 1; b < m->nbody; b++) m->body_gravcomp[b] = 1;
    m->ngravcomp = m->nbody - 1;
    for (int j = 0; j < m->njnt; j++) m->jnt_actgravcomp[j] = 0;
    m->opt.disableflags |= mjDSBL_CONSTRAINT | mjDSBL_ACTUATION;
    m->opt.density = m->opt.viscosity = 0;
    mju_copy(d->qpos, m->qpos_spring, (int)m->nq);
    m->opt.disableflags |= mjDSBL_SPRING;
    mju_zero(d->qvel, (int)m->nv);
    mj_forward(m, d);
    for (int k = 0; k < m->nv; k++) {
      assert_true(mju_abs(d->qacc[k]) < PRECISION(1e-9, 1e-2));
    }
  }
}

static void springs_and_dampers_can_be_disabled_alone(void** state) {
  (void)state;
  RECORDED_STATES_OF(s, "passive", "tendons") {
    int nv = (int)s.model->nv;
    s.model->opt.disableflags = mjDSBL_SPRING;
    mj_passive(s.model, s.data);
    assert_true(mju_norm(s.data->qfrc_spring, nv) == 0 && mju_norm(s.data->qfrc_damper, nv) > 0);
    s.model->opt.disableflags = mjDSBL_DAMPER;
    mj_passive(s.model, s.data);
    assert_true(mju_norm(s.data->qfrc_spring, nv) > 0 && mju_norm(s.data->qfrc_damper, nv) == 0);
  }
}

// As in the reference, whatever their velocity is.
static void tendons_without_spring_and_damper_add_nothing(void** state) {
  (void)state;
  RECORDED_STATES_OF(s, "passive", "tendons") {
    int nv = (int)s.model->nv, ntendon = (int)s.model->ntendon;
    mju_zero(s.model->jnt_stiffness, (int)s.model->njnt);
    mju_zero(s.model->dof_damping, nv);
    mju_zero(s.model->tendon_stiffness, ntendon);
    mju_zero(s.model->tendon_damping, ntendon);
    mju_fill(s.data->ten_velocity, NAN, ntendon);
    mj_passive(s.model, s.data);
    assert_true(ntendon > 0 && mju_norm(s.data->qfrc_spring, nv) == 0);
    assert_true(mju_norm(s.data->qfrc_damper, nv) == 0);
  }
}

static int calls;
static void push_first_dof(const mjModel* m, mjData* d) {
  (void)m;
  calls++;
  d->qfrc_passive[0] += 5;
}

static void both_disabled_leaves_nothing_not_even_the_callback(void** state) {
  (void)state;
  mjcb_passive = push_first_dof;
  RECORDED_STATES_OF(s, "passive", "swimmer") {
    s.model->opt.disableflags = mjDSBL_SPRING;
    calls = 0;
    mj_passive(s.model, s.data);
    assert_int_equal(calls, 1);
    s.model->opt.disableflags = mjDSBL_SPRING | mjDSBL_DAMPER;
    mj_passive(s.model, s.data);
    assert_int_equal(calls, 1);
    assert_true(mju_norm(s.data->qfrc_passive, (int)s.model->nv) == 0);
    assert_true(mju_norm(s.data->qfrc_fluid, (int)s.model->nv) == 0);
    assert_true(mju_norm(s.data->qfrc_gravcomp, (int)s.model->nv) == 0);
  }
  mjcb_passive = NULL;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(agrees_with_the_reference),
      cmocka_unit_test(every_hinge_has_its_spring),
      cmocka_unit_test(still_medium_takes_power),
      cmocka_unit_test(nothing_happens_to_what_drifts_with_the_current),
      cmocka_unit_test(full_gravity_compensation_holds_a_body),
      cmocka_unit_test(springs_and_dampers_can_be_disabled_alone),
      cmocka_unit_test(tendons_without_spring_and_damper_add_nothing),
      cmocka_unit_test(both_disabled_leaves_nothing_not_even_the_callback),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
