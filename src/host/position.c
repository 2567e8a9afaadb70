// Public functions of the position stage: poses and what follows from them, positions as such.

#include "host/position.h"

#include "engine/smooth/camlight.h"
#include "engine/smooth/com.h"
#include "engine/smooth/kinematics.h"
#include "engine/smooth/position.h"

bool ct_joints_exist(const mjModel* m, const char* function) {
  for (int j = 0; j < m->njnt; j++) {
    if (m->jnt_type[j] >= mjJNT_FREE && m->jnt_type[j] <= mjJNT_HINGE) continue;
    mju_error("%s: joint %d has type %d, which does not exist; set jnt_type to one of mjtJoint",
              function, j, m->jnt_type[j]);
    return false;
  }
  return true;
}

void mj_kinematics(const mjModel* m, mjData* d) {
  if (!ct_joints_exist(m, "mj_kinematics")) return;
  ct_kinematics(lane_one(), m, d);
}

void mj_comPos(const mjModel* m, mjData* d) {
  ct_com_position(lane_one(), m, d);
}

void mj_camlight(const mjModel* m, mjData* d) {
  ct_camlight(lane_one(), m, d);
}

// An output is left alone if it is NULL or if what it is computed from is.
void mj_local2Global(mjData* d, mjtNum xpos[3], mjtNum xmat[9], const mjtNum pos[3],
                     const mjtNum quat[4], int body, mjtByte sameframe) {
  if (xpos && pos) ct_attached_position(d, xpos, pos, body, sameframe);
  if (xmat && quat) ct_attached_orientation(d, xmat, quat, body, sameframe);
}

void mj_integratePos(const mjModel* m, mjtNum* qpos, const mjtNum* qvel, mjtNum dt) {
  ct_integrate_position(lane_one(), m, qpos, qvel, dt);
}

void mj_integratePosInd(const mjModel* m, mjtNum* qpos, const mjtNum* qvel, mjtNum duration,
                        const int* listed_body, int nlisted) {
  ct_integrate_position_of(lane_one(), m, qpos, qvel, duration, listed_body, nlisted);
}

void mj_differentiatePos(const mjModel* m, mjtNum* qvel, mjtNum dt, const mjtNum* qpos1,
                         const mjtNum* qpos2) {
  ct_differentiate_position(lane_one(), m, qvel, dt, qpos1, qpos2);
}

void mj_normalizeQuat(const mjModel* m, mjtNum* qpos) {
  ct_normalize_position(lane_one(), m, qpos);
}

mjtNum mj_getTotalmass(const mjModel* m) {
  mjtNum total = 0;
  for (int b = 1; b < m->nbody; b++) {
    total += m->body_mass[b];
  }
  return total;
}

void mj_setTotalmass(mjModel* m, mjtNum newmass) {
  mjtNum scale = ct_max(mjMINVAL, newmass / ct_max(mjMINVAL, mj_getTotalmass(m)));
  for (int b = 1; b < m->nbody; b++) {
    m->body_mass[b] *= scale;
    ct_scl3(m->body_inertia + 3 * b, m->body_inertia + 3 * b, scale);
  }
}
