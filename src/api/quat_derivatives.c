// Public derivatives of quaternion functions.

#include <mujoco/mujoco.h>

#include "math/quat_derivatives.h"

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
