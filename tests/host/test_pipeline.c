// The pipelines around the stages: checks, timers, callbacks, energies, what is refused, and that a
// step does not allocate.

#include "host/dynamics.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <corten/integrator.h>
#include <corten/step.h>

#include "support/fail.h"
#include "support/messages.h"
#include "support/models.h"

static mjModel* m;
static mjData* d;

static void open_model(const char* name) {
  m = recorded_model(name);
  m->opt.disableflags |= mjDSBL_CONSTRAINT;
  d = mj_makeData(m);
}

static int listen(void** state) {
  return listen_to_messages(state);
}

static int close_all(void** state) {
  mjcb_control = NULL;
  mjcb_time = NULL;
  if (d) mj_deleteData(d);
  if (m) mj_deleteModel(m);
  d = NULL;
  m = NULL;
  return stop_listening(state);
}

// Checks

// R0.5, R0.6
static void bad_position_resets_and_the_step_goes_on_from_the_start(void** state) {
  (void)state;
  open_model("humanoid");
  d->time = 5;
  d->qpos[9] = NAN;
  mj_step(m, d);
  expect_one_warning("QPOS");
  assert_int_equal(d->warning[mjWARN_BADQPOS].number, 1);
  assert_int_equal(d->warning[mjWARN_BADQPOS].lastinfo, 9);
  assert_true(d->time == m->opt.timestep);
  assert_true(isfinite((double)d->qpos[9]));
}

static void without_automatic_reset_an_event_counts_twice(void** state) {
  (void)state;
  open_model("pendulum");
  m->opt.disableflags |= mjDSBL_AUTORESET;
  d->qvel[0] = 2 * (mjtNum)mjMAXVAL;
  mj_step(m, d);
  expect_one_warning("QVEL");
  assert_int_equal(d->warning[mjWARN_BADQVEL].number, 2);
  assert_true(d->time == m->opt.timestep);
}

// They are looked for four at a time, the last four also where some were among those before.
static void a_bad_number_is_found_in_every_place(void** state) {
  (void)state;
  const mjtNum bad[] = {NAN, -INFINITY, 2 * (mjtNum)mjMAXVAL, -2 * (mjtNum)mjMAXVAL};
  open_model("humanoid");
  for (int k = 0; k < m->nq + m->nv; k++) {
    bool position = k < m->nq;
    int place = position ? k : k - (int)m->nq;
    mj_resetData(m, d);
    (position ? d->qpos : d->qvel)[place] = bad[k % 4];
    mj_step(m, d);
    const mjWarningStat* warning = d->warning + (position ? mjWARN_BADQPOS : mjWARN_BADQVEL);
    assert_int_equal(warning->number, 1);
    assert_int_equal(warning->lastinfo, place);
  }
}

static void bad_acceleration_resets_and_evaluates_again(void** state) {
  (void)state;
  open_model("pendulum");
  d->qfrc_applied[0] = (mjtNum)1e20;
  d->qpos[0] = 1;
  mj_step(m, d);
  assert_int_equal(count_warnings(), 1);
  assert_int_equal(d->warning[mjWARN_BADQACC].number, 1);
  assert_true(fabs((double)d->qacc[0]) < 1e3);
}

// R0.5
static void ct_step_reports_and_leaves_the_state(void** state) {
  (void)state;
  open_model("pendulum");
  assert_int_equal(ct_step(m, d), CT_OK);
  assert_true(d->time == m->opt.timestep);
  d->qpos[0] = INFINITY;
  assert_int_equal(ct_step(m, d), CT_BAD_QPOS);
  assert_true(isinf((double)d->qpos[0]) && d->time == m->opt.timestep);
  d->qpos[0] = 0;
  d->qvel[0] = -INFINITY;
  assert_int_equal(ct_step(m, d), CT_BAD_QVEL);
  d->qvel[0] = 0;
  d->qfrc_applied[0] = (mjtNum)1e20;
  assert_int_equal(ct_step(m, d), CT_BAD_QACC);
  d->qfrc_applied[0] = 0;
  m->opt.timestep = 0;
  assert_int_equal(ct_step(m, d), CT_BAD_TIMESTEP);
  m->opt.timestep = (mjtNum)0.002;
  assert_int_equal(ct_status(d), CT_BAD_QPOS | CT_BAD_QVEL | CT_BAD_QACC | CT_BAD_TIMESTEP);
  assert_int_equal(ct_step(m, d), CT_OK);
  assert_int_equal(count_warnings() + count_errors(), 0);
}

// R0.5, R13.7
static void ct_step_reports_matrices_that_cannot_be_factored(void** state) {
  (void)state;
  open_model("pendulum");
  m->dof_damping[0] = -10;  // M - h D with a negative pivot
  m->opt.timestep = (mjtNum)0.1;
  const int by_cholesky[] = {mjINT_IMPLICITFAST, CT_INT_SPRINGDAMPER};
  for (int i = 0; i < 2; i++) {
    m->opt.integrator = by_cholesky[i];
    assert_int_equal(ct_step(m, d), CT_CHOLESKY_FAILED);
    assert_true(d->time > 0);  // the step was made, its numbers are doubtful
    mj_resetData(m, d);
  }
  mj_forward(m, d);
  m->dof_damping[0] = -d->M[0] / m->opt.timestep;  // M - h D is 0
  const int by_lu[] = {mjINT_IMPLICIT, CT_INT_DENSE};
  for (int i = 0; i < 2; i++) {
    m->opt.integrator = by_lu[i];
    assert_int_equal(ct_step(m, d), CT_LU_SINGULAR);
    assert_true(d->time == 0);
  }
  m->opt.integrator = mjINT_IMPLICIT;
  mj_step(m, d);
  expect_one_error("pivot");
  m->opt.integrator = CT_INT_DENSE;
  mj_step(m, d);
  expect_one_error("pivot");
  m->body_mass[1] = 0;
  mju_zero3(m->body_inertia + 3);
  assert_int_equal(ct_step(m, d) & CT_MASS_SINGULAR, CT_MASS_SINGULAR);
}

// An actuator whose force depends on velocity by its control; an implicit integrator asks for the
// derivative of that.
static void give_a_bad_control(void) {
  m->actuator_gaintype[0] = mjGAIN_AFFINE;
  m->actuator_gainprm[2] = -2;
  d->ctrl[0] = NAN;
  d->qvel[0] = 1;
}

// R0.5, R0.6. As in the reference, which has a bad state after the first step and resets in the
// next.
static void implicit_steps_survive_a_bad_control(void** state) {
  (void)state;
  const int integrators[] = {mjINT_IMPLICIT, mjINT_IMPLICITFAST, CT_INT_DENSE};
  open_model("humanoid");
  for (int i = 0; i < 3; i++) {
    m->opt.integrator = integrators[i];
    mj_resetData(m, d);
    give_a_bad_control();
    mj_step(m, d);
    expect_one_warning("CTRL");
    assert_true(d->time == m->opt.timestep && d->warning[mjWARN_BADCTRL].number == 1);
    mj_step(m, d);
    expect_one_warning("QPOS");
    assert_true(d->time == m->opt.timestep && d->ctrl[0] == 0);
    assert_int_equal(count_errors(), 0);
  }
}

static void implicit_steps_go_on_with_bad_numbers_without_automatic_reset(void** state) {
  (void)state;
  open_model("humanoid");
  m->opt.integrator = mjINT_IMPLICIT;
  m->opt.disableflags |= mjDSBL_AUTORESET;
  d->qvel[0] = NAN;
  mj_step(m, d);
  assert_true(d->time == m->opt.timestep);
  assert_int_equal(d->warning[mjWARN_BADQVEL].number, 2);
  assert_int_equal(d->warning[mjWARN_BADQACC].number, 2);
  const mjtNum steps[] = {NAN, INFINITY};
  for (int i = 0; i < 2; i++) {
    mj_resetData(m, d);
    m->opt.timestep = steps[i];
    mj_step(m, d);
  }
  assert_int_equal(count_errors(), 0);
}

// Memory that is short

static const int all_integrators[] = {mjINT_EULER,        mjINT_RK4,    mjINT_IMPLICIT,
                                      mjINT_IMPLICITFAST, CT_INT_DENSE, CT_INT_SPRINGDAMPER};

// The humanoid with contacts and limits, half a second into its fall, in an arena of that size.
static void open_short_of_memory(mjtSize narena) {
  static mjtNum qpos[64], qvel[64];
  static bool fallen = false;
  m = recorded_model("humanoid");
  if (!fallen) {
    d = mj_makeData(m);
    for (int i = 0; i < 200; i++) mj_step(m, d);
    assert_true(d->ncon > 0 && m->nq <= 64);
    mju_copy(qpos, d->qpos, (int)m->nq);
    mju_copy(qvel, d->qvel, (int)m->nv);
    mj_deleteData(d);
    fallen = true;
  }
  m->narena = narena;
  d = mj_makeData(m);
  mju_copy(d->qpos, qpos, (int)m->nq);
  mju_copy(d->qvel, qvel, (int)m->nv);
}

static void close_model(void) {
  mj_deleteData(d);
  mj_deleteModel(m);
  d = NULL;
  m = NULL;
}

// R0.2, R0.5: at every size there is either a step or a report, whichever stage finds no room.
static void ct_step_reports_every_lack_of_memory(void** state) {
  (void)state;
  const int most = 400000, each = 3000;
  for (int i = 0; i < 6; i++) {
    int made = 0, refused = 0;
    for (int narena = 0; narena < most; narena += each) {
      open_short_of_memory(narena);
      m->opt.integrator = all_integrators[i];
      if (i % 2) m->opt.enableflags |= mjENBL_FWDINV;
      mjData* before = mj_copyData(NULL, m, d);
      int status = ct_step(m, d) & ~CT_SOLVER_UNCONVERGED;
      if (status != CT_OK && status != CT_ARENA_FULL) fail_msg("%d bytes: %d", narena, status);
      if (count_warnings() + count_errors()) fail_msg("%d: %s", narena, newest_message());
      assert_int_equal(d->pstack, 0);
      if (status == CT_OK) {
        assert_true(d->time == m->opt.timestep && d->ncon > 0);
        made++;
      } else {
        assert_true(d->time == 0);
        assert_memory_equal(d->qpos, before->qpos, (size_t)m->nq * sizeof(mjtNum));
        assert_memory_equal(d->qvel, before->qvel, (size_t)m->nv * sizeof(mjtNum));
        refused++;
      }
      mj_deleteData(before);
      close_model();
    }
    if (!(made > 10 && refused > 10)) fail_msg("integrator %d: %d, %d", i, made, refused);
  }
}

// R0.2: errors come when everything is back in its place.
static void lack_of_memory_leaves_no_stack_and_no_time_behind(void** state) {
  (void)state;
  int refused = 0;
  for (int narena = 0; narena < 400000; narena += narena < 40000 ? 1000 : 3000) {
    open_short_of_memory(narena);
    m->opt.integrator = mjINT_RK4;
    mj_forward(m, d);
    int errors_of_forward = count_errors();
    mj_RungeKutta(m, d, 4);
    bool made = d->time == m->opt.timestep;
    assert_true(made || d->time == 0);
    if (!errors_of_forward) assert_int_equal(count_errors(), made ? 0 : 1);
    refused += !made;
    assert_int_equal(d->pstack, 0);
    count_warnings();
    count_errors();
    close_model();
  }
  assert_true(refused > 10);
}

// R0.5: nothing is printed; a bit says it, and the warning is counted.
static void ct_step_does_not_warn(void** state) {
  (void)state;
  open_model("humanoid");
  d->ctrl[0] = NAN;
  assert_int_equal(ct_step(m, d), CT_BAD_CONTROL);
  assert_true(d->time == m->opt.timestep);
  assert_int_equal(d->warning[mjWARN_BADCTRL].number, 1);
  assert_int_equal(count_warnings() + count_errors(), 0);
  mj_resetData(m, d);
  d->ctrl[0] = NAN;
  mj_step(m, d);
  expect_one_warning("CTRL");
}

// R0.5: what only the integrator finds is found before the state moves.
static void ct_step_refuses_bad_accelerations_of_the_integrator(void** state) {
  (void)state;
  const int integrators[] = {mjINT_IMPLICIT, mjINT_IMPLICITFAST, CT_INT_DENSE};
  open_model("humanoid");
  for (int i = 0; i < 3; i++) {
    m->opt.integrator = integrators[i];
    mj_resetData(m, d);
    give_a_bad_control();
    assert_int_equal(ct_step(m, d), CT_BAD_QACC | CT_BAD_CONTROL);
    assert_true(d->time == 0 && d->qvel[0] == 1 && isfinite((double)d->qpos[9]));
  }
  assert_int_equal(count_warnings() + count_errors(), 0);
}

// Timers

static const char* const timer_names[] = {
    "STEP",          "FORWARD",    "INVERSE",    "POSITION",       "VELOCITY",
    "ACTUATION",     "CONSTRAINT", "ADVANCE",    "POS_KINEMATICS", "POS_INERTIA",
    "POS_COLLISION", "POS_MAKE",   "POS_PROJECT"};

static void expect_counts(const int counts[13]) {
  for (int i = 0; i < 13; i++) {
    if (d->timer[i].number != counts[i]) {
      fail_msg("%s ran %d times, not %d", timer_names[i], d->timer[i].number, counts[i]);
    }
    d->timer[i].number = 0;
  }
}

// Numbers as the reference counts them without constraints.
static void timers_count_what_ran(void** state) {
  (void)state;
  open_model("humanoid");
  mj_step(m, d);
  expect_counts((const int[13]){1, 1, 0, 1, 1, 1, 1, 1, 1, 1, 0, 1, 1});
  mj_step1(m, d);
  expect_counts((const int[13]){1, 0, 0, 1, 1, 0, 0, 0, 1, 1, 0, 1, 1});
  mj_step2(m, d);
  expect_counts((const int[13]){0, 0, 0, 0, 0, 1, 1, 1, 0, 0, 0, 0, 0});
  mj_forward(m, d);
  expect_counts((const int[13]){0, 1, 0, 1, 1, 1, 1, 0, 1, 1, 0, 1, 1});
  mj_inverse(m, d);
  expect_counts((const int[13]){0, 0, 1, 1, 1, 0, 1, 0, 1, 1, 0, 1, 0});
  m->opt.integrator = mjINT_RK4;
  mj_step(m, d);
  expect_counts((const int[13]){1, 4, 0, 4, 4, 4, 4, 0, 4, 4, 0, 4, 4});
  m->opt.integrator = mjINT_IMPLICITFAST;
  m->opt.disableflags |= mjDSBL_ACTUATION;
  mj_step(m, d);
  expect_counts((const int[13]){1, 1, 0, 1, 1, 0, 1, 1, 1, 1, 0, 1, 1});
}

static mjtNum ticking_clock(void) {
  static mjtNum now = 0;
  return now += 1;
}

static void timers_use_the_clock_of_the_user(void** state) {
  (void)state;
  open_model("humanoid");
  mj_step(m, d);
  assert_true(d->timer[mjTIMER_STEP].duration == 0);
  mjcb_time = ticking_clock;
  mj_step(m, d);
  assert_true(d->timer[mjTIMER_STEP].duration > d->timer[mjTIMER_FORWARD].duration);
  assert_true(d->timer[mjTIMER_FORWARD].duration > d->timer[mjTIMER_POSITION].duration);
  assert_true(d->timer[mjTIMER_POSITION].duration > d->timer[mjTIMER_POS_KINEMATICS].duration);
}

// A clock that goes on with every contact that is found.
static mjtNum clock_of_contacts(void) {
  return (mjtNum)d->ncon;
}

static void contacts_of_flexes_take_the_time_of_the_narrow_phase(void** state) {
  (void)state;
  open_model("cable_over_edge");
  m->opt.disableflags &= ~mjDSBL_CONSTRAINT;
  for (int i = 0; i < 20; i++) mj_step(m, d);
  int before = d->timer[mjTIMER_COL_NARROW].number;
  d->ncon = 0;
  mjcb_time = clock_of_contacts;
  mj_forward(m, d);
  assert_true(d->ncon > 0 && d->contact[0].flex[1] == 0);
  assert_true(d->timer[mjTIMER_COL_NARROW].duration == (mjtNum)d->ncon);
  assert_true(d->timer[mjTIMER_POS_COLLISION].duration == (mjtNum)d->ncon);
  assert_int_equal(d->timer[mjTIMER_COL_NARROW].number, before + 1);
}

// Callbacks

static int control_calls;
static mjtNum control_times[8];
static void control(const mjModel* model, mjData* data) {
  (void)model;
  if (control_calls < 8) control_times[control_calls] = data->time;
  control_calls++;
}

// R0.4
static void control_callback_runs_once_per_forward_pass(void** state) {
  (void)state;
  open_model("humanoid");
  mjcb_control = control;
  control_calls = 0;
  mj_step(m, d);
  assert_int_equal(control_calls, 1);
  m->opt.integrator = mjINT_RK4;
  mjtNum t = d->time, h = m->opt.timestep;
  control_calls = 0;
  mj_step(m, d);
  assert_int_equal(control_calls, 4);
  assert_true(control_times[0] == t && control_times[1] == t + h / 2);
  assert_true(control_times[2] == t + h / 2 && control_times[3] == t + h);
  m->opt.disableflags |= mjDSBL_ACTUATION;
  mj_forward(m, d);
  assert_int_equal(control_calls, 4);
  mj_step1(m, d);  // does not ask
  assert_int_equal(control_calls, 5);
}

// Energy

static void energies_are_computed_if_asked_for_and_zero_otherwise(void** state) {
  (void)state;
  open_model("pendulum");
  d->energy[0] = d->energy[1] = 7;
  mj_forward(m, d);
  assert_true(d->energy[0] == 0 && d->energy[1] == 0);
  m->opt.enableflags |= mjENBL_ENERGY;
  d->qvel[0] = 2;
  mj_forward(m, d);
  assert_true(d->energy[0] < 0 && d->energy[1] > 0);
  m->opt.enableflags = 0;
  d->energy[0] = d->energy[1] = 7;
  mj_inverse(m, d);  // leaves them alone
  assert_true(d->energy[0] == 7 && d->energy[1] == 7);
}

static void skipped_stages_keep_their_results(void** state) {
  (void)state;
  open_model("humanoid");
  mj_forward(m, d);
  mjtNum x = d->xpos[3], speed = d->cvel[6];
  d->qpos[0] += 1;
  d->qvel[0] += 1;
  mj_forwardSkip(m, d, mjSTAGE_VEL, 1);
  assert_true(d->xpos[3] == x && d->cvel[6] == speed);
  mj_forwardSkip(m, d, mjSTAGE_POS, 1);
  assert_true(d->xpos[3] == x);
  mj_forwardSkip(m, d, mjSTAGE_NONE, 1);
  assert_true(d->xpos[3] != x);
}

// Refusals

// Nothing falls through a floor, and no joint leaves its range by much.
static void steps_hold_constraints(void** state) {
  (void)state;
  open_model("humanoid");
  m->opt.disableflags = 0;
  for (int i = 0; i < 200; i++) mj_step(m, d);
  assert_true(d->nefc > 0 && d->ncon > 0 && count_errors() == 0);
  for (int i = 0; i < d->nefc; i++) assert_true(d->efc_pos[i] > -0.05);
}

static void ct_step_compares_forward_and_inverse_dynamics_if_asked(void** state) {
  (void)state;
  open_model("humanoid");
  m->opt.disableflags = 0;
  m->opt.enableflags |= mjENBL_FWDINV;
  for (int i = 0; i < 100; i++) mj_step(m, d);
  mjData* other = mj_copyData(NULL, m, d);
  mj_step(m, d);
  assert_true(d->nefc > 0 && d->solver_fwdinv[1] > 0);
  assert_int_equal(ct_step(m, other), CT_OK);
  assert_memory_equal(d->solver_fwdinv, other->solver_fwdinv, sizeof(d->solver_fwdinv));
  mj_deleteData(other);
  m->opt.integrator = mjINT_RK4;
  m->opt.enableflags |= mjENBL_INVDISCRETE;
  mjtNum before = d->time;
  assert_int_equal(ct_step(m, d), CT_BAD_MODEL);
  assert_true(d->time == before);
}

static void an_unknown_solver_is_named(void** state) {
  (void)state;
  open_model("humanoid");
  m->opt.disableflags = 0;
  for (int i = 0; i < 100; i++) mj_step(m, d);
  m->opt.solver = 7;
  mj_forward(m, d);
  expect_one_error("mj_fwdConstraint: unknown solver type 7");
}

// Dual solvers work on a matrix of the position stage, which others do not make.
static void a_solver_may_be_chosen_between_the_halves_of_a_step(void** state) {
  (void)state;
  open_model("humanoid");
  m->opt.disableflags = 0;
  mjData* early = mj_makeData(m);
  for (int i = 0; i < 100; i++) mj_step(m, d);
  mj_copyData(early, m, d);
  m->opt.solver = mjSOL_PGS;
  mj_step1(m, early);
  mj_step2(m, early);
  m->opt.solver = mjSOL_NEWTON;
  mj_step1(m, d);
  m->opt.solver = mjSOL_PGS;
  mj_step2(m, d);
  assert_true(d->nefc > 0 && d->nA == early->nA);
  assert_memory_equal(d->qacc, early->qacc, (size_t)m->nv * sizeof(mjtNum));
  mj_deleteData(early);
}

static void models_with_flexes_are_stepped(void** state) {
  (void)state;
  open_model("cloth");
  m->opt.disableflags = 0;
  mj_step(m, d);
  assert_true(d->time == m->opt.timestep);
  assert_int_equal(ct_step(m, d), CT_OK);
  assert_true(d->time > m->opt.timestep);
}

// Models that were edited.
static void joints_of_unknown_type_are_refused(void** state) {
  (void)state;
  open_model("pendulum");
  m->jnt_type[0] = 7;
  mj_forward(m, d);
  expect_one_error("joint 0 has type 7");
  mj_step1(m, d);
  expect_one_error("joint 0 has type 7");
  mj_inverse(m, d);
  expect_one_error("joint 0 has type 7");
  mj_resetData(m, d);
  assert_int_equal(ct_step(m, d), -1);
  expect_one_error("ct_step");
  assert_true(d->time == 0);
}

static void halves_of_integrators_without_halves_are_refused(void** state) {
  (void)state;
  const int integrators[] = {CT_INT_DENSE, CT_INT_SPRINGDAMPER};
  open_model("pendulum");
  for (int i = 0; i < 2; i++) {
    m->opt.integrator = integrators[i];
    mj_step1(m, d);
    mj_step2(m, d);
    expect_one_error("mj_step2");
    assert_true(d->time == 0);
  }
  m->opt.integrator = 9;  // the reference takes Euler
  mj_step1(m, d);
  mj_step2(m, d);
  assert_true(d->time > 0 && count_errors() == 0);
}

static void models_without_dofs_keep_time(void** state) {
  (void)state;
  open_model("empty");
  for (int integrator = 0; integrator < 4; integrator++) {
    m->opt.integrator = integrator;
    mj_step(m, d);
    mj_inverse(m, d);
  }
  assert_true(fabs((double)(d->time - 4 * m->opt.timestep)) < 1e-6);
  assert_int_equal(count_errors(), 0);
}

// Memory

static long allocations;

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define COUNTS_ALLOCATIONS 1
extern void* __libc_malloc(size_t size);
extern void* __libc_calloc(size_t count, size_t size);
extern void* __libc_realloc(void* old, size_t size);
extern void* __libc_memalign(size_t alignment, size_t size);

// The program's own, which the linker prefers to those of the C library.
void* malloc(size_t size) {
  allocations++;
  return __libc_malloc(size);
}

void* calloc(size_t count, size_t size) {
  allocations++;
  return __libc_calloc(count, size);
}

void* realloc(void* old, size_t size) {
  allocations++;
  return __libc_realloc(old, size);
}

void* aligned_alloc(size_t alignment, size_t size) {
  allocations++;
  return __libc_memalign(alignment, size);
}
#else
#define COUNTS_ALLOCATIONS 0
#endif

// R0.2
static void steps_allocate_nothing(void** state) {
  (void)state;
  static const char* const names[] = {"humanoid", "swimmer", "actuators", "tendons"};
  if (!COUNTS_ALLOCATIONS) skip();
  long before = allocations;
  mju_free(mju_malloc(8));
  assert_true(allocations > before);  // the counter counts
  for (int i = 0; i < 4; i++) {
    open_model(names[i]);
    m->opt.enableflags |= mjENBL_ENERGY;
    before = allocations;
    for (int step = 0; step < 40; step++) {
      m->opt.integrator = step % 4;
      mj_step(m, d);
      mj_inverse(m, d);
    }
    assert_int_equal(allocations - before, 0);
    assert_int_equal(d->pstack, 0);
    close_model();
  }
}

// R1.4
static void dense_cholesky_allocates_nothing(void** state) {
  (void)state;
  enum { N = 40 };
  static mjtNum A[N * N], x[N];
  if (!COUNTS_ALLOCATIONS) skip();
  for (int i = 0; i < N; i++) {
    x[i] = 1;
    for (int j = 0; j < N; j++) A[i * N + j] = i == j ? N : (mjtNum)1 / (mjtNum)(1 + i + j);
  }
  long before = allocations;
  assert_int_equal(mju_cholFactor(A, N, mjMINVAL), N);
  mju_cholSolve(x, A, x, N);
  assert_int_equal(mju_cholUpdate(A, x, N, 1), N);
  assert_int_equal(allocations - before, 0);
}

#define TEST(name_) cmocka_unit_test_setup_teardown(name_, listen, close_all)

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(bad_position_resets_and_the_step_goes_on_from_the_start),
      TEST(without_automatic_reset_an_event_counts_twice),
      TEST(a_bad_number_is_found_in_every_place),
      TEST(bad_acceleration_resets_and_evaluates_again),
      TEST(ct_step_reports_and_leaves_the_state),
      TEST(ct_step_reports_matrices_that_cannot_be_factored),
      TEST(implicit_steps_survive_a_bad_control),
      TEST(implicit_steps_go_on_with_bad_numbers_without_automatic_reset),
      TEST(ct_step_reports_every_lack_of_memory),
      TEST(lack_of_memory_leaves_no_stack_and_no_time_behind),
      TEST(ct_step_does_not_warn),
      TEST(ct_step_refuses_bad_accelerations_of_the_integrator),
      TEST(timers_count_what_ran),
      TEST(timers_use_the_clock_of_the_user),
      TEST(contacts_of_flexes_take_the_time_of_the_narrow_phase),
      TEST(control_callback_runs_once_per_forward_pass),
      TEST(energies_are_computed_if_asked_for_and_zero_otherwise),
      TEST(skipped_stages_keep_their_results),
      TEST(steps_hold_constraints),
      TEST(ct_step_compares_forward_and_inverse_dynamics_if_asked),
      TEST(an_unknown_solver_is_named),
      TEST(a_solver_may_be_chosen_between_the_halves_of_a_step),
      TEST(models_with_flexes_are_stepped),
      TEST(joints_of_unknown_type_are_refused),
      TEST(halves_of_integrators_without_halves_are_refused),
      TEST(models_without_dofs_keep_time),
      TEST(dense_cholesky_allocates_nothing),
      TEST(steps_allocate_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
