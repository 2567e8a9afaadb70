// How smooth forces change with the velocity.

#ifndef CT_ENGINE_SMOOTH_VELOCITY_DERIVATIVE_H_
#define CT_ENGINE_SMOOTH_VELOCITY_DERIVATIVE_H_

#include <stdbool.h>

#include <mujoco/mujoco.h>

#include "base/failure.h"
#include "base/lanes.h"

// qDeriv: derivative of passive and actuator forces, and of the negative bias forces if `bias`, by
// qvel. See velocity_derivative.c. False without room for scratch.
LANE_FN int ct_smooth_derivative(Lane g, const mjModel* m, mjData* d, bool bias);

// Its parts, for whoever wants one of them; they add to qDeriv.
LANE_FN void ct_actuator_derivative(Lane g, const mjModel* m, mjData* d);
LANE_FN int ct_passive_derivative(Lane g, const mjModel* m, mjData* d);

// A (nv x nv) += scale times the part of the derivative that qDeriv has no place for: what tendons
// and actuators make of dofs in different branches or trees.
LANE_FN void ct_add_far_derivative(Lane g, const mjModel* m, const mjData* d, mjtNum* A,
                                   mjtNum scale);

#endif  // CT_ENGINE_SMOOTH_VELOCITY_DERIVATIVE_H_
