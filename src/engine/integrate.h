// From accelerations to the next state, in stages that may be launched one by one.
//
//   ct_open_integration           room that lasts until the end
//   Runge-Kutta: three times      ct_next_evaluation, a forward pass without sensors,
//                                 ct_keep_evaluation; then ct_mean_rates
//   others                        ct_integrator_acceleration
//   ct_advance_activations        and histories; trees may fall asleep
//   if some did                   velocities and accelerations once more, ct_leave_asleep
//   ct_advance_motion, ct_close_integration
//   ct_undo_integration           instead of the rest, once a stage has failed
//
// All return a status (base/failure.h). What they tell each other is in ct_Integration of the
// private block. engine/flow.h runs them.

#ifndef CT_ENGINE_INTEGRATE_H_
#define CT_ENGINE_INTEGRATE_H_

#include <stdbool.h>

#include <mujoco/mujoco.h>

#include "base/failure.h"
#include "base/lanes.h"

// Takes room on the stack of d, and keeps what a step changes before it can still fail.
LANE_FN int ct_open_integration(Lane g, const mjModel* m, mjData* d);

// The same with an integrator that is not the model's. keep_factor: what it factored in the last
// step is still good.
LANE_FN int ct_open_integration_by(Lane g, const mjModel* m, mjData* d, int integrator,
                                   bool keep_factor);

// The state from which Runge-Kutta takes its next look: from the start along the rates of the
// evaluation before; and what it saw there.
LANE_FN int ct_next_evaluation(Lane g, const mjModel* m, mjData* d);
LANE_FN int ct_keep_evaluation(Lane g, const mjModel* m, mjData* d);

// The state goes back to the start; it will advance by the means of all evaluations.
LANE_FN int ct_mean_rates(Lane g, const mjModel* m, mjData* d);

// The acceleration by which the state will advance. CT_LU_SINGULAR: there is none.
LANE_FN int ct_integrator_acceleration(Lane g, const mjModel* m, mjData* d);

// Controls and sensors go into their histories, activations advance, quiet trees fall asleep.
LANE_FN int ct_advance_activations(Lane g, const mjModel* m, mjData* d);

// Trees that have just fallen asleep are left alone from here on.
LANE_FN int ct_leave_asleep(Lane g, const mjModel* m, mjData* d);

// Velocities, positions, time, warm start.
LANE_FN int ct_advance_motion(Lane g, const mjModel* m, mjData* d);

// Gives the room back; _undo puts back the state as well, and does nothing where there is no room.
LANE_FN int ct_close_integration(Lane g, const mjModel* m, mjData* d);
LANE_FN int ct_undo_integration(Lane g, const mjModel* m, mjData* d);

// Looks for bad numbers before a step, before it is integrated, before the state moves. The first
// finds CT_BAD_TIMESTEP, CT_BAD_QPOS, CT_BAD_QVEL, the second CT_MASS_SINGULAR and CT_BAD_QACC, the
// third CT_BAD_QACC and CT_CHOLESKY_FAILED.
LANE_FN int ct_check_state(Lane g, const mjModel* m, mjData* d);
LANE_FN int ct_check_acceleration(Lane g, const mjModel* m, mjData* d);
LANE_FN int ct_check_rates(Lane g, const mjModel* m, mjData* d);

// Does Euler treat damping implicitly: is it allowed to, and does a dof have some?
LANE_FN bool ct_euler_is_implicit(Lane g, const mjModel* m, const mjData* d);

// qLU = M - h qDeriv in the layout of qDeriv, and qH = M - h qDeriv in that of M, not factored.
LANE_FN void ct_build_qLU(Lane g, const mjModel* m, mjData* d);
LANE_FN void ct_build_qH(Lane g, const mjModel* m, mjData* d);

#endif  // CT_ENGINE_INTEGRATE_H_
