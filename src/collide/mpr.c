// Minkowski portal refinement (Snethen, XenoCollide, Game Programming Gems 7, 2008).
//
// v0 is a point inside the Minkowski difference. A portal is a triangle (v1, v2, v3) of its
// vertices that the ray from v0 through the origin passes. If the origin lies between v0 and the
// portal, the shapes touch; the portal moves outward until it lies on the surface.
//
// The reference uses a library for this; its tests for zero and equality are relative to the
// precision of the numbers and kept here, because they decide ties.

#include "collide/mpr.h"

typedef struct {
  ct_Ccd* c;
  ct_CcdVertex v[4];
} Portal;

#ifdef mjUSESINGLE
#define MPR_EPSILON FLT_EPSILON
#else
#define MPR_EPSILON DBL_EPSILON
#endif

enum { MOST_SEARCHES = 1000 };  // the search for a portal ends by itself unless numbers are bad

LANE_INLINE bool mpr_zero(mjtNum x) {
  return ct_abs(x) < MPR_EPSILON;
}

LANE_INLINE bool mpr_equal(mjtNum a, mjtNum b) {
  mjtNum apart = ct_abs(a - b), larger = ct_max(ct_abs(a), ct_abs(b));
  return apart < MPR_EPSILON || apart < MPR_EPSILON * larger;
}

LANE_INLINE bool mpr_below_zero(mjtNum x) {
  return x < 0 && !mpr_zero(x);
}

LANE_INLINE bool mpr_is_origin(const mjtNum x[3]) {
  return mpr_equal(x[0], 0) && mpr_equal(x[1], 0) && mpr_equal(x[2], 0);
}

LANE_INLINE void mpr_unit(mjtNum x[3]) {
  ct_scl3(x, x, 1 / ct_norm3(x));
}

LANE_FN static void mpr_support(ct_Ccd* c, ct_CcdVertex* v, const mjtNum d[3]) {
  mjtNum opposite[3];
  ct_scl3(opposite, d, -1);
  ct_legacy_support(&c->s1, v->a, d);
  ct_legacy_support(&c->s2, v->b, opposite);
  ct_sub3(v->w, v->a, v->b);
  v->code1 = v->code2 = -1;
}

// Support along d; false if the origin is beyond it.
LANE_FN static bool mpr_reach(ct_Ccd* c, ct_CcdVertex* v, const mjtNum d[3]) {
  mpr_support(c, v, d);
  mjtNum along = ct_dot3(v->w, d);
  return !mpr_zero(along) && along > 0;
}

LANE_INLINE void swap_vertices(ct_CcdVertex* a, ct_CcdVertex* b) {
  ct_CcdVertex swap = *a;
  *a = *b;
  *b = swap;
}

// Normal of the plane of three points, away from the first unless turned.
LANE_INLINE void normal_of(mjtNum n[3], const mjtNum a[3], const mjtNum b[3], const mjtNum c[3]) {
  mjtNum ab[3], ac[3];
  ct_sub3(ab, b, a);
  ct_sub3(ac, c, a);
  ct_cross(n, ab, ac);
  mpr_unit(n);
}

LANE_INLINE mjtNum triple(const mjtNum a[3], const mjtNum b[3], const mjtNum c[3]) {
  mjtNum n[3];
  ct_cross(n, a, b);
  return ct_dot3(n, c);
}

enum { PORTAL_NONE, PORTAL_FOUND, PORTAL_ON_RAY };

LANE_FN static int find_portal(Portal* p) {
  mjtNum d[3];
  ct_CcdVertex* v = p->v;
  ct_support_centre(v[0].a, &p->c->s1);
  ct_support_centre(v[0].b, &p->c->s2);
  v[0].code1 = v[0].code2 = -1;
  ct_sub3(v[0].w, v[0].a, v[0].b);
  if (mpr_is_origin(v[0].w)) v[0].w[0] += 10 * MPR_EPSILON;

  ct_scl3(d, v[0].w, -1);
  mpr_unit(d);
  if (!mpr_reach(p->c, v + 1, d)) return PORTAL_NONE;
  ct_cross(d, v[0].w, v[1].w);
  if (mpr_zero(ct_dot3(d, d))) return PORTAL_ON_RAY;
  mpr_unit(d);
  if (!mpr_reach(p->c, v + 2, d)) return PORTAL_NONE;

  normal_of(d, v[0].w, v[1].w, v[2].w);
  if (ct_dot3(d, v[0].w) > 0) {
    swap_vertices(v + 1, v + 2);
    ct_scl3(d, d, -1);
  }
  for (int i = 0; i < MOST_SEARCHES; i++) {
    if (!mpr_reach(p->c, v + 3, d)) return PORTAL_NONE;
    if (mpr_below_zero(triple(v[1].w, v[3].w, v[0].w))) {
      v[2] = v[3];
    } else if (mpr_below_zero(triple(v[3].w, v[2].w, v[0].w))) {
      v[1] = v[3];
    } else {
      return PORTAL_FOUND;
    }
    normal_of(d, v[0].w, v[1].w, v[2].w);
  }
  return PORTAL_NONE;
}

// Is w hardly farther along d than the portal?
LANE_FN static bool mpr_converged(const Portal* p, const ct_CcdVertex* w, const mjtNum d[3]) {
  mjtNum reach = ct_dot3(w->w, d), least = reach - ct_dot3(p->v[1].w, d);
  for (int i = 2; i < 4; i++) least = ct_min(least, reach - ct_dot3(p->v[i].w, d));
  return mpr_equal(least, p->c->tolerance) || least < p->c->tolerance;
}

// w replaces the vertex of the portal that lets the ray pass the new one.
LANE_FN static void expand_portal(Portal* p, const ct_CcdVertex* w) {
  mjtNum n[3];
  ct_CcdVertex* v = p->v;
  ct_cross(n, w->w, v[0].w);
  int replaced;
  if (ct_dot3(v[1].w, n) > 0) {
    replaced = ct_dot3(v[2].w, n) > 0 ? 1 : 3;
  } else {
    replaced = ct_dot3(v[3].w, n) > 0 ? 2 : 1;
  }
  v[replaced] = *w;
}

// Moves the portal outward until it is behind the origin. False if it never is.
LANE_FN static bool refine_portal(Portal* p) {
  for (int i = 0; i < MOST_SEARCHES; i++) {
    mjtNum d[3];
    ct_CcdVertex w;
    normal_of(d, p->v[1].w, p->v[2].w, p->v[3].w);
    mjtNum height = ct_dot3(d, p->v[1].w);
    if (mpr_zero(height) || height > 0) return true;
    mpr_support(p->c, &w, d);
    if (mpr_below_zero(ct_dot3(w.w, d)) || mpr_converged(p, &w, d)) return false;
    expand_portal(p, &w);
  }
  return false;
}

// The point of a segment nearest to the origin; its squared distance.
LANE_FN static mjtNum mpr_nearest_on_edge(mjtNum res[3], const mjtNum a[3], const mjtNum b[3]) {
  mjtNum e[3];
  ct_sub3(e, b, a);
  mjtNum t = -ct_dot3(a, e) / ct_dot3(e, e);
  if (t < 0 || mpr_zero(t)) {
    ct_copy3(res, a);
  } else if (t > 1 || mpr_equal(t, 1)) {
    ct_copy3(res, b);
  } else {
    ct_add_scl3(res, a, e, t);
  }
  return ct_dot3(res, res);
}

LANE_INLINE bool in_unit(mjtNum x) {
  return (mpr_zero(x) || x > 0) && (mpr_equal(x, 1) || x < 1);
}

LANE_FN static void mpr_nearest_on_triangle(mjtNum res[3], const mjtNum x0[3], const mjtNum B[3],
                                            const mjtNum C[3]) {
  mjtNum d1[3], d2[3], other[3];
  ct_sub3(d1, B, x0);
  ct_sub3(d2, C, x0);
  mjtNum v = ct_dot3(d1, d1), w = ct_dot3(d2, d2), p = ct_dot3(x0, d1), q = ct_dot3(x0, d2);
  mjtNum r = ct_dot3(d1, d2), area = w * v - r * r, s = -1, t = -1;
  if (!mpr_zero(area)) {
    s = (q * r - w * p) / area;
    t = (-s * r - q) / w;
  }
  if (in_unit(s) && in_unit(t) && (mpr_equal(s + t, 1) || s + t < 1)) {
    ct_add_scl3(res, x0, d1, s);
    ct_add_to_scl3(res, d2, t);
    return;
  }
  mjtNum best = mpr_nearest_on_edge(res, x0, B);
  mjtNum squared = mpr_nearest_on_edge(other, x0, C);
  if (squared < best) {
    best = squared;
    ct_copy3(res, other);
  }
  if (mpr_nearest_on_edge(other, B, C) < best) ct_copy3(res, other);
}

// The middle of the two shapes where the ray through the origin passes the portal.
LANE_FN static void portal_position(const Portal* p, mjtNum pos[3]) {
  const ct_CcdVertex* v = p->v;
  mjtNum beta[4] = {triple(v[1].w, v[2].w, v[3].w), triple(v[3].w, v[2].w, v[0].w),
                    triple(v[0].w, v[1].w, v[3].w), triple(v[2].w, v[1].w, v[0].w)};
  mjtNum sum = beta[0] + beta[1] + beta[2] + beta[3];
  if (mpr_zero(sum) || sum < 0) {
    mjtNum d[3];
    normal_of(d, v[1].w, v[2].w, v[3].w);
    beta[0] = 0;
    beta[1] = triple(v[2].w, v[3].w, d);
    beta[2] = triple(v[3].w, v[1].w, d);
    beta[3] = triple(v[1].w, v[2].w, d);
    sum = beta[1] + beta[2] + beta[3];
  }
  mjtNum p1[3] = {0, 0, 0}, p2[3] = {0, 0, 0};
  for (int i = 0; i < 4; i++) {
    ct_add_to_scl3(p1, v[i].a, beta[i]);
    ct_add_to_scl3(p2, v[i].b, beta[i]);
  }
  ct_scl3(p1, p1, 1 / sum);
  ct_scl3(p2, p2, 1 / sum);
  ct_add3(pos, p1, p2);
  ct_scl3(pos, pos, (mjtNum)0.5);
}

// Depth, direction and position from a portal behind the origin.
LANE_FN static mjtNum portal_depth(Portal* p, mjtNum direction[3], mjtNum pos[3]) {
  mjtNum d[3];
  for (int expansions = 0;; expansions++) {
    ct_CcdVertex w;
    normal_of(d, p->v[1].w, p->v[2].w, p->v[3].w);
    mpr_support(p->c, &w, d);
    if (mpr_converged(p, &w, d) || expansions > p->c->iterations) break;
    expand_portal(p, &w);
  }
  mpr_nearest_on_triangle(direction, p->v[1].w, p->v[2].w, p->v[3].w);
  mjtNum depth = ct_norm3(direction);
  if (mpr_zero(depth)) {
    ct_zero3(direction);
  } else {
    mpr_unit(direction);
  }
  portal_position(p, pos);
  return depth;
}

LANE_FN int ct_mpr_hit(ct_Ccd* c, ct_Hit* hit, mjtNum margin) {
  Portal p;
  mjtNum depth, direction[3], pos[3];
  p.c = c;
  int found = find_portal(&p);
  if (found == PORTAL_NONE) return 0;
  if (found == PORTAL_ON_RAY) {
    depth = mpr_is_origin(p.v[1].w) ? 0 : ct_norm3(p.v[1].w);
    ct_zero3(direction);
    if (depth > 0) {
      ct_copy3(direction, p.v[1].w);
      mpr_unit(direction);
    }
    ct_add3(pos, p.v[1].a, p.v[1].b);
    ct_scl3(pos, pos, (mjtNum)0.5);
  } else {
    if (!refine_portal(&p)) return 0;
    depth = portal_depth(&p, direction, pos);
  }
  if (direction[0] == 0 && direction[1] == 0 && direction[2] == 0) return 0;
  ct_set_hit(hit, margin - depth, pos, direction);
  return 1;
}

// Outward normals of round surfaces at a point x, all in the frame of the shape.

LANE_FN static bool ellipsoid_normal_inside(mjtNum n[3], const mjtNum x[3], const mjtNum s[3],
                                            mjtNum C) {
  mjtNum inverse[3] = {1 / (s[0] * s[0]), 1 / (s[1] * s[1]), 1 / (s[2] * s[2])};
  ct_normalize3(n);
  for (int i = 0; i < 30; i++) {
    mjtNum A = 0, B = 0, next[3];
    for (int k = 0; k < 3; k++) {
      A += n[k] * n[k] * inverse[k];
      B += x[k] * n[k] * inverse[k];
    }
    mjtNum det = B * B - A * C;
    if (det < (mjtNum)mjMINVAL || A < (mjtNum)mjMINVAL) return i > 0;
    mjtNum t = (-B + ct_sqrt(det)) / A;
    if (t < 0) return true;
    for (int k = 0; k < 3; k++) next[k] = (x[k] + t * n[k]) * inverse[k];
    ct_normalize3(next);
    mjtNum change = ct_dist3(next, n);
    ct_copy3(n, next);
    if (change < (mjtNum)1e-6) return true;
  }
  return true;
}

LANE_FN static void ellipsoid_normal_outside(mjtNum n[3], const mjtNum x[3], const mjtNum s[3]) {
  mjtNum lambda = 0;
  for (int i = 0; i < 30; i++) {
    mjtNum f = -1, slope = 0;
    for (int k = 0; k < 3; k++) {
      mjtNum squared = s[k] * s[k], down = squared + lambda;
      f += x[k] * x[k] * squared / (down * down);
      slope -= 2 * x[k] * x[k] * squared / (down * down * down);
    }
    if (f < (mjtNum)1e-6 || slope > -(mjtNum)mjMINVAL) break;
    mjtNum step = -f / slope;
    if (step < (mjtNum)1e-6) break;
    lambda += step;
  }
  for (int k = 0; k < 3; k++) n[k] = x[k] / (s[k] * s[k] + lambda);
}

LANE_FN static bool surface_normal(mjtNum n[3], const mjtNum x[3], const ct_Shape* shape) {
  const mjtNum* s = shape->size;
  switch (shape->type) {
    case mjGEOM_SPHERE:
      ct_copy3(n, x);
      return true;
    case mjGEOM_CAPSULE:
      n[0] = x[0];
      n[1] = x[1];
      n[2] = x[2] > s[1] ? x[2] - s[1] : x[2] < -s[1] ? x[2] + s[1] : 0;
      return true;
    case mjGEOM_CYLINDER: {
      mjtNum radial = ct_abs(s[0] - ct_sqrt(x[0] * x[0] + x[1] * x[1]));
      if (ct_abs(x[2]) > (mjtNum)0.95 * s[1]) return false;
      if (ct_abs(s[1] - ct_abs(x[2])) < (mjtNum)0.25 * radial) return false;
      n[0] = x[0];
      n[1] = x[1];
      n[2] = 0;
      return true;
    }
    case mjGEOM_ELLIPSOID: {
      if (s[0] < (mjtNum)mjMINVAL || s[1] < (mjtNum)mjMINVAL || s[2] < (mjtNum)mjMINVAL) {
        return false;
      }
      mjtNum C = -1;
      for (int k = 0; k < 3; k++) C += x[k] * x[k] / (s[k] * s[k]);
      if (C <= 0) return ellipsoid_normal_inside(n, x, s, C);
      ellipsoid_normal_outside(n, x, s);
      return true;
    }
    default:
      return false;
  }
}

// The outward normal of a shape at a hit, in the world; `outward` is what it was so far.
LANE_FN static bool world_normal(mjtNum n[3], const ct_Shape* s, const ct_Hit* hit,
                                 mjtNum outward) {
  mjtNum x[3];
  ct_sub3(x, hit->pos, s->pos);
  ct_mul_mat_t_vec3(x, s->mat, x);
  ct_scl3(n, hit->frame, outward);
  ct_mul_mat_t_vec3(n, s->mat, n);
  if (!surface_normal(n, x, s)) return false;
  ct_normalize3(n);
  ct_mul_mat_vec3(n, s->mat, n);
  return true;
}

LANE_FN void ct_correct_normals(ct_Hit* hit, int count, const ct_Shape* s1, const ct_Shape* s2) {
  for (int i = 0; i < count; i++) {
    mjtNum n1[3], n2[3];
    bool first = s1 && world_normal(n1, s1, hit + i, 1);
    bool second = s2 && world_normal(n2, s2, hit + i, -1);
    if (first && second) {
      ct_sub3(hit[i].frame, n1, n2);
      ct_normalize3(hit[i].frame);
    } else if (first) {
      ct_copy3(hit[i].frame, n1);
    } else if (second) {
      ct_scl3(hit[i].frame, n2, -1);
    }
  }
}
