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

#include "base/meetings.h"
#include "base/memory/scratch.h"
#include "collide/bounds.h"
#include "collide/search.h"
#include "collide/sweep.h"

#ifndef __CUDACC__

enum { AXES_APART, AXES_MEET, AXES_UNCLEAR };

LANE_INLINE Wide wide_abs(Wide x) {
  return wide_larger(x, wide_sub(wide_all(0), x));
}

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
    reach += wide_abs(S) * wide_all(box2[3 + j]);
    length += S * S;
    far += wide_all(ct_abs(pos1[j]) + ct_abs(pos2[j]));
  }
  along = wide_abs(along);
  Wide gap = along - reach - wide_all(margin), doubt = little * (along + reach + far);
  WideMask turns = (WideMask)(wide_abs(length - wide_all(1)) < little);
  unsigned apart = wide_bits((WideMask)(gap > doubt) & turns) & 7;
  unsigned meet = wide_bits((WideMask)(gap < -doubt) & turns) & 7;
  return apart ? AXES_APART : meet == 7 ? AXES_MEET : AXES_UNCLEAR;
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
  }
#endif
  return ct_boxes_meet_exactly(box1, pos1, mat1, box2, pos2, mat2, margin);
}

// The list

#ifdef __CUDACC__

// Environments share the list, and all of the model that it is made from but the masks.
LANE_FN static bool list_holds(Lane g, const mjModel* m, const mjData* d, bool all_masks) {
  const ct_Meetings* list = &ct_private(d)->schedule.meetings;
  if (list->count < 0 || list->key != ct_meeting_key(m, all_masks)) return false;
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
  if (!list->room) return false;
  if (!ct_meetings_hold(list, m, all_masks)) {
    LANE_ALONE(g) {
      ct_list_meetings(list, m, all_masks);
    }
  }
  return list->count >= 0;
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
LANE_FN static bool is_endless(const mjModel* m, int geom) {
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
LANE_FN static bool bounds_meet(const mjModel* m, const mjData* d, int g1, int g2) {
  if (is_endless(m, g1) || is_endless(m, g2)) return true;
  ct_Box box1 = ct_box_around_geom(m, d, g1), box2 = ct_box_around_geom(m, d, g2);
  return boxes_surely_meet(&box1, &box2) || body_boxes_meet(m, d, g1, g2);
}

// What is left to ask about a listed pair whose spheres meet; close: and the boxes around them.
LANE_FN static bool may_touch(const mjModel* m, const mjData* d, ct_GeomPair p, int how, bool close,
                              bool sleep) {
  if (how >= 0) return !ct_predefined_asleep(m, d, how);
  int b1 = m->geom_bodyid[p.geom1], b2 = m->geom_bodyid[p.geom2];
  if (sleep && ct_sleep_apart(m, d, b1, b2)) return false;
  int g1 = b1 < b2 ? p.geom1 : p.geom2, g2 = b1 < b2 ? p.geom2 : p.geom1;
  if (!close && !bounds_meet(m, d, g1, g2)) return false;
  return how != CT_MEET_BY_TREE ||
         ct_boxes_meet(m->geom_aabb + 6 * g1, d->geom_xpos + 3 * g1, d->geom_xmat + 9 * g1,
                       m->geom_aabb + 6 * g2, d->geom_xpos + 3 * g2, d->geom_xmat + 9 * g2,
                       ct_pair_margin(m, p));
}

#ifndef __CUDACC__

enum { LONG_LIST = 32 };                            // pairs from which on it pays to gather spheres
enum { MANY_PAIRS = 256, MANY_OF_TWO_BODIES = 3 };  // and boxes of bodies, if these have so many

typedef struct {  // of a geom; the radius has the geom's part of the margin
  mjtNum centre[3], radius;
} Sphere;

typedef struct {  // a box around the spheres of a body; what is fourth keeps nothing apart
  mjtNum low[4], high[4];
} Around;

// What spheres say about listed pairs, as bits. NaN radii say nothing: those of geoms that are not
// bounded, that have a negative margin or are so far out that the ends of boxes around them have
// few digits.
typedef struct {
  unsigned apart;  // beyond rounding: ct_spheres_meet says so too
  unsigned close;  // beyond rounding: they meet, and boxes around them along all axes do
} FourAnswers;

LANE_INLINE Sphere sphere_of(const mjModel* m, const mjData* d, int geom) {
  const mjtNum most = sizeof(mjtNum) == 4 ? 16 : (mjtNum)1e8;
  mjtNum r = m->geom_rbound[geom], margin = ct_margin_of_geom(m, geom);
  const mjtNum* x = d->geom_xpos + 3 * geom;
  bool known = r > 0 && margin >= 0 && ct_abs(x[0]) + ct_abs(x[1]) + ct_abs(x[2]) < most * r;
  Sphere sphere = {{x[0], x[1], x[2]}, known ? r + margin : (mjtNum)NAN};
  return sphere;
}

// Boxes are larger than their spheres, and sides NaN if a radius is: nothing is apart then.
LANE_FN static void gather_body(const mjModel* m, const mjData* d, bool all_masks, int b,
                                Sphere* sphere, Around* around) {
  Wide low = wide_all((mjtNum)HUGE_VAL), high = wide_all(-(mjtNum)HUGE_VAL), odd = wide_all(0);
  for (int i = 0; i < m->body_geomnum[b]; i++) {
    int geom = m->body_geomadr[b] + i;
    if (!all_masks && !ct_geom_collides(m, geom)) continue;
    sphere[geom] = sphere_of(m, d, geom);
    if (!around) continue;
    Wide x = wide_load(sphere[geom].centre), r = wide_all(sphere[geom].radius * (mjtNum)1.00001);
    Wide a = wide_sub(x, r), z = wide_add(x, r);
    low = wide_smaller(a, low);
    high = wide_larger(z, high);
    odd = wide_add(odd, wide_sub(r, r));
  }
  if (!around) return;
  wide_store(around->low, wide_add(low, odd));
  wide_store(around->high, wide_add(high, odd));
  around->low[3] = around->high[3] = 0;
}

LANE_INLINE bool bodies_apart(const Around* around, int two) {
  const Around *a = around + ct_first_body(two), *b = around + ct_second_body(two);
  WideMask apart = (WideMask)(wide_load(a->low) > wide_load(b->high)) |
                   (WideMask)(wide_load(b->low) > wide_load(a->high));
  return wide_bits(apart) != 0;
}

// Squares of what lies between two centres along the axes; last, the square of what both reach.
LANE_INLINE Wide squares_between(const Sphere* sphere, int two) {
  Wide a = wide_load(sphere[ct_first_geom(two)].centre);
  Wide b = wide_load(sphere[ct_second_geom(two)].centre);
  Wide x = __builtin_shufflevector(wide_sub(a, b), wide_add(a, b), 0, 1, 2, 7);
  return wide_mul(x, x);
}

LANE_INLINE FourAnswers ask_four(const Sphere* sphere, const int* geoms) {
  Wide square[4];
  for (int k = 0; k < 4; k++) square[k] = squares_between(sphere, geoms[k]);
  wide_transpose(square);
  Wide distance = wide_add(wide_add(square[0], square[1]), square[2]);
  Wide more = wide_mul(square[3], wide_all((mjtNum)1.00001));
  Wide less = wide_mul(square[3], wide_all((mjtNum)0.99999));
  FourAnswers answers = {wide_bits((WideMask)(distance > more)),
                         wide_bits((WideMask)(distance < less))};
  return answers;
}

LANE_INLINE bool listed_spheres_meet(const mjModel* m, const mjData* d, const ct_Meetings* list,
                                     int i) {
  ct_GeomPair p = listed_pair(m, list, i);
  return ct_spheres_meet(m, d, p.geom1, p.geom2, ct_pair_margin(m, p));
}

// Appends those of the listed pairs first to end - 1 whose spheres meet; returns the count.
LANE_INLINE int append_near(const mjModel* m, const mjData* d, const ct_Meetings* list,
                            const Sphere* sphere, int first, int end, int* near, int count) {
  for (int i = first; i < end; i += 4) {
    int rest = end - i < 4 ? end - i : 4;
    FourAnswers four = {0, 0};
    unsigned left = (1u << rest) - 1;
    if (rest == 4) four = ask_four(sphere, list->geoms + i);
    for (left &= ~four.apart; left; left &= left - 1) {
      int bit = lane_lowest_bit(left), k = i + bit;
      if (four.close >> bit & 1) {
        near[count++] = k | CLOSE;
      } else if (listed_spheres_meet(m, d, list, k)) {
        near[count++] = k;
      }
    }
  }
  return count;
}

// As find_near below, for one lane, which asks boxes of bodies first if it has any.
LANE_FN static int find_near_alone(const mjModel* m, const mjData* d, const ct_Meetings* list,
                                   const Sphere* sphere, const Around* around, int* near) {
  if (!around) return append_near(m, d, list, sphere, 0, list->count, near, 0);
  int count = 0;
  for (int r = 0, first = 0; r < list->nrun; first = list->runs[2 * r + 1], r++) {
    if (bodies_apart(around, list->runs[2 * r])) continue;
    count = append_near(m, d, list, sphere, first, list->runs[2 * r + 1], near, count);
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

// The same by whatever is faster; -1 without room. Predefined pairs have margins of their own.
LANE_FN static int find_near_fast(Lane g, const mjModel* m, mjData* d, const ct_Meetings* list,
                                  bool all_masks, int* near) {
#ifndef __CUDACC__
  if (lane_count(g) == 1 && list->count >= LONG_LIST && !m->npair) {
    bool boxes = list->count >= MANY_PAIRS && list->count >= MANY_OF_TWO_BODIES * list->nrun;
    Around* around = NULL;
    Sphere* sphere = (Sphere*)lane_scratch_bytes_(g, d, (size_t)m->ngeom * sizeof(Sphere));
    if (boxes) around = (Around*)lane_scratch_bytes_(g, d, (size_t)m->nbody * sizeof(Around));
    if (!sphere || (boxes && !around)) return -1;
    for (int b = 0; b < m->nbody; b++) {
      gather_body(m, d, all_masks, b, sphere, around ? around + b : NULL);
    }
    return find_near_alone(m, d, list, sphere, around, near);
  }
#endif
  (void)all_masks;
  return find_near(g, m, d, list, near);
}

LANE_FN static ct_PairList list_pairs(Lane g, const mjModel* m, mjData* d, bool all_masks) {
  const ct_Meetings* meetings = &ct_private(d)->schedule.meetings;
  ct_PairList list = {NULL, 0};
  bool sleep = ct_some_asleep(m, d);
  int* near = lane_scratch_int(g, d, meetings->count);
  if (!near) return list;
  int nnear = find_near_fast(g, m, d, meetings, all_masks, near);
  if (nnear < 0) return list;
  list.pair = (ct_GeomPair*)lane_scratch_int(g, d, 3 * nnear);
  if (!list.pair) return list;
  for (int base = 0; base < nnear; base += lane_count(g)) {
    int i = base + lane_rank(g), found;
    ct_GeomPair p = {-1, -1, -1};
    bool keep = false;
    if (i < nnear) {
      int which = near[i] & ~CLOSE;
      p = listed_pair(m, meetings, which);
      keep = may_touch(m, d, p, meetings->how[which], which != near[i], sleep);
    }
    int before = lane_yes_before(g, keep, &found);
    if (keep) list.pair[list.count + before] = p;
    list.count += found;
  }
  lane_sync(g);
  return list;
}

// Where all trees sleep nothing meets anything but what motion capture moves.
LANE_INLINE bool nothing_moves(const mjModel* m, const mjData* d) {
  return ct_all_asleep(m, d) && m->nmocap == 0;
}

LANE_FN ct_PairList ct_find_pairs(Lane g, const mjModel* m, mjData* d, bool all_masks) {
  if (nothing_moves(m, d)) {
    ct_PairList none = {(ct_GeomPair*)lane_scratch_int(g, d, 3), 0};
    return none;
  }
  ct_PairList list = list_holds(g, m, d, all_masks) ? list_pairs(g, m, d, all_masks)
                                                    : ct_search_pairs(g, m, d, all_masks);
  if (list.pair) ct_drop_touching(g, m, d, &list);
  return list;
}
