// How trees fall asleep and wake. Questions about who sleeps: base/model/awake.h.

#ifndef CT_ENGINE_SMOOTH_SLEEP_H_
#define CT_ENGINE_SMOOTH_SLEEP_H_

#include "base/failure.h"
#include "base/model/awake.h"

// From tree_asleep (< 0: awake):
//   tree_awake (ntree) 1, 0; body_awake (nbody) 1 awake, 0 asleep, -1 static. A body that cannot
//   move counts as awake if it hangs on a mocap body, or if wake_static. body_awake_ind,
//   parent_awake_ind, dof_awake_ind: bodies that are not asleep, bodies but the world whose parent
//   is not asleep, dofs of awake trees, in increasing order; and the four n*_awake counts.
LANE_FN void ct_update_awake(Lane g, const mjModel* m, mjData* d, bool wake_static);

// Wakes the trees of which a pose, a velocity, an applied force or the policy has changed, and all
// if sleep is no longer enabled; after body poses. Then the arrays above are up to date.
LANE_FN void ct_wake_disturbed(Lane g, const mjModel* m, mjData* d);

// Stages of models that may sleep. Each wakes the trees that a tendon at its limit, a contact, an
// equality ties to a tree that is awake; after tendons, after collision. _touched leaves in `woken`
// of the private block how many, for then contacts have to be found again. _equal: CT_BAD_MODEL if
// tendons are equal, which cannot be combined with sleep.
LANE_FN int ct_wake_along_tendons(Lane g, const mjModel* m, mjData* d);
LANE_FN int ct_wake_touched(Lane g, const mjModel* m, mjData* d);
LANE_FN int ct_wake_equal(Lane g, const mjModel* m, mjData* d);

// Counts the quiet steps of all trees and puts those to sleep that have enough; returns how many.
// The arrays above still say that they are awake: what depends on velocities has to be computed
// once more for them, then ct_update_awake.
LANE_FN int ct_sleep_where_ready(Lane g, const mjModel* m, mjData* d);

#endif  // CT_ENGINE_SMOOTH_SLEEP_H_
