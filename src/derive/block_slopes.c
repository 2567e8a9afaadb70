// How rows that belong together change: contacts, connects and welds; and the row of a distance.
//
// A block has up to six base coordinates, three of the relative velocity of two points and three of
// the relative rotation of their bodies,
//
//   y_k = e_k . (L1 - L0),   y_3+k = r_k . (W1 - W0),
//
// of which its rows are made: these themselves, or the edges of a pyramid. For a contact e and r
// are the axes of its frame and both points are the contact; for a weld e are the axes of the world
// and r comes from the quaternions; for a distance, e_0 is the line between the points. Forces of
// rows add up to base forces lambda, that is to a force F = sum lambda_k e_k and a torque T = sum
// lambda_3+k r_k, on one body at its point and opposite on the other. When dof j moves,
//
//   d lambda = -C (dJ a + B dJ v + K (imp dpos + pos imp' dxi)) + lambda imp'/(imp (1 - imp)) dxi
//
// with C = E'WE the weight of the rows in base coordinates, and dJ w the change of y at fixed w:
// S_j x (W_b - W_j) of both bodies, the motion of the points, the turn of e and r. The wrench then
// changes by its components, directions and point. R_ij is S_i times that change, less what is only
// carried along with the body: rows below j do not see S_j x* (T; F).

#include <corten/derivative.h>

#include "derive/contact_motion.h"
#include "derive/slopes.h"
#include "math/mat.h"
#include "math/quat.h"

typedef struct {
  int rows, dim;
  bool equality;
  int body[2];
  mjtNum sign[2], point[2][3];
  mjtNum axis[6][3];                      // e, r
  mjtNum C[36], B[6], K_pos[6], K_xi[6];  // K_pos = K imp, K_xi = K pos imp'
  mjtNum lambda[6], growth;               // growth = imp' / (imp (1 - imp))
  mjtNum residual[6];                     // of an equality, divided by its norm
  mjtNum force[3], torque[3];
  mjtNum lin[2][3], rot[2][3];  // relative velocity, and the same of accelerations
  mjtNum quat[2][4], scale;     // of a weld
  mjtNum line;                  // length of the line of a distance
  bool shared;                  // both points are the same: dofs that move both bodies have no rows
  bool uniform;                 // all rows have the same B
} Block;

typedef struct {      // what a block knows of one dof
  mjtNum axis[2][6];  // S_j at both points
  int moves[2];
} BlockColumn;

// Changes of the wrench, by its six components, dofs side by side so that rows are wide: at both
// points by position, the same without what is carried along, by velocity, and weights of H.
typedef struct {
  mjtNum *by_q[2], *by_q_below[2], *by_v, *weight;
  int stride;
} BlockTable;

// Weights

// The second derivative of the cost of an elliptic contact on the side of its cone.
LANE_FN static void cone_weight(const ct_Slopes* s, int first, const mjContact* con, mjtNum* C) {
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

LANE_INLINE mjtNum row_weight(const ct_Slopes* s, int row) {
  return s->weight[row];
}

// Rows that are base coordinates.
LANE_FN static void plain_weights(const ct_Slopes* s, int first, Block* b) {
  const mjData* d = s->d;
  for (int k = 0; k < b->dim; k++) {
    const mjtNum* kbip = d->efc_KBIP + 4 * (first + k);
    b->C[7 * k] = row_weight(s, first + k);
    b->B[k] = kbip[1];
    b->K_pos[k] = k == 0 || b->equality ? kbip[0] * kbip[2] : 0;
    b->K_xi[k] = kbip[0] * (d->efc_pos[first + k] - d->efc_margin[first + k]) * kbip[3];
    b->lambda[k] = s->force[first + k];
  }
}

// Edges of a pyramid: base 0 plus and minus friction times another.
LANE_FN static void pyramid_weights(const ct_Slopes* s, int first, const mjContact* con, Block* b) {
  const mjData* d = s->d;
  const mjtNum* kbip = d->efc_KBIP + 4 * first;
  for (int r = 0; r < b->rows; r++) {
    int k = 1 + r / 2;
    mjtNum mu = r % 2 ? -con->friction[k - 1] : con->friction[k - 1];
    mjtNum weight = row_weight(s, first + r), force = s->force[first + r];
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

LANE_INLINE void clear_block(Block* b) {
  ct_zero(b->C, 36);
  for (int k = 0; k < 6; k++) {
    b->B[k] = b->K_pos[k] = b->K_xi[k] = b->lambda[k] = b->residual[k] = 0;
    ct_zero3(b->axis[k]);
  }
  b->scale = b->line = 0;
}

// Blocks

LANE_FN static void open_contact(const ct_Slopes* s, int first, Block* b) {
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
    if (s->state[first] == mjCNSTRSTATE_CONE) cone_weight(s, first, con, b->C);
  }
}

LANE_FN static void open_anchors(const ct_Slopes* s, int eq, Block* b) {
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

// res_r (3 x 3) = scale / 2 vec(w * axis * u)
LANE_FN static void weld_axes(mjtNum scale, const mjtNum w[4], const mjtNum u[4],
                              mjtNum res[3][3]) {
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

LANE_FN static void open_equality(const ct_Slopes* s, int first, Block* b) {
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
    weld_axes(b->scale, b->quat[1], b->quat[0], b->axis + 3);
  }
  plain_weights(s, first, b);
  mjtNum norm = ct_max(mjMINVAL, ct_norm(s->d->efc_pos + first, b->dim));
  for (int k = 0; k < b->dim; k++) b->residual[k] = s->d->efc_pos[first + k] / norm;
}

// Twist of a body at one of the points: velocity or what qacc alone does.
LANE_INLINE void twist_at(const ct_Slopes* s, const Block* b, int side, const mjtNum* twists,
                          mjtNum twist[6]) {
  int body = b->body[side];
  ct_transform_motion(twist, twists + 6 * body, b->point[side],
                      ct_reference_point(s->m, s->d, body), NULL);
}

LANE_FN static void finish_block(const ct_Slopes* s, int first, Block* b) {
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
      twist_at(s, b, side, z ? s->push : s->d->cvel, twist);
      ct_add_to_scl3(b->rot[z], twist, b->sign[side]);
      ct_add_to_scl3(b->lin[z], twist + 3, b->sign[side]);
    }
  }
}

// Columns

typedef struct {  // how a block moves with one dof
  mjtNum point[2][3];
  mjtNum axis[6][3];
  mjtNum xi, pos[6];
} BlockMotion;

LANE_FN static void move_contact(const ct_Slopes* s, const Block* b, const BlockColumn* c,
                                 BlockMotion* u) {
  const ct_ContactMotion* motion = (const ct_ContactMotion*)(const void*)s->motion;
  mjtNum turn[3] = {0, 0, 0}, point[3] = {0, 0, 0}, dist = 0;
  for (int side = 0; side < 2; side++) {
    if (!c->moves[side]) continue;
    for (int k = 0; k < 6; k++) {
      ct_add_to_scl3(point, motion->point[side][k], c->axis[side][k]);
      ct_add_to_scl3(turn, motion->turn[side][k], c->axis[side][k]);
      dist += motion->dist[side][k] * c->axis[side][k];
    }
  }
  ct_copy3(u->point[0], point);
  ct_copy3(u->point[1], point);
  for (int k = 0; k < b->dim; k++) ct_cross(u->axis[k], turn, b->axis[k]);
  for (int k = b->dim; k < 6; k++) ct_zero3(u->axis[k]);
  ct_zero(u->pos, 6);
  u->xi = u->pos[0] = dist;
}

// How the line of a distance turns: by what its ends move across it. Points that coincide have the
// x axis for a line, which stays.
LANE_FN static void turn_line(const Block* b, BlockMotion* u) {
  if (b->line < mjMINVAL) return;
  mjtNum across[3];
  ct_sub3(across, u->point[0], u->point[1]);
  ct_add_to_scl3(across, b->axis[0], -ct_dot3(across, b->axis[0]));
  ct_scl3(u->axis[0], across, 1 / b->line);
}

LANE_FN static void move_equality(const Block* b, const BlockColumn* c, const mjtNum base[6],
                                  BlockMotion* u) {
  for (int k = 0; k < 6; k++) ct_zero3(u->axis[k]);
  for (int side = 0; side < 2; side++) {
    ct_scl3(u->point[side], c->axis[side] + 3, c->moves[side] ? (mjtNum)1 : (mjtNum)0);
  }
  u->xi = 0;
  for (int k = 0; k < 6; k++) {
    u->pos[k] = base[k];
    u->xi += b->residual[k] * base[k];
  }
  if (b->dim == 1) turn_line(b, u);
  if (b->dim < 6) return;
  mjtNum change[4], part[3][3];
  if (c->moves[0]) {  // u turns: half (0, w) * u
    mjtNum turn[4] = {0, c->axis[0][0] / 2, c->axis[0][1] / 2, c->axis[0][2] / 2};
    ct_mul_quat(change, turn, b->quat[0]);
    weld_axes(b->scale, b->quat[1], change, part);
    for (int k = 0; k < 3; k++) ct_add_to3(u->axis[3 + k], part[k]);
  }
  if (c->moves[1]) {
    mjtNum turn[4] = {0, -c->axis[1][0] / 2, -c->axis[1][1] / 2, -c->axis[1][2] / 2};
    ct_mul_quat(change, b->quat[1], turn);
    weld_axes(b->scale, change, b->quat[0], part);
    for (int k = 0; k < 3; k++) ct_add_to3(u->axis[3 + k], part[k]);
  }
}

// dJ w of the base coordinates, w being velocities (z = 0) or accelerations (z = 1).
LANE_FN static void base_change(const ct_Slopes* s, const Block* b, const BlockColumn* c,
                                const BlockMotion* u, int dof, int z, mjtNum res[6]) {
  const mjtNum *twists = z ? s->push : s->d->cvel, *before = z ? s->push_before : s->speed_before;
  mjtNum lin[3] = {0, 0, 0}, rot[3] = {0, 0, 0}, part[6], rest[6], swept[3];
  for (int side = 0; side < 2; side++) {
    int body = b->body[side];
    const mjtNum* origin = ct_reference_point(s->m, s->d, body);
    if (c->moves[side]) {
      for (int k = 0; k < 6; k++) rest[k] = twists[6 * body + k] - before[6 * dof + k];
      ct_transform_motion(rest, rest, b->point[side], origin, NULL);
      ct_cross_motion(part, c->axis[side], rest);
      ct_add_to_scl3(rot, part, b->sign[side]);
      ct_add_to_scl3(lin, part + 3, b->sign[side]);
    }
    if (s->m->body_weldid[body] == 0) continue;  // stands still
    ct_cross(swept, twists + 6 * body, u->point[side]);
    ct_add_to_scl3(lin, swept, b->sign[side]);
  }
  for (int k = 0; k < 3; k++) {
    res[k] = ct_dot3(u->axis[k], b->lin[z]) + ct_dot3(b->axis[k], lin);
    res[3 + k] = 0;
    if (b->dim > 3) res[3 + k] = ct_dot3(u->axis[3 + k], b->rot[z]) + ct_dot3(b->axis[3 + k], rot);
  }
}

LANE_INLINE void weigh(const Block* b, const mjtNum x[6], mjtNum res[6]) {
  for (int r = 0; r < b->dim; r++) {
    res[r] = 0;
    for (int k = 0; k < b->dim; k++) res[r] += b->C[6 * r + k] * x[k];
  }
  for (int r = b->dim; r < 6; r++) res[r] = 0;
}

// A wrench from base forces.
LANE_INLINE void wrench_of(const Block* b, const mjtNum x[6], mjtNum wrench[6]) {
  ct_zero6(wrench);
  for (int k = 0; k < 3; k++) ct_add_to_scl3(wrench + 3, b->axis[k], x[k]);
  for (int k = 0; b->dim > 3 && k < 3; k++) ct_add_to_scl3(wrench, b->axis[3 + k], x[3 + k]);
}

LANE_INLINE void store_wrench(mjtNum* to, int stride, int place, const mjtNum wrench[6]) {
  for (int k = 0; k < 6; k++) to[k * stride + place] = wrench[k];
}

// Axes of a dof at both points, and the base coordinates that it moves.
LANE_FN static void load_column(const ct_Slopes* s, const Block* b, int dof, BlockColumn* c,
                                mjtNum base[6]) {
  mjtNum lin[3] = {0, 0, 0}, rot[3] = {0, 0, 0};
  for (int side = 0; side < 2; side++) {
    c->moves[side] = ct_chain_has(ct_chain(s->d, b->body[side]), dof);
    if (side && b->shared) {
      ct_copy6(c->axis[1], c->axis[0]);
    } else {
      ct_axis_at(s, dof, b->point[side], c->axis[side]);
    }
    if (!c->moves[side]) continue;
    ct_add_to_scl3(rot, c->axis[side], b->sign[side]);
    ct_add_to_scl3(lin, c->axis[side] + 3, b->sign[side]);
  }
  for (int k = 0; k < 3; k++) {
    base[k] = ct_dot3(b->axis[k], lin);
    base[3 + k] = b->dim > 3 ? ct_dot3(b->axis[3 + k], rot) : 0;
  }
}

LANE_FN static void fill_column(const ct_Slopes* s, const Block* b, const BlockTable* t, int place,
                                BlockColumn* c) {
  int dof = s->list[place];
  mjtNum base[6], by_v[6], by_a[6], sum[6], change[6], wrench[6];
  BlockMotion u;
  load_column(s, b, dof, c, base);
  if (b->equality) {
    move_equality(b, c, base, &u);
  } else {
    move_contact(s, b, c, &u);
  }

  // weights of H and of velocities
  weigh(b, base, change);
  wrench_of(b, change, wrench);
  store_wrench(t->weight, t->stride, place, wrench);
  if (!b->uniform) {
    for (int k = 0; k < 6; k++) sum[k] = -b->B[k] * base[k];
    weigh(b, sum, change);
    wrench_of(b, change, wrench);
    store_wrench(t->by_v, t->stride, place, wrench);
  }

  // base forces by position
  base_change(s, b, c, &u, dof, 0, by_v);
  base_change(s, b, c, &u, dof, 1, by_a);
  for (int k = 0; k < 6; k++) {
    sum[k] = -(by_a[k] + b->B[k] * by_v[k] + b->K_pos[k] * u.pos[k] + b->K_xi[k] * u.xi);
  }
  weigh(b, sum, change);
  for (int k = 0; k < 6; k++) change[k] += b->lambda[k] * b->growth * u.xi;
  wrench_of(b, change, wrench);

  // and the wrench by its directions and points
  for (int k = 0; k < 3; k++) {
    ct_add_to_scl3(wrench + 3, u.axis[k], b->lambda[k]);
    if (b->dim > 3) ct_add_to_scl3(wrench, u.axis[3 + k], b->lambda[3 + k]);
  }
  for (int side = 0; side < 2; side++) {
    mjtNum swept[3], whole[6], carried[6], here[6];
    if (s->m->body_weldid[b->body[side]] == 0) continue;  // has no rows
    ct_cross(swept, u.point[side], b->force);
    ct_copy6(here, wrench);
    ct_add_to3(here, swept);
    store_wrench(t->by_q[side], t->stride, place, here);
    if (c->moves[side]) {
      ct_copy3(whole, b->torque);
      ct_copy3(whole + 3, b->force);
      ct_cross_force(carried, c->axis[side], whole);
      for (int k = 0; k < 6; k++) here[k] -= carried[k];
    }
    store_wrench(t->by_q_below[side], t->stride, place, here);
  }
}

// res_f = axis . column f, for the columns from `start` to `end`.
LANE_INLINE void dot_columns(mjtNum* res, const mjtNum axis[6], const mjtNum* columns, int stride,
                             int start, int end) {
  const mjtNum *x0 = columns, *x1 = x0 + stride, *x2 = x1 + stride, *x3 = x2 + stride,
               *x4 = x3 + stride, *x5 = x4 + stride;
  for (int f = start; f < end; f++) {
    mjtNum head = (axis[0] * x0[f] + axis[1] * x1[f]) + (axis[2] * x2[f] + axis[3] * x3[f]);
    res[f] = head + (axis[4] * x4[f] + axis[5] * x5[f]);
  }
}

// Row of dof i. Columns are listed falling: those from `below` on are not below it.
LANE_FN static void write_row(const ct_Slopes* s, const Block* b, const BlockTable* t,
                              const BlockColumn* mine, int count, int e, mjtNum* res) {
  int i = s->list[e], below = 0;
  mjtNum *out = ct_slope_row(s, i), *H = ct_sparse_entry(&s->H, i, 0);
  if (b->shared && mine->moves[0] && mine->moves[1]) return;
  while (below < count && !ct_turns_axis(s, s->list[below], i)) below++;
  for (int side = 0; side < 2; side++) {
    if (!mine->moves[side]) continue;
    mjtNum axis[6];
    for (int k = 0; k < 6; k++) axis[k] = b->sign[side] * mine->axis[side][k];
    dot_columns(res, axis, t->by_q[side], t->stride, 0, below);
    dot_columns(res, axis, t->by_q_below[side], t->stride, below, count);
    for (int f = 0; f < count; f++) out[ct_column_q(s, s->list[f])] += res[f];
    dot_columns(res, axis, t->weight, t->stride, 0, count);
    for (int f = e; f < count; f++) H[s->list[f]] += res[f];
    if (b->uniform) {
      mjtNum B = b->B[0];
      for (int f = 0; f < count; f++) out[ct_column_v(s, s->list[f])] -= B * res[f];
      continue;
    }
    dot_columns(res, axis, t->by_v, t->stride, 0, count);
    for (int f = 0; f < count; f++) out[ct_column_v(s, s->list[f])] += res[f];
  }
}

// Dofs that move one of the bodies, falling.
LANE_INLINE int list_either(const ct_Slopes* s, const Block* b, int* list) {
  int i = ct_last_dof(s->m, b->body[0]), j = ct_last_dof(s->m, b->body[1]), count = 0;
  while (i >= 0 || j >= 0) {
    int most = i > j ? i : j;
    if (i == most) i = s->m->dof_parentid[most];
    if (j == most) j = s->m->dof_parentid[most];
    if (list) list[count] = most;
    count++;
  }
  return count;
}

LANE_INLINE BlockTable place_table(const ct_Slopes* s, int count) {
  BlockTable t;
  mjtNum* room = s->table;
  t.stride = (count + 3) / 4 * 4;
  for (int side = 0; side < 2; side++) {
    t.by_q[side] = room + 6 * (2 * side) * t.stride;
    t.by_q_below[side] = room + 6 * (2 * side + 1) * t.stride;
  }
  t.by_v = room + 24 * t.stride;
  t.weight = room + 30 * t.stride;
  return t;
}

LANE_INLINE bool is_idle(const ct_Slopes* s, int first, int rows) {
  for (int r = first; r < first + rows; r++) {
    if (!ct_row_rests(s, r)) return false;
  }
  return true;
}

LANE_FN static int block_rows(const ct_Slopes* s, int first) {
  const mjData* d = s->d;
  if (d->efc_type[first] == mjCNSTR_EQUALITY) {
    return equality_rows(s->m, d->efc_id[first]);
  }
  const mjContact* con = d->contact + d->efc_id[first];
  return d->efc_type[first] == mjCNSTR_CONTACT_PYRAMIDAL ? 2 * (con->dim - 1) : con->dim;
}

LANE_FN int ct_block_slopes(Lane g, ct_Slopes* s, int first) {
  Block b;
  int rows = block_rows(s, first);
  if (is_idle(s, first, rows)) return rows;
  if (s->d->efc_type[first] == mjCNSTR_EQUALITY) {
    open_equality(s, first, &b);
  } else {
    open_contact(s, first, &b);
    LANE_ALONE(g) {
      *s->answer = ct_contact_motion(s, s->d->efc_id[first], (ct_ContactMotion*)(void*)s->motion);
      if (!*s->answer) *s->reasons |= CT_NO_SLOPE_CONTACT;
    }
    if (!*s->answer) return rows;
  }
  finish_block(s, first, &b);
  int count = list_either(s, &b, NULL);
  LANE_ALONE(g) {
    list_either(s, &b, s->list);
  }
  BlockTable t = place_table(s, count);
  BlockColumn* column = (BlockColumn*)(void*)s->column;
  LANE_FOR(e, g, count) {
    fill_column(s, &b, &t, e, column + e);
  }
  lane_sync(g);
  LANE_FOR(e, g, count) {
    write_row(s, &b, &t, column + e, count, e, s->row + (size_t)lane_rank(g) * (size_t)s->nv);
  }
  lane_sync(g);
  return rows;
}
