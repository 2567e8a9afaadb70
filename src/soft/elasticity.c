// Elasticity of elements, and springs and dampers along edges.
//
//   in    flexedge_length, flexedge_velocity, flexedge_J, flexvert_xpos
//   out   qfrc_spring, qfrc_damper   added to
//
// A St. Venant-Kirchhoff material, written in the squares of edge lengths (Weischedel, A discrete
// geometric view on shear-deformable shell models, 2012, section 4.3). With s_e = l_e^2 - L_e^2 for
// the edges of an element and its matrix K (flex_stiffness), the energy is s' K s / 4 and the edge
// from a to b pulls with
//
//   c_e (x_b - x_a) at a, and the opposite at b,     c = K s.
//
// Damping acts on the change of s over a step: s_e + (l^2 - (l - h l')^2) damping / h. An edge has
// one coefficient, the sum over the elements around it, and a vertex the forces of its edges: sums
// that whoever owns the output pulls together, by lists of the schedule.
//
// Oddities of the reference: a body with three slides gets the force component by component, as if
// its axes were the world's; damping is part of qfrc_spring, and both are there as long as springs
// or dampers are enabled.

#include "soft/elasticity.h"

#include "base/memory/scratch.h"
#include "math/lane_vec.h"

typedef struct {
  mjtNum* elongation;  // (edges) s_e
  mjtNum* of_element;  // (elements x edges of an element) c
  mjtNum* of_edge;     // (edges) sum of c
  mjtNum* force;       // (vertices x 3)
} ElementScratch;

LANE_INLINE mjtNum elongation(const mjModel* m, const mjData* d, int edge, mjtNum damping) {
  mjtNum l = d->flexedge_length[edge], l0 = m->flexedge_length0[edge];
  mjtNum before = l - m->opt.timestep * d->flexedge_velocity[edge];
  return l * l - l0 * l0 + (l * l - before * before) * damping;
}

// c = K s for an element; K is stored as its upper triangle, row by row.
LANE_INLINE void mul_stiffness(mjtNum* c, const mjtNum* K, const mjtNum* s, const int* edge,
                               int n) {
  for (int i = 0; i < n; i++) c[i] = 0;
  for (int i = 0; i < n; i++) {
    mjtNum si = s[edge[i]], sum = *K++ * si;
    for (int j = i + 1; j < n; j++, K++) {
      sum += *K * s[edge[j]];
      c[j] += *K * si;
    }
    c[i] += sum;
  }
}

LANE_FN static void pull_edges(Lane g, const mjModel* m, const mjData* d, int f,
                               const ElementScratch* s) {
  const ct_Schedule* lists = &ct_private(d)->schedule;
  int n = ct_edges_of_element(m->flex_dim[f]), first = m->flex_edgeadr[f];
  int elemedge = m->flex_elemedgeadr[f];
  mjtNum h = m->opt.timestep, damping = h > 0 ? m->flex_damping[f] / h : 0;
  LANE_FOR(e, g, m->flex_edgenum[f]) {
    s->elongation[e] = elongation(m, d, first + e, damping);
  }
  lane_sync(g);
  LANE_FOR(e, g, m->flex_elemnum[f]) {
    mul_stiffness(s->of_element + n * e, m->flex_stiffness + 21 * (m->flex_elemadr[f] + e),
                  s->elongation, m->flex_elemedge + elemedge + n * e, n);
  }
  lane_sync(g);
  LANE_FOR(e, g, m->flex_edgenum[f]) {
    int edge = first + e;
    mjtNum sum = 0;
    for (int k = edge ? lists->elements_end[edge - 1] : 0; k < lists->elements_end[edge]; k++) {
      sum += s->of_element[lists->elements[k] - elemedge];
    }
    s->of_edge[e] = sum;
  }
  lane_sync(g);
}

LANE_FN static void gather_vertex(const mjModel* m, const mjData* d, int f, int v,
                                  const mjtNum* of_edge, mjtNum force[3]) {
  const ct_Schedule* lists = &ct_private(d)->schedule;
  int at = m->flex_vertadr[f] + v;
  ct_zero3(force);
  for (int k = at ? lists->edges_end[at - 1] : 0; k < lists->edges_end[at]; k++) {
    int edge = lists->edges[k];
    const int* end = m->flex_edge + 2 * edge;
    const mjtNum* other = ct_flex_vertex(m, d, f, end[0] == v ? end[1] : end[0]);
    mjtNum away[3];
    ct_sub3(away, ct_flex_vertex(m, d, f, v), other);
    ct_add_to_scl3(force, away, -of_edge[edge - m->flex_edgeadr[f]]);
  }
}

// Bodies with three slides add components, others take the force at the vertex.
LANE_FN static void apply_forces(Lane g, const mjModel* m, mjData* d, int f, const mjtNum* force) {
  for (int v = 0; v < m->flex_vertnum[f]; v++) {
    int body = ct_vertex_body(m, f, v);
    const mjtNum* x = force + 3 * v;
    if (ct_slides_freely(m, body)) {
      if (LANE_OWNS(g, body)) ct_add_to3(d->qfrc_spring + m->body_dofadr[body], x);
    }
  }
  lane_sync(g);
  for (int v = 0; v < m->flex_vertnum[f]; v++) {
    int body = ct_vertex_body(m, f, v);
    if (ct_slides_freely(m, body) || m->body_weldid[body] == 0) continue;
    ct_add_force(g, m, d, d->qfrc_spring, body, ct_flex_vertex(m, d, f, v), force + 3 * v);
  }
  lane_sync(g);
}

LANE_FN int ct_element_forces(Lane g, const mjModel* m, mjData* d, int f) {
  int dim = m->flex_dim[f], edges = m->flex_edgenum[f];
  if (m->flex_elemnum[f] == 0 || m->flex_stiffness[21 * m->flex_elemadr[f]] == 0) return CT_OK;
  if (!lane_mark(g, d)) return CT_STACK_FULL;
  ElementScratch s;
  s.elongation = lane_scratch_num(g, d, edges);
  s.of_element = lane_scratch_num(g, d, ct_edges_of_element(dim) * m->flex_elemnum[f]);
  s.of_edge = lane_scratch_num(g, d, edges);
  s.force = lane_scratch_num(g, d, 3 * m->flex_vertnum[f]);
  bool room = s.elongation && s.of_element && s.of_edge && s.force;
  if (room) {
    pull_edges(g, m, d, f, &s);
    LANE_FOR(v, g, m->flex_vertnum[f]) {
      gather_vertex(m, d, f, v, s.of_edge, s.force + 3 * v);
    }
    lane_sync(g);
    apply_forces(g, m, d, f, s.force);
  }
  lane_free(g, d);
  return room ? CT_OK : CT_STACK_FULL;
}

LANE_FN void ct_edge_forces(Lane g, const mjModel* m, mjData* d, int f, ct_PassiveKinds kinds) {
  mjtNum stiffness = kinds.spring ? m->flex_edgestiffness[f] : 0;
  mjtNum damping = kinds.damper ? m->flex_edgedamping[f] : 0;
  if (m->flex_rigid[f] || (stiffness == 0 && damping == 0)) return;
  int end = m->flex_edgeadr[f] + m->flex_edgenum[f];
  for (int e = m->flex_edgeadr[f]; e < end; e++) {
    if (m->flexedge_rigid[e]) continue;
    mjtNum spring = stiffness * (m->flexedge_length0[e] - d->flexedge_length[e]);
    mjtNum damper = -damping * d->flexedge_velocity[e];
    int start = m->flexedge_J_rowadr[e];
    for (int k = start; k < start + m->flexedge_J_rownnz[e]; k++) {
      int dof = m->flexedge_J_colind[k];
      if (!LANE_OWNS(g, dof)) continue;
      d->qfrc_spring[dof] += d->flexedge_J[k] * spring;
      d->qfrc_damper[dof] += d->flexedge_J[k] * damper;
    }
  }
  lane_sync(g);
}
