// The reference's functions of finite differences: of a step, of inverse dynamics, and two that
// only the library exports, of forces by velocities. All but the last two leave the data as it was,
// bit for bit, where the reference leaves what the last nudge made of it.

#include "derive/difference_functions.h"

#include "base/failure.h"
#include "base/memory/scratch.h"
#include "base/private.h"
#include "derive/difference.h"
#include "derive/keep.h"
#include "engine/smooth/position.h"
#include "host/dynamics.h"
#include "host/report.h"
#include "math/vec.h"

// Of a step

void mjd_transitionFD(const mjModel* m, mjData* d, mjtNum eps, mjtByte flg_centered, mjtNum* A,
                      mjtNum* B, mjtNum* C, mjtNum* D) {
  if (m->opt.integrator == mjINT_RK4) {
    mju_error("mjd_transitionFD: RK4 is not differentiated here; call ct_derivative");
    return;
  }
  if (m->nhistory > 0) {
    mju_error("mjd_transitionFD: delays of actuators or sensors are not part of the state");
    return;
  }
  if (!ct_can_step(m, "mjd_transitionFD")) return;
  ct_Transition to = {A, B, C, D};
  ct_report(m, d, ct_difference_step(m, d, eps, flg_centered != 0, false, to), "mjd_transitionFD");
}

// Of inverse dynamics

typedef struct {
  const mjModel* m;
  mjData* d;
  mjtNum eps;
  bool less_actuation, sense;
  mjtNum *qpos, *force, *sensor, *qM;  // of the state itself
  mjtNum* direction;                   // (nv)
  int status;
} Inverse;

// qfrc_inverse of what d has now, less the actuators' share if so wished.
static void evaluate_inverse(Inverse* s, int valid) {
  if (s->status) return;
  s->status = ct_inverse_skipping(s->m, s->d, valid, !s->sense) & CT_ERRORS;
  if (!s->less_actuation || s->status) return;
  mj_fwdActuation(s->m, s->d);
  ct_sub_from(s->d->qfrc_inverse, s->d->qfrc_actuator, (int)s->m->nv);
}

// (now - before) / eps
static void write_row(mjtNum* matrix, int i, const mjtNum* now, const mjtNum* before, mjtSize n,
                      mjtNum eps) {
  if (!matrix) return;
  mjtNum* row = matrix + (size_t)i * (size_t)n;
  for (int k = 0; k < n; k++) row[k] = (now[k] - before[k]) / eps;
}

static void write_inverse_rows(const Inverse* s, int i, mjtNum* Df, mjtNum* Ds) {
  if (s->status) return;
  write_row(Df, i, s->d->qfrc_inverse, s->force, s->m->nv, s->eps);
  write_row(Ds, i, s->d->sensordata, s->sensor, s->m->nsensordata, s->eps);
}

static void nudge_inverse_number(Inverse* s, int i, mjtNum* number, int valid, mjtNum* Df,
                                 mjtNum* Ds) {
  mjtNum start = *number;
  *number = start + s->eps;
  evaluate_inverse(s, valid);
  *number = start;
  write_inverse_rows(s, i, Df, Ds);
}

static void nudge_inverse_position(Inverse* s, int i, mjtNum* DfDq, mjtNum* DsDq, mjtNum* DmDq) {
  const mjModel* m = s->m;
  mjData* d = s->d;
  ct_zero(s->direction, (int)m->nv);
  s->direction[i] = 1;
  ct_integrate_position(lane_one(), m, d->qpos, s->direction, s->eps);
  evaluate_inverse(s, mjSTAGE_NONE);
  ct_copy(d->qpos, s->qpos, (int)m->nq);
  write_inverse_rows(s, i, DfDq, DsDq);
  if (!s->status) write_row(DmDq, i, d->qM, s->qM, m->nM, s->eps);
}

static void remember_inverse(Inverse* s, mjtNum* room) {
  const mjModel* m = s->m;
  s->qpos = room;
  s->force = s->qpos + m->nq;
  s->sensor = s->force + m->nv;
  s->qM = s->sensor + m->nsensordata;
  s->direction = s->qM + m->nM;
  ct_copy(s->qpos, s->d->qpos, (int)m->nq);
  evaluate_inverse(s, mjSTAGE_NONE);
  ct_copy(s->force, s->d->qfrc_inverse, (int)m->nv);
  ct_copy(s->sensor, s->d->sensordata, (int)m->nsensordata);
  ct_copy(s->qM, s->d->qM, (int)m->nM);
}

typedef struct {
  mjtNum *DfDq, *DfDv, *DfDa, *DsDq, *DsDv, *DsDa, *DmDq;
} InverseMatrices;

static void run_inverse(Inverse* s, InverseMatrices to) {
  int nv = (int)s->m->nv;
  mjData* d = s->d;
  for (int i = 0; i < nv && !s->status && (to.DfDa || to.DsDa); i++) {
    nudge_inverse_number(s, i, d->qacc + i, mjSTAGE_VEL, to.DfDa, to.DsDa);
  }
  for (int i = 0; i < nv && !s->status && (to.DfDv || to.DsDv); i++) {
    nudge_inverse_number(s, i, d->qvel + i, mjSTAGE_POS, to.DfDv, to.DsDv);
  }
  for (int i = 0; i < nv && !s->status && (to.DfDq || to.DsDq || to.DmDq); i++) {
    nudge_inverse_position(s, i, to.DfDq, to.DsDq, to.DmDq);
  }
}

static int difference_inverse(Inverse* s, InverseMatrices to) {
  const mjModel* m = s->m;
  mjData* d = s->d;
  ct_Kept kept;
  if (!ct_keep_data(&kept, m, d, true)) return CT_STACK_FULL;
  s->status = CT_STACK_FULL;
  if (lane_mark(lane_one(), d)) {
    mjtNum* room =
        lane_scratch_num(lane_one(), d, (int)(m->nq + 2 * m->nv + m->nsensordata + m->nM));
    if (room) {
      s->status = CT_OK;
      remember_inverse(s, room);
      run_inverse(s, to);
    }
    lane_free(lane_one(), d);
  }
  ct_Detail detail = ct_private(d)->detail;
  ct_put_back_data(&kept, m, d);
  if (s->status) ct_private(d)->detail = detail;
  return s->status;
}

void mjd_inverseFD(const mjModel* m, mjData* d, mjtNum eps, mjtByte flg_actuation, mjtNum* DfDq,
                   mjtNum* DfDv, mjtNum* DfDa, mjtNum* DsDq, mjtNum* DsDv, mjtNum* DsDa,
                   mjtNum* DmDq) {
  if (m->opt.integrator == mjINT_RK4) {
    mju_error("mjd_inverseFD: RK4 has no inverse; set opt.integrator to another one");
    return;
  }
  if (m->opt.noslip_iterations > 0) {
    mju_error(
        "mjd_inverseFD: forces of the noslip solver have no inverse; set noslip_iterations "
        "to 0");
    return;
  }
  if (!ct_can_step(m, "mjd_inverseFD")) return;
  Inverse s = {.m = m, .d = d, .eps = eps, .less_actuation = flg_actuation != 0};
  s.sense = DsDq || DsDv || DsDa;
  InverseMatrices to = {DfDq, DfDv, DfDa, DsDq, DsDv, DsDa, DmDq};
  ct_report(m, d, difference_inverse(&s, to), "mjd_inverseFD");
}

// Of forces by velocities, in qDeriv

// Column k of qDeriv, as far as it has places.
static void write_deriv_column(const mjModel* m, mjData* d, int k, const mjtNum* column) {
  for (int i = 0; i < m->nv; i++) {
    int start = m->D_rowadr[i], end = start + m->D_rownnz[i];
    for (int e = start; e < end; e++) {
      if (m->D_colind[e] == k) d->qDeriv[e] = column[i];
    }
  }
}

static void smooth_force(const mjModel* m, mjData* d, mjtNum* force) {
  mj_fwdVelocity(m, d);
  mj_fwdActuation(m, d);
  for (int i = 0; i < m->nv; i++) {
    force[i] = d->qfrc_actuator[i] + d->qfrc_passive[i] - d->qfrc_bias[i];
  }
}

void mjd_passive_velFD(const mjModel* m, mjData* d, mjtNum eps) {
  int nv = (int)m->nv;
  mj_markStack(d);
  mjtNum* before = mj_stackAllocNum(d, (size_t)nv);
  mjtNum* column = mj_stackAllocNum(d, (size_t)nv);
  mj_fwdVelocity(m, d);
  ct_copy(before, d->qfrc_passive, nv);
  for (int k = 0; k < nv; k++) {
    mjtNum start = d->qvel[k];
    d->qvel[k] = start + eps;
    mj_fwdVelocity(m, d);
    d->qvel[k] = start;
    for (int i = 0; i < nv; i++) column[i] = (d->qfrc_passive[i] - before[i]) / eps;
    write_deriv_column(m, d, k, column);
  }
  mj_fwdVelocity(m, d);
  mj_freeStack(d);
}

void mjd_smooth_velFD(const mjModel* m, mjData* d, mjtNum eps) {
  int nv = (int)m->nv;
  mj_markStack(d);
  mjtNum* minus = mj_stackAllocNum(d, (size_t)nv);
  mjtNum* column = mj_stackAllocNum(d, (size_t)nv);
  for (int k = 0; k < nv; k++) {
    mjtNum start = d->qvel[k];
    d->qvel[k] = start + eps;
    smooth_force(m, d, column);
    d->qvel[k] = start - eps;
    smooth_force(m, d, minus);
    d->qvel[k] = start;
    for (int i = 0; i < nv; i++) column[i] = (column[i] - minus[i]) / (2 * eps);
    write_deriv_column(m, d, k, column);
  }
  smooth_force(m, d, column);
  mj_freeStack(d);
}
