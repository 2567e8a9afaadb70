// R0.4: velocities and angular momenta of subtrees. The reference's numbers, and the matrices that
// take qvel to them.

#include "engine/smooth/subtree.h"

#include "math/spatial.h"
#include "support/fail.h"
#include "support/states.h"

enum { MOST = 64 };  // dofs of a test model

static void agrees_with_the_reference(void** state) {
  (void)state;
  RECORDED_STATES(s, "subtree") {
    mj_subtreeVel(s.model, s.data);
    EXPECT_FIELD(s, subtree_linvel, PRECISION(1e-14, 1e-5));
    EXPECT_FIELD(s, subtree_angmom, PRECISION(1e-13, 1e-5));
    assert_int_equal(s.data->flg_subtreevel, 1);
  }
}

static void multiply(mjtNum product[3], const mjtNum* matrix, const mjtNum* x, int n) {
  for (int i = 0; i < 3; i++) product[i] = ct_dot(matrix + i * n, x, n);
}

static void momenta_are_linear_in_the_velocity(void** state) {
  (void)state;
  RECORDED_STATES(s, "subtree") {
    int nv = (int)s.model->nv;
    mj_subtreeVel(s.model, s.data);
    for (int b = 1; b < s.model->nbody; b++) {
      mjtNum matrix[3 * MOST], expected[3];
      if (s.model->body_subtreemass[b] < mjMINVAL) continue;
      mj_jacSubtreeCom(s.model, s.data, matrix, b);
      multiply(expected, matrix, s.data->qvel, nv);
      expect_close("velocity", s.data->subtree_linvel + 3 * b, expected, 3, PRECISION(1e-13, 1e-4));
      mj_angmomMat(s.model, s.data, matrix, b);
      multiply(expected, matrix, s.data->qvel, nv);
      expect_close("momentum", s.data->subtree_angmom + 3 * b, expected, 3, PRECISION(1e-13, 1e-4));
    }
  }
}

// The world has the momentum of all trees together.
static void momentum_of_the_world_is_that_of_its_trees(void** state) {
  (void)state;
  RECORDED_STATES_OF(s, "subtree", "tree_mixed") {
    mjtNum sum[3] = {0, 0, 0}, whole[3];
    mj_subtreeVel(s.model, s.data);
    for (int b = 1; b < s.model->nbody; b++) {
      if (s.model->body_parentid[b]) continue;
      ct_add_to_scl3(sum, s.data->subtree_linvel + 3 * b, s.model->body_subtreemass[b]);
    }
    ct_scl3(whole, s.data->subtree_linvel, s.model->body_subtreemass[0]);
    expect_close("momentum", whole, sum, 3, PRECISION(1e-13, 1e-5));
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(agrees_with_the_reference),
      cmocka_unit_test(momenta_are_linear_in_the_velocity),
      cmocka_unit_test(momentum_of_the_world_is_that_of_its_trees),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
