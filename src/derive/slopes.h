// How accelerations change with the state and the controls: scratch and parts of the analytic
// derivative.
//
// At the solution of the constraint problem
//
//   G(a, x) = M a + c - tau - J' f(r) = 0,   r = J a - aref,
//
// so that da/dx = H^-1 R with H = dG/da = M + J' W J, W = -df/dr, and R = -dG/dx at fixed a. Each
// part of the forces adds its share to R (`rhs`) and H, and one factor solves for all columns.
//
// Spatial vectors are (rotation; translation) about the reference point of their tree, as in cdof
// and cvel; that the point itself moves never matters. A *group* is the three rotations of a ball
// or free joint; every other dof is a group of its own. "Before" a dof means the sum over all dofs
// above its group. With S_j the axis of dof j (cdof), axes and twists of bodies W = sum S_i w_i
// change with the position by
//
//   dS_i/dq_j = S_j x S_i            if j is above i or in its group, else 0
//   dW_b/dq_j = S_j x (W_b - W_j)    if j moves b, W_j being the sum before j

#ifndef CT_DERIVE_SLOPES_H_
#define CT_DERIVE_SLOPES_H_

#include <stdbool.h>

#include <mujoco/mujoco.h>

#include "base/failure.h"
#include "base/lanes.h"
#include "base/model/chain.h"
#include "derive/sparse_factor.h"
#include "engine/smooth/jacobian.h"
#include "math/spatial.h"

// Why a part of a model has no analytic derivative: bits of ct_DerivativeReason
// (corten/derivative.h).

typedef struct ct_Slopes_ {
  const mjModel* m;
  mjData* d;
  int nv, na, nu;
  int width;            // of a row of rhs, a multiple of CT_COLUMN_BLOCK
  unsigned* reasons;    // (1) what could not be differentiated; written by one lane
  bool acts, pushed;    // forces of actuators and applied ones belong to tau
  bool silent;          // a control is bad, for which all of them are taken for zero
  mjtNum* rhs;          // (nv x width) columns: q (nv), v (nv), act (na), ctrl (nu); later da
  const mjtNum* y;      // (nv) weights of the rows, if only these are asked for: no rhs; else NULL
  mjtNum* by;           // (width) y'R is added here then
  const mjtNum *x, *z;  // (nv) with it z'd(M x)/dq, which the integrator needs; z NULL: none
  ct_SparseMatrix H;
  mjtNum* acc;                         // (nv) qacc, polished
  int *first, *last;                   // (nv) of the group of each dof
  mjtNum *speed_before, *push_before;  // (nv x 6) sums of S v and S a before each dof
  mjtNum* push;                        // (nbody x 6) sum of S a of each body
  mjtNum* body;                        // (nbody x CT_BODY_SLOPE) scratch of inertial_slopes.c
  mjtNum* dof;                         // (nv x CT_DOF_SLOPE)
  mjtNum* upper;                       // (CT_UPPER x nv, padded to words) see inertial_slopes.c
  mjtNum *twist, *twist_before;        // (nbody x 6), (nv x 6) sums of S y
  mjtNum *burden, *pair;               // (nbody x 24) see block_weights.c, inertial_weights.c
  mjtNum* column;                      // (nv x CT_COLUMN_SLOPE) scratch of blocks of rows
  mjtNum* table;                       // (36 x nv, padded to four) of a block
  mjtNum* row;                         // (32 x nv) one row of each lane
  int* list;                           // (nv)
  mjtNum* motion;                      // ct_ContactMotion of the contact at hand
  mjtNum* ground;                      // (nbody x CT_GROUND) sums of ground_slopes.c
  mjtNum ground_B;                     // of the contacts in them
  bool grounded;                       // there are such
  int* answer;                         // (1) what one lane found out for all
  mjtNum *length_v,
      *length_a;       // (ntendon x nv) rows of the second derivative of lengths times v, a
  mjtNum* length_gap;  // (ntendon x nv) slope of the length less J, which is not that where a
                       // string inside of a geom does not touch it in the best place
  mjtNum *act_by_act, *act_by_ctrl;  // (na), (nu) slopes of act_dot; of the actuator's own
  mjtNum* drive;  // (nu x CT_DRIVE) slopes of forces by length, speed, control, activation;
                  // of what the gain is applied to by control and activation
  int* driven;    // (nv) dofs of an actuator or tendon, see transmission_slopes.c
  mjtNum *lever, *stretch, *bend;  // (nv), (nv), (nv x nv) of these
  mjtNum *jar, *force;             // (nefc)
  int* state;                      // (nefc)
  mjtNum* weight;                  // (nefc) W of rows outside of cones
  mjtNum smoothing;                // of ct_DerivativeOptions
} ct_Slopes;

enum {
  CT_DRIVE = 6,
  CT_BURDEN = 24,
  CT_BODY_PAIR = 24,
  CT_BODY_SLOPE = 30,
  CT_DOF_SLOPE = 57,
  CT_GROUND = 78,
  CT_UPPER = 27,
  CT_COLUMN_SLOPE = 32
};

LANE_INLINE int ct_column_q(const ct_Slopes* s, int dof) {
  (void)s;
  return dof;
}

LANE_INLINE int ct_column_v(const ct_Slopes* s, int dof) {
  return s->nv + dof;
}

LANE_INLINE int ct_column_act(const ct_Slopes* s, int k) {
  return 2 * s->nv + k;
}

LANE_INLINE int ct_column_ctrl(const ct_Slopes* s, int i) {
  return 2 * s->nv + s->na + i;
}

LANE_INLINE mjtNum* ct_slope_row(const ct_Slopes* s, int dof) {
  return s->rhs + (size_t)dof * (size_t)s->width;
}

// Adds x to R. Weighed columns are sums over rows, so that lanes share out columns, not rows.
LANE_INLINE void ct_add_slope(const ct_Slopes* s, int row, int column, mjtNum x) {
  if (s->y) {
    s->by[column] += s->y[row] * x;
  } else {
    ct_slope_row(s, row)[column] += x;
  }
}

// The axis of a dof at another point than the reference point of its tree.
LANE_INLINE void ct_axis_at(const ct_Slopes* s, int dof, const mjtNum point[3], mjtNum axis[6]) {
  const mjtNum* cdof = s->d->cdof + 6 * dof;
  mjtNum offset[3];
  ct_sub3(offset, point, ct_reference_point(s->m, s->d, s->m->dof_bodyid[dof]));
  ct_copy3(axis, cdof);
  ct_jac_column(axis + 3, cdof, offset);
}

// Is dof j above i or in its group, both being on one chain?
LANE_INLINE bool ct_turns_axis(const ct_Slopes* s, int j, int i) {
  return j <= s->last[i];
}

// The parts.

// inertial_slopes.c: scale times the derivative of M acc + c(speed) is added to by_q and by_v (nv x
// width), either of which may be NULL; speed NULL: of M acc alone. acc NULL: of c alone.
typedef struct ct_InertialTarget_ {
  mjtNum scale;
  mjtNum *by_q, *by_v;
  bool keep;  // push, push_before and speed_before, for rows of constraints
} ct_InertialTarget;
LANE_FN void ct_prepare_slopes(Lane g, ct_Slopes* s);
LANE_FN void ct_inertial_slopes(Lane g, ct_Slopes* s, const mjtNum* speed, const mjtNum* acc,
                                bool gravity, ct_InertialTarget to);

// ground_slopes.c: contacts with what stands still, summed for each moving body about the reference
// point of its tree, for inertial_slopes.c to write: columns of N and D, and the wrench. Needs
// forces of rows and push. Is the block that starts at row `first` among them?
typedef struct ct_GroundSums_ {
  mjtNum change[6][6], weight[6][6];
  mjtNum wrench[6];
} ct_GroundSums;
LANE_FN void ct_ground_slopes(Lane g, ct_Slopes* s);
LANE_FN bool ct_is_grounded(const ct_Slopes* s, int first, int rows);

// inertial_weights.c: the same for weights y of rows alone, in as many operations as there are
// dofs. First what does not depend on them: push, push_before, speed_before; then, with y known,
// the twists of bodies; and, behind all rows, y'R of inertia and s->burden, and z'd(M x)/dq.
LANE_FN void ct_sweep_motion(Lane g, ct_Slopes* s);
LANE_FN void ct_sweep_weights(Lane g, ct_Slopes* s);
LANE_FN void ct_inertial_weights(Lane g, ct_Slopes* s);

// force_slopes.c: passive, applied and actuator forces; slopes of activations.
LANE_FN void ct_force_slopes(Lane g, ct_Slopes* s);

// transmission_slopes.c: the dofs that the moment row or the length of actuator i depends on go to
// `driven`, of which the number is returned, its row to lever, dl/dq to stretch and dm_i/dq_j to
// bend. The same of a tendon alone, without stretch. One lane alone; tendon_slopes.c adds scale
// times what is its own.
LANE_FN int ct_transmission_slopes(ct_Slopes* s, int i);
LANE_FN int ct_damper_slopes(ct_Slopes* s, int t);
LANE_FN int ct_tendon_bend(ct_Slopes* s, int t, mjtNum scale, int count);
LANE_FN int ct_list_driven(ct_Slopes* s, int count, int dof);

// Is the path of a tendon one through space, not a sum of joints?
LANE_INLINE bool ct_is_spatial(const mjModel* m, int t) {
  return m->tendon_num[t] > 0 && m->wrap_type[m->tendon_adr[t]] != mjWRAP_JOINT;
}

// Does a limit hold the sum of actuator forces on the joint of a dof?
LANE_INLINE bool ct_is_saturated(const mjModel* m, const mjData* d, int dof) {
  int joint = m->dof_jntid[dof];
  const mjtNum* range = m->jnt_actfrcrange + 2 * joint;
  mjtNum force = d->qfrc_actuator[dof];
  return m->jnt_actfrclimited[joint] && !(force > range[0] && force < range[1]);
}

// Does actuator i of a tendon pull dofs that are held so? Then its force is not one along the
// tendon.
LANE_INLINE bool ct_pulls_saturated(const mjModel* m, const mjData* d, int i) {
  int start = d->moment_rowadr[i], end = start + d->moment_rownnz[i];
  for (int e = start; e < end; e++) {
    if (ct_is_saturated(m, d, d->moment_colind[e])) return true;
  }
  return false;
}

// tendon_slopes.c: second derivatives of lengths of tendons, times v and a, and times the force
// that acts along each of them. Needs s->force.
LANE_FN void ct_tendon_slopes(Lane g, ct_Slopes* s);

// tendon_inertia_slopes.c: forces of tendons that have inertia along a path.
LANE_FN void ct_tendon_inertia_slopes(Lane g, ct_Slopes* s);

// row_slopes.c: residuals, forces and states of rows at acc; their share of R.
LANE_FN void ct_row_forces(Lane g, ct_Slopes* s);
LANE_FN void ct_row_slopes(Lane g, ct_Slopes* s);

// row_hessian.c: which entries of H rows fill, and their share; that of rows which belong together
// only with `blocks`, because columns bring it along.
LANE_FN void ct_row_pattern(Lane g, ct_Slopes* s);
LANE_FN void ct_row_hessian(Lane g, ct_Slopes* s, bool blocks);

// Rows that belong together, contacts, connects, welds, which start at row `first`; both return how
// many rows it has been. block_slopes.c: their share of R and H. block_weights.c: y'R as wrenches
// on bodies (s->burden), which ct_inertial_weights passes on.
LANE_FN int ct_block_slopes(Lane g, ct_Slopes* s, int first);
LANE_FN int ct_weigh_block(Lane g, ct_Slopes* s, int first);

// Does a row have neither force nor weight?
LANE_INLINE bool ct_row_rests(const ct_Slopes* s, int row) {
  return s->state[row] == mjCNSTRSTATE_SATISFIED && s->weight[row] == 0;
}

// Does the limit of a tendon in this row hold it from below (1) or from above (-1)?
LANE_INLINE mjtNum ct_limit_sign(const ct_Slopes* s, int row) {
  int t = s->d->efc_id[row];
  mjtNum length = s->d->ten_length[t], pos = s->d->efc_pos[row];
  const mjtNum* range = s->m->tendon_range + 2 * t;
  return ct_abs(length - range[0] - pos) < ct_abs(range[1] - length - pos) ? 1 : -1;
}

// The polynomial of an equality of joints or tendons at x: its slope, and how that changes.
LANE_INLINE void ct_polynomial_slopes(const mjtNum* c, mjtNum x, mjtNum* slope, mjtNum* bend) {
  *slope = c[1] + x * (2 * c[2] + x * (3 * c[3] + x * 4 * c[4]));
  *bend = 2 * c[2] + x * (6 * c[3] + x * 12 * c[4]);
}

// How the residual of an equality of tendons changes with the length of tendon t.
LANE_INLINE mjtNum ct_equality_slope(const ct_Slopes* s, int row, int t) {
  const mjModel* m = s->m;
  int eq = s->d->efc_id[row], first = m->eq_obj1id[eq], second = m->eq_obj2id[eq];
  mjtNum slope, bend, sum = first == t ? 1 : 0;
  if (second != t) return sum;
  ct_polynomial_slopes(m->eq_data + mjNEQDATA * eq, s->d->ten_length[t] - m->tendon_length0[t],
                       &slope, &bend);
  return sum - slope;
}

#endif  // CT_DERIVE_SLOPES_H_
