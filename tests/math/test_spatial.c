// Spatial algebra: the laws that Featherstone's book states for motions, forces and inertias.

#include "math/numbers.h"
#include "math/quat.h"
#include "math/spatial.h"
#include "support/fail.h"

// Power does not change when a motion and a force are carried along by the same velocity:
// (v x s) . f + s . (v x* f) = 0.
static void crosses_of_motion_and_force_are_dual(void** state) {
  (void)state;
  for (int round = 0; round < 100; round++) {
    mjtNum v[6], s[6], f[6], vs[6], vf[6];
    any_vector(v, 6);
    any_vector(s, 6);
    any_vector(f, 6);
    ct_cross_motion(vs, v, s);
    ct_cross_force(vf, v, f);
    mjtNum power = ct_dot6(vs, f) + ct_dot6(s, vf), zero = 0;
    expect_near(&power, &zero, 1, ROUNDING, "(v x s) . f + s . (v x* f)");
  }
}

static void a_motion_does_not_turn_itself(void** state) {
  (void)state;
  const mjtNum zero[6] = {0, 0, 0, 0, 0, 0};
  mjtNum v[6], res[6];
  any_vector(v, 6);
  ct_cross_motion(res, v, v);
  expect_near(res, zero, 6, ROUNDING, "v x v");
}

// Power is the same wherever and in whatever axes it is computed.
static void transforms_keep_power(void** state) {
  (void)state;
  for (int round = 0; round < 100; round++) {
    mjtNum v[6], f[6], moved_v[6], moved_f[6], from[3], to[3], q[4], axes[9];
    any_vector(v, 6);
    any_vector(f, 6);
    any_vector(from, 3);
    any_vector(to, 3);
    any_quat(q);
    mju_quat2Mat(axes, q);
    const mjtNum* rotation = round % 2 ? axes : NULL;
    mju_transformSpatial(moved_v, v, 0, to, from, rotation);
    mju_transformSpatial(moved_f, f, 1, to, from, rotation);
    mjtNum power[2] = {ct_dot6(moved_v, moved_f), ct_dot6(v, f)};
    expect_near(power, power + 1, 1, ROUNDING, "power after a change of frame");
    mju_transformSpatial(v, v, 0, to, from, rotation);
    mju_transformSpatial(f, f, 1, to, from, rotation);
    expect_same(v, moved_v, 6, "motion transformed in place");
    expect_same(f, moved_f, 6, "force transformed in place");
  }
}

// Momentum about a point equals momentum about the centre of mass, carried over.
static void momentum_does_not_depend_on_the_point(void** state) {
  (void)state;
  for (int round = 0; round < 100; round++) {
    const mjtNum centre[3] = {0, 0, 0};
    mjtNum inertia[3], q[4], axes[9], offset[3], v[6], at_point[10], at_centre[10], expected[6],
        momentum[6];
    any_vector(inertia, 3);
    any_quat(q);
    mju_quat2Mat(axes, q);
    any_vector(offset, 3);
    any_vector(v, 6);
    ct_inert_at(at_point, inertia, axes, offset, 2);
    ct_inert_at(at_centre, inertia, axes, centre, 2);
    ct_mul_inert_vec(momentum, at_point, v);
    ct_transform_motion(expected, v, offset, centre, NULL);
    ct_mul_inert_vec(expected, at_centre, expected);
    ct_transform_force(expected, expected, centre, offset, NULL);
    expect_near(momentum, expected, 6, 4 * ROUNDING, "momentum");
    ct_mul_inert_vec(v, at_point, v);
    expect_same(v, momentum, 6, "momentum in place");
  }
}

// Two at once have the bits of one by one.
static void inertias_of_two_bodies_are_those_of_each(void** state) {
  (void)state;
  SKIP_IN_FAST_BUILD();
  for (int round = 0; round < 100; round++) {
    mjtNum inertia[6], q[4], axes[18], offset[6], mass[2], one[20], both[20];
    Two offsets[3];
    any_vector(inertia, 6);
    for (int b = 0; b < 2; b++) {
      any_quat(q);
      mju_quat2Mat(axes + 9 * b, q);
    }
    any_vector(offset, 6);
    any_vector(mass, 2);
    for (int k = 0; k < 3; k++) offsets[k] = two_of(offset[k], offset[3 + k]);
    ct_inert_at(one, inertia, axes, offset, mass[0]);
    ct_inert_at(one + 10, inertia + 3, axes + 9, offset + 3, mass[1]);
    ct_two_inert_at(both, inertia, axes, offsets, mass);
    expect_same(both, one, 20, "two inertias");
  }
}

// A hinge moves the point of reference by axis x offset.
static void dof_axes_move_the_reference_point(void** state) {
  (void)state;
  mjtNum axis[3], offset[3], sweep[3], rotation[6], translation[6];
  const mjtNum zero[3] = {0, 0, 0};
  any_vector(axis, 3);
  any_vector(offset, 3);
  ct_dof_rotation(rotation, axis, offset);
  mju_cross(sweep, axis, offset);
  expect_same(rotation, axis, 3, "angular part of a hinge");
  expect_same(rotation + 3, sweep, 3, "linear part of a hinge");
  ct_dof_translation(translation, axis);
  expect_same(translation, zero, 3, "angular part of a slide");
  expect_same(translation + 3, axis, 3, "linear part of a slide");
}

static void six_vectors_add_in_the_order_of_dot(void** state) {
  (void)state;
  for (int round = 0; round < 50; round++) {
    mjtNum a[6], b[6];
    awkward_vector(a, 6);
    awkward_vector(b, 6);
    mjtNum six = ct_dot6(a, b), general = ct_dot(a, b, 6);
#ifdef CT_FAST
    if (!isfinite(general)) continue;
#endif
    expect_same(&six, &general, 1, "ct_dot6");
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup(crosses_of_motion_and_force_are_dual, numbers_restart),
      cmocka_unit_test_setup(a_motion_does_not_turn_itself, numbers_restart),
      cmocka_unit_test_setup(transforms_keep_power, numbers_restart),
      cmocka_unit_test_setup(momentum_does_not_depend_on_the_point, numbers_restart),
      cmocka_unit_test_setup(inertias_of_two_bodies_are_those_of_each, numbers_restart),
      cmocka_unit_test_setup(dof_axes_move_the_reference_point, numbers_restart),
      cmocka_unit_test_setup(six_vectors_add_in_the_order_of_dot, numbers_restart),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
