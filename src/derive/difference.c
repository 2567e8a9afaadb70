// Derivatives of a step by finite differences of whole steps.
//
//   x = (dq, qvel, act)   the state, its position as a tangent vector
//   column j of A         (x+(x + eps e_j) - x+(x)) / eps, or centred
//
// Nudges go from what is late in a step to what is early, so that stages which a nudge does not
// reach still hold what the unchanged state left there:
//
//   controls, activations   positions and velocities are kept, and the factor of the integrator
//   velocities              positions are kept, and Euler's factor
//   positions               everything is computed
//
// Every step starts from the same warm start. Sensors are those of the state before the step, and
// sensors of kept stages do not change: their columns are zero.
//
// With a thread pool bound to the data its workers take their share of the columns, each with a
// copy of the data and a step from the unchanged state of its own, so that all bits stay the same.
//
// A step from a bad state, or one that leads to bad accelerations, warns and begins anew from a
// reset. What it leads to says nothing about the state that was asked about, and kept stages are
// lost with it, so that there are no derivatives then: all matrices are NaN. In the reference the
// reset takes the saved state away with the stack, and matrices are whatever lies there.
//
// Steps count how long trees have been quiet, and put them to sleep. In the reference that count
// goes on from nudge to nudge, so that a column depends on those before it; with `exact` each step
// begins from all of the unchanged data.
//
// The reference keeps the factor of an implicit integrator even where gains depend on velocity, so
// that the matrix changes with the control; `exact` does not.

#include "derive/difference.h"

#include <math.h>
#include <string.h>

#include "base/failure.h"
#include "base/private.h"
#include "base/thread_pool.h"
#include "derive/keep.h"
#include "derive/neighbour.h"
#include "engine/smooth/position.h"
#include "host/dynamics.h"
#include "host/report.h"
#include "host/walk.h"
#include "math/vec.h"

// What a step leads to: the next state and what the sensors said.
typedef struct {
  mjtNum *qpos, *qvel, *act, *sensor;
} Outcome;

typedef struct {
  const mjModel* m;
  mjData* d;
  mjtNum eps;
  bool centred, exact;
  int held;        // stages that still hold when controls or activations are nudged (mjtStage)
  int held_speed;  // and when velocities are
  ct_Transition to;
  Outcome start;  // the state itself; sensor is not used
  mjtNum *ctrl, *warmstart, *plugin_state;
  mjtNum time;
  Outcome centre, plus, minus;
  mjtNum* column;  // (2 nv + na)
  int status;
  int share, shares;   // columns are dealt out
  ct_Centre known;     // the unchanged state, from which accelerations of nudged ones are found
  const ct_Kept* all;  // what every step begins from; NULL: the state will do
} Differences;

static int outcome_numbers(const mjModel* m) {
  return (int)(m->nq + m->nv + m->na + m->nsensordata);
}

static Outcome place_outcome(const mjModel* m, mjtNum** room) {
  Outcome o = {*room, *room + m->nq, *room + m->nq + m->nv, *room + m->nq + m->nv + m->na};
  *room += outcome_numbers(m);
  return o;
}

static void read_outcome(const Differences* s, Outcome o) {
  const mjModel* m = s->m;
  const mjData* d = s->d;
  ct_copy(o.qpos, d->qpos, (int)m->nq);
  ct_copy(o.qvel, d->qvel, (int)m->nv);
  ct_copy(o.act, d->act, (int)m->na);
  if (s->to.C || s->to.D) ct_copy(o.sensor, d->sensordata, (int)m->nsensordata);
}

static void put_state_back(const Differences* s) {
  const mjModel* m = s->m;
  mjData* d = s->d;
  if (s->all) {
    if (!s->status) ct_load_kept(s->all, m, d);
    return;
  }
  d->time = s->time;
  ct_copy(d->qpos, s->start.qpos, (int)m->nq);
  ct_copy(d->qvel, s->start.qvel, (int)m->nv);
  ct_copy(d->act, s->start.act, (int)m->na);
  ct_copy(d->ctrl, s->ctrl, (int)m->nu);
  ct_copy(d->qacc_warmstart, s->warmstart, (int)m->nv);
  ct_copy(d->plugin_state, s->plugin_state, (int)m->npluginstate);
}

// One step from the state that d has now, after which the state is back. valid: the stages that
// still hold (mjtStage).
static void try_step(Differences* s, int valid, Outcome o) {
  if (s->status) return;
  ct_Centre* known = &s->known;
  known->moved = valid < mjSTAGE_POS;
  int status =
      ct_step_skipping(s->m, s->d, valid, !s->to.C && !s->to.D, known->open ? &known->here : NULL);
  bool resets = !(s->m->opt.disableflags & mjDSBL_AUTORESET);
  s->status = status & (resets ? CT_ERRORS | CT_BAD_STATE : CT_ERRORS);
  if (known->open) ct_check_centre(known, s->d);
  read_outcome(s, o);
  put_state_back(s);
}

// Columns

// from -> to over the time t, as a tangent vector.
static void state_difference(const Differences* s, Outcome from, Outcome to, mjtNum t) {
  const mjModel* m = s->m;
  int nv = (int)m->nv, na = (int)m->na;
  mjtNum scale = 1 / t;
  mjtNum* column = s->column;
  if (m->nq == m->nv) {
    for (int i = 0; i < nv; i++) column[i] = scale * (to.qpos[i] - from.qpos[i]);
  } else {
    ct_differentiate_position(lane_one(), m, column, t, from.qpos, to.qpos);
  }
  for (int i = 0; i < nv; i++) column[nv + i] = scale * (to.qvel[i] - from.qvel[i]);
  for (int i = 0; i < na; i++) column[2 * nv + i] = scale * (to.act[i] - from.act[i]);
}

static void write_state_column(const Differences* s, mjtNum* matrix, int columns, int j,
                               Outcome from, Outcome to, mjtNum t) {
  int n = (int)(2 * s->m->nv + s->m->na);
  if (!matrix) return;
  state_difference(s, from, to, t);
  for (int i = 0; i < n; i++) matrix[(size_t)i * (size_t)columns + (size_t)j] = s->column[i];
}

static void write_sensor_column(const Differences* s, mjtNum* matrix, int columns, int j,
                                Outcome from, Outcome to, mjtNum t) {
  if (!matrix) return;
  mjtNum scale = 1 / t;
  for (int i = 0; i < s->m->nsensordata; i++) {
    matrix[(size_t)i * (size_t)columns + (size_t)j] = scale * (to.sensor[i] - from.sensor[i]);
  }
}

// Column j of A and C, or of B and D, from the outcomes of those sides that were tried.
static void write_columns(const Differences* s, bool by_control, int j, bool forward,
                          bool backward) {
  if (s->status) return;
  int columns = by_control ? (int)s->m->nu : (int)(2 * s->m->nv + s->m->na);
  mjtNum* of_state = by_control ? s->to.B : s->to.A;
  mjtNum* of_sensor = by_control ? s->to.D : s->to.C;
  Outcome from = backward ? s->minus : s->centre, to = forward ? s->plus : s->centre;
  mjtNum t = forward && backward ? 2 * s->eps : s->eps;
  write_state_column(s, of_state, columns, j, from, to, t);
  write_sensor_column(s, of_sensor, columns, j, from, to, t);
}

static bool inside(const mjtNum range[2], mjtNum x) {
  return range[0] <= x && x <= range[1];
}

// A control is not moved beyond its range; at a limit the difference is one-sided, and zero where
// the range is narrower than eps. Ranges count even where clamping is disabled.
static void nudge_control(Differences* s, int i) {
  const mjModel* m = s->m;
  mjtNum u = s->ctrl[i], eps = s->eps;
  bool limited = m->actuator_ctrllimited[i];
  const mjtNum* range = m->actuator_ctrlrange + 2 * i;
  bool forward = !limited || (inside(range, u) && inside(range, u + eps));
  bool backward =
      (s->centred || !forward) && (!limited || (inside(range, u - eps) && inside(range, u)));
  if (forward) {
    s->d->ctrl[i] = u + eps;
    try_step(s, s->held, s->plus);
  }
  if (backward) {
    s->d->ctrl[i] = u - eps;
    try_step(s, s->held, s->minus);
  }
  write_columns(s, true, i, forward, backward);
}

// One number of the state, from stage `valid` on.
static void nudge_number(Differences* s, mjtNum* number, int valid, int column) {
  mjtNum start = *number;
  *number = start + s->eps;
  try_step(s, valid, s->plus);
  if (s->centred) {
    *number = start - s->eps;
    try_step(s, valid, s->minus);
  }
  write_columns(s, false, column, true, s->centred);
}

static void nudge_position(Differences* s, int i) {
  const mjModel* m = s->m;
  mjData* d = s->d;
  ct_zero(s->column, (int)m->nv);
  s->column[i] = 1;
  ct_integrate_position(lane_one(), m, d->qpos, s->column, s->eps);
  ct_move_neighbour(&s->known, m, i);
  try_step(s, mjSTAGE_NONE, s->plus);
  if (s->centred) {
    ct_integrate_position(lane_one(), m, d->qpos, s->column, -s->eps);
    ct_move_neighbour(&s->known, m, i);
    try_step(s, mjSTAGE_NONE, s->minus);
  }
  write_columns(s, false, i, true, s->centred);
}

// The unchanged state, and what its neighbours may take from it: then it is solved as they are, so
// that differences are those of equals.
static void try_centre(Differences* s) {
  try_step(s, mjSTAGE_NONE, s->centre);
  if (s->status || !ct_open_centre(&s->known, s->m, s->d, s->eps, s->to.C || s->to.D)) return;
  if (s->known.rows || s->known.kept) try_step(s, s->held, s->centre);
}

static bool is_mine(const Differences* s, int column) {
  return column % s->shares == s->share && !s->status;
}

static void run_differences(Differences* s) {
  const mjModel* m = s->m;
  mjData* d = s->d;
  int nv = (int)m->nv;
  try_centre(s);
  for (int i = 0; (s->to.B || s->to.D) && i < m->nu; i++) {
    if (is_mine(s, i)) nudge_control(s, i);
  }
  if (!s->to.A && !s->to.C) return;
  for (int i = 0; i < m->na; i++) {
    if (is_mine(s, i)) nudge_number(s, d->act + i, s->held, 2 * nv + i);
  }
  for (int i = 0; i < nv; i++) {
    if (is_mine(s, i)) nudge_number(s, d->qvel + i, s->held_speed, nv + i);
  }
  for (int i = 0; i < nv; i++) {
    if (is_mine(s, i)) nudge_position(s, i);
  }
}

// The state to which every step returns.
static void remember_state(Differences* s, mjtNum* room) {
  const mjModel* m = s->m;
  const mjData* d = s->d;
  s->start = place_outcome(m, &room);
  s->centre = place_outcome(m, &room);
  s->plus = place_outcome(m, &room);
  s->minus = place_outcome(m, &room);
  s->ctrl = room;
  s->warmstart = s->ctrl + m->nu;
  s->plugin_state = s->warmstart + m->nv;
  s->column = s->plugin_state + m->npluginstate;
  s->time = d->time;
  ct_copy(s->start.qpos, d->qpos, (int)m->nq);
  ct_copy(s->start.qvel, d->qvel, (int)m->nv);
  ct_copy(s->start.act, d->act, (int)m->na);
  ct_copy(s->ctrl, d->ctrl, (int)m->nu);
  ct_copy(s->warmstart, d->qacc_warmstart, (int)m->nv);
  ct_copy(s->plugin_state, d->plugin_state, (int)m->npluginstate);
}

static int difference_numbers(const mjModel* m) {
  return 4 * outcome_numbers(m) + (int)(m->nu + m->nv + m->npluginstate + 2 * m->nv + m->na);
}

// Does the matrix of an implicit integrator depend on controls or activations?
static bool has_speed_gain(const mjModel* m) {
  bool implicit = m->opt.integrator != mjINT_EULER && m->opt.integrator != mjINT_RK4;
  for (int i = 0; i < m->nu && implicit; i++) {
    if (m->actuator_gaintype[i] != mjGAIN_FIXED) return true;
  }
  return false;
}

static mjtNum* make_room(const mjModel* m) {  // not on the stack, which a reset forgets
  return (mjtNum*)mju_malloc(((size_t)difference_numbers(m) + 1) * sizeof(mjtNum));
}

// One share, after which the data is as it was.
static int take_share(Differences* s) {
  ct_Kept kept;
  mjtNum* room = make_room(s->m);
  if (!room) return CT_STACK_FULL;
  if (!ct_keep_data(&kept, s->m, s->d, false)) {
    mju_free(room);
    return CT_STACK_FULL;
  }
  remember_state(s, room);
  if (s->exact && (s->m->opt.enableflags & mjENBL_SLEEP)) {
    s->all = &kept;
    s->held = s->held_speed = mjSTAGE_NONE;
  }
  run_differences(s);
  s->all = NULL;
  ct_Detail detail = ct_private(s->d)->detail;  // of what went wrong
  ct_put_back_data(&kept, s->m, s->d);
  mju_free(room);
  if (s->status & CT_ERRORS) ct_private(s->d)->detail = detail;
  return s->status;
}

// The same in a copy of the data that nobody will miss.
static void* help(void* argument) {
  Differences* s = (Differences*)argument;
  mjtNum* room = make_room(s->m);
  if (!room) {
    s->status = CT_STACK_FULL;
    return NULL;
  }
  remember_state(s, room);
  run_differences(s);
  mju_free(room);
  return NULL;
}

// How many threads besides this one may help: those of a pool that is bound to the data, unless the
// user's code would run in them, or who sleeps depends on the steps before.
static int count_helpers(const mjModel* m, const mjData* d, int columns) {
  mjThreadPool* pool = (mjThreadPool*)d->threadpool;
  if (!pool || d->pstack || m->nplugin > 0 || ct_has_user_code(m)) return 0;
  if (m->opt.enableflags & mjENBL_SLEEP) return 0;
  if (mju_threadPoolCurrentWorkerId(pool) != 0) return 0;
  size_t workers = mju_threadPoolNumberOfThreads(pool);
  return workers < (size_t)columns ? (int)workers : columns - 1;
}

static int take_shares(Differences* s, int helpers) {
  mjThreadPool* pool = (mjThreadPool*)s->d->threadpool;
  Differences* share = (Differences*)mju_malloc((size_t)helpers * sizeof(Differences));
  mjTask* task = (mjTask*)mju_malloc((size_t)helpers * sizeof(mjTask));
  int made = 0, status = share && task ? CT_OK : CT_STACK_FULL;
  for (; made < helpers && !status; made++) {
    share[made] = *s;
    share[made].share = made + 1;
    share[made].d = mj_copyData(NULL, s->m, s->d);
    if (!share[made].d) status = CT_STACK_FULL;
  }
  for (int k = 0; k < helpers && !status; k++) {
    mju_defaultTask(task + k);
    task[k].func = help;
    task[k].args = share + k;
    mju_threadPoolEnqueue(pool, task + k);
  }
  if (!status) {
    status = take_share(s);
    for (int k = 0; k < helpers; k++) {
      mju_taskJoin(task + k);
      if (status || !share[k].status) continue;
      status = share[k].status;
      if (status & CT_ERRORS) ct_private(s->d)->detail = ct_private(share[k].d)->detail;
    }
  }
  for (int k = 0; k < made; k++) mj_deleteData(share[k].d);
  mju_free(task);
  mju_free(share);
  return status;
}

static void fill_with_nan(mjtNum* x, mjtSize rows, mjtSize columns) {
  for (mjtSize i = 0; x && i < rows * columns; i++) x[i] = (mjtNum)NAN;
}

static void refuse_matrices(const mjModel* m, ct_Transition to) {
  mjtSize n = 2 * m->nv + m->na;
  fill_with_nan(to.A, n, n);
  fill_with_nan(to.B, n, m->nu);
  fill_with_nan(to.C, m->nsensordata, n);
  fill_with_nan(to.D, m->nsensordata, m->nu);
}

int ct_difference_step(const mjModel* m, mjData* d, mjtNum eps, bool centred, bool exact,
                       ct_Transition to) {
  Differences s = {.m = m,
                   .d = d,
                   .eps = eps,
                   .centred = centred,
                   .exact = exact,
                   .held = mjSTAGE_VEL,
                   .held_speed = mjSTAGE_POS,
                   .to = to,
                   .shares = 1};
  if (exact && has_speed_gain(m)) s.held = mjSTAGE_POS;
  if (m->opt.integrator == mjINT_RK4) s.held = s.held_speed = mjSTAGE_NONE;  // ends elsewhere
  int helpers = count_helpers(m, d, (int)(m->nu > m->nv ? m->nu : m->nv));
  s.shares = helpers > 0 ? helpers + 1 : 1;
  int status = helpers > 0 ? take_shares(&s, helpers) : take_share(&s);
  if (status) refuse_matrices(m, to);
  return status;
}
