// corten run: steps a model for some time and says what became of it: energy, momentum, speed, and
// where the time went.

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "command.h"

// Time that this thread has computed: other programs on the machine do not count.
static double seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// For timers, which are read many times per step: this clock costs a tenth of the other.
static mjtNum microseconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (mjtNum)(1e6 * (double)t.tv_sec + 1e-3 * (double)t.tv_nsec);
}

// Energy and momentum of the state as it is.
static void print_state(const mjModel* m, mjData* d) {
  mj_forward(m, d);
  mj_subtreeVel(m, d);
  const mjtNum *velocity = d->subtree_linvel, *angular = d->subtree_angmom;
  double mass = (double)mj_getTotalmass(m);
  printf("  %9.3f %12.5g %12.5g %12.5g   %9.3g %9.3g %9.3g   %9.3g %9.3g %9.3g\n", (double)d->time,
         (double)d->energy[0], (double)d->energy[1], (double)(d->energy[0] + d->energy[1]),
         mass * (double)velocity[0], mass * (double)velocity[1], mass * (double)velocity[2],
         (double)angular[0], (double)angular[1], (double)angular[2]);
}

static bool went_bad(const mjData* d) {
  return d->warning[mjWARN_BADQPOS].number || d->warning[mjWARN_BADQVEL].number ||
         d->warning[mjWARN_BADQACC].number;
}

// Steps in ten parts, with a line after each. Returns the time it took to step, without the lines.
static double step_and_print(const mjModel* m, mjData* d, int steps) {
  double spent = 0;
  printf("  %9s %12s %12s %12s   %29s   %29s\n", "time", "potential", "kinetic", "energy",
         "momentum", "angular momentum");
  print_state(m, d);
  for (int part = 0; part < 10; part++) {
    int count = (int)((long)steps * (part + 1) / 10 - (long)steps * part / 10);
    double start = seconds();
    for (int i = 0; i < count; i++) mj_step(m, d);
    spent += seconds() - start;
    if (count) print_state(m, d);
  }
  return spent;
}

typedef struct {
  const char* name;
  int timer;
} Stage;

static const Stage stages[] = {
    {"poses, tendons, transmissions", mjTIMER_POS_KINEMATICS},
    {"mass matrix and factor", mjTIMER_POS_INERTIA},
    {"contacts", mjTIMER_POS_COLLISION},
    {"constraint rows and islands", mjTIMER_POS_MAKE},
    {"projection of rows", mjTIMER_POS_PROJECT},
    {"velocities, passive, bias", mjTIMER_VELOCITY},
    {"actuation", mjTIMER_ACTUATION},
    {"solver", mjTIMER_CONSTRAINT},
    {"integration", mjTIMER_ADVANCE},
};

static void print_part(const char* name, double part, double whole, int steps) {
  printf("  %-30s %9.3f us %6.1f %%\n", name, part / steps, whole > 0 ? 100 * part / whole : 0);
}

// More steps from where the motion ended, ten times with a clock; the fastest counts, because other
// programs on the machine disturb the others.
static void print_stages(const mjModel* m, mjData* d, int steps) {
  mjTimerStat best[mjNTIMER];
  memset(best, 0, sizeof(best));
  mjData* start = mj_copyData(NULL, m, d);
  mjcb_time = microseconds;
  for (int round = 0; round < 10; round++) {
    mj_copyData(d, m, start);
    memset(d->timer, 0, sizeof(d->timer));
    for (int i = 0; i < steps; i++) mj_step(m, d);
    bool faster = d->timer[mjTIMER_STEP].duration < best[mjTIMER_STEP].duration;
    if (round == 0 || faster) memcpy(best, d->timer, sizeof(best));
  }
  mjcb_time = NULL;
  mj_deleteData(start);
  printf("\ntime of a step\n");
  double whole = (double)best[mjTIMER_STEP].duration, rest = whole;
  for (size_t i = 0; i < sizeof(stages) / sizeof(stages[0]); i++) {
    double part = (double)best[stages[i].timer].duration;
    print_part(stages[i].name, part, whole, steps);
    rest -= part;
  }
  print_part("what has no timer", rest, whole, steps);
  print_part("everything", whole, whole, steps);
}

static const char* plural(int count) {
  return count == 1 ? "" : "s";
}

int run_and_print(mjModel* m, double time) {
  if (!(m->opt.timestep > 0)) {
    return failed("the timestep is %g; give the model a positive one", (double)m->opt.timestep);
  }
  int steps = (int)fmin(1e9, ceil(time / (double)m->opt.timestep - 1e-9));
  mjData* d = mj_makeData(m);
  if (!d) return failed("there is no memory for an mjData of this model");
  m->opt.enableflags |= mjENBL_ENERGY;
  double spent = step_and_print(m, d, steps);
  bool bad = went_bad(d);
  printf("\n%d steps in %.3f s: %.0f steps per second, %.0f times real time\n", steps, spent,
         steps / spent, steps * (double)m->opt.timestep / spent);
  if (d->nefc) {
    printf("in the end %d contact%s and %d constraint row%s in %d island%s\n", d->ncon,
           plural(d->ncon), d->nefc, plural(d->nefc), d->nisland, plural(d->nisland));
  }
  print_stages(m, d, steps < 100 ? steps : 100);
  mj_deleteData(d);
  return bad ? failed("the motion diverged and was reset; take a smaller timestep") : EXIT_FINE;
}

typedef struct {
  const char* path;  // NULL: the built-in model
  double time;
  bool smooth;
} RunOptions;

// EXIT_FINE, or what misused returned.
static int parse(int argc, char** argv, RunOptions* o) {
  for (int i = 1; i < argc; i++) {
    if (!strcmp(argv[i], "--smooth")) {
      o->smooth = true;
    } else if (!strcmp(argv[i], "--time")) {
      char* end;
      if (++i == argc) return misused("run: --time needs a number of seconds");
      o->time = strtod(argv[i], &end);
      if (*end || !(o->time > 0))
        return misused("run: --time needs a positive number, got %s", argv[i]);
    } else if (argv[i][0] == '-' && argv[i][1]) {
      return misused("run: unknown option %s", argv[i]);
    } else if (o->path) {
      return misused("run: one model at a time, got %s and %s", o->path, argv[i]);
    } else {
      o->path = argv[i];
    }
  }
  return EXIT_FINE;
}

// What this version cannot run is an error before anything is printed.
static void refuse_early(const mjModel* m) {
  mjData* d = mj_makeData(m);
  if (d) mj_forward(m, d);
  mj_deleteData(d);
}

int command_run(int argc, char** argv) {
  RunOptions o = {NULL, 1, false};
  int code = parse(argc, argv, &o);
  if (code != EXIT_FINE) return code;
  mjModel* m = o.path ? load_model(o.path) : load_builtin_model();
  if (!m) return EXIT_FAILED;
  if (o.smooth) m->opt.disableflags |= mjDSBL_CONSTRAINT;
  refuse_early(m);
  print_summary(m);
  printf("%s\n", o.smooth ? "  without constraints\n" : "");
  code = run_and_print(m, o.time);
  mj_deleteModel(m);
  return code;
}
