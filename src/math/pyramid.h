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

LANE_INLINE void ct_decode_pyramid(mjtNum* force, const mjtNum* pyramid, const mjtNum* mu,
                                   int dim) {
  if (dim == 1) {
    force[0] = pyramid[0];
    return;
  }
  force[0] = 0;
  for (int i = 0; i < 2 * (dim - 1); i++) force[0] += pyramid[i];
  for (int i = 0; i < dim - 1; i++) force[i + 1] = (pyramid[2 * i] - pyramid[2 * i + 1]) * mu[i];
}

#endif  // CT_MATH_PYRAMID_H_
