// conform_derivatives: derivatives by finite differences, corten against the reference, on every
// model of a folder.
//
//   usage: conform_derivatives REFERENCE_LIB CORTEN_LIB FOLDER [FILTER]
//
// Both engines get the same state, random or after a few steps of the reference, and are asked for
// everything that mjd_transitionFD and mjd_inverseFD return, one-sided and centred. Models that use
// Runge-Kutta are asked with Euler, because both functions refuse it; noslip is switched off for
// the second. The reference's centred D has the wrong sign, so it is turned.
//
// A quotient of rounding errors is no derivative. Where the engines disagree by more than 1e-7 of
// the largest number of a matrix, the reference is asked again at states moved by rounding, and
// what its own answers then differ by, times four, is allowed; for derivatives of forces also four
// rounding errors of the largest force, divided by eps. States from which a step diverges and is
// reset are left out: a nudge then decides whether it is. Trees that may sleep are kept awake,
// because the reference leaves asleep what a nudge sent to sleep.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/crew.h"
#include "conformance/engine.h"
#include "conformance/numbers.h"
#include "conformance/spread.h"
#include "conformance/states.h"
#include "conformance/two_libraries.h"

enum { SECONDS = 120, STATES = 2, MOST_DOFS = 250, NMATRIX = 11, SETTLING_STEPS = 20 };

#define TOLERANCE 1e-7
#define EPS ((mjtNum)1e-6)

static const char* const matrix_names[NMATRIX] = {"A",    "B",    "C",    "D",    "DfDq", "DfDv",
                                                  "DfDa", "DsDq", "DsDv", "DsDa", "DmDq"};

// Everything that one engine answers about one state.
typedef struct {
  mjtNum* matrix[NMATRIX];
  size_t count[NMATRIX];
} Matrices;

typedef struct {
  double worst;     // error that was accepted or not, relative to the matrix
  char model[128];  // where
  long asked, rounded, wrong;
} Score;

static Score* scores;        // of each matrix, one-sided and centred, shared with the children
static const char* current;  // model being compared

static Matrices make_matrices(const mjModel* m) {
  size_t nv = (size_t)m->nv, n = 2 * nv + (size_t)m->na, nu = (size_t)m->nu;
  size_t ns = (size_t)m->nsensordata, nM = (size_t)m->nM;
  Matrices a = {{NULL},
                {n * n, n * nu, ns * n, ns * nu, nv * nv, nv * nv, nv * nv, nv * ns, nv * ns,
                 nv * ns, nv * nM}};
  for (int i = 0; i < NMATRIX; i++) a.matrix[i] = (mjtNum*)calloc(a.count[i] + 1, sizeof(mjtNum));
  return a;
}

static void free_matrices(Matrices* a) {
  for (int i = 0; i < NMATRIX; i++) free(a->matrix[i]);
}

// What is asked beside the state.
typedef struct {
  bool centred, actuation;
} Question;

static void ask_engine(const Engine* e, mjModel* m, mjData* d, Question q, Matrices* a) {
  mjtNum** x = a->matrix;
  int noslip = m->opt.noslip_iterations;
  LIBRARY_FUNCTION(e->handle, mjd_transitionFD)(m, d, EPS, q.centred, x[0], x[1], x[2], x[3]);
  m->opt.noslip_iterations = 0;
  e->mj_forward(m, d);
  LIBRARY_FUNCTION(e->handle, mjd_inverseFD)
  (m, d, EPS, q.actuation, x[4], x[5], x[6], x[7], x[8], x[9], x[10]);
  m->opt.noslip_iterations = noslip;
}

static void turn_sign(const mjModel* m, Matrices* a) {
  for (int j = 0; j < m->nu; j++) {
    for (int i = 0; i < m->nsensordata; i++) a->matrix[3][i * m->nu + j] *= -1;
  }
}

// The sign is wrong only where both sides were tried; elsewhere a column must not be turned.
static void turn_back_one_sided(const mjModel* m, const mjData* d, Matrices* a) {
  for (int j = 0; j < m->nu; j++) {
    mjtNum u = d->ctrl[j];
    const mjtNum* range = m->actuator_ctrlrange + 2 * j;
    bool both = !m->actuator_ctrllimited[j] || (range[0] <= u - EPS && u + EPS <= range[1]);
    for (int i = 0; i < m->nsensordata && !both; i++) a->matrix[3][i * m->nu + j] *= -1;
  }
}

static void ask_reference(const Engine* e, mjModel* m, mjData* d, Question q, Matrices* a) {
  ask_engine(e, m, d, q, a);
  if (!q.centred) return;
  turn_sign(m, a);
  turn_back_one_sided(m, d, a);
}

static double largest_difference(const mjtNum* x, const mjtNum* y, size_t n) {
  double most = 0;
  for (size_t i = 0; i < n; i++) {
    double a = (double)x[i], b = (double)y[i];
    if ((isnan(a) && isnan(b)) || a == b) continue;
    double now = fabs(a - b);
    if (!(now <= most)) most = isnan(now) ? INFINITY : now;
  }
  return most;
}

// One state

typedef struct {
  const Engine *reference, *corten;
  mjModel* m;
  mjData *theirs, *ours;
  mjtNum* state;  // mjSTATE_INTEGRATION
  Matrices want, got, moved;
  double spread[NMATRIX];  // what rounding does to the reference
} Comparison;

static void measure_spread(Comparison* c, Question q) {
  Random random = random_seeded(current, 77);
  memset(c->spread, 0, sizeof(c->spread));
  for (int sample = 0; sample < SPREAD_SAMPLES; sample++) {
    c->reference->mj_setState(c->m, c->theirs, c->state, mjSTATE_INTEGRATION);
    move_by_rounding(c->m, c->theirs, c->theirs, &random);
    ask_reference(c->reference, c->m, c->theirs, q, &c->moved);
    for (int i = 0; i < NMATRIX; i++) {
      double now = largest_difference(c->moved.matrix[i], c->want.matrix[i], c->want.count[i]);
      c->spread[i] = fmax(c->spread[i], now);
    }
  }
}

static double largest_force(const mjModel* m, const mjData* d) {
  int nv = (int)m->nv;
  double most = fmax(largest_number(d->qfrc_bias, (size_t)nv, 1),
                     largest_number(d->qfrc_passive, (size_t)nv, 1));
  most = fmax(most, largest_number(d->qfrc_constraint, (size_t)nv, 1));
  most = fmax(most, largest_number(d->qfrc_actuator, (size_t)nv, 1));
  return fmax(most, largest_number(d->efc_force, (size_t)d->nefc, 1));
}

static double allowed_error(const Comparison* c, int i, double scale) {
  double allowed = TOLERANCE * scale + 4 * c->spread[i];
  if (i >= 4 && i < 10) allowed += 4 * 2.2e-16 * largest_force(c->m, c->theirs) / (double)EPS;
  return allowed;
}

static void judge_matrix(Comparison* c, Question q, int i, bool* measured) {
  Score* score = scores + 2 * i + q.centred;
  size_t n = c->want.count[i];
  if (!n) return;
  double scale = largest_number(c->want.matrix[i], n, 1);
  double error = largest_difference(c->got.matrix[i], c->want.matrix[i], n);
  score->asked++;
  if (error > TOLERANCE * scale) {
    if (!*measured) measure_spread(c, q);
    *measured = true;
    bool excused = error <= allowed_error(c, i, scale);
    *(excused ? &score->rounded : &score->wrong) += 1;
    if (!excused) {
      printf("%s: %s%s differs by %.1e of %.1e, rounding moves the reference by %.1e\n", current,
             q.centred ? "centred " : "", matrix_names[i], error, scale, c->spread[i]);
    }
    if (excused) return;
  }
  if (error / scale > score->worst) {
    score->worst = error / scale;
    snprintf(score->model, sizeof(score->model), "%s", current);
  }
}

static bool was_reset(const mjData* d) {
  return d->warning[mjWARN_BADQPOS].number || d->warning[mjWARN_BADQVEL].number ||
         d->warning[mjWARN_BADQACC].number;
}

static void compare_state(Comparison* c, int state) {
  for (int k = 0; k < 2; k++) {
    Question q = {k == 1, state == 1};
    bool measured = false;
    c->reference->mj_setState(c->m, c->theirs, c->state, mjSTATE_INTEGRATION);
    c->corten->mj_setState(c->m, c->ours, c->state, mjSTATE_INTEGRATION);
    ask_reference(c->reference, c->m, c->theirs, q, &c->want);
    ask_engine(c->corten, c->m, c->ours, q, &c->got);
    if (was_reset(c->theirs)) return;
    for (int i = 0; i < NMATRIX; i++) judge_matrix(c, q, i, &measured);
  }
}

static void make_state(Comparison* c, int number) {
  const Engine* e = c->reference;
  Random random = random_seeded(current, number);
  e->mj_resetData(c->m, c->theirs);
  if (number == 1) {
    randomise_state(e, c->m, c->theirs, &random);
  } else {
    if (c->m->nkey) e->mj_resetDataKeyframe(c->m, c->theirs, 0);
    for (int i = 0; i < SETTLING_STEPS; i++) {
      randomise_controls(c->m, c->theirs, &random);
      e->mj_step(c->m, c->theirs);
    }
  }
  e->mj_getState(c->m, c->theirs, c->state, mjSTATE_INTEGRATION);
}

// Never inlined: an error jumps out of it, and would spoil variables that its caller then has in
// registers.
__attribute__((noinline)) static void compare_model(Comparison* c) {
  mjModel* m = c->m;
  if (m->opt.integrator == mjINT_RK4) m->opt.integrator = mjINT_EULER;
  c->theirs = c->reference->mj_makeData(m);
  c->ours = c->corten->mj_makeData(m);
  size_t n = (size_t)c->reference->mj_stateSize(m, mjSTATE_INTEGRATION);
  c->state = (mjtNum*)calloc(n + 1, sizeof(mjtNum));
  c->want = make_matrices(m);
  c->got = make_matrices(m);
  c->moved = make_matrices(m);
  for (int state = 0; state < STATES; state++) {
    make_state(c, state);
    compare_state(c, state);
  }
  free_matrices(&c->want);
  free_matrices(&c->got);
  free_matrices(&c->moved);
  free(c->state);
}

// How a model fared. Delays are refused by both; large models would take too long.
enum { COMPARED, REFUSED, STOPPED, MISSING, DELAYED, LARGE };

static int judge_model(const ModelReport* model, void* engines) {
  const Engine *reference = (const Engine*)engines, *corten = reference + 1;
  char error[1000];
  mjModel* m = NULL;
  current = model->name;
  ENGINE_TRY(m = reference->mj_loadXML(model->path, NULL, error, sizeof(error)), m = NULL);
  if (!m) return REFUSED;
  if (m->nhistory > 0) return DELAYED;
  if (m->nv > MOST_DOFS) return LARGE;
  m->opt.enableflags &= ~mjENBL_SLEEP;
  static Comparison c;
  c.reference = reference;
  c.corten = corten;
  c.m = m;
  ENGINE_TRY(compare_model(&c), {
    if (engine_lacks_function() || m->nflex > 0) return MISSING;
    printf("%s: %s\n", current, engine_trap.message);
    return STOPPED;
  });
  return COMPARED;
}

static int print_scores(void) {
  int wrong = 0;
  for (int i = 0; i < 2 * NMATRIX; i++) {
    const Score* s = scores + i;
    if (!s->asked) continue;
    printf(
        "%-4s %-9s asked %5ld times, %ld within rounding of the reference, wrong %ld, worst "
        "%8.1e (%s)\n",
        matrix_names[i / 2], i % 2 ? "centred" : "one-sided", s->asked, s->rounded, s->wrong,
        s->worst, s->model);
    wrong |= s->wrong > 0;
  }
  return wrong;
}

int main(int argc, char** argv) {
  if (argc < 4) {
    fprintf(stderr, "usage: conform_derivatives REFERENCE_LIB CORTEN_LIB FOLDER [FILTER]\n");
    return 2;
  }
  Engine engines[2] = {engine_open(argv[1], "reference"), engine_open(argv[2], "corten")};
  scores = (Score*)shared_memory(2 * NMATRIX * sizeof(Score));
  Fates fates = ask_one_by_one(argv[3], argc > 4 ? argv[4] : NULL, SECONDS, judge_model, engines);
  int wrong = print_scores();
  printf(
      "%d models: %d compared, %d refused by the reference, %d need what corten lacks, %d with "
      "delays, %d with more than %d dofs, %d stopped, %d crashed or out of time\n",
      fates.models, fates.count[COMPARED], fates.count[REFUSED], fates.count[MISSING],
      fates.count[DELAYED], fates.count[LARGE], MOST_DOFS, fates.count[STOPPED], fates.lost);
  return wrong || fates.lost > 0 || fates.count[STOPPED] > 0 || fates.count[COMPARED] == 0;
}
