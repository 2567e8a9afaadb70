// Pointers that a program hangs on elements, by key.

#ifndef CT_SPEC_USER_VALUES_H_
#define CT_SPEC_USER_VALUES_H_

#include "spec/spec.h"

void ct_user_values_free(ct_Element* e);

#endif  // CT_SPEC_USER_VALUES_H_
