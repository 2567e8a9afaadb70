// R0.4 R4.2: bias forces. The reference's numbers, the laws that tie them to the mass matrix, and
// what sleep leaves alone.

#include "engine/smooth/bias.h"

#include <math.h>
#include <string.h>

#include "engine/inverse.h"
#include "engine/smooth/sleep.h"
#include "host/stage_functions.h"
#include "support/fail.h"
#include "support/states.h"

enum { MOST = 64 };  // dofs of a test model

static void agrees_with_the_reference(void** state) {
  (void)state;
  RECORDED_STATES(s, "bias") {
    mj_rne(s.model, s.data, 0, s.data->qfrc_bias);
    mj_tendonBias(s.model, s.data, s.data->qfrc_bias);
    EXPECT_FIELD(s, qfrc_bias, PRECISION(1e-13, 1e-4));
  }
}

// Newton-Euler with accelerations is M qacc + bias, where M has neither motors nor tendons.
static void acceleration_adds_the_mass_matrix_times_it(void** state) {
  (void)state;
  RECORDED_STATES(s, "bias") {
    int nv = (int)s.model->nv;
    mjtNum bias[MOST], product[MOST], expected[MOST], got[MOST];
    mj_crb(s.model, s.data);
    mj_mulM(s.model, s.data, product, s.data->qacc);
    mj_rne(s.model, s.data, 0, bias);
    mj_rne(s.model, s.data, 1, got);
    double largest = 0;
    for (int i = 0; i < nv; i++) {
      expected[i] = product[i] - s.model->dof_armature[i] * s.data->qacc[i] + bias[i];
      largest = fmax(largest, fabs((double)product[i]));
    }
    expect_close(s.prefix, got, expected, nv, PRECISION(1e-12, 1e-4) * (1 + largest));
  }
}

static void a_body_at_rest_only_carries_its_weight(void** state) {
  (void)state;
  RECORDED_STATES_OF(s, "bias", "humanoid") {
    mjtNum force[MOST], expected[3];
    memset(s.data->qvel, 0, (size_t)s.model->nv * sizeof(mjtNum));
    mj_comVel(s.model, s.data);
    mj_rne(s.model, s.data, 0, force);
    ct_scl3(expected, s.model->opt.gravity, -s.model->body_subtreemass[1]);
    expect_close("weight", force, expected, 3, PRECISION(1e-12, 1e-4));
    s.model->opt.disableflags |= mjDSBL_GRAVITY;
    mj_rne(s.model, s.data, 0, force);
    for (int i = 0; i < s.model->nv; i++) assert_true(force[i] == 0);
  }
}

// Everything that M and the bias forces need, at the state of the data.
static void compute_up_to_velocity(const mjModel* m, mjData* d) {
  mj_kinematics(m, d);
  mj_comPos(m, d);
  mj_tendon(m, d);
  mj_makeM(m, d);
  mj_comVel(m, d);
}

// qvel' M qvel at the position that is `time` away.
static double twice_the_energy_after(const mjModel* m, mjData* d, const mjtNum* qpos, double time) {
  mjtNum product[MOST];
  memcpy(d->qpos, qpos, (size_t)m->nq * sizeof(mjtNum));
  mj_integratePos(m, d->qpos, d->qvel, (mjtNum)time);
  compute_up_to_velocity(m, d);
  mj_mulM(m, d, product, d->qvel);
  return (double)ct_dot(product, d->qvel, (int)m->nv);
}

// M has no room for products of dofs in different trees, so the tendon with inertia ends at a site
// of the lower arm instead of at the weight.
static void keep_tendons_in_one_tree(mjModel* m) {
  int hoist = mj_name2id(m, mjOBJ_TENDON, "hoist");
  if (hoist < 0) return;
  int last = m->tendon_adr[hoist] + m->tendon_num[hoist] - 1;
  m->wrap_objid[last] = mj_name2id(m, mjOBJ_SITE, "l2");
  m->tendon_armature[hoist] = 1;
}

// Without gravity a free system keeps its energy T = 1/2 v'Mv. From M v' = -bias follows
// v'bias = 1/2 v' dM/dt v. Tendons count on both sides.
static void bias_forces_keep_the_energy(void** state) {
  (void)state;
#ifdef mjUSESINGLE
  skip();  // the difference of two energies has no digits left
#endif
  RECORDED_STATES(s, "bias") {
    mjtNum qpos[MOST], force[MOST];
    const double h = 1e-5;
    s.model->opt.disableflags |= mjDSBL_GRAVITY;
    keep_tendons_in_one_tree(s.model);
    for (int i = 0; i < s.model->nv; i++) s.data->qvel[i] = (mjtNum)sin(1.3 * i + 1);
    memcpy(qpos, s.data->qpos, (size_t)s.model->nq * sizeof(mjtNum));
    double rate = (twice_the_energy_after(s.model, s.data, qpos, h) -
                   twice_the_energy_after(s.model, s.data, qpos, -h)) /
                  (4 * h);
    twice_the_energy_after(s.model, s.data, qpos, 0);
    mj_rne(s.model, s.data, 0, force);
    mj_tendonBias(s.model, s.data, force);
    mjtNum power = ct_dot(force, s.data->qvel, (int)s.model->nv), expected = (mjtNum)rate;
    expect_close(s.prefix, &power, &expected, 1, 1e-7);
  }
}

static void tendon_bias_is_the_same_in_sparse_and_dense_layout(void** state) {
  (void)state;
  RECORDED_STATES_OF(s, "bias", "tendons") {
    mjtNum force[2][MOST] = {{0}, {0}};
    for (int sparse = 0; sparse < 2; sparse++) {
      s.model->opt.jacobian = sparse ? mjJAC_SPARSE : mjJAC_DENSE;
      compute_up_to_velocity(s.model, s.data);
      mj_tendonBias(s.model, s.data, force[sparse]);
    }
    assert_true(ct_norm(force[0], (int)s.model->nv) > 1e-6);
    expect_close("bias", force[1], force[0], (int)s.model->nv, PRECISION(1e-15, 1e-6));
  }
}

// The inverse of what the forward dynamics do: forces, then the acceleration that they cause, then
// the forces again.
static void inverse_dynamics_find_the_force_behind_an_acceleration(void** state) {
  (void)state;
  RECORDED_STATES(s, "bias") {
    int nv = (int)s.model->nv;
    mjtNum force[MOST];
    mjData* d = s.data;
    mj_makeM(s.model, d);
    mj_factorM(s.model, d);
    ct_bias(lane_one(), s.model, d);
    for (int i = 0; i < nv; i++) {
      force[i] = (mjtNum)sin(2.1 * i);
      d->qfrc_passive[i] = (mjtNum)cos(1.1 * i);
      d->qfrc_constraint[i] = (mjtNum)cos(3.1 * i);
      d->qacc[i] = force[i] + d->qfrc_passive[i] + d->qfrc_constraint[i] - d->qfrc_bias[i];
    }
    mj_solveM(s.model, d, d->qacc, d->qacc, 1);
    assert_int_equal(ct_inverse_bias(lane_one(), s.model, d), CT_OK);
    assert_int_equal(ct_inverse_force(lane_one(), s.model, d), CT_OK);
    expect_close(s.prefix, d->qfrc_inverse, force, nv, PRECISION(1e-10, 1e-2));
  }
}

static void entries_of_sleeping_trees_are_left_alone(void** state) {
  (void)state;
  RECORDED_STATES_OF(s, "bias", "tree_mixed") {
    mjtNum force[MOST];
    s.model->opt.enableflags |= mjENBL_SLEEP;
    s.data->tree_asleep[1] = 1;
    ct_update_awake(lane_one(), s.model, s.data, false);
    for (int i = 0; i < s.model->nv; i++) force[i] = 99;
    mj_rne(s.model, s.data, 0, force);
    for (int i = 0; i < s.model->nv; i++) {
      assert_int_equal(force[i] == 99, s.model->dof_treeid[i] == 1);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(agrees_with_the_reference),
      cmocka_unit_test(acceleration_adds_the_mass_matrix_times_it),
      cmocka_unit_test(a_body_at_rest_only_carries_its_weight),
      cmocka_unit_test(bias_forces_keep_the_energy),
      cmocka_unit_test(tendon_bias_is_the_same_in_sparse_and_dense_layout),
      cmocka_unit_test(inverse_dynamics_find_the_force_behind_an_acceleration),
      cmocka_unit_test(entries_of_sleeping_trees_are_left_alone),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
