// Where elements of flexes touch geoms and each other. Hits as in collide/shape.h, normals from the
// first side to the second.

#ifndef CT_SOFT_ELEMENT_HITS_H_
#define CT_SOFT_ELEMENT_HITS_H_

#include "collide/shape.h"
#include "soft/flex.h"

// A vertex and a plane.
LANE_FN int ct_plane_vertex(const mjModel* m, const mjData* d, ct_Hit* hit, int geom, int f, int v,
                            mjtNum margin);

// A geom, which is not a plane, and an element.
LANE_FN int ct_geom_element(const mjModel* m, const mjData* d, ct_Hit* hit, int geom, int f, int e,
                            mjtNum margin);

// Two elements.
LANE_FN int ct_element_element(const mjModel* m, const mjData* d, ct_Hit* hit, int f1, int e1,
                               int f2, int e2, mjtNum margin);

// A vertex and another element of the same flex, of lines or triangles.
LANE_FN int ct_vertex_element(const mjModel* m, const mjData* d, ct_Hit* hit, int f, int v, int e);

// Face `face` (0 to 3) of a tetrahedron and the vertex opposite it, which is returned in *vertex.
LANE_FN int ct_face_vertex(const mjModel* m, const mjData* d, ct_Hit* hit, int f, int e, int face,
                           int* vertex);

#endif  // CT_SOFT_ELEMENT_HITS_H_
