// The cell of an interpolated flex: where it sees its nodes, how it is turned.

#ifndef CT_SOFT_INTERPOLATED_ELASTICITY_H_
#define CT_SOFT_INTERPOLATED_ELASTICITY_H_

#include "soft/elasticity.h"
#include "soft/interpolation.h"

typedef struct ct_Cell_ {
  int nodes;
  mjtNum rotation[9];             // from the cell at rest to the world
  mjtNum pos[3 * CT_MOST_NODES];  // of the nodes, seen from the cell: R' x + middle
} ct_Cell;

LANE_FN void ct_find_cell(const mjModel* m, const mjData* d, int f, ct_Cell* cell);

// Has it elasticity? Kstored, minus its stiffness matrix (3 nodes x 3 nodes), stands where plain
// flexes have that of their elements.
LANE_INLINE const mjtNum* ct_cell_stiffness(const mjModel* m, int f) {
  if (m->flex_rigid[f] || !ct_is_interpolated(m, f) || m->flex_elemnum[f] == 0) return NULL;
  mjtSize size = 9 * (mjtSize)m->flex_nodenum[f] * m->flex_nodenum[f];
  mjtSize start = 21 * (mjtSize)m->flex_elemadr[f];
  if (start + size > 21 * m->nflexelem) return NULL;
  const mjtNum* K = m->flex_stiffness + start;
  return K[0] == 0 ? NULL : K;
}

#endif  // CT_SOFT_INTERPOLATED_ELASTICITY_H_
