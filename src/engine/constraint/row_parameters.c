// How soft each row is: impedance, regularisation, stiffness and damping of its reference.
//
//   in    efc_type, efc_id, efc_pos, efc_margin; solref, solimp, invweight0 of the model; contact
//   out   efc_KBIP  (nefc x 4)  stiffness K, damping B, impedance, its slope
//         efc_R, efc_D, efc_diagApprox
//         contact.mu
//
// Impedance d goes from solimp[0] at the margin to solimp[1] at the distance solimp[2] from it,
// along a curve that is a power x^p up to the middle and its mirror image beyond. R makes the row
// as soft as d says, for a row whose diagonal of J M^-1 J' is about `diagonal`:
//
//   R = (1 - d) / d * diagonal
//
// Rows of a connect, a weld or a contact are one block: one impedance, from the norm of the
// residual, or from the distance of the contact. Regularisation along the tangents of a contact
// follows from that of its normal: friction costs impratio times less. A pyramid has one R in all
// its edges, chosen so that it acts like the cone.

#include "engine/constraint/constraint.h"
#include "engine/constraint/row_writer.h"
#include "math/strict.h"
#include "math/vec.h"
#include "soft/contact_bodies.h"

typedef struct {
  mjtNum ref[2];       // solref
  mjtNum friction[2];  // solref along the tangents of a contact; zeros: as the normal
  mjtNum imp[5];       // solimp
} Softness;

// A solref is (time constant, damping ratio), or minus (stiffness, damping). Mixtures are replaced
// by (time, ratio); returns whether this was one. Time constants shorter than two steps are
// lengthened.
LANE_INLINE int settle_ref(const mjModel* m, mjtNum ref[2], mjtNum time, mjtNum ratio) {
  int mixed = (ref[0] > 0) != (ref[1] > 0);
  if (mixed) {
    ref[0] = time;
    ref[1] = ratio;
  }
  if (!(m->opt.disableflags & mjDSBL_REFSAFE) && ref[0] > 0) {
    ref[0] = ct_max(ref[0], 2 * m->opt.timestep);
  }
  return mixed;
}

LANE_INLINE void settle_imp(mjtNum imp[5]) {
  const mjtNum least = (mjtNum)mjMINIMP, most = (mjtNum)mjMAXIMP;
  imp[0] = ct_clip(imp[0], least, most);
  imp[1] = ct_clip(imp[1], least, most);
  imp[2] = ct_max(0, imp[2]);
  imp[3] = ct_clip(imp[3], least, most);
  imp[4] = ct_max(1, imp[4]);
}

// The parameters of a row as the model has them.
LANE_INLINE void softness_in_model(const mjModel* m, const mjData* d, int type, int id,
                                   const mjtNum** ref, const mjtNum** imp) {
  switch (type) {
    case mjCNSTR_EQUALITY:
      *ref = m->eq_solref + mjNREF * id;
      *imp = m->eq_solimp + mjNIMP * id;
      break;
    case mjCNSTR_FRICTION_DOF:
      *ref = m->dof_solref + mjNREF * id;
      *imp = m->dof_solimp + mjNIMP * id;
      break;
    case mjCNSTR_FRICTION_TENDON:
      *ref = m->tendon_solref_fri + mjNREF * id;
      *imp = m->tendon_solimp_fri + mjNIMP * id;
      break;
    case mjCNSTR_LIMIT_JOINT:
      *ref = m->jnt_solref + mjNREF * id;
      *imp = m->jnt_solimp + mjNIMP * id;
      break;
    case mjCNSTR_LIMIT_TENDON:
      *ref = m->tendon_solref_lim + mjNREF * id;
      *imp = m->tendon_solimp_lim + mjNIMP * id;
      break;
    default:
      *ref = d->contact[id].solref;
      *imp = d->contact[id].solimp;
      break;
  }
}

LANE_INLINE bool is_contact_row(int type) {
  return type >= mjCNSTR_CONTACT_FRICTIONLESS;
}

// Returns how many of its solrefs are mixtures.
LANE_INLINE int find_softness(const mjModel* m, const mjData* d, int type, int id, Softness* soft) {
  const mjtNum *ref, *imp;
  int mixed = 0;
  softness_in_model(m, d, type, id, &ref, &imp);
  for (int i = 0; i < mjNREF; i++) {
    soft->ref[i] = ref[i];
    soft->friction[i] = is_contact_row(type) ? d->contact[id].solreffriction[i] : 0;
  }
  for (int i = 0; i < mjNIMP; i++) soft->imp[i] = imp[i];
  mixed += settle_ref(m, soft->ref, (mjtNum)0.02, 1);
  mixed += settle_ref(m, soft->friction, 0, 0);
  settle_imp(soft->imp);
  return mixed;
}

// x^p; most curves are parabolas.
LANE_INLINE mjtNum curve_power(mjtNum x, mjtNum p) {
  return p == 2 ? x * x : p == 1 ? x : ct_pow(x, p);
}

// Impedance and its slope at a position.
LANE_INLINE void find_impedance(const mjtNum imp[5], mjtNum from_margin, mjtNum* impedance,
                                mjtNum* slope) {
  mjtNum d0 = imp[0], dw = imp[1], width = imp[2], mid = imp[3], p = imp[4];
  *slope = 0;
  if (d0 == dw || width <= mjMINVAL) {
    *impedance = (d0 + dw) / 2;
    return;
  }
  mjtNum x = from_margin / width, sign = 1;
  if (x < 0) {
    x = -x;
    sign = -1;
  }
  if (x >= 1 || x == 0) {
    *impedance = x >= 1 ? dw : d0;
    return;
  }
  mjtNum y = x, rate = 1;
  if (p != 1 && x <= mid) {
    mjtNum scale = 1 / curve_power(mid, p - 1);
    y = scale * curve_power(x, p);
    rate = p * scale * curve_power(x, p - 1);
  } else if (p != 1) {
    mjtNum scale = 1 / curve_power(1 - mid, p - 1);
    y = 1 - scale * curve_power(1 - x, p);
    rate = p * scale * curve_power(1 - x, p - 1);
  }
  *impedance = d0 + y * (dw - d0);
  *slope = sign * rate * (dw - d0) / width;
}

// Stiffness and damping that the reference of a row has.
LANE_INLINE mjtNum ref_stiffness(const mjtNum ref[2], mjtNum dw) {
  if (ref[0] > 0) return 1 / ct_max(mjMINVAL, dw * dw * ref[0] * ref[0] * ref[1] * ref[1]);
  return -ref[0] / ct_max(mjMINVAL, dw * dw);
}

LANE_INLINE mjtNum ref_damping(const mjtNum ref[2], mjtNum dw) {
  if (ref[1] > 0) return 2 / ct_max(mjMINVAL, dw * ref[0]);
  return -ref[1] / ct_max(mjMINVAL, dw);
}

// About what the diagonal of J M^-1 J' is in row i of a block. Only the first row of a contact is
// ever asked for.

LANE_INLINE mjtNum bodies_diagonal(const mjModel* m, int body0, int body1, int turning) {
  return m->body_invweight0[2 * body0 + turning] + m->body_invweight0[2 * body1 + turning];
}

LANE_INLINE mjtNum equality_diagonal(const mjModel* m, int id, int i) {
  int first = m->eq_obj1id[id], second = m->eq_obj2id[id];
  switch (m->eq_type[id]) {
    case mjEQ_CONNECT:
    case mjEQ_WELD:
    case mjEQ_DISTANCE:
      return bodies_diagonal(m, ct_held_body(m, id, 0), ct_held_body(m, id, 1), i < 3 ? 0 : 1);
    case mjEQ_JOINT:
      return m->dof_invweight0[m->jnt_dofadr[first]] +
             (second >= 0 ? m->dof_invweight0[m->jnt_dofadr[second]] : 0);
    default:
      return m->tendon_invweight0[first] + (second >= 0 ? m->tendon_invweight0[second] : 0);
  }
}

LANE_FN static inline mjtNum contact_diagonal(const mjModel* m, const mjData* d,
                                              const mjContact* con, int type) {
  mjtNum sum = ct_touches_flex(con) ? ct_contact_inverse_weight(m, d, con)
                                    : bodies_diagonal(m, m->geom_bodyid[con->geom[0]],
                                                      m->geom_bodyid[con->geom[1]], 0);
  if (type != mjCNSTR_CONTACT_PYRAMIDAL) return sum;
  return sum + con->friction[0] * con->friction[0] * sum;
}

LANE_FN static inline mjtNum row_diagonal(const mjModel* m, const mjData* d, int type, int id,
                                          int i) {
  switch (type) {
    case mjCNSTR_EQUALITY:
      return equality_diagonal(m, id, i);
    case mjCNSTR_FRICTION_DOF:
      return m->dof_invweight0[id];
    case mjCNSTR_LIMIT_JOINT:
      return m->dof_invweight0[m->jnt_dofadr[id]];
    case mjCNSTR_FRICTION_TENDON:
    case mjCNSTR_LIMIT_TENDON:
      return m->tendon_invweight0[id];
    default:
      return contact_diagonal(m, d, d->contact + id, type);
  }
}

LANE_INLINE mjtNum regularisation(mjtNum impedance, mjtNum diagonal) {
  return ct_max(mjMINVAL, (1 - impedance) * diagonal / impedance);
}

// Rows from `row` on that are alike in everything.
LANE_INLINE void finish_rows(mjData* d, int row, int nrow, mjtNum K, mjtNum B, mjtNum impedance,
                             mjtNum slope, mjtNum R) {
  mjtNum D = 1 / R, diagonal = R * impedance / (1 - impedance);
  for (int i = row; i < row + nrow; i++) {
    mjtNum* KBIP = d->efc_KBIP + 4 * (size_t)i;
#ifdef __CUDACC__
    KBIP[0] = K;
    KBIP[1] = B;
    KBIP[2] = impedance;
    KBIP[3] = slope;
#else
    Wide word = {K, B, impedance, slope};
    wide_store(KBIP, word);
#endif
    d->efc_R[i] = R;
    d->efc_D[i] = D;
    d->efc_diagApprox[i] = diagonal;
  }
}

// A contact with friction. mu is the friction of the cone in which tangents are scaled to cost as
// much as the normal.
LANE_INLINE void contact_parameters(const mjModel* m, mjData* d, int row, int nrow, int type,
                                    const Softness* soft, mjtNum impedance, mjtNum slope,
                                    mjtNum R) {
  mjContact* con = d->contact + d->efc_id[row];
  mjtNum dw = soft->imp[1], K = ref_stiffness(soft->ref, dw), B = ref_damping(soft->ref, dw);
  mjtNum tangent = m->opt.impratio == 1 ? R : R / ct_max(mjMINVAL, m->opt.impratio);
  con->mu = con->friction[0] * ct_sqrt(tangent / R);
  if (type == mjCNSTR_CONTACT_PYRAMIDAL) {
    mjtNum edge = 2 * con->mu * con->mu * R;
    finish_rows(d, row, nrow, K, B, impedance, slope, edge);
    return;
  }
  finish_rows(d, row, 1, K, B, impedance, slope, R);
  bool own = soft->friction[0] != 0 || soft->friction[1] != 0;
  if (own) B = ref_damping(soft->friction, dw);
  for (int i = 1; i < nrow; i++) {
    mjtNum ratio = con->friction[0] / con->friction[i - 1];
    finish_rows(d, row + i, 1, 0, B, impedance, slope, i == 1 ? tangent : tangent * ratio * ratio);
  }
}

// Rows of the block that starts at this row; 0 if it starts before.
LANE_INLINE int rows_of_block(const mjModel* m, const mjData* d, int row) {
  int type = d->efc_type[row], id = d->efc_id[row];
  if (type == mjCNSTR_EQUALITY) {
    if (ct_is_flex_equality(m, id)) return 1;
    if (row > 0 && d->efc_id[row - 1] == id) return 0;
    return m->eq_type[id] == mjEQ_CONNECT ? 3 : m->eq_type[id] == mjEQ_WELD ? 6 : 1;
  }
  if (!is_contact_row(type)) return 1;
  const mjContact* con = d->contact + id;
  if (con->efc_address != row) return 0;
  return type == mjCNSTR_CONTACT_PYRAMIDAL ? 2 * (con->dim - 1) : con->dim;
}

// Distance from the margin that the impedance of a block depends on.
LANE_INLINE mjtNum block_position(const mjData* d, int row, int nrow, int type) {
  const mjtNum* pos = d->efc_pos + row;
  if (type != mjCNSTR_EQUALITY || nrow == 1) return pos[0] - d->efc_margin[row];
  mjtNum sum = 0;
  for (int i = 0; i < nrow; i++) sum += pos[i] * pos[i];
  return ct_sqrt(sum) - d->efc_margin[row];
}

// The block of nrow rows that starts at this row. Returns how many solrefs are mixtures.
LANE_FN static int block_parameters(const mjModel* m, mjData* d, int row, int nrow) {
  int type = d->efc_type[row], id = d->efc_id[row];
  if (nrow == 0) return 0;
  Softness soft;
  mjtNum impedance, slope;
  int mixed = find_softness(m, d, type, id, &soft);
  find_impedance(soft.imp, block_position(d, row, nrow, type), &impedance, &slope);
  bool flex = type == mjCNSTR_EQUALITY && ct_is_flex_equality(m, id);
  mjtNum weight = flex ? d->efc_diagApprox[row] : row_diagonal(m, d, type, id, 0);
  mjtNum R = regularisation(impedance, weight);
  if (type == mjCNSTR_CONTACT_PYRAMIDAL || type == mjCNSTR_CONTACT_ELLIPTIC) {
    contact_parameters(m, d, row, nrow, type, &soft, impedance, slope, R);
    return mixed;
  }
  bool friction = type == mjCNSTR_FRICTION_DOF || type == mjCNSTR_FRICTION_TENDON;
  mjtNum K = friction ? 0 : ref_stiffness(soft.ref, soft.imp[1]);
  mjtNum B = ref_damping(soft.ref, soft.imp[1]);
  finish_rows(d, row, nrow < 3 ? nrow : 3, K, B, impedance, slope, R);
  if (nrow > 3) {
    R = regularisation(impedance, row_diagonal(m, d, type, id, 3));
    finish_rows(d, row + 3, nrow - 3, K, B, impedance, slope, R);
  }
  return mixed;
}

LANE_FN int ct_row_parameters(Lane g, const mjModel* m, mjData* d) {
  int mixed = 0;
  if (lane_count(g) == 1) {  // from block to block
    int row = 0;
    while (row < d->nefc) {
      int nrow = rows_of_block(m, d, row);
      mixed += block_parameters(m, d, row, nrow);
      row += nrow > 1 ? nrow : 1;
    }
    return mixed;
  }
  LANE_COUNT(mixed, row, g, d->nefc, block_parameters(m, d, row, rows_of_block(m, d, row)));
  lane_sync(g);
  return mixed;
}
