// Centres of mass of subtrees; inertias of bodies and motion axes of dofs, taken at them.
//
//   in    xipos, ximat  (nbody x 3, x 9)  inertial frames
//         xmat          (nbody x 9)       body frames
//         xanchor, xaxis (njnt x 3)       joints
//   out   subtree_com   (nbody x 3)       centre of mass of each body with all that hangs on it
//         cinert        (nbody x 10)      spatial inertia, packed as in math/spatial.h
//         cdof          (nv x 6)          motion axis of every dof (angular, linear)
//
// Inertias and axes are in world axes and taken at one point per tree, the centre of mass of
// everything under the tree's root body, so that those of one tree add up without a change of frame
// and without large lever arms.
//
// The axis of a joint is the velocity that the body takes from a unit speed of the dof
// (Featherstone, Rigid Body Dynamics Algorithms, section 4.4): (a, a x o) for a turn about a with o
// from the anchor to the point, (0, a) for a slide. The axes of a ball are those of the body; a
// free joint is three slides along the world's axes, then a ball.
//
// While trees sleep, rows of their bodies and dofs keep what they had; their centres of mass take
// part in those of the bodies above them.

#include "engine/smooth/com.h"

#include "base/model/awake.h"
#include "base/private.h"
#include "math/spatial.h"

// First moment of the subtree of b, in the place of its centre of mass: own part, then the children
// from the last to the first.
LANE_INLINE void subtree_moment(const mjModel* m, mjData* d, int b) {
  const ct_Schedule* s = &ct_private(d)->schedule;
  mjtNum* moment = d->subtree_com + 3 * b;
  ct_scl3(moment, d->xipos + 3 * b, m->body_mass[b]);
  for (int i = s->child_adr[b]; i < s->child_adr[b + 1]; i++) {
    ct_add_to3(moment, d->subtree_com + 3 * s->child[i]);
  }
}

// The same while trees sleep: a sleeping child has its centre there, not its moment.
LANE_FN LANE_RARE static void subtree_moment_with_sleepers(const mjModel* m, mjData* d, int b) {
  const ct_Schedule* s = &ct_private(d)->schedule;
  mjtNum* moment = d->subtree_com + 3 * b;
  ct_scl3(moment, d->xipos + 3 * b, m->body_mass[b]);
  for (int i = s->child_adr[b]; i < s->child_adr[b + 1]; i++) {
    int child = s->child[i];
    mjtNum scale = ct_body_asleep(d, child) ? m->body_subtreemass[child] : lane_num(1);
    ct_add_to_scl3(moment, d->subtree_com + 3 * child, scale);
  }
}

// From the moment to the centre; a subtree without mass has it where its body's is.
LANE_FN static void subtree_centre(const mjModel* m, mjData* d, int b) {
  mjtNum* com = d->subtree_com + 3 * b;
  mjtNum mass = m->body_subtreemass[b];
  if (lane_common(mass) < mjMINVAL) {
    ct_copy3(com, d->xipos + 3 * b);
  } else {
    ct_scl3(com, com, 1 / mass);
  }
}

LANE_INLINE void ball_axes(mjtNum* cdof, const mjtNum xmat[9], const mjtNum offset[3]) {
  for (int k = 0; k < 3; k++) {
    const mjtNum axis[3] = {xmat[k], xmat[3 + k], xmat[6 + k]};
    ct_dof_rotation(cdof + 6 * k, axis, offset);
  }
}

LANE_INLINE void free_axes(mjtNum* cdof, const mjtNum xmat[9], const mjtNum offset[3]) {
  ct_zero(cdof, 18);
  cdof[3] = cdof[10] = cdof[17] = lane_num(1);
  ball_axes(cdof + 18, xmat, offset);
}

LANE_INLINE void joint_axes(const mjModel* m, mjData* d, int joint, const mjtNum* xmat,
                            const mjtNum centre[3]) {
  mjtNum* cdof = d->cdof + 6 * m->jnt_dofadr[joint];
  mjtNum offset[3];
  ct_sub3(offset, centre, d->xanchor + 3 * joint);
  switch (m->jnt_type[joint]) {
    case mjJNT_FREE:
      free_axes(cdof, xmat, offset);
      break;
    case mjJNT_BALL:
      ball_axes(cdof, xmat, offset);
      break;
    case mjJNT_SLIDE:
      ct_dof_translation(cdof, d->xaxis + 3 * joint);
      break;
    case mjJNT_HINGE:
      ct_dof_rotation(cdof, d->xaxis + 3 * joint, offset);
      break;
  }
}

// Inertia of body b and axes of its dofs.
LANE_FN static void body_at_centre(const mjModel* m, mjData* d, int b) {
  const mjtNum* centre = d->subtree_com + 3 * m->body_rootid[b];
  mjtNum offset[3];
  ct_sub3(offset, d->xipos + 3 * b, centre);
  ct_inert_at(d->cinert + 10 * b, m->body_inertia + 3 * b, d->ximat + 9 * b, offset,
              m->body_mass[b]);
  int end = m->body_jntadr[b] + m->body_jntnum[b];
  for (int joint = m->body_jntadr[b]; joint < end; joint++) {
    joint_axes(m, d, joint, d->xmat + 9 * b, centre);
  }
}

#if LANE_WIDTH > 1

// Moments and centres by one lane while nothing sleeps. A body comes after all that hangs on it and
// hands its moment on to its parent: the sums of subtree_moment, in their order. What is read soon
// is written as it is read, in two and one.
static void centres_alone(const mjModel* m, mjData* d) {
  mjtNum *com = d->subtree_com, world[3];
  for (ptrdiff_t b = 0; b < m->nbody; b++) {
    const mjtNum *xipos = d->xipos + 3 * b, mass = m->body_mass[b];
    two_store(com + 3 * b, two_load(xipos) * two_all(mass));
    com[3 * b + 2] = xipos[2] * mass;
  }
  two_store(world, two_load(com));
  world[2] = com[2];
  for (ptrdiff_t b = m->nbody - 1; b >= 0; b--) {
    ptrdiff_t parent = m->body_parentid[b];
    mjtNum *own = b == 0 ? world : com + 3 * b, *above = parent == 0 ? world : com + 3 * parent;
    Two moment = two_load(own);
    mjtNum last = own[2], mass = m->body_subtreemass[b];
    if (b > 0) {
      two_store(above, two_load(above) + moment);
      above[2] += last;
    }
    if (mass < mjMINVAL) {
      ct_copy3(com + 3 * b, d->xipos + 3 * b);
    } else {
      mjtNum inverse = 1 / mass;
      two_store(com + 3 * b, moment * two_all(inverse));
      com[3 * b + 2] = last * inverse;
    }
  }
}

// What most joints are not.
static __attribute__((noinline)) void joint_axes_apart(const mjModel* m, mjData* d, int joint,
                                                       const mjtNum centre[3]) {
  joint_axes(m, d, joint, d->xmat + 9 * m->jnt_bodyid[joint], centre);
}

// Inertias and axes so, those of two bodies at once.
static __attribute__((noinline)) void com_position_alone(const mjModel* m, mjData* d) {
  centres_alone(m, d);
  const mjtNum *com = d->subtree_com, *xanchor = d->xanchor, *xaxis = d->xaxis;
  const int *root = m->body_rootid, *body = m->jnt_bodyid, *dof = m->jnt_dofadr;
  for (ptrdiff_t b = m->nbody % 2; b < m->nbody; b += 2) {
    const mjtNum *xipos = d->xipos + 3 * b, *one = com + 3 * root[b], *two = com + 3 * root[b + 1];
    Two offset[3];
    for (int k = 0; k < 3; k++) {
      offset[k] = two_of(xipos[k], xipos[3 + k]) - two_of(one[k], two[k]);
    }
    ct_two_inert_at(d->cinert + 10 * b, m->body_inertia + 3 * b, d->ximat + 9 * b, offset,
                    m->body_mass + b);
  }
  ct_zero(d->cinert, 10);  // that of the world
  for (ptrdiff_t joint = 0; joint < m->njnt; joint++) {
    const mjtNum* centre = com + 3 * root[body[joint]];
    if (m->jnt_type[joint] == mjJNT_HINGE) {
      mjtNum offset[3];
      ct_sub3(offset, centre, xanchor + 3 * joint);
      ct_dof_rotation(d->cdof + 6 * dof[joint], xaxis + 3 * joint, offset);
    } else {
      joint_axes_apart(m, d, (int)joint, centre);
    }
  }
}

#endif

LANE_FN LANE_RARE static void moments_with_sleepers(Lane g, const mjModel* m, mjData* d) {
  LANE_LEVELS_AWAKE_UP(b, g, m, d, true) {
    subtree_moment_with_sleepers(m, d, b);
  }
  LANE_ONCE(g) {
    subtree_moment_with_sleepers(m, d, 0);
  }
}

LANE_FN int ct_com_position(Lane g, const mjModel* m, mjData* d) {
  bool filter = ct_some_asleep(m, d);
#if LANE_WIDTH > 1
  if (!filter && lane_count(g) == 1) {
    com_position_alone(m, d);
    return CT_OK;
  }
#endif
  int bodies = ct_bodies_awake(m, d, filter);
  if (filter) {
    moments_with_sleepers(g, m, d);
  } else {
    LANE_LEVELS_UP(b, g, ct_private(d)->schedule.bodies) {
      subtree_moment(m, d, b);
    }
  }
  LANE_ONCE(g) {  // the world is in no level, and has no inertia
    if (!filter) subtree_moment(m, d, 0);
    ct_zero(d->cinert, 10);
  }
  lane_sync(g);
  LANE_FOR(i, g, bodies) {
    subtree_centre(m, d, ct_awake_body(d, filter, i));
  }
  lane_sync(g);
  LANE_FOR(i, g, bodies - 1) {
    body_at_centre(m, d, ct_awake_body(d, filter, i + 1));
  }
  lane_sync(g);
  return CT_OK;
}
