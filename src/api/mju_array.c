// Exported functions of arrays: integers, bytes, gather and scatter, comparison, boxes,
// interpolation.

#include "api/mju_exports.h"
#include "math/basis.h"
#include "math/mat.h"
#include "math/vec.h"

int mju_equal3(const mjtNum a[3], const mjtNum b[3]) {
  return ct_abs(a[0] - b[0]) < mjMINVAL && ct_abs(a[1] - b[1]) < mjMINVAL &&
         ct_abs(a[2] - b[2]) < mjMINVAL;
}

void mju_zeroInt(int* a, int count) {
  for (int i = 0; i < count; i++) {
    a[i] = 0;
  }
}

void mju_copyInt(int* to, const int* from, int count) {
  for (int i = 0; i < count; i++) {
    to[i] = from[i];
  }
}

int mju_isZeroByte(const unsigned char* bytes, int count) {
  for (int i = 0; i < count; i++) {
    if (bytes[i] != 0) {
      return 0;
    }
  }
  return 1;
}

void mju_gather(mjtNum* packed, const mjtNum* from, const int* place, int count) {
  for (int i = 0; i < count; i++) {
    packed[i] = from[place[i]];
  }
}

void mju_gatherMasked(mjtNum* packed, const mjtNum* from, const int* place, int count) {
  for (int i = 0; i < count; i++) {
    packed[i] = place[i] >= 0 ? from[place[i]] : 0;
  }
}

void mju_gatherInt(int* packed, const int* from, const int* place, int count) {
  for (int i = 0; i < count; i++) {
    packed[i] = from[place[i]];
  }
}

void mju_scatter(mjtNum* to, const mjtNum* packed, const int* place, int count) {
  for (int i = 0; i < count; i++) {
    to[place[i]] = packed[i];
  }
}

void mju_scatterInt(int* to, const int* packed, const int* place, int count) {
  for (int i = 0; i < count; i++) {
    to[place[i]] = packed[i];
  }
}

void mju_geomSemiAxes(mjtNum half_axes[3], const mjtNum geom_size[3], int geom_type) {
  ct_copy3(half_axes, geom_size);
  if (geom_type == mjGEOM_SPHERE) {
    half_axes[1] = half_axes[2] = geom_size[0];
  } else if (geom_type == mjGEOM_CAPSULE) {
    half_axes[1] = geom_size[0];
    half_axes[2] = geom_size[0] + geom_size[1];
  } else if (geom_type == mjGEOM_CYLINDER) {
    half_axes[1] = geom_size[0];
    half_axes[2] = geom_size[1];
  }
}

int mju_outsideBox(const mjtNum point[3], const mjtNum center[3], const mjtNum frame[9],
                   const mjtNum half_size[3], mjtNum growth) {
  if (growth < 1) {
    mju_error("mju_outsideBox: the growth must be at least 1, not %g", (double)growth);
    return 0;
  }
  mjtNum local[3];
  ct_sub3(local, point, center);
  ct_mul_mat_t_vec3(local, frame, local);

  int inside = 0;
  for (int i = 0; i < 3; i++) {
    if (ct_abs(local[i]) > half_size[i] * growth) {
      return 1;
    }
    inside += ct_abs(local[i]) < half_size[i] / growth;
  }
  return growth == 1 || inside == 3 ? -1 : 0;
}

mjtNum mju_evalBasis(const mjtNum at[3], int node, int degree) {
  if (degree == 2 && (node < 0 || node >= 27)) {
    mju_error("mju_evalBasis: degree 2 has nodes 0 to 26, not %d", node);
    return 0;
  }
  return degree == 1 || degree == 2 ? ct_basis(at, node, degree) : (mjtNum)-1;
}

void mju_interpolate3D(mjtNum sum[3], const mjtNum at[3], const mjtNum* node_value, int degree) {
  int nodes = (degree + 1) * (degree + 1) * (degree + 1);
  for (int i = 0; i < nodes; i++) {
    ct_add_to_scl3(sum, node_value + 3 * i, mju_evalBasis(at, i, degree));
  }
}

void mju_defGradient(mjtNum jacobian[9], const mjtNum at[3], const mjtNum* node_position,
                     int degree) {
  int nodes = (degree + 1) * (degree + 1) * (degree + 1);
  ct_zero(jacobian, 9);
  for (int i = 0; i < nodes; i++) {
    mjtNum gradient[3];
    ct_basis_gradient(gradient, at, i, degree);
    for (int k = 0; k < 3; k++) {
      ct_add_to_scl3(jacobian + 3 * k, gradient, node_position[3 * i + k]);
    }
  }
}
