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

// The same without some pairs that have no contact by their pair functions. All masks count.
LANE_FN ct_PairList ct_find_touching_pairs(Lane g, const mjModel* m, mjData* d);

// Is there room for the contacts of one more pair, behind ncon of them?
LANE_INLINE bool ct_contacts_have_room(const mjData* d, int ncon) {
  size_t wanted = ((size_t)ncon + CT_MOST_HITS) * sizeof(mjContact) + d->pstack;
  return wanted <= (size_t)d->narena;
}

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

// ct_boxes_meet of two geoms, within their margin. That of the body with the smaller id comes
// first.
LANE_FN static inline bool ct_geom_boxes_meet(const mjModel* m, const mjData* d, ct_GeomPair p) {
  bool swap = m->geom_bodyid[p.geom1] > m->geom_bodyid[p.geom2];
  int g1 = swap ? p.geom2 : p.geom1, g2 = swap ? p.geom1 : p.geom2;
  return ct_boxes_meet(m->geom_aabb + 6 * g1, d->geom_xpos + 3 * g1, d->geom_xmat + 9 * g1,
                       m->geom_aabb + 6 * g2, d->geom_xpos + 3 * g2, d->geom_xmat + 9 * g2,
                       ct_pair_margin(m, p));
}

#ifndef __CUDACC__
// Is a pair whose spheres meet worth a closer look? how: as in the list of meetings; close: boxes
// around the spheres meet too; sleep: somebody does; loose: somebody else asks about boxes of round
// pairs.
LANE_FN bool ct_may_touch(const mjModel* m, const mjData* d, ct_GeomPair p, int how, bool close,
                          bool sleep, bool loose);
#endif

// Spheres and capsules with an axis.
LANE_INLINE bool ct_is_round_pair(const mjModel* m, int g1, int g2) {
  int type1 = m->geom_type[g1], type2 = m->geom_type[g2];
  if ((type1 != mjGEOM_SPHERE && type1 != mjGEOM_CAPSULE) ||
      (type2 != mjGEOM_SPHERE && type2 != mjGEOM_CAPSULE)) {
    return false;
  }
  const mjtNum least = (mjtNum)1e-10;
  return (type1 == mjGEOM_SPHERE || m->geom_size[3 * g1 + 1] > least) &&
         (type2 == mjGEOM_SPHERE || m->geom_size[3 * g2 + 1] > least);
}

#endif  // CT_COLLIDE_CANDIDATES_H_
