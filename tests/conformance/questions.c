#include "conformance/questions.h"

#include <stdlib.h>
#include <string.h>

#include "conformance/tally.h"

const char* const question_names[NQUESTION] = {"loads", "model", "forward", "trajectory"};

// An arena is address space, of which a process has a limited amount, and several data are made.
static const mjtSize most_arena = (mjtSize)1 << 30;

mjModel* load_reference(const Inquiry* q, const char* path, char* error, int error_size) {
  mjModel* volatile m = NULL;
  ENGINE_TRY(m = q->reference->mj_loadXML(path, NULL, error, error_size), {
    m = NULL;
    snprintf(error, (size_t)error_size, "%s", engine_trap.message);
  });
  return m;
}

static void set_options(const Inquiry* q, mjModel* m) {
  m->opt.disableflags |= (int)q->disable;
  if (m->narena > most_arena) m->narena = most_arena;
}

// Answers

Tally new_tally(const Inquiry* q, int question) {
  Tally t;
  memset(&t, 0, sizeof(t));
  t.q = q;
  t.question = question;
  return t;
}

void begin(const Inquiry* q, int question, const Engine* e) {
  fprintf(q->answers, "B\t%s\t%s\n", question_names[question], e->label);
  fflush(q->answers);
}

void answer(const Tally* t, const char* verdict, const char* detail) {
  char line[400];
  snprintf(line, sizeof(line), "%s", detail);
  for (char* p = line; *p; p++) {
    if (*p == '\n' || *p == '\t' || *p == '\r') *p = ' ';
  }
  fprintf(t->q->answers, "E\t%s\t%ld\t%ld\n", question_names[t->question], t->rounded,
          t->regrouped);
  fprintf(t->q->answers, "R\t%s\t%s\t%ld\t%ld\t%ld\t%s\n", question_names[t->question], verdict,
          t->compared, t->wrong, t->undefined, line);
  fflush(t->q->answers);
}

// What is not written yet, and what only plugin libraries of the reference can serve. A model with
// nothing of the kind has no excuse, whatever the message says.
static bool may_lack(const mjModel* m) {
  return m && (m->nflex > 0 || m->nplugin > 0);
}

void answer_error(const Tally* t, const Engine* e) {
  char detail[400];
  snprintf(detail, sizeof(detail), "%s: %.300s", e->label, engine_trap.message);
  bool missing = may_lack(t->m) && says_missing(engine_trap.message);
  const char* verdict = e == t->q->reference ? "skipped" : missing ? "missing" : "no";
  answer(t, t->wrong ? "no" : verdict, detail);
}

// FNV-1a, eight bytes at a time.
static uint64_t add_bytes(uint64_t sum, const void* bytes, size_t n) {
  const char* p = (const char*)bytes;
  for (; n; n -= n < 8 ? n : 8, p += 8) {
    uint64_t word = 0;
    memcpy(&word, p, n < 8 ? n : 8);
    sum = (sum ^ word) * 0x100000001b3u;
  }
  return sum;
}

uint64_t model_checksum(const mjModel* m) {
  return add_bytes(add_bytes(0xcbf29ce484222325u, m, sizeof(*m)), m->buffer, (size_t)m->nbuffer);
}

// What differs from the file's model, which is loaded again.
static void name_what_was_written(Tally* t, const mjModel* m) {
  char error[1024];
  FieldFilter all = {NULL, NULL};
  mjModel* fresh = load_reference(t->q, t->path, error, sizeof(error));
  if (!fresh) return;
  set_options(t->q, fresh);
  fresh->opt.integrator = t->integrator;
  snprintf(t->where, sizeof(t->where), "written into the model");
  compare_models(fresh, m, &all, count_field, t);
  t->q->reference->mj_deleteModel(fresh);
}

bool left_model_alone(Tally* t, const mjModel* m, uint64_t before) {
  if (model_checksum(m) == before) return true;
  long wrong = t->wrong;
  name_what_was_written(t, m);
  if (t->wrong == wrong) {  // an address, or a search structure
    FieldVerdict v = new_verdict("model", "values", FIELD_RESULT);
    v.compared = v.wrong = 1;
    count_field(t, &v);
  }
  answer(t, "no", "an engine wrote into the model");
  return false;
}

static void tell_worst(const Tally* t, const FieldVerdict* v, const char* kind, const Worst* worst,
                       long count) {
  fprintf(t->q->answers, "M\t%s\t%s\t%s\t%s\t%ld\t%.17g\t%.17g\t%.3g\t%ld\t%s\n",
          question_names[t->question], kind, v->stage, v->field, worst->index, worst->reference,
          worst->ours, worst->error, count, t->where);
}

void count_field(void* tally, const FieldVerdict* v) {
  Tally* t = (Tally*)tally;
  t->undefined += v->undefined;
  t->rounded += v->rounded;
  if (v->kind == FIELD_RESULT) {
    t->compared += v->compared;
    t->wrong += v->wrong;
  }
  if (v->wrong) {
    tell_worst(t, v, v->kind == FIELD_APART ? "apart" : "result", &v->worst, v->wrong);
  }
  if (v->rounded) tell_worst(t, v, "rounding", &v->worst_rounded, v->rounded);
}

const char* model_name(const char* path) {
  const char* slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

// Loads, model

static void skip_refused(const Inquiry* q, int question, const char* refusal) {
  Tally t = new_tally(q, question);
  char detail[400];
  snprintf(detail, sizeof(detail), "the reference refuses it: %.300s", refusal);
  if (q->ask & (1u << question)) answer(&t, "skipped", detail);
}

static void compare_loaded(const Inquiry* q, const mjModel* reference, const mjModel* ours,
                           const char* otherwise) {
  Tally t = new_tally(q, ASK_MODEL);
  if (!ours || !reference) {
    answer(&t, otherwise, "no model to compare");
    return;
  }
  begin(q, ASK_MODEL, q->ours);
  compare_models(reference, ours, &q->filter, count_field, &t);
  answer(&t, t.wrong ? "no" : t.compared ? "yes" : "skipped", "");
}

static void ask_loads_and_model(const Inquiry* q, const char* path, const mjModel* reference,
                                const char* refusal) {
  Tally loads = new_tally(q, ASK_LOADS);
  char error[1024] = "";
  mjModel* volatile ours = NULL;
  begin(q, ASK_LOADS, q->ours);
  ENGINE_TRY(ours = q->ours->mj_loadXML(path, NULL, error, sizeof(error)), {
    ours = NULL;
    snprintf(error, sizeof(error), "%s", engine_trap.message);
  });
  bool same = (ours != NULL) == (reference != NULL);
  bool missing = !same && !ours && may_lack(reference) && says_missing(error);
  const char* otherwise = missing ? "missing" : "no";
  char detail[400] = "";
  if (!same && ours) {
    snprintf(detail, sizeof(detail), "the reference refuses it: %.300s", refusal);
  } else if (!same) {
    snprintf(detail, sizeof(detail), "%.390s", error);
  }
  loads.compared = 1;
  loads.wrong = !same;
  if (q->ask & (1u << ASK_LOADS)) answer(&loads, same ? "yes" : otherwise, detail);
  if (!ours && !reference) {
    skip_refused(q, ASK_MODEL, refusal);
  } else if (q->ask & (1u << ASK_MODEL)) {
    compare_loaded(q, reference, ours, otherwise);
  }
  if (ours) q->ours->mj_deleteModel(ours);
}

void ask_about(const Inquiry* q, const char* path) {
  char error[1024] = "";
  begin(q, ASK_LOADS, q->reference);
  mjModel* m = load_reference(q, path, error, sizeof(error));
  if (q->ask & (1u << ASK_LOADS | 1u << ASK_MODEL)) ask_loads_and_model(q, path, m, error);
  if (!m) {
    skip_refused(q, ASK_FORWARD, error);
    skip_refused(q, ASK_TRAJECTORY, error);
    return;
  }
  set_options(q, m);
  if (q->ask & (1u << ASK_FORWARD)) ask_forward(q, path, m);
  if (q->ask & (1u << ASK_TRAJECTORY)) ask_trajectory(q, path, m);
  q->reference->mj_deleteModel(m);
}
