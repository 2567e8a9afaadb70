// R30.1 R40.3: random sequences of edits to specs, the same in every run (feed_edits.c says what
// they do). CORTEN_EDIT_SEQUENCES says how many, CORTEN_EDIT_FIRST with which they begin; with
// many, as in `make fuzz-edits`, it tells how far it is.

#include <mujoco/mujoco.h>
#include <stdio.h>
#include <stdlib.h>

#include "fuzz/feed.h"
#include "support/fail.h"

enum { SEQUENCES = 400, LONGEST = 600, TOLD = 10000 };

static void ignore(const char* message) {
  (void)message;
}

static int number_from(const char* variable, int otherwise) {
  const char* text = getenv(variable);
  return text ? atoi(text) : otherwise;
}

static void feed_sequence(uint32_t number) {
  uint8_t bytes[LONGEST];
  uint32_t random = number * 2654435761u + 1;
  for (int i = 0; i < LONGEST; i++) {
    random = random * 1664525u + 1013904223u;
    bytes[i] = (uint8_t)(random >> 24);
  }
  feed_edits(bytes, 50 + (size_t)bytes[0] * 2);
}

// Sequences that once found something: an attachment that failed left its copies in a body.
static void edits_that_found_a_fault_leave_specs_sound(void** state) {
  (void)state;
  static const uint32_t found[] = {24993};
  mju_user_warning = mju_user_error = ignore;
  for (size_t i = 0; i < sizeof(found) / sizeof(found[0]); i++) feed_sequence(found[i]);
}

static void random_edits_leave_specs_sound(void** state) {
  (void)state;
  mju_user_warning = mju_user_error = ignore;
  int first = number_from("CORTEN_EDIT_FIRST", 0);
  int count = number_from("CORTEN_EDIT_SEQUENCES", SEQUENCES);
  for (int i = first; i < first + count; i++) {
    if (getenv("CORTEN_EDIT_TRACE")) fprintf(stderr, "sequence %d\n", i);
    feed_sequence((uint32_t)i);
    if ((i + 1 - first) % TOLD == 0) printf("%d sequences without finding\n", i + 1 - first);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(edits_that_found_a_fault_leave_specs_sound),
      cmocka_unit_test(random_edits_leave_specs_sound),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
