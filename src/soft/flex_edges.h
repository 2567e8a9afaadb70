// Lengths of edges, strains of vertices, and how they change with the dofs.

#ifndef CT_SOFT_FLEX_EDGES_H_
#define CT_SOFT_FLEX_EDGES_H_

#include "soft/flex.h"

// flexedge_length, flexedge_J; flexvert_length, flexvert_J (flex_strain.c).
LANE_FN int ct_flex_edges(Lane g, const mjModel* m, mjData* d);

// flexedge_velocity.
LANE_FN int ct_flex_velocity(Lane g, const mjModel* m, mjData* d);

// Strains of the vertices of one flex, if it has them (ct_has_strains).
LANE_FN void ct_flex_strains(Lane g, const mjModel* m, mjData* d, int f);

// An edge at rest in the plane of a flex that has strains: the vector from its first vertex to its
// second.
LANE_INLINE void ct_rest_edge(const mjModel* m, int f, int edge, mjtNum x[3]) {
  const int* end = m->flex_edge + 2 * (m->flex_edgeadr[f] + edge);
  const mjtNum* vert0 = m->flex_vert0 + 3 * m->flex_vertadr[f];
  for (int k = 0; k < 3; k++) {
    x[k] = (vert0[3 * end[1] + k] - vert0[3 * end[0] + k]) * 2 * m->flex_size[3 * f + k];
  }
}

// Its weight, seen from one of its vertices: the mass at the other one.
LANE_INLINE mjtNum ct_edge_weight(const mjModel* m, int f, int edge, int vertex) {
  const int* end = m->flex_edge + 2 * (m->flex_edgeadr[f] + edge);
  int other = end[0] == vertex ? end[1] : end[0];
  return ct_max(mjMINVAL, m->body_mass[ct_vertex_body(m, f, other)]);
}

#endif  // CT_SOFT_FLEX_EDGES_H_
