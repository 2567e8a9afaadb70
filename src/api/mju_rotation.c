// Public functions of quaternions and poses, and their derivatives: math/quat.h and
// math/quat_derivatives.h under their public names, and Euler angles.

#include <string.h>

#include <mujoco/mujoco.h>

#include "math/quat.h"
#include "math/quat_derivatives.h"

void mju_rotVecQuat(mjtNum res[3], const mjtNum vec[3], const mjtNum quat[4]) {
  ct_rot_vec_quat(res, vec, quat);
}

void mju_negQuat(mjtNum res[4], const mjtNum quat[4]) {
  ct_neg_quat(res, quat);
}

void mju_mulQuat(mjtNum res[4], const mjtNum quat1[4], const mjtNum quat2[4]) {
  ct_mul_quat(res, quat1, quat2);
}

void mju_mulQuatAxis(mjtNum res[4], const mjtNum quat[4], const mjtNum axis[3]) {
  ct_mul_quat_axis(res, quat, axis);
}

void mju_axisAngle2Quat(mjtNum res[4], const mjtNum axis[3], mjtNum angle) {
  ct_axis_angle_to_quat(res, axis, angle);
}

void mju_quat2Vel(mjtNum res[3], const mjtNum quat[4], mjtNum dt) {
  ct_quat_to_vel(res, quat, dt);
}

void mju_subQuat(mjtNum res[3], const mjtNum qa[4], const mjtNum qb[4]) {
  ct_sub_quat(res, qa, qb);
}

void mju_quat2Mat(mjtNum res[9], const mjtNum quat[4]) {
  ct_quat_to_mat(res, quat);
}

void mju_mat2Quat(mjtNum quat[4], const mjtNum mat[9]) {
  ct_mat_to_quat(quat, mat);
}

void mju_derivQuat(mjtNum res[4], const mjtNum quat[4], const mjtNum vel[3]) {
  ct_deriv_quat(res, quat, vel);
}

void mju_quatIntegrate(mjtNum quat[4], const mjtNum vel[3], mjtNum scale) {
  ct_quat_integrate(quat, vel, scale);
}

void mju_quatZ2Vec(mjtNum quat[4], const mjtNum vec[3]) {
  ct_quat_z_to_vec(quat, vec);
}

int mju_mat2Rot(mjtNum quat[4], const mjtNum mat[9]) {
  return ct_mat_to_rot(quat, mat);
}

// Letters of seq: lower case turns about an axis of the moving frame, upper case about a fixed one.
void mju_euler2Quat(mjtNum quat[4], const mjtNum euler[3], const char* seq) {
  if (strlen(seq) != 3) {
    mju_error("mju_euler2Quat: seq must contain exactly 3 characters");
    return;
  }
  size_t good = strspn(seq, "xyzXYZ");
  if (good < 3) {
    mju_error("mju_euler2Quat: seq[%zu] is '%c', should be one of x, y, z, X, Y, Z", good,
              seq[good]);
    return;
  }
  mjtNum product[4] = {1, 0, 0, 0};
  for (int i = 0; i < 3; i++) {
    int fixed = seq[i] < 'a';
    int axis = seq[i] - (fixed ? 'X' : 'x');
    mjtNum turn[4] = {1, 0, 0, 0};
    ct_sincos(turn + 1 + axis, turn, euler[i] / 2);
    if (fixed) {
      ct_mul_quat(product, turn, product);
    } else {
      ct_mul_quat(product, product, turn);
    }
  }
  ct_copy4(quat, product);
}

void mju_mulPose(mjtNum posres[3], mjtNum quatres[4], const mjtNum pos1[3], const mjtNum quat1[4],
                 const mjtNum pos2[3], const mjtNum quat2[4]) {
  ct_mul_pose(posres, quatres, pos1, quat1, pos2, quat2);
}

void mju_negPose(mjtNum posres[3], mjtNum quatres[4], const mjtNum pos[3], const mjtNum quat[4]) {
  ct_neg_pose(posres, quatres, pos, quat);
}

void mju_trnVecPose(mjtNum res[3], const mjtNum pos[3], const mjtNum quat[4], const mjtNum vec[3]) {
  ct_trn_vec_pose(res, pos, quat, vec);
}

// Derivatives

void mjd_subQuat(const mjtNum qa[4], const mjtNum qb[4], mjtNum Da[9], mjtNum Db[9]) {
  mjtNum by_a[9];
  ct_deriv_sub_quat(by_a, qa, qb);
  if (Da) ct_copy(Da, by_a, 9);
  if (Db) {
    ct_transpose3(Db, by_a);
    ct_scl(Db, Db, -1, 9);
  }
}

void mjd_quatIntegrate(const mjtNum vel[3], mjtNum scale, mjtNum Dquat[9], mjtNum Dvel[9],
                       mjtNum Dscale[3]) {
  mjtNum z[3], by_quat[9], by_z[9];
  ct_scl3(z, vel, scale);
  ct_deriv_quat_integrate(by_quat, by_z, z);
  if (Dquat) ct_copy(Dquat, by_quat, 9);
  if (Dvel) ct_copy(Dvel, by_z, 9);
  if (Dscale) ct_mul_mat_vec3(Dscale, by_z, vel);
}
