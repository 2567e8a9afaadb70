// Every model is asked about in a process of its own: one that crashes, hangs or leaves without an
// answer costs that process and nothing else, and the verdict names the engine and the question.

#include "conformance/crew.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static const unsigned all = (1u << NQUESTION) - 1;

// What the process of a model does; its "path" says which.
static void act(const Inquiry* q, const char* path) {
  fprintf(q->answers, "B\tloads\treference\nR\tloads\tyes\t1\t0\t0\t\n");
  fprintf(q->answers, "R\tmodel\tno\t10\t2\t1\tbecause\n");
  fprintf(q->answers, "M\tmodel\tresult\tbodies\tbody_mass\t4\t1\t2\t0.5\t2\t\n");
  fprintf(q->answers, "B\tforward\tcorten\n");
  fflush(q->answers);
  if (!strcmp(path, "crashes")) raise(SIGKILL);
  if (!strcmp(path, "hangs")) pause();
  while (!strcmp(path, "spins")) continue;
  if (!strcmp(path, "exits")) _exit(3);
  if (!strcmp(path, "leaves")) return;
  if (!strcmp(path, "leaves a child")) {
    if (fork() == 0) {
      for (;;) pause();
    }
  }
  if (!strcmp(path, "closes and hangs")) {
    fclose(q->answers);
    for (;;) pause();
  }
  fprintf(q->answers, "E\tforward\t7\t3\n");
  fprintf(q->answers, "R\tforward\tyes\t5\t0\t0\t\n");
  fprintf(q->answers, "H\t1\t2\tchaotic\t0.5\t0.25\n");
  fprintf(q->answers, "R\ttrajectory\tyes\t4\t0\t1\t\n");
}

// Asks about models of these names; the reports are freed by the caller.
static ModelReport* ask(const char* const* names, int count, int jobs) {
  ModelReport* reports = (ModelReport*)calloc((size_t)count, sizeof(ModelReport));
  Inquiry q;
  memset(&q, 0, sizeof(q));
  q.ask = all;
  for (int i = 0; i < count; i++) reports[i].name = reports[i].path = strdup(names[i]);
  ask_about_all(&q, act, reports, count, jobs, 0.4);
  return reports;
}

static void expect(const ModelReport* r, int question, const char* verdict, const char* detail) {
  assert_string_equal(r->answers[question].verdict, verdict);
  if (!strstr(r->answers[question].detail, detail)) {
    fail_msg("\"%s\" does not say \"%s\"", r->answers[question].detail, detail);
  }
}

static void answers_and_numbers_arrive(void** state) {
  (void)state;
  static const char* const names[] = {"answers"};
  ModelReport* r = ask(names, 1, 1);
  expect(r, ASK_LOADS, "yes", "");
  expect(r, ASK_MODEL, "no", "because");
  assert_int_equal(r->answers[ASK_MODEL].compared, 10);
  assert_int_equal(r->answers[ASK_MODEL].wrong, 2);
  assert_int_equal(r->answers[ASK_MODEL].undefined, 1);
  assert_int_equal(r->nmismatch, 1);
  assert_string_equal(r->mismatches[0].field, "body_mass");
  assert_int_equal(r->mismatches[0].index, 4);
  assert_int_equal(r->answers[ASK_FORWARD].rounded, 7);
  assert_int_equal(r->answers[ASK_FORWARD].regrouped, 3);
  assert_string_equal(r->horizons[1][2].verdict, "chaotic");
  free_reports(r, 1);
}

static void a_crash_is_blamed_on_the_engine_at_work_and_keeps_earlier_answers(void** state) {
  (void)state;
  static const char* const names[] = {"crashes"};
  ModelReport* r = ask(names, 1, 1);
  expect(r, ASK_LOADS, "yes", "");
  expect(r, ASK_MODEL, "no", "");
  expect(r, ASK_FORWARD, "crashed", "Killed in corten while asked about forward");
  expect(r, ASK_TRAJECTORY, "crashed", "this question was not reached");
  free_reports(r, 1);
}

static void a_model_that_hangs_or_spins_is_stopped_at_its_time_limit(void** state) {
  (void)state;
  static const char* const names[] = {"hangs", "spins"};
  ModelReport* r = ask(names, 2, 2);
  for (int i = 0; i < 2; i++) {
    expect(r + i, ASK_FORWARD, "timeout", "time limit in corten while asked about forward");
    assert_true(r[i].cpu_seconds < 3);
  }
  free_reports(r, 2);
}

static void leaving_without_an_answer_is_no_yes(void** state) {
  (void)state;
  static const char* const names[] = {"exits", "leaves"};
  ModelReport* r = ask(names, 2, 1);
  expect(r + 0, ASK_FORWARD, "crashed", "exit with status 3");
  expect(r + 1, ASK_FORWARD, "crashed", "exit with status 0");
  free_reports(r, 2);
}

// The child holds the stream of answers open for ever.
static void a_process_left_behind_does_not_keep_the_run_waiting(void** state) {
  (void)state;
  static const char* const names[] = {"leaves a child", "answers"};
  ModelReport* r = ask(names, 2, 1);
  expect(r + 0, ASK_TRAJECTORY, "yes", "");
  expect(r + 1, ASK_TRAJECTORY, "yes", "");
  assert_true(r[0].seconds < 1.5);
  free_reports(r, 2);
}

static void a_process_that_closes_its_stream_and_hangs_is_stopped(void** state) {
  (void)state;
  static const char* const names[] = {"closes and hangs"};
  ModelReport* r = ask(names, 1, 1);
  expect(r, ASK_FORWARD, "timeout", "time limit in corten while asked about forward");
  free_reports(r, 1);
}

static void a_link_to_a_folder_is_not_followed(void** state) {
  (void)state;
  char folder[] = "/tmp/corten_crew_XXXXXX", path[64], loop[64];
  assert_non_null(mkdtemp(folder));
  snprintf(path, sizeof(path), "%s/a.xml", folder);
  snprintf(loop, sizeof(loop), "%s/loop", folder);
  FILE* f = fopen(path, "w");
  assert_non_null(f);
  fclose(f);
  assert_int_equal(symlink(folder, loop), 0);
  ModelReport* r = NULL;
  int count = 0;
  find_models(folder, NULL, &r, &count);
  unlink(loop);
  unlink(path);
  rmdir(folder);
  assert_int_equal(count, 1);
  free_reports(r, count);
}

static void a_folder_that_cannot_be_read_is_counted(void** state) {
  (void)state;
  ModelReport* r = NULL;
  int count = 0;
  assert_int_equal(find_models("/nowhere/at/all", NULL, &r, &count), 1);
  assert_int_equal(find_models(CT_SOURCE_DIR "/models/pendulum.xml", NULL, &r, &count), 1);
  assert_int_equal(find_models(CT_SOURCE_DIR "/models", "pendulum.xml", &r, &count), 0);
  assert_int_equal(count, 1);
  free_reports(r, count);
}

static void others_go_on_beside_one_that_dies(void** state) {
  (void)state;
  static const char* const names[] = {"answers", "crashes", "hangs",   "answers",
                                      "exits",   "answers", "crashes", "answers"};
  ModelReport* r = ask(names, 8, 3);
  for (int i = 0; i < 8; i++) {
    expect(r + i, ASK_LOADS, "yes", "");
    if (!strcmp(names[i], "answers")) expect(r + i, ASK_TRAJECTORY, "yes", "");
  }
  free_reports(r, 8);
}

static void models_are_found_below_a_folder_in_order(void** state) {
  (void)state;
  ModelReport* r = NULL;
  int count = 0;
  find_models(CT_SOURCE_DIR "/models", NULL, &r, &count);
  assert_true(count >= 40);
  for (int i = 1; i < count; i++) assert_true(strcmp(r[i - 1].path, r[i].path) < 0);
  free_reports(r, count);
  r = NULL;
  count = 0;
  find_models(CT_SOURCE_DIR "/models", "humanoid", &r, &count);
  assert_int_equal(count, 1);
  assert_string_equal(r->name, "humanoid.xml");
  free_reports(r, count);
}

// What a process of run_apart does, and whether it gets there.
typedef struct {
  const char* deed;
  int done;
} Deed;

static int act_apart(void* argument) {
  Deed* d = (Deed*)argument;
  d->done = 1;
  if (!strcmp(d->deed, "crashes")) raise(SIGKILL);
  while (!strcmp(d->deed, "spins")) continue;
  return 7;
}

static void a_process_apart_returns_its_number_or_the_way_it_ended(void** state) {
  (void)state;
  static const struct {
    const char* deed;
    int end;
  } cases[] = {{"answers", 7}, {"crashes", CRASHED}, {"spins", RAN_OUT_OF_TIME}};
  Deed* shared = (Deed*)shared_memory(sizeof(Deed));
  for (int i = 0; i < 3; i++) {
    Deed own = {cases[i].deed, 0};
    *shared = own;
    assert_int_equal(run_apart(act_apart, &own, 1), cases[i].end);
    assert_int_equal(own.done, 0);  // it was another process
    assert_int_equal(run_apart(act_apart, shared, 1), cases[i].end);
    assert_int_equal(shared->done, 1);
  }
}

static int judge_by_name(const ModelReport* model, void* argument) {
  assert_string_equal((const char*)argument, "hello");
  if (!strcmp(model->name, "pendulum.xml")) raise(SIGKILL);
  return !strcmp(model->name, "empty.xml") ? 2 : 1;
}

static void models_are_judged_one_by_one_and_a_crash_costs_one(void** state) {
  (void)state;
  Fates fates = ask_one_by_one(CT_SOURCE_DIR "/models", NULL, 10, judge_by_name, (void*)"hello");
  assert_int_equal(fates.lost, 1);
  assert_int_equal(fates.count[2], 1);
  assert_int_equal(fates.count[1], fates.models - 2);
  assert_true(fates.models > 20);
  fates = ask_one_by_one(CT_SOURCE_DIR "/models", "empty", 10, judge_by_name, (void*)"hello");
  assert_int_equal(fates.models, 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(answers_and_numbers_arrive),
      cmocka_unit_test(a_crash_is_blamed_on_the_engine_at_work_and_keeps_earlier_answers),
      cmocka_unit_test(a_model_that_hangs_or_spins_is_stopped_at_its_time_limit),
      cmocka_unit_test(leaving_without_an_answer_is_no_yes),
      cmocka_unit_test(a_process_left_behind_does_not_keep_the_run_waiting),
      cmocka_unit_test(a_process_that_closes_its_stream_and_hangs_is_stopped),
      cmocka_unit_test(a_link_to_a_folder_is_not_followed),
      cmocka_unit_test(a_folder_that_cannot_be_read_is_counted),
      cmocka_unit_test(others_go_on_beside_one_that_dies),
      cmocka_unit_test(models_are_found_below_a_folder_in_order),
      cmocka_unit_test(a_process_apart_returns_its_number_or_the_way_it_ended),
      cmocka_unit_test(models_are_judged_one_by_one_and_a_crash_costs_one),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
