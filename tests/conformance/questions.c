#include "conformance/questions.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "conformance/states.h"

const char* const question_names[NQUESTION] = {"loads", "model", "forward", "trajectory"};

// ------------------------------------------------------------------ answers

static void begin(const Inquiry* q, int question, const Engine* e) {
  fprintf(q->answers, "B\t%s\t%s\n", question_names[question], e->label);
  fflush(q->answers);
}

typedef struct {  // what the fields of one question add up to
  const Inquiry* q;
  int question;
  char where[80];
  long compared, wrong, undefined;
} Tally;

static void answer(const Tally* t, const char* verdict, const char* detail) {
  char line[240];
  snprintf(line, sizeof(line), "%s", detail);
  for (char* p = line; *p; p++) {
    if (*p == '\n' || *p == '\t' || *p == '\r') *p = ' ';
  }
  fprintf(t->q->answers, "R\t%s\t%s\t%ld\t%ld\t%ld\t%s\n", question_names[t->question], verdict,
          t->compared, t->wrong, t->undefined, line);
  fflush(t->q->answers);
}

// "missing" if the engine says that the function is not written yet, else "no".
static void answer_error(const Tally* t, const Engine* e) {
  char detail[240];
  snprintf(detail, sizeof(detail), "%s: %.200s", e->label, engine_trap.message);
  answer(t, engine_lacks_function() ? "missing" : "no", detail);
}

static void count_field(void* context, const FieldVerdict* v) {
  Tally* t = (Tally*)context;
  t->undefined += v->undefined;
  if (v->kind == FIELD_RESULT) {
    t->compared += v->compared;
    t->wrong += v->wrong;
  }
  if (!v->wrong) return;
  fprintf(t->q->answers, "M\t%s\t%s\t%s\t%s\t%ld\t%.17g\t%.17g\t%.3g\t%ld\t%s\n",
          question_names[t->question], v->kind == FIELD_APART ? "apart" : "result", v->stage,
          v->field, v->index, v->reference, v->ours, v->error, v->wrong, t->where);
}

// Random numbers depend on the file's name, not on where it lies.
static const char* model_name(const char* path) {
  const char* slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

// ------------------------------------------------------------------ loads, model

static void ask_loads_and_model(const Inquiry* q, const char* path, const mjModel* reference) {
  Tally loads = {q, ASK_LOADS, "", 1, 0, 0}, model = {q, ASK_MODEL, "", 0, 0, 0};
  char error[1024] = "";
  mjModel* ours = NULL;
  begin(q, ASK_LOADS, q->ours);
  bool raised = false;
  ENGINE_TRY(ours = q->ours->mj_loadXML(path, NULL, error, sizeof(error)), raised = true);
  if (raised) {
    loads.wrong = 1;
    answer_error(&loads, q->ours);
    answer_error(&model, q->ours);
    return;
  }
  bool same = (ours != NULL) == (reference != NULL);
  bool missing = !same && strstr(error, "not part of this version") != NULL;
  const char* otherwise = missing ? "missing" : "no";
  loads.wrong = !same;
  answer(&loads, same ? "yes" : otherwise, same ? "" : ours ? "the reference refuses it" : error);
  if (!(q->ask & (1u << ASK_MODEL))) {
  } else if (!ours || !reference) {
    answer(&model, same ? "skipped" : otherwise, "no model to compare");
  } else {
    begin(q, ASK_MODEL, q->ours);
    compare_models(reference, ours, &q->filter, count_field, &model);
    answer(&model, model.wrong ? "no" : "yes", "");
  }
  if (ours) q->ours->mj_deleteModel(ours);
}

// ------------------------------------------------------------------ forward

// A data whose memory holds a known byte wherever nothing was written.
static mjData* filled_data(const Engine* e, const mjModel* m, int byte) {
  mjData* d = e->mj_makeData(m);
  if (!d) return NULL;
  // contacts and rows grow from below, scratch from above; the middle of a large arena stays
  // untouched
  size_t n = (size_t)d->narena, most = (size_t)32 << 20, part = n < most ? n : most;
  memset(d->arena, byte, part);
  memset((char*)d->arena + n - part, byte, part);
  if (byte) {
    e->mj_resetDataDebug(m, d, (unsigned char)byte);
  } else {
    e->mj_resetData(m, d);
  }
  return d;
}

// State number i: even ones are random, odd ones are what a random state has become after some
// steps.
static mjtNum* draw_state(const Inquiry* q, const mjModel* m, const char* path, int i) {
  const Engine* e = q->reference;
  Random r = random_seeded(model_name(path), i);
  mjData* d = e->mj_makeData(m);
  if (!d) return NULL;
  randomise_state(e, m, d, &r);
  if (i % 2) {
    int steps = (int)random_uniform(&r, 5, 50);
    for (int k = 0; k < steps; k++) e->mj_step(m, d);
    randomise_controls(m, d, &r);
  }
  mjtNum* state = (mjtNum*)malloc(sizeof(mjtNum) * (size_t)e->mj_stateSize(m, mjSTATE_INTEGRATION));
  e->mj_getState(m, d, state, mjSTATE_INTEGRATION);
  e->mj_deleteData(d);
  return state;
}

// One data at the given state, evaluated. NULL if the engine raised an error.
static mjData* evaluate(const Engine* e, const mjModel* m, const mjtNum* state, int byte) {
  mjData* volatile d = NULL;
  bool volatile raised = false;
  ENGINE_TRY(
      {
        d = filled_data(e, m, byte);
        e->mj_setState(m, d, state, mjSTATE_INTEGRATION);
        e->mj_forward(m, d);
      },
      raised = true);
  if (raised) return NULL;
  return d;
}

// Inverse dynamics reads qacc, which comes from the solver: give ours the reference's.
static bool evaluate_inverse(const Engine* e, const mjModel* m, mjData* d,
                             const mjData* reference) {
  bool volatile fine = true;
  ENGINE_TRY(
      {
        memcpy(d->qacc, reference->qacc, sizeof(mjtNum) * (size_t)m->nv);
        e->mj_inverse(m, d);
      },
      fine = false);
  return fine;
}

// Compares one state in both directions; false if an engine raised an error (told in the answer).
static bool compare_state(const Inquiry* q, const mjModel* m, const mjtNum* state, int number,
                          Tally* t) {
  mjData *a = NULL, *b = NULL, *ours = NULL;
  bool fine = false;
  begin(q, ASK_FORWARD, q->reference);
  a = evaluate(q->reference, m, state, 0);
  b = a ? evaluate(q->reference, m, state, 0x5a) : NULL;
  if (!b) {
    answer(t, t->wrong ? "no" : "skipped", engine_trap.message);
    goto done;
  }
  begin(q, ASK_FORWARD, q->ours);
  ours = evaluate(q->ours, m, state, 0x33);
  if (!ours) {
    answer_error(t, q->ours);
    goto done;
  }
  snprintf(t->where, sizeof(t->where), "forward, state %d", number);
  compare_data(m, a, b, ours, true, &q->filter, count_field, t);

  if (!evaluate_inverse(q->reference, m, a, a) || !evaluate_inverse(q->reference, m, b, a)) {
    answer(t, t->wrong ? "no" : "skipped", engine_trap.message);
    goto done;
  }
  if (!evaluate_inverse(q->ours, m, ours, a)) {
    answer_error(t, q->ours);
    goto done;
  }
  snprintf(t->where, sizeof(t->where), "inverse, state %d", number);
  compare_data(m, a, b, ours, true, &q->filter, count_field, t);
  fine = true;

done:
  if (a) q->reference->mj_deleteData(a);
  if (b) q->reference->mj_deleteData(b);
  if (ours) q->ours->mj_deleteData(ours);
  return fine;
}

// The same, or NULL if the reference raises an error.
static mjtNum* try_state(const Inquiry* q, const mjModel* m, const char* path, int i) {
  mjtNum* volatile state = NULL;
  ENGINE_TRY(state = draw_state(q, m, path, i), state = NULL);
  return state;
}

static void ask_forward(const Inquiry* q, const char* path, const mjModel* m) {
  Tally t = {q, ASK_FORWARD, "", 0, 0, 0};
  for (int i = 0; i < q->states; i++) {
    begin(q, ASK_FORWARD, q->reference);
    mjtNum* state = try_state(q, m, path, i);
    if (!state) {
      answer(&t, "skipped", engine_trap.message);
      return;
    }
    bool fine = compare_state(q, m, state, i, &t);
    free(state);
    if (!fine) return;
  }
  if (!t.compared) {
    answer(&t, "skipped", "nothing was compared");
  } else {
    answer(&t, t.wrong ? "no" : "yes", "");
  }
}

// ------------------------------------------------------------------ trajectory

static const int horizons[] = {1, 10, 100, 1000};
enum { NHORIZON = 4 };

static double seconds_now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// Largest difference of qpos, qvel, act, relative to max(1, |x|).
static double state_error(const mjModel* m, const mjData* a, const mjData* b) {
  double error = 0;
  const mjtNum* x[3] = {a->qpos, a->qvel, a->act};
  const mjtNum* y[3] = {b->qpos, b->qvel, b->act};
  const mjtSize n[3] = {m->nq, m->nv, m->na};
  for (int k = 0; k < 3; k++) {
    for (mjtSize i = 0; i < n[k]; i++) {
      double d = fabs((double)(x[k][i] - y[k][i])) / fmax(1, fabs((double)x[k][i]));
      if (isnan(d)) return d;
      if (d > error) error = d;
    }
  }
  return error;
}

typedef struct {
  double ours, chaos;  // error of ours, and of the reference started 1e-13 away
  int steps;           // steps taken when they were measured
} Drift;

typedef struct {
  mjData *a, *moved, *ours;  // the reference, the reference from 1e-13 away, ours
} Three;

static bool try_make(const Inquiry* q, const mjModel* m, Three* d) {
  bool volatile fine = true;
  ENGINE_TRY(
      {
        d->a = q->reference->mj_makeData(m);
        d->moved = q->reference->mj_makeData(m);
        d->ours = q->ours->mj_makeData(m);
      },
      fine = false);
  return fine;
}

static bool try_step(const Inquiry* q, const mjModel* m, const Three* d) {
  bool volatile fine = true;
  memcpy(d->moved->ctrl, d->a->ctrl, sizeof(mjtNum) * (size_t)m->nu);
  memcpy(d->ours->ctrl, d->a->ctrl, sizeof(mjtNum) * (size_t)m->nu);
  ENGINE_TRY(
      {
        q->reference->mj_step(m, d->a);
        q->reference->mj_step(m, d->moved);
        q->ours->mj_step(m, d->ours);
      },
      fine = false);
  return fine;
}

// All three step by step with the same controls. Returns the number of horizons reached within the
// time, -1 if an engine raised an error.
static int run_together(const Inquiry* q, const mjModel* m, const char* path, double until,
                        Drift drift[NHORIZON]) {
  Three d = {NULL, NULL, NULL};
  int reached = 0;
  Random r = random_seeded(model_name(path), 1000);
  bool fine = try_make(q, m, &d);
  for (int i = 0; fine && i < m->nv; i++) d.moved->qvel[i] += (mjtNum)1e-13;
  for (int step = 1; fine && step <= q->steps && reached < NHORIZON; step++) {
    if (seconds_now() > until) break;
    if (step % 10 == 1) randomise_controls(m, d.a, &r);
    fine = try_step(q, m, &d);
    if (fine && step == horizons[reached]) {
      drift[reached].ours = state_error(m, d.a, d.ours);
      drift[reached].chaos = state_error(m, d.a, d.moved);
      drift[reached].steps = step;
      reached++;
    }
  }
  if (d.a) q->reference->mj_deleteData(d.a);
  if (d.moved) q->reference->mj_deleteData(d.moved);
  if (d.ours) q->ours->mj_deleteData(d.ours);
  return fine ? reached : -1;
}

// A model that turns 1e-13 into this much within the horizon cannot be judged there.
static const double chaotic = 1e-4;

// How much error is allowed where the reference itself drifts by `chaos` from 1e-13 away.
static double allowed(double chaos) {
  return fmax(1e-8, 1e3 * chaos);
}

static const struct {
  const char* name;
  int integrator;
} integrators[] = {{"own", -1},
                   {"Euler", mjINT_EULER},
                   {"implicit", mjINT_IMPLICIT},
                   {"implicitfast", mjINT_IMPLICITFAST},
                   {"RK4", mjINT_RK4}};

static void judge_drift(Tally* t, const char* integrator, int reached, const Drift* drift) {
  for (int k = 0; k < reached; k++) {
    if (drift[k].chaos > chaotic) {
      t->undefined++;
      continue;
    }
    t->compared++;
    if (drift[k].ours <= allowed(drift[k].chaos)) continue;
    t->wrong++;
    fprintf(t->q->answers,
            "M\ttrajectory\tresult\t%s\tstate\t%d\t%.17g\t%.17g\t%.3g\t1\tafter %d steps\n",
            integrator, drift[k].steps, drift[k].chaos, drift[k].ours, drift[k].ours,
            drift[k].steps);
  }
}

static void ask_trajectory(const Inquiry* q, const char* path, mjModel* m) {
  Tally t = {q, ASK_TRAJECTORY, "", 0, 0, 0};
  int count = (int)(sizeof(integrators) / sizeof(integrators[0]));
  char detail[240] = "";
  double start = seconds_now();
  int own = m->opt.integrator;
  for (int k = 0; k < count; k++) {
    Drift drift[NHORIZON];
    begin(q, ASK_TRAJECTORY, q->ours);
    m->opt.integrator = integrators[k].integrator < 0 ? own : integrators[k].integrator;
    double until = start + q->seconds * (k + 1) / count;
    int reached = run_together(q, m, path, until, drift);
    m->opt.integrator = own;
    if (reached < 0) {
      answer_error(&t, q->ours);
      return;
    }
    judge_drift(&t, integrators[k].name, reached, drift);
    size_t used = strlen(detail);
    if (reached) {
      snprintf(detail + used, sizeof(detail) - used, "%s %d:%.1e(%.0e) ", integrators[k].name,
               drift[reached - 1].steps, drift[reached - 1].ours, drift[reached - 1].chaos);
    }
  }
  answer(&t, t.wrong ? "no" : t.compared ? "yes" : "chaotic", detail);
}

// ------------------------------------------------------------------

void ask_about(const Inquiry* q, const char* path) {
  char error[1024] = "";
  mjModel* volatile m = NULL;
  begin(q, ASK_LOADS, q->reference);
  ENGINE_TRY(m = q->reference->mj_loadXML(path, NULL, error, sizeof(error)), m = NULL);
  if (q->ask & (1u << ASK_LOADS | 1u << ASK_MODEL)) ask_loads_and_model(q, path, m);
  if (!m) {
    Tally t = {q, ASK_FORWARD, "", 0, 0, 0};
    if (q->ask & (1u << ASK_FORWARD)) answer(&t, "skipped", "the reference refuses the model");
    t.question = ASK_TRAJECTORY;
    if (q->ask & (1u << ASK_TRAJECTORY)) answer(&t, "skipped", "the reference refuses the model");
    return;
  }
  m->opt.disableflags |= (int)q->disable;
  if (q->ask & (1u << ASK_FORWARD)) ask_forward(q, path, m);
  if (q->ask & (1u << ASK_TRAJECTORY)) ask_trajectory(q, path, m);
  q->reference->mj_deleteModel(m);
}
