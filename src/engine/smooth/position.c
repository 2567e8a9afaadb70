// Moving positions along velocities, and the velocity between two positions.
//
//   in, out  qpos  (nq)
//            qvel  (nv)
//
// Positions and velocities have different sizes: a rotation in space is a unit quaternion q in qpos
// and three numbers w, the angular velocity in the axes of the body, in qvel. Constant w during the
// time t gives
//
//   q(t) = q(0) exp(w t / 2),     and back  w = 2 log(q1* q2) / t
//
// with the quaternion exponential. q(0) is normalised before the product, the product is not. All
// other coordinates are plain numbers.

#include "engine/smooth/position.h"

#include "math/quat.h"

LANE_INLINE void integrate_joint(const mjModel* m, mjtNum* qpos, const mjtNum* qvel, mjtNum dt,
                                 int joint) {
  mjtNum* q = qpos + m->jnt_qposadr[joint];
  const mjtNum* v = qvel + m->jnt_dofadr[joint];
  switch (m->jnt_type[joint]) {
    case mjJNT_FREE:
      ct_add_to_scl3(q, v, dt);
      ct_quat_integrate(q + 3, v + 3, dt);
      break;
    case mjJNT_BALL:
      ct_quat_integrate(q, v, dt);
      break;
    default:
      q[0] += dt * v[0];
      break;
  }
}

LANE_FN void ct_integrate_position(Lane g, const mjModel* m, mjtNum* qpos, const mjtNum* qvel,
                                   mjtNum dt) {
  LANE_FOR(joint, g, m->njnt) {
    integrate_joint(m, qpos, qvel, dt, joint);
  }
  lane_sync(g);
}

LANE_FN void ct_integrate_position_of(Lane g, const mjModel* m, mjtNum* qpos, const mjtNum* qvel,
                                      mjtNum dt, const int* bodies, int count) {
  LANE_FOR(i, g, count - 1) {
    int b = bodies ? bodies[i + 1] : i + 1;
    int end = m->body_jntadr[b] + m->body_jntnum[b];
    for (int joint = m->body_jntadr[b]; joint < end; joint++) {
      integrate_joint(m, qpos, qvel, dt, joint);
    }
  }
  lane_sync(g);
}

// The rotation from q1 to q2 within dt, as an angular velocity in the axes of q1.
LANE_INLINE void turn_between(mjtNum w[3], mjtNum dt, const mjtNum q1[4], const mjtNum q2[4]) {
  ct_sub_quat(w, q2, q1);
  ct_scl3(w, w, 1 / dt);
}

LANE_FN void ct_differentiate_position(Lane g, const mjModel* m, mjtNum* qvel, mjtNum dt,
                                       const mjtNum* qpos1, const mjtNum* qpos2) {
  LANE_FOR(joint, g, m->njnt) {
    const mjtNum *q1 = qpos1 + m->jnt_qposadr[joint], *q2 = qpos2 + m->jnt_qposadr[joint];
    mjtNum* v = qvel + m->jnt_dofadr[joint];
    switch (m->jnt_type[joint]) {
      case mjJNT_FREE:
        for (int k = 0; k < 3; k++) {
          v[k] = (q2[k] - q1[k]) / dt;
        }
        turn_between(v + 3, dt, q1 + 3, q2 + 3);
        break;
      case mjJNT_BALL:
        turn_between(v, dt, q1, q2);
        break;
      default:
        v[0] = (q2[0] - q1[0]) / dt;
        break;
    }
  }
  lane_sync(g);
}

LANE_FN void ct_normalize_position(Lane g, const mjModel* m, mjtNum* qpos) {
  LANE_FOR(joint, g, m->njnt) {
    mjtNum* q = qpos + m->jnt_qposadr[joint];
    if (m->jnt_type[joint] == mjJNT_BALL) ct_normalize4(q);
    if (m->jnt_type[joint] == mjJNT_FREE) ct_normalize4(q + 3);
  }
  lane_sync(g);
}
