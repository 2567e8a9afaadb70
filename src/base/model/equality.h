// What an equality ties together.

#ifndef CT_BASE_MODEL_EQUALITY_H_
#define CT_BASE_MODEL_EQUALITY_H_

#include <stdbool.h>

#include <mujoco/mujoco.h>

#include "base/lanes.h"

// Is it between points of two bodies? Connect, weld and distance are; its objects are bodies or
// sites.
LANE_INLINE bool ct_holds_points(const mjModel* m, int i) {
  return m->eq_type[i] <= mjEQ_WELD || m->eq_type[i] == mjEQ_DISTANCE;
}

// The body of the first or second (which = 0, 1) object of such an equality.
LANE_INLINE int ct_held_body(const mjModel* m, int i, int which) {
  int id = which ? m->eq_obj2id[i] : m->eq_obj1id[i];
  return m->eq_objtype[i] == mjOBJ_SITE ? m->site_bodyid[id] : id;
}

LANE_INLINE bool ct_is_flex_equality(const mjModel* m, int i) {
  return m->eq_type[i] == mjEQ_FLEX || m->eq_type[i] == mjEQ_FLEXVERT;
}

#endif
