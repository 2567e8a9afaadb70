// Steps, forward passes, resets and functions of the user over the environments of a CPU batch.
//
// backend.h has the order of what happens in one step. An error of an environment (a plugin, a
// function of the user, a model that was varied into something impossible) ends that environment's
// step and nothing else: it is flagged with CT_BAD_MODEL, and its row is that before the step.

#include <corten/step.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/model/faults.h"
#include "base/private.h"
#include "batch/cpu.h"
#include "batch/guard.h"
#include "engine/integrate.h"
#include "engine/step.h"
#include "host/dynamics.h"
#include "host/walk.h"

typedef struct {  // one environment at work
  ct_CpuBatch* b;
  ct_Worker* worker;
  int environment;
  const mjModel* m;
  mjData* d;
  const ct_BatchRun* run;
  const ct_BatchStart* start;
  unsigned status;
  int t, steps;  // the step of the run, and those of the episode before it
} Work;

static Work begin(ct_CpuBatch* b, int member, int environment) {
  Work w;
  memset(&w, 0, sizeof(w));
  w.b = b;
  w.worker = b->worker + member;
  w.environment = environment;
  w.m = ct_bind_model(b, w.worker, environment);
  return w;
}

// An error came out of it: the mjData is made fit for the next, and the reason is kept.
static void fail(Work* w, const char* reason) {
  w->status |= CT_BAD_MODEL;
  ct_recover_data(w->d);
  ct_set_reason(w->b, w->environment, reason);
}

// Bits that were known before are not counted again.
static void finish(Work* w, unsigned known) {
  w->b->status[w->environment] = (int)w->status;
  for (int i = 0; i < CT_NSTATUS; i++) {
    if (w->status & ~known & (1u << i)) w->worker->raised[i]++;
  }
}

// Reset

static void clear_outcome(ct_CpuBatch* b, int i) {
  b->status[i] = 0;
  b->reward[i] = 0;
  b->terminated[i] = b->truncated[i] = 0;
}

static void reset_data(Work* w, int key) {
  ct_tally_memory(w->worker, w->d);
  if (key >= 0) {
    mj_resetDataKeyframe(w->m, w->d, key);
  } else {
    mj_resetData(w->m, w->d);
  }
  clear_outcome(w->b, w->environment);
  ct_set_reason(w->b, w->environment, NULL);
  w->b->steps[w->environment] = 0;
}

static void call_start(Work* w) {
  const ct_BatchHooks* hooks = &w->b->hooks;
  if (hooks->start) hooks->start(w->m, w->d, w->environment, hooks->argument);
}

// The automatic reset at the beginning of a step, which has its controls already.
static void reset_but_controls(Work* w) {
  ct_CpuBatch* b = w->b;
  mjtNum* ctrl = ct_state_row(b, w->environment) + b->component[6];
  _Static_assert(mjSTATE_CTRL == 1 << 6, "where ctrl is in a row");
  mj_getState(w->m, w->d, ctrl, mjSTATE_CTRL);
  reset_data(w, b->setup->options.reset_key);
  mj_setState(w->m, w->d, ctrl, mjSTATE_CTRL);
  call_start(w);
  w->worker->resets++;
}

static bool is_due(const ct_CpuBatch* b, int i) {
  int rule = b->setup->options.auto_reset;
  bool failed = (b->status[i] & CT_GRAVE) != 0;
  return ((rule & CT_RESET_FAILED) && failed) ||
         ((rule & CT_RESET_DONE) && (b->terminated[i] || b->truncated[i]));
}

static void reset_to_start(void* argument) {
  Work* w = (Work*)argument;
  const ct_BatchStart* s = w->start;
  reset_data(w, s->keys ? s->keys[w->environment] : s->key);
  if (s->states) {
    size_t size = (size_t)mj_stateSize(w->m, s->state);
    mj_setState(w->m, w->d, s->states + (size_t)w->environment * size, s->state);
  }
  call_start(w);
}

// Steps

static void note_outcome(Work* w) {
  ct_CpuBatch* b = w->b;
  int i = w->environment, limit = b->setup->options.max_steps;
  int steps = b->steps[i] < INT_MAX ? b->steps[i] + 1 : INT_MAX;  // restored ones may be any
  ct_BatchOutcome outcome = {0, 0, limit > 0 && steps >= limit};
  if (b->hooks.outcome) b->hooks.outcome(w->m, w->d, i, b->hooks.argument, &outcome);
  b->steps[i] = steps;  // not if the hook failed: then the step was not made
  b->reward[i] = outcome.reward;
  b->terminated[i] = outcome.terminated;
  b->truncated[i] = outcome.truncated;
}

// The status says that something is wrong with the model; here is what.
static void name_fault(Work* w) {
  const ct_Detail* detail = &ct_private(w->d)->detail;
  char text[CT_REASON_ROOM];
  if (!(w->status & CT_BAD_MODEL)) return;
  ct_describe_fault(w->m, (ct_Cause)detail->cause, detail->id, text, sizeof(text));
  ct_set_reason(w->b, w->environment, text);
}

// A thread's mjData goes from one environment to the next, and what sleeps must stay where it is.
static void refuse_to_sleep(const Work* w) {
  if (w->b->own || !(w->m->opt.enableflags & mjENBL_SLEEP)) return;
  mju_error("opt.enableflags has sleep in this environment only; create the batch with own_data");
}

// Somebody has written into a view of who sleeps. What was there before comes back after the step.
static void refuse_missing_trees(const Work* w) {
  if (!(w->m->opt.enableflags & mjENBL_SLEEP)) return;
  int tree = ct_missing_tree(w->b, w->environment, w->m);
  if (tree >= 0) mju_error("\"tree_asleep\" was written: there is no tree %d to sleep with", tree);
}

static void prepare_step(void* argument) {
  Work* w = (Work*)argument;
  bool due = is_due(w->b, w->environment);
  clear_outcome(w->b, w->environment);
  refuse_to_sleep(w);
  if (due) {
    reset_but_controls(w);
  } else {
    refuse_missing_trees(w);
  }
  ct_set_reason(w->b, w->environment, NULL);
}

static void close_step(void* argument) {
  Work* w = (Work*)argument;
  note_outcome(w);
  w->worker->steps += w->run->substeps;
}

static void make_step(void* argument) {
  Work* w = (Work*)argument;
  prepare_step(w);
  for (int k = 0; k < w->run->substeps; k++) {
    int found = ct_step(w->m, w->d);
    w->status |= found < 0 ? (unsigned)CT_BAD_MODEL : (unsigned)found;
    if (w->status & CT_GRAVE) {
      w->worker->steps += k;
      name_fault(w);
      return;
    }
  }
  close_step(w);
}

// Everything of a row, controls of the user too, as the caller of ct_batch_get would have it.
static void record(const Work* w, int t) {
  const ct_BatchRun* run = w->run;
  const ct_CpuBatch* b = w->b;
  size_t i = (size_t)w->environment, n = (size_t)b->n, T = (size_t)run->nstep;
  size_t place = run->time_first ? (size_t)t * n + i : i * T + (size_t)t;
  const void* const outcome[CT_NOUTCOME] = {
      b->status + i, b->reward + i, b->terminated + i, b->truncated + i,
      b->steps + i,  w->d->warning, b->noise + i,
  };
  for (int k = 0; k < run->nrecord; k++) {
    const ct_BatchField* f = run->record + k;
    size_t bytes = ct_batch_row_bytes(f);
    char* to = (char*)run->out[k] + place * bytes;
    if (f->place == CT_PLACE_STATE) {
      mj_getState(w->m, w->d, (mjtNum*)to, f->state);
    } else if (f->place == CT_PLACE_OUTCOME) {
      memcpy(to, outcome[f->outcome], bytes);
    } else if (bytes) {
      memcpy(to, ct_batch_field_in(f, f->place == CT_PLACE_DATA ? (void*)w->d : (void*)w->m),
             bytes);
    }
  }
}

static void take_controls(const Work* w, int t) {
  const ct_BatchRun* run = w->run;
  size_t i = (size_t)w->environment, n = (size_t)w->b->n, T = (size_t)run->nstep;
  size_t place = run->time_first ? (size_t)t * n + i : i * T + (size_t)t;
  size_t size = (size_t)mj_stateSize(w->m, run->control_state);
  mj_setState(w->m, w->d, run->control + place * size, run->control_state);
}

static void open_step(Work* w, int t) {
  w->t = t;
  w->steps = w->b->steps[w->environment];
  w->status = 0;
  ct_load_results(w->b, w->environment, w->d);
  if (w->run->control) take_controls(w, t);
}

// To what the environment was before the step, with the inputs that came for it: ct_batch_set would
// have brought them before.
static void go_back(const Work* w) {
  w->b->steps[w->environment] = w->steps;
  ct_load_row(w->b, w->environment, w->m, w->d);
  ct_load_results(w->b, w->environment, w->d);
  if (w->run->control) take_controls(w, w->t);
}

// Runs a part of a step; false: it failed, and the environment is what it was before the step.
static bool try_part(Work* w, void (*part)(void*)) {
  char* message = w->worker->message;
  if (ct_run_guarded(part, w, message, CT_REASON_ROOM)) return true;
  fail(w, message);
  go_back(w);
  return false;
}

// After a failure counts may be those of an earlier step, whose contacts are gone.
static void forget_contacts(const Work* w) {
  if (w->status & CT_GRAVE) ct_recover_data(w->d);
}

static void keep_step(Work* w) {
  finish(w, 0);
  ct_store_environment(w->b, w->environment, w->m, w->d, true);
  if (w->run->nrecord) record(w, w->t);
  forget_contacts(w);
}

static void step_environment(Work* w) {
  for (int t = 0; t < w->run->nstep; t++) {
    open_step(w, t);
    try_part(w, make_step);
    keep_step(w);
  }
}

// Four environments side by side

// One step of those that go; grave failures end theirs.
static void substep_abreast(Work w[CT_ABREAST], bool go[CT_ABREAST], uint64_t seen) {
  int found[CT_ABREAST];
  mjData* const d[CT_ABREAST] = {w[0].d, w[1].d, w[2].d, w[3].d};
  ct_step_abreast(w->worker->abreast, w->m, d, go, seen, found);
  for (int k = 0; k < CT_ABREAST; k++) {
    if (!go[k]) continue;
    w[k].status |= (unsigned)found[k];
    if (w[k].status & CT_GRAVE) go[k] = false;
  }
}

// The whole step, from where the environment was before it.
static void step_alone(Work* w) {
  go_back(w);
  w->status = 0;
  try_part(w, make_step);
}

// Those that begin with a reset, and those that failed, make their step once more alone: what is
// kept of them must not have results of stages that a failed step does not get to, nor of steps
// that the others went on with.
static void step_abreast(Work w[CT_ABREAST], uint64_t seen) {
  for (int t = 0; t < w->run->nstep; t++) {
    bool go[CT_ABREAST];
    for (int k = 0; k < CT_ABREAST; k++) {
      open_step(w + k, t);
      go[k] = !is_due(w->b, w[k].environment) && try_part(w + k, prepare_step);
    }
    for (int i = 0; i < w->run->substeps; i++) {
      substep_abreast(w, go, i == w->run->substeps - 1 ? seen : 0);
    }
    for (int k = 0; k < CT_ABREAST; k++) {
      if (!go[k]) {
        step_alone(w + k);
      } else {
        try_part(w + k, close_step);
      }
      keep_step(w + k);
    }
  }
}

// What somebody looks at in an mjData after a step. Members of the struct are of other stages.
static uint64_t what_is_seen(const ct_CpuBatch* b, const ct_BatchRun* run) {
  uint64_t seen = b->hooks.outcome ? CT_SEE_ALL : 0;
  for (int i = 0; i < b->kept.count; i++) {
    const ct_BatchField* f = &b->kept.item[i].field;
    if (f->array) seen |= ct_see_array(f->offset);
  }
  for (int i = 0; i < run->nrecord; i++) {
    const ct_BatchField* f = run->record + i;
    if (f->place == CT_PLACE_DATA && f->array) seen |= ct_see_array(f->offset);
  }
  return seen;
}

// Forward only

unsigned ct_parts_up_to(int stage) {
  unsigned parts = 0;
  if (stage >= mjSTAGE_POS) parts |= CT_TO_POSITION;
  if (stage >= mjSTAGE_VEL) parts |= CT_TO_VELOCITY;
  return stage == mjSTAGE_ACC ? parts | CT_TO_ACCELERATION : parts;
}

static void go_forward(void* argument) {
  Work* w = (Work*)argument;
  refuse_to_sleep(w);
  refuse_missing_trees(w);
  int status = ct_walk_silently(w->m, w->d, ct_parts_up_to(w->run->stage));
  bool accelerated = w->run->stage == mjSTAGE_ACC;
  if (accelerated) status |= ct_check_acceleration(lane_one(), w->m, w->d) & CT_BAD_QACC;
  w->status |= (unsigned)(status & CT_PUBLIC_STATUS);
}

// An environment that is to be reset on its next step stays so.
static void forward_environment(Work* w) {
  char* message = w->worker->message;
  unsigned known = (unsigned)w->b->status[w->environment];
  ct_load_results(w->b, w->environment, w->d);
  bool good = ct_run_guarded(go_forward, w, message, CT_REASON_ROOM);
  if (good) {
    ct_store_environment(w->b, w->environment, w->m, w->d, true);
  } else {
    fail(w, message);
  }
  forget_contacts(w);
  w->status |= known;
  finish(w, known);
}

// All environments

typedef struct {
  ct_CpuBatch* b;
  const int* ids;
  const ct_BatchRun* run;
  const ct_BatchStart* start;
  ct_BatchFunction function;
  void* argument;
  bool save;
  int fours;  // of neighbours in the selection, which are the first items of the job
  uint64_t seen;
} Job;

static int environment_of(const Job* job, int item) {
  return job->ids ? job->ids[item] : item;
}

static void run_four(const Job* job, int member, int first) {
  Work w[CT_ABREAST];
  for (int k = 0; k < CT_ABREAST; k++) {
    w[k] = begin(job->b, member, environment_of(job, first + k));
    w[k].run = job->run;
    w[k].d = w[k].worker->beside[k];
    ct_load_beside(job->b, w[k].environment, w[k].m, w[k].d);
  }
  step_abreast(w, job->seen);
}

static void run_item(void* argument, int member, int item) {
  const Job* job = (const Job*)argument;
  if (item < job->fours) {
    run_four(job, member, CT_ABREAST * item);
    return;
  }
  item += (CT_ABREAST - 1) * job->fours;
  Work w = begin(job->b, member, environment_of(job, item));
  w.run = job->run;
  w.d = ct_load_environment(w.b, w.worker, w.environment, w.m, false);
  if (w.run->nstep) {
    step_environment(&w);
  } else {
    forward_environment(&w);
  }
}

// Do environments step side by side? Not so few that threads would have nothing to do.
static bool walks_abreast(const ct_CpuBatch* b, const ct_BatchRun* run, int count) {
  return b->worker->abreast && run->nstep && !b->models && !b->varied.count &&
         count >= CT_ABREAST * ct_team_size(b->team) && !ct_has_user_code(b->m);
}

int ct_cpu_run(void* self, const ct_BatchRun* run) {
  Job job;
  memset(&job, 0, sizeof(job));
  int count;
  job.b = (ct_CpuBatch*)self;
  job.run = run;
  job.ids = ct_select(job.b, run->mask, &count);
  if (walks_abreast(job.b, run, count)) job.fours = count / CT_ABREAST;
  job.seen = what_is_seen(job.b, run);
  ct_team_run(job.b->team, count - (CT_ABREAST - 1) * job.fours, run_item, &job);
  return CT_BATCH_OK;
}

static void reset_item(void* argument, int member, int item) {
  const Job* job = (const Job*)argument;
  Work w = begin(job->b, member, environment_of(job, item));
  w.start = job->start;
  w.d = ct_data_at_work(w.b, w.worker, w.environment);
  if (ct_run_guarded(reset_to_start, &w, w.worker->message, CT_REASON_ROOM)) {
    ct_store_environment(w.b, w.environment, w.m, w.d, true);
  } else {
    fail(&w, w.worker->message);
    finish(&w, 0);
  }
}

int ct_cpu_reset(void* self, const ct_BatchStart* start) {
  Job job;
  memset(&job, 0, sizeof(job));
  int count;
  job.b = (ct_CpuBatch*)self;
  job.start = start;
  job.ids = ct_select(job.b, start->mask, &count);
  ct_team_run(job.b->team, count, reset_item, &job);
  return CT_BATCH_OK;
}

// Functions of the user

typedef struct {
  Work* w;
  const Job* job;
} Call;

static void call_function(void* argument) {
  const Call* call = (const Call*)argument;
  Work* w = call->w;
  ct_load_environment(w->b, w->worker, w->environment, w->m, true);
  call->job->function(w->m, w->d, w->environment, call->job->argument);
}

// The status stays what the last step left, unless the function fails.
static void apply_item(void* argument, int member, int item) {
  const Job* job = (const Job*)argument;
  Work w = begin(job->b, member, environment_of(job, item));
  w.d = ct_data_at_work(w.b, w.worker, w.environment);
  Call call = {&w, job};
  if (!ct_run_guarded(call_function, &call, w.worker->message, CT_REASON_ROOM)) {
    fail(&w, w.worker->message);
    finish(&w, 0);
  } else if (job->save) {
    ct_store_environment(w.b, w.environment, w.m, w.d, false);
  }
}

int ct_cpu_apply(void* self, const mjtByte* mask, ct_BatchFunction function, void* argument,
                 bool save) {
  Job job;
  memset(&job, 0, sizeof(job));
  int count;
  job.b = (ct_CpuBatch*)self;
  job.function = function;
  job.argument = argument;
  job.save = save;
  job.ids = ct_select(job.b, mask, &count);
  ct_team_run(job.b->team, count, apply_item, &job);
  return CT_BATCH_OK;
}
