// A plane against everything else.
//
// The plane is shape 1, its normal n the z axis of its frame; what lies below it penetrates. The
// distance of a point is its height c = (x - p1) . n. Functions return the number of hits.

#ifndef CT_COLLIDE_PLANE_H_
#define CT_COLLIDE_PLANE_H_

#include "collide/shape.h"

// A sphere around a point: also the cap of a capsule and the end of a cylinder.
LANE_INLINE int ct_plane_point(ct_Hit* hit, const mjtNum plane[3], const mjtNum normal[3],
                               const mjtNum centre[3], mjtNum radius, mjtNum margin) {
  mjtNum offset[3], pos[3];
  ct_sub3(offset, centre, plane);
  mjtNum height = ct_dot3(offset, normal);
  if (height > margin + radius) return 0;
  mjtNum dist = height - radius;
  ct_add_scl3(pos, centre, normal, -dist / 2 - radius);
  ct_set_hit(hit, dist, pos, normal);
  return 1;
}

LANE_INLINE int ct_plane_sphere(ct_Hit* hit, const ct_Shape* plane, const ct_Shape* sphere,
                                mjtNum margin) {
  mjtNum n[3];
  ct_column3(n, plane->mat, 2);
  return ct_plane_point(hit, plane->pos, n, sphere->pos, sphere->size[0], margin);
}

// Both caps; the tangent follows the axis, so that rolling friction acts across it.
LANE_INLINE int ct_plane_capsule(ct_Hit* hit, const ct_Shape* plane, const ct_Shape* capsule,
                                 mjtNum margin) {
  mjtNum n[3], axis[3], end[3];
  int count = 0;
  ct_column3(n, plane->mat, 2);
  ct_column3(axis, capsule->mat, 2);
  for (int side = 1; side >= -1; side -= 2) {
    mjtNum half[3];
    ct_scl3(half, axis, (mjtNum)side * capsule->size[1]);
    ct_add3(end, capsule->pos, half);
    if (ct_plane_point(hit + count, plane->pos, n, end, capsule->size[0], margin)) {
      ct_copy3(hit[count++].frame + 3, axis);
    }
  }
  return count;
}

LANE_FN int ct_plane_cylinder(ct_Hit* hit, const ct_Shape* plane, const ct_Shape* cylinder,
                              mjtNum margin);
LANE_FN int ct_plane_box(ct_Hit* hit, const ct_Shape* plane, const ct_Shape* box, mjtNum margin);

// An ellipsoid, or a mesh with up to three of its vertices.
LANE_FN int ct_plane_convex(const mjModel* m, ct_Hit* hit, const ct_Shape* plane,
                            const ct_Shape* convex, mjtNum margin);

#endif  // CT_COLLIDE_PLANE_H_
