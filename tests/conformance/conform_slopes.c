// conform_slopes: corten's analytic derivatives against centred differences of the reference, on
// every model of a folder.
//
//   usage: conform_slopes [--seed NUMBER] REFERENCE_LIB CORTEN_LIB FOLDER [FILTER]
//
// States follow from the path of a model below the folder, and from the seed (0): another one asks
// about states that nobody has seen yet.
//
// Both engines get the same state, after steps or random, and each integrator in turn. The
// reference is asked for A and B with several eps, and of each column the one that is nearest
// counts, because large eps see curvature and small ones rounding. Where no eps escapes both, two
// of them tell what curvature adds, which is as eps^2, and Richardson's extrapolation leaves it
// out; three of them leave out what is as eps^4 too. Two kinds of the reference's steps are nudged
// here: those of Runge-Kutta, which mjd_transitionFD refuses, and those of implicit integrators
// whose matrix depends on controls or activations, which it keeps while it nudges these.
// Constraints are solved by Newton's method to the last digit, since a quotient of residuals is no
// derivative. Errors are relative to the largest number of the matrix.
//
// Left out, and counted, are states in which the reference says nothing that could be compared:
//
//   borders   eps, or one side and both, contradict each other, and what a nudge changes says why:
//             rows come or go, change their piece of the cost or jump to another feature of a
//             shape, a tendon leaves a geom, a spring its dead band, a force or an activation its
//             limit, a muscle turns from being activated to being deactivated
//   diverge   a nudge decides whether the step is reset
//   vague     the differences with the two eps that agree best are farther from each other than
//             from corten's
//   curved    curved convex shapes touch by an iteration, whose tolerance differences divide by
//             eps; corten's report must say so
//
// Models that corten has no analytic derivative for are counted by reason.

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <corten/derivative.h>

#include "conformance/crew.h"
#include "conformance/engine.h"
#include "conformance/numbers.h"
#include "conformance/states.h"
#include "conformance/two_libraries.h"

// What a nudge may change.
enum { ROWS, PIECES, FEATURES, PATHS, LIMITS, NCAUSE };
static const char* const cause_names[NCAUSE] = {
    "contacts or rows that come or go", "rows on another piece of their cost",
    "contacts that jump to another feature", "tendons on another path",
    "springs or forces at limits"};

enum {
  SECONDS = 240,
  STATES = 3,
  MOST_DOFS = 120,
  NEPS = 5,
  NREASON = 16,
  NINT = 4,
  MOST_CONTACTS = 100
};

#define TOLERANCE 1e-7
#define JUMP 1e3  // a contact that moves by so many eps is another one

static const mjtNum eps_tried[NEPS] = {(mjtNum)1e-4, (mjtNum)1e-5, (mjtNum)1e-6, (mjtNum)1e-7,
                                       (mjtNum)1e-8};
enum { MIDDLE_EPS = 2 };  // of which one-sided differences are asked too

typedef struct {
  long states, with_contacts, right, wrong, borders, resets, vague, curved, refused;
  long by_steps;             // compared with steps nudged here because of a kept factor
  long extrapolated;         // right, but only without the reference's curvature
  long causes[NCAUSE];       // of borders
  long by_integrator[NINT];  // right
  long reasons[NREASON];     // states without analytic derivative
  long shapes;               // states with contacts by differences of shapes
  double worst;
  char model[128];
} Tally;

static Tally* tally;         // shared with the children
static const char* current;  // model being compared
static int seed;

typedef struct {
  const Engine *reference, *corten;
  mjModel* m;
  mjData *theirs, *ours;
  mjtNum* state;
  size_t n, nu;
  int reasons;                                    // of corten
  mjtNum *A, *B, *fdA[NEPS + 1], *fdB[NEPS + 1];  // the last ones are one-sided
} Comparison;

// The state nudged along column k of A, or of B.
static void set_nudged(const Comparison* c, size_t k, bool control, mjtNum eps) {
  const mjModel* m = c->m;
  mjData* d = c->theirs;
  size_t nv = (size_t)m->nv;
  c->reference->mj_setState(m, d, c->state, mjSTATE_INTEGRATION);
  if (control) {
    d->ctrl[k] += eps;
  } else if (k < nv) {
    mjtNum* unit = (mjtNum*)calloc(nv, sizeof(mjtNum));
    unit[k] = 1;
    LIBRARY_FUNCTION(c->reference->handle, mj_integratePos)(m, d->qpos, unit, eps);
    free(unit);
  } else if (k < 2 * nv) {
    d->qvel[k - nv] += eps;
  } else {
    d->act[k - 2 * nv] += eps;
  }
}

// The reference's own step from there.
static void nudged_step(const Comparison* c, size_t k, bool control, mjtNum eps, mjtNum* qpos,
                        mjtNum* rest) {
  const mjModel* m = c->m;
  mjData* d = c->theirs;
  size_t nv = (size_t)m->nv;
  set_nudged(c, k, control, eps);
  c->reference->mj_step(m, d);
  memcpy(qpos, d->qpos, (size_t)m->nq * sizeof(mjtNum));
  memcpy(rest, d->qvel, nv * sizeof(mjtNum));
  memcpy(rest + nv, d->act, (size_t)m->na * sizeof(mjtNum));
}

// One column of A or B by whole steps, into x (n), behind which there is room for two states. A
// control at its limit gives a border.
static void column_of_steps(const Comparison* c, size_t k, bool control, mjtNum eps, bool centred,
                            mjtNum* x) {
  const mjModel* m = c->m;
  size_t nv = (size_t)m->nv, nq = (size_t)m->nq, rest = nv + (size_t)m->na;
  mjtNum *from = x + c->n, *to = from + nq, *from_rest = to + nq, *to_rest = from_rest + rest;
  mjtNum time = centred ? 2 * eps : eps;
  nudged_step(c, k, control, eps, to, to_rest);
  nudged_step(c, k, control, centred ? -eps : 0, from, from_rest);
  LIBRARY_FUNCTION(c->reference->handle, mj_differentiatePos)(m, x, time, from, to);
  for (size_t i = 0; i < rest; i++) x[nv + i] = (to_rest[i] - from_rest[i]) / time;
}

static mjtNum* room_for_columns(const Comparison* c, size_t count) {
  size_t state = (size_t)(c->m->nq + c->m->nv + c->m->na);
  return (mjtNum*)calloc(count * (c->n + 2 * state) + 1, sizeof(mjtNum));
}

static void back_to_state(const Comparison* c) {
  c->reference->mj_setState(c->m, c->theirs, c->state, mjSTATE_INTEGRATION);
  c->reference->mj_forward(c->m, c->theirs);
}

// Borders: which pieces of everything the reference is on.

typedef struct {
  uint64_t code[NCAUSE];
  int count;  // of contacts
  mjtNum pos[3 * MOST_CONTACTS];
} Pieces;

static void mix(uint64_t* code, long number) {
  *code = (*code ^ (uint64_t)number) * 1099511628211u;
}

static long side_of(mjtNum x, const mjtNum range[2]) {
  return x <= range[0] ? -1 : x >= range[1] ? 1 : 0;
}

// States of rows at the solution, which the reference keeps only for islands.
static void mix_rows(const Comparison* c, Pieces* p) {
  mjData* d = c->theirs;
  mjtNum* r = (mjtNum*)calloc((size_t)d->nefc + 1, sizeof(mjtNum));
  LIBRARY_FUNCTION(c->reference->handle, mj_mulJacVec)(c->m, d, r, d->qacc);
  for (int i = 0; i < d->nefc; i++) r[i] -= d->efc_aref[i];
  LIBRARY_FUNCTION(c->reference->handle, mj_constraintUpdate)(c->m, d, r, NULL, 0);
  free(r);
  mix(&p->code[ROWS], d->ncon);
  for (int i = 0; i < d->nefc; i++) {
    mix(&p->code[ROWS], d->efc_type[i]);
    mix(&p->code[ROWS], d->efc_id[i]);
    mix(&p->code[PIECES], d->efc_state[i]);
  }
}

// The control that a muscle sees.
static mjtNum excitation(const mjModel* m, const mjData* d, int i) {
  mjtNum low = 0, high = 1;
  if (m->actuator_ctrllimited[i] && !(m->opt.disableflags & mjDSBL_CLAMPCTRL)) {
    low = (mjtNum)fmax(0, (double)m->actuator_ctrlrange[2 * i]);
    high = (mjtNum)fmin(1, (double)m->actuator_ctrlrange[2 * i + 1]);
  }
  return d->ctrl[i] < low ? low : d->ctrl[i] > high ? high : d->ctrl[i];
}

// Limits of activations themselves, and whether muscles are being activated or deactivated, which
// takes another time.
static void mix_activations(const mjModel* m, const mjData* d, Pieces* p) {
  for (int i = 0; i < m->nu; i++) {
    int act = m->actuator_actadr[i] + m->actuator_actnum[i] - 1;
    if (m->actuator_actadr[i] < 0) continue;
    if (m->actuator_actlimited[i]) {
      mix(&p->code[LIMITS], side_of(d->act[act], m->actuator_actrange + 2 * i));
    }
    if (m->actuator_dyntype[i] == mjDYN_MUSCLE) {
      mix(&p->code[LIMITS], excitation(m, d, i) > d->act[act]);
    }
  }
}

static Pieces pieces_now(const Comparison* c) {
  const mjModel* m = c->m;
  const mjData* d = c->theirs;
  Pieces p;
  memset(&p, 0, sizeof(p));
  mix_rows(c, &p);
  p.count = d->ncon < MOST_CONTACTS ? d->ncon : MOST_CONTACTS;
  for (int i = 0; i < p.count; i++) memcpy(p.pos + 3 * i, d->contact[i].pos, sizeof(mjtNum[3]));
  for (int i = 0; i < m->ntendon; i++) {
    mix(&p.code[PATHS], d->ten_wrapnum[i]);
    mix(&p.code[LIMITS], side_of(d->ten_length[i], m->tendon_lengthspring + 2 * i));
  }
  for (int i = 0; i < 2 * m->nwrap; i++) mix(&p.code[PATHS], d->wrap_obj[i]);
  for (int i = 0; i < m->nu; i++) {
    mix(&p.code[LIMITS], side_of(d->actuator_force[i], m->actuator_forcerange + 2 * i));
    mix(&p.code[LIMITS], side_of(d->ctrl[i], m->actuator_ctrlrange + 2 * i));
  }
  for (int i = 0; i < m->na; i++) mix(&p.code[LIMITS], d->act[i] <= 0 || d->act[i] >= 1);
  mix_activations(m, d, &p);
  for (int i = 0; i < m->nv; i++) {
    mix(&p.code[LIMITS], side_of(d->qfrc_actuator[i], m->jnt_actfrcrange + 2 * m->dof_jntid[i]));
  }
  return p;
}

// Why derivatives along a column are not to be had from differences with this eps; NCAUSE: unknown.
static int cause_of_border(const Comparison* c, size_t k, bool control, mjtNum eps) {
  Pieces p[2];
  for (int side = 0; side < 2; side++) {
    set_nudged(c, k, control, side ? eps : -eps);
    c->reference->mj_step(c->m, c->theirs);  // leaves what its last evaluation found
    p[side] = pieces_now(c);
  }
  int cause = NCAUSE;
  for (int i = NCAUSE - 1; i >= 0; i--) {
    if (p[0].code[i] != p[1].code[i]) cause = i;
  }
  for (int i = 0; i < 3 * p[0].count && cause == NCAUSE; i++) {
    if (fabs((double)(p[0].pos[i] - p[1].pos[i])) > JUMP * (double)eps) cause = FEATURES;
  }
  back_to_state(c);
  return cause;
}

typedef enum { RIGHT, VAGUE, AT_BORDER, WRONG } Verdict;

typedef struct {
  Verdict verdict;
  double error;  // of the worst column that can be judged
  size_t column;
  int cause;  // of a border
  bool extrapolated;
} Judgement;

// Largest difference of two matrices in one column.
static double difference(const mjtNum* x, const mjtNum* y, size_t rows, size_t columns, size_t c) {
  double most = 0;
  for (size_t i = c; i < rows * columns; i += columns) {
    double now = fabs((double)x[i] - (double)y[i]);
    if (!(now <= most)) most = isnan(now) ? INFINITY : now;
  }
  return most;
}

// Largest difference from what two eps, one ten times the other, make of a column without what
// grows as eps^2.
static double difference_extrapolated(const mjtNum* x, const mjtNum* coarse, const mjtNum* fine,
                                      size_t rows, size_t columns, size_t c) {
  double most = 0;
  for (size_t i = c; i < rows * columns; i += columns) {
    double bend = ((double)coarse[i] - (double)fine[i]) / 99;
    double now = fabs((double)x[i] - ((double)fine[i] - bend));
    if (!(now <= most)) most = isnan(now) ? INFINITY : now;
  }
  return most;
}

// One matrix with all that is known of it.
typedef struct {
  const mjtNum* exact;
  mjtNum* const* tried;
  size_t columns;
  bool control;
} Matrix;

// Largest difference from a column of whole steps with eps, half and a quarter of it, without what
// grows as eps^2 and eps^4.
static double difference_extrapolated_twice(const Comparison* c, Matrix x, size_t k, mjtNum eps) {
  size_t state = (size_t)(c->m->nq + c->m->nv + c->m->na), size = c->n + 2 * state;
  mjtNum* tried = room_for_columns(c, 3);
  for (int i = 0; i < 3; i++) {
    column_of_steps(c, k, x.control, eps / (mjtNum)(1 << i), true, tried + (size_t)i * size);
  }
  double most = 0;
  for (size_t r = 0; r < c->n; r++) {
    double coarse = (double)tried[r], half = (double)tried[size + r];
    double fine = (double)tried[2 * size + r],
           once[2] = {(4 * half - coarse) / 3, (4 * fine - half) / 3};
    double now = fabs((double)x.exact[r * x.columns + k] - (16 * once[1] - once[0]) / 15);
    if (!(now <= most)) most = isnan(now) ? INFINITY : now;
  }
  back_to_state(c);
  free(tried);
  return most;
}

// The least error by extrapolation over two eps or three.
static double extrapolated_error(const Comparison* c, Matrix x, size_t k) {
  double least = INFINITY;
  for (int i = 1; i < NEPS; i++) {
    double error = difference_extrapolated(x.exact, x.tried[i - 1], x.tried[i], c->n, x.columns, k);
    least = fmin(least, error);
  }
  for (int i = 0; i < MIDDLE_EPS; i++) {
    least = fmin(least, difference_extrapolated_twice(c, x, k, eps_tried[i]));
  }
  return least;
}

// A column that is not right may be at a border; if nothing says so, it is not.
static Judgement judge_column(const Comparison* c, Matrix x, size_t k, double scale) {
  Judgement j = {RIGHT, INFINITY, k, NCAUSE, false};
  double doubt = INFINITY;
  for (int i = 0; i < NEPS; i++) {
    j.error = fmin(j.error, difference(x.exact, x.tried[i], c->n, x.columns, k) / scale);
    if (i) doubt = fmin(doubt, difference(x.tried[i - 1], x.tried[i], c->n, x.columns, k) / scale);
  }
  if (j.error <= TOLERANCE) return j;
  double error = extrapolated_error(c, x, k) / scale;
  if (error <= TOLERANCE) {
    j.error = error;
    j.extrapolated = true;
    return j;
  }
  j.cause = cause_of_border(c, k, x.control, eps_tried[MIDDLE_EPS]);
  j.verdict = j.cause < NCAUSE ? AT_BORDER : j.error <= doubt ? VAGUE : WRONG;
  return j;
}

// The worst verdict of all columns.
static Judgement judge_matrix(const Comparison* c, Matrix x) {
  Judgement worst = {RIGHT, 0, 0, NCAUSE, false};
  double scale = largest_number(x.tried[MIDDLE_EPS], c->n * x.columns, 1e-3);
  for (size_t k = 0; k < x.columns; k++) {
    Judgement j = judge_column(c, x, k, scale);
    bool extrapolated = worst.extrapolated || j.extrapolated;
    if (j.verdict > worst.verdict || (j.verdict == worst.verdict && j.error > worst.error)) {
      worst = j;
    }
    worst.extrapolated = extrapolated;
  }
  return worst;
}

// Says where two matrices differ most in a column.
static void print_place(const char* name, const mjtNum* x, const mjtNum* y, size_t rows,
                        size_t columns, size_t c) {
  size_t where = c;
  for (size_t i = c; i < rows * columns; i += columns) {
    if (fabs((double)(x[i] - y[i])) > fabs((double)(x[where] - y[where]))) where = i;
  }
  if (rows > 0 && columns > 0) {
    printf("  %s(%zu, %zu) is %.9g, by differences %.9g\n", name, where / columns, c,
           (double)x[where], (double)y[where]);
  }
}

// A contact that is about to open or close: the smallest nudge decides.
static bool has_opening_contact(const mjData* d) {
  for (int k = 0; k < d->ncon; k++) {
    const mjContact* con = d->contact + k;
    if (fabs((double)(con->dist - con->includemargin)) < (double)eps_tried[NEPS - 1]) return true;
  }
  return false;
}

static void print_wrong(const Comparison* c, Judgement a, Judgement b) {
  printf("%s: A differs by %.1e, B by %.1e (integrator %d, cone %d, contacts %d)\n", current,
         a.error, b.error, c->m->opt.integrator, c->m->opt.cone, c->theirs->ncon);
  for (int k = 0; k < c->theirs->ncon; k++) {
    const mjContact* con = c->theirs->contact + k;
    printf("  contact of types %d and %d, dist %.3g\n", c->m->geom_type[con->geom[0]],
           c->m->geom_type[con->geom[1]], (double)con->dist);
  }
  print_place("A", c->A, c->fdA[MIDDLE_EPS], c->n, c->n, a.column);
  print_place("B", c->B, c->fdB[MIDDLE_EPS], c->n, c->nu, b.column);
}

static void judge(Comparison* c) {
  Judgement a = judge_matrix(c, (Matrix){c->A, c->fdA, c->n, false});
  Judgement b = judge_matrix(c, (Matrix){c->B, c->fdB, c->nu, true});
  Verdict verdict = a.verdict > b.verdict ? a.verdict : b.verdict;
  int cause = a.verdict == AT_BORDER ? a.cause : b.cause;
  bool curved = (c->reasons & CT_SHAPES_TO_TOLERANCE) != 0;
  long judged = tally->right + tally->wrong;
  tally->with_contacts += c->theirs->ncon > 0;
  if (verdict != RIGHT && curved) {
    tally->curved++;
  } else if (verdict == AT_BORDER || (verdict == WRONG && has_opening_contact(c->theirs))) {
    tally->borders++;
    tally->causes[verdict == AT_BORDER ? cause : ROWS]++;
  } else if (verdict == VAGUE) {
    tally->vague++;
  } else if (verdict == WRONG) {
    tally->wrong++;
    print_wrong(c, a, b);
  } else {
    tally->right++;
    tally->extrapolated += a.extrapolated || b.extrapolated;
    tally->by_integrator[c->m->opt.integrator % NINT]++;
  }
  double worst = fmax(a.error, b.error);
  if (tally->right + tally->wrong > judged && worst > tally->worst) {
    tally->worst = worst;
    snprintf(tally->model, sizeof(tally->model), "%s", current);
  }
}

// With an implicit integrator the reference keeps the factor of M - h D while it nudges controls
// and activations, although D depends on them where a gain depends on velocity.
static bool reference_is_exact(const mjModel* m) {
  if (m->opt.integrator == mjINT_EULER || m->opt.integrator == mjINT_RK4) return true;
  for (int i = 0; i < m->nu; i++) {
    bool affine = m->actuator_gaintype[i] == mjGAIN_AFFINE;
    if (affine && m->actuator_gainprm[mjNGAIN * i + 2] != 0) return false;
    if (m->actuator_gaintype[i] == mjGAIN_MUSCLE) return false;
  }
  return true;
}

// What mjd_transitionFD would say if it made whole steps.
static void differences_of_steps(const Comparison* c, mjtNum eps, bool centred, mjtNum* A,
                                 mjtNum* B) {
  mjtNum* x = room_for_columns(c, 1);
  for (size_t k = 0; k < c->n + c->nu; k++) {
    bool control = k >= c->n;
    size_t column = control ? k - c->n : k, width = control ? c->nu : c->n;
    column_of_steps(c, column, control, eps, centred, x);
    for (size_t i = 0; i < c->n; i++) (control ? B : A)[i * width + column] = x[i];
  }
  back_to_state(c);
  free(x);
}

static void ask_reference(const Comparison* c, int k) {
  mjtNum eps = eps_tried[k < NEPS ? k : MIDDLE_EPS];
  c->reference->mj_setState(c->m, c->theirs, c->state, mjSTATE_INTEGRATION);
  if (c->m->opt.integrator == mjINT_RK4 || !reference_is_exact(c->m)) {
    differences_of_steps(c, eps, k < NEPS, c->fdA[k], c->fdB[k]);
  } else {
    LIBRARY_FUNCTION(c->reference->handle, mjd_transitionFD)
    (c->m, c->theirs, eps, k < NEPS, c->fdA[k], c->fdB[k], NULL, NULL);
  }
}

static void compare_state(Comparison* c) {
  ct_DerivativeOptions options = {CT_DERIVATIVE_ANALYTIC, (mjtNum)1e-6, 1, 0, 0};
  ct_DerivativeMatrices out = {c->A, c->B, NULL, NULL};
  ct_DerivativeReport report;
  c->corten->mj_setState(c->m, c->ours, c->state, mjSTATE_INTEGRATION);
  int failed =
      LIBRARY_FUNCTION(c->corten->handle, ct_derivative)(c->m, c->ours, &options, &out, &report);
  c->reasons = report.reasons;
  tally->states++;
  tally->refused += failed != 0;
  for (int k = 0; k < NREASON; k++) tally->reasons[k] += (report.reasons >> k) & 1;
  if (failed) return;
  tally->by_steps += !reference_is_exact(c->m);
  tally->shapes += (report.reasons & CT_SHAPES_BY_DIFFERENCES) != 0;
  memset(c->theirs->warning, 0, sizeof(c->theirs->warning));
  for (int k = 0; k <= NEPS; k++) ask_reference(c, k);
  for (int w = 0; w < mjNWARNING; w++) {
    bool bad = w == mjWARN_BADQPOS || w == mjWARN_BADQVEL || w == mjWARN_BADQACC;
    if (bad && c->theirs->warning[w].number) {
      tally->resets++;
      return;
    }
  }
  judge(c);
}

static void make_state(Comparison* c, int number) {
  const Engine* e = c->reference;
  Random random = random_seeded(current, number + STATES * seed);
  e->mj_resetData(c->m, c->theirs);
  if (c->m->nkey) e->mj_resetDataKeyframe(c->m, c->theirs, 0);
  if (number == 1) {
    randomise_state(e, c->m, c->theirs, &random);
  } else {
    for (int i = 0; i < (number ? 200 : 30); i++) {
      if (i % 20 == 0) randomise_controls(c->m, c->theirs, &random);
      e->mj_step(c->m, c->theirs);
    }
  }
  e->mj_getState(c->m, c->theirs, c->state, mjSTATE_INTEGRATION);
}

static void compare_model(Comparison* c) {
  mjModel* m = c->m;
  size_t n = c->n = (size_t)(2 * m->nv + m->na), na = n * n, nb = n * (size_t)m->nu;
  c->nu = (size_t)m->nu;
  c->theirs = c->reference->mj_makeData(m);
  c->ours = c->corten->mj_makeData(m);
  size_t size = (size_t)c->reference->mj_stateSize(m, mjSTATE_INTEGRATION);
  c->state = (mjtNum*)calloc(size + 1, sizeof(mjtNum));
  c->A = (mjtNum*)calloc(na + 1, sizeof(mjtNum));
  c->B = (mjtNum*)calloc(nb + 1, sizeof(mjtNum));
  for (int k = 0; k <= NEPS; k++) {
    c->fdA[k] = (mjtNum*)calloc(na + 1, sizeof(mjtNum));
    c->fdB[k] = (mjtNum*)calloc(nb + 1, sizeof(mjtNum));
  }
  m->opt.solver = mjSOL_NEWTON;
  m->opt.tolerance = 0;
  m->opt.iterations = 100;
  int own = m->opt.integrator, cone = m->opt.cone;
  static const int integrators[NINT] = {mjINT_EULER, mjINT_IMPLICITFAST, mjINT_IMPLICIT, mjINT_RK4};
  for (int state = 0; state < STATES; state++) {
    m->opt.integrator = own;
    m->opt.cone = cone;
    make_state(c, state);
    for (int k = 0; k < NINT; k++) {
      m->opt.integrator = integrators[k];
      m->opt.cone = (state + k) % 2 ? mjCONE_ELLIPTIC : mjCONE_PYRAMIDAL;
      compare_state(c);
    }
  }
}

enum { COMPARED, REFUSED, STOPPED, MISSING, LARGE };

static int judge_model(const ModelReport* model, void* engines) {
  const Engine *reference = (const Engine*)engines, *corten = reference + 1;
  char error[1000];
  mjModel* m = NULL;
  current = model->name;
  ENGINE_TRY(m = reference->mj_loadXML(model->path, NULL, error, sizeof(error)), m = NULL);
  if (!m) return REFUSED;
  if (m->nhistory > 0 || m->nflex > 0) return MISSING;
  if (m->nv > MOST_DOFS || m->nv == 0) return LARGE;
  static Comparison c;
  c.reference = reference;
  c.corten = corten;
  c.m = m;
  ENGINE_TRY(compare_model(&c), {
    if (engine_lacks_function()) return MISSING;
    printf("%s: %s\n", current, engine_trap.message);
    return STOPPED;
  });
  return COMPARED;
}

// Takes "--seed NUMBER" out of the arguments, of which the name of the program stays the first.
static void read_seed(int* argc, char*** argv) {
  char *end = NULL, *name = (*argv)[0];
  if (*argc < 3 || strcmp((*argv)[1], "--seed")) return;
  long number = strtol((*argv)[2], &end, 10);
  if (*end || end == (*argv)[2] || number < 0 || number > 1000000) {
    fprintf(stderr, "%s: the seed is a number from 0 to 1000000, not \"%s\"\n", name, (*argv)[2]);
    exit(2);
  }
  seed = (int)number;
  *argc -= 2;
  *argv += 2;
  (*argv)[0] = name;
}

int main(int argc, char** argv) {
  Engine engines[2];
  read_seed(&argc, &argv);
  tally = (Tally*)shared_memory(sizeof(Tally));
  Fates fates = ask_about_folder(argc, argv, SECONDS, judge_model, engines);
  printf(
      "%ld states: %ld right (Euler %ld, RK4 %ld, implicit %ld, implicitfast %ld), %ld wrong; "
      "worst "
      "%.1e (%s)\n",
      tally->states, tally->right, tally->by_integrator[mjINT_EULER],
      tally->by_integrator[mjINT_RK4], tally->by_integrator[mjINT_IMPLICIT],
      tally->by_integrator[mjINT_IMPLICITFAST], tally->wrong, tally->worst, tally->model);
  printf(
      "  of those compared %ld had contacts, %ld shapes by differences, %ld a factor that the "
      "reference keeps; %ld are right by extrapolation over eps\n",
      tally->with_contacts, tally->shapes, tally->by_steps, tally->extrapolated);
  printf(
      "  left out: %ld at borders, %ld that diverge, %ld vague, %ld with curved shapes; %ld "
      "without "
      "analytic derivative\n",
      tally->borders, tally->resets, tally->vague, tally->curved, tally->refused);
  for (int k = 0; k < NCAUSE; k++) {
    if (tally->causes[k]) printf("  %5ld borders: %s\n", tally->causes[k], cause_names[k]);
  }
  for (int k = 0; k < NREASON; k++) {
    bool refuses = 1 << k != CT_SHAPES_BY_DIFFERENCES && 1 << k != CT_SHAPES_TO_TOLERANCE;
    if (!tally->reasons[k] || !refuses) continue;
    printf("  %5ld states without analytic derivative: %s\n", tally->reasons[k],
           LIBRARY_FUNCTION(engines[1].handle, ct_derivative_reason)(1 << k));
  }
  printf(
      "%d models: %d compared, %d refused by the reference, %d with delays or flexes, %d without "
      "dofs or with more than %d, %d stopped, %d crashed or out of time\n",
      fates.models, fates.count[COMPARED], fates.count[REFUSED], fates.count[MISSING],
      fates.count[LARGE], MOST_DOFS, fates.count[STOPPED], fates.lost);
  return tally->wrong > 0 || fates.lost > 0 || fates.count[COMPARED] == 0;
}
