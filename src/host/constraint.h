// Parts of the constraint functions that the public headers do not declare.

#ifndef CT_HOST_CONSTRAINT_H_
#define CT_HOST_CONSTRAINT_H_

#include <mujoco/mujoco.h>

#include "engine/constraint/constraint.h"

// Turns what a constraint stage came to into the reference's warning, or into an error of
// `function`.
void ct_report_rows(mjData* d, ct_RowResult result, const char* function);

// The part of mj_constraintUpdate that works on rows anywhere: force and state of nrow rows at
// their residuals, of which the first are equalities and the next friction; their cost in total
// unless that is NULL, and contact.H if asked for.
MJAPI void mj_constraintUpdate_impl(int nequality, int nfriction, int nrow, const mjtNum* stiffness,
                                    const mjtNum* compliance, const mjtNum* friction_limit,
                                    const mjtNum* residual, const int* row_type, const int* row_id,
                                    mjContact* contact, int* row_state, mjtNum* row_force,
                                    mjtNum total[1], int with_cone_hessian);

#endif  // CT_HOST_CONSTRAINT_H_
