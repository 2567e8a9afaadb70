// Derivatives through the matrix M - h D of implicit integrators, where D depends on position,
// velocity, activations and controls: against differences of steps, and products against matrices.

#include <corten/derivative.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "support/fail.h"
#include "support/states.h"
#include "support/text_models.h"

enum { MOST = 80, STATES = 4 };

// A free base with two arms and a ball, on which everything acts; `option`, `tendon` and `actuator`
// are put in.
static const char arms[] =
    "<mujoco><option timestep='.01' %s/>"
    "<default><default class='all'><general gaintype='affine' gainprm='2 1 .5' biastype='affine' "
    "biasprm='.3 -4 -.7'/></default></default>"
    "<worldbody><site name='nail' pos='.3 -.2 .4' euler='20 50 -30'/>"
    "<geom name='post' type='cylinder' size='.08 1' pos='.25 -.1 .2' contype='0' conaffinity='0'/>"
    "<body><freejoint/><geom type='box' size='.1 .07 .05' %s/><site name='hip' pos='.1 0 .05'/>"
    "<geom name='knob' size='.06' pos='.05 .12 .02' contype='0' conaffinity='0'/>"
    "<body pos='.2 .1 0'><joint axis='.3 1 .2'/><joint type='slide' axis='1 .2 .1'/>"
    "<geom type='capsule' size='.05 .08' pos='.1 .05 0' %s/>"
    "<site name='hand' pos='.15 .02 .1' euler='40 10 5'/></body>"
    "<body pos='-.1 .15 .05'><joint name='ball' type='ball'/>"
    "<geom type='ellipsoid' size='.05 .03 .08' pos='0 .1 .1'/>"
    "<site name='foot' pos='.05 .12 -.1' euler='-30 25 60'/></body></body>"
    "<body pos='1 0 0'><joint type='slide' axis='1 0 0'/><joint type='slide' axis='0 1 0'/>"
    "<geom type='box' size='.1 .2 .05'/></body>"
    "<body pos='-1 0 0'><freejoint/><geom type='box' size='.1 .2 .05'/><site name='far'/></body>"
    "</worldbody><tendon><spatial name='string' %s><site site='nail'/><geom geom='post'/>"
    "<site site='hip'/><pulley divisor='2'/><site site='hand'/><geom geom='knob'/>"
    "<site site='foot'/><pulley divisor='3'/><site site='far'/><site site='foot'/></spatial>"
    "</tendon><actuator>%s</actuator></mujoco>";

typedef struct {
  const char *option, *first, *second, *tendon, *actuator;
} Case;

static mjModel* model_of(const Case* c) {
  char xml[6000];
  snprintf(xml, sizeof(xml), arms, c->option, c->first, c->second, c->tendon, c->actuator);
  return text_model(xml);
}

// A state between the borders of everything.
static void make_state(const mjModel* m, mjData* d, unsigned seed) {
  mjtNum turn[MOST];
  mj_resetData(m, d);
  for (int i = 0; i < m->nv; i++) {
    seed = seed * 1664525u + 1013904223u;
    turn[i] = (mjtNum)(0.4 * ((double)(seed >> 8) / 16777216.0 - 0.5));
    seed = seed * 1664525u + 1013904223u;
    d->qvel[i] = (mjtNum)(2 * ((double)(seed >> 8) / 16777216.0 - 0.5));
  }
  mj_integratePos(m, d->qpos, turn, 1);
  for (int i = 0; i < m->nu; i++) d->ctrl[i] = (mjtNum)(0.3 + 0.1 * (i % 5));
  for (int i = 0; i < m->na; i++) d->act[i] = (mjtNum)(0.2 + 0.15 * (i % 4));
}

static int derive(const mjModel* m, mjData* d, int method, mjtNum eps, mjtNum* A, mjtNum* B,
                  ct_DerivativeReport* report) {
  ct_DerivativeOptions options;
  ct_default_derivative_options(&options);
  options.method = method;
  options.eps = eps;
  ct_DerivativeMatrices out = {A, B, NULL, NULL};
  return ct_derivative(m, d, &options, &out, report);
}

static double largest(const mjtNum* x, int n) {
  double most = 0;
  for (int k = 0; k < n; k++) most = fmax(most, fabs((double)x[k]));
  return most;
}

// Largest difference relative to the largest number, of the better of two eps for each column.
static double error_of(const mjtNum* exact, mjtNum* const rough[2], int rows, int columns) {
  double scale = largest(rough[0], rows * columns), worst = 0;
  for (int c = 0; c < columns; c++) {
    double best = HUGE_VAL;
    for (int k = 0; k < 2; k++) {
      double most = 0;
      for (int i = c; i < rows * columns; i += columns) {
        most = fmax(most, fabs((double)(exact[i] - rough[k][i])));
      }
      best = fmin(best, most);
    }
    worst = fmax(worst, best / scale);
  }
  return worst;
}

// A' y and B' y alone, for which no columns are made, against the matrices.
static double product_error(const mjModel* m, mjData* d, const mjtNum* A, const mjtNum* B, int n) {
  mjtNum y[2 * MOST], by_x[2 * MOST], by_u[MOST];
  int nu = (int)m->nu;
  ct_DerivativeReport report;
  ct_DerivativeProduct product = {NULL, NULL, NULL, y, by_x, by_u};
  for (int i = 0; i < n; i++) y[i] = (mjtNum)(1 - 0.3 * (i % 7));
  assert_int_equal(ct_derivative_product(m, d, NULL, &product, &report), 0);
  assert_int_equal(report.method, CT_DERIVATIVE_ANALYTIC);
  double worst = 0, scale = fmax(largest(by_x, n), largest(by_u, nu));
  for (int c = 0; c < n + nu; c++) {
    double sum = 0;
    for (int i = 0; i < n; i++)
      sum += (double)y[i] * (double)(c < n ? A[i * n + c] : B[i * nu + c - n]);
    worst = fmax(worst, fabs(sum - (double)(c < n ? by_x[c] : by_u[c - n])) / scale);
  }
  return worst;
}

static void compare(const char* what, const Case* c) {
  mjModel* m = model_of(c);
  mjData* d = mj_makeData(m);
  int n = (int)(2 * m->nv + m->na), nu = (int)m->nu;
  assert_true(n <= 2 * MOST && nu <= MOST);
  size_t size = (size_t)(n * (n + nu));
  mjtNum* room = (mjtNum*)malloc(3 * size * sizeof(mjtNum));
  mjtNum *A[3], *B[3];
  for (size_t k = 0; k < 3; k++) {
    A[k] = room + k * size;
    B[k] = A[k] + n * n;
  }
  const mjtNum eps[2] = {(mjtNum)PRECISION(1e-5, 1e-2), (mjtNum)PRECISION(1e-6, 3e-3)};
  for (unsigned state = 0; state < STATES; state++) {
    make_state(m, d, state);
    for (int integrator = mjINT_EULER; integrator <= mjINT_IMPLICITFAST; integrator++) {
      ct_DerivativeReport report;
      m->opt.integrator = integrator;
      int failed = derive(m, d, CT_DERIVATIVE_ANALYTIC, eps[0], A[0], B[0], &report);
      if (failed) fail_msg("%s: no analytic derivative, 0x%x", what, (unsigned)report.reasons);
      for (int k = 0; k < 2; k++) {
        failed = derive(m, d, CT_DERIVATIVE_DIFFERENCES, eps[k], A[k + 1], B[k + 1], &report);
        assert_int_equal(failed, 0);
      }
      double error_A = error_of(A[0], A + 1, n, n), error_B = error_of(B[0], B + 1, n, nu);
      if (fmax(error_A, error_B) > PRECISION(1e-7, 3e-2)) {
        fail_msg("%s, state %u, integrator %d: A is off by %g, B by %g", what, state, integrator,
                 error_A, error_B);
      }
      double error = integrator == mjINT_RK4 ? 0 : product_error(m, d, A[0], B[0], n);
      if (error > PRECISION(1e-10, 1e-3)) {
        fail_msg("%s, state %u, integrator %d: product is off by %g", what, state, integrator,
                 error);
      }
    }
  }
  free(room);
  mj_deleteData(d);
  mj_deleteModel(m);
}

static void transmissions_whose_rows_bend(void** state) {
  (void)state;
  static const char* const actuators[] = {
      "<general class='all' site='hand' gear='1 -2 .5 .3 .1 .2'/>",
      "<general class='all' site='hand' refsite='foot' gear='1 -2 .5 .3 0 .1'/>",
      "<general class='all' site='far' refsite='hip' gear='1 .3 .5 .2 -.4 1'/>",
      "<general class='all' cranksite='hand' slidersite='foot' cranklength='1.5' gear='2'/>",
      "<general class='all' cranksite='nail' slidersite='hand' cranklength='.01' gear='1'/>",
      "<general class='all' jointinparent='ball' gear='1 .5 -.3'/>",
      "<general class='all' joint='ball' gear='1 .5 -.3'/>",
      "<general class='all' tendon='string' gear='-2'/>",
      "<general class='all' tendon='string' dyntype='filter' dynprm='.1' actearly='true'/>"
      "<general class='all' site='hand' gear='0 0 1 0 0 0' dyntype='filterexact' dynprm='.1'/>"};
  for (size_t k = 0; k < sizeof(actuators) / sizeof(actuators[0]); k++) {
    const Case c = {"", "mass='2'", "", "", actuators[k]};
    compare(actuators[k], &c);
  }
}

static void dampers_of_tendons(void** state) {
  (void)state;
  const Case c = {"", "mass='2'", "", "damping='3' stiffness='5'", ""};
  compare("a damped string", &c);
}

static void muscles(void** state) {
  (void)state;
  static const char* const actuators[] = {
      "<muscle tendon='string' lengthrange='.2 1.5' force='20'/>",
      "<muscle tendon='string' lengthrange='.2 1.5' force='20' tausmooth='.3' vmax='.8'/>"
      "<muscle tendon='string' lengthrange='.4 1.2' force='10' gear='-.5' vmax='.6'/>",
      "<general site='hand' refsite='foot' gear='1 0 0 0 0 0' lengthrange='-.5 .5' "
      "dyntype='muscle' gaintype='muscle' biastype='muscle' dynprm='.01 .04 .2' "
      "gainprm='.75 1.05 9 200 .5 1.6 1.5 1.3 1.2' biasprm='.75 1.05 9 200 .5 1.6 1.5 1.3 1.2'/>",
      "<general tendon='string' gaintype='muscle' biastype='muscle' lengthrange='.2 1.5' "
      "gainprm='.75 1.05 30 200 .5 1.6 1.5 1.3 1.2' biasprm='.75 1.05 30 200 .5 1.6 1.5 1.3 "
      "1.2'/>"};
  for (size_t k = 0; k < sizeof(actuators) / sizeof(actuators[0]); k++) {
    const Case c = {"", "mass='2'", "", "damping='1'", actuators[k]};
    compare(actuators[k], &c);
  }
}

// Boxes and ellipsoids, of which some have all coefficients; two bodies are simple, so that
// implicitfast keeps nothing but the diagonal of theirs.
static void media(void** state) {
  (void)state;
  static const char ellipsoid[] = "fluidshape='ellipsoid' fluidcoef='.5 .25 1.5 1 1.2'";
  const Case boxes = {"density='800' viscosity='.3' wind='.4 -.3 .2'", "", "", "", ""};
  const Case ellipsoids = {"density='800' viscosity='.3' wind='.4 -.3 .2'", ellipsoid, ellipsoid,
                           "damping='1'", ""};
  const Case thin = {"density='1.2' viscosity='.001'", ellipsoid, "", "", ""};
  compare("boxes in a medium", &boxes);
  compare("ellipsoids in a medium", &ellipsoids);
  compare("an ellipsoid in thin air", &thin);
}

// Ellipsoids so small that denominators of lift and drag are cut off.
static void small_ellipsoids(void** state) {
  (void)state;
  SKIP_IN_SINGLE_PRECISION();
  mjModel* m = text_model(
      "<mujoco><option density='1.2' timestep='1e-3' wind='0 .02 .01'/><worldbody><body>"
      "<freejoint/><geom type='ellipsoid' size='.004 .002 .003' fluidshape='ellipsoid' "
      "mass='1e-6'/>"
      "<body pos='.004 0 0'><joint axis='0 1 .2'/><geom type='ellipsoid' size='.003 .0003 .002' "
      "pos='.003 0 0' fluidshape='ellipsoid' mass='1e-7'/></body></body></worldbody></mujoco>");
  mjData* d = mj_makeData(m);
  mjtNum A[3][14 * 14];
  make_state(m, d, 5);
  for (int i = 0; i < m->nv; i++) d->qvel[i] *= (mjtNum)(i < 3 ? 0.1 : 10);
  for (int integrator = mjINT_EULER; integrator <= mjINT_IMPLICITFAST; integrator++) {
    ct_DerivativeReport report;
    m->opt.integrator = integrator;
    assert_int_equal(derive(m, d, CT_DERIVATIVE_ANALYTIC, (mjtNum)1e-6, A[0], NULL, &report), 0);
    for (int k = 1; k < 3; k++) {
      mjtNum eps = (mjtNum)(k == 1 ? 1e-6 : 1e-7);
      assert_int_equal(derive(m, d, CT_DERIVATIVE_DIFFERENCES, eps, A[k], NULL, &report), 0);
    }
    mjtNum* const rough[2] = {A[1], A[2]};
    double error = error_of(A[0], rough, 14, 14);
    if (error > 1e-7) fail_msg("integrator %d: A is off by %g", integrator, error);
  }
  mj_deleteData(d);
  mj_deleteModel(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(transmissions_whose_rows_bend),
      cmocka_unit_test(dampers_of_tendons),
      cmocka_unit_test(muscles),
      cmocka_unit_test(media),
      cmocka_unit_test(small_ellipsoids),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
