#include "stepping.h"

#include <malloc.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/states.h"
#include "conformance/two_libraries.h"

enum { PLACES = 8, LEAST_ROUNDS = 5, SETTLING_STEPS = 200, MOST_STEPS = 200 };
static const double round_seconds = 100e-6;  // a round takes at least this long

// States

void pair_start(const Engine* e, const mjModel* m, mjData* d) {
  if (m->nkey > 0) {
    e->mj_resetDataKeyframe(m, d, 0);
  } else {
    e->mj_resetData(m, d);
  }
}

static bool same_trees_sleep(const mjModel* m, const mjData* a, const mjData* b) {
  for (int i = 0; i < m->ntree; i++) {
    if ((a->tree_asleep[i] < 0) != (b->tree_asleep[i] < 0)) return false;
  }
  return true;
}

static void copy_ints(int* to, const int* from, mjtSize n) {
  memcpy(to, from, (size_t)n * sizeof(int));
}

// Lets the trees of d sleep that sleep in the state. What sleeps keeps its poses, so that
// everything wakes first to get them where that changes.
static void set_sleep(const Engine* e, const Pair* p, mjData* d) {
  const mjModel* m = p->m;
  const mjData* s = p->sleep;
  if (!same_trees_sleep(m, d, s)) {
    e->mj_resetData(m, d);
    e->mj_setState(m, d, p->state, mjSTATE_INTEGRATION);
    e->mj_forward(m, d);
  }
  d->ntree_awake = s->ntree_awake;
  d->nbody_awake = s->nbody_awake;
  d->nparent_awake = s->nparent_awake;
  d->nv_awake = s->nv_awake;
  copy_ints(d->tree_asleep, s->tree_asleep, m->ntree);
  copy_ints(d->tree_awake, s->tree_awake, m->ntree);
  copy_ints(d->body_awake, s->body_awake, m->nbody);
  copy_ints(d->body_awake_ind, s->body_awake_ind, m->nbody);
  copy_ints(d->parent_awake_ind, s->parent_awake_ind, m->nbody);
  copy_ints(d->dof_awake_ind, s->dof_awake_ind, m->nv);
}

static void set_state(const Engine* e, const Pair* p, mjData* d) {
  if (p->sleep) set_sleep(e, p, d);
  e->mj_setState(p->m, d, p->state, mjSTATE_INTEGRATION);
}

// Places

static mjData* make_data(const Engine* e, const Pair* p) {
  mjData* d = e->mj_makeData(p->m);
  set_state(e, p, d);
  return d;
}

void pair_make(Pair* p, int place) {
  Random random = random_seeded("place", place);
  void* spacer[2];
  for (int i = 0; i < 2; i++) {
    spacer[i] = malloc((size_t)random_uniform(&random, 64, 60000));
    if ((place + i) % 2 == 0) {
      p->reference_data = make_data(p->reference, p);
    } else {
      p->corten_data = make_data(p->corten, p);
    }
  }
  for (int i = 0; i < 2; i++) free(spacer[i]);
}

void pair_free(Pair* p) {
  if (p->reference_data) p->reference->mj_deleteData(p->reference_data);
  if (p->corten_data) p->corten->mj_deleteData(p->corten_data);
  p->reference_data = p->corten_data = NULL;
}

// Steps

// Seconds per step from the state. One step before warms the caches for this engine.
static double time_steps(const Engine* e, const Pair* p, mjData* d, int steps) {
  set_state(e, p, d);
  e->mj_step(p->m, d);
  set_state(e, p, d);
  double start = thread_seconds();
  for (int i = 0; i < steps; i++) e->mj_step(p->m, d);
  return (thread_seconds() - start) / steps;
}

// The state that the reference has reached, with new controls, for both.
static void take_state(Pair* p, Random* random) {
  mjData* d = p->reference_data;
  if (p->horizon > 0 && d->time > p->horizon) pair_start(p->reference, p->m, d);
  if (!p->still) randomise_controls(p->m, d, random);
  p->reference->mj_getState(p->m, d, p->state, mjSTATE_INTEGRATION);
  if (p->sleep) p->reference->mj_copyData(p->sleep, p->m, d);
}

// Steps of the reference alone, for as many on any machine; returns the seconds of one.
static double walk(Pair* p, Random* random, int count) {
  double start = thread_seconds();
  for (int i = 0; i < count; i++) {
    if (i % 10 == 0 && !p->still) randomise_controls(p->m, p->reference_data, random);
    p->reference->mj_step(p->m, p->reference_data);
  }
  return (thread_seconds() - start) / count;
}

// Lets the model settle, or start; returns how many steps make a round. With a horizon the
// reference alone walks *between rounds, so that in half of the budget they get as far as it can.
static int settle(Pair* p, Random* random, double budget, int* between) {
  int count = p->horizon > 0 ? 10 : p->settling ? p->settling : SETTLING_STEPS;
  double each = walk(p, random, count);
  int steps = (int)fmin(fmax(round_seconds / each, 1), MOST_STEPS);
  *between = 0;
  if (p->horizon > 0) {
    double most = fmin(p->horizon / (double)p->m->opt.timestep, budget / 2 / each);
    double rounds = fmax(budget / 2 / each / (2 * steps + 2), LEAST_ROUNDS);
    *between = (int)fmax(most / rounds - steps, 0);
    pair_start(p->reference, p->m, p->reference_data);
  }
  take_state(p, random);
  return steps;
}

static bool step_round(Pair* p, int steps, Rounds* rounds) {
  double a = 0, b = 0;
  for (int turn = 0; turn < 2; turn++) {
    if (reference_goes_first(rounds->rounds) == (turn == 0)) {
      a = time_steps(p->reference, p, p->reference_data, steps);
    } else {
      b = time_steps(p->corten, p, p->corten_data, steps);
    }
  }
  return add_round(rounds, a, b);
}

// Adds what the reference's last step was like.
static void add_problem(StepRounds* sum, const mjData* d) {
  int most = 0, islands = d->nisland < 1 ? 1 : d->nisland;
  for (int i = 0; i < islands && i < mjNISLAND; i++) {
    if (d->solver_niter[i] > most) most = d->solver_niter[i];
  }
  sum->contacts += d->ncon;
  sum->rows += d->nefc;
  sum->iterations += most;
}

// A motion that has blown up, or lost contacts, is no measure of anything.
static int count_unsound(const mjData* d) {
  static const int kinds[] = {mjWARN_CONTACTFULL, mjWARN_CNSTRFULL, mjWARN_BADQPOS, mjWARN_BADQVEL,
                              mjWARN_BADQACC};
  int sum = 0;
  for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) sum += d->warning[kinds[i]].number;
  return sum;
}

// Before data are made anew, or for the last time.
static void add_unsound(const Pair* p, StepRounds* sum) {
  sum->unsound += count_unsound(p->reference_data) + count_unsound(p->corten_data);
}

void measure_steps(Pair* p, double budget, StepRounds* out) {
  Random random = random_seeded("bench", 0);
  memset(out, 0, sizeof(*out));
  int place = 0, between;
  int steps = settle(p, &random, budget, &between);
  double start = thread_seconds();
  p->corten->mj_step(p->m, p->corten_data);  // an engine that refuses the model does so here
  for (bool room = true; room;) {
    double done = (double)out->rounds.rounds / MAX_ROUNDS;
    double spent = (thread_seconds() - start) / budget;
    if (out->rounds.rounds >= LEAST_ROUNDS && spent > 1) break;
    if (fmax(done, spent) * PLACES > place + 1) {
      add_unsound(p, out);
      pair_free(p);
      pair_make(p, ++place);
    }
    room = step_round(p, steps, &out->rounds);
    if (room) add_problem(out, p->reference_data);
    if (between) walk(p, &random, between);
    take_state(p, &random);
  }
  add_unsound(p, out);
  out->contacts /= out->rounds.rounds;
  out->rows /= out->rounds.rounds;
  out->iterations /= out->rounds.rounds;
}

// Stages

const char* const stage_names[NSTAGE] = {"kinematics", "inertia", "collision",
                                         "rows",       "project", "velocity",
                                         "actuation",  "solver",  "advance"};

static const int stage_timers[NSTAGE] = {
    mjTIMER_POS_KINEMATICS, mjTIMER_POS_INERTIA, mjTIMER_POS_COLLISION,
    mjTIMER_POS_MAKE,       mjTIMER_POS_PROJECT, mjTIMER_VELOCITY,
    mjTIMER_ACTUATION,      mjTIMER_CONSTRAINT,  mjTIMER_ADVANCE};

enum { MOST_SAMPLES = 500 };
typedef double StageSamples[NSTAGE][MOST_SAMPLES];

static mjtNum timer_milliseconds(void) {
  return (mjtNum)(1e3 * thread_seconds());
}

static double cost_of_clock(void) {
  static double cost[101];
  for (int i = 0; i < 101; i++) {
    double start = thread_seconds();
    for (int k = 0; k < 10; k++) timer_milliseconds();
    cost[i] = (thread_seconds() - start) / 11;
  }
  return quantile(cost, 101, 0.5);
}

// One step from the state; seconds of each stage into sample number n.
static void sample_step(const Engine* e, const Pair* p, mjData* d, double cost,
                        StageSamples samples, int n) {
  set_state(e, p, d);
  memset(d->timer, 0, sizeof(d->timer));
  e->mj_step(p->m, d);
  for (int k = 0; k < NSTAGE; k++) {
    const mjTimerStat* timer = &d->timer[stage_timers[k]];
    samples[k][n] = fmax(1e-3 * (double)timer->duration - cost * timer->number, 0);
  }
}

void measure_stages(Pair* p, double budget, Stages* out) {
  static StageSamples a, b;
  mjfTime* clocks[2] = {(mjfTime*)library_variable(p->reference->handle, "mjcb_time"),
                        (mjfTime*)library_variable(p->corten->handle, "mjcb_time")};
  double cost = cost_of_clock(), until = wall_seconds() + budget;
  for (int i = 0; i < 2; i++) *clocks[i] = timer_milliseconds;
  Random random = random_seeded("stages", 0);
  int n = 0;
  for (; n < MOST_SAMPLES && (n < LEAST_ROUNDS || wall_seconds() < until); n++) {
    for (int turn = 0; turn < 2; turn++) {
      if (reference_goes_first(n) == (turn == 0)) {
        sample_step(p->reference, p, p->reference_data, cost, a, n);
      } else {
        sample_step(p->corten, p, p->corten_data, cost, b, n);
      }
    }
    take_state(p, &random);
  }
  for (int i = 0; i < 2; i++) *clocks[i] = NULL;
  for (int s = 0; s < NSTAGE; s++) {
    out->reference[s] = quantile(a[s], n, 0.5);
    out->corten[s] = quantile(b[s], n, 0.5);
  }
}

// Memory

static double heap_bytes(void) {
  struct mallinfo2 info = mallinfo2();
  return (double)info.uordblks + (double)info.hblkhd;
}

DataMemory measure_memory(const Engine* e, const mjModel* m, const mjtNum* state) {
  DataMemory memory;
  double before = heap_bytes();
  mjData* d = e->mj_makeData(m);
  memory.held = heap_bytes() - before;
  memory.arena = (double)d->narena;
  e->mj_setState(m, d, state, mjSTATE_INTEGRATION);
  for (int i = 0; i < LEAST_ROUNDS; i++) e->mj_step(m, d);
  memory.used = (double)d->maxuse_arena;
  e->mj_deleteData(d);
  return memory;
}
