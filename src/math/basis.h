// Interpolation on the unit cube from 8 nodes (order 1, trilinear) or 27 (order 2, triquadratic),
// for soft bodies.
//
// Node i sits at (i / n^2, i / n mod n, i mod n) of an n x n x n grid, n = order + 1; its basis
// function is the product of three one-dimensional ones:
//
//   order 1   1-s, s                            order 2   2s^2-3s+1, 4(s-s^2), 2s^2-s

#ifndef CT_MATH_BASIS_H_
#define CT_MATH_BASIS_H_

#include "math/vec.h"

// Basis function i of one dimension at s, and its derivative.
LANE_INLINE mjtNum ct_basis1(mjtNum s, int i, int order) {
  if (order == 1) {
    return i == 0 ? 1 - s : s;
  }
  return i == 0 ? 2 * s * s - 3 * s + 1 : i == 1 ? 4 * (s - s * s) : 2 * s * s - s;
}

LANE_INLINE mjtNum ct_basis1_slope(mjtNum s, int i, int order) {
  if (order == 1) {
    return i == 0 ? (mjtNum)-1 : (mjtNum)1;
  }
  return i == 0 ? 4 * s - 3 : i == 1 ? 4 - 8 * s : 4 * s - 1;
}

// Where node i of the grid sits.
LANE_INLINE void ct_basis_node(int node[3], int i, int order) {
  int n = order + 1;
  node[0] = i / (n * n) % n;
  node[1] = i / n % n;
  node[2] = i % n;
}

LANE_INLINE mjtNum ct_basis(const mjtNum x[3], int i, int order) {
  int node[3];
  ct_basis_node(node, i, order);
  return ct_basis1(x[0], node[0], order) *
         (ct_basis1(x[1], node[1], order) * ct_basis1(x[2], node[2], order));
}

LANE_INLINE void ct_basis_gradient(mjtNum res[3], const mjtNum x[3], int i, int order) {
  int node[3];
  mjtNum value[3], slope[3];
  ct_basis_node(node, i, order);
  for (int k = 0; k < 3; k++) {
    value[k] = ct_basis1(x[k], node[k], order);
    slope[k] = ct_basis1_slope(x[k], node[k], order);
  }
  res[0] = slope[0] * value[1] * value[2];
  res[1] = value[0] * slope[1] * value[2];
  res[2] = value[0] * value[1] * slope[2];
}

#endif  // CT_MATH_BASIS_H_
