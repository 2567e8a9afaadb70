// Implicit integration of interpolated flexes.

#ifndef CT_SOFT_INTERPOLATED_IMPLICIT_H_
#define CT_SOFT_INTERPOLATED_IMPLICIT_H_

#include "soft/flex.h"

// Does a flex have dofs that are integrated with its stiffness?
LANE_INLINE bool ct_has_cells(const mjModel* m) {
  for (int f = 0; f < m->nflex; f++) {
    if (m->flex_interp[f]) return true;
  }
  return false;
}

// Replaces the accelerations acc (nv) of dofs that carry nodes. In qDeriv is df/dv of everything
// else; symmetric: for implicitfast. CT_STACK_FULL without room.
LANE_FN int ct_implicit_cells(Lane g, const mjModel* m, mjData* d, mjtNum* acc, bool symmetric);

#endif  // CT_SOFT_INTERPOLATED_IMPLICIT_H_
