// What mj_setConst computes for flexes.
//
//   by integers   flexedge_J_*, flex_vertedge*, flexvert_J_*
//   at rest       flex_vertmetric, the turn of flex_vert0 that belongs to it
//   at qpos0      flexedge_length0, flexedge_invweight0
//
// Oddities of the reference: a flex without rows of its own leaves addresses at 0, so that the next
// one begins at the start of flexedge_J (or flexvert_J) again, over earlier rows. The metric of a
// cloth is made before its rest shape is turned to face up, and is zero for masses and sizes whose
// determinant is below 1e-15.

#include "host/flex_constants.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/model/chain.h"
#include "math/quat.h"
#include "soft/flex_edges.h"

// Rows

static int compare_ints(const void* a, const void* b) {
  int x = *(const int*)a, y = *(const int*)b;
  return (x > y) - (x < y);
}

// Lists the dofs that move one of some bodies, in rising order; returns how many. `marked` (nv) is
// zero before and after. At most `room` are written.
static int list_dofs(const mjModel* m, const int* body, int count, int* marked, int* dofs,
                     int room) {
  int n = 0;
  for (int i = 0; i < count; i++) {
    for (int k = ct_last_dof(m, body[i]); k >= 0; k = m->dof_parentid[k]) {
      if (marked[k]) continue;
      marked[k] = 1;
      if (n < room) dofs[n++] = k;
    }
  }
  for (int i = 0; i < count; i++) {
    for (int k = ct_last_dof(m, body[i]); k >= 0; k = m->dof_parentid[k]) marked[k] = 0;
  }
  qsort(dofs, (size_t)n, sizeof(int), compare_ints);
  return n;
}

static bool wants_edge_rows(const mjModel* m, int f) {
  return ct_is_plain_flex(m, f) && (m->flex_edgeequality[f] || m->flex_edgedamping[f] != 0 ||
                                    m->flex_edgestiffness[f] != 0 || m->flex_damping[f] != 0);
}

static void lay_out_edge_rows(mjModel* m, int f, int* marked) {
  int end = m->flex_edgeadr[f] + m->flex_edgenum[f];
  for (int e = m->flex_edgeadr[f]; e < end; e++) {
    int start = e ? m->flexedge_J_rowadr[e - 1] + m->flexedge_J_rownnz[e - 1] : 0;
    const int body[2] = {ct_vertex_body(m, f, m->flex_edge[2 * e]),
                         ct_vertex_body(m, f, m->flex_edge[2 * e + 1])};
    m->flexedge_J_rowadr[e] = start;
    m->flexedge_J_rownnz[e] =
        list_dofs(m, body, 2, marked, m->flexedge_J_colind + start, (int)m->nJfe - start);
  }
}

static void clear_ints(int* x, mjtSize n) {
  if (n) memset(x, 0, (size_t)n * sizeof(int));
}

// Strains

// Lists the edges around every vertex of a flex, from place *next of flex_vertedge on.
static void list_vertex_edges(mjModel* m, const mjData* d, int f, int* next) {
  const ct_Schedule* lists = &ct_private(d)->schedule;
  int end = m->flex_vertadr[f] + m->flex_vertnum[f];
  for (int at = m->flex_vertadr[f]; at < end; at++) {
    int first = at ? lists->edges_end[at - 1] : 0, count = lists->edges_end[at] - first;
    m->flex_vertedgeadr[at] = *next;
    m->flex_vertedgenum[at] = count;
    for (int i = 0; i < count; i++) {
      m->flex_vertedge[(*next)++] = lists->edges[first + i] - m->flex_edgeadr[f];
    }
  }
}

// False if the flex is not flat.
static bool set_metric(mjModel* m, int f, int v) {
  int at = m->flex_vertadr[f] + v;
  mjtNum sum[4] = {0, 0, 0, 0}, *metric = m->flex_vertmetric + 4 * at;
  for (int i = 0; i < m->flex_vertedgenum[at]; i++) {
    int edge = m->flex_vertedge[m->flex_vertedgeadr[at] + i];
    mjtNum x[3], weight = ct_edge_weight(m, f, edge, v);
    ct_rest_edge(m, f, edge, x);
    if (x[2] > mjMINVAL || x[2] < -mjMINVAL) return false;
    for (int k = 0; k < 4; k++) sum[k] += weight * x[k / 2] * x[k % 2];
  }
  mjtNum det = sum[0] * sum[3] - sum[1] * sum[2];
  ct_zero(metric, 4);
  if (ct_abs(det) < mjMINVAL) return true;
  metric[0] = sum[3] / det;
  metric[1] = -sum[1] / det;
  metric[2] = -sum[2] / det;
  metric[3] = sum[0] / det;
  return true;
}

static void lay_out_strain_rows(mjModel* m, int f, int v, int* marked, int* bodies) {
  int at = m->flex_vertadr[f] + v, count = m->flex_vertedgenum[at];
  int start = at ? m->flexvert_J_rowadr[2 * at - 1] + m->flexvert_J_rownnz[2 * at - 1] : 0;
  for (int i = 0; i < 2 * count; i++) {
    int edge = m->flex_edgeadr[f] + m->flex_vertedge[m->flex_vertedgeadr[at] + i / 2];
    bodies[i] = ct_vertex_body(m, f, m->flex_edge[2 * edge + i % 2]);
  }
  for (int row = 2 * at; row < 2 * at + 2; row++) {
    int* column = m->flexvert_J_colind + start;
    m->flexvert_J_rowadr[row] = start;
    m->flexvert_J_rownnz[row] =
        list_dofs(m, bodies, 2 * count, marked, column, 2 * (int)m->nJfv - start);
    start += m->flexvert_J_rownnz[row];
    if (row + 1 < 2 * m->nflexvert) m->flexvert_J_rowadr[row + 1] = start;  // even if not ours
  }
}

// Turns the rest shape so that its first element faces up.
static void face_up(mjModel* m, int f) {
  const int* vert = ct_element(m, f, 0);
  mjtNum* vert0 = m->flex_vert0 + 3 * m->flex_vertadr[f];
  mjtNum e1[3], e2[3], normal[3], quat[4];
  ct_sub3(e1, vert0 + 3 * vert[1], vert0 + 3 * vert[0]);
  ct_sub3(e2, vert0 + 3 * vert[2], vert0 + 3 * vert[0]);
  ct_cross(normal, e1, e2);
  ct_normalize3(normal);
  ct_quat_z_to_vec(quat, normal);
  ct_neg_quat(quat, quat);
  for (int v = 0; v < m->flex_vertnum[f]; v++) ct_rot_vec_quat(vert0 + 3 * v, vert0 + 3 * v, quat);
}

static void set_strains(mjModel* m, mjData* d, int f, int* next, int* marked) {
  list_vertex_edges(m, d, f, next);
  int most = 0;
  for (int v = 0; v < m->flex_vertnum[f]; v++) {
    int count = m->flex_vertedgenum[m->flex_vertadr[f] + v];
    most = count > most ? count : most;
    if (!set_metric(m, f, v)) {
      mju_error(
          "mj_setConst: flex %d is not flat at rest; an equality flexvert needs vertices in a "
          "plane z = const",
          f);
      return;
    }
  }
  mj_markStack(d);
  int* bodies = mj_stackAllocInt(d, 2 * (size_t)most + 1);
  for (int v = 0; v < m->flex_vertnum[f]; v++) lay_out_strain_rows(m, f, v, marked, bodies);
  mj_freeStack(d);
  face_up(m, f);
}

void ct_lay_out_flexes(mjModel* m, mjData* d) {
  if (m->nflex == 0) return;
  clear_ints(m->flexedge_J_rownnz, m->nflexedge);
  clear_ints(m->flexedge_J_rowadr, m->nflexedge);
  clear_ints(m->flexedge_J_colind, m->nJfe);
  clear_ints(m->flexvert_J_rownnz, 2 * m->nflexvert);
  clear_ints(m->flexvert_J_rowadr, 2 * m->nflexvert);
  clear_ints(m->flexvert_J_colind, 2 * m->nJfv);
  clear_ints(m->flex_vertedgeadr, m->nflexvert);
  clear_ints(m->flex_vertedgenum, m->nflexvert);
  mj_markStack(d);
  int* marked = mj_stackAllocInt(d, (size_t)m->nv + 1);
  clear_ints(marked, m->nv);
  int next = 0;
  for (int f = 0; f < m->nflex; f++) {
    if (wants_edge_rows(m, f)) lay_out_edge_rows(m, f, marked);
    if (ct_has_strains(m, f)) set_strains(m, d, f, &next, marked);
  }
  mj_freeStack(d);
}

// At qpos0

static mjtNum edge_at(const mjModel* m, const mjData* d, int f, int edge, mjtNum u[3]) {
  const int* end = m->flex_edge + 2 * edge;
  ct_sub3(u, ct_flex_vertex(m, d, f, end[1]), ct_flex_vertex(m, d, f, end[0]));
  return ct_normalize3(u);
}

// J M^-1 J' of the length of an edge, with the row that the stage of edges has written: zero where
// nothing asks for rows. row (nv) is zero before and after.
static mjtNum edge_weight(const mjModel* m, const mjData* d, int edge, mjtNum* row,
                          ct_InverseWeight* inverse_weight) {
  int start = m->flexedge_J_rowadr[edge], end = start + m->flexedge_J_rownnz[edge];
  for (int k = start; k < end; k++) row[m->flexedge_J_colind[k]] = d->flexedge_J[k];
  mjtNum weight = inverse_weight(m, d, row);
  ct_zero(row, (int)m->nv);
  return weight;
}

void ct_set_edges(mjModel* m, mjData* d, ct_InverseWeight* inverse_weight) {
  if (m->nflex == 0) return;
  mj_markStack(d);
  mjtNum* row = mj_stackAllocNum(d, (size_t)m->nv + 1);
  ct_zero(row, (int)m->nv);
  for (int f = 0; f < m->nflex; f++) {
    int end = m->flex_edgeadr[f] + m->flex_edgenum[f];
    for (int e = m->flex_edgeadr[f]; e < end; e++) {
      mjtNum u[3];
      m->flexedge_length0[e] = m->flex_interp[f] ? 0 : edge_at(m, d, f, e, u);
      if (m->flex_interp[f]) continue;
      int body1 = ct_vertex_body(m, f, m->flex_edge[2 * e]);
      int body2 = ct_vertex_body(m, f, m->flex_edge[2 * e + 1]);
      if (m->flexedge_rigid[e]) {
        m->flexedge_invweight0[e] = 0;
      } else if (m->body_simple[body1] == 2 && m->body_simple[body2] == 2) {  // slides along axes
        m->flexedge_invweight0[e] = (1 / ct_max(mjMINVAL, m->body_mass[body1]) +
                                     1 / ct_max(mjMINVAL, m->body_mass[body2])) /
                                    2;
      } else {
        m->flexedge_invweight0[e] = edge_weight(m, d, e, row, inverse_weight);
      }
    }
  }
  mj_freeStack(d);
}
