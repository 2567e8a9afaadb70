// Public functions that run the stages in order: forward dynamics as a whole and in parts, a step
// as a whole and in two halves.
//
// src/engine/step.c has the same order as lane code. Here it runs on one lane, with argument
// checks, timers and the user's callbacks between the stages.
//
// Not written yet: flexes (models that have one are refused).

#include "host/pipeline.h"

#include <corten/integrator.h>

#include "engine/smooth/sleep.h"
#include "engine/solver/solver.h"
#include "engine/step.h"
#include "host/bias.h"
#include "host/report.h"
#include "host/timer.h"

static bool disabled(const mjModel* m, int flag) {
  return (m->opt.disableflags & flag) != 0;
}

bool ct_is_supported(const mjModel* m, const char* function) {
  if (m->nflex == 0) return true;
  mju_error("%s: flexes are not part of this version of corten", function);
  return false;
}

// Position

void mj_fwdKinematics(const mjModel* m, mjData* d) {
  mj_kinematics(m, d);
  mj_comPos(m, d);
  mj_camlight(m, d);
  if (m->nflex) mj_flex(m, d);
  mj_tendon(m, d);
  ct_wake_along_tendons(lane_one(), m, d);
}

static void kinematics_and_inertia(const mjModel* m, mjData* d) {
  mjtNum start = ct_clock();
  mj_fwdKinematics(m, d);
  ct_timer_count(d, mjTIMER_POS_KINEMATICS, start);

  mj_makeM(m, d);
  start = ct_clock();
  mj_factorM(m, d);
  ct_timer_add(d, mjTIMER_POS_INERTIA, start);
  mj_collision(m, d);
}

static void transmission(const mjModel* m, mjData* d) {
  mjtNum start = ct_clock();
  mj_transmission(m, d);
  ct_timer_add(d, mjTIMER_POS_KINEMATICS, start);
}

// Equalities between trees of which one sleeps wake it. Those of tendons and flexes cannot.
static bool wake_by_equalities(const mjModel* m, mjData* d) {
  for (int i = 0; i < m->neq && ct_sleep_enabled(m); i++) {
    if (!d->eq_active[i] || m->eq_type[i] <= mjEQ_JOINT) continue;
    ct_wrong_model(
        d,
        "mj_step: equality %d is between tendons or flexes, which cannot be combined with sleep; "
        "clear mjENBL_SLEEP in opt.enableflags or eq_active[%d]",
        i, i);
    return false;
  }
  ct_wake_equal(lane_one(), m, d);
  return true;
}

static void forward_position(const mjModel* m, mjData* d) {
  mjtNum start = ct_clock();
  d->flg_energypos = 0;
  kinematics_and_inertia(m, d);
  if (ct_wake_touched(lane_one(), m, d)) mj_collision(m, d);
  if (!wake_by_equalities(m, d)) return;
  mjtNum making = ct_clock();
  mj_makeConstraint(m, d);
  mj_island(m, d);
  ct_timer_count(d, mjTIMER_POS_MAKE, making);
  transmission(m, d);
  mjtNum projecting = ct_clock();
  mj_projectConstraint(m, d);
  ct_timer_count(d, mjTIMER_POS_PROJECT, projecting);
  ct_timer_count(d, mjTIMER_POSITION, start);
}

void mj_fwdPosition(const mjModel* m, mjData* d) {
  forward_position(m, d);
}

void mj_invPosition(const mjModel* m, mjData* d) {
  mjtNum start = ct_clock();
  d->flg_energypos = 0;
  kinematics_and_inertia(m, d);
  mjtNum making = ct_clock();
  mj_makeConstraint(m, d);
  ct_timer_count(d, mjTIMER_POS_MAKE, making);
  transmission(m, d);
  ct_timer_count(d, mjTIMER_POSITION, start);
}

// Velocity

void mj_fwdVelocity(const mjModel* m, mjData* d) {
  mjtNum start = ct_clock();
  d->flg_subtreevel = d->flg_energyvel = 0;
  ct_velocities(lane_one(), m, d);
  mj_passive(m, d);
  mj_referenceConstraint(m, d);
  mj_rne(m, d, 0, d->qfrc_bias);
  mj_tendonBias(m, d, d->qfrc_bias);
  ct_timer_count(d, mjTIMER_VELOCITY, start);
}

void mj_invVelocity(const mjModel* m, mjData* d) {
  mj_fwdVelocity(m, d);
}

// Acceleration

void mj_fwdConstraint(const mjModel* m, mjData* d) {
  mjtNum start = ct_clock();
  if (!ct_forward_constraint(lane_one(), m, d)) {
    bool exists = m->opt.solver >= mjSOL_PGS && m->opt.solver <= mjSOL_NEWTON;
    if (exists) {
      ct_no_room(d, "mj_fwdConstraint");
    } else {
      ct_wrong_model(d, "mj_fwdConstraint: opt.solver is none of mjtSolver");
    }
  }
  ct_timer_count(d, mjTIMER_CONSTRAINT, start);
}

// Forward dynamics

void mj_forwardSkip(const mjModel* m, mjData* d, int skipstage, int skipsensor) {
  if (!ct_is_supported(m, "mj_forward")) return;
  mjtNum start = ct_clock();
  if (skipstage < mjSTAGE_POS) {
    forward_position(m, d);
    if (!skipsensor) mj_sensorPos(m, d);
    ct_position_energy(lane_one(), m, d);
  }
  if (skipstage < mjSTAGE_VEL) {
    mj_fwdVelocity(m, d);
    if (!skipsensor) mj_sensorVel(m, d);
    ct_velocity_energy(lane_one(), m, d);
  }
  if (mjcb_control && !disabled(m, mjDSBL_ACTUATION)) mjcb_control(m, d);
  mj_fwdActuation(m, d);
  mj_fwdAcceleration(m, d);
  mj_fwdConstraint(m, d);
  if (!skipsensor) {
    d->flg_rnepost = 0;
    mj_sensorAcc(m, d);
  }
  ct_timer_count(d, mjTIMER_FORWARD, start);
}

void mj_forward(const mjModel* m, mjData* d) {
  ct_speak(d);
  mj_forwardSkip(m, d, mjSTAGE_NONE, 0);
}

// Steps

static void compare_if_asked(const mjModel* m, mjData* d) {
  if (m->opt.enableflags & mjENBL_FWDINV) mj_compareFwdInv(m, d);
}

void mj_stepSkip(const mjModel* m, mjData* d, int skipstage, int skipsensor) {
  if (!ct_is_supported(m, "mj_step") || !ct_integrator_exists(m, "mj_step")) return;
  mjtNum start = ct_clock();
  ct_speak(d);
  mj_checkPos(m, d);
  mj_checkVel(m, d);
  mj_forwardSkip(m, d, skipstage, skipsensor);
  mj_checkAcc(m, d);
  compare_if_asked(m, d);
  switch (m->opt.integrator) {
    case mjINT_EULER:
      mj_EulerSkip(m, d, skipstage >= mjSTAGE_POS);
      break;
    case mjINT_IMPLICIT:
    case mjINT_IMPLICITFAST:
      mj_implicitSkip(m, d, skipstage >= mjSTAGE_VEL);
      break;
    default:
      ct_integrate_or_complain(m, d, m->opt.integrator, 0, "mj_step");
      break;
  }
  ct_timer_count(d, mjTIMER_STEP, start);
}

void mj_step(const mjModel* m, mjData* d) {
  mj_stepSkip(m, d, mjSTAGE_NONE, 0);
}

void mj_step1(const mjModel* m, mjData* d) {
  mjtNum start = ct_clock();
  ct_speak(d);
  mj_checkPos(m, d);
  mj_checkVel(m, d);
  forward_position(m, d);
  mj_sensorPos(m, d);
  ct_position_energy(lane_one(), m, d);
  mj_fwdVelocity(m, d);
  mj_sensorVel(m, d);
  ct_velocity_energy(lane_one(), m, d);
  if (mjcb_control) mjcb_control(m, d);  // also where actuation is disabled
  ct_timer_count(d, mjTIMER_STEP, start);
}

// Integrators that the reference does not have, so that nobody expects Euler in their place.
static bool halves_exist(const mjModel* m) {
  if (m->opt.integrator != CT_INT_DENSE && m->opt.integrator != CT_INT_SPRINGDAMPER) return true;
  mju_error("mj_step2: integrator %d steps as a whole only; call mj_step", m->opt.integrator);
  return false;
}

// The two halves count as one step. Runge-Kutta needs more than one forward pass, so Euler stands
// in for it. Oddity: flg_rnepost is not cleared.
void mj_step2(const mjModel* m, mjData* d) {
  if (!ct_is_supported(m, "mj_step2") || !halves_exist(m)) return;
  mjtNum start = ct_clock();
  mj_fwdActuation(m, d);
  mj_fwdAcceleration(m, d);
  mj_fwdConstraint(m, d);
  mj_sensorAcc(m, d);
  mj_checkAcc(m, d);
  compare_if_asked(m, d);
  if (m->opt.integrator == mjINT_IMPLICIT || m->opt.integrator == mjINT_IMPLICITFAST) {
    mj_implicit(m, d);
  } else {
    mj_Euler(m, d);
  }
  ct_timer_add(d, mjTIMER_STEP, start);
}
