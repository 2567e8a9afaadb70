// Forward kinematics: from joint positions to the poses of bodies and of what is fixed to them.
//
//   in    qpos                  (nq)
//         mocap_pos, mocap_quat (nmocap x 3, nmocap x 4)
//   out   xpos, xquat, xmat     (nbody x 3, x 4, x 9)  body frames
//         xipos, ximat          (nbody x 3, x 9)       inertial frames
//         xanchor, xaxis        (njnt x 3)             joints, before their own motion
//         geom_xpos, geom_xmat  (ngeom x 3, x 9)
//         site_xpos, site_xmat  (nsite x 3, x 9)
//
// Everything is in world axes; matrices are row by row and turn local vectors into world ones.
//
// A body starts from the pose (x, q) that its parent gives it and passes its joints in order:
//
//   axis = q a q*,  anchor = x + q p q*        a, p: the joint's axis and position in the body
//   slide  x <- x + axis (theta - theta0)
//   hinge  q <- q exp(a (theta - theta0)),  x <- anchor - q p q*
//   ball   q <- q theta,                    x <- anchor - q p q*
//
// so a rotation leaves the anchor where it is. A free joint is the pose itself. Quaternions in qpos
// and mocap_quat need not have unit length and are never written; local copies are normalised.
//
// With sleep enabled, bodies that cannot move keep what they got when the data was reset. Poses of
// sleeping bodies are computed all the same: one that differs from the stored one has been moved
// from outside, and its tree wakes (sleep.c). What is fixed to bodies is computed for awake ones.

#include "engine/smooth/kinematics.h"

#include <stdbool.h>

#include "base/private.h"
#include "engine/smooth/sleep.h"

typedef struct Pose_ {
  mjtNum x[3];
  mjtNum q[4];
} Pose;

// Sine and cosine of half the angle of LANE_WIDTH joints from `first` on, up to `end`, many at a
// time because that is several times faster. They wait in the joint's own xanchor, which nobody
// needs before the joint is passed. Zero for joints without an angle.
LANE_INLINE void half_angles(const mjModel* m, mjData* d, int first, int end) {
  mjtNum half[LANE_WIDTH], sine[LANE_WIDTH], cosine[LANE_WIDTH];
  int last = end - 1;
  for (int k = 0; k < LANE_WIDTH; k++) {
    int joint = first + k < last ? first + k : last;
    int adr = m->jnt_qposadr[joint];
    mjtNum angle = d->qpos[adr] - m->qpos0[adr];
    half[k] = m->jnt_type[joint] == mjJNT_HINGE ? angle / 2 : lane_num(0);
  }
  ct_sincos_wide(sine, cosine, half);
  for (int k = 0; k < LANE_WIDTH && first + k <= last; k++) {
    d->xanchor[3 * (first + k)] = sine[k];
    d->xanchor[3 * (first + k) + 1] = cosine[k];
  }
}

#if LANE_WIDTH > 1

// The same for all joints from `first` to `end`, as words of hinges that follow each other.
static __attribute__((noinline)) void half_angles_alone(const mjModel* m, mjData* d, int first,
                                                        int end) {
  for (int joint = first, n; joint < end; joint += n) {
    const int *type = m->jnt_type + joint, *adr = m->jnt_qposadr + joint;
    const mjtNum *qpos = d->qpos + adr[0], *qpos0 = m->qpos0 + adr[0];
    int most = end - joint < LANE_WIDTH ? end - joint : LANE_WIDTH;
    for (n = 0; n < most && type[n] == mjJNT_HINGE && adr[n] == adr[0] + n;) n++;
    if (n == 0) {
      n = 1;  // not a hinge
      continue;
    }
    Wide turn, sine, cosine;
    if (n == LANE_WIDTH) {
      turn = wide_load(qpos) - wide_load(qpos0);
    } else {
      mjtNum second = n > 1 ? qpos[1] - qpos0[1] : 0, third = n > 2 ? qpos[2] - qpos0[2] : 0;
      Wide few = {qpos[0] - qpos0[0], second, third, 0};
      turn = few;
    }
    ct_sincos_word(&sine, &cosine, turn / 2);
    mjtNum* xanchor = d->xanchor + 3 * joint;
    two_store(xanchor, two_of(sine[0], cosine[0]));
    if (n > 1) two_store(xanchor + 3, two_of(sine[1], cosine[1]));
    if (n > 2) two_store(xanchor + 6, two_of(sine[2], cosine[2]));
    if (n > 3) two_store(xanchor + 9, two_of(sine[3], cosine[3]));
  }
}

#endif

// Turns the pose, which has passed the earlier joints, by `turn` in its own axes about `anchor`.
LANE_INLINE void turn_about(Pose* pose, const mjtNum turn[4], const mjtNum anchor[3],
                            const mjtNum jnt_pos[3], bool at_origin) {
  ct_mul_quat(pose->q, pose->q, turn);
  if (at_origin) return;
  mjtNum arm[3];
  ct_rotate(arm, jnt_pos, pose->q);
  ct_sub3(pose->x, anchor, arm);
}

LANE_INLINE void pass_joint(const mjModel* m, mjData* d, int joint, Pose* pose) {
  const mjtNum *pos = m->jnt_pos + 3 * joint, *local_axis = m->jnt_axis + 3 * joint;
  const mjtNum* theta = d->qpos + m->jnt_qposadr[joint];
  mjtNum *anchor = d->xanchor + 3 * joint, *axis = d->xaxis + 3 * joint;
  const mjtNum sine = anchor[0], cosine = anchor[1];  // by half_angles

  // most joints sit at the origin of their body, where rotations leave x alone
  bool at_origin = lane_common(pos[0]) == 0 && lane_common(pos[1]) == 0 && lane_common(pos[2]) == 0;
  ct_rotate(axis, local_axis, pose->q);
  ct_copy3(anchor, pose->x);
  if (!at_origin) {
    mjtNum arm[3];
    ct_rotate(arm, pos, pose->q);
    ct_add_to3(anchor, arm);
  }

  mjtNum turn[4];
  switch (m->jnt_type[joint]) {
    case mjJNT_SLIDE:
      ct_add_to_scl3(pose->x, axis, theta[0] - m->qpos0[m->jnt_qposadr[joint]]);
      break;
    case mjJNT_HINGE:
      turn[0] = cosine;
      ct_scl3(turn + 1, local_axis, sine);
      turn_about(pose, turn, anchor, pos, at_origin);
      break;
    case mjJNT_BALL:
      ct_copy4(turn, theta);
      ct_normalize4(turn);
      turn_about(pose, turn, anchor, pos, at_origin);
      break;
  }
}

// The pose that qpos gives to a body with a free joint.
LANE_INLINE void free_pose(const mjModel* m, mjData* d, int joint, Pose* pose) {
  const mjtNum* theta = d->qpos + m->jnt_qposadr[joint];
  ct_copy3(pose->x, theta);
  ct_copy4(pose->q, theta + 3);
  ct_normalize4(pose->q);
  ct_copy3(d->xanchor + 3 * joint, pose->x);
  ct_copy3(d->xaxis + 3 * joint, m->jnt_axis + 3 * joint);
}

// Where the parent, or motion capture, puts body b before its joints act.
LANE_INLINE void start_pose(const mjModel* m, const mjData* d, int b, Pose* pose) {
  int parent = m->body_parentid[b], mocap = m->body_mocapid[b];
  ct_copy3(pose->x, m->body_pos + 3 * b);
  ct_copy4(pose->q, m->body_quat + 4 * b);
  if (mocap >= 0) {
    ct_copy3(pose->x, d->mocap_pos + 3 * mocap);
    ct_copy4(pose->q, d->mocap_quat + 4 * mocap);
    ct_normalize4(pose->q);
  }
  if (parent > 0) {
    ct_mul_mat_vec3(pose->x, d->xmat + 9 * parent, pose->x);
    ct_add_to3(pose->x, d->xpos + 3 * parent);
    if (ct_is_unit_quat(pose->q)) {  // common, and one product less to wait for
      ct_copy4(pose->q, d->xquat + 4 * parent);
    } else {
      ct_mul_quat(pose->q, d->xquat + 4 * parent, pose->q);
    }
  }
}

// Inertial frame of body b, from the pose and matrix that have just been found.
LANE_INLINE void place_inertia(const mjModel* m, mjData* d, int b, const Pose* pose,
                               const mjtNum mat[9]) {
  int sameframe = m->body_sameframe[b];
  mjtNum *xipos = d->xipos + 3 * b, *ximat = d->ximat + 9 * b;
  if (sameframe == mjSAMEFRAME_BODY) {
    ct_copy3(xipos, pose->x);
  } else {
    ct_mul_mat_vec3(xipos, mat, m->body_ipos + 3 * b);
    ct_add_to3(xipos, pose->x);
  }
  if (sameframe == mjSAMEFRAME_BODY || sameframe == mjSAMEFRAME_BODYROT) {
    ct_copy(ximat, mat, 9);
  } else {
    mjtNum quat[4];
    ct_mul_quat(quat, pose->q, m->body_iquat + 4 * b);
    ct_rotation_of(ximat, quat);
  }
}

LANE_INLINE void find_pose(const mjModel* m, mjData* d, int b, Pose* pose) {
  int first = m->body_jntadr[b], count = m->body_jntnum[b];
  if (count == 1 && m->jnt_type[first] == mjJNT_FREE) {
    free_pose(m, d, first, pose);
  } else {
    start_pose(m, d, b, pose);
    for (int joint = first; joint < first + count; joint++) {
      pass_joint(m, d, joint, pose);
    }
  }
  ct_normalize4(pose->q);
}

// Frame and inertial frame of body b, and its joints.
LANE_FN static void place_body(const mjModel* m, mjData* d, int b) {
  Pose pose;
  mjtNum mat[9];
  find_pose(m, d, b, &pose);
  ct_rotation_of(mat, pose.q);
  ct_copy3(d->xpos + 3 * b, pose.x);
  ct_copy4(d->xquat + 4 * b, pose.q);
  ct_copy(d->xmat + 9 * b, mat, 9);
  place_inertia(m, d, b, &pose, mat);
}

#if LANE_WIDTH > 1

// What most bodies of most models do not need stays out of line, so that their poses stay in
// registers.
static __attribute__((noinline)) void find_pose_apart(const mjModel* m, mjData* d, int b,
                                                      Pose* pose) {
  find_pose(m, d, b, pose);
}
static __attribute__((noinline)) void pass_joints_apart(const mjModel* m, mjData* d, int first,
                                                        int end, Pose* pose) {
  for (int joint = first; joint < end; joint++) pass_joint(m, d, joint, pose);
}
static __attribute__((noinline)) void normalize_apart(Pose* pose) {
  ct_normalize4(pose->q);
}

// pass_joint for a hinge.
LANE_INLINE void pass_hinge(const mjModel* m, mjData* d, ptrdiff_t joint, Pose* pose) {
  const mjtNum *pos = m->jnt_pos + 3 * joint, *local_axis = m->jnt_axis + 3 * joint;
  mjtNum *anchor = d->xanchor + 3 * joint, *axis = d->xaxis + 3 * joint;
  mjtNum turn[4] = {anchor[1]};  // by half_angles
  ct_scl3(turn + 1, local_axis, anchor[0]);
  ct_rotate(axis, local_axis, pose->q);
  ct_copy3(anchor, pose->x);
  if (ct_is_zero3(pos)) {
    ct_mul_quat(pose->q, pose->q, turn);
  } else {
    mjtNum arm[3];
    ct_rotate(arm, pos, pose->q);
    ct_add_to3(anchor, arm);
    turn_about(pose, turn, anchor, pos, false);
  }
}

// start_pose for a body that hangs on another one.
LANE_INLINE void follow_parent(const mjModel* m, mjData* d, ptrdiff_t b, Pose* pose) {
  const Wide unit = {1, 0, 0, 0};
  ptrdiff_t parent = m->body_parentid[b];
  const mjtNum *pos = m->body_pos + 3 * b, *quat = m->body_quat + 4 * b;
  const mjtNum* above = d->xquat + 4 * parent;
  ct_mul_mat_vec3(pose->x, d->xmat + 9 * parent, pos);
  ct_add_to3(pose->x, d->xpos + 3 * parent);
  if (wide_bits(wide_load(quat) == unit) == 15) {
    ct_copy4(pose->q, above);
  } else {
    ct_mul_quat(pose->q, above, quat);
  }
}

// The matrices of the quaternions p and q at once, with the operations of ct_rotation_of.
LANE_INLINE void two_rotations_of(mjtNum a[9], mjtNum b[9], const mjtNum p[4], const mjtNum q[4]) {
  Two w = two_of(p[0], q[0]), x = two_of(p[1], q[1]);
  Two y = two_of(p[2], q[2]), z = two_of(p[3], q[3]);
  Two ww = w * w, xx = x * x, yy = y * y, zz = z * z;
  Two wx = w * x, wy = w * y, wz = w * z, xy = x * y, xz = x * z, yz = y * z;
  two_store_apart(a, b, ww + xx - yy - zz);
  two_store_apart(a + 4, b + 4, ww - xx + yy - zz);
  two_store_apart(a + 8, b + 8, ww - xx - yy + zz);
  two_store_apart(a + 1, b + 1, 2 * (xy - wz));
  two_store_apart(a + 2, b + 2, 2 * (xz + wy));
  two_store_apart(a + 3, b + 3, 2 * (xy + wz));
  two_store_apart(a + 5, b + 5, 2 * (yz - wx));
  two_store_apart(a + 6, b + 6, 2 * (xz - wy));
  two_store_apart(a + 7, b + 7, 2 * (yz + wx));
}

// All bodies by one lane, while nothing sleeps: place_body with what is common first.
static __attribute__((noinline)) void place_bodies_alone(const mjModel* m, mjData* d) {
  for (ptrdiff_t b = 1; b < m->nbody; b++) {
    Pose pose;
    ptrdiff_t joint = m->body_jntadr[b], end = joint + m->body_jntnum[b];
    if (m->body_parentid[b] == 0 || m->body_mocapid[b] >= 0) {
      Pose found;
      find_pose_apart(m, d, (int)b, &found);
      pose = found;
    } else {
      follow_parent(m, d, b, &pose);
      while (joint < end && m->jnt_type[joint] == mjJNT_HINGE) pass_hinge(m, d, joint++, &pose);
      if (joint < end) {
        Pose moved = pose;
        pass_joints_apart(m, d, (int)joint, (int)end, &moved);
        pose = moved;
      }
      const mjtNum* q = pose.q;
      mjtNum square = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
      if (!(square >= CT_UNIT_SQUARE_LOW) || !(square <= CT_UNIT_SQUARE_HIGH)) {
        Pose scaled = pose;
        normalize_apart(&scaled);
        pose = scaled;
      }
    }
    ct_copy3(d->xpos + 3 * b, pose.x);
    ct_copy4(d->xquat + 4 * b, pose.q);
    mjtByte sameframe = m->body_sameframe[b];
    mjtNum *xmat = d->xmat + 9 * b, *xipos = d->xipos + 3 * b, *ximat = d->ximat + 9 * b;
    if (sameframe == mjSAMEFRAME_NONE) {
      const mjtNum* ipos = m->body_ipos + 3 * b;
      mjtNum quat[4];
      ct_mul_quat(quat, pose.q, m->body_iquat + 4 * b);
      two_rotations_of(xmat, ximat, pose.q, quat);
      ct_mul_mat_vec3(xipos, xmat, ipos);
      ct_add_to3(xipos, pose.x);
    } else {
      mjtNum mat[9];
      ct_rotation_of(mat, pose.q);
      ct_copy(xmat, mat, 9);
      place_inertia(m, d, (int)b, &pose, mat);
    }
  }
}

#endif

#ifndef CT_SIDE_BY_SIDE
// The frame of a body that may be asleep, which must not have moved if it has joints. Where it
// sleeps on, everything is as it was.
LANE_FN static void place_and_compare(const mjModel* m, mjData* d, int b) {
  Pose pose;
  mjtNum *x = d->xpos + 3 * b, *q = d->xquat + 4 * b;
  find_pose(m, d, b, &pose);
  bool same = x[0] == pose.x[0] && x[1] == pose.x[1] && x[2] == pose.x[2] && q[0] == pose.q[0] &&
              q[1] == pose.q[1] && q[2] == pose.q[2] && q[3] == pose.q[3];
  if (same && d->body_awake[b] == 0) return;
  if (d->body_awake[b] == 0 && m->body_jntnum[b] > 0) d->body_awake[b] = CT_BODY_MOVED;
  ct_copy3(x, pose.x);
  ct_copy4(q, pose.q);
  ct_rotation_of(d->xmat + 9 * b, pose.q);
}

LANE_FN static void place_inertia_of(const mjModel* m, mjData* d, int b) {
  Pose pose;
  ct_copy3(pose.x, d->xpos + 3 * b);
  ct_copy4(pose.q, d->xquat + 4 * b);
  place_inertia(m, d, b, &pose, d->xmat + 9 * b);
}

LANE_FN LANE_RARE static void place_bodies_with_sleep(Lane g, const mjModel* m, mjData* d) {
  LANE_LEVELS(b, g, ct_private(d)->schedule.bodies) {
    if (d->body_awake[b] != -1) place_and_compare(m, d, b);
  }
  lane_sync(g);
  ct_wake_disturbed(g, m, d);
  LANE_FOR(i, g, d->nbody_awake) {
    int b = d->body_awake_ind[i];
    if (b > 0 && d->body_awake[b] == 1) place_inertia_of(m, d, b);
  }
  lane_sync(g);
}
#endif

LANE_FN static void place_world(mjData* d) {
  ct_zero3(d->xpos);
  ct_zero3(d->xipos);
  ct_unit4(d->xquat);
  ct_eye(d->xmat, 3);
  ct_eye(d->ximat, 3);
}

LANE_INLINE void place_geom(const mjModel* m, mjData* d, int i) {
  int body = m->geom_bodyid[i], sameframe = m->geom_sameframe[i];
  ct_attached_position(d, d->geom_xpos + 3 * i, m->geom_pos + 3 * i, body, sameframe);
  ct_attached_orientation(d, d->geom_xmat + 9 * i, m->geom_quat + 4 * i, body, sameframe);
}

#if LANE_WIDTH > 1

// A geom that shares its axes, and perhaps its place, with its body or that body's inertia.
LANE_INLINE void place_shared_geom(const mjModel* m, mjData* d, ptrdiff_t i) {
  ptrdiff_t body = m->geom_bodyid[i];
  mjtByte sameframe = m->geom_sameframe[i];
  bool inertia = sameframe == mjSAMEFRAME_INERTIA || sameframe == mjSAMEFRAME_INERTIAROT;
  mjtNum* xpos = d->geom_xpos + 3 * i;
  if (sameframe == mjSAMEFRAME_BODY || sameframe == mjSAMEFRAME_INERTIA) {
    ct_copy3(xpos, (inertia ? d->xipos : d->xpos) + 3 * body);
  } else {
    ct_attached_position(d, xpos, m->geom_pos + 3 * i, (int)body, mjSAMEFRAME_NONE);
  }
  ct_copy(d->geom_xmat + 9 * i, (inertia ? d->ximat : d->xmat) + 9 * body, 9);
}

// The turns of four geoms from `first` on that have frames of their own, given those of their
// bodies, with the operations of ct_mul_quat and ct_rotation_of in every place of a word. Inertial
// frames of bodies, made the same way once all bodies are placed, gained nothing and cost humanoid
// 1 %.
LANE_INLINE void turn_four_geoms(const mjModel* m, mjData* d, ptrdiff_t first, const Wide a[4]) {
  const mjtNum* quat = m->geom_quat + 4 * first;
  mjtNum* xmat = d->geom_xmat + 9 * first;
  Wide b[4] = {wide_load(quat), wide_load(quat + 4), wide_load(quat + 8), wide_load(quat + 12)};
  Wide head[4], tail[4];
  wide_transpose(b);

  // the product
  Wide w = a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3];
  Wide x = a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2];
  Wide y = a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1];
  Wide z = a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0];

  // its matrix, entries 0 to 3, 4 to 7 and the last
  Wide ww = w * w, xx = x * x, yy = y * y, zz = z * z, two = wide_all(2);
  Wide wx = w * x, wy = w * y, wz = w * z, xy = x * y, xz = x * z, yz = y * z;
  head[0] = ww + xx - yy - zz;
  head[1] = two * (xy - wz);
  head[2] = two * (xz + wy);
  head[3] = two * (xy + wz);
  tail[0] = ww - xx + yy - zz;
  tail[1] = two * (yz - wx);
  tail[2] = two * (xz - wy);
  tail[3] = two * (yz + wx);
  Wide last = ww - xx - yy + zz;
  wide_transpose(head);
  wide_transpose(tail);
  for (int k = 0; k < 4; k++) {
    wide_store(xmat + 9 * k, head[k]);
    wide_store(xmat + 9 * k + 4, tail[k]);
    xmat[9 * k + 8] = last[k];
  }
}

// Four such geoms of several bodies: positions one by one.
static __attribute__((noinline)) void place_four_geoms(const mjModel* m, mjData* d,
                                                       ptrdiff_t first) {
  const int* body = m->geom_bodyid + first;
  const mjtNum* xquat = d->xquat;
  Wide a[4] = {wide_load(xquat + 4 * body[0]), wide_load(xquat + 4 * body[1]),
               wide_load(xquat + 4 * body[2]), wide_load(xquat + 4 * body[3])};
  wide_transpose(a);
  turn_four_geoms(m, d, first, a);
  for (int k = 0; k < 4; k++) {
    ptrdiff_t i = first + k;
    ct_attached_position(d, d->geom_xpos + 3 * i, m->geom_pos + 3 * i, body[k], mjSAMEFRAME_NONE);
  }
}

// Four of one body: the operations of ct_attached_position with a geom in every place.
static __attribute__((noinline)) void place_four_neighbours(const mjModel* m, mjData* d,
                                                            ptrdiff_t first) {
  int body = m->geom_bodyid[first];
  const mjtNum *pos = m->geom_pos + 3 * first, *mat = d->xmat + 9 * body, *at = d->xpos + 3 * body;
  const mjtNum* quat = d->xquat + 4 * body;
  mjtNum* xpos = d->geom_xpos + 3 * first;
  Wide a = wide_load(pos), b = wide_load(pos + 4), c = wide_load(pos + 8);

  // x0 y0 x2 y2, z0 x1 z2 x3, y1 z1 y3 z3, and of these the words of x, y and z
  Wide u = __builtin_shufflevector(a, b, 0, 1, 6, 7), v = __builtin_shufflevector(a, c, 2, 3, 4, 5);
  Wide w = __builtin_shufflevector(b, c, 0, 1, 6, 7);
  Wide px = __builtin_shufflevector(u, v, 0, 5, 2, 7);
  Wide py = __builtin_shufflevector(u, w, 1, 4, 3, 6);
  Wide pz = __builtin_shufflevector(v, w, 0, 5, 2, 7);
  Wide x = wide_all(mat[0]) * px + wide_all(mat[1]) * py + wide_all(mat[2]) * pz + wide_all(at[0]);
  Wide y = wide_all(mat[3]) * px + wide_all(mat[4]) * py + wide_all(mat[5]) * pz + wide_all(at[1]);
  Wide z = wide_all(mat[6]) * px + wide_all(mat[7]) * py + wide_all(mat[8]) * pz + wide_all(at[2]);

  // and back
  u = __builtin_shufflevector(x, y, 0, 4, 2, 6);
  v = __builtin_shufflevector(z, x, 0, 5, 2, 7);
  w = __builtin_shufflevector(y, z, 1, 5, 3, 7);
  wide_store(xpos, __builtin_shufflevector(u, v, 0, 1, 4, 5));
  wide_store(xpos + 4, __builtin_shufflevector(w, u, 0, 1, 6, 7));
  wide_store(xpos + 8, __builtin_shufflevector(v, w, 2, 3, 6, 7));

  Wide turn[4] = {wide_all(quat[0]), wide_all(quat[1]), wide_all(quat[2]), wide_all(quat[3])};
  turn_four_geoms(m, d, first, turn);
}

// All geoms by one lane, while nothing sleeps.
static __attribute__((noinline)) void place_geoms_alone(const mjModel* m, mjData* d) {
  const int* body = m->geom_bodyid;
  const mjtByte* same = m->geom_sameframe;
  for (ptrdiff_t i = 0; i < m->ngeom; i++) {
    if (same[i] != mjSAMEFRAME_NONE) {
      place_shared_geom(m, d, i);
    } else if (i + 4 > m->ngeom || same[i + 1] | same[i + 2] | same[i + 3]) {
      place_geom(m, d, (int)i);
    } else {
      bool neighbours = body[i] == body[i + 1] && body[i] == body[i + 2] && body[i] == body[i + 3];
      if (neighbours) {
        place_four_neighbours(m, d, i);
      } else {
        place_four_geoms(m, d, i);
      }
      i += 3;
    }
  }
}

#endif

// While trees may sleep: those of bodies that are awake and can move.
LANE_FN LANE_RARE static void place_awake_geoms(Lane g, const mjModel* m, mjData* d) {
  LANE_FOR(i, g, d->nbody_awake) {
    int b = d->body_awake_ind[i];
    if (d->body_awake[b] != 1) continue;
    for (int k = 0; k < m->body_geomnum[b]; k++) place_geom(m, d, m->body_geomadr[b] + k);
  }
}

LANE_INLINE void place_site(const mjModel* m, mjData* d, int i) {
  int body = m->site_bodyid[i], sameframe = m->site_sameframe[i];
  ct_attached_position(d, d->site_xpos + 3 * i, m->site_pos + 3 * i, body, sameframe);
  ct_attached_orientation(d, d->site_xmat + 9 * i, m->site_quat + 4 * i, body, sameframe);
}

LANE_FN void ct_kinematics_of(const mjModel* m, mjData* d, int first, int end) {
  int from = (int)m->njnt, to = 0;
  for (int b = first; b < end; b++) {
    int adr = m->body_jntadr[b], past = adr + m->body_jntnum[b];
    if (m->body_jntnum[b] == 0) continue;
    from = adr < from ? adr : from;
    to = past > to ? past : to;
  }
  for (int joint = from; joint < to; joint += LANE_WIDTH) half_angles(m, d, joint, to);
  for (int b = first; b < end; b++) {
    place_body(m, d, b);
    for (int i = 0; i < m->body_geomnum[b]; i++) place_geom(m, d, m->body_geomadr[b] + i);
  }
  for (int i = 0; i < m->nsite; i++) {
    if (m->site_bodyid[i] >= first && m->site_bodyid[i] < end) place_site(m, d, i);
  }
}

LANE_FN int ct_kinematics(Lane g, const mjModel* m, mjData* d) {
#if LANE_WIDTH > 1
  if (lane_count(g) == 1) half_angles_alone(m, d, 0, (int)m->njnt);
#endif
  LANE_FOR(block, g,
           LANE_WIDTH > 1 && lane_count(g) == 1 ? 0 : (m->njnt + LANE_WIDTH - 1) / LANE_WIDTH) {
    half_angles(m, d, block * LANE_WIDTH, (int)m->njnt);
  }
  LANE_ONCE(g) {
    place_world(d);
  }
  lane_sync(g);

  bool sleep = ct_sleep_enabled(m);
#ifndef CT_SIDE_BY_SIDE
  if (sleep) {
    place_bodies_with_sleep(g, m, d);
  } else {
    ct_wake_disturbed(g, m, d);
  }
#endif
  bool alone = false;
#if LANE_WIDTH > 1
  alone = lane_count(g) == 1 && !sleep;
  if (alone) {
    place_bodies_alone(m, d);
    place_geoms_alone(m, d);
  }
#endif
  if (!sleep && !alone) {
    LANE_LEVELS(b, g, ct_private(d)->schedule.bodies) {
      place_body(m, d, b);
    }
  }
  if (sleep) place_awake_geoms(g, m, d);
  LANE_FOR(i, g, sleep || alone ? 0 : m->ngeom) {
    place_geom(m, d, i);
  }
  LANE_FOR(i, g, m->nsite) {
    if (sleep && d->body_awake[m->site_bodyid[i]] != 1) continue;
    place_site(m, d, i);
  }
  lane_sync(g);
  return CT_OK;
}
