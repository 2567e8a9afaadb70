// Muscles, the damped spring and friction pyramids: known values, continuity, inverses.

#include "math/muscle.h"

#include <math.h>

#include "api/exports.h"
#include "math/linear.h"

static const mjtNum usual[9] = {(mjtNum)0.75, (mjtNum)1.05, -1,          200,        (mjtNum)0.5,
                                (mjtNum)1.6,  (mjtNum)1.5,  (mjtNum)1.3, (mjtNum)1.2};
static const mjtNum range[2] = {(mjtNum)0.2, (mjtNum)0.8};

static void expect_number(mjtNum got, double expected) {
  mjtNum number = (mjtNum)expected;
  assert_close(&got, &number, 1, PRECISION(1e-12, 1e-3) * (1 + fabs(expected)));
}

// Values that the reference gives.
static void known_values(void** state) {
  (void)state;
  expect_number(mju_muscleGain((mjtNum)0.3, 0, range, 2, usual), -68);
  expect_number(mju_muscleGain((mjtNum)0.5, (mjtNum)-0.5, range, 2, usual), -63.8888888888889);
  expect_number(mju_muscleGain((mjtNum)0.5, (mjtNum)0.2, range, 2, usual), -102.222222222222);
  expect_number(mju_muscleGain((mjtNum)0.9, 1, range, 2, usual), -113.333333333333);
  expect_number(mju_muscleBias((mjtNum)0.9, range, 2, usual), -7.22222222222223);
  expect_number(mju_muscleBias(2, range, 2, usual), -216.666666666667);
  const mjtNum hard[3] = {(mjtNum)0.01, (mjtNum)0.04, 0},
               soft[3] = {(mjtNum)0.01, (mjtNum)0.04, (mjtNum)0.4};
  expect_number(mju_muscleDynamics(1, (mjtNum)0.5, hard), 40);
  expect_number(mju_muscleDynamics((mjtNum)0.6, (mjtNum)0.5, soft), 6.887737943095444);
  expect_number(mju_muscleDynamics(2, (mjtNum)1.5, hard), -25);
  expect_number(mju_springDamper(1, (mjtNum)0.5, 4, 5, (mjtNum)0.3), 0.9606302250664758);
  expect_number(mju_springDamper(1, (mjtNum)0.5, 4, 4, (mjtNum)0.3), 0.9604203631645462);
  expect_number(mju_springDamper(1, (mjtNum)0.5, 4, 1, (mjtNum)0.3), 0.9634339113452274);
  expect_number(mju_springDamper(1, (mjtNum)0.5, 0, 0, (mjtNum)0.3), 1.15);
}

static void force_over_length_is_a_smooth_bump(void** state) {
  (void)state;
  const mjtNum lmin = (mjtNum)0.5, lmax = (mjtNum)1.6, step = (mjtNum)1e-3;
  assert_true(mju_muscleGainLength(1, lmin, lmax) == 1);
  assert_true(mju_muscleGainLength((mjtNum)0.4, lmin, lmax) == 0);
  assert_true(mju_muscleGainLength((mjtNum)1.7, lmin, lmax) == 0);
  for (mjtNum l = (mjtNum)0.3; l < 2; l += step) {
    mjtNum here = mju_muscleGainLength(l, lmin, lmax),
           next = mju_muscleGainLength(l + step, lmin, lmax);
    assert_true(here >= 0 && here <= 1);
    assert_true(fabs((double)(next - here)) < 5 * (double)step);  // the steepest slope is 4
  }
}

static void time_constant_blends_between_the_two(void** state) {
  (void)state;
  assert_true(mju_muscleDynamicsTimescale((mjtNum)0.1, 1, 2, 0) == 1);
  assert_true(mju_muscleDynamicsTimescale((mjtNum)-0.1, 1, 2, 0) == 2);
  assert_true(mju_muscleDynamicsTimescale(1, 1, 2, 1) == 1);
  assert_true(mju_muscleDynamicsTimescale(-1, 1, 2, 1) == 2);
  expect_number(mju_muscleDynamicsTimescale(0, 1, 2, 1), 1.5);
}

// x'' + Kv x' + Kp x = 0, by differences, for all three kinds of damping.
static void spring_obeys_its_equation(void** state) {
  (void)state;
#ifdef mjUSESINGLE
  skip();  // second differences of float numbers say nothing
#endif
  const mjtNum kp[3] = {4, 4, 4}, kv[3] = {1, 4, 7};
  const double h = 1e-4;
  for (int i = 0; i < 3; i++) {
    double before = (double)mju_springDamper(1, 2, kp[i], kv[i], (mjtNum)(0.5 - h));
    double now = (double)mju_springDamper(1, 2, kp[i], kv[i], (mjtNum)0.5);
    double after = (double)mju_springDamper(1, 2, kp[i], kv[i], (mjtNum)(0.5 + h));
    double acceleration = (after - 2 * now + before) / (h * h),
           velocity = (after - before) / (2 * h);
    assert_true(fabs(acceleration + (double)kv[i] * velocity + (double)kp[i] * now) < 1e-6);
  }
}

static void decoding_inverts_encoding_inside_the_cone(void** state) {
  (void)state;
  const mjtNum mu[5] = {(mjtNum)0.5, (mjtNum)0.6, (mjtNum)0.7, (mjtNum)0.8, (mjtNum)0.9};
  const mjtNum force[6] = {10, (mjtNum)0.5, (mjtNum)-0.6, (mjtNum)0.7, (mjtNum)-0.3, (mjtNum)0.1};
  const int dims[4] = {2, 3, 4, 6};
  for (int k = 0; k < 4; k++) {
    mjtNum pyramid[10], back[6];
    mju_encodePyramid(pyramid, force, mu, dims[k]);
    mju_decodePyramid(back, pyramid, mu, dims[k]);
    assert_close(back, force, dims[k], PRECISION(1e-14, 1e-5));
    for (int i = 0; i < 2 * (dims[k] - 1); i++) assert_true(pyramid[i] >= 0);
  }
  mjtNum one = 3, normal = 0;
  mju_decodePyramid(&normal, &one, mu, 1);
  assert_true(normal == 3);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(known_values),
      cmocka_unit_test(force_over_length_is_a_smooth_bump),
      cmocka_unit_test(time_constant_blends_between_the_two),
      cmocka_unit_test(spring_obeys_its_equation),
      cmocka_unit_test(decoding_inverts_encoding_inside_the_cone),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
