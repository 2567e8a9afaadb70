// Exported functions of arrays: integers, bytes, gather and scatter, comparison, boxes,
// interpolation.

#include "api/mju_exports.h"
#include "math/basis.h"
#include "math/mat.h"
#include "math/vec.h"

int mju_equal3(const mjtNum vec1[3], const mjtNum vec2[3]) {
  return ct_abs(vec1[0] - vec2[0]) < mjMINVAL && ct_abs(vec1[1] - vec2[1]) < mjMINVAL &&
         ct_abs(vec1[2] - vec2[2]) < mjMINVAL;
}

void mju_zeroInt(int* res, int n) {
  for (int i = 0; i < n; i++) {
    res[i] = 0;
  }
}

void mju_copyInt(int* res, const int* vec, int n) {
  for (int i = 0; i < n; i++) {
    res[i] = vec[i];
  }
}

int mju_isZeroByte(const unsigned char* vec, int n) {
  for (int i = 0; i < n; i++) {
    if (vec[i] != 0) {
      return 0;
    }
  }
  return 1;
}

void mju_gather(mjtNum* res, const mjtNum* vec, const int* ind, int n) {
  for (int i = 0; i < n; i++) {
    res[i] = vec[ind[i]];
  }
}

void mju_gatherMasked(mjtNum* res, const mjtNum* vec, const int* ind, int n) {
  for (int i = 0; i < n; i++) {
    res[i] = ind[i] >= 0 ? vec[ind[i]] : 0;
  }
}

void mju_gatherInt(int* res, const int* vec, const int* ind, int n) {
  for (int i = 0; i < n; i++) {
    res[i] = vec[ind[i]];
  }
}

void mju_scatter(mjtNum* res, const mjtNum* vec, const int* ind, int n) {
  for (int i = 0; i < n; i++) {
    res[ind[i]] = vec[i];
  }
}

void mju_scatterInt(int* res, const int* vec, const int* ind, int n) {
  for (int i = 0; i < n; i++) {
    res[ind[i]] = vec[i];
  }
}

void mju_geomSemiAxes(mjtNum semiaxes[3], const mjtNum size[3], int type) {
  ct_copy3(semiaxes, size);
  if (type == mjGEOM_SPHERE) {
    semiaxes[1] = semiaxes[2] = size[0];
  } else if (type == mjGEOM_CAPSULE) {
    semiaxes[1] = size[0];
    semiaxes[2] = size[0] + size[1];
  } else if (type == mjGEOM_CYLINDER) {
    semiaxes[1] = size[0];
    semiaxes[2] = size[1];
  }
}

int mju_outsideBox(const mjtNum point[3], const mjtNum pos[3], const mjtNum mat[9],
                   const mjtNum size[3], mjtNum inflate) {
  if (inflate < 1) {
    mju_error("mju_outsideBox: inflate must be at least 1, not %g", (double)inflate);
    return 0;
  }
  mjtNum local[3];
  ct_sub3(local, point, pos);
  ct_mul_mat_t_vec3(local, mat, local);

  int inside = 0;
  for (int i = 0; i < 3; i++) {
    if (ct_abs(local[i]) > size[i] * inflate) {
      return 1;
    }
    inside += ct_abs(local[i]) < size[i] / inflate;
  }
  return inflate == 1 || inside == 3 ? -1 : 0;
}

mjtNum mju_evalBasis(const mjtNum x[3], int i, int order) {
  if (order == 2 && (i < 0 || i >= 27)) {
    mju_error("mju_evalBasis: order 2 has nodes 0 to 26, not %d", i);
    return 0;
  }
  return order == 1 || order == 2 ? ct_basis(x, i, order) : (mjtNum)-1;
}

void mju_interpolate3D(mjtNum res[3], const mjtNum x[3], const mjtNum* coeff, int order) {
  int nodes = (order + 1) * (order + 1) * (order + 1);
  for (int i = 0; i < nodes; i++) {
    ct_add_to_scl3(res, coeff + 3 * i, mju_evalBasis(x, i, order));
  }
}

void mju_defGradient(mjtNum res[9], const mjtNum x[3], const mjtNum* coeff, int order) {
  int nodes = (order + 1) * (order + 1) * (order + 1);
  ct_zero(res, 9);
  for (int i = 0; i < nodes; i++) {
    mjtNum gradient[3];
    ct_basis_gradient(gradient, x, i, order);
    for (int k = 0; k < 3; k++) {
      ct_add_to_scl3(res + 3 * k, gradient, coeff[3 * i + k]);
    }
  }
}
