// How smooth forces change with the velocity, for the implicit integrators.
//
//   in    cdof, cdof_dot, cvel, crb    spatial quantities of com.c, com_velocity.c, mass_matrix.c
//         actuator_moment, ten_J       sparse rows; ten_J may be dense
//         actuator_force, ctrl, act    what gains are multiplied with
//   out   qDeriv  (nD)  d(qfrc_passive + qfrc_actuator [- qfrc_bias]) / d qvel
//
// qDeriv has a place for dofs i, j only if one is an ancestor of the other. Other products, of
// tendons and actuators that act across branches, are dropped, as the reference does.
//
// Bodies. Let the force on body b change by B_b s when the velocity of the body changes by s, both
// taken at the reference point of the tree. Moving dof k moves everything below it by s_k, so that
// with the sum B^c over the subtree of the deeper one of i and k, as for the mass matrix,
//
//   D_ik = s_i . B^c s_k.
//
// The medium is such a B (fluid.c). So is the bias, apart from one term. From the equations
// in bias.c, when dof k gets faster, v_b changes by s_k, and a_b by ds_k/dt + sum s_k x s_l qd_l
// over the dofs l between k and b, which is e_k - v_b x s_k with e_k = ds_k/dt + u_k x s_k and
// u_k the velocity just behind the joint of k. Hence
//
//   df_b = I_b e_k + [s_k x* I_b v_b + v_b x* I_b s_k - I_b (v_b x s_k)],
//
// the bracket being a B_b, and D_ik -= s_i . (I^c e_k + B^c s_k), I^c the composite inertia crb.
// The reference follows every column through the tree instead; the numbers are the same.
//
// Left out, as the reference does: callbacks, plugins, the inertia of tendons, limits of joint
// forces. Rows of dofs that sleep keep what they had.

#include "engine/smooth/velocity_derivative.h"

#include "base/memory/scratch.h"
#include "base/model/awake.h"
#include "base/model/chain.h"
#include "base/model/options.h"
#include "base/private.h"
#include "engine/smooth/actuation.h"
#include "engine/smooth/fluid.h"
#include "engine/smooth/passive.h"
#include "math/sparse.h"
#include "math/spatial.h"

typedef struct BodyTerms_ {  // scratch of the part that comes from bodies
  bool fluid, bias;
  bool symmetric;   // medium: symmetric part only
  bool filter;      // some bodies sleep
  mjtNum* change;   // (nbody x 36) B^c of what is added: medium less bias
  mjtNum* momenta;  // (nv x 6) I^c s
  mjtNum* behind;   // (nv x 6) e
  mjtNum* down;     // (nv x 6) B^c s - I^c e: forces on ancestors when the dof moves
  mjtNum* up;       // (nv x 6) B^c' s: what the dof feels when ancestors move
} BodyTerms;

// Column c of a matrix less the bias part of B_b: the bracket above for s = unit vector c.
LANE_INLINE void sub_bias_change(const mjData* d, int b, const mjtNum momentum[6],
                                 mjtNum change[36]) {
  const mjtNum *inertia = d->cinert + 10 * b, *v = d->cvel + 6 * b;
  for (int c = 0; c < 6; c++) {
    mjtNum s[6] = {0, 0, 0, 0, 0, 0}, turned[6], part1[6], part2[6], part3[6];
    s[c] = 1;
    ct_cross_force(part1, s, momentum);
    ct_mul_inert_vec(turned, inertia, s);
    ct_cross_force(part2, v, turned);
    ct_cross_motion(turned, v, s);
    ct_mul_inert_vec(part3, inertia, turned);
    for (int r = 0; r < 6; r++) change[6 * r + c] -= part1[r] + part2[r] - part3[r];
  }
}

LANE_FN static void body_change(const mjModel* m, const mjData* d, const BodyTerms* s, int b) {
  mjtNum* change = s->change + 36 * b;
  if (s->fluid) {
    ct_fluid_damping(m, d, b, s->symmetric, change);
  } else {
    ct_zero(change, 36);
  }
  if (s->bias && m->body_weldid[b] != 0) {
    mjtNum momentum[6];
    ct_mul_inert_vec(momentum, d->cinert + 10 * b, d->cvel + 6 * b);
    sub_bias_change(d, b, momentum, change);
  }
}

LANE_FN static void gather_change(const mjData* d, const BodyTerms* s, int b) {
  const ct_Schedule* schedule = &ct_private(d)->schedule;
  for (int i = schedule->child_adr[b]; i < schedule->child_adr[b + 1]; i++) {
    ct_add_to(s->change + 36 * b, s->change + 36 * schedule->child[i], 36);
  }
}

// Velocity behind the joint that dof k belongs to. The dofs of a ball joint move together; the
// translations of a free joint come before its rotations.
LANE_INLINE void velocity_behind(const mjModel* m, const mjData* d, int k, mjtNum v[6]) {
  int b = m->dof_bodyid[k], joint = m->dof_jntid[k], last = k;
  int first = m->jnt_dofadr[joint];
  if (m->jnt_type[joint] == mjJNT_BALL) last = first + 2;
  if (m->jnt_type[joint] == mjJNT_FREE) last = k < first + 3 ? first + 2 : first + 5;
  ct_copy6(v, d->cvel + 6 * b);
  for (int l = m->body_dofadr[b] + m->body_dofnum[b] - 1; l > last; l--) {
    ct_add_to_scl6(v, d->cdof + 6 * l, -d->qvel[l]);
  }
}

LANE_FN static void dof_terms(const mjModel* m, const mjData* d, const BodyTerms* s, int k) {
  const mjtNum *axis = d->cdof + 6 * k, *change = s->change + 36 * m->dof_bodyid[k];
  mjtNum *down = s->down + 6 * k, *up = s->up + 6 * k;
  ct_zero6(up);
  for (int r = 0; r < 6; r++) {
    down[r] = ct_dot6(change + 6 * r, axis);
    ct_add_to_scl6(up, change + 6 * r, axis[r]);
  }
  if (!s->bias) return;
  const mjtNum* inertia = d->crb + 10 * m->dof_bodyid[k];
  mjtNum v[6], turned[6], *behind = s->behind + 6 * k;
  velocity_behind(m, d, k, v);
  ct_cross_motion(behind, v, axis);
  ct_add_to6(behind, d->cdof_dot + 6 * k);
  ct_mul_inert_vec(s->momenta + 6 * k, inertia, axis);
  ct_mul_inert_vec(turned, inertia, behind);
  ct_add_to_scl6(down, turned, -1);
}

// Row i: columns up to the diagonal are ancestors, those behind it descendants.
LANE_FN static void add_body_row(const mjModel* m, mjData* d, const BodyTerms* s, int i) {
  mjtNum* row = d->qDeriv + m->D_rowadr[i];
  const int* column = m->D_colind + m->D_rowadr[i];
  for (int e = 0; e <= m->D_diag[i]; e++) {
    int k = column[e];
    row[e] += ct_dot6(s->up + 6 * i, d->cdof + 6 * k);
    if (s->bias) row[e] -= ct_dot6(s->momenta + 6 * i, s->behind + 6 * k);
  }
  for (int e = m->D_diag[i] + 1; e < m->D_rownnz[i]; e++) {
    row[e] += ct_dot6(d->cdof + 6 * i, s->down + 6 * column[e]);
  }
}

// Adds what comes from bodies: the medium and, if asked for, the bias.
LANE_FN static int add_body_terms(Lane g, const mjModel* m, mjData* d, bool fluid, bool bias) {
  int nv = (int)m->nv, nbody = (int)m->nbody;
  BodyTerms s = {
      fluid, bias, m->opt.integrator == mjINT_IMPLICITFAST, ct_some_asleep(m, d), NULL, NULL, NULL,
      NULL,  NULL};
  if (!fluid && !bias) return CT_OK;
  if (!lane_mark(g, d)) return CT_STACK_FULL;
  s.change = lane_scratch_num(g, d, 36 * nbody + 24 * nv);
  if (s.change) {
    s.momenta = s.change + 36 * nbody;
    s.behind = s.momenta + 6 * nv;
    s.down = s.behind + 6 * nv;
    s.up = s.down + 6 * nv;
    LANE_FOR(i, g, ct_bodies_awake(m, d, s.filter)) {
      body_change(m, d, &s, ct_awake_body(d, s.filter, i));
    }
    lane_sync(g);
    LANE_LEVELS_AWAKE_UP(b, g, m, d, s.filter) {
      if (m->body_weldid[b]) gather_change(d, &s, b);
    }
    LANE_FOR(i, g, ct_dofs_awake(m, d, s.filter)) {
      dof_terms(m, d, &s, ct_awake_dof(d, s.filter, i));
    }
    lane_sync(g);
    LANE_FOR(i, g, ct_dofs_awake(m, d, s.filter)) {
      add_body_row(m, d, &s, ct_awake_dof(d, s.filter, i));
    }
  }
  lane_free(g, d);
  return s.change ? CT_OK : CT_STACK_FULL;
}

// qDeriv += scale J'J for a sparse row J.
LANE_FN static void add_square(Lane g, const mjModel* m, mjData* d, const mjtNum* J,
                               const int* column, int n, mjtNum scale) {
  bool filter = ct_some_asleep(m, d);
  LANE_FOR(e, g, n) {
    int i = column[e], start = m->D_rowadr[i];
    if (filter && ct_dof_asleep(m, d, i)) continue;
    int first = e - m->D_diag[i];  // of the row's columns in J, if they are neighbours there too
    if (n == 1) {
      d->qDeriv[start + m->D_diag[i]] += scale * J[e] * J[e];
    } else if (m->D_rownnz[i] == 3 && first >= 0 && first + 2 < n &&
               column[first] == m->D_colind[start] && column[first + 2] == column[first] + 2) {
      for (int k = 0; k < 3; k++) d->qDeriv[start + k] += scale * J[e] * J[first + k];
    } else {
      ct_add_common_sparse(d->qDeriv + start, m->D_colind + start, m->D_rownnz[i], J, column, n,
                           scale * J[e]);
    }
  }
  lane_sync(g);  // the next row may touch the same entries
}

LANE_FN static void add_square_dense(Lane g, const mjModel* m, mjData* d, const mjtNum* J,
                                     mjtNum scale) {
  bool filter = ct_some_asleep(m, d);
  LANE_FOR(i, g, m->nv) {
    if (J[i] == 0 || (filter && ct_dof_asleep(m, d, i))) continue;
    mjtNum* row = d->qDeriv + m->D_rowadr[i];
    const int* column = m->D_colind + m->D_rowadr[i];
    for (int e = 0; e < m->D_rownnz[i]; e++) row[e] += scale * J[i] * J[column[e]];
  }
  lane_sync(g);
}

// How the force of actuator i changes with actuator_velocity. The control is taken as the user gave
// it, without limits and delays, as the reference does.
LANE_FN static mjtNum actuator_slope(const mjModel* m, const mjData* d, int i) {
  mjtNum slope = 0, gain_slope = 0;
  const mjtNum* gain = m->actuator_gainprm + mjNGAIN * i;
  if (m->actuator_biastype[i] == mjBIAS_AFFINE) slope = m->actuator_biasprm[mjNBIAS * i + 2];
  if (m->actuator_gaintype[i] == mjGAIN_AFFINE) gain_slope = gain[2];
  if (m->actuator_gaintype[i] == mjGAIN_MUSCLE) {
    gain_slope = ct_muscle_gain_slope(d->actuator_length[i], d->actuator_velocity[i],
                                      m->actuator_lengthrange + 2 * i, m->actuator_acc0[i], gain);
  }
  if (m->actuator_gaintype[i] == mjGAIN_USER && ct_is_hill(gain)) {
    gain_slope = ct_hill_gain_slope(d->actuator_length[i], d->actuator_velocity[i], gain);
  }
  if (gain_slope == 0) return slope;
  mjtNum control = m->actuator_dyntype[i] == mjDYN_NONE ? d->ctrl[i] : 0;
  return slope + gain_slope * ct_actuator_input(m, d, i, control);
}

LANE_INLINE bool at_force_limit(const mjModel* m, const mjData* d, int i) {
  const mjtNum* range = m->actuator_forcerange + 2 * i;
  return m->actuator_forcelimited[i] &&
         (d->actuator_force[i] <= range[0] || d->actuator_force[i] >= range[1]);
}

// Zero for actuators that are off, asleep or at a limit of their force.
LANE_FN static mjtNum slope_in_effect(const mjModel* m, const mjData* d, int i, bool filter) {
  if (ct_actuator_disabled(m, i) || (filter && ct_actuator_asleep(m, d, i))) return 0;
  return at_force_limit(m, d, i) ? 0 : actuator_slope(m, d, i);
}

LANE_FN void ct_actuator_derivative(Lane g, const mjModel* m, mjData* d) {
  if (m->opt.disableflags & mjDSBL_ACTUATION) return;
  bool filter = ct_some_asleep(m, d);
  for (int i = 0; i < m->nu; i++) {
    mjtNum slope = slope_in_effect(m, d, i, filter);
    if (slope == 0) continue;
    int start = d->moment_rowadr[i];
    add_square(g, m, d, d->actuator_moment + start, d->moment_colind + start, d->moment_rownnz[i],
               slope);
  }
}

// Dampers along the edges of a flex. Those of elements and of bending are left out.
LANE_FN static void add_edge_dampers(Lane g, const mjModel* m, mjData* d, int f) {
  mjtNum damping = m->flex_edgedamping[f];
  if (m->flex_rigid[f] || damping == 0) return;
  int end = m->flex_edgeadr[f] + m->flex_edgenum[f];
  for (int e = m->flex_edgeadr[f]; e < end; e++) {
    if (m->flexedge_rigid[e]) continue;
    int start = m->flexedge_J_rowadr[e];
    add_square(g, m, d, d->flexedge_J + start, m->flexedge_J_colind + start,
               m->flexedge_J_rownnz[e], -damping);
  }
}

LANE_FN static void add_dampers(Lane g, const mjModel* m, mjData* d) {
  bool filter = ct_some_asleep(m, d);
  LANE_FOR(at, g, ct_dofs_awake(m, d, filter)) {
    int i = ct_awake_dof(d, filter, at);
    d->qDeriv[m->D_rowadr[i] + m->D_diag[i]] -= m->dof_damping[i];
  }
  lane_sync(g);
  for (int f = 0; f < m->nflex; f++) add_edge_dampers(g, m, d, f);
  for (int t = 0; t < m->ntendon; t++) {
    mjtNum damping = m->tendon_damping[t];
    if (damping == 0) continue;
    if (ct_is_sparse(m)) {
      int start = d->ten_J_rowadr[t];
      add_square(g, m, d, d->ten_J + start, d->ten_J_colind + start, d->ten_J_rownnz[t], -damping);
    } else {
      add_square_dense(g, m, d, d->ten_J + t * m->nv, -damping);
    }
  }
}

// Does the medium damp? Unlike its forces, its derivative needs positive numbers.
LANE_INLINE bool medium_damps(const mjModel* m) {
  return ct_has_passive(m) && (m->opt.viscosity > 0 || m->opt.density > 0);
}

LANE_FN int ct_passive_derivative(Lane g, const mjModel* m, mjData* d) {
  int status = add_body_terms(g, m, d, medium_damps(m), false);
  if (ct_has_passive(m) && !(m->opt.disableflags & mjDSBL_DAMPER)) add_dampers(g, m, d);
  return status;
}

LANE_FN static void clear_derivative(Lane g, const mjModel* m, mjData* d) {
  if (!ct_some_asleep(m, d)) {
    LANE_FOR(e, g, m->nD) {
      d->qDeriv[e] = 0;
    }
    return;
  }
  LANE_FOR(at, g, d->nv_awake) {
    int i = d->dof_awake_ind[at];
    ct_zero(d->qDeriv + m->D_rowadr[i], m->D_rownnz[i]);
  }
}

LANE_FN int ct_smooth_derivative(Lane g, const mjModel* m, mjData* d, bool bias) {
  clear_derivative(g, m, d);
  lane_sync(g);
  ct_actuator_derivative(g, m, d);
  if (!bias) return ct_passive_derivative(g, m, d);
  int status = add_body_terms(g, m, d, medium_damps(m), true);
  if (ct_has_passive(m) && !(m->opt.disableflags & mjDSBL_DAMPER)) add_dampers(g, m, d);
  return status;
}

// Beyond the pattern of qDeriv

// Does qDeriv have a place for the dofs i and j: is one on the way from the other to the root?
LANE_INLINE bool on_one_chain(const mjModel* m, const mjData* d, int i, int j) {
  return ct_chain_has(ct_chain(d, m->dof_bodyid[i]), j) ||
         ct_chain_has(ct_chain(d, m->dof_bodyid[j]), i);
}

// A += scale J'J where qDeriv has no place; J has n entries in those columns, NULL: in all.
LANE_FN static void add_far_square(Lane g, const mjModel* m, const mjData* d, mjtNum* A,
                                   const mjtNum* J, const int* column, int n, mjtNum scale) {
  LANE_FOR(e, g, n) {
    int i = column ? column[e] : e;
    for (int f = 0; f < n && J[e] != 0; f++) {
      int j = column ? column[f] : f;
      if (J[f] != 0 && !on_one_chain(m, d, i, j)) A[i * m->nv + j] += scale * J[e] * J[f];
    }
  }
  lane_sync(g);
}

LANE_FN void ct_add_far_derivative(Lane g, const mjModel* m, const mjData* d, mjtNum* A,
                                   mjtNum scale) {
  bool filter = ct_some_asleep(m, d), sparse = ct_is_sparse(m);
  bool dampers = ct_has_passive(m) && !(m->opt.disableflags & mjDSBL_DAMPER);
  for (int i = 0; i < m->nu && !(m->opt.disableflags & mjDSBL_ACTUATION); i++) {
    mjtNum slope = slope_in_effect(m, d, i, filter);
    int start = d->moment_rowadr[i];
    if (slope == 0) continue;
    add_far_square(g, m, d, A, d->actuator_moment + start, d->moment_colind + start,
                   d->moment_rownnz[i], scale * slope);
  }
  for (int t = 0; t < m->ntendon && dampers; t++) {
    mjtNum damping = m->tendon_damping[t];
    if (damping == 0) continue;
    if (sparse) {
      int start = d->ten_J_rowadr[t];
      add_far_square(g, m, d, A, d->ten_J + start, d->ten_J_colind + start, d->ten_J_rownnz[t],
                     -scale * damping);
    } else {
      add_far_square(g, m, d, A, d->ten_J + t * m->nv, NULL, (int)m->nv, -scale * damping);
    }
  }
}
