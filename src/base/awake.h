// Who is awake, derived from tree_asleep, the state of record.

#ifndef CT_BASE_AWAKE_H_
#define CT_BASE_AWAKE_H_

#include <mujoco/mujoco.h>

// From tree_asleep (< 0: awake):
//   tree_awake (ntree) 1, 0; body_awake (nbody) 1 awake, 0 asleep, -1 static. A body that cannot
//   move counts as awake if it hangs on a mocap body. body_awake_ind, parent_awake_ind,
//   dof_awake_ind: bodies that are not asleep, bodies but the world whose parent is not asleep,
//   dofs of awake trees, in increasing order; and the four n*_awake counts.
void ct_update_awake(const mjModel* m, mjData* d);

#endif  // CT_BASE_AWAKE_H_
