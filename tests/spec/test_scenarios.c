// R30.1 R40.3: specs are built, copied, attached and taken apart as in the reference. Each story of
// scenarios.c must print what the reference printed.

#include <mujoco/mujoco.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "spec/scenarios.h"
#include "support/recorded.h"

enum { LINE = 1024, MANY = 64 };

// Goes to the recorded text of a story.
static FILE* open_recorded(const char* story) {
  char path[LINE], line[LINE], heading[LINE];
  snprintf(path, sizeof(path), "%s/spec.txt", recorded_folder());
  FILE* file = fopen(path, "r");
  if (!file) fail_msg("%s is missing", path);
  snprintf(heading, sizeof(heading), "== %s\n", story);
  while (fgets(line, sizeof(line), file)) {
    if (!strcmp(line, heading)) return file;
  }
  fail_msg("%s: there is no story \"%s\"; run tests/record/record_spec.py", path, story);
  return file;
}

// Next line of a story; an empty text at its end.
static void next_line(FILE* file, char line[LINE]) {
  if (!fgets(line, LINE, file) || !strncmp(line, "== ", 3)) line[0] = 0;
}

static void goes_as_in_the_reference(void** state) {
  const Scenario* scenario = (const Scenario*)*state;
#ifdef CT_FAST
  // this story prints all digits of computed vertices; contraction may change the last
  if (!strcmp(scenario->name, "built_in_meshes")) skip();
#endif
  FILE* told = tmpfile();
  assert_non_null(told);
  scenario->tell(told);
  rewind(told);
  FILE* recorded = open_recorded(scenario->name);
  char expected[LINE], actual[LINE];
  for (int number = 1;; number++) {
    next_line(recorded, expected);
    next_line(told, actual);
    if (strcmp(expected, actual) != 0) {
      fail_msg("line %d is\n  %sbut the reference says\n  %s", number, actual, expected);
    }
    if (!expected[0]) break;
  }
  fclose(recorded);
  fclose(told);
}

int main(void) {
  struct CMUnitTest tests[MANY];
  size_t count = 0;
  for (; scenarios[count].name && count < MANY; count++) {
    struct CMUnitTest test = {scenarios[count].name, goes_as_in_the_reference, NULL, NULL,
                              (void*)&scenarios[count]};
    tests[count] = test;
  }
  return _cmocka_run_group_tests("test_scenarios", tests, count, NULL, NULL);
}
