// What elements outside the tree refer to, by name.

#ifndef CT_SPEC_REFERENCES_H_
#define CT_SPEC_REFERENCES_H_

#include "spec/spec.h"

// How names change when a part of one spec is copied or moved into another.
typedef struct ct_Rename_ {
  const char *prefix, *suffix;
} ct_Rename;

// Puts prefix and suffix around a text.
void ct_rename(ct_String* s, const ct_Rename* rename);
void ct_rename_given(ct_String* s, const ct_Rename* rename);  // unless it is empty

// Do all references of an element lead to something in the spec?
bool ct_references_resolve(ct_Spec* spec, const ct_Element* e);

// Does an element have business in a spec under new names: has what it refers to, or enough of it,
// come along?
bool ct_references_came_along(ct_Spec* spec, ct_Element* e, const ct_Rename* rename);

// Is the answer yes for the name of anything that the element refers to, or does it refer to
// nothing?
bool ct_references_any(ct_Element* e, bool (*answer)(void* arg, const char* name), void* arg);

// Renames the references of such an element, as far as the renamed objects are there.
void ct_references_rename(ct_Spec* spec, ct_Element* e, const ct_Rename* rename);

#endif  // CT_SPEC_REFERENCES_H_
