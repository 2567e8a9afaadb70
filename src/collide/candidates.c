// Broad and mid phase: from all geoms to the pairs worth a closer look.
//
//   in    geom_xpos (ngeom x 3), geom_xmat (ngeom x 9), body_awake (nbody)
//   out   pairs of geoms, type of the first <= type of the second
//
// Contacts have a defined order: by the two bodies, smaller id first; of two bodies first the
// predefined pairs, then pairs of geoms. Where both bodies have bounding volume trees the latter
// are sorted by geom, after the two have been put in order of their types; else they come as two
// nested loops over the geoms of the bodies.
//
// The schedule lists who can meet, in that order (base/meetings.h). All bounding spheres are tested
// first, a pair per lane; what sleeps and what boxes keep apart is asked of the few that are left.
// Large scenes have no list: search.c finds the same pairs there. One lane gathers the spheres
// first where the list is long, passes over pairs of bodies whose boxes are apart, and asks exactly
// only about pairs that are so near to touching that rounding decides.

#include "collide/candidates.h"

#include <stdint.h>

#include "base/meetings.h"
#include "base/memory/scratch.h"
#include "collide/bounds.h"
#include "collide/search.h"
#include "collide/spheres.h"
#include "collide/sweep.h"
#include "collide/trees.h"
#include "math/mat.h"

#ifndef __CUDACC__

enum { AXES_APART, AXES_MEET, AXES_UNCLEAR };

// The word that begins with the three numbers behind the first; its last place is anything.
LANE_INLINE Wide three_behind(const mjtNum* first) {
  Wide x = wide_load(first);
  return __builtin_shufflevector(x, x, 1, 2, 3, 3);
}

// The three axes of box 1 at once, in its own coordinates: S_j is axis j of box 2, and centre 2 is
// at S box2 + mat1' (pos2 - pos1). Clear is what neither rounding nor a matrix that does more than
// turn could change; where sides have no end, nothing is. Only three places of a word count.
LANE_INLINE int ask_axes(const mjtNum box1[6], const mjtNum pos1[3], const mjtNum mat1[9],
                         const mjtNum box2[6], const mjtNum pos2[3], const mjtNum mat2[9],
                         mjtNum margin) {
  const Wide row[3] = {wide_load(mat1), wide_load(mat1 + 3), three_behind(mat1 + 5)};
  const Wide little = wide_all(sizeof(mjtNum) == 4 ? (mjtNum)1e-5 : (mjtNum)1e-9);
  Wide along = wide_sub(wide_all(0), wide_load(box1)), reach = three_behind(box1 + 2);
  Wide length = wide_all(0), far = wide_all(margin);
  for (int j = 0; j < 3; j++) {
    Wide S = row[0] * wide_all(mat2[j]) + row[1] * wide_all(mat2[3 + j]) +
             row[2] * wide_all(mat2[6 + j]);
    along += S * wide_all(box2[j]) + row[j] * wide_all(pos2[j] - pos1[j]);
    reach += ct_wide_abs(S) * wide_all(box2[3 + j]);
    length += S * S;
    far += wide_all(ct_abs(pos1[j]) + ct_abs(pos2[j]));
  }
  along = ct_wide_abs(along);
  Wide gap = along - reach - wide_all(margin), doubt = little * (along + reach + far);
  WideMask turns = (WideMask)(ct_wide_abs(length - wide_all(1)) < little);
  unsigned apart = wide_bits((WideMask)(gap > doubt) & turns) & 7;
  unsigned meet = wide_bits((WideMask)(gap < -doubt) & turns) & 7;
  return apart ? AXES_APART : meet == 7 ? AXES_MEET : AXES_UNCLEAR;
}

LANE_INLINE Wide three_and_zero(const mjtNum x[3]) {
  Wide word = {x[0], x[1], x[2], 0};
  return word;
}

// A box of a plane, which has no end along x and y, and one that ends everywhere. Numbers of the
// first are so large that what the exact test computes with them is off by what is doubted here.
LANE_INLINE int ask_plane_box(const mjtNum plane[6], const mjtNum pos1[3], const mjtNum mat1[9],
                              const mjtNum box2[6], const mjtNum pos2[3], const mjtNum mat2[9],
                              mjtNum margin) {
  if (sizeof(mjtNum) == 4) return AXES_UNCLEAR;
  const Wide row1[3] = {wide_load(mat1), wide_load(mat1 + 3), three_behind(mat1 + 5)};
  const Wide row2[3] = {wide_load(mat2), wide_load(mat2 + 3), three_behind(mat2 + 5)};
  Wide normal = {mat1[2], mat1[5], mat1[8], 0}, upright = {0, 0, 1, 0};
  Wide from = three_and_zero(pos1), to = three_and_zero(pos2);
  Wide centre = three_and_zero(box2), half = three_and_zero(box2 + 3);

  // products of the normal with axes of the plane and of the box, and squares of the plane's
  Wide own = wide_all(0), along = wide_all(0), square = wide_all(0);
  for (int k = 0; k < 3; k++) {
    own += row1[k] * wide_all(mat1[3 * k + 2]);
    along += row2[k] * wide_all(mat1[3 * k + 2]);
    square += row1[k] * row1[k];
  }
  own = __builtin_shufflevector(own, upright, 0, 1, 2, 7);
  Wide sums =
      ct_fold_four(along * centre + normal * (to - from), ct_wide_abs(half * along),
                   ct_wide_abs(from) + ct_wide_abs(to) + ct_wide_abs(centre) + ct_wide_abs(half),
                   ct_wide_abs(own - upright));
  mjtNum height = sums[0], reach = margin + sums[1], size = ct_abs(margin) + sums[2];
  mjtNum low = plane[2] - plane[5] - reach, high = plane[2] + plane[5] + reach;
  mjtNum all = plane[3] + plane[4] + plane[5] + ct_abs(plane[2]) + size;
  mjtNum doubt = all * ((mjtNum)4e-15 + 2 * sums[3]);
  bool straight = (wide_bits((WideMask)(square > wide_all((mjtNum)0.9))) & 3) == 3;
  if (!(doubt < 1) || !(size < (mjtNum)(mjMAXVAL / 100)) || plane[0] != 0 || plane[1] != 0 ||
      !straight) {
    return AXES_UNCLEAR;
  }
  if (height > high + doubt || height < low - doubt) return AXES_APART;
  return height > low + doubt && height < high - doubt ? AXES_MEET : AXES_UNCLEAR;
}

LANE_INLINE bool is_endless_plane(const mjtNum box[6]) {
  return box[3] >= (mjtNum)mjMAXVAL && box[4] >= (mjtNum)mjMAXVAL && box[5] < (mjtNum)mjMAXVAL;
}

LANE_INLINE bool ends_everywhere(const mjtNum box[6]) {
  return box[3] < (mjtNum)mjMAXVAL && box[4] < (mjtNum)mjMAXVAL && box[5] < (mjtNum)mjMAXVAL;
}

#endif

LANE_FN bool ct_boxes_meet_exactly(const mjtNum box1[6], const mjtNum pos1[3], const mjtNum mat1[9],
                                   const mjtNum box2[6], const mjtNum pos2[3], const mjtNum mat2[9],
                                   mjtNum margin) {
  const mjtNum* box[2] = {box1, box2};
  const mjtNum* mat[2] = {mat1, mat2};
  bool infinite[2];
  mjtNum centre[2][3];
  for (int i = 0; i < 2; i++) {
    const mjtNum* half = box[i] + 3;
    bool all = true;
    infinite[i] = false;
    for (int k = 0; k < 3; k++) {
      bool endless = half[k] >= (mjtNum)mjMAXVAL;
      infinite[i] = infinite[i] || endless;
      all = all && endless;
    }
    if (all) return true;
    ct_mul_mat_vec3(centre[i], mat[i], box[i]);
    ct_add_to3(centre[i], i ? pos2 : pos1);
  }

  // Planes end 1e10 below their surface, so a unit in the last place of their terms is 1e-6: the
  // order of these sums decides whether a contact that is less deep than that exists.
  for (int i = 0; i < 2; i++) {
    if (infinite[1 - i]) continue;
    for (int k = 0; k < 3; k++) {
      mjtNum n[3], reach[2], projected[3];
      ct_column3(n, mat[i], k);
      for (int side = 0; side < 2; side++) {
        const mjtNum* half = box[side] + 3;
        ct_mul_mat_t_vec3(projected, mat[side], n);
        reach[side] = ct_abs(half[0] * projected[0]) + ct_abs(half[1] * projected[1]) +
                      ct_abs(half[2] * projected[2]);
      }
      mjtNum apart = ct_abs(ct_dot3(centre[1], n) - ct_dot3(centre[0], n));
      if (reach[0] + reach[1] + margin < apart) return false;
    }
  }
  return true;
}

LANE_FN bool ct_boxes_meet(const mjtNum box1[6], const mjtNum pos1[3], const mjtNum mat1[9],
                           const mjtNum box2[6], const mjtNum pos2[3], const mjtNum mat2[9],
                           mjtNum margin) {
#ifndef __CUDACC__
  if (box1[3] < (mjtNum)mjMAXVAL && box2[3] < (mjtNum)mjMAXVAL) {
    int axes1 = ask_axes(box1, pos1, mat1, box2, pos2, mat2, margin);
    if (axes1 == AXES_APART) return false;
    int axes2 = ask_axes(box2, pos2, mat2, box1, pos1, mat1, margin);
    if (axes2 == AXES_APART) return false;
    if (axes1 == AXES_MEET && axes2 == AXES_MEET) return true;
  } else if (is_endless_plane(box1) && ends_everywhere(box2)) {
    int answer = ask_plane_box(box1, pos1, mat1, box2, pos2, mat2, margin);
    if (answer != AXES_UNCLEAR) return answer == AXES_MEET;
  }
#endif
  return ct_boxes_meet_exactly(box1, pos1, mat1, box2, pos2, mat2, margin);
}

// The list

#ifdef __CUDACC__

// Environments share the list, and all of the model that it is made from but the masks.
LANE_FN static bool list_holds(Lane g, const mjModel* m, const mjData* d, bool all_masks) {
  const ct_Meetings* list = &ct_private(d)->schedule.meetings;
  if (list->count < 0 || list->ntree || list->key != ct_meeting_key(m, all_masks)) return false;
  const int* copy = list->integers;
  int changed, all = 0;
#define COMPARE_MASKS(name_, count_)                                \
  LANE_COUNT(changed, i, g, count_, (int)(m->name_[i] != copy[i])); \
  all += changed;                                                   \
  copy += (count_);
  CT_MEETING_MASKS(COMPARE_MASKS)
#undef COMPARE_MASKS
  return all == 0;
}

#else

// Makes it anew if the model was edited.
LANE_FN static bool list_holds(Lane g, const mjModel* m, mjData* d, bool all_masks) {
  ct_Meetings* list = &ct_private(d)->schedule.meetings;
  if (!ct_meetings_fit(list, m)) return false;
  if (!ct_meetings_hold(list, m, all_masks)) {
    LANE_ALONE(g) {
      ct_list_meetings(list, m, all_masks);
    }
  }
  return list->count >= 0 && (!list->ntree || lane_count(g) == 1);
}

#endif

// With the number of a listed pair: its bounds meet, so only what sleeps and boxes of trees are
// left.
enum { CLOSE = 1 << 30 };

LANE_INLINE ct_GeomPair listed_pair(const mjModel* m, const ct_Meetings* list, int i) {
  int two = list->geoms[i];
  ct_GeomPair p = {ct_first_geom(two), ct_second_geom(two), -1};
  if (m->npair && list->how[i] >= 0) p.pair = list->how[i];
  return p;
}

// Tests

// A geom that is not bounded at all, and is known not to be: no box decides about it.
LANE_PRIMITIVE_ bool is_endless(const mjModel* m, int geom) {
  return !(m->geom_rbound[geom] > 0) && ct_is_everywhere(m, m->geom_bodyid[geom]);
}

// False also if a number is none.
LANE_INLINE bool boxes_surely_meet(const ct_Box* a, const ct_Box* b) {
  bool meet = true;
  for (int k = 0; k < 3; k++) {
    meet = meet && a->low[k] <= b->high[k] && b->low[k] <= a->high[k];
  }
  return meet;
}

// The boxes that search.c asks about. They bound the spheres, so they keep apart only what touches
// within rounding.
LANE_FN LANE_RARE static bool body_boxes_meet(const mjModel* m, const mjData* d, int g1, int g2) {
  int b1 = m->geom_bodyid[g1], b2 = m->geom_bodyid[g2];
  ct_Box body1 = ct_box_around_body(m, d, b1), body2 = ct_box_around_body(m, d, b2);
  bool large1 = m->body_geomnum[b1] >= CT_LARGE_BODY, large2 = m->body_geomnum[b2] >= CT_LARGE_BODY;
  if (ct_boxes_apart(&body1, &body2)) return false;
  if ((large1 || m->body_geomnum[b2] > 1) && !ct_geom_near_body(m, d, &body2, g1)) return false;
  if (!large2) return true;
  ct_Box box1 = ct_box_in_large_body(m, d, g1), box2 = ct_box_in_large_body(m, d, g2);
  return !ct_boxes_apart(&box1, &box2);
}

// g1 belongs to the body with the smaller id. Boxes of geoms that meet are part of boxes that meet.
LANE_PRIMITIVE_ bool bounds_meet(const mjModel* m, const mjData* d, int g1, int g2) {
  if (is_endless(m, g1) || is_endless(m, g2)) return true;
  ct_Box box1 = ct_box_around_geom(m, d, g1), box2 = ct_box_around_geom(m, d, g2);
  return boxes_surely_meet(&box1, &box2) || body_boxes_meet(m, d, g1, g2);
}

// Compiled into the loop over listed pairs, because a call costs what the usual answer does.
//
// What is left to ask about a listed pair whose spheres meet; close: and the boxes around them;
// loose: somebody else asks about boxes of round pairs.
LANE_PRIMITIVE_ bool may_touch(const mjModel* m, const mjData* d, ct_GeomPair p, int how,
                               bool close, bool sleep, bool loose) {
  if (how >= 0) return !ct_predefined_asleep(m, d, how);
  int b1 = m->geom_bodyid[p.geom1], b2 = m->geom_bodyid[p.geom2];
  if (sleep && ct_sleep_apart(m, d, b1, b2)) return false;
  int g1 = b1 < b2 ? p.geom1 : p.geom2, g2 = b1 < b2 ? p.geom2 : p.geom1;
  if (!close && !bounds_meet(m, d, g1, g2)) return false;
  return how != CT_MEET_BY_TREE || (loose && ct_is_round_pair(m, g1, g2)) ||
         ct_geom_boxes_meet(m, d, p);
}

#ifndef __CUDACC__

LANE_FN bool ct_may_touch(const mjModel* m, const mjData* d, ct_GeomPair p, int how, bool close,
                          bool sleep, bool loose) {
  return may_touch(m, d, p, how, close, sleep, loose);
}

enum { LONG_LIST = 16 };  // pairs from which on it pays to gather spheres

// A plane and four spheres. One that is so large, or so oddly turned, that rounding counts says
// nothing.
typedef struct {
  Wide normal[3], pos[3], margin, doubt;
} Plane;

LANE_FN static Plane plane_of(const mjModel* m, const mjData* d, int geom) {
  const mjtNum little = sizeof(mjtNum) == 4 ? (mjtNum)1e-5 : (mjtNum)1e-12;
  const mjtNum *x = d->geom_xpos + 3 * geom, *mat = d->geom_xmat + 9 * geom;
  mjtNum margin = ct_margin_of_geom(m, geom), n[3];
  ct_column3(n, mat, 2);
  bool odd = !(ct_abs(ct_dot3(n, n) - 1) < (mjtNum)1e-3) || !(margin >= 0);
  Plane plane;
  for (int k = 0; k < 3; k++) {
    plane.normal[k] = wide_all(n[k]);
    plane.pos[k] = wide_all(x[k]);
  }
  plane.margin = wide_all(margin);
  plane.doubt = wide_all(odd ? (mjtNum)NAN : little * (ct_abs(x[0]) + ct_abs(x[1]) + ct_abs(x[2])));
  return plane;
}

LANE_INLINE ct_FourAnswers ask_plane(const Plane* plane, const mjtNum* four) {
  Wide height = wide_all(0), reach = wide_load(four + 3 * LANE_WIDTH) + plane->margin;
  for (int k = 0; k < 3; k++) {
    height += (wide_load(four + LANE_WIDTH * k) - plane->pos[k]) * plane->normal[k];
  }
  Wide doubt = reach * wide_all((mjtNum)1e-5) + plane->doubt;
  ct_FourAnswers answers = {wide_bits((WideMask)(height > reach + doubt)),
                            wide_bits((WideMask)(height < reach - doubt))};
  return answers;
}

LANE_INLINE bool listed_spheres_meet(const mjModel* m, const mjData* d, const ct_Meetings* list,
                                     int i) {
  ct_GeomPair p = listed_pair(m, list, i);
  return ct_spheres_meet(m, d, p.geom1, p.geom2, ct_pair_margin(m, p));
}

// What is known of a listed pair.
enum { FAR = 0, NEAR = 1, NEAR_AND_CLOSE = 2 };

// Notes those of four pairs that meet.
LANE_INLINE void note_near(const mjModel* m, const mjData* d, const ct_Meetings* list, int word,
                           ct_FourAnswers four, unsigned char* known) {
  unsigned left = (unsigned)list->words[word] & 15 & ~four.apart;
  for (; left; left &= left - 1) {
    int bit = lane_lowest_bit(left);
    unsigned two = (unsigned)list->places[2 * word + bit / 2];
    int place = (int)(bit & 1 ? two >> 16 : two & 0xffff);
    if (four.close >> bit & 1) {
      known[place] = NEAR_AND_CLOSE;
    } else if (listed_spheres_meet(m, d, list, place)) {
      known[place] = NEAR;
    }
  }
}

// Partners of one slot.
LANE_INLINE void search_row(const mjModel* m, const mjData* d, const ct_Meetings* list, int slot,
                            int first, int end, const mjtNum* spheres, unsigned char* known) {
  int geom = list->slots[slot];
  if (!(m->geom_rbound[geom] > 0) && m->geom_type[geom] == mjGEOM_PLANE &&
      ct_is_everywhere(m, m->geom_bodyid[geom])) {
    Plane plane = plane_of(m, d, geom);
    for (int w = first; w < end; w++) {
      ct_FourAnswers four = ask_plane(&plane, spheres + CT_FOUR_SPHERES * (list->words[w] >> 4));
      note_near(m, d, list, w, four, known);
    }
    return;
  }
  const mjtNum* own = spheres + CT_FOUR_SPHERES * (slot / 4) + slot % 4;
  Wide one[4];
  for (int k = 0; k < 4; k++) one[k] = wide_all(own[LANE_WIDTH * k]);
  for (int w = first; w < end; w++) {
    ct_FourAnswers four = ct_ask_four(one, spheres + CT_FOUR_SPHERES * (list->words[w] >> 4));
    note_near(m, d, list, w, four, known);
  }
}

LANE_FN static mjtNum* gather_spheres(Lane g, const mjModel* m, mjData* d,
                                      const ct_Meetings* list) {
  mjtNum* spheres = lane_scratch_num(g, d, CT_FOUR_SPHERES * ((list->nslot + 3) / 4));
  if (!spheres) return NULL;
  for (int slot = 0; slot < list->nslot; slot += 4) {
    ct_gather_four(m, d, list->slots + slot, spheres + CT_FOUR_SPHERES * (slot / 4));
  }
  return spheres;
}

// As find_near below, for one lane. What is known of pairs, a byte of each, puts them in order.
LANE_FN static int find_near_alone(const mjModel* m, const mjData* d, const ct_Meetings* list,
                                   const mjtNum* spheres, uint64_t* eight, int* near) {
  int count = 0, words = (list->count + 7) / 8;
  for (int w = 0; w < words; w++) eight[w] = 0;
  for (int r = 0, first = 0; r < list->nrow; first = list->rows[2 * r + 1], r++) {
    search_row(m, d, list, list->rows[2 * r], first, list->rows[2 * r + 1], spheres,
               (unsigned char*)eight);
  }
  for (int w = 0; w < words; w++) {
    for (uint64_t left = eight[w]; left; left &= left - 1) {
      int bit = __builtin_ctzll(left);
      near[count++] = (8 * w + bit / 8) | (bit % 8 ? CLOSE : 0);
    }
  }
  return count;
}

#endif

// Numbers of the listed pairs whose spheres meet, in order, with CLOSE or without. Returns how many
// there are.
LANE_FN static int find_near(Lane g, const mjModel* m, const mjData* d, const ct_Meetings* list,
                             int* near) {
  int count = 0;
  for (int base = 0; base < list->count; base += lane_count(g)) {
    int i = base + lane_rank(g), found;
    bool meet = false;
    if (i < list->count) {
      ct_GeomPair p = listed_pair(m, list, i);
      meet = ct_spheres_meet(m, d, p.geom1, p.geom2, ct_pair_margin(m, p));
    }
    int before = lane_yes_before(g, meet, &found);
    if (meet) near[count + before] = i;
    count += found;
  }
  lane_sync(g);
  return count;
}

#ifndef __CUDACC__

typedef struct {  // what one lane finds: pairs of two trees, of which so many are done
  ct_NearPairs pairs;
  int done;
} Between;

// The same by whatever is faster; -1 without room. Predefined pairs have margins of their own.
LANE_FN static int find_near_fast(Lane g, const mjModel* m, mjData* d, const ct_Meetings* list,
                                  int* near, bool loose, Between* between) {
  bool alone = lane_count(g) == 1 && list->count >= LONG_LIST && !m->npair;
  if (!alone && !list->ntree) return find_near(g, m, d, list, near);
  mjtNum* spheres = gather_spheres(g, m, d, list);
  if (!spheres) return -1;
  if (list->ntree && !ct_find_between_trees(g, m, d, list, spheres, loose, &between->pairs))
    return -1;
  if (!alone) return find_near(g, m, d, list, near);
  uint64_t* known = (uint64_t*)lane_scratch_bytes_(g, d, (size_t)(list->count + 7) / 8 * 8);
  return known ? find_near_alone(m, d, list, spheres, known, near) : -1;
}

// Appends pairs of two trees whose bodies come before these.
LANE_FN static void append_between(const mjModel* m, Between* from, unsigned bodies,
                                   ct_PairList* to) {
  for (; from->done < from->pairs.count; from->done++) {
    uint64_t near = from->pairs.pair[from->done];
    int geoms = (int)(near & 0xffffffffu);
    if (near >> 32 >= bodies) return;
    to->pair[to->count++] = ct_ordered_pair(m, ct_first_geom(geoms), ct_second_geom(geoms), -1);
  }
}

LANE_INLINE unsigned bodies_of(const mjModel* m, ct_GeomPair p) {
  if (p.pair >= 0) return (unsigned)m->pair_signature[p.pair];
  int b1 = m->geom_bodyid[p.geom1], b2 = m->geom_bodyid[p.geom2];
  return b1 < b2 ? ct_pair_of_bodies(b1, b2) : ct_pair_of_bodies(b2, b1);
}

#endif

LANE_FN static ct_PairList list_pairs(Lane g, const mjModel* m, mjData* d, bool loose) {
  const ct_Meetings* meetings = &ct_private(d)->schedule.meetings;
  ct_PairList list = {NULL, 0};
  bool sleep = ct_some_asleep(m, d);
  int* near = lane_scratch_int(g, d, meetings->count);
  if (!near) return list;
#ifdef __CUDACC__
  int nnear = find_near(g, m, d, meetings, near), most = nnear;
#else
  Between between = {{NULL, 0, 0}, 0};
  int nnear = find_near_fast(g, m, d, meetings, near, loose, &between),
      most = nnear + between.pairs.count;
#endif
  if (nnear < 0) return list;
  list.pair = (ct_GeomPair*)lane_scratch_int(g, d, 3 * most);
  if (!list.pair) return list;
  for (int base = 0; base < nnear; base += lane_count(g)) {
    int i = base + lane_rank(g), found;
    ct_GeomPair p = {-1, -1, -1};
    bool keep = false;
    if (i < nnear) {
      int which = near[i] & ~CLOSE;
      p = listed_pair(m, meetings, which);
      bool waits = loose && !sleep && which != near[i] && ct_is_round_pair(m, p.geom1, p.geom2);
      keep = waits || may_touch(m, d, p, meetings->how[which], which != near[i], sleep, loose);
    }
    int before = lane_yes_before(g, keep, &found);
#ifndef __CUDACC__
    if (keep && between.done < between.pairs.count) {
      append_between(m, &between, bodies_of(m, p), &list);
    }
#endif
    if (keep) list.pair[list.count + before] = p;
    list.count += found;
  }
#ifndef __CUDACC__
  append_between(m, &between, ~0u, &list);
#endif
  lane_sync(g);
  return list;
}

#ifndef __CUDACC__

// Round pairs: spheres and capsules. A direction along which two of them are farther apart than
// they reach proves that they have no contact. Four pairs are asked at a time, along the line
// between the points of their axes that seem to be nearest: were these others, nothing would be
// proved that is not so.

typedef struct {  // of four geoms, each a segment centre +- half with a radius around it
  Wide centre[4], half[3];
} FourSegments;

LANE_INLINE FourSegments four_segments(const mjModel* m, const mjData* d, const int geom[4]) {
  FourSegments s;
  Wide length;
  for (int k = 0; k < 4; k++) {
    s.centre[k] = wide_load(d->geom_xpos + 3 * geom[k]);
    bool sphere = m->geom_type[geom[k]] == mjGEOM_SPHERE;
    length[k] = sphere ? 0 : m->geom_size[3 * geom[k] + 1];
  }
  wide_transpose(s.centre);
  for (int i = 0; i < 3; i++) {
    Wide axis;
    for (int k = 0; k < 4; k++) axis[k] = d->geom_xmat[9 * geom[k] + 3 * i + 2];
    s.half[i] = axis * length;
  }
  return s;
}

LANE_INLINE Wide dot_four(const Wide a[3], const Wide b[3]) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

LANE_INLINE Wide clip_four(Wide x) {
  return wide_larger(wide_smaller(x, wide_all(1)), wide_all(-1));
}

// Bits of those of four pairs that are proved to have no contact; centres are reach apart at least.
LANE_INLINE unsigned ask_segments(const FourSegments* s1, const FourSegments* s2, Wide reach) {
  const Wide little = wide_all(sizeof(mjtNum) == 4 ? (mjtNum)1e-5 : (mjtNum)1e-12);
  const Wide *A = s1->half, *B = s2->half;
  Wide apart[3], between[3];
  for (int k = 0; k < 3; k++) apart[k] = s1->centre[k] - s2->centre[k];
  Wide a = dot_four(A, A), b = dot_four(A, B), c = dot_four(B, B);
  Wide u = dot_four(A, apart), v = dot_four(B, apart);

  // |apart + x1 A - x2 B| is least
  Wide x1 = clip_four((b * v - c * u) / (a * c - b * b));
  Wide x2 = clip_four((v + b * x1) / c);
  x1 = clip_four((b * x2 - u) / a);
  for (int k = 0; k < 3; k++) between[k] = apart[k] + x1 * A[k] - x2 * B[k];

  // along that line, with what rounding could hide
  Wide squared = dot_four(between, between);
  Wide numbers =
      squared + a + c + dot_four(s1->centre, s1->centre) + dot_four(s2->centre, s2->centre);
  Wide gap = dot_four(between, apart) - ct_wide_abs(dot_four(between, A)) -
             ct_wide_abs(dot_four(between, B)) - little * numbers;
  return wide_bits((WideMask)(gap > wide_all(0)) & (WideMask)(gap * gap > reach * reach * squared));
}

LANE_FN static unsigned ask_four_pairs(const mjModel* m, const mjData* d,
                                       const ct_GeomPair pair[4]) {
  int geom[2][4];
  Wide reach;
  for (int k = 0; k < 4; k++) {
    geom[0][k] = pair[k].geom1;
    geom[1][k] = pair[k].geom2;
    reach[k] = ct_pair_margin(m, pair[k]) + m->geom_size[3 * pair[k].geom1] +
               m->geom_size[3 * pair[k].geom2];
  }
  FourSegments s1 = four_segments(m, d, geom[0]), s2 = four_segments(m, d, geom[1]);
  return ask_segments(&s1, &s2, reach);
}

// Marks round pairs that have no contact by a first geom of -1. One alone is not worth a word.
LANE_FN static void mark_apart(const mjModel* m, const mjData* d, ct_PairList* list) {
  int which[4], waiting = 0;
  ct_GeomPair pair[4];
  for (int i = 0; i < list->count; i++) {
    ct_GeomPair p = list->pair[i];
    if (p.geom1 >= 0 && ct_is_round_pair(m, p.geom1, p.geom2)) {
      which[waiting] = i;
      pair[waiting++] = p;
    }
    if (waiting < (i + 1 < list->count ? 4 : 2)) continue;
    for (int k = waiting; k < 4; k++) pair[k] = pair[0];
    unsigned apart = ask_four_pairs(m, d, pair);
    for (int k = 0; k < waiting; k++) {
      if (apart >> k & 1) list->pair[which[k]].geom1 = -1;
    }
    waiting = 0;
  }
}

// Asks about the boxes of round pairs, but first whether they are apart, which is quicker and
// mostly so. Where there is not room for all contacts that they could have, each pair counts.
LANE_FN static void tighten(const mjModel* m, const mjData* d, ct_PairList* list) {
  if (ct_contacts_have_room(d, list->count * CT_MOST_HITS)) mark_apart(m, d, list);
  int kept = 0;
  for (int i = 0; i < list->count; i++) {
    ct_GeomPair p = list->pair[i];
    if (p.geom1 < 0) continue;
    bool asked = p.pair >= 0 || !ct_is_round_pair(m, p.geom1, p.geom2) ||
                 !ct_meet_by_tree(m, m->geom_bodyid[p.geom1], m->geom_bodyid[p.geom2]);
    if (asked || ct_geom_boxes_meet(m, d, p)) list->pair[kept++] = p;
  }
  list->count = kept;
}

#endif

// Where all trees sleep nothing meets anything but what motion capture moves.
LANE_INLINE bool nothing_moves(const mjModel* m, const mjData* d) {
  return ct_all_asleep(m, d) && m->nmocap == 0;
}

LANE_INLINE bool nothing_can_meet(const mjModel* m) {
  return m->ngeom < 2 && m->npair == 0;
}

// loose: without most pairs that have no contact.
LANE_FN static ct_PairList find_pairs(Lane g, const mjModel* m, mjData* d, bool all_masks,
                                      bool loose) {
  if (nothing_can_meet(m) || nothing_moves(m, d)) {
    ct_PairList none = {(ct_GeomPair*)lane_scratch_int(g, d, 3), 0};
    return none;
  }
  ct_PairList list = list_holds(g, m, d, all_masks) ? list_pairs(g, m, d, loose)
                                                    : ct_search_pairs(g, m, d, all_masks, loose);
#ifndef __CUDACC__
  if (loose && list.pair) tighten(m, d, &list);
#endif
  if (list.pair) ct_drop_touching(g, m, d, &list);
  return list;
}

LANE_FN ct_PairList ct_find_pairs(Lane g, const mjModel* m, mjData* d, bool all_masks) {
  return find_pairs(g, m, d, all_masks, false);
}

LANE_FN ct_PairList ct_find_touching_pairs(Lane g, const mjModel* m, mjData* d) {
#ifdef __CUDACC__
  return find_pairs(g, m, d, false, false);
#else
  return find_pairs(g, m, d, false, lane_count(g) == 1);
#endif
}
