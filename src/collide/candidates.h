// Which pairs of geoms have to be looked at, in the order in which their contacts are stored.

#ifndef CT_COLLIDE_CANDIDATES_H_
#define CT_COLLIDE_CANDIDATES_H_

#include "collide/contact.h"

typedef struct ct_PairList_ {
  ct_GeomPair* pair;  // NULL: no room
  int count;
} ct_PairList;

// The list lies on the stack of d: mark before, free after. all_masks: do not look at contype and
// conaffinity of single geoms, because a callback decides instead.
LANE_FN ct_PairList ct_find_pairs(Lane g, const mjModel* m, mjData* d, bool all_masks);

// Could the two geoms be within the margin? By bounding spheres; a plane bounds itself.
LANE_INLINE bool ct_spheres_meet(const mjModel* m, const mjData* d, int g1, int g2, mjtNum margin) {
  mjtNum r1 = m->geom_rbound[g1], r2 = m->geom_rbound[g2], offset[3], axis[3];
  const mjtNum *p1 = d->geom_xpos + 3 * g1, *p2 = d->geom_xpos + 3 * g2;
  if (r1 > 0 && r2 > 0) {
    mjtNum reach = r1 + r2 + margin;
    ct_sub3(offset, p1, p2);
    return !(ct_dot3(offset, offset) > reach * reach);
  }
  int plane = m->geom_type[g1] == mjGEOM_PLANE ? g1 : m->geom_type[g2] == mjGEOM_PLANE ? g2 : -1;
  mjtNum r = plane == g1 ? r2 : r1;
  if (plane < 0 || !(r > 0)) return true;
  ct_sub3(offset, plane == g1 ? p2 : p1, plane == g1 ? p1 : p2);
  ct_column3(axis, d->geom_xmat + 9 * plane, 2);
  return !(ct_dot3(axis, offset) > margin + r);
}

// Could two boxes, centre and half sizes in frames of their own, be within the margin? By the six
// normals of their faces. Axes on which the other box is infinite decide nothing.
LANE_FN bool ct_boxes_meet(const mjtNum box1[6], const mjtNum pos1[3], const mjtNum mat1[9],
                           const mjtNum box2[6], const mjtNum pos2[3], const mjtNum mat2[9],
                           mjtNum margin);

// The same, one axis after the other: what ct_boxes_meet asks where six at once leave doubt.
LANE_FN bool ct_boxes_meet_exactly(const mjtNum box1[6], const mjtNum pos1[3], const mjtNum mat1[9],
                                   const mjtNum box2[6], const mjtNum pos2[3], const mjtNum mat2[9],
                                   mjtNum margin);

#endif  // CT_COLLIDE_CANDIDATES_H_
