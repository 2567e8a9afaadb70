// R5.3: Hill-type muscles: curves, presets, and as actuators of a model.

#include <corten/muscle.h>

#include <math.h>

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
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
