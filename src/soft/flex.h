// A flex: a set of elements (lines, triangles or tetrahedra) over vertices that bodies carry. What
// the stages of src/soft have in common.
//
// Indices of vertices, edges and elements count within a flex, addresses (flex_vertadr, ...) lead
// to its first one. A flex is one of three kinds:
//
//   plain         every vertex is fixed to a body of its own, or some share one (pins)
//   interpolated  vertices follow 8 or 27 nodes, which bodies carry
//   rigid         all vertices are fixed to one body: a shape, without elasticity

#ifndef CT_SOFT_FLEX_H_
#define CT_SOFT_FLEX_H_

#include <stdbool.h>

#include <mujoco/mujoco.h>

#include "base/lanes.h"
#include "base/model/chain.h"
#include "base/private.h"
#include "math/spatial.h"

enum {
  CT_ELEMENT_VERTICES = 4,  // at most
  CT_ELEMENT_EDGES = 6,
  CT_MOST_NODES = 27,
};

// Do vertices move one by one?
LANE_INLINE bool ct_is_plain_flex(const mjModel* m, int f) {
  return !m->flex_rigid[f] && m->flex_interp[f] == 0;
}

LANE_INLINE int ct_edges_of_element(int dim) {
  return dim == 1 ? 1 : dim == 2 ? 3 : 6;
}

LANE_INLINE const int* ct_element(const mjModel* m, int f, int e) {
  return m->flex_elem + m->flex_elemdataadr[f] + e * (m->flex_dim[f] + 1);
}

LANE_INLINE const mjtNum* ct_flex_vertex(const mjModel* m, const mjData* d, int f, int v) {
  return d->flexvert_xpos + 3 * (m->flex_vertadr[f] + v);
}

LANE_INLINE int ct_vertex_body(const mjModel* m, int f, int v) {
  return m->flex_vertbodyid[m->flex_vertadr[f] + v];
}

// Is none of the bodies that carry it awake? Sleeping flexes are rare: somebody has to allow it.
LANE_FN static inline bool ct_flex_asleep(const mjModel* m, const mjData* d, int f) {
  bool nodes = m->flex_interp[f] != 0;
  const int* body =
      nodes ? m->flex_nodebodyid + m->flex_nodeadr[f] : m->flex_vertbodyid + m->flex_vertadr[f];
  int count = nodes ? m->flex_nodenum[f] : m->flex_vertnum[f];
  for (int i = 0; i < count; i++) {
    if (body[i] >= 0 && d->body_awake[body[i]] == 1) return false;
  }
  return true;
}

// Elements below the outer layers of a solid take no part in collisions.
LANE_INLINE bool ct_element_active(const mjModel* m, int f, int e) {
  return m->flex_dim[f] < 3 || m->flex_elemlayer[m->flex_elemadr[f] + e] < m->flex_activelayers[f];
}

// Does somebody use the Jacobian of its edges?
LANE_INLINE bool ct_needs_edge_jacobian(const mjModel* m, int f) {
  return ct_is_plain_flex(m, f) && (m->flex_edgeequality[f] == 1 || m->flex_edgestiffness[f] != 0 ||
                                    m->flex_edgedamping[f] != 0 || m->flex_damping[f] != 0);
}

// Do its vertices have strains, for the equality flexvert?
LANE_INLINE bool ct_has_strains(const mjModel* m, int f) {
  return ct_is_plain_flex(m, f) && m->flex_dim[f] == 2 && m->flex_edgeequality[f] == 2;
}

// A body that three slides along the axes of its parent move, and nothing else.
LANE_INLINE bool ct_slides_freely(const mjModel* m, int body) {
  return m->body_simple[body] == 2 && m->body_dofnum[body] == 3;
}

// u . (velocity of a point of the body per speed of the dof); 0 if the dof does not move it.
LANE_INLINE mjtNum ct_point_entry(const mjModel* m, const mjData* d, int body, const mjtNum* point,
                                  const mjtNum u[3], int dof) {
  if (!ct_chain_has(ct_chain(d, body), dof)) return 0;
  mjtNum offset[3], column[3];
  ct_sub3(offset, point, ct_reference_point(m, d, body));
  ct_jac_column(column, d->cdof + 6 * dof, offset);
  return ct_dot3(u, column);
}

// target (nv) += J' force for a force at a point of the body, in the world's axes. Every lane walks
// the chain and adds to its own dofs, so that no meeting is needed between forces.
LANE_FN static inline void ct_add_force(Lane g, const mjModel* m, const mjData* d, mjtNum* target,
                                        int body, const mjtNum* point, const mjtNum force[3]) {
  mjtNum offset[3], column[3];
  ct_sub3(offset, point, ct_reference_point(m, d, body));
  for (int dof = ct_last_dof(m, body); dof >= 0; dof = m->dof_parentid[dof]) {
    if (!LANE_OWNS(g, dof)) continue;
    ct_jac_column(column, d->cdof + 6 * dof, offset);
    target[dof] += ct_dot3(column, force);
  }
}

#endif  // CT_SOFT_FLEX_H_
