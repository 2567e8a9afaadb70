// bench_step: whole steps of corten and the reference side by side.
//
// Both engines live in one process and take turns on the same states. A round sets both to the
// state the reference has reached, lets each take one untimed step (caches warm alike), sets them
// back, and times ten steps of each, one engine after the other; who goes first alternates. The
// ratio of a model is the median over rounds, its spread the middle half. Absolute times mean
// little on a shared machine; ratios hold.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "conformance/engine.h"
#include "conformance/states.h"
#include "conformance/two_libraries.h"

// ------------------------------------------------------------------ models

typedef struct {
  const char* name;
  const char* file;                  // below the corpus, or NULL
  void (*write)(FILE* f, int size);  // writes the model, for generated ones
  int size;
} BenchModel;

static void write_chain(FILE* f, int links) {
  fprintf(f, "<mujoco><worldbody>");
  for (int i = 0; i < links; i++) {
    fprintf(f,
            "<body pos='0 0 %s'><joint axis='%s' damping='.1'/>"
            "<geom type='capsule' size='.02' fromto='0 0 0 0 0 -.1' contype='0' conaffinity='0'/>",
            i ? "-.1" : "1", i % 2 ? "1 0 0" : "0 1 0");
  }
  for (int i = 0; i < links; i++) fprintf(f, "</body>");
  fprintf(f, "</worldbody></mujoco>");
}

static void write_boxes(FILE* f, int count) {
  int side = (int)ceil(cbrt(count));
  fprintf(f, "<mujoco><size memory='200M'/><worldbody><geom type='plane' size='5 5 .1'/>");
  for (int i = 0; i < count; i++) {
    fprintf(f, "<body pos='%g %g %g'><freejoint/><geom type='box' size='.05 .05 .05'/></body>",
            .11 * (i % side), .11 * (i / side % side), .06 + .105 * (i / side / side));
  }
  fprintf(f, "</worldbody></mujoco>");
}

static const BenchModel models[] = {
    {"humanoid", "mujoco/model/humanoid/humanoid.xml", NULL, 0},
    {"ant", "gymnasium/ant.xml", NULL, 0},
    {"half cheetah", "gymnasium/half_cheetah.xml", NULL, 0},
    {"cassie", "menagerie/agility_cassie/scene.xml", NULL, 0},
    {"shadow hand", "menagerie/shadow_hand/scene_right.xml", NULL, 0},
    {"anymal c", "menagerie/anybotics_anymal_c/scene.xml", NULL, 0},
    {"h1", "menagerie/unitree_h1/scene.xml", NULL, 0},
    {"arm26", "mujoco/model/tendon_arm/arm26.xml", NULL, 0},
    {"car", "mujoco/model/car/car.xml", NULL, 0},
    {"22 humanoids", "mujoco/model/humanoid/22_humanoids.xml", NULL, 0},
    {"box pile", NULL, write_boxes, 64},
    {"long chain", NULL, write_chain, 100},
};

// Path of the model's file; generated ones are written into a temporary file first.
static void model_path(const BenchModel* b, const char* corpus, char* path, size_t room) {
  if (b->file) {
    snprintf(path, room, "%s/%s", corpus, b->file);
    return;
  }
  snprintf(path, room, "/tmp/corten-bench-%d.xml", (int)getpid());
  FILE* f = fopen(path, "w");
  if (!f) return;
  b->write(f, b->size);
  fclose(f);
}

// ------------------------------------------------------------------ timing

static double seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// Time that this thread has computed: other programs on the machine do not count.
static double busy_seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static mjtNum timer_milliseconds(void) {
  return (mjtNum)(1e3 * seconds());
}

static int by_value(const void* a, const void* b) {
  double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

// Sorts and returns a quantile.
static double quantile(double* x, int n, double q) {
  qsort(x, (size_t)n, sizeof(double), by_value);
  return x[(int)(q * (n - 1) + 0.5)];
}

enum { STEPS = 10, MAX_ROUNDS = 400 };

typedef struct {
  const Engine* e;
  mjData* d;
} Runner;

// Times STEPS steps from a state; the first, untimed step warms the caches.
static double time_steps(const Runner* r, const mjModel* m, const mjtNum* state) {
  r->e->mj_setState(m, r->d, state, mjSTATE_INTEGRATION);
  r->e->mj_step(m, r->d);
  r->e->mj_setState(m, r->d, state, mjSTATE_INTEGRATION);
  double start = busy_seconds();
  for (int i = 0; i < STEPS; i++) r->e->mj_step(m, r->d);
  return (busy_seconds() - start) / STEPS;
}

typedef struct {
  double reference, ours;   // seconds per step, medians
  double ratio, low, high;  // reference / ours: median, quartiles
  int rounds, ncon, nefc, iterations;
} Result;

static void measure(const Runner* ref, const Runner* own, const mjModel* m, double budget,
                    Result* out) {
  static double ratios[MAX_ROUNDS], a[MAX_ROUNDS], b[MAX_ROUNDS];
  mjtNum* state =
      (mjtNum*)malloc(sizeof(mjtNum) * (size_t)ref->e->mj_stateSize(m, mjSTATE_INTEGRATION));
  Random random = random_seeded("bench", 0);
  for (int i = 0; i < 200; i++) {  // let it settle
    if (i % 10 == 0) randomise_controls(m, ref->d, &random);
    ref->e->mj_step(m, ref->d);
  }
  double until = seconds() + budget;
  int n = 0;
  while (n < MAX_ROUNDS && (n < 5 || seconds() < until)) {
    randomise_controls(m, ref->d, &random);
    ref->e->mj_getState(m, ref->d, state, mjSTATE_INTEGRATION);
    if (n % 2) {
      b[n] = time_steps(own, m, state);
      a[n] = time_steps(ref, m, state);
    } else {
      a[n] = time_steps(ref, m, state);
      b[n] = time_steps(own, m, state);
    }
    ratios[n] = a[n] / b[n];
    n++;
  }
  free(state);
  out->rounds = n;
  out->ratio = quantile(ratios, n, 0.5);
  out->low = quantile(ratios, n, 0.25);
  out->high = quantile(ratios, n, 0.75);
  out->reference = quantile(a, n, 0.5);
  out->ours = quantile(b, n, 0.5);
  out->ncon = ref->d->ncon;
  out->nefc = ref->d->nefc;
  out->iterations = ref->d->solver_niter[0];
}

// Where a step's time goes: each engine's own timers over some steps, in percent.
static void print_stages(const Runner* ref, const Runner* own, const mjModel* m) {
  static const struct {
    const char* name;
    int timer;
  } stages[] = {{"kinematics", mjTIMER_POS_KINEMATICS}, {"inertia", mjTIMER_POS_INERTIA},
                {"collision", mjTIMER_POS_COLLISION},   {"rows", mjTIMER_POS_MAKE},
                {"velocity", mjTIMER_VELOCITY},         {"actuation", mjTIMER_ACTUATION},
                {"solver", mjTIMER_CONSTRAINT},         {"advance", mjTIMER_ADVANCE}};
  const Runner* both[2] = {ref, own};
  for (int k = 0; k < 2; k++) {
    mjfTime* clock = (mjfTime*)library_variable(both[k]->e->handle, "mjcb_time");
    if (!clock) continue;
    *clock = timer_milliseconds;
    memset(both[k]->d->timer, 0, sizeof(both[k]->d->timer));
    for (int i = 0; i < 100; i++) both[k]->e->mj_step(m, both[k]->d);
    *clock = NULL;
    double total = (double)both[k]->d->timer[mjTIMER_STEP].duration;
    printf("    %-10s", both[k]->e->label);
    for (size_t s = 0; s < sizeof(stages) / sizeof(stages[0]); s++) {
      printf(" %s %.0f%%", stages[s].name,
             total > 0 ? 100 * (double)both[k]->d->timer[stages[s].timer].duration / total : 0);
    }
    printf("\n");
  }
}

// ------------------------------------------------------------------ one model

typedef struct {
  Engine reference, ours;
  const char* corpus;
  double budget;
  FILE* csv;
  int disable;     // bits of mjtDisableBit that are set in every model
  int integrator;  // of all models; -1: their own
} Bench;

static bool try_measure(Bench* bench, const mjModel* m, Runner* ref, Runner* own, Result* r) {
  bool volatile fine = true;
  ENGINE_TRY(
      {
        ref->d = bench->reference.mj_makeData(m);
        own->d = bench->ours.mj_makeData(m);
        measure(ref, own, m, bench->budget, r);
      },
      fine = false);
  return fine;
}

static mjModel* try_load(const Engine* e, const char* path, double* time) {
  char error[500] = "";
  mjModel* volatile m = NULL;
  double start = seconds();
  ENGINE_TRY(m = e->mj_loadXML(path, NULL, error, sizeof(error)), m = NULL);
  *time = seconds() - start;
  return m;
}

// Load and compile, and memory of one data, side by side.
static void print_load_and_memory(const Bench* bench, const char* path, const mjModel* m,
                                  const Runner* ref, const Runner* own) {
  double a[3], b[3];
  int n = 0;
  for (; n < 3; n++) {
    mjModel* x = try_load(&bench->reference, path, a + n);
    mjModel* y = try_load(&bench->ours, path, b + n);
    if (x) bench->reference.mj_deleteModel(x);
    if (!y) break;
    bench->ours.mj_deleteModel(y);
  }
  printf("    load and compile: reference %.1f ms", 1e3 * quantile(a, n < 3 ? n + 1 : 3, 0.5));
  if (n == 3) {
    printf(", corten %.1f ms, ratio %.2f", 1e3 * quantile(b, 3, 0.5),
           quantile(a, 3, 0.5) / quantile(b, 3, 0.5));
  } else {
    printf(", corten missing");
  }
  printf("; memory of a data: reference %.0f kB",
         (double)(sizeof(mjData) + (size_t)m->narena + (size_t)ref->d->nbuffer) / 1024);
  if (own->d)
    printf(", corten %.0f kB",
           (double)(sizeof(mjData) + (size_t)m->narena + (size_t)own->d->nbuffer) / 1024);
  printf("\n");
}

// Prints one line and more; adds the logarithm of the ratio to *sum. False if there was nothing to
// measure.
static bool bench_model(Bench* bench, const BenchModel* b, bool details, double* sum) {
  char path[4096];
  double time;
  model_path(b, bench->corpus, path, sizeof(path));
  mjModel* m = try_load(&bench->reference, path, &time);
  if (!m) {
    printf("%-14s no such model in the corpus\n", b->name);
    return false;
  }
  m->opt.disableflags |= bench->disable;
  if (bench->integrator >= 0) m->opt.integrator = bench->integrator;
  Runner ref = {&bench->reference, NULL}, own = {&bench->ours, NULL};
  Result r;
  bool fine = try_measure(bench, m, &ref, &own, &r);
  if (fine) {
    printf(
        "%-14s nv %4d  con %3d  rows %4d  iter %2d | steps/s reference %9.0f corten %9.0f | ratio "
        "%.3f "
        "(%.3f .. %.3f, %d rounds)\n",
        b->name, (int)m->nv, r.ncon, r.nefc, r.iterations, 1 / r.reference, 1 / r.ours, r.ratio,
        r.low, r.high, r.rounds);
    fprintf(bench->csv, "%s,%d,%d,%d,%d,%d,%.9g,%.9g,%.5f,%.5f,%.5f,%d\n", b->name, b->size,
            (int)m->nv, r.ncon, r.nefc, r.iterations, r.reference, r.ours, r.ratio, r.low, r.high,
            r.rounds);
    *sum += log(r.ratio);
    if (details) print_stages(&ref, &own, m);
  } else {
    printf("%-14s nv %4d  corten: %s\n", b->name, (int)m->nv, engine_trap.message);
  }
  if (details && ref.d) print_load_and_memory(bench, path, m, &ref, &own);
  fflush(stdout);
  if (ref.d) bench->reference.mj_deleteData(ref.d);
  if (own.d) bench->ours.mj_deleteData(own.d);
  bench->reference.mj_deleteModel(m);
  if (!b->file) unlink(path);
  return fine;
}

static void bench_growth(Bench* bench, const char* name, void (*write)(FILE*, int),
                         const int* sizes, int n) {
  printf("\ngrowth: %s\n", name);
  for (int i = 0; i < n; i++) {
    char label[32];
    double sum = 0;
    snprintf(label, sizeof(label), "%s %d", name, sizes[i]);
    BenchModel b = {label, NULL, write, sizes[i]};
    bench_model(bench, &b, false, &sum);
  }
}

// What integrators cost: R8.6, R13.6.
static void bench_integrators(Bench* bench) {
  static const char* const names[] = {"Euler", "RK4", "implicit", "implicitfast"};
  const BenchModel subjects[] = {{"humanoid", "mujoco/model/humanoid/humanoid.xml", NULL, 0},
                                 {"chain", NULL, write_chain, 10}};
  printf("\nintegrators\n");
  for (int i = 0; i < 8; i++) {
    char label[32];
    double sum = 0;
    BenchModel b = subjects[i / 4];
    snprintf(label, sizeof(label), "%s", names[i % 4]);
    b.name = label;
    bench->integrator = i % 4;
    bench_model(bench, &b, false, &sum);
  }
  bench->integrator = -1;
}

// Takes an option out of the command line; true if it was there.
static bool take_option(int* argc, char** argv, const char* option) {
  for (int i = 1; i < *argc; i++) {
    if (strcmp(argv[i], option) != 0) continue;
    memmove(argv + i, argv + i + 1, (size_t)(*argc - i) * sizeof(char*));
    --*argc;
    return true;
  }
  return false;
}

int main(int argc, char** argv) {
  bool smooth = take_option(&argc, argv, "--smooth");
  if (argc < 4) {
    fprintf(stderr,
            "usage: bench_step REFERENCE_LIB CORTEN_LIB CORPUS [SECONDS_PER_MODEL [CSV [MODEL]]] "
            "[--smooth]\n  --smooth: without constraints and sensors\n");
    return 2;
  }
  Bench bench;
  bench.reference = engine_open(argv[1], "reference");
  bench.ours = engine_open(argv[2], "corten");
  bench.corpus = argv[3];
  bench.integrator = -1;
  bench.disable = smooth ? mjDSBL_CONSTRAINT | mjDSBL_SENSOR : 0;
  bench.budget = argc > 4 ? atof(argv[4]) : 5;
  bench.csv = argc > 5 ? fopen(argv[5], "w") : tmpfile();
  const char* only = argc > 6 ? argv[6] : NULL;
  if (!bench.csv) {
    fprintf(stderr, "cannot write %s\n", argc > 5 ? argv[5] : "a temporary file");
    return 2;
  }
  fprintf(bench.csv,
          "model,size,nv,contacts,rows,iterations,reference_s,corten_s,ratio,low,high,rounds\n");

  double sum = 0;
  int measured = 0;
  for (size_t i = 0; i < sizeof(models) / sizeof(models[0]); i++) {
    if (only && !strstr(models[i].name, only)) continue;
    measured += bench_model(&bench, models + i, true, &sum);
  }
  if (measured) printf("geometric mean of %d ratios: %.3f\n", measured, exp(sum / measured));

  static const int links[] = {1, 4, 10, 40, 100, 200, 400}, boxes[] = {1, 10, 30, 100, 300, 1000};
  if (!only) {
    bench.budget /= 5;
    bench_growth(&bench, "chain", write_chain, links, 7);
    bench_growth(&bench, "boxes", write_boxes, boxes, 6);
    bench_integrators(&bench);
  }
  fclose(bench.csv);
  return 0;
}
