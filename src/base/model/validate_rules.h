// What the files of validation share: how a rule reports, and the checks that most rules are
// made of.

#ifndef CT_BASE_MODEL_VALIDATE_RULES_H_
#define CT_BASE_MODEL_VALIDATE_RULES_H_

#include <stdbool.h>

#include "base/model/fields.h"

// A rule says whether a model keeps it. One that does not keeps what this is told for the message
// of mj_validateReferences, and returns what this returns: false.
bool ct_invalid(const char* format, ...) __attribute__((format(printf, 1, 2)));

// lowest <= index < size. `at` is the place in the array, counted in entries.
bool ct_index_is_wrong(const char* array, mjtSize at, mjtSize index, mjtSize lowest, mjtSize size);
static inline bool ct_check_index(const char* array, mjtSize at, mjtSize index, mjtSize lowest,
                                  mjtSize size) {
  if (index >= lowest && index < size) return true;
  return ct_index_is_wrong(array, at, index, lowest, size);
}

// The same for entries first .. first + count - 1 of an array, at the speed of memory.
bool ct_check_indices(const char* name, const int* array, mjtSize first, mjtSize count,
                      mjtSize lowest, mjtSize size);

// A run of count entries from `first` on lies within size; -1 stands for no run and goes with count
// 0.
bool ct_span_is_wrong(const char* array, mjtSize at, mjtSize first, mjtSize count, mjtSize size);
static inline bool ct_check_span(const char* array, mjtSize at, mjtSize first, mjtSize count,
                                 mjtSize size) {
  if (first >= -1 && count >= 0 && first + count <= size && (first >= 0 || count == 0)) return true;
  return ct_span_is_wrong(array, at, first, count, size);
}

// The second part of validation. To be called when the rules of the reference are fulfilled.
bool ct_validate_layout(const mjModel* m);

// The third part. To be called when the second is fulfilled.
bool ct_validate_tree(const mjModel* m);

#endif  // CT_BASE_MODEL_VALIDATE_RULES_H_
