// Public functions of sleep and islands.

#include "host/sleep.h"

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

int mj_sleepState(const mjModel* m, const mjData* d, int type, int id) {
  int body = ct_body_of_object(m, type, id);
  if (body >= 0) return d->body_awake[body];
  switch (type) {
    case mjOBJ_UNKNOWN:
    case mjOBJ_FLEX:
      return 1;
    case mjOBJ_TENDON:
      return tendon_state(m, d, id);
    case mjOBJ_ACTUATOR:
      return actuator_state(m, d, id);
    case mjOBJ_EQUALITY:
      return equality_state(m, d, id);
    case mjOBJ_SENSOR:
      return ct_sensor_asleep(m, d, id) ? 0 : 1;
    default:
      mju_error("mj_sleepState: objects of type %d do not sleep", type);
      return 1;
  }
}

int mj_wakeTree(int* tree_asleep, int ntree, int i, int wakeval) {
  if (i < 0 || i >= ntree) {
    mju_error("mj_wakeTree: tree %d does not exist, there are %d", i, ntree);
    return 0;
  }
  if (tree_asleep[i] < 0) {
    if (wakeval < tree_asleep[i]) tree_asleep[i] = wakeval;
    return 0;
  }
  int length = 0;
  for (int tree = i; length == 0 || tree != i; length++) {  // is it a ring?
    tree = tree_asleep[tree];
    if (tree < 0 || tree >= ntree || length == ntree) {
      mju_error("mj_wakeTree: tree %d is not in a ring of sleeping trees", i);
      return 0;
    }
  }
  for (int k = 0, tree = i; k < length; k++) {
    int next = tree_asleep[tree];
    tree_asleep[tree] = wakeval;
    tree = next;
  }
  return length;
}

int mj_floodFill(int* island, int nr, const int* rownnz, const int* rowadr, const int* colind,
                 int* stack) {
  int count = 0;
  for (int r = 0; r < nr; r++) island[r] = -1;
  for (int r = 0; r < nr; r++) {
    if (island[r] >= 0 || rownnz[r] == 0) continue;
    int depth = 0;
    stack[depth++] = r;
    while (depth > 0) {
      int vertex = stack[--depth];
      if (island[vertex] >= 0) continue;
      island[vertex] = count;
      const int* next = colind + rowadr[vertex];
      for (int k = 0; k < rownnz[vertex]; k++) {
        if (island[next[k]] < 0) stack[depth++] = next[k];
      }
    }
    count++;
  }
  return count;
}
