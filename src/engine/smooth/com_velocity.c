// Velocities of the bodies, and how fast the motion axes turn with them.
//
//   in    cdof      (nv x 6)     motion axis of every dof
//         qvel      (nv)
//   out   cvel      (nbody x 6)  velocity of every body
//         cdof_dot  (nv x 6)     time derivative of every motion axis
//
// Spatial vectors are (angular, linear) in world axes, taken at the centre of mass of the tree that
// the body belongs to. Vectors of one tree therefore add up without a change of frame.
//
// With s_j the axis of dof j and p(b) the parent of b, velocities accumulate away from the root
// (Featherstone, Rigid Body Dynamics Algorithms, eq. 5.14):
//
//   v_b = v_p(b) + sum_{j of b} s_j qd_j
//   ds_j/dt = v x s_j,       v: what has been accumulated when joint j is reached
//
// The three axes of a ball joint turn together, so all of them see the velocity before the joint. A
// free joint is three translations along fixed world axes, which do not turn, followed by a ball.
//
// While trees sleep, rows of their bodies and dofs keep what they had.

#include "engine/smooth/com_velocity.h"

#include "base/model/awake.h"
#include "base/private.h"
#include "math/spatial.h"

// Each of these passes one joint whose first dof is j: v is the velocity before it and becomes the
// one after it.

LANE_INLINE void pass_axis(mjData* d, int j, mjtNum v[6]) {
  ct_cross_motion(d->cdof_dot + 6 * j, v, d->cdof + 6 * j);
  ct_add_to_scl6(v, d->cdof + 6 * j, d->qvel[j]);
}

LANE_INLINE void pass_ball(mjData* d, int j, mjtNum v[6]) {
  for (int k = j; k < j + 3; k++) {
    ct_cross_motion(d->cdof_dot + 6 * k, v, d->cdof + 6 * k);
  }
  for (int k = j; k < j + 3; k++) {
    ct_add_to_scl6(v, d->cdof + 6 * k, d->qvel[k]);
  }
}

LANE_INLINE void pass_free(mjData* d, int j, mjtNum v[6]) {
  for (int k = j; k < j + 3; k++) {
    ct_zero6(d->cdof_dot + 6 * k);
    ct_add_to_scl6(v, d->cdof + 6 * k, d->qvel[k]);
  }
  pass_ball(d, j + 3, v);
}

// Velocity of body b from its parent's, and cdof_dot of its dofs.
LANE_FN static void body_velocity(const mjModel* m, mjData* d, int b) {
  mjtNum v[6];
  ct_copy6(v, d->cvel + 6 * m->body_parentid[b]);
  int end = m->body_jntadr[b] + m->body_jntnum[b];
  for (int joint = m->body_jntadr[b]; joint < end; joint++) {
    int j = m->jnt_dofadr[joint];
    switch (m->jnt_type[joint]) {
      case mjJNT_FREE:
        pass_free(d, j, v);
        break;
      case mjJNT_BALL:
        pass_ball(d, j, v);
        break;
      default:
        pass_axis(d, j, v);
        break;
    }
  }
  ct_copy6(d->cvel + 6 * b, v);
}

LANE_FN int ct_com_velocity(Lane g, const mjModel* m, mjData* d) {
  LANE_ONCE(g) {
    ct_zero6(d->cvel);  // the world does not move
  }
  lane_sync(g);

  bool filter = ct_some_asleep(m, d);
  LANE_LEVELS_AWAKE(b, g, m, d, filter) {
    body_velocity(m, d, b);
  }
  return CT_OK;
}
