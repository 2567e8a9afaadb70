// Bias forces, and the forces that given accelerations need.

#ifndef CT_ENGINE_SMOOTH_BIAS_H_
#define CT_ENGINE_SMOOTH_BIAS_H_

#include <stdbool.h>

#include <mujoco/mujoco.h>

#include "base/failure.h"
#include "base/lanes.h"
#include "math/spatial.h"

// cvel, cdof_dot, qvel -> qfrc_bias, inertia of tendons included. See bias.c.
LANE_FN int ct_bias(Lane g, const mjModel* m, mjData* d);

// result (nv) = what velocity and gravity demand, and M qacc with it if accelerate. Neither
// armature nor tendons take part. False without room for scratch; result then is as before.
LANE_FN int ct_newton_euler(Lane g, const mjModel* m, mjData* d, bool accelerate, mjtNum* result);

// Acceleration of the world: gravity is taken as an upward acceleration of everything.
LANE_INLINE void ct_world_acceleration(const mjModel* m, mjtNum acc[6]) {
  ct_zero6(acc);
  if (!(m->opt.disableflags & mjDSBL_GRAVITY)) ct_scl3(acc + 3, m->opt.gravity, lane_num(-1));
}

// acc += sum over the n axes of axis_j x_j; the sum is added as a whole.
LANE_INLINE void ct_add_dof_vec(mjtNum acc[6], const mjtNum* axes, const mjtNum* x, int n) {
  if (n == 0) return;
  mjtNum sum[6];
  for (int i = 0; i < 6; i++) sum[i] = axes[i] * x[0];
  for (int j = 1; j < n; j++) ct_add_to_scl6(sum, axes + 6 * j, x[j]);
  ct_add_to6(acc, sum);
}

// From the acceleration of its parent to that of body b.
LANE_INLINE void ct_body_acceleration(const mjModel* m, const mjData* d, int b, bool accelerate,
                                      mjtNum acc[6], const mjtNum parent[6]) {
  int first = m->body_dofadr[b], n = m->body_dofnum[b];
  mjtNum a[6];
  ct_copy6(a, parent);
  ct_add_dof_vec(a, d->cdof_dot + 6 * first, d->qvel + first, n);
  if (accelerate) ct_add_dof_vec(a, d->cdof + 6 * first, d->qacc + first, n);
  ct_copy6(acc, a);
}

// acc (nbody x 6): accelerations of the world and all bodies, as above.
LANE_FN void ct_body_accelerations(Lane g, const mjModel* m, const mjData* d, bool accelerate,
                                   mjtNum* acc);

// Newton and Euler for the bodies from `first` on, force (nbody x 6) from acc (nbody x 6): I a + v
// x* (I v). What stands before may be written too.
LANE_FN void ct_body_forces(Lane g, const mjModel* m, const mjData* d, int first, const mjtNum* acc,
                            mjtNum* force);

#endif  // CT_ENGINE_SMOOTH_BIAS_H_
