// How rows that belong together change: contacts, connects and welds; and the row of a distance.
//
// When dof j moves, base forces of a block (slope_block.h) change by
//
//   d lambda = -C (dJ a + B dJ v + K (imp dpos + pos imp' dxi)) + lambda imp'/(imp (1 - imp)) dxi
//
// with C = E'WE the weight of the rows in base coordinates, and dJ w the change of y at fixed w:
// S_j x (W_b - W_j) of both bodies, the motion of the points, the turn of e and r. The wrench then
// changes by its components, directions and point. R_ij is S_i times that change, less what is only
// carried along with the body: rows below j do not see S_j x* (T; F).

#include <corten/derivative.h>

#include "derive/contact_motion.h"
#include "derive/slope_block.h"
#include "math/quat.h"

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

// Columns

typedef struct {  // how a block moves with one dof
  mjtNum point[2][3];
  mjtNum axis[6][3];
  mjtNum xi, pos[6];
} BlockMotion;

LANE_FN static void move_contact(const ct_Slopes* s, const ct_SlopeBlock* b, const BlockColumn* c,
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
LANE_FN static void turn_line(const ct_SlopeBlock* b, BlockMotion* u) {
  if (b->line < mjMINVAL) return;
  mjtNum across[3];
  ct_sub3(across, u->point[0], u->point[1]);
  ct_add_to_scl3(across, b->axis[0], -ct_dot3(across, b->axis[0]));
  ct_scl3(u->axis[0], across, 1 / b->line);
}

LANE_FN static void move_equality(const ct_SlopeBlock* b, const BlockColumn* c,
                                  const mjtNum base[6], BlockMotion* u) {
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
    ct_weld_axes(b->scale, b->quat[1], change, part);
    for (int k = 0; k < 3; k++) ct_add_to3(u->axis[3 + k], part[k]);
  }
  if (c->moves[1]) {
    mjtNum turn[4] = {0, -c->axis[1][0] / 2, -c->axis[1][1] / 2, -c->axis[1][2] / 2};
    ct_mul_quat(change, b->quat[1], turn);
    ct_weld_axes(b->scale, change, b->quat[0], part);
    for (int k = 0; k < 3; k++) ct_add_to3(u->axis[3 + k], part[k]);
  }
}

// dJ w of the base coordinates, w being velocities (z = 0) or accelerations (z = 1).
LANE_FN static void base_change(const ct_Slopes* s, const ct_SlopeBlock* b, const BlockColumn* c,
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

LANE_INLINE void store_wrench(mjtNum* to, int stride, int place, const mjtNum wrench[6]) {
  for (int k = 0; k < 6; k++) to[k * stride + place] = wrench[k];
}

// Axes of a dof at both points, and the base coordinates that it moves.
LANE_FN static void load_column(const ct_Slopes* s, const ct_SlopeBlock* b, int dof, BlockColumn* c,
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

LANE_FN static void fill_column(const ct_Slopes* s, const ct_SlopeBlock* b, const BlockTable* t,
                                int place, BlockColumn* c) {
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
  ct_weigh_base(b, base, change);
  ct_wrench_of_base(b, change, wrench);
  store_wrench(t->weight, t->stride, place, wrench);
  if (!b->uniform) {
    for (int k = 0; k < 6; k++) sum[k] = -b->B[k] * base[k];
    ct_weigh_base(b, sum, change);
    ct_wrench_of_base(b, change, wrench);
    store_wrench(t->by_v, t->stride, place, wrench);
  }

  // base forces by position
  base_change(s, b, c, &u, dof, 0, by_v);
  base_change(s, b, c, &u, dof, 1, by_a);
  for (int k = 0; k < 6; k++) {
    sum[k] = -(by_a[k] + b->B[k] * by_v[k] + b->K_pos[k] * u.pos[k] + b->K_xi[k] * u.xi);
  }
  ct_weigh_base(b, sum, change);
  for (int k = 0; k < 6; k++) change[k] += b->lambda[k] * b->growth * u.xi;
  ct_wrench_of_base(b, change, wrench);

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
LANE_FN static void write_row(const ct_Slopes* s, const ct_SlopeBlock* b, const BlockTable* t,
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
LANE_INLINE int list_either(const ct_Slopes* s, const ct_SlopeBlock* b, int* list) {
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

LANE_FN int ct_block_slopes(Lane g, ct_Slopes* s, int first) {
  ct_SlopeBlock b;
  int rows = ct_block_rows(s, first);
  if (ct_block_is_idle(s, first, rows)) return rows;
  if (s->d->efc_type[first] != mjCNSTR_EQUALITY && ct_is_grounded(s, first, rows)) return rows;
  ct_open_block(s, first, &b);
  if (!b.equality) {
    LANE_ALONE(g) {
      *s->answer = ct_contact_motion(s, s->d->efc_id[first], (ct_ContactMotion*)(void*)s->motion);
      if (!*s->answer) *s->reasons |= CT_NO_SLOPE_CONTACT;
    }
    if (!*s->answer) return rows;
  }
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
