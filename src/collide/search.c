// Candidates by a search over all bodies, for scenes with too many geoms to list who can meet.
//
// Pairs of bodies are found by axis-aligned boxes around the bounding spheres of their geoms, each
// against each, four at a time; the order comes for free. No tree is walked: a geom is tested
// against the box of the other body before it meets that body's geoms. The set of pairs is that of
// the reference, which sweeps along a principal axis of all geoms and walks trees: all these are
// bounds on the same spheres, which are tested in the end. There is one exception, see sweep.c.

#include "collide/search.h"

#include "base/memory/scratch.h"
#include "base/model/awake.h"
#include "base/model/chain.h"
#include "collide/boxes.h"
#include "collide/pairs.h"

// Bodies of one tree have neighbouring ids and are near each other, so a block of them is bounded
// too.
enum { BLOCK = 8, WORD = CT_BOX_WORD };

typedef struct {  // the bodies that can collide, by increasing id
  int count;
  const int* body;             // (count) ids
  mjtNum* box;                 // (count, in words) endless if no box bounds it
  int *contype, *conaffinity;  // (count) of all geoms together
  int blocks;
  mjtNum* block_box;  // (blocks, in words) around BLOCK neighbours
  int* excluded;      // (nbody) is the body in an exclusion? NULL: not known
  int* geom_start;    // (count) of large bodies: where boxes of their geoms start; -1: small
  mjtNum* geom_box;   // (in words) these boxes
} BodyBoxes;

LANE_FN static void bound_body(const mjModel* m, const mjData* d, BodyBoxes* boxes, int i) {
  int b = boxes->body[i], first = m->body_geomadr[b], end = first + m->body_geomnum[b];
  ct_Box bound = ct_box_around_body(m, d, b);
  int contype = 0, conaffinity = 0;
  for (int geom = first; geom < end; geom++) {
    contype |= m->geom_contype[geom];
    conaffinity |= m->geom_conaffinity[geom];
  }
  ct_set_box(boxes->box, i, &bound);
  boxes->contype[i] = contype;
  boxes->conaffinity[i] = conaffinity;
}

// Boxes around the geoms of a large body; endless for planes.
LANE_FN static void bound_geoms(const mjModel* m, const mjData* d, BodyBoxes* boxes, int i) {
  int b = boxes->body[i];
  if (boxes->geom_start[i] < 0) return;
  for (int k = 0; k < m->body_geomnum[b]; k++) {
    int geom = m->body_geomadr[b] + k;
    ct_Box box = ct_box_in_large_body(m, d, geom);
    ct_set_box(boxes->geom_box + boxes->geom_start[i], k, &box);
  }
}

// Where boxes of geoms of large bodies go; returns how many numbers they take. By all lanes alike.
LANE_FN static int place_geom_boxes(Lane g, const mjModel* m, BodyBoxes* boxes) {
  int size = 0;
  for (int i = 0; i < boxes->count; i++) {
    int n = m->body_geomnum[boxes->body[i]];
    LANE_ONCE(g) {
      boxes->geom_start[i] = n >= CT_LARGE_BODY ? size : -1;
    }
    if (n >= CT_LARGE_BODY) size += CT_BOX_WORD_SIZE * ct_words_of_boxes(n);
  }
  lane_sync(g);
  return size;
}

LANE_FN static void bound_block(BodyBoxes* boxes, int block) {
  int first = block * BLOCK, end = first + BLOCK < boxes->count ? first + BLOCK : boxes->count;
  ct_Box bound = ct_box_at(boxes->box, first);
  for (int i = first + 1; i < end; i++) {
    ct_Box box = ct_box_at(boxes->box, i);
    ct_grow_box(&bound, &box);
  }
  ct_set_box(boxes->block_box, block, &bound);
}

LANE_INLINE bool are_excluded(const mjModel* m, const BodyBoxes* boxes, int b1, int b2) {
  if (!m->nexclude || (boxes->excluded && !(boxes->excluded[b1] && boxes->excluded[b2]))) {
    return false;
  }
  return ct_is_excluded(m, ct_pair_of_bodies(b1, b2));
}

LANE_FN static bool bodies_may_touch(const mjModel* m, const mjData* d, const BodyBoxes* boxes,
                                     int i, int j, bool sleep) {
  int b1 = boxes->body[i], b2 = boxes->body[j];
  return ct_masks_fit(boxes->contype[i], boxes->conaffinity[i], boxes->contype[j],
                      boxes->conaffinity[j]) &&
         ct_masks_fit(m->body_contype[b1], m->body_conaffinity[b1], m->body_contype[b2],
                      m->body_conaffinity[b2]) &&
         !ct_welds_apart(m, b1, b2) && !(sleep && ct_sleep_apart(m, d, b1, b2)) &&
         !are_excluded(m, boxes, b1, b2);
}

// Words of blocks, from that of a block on, that some body of the block could meet.
typedef struct {
  int* word;  // NULL: all
  int count;
} NearWords;

LANE_FN static void find_near_words(const BodyBoxes* boxes, int block, NearWords* near) {
  ct_Box box = ct_box_at(boxes->block_box, block);
  near->count = 0;
  for (int w = block / WORD; w < ct_words_of_boxes(boxes->blocks); w++) {
    if (ct_boxes_met_of(&box, boxes->block_box, w, block, boxes->blocks))
      near->word[near->count++] = w;
  }
}

// Partners of body i among those behind it in a block; those that fit into `room` are written to
// `partner`, behind the first `count`. Returns how many there are with these.
LANE_FN static int block_partners(const mjModel* m, const mjData* d, const BodyBoxes* boxes, int i,
                                  const ct_Box* box, int block, bool sleep, int* partner, int count,
                                  int room) {
  for (int w = block * BLOCK / WORD; w < (block + 1) * BLOCK / WORD; w++) {
    if (WORD * w >= boxes->count || WORD * (w + 1) <= i) continue;
    unsigned met = ct_boxes_met_of(box, boxes->box, w, i + 1, boxes->count);
    for (; met; met &= met - 1) {
      int j = WORD * w + ct_lowest_bit(met);
      if (!bodies_may_touch(m, d, boxes, i, j, sleep)) continue;
      if (count < room) partner[count] = j;
      count++;
    }
  }
  return count;
}

// Partners j > i of body i; the first `room` are written to `partner`. Returns how many there are.
LANE_FN static int body_partners(const mjModel* m, const mjData* d, const BodyBoxes* boxes, int i,
                                 bool sleep, NearWords near, int* partner, int room) {
  ct_Box box = ct_box_at(boxes->box, i);
  int count = 0, block = i / BLOCK;
  for (int n = 0; n < near.count; n++) {
    int w = near.word ? near.word[n] : block / WORD + n;
    unsigned met = ct_boxes_met_of(&box, boxes->block_box, w, block, boxes->blocks);
    for (; met; met &= met - 1) {
      count = block_partners(m, d, boxes, i, &box, WORD * w + ct_lowest_bit(met), sleep, partner,
                             count, room);
    }
  }
  return count;
}

// How the geoms of two bodies are paired.
typedef struct {
  int b1, b2;
  bool by_tree;  // both have trees, and more than one geom: extra box tests, sorted
  bool all_masks, loose;
} BodyPair;

LANE_INLINE BodyPair body_pair(const mjModel* m, int b1, int b2, bool all_masks, bool loose) {
  BodyPair p;
  p.b1 = b1;
  p.b2 = b2;
  p.all_masks = all_masks;
  p.loose = loose;
  p.by_tree = ct_meet_by_tree(m, b1, b2);
  return p;
}

LANE_FN static bool geoms_may_touch(const mjModel* m, const mjData* d, const BodyPair* p, int g1,
                                    int g2) {
  if (!ct_types_collide(m->geom_type[g1], m->geom_type[g2])) return false;
  if (!p->all_masks && !ct_masks_fit(m->geom_contype[g1], m->geom_conaffinity[g1],
                                     m->geom_contype[g2], m->geom_conaffinity[g2])) {
    return false;
  }
  ct_GeomPair pair = {g1, g2, -1};
  mjtNum margin = ct_pair_margin(m, pair);
  if (!ct_spheres_meet(m, d, g1, g2, margin)) return false;
  if (p->by_tree && !(p->loose && ct_is_round_pair(m, g1, g2)) && !ct_geom_boxes_meet(m, d, pair)) {
    return false;
  }
  return !m->npair || !ct_is_predefined(m, ct_pair_of_bodies(p->b1, p->b2), g1, g2);
}

// The geoms of a body that a box may meet: all of a small one, those whose boxes it meets of a
// large one.
typedef struct {
  const mjtNum* words;  // NULL: small
  int count;
  int word;      // that `met` is about
  unsigned met;  // those still to come
} NearGeoms;

LANE_INLINE NearGeoms open_near_geoms(const mjModel* m, const BodyBoxes* boxes, int i) {
  int start = boxes->geom_start[i];
  NearGeoms near = {start < 0 ? NULL : boxes->geom_box + start, m->body_geomnum[boxes->body[i]], -1,
                    0};
  return near;
}

// The next one, as a number within its body; -1: no more.
LANE_INLINE int next_near_geom(NearGeoms* near, const ct_Box* box) {
  while (near->met == 0) {
    if (++near->word >= ct_words_of_boxes(near->count)) return -1;
    int left = near->count - WORD * near->word;
    near->met = near->words    ? ct_boxes_met_of(box, near->words, near->word, 0, near->count)
                : left >= WORD ? (1u << WORD) - 1
                               : (1u << left) - 1;
  }
  int bit = ct_lowest_bit(near->met);
  near->met &= near->met - 1;
  return WORD * near->word + bit;
}

LANE_INLINE bool pair_precedes(ct_GeomPair a, ct_GeomPair b) {
  return a.geom1 != b.geom1 ? a.geom1 < b.geom1 : a.geom2 < b.geom2;
}

// Insertion: such lists are short and nearly in order.
LANE_FN static void sort_pairs(ct_GeomPair* pair, int count) {
  for (int i = 1; i < count; i++) {
    ct_GeomPair p = pair[i];
    int j = i;
    for (; j > 0 && pair_precedes(p, pair[j - 1]); j--) pair[j] = pair[j - 1];
    pair[j] = p;
  }
}

typedef struct {  // pairs of geoms of two bodies
  ct_GeomPair* pair;
  int count, room;  // how many there are; so many are written
} FoundPairs;

LANE_FN static inline void try_geoms(const mjModel* m, const mjData* d, const BodyPair* p, int g1,
                                     int g2, FoundPairs* to) {
  if (!geoms_may_touch(m, d, p, g1, g2)) return;
  if (to->count < to->room) to->pair[to->count] = ct_ordered_pair(m, g1, g2, -1);
  to->count++;
}

LANE_FN static inline void pair_small_bodies(const mjModel* m, const mjData* d,
                                             const BodyBoxes* boxes, const BodyPair* p, int j,
                                             bool skip_bare, FoundPairs* to) {
  int first1 = m->body_geomadr[p->b1], end1 = first1 + m->body_geomnum[p->b1];
  int first2 = m->body_geomadr[p->b2], end2 = first2 + m->body_geomnum[p->b2];
  bool many = end2 - first2 > 1;
  ct_Box body2;
  if (many) body2 = ct_box_at(boxes->box, j);
  for (int g1 = first1; g1 < end1; g1++) {
    if (skip_bare && !ct_geom_collides(m, g1)) continue;
    if (many && !ct_geom_near_body(m, d, &body2, g1)) continue;
    for (int g2 = first2; g2 < end2; g2++) {
      if (!skip_bare || ct_geom_collides(m, g2)) try_geoms(m, d, p, g1, g2, to);
    }
  }
}

// The same if one of the bodies is large.
LANE_FN static void pair_large_bodies(const mjModel* m, const mjData* d, const BodyBoxes* boxes,
                                      const BodyPair* p, int i, int j, bool skip_bare,
                                      FoundPairs* to) {
  ct_Box body2 = ct_box_at(boxes->box, j);
  NearGeoms near1 = open_near_geoms(m, boxes, i);
  for (int k1 = next_near_geom(&near1, &body2); k1 >= 0; k1 = next_near_geom(&near1, &body2)) {
    int g1 = m->body_geomadr[p->b1] + k1;
    if (skip_bare && !ct_geom_collides(m, g1)) continue;
    ct_Box box1 = ct_box_in_large_body(m, d, g1);
    if (ct_boxes_apart(&box1, &body2)) continue;
    NearGeoms near2 = open_near_geoms(m, boxes, j);
    for (int k2 = next_near_geom(&near2, &box1); k2 >= 0; k2 = next_near_geom(&near2, &box1)) {
      int g2 = m->body_geomadr[p->b2] + k2;
      if (!skip_bare || ct_geom_collides(m, g2)) try_geoms(m, d, p, g1, g2, to);
    }
  }
}

// Pairs of geoms of bodies i < j; the first `room` are written to `pair`. Returns how many there
// are.
LANE_FN static int geom_partners(const mjModel* m, const mjData* d, const BodyBoxes* boxes, int i,
                                 int j, bool all_masks, bool loose, ct_GeomPair* pair, int room) {
  BodyPair p = body_pair(m, boxes->body[i], boxes->body[j], all_masks, loose);
  FoundPairs found = {pair, 0, room};
  bool skip_bare = p.by_tree || !all_masks;
  if (boxes->geom_start[i] < 0 && boxes->geom_start[j] < 0) {
    pair_small_bodies(m, d, boxes, &p, j, skip_bare, &found);
  } else {
    pair_large_bodies(m, d, boxes, &p, i, j, skip_bare, &found);
  }
  if (p.by_tree && found.count <= room) sort_pairs(pair, found.count);
  return found.count;
}

// One lane marks the bodies that exclusions name, so that most pairs need not go through all of
// them. False: signatures do not say which these are.
LANE_FN static bool mark_excluded(const mjModel* m, int* excluded) {
  int nbody = (int)m->nbody;
  if (nbody > 1 << 16) return false;
  for (int b = 0; b < nbody; b++) excluded[b] = 0;
  for (int k = 0; k < m->nexclude; k++) {
    int first = ct_first_body(m->exclude_signature[k]);
    int second = ct_second_body(m->exclude_signature[k]);
    if (first >= nbody || second >= nbody) continue;
    excluded[first] = excluded[second] = 1;
  }
  return true;
}

// Ids of the bodies with a collision bit, in scratch.
LANE_FN static bool collect_bodies(Lane g, const mjModel* m, mjData* d, BodyBoxes* boxes) {
  int nbody = (int)m->nbody;
  int* ints = lane_scratch_int(g, d, 6 * nbody);
  if (!ints) return false;
  int *body = ints, *place = ints + nbody;
  LANE_FOR(b, g, nbody) {
    place[b] = ct_body_collides(m, b);
  }
  lane_sync(g);
  boxes->count = lane_scan(g, place, place, nbody);
  LANE_FOR(b, g, nbody) {
    int next = b + 1 < nbody ? place[b + 1] : boxes->count;
    if (next > place[b]) body[place[b]] = b;
  }
  lane_sync(g);
  boxes->body = body;
  boxes->contype = ints + 2 * nbody;
  boxes->conaffinity = ints + 3 * nbody;
  boxes->geom_start = ints + 4 * nbody;
  bool marked = lane_count(g) == 1 && mark_excluded(m, ints + 5 * nbody);
  boxes->excluded = marked ? ints + 5 * nbody : NULL;
  return true;
}

LANE_FN static bool bound_bodies(Lane g, const mjModel* m, mjData* d, BodyBoxes* boxes) {
  if (!collect_bodies(g, m, d, boxes)) return false;
  boxes->blocks = (boxes->count + BLOCK - 1) / BLOCK;
  int words = ct_words_of_boxes(boxes->count);
  int blocks = ct_words_of_boxes(boxes->blocks), of_geoms = place_geom_boxes(g, m, boxes);
  boxes->box = lane_scratch_num(g, d, CT_BOX_WORD_SIZE * (words + blocks) + of_geoms);
  if (!boxes->box) return false;
  boxes->block_box = boxes->box + CT_BOX_WORD_SIZE * words;
  boxes->geom_box = boxes->block_box + CT_BOX_WORD_SIZE * blocks;
  LANE_FOR(i, g, boxes->count) {
    bound_body(m, d, boxes, i);
    bound_geoms(m, d, boxes, i);
  }
  lane_sync(g);
  LANE_FOR(block, g, boxes->blocks) {
    bound_block(boxes, block);
  }
  lane_sync(g);
  return true;
}

typedef struct {  // pairs of bodies, indices into BodyBoxes, ordered
  int *first, *second;
  int count, room;
  int* start;  // (bodies) where the pairs of each first body begin
} BodyPairs;

LANE_FN static bool body_pair_room(Lane g, mjData* d, const BodyBoxes* boxes, BodyPairs* pairs,
                                   int room) {
  pairs->room = room;
  pairs->first = lane_scratch_int(g, d, 2 * room + boxes->count);
  pairs->second = pairs->first + room;
  pairs->start = pairs->second + room;
  return pairs->first != NULL;
}

LANE_FN static bool find_body_pairs(Lane g, const mjModel* m, mjData* d, const BodyBoxes* boxes,
                                    BodyPairs* pairs) {
  bool sleep = ct_some_asleep(m, d);
  if (!body_pair_room(g, d, boxes, pairs, 8 * boxes->count)) return false;
  int* start = pairs->start;
  LANE_FOR(i, g, boxes->count) {
    NearWords all = {NULL, ct_words_of_boxes(boxes->blocks) - i / BLOCK / WORD};
    start[i] = body_partners(m, d, boxes, i, sleep, all, NULL, 0);
  }
  lane_sync(g);
  pairs->count = lane_scan(g, start, start, boxes->count);
  if (pairs->count > pairs->room) {
    if (!body_pair_room(g, d, boxes, pairs, pairs->count)) return false;
  }
  LANE_FOR(i, g, boxes->count) {
    int end = i + 1 < boxes->count ? start[i + 1] : pairs->count;
    NearWords all = {NULL, ct_words_of_boxes(boxes->blocks) - i / BLOCK / WORD};
    body_partners(m, d, boxes, i, sleep, all, pairs->second + start[i], end - start[i]);
    for (int p = start[i]; p < end; p++) pairs->first[p] = i;
  }
  lane_sync(g);
  return true;
}

// Predefined pairs of bodies up to this signature come before its geoms. k: so many do for sure.
LANE_FN static int predefined_upto(const mjModel* m, unsigned signature, int k) {
  while (k < m->npair && (unsigned)m->pair_signature[k] <= signature) k++;
  return k;
}

// A predefined pair passes the sphere test alone. Those that do not are left out by a negative
// geom.
LANE_INLINE ct_GeomPair predefined_pair(const mjModel* m, const mjData* d, int k) {
  ct_GeomPair p = ct_ordered_pair(m, m->pair_geom1[k], m->pair_geom2[k], k);
  bool apart = ct_predefined_asleep(m, d, k) ||
               !ct_types_collide(m->geom_type[p.geom1], m->geom_type[p.geom2]) ||
               !ct_spheres_meet(m, d, p.geom1, p.geom2, ct_pair_margin(m, p));
  if (apart) p.geom1 = -1;
  return p;
}

// Each predefined pair goes behind the geoms of all bodies with a smaller signature. start[p] is
// where the geoms of body pair p begin among all geom pairs.
LANE_FN static void place_predefined(Lane g, const mjModel* m, const mjData* d,
                                     const BodyBoxes* boxes, const BodyPairs* bodies,
                                     const int* start, int dynamic, ct_GeomPair* pair) {
  LANE_FOR(k, g, m->npair) {
    int before = dynamic;
    for (int p = bodies->count - 1; p >= 0; p--) {
      unsigned signature =
          ct_pair_of_bodies(boxes->body[bodies->first[p]], boxes->body[bodies->second[p]]);
      if (signature < (unsigned)m->pair_signature[k]) break;
      before = start[p];
    }
    pair[k + before] = predefined_pair(m, d, k);
  }
}

LANE_FN static ct_PairList find_geom_pairs(Lane g, const mjModel* m, mjData* d,
                                           const BodyBoxes* boxes, const BodyPairs* bodies,
                                           bool all_masks) {
  ct_PairList list = {NULL, 0};
  int* start = lane_scratch_int(g, d, bodies->count);
  if (!start) return list;
  LANE_FOR(p, g, bodies->count) {
    start[p] =
        geom_partners(m, d, boxes, bodies->first[p], bodies->second[p], all_masks, false, NULL, 0);
  }
  lane_sync(g);
  int dynamic = lane_scan(g, start, start, bodies->count);
  list.count = dynamic + (int)m->npair;
  list.pair = (ct_GeomPair*)lane_scratch_int(g, d, 3 * list.count);
  if (!list.pair) return list;
  LANE_FOR(p, g, bodies->count) {
    int end = p + 1 < bodies->count ? start[p + 1] : dynamic;
    if (end == start[p]) continue;
    int b1 = boxes->body[bodies->first[p]], b2 = boxes->body[bodies->second[p]];
    int before = m->npair ? predefined_upto(m, ct_pair_of_bodies(b1, b2), 0) : 0;
    geom_partners(m, d, boxes, bodies->first[p], bodies->second[p], all_masks, false,
                  list.pair + start[p] + before, end - start[p]);
  }
  if (m->npair) place_predefined(g, m, d, boxes, bodies, start, dynamic, list.pair);
  lane_sync(g);
  return list;
}

// How lists are made: several lanes count what each finds, then know where it goes and find it
// again. One lane finds everything in order and appends it to a list that grows.

typedef struct {
  ct_PairList list;
  int room;
  int predefined;  // so many of these are in the list
} GrowingList;

LANE_FN static bool make_room(Lane g, mjData* d, GrowingList* to, int more) {
  if (to->list.pair && to->list.count + more <= to->room) return true;
  int room = 2 * to->room + more;
  ct_GeomPair* pair = (ct_GeomPair*)lane_scratch_int(g, d, 3 * room);
  if (!pair) return false;
  for (int i = 0; i < to->list.count; i++) pair[i] = to->list.pair[i];
  to->list.pair = pair;
  to->room = room;
  return true;
}

LANE_FN static bool append_predefined(Lane g, const mjModel* m, mjData* d, GrowingList* to,
                                      int upto) {
  for (; to->predefined < upto; to->predefined++) {
    if (!make_room(g, d, to, 1)) return false;
    to->list.pair[to->list.count++] = predefined_pair(m, d, to->predefined);
  }
  return true;
}

LANE_FN static bool append_geom_pairs(Lane g, const mjModel* m, mjData* d, const BodyBoxes* boxes,
                                      int i, int j, bool all_masks, bool loose, GrowingList* to) {
  if (to->predefined < m->npair) {
    unsigned signature = ct_pair_of_bodies(boxes->body[i], boxes->body[j]);
    int upto = predefined_upto(m, signature, to->predefined);
    if (!append_predefined(g, m, d, to, upto)) return false;
  }
  for (;;) {
    int left = to->room - to->list.count;
    int found =
        geom_partners(m, d, boxes, i, j, all_masks, loose, to->list.pair + to->list.count, left);
    if (found <= left) {
      to->list.count += found;
      return true;
    }
    if (!make_room(g, d, to, found)) return false;
  }
}

// All pairs on one lane.
LANE_FN static ct_PairList append_all_pairs(Lane g, const mjModel* m, mjData* d,
                                            const BodyBoxes* boxes, bool all_masks, bool loose) {
  GrowingList to = {{NULL, 0}, 0, 0};
  const ct_PairList none = {NULL, 0};
  bool sleep = ct_some_asleep(m, d);
  int* partner = lane_scratch_int(g, d, 2 * boxes->count);
  if (!partner || !make_room(g, d, &to, 4 * boxes->count + (int)m->npair)) return none;
  NearWords near = {partner + boxes->count, 0};
  for (int i = 0; i < boxes->count; i++) {
    if (i % BLOCK == 0) find_near_words(boxes, i / BLOCK, &near);
    int found = body_partners(m, d, boxes, i, sleep, near, partner, boxes->count);
    for (int p = 0; p < found; p++) {
      if (!append_geom_pairs(g, m, d, boxes, i, partner[p], all_masks, loose, &to)) return none;
    }
  }
  return append_predefined(g, m, d, &to, (int)m->npair) ? to.list : none;
}

LANE_FN static ct_PairList find_all_pairs(Lane g, const mjModel* m, mjData* d,
                                          const BodyBoxes* boxes, bool all_masks) {
  const ct_PairList none = {NULL, 0};
  BodyPairs bodies;
  if (!find_body_pairs(g, m, d, boxes, &bodies)) return none;
  return find_geom_pairs(g, m, d, boxes, &bodies, all_masks);
}

LANE_FN ct_PairList ct_search_pairs(Lane g, const mjModel* m, mjData* d, bool all_masks,
                                    bool loose) {
  const ct_PairList none = {NULL, 0};
  BodyBoxes boxes;
  if (!bound_bodies(g, m, d, &boxes)) return none;
  return lane_count(g) == 1 ? append_all_pairs(g, m, d, &boxes, all_masks, loose)
                            : find_all_pairs(g, m, d, &boxes, all_masks);
}
