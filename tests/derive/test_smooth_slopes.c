// Derivatives through everything smooth, against differences of steps with all integrators, and
// products against matrices: transmissions, muscles, dampers and media, on which the matrix M - h D
// of implicit integrators depends too; strings inside of geoms, adhesion, limits of forces.

#include <corten/derivative.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "support/fail.h"
#include "support/states.h"
#include "support/text_models.h"

enum { MOST = 80, STATES = 4, NEPS = 3 };

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
  double most = PRECISION(1e-3, 1);
  for (int k = 0; k < n; k++) most = fmax(most, fabs((double)x[k]));
  return most;
}

// Largest difference relative to the largest number, of the best eps for each column.
static double error_of(const mjtNum* exact, mjtNum* const rough[NEPS], int rows, int columns) {
  double scale = largest(rough[0], rows * columns), worst = 0;
  for (int c = 0; c < columns; c++) {
    double best = HUGE_VAL;
    for (int k = 0; k < NEPS; k++) {
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

// At the state that d has, with all integrators.
static void compare_state(const char* what, mjModel* m, mjData* d, unsigned state) {
  int n = (int)(2 * m->nv + m->na), nu = (int)m->nu;
  assert_true(n <= 2 * MOST && nu <= MOST);
  size_t size = (size_t)(n * (n + nu));
  mjtNum* room = (mjtNum*)malloc((NEPS + 1) * size * sizeof(mjtNum));
  mjtNum *A[NEPS + 1], *B[NEPS + 1];
  for (size_t k = 0; k <= NEPS; k++) {
    A[k] = room + k * size;
    B[k] = A[k] + n * n;
  }
  const mjtNum eps[NEPS] = {(mjtNum)PRECISION(1e-4, 1e-2), (mjtNum)PRECISION(1e-5, 3e-3),
                            (mjtNum)PRECISION(1e-6, 1e-3)};
  for (int integrator = mjINT_EULER; integrator <= mjINT_IMPLICITFAST; integrator++) {
    ct_DerivativeReport report;
    m->opt.integrator = integrator;
    int failed = derive(m, d, CT_DERIVATIVE_ANALYTIC, eps[0], A[0], B[0], &report);
    if (failed) fail_msg("%s: no analytic derivative, 0x%x", what, (unsigned)report.reasons);
    for (int k = 0; k < NEPS; k++) {
      failed = derive(m, d, CT_DERIVATIVE_DIFFERENCES, eps[k], A[k + 1], B[k + 1], &report);
      assert_int_equal(failed, 0);
    }
    double error_A = error_of(A[0], A + 1, n, n), error_B = error_of(B[0], B + 1, n, nu);
    double bar = PRECISION(1e-7, 3e-2);
#ifdef CT_FAST
    // Without a tolerance a descent ends where rounding of the cost decides, up to 1e-8 before the
    // solution; in this build it does so for some elliptic contacts, and that is 1e-4 of a nudge.
    if (m->opt.cone == mjCONE_ELLIPTIC) bar = 1e-3;
#endif
    if (fmax(error_A, error_B) > bar) {
      fail_msg("%s, state %u, integrator %d: A is off by %g, B by %g", what, state, integrator,
               error_A, error_B);
    }
    double error = integrator == mjINT_RK4 ? 0 : product_error(m, d, A[0], B[0], n);
    if (error > PRECISION(1e-10, 1e-3)) {
      fail_msg("%s, state %u, integrator %d: product is off by %g", what, state, integrator, error);
    }
  }
  free(room);
}

static void compare_model(const char* what, mjModel* m) {
  m->opt.tolerance = 0;  // a quotient of residuals is no derivative
  m->opt.iterations = 100;
  mjData* d = mj_makeData(m);
  for (unsigned state = 0; state < STATES; state++) {
    make_state(m, d, state);
    compare_state(what, m, d, state);
  }
  mj_deleteData(d);
  mj_deleteModel(m);
}

static void compare(const char* what, const Case* c) {
  compare_model(what, model_of(c));
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

// Forces that grow with velocity by more than M / h, so that the matrix has a negative pivot.
static void forces_that_outweigh_inertia(void** state) {
  (void)state;
  SKIP_IN_SINGLE_PRECISION();  // nudges that float can see cross borders
  const Case c = {"", "mass='2'", "", "",
                  "<general site='hand' gear='0 1 1 0 0 0' biastype='affine' biasprm='0 0 300'/>"};
  compare("a force that grows", &c);
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

// R12.10: passive forces of muscles up to far beyond the length at which they become straight
// lines.
static void stretched_muscles(void** state) {
  (void)state;
  SKIP_IN_SINGLE_PRECISION();
  mjModel* m = text_model(
      "<mujoco><worldbody><body><joint name='slide' type='slide' axis='1 0 0' damping='.5'/>"
      "<geom size='.1' mass='1'/></body></worldbody><actuator><muscle joint='slide' "
      "lengthrange='-1 -.2'/></actuator></mujoco>");
  mjData* d = mj_makeData(m);
  for (int i = 0; i < 30; i++) {
    ct_DerivativeCheck check;
    d->qpos[0] = (mjtNum)(-0.93 + 0.07 * i);
    d->qvel[0] = (mjtNum)0.1;
    d->act[0] = (mjtNum)0.3;
    d->ctrl[0] = (mjtNum)0.5;
    m->opt.integrator = i % 4;
    assert_int_equal(ct_check_derivative(m, d, NULL, &check), 0);
    if (!(check.error_A <= 1e-7)) fail_msg("at %g off by %g", (double)d->qpos[0], check.error_A);
  }
  mj_deleteData(d);
  mj_deleteModel(m);
}

// R12.10: an activation that its limit holds depends on nothing.
static void activations_at_their_limits(void** state) {
  (void)state;
  SKIP_IN_SINGLE_PRECISION();
  mjModel* m = text_model(
      "<mujoco><option timestep='.01'/><worldbody><body><joint name='slide' type='slide'/>"
      "<geom size='.1' mass='1'/></body></worldbody><actuator><general joint='slide' "
      "dyntype='integrator' actlimited='true' actrange='-.1 .1'/></actuator></mujoco>");
  mjData* d = mj_makeData(m);
  for (int i = 0; i < 8; i++) {
    bool held = i < 4;
    ct_DerivativeCheck check;
    mjtNum A[9], B[3], by_act = held ? 0 : 1, by_ctrl = held ? 0 : (mjtNum)0.01;
    ct_DerivativeMatrices out = {A, B, NULL, NULL};
    d->act[0] = (mjtNum)0.0995;
    d->ctrl[0] = (mjtNum)(held ? 1 : -1);
    m->opt.integrator = i % 4;
    assert_int_equal(ct_derivative(m, d, NULL, &out, NULL), 0);
    expect_close("act by act", A + 8, &by_act, 1, 1e-14);
    expect_close("act by ctrl", B + 2, &by_ctrl, 1, 1e-14);
    assert_int_equal(ct_check_derivative(m, d, NULL, &check), 0);
    if (!(fmax(check.error_A, check.error_B) <= 1e-7)) fail_msg("integrator %d differs", i % 4);
  }
  mj_deleteData(d);
  mj_deleteModel(m);
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

// At rest damping has a kink, which implicit integrators solve with. Derivatives are the mean of
// both sides there, for boxes and ellipsoids alike, as centred differences are; those to one side
// are others.
static void a_medium_at_rest_has_the_mean_of_both_sides(void** state) {
  (void)state;
  SKIP_IN_SINGLE_PRECISION();
  static const char* const shapes[] = {"type='box'", "type='ellipsoid' fluidshape='ellipsoid'"};
  for (int k = 0; k < 4; k++) {
    char text[1000];
    snprintf(text, sizeof(text),
             "<mujoco><option density='1000' viscosity='.1' timestep='.01'/><worldbody><body>"
             "<freejoint/><geom %s size='.1 .05 .07' mass='2'/><body pos='.2 0 .1'>"
             "<joint axis='0 1 .2'/><geom %s size='.1 .05 .07' mass='1'/></body></body></worldbody>"
             "</mujoco>",
             shapes[k % 2], shapes[k % 2]);
    mjModel* m = text_model(text);
    mjData* d = mj_makeData(m);
    mjtNum A[3][14 * 14];
    ct_DerivativeOptions options;
    ct_default_derivative_options(&options);
    m->opt.integrator = k < 2 ? mjINT_IMPLICIT : mjINT_IMPLICITFAST;
    for (int i = 0; i < 3; i++) {  // formulas, centred, one-sided
      ct_DerivativeMatrices out = {A[i], NULL, NULL, NULL};
      options.method = i ? CT_DERIVATIVE_DIFFERENCES : CT_DERIVATIVE_ANALYTIC;
      options.centred = i == 1;
      options.eps = (mjtNum)1e-7;
      assert_int_equal(ct_derivative(m, d, &options, &out, NULL), 0);
    }
    mjtNum *const both[NEPS] = {A[1], A[1], A[1]}, *const one[NEPS] = {A[2], A[2], A[2]};
    double error = error_of(A[0], both, 14, 14), other = error_of(A[0], one, 14, 14);
    if (error > 1e-7 || other < 1e-3) {
      fail_msg("%s: off by %g from centred differences, by %g from one-sided ones", shapes[k % 2],
               error, other);
    }
    mj_deleteData(d);
    mj_deleteModel(m);
  }
}

// Ellipsoids so small that denominators of lift and drag are cut off.
static void small_ellipsoids(void** state) {
  (void)state;
  SKIP_IN_SINGLE_PRECISION();
  mjModel* m = text_model(
      "<mujoco><option density='20' timestep='1e-4' wind='0 .02 .01'/><worldbody><body>"
      "<freejoint/><inertial pos='0 0 0' mass='1e-8' diaginertia='3e-15 4e-15 5e-15'/>"
      "<geom type='ellipsoid' size='.001 .0004 .0007' fluidshape='ellipsoid'/>"
      "<body pos='.001 0 0'><joint axis='0 1 .2'/><inertial pos='.0007 0 0' mass='1e-8' "
      "diaginertia='2e-15 3e-15 4e-15'/><geom type='ellipsoid' size='.0007 .0001 .0005' "
      "pos='.0007 0 0' fluidshape='ellipsoid'/></body></body></worldbody></mujoco>");
  mjData* d = mj_makeData(m);
  mjtNum A[NEPS + 1][14 * 14];
  make_state(m, d, 5);
  for (int i = 0; i < m->nv; i++) d->qvel[i] *= (mjtNum)(i < 3 ? 0.02 : 5);
  for (int integrator = mjINT_EULER; integrator <= mjINT_IMPLICITFAST; integrator++) {
    ct_DerivativeReport report;
    m->opt.integrator = integrator;
    assert_int_equal(derive(m, d, CT_DERIVATIVE_ANALYTIC, (mjtNum)1e-6, A[0], NULL, &report), 0);
    for (int k = 1; k <= NEPS; k++) {
      mjtNum eps = (mjtNum)pow(10, -4 - k);
      assert_int_equal(derive(m, d, CT_DERIVATIVE_DIFFERENCES, eps, A[k], NULL, &report), 0);
    }
    mjtNum* const rough[NEPS] = {A[1], A[2], A[3]};
    double error = error_of(A[0], rough, 14, 14);
    if (error > 1e-7) fail_msg("integrator %d: A is off by %g", integrator, error);
  }
  mj_deleteData(d);
  mj_deleteModel(m);
}

// Through a sphere or a cylinder, with ends on different sides of it and on one; with a limit that
// holds them or not.
static void strings_inside_of_geoms(void** state) {
  (void)state;
  static const char xml[] =
      "<mujoco><option timestep='.01'/><worldbody>"
      "<body><joint axis='0 0 1'/><joint axis='0 1 0' pos='.1 0 0'/>"
      "<geom name='ring' %s mass='3' contype='0' conaffinity='0'/><site name='in' pos='.01 .02 "
      ".03'/>"
      "</body><body pos='.3 .05 .1'><freejoint/><geom size='.05' mass='1' contype='0' "
      "conaffinity='0'/><site name='a' pos='.05 .02 .01'/></body>"
      "<body pos='%s'><joint type='ball'/><geom size='.05' pos='.1 0 0' contype='0' "
      "conaffinity='0'/><site name='b' pos='.05 .04 -.1'/></body></worldbody>"
      "<tendon><spatial name='s' stiffness='50' damping='2' springlength='.05' range='0 .3' "
      "limited='%s'><site site='a'/><geom geom='ring' sidesite='in'/><site site='b'/></spatial>"
      "</tendon><actuator><general tendon='s' gaintype='affine' gainprm='2 1 .5' biastype='affine' "
      "biasprm='.3 -4 -.7'/></actuator></mujoco>";
  static const char *const geoms[] = {"size='.1'", "type='cylinder' size='.1 .3'"},
                           *const places[] = {".1 .3 .05", ".5 .15 .1"};
  for (int k = 0; k < 8; k++) {
    char text[2000], what[100];
    snprintf(text, sizeof(text), xml, geoms[k % 2], places[k / 2 % 2], k / 4 ? "true" : "false");
    snprintf(what, sizeof(what), "string %d inside of %s", k, geoms[k % 2]);
    compare_model(what, text_model(text));
  }
}

// A string that touches a cylinder from inside where the iteration has given up, so that the slope
// of its length is J and a gap of 2e-3. Whatever asks for the length has to know of it: springs,
// actuators, limits, equalities, straight and bent, of one tendon and of two, and sensors.
static void strings_whose_length_has_another_slope_than_J(void** state) {
  (void)state;
  SKIP_IN_SINGLE_PRECISION();
  static const char xml[] =
      "<mujoco><option timestep='.01' gravity='0 0 0' jacobian='dense'/><worldbody>"
      "<body><joint axis='0 0 1'/><joint axis='0 1 0' pos='.1 0 0'/>"
      "<geom name='ring' type='cylinder' size='.1 .3' mass='3' contype='0' conaffinity='0'/>"
      "<site name='in' pos='.01 .02 .03'/></body>"
      "<body pos='.3 .05 .1'><freejoint/><geom size='.05' mass='1' contype='0' conaffinity='0'/>"
      "<site name='a' pos='.05 .02 .01'/></body>"
      "<body pos='.1 .3 .05'><joint type='ball'/><geom size='.05' pos='.1 0 0' contype='0' "
      "conaffinity='0'/><site name='b' pos='.05 .04 -.1'/></body>"
      "<body pos='2 0 0'><joint name='x' type='slide'/><geom size='.05'/></body></worldbody>"
      "<tendon><spatial name='s' %s><site site='a'/><geom geom='ring' sidesite='in'/>"
      "<site site='b'/></spatial><fixed name='f'><joint joint='x' coef='1'/></fixed></tendon>%s"
      "<sensor><tendonpos tendon='s'/></sensor></mujoco>";
  static const char* const cases[][2] = {
      {"stiffness='50' springlength='.05'", ""},
      {"",
       "<actuator><general tendon='s' gaintype='affine' gainprm='2 9 0' biastype='affine' "
       "biasprm='.3 -40 0'/></actuator>"},
      {"", "<actuator><muscle tendon='s' lengthrange='.1 .6' force='90' vmax='.5'/></actuator>"},
      {"range='0 .1' limited='true'", ""},
      {"", "<equality><tendon tendon1='s' polycoef='.2 0 0 0 0'/></equality>"},
      {"", "<equality><tendon tendon1='f' tendon2='s' polycoef='.1 1 0 0 0'/></equality>"},
      {"", "<equality><tendon tendon1='f' tendon2='s' polycoef='.1 1 3 2 0'/></equality>"},
  };
  for (size_t k = 0; k < sizeof(cases) / sizeof(cases[0]); k++) {
    char text[3000];
    snprintf(text, sizeof(text), xml, cases[k][0], cases[k][1]);
    mjModel* m = text_model(text);
    m->opt.tolerance = 0;
    m->opt.iterations = 100;
    mjData* d = mj_makeData(m);
    mjtNum turn[MOST] = {0}, C[2 * MOST], most = 0;
    unsigned seed = 91;
    for (int i = 0; i < 11; i++) {
      seed = seed * 1664525u + 1013904223u;
      turn[i] = (mjtNum)(0.8 * ((double)(seed >> 8) / 16777216.0 - 0.5));
      d->qvel[i] = turn[i] / 2;
    }
    mj_integratePos(m, d->qpos, turn, 1);
    for (int i = 0; i < m->nu; i++) d->ctrl[i] = (mjtNum)0.7;
    for (int i = 0; i < m->na; i++) d->act[i] = (mjtNum)0.4;
    compare_state(*cases[k][0] ? cases[k][0] : cases[k][1], m, d, 91);

    // what the scene is for
    ct_DerivativeMatrices out = {NULL, NULL, C, NULL};
    assert_int_equal(ct_derivative(m, d, NULL, &out, NULL), 0);
    mj_forward(m, d);
    for (int i = 0; i < 11; i++) {
      most = (mjtNum)fmax((double)most, fabs((double)(C[i] - d->ten_J[i])));
    }
    assert_true(most > 1e-3 && most < 1e-2);
    mj_deleteData(d);
    mj_deleteModel(m);
  }
}

// Balls that stick to a floor and to each other, some contacts in the gap, where they have no rows.
static void adhesion(void** state) {
  (void)state;
  SKIP_IN_SINGLE_PRECISION();  // nudges that float can see cross borders
  static const char xml[] =
      "<mujoco><option cone='%s'/><worldbody><geom type='plane' size='2 2 .1' pos='0 0 -.19'/>"
      "<body name='one'><joint type='slide' axis='0 0 1'/><joint axis='1 0 .2'/>"
      "<joint axis='0 1 .1'/><geom size='.2 .1' type='capsule' margin='.2' gap='%s'/>"
      "<body name='two' pos='.1 .2 .3'><joint type='ball'/><geom size='.1' pos='.1 .1 .1' "
      "margin='.2' gap='%s'/></body></body>"
      "<body name='three' pos='-.3 .1 .4'><freejoint/><geom type='capsule' size='.1 .2' "
      "margin='.2' "
      "gap='%s'/></body></worldbody><actuator><adhesion body='one' ctrlrange='0 1' gain='20'/>"
      "<general body='three' gainprm='5 0 .5' gaintype='affine' biastype='affine' "
      "biasprm='1 0 -.5'/></actuator></mujoco>";
  for (int k = 0; k < 4; k++) {
    char text[2000];
    const char *wide = ".2", *cone = k % 2 ? "elliptic" : "pyramidal", *gap = k / 2 ? wide : "0";
    snprintf(text, sizeof(text), xml, cone, wide, gap, gap);
    compare_model("adhesion", text_model(text));
  }
}

// Inertia along a path through sites: over branches and two trees, of which M has no product.
static void tendons_with_inertia(void** state) {
  (void)state;
  compare_model(
      "inertia of tendons",
      text_model(
          "<mujoco><worldbody><site name='nail' pos='.3 -.2 .4'/>"
          "<body><freejoint/><geom size='.1'/><site name='hip' pos='.1 0 .05'/>"
          "<body pos='.2 .1 0'><joint axis='.3 1 .2' damping='.1'/><joint type='slide' "
          "axis='1 .2 .1'/><geom size='.05' pos='.1 .05 0'/><site name='hand' pos='.15 .02 .1'/>"
          "</body><body pos='-.1 .15 .05'><joint type='ball' damping='.1'/><geom size='.05' "
          "pos='0 .1 .1'/><site name='foot' pos='.05 .12 -.1'/></body></body>"
          "<body pos='1 0 0'><freejoint/><geom type='box' size='.1 .2 .05'/><site name='far' "
          "pos='.1 .1 0'/></body></worldbody><tendon>"
          "<spatial armature='.3'><site site='nail'/><site site='hip'/><site site='hand'/>"
          "<pulley divisor='2'/><site site='hand'/><site site='foot'/></spatial>"
          "<spatial armature='.2' damping='1'><site site='hand'/><site site='far'/></spatial>"
          "</tendon></mujoco>"));
}

// Actuators of a tendon whose sum is at its limit, with different gears.
static void limits_of_tendons(void** state) {
  (void)state;
  const Case c = {"", "mass='2'", "", "actuatorfrclimited='true' actuatorfrcrange='-.5 .5'",
                  "<general class='all' tendon='string' gear='2'/>"
                  "<general tendon='string' gear='.5' gainprm='-9' dyntype='filter' dynprm='.1' "
                  "biastype='affine' biasprm='-3 -2 -1'/>"};
  compare("tendon at its limit", &c);
}

// Gravity compensation that actuators bear, and a string that pulls, both on joints of which some
// are at the limit of their force.
static void forces_at_limits(void** state) {
  (void)state;
  compare_model(
      "limits",
      text_model(
          "<mujoco><worldbody><site name='nail' pos='.3 -.2 .4'/>"
          "<body gravcomp='.7'><joint name='a' axis='0 1 0' actuatorgravcomp='true' "
          "actuatorfrclimited='true' actuatorfrcrange='-.01 .01'/><geom size='.1' pos='.3 0 0'/>"
          "<body pos='.3 .1 0' gravcomp='1.2'><joint name='b' axis='.1 1 .2' "
          "actuatorgravcomp='true'/><geom size='.1' pos='.2 0 .1'/>"
          "<body pos='.3 0 0'><joint name='c' axis='0 .3 1' actuatorfrclimited='true' "
          "actuatorfrcrange='-100 100'/><geom size='.05' pos='0 .2 0'/><site name='end' "
          "pos='.1 .2 .1'/></body></body></body></worldbody><tendon><spatial name='string'>"
          "<site site='nail'/><site site='end'/></spatial></tendon><actuator><general "
          "tendon='string' gainprm='-30' biastype='affine' biasprm='0 -5 -.5'/>"
          "<motor joint='c'/></actuator></mujoco>"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(forces_that_outweigh_inertia),
      cmocka_unit_test(transmissions_whose_rows_bend),
      cmocka_unit_test(dampers_of_tendons),
      cmocka_unit_test(muscles),
      cmocka_unit_test(stretched_muscles),
      cmocka_unit_test(activations_at_their_limits),
      cmocka_unit_test(media),
      cmocka_unit_test(a_medium_at_rest_has_the_mean_of_both_sides),
      cmocka_unit_test(small_ellipsoids),
      cmocka_unit_test(strings_inside_of_geoms),
      cmocka_unit_test(strings_whose_length_has_another_slope_than_J),
      cmocka_unit_test(adhesion),
      cmocka_unit_test(forces_at_limits),
      cmocka_unit_test(tendons_with_inertia),
      cmocka_unit_test(limits_of_tendons),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
