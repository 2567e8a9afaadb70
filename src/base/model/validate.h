// Are all indices of a model within what they point at?

#ifndef CT_BASE_MODEL_VALIDATE_H_
#define CT_BASE_MODEL_VALIDATE_H_

#include <mujoco/mujoco.h>

// NULL if so; otherwise a text that names the array, the row and the bad entry, good until the next
// call in the same thread. Sizes and pointers must be right already.
MJAPI const char* mj_validateReferences(const mjModel* m);

#endif  // CT_BASE_MODEL_VALIDATE_H_
