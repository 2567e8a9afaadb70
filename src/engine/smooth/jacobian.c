// Jacobians: how points, directions and momenta of bodies change with the dofs.
//
//   in    cdof, subtree_com    (nv x 6), (nbody x 3)
//         cinert               (nbody x 10)           momenta
//         cvel, cdof_dot       (nbody x 6), (nv x 6)  time derivatives
//   out   arrays of the caller, 3 rows of nv columns; zero where a dof does not act
//
// With s = (w, v) the motion axis of dof k, taken at the point c, a point p of a body below it
// moves with
//
//   J_k = v + w x (p - c),        and turns with w.
//
// Momentum of a subtree: everything below dof k moves as one rigid body when only k does, so with I
// the sum of the spatial inertias of the bodies of the subtree that k moves (Featherstone, Rigid
// Body Dynamics Algorithms, section 6.2) column k is I s, moved to the centre of mass.

#include "engine/smooth/jacobian.h"

#include "base/memory/scratch.h"
#include "base/model/chain.h"

LANE_INLINE void write_column(mjtNum* jac, int ncolumn, int k, const mjtNum column[3]) {
  jac[k] = column[0];
  jac[ncolumn + k] = column[1];
  jac[2 * ncolumn + k] = column[2];
}

// Clears the rows of both Jacobians for all lanes to write into.
LANE_FN static void clear_rows(Lane g, mjtNum* jac1, mjtNum* jac2, int n) {
  if (jac1) {
    LANE_FOR(i, g, n) {
      jac1[i] = 0;
    }
  }
  if (jac2) {
    LANE_FOR(i, g, n) {
      jac2[i] = 0;
    }
  }
  lane_sync(g);
}

LANE_FN void ct_jac(Lane g, const mjModel* m, const mjData* d, mjtNum* jacp, mjtNum* jacr,
                    const mjtNum point[3], int body) {
  int nv = (int)m->nv;
  mjtNum offset[3];
  ct_sub3(offset, point, ct_reference_point(m, d, body));
  clear_rows(g, jacp, jacr, 3 * nv);
  LANE_CHAIN(k, g, m, ct_last_dof(m, body)) {
    const mjtNum* cdof = d->cdof + 6 * k;
    mjtNum column[3];
    ct_jac_column(column, cdof, offset);
    if (jacp) write_column(jacp, nv, k, column);
    if (jacr) write_column(jacr, nv, k, cdof);
  }
  lane_sync(g);
}

LANE_FN void ct_jac_dot(Lane g, const mjModel* m, const mjData* d, mjtNum* jacp, mjtNum* jacr,
                        const mjtNum point[3], int body) {
  int nv = (int)m->nv;
  mjtNum offset[3], velocity[3];
  ct_sub3(offset, point, ct_reference_point(m, d, body));
  ct_jac_column(velocity, d->cvel + 6 * body, offset);  // of the point
  clear_rows(g, jacp, jacr, 3 * nv);
  LANE_CHAIN(k, g, m, ct_last_dof(m, body)) {
    mjtNum rate[6], column[3], sweep[3];
    ct_axis_rate(m, d, k, rate);
    ct_jac_column(column, rate, offset);
    ct_cross(sweep, d->cdof + 6 * k, velocity);
    ct_add_to3(column, sweep);
    if (jacp) write_column(jacp, nv, k, column);
    if (jacr) write_column(jacr, nv, k, rate);
  }
  lane_sync(g);
}

LANE_FN void ct_jac_point_axis(Lane g, const mjModel* m, const mjData* d, mjtNum* jac_point,
                               mjtNum* jac_axis, const mjtNum point[3], const mjtNum axis[3],
                               int body) {
  int nv = (int)m->nv;
  mjtNum offset[3];
  ct_sub3(offset, point, ct_reference_point(m, d, body));
  clear_rows(g, jac_point, jac_axis, 3 * nv);
  LANE_CHAIN(k, g, m, ct_last_dof(m, body)) {
    mjtNum moved[3], turned[3];
    ct_jac_column(moved, d->cdof + 6 * k, offset);
    ct_cross(turned, d->cdof + 6 * k, axis);
    if (jac_point) write_column(jac_point, nv, k, moved);
    if (jac_axis) write_column(jac_axis, nv, k, turned);
  }
  lane_sync(g);
}

// Inertia of body b and all that hangs on it.
LANE_FN static void composite_inertia(const ct_Schedule* s, const mjData* d, mjtNum* composite,
                                      int b) {
  mjtNum* inertia = composite + 10 * b;
  ct_copy(inertia, d->cinert + 10 * b, 10);
  for (int i = s->child_adr[b]; i < s->child_adr[b + 1]; i++) {
    ct_add_to(inertia, composite + 10 * s->child[i], 10);
  }
}

// The top of the part of the subtree of `body` that dof k moves; 0 if it moves none.
LANE_FN static int moved_part(const mjModel* m, ct_Chain chain, int body, int k) {
  if (ct_chain_has(chain, k)) return body;
  int top = m->dof_bodyid[k], above = top;
  while (above > body) {
    above = m->body_parentid[above];
  }
  return above == body ? top : 0;
}

LANE_FN int ct_subtree_momentum(Lane g, const mjModel* m, mjData* d, mjtNum* velocity,
                                mjtNum* angular, int body) {
  int nv = (int)m->nv;
  if (!lane_mark(g, d)) return CT_STACK_FULL;
  mjtNum* composite = lane_scratch_num(g, d, 10 * (int)m->nbody);
  if (composite) {
    const ct_Schedule* s = &ct_private(d)->schedule;
    LANE_LEVELS_UP(b, g, s->bodies) {
      composite_inertia(s, d, composite, b);
    }
    ct_Chain chain = ct_chain(d, body);
    mjtNum inverse = 1 / m->body_subtreemass[body];
    LANE_FOR(k, g, nv) {
      mjtNum momentum[6] = {0, 0, 0, 0, 0, 0};  // about the reference point, then the centre
      int top = moved_part(m, chain, body, k);
      if (top) {
        ct_mul_inert_vec(momentum, composite + 10 * top, d->cdof + 6 * k);
        ct_transform_force(momentum, momentum, d->subtree_com + 3 * body,
                           ct_reference_point(m, d, top), NULL);
      }
      if (angular) write_column(angular, nv, k, momentum);
      ct_scl3(momentum + 3, momentum + 3, inverse);
      if (velocity) write_column(velocity, nv, k, momentum + 3);
    }
  }
  lane_free(g, d);
  return composite ? CT_OK : CT_STACK_FULL;
}

LANE_FN void ct_apply_force(Lane g, const mjModel* m, const mjData* d, mjtNum* target,
                            const mjtNum* force, const mjtNum* torque, const mjtNum point[3],
                            int body) {
  mjtNum offset[3];
  ct_sub3(offset, point, ct_reference_point(m, d, body));
  LANE_CHAIN(k, g, m, ct_last_dof(m, body)) {
    const mjtNum* cdof = d->cdof + 6 * k;
    if (force) {
      mjtNum column[3];
      ct_jac_column(column, cdof, offset);
      target[k] += ct_dot3(column, force);
    }
    if (torque) target[k] += ct_dot3(cdof, torque);
  }
  lane_sync(g);
}
