// Bounding spheres of geoms in words of four, for one lane: candidates.c and trees.c.

#ifndef CT_COLLIDE_SPHERES_H_
#define CT_COLLIDE_SPHERES_H_

#include "collide/contact.h"

#if LANE_WIDTH > 1

LANE_INLINE Wide ct_wide_abs(Wide x) {
  return (Wide)((WideMask)x & ~(WideMask)wide_all((mjtNum)-0.0));
}

// Spheres of four geoms. NaN radii answer no question: those of geoms that are not bounded, that
// have a negative margin or are so far out that the ends of boxes around them have few digits.
enum { CT_FOUR_SPHERES = 4 * LANE_WIDTH };  // x, y, z, and radii with the geoms' part of the margin

// What spheres say about one geom and four others, as bits.
typedef struct ct_FourAnswers_ {
  unsigned apart;  // beyond rounding: ct_spheres_meet says so too
  unsigned close;  // beyond rounding: they meet, and boxes around them along all axes do
} ct_FourAnswers;

LANE_INLINE void ct_gather_four(const mjModel* m, const mjData* d, const int slots[4],
                                mjtNum* four) {
  const Wide most = wide_all(sizeof(mjtNum) == 4 ? 16 : (mjtNum)1e8);
  const mjtNum *bound = m->geom_rbound, *own = m->geom_margin;
  Wide x[4], r = {bound[slots[0]], bound[slots[1]], bound[slots[2]], bound[slots[3]]};
  Wide margin = {own[slots[0]], own[slots[1]], own[slots[2]], own[slots[3]]};
  if (m->opt.enableflags & mjENBL_OVERRIDE) margin = wide_all(m->opt.o_margin / 2);
  for (int k = 0; k < 4; k++) x[k] = wide_load(d->geom_xpos + 3 * slots[k]);
  wide_transpose(x);
  Wide far = ct_wide_abs(x[0]) + ct_wide_abs(x[1]) + ct_wide_abs(x[2]);
  WideMask known =
      (WideMask)(r > wide_all(0)) & (WideMask)(margin >= wide_all(0)) & (WideMask)(far < most * r);
  for (int k = 0; k < 3; k++) wide_store(four + LANE_WIDTH * k, x[k]);
  wide_store(four + 3 * LANE_WIDTH, (Wide)((WideMask)(r + margin) | ~known));
}

LANE_INLINE ct_FourAnswers ct_ask_four(const Wide one[4], const mjtNum* four) {
  Wide squared = wide_all(0);
  for (int k = 0; k < 3; k++) {
    Wide apart = wide_sub(wide_load(four + LANE_WIDTH * k), one[k]);
    squared = k ? wide_add(squared, wide_mul(apart, apart)) : wide_mul(apart, apart);
  }
  Wide reach = wide_add(wide_load(four + 3 * LANE_WIDTH), one[3]), square = wide_mul(reach, reach);
  ct_FourAnswers answers = {
      wide_bits((WideMask)(squared > wide_mul(square, wide_all((mjtNum)1.00001)))),
      wide_bits((WideMask)(squared < wide_mul(square, wide_all((mjtNum)0.99999))))};
  return answers;
}

#endif

#endif  // CT_COLLIDE_SPHERES_H_
