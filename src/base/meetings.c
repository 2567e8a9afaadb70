#include "base/meetings.h"

#include <stdint.h>
#include <string.h>

#include "base/schedule.h"

// Beyond these a step is better off with a search, whose cost does not grow with pairs that are
// far from each other.
enum { MOST_GEOMS = 512, MOST_PAIRS = 2048, MOST_PREDEFINED = 1024 };

size_t ct_meeting_room(const mjModel* m) {
  if (m->ngeom > MOST_GEOMS || m->npair > MOST_PREDEFINED || m->nbody > 0xffff) return 0;
  size_t most = (size_t)m->ngeom * (size_t)(m->ngeom ? m->ngeom - 1 : 0) / 2;
  return (most < MOST_PAIRS ? most : MOST_PAIRS) + (size_t)m->npair;
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
         ct_masks_fit(m->body_contype[b1], m->body_conaffinity[b1], m->body_contype[b2],
                      m->body_conaffinity[b2]) &&
         !ct_welds_apart(m, b1, b2) && !ct_is_excluded(m, ct_pair_of_bodies(b1, b2));
}

typedef struct {
  ct_Meetings* to;
  const mjModel* m;
  bool all_masks;
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
  if (w->count == first || w->count > w->room) return;
  if (by_tree) sort_from(w, first);
  int* run = writable(w->to->runs) + 2 * w->to->nrun++;
  run[0] = (int)signature;
  run[1] = w->count;
}

static int list_all(Making* w) {
  const mjModel* m = w->m;
  for (int b1 = 0; b1 < m->nbody; b1++) {
    if (!ct_body_collides(m, b1)) continue;
    Masks masks1 = masks_of_geoms(m, b1);
    for (int b2 = b1 + 1; b2 < m->nbody; b2++) {
      if (!ct_body_collides(m, b2) || !bodies_can_meet(m, b1, masks1, b2)) continue;
      append_bodies(w, b1, b2);
      if (w->count > w->room) return CT_NO_MEETINGS;
    }
  }
  append_predefined(w, ~0u);
  return w->count <= w->room ? w->count : CT_NO_MEETINGS;
}

void ct_list_meetings(ct_Meetings* to, const mjModel* m, bool all_masks) {
  Making w = {to, m, all_masks, (int)ct_meeting_room(m), 0, 0};
  to->key = ct_meeting_key(m, all_masks);
  to->count = CT_NO_MEETINGS;
  to->room = w.room;
  to->nrun = 0;
  if (!w.room) return;
  int* copy = writable(to->integers);
#define COPY_ARRAY(name_, count_)                                     \
  if (count_) memcpy(copy, m->name_, (size_t)(count_) * sizeof(int)); \
  copy += (count_);
  CT_MEETING_INTEGERS(COPY_ARRAY)
#undef COPY_ARRAY
  if (ids_are_good(m)) to->count = list_all(&w);
}

bool ct_meetings_hold(const ct_Meetings* meetings, const mjModel* m, bool all_masks) {
  const int* copy = meetings->integers;
  bool same = meetings->key == ct_meeting_key(m, all_masks);
#define COMPARE_ARRAY(name_, count_)                                                     \
  same = same && (!(count_) || !memcmp(copy, m->name_, (size_t)(count_) * sizeof(int))); \
  copy += (count_);
  CT_MEETING_INTEGERS(COMPARE_ARRAY)
#undef COMPARE_ARRAY
  return same;
}
