// Spheres and capsules against each other and against cylinders and boxes.
//
// Everything round comes down to two spheres: a capsule is the sphere around the point of its axis
// that is nearest to the other shape. Functions return the number of hits.

#ifndef CT_COLLIDE_SPHERE_H_
#define CT_COLLIDE_SPHERE_H_

#include "collide/plane.h"

// Spheres around two points. axis1 and axis2 replace the normal if the points coincide: it is then
// perpendicular to both, or the x axis if they are parallel.
LANE_INLINE int ct_two_spheres(ct_Hit* hit, const mjtNum p1[3], const mjtNum axis1[3], mjtNum r1,
                               const mjtNum p2[3], const mjtNum axis2[3], mjtNum r2,
                               mjtNum margin) {
  mjtNum apart[3], n[3], pos[3];
  ct_sub3(apart, p1, p2);
  mjtNum squared = ct_dot3(apart, apart), reach = margin + r1 + r2;
  if (squared > reach * reach) return 0;
  mjtNum dist = ct_sqrt(squared) - r1 - r2;
  ct_sub3(n, p2, p1);
  if (ct_normalize3(n) < (mjtNum)mjMINVAL) {
    ct_cross(n, axis1, axis2);
    ct_normalize3(n);
  }
  ct_scl3(pos, n, r1 + dist / 2);
  ct_add_to3(pos, p1);
  ct_set_hit(hit, dist, pos, n);
  return 1;
}

LANE_INLINE int ct_sphere_sphere(ct_Hit* hit, const ct_Shape* s1, const ct_Shape* s2,
                                 mjtNum margin) {
  mjtNum z1[3], z2[3];
  ct_column3(z1, s1->mat, 2);
  ct_column3(z2, s2->mat, 2);
  return ct_two_spheres(hit, s1->pos, z1, s1->size[0], s2->pos, z2, s2->size[0], margin);
}

LANE_INLINE int ct_sphere_capsule(ct_Hit* hit, const ct_Shape* sphere, const ct_Shape* capsule,
                                  mjtNum margin) {
  mjtNum z1[3], z2[3], offset[3], nearest[3];
  ct_column3(z1, sphere->mat, 2);
  ct_column3(z2, capsule->mat, 2);
  ct_sub3(offset, sphere->pos, capsule->pos);
  mjtNum x = ct_clip(ct_dot3(z2, offset), -capsule->size[1], capsule->size[1]);
  ct_add_scl3(nearest, capsule->pos, z2, x);
  return ct_two_spheres(hit, sphere->pos, z1, sphere->size[0], nearest, z2, capsule->size[0],
                        margin);
}

LANE_FN int ct_sphere_cylinder(ct_Hit* hit, const ct_Shape* sphere, const ct_Shape* cylinder,
                               mjtNum margin);
LANE_FN int ct_capsule_capsule(ct_Hit* hit, const ct_Shape* c1, const ct_Shape* c2, mjtNum margin);

// A sphere around a point against a box.
LANE_FN int ct_point_box(ct_Hit* hit, const mjtNum centre[3], mjtNum radius, const ct_Shape* box,
                         mjtNum margin);

LANE_FN int ct_capsule_box(ct_Hit* hit, const ct_Shape* capsule, const ct_Shape* box,
                           mjtNum margin);

#endif  // CT_COLLIDE_SPHERE_H_
