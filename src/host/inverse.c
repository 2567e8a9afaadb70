// Public functions of inverse dynamics: the forces that make given accelerations.

#include "engine/inverse.h"

#include "base/memory/scratch.h"
#include "engine/constraint/constraint.h"
#include "engine/integrate.h"
#include "engine/smooth/acceleration.h"
#include "engine/smooth/velocity_derivative.h"
#include "host/pipeline.h"
#include "host/report.h"
#include "host/timer.h"
#include "math/sparse.h"
#include "math/vec.h"

// Scratch of n numbers behind a mark; NULL, an error unless the data is quiet, and no mark without
// room.
static mjtNum* mark_and_take(mjData* d, int n, const char* function) {
  Lane g = lane_one();
  bool marked = lane_mark(g, d);
  mjtNum* room = marked ? lane_scratch_num(g, d, n) : NULL;
  if (room) return room;
  if (marked) lane_free(g, d);
  ct_no_room(d, function);
  return NULL;
}

void mj_invConstraint(const mjModel* m, mjData* d) {
  mjtNum start = ct_clock();
  if (!ct_inverse_constraint(lane_one(), m, d)) ct_no_room(d, "mj_invConstraint");
  ct_timer_count(d, mjTIMER_CONSTRAINT, start);
}

// res = A vec, where A is the matrix that the integrator of the model solves with. True if that is
// not M itself.
static bool mul_integrator_matrix(const mjModel* m, mjData* d, mjtNum* res, const mjtNum* vec) {
  Lane g = lane_one();
  int nv = (int)m->nv;
  bool damped = false;
  switch (m->opt.integrator) {
    case mjINT_EULER:  // unlike mj_Euler, this does not ask whether dampers are disabled
      if (m->opt.disableflags & mjDSBL_EULERDAMP) return false;
      for (int k = 0; k < nv; k++) damped = damped || m->dof_damping[k] > 0;
      if (!damped) return false;
      mj_mulM(m, d, res, vec);
      for (int k = 0; k < nv; k++) res[k] += m->opt.timestep * m->dof_damping[k] * vec[k];
      return true;
    case mjINT_IMPLICIT:
      ct_smooth_derivative(g, m, d, true);
      ct_build_qLU(g, m, d);
      ct_mul_mat_vec_sparse(res, d->qLU, vec, nv, m->D_rownnz, m->D_rowadr, m->D_colind);
      return true;
    case mjINT_IMPLICITFAST:
      ct_smooth_derivative(g, m, d, false);
      ct_build_qH(g, m, d);
      ct_mul_sym_vec_sparse(res, d->qH, vec, nv, m->M_rownnz, m->M_rowadr, m->M_colind);
      return true;
    default:
      ct_wrong_model(
          d,
          "mj_inverse: accelerations of this integrator cannot be turned into continuous ones; "
          "use Euler or an implicit integrator, or leave out mjENBL_INVDISCRETE");
      return false;
  }
}

// qacc, the acceleration that the integrator of the model made, becomes the one that M alone makes.
static void discrete_to_continuous(const mjModel* m, mjData* d) {
  mjtNum* force = mark_and_take(d, (int)m->nv, "mj_inverse");
  if (!force) return;
  if (mul_integrator_matrix(m, d, force, d->qacc)) mj_solveM(m, d, d->qacc, force, 1);
  lane_free(lane_one(), d);
}

// Unlike in forward dynamics, energies that are not asked for stay as they are.
static void inverse_position(const mjModel* m, mjData* d, int skipsensor) {
  mj_invPosition(m, d);
  if (!skipsensor) mj_sensorPos(m, d);
  if ((m->opt.enableflags & mjENBL_ENERGY) && !d->flg_energypos) mj_energyPos(m, d);
}

static void inverse_velocity(const mjModel* m, mjData* d, int skipsensor) {
  mj_invVelocity(m, d);
  if (!skipsensor) mj_sensorVel(m, d);
  if ((m->opt.enableflags & mjENBL_ENERGY) && !d->flg_energyvel) mj_energyVel(m, d);
}

void mj_inverseSkip(const mjModel* m, mjData* d, int skipstage, int skipsensor) {
  mjtNum start = ct_clock();
  int nv = (int)m->nv;
  mjtNum* given = mark_and_take(d, nv, "mj_inverse");
  if (!given) return;
  if (skipstage < mjSTAGE_POS) inverse_position(m, d, skipsensor);
  if (skipstage < mjSTAGE_VEL) inverse_velocity(m, d, skipsensor);
  ct_copy(given, d->qacc, nv);
  if (m->opt.enableflags & mjENBL_INVDISCRETE) discrete_to_continuous(m, d);
  mj_invConstraint(m, d);
  if (!ct_inverse_bias(lane_one(), m, d)) ct_no_room(d, "mj_inverse");
  if (!skipsensor) {
    d->flg_rnepost = 0;
    mj_sensorAcc(m, d);
  }
  if (!ct_inverse_force(lane_one(), m, d)) ct_no_room(d, "mj_inverse");
  ct_copy(d->qacc, given, nv);
  lane_free(lane_one(), d);
  ct_timer_count(d, mjTIMER_INVERSE, start);
}

void mj_inverse(const mjModel* m, mjData* d) {
  mj_inverseSkip(m, d, mjSTAGE_NONE, 0);
}

// The forces that the user and the actuators apply, as forces on the dofs.
static void external_force(const mjModel* m, mjData* d, mjtNum* force) {
  ct_add(force, d->qfrc_applied, d->qfrc_actuator, (int)m->nv);
  ct_add_applied(lane_one(), m, d, force);
}

// How far forward and inverse dynamics are apart: in forces of constraints, and in what is applied.
// They can only be where there are constraints. Forces of the forward pass come back, but efc_state
// and qfrc_inverse stay.
void mj_compareFwdInv(const mjModel* m, mjData* d) {
  int nv = (int)m->nv, nefc = d->nefc;
  d->solver_fwdinv[0] = d->solver_fwdinv[1] = 0;
  if (nefc == 0) return;
  mjtNum* applied = mark_and_take(d, 2 * nv + nefc, "mj_compareFwdInv");
  if (!applied) return;
  mjtNum *constraint = applied + nv, *force = constraint + nv;
  ct_copy(constraint, d->qfrc_constraint, nv);
  ct_copy(force, d->efc_force, nefc);
  external_force(m, d, applied);
  mj_inverseSkip(m, d, mjSTAGE_VEL, 1);
  ct_sub(applied, applied, d->qfrc_inverse, nv);
  ct_sub(d->qfrc_constraint, d->qfrc_constraint, constraint, nv);
  d->solver_fwdinv[0] = ct_norm(d->qfrc_constraint, nv);
  d->solver_fwdinv[1] = ct_norm(applied, nv);
  ct_copy(d->qfrc_constraint, constraint, nv);
  ct_copy(d->efc_force, force, nefc);
  lane_free(lane_one(), d);
}
