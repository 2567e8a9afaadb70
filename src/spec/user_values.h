// Pointers that a program hangs on elements, by key.

#ifndef CT_SPEC_USER_VALUES_H_
#define CT_SPEC_USER_VALUES_H_

#include "spec/spec.h"

#ifdef __cplusplus
extern "C" {
#endif

// As mjs_setUserValue; cleanup (or NULL) is called with the value when it is replaced or goes.
MJAPI void mjs_setUserValueWithCleanup(mjsElement* element, const char* key, const void* data,
                                       void (*cleanup)(const void*));

#ifdef __cplusplus
}
#endif

void ct_user_values_free(ct_Element* e);

#endif  // CT_SPEC_USER_VALUES_H_
