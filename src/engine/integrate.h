// From accelerations to the next state.

#ifndef CT_ENGINE_INTEGRATE_H_
#define CT_ENGINE_INTEGRATE_H_

#include <stdbool.h>

#include <mujoco/mujoco.h>

#include "base/lanes.h"

// Moves the state one time step on with an integrator other than Runge-Kutta. False if it could
// not: the status says why (no room for scratch, a matrix that cannot be factored), the state is as
// before.
LANE_FN bool ct_integrate_by(Lane g, const mjModel* m, mjData* d, int integrator);

// Its two halves, for whoever has something to do between them. The acceleration (nv) that the
// integrator takes, in room (nv) or in qacc; NULL if there is none. keep_factor: the factor of the
// last call is still good.
LANE_FN const mjtNum* ct_acceleration_of(Lane g, const mjModel* m, mjData* d, int integrator,
                                         bool keep_factor, mjtNum* room);
// The common end of all integrators: activations with act_dot (na), velocities with qacc (nv),
// positions with qvel (nv), or with the new velocities if that is NULL; time; warm start.
LANE_FN void ct_advance(Lane g, const mjModel* m, mjData* d, const mjtNum* act_dot,
                        const mjtNum* qacc, const mjtNum* qvel);

// ct_advance in two parts. If the first says that trees fell asleep, velocities and accelerations
// are computed again and ct_update_awake is called before the second.
LANE_FN bool ct_advance_activations(Lane g, const mjModel* m, mjData* d, const mjtNum* act_dot);
LANE_FN void ct_advance_motion(Lane g, const mjModel* m, mjData* d, const mjtNum* qacc,
                               const mjtNum* qvel);

// Does Euler treat damping implicitly: is it allowed to, and does a dof have some?
LANE_FN bool ct_euler_is_implicit(Lane g, const mjModel* m, const mjData* d);

// qLU = M - h qDeriv in the layout of qDeriv, and qH = M - h qDeriv in that of M, not factored.
LANE_FN void ct_build_qLU(Lane g, const mjModel* m, mjData* d);
LANE_FN void ct_build_qH(Lane g, const mjModel* m, mjData* d);

// Fourth-order Runge-Kutta. Whoever runs it puts a forward pass between the parts:
//
//   ct_rk_begin(g, m, d, &s, room);
//   for (int stage = 1; stage < 4; stage++) {
//     ct_rk_go_to(g, m, d, &s, stage);
//     forward, without sensors
//     ct_rk_keep(g, m, d, &s, stage);
//   }
//   ct_rk_return(g, m, d, &s);
//   ct_advance(g, m, d, s.mean_act_dot, s.mean_qacc, s.mean_qvel);
typedef struct ct_RungeKutta_ {
  mjtNum time;
  mjtNum *qpos, *act;             // the state before the step
  mjtNum *qvel, *qacc, *act_dot;  // of all four stages, one after the other
  mjtNum *mean_qvel, *mean_qacc, *mean_act_dot;
} ct_RungeKutta;

// Numbers of scratch that it needs.
LANE_INLINE int ct_rk_room(const mjModel* m) {
  return (int)(m->nq + 10 * m->nv + 6 * m->na);
}

LANE_FN void ct_rk_begin(Lane g, const mjModel* m, mjData* d, ct_RungeKutta* s, mjtNum* room);
LANE_FN void ct_rk_go_to(Lane g, const mjModel* m, mjData* d, const ct_RungeKutta* s, int stage);
LANE_FN void ct_rk_keep(Lane g, const mjModel* m, mjData* d, const ct_RungeKutta* s, int stage);
LANE_FN void ct_rk_return(Lane g, const mjModel* m, mjData* d, const ct_RungeKutta* s);

#endif  // CT_ENGINE_INTEGRATE_H_
