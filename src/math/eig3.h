// Eigenvalues and eigenvectors of a symmetric 3 x 3 matrix, by Jacobi rotations kept in one
// quaternion.
//
// The quaternion q turns the coordinate axes into the eigenvectors: V = R(q), V' A V diagonal. Each
// iteration annihilates the largest off-diagonal element of V' A V by a turn about the third axis
// (Golub and Van Loan, Matrix Computations, section 8.5), so V stays a rotation to the last bit and
// never needs orthogonalising.

#ifndef CT_MATH_EIG3_H_
#define CT_MATH_EIG3_H_

#include "math/quat.h"

#define CT_EIG3_SMALL_TURN ((mjtNum)1e-12)  // 1 - cosine of a turn that is left out
#define CT_EIG3_DIAGONAL ((mjtNum)1e-12)    // an off-diagonal element that counts as zero

// Half of the turn in the plane (r, c) that annihilates element (r, c) of the symmetric matrix D,
// as the sine of the half angle about axis 3 - r - c; 0 if the turn is too small to matter.
LANE_INLINE mjtNum ct_jacobi_half_sine(const mjtNum D[9], int r, int c) {
  mjtNum tau = (D[4 * c] - D[4 * r]) / (2 * D[3 * r + c]);
  mjtNum sign = tau >= 0 ? (mjtNum)1 : (mjtNum)-1;
  mjtNum tangent = sign / (ct_abs(tau) + ct_sqrt(1 + tau * tau));
  mjtNum cosine = 1 / ct_sqrt(1 + tangent * tangent);
  if (cosine > 1 - CT_EIG3_SMALL_TURN) return 0;
  mjtNum half = -sign * ct_sqrt((1 - cosine) / 2);
  return c - r == 2 ? -half : half;  // about y the plane is (z, x): the other way round
}

// q = q (w, s about axis), normalised
LANE_INLINE void ct_turn_quat(mjtNum q[4], mjtNum w, mjtNum s, int axis) {
  mjtNum turn[4] = {w, 0, 0, 0};
  turn[1 + axis] = s;
  ct_normalize4(turn);
  ct_mul_quat(q, q, turn);
  ct_normalize4(q);
}

// Values in descending order, vectors as columns of eigvec, and the rotation as a quaternion. Only
// a symmetric matrix makes sense. Returns the number of turns: 0 for a diagonal matrix, at most
// 500.
LANE_INLINE int ct_eig3(mjtNum eigval[3], mjtNum eigvec[9], mjtNum quat[4], const mjtNum mat[9]) {
  const mjtNum tolerance = CT_EIG3_DIAGONAL;
  ct_unit4(quat);

  int iteration = 0;
  for (; iteration < 500; iteration++) {
    mjtNum D[9], AV[9];
    ct_quat_to_mat(eigvec, quat);
    ct_mul_mat_mat3(AV, mat, eigvec);
    ct_mul_mat_t_mat3(D, eigvec, AV);
    for (int i = 0; i < 3; i++) eigval[i] = D[4 * i];

    // the largest off-diagonal element
    mjtNum d01 = ct_abs(D[1]), d02 = ct_abs(D[2]), d12 = ct_abs(D[5]);
    int r = 0, c = 1;
    if (!(d01 > d02 && d01 > d12)) {
      r = d02 > d12 ? 0 : 1;
      c = 2;
    }
    if (ct_abs(D[3 * r + c]) < tolerance) break;
    mjtNum sine = ct_jacobi_half_sine(D, r, c);
    if (sine == 0) break;
    ct_turn_quat(quat, ct_sqrt(1 - sine * sine), sine, 3 - r - c);
  }

  // sort by quarter turns, which exchange two axes
  const mjtNum half_root = (mjtNum)0.707106781186548;
  for (int pass = 0; pass < 3; pass++) {
    int i = pass % 2;
    if (eigval[i] + tolerance < eigval[i + 1]) {
      mjtNum larger = eigval[i + 1];
      eigval[i + 1] = eigval[i];
      eigval[i] = larger;
      ct_turn_quat(quat, half_root, half_root, (i + 2) % 3);
    }
  }
  ct_quat_to_mat(eigvec, quat);
  return iteration;
}

#endif  // CT_MATH_EIG3_H_
