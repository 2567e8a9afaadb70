// Cameras, the mouse, perturbations and selection: numbers of the reference for one small model.

#include <math.h>
#include <mujoco/mujoco.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "support/messages.h"
#include "support/states.h"

static const char* const text =
    "<mujoco><statistic meansize='.2' extent='2' center='0 0 0'/>"
    "<worldbody><light name='L' pos='0 0 3'/><camera name='C' pos='0 -2 1' xyaxes='1 0 0 0 1 2'/>"
    "<geom name='floor' type='plane' size='0 0 .1'/>"
    "<body name='B' pos='0 0 .5'><joint name='J' axis='0 1 0'/>"
    "<geom name='G' type='capsule' size='.1 .2'/></body></worldbody>"
    "<actuator><motor joint='J' ctrlrange='-1 1'/></actuator></mujoco>";

// The model with its scene, seen by the default camera.
typedef struct {
  mjModel* m;
  mjData* d;
  mjvOption opt;
  mjvCamera cam;
  mjvPerturb pert;
  mjvScene scn;
} View;

static View open_view(void) {
  View v;
  char error[500] = "";
  memset(&v, 0, sizeof(v));
  mjSpec* spec = mj_parseXMLString(text, NULL, error, sizeof(error));
  if (!spec) fail_msg("%s", error);
  v.m = mj_compile(spec, NULL);
  assert_non_null(v.m);
  mj_deleteSpec(spec);
  v.d = mj_makeData(v.m);
  v.d->ctrl[0] = (mjtNum)0.5;
  mj_forward(v.m, v.d);
  mjv_defaultOption(&v.opt);
  mjv_defaultFreeCamera(v.m, &v.cam);
  mjv_defaultPerturb(&v.pert);
  mjv_defaultScene(&v.scn);
  mjv_makeScene(v.m, &v.scn, 100);
  mjv_updateScene(v.m, v.d, &v.opt, &v.pert, &v.cam, mjCAT_ALL, &v.scn);
  return v;
}

static void close_view(View* v) {
  mjv_freeScene(&v->scn);
  mj_deleteData(v->d);
  mj_deleteModel(v->m);
}

static void expect_numbers(const mjtNum* got, const double* want, int n) {
  for (int i = 0; i < n; i++) {
    double error = fabs((double)got[i] - want[i]);
    if (error <= PRECISION(1e-9, 1e-3) * (1 + fabs(want[i]))) continue;
    fail_msg("number %d is %.15g, not %.15g", i, (double)got[i], want[i]);
  }
}

static void eyes_are_beside_each_other(void** state) {
  (void)state;
  View v = open_view();
  const double left[3] = {-0.034, -2.1213202, 2.1213202}, forward[3] = {0, 0.70710677, -0.70710677};
  for (int i = 0; i < 3; i++) {
    assert_float_equal(v.scn.camera[0].pos[i], left[i], 1e-6);
    assert_float_equal(v.scn.camera[0].forward[i], forward[i], 1e-6);
  }
  assert_float_equal(v.scn.camera[1].pos[0], 0.034, 1e-7);
  assert_float_equal(v.scn.camera[0].frustum_top, 0.008284270763397217, 1e-8);
  assert_float_equal(v.scn.camera[0].frustum_near, 0.019999999552965164, 1e-8);
  assert_float_equal(v.scn.camera[0].frustum_far, 100, 0);
  const double height = 0.8284270763397217;
  mjtNum got = mjv_frustumHeight(&v.scn);
  expect_numbers(&got, &height, 1);
  close_view(&v);
}

static void dragging_moves_the_camera(void** state) {
  (void)state;
  View v = open_view();
  const double lookat[3] = {-0.248528111665, 0, 0.124264055833};
  mjv_moveCamera(v.m, mjMOUSE_MOVE_V, (mjtNum)0.1, (mjtNum)0.05, &v.scn, &v.cam);
  for (int i = 0; i < 3; i++) assert_float_equal(v.cam.lookat[i], lookat[i], 1e-6);
  mjv_moveCamera(v.m, mjMOUSE_ZOOM, 0, (mjtNum)0.1, &v.scn, &v.cam);
  assert_float_equal(v.cam.distance, 2.2701628054053042, 1e-6);
  mjv_moveCamera(v.m, mjMOUSE_ROTATE_V, (mjtNum)0.6, (mjtNum)-0.4, &v.scn, &v.cam);
  assert_float_equal(v.cam.azimuth, -18, 1e-5);
  assert_float_equal(v.cam.elevation, 27, 1e-5);
  close_view(&v);
}

static void a_held_body_is_pulled_and_twisted(void** state) {
  (void)state;
  View v = open_view();
  v.pert.select = 1;
  v.pert.localpos[2] = (mjtNum)0.2;
  mjv_initPerturb(v.m, v.d, &v.scn, &v.pert);
  const double mass_and_scale[2] = {33.4579617607313, 2.07523063427535};
  expect_numbers(&v.pert.localmass, mass_and_scale, 2);
  v.d->qvel[0] = (mjtNum)0.3;
  mj_forward(v.m, v.d);
  v.pert.active = mjPERT_TRANSLATE;
  v.pert.refselpos[0] = (mjtNum)0.1;
  mjv_applyPerturbForce(v.m, v.d, &v.pert);
  const double pull[6] = {314.504840550875, 0, 0, 0, 62.900968110175, 0};
  expect_numbers(v.d->xfrc_applied + 6, pull, 6);
  v.pert.active = mjPERT_ROTATE;
  v.pert.refquat[0] = (mjtNum)cos(0.25);
  v.pert.refquat[2] = (mjtNum)sin(0.25);
  mjv_applyPerturbForce(v.m, v.d, &v.pert);
  const double twist[6] = {314.504840550875, 0, 0, 0, 325.601904381043, 0};
  expect_numbers(v.d->xfrc_applied + 6, twist, 6);
  close_view(&v);
}

static void clicks_select_what_they_hit(void** state) {
  (void)state;
  View v = open_view();
  const double at[3][2] = {{0.5, 0.5}, {0.5, 0.6}, {0.1, 0.9}};
  const double point[3][3] = {
      {0, 0, 0}, {0, -0.1, 0.409281568942}, {-2.230187954612, 2.102641368036, 0}};
  const int body[3] = {0, 1, 0};
  for (int i = 0; i < 3; i++) {
    int geom, flex, skin;
    mjtNum selected[3];
    int hit = mjv_select(v.m, v.d, &v.opt, (mjtNum)1.5, (mjtNum)at[i][0], (mjtNum)at[i][1], &v.scn,
                         selected, &geom, &flex, &skin);
    assert_int_equal(hit, body[i]);
    assert_int_equal(geom, body[i]);
    assert_true(flex == -1 && skin == -1);
    for (int k = 0; k < 3; k++) assert_float_equal(selected[k], point[i][k], 1e-5);
  }
  close_view(&v);
}

static void an_infinite_plane_follows_the_eyes_one_call_late(void** state) {
  (void)state;
  View v = open_view();
  v.m->stat.extent = (mjtNum)2.1;
  v.cam.lookat[0] = 100;
  v.cam.distance = 1;
  v.cam.elevation = -10;
  memset(v.scn.camera, 0, sizeof(v.scn.camera));
  const double x[2] = {0, 100.22727};
  for (int i = 0; i < 2; i++) {
    mjv_updateScene(v.m, v.d, &v.opt, NULL, &v.cam, mjCAT_ALL, &v.scn);
    assert_float_equal(v.scn.geoms[0].pos[0], x[i], 1e-4);
  }
  close_view(&v);
}

static void the_room_is_scaled_and_shifted(void** state) {
  (void)state;
  View v = open_view();
  v.scn.enabletransform = 1;
  v.scn.scale = 2;
  v.scn.translate[0] = 1;
  mjtNum pos[3] = {0, 1, 0}, quat[4] = {1, 0, 0, 0}, moved[3], turned[4];
  const double room[3] = {2, 2, 0}, back[3] = {0.5, 1, 0};
  mjv_model2room(moved, turned, pos, quat, &v.scn);
  expect_numbers(moved, room, 3);
  mjv_room2model(pos, quat, moved, turned, &v.scn);
  expect_numbers(pos, back, 3);
  close_view(&v);
}

static void a_camera_that_is_not_set_is_an_error(void** state) {
  View v = open_view();
  mjtNum head[3];
  listen_to_messages(state);
  memset(v.scn.camera, 0, sizeof(v.scn.camera));
  mjv_cameraInModel(head, NULL, NULL, &v.scn);
  expect_one_error("mjv_updateCamera");
  v.cam.type = mjCAMERA_FIXED;
  v.cam.fixedcamid = 7;
  mjv_updateCamera(v.m, v.d, &v.cam, &v.scn);
  expect_one_error("camera 7 does not exist");
  mjv_moveCamera(v.m, 99, 0, 0, &v.scn, &v.cam);  // a fixed camera is not moved by anything
  assert_int_equal(count_errors(), 0);
  v.cam.type = mjCAMERA_FREE;
  mjv_moveCamera(v.m, 99, 0, 0, &v.scn, &v.cam);
  expect_one_error("99 is not an action");
  stop_listening(state);
  close_view(&v);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(eyes_are_beside_each_other),
      cmocka_unit_test(dragging_moves_the_camera),
      cmocka_unit_test(a_held_body_is_pulled_and_twisted),
      cmocka_unit_test(clicks_select_what_they_hit),
      cmocka_unit_test(an_infinite_plane_follows_the_eyes_one_call_late),
      cmocka_unit_test(the_room_is_scaled_and_shifted),
      cmocka_unit_test(a_camera_that_is_not_set_is_an_error),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
