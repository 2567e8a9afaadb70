// conform_slopes: corten's analytic derivatives against centred differences of the reference, on
// every model of a folder.
//
//   usage: conform_slopes REFERENCE_LIB CORTEN_LIB FOLDER [FILTER]
//
// Both engines get the same state. The reference is asked for A and B with several eps; of each
// matrix the one that is nearest counts, because large eps see curvature and small ones rounding.
// Constraints are solved by Newton's method to the last digit, since a quotient of residuals is no
// derivative. What the reference's own answers for 1e-6 and 1e-7 differ by is allowed: at a border,
// a contact that a nudge opens or a feature that changes, they have nothing to do with each other,
// or one-sided differences have nothing to do with centred ones, and the state is left out. So are
// states in which curved convex shapes touch. Models
// that corten has no analytic derivative for are counted by reason.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <corten/derivative.h>

#include "conformance/crew.h"
#include "conformance/engine.h"
#include "conformance/states.h"
#include "conformance/two_libraries.h"

enum { SECONDS = 120, STATES = 3, MOST_DOFS = 120, NEPS = 3, NREASON = 13 };

#define TOLERANCE 1e-6
#define BORDER 1e-4  // eps that disagree by more than this say nothing

// The last one is one-sided.
static const mjtNum eps_tried[NEPS + 1] = {(mjtNum)1e-6, (mjtNum)1e-7, (mjtNum)1e-5, (mjtNum)1e-6};

typedef struct {
  long states, with_contacts, right, wrong, borders;
  long reasons[NREASON];  // states without analytic derivative
  long shapes;            // states with contacts by differences of shapes
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
  size_t na, nb;  // numbers of A and of B
  mjtNum *A, *B, *fdA[NEPS + 1], *fdB[NEPS + 1];
} Comparison;

static double largest(const mjtNum* x, size_t n) {
  double most = 0;
  for (size_t i = 0; i < n; i++) most = fmax(most, fabs((double)x[i]));
  return most;
}

static double difference(const mjtNum* x, const mjtNum* y, size_t n) {
  double most = 0;
  for (size_t i = 0; i < n; i++) {
    double now = fabs((double)x[i] - (double)y[i]);
    if (!(now <= most)) most = isnan(now) ? INFINITY : now;
  }
  return most;
}

// Relative error of one matrix; negative: the reference does not know.
static double error_of(const mjtNum* exact, mjtNum* const* tried, size_t n) {
  double scale = fmax(largest(tried[0], n), 1e-3), best = INFINITY;
  double doubt = difference(tried[0], tried[1], n) / scale;
  for (int k = 0; k < NEPS; k++) best = fmin(best, difference(exact, tried[k], n) / scale);
  if (best <= TOLERANCE) return best;
  if (!(doubt < BORDER)) return -1;
  if (!(difference(tried[0], tried[NEPS], n) < BORDER * scale)) return -1;  // a kink
  return best <= doubt ? TOLERANCE : best;
}

// Says where two matrices differ most.
static void print_place(const char* name, const mjtNum* x, const mjtNum* y, size_t n,
                        size_t columns) {
  size_t where = 0;
  for (size_t i = 0; i < n; i++) {
    if (fabs((double)(x[i] - y[i])) > fabs((double)(x[where] - y[where]))) where = i;
  }
  if (n) {
    printf("  %s(%zu, %zu) is %.9g, by differences %.9g\n", name, where / columns, where % columns,
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

static void judge(Comparison* c) {
  double a = error_of(c->A, c->fdA, c->na), b = c->nb ? error_of(c->B, c->fdB, c->nb) : 0;
  if (a < 0 || b < 0 || has_noisy_contact(c->m, c->theirs)) {
    tally->borders++;
    return;
  }
  double worst = fmax(a, b);
  if (worst > TOLERANCE) {
    tally->wrong++;
    printf("%s: A differs by %.1e, B by %.1e (integrator %d, cone %d, contacts %d)\n", current, a,
           b, c->m->opt.integrator, c->m->opt.cone, c->theirs->ncon);
    for (int k = 0; k < c->theirs->ncon; k++) {
      const mjContact* con = c->theirs->contact + k;
      printf("  contact of types %d and %d, dist %.3g\n", c->m->geom_type[con->geom[0]],
             c->m->geom_type[con->geom[1]], (double)con->dist);
    }
    print_place("A", c->A, c->fdA[0], c->na, (size_t)(2 * c->m->nv + c->m->na));
    print_place("B", c->B, c->fdB[0], c->nb, (size_t)c->m->nu);
  } else {
    tally->right++;
  }
  if (worst > tally->worst) {
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

static void compare_state(Comparison* c) {
  ct_DerivativeOptions options = {CT_DERIVATIVE_ANALYTIC, (mjtNum)1e-6, 1, 0};
  ct_DerivativeMatrices out = {c->A, c->B, NULL, NULL};
  ct_DerivativeReport report;
  c->corten->mj_setState(c->m, c->ours, c->state, mjSTATE_INTEGRATION);
  int failed =
      LIBRARY_FUNCTION(c->corten->handle, ct_derivative)(c->m, c->ours, &options, &out, &report);
  tally->states++;
  for (int k = 0; k < NREASON - 1; k++) tally->reasons[k] += (report.reasons >> k) & 1;
  if (failed || !reference_is_exact(c->m)) return;
  tally->shapes += (report.reasons & CT_SHAPES_BY_DIFFERENCES) != 0;
  for (int k = 0; k <= NEPS; k++) {
    c->reference->mj_setState(c->m, c->theirs, c->state, mjSTATE_INTEGRATION);
    LIBRARY_FUNCTION(c->reference->handle, mjd_transitionFD)
    (c->m, c->theirs, eps_tried[k], k < NEPS, c->fdA[k], c->fdB[k], NULL, NULL);
  }
  for (int w = 0; w < mjNWARNING; w++) {
    bool bad = w == mjWARN_BADQPOS || w == mjWARN_BADQVEL || w == mjWARN_BADQACC;
    if (bad && c->theirs->warning[w].number) return;
  }
  tally->with_contacts += c->theirs->ncon > 0;
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
  size_t n = (size_t)(2 * m->nv + m->na);
  c->na = n * n;
  c->nb = n * (size_t)m->nu;
  c->theirs = c->reference->mj_makeData(m);
  c->ours = c->corten->mj_makeData(m);
  size_t size = (size_t)c->reference->mj_stateSize(m, mjSTATE_INTEGRATION);
  c->state = (mjtNum*)calloc(size + 1, sizeof(mjtNum));
  c->A = (mjtNum*)calloc(c->na + 1, sizeof(mjtNum));
  c->B = (mjtNum*)calloc(c->nb + 1, sizeof(mjtNum));
  for (int k = 0; k <= NEPS; k++) {
    c->fdA[k] = (mjtNum*)calloc(c->na + 1, sizeof(mjtNum));
    c->fdB[k] = (mjtNum*)calloc(c->nb + 1, sizeof(mjtNum));
  }
  m->opt.solver = mjSOL_NEWTON;
  m->opt.tolerance = 0;
  m->opt.iterations = 100;
  int integrator = m->opt.integrator, cone = m->opt.cone;
  static const int other[4] = {mjINT_EULER, mjINT_IMPLICITFAST, mjINT_IMPLICIT, mjINT_EULER};
  for (int state = 0; state < STATES; state++) {
    m->opt.integrator = integrator == mjINT_RK4 ? mjINT_EULER : integrator;
    m->opt.cone = cone;
    make_state(c, state);
    compare_state(c);
    m->opt.integrator = other[state % 4];
    m->opt.cone = cone == mjCONE_ELLIPTIC ? mjCONE_PYRAMIDAL : mjCONE_ELLIPTIC;
    compare_state(c);
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
      "%ld states: %ld right (%ld with contacts among all compared, %ld with shapes by "
      "differences), %ld wrong, %ld at borders; worst %.1e (%s)\n",
      tally->states, tally->right, tally->with_contacts, tally->shapes, tally->wrong,
      tally->borders, tally->worst, tally->model);
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
