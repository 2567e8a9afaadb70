// Scalars of lane code for four environments side by side: the functions of scalar.h that stages
// there need, with the same bits in every place. Conditions are selections, on masks whose places
// have all bits set or none.

#ifndef CT_MATH_FOUR_SCALAR_H_
#define CT_MATH_FOUR_SCALAR_H_

#include <math.h>
#include <stdbool.h>

#include "base/lanes.h"

#ifdef CT_SIDE_BY_SIDE

typedef __typeof__((ct_Four){0} < (ct_Four){0}) ct_FourMask;

// yes where the mask is set, no elsewhere.
LANE_INLINE ct_Four four_select(ct_FourMask mask, ct_Four yes, ct_Four no) {
  return (ct_Four)((mask & (ct_FourMask)yes) | (~mask & (ct_FourMask)no));
}

// Is the mask set anywhere?
LANE_INLINE bool four_any(ct_FourMask mask) {
  return (mask[0] | mask[1] | mask[2] | mask[3]) != 0;
}

LANE_INLINE ct_Place four_sqrt_of_one(ct_Place x) {
#ifdef mjUSESINGLE
  return sqrtf(x);
#else
  return sqrt(x);
#endif
}

LANE_INLINE ct_Four ct_sqrt(ct_Four x) {
  ct_Four root = {four_sqrt_of_one(x[0]), four_sqrt_of_one(x[1]), four_sqrt_of_one(x[2]),
                  four_sqrt_of_one(x[3])};
  return root;
}

LANE_INLINE ct_Four ct_max(ct_Four a, ct_Four b) {
  return four_select(a >= b, a, b);
}

LANE_INLINE ct_Four ct_clip(ct_Four x, ct_Four lower, ct_Four upper) {
  return four_select(x < lower, lower, four_select(x > upper, upper, x));
}

#endif

#endif  // CT_MATH_FOUR_SCALAR_H_
