// Falling asleep and waking up: which trees a step may leave alone.
//
//   in, out  tree_asleep     (ntree)   the state: awake < 0, asleep >= 0
//   in       qvel, qfrc_applied        (nv)
//            xfrc_applied              (nbody x 6)
//            islands, contacts, tendons and equalities that tie trees together
//   out      tree_awake, body_awake, body_awake_ind, parent_awake_ind, dof_awake_ind and their
//   counts
//
// An awake tree counts from -(1 + mjMINAWAKE) up to -1, one for every step in which it could sleep:
// nothing is applied to it, its policy allows it and no dof moves faster than opt.sleep_tolerance
// (angles count as lengths by dof_length). Trees that constraints tie together are an island and
// fall asleep together, when all have reached -1. From then on they form a ring: tree_asleep is the
// next tree, a tree alone points at itself. Their velocities are zero, and so are their
// accelerations.
//
// A ring wakes as a whole: because a pose, a velocity or an applied force was written from outside
// (a bit is enough), or because a contact, a tendon at its limit or an equality ties it to
// something that is awake. Whatever wakes it gives it a count: mostly the full one, the one of the
// neighbour where the neighbour is about to sleep too.
//
// All of this is integers and short loops, so one lane does it.

#include "engine/smooth/sleep.h"

#include "base/model/equality.h"
#include "base/private.h"
#include "math/scalar.h"
#include "math/vec.h"
#include "soft/contact_bodies.h"

// Who is awake

LANE_INLINE int body_state(const mjModel* m, const mjData* d, int b, bool wake_static) {
  int tree = m->body_treeid[b];
  if (tree >= 0) return d->tree_awake[tree];
  return wake_static || m->body_mocapid[m->body_rootid[b]] >= 0 ? 1 : -1;
}

LANE_FN static void update_awake(const mjModel* m, mjData* d, bool wake_static) {
  d->ntree_awake = d->nbody_awake = d->nparent_awake = d->nv_awake = 0;
  for (int t = 0; t < m->ntree; t++) {
    d->tree_awake[t] = d->tree_asleep[t] < 0;
    d->ntree_awake += d->tree_awake[t];
  }
  for (int b = 0; b < m->nbody; b++) {
    d->body_awake[b] = body_state(m, d, b, wake_static);
    if (d->body_awake[b]) d->body_awake_ind[d->nbody_awake++] = b;
    if (b > 0 && d->body_awake[m->body_parentid[b]]) d->parent_awake_ind[d->nparent_awake++] = b;
  }
  for (int j = 0; j < m->nv; j++) {
    if (d->tree_awake[m->dof_treeid[j]]) d->dof_awake_ind[d->nv_awake++] = j;
  }
}

LANE_FN void ct_update_awake(Lane g, const mjModel* m, mjData* d, bool wake_static) {
  LANE_ALONE(g) {
    update_awake(m, d, wake_static);
  }
}

// Waking

// Wakes the ring of a tree, or keeps an awake one from sleeping before `count` allows it. Returns
// how many trees woke.
LANE_FN static int wake_ring(mjData* d, int tree, int count) {
  int woken = 0;
  if (d->tree_asleep[tree] < 0) {
    if (count < d->tree_asleep[tree]) d->tree_asleep[tree] = count;
    return 0;
  }
  while (d->tree_asleep[tree] >= 0) {
    int next = d->tree_asleep[tree];
    d->tree_asleep[tree] = count;
    tree = next;
    woken++;
  }
  return woken;
}

// Two trees that something ties together: one that sleeps beside an awake one wakes, with the given
// count or, if that is 0, with the count of the other.
LANE_FN static int wake_neighbour(mjData* d, int a, int b, int count) {
  if (a < 0 || b < 0 || a == b) return 0;
  if ((d->tree_asleep[a] < 0) == (d->tree_asleep[b] < 0)) return 0;
  int sleeping = d->tree_asleep[a] < 0 ? b : a, awake = sleeping == a ? b : a;
  return wake_ring(d, sleeping, count ? count : d->tree_asleep[awake]);
}

LANE_FN static bool same_ring(const mjModel* m, const mjData* d, int a, int b) {
  int tree = a;
  for (int i = 0; i < m->ntree && d->tree_asleep[tree] >= 0; i++) {
    if (tree == b) return true;
    tree = d->tree_asleep[tree];
    if (tree == a) break;
  }
  return false;
}

LANE_INLINE bool never_sleeps(int policy) {
  return policy == mjSLEEP_NEVER || policy == mjSLEEP_AUTO_NEVER;
}

// Has a force been applied to the tree from outside?
LANE_FN static bool is_pushed(const mjModel* m, const mjData* d, int tree) {
  return ct_any_bit(d->xfrc_applied + 6 * m->tree_bodyadr[tree], 6 * m->tree_bodynum[tree]) ||
         ct_any_bit(d->qfrc_applied + m->tree_dofadr[tree], m->tree_dofnum[tree]);
}

// Did kinematics find one of its bodies somewhere else than when it fell asleep?
LANE_FN static bool was_moved(const mjModel* m, const mjData* d, int tree) {
  int end = m->tree_bodyadr[tree] + m->tree_bodynum[tree];
  for (int b = m->tree_bodyadr[tree]; b < end; b++) {
    if (d->body_awake[b] == CT_BODY_MOVED) return true;
  }
  return false;
}

// Most of the time nothing is applied to anybody, and where all sleep nothing moves, which is
// faster to find out at once than tree by tree.
LANE_FN static int wake_disturbed(const mjModel* m, mjData* d) {
  bool pushed =
      ct_any_bit(d->xfrc_applied, 6 * (int)m->nbody) || ct_any_bit(d->qfrc_applied, (int)m->nv);
  bool fast = d->ntree_awake > 0 || ct_any_bit(d->qvel, (int)m->nv);
  int woken = 0;
  for (int t = 0; t < m->ntree; t++) {
    if (d->tree_asleep[t] < 0) continue;
    if (never_sleeps(m->tree_sleep_policy[t]) || was_moved(m, d, t) ||
        (pushed && is_pushed(m, d, t)) ||
        (fast && ct_any_bit(d->qvel + m->tree_dofadr[t], m->tree_dofnum[t]))) {
      woken += wake_ring(d, t, CT_FULLY_AWAKE);
    }
  }
  return woken;
}

LANE_FN static int wake_all(const mjModel* m, mjData* d) {
  int woken = 0;
  for (int t = 0; t < m->ntree; t++) woken += wake_ring(d, t, CT_FULLY_AWAKE);
  return woken;
}

// Is a limit of the tendon reached?
LANE_FN static bool at_limit(const mjModel* m, const mjData* d, int tendon) {
  const mjtNum* range = m->tendon_range + 2 * tendon;
  mjtNum length = d->ten_length[tendon], margin = m->tendon_margin[tendon];
  if (!m->tendon_limited[tendon]) return false;
  return length - range[0] < margin || range[1] - length < margin;
}

LANE_FN static int wake_along_tendons(const mjModel* m, mjData* d) {
  int woken = 0;
  for (int t = 0; t < m->ntendon; t++) {
    if (m->tendon_treenum[t] != 2 || !at_limit(m, d, t)) continue;
    woken += wake_neighbour(d, m->tendon_treeid[2 * t], m->tendon_treeid[2 * t + 1], 0);
  }
  return woken;
}

// The trees of all bodies that a contact with a flex acts on. The reference leaves such contacts
// out here, and stops when it finds a sleeping tree in an island.
LANE_FN static int wake_flex_contact(const mjModel* m, mjData* d, const mjContact* con) {
  int woken = 0, awake = -1;
  ct_ContactBodies bodies = ct_contact_bodies(m, d, con);
  for (int i = 0; i < bodies.count; i++) {
    int tree = m->body_treeid[bodies.body[i]];
    if (tree >= 0 && d->tree_asleep[tree] < 0) awake = tree;
  }
  for (int i = 0; awake >= 0 && i < bodies.count; i++) {
    int tree = m->body_treeid[bodies.body[i]];
    if (tree >= 0) woken += wake_neighbour(d, awake, tree, 0);
  }
  return woken;
}

LANE_FN static int wake_touched(const mjModel* m, mjData* d) {
  int woken = 0;
  for (int i = 0; i < d->ncon; i++) {
    const int* geom = d->contact[i].geom;
    if (geom[0] < 0 || geom[1] < 0) {
      woken += wake_flex_contact(m, d, d->contact + i);
      continue;
    }
    int a = m->body_treeid[m->geom_bodyid[geom[0]]], b = m->body_treeid[m->geom_bodyid[geom[1]]];
    woken += wake_neighbour(d, a, b, 0);
  }
  return woken;
}

// The tree that an object of an equality belongs to; -1: none.
LANE_FN static int tree_of_object(const mjModel* m, int equality, int object) {
  int body;
  if (object < 0) return -1;
  if (m->eq_type[equality] == mjEQ_JOINT) {
    body = m->jnt_bodyid[object];
  } else {
    body = m->eq_objtype[equality] == mjOBJ_SITE ? m->site_bodyid[object] : object;
  }
  return m->body_treeid[body];
}

// A flex whose edges or strains are held sleeps as a whole, or not at all.
LANE_FN static int wake_flex(const mjModel* m, mjData* d, int f) {
  int woken = 0, awake = -1, end = m->flex_vertadr[f] + m->flex_vertnum[f];
  for (int v = m->flex_vertadr[f]; v < end; v++) {
    int body = m->flex_vertbodyid[v], tree = body < 0 ? -1 : m->body_treeid[body];
    if (tree >= 0 && d->tree_asleep[tree] < 0) awake = tree;
  }
  for (int v = m->flex_vertadr[f]; awake >= 0 && v < end; v++) {
    int body = m->flex_vertbodyid[v], tree = body < 0 ? -1 : m->body_treeid[body];
    if (tree >= 0) woken += wake_neighbour(d, awake, tree, CT_FULLY_AWAKE);
  }
  return woken;
}

LANE_FN static int wake_equal(const mjModel* m, mjData* d) {
  int woken = 0;
  for (int i = 0; i < m->neq; i++) {
    if (!d->eq_active[i]) continue;
    if (ct_is_flex_equality(m, i)) woken += wake_flex(m, d, m->eq_obj1id[i]);
    if (!ct_holds_points(m, i) && m->eq_type[i] != mjEQ_JOINT) continue;
    int a = tree_of_object(m, i, m->eq_obj1id[i]), b = tree_of_object(m, i, m->eq_obj2id[i]);
    if (a < 0 || b < 0 || a == b) continue;
    woken += wake_neighbour(d, a, b, CT_FULLY_AWAKE);
    if (d->tree_asleep[a] >= 0 && d->tree_asleep[b] >= 0 && !same_ring(m, d, a, b)) {
      woken += wake_ring(d, a, CT_FULLY_AWAKE) + wake_ring(d, b, CT_FULLY_AWAKE);
    }
  }
  return woken;
}

// Brings the lists of what is awake up to date after one of the above; keeps how many woke.
LANE_FN static void list_woken(const mjModel* m, mjData* d, int woken) {
  if (woken) update_awake(m, d, false);
  ct_private(d)->woken = woken;
}

LANE_FN void ct_wake_disturbed(Lane g, const mjModel* m, mjData* d) {
  if (d->ntree_awake == m->ntree) return;
  LANE_ALONE(g) {
    list_woken(m, d, ct_sleep_enabled(m) ? wake_disturbed(m, d) : wake_all(m, d));
  }
}

LANE_FN int ct_wake_along_tendons(Lane g, const mjModel* m, mjData* d) {
  if (!ct_some_asleep(m, d)) return CT_OK;
  LANE_ALONE(g) {
    list_woken(m, d, wake_along_tendons(m, d));
  }
  return CT_OK;
}

LANE_FN int ct_wake_touched(Lane g, const mjModel* m, mjData* d) {
  bool possible = ct_some_asleep(m, d) && d->ncon > 0;
  LANE_ALONE(g) {
    list_woken(m, d, possible ? wake_touched(m, d) : 0);
  }
  return CT_OK;
}

LANE_FN int ct_wake_equal(Lane g, const mjModel* m, mjData* d) {
  for (int i = 0; i < m->neq; i++) {
    if (!d->eq_active[i] || m->eq_type[i] != mjEQ_TENDON) continue;
    return ct_blame_model(g, d, CT_CAUSE_SLEEPING_EQUALITY, i);
  }
  if (!ct_some_asleep(m, d)) return CT_OK;
  LANE_ALONE(g) {
    list_woken(m, d, wake_equal(m, d));
  }
  return CT_OK;
}

// Falling asleep

LANE_FN static bool is_slow(const mjModel* m, const mjData* d, int tree) {
  int first = m->tree_dofadr[tree], n = m->tree_dofnum[tree];
  if (m->opt.sleep_tolerance == 0) return !ct_any_bit(d->qvel + first, n);
  for (int k = first; k < first + n; k++) {
    if (!(m->dof_length[k] * ct_abs(d->qvel[k]) < m->opt.sleep_tolerance)) return false;
  }
  return true;
}

LANE_FN static void count_quiet_step(const mjModel* m, mjData* d, int tree) {
  int* count = d->tree_asleep + tree;
  if (*count >= 0) return;
  bool quiet =
      !never_sleeps(m->tree_sleep_policy[tree]) && !is_pushed(m, d, tree) && is_slow(m, d, tree);
  *count = !quiet ? CT_FULLY_AWAKE : *count < -1 ? *count + 1 : -1;
}

// Trees n of which stand one after the other in `trees` become a ring and stop.
LANE_FN static void put_to_sleep(const mjModel* m, mjData* d, const int* trees, int n) {
  for (int i = 0; i < n; i++) {
    int tree = trees[i];
    d->tree_asleep[tree] = trees[i + 1 < n ? i + 1 : 0];
    ct_zero(d->qvel + m->tree_dofadr[tree], m->tree_dofnum[tree]);
    ct_zero(d->qacc + m->tree_dofadr[tree], m->tree_dofnum[tree]);
  }
}

// Counts quiet steps and lays to rest whatever has had enough of them; returns how many trees.
LANE_FN static int sleep_where_ready(const mjModel* m, mjData* d) {
  int count = 0;
  for (int t = 0; t < m->ntree; t++) count_quiet_step(m, d, t);
  for (int i = 0; i < d->nisland; i++) {
    const int* trees = d->map_itree2tree + d->island_itreeadr[i];
    int n = d->island_ntree[i], ready = 0;
    for (int k = 0; k < n; k++) ready += d->tree_asleep[trees[k]] == -1;
    if (ready < n) continue;
    put_to_sleep(m, d, trees, n);
    count += n;
  }
  for (int t = 0; t < m->ntree; t++) {
    bool alone = d->nisland == 0 || d->tree_island[t] < 0;
    if (!alone || d->tree_asleep[t] != -1) continue;
    put_to_sleep(m, d, &t, 1);
    count++;
  }
  return count;
}

LANE_FN int ct_sleep_where_ready(Lane g, const mjModel* m, mjData* d) {
  int count;
  if (d->nefc > 0 && d->nisland == 0) return 0;
  lane_sync(g);
  LANE_ANSWER(count, g, sleep_where_ready(m, d));
  return count;
}
