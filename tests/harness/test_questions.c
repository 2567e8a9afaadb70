// corten against itself: the four questions answer yes for every model in models/. A copy whose
// results are disturbed, or that crashes on the way, is found out, and the answer names it.

#include "conformance/questions.h"

#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "conformance/crew.h"
#include "conformance/two_libraries.h"

static Engine corten, copy;  // in the reference's place, in corten's; tests spoil either
static Engine genuine;

static Inquiry inquiry(unsigned ask) {
  Inquiry q;
  memset(&q, 0, sizeof(q));
  q.reference = &corten;
  q.ours = &copy;
  q.ask = ask;
  q.states = 2;
  q.steps = 10;
  q.seconds = 20;
  q.disable = mjDSBL_CONSTRAINT | mjDSBL_SENSOR;
  return q;
}

// Sanitizers see the engine on all models elsewhere. Here they look at the questions, for which a
// fourth of the models will do.
static void keep_some(ModelReport* r, int* count) {
#if defined(__SANITIZE_THREAD__) || defined(CT_ASAN)
  int kept = 0;
  for (int i = 0; i < *count; i++) {
    if (i % 4 == 0) {
      r[kept++] = r[i];
    } else {
      free(r[i].path);
    }
  }
  *count = kept;
#else
  (void)r;
  (void)count;
#endif
}

static ModelReport* ask_models(const Inquiry* q, const char* filter, int* count) {
  static ModelReport* r;  // gcc 12 would take the result for the address of a local
  r = NULL;
  *count = 0;
  find_models(CT_SOURCE_DIR "/models", filter, &r, count);
  assert_true(*count > 0);
  if (!filter) keep_some(r, count);
  ask_about_all(q, ask_about, r, *count, 2, 120);
  return r;
}

static int open_engines(void** state) {
  (void)state;
  corten = engine_open(CT_BINARY_DIR "/lib/libcorten.so", "reference");
  genuine = copy = corten;
  copy.label = "corten";
  return 0;
}

// Can say yes

// Yes, or not asked because a function that the model needs is not written yet.
static bool is_fine(const Answer* a) {
  bool missing = strstr(a->detail, "not part of this version") != NULL;
  return !strcmp(a->verdict, "yes") || (!strcmp(a->verdict, "skipped") && missing);
}

// All but one can be evaluated.
static void expect_yes(const Inquiry* q) {
  int count = 0, yes[NQUESTION] = {0};
  ModelReport* r = ask_models(q, NULL, &count);
  for (int i = 0; i < count; i++) {
    for (int k = 0; k < NQUESTION; k++) {
      const Answer* a = r[i].answers + k;
      if (!is_fine(a)) {
        fail_msg("%s: %s: %s %s", r[i].name, question_names[k], a->verdict, a->detail);
      }
      yes[k] += !strcmp(a->verdict, "yes");
    }
  }
  assert_int_equal(yes[ASK_LOADS], count);
  assert_true(yes[ASK_MODEL] >= count - 1);
  assert_true(yes[ASK_FORWARD] >= count - 1);
  assert_true(yes[ASK_TRAJECTORY] >= count - 1);
  free_reports(r, count);
}

static void corten_agrees_with_itself_in_every_model(void** state) {
  (void)state;
  Inquiry q = inquiry((1u << NQUESTION) - 1);
  expect_yes(&q);
}

static void corten_agrees_with_itself_under_constraints(void** state) {
  (void)state;
  Inquiry q = inquiry((1u << NQUESTION) - 1);
  q.disable = 0;
  expect_yes(&q);
}

// What rounding decides is measured in units of the last place of a double, as the reference
// rounds. Numbers of single precision have others, and contraction tosses other coins: in
// sensors.xml a ray starts on the surface of a sphere.
static bool rounds_like_the_reference(void) {
#ifdef CT_FAST
  return false;
#else
  return sizeof(mjtNum) == sizeof(double);
#endif
}

// An engine that rounds otherwise.
static void forward_moved_by_rounding(const mjModel* m, mjData* d) {
  static Random r = {1};
  move_by_rounding(m, d, d, &r);
  corten.mj_forward(m, d);
}

static void what_rounding_does_to_corten_is_no_disagreement(void** state) {
  (void)state;
  if (!rounds_like_the_reference()) skip();
  int count;
  Inquiry q = inquiry(1u << ASK_FORWARD);
  q.disable = 0;
  copy.mj_forward = forward_moved_by_rounding;
  ModelReport* r = ask_models(&q, NULL, &count);
  copy.mj_forward = corten.mj_forward;
  for (int i = 0; i < count; i++) {
    if (is_fine(r[i].answers + ASK_FORWARD)) continue;
    const Mismatch* w = r[i].mismatches;
    fail_msg("%s: %s[%ld] is %.17g, moved by rounding %.17g (%s)", r[i].name, w->field, w->index,
             w->reference, w->ours, w->where);
  }
  free_reports(r, count);
}

static void step_moved_by_rounding(const mjModel* m, mjData* d) {
  static Random r = {2};
  genuine.mj_step(m, d);
  move_by_rounding(m, d, d, &r);
}

static void what_rounding_does_to_a_trajectory_is_no_disagreement(void** state) {
  (void)state;
  if (!rounds_like_the_reference()) skip();
  int count;
  Inquiry q = inquiry(1u << ASK_TRAJECTORY);
  q.disable = 0;
  q.steps = 100;
  copy.mj_step = step_moved_by_rounding;
  ModelReport* r = ask_models(&q, NULL, &count);
  copy.mj_step = corten.mj_step;
  for (int i = 0; i < count; i++) {
    if (is_fine(r[i].answers + ASK_TRAJECTORY)) continue;
    fail_msg("%s: %s", r[i].name, r[i].answers[ASK_TRAJECTORY].verdict);
  }
  free_reports(r, count);
}

// Can say no

static void forward_off_by_a_millionth(const mjModel* m, mjData* d) {
  corten.mj_forward(m, d);
  d->cvel[8] += (mjtNum)1e-6 + (sizeof(mjtNum) < 8 ? (mjtNum)1e-2 : 0);
}

static void a_disturbed_field_is_named_with_model_stage_index_and_values(void** state) {
  (void)state;
  int count;
  Inquiry q = inquiry(1u << ASK_FORWARD);
  copy.mj_forward = forward_off_by_a_millionth;
  ModelReport* r = ask_models(&q, "chain.xml", &count);
  copy.mj_forward = corten.mj_forward;
  assert_string_equal(r->answers[ASK_FORWARD].verdict, "no");
  const Mismatch* m = r->mismatches;
  assert_true(r->nmismatch > 0);
  assert_string_equal(m->field, "cvel");
  assert_string_equal(m->stage, "VELOCITY");
  assert_string_equal(m->where, "forward, state 0");
  assert_int_equal(m->index, 8);
  assert_true(m->ours > m->reference);
  free_reports(r, count);
}

// Within the reach of a rule that forgives what rounding does.
static void forward_with_a_contact_off(const mjModel* m, mjData* d) {
  corten.mj_forward(m, d);
  if (d->ncon) d->contact[0].pos[0] += (mjtNum)1e-6 + (sizeof(mjtNum) < 8 ? (mjtNum)1e-2 : 0);
}

static void inverse_off_by_a_millionth(const mjModel* m, mjData* d) {
  corten.mj_inverse(m, d);
  if (d->nefc) d->efc_force[0] += (mjtNum)1e-6 + (sizeof(mjtNum) < 8 ? (mjtNum)1 : 0);
  d->qfrc_inverse[7] += (mjtNum)1e-6 + (sizeof(mjtNum) < 8 ? (mjtNum)1 : 0);
}

static void step_with_another_guess(const mjModel* m, mjData* d) {
  genuine.mj_step(m, d);
  d->qacc_warmstart[1] += 1;
}

static bool is_named(const ModelReport* r, const char* field) {
  for (int i = 0; i < r->nmismatch; i++) {
    if (!strcmp(r->mismatches[i].field, field)) return true;
  }
  return false;
}

static void what_rounding_does_hides_no_error_of_a_millionth(void** state) {
  (void)state;
  if (!rounds_like_the_reference()) skip();
  int count;
  Inquiry q = inquiry(1u << ASK_FORWARD);
  q.disable = 0;
  q.states = 4;
  copy.mj_forward = forward_with_a_contact_off;
  copy.mj_inverse = inverse_off_by_a_millionth;
  ModelReport* r = ask_models(&q, "humanoid.xml", &count);
  copy.mj_forward = corten.mj_forward;
  copy.mj_inverse = corten.mj_inverse;
  assert_string_equal(r->answers[ASK_FORWARD].verdict, "no");
  assert_true(is_named(r, "contact.pos"));
  assert_true(is_named(r, "efc_force"));
  assert_true(is_named(r, "qfrc_inverse"));
  free_reports(r, count);
}

// A number that the last bits of the position decide.
static void forward_decided_by_rounding(const mjModel* m, mjData* d) {
  genuine.mj_forward(m, d);
  Random r = {0};
  memcpy(&r.state, d->qpos, sizeof(mjtNum));
  d->qfrc_bias[0] += (mjtNum)random_uniform(&r, 0, 1);
}

static void what_rounding_decides_is_named_apart(void** state) {
  (void)state;
  int count;
  Inquiry q = inquiry(1u << ASK_FORWARD);
  q.filter.field = "qfrc_bias";
  corten.mj_forward = forward_decided_by_rounding;
  ModelReport* r = ask_models(&q, "pendulum.xml", &count);
  corten.mj_forward = genuine.mj_forward;
  assert_string_equal(r->answers[ASK_FORWARD].verdict, "yes");
  assert_true(r->nmismatch > 0);
  assert_string_equal(r->mismatches->kind, "rounding");
  assert_string_equal(r->mismatches->field, "qfrc_bias");
  free_reports(r, count);
}

// The last bit of the position decides on the problem itself, so that two results cannot be
// compared number by number.
static bool last_bit(const mjData* d) {
  unsigned char byte;
  memcpy(&byte, d->qpos, 1);  // the lowest
  return byte & 1;
}

static void take_a_branch(mjData* d, bool one) {
  d->nidof = one;
  d->qfrc_bias[0] += one;
}

static void forward_by_the_last_bit(const mjModel* m, mjData* d) {
  genuine.mj_forward(m, d);
  take_a_branch(d, last_bit(d));
}

static void forward_by_the_other_bit(const mjModel* m, mjData* d) {
  genuine.mj_forward(m, d);
  take_a_branch(d, !last_bit(d));
}

static void forward_by_the_other_bit_and_off(const mjModel* m, mjData* d) {
  forward_by_the_other_bit(m, d);
  d->cvel[8] += (mjtNum)1e-6 + (sizeof(mjtNum) < 8 ? (mjtNum)1e-2 : 0);
}

static void forward_on_one_branch(const mjModel* m, mjData* d) {
  genuine.mj_forward(m, d);
  take_a_branch(d, true);
}

static void accelerate_by_the_last_bit(const mjModel* m, mjData* d) {
  genuine.mj_forward(m, d);
  d->qacc[0] += last_bit(d);
}

static void accelerate(const mjModel* m, mjData* d) {
  genuine.mj_forward(m, d);
  d->qacc[0] += 1;
}

// What the two engines say when their forward passes are these; in the reference's place, in ours.
static void expect_verdict(void (*reference)(const mjModel*, mjData*),
                           void (*ours)(const mjModel*, mjData*), const char* verdict) {
  int count;
  Inquiry q = inquiry(1u << ASK_FORWARD);
  q.states = 4;
  corten.mj_forward = reference;
  copy.mj_forward = ours;
  ModelReport* r = ask_models(&q, "pendulum.xml", &count);
  copy.mj_forward = corten.mj_forward = genuine.mj_forward;
  assert_string_equal(r->answers[ASK_FORWARD].verdict, verdict);
  free_reports(r, count);
}

static void an_answer_that_the_other_engine_gives_after_rounding_is_one(void** state) {
  (void)state;
  if (!rounds_like_the_reference()) skip();
  expect_verdict(forward_by_the_last_bit, forward_by_the_other_bit, "yes");
  expect_verdict(forward_by_the_last_bit, forward_on_one_branch, "yes");
}

// Where the reference stands firm, ours may move in what a solver's last iteration decides, and in
// nothing else.
static void what_rounding_does_to_corten_alone_is_excused_behind_a_solver_only(void** state) {
  (void)state;
  expect_verdict(accelerate, accelerate_by_the_last_bit, "yes");
  expect_verdict(forward_on_one_branch, forward_by_the_last_bit, "no");
}

static void an_answer_that_the_other_engine_never_gives_is_wrong(void** state) {
  (void)state;
  expect_verdict(forward_by_the_last_bit, forward_by_the_other_bit_and_off, "no");
  expect_verdict(genuine.mj_forward, forward_on_one_branch, "no");
}

// It changes no state, so a single step has no error.
static void what_only_a_step_writes_is_compared(void** state) {
  (void)state;
  int count;
  Inquiry q = inquiry(1u << ASK_FORWARD);
  copy.mj_step = step_with_another_guess;
  ModelReport* r = ask_models(&q, "humanoid.xml", &count);
  copy.mj_step = corten.mj_step;
  assert_string_equal(r->answers[ASK_FORWARD].verdict, "no");
  assert_true(r->nmismatch > 0);
  assert_string_equal(r->mismatches[0].field, "qacc_warmstart");
  assert_int_equal(r->mismatches[0].index, 1);
  assert_string_equal(r->mismatches[0].where, "step, state 0");
  free_reports(r, count);
}

static mjModel* load_heavier(const char* file, const mjVFS* vfs, char* error, int error_size) {
  mjModel* m = corten.mj_loadXML(file, vfs, error, error_size);
  if (m) m->body_mass[1] *= (mjtNum)1.01;
  return m;
}

static mjModel* load_nothing(const char* file, const mjVFS* vfs, char* error, int error_size) {
  (void)file;
  (void)vfs;
  snprintf(error, (size_t)error_size, "no \"model\"\there");
  return NULL;
}

static void a_model_that_differs_or_is_refused_is_no(void** state) {
  (void)state;
  int count;
  Inquiry q = inquiry(1u << ASK_LOADS | 1u << ASK_MODEL);
  copy.mj_loadXML = load_heavier;
  ModelReport* r = ask_models(&q, "pendulum.xml", &count);
  assert_string_equal(r->answers[ASK_LOADS].verdict, "yes");
  assert_string_equal(r->answers[ASK_MODEL].verdict, "no");
  assert_string_equal(r->mismatches[0].field, "body_mass");
  assert_int_equal(r->mismatches[0].index, 1);
  free_reports(r, count);
  copy.mj_loadXML = load_nothing;
  r = ask_models(&q, "pendulum.xml", &count);
  assert_string_equal(r->answers[ASK_LOADS].verdict, "no");
  assert_string_equal(r->answers[ASK_LOADS].detail, "no \"model\" here");
  assert_string_equal(r->answers[ASK_MODEL].verdict, "no");
  free_reports(r, count);
  copy.mj_loadXML = corten.mj_loadXML;
}

static mjModel* load_unwritten(const char* file, const mjVFS* vfs, char* error, int error_size) {
  (void)file;
  (void)vfs;
  snprintf(error, (size_t)error_size, "inertia is not part of this version of corten");
  return NULL;
}

static void forward_unwritten(const mjModel* m, mjData* d) {
  (void)m;
  (void)d;
  LIBRARY_FUNCTION(genuine.handle, mju_error)("mj_forward is not part of this version");
}

// The pendulum has no flex and no plugin.
static void what_is_not_written_excuses_only_models_that_have_it(void** state) {
  (void)state;
  int count;
  Inquiry q = inquiry(1u << ASK_LOADS | 1u << ASK_FORWARD);
  copy.mj_loadXML = load_unwritten;
  copy.mj_forward = forward_unwritten;
  ModelReport* r = ask_models(&q, "pendulum.xml", &count);
  copy.mj_loadXML = corten.mj_loadXML;
  copy.mj_forward = corten.mj_forward;
  assert_string_equal(r->answers[ASK_LOADS].verdict, "no");
  assert_string_equal(r->answers[ASK_FORWARD].verdict, "no");
  free_reports(r, count);
}

static void forward_writing_the_model(const mjModel* m, mjData* d) {
  m->geom_rgba[0] += 0.25f;
  corten.mj_forward(m, d);
}

static void step_writing_the_options(const mjModel* m, mjData* d) {
  ((mjModel*)m)->opt.ls_iterations++;
  corten.mj_step(m, d);
}

static void expect_written(int question, const char* field) {
  int count;
  Inquiry q = inquiry(1u << question);
  q.states = 1;
  ModelReport* r = ask_models(&q, "pendulum.xml", &count);
  assert_string_equal(r->answers[question].verdict, "no");
  assert_non_null(strstr(r->answers[question].detail, "wrote into the model"));
  assert_string_equal(r->mismatches[0].field, field);
  assert_true(r->mismatches[0].ours > r->mismatches[0].reference);
  free_reports(r, count);
}

static void an_engine_that_writes_into_the_model_is_found_out(void** state) {
  (void)state;
  copy.mj_forward = forward_writing_the_model;
  expect_written(ASK_FORWARD, "geom_rgba");
  copy.mj_forward = corten.mj_forward;
  copy.mj_step = step_writing_the_options;
  expect_written(ASK_TRAJECTORY, "opt flags");
  copy.mj_step = corten.mj_step;
}

static void step_off(const mjModel* m, mjData* d) {
  genuine.mj_step(m, d);
  if (d->time > 5.5 * (double)m->opt.timestep) d->qpos[0] += (mjtNum)0.1;
}

static void a_drifting_trajectory_is_named_by_its_horizon(void** state) {
  (void)state;
  int count;
  Inquiry q = inquiry(1u << ASK_TRAJECTORY);
  copy.mj_step = step_off;
  ModelReport* r = ask_models(&q, "pendulum.xml", &count);
  copy.mj_step = corten.mj_step;
  assert_string_equal(r->answers[ASK_TRAJECTORY].verdict, "no");
  for (int i = 0; i < NINTEGRATOR; i++) {
    assert_string_equal(r->horizons[i][0].verdict, "yes");
    assert_string_equal(r->horizons[i][1].verdict, "no");
    assert_string_equal(r->horizons[i][2].verdict, "");  // not asked: q.steps is 10
  }
  free_reports(r, count);
}

static void step_off_by_a_millionth(const mjModel* m, mjData* d) {
  genuine.mj_step(m, d);
  bool once = fabs((double)(d->time / m->opt.timestep) - 6) < 0.5;
  if (once) d->qpos[0] += (mjtNum)1e-6 + (sizeof(mjtNum) < 8 ? (mjtNum)1e-2 : 0);
}

static void a_trajectory_that_is_off_by_a_millionth_is_named(void** state) {
  (void)state;
  int count;
  Inquiry q = inquiry(1u << ASK_TRAJECTORY);
  q.disable = 0;
  copy.mj_step = step_off_by_a_millionth;
  ModelReport* r = ask_models(&q, "pendulum.xml", &count);
  copy.mj_step = corten.mj_step;
  assert_string_equal(r->answers[ASK_TRAJECTORY].verdict, "no");
  assert_string_equal(r->horizons[1][0].verdict, "yes");
  assert_string_equal(r->horizons[1][1].verdict, "no");
  const Mismatch* m = r->mismatches;
  assert_true(r->nmismatch > 0);
  assert_string_equal(m->stage, "own");
  assert_string_equal(m->field, "qpos");
  assert_int_equal(m->index, 0);
  assert_non_null(strstr(m->where, "after 10 steps"));
  if (sizeof(mjtNum) == 8) assert_true(fabs(m->ours - m->reference - 1e-6) < 1e-7);
  free_reports(r, count);
}

static void step_rk4_off(const mjModel* m, mjData* d) {
  genuine.mj_step(m, d);
  if (m->opt.integrator == mjINT_RK4) d->qvel[0] += 3;
}

// Both feet of the humanoid begin exactly on the floor, where the last bit decides on contacts.
static void a_start_on_a_border_hides_no_error(void** state) {
  (void)state;
  int count;
  Inquiry q = inquiry(1u << ASK_TRAJECTORY);
  q.disable = 0;
  copy.mj_step = step_rk4_off;
  ModelReport* r = ask_models(&q, "humanoid.xml", &count);
  copy.mj_step = corten.mj_step;
  assert_string_equal(r->horizons[1][1].verdict, "yes");
  assert_string_equal(r->horizons[4][0].verdict, "no");
  assert_string_equal(r->horizons[4][1].verdict, "no");
  assert_string_equal(r->mismatches[0].field, "qvel");
  assert_int_equal(r->mismatches[0].index, 0);
  free_reports(r, count);
}

// A coin, tossed before the first step, decides where the reference goes, by 0.3.
static void step_by_chance(const mjModel* m, mjData* d) {
  static int tossed;
  genuine.mj_step(m, d);
  d->qvel[0] += (mjtNum)(tossed++ % 2 ? 0.3 : 0);
}

static double far_off;  // how much ours adds in each step

static void step_far_off(const mjModel* m, mjData* d) {
  genuine.mj_step(m, d);
  d->qvel[0] += (mjtNum)far_off;
}

static void chaos_hides_no_error_far_beyond_it(void** state) {
  (void)state;
  int count;
  Inquiry q = inquiry(1u << ASK_TRAJECTORY);
  q.steps = 1;
  for (int k = 0; k < 2; k++) {
    far_off = k ? 1000 : 1;
    corten.mj_step = step_by_chance;
    copy.mj_step = step_far_off;
    ModelReport* r = ask_models(&q, "pendulum.xml", &count);
    copy.mj_step = corten.mj_step = genuine.mj_step;
    assert_string_equal(r->horizons[1][0].verdict, k ? "no" : "chaotic");
    free_reports(r, count);
  }
}

static void step_asleep(const mjModel* m, mjData* d) {
  genuine.mj_step(m, d);
  if (m->opt.integrator != mjINT_RK4) return;
  d->qvel[0] += (mjtNum)1e-2;
  d->tree_asleep[0] = 0;
}

static void an_engine_that_says_it_sleeps_has_no_excuse(void** state) {
  (void)state;
  int count;
  Inquiry q = inquiry(1u << ASK_TRAJECTORY);
  q.steps = 1;
  copy.mj_step = step_asleep;
  ModelReport* r = ask_models(&q, "muscles.xml", &count);
  copy.mj_step = corten.mj_step;
  assert_string_equal(r->horizons[1][0].verdict, "yes");
  assert_string_equal(r->horizons[4][0].verdict, "no");
  free_reports(r, count);
}

// Takes a tenth of a second of the processor.
static void step_slowly(const mjModel* m, mjData* d) {
  clock_t start = clock();
  corten.mj_step(m, d);
  while (clock() - start < CLOCKS_PER_SEC / 10) continue;
}

// What the reference does with a bad number: it warns and starts again, whatever came before.
static void step_and_blow_up(const mjModel* m, mjData* d) {
  genuine.mj_step(m, d);
  if (d->time < 4.5 * (double)m->opt.timestep) return;
  corten.mj_resetData(m, d);
  d->warning[mjWARN_BADQACC].number++;
}

static void a_reset_after_bad_numbers_hides_no_chaos(void** state) {
  (void)state;
  int count;
  Inquiry q = inquiry(1u << ASK_TRAJECTORY);
  copy.mj_step = step_off;
  corten.mj_step = step_and_blow_up;
  ModelReport* r = ask_models(&q, "pendulum.xml", &count);
  copy.mj_step = corten.mj_step = genuine.mj_step;
  assert_string_equal(r->horizons[1][0].verdict, "yes");
  assert_string_equal(r->horizons[1][1].verdict, "chaotic");
  assert_string_equal(r->answers[ASK_TRAJECTORY].verdict, "yes");
  free_reports(r, count);
}

static void a_horizon_that_was_not_reached_is_no_yes(void** state) {
  (void)state;
  int count;
  Inquiry q = inquiry(1u << ASK_TRAJECTORY);
  q.seconds = 2;
  copy.mj_step = step_slowly;
  ModelReport* r = ask_models(&q, "pendulum.xml", &count);
  copy.mj_step = corten.mj_step;
  assert_string_equal(r->horizons[1][0].verdict, "yes");
  assert_string_equal(r->horizons[1][1].verdict, "unreached");
  assert_non_null(strstr(r->answers[ASK_TRAJECTORY].detail, "not reached in time: "));
  assert_non_null(strstr(r->answers[ASK_TRAJECTORY].detail, "Euler 10"));
  free_reports(r, count);
}

// Crashes

static void crash(const mjModel* m, mjData* d) {
  (void)m;
  (void)d;
  raise(SIGKILL);
}

static void expect_crash(const Inquiry* q, int question, const char* blamed) {
  int count;
  char text[80];
  ModelReport* r = ask_models(q, "pendulum.xml", &count);
  assert_string_equal(r->answers[question].verdict, "crashed");
  snprintf(text, sizeof(text), "in %s while asked about %s", blamed, question_names[question]);
  assert_non_null(strstr(r->answers[question].detail, text));
  free_reports(r, count);
}

static void a_crash_is_blamed_on_the_right_engine_and_question(void** state) {
  (void)state;
  Engine real = corten;
  Inquiry q = inquiry(1u << ASK_FORWARD | 1u << ASK_TRAJECTORY);
  copy.mj_step = crash;
  expect_crash(&q, ASK_FORWARD, "corten");
  q.ask = 1u << ASK_TRAJECTORY;
  expect_crash(&q, ASK_TRAJECTORY, "corten");
  q.ask |= 1u << ASK_FORWARD;
  copy = real;
  copy.label = "corten";
  copy.mj_inverse = crash;
  expect_crash(&q, ASK_FORWARD, "corten");
  copy.mj_inverse = real.mj_inverse;
  corten.mj_forward = crash;
  expect_crash(&q, ASK_FORWARD, "reference");
  corten = real;
  q.ask = 1u << ASK_TRAJECTORY;
  corten.mj_step = crash;
  expect_crash(&q, ASK_TRAJECTORY, "reference");
  corten = real;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(corten_agrees_with_itself_in_every_model),
      cmocka_unit_test(corten_agrees_with_itself_under_constraints),
      cmocka_unit_test(what_rounding_does_to_corten_is_no_disagreement),
      cmocka_unit_test(what_rounding_does_to_a_trajectory_is_no_disagreement),
      cmocka_unit_test(what_rounding_decides_is_named_apart),
      cmocka_unit_test(an_answer_that_the_other_engine_gives_after_rounding_is_one),
      cmocka_unit_test(what_rounding_does_to_corten_alone_is_excused_behind_a_solver_only),
      cmocka_unit_test(an_answer_that_the_other_engine_never_gives_is_wrong),
      cmocka_unit_test(what_rounding_does_hides_no_error_of_a_millionth),
      cmocka_unit_test(a_disturbed_field_is_named_with_model_stage_index_and_values),
      cmocka_unit_test(what_only_a_step_writes_is_compared),
      cmocka_unit_test(a_model_that_differs_or_is_refused_is_no),
      cmocka_unit_test(what_is_not_written_excuses_only_models_that_have_it),
      cmocka_unit_test(an_engine_that_writes_into_the_model_is_found_out),
      cmocka_unit_test(a_reset_after_bad_numbers_hides_no_chaos),
      cmocka_unit_test(a_drifting_trajectory_is_named_by_its_horizon),
      cmocka_unit_test(a_trajectory_that_is_off_by_a_millionth_is_named),
      cmocka_unit_test(a_start_on_a_border_hides_no_error),
      cmocka_unit_test(chaos_hides_no_error_far_beyond_it),
      cmocka_unit_test(an_engine_that_says_it_sleeps_has_no_excuse),
      cmocka_unit_test(a_horizon_that_was_not_reached_is_no_yes),
      cmocka_unit_test(a_crash_is_blamed_on_the_right_engine_and_question),
  };
  return cmocka_run_group_tests(tests, open_engines, NULL);
}
