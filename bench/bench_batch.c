// bench_batch: many environments of one model, corten's batches beside the reference on the same
// threads.
//
//   usage: bench_batch REFERENCE_LIB CORTEN_LIB CORPUS FOLDER [--seconds S] [--model TEXT]
//   [--environments N] [--threads T] [--substeps K]
//
// Contenders, in turn, from the same states, for the same steps:
//   reference data   threads that share an mjData per environment, a barrier after every step
//   reference rows   threads with one mjData each that load and store states, as rollouts do
//   corten 1 ... T   ct_batch_step with that many threads
// Wall time is what counts on an idle machine; the time computed by all threads tells on a busy one
// what an idle one would do. Into the folder goes batch.csv.

#include <corten/batch.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "conformance/states.h"
#include "conformance/two_libraries.h"
#include "load.h"

typedef struct {
  const char *name, *file;
} BenchModel;

static const BenchModel models[] = {
    {"humanoid", "mujoco/model/humanoid/humanoid.xml"},
    {"ant", "gymnasium/ant.xml"},
    {"half cheetah", "gymnasium/half_cheetah.xml"},
    {"shadow hand", "menagerie/shadow_hand/scene_right.xml"},
};

// Functions of a batch, looked up in corten's library.
// clang-format off
#define BATCH_FUNCTIONS(X_)                                                    \
  X_(ct_default_batch_options) X_(ct_batch_create) X_(ct_batch_destroy)        \
  X_(ct_batch_step) X_(ct_batch_set_state) X_(ct_batch_get_state)              \
  X_(ct_batch_failed) X_(ct_batch_error) X_(ct_batch_counts)
// clang-format on

typedef struct {
#define MEMBER_(name_) __typeof__(&name_) name_;
  BATCH_FUNCTIONS(MEMBER_)
#undef MEMBER_
} BatchFunctions;

typedef struct {
  Engine reference;
  BatchFunctions batch;
  const char* corpus;
  double budget;
  int threads, substeps;
  FILE* csv;
} Bench;

// The reference with threads

typedef struct {
  const Engine* e;
  const mjModel* m;
  int n, threads, steps, substeps;
  mjData** data;  // one per environment, or one per thread
  mjtNum* rows;   // NULL: one per environment
  size_t nstate;
  pthread_barrier_t barrier;
} Crowd;

typedef struct {
  Crowd* crowd;
  int rank;
} Walker;

static void step_some(const Crowd* c, int rank) {
  int from = (int)((long)c->n * rank / c->threads),
      to = (int)((long)c->n * (rank + 1) / c->threads);
  for (int i = from; i < to; i++) {
    mjData* d = c->data[c->rows ? rank : i];
    mjtNum* row = c->rows ? c->rows + (size_t)i * c->nstate : NULL;
    if (row) c->e->mj_setState(c->m, d, row, mjSTATE_INTEGRATION);
    for (int k = 0; k < c->substeps; k++) c->e->mj_step(c->m, d);
    if (row) c->e->mj_getState(c->m, d, row, mjSTATE_INTEGRATION);
  }
}

static void* walk(void* argument) {
  const Walker* w = (const Walker*)argument;
  for (int t = 0; t < w->crowd->steps; t++) {
    step_some(w->crowd, w->rank);
    pthread_barrier_wait(&w->crowd->barrier);
  }
  return NULL;
}

enum { MOST_THREADS = 64 };

// Making threads costs tens of microseconds, a round takes many milliseconds.
static void step_crowd(Crowd* c) {
  pthread_t thread[MOST_THREADS];
  Walker walker[MOST_THREADS];
  pthread_barrier_init(&c->barrier, NULL, (unsigned)c->threads);
  for (int i = 0; i < c->threads; i++) {
    walker[i].crowd = c;
    walker[i].rank = i;
    if (i) pthread_create(thread + i, NULL, walk, walker + i);
  }
  walk(walker);
  for (int i = 1; i < c->threads; i++) pthread_join(thread[i], NULL);
  pthread_barrier_destroy(&c->barrier);
}

// States

// Some environments settle under random controls; the others are copies with other controls and a
// few more steps.
static mjtNum* make_states(const Bench* bench, const mjModel* m, int n) {
  enum { SETTLED = 48, SETTLING = 200, MORE = 5 };
  const Engine* e = &bench->reference;
  size_t nstate = (size_t)e->mj_stateSize(m, mjSTATE_INTEGRATION);
  mjtNum* states = (mjtNum*)malloc((size_t)n * nstate * sizeof(mjtNum));
  mjData* d = e->mj_makeData(m);
  Random random = random_seeded("batch", n);
  for (int i = 0; i < n; i++) {
    mjtNum* row = states + (size_t)i * nstate;
    if (i < SETTLED) {
      e->mj_resetData(m, d);
      if (m->nkey) e->mj_resetDataKeyframe(m, d, 0);
    } else {
      e->mj_setState(m, d, states + (size_t)(i % SETTLED) * nstate, mjSTATE_INTEGRATION);
    }
    for (int t = 0; t < (i < SETTLED ? SETTLING : MORE); t++) {
      if (t % 10 == 0) randomise_controls(m, d, &random);
      e->mj_step(m, d);
    }
    e->mj_getState(m, d, row, mjSTATE_INTEGRATION);
  }
  e->mj_deleteData(d);
  return states;
}

// Rounds

enum { MOST_CONTENDERS = 16, LEAST = 5 };

// Steps of all environments in a round, so that it takes long enough and not too long.
static int steps_of(int n) {
  int steps = 4096 / n;
  return steps < 1 ? 1 : steps > 200 ? 200 : steps;
}

typedef struct {
  char name[32];
  int threads, steps;
  Crowd* crowd;     // of the reference
  ct_Batch* batch;  // or of corten
  Rounds rounds;    // wall in `reference`, computed in `corten`: two samples per round
} Contender;

static void put_states(const Bench* bench, Contender* c, const mjtNum* states, size_t nstate,
                       int n) {
  if (c->batch) {
    bench->batch.ct_batch_set_state(c->batch, mjSTATE_INTEGRATION, NULL, states);
  } else if (c->crowd->rows) {
    memcpy(c->crowd->rows, states, (size_t)n * nstate * sizeof(mjtNum));
  } else {
    for (int i = 0; i < n; i++) {
      bench->reference.mj_setState(c->crowd->m, c->crowd->data[i], states + (size_t)i * nstate,
                                   mjSTATE_INTEGRATION);
    }
  }
}

static void run_contender(const Bench* bench, Contender* c) {
  if (c->crowd) {
    step_crowd(c->crowd);
    return;
  }
  for (int t = 0; t < c->steps; t++) {
    if (bench->batch.ct_batch_step(c->batch, NULL, bench->substeps)) {
      fprintf(stderr, "%s\n", bench->batch.ct_batch_error(c->batch));
      exit(1);
    }
  }
}

// Seconds per step of one environment.
static void time_contender(const Bench* bench, Contender* c, const mjtNum* states, size_t nstate,
                           int n) {
  put_states(bench, c, states, nstate, n);
  double steps = (double)n * c->steps * bench->substeps;
  double wall = wall_seconds(), computed = process_seconds();
  run_contender(bench, c);
  wall = wall_seconds() - wall;
  computed = process_seconds() - computed;
  add_round(&c->rounds, wall / steps, computed / steps);
}

// Ratio of two contenders' samples, round by round.
static Spread ratio_of(const Contender* above, const Contender* below, bool computed) {
  static double samples[MAX_ROUNDS];
  int count =
      above->rounds.rounds < below->rounds.rounds ? above->rounds.rounds : below->rounds.rounds;
  for (int i = 0; i < count; i++) {
    samples[i] = computed ? above->rounds.corten[i] / below->rounds.corten[i]
                          : above->rounds.reference[i] / below->rounds.reference[i];
  }
  return spread_of(samples, count);
}

// One model

static Crowd* make_crowd(const Bench* bench, const mjModel* m, int n, bool rows) {
  Crowd* c = (Crowd*)calloc(1, sizeof(Crowd));
  c->e = &bench->reference;
  c->m = m;
  c->n = n;
  c->threads = bench->threads;
  c->steps = steps_of(n);
  c->substeps = bench->substeps;
  c->nstate = (size_t)c->e->mj_stateSize(m, mjSTATE_INTEGRATION);
  int count = rows ? c->threads : n;
  c->data = (mjData**)calloc((size_t)count, sizeof(mjData*));
  for (int i = 0; i < count; i++) c->data[i] = c->e->mj_makeData(m);
  if (rows) c->rows = (mjtNum*)calloc((size_t)n * c->nstate, sizeof(mjtNum));
  return c;
}

static void free_crowd(Crowd* c) {
  if (!c) return;
  int count = c->rows ? c->threads : c->n;
  for (int i = 0; i < count; i++) c->e->mj_deleteData(c->data[i]);
  free(c->data);
  free(c->rows);
  free(c);
}

static ct_Batch* make_batch(const Bench* bench, const mjModel* m, int n, int threads) {
  char error[500];
  ct_BatchOptions options = bench->batch.ct_default_batch_options();
  options.threads = threads;
  ct_Batch* b = bench->batch.ct_batch_create(m, n, &options, error, sizeof(error));
  if (b) return b;
  fprintf(stderr, "no batch: %s\n", error);
  exit(1);
}

enum { MOST_DATA = 4096 };  // environments with an mjData each: more do not fit into memory

static int make_contenders(const Bench* bench, const mjModel* m, int n, Contender* c) {
  memset(c, 0, MOST_CONTENDERS * sizeof(Contender));
  int count = 0;
  for (int rows = n > MOST_DATA; rows < 2; rows++) {
    snprintf(c[count].name, sizeof(c->name), "reference %s", rows ? "rows" : "data");
    c[count].threads = bench->threads;
    c[count++].crowd = make_crowd(bench, m, n, rows != 0);
  }
  for (int threads = 1; threads <= bench->threads && count < MOST_CONTENDERS; threads *= 2) {
    snprintf(c[count].name, sizeof(c->name), "corten");
    c[count].threads = threads;
    c[count++].batch = make_batch(bench, m, n, threads);
  }
  for (int k = 0; k < count; k++) c[k].steps = steps_of(n);
  return count;
}

static void print_contenders(const Bench* bench, const char* model, int n, Contender* c,
                             int count) {
  const Contender* most = c + count - 1;
  for (int k = 0; k < count; k++) {
    Comparison own = compare_rounds(&c[k].rounds);
    Spread over = ratio_of(c + k, most, false), work = ratio_of(c + k, most, true);
    printf(
        "%-13s %6d %-15s %2d threads | steps/s %9.0f | us computed %7.2f | time over the last's "
        "%.2f "
        "(%.2f .. %.2f), work %.2f\n",
        model, n, c[k].name, c[k].threads, 1 / own.reference, 1e6 * own.corten, over.median,
        over.low, over.high, work.median);
    fprintf(bench->csv, "%s,%d,%s,%d,%d,%.6g,%.6g,%.4f,%.4f,%.4f,%.4f,%d\n", model, n, c[k].name,
            c[k].threads, bench->substeps, own.reference, own.corten, over.median, over.low,
            over.high, work.median, c[k].rounds.rounds);
  }
  fflush(NULL);
}

static void bench_environments(const Bench* bench, const BenchModel* b, const mjModel* m, int n) {
  static Contender c[MOST_CONTENDERS];
  size_t nstate = (size_t)bench->reference.mj_stateSize(m, mjSTATE_INTEGRATION);
  mjtNum* states = make_states(bench, m, n);
  int count = make_contenders(bench, m, n, c);
  for (int k = 0; k < count; k++) {  // to warm up
    time_contender(bench, c + k, states, nstate, n);
    c[k].rounds.rounds = 0;
  }
  double end = wall_seconds() + bench->budget;
  for (int round = 0; round < LEAST || wall_seconds() < end; round++) {
    if (c[0].rounds.rounds == MAX_ROUNDS) break;
    for (int k = 0; k < count; k++) {
      int who = round % 2 ? count - 1 - k : k;
      time_contender(bench, c + who, states, nstate, n);
    }
  }
  print_contenders(bench, b->name, n, c, count);
  for (int k = 0; k < count; k++) {
    free_crowd(c[k].crowd);
    if (c[k].batch) bench->batch.ct_batch_destroy(c[k].batch);
  }
  free(states);
}

static void bench_model(const Bench* bench, const BenchModel* b, int environments) {
  char path[4096], error[500];
  LoadTime time;
  snprintf(path, sizeof(path), "%s/%s", bench->corpus, b->file);
  mjModel* m = load_timed(&bench->reference, path, NULL, error, sizeof(error), &time);
  if (!m) {
    printf("%-13s is not there: %s\n", b->name, error);
    return;
  }
  for (int n = environments ? environments : 1; n <= 65536; n *= 4) {
    if (n > 16384 && b != models && !environments) break;  // the first is enough
    bench_environments(bench, b, m, n);
    if (environments) break;
  }
  bench->reference.mj_deleteModel(m);
}

// Command line

static int number_or(const char* text, int otherwise) {
  return text ? atoi(text) : otherwise;
}

int main(int argc, char** argv) {
  Bench bench;
  memset(&bench, 0, sizeof(bench));
  const char* seconds = take_option(&argc, argv, "--seconds", true);
  const char* only = take_option(&argc, argv, "--model", true);
  int environments = number_or(take_option(&argc, argv, "--environments", true), 0);
  bench.threads =
      number_or(take_option(&argc, argv, "--threads", true), (int)sysconf(_SC_NPROCESSORS_ONLN));
  bench.substeps = number_or(take_option(&argc, argv, "--substeps", true), 1);
  if (argc != 5 || bench.threads < 1 || bench.threads > MOST_THREADS || bench.substeps < 1) {
    fprintf(stderr,
            "usage: bench_batch REFERENCE_LIB CORTEN_LIB CORPUS FOLDER_FOR_CSV\n"
            "  --seconds S       for each number of environments (2)\n"
            "  --model TEXT      only models with this in their names\n"
            "  --environments N  this many instead of 1 to 65536\n"
            "  --threads T       at most (as many as there are cores)\n"
            "  --substeps K      steps per call (1)\n");
    return 2;
  }
  bench.reference = engine_open(argv[1], "reference");
  Engine corten = engine_open(argv[2], "corten");
#define LOOK_UP_(name_) bench.batch.name_ = LIBRARY_FUNCTION(corten.handle, name_);
  BATCH_FUNCTIONS(LOOK_UP_)
#undef LOOK_UP_
  bench.corpus = argv[3];
  bench.budget = seconds ? atof(seconds) : 2;
  char path[4096];
  snprintf(path, sizeof(path), "%s/batch.csv", argv[4]);
  bench.csv = fopen(path, "w");
  if (!bench.csv) {
    perror(path);
    return 2;
  }
  fprintf(bench.csv,
          "model,environments,contender,threads,substeps,wall_s,computed_s,over_last,low,high,"
          "work_over_last,rounds\n");
  for (size_t i = 0; i < sizeof(models) / sizeof(models[0]); i++) {
    if (!only || strstr(models[i].name, only)) bench_model(&bench, models + i, environments);
  }
  fclose(bench.csv);
  return 0;
}
