// How a step changes with numbers of the model.
//
// At fixed accelerations the equation of motion G(a, p) = M a + c - tau - J' f is inverse dynamics
// less what acts, so that the columns of a parameter p are
//
//   -dG/dp               = -(G(p + e) - G(p - e)) / 2 e
//   d(M a - M^ acc^)/dp  = the same of the integrator's equation, at fixed acc^
//
// No constraint is solved for, and where G is linear in p the quotient is exact for any e, so that
// a large one leaves the least rounding. What mostly is linear may not be here: the ranges of a
// muscle, masses in a medium, springs of ball joints, friction next to its knee. So the middle is
// looked at too, and if it is not in the middle of the sides, e is a small one. A parameter at 0
// whose negative values count as 0 (a density, a friction loss) has the derivative of its positive
// side.

#include "derive/parameter.h"

#include <string.h>

#include "base/failure.h"
#include "base/memory/data_memory.h"
#include "base/model/fields.h"
#include "base/model/model_memory.h"
#include "engine/integrate.h"
#include "engine/smooth/acceleration.h"
#include "engine/smooth/mass_matrix.h"
#include "engine/smooth/position.h"
#include "engine/smooth/velocity_derivative.h"
#include "host/dynamics.h"
#include "host/report.h"
#include "math/vec.h"

#define LINEAR_STEP ((mjtNum)1e-3)  // relative
#ifdef mjUSESINGLE
#define SMALL_STEP ((mjtNum)1e-3)
#define ROUNDING ((mjtNum)1e-5)
#else
#define SMALL_STEP ((mjtNum)1e-6)
#define ROUNDING ((mjtNum)1e-13)
#endif
#define LARGEST_BEND ((mjtNum)1e-6)  // of what takes large steps

// G is linear in these, most of the time.
static const char* const linear_fields[] = {
    "body_mass",        "body_inertia",     "body_gravcomp",       "dof_armature",
    "dof_damping",      "dof_frictionloss", "jnt_stiffness",       "tendon_stiffness",
    "tendon_damping",   "tendon_armature",  "tendon_frictionloss", "actuator_gainprm",
    "actuator_biasprm", "qpos_spring",      "opt.gravity",         "opt.density",
    "opt.viscosity",
};

// These change the step otherwise than by accelerations.
static const char* const other_fields[] = {
    "opt.timestep",
    "actuator_dynprm",
    "actuator_actrange",
    "actuator_ctrlrange",
};

static bool is_listed(const char* name, const char* const* list, size_t count) {
  for (size_t i = 0; i < count; i++) {
    if (!strcmp(name, list[i])) return true;
  }
  return false;
}

#define IS_LISTED(name_, list_) is_listed(name_, list_, sizeof(list_) / sizeof((list_)[0]))

// Places

typedef struct {
  const char *name, *type;
  size_t offset, bytes;
} Option;

static const Option options_of_model[] = {
#define OPTION(type_, name_, extent_, value_, doc_) \
  {"opt." #name_, #type_, offsetof(mjModel, opt.name_), sizeof(((mjModel*)NULL)->opt.name_)},
#include "settings.def"
};

// The numbers of a field, NULL if it has none.
static mjtNum* find_numbers(mjModel* m, const char* name, size_t* count) {
  size_t noption = sizeof(options_of_model) / sizeof(options_of_model[0]);
  for (size_t i = 0; i < noption; i++) {
    const Option* o = options_of_model + i;
    if (strcmp(name, o->name) || strcmp(o->type, "mjtNum")) continue;
    *count = o->bytes / sizeof(mjtNum);
    return (mjtNum*)(void*)((char*)m + o->offset);
  }
  for (int i = 0; i < ct_nmodel_field; i++) {
    const ct_Field* f = ct_model_fields + i;
    if (strcmp(name, f->name) || f->type != CT_TYPE_mjtNum) continue;
    *count = ct_field_bytes(f, m, NULL) / sizeof(mjtNum);
    return (mjtNum*)*ct_field_pointer(f, m);
  }
  return NULL;
}

static bool place_parameter(ct_ParameterWork* w, int k, const ct_Parameter* p) {
  size_t count = 0;
  mjtNum* numbers = find_numbers(w->m, p->field, &count);
  if (!numbers) {
    mju_error("derivative by parameters: mjModel has no field of numbers \"%s\"", p->field);
    return false;
  }
  if (p->index < 0 || (size_t)p->index >= count) {
    mju_error("derivative by parameters: %s has %d numbers, there is none at %d", p->field,
              (int)count, p->index);
    return false;
  }
  w->place[k] = numbers + p->index;
  w->beside[k] = IS_LISTED(p->field, other_fields);
  w->linear[k] = IS_LISTED(p->field, linear_fields);
  mjtNum step = w->linear[k] ? LINEAR_STEP : SMALL_STEP;
  mjtNum size = ct_abs(*w->place[k]);
  w->eps[k] = size > 0 ? step * size : step;
  w->fine[k] = size > 0 ? SMALL_STEP * size : SMALL_STEP;
  return true;
}

static size_t state_numbers(const mjModel* m) {
  return (size_t)(m->nq + m->nv + m->na);
}

// Models of a batch are views, some arrays of which lie elsewhere: array by array.
static mjModel* copy_any_model(const mjModel* m) {
  char error[500];
  mjModel* copy = ct_make_model(m, error, sizeof(error));
  if (!copy) {
    mju_error("derivative by parameters: %s", error);
    return NULL;
  }
  mjModel places = *copy;
  *copy = *m;
  copy->buffer = places.buffer;
  for (int i = 0; i < ct_nmodel_field; i++) {
    const ct_Field* f = ct_model_fields + i;
    size_t bytes = ct_field_bytes(f, m, NULL);
    void* to = *ct_field_pointer(f, &places);
    *ct_field_pointer(f, copy) = to;
    if (bytes) memcpy(to, ct_field_array(f, m), bytes);
  }
  return copy;
}

// Before anything is allocated, because an error may not return.
static bool are_parameters(int count, const ct_Parameter* parameters) {
  if (count < 0) {
    mju_error("derivative by parameters: there are %d; there must be none or more", count);
    return false;
  }
  for (int k = 0; k < count; k++) {
    if (parameters && parameters[k].field) continue;
    mju_error("derivative by parameters: parameter %d has no field; name one of mjModel", k);
    return false;
  }
  return true;
}

bool ct_open_parameters(ct_ParameterWork* w, const mjModel* m, int count,
                        const ct_Parameter* parameters) {
  memset(w, 0, sizeof(*w));
  if (!are_parameters(count, parameters)) return false;
  size_t n = (size_t)count, nv = (size_t)m->nv;
  size_t numbers = 2 * n + 2 * n * nv + (2 + 2 * CT_NSIDE) * nv + CT_NSIDE * state_numbers(m);
  numbers += (size_t)mj_stateSize(m, mjSTATE_INTEGRATION) + 1;
  w->count = count;
  w->place = (mjtNum**)mju_malloc((n + 1) * sizeof(mjtNum*));
  w->beside = (bool*)mju_malloc(2 * n + 1);
  w->linear = w->beside + n;
  w->eps = (mjtNum*)mju_malloc(numbers * sizeof(mjtNum));
  w->m = copy_any_model(m);
  w->d = w->m ? mj_makeData(w->m) : NULL;
  w->fine = w->eps + n;
  bool good = w->place && w->beside && w->eps && w->d;
  for (int k = 0; k < count && good; k++) good = place_parameter(w, k, parameters + k);
  if (!good) {
    ct_close_parameters(w);
    return false;
  }
  w->m->opt.enableflags &= ~(mjENBL_INVDISCRETE | mjENBL_FWDINV);
  w->rhs = w->fine + n;
  w->other = w->rhs + n * nv;
  w->moved = w->other + n * nv;
  w->before = w->moved + nv;
  mjtNum* room = w->before + nv;
  for (int side = 0; side < CT_NSIDE; side++, room += 2 * nv + state_numbers(m)) {
    w->force[side] = room;
    w->rest[side] = room + nv;
    w->next[side] = room + 2 * nv;
  }
  w->state = room;
  return true;
}

void ct_close_parameters(ct_ParameterWork* w) {
  mj_deleteData(w->d);
  mj_deleteModel(w->m);
  mju_free(w->eps);
  mju_free(w->beside);
  mju_free(w->place);
  memset(w, 0, sizeof(*w));
}

bool ct_has_parameter_columns(const ct_ParameterWork* w, const mjModel* m) {
  if (m->opt.integrator == mjINT_RK4) return false;
  for (int k = 0; k < w->count; k++) {
    if (w->beside[k]) return false;
    // where nothing is damped yet, a damper makes Euler's method another one
    const mjtNum *damping = w->m->dof_damping, *place = w->place[k];
    bool first = place >= damping && place < damping + m->nv && *place == 0;
    if (first && m->opt.integrator == mjINT_EULER) return false;
  }
  return true;
}

// M has the dofs of simple bodies from dof_M0, which follows mass, inertia and armature: 1 if this
// one is in the diagonal of dof i.
static mjtNum share_of_diagonal(const mjModel* m, const mjtNum* place, int i) {
  int body = m->dof_bodyid[i], joint = m->dof_jntid[i], k = i - m->jnt_dofadr[joint];
  bool turns = m->jnt_type[joint] != mjJNT_SLIDE && !(m->jnt_type[joint] == mjJNT_FREE && k < 3);
  if (!m->dof_simplenum[i]) return 0;
  if (place == m->dof_armature + i) return 1;
  return place == (turns ? m->body_inertia + 3 * body + k % 3 : m->body_mass + body) ? 1 : 0;
}

static void shift_parameter(const ct_ParameterWork* w, int k, mjtNum step) {
  *w->place[k] += step;
  for (int i = 0; i < w->m->nv; i++) {
    w->m->dof_M0[i] += step * share_of_diagonal(w->m, w->place[k], i);
  }
}

// Everything as the caller's model has it.
static void restore_parameter(const ct_ParameterWork* w, const mjModel* m, int k, mjtNum value) {
  *w->place[k] = value;
  ct_copy(w->m->dof_M0, m->dof_M0, (int)m->nv);
}

// Sides that a difference is taken between: both, unless the parameter is at 0 and only one of them
// differs from there.

static const mjtNum direction[CT_NSIDE] = {-1, 1, 0};

typedef struct {
  int from, to;
  mjtNum steps;  // between them
} Sides;

static bool are_same(const mjtNum* x, const mjtNum* y, size_t n) {
  for (size_t i = 0; i < n; i++) {
    if (x[i] != y[i]) return false;
  }
  return true;
}

static Sides choose_sides(bool still_before, bool still_behind) {
  Sides both = {CT_SIDE_MINUS, CT_SIDE_PLUS, 2}, behind = {CT_SIDE_CENTRE, CT_SIDE_PLUS, 1},
        before = {CT_SIDE_MINUS, CT_SIDE_CENTRE, 1};
  return still_before == still_behind ? both : still_before ? behind : before;
}

// Equations

// tau + J' f - M a - c at the accelerations of d, and M a - M^ acc^.
static int evaluate(const ct_ParameterWork* w, mjtNum* force, mjtNum* rest) {
  const mjModel* m = w->m;
  mjData* d = w->d;
  int nv = (int)m->nv, integrator = m->opt.integrator;
  mjtNum h = m->opt.timestep;
  int status = ct_inverse_skipping(m, d, mjSTAGE_NONE, 1) & CT_ERRORS;
  if (status) return status;
  mj_fwdActuation(m, d);
  for (int i = 0; i < nv; i++) force[i] = d->qfrc_actuator[i] - d->qfrc_inverse[i];
  ct_add_applied(lane_one(), m, d, force);

  // the integrator's equation
  for (int i = 0; i < nv; i++) w->before[i] = d->qacc[i] - w->moved[i];
  ct_mul_M(lane_one(), m, d, rest, w->before);
  if (integrator == mjINT_EULER) {
    bool damped = ct_euler_is_implicit(lane_one(), m, d);
    for (int i = 0; i < nv && damped; i++) rest[i] -= h * m->dof_damping[i] * w->moved[i];
    return CT_OK;
  }
  bool full = integrator == mjINT_IMPLICIT;
  status = ct_smooth_derivative(lane_one(), m, d, full);
  for (int i = 0; i < nv && full; i++) {
    for (int e = m->D_rowadr[i]; e < m->D_rowadr[i] + m->D_rownnz[i]; e++) {
      rest[i] += h * d->qDeriv[e] * w->moved[m->D_colind[e]];
    }
  }
  for (int i = 0; i < nv && !full; i++) {
    for (int e = m->M_rowadr[i]; e < m->M_rowadr[i] + m->M_rownnz[i]; e++) {
      int j = m->M_colind[e];
      mjtNum entry = h * d->qDeriv[m->mapD2M[e]];
      rest[i] += entry * w->moved[j];
      if (j != i) rest[j] += entry * w->moved[i];
    }
  }
  return status;
}

// With sleep all of the data, since states do not say who sleeps.
static void load_state(const ct_ParameterWork* w, const mjModel* m, const mjData* d) {
  bool alike = w->d->nbuffer == d->nbuffer && w->d->narena == d->narena;
  if ((m->opt.enableflags & mjENBL_SLEEP) && alike) {
    if (!d->pstack) {
      mj_copyData(w->d, m, d);
    } else {  // which that refuses; the copy's stack is empty
      ct_copy_data(w->d, m, d, false);
      w->d->pstack = w->d->pbase = 0;
    }
    return;
  }
  mj_getState(m, d, w->state, mjSTATE_INTEGRATION);
  mj_setState(m, w->d, w->state, mjSTATE_INTEGRATION);
}

// Do the equations say the same on this side as at the parameter itself?
static bool is_still(const ct_ParameterWork* w, int side) {
  size_t nv = (size_t)w->m->nv;
  return are_same(w->force[side], w->force[CT_SIDE_CENTRE], nv) &&
         are_same(w->rest[side], w->rest[CT_SIDE_CENTRE], nv);
}

// Is what the centre has off the middle of both sides by more than rounding errors?
static bool is_bent(mjtNum* const x[CT_NSIDE], int n) {
  mjtNum bend = 0, change = 0, size = 0;
  for (int i = 0; i < n; i++) {
    mjtNum minus = x[CT_SIDE_MINUS][i], plus = x[CT_SIDE_PLUS][i], centre = x[CT_SIDE_CENTRE][i];
    bend = ct_max(bend, ct_abs(minus + plus - 2 * centre));
    change = ct_max(change, ct_abs(plus - minus));
    size = ct_max(size, ct_abs(centre));
  }
  return bend > LARGEST_BEND * change + ROUNDING * size;
}

// Both sides of parameter k.
static int evaluate_sides(const ct_ParameterWork* w, const mjModel* m, const mjData* d, int k,
                          mjtNum eps) {
  mjtNum start = *w->place[k];
  int status = CT_OK;
  for (int side = CT_SIDE_MINUS; side <= CT_SIDE_PLUS && !status; side++) {
    restore_parameter(w, m, k, start);
    shift_parameter(w, k, direction[side] * eps);
    ct_copy(w->d->qacc, d->qacc, (int)m->nv);
    status = evaluate(w, w->force[side], w->rest[side]);
  }
  restore_parameter(w, m, k, start);
  return status;
}

int ct_parameter_columns(ct_ParameterWork* w, const mjModel* m, const mjData* d) {
  int nv = (int)m->nv;
  load_state(w, m, d);
  ct_copy(w->d->qacc, d->qacc, nv);
  int status = evaluate(w, w->force[CT_SIDE_CENTRE], w->rest[CT_SIDE_CENTRE]);
  for (int k = 0; k < w->count && !status; k++) {
    mjtNum eps = w->eps[k];
    status = evaluate_sides(w, m, d, k, eps);
    if (status) return status;
    bool still[2] = {is_still(w, CT_SIDE_MINUS), is_still(w, CT_SIDE_PLUS)};
    bool zero = *w->place[k] == 0, one_sided = zero && still[0] != still[1];
    bool bent = w->linear[k] && !one_sided && (is_bent(w->force, nv) || is_bent(w->rest, nv));
    if (bent) {
      eps = w->fine[k];
      status = evaluate_sides(w, m, d, k, eps);
    }
    if (status) return status;
    Sides s = zero ? choose_sides(still[0], still[1]) : choose_sides(false, false);
    mjtNum scale = 1 / (s.steps * eps);
    for (int i = 0; i < nv; i++) {
      w->rhs[k * nv + i] = scale * (w->force[s.to][i] - w->force[s.from][i]);
      w->other[k * nv + i] = scale * (w->rest[s.to][i] - w->rest[s.from][i]);
    }
  }
  return status;
}

// The state after a step with the parameter shifted.
static int step_shifted(const ct_ParameterWork* w, const mjModel* m, const mjData* d, int k,
                        mjtNum start, mjtNum step, mjtNum* next) {
  size_t nq = (size_t)m->nq, nv = (size_t)m->nv;
  load_state(w, m, d);
  restore_parameter(w, m, k, start);
  shift_parameter(w, k, step);
  int status = ct_step_skipping(w->m, w->d, mjSTAGE_NONE, 1, NULL) & (CT_ERRORS | CT_BAD_STATE);
  ct_copy(next, w->d->qpos, (int)nq);
  ct_copy(next + nq, w->d->qvel, (int)nv);
  ct_copy(next + nq + nv, w->d->act, (int)m->na);
  restore_parameter(w, m, k, start);
  return status;
}

int ct_difference_parameters(ct_ParameterWork* w, const mjModel* m, const mjData* d, mjtNum* P) {
  size_t nq = (size_t)m->nq, nv = (size_t)m->nv, n = 2 * nv + (size_t)m->na;
  size_t numbers = state_numbers(m);
  int status = CT_OK;
  for (int k = 0; k < w->count && !status; k++) {
    mjtNum start = *w->place[k], eps = w->fine[k];
    int sides = start == 0 ? CT_NSIDE : 2;
    for (int side = 0; side < sides && !status; side++) {
      status = step_shifted(w, m, d, k, start, direction[side] * eps, w->next[side]);
    }
    if (status) return status;
    Sides s = sides == CT_NSIDE
                  ? choose_sides(are_same(w->next[CT_SIDE_MINUS], w->next[CT_SIDE_CENTRE], numbers),
                                 are_same(w->next[CT_SIDE_PLUS], w->next[CT_SIDE_CENTRE], numbers))
                  : choose_sides(false, false);
    const mjtNum *from = w->next[s.from], *to = w->next[s.to], span = s.steps * eps;
    ct_differentiate_position(lane_one(), m, w->before, span, from, to);
    for (size_t i = 0; i < n; i++) {
      mjtNum change = i < nv ? w->before[i] : (to[nq + i - nv] - from[nq + i - nv]) / span;
      P[i * (size_t)w->count + (size_t)k] = change;
    }
  }
  return status;
}
