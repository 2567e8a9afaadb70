// Entries of constraint rows at four dofs at a time, by one lane: they are made by the same
// operations, so that a dof is a place of a word.

#ifndef CT_ENGINE_CONSTRAINT_FOUR_COLUMNS_H_
#define CT_ENGINE_CONSTRAINT_FOUR_COLUMNS_H_

#include "base/lanes.h"
#include "base/model/chain.h"

#if LANE_WIDTH > 1

// One at the places of these bits.
LANE_INLINE Wide ct_one_at(unsigned bits) {
  static const mjtNum one_at[16][4] = {{0, 0, 0, 0}, {1, 0, 0, 0}, {0, 1, 0, 0}, {1, 1, 0, 0},
                                       {0, 0, 1, 0}, {1, 0, 1, 0}, {0, 1, 1, 0}, {1, 1, 1, 0},
                                       {0, 0, 0, 1}, {1, 0, 0, 1}, {0, 1, 0, 1}, {1, 1, 0, 1},
                                       {0, 0, 1, 1}, {1, 0, 1, 1}, {0, 1, 1, 1}, {1, 1, 1, 1}};
  return wide_load(one_at[bits]);
}

// Takes four neighbouring dofs with the lowest of these columns, of which a dense row has some, and
// returns the bit of the first. They end with the last dof at bit `most` + 3 at the latest;
// negative: fewer than four are left.
LANE_INLINE int ct_take_dense_four(unsigned* columns, int most) {
  int bit = ct_lowest_bit(*columns);
  if (bit > most) bit = most;
  if (bit >= 0) *columns &= ~(15u << bit);
  return bit;
}

// Axes of four dofs become six words.
LANE_INLINE void ct_load_four_axes(Wide axis[6], const mjtNum* const cdof[4]) {
  Wide low[4], high[4];
  for (int k = 0; k < 4; k++) {
    low[k] = wide_load(cdof[k]);
    high[k] = wide_load(cdof[k] + 2);
  }
  wide_transpose(low);
  wide_transpose(high);
  for (int i = 0; i < 4; i++) axis[i] = low[i];
  axis[4] = high[2];
  axis[5] = high[3];
}

// ct_jac_column
LANE_INLINE void ct_four_jac_columns(Wide column[3], const Wide axis[6], const mjtNum offset[3]) {
  column[0] = axis[3] + (axis[1] * offset[2] - axis[2] * offset[1]);
  column[1] = axis[4] + (axis[2] * offset[0] - axis[0] * offset[2]);
  column[2] = axis[5] + (axis[0] * offset[1] - axis[1] * offset[0]);
}

// ct_dot3
LANE_INLINE Wide ct_four_dots(const mjtNum a[3], const Wide x[3]) {
  return a[0] * x[0] + a[1] * x[1] + a[2] * x[2];
}

// x at the places of the mask, zero elsewhere.
LANE_INLINE Wide ct_only_at(WideMask mask, Wide x) {
  return (Wide)((WideMask)x & mask);
}

#endif

#endif  // CT_ENGINE_CONSTRAINT_FOUR_COLUMNS_H_
