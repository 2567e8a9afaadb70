// Elasticity of interpolated flexes: one matrix for all nodes, turned with the cell.
//
//   in    xpos, xmat, xipos, cvel, qvel
//   out   qfrc_spring, qfrc_damper   added to
//
// Corotational linear elasticity. F, the deformation at the middle of the cell, is split into a
// rotation R and a stretch (by an iteration of which the result depends on where it stops, so it
// is the reference's). With positions y_i = R' x_i + middle seen from the cell,
//
//   force_i = R [K (y - node0)]_i,    damping R [K R' v]_i,    K = -stiffness.
//
// Oddities of the reference: the middle is (.5, .5, .5), whatever the size of the cell; forces on
// nodes that are not at the origin of their body act at y_i instead of x_i, and velocities there
// are those of the body's centre of mass.

#include "soft/interpolated_elasticity.h"

#include "base/memory/scratch.h"
#include "math/quat.h"

LANE_FN void ct_find_cell(const mjModel* m, const mjData* d, int f, ct_Cell* cell) {
  const mjtNum middle[3] = {(mjtNum)0.5, (mjtNum)0.5, (mjtNum)0.5};
  mjtNum F[9], quat[4];
  cell->nodes = m->flex_nodenum[f];
  ct_zero(F, 9);
  for (int i = 0; i < cell->nodes; i++) {
    mjtNum gradient[3], *pos = cell->pos + 3 * i;
    ct_basis_gradient(gradient, middle, i, m->flex_interp[f]);
    ct_node_position(m, d, f, i, pos);
    for (int k = 0; k < 9; k++) F[k] += pos[k / 3] * gradient[k % 3];
  }
  ct_unit4(quat);
  ct_mat_to_rot(quat, F);
  ct_quat_to_mat(cell->rotation, quat);
  for (int i = 0; i < cell->nodes; i++) {
    mjtNum seen[3];
    ct_mul_mat_t_vec3(seen, cell->rotation, cell->pos + 3 * i);
    ct_add3(cell->pos + 3 * i, seen, middle);
  }
}

LANE_FN static void node_velocity(const mjModel* m, const mjData* d, int f, int i, mjtNum v[3]) {
  int body = m->flex_nodebodyid[m->flex_nodeadr[f] + i];
  if (m->flex_centered[f]) {
    if (m->body_dofnum[body] < 3) {
      ct_zero3(v);
    } else {
      ct_copy3(v, d->qvel + m->body_dofadr[body]);
    }
    return;
  }
  mjtNum offset[3];
  ct_sub3(offset, d->xipos + 3 * body, ct_reference_point(m, d, body));
  ct_jac_column(v, d->cvel + 6 * body, offset);
}

// Adds the force of node i to the dofs. point: where it acts if the node is not at its body.
LANE_FN static void push_node(Lane g, const mjModel* m, mjData* d, int f, int i, mjtNum* target,
                              const mjtNum point[3], const mjtNum force[3]) {
  int body = m->flex_nodebodyid[m->flex_nodeadr[f] + i];
  if (!m->flex_centered[f]) {
    ct_add_force(g, m, d, target, body, point, force);
  } else if (m->body_dofnum[body] >= 3) {
    for (int k = 0; k < 3; k++) {
      int dof = m->body_dofadr[body] + k;
      if (LANE_OWNS(g, dof)) target[dof] += force[k];
    }
  }
}

typedef struct {
  mjtNum *moved, *velocity;  // (3 nodes) seen from the cell
  mjtNum *spring, *damper;   // (3 nodes)
} NodeScratch;

LANE_FN static void turn_forces(Lane g, const mjModel* m, mjData* d, int f, const ct_Cell* cell,
                                const NodeScratch* s, ct_PassiveKinds kinds) {
  for (int i = 0; i < cell->nodes; i++) {
    mjtNum force[3];
    if (kinds.spring) {
      ct_mul_mat_vec3(force, cell->rotation, s->spring + 3 * i);
      push_node(g, m, d, f, i, d->qfrc_spring, cell->pos + 3 * i, force);
    }
    if (kinds.damper) {
      ct_mul_mat_vec3(force, cell->rotation, s->damper + 3 * i);
      ct_scl3(force, force, m->flex_damping[f]);
      push_node(g, m, d, f, i, d->qfrc_damper, cell->pos + 3 * i, force);
    }
  }
  lane_sync(g);
}

LANE_FN static void cell_forces(Lane g, const mjModel* m, mjData* d, int f, const mjtNum* K,
                                const NodeScratch* s, ct_PassiveKinds kinds) {
  ct_Cell cell;
  ct_find_cell(m, d, f, &cell);
  int n = 3 * cell.nodes;
  LANE_FOR(i, g, cell.nodes) {
    mjtNum v[3];
    ct_sub3(s->moved + 3 * i, cell.pos + 3 * i, m->flex_node0 + 3 * (m->flex_nodeadr[f] + i));
    node_velocity(m, d, f, i, v);
    ct_mul_mat_t_vec3(s->velocity + 3 * i, cell.rotation, v);
  }
  lane_sync(g);
  LANE_FOR(i, g, n) {
    s->spring[i] = ct_dot(K + n * i, s->moved, n);
    s->damper[i] = ct_dot(K + n * i, s->velocity, n);
  }
  lane_sync(g);
  turn_forces(g, m, d, f, &cell, s, kinds);
}

LANE_FN int ct_node_forces(Lane g, const mjModel* m, mjData* d, int f, ct_PassiveKinds kinds) {
  const mjtNum* K = ct_cell_stiffness(m, f);
  int n = 3 * m->flex_nodenum[f];
  if (!K) return CT_OK;
  if (!lane_mark(g, d)) return CT_STACK_FULL;
  mjtNum* room = lane_scratch_num(g, d, 4 * n);
  if (room) {
    NodeScratch s = {room, room + n, room + 2 * n, room + 3 * n};
    cell_forces(g, m, d, f, K, &s, kinds);
  }
  lane_free(g, d);
  return room ? CT_OK : CT_STACK_FULL;
}
