#include "derive/slope_block.h"

#include "math/mat.h"
#include "math/quat.h"

// Weights

// The second derivative of the cost of an elliptic contact on the side of its cone.
LANE_FN void ct_cone_weight(const ct_Slopes* s, int first, const mjContact* con, mjtNum* C) {
  int dim = con->dim;
  mjtNum mu = con->mu, D = s->d->efc_D[first], U[6], scale[6], T = 0;
  for (int k = 0; k < dim; k++) {
    scale[k] = k ? con->friction[k - 1] : mu;
    U[k] = scale[k] * s->jar[first + k];
    if (k) T += U[k] * U[k];
  }
  T = ct_max(mjMINVAL, ct_sqrt(T));
  mjtNum Dm = D / (mu * mu * (1 + mu * mu)), ratio = mu * U[0] / T;
  for (int j = 0; j < dim; j++) {
    for (int k = 0; k < dim; k++) {
      mjtNum entry = ratio * (U[j] / T) * (U[k] / T) + (j == k ? mu * mu - ratio : 0);
      if (j == 0 || k == 0) entry = j == k ? 1 : -mu * U[j + k] / T;
      C[6 * j + k] = Dm * scale[j] * scale[k] * entry;
    }
  }
}

// Rows that are base coordinates.
LANE_FN static void plain_weights(const ct_Slopes* s, int first, ct_SlopeBlock* b) {
  const mjData* d = s->d;
  for (int k = 0; k < b->dim; k++) {
    const mjtNum* kbip = d->efc_KBIP + 4 * (first + k);
    b->C[7 * k] = s->weight[first + k];
    b->B[k] = kbip[1];
    b->K_pos[k] = k == 0 || b->equality ? kbip[0] * kbip[2] : 0;
    b->K_xi[k] = kbip[0] * (d->efc_pos[first + k] - d->efc_margin[first + k]) * kbip[3];
    b->lambda[k] = s->force[first + k];
  }
}

// Edges of a pyramid: base 0 plus and minus friction times another.
LANE_FN static void pyramid_weights(const ct_Slopes* s, int first, const mjContact* con,
                                    ct_SlopeBlock* b) {
  const mjData* d = s->d;
  const mjtNum* kbip = d->efc_KBIP + 4 * first;
  for (int r = 0; r < b->rows; r++) {
    int k = 1 + r / 2;
    mjtNum mu = r % 2 ? -con->friction[k - 1] : con->friction[k - 1];
    mjtNum weight = s->weight[first + r], force = s->force[first + r];
    b->C[0] += weight;
    b->C[k] += weight * mu;
    b->C[6 * k] += weight * mu;
    b->C[7 * k] += weight * mu * mu;
    b->lambda[0] += force;
    b->lambda[k] += force * mu;
  }
  for (int k = 0; k < b->dim; k++) b->B[k] = kbip[1];
  b->K_pos[0] = kbip[0] * kbip[2];
  b->K_xi[0] = kbip[0] * (d->efc_pos[first] - d->efc_margin[first]) * kbip[3];
}

LANE_INLINE void clear_block(ct_SlopeBlock* b) {
  ct_zero(b->C, 36);
  for (int k = 0; k < 6; k++) {
    b->B[k] = b->K_pos[k] = b->K_xi[k] = b->lambda[k] = b->residual[k] = 0;
    ct_zero3(b->axis[k]);
  }
  b->scale = b->line = 0;
}

// Blocks

LANE_FN static void open_contact(const ct_Slopes* s, int first, ct_SlopeBlock* b) {
  const mjModel* m = s->m;
  const mjContact* con = s->d->contact + s->d->efc_id[first];
  int type = s->d->efc_type[first];
  clear_block(b);
  b->dim = con->dim;
  b->equality = false;
  b->shared = true;
  b->rows = type == mjCNSTR_CONTACT_PYRAMIDAL ? 2 * (con->dim - 1) : con->dim;
  for (int side = 0; side < 2; side++) {
    b->body[side] = m->geom_bodyid[con->geom[side]];
    b->sign[side] = side ? 1 : -1;
    ct_copy3(b->point[side], con->pos);
  }
  for (int k = 0; k < con->dim; k++) ct_copy3(b->axis[k], con->frame + 3 * (k % 3));
  if (type == mjCNSTR_CONTACT_PYRAMIDAL) {
    pyramid_weights(s, first, con, b);
  } else {
    plain_weights(s, first, b);
    if (s->state[first] == mjCNSTRSTATE_CONE) ct_cone_weight(s, first, con, b->C);
  }
}

LANE_FN static void open_anchors(const ct_Slopes* s, int eq, ct_SlopeBlock* b) {
  const mjModel* m = s->m;
  const mjData* d = s->d;
  const mjtNum* data = m->eq_data + mjNEQDATA * eq;
  bool weld = m->eq_type[eq] == mjEQ_WELD, sites = m->eq_objtype[eq] == mjOBJ_SITE;
  for (int k = 0; k < 2; k++) {
    int id = k ? m->eq_obj2id[eq] : m->eq_obj1id[eq];
    int body = b->body[k] = sites ? m->site_bodyid[id] : id;
    b->sign[k] = k ? -1 : 1;
    if (sites) {
      ct_copy3(b->point[k], d->site_xpos + 3 * id);
      ct_mul_quat(b->quat[k], d->xquat + 4 * body, m->site_quat + 4 * id);
    } else {  // anchors of a weld are stored the other way round
      ct_mul_mat_vec3(b->point[k], d->xmat + 9 * body, data + ((k == 1) != weld ? 3 : 0));
      ct_add_to3(b->point[k], d->xpos + 3 * body);
      ct_copy4(b->quat[k], d->xquat + 4 * body);
      if (k == 0) ct_mul_quat(b->quat[k], b->quat[k], data + 6);
    }
  }
  ct_neg_quat(b->quat[1], b->quat[1]);
}

LANE_FN void ct_weld_axes(mjtNum scale, const mjtNum w[4], const mjtNum u[4], mjtNum res[3][3]) {
  for (int k = 0; k < 3; k++) {
    mjtNum unit[3] = {0, 0, 0}, turned[4], product[4];
    unit[k] = 1;
    ct_mul_quat_axis(turned, w, unit);
    ct_mul_quat(product, turned, u);
    for (int r = 0; r < 3; r++) res[r][k] = scale * product[r + 1] / 2;
  }
}

LANE_INLINE int equality_rows(const mjModel* m, int eq) {
  return m->eq_type[eq] == mjEQ_DISTANCE ? 1 : m->eq_type[eq] == mjEQ_WELD ? 6 : 3;
}

LANE_FN static void open_equality(const ct_Slopes* s, int first, ct_SlopeBlock* b) {
  int eq = s->d->efc_id[first];
  bool weld = s->m->eq_type[eq] == mjEQ_WELD;
  clear_block(b);
  b->dim = b->rows = equality_rows(s->m, eq);
  b->equality = true;
  b->shared = false;
  open_anchors(s, eq, b);
  if (b->dim == 1) {
    ct_sub3(b->axis[0], b->point[0], b->point[1]);
    b->line = ct_normalize3(b->axis[0]);
    plain_weights(s, first, b);
    b->residual[0] = 1;  // the impedance of one row goes by its position
    return;
  }
  for (int k = 0; k < 3; k++) b->axis[k][k] = 1;
  if (weld) {
    b->scale = s->m->eq_data[mjNEQDATA * eq + 10];
    ct_weld_axes(b->scale, b->quat[1], b->quat[0], b->axis + 3);
  }
  plain_weights(s, first, b);
  mjtNum norm = ct_max(mjMINVAL, ct_norm(s->d->efc_pos + first, b->dim));
  for (int k = 0; k < b->dim; k++) b->residual[k] = s->d->efc_pos[first + k] / norm;
}

LANE_FN static void finish_block(const ct_Slopes* s, int first, ct_SlopeBlock* b) {
  const mjtNum* kbip = s->d->efc_KBIP + 4 * first;
  b->growth = kbip[3] / (kbip[2] * (1 - kbip[2]));
  b->uniform = true;
  for (int k = 1; k < b->dim; k++) b->uniform = b->uniform && b->B[k] == b->B[0];
  ct_zero3(b->force);
  ct_zero3(b->torque);
  for (int k = 0; k < 3; k++) {
    ct_add_to_scl3(b->force, b->axis[k], b->lambda[k]);
    ct_add_to_scl3(b->torque, b->axis[3 + k], b->lambda[3 + k]);
  }
  for (int z = 0; z < 2; z++) {
    ct_zero3(b->lin[z]);
    ct_zero3(b->rot[z]);
    for (int side = 0; side < 2; side++) {
      mjtNum twist[6];
      ct_twist_at_block(s, b, side, z ? s->push : s->d->cvel, twist);
      ct_add_to_scl3(b->rot[z], twist, b->sign[side]);
      ct_add_to_scl3(b->lin[z], twist + 3, b->sign[side]);
    }
  }
}

LANE_FN int ct_block_rows(const ct_Slopes* s, int first) {
  const mjData* d = s->d;
  if (d->efc_type[first] == mjCNSTR_EQUALITY) {
    return equality_rows(s->m, d->efc_id[first]);
  }
  const mjContact* con = d->contact + d->efc_id[first];
  return d->efc_type[first] == mjCNSTR_CONTACT_PYRAMIDAL ? 2 * (con->dim - 1) : con->dim;
}

LANE_FN void ct_open_block(const ct_Slopes* s, int first, ct_SlopeBlock* b) {
  if (s->d->efc_type[first] == mjCNSTR_EQUALITY) {
    open_equality(s, first, b);
  } else {
    open_contact(s, first, b);
  }
  finish_block(s, first, b);
}
