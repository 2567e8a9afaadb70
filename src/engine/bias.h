// Bias forces, and the forces that given accelerations need.

#ifndef CT_ENGINE_BIAS_H_
#define CT_ENGINE_BIAS_H_

#include <stdbool.h>

#include <mujoco/mujoco.h>

#include "base/lanes.h"
#include "math/spatial.h"

// cvel, cdof_dot, qvel -> qfrc_bias, inertia of tendons included. See bias.c.
LANE_FN void ct_bias(Lane g, const mjModel* m, mjData* d);

// result (nv) = what velocity and gravity demand, and M qacc with it if accelerate. Neither
// armature nor tendons take part. False without room for scratch; result then is as before.
LANE_FN bool ct_newton_euler(Lane g, const mjModel* m, mjData* d, bool accelerate, mjtNum* result);

// Acceleration of the world: gravity is taken as an upward acceleration of everything.
LANE_INLINE void ct_world_acceleration(const mjModel* m, mjtNum acc[6]) {
  ct_zero6(acc);
  if (!(m->opt.disableflags & mjDSBL_GRAVITY)) ct_scl3(acc + 3, m->opt.gravity, -1);
}

// From the acceleration of its parent to that of body b. The sums over the dofs of the body are
// added as a whole, first that of the turning axes.
LANE_INLINE void ct_body_acceleration(const mjModel* m, const mjData* d, int b, bool accelerate,
                                      mjtNum acc[6], const mjtNum parent[6]) {
  int first = m->body_dofadr[b], n = m->body_dofnum[b];
  mjtNum sum[6];
  ct_copy6(acc, parent);
  if (n == 0) return;
  ct_mul_dof_vec(sum, d->cdof_dot + 6 * first, d->qvel + first, n);
  ct_add_to6(acc, sum);
  if (!accelerate) return;
  ct_mul_dof_vec(sum, d->cdof + 6 * first, d->qacc + first, n);
  ct_add_to6(acc, sum);
}

// Newton and Euler for body b: force = I a + v x* (I v).
LANE_INLINE void ct_body_force(const mjData* d, int b, const mjtNum acc[6], mjtNum force[6]) {
  mjtNum momentum[6], turning[6];
  const mjtNum *inertia = d->cinert + 10 * b, *velocity = d->cvel + 6 * b;
  ct_mul_inert_vec(momentum, inertia, velocity);
  ct_cross_force(turning, velocity, momentum);
  ct_mul_inert_vec(force, inertia, acc);
  ct_add_to6(force, turning);
}

#endif  // CT_ENGINE_BIAS_H_
