// Functions of vectors, matrices and arrays that the shared library exports beside the public
// headers.

#ifndef CT_API_MJU_EXPORTS_H_
#define CT_API_MJU_EXPORTS_H_

#include <mujoco/mujoco.h>

#ifdef __cplusplus
extern "C" {
#endif

// Products of 3x3 matrices; res must not overlap an input.
MJAPI void mju_mulMatMat3(mjtNum res[9], const mjtNum mat1[9], const mjtNum mat2[9]);
MJAPI void mju_mulMatTMat3(mjtNum res[9], const mjtNum mat1[9], const mjtNum mat2[9]);
MJAPI void mju_mulMatMatT3(mjtNum res[9], const mjtNum mat1[9], const mjtNum mat2[9]);

// Momentum of an inertia of ten numbers (math/spatial.h) moving with vec.
MJAPI void mju_mulInertVec(mjtNum res[6], const mjtNum inert[10], const mjtNum vec[6]);

// 1 if no component differs by mjMINVAL or more.
MJAPI int mju_equal3(const mjtNum vec1[3], const mjtNum vec2[3]);

// Integers and bytes; isZeroByte is 1 for an empty array.
MJAPI void mju_zeroInt(int* res, int n);
MJAPI void mju_copyInt(int* res, const int* vec, int n);
MJAPI int mju_isZeroByte(const unsigned char* vec, int n);

// gather: res[i] = vec[ind[i]]; masked: 0 where the index is negative. scatter: res[ind[i]] =
// vec[i].
MJAPI void mju_gather(mjtNum* res, const mjtNum* vec, const int* ind, int n);
MJAPI void mju_gatherMasked(mjtNum* res, const mjtNum* vec, const int* ind, int n);
MJAPI void mju_gatherInt(int* res, const int* vec, const int* ind, int n);
MJAPI void mju_scatter(mjtNum* res, const mjtNum* vec, const int* ind, int n);
MJAPI void mju_scatterInt(int* res, const int* vec, const int* ind, int n);

// Half axes of the ellipsoid that stands for a geom of that type and size (a capsule counts its
// caps).
MJAPI void mju_geomSemiAxes(mjtNum semiaxes[3], const mjtNum size[3], int type);

// Where a point is seen from a box with pose (pos, mat) and half sizes `size`: 1 outside the box
// grown by the factor `inflate`, -1 inside the box shrunk by it, 0 between. With inflate 1 the
// surface counts as inside.
MJAPI int mju_outsideBox(const mjtNum point[3], const mjtNum pos[3], const mjtNum mat[9],
                         const mjtNum size[3], mjtNum inflate);

// Interpolation on the unit cube (math/basis.h). evalBasis is -1 for orders other than 1 and 2;
// interpolate3D adds to res; defGradient is the gradient of the interpolated position, res[3 i + j]
// = d position_i / d x_j.
MJAPI mjtNum mju_evalBasis(const mjtNum x[3], int i, int order);
MJAPI void mju_interpolate3D(mjtNum res[3], const mjtNum x[3], const mjtNum* coeff, int order);
MJAPI void mju_defGradient(mjtNum res[9], const mjtNum x[3], const mjtNum* coeff, int order);

#ifdef __cplusplus
}
#endif

#endif  // CT_API_MJU_EXPORTS_H_
