// A step that reports instead of printing, resetting or stopping.

#ifndef CORTEN_STEP_H_
#define CORTEN_STEP_H_

#include <corten/status.h>
#include <mujoco/mujoco.h>

#ifdef __cplusplus
extern "C" {
#endif

// As mj_step, except for what happens when something is wrong: bits of ct_Status say what, there is
// no automatic reset, and the state (qpos, qvel, act, time) stays as it was, for the caller to look
// at. Nothing is printed; d->warning counts. CT_OK, which is 0: the step was made. Bits also stay
// in ct_status until cleared. With CT_CHOLESKY_FAILED, CT_SOLVER_UNCONVERGED or CT_MIXED_SOLREF
// alone the step was made, but its numbers are doubtful; with CT_BAD_CONTROL it was made with all
// controls taken for zero. With CT_ARENA_FULL it was not made, where mj_step would lose contacts or
// constraints; with CT_BAD_CONTACT, CT_BAD_SENSOR or CT_BAD_MODEL neither, where mj_step would be
// an error. -1: the model has flexes, joints or an integrator that do not exist, an error here too.
MJAPI int ct_step(const mjModel* m, mjData* d);

#ifdef __cplusplus
}
#endif

#endif  // CORTEN_STEP_H_
