// corten run: steps a model for some time and says what became of it: energy, momentum, speed, and
// where the time went. What happens on the way can be kept in files (recording.h), and controls
// come from outside (controls.h).

#include <math.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#include "command.h"
#include "controls.h"
#include "recording.h"

// What a run does beside stepping.
typedef struct {
  int steps;
  Controls controls;
  Recording* recording;  // NULL: nothing is kept
  int every;             // steps between samples
  bool quiet;            // no table: the answer is JSON
} Plan;

// A run that is interrupted says how far it came.
static volatile sig_atomic_t interrupted;

static void interrupt(int signal_number) {
  (void)signal_number;
  interrupted = 1;
}

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

// Steps with controls and samples from step `first` on; returns how many were made.
static int step_part(const mjModel* m, mjData* d, Plan* plan, int first, int count, int* code) {
  int done = 0;
  for (; done < count && !interrupted && *code == EXIT_FINE; done++) {
    controls_apply(&plan->controls, m, d, first + done);
    mj_step(m, d);
    if (plan->recording && (first + done + 1) % plan->every == 0) {
      *code = recording_add(plan->recording, d);
    }
  }
  return done;
}

// Steps in ten parts, with a line after each. Returns the steps that were made; *spent is the time
// they took, without the lines.
static int step_and_print(const mjModel* m, mjData* d, Plan* plan, double* spent, int* code) {
  int done = 0;
  if (!plan->quiet) {
    printf("  %9s %12s %12s %12s   %29s   %29s\n", "time", "potential", "kinetic", "energy",
           "momentum", "angular momentum");
    print_state(m, d);
  }
  if (plan->recording) *code = recording_add(plan->recording, d);
  for (int part = 0; part < 10 && !interrupted; part++) {
    int end = (int)((long)plan->steps * (part + 1) / 10), count = end - done;
    double start = seconds();
    done += step_part(m, d, plan, done, count, code);
    *spent += seconds() - start;
    if (count && !plan->quiet) print_state(m, d);
    fflush(stdout);
  }
  return done;
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

static int count_warnings(const mjData* d) {
  int count = 0;
  for (int i = 0; i < mjNWARNING; i++) count += d->warning[i].number;
  return count;
}

static void print_json(const mjModel* m, mjData* d, int steps, double spent) {
  mj_forward(m, d);
  printf(
      "{\"steps\": %d, \"time\": %.9g, \"timestep\": %.9g, \"seconds\": %.6g, "
      "\"steps_per_second\": %.6g, \"interrupted\": %s,\n \"energy\": [%.9g, %.9g], "
      "\"contacts\": %d, \"constraint_rows\": %d, \"islands\": %d, \"warnings\": %d}\n",
      steps, (double)d->time, (double)m->opt.timestep, spent, spent > 0 ? steps / spent : 0.0,
      interrupted ? "true" : "false", (double)d->energy[0], (double)d->energy[1], d->ncon, d->nefc,
      d->nisland, count_warnings(d));
}

static void print_end(const mjModel* m, mjData* d, int steps, double spent) {
  if (interrupted) printf("\ninterrupted at %.3f s", (double)d->time);
  printf("\n%d steps in %.3f s: %.0f steps per second, %.0f times real time\n", steps, spent,
         steps / spent, steps * (double)m->opt.timestep / spent);
  if (d->nefc) {
    printf("in the end %d contact%s and %d constraint row%s in %d island%s\n", d->ncon,
           plural(d->ncon), d->nefc, plural(d->nefc), d->nisland, plural(d->nisland));
  }
  if (!interrupted) print_stages(m, d, steps < 100 ? steps : 100);
}

// From the state in d, which must have been made.
static int run_plan(mjModel* m, mjData* d, Plan* plan) {
  double spent = 0;
  int code = EXIT_FINE;
  m->opt.enableflags |= mjENBL_ENERGY;
  int steps = step_and_print(m, d, plan, &spent, &code);
  bool bad = went_bad(d);
  if (plan->quiet) {
    print_json(m, d, steps, spent);
  } else {
    print_end(m, d, steps, spent);
  }
  if (code != EXIT_FINE) return code;
  return bad ? failed("the motion diverged and was reset; take a smaller timestep") : EXIT_FINE;
}

static int steps_of(const mjModel* m, double time) {
  return (int)fmin(1e9, ceil(time / (double)m->opt.timestep - 1e-9));
}

static int refuse_timestep(const mjModel* m) {
  return failed("the timestep is %g; give the model a positive one", (double)m->opt.timestep);
}

int run_and_print(mjModel* m, double time) {
  Plan plan;
  memset(&plan, 0, sizeof(plan));
  if (!(m->opt.timestep > 0)) return refuse_timestep(m);
  mjData* d = mj_makeData(m);
  if (!d) return failed("there is no memory for an mjData of this model");
  plan.steps = steps_of(m, time);
  int code = run_plan(m, d, &plan);
  mj_deleteData(d);
  return code;
}

// The command line

typedef struct {
  const char* path;  // NULL: the built-in model
  double time, steps, every, seed, timestep;
  bool smooth, json;
  const char *csv, *npz, *key, *ctrl, *integrator, *solver;
} RunOptions;

// Options with a value: a number, or a text.
typedef struct {
  const char *name, *unit;
  double* number;  // NULL: a text
  const char** text;
} RunOption;

static int take(RunOptions* o, const char* name, const char* value, bool* taken) {
  const RunOption options[] = {
      {"--time", "of seconds", &o->time, NULL},
      {"--steps", "of steps", &o->steps, NULL},
      {"--every", "of steps", &o->every, NULL},
      {"--seed", "", &o->seed, NULL},
      {"--timestep", "of seconds", &o->timestep, NULL},
      {"--csv", "file", NULL, &o->csv},
      {"--npz", "file", NULL, &o->npz},
      {"--key", "keyframe", NULL, &o->key},
      {"--ctrl", "control", NULL, &o->ctrl},
      {"--integrator", "name", NULL, &o->integrator},
      {"--solver", "name", NULL, &o->solver},
  };
  for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); i++) {
    const RunOption* option = options + i;
    if (strcmp(name, option->name) != 0) continue;
    *taken = true;
    if (!option->number) {
      if (!value) return misused("run: %s needs a %s", name, option->unit);
      *option->text = value;
      return EXIT_FINE;
    }
    char* end;
    if (!value) return misused("run: %s needs a number %s", name, option->unit);
    *option->number = strtod(value, &end);
    if (end == value || *end || !(*option->number > 0)) {
      return misused("run: %s needs a positive number, got %s", name, value);
    }
    return EXIT_FINE;
  }
  return EXIT_FINE;
}

// EXIT_FINE, or what misused returned.
static int parse(int argc, char** argv, RunOptions* o) {
  for (int i = 1; i < argc; i++) {
    bool taken = false;
    int code = take(o, argv[i], i + 1 < argc ? argv[i + 1] : NULL, &taken);
    if (code != EXIT_FINE) return code;
    if (taken) {
      i++;
    } else if (!strcmp(argv[i], "--smooth")) {
      o->smooth = true;
    } else if (!strcmp(argv[i], "--json")) {
      o->json = true;
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

// A choice by name, whatever its case; -1 after a message.
static int choose(const char* option, const char* const* names, int count, const char* text) {
  for (int i = 0; i < count; i++) {
    if (!strcasecmp(names[i], text)) return i;
  }
  misused("run: %s does not know %s", option, text);
  return -1;
}

// What the command line says instead of the model.
static int override(mjModel* m, const RunOptions* o) {
  static const char* const integrators[] = {"Euler", "RK4", "implicit", "implicitfast"};
  static const char* const solvers[] = {"PGS", "CG", "Newton"};
  if (o->smooth) m->opt.disableflags |= mjDSBL_CONSTRAINT;
  if (o->timestep > 0) m->opt.timestep = (mjtNum)o->timestep;
  if (o->integrator) m->opt.integrator = choose("--integrator", integrators, 4, o->integrator);
  if (o->solver) m->opt.solver = choose("--solver", solvers, 3, o->solver);
  if (m->opt.integrator < 0 || m->opt.solver < 0) return EXIT_USAGE;
  return m->opt.timestep > 0 ? EXIT_FINE : refuse_timestep(m);
}

static int set_key(const mjModel* m, mjData* d, const char* name) {
  char* end;
  int key = mj_name2id(m, mjOBJ_KEY, name);
  long number = strtol(name, &end, 10);
  if (key < 0 && *name && !*end && number >= 0 && number < m->nkey) key = (int)number;
  if (key < 0) return failed("the model has no keyframe %s, there are %d", name, (int)m->nkey);
  mj_resetDataKeyframe(m, d, key);
  return EXIT_FINE;
}

// What this version cannot run is an error before anything is printed.
static void refuse_early(const mjModel* m) {
  mjData* d = mj_makeData(m);
  if (d) mj_forward(m, d);
  mj_deleteData(d);
}

// The data of a run, and what it reads and writes.
static int run_with_options(mjModel* m, mjData* d, const RunOptions* o) {
  Plan plan;
  memset(&plan, 0, sizeof(plan));
  plan.steps = o->steps > 0 ? (int)fmin(1e9, o->steps) : steps_of(m, o->time);
  plan.every = (int)fmax(1, o->every);
  plan.quiet = o->json;
  int code = o->key ? set_key(m, d, o->key) : EXIT_FINE;
  if (code == EXIT_FINE) code = controls_open(&plan.controls, m, o->ctrl, (uint64_t)o->seed);
  if (code == EXIT_FINE && (o->csv || o->npz)) {
    plan.recording = recording_open(m, o->csv, o->npz);
    if (!plan.recording) code = EXIT_FAILED;
  }
  if (code == EXIT_FINE) {
    signal(SIGINT, interrupt);
    code = run_plan(m, d, &plan);
    signal(SIGINT, SIG_DFL);
  }
  if (plan.recording && recording_close(plan.recording) != EXIT_FINE) code = EXIT_FAILED;
  controls_close(&plan.controls);
  return code;
}

int command_run(int argc, char** argv) {
  RunOptions o;
  memset(&o, 0, sizeof(o));
  o.time = 1;
  int code = parse(argc, argv, &o);
  if (code != EXIT_FINE) return code;
  mjModel* m = o.path ? load_model(o.path) : load_builtin_model();
  if (!m) return EXIT_FAILED;
  code = override(m, &o);
  if (code == EXIT_FINE) {
    refuse_early(m);
    if (!o.json) {
      print_summary(m);
      printf("%s\n", o.smooth ? "  without constraints\n" : "");
    }
    mjData* d = mj_makeData(m);
    code =
        d ? run_with_options(m, d, &o) : failed("there is no memory for an mjData of this model");
    mj_deleteData(d);
  }
  mj_deleteModel(m);
  return code;
}
