#include "base/meetings.h"

#include <stdint.h>
#include <string.h>

#include "base/schedule.h"

enum { WORD = 4 };

// Beyond these a step is better off with a search, whose cost does not grow with pairs that are
// far from each other: first of pairs of two trees, then of all.
enum { MOST_GEOMS = 2048, MOST_PAIRS = 2048, MOST_OF_TREES = 32768, MOST_PREDEFINED = 1024 };

// Pairs of geoms at most, without those of two trees.
static size_t pairs_of_trees(const mjModel* m) {
  size_t fixed = 0, inside = 0, pairs = 0;
  for (int b = 0; b < m->nbody; b++) {
    if (m->body_treeid[b] < 0 && m->body_geomnum[b] > 0) fixed += (size_t)m->body_geomnum[b];
  }
  for (int b = 0, tree = -1; b < m->nbody; b++) {
    if (m->body_treeid[b] < 0 || m->body_geomnum[b] <= 0) continue;
    size_t own = (size_t)m->body_geomnum[b];
    if (m->body_treeid[b] != tree) inside = 0;
    tree = m->body_treeid[b];
    pairs += own * (fixed + inside);
    inside += own;
  }
  return pairs;
}

size_t ct_meeting_room(const mjModel* m) {
  if (m->ngeom > MOST_GEOMS || m->npair > MOST_PREDEFINED || m->nbody > 0xffff) return 0;
  size_t most = (size_t)m->ngeom * (size_t)(m->ngeom ? m->ngeom - 1 : 0) / 2;
  if (most > MOST_PAIRS) {
    size_t of_trees = pairs_of_trees(m);
    most = of_trees > MOST_PAIRS && of_trees <= MOST_OF_TREES ? of_trees : MOST_PAIRS;
  }
  return most + (size_t)m->npair;
}

size_t ct_meeting_slots(const mjModel* m) {
  return ct_meeting_room(m) ? (size_t)m->ngeom + (WORD - 1) * ((size_t)m->ntree + 1) : 0;
}

size_t ct_meeting_trees(const mjModel* m) {
  return ct_meeting_room(m) ? 2 * (size_t)m->ntree : 0;
}

size_t ct_meeting_integers(const mjModel* m) {
  size_t count = 0;
#define COUNT_ARRAY(name_, count_) count += (size_t)(count_);
  if (!ct_meeting_room(m)) return 0;
  CT_MEETING_INTEGERS(COUNT_ARRAY)
#undef COUNT_ARRAY
  return count;
}

static int* writable(const int* array) {
  return (int*)(uintptr_t)array;
}

// Models come from files too.
static bool ids_are_good(const mjModel* m) {
  for (int b = 0; b < m->nbody; b++) {
    int first = m->body_geomadr[b], count = m->body_geomnum[b];
    bool good = m->body_weldid[b] >= 0 && m->body_weldid[b] < m->nbody &&
                m->body_parentid[b] >= 0 && m->body_parentid[b] < m->nbody &&
                (count <= 0 || (first >= 0 && first <= m->ngeom - count));
    if (!good) return false;
  }
  for (int k = 0; k < m->npair; k++) {
    int g1 = m->pair_geom1[k], g2 = m->pair_geom2[k];
    bool sorted = !k || (unsigned)m->pair_signature[k - 1] <= (unsigned)m->pair_signature[k];
    if (!sorted || g1 < 0 || g1 >= m->ngeom || g2 < 0 || g2 >= m->ngeom) return false;
  }
  return true;
}

typedef struct {
  int contype, conaffinity;
} Masks;

static Masks masks_of_geoms(const mjModel* m, int b) {
  Masks masks = {0, 0};
  for (int i = 0; i < m->body_geomnum[b]; i++) {
    masks.contype |= m->geom_contype[m->body_geomadr[b] + i];
    masks.conaffinity |= m->geom_conaffinity[m->body_geomadr[b] + i];
  }
  return masks;
}

static bool bodies_can_meet(const mjModel* m, int b1, Masks masks1, int b2) {
  Masks masks2 = masks_of_geoms(m, b2);
  return ct_masks_fit(masks1.contype, masks1.conaffinity, masks2.contype, masks2.conaffinity) &&
         ct_bodies_can_meet(m, b1, b2);
}

// Do trees follow each other, and have they so many bodies that it pays to list pairs within them?
static bool trees_are_worth_it(const mjModel* m) {
  int bodies = 0, trees = 0;
  for (int b = 0, tree = -1; b < m->nbody; b++) {
    if (m->body_treeid[b] < 0 || !ct_body_collides(m, b)) continue;
    if (m->body_treeid[b] < tree || m->body_treeid[b] >= m->ntree) return false;
    bodies++;
    trees += m->body_treeid[b] != tree;
    tree = m->body_treeid[b];
  }
  return bodies >= 2 * trees;
}

typedef struct {
  ct_Meetings* to;
  const mjModel* m;
  bool all_masks;
  bool between;  // are pairs of two trees wanted?
  int room;
  int count;  // more than room: the list is given up
  int predefined;
} Making;

// Geoms are put in order of their types.
static void append(Making* w, int g1, int g2, int how) {
  const mjModel* m = w->m;
  if (!ct_types_collide(m->geom_type[g1], m->geom_type[g2])) return;
  bool swap = m->geom_type[g1] > m->geom_type[g2];
  if (w->count < w->room) {
    writable(w->to->geoms)[w->count] = ct_two_geoms(swap ? g2 : g1, swap ? g1 : g2);
    writable(w->to->how)[w->count] = how;
  }
  w->count++;
}

// Predefined pairs of bodies up to this signature come before its geoms.
static void append_predefined(Making* w, unsigned upto) {
  const mjModel* m = w->m;
  for (; w->predefined < m->npair; w->predefined++) {
    int k = w->predefined;
    if ((unsigned)m->pair_signature[k] > upto) return;
    append(w, m->pair_geom1[k], m->pair_geom2[k], k);
  }
}

static bool geoms_can_meet(const Making* w, unsigned signature, bool by_tree, int g1, int g2) {
  const mjModel* m = w->m;
  bool bare = !ct_geom_collides(m, g1) || !ct_geom_collides(m, g2);
  if (bare && (by_tree || !w->all_masks)) return false;
  if (!w->all_masks && !ct_masks_fit(m->geom_contype[g1], m->geom_conaffinity[g1],
                                     m->geom_contype[g2], m->geom_conaffinity[g2])) {
    return false;
  }
  return !ct_is_predefined(m, signature, g1, g2);
}

// By the number that two geoms are, which is by the first, then by the second. Insertion: bodies
// have few geoms.
static void sort_from(const Making* w, int first) {
  int* geoms = writable(w->to->geoms);
  for (int i = first + 1; i < w->count; i++) {
    int moved = geoms[i], j = i;
    for (; j > first && (unsigned)geoms[j - 1] > (unsigned)moved; j--) geoms[j] = geoms[j - 1];
    geoms[j] = moved;
  }
}

static void append_bodies(Making* w, int b1, int b2) {
  const mjModel* m = w->m;
  unsigned signature = ct_pair_of_bodies(b1, b2);
  bool by_tree = ct_meet_by_tree(m, b1, b2);
  append_predefined(w, signature);
  int first = w->count;
  for (int g1 = m->body_geomadr[b1]; g1 < m->body_geomadr[b1] + m->body_geomnum[b1]; g1++) {
    for (int g2 = m->body_geomadr[b2]; g2 < m->body_geomadr[b2] + m->body_geomnum[b2]; g2++) {
      if (!geoms_can_meet(w, signature, by_tree, g1, g2)) continue;
      append(w, g1, g2, by_tree ? CT_MEET_BY_TREE : CT_MEET_BY_LOOPS);
    }
  }
  if (by_tree && w->count <= w->room) sort_from(w, first);
}

static bool are_wanted(const Making* w, int b1, int b2) {
  int tree1 = w->m->body_treeid[b1], tree2 = w->m->body_treeid[b2];
  return w->between || tree1 == tree2 || tree1 < 0 || tree2 < 0;
}

static int list_all(Making* w) {
  const mjModel* m = w->m;
  for (int b1 = 0; b1 < m->nbody; b1++) {
    if (!ct_body_collides(m, b1)) continue;
    Masks masks1 = masks_of_geoms(m, b1);
    for (int b2 = b1 + 1; b2 < m->nbody; b2++) {
      if (!ct_body_collides(m, b2) || !are_wanted(w, b1, b2)) continue;
      if (!bodies_can_meet(m, b1, masks1, b2)) continue;
      append_bodies(w, b1, b2);
      if (w->count > w->room) return CT_NO_MEETINGS;
    }
  }
  append_predefined(w, ~0u);
  return w->count <= w->room ? w->count : CT_NO_MEETINGS;
}

// Words

typedef struct {
  int slot_of[MOST_GEOMS];           // by geom; -1: it is in no pair
  int start[WORD * MOST_GEOMS + 1];  // where the pairs of each slot begin, by their smaller slots
} Slots;

static int smaller_slot(const Slots* s, int two) {
  int a = s->slot_of[ct_first_geom(two)], b = s->slot_of[ct_second_geom(two)];
  return a < b ? a : b;
}

static int larger_slot(const Slots* s, int two) {
  int a = s->slot_of[ct_first_geom(two)], b = s->slot_of[ct_second_geom(two)];
  return a < b ? b : a;
}

static void give_slot(Slots* s, ct_Meetings* to, int geom) {
  s->slot_of[geom] = to->nslot;
  writable(to->slots)[to->nslot++] = geom;
}

static void fill_word(ct_Meetings* to) {
  int* slots = writable(to->slots);
  for (int i = to->nslot; i % WORD; i++) slots[i] = slots[i - 1];
}

static void give_slots(Slots* s, ct_Meetings* to, int ngeom) {
  for (int i = 0; i < to->count; i++) {
    if (to->how[i] >= 0) continue;
    s->slot_of[ct_first_geom(to->geoms[i])] = s->slot_of[ct_second_geom(to->geoms[i])] = 0;
  }
  for (int geom = 0; geom < ngeom; geom++) {
    if (s->slot_of[geom] >= 0) give_slot(s, to, geom);
  }
  fill_word(to);
}

static void give_slots_to_body(Slots* s, ct_Meetings* to, const mjModel* m, int b) {
  if (!ct_body_collides(m, b)) return;
  for (int i = 0; i < m->body_geomnum[b]; i++) {
    int geom = m->body_geomadr[b] + i;
    if (ct_geom_collides(m, geom)) give_slot(s, to, geom);
  }
}

static void close_word(ct_Meetings* to) {
  fill_word(to);
  to->nslot = (to->nslot + WORD - 1) / WORD * WORD;
}

static void give_slots_to_trees(Slots* s, ct_Meetings* to, const mjModel* m) {
  int* trees = writable(to->trees);
  for (int b = 0; b < m->nbody; b++) {
    if (m->body_treeid[b] < 0) give_slots_to_body(s, to, m, b);
  }
  for (int b = 0, tree = -1; b < m->nbody; b++) {
    if (m->body_treeid[b] < 0) continue;
    if (m->body_treeid[b] != tree) {
      close_word(to);
      trees[2 * to->ntree++] = to->nslot;
      tree = m->body_treeid[b];
    }
    give_slots_to_body(s, to, m, b);
    trees[2 * to->ntree - 1] = to->nslot - trees[2 * to->ntree - 2];
  }
  close_word(to);
}

// Numbers of the pairs in `order`, by their smaller slots; start[s] becomes where those of slot s
// end.
static void order_by_slots(Slots* s, const ct_Meetings* to, int* order) {
  for (int i = 0; i <= to->nslot; i++) s->start[i] = 0;
  for (int i = 0; i < to->count; i++) {
    if (to->how[i] < 0) s->start[smaller_slot(s, to->geoms[i]) + 1]++;
  }
  for (int i = 0; i < to->nslot; i++) s->start[i + 1] += s->start[i];
  for (int i = 0; i < to->count; i++) {
    if (to->how[i] < 0) order[s->start[smaller_slot(s, to->geoms[i])]++] = i;
  }
}

static void set_place(int* places, int at, int place) {
  unsigned shift = 16 * (unsigned)(at % 2), old = (unsigned)places[at / 2];
  places[at / 2] = (int)((old & ~(0xffffu << shift)) | (unsigned)place << shift);
}

// The order lies in `words` itself, which are never more than the pairs that they were made of.
static void arrange_words(ct_Meetings* to, const mjModel* m, bool between) {
  Slots s;
  int *rows = writable(to->rows), *words = writable(to->words), *places = writable(to->places);
  for (int geom = 0; geom < m->ngeom; geom++) s.slot_of[geom] = -1;
  if (between) {
    give_slots(&s, to, (int)m->ngeom);
  } else {
    give_slots_to_trees(&s, to, m);
  }
  order_by_slots(&s, to, words);
  int nword = 0;
  to->nrow = 0;
  for (int slot = 0, k = 0; slot < to->nslot; slot++) {
    int first = nword;
    for (; k < s.start[slot]; k++) {
      int pair = words[k], other = larger_slot(&s, to->geoms[pair]), w = first;
      while (w < nword && words[w] >> WORD != other / WORD) w++;
      if (w == nword) {
        words[nword++] = other / WORD << WORD;
        places[2 * w] = places[2 * w + 1] = 0;
      }
      words[w] |= 1 << other % WORD;
      set_place(places, WORD * w + other % WORD, pair);
    }
    if (nword == first) continue;
    rows[2 * to->nrow] = slot;
    rows[2 * to->nrow++ + 1] = nword;
  }
}

void ct_list_meetings(ct_Meetings* to, const mjModel* m, bool all_masks) {
  to->key = ct_meeting_key(m, all_masks);
  to->count = CT_NO_MEETINGS;
  to->room = (int)ct_meeting_room(m);
  to->nslot = to->nrow = to->ntree = 0;
  if (!to->room) return;
  int* copy = writable(to->integers);
#define COPY_ARRAY(name_, count_)                                     \
  if (count_) memcpy(copy, m->name_, (size_t)(count_) * sizeof(int)); \
  copy += (count_);
  CT_MEETING_INTEGERS(COPY_ARRAY)
#undef COPY_ARRAY
  if (!ids_are_good(m)) return;
  int most = MOST_PAIRS + (int)m->npair;
  Making w = {to, m, all_masks, true, to->room < most ? to->room : most, 0, 0};
  to->count = list_all(&w);
  if (to->count == CT_NO_MEETINGS && !all_masks && trees_are_worth_it(m)) {
    Making apart = {to, m, all_masks, false, to->room, 0, 0};
    w = apart;
    to->count = list_all(&w);
  }
  if (to->count > 0 || (to->count == 0 && !w.between)) arrange_words(to, m, w.between);
}

// Arrays are short, so that calls of memcmp would take longer than the comparison. What differs
// stands in the bits of the answer; the last words may overlap those before them.
typedef int Ints __attribute__((vector_size(16), aligned(4), may_alias));

static inline Ints differences(const int* a, const int* b) {
  return *(const Ints*)a ^ *(const Ints*)b;
}

typedef struct {
  Ints four;
  int one;
} Differences;

static inline void compare_ints(Differences* to, const int* a, const int* b, int n) {
  int i = 0;
  for (; i + 4 <= n; i += 4) to->four |= differences(a + i, b + i);
  if (i == n) return;
  if (i) {
    to->four |= differences(a + n - 4, b + n - 4);
    return;
  }
  for (; i < n; i++) to->one |= a[i] ^ b[i];
}

bool ct_meetings_hold(const ct_Meetings* meetings, const mjModel* m, bool all_masks) {
  const int* copy = meetings->integers;
  Differences differ = {{0, 0, 0, 0}, meetings->key ^ ct_meeting_key(m, all_masks)};
#define COMPARE_ARRAY(name_, count_)                    \
  compare_ints(&differ, copy, m->name_, (int)(count_)); \
  copy += (count_);
  CT_MEETING_INTEGERS(COMPARE_ARRAY)
#undef COMPARE_ARRAY
  return !(differ.one | differ.four[0] | differ.four[1] | differ.four[2] | differ.four[3]);
}
