// Support points: the point of a shape that is farthest in a direction.
//
// That is all that convex collision wants to know of a shape. A support remembers the mesh vertex
// that it answered last, because the next direction is usually near the last one; which vertex wins
// a tie depends on that memory, so it lives as long as the pair. Directions have length 1.

#ifndef CT_COLLIDE_SUPPORT_H_
#define CT_COLLIDE_SUPPORT_H_

#include <float.h>

#include "collide/shape.h"

// Convex hull of a mesh as a graph: vertices of the hull and which of them are neighbours.
typedef struct ct_HullGraph_ {
  int count;            // vertices of the hull
  const int* edge_adr;  // (count) where the neighbours of each start
  const int* vertex;    // (count) id in the mesh
  const int* edge;      // lists of neighbours, each ended by -1
} ct_HullGraph;

LANE_INLINE ct_HullGraph ct_hull_graph(const mjModel* m, int mesh) {
  const int* graph = m->mesh_graph + m->mesh_graphadr[mesh];
  ct_HullGraph g;
  g.count = graph[0];
  g.edge_adr = graph + 2;
  g.vertex = g.edge_adr + g.count;
  g.edge = g.vertex + g.count;
  return g;
}

// A round shape is also used without its rounding: a sphere as its centre, a capsule as its axis.
enum { CT_SUPPORT_PRISM = mjNGEOMTYPES, CT_SUPPORT_POINT, CT_SUPPORT_SEGMENT, CT_SUPPORT_ELEMENT };

typedef struct ct_Support_ {
  int type;  // mjtGeom or one of the above
  const mjtNum *pos, *mat, *size;
  mjtNum margin;             // the shape is inflated by half of it
  const mjtNum (*prism)[3];  // (6 x 3) vertices: triangle below, triangle above; of an element: (4)
  const float* vert;         // of the mesh
  int vertnum;  // of a mesh or element; size[0] is the radius around that of an element
  bool has_graph;
  ct_HullGraph graph;
  int vertex, hull_vertex;  // the last answer of a mesh, -1: none; in the mesh, on the hull
  int code;                 // tells corners apart: mesh vertex or corner bits; -1: neither
} ct_Support;

LANE_INLINE ct_Support ct_support_start(const mjModel* m, const ct_Shape* shape, mjtNum margin) {
  ct_Support s;
  s.type = shape->type == mjGEOM_SDF ? (int)mjGEOM_MESH : shape->type;
  s.pos = shape->pos;
  s.mat = shape->mat;
  s.size = shape->size;
  s.margin = margin;
  s.prism = NULL;
  s.vert = NULL;
  s.vertnum = 0;
  s.has_graph = false;
  s.graph.count = 0;
  s.graph.edge_adr = s.graph.vertex = s.graph.edge = NULL;
  s.vertex = s.code = -1;
  s.hull_vertex = 0;
  if (s.type == mjGEOM_MESH) {
    int mesh = m->geom_dataid[shape->geom];
    s.vert = m->mesh_vert + 3 * m->mesh_vertadr[mesh];
    s.vertnum = m->mesh_vertnum[mesh];
    s.has_graph = m->mesh_graphadr[mesh] >= 0;
    if (s.has_graph) s.graph = ct_hull_graph(m, mesh);
  }
  return s;
}

LANE_INLINE mjtNum ct_mesh_dot(const float* vert, int v, const mjtNum l[3]) {
  return l[0] * (mjtNum)vert[3 * v] + l[1] * (mjtNum)vert[3 * v + 1] +
         l[2] * (mjtNum)vert[3 * v + 2];
}

LANE_INLINE void ct_mesh_vertex(mjtNum res[3], const float* vert, int v) {
  for (int k = 0; k < 3; k++) res[k] = (mjtNum)vert[3 * v + k];
}

// The best vertex of all; `best` is what it has to beat.
LANE_INLINE void ct_scan_vertices(ct_Support* s, const mjtNum l[3], mjtNum best) {
  for (int v = 0; v < s->vertnum; v++) {
    mjtNum value = ct_mesh_dot(s->vert, v, l);
    if (value > best) {
      best = value;
      s->vertex = v;
    }
  }
}

// Climbs along the hull from the last answer: looks at all neighbours of a vertex, goes on from the
// best, stops where none is better. best is the value of the start.
LANE_INLINE void ct_climb_hull(ct_Support* s, const mjtNum l[3], mjtNum best) {
  const ct_HullGraph* g = &s->graph;
  int from = -1, at = s->hull_vertex;
  while (at != from) {
    from = at;
    for (const int* next = g->edge + g->edge_adr[from]; *next >= 0; next++) {
      mjtNum value = ct_mesh_dot(s->vert, g->vertex[*next], l);
      if (value > best) {
        best = value;
        at = *next;
      }
    }
  }
  s->hull_vertex = at;
  s->vertex = g->vertex[at];
}

// The start of a climb is not evaluated, so it wins only if it beats its best neighbour.
LANE_INLINE void ct_support_mesh(ct_Support* s, mjtNum q[3], const mjtNum l[3]) {
  if (s->has_graph && s->vertnum >= 10) {
    ct_climb_hull(s, l, -(mjtNum)FLT_MAX);
  } else {
    ct_scan_vertices(s, l, s->vertex >= 0 ? ct_mesh_dot(s->vert, s->vertex, l) : -(mjtNum)FLT_MAX);
  }
  if (s->vertex < 0) s->vertex = 0;  // nothing is farther along what is not a number
  s->code = s->vertex;
  ct_mesh_vertex(q, s->vert, s->vertex);
}

LANE_INLINE void ct_support_prism(const ct_Support* s, mjtNum res[3], const mjtNum d[3]) {
  int first = d[2] >= 0 ? 3 : 0, best = first;
  mjtNum most = ct_dot3(d, s->prism[first]);
  for (int v = first + 1; v < first + 3; v++) {
    mjtNum value = ct_dot3(d, s->prism[v]);
    if (value > most) {
      most = value;
      best = v;
    }
  }
  ct_copy3(res, s->prism[best]);
}

// An element of a flex: the first of its farthest vertices, and the ball around it.
LANE_INLINE void ct_support_element(const ct_Support* s, mjtNum res[3], const mjtNum d[3]) {
  int best = 0;
  mjtNum most = ct_dot3(d, s->prism[0]);
  for (int v = 1; v < s->vertnum; v++) {
    mjtNum value = ct_dot3(d, s->prism[v]);
    if (value > most) {
      most = value;
      best = v;
    }
  }
  ct_add_scl3(res, s->prism[best], d, s->size[0]);
}

LANE_INLINE void ct_support_ellipsoid(const ct_Support* s, mjtNum q[3], const mjtNum l[3]) {
  mjtNum w[3] = {l[0] * s->size[0], l[1] * s->size[1], l[2] * s->size[2]};
  mjtNum squared = ct_dot3(w, w);
  if (squared < (mjtNum)mjMINVAL * (mjtNum)mjMINVAL) {
    q[0] = s->size[0];
    q[1] = q[2] = 0;
    return;
  }
  mjtNum inverse = 1 / ct_sqrt(squared);
  for (int k = 0; k < 3; k++) q[k] = w[k] * (inverse * s->size[k]);
}

LANE_INLINE void ct_support_cylinder(const ct_Support* s, mjtNum q[3], const mjtNum l[3]) {
  mjtNum squared = l[0] * l[0] + l[1] * l[1];
  mjtNum scale = squared < (mjtNum)mjMINVAL * (mjtNum)mjMINVAL ? 0 : s->size[0] / ct_sqrt(squared);
  q[0] = l[0] * scale;
  q[1] = l[1] * scale;
  q[2] = l[2] >= 0 ? s->size[1] : -s->size[1];
}

LANE_INLINE void ct_support_box(ct_Support* s, mjtNum q[3], const mjtNum l[3]) {
  s->code = 0;
  for (int k = 0; k < 3; k++) {
    q[k] = l[k] >= 0 ? s->size[k] : -s->size[k];
    s->code |= q[k] > 0 ? 1 << k : 0;
  }
}

// res = the point of the shape, without its margin, that is farthest along d.
LANE_INLINE void ct_support(ct_Support* s, mjtNum res[3], const mjtNum d[3]) {
  mjtNum l[3], q[3];
  switch (s->type) {
    case CT_SUPPORT_PRISM:
      ct_support_prism(s, res, d);
      return;
    case CT_SUPPORT_ELEMENT:
      ct_support_element(s, res, d);
      return;
    case CT_SUPPORT_POINT:
      ct_copy3(res, s->pos);
      return;
    case CT_SUPPORT_SEGMENT:
      ct_column3(l, s->mat, 2);
      ct_add_scl3(res, s->pos, l, ct_dot3(l, d) >= 0 ? s->size[1] : -s->size[1]);
      return;
    case mjGEOM_SPHERE:
      ct_add_scl3(res, s->pos, d, s->size[0]);
      return;
    default:
      break;
  }
  ct_mul_mat_t_vec3(l, s->mat, d);
  switch (s->type) {
    case mjGEOM_CAPSULE:
      ct_scl3(q, l, s->size[0]);
      q[2] += l[2] >= 0 ? s->size[1] : -s->size[1];
      break;
    case mjGEOM_ELLIPSOID:
      ct_support_ellipsoid(s, q, l);
      break;
    case mjGEOM_CYLINDER:
      ct_support_cylinder(s, q, l);
      break;
    case mjGEOM_BOX:
      ct_support_box(s, q, l);
      break;
    default:
      ct_support_mesh(s, q, l);
      break;
  }
  ct_mul_mat_vec3(res, s->mat, q);
  ct_add_to3(res, s->pos);
}

// A point inside.
LANE_INLINE void ct_support_centre(mjtNum res[3], const ct_Support* s) {
  if (s->type != CT_SUPPORT_PRISM) {
    ct_copy3(res, s->pos);
    return;
  }
  ct_copy3(res, s->prism[0]);
  for (int i = 1; i < 6; i++) ct_add_to3(res, s->prism[i]);
  ct_scl3(res, res, (mjtNum)(1.0 / 6));
}

// The legacy rules: a zero component of the direction gives zero, a climb starts with the value of
// its start, and the margin is part of the shape.
LANE_INLINE void ct_legacy_support(ct_Support* s, mjtNum res[3], const mjtNum d[3]) {
  mjtNum l[3], q[3];
  if (s->type == CT_SUPPORT_PRISM) {
    ct_support_prism(s, res, d);
    return;
  }
  if (s->type == CT_SUPPORT_ELEMENT) {
    ct_support_element(s, res, d);
    ct_add_to_scl3(res, d, s->margin / 2);
    return;
  }
  ct_mul_mat_t_vec3(l, s->mat, d);
  switch (s->type) {
    case mjGEOM_SPHERE:
      ct_scl3(q, l, s->size[0]);
      break;
    case mjGEOM_CAPSULE:
      ct_scl3(q, l, s->size[0]);
      q[2] += ct_sign(l[2]) * s->size[1];
      break;
    case mjGEOM_ELLIPSOID:
      for (int k = 0; k < 3; k++) q[k] = l[k] * s->size[k];
      ct_normalize3(q);
      for (int k = 0; k < 3; k++) q[k] *= s->size[k];
      break;
    case mjGEOM_CYLINDER: {
      mjtNum length = ct_sqrt(l[0] * l[0] + l[1] * l[1]);
      bool flat = !(length > (mjtNum)mjMINVAL);
      q[0] = flat ? 0 : l[0] / length * s->size[0];
      q[1] = flat ? 0 : l[1] / length * s->size[0];
      q[2] = ct_sign(l[2]) * s->size[1];
      break;
    }
    case mjGEOM_BOX:
      for (int k = 0; k < 3; k++) q[k] = ct_sign(l[k]) * s->size[k];
      break;
    default:
      if (s->has_graph) {
        ct_climb_hull(s, l, ct_mesh_dot(s->vert, s->graph.vertex[s->hull_vertex], l));
      } else {
        ct_scan_vertices(s, l, -(mjtNum)1e10);
      }
      ct_mesh_vertex(q, s->vert, s->vertex >= 0 ? s->vertex : 0);
      break;
  }
  ct_add_to_scl3(q, l, s->margin / 2);
  ct_mul_mat_vec3(res, s->mat, q);
  ct_add_to3(res, s->pos);
}

#endif  // CT_COLLIDE_SUPPORT_H_
