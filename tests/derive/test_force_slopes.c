// Derivatives of forces that actuators exert between two ends.

#include <corten/derivative.h>

#include <math.h>
#include <stdio.h>

#include "support/fail.h"
#include "support/states.h"
#include "support/text_models.h"

// A free base with two arms, and a site in the world; forces depend on length and speed.
static mjModel* two_arms(const char* actuator) {
  char xml[2500];
  snprintf(xml, sizeof(xml),
           "<mujoco><worldbody><site name='nail' pos='.3 -.2 .4' euler='20 50 -30'/>"
           "<body><freejoint/><geom size='.1' mass='2'/><site name='hip' pos='.1 0 .05'/>"
           "<body pos='.2 .1 0'><joint axis='.3 1 .2'/><joint type='slide' axis='1 .2 .1'/>"
           "<geom size='.05' pos='.1 .05 0'/><site name='hand' pos='.15 .02 .1' euler='40 10 5'/>"
           "</body><body pos='-.1 .15 .05'><joint type='ball'/><geom size='.05' pos='0 .1 .1'/>"
           "<site name='foot' pos='.05 .12 -.1' euler='-30 25 60'/></body></body></worldbody>"
           "<actuator><general %s gaintype='affine' gainprm='2 1 .5' biastype='affine' "
           "biasprm='.3 -4 -.7'/></actuator></mujoco>",
           actuator);
  return text_model(xml);
}

static void compare(const char* actuator) {
  enum { NV = 11 };
  mjModel* m = two_arms(actuator);
  mjData* d = mj_makeData(m);
  mjtNum exact[NV * NV], rough[NV * NV], turn[NV];
  assert_int_equal(m->nv, NV);
  for (int i = 0; i < NV; i++) {
    turn[i] = (mjtNum)0.1 * (mjtNum)(i % 4 - 1);
    d->qvel[i] = (mjtNum)0.3 * (mjtNum)(i % 3 - 1) + (mjtNum)0.1;
  }
  mj_integratePos(m, d->qpos, turn, 1);
  d->ctrl[0] = (mjtNum)0.8;
  ct_DerivativeOptions options;
  ct_DerivativeReport report;
  ct_ForwardMatrices out = {exact, NULL, NULL, NULL, NULL};
  ct_default_derivative_options(&options);
  options.method = CT_DERIVATIVE_ANALYTIC;
  assert_int_equal(ct_forward_derivative(m, d, &options, &out, &report), 0);
  assert_int_equal(report.reasons, 0);
  options.method = CT_DERIVATIVE_DIFFERENCES;
  options.eps = (mjtNum)PRECISION(1e-6, 3e-3);
  out.q = rough;
  assert_int_equal(ct_forward_derivative(m, d, &options, &out, &report), 0);
  double scale = 0;
  for (int k = 0; k < NV * NV; k++) scale = fmax(scale, fabs((double)rough[k]));
  for (int k = 0; k < NV * NV; k++) {
    double error = fabs((double)(exact[k] - rough[k])) / scale;
    if (error > PRECISION(1e-7, 2e-2)) {
      fail_msg("%s: (%d, %d) is %.9g, by differences %.9g", actuator, k / NV, k % NV,
               (double)exact[k], (double)rough[k]);
    }
  }
  mj_deleteData(d);
  mj_deleteModel(m);
}

// In the frame of a site that moves too, on one tree or from the world; what is measured of their
// turn is not that of the sites alone, so that the base changes it.
static void forces_between_a_site_and_its_reference(void** state) {
  (void)state;
  compare("site='hand' refsite='foot' gear='1 -2 .5 0 0 0'");
  compare("site='hand' refsite='foot' gear='0 0 0 .7 .4 -1'");
  compare("site='foot' refsite='hip' gear='1 .3 .5 .2 -.4 1'");
  compare("site='nail' refsite='hand' gear='1 .3 .5 .2 -.4 1'");
}

// With a rod that reaches the axis of the slider, and with one that does not.
static void forces_of_slider_cranks(void** state) {
  (void)state;
  compare("cranksite='hand' slidersite='foot' cranklength='1.5' gear='2'");
  compare("cranksite='foot' slidersite='nail' cranklength='2' gear='-1'");
  compare("cranksite='nail' slidersite='hand' cranklength='.01' gear='1'");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(forces_between_a_site_and_its_reference),
      cmocka_unit_test(forces_of_slider_cranks),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
