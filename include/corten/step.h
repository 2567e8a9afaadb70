// A step that reports instead of printing, resetting or stopping.

#ifndef CORTEN_STEP_H_
#define CORTEN_STEP_H_

#include <corten/status.h>
#include <mujoco/mujoco.h>

#ifdef __cplusplus
extern "C" {
#endif

// As mj_step, except for what happens when something is wrong: bits of ct_Status say what, there is
// no warning and no automatic reset, and the state (qpos, qvel, act, time) stays as it was, for the
// caller to look at. CT_OK, which is 0: the step was made. Bits also stay in ct_status until
// cleared. With CT_CHOLESKY_FAILED or CT_SOLVER_UNCONVERGED the step was made, but its numbers are
// doubtful. -1: the model asks for something that does not exist, which was an error first.
MJAPI int ct_step(const mjModel* m, mjData* d);

#ifdef __cplusplus
}
#endif

#endif  // CORTEN_STEP_H_
