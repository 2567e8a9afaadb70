// R0.3, R12.2: derivatives of the quaternion exponential map, mjd_subQuat and mjd_quatIntegrate.

#include "math/quat_derivatives.h"

#include <mujoco/mujoco.h>

#include "support/fail.h"
#include "support/states.h"

// Row i of a recorded array as mjtNum; returns how many rows there are.
static int row(const Recorded* r, const char* name, int i, int width, mjtNum* values) {
  size_t count;
  const double* all = recorded_doubles(r, name, &count);
  assert_non_null(all);
  for (int k = 0; k < width; k++) values[k] = (mjtNum)all[i * width + k];
  return (int)count / width;
}

static void agree_with_the_reference(void** state) {
  (void)state;
  const double close = PRECISION(1e-14, 1e-4);
  Recorded* r = recorded_open("quat_derivatives.rec");
  int count = 1;
  for (int i = 0; i < count; i++) {
    mjtNum qa[4], qb[4], vel[3], scale, want[9], got[9], other[9], slope[3];
    count = row(r, "scale", i, 1, &scale);
    row(r, "qa", i, 4, qa);
    row(r, "qb", i, 4, qb);
    row(r, "vel", i, 3, vel);
    mjd_subQuat(qa, qb, got, other);
    row(r, "Da", i, 9, want);
    expect_close("Da", got, want, 9, close);
    row(r, "Db", i, 9, want);
    expect_close("Db", other, want, 9, close);
    mjd_quatIntegrate(vel, scale, got, other, slope);
    row(r, "Dquat", i, 9, want);
    expect_close("Dquat", got, want, 9, close);
    row(r, "Dvel", i, 9, want);
    expect_close("Dvel", other, want, 9, close);
    row(r, "Dscale", i, 3, want);
    expect_close("Dscale", slope, want, 3, close);
  }
  assert_true(count > 10);
  recorded_close(r);
}

// b exp(d) = a: moving b along d by the derivative of the integration and asking for the difference
// again are inverse to each other.
static void difference_and_integration_are_inverse(void** state) {
  (void)state;
  const mjtNum start[4] = {(mjtNum)0.5, (mjtNum)-0.5, (mjtNum)0.5, (mjtNum)0.5};
  const mjtNum vel[3] = {(mjtNum)0.3, (mjtNum)-1.1, (mjtNum)0.6};
  const mjtNum identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  mjtNum end[4], by_end[9], by_vel[9], product[9];
  ct_copy4(end, start);
  mju_quatIntegrate(end, vel, 1);
  mjd_subQuat(end, start, by_end, NULL);
  mjd_quatIntegrate(vel, 1, NULL, by_vel, NULL);
  ct_mul_mat_mat3(product, by_end, by_vel);
  expect_close("product", product, identity, 9, PRECISION(1e-14, 1e-5));
}

#ifndef mjUSESINGLE

// Small turns of either quaternion along each axis.
static void a_small_turn_changes_the_difference_as_they_say(void** state) {
  (void)state;
  const mjtNum h = 1e-6;
  const mjtNum qa[4] = {0.8, 0.0, -0.6, 0.0}, qb[4] = {0.6, 0.0, 0.0, 0.8};
  mjtNum by_a[9], by_b[9], before[3];
  mjd_subQuat(qa, qb, by_a, by_b);
  mju_subQuat(before, qa, qb);
  for (int k = 0; k < 3; k++) {
    mjtNum axis[3] = {k == 0, k == 1, k == 2}, turned[4], after[3];
    for (int side = 0; side < 2; side++) {
      const mjtNum* derivative = side ? by_b : by_a;
      mjtNum column[3] = {derivative[k], derivative[3 + k], derivative[6 + k]};
      ct_copy4(turned, side ? qb : qa);
      mju_quatIntegrate(turned, axis, h);
      mju_subQuat(after, side ? qa : turned, side ? turned : qb);
      ct_sub3(after, after, before);
      ct_scl3(after, after, 1 / h);
      expect_close("derivative", after, column, 3, 1e-5);
    }
  }
}

#endif

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(agree_with_the_reference),
      cmocka_unit_test(difference_and_integration_are_inverse),
#ifndef mjUSESINGLE
      cmocka_unit_test(a_small_turn_changes_the_difference_as_they_say),
#endif
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
