// Stories about specs, told through the public functions only, so that the reference can tell them
// too. Each changes specs and prints what they look like. tests/record/record_spec.py keeps what
// the reference prints.

#ifndef TESTS_SPEC_SCENARIOS_H_
#define TESTS_SPEC_SCENARIOS_H_

#include <stdio.h>

typedef struct Scenario_ {
  const char* name;
  void (*tell)(FILE* out);
} Scenario;

// Stories of attach_scenarios.c.
void attach_with_names_that_stand_twice(FILE* out);
void attach_what_refers_to_nothing(FILE* out);
void keys_padded_by_compiled_joints(FILE* out);
void controls_of_keys_that_wait(FILE* out);

// All of them; the last has the name NULL.
extern const Scenario scenarios[];

#endif  // TESTS_SPEC_SCENARIOS_H_
