// Parts of the pipelines that the public headers do not declare.

#ifndef CT_HOST_DYNAMICS_H_
#define CT_HOST_DYNAMICS_H_

#include <stdbool.h>

#include <mujoco/mujoco.h>

#include "host/walk.h"

// mj_step, mj_Euler and mj_implicit for callers that know that a part of the work is still valid:
// the stages up to a mjtStage, the factored matrix.
MJAPI void mj_stepSkip(const mjModel* m, mjData* d, int valid, int no_sensors);
MJAPI void mj_EulerSkip(const mjModel* m, mjData* d, int keep_factor);
MJAPI void mj_implicitSkip(const mjModel* m, mjData* d, int keep_factor);

// Is there nothing in the model that no step could be made with? If there is, this is an error of
// `function`.
bool ct_can_step(const mjModel* m, const char* function);

// mj_stepSkip and mj_inverseSkip for callers that have to tidy up before an error is said: they
// return their status (base/failure.h). Of the model ct_can_step was asked before. A neighbour, or
// NULL, knows accelerations of a state next door. CT_BAD_STATE, or a part of it, in the status of a
// step says that it warned and, unless mjDSBL_AUTORESET is set, began anew from a reset.
int ct_step_skipping(const mjModel* m, mjData* d, int valid, int no_sensors,
                     ct_Neighbour* neighbour);
int ct_inverse_skipping(const mjModel* m, mjData* d, int valid, int no_sensors);

// Stages of `parts` (ct_Part) in the order of a step, with the user's code between them. As mj_step
// it goes on without contacts or constraints that had no room, but says nothing and returns its
// status (base/failure.h).
int ct_walk_silently(const mjModel* m, mjData* d, unsigned parts);

#endif  // CT_HOST_DYNAMICS_H_
