// What pair functions work on: two posed shapes in, a few hits out.
//
// A pair function gets its shapes in ascending order of type and reports up to CT_MOST_HITS hits
// whose distance is at most the margin. It knows nothing of lanes, contacts or parameters. Poses
// are pointers, so that the same function serves geoms, height-field frames and perturbed poses.

#ifndef CT_COLLIDE_SHAPE_H_
#define CT_COLLIDE_SHAPE_H_

#include <math.h>
#include <stdbool.h>

#include <mujoco/mujoco.h>

#include "base/lanes.h"
#include "math/mat.h"

// A kernel of a GPU may be made for models with some types of geoms only, so that it has no other
// pair functions in it: CT_ONLY_SHAPES has a bit for each type of mjtGeom.
#ifdef CT_ONLY_SHAPES
#define CT_HAS_SHAPE(type_) (((CT_ONLY_SHAPES) >> (type_)&1) != 0)
#else
#define CT_HAS_SHAPE(type_) true
#endif
// Is there a pair without a formula of its own?
#define CT_HAS_CONVEX                                                                              \
  (CT_HAS_SHAPE(mjGEOM_ELLIPSOID) || CT_HAS_SHAPE(mjGEOM_CYLINDER) || CT_HAS_SHAPE(mjGEOM_MESH) || \
   CT_HAS_SHAPE(mjGEOM_HFIELD) || CT_HAS_SHAPE(mjGEOM_SDF))

enum { CT_MOST_HITS = CT_HAS_CONVEX || CT_HAS_SHAPE(mjGEOM_BOX) ? mjMAXCONPAIR : 4 };

typedef struct ct_Shape_ {
  const mjtNum* pos;   // centre, world
  const mjtNum* mat;   // axes as columns, world
  const mjtNum* size;  // half sizes, their meaning depends on the type
  int type;            // mjtGeom
  int geom;            // id, for meshes and height fields; -1: not a geom
} ct_Shape;

typedef struct ct_Hit_ {
  mjtNum dist;      // between the surfaces, negative: depth
  mjtNum pos[3];    // middle between the nearest points
  mjtNum frame[6];  // normal from shape 1 to shape 2; wish for the first tangent, 0: none
} ct_Hit;

LANE_INLINE ct_Shape ct_shape_of(const mjModel* m, const mjData* d, int geom) {
  ct_Shape s;
  s.pos = d->geom_xpos + 3 * geom;
  s.mat = d->geom_xmat + 9 * geom;
  s.size = m->geom_size + 3 * geom;
  s.type = m->geom_type[geom];
  s.geom = geom;
  return s;
}

// Are all numbers finite? A shape whose pose is not is nowhere.
LANE_INLINE bool ct_are_finite(const mjtNum* x, int n) {
  for (int i = 0; i < n; i++) {
    if (!isfinite(x[i])) return false;
  }
  return true;
}

// Column k of a rotation matrix.
LANE_INLINE void ct_column3(mjtNum res[3], const mjtNum mat[9], int k) {
  res[0] = mat[k];
  res[1] = mat[3 + k];
  res[2] = mat[6 + k];
}

LANE_INLINE void ct_set_hit(ct_Hit* hit, mjtNum dist, const mjtNum pos[3], const mjtNum normal[3]) {
  hit->dist = dist;
  ct_copy3(hit->pos, pos);
  ct_copy3(hit->frame, normal);
  ct_zero3(hit->frame + 3);
}

LANE_INLINE void ct_swap_normal(ct_Hit* hit) {
  ct_scl3(hit->frame, hit->frame, -1);
}

#endif  // CT_COLLIDE_SHAPE_H_
