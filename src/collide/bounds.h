// Boxes along the axes of the world that bound geoms and bodies, for candidates.c and search.c.

#ifndef CT_COLLIDE_BOUNDS_H_
#define CT_COLLIDE_BOUNDS_H_

#include <math.h>

#include "base/model/awake.h"
#include "collide/contact.h"

typedef struct ct_Box_ {
  mjtNum low[3], high[3];
} ct_Box;

LANE_INLINE bool ct_boxes_apart(const ct_Box* a, const ct_Box* b) {
  for (int k = 0; k < 3; k++) {
    if (a->low[k] > b->high[k] || b->low[k] > a->high[k]) return true;
  }
  return false;
}

// Half of the margin of a pair, for each side.
LANE_INLINE mjtNum ct_margin_of_geom(const mjModel* m, int geom) {
  return m->opt.enableflags & mjENBL_OVERRIDE ? m->opt.o_margin / 2 : m->geom_margin[geom];
}

// The world, and fixed bodies with a plane: no box could bound them.
LANE_FN static inline bool ct_is_everywhere(const mjModel* m, int b) {
  if (b == 0) return true;
  if (m->body_weldid[b] != 0) return false;
  for (int i = 0; i < m->body_geomnum[b]; i++) {
    if (m->geom_type[m->body_geomadr[b] + i] == mjGEOM_PLANE) return true;
  }
  return false;
}

LANE_INLINE ct_Box ct_endless_box(void) {
  const mjtNum far = (mjtNum)HUGE_VAL;
  ct_Box box = {{-far, -far, -far}, {far, far, far}};
  return box;
}

LANE_INLINE ct_Box ct_box_around_geom(const mjModel* m, const mjData* d, int geom) {
  const mjtNum* p = d->geom_xpos + 3 * geom;
  mjtNum r = m->geom_rbound[geom] + ct_margin_of_geom(m, geom);
  ct_Box box = {{p[0] - r, p[1] - r, p[2] - r}, {p[0] + r, p[1] + r, p[2] + r}};
  return box;
}

LANE_INLINE void ct_grow_box(ct_Box* box, const ct_Box* other) {
  for (int k = 0; k < 3; k++) {
    box->low[k] = other->low[k] < box->low[k] ? other->low[k] : box->low[k];
    box->high[k] = other->high[k] > box->high[k] ? other->high[k] : box->high[k];
  }
}

// False if a number is none, or infinite: then nobody knows where the body is not.
LANE_INLINE bool ct_is_box(const ct_Box* box) {
  mjtNum sides = 0;
  for (int k = 0; k < 3; k++) sides += box->high[k] - box->low[k];
  return sides < (mjtNum)HUGE_VAL;
}

LANE_FN static inline ct_Box ct_box_around_body(const mjModel* m, const mjData* d, int b) {
  int first = m->body_geomadr[b], end = first + m->body_geomnum[b];
  ct_Box bound = ct_box_around_geom(m, d, first);
  for (int geom = first + 1; geom < end; geom++) {
    ct_Box box = ct_box_around_geom(m, d, geom);
    ct_grow_box(&bound, &box);
  }
  return ct_is_everywhere(m, b) || !ct_is_box(&bound) ? ct_endless_box() : bound;
}

enum { CT_LARGE_BODY = 16 };  // geoms from which on it pays to bound each of them

// Such a box of a geom; endless for planes.
LANE_INLINE ct_Box ct_box_in_large_body(const mjModel* m, const mjData* d, int geom) {
  return m->geom_rbound[geom] > 0 ? ct_box_around_geom(m, d, geom) : ct_endless_box();
}

// Can the bounding sphere of a geom reach the box of a body? Planes can.
LANE_FN static inline bool ct_geom_near_body(const mjModel* m, const mjData* d, const ct_Box* body,
                                             int geom) {
  if (!(m->geom_rbound[geom] > 0)) return true;
  ct_Box box = ct_box_around_geom(m, d, geom);
  return !ct_boxes_apart(&box, body);
}

// Do sleeping bodies meet nothing that could wake them?
LANE_INLINE bool ct_sleep_apart(const mjModel* m, const mjData* d, int b1, int b2) {
  bool asleep1 = ct_body_asleep(d, b1), asleep2 = ct_body_asleep(d, b2);
  return (asleep1 && (asleep2 || m->body_weldid[b2] == 0)) || (asleep2 && m->body_weldid[b1] == 0);
}

// Is it a predefined pair that nothing could wake?
LANE_INLINE bool ct_predefined_asleep(const mjModel* m, const mjData* d, int k) {
  if (!(m->opt.enableflags & mjENBL_SLEEP)) return false;
  int b1 = m->geom_bodyid[m->pair_geom1[k]], b2 = m->geom_bodyid[m->pair_geom2[k]];
  return d->body_awake[b1] != 1 && d->body_awake[b2] != 1;
}

LANE_INLINE ct_GeomPair ct_ordered_pair(const mjModel* m, int g1, int g2, int predefined) {
  bool swap = m->geom_type[g1] > m->geom_type[g2];
  ct_GeomPair p = {swap ? g2 : g1, swap ? g1 : g2, predefined};
  return p;
}

#endif  // CT_COLLIDE_BOUNDS_H_
