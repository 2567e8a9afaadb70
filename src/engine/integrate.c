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
//                 both: accelerations of interpolated flexes by soft/interpolated_implicit.c
//   dense         as implicit, with couplings of branches that the sparse D has no place for
//   springs and dampers  (M + h B + h^2 K) a = f - h K v, K = diag(stiffness)
//
// where f = qfrc_smooth + qfrc_constraint. The last one follows from v+ = v + h a put into
// (M + h B + h^2 K) v+ = M v + h f' - h K (q - q_spring), f' being f without springs and dampers
// (Baraff & Witkin 1998). d->qacc keeps the acceleration of M alone, which is also the next
// warm start.

#include "engine/integrate.h"

#include <corten/integrator.h>

#include "base/history_read.h"
#include "base/memory/scratch.h"
#include "base/model/options.h"
#include "base/private.h"
#include "engine/sensor/sensor.h"
#include "engine/smooth/actuation.h"
#include "engine/smooth/factor.h"
#include "engine/smooth/position.h"
#include "engine/smooth/sleep.h"
#include "engine/smooth/velocity_derivative.h"
#include "math/lane_vec.h"
#include "math/lu.h"
#include "math/scalar.h"
#include "soft/interpolated_implicit.h"

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

LANE_FN int ct_advance_activations(Lane g, const mjModel* m, mjData* d) {
  ct_Integration* s = &ct_private(d)->integration;
  int status = CT_OK;
  if (ct_has_history(m)) {
    record_controls(g, m, d);
    status = ct_record_sensors(g, m, d);
  }
  if (m->na > 0 && !(m->opt.disableflags & mjDSBL_ACTUATION)) {
    advance_activations(g, m, d, s->act_dot);
  }
  lane_sync(g);
  if (ct_sleep_enabled(m) && !(status & CT_GRAVE)) {
    bool slept = ct_sleep_where_ready(g, m, d) > 0;
    LANE_ONCE(g) {
      s->slept = slept;
    }
    lane_sync(g);
  }
  return status;
}

LANE_FN int ct_advance_motion(Lane g, const mjModel* m, mjData* d) {
  const ct_Integration* s = &ct_private(d)->integration;
  const mjtNum *qacc = s->qacc, *qvel = s->qvel ? s->qvel : d->qvel;
  mjtNum h = m->opt.timestep;
  bool filter = ct_some_asleep(m, d);
  LANE_FOR(k, g, filter ? 0 : m->nv) {
    d->qvel[k] += h * qacc[k];
  }
  LANE_FOR(i, g, filter ? d->nv_awake : 0) {
    int k = d->dof_awake_ind[i];
    d->qvel[k] += h * qacc[k];
  }
  lane_sync(g);
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
  return CT_OK;
}

LANE_FN int ct_leave_asleep(Lane g, const mjModel* m, mjData* d) {
  ct_update_awake(g, m, d, false);
  return CT_OK;
}

// f, all forces on the dofs that are awake.
LANE_FN static void total_force(Lane g, const mjModel* m, const mjData* d, mjtNum* force) {
  bool filter = ct_some_asleep(m, d);
  LANE_FOR(k, g, filter ? 0 : m->nv) {
    force[k] = d->qfrc_smooth[k] + d->qfrc_constraint[k];
  }
  LANE_FOR(i, g, filter ? d->nv_awake : 0) {
    int k = d->dof_awake_ind[i];
    force[k] = d->qfrc_smooth[k] + d->qfrc_constraint[k];
  }
  lane_sync(g);
}

LANE_FN static void solve_qH(Lane g, const mjModel* m, const mjData* d, mjtNum* x) {
  if (ct_some_asleep(m, d)) {
    ct_solve_awake(g, m, d, d->qH, d->qHDiagInv, x);
  } else {
    ct_solve(g, m, d, d->qH, d->qHDiagInv, x);
  }
}

LANE_INLINE int diagonal_of_M(const mjModel* m, int k) {
  return m->M_rowadr[k] + m->M_rownnz[k] - 1;
}

// Euler

LANE_FN bool ct_euler_is_implicit(Lane g, const mjModel* m, const mjData* d) {
  if (m->opt.disableflags & (mjDSBL_EULERDAMP | mjDSBL_DAMPER)) return false;
  bool filter = ct_some_asleep(m, d);
#if LANE_WIDTH > 1
  if (lane_count(g) == 1 && !filter) {  // the first will do
    for (int k = 0; k < m->nv; k++) {
      if (m->dof_damping[k] > 0) return true;
    }
    return false;
  }
#endif
  int damped;
  if (filter) {
    LANE_COUNT(damped, i, g, d->nv_awake, m->dof_damping[d->dof_awake_ind[i]] > 0);
  } else {
    LANE_COUNT(damped, k, g, m->nv, m->dof_damping[k] > 0);
  }
  return damped > 0;
}

LANE_FN static void copy_M_to_qH(Lane g, const mjModel* m, mjData* d) {
  lane_copy(g, d->qH, d->M, m->nC);
  lane_sync(g);
}

// Without damping qacc will do, except that trees which fall asleep make another one, too late.
LANE_FN static const mjtNum* euler_acceleration(Lane g, const mjModel* m, mjData* d,
                                                bool keep_factor, mjtNum* room) {
  mjtNum h = m->opt.timestep;
  if (!ct_euler_is_implicit(g, m, d)) {
    if (!ct_sleep_enabled(m)) return d->qacc;
    lane_copy(g, room, d->qacc, m->nv);
    lane_sync(g);
    return room;
  }
  if (!keep_factor) {
    bool filter = ct_some_asleep(m, d);
    if (!filter) copy_M_to_qH(g, m, d);
    LANE_FOR(k, g, filter ? 0 : m->nv) {
      d->qH[diagonal_of_M(m, k)] += h * m->dof_damping[k];
    }
    LANE_FOR(i, g, filter ? d->nv_awake : 0) {
      int k = d->dof_awake_ind[i], start = m->M_rowadr[k];
      ct_copy(d->qH + start, d->M + start, m->M_rownnz[k]);
      d->qH[diagonal_of_M(m, k)] += h * m->dof_damping[k];
    }
    lane_sync(g);
    ct_factor(g, m, d, d->qH, d->qHDiagInv);
  }
  total_force(g, m, d, room);
  solve_qH(g, m, d, room);
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
LANE_FN static int factor_LU(mjtNum* A, const ct_LuPattern* p) {
  return ct_lu_factor_sparse(A, p) == CT_OK ? CT_OK : CT_LU_SINGULAR;
}

LANE_FN static void solve_LU(Lane g, const mjModel* m, mjData* d, mjtNum* x) {
  LANE_ONCE(g) {
    ct_LuPattern p = awake_pattern(m, d);
    ct_lu_solve_sparse(x, d->qLU, x, &p);
  }
  lane_sync(g);
}

// M - h D of dofs that are awake, while some sleep: the full one, or its lower triangle.

LANE_FN LANE_RARE static void build_awake_qLU(Lane g, const mjModel* m, mjData* d) {
  mjtNum h = m->opt.timestep;
  LANE_FOR(i, g, d->nv_awake) {
    int k = d->dof_awake_ind[i], end = m->D_rowadr[k] + m->D_rownnz[k];
    for (int e = m->D_rowadr[k]; e < end; e++) {
      int a = m->mapM2D[e];
      d->qLU[e] = (a >= 0 ? d->M[a] : 0) - h * d->qDeriv[e];
    }
  }
  lane_sync(g);
}

LANE_FN LANE_RARE static void build_awake_qH(Lane g, const mjModel* m, mjData* d) {
  mjtNum h = m->opt.timestep;
  LANE_FOR(i, g, d->nv_awake) {
    int k = d->dof_awake_ind[i], end = m->M_rowadr[k] + m->M_rownnz[k];
    for (int a = m->M_rowadr[k]; a < end; a++) d->qH[a] = d->M[a] - h * d->qDeriv[m->mapD2M[a]];
  }
  lane_sync(g);
}

// Derivative and factor for one of the two implicit integrators.
LANE_FN static int factor_implicit(Lane g, const mjModel* m, mjData* d) {
  bool filter = ct_some_asleep(m, d);
  bool full = ct_integrator(m->opt.integrator) == mjINT_IMPLICIT;
  int status = ct_smooth_derivative(g, m, d, full);
  if (status) return status;
  if (full) {
    ct_LuPattern p = awake_pattern(m, d);
    if (filter) {
      build_awake_qLU(g, m, d);
    } else {
      ct_build_qLU(g, m, d);
    }
    LANE_ANSWER(status, g, factor_LU(d->qLU, &p));
    return status;
  }
  if (filter) {
    build_awake_qH(g, m, d);
  } else {
    ct_build_qH(g, m, d);
  }
  ct_factor(g, m, d, d->qH, d->qHDiagInv);
  return CT_OK;
}

LANE_FN static int implicit_acceleration(Lane g, const mjModel* m, mjData* d, bool keep_factor,
                                         mjtNum* acc) {
  int status = keep_factor ? CT_OK : factor_implicit(g, m, d);
  if (status) return status;
  total_force(g, m, d, acc);
  bool full = ct_integrator(m->opt.integrator) == mjINT_IMPLICIT;
  if (full) {
    solve_LU(g, m, d, acc);
  } else {
    solve_qH(g, m, d, acc);
  }
  bool cells = !keep_factor && ct_has_cells(m) && !ct_some_asleep(m, d);
  return cells ? ct_implicit_cells(g, m, d, acc, !full) : CT_OK;
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

LANE_FN static int solve_dense(Lane g, const mjModel* m, mjData* d, Dense s, mjtNum* x) {
  ct_LuPattern p = awake_pattern(m, d);
  p.rownnz = s.rownnz;
  p.rowadr = s.rowadr;
  p.colind = s.colind;
  int status;
  LANE_ANSWER(status, g, factor_LU(s.A, &p));
  if (status) return status;
  LANE_ONCE(g) {
    ct_lu_solve_sparse(x, s.A, x, &p);
  }
  lane_sync(g);
  return CT_OK;
}

LANE_FN static int dense_acceleration(Lane g, const mjModel* m, mjData* d, mjtNum* acc) {
  int nv = (int)m->nv, status = ct_smooth_derivative(g, m, d, true);
  if (status) return status;
  if (!lane_mark(g, d)) return CT_STACK_FULL;
  ct_build_qLU(g, m, d);
  Dense s = {lane_scratch_num(g, d, nv * nv), lane_scratch_int(g, d, nv),
             lane_scratch_int(g, d, nv), lane_scratch_int(g, d, nv * nv)};
  if (s.A && s.rownnz && s.rowadr && s.colind) {
    build_dense(g, m, d, s);
    total_force(g, m, d, acc);
    status = solve_dense(g, m, d, s, acc);
  } else {
    status = CT_STACK_FULL;
  }
  lane_free(g, d);
  return status;
}

// Implicit in springs and dampers

LANE_FN static void spring_damper_acceleration(Lane g, const mjModel* m, mjData* d, mjtNum* acc) {
  mjtNum h = m->opt.timestep;
  mjtNum damper = m->opt.disableflags & mjDSBL_DAMPER ? 0 : 1;
  mjtNum spring = m->opt.disableflags & mjDSBL_SPRING ? 0 : 1;
  copy_M_to_qH(g, m, d);
  total_force(g, m, d, acc);
  LANE_FOR(k, g, m->nv) {
    mjtNum stiffness = spring * m->jnt_stiffness[m->dof_jntid[k]];
    d->qH[diagonal_of_M(m, k)] += h * damper * m->dof_damping[k] + h * h * stiffness;
    acc[k] -= h * stiffness * d->qvel[k];
  }
  lane_sync(g);
  ct_factor(g, m, d, d->qH, d->qHDiagInv);
  solve_qH(g, m, d, acc);
}

LANE_FN int ct_integrator_acceleration(Lane g, const mjModel* m, mjData* d) {
  ct_Integration* s = &ct_private(d)->integration;
  mjtNum* room = s->room;
  const mjtNum* acc = room;
  int status = CT_OK;
  if (m->nv) {  // else nothing moves, and matrices of nothing have no memory
    switch (ct_integrator(s->integrator)) {
      case mjINT_EULER:
        acc = euler_acceleration(g, m, d, s->keep_factor, room);
        break;
      case CT_INT_SPRINGDAMPER:
        spring_damper_acceleration(g, m, d, room);
        break;
      case CT_INT_DENSE:
        status = dense_acceleration(g, m, d, room);
        break;
      default:
        status = implicit_acceleration(g, m, d, s->keep_factor, room);
        break;
    }
  }
  LANE_ONCE(g) {
    s->act_dot = d->act_dot;
    s->qacc = acc;
    s->qvel = NULL;
  }
  lane_sync(g);
  return status;
}

// Runge-Kutta, with the classical coefficients. Its room: the state before the step (qpos, act),
// velocities, accelerations and rates of activations of all four evaluations one after the other,
// of which the first are also the state before the step, then their means.

typedef struct {
  mjtNum *qpos, *act;
  mjtNum *qvel, *qacc, *act_dot;  // (4 x nv), (4 x nv), (4 x na)
  mjtNum *mean_qvel, *mean_qacc, *mean_act_dot;
  mjtNum* time;
} RungeKutta;

LANE_INLINE int runge_kutta_numbers(const mjModel* m) {
  return (int)(m->nq + 10 * m->nv + 6 * m->na + 1);
}

LANE_INLINE RungeKutta runge_kutta(const mjModel* m, const mjData* d) {
  RungeKutta s;
  s.qpos = ct_private(d)->integration.room;
  s.qvel = s.qpos + m->nq;
  s.qacc = s.qvel + 4 * m->nv;
  s.mean_qvel = s.qacc + 4 * m->nv;
  s.mean_qacc = s.mean_qvel + m->nv;
  s.act = s.mean_qacc + m->nv;
  s.act_dot = s.act + m->na;
  s.mean_act_dot = s.act_dot + 4 * m->na;
  s.time = s.mean_act_dot + m->na;
  return s;
}

LANE_FN int ct_keep_evaluation(Lane g, const mjModel* m, mjData* d) {
  RungeKutta s = runge_kutta(m, d);
  int pass = ct_private(d)->integration.pass;
  lane_copy(g, s.qvel + pass * m->nv, d->qvel, m->nv);
  lane_copy(g, s.qacc + pass * m->nv, d->qacc, m->nv);
  lane_copy(g, s.act_dot + pass * m->na, d->act_dot, m->na);
  lane_sync(g);
  return CT_OK;
}

LANE_FN static void begin_runge_kutta(Lane g, const mjModel* m, mjData* d) {
  RungeKutta s = runge_kutta(m, d);
  lane_copy(g, s.qpos, d->qpos, m->nq);
  lane_copy(g, s.act, d->act, m->na);
  LANE_ONCE(g) {
    *s.time = d->time;
  }
  ct_keep_evaluation(g, m, d);
}

LANE_FN int ct_next_evaluation(Lane g, const mjModel* m, mjData* d) {
  RungeKutta s = runge_kutta(m, d);
  int before = ct_private(d)->integration.pass;
  mjtNum part = before == 2 ? m->opt.timestep : m->opt.timestep / 2;
  mjtSize nv = m->nv, na = m->na;
  const mjtNum *qvel = s.qvel + before * nv, *qacc = s.qacc + before * nv;
  const mjtNum* act_dot = s.act_dot + before * na;
  LANE_FOR(k, g, nv) {
    d->qvel[k] = s.qvel[k] + part * qacc[k];
  }
  LANE_FOR(k, g, na) {
    d->act[k] = s.act[k] + part * act_dot[k];
  }
  lane_copy(g, d->qpos, s.qpos, m->nq);
  LANE_ALONE(g) {
    d->time = *s.time + part;
    ct_private(d)->integration.pass = before + 1;
  }
  ct_integrate_position(g, m, d->qpos, qvel, part);
  lane_sync(g);
  return CT_OK;
}

LANE_FN static void weighted_mean(Lane g, mjtNum* mean, const mjtNum* of_stages, mjtSize n) {
  const mjtNum outer = (mjtNum)1 / 6, inner = (mjtNum)1 / 3;
  LANE_FOR(k, g, n) {
    mjtNum sum = outer * of_stages[k] + inner * of_stages[n + k];
    sum += inner * of_stages[2 * n + k];
    mean[k] = sum + outer * of_stages[3 * n + k];
  }
}

LANE_FN static void return_to_start(Lane g, const mjModel* m, mjData* d, const RungeKutta* s) {
  lane_copy(g, d->qpos, s->qpos, m->nq);
  lane_copy(g, d->qvel, s->qvel, m->nv);
  lane_copy(g, d->act, s->act, m->na);
  LANE_ONCE(g) {
    d->time = *s->time;
  }
  lane_sync(g);
}

LANE_FN int ct_mean_rates(Lane g, const mjModel* m, mjData* d) {
  RungeKutta s = runge_kutta(m, d);
  weighted_mean(g, s.mean_qvel, s.qvel, m->nv);
  weighted_mean(g, s.mean_qacc, s.qacc, m->nv);
  weighted_mean(g, s.mean_act_dot, s.act_dot, m->na);
  return_to_start(g, m, d, &s);
  LANE_ONCE(g) {
    ct_Integration* integration = &ct_private(d)->integration;
    integration->act_dot = s.mean_act_dot;
    integration->qacc = s.mean_qacc;
    integration->qvel = s.mean_qvel;
  }
  lane_sync(g);
  return CT_OK;
}

// Beginning and end. Other integrators keep an acceleration (nv) and what a step changes before it
// can still fail: act (na) and, if trees may sleep, qvel (nv).

LANE_INLINE int numbers_to_keep(const mjModel* m, int integrator) {
  if (integrator == mjINT_RK4) return runge_kutta_numbers(m);
  return (int)(m->nv + m->na + (ct_sleep_enabled(m) ? m->nv : 0));
}

LANE_FN int ct_open_integration_by(Lane g, const mjModel* m, mjData* d, int integrator,
                                   bool keep_factor) {
  ct_Integration* s = &ct_private(d)->integration;
  bool sleep = ct_sleep_enabled(m);
  if (!lane_mark(g, d)) return CT_STACK_FULL;
  mjtNum* room = lane_scratch_num(g, d, numbers_to_keep(m, integrator));
  int* trees = sleep ? lane_scratch_int(g, d, (int)m->ntree) : NULL;
  if (!room || (sleep && !trees)) {
    lane_free(g, d);
    return CT_STACK_FULL;
  }
  LANE_ONCE(g) {
    s->integrator = integrator;
    s->keep_factor = keep_factor;
    s->slept = false;
    s->pass = 0;
    s->room = room;
    s->tree_asleep = trees;
  }
  lane_sync(g);
  if (integrator == mjINT_RK4) {
    begin_runge_kutta(g, m, d);
  } else {
    lane_copy(g, room + m->nv, d->act, m->na);
    if (sleep) lane_copy(g, room + m->nv + m->na, d->qvel, m->nv);
  }
  LANE_FOR(t, g, sleep ? m->ntree : 0) {
    trees[t] = d->tree_asleep[t];
  }
  lane_sync(g);
  return CT_OK;
}

LANE_FN int ct_open_integration(Lane g, const mjModel* m, mjData* d) {
  return ct_open_integration_by(g, m, d, m->opt.integrator, false);
}

LANE_FN int ct_close_integration(Lane g, const mjModel* m, mjData* d) {
  (void)m;
  lane_free(g, d);
  LANE_ONCE(g) {
    ct_private(d)->integration.room = NULL;
  }
  lane_sync(g);
  return CT_OK;
}

LANE_FN int ct_undo_integration(Lane g, const mjModel* m, mjData* d) {
  const ct_Integration* s = &ct_private(d)->integration;
  bool sleep = s->tree_asleep != NULL;
  if (!s->room) return CT_OK;
  if (s->integrator == mjINT_RK4) {
    RungeKutta kept = runge_kutta(m, d);
    return_to_start(g, m, d, &kept);
  } else {
    lane_copy(g, d->act, s->room + m->nv, m->na);
    if (sleep) lane_copy(g, d->qvel, s->room + m->nv + m->na, m->nv);
  }
  LANE_FOR(t, g, sleep ? m->ntree : 0) {
    d->tree_asleep[t] = s->tree_asleep[t];
  }
  lane_sync(g);
  if (sleep) ct_update_awake(g, m, d, false);
  return ct_close_integration(g, m, d);
}

// Is there a bad number among those of dofs that are awake?
LANE_FN static bool any_bad_dof(Lane g, const mjModel* m, const mjData* d, const mjtNum* x) {
  bool filter = ct_sleep_enabled(m) && d->nv_awake < m->nv;
  int bad;
  if (filter) {
    LANE_COUNT(bad, i, g, d->nv_awake, ct_is_bad(x[d->dof_awake_ind[i]]));
  } else {
    LANE_COUNT(bad, k, g, m->nv, ct_is_bad(x[k]));
  }
  return bad > 0;
}

LANE_FN int ct_check_state(Lane g, const mjModel* m, mjData* d) {
  int status = CT_OK, bad;
  mjtNum h = m->opt.timestep;
  LANE_COUNT(bad, i, g, m->nq, ct_is_bad(d->qpos[i]));
  if (!(h > 0) || ct_is_bad(h)) status |= CT_BAD_TIMESTEP;
  if (bad) status |= CT_BAD_QPOS;
  if (any_bad_dof(g, m, d, d->qvel)) status |= CT_BAD_QVEL;
  return status;
}

// Is a pivot of a factor not a positive number?
LANE_FN static bool has_bad_pivot(Lane g, const mjModel* m, const mjtNum* inverse) {
  int bad;
  LANE_COUNT(bad, k, g, m->nv, !(inverse[k] > 0) || ct_is_bad(inverse[k]));
  return bad > 0;
}

LANE_FN int ct_check_acceleration(Lane g, const mjModel* m, mjData* d) {
  int status = has_bad_pivot(g, m, d->qLDiagInv) ? CT_MASS_SINGULAR : CT_OK;
  return any_bad_dof(g, m, d, d->qacc) ? status | CT_BAD_QACC : status;
}

// Did the integrator factor qH?
LANE_FN static bool factored_qH(Lane g, const mjModel* m, const mjData* d) {
  int integrator = ct_private(d)->integration.integrator;
  if (integrator == mjINT_EULER) return ct_euler_is_implicit(g, m, d);
  return integrator == mjINT_IMPLICITFAST || integrator == CT_INT_SPRINGDAMPER;
}

LANE_FN int ct_check_rates(Lane g, const mjModel* m, mjData* d) {
  const ct_Integration* s = &ct_private(d)->integration;
  if (any_bad_dof(g, m, d, s->qacc)) return CT_BAD_QACC;
  if (s->qvel && any_bad_dof(g, m, d, s->qvel)) return CT_BAD_QACC;
  return factored_qH(g, m, d) && has_bad_pivot(g, m, d->qHDiagInv) ? CT_CHOLESKY_FAILED : CT_OK;
}
