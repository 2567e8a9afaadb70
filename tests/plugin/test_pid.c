// mujoco.pid: what the reference computes, and configurations that are refused.

#include <math.h>
#include <mujoco/mujoco.h>
#include <stdio.h>

#include "plugins.h"
#include "support/fail.h"
#include "support/plugin_models.h"

static double wave(int actuator, int step) {
  return 0.3 * sin(0.05 * step * (actuator + 1));
}

static void steps_agree_with_the_reference(void** state) {
  (void)state;
  expect_recorded_steps("pid", 100, 10, sizeof(mjtNum) == sizeof(float) ? 1e-3 : 1e-11, wave);
}

// A model with one actuator, configured like this.
static const char* with(const char* config, const char* attributes) {
  static char xml[2000];
  snprintf(xml, sizeof(xml),
           "<mujoco><extension><plugin plugin='mujoco.pid'><instance name='p'>%s</instance>"
           "</plugin></extension><worldbody><body><joint name='j'/><geom size='1'/></body>"
           "</worldbody><actuator><plugin joint='j' plugin='mujoco.pid' instance='p' %s/>"
           "</actuator></mujoco>",
           config, attributes);
  return xml;
}

static void a_wrong_configuration_is_refused_with_the_reason(void** state) {
  (void)state;
  expect_refused_model(with("<config key='kp' value='much'/>", ""),
                       "mujoco.pid: kp=\"much\" should be 1 number");
  expect_refused_model(with("<config key='kd' value='1 2'/>", ""),
                       "mujoco.pid: kd=\"1 2\" should be 1 number");
  expect_refused_model(with("<config key='kp' value='nan'/>", ""), "kp=\"nan\"");
  expect_refused_model(with("<config key='gain' value='1'/>", ""), "no attribute \"gain\"");
  expect_refused_model(
      with("<config key='ki' value='1'/><config key='imax' value='-1'/>", "actdim='1'"),
      "should have the same sign");
  expect_refused_model(with("<config key='slewmax' value='-1'/>", "actdim='1'"),
                       "slewmax is -1, it should not be negative");
  expect_refused_model(with("<config key='ki' value='1'/>", ""),
                       "actuator 0 has actdim 0, it needs actdim=\"1\"");
  expect_refused_model(with("<config key='ki' value='1'/>", "dyntype='filter' actdim='1'"),
                       "needs actdim=\"2\"");
  expect_refused_model(
      "<mujoco><extension><plugin plugin='mujoco.pid'><instance name='p'/></plugin></extension>"
      "</mujoco>",
      "no actuator uses instance 0");
  expect_refused_model(
      "<mujoco><extension><plugin plugin='mujoco.pid'/></extension><worldbody><body><geom "
      "size='1'/><plugin plugin='mujoco.pid'/></body></worldbody></mujoco>",
      "cannot make passive forces");
}

int main(void) {
  register_pid();
  register_pid();  // twice is once
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(steps_agree_with_the_reference),
      cmocka_unit_test(a_wrong_configuration_is_refused_with_the_reason),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
