// Public functions of sleep and islands.

#include "host/sleep_functions.h"

#include "engine/sensor/sensor.h"
#include "engine/smooth/object.h"
#include "engine/smooth/sleep.h"

void mj_updateSleep(const mjModel* m, mjData* d) {
  ct_update_awake(lane_one(), m, d, false);
}

// A tendon without trees is static; with more than two it never sleeps.
static int tendon_state(const mjModel* m, const mjData* d, int id) {
  return m->tendon_treenum[id] == 0 ? -1 : ct_tendon_asleep(m, d, id) ? 0 : 1;
}

static int actuator_state(const mjModel* m, const mjData* d, int id) {
  const int* target = m->actuator_trnid + 2 * id;
  switch (m->actuator_trntype[id]) {
    case mjTRN_JOINT:
    case mjTRN_JOINTINPARENT:
      return mj_sleepState(m, d, mjOBJ_JOINT, target[0]);
    case mjTRN_TENDON:
      return tendon_state(m, d, target[0]);
    case mjTRN_SITE:
      return mj_sleepState(m, d, mjOBJ_SITE, target[0]);
    case mjTRN_BODY:
      return mj_sleepState(m, d, mjOBJ_BODY, target[0]);
    case mjTRN_SLIDERCRANK: {
      int crank = mj_sleepState(m, d, mjOBJ_SITE, target[0]);
      return crank == 1 ? 1 : mj_sleepState(m, d, mjOBJ_SITE, target[1]);
    }
    default:
      return 1;
  }
}

// Asleep unless one of the two things that it ties together is awake.
static int equality_state(const mjModel* m, const mjData* d, int id) {
  int type = m->eq_type[id], object[2] = {m->eq_obj1id[id], m->eq_obj2id[id]};
  int what = type == mjEQ_JOINT ? mjOBJ_JOINT : type == mjEQ_TENDON ? mjOBJ_TENDON : mjOBJ_BODY;
  if (type == mjEQ_FLEX || type == mjEQ_FLEXVERT) return 1;
  if (what == mjOBJ_BODY && m->eq_objtype[id] == mjOBJ_SITE) what = mjOBJ_SITE;
  for (int k = 0; k < 2; k++) {
    if (object[k] >= 0 && mj_sleepState(m, d, what, object[k]) == 1) return 1;
  }
  return 0;
}

int mj_sleepState(const mjModel* m, const mjData* d, int object_type, int object) {
  int body = ct_body_of_object(m, object_type, object);
  if (body >= 0) return d->body_awake[body];
  switch (object_type) {
    case mjOBJ_UNKNOWN:
    case mjOBJ_FLEX:
      return 1;
    case mjOBJ_TENDON:
      return tendon_state(m, d, object);
    case mjOBJ_ACTUATOR:
      return actuator_state(m, d, object);
    case mjOBJ_EQUALITY:
      return equality_state(m, d, object);
    case mjOBJ_SENSOR:
      return ct_sensor_asleep(m, d, object) ? 0 : 1;
    default:
      mju_error("mj_sleepState: objects of type %d do not sleep", object_type);
      return 1;
  }
}

int mj_wakeTree(int* asleep, int ntree, int tree, int countdown) {
  if (tree < 0 || tree >= ntree) {
    mju_error("mj_wakeTree: tree %d does not exist, there are %d", tree, ntree);
    return 0;
  }
  if (asleep[tree] < 0) {
    if (countdown < asleep[tree]) asleep[tree] = countdown;
    return 0;
  }
  int length = 0;
  for (int at = tree; length == 0 || at != tree; length++) {  // is it a ring?
    at = asleep[at];
    if (at < 0 || at >= ntree || length == ntree) {
      mju_error("mj_wakeTree: tree %d is not in a ring of sleeping trees", tree);
      return 0;
    }
  }
  for (int k = 0, at = tree; k < length; k++) {
    int next = asleep[at];
    asleep[at] = countdown;
    at = next;
  }
  return length;
}

int mj_floodFill(int* component, int vertices, const int* edge_count, const int* first_edge,
                 const int* neighbour, int* scratch) {
  int count = 0;
  for (int r = 0; r < vertices; r++) component[r] = -1;
  for (int r = 0; r < vertices; r++) {
    if (component[r] >= 0 || edge_count[r] == 0) continue;
    int depth = 0;
    scratch[depth++] = r;
    while (depth > 0) {
      int vertex = scratch[--depth];
      if (component[vertex] >= 0) continue;
      component[vertex] = count;
      const int* next = neighbour + first_edge[vertex];
      for (int k = 0; k < edge_count[vertex]; k++) {
        if (component[next[k]] < 0) scratch[depth++] = next[k];
      }
    }
    count++;
  }
  return count;
}
