// Public vector functions: the inline functions of math/vec.h under their public names, with C
// linkage.

#include <mujoco/mujoco.h>

#include "math/vec.h"

void mju_zero3(mjtNum res[3]) {
  ct_zero3(res);
}

void mju_copy3(mjtNum res[3], const mjtNum data[3]) {
  ct_copy3(res, data);
}

void mju_scl3(mjtNum res[3], const mjtNum vec[3], mjtNum scl) {
  ct_scl3(res, vec, scl);
}

void mju_add3(mjtNum res[3], const mjtNum vec1[3], const mjtNum vec2[3]) {
  ct_add3(res, vec1, vec2);
}

void mju_sub3(mjtNum res[3], const mjtNum vec1[3], const mjtNum vec2[3]) {
  ct_sub3(res, vec1, vec2);
}

void mju_addTo3(mjtNum res[3], const mjtNum vec[3]) {
  ct_add_to3(res, vec);
}

void mju_subFrom3(mjtNum res[3], const mjtNum vec[3]) {
  ct_sub_from3(res, vec);
}

void mju_addToScl3(mjtNum res[3], const mjtNum vec[3], mjtNum scl) {
  ct_add_to_scl3(res, vec, scl);
}

void mju_addScl3(mjtNum res[3], const mjtNum vec1[3], const mjtNum vec2[3], mjtNum scl) {
  ct_add_scl3(res, vec1, vec2, scl);
}

mjtNum mju_normalize3(mjtNum vec[3]) {
  return ct_normalize3(vec);
}

mjtNum mju_norm3(const mjtNum vec[3]) {
  return ct_norm3(vec);
}

mjtNum mju_dot3(const mjtNum vec1[3], const mjtNum vec2[3]) {
  return ct_dot3(vec1, vec2);
}

mjtNum mju_dist3(const mjtNum pos1[3], const mjtNum pos2[3]) {
  return ct_dist3(pos1, pos2);
}

void mju_cross(mjtNum res[3], const mjtNum a[3], const mjtNum b[3]) {
  ct_cross(res, a, b);
}

void mju_zero4(mjtNum res[4]) {
  ct_zero4(res);
}

void mju_unit4(mjtNum res[4]) {
  ct_unit4(res);
}

void mju_copy4(mjtNum res[4], const mjtNum data[4]) {
  ct_copy4(res, data);
}

mjtNum mju_normalize4(mjtNum vec[4]) {
  return ct_normalize4(vec);
}

void mju_zero(mjtNum* res, int n) {
  ct_zero(res, n);
}

void mju_fill(mjtNum* res, mjtNum val, int n) {
  ct_fill(res, val, n);
}

void mju_copy(mjtNum* res, const mjtNum* vec, int n) {
  ct_copy(res, vec, n);
}

mjtNum mju_sum(const mjtNum* vec, int n) {
  return ct_sum(vec, n);
}

mjtNum mju_L1(const mjtNum* vec, int n) {
  return ct_l1(vec, n);
}

void mju_scl(mjtNum* res, const mjtNum* vec, mjtNum scl, int n) {
  ct_scl(res, vec, scl, n);
}

void mju_add(mjtNum* res, const mjtNum* vec1, const mjtNum* vec2, int n) {
  ct_add(res, vec1, vec2, n);
}

void mju_sub(mjtNum* res, const mjtNum* vec1, const mjtNum* vec2, int n) {
  ct_sub(res, vec1, vec2, n);
}

void mju_addTo(mjtNum* res, const mjtNum* vec, int n) {
  ct_add_to(res, vec, n);
}

void mju_subFrom(mjtNum* res, const mjtNum* vec, int n) {
  ct_sub_from(res, vec, n);
}

void mju_addToScl(mjtNum* res, const mjtNum* vec, mjtNum scl, int n) {
  ct_add_to_scl(res, vec, scl, n);
}

void mju_addScl(mjtNum* res, const mjtNum* vec1, const mjtNum* vec2, mjtNum scl, int n) {
  ct_add_scl(res, vec1, vec2, scl, n);
}

mjtNum mju_normalize(mjtNum* res, int n) {
  return ct_normalize(res, n);
}

mjtNum mju_norm(const mjtNum* res, int n) {
  return ct_norm(res, n);
}

mjtNum mju_dot(const mjtNum* vec1, const mjtNum* vec2, int n) {
  return ct_dot(vec1, vec2, n);
}
