// The planes of the four faces of a tetrahedron.

#ifndef CT_COLLIDE_FACE_PLANES_H_
#define CT_COLLIDE_FACE_PLANES_H_

#include "collide/ccd.h"
#include "math/wide_spatial.h"

// The plane of a face: its normal, which points outward if the vertices are in the right order, and
// how far the origin is behind it, negative if it is in front. A face without area, or too large
// for squares, has the origin far behind and a normal of any length.
typedef struct ct_FacePlane_ {
  mjtNum normal[3], behind;
} ct_FacePlane;

// The planes of all four; face i is the one opposite to vertex i.
typedef struct ct_FacePlanes_ {
  mjtNum normal[3][4], behind[4];
} ct_FacePlanes;

#define CT_LARGEST_AREA_SQUARED ((mjtNum)1e20)

LANE_INLINE ct_FacePlane ct_plane_opposite(const ct_CcdVertex* const v[4], int vertex) {
  const int corners[4][3] = {{2, 3, 1}, {0, 3, 2}, {1, 3, 0}, {0, 2, 1}};
  const mjtNum* from = v[corners[vertex][0]]->w;
  ct_FacePlane plane;
  mjtNum edge[2][3];
  for (int k = 0; k < 2; k++) ct_sub3(edge[k], v[corners[vertex][k + 1]]->w, from);
  ct_cross(plane.normal, edge[0], edge[1]);
  mjtNum squared = ct_dot3(plane.normal, plane.normal);
  bool good = squared > (mjtNum)mjMINVAL * (mjtNum)mjMINVAL && squared < CT_LARGEST_AREA_SQUARED;
  if (good) ct_scl3(plane.normal, plane.normal, 1 / ct_sqrt(squared));
  plane.behind = good ? ct_dot3(plane.normal, from) : CT_CCD_FAR;
  return plane;
}

LANE_INLINE void ct_planes_one_by_one(ct_FacePlanes* planes, const ct_CcdVertex* const v[4]) {
  for (int i = 0; i < 4; i++) {
    ct_FacePlane plane = ct_plane_opposite(v, i);
    for (int k = 0; k < 3; k++) planes->normal[k][i] = plane.normal[k];
    planes->behind[i] = plane.behind;
  }
}

#if LANE_WIDTH > 1
// All four at once, with the bits of one by one where the planes are good.
LANE_INLINE void ct_planes_at_once(ct_FacePlanes* planes, const ct_CcdVertex* const v[4]) {
  const mjtNum *a = v[0]->w, *b = v[1]->w, *c = v[2]->w, *d = v[3]->w;
  Wide from[3], edge[2][3], normal[3];
  for (int k = 0; k < 3; k++) {
    Wide first = {c[k], a[k], b[k], a[k]}, second = {d[k], d[k], d[k], c[k]};
    Wide third = {b[k], c[k], a[k], b[k]};
    from[k] = first;
    edge[0][k] = second - first;
    edge[1][k] = third - first;
  }
  wide_cross(normal, edge[0], edge[1]);
  Wide squared = normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2];
  WideMask good = (squared > wide_all((mjtNum)mjMINVAL * (mjtNum)mjMINVAL)) &
                  (squared < wide_all(CT_LARGEST_AREA_SQUARED));
  Wide scale = wide_all(1) / wide_sqrt(squared);
  for (int k = 0; k < 3; k++) normal[k] *= scale;
  Wide behind = normal[0] * from[0] + normal[1] * from[1] + normal[2] * from[2];
  for (int k = 0; k < 3; k++) wide_store(planes->normal[k], normal[k]);
  wide_store(planes->behind, wide_choose(good, behind, ~good, wide_all(CT_CCD_FAR)));
}
#endif

#endif  // CT_COLLIDE_FACE_PLANES_H_
