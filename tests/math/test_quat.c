// Quaternions and poses: laws of rotations that need no reference, the special cases of each
// function, and outputs on top of inputs. The reference's numbers are replayed by
// test_mju_recorded.

#include "math/numbers.h"
#include "math/quat.h"

static const mjtNum pi = (mjtNum)3.14159265358979323846;

static void rotations_keep_lengths_and_compose(void** state) {
  (void)state;
  for (int round = 0; round < 200; round++) {
    mjtNum p[4], q[4], pq[4], v[3], once[3], twice[3], both[3];
    any_quat(p);
    any_quat(q);
    any_vector(v, 3);
    mju_rotVecQuat(once, v, q);
    mjtNum lengths[2] = {mju_norm3(once), mju_norm3(v)};
    expect_near(lengths, lengths + 1, 1, ROUNDING, "length of a turned vector");
    mju_rotVecQuat(twice, once, p);
    mju_mulQuat(pq, p, q);
    mju_rotVecQuat(both, v, pq);
    expect_near(twice, both, 3, ROUNDING, "p (q v)");
  }
}

static void matrices_turn_like_their_quaternions(void** state) {
  (void)state;
  for (int round = 0; round < 200; round++) {
    mjtNum q[4], back[4], m[9], v[3], by_quat[3], by_mat[3];
    any_quat(q);
    any_vector(v, 3);
    mju_quat2Mat(m, q);
    mju_rotVecQuat(by_quat, v, q);
    mju_mulMatVec3(by_mat, m, v);
    expect_near(by_mat, by_quat, 3, ROUNDING, "R v");
    mju_mat2Quat(back, m);
    if (mju_dot(back, q, 4) < 0) {
      mju_scl(back, back, -1, 4);
    }
    expect_near(back, q, 4, ROUNDING, "mju_mat2Quat");
  }
}

// Each branch of mat2Quat: the largest component is w, x, y, z in turn.
static void half_turns_have_their_quaternions(void** state) {
  (void)state;
  for (int axis = 0; axis < 4; axis++) {
    mjtNum q[4] = {0, 0, 0, 0}, m[9], back[4];
    q[axis] = 1;
    mju_quat2Mat(m, q);
    mju_mat2Quat(back, m);
    expect_same(back, q, 4, "half turn");
  }
}

static void the_identity_changes_no_bit(void** state) {
  (void)state;
  const mjtNum unit[4] = {1, 0, 0, 0}, eye[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, nothing[3] = {0, 0, 0};
  mjtNum v[3], res[3], m[9];
  awkward_vector(v, 3);
  v[0] = 1;
  mju_rotVecQuat(res, v, unit);
  expect_same(res, v, 3, "turned by the identity");
  mju_quat2Mat(m, unit);
  expect_same(m, eye, 9, "matrix of the identity");
  const mjtNum bad[4] = {NAN, INFINITY, 1, 0};
  mju_rotVecQuat(res, nothing, bad);
  expect_same(res, nothing, 3, "the zero vector, turned by anything");
}

// Not normalised: a quaternion of length 2 scales by its square.
static void long_quaternions_scale(void** state) {
  (void)state;
  const mjtNum q[4] = {2, 0, 0, 1}, v[3] = {1, 2, 3}, expected[3] = {-9, 2, 3};
  mjtNum res[3], m[9];
  mju_rotVecQuat(res, v, q);
  expect_same(res, expected, 3, "mju_rotVecQuat");
  mju_quat2Mat(m, q);
  assert_true(m[8] == 5);
}

static void conjugates_undo(void** state) {
  (void)state;
  for (int round = 0; round < 50; round++) {
    const mjtNum unit[4] = {1, 0, 0, 0};
    mjtNum q[4], inverse[4], product[4];
    any_quat(q);
    mju_negQuat(inverse, q);
    mju_mulQuat(product, q, inverse);
    expect_near(product, unit, 4, ROUNDING, "q q*");
  }
}

static void an_axis_is_a_quaternion_without_real_part(void** state) {
  (void)state;
  mjtNum q[4], axis[4] = {0, 0, 0, 0}, special[4], general[4];
  any_quat(q);
  any_vector(axis + 1, 3);
  mju_mulQuatAxis(special, q, axis + 1);
  mju_mulQuat(general, q, axis);
  expect_near(special, general, 4, ROUNDING, "mju_mulQuatAxis");
  mju_derivQuat(special, q, axis + 1);
  mju_mulQuat(general, axis, q);
  mju_scl(general, general, (mjtNum)0.5, 4);
  expect_near(special, general, 4, ROUNDING, "mju_derivQuat: (0, v) q / 2");
}

static void integrating_and_subtracting_are_inverse(void** state) {
  (void)state;
  for (int round = 0; round < 200; round++) {
    mjtNum q[4], turned[4], v[3], back[3];
    any_quat(q);
    any_vector(v, 3);
    mju_copy4(turned, q);
    mju_quatIntegrate(turned, v, (mjtNum)0.5);
    mju_subQuat(back, turned, q);
    mju_scl3(back, back, 2);
    expect_near(back, v, 3, 4 * ROUNDING, "velocity regained");
  }
}

static void velocities_take_the_shorter_way(void** state) {
  (void)state;
  const mjtNum cases[][7] = {{0, 1, 0, 0, pi, 0, 0},
                             {0, -1, 0, 0, -pi, 0, 0},
                             {-1, 0, 0, 0, 0, 0, 0},
                             {0, 0, 0, 0, 0, 0, 0}};
  for (int i = 0; i < 4; i++) {
    mjtNum v[3];
    mju_quat2Vel(v, cases[i], 1);
    for (int k = 0; k < 3; k++) {
      assert_true(v[k] == cases[i][4 + k]);
    }
  }
  mjtNum q[4], v[3];
  for (int round = 0; round < 100; round++) {
    any_quat(q);
    mju_quat2Vel(v, q, (mjtNum)0.1);
    assert_true(mju_norm3(v) <= 10 * pi * (1 + ROUNDING));
  }
}

static void the_z_axis_is_taken_to_the_vector(void** state) {
  (void)state;
  const mjtNum z[3] = {0, 0, 1}, unit[4] = {1, 0, 0, 0}, half[4] = {0, 1, 0, 0};
  for (int round = 0; round < 100; round++) {
    mjtNum v[3], q[4], res[3];
    any_vector(v, 3);
    mju_quatZ2Vec(q, v);
    mju_normalize3(v);
    mju_rotVecQuat(res, z, q);
    expect_near(res, v, 3, ROUNDING, "z turned");
  }
  mjtNum q[4];
  mju_quatZ2Vec(q, (const mjtNum[3]){0, 0, 5});
  expect_same(q, unit, 4, "z to z");
  mju_quatZ2Vec(q, (const mjtNum[3]){0, 0, -5});
  expect_same(q, half, 4, "z to -z");
  mju_quatZ2Vec(q, (const mjtNum[3]){0, (mjtNum)1e-16, 0});
  expect_same(q, unit, 4, "z to nothing");
}

// The polar factor R of m makes R' m symmetric.
static void the_nearest_rotation_leaves_a_symmetric_rest(void** state) {
  (void)state;
  for (int round = 0; round < 50; round++) {
    mjtNum start[4], q[4], m[9], noise[9], rotation[9], rest[9], transposed[9];
    any_quat(start);
    mju_quat2Mat(m, start);
    any_vector(noise, 9);
    mju_addToScl(m, noise, (mjtNum)0.1, 9);
    ct_unit4(q);
    int rounds = mju_mat2Rot(q, m);
    assert_true(rounds > 0 && rounds <= 500);
    mju_quat2Mat(rotation, q);
    ct_mul_mat_t_mat3(rest, rotation, m);
    mju_transpose(transposed, rest, 3, 3);
#ifdef mjUSESINGLE
    expect_near(rest, transposed, 9, (mjtNum)1e-5, "R' m");
#else
    expect_near(rest, transposed, 9, 1e-8, "R' m");
    assert_int_equal(mju_mat2Rot(q, m), 0);
#endif
  }
}

static void euler_sequences_multiply_on_their_side(void** state) {
  (void)state;
  const mjtNum x[3] = {1, 0, 0}, z[3] = {0, 0, 1},
               angles[3] = {(mjtNum)0.3, (mjtNum)-1.1, (mjtNum)0.7};
  mjtNum first[4], second[4], third[4], expected[4], q[4];
  mju_axisAngle2Quat(first, x, angles[0]);
  mju_axisAngle2Quat(second, z, angles[1]);
  mju_axisAngle2Quat(third, x, angles[2]);
  mju_mulQuat(expected, first, second);
  mju_mulQuat(expected, expected, third);
  mju_euler2Quat(q, angles, "xzx");
  expect_near(q, expected, 4, ROUNDING, "xzx");
  mju_mulQuat(expected, second, first);
  mju_mulQuat(expected, third, expected);
  mju_euler2Quat(q, angles, "XZX");
  expect_near(q, expected, 4, ROUNDING, "XZX");
  mju_mulQuat(expected, second, first);
  mju_mulQuat(expected, expected, third);
  mju_euler2Quat(q, angles, "xZx");
  expect_near(q, expected, 4, ROUNDING, "xZx");
}

static void poses_compose_and_invert(void** state) {
  (void)state;
  for (int round = 0; round < 100; round++) {
    mjtNum pos1[3], quat1[4], pos2[3], quat2[4], pos[3], quat[4], v[3], step[3], both[3];
    any_vector(pos1, 3);
    any_quat(quat1);
    any_vector(pos2, 3);
    any_quat(quat2);
    any_vector(v, 3);
    mju_mulPose(pos, quat, pos1, quat1, pos2, quat2);
    mju_trnVecPose(step, pos2, quat2, v);
    mju_trnVecPose(step, pos1, quat1, step);
    mju_trnVecPose(both, pos, quat, v);
    expect_near(both, step, 3, ROUNDING, "pose 1 of pose 2");

    mju_negPose(pos, quat, pos1, quat1);
    mju_trnVecPose(step, pos, quat, pos1);
    const mjtNum origin[3] = {0, 0, 0};
    expect_near(step, origin, 3, ROUNDING, "inverse pose of the position");
  }
}

static void outputs_may_be_inputs(void** state) {
  (void)state;
  mjtNum p[4], q[4], v[3], apart[4], res[4], pos[3], quat[4];
  any_quat(p);
  any_quat(q);
  any_vector(v, 3);
  mju_mulQuat(apart, p, q);
  mju_copy4(res, p);
  mju_mulQuat(res, res, q);
  expect_same(res, apart, 4, "mju_mulQuat onto its first input");
  mju_copy4(res, q);
  mju_mulQuat(res, p, res);
  expect_same(res, apart, 4, "mju_mulQuat onto its second input");
  mju_mulQuatAxis(apart, q, v);
  mju_copy4(res, q);
  mju_mulQuatAxis(res, res, v);
  expect_same(res, apart, 4, "mju_mulQuatAxis in place");
  mju_derivQuat(apart, q, v);
  mju_copy4(res, q);
  mju_derivQuat(res, res, v);
  expect_same(res, apart, 4, "mju_derivQuat in place");
  mju_rotVecQuat(apart, v, q);
  mju_copy3(res, v);
  mju_rotVecQuat(res, res, q);
  expect_same(res, apart, 3, "mju_rotVecQuat in place");
  mju_negPose(pos, quat, v, q);
  mju_copy3(res, v);
  mju_copy4(apart, q);
  mju_negPose(res, apart, res, apart);
  expect_same(res, pos, 3, "mju_negPose in place, position");
  expect_same(apart, quat, 4, "mju_negPose in place, quaternion");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup(rotations_keep_lengths_and_compose, numbers_restart),
      cmocka_unit_test_setup(matrices_turn_like_their_quaternions, numbers_restart),
      cmocka_unit_test_setup(half_turns_have_their_quaternions, numbers_restart),
      cmocka_unit_test_setup(the_identity_changes_no_bit, numbers_restart),
      cmocka_unit_test_setup(long_quaternions_scale, numbers_restart),
      cmocka_unit_test_setup(conjugates_undo, numbers_restart),
      cmocka_unit_test_setup(an_axis_is_a_quaternion_without_real_part, numbers_restart),
      cmocka_unit_test_setup(integrating_and_subtracting_are_inverse, numbers_restart),
      cmocka_unit_test_setup(velocities_take_the_shorter_way, numbers_restart),
      cmocka_unit_test_setup(the_z_axis_is_taken_to_the_vector, numbers_restart),
      cmocka_unit_test_setup(the_nearest_rotation_leaves_a_symmetric_rest, numbers_restart),
      cmocka_unit_test_setup(euler_sequences_multiply_on_their_side, numbers_restart),
      cmocka_unit_test_setup(poses_compose_and_invert, numbers_restart),
      cmocka_unit_test_setup(outputs_may_be_inputs, numbers_restart),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
