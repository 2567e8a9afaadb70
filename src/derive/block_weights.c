// Weights of rows that belong together.
//
// Weights y of the rows of R make y'J'lambda = lambda.(J y) of a block (slope_block.h), and with s
// = C J y its change with the position is
//
//   lambda.(dJ y) - s.(dJ a) - (B s).(dJ v) - s.(K imp dpos) - (s.K pos imp' - lambda.(J y) growth)
//   dxi,
//
// three base forces, each times the change of J at fixed y, a and v; by velocity it is -(B s).J. A
// base force is a wrench (T; F) at the points, and of its product with dJ w
//
//   the turn of the axes takes F x lin + T x rot, lin and rot being the relative velocity of w,
//   the motion of a point F x (angular velocity of its body),
//   S_j x (W_b - W_j) takes W_b x* (T; F) less W_j x* (T; F).
//
// So a block loads each of its bodies with four wrenches: one of everything but the last term, and
// those of v, a and y for it. Sums over subtrees do the rest (inertial_weights.c).

#include <corten/derivative.h>

#include "derive/contact_motion.h"
#include "derive/slope_block.h"
#include "math/quat.h"

typedef struct {
  mjtNum twist[3][2][6];        // of v, a, y: of both bodies at their points
  mjtNum lin[3][3], rot[3][3];  // relative
  mjtNum force[3][6];           // base forces
  mjtNum wrench[3][6];
  mjtNum by_pos[6], by_xi;  // weights of residuals and of what the impedance goes by
  mjtNum pull[2][6];        // on the bodies at their points
} BlockWeight;

LANE_FN static void weigh_forces(const ct_Slopes* s, const ct_SlopeBlock* b, BlockWeight* w) {
  const mjtNum* twists[3] = {s->d->cvel, s->push, s->twist};
  mjtNum base[6], pushed[6];
  for (int z = 0; z < 3; z++) {
    ct_zero3(w->lin[z]);
    ct_zero3(w->rot[z]);
    for (int side = 0; side < 2; side++) {
      mjtNum* twist = w->twist[z][side];
      ct_twist_at_block(s, b, side, twists[z], twist);
      ct_add_to_scl3(w->rot[z], twist, b->sign[side]);
      ct_add_to_scl3(w->lin[z], twist + 3, b->sign[side]);
    }
  }
  for (int k = 0; k < 3; k++) {
    base[k] = ct_dot3(b->axis[k], w->lin[2]);
    base[3 + k] = b->dim > 3 ? ct_dot3(b->axis[3 + k], w->rot[2]) : 0;
  }
  ct_weigh_base(b, base, pushed);
  w->by_xi = 0;
  for (int k = 0; k < 6; k++) {
    w->force[0][k] = -b->B[k] * pushed[k];
    w->force[1][k] = -pushed[k];
    w->force[2][k] = b->lambda[k];
    w->by_pos[k] = -pushed[k] * b->K_pos[k];
    w->by_xi += b->lambda[k] * base[k] * b->growth - pushed[k] * b->K_xi[k];
  }
  for (int z = 0; z < 3; z++) {
    ct_wrench_of_base(b, w->force[z], w->wrench[z]);
    for (int side = 0; side < 2; side++) {
      mjtNum part[6];
      if (z == 0) ct_zero6(w->pull[side]);
      ct_cross_force(part, w->twist[z][side], w->wrench[z]);
      ct_add_to_scl6(w->pull[side], part, b->sign[side]);
    }
  }
}

LANE_FN static void weigh_contact(const ct_SlopeBlock* b, BlockWeight* w, ct_ContactWeights* to) {
  (void)b;
  ct_zero3(to->turn);
  ct_zero3(to->point);
  for (int z = 0; z < 3; z++) {
    const mjtNum *torque = w->wrench[z], *force = w->wrench[z] + 3;
    mjtNum part[3];
    ct_cross(part, force, w->lin[z]);
    ct_add_to3(to->turn, part);
    ct_cross(part, torque, w->rot[z]);
    ct_add_to3(to->turn, part);
    ct_cross(part, force, w->rot[z]);
    ct_add_to3(to->point, part);
  }
  to->dist = w->by_pos[0] + w->by_xi;
}

// The axes of a weld turn with both bodies.
LANE_FN static void weigh_weld(const ct_SlopeBlock* b, BlockWeight* w) {
  for (int side = 0; side < 2; side++) {
    for (int i = 0; i < 3; i++) {
      mjtNum turn[4] = {0, 0, 0, 0}, change[4], part[3][3];
      turn[1 + i] = side ? (mjtNum)-0.5 : (mjtNum)0.5;
      if (side) {
        ct_mul_quat(change, b->quat[1], turn);
        ct_weld_axes(b->scale, change, b->quat[0], part);
      } else {
        ct_mul_quat(change, turn, b->quat[0]);
        ct_weld_axes(b->scale, b->quat[1], change, part);
      }
      for (int z = 0; z < 3; z++) {
        for (int k = 0; k < 3; k++) {
          w->pull[side][i] += w->force[z][3 + k] * ct_dot3(part[k], w->rot[z]);
        }
      }
    }
  }
}

LANE_FN static void weigh_equality(const ct_SlopeBlock* b, BlockWeight* w) {
  mjtNum base[6], wrench[6], part[3];
  for (int k = 0; k < 6; k++) base[k] = w->by_pos[k] + w->by_xi * b->residual[k];
  ct_wrench_of_base(b, base, wrench);
  for (int side = 0; side < 2; side++) {
    ct_add_to_scl6(w->pull[side], wrench, b->sign[side]);
    for (int z = 0; z < 3; z++) {
      ct_cross(part, w->wrench[z] + 3, w->twist[z][side]);
      ct_add_to_scl3(w->pull[side] + 3, part, b->sign[side]);
    }
  }
  if (b->dim == 1 && b->line >= mjMINVAL) {  // the line turns by what its ends move across it
    for (int z = 0; z < 3; z++) {
      mjtNum scale = w->force[z][0] / b->line;
      ct_add_scl3(part, w->lin[z], b->axis[0], -ct_dot3(w->lin[z], b->axis[0]));
      ct_add_to_scl3(w->pull[0] + 3, part, scale);
      ct_add_to_scl3(w->pull[1] + 3, part, -scale);
    }
  }
  if (b->dim == 6) weigh_weld(b, w);
}

// On one side, at the reference point of its tree.
LANE_FN static void load_body(Lane g, ct_Slopes* s, const ct_SlopeBlock* b, int side,
                              const BlockWeight* w) {
  int body = b->body[side];
  if (ct_last_dof(s->m, body) < 0 || !LANE_OWNS(g, body)) return;
  const mjtNum* origin = ct_reference_point(s->m, s->d, body);
  mjtNum *burden = s->burden + CT_BURDEN * body, there[6];
  ct_transform_force(there, w->pull[side], origin, b->point[side], NULL);
  ct_add_to6(burden, there);
  for (int z = 0; z < 3; z++) {
    ct_transform_force(there, w->wrench[z], origin, b->point[side], NULL);
    ct_add_to_scl6(burden + 6 * (z + 1), there, b->sign[side]);
  }
}

LANE_FN int ct_weigh_block(Lane g, ct_Slopes* s, int first) {
  ct_SlopeBlock b;
  BlockWeight w;
  int rows = ct_block_rows(s, first);
  if (ct_block_is_idle(s, first, rows)) return rows;
  ct_open_block(s, first, &b);
  weigh_forces(s, &b, &w);
  if (b.equality) {
    weigh_equality(&b, &w);
  } else {
    ct_ContactWeights weights, *shared = (ct_ContactWeights*)(void*)s->table;
    weigh_contact(&b, &w, &weights);
    LANE_ALONE(g) {
      *shared = weights;
      *s->answer = ct_contact_weights(s, s->d->efc_id[first], shared);
      if (!*s->answer) *s->reasons |= CT_NO_SLOPE_CONTACT;
    }
    if (!*s->answer) return rows;
    for (int side = 0; side < 2; side++) ct_add_to6(w.pull[side], shared->pull[side]);
  }
  for (int side = 0; side < 2; side++) load_body(g, s, &b, side, &w);
  lane_sync(g);
  return rows;
}
