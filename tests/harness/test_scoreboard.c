// What the comparison tells: words of the command line are checked, counts are right, reports are
// well-formed.

#include "conformance/scoreboard.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "conformance/explained.h"
#include "conformance/spelling.h"

// Words

static void the_nearest_spelling_is_counted_in_letters(void** state) {
  (void)state;
  assert_int_equal(spelling_distance("model", "model"), 0);
  assert_int_equal(spelling_distance("modl", "model"), 1);
  assert_int_equal(spelling_distance("Loads", "loads"), 0);
  assert_int_equal(spelling_distance("", "abc"), 3);
  assert_int_equal(spelling_distance("forwrad", "forward"), 2);
}

static void questions_are_named_exactly(void** state) {
  (void)state;
  unsigned ask = 0;
  assert_true(parse_questions("loads,forward", &ask));
  assert_int_equal(ask, 1u << ASK_LOADS | 1u << ASK_FORWARD);
  assert_false(parse_questions("load", &ask));
  assert_false(parse_questions("loads,forwards", &ask));
  assert_false(parse_questions("loads,", &ask));
  assert_false(parse_questions("", &ask));
}

static void a_filter_that_matches_nothing_is_refused(void** state) {
  (void)state;
  unsigned model = 1u << ASK_MODEL, forward = 1u << ASK_FORWARD;
  FieldFilter none = {NULL, NULL}, stage = {NULL, "SOLVER"}, typo = {NULL, "SOLVR"};
  FieldFilter field = {"efc_J", "CONSTRAINT"}, elsewhere = {"qpos", "CONSTRAINT"};
  FieldFilter of_model = {"body_mass", NULL}, side = {"contact.geom2", NULL};
  assert_true(filter_matches(&side, forward));
  assert_true(filter_matches(&none, model));
  assert_true(filter_matches(&stage, forward));
  assert_false(filter_matches(&stage, model));
  assert_false(filter_matches(&typo, forward | model));
  assert_true(filter_matches(&field, forward));
  assert_false(filter_matches(&elsewhere, forward));
  assert_true(filter_matches(&of_model, model));
  assert_false(filter_matches(&of_model, forward));
}

// Reports

enum { MODELS = 5 };

static void set_answer(ModelReport* r, int question, const char* verdict) {
  snprintf(r->answers[question].verdict, sizeof(r->answers[question].verdict), "%s", verdict);
  r->answers[question].compared = 10;
}

static void make_reports(ModelReport r[MODELS]) {
  static const char* const verdicts[MODELS] = {"yes", "no", "crashed", "timeout", "missing"};
  memset(r, 0, sizeof(*r) * MODELS);
  for (int i = 0; i < MODELS; i++) {
    r[i].name = i == 3 ? "a\nb`<i>\xff.xml" : "a|b \"quoted\\\".xml";
    set_answer(r + i, ASK_FORWARD, verdicts[i]);
    set_answer(r + i, ASK_TRAJECTORY, "yes");
  }
  r[0].answers[ASK_FORWARD].rounded = 6;
  r[0].answers[ASK_FORWARD].regrouped = 3;
  r[1].answers[ASK_TRAJECTORY].rounded = 2;
  snprintf(r[1].answers[ASK_FORWARD].detail, sizeof(r[1].answers[ASK_FORWARD].detail),
           "gr\xc3\xb6\xc3\x9f"
           "e \xff\xc3 \x01\n");
  r[1].mismatches = (Mismatch*)calloc(1, sizeof(Mismatch));
  r[1].nmismatch = 1;
  snprintf(r[1].mismatches->field, sizeof(r[1].mismatches->field), "qpos");
  snprintf(r[1].mismatches->kind, sizeof(r[1].mismatches->kind), "result");
  r[1].mismatches->ours = (double)NAN;
  snprintf(r[0].horizons[1][0].verdict, sizeof(r[0].horizons[1][0].verdict), "yes");
  snprintf(r[0].horizons[1][1].verdict, sizeof(r[0].horizons[1][1].verdict), "unreached");
}

#define SCRATCH_FILE "/tmp/corten_scoreboard_XXXXXX"

// Makes an empty file of which nobody else knows; `path` begins as SCRATCH_FILE.
static void make_scratch_file(char* path) {
  int file = mkstemp(path);
  assert_true(file >= 0);
  close(file);
}

static char* contents(const char* path) {
  FILE* f = fopen(path, "r");
  assert_non_null(f);
  char* text = (char*)calloc(1, 1 << 16);
  assert_true(fread(text, 1, (1 << 16) - 1, f) > 0);
  fclose(f);
  return text;
}

static void the_exit_status_counts_wrong_models_crashes_and_timeouts_too(void** state) {
  (void)state;
  ModelReport r[MODELS];
  make_reports(r);
  assert_int_equal(print_scoreboard(r, MODELS, 1u << ASK_FORWARD), 3);
  assert_int_equal(print_scoreboard(r, 1, 1u << ASK_FORWARD), 0);
  free(r[1].mismatches);
}

static void json_strings_are_escaped_and_valid_utf8(void** state) {
  (void)state;
  ModelReport r[MODELS];
  char path[] = SCRATCH_FILE;
  make_scratch_file(path);
  make_reports(r);
  assert_true(write_json(path, r, MODELS, 1u << ASK_FORWARD | 1u << ASK_TRAJECTORY));
  char* text = contents(path);
  assert_non_null(strstr(text, "\"a|b \\\"quoted\\\\\\\".xml\""));
  assert_non_null(strstr(text,
                         "gr\xc3\xb6\xc3\x9f"
                         "e \\ufffd\\ufffd \\u0001\\u000a\""));
  assert_non_null(strstr(text, "\"corten\": \"nan\""));
  assert_non_null(strstr(text, "\"steps\": 10, \"verdict\": \"unreached\""));
  free(text);
  unlink(path);
  free(r[1].mismatches);
}

static void the_page_shows_names_and_horizons_honestly(void** state) {
  (void)state;
  ModelReport r[MODELS];
  char path[] = SCRATCH_FILE;
  make_scratch_file(path);
  make_reports(r);
  assert_true(write_markdown(path, r, MODELS, 1u << ASK_FORWARD | 1u << ASK_TRAJECTORY, "A note."));
  char* text = contents(path);
  assert_non_null(strstr(text, "| a\\|b \"quoted\\\\\".xml |"));
  assert_non_null(strstr(text,
                         "| a\xef\xbf\xbd"
                         "b\\`\\<i\\>\xef\xbf\xbd.xml |"));
  assert_non_null(strstr(text, "yes, to 1 steps"));
  assert_non_null(strstr(text, "Rounding excused 6 values and 2 horizons; 3 moved results"));
  assert_non_null(strstr(text, "A note."));
  free(text);
  unlink(path);
  free(r[1].mismatches);
  assert_false(write_json("/nowhere/at/all.json", r, 1, 1));
}

// Explanations

static void write_list(char* path, const char* text) {
  FILE* f = fopen(path, "w");
  assert_non_null(f);
  fputs(text, f);
  fclose(f);
}

// A "no" to the forward question with two wrong numbers, found at this state.
static void make_difference(ModelReport* r, Mismatch* m, const char* path, const char* where) {
  memset(r, 0, sizeof(*r));
  memset(m, 0, sizeof(*m));
  r->path = (char*)path;
  r->name = path;
  set_answer(r, ASK_FORWARD, "no");
  r->answers[ASK_FORWARD].wrong = 2;
  r->mismatches = m;
  r->nmismatch = 1;
  m->count = 2;
  snprintf(m->question, sizeof(m->question), "forward");
  snprintf(m->kind, sizeof(m->kind), "result");
  snprintf(m->where, sizeof(m->where), "%s", where);
}

static void what_is_explained_is_a_verdict_of_its_own_and_nothing_else_is(void** state) {
  (void)state;
  ModelReport r[4];
  Mismatch m[4];
  char path[] = SCRATCH_FILE;
  make_scratch_file(path);
  write_list(path,
             "# a comment\n\n flex/a.xml | forward | state 1; state 2 | rows of nothing # as "
             "documented\n");
  make_difference(r + 0, m + 0, "/corpus/flex/a.xml", "inverse, state 2");
  make_difference(r + 1, m + 1, "/corpus/flex/a.xml", "inverse, state 21");   // elsewhere
  make_difference(r + 2, m + 2, "/corpus/reflex/a.xml", "inverse, state 2");  // another model
  make_difference(r + 3, m + 3, "/corpus/flex/a.xml", "inverse, state 2");
  r[3].answers[ASK_FORWARD].wrong = 3;  // more than was kept
  assert_int_equal(apply_explanations(path, r, 4), 0);
  assert_string_equal(r[0].answers[ASK_FORWARD].verdict, "explained");
  assert_string_equal(r[0].answers[ASK_FORWARD].detail, "rows of nothing");
  for (int i = 1; i < 4; i++) assert_string_equal(r[i].answers[ASK_FORWARD].verdict, "no");
  assert_int_equal(print_scoreboard(r, 1, 1u << ASK_FORWARD), 0);
  assert_int_equal(print_scoreboard(r, 4, 1u << ASK_FORWARD), 3);
  unlink(path);
}

static void the_list_of_what_is_explained_only_gets_shorter(void** state) {
  (void)state;
  ModelReport r;
  Mismatch m;
  char path[] = SCRATCH_FILE;
  make_scratch_file(path);
  make_difference(&r, &m, "/corpus/a.xml", "forward, state 2");
  set_answer(&r, ASK_FORWARD, "yes");
  write_list(path, "a.xml | forward | state 2 | it agrees by now\n");
  assert_int_equal(apply_explanations(path, &r, 1), 1);
  write_list(path, "b.xml | forward | state 2 | not asked about\n");
  assert_int_equal(apply_explanations(path, &r, 1), 0);
  write_list(path, "a.xml | forward | state 2\na.xml | forwards | state 2 | why\n");
  assert_int_equal(apply_explanations(path, &r, 1), 2);
  unlink(path);
  assert_int_equal(apply_explanations("/nowhere/at/all", &r, 1), -1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_nearest_spelling_is_counted_in_letters),
      cmocka_unit_test(questions_are_named_exactly),
      cmocka_unit_test(a_filter_that_matches_nothing_is_refused),
      cmocka_unit_test(the_exit_status_counts_wrong_models_crashes_and_timeouts_too),
      cmocka_unit_test(json_strings_are_escaped_and_valid_utf8),
      cmocka_unit_test(the_page_shows_names_and_horizons_honestly),
      cmocka_unit_test(what_is_explained_is_a_verdict_of_its_own_and_nothing_else_is),
      cmocka_unit_test(the_list_of_what_is_explained_only_gets_shorter),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
