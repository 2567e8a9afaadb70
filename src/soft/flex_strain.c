// Strains at the vertices of a cloth, for the equality flexvert.
//
//   in    flexvert_xpos, cdof, subtree_com
//   out   flexvert_length   (nflexvert x 2)
//         flexvert_J        (nJfv x 2)  two rows with the same columns per vertex
//
// Around vertex v, edges e with rest vectors x_e (in the plane) and present vectors y_e give the
// deformation F that fits them best, with weights m_e (the mass at the other end):
//
//   A = sum m_e y_e x_e'   (3 x 2),   F = A G,   G = (sum m_e x_e x_e')^-1 = flex_vertmetric,
//
// and C = F'F has the invariants that are held at their values at rest, scaled by s = sqrt(mass):
//
//   s (tr C - 2),   s (det C - 1).
//
// Their rates are s sum_e g_e . (v of end 1 - v of end 0) with g_e = 2 m_e F G x_e and
// g_e = 2 m_e F adj(C) G x_e.

#include "soft/flex_edges.h"

typedef struct {
  mjtNum F[6];  // 3 x 2
  mjtNum C[4];  // 2 x 2
  mjtNum scale;
} Strain;

LANE_INLINE void mul_mat2(mjtNum res[2], const mjtNum a[4], const mjtNum v[2]) {
  mjtNum first = a[0] * v[0] + a[1] * v[1], second = a[2] * v[0] + a[3] * v[1];
  res[0] = first;
  res[1] = second;
}

LANE_FN static Strain find_strain(const mjModel* m, const mjData* d, int f, int v) {
  Strain s;
  int at = m->flex_vertadr[f] + v;
  const mjtNum* G = m->flex_vertmetric + 4 * at;
  const int* around = m->flex_vertedge + m->flex_vertedgeadr[at];
  mjtNum A[6] = {0, 0, 0, 0, 0, 0};
  for (int i = 0; i < m->flex_vertedgenum[at]; i++) {
    const int* end = m->flex_edge + 2 * (m->flex_edgeadr[f] + around[i]);
    mjtNum x[3], y[3], weight = ct_edge_weight(m, f, around[i], v);
    ct_rest_edge(m, f, around[i], x);
    ct_sub3(y, ct_flex_vertex(m, d, f, end[1]), ct_flex_vertex(m, d, f, end[0]));
    for (int r = 0; r < 3; r++) {
      A[2 * r] += weight * y[r] * x[0];
      A[2 * r + 1] += weight * y[r] * x[1];
    }
  }
  ct_zero(s.C, 4);
  for (int r = 0; r < 3; r++) {
    mjtNum* row = s.F + 2 * r;
    row[0] = A[2 * r] * G[0] + A[2 * r + 1] * G[2];
    row[1] = A[2 * r] * G[1] + A[2 * r + 1] * G[3];
    for (int k = 0; k < 4; k++) s.C[k] += row[k / 2] * row[k % 2];
  }
  mjtNum mass = m->body_mass[ct_vertex_body(m, f, v)];
  s.scale = mass <= mjMINVAL ? (mjtNum)1 : ct_sqrt(mass);
  return s;
}

// Adds what one edge does to the two rows of a vertex.
LANE_FN static void add_edge_rates(const mjModel* m, mjData* d, const Strain* s, int f, int v,
                                   int edge) {
  int at = m->flex_vertadr[f] + v, start = m->flexvert_J_rowadr[2 * at];
  int second = m->flexvert_J_rowadr[2 * at + 1], nnz = m->flexvert_J_rownnz[2 * at];
  const int* end = m->flex_edge + 2 * (m->flex_edgeadr[f] + edge);
  const mjtNum adjoint[4] = {s->C[3], -s->C[1], -s->C[2], s->C[0]};
  mjtNum x[3], z[2], w[2], g[2][3], weight = ct_edge_weight(m, f, edge, v);
  ct_rest_edge(m, f, edge, x);
  mul_mat2(z, m->flex_vertmetric + 4 * at, x);
  mul_mat2(w, adjoint, z);
  for (int r = 0; r < 3; r++) {
    mjtNum factor = 2 * weight * s->scale;
    g[0][r] = factor * (s->F[2 * r] * z[0] + s->F[2 * r + 1] * z[1]);
    g[1][r] = factor * (s->F[2 * r] * w[0] + s->F[2 * r + 1] * w[1]);
  }
  for (int side = 0; side < 2; side++) {
    int body = ct_vertex_body(m, f, end[side]);
    const mjtNum* point = ct_flex_vertex(m, d, f, end[side]);
    mjtNum sign = side ? (mjtNum)1 : (mjtNum)-1;
    for (int k = 0; k < nnz; k++) {
      int dof = m->flexvert_J_colind[start + k];
      d->flexvert_J[start + k] += sign * ct_point_entry(m, d, body, point, g[0], dof);
      d->flexvert_J[second + k] += sign * ct_point_entry(m, d, body, point, g[1], dof);
    }
  }
}

LANE_FN void ct_flex_strains(Lane g, const mjModel* m, mjData* d, int f) {
  if (!ct_has_strains(m, f)) return;
  LANE_FOR(v, g, m->flex_vertnum[f]) {
    int at = m->flex_vertadr[f] + v;
    const int* around = m->flex_vertedge + m->flex_vertedgeadr[at];
    Strain s = find_strain(m, d, f, v);
    d->flexvert_length[2 * at] = s.scale * (s.C[0] + s.C[3] - 2);
    d->flexvert_length[2 * at + 1] = s.scale * (s.C[0] * s.C[3] - s.C[1] * s.C[2] - 1);
    int start = m->flexvert_J_rowadr[2 * at], second = m->flexvert_J_rowadr[2 * at + 1];
    ct_zero(d->flexvert_J + start, m->flexvert_J_rownnz[2 * at]);
    ct_zero(d->flexvert_J + second, m->flexvert_J_rownnz[2 * at + 1]);
    for (int i = 0; i < m->flex_vertedgenum[at]; i++) add_edge_rates(m, d, &s, f, v, around[i]);
  }
  lane_sync(g);
}
