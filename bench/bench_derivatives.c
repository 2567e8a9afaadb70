// bench_derivatives: mjd_transitionFD of corten and the reference side by side, on one thread.
//
//   usage: bench_derivatives REFERENCE_LIB CORTEN_LIB CORPUS [--seconds S]
//
// Each model is stepped until it touches the ground, then both engines are asked for A and B at
// that state, in turn, for S seconds (1): one-sided and centred, and corten also for mj_forward and
// analytic ones from it, beside the reference's centred differences; and for the product of weights
// with A and B behind a forward pass, beside a step of the reference. What analytic ones cost goes
// by the contacts, so that the humanoid is timed at several states, standing, falling and lying.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <corten/derivative.h>

#include "conformance/engine.h"
#include "conformance/two_libraries.h"
#include "generate.h"
#include "measure.h"

typedef struct {
  const char* name;
  const char* file;    // below the corpus, or NULL
  Generator generate;  // for those without file
  int size, steps;
} DerivativeModel;

static const DerivativeModel models[] = {
    {"humanoid", "mujoco/model/humanoid/humanoid.xml", NULL, 0, 400},
    {"ant", "gymnasium/ant.xml", NULL, 0, 200},
    {"half cheetah", "gymnasium/half_cheetah.xml", NULL, 0, 200},
    {"iiwa 14", "menagerie/kuka_iiwa_14/iiwa14.xml", NULL, 0, 50},
    {"anymal c", "menagerie/anybotics_anymal_c/scene.xml", NULL, 0, 300},
    {"h1", "menagerie/unitree_h1/scene.xml", NULL, 0, 300},
    {"arm26", "mujoco/model/tendon_arm/arm26.xml", NULL, 0, 50},
    {"chain 10", NULL, generate_chain, 10, 50},
    {"chain 20", NULL, generate_chain, 20, 50},
    {"chain 40", NULL, generate_chain, 40, 50},
    {"chain 100", NULL, generate_chain, 100, 50},
    {"chain 200", NULL, generate_chain, 200, 50},
};

enum { ONE_SIDED, CENTRED, ANALYTIC, ADJOINT, STEP, NKIND = STEP, REPEATS = 20 };
static const char* const kind_names[NKIND] = {"one-sided", "centred", "analytic", "adjoint"};

typedef struct {
  Engine reference, corten;
  const char* corpus;
  double budget, sum[NKIND];
  int measured[NKIND];
} Bench;

static mjModel* load(const Bench* b, const DerivativeModel* x) {
  char error[500], path[4096];
  if (x->file) {
    snprintf(path, sizeof(path), "%s/%s", b->corpus, x->file);
    return b->reference.mj_loadXML(path, NULL, error, sizeof(error));
  }
  Generated g;
  LoadTime time;
  x->generate(&g, x->size);
  mjModel* m = generated_load(&b->reference, &g, error, sizeof(error), &time);
  generated_free(&g);
  return m;
}

static double time_of(const Engine* e, const mjModel* m, mjData* d, mjtNum* A, mjtNum* B,
                      int kind) {
  ct_DerivativeOptions options = {CT_DERIVATIVE_ANALYTIC, (mjtNum)1e-6, 1, 0, 0};
  ct_DerivativeMatrices out = {A, B, NULL, NULL};
  ct_DerivativeReport report;
  double start = thread_seconds();
  if (kind == ANALYTIC) {  // many, because one is over before the caches have seen it
    __typeof__(&ct_derivative) derive = LIBRARY_FUNCTION(e->handle, ct_derivative);
    options.evaluated = 1;
    for (int i = 0; i < REPEATS; i++) {
      e->mj_forward(m, d);
      derive(m, d, &options, &out, &report);
    }
    return (thread_seconds() - start) / REPEATS;
  } else if (kind == ADJOINT) {  // behind a forward pass; weights are the first row of A
    __typeof__(&ct_derivative_product) multiply =
        LIBRARY_FUNCTION(e->handle, ct_derivative_product);
    ct_DerivativeProduct product = {.by_y = A, .by_x = A + 2 * m->nv + m->na, .by_u = B};
    options.evaluated = 1;
    for (int i = 0; i < REPEATS; i++) multiply(m, d, &options, &product, &report);
    return (thread_seconds() - start) / REPEATS;
  } else if (kind == STEP) {
    mjtNum time = d->time;
    for (int i = 0; i < REPEATS; i++) e->mj_step(m, d);
    d->time = time;
    return (thread_seconds() - start) / REPEATS;
  } else {
    LIBRARY_FUNCTION(e->handle, mjd_transitionFD)
    (m, d, (mjtNum)1e-6, kind == CENTRED, A, B, NULL, NULL);
  }
  return thread_seconds() - start;
}

static bool has_analytic(const Engine* e, const mjModel* m, mjData* d, mjtNum* A, mjtNum* B) {
  ct_DerivativeOptions options = {CT_DERIVATIVE_ANALYTIC, (mjtNum)1e-6, 1, 0, 0};
  ct_DerivativeMatrices out = {A, B, NULL, NULL};
  ct_DerivativeReport report;
  return LIBRARY_FUNCTION(e->handle, ct_derivative)(m, d, &options, &out, &report) == 0;
}

// The ratio, or 0 if the model has no such derivative.
static double measure(Bench* b, const DerivativeModel* x, mjModel* m, int kind) {
  static Rounds rounds;
  mjData *theirs = b->reference.mj_makeData(m), *ours = b->corten.mj_makeData(m);
  size_t n = (size_t)(2 * m->nv + m->na);
  mjtNum* A = (mjtNum*)malloc((n * n + 1) * sizeof(mjtNum));
  mjtNum* B = (mjtNum*)malloc((n * (size_t)m->nu + 1) * sizeof(mjtNum));
  size_t nstate = (size_t)b->reference.mj_stateSize(m, mjSTATE_INTEGRATION);
  mjtNum* state = (mjtNum*)malloc((nstate + 1) * sizeof(mjtNum));
  for (int i = 0; i < x->steps; i++) b->reference.mj_step(m, theirs);
  b->reference.mj_getState(m, theirs, state, mjSTATE_INTEGRATION);
  b->corten.mj_setState(m, ours, state, mjSTATE_INTEGRATION);
  b->reference.mj_forward(m, theirs);
  int contacts = theirs->ncon, rows = theirs->nefc;
  int theirs_kind = kind == ONE_SIDED ? ONE_SIDED : kind == ADJOINT ? STEP : CENTRED;
  bool possible = kind < ANALYTIC || has_analytic(&b->corten, m, ours, A, B);
  b->corten.mj_forward(m, ours);  // behind which products come
  rounds.rounds = 0;
  double end = wall_seconds() + b->budget;
  while (possible && (rounds.rounds < 5 || (wall_seconds() < end && rounds.rounds < MAX_ROUNDS))) {
    double first = 0, second;
    bool reference_first = reference_goes_first(rounds.rounds);
    if (reference_first) first = time_of(&b->reference, m, theirs, A, B, theirs_kind);
    second = time_of(&b->corten, m, ours, A, B, kind);
    if (!reference_first) first = time_of(&b->reference, m, theirs, A, B, theirs_kind);
    add_round(&rounds, first, second);
  }
  double ratio = 0;
  if (possible) {
    Comparison c = compare_rounds(&rounds);
    ratio = c.ratio.median;
    printf("%-14s %-9s nv %4d con %3d rows %4d | us %9.1f %9.1f | %.2f (%.2f .. %.2f)\n", x->name,
           kind_names[kind], (int)m->nv, contacts, rows, 1e6 * c.reference, 1e6 * c.corten, ratio,
           c.ratio.low, c.ratio.high);
  }
  free(A);
  free(B);
  free(state);
  b->reference.mj_deleteData(theirs);
  b->corten.mj_deleteData(ours);
  return ratio;
}

static void measure_model(Bench* b, const DerivativeModel* x, mjModel* m) {
  for (int kind = 0; kind < NKIND; kind++) {
    double ratio = measure(b, x, m, kind);
    if (ratio == 0) continue;
    b->sum[kind] += log(ratio);
    b->measured[kind]++;
  }
}

// The first model, with more and fewer contacts.
static void measure_states(Bench* b, mjModel* m) {
  static const int steps[] = {100, 200, 300, 400, 500, 1000, 2000};
  double sum = 0, lowest = INFINITY;
  int count = 0;
  for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
    char name[32];
    snprintf(name, sizeof(name), "after %d", steps[i]);
    const DerivativeModel state = {name, models[0].file, NULL, 0, steps[i]};
    double ratio = measure(b, &state, m, ANALYTIC);
    if (ratio == 0) continue;
    sum += log(ratio);
    lowest = fmin(lowest, ratio);
    count++;
  }
  if (!count) return;
  printf("%s, analytic at %d states: geometric mean %.2f, lowest %.2f\n", models[0].name, count,
         exp(sum / count), lowest);
}

int main(int argc, char** argv) {
  Bench b;
  memset(&b, 0, sizeof(b));
  if (argc < 4) {
    fprintf(stderr, "usage: bench_derivatives REFERENCE_LIB CORTEN_LIB CORPUS [--seconds S]\n");
    return 2;
  }
  pin_to_one_cpu();
  b.reference = engine_open(argv[1], "reference");
  b.corten = engine_open(argv[2], "corten");
  b.corpus = argv[3];
  b.budget = argc > 5 && !strcmp(argv[4], "--seconds") ? atof(argv[5]) : 1;
  for (size_t i = 0; i < sizeof(models) / sizeof(models[0]); i++) {
    mjModel* m = load(&b, models + i);
    if (!m) {
      printf("%-14s cannot be loaded: is the corpus there?\n", models[i].name);
      continue;
    }
    if (m->opt.integrator == mjINT_RK4) m->opt.integrator = mjINT_EULER;
    ENGINE_TRY(
        {
          measure_model(&b, models + i, m);
          if (i == 0) measure_states(&b, m);
        },
        printf("%-14s refused: %s\n", models[i].name, engine_trap.message));
    b.reference.mj_deleteModel(m);
  }
  for (int kind = 0; kind < NKIND; kind++) {
    if (!b.measured[kind]) continue;
    printf("%s: %d ratios, geometric mean %.2f\n", kind_names[kind], b.measured[kind],
           exp(b.sum[kind] / b.measured[kind]));
  }
  return b.measured[ONE_SIDED] ? 0 : 1;
}
