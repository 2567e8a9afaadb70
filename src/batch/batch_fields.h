// Names of what a batch can hand out and take in, from the schema: state, outcome, data, model.

#ifndef CT_BATCH_BATCH_FIELDS_H_
#define CT_BATCH_BATCH_FIELDS_H_

#include <string.h>

#include "batch/backend.h"

// Finds a field by name. Otherwise false, and `why` says what is wrong with the name and which one
// is near.
bool ct_find_batch_field(const mjModel* m, const char* name, ct_BatchField* field, char* why,
                         size_t nwhy);

// Whether a name has this beginning.
static inline bool ct_begins_with(const char* name, const char* part) {
  return !strncmp(name, part, strlen(part));
}

// The field of a set of state components.
ct_BatchField ct_state_field(const mjModel* m, int state);

// May an environment have this field of the model for itself? Numbers may; integers only where no
// value can lead to memory that is not there.
bool ct_field_may_vary(const ct_BatchField* field, char* why, size_t nwhy);

// Fields that follow one after the other, for those who save all of them: place DATA or MODEL,
// number from 0. False behind the last.
bool ct_nth_batch_field(const mjModel* m, ct_BatchPlace place, int i, ct_BatchField* field);

// A field as a member of a struct: the values of the model, or of mjData.
static inline void* ct_batch_field_in(const ct_BatchField* field, const void* owner) {
  if (field->array) return *ct_field_pointer(field->array, (void*)(uintptr_t)owner);
  return (char*)(uintptr_t)owner + field->offset;
}

// Does a kept field of mjData come back with its environment? Members of the struct are counts of
// what is not kept, contacts and rows, but for the energies, which sensors may look at before the
// next step, and for what the solver did.
static inline bool ct_field_comes_back(const ct_BatchField* field) {
  return field->array || !strcmp(field->name, "energy") ||
         ct_begins_with(field->name, "flg_energy") || ct_begins_with(field->name, "solver_");
}

static inline size_t ct_batch_row_bytes(const ct_BatchField* field) {
  return (size_t)field->size * field->element;
}

#endif  // CT_BATCH_BATCH_FIELDS_H_
