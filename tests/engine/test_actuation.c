// R5.1 R5.2 R0.4: actuation. What the reference computed, and what each rule must do alone.

#include "engine/smooth/actuation.h"

#include <math.h>
#include <string.h>

#include "math/vec.h"
#include "support/fail.h"
#include "support/messages.h"
#include "support/states.h"

static int actuator(const mjModel* m, const char* name) {
  int id = mj_name2id(m, mjOBJ_ACTUATOR, name);
  assert_true(id >= 0);
  return id;
}

static void expect_number_is(const char* what, mjtNum got, mjtNum want) {
  expect_close(what, &got, &want, 1, PRECISION(1e-14, 1e-5));
}

// Options that single precision does not take from a recorded model.
static void set_options(mjModel* m, const char* name) {
  if (!strcmp(name, "hand_sparse")) m->opt.jacobian = mjJAC_SPARSE;
  if (!strcmp(name, "actuators")) m->opt.disableactuator = 1 << 3;
}

static void agrees_with_the_reference(void** state) {
  (void)state;
  RECORDED_STATES(s, "actuation") {
    set_options(s.model, s.name);
    mj_fwdActuation(s.model, s.data);
    EXPECT_FIELD(s, act_dot, PRECISION(1e-14, 1e-4));
    EXPECT_FIELD(s, actuator_force, PRECISION(1e-14, 1e-4));
    EXPECT_FIELD(s, qfrc_actuator, PRECISION(1e-14, 1e-4));
  }
}

// The stage as lanes run it is the stage as the host runs it.
static void lanes_and_host_do_the_same(void** state) {
  (void)state;
  RECORDED_STATES(s, "actuation") {
    mjtNum force[256];
    mj_fwdActuation(s.model, s.data);
    ct_copy(force, s.data->qfrc_actuator, (int)s.model->nv);
    ct_actuation(lane_one(), s.model, s.data);
    expect_close("qfrc_actuator", s.data->qfrc_actuator, force, (int)s.model->nv, 0);
  }
}

static void nothing_acts_while_disabled(void** state) {
  (void)state;
  RECORDED_STATES_OF(s, "actuation", "actuators") {
    s.model->opt.disableflags |= mjDSBL_ACTUATION;
    s.data->act_dot[0] = 77;
    mj_fwdActuation(s.model, s.data);
    for (int i = 0; i < s.model->nu; i++) assert_true(s.data->actuator_force[i] == 0);
    for (int k = 0; k < s.model->nv; k++) assert_true(s.data->qfrc_actuator[k] == 0);
    assert_true(s.data->act_dot[0] == 77);
  }
}

static void groups_can_be_switched_off(void** state) {
  (void)state;
  RECORDED_STATES_OF(s, "actuation", "actuators") {
    int i = actuator(s.model, "slider_speed");  // group 2
    mj_fwdActuation(s.model, s.data);
    assert_true(s.data->actuator_force[i] != 0);
    s.model->opt.disableactuator = 1 << 2;
    mj_fwdActuation(s.model, s.data);
    assert_true(s.data->actuator_force[i] == 0);
    s.model->actuator_group[i] = 31;  // beyond the groups that can be
    s.model->opt.disableactuator = -1;
    mj_fwdActuation(s.model, s.data);
    assert_true(s.data->actuator_force[i] != 0);
  }
}

static void controls_are_clamped_unless_told_otherwise(void** state) {
  (void)state;
  RECORDED_STATES_OF(s, "actuation", "actuators") {
    int i = actuator(s.model, "arm_motor");  // control in [-1, 1]
    s.model->actuator_forcelimited[i] = 0;
    s.data->ctrl[i] = 3;
    mj_fwdActuation(s.model, s.data);
    expect_number_is("clamped", s.data->actuator_force[i], 1);
    s.model->opt.disableflags |= mjDSBL_CLAMPCTRL;
    mj_fwdActuation(s.model, s.data);
    expect_number_is("free", s.data->actuator_force[i], 3);
  }
}

// A control that is not a number stops all actuators, is counted, and stays where it is.
static void a_bad_control_silences_all(void** state) {
  (void)state;
  RECORDED_STATES_OF(s, "actuation", "actuators") {
    int i = actuator(s.model, "jet"), other = actuator(s.model, "root");
    s.data->ctrl[i] = (mjtNum)NAN;
    s.data->ctrl[other] = 1;
    mj_fwdActuation(s.model, s.data);
    expect_one_warning("");
    assert_int_equal(s.data->warning[mjWARN_BADCTRL].number, 1);
    assert_int_equal(s.data->warning[mjWARN_BADCTRL].lastinfo, i);
    assert_true(s.data->actuator_force[other] == 0);
    assert_true(isnan(s.data->ctrl[i]) && s.data->ctrl[other] == 1);
  }
}

static void delays_read_the_history(void** state) {
  (void)state;
  RECORDED_STATES_OF(s, "actuation", "actuators") {
    int i = actuator(s.model, "late");
    s.data->time = (mjtNum)0.0015;  // between two samples
    s.data->ctrl[i] = 100;
    mjtNum seen = mj_readCtrl(s.model, s.data, i, s.data->time, -1);
    assert_true(seen != 100);
    mj_fwdActuation(s.model, s.data);
    expect_number_is("force of a motor", s.data->actuator_force[i], seen);
  }
}

static void early_activation_looks_one_step_ahead(void** state) {
  (void)state;
  RECORDED_STATES_OF(s, "actuation", "actuators") {
    const mjModel* m = s.model;
    int i = actuator(m, "filtered"), a = m->actuator_actadr[i];  // exact filter, tau 0.05, gain 1.5
    mj_fwdActuation(s.model, s.data);
    mjtNum tau = (mjtNum)0.05, decay = (mjtNum)exp(-(double)m->opt.timestep / (double)tau);
    mjtNum next = s.data->ctrl[i] + (s.data->act[a] - s.data->ctrl[i]) * decay;
    expect_number_is("force", s.data->actuator_force[i], (mjtNum)1.5 * next);
    s.model->actuator_actearly[i] = 0;
    mj_fwdActuation(s.model, s.data);
    expect_number_is("force", s.data->actuator_force[i], (mjtNum)1.5 * s.data->act[a]);
  }
}

static void next_activations_are_clamped(void** state) {
  (void)state;
  RECORDED_STATES_OF(s, "actuation", "actuators") {
    const mjModel* m = s.model;
    int i = actuator(m, "affine");  // integrator with range [-2, 2]
    expect_number_is("inside", ct_next_activation(m, i, 1, 3), 1 + 3 * m->opt.timestep);
    expect_number_is("above", ct_next_activation(m, i, 1, 1000000), 2);
    expect_number_is("below", ct_next_activation(m, i, 1, -1000000), -2);
  }
}

// The total force on a tendon is limited, each actuator gives its share; then its own limit acts.
static void forces_on_a_tendon_share_its_limit(void** state) {
  (void)state;
  RECORDED_STATES_OF(s, "actuation", "hand_sparse") {
    int one = actuator(s.model, "flex"), two = actuator(s.model, "flex_more");
    s.data->ctrl[one] = 9;
    s.data->ctrl[two] = 3;  // together 12, allowed 5
    mj_fwdActuation(s.model, s.data);
    expect_number_is("first", s.data->actuator_force[one], (mjtNum)9 * 5 / 12);
    expect_number_is("second", s.data->actuator_force[two], (mjtNum)3 * 5 / 12);
    s.data->ctrl[one] = s.data->ctrl[two] = -1;
    mj_fwdActuation(s.model, s.data);
    expect_number_is("within the limit", s.data->actuator_force[one], -1);
  }
}

// Joint limits on actuator forces include gravity compensation and leave actuator_force alone.
static void forces_on_a_joint_are_limited(void** state) {
  (void)state;
  RECORDED_STATES_OF(s, "actuation", "actuators") {
    mjModel* m = s.model;
    int joint = mj_name2id(m, mjOBJ_JOINT, "arm"), dof = m->jnt_dofadr[joint];
    m->ngravcomp = 1;
    m->jnt_actgravcomp[joint] = 1;
    m->jnt_actfrclimited[joint] = 0;
    s.data->qfrc_gravcomp[dof] = 0;
    mj_fwdActuation(m, s.data);
    mjtNum without = s.data->qfrc_actuator[dof];
    s.data->qfrc_gravcomp[dof] = 12;
    mj_fwdActuation(m, s.data);
    expect_number_is("with compensation", s.data->qfrc_actuator[dof], without + 12);
    m->jnt_actfrclimited[joint] = 1;
    m->jnt_actfrcrange[2 * joint] = -1;
    m->jnt_actfrcrange[2 * joint + 1] = (mjtNum)0.5;
    s.data->qfrc_gravcomp[dof] = 1000;
    mj_fwdActuation(m, s.data);
    expect_number_is("limited", s.data->qfrc_actuator[dof], (mjtNum)0.5);
    m->opt.disableflags |= mjDSBL_GRAVITY;
    s.data->qfrc_gravcomp[dof] = (mjtNum)NAN;  // not looked at
    mj_fwdActuation(m, s.data);
    assert_true(s.data->qfrc_actuator[dof] == s.data->qfrc_actuator[dof]);
  }
}

// R5.2: at equal distance from the control, activation rises faster than it falls, and force grows
// with activation.
static void muscles_rise_faster_than_they_fall(void** state) {
  (void)state;
  RECORDED_STATES_OF(s, "actuation", "actuators") {
    const mjModel* m = s.model;
    int i = actuator(m, "pull"), a = m->actuator_actadr[i];
    s.data->act[a] = (mjtNum)0.5;
    s.data->ctrl[i] = (mjtNum)0.9;
    mj_fwdActuation(m, s.data);
    mjtNum rise = s.data->act_dot[a];
    s.data->ctrl[i] = (mjtNum)0.1;
    mj_fwdActuation(m, s.data);
    mjtNum fall = -s.data->act_dot[a];
    assert_true(fall > 0 && rise > fall);

    mjtNum last = (mjtNum)INFINITY;
    s.data->actuator_length[i] = 0;  // middle of the range, where the muscle is strong
    s.data->actuator_velocity[i] = 0;
    for (int k = 0; k <= 10; k++) {
      s.data->act[a] = (mjtNum)k / 10;
      mj_fwdActuation(m, s.data);
      assert_true(s.data->actuator_force[i] < last);  // it pulls: more negative
      last = s.data->actuator_force[i];
    }
  }
}

// R5.2: what one actuator does is no matter to another.
static void other_actuators_are_not_affected(void** state) {
  (void)state;
  RECORDED_STATES_OF(s, "actuation", "actuators") {
    mjtNum before[64];
    int i = actuator(s.model, "pull"), a = s.model->actuator_actadr[i];
    mj_fwdActuation(s.model, s.data);
    ct_copy(before, s.data->actuator_force, (int)s.model->nu);
    s.data->act[a] = s.data->act[a] / 2 + (mjtNum)0.3;
    mj_fwdActuation(s.model, s.data);
    for (int k = 0; k < s.model->nu; k++) {
      if (k != i) assert_true(s.data->actuator_force[k] == before[k]);
    }
    assert_true(s.data->actuator_force[i] != before[i]);
  }
}

// Numbers between -1 and 1 that look random.
static mjtNum scattered(int i) {
  return (mjtNum)sin(12.9898 * (i + 1));
}

// Four neighbours that are alike are computed together: with the bits of one by one.
static void expect_as_one_by_one(const mjModel* m, mjData* d) {
  mjtNum force[64], rate[64];
  int bad = ct_activate(lane_one(), m, d);
  assert_int_equal(bad, ct_bad_control(lane_one(), m, d));
  ct_copy(force, d->actuator_force, (int)m->nu);
  ct_copy(rate, d->act_dot, (int)m->na);
  ct_activation_rates(lane_one(), m, d, bad >= 0);
  ct_actuator_forces(lane_one(), m, d, bad >= 0);
  assert_memory_equal(force, d->actuator_force, (size_t)m->nu * sizeof(mjtNum));
  if (m->na) assert_memory_equal(rate, d->act_dot, (size_t)m->na * sizeof(mjtNum));
}

static void scatter_inputs(const mjModel* m, mjData* d, int seed) {
  for (int i = 0; i < m->nu; i++) {
    d->ctrl[i] = 2 * scattered(seed + i);
    d->actuator_length[i] = scattered(seed + 100 + i);
    d->actuator_velocity[i] = 5 * scattered(seed + 200 + i);
  }
  for (int i = 0; i < m->na; i++) d->act[i] = scattered(seed + 300 + i);
}

static void four_servos_are_as_one_by_one(void** state) {
  (void)state;
  SKIP_IN_FAST_BUILD();
  RECORDED_STATES_OF(s, "actuation", "humanoid") {
    mjModel* m = s.model;
    for (int trial = 0; trial < 50; trial++) {
      scatter_inputs(m, s.data, 1000 * trial);
      for (int i = 0; i < m->nu; i++) {
        m->actuator_biastype[i] = i / 3 % 2 ? mjBIAS_AFFINE : mjBIAS_NONE;
        m->actuator_ctrllimited[i] = (mjtByte)(trial % 2 ? i > 5 : i / 5 % 2);
        m->actuator_ctrlrange[2 * i + 1] = scattered(trial + i);  // may be below the lower one
        for (int k = 0; k < 3; k++) m->actuator_biasprm[mjNBIAS * i + k] = scattered(trial - i + k);
      }
      s.data->ctrl[trial % 7] = trial % 3 ? (mjtNum)(-0.0) : (mjtNum)INFINITY;
      expect_as_one_by_one(m, s.data);
    }
  }
}

static void four_muscles_are_as_one_by_one(void** state) {
  (void)state;
  SKIP_IN_FAST_BUILD();
  char why[500];
  mjModel* m = mj_loadXML(CT_SOURCE_DIR "/models/muscles.xml", NULL, why, sizeof(why));
  if (!m) fail_msg("%s", why);
  mjData* d = mj_makeData(m);
  mj_forward(m, d);
  for (int i = 0; i < m->nu; i++) m->actuator_ctrllimited[i] = 0;
  for (int trial = 0; trial < 2000; trial++) {
    scatter_inputs(m, d, 1000 * trial);
    for (int i = 0; i < m->nu; i++) {
      mjtNum *gain = m->actuator_gainprm + mjNGAIN * i, *bias = m->actuator_biasprm + mjNBIAS * i;
      m->actuator_dynprm[mjNDYN * i + 2] = trial % 5 ? 0 : (mjtNum)0.1;
      m->actuator_actearly[i] = trial % 7 == 6;
      m->actuator_lengthrange[2 * i] = (mjtNum)-0.5 + scattered(trial + i) / 5;
      m->actuator_lengthrange[2 * i + 1] = (mjtNum)0.5 + scattered(trial - i) / 5;
      gain[2] = trial % 3 ? -1 : 20;
      ct_copy(bias, gain, 9);
      if (trial % 4 == 3) bias[i % 9] += scattered(trial + i) / 3;
    }
    if (trial % 10 == 9) d->ctrl[trial % m->nu] = (mjtNum)NAN;
    expect_as_one_by_one(m, d);
  }
  mj_deleteData(d);
  mj_deleteModel(m);
}

static mjtNum callback_rate(const mjModel* m, const mjData* d, int id) {
  (void)m;
  return 10 * d->ctrl[id];
}

static mjtNum callback_gain(const mjModel* m, const mjData* d, int id) {
  (void)m;
  (void)d;
  (void)id;
  return 4;
}

static mjtNum callback_bias(const mjModel* m, const mjData* d, int id) {
  (void)m;
  (void)d;
  (void)id;
  return -1;
}

static void callbacks_fill_in_user_types(void** state) {
  (void)state;
  RECORDED_STATES_OF(s, "actuation", "actuators") {
    mjModel* m = s.model;
    int i = actuator(m, "affine"), a = m->actuator_actadr[i];
    m->actuator_dyntype[i] = mjDYN_USER;
    m->actuator_gaintype[i] = mjGAIN_USER;
    m->actuator_biastype[i] = mjBIAS_USER;
    mj_fwdActuation(m, s.data);  // nobody fills them in: gain 1, bias 0, rate 0
    expect_number_is("force", s.data->actuator_force[i], s.data->act[a]);
    expect_number_is("rate", s.data->act_dot[a], 0);

    mjcb_act_dyn = callback_rate;
    mjcb_act_gain = callback_gain;
    mjcb_act_bias = callback_bias;
    mj_fwdActuation(m, s.data);
    mj_resetCallbacks();
    expect_number_is("force", s.data->actuator_force[i], 4 * s.data->act[a] - 1);
    expect_number_is("rate", s.data->act_dot[a], 10 * s.data->ctrl[i]);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(agrees_with_the_reference),
      cmocka_unit_test(lanes_and_host_do_the_same),
      cmocka_unit_test(nothing_acts_while_disabled),
      cmocka_unit_test(groups_can_be_switched_off),
      cmocka_unit_test(controls_are_clamped_unless_told_otherwise),
      cmocka_unit_test_setup_teardown(a_bad_control_silences_all, listen_to_messages,
                                      stop_listening),
      cmocka_unit_test(delays_read_the_history),
      cmocka_unit_test(early_activation_looks_one_step_ahead),
      cmocka_unit_test(next_activations_are_clamped),
      cmocka_unit_test(forces_on_a_tendon_share_its_limit),
      cmocka_unit_test(forces_on_a_joint_are_limited),
      cmocka_unit_test(muscles_rise_faster_than_they_fall),
      cmocka_unit_test(other_actuators_are_not_affected),
      cmocka_unit_test(four_servos_are_as_one_by_one),
      cmocka_unit_test(four_muscles_are_as_one_by_one),
      cmocka_unit_test(callbacks_fill_in_user_types),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
