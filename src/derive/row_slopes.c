// How rows of constraints change: what all rows have in common, and rows that stand alone.
//
// A row that stands alone (a limit, friction, an equality of joints or tendons) has weight W, force
// f and Jacobian J, and its residual has J for its derivative by position, so that
//
//   R_ij += f dJ_i/dq_j + J_i phi_j,
//   phi_j = -W (a'dJ + B v'dJ + K (imp + pos imp') J)_j + f imp'/(imp (1 - imp)) J_j
//
// by position and -J_i W B J_j by velocity (H is in row_hessian.c). dJ is zero except for spatial
// tendons (tendon_slopes.c), bent equalities and limits of ball joints. Friction rows have no
// position.

#include <corten/derivative.h>

#include "base/model/equality.h"
#include "derive/jacobian_row.h"
#include "derive/slopes.h"
#include "derive/tendon_row.h"
#include "engine/constraint/constraint.h"
#include "math/quat.h"
#include "math/quat_derivatives.h"
#include "math/strict.h"

#define LEAST_ANGLE ((mjtNum)1e-10)  // that has an axis
#define FARTHEST_SOFT ((mjtNum)30)   // beyond which nothing is left of a weight

// W of a row that is no part of a cone. Smoothed, a row that can only push has a share of its
// weight also while it does not: D / (1 + exp(r / s)), r being how much faster it separates than
// its reference. At the border that is half of it, the mean of both pieces.
LANE_FN static mjtNum row_weight(const ct_Slopes* s, int r) {
  const mjData* d = s->d;
  int type = d->efc_type[r], state = s->state[r], normal = r;
  if (s->smoothing > 0 && type >= mjCNSTR_LIMIT_JOINT) {
    if (type == mjCNSTR_CONTACT_ELLIPTIC) {
      if (state != mjCNSTRSTATE_SATISFIED) return state == mjCNSTRSTATE_QUADRATIC ? d->efc_D[r] : 0;
      normal = d->contact[d->efc_id[r]].efc_address;
    }
    mjtNum x = s->jar[normal] / s->smoothing;
    return x < FARTHEST_SOFT ? d->efc_D[r] / (1 + ct_exp(x)) : 0;
  }
  return state == mjCNSTRSTATE_QUADRATIC ? d->efc_D[r] : 0;
}

LANE_FN void ct_row_forces(Lane g, ct_Slopes* s) {
  const mjModel* m = s->m;
  mjData* d = s->d;
  if (d->nefc == 0) return;
  ct_mul_jac_vec(g, m, d, s->jar, s->acc);
  lane_sync(g);
  LANE_FOR(r, g, d->nefc) {
    s->jar[r] -= d->efc_aref[r];
  }
  lane_sync(g);
  ct_RowSet rows = ct_all_rows(d);
  rows.state = s->state;
  rows.force = s->force;
  ct_update_rows(g, rows, d->contact, s->jar, false);
  lane_sync(g);
  LANE_FOR(r, g, d->nefc) {
    s->weight[r] = row_weight(s, r);
  }
  lane_sync(g);
}

// Rows that stand alone

typedef struct {
  mjtNum weight, force, B, stiffness, growth;
} RowSlope;

LANE_INLINE RowSlope row_slope(const ct_Slopes* s, int r, bool placed) {
  const mjData* d = s->d;
  const mjtNum* kbip = d->efc_KBIP + 4 * r;
  RowSlope a;
  a.weight = s->weight[r];
  a.force = s->force[r];
  a.B = kbip[1];
  a.stiffness = placed ? kbip[0] * (kbip[2] + (d->efc_pos[r] - d->efc_margin[r]) * kbip[3]) : 0;
  a.growth = placed ? kbip[3] / (kbip[2] * (1 - kbip[2])) : 0;
  return a;
}

// The share of a row without that of dJ.
LANE_FN static void straight_row(Lane g, ct_Slopes* s, int r, const RowSlope* a) {
  ct_JacobianRow row = ct_jacobian_row(s, r);
  mjtNum by_q = a->force * a->growth - a->weight * a->stiffness, by_v = -a->weight * a->B;
  LANE_FOR(f, g, row.count) {
    mjtNum other = row.value[f];
    int j = ct_row_dof(row, f);
    for (int e = 0; e < row.count && other != 0; e++) {
      mjtNum J = row.value[e];
      if (J == 0) continue;
      ct_add_slope(s, ct_row_dof(row, e), ct_column_q(s, j), J * by_q * other);
      ct_add_slope(s, ct_row_dof(row, e), ct_column_v(s, j), J * by_v * other);
    }
  }
  lane_sync(g);
}

// One dof, whose row has 1 or -1, which is squared.
LANE_INLINE void single_dof(ct_Slopes* s, int dof, const RowSlope* a) {
  ct_add_slope(s, dof, ct_column_q(s, dof), a->force * a->growth - a->weight * a->stiffness);
  ct_add_slope(s, dof, ct_column_v(s, dof), -a->weight * a->B);
}

// J_i -W (a'dJ + B v'dJ)_j for a row whose a'dJ and v'dJ are scale times those of a tendon, and
// what its length does beyond J.
LANE_FN static void bent_row(Lane g, ct_Slopes* s, int r, const RowSlope* a, int t, mjtNum scale) {
  ct_JacobianRow row = ct_jacobian_row(s, r);
  const mjtNum* by_v = s->length_v + (size_t)t * (size_t)s->nv;
  const mjtNum* by_a = s->length_a + (size_t)t * (size_t)s->nv;
  const mjtNum* gap = s->length_gap + (size_t)t * (size_t)s->nv;
  mjtNum by_q = a->force * a->growth - a->weight * a->stiffness;
  LANE_FOR(j, g, s->nv) {
    mjtNum change = scale * (by_q * gap[j] - a->weight * (by_a[j] + a->B * by_v[j]));
    for (int e = 0; e < row.count && change != 0; e++) {
      mjtNum J = row.value[e];
      if (J != 0) ct_add_slope(s, ct_row_dof(row, e), ct_column_q(s, j), J * change);
    }
  }
  lane_sync(g);
}

// An equality x0 - ref0 = polynomial(x1 - ref1) bends by dJ = -p'' J1'dx1 beyond what its tendons
// do; dx1 is J1 and, of a tendon, its gap.
LANE_FN static void polynomial_row(Lane g, ct_Slopes* s, int r, const RowSlope* a, const mjtNum* J1,
                                   const mjtNum* gap, const int* column, int count, mjtNum bend) {
  ct_JacobianRow row = ct_jacobian_row(s, r);
  mjtNum along_v = 0, along_a = 0;
  for (int e = 0; e < count; e++) {
    int j = column ? column[e] : e;
    along_v += J1[e] * s->d->qvel[j];
    along_a += J1[e] * s->acc[j];
  }
  LANE_ALONE(g) {
    mjtNum change = a->weight * bend * (along_a + a->B * along_v);
    for (int e = 0; e < count; e++) {
      int dof = column ? column[e] : e, j = ct_column_q(s, dof);
      mjtNum longer = J1[e] + (gap ? gap[dof] : 0);
      for (int f = 0; f < row.count; f++) {
        ct_add_slope(s, ct_row_dof(row, f), j, row.value[f] * change * longer);
      }
      for (int f = 0; f < count; f++) {
        ct_add_slope(s, column ? column[f] : f, j, -a->force * bend * J1[f] * longer);
      }
    }
  }
}

LANE_FN static void equality_row(Lane g, ct_Slopes* s, int r) {
  const mjModel* m = s->m;
  const mjData* d = s->d;
  int eq = d->efc_id[r], first = m->eq_obj1id[eq], second = m->eq_obj2id[eq];
  const mjtNum* data = m->eq_data + mjNEQDATA * eq;
  RowSlope a = row_slope(s, r, true);
  mjtNum slope, bend;
  straight_row(g, s, r, &a);
  if (m->eq_type[eq] == mjEQ_JOINT) {
    if (second < 0) return;
    int at = m->jnt_qposadr[second], dof = m->jnt_dofadr[second];
    const mjtNum one = 1;
    ct_polynomial_slopes(data, d->qpos[at] - m->qpos0[at], &slope, &bend);
    if (bend != 0) polynomial_row(g, s, r, &a, &one, NULL, &dof, 1, bend);
    return;
  }
  bent_row(g, s, r, &a, first, 1);
  if (second < 0) return;
  ct_polynomial_slopes(data, d->ten_length[second] - m->tendon_length0[second], &slope, &bend);
  bent_row(g, s, r, &a, second, -slope);
  ct_TendonRow row = ct_tendon_row(m, d, second);
  const mjtNum* gap = s->length_gap + (size_t)second * (size_t)s->nv;
  if (bend != 0) polynomial_row(g, s, r, &a, row.value, gap, row.column, row.count, bend);
}

// A ball joint at angle theta about e: J = -e, dJ = -(1 - e e') Da / theta, Da as in mjd_subQuat.
// Without any turn it has no e, and its angle no derivative.
LANE_FN static void ball_limit(ct_Slopes* s, int r, const RowSlope* a) {
  const mjModel* m = s->m;
  int joint = s->d->efc_id[r], dof = m->jnt_dofadr[joint];
  const mjtNum none[4] = {1, 0, 0, 0};
  mjtNum quat[4], e[3], by_turn[9], dJ[9], row_v[3] = {0, 0, 0}, row_a[3] = {0, 0, 0};
  ct_copy4(quat, s->d->qpos + m->jnt_qposadr[joint]);
  ct_normalize4(quat);
  ct_quat_to_vel(e, quat, 1);
  ct_deriv_sub_quat(by_turn, quat, none);
  mjtNum angle = ct_normalize3(e);
  if (!(angle > LEAST_ANGLE)) {
    *s->reasons |= CT_NO_SLOPE_ROTATION;
    return;
  }
  for (int j = 0; j < 3; j++) {
    mjtNum along = 0;
    for (int k = 0; k < 3; k++) along += e[k] * by_turn[3 * k + j];
    for (int i = 0; i < 3; i++) {
      dJ[3 * i + j] = -(by_turn[3 * i + j] - e[i] * along) / angle;
      row_v[j] += s->d->qvel[dof + i] * dJ[3 * i + j];
      row_a[j] += s->acc[dof + i] * dJ[3 * i + j];
    }
  }
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++) {
      ct_add_slope(s, dof + i, ct_column_q(s, dof + j),
                   a->force * dJ[3 * i + j] + e[i] * a->weight * (row_a[j] + a->B * row_v[j]));
    }
  }
}

LANE_FN static void limit_row(Lane g, ct_Slopes* s, int r) {
  const mjModel* m = s->m;
  int joint = s->d->efc_id[r], dof = m->jnt_dofadr[joint];
  RowSlope a = row_slope(s, r, true);
  if (m->jnt_type[joint] == mjJNT_BALL) {
    straight_row(g, s, r, &a);
    LANE_ALONE(g) {
      ball_limit(s, r, &a);
    }
    return;
  }
  LANE_ALONE(g) {
    single_dof(s, dof, &a);
  }
}

LANE_FN static void one_row(Lane g, ct_Slopes* s, int r) {
  RowSlope a;
  int id = s->d->efc_id[r];
  switch (s->d->efc_type[r]) {
    case mjCNSTR_EQUALITY:
      equality_row(g, s, r);
      break;
    case mjCNSTR_FRICTION_DOF:
      a = row_slope(s, r, false);
      LANE_ALONE(g) {
        single_dof(s, id, &a);
      }
      break;
    case mjCNSTR_FRICTION_TENDON:
      a = row_slope(s, r, false);
      straight_row(g, s, r, &a);
      bent_row(g, s, r, &a, id, 1);
      break;
    case mjCNSTR_LIMIT_JOINT:
      limit_row(g, s, r);
      break;
    default:  // limit of a tendon
      a = row_slope(s, r, true);
      straight_row(g, s, r, &a);
      bent_row(g, s, r, &a, id, ct_limit_sign(s, r));
      break;
  }
}

LANE_FN void ct_row_slopes(Lane g, ct_Slopes* s) {
  const mjModel* m = s->m;
  const mjData* d = s->d;
  for (int r = 0; r < d->nefc;) {
    int type = d->efc_type[r];
    bool tied = type == mjCNSTR_EQUALITY && ct_holds_points(m, d->efc_id[r]);
    if (type == mjCNSTR_EQUALITY && ct_is_flex_equality(m, d->efc_id[r])) {
      LANE_ALONE(g) {
        *s->reasons |= CT_NO_SLOPE_EQUALITY;
      }
      return;
    }
    if (tied || type >= mjCNSTR_CONTACT_FRICTIONLESS) {
      r += s->y ? ct_weigh_block(g, s, r) : ct_block_slopes(g, s, r);
    } else {
      if (!ct_row_rests(s, r)) one_row(g, s, r);
      r++;
    }
  }
}
