// Distance and penetration of two convex shapes, known by their support points only.
//
// The shapes touch where their Minkowski difference {a - b} contains the origin. Its vertices are
// differences of support points. GJK walks towards the point of it that is nearest to the origin;
// if that is the origin itself, EPA finds the nearest point of its surface.

#ifndef CT_COLLIDE_CCD_H_
#define CT_COLLIDE_CCD_H_

#include "collide/support.h"

// Farther than any cutoff: the shapes are apart, and nobody knows how far.
#ifdef mjUSESINGLE
#define CT_CCD_FAR FLT_MAX
#else
#define CT_CCD_FAR DBL_MAX
#endif

typedef struct ct_CcdVertex_ {
  mjtNum w[3], a[3], b[3];  // w = a - b, a of shape 1, b of shape 2
  int code1, code2;         // corners of the shapes, -1: no corner
} ct_CcdVertex;

typedef struct ct_Ccd_ {
  ct_Support s1, s2;
  mjtNum tolerance, cutoff;  // cutoff <= 0: only whether they touch matters
  int iterations;
  mjtNum direction[3];  // of the last vertex; where the shapes are apart, along it
  bool discrete;        // both have corners and nothing else: exact arithmetic ends
  // results
  mjtNum dist;              // negative: depth; CT_CCD_FAR: apart
  mjtNum x1[3], x2[3];      // nearest, or deepest, points of the two shapes
  bool witness;             // are x1, x2 set?
  ct_CcdVertex simplex[4];  // GJK's last, with weights
  mjtNum weight[4];
  int count;
  ct_CcdVertex face[3];  // EPA's last face
  bool has_face;
} ct_Ccd;

LANE_FN void ct_ccd_vertex(ct_Ccd* c, ct_CcdVertex* v, const mjtNum direction[3]);

// From the simplex to dist, x1, x2, in distance mode (cutoff > 0) or contact mode.
LANE_FN void ct_gjk(ct_Ccd* c);

// From a simplex that holds the origin to depth, x1, x2. dist is 0 if it fails.
LANE_FN void ct_epa(ct_Ccd* c);

// Both, with the short cut for round shapes: their cores first, then the shapes themselves.
LANE_FN void ct_ccd(ct_Ccd* c);

// The nearest point to the origin on the plane of a triangle; false if it has no area.
LANE_FN bool ct_project_origin(mjtNum res[3], const mjtNum s1[3], const mjtNum s2[3],
                               const mjtNum s3[3]);

// Barycentric coordinates, before division: p = sum C_i s_i / M. Returns M.
LANE_FN mjtNum ct_triangle_coordinates(mjtNum C[3], const mjtNum p[3], const mjtNum s1[3],
                                       const mjtNum s2[3], const mjtNum s3[3]);

#endif  // CT_COLLIDE_CCD_H_
