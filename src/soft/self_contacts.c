// Contacts of flexes with themselves and with each other.
//
//   in    flexvert_xpos, flexelem_aabb, bvh_aabb_dyn
//   out   ncon, contact: appended
//
// Elements that come near each other are found through the tree of boxes of the flex: every element
// walks down the tree, elements are dealt out to the lanes. Pairs are counted, then listed, then
// tested. Without the middle phase every element asks all others.
//
// Two elements of one flex touch if their balls overlap, whatever the margin; a flex that is folded
// to and fro is one side of a contact with another part of itself. Internal contacts keep elements
// from folding over: of lines and triangles the vertex of a neighbour against the element
// (flex_evpair), of tetrahedra each vertex against the face opposite it.

#include "base/memory/scratch.h"
#include "soft/element_hits.h"
#include "soft/flex_contacts.h"

enum { TREE_DEPTH = 64 };  // nodes that wait while a tree is walked: halves, so depth is log2

typedef struct {  // who looks for whom
  int f1, f2;     // the same for self-contacts
  mjtNum margin;
  bool tree, layers;  // by the tree of f2; elements below the active layers are left out
} ElementSearch;

// Do two elements have a body in common?
LANE_FN static bool share_body(const mjModel* m, int f1, int e1, int f2, int e2) {
  if (m->flex_interp[f1] || m->flex_interp[f2]) return false;
  const int *vert1 = ct_element(m, f1, e1), *vert2 = ct_element(m, f2, e2);
  for (int i = 0; i <= m->flex_dim[f1]; i++) {
    int body = ct_vertex_body(m, f1, vert1[i]);
    for (int k = 0; k <= m->flex_dim[f2]; k++) {
      if (ct_vertex_body(m, f2, vert2[k]) == body) return true;
    }
  }
  return false;
}

// Is e2 one that e1 has to be tested with, apart from their order?
LANE_FN static bool is_partner(const mjModel* m, const mjData* d, const ElementSearch* s, int e1,
                               int e2) {
  if (s->layers && !ct_element_active(m, s->f2, e2)) return false;
  return ct_aabbs_meet(ct_element_box(m, d, s->f1, e1), ct_element_box(m, d, s->f2, e2),
                       s->margin) &&
         !share_body(m, s->f1, e1, s->f2, e2);
}

// How many look for partners: the elements of f1, or the nodes of its tree where that is the same
// as the one which is searched.
LANE_INLINE int count_seekers(const mjModel* m, const ElementSearch* s) {
  return s->tree && s->f1 == s->f2 ? m->flex_bvhnum[s->f1] : m->flex_elemnum[s->f1];
}

// The element that seeker i is; -1: none, it is a node with children.
LANE_INLINE int seeking_element(const mjModel* m, const ElementSearch* s, int i) {
  return s->tree && s->f1 == s->f2 ? m->bvh_nodeid[m->flex_bvhadr[s->f1] + i] : i;
}

LANE_INLINE int add_partner(int* list, int count, int e) {
  if (list) list[count] = e;
  return count + 1;
}

// Lists the partners of a seeker, unless list is NULL; returns how many there are. In a flex the
// earlier of two asks the later one, by nodes or elements.
LANE_FN static int find_partners(const mjModel* m, const mjData* d, const ElementSearch* s, int i,
                                 int* list) {
  int count = 0, waiting[TREE_DEPTH], n = 0, e1 = seeking_element(m, s, i);
  if (e1 < 0 || (s->layers && !ct_element_active(m, s->f1, e1))) return 0;
  bool self = s->f1 == s->f2;
  if (!s->tree) {
    for (int e2 = self ? i + 1 : 0; e2 < m->flex_elemnum[s->f2]; e2++) {
      if (is_partner(m, d, s, e1, e2)) count = add_partner(list, count, e2);
    }
    return count;
  }
  const mjtNum* box = ct_element_box(m, d, s->f1, e1);
  int root = m->flex_bvhadr[s->f2];
  const mjtNum* boxes = d->bvh_aabb_dyn + 6 * (root - m->nbvhstatic);
  waiting[n++] = 0;
  while (n > 0) {
    int node = waiting[--n], e2 = m->bvh_nodeid[root + node];
    if (!ct_aabbs_meet(box, boxes + 6 * node, s->margin)) continue;
    for (int k = 1; e2 < 0 && k >= 0; k--) {
      int child = m->bvh_child[2 * (root + node) + k];
      if (child >= 0 && n < TREE_DEPTH) waiting[n++] = child;
    }
    bool later = e2 >= 0 && (!self || node > i);
    if (later && is_partner(m, d, s, e1, e2)) count = add_partner(list, count, e2);
  }
  return count;
}

// Which of two elements of a flex is side 0 of their contact: the first by the list of pairs, the
// smaller one, or the one that begins first along the axis of a sweep, in single precision.
typedef enum { BY_LIST, BY_ELEMENT, BY_SWEEP } SideRule;

LANE_INLINE bool comes_first(const mjModel* m, const mjData* d, int f, int e1, int e2,
                             SideRule rule, int axis) {
  if (rule != BY_SWEEP) return rule == BY_LIST || e1 < e2;
  const mjtNum *box1 = ct_element_box(m, d, f, e1), *box2 = ct_element_box(m, d, f, e2);
  float from1 = (float)(box1[axis] - box1[3 + axis]), from2 = (float)(box2[axis] - box2[3 + axis]);
  return from1 < from2 || (from1 == from2 && e1 < e2);
}

// The pairs of a flex with itself by one lane, which descends the tree against itself: a pair of
// nodes whose boxes are apart ends a whole branch. Lists (seeker, node) in the order of both, as
// lists of partners have it. Returns how many, or -1 if there are more than room.

typedef struct {
  int count, room;
  int* pair;  // (room x 2) nodes
} NodePairs;

enum { PAIRS_WAITING = 4 * TREE_DEPTH };

LANE_FN static bool note_pair(const mjModel* m, const ElementSearch* s, NodePairs* list, int i,
                              int k) {
  int root = m->flex_bvhadr[s->f1];
  if (share_body(m, s->f1, m->bvh_nodeid[root + i], s->f1, m->bvh_nodeid[root + k])) return true;
  if (list->count == list->room) return false;
  list->pair[2 * list->count] = i;
  list->pair[2 * list->count++ + 1] = k;
  return true;
}

LANE_FN static bool descend(const mjModel* m, const mjData* d, const ElementSearch* s,
                            NodePairs* list) {
  int root = m->flex_bvhadr[s->f1], waiting[PAIRS_WAITING][2], n = 1;
  const mjtNum* boxes = d->bvh_aabb_dyn + 6 * (root - m->nbvhstatic);
  waiting[0][0] = waiting[0][1] = 0;
  while (n > 0) {
    int i = waiting[--n][0], k = waiting[n][1];
    const int *child_i = m->bvh_child + 2 * (root + i), *child_k = m->bvh_child + 2 * (root + k);
    bool leaf_i = m->bvh_nodeid[root + i] >= 0, leaf_k = m->bvh_nodeid[root + k] >= 0;
    if (i != k && !ct_aabbs_meet(boxes + 6 * i, boxes + 6 * k, s->margin)) continue;
    if (leaf_i && leaf_k) {
      if (i != k && !note_pair(m, s, list, i, k)) return false;
      continue;
    }
    if (n + 3 > PAIRS_WAITING) return false;
    if (i == k) {  // a node with itself: its children, each with itself and with the other
      for (int c = 0; c < 2; c++) {
        waiting[n][0] = waiting[n][1] = child_i[c];
        n += child_i[c] >= 0;
      }
      waiting[n][0] = child_i[0];
      waiting[n][1] = child_i[1];
      n += child_i[0] >= 0 && child_i[1] >= 0;
      continue;
    }
    // the larger of two nodes is taken apart
    const mjtNum *half_i = boxes + 6 * i + 3, *half_k = boxes + 6 * k + 3;
    bool first = leaf_k ||
                 (!leaf_i && half_i[0] + half_i[1] + half_i[2] > half_k[0] + half_k[1] + half_k[2]);
    const int* child = first ? child_i : child_k;
    for (int c = 0; c < 2; c++) {
      waiting[n][0] = first ? child[c] : i;
      waiting[n][1] = first ? k : child[c];
      n += child[c] >= 0;
    }
  }
  return true;
}

LANE_INLINE bool pair_before(const int* a, const int* b) {
  return a[0] < b[0] || (a[0] == b[0] && a[1] < b[1]);
}

// A heap sort: few pairs are left, and it needs no room.
LANE_FN static void sift_down(int* pair, int at, int n) {
  for (int child; (child = 2 * at + 1) < n; at = child) {
    if (child + 1 < n && pair_before(pair + 2 * child, pair + 2 * child + 2)) child++;
    if (!pair_before(pair + 2 * at, pair + 2 * child)) return;
    for (int k = 0; k < 2; k++) {
      int other = pair[2 * at + k];
      pair[2 * at + k] = pair[2 * child + k];
      pair[2 * child + k] = other;
    }
  }
}

LANE_FN static void sort_pairs(int* pair, int n) {
  for (int i = n / 2 - 1; i >= 0; i--) sift_down(pair, i, n);
  for (int last = n - 1; last > 0; last--) {
    for (int k = 0; k < 2; k++) {
      int other = pair[k];
      pair[k] = pair[2 * last + k];
      pair[2 * last + k] = other;
    }
    sift_down(pair, 0, last);
  }
}

LANE_FN static int descend_alone(const mjModel* m, const mjData* d, const ElementSearch* s,
                                 int* pair, int room) {
  NodePairs list = {0, room, pair};
  if (!descend(m, d, s, &list)) return -1;
  for (int at = 0; at < list.count; at++) {  // children of a later node may come first
    int i = pair[2 * at], k = pair[2 * at + 1];
    pair[2 * at] = i < k ? i : k;
    pair[2 * at + 1] = i < k ? k : i;
  }
  sort_pairs(pair, list.count);
  int root = m->flex_bvhadr[s->f1];
  for (int at = 0; at < 2 * list.count; at++) pair[at] = m->bvh_nodeid[root + pair[at]];
  return list.count;
}

// Tests listed pairs, one per lane at a time.
LANE_FN static void test_pairs(Lane g, const mjModel* m, mjData* d, const ElementSearch* s,
                               const int* pair, int count, ct_Touch touch, SideRule rule, int axis,
                               ct_ContactWriter* w) {
  ct_Hit hit[CT_FLEX_HITS];
  for (int base = 0; base < count; base += lane_count(g)) {
    int at = base + lane_rank(g), found = -1;
    if (at < count) {
      int e1 = pair[2 * at], e2 = pair[2 * at + 1];
      if (!comes_first(m, d, s->f1, e1, e2, rule, axis)) {
        e1 = e2;
        e2 = pair[2 * at];
      }
      touch.side[0].elem = e1;
      touch.side[1].elem = e2;
      found = ct_element_element(m, d, hit, s->f1, e1, s->f2, e2, touch.margin);
    }
    ct_append_touches(g, m, d, w, hit, found, &touch);
  }
}

// Finds and tests all pairs of a search.
LANE_FN static int search_pairs(Lane g, const mjModel* m, mjData* d, const ElementSearch* s,
                                ct_Touch touch, SideRule rule, int axis, ct_ContactWriter* w) {
  int n = count_seekers(m, s), total = 0;
  if (!lane_mark(g, d)) return CT_STACK_FULL;
  if (lane_count(g) == 1 && s->tree && s->f1 == s->f2) {
    int most = 16 * n + 64, *listed = lane_scratch_int(g, d, 2 * most);
    total = listed ? descend_alone(m, d, s, listed, most) : -1;
    if (total >= 0) {
      test_pairs(g, m, d, s, listed, total, touch, rule, axis, w);
      lane_free(g, d);
      return CT_OK;
    }
    total = 0;  // too many: they are counted below
  }
  int* count = lane_scratch_int(g, d, n + 1);
  int* start = lane_scratch_int(g, d, n + 1);
  bool room = count && start;
  int* pair = NULL;
  if (room) {
    LANE_FOR(e, g, n) {
      count[e] = find_partners(m, d, s, e, NULL);
    }
    lane_sync(g);
    lane_scan(g, start, count, n);
    lane_sync(g);
    total = n ? start[n - 1] + count[n - 1] : 0;
    pair = lane_scratch_int(g, d, 2 * total + 1);
    room = pair != NULL;
  }
  if (room && total) {
    LANE_FOR(e, g, n) {
      int* own = pair + 2 * start[e];
      find_partners(m, d, s, e, own);
      for (int k = count[e] - 1; k >= 0; k--) {
        own[2 * k + 1] = own[k];
        own[2 * k] = seeking_element(m, s, e);
      }
    }
    lane_sync(g);
    test_pairs(g, m, d, s, pair, total, touch, rule, axis, w);
  }
  lane_free(g, d);
  return room ? CT_OK : CT_STACK_FULL;
}

LANE_FN int ct_mutual_contacts(Lane g, const mjModel* m, mjData* d, int f1, int f2, mjtNum margin,
                               ct_ContactWriter* w) {
  bool midphase = !(m->opt.disableflags & mjDSBL_MIDPHASE);
  bool tree = midphase && m->flex_bvhadr[f1] >= 0 && m->flex_bvhadr[f2] >= 0;
  ElementSearch s = {f1, f2, margin, tree, tree};
  ct_Touch touch = {
      {{-1, f1, -1, -1}, {-1, f2, -1, -1}}, margin, m->flex_gap[f1] + m->flex_gap[f2], false};
  return search_pairs(g, m, d, &s, touch, BY_LIST, 0, w);
}

LANE_INLINE ct_Touch own_touch(int f) {
  ct_Touch touch = {{{-1, f, -1, -1}, {-1, f, -1, -1}}, 0, 0, false};
  return touch;
}

// Neighbours of lines and triangles.
LANE_FN static void neighbour_contacts(Lane g, const mjModel* m, mjData* d, int f,
                                       ct_ContactWriter* w) {
  ct_Hit hit[1];
  ct_Touch touch = own_touch(f);
  int n = m->flex_evpairnum[f];
  for (int base = 0; base < n; base += lane_count(g)) {
    int at = base + lane_rank(g), found = -1;
    if (at < n) {
      const int* evpair = m->flex_evpair + 2 * (m->flex_evpairadr[f] + at);
      touch.side[0].vert = evpair[1];
      touch.side[1].elem = evpair[0];
      mjtNum box[6] = {0, 0, 0, 0, 0, 0};
      ct_copy3(box, ct_flex_vertex(m, d, f, evpair[1]));
      bool near = ct_aabbs_meet(box, ct_element_box(m, d, f, evpair[0]),
                                m->flex_margin[f] + m->flex_radius[f]);
      found = near ? ct_vertex_element(m, d, hit, f, evpair[1], evpair[0]) : -1;
    }
    ct_append_touches(g, m, d, w, hit, found, &touch);
  }
}

// Faces and opposite vertices of tetrahedra.
LANE_FN static void fold_contacts(Lane g, const mjModel* m, mjData* d, int f, ct_ContactWriter* w) {
  ct_Hit hit[1];
  ct_Touch touch = own_touch(f);
  int n = 4 * m->flex_elemnum[f];
  touch.frictionless = true;
  for (int base = 0; base < n; base += lane_count(g)) {
    int at = base + lane_rank(g), found = -1;
    if (at < n) {
      touch.side[0].elem = at / 4;
      found = ct_face_vertex(m, d, hit, f, at / 4, at % 4, &touch.side[1].vert);
    }
    ct_append_touches(g, m, d, w, hit, found > 0 ? found : -1, &touch);
  }
}

// The axis along which a flex is longest.
LANE_INLINE int longest_axis(const mjModel* m, const mjData* d, int f) {
  const mjtNum* half = d->bvh_aabb_dyn + 6 * (m->flex_bvhadr[f] - m->nbvhstatic) + 3;
  if (half[0] > half[1] && half[0] > half[2]) return 0;
  return half[1] > half[2] ? 1 : 2;
}

LANE_FN int ct_self_contacts(Lane g, const mjModel* m, mjData* d, int f, ct_ContactWriter* w) {
  if (m->flex_rigid[f] || !(m->flex_contype[f] & m->flex_conaffinity[f])) return CT_OK;
  if (m->flex_internal[f]) {
    if (m->flex_dim[f] < 3) {
      neighbour_contacts(g, m, d, f, w);
    } else {
      fold_contacts(g, m, d, f, w);
    }
  }
  int mode = m->flex_selfcollide[f];
  if (mode == mjFLEXSELF_NONE) return CT_OK;
  bool midphase = !(m->opt.disableflags & mjDSBL_MIDPHASE);
  bool tree = midphase && m->flex_bvhadr[f] >= 0;
  ElementSearch s = {f, f, 0, tree, true};
  bool solid = mode == mjFLEXSELF_AUTO && m->flex_dim[f] == 3;
  bool sweep = tree && (mode == mjFLEXSELF_SAP || (mode == mjFLEXSELF_AUTO && !solid));
  SideRule rule = sweep ? BY_SWEEP : mode == mjFLEXSELF_NARROW ? BY_ELEMENT : BY_LIST;
  int axis = rule == BY_SWEEP ? longest_axis(m, d, f) : 0;
  return search_pairs(g, m, d, &s, own_touch(f), rule, axis, w);
}
