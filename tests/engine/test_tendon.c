// R4.1 R4.4: paths, lengths and Jacobians of tendons. What the reference computed, the law of
// virtual work, and what a model without tendons pays.

#include "engine/smooth/tendon.h"

#include <string.h>

#include "host/stage_functions.h"
#include "math/vec.h"
#include "support/fail.h"
#include "support/models.h"
#include "support/states.h"

// Packed arrays end before their room does; what lies behind is nobody's.
static void clear_unused(const mjModel* m, mjData* d) {
  int last = (int)m->ntendon - 1, points = d->ten_wrapadr[last] + d->ten_wrapnum[last];
  for (int i = points; i < 2 * m->nwrap; i++) {
    ct_zero3(d->wrap_xpos + 3 * i);
    d->wrap_obj[i] = 0;
  }
  if (!mj_isSparse(m)) return;
  for (int i = d->ten_J_rowadr[last] + d->ten_J_rownnz[last]; i < m->ntendon * m->nv; i++) {
    d->ten_J[i] = 0;
    d->ten_J_colind[i] = 0;
  }
}

// Options that single precision does not take from a recorded model.
static void set_options(mjModel* m, const char* name) {
  if (!strcmp(name, "hand_sparse")) m->opt.jacobian = mjJAC_SPARSE;
}

static void agrees_with_the_reference(void** state) {
  (void)state;
  RECORDED_STATES(s, "tendon") {
    set_options(s.model, s.name);
    mj_tendon(s.model, s.data);
    clear_unused(s.model, s.data);
    EXPECT_FIELD(s, ten_length, PRECISION(1e-14, 1e-5));
    EXPECT_FIELD(s, ten_J, PRECISION(1e-14, 1e-4));
    if (mj_isSparse(s.model)) {
      EXPECT_INTS(s, ten_J_rownnz);
      EXPECT_INTS(s, ten_J_rowadr);
      EXPECT_INTS(s, ten_J_colind);
    }
    EXPECT_INTS(s, ten_wrapadr);
    EXPECT_INTS(s, ten_wrapnum);
    EXPECT_INTS(s, wrap_obj);
    EXPECT_FIELD(s, wrap_xpos, PRECISION(1e-14, 1e-5));
  }
}

// Everything that tendons need, at the positions in d.
static void follow(const mjModel* m, mjData* d) {
  mj_kinematics(m, d);
  mj_comPos(m, d);
  mj_tendon(m, d);
}

static void move(const mjModel* m, mjData* to, const mjData* from, const mjtNum* v, mjtNum t) {
  memcpy(to->qpos, from->qpos, (size_t)m->nq * sizeof(mjtNum));
  mj_integratePos(m, to->qpos, v, t);
  follow(m, to);
}

// ten_J' of dof k is the length that moving k alone takes.
static void rows_are_derivatives_of_lengths(void** state) {
  (void)state;
  SKIP_IN_SINGLE_PRECISION();
  RECORDED_STATES_OF(s, "tendon", "tendons") {
    const mjModel* m = s.model;
    mjData *ahead = mj_makeData(m), *behind = mj_makeData(m);
    follow(m, s.data);
    for (int k = 0; k < m->nv; k++) {
      mjtNum v[16] = {0}, h = (mjtNum)1e-6;
      v[k] = 1;
      move(m, ahead, s.data, v, h);
      move(m, behind, s.data, v, -h);
      for (int i = 0; i < m->ntendon; i++) {
        mjtNum slope = (ahead->ten_length[i] - behind->ten_length[i]) / (2 * h);
        expect_close("d length / d q", s.data->ten_J + i * m->nv + k, &slope, 1, 1e-8);
      }
    }
    mj_deleteData(ahead);
    mj_deleteData(behind);
  }
}

static void velocity_is_the_rate_of_length(void** state) {
  (void)state;
  SKIP_IN_SINGLE_PRECISION();
  RECORDED_STATES_OF(s, "tendon", "tendons") {
    const mjModel* m = s.model;
    mjData *ahead = mj_makeData(m), *behind = mj_makeData(m);
    mjtNum h = (mjtNum)1e-6;
    follow(m, s.data);
    ct_tendon_velocity(lane_one(), m, s.data);
    move(m, ahead, s.data, s.data->qvel, h);
    move(m, behind, s.data, s.data->qvel, -h);
    for (int i = 0; i < m->ntendon; i++) {
      mjtNum rate = (ahead->ten_length[i] - behind->ten_length[i]) / (2 * h);
      expect_close("ten_velocity", s.data->ten_velocity + i, &rate, 1, 1e-8);
    }
    mj_deleteData(ahead);
    mj_deleteData(behind);
  }
}

// The derivative of the Jacobian, for tendons without geoms.
static void tendon_dot_is_the_rate_of_the_row(void** state) {
  (void)state;
  SKIP_IN_SINGLE_PRECISION();
  const int tendons[] = {0, 3};  // a fixed one, and one with a pulley and two trees
  RECORDED_STATES_OF(s, "tendon", "tendons") {
    const mjModel* m = s.model;
    mjData *ahead = mj_makeData(m), *behind = mj_makeData(m);
    mjtNum h = (mjtNum)1e-6, Jdot[16], rate[16];
    follow(m, s.data);
    mj_comVel(m, s.data);
    move(m, ahead, s.data, s.data->qvel, h);
    move(m, behind, s.data, s.data->qvel, -h);
    for (int i = 0; i < 2; i++) {
      int row = tendons[i] * (int)m->nv;
      mj_tendonDot(m, s.data, tendons[i], Jdot);
      for (int k = 0; k < m->nv; k++) {
        rate[k] = (ahead->ten_J[row + k] - behind->ten_J[row + k]) / (2 * h);
      }
      expect_close("Jdot", Jdot, rate, (int)m->nv, 1e-8);
    }
    mj_deleteData(ahead);
    mj_deleteData(behind);
  }
}

// Packed rows have the same numbers as full ones, in rising columns.
static void sparse_rows_are_the_dense_ones(void** state) {
  (void)state;
  RECORDED_STATES(s, "tendon") {
    mjModel* m = s.model;
    m->opt.jacobian = mjJAC_DENSE;
    mjData *d = s.data, *sparse = mj_makeData(m);
    follow(m, d);
    m->opt.jacobian = mjJAC_SPARSE;
    memcpy(sparse->qpos, d->qpos, (size_t)m->nq * sizeof(mjtNum));
    memcpy(sparse->qvel, d->qvel, (size_t)m->nv * sizeof(mjtNum));
    follow(m, sparse);
    ct_tendon_velocity(lane_one(), m, sparse);
    m->opt.jacobian = mjJAC_DENSE;
    ct_tendon_velocity(lane_one(), m, d);
    for (int i = 0, adr = 0; i < m->ntendon; i++) {
      mjtNum row[64] = {0};
      assert_int_equal(sparse->ten_J_rowadr[i], adr);
      for (int k = adr; k < adr + sparse->ten_J_rownnz[i]; k++) {
        assert_true(k == adr || sparse->ten_J_colind[k] > sparse->ten_J_colind[k - 1]);
        row[sparse->ten_J_colind[k]] = sparse->ten_J[k];
      }
      bool repeats = !strcmp(s.name, "hand_sparse") && i == 2;  // see below
      if (!repeats) expect_close("row", row, d->ten_J + i * m->nv, (int)m->nv, 0);
      adr += sparse->ten_J_rownnz[i];
    }
    expect_close("ten_length", sparse->ten_length, d->ten_length, (int)m->ntendon, 0);
    expect_close("ten_velocity", sparse->ten_velocity, d->ten_velocity, 2, PRECISION(1e-15, 1e-6));
    mj_deleteData(sparse);
  }
}

// A joint listed twice: the length has both coefficients, a dense row the last, a sparse row both.
static void repeated_joints_add_up_except_in_dense_rows(void** state) {
  (void)state;
  RECORDED_STATES_OF(s, "tendon", "tendons") {
    mjModel* m = s.model;
    mjData* d = s.data;
    m->wrap_objid[m->tendon_adr[0] + 1] = m->wrap_objid[m->tendon_adr[0]];
    m->wrap_prm[m->tendon_adr[0]] = 2;
    m->wrap_prm[m->tendon_adr[0] + 1] = 5;
    int joint = m->wrap_objid[m->tendon_adr[0]], dof = m->jnt_dofadr[joint];
    mjtNum length = 7 * d->qpos[m->jnt_qposadr[joint]], last = 5, both = 7;
    mj_tendon(m, d);
    expect_close("length", d->ten_length, &length, 1, PRECISION(1e-15, 1e-6));
    expect_close("dense entry", d->ten_J + dof, &last, 1, 0);
    m->opt.jacobian = mjJAC_SPARSE;
    mj_tendon(m, d);
    assert_int_equal(d->ten_J_rownnz[0], 1);
    expect_close("sparse entry", d->ten_J, &both, 1, 0);
  }
}

// R4.4
static void a_model_without_tendons_pays_nothing(void** state) {
  (void)state;
  mjModel* without = recorded_model("tree_mixed");
  mjData* d = mj_makeData(without);
  assert_int_equal(without->ntendon, 0);
  mj_tendon(without, d);
  assert_int_equal(d->maxuse_stack, 0);
  mj_deleteData(d);
  mj_deleteModel(without);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(agrees_with_the_reference),
      cmocka_unit_test(rows_are_derivatives_of_lengths),
      cmocka_unit_test(velocity_is_the_rate_of_length),
      cmocka_unit_test(tendon_dot_is_the_rate_of_the_row),
      cmocka_unit_test(sparse_rows_are_the_dense_ones),
      cmocka_unit_test(repeated_joints_add_up_except_in_dense_rows),
      cmocka_unit_test(a_model_without_tendons_pays_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
