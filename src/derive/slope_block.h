// Rows that belong together: contacts, connects and welds; and the row of a distance.
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
// lambda_3+k r_k, on one body at its point and opposite on the other.

#ifndef CT_DERIVE_SLOPE_BLOCK_H_
#define CT_DERIVE_SLOPE_BLOCK_H_

#include "derive/slopes.h"

typedef struct ct_SlopeBlock_ {
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
} ct_SlopeBlock;

// The block that starts at row `first`: how many rows it has, and what it is made of. Needs jar,
// force, state and weight of rows, and push.
LANE_FN int ct_block_rows(const ct_Slopes* s, int first);
LANE_FN void ct_open_block(const ct_Slopes* s, int first, ct_SlopeBlock* b);

// Weights of the rows of an elliptic contact on the side of its cone, C (6 x 6).
LANE_FN void ct_cone_weight(const ct_Slopes* s, int first, const mjContact* con, mjtNum* C);

// Axes r of a weld: res_r = scale / 2 vec(w * axis * u).
LANE_FN void ct_weld_axes(mjtNum scale, const mjtNum w[4], const mjtNum u[4], mjtNum res[3][3]);

// Has none of the rows force or weight?
LANE_INLINE bool ct_block_is_idle(const ct_Slopes* s, int first, int rows) {
  for (int r = first; r < first + rows; r++) {
    if (!ct_row_rests(s, r)) return false;
  }
  return true;
}

// Twist of a body at its point: velocity (cvel) or what qacc alone does (push).
LANE_INLINE void ct_twist_at_block(const ct_Slopes* s, const ct_SlopeBlock* b, int side,
                                   const mjtNum* twists, mjtNum twist[6]) {
  int body = b->body[side];
  ct_transform_motion(twist, twists + 6 * body, b->point[side],
                      ct_reference_point(s->m, s->d, body), NULL);
}

// C x
LANE_INLINE void ct_weigh_base(const ct_SlopeBlock* b, const mjtNum x[6], mjtNum res[6]) {
  for (int r = 0; r < b->dim; r++) {
    res[r] = 0;
    for (int k = 0; k < b->dim; k++) res[r] += b->C[6 * r + k] * x[k];
  }
  for (int r = b->dim; r < 6; r++) res[r] = 0;
}

// A wrench from base forces.
LANE_INLINE void ct_wrench_of_base(const ct_SlopeBlock* b, const mjtNum x[6], mjtNum wrench[6]) {
  ct_zero6(wrench);
  for (int k = 0; k < 3; k++) ct_add_to_scl3(wrench + 3, b->axis[k], x[k]);
  for (int k = 0; b->dim > 3 && k < 3; k++) ct_add_to_scl3(wrench, b->axis[3 + k], x[3 + k]);
}

#endif  // CT_DERIVE_SLOPE_BLOCK_H_
