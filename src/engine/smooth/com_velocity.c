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
// One lane where nobody sleeps: bodies pass on their velocities, which leave in cdof_dot what each
// axis turns with; then axes turn four at a time, since they do not wait for each other.

// Passes the joints of body b, where some have more than one dof. Translations do not turn: their
// axes are fixed, and turned by nothing they give 0.
LANE_FN static WideSix pass_joints(const mjModel* m, mjData* d, int b, WideSix v) {
  const WideSix still = {wide_all(0), {0, 0}};
  int end = m->body_jntadr[b] + m->body_jntnum[b];
  for (int joint = m->body_jntadr[b]; joint < end; joint++) {
    int j = m->jnt_dofadr[joint], type = m->jnt_type[joint];
    int translations = type == mjJNT_FREE ? 3 : 0, together = type >= mjJNT_SLIDE ? 1 : 3;
    for (int k = 0; k < translations; k++, j++) {
      wide_store6(d->cdof_dot + 6 * j, still);
      v = wide_add_scl6(v, d->cdof + 6 * j, d->qvel[j]);
    }
    WideSix before = v;
    for (int k = 0; k < together; k++, j++) {
      wide_store6(d->cdof_dot + 6 * j, before);
      v = wide_add_scl6(v, d->cdof + 6 * j, d->qvel[j]);
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
      for (const mjtNum* end = qvel + n; qvel < end; qvel++, axis += 6, turning += 6) {
        wide_store6(turning, v);
        v = wide_add_scl6(v, axis, *qvel);
      }
    } else {
      v = pass_joints(m, d, b, v);
      qvel += n;
      axis += 6 * n;
      turning += 6 * n;
    }
    wide_store6(cvel + 6 * b, v);
  }
}

LANE_FN static void turn_axes(const mjtNum* cdof, mjtNum* cdof_dot, int nv) {
  int j = 0;
  for (; j + 4 <= nv; j += 4) {
    Wide v[6], s[6], turned[6];
    wide_gather_numbers(v, cdof_dot + 6 * j, 6, 6);
    wide_gather_numbers(s, cdof + 6 * j, 6, 6);
    wide_cross_motion(turned, v, s);
    wide_scatter_numbers(cdof_dot + 6 * j, 6, turned, 6);
  }
  for (; j < nv; j++) {
    mjtNum v[6];
    ct_copy6(v, cdof_dot + 6 * j);
    ct_cross_motion(cdof_dot + 6 * j, v, cdof + 6 * j);
  }
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
  LANE_LEVELS(b, g, ct_private(d)->schedule.bodies) {
    if (filter && ct_body_asleep(d, b)) continue;
    body_velocity(m, d, b);
  }
  return CT_OK;
}
