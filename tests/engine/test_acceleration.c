// R0.4: smooth acceleration. What the reference computed, and what forces on bodies must do.

#include "engine/smooth/acceleration.h"

#include "math/vec.h"
#include "support/fail.h"
#include "support/states.h"

static void agrees_with_the_reference(void** state) {
  (void)state;
  RECORDED_STATES(s, "acceleration") {
    mj_fwdAcceleration(s.model, s.data);
    EXPECT_FIELD(s, qfrc_smooth, PRECISION(1e-13, 1e-4));
    EXPECT_FIELD(s, qacc_smooth, PRECISION(1e-11, 1e-2));
  }
}

// A force on a body is the force on the dofs that mj_applyFT says; on the world it is lost.
static void applied_forces_act_at_centres_of_mass(void** state) {
  (void)state;
  RECORDED_STATES(s, "acceleration") {
    const mjModel* m = s.model;
    mjtNum sum[256] = {0}, want[256] = {0};
    for (int k = 0; k < 6; k++) s.data->xfrc_applied[k] = 5;
    for (int b = 1; b < m->nbody; b++) {
      const mjtNum* applied = s.data->xfrc_applied + 6 * b;
      mj_applyFT(m, s.data, applied, applied + 3, s.data->xipos + 3 * b, b, want);
    }
    ct_add_applied(lane_one(), m, s.data, sum);
    expect_close("J' xfrc_applied", sum, want, (int)m->nv, PRECISION(1e-14, 1e-5));
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(agrees_with_the_reference),
      cmocka_unit_test(applied_forces_act_at_centres_of_mass),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
