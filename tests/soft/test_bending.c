// R20.13: shells that bend by the angle between their triangles.

#include <math.h>
#include <mujoco/mujoco.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "support/fail.h"
#include "support/text_models.h"

static mjModel* m;
static mjData* d;

static void open_model(const char* text) {
  m = text_model(text);
  d = mj_makeData(m);
  mj_forward(m, d);
}

static void close_model(void) {
  mj_deleteData(d);
  mj_deleteModel(m);
}

// A strip of equilateral triangles along x, `wide` vertices in each of `columns`; the first three
// columns are held.
static const double edge = 0.02, young = 1e7, thickness = 1e-3;

static void open_strip(int columns, int wide) {
  static char text[20000];
  size_t at = 0;
  double height = edge * sqrt(0.75);
#define PUT(...) at += (size_t)snprintf(text + at, sizeof(text) - at, __VA_ARGS__)
  PUT("<mujoco><option timestep='.002' gravity='0 0 0' integrator='implicitfast'/><default>"
      "<joint damping='3e-4'/></default><worldbody><flexcomp name='strip' type='direct' dim='2'"
      " radius='.001' mass='%g' point='",
      2e-4 * columns * wide);
  for (int i = 0; i < columns; i++) {
    for (int j = 0; j < wide; j++) PUT("%.12g %.12g 0 ", height * i, edge * (j + 0.5 * (i % 2)));
  }
  PUT("' element='");
  for (int i = 0; i < columns - 1; i++) {
    for (int j = 0; j < wide - 1; j++) {
      int a = i * wide + j, b = a + wide, c = b + 1, e = a + 1;
      if (i % 2) {
        PUT("%d %d %d %d %d %d ", a, b, c, a, c, e);
      } else {
        PUT("%d %d %d %d %d %d ", a, b, e, b, c, e);
      }
    }
  }
  PUT("'><pin range='0 %d'/><edge equality='true'/><contact selfcollide='none'/>"
      "<elasticity young='%g' poisson='.3' thickness='%g' elastic2d='bend' bending='dihedral'/>"
      "</flexcomp></worldbody></mujoco>",
      3 * wide - 1, young, thickness);
#undef PUT
  open_model(text);
}

// Held from the middle of the last edge that cannot bend, F L^3 / (3 E I).
static void a_strip_bends_as_euler_and_bernoulli_say(void** state) {
  (void)state;
  enum { COLUMNS = 18, WIDE = 4 };
  open_strip(COLUMNS, WIDE);
  double still = sizeof(mjtNum) == 4 ? 1e-4 : 1e-9;
  for (int i = 0; i < m->nv; i++) assert_true(fabs((double)d->qfrc_spring[i]) < still);

  double height = edge * sqrt(0.75), length = height * (COLUMNS - 1 - 1.5), deflection = 0.02;
  double stiffness = young * (WIDE - 1) * edge * pow(thickness, 3) / 12;  // E I
  double force = 3 * stiffness * deflection / pow(length, 3), tip = 0, speed = 1;
  for (int j = 0; j < WIDE; j++) {
    int body = m->flex_vertbodyid[(COLUMNS - 1) * WIDE + j];
    d->xfrc_applied[6 * body + 2] = (mjtNum)(force / WIDE);
  }
  for (int i = 0; i < 10000 && speed > 1e-5; i++) {
    mj_step(m, d);
    speed = (double)mju_norm(d->qvel, (int)m->nv);
  }
  for (int j = 0; j < WIDE; j++) {
    tip += (double)d->flexvert_xpos[3 * ((COLUMNS - 1) * WIDE + j) + 2] / WIDE;
  }
  if (!(fabs(tip / deflection - 1) < 0.05)) {
    fail_msg("the tip is at %g, expected %g (speed %g)", tip, deflection, speed);
  }
  close_model();
}

// Two triangles that are folded at rest.
static const char fold[] =
    "<mujoco><option gravity='0 0 0'/><worldbody><flexcomp name='fold' type='direct' dim='2'"
    " radius='.001' mass='1' point='.1 0 0  0 .1 0  -.05 .02 .06  .11 .12 .05'"
    " element='0 1 2 1 0 3'><contact selfcollide='none'/><elasticity young='1e6' poisson='.2'"
    " thickness='.01' elastic2d='bend' bending='dihedral' damping='.01'/></flexcomp></worldbody>"
    "</mujoco>";

static void expect_balance(const mjtNum* force, bool some) {
  double sum[3] = {0, 0, 0}, torque[3] = {0, 0, 0}, most = 0;
  for (int v = 0; v < 4; v++) {
    const mjtNum *f = force + 3 * v, *x = d->flexvert_xpos + 3 * v;
    for (int k = 0; k < 3; k++) {
      int a = (k + 1) % 3, b = (k + 2) % 3;
      sum[k] += (double)f[k];
      torque[k] += (double)(x[a] * f[b] - x[b] * f[a]);
      most = fmax(most, fabs((double)f[k]));
    }
  }
  assert_true((most > 1e-3) == some);
  for (int k = 0; k < 3; k++) {
    double tolerance = sizeof(mjtNum) == 4 ? 1e-4 : 1e-12;
    if (!(fabs(sum[k]) < tolerance * (1 + most) && fabs(torque[k]) < tolerance * (1 + most))) {
      fail_msg("axis %d: force %g, torque %g are left", k, sum[k], torque[k]);
    }
  }
}

static double bending_energy(void) {
  const mjtNum* x = d->flexvert_xpos;
  mjtNum e[3], c[3], f[3], n1[3], n2[3], cross[3];
  int at = 0;
  while (m->flex_edgeflap[2 * at + 1] < 0) at++;
  const int *end = m->flex_edge + 2 * at, *flap = m->flex_edgeflap + 2 * at;
  mju_sub3(e, x + 3 * end[1], x + 3 * end[0]);
  mju_sub3(c, x + 3 * flap[0], x + 3 * end[0]);
  mju_sub3(f, x + 3 * flap[1], x + 3 * end[0]);
  mju_cross(n1, e, c);
  mju_cross(n2, f, e);
  mju_cross(cross, n1, n2);
  double angle = atan2((double)(mju_dot3(e, cross) / mju_norm3(e)), (double)mju_dot3(n1, n2));
  const mjtNum* b = m->flex_bending + 17 * at;
  assert_true(b[0] == 0);
  return (double)b[1] * pow(angle - (double)b[2], 2) / 2;
}

static void forces_are_the_gradient_of_the_energy_and_leave_momentum_alone(void** state) {
  (void)state;
  open_model(fold);
  expect_balance(d->qfrc_spring, false);
  for (int i = 0; i < m->nv; i++) {
    d->qpos[i] = (mjtNum)(0.02 * sin(7.0 * i + 1));
    d->qvel[i] = (mjtNum)(0.3 * cos(5.0 * i));
  }
  mj_forward(m, d);
  mjtNum force[12];
  mju_copy(force, d->qfrc_spring, 12);
  expect_balance(force, true);
  expect_balance(d->qfrc_damper, true);
  assert_true(mju_dot(d->qfrc_damper, d->qvel, 12) < 0);
  for (int i = 0; i < 12 && sizeof(mjtNum) == 8; i++) {
    double energy[2];
    for (int side = 0; side < 2; side++) {
      mjtNum kept = d->qpos[i];
      d->qpos[i] += (mjtNum)(side ? 1e-6 : -1e-6);
      mj_kinematics(m, d);
      mj_flex(m, d);
      energy[side] = bending_energy();
      d->qpos[i] = kept;
    }
    double slope = (energy[1] - energy[0]) / 2e-6;
    if (!(fabs(slope + (double)force[i]) < 1e-5 * (1 + fabs(slope)))) {
      fail_msg("dof %d: force %g, slope of the energy %g", i, (double)force[i], slope);
    }
  }
  close_model();
}

// A fold that swings about its rest: what bending stores is in the potential energy, which the
// sensor and mj_energyPos have as well, and nothing is lost (R8.3, R20.13).
static void energy_counts_what_bending_stores_and_is_kept(void** state) {
  (void)state;
  static const char damping[] = " damping='.01'", end[] = "</mujoco>";
  char text[1000];
  const char* at = strstr(fold, damping);
  snprintf(text, sizeof(text), "%.*s%s", (int)(at - fold), fold, at + strlen(damping));
  strcpy(strstr(text, end), "<sensor><e_potential/></sensor></mujoco>");
  open_model(text);
  m->opt.enableflags |= mjENBL_ENERGY;
  m->opt.integrator = mjINT_RK4;
  m->opt.timestep = (mjtNum)1e-4;
  mj_energyPos(m, d);
  assert_true(fabs((double)d->energy[0]) < (sizeof(mjtNum) == 4 ? 1e-6 : 1e-12));
  for (int i = 0; i < m->nv; i++) d->qpos[i] = (mjtNum)(0.02 * sin(7.0 * i + 1));
  mj_forward(m, d);
  double start = (double)d->energy[0], most = 0, drift = 0;
  double close = sizeof(mjtNum) == 4 ? 1e-4 : 1e-12;
  assert_true(start > 1e-3 && fabs(start - bending_energy()) < close * start);
  assert_true(d->sensordata[0] == d->energy[0]);
  for (int i = 0; i < 3000; i++) {
    mj_step(m, d);
    most = fmax(most, (double)d->energy[1]);
    drift = fmax(drift, fabs((double)(d->energy[0] + d->energy[1]) - start));
  }
  if (!(most > 0.5 * start)) fail_msg("of %g J only %g were ever in motion", start, most);
  if (!(drift < (sizeof(mjtNum) == 4 ? 1e-3 : 1e-8) * start)) {
    fail_msg("%g J became %g more or less", start, drift);
  }
  close_model();
}

static void what_is_saved_bends_by_angles_again(void** state) {
  (void)state;
  char why[500] = "", text[4000];
  mjSpec* spec = mj_parseXMLString(fold, NULL, why, sizeof(why));
  mjModel* first = mj_compile(spec, NULL);
  assert_true(first && mj_saveXMLString(spec, text, sizeof(text), why, sizeof(why)) == 0);
  mj_deleteSpec(spec);
  assert_true(strstr(text, "bending=\"dihedral\""));
  open_model(text);
  assert_int_equal(m->nflexedge, first->nflexedge);
  for (int i = 0; i < 17 * m->nflexedge; i++) {
    assert_true(fabs((double)(m->flex_bending[i] - first->flex_bending[i])) < 1e-5);
  }
  mj_deleteModel(first);
  close_model();
}

static void bending_by_angles_has_to_bend(void** state) {
  (void)state;
  char why[500] = "";
  assert_null(try_text_model(
      "<mujoco><worldbody><flexcomp name='f' count='2 2 1' spacing='.1 .1 .1' type='grid'>"
      "<elasticity bending='dihedral'/></flexcomp></worldbody></mujoco>",
      why, sizeof(why)));
  assert_non_null(strstr(why, "elastic2d"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_strip_bends_as_euler_and_bernoulli_say),
      cmocka_unit_test(forces_are_the_gradient_of_the_energy_and_leave_momentum_alone),
      cmocka_unit_test(energy_counts_what_bending_stores_and_is_kept),
      cmocka_unit_test(what_is_saved_bends_by_angles_again),
      cmocka_unit_test(bending_by_angles_has_to_bend),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
