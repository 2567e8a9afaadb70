// Which bodies and dofs a stage may leave alone because their tree sleeps.

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

#endif  // CT_ENGINE_SLEEP_H_
