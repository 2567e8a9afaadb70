// Cameras and lights in every mode.

#include "engine/smooth/camlight.h"

#include "math/mat.h"
#include "support/fail.h"
#include "support/states.h"

static void agrees_with_the_reference(void** state) {
  (void)state;
  RECORDED_STATES(s, "camlight") {
    mj_camlight(s.model, s.data);
    EXPECT_FIELD(s, cam_xpos, PRECISION(1e-14, 1e-5));
    EXPECT_FIELD(s, cam_xmat, PRECISION(1e-14, 1e-5));
    EXPECT_FIELD(s, light_xpos, PRECISION(1e-14, 1e-5));
    EXPECT_FIELD(s, light_xdir, PRECISION(1e-14, 1e-5));
  }
}

// In the camera's own axes the target lies on the negative z axis, and the world's z axis points
// neither left nor right.
static void a_targeting_camera_sees_its_target_upright(void** state) {
  (void)state;
  RECORDED_STATES_OF(s, "camlight", "poses") {
    mj_camlight(s.model, s.data);
    for (int i = 0; i < s.model->ncam; i++) {
      if (s.model->cam_mode[i] != mjCAMLIGHT_TARGETBODY) continue;
      mjtNum seen[3], up[3];
      const mjtNum z[3] = {0, 0, 1};
      ct_sub3(seen, s.data->xpos + 3 * s.model->cam_targetbodyid[i], s.data->cam_xpos + 3 * i);
      const mjtNum ahead[3] = {0, 0, -ct_norm3(seen)};
      ct_mul_mat_t_vec3(seen, s.data->cam_xmat + 9 * i, seen);
      ct_mul_mat_t_vec3(up, s.data->cam_xmat + 9 * i, z);
      expect_close("target", seen, ahead, 3, PRECISION(1e-14, 1e-6));
      assert_true(ct_abs(up[0]) < (mjtNum)1e-7);
      assert_true(up[1] >= 0);
    }
  }
}

static void a_camera_straight_above_its_target_has_the_worlds_x(void** state) {
  (void)state;
  RECORDED_STATES_OF(s, "camlight", "poses") {
    int above = mj_name2id(s.model, mjOBJ_CAMERA, "above");
    const mjtNum down[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    mj_camlight(s.model, s.data);
    expect_close("cam_xmat", s.data->cam_xmat + 9 * above, down, 9, 0);
  }
}

// Without a target such a camera looks where its body points it.
static void a_camera_without_its_target_stays_with_its_body(void** state) {
  (void)state;
  RECORDED_STATES_OF(s, "camlight", "poses") {
    int watch = mj_name2id(s.model, mjOBJ_CAMERA, "watch");
    mjtNum fixed[9];
    s.model->cam_mode[watch] = mjCAMLIGHT_FIXED;
    mj_camlight(s.model, s.data);
    ct_copy(fixed, s.data->cam_xmat + 9 * watch, 9);
    s.model->cam_mode[watch] = mjCAMLIGHT_TARGETBODY;
    s.model->cam_targetbodyid[watch] = -1;
    mj_camlight(s.model, s.data);
    expect_close("cam_xmat", s.data->cam_xmat + 9 * watch, fixed, 9, 0);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(agrees_with_the_reference),
      cmocka_unit_test(a_targeting_camera_sees_its_target_upright),
      cmocka_unit_test(a_camera_straight_above_its_target_has_the_worlds_x),
      cmocka_unit_test(a_camera_without_its_target_stays_with_its_body),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
