// From accelerations to the next state: Euler, Runge-Kutta, implicit, implicitfast, and implicit in
// springs and dampers.
//
//   in    qacc, qfrc_smooth, qfrc_constraint   (nv)
//         act_dot, M, qDeriv
//   out   qpos, qvel, act, time, history       the state
//         qacc_warmstart                       (nv)
//         qH, qHDiagInv, qLU                   the matrices that are solved with
//
// All but Runge-Kutta are semi-implicit, v+ = v + h a and q+ = q (+) h v+, and differ in a:
//
//   Euler         a = qacc, or (M + h B) a = f if some dof is damped, B = diag(dof_damping)
//   implicit      (M - h D) a = f, D = df/dv with Coriolis terms (velocity_derivative.c), by LU
//   implicitfast  the same without them, on the lower triangle of M's pattern, by L'DL
//   dense         as implicit, with couplings of branches that the sparse D has no place for
//   springs and dampers  (M + h B + h^2 K) a = f - h K v, K = diag(stiffness)
//
// where f = qfrc_smooth + qfrc_constraint. The last one follows from v+ = v + h a put into
// (M + h B + h^2 K) v+ = M v + h f' - h K (q - q_spring), f' being f without springs and dampers
// (Baraff & Witkin 1998). d->qacc keeps the acceleration of M alone, which is also the next
// warm start.

#include "engine/integrate.h"

#include <corten/integrator.h>
#include <corten/status.h>

#include "base/history_read.h"
#include "base/memory/scratch.h"
#include "base/private.h"
#include "engine/sensor/sensor.h"
#include "engine/smooth/actuation.h"
#include "engine/smooth/factor.h"
#include "engine/smooth/position.h"
#include "engine/smooth/sleep.h"
#include "engine/smooth/velocity_derivative.h"
#include "engine/step.h"
#include "math/lane_vec.h"
#include "math/lu.h"

LANE_FN static void record_controls(Lane g, const mjModel* m, mjData* d) {
  LANE_FOR(i, g, m->nu) {
    int n = m->actuator_history[2 * i];
    if (n <= 0) continue;
    *ct_history_insert(d->history + m->actuator_historyadr[i], n, 1, d->time) = d->ctrl[i];
  }
}

// Activations of disabled groups stand still, yet their limits apply.
LANE_FN static void advance_activations(Lane g, const mjModel* m, mjData* d,
                                        const mjtNum* act_dot) {
  LANE_FOR(i, g, m->nu) {
    int first = m->actuator_actadr[i];
    if (first < 0) continue;
    bool disabled = ct_actuator_disabled(m, i);
    for (int k = first; k < first + m->actuator_actnum[i]; k++) {
      d->act[k] = ct_next_activation(m, i, d->act[k], disabled ? 0 : act_dot[k]);
    }
  }
}

LANE_FN bool ct_advance_activations(Lane g, const mjModel* m, mjData* d, const mjtNum* act_dot) {
  if (m->nhistory > 0) {
    record_controls(g, m, d);
    ct_record_sensors(g, m, d);
  }
  if (m->na > 0 && !(m->opt.disableflags & mjDSBL_ACTUATION)) {
    advance_activations(g, m, d, act_dot);
  }
  lane_sync(g);
  return ct_sleep_enabled(m) && ct_sleep_where_ready(g, m, d) > 0;
}

LANE_FN void ct_advance_motion(Lane g, const mjModel* m, mjData* d, const mjtNum* qacc,
                               const mjtNum* qvel) {
  mjtNum h = m->opt.timestep;
  bool filter = ct_some_asleep(m, d);
  LANE_FOR(k, g, m->nv) {
    if (filter && ct_dof_asleep(m, d, k)) continue;
    d->qvel[k] += h * qacc[k];
  }
  lane_sync(g);
  if (!qvel) qvel = d->qvel;
  if (filter) {
    ct_integrate_position_of(g, m, d->qpos, qvel, h, d->body_awake_ind, d->nbody_awake);
  } else {
    ct_integrate_position(g, m, d->qpos, qvel, h);
  }
  lane_sync(g);
  LANE_ONCE(g) {
    d->time += h;
  }
  lane_copy(g, d->qacc_warmstart, d->qacc, m->nv);
  lane_sync(g);
}

LANE_FN void ct_advance(Lane g, const mjModel* m, mjData* d, const mjtNum* act_dot,
                        const mjtNum* qacc, const mjtNum* qvel) {
  if (ct_advance_activations(g, m, d, act_dot)) {
    ct_forward_from_velocity(g, m, d);
    ct_update_awake(g, m, d, false);
  }
  ct_advance_motion(g, m, d, qacc, qvel);
}

// f, all forces on the dofs.
LANE_FN static void total_force(Lane g, const mjModel* m, const mjData* d, mjtNum* force) {
  LANE_FOR(k, g, m->nv) {
    force[k] = d->qfrc_smooth[k] + d->qfrc_constraint[k];
  }
  lane_sync(g);
}

LANE_INLINE int diagonal_of_M(const mjModel* m, int k) {
  return m->M_rowadr[k] + m->M_rownnz[k] - 1;
}

// Euler

LANE_FN bool ct_euler_is_implicit(Lane g, const mjModel* m, const mjData* d) {
  if (m->opt.disableflags & (mjDSBL_EULERDAMP | mjDSBL_DAMPER)) return false;
  bool filter = ct_some_asleep(m, d);
  int damped;
  LANE_COUNT(damped, k, g, m->nv, m->dof_damping[k] > 0 && !(filter && ct_dof_asleep(m, d, k)));
  return damped > 0;
}

LANE_FN static void copy_M_to_qH(Lane g, const mjModel* m, mjData* d) {
  lane_copy(g, d->qH, d->M, m->nC);
  lane_sync(g);
}

LANE_FN static const mjtNum* euler_acceleration(Lane g, const mjModel* m, mjData* d,
                                                bool keep_factor, mjtNum* room) {
  mjtNum h = m->opt.timestep;
  if (!ct_euler_is_implicit(g, m, d)) {
    if (!ct_sleep_enabled(m)) return d->qacc;
    lane_copy(g, room, d->qacc, m->nv);  // trees that fall asleep make another qacc, too late
    lane_sync(g);
    return room;
  }
  if (!keep_factor) {
    copy_M_to_qH(g, m, d);
    LANE_FOR(k, g, m->nv) {
      d->qH[diagonal_of_M(m, k)] += h * m->dof_damping[k];
    }
    lane_sync(g);
    ct_factor(g, m, d, d->qH, d->qHDiagInv);
  }
  total_force(g, m, d, room);
  ct_solve(g, m, d, d->qH, d->qHDiagInv, room);
  return room;
}

// Implicit in velocity

LANE_FN void ct_build_qLU(Lane g, const mjModel* m, mjData* d) {
  mjtNum h = m->opt.timestep;
  LANE_FOR(e, g, m->nD) {
    int a = m->mapM2D[e];
    d->qLU[e] = (a >= 0 ? d->M[a] : 0) - h * d->qDeriv[e];
  }
  lane_sync(g);
}

LANE_FN void ct_build_qH(Lane g, const mjModel* m, mjData* d) {
  mjtNum h = m->opt.timestep;
  LANE_FOR(a, g, m->nC) {
    d->qH[a] = d->M[a] - h * d->qDeriv[m->mapD2M[a]];
  }
  lane_sync(g);
}

LANE_INLINE ct_LuPattern awake_pattern(const mjModel* m, const mjData* d) {
  bool filter = ct_some_asleep(m, d);
  ct_LuPattern p = {filter ? d->nv_awake : (int)m->nv, filter ? d->dof_awake_ind : NULL,
                    m->D_rownnz, m->D_rowadr, m->D_colind};
  return p;
}

// Elimination of one dof waits for the one before, so one lane does it all.
LANE_FN static bool factor_LU(mjData* d, mjtNum* A, const ct_LuPattern* p) {
  bool good = ct_lu_factor_sparse(A, p) == CT_OK;
  if (!good) ct_private(d)->status |= CT_LU_SINGULAR;
  return good;
}

LANE_FN static void solve_LU(Lane g, const mjModel* m, mjData* d, mjtNum* x) {
  LANE_ONCE(g) {
    ct_LuPattern p = awake_pattern(m, d);
    ct_lu_solve_sparse(x, d->qLU, x, &p);
  }
  lane_sync(g);
}

// Derivative and factor for one of the two implicit integrators.
LANE_FN static bool factor_implicit(Lane g, const mjModel* m, mjData* d) {
  bool full = m->opt.integrator == mjINT_IMPLICIT;
  if (!ct_smooth_derivative(g, m, d, full)) return false;
  if (full) {
    ct_LuPattern p = awake_pattern(m, d);
    int good;
    ct_build_qLU(g, m, d);
    LANE_ANSWER(good, g, factor_LU(d, d->qLU, &p));
    return good != 0;
  }
  ct_build_qH(g, m, d);
  ct_factor(g, m, d, d->qH, d->qHDiagInv);
  return true;
}

LANE_FN static const mjtNum* implicit_acceleration(Lane g, const mjModel* m, mjData* d,
                                                   bool keep_factor, mjtNum* room) {
  if (!keep_factor && !factor_implicit(g, m, d)) return NULL;
  total_force(g, m, d, room);
  if (m->opt.integrator == mjINT_IMPLICIT) {
    solve_LU(g, m, d, room);
  } else {
    ct_solve(g, m, d, d->qH, d->qHDiagInv, room);
  }
  return room;
}

// Implicit with all couplings

typedef struct Dense_ {  // M - h D as a dense matrix, in the form that the sparse LU reads
  mjtNum* A;
  int *rownnz, *rowadr, *colind;
} Dense;

LANE_FN static void build_dense(Lane g, const mjModel* m, mjData* d, Dense s) {
  int nv = (int)m->nv;
  LANE_FOR(i, g, nv) {
    s.rownnz[i] = nv;
    s.rowadr[i] = i * nv;
    for (int j = 0; j < nv; j++) {
      s.A[i * nv + j] = 0;
      s.colind[i * nv + j] = j;
    }
    int end = m->D_rowadr[i] + m->D_rownnz[i];
    for (int e = m->D_rowadr[i]; e < end; e++) s.A[i * nv + m->D_colind[e]] = d->qLU[e];
  }
  lane_sync(g);
  ct_add_far_derivative(g, m, d, s.A, -m->opt.timestep);
}

LANE_FN static bool solve_dense(Lane g, const mjModel* m, mjData* d, Dense s, mjtNum* x) {
  ct_LuPattern p = awake_pattern(m, d);
  p.rownnz = s.rownnz;
  p.rowadr = s.rowadr;
  p.colind = s.colind;
  int good;
  LANE_ANSWER(good, g, factor_LU(d, s.A, &p));
  if (!good) return false;
  LANE_ONCE(g) {
    ct_lu_solve_sparse(x, s.A, x, &p);
  }
  lane_sync(g);
  return true;
}

LANE_FN static const mjtNum* dense_acceleration(Lane g, const mjModel* m, mjData* d, mjtNum* room) {
  int nv = (int)m->nv;
  if (!ct_smooth_derivative(g, m, d, true) || !lane_mark(g, d)) return NULL;
  ct_build_qLU(g, m, d);
  Dense s = {lane_scratch_num(g, d, nv * nv), lane_scratch_int(g, d, nv),
             lane_scratch_int(g, d, nv), lane_scratch_int(g, d, nv * nv)};
  bool good = s.A && s.rownnz && s.rowadr && s.colind;
  if (good) {
    build_dense(g, m, d, s);
    total_force(g, m, d, room);
    good = solve_dense(g, m, d, s, room);
  }
  lane_free(g, d);
  return good ? room : NULL;
}

// Implicit in springs and dampers

LANE_FN static const mjtNum* spring_damper_acceleration(Lane g, const mjModel* m, mjData* d,
                                                        mjtNum* room) {
  mjtNum h = m->opt.timestep;
  mjtNum damper = m->opt.disableflags & mjDSBL_DAMPER ? 0 : 1;
  mjtNum spring = m->opt.disableflags & mjDSBL_SPRING ? 0 : 1;
  copy_M_to_qH(g, m, d);
  total_force(g, m, d, room);
  LANE_FOR(k, g, m->nv) {
    mjtNum stiffness = spring * m->jnt_stiffness[m->dof_jntid[k]];
    d->qH[diagonal_of_M(m, k)] += h * damper * m->dof_damping[k] + h * h * stiffness;
    room[k] -= h * stiffness * d->qvel[k];
  }
  lane_sync(g);
  ct_factor(g, m, d, d->qH, d->qHDiagInv);
  ct_solve(g, m, d, d->qH, d->qHDiagInv, room);
  return room;
}

LANE_FN const mjtNum* ct_acceleration_of(Lane g, const mjModel* m, mjData* d, int integrator,
                                         bool keep_factor, mjtNum* room) {
  if (!m->nv) return room;  // nothing moves, and matrices of nothing have no memory
  switch (integrator) {
    case mjINT_EULER:
      return euler_acceleration(g, m, d, keep_factor, room);
    case CT_INT_SPRINGDAMPER:
      return spring_damper_acceleration(g, m, d, room);
    case CT_INT_DENSE:
      return dense_acceleration(g, m, d, room);
    default:
      return implicit_acceleration(g, m, d, keep_factor, room);
  }
}

LANE_FN bool ct_integrate_by(Lane g, const mjModel* m, mjData* d, int integrator) {
  if (!lane_mark(g, d)) return false;
  mjtNum* room = lane_scratch_num(g, d, m->nv ? (int)m->nv : 1);
  const mjtNum* qacc = room ? ct_acceleration_of(g, m, d, integrator, false, room) : NULL;
  if (qacc) ct_advance(g, m, d, d->act_dot, qacc, NULL);
  lane_free(g, d);
  return qacc != NULL;
}

// Runge-Kutta, with the classical coefficients

LANE_FN void ct_rk_begin(Lane g, const mjModel* m, mjData* d, ct_RungeKutta* s, mjtNum* room) {
  s->time = d->time;
  s->qpos = room;
  s->qvel = s->qpos + m->nq;
  s->qacc = s->qvel + 4 * m->nv;
  s->mean_qvel = s->qacc + 4 * m->nv;
  s->mean_qacc = s->mean_qvel + m->nv;
  s->act = s->mean_qacc + m->nv;
  s->act_dot = s->act + m->na;
  s->mean_act_dot = s->act_dot + 4 * m->na;
  lane_copy(g, s->qpos, d->qpos, m->nq);
  lane_copy(g, s->act, d->act, m->na);
  ct_rk_keep(g, m, d, s, 0);
}

LANE_FN void ct_rk_keep(Lane g, const mjModel* m, mjData* d, const ct_RungeKutta* s, int stage) {
  lane_copy(g, s->qvel + stage * m->nv, d->qvel, m->nv);
  lane_copy(g, s->qacc + stage * m->nv, d->qacc, m->nv);
  lane_copy(g, s->act_dot + stage * m->na, d->act_dot, m->na);
  lane_sync(g);
}

// The state at which stage 1, 2 or 3 looks: from the start along the rates of the stage before.
LANE_FN void ct_rk_go_to(Lane g, const mjModel* m, mjData* d, const ct_RungeKutta* s, int stage) {
  mjtNum part = stage == 3 ? m->opt.timestep : m->opt.timestep / 2;
  mjtSize nv = m->nv, na = m->na;
  const mjtNum *qvel = s->qvel + (stage - 1) * nv, *qacc = s->qacc + (stage - 1) * nv;
  const mjtNum* act_dot = s->act_dot + (stage - 1) * na;
  LANE_FOR(k, g, nv) {
    d->qvel[k] = s->qvel[k] + part * qacc[k];
  }
  LANE_FOR(k, g, na) {
    d->act[k] = s->act[k] + part * act_dot[k];
  }
  lane_copy(g, d->qpos, s->qpos, m->nq);
  LANE_ONCE(g) {
    d->time = s->time + part;
  }
  lane_sync(g);
  ct_integrate_position(g, m, d->qpos, qvel, part);
  lane_sync(g);
}

LANE_FN static void weighted_mean(Lane g, mjtNum* mean, const mjtNum* of_stages, mjtSize n) {
  const mjtNum outer = (mjtNum)1 / 6, inner = (mjtNum)1 / 3;
  LANE_FOR(k, g, n) {
    mjtNum sum = outer * of_stages[k] + inner * of_stages[n + k];
    sum += inner * of_stages[2 * n + k];
    mean[k] = sum + outer * of_stages[3 * n + k];
  }
}

LANE_FN void ct_rk_return(Lane g, const mjModel* m, mjData* d, const ct_RungeKutta* s) {
  weighted_mean(g, s->mean_qvel, s->qvel, m->nv);
  weighted_mean(g, s->mean_qacc, s->qacc, m->nv);
  weighted_mean(g, s->mean_act_dot, s->act_dot, m->na);
  lane_copy(g, d->qpos, s->qpos, m->nq);
  lane_copy(g, d->qvel, s->qvel, m->nv);
  lane_copy(g, d->act, s->act, m->na);
  LANE_ONCE(g) {
    d->time = s->time;
  }
  lane_sync(g);
}
