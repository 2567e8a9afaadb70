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
//
// Where everything lies in one point, all pairs are near, and their number is the square of that of
// the elements. A list that would take more than its share of the arena is made piece by piece: the
// walk is repeated for each piece and leaves out what belongs to the others. Pieces are cut where
// the order allows it, so that neither contacts nor their order depend on the memory.

#include "soft/element_pairs.h"

#include <limits.h>

#include "base/memory/scratch.h"

enum {
  PAIRS_WAITING = 256,     // trees are halved at every level: this is four times their depth
  PAIRS_PER_ELEMENT = 16,  // room that is tried first
  LONGEST_LIST = 1 << 28,
  SHARE_OF_FREE = 4,  // a list takes no more than this part of the free arena; contacts need it too
};

typedef struct {  // what becomes of pairs that are found
  int count;      // of those that count
  int room;
  int* pair;        // (room x 2)
  int* tally;       // (elements) pairs of every key, NULL: not asked for
  const int* rank;  // (elements) of a sweep, NULL: elements are keys themselves
  bool some;        // pairs of keys from `low` on, below `high`, are the only ones that count
  bool own;         // both elements are of one flex
  bool as_found;    // a pair's place in the walk is its key
  int low, high;
  int seen;  // by the walk so far
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

// By which pairs are ordered first: the later element of a sweep, the smaller one of a flex, or the
// first one.
LANE_INLINE int key_of_pair(const PairList* list, int e1, int e2) {
  if (list->as_found) return list->seen;
  if (list->rank) return list->rank[e1] > list->rank[e2] ? list->rank[e1] : list->rank[e2];
  return list->own && e2 < e1 ? e2 : e1;
}

// Counts a pair that may not count at all.
LANE_INLINE bool belongs_to_piece(PairList* list, int e1, int e2) {
  int key = key_of_pair(list, e1, e2);
  list->seen += list->seen < INT_MAX;
  if (list->tally) list->tally[key]++;
  return key >= list->low && key < list->high;
}

// Counts a pair, and stores it if there is room.
LANE_INLINE void list_pair(PairList* list, int e1, int e2) {
  if (list->some && !belongs_to_piece(list, e1, e2)) return;
  if (list->count < list->room) {
    list->pair[2 * list->count] = e1;
    list->pair[2 * list->count + 1] = e2;
  }
  list->count += list->count < INT_MAX;
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

// Finds pairs; their number may be larger than the room for them.
LANE_FN static int list_pairs(const mjModel* m, const mjData* d, const ct_ElementSearch* s,
                              PairList* list) {
  list->count = list->seen = 0;
  if (!s->tree || !walk_trees(m, d, s, list)) {
    list->count = list->seen = 0;
    pair_all(m, d, s, list);
  }
  return list->count;
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

// Where elements stand in a sweep.
LANE_FN static void rank_elements(const mjModel* m, const mjData* d, int f, ct_PairPieces* p) {
  sort_elements(m, d, f, p->elem, p->spare, p->low);
  for (int i = 0; i < m->flex_elemnum[f]; i++) p->rank[p->elem[i]] = i;
}

// A sweep meets a pair when it meets its later element; pairs of one come in the order of their
// earlier elements.
LANE_FN static void put_in_order(const ct_ElementSearch* s, const ct_PairPieces* p, int count) {
  bool sweep = s->order == CT_PAIRS_BY_SWEEP;
  if (s->order == CT_PAIRS_BY_TREE) return;
  for (int i = 0; sweep && i < 2 * count; i++) p->pair[i] = p->rank[p->pair[i]];
  if (s->f1 == s->f2) put_smaller_first(p->pair, count);
  sort_pairs(p->pair, p->other, count, sweep, p->start, p->elements);
  for (int i = 0; sweep && i < 2 * count; i++) p->pair[i] = p->elem[p->pair[i]];
}

// Pieces

// How many pairs a list may have now, with as much room again to sort them.
LANE_FN static int share_of_pairs(const mjData* d) {
  size_t pairs = ct_arena_free_bytes(d) / (SHARE_OF_FREE * 4 * sizeof(int));
  return pairs < LONGEST_LIST ? (int)pairs : LONGEST_LIST;
}

LANE_INLINE PairList list_of(const ct_ElementSearch* s, const ct_PairPieces* p) {
  PairList list = {0, p->room, p->pair, NULL, NULL, false, s->f1 == s->f2, false, 0, 0, 0};
  list.rank = s->order == CT_PAIRS_BY_SWEEP ? p->rank : NULL;
  list.as_found = s->order == CT_PAIRS_BY_TREE;
  return list;
}

LANE_FN static int find_all(const mjModel* m, const mjData* d, const ct_ElementSearch* s,
                            const ct_PairPieces* p) {
  PairList list = list_of(s, p);
  return list_pairs(m, d, s, &list);
}

// Counts the pairs of every key; returns how many the fullest has.
LANE_FN static int tally_pairs(const mjModel* m, const mjData* d, const ct_ElementSearch* s,
                               const ct_PairPieces* p) {
  PairList list = list_of(s, p);
  int most = 0;
  for (int k = 0; k < p->elements; k++) p->tally[k] = 0;
  list.some = true;
  list.tally = p->tally;
  list_pairs(m, d, s, &list);
  for (int k = 0; k < p->elements; k++) most = p->tally[k] > most ? p->tally[k] : most;
  return most;
}

// Where the piece that begins with key p->next ends.
LANE_FN static int end_of_piece(const ct_ElementSearch* s, const ct_PairPieces* p) {
  int high = p->next, room = p->room;
  if (s->order == CT_PAIRS_BY_TREE) return p->last - high < room ? p->last : high + room;
  while (high < p->last && p->tally[high] <= room) room -= p->tally[high++];
  return high;
}

// Lists the pairs of keys from p->next on, and puts them in order.
LANE_FN static int list_piece(const mjModel* m, const mjData* d, const ct_ElementSearch* s,
                              const ct_PairPieces* p, int high) {
  PairList list = list_of(s, p);
  list.some = true;
  list.low = p->next;
  list.high = high;
  int count = list_pairs(m, d, s, &list);
  put_in_order(s, p, count);
  return count;
}

// Takes what sorting by keys needs; false without room.
LANE_FN static bool take_keys(Lane g, const mjModel* m, mjData* d, const ct_ElementSearch* s,
                              ct_PairPieces* p) {
  if (s->order == CT_PAIRS_BY_TREE) return true;
  p->start = lane_scratch_int(g, d, p->elements + 1);
  if (s->order == CT_PAIRS_BY_NUMBER) return p->start != NULL;
  p->elem = lane_scratch_int(g, d, p->elements);
  p->rank = lane_scratch_int(g, d, p->elements);
  p->spare = lane_scratch_int(g, d, p->elements);
  p->low = lane_scratch_num(g, d, p->elements);
  bool room = p->start && p->elem && p->rank && p->spare && p->low;
  LANE_ONCE(g) {
    if (room) rank_elements(m, d, s->f1, p);
  }
  lane_sync(g);
  return room;
}

// Takes a list, if `again` also as much to sort it into; false without room.
LANE_FN static bool take_list(Lane g, mjData* d, ct_PairPieces* p, int room, bool again) {
  p->room = room;
  p->pair = p->other = lane_scratch_int(g, d, 2 * room);
  if (p->pair && again) p->other = lane_scratch_int(g, d, 2 * room);
  return p->pair && p->other;
}

// The list is made whole.
LANE_FN static bool sort_whole(Lane g, const mjModel* m, mjData* d, const ct_ElementSearch* s,
                               ct_PairPieces* p) {
  if (s->order == CT_PAIRS_BY_TREE || p->total == 0) return true;
  p->other = lane_scratch_int(g, d, 2 * p->total);
  if (!p->other || !take_keys(g, m, d, s, p)) return false;
  LANE_ONCE(g) {
    put_in_order(s, p, p->total);
  }
  lane_sync(g);
  return true;
}

// The list is made in pieces of at most `share` pairs, or as many as the fullest key has.
LANE_FN static bool cut_in_pieces(Lane g, const mjModel* m, mjData* d, const ct_ElementSearch* s,
                                  ct_PairPieces* p, int share) {
  bool keys = s->order != CT_PAIRS_BY_TREE;
  int most = 1;
  p->last = p->total;
  if (keys) {
    p->last = p->elements;
    p->tally = lane_scratch_int(g, d, p->elements);
    if (!p->tally || !take_keys(g, m, d, s, p)) return false;
    LANE_ANSWER(most, g, tally_pairs(m, d, s, p));
  }
  return take_list(g, d, p, share > most ? share : most, keys);
}

#if LANE_WIDTH > 1

// The sweep itself, on one lane, for lines and triangles of a flex with itself: elements in order
// of their low ends against those that begin before they end, four at a time. The walk finds the
// same pairs and takes three times as long for a sheet of 500 triangles; its time grows with their
// number, that of the sweep with its power 1.5.

enum { MOST_SWEPT = 4096 };

typedef int FourInts __attribute__((vector_size(4 * sizeof(int)), aligned(sizeof(int)), may_alias));

typedef struct {   // elements by rank; words may reach past the last
  mjtNum* box[6];  // centre and half size
  int* body[3];    // of the corners
  int corners;     // 0: bodies do not matter
} Swept;

static bool take_swept(Lane g, const mjModel* m, mjData* d, int f, const int* elem, Swept* w) {
  int n = m->flex_elemnum[f], room = n + LANE_WIDTH;
  mjtNum* box = lane_scratch_num(g, d, 6 * room);
  int* body = lane_scratch_int(g, d, 3 * room);
  if (!box || !body) return false;
  w->corners = m->flex_interp[f] ? 0 : m->flex_dim[f] + 1;
  for (int k = 0; k < 6; k++) w->box[k] = box + k * room;
  for (int k = 0; k < 3; k++) w->body[k] = body + k * room;
  for (int i = 0; i < room; i++) {
    int e = elem[i < n ? i : n - 1];
    const mjtNum* from = ct_element_box(m, d, f, e);
    for (int k = 0; k < 6; k++) w->box[k][i] = from[k];
    for (int k = 0; k < w->corners; k++) {
      w->body[k][i] = ct_vertex_body(m, f, ct_element(m, f, e)[k]);
    }
  }
  return true;
}

// Which of four elements from k on come near element i, by ct_aabbs_meet.
static inline unsigned near_four(const Swept* w, int i, int k, mjtNum margin) {
  WideMask apart = {0, 0, 0, 0};
  for (int axis = 0; axis < 3; axis++) {
    const mjtNum *centre = w->box[axis], *half = w->box[3 + axis];
    Wide away = wide_all(centre[i]) - wide_load(centre + k);
    Wide reach = wide_all(half[i]) + wide_load(half + k) + wide_all(margin);
    apart |= (away > reach) | (-away > reach);
  }
  return ~wide_bits(apart) & 15u;
}

// Which of them have a body in common with it.
static inline unsigned tied_four(const Swept* w, int i, int k) {
  FourInts same = {0, 0, 0, 0};
  for (int a = 0; a < w->corners; a++) {
    for (int b = 0; b < w->corners; b++) {
      same |= *(const FourInts*)(w->body[b] + k) == w->body[a][i];
    }
  }
  return (unsigned)((same[0] & 1) | (same[1] & 2) | (same[2] & 4) | (same[3] & 8));
}

// False where a bad number is among them.
static bool are_in_order(const ct_PairPieces* p, int n) {
  bool good = true;
  for (int i = 0; i + 1 < n; i++) good &= p->low[p->elem[i]] <= p->low[p->elem[i + 1]];
  return good;
}

// Lists pairs by rank, the earlier element first.
static int sweep(const mjModel* m, const ct_ElementSearch* s, const ct_PairPieces* p,
                 const Swept* w, int axis) {
  PairList list = list_of(s, p);
  int n = m->flex_elemnum[s->f1];
  for (int i = 0; i < n; i++) {
    mjtNum centre = w->box[axis][i], half = w->box[3 + axis][i];
    mjtNum end = centre + half + s->margin + (mjtNum)1e-6 * (ct_abs(centre) + half);
    for (int k = i + 1; k < n && p->low[p->elem[k]] <= end; k += 4) {
      unsigned near = near_four(w, i, k, s->margin);
      if (n - k < 4) near &= (1u << (n - k)) - 1;
      if (near) near &= ~tied_four(w, i, k);
      for (; near; near &= near - 1) list_pair(&list, i, k + lane_lowest_bit(near));
    }
  }
  return list.count;
}

// In the order of put_in_order.
static void order_swept(ct_PairPieces* p) {
  sort_by(p->other, p->pair, p->total, 1, p->start, p->elements);
  for (int i = 0; i < 2 * p->total; i++) p->pair[i] = p->elem[p->other[i]];
}

// False if the list is not made so.
static bool list_by_sweep(Lane g, const mjModel* m, mjData* d, const ct_ElementSearch* s,
                          ct_PairPieces* p) {
  Swept w;
  bool fits = s->order == CT_PAIRS_BY_SWEEP && s->f1 == s->f2 && m->flex_dim[s->f1] < 3 &&
              p->elements <= MOST_SWEPT;
  if (!fits || !take_keys(g, m, d, s, p) || !are_in_order(p, m->flex_elemnum[s->f1])) return false;
  if (!take_swept(g, m, d, s->f1, p->elem, &w)) return false;
  p->total = sweep(m, s, p, &w, longest_axis(m, d, s->f1));
  if (p->total > p->room) return false;
  if (p->total == 0) return true;
  p->other = lane_scratch_int(g, d, 2 * p->total);
  if (!p->other) return false;
  order_swept(p);
  return true;
}

#endif

LANE_FN bool ct_start_element_pairs(Lane g, const mjModel* m, mjData* d, const ct_ElementSearch* s,
                                    ct_PairPieces* p) {
  int n1 = m->flex_elemnum[s->f1], n2 = m->flex_elemnum[s->f2], share;
  int first = PAIRS_PER_ELEMENT * (n1 + 4);
  ct_PairPieces none = {0};
  *p = none;
  p->elements = n1 > n2 ? n1 : n2;
  lane_sync(g);
  LANE_ANSWER(share, g, share_of_pairs(d));
  if (!take_list(g, d, p, first < share ? first : share, false)) return false;
#if LANE_WIDTH > 1
  if (lane_count(g) == 1 && list_by_sweep(g, m, d, s, p)) {
    p->last = 1;
    p->whole = true;
    return true;
  }
#endif
  LANE_ANSWER(p->total, g, find_all(m, d, s, p));
  if (p->total > share) return cut_in_pieces(g, m, d, s, p, share);
  p->last = 1;
  p->whole = true;
  if (p->total > p->room) {
    if (!take_list(g, d, p, p->total, false)) return false;
    LANE_ANSWER(p->total, g, find_all(m, d, s, p));
  }
  return sort_whole(g, m, d, s, p);
}

LANE_FN bool ct_next_element_pairs(Lane g, const mjModel* m, const mjData* d,
                                   const ct_ElementSearch* s, ct_PairPieces* p) {
  int high;
  if (p->next >= p->last) return false;
  if (p->whole) {
    p->count = p->total;
    p->next = p->last;
    return true;
  }
  lane_sync(g);
  LANE_ANSWER(high, g, end_of_piece(s, p));
  LANE_ANSWER(p->count, g, list_piece(m, d, s, p, high));
  p->next = high;
  return true;
}
