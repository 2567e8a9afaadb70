// Rays against shapes and geoms.
//
// A ray is from + x along, x >= 0, in the world; along need not have length 1, and x, which is what
// all functions return, is in units of it; -1 without a hit. The normal points out of the shape,
// also if the ray comes from inside; NULL if nobody asks, zero without a hit.

#ifndef CT_COLLIDE_RAY_H_
#define CT_COLLIDE_RAY_H_

#include "collide/shape.h"

// One shape: plane, sphere, capsule, ellipsoid, cylinder or box; nothing for other types.
LANE_FN mjtNum ct_ray_shape(const ct_Shape* shape, const mjtNum from[3], const mjtNum along[3],
                            mjtNum normal[3]);

// One triangle, from either side; its normal is by the order of the corners.
LANE_FN mjtNum ct_ray_triangle(const mjtNum v[3][3], const mjtNum from[3], const mjtNum along[3],
                               mjtNum normal[3]);

LANE_FN mjtNum ct_ray_mesh(const mjModel* m, const mjData* d, int geom, const mjtNum from[3],
                           const mjtNum along[3], mjtNum normal[3]);
LANE_FN mjtNum ct_ray_hfield(const mjModel* m, const mjData* d, int geom, const mjtNum from[3],
                             const mjtNum along[3], mjtNum normal[3]);

// A geom of any type.
LANE_FN mjtNum ct_ray_geom(const mjModel* m, const mjData* d, int geom, const mjtNum from[3],
                           const mjtNum along[3], mjtNum normal[3]);

// Which geoms a ray sees.
typedef struct ct_RayFilter_ {
  const mjtByte* group;  // (mjNGROUP) groups that count; NULL: all
  bool fixed;            // also geoms that cannot move
  int exclude;           // body whose geoms do not count, -1: none
} ct_RayFilter;

// The nearest geom; its id goes to geom (-1 without a hit) unless that is NULL.
LANE_FN mjtNum ct_ray(const mjModel* m, const mjData* d, const mjtNum from[3],
                      const mjtNum along[3], ct_RayFilter filter, int* geom, mjtNum normal[3]);

// count rays from one point, along (count x 3); results in geom (count), dist (count) and normal
// (count x 3), geom and normal may be NULL. Nothing is seen beyond cutoff. Not the same as count
// single rays: see ray.c. Returns CT_OK or CT_STACK_FULL.
LANE_FN int ct_multi_ray(Lane g, const mjModel* m, mjData* d, const mjtNum from[3],
                         const mjtNum* along, ct_RayFilter filter, int* geom, mjtNum* dist,
                         mjtNum* normal, int count, mjtNum cutoff);

#endif  // CT_COLLIDE_RAY_H_
