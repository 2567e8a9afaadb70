// Public functions of dense matrices and spatial vectors: math/mat.h and math/spatial.h under their
// public names.

#include <mujoco/mujoco.h>

#include "api/mju_exports.h"
#include "math/mat.h"
#include "math/spatial.h"

void mju_mulMatVec3(mjtNum res[3], const mjtNum mat[9], const mjtNum vec[3]) {
  ct_mul_mat_vec3(res, mat, vec);
}

void mju_mulMatTVec3(mjtNum res[3], const mjtNum mat[9], const mjtNum vec[3]) {
  ct_mul_mat_t_vec3(res, mat, vec);
}

void mju_mulMatMat3(mjtNum product[9], const mjtNum a[9], const mjtNum b[9]) {
  ct_mul_mat_mat3(product, a, b);
}

void mju_mulMatTMat3(mjtNum product[9], const mjtNum a[9], const mjtNum b[9]) {
  ct_mul_mat_t_mat3(product, a, b);
}

void mju_mulMatMatT3(mjtNum product[9], const mjtNum a[9], const mjtNum b[9]) {
  ct_mul_mat_mat_t3(product, a, b);
}

void mju_mulMatVec(mjtNum* res, const mjtNum* mat, const mjtNum* vec, int nr, int nc) {
  ct_mul_mat_vec(res, mat, vec, nr, nc);
}

void mju_mulMatTVec(mjtNum* res, const mjtNum* mat, const mjtNum* vec, int nr, int nc) {
  ct_mul_mat_t_vec(res, mat, vec, nr, nc);
}

mjtNum mju_mulVecMatVec(const mjtNum* vec1, const mjtNum* mat, const mjtNum* vec2, int n) {
  return ct_mul_vec_mat_vec(vec1, mat, vec2, n);
}

void mju_transpose(mjtNum* res, const mjtNum* mat, int nr, int nc) {
  ct_transpose(res, mat, nr, nc);
}

void mju_symmetrize(mjtNum* res, const mjtNum* mat, int n) {
  ct_symmetrize(res, mat, n);
}

void mju_eye(mjtNum* mat, int n) {
  ct_eye(mat, n);
}

void mju_mulMatMat(mjtNum* res, const mjtNum* mat1, const mjtNum* mat2, int r1, int c1, int c2) {
  ct_mul_mat_mat(res, mat1, mat2, r1, c1, c2);
}

void mju_mulMatMatT(mjtNum* res, const mjtNum* mat1, const mjtNum* mat2, int r1, int c1, int r2) {
  ct_mul_mat_mat_t(res, mat1, mat2, r1, c1, r2);
}

void mju_mulMatTMat(mjtNum* res, const mjtNum* mat1, const mjtNum* mat2, int r1, int c1, int c2) {
  ct_mul_mat_t_mat(res, mat1, mat2, r1, c1, c2);
}

void mju_sqrMatTD(mjtNum* res, const mjtNum* mat, const mjtNum* diag, int nr, int nc) {
  ct_sqr_mat_t_d(res, mat, diag, nr, nc);
}

void mju_transformSpatial(mjtNum res[6], const mjtNum vec[6], int flg_force, const mjtNum newpos[3],
                          const mjtNum oldpos[3], const mjtNum rotnew2old[9]) {
  if (flg_force) {
    ct_transform_force(res, vec, newpos, oldpos, rotnew2old);
  } else {
    ct_transform_motion(res, vec, newpos, oldpos, rotnew2old);
  }
}

void mju_mulInertVec(mjtNum momentum[6], const mjtNum inertia[10], const mjtNum velocity[6]) {
  ct_mul_inert_vec(momentum, inertia, velocity);
}
