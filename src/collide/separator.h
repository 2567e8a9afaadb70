// Directions that keep convex shapes apart, remembered from step to step.
//
// Most pairs whose boxes meet do not touch, and GJK takes four support points to find a direction
// along which they are apart. The direction of the step before nearly always still proves that,
// with one support point of each. It lives in the frame of the first geom, in a table behind the
// mjData. A proof only replaces a search that would find nothing, so no number depends on what the
// table holds: a pair that it has forgotten is searched.
//
// For one lane on the CPU: lanes would write to the table at the same time.

#ifndef CT_COLLIDE_SEPARATOR_H_
#define CT_COLLIDE_SEPARATOR_H_

#include "collide/contact.h"

// Is the pair left to GJK, because it has no formula of its own (pairs.c)?
LANE_INLINE bool ct_is_found_by_gjk(const mjModel* m, ct_GeomPair pair) {
  const unsigned simple = 1u << mjGEOM_SPHERE | 1u << mjGEOM_CAPSULE | 1u << mjGEOM_BOX;
  int type1 = m->geom_type[pair.geom1], type2 = m->geom_type[pair.geom2];
  return type1 >= mjGEOM_SPHERE && type2 <= mjGEOM_MESH &&
         (simple >> type1 & simple >> type2 & 1) == 0 &&
         !(type1 == mjGEOM_SPHERE && type2 == mjGEOM_CYLINDER) &&
         !(m->opt.disableflags & mjDSBL_NATIVECCD);
}

// ct_collide_pair for such a pair.
int ct_collide_remembering(const mjModel* m, mjData* d, ct_Hit* hit, ct_GeomPair pair,
                           mjtNum margin);

#endif  // CT_COLLIDE_SEPARATOR_H_
