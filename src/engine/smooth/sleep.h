// How trees fall asleep and wake. Questions about who sleeps: base/model/awake.h.

#ifndef CT_ENGINE_SMOOTH_SLEEP_H_
#define CT_ENGINE_SMOOTH_SLEEP_H_

#include "base/model/awake.h"

// From tree_asleep (< 0: awake):
//   tree_awake (ntree) 1, 0; body_awake (nbody) 1 awake, 0 asleep, -1 static. A body that cannot
//   move counts as awake if it hangs on a mocap body, or if wake_static. body_awake_ind,
//   parent_awake_ind, dof_awake_ind: bodies that are not asleep, bodies but the world whose parent
//   is not asleep, dofs of awake trees, in increasing order; and the four n*_awake counts.
LANE_FN void ct_update_awake(Lane g, const mjModel* m, mjData* d, bool wake_static);

// Each wakes the trees that have a reason to, and returns whether one woke; then the arrays above
// are up to date. _disturbed: a pose, a velocity, an applied force or the policy has changed, or
// sleep is no longer enabled; after body poses. _along_tendons, _touched, _equal: a tendon at its
// limit, a contact, an equality ties it to a tree that is awake; after tendons, after collision.
LANE_FN bool ct_wake_disturbed(Lane g, const mjModel* m, mjData* d);
LANE_FN bool ct_wake_along_tendons(Lane g, const mjModel* m, mjData* d);
LANE_FN bool ct_wake_touched(Lane g, const mjModel* m, mjData* d);
LANE_FN bool ct_wake_equal(Lane g, const mjModel* m, mjData* d);

// Counts the quiet steps of all trees and puts those to sleep that have enough; returns how many.
// The arrays above still say that they are awake: what depends on velocities has to be computed
// once more for them, then ct_update_awake.
LANE_FN int ct_sleep_where_ready(Lane g, const mjModel* m, mjData* d);

#endif  // CT_ENGINE_SMOOTH_SLEEP_H_
