// Interpolated flexes: a cell of 8 or 27 nodes whose positions give those of everything in it, by
// the functions of math/basis.h at coordinates that go from 0 to 1 from side to side.

#ifndef CT_SOFT_INTERPOLATION_H_
#define CT_SOFT_INTERPOLATION_H_

#include "math/basis.h"
#include "soft/flex.h"

// Weights of all nodes at a coordinate of the cell.
LANE_INLINE void ct_node_weights(const mjtNum coordinate[3], int order, mjtNum* weight) {
  mjtNum value[3][3];
  int n = order + 1, i = 0;
  for (int k = 0; k < 3 * n; k++) value[k / n][k % n] = ct_basis1(coordinate[k / n], k % n, order);
  for (int x = 0; x < n; x++) {
    for (int y = 0; y < n; y++) {
      for (int z = 0; z < n; z++) weight[i++] = value[0][x] * value[1][y] * value[2][z];
    }
  }
}

// Where node i of the flex is in the world.
LANE_INLINE void ct_node_position(const mjModel* m, const mjData* d, int f, int i, mjtNum pos[3]) {
  int node = m->flex_nodeadr[f] + i, body = m->flex_nodebodyid[node];
  ct_copy3(pos, d->xpos + 3 * body);
  if (m->flex_centered[f]) return;
  mjtNum offset[3];
  ct_mul_mat_vec3(offset, d->xmat + 9 * body, m->flex_node + 3 * node);
  ct_add_to3(pos, offset);
}

// A flex whose order and number of nodes fit together; others stay where they are.
LANE_INLINE bool ct_is_interpolated(const mjModel* m, int f) {
  int n = m->flex_interp[f] + 1;
  return (n == 2 || n == 3) && m->flex_nodenum[f] == n * n * n;
}

#endif  // CT_SOFT_INTERPOLATION_H_
