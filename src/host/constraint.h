// Parts of the constraint functions that the public headers do not declare.

#ifndef CT_HOST_CONSTRAINT_H_
#define CT_HOST_CONSTRAINT_H_

#include <mujoco/mujoco.h>

#include "engine/constraint/constraint.h"

// Turns what a constraint stage came to into the reference's warning, or into an error of
// `function`.
void ct_report_rows(mjData* d, ct_RowResult result, const char* function);

// The part of mj_constraintUpdate that works on rows anywhere: force and state of nefc rows at the
// residuals jar, of which the first ne are equalities and the next nf friction; the cost unless it
// is NULL, and contact.H if asked for.
MJAPI void mj_constraintUpdate_impl(int ne, int nf, int nefc, const mjtNum* D, const mjtNum* R,
                                    const mjtNum* floss, const mjtNum* jar, const int* type,
                                    const int* id, mjContact* contact, int* state, mjtNum* force,
                                    mjtNum cost[1], int flg_coneHessian);

#endif  // CT_HOST_CONSTRAINT_H_
