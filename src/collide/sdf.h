// Shapes as signed distance fields: meshes with an octree, plugins, and primitives that meet them.

#ifndef CT_COLLIDE_SDF_H_
#define CT_COLLIDE_SDF_H_

#include "collide/shape.h"

typedef struct ct_DistanceField_ {  // a shape that does not belong to a plugin, in its own frame
  int type;                         // mjtGeom
  const mjtNum* size;               // half sizes of a primitive
  int octree;                       // of a mesh or signed distance field, -1: none
} ct_DistanceField;

LANE_FN mjtNum ct_field_distance(const mjModel* m, const ct_DistanceField* f, const mjtNum x[3]);
LANE_FN void ct_field_gradient(const mjModel* m, const ct_DistanceField* f, mjtNum gradient[3],
                               const mjtNum x[3]);

// Two distances as one (mjtSDFType but mjSDFTYPE_SINGLE), and their gradients, which are changed.
LANE_FN mjtNum ct_combine_distances(int kind, mjtNum A, mjtNum B);
LANE_FN void ct_combine_gradients(int kind, mjtNum gradient[3], mjtNum A, mjtNum gA[3], mjtNum B,
                                  mjtNum gB[3]);

// Distance of a point of the geom's frame from its surface, negative inside.
LANE_FN mjtNum ct_sdf_distance(const mjModel* m, const mjData* d, int geom, const mjtNum x[3]);

// Contacts of any shape but planes and height fields with a signed distance field.
LANE_FN int ct_sdf_hits(const mjModel* m, const mjData* d, ct_Hit* hit, const ct_Shape* s1,
                        const ct_Shape* s2);

// A ray that is known to hit the box of the geom. Quirk: a length, not a multiple of along.
LANE_FN mjtNum ct_ray_sdf(const mjModel* m, const mjData* d, int geom, const mjtNum from[3],
                          const mjtNum along[3], mjtNum normal[3]);

#endif  // CT_COLLIDE_SDF_H_
