// Inverse dynamics: the forces that, added to passive and constraint forces, cause qacc.
//
//   in    qacc             (nv)
//         M, and what bias.c reads
//         qfrc_passive     (nv)
//         qfrc_constraint  (nv)  what the constraints do at this acceleration
//   out   qfrc_inverse     (nv)
//
//   qfrc_inverse = M qacc + bias - passive - constraint
//
// Tendons and armature are in M, so M qacc is formed with it and not by a Newton-Euler sweep with
// accelerations. The stage has two parts because sensors of accelerations run between them.

#include "engine/inverse.h"

#include "base/memory/scratch.h"
#include "engine/constraint/constraint.h"
#include "engine/integrate.h"
#include "engine/smooth/acceleration.h"
#include "engine/smooth/bias.h"
#include "engine/smooth/factor.h"
#include "engine/smooth/mass_matrix.h"
#include "engine/smooth/tendon_bias.h"
#include "engine/smooth/velocity_derivative.h"
#include "math/lane_vec.h"
#include "math/sparse.h"
#include "math/vec.h"

// res = (M + h B) vec. Unlike the integrator, this does not ask whether dampers are disabled. False
// if nothing is damped.
LANE_FN static bool mul_euler_matrix(Lane g, const mjModel* m, const mjData* d, mjtNum* res,
                                     const mjtNum* vec) {
  int damped;
  if (m->opt.disableflags & mjDSBL_EULERDAMP) return false;
  LANE_COUNT(damped, k, g, m->nv, m->dof_damping[k] > 0);
  if (!damped) return false;
  ct_mul_M(g, m, d, res, vec);
  LANE_FOR(k, g, m->nv) {
    res[k] += m->opt.timestep * m->dof_damping[k] * vec[k];
  }
  lane_sync(g);
  return true;
}

// res = (M - h D) vec, by one of the two implicit integrators.
LANE_FN static int mul_implicit_matrix(Lane g, const mjModel* m, mjData* d, mjtNum* res,
                                       const mjtNum* vec) {
  bool full = m->opt.integrator == mjINT_IMPLICIT;
  int status = ct_smooth_derivative(g, m, d, full);
  if (full) {
    ct_build_qLU(g, m, d);
    LANE_FOR(i, g, m->nv) {
      int start = m->D_rowadr[i];
      res[i] = ct_dot_sparse(d->qLU + start, m->D_colind + start, m->D_rownnz[i], vec);
    }
  } else {
    ct_build_qH(g, m, d);
    ct_mul_like_M(g, m, d, d->qH, res, vec);
  }
  lane_sync(g);
  return status;
}

LANE_FN int ct_continuous_acceleration(Lane g, const mjModel* m, mjData* d) {
  int integrator = m->opt.integrator, status = CT_OK;
  bool changed = true;
  if (!lane_mark(g, d)) return CT_STACK_FULL;
  mjtNum* force = lane_scratch_num(g, d, (int)m->nv);
  if (!force) {
    status = CT_STACK_FULL;
  } else if (integrator == mjINT_EULER) {
    changed = mul_euler_matrix(g, m, d, force, d->qacc);
  } else if (integrator == mjINT_IMPLICIT || integrator == mjINT_IMPLICITFAST) {
    status = mul_implicit_matrix(g, m, d, force, d->qacc);
  } else {
    status = ct_blame_model(g, d, CT_CAUSE_DISCRETE_INVERSE, integrator);
  }
  if (changed && !status) {
    ct_solve(g, m, d, d->qLD, d->qLDiagInv, force);
    lane_sync(g);
    lane_copy(g, d->qacc, force, m->nv);
  }
  lane_free(g, d);
  return status;
}

LANE_FN int ct_inverse_bias(Lane g, const mjModel* m, mjData* d) {
  int status = ct_newton_euler(g, m, d, false, d->qfrc_inverse);
  return status | ct_tendon_bias(g, m, d, d->qfrc_inverse);
}

LANE_FN int ct_inverse_force(Lane g, const mjModel* m, mjData* d) {
  if (!lane_mark(g, d)) return CT_STACK_FULL;
  mjtNum* Ma = lane_scratch_num(g, d, (int)m->nv);
  if (Ma) {
    ct_mul_M(g, m, d, Ma, d->qacc);
    LANE_FOR(i, g, m->nv) {
      d->qfrc_inverse[i] += Ma[i] - d->qfrc_passive[i] - d->qfrc_constraint[i];
    }
  }
  lane_free(g, d);
  return Ma ? CT_OK : CT_STACK_FULL;
}

// What forward dynamics has, put aside while inverse dynamics runs.
typedef struct {
  mjtNum *applied, *constraint, *qacc;  // (nv)
  mjtNum* force;                        // (nefc)
} ForwardForces;

// Positions and velocities are good, and sensors are left out.
LANE_FN static int inverse_of_forward(Lane g, const mjModel* m, mjData* d) {
  int status = CT_OK;
  if (m->opt.enableflags & mjENBL_INVDISCRETE) status |= ct_continuous_acceleration(g, m, d);
  status |= ct_inverse_constraint(g, m, d);
  status |= ct_inverse_bias(g, m, d);
  return status | ct_inverse_force(g, m, d);
}

LANE_FN static void compare_with(Lane g, const mjModel* m, mjData* d, const ForwardForces* s) {
  LANE_FOR(k, g, m->nv) {
    s->applied[k] -= d->qfrc_inverse[k];
    d->qfrc_constraint[k] -= s->constraint[k];
  }
  LANE_ALONE(g) {
    d->solver_fwdinv[0] = ct_norm(d->qfrc_constraint, (int)m->nv);
    d->solver_fwdinv[1] = ct_norm(s->applied, (int)m->nv);
  }
}

LANE_FN static int compare_forces(Lane g, const mjModel* m, mjData* d, const ForwardForces* s) {
  LANE_FOR(k, g, m->nv) {
    s->constraint[k] = d->qfrc_constraint[k];
    s->applied[k] = d->qfrc_applied[k] + d->qfrc_actuator[k];
    s->qacc[k] = d->qacc[k];
  }
  lane_copy(g, s->force, d->efc_force, d->nefc);
  lane_sync(g);
  ct_add_applied(g, m, d, s->applied);
  lane_sync(g);
  int status = inverse_of_forward(g, m, d);
  lane_sync(g);
  if (!status) compare_with(g, m, d, s);
  lane_copy(g, d->qfrc_constraint, s->constraint, m->nv);
  lane_copy(g, d->qacc, s->qacc, m->nv);
  lane_copy(g, d->efc_force, s->force, d->nefc);
  lane_sync(g);
  return status;
}

LANE_FN int ct_compare_inverse(Lane g, const mjModel* m, mjData* d) {
  int nv = (int)m->nv, status = CT_STACK_FULL;
  LANE_ONCE(g) {
    d->solver_fwdinv[0] = d->solver_fwdinv[1] = 0;
  }
  lane_sync(g);
  if (d->nefc == 0) return CT_OK;
  if (!lane_mark(g, d)) return CT_STACK_FULL;
  mjtNum* room = lane_scratch_num(g, d, 3 * nv + d->nefc);
  if (room) {
    ForwardForces s = {room, room + nv, room + 2 * nv, room + 3 * nv};
    status = compare_forces(g, m, d, &s);
  }
  lane_free(g, d);
  return status;
}
