// Public functions that run a single stage, or a piece of one: the stage on one lane, with the
// host's rules, callbacks and messages around it (dynamics.c).

#include "host/stage_functions.h"

#include "base/model/faults.h"
#include "base/private.h"
#include "engine/constraint/constraint.h"
#include "engine/constraint/post_constraint.h"
#include "engine/smooth/actuation.h"
#include "engine/smooth/bias.h"
#include "engine/smooth/energy.h"
#include "engine/smooth/mass_matrix.h"
#include "engine/smooth/subtree.h"
#include "engine/smooth/tendon.h"
#include "engine/smooth/tendon_bias.h"
#include "host/report.h"
#include "host/timer.h"
#include "host/walk.h"

// Positions

void mj_kinematics(const mjModel* m, mjData* d) {
  ct_walk_one(m, d, CT_STAGE_kinematics, "mj_kinematics");
}

void mj_comPos(const mjModel* m, mjData* d) {
  ct_walk_one(m, d, CT_STAGE_com_position, "mj_comPos");
}

void mj_camlight(const mjModel* m, mjData* d) {
  ct_walk_one(m, d, CT_STAGE_camlight, "mj_camlight");
}

void mj_flex(const mjModel* m, mjData* d) {
  ct_walk_one(m, d, CT_STAGE_flex_kinematics, "mj_flex");
  ct_walk_one(m, d, CT_STAGE_flex_edges, "mj_flex");
}

void mj_tendon(const mjModel* m, mjData* d) {
  ct_walk_one(m, d, CT_STAGE_tendon, "mj_tendon");
}

void mj_crb(const mjModel* m, mjData* d) {
  ct_composite_bodies(lane_one(), m, d);
}

void mj_tendonArmature(const mjModel* m, mjData* d) {
  ct_tendon_inertia(lane_one(), m, d);
}

void mj_makeM(const mjModel* m, mjData* d) {
  mjtNum start = ct_clock();
  ct_walk_one(m, d, CT_STAGE_mass_matrix, "mj_makeM");
  ct_timer_count(d, mjTIMER_POS_INERTIA, start);
}

void mj_factorM(const mjModel* m, mjData* d) {
  ct_walk_one(m, d, CT_STAGE_factor, "mj_factorM");
}

void mj_collision(const mjModel* m, mjData* d) {
  ct_walk_one(m, d, CT_STAGE_collision, "mj_collision");
  if (m->nflex) ct_walk_one(m, d, CT_STAGE_flex_collision, "mj_collision");
}

void mj_makeConstraint(const mjModel* m, mjData* d) {
  ct_walk_one(m, d, CT_STAGE_rows, "mj_makeConstraint");
}

void mj_island(const mjModel* m, mjData* d) {
  ct_walk_one(m, d, CT_STAGE_islands, "mj_island");
}

void mj_transmission(const mjModel* m, mjData* d) {
  ct_walk_one(m, d, CT_STAGE_transmission, "mj_transmission");
}

void mj_projectConstraint(const mjModel* m, mjData* d) {
  ct_walk_one(m, d, CT_STAGE_project, "mj_projectConstraint");
}

void mj_energyPos(const mjModel* m, mjData* d) {
  ct_report(m, d, ct_energy_position(lane_one(), m, d), "mj_energyPos");
}

// Velocities

void mj_comVel(const mjModel* m, mjData* d) {
  ct_walk_one(m, d, CT_STAGE_com_velocity, "mj_comVel");
}

void mj_passive(const mjModel* m, mjData* d) {
  ct_walk_one(m, d, CT_STAGE_passive, "mj_passive");
}

void mj_referenceConstraint(const mjModel* m, mjData* d) {
  ct_walk_one(m, d, CT_STAGE_reference, "mj_referenceConstraint");
}

void mj_rne(const mjModel* m, mjData* d, int flg_acc, mjtNum* result) {
  ct_report(m, d, ct_newton_euler(lane_one(), m, d, flg_acc != 0, result), "mj_rne");
}

void mj_tendonBias(const mjModel* m, mjData* d, mjtNum* force) {
  int bent = ct_bent_tendon(m);
  int status = bent >= 0 ? ct_blame_model(lane_one(), d, CT_CAUSE_BENT_TENDON, bent)
                         : ct_tendon_bias(lane_one(), m, d, force);
  ct_report(m, d, status, "mj_tendonBias");
}

void mj_tendonDot(const mjModel* m, mjData* d, int tendon, mjtNum* rate) {
  if (tendon < 0 || tendon >= m->ntendon) {
    mju_error("mj_tendonDot: tendon %d does not exist, ids are 0 to %d", tendon,
              (int)m->ntendon - 1);
    return;
  }
  int end = m->tendon_adr[tendon] + m->tendon_num[tendon];
  for (int k = m->tendon_adr[tendon]; k < end; k++) {
    if (ct_is_wrap_geom(m, k)) {
      mju_error(
          "mj_tendonDot: tendon %d wraps around geom %d; only paths through sites have a "
          "derivative",
          tendon, m->wrap_objid[k]);
      return;
    }
  }
  ct_tendon_dot(lane_one(), m, d, tendon, rate);
}

void mj_energyVel(const mjModel* m, mjData* d) {
  ct_report(m, d, ct_energy_velocity(lane_one(), m, d), "mj_energyVel");
}

void mj_subtreeVel(const mjModel* m, mjData* d) {
  ct_report(m, d, ct_subtree_velocity(lane_one(), m, d), "mj_subtreeVel");
}

// Accelerations

void mj_fwdActuation(const mjModel* m, mjData* d) {
  ct_walk_one(m, d, CT_STAGE_actuation, "mj_fwdActuation");
}

int mj_actuatorDisabled(const mjModel* m, int actuator) {
  return ct_actuator_disabled(m, actuator);
}

void mj_fwdAcceleration(const mjModel* m, mjData* d) {
  ct_walk_one(m, d, CT_STAGE_acceleration, "mj_fwdAcceleration");
}

void mj_fwdConstraint(const mjModel* m, mjData* d) {
  mjtNum start = ct_clock();
  ct_walk_one(m, d, CT_STAGE_constraint, "mj_fwdConstraint");
  ct_timer_count(d, mjTIMER_CONSTRAINT, start);
}

void mj_invConstraint(const mjModel* m, mjData* d) {
  mjtNum start = ct_clock();
  ct_walk_one(m, d, CT_STAGE_inverse_constraint, "mj_invConstraint");
  ct_timer_count(d, mjTIMER_CONSTRAINT, start);
}

void mj_constraintUpdate(const mjModel* m, mjData* d, const mjtNum* jar, mjtNum cost[1],
                         int flg_coneHessian) {
  mjtNum sum = ct_constraint_update(lane_one(), m, d, jar, flg_coneHessian != 0);
  if (cost) cost[0] = sum;
}

void mj_constraintUpdate_impl(int equalities, int frictions, int n, const mjtNum* D,
                              const mjtNum* R, const mjtNum* friction_loss, const mjtNum* residual,
                              const int* type, const int* id, mjContact* contact, int* state,
                              mjtNum* force, mjtNum cost[1], int cones) {
  ct_RowSet rows = {equalities, frictions, n, type, id, D, R, friction_loss, state, force};
  mjtNum sum = ct_update_rows(lane_one(), rows, contact, residual, cones != 0);
  if (cost) cost[0] = sum;
}

void mj_rnePostConstraint(const mjModel* m, mjData* d) {
  ct_report(m, d, ct_post_constraint(lane_one(), m, d), "mj_rnePostConstraint");
}

void mj_compareFwdInv(const mjModel* m, mjData* d) {
  ct_walk_one(m, d, CT_STAGE_compare_inverse, "mj_compareFwdInv");
}

// Sensors

static void sense(const mjModel* m, mjData* d, ct_Stage stage, const char* function) {
  if (ct_has_sensors(m)) ct_walk_one(m, d, stage, function);
}

void mj_sensorPos(const mjModel* m, mjData* d) {
  sense(m, d, CT_STAGE_sensors_of_position, "mj_sensorPos");
}

void mj_sensorVel(const mjModel* m, mjData* d) {
  sense(m, d, CT_STAGE_sensors_of_velocity, "mj_sensorVel");
}

void mj_sensorAcc(const mjModel* m, mjData* d) {
  sense(m, d, CT_STAGE_sensors_of_forces, "mj_sensorAcc");
}

// Numbers that are bad

// Is there a bad number among n? All are looked at, because that is faster than leaving early. The
// last word may overlap the one before it.
static bool any_bad(const mjtNum* x, int n) {
#if LANE_WIDTH > 1
  if (n >= LANE_WIDTH) {
    const Wide most = wide_all((mjtNum)mjMAXVAL), least = wide_all((mjtNum)-mjMAXVAL);
    WideMask good = most == most;
    for (int i = 0; i < n; i += LANE_WIDTH) {
      Wide word = wide_load(x + (i + LANE_WIDTH < n ? i : n - LANE_WIDTH));
      good &= (WideMask)(word >= least) & (WideMask)(word <= most);
    }
    return wide_bits(good) != (1u << LANE_WIDTH) - 1;
  }
#endif
  int bad = 0;
  for (int i = 0; i < n; i++) bad |= ct_is_bad(x[i]);
  return bad != 0;
}

// The first bad number among n; -1: none. With a list, only the numbers it names.
static int first_bad(const mjtNum* x, int n, const int* list) {
  if (!list && !any_bad(x, n)) return -1;
  for (int i = 0; i < n; i++) {
    int k = list ? list[i] : i;
    if (ct_is_bad(x[k])) return k;
  }
  return -1;
}

static int first_bad_dof(const mjModel* m, const mjData* d, const mjtNum* x) {
  if (ct_sleep_enabled(m) && d->nv_awake < m->nv) {
    return first_bad(x, d->nv_awake, d->dof_awake_ind);
  }
  return first_bad(x, (int)m->nv, NULL);
}

// Warns, and resets unless that is disabled. The reset clears the counters, so the event is counted
// again; without reset it counts twice. True if there was a reset.
static bool warn_and_reset(const mjModel* m, mjData* d, int warning, int where) {
  bool reset = !(m->opt.disableflags & mjDSBL_AUTORESET);
  mj_warning(d, warning, where);
  if (reset) mj_resetData(m, d);
  d->warning[warning].number++;
  d->warning[warning].lastinfo = where;
  return reset;
}

static int check_position(const mjModel* m, mjData* d) {
  int bad = first_bad(d->qpos, (int)m->nq, NULL);
  if (bad < 0) return CT_OK;
  warn_and_reset(m, d, mjWARN_BADQPOS, bad);
  return CT_BAD_QPOS;
}

static int check_velocity(const mjModel* m, mjData* d) {
  int bad = first_bad_dof(m, d, d->qvel);
  if (bad < 0) return CT_OK;
  warn_and_reset(m, d, mjWARN_BADQVEL, bad);
  return CT_BAD_QVEL;
}

int ct_reset_bad_state(const mjModel* m, mjData* d) {
  int status = check_position(m, d);
  return status | check_velocity(m, d);
}

int ct_reset_bad_acceleration(const mjModel* m, mjData* d) {
  int bad = first_bad_dof(m, d, d->qacc);
  if (bad < 0) return CT_OK;
  if (warn_and_reset(m, d, mjWARN_BADQACC, bad)) mj_forward(m, d);
  return CT_BAD_QACC;
}

void mj_checkPos(const mjModel* m, mjData* d) {
  check_position(m, d);
}

void mj_checkVel(const mjModel* m, mjData* d) {
  check_velocity(m, d);
}

void mj_checkAcc(const mjModel* m, mjData* d) {
  ct_reset_bad_acceleration(m, d);
}
