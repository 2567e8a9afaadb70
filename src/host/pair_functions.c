// Functions that collide two geoms, and collision with functions of the user.
//
// Collision runs the lane code on one lane. If the user has a filter, or has put a function of
// their own into mjCOLLISIONFUNC, the same pairs are visited one by one here, because lane code
// knows no function pointers.

#include "host/pair_functions.h"

#include <string.h>

#include "base/memory/scratch.h"
#include "base/private.h"
#include "collide/box_box.h"
#include "collide/collision.h"
#include "collide/convex.h"
#include "collide/distance.h"
#include "collide/pairs.h"
#include "host/timer.h"
#include "host/walk.h"

// Pair functions in the form that users know.

static int report_hits(mjContact* con, const ct_Hit* hit, int count) {
  for (int i = 0; i < count; i++) {
    con[i].dist = hit[i].dist;
    ct_copy3(con[i].pos, hit[i].pos);
    ct_copy(con[i].frame, hit[i].frame, 6);
  }
  return count;
}

// Whatever the types of the two geoms ask for; a pair of types that has no function gives nothing.
static int collide_by_type(const mjModel* m, const mjData* d, mjContact* con, int g1, int g2,
                           mjtNum margin) {
  ct_Hit hit[CT_MOST_HITS];
  ct_GeomPair pair = {g1, g2, -1};
  if (!ct_types_collide(m->geom_type[g1], m->geom_type[g2])) return 0;
  return report_hits(con, hit, ct_raw_hits(m, d, hit, pair, margin));
}

// Declared once more behind the body, so that each line ends with a semicolon.
#define PAIR_BY_TYPE(name_)                                                                     \
  int name_(const mjModel* m, const mjData* d, mjContact* con, int g1, int g2, mjtNum margin) { \
    return collide_by_type(m, d, con, g1, g2, margin);                                          \
  }                                                                                             \
  int name_(const mjModel*, const mjData*, mjContact*, int, int, mjtNum)
PAIR_BY_TYPE(mjc_PlaneSphere);
PAIR_BY_TYPE(mjc_PlaneCapsule);
PAIR_BY_TYPE(mjc_PlaneCylinder);
PAIR_BY_TYPE(mjc_PlaneBox);
PAIR_BY_TYPE(mjc_SphereSphere);
PAIR_BY_TYPE(mjc_SphereCapsule);
PAIR_BY_TYPE(mjc_SphereCylinder);
PAIR_BY_TYPE(mjc_SphereBox);
PAIR_BY_TYPE(mjc_CapsuleCapsule);
PAIR_BY_TYPE(mjc_CapsuleBox);
PAIR_BY_TYPE(mjc_BoxBox);
static PAIR_BY_TYPE(plane_convex);
static PAIR_BY_TYPE(hfield_convex);
static PAIR_BY_TYPE(signed_distance);

// Any two convex geoms, also those that have a function of their own.
int mjc_Convex(const mjModel* m, const mjData* d, mjContact* con, int g1, int g2, mjtNum margin) {
  ct_Hit hit[CT_MOST_HITS];
  ct_Shape s1 = ct_shape_of(m, d, g1), s2 = ct_shape_of(m, d, g2);
  return report_hits(con, hit, ct_convex(m, hit, &s1, &s2, margin));
}

// clang-format off
#define PAIR_TABLE                                                                                 \
  {                                                                                                \
    /* plane */                                                                                    \
    {NULL, NULL, mjc_PlaneSphere, mjc_PlaneCapsule, plane_convex, mjc_PlaneCylinder, mjc_PlaneBox, \
     plane_convex, plane_convex},                                                                  \
    /* height field */                                                                             \
    {NULL, NULL, hfield_convex, hfield_convex, hfield_convex, hfield_convex, hfield_convex,        \
     hfield_convex, hfield_convex},                                                                \
    /* sphere */                                                                                   \
    {NULL, NULL, mjc_SphereSphere, mjc_SphereCapsule, mjc_Convex, mjc_SphereCylinder,              \
     mjc_SphereBox, mjc_Convex, signed_distance},                                                  \
    /* capsule */                                                                                  \
    {NULL, NULL, NULL, mjc_CapsuleCapsule, mjc_Convex, mjc_Convex, mjc_CapsuleBox, mjc_Convex,     \
     signed_distance},                                                                             \
    /* ellipsoid, cylinder, box */                                                                 \
    {NULL, NULL, NULL, NULL, mjc_Convex, mjc_Convex, mjc_Convex, mjc_Convex, signed_distance},     \
    {NULL, NULL, NULL, NULL, NULL, mjc_Convex, mjc_Convex, mjc_Convex, signed_distance},           \
    {NULL, NULL, NULL, NULL, NULL, NULL, mjc_BoxBox, mjc_Convex, signed_distance},                 \
    /* mesh, signed distance field */                                                              \
    {NULL, NULL, NULL, NULL, NULL, NULL, NULL, mjc_Convex, signed_distance},                       \
    {NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, signed_distance},                             \
  }
// clang-format on

static const mjfCollision built_in[mjNGEOMTYPES][mjNGEOMTYPES] = PAIR_TABLE;
mjfCollision mjCOLLISIONFUNC[mjNGEOMTYPES][mjNGEOMTYPES] = PAIR_TABLE;

// The user's functions.

bool ct_has_pair_functions_of_users(void) {
  return mjcb_contactfilter || memcmp(mjCOLLISIONFUNC, built_in, sizeof(built_in)) != 0;
}

// A function of the user found more contacts than a pair may have.
static int too_many_hits(mjData* d, ct_GeomPair pair, int count) {
  ct_Detail* detail = &ct_private(d)->detail;
  detail->geom[0] = pair.geom1;
  detail->geom[1] = pair.geom2;
  detail->hits = count;
  return CT_BAD_CONTACT;
}

// Contacts of one pair by the table, behind the others.
static int append_by_table(const mjModel* m, mjData* d, ct_GeomPair pair) {
  mjfCollision function = mjCOLLISIONFUNC[m->geom_type[pair.geom1]][m->geom_type[pair.geom2]];
  ct_Detail* detail = &ct_private(d)->detail;
  if (!function) return CT_OK;
  if (pair.pair < 0 && mjcb_contactfilter && mjcb_contactfilter(m, d, pair.geom1, pair.geom2)) {
    return CT_OK;
  }
  if (!ct_contacts_have_room(d, d->ncon)) {
    detail->lost++;
    return CT_CONTACTS_FULL;
  }
  ct_Hit hit[CT_MOST_HITS];
  mjtNum margin = ct_pair_margin(m, pair);
  size_t start = d->parena;
  mjContact* con = (mjContact*)ct_arena_alloc(d, CT_MOST_HITS * sizeof(mjContact), sizeof(mjtNum));
  int count = function(m, d, con, pair.geom1, pair.geom2, margin), status = CT_OK;
  if (count > CT_MOST_HITS) {
    ct_arena_cut(d, start);
    return too_many_hits(d, pair, count);
  }
  for (int i = 0; i < count; i++) {
    hit[i].dist = con[i].dist;
    ct_copy3(hit[i].pos, con[i].pos);
    ct_copy(hit[i].frame, con[i].frame, 6);
  }
  if (function == mjc_BoxBox) {
    ct_Shape s1 = ct_shape_of(m, d, pair.geom1), s2 = ct_shape_of(m, d, pair.geom2);
    count = ct_box_box_clean(hit, count, &s1, &s2, margin);
  }
  if (count > 0 && !ct_write_contacts(m, con, hit, count, pair)) status = CT_BAD_CONTACT;
  ct_arena_cut(d, start + (size_t)(count > 0 ? count : 0) * sizeof(mjContact));
  d->ncon += count > 0 ? count : 0;
  return status;
}

static int append_by_callbacks(const mjModel* m, mjData* d, const ct_PairList* list) {
  ct_Detail* detail = &ct_private(d)->detail;
  int status = CT_OK;
  detail->lost = detail->hits = 0;
  for (int i = 0; i < list->count; i++) {
    if (list->pair[i].geom1 >= 0) status |= append_by_table(m, d, list->pair[i]);
  }
  if (detail->lost) {
    ct_count_warning(lane_one(), d, mjWARN_CONTACTFULL, d->ncon, detail->lost);
  }
  return status;
}

// As ct_collision, with timers.
int ct_collide_with_users(ct_Walk* w) {
  Lane g = lane_one();
  mjData* d = w->d;
  mjtNum start = ct_clock();
  ct_start_contacts(g, d);
  if (!ct_has_contacts(w->m)) return CT_OK;
  if (!lane_mark(g, d)) return CT_STACK_FULL;
  bool users = ct_has_pair_functions_of_users();
  if (users) w->factored_ahead = false;  // they may edit what was factored
  ct_PairList list = users ? ct_find_pairs(g, w->m, d, mjcb_contactfilter != NULL)
                           : ct_find_touching_pairs(g, w->m, d);
  ct_timer_count(d, mjTIMER_COL_BROAD, start);
  int status = CT_STACK_FULL;
  if (list.pair) {
    mjtNum narrow = ct_clock();
    status = users ? append_by_callbacks(w->m, d, &list) : ct_append_contacts(g, w->m, d, &list);
    ct_timer_count(d, mjTIMER_COL_NARROW, narrow);
    ct_timer_count(d, mjTIMER_POS_COLLISION, start);
  }
  lane_free(g, d);
  return status;
}

mjtNum mj_geomDistance(const mjModel* m, const mjData* d, int geom1, int geom2, mjtNum distmax,
                       mjtNum fromto[6]) {
  int type1 = m->geom_type[geom1], type2 = m->geom_type[geom2];
  bool swapped = type1 > type2;
  int low = swapped ? type2 : type1, high = swapped ? type1 : type2;
  mjfCollision function = mjCOLLISIONFUNC[low][high];
  if (fromto) ct_zero(fromto, 6);
  if (!function) return distmax;
  if (function == built_in[low][high]) return ct_geom_distance(m, d, geom1, geom2, distmax, fromto);
  if (!(m->opt.disableflags & mjDSBL_NATIVECCD) &&
      (function == mjc_Convex || function == mjc_BoxBox)) {
    return ct_convex_distance(m, d, geom1, geom2, distmax, fromto);
  }

  mjContact con[CT_MOST_HITS];
  ct_Hit hit[CT_MOST_HITS];
  int count = function(m, d, con, swapped ? geom2 : geom1, swapped ? geom1 : geom2, distmax);
  if (count > CT_MOST_HITS) count = CT_MOST_HITS;
  for (int i = 0; i < count; i++) {
    ct_set_hit(hit + i, con[i].dist, con[i].pos, con[i].frame);
  }
  return ct_nearest_hit(hit, count, swapped, distmax, fromto);
}
