// Jacobian rows of quantities that two bodies have between them: distances, relative positions,
// relative rotations.
//
// Such a quantity changes with the motion of either body alone. If w1 and w2 are the wrenches
// (torque, force) with which a unit force along the quantity acts on the bodies, each taken at the
// reference point of the body's tree, then by virtual work the entry of dof k is
//
//   cdof_k . w1  if k moves body 1 only,     cdof_k . w2  if k moves body 2 only,
//
// and 0 if k moves both: the two move as one, and what is measured between them stays. Dofs that
// move both are never looked at.

#ifndef CT_ENGINE_SMOOTH_PAIR_H_
#define CT_ENGINE_SMOOTH_PAIR_H_

#include <mujoco/mujoco.h>

#include "base/model/chain.h"
#include "engine/smooth/jacobian.h"
#include "math/spatial.h"

typedef struct ct_End_ {  // one of the two bodies
  int body;
  mjtNum wrench[6];
} ct_End;

// A force at a point of a body, in the world's axes.
LANE_INLINE ct_End ct_force_at(const mjModel* m, const mjData* d, int body, const mjtNum point[3],
                               const mjtNum force[3]) {
  ct_End end;
  mjtNum offset[3];
  end.body = body;
  ct_sub3(offset, point, ct_reference_point(m, d, body));
  ct_cross(end.wrench, offset, force);
  ct_copy3(end.wrench + 3, force);
  return end;
}

// row (nv, dense) += the row of the pair
LANE_INLINE void ct_add_pair(const mjModel* m, const mjData* d, mjtNum* row, const ct_End* end1,
                             const ct_End* end2) {
  int i = ct_last_dof(m, end1->body), j = ct_last_dof(m, end2->body);
  while (i != j) {
    if (i > j) {
      row[i] += ct_dot6(d->cdof + 6 * i, end1->wrench);
      i = m->dof_parentid[i];
    } else {
      row[j] += ct_dot6(d->cdof + 6 * j, end2->wrench);
      j = m->dof_parentid[j];
    }
  }
}

#endif  // CT_ENGINE_SMOOTH_PAIR_H_
