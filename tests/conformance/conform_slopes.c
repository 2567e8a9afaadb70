// conform_slopes: corten's analytic derivatives against centred differences of the reference, on
// every model of a folder.
//
//   usage: conform_slopes REFERENCE_LIB CORTEN_LIB FOLDER [FILTER]
//
// Both engines get the same state, after steps or random, and each integrator in turn. The
// reference is asked for A and B with several eps, and of each column the one that is nearest
// counts, because large eps see curvature and small ones rounding; its Runge-Kutta steps are nudged
// here, since mjd_transitionFD refuses them. Constraints are solved by Newton's method to the last
// digit, since a quotient of residuals is no derivative. Errors are relative to the largest number
// of the matrix.
//
// Left out, and counted, are states in which the reference says nothing that could be compared:
//
//   borders   a nudge opens a contact or changes a feature, so that eps, or one side and both,
//             contradict each other
//   vague     the differences with the two eps that agree best are farther from each other than
//             from corten's
//   curved    curved convex shapes touch by an iteration, whose tolerance differences divide by eps
//   factor    an implicit integrator whose factor the reference keeps, although it depends on
//             controls
//
// Models that corten has no analytic derivative for are counted by reason.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <corten/derivative.h>

#include "conformance/crew.h"
#include "conformance/engine.h"
#include "conformance/numbers.h"
#include "conformance/states.h"
#include "conformance/two_libraries.h"

enum { SECONDS = 240, STATES = 3, MOST_DOFS = 120, NEPS = 5, NREASON = 13, NINT = 4 };

#define TOLERANCE 1e-7
#define BORDER 1e-4  // eps that disagree by more than this say nothing

static const mjtNum eps_tried[NEPS] = {(mjtNum)1e-4, (mjtNum)1e-5, (mjtNum)1e-6, (mjtNum)1e-7,
                                       (mjtNum)1e-8};
enum { MIDDLE_EPS = 2 };  // of which one-sided differences are asked too

typedef struct {
  long states, with_contacts, right, wrong, borders, vague, curved, factor, refused;
  long by_integrator[NINT];  // right
  long reasons[NREASON];     // states without analytic derivative
  long shapes;               // states with contacts by differences of shapes
  double worst;
  char model[128];
} Tally;

static Tally* tally;         // shared with the children
static const char* current;  // model being compared

typedef struct {
  const Engine *reference, *corten;
  mjModel* m;
  mjData *theirs, *ours;
  mjtNum* state;
  size_t n, nu;
  mjtNum *A, *B, *fdA[NEPS + 1], *fdB[NEPS + 1];  // the last ones are one-sided
} Comparison;

typedef enum { RIGHT, VAGUE, AT_BORDER, WRONG } Verdict;

typedef struct {
  Verdict verdict;
  double error;  // of the worst column that can be judged
  size_t column;
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

static Verdict judge_column(const mjtNum* exact, mjtNum* const* tried, size_t rows, size_t columns,
                            size_t c, double scale, double* error) {
  double best = INFINITY, doubt = INFINITY;
  for (int k = 0; k < NEPS; k++) {
    best = fmin(best, difference(exact, tried[k], rows, columns, c) / scale);
    if (k) doubt = fmin(doubt, difference(tried[k - 1], tried[k], rows, columns, c) / scale);
  }
  *error = best;
  if (best <= TOLERANCE) return RIGHT;
  double kink = difference(tried[MIDDLE_EPS], tried[NEPS], rows, columns, c) / scale;
  if (!(doubt < BORDER) || !(kink < BORDER) || kink > best / 4) return AT_BORDER;
  return best <= doubt ? VAGUE : WRONG;
}

// The worst verdict of all columns.
static Judgement judge_matrix(const mjtNum* exact, mjtNum* const* tried, size_t rows,
                              size_t columns) {
  Judgement j = {RIGHT, 0, 0};
  double scale = largest_number(tried[MIDDLE_EPS], rows * columns, 1e-3);
  for (size_t c = 0; c < columns; c++) {
    double error;
    Verdict verdict = judge_column(exact, tried, rows, columns, c, scale, &error);
    if (verdict < j.verdict || (verdict == j.verdict && error <= j.error)) continue;
    j.verdict = verdict;
    j.error = error;
    j.column = c;
  }
  return j;
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

// Two curved shapes meet by an iteration whose tolerance differences divide by eps.
static bool has_noisy_contact(const mjModel* m, const mjData* d) {
  for (int k = 0; k < d->ncon; k++) {
    int low = m->geom_type[d->contact[k].geom[0]], high = m->geom_type[d->contact[k].geom[1]];
    bool curved = low == mjGEOM_ELLIPSOID || low == mjGEOM_CYLINDER || high == mjGEOM_ELLIPSOID ||
                  high == mjGEOM_CYLINDER;
    if (low > mjGEOM_PLANE && curved && !(low == mjGEOM_SPHERE && high == mjGEOM_CYLINDER)) {
      return true;
    }
  }
  return false;
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
  Judgement a = judge_matrix(c->A, c->fdA, c->n, c->n);
  Judgement b = judge_matrix(c->B, c->fdB, c->n, c->nu);
  Verdict verdict = a.verdict > b.verdict ? a.verdict : b.verdict;
  bool curved = has_noisy_contact(c->m, c->theirs);
  long judged = tally->right + tally->wrong;
  tally->with_contacts += c->theirs->ncon > 0;
  if (verdict != RIGHT && curved) {
    tally->curved++;
  } else if (verdict == AT_BORDER || (verdict == WRONG && has_opening_contact(c->theirs))) {
    tally->borders++;
  } else if (verdict == VAGUE) {
    tally->vague++;
  } else if (verdict == WRONG) {
    tally->wrong++;
    print_wrong(c, a, b);
  } else {
    tally->right++;
    tally->by_integrator[c->m->opt.integrator % NINT]++;
  }
  double worst = fmax(a.error, b.error);
  if (tally->right + tally->wrong > judged && worst > tally->worst) {
    tally->worst = worst;
    snprintf(tally->model, sizeof(tally->model), "%s", current);
  }
}

// With an implicit integrator the reference keeps the factor of M - h D while it nudges controls
// and activations, although D may depend on them.
static bool reference_is_exact(const mjModel* m) {
  if (m->opt.integrator == mjINT_EULER) return true;
  for (int i = 0; i < m->nu; i++) {
    if (m->actuator_gaintype[i] != mjGAIN_FIXED && m->actuator_gainprm[mjNGAIN * i + 2] != 0) {
      return false;
    }
  }
  return true;
}

// The reference's own steps from a state nudged along column k of A, or of B.
static void nudged_step(const Comparison* c, size_t k, bool control, mjtNum eps, mjtNum* qpos,
                        mjtNum* rest) {
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
  c->reference->mj_step(m, d);
  memcpy(qpos, d->qpos, (size_t)m->nq * sizeof(mjtNum));
  memcpy(rest, d->qvel, nv * sizeof(mjtNum));
  memcpy(rest + nv, d->act, (size_t)m->na * sizeof(mjtNum));
}

// What mjd_transitionFD would say of Runge-Kutta. A control at its limit gives a border.
static void differences_of_steps(const Comparison* c, mjtNum eps, bool centred, mjtNum* A,
                                 mjtNum* B) {
  const mjModel* m = c->m;
  size_t nv = (size_t)m->nv, nq = (size_t)m->nq, columns = c->n + c->nu;
  mjtNum* room = (mjtNum*)calloc(2 * (nq + nv + (size_t)m->na) + c->n + 1, sizeof(mjtNum));
  mjtNum *from = room, *to = from + nq, *from_rest = to + nq, *to_rest = from_rest + nv + m->na;
  mjtNum *tangent = to_rest + nv + m->na, time = centred ? 2 * eps : eps;
  for (size_t k = 0; k < columns; k++) {
    bool control = k >= c->n;
    size_t column = control ? k - c->n : k, width = control ? c->nu : c->n;
    nudged_step(c, column, control, eps, to, to_rest);
    nudged_step(c, column, control, centred ? -eps : 0, from, from_rest);
    LIBRARY_FUNCTION(c->reference->handle, mj_differentiatePos)(m, tangent, time, from, to);
    for (size_t i = nv; i < c->n; i++) tangent[i] = (to_rest[i - nv] - from_rest[i - nv]) / time;
    for (size_t i = 0; i < c->n; i++) (control ? B : A)[i * width + column] = tangent[i];
  }
  c->reference->mj_setState(m, c->theirs, c->state, mjSTATE_INTEGRATION);
  c->reference->mj_forward(m, c->theirs);
  free(room);
}

static void ask_reference(const Comparison* c, int k) {
  mjtNum eps = eps_tried[k < NEPS ? k : MIDDLE_EPS];
  c->reference->mj_setState(c->m, c->theirs, c->state, mjSTATE_INTEGRATION);
  if (c->m->opt.integrator == mjINT_RK4) {
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
  tally->states++;
  tally->refused += failed != 0;
  for (int k = 0; k < NREASON - 1; k++) tally->reasons[k] += (report.reasons >> k) & 1;
  if (failed) return;
  if (!reference_is_exact(c->m)) {
    tally->factor++;
    return;
  }
  tally->shapes += (report.reasons & CT_SHAPES_BY_DIFFERENCES) != 0;
  memset(c->theirs->warning, 0, sizeof(c->theirs->warning));
  for (int k = 0; k <= NEPS; k++) ask_reference(c, k);
  for (int w = 0; w < mjNWARNING; w++) {
    bool bad = w == mjWARN_BADQPOS || w == mjWARN_BADQVEL || w == mjWARN_BADQACC;
    if (bad && c->theirs->warning[w].number) {
      tally->borders++;
      return;
    }
  }
  judge(c);
}

static void make_state(Comparison* c, int number) {
  const Engine* e = c->reference;
  Random random = random_seeded(current, number);
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

int main(int argc, char** argv) {
  if (argc < 4) {
    fprintf(stderr, "usage: conform_slopes REFERENCE_LIB CORTEN_LIB FOLDER [FILTER]\n");
    return 2;
  }
  Engine engines[2] = {engine_open(argv[1], "reference"), engine_open(argv[2], "corten")};
  tally = (Tally*)shared_memory(sizeof(Tally));
  Fates fates = ask_one_by_one(argv[3], argc > 4 ? argv[4] : NULL, SECONDS, judge_model, engines);
  printf(
      "%ld states: %ld right (Euler %ld, RK4 %ld, implicit %ld, implicitfast %ld), %ld wrong; "
      "worst "
      "%.1e (%s)\n",
      tally->states, tally->right, tally->by_integrator[mjINT_EULER],
      tally->by_integrator[mjINT_RK4], tally->by_integrator[mjINT_IMPLICIT],
      tally->by_integrator[mjINT_IMPLICITFAST], tally->wrong, tally->worst, tally->model);
  printf("  of those compared %ld had contacts, %ld shapes by differences\n", tally->with_contacts,
         tally->shapes);
  printf(
      "  left out: %ld at borders, %ld vague, %ld with curved shapes, %ld with a kept factor; %ld "
      "without analytic derivative\n",
      tally->borders, tally->vague, tally->curved, tally->factor, tally->refused);
  for (int k = 0; k < NREASON - 1; k++) {
    if (!tally->reasons[k]) continue;
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
