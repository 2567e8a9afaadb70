// Parts of the constraint functions that the public headers do not declare.

#ifndef CT_API_CONSTRAINT_H_
#define CT_API_CONSTRAINT_H_

#include <mujoco/mujoco.h>

#include "engine/constraint.h"

// Turns what a constraint stage came to into the reference's warning, or into an error of
// `function`.
void ct_report_rows(mjData* d, ct_RowResult result, const char* function);

#endif  // CT_API_CONSTRAINT_H_
