// The forward question: one evaluation of both engines at the same states of the reference's model,
// every field of mjData compared after mj_forward, after the quantities that are computed on
// demand, and after mj_inverse; at the first two states also after mj_step.

#include <stdlib.h>
#include <string.h>

#include "conformance/given_contacts.h"
#include "conformance/states.h"
#include "conformance/tally.h"

// Writes the byte everywhere, also where a sanitizer thinks that nobody has been given memory.
__attribute__((no_sanitize("address"))) static void flood(void* memory, int byte, size_t n) {
#ifdef CT_ASAN
  volatile unsigned char* at = (volatile unsigned char*)memory;
  for (size_t i = 0; i < n; i++) at[i] = (unsigned char)byte;
#else
  memset(memory, byte, n);
#endif
}

// What memory is filled with: two results of the reference and ours show by it what nobody writes.
enum { FIRST_BYTE = 0, SECOND_BYTE = 0x5a, OUR_BYTE = 0x33 };

// Makes memory hold a known byte wherever nothing will be written, and resets.
static void fill(const Engine* e, const mjModel* m, mjData* d, int byte) {
  // contacts and rows grow from below, scratch from above; the middle of a large arena stays
  // untouched
  size_t n = (size_t)d->narena, most = (size_t)32 << 20, part = n < most ? n : most;
  flood(d->arena, byte, part);
  flood((char*)d->arena + n - part, byte, part);
  if (byte) {
    e->mj_resetDataDebug(m, d, (unsigned char)byte);
  } else {
    e->mj_resetData(m, d);
  }
}

// State number i: even ones are random, odd ones are what a random state has become after some
// steps, so that contacts are real ones.
static mjtNum* draw_state(const Engine* e, const mjModel* m, const char* path, int i) {
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

// The same, or NULL if the reference raises an error.
static mjtNum* try_state(const Inquiry* q, const mjModel* m, const char* path, int i) {
  mjtNum* volatile state = NULL;
  begin(q, ASK_FORWARD, q->reference);
  ENGINE_TRY(state = draw_state(q->reference, m, path, i), state = NULL);
  return state;
}

// Makes an mjData with an arena of another size than the model says.
static bool make_with_arena(const Engine* e, mjModel* m, mjtSize size, mjData** d) {
  mjtSize narena = m->narena;
  bool volatile fine = true;
  m->narena = size;
  ENGINE_TRY(*d = e->mj_makeData(m), fine = false);
  m->narena = narena;
  return fine;
}

// Makes the second data of the reference, with an arena twice as large: scratch memory, which
// starts at the arena's end, then lies elsewhere, and what it leaves behind is not taken for a
// result.
static bool make_roomy(const Engine* e, mjModel* m, mjData** d) {
  return make_with_arena(e, m, 2 * m->narena, d);
}

// Puts an mjData, made if it is NULL, to the given state; false if the engine raised an error.
static bool place(const Engine* e, const mjModel* m, const mjtNum* state, int byte, mjData** d) {
  bool volatile fine = true;
  ENGINE_TRY(
      {
        if (!*d) *d = e->mj_makeData(m);
        fill(e, m, *d, byte);
        e->mj_setState(m, *d, state, mjSTATE_INTEGRATION);
      },
      fine = false);
  return fine;
}

typedef struct {
  mjData *a, *b, *ours;  // the reference, the reference over other bytes, ours
  // from a start moved by rounding, made when they are needed: as above
  mjData *moved, *moved_twice, *ours_moved;
  RoundingSpread spread;
  const mjtNum* state;  // that they were put to
  int number;           // of that state
} Four;

// A part of the evaluation, done by one engine on one mjData. `a` is the reference's result so far.
typedef void (*Act)(const Engine* e, const mjModel* m, mjData* d, const mjData* a);

static void act_forward(const Engine* e, const mjModel* m, mjData* d, const mjData* a) {
  (void)a;
  e->mj_forward(m, d);
}

static void act_on_demand(const Engine* e, const mjModel* m, mjData* d, const mjData* a) {
  (void)a;
  e->mj_subtreeVel(m, d);
  e->mj_rnePostConstraint(m, d);
}

// Inverse dynamics reads qacc, which comes from the solver: everybody gets the reference's.
static void act_inverse(const Engine* e, const mjModel* m, mjData* d, const mjData* a) {
  memmove(d->qacc, a->qacc, sizeof(mjtNum) * (size_t)m->nv);
  e->mj_inverse(m, d);
}

static void act_step(const Engine* e, const mjModel* m, mjData* d, const mjData* a) {
  (void)a;
  e->mj_step(m, d);
}

static const struct {
  const char* name;
  Act act;
} parts[] = {{"forward", act_forward},
             {"on demand", act_on_demand},
             {"inverse", act_inverse},
             {"step", act_step}};
enum { FORWARD, ON_DEMAND, INVERSE, STEP };

static bool try_act(const Engine* e, const mjModel* m, mjData* d, const mjData* a, int part) {
  bool volatile fine = true;
  ENGINE_TRY(parts[part].act(e, m, d, a), fine = false);
  return fine;
}

// What rounding does

// Did a step meet bad numbers, and start again from qpos0?
static bool started_again(const mjModel* m, const mjData* d) {
  bool bad = d->warning[mjWARN_BADQPOS].number || d->warning[mjWARN_BADQVEL].number ||
             d->warning[mjWARN_BADQACC].number;
  return bad && !(m->opt.disableflags & mjDSBL_AUTORESET);
}

// Lets an engine do everything up to this part again, over this byte, from a start moved by
// rounding. A step comes first, whatever was done before it; one that started again would forget
// what was moved, so it is repeated from where it started again.
static bool repeat_moved(const Engine* e, const mjModel* m, const Four* d, int part, Random* r,
                         int byte, mjData** moved) {
  if (!place(e, m, d->state, byte, moved)) return false;
  if (part == STEP && started_again(m, d->a)) e->mj_resetData(m, *moved);
  move_by_rounding(m, *moved, d->a, r);
  for (int k = part == STEP ? STEP : 0; k <= part; k++) {
    if (k == INVERSE && byte == SECOND_BYTE) mark_solved(m, *moved);
    if (!try_act(e, m, *moved, d->a, k)) return false;
  }
  return true;
}

// Measures how far rounding moves what the reference has computed so far; false if it fails.
static bool measure_spread(const Engine* e, mjModel* m, Four* d, int part) {
  if (d->spread.data) e->mj_deleteData(d->spread.data);
  d->spread.data = NULL;
  // a reset may run a whole mj_forward, so the model's own size is the least
  mjtSize room = spread_room(d->a);
  room = room > m->narena ? room : m->narena;
  if (!make_with_arena(e, m, room, &d->spread.data)) return false;
  Random r = random_seeded("spread", d->number);
  spread_start(m, &d->spread, d->a);
  for (int k = 0; k < MOST_SAMPLES && k < SPREAD_SAMPLES + d->spread.regrouped; k++) {
    if (!repeat_moved(e, m, d, part, &r, FIRST_BYTE, &d->moved)) return false;
    spread_widen(m, &d->spread, d->a, d->moved);
  }
  return true;
}

// Comparing

typedef struct {  // verdicts that may still be taken back
  FieldVerdict* list;
  int n;
  bool wrong;
} Draft;

static void note_verdict(void* draft, const FieldVerdict* v) {
  Draft* to = (Draft*)draft;
  to->list = (FieldVerdict*)realloc(to->list, sizeof(FieldVerdict) * (size_t)(to->n + 1));
  to->list[to->n++] = *v;
  to->wrong = to->wrong || (v->wrong && v->kind == FIELD_RESULT);
}

static bool agree(const mjModel* m, const Results* results, const FieldFilter* filter) {
  Draft draft = {NULL, 0, false};
  compare_data(m, results, filter, note_verdict, &draft);
  free(draft.list);
  return !draft.wrong;
}

// Is what was measured about the one result of the size of the other?
static bool same_sizes(const mjData* a, const mjData* b) {
  return a->ncon == b->ncon && a->nefc == b->nefc && a->nJ == b->nJ && a->nA == b->nA &&
         a->nisland == b->nisland && a->nidof == b->nidof;
}

// Does the reference, from a start moved by rounding, give all that ours gives?
static bool reference_may(const Engine* e, mjModel* m, Four* d, int part, Random r, Results results,
                          const FieldFilter* filter) {
  if (!d->moved_twice && !make_roomy(e, m, &d->moved_twice)) return false;
  Random again = r;
  if (!repeat_moved(e, m, d, part, &r, FIRST_BYTE, &d->moved)) return false;
  if (!repeat_moved(e, m, d, part, &again, SECOND_BYTE, &d->moved_twice)) return false;
  if (!same_sizes(d->a, d->moved)) results.spread = NULL;
  results.reference = d->moved;
  results.twice = same_sizes(d->moved, d->moved_twice) ? d->moved_twice : d->moved;
  return agree(m, &results, filter);
}

// Does ours, from such a start, give all that the reference gives?
static bool ours_may(const Engine* e, mjModel* m, Four* d, int part, Random r, Results results,
                     const FieldFilter* filter) {
  if (!repeat_moved(e, m, d, part, &r, OUR_BYTE, &d->ours_moved)) return false;
  results.ours = d->ours_moved;
  return agree(m, &results, filter);
}

// Does only that differ which comes of a solver's iterations? Then both had the same problem.
static bool solver_alone(const Draft* draft) {
  static const char* const after[] = {"SOLVER", "SENSOR", "POST", "STATE"};
  for (int i = 0; i < draft->n; i++) {
    const FieldVerdict* v = draft->list + i;
    bool is_after = !v->wrong || v->kind != FIELD_RESULT;
    for (size_t k = 0; k < sizeof(after) / sizeof(after[0]); k++) {
      is_after = is_after || !strcmp(v->stage, after[k]);
    }
    if (!is_after) return false;
  }
  return true;
}

// A contact that the last bit puts elsewhere, or an iteration that it ends, changes everything that
// comes after. That is no disagreement if the reference gives our results, all of them, from a
// start that differs in the last bits only. The other way round, where the reference stands firm
// and ours does not, it could be a fault of ours that shows in special positions; only the end of
// an iteration is excused by that.
static bool rounding_decides(const Inquiry* q, mjModel* m, Four* d, int part,
                             const Results* results, const FieldFilter* filter,
                             const Draft* draft) {
  bool iterations = solver_alone(draft);
  for (int k = 0; k < MOST_SAMPLES; k++) {
    Random r = random_seeded("rival", 1000 * d->number + k);
    begin(q, ASK_FORWARD, q->reference);
    if (reference_may(q->reference, m, d, part, r, *results, filter)) return true;
    if (!iterations) continue;
    begin(q, ASK_FORWARD, q->ours);
    if (ours_may(q->ours, m, d, part, r, *results, filter)) return true;
  }
  return false;
}

// What was wrong agrees only thanks to rounding.
static void excuse(FieldVerdict* v) {
  if (!v->wrong) return;
  if (!v->rounded || v->worst.error > v->worst_rounded.error) v->worst_rounded = v->worst;
  v->rounded += v->wrong;
  v->undefined += v->wrong;
  v->compared -= v->wrong;
  v->wrong = 0;
}

// Compares; where something disagrees, once more with what rounding does to the reference.
static void compare_part(mjModel* m, Four* d, int part, Tally* t, const FieldFilter* filter) {
  const Engine* e = t->q->reference;
  // where the smaller arena was too small, the second result tells nothing
  bool alike = d->a->ncon == d->b->ncon && d->a->nefc == d->b->nefc;
  Results results = {d->a, alike ? d->b : d->a, d->ours,
                     part == INVERSE ? AFTER_INVERSE
                     : part == STEP  ? AFTER_STEP
                                     : AFTER_FORWARD,
                     NULL};
  Draft draft = {NULL, 0, false};
  compare_data(m, &results, filter, note_verdict, &draft);
  if (draft.wrong) begin(t->q, ASK_FORWARD, e);
  if (draft.wrong && measure_spread(e, m, d, part)) {
    results.spread = &d->spread;
    t->regrouped += d->spread.regrouped;
    draft.n = 0;
    draft.wrong = false;
    compare_data(m, &results, filter, note_verdict, &draft);
  }
  // a model with one number that is wrong has its verdict
  if (draft.wrong && !t->wrong && rounding_decides(t->q, m, d, part, &results, filter, &draft)) {
    for (int i = 0; i < draft.n; i++) excuse(draft.list + i);
  }
  for (int i = 0; i < draft.n; i++) count_field(t, draft.list + i);
  free(draft.list);
}

// Lets all three act and compares them; false if an engine raised an error (told in the answer).
static bool act_and_compare(mjModel* m, Four* d, int part, Tally* t, const FieldFilter* filter) {
  const Inquiry* q = t->q;
  begin(q, ASK_FORWARD, q->reference);
  if (!try_act(q->reference, m, d->a, d->a, part) || !try_act(q->reference, m, d->b, d->a, part)) {
    answer_error(t, q->reference);
    return false;
  }
  begin(q, ASK_FORWARD, q->ours);
  if (!try_act(q->ours, m, d->ours, d->a, part)) {
    answer_error(t, q->ours);
    return false;
  }
  snprintf(t->where, sizeof(t->where), "%s, state %d", parts[part].name, d->number);
  compare_part(m, d, part, t, filter);
  return true;
}

// The asked filter, narrowed to one stage; false if it excludes that stage.
static bool narrow(const FieldFilter* asked, const char* stage, FieldFilter* filter) {
  filter->field = asked->field;
  filter->stage = stage;
  return !asked->stage || strstr(stage, asked->stage);
}

// Momenta of subtrees, accelerations and forces of bodies exist where a sensor asked for them, so
// they are asked for.
static bool compare_on_demand(mjModel* m, Four* d, Tally* t) {
  static const char* const stages[] = {"SUBTREE", "POST"};
  for (size_t i = 0; i < sizeof(stages) / sizeof(stages[0]); i++) {
    FieldFilter filter;
    if (!narrow(&t->q->filter, stages[i], &filter)) continue;
    if (!act_and_compare(m, d, ON_DEMAND, t, &filter)) return false;
  }
  return true;
}

static bool evaluate(mjModel* m, Four* d, Tally* t) {
  if (!act_and_compare(m, d, FORWARD, t, &t->q->filter)) return false;
  if (!compare_on_demand(m, d, t)) return false;
  mark_solved(m, d->b);
  return act_and_compare(m, d, INVERSE, t, &t->q->filter);
}

// Puts all three to the state; false if an engine raised an error (told in the answer).
static bool place_all(mjModel* m, Four* d, Tally* t) {
  const Inquiry* q = t->q;
  begin(q, ASK_FORWARD, q->reference);
  if ((!d->b && !make_roomy(q->reference, m, &d->b)) ||
      !place(q->reference, m, d->state, FIRST_BYTE, &d->a) ||
      !place(q->reference, m, d->state, SECOND_BYTE, &d->b)) {
    answer_error(t, q->reference);
    return false;
  }
  begin(q, ASK_FORWARD, q->ours);
  if (!place(q->ours, m, d->state, OUR_BYTE, &d->ours)) {
    answer_error(t, q->ours);
    return false;
  }
  return true;
}

// What only a step writes: histories, sleep, what the next solver starts from. RK4 evaluates four
// times, so that nothing would be left that is not behind the solver: Euler takes its place.
static bool step_and_compare(mjModel* m, Four* d, Tally* t) {
  int own = m->opt.integrator;
  if (own == mjINT_RK4) m->opt.integrator = mjINT_EULER;
  bool fine = place_all(m, d, t) && act_and_compare(m, d, STEP, t, &t->q->filter);
  m->opt.integrator = own;
  return fine;
}

enum { STATES_STEPPED = 2 };  // one drawn, one that has become

// Compares one state; false if an engine raised an error (told in the answer).
static bool place_and_compare(mjModel* m, Four* d, Tally* t) {
  const Inquiry* q = t->q;
  if (!place_all(m, d, t)) return false;
  if (q->given_contacts) return compare_given_contacts(m, d->a, d->b, d->ours, d->number, t);
  return evaluate(m, d, t) && (d->number >= STATES_STEPPED || step_and_compare(m, d, t));
}

// The same; false too if the model is not what it was before.
static bool compare_state(mjModel* m, Four* d, Tally* t) {
  uint64_t before = model_checksum(m);
  bool fine = place_and_compare(m, d, t);
  snprintf(t->where, sizeof(t->where), "state %d", d->number);
  return left_model_alone(t, m, before) && fine;
}

void ask_forward(const Inquiry* q, const char* path, mjModel* m) {
  Tally t = new_tally(q, ASK_FORWARD);
  t.m = m;
  t.path = path;
  t.integrator = m->opt.integrator;
  Four d;
  memset(&d, 0, sizeof(d));
  bool fine = true;
  for (int i = 0; fine && i < q->states; i++) {
    mjtNum* state = try_state(q, m, path, i);
    if (state) {
      d.state = state;
      d.number = i;
      fine = compare_state(m, &d, &t);
      free(state);
    } else {
      answer_error(&t, q->reference);
      fine = false;
    }
  }
  if (fine) answer(&t, t.wrong ? "no" : t.compared ? "yes" : "skipped", "");
  if (d.a) q->reference->mj_deleteData(d.a);
  if (d.b) q->reference->mj_deleteData(d.b);
  if (d.moved) q->reference->mj_deleteData(d.moved);
  if (d.moved_twice) q->reference->mj_deleteData(d.moved_twice);
  if (d.spread.data) q->reference->mj_deleteData(d.spread.data);
  if (d.ours) q->ours->mj_deleteData(d.ours);
  if (d.ours_moved) q->ours->mj_deleteData(d.ours_moved);
}
