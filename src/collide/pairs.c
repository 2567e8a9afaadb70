#include "collide/pairs.h"

#include "collide/box_box.h"
#include "collide/convex.h"
#include "collide/hfield.h"
#include "collide/plane.h"
#include "collide/sdf.h"
#include "collide/sphere.h"

LANE_FN static int plane_hits(const mjModel* m, ct_Hit* hit, const ct_Shape* s1, const ct_Shape* s2,
                              mjtNum margin) {
  switch (s2->type) {
    case mjGEOM_SPHERE:
      return ct_plane_sphere(hit, s1, s2, margin);
    case mjGEOM_CAPSULE:
      return ct_plane_capsule(hit, s1, s2, margin);
    case mjGEOM_CYLINDER:
      return CT_HAS_SHAPE(mjGEOM_CYLINDER) ? ct_plane_cylinder(hit, s1, s2, margin) : 0;
    case mjGEOM_BOX:
      return CT_HAS_SHAPE(mjGEOM_BOX) ? ct_plane_box(hit, s1, s2, margin) : 0;
    default:
      return CT_HAS_CONVEX ? ct_plane_convex(m, hit, s1, s2, margin) : 0;
  }
}

LANE_FN int ct_raw_hits(const mjModel* m, const mjData* d, ct_Hit* hit, ct_GeomPair pair,
                        mjtNum margin) {
  ct_Shape s1 = ct_shape_of(m, d, pair.geom1), s2 = ct_shape_of(m, d, pair.geom2);
  if (s1.type == mjGEOM_PLANE) return plane_hits(m, hit, &s1, &s2, margin);
  if (CT_HAS_SHAPE(mjGEOM_HFIELD) && s1.type == mjGEOM_HFIELD) {
    return ct_hfield_convex(m, hit, &s1, &s2, margin);
  }
  if (CT_HAS_SHAPE(mjGEOM_SDF) && s2.type == mjGEOM_SDF) return ct_sdf_hits(m, d, hit, &s1, &s2);
  switch (s1.type * mjNGEOMTYPES + s2.type) {
    case mjGEOM_SPHERE* mjNGEOMTYPES + mjGEOM_SPHERE:
      return ct_sphere_sphere(hit, &s1, &s2, margin);
    case mjGEOM_SPHERE* mjNGEOMTYPES + mjGEOM_CAPSULE:
      return ct_sphere_capsule(hit, &s1, &s2, margin);
    case mjGEOM_SPHERE* mjNGEOMTYPES + mjGEOM_CYLINDER:
      return CT_HAS_SHAPE(mjGEOM_CYLINDER) ? ct_sphere_cylinder(hit, &s1, &s2, margin) : 0;
    case mjGEOM_SPHERE* mjNGEOMTYPES + mjGEOM_BOX:
      return CT_HAS_SHAPE(mjGEOM_BOX) ? ct_point_box(hit, s1.pos, s1.size[0], &s2, margin) : 0;
    case mjGEOM_CAPSULE* mjNGEOMTYPES + mjGEOM_CAPSULE:
      return ct_capsule_capsule(hit, &s1, &s2, margin);
    case mjGEOM_CAPSULE* mjNGEOMTYPES + mjGEOM_BOX:
      return CT_HAS_SHAPE(mjGEOM_BOX) ? ct_capsule_box(hit, &s1, &s2, margin) : 0;
    case mjGEOM_BOX* mjNGEOMTYPES + mjGEOM_BOX:
      return CT_HAS_SHAPE(mjGEOM_BOX) ? ct_box_box(hit, &s1, &s2, margin) : 0;
    default:
      return CT_HAS_CONVEX ? ct_convex(m, hit, &s1, &s2, margin) : 0;
  }
}

LANE_FN int ct_collide_pair(const mjModel* m, const mjData* d, ct_Hit* hit, ct_GeomPair pair,
                            mjtNum margin) {
  int count = ct_raw_hits(m, d, hit, pair, margin);
  if (CT_HAS_SHAPE(mjGEOM_BOX) && count && m->geom_type[pair.geom1] == mjGEOM_BOX &&
      m->geom_type[pair.geom2] == mjGEOM_BOX) {
    ct_Shape s1 = ct_shape_of(m, d, pair.geom1), s2 = ct_shape_of(m, d, pair.geom2);
    count = ct_box_box_clean(hit, count, &s1, &s2, margin);
  }
  return count;
}
