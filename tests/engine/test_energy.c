// Potential and kinetic energy.

#include "engine/smooth/energy.h"

#include <stdio.h>
#include <string.h>

#include "engine/smooth/sleep.h"
#include "math/spatial.h"
#include "support/fail.h"
#include "support/states.h"

static void agrees_with_the_reference(void** state) {
  (void)state;
  RECORDED_STATES(s, "support") {
    char name[256];
    size_t count;
    snprintf(name, sizeof(name), "%senergy", s.prefix);
    const double* recorded = recorded_doubles(s.recorded, name, &count);
    assert_int_equal(count, 2);
    const mjtNum want[2] = {(mjtNum)recorded[0], (mjtNum)recorded[1]};
#ifdef mjUSESINGLE  // where recorded models have default options
    const mjtNum gravity[3] = {(mjtNum)0.3, (mjtNum)-0.2, (mjtNum)-9.5};
    if (!strcmp(s.name, "poses")) ct_copy3(s.model->opt.gravity, gravity);
#endif
    mj_energyPos(s.model, s.data);
    mj_energyVel(s.model, s.data);
    expect_close(name, s.data->energy, want, 2, PRECISION(1e-13, 1e-4));
    assert_true(s.data->flg_energypos && s.data->flg_energyvel);
  }
}

// Of the bodies, by their velocities and inertias, and of the armature.
static void kinetic_energy_is_the_sum_over_bodies(void** state) {
  (void)state;
  RECORDED_STATES(s, "support") {
    mjtNum sum = 0;
    for (int b = 1; b < s.model->nbody; b++) {
      mjtNum momentum[6];
      ct_mul_inert_vec(momentum, s.data->cinert + 10 * b, s.data->cvel + 6 * b);
      sum += ct_dot6(momentum, s.data->cvel + 6 * b) / 2;
    }
    for (int k = 0; k < s.model->nv; k++) {
      sum += s.model->dof_armature[k] * s.data->qvel[k] * s.data->qvel[k] / 2;
    }
    mj_energyVel(s.model, s.data);
    expect_close("energy", s.data->energy + 1, &sum, 1, PRECISION(1e-13, 1e-4));
  }
}

// Lifting everything by h against gravity costs m |g| h.
static void lifting_costs_weight_times_height(void** state) {
  (void)state;
  RECORDED_STATES(s, "support") {
    mjtNum mass = 0, before, difference;
    for (int k = 0; k < 3; k++) s.model->opt.gravity[k] = (mjtNum)(k == 2 ? -10 : 0);
    mj_energyPos(s.model, s.data);
    before = s.data->energy[0];
    for (int b = 1; b < s.model->nbody; b++) {
      s.data->xipos[3 * b + 2] += (mjtNum)0.5;
      mass += s.model->body_mass[b];
    }
    mj_energyPos(s.model, s.data);
    difference = s.data->energy[0] - before;
    mjtNum expected = 5 * mass;
    expect_close("energy", &difference, &expected, 1, PRECISION(1e-12, 1e-4));
  }
}

static void springs_at_rest_store_nothing(void** state) {
  (void)state;
  RECORDED_STATES_OF(s, "support", "poses") {
    s.model->opt.disableflags |= mjDSBL_GRAVITY;
    memcpy(s.data->qpos, s.model->qpos_spring, (size_t)s.model->nq * sizeof(mjtNum));
    s.data->ten_length[0] = (mjtNum)0.2;  // inside its dead band
    s.data->ten_length[1] = (mjtNum)0.4;
    mj_energyPos(s.model, s.data);
    assert_true(s.data->energy[0] == 0);
    s.data->ten_length[0] = (mjtNum)0.5;
    mjtNum expected = 20 * (mjtNum)0.2 * (mjtNum)0.2 / 2;
    mj_energyPos(s.model, s.data);
    expect_close("energy", s.data->energy, &expected, 1, PRECISION(1e-14, 1e-6));
    s.model->opt.disableflags |= mjDSBL_SPRING;
    mj_energyPos(s.model, s.data);
    assert_true(s.data->energy[0] == 0);
  }
}

static void springs_of_sleeping_trees_do_not_count(void** state) {
  (void)state;
  RECORDED_STATES_OF(s, "support", "poses") {
    int arm = s.model->body_treeid[mj_name2id(s.model, mjOBJ_BODY, "arm")];
    s.model->opt.disableflags |= mjDSBL_GRAVITY;
    s.model->opt.enableflags |= mjENBL_SLEEP;
    mj_energyPos(s.model, s.data);
    assert_true(s.data->energy[0] > 0);
    s.data->tree_asleep[arm] = arm;  // all springs are on this tree
    ct_update_awake(lane_one(), s.model, s.data, false);
    mj_energyPos(s.model, s.data);
    assert_true(s.data->energy[0] == 0);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(agrees_with_the_reference),
      cmocka_unit_test(kinetic_energy_is_the_sum_over_bodies),
      cmocka_unit_test(lifting_costs_weight_times_height),
      cmocka_unit_test(springs_at_rest_store_nothing),
      cmocka_unit_test(springs_of_sleeping_trees_do_not_count),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
