// R0.3: poses from joint positions. What the reference computed, what a joint does to what hangs on
// it, and what the short cuts must not change. That lanes do not change a bit is shown for all
// stages by tests/lanes/test_lane_bits.c.

#include "engine/smooth/kinematics.h"

#include <math.h>
#include <string.h>

#include "support/fail.h"
#include "support/states.h"
#include "support/text_models.h"

static void agrees_with_the_reference(void** state) {
  (void)state;
  RECORDED_STATES(s, "kinematics") {
    mj_kinematics(s.model, s.data);
    EXPECT_FIELD(s, xpos, PRECISION(1e-14, 1e-5));
    EXPECT_FIELD(s, xquat, PRECISION(1e-14, 1e-5));
    EXPECT_FIELD(s, xmat, PRECISION(1e-14, 1e-5));
    EXPECT_FIELD(s, xipos, PRECISION(1e-14, 1e-5));
    EXPECT_FIELD(s, ximat, PRECISION(1e-14, 1e-5));
    EXPECT_FIELD(s, xanchor, PRECISION(1e-14, 1e-5));
    EXPECT_FIELD(s, xaxis, PRECISION(1e-14, 1e-5));
    EXPECT_FIELD(s, geom_xpos, PRECISION(1e-14, 1e-5));
    EXPECT_FIELD(s, geom_xmat, PRECISION(1e-14, 1e-5));
    EXPECT_FIELD(s, site_xpos, PRECISION(1e-14, 1e-5));
    EXPECT_FIELD(s, site_xmat, PRECISION(1e-14, 1e-5));
  }
}

// Quaternions of any length mean the same rotation, and stay as they are.
static void quaternions_need_not_have_unit_length(void** state) {
  (void)state;
  RECORDED_STATES(s, "kinematics") {
    const mjModel* m = s.model;
    for (int j = 0; j < m->njnt; j++) {
      mjtNum* q = s.data->qpos + m->jnt_qposadr[j] + (m->jnt_type[j] == mjJNT_FREE ? 3 : 0);
      bool turns = m->jnt_type[j] == mjJNT_FREE || m->jnt_type[j] == mjJNT_BALL;
      for (int k = 0; turns && k < 4; k++) q[k] *= (mjtNum)1.75;
    }
    mjtNum before[64];
    assert_true(m->nq <= 64);
    memcpy(before, s.data->qpos, (size_t)m->nq * sizeof(mjtNum));
    mj_kinematics(m, s.data);
    EXPECT_FIELD(s, xquat, PRECISION(1e-14, 1e-5));
    EXPECT_FIELD(s, geom_xpos, PRECISION(1e-14, 1e-5));
    assert_memory_equal(before, s.data->qpos, (size_t)m->nq * sizeof(mjtNum));
  }
}

// The hinge "yaw" sits away from its body's origin, before a slide and another hinge.
static void a_hinge_turns_its_body_about_the_anchor(void** state) {
  (void)state;
  RECORDED_STATES_OF(s, "kinematics", "poses") {
    mjData* d = s.data;
    int body = mj_name2id(s.model, mjOBJ_BODY, "plate");
    int joint = mj_name2id(s.model, mjOBJ_JOINT, "yaw");
    mj_kinematics(s.model, d);
    mjtNum anchor[3], axis[3], arm[3], turned[3], quat[4];
    ct_copy3(anchor, d->xanchor + 3 * joint);
    ct_copy3(axis, d->xaxis + 3 * joint);
    ct_sub3(arm, d->xpos + 3 * body, anchor);

    d->qpos[s.model->jnt_qposadr[joint]] += (mjtNum)0.8;
    mj_kinematics(s.model, d);
    ct_axis_angle_to_quat(quat, axis, (mjtNum)0.8);
    ct_rot_vec_quat(turned, arm, quat);
    ct_sub3(arm, d->xpos + 3 * body, anchor);
    expect_close("anchor", d->xanchor + 3 * joint, anchor, 3, 0);
    expect_close("axis", d->xaxis + 3 * joint, axis, 3, 0);
    expect_close("arm", arm, turned, 3, PRECISION(1e-14, 1e-6));
  }
}

// An anchor that is not exactly zero, but too small to matter, takes the long way.
static void the_short_cut_for_anchors_at_the_origin_changes_no_bit(void** state) {
  (void)state;
  RECORDED_STATES(s, "kinematics") {
    const mjModel* m = s.model;
    mjtNum pos[128], quat[128];
    size_t npos = 3 * (size_t)m->nbody * sizeof(mjtNum),
           nquat = 4 * (size_t)m->nbody * sizeof(mjtNum);
    assert_true(npos <= sizeof(pos) && nquat <= sizeof(quat));
    mj_kinematics(m, s.data);
    memcpy(pos, s.data->xpos, npos);
    memcpy(quat, s.data->xquat, nquat);
    for (int j = 0; j < m->njnt; j++) {
      mjtNum* anchor = s.model->jnt_pos + 3 * j;
      if (anchor[0] == 0 && anchor[1] == 0 && anchor[2] == 0) anchor[0] = (mjtNum)1e-37;
    }
    mj_kinematics(m, s.data);
    for (int i = 0; i < 3 * m->nbody; i++) {  // an exact zero cannot absorb the anchor
      if (pos[i] != s.data->xpos[i]) assert_true(fabs((double)s.data->xpos[i]) <= 2e-37);
    }
    assert_memory_equal(quat, s.data->xquat, nquat);
  }
}

static void matrices_are_rotations(void** state) {
  (void)state;
  RECORDED_STATES(s, "kinematics") {
    const mjtNum identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    mj_kinematics(s.model, s.data);
    for (int b = 0; b < s.model->nbody; b++) {
      mjtNum product[9];
      ct_mul_mat_mat_t3(product, s.data->xmat + 9 * b, s.data->xmat + 9 * b);
      expect_close("xmat xmat'", product, identity, 9, PRECISION(1e-14, 1e-6));
    }
  }
}

static void many_angles_at_once_have_the_bits_of_single_ones(void** state) {
  (void)state;
  mjtNum x[LANE_WIDTH], sine[LANE_WIDTH], cosine[LANE_WIDTH];
  for (int i = 0; i < 20000; i++) {
    for (int k = 0; k < LANE_WIDTH; k++) {
      mjtNum size = i % 100 == 0 ? (mjtNum)1e7 : i % 10 == 0 ? (mjtNum)1e-9 : 4;
      x[k] = size * (mjtNum)sin(LANE_WIDTH * i + k + 1);  // some beyond the quick reduction
    }
    if (i % 7 == 0) x[i % LANE_WIDTH] = i % 2 ? (mjtNum)0.0 : -(mjtNum)0.0;
    ct_sincos_wide(sine, cosine, x);
    for (int k = 0; k < LANE_WIDTH; k++) {
      mjtNum one[2];
      ct_sincos(&one[0], &one[1], x[k]);
      assert_memory_equal(&one[0], &sine[k], sizeof(mjtNum));
      assert_memory_equal(&one[1], &cosine[k], sizeof(mjtNum));
    }
  }
}

static void words_of_angles_have_the_bits_of_single_ones(void** state) {
  (void)state;
  for (int i = 0; i < 20000; i++) {
    Wide x, sine, cosine;
    for (int k = 0; k < LANE_WIDTH; k++) {
      mjtNum size = i % 100 == 0  ? (mjtNum)1e7
                    : i % 10 == 0 ? (mjtNum)1e-9
                    : i % 3       ? (mjtNum)0.8
                                  : 4;
      x[k] = size * (mjtNum)sin(LANE_WIDTH * i + k + 1);
    }
    if (i % 7 == 0) x[i % LANE_WIDTH] = i % 2 ? (mjtNum)0.0 : -(mjtNum)0.0;
    ct_sincos_word(&sine, &cosine, x);
    for (int k = 0; k < LANE_WIDTH; k++) {
      mjtNum one[2], word[2] = {sine[k], cosine[k]};
      ct_sincos(&one[0], &one[1], x[k]);
      assert_memory_equal(one, word, sizeof(one));
    }
  }
}

// Anchors off the origin, several joints of one body in all orders, bodies that are turned, fixed,
// free or moved by motion capture, and geoms with frames of their own, alone and many to a body.
static const char all_shapes[] =
    "<mujoco><worldbody>"
    "<geom size='1 1 1' type='plane'/>"
    "<body mocap='true' pos='1 2 3' quat='1 2 3 4'><geom size='.1'/>"
    " <body pos='0 .1 0'><geom size='.1'/></body></body>"
    "<body><freejoint/><geom size='.1' pos='.1 0 0'/>"
    " <body pos='.1 .2 .3'><joint axis='1 2 0'/><joint axis='0 1 0' pos='.1 0 .2'/>"
    "  <geom size='.1 .2' type='capsule' pos='.1 .2 0' quat='1 2 0 0'/>"
    "  <body pos='.3 0 .1' quat='1 1 0 2'><joint axis='0 0 1'/>"
    "   <geom size='.1 .2 .3' type='box' pos='.1 .2 .3' quat='1 2 0 0'/>"
    "   <geom size='.1 .2 .3' type='box' pos='.2 .2 .3' quat='1 2 0 1'/>"
    "   <geom size='.1 .2 .3' type='box' pos='.3 .2 .3' quat='1 2 1 0'/>"
    "   <geom size='.1 .2 .3' type='box' pos='.4 .2 .3' quat='1 2 2 0'/>"
    "   <geom size='.1 .2 .3' type='box' pos='.5 .2 .3' quat='1 2 3 0'/>"
    "   <geom size='.1 .2 .3' type='box' pos='.6 .2 .3' quat='1 2 3 0'/>"
    "   <body pos='0 0 .2'><geom size='.1 .2 .3' type='box' pos='.1 0 0' quat='1 0 3 0'/>"
    "    <geom size='.1 .2 .3' type='box' pos='.1 2 0' quat='1 0 3 0'/>"
    "    <body><joint axis='0 0 1'/><joint type='slide'/><joint axis='1 0 0'/>"
    "     <geom size='.1 .2' type='capsule'/>"
    "     <body pos='0 1 0'><joint type='ball' pos='.1 0 0'/><geom size='.1'/></body>"
    "     <body pos='0 2 0'><joint type='slide'/><joint type='ball'/><geom size='.1'/></body>"
    "    </body></body></body></body></body>"
    "<body><freejoint/>"  // three of four
    " <geom size='.1 .2 .3' type='box' pos='.1 2 0' quat='1 0 3 0'/>"
    " <geom size='.1 .2 .3' type='box' pos='.2 2 0' quat='1 0 2 0'/>"
    " <geom size='.1 .2 .3' type='box' pos='.3 2 0' quat='1 0 1 0'/>"
    " <body pos='0 1 0'><joint axis='0 1 0'/>"
    "  <geom size='.1 .2 .3' type='box' pos='.4 2 0' quat='1 3 1 0'/>"
    "  <geom size='.1 .2 .3' type='box' pos='.5 2 0' quat='1 2 1 0'/></body></body>"
    "</worldbody></mujoco>";

static void expect_twins(const mjModel* m, const mjData* d, const mjData* twin) {
  int nbody = (int)m->nbody, njnt = (int)m->njnt, ngeom = (int)m->ngeom;
  expect_close("xpos", d->xpos, twin->xpos, 3 * nbody, 0);
  expect_close("xquat", d->xquat, twin->xquat, 4 * nbody, 0);
  expect_close("xmat", d->xmat, twin->xmat, 9 * nbody, 0);
  expect_close("xipos", d->xipos, twin->xipos, 3 * nbody, 0);
  expect_close("ximat", d->ximat, twin->ximat, 9 * nbody, 0);
  expect_close("xanchor", d->xanchor, twin->xanchor, 3 * njnt, 0);
  expect_close("xaxis", d->xaxis, twin->xaxis, 3 * njnt, 0);
  expect_close("geom_xpos", d->geom_xpos, twin->geom_xpos, 3 * ngeom, 0);
  expect_close("geom_xmat", d->geom_xmat, twin->geom_xmat, 9 * ngeom, 0);
}

// ct_kinematics_of takes bodies and geoms one by one, in the way that any number of lanes does.
static void the_quick_way_of_one_lane_changes_no_bit(void** state) {
  (void)state;
  SKIP_IN_FAST_BUILD();
  mjModel* m = text_model(all_shapes);
  mjData *d = mj_makeData(m), *twin = mj_makeData(m);
  mj_kinematics(m, twin);
  for (int round = 0; round < 50; round++) {
    for (int i = 0; i < m->nq; i++) {
      d->qpos[i] = twin->qpos[i] = m->qpos0[i] + (mjtNum)sin(7 * round + 3 * i);
    }
    mj_kinematics(m, d);
    ct_kinematics_of(m, twin, 1, (int)m->nbody);
    expect_twins(m, d, twin);
  }
  mj_deleteData(twin);
  mj_deleteData(d);
  mj_deleteModel(m);
}

static void local_frames_become_global_ones(void** state) {
  (void)state;
  RECORDED_STATES_OF(s, "kinematics", "poses") {
    const mjModel* m = s.model;
    mj_kinematics(m, s.data);
    for (int i = 0; i < m->ngeom; i++) {
      mjtNum pos[3], mat[9];
      mj_local2Global(s.data, pos, mat, m->geom_pos + 3 * i, m->geom_quat + 4 * i,
                      m->geom_bodyid[i], m->geom_sameframe[i]);
      assert_memory_equal(pos, s.data->geom_xpos + 3 * i, sizeof(pos));
      assert_memory_equal(mat, s.data->geom_xmat + 9 * i, sizeof(mat));
    }
    mjtNum kept[3] = {7, 8, 9};
    const mjtNum unit[4] = {1, 0, 0, 0};
    mj_local2Global(s.data, kept, NULL, NULL, unit, 1, mjSAMEFRAME_BODY);
    assert_true(kept[0] == 7 && kept[2] == 9);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(agrees_with_the_reference),
      cmocka_unit_test(quaternions_need_not_have_unit_length),
      cmocka_unit_test(a_hinge_turns_its_body_about_the_anchor),
      cmocka_unit_test(the_short_cut_for_anchors_at_the_origin_changes_no_bit),
      cmocka_unit_test(matrices_are_rotations),
      cmocka_unit_test(many_angles_at_once_have_the_bits_of_single_ones),
      cmocka_unit_test(words_of_angles_have_the_bits_of_single_ones),
      cmocka_unit_test(the_quick_way_of_one_lane_changes_no_bit),
      cmocka_unit_test(local_frames_become_global_ones),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
