// Millions of steps over many models, with memory watched: what a program that runs for days would
// meet. Not a test of numbers, and no part of the tests but for a short run.
//
// Round after round every model is loaded, stepped with random controls and pushes, and deleted. A
// round gives each model the same number of steps, or what it makes of them in its time, and rounds
// go on until the number asked for is reached. Looked for are errors, numbers that are not finite,
// memory that a step takes from the heap, and memory that is not given back at the end of a round.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#ifdef __GLIBC__
#include <malloc.h>
#endif

#include <mujoco/mujoco.h>

#include "conformance/crew.h"
#include "conformance/states.h"

static const char usage[] =
    "usage: soak FOLDER ... [options]\n"
    "  --steps N      steps in all (1000000)\n"
    "  --visit N      steps of one model in one round (2000)\n"
    "  --seconds S    processor time of one model in one round (1)\n"
    "  --model TEXT   only models whose path contains TEXT\n"
    "exit status: 0 if there were no errors, all numbers were finite and memory did not grow\n";

typedef struct {
  const char* filter;
  long steps, visit;
  double seconds;
} Options;

typedef struct {
  long steps, errors, resets, not_finite;
  long in_steps;        // bytes that steps took from the heap
  int models, refused;  // of the last round
} Count;

static Count count;

static void note_error(const char* message) {
  if (count.errors++ < 20) fprintf(stderr, "error: %s\n", message);
}

static void ignore_warning(const char* message) {
  (void)message;
}

// Memory

#ifdef CT_ASAN
size_t __sanitizer_get_current_allocated_bytes(void);
#endif

// Bytes that the program has taken from the heap; 0 where nobody counts them.
static long heap_in_use(void) {
#ifdef CT_ASAN
  return (long)__sanitizer_get_current_allocated_bytes();
#elif defined(__GLIBC__) && (__GLIBC__ > 2 || __GLIBC_MINOR__ >= 33)
  struct mallinfo2 info = mallinfo2();
  return (long)(info.uordblks + info.hblkhd);
#else
  return 0;
#endif
}

// Megabytes in memory at most so far.
static double peak_resident(void) {
  struct rusage usage_so_far;
  getrusage(RUSAGE_SELF, &usage_so_far);
  return (double)usage_so_far.ru_maxrss / 1024;
}

static double clock_seconds(clockid_t clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// One model

static bool all_finite(const mjModel* m, const mjData* d) {
  double sum = 0;
  for (int i = 0; i < m->nq; i++) sum += fabs((double)d->qpos[i]);
  for (int i = 0; i < m->nv; i++) sum += fabs((double)d->qvel[i]) + fabs((double)d->qacc[i]);
  return isfinite(sum);
}

// A new force on every body, of about its weight.
static void push(const mjModel* m, mjData* d, Random* r) {
  for (int b = 1; b < m->nbody; b++) {
    for (int k = 0; k < 3; k++) {
      d->xfrc_applied[6 * b + k] = (mjtNum)(random_uniform(r, -5, 5) * (double)m->body_mass[b]);
    }
  }
}

static int bad_numbers(const mjData* d) {
  return d->warning[mjWARN_BADQPOS].number + d->warning[mjWARN_BADQVEL].number +
         d->warning[mjWARN_BADQACC].number;
}

static void step_model(const mjModel* m, mjData* d, const Options* o, long steps, Random* r) {
  double until = clock_seconds(CLOCK_PROCESS_CPUTIME_ID) + o->seconds;
  long before = heap_in_use();
  for (long i = 0; i < steps; i++) {
    if (i % 50 == 0) {
      if (clock_seconds(CLOCK_PROCESS_CPUTIME_ID) > until) break;
      randomise_controls(m, d, r);
      push(m, d, r);
      count.not_finite += !all_finite(m, d);
    }
    mj_step(m, d);
    count.steps++;
    // a reset clears its warnings, but not the one that it answers
    if (!bad_numbers(d)) continue;
    count.resets++;
    mj_resetData(m, d);
  }
  count.not_finite += !all_finite(m, d);
  count.in_steps += heap_in_use() - before;
}

static void visit_model(const char* path, const Options* o, long steps, int round) {
  char error[1000] = "";
  Random r = random_seeded(path, round);
  mjModel* m = mj_loadXML(path, NULL, error, sizeof(error));
  mjData* d = m ? mj_makeData(m) : NULL;
  if (d) {
    step_model(m, d, o, steps, &r);
  } else {
    count.refused++;
  }
  count.models += d != NULL;
  mj_deleteData(d);
  mj_deleteModel(m);
  mj_freeLastXML();  // kept for mj_saveLastXML until the next model is loaded
}

// All of them

static void tell_progress(const Options* o, int round, const char* model, double start) {
  static double told;
  double now = clock_seconds(CLOCK_MONOTONIC);
  if (now - told < 5) return;
  told = now;
  fprintf(stderr,
          "%9ld of %ld steps, round %d, %4.0f s, heap %.1f MB, peak %.0f MB, %ld errors: %s\n",
          count.steps, o->steps, round, now - start, (double)heap_in_use() / 1e6, peak_resident(),
          count.errors, model);
}

// Rounds until all steps are made; returns how much the heap has grown after the first.
static long soak(const ModelReport* models, int n, const Options* o, int* rounds) {
  double start = clock_seconds(CLOCK_MONOTONIC);
  long first = 0, last = 0;
  for (*rounds = 0; count.steps < o->steps;) {
    long before = count.steps;
    ++*rounds;
    count.models = count.refused = 0;
    for (int i = 0; i < n && count.steps < o->steps; i++) {
      long left = o->steps - count.steps;
      visit_model(models[i].path, o, left < o->visit ? left : o->visit, *rounds);
      tell_progress(o, *rounds, models[i].name, start);
    }
    last = heap_in_use();
    if (*rounds == 1) first = last;
    if (count.steps == before) break;
  }
  printf("%ld steps of %d models (%d are none by themselves or refused) in %d rounds and %.0f s\n",
         count.steps, count.models, count.refused, *rounds, clock_seconds(CLOCK_MONOTONIC) - start);
  return last - first;
}

static bool read_options(int argc, char** argv, Options* o, ModelReport** models, int* n) {
  int folders = 0, unread = 0;
  for (int i = 1; i < argc; i++) {
    const char* value = i + 1 < argc ? argv[i + 1] : NULL;
    if (argv[i][0] != '-') continue;
    if (!value) return false;
    if (!strcmp(argv[i], "--steps")) {
      o->steps = atol(value);
    } else if (!strcmp(argv[i], "--visit")) {
      o->visit = atol(value);
    } else if (!strcmp(argv[i], "--seconds")) {
      o->seconds = atof(value);
    } else if (!strcmp(argv[i], "--model")) {
      o->filter = value;
    } else {
      return false;
    }
    i++;
  }
  for (int i = 1; i < argc; i++) {
    if (argv[i][0] == '-') {
      i++;
      continue;
    }
    folders++;
    unread += find_models(argv[i], o->filter, models, n);
  }
  return folders && !unread && o->steps > 0 && o->visit > 0 && o->seconds > 0;
}

// The C library counts what it keeps for the next allocation as in use, unless it keeps nothing;
// which is decided before main.
static void count_the_heap_exactly(char** argv) {
#if defined(__GLIBC__) && !defined(CT_ASAN)
  static const char setting[] = "glibc.malloc.tcache_count=0:glibc.malloc.mxfast=0";
  const char* now = getenv("GLIBC_TUNABLES");
  if (now && strstr(now, setting)) return;
  setenv("GLIBC_TUNABLES", setting, 1);
  execv("/proc/self/exe", argv);  // where that fails, growth may look larger than it is
#else
  (void)argv;
#endif
}

// What a round leaves behind may be a buffer of the C library, but nothing that a model has.
enum { MOST_GROWTH = 65536 };

int main(int argc, char** argv) {
  Options o = {NULL, 1000000, 2000, 1};
  ModelReport* models = NULL;
  int n = 0, rounds;
  if (!read_options(argc, argv, &o, &models, &n)) {
    fputs(usage, stderr);
    return 2;
  }
  count_the_heap_exactly(argv);
  mju_user_error = note_error;
  mju_user_warning = ignore_warning;
  long growth = soak(models, n, &o, &rounds);
  bool fine = count.models && !count.errors && !count.not_finite && count.in_steps <= 0 &&
              growth <= MOST_GROWTH;
  printf(
      "%ld errors, %ld states that are not finite, %ld resets after bad numbers, %ld bytes taken "
      "by steps, heap grown by %ld bytes after the first round, %.0f MB at most: %s\n",
      count.errors, count.not_finite, count.resets, count.in_steps, growth, peak_resident(),
      fine ? "passed" : "FAILED");
  free_reports(models, n);
  return fine ? 0 : 1;
}
