// mujoco.elasticity.cable: what the reference computes, colours, and what is refused.

#include <math.h>
#include <mujoco/mujoco.h>
#include <stdio.h>

#include "plugins.h"
#include "support/fail.h"
#include "support/plugin_models.h"

static double nothing(int actuator, int step) {
  (void)actuator;
  (void)step;
  return 0;
}

// Stiff cables lose most of a float: torques are differences of rotations times moduli.
static void steps_agree_with_the_reference(void** state) {
  (void)state;
  SKIP_IN_SINGLE_PRECISION();
  expect_recorded_steps("cable", 60, 20, 1e-8, nothing);
}

static void torques_between_bodies_move_nothing_as_a_whole(void** state) {
  (void)state;
  mjModel* m = plugin_model("cable.xml");
  mjData* d = mj_makeData(m);
  m->opt.gravity[2] = 0;
  int body = mj_name2id(m, mjOBJ_BODY, "freeB_3");
  d->qpos[m->jnt_qposadr[m->body_jntadr[body]] + 2] = (mjtNum)0.3;
  mj_forward(m, d);
  int first = mj_name2id(m, mjOBJ_BODY, "freeB_first"), dof = m->body_dofadr[first];
  double moved = 0, bent = 0;
  for (int i = 0; i < 6; i++) moved = fmax(moved, fabs((double)d->qfrc_passive[dof + i]));
  for (int i = 0; i < 3; i++) {
    bent = fmax(bent, fabs((double)d->qfrc_passive[m->body_dofadr[body] + i]));
  }
  double rounding = sizeof(mjtNum) == sizeof(float) ? 1e-4 : 1e-12;
  if (!(bent > 0.1) || !(moved < rounding * bent)) {
    fail_msg("bent by %g, moved by %g", bent, moved);
  }
  mj_deleteData(d);
  mj_deleteModel(m);
}

static void strained_bodies_are_coloured(void** state) {
  (void)state;
  mjModel* m = plugin_model("cable.xml");
  mjData* d = mj_makeData(m);
  mjvScene scene;
  mjvOption option;
  mjvCamera camera;
  mjv_defaultScene(&scene);
  mjv_makeScene(m, &scene, 100);
  mjv_defaultOption(&option);
  mjv_defaultCamera(&camera);
  int body = mj_name2id(m, mjOBJ_BODY, "coilB_3"), geom = m->body_geomadr[body];
  int other = m->body_geomadr[mj_name2id(m, mjOBJ_BODY, "flatB_3")];
  float before = m->geom_rgba[4 * other];

  // at rest all is blue
  mj_forward(m, d);
  mjv_updateScene(m, d, &option, NULL, &camera, mjCAT_ALL, &scene);
  const float* rgba = m->geom_rgba + 4 * geom;
  if (rgba[0] != 0 || rgba[1] > 1e-3f || rgba[2] != 1) {
    fail_msg("at rest it is %g %g %g", (double)rgba[0], (double)rgba[1], (double)rgba[2]);
  }
  assert_true(m->geom_rgba[4 * other] == before);  // without vmax nothing is

  // far bent it is red
  d->qpos[m->jnt_qposadr[m->body_jntadr[body]] + 1] = 1;
  mj_forward(m, d);
  mjv_updateScene(m, d, &option, NULL, &camera, mjCAT_ALL, &scene);
  if (rgba[0] != 1 || rgba[1] > 1e-6f || rgba[2] != 0) {
    fail_msg("bent it is %g %g %g", (double)rgba[0], (double)rgba[1], (double)rgba[2]);
  }
  mjv_freeScene(&scene);
  mj_deleteData(d);
  mj_deleteModel(m);
}

static void bend(const mjModel* m, mjtNum* qpos) {
  for (int j = 0; j < m->njnt; j++) {
    mjtNum* q = qpos + m->jnt_qposadr[j];
    if (m->jnt_type[j] != mjJNT_BALL) continue;
    q[1] += (mjtNum)0.02 * (mjtNum)(j % 3);
    q[2] -= (mjtNum)0.03 * (mjtNum)(j % 2);
    q[3] += (mjtNum)0.01 * (mjtNum)(j % 4);
  }
  mj_normalizeQuat(m, qpos);
}

// The reference's forces where frames are older than positions.
static void torques_act_by_way_of_each_body_s_own_frame(void** state) {
  (void)state;
  static const double wanted[3] = {-0.11704071, 0.07694261, 0.02568125};
  mjModel* m = plugin_model("cable.xml");
  mjData* d = mj_makeData(m);
  mj_forward(m, d);
  bend(m, d->qpos);
  mj_forwardSkip(m, d, mjSTAGE_POS, 1);
  const mjtNum* force = d->qfrc_passive + m->body_dofadr[mj_name2id(m, mjOBJ_BODY, "coilB_3")];
  for (int i = 0; i < 3; i++) {
    if (fabs((double)force[i] - wanted[i]) > 1e-5) {
      fail_msg("force %d is %.9g, not %.9g", i, (double)force[i], wanted[i]);
    }
  }
  mj_deleteData(d);
  mj_deleteModel(m);
}

// In between, a body has the mean of the torques at its ends, each in the frame of the body behind
// its joint: the reference's colours, which are all blue with this much green.
static void bent_bodies_have_the_reference_colours(void** state) {
  (void)state;
  static const double green[] = {0,          0.43858436, 0.95409167, 0.55466455,
                                 0.26896325, 0.8343883,  0.4546758,  0.24080043};
  mjModel* m = plugin_model("cable.xml");
  mjData* d = mj_makeData(m);
  mjvScene scene;
  mjvOption option;
  mjvCamera camera;
  mjv_defaultScene(&scene);
  mjv_makeScene(m, &scene, 100);
  mjv_defaultOption(&option);
  mjv_defaultCamera(&camera);
  bend(m, d->qpos);
  mj_forward(m, d);
  mjv_updateScene(m, d, &option, NULL, &camera, mjCAT_ALL, &scene);
  int first = mj_name2id(m, mjOBJ_BODY, "coilB_first");
  for (int i = 0; i < 8; i++) {
    const float* rgba = m->geom_rgba + 4 * m->body_geomadr[first + i];
    if (rgba[0] != 0 || fabs((double)rgba[1] - green[i]) > 1e-4 || rgba[2] != 1) {
      fail_msg("body %d: %g %g %g, not 0 %g 1", i, (double)rgba[0], (double)rgba[1],
               (double)rgba[2], green[i]);
    }
  }
  mjv_freeScene(&scene);
  mj_deleteData(d);
  mj_deleteModel(m);
}

// Two bodies, one in the other, with this configuration and this place of the second.
static const char* with(const char* config, const char* place, const char* second) {
  static char xml[2000];
  snprintf(xml, sizeof(xml),
           "<mujoco><extension><plugin plugin='mujoco.elasticity.cable'><instance name='c'>%s"
           "</instance></plugin></extension><worldbody><body><geom type='capsule' size='.1 .1'/>"
           "<plugin instance='c'/><body pos='%s'><joint type='ball'/><geom type='capsule' "
           "size='.1 .1'/>%s</body></body></worldbody></mujoco>",
           config, place, second);
  return xml;
}

static void a_wrong_configuration_is_refused_with_the_reason(void** state) {
  (void)state;
  const char* second = "<plugin instance='c'/>";
  expect_refused_model(with("<config key='twist' value='x'/>", "1 0 0", second),
                       "twist=\"x\" should be 1 number");
  expect_refused_model(with("<config key='bend' value='1e3x'/>", "1 0 0", second),
                       "bend=\"1e3x\" should be 1 number");
  expect_refused_model(with("<config key='flat' value='maybe'/>", "1 0 0", second),
                       "flat=\"maybe\" should be true or false");
  expect_refused_model(with("<config key='young' value='1'/>", "1 0 0", second),
                       "no attribute \"young\"");
  expect_refused_model(with("", "0 0 0", second), "bodies 1 and 2 are at the same place");
  expect_refused_model(with("", "1 0 0", "<body><geom size='1'/><plugin instance='c'/></body>"),
                       "body 3 is not next to the other bodies of instance 0");
}

int main(void) {
  register_cable();
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(steps_agree_with_the_reference),
      cmocka_unit_test(torques_between_bodies_move_nothing_as_a_whole),
      cmocka_unit_test(torques_act_by_way_of_each_body_s_own_frame),
      cmocka_unit_test(strained_bodies_are_coloured),
      cmocka_unit_test(bent_bodies_have_the_reference_colours),
      cmocka_unit_test(a_wrong_configuration_is_refused_with_the_reason),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
