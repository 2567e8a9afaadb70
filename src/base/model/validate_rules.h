// What the files of validation share: how a rule reports, and the checks that most rules are
// made of.

#ifndef CT_BASE_MODEL_VALIDATE_RULES_H_
#define CT_BASE_MODEL_VALIDATE_RULES_H_

#include <stdbool.h>
#include <stdio.h>

#include "base/model/fields.h"

extern _Thread_local char ct_validate_message[256];

// Writes the message and is its address: what a rule returns for a model that breaks it.
#define BAD(...) \
  (snprintf(ct_validate_message, sizeof(ct_validate_message), __VA_ARGS__), ct_validate_message)

// Leaves the rule with the message of another rule that is broken.
#define CHECK(rule_)               \
  do {                             \
    const char* broken_ = (rule_); \
    if (broken_) return broken_;   \
  } while (0)

// lowest <= index < size. `at` is the place in the array, counted in entries.
const char* ct_check_index(const char* array, mjtSize at, mjtSize index, mjtSize lowest,
                           mjtSize size);

// A run of count entries from `first` on lies within size; -1 stands for no run and goes with count
// 0.
const char* ct_check_span(const char* array, mjtSize at, mjtSize first, mjtSize count,
                          mjtSize size);

// The second part of validation. To be called when the rules of the reference are fulfilled.
const char* ct_validate_layout(const mjModel* m);

// The third part. To be called when the second is fulfilled.
const char* ct_validate_tree(const mjModel* m);

#endif  // CT_BASE_MODEL_VALIDATE_RULES_H_
