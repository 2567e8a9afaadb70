// Contacts of bodies with what stands still, summed over subtrees.
//
// Such a contact depends on the motion of one body alone. If that moves by X, seen from it the
// frame of the contact turns and its point shifts by Y = (turn; shift) - X, and the distance
// changes by dd. With w the wrench of the contact, W the twist of the body (accelerations, and B
// times velocities), D the weight of the rows, all at the contact point, the wrench changes by
//
//   X x* w + Y x* w + D (Y x W) + v dd,    v = E'(lambda imp'/(imp (1 - imp)) - C K (imp + pos
//   imp')),
//
// and by -D g_j when dof j moves, whose axis turns with what is above it: g_j = W_j x S_j, of the
// twist before j. The first term is that of a wrench glued to the body, which counts for the body
// as a force of inertia. The others are N X, N a matrix that adds up over the contacts of a body
// and over the bodies of a subtree, as inertias do; and so does D, which is also what H gets:
//
//   R_ij += S_i.(N S_j - D g_j),   by velocity -B S_i.D S_j,   H_ij += S_i.D S_j
//
// with the sums of the lower of both dofs. inertial_slopes.c writes them along with its own, so
// that only a contact's matrices grow with the number of contacts. Contacts of two moving bodies,
// and those with another B than the first, are left to block_slopes.c.

#include <corten/derivative.h>

#include "derive/contact_motion.h"
#include "derive/slope_block.h"
#include "math/lane_vec.h"

typedef struct {
  ct_SlopeBlock b;
  int side;           // that moves
  mjtNum sign;        // of its forces
  mjtNum arm[3];      // the contact point, from the reference point of the tree
  mjtNum twist[6];    // W
  mjtNum wrench[6];   // w on the body that moves
  mjtNum weight[36];  // D
  mjtNum drift[6];    // v
} GroundContact;

LANE_INLINE int moving_side(const ct_Slopes* s, int first) {
  const mjModel* m = s->m;
  const mjContact* con = s->d->contact + s->d->efc_id[first];
  bool moves0 = ct_last_dof(m, m->geom_bodyid[con->geom[0]]) >= 0;
  bool moves1 = ct_last_dof(m, m->geom_bodyid[con->geom[1]]) >= 0;
  return moves0 == moves1 ? -1 : moves1;
}

LANE_FN bool ct_is_grounded(const ct_Slopes* s, int first, int rows) {
  if (!s->grounded) return false;
  for (int r = first; r < first + rows; r++) {
    if (s->d->efc_KBIP[4 * r + 1] != s->ground_B) return false;
  }
  return moving_side(s, first) >= 0;
}

// D = E'C E, with rows and columns of rotations only where rows turn.
LANE_FN static void weigh_directions(const ct_SlopeBlock* b, mjtNum D[36]) {
  mjtNum CE[6][6];
  ct_zero(D, 36);
  for (int r = 0; r < b->dim; r++) {
    ct_zero6(CE[r]);
    for (int k = 0; k < b->dim; k++) {
      ct_add_to_scl3(CE[r] + (k < 3 ? 3 : 0), b->axis[k], b->C[6 * r + k]);
    }
  }
  for (int r = 0; r < b->dim; r++) {
    for (int i = 0; i < 3; i++) {
      mjtNum* row = D + 6 * (r < 3 ? 3 + i : i);
      for (int k = b->dim > 3 ? 0 : 3; k < 6; k++) row[k] += b->axis[r][i] * CE[r][k];
    }
  }
}

LANE_FN static void open_ground(const ct_Slopes* s, int first, GroundContact* c) {
  ct_SlopeBlock* b = &c->b;
  mjtNum sum[6], change[6];
  ct_open_block(s, first, b);
  c->side = moving_side(s, first);
  c->sign = b->sign[c->side];
  ct_sub3(c->arm, b->point[0], ct_reference_point(s->m, s->d, b->body[c->side]));
  for (int k = 0; k < 3; k++) {  // the other body stands still
    c->twist[k] = c->sign * (b->rot[1][k] + s->ground_B * b->rot[0][k]);
    c->twist[3 + k] = c->sign * (b->lin[1][k] + s->ground_B * b->lin[0][k]);
  }
  ct_scl3(c->wrench, b->torque, c->sign);
  ct_scl3(c->wrench + 3, b->force, c->sign);
  weigh_directions(b, c->weight);
  for (int k = 0; k < 6; k++) sum[k] = -(k == 0 ? b->K_pos[0] + b->K_xi[0] : b->K_xi[k]);
  ct_weigh_base(b, sum, change);
  for (int k = 0; k < 6; k++) change[k] = c->sign * (change[k] + b->lambda[k] * b->growth);
  ct_wrench_of_base(b, change, c->drift);
}

// D x
LANE_INLINE void weigh_motion(const GroundContact* c, const mjtNum x[6], mjtNum res[6]) {
  const mjtNum* D = c->weight;
  for (int i = 0; i < 3; i++) res[3 + i] = ct_dot3(D + 6 * (3 + i) + 3, x + 3);
  ct_zero3(res);
  if (c->b.dim <= 3) return;
  for (int i = 0; i < 3; i++) {
    res[i] = ct_dot3(D + 6 * i, x) + ct_dot3(D + 6 * i + 3, x + 3);
    res[3 + i] += ct_dot3(D + 6 * (3 + i), x);
  }
}

// Adds a wrench at the contact to a column about the reference point.
LANE_INLINE void add_wrench(const GroundContact* c, const mjtNum wrench[6], mjtNum* column) {
  mjtNum swept[3];
  ct_cross(swept, c->arm, wrench + 3);
  for (int k = 0; k < 3; k++) {
    column[k] += wrench[k] + swept[k];
    column[3 + k] += wrench[3 + k];
  }
}

// Columns of N and D for a unit motion k about the reference point.
LANE_FN static void add_column(const ct_Slopes* s, const GroundContact* c, int k, mjtNum* N,
                               mjtNum* D) {
  const ct_ContactMotion* motion = (const ct_ContactMotion*)(const void*)s->motion;
  mjtNum X[6] = {0, 0, 0, 0, 0, 0}, Y[6], part[6], wrench[6], dist = motion->dist[c->side][k];
  X[k] = 1;
  ct_copy3(Y, motion->turn[c->side][k]);
  ct_copy3(Y + 3, motion->point[c->side][k]);
  if (k < 3) {
    ct_cross(X + 3, X, c->arm);
    for (int i = 0; i < 3; i++) {
      ct_add_to_scl3(Y, motion->turn[c->side][3 + i], X[3 + i]);
      ct_add_to_scl3(Y + 3, motion->point[c->side][3 + i], X[3 + i]);
      dist += motion->dist[c->side][3 + i] * X[3 + i];
    }
  }
  for (int i = 0; i < 6; i++) Y[i] -= X[i];
  ct_cross_motion(part, Y, c->twist);
  weigh_motion(c, part, wrench);
  ct_cross_force(part, Y, c->wrench);
  for (int i = 0; i < 6; i++) wrench[i] += part[i] + c->drift[i] * dist;
  add_wrench(c, wrench, N);
  weigh_motion(c, X, wrench);
  add_wrench(c, wrench, D);
}

// The first contact that stands on the ground says which B all of them have.
LANE_FN static bool find_ground(ct_Slopes* s) {
  for (int r = 0, rows; r < s->d->nefc; r += rows) {
    rows = 1;
    if (s->d->efc_type[r] < mjCNSTR_CONTACT_FRICTIONLESS) continue;
    rows = ct_block_rows(s, r);
    s->ground_B = s->d->efc_KBIP[4 * r + 1];
    s->grounded = true;
    if (!ct_block_is_idle(s, r, rows) && ct_is_grounded(s, r, rows)) return true;
  }
  return false;
}

LANE_FN static void add_contact(Lane g, ct_Slopes* s, int first) {
  GroundContact c;
  open_ground(s, first, &c);
  LANE_ALONE(g) {
    *s->answer = ct_contact_motion(s, s->d->efc_id[first], (ct_ContactMotion*)(void*)s->motion);
    if (!*s->answer) *s->reasons |= CT_NO_SLOPE_CONTACT;
  }
  if (!*s->answer) return;
  ct_GroundSums* sums = (ct_GroundSums*)(void*)s->ground + c.b.body[c.side];
  LANE_FOR(k, g, 6) {
    add_column(s, &c, k, sums->change[k], sums->weight[k]);
  }
  LANE_ONCE(g) {
    add_wrench(&c, c.wrench, sums->wrench);
  }
  lane_sync(g);
}

LANE_FN void ct_ground_slopes(Lane g, ct_Slopes* s) {
  s->grounded = find_ground(s);
  if (!s->grounded) return;
  lane_set_zero(g, s->ground, (mjtSize)s->m->nbody * CT_GROUND);
  lane_sync(g);
  for (int r = 0, rows; r < s->d->nefc; r += rows) {
    rows = 1;
    if (s->d->efc_type[r] < mjCNSTR_CONTACT_FRICTIONLESS) continue;
    rows = ct_block_rows(s, r);
    if (!ct_block_is_idle(s, r, rows) && ct_is_grounded(s, r, rows)) add_contact(g, s, r);
  }
}
