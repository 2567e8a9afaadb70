// The trajectory question: how far apart the two engines are after 1, 10, 100 and 1000 steps with
// the same controls, by the model's own integrator and by each of the four.
//
// How much a model magnifies a difference is measured: the reference runs a second time from a
// start moved by 1e-13. If the engines differ by more than that explains, it runs several times
// more with its state moved by rounding before every step, as the state of an engine with roundings
// of its own is: an event that the last bit decides, such as a contact that just opens, may happen
// at any step. Where the reference itself meets bad numbers, which resets its state and makes both
// runs equal again, nothing can be judged from there on.
//
// A start that lies exactly on a border, as one where both feet just touch the floor, would spoil
// all later steps: then a start nearby is taken.

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/motion.h"
#include "conformance/spread.h"
#include "conformance/tally.h"

const int horizons[NHORIZON] = {1, 10, 100, 1000};
const char* const integrator_names[NINTEGRATOR] = {"own", "Euler", "implicit", "implicitfast",
                                                   "RK4"};
static const int integrators[NINTEGRATOR] = {-1, mjINT_EULER, mjINT_IMPLICIT, mjINT_IMPLICITFAST,
                                             mjINT_RK4};

static int own_number(int integrator) {
  for (int k = 1; k < NINTEGRATOR; k++) {
    if (integrators[k] == integrator) return k;
  }
  return 1;
}

// One run

typedef struct {
  double* states[NHORIZON];  // qpos, qvel, act, time at the horizons reached
  int reached;
  int sound;    // of these, before the engine warned of bad numbers
  int awake;    // of these, before a tree fell asleep
  bool failed;  // the engine raised an error
} Run;

static double* copy_state(const mjModel* m, const mjData* d) {
  double* x = (double*)malloc(sizeof(double) * (size_t)motion_length(m));
  motion_state(m, d, x);
  return x;
}

static void free_run(Run* run) {
  for (int k = 0; k < run->reached; k++) free(run->states[k]);
}

// A push would wake a sleeping tree, which is no measure of how the model magnifies it.
static void push_what_is_awake(const mjModel* m, mjData* d) {
  for (int i = 0; i < m->nv; i++) {
    if (d->tree_asleep[m->dof_treeid[i]] < 0) d->qvel[i] += (mjtNum)1e-13;
  }
}

// A reset clears warnings, but not the one that it answers.
static bool met_bad_numbers(const mjData* d) {
  return d->warning[mjWARN_BADQPOS].number || d->warning[mjWARN_BADQVEL].number ||
         d->warning[mjWARN_BADQACC].number;
}

static bool something_sleeps(const mjModel* m, const mjData* d) {
  for (int i = 0; i < m->ntree; i++) {
    if (d->tree_asleep[i] >= 0) return true;
  }
  return false;
}

typedef struct {  // how a run is disturbed
  bool push;      // at its start
  Random* noise;  // before every step; NULL: not
} Disturbance;

static const Disturbance undisturbed = {false, NULL}, pushed = {true, NULL};

typedef struct {     // how all runs with one integrator begin
  const char* path;  // of the model, which decides on controls
  int place;         // 0: where the model says; others: nearby
} Start;

// Small beside the size of a body, large beside all borders that rounding could be about.
static const double nearby = 1e-3;

// Moves every dof that is awake at random; both engines get the reference's numbers.
static void move_start(const Engine* reference, const mjModel* m, mjData* d, Start start) {
  if (!start.place) return;
  Random r = random_seeded(model_name(start.path), 2000 + start.place);
  mjtNum* step = (mjtNum*)malloc(sizeof(mjtNum) * (size_t)(m->nv + 1));
  for (int i = 0; i < m->nv; i++) {
    bool awake = d->tree_asleep[m->dof_treeid[i]] < 0;
    step[i] = awake ? (mjtNum)random_uniform(&r, -nearby, nearby) : 0;
  }
  reference->mj_integratePos(m, d->qpos, step, 1);
  free(step);
}

static void step_to_horizons(const Engine* e, const mjModel* m, mjData* d, Start start,
                             Random* noise, int most, double until, Run* run) {
  Random r = random_seeded(model_name(start.path), 1000);
  bool sound = true, awake = true;
  for (int step = 1; run->reached < most; step++) {
    if (seconds_now() > until) return;
    if (step % 10 == 1) randomise_controls(m, d, &r);
    if (noise) move_by_rounding(m, d, d, noise);
    e->mj_step(m, d);
    sound = sound && !met_bad_numbers(d);
    awake = awake && !something_sleeps(m, d);
    if (step != horizons[run->reached]) continue;
    run->states[run->reached++] = copy_state(m, d);
    run->sound += sound;
    run->awake += awake;
  }
}

// Steps one engine to the first `most` horizons, or until time is up.
static void run_engine(const Inquiry* q, const Engine* e, const mjModel* m, Start start,
                       Disturbance how, int most, double until, Run* run) {
  mjData* volatile d = NULL;
  bool volatile failed = false;
  memset(run, 0, sizeof(*run));
  begin(q, ASK_TRAJECTORY, e);
  ENGINE_TRY(
      {
        d = e->mj_makeData(m);
        move_start(q->reference, m, d, start);
        if (how.push) push_what_is_awake(m, d);
        step_to_horizons(e, m, d, start, how.noise, most, until, run);
      },
      failed = true);
  run->failed = failed;
  if (d) e->mj_deleteData(d);
}

// Judging

typedef struct {  // at one horizon
  bool reached;
  bool diverged;  // the reference met bad numbers on the way
  bool restless;  // RK4 with trees asleep
  bool nearby;    // the start was moved
  bool stepwise;  // every step up to here is what the reference makes of the same state
  Worst ours;     // where ours differs most
  double chaos;   // error of the reference started 1e-13 away
  double noise;   // of the reference moved by rounding before every step; 0: not measured
} Drift;

// RK4 leaves the poses of its last sub-step behind, which is elsewhere than the step ends; a
// sleeping tree wakes if its pose is not exactly what it was. For a tree that hardly moves the last
// bit decides, and one that goes on sleeping gets the acceleration of a free fall for a sub-step.
// The reference does not support the combination. What counts is that a tree of the reference has
// slept: an engine cannot excuse itself by putting trees to sleep.
static bool wakes_by_chance(const mjModel* m) {
  return m->opt.integrator == mjINT_RK4 && (m->opt.enableflags & mjENBL_SLEEP);
}

// What is not further apart agrees, whatever the model does to a difference.
static const double agreement = 1e-8;

// A model that turns 1e-13 into this much within the horizon cannot be judged by what is larger.
static const double chaotic = 1e-4;

// How much error is allowed where the reference itself drifts by `chaos` from 1e-13 away.
static double allowed(const Drift* drift) {
  return fmax(agreement, 1e3 * drift->chaos);
}

// Where the reference's own drift is as large as its motion, another engine's is about as large,
// whatever rounding does to it. An error far beyond that is one. Where the drift is smaller, this
// is not stricter than the rule for horizons that are just not chaotic.
static double allowed_in_chaos(const Drift* drift) {
  return fmax(1e3 * chaotic, 100 * fmax(drift->chaos, drift->noise));
}

static bool is_chaotic(const Drift* drift) {
  return !(drift->chaos <= chaotic) || !(drift->noise <= chaotic);
}

static const char* horizon_verdict(const Drift* drift) {
  double error = drift->ours.error;
  if (!drift->reached) return "unreached";
  if (drift->diverged) return "chaotic";
  if (error <= agreement) return "yes";
  if (is_chaotic(drift) && error <= allowed_in_chaos(drift)) return "chaotic";
  if (!is_chaotic(drift) && error <= fmax(allowed(drift), spread_factor * drift->noise)) {
    return "yes";
  }
  if (!is_chaotic(drift) && drift->restless) return "chaotic";
  return drift->stepwise ? "chaotic" : "no";
}

static bool any_wrong(const Drift drift[NHORIZON]) {
  for (int k = 0; k < NHORIZON; k++) {
    if (!strcmp(horizon_verdict(drift + k), "no")) return true;
  }
  return false;
}

enum { NOISY_RUNS = 4 };

// Lets the reference run under rounding and takes the largest drift at each horizon. This is extra
// time, at most half of --seconds for an integrator, given only to models that disagree.
static void measure_noise(const Inquiry* q, const mjModel* m, Start start, const Run* a,
                          Drift drift[NHORIZON]) {
  Random r = random_seeded("noise", 0);
  for (int i = 0; i < NOISY_RUNS; i++) {
    Run noisy;
    Disturbance how = {false, &r};
    run_engine(q, q->reference, m, start, how, a->reached, seconds_now() + q->seconds / 8, &noisy);
    for (int k = 0; k < noisy.reached; k++) {
      double apart = motion_difference(motion_length(m), a->states[k], noisy.states[k]).error;
      drift[k].noise = fmax(drift[k].noise, k < noisy.sound ? apart : INFINITY);
    }
    free_run(&noisy);
  }
}

// Lets ours run once more, every step beside one of the reference from the same state. As above,
// extra time for models that still disagree.
static void judge_steps(const Inquiry* q, const mjModel* m, Start start, int reached,
                        Drift drift[NHORIZON]) {
  Random r = random_seeded(model_name(start.path), 1000);
  mjData* volatile d = NULL;
  int volatile agreed = 0;
  begin(q, ASK_TRAJECTORY, q->ours);
  ENGINE_TRY(
      {
        d = q->ours->mj_makeData(m);
        move_start(q->reference, m, d, start);
        agreed = steps_in_agreement(q, m, d, &r, horizons[reached - 1], agreement,
                                    seconds_now() + q->seconds / 2);
      },
      agreed = 0);
  if (d) q->ours->mj_deleteData(d);
  for (int k = 0; k < reached; k++) drift[k].stepwise = agreed >= horizons[k];
}

// Rounding takes a start from a border to either side, as one of two: six runs see both.
enum { STARTS = 4, START_HORIZONS = 2, START_NOISE = 6 };

// A model that turns rounding into this much within ten steps begins on a border.
static const double on_border = 1e-9;

// How far the reference drifts in its first ten steps from this start, pushed or under rounding; 0
// if it does not get there soundly.
static double first_drift(const Inquiry* q, const mjModel* m, Start start, double until) {
  Run a, other;
  Random r = random_seeded("start", start.place);
  double drift = 0;
  int most = q->steps < horizons[1] ? 1 : START_HORIZONS;
  run_engine(q, q->reference, m, start, undisturbed, most, until, &a);
  for (int i = 0; i <= START_NOISE; i++) {
    Disturbance noise = {false, &r};
    run_engine(q, q->reference, m, start, i ? noise : pushed, most, until, &other);
    for (int k = 0; k < a.sound && k < other.sound; k++) {
      drift = fmax(drift, motion_difference(motion_length(m), a.states[k], other.states[k]).error);
    }
    free_run(&other);
  }
  free_run(&a);
  return drift;
}

// The first start that is on no border, or the one with the least drift. A tenth of the time is
// given to it; a model too slow for that begins where it says.
static Start choose_start(const Inquiry* q, const mjModel* m, const char* path, double until) {
  Start start = {path, 0}, best = {path, 0};
  double now = seconds_now(), least = (double)INFINITY;
  until = now + (until - now) / 10;
  for (; start.place < STARTS && seconds_now() < until; start.place++) {
    double drift = first_drift(q, m, start, until);
    if (seconds_now() > until) break;
    if (drift < least) {
      least = drift;
      best = start;
    }
    if (least <= on_border) break;
  }
  return best;
}

// Lets ours run; false if it raises an error or writes into the model (told in the answer).
static bool run_ours(Tally* t, const mjModel* m, Start start, int most, double until, Run* ours) {
  uint64_t before = model_checksum(m);
  run_engine(t->q, t->q->ours, m, start, undisturbed, most, until, ours);
  if (!left_model_alone(t, m, before)) return false;
  if (ours->failed) answer_error(t, t->q->ours);
  return !ours->failed;
}

// The three runs with one integrator; false if an engine raised an error (told in the answer).
static bool drift_of(Tally* t, const char* path, const mjModel* m, double until,
                     Drift drift[NHORIZON]) {
  const Inquiry* q = t->q;
  int most = 0, length = motion_length(m);
  while (most < NHORIZON && horizons[most] <= q->steps) most++;
  memset(drift, 0, NHORIZON * sizeof(*drift));
  Run a, moved, ours;
  memset(&moved, 0, sizeof(moved));
  memset(&ours, 0, sizeof(ours));
  Start start = choose_start(q, m, path, until);
  // each of the three gets its share of what is left
  double now = seconds_now();
  run_engine(q, q->reference, m, start, undisturbed, most, now + (until - now) / 3, &a);
  now = seconds_now();
  if (!a.failed) {
    run_engine(q, q->reference, m, start, pushed, a.reached, now + (until - now) / 2, &moved);
  }
  bool fine = !a.failed && !moved.failed;
  if (!fine) answer_error(t, q->reference);
  fine = fine && run_ours(t, m, start, moved.reached, until, &ours);
  for (int k = 0; fine && k < ours.reached; k++) {
    drift[k].reached = true;
    drift[k].nearby = start.place > 0;
    drift[k].diverged = k >= a.sound || k >= moved.sound;
    drift[k].restless = wakes_by_chance(m) && k >= a.awake;
    drift[k].ours = motion_difference(length, a.states[k], ours.states[k]);
    drift[k].chaos = motion_difference(length, a.states[k], moved.states[k]).error;
  }
  if (any_wrong(drift)) measure_noise(q, m, start, &a, drift);
  if (any_wrong(drift)) judge_steps(q, m, start, ours.reached, drift);
  free_run(&a);
  free_run(&moved);
  free_run(&ours);
  return fine;
}

// One horizon that is wrong: where the states differ most, and how far the reference drifts.
static void tell_horizon(const Tally* t, int integrator, int k, const Drift* drift) {
  Worst at = drift->ours;
  const char* field = motion_field(t->m, &at.index);
  fprintf(t->q->answers,
          "M\ttrajectory\tresult\t%s\t%s\t%ld\t%.17g\t%.17g\t%.3g\t1\t"
          "after %d steps%s; the reference drifts by %.2g\n",
          integrator_names[integrator], field, at.index, at.reference, at.ours, at.error,
          horizons[k], drift->nearby ? " from nearby" : "", fmax(drift->chaos, drift->noise));
}

// Tells every horizon that was asked for; appends those that were not reached to `unreached`.
static void judge_drift(Tally* t, int integrator, const Drift* drift, char* unreached,
                        size_t room) {
  for (int k = 0; k < NHORIZON && horizons[k] <= t->q->steps; k++) {
    const char* verdict = horizon_verdict(drift + k);
    fprintf(t->q->answers, "H\t%d\t%d\t%s\t%.3g\t%.3g\n", integrator, k, verdict,
            drift[k].ours.error, drift[k].chaos);
    if (!strcmp(verdict, "unreached")) {
      size_t used = strlen(unreached);
      snprintf(unreached + used, room - used, "%s %s %d",
               used ? "," : "not reached in time:", integrator_names[integrator], horizons[k]);
    }
    if (!strcmp(verdict, "chaotic")) t->undefined++;
    if (strcmp(verdict, "yes") && strcmp(verdict, "no")) continue;
    t->compared++;
    if (!strcmp(verdict, "yes")) {
      t->rounded += drift[k].ours.error > allowed(drift + k);
      continue;
    }
    t->wrong++;
    tell_horizon(t, integrator, k, drift + k);
  }
}

void ask_trajectory(const Inquiry* q, const char* path, mjModel* m) {
  Tally t = new_tally(q, ASK_TRAJECTORY);
  t.m = m;
  t.path = path;
  Drift drift[NINTEGRATOR][NHORIZON];
  char unreached[300] = "";
  double start = seconds_now();
  int own = m->opt.integrator, others = NINTEGRATOR - 1;
  // the model's own integrator is one of the four: asked first, told twice
  for (int turn = 0; turn <= others; turn++) {
    int k = turn ? turn : own_number(own);
    if (turn && k == own_number(own)) continue;
    int done = turn < own_number(own) ? turn + 1 : turn;
    t.integrator = m->opt.integrator = integrators[k];
    bool fine = drift_of(&t, path, m, start + q->seconds * done / others, drift[k]);
    m->opt.integrator = own;
    if (!fine) return;
  }
  memcpy(drift[0], drift[own_number(own)], sizeof(drift[0]));
  for (int k = 0; k < NINTEGRATOR; k++) {
    judge_drift(&t, k, drift[k], unreached, sizeof(unreached));
  }
  const char* verdict = t.wrong ? "no" : t.compared ? "yes" : t.undefined ? "chaotic" : "timeout";
  answer(&t, verdict, unreached);
}
