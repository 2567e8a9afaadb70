// Functions of vectors, matrices and arrays that the shared library exports beside the public
// headers.

#ifndef CT_API_MJU_EXPORTS_H_
#define CT_API_MJU_EXPORTS_H_

#include <mujoco/mujoco.h>

#ifdef __cplusplus
extern "C" {
#endif

// Products of 3x3 matrices: a b, a' b, a b'. The product must not overlap a factor.
MJAPI void mju_mulMatMat3(mjtNum product[9], const mjtNum a[9], const mjtNum b[9]);
MJAPI void mju_mulMatTMat3(mjtNum product[9], const mjtNum a[9], const mjtNum b[9]);
MJAPI void mju_mulMatMatT3(mjtNum product[9], const mjtNum a[9], const mjtNum b[9]);

// Momentum of an inertia of ten numbers (math/spatial.h) that moves with a velocity.
MJAPI void mju_mulInertVec(mjtNum momentum[6], const mjtNum inertia[10], const mjtNum velocity[6]);

// 1 if no component differs by mjMINVAL or more.
MJAPI int mju_equal3(const mjtNum a[3], const mjtNum b[3]);

// Integers and bytes; isZeroByte is 1 for an empty array.
MJAPI void mju_zeroInt(int* a, int count);
MJAPI void mju_copyInt(int* to, const int* from, int count);
MJAPI int mju_isZeroByte(const unsigned char* bytes, int count);

// gather: packed[i] = from[place[i]]; masked: 0 where the place is negative. scatter: to[place[i]]
// = packed[i].
MJAPI void mju_gather(mjtNum* packed, const mjtNum* from, const int* place, int count);
MJAPI void mju_gatherMasked(mjtNum* packed, const mjtNum* from, const int* place, int count);
MJAPI void mju_gatherInt(int* packed, const int* from, const int* place, int count);
MJAPI void mju_scatter(mjtNum* to, const mjtNum* packed, const int* place, int count);
MJAPI void mju_scatterInt(int* to, const int* packed, const int* place, int count);

// Half axes of the ellipsoid that stands for a geom of that type and size (a capsule counts its
// caps).
MJAPI void mju_geomSemiAxes(mjtNum half_axes[3], const mjtNum geom_size[3], int geom_type);

// Where a point is seen from a box: 1 outside the box grown by the factor `growth`, -1 inside the
// box shrunk by it, 0 between. With growth 1 the surface counts as inside.
MJAPI int mju_outsideBox(const mjtNum point[3], const mjtNum center[3], const mjtNum frame[9],
                         const mjtNum half_size[3], mjtNum growth);

// Interpolation on the unit cube (math/basis.h). evalBasis is -1 for degrees other than 1 and 2;
// interpolate3D adds to the sum; defGradient is the gradient of the interpolated position,
// jacobian[3 i + j] = d position_i / d at_j.
MJAPI mjtNum mju_evalBasis(const mjtNum at[3], int node, int degree);
MJAPI void mju_interpolate3D(mjtNum sum[3], const mjtNum at[3], const mjtNum* node_value,
                             int degree);
MJAPI void mju_defGradient(mjtNum jacobian[9], const mjtNum at[3], const mjtNum* node_position,
                           int degree);

#ifdef __cplusplus
}
#endif

#endif  // CT_API_MJU_EXPORTS_H_
