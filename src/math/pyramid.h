// Friction pyramids: a contact force as the sum of forces along edges.
//
// A pyramid has two edges per friction direction, normal +- mu tangent. A contact of dimension dim
// has dim - 1 directions; without friction (dim 1) there is one edge, the normal itself.

#ifndef CT_MATH_PYRAMID_H_
#define CT_MATH_PYRAMID_H_

#include "math/scalar.h"

// A force is spread evenly over the directions, and within one so that the tangential part comes
// out, as far as the normal share allows. dim is at least 2.
LANE_INLINE void ct_encode_pyramid(mjtNum* pyramid, const mjtNum* force, const mjtNum* mu,
                                   int dim) {
  mjtNum normal = force[0] / (mjtNum)(dim - 1);
  for (int i = 0; i < dim - 1; i++) {
    mjtNum tangent = ct_min(normal, force[i + 1] / mu[i]);
    pyramid[2 * i] = (normal + tangent) / 2;
    pyramid[2 * i + 1] = (normal - tangent) / 2;
  }
}

// Every edge pushes along the normal; the two edges of a direction pull its tangent to either side.
LANE_INLINE void ct_decode_pyramid(mjtNum* force, const mjtNum* pyramid, const mjtNum* mu,
                                   int dim) {
  mjtNum normal = dim == 1 ? pyramid[0] : 0;
  for (int direction = 1; direction < dim; direction++, pyramid += 2, mu++) {
    normal += pyramid[0];
    normal += pyramid[1];
    force[direction] = *mu * (pyramid[0] - pyramid[1]);
  }
  force[0] = normal;
}

#endif  // CT_MATH_PYRAMID_H_
