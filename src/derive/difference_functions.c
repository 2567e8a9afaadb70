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
  int status = ct_difference_step(m, d, eps, flg_centered != 0, false, to);
  ct_report(m, d, status & CT_ERRORS, "mjd_transitionFD");
}

// Of inverse dynamics

// What inverse dynamics find.
typedef struct {
  mjtNum *force, *sensor, *qM;  // (nv), (nsensordata), (nM)
} Found;

typedef struct {
  const mjModel* m;
  mjData* d;
  mjtNum eps;
  bool centred, less_actuation, sense, weigh;  // the last two: sensors and M are asked for
  mjtNum *qpos, *direction;                    // (nq) the position itself; (nv)
  Found centre, plus, minus;
  int status;
  const ct_Kept* all;  // what every pass begins from; NULL: what the one before has left
} Inverse;

static size_t found_numbers(const mjModel* m) {
  return (size_t)(m->nv + m->nsensordata + m->nM);
}

static Found place_found(const mjModel* m, mjtNum* room) {
  Found f = {room, room + m->nv, room + m->nv + m->nsensordata};
  return f;
}

// qfrc_inverse of what d has now, less the actuators' share if so wished, and the rest.
static void evaluate_inverse(Inverse* s, int valid, Found to) {
  const mjModel* m = s->m;
  mjData* d = s->d;
  if (s->status) return;
  if (s->all) valid = mjSTAGE_NONE;
  s->status = ct_inverse_skipping(m, d, valid, !s->sense) & CT_ERRORS;
  if (s->status) return;
  if (s->less_actuation) {
    mj_fwdActuation(m, d);
    ct_sub_from(d->qfrc_inverse, d->qfrc_actuator, (int)m->nv);
  }
  ct_copy(to.force, d->qfrc_inverse, (int)m->nv);
  if (s->sense) ct_copy(to.sensor, d->sensordata, (int)m->nsensordata);
  if (s->weigh && valid < mjSTAGE_POS) ct_copy(to.qM, d->qM, (int)m->nM);
  if (s->all) ct_load_kept(s->all, m, d);
}

// Row i of a matrix, from the sides that were tried.
static void write_row(const Inverse* s, mjtNum* matrix, int i, const mjtNum* to, const mjtNum* from,
                      mjtSize n) {
  mjtNum t = s->centred ? 2 * s->eps : s->eps;
  mjtNum* row = matrix + (size_t)i * (size_t)n;
  for (int k = 0; k < n; k++) row[k] = (to[k] - from[k]) / t;
}

static void write_inverse_rows(const Inverse* s, int i, mjtNum* Df, mjtNum* Ds, mjtNum* Dm) {
  const mjModel* m = s->m;
  Found from = s->centred ? s->minus : s->centre;
  if (s->status) return;
  if (Df) write_row(s, Df, i, s->plus.force, from.force, m->nv);
  if (Ds) write_row(s, Ds, i, s->plus.sensor, from.sensor, m->nsensordata);
  if (Dm) write_row(s, Dm, i, s->plus.qM, from.qM, m->nM);
}

static void nudge_inverse_number(Inverse* s, int i, mjtNum* number, int valid, mjtNum* Df,
                                 mjtNum* Ds) {
  mjtNum start = *number;
  *number = start + s->eps;
  evaluate_inverse(s, valid, s->plus);
  *number = start - s->eps;
  if (s->centred) evaluate_inverse(s, valid, s->minus);
  *number = start;
  write_inverse_rows(s, i, Df, Ds, NULL);
}

static void evaluate_inverse_at(Inverse* s, mjtNum distance, Found to) {
  ct_integrate_position(lane_one(), s->m, s->d->qpos, s->direction, distance);
  evaluate_inverse(s, mjSTAGE_NONE, to);
  ct_copy(s->d->qpos, s->qpos, (int)s->m->nq);
}

static void nudge_inverse_position(Inverse* s, int i, mjtNum* DfDq, mjtNum* DsDq, mjtNum* DmDq) {
  ct_zero(s->direction, (int)s->m->nv);
  s->direction[i] = 1;
  evaluate_inverse_at(s, s->eps, s->plus);
  if (s->centred) evaluate_inverse_at(s, -s->eps, s->minus);
  write_inverse_rows(s, i, DfDq, DsDq, DmDq);
}

static void remember_inverse(Inverse* s, mjtNum* room) {
  const mjModel* m = s->m;
  size_t found = found_numbers(m);
  s->qpos = room;
  s->direction = s->qpos + m->nq;
  room = s->direction + m->nv;
  s->centre = place_found(m, room);
  s->plus = place_found(m, room + found);
  s->minus = place_found(m, room + 2 * found);
  ct_copy(s->qpos, s->d->qpos, (int)m->nq);
  evaluate_inverse(s, mjSTAGE_NONE, s->centre);
}

static void run_inverse(Inverse* s, ct_InverseTarget to) {
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

// With everything as it is now for each pass, where trees may sleep: nudges wake them.
static void run_exactly(Inverse* s, mjtNum* room, ct_InverseTarget to) {
  ct_Kept kept;
  if (!ct_keep_data(&kept, s->m, s->d, false)) {
    s->status = CT_STACK_FULL;
    return;
  }
  s->all = &kept;
  remember_inverse(s, room);
  run_inverse(s, to);
  mju_free(kept.block);
}

int ct_difference_inverse(const mjModel* m, mjData* d, mjtNum eps, bool centred, bool exact,
                          bool less_actuation, ct_InverseTarget to) {
  Inverse s = {.m = m,
               .d = d,
               .eps = eps,
               .centred = centred,
               .less_actuation = less_actuation,
               .sense = to.DsDq || to.DsDv || to.DsDa,
               .weigh = to.DmDq != NULL,
               .status = CT_STACK_FULL};
  ct_Kept kept;
  if (!ct_keep_data(&kept, m, d, true)) return CT_STACK_FULL;
  if (lane_mark(lane_one(), d)) {
    size_t numbers = (size_t)(m->nq + m->nv) + 3 * found_numbers(m);
    mjtNum* room = lane_scratch_num(lane_one(), d, (int)numbers);
    if (room) s.status = CT_OK;
    if (room && exact && (m->opt.enableflags & mjENBL_SLEEP)) {
      run_exactly(&s, room, to);
    } else if (room) {
      remember_inverse(&s, room);
      run_inverse(&s, to);
    }
    lane_free(lane_one(), d);
  }
  ct_Detail detail = ct_private(d)->detail;
  ct_put_back_data(&kept, m, d);
  if (s.status) ct_private(d)->detail = detail;
  return s.status;
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
  ct_InverseTarget to = {DfDq, DfDv, DfDa, DsDq, DsDv, DsDa, DmDq};
  int status = ct_difference_inverse(m, d, eps, false, false, flg_actuation != 0, to);
  ct_report(m, d, status, "mjd_inverseFD");
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
