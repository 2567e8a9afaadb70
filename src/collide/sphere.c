#include "collide/sphere.h"

// The centre projects onto the axis at x, at squared distance q from it. What is nearest on the
// cylinder's surface is its side, a cap or a rim.
LANE_FN int ct_sphere_cylinder(ct_Hit* hit, const ct_Shape* sphere, const ct_Shape* cylinder,
                               mjtNum margin) {
  mjtNum r = cylinder->size[0], h = cylinder->size[1];
  mjtNum z1[3], z2[3], offset[3], radial[3], point[3];
  ct_column3(z1, sphere->mat, 2);
  ct_column3(z2, cylinder->mat, 2);
  ct_sub3(offset, sphere->pos, cylinder->pos);
  mjtNum x = ct_dot3(z2, offset);
  ct_add_scl3(radial, offset, z2, -x);
  mjtNum q = ct_dot3(radial, radial);

  bool side = ct_abs(x) < h, cap = q < r * r;
  if (side && cap) {  // the centre is inside: the shorter way out
    cap = h - ct_abs(x) < r - ct_sqrt(q);
    side = !cap;
  }
  if (side) {
    ct_add_scl3(point, cylinder->pos, z2, x);
    return ct_two_spheres(hit, sphere->pos, z1, sphere->size[0], point, z2, r, margin);
  }
  mjtNum up = x > 0 ? (mjtNum)1 : (mjtNum)-1;
  if (cap) {
    mjtNum n[3];
    ct_scl3(n, z2, up);
    ct_add_scl3(point, cylinder->pos, z2, up * h);
    int count = ct_plane_point(hit, point, n, sphere->pos, sphere->size[0], margin);
    if (count) ct_swap_normal(hit);
    return count;
  }
  ct_scl3(radial, radial, r / ct_sqrt(q));
  ct_add3(point, cylinder->pos, radial);
  ct_add_to_scl3(point, z2, up * h);
  return ct_two_spheres(hit, sphere->pos, z1, sphere->size[0], point, z2, 0, margin);
}

// Two segments p1 + x1 A and p2 + x2 B, |x1|, |x2| <= 1: what their nearest points depend on. The
// squared distance is stationary where a x1 + b x2 = u and b x1 + c x2 = v.
typedef struct {
  mjtNum a, b, c, u, v;
} Segments;

LANE_FN static int capsule_points(ct_Hit* hit, const ct_Shape* c1, const ct_Shape* c2,
                                  const mjtNum A[3], const mjtNum B[3], mjtNum x1, mjtNum x2,
                                  mjtNum margin) {
  mjtNum p1[3], p2[3];
  ct_add_scl3(p1, c1->pos, A, x1);
  ct_add_scl3(p2, c2->pos, B, x2);
  return ct_two_spheres(hit, p1, A, c1->size[0], p2, B, c2->size[0], margin);
}

LANE_INLINE void nearest_of_segments(const Segments* s, mjtNum det, mjtNum* x1, mjtNum* x2) {
  *x1 = (s->c * s->u - s->b * s->v) / det;
  *x2 = (s->a * s->v - s->b * s->u) / det;
  if (*x1 > 1) {
    *x1 = 1;
    *x2 = (s->v - s->b) / s->c;
  } else if (*x1 < -1) {
    *x1 = -1;
    *x2 = (s->v + s->b) / s->c;
  }
  if (*x2 > 1) {
    *x2 = 1;
    *x1 = ct_clip((s->u - s->b) / s->a, -1, 1);
  } else if (*x2 < -1) {
    *x2 = -1;
    *x1 = ct_clip((s->u + s->b) / s->a, -1, 1);
  }
}

// Parallel capsules touch along a line: its two ends, from the ends of either capsule.
LANE_FN static int parallel_capsules(ct_Hit* hit, const ct_Shape* c1, const ct_Shape* c2,
                                     const mjtNum A[3], const mjtNum B[3], const Segments* s,
                                     mjtNum margin) {
  int count = capsule_points(hit, c1, c2, A, B, 1, ct_clip((s->v - s->b) / s->c, -1, 1), margin);
  count +=
      capsule_points(hit + count, c1, c2, A, B, -1, ct_clip((s->v + s->b) / s->c, -1, 1), margin);
  if (count == 2) return count;
  count +=
      capsule_points(hit + count, c1, c2, A, B, ct_clip((s->u - s->b) / s->a, -1, 1), 1, margin);
  if (count == 2) return count;
  count +=
      capsule_points(hit + count, c1, c2, A, B, ct_clip((s->u + s->b) / s->a, -1, 1), -1, margin);
  return count;
}

LANE_FN int ct_capsule_capsule(ct_Hit* hit, const ct_Shape* c1, const ct_Shape* c2, mjtNum margin) {
  mjtNum A[3], B[3], apart[3], x1, x2;
  ct_column3(A, c1->mat, 2);
  ct_column3(B, c2->mat, 2);
  ct_scl3(A, A, c1->size[1]);
  ct_scl3(B, B, c2->size[1]);
  ct_sub3(apart, c1->pos, c2->pos);
  Segments s;
  s.a = ct_dot3(A, A);
  s.b = -ct_dot3(A, B);
  s.c = ct_dot3(B, B);
  s.u = -ct_dot3(A, apart);
  s.v = ct_dot3(B, apart);
  mjtNum det = s.a * s.c - s.b * s.b;
  if (!(ct_abs(det) >= (mjtNum)mjMINVAL)) return parallel_capsules(hit, c1, c2, A, B, &s, margin);
  nearest_of_segments(&s, det, &x1, &x2);
  return capsule_points(hit, c1, c2, A, B, x1, x2, margin);
}
