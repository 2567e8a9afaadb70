// Public functions that run the stages in order: forward dynamics as a whole and in parts, a step
// as a whole and in two halves.
//
// src/engine/step.c has the same order as lane code. Here it runs on one lane, with argument
// checks, timers and the user's callbacks between the stages.
//
// Not written yet: constraints (models that need them are refused) and sensors (sensordata is left
// as it is).

#include "api/pipeline.h"

#include "api/bias.h"
#include "api/timer.h"
#include "base/data_memory.h"
#include "engine/sleep.h"
#include "engine/solver.h"
#include "engine/step.h"

static bool disabled(const mjModel* m, int flag) {
  return (m->opt.disableflags & flag) != 0;
}

// Could a pair of geoms touch? A rough test, on the safe side: geoms of two bodies that move
// relative to each other, with masks that fit somewhere in the model.
static bool contacts_are_possible(const mjModel* m) {
  int types = 0, affinities = 0, first = -1;
  bool two_bodies = false;
  if (disabled(m, mjDSBL_CONTACT)) return false;
  if (m->npair || m->nflex) return true;
  for (int i = 0; i < m->ngeom; i++) {
    if (!m->geom_contype[i] && !m->geom_conaffinity[i]) continue;
    int body = m->body_weldid[m->geom_bodyid[i]];
    two_bodies = two_bodies || (first >= 0 && body != first);
    first = first < 0 ? body : first;
    types |= m->geom_contype[i];
    affinities |= m->geom_conaffinity[i];
  }
  return two_bodies && (types & affinities);
}

static bool has_limits(const mjModel* m) {
  if (disabled(m, mjDSBL_LIMIT)) return false;
  for (int i = 0; i < m->njnt; i++) {
    if (m->jnt_limited[i]) return true;
  }
  for (int i = 0; i < m->ntendon; i++) {
    if (m->tendon_limited[i]) return true;
  }
  return false;
}

static bool has_friction(const mjModel* m) {
  if (disabled(m, mjDSBL_FRICTIONLOSS)) return false;
  for (int i = 0; i < m->nv; i++) {
    if (m->dof_frictionloss[i] > 0) return true;
  }
  for (int i = 0; i < m->ntendon; i++) {
    if (m->tendon_frictionloss[i] > 0) return true;
  }
  return false;
}

bool ct_runs_without_constraints(const mjModel* m, const char* function) {
  bool equality = m->neq > 0 && !disabled(m, mjDSBL_EQUALITY);
  if (disabled(m, mjDSBL_CONSTRAINT)) return true;
  if (!equality && !has_limits(m) && !has_friction(m) && !contacts_are_possible(m)) return true;
  mju_error(
      "%s: constraints are not part of this version of corten; set mjDSBL_CONSTRAINT in "
      "opt.disableflags",
      function);
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

// Contacts, constraint rows and islands: none.
static void clear_constraints(mjData* d) {
  ct_clear_arena(d);
  d->ncon = 0;
  d->ne = d->nf = d->nl = d->nefc = d->nJ = d->nA = 0;
  d->nisland = d->nidof = 0;
}

static void kinematics_and_inertia(const mjModel* m, mjData* d) {
  mjtNum start = ct_clock();
  mj_fwdKinematics(m, d);
  ct_timer_count(d, mjTIMER_POS_KINEMATICS, start);

  mj_makeM(m, d);
  start = ct_clock();
  mj_factorM(m, d);
  ct_timer_add(d, mjTIMER_POS_INERTIA, start);

  start = ct_clock();
  clear_constraints(d);
  ct_timer_count(d, mjTIMER_POS_MAKE, start);
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
    mju_error(
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
  if (!wake_by_equalities(m, d)) return;
  transmission(m, d);
  ct_timer_count(d, mjTIMER_POS_PROJECT, ct_clock());
  ct_timer_count(d, mjTIMER_POSITION, start);
}

void mj_fwdPosition(const mjModel* m, mjData* d) {
  if (ct_runs_without_constraints(m, "mj_fwdPosition")) forward_position(m, d);
}

void mj_invPosition(const mjModel* m, mjData* d) {
  if (!ct_runs_without_constraints(m, "mj_invPosition")) return;
  mjtNum start = ct_clock();
  d->flg_energypos = 0;
  kinematics_and_inertia(m, d);
  transmission(m, d);
  ct_timer_count(d, mjTIMER_POSITION, start);
}

// Velocity

void mj_fwdVelocity(const mjModel* m, mjData* d) {
  mjtNum start = ct_clock();
  d->flg_subtreevel = d->flg_energyvel = 0;
  ct_velocities(lane_one(), m, d);
  mj_passive(m, d);
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
    mju_error(exists ? "mj_fwdConstraint: the stack has no room; give the model more memory"
                     : "mj_fwdConstraint: opt.solver is none of mjtSolver");
  }
  ct_timer_count(d, mjTIMER_CONSTRAINT, start);
}

// Forward dynamics

void mj_forwardSkip(const mjModel* m, mjData* d, int skipstage, int skipsensor) {
  if (!ct_runs_without_constraints(m, "mj_forward")) return;
  mjtNum start = ct_clock();
  if (skipstage < mjSTAGE_POS) {
    forward_position(m, d);
    ct_position_energy(lane_one(), m, d);
  }
  if (skipstage < mjSTAGE_VEL) {
    mj_fwdVelocity(m, d);
    ct_velocity_energy(lane_one(), m, d);
  }
  if (mjcb_control && !disabled(m, mjDSBL_ACTUATION)) mjcb_control(m, d);
  mj_fwdActuation(m, d);
  mj_fwdAcceleration(m, d);
  mj_fwdConstraint(m, d);
  if (!skipsensor) d->flg_rnepost = 0;
  ct_timer_count(d, mjTIMER_FORWARD, start);
}

void mj_forward(const mjModel* m, mjData* d) {
  mj_forwardSkip(m, d, mjSTAGE_NONE, 0);
}

// Steps

static void compare_if_asked(const mjModel* m, mjData* d) {
  if (m->opt.enableflags & mjENBL_FWDINV) mj_compareFwdInv(m, d);
}

void mj_stepSkip(const mjModel* m, mjData* d, int skipstage, int skipsensor) {
  if (!ct_runs_without_constraints(m, "mj_step") || !ct_integrator_exists(m, "mj_step")) return;
  mjtNum start = ct_clock();
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
      ct_run_integrator(m, d);
      break;
  }
  ct_timer_count(d, mjTIMER_STEP, start);
}

void mj_step(const mjModel* m, mjData* d) {
  mj_stepSkip(m, d, mjSTAGE_NONE, 0);
}

void mj_step1(const mjModel* m, mjData* d) {
  if (!ct_runs_without_constraints(m, "mj_step1")) return;
  mjtNum start = ct_clock();
  mj_checkPos(m, d);
  mj_checkVel(m, d);
  forward_position(m, d);
  ct_position_energy(lane_one(), m, d);
  mj_fwdVelocity(m, d);
  ct_velocity_energy(lane_one(), m, d);
  if (mjcb_control) mjcb_control(m, d);  // also where actuation is disabled
  ct_timer_count(d, mjTIMER_STEP, start);
}

// The two halves count as one step. Runge-Kutta needs more than one forward pass, so Euler stands
// in for it. Oddity: flg_rnepost is not cleared.
void mj_step2(const mjModel* m, mjData* d) {
  if (!ct_runs_without_constraints(m, "mj_step2")) return;
  mjtNum start = ct_clock();
  mj_fwdActuation(m, d);
  mj_fwdAcceleration(m, d);
  mj_fwdConstraint(m, d);
  mj_checkAcc(m, d);
  compare_if_asked(m, d);
  if (m->opt.integrator == mjINT_IMPLICIT || m->opt.integrator == mjINT_IMPLICITFAST) {
    mj_implicit(m, d);
  } else {
    mj_Euler(m, d);
  }
  ct_timer_add(d, mjTIMER_STEP, start);
}
