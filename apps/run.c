// corten run: steps a model for some time and says what became of it: energy, momentum, speed, and
// where the time went. What happens on the way can be kept in files (recording.h), and controls
// come from outside (controls.h). Whatever is printed is computed in a copy: the motion does not
// depend on who watches it.

#include "run.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "columns.h"
#include "command.h"
#include "controls.h"
#include "interruption.h"
#include "json.h"
#include "recording.h"

static const double most_steps = 1e9;
static const double progress_every = 0.2;  // seconds

// What a run does beside stepping.
typedef struct {
  int steps;
  Controls controls;
  Recording* recording;  // NULL: nothing is kept
  int every;             // steps between samples
  RunAnswer answer;
  mjData* shown;   // a copy, for what is printed
  double told;     // when progress was last shown
  bool on_screen;  // progress goes to a terminal
} Plan;

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

static double clock_time(void) {
  return 1e-6 * (double)microseconds();
}

// Energy and momentum of the state as it is.
static void print_state(const mjModel* m, const mjData* now, mjData* d) {
  mj_copyData(d, m, now);
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

// A line that is written over again and again, on a terminal only.
static void show_progress(Plan* plan, const mjData* d, int done) {
  double now = clock_time();
  if (!plan->on_screen || now - plan->told < progress_every) return;
  plan->told = now;
  fprintf(stderr, "\r  %.3f s, %d %% ", (double)d->time, (int)(100.0 * done / plan->steps));
}

static void hide_progress(const Plan* plan) {
  if (plan->on_screen) fprintf(stderr, "\r%30s\r", "");
}

// Steps with controls and samples from step `first` on; returns how many were made.
static int step_part(const mjModel* m, mjData* d, Plan* plan, int first, int count, int* code) {
  int done = 0;
  for (; done < count && !interruption_came() && *code == EXIT_FINE; done++) {
    controls_apply(&plan->controls, m, d, first + done);
    mj_step(m, d);
    if (plan->recording && (first + done + 1) % plan->every == 0) {
      *code = recording_add(plan->recording);
    }
    if (done % 16 == 15) show_progress(plan, d, first + done);
  }
  hide_progress(plan);
  return done;
}

// The first sample has what follows from its state; the motion begins without it, as mj_step does.
static int record_start(const mjModel* m, mjData* d, Plan* plan) {
  if (!plan->recording) return EXIT_FINE;
  mj_copyData(plan->shown, m, d);
  mj_forward(m, d);
  int code = recording_add(plan->recording);
  mj_copyData(d, m, plan->shown);
  return code;
}

// Steps in ten parts, with a line after each. Returns the steps that were made; *spent is the time
// they took, without the lines.
static int step_and_print(const mjModel* m, mjData* d, Plan* plan, double* spent, int* code) {
  int done = 0;
  bool text = plan->answer == RUN_TEXT;
  if (text) {
    printf("  %9s %12s %12s %12s   %29s   %29s\n", "time", "potential", "kinetic", "energy",
           "momentum", "angular momentum");
    print_state(m, d, plan->shown);
    fflush(stdout);
  }
  *code = record_start(m, d, plan);
  for (int part = 0; part < 10 && !interruption_came() && *code == EXIT_FINE; part++) {
    int end = (int)((long)plan->steps * (part + 1) / 10), count = end - done;
    double start = seconds();
    done += step_part(m, d, plan, done, count, code);
    *spent += seconds() - start;
    if (count && text) print_state(m, d, plan->shown);
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

// A joint by the number of one of its dofs or positions; false: there is none with it.
static bool name_joint(const mjModel* m, int warning, int index, char* text, int room) {
  for (int j = 0; j < m->njnt; j++) {
    bool position = warning == mjWARN_BADQPOS;
    int first = position ? m->jnt_qposadr[j] : m->jnt_dofadr[j];
    int next = j + 1 == m->njnt ? (int)(position ? m->nq : m->nv)
               : position       ? m->jnt_qposadr[j + 1]
                                : m->jnt_dofadr[j + 1];
    if (index < first || index >= next) continue;
    object_title(m, mjOBJ_JOINT, j, text, room);
    return true;
  }
  return false;
}

// What was lost on the way; a motion that diverged is an error of its own.
static void print_warnings(const mjModel* m, const mjData* d) {
  static const struct {
    int warning;
    const char* text;
  } kinds[] = {{mjWARN_INERTIA, "the inertia matrix was singular"},
               {mjWARN_CONTACTFULL, "contacts found no room, and were left out"},
               {mjWARN_CNSTRFULL, "constraint rows found no room, and were left out"},
               {mjWARN_BADCTRL, "a control was not a number, or huge"}};
  for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
    const mjWarningStat* warning = d->warning + kinds[i].warning;
    int info = warning->lastinfo;
    char name[120] = "", shown[200];
    if (!warning->number) continue;
    if (kinds[i].warning == mjWARN_BADCTRL && info >= 0 && info < m->nu) {
      object_title(m, mjOBJ_ACTUATOR, info, name, sizeof(name));
    }
    printf("%s%s%s, %d time%s\n", kinds[i].text, name[0] ? ", last at " : "",
           make_visible(shown, sizeof(shown), name), warning->number, plural(warning->number));
  }
}

static void print_json(const mjModel* m, const mjData* now, mjData* d, int steps, double spent) {
  mj_copyData(d, m, now);
  mj_forward(m, d);
  printf("{\"model\": ");
  json_string(m->names);
  printf(", \"steps\": %d, \"time\": ", steps);
  json_number((double)d->time);
  printf(", \"timestep\": ");
  json_number((double)m->opt.timestep);
  printf(", \"seconds\": %.6g, \"steps_per_second\": %.6g, \"interrupted\": %s,\n \"energy\": ",
         spent, spent > 0 ? steps / spent : 0.0, interruption_came() ? "true" : "false");
  json_numbers(d->energy, 2);
  printf(
      ", \"contacts\": %d, \"constraint_rows\": %d, \"islands\": %d, \"warnings\": %d, "
      "\"diverged\": %s}\n",
      d->ncon, d->nefc, d->nisland, count_warnings(now), went_bad(now) ? "true" : "false");
}

// last: the state in the end, with all that follows from it.
static void print_end(const mjModel* m, mjData* d, const mjData* last, int steps, double spent) {
  double rate = spent > 0 ? steps / spent : 0;
  if (interruption_came()) printf("\ninterrupted at %.3f s", (double)d->time);
  printf("\n%d step%s in %.3f s: %.0f steps per second, %.0f times real time\n", steps,
         plural(steps), spent, rate, rate * (double)m->opt.timestep);
  if (last->nefc) {
    printf("in the end %d contact%s and %d constraint row%s in %d island%s\n", last->ncon,
           plural(last->ncon), last->nefc, plural(last->nefc), last->nisland,
           plural(last->nisland));
  }
  print_warnings(m, d);
  if (!interruption_came()) print_stages(m, d, steps < 100 ? steps : 100);
}

static int complain_of_divergence(const mjModel* m, const mjData* d) {
  static const int kinds[] = {mjWARN_BADQACC, mjWARN_BADQVEL, mjWARN_BADQPOS};
  for (int i = 0; i < 3; i++) {
    char name[120];
    const mjWarningStat* warning = d->warning + kinds[i];
    if (!warning->number || !name_joint(m, kinds[i], warning->lastinfo, name, sizeof(name))) {
      continue;
    }
    return failed("the motion diverged at %s and was reset; take a smaller timestep", name);
  }
  return failed("the motion diverged and was reset; take a smaller timestep");
}

// From the state in d, which must have been made.
static int run_plan(mjModel* m, mjData* d, Plan* plan) {
  double spent = 0;
  int code = EXIT_FINE;
  plan->shown = mj_copyData(NULL, m, d);
  if (!plan->shown) return failed("there is no memory for a second mjData of this model");
  plan->on_screen = isatty(2) && plan->answer != RUN_SILENT;
  m->opt.enableflags |= mjENBL_ENERGY;
  int steps = step_and_print(m, d, plan, &spent, &code);
  bool bad = went_bad(d);
  if (code == EXIT_FINE && plan->answer == RUN_JSON) print_json(m, d, plan->shown, steps, spent);
  if (code == EXIT_FINE && bad) code = complain_of_divergence(m, d);
  if (plan->answer == RUN_TEXT && steps > 0) print_end(m, d, plan->shown, steps, spent);
  if (code == EXIT_FINE && interruption_came()) code = EXIT_INTERRUPTED;
  mj_deleteData(plan->shown);
  return code;
}

// A run longer than can be counted is cut, and says so.
static int cut_steps(double steps) {
  if (steps > most_steps) {
    fprintf(stderr, "corten: %.0f steps are asked for; the run ends after %.0f\n", steps,
            most_steps);
  }
  return (int)fmin(most_steps, steps);
}

static int steps_of(const mjModel* m, double time) {
  return cut_steps(ceil(time / (double)m->opt.timestep - 1e-9));
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

// What the command line says instead of the model.
static int override(mjModel* m, const RunOptions* o) {
  if (o->smooth) m->opt.disableflags |= mjDSBL_CONSTRAINT;
  if (o->timestep > 0) m->opt.timestep = (mjtNum)o->timestep;
  if (o->integrator >= 0) m->opt.integrator = o->integrator;
  if (o->solver >= 0) m->opt.solver = o->solver;
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
  plan.steps = o->steps > 0 ? cut_steps(ceil(o->steps)) : steps_of(m, o->time);
  plan.every = (int)fmin(most_steps, fmax(1, o->every));
  plan.answer = o->answer;
  int code = o->key ? set_key(m, d, o->key) : EXIT_FINE;
  if (code == EXIT_FINE) code = controls_open(&plan.controls, m, o->ctrl, o->seed);
  interruption_await();  // from when there are files
  if (code == EXIT_FINE && (o->csv || o->npz)) {
    plan.recording = recording_open(m, d, o->csv, o->npz, o->field, o->fields);
    if (!plan.recording) code = EXIT_FAILED;
  }
  if (code == EXIT_FINE) {
    if (o->answer == RUN_TEXT) {
      print_summary(m);
      printf("%s\n", o->smooth ? "  without constraints\n" : "");
    }
    code = run_plan(m, d, &plan);
  }
  if (plan.recording && recording_close(plan.recording) != EXIT_FINE) code = EXIT_FAILED;
  controls_close(&plan.controls);
  return code;
}

int run_model(mjModel* m, const RunOptions* o) {
  int code = override(m, o);
  if (code != EXIT_FINE) return code;
  refuse_early(m);
  mjData* d = mj_makeData(m);
  if (!d) return failed("there is no memory for an mjData of this model");
  name_dofs_of(m);
  code = run_with_options(m, d, o);
  name_dofs_of(NULL);
  mj_deleteData(d);
  return code;
}

int command_run(int argc, char** argv) {
  RunOptions o = run_defaults();
  const char* path = NULL;  // the built-in model
  for (int i = 1; i < argc; i++) {
    int used = 0;
    int code = run_take_option(&o, "run", argv[i], i + 1 < argc ? argv[i + 1] : NULL, &used);
    if (code != EXIT_FINE) return code;
    if (used) {
      i += used - 1;
    } else if (!strcmp(argv[i], "--json")) {
      o.answer = RUN_JSON;
    } else if (argv[i][0] == '-' && argv[i][1]) {
      return misused("run: unknown option %s", argv[i]);
    } else if (path) {
      return misused("run: one model at a time, got %s and %s", path, argv[i]);
    } else {
      path = argv[i];
    }
  }
  if (o.fields && !o.csv && !o.npz) return misused("run: --field needs --csv or --npz");
  if (o.csv && o.npz && !strcmp(o.csv, o.npz)) {
    return misused("run: --csv and --npz need different files, got %s twice", o.csv);
  }
  mjModel* m = path ? load_model(path) : load_builtin_model();
  if (!m) return EXIT_FAILED;
  int code = run_model(m, &o);
  mj_deleteModel(m);
  return code;
}
