// Which bodies, dofs, tendons and actuators a stage may leave alone because their tree sleeps. Who
// decides that it does: engine/smooth/sleep.c.

#ifndef CT_BASE_MODEL_AWAKE_H_
#define CT_BASE_MODEL_AWAKE_H_

#include <stdbool.h>

#include <mujoco/mujoco.h>

#include "base/failure.h"
#include "base/lanes.h"

LANE_INLINE bool ct_sleep_enabled(const mjModel* m) {
#ifdef CT_ONLY_AWAKE
  (void)m;
  return false;
#else
  return (m->opt.enableflags & mjENBL_SLEEP) != 0;
#endif
}

// True if sleep is enabled and some body sleeps. Otherwise stages treat all bodies alike.
LANE_INLINE bool ct_some_asleep(const mjModel* m, const mjData* d) {
  return ct_sleep_enabled(m) && d->nbody_awake < m->nbody;
}

// True if all trees sleep: what depends on their positions alone stays as it is.
LANE_INLINE bool ct_all_asleep(const mjModel* m, const mjData* d) {
  return ct_some_asleep(m, d) && d->ntree_awake == 0;
}

// Static bodies are never asleep.
LANE_INLINE bool ct_body_asleep(const mjData* d, int b) {
  return d->body_awake[b] == 0;
}

LANE_INLINE bool ct_dof_asleep(const mjModel* m, const mjData* d, int j) {
  return !d->tree_awake[m->dof_treeid[j]];
}

// Dofs and bodies that a stage goes over while some sleep (filter): so many, and the i-th of them.
// Bodies that cannot move are among those awake.
LANE_INLINE int ct_dofs_awake(const mjModel* m, const mjData* d, bool filter) {
  return filter ? d->nv_awake : (int)m->nv;
}

LANE_INLINE int ct_awake_dof(const mjData* d, bool filter, int i) {
  return filter ? d->dof_awake_ind[i] : i;
}

LANE_INLINE int ct_bodies_awake(const mjModel* m, const mjData* d, bool filter) {
  return filter ? d->nbody_awake : (int)m->nbody;
}

LANE_INLINE int ct_awake_body(const mjData* d, bool filter, int i) {
  return filter ? d->body_awake_ind[i] : i;
}

// Those bodies but the world, as LANE_LEVELS and LANE_LEVELS_UP go over all.
#if defined(__CUDACC__) || defined(CT_LANE_THREADS)
#define LANE_LEVELS_AWAKE(b_, g_, m_, d_, filter_)     \
  LANE_LEVELS(b_, g_, ct_private(d_)->schedule.bodies) \
    if ((filter_) && ct_body_asleep(d_, b_)) {         \
      continue;                                        \
    } else
#define LANE_LEVELS_AWAKE_UP(b_, g_, m_, d_, filter_)     \
  LANE_LEVELS_UP(b_, g_, ct_private(d_)->schedule.bodies) \
    if ((filter_) && ct_body_asleep(d_, b_)) {            \
      continue;                                           \
    } else
#else
#define LANE_LEVELS_AWAKE(b_, g_, m_, d_, filter_)                                              \
  for (int b_##_at_ = ((void)(g_), 1), b_; b_##_at_ < ct_bodies_awake(m_, d_, filter_) &&       \
                                           ((b_ = ct_awake_body(d_, filter_, b_##_at_)), true); \
       b_##_at_++)
#define LANE_LEVELS_AWAKE_UP(b_, g_, m_, d_, filter_)                         \
  for (int b_##_at_ = ((void)(g_), ct_bodies_awake(m_, d_, filter_) - 1), b_; \
       b_##_at_ > 0 && ((b_ = ct_awake_body(d_, filter_, b_##_at_)), true); b_##_at_--)
#endif

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

#endif  // CT_BASE_MODEL_AWAKE_H_
