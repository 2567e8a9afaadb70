// Edges of flexes: lengths, their Jacobian, their rates.
//
//   in    flexvert_xpos, cdof, subtree_com, qvel
//   out   flexedge_length      (nflexedge)
//         flexedge_J           (nJfe) rows that the model lays out: flexedge_J_rownnz, ...
//         flexedge_velocity    (nflexedge)
//
// With u the direction from vertex 1 to vertex 2, d|x2 - x1|/dt = u . (v2 - v1). A row has all dofs
// that move one of the two vertices or both.
//
// Rigid and interpolated flexes have no lengths: theirs stay 0. Rows are computed only if an
// equality of edges, a spring or a damper asks for them.
//
// Oddity of the reference: behind a flex without rows the rows of the next one start at address 0
// again, over those of earlier flexes. The last one written holds, so flexes take turns.

#include "soft/flex_edges.h"

#include "math/lane_vec.h"
#include "math/sparse.h"

// Direction of an edge, and its length.
LANE_INLINE mjtNum edge_direction(const mjModel* m, const mjData* d, int f, int edge, mjtNum u[3]) {
  const int* end = m->flex_edge + 2 * (m->flex_edgeadr[f] + edge);
  ct_sub3(u, ct_flex_vertex(m, d, f, end[1]), ct_flex_vertex(m, d, f, end[0]));
  return ct_normalize3(u);
}

// The row of an edge between two bodies that slide freely, or stand still: six axes at most.
LANE_INLINE void row_of_slides(const mjData* d, const mjtNum u[3], int second, int nnz,
                               const int* column, mjtNum* row) {
  for (int k = 0; k < nnz; k++) {
    mjtNum along = ct_dot3(u, d->cdof + 6 * column[k] + 3);
    row[k] = column[k] >= second && column[k] < second + 3 ? along : -along;
  }
}

LANE_FN static void edge_row(const mjModel* m, mjData* d, int f, int edge, const mjtNum u[3]) {
  int at = m->flex_edgeadr[f] + edge;
  const int *end = m->flex_edge + 2 * at, *column = m->flexedge_J_colind + m->flexedge_J_rowadr[at];
  int nnz = m->flexedge_J_rownnz[at];
  int body0 = ct_vertex_body(m, f, end[0]), body1 = ct_vertex_body(m, f, end[1]);
  mjtNum* row = d->flexedge_J + m->flexedge_J_rowadr[at];
  bool slides0 = ct_slides_freely(m, body0) || m->body_weldid[body0] == 0;
  bool slides1 = ct_slides_freely(m, body1) || m->body_weldid[body1] == 0;
  if (slides0 && slides1 && body0 != body1) {
    row_of_slides(d, u, m->body_weldid[body1] ? m->body_dofadr[body1] : -3, nnz, column, row);
    return;
  }
  const mjtNum* x0 = ct_flex_vertex(m, d, f, end[0]);
  const mjtNum* x1 = ct_flex_vertex(m, d, f, end[1]);
  for (int k = 0; k < nnz; k++) {
    row[k] = ct_point_entry(m, d, body1, x1, u, column[k]) -
             ct_point_entry(m, d, body0, x0, u, column[k]);
  }
}

LANE_FN static void measure_edges(Lane g, const mjModel* m, mjData* d, int f) {
  bool rows = ct_needs_edge_jacobian(m, f), plain = ct_is_plain_flex(m, f);
  LANE_FOR(e, g, m->flex_edgenum[f]) {
    mjtNum u[3] = {1, 0, 0};
    int at = m->flex_edgeadr[f] + e;
    d->flexedge_length[at] = plain ? edge_direction(m, d, f, e, u) : 0;
    if (rows && m->flexedge_J_rownnz[at]) edge_row(m, d, f, e, u);
  }
  lane_sync(g);
}

LANE_FN int ct_flex_edges(Lane g, const mjModel* m, mjData* d) {
  lane_set_zero(g, d->flexedge_J, m->nJfe);
  lane_set_zero(g, d->flexvert_J, 2 * m->nJfv);
  lane_sync(g);
  for (int f = 0; f < m->nflex; f++) {
    measure_edges(g, m, d, f);
    ct_flex_strains(g, m, d, f);
  }
  return CT_OK;
}

LANE_FN int ct_flex_velocity(Lane g, const mjModel* m, mjData* d) {
  LANE_FOR(e, g, m->nflexedge) {
    int start = m->flexedge_J_rowadr[e];
    d->flexedge_velocity[e] = ct_dot_sparse(d->flexedge_J + start, m->flexedge_J_colind + start,
                                            m->flexedge_J_rownnz[e], d->qvel);
  }
  lane_sync(g);
  return CT_OK;
}
