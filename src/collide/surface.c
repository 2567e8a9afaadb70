// The older convex solver stops within a tolerance, and on a smooth surface that leaves an error in
// the normal. Where a contact lies on a sphere, capsule, ellipsoid or the side of a cylinder, the
// shape itself knows the normal there.
//
// x is the contact's position in the frame of the shape, s are its half sizes.

#include "collide/surface.h"

#define MOST_ROUNDS 30
#define SETTLED \
  ((mjtNum)1e-6)  // change of a normal, an equation's rest or a step, that ends a search

// A contact of a cylinder is on its side unless it is near a cap: in the last twentieth of the
// length, or less than a quarter as far from the cap as from the side.
#define SIDE_LENGTH ((mjtNum)0.95)
#define SIDE_SLOPE ((mjtNum)0.25)

// From a point inside an ellipsoid along the normal n to the surface, where there is another
// normal: the fixed point is the nearest point of the surface. On the line x + t n the surface is
// where
//
//   A t^2 + 2 B t + C = 0,   A = sum n^2/s^2,   B = sum x n/s^2,   C = sum x^2/s^2 - 1.
//
// False if there is no such t for the first n.
LANE_FN static bool ellipsoid_normal_inside(mjtNum n[3], const mjtNum x[3], const mjtNum s[3],
                                            mjtNum C) {
  mjtNum inverse[3] = {1 / (s[0] * s[0]), 1 / (s[1] * s[1]), 1 / (s[2] * s[2])};
  ct_normalize3(n);
  for (int round = 0; round < MOST_ROUNDS; round++) {
    mjtNum A = 0, B = 0, next[3];
    for (int k = 0; k < 3; k++) {
      A += n[k] * n[k] * inverse[k];
      B += x[k] * n[k] * inverse[k];
    }
    mjtNum discriminant = B * B - A * C;
    if (discriminant < (mjtNum)mjMINVAL || A < (mjtNum)mjMINVAL) return round > 0;
    mjtNum t = (-B + ct_sqrt(discriminant)) / A;
    if (t < 0) return true;
    for (int k = 0; k < 3; k++) next[k] = (x[k] + t * n[k]) * inverse[k];
    ct_normalize3(next);
    mjtNum change = ct_dist3(next, n);
    ct_copy3(n, next);
    if (change < SETTLED) return true;
  }
  return true;
}

// The nearest point of the surface to a point outside is y = s^2 x / (s^2 + lambda), with the
// lambda for which sum y^2/s^2 = 1. Newton's method from 0 finds it: the sum falls and is convex.
LANE_FN static void ellipsoid_normal_outside(mjtNum n[3], const mjtNum x[3], const mjtNum s[3]) {
  mjtNum lambda = 0;
  for (int round = 0; round < MOST_ROUNDS; round++) {
    mjtNum rest = -1, slope = 0;
    for (int k = 0; k < 3; k++) {
      mjtNum square = s[k] * s[k], sum = square + lambda;
      rest += x[k] * x[k] * square / (sum * sum);
      slope -= 2 * x[k] * x[k] * square / (sum * sum * sum);
    }
    if (rest < SETTLED || slope > -(mjtNum)mjMINVAL) break;
    mjtNum step = -rest / slope;
    if (step < SETTLED) break;
    lambda += step;
  }
  for (int k = 0; k < 3; k++) n[k] = x[k] / (s[k] * s[k] + lambda);
}

LANE_FN static bool ellipsoid_normal(mjtNum n[3], const mjtNum x[3], const mjtNum s[3]) {
  if (s[0] < (mjtNum)mjMINVAL || s[1] < (mjtNum)mjMINVAL || s[2] < (mjtNum)mjMINVAL) return false;
  mjtNum C = -1;
  for (int k = 0; k < 3; k++) C += x[k] * x[k] / (s[k] * s[k]);
  if (C <= 0) return ellipsoid_normal_inside(n, x, s, C);
  ellipsoid_normal_outside(n, x, s);
  return true;
}

// n is the outward normal so far and becomes that of the surface, of any length. False if the
// surface says nothing.
LANE_FN static bool surface_normal(mjtNum n[3], const mjtNum x[3], int type, const mjtNum s[3]) {
  switch (type) {
    case mjGEOM_SPHERE:
      ct_copy3(n, x);
      return true;
    case mjGEOM_CAPSULE:  // away from the nearest point of the axis
      n[0] = x[0];
      n[1] = x[1];
      n[2] = x[2] > s[1] ? x[2] - s[1] : x[2] < -s[1] ? x[2] + s[1] : 0;
      return true;
    case mjGEOM_CYLINDER: {
      mjtNum from_side = ct_abs(s[0] - ct_sqrt(x[0] * x[0] + x[1] * x[1]));
      if (ct_abs(x[2]) > SIDE_LENGTH * s[1]) return false;
      if (ct_abs(s[1] - ct_abs(x[2])) < SIDE_SLOPE * from_side) return false;
      n[0] = x[0];
      n[1] = x[1];
      n[2] = 0;
      return true;
    }
    case mjGEOM_ELLIPSOID:
      return ellipsoid_normal(n, x, s);
    default:
      return false;
  }
}

// The outward unit normal of a shape at a hit, in the world. sign: 1 if the normal of the hit
// points out of the shape, -1 if into it.
LANE_FN static bool world_normal(mjtNum n[3], const ct_Shape* s, const ct_Hit* hit, mjtNum sign) {
  mjtNum x[3];
  ct_sub3(x, hit->pos, s->pos);
  ct_mul_mat_t_vec3(x, s->mat, x);
  ct_scl3(n, hit->frame, sign);
  ct_mul_mat_t_vec3(n, s->mat, n);
  if (!surface_normal(n, x, s->type, s->size)) return false;
  ct_normalize3(n);
  ct_mul_mat_vec3(n, s->mat, n);
  return true;
}

LANE_FN void ct_correct_normals(ct_Hit* hit, int count, const ct_Shape* s1, const ct_Shape* s2) {
  for (int i = 0; i < count; i++) {
    mjtNum n1[3], n2[3];
    bool first = s1 && world_normal(n1, s1, hit + i, 1);
    bool second = s2 && world_normal(n2, s2, hit + i, -1);
    if (first && second) {  // between the two, from shape 1 to shape 2
      ct_sub3(hit[i].frame, n1, n2);
      ct_normalize3(hit[i].frame);
    } else if (first) {
      ct_copy3(hit[i].frame, n1);
    } else if (second) {
      ct_scl3(hit[i].frame, n2, -1);
    }
  }
}
