// R0.3: centres of mass, inertias and motion axes.

#include "engine/smooth/com.h"

#include "math/spatial.h"
#include "support/fail.h"
#include "support/states.h"

static void agrees_with_the_reference(void** state) {
  (void)state;
  RECORDED_STATES(s, "com_position") {
    mj_comPos(s.model, s.data);
    EXPECT_FIELD(s, subtree_com, PRECISION(1e-14, 1e-5));
    EXPECT_FIELD(s, cinert, PRECISION(1e-14, 1e-5));
    EXPECT_FIELD(s, cdof, PRECISION(1e-14, 1e-5));
  }
}

// All bodies of a tree pushed with the same velocity: their momentum is the tree's mass times it,
// and has no angular part at the centre of mass.
static void momentum_of_a_tree_in_translation_has_no_angular_part(void** state) {
  (void)state;
  RECORDED_STATES(s, "com_position") {
    mj_comPos(s.model, s.data);
    const mjtNum velocity[6] = {0, 0, 0, (mjtNum)0.3, (mjtNum)-0.5, (mjtNum)0.7};
    for (int root = 1; root < s.model->nbody; root++) {
      if (s.model->body_parentid[root] != 0) continue;
      mjtNum sum[6] = {0}, expected[6] = {0};
      for (int b = root; b < s.model->nbody; b++) {
        mjtNum momentum[6];
        if (s.model->body_rootid[b] != root) continue;
        ct_mul_inert_vec(momentum, s.data->cinert + 10 * b, velocity);
        ct_add_to6(sum, momentum);
      }
      ct_scl3(expected + 3, velocity + 3, s.model->body_subtreemass[root]);
      expect_close("momentum", sum, expected, 6, PRECISION(1e-14, 1e-5));
    }
  }
}

// A turn about a hinge leaves the points of its axis where they are.
static void points_on_a_hinge_do_not_move(void** state) {
  (void)state;
  RECORDED_STATES(s, "com_position") {
    mj_comPos(s.model, s.data);
    for (int j = 0; j < s.model->njnt; j++) {
      if (s.model->jnt_type[j] != mjJNT_HINGE) continue;
      const mjtNum* axis = s.data->cdof + 6 * s.model->jnt_dofadr[j];
      const mjtNum* root = s.data->subtree_com + 3 * s.model->body_rootid[s.model->jnt_bodyid[j]];
      const mjtNum zero[3] = {0};
      mjtNum arm[3], velocity[3];
      ct_sub3(arm, s.data->xanchor + 3 * j, root);
      ct_cross(velocity, axis, arm);
      ct_add_to3(velocity, axis + 3);
      expect_close("velocity of the anchor", velocity, zero, 3, PRECISION(1e-15, 1e-6));
    }
  }
}

static void a_subtree_without_mass_has_its_centre_at_its_body(void** state) {
  (void)state;
  RECORDED_STATES_OF(s, "com_position", "poses") {
    int marker = mj_name2id(s.model, mjOBJ_BODY, "marker");
    assert_true(s.model->body_subtreemass[marker] == 0);
    mj_comPos(s.model, s.data);
    expect_close("centre", s.data->subtree_com + 3 * marker, s.data->xipos + 3 * marker, 3, 0);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(agrees_with_the_reference),
      cmocka_unit_test(momentum_of_a_tree_in_translation_has_no_angular_part),
      cmocka_unit_test(points_on_a_hinge_do_not_move),
      cmocka_unit_test(a_subtree_without_mass_has_its_centre_at_its_body),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
