// Which bodies, dofs, tendons and actuators a stage may leave alone because their tree sleeps.

#ifndef CT_ENGINE_SLEEP_H_
#define CT_ENGINE_SLEEP_H_

#include <stdbool.h>

#include <mujoco/mujoco.h>

#include "base/lanes.h"

// True if sleep is enabled and some body sleeps. Otherwise stages treat all bodies alike.
LANE_INLINE bool ct_some_asleep(const mjModel* m, const mjData* d) {
  return (m->opt.enableflags & mjENBL_SLEEP) && d->nbody_awake < m->nbody;
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

#endif  // CT_ENGINE_SLEEP_H_
