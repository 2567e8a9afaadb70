// How points, directions and momenta of bodies change with the dofs.

#ifndef CT_ENGINE_SMOOTH_JACOBIAN_H_
#define CT_ENGINE_SMOOTH_JACOBIAN_H_

#include <stdbool.h>

#include <mujoco/mujoco.h>

#include "base/lanes.h"
#include "base/model/chain.h"
#include "math/spatial.h"

// How fast the motion axis of dof k changes. cdof_dot has it, except that rotations of ball and
// free joints turn with all of the body's velocity, their own part included: their axes are fixed
// in the body, while cdof_dot is what the bias forces need.
LANE_INLINE void ct_axis_rate(const mjModel* m, const mjData* d, int k, mjtNum rate[6]) {
  int joint = m->dof_jntid[k], type = m->jnt_type[joint];
  bool in_body = type == mjJNT_BALL || (type == mjJNT_FREE && k >= m->jnt_dofadr[joint] + 3);
  if (in_body) {
    ct_cross_motion(rate, d->cvel + 6 * m->dof_bodyid[k], d->cdof + 6 * k);
  } else {
    ct_copy6(rate, d->cdof_dot + 6 * k);
  }
}

// Jacobians jacp, jacr (3 x nv) of the velocity of a point of the body and of its angular velocity.
// Either may be NULL, here and below.
LANE_FN void ct_jac(Lane g, const mjModel* m, const mjData* d, mjtNum* jacp, mjtNum* jacr,
                    const mjtNum point[3], int body);

// Time derivatives of jacp and jacr for a point that moves with the body.
LANE_FN void ct_jac_dot(Lane g, const mjModel* m, const mjData* d, mjtNum* jacp, mjtNum* jacr,
                        const mjtNum point[3], int body);

// Jacobians (3 x nv) of a point of the body, and of a direction fixed in the body that is now
// `axis`.
LANE_FN void ct_jac_point_axis(Lane g, const mjModel* m, const mjData* d, mjtNum* jac_point,
                               mjtNum* jac_axis, const mjtNum point[3], const mjtNum axis[3],
                               int body);

// Matrices (3 x nv) that take qvel to the momentum of the body's subtree, divided by its mass, and
// to its angular momentum about its centre of mass. Returns CT_OK or CT_STACK_FULL.
LANE_FN int ct_subtree_momentum(Lane g, const mjModel* m, mjData* d, mjtNum* velocity,
                                mjtNum* angular, int body);

// Adds to target (nv) what a force and a torque (world axes, either may be NULL) at a point of the
// body do to the dofs.
LANE_FN void ct_apply_force(Lane g, const mjModel* m, const mjData* d, mjtNum* target,
                            const mjtNum* force, const mjtNum* torque, const mjtNum point[3],
                            int body);

#endif  // CT_ENGINE_SMOOTH_JACOBIAN_H_
