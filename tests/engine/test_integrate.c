// Integrators by laws that need no reference. Trajectories of the reference: test_step.c.

#include "engine/integrate.h"

#include <math.h>
#include <string.h>

#include <corten/integrator.h>

#include "support/fail.h"
#include "support/messages.h"
#include "support/models.h"
#include "support/states.h"

typedef struct {
  mjModel* m;
  mjData* d;
} Pair;

static Pair open_pair(const char* name, int integrator, double timestep) {
  Pair p;
  p.m = recorded_model(name);
  p.m->opt.disableflags |= mjDSBL_CONSTRAINT;
  p.m->opt.enableflags |= mjENBL_ENERGY;
  p.m->opt.integrator = integrator;
  p.m->opt.timestep = (mjtNum)timestep;
  p.d = mj_makeData(p.m);
  return p;
}

static void close_pair(Pair p) {
  mj_deleteData(p.d);
  mj_deleteModel(p.m);
}

static void run(Pair p, int steps) {
  for (int i = 0; i < steps; i++) mj_step(p.m, p.d);
}

// Angle of the pendulum, let go at 1 rad, after one second.
static double pendulum_after_a_second(int integrator, double timestep) {
  Pair p = open_pair("pendulum", integrator, timestep);
  p.d->qpos[0] = 1;
  run(p, (int)(1 / timestep + 0.5));
  double angle = (double)p.d->qpos[0];
  close_pair(p);
  return angle;
}

// R8.1
static void halving_the_step_helps_as_the_order_says(void** state) {
  (void)state;
  SKIP_IN_SINGLE_PRECISION();
  double exact = pendulum_after_a_second(mjINT_RK4, 1e-4);
  double coarse = fabs(pendulum_after_a_second(mjINT_RK4, 0.01) - exact);
  double fine = fabs(pendulum_after_a_second(mjINT_RK4, 0.005) - exact);
  assert_true(coarse / fine > 14 && coarse / fine < 18);
  coarse = fabs(pendulum_after_a_second(mjINT_EULER, 0.01) - exact);
  fine = fabs(pendulum_after_a_second(mjINT_EULER, 0.005) - exact);
  assert_true(coarse / fine > 1.9 && coarse / fine < 4.1);
}

// R8.2
static void tiny_steps_agree(void** state) {
  (void)state;
  Pair a = open_pair("pendulum", mjINT_RK4, 1e-5), b = open_pair("pendulum", mjINT_EULER, 1e-5);
  a.d->qpos[0] = b.d->qpos[0] = (mjtNum)0.3;
  run(a, 10);
  run(b, 10);
  assert_true(fabs((double)(a.d->qpos[0] - b.d->qpos[0])) < PRECISION(1e-8, 1e-6));
  close_pair(a);
  close_pair(b);
}

// Relative change of the energy of the pendulum, from 1 rad. The lowest point is zero.
static double energy_drift(double timestep, int steps) {
  Pair p = open_pair("pendulum", mjINT_RK4, timestep);
  mj_forward(p.m, p.d);
  double lowest = (double)p.d->energy[0];
  p.d->qpos[0] = 1;
  mj_forward(p.m, p.d);
  double before = (double)p.d->energy[0] - lowest;
  run(p, steps);
  mj_forward(p.m, p.d);
  double after = (double)(p.d->energy[0] + p.d->energy[1]) - lowest;
  close_pair(p);
  return fabs(after - before) / before;
}

// R8.3. With the fine step the drift is close to rounding, and a part of it swings with the
// pendulum; the order shows with coarser steps and after several periods.
static void pendulum_keeps_its_energy(void** state) {
  (void)state;
  SKIP_IN_SINGLE_PRECISION();
  assert_true(energy_drift(0.001, 1000) < 1e-10);
  double ratio = energy_drift(0.02, 500) / energy_drift(0.01, 1000);
  if (!(ratio > 31 && ratio < 65)) fail_msg("ratio %g", ratio);
}

enum { MASS_Q = 2, TOP_Q = 3, TOP_V = 3 };  // in models/integrators.xml

// R8.5: a top with two equal moments I turns about its angular momentum L with |L| / I, and about
// its own axis with w (I - I3) / I.
static void free_top_precesses(void** state) {
  (void)state;
  const mjtNum spin[3] = {(mjtNum)0.7, (mjtNum)-0.4, 3}, I = (mjtNum)0.03, I3 = (mjtNum)0.01;
  const mjtNum axis[3] = {0, 0, 1};
  Pair p = open_pair("integrators", mjINT_RK4, 0.002);
  p.m->opt.disableflags |= mjDSBL_GRAVITY;
  mju_copy3(p.d->qvel + TOP_V + 3, spin);
  run(p, 100);
  mjtNum L[3] = {I * spin[0], I * spin[1], I3 * spin[2]}, turn[4], own[4], want[4];
  mjtNum size = mju_normalize3(L), time = p.d->time;
  mju_axisAngle2Quat(turn, L, size / I * time);
  mju_axisAngle2Quat(own, axis, spin[2] * (1 - I3 / I) * time);
  mju_mulQuat(want, turn, own);
  const mjtNum* got = p.d->qpos + TOP_Q + 3;
  expect_close("quaternion", got, want, 4, PRECISION(1e-6, 1e-4));
  assert_true(fabs((double)mju_norm(got, 4) - 1) < PRECISION(1e-10, 1e-5));
  close_pair(p);
}

// R8.7: activations take part, and the next warm start is the acceleration of the last stage.
static void runge_kutta_integrates_activations_and_leaves_the_last_stage(void** state) {
  (void)state;
  Pair p = open_pair("integrators", mjINT_RK4, 0.01);
  p.d->ctrl[1] = (mjtNum)0.5;
  p.d->qvel[0] = 1;
  mj_step(p.m, p.d);
  mjtNum want = (mjtNum)(0.5 * 0.01);
  expect_close("act", p.d->act, &want, 1, PRECISION(1e-15, 1e-7));
  assert_memory_equal(p.d->qacc, p.d->qacc_warmstart, (size_t)p.m->nv * sizeof(mjtNum));
  p.d->ctrl[1] = 200;  // 2 per step, limited to 1
  mj_step(p.m, p.d);
  assert_true(p.d->act[0] == 1);
  close_pair(p);
}

static mjtNum warm_starts[4];
static mjtNum sensor_in_stage[4];
static int nstage;
static void look_at_stage(const mjModel* m, mjData* d) {
  (void)m;
  if (nstage < 4) {
    warm_starts[nstage] = d->qacc_warmstart[0];
    sensor_in_stage[nstage] = d->sensordata[0];
  }
  nstage++;
}

// R8.7: stages do not hand their accelerations on, and only the first one computes sensors.
static void runge_kutta_shares_a_warm_start_and_senses_before_the_step(void** state) {
  (void)state;
  mjModel* m = recorded_model("sensors");
  mjData* d = mj_makeData(m);
  m->opt.integrator = mjINT_RK4;
  for (int i = 0; i < 5; i++) mj_step(m, d);
  mjData* before = mj_copyData(NULL, m, d);
  mj_forward(m, before);
  mjtNum warm = d->qacc_warmstart[0];
  nstage = 0;
  mjcb_control = look_at_stage;
  mj_step(m, d);
  mjcb_control = NULL;
  assert_int_equal(nstage, 4);
  for (int i = 0; i < 4; i++) assert_true(warm_starts[i] == warm);
  for (int i = 1; i < 4; i++) assert_true(sensor_in_stage[i] == before->sensordata[0]);
  assert_memory_equal(d->sensordata, before->sensordata, (size_t)m->nsensordata * sizeof(mjtNum));
  assert_true(d->qacc_warmstart[0] != warm);
  mj_forward(m, d);  // the test would notice sensors of another state
  assert_true(memcmp(d->sensordata, before->sensordata, (size_t)m->nsensordata * sizeof(mjtNum)));
  mj_deleteData(before);
  mj_deleteData(d);
  mj_deleteModel(m);
}

// R7.2: one step by hand, of a mass of 2 on a spring that pulls to 0.1.
static void springs_and_dampers_implicitly(void** state) {
  (void)state;
  const double h = 0.01, k = 200, b = 0.5, mass = 2, q = 0.4, v = -1, rest = 0.1;
  Pair p = open_pair("integrators", CT_INT_SPRINGDAMPER, h);
  p.d->qpos[MASS_Q] = (mjtNum)q;
  p.d->qvel[2] = (mjtNum)v;
  mj_step(p.m, p.d);
  mjtNum want = (mjtNum)((mass * v - h * k * (q - rest)) / (mass + h * b + h * h * k));
  expect_close("qvel", p.d->qvel + 2, &want, 1, PRECISION(1e-13, 1e-5));
  close_pair(p);
}

// R7.2: a spring too stiff for the others.
static void stiff_springs_stay_calm(void** state) {
  (void)state;
  const int integrators[2] = {CT_INT_SPRINGDAMPER, mjINT_EULER};
  double largest[2] = {0, 0};
  listen_to_messages(NULL);
  for (int i = 0; i < 2; i++) {
    Pair p = open_pair("integrators", integrators[i], 0.01);
    p.m->jnt_stiffness[2] = 1000000;
    p.m->dof_damping[2] = 0;
    p.m->opt.disableflags |= mjDSBL_AUTORESET;
    p.d->qpos[MASS_Q] = (mjtNum)0.2;
    for (int step = 0; step < 10; step++) {
      mj_step(p.m, p.d);
      largest[i] = fmax(largest[i], fabs((double)p.d->qpos[MASS_Q]));
    }
    close_pair(p);
  }
  stop_listening(NULL);
  assert_true(largest[0] <= 0.2 && largest[1] > 100);
}

// Largest speed of the two links in so many steps; infinite if a number went bad.
static double largest_speed(int integrator, bool tendon, int steps) {
  Pair p = open_pair("integrators", integrator, 0.01);
  double largest = 0;
  p.m->opt.disableflags |= mjDSBL_AUTORESET;
  p.m->tendon_damping[0] = tendon ? 100 : 0;
  p.d->ctrl[0] = tendon ? 0 : 1;
  p.d->qpos[0] = 1;
  for (int i = 0; i < steps && largest < 1e6; i++) {
    mj_step(p.m, p.d);
    largest = fmax(largest, fmax(fabs((double)p.d->qvel[0]), fabs((double)p.d->qvel[1])));
  }
  close_pair(p);
  return largest;
}

// R13.2
static void damped_tendons_and_their_actuators_stay_bounded(void** state) {
  (void)state;
  for (int tendon = 0; tendon < 2; tendon++) {
    listen_to_messages(NULL);
    assert_true(largest_speed(mjINT_EULER, tendon, 1000) > 1e6);
    stop_listening(NULL);
    assert_true(largest_speed(mjINT_IMPLICITFAST, tendon, 1000) < 30);
    assert_true(largest_speed(mjINT_IMPLICIT, tendon, 1000) < 30);
  }
}

// R13.3
static void without_damping_implicitfast_is_euler(void** state) {
  (void)state;
  Pair a = open_pair("tree_two_links", mjINT_IMPLICITFAST, 0.002);
  Pair b = open_pair("tree_two_links", mjINT_EULER, 0.002);
  mju_zero(a.m->dof_damping, 2);
  mju_zero(b.m->dof_damping, 2);
  a.d->qvel[0] = b.d->qvel[0] = 2;
  run(a, 100);
  run(b, 100);
  expect_close("qpos", a.d->qpos, b.d->qpos, 2, PRECISION(1e-10, 1e-3));
  expect_close("qvel", a.d->qvel, b.d->qvel, 2, PRECISION(1e-10, 1e-3));
  close_pair(a);
  close_pair(b);
}

// How far a double pendulum that spins without gravity comes from its energy in a second.
static double spinning_drift(int integrator) {
  Pair p = open_pair("tree_two_links", integrator, 0.005);
  p.m->opt.disableflags |= mjDSBL_GRAVITY;
  mju_zero(p.m->dof_damping, 2);
  p.d->qpos[1] = 1;
  p.d->qvel[0] = 10;
  mj_forward(p.m, p.d);
  double before = (double)p.d->energy[1], worst = 0;
  for (int i = 0; i < 200; i++) {
    mj_step(p.m, p.d);
    mj_forward(p.m, p.d);
    worst = fmax(worst, fabs((double)p.d->energy[1] - before) / before);
  }
  close_pair(p);
  return worst;
}

// R13.4
static void coriolis_terms_keep_a_spinning_pendulum_closer_to_its_energy(void** state) {
  (void)state;
  double implicit = spinning_drift(mjINT_IMPLICIT), fast = spinning_drift(mjINT_IMPLICITFAST);
  if (!(implicit < fast)) fail_msg("implicit %g, implicitfast %g", implicit, fast);
}

// R13.1: qacc stays the acceleration that M makes; the integrator's own is (v+ - v) / h.
static void implicit_steps_solve_their_equation(void** state) {
  (void)state;
  SKIP_IN_SINGLE_PRECISION();
  Pair p = open_pair("swimmer", mjINT_IMPLICIT, 0.001);
  mjtNum before[32], acceleration[32], force[32];
  int nv = (int)p.m->nv;
  for (int k = 0; k < nv; k++) p.d->qvel[k] = (mjtNum)(0.3 * sin(k + 1));
  mju_copy(before, p.d->qvel, nv);
  mj_step(p.m, p.d);
  for (int k = 0; k < nv; k++) acceleration[k] = (p.d->qvel[k] - before[k]) / p.m->opt.timestep;
  mj_mulM(p.m, p.d, force, acceleration);
  for (int i = 0; i < nv; i++) {  // less h D a
    for (int e = p.m->D_rowadr[i]; e < p.m->D_rowadr[i] + p.m->D_rownnz[i]; e++) {
      force[i] -= p.m->opt.timestep * p.d->qDeriv[e] * acceleration[p.m->D_colind[e]];
    }
  }
  expect_close("force", force, p.d->qfrc_smooth, nv, 1e-8);
  mj_mulM(p.m, p.d, force, p.d->qacc);
  expect_close("M qacc", force, p.d->qfrc_smooth, nv, 1e-10);
  close_pair(p);
}

// R7.1
static void unknown_integrators_are_errors(void** state) {
  (void)state;
  Pair p = open_pair("pendulum", 9, 0.01);
  listen_to_messages(NULL);
  mj_step(p.m, p.d);
  expect_one_error("no integrator 9");
  mj_implicit(p.m, p.d);
  expect_one_error("implicit");
  mj_RungeKutta(p.m, p.d, 3);
  expect_one_error("order 3");
  stop_listening(NULL);
  assert_true(p.d->time == 0);
  close_pair(p);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(halving_the_step_helps_as_the_order_says),
      cmocka_unit_test(tiny_steps_agree),
      cmocka_unit_test(pendulum_keeps_its_energy),
      cmocka_unit_test(free_top_precesses),
      cmocka_unit_test(runge_kutta_integrates_activations_and_leaves_the_last_stage),
      cmocka_unit_test(runge_kutta_shares_a_warm_start_and_senses_before_the_step),
      cmocka_unit_test(springs_and_dampers_implicitly),
      cmocka_unit_test(stiff_springs_stay_calm),
      cmocka_unit_test(damped_tendons_and_their_actuators_stay_bounded),
      cmocka_unit_test(without_damping_implicitfast_is_euler),
      cmocka_unit_test(coriolis_terms_keep_a_spinning_pendulum_closer_to_its_energy),
      cmocka_unit_test(implicit_steps_solve_their_equation),
      cmocka_unit_test(unknown_integrators_are_errors),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
