// R5.3: Hill-type muscles: curves, presets, and as actuators of a model.

#include <corten/muscle.h>

#include <math.h>

#include "api/exports.h"
#include "math/hill.h"
#include "support/fail.h"
#include "support/models.h"
#include "support/states.h"

static const char* const names[] = {"biceps", "quadriceps", "gastrocnemius", "soleus"};
enum { NPRESET = sizeof(names) / sizeof(names[0]) };

static void parameters(mjtNum prm[10], const ct_HillMuscle* h) {
  const mjtNum all[10] = {h->force, h->fibre,          h->slack,         h->pennation, h->vmax,
                          h->width, h->passive_strain, h->passive_shape, h->eccentric, CT_HILL};
  for (int k = 0; k < 10; k++) prm[k] = all[k];
}

static mjtNum optimal_length(const ct_HillMuscle* h) {
  return h->slack + h->fibre * ct_cos(h->pennation);
}

static void full_activation_at_optimal_length_gives_fmax_cos_pennation(void** state) {
  (void)state;
  for (int i = 0; i < NPRESET; i++) {
    ct_HillMuscle h;
    mjtNum prm[10];
    assert_true(ct_hill_preset(&h, names[i]));
    parameters(prm, &h);
    mjtNum length = optimal_length(&h), want = -h.force * ct_cos(h.pennation);
    mjtNum got = ct_hill_gain(length, 0, prm) * 1 + ct_hill_bias(length, prm);
    expect_close(names[i], &got, &want, 1, PRECISION(1e-13, 1e-5));
  }
}

// The slope that the implicit integrators take, against differences of the gain.
static void slope_over_velocity_is_the_derivative_of_the_gain(void** state) {
  (void)state;
  SKIP_IN_SINGLE_PRECISION();
  const mjtNum step = (mjtNum)1e-6;
  for (int i = 0; i < NPRESET; i++) {
    ct_HillMuscle h;
    mjtNum prm[10];
    ct_hill_preset(&h, names[i]);
    parameters(prm, &h);
    mjtNum top = h.vmax * h.fibre, length = optimal_length(&h) * (mjtNum)1.01;
    for (int k = -12; k <= 12; k++) {
      mjtNum v = top * ((mjtNum)k + (mjtNum)0.5) / 10;
      mjtNum got = ct_hill_gain_slope(length, v, prm);
      mjtNum want =
          (ct_hill_gain(length, v + step * top, prm) - ct_hill_gain(length, v - step * top, prm)) /
          (2 * step * top);
      assert_true(fabs((double)(got - want)) < 1e-7 * (double)(h.force / top));
    }
  }
}

static void unknown_presets_are_refused(void** state) {
  (void)state;
  ct_HillMuscle h;
  assert_false(ct_hill_preset(&h, "tail"));
}

// Shortening weakens, lengthening strengthens, without a step or a kink at rest.
static void force_rises_with_velocity(void** state) {
  (void)state;
  ct_HillMuscle h;
  mjtNum prm[10];
  ct_hill_preset(&h, "soleus");
  parameters(prm, &h);
  mjtNum length = optimal_length(&h), fastest = h.fibre * h.vmax / ct_cos(h.pennation);
  mjtNum last = 1, isometric = ct_hill_gain(length, 0, prm);
  for (int k = -10; k <= 10; k++) {
    mjtNum force = -ct_hill_gain(length, fastest * (mjtNum)k / 10, prm);
    assert_true(k == -10 ? fabs((double)force) < 1e-3 : force > last);
    last = force;
  }
  assert_true(last < -isometric * h.eccentric);
  mjtNum dv = fastest / 1000;
  mjtNum before = (isometric - ct_hill_gain(length, -dv, prm)) / dv;
  mjtNum after = (ct_hill_gain(length, dv, prm) - isometric) / dv;
  expect_close("slope over slope", &before, &after, 1, 0.05);
}

static void force_falls_away_from_the_optimal_length(void** state) {
  (void)state;
  ct_HillMuscle h;
  mjtNum prm[10];
  ct_hill_preset(&h, "biceps");
  parameters(prm, &h);
  mjtNum best = -ct_hill_gain(optimal_length(&h), 0, prm);
  assert_true(-ct_hill_gain(h.slack + h.fibre * (mjtNum)0.8, 0, prm) < best);
  assert_true(-ct_hill_gain(h.slack + h.fibre * (mjtNum)1.2, 0, prm) < best);
}

static void passive_force_begins_at_the_optimal_length(void** state) {
  (void)state;
  ct_HillMuscle h;
  mjtNum prm[10];
  ct_hill_preset(&h, "biceps");  // no pennation
  parameters(prm, &h);
  assert_true(ct_hill_bias(h.slack + h.fibre * (mjtNum)0.99, prm) == 0);
  mjtNum want = -h.force, got = ct_hill_bias(h.slack + h.fibre * (1 + h.passive_strain), prm);
  expect_close("at the strain given", &got, &want, 1, PRECISION(1e-12, 1e-5));
}

static void a_slack_muscle_does_nothing(void** state) {
  (void)state;
  ct_HillMuscle h;
  mjtNum prm[10];
  ct_hill_preset(&h, "gastrocnemius");
  parameters(prm, &h);
  assert_true(ct_hill_gain(h.slack / 2, 0, prm) == 0);
  assert_true(ct_hill_bias(h.slack / 2, prm) == 0);
}

static mjtNum never_asked(const mjModel* m, const mjData* d, int id) {
  (void)m;
  (void)d;
  (void)id;
  fail_msg("a callback was asked for a Hill-type muscle");
  return 0;
}

static void an_actuator_becomes_such_a_muscle(void** state) {
  (void)state;
  mjModel* m = recorded_model("actuators");
  mjData* d = mj_makeData(m);
  int i = mj_name2id(m, mjOBJ_ACTUATOR, "pull"), a = m->actuator_actadr[i];
  ct_HillMuscle h;
  ct_hill_preset(&h, "soleus");
  ct_set_hill(m, i, &h);
  d->actuator_length[i] = optimal_length(&h);
  d->act[a] = (mjtNum)0.5;
  d->ctrl[i] = 1;
  mjcb_act_gain = mjcb_act_bias = never_asked;
  mj_fwdActuation(m, d);
  mj_resetCallbacks();
  mjtNum want = -h.force * ct_cos(h.pennation) / 2;
  const mjtNum times[3] = {h.activation, h.deactivation, 0};
  mjtNum rate = mju_muscleDynamics(1, (mjtNum)0.5, times);
  expect_close("force", d->actuator_force + i, &want, 1, PRECISION(1e-13, 1e-5));
  expect_close("act_dot", d->act_dot + a, &rate, 1, PRECISION(1e-14, 1e-5));
  mj_deleteData(d);
  mj_deleteModel(m);
}

// Two hinges and a soleus across both, at work.
static mjModel* leg(void) {
  static const char xml[] =
      "<mujoco><option><flag constraint='disable'/></option><worldbody>"
      "<site name='top' pos='.22 0 .29'/>"
      "<body><joint axis='0 1 0'/><geom type='capsule' size='.03' fromto='0 0 0 .2 0 0'/>"
      "<body pos='.2 0 0'><joint axis='0 1 0'/><geom type='capsule' size='.03' "
      "fromto='0 0 0 .2 0 0'/><site name='heel' pos='.05 0 0'/></body></body></worldbody>"
      "<tendon><spatial name='t'><site site='top'/><site site='heel'/></spatial></tendon>"
      "<actuator><general tendon='t' dyntype='muscle' dynprm='0.01 0.04' gaintype='user' "
      "biastype='user' gainprm='3549 0.05 0.25 0.4363 10 0 0 0 0 1989' "
      "biasprm='3549 0.05 0.25 0.4363 10 0 0 0 0 1989'/></actuator></mujoco>";
  char why[300] = "";
  mjSpec* spec = mj_parseXMLString(xml, NULL, why, sizeof(why));
  if (!spec) fail_msg("%s", why);
  mjModel* m = mj_compile(spec, NULL);
  mj_deleteSpec(spec);
  return m;
}

// A moving leg, muscle half awake.
static mjData* moving_leg(const mjModel* m) {
  mjData* d = mj_makeData(m);
  d->qvel[0] = 1;
  d->qvel[1] = (mjtNum)-0.5;
  d->act[0] = d->ctrl[0] = (mjtNum)0.05;
  return d;
}

// Forces that depend on velocities; the mass matrix does not.
static void forces_at(const mjModel* m, mjData* d, mjtNum force[2]) {
  mj_forward(m, d);
  for (int k = 0; k < 2; k++) force[k] = d->qfrc_smooth[k];
}

static void derivative_by_differences(const mjModel* m, mjData* d, mjtNum D[4]) {
  const mjtNum small = (mjtNum)1e-6;
  for (int k = 0; k < 2; k++) {
    mjtNum after[2], before[2], v = d->qvel[k];
    d->qvel[k] = v + small;
    forces_at(m, d, after);
    d->qvel[k] = v - small;
    forces_at(m, d, before);
    d->qvel[k] = v;
    for (int i = 0; i < 2; i++) D[2 * i + k] = (after[i] - before[i]) / (2 * small);
  }
}

static void implicit_derivatives_contain_the_muscle(void** state) {
  (void)state;
  SKIP_IN_SINGLE_PRECISION();
  mjModel* m = leg();
  m->opt.integrator = mjINT_IMPLICIT;
  mjData* d = moving_leg(m);
  mjtNum want[4];
  derivative_by_differences(m, d, want);
  mj_forward(m, d);
  mjd_smooth_vel(m, d, 1);
  assert_int_equal(m->nD, 4);
  expect_close("qDeriv", d->qDeriv, want, 4, 1e-6);
  assert_true(want[0] < -1);  // the muscle damps; nothing else does
  mj_deleteData(d);
  mj_deleteModel(m);
}

// One step of implicit is (M - h D) a = f with D by differences.
static void an_implicit_step_is_damped_by_the_muscle(void** state) {
  (void)state;
  SKIP_IN_SINGLE_PRECISION();
  mjModel* m = leg();
  m->opt.integrator = mjINT_IMPLICIT;
  mjData* d = moving_leg(m);
  mjtNum A[4], D[4], f[2], h = m->opt.timestep;
  derivative_by_differences(m, d, D);
  forces_at(m, d, f);
  mj_fullM(m, A, d->qM);
  for (int k = 0; k < 4; k++) A[k] -= h * D[k];
  mjtNum det = A[0] * A[3] - A[1] * A[2];
  const mjtNum want[2] = {d->qvel[0] + h * (A[3] * f[0] - A[1] * f[1]) / det,
                          d->qvel[1] + h * (A[0] * f[1] - A[2] * f[0]) / det};
  mj_step(m, d);
  expect_close("qvel", d->qvel, want, 2, 1e-8);
  mj_deleteData(d);
  mj_deleteModel(m);
}

static void leg_after(mjModel* m, int integrator, double timestep, mjtNum at_end[4]) {
  m->opt.integrator = integrator;
  m->opt.timestep = (mjtNum)timestep;
  mjData* d = moving_leg(m);
  for (int i = 0; i < (int)(0.05 / timestep + 0.5); i++) mj_step(m, d);
  for (int k = 0; k < 2; k++) {
    at_end[k] = d->qpos[k];
    at_end[2 + k] = d->qvel[k];
  }
  mj_deleteData(d);
}

static double distance(const mjtNum a[4], const mjtNum b[4]) {
  mjtNum difference[4];
  mju_sub(difference, a, b, 4);
  return (double)mju_norm(difference, 4);
}

// Both go where Euler goes with very small steps, with errors of first order.
static void implicit_integrators_converge_with_such_a_muscle(void** state) {
  (void)state;
  SKIP_IN_SINGLE_PRECISION();
  mjModel* m = leg();
  mjtNum exact[4], coarse[4], fine[4];
  leg_after(m, mjINT_EULER, 1e-6, exact);
  assert_true(mju_norm(exact, 2) > 0.01);
  for (int integrator = mjINT_IMPLICIT; integrator <= mjINT_IMPLICITFAST; integrator++) {
    leg_after(m, integrator, 5e-4, coarse);
    leg_after(m, integrator, 2.5e-4, fine);
    double ratio = distance(coarse, exact) / distance(fine, exact);
    print_message("integrator %d: error %g, halved step: %.2f times less\n", integrator,
                  distance(coarse, exact), ratio);
    assert_true(distance(fine, exact) < 0.02 * (double)mju_norm(exact, 4));
    assert_true(ratio > 1.7 && ratio < 2.3);
  }
  mj_deleteModel(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(full_activation_at_optimal_length_gives_fmax_cos_pennation),
      cmocka_unit_test(slope_over_velocity_is_the_derivative_of_the_gain),
      cmocka_unit_test(unknown_presets_are_refused),
      cmocka_unit_test(force_rises_with_velocity),
      cmocka_unit_test(force_falls_away_from_the_optimal_length),
      cmocka_unit_test(passive_force_begins_at_the_optimal_length),
      cmocka_unit_test(a_slack_muscle_does_nothing),
      cmocka_unit_test(an_actuator_becomes_such_a_muscle),
      cmocka_unit_test(implicit_derivatives_contain_the_muscle),
      cmocka_unit_test(an_implicit_step_is_damped_by_the_muscle),
      cmocka_unit_test(implicit_integrators_converge_with_such_a_muscle),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
