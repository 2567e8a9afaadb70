// A body that the mouse holds: a spring from the selected point to where it is dragged, or, while
// nothing moves, the pose itself.

#include "base/memory/scratch.h"
#include "engine/smooth/jacobian.h"
#include "engine/smooth/object.h"
#include "host/support_functions.h"
#include "math/mat.h"
#include "math/quat.h"
#include "visual/shown.h"

// Where the principal axes of a body point.
static void inertial_quat(const mjModel* m, const mjData* d, int body, mjtNum quat[4]) {
  ct_mul_quat(quat, d->xquat + 4 * body, m->body_iquat + 4 * body);
}

// trace(J inv(M) J') of a point of the body: how easily it gives way, over three directions.
static mjtNum mobility(const mjModel* m, mjData* d, const mjtNum point[3], int body) {
  int nv = (int)m->nv;
  mjtNum sum = 0;
  mj_markStack(d);
  mjtNum* J = mj_stackAllocNum(d, 6 * (size_t)nv);
  mjtNum* solved = J + 3 * nv;
  if (J) {
    ct_jac(lane_one(), m, d, J, NULL, point, body);
    mj_solveM(m, d, solved, J, 3);
    for (int i = 0; i < 3; i++) sum += ct_dot(J + i * nv, solved + i * nv, nv);
  }
  mj_freeStack(d);
  return sum;
}

void mjv_initPerturb(const mjModel* m, mjData* d, const mjvScene* scn, mjvPerturb* pert) {
  int body = pert->select, flex = pert->flexselect;
  if (body <= 0 || body >= m->nbody) return;
  mjtNum point[3], head[3] = {0, 0, 0}, forward[3] = {1, 0, 0}, away[3];
  ct_body_point(d, point, pert->localpos, body);

  // mass that the mouse feels; of a flex, what its vertices carry together
  mjtNum w = m->nv ? mobility(m, d, point, body) : 0;
  pert->localmass = w == 0 ? 1 : 3 / ct_max(w, mjMINVAL);
  if (flex >= 0 && flex < m->nflex && !m->flex_rigid[flex]) {
    pert->localmass *= (mjtNum)(2 * m->flex_edgenum[flex]) / (mjtNum)m->flex_vertnum[flex];
  }

  // reference is where the body is
  ct_copy3(pert->refpos, d->xipos + 3 * body);
  inertial_quat(m, d, body, pert->refquat);
  ct_copy3(pert->refselpos, point);

  // motion of the mouse at the distance of the point
  mjv_cameraInModel(head, forward, NULL, scn);
  ct_sub3(away, point, head);
  pert->scale = mjv_frustumHeight(scn) * ct_dot3(away, forward);
  if (scn->camera[0].orthographic) pert->scale *= (mjtNum)0.15;
}

// Pose

static bool is_free_alone(const mjModel* m, int body) {
  return m->body_jntnum[body] == 1 && m->jnt_type[m->body_jntadr[body]] == mjJNT_FREE;
}

static mjtNum* free_qpos(const mjModel* m, mjData* d, int body) {
  return d->qpos + m->jnt_qposadr[m->body_jntadr[body]];
}

void mjv_applyPerturbPose(const mjModel* m, mjData* d, const mjvPerturb* pert, int flg_paused) {
  int body = pert->select;
  if (body <= 0 || body >= m->nbody || !(pert->active | pert->active2)) return;
  int root = m->body_rootid[body], mocap = m->body_mocapid[body];

  // the body frame whose inertial frame is the reference
  mjtNum pos[3], quat[4], ipos[3], iquat[4];
  ct_neg_pose(ipos, iquat, m->body_ipos + 3 * body, m->body_iquat + 4 * body);
  ct_mul_pose(pos, quat, pert->refpos, pert->refquat, ipos, iquat);
  if (mocap >= 0) {
    ct_copy3(d->mocap_pos + 3 * mocap, pos);
    ct_copy4(d->mocap_quat + 4 * mocap, quat);
  } else if (flg_paused && is_free_alone(m, body)) {
    mjtNum* qpos = free_qpos(m, d, body);
    ct_copy3(qpos, pos);
    ct_copy4(qpos + 3, quat);
  } else if (flg_paused && is_free_alone(m, root)) {
    // the whole tree follows: (new pose) (old pose)^-1 (pose of the root)
    mjtNum back[3], backquat[4], change[3], changequat[4], *qpos = free_qpos(m, d, root);
    ct_neg_pose(back, backquat, d->xpos + 3 * body, d->xquat + 4 * body);
    ct_mul_pose(change, changequat, pos, quat, back, backquat);
    mjtNum newpos[3], newquat[4];
    ct_mul_pose(newpos, newquat, change, changequat, qpos, qpos + 3);
    ct_copy3(qpos, newpos);
    ct_copy4(qpos + 3, newquat);
  }
}

// Force

// Velocity of the body's inertial frame in world axes: angular, linear.
static void body_velocity(const mjModel* m, const mjData* d, int body, mjtNum velocity[6]) {
  ct_ObjectFrame frame;
  ct_object_frame(m, d, mjOBJ_BODY, body, &frame);
  ct_frame_velocity(m, d, frame, false, velocity);
}

// A critically damped spring of stiffness k per mass at the point. The damping of the spin about
// the spring's own direction is added: nothing else would stop it.
static void pull(const mjModel* m, const mjData* d, const mjvPerturb* pert, mjtNum inertia,
                 const mjtNum velocity[6], mjtNum force[6]) {
  int body = pert->select;
  mjtNum k = m->vis.map.stiffness, kr = m->vis.map.stiffnessrot, mass = pert->localmass;
  mjtNum point[3], away[3], arm[3], speed[3], direction[3];
  ct_body_point(d, point, pert->localpos, body);
  ct_sub3(away, point, pert->refselpos);
  ct_sub3(arm, point, d->xipos + 3 * body);
  ct_cross(speed, velocity, arm);
  ct_add_to3(speed, velocity + 3);
  ct_scl3(force, away, -k * mass);
  ct_add_to_scl3(force, speed, -ct_sqrt(k) * mass);
  ct_cross(force + 3, arm, force);
  ct_copy3(direction, away);
  ct_normalize3(direction);
  mjtNum spin = ct_dot3(direction, velocity);
  ct_add_to_scl3(force + 3, direction, -ct_sqrt(kr) * inertia * spin);
}

static void twist(const mjModel* m, const mjData* d, const mjvPerturb* pert, mjtNum inertia,
                  const mjtNum velocity[6], mjtNum torque[3]) {
  mjtNum kr = m->vis.map.stiffnessrot, quat[4], difference[4], vector[3];
  inertial_quat(m, d, pert->select, quat);
  ct_neg_quat(quat, quat);
  ct_mul_quat(difference, pert->refquat, quat);
  ct_quat_to_vel(vector, difference, 1);
  ct_scl3(torque, vector, kr * inertia);
  ct_add_to_scl3(torque, velocity, -ct_sqrt(kr) * inertia);
}

// A twist replaces the torque of a pull, as in the reference.
void mjv_applyPerturbForce(const mjModel* m, mjData* d, const mjvPerturb* pert) {
  int body = pert->select, active = pert->active | pert->active2;
  if (body < 0 || body >= m->nbody || !active) return;
  mjtNum velocity[6], *force = d->xfrc_applied + 6 * body;
  mjtNum weight = m->body_invweight0[2 * body + 1];
  mjtNum inertia = weight == 0 ? 1 : 1 / ct_max(mjMINVAL, weight);
  body_velocity(m, d, body, velocity);
  if (active & mjPERT_TRANSLATE) pull(m, d, pert, inertia, velocity, force);
  if (active & mjPERT_ROTATE) twist(m, d, pert, inertia, velocity, force + 3);
}
