// Interpolated flexes in implicit integrators: their elasticity couples all nodes of a cell, for
// which neither M nor qDeriv has a place.
//
//   in    M, qDeriv, qfrc_smooth, qfrc_constraint, qvel, node positions
//   out   acc (nv): accelerations of the dofs of node bodies, others are only read
//
// With I the dofs of all bodies that carry nodes, R the rotation of a cell, K its stored matrix
// (minus stiffness), b its damping and J the Jacobian of its nodes at y_i (see the file on their
// elasticity),
//
//   [M - h D - sum (h^2 + h b) J' R K R' J] a = f + phi sum (h^2 + h b) J' R K R' J v - C a'
//
// on I x I, where C a' is what accelerations of other dofs, found before, do through M - h D. For a
// single flex phi = h / (h^2 + h b) makes this (M - h D + (h^2 + h b) S) a = f - h S v with S the
// stiffness. The matrix is dense; one lane factors it.
//
// Oddities of the reference: phi is taken from the damping of flex 0 for all of them. The symmetric
// integrator has only the lower triangle of M - h D, by dofs, and the factor takes the lower one of
// H, in the order of nodes: the inertia that couples a node to its parent is lost if the parent
// carries later nodes itself. J takes the positions y_i that the cell sees for places in the world,
// as forces do: what a body that turns does to its nodes is that of other places.

#include "soft/interpolated_implicit.h"

#include "base/memory/scratch.h"
#include "math/cholesky.h"
#include "soft/interpolated_elasticity.h"

typedef struct {
  int n;       // dofs in I
  int* dof;    // (nv) of each place in I
  int* place;  // (nv) in I of each dof, -1: not there
  mjtNum* H;   // (n x n)
  mjtNum* b;   // (n)
} CellSystem;

// Lists I in the order of nodes, a body that carries several at the place of the last. By one lane.
LANE_FN static int list_cell_dofs(const mjModel* m, CellSystem* s) {
  int visits = 0, n = 0;
  for (int k = 0; k < m->nv; k++) s->place[k] = -1;
  for (int f = 0; f < m->nflex; f++) {
    for (int i = 0; m->flex_interp[f] && i < m->flex_nodenum[f]; i++) {
      int body = m->flex_nodebodyid[m->flex_nodeadr[f] + i], first = m->body_dofadr[body];
      for (int k = first; k < first + m->body_dofnum[body]; k++) s->place[k] = visits++;
    }
  }
  for (int f = 0, visit = 0; f < m->nflex; f++) {
    for (int i = 0; m->flex_interp[f] && i < m->flex_nodenum[f]; i++) {
      int body = m->flex_nodebodyid[m->flex_nodeadr[f] + i], first = m->body_dofadr[body];
      for (int k = first; k < first + m->body_dofnum[body]; k++, visit++) {
        if (s->place[k] == visit) s->dof[n++] = k;
      }
    }
  }
  for (int i = 0; i < n; i++) s->place[s->dof[i]] = i;
  return n;
}

// Puts an entry of M - h D into row i, or moves it to the other side if its acceleration is known.
LANE_INLINE void put_entry(const CellSystem* s, int i, int column, mjtNum entry,
                           const mjtNum* acc) {
  int place = s->place[column];
  if (place >= 0) {
    s->H[i * s->n + place] = entry;
  } else {
    s->b[i] -= entry * acc[column];
  }
}

// M - h D on I x I, and forces less what the other accelerations do.
LANE_FN static void start_system(Lane g, const mjModel* m, const mjData* d, const CellSystem* s,
                                 const mjtNum* acc, bool symmetric) {
  mjtNum h = m->opt.timestep;
  LANE_FOR(i, g, s->n) {
    int dof = s->dof[i], end = m->D_rowadr[dof] + m->D_rownnz[dof];
    s->b[i] = d->qfrc_smooth[dof] + d->qfrc_constraint[dof];
    ct_zero(s->H + i * s->n, s->n);
    if (symmetric) {
      int first = m->M_rowadr[dof];
      for (int a = first; a < first + m->M_rownnz[dof]; a++) {
        put_entry(s, i, m->M_colind[a], d->M[a] - h * d->qDeriv[m->mapD2M[a]], acc);
      }
      continue;
    }
    for (int e = m->D_rowadr[dof]; e < end; e++) {
      int at = m->mapM2D[e];
      put_entry(s, i, m->D_colind[e], (at >= 0 ? d->M[at] : 0) - h * d->qDeriv[e], acc);
    }
  }
  lane_sync(g);
}

// The next dof that moves a node, from the last one up; dof < 0 asks for the first, -1 ends.
LANE_INLINE int next_node_dof(const mjModel* m, int body, int dof) {
  return dof < 0 ? ct_last_dof(m, body) : m->dof_parentid[dof];
}

// Velocity of a node per speed of the dof.
LANE_INLINE void node_column(const mjModel* m, const mjData* d, int body, int dof,
                             const mjtNum pos[3], mjtNum column[3]) {
  mjtNum offset[3];
  ct_sub3(offset, pos, ct_reference_point(m, d, body));
  ct_jac_column(column, d->cdof + 6 * dof, offset);
}

// Velocities of the nodes, seen from the cell.
LANE_FN static void node_velocities(const mjModel* m, const mjData* d, int f, const ct_Cell* cell,
                                    mjtNum* velocity) {
  for (int i = 0; i < cell->nodes; i++) {
    int body = m->flex_nodebodyid[m->flex_nodeadr[f] + i];
    mjtNum v[3] = {0, 0, 0}, column[3];
    for (int k = next_node_dof(m, body, -1); k >= 0; k = next_node_dof(m, body, k)) {
      node_column(m, d, body, k, cell->pos + 3 * i, column);
      ct_add_to_scl3(v, column, d->qvel[k]);
    }
    ct_mul_mat_t_vec3(velocity + 3 * i, cell->rotation, v);
  }
}

// Row `row` of H -= scale J' R K R' J. left: the velocity of node i per speed of the row's dof,
// seen from the cell.
LANE_FN static void add_cell_row(const mjModel* m, const mjData* d, const CellSystem* s, int f,
                                 const ct_Cell* cell, const mjtNum* K, int i, int row,
                                 const mjtNum left[3], mjtNum scale) {
  int n = 3 * cell->nodes;
  for (int j = 0; j < cell->nodes; j++) {
    int body = m->flex_nodebodyid[m->flex_nodeadr[f] + j];
    mjtNum part[3], turned[3], column[3];
    for (int c = 0; c < 3; c++) {
      const mjtNum* entry = K + n * 3 * i + 3 * j + c;
      part[c] = left[0] * entry[0] + left[1] * entry[n] + left[2] * entry[2 * n];
    }
    ct_mul_mat_vec3(turned, cell->rotation, part);
    for (int k = next_node_dof(m, body, -1); k >= 0; k = next_node_dof(m, body, k)) {
      if (s->place[k] < 0) continue;
      node_column(m, d, body, k, cell->pos + 3 * j, column);
      s->H[row * s->n + s->place[k]] -= scale * ct_dot3(turned, column);
    }
  }
}

// H -= scale J' R K R' J and b += phi scale J' R K R' J v.
LANE_FN static void add_cell(const mjModel* m, const mjData* d, const CellSystem* s, int f,
                             const mjtNum* K, mjtNum scale, mjtNum phi) {
  ct_Cell cell;
  mjtNum velocity[3 * CT_MOST_NODES];
  ct_find_cell(m, d, f, &cell);
  node_velocities(m, d, f, &cell, velocity);
  int n = 3 * cell.nodes;
  for (int i = 0; i < cell.nodes; i++) {
    int body = m->flex_nodebodyid[m->flex_nodeadr[f] + i];
    mjtNum push[3];
    for (int c = 0; c < 3; c++) push[c] = ct_dot(K + n * (3 * i + c), velocity, n);
    for (int k = next_node_dof(m, body, -1); k >= 0; k = next_node_dof(m, body, k)) {
      mjtNum column[3], left[3];
      int row = s->place[k];
      if (row < 0) continue;
      node_column(m, d, body, k, cell.pos + 3 * i, column);
      ct_mul_mat_t_vec3(left, cell.rotation, column);
      s->b[row] += phi * scale * ct_dot3(left, push);
      add_cell_row(m, d, s, f, &cell, K, i, row, left, scale);
    }
  }
}

LANE_FN static void add_cells(const mjModel* m, const mjData* d, const CellSystem* s) {
  mjtNum h = m->opt.timestep, whole = h * h + h * m->flex_damping[0];
  mjtNum phi = whole <= mjMINVAL ? 0 : h / whole;
  for (int f = 0; f < m->nflex; f++) {
    const mjtNum* K = m->flex_interp[f] ? ct_cell_stiffness(m, f) : NULL;
    if (K) add_cell(m, d, s, f, K, h * h + h * m->flex_damping[f], phi);
  }
}

LANE_FN int ct_implicit_cells(Lane g, const mjModel* m, mjData* d, mjtNum* acc, bool symmetric) {
  CellSystem s;
  int nv = (int)m->nv;
  if (!lane_mark(g, d)) return CT_STACK_FULL;
  s.dof = lane_scratch_int(g, d, nv);
  s.place = lane_scratch_int(g, d, nv);
  bool room = s.dof && s.place;
  s.n = 0;
  if (room) LANE_ANSWER(s.n, g, list_cell_dofs(m, &s));
  if (room && s.n) {
    s.H = lane_scratch_num(g, d, s.n * s.n);
    s.b = lane_scratch_num(g, d, s.n);
    room = s.H && s.b;
  }
  if (room && s.n) {
    start_system(g, m, d, &s, acc, symmetric);
    LANE_ALONE(g) {
      add_cells(m, d, &s);
      ct_cholesky_factor(s.H, s.n, mjMINVAL);
      ct_cholesky_solve(s.b, s.H, s.b, s.n);
      for (int i = 0; i < s.n; i++) acc[s.dof[i]] = s.b[i];
    }
  }
  lane_free(g, d);
  return room ? CT_OK : CT_STACK_FULL;
}
