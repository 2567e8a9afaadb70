// R0.4: velocities of bodies. Three kinds of proof: what the reference computed, what physics
// demands, and what sleep leaves alone. That lanes do not change a bit is shown for all stages by
// tests/lanes/test_lane_bits.c.

#include "engine/smooth/com_velocity.h"

#include <string.h>

#include "engine/smooth/sleep.h"
#include "math/spatial.h"
#include "support/fail.h"
#include "support/states.h"

// Every model in models/ at three random states.
static void agrees_with_the_reference(void** state) {
  (void)state;
  RECORDED_STATES(s, "com_velocity") {
    mj_comVel(s.model, s.data);
    EXPECT_FIELD(s, cvel, PRECISION(1e-14, 1e-5));
    EXPECT_FIELD(s, cdof_dot, PRECISION(1e-14, 1e-5));
  }
}

// A chain locked in any shape and turning about its first hinge, the z axis through the origin, is
// one rigid body: its centres of mass move with omega x r.
static void a_locked_chain_moves_by_omega_cross_r(void** state) {
  (void)state;
  RECORDED_STATES_OF(s, "com_velocity", "tree_branching") {
    const mjtNum omega[3] = {0, 0, (mjtNum)0.7};
    memset(s.data->qvel, 0, (size_t)s.model->nv * sizeof(mjtNum));
    s.data->qvel[0] = omega[2];
    mj_comVel(s.model, s.data);
    for (int b = 1; b < s.model->nbody; b++) {
      const mjtNum *v = s.data->cvel + 6 * b, *r = s.data->xipos + 3 * b;
      mjtNum arm[3], at_r[3], expected[3];
      ct_sub3(arm, r, s.data->subtree_com + 3 * s.model->body_rootid[b]);
      ct_cross(at_r, v, arm);  // from the tree's centre of mass, where cvel is taken, to r
      ct_add_to3(at_r, v + 3);
      ct_cross(expected, omega, r);
      expect_close("velocity", at_r, expected, 3, PRECISION(1e-14, 1e-6));
      expect_close("angular velocity", v, omega, 3, PRECISION(1e-14, 1e-6));
    }
  }
}

// The axis that everything turns about stays where it is; all others turn with omega.
static void axes_of_a_locked_chain_turn_with_it(void** state) {
  (void)state;
  RECORDED_STATES_OF(s, "com_velocity", "tree_branching") {
    const mjtNum omega[3] = {0, 0, (mjtNum)0.7};
    const mjtNum zero[6] = {0};
    memset(s.data->qvel, 0, (size_t)s.model->nv * sizeof(mjtNum));
    s.data->qvel[0] = omega[2];
    mj_comVel(s.model, s.data);
    expect_close("first axis", s.data->cdof_dot, zero, 6, 0);
    for (int j = 1; j < s.model->nv; j++) {
      mjtNum expected[3];
      ct_cross(expected, omega, s.data->cdof + 6 * j);
      expect_close("axis", s.data->cdof_dot + 6 * j, expected, 3, PRECISION(1e-14, 1e-6));
    }
  }
}

static void rows_of_sleeping_trees_are_left_alone(void** state) {
  (void)state;
  RECORDED_STATES_OF(s, "com_velocity", "tree_mixed") {
    s.model->opt.enableflags |= mjENBL_SLEEP;
    s.data->tree_asleep[1] = 1;
    ct_update_awake(lane_one(), s.model, s.data, false);
    for (int i = 0; i < 6 * s.model->nbody; i++) s.data->cvel[i] = 99;
    mj_comVel(s.model, s.data);
    for (int b = 0; b < s.model->nbody; b++) {
      assert_int_equal(s.data->cvel[6 * b] == 99, s.model->body_treeid[b] == 1);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(agrees_with_the_reference),
      cmocka_unit_test(a_locked_chain_moves_by_omega_cross_r),
      cmocka_unit_test(axes_of_a_locked_chain_turn_with_it),
      cmocka_unit_test(rows_of_sleeping_trees_are_left_alone),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
