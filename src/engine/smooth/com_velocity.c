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
#include "math/wide_spatial.h"

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

#if LANE_WIDTH > 1
// On one lane, where nobody sleeps: bodies pass on their velocities, which leave in cdof_dot what
// each axis turns with, and then axes turn four at a time, since they do not wait for each other.
// Dofs are numbered in the order of their bodies, so that pointers to them go along.

// Passes the joints of body b, where some have more than one dof. The axes of translations are
// fixed: turned by nothing, they give 0.
LANE_FN static WideSix pass_joints(const mjModel* m, int b, WideSix v, const mjtNum* axis,
                                   const mjtNum* qvel, mjtNum* turning) {
  const WideSix still = {wide_all(0), {0, 0}};
  int end = m->body_jntadr[b] + m->body_jntnum[b];
  for (int joint = m->body_jntadr[b]; joint < end; joint++) {
    int type = m->jnt_type[joint];
    int translations = type == mjJNT_FREE ? 3 : 0, together = type <= mjJNT_BALL ? 3 : 1;
    WideSix before = still;
    for (int k = translations + together; k > 0; k--, axis += 6, turning += 6) {
      if (k == together) before = v;
      wide_store6(turning, before);
      v = wide_add_scl6(v, axis, *qvel++);
    }
  }
  return v;
}

LANE_FN static void pass_velocities(const mjModel* m, mjData* d) {
  const int *parent = m->body_parentid, *dofs = m->body_dofnum, *joints = m->body_jntnum;
  const mjtNum *axis = d->cdof, *qvel = d->qvel;
  mjtNum *cvel = d->cvel, *turning = d->cdof_dot;
  for (int b = 1, nbody = (int)m->nbody; b < nbody; b++) {
    WideSix v = wide_load6(cvel + 6 * parent[b]);
    int n = dofs[b];
    if (n == joints[b]) {  // hinges and slides
      for (int k = 0; k < n; k++) {
        wide_store6(turning + 6 * k, v);
        v = wide_add_scl6(v, axis + 6 * k, qvel[k]);
      }
    } else {
      v = pass_joints(m, b, v, axis, qvel, turning);
    }
    qvel += n;
    axis += 6 * n;
    turning += 6 * n;
    wide_store6(cvel + 6 * b, v);
  }
}

// Apart, because of a loop over the last three compilers make several for every case.
LANE_FN static __attribute__((noinline)) void turn_axis(const mjtNum cdof[6], mjtNum cdof_dot[6]) {
  mjtNum v[6];
  ct_copy6(v, cdof_dot);
  ct_cross_motion(cdof_dot, v, cdof);
}

LANE_FN static void turn_axes(const mjtNum* cdof, mjtNum* cdof_dot, int nv) {
  int j = 0;
  for (; j + 4 <= nv; j += 4) {
    Wide v[6], s[6], turned[6];
    wide_gather_rows(v, cdof_dot + 6 * j, 6, 6);
    wide_gather_rows(s, cdof + 6 * j, 6, 6);
    wide_cross_motion(turned, v, s);
    wide_scatter_rows(cdof_dot + 6 * j, 6, turned, 6);
  }
  for (; j < nv; j++) turn_axis(cdof + 6 * j, cdof_dot + 6 * j);
}
#endif

LANE_FN int ct_com_velocity(Lane g, const mjModel* m, mjData* d) {
  LANE_ONCE(g) {
    ct_zero6(d->cvel);  // the world does not move
  }
  lane_sync(g);

  bool filter = ct_some_asleep(m, d);
#if LANE_WIDTH > 1
  if (lane_count(g) == 1 && !filter) {
    pass_velocities(m, d);
    turn_axes(d->cdof, d->cdof_dot, (int)m->nv);
    return CT_OK;
  }
#endif
  LANE_LEVELS_AWAKE(b, g, m, d, filter) {
    body_velocity(m, d, b);
  }
  return CT_OK;
}
