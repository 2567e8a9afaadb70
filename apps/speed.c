// corten speed: steps per second of a batch of environments that move under random controls.

#include <corten/batch.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "command.h"

typedef struct {
  const char* path;  // NULL: the built-in model
  int environments, threads, substeps, warm_up;
  bool gpu, csv;
  int precision;
  double seconds;
} SpeedOptions;

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// Time that all threads of the program have computed: other programs on the machine do not count.
static double computed(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// Controls of all environments, new ones every ten calls.
static int move_on(ct_Batch* b, int call, int substeps) {
  int code = 0;
  if (call % 10 == 0) code = ct_batch_noise(b, "ctrl", NULL, CT_NOISE_UNIFORM, CT_NOISE_SET, -1, 1);
  return code ? code : ct_batch_step(b, NULL, substeps);
}

typedef struct {
  int64_t before, window;  // steps of every environment before the clock, and on it
  int64_t steps;           // of all on the clock
  double wall, work;
} Speed;

// Steps cost more when robots lie on the ground, so that speeds are those of a window: it begins
// after o->warm_up steps and takes o->seconds. Waiting for a GPU is part of it.
static int measure(ct_Batch* b, const SpeedOptions* o, Speed* speed) {
  int code = 0, call = 0, first = (o->warm_up + o->substeps - 1) / o->substeps;
  for (; !code && call < first; call++) code = move_on(b, call, o->substeps);
  if (!code) code = ct_batch_wait(b);
  double wall = now(), work = computed();
  for (; !code && (call == first || now() - wall < o->seconds); call++) {
    code = move_on(b, call, o->substeps);
    if (!code && call % 16 == 15) code = ct_batch_wait(b);
  }
  if (!code) code = ct_batch_wait(b);
  speed->wall = now() - wall;
  speed->work = computed() - work;
  speed->before = (int64_t)first * o->substeps;
  speed->window = (int64_t)(call - first) * o->substeps;
  speed->steps = speed->window * o->environments;
  return code;
}

// What was asked for, and what this build makes of it.
static const char* precision_name(int precision) {
  static const char* const names[] = {"strict", "fast", "float"};
#ifdef CT_FAST
  if (precision == CT_PRECISION_STRICT) precision = CT_PRECISION_FAST;
#endif
  if (sizeof(mjtNum) == sizeof(double)) return names[precision];
  return precision == CT_PRECISION_STRICT ? "strict float" : "fast float";
}

static void print_csv(const ct_Batch* b, const SpeedOptions* o, const Speed* s, size_t memory) {
  const ct_BatchOptions* made = ct_batch_options(b);
  bool gpu = ct_batch_backend(b) == CT_BACKEND_GPU;
  printf(
      "backend,environments,threads,precision,substeps,steps,wall_s,steps_per_s,bytes,"
      "steps_before,steps_timed\n");
  printf("%s,%d,%d,%s,%d,%lld,%.6g,%.6g,%zu,%lld,%lld\n", gpu ? "gpu" : "cpu", o->environments,
         gpu ? 0 : made->threads, precision_name(made->precision), o->substeps, (long long)s->steps,
         s->wall, (double)s->steps / s->wall, memory, (long long)s->before, (long long)s->window);
}

static void print_speed(ct_Batch* b, const SpeedOptions* o, const Speed* s, size_t memory) {
  const ct_BatchOptions* made = ct_batch_options(b);
  const mjModel* m = ct_batch_model(b);
  ct_BatchCounts counts;
  double rate = (double)s->steps / s->wall;
  if (ct_batch_backend(b) == CT_BACKEND_GPU) {
    printf("%d environments on GPU %d, %s\n", o->environments, made->device,
           precision_name(made->precision));
  } else {
    printf("%d environments on %d thread%s\n", o->environments, made->threads,
           made->threads == 1 ? "" : "s");
  }
  printf("  %.0f steps per second, %.0f times real time\n", rate, rate * (double)m->opt.timestep);
  printf("  steps %lld to %lld of each environment were timed\n", (long long)s->before + 1,
         (long long)(s->before + s->window));
  if (ct_batch_backend(b) == CT_BACKEND_CPU) {
    printf("  %.3f us of one core per step; %.2f cores at work\n", 1e6 * s->work / (double)s->steps,
           s->work / s->wall);
  }
  printf("  %.1f kB per environment, %.1f MB in all\n", (double)memory / o->environments / 1024,
         (double)memory / 1048576);
  if (ct_batch_counts(b, &counts)) return;
  printf("  at most %d contacts and %d rows, %.1f kB of arena of %.1f kB\n", counts.most_contacts,
         counts.most_rows, (double)counts.arena_used / 1024, (double)counts.arena / 1024);
  for (int i = 0; i < CT_NSTATUS; i++) {
    if (!counts.raised[i]) continue;
    printf("  %lld times %s\n", (long long)counts.raised[i], ct_status_name(1 << i));
  }
  if (counts.resets) printf("  %lld environments were reset\n", (long long)counts.resets);
  if (counts.arena_needed) {
    printf("  an arena of %lld bytes would have been enough\n", (long long)counts.arena_needed);
  }
}

typedef struct {
  const char* name;
  int* whole;  // where the number goes, if it has to be whole
  double* real;
  double low, high;
} NumberOption;

// A number behind an option; false after a message.
static bool take_number(int argc, char** argv, int* i, const NumberOption* o) {
  char* end = NULL;
  double x = 0;
  if (++*i < argc) x = strtod(argv[*i], &end);
  bool good = end && end != argv[*i] && !*end && x >= o->low && x <= o->high;
  if (good && o->whole) good = x == floor(x);
  if (good && o->whole) *o->whole = (int)x;
  if (good && o->real) *o->real = x;
  if (!good) {
    misused("speed: %s needs a %snumber from %g to %g", o->name, o->whole ? "whole " : "", o->low,
            o->high);
  }
  return good;
}

static int parse(int argc, char** argv, SpeedOptions* o) {
  const NumberOption numbers[] = {
      {"--batch", &o->environments, NULL, 1, 1e7}, {"--threads", &o->threads, NULL, 1, mjMAXTHREAD},
      {"--substeps", &o->substeps, NULL, 1, 1e6},  {"--warm-up", &o->warm_up, NULL, 0, 1e6},
      {"--seconds", NULL, &o->seconds, 0.01, 1e4},
  };
  for (int i = 1; i < argc; i++) {
    const NumberOption* number = NULL;
    for (size_t k = 0; k < sizeof(numbers) / sizeof(numbers[0]); k++) {
      if (!strcmp(argv[i], numbers[k].name)) number = numbers + k;
    }
    if (number) {
      if (!take_number(argc, argv, &i, number)) return EXIT_USAGE;
    } else if (!strcmp(argv[i], "--gpu")) {
      o->gpu = true;
    } else if (!strcmp(argv[i], "--csv")) {
      o->csv = true;
    } else if (!strcmp(argv[i], "--fast")) {
      o->precision = CT_PRECISION_FAST;
    } else if (!strcmp(argv[i], "--float")) {
      o->precision = CT_PRECISION_FLOAT;
    } else if (argv[i][0] == '-' && argv[i][1]) {
      return misused("speed: unknown option %s", argv[i]);
    } else if (o->path) {
      return misused("speed: one model at a time, got %s and %s", o->path, argv[i]);
    } else {
      o->path = argv[i];
    }
  }
  return EXIT_FINE;
}

int command_speed(int argc, char** argv) {
  SpeedOptions o = {NULL, 1024, 0, 1, 300, false, false, CT_PRECISION_STRICT, 2};
  int code = parse(argc, argv, &o);
  if (code != EXIT_FINE) return code;
  mjModel* m = o.path ? load_model(o.path) : load_builtin_model();
  if (!m) return EXIT_FAILED;
  ct_BatchOptions options = ct_default_batch_options();
  options.backend = o.gpu ? CT_BACKEND_GPU : CT_BACKEND_CPU;
  options.threads = o.threads;
  options.precision = o.precision;
  char error[500];
  ct_Batch* b = ct_batch_create(m, o.environments, &options, error, sizeof(error));
  Speed speed;
  if (!b) {
    code = failed("%s", error);
  } else if (measure(b, &o, &speed)) {
    code = failed("%s", ct_batch_error(b));
  } else {
    size_t memory = ct_batch_memory(m, o.environments, ct_batch_options(b), error, sizeof(error));
    if (o.csv) {
      print_csv(b, &o, &speed, memory);
    } else {
      print_speed(b, &o, &speed, memory);
    }
  }
  ct_batch_destroy(b);
  mj_deleteModel(m);
  return code;
}
