// Which elements of flexes come near each other.
//
//   in    flexelem_aabb, bvh_aabb_dyn
//   out   pairs of elements
//
// Two trees of boxes, or one and itself, are walked down together: a pair of nodes whose boxes are
// apart ends two whole branches, so that the work grows with the number of pairs that are near.
// Then the pairs are sorted as the reference would have met them, because the order of contacts
// decides what PGS computes, and who is side 0 of a contact. Sorting is by counting, in time
// linear in pairs and elements; only the elements of a sweep are sorted by comparing.
//
// One lane does all of it: the walk is a chain of decisions. The tests of pairs, which take most of
// the time, are dealt out to all lanes (self_contacts.c).

#include "soft/element_pairs.h"

#include "base/memory/scratch.h"

enum {
  PAIRS_WAITING = 256,     // trees are halved at every level: this is four times their depth
  PAIRS_PER_ELEMENT = 16,  // room that is tried first
  MOST_PAIRS = 1 << 28,
};

typedef struct {
  int count, room;
  int* pair;  // (room x 2)
} PairList;

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

// Counts a pair, and stores it if there is room.
LANE_INLINE void list_pair(PairList* list, int e1, int e2) {
  if (list->count < list->room) {
    list->pair[2 * list->count] = e1;
    list->pair[2 * list->count + 1] = e2;
  }
  list->count += list->count < MOST_PAIRS;
}

// Without trees: each element with each.
LANE_FN static void pair_all(const mjModel* m, const mjData* d, const ct_ElementSearch* s,
                             PairList* list) {
  bool self = s->f1 == s->f2;
  for (int e1 = 0; e1 < m->flex_elemnum[s->f1]; e1++) {
    const mjtNum* box = ct_element_box(m, d, s->f1, e1);
    if (s->layers && !ct_element_active(m, s->f1, e1)) continue;
    for (int e2 = self ? e1 + 1 : 0; e2 < m->flex_elemnum[s->f2]; e2++) {
      if (s->layers && !ct_element_active(m, s->f2, e2)) continue;
      if (!ct_aabbs_meet(box, ct_element_box(m, d, s->f2, e2), s->margin)) continue;
      if (!share_body(m, s->f1, e1, s->f2, e2)) list_pair(list, e1, e2);
    }
  }
}

// The walk

typedef struct {
  const int *child, *element;  // of its nodes; element -1: it has children
  const mjtNum* box;           // (nodes x 6)
} Tree;

LANE_INLINE Tree tree_of(const mjModel* m, const mjData* d, int f) {
  int root = m->flex_bvhadr[f];
  Tree tree = {m->bvh_child + 2 * root, m->bvh_nodeid + root,
               d->bvh_aabb_dyn + 6 * (root - m->nbvhstatic)};
  return tree;
}

// By which the reference decides which of two boxes to take apart. Oddity: it means half the
// surface of a box, and takes differences of half size and centre for its sides.
LANE_INLINE mjtNum odd_surface(const mjtNum box[6]) {
  mjtNum x = box[3] - box[0], y = box[4] - box[1], z = box[5] - box[2];
  return x * y + y * z + z * x;
}

LANE_INLINE mjtNum girth(const mjtNum box[6]) {
  return box[3] + box[4] + box[5];
}

// Pushes a node with both children of another one, of tree 1 if `first`, as far as their boxes
// meet. Both places are written, and the end moves without a branch.
LANE_INLINE int push_children(int waiting[][2], int n, const Tree* tree, const int* child,
                              int other, const mjtNum* box, bool first, mjtNum margin) {
  for (int c = 0; c < 2; c++) {
    int node = child[c] >= 0 ? child[c] : 0;
    waiting[n][0] = first ? node : other;
    waiting[n][1] = first ? other : node;
    n += (child[c] >= 0) & ct_aabbs_meet(tree->box + 6 * node, box, margin);
  }
  return n;
}

// The walk down two trees. False if more nodes wait than there is room for, as they do in no tree
// that is halved at every level.
LANE_FN static bool walk_trees(const mjModel* m, const mjData* d, const ct_ElementSearch* s,
                               PairList* list) {
  int waiting[PAIRS_WAITING][2], n = 1;
  Tree tree1 = tree_of(m, d, s->f1), tree2 = tree_of(m, d, s->f2);
  bool self = s->f1 == s->f2, odd = s->order == CT_PAIRS_BY_TREE;
  waiting[0][0] = waiting[0][1] = 0;
  while (n > 0) {
    int i = waiting[--n][0], k = waiting[n][1], e1 = tree1.element[i], e2 = tree2.element[k];
    const mjtNum *box1 = tree1.box + 6 * i, *box2 = tree2.box + 6 * k;
    const int *child1 = tree1.child + 2 * i, *child2 = tree2.child + 2 * k;
    if (odd && i > k) continue;  // met the other way round
    if (self && i == k && e1 >= 0) continue;
    if (e1 >= 0 && e2 >= 0) {
      if (!share_body(m, s->f1, e1, s->f2, e2)) list_pair(list, e1, e2);
      continue;
    }
    if (n + 4 > PAIRS_WAITING) return false;
    if (self && i == k && !odd) {  // the children of a node, with each other and with themselves
      for (int c = 0; c < 2; c++) {
        waiting[n][0] = waiting[n][1] = child1[c];
        n += child1[c] >= 0;
      }
      if (child1[0] < 0 || child1[1] < 0) continue;
      waiting[n][0] = child1[0];
      waiting[n][1] = child1[1];
      n += ct_aabbs_meet(tree1.box + 6 * child1[0], tree1.box + 6 * child1[1], s->margin);
      continue;
    }
    // the larger one is taken apart
    bool larger = odd ? odd_surface(box1) > odd_surface(box2) : girth(box1) > girth(box2);
    bool first = e2 >= 0 || (e1 < 0 && larger);
    n = push_children(waiting, n, first ? &tree1 : &tree2, first ? child1 : child2, first ? k : i,
                      first ? box2 : box1, first, s->margin);
  }
  return true;
}

// Finds all pairs and returns how many there are, which may be more than there was room for.
LANE_FN static int list_pairs(const mjModel* m, const mjData* d, const ct_ElementSearch* s,
                              int* pair, int room) {
  PairList list = {0, room, pair};
  if (!s->tree || !walk_trees(m, d, s, &list)) {
    list.count = 0;
    pair_all(m, d, s, &list);
  }
  return list.count;
}

// Order

// Sorts pairs by one of their two numbers, which are below `most`; those with the same one stay as
// they are. start (most + 1) is scratch.
LANE_FN static void sort_by(int* to, const int* from, int count, int which, int* start, int most) {
  for (int i = 0; i <= most; i++) start[i] = 0;
  for (int i = 0; i < count; i++) start[from[2 * i + which] + 1]++;
  for (int i = 0; i < most; i++) start[i + 1] += start[i];
  for (int i = 0; i < count; i++) {
    int at = start[from[2 * i + which]]++;
    to[2 * at] = from[2 * i];
    to[2 * at + 1] = from[2 * i + 1];
  }
}

// By the number `major` (0 or 1) of a pair, then by the other one.
LANE_FN static void sort_pairs(int* pair, int* other, int count, int major, int* start, int most) {
  sort_by(other, pair, count, 1 - major, start, most);
  sort_by(pair, other, count, major, start, most);
}

// In a flex the smaller number of a pair comes first.
LANE_FN static void put_smaller_first(int* pair, int count) {
  for (int i = 0; i < 2 * count; i += 2) {
    int e1 = pair[i], e2 = pair[i + 1];
    pair[i] = e1 < e2 ? e1 : e2;
    pair[i + 1] = e1 < e2 ? e2 : e1;
  }
}

// The axis along which a flex is longest.
LANE_INLINE int longest_axis(const mjModel* m, const mjData* d, int f) {
  const mjtNum* half = d->bvh_aabb_dyn + 6 * (m->flex_bvhadr[f] - m->nbvhstatic) + 3;
  if (half[0] > half[1] && half[0] > half[2]) return 0;
  return half[1] > half[2] ? 1 : 2;
}

// Elements in the order in which a sweep meets them: by the low ends of their boxes in single
// precision, then by number. A merge sort; the result is in elem, `other` and `low` are scratch.
LANE_FN static void sort_elements(const mjModel* m, const mjData* d, int f, int* elem, int* other,
                                  mjtNum* low) {
  int n = m->flex_elemnum[f], axis = longest_axis(m, d, f);
  for (int e = 0; e < n; e++) {
    const mjtNum* box = ct_element_box(m, d, f, e);
    low[e] = (mjtNum)(float)(box[axis] - box[3 + axis]);
    elem[e] = e;
  }
  int *from = elem, *to = other;
  for (int width = 1; width < n; width *= 2) {
    for (int start = 0; start < n; start += 2 * width) {
      int a = start, b = start + width < n ? start + width : n, middle = b;
      int end = b + width < n ? b + width : n;
      for (int at = start; at < end; at++) {
        bool first = a < middle && (b >= end || low[from[a]] <= low[from[b]]);
        to[at] = first ? from[a++] : from[b++];
      }
    }
    int* swapped = from;
    from = to;
    to = swapped;
  }
  for (int i = 0; from != elem && i < n; i++) elem[i] = from[i];
}

typedef struct {
  int *pair, *other;         // (count x 2)
  int* start;                // (elements + 1)
  int *elem, *rank, *spare;  // (elements) for a sweep
  mjtNum* low;
} SortScratch;

// A sweep meets a pair when it meets its later element; pairs of one come in the order of their
// earlier elements.
LANE_FN static void sort_as_swept(const mjModel* m, const mjData* d, int f, const SortScratch* s,
                                  int count) {
  int n = m->flex_elemnum[f];
  sort_elements(m, d, f, s->elem, s->spare, s->low);
  for (int i = 0; i < n; i++) s->rank[s->elem[i]] = i;
  for (int i = 0; i < 2 * count; i++) s->pair[i] = s->rank[s->pair[i]];
  put_smaller_first(s->pair, count);
  sort_pairs(s->pair, s->other, count, 1, s->start, n);
  for (int i = 0; i < 2 * count; i++) s->pair[i] = s->elem[s->pair[i]];
}

// Takes scratch and sorts; false without room.
LANE_FN static bool put_in_order(Lane g, const mjModel* m, mjData* d, const ct_ElementSearch* s,
                                 int* pair, int count) {
  int n1 = m->flex_elemnum[s->f1], n2 = m->flex_elemnum[s->f2], most = n1 > n2 ? n1 : n2;
  bool sweep = s->order == CT_PAIRS_BY_SWEEP;
  SortScratch own = {pair, NULL, NULL, NULL, NULL, NULL, NULL};
  if (s->order == CT_PAIRS_BY_TREE || count == 0) return true;
  if (!lane_mark(g, d)) return false;
  own.other = lane_scratch_int(g, d, 2 * count);
  own.start = lane_scratch_int(g, d, most + 1);
  own.elem = lane_scratch_int(g, d, sweep ? n1 : 1);
  own.rank = lane_scratch_int(g, d, sweep ? n1 : 1);
  own.spare = lane_scratch_int(g, d, sweep ? n1 : 1);
  own.low = lane_scratch_num(g, d, sweep ? n1 : 1);
  bool room = own.other && own.start && own.elem && own.rank && own.spare && own.low;
  LANE_ONCE(g) {
    if (room && sweep) sort_as_swept(m, d, s->f1, &own, count);
    if (room && !sweep) {
      if (s->f1 == s->f2) put_smaller_first(pair, count);
      sort_pairs(pair, own.other, count, 0, own.start, most);
    }
  }
  lane_free(g, d);
  return room;
}

LANE_FN int ct_find_element_pairs(Lane g, const mjModel* m, mjData* d, const ct_ElementSearch* s,
                                  int** pair) {
  int room = PAIRS_PER_ELEMENT * (m->flex_elemnum[s->f1] + 4), count = 0;
  for (int attempt = 0; attempt < 2; attempt++) {
    *pair = lane_scratch_int(g, d, 2 * room);
    if (!*pair) return -1;
    LANE_ANSWER(count, g, list_pairs(m, d, s, *pair, room));
    if (count <= room) return put_in_order(g, m, d, s, *pair, count) ? count : -1;
    room = count;
  }
  return -1;
}
