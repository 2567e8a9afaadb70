// How a contact is shared by the bodies of a flex.
//
// At a point of an element, vertices count by 1 / distance to the point, normalised. An
// interpolated flex puts the same mean of its vertices' places at rest into the functions of its
// nodes; nodes below 1e-5 are left out, and the others do not make up for it.
//
// Oddity of the reference: where an interpolated flex is side 0 (of a contact of two flexes), the
// minus sign of that side is in the mean already, so that nodes have the weights of the mirrored
// place, and plus signs.

#include "soft/contact_bodies.h"

#include "soft/interpolation.h"

typedef struct {
  int count, vertex[CT_ELEMENT_VERTICES];
  mjtNum weight[CT_ELEMENT_VERTICES];
} VertexWeights;

// Vertices of the touched element, or the touched vertex. `other`: vertex that the contact's other
// side is, if it belongs to the same element; it is left out.
LANE_FN static VertexWeights weigh_vertices(const mjModel* m, const mjData* d, const mjContact* con,
                                            int side) {
  VertexWeights w = {0, {0, 0, 0, 0}, {0, 0, 0, 0}};
  int f = con->flex[side], other = con->vert[1 - side];
  if (con->vert[side] >= 0) {
    w.count = 1;
    w.vertex[0] = con->vert[side];
    w.weight[0] = 1;
    return w;
  }
  const int* vert = ct_element(m, f, con->elem[side]);
  mjtNum sum = 0;
  for (int i = 0; i <= m->flex_dim[f]; i++) {
    if (other >= 0 && con->flex[1 - side] == f && vert[i] == other) continue;
    mjtNum near = 1 / ct_max(mjMINVAL, ct_dist3(con->pos, ct_flex_vertex(m, d, f, vert[i])));
    w.vertex[w.count] = vert[i];
    w.weight[w.count++] = near;
    sum += near;
  }
  for (int i = 0; i < w.count; i++) w.weight[i] /= sum;
  return w;
}

LANE_INLINE void add_body(ct_ContactBodies* bodies, int body, mjtNum weight) {
  if (bodies->count == 2 * CT_MOST_NODES) return;
  bodies->body[bodies->count] = body;
  bodies->weight[bodies->count++] = weight;
}

// sign: of the mean of places.
LANE_FN static void add_nodes(const mjModel* m, ct_ContactBodies* bodies, int f,
                              const VertexWeights* w, mjtNum sign) {
  const mjtNum least = (mjtNum)1e-5;
  mjtNum place[3] = {0, 0, 0}, weight[CT_MOST_NODES];
  if (!ct_is_interpolated(m, f)) return;
  for (int i = 0; i < w->count; i++) {
    const mjtNum* vert0 = m->flex_vert0 + 3 * (m->flex_vertadr[f] + w->vertex[i]);
    ct_add_to_scl3(place, vert0, sign * w->weight[i]);
  }
  ct_node_weights(place, m->flex_interp[f], weight);
  for (int i = 0; i < m->flex_nodenum[f]; i++) {
    if (weight[i] < least) continue;
    add_body(bodies, m->flex_nodebodyid[m->flex_nodeadr[f] + i], weight[i]);
  }
}

// The bodies of one side, with weights that have this sign.
LANE_FN static void add_side(const mjModel* m, const mjData* d, const mjContact* con, int side,
                             mjtNum sign, ct_ContactBodies* bodies) {
  int f = con->flex[side];
  if (con->geom[side] >= 0) {
    add_body(bodies, m->geom_bodyid[con->geom[side]], sign);
    return;
  }
  if (f < 0) return;
  VertexWeights w = weigh_vertices(m, d, con, side);
  if (m->flex_interp[f]) {
    add_nodes(m, bodies, f, &w, sign);
    return;
  }
  for (int i = 0; i < w.count; i++) {
    add_body(bodies, ct_vertex_body(m, f, w.vertex[i]), sign * w.weight[i]);
  }
}

LANE_FN ct_ContactBodies ct_contact_bodies(const mjModel* m, const mjData* d,
                                           const mjContact* con) {
  ct_ContactBodies bodies;
  bodies.count = 0;
  add_side(m, d, con, 0, -1, &bodies);
  add_side(m, d, con, 1, 1, &bodies);
  return bodies;
}

// A side that clearly moves, without its weights.
LANE_FN static bool side_moves(const mjModel* m, const mjContact* con, int side) {
  int f = con->flex[side];
  if (con->geom[side] >= 0) return m->body_weldid[m->geom_bodyid[con->geom[side]]] != 0;
  if (f < 0) return false;
  if (m->flex_interp[f]) return m->flex_centered[f];
  if (con->vert[side] >= 0) return m->body_weldid[ct_vertex_body(m, f, con->vert[side])] != 0;
  const int* vert = ct_element(m, f, con->elem[side]);
  for (int i = 0; i <= m->flex_dim[f]; i++) {
    if (m->body_weldid[ct_vertex_body(m, f, vert[i])] != 0) return true;
  }
  return false;
}

LANE_FN bool ct_is_static_contact(const mjModel* m, const mjData* d, const mjContact* con) {
  if (side_moves(m, con, 0) || side_moves(m, con, 1)) return false;
  ct_ContactBodies bodies = ct_contact_bodies(m, d, con);
  ct_walk_start(m, &bodies);
  return ct_walk_dof(&bodies) < 0;
}

LANE_FN mjtNum ct_contact_inverse_weight(const mjModel* m, const mjData* d, const mjContact* con) {
  ct_ContactBodies bodies;
  mjtNum sum = 0;
  bodies.count = 0;
  add_side(m, d, con, 0, 1, &bodies);
  add_side(m, d, con, 1, 1, &bodies);
  for (int i = 0; i < bodies.count; i++) {
    sum += bodies.weight[i] * m->body_invweight0[2 * bodies.body[i]];
  }
  return sum;
}
