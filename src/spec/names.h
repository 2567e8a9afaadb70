// From names to elements of a spec.
//
// A hash table of all named elements makes finding and the check for repeats fast. Programs may
// write to a name without our knowledge once mjs_getName has given it to them, so an entry counts
// only if the element still has that name, and "not found" is believed only while no name was given
// out. Otherwise the lists themselves are searched.

#ifndef CT_SPEC_NAMES_H_
#define CT_SPEC_NAMES_H_

#include "spec/spec.h"

void ct_names_enter(ct_Element* e);      // its name is new
void ct_names_forget(ct_Spec* spec);     // elements left, or were renamed
void ct_names_given_out(ct_Spec* spec);  // a program holds the address of a name
void ct_names_free(ct_Spec* spec);

// A name that two elements of one of these types have, and which type it is; NULL: none.
const char* ct_repeated_name(ct_Spec* spec, const mjtObj* types, int ntype, mjtObj* which);

#endif  // CT_SPEC_NAMES_H_
