// Which bodies, dofs, tendons and actuators a stage may leave alone because their tree sleeps, and
// how trees fall asleep and wake (sleep.c).

#ifndef CT_ENGINE_SLEEP_H_
#define CT_ENGINE_SLEEP_H_

#include <stdbool.h>

#include <mujoco/mujoco.h>

#include "base/lanes.h"

LANE_INLINE bool ct_sleep_enabled(const mjModel* m) {
  return (m->opt.enableflags & mjENBL_SLEEP) != 0;
}

// True if sleep is enabled and some body sleeps. Otherwise stages treat all bodies alike.
LANE_INLINE bool ct_some_asleep(const mjModel* m, const mjData* d) {
  return ct_sleep_enabled(m) && d->nbody_awake < m->nbody;
}

// Static bodies are never asleep.
LANE_INLINE bool ct_body_asleep(const mjData* d, int b) {
  return d->body_awake[b] == 0;
}

LANE_INLINE bool ct_dof_asleep(const mjModel* m, const mjData* d, int j) {
  return !d->tree_awake[m->dof_treeid[j]];
}

// A tendon sleeps with the one or two trees that it touches. Tendons over more trees never do.
LANE_INLINE bool ct_tendon_asleep(const mjModel* m, const mjData* d, int tendon) {
  int count = m->tendon_treenum[tendon];
  const int* tree = m->tendon_treeid + 2 * tendon;
  if (count < 1 || count > 2) return false;
  return !d->tree_awake[tree[0]] && (count == 1 || !d->tree_awake[tree[1]]);
}

// An actuator sleeps with what it acts on. A slider-crank is awake if one of its sites is.
LANE_INLINE bool ct_actuator_asleep(const mjModel* m, const mjData* d, int actuator) {
  const int* id = m->actuator_trnid + 2 * actuator;
  switch (m->actuator_trntype[actuator]) {
    case mjTRN_JOINT:
    case mjTRN_JOINTINPARENT:
      return ct_body_asleep(d, m->jnt_bodyid[id[0]]);
    case mjTRN_TENDON:
      return ct_tendon_asleep(m, d, id[0]);
    case mjTRN_SITE:
      return ct_body_asleep(d, m->site_bodyid[id[0]]);
    case mjTRN_SLIDERCRANK:
      return ct_body_asleep(d, m->site_bodyid[id[0]]) && ct_body_asleep(d, m->site_bodyid[id[1]]);
    case mjTRN_BODY:
      return ct_body_asleep(d, id[0]);
    default:
      return false;
  }
}

// tree_asleep of a tree that has just moved.
#define CT_FULLY_AWAKE (-(1 + mjMINAWAKE))

// Kinematics leaves this in body_awake of a sleeping body that it finds somewhere else.
#define CT_BODY_MOVED 2

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

#endif  // CT_ENGINE_SLEEP_H_
