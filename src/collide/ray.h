// Rays against shapes and geoms.
//
// A ray is pnt + x vec, x >= 0; vec need not have length 1, and x, which is what all functions
// return, is in units of it; -1 without a hit. The normal points out of the shape, also if the ray
// comes from inside; NULL if nobody asks, zero without a hit.

#ifndef CT_COLLIDE_RAY_H_
#define CT_COLLIDE_RAY_H_

#include "collide/shape.h"

// One shape: plane, sphere, capsule, ellipsoid, cylinder or box.
LANE_FN mjtNum ct_ray_shape(const mjtNum pos[3], const mjtNum mat[9], const mjtNum size[3],
                            int type, const mjtNum pnt[3], const mjtNum vec[3], mjtNum normal[3]);

LANE_FN mjtNum ct_ray_mesh(const mjModel* m, const mjData* d, int geom, const mjtNum pnt[3],
                           const mjtNum vec[3], mjtNum normal[3]);
LANE_FN mjtNum ct_ray_hfield(const mjModel* m, const mjData* d, int geom, const mjtNum pnt[3],
                             const mjtNum vec[3], mjtNum normal[3]);

// A geom of any type.
LANE_FN mjtNum ct_ray_geom(const mjModel* m, const mjData* d, int geom, const mjtNum pnt[3],
                           const mjtNum vec[3], mjtNum normal[3]);

// Which geoms a ray sees.
typedef struct ct_RayFilter_ {
  const mjtByte* group;  // (mjNGROUP) groups that count; NULL: all
  bool fixed;            // also geoms that cannot move
  int exclude;           // body whose geoms do not count, -1: none
} ct_RayFilter;

// The nearest geom; its id goes to geom (-1 without a hit) unless that is NULL.
LANE_FN mjtNum ct_ray(const mjModel* m, const mjData* d, const mjtNum pnt[3], const mjtNum vec[3],
                      ct_RayFilter filter, int* geom, mjtNum normal[3]);

// count rays from one point, vec (count x 3); results in geom (count), dist (count) and normal
// (count x 3), geom and normal may be NULL. Nothing is seen beyond cutoff. Not the same as count
// single rays: see ray.c. False without room for scratch.
LANE_FN bool ct_multi_ray(Lane g, const mjModel* m, mjData* d, const mjtNum pnt[3],
                          const mjtNum* vec, ct_RayFilter filter, int* geom, mjtNum* dist,
                          mjtNum* normal, int count, mjtNum cutoff);

#endif  // CT_COLLIDE_RAY_H_
