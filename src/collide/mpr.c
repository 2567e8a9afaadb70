// Minkowski portal refinement (Snethen, XenoCollide: Complex collision made simple, Game
// Programming Gems 7, 2008).
//
// The shapes touch where the origin O lies in their Minkowski difference D, which is known by its
// support points only. From a point c inside D a line, the axis, goes through O and leaves D
// somewhere beyond. A portal is a triangle with corners in D that the axis passes through. If O is
// not beyond it, O is in the tetrahedron of c and the portal, hence in D. If O is beyond it, the
// portal moves outward by the support point along its normal, until O is behind it, or proven to be
// outside of D.
//
// Which way the axis passes an edge pq is the sign of det(p, q, c): the side of the plane through
// O, p and q on which c lies.
//
// All points are in world coordinates. The solver counts a number as zero below one rounding error
// of 1, and numbers as equal within one of the larger: such tests decide ties, so they are part of
// the result. From written descriptions of the reference's behaviour and from experiments.

#include "collide/mpr.h"

#ifdef mjUSESINGLE
#define MPR_ROUNDING FLT_EPSILON
#else
#define MPR_ROUNDING DBL_EPSILON
#endif
#define MPR_NUDGE (10 * MPR_ROUNDING)  // moves c away from O where centres coincide, along x

enum { MOST_ROUNDS = 1000 };  // the loops end by themselves unless numbers are bad

typedef struct {
  ct_Ccd* ccd;
  ct_CcdVertex inside;     // c
  ct_CcdVertex corner[3];  // of the portal, in this sense of rotation seen from outside
} Portal;

LANE_INLINE bool is_zero(mjtNum x) {
  return ct_abs(x) < MPR_ROUNDING;
}

LANE_INLINE bool are_equal(mjtNum a, mjtNum b) {
  mjtNum apart = ct_abs(a - b);
  return apart < MPR_ROUNDING || apart < MPR_ROUNDING * ct_max(ct_abs(a), ct_abs(b));
}

// Comparisons that count what is nearly equal as equal.
LANE_INLINE bool is_negative(mjtNum x) {
  return x < 0 && !is_zero(x);
}

LANE_INLINE bool is_positive(mjtNum x) {
  return x > 0 && !is_zero(x);
}

LANE_INLINE bool at_most(mjtNum a, mjtNum b) {
  return a < b || are_equal(a, b);
}

LANE_INLINE bool is_at_origin(const mjtNum x[3]) {
  return are_equal(x[0], 0) && are_equal(x[1], 0) && are_equal(x[2], 0);
}

LANE_INLINE void to_unit(mjtNum x[3]) {
  ct_scl3(x, x, 1 / ct_norm3(x));
}

// The normal of a triangle from which a, b, c go round counter-clockwise.
LANE_INLINE void unit_normal(mjtNum n[3], const mjtNum a[3], const mjtNum b[3], const mjtNum c[3]) {
  mjtNum ab[3], ac[3];
  ct_sub3(ab, b, a);
  ct_sub3(ac, c, a);
  ct_cross(n, ab, ac);
  to_unit(n);
}

LANE_INLINE mjtNum determinant(const mjtNum a[3], const mjtNum b[3], const mjtNum c[3]) {
  mjtNum n[3];
  ct_cross(n, a, b);
  return ct_dot3(n, c);
}

// The point of D that is farthest along the unit vector `direction`; how far that is.
LANE_FN static mjtNum farthest(ct_Ccd* ccd, ct_CcdVertex* v, const mjtNum direction[3]) {
  mjtNum opposite[3];
  ct_scl3(opposite, direction, -1);
  ct_legacy_support(&ccd->s1, v->a, direction);
  ct_legacy_support(&ccd->s2, v->b, opposite);
  ct_sub3(v->w, v->a, v->b);
  v->code1 = v->code2 = -1;
  return ct_dot3(v->w, direction);
}

// The difference of the centres of two shapes is in D.
LANE_FN static void start_inside(Portal* p) {
  ct_CcdVertex* c = &p->inside;
  ct_support_centre(c->a, &p->ccd->s1);
  ct_support_centre(c->b, &p->ccd->s2);
  ct_sub3(c->w, c->a, c->b);
  c->code1 = c->code2 = -1;
  if (is_at_origin(c->w)) c->w[0] += MPR_NUDGE;
}

enum { MISSED, PASSED, STRAIGHT };

// A first portal. MISSED: there is a plane between O and D. STRAIGHT: the first corner is on the
// axis, and there is no portal.
LANE_FN static int open_portal(Portal* p) {
  const mjtNum* c = p->inside.w;
  ct_CcdVertex *first = p->corner, *second = first + 1, *third = first + 2;
  mjtNum direction[3];

  // the first corner: from c towards O
  ct_scl3(direction, c, -1);
  to_unit(direction);
  if (!is_positive(farthest(p->ccd, first, direction))) return MISSED;

  // the second: across the plane of the axis and the first
  ct_cross(direction, c, first->w);
  if (is_zero(ct_dot3(direction, direction))) return STRAIGHT;
  to_unit(direction);
  if (!is_positive(farthest(p->ccd, second, direction))) return MISSED;

  // in the order in which the plane of c and both has O in front of it
  unit_normal(direction, c, first->w, second->w);
  if (ct_dot3(direction, c) > 0) {
    ct_CcdVertex swap = *first;
    *first = *second;
    *second = swap;
    ct_scl3(direction, direction, -1);
  }

  // The third: across that plane. The axis passes the edge between the first two on the inside by
  // construction; if it passes one of the new edges outside, the corner beyond that edge is given
  // up for the third, and the search goes on across the new plane.
  for (int round = 0; round < MOST_ROUNDS; round++) {
    if (!is_positive(farthest(p->ccd, third, direction))) return MISSED;
    if (is_negative(determinant(first->w, third->w, c))) {
      *second = *third;
    } else if (is_negative(determinant(third->w, second->w, c))) {
      *first = *third;
    } else {
      return PASSED;
    }
    unit_normal(direction, c, first->w, second->w);
  }
  return MISSED;
}

LANE_INLINE void portal_normal(mjtNum n[3], const Portal* p) {
  unit_normal(n, p->corner[0].w, p->corner[1].w, p->corner[2].w);
}

// Would the corner next, `reach` along the normal n, hardly take the portal farther?
LANE_FN static bool is_at_surface(const Portal* p, mjtNum reach, const mjtNum n[3]) {
  mjtNum front = ct_dot3(p->corner[0].w, n);
  for (int i = 1; i < 3; i++) front = ct_max(front, ct_dot3(p->corner[i].w, n));
  return at_most(reach - front, p->ccd->tolerance);
}

// Of the three triangles that the point `next` beyond the portal makes with its edges, the axis
// passes through one: the one whose edge goes from the front to the back of the plane through next
// and the axis. It becomes the portal.
LANE_FN static void move_portal(Portal* p, const ct_CcdVertex* next) {
  mjtNum plane[3];
  bool front[3];
  ct_cross(plane, next->w, p->inside.w);
  for (int i = 0; i < 3; i++) front[i] = ct_dot3(p->corner[i].w, plane) > 0;
  int given_up = front[0] && !front[1] ? 2 : front[2] && !front[0] ? 1 : 0;
  p->corner[given_up] = *next;
}

// Moves the portal outward until O is behind it. False if O is outside of D.
LANE_FN static bool pass_origin(Portal* p) {
  for (int round = 0; round < MOST_ROUNDS; round++) {
    ct_CcdVertex next;
    mjtNum n[3];
    portal_normal(n, p);
    if (!is_negative(ct_dot3(n, p->corner[0].w))) return true;
    mjtNum reach = farthest(p->ccd, &next, n);
    if (is_negative(reach) || is_at_surface(p, reach, n)) return false;
    move_portal(p, &next);
  }
  return false;
}

// Moves the portal outward until it is on the surface of D, or as often as the user allows.
LANE_FN static void pass_to_surface(Portal* p) {
  for (int moves = 0;; moves++) {
    ct_CcdVertex next;
    mjtNum n[3];
    portal_normal(n, p);
    mjtNum reach = farthest(p->ccd, &next, n);
    if (is_at_surface(p, reach, n) || moves > p->ccd->iterations) return;
    move_portal(p, &next);
  }
}

// The point a + t (b - a), 0 <= t <= 1, nearest to O; its squared distance.
LANE_FN static mjtNum nearest_of_edge(mjtNum res[3], const mjtNum a[3], const mjtNum b[3]) {
  mjtNum edge[3];
  ct_sub3(edge, b, a);
  mjtNum t = -ct_dot3(a, edge) / ct_dot3(edge, edge);
  if (!is_positive(t)) {
    ct_copy3(res, a);
  } else if (at_most(1, t)) {
    ct_copy3(res, b);
  } else {
    ct_add_scl3(res, a, edge, t);
  }
  return ct_dot3(res, res);
}

// The point a + s e + t f of the portal's plane nearest to O, where e and f go from the first
// corner a to the others. |a + s e + t f|^2 is least where
//
//   ee s + ef t = -ae
//   ef s + ff t = -af,      ee = e.e and so on.
//
// Cramer's rule gives s, the second equation then t: Cramer's rule for both would miss the nearest
// point of a thin portal by the error of its small determinant, twice and independently. False if
// that point is not in the portal, or if the portal has no area to speak of.
LANE_FN static bool nearest_inside(mjtNum res[3], const Portal* p) {
  const mjtNum* a = p->corner[0].w;
  mjtNum e[3], f[3];
  ct_sub3(e, p->corner[1].w, a);
  ct_sub3(f, p->corner[2].w, a);
  mjtNum ee = ct_dot3(e, e), ff = ct_dot3(f, f), ef = ct_dot3(e, f);
  mjtNum ae = ct_dot3(a, e), af = ct_dot3(a, f), det = ee * ff - ef * ef;
  if (is_zero(det)) return false;
  mjtNum s = (af * ef - ff * ae) / det, t = -(s * ef + af) / ff;
  if (is_negative(s) || is_negative(t) || !at_most(s, 1) || !at_most(t, 1)) return false;
  if (!at_most(s + t, 1)) return false;
  ct_add_scl3(res, a, e, s);
  ct_add_to_scl3(res, f, t);
  return true;
}

LANE_FN static void nearest_of_portal(mjtNum res[3], const Portal* p) {
  if (nearest_inside(res, p)) return;
  mjtNum least = CT_CCD_FAR;
  ct_copy3(res, p->corner[0].w);
  for (int without = 2; without >= 0; without--) {
    int from = without == 0 ? 1 : 0, to = without == 2 ? 1 : 2;
    mjtNum candidate[3];
    mjtNum squared = nearest_of_edge(candidate, p->corner[from].w, p->corner[to].w);
    if (!(squared < least)) continue;
    least = squared;
    ct_copy3(res, candidate);
  }
}

// The midpoint between the points of the two shapes that correspond to O. In the tetrahedron of c
// and the portal, O has barycentric coordinates in the ratio of the volumes that are left when it
// takes the place of one vertex. If the tetrahedron is flat, they are those of the portal, in the
// ratio of areas seen along its normal.
LANE_FN static void position_of_origin(const Portal* p, mjtNum pos[3]) {
  const ct_CcdVertex* v[4] = {&p->inside, p->corner, p->corner + 1, p->corner + 2};
  mjtNum share[4], whole = 0;
  for (int i = 0; i < 4; i++) {
    const mjtNum *a = v[i == 0]->w, *b = v[i <= 1 ? 2 : 1]->w, *c = v[i == 3 ? 2 : 3]->w;
    share[i] = i % 2 ? -determinant(a, b, c) : determinant(a, b, c);
    whole += share[i];
  }
  if (!is_positive(whole)) {
    mjtNum n[3];
    portal_normal(n, p);
    share[0] = 0;
    for (int i = 1; i < 4; i++) share[i] = determinant(v[i % 3 + 1]->w, v[(i + 1) % 3 + 1]->w, n);
    whole = share[1] + share[2] + share[3];
  }
  mjtNum on1[3] = {0, 0, 0}, on2[3] = {0, 0, 0};
  for (int i = 0; i < 4; i++) {
    ct_add_to_scl3(on1, v[i]->a, share[i]);
    ct_add_to_scl3(on2, v[i]->b, share[i]);
  }
  ct_scl3(on1, on1, 1 / whole);
  ct_scl3(on2, on2, 1 / whole);
  ct_add3(pos, on1, on2);
  ct_scl3(pos, pos, (mjtNum)0.5);
}

LANE_FN int ct_mpr_hit(ct_Ccd* ccd, ct_Hit* hit, mjtNum margin) {
  Portal p;
  mjtNum out[3], pos[3];  // the way out of D, from O to its surface
  p.ccd = ccd;
  start_inside(&p);
  int opened = open_portal(&p);
  if (opened == MISSED) return 0;
  if (opened == STRAIGHT) {
    // the axis itself is the way out
    const ct_CcdVertex* v = p.corner;
    ct_copy3(out, v->w);
    if (is_at_origin(out)) return 0;
    ct_add3(pos, v->a, v->b);
    ct_scl3(pos, pos, (mjtNum)0.5);
  } else {
    if (!pass_origin(&p)) return 0;
    pass_to_surface(&p);
    nearest_of_portal(out, &p);
    if (is_zero(ct_norm3(out))) return 0;
    position_of_origin(&p, pos);
  }
  mjtNum depth = ct_norm3(out);
  to_unit(out);
  ct_set_hit(hit, margin - depth, pos, out);
  return 1;
}
