// R6.4 R4.3: lengths and moment rows of actuators. What the reference computed, the law of virtual
// work, and equal torques by tendon and by joint.

#include "engine/smooth/transmission.h"

#include <stdio.h>
#include <string.h>

#include "math/vec.h"
#include "support/fail.h"
#include "support/states.h"

enum { MOST_DOFS = 64 };

// Row i of the moments as a full row.
static void full_row(const mjModel* m, const mjData* d, int i, mjtNum row[MOST_DOFS]) {
  ct_zero(row, (int)m->nv);
  for (int k = d->moment_rowadr[i]; k < d->moment_rowadr[i] + d->moment_rownnz[i]; k++) {
    row[d->moment_colind[k]] = d->actuator_moment[k];
  }
}

// The recorded row i. Which zeros are left out is a matter of rounding, so rows are compared in
// full.
static void recorded_row(const RecordedState* s, int i, mjtNum row[MOST_DOFS]) {
  const char* const fields[] = {"moment_rowadr", "moment_rownnz", "moment_colind",
                                "actuator_moment"};
  const int* ints[3];
  char name[256];
  size_t count;
  for (int k = 0; k < 3; k++) {
    snprintf(name, sizeof(name), "%sout/%s", s->prefix, fields[k]);
    ints[k] = recorded_ints(s->recorded, name, &count);
    assert_non_null(ints[k]);
  }
  snprintf(name, sizeof(name), "%sout/%s", s->prefix, fields[3]);
  const double* moment = recorded_doubles(s->recorded, name, &count);
  ct_zero(row, (int)s->model->nv);
  for (int k = ints[0][i]; k < ints[0][i] + ints[1][i]; k++) row[ints[2][k]] = (mjtNum)moment[k];
}

// Options that single precision does not take from a recorded model.
static void set_options(mjModel* m, const char* name) {
  if (!strcmp(name, "hand_sparse")) m->opt.jacobian = mjJAC_SPARSE;
}

static void agrees_with_the_reference(void** state) {
  (void)state;
  RECORDED_STATES(s, "transmission") {
    set_options(s.model, s.name);
    mj_transmission(s.model, s.data);
    ct_actuator_velocity(lane_one(), s.model, s.data);
    EXPECT_FIELD(s, actuator_length, PRECISION(1e-14, 1e-5));
    for (int i = 0; i < s.model->nu; i++) {
      mjtNum got[MOST_DOFS], want[MOST_DOFS];
      full_row(s.model, s.data, i, got);
      recorded_row(&s, i, want);
      expect_close("moment", got, want, (int)s.model->nv, PRECISION(1e-14, 1e-5));
    }
  }
}

static void velocity_agrees_with_the_reference(void** state) {
  (void)state;
  RECORDED_STATES(s, "transmission") {
    mjtNum want[MOST_DOFS];
    set_options(s.model, s.name);
    ct_copy(want, s.data->actuator_velocity, (int)s.model->nu);
    mj_transmission(s.model, s.data);
    ct_actuator_velocity(lane_one(), s.model, s.data);
    expect_close("actuator_velocity", s.data->actuator_velocity, want, (int)s.model->nu,
                 PRECISION(1e-13, 1e-4));
    s.model->opt.disableflags |= mjDSBL_ACTUATION;
    ct_actuator_velocity(lane_one(), s.model, s.data);
    ct_zero(want, (int)s.model->nu);
    expect_close("velocity while disabled", s.data->actuator_velocity, want, (int)s.model->nu, 0);
  }
}

static void transmit(const mjModel* m, mjData* d) {
  mj_kinematics(m, d);
  mj_comPos(m, d);
  mj_tendon(m, d);
  mj_transmission(m, d);
}

// Lengths that are functions of the position, and whose rows are all of their derivative: scalar
// joints, tendons and slider-cranks.
static bool is_integrable(const mjModel* m, int i) {
  int type = m->actuator_trntype[i], id = m->actuator_trnid[2 * i];
  if (type == mjTRN_JOINT) return m->jnt_type[id] == mjJNT_HINGE || m->jnt_type[id] == mjJNT_SLIDE;
  return type == mjTRN_TENDON || type == mjTRN_SLIDERCRANK;
}

static void rows_are_derivatives_of_lengths(void** state) {
  (void)state;
  SKIP_IN_SINGLE_PRECISION();
  int checked = 0;
  RECORDED_STATES_OF(s, "transmission", "actuators") {
    const mjModel* m = s.model;
    mjData* side[2] = {mj_makeData(m), mj_makeData(m)};
    const mjtNum h = (mjtNum)1e-6;
    transmit(m, s.data);
    for (int k = 0; k < m->nv; k++) {
      mjtNum v[MOST_DOFS] = {0}, row[MOST_DOFS];
      v[k] = 1;
      for (int e = 0; e < 2; e++) {
        memcpy(side[e]->qpos, s.data->qpos, (size_t)m->nq * sizeof(mjtNum));
        mj_integratePos(m, side[e]->qpos, v, e ? h : -h);
        transmit(m, side[e]);
      }
      for (int i = 0; i < m->nu; i++) {
        if (!is_integrable(m, i)) continue;
        mjtNum slope = (side[1]->actuator_length[i] - side[0]->actuator_length[i]) / (2 * h);
        full_row(m, s.data, i, row);
        expect_close("d length / d q", row + k, &slope, 1, 1e-8);
        checked++;
      }
    }
    mj_deleteData(side[0]);
    mj_deleteData(side[1]);
  }
  assert_true(checked > 100);
}

// A force in the frame of a site does the work that the site's motion along it says.
static void a_site_force_works_on_the_motion_of_the_site(void** state) {
  (void)state;
  RECORDED_STATES_OF(s, "transmission", "actuators") {
    const mjModel* m = s.model;
    transmit(m, s.data);
    mj_comVel(m, s.data);
    ct_actuator_velocity(lane_one(), m, s.data);
    int i = mj_name2id(m, mjOBJ_ACTUATOR, "jet"), site = m->actuator_trnid[2 * i];
    mjtNum velocity[6];
    mj_objectVelocity(m, s.data, mjOBJ_SITE, site, velocity, 1);
    const mjtNum* gear = m->actuator_gear + 6 * i;
    mjtNum power = ct_dot3(gear, velocity + 3) + ct_dot3(gear + 3, velocity);
    expect_close("actuator_velocity", s.data->actuator_velocity + i, &power, 1,
                 PRECISION(1e-13, 1e-4));
  }
}

// Makes actuator i a plain motor on a scalar joint.
static void make_joint_motor(mjModel* m, int i, int joint, mjtNum gear) {
  m->actuator_trntype[i] = mjTRN_JOINT;
  m->actuator_trnid[2 * i] = joint;
  m->actuator_gear[6 * i] = gear;
  m->actuator_gaintype[i] = mjGAIN_FIXED;
  m->actuator_gainprm[mjNGAIN * i] = 1;
  m->actuator_biastype[i] = mjBIAS_NONE;
  m->actuator_dyntype[i] = mjDYN_NONE;
  m->actuator_actadr[i] = -1;
  m->actuator_actnum[i] = 0;
  m->actuator_forcelimited[i] = m->actuator_ctrllimited[i] = 0;
  m->actuator_delay[i] = 0;
}

static void forces_of(const mjModel* m, mjData* d, mjtNum control, int actuator1, int actuator2,
                      mjtNum force[MOST_DOFS]) {
  mju_zero(d->ctrl, (int)m->nu);
  mju_zero(d->act, (int)m->na);
  d->ctrl[actuator1] = d->ctrl[actuator2] = control;
  transmit(m, d);
  ct_actuator_velocity(lane_one(), m, d);
  mj_fwdActuation(m, d);
  full_row(m, d, actuator1, force);
  ct_scl(force, force, d->actuator_force[actuator1], (int)m->nv);
  if (actuator1 == actuator2) return;
  mjtNum other[MOST_DOFS];
  full_row(m, d, actuator2, other);
  ct_add_to_scl(force, other, d->actuator_force[actuator2], (int)m->nv);
}

// R4.3: a motor on the tendon 0.5 arm + 2 slider with gear 3 is a motor with gear 1.5 on the arm
// and one with gear 6 on the slider.
static void a_tendon_drives_like_its_joints(void** state) {
  (void)state;
  RECORDED_STATES_OF(s, "transmission", "actuators") {
    mjModel* m = s.model;
    mjtNum by_tendon[MOST_DOFS], by_joints[MOST_DOFS];
    int tendon = mj_name2id(m, mjOBJ_ACTUATOR, "tendon_motor");
    int first = mj_name2id(m, mjOBJ_ACTUATOR, "arm_motor");
    int second = mj_name2id(m, mjOBJ_ACTUATOR, "late");
    make_joint_motor(m, first, mj_name2id(m, mjOBJ_JOINT, "arm"), (mjtNum)1.5);
    make_joint_motor(m, second, mj_name2id(m, mjOBJ_JOINT, "slider"), 6);
    forces_of(m, s.data, (mjtNum)0.8, tendon, tendon, by_tendon);
    forces_of(m, s.data, (mjtNum)0.8, first, second, by_joints);
    expect_close("torques", by_tendon, by_joints, (int)m->nv, PRECISION(1e-14, 1e-6));
    assert_true(ct_norm(by_tendon, (int)m->nv) > 1);
  }
}

// Rows are packed one after the other, columns rise.
static void rows_are_packed(void** state) {
  (void)state;
  RECORDED_STATES(s, "transmission") {
    set_options(s.model, s.name);
    mj_transmission(s.model, s.data);
    int next = 0;
    for (int i = 0; i < s.model->nu; i++) {
      assert_int_equal(s.data->moment_rowadr[i], next);
      next += s.data->moment_rownnz[i];
      for (int k = s.data->moment_rowadr[i] + 1; k < next; k++) {
        assert_true(s.data->moment_colind[k] > s.data->moment_colind[k - 1]);
      }
    }
    assert_true(next <= s.model->nJmom);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(agrees_with_the_reference),
      cmocka_unit_test(velocity_agrees_with_the_reference),
      cmocka_unit_test(rows_are_derivatives_of_lengths),
      cmocka_unit_test(a_site_force_works_on_the_motion_of_the_site),
      cmocka_unit_test(a_tendon_drives_like_its_joints),
      cmocka_unit_test(rows_are_packed),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
