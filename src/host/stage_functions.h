// Exported functions of stages that the public headers do not declare.

#ifndef CT_HOST_STAGE_FUNCTIONS_H_
#define CT_HOST_STAGE_FUNCTIONS_H_

#include <mujoco/mujoco.h>

#ifdef __cplusplus
extern "C" {
#endif

// Adds the inertia of tendons to M (not to qM).
MJAPI void mj_tendonArmature(const mjModel* m, mjData* d);

// Adds to the forces on dofs (nv) what the inertia of tendons demands.
MJAPI void mj_tendonBias(const mjModel* m, mjData* d, mjtNum* force);

// Time derivative of the Jacobian of a tendon's length, a dense row of nv numbers.
MJAPI void mj_tendonDot(const mjModel* m, mjData* d, int tendon, mjtNum* rate);

// Is the actuator in a group that is switched off?
MJAPI int mj_actuatorDisabled(const mjModel* m, int actuator);

// The part of mj_constraintUpdate that works on rows anywhere: force and state of n rows at the
// residuals, of which the first `equalities` are equalities and the next `frictions` friction; the
// cost unless it is NULL, and contact.H if cones are asked for.
MJAPI void mj_constraintUpdate_impl(int equalities, int frictions, int n, const mjtNum* D,
                                    const mjtNum* R, const mjtNum* friction_loss,
                                    const mjtNum* residual, const int* type, const int* id,
                                    mjContact* contact, int* state, mjtNum* force, mjtNum cost[1],
                                    int cones);

// mj_checkPos with mj_checkVel, and mj_checkAcc, which tell their callers what was bad:
// CT_BAD_QPOS, CT_BAD_QVEL, CT_BAD_QACC. Unless mjDSBL_AUTORESET is set there was a reset then.
int ct_reset_bad_state(const mjModel* m, mjData* d);
int ct_reset_bad_acceleration(const mjModel* m, mjData* d);

#ifdef __cplusplus
}
#endif

#endif  // CT_HOST_STAGE_FUNCTIONS_H_
