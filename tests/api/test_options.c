// Predicates of the options, as the reference answered them for all combinations below.

#include <mujoco/mujoco.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void a_jacobian_is_sparse_if_asked_or_from_sixty_dofs(void** state) {
  (void)state;
  mjModel model;
  memset(&model, 0, sizeof(model));
  for (int nv = 59; nv <= 61; nv++) {
    model.nv = nv;
    model.opt.jacobian = mjJAC_DENSE;
    assert_int_equal(mj_isSparse(&model), 0);
    model.opt.jacobian = mjJAC_SPARSE;
    assert_int_equal(mj_isSparse(&model), 1);
    model.opt.jacobian = mjJAC_AUTO;
    assert_int_equal(mj_isSparse(&model), nv >= 60);
  }
}

static void a_problem_is_dual_with_pgs_or_noslip_iterations(void** state) {
  (void)state;
  mjModel model;
  memset(&model, 0, sizeof(model));
  static const int solvers[] = {mjSOL_PGS, mjSOL_CG, mjSOL_NEWTON};
  for (int i = 0; i < 3; i++) {
    model.opt.solver = solvers[i];
    for (int iterations = -1; iterations <= 1; iterations++) {
      model.opt.noslip_iterations = iterations;
      assert_int_equal(mj_isDual(&model), i == 0 || iterations == 1);
    }
  }
}

static void a_cone_is_pyramidal_or_elliptic(void** state) {
  (void)state;
  mjModel model;
  memset(&model, 0, sizeof(model));
  model.opt.cone = mjCONE_PYRAMIDAL;
  assert_int_equal(mj_isPyramidal(&model), 1);
  model.opt.cone = mjCONE_ELLIPTIC;
  assert_int_equal(mj_isPyramidal(&model), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_jacobian_is_sparse_if_asked_or_from_sixty_dofs),
      cmocka_unit_test(a_problem_is_dual_with_pgs_or_noslip_iterations),
      cmocka_unit_test(a_cone_is_pyramidal_or_elliptic),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
