// The distance algorithm of Gilbert, Johnson and Keerthi (1988), with the signed volumes of
// Montanari, Petrinic and Barbieri (2017) for the nearest point of a simplex.
//
// The Minkowski difference of the two shapes is searched for its point x nearest to the origin. A
// simplex of up to four of its vertices is kept; x is the nearest point of that, the next vertex is
// the farthest one against x. Where no vertex is nearer than x, x is the answer.
//
// Which vertices a simplex keeps, in which order they are tried and who wins ties decides the last
// bits, and smooth shapes turn a difference in the last bit into one of the sixth digit. These
// rules are the reference's, from written descriptions of its behaviour and from experiments.
//
// All points are in world coordinates, but for height fields, whose frame takes the world's place.

#include <math.h>

#include "collide/ccd.h"
#include "collide/face_planes.h"

LANE_FN void ct_ccd_vertex(ct_Ccd* c, ct_CcdVertex* v, const mjtNum direction[3]) {
  mjtNum opposite[3];
  ct_copy3(c->direction, direction);
  ct_scl3(opposite, direction, -1);
  ct_support(&c->s1, v->a, direction);
  if (c->s1.margin > 0) ct_add_to_scl3(v->a, direction, c->s1.margin / 2);
  ct_support(&c->s2, v->b, opposite);
  if (c->s2.margin > 0) ct_add_to_scl3(v->b, opposite, c->s2.margin / 2);
  ct_sub3(v->w, v->a, v->b);
  v->code1 = c->s1.code;
  v->code2 = c->s2.code;
}

LANE_INLINE bool same_sign(mjtNum a, mjtNum b) {
  return (a > 0 && b > 0) || (a < 0 && b < 0);
}

// One try of ct_project_origin: the plane through p with normal n. 1 done, 0 no area, -1 try again.
LANE_INLINE int try_projection(mjtNum res[3], const mjtNum n[3], const mjtNum p[3]) {
  mjtNum height = ct_dot3(n, p), squared = ct_dot3(n, n);
  if (squared == 0) return 0;
  if (height == 0 || !(squared > (mjtNum)mjMINVAL)) return -1;
  ct_scl3(res, n, height / squared);
  return 1;
}

LANE_FN bool ct_project_origin(mjtNum res[3], const mjtNum s1[3], const mjtNum s2[3],
                               const mjtNum s3[3]) {
  mjtNum e21[3], e31[3], e32[3], n[3];
  ct_sub3(e21, s2, s1);
  ct_sub3(e31, s3, s1);
  ct_sub3(e32, s3, s2);
  ct_cross(n, e32, e21);
  int done = try_projection(res, n, s2);
  if (done >= 0) return done != 0;
  ct_cross(n, e21, e31);
  done = try_projection(res, n, s1);
  if (done >= 0) return done != 0;
  ct_cross(n, e31, e32);
  ct_scl3(res, n, ct_dot3(n, s3) / ct_dot3(n, n));
  return true;
}

// Weights of the nearest point of a segment; its second end whenever that lies outside.
LANE_INLINE void segment_weights(mjtNum weight[2], const mjtNum s1[3], const mjtNum s2[3]) {
  mjtNum e[3], p[3], along;
  ct_sub3(e, s2, s1);
  ct_add_scl3(p, s2, e, -(ct_dot3(s2, e) / ct_dot3(e, e)));
  int axis = 0;
  along = s1[0] - s2[0];
  for (int k = 1; k < 3; k++) {
    mjtNum candidate = s1[k] - s2[k];
    if (ct_abs(candidate) >= ct_abs(along)) {
      along = candidate;
      axis = k;
    }
  }
  mjtNum C1 = p[axis] - s2[axis], C2 = s1[axis] - p[axis];
  bool inside = same_sign(along, C1) && same_sign(along, C2);
  weight[0] = inside ? C1 / along : 0;
  weight[1] = inside ? C2 / along : 1;
}

// Twice the signed area of the triangle without the third coordinate.
LANE_INLINE mjtNum flat_area(const mjtNum s1[3], const mjtNum s2[3], const mjtNum s3[3], int u,
                             int v) {
  return s2[u] * s3[v] - s2[v] * s3[u] - s1[u] * s3[v] + s1[v] * s3[u] + s1[u] * s2[v] -
         s1[v] * s2[u];
}

LANE_INLINE mjtNum flat_part(const mjtNum p[3], const mjtNum a[3], const mjtNum b[3], int u,
                             int v) {
  return p[u] * a[v] + p[v] * b[u] + a[u] * b[v] - p[u] * b[v] - p[v] * a[u] - b[u] * a[v];
}

LANE_FN mjtNum ct_triangle_coordinates(mjtNum C[3], const mjtNum p[3], const mjtNum s1[3],
                                       const mjtNum s2[3], const mjtNum s3[3]) {
  mjtNum x = flat_area(s1, s2, s3, 1, 2), y = flat_area(s1, s2, s3, 0, 2);
  mjtNum z = flat_area(s1, s2, s3, 0, 1), M = z;
  int u = 0, v = 1;
  if (ct_abs(x) >= ct_abs(y) && ct_abs(x) >= ct_abs(z)) {
    M = x;
    u = 1;
    v = 2;
  } else if (ct_abs(y) >= ct_abs(z)) {
    M = y;
    v = 2;
  }
  C[0] = flat_part(p, s2, s3, u, v);
  C[1] = flat_part(p, s3, s1, u, v);
  C[2] = flat_part(p, s1, s2, u, v);
  return M;
}

LANE_INLINE mjtNum weighted_square(const mjtNum* weight, const mjtNum* const* s, int count) {
  mjtNum x[3];
  ct_scl3(x, s[0], weight[0]);
  for (int i = 1; i < count; i++) ct_add_to_scl3(x, s[i], weight[i]);
  return ct_dot3(x, x);
}

// Weights of the nearest point of a triangle.
LANE_FN static void triangle_weights(mjtNum weight[3], const mjtNum s1[3], const mjtNum s2[3],
                                     const mjtNum s3[3]) {
  mjtNum p[3], C[3];

  // the nearest point of its plane, if that is inside
  if (!ct_project_origin(p, s1, s2, s3)) {
    segment_weights(weight, s1, s2);
    weight[2] = 0;
    return;
  }
  mjtNum M = ct_triangle_coordinates(C, p, s1, s2, s3);
  bool inside[3];
  for (int i = 0; i < 3; i++) inside[i] = same_sign(M, C[i]);
  if (inside[0] && inside[1] && inside[2]) {
    for (int i = 0; i < 3; i++) weight[i] = C[i] / M;
    return;
  }

  // else on the best of the edges opposite to the vertices that fail
  const mjtNum* s[3] = {s1, s2, s3};
  mjtNum best = CT_CCD_FAR;
  for (int i = 0; i < 3; i++) {
    if (inside[i]) continue;
    int a = i == 0 ? 1 : 0, b = i == 2 ? 1 : 2;
    const mjtNum* edge[2] = {s[a], s[b]};
    mjtNum two[2];
    segment_weights(two, s[a], s[b]);
    mjtNum squared = weighted_square(two, edge, 2);
    if (i > 0 && !(squared < best)) continue;
    best = squared;
    weight[i] = 0;
    weight[a] = two[0];
    weight[b] = two[1];
  }
}

LANE_INLINE mjtNum det3(const mjtNum a[3], const mjtNum b[3], const mjtNum c[3]) {
  mjtNum n[3];
  ct_cross(n, b, c);
  return ct_dot3(a, n);
}

// Weights of the nearest point of a tetrahedron, the origin or on a face. Quirk: when the face
// without the fourth vertex wins, that vertex keeps its weight.
LANE_FN static void tetrahedron_weights(mjtNum weight[4], const mjtNum* const s[4]) {
  // volumes of the tetrahedra that the origin makes with the faces: all of one sign if it is inside
  mjtNum C[4] = {-det3(s[1], s[2], s[3]), det3(s[0], s[2], s[3]), -det3(s[0], s[1], s[3]),
                 det3(s[0], s[1], s[2])};
  mjtNum M = C[0] + C[1] + C[2] + C[3], best = CT_CCD_FAR;
  bool inside[4];
  for (int i = 0; i < 4; i++) inside[i] = same_sign(M, C[i]);
  if (inside[0] && inside[1] && inside[2] && inside[3]) {
    for (int i = 0; i < 4; i++) weight[i] = C[i] / M;
    return;
  }

  // the best of the faces opposite to the vertices that fail
  weight[3] = 0;
  for (int i = 0; i < 4; i++) {
    if (inside[i]) continue;
    int a = i == 0 ? 1 : 0, b = i <= 1 ? 2 : 1, c = i <= 2 ? 3 : 2;
    const mjtNum* face[3] = {s[a], s[b], s[c]};
    mjtNum three[3];
    triangle_weights(three, s[a], s[b], s[c]);
    mjtNum squared = weighted_square(three, face, 3);
    if (i > 0 && !(squared < best)) continue;
    best = squared;
    if (i < 3) weight[i] = 0;
    weight[a] = three[0];
    weight[b] = three[1];
    weight[c] = three[2];
  }
}

LANE_FN static void simplex_weights(ct_Ccd* c) {
  const mjtNum* s[4] = {c->simplex[0].w, c->simplex[1].w, c->simplex[2].w, c->simplex[3].w};
  switch (c->count) {
    case 1:
      c->weight[0] = 1;
      break;
    case 2:
      segment_weights(c->weight, s[0], s[1]);
      break;
    case 3:
      triangle_weights(c->weight, s[0], s[1], s[2]);
      break;
    default:
      tetrahedron_weights(c->weight, s);
      break;
  }
}

// Vertices without weight leave the simplex.
LANE_INLINE void drop_weightless(ct_Ccd* c) {
  int kept = 0;
  for (int i = 0; i < c->count; i++) {
    if (c->weight[i] == 0) continue;
    if (kept != i) {
      c->simplex[kept] = c->simplex[i];
      c->weight[kept] = c->weight[i];
    }
    kept++;
  }
  c->count = kept;
}

LANE_INLINE void combine_weights(mjtNum res[3], const ct_Ccd* c, int which) {
  for (int i = 0; i < c->count; i++) {
    const ct_CcdVertex* v = c->simplex + i;
    const mjtNum* p = which == 0 ? v->w : which == 1 ? v->a : v->b;
    if (i == 0) {
      ct_scl3(res, p, c->weight[0]);
    } else {
      ct_add_to_scl3(res, p, c->weight[i]);
    }
  }
}

enum { ORIGIN_INSIDE, ORIGIN_OUTSIDE, ORIGIN_UNDECIDED };

// The planes of a tetrahedron, and which of them the origin is least behind, or most in front of;
// the last one of a tie.
LANE_INLINE int worst_plane(ct_FacePlanes* planes, const ct_CcdVertex* const v[4]) {
#if LANE_WIDTH > 1
  ct_planes_at_once(planes, v);
#else
  ct_planes_one_by_one(planes, v);
#endif
  int worst = 0;
  for (int i = 1; i < 4; i++) worst = planes->behind[i] > planes->behind[worst] ? worst : i;
  return worst;
}

// Where only contact matters, a tetrahedron is turned over its faces until the origin is inside, or
// proven to be outside of the difference. Only if it is inside, the tetrahedron becomes the
// simplex. Each turn takes one of the passes that the user allows.
LANE_FN static int enclose_origin(ct_Ccd* c, int* pass) {
  ct_CcdVertex vertex[4], *v[4];
  ct_FacePlanes planes;
  for (int i = 0; i < 4; i++) {
    vertex[i] = c->simplex[i];
    v[i] = vertex + i;
  }
  for (; *pass < c->iterations; (*pass)++) {
    int opposite = worst_plane(&planes, (const ct_CcdVertex* const*)v);
    for (int i = 0; i < 4; i++) {
      if (planes.behind[i] == 0) return ORIGIN_UNDECIDED;
    }
    if (planes.behind[opposite] > 0) {
      for (int i = 0; i < 4; i++) c->simplex[i] = *v[i];
      return ORIGIN_INSIDE;
    }

    // the vertex behind that face moves in front of it, as far as there is one
    mjtNum normal[3];
    for (int k = 0; k < 3; k++) normal[k] = planes.normal[k][opposite];
    ct_ccd_vertex(c, v[opposite], normal);
    if (ct_dot3(normal, v[opposite]->w) < 0) return ORIGIN_OUTSIDE;

    // which turns the tetrahedron inside out; two other vertices change places to turn it back
    int one = (opposite + 1) % 4, other = (opposite + 2) % 4;
    ct_CcdVertex* swap = v[one];
    v[one] = v[other];
    v[other] = swap;
  }
  return ORIGIN_UNDECIDED;
}

// Is the new vertex proof that the shapes are farther apart than anybody asks?
LANE_INLINE bool proves_separation(const ct_Ccd* c, const mjtNum x[3], const mjtNum w[3]) {
  mjtNum along = ct_dot3(x, w);
  if (!(along > 0)) return false;
  if (c->cutoff <= 0) return true;
  return c->cutoff < CT_CCD_FAR && along * along / ct_dot3(x, x) >= c->cutoff * c->cutoff;
}

LANE_INLINE void ccd_apart(ct_Ccd* c) {
  c->dist = CT_CCD_FAR;
  c->count = 0;
  c->witness = false;
}

// From the difference of two points inside, with an empty simplex.
LANE_INLINE void begin_gjk(ct_Ccd* c, mjtNum x[3]) {
  ct_support_centre(c->x1, &c->s1);
  ct_support_centre(c->x2, &c->s2);
  ct_sub3(x, c->x1, c->x2);
  c->count = 0;
  c->weight[0] = 1;
  c->dist = 0;
  c->witness = true;
}

// The nearest point of the simplex, which keeps the vertices that it is made of. False if it is
// where x is already.
LANE_FN static bool approach_origin(ct_Ccd* c, mjtNum x[3]) {
  mjtNum next[3];
  ct_copy3(next, x);  // for a simplex that has lost all vertices
  simplex_weights(c);
  drop_weightless(c);
  combine_weights(next, c, 0);
  bool still = ct_abs(next[0] - x[0]) < (mjtNum)mjMINVAL &&
               ct_abs(next[1] - x[1]) < (mjtNum)mjMINVAL &&
               ct_abs(next[2] - x[2]) < (mjtNum)mjMINVAL;
  if (!still) ct_copy3(x, next);
  return !still;
}

LANE_FN void ct_gjk(ct_Ccd* c) {
  mjtNum x[3], direction[3], gap[3];
  mjtNum tolerance = c->discrete ? 0 : c->tolerance * c->tolerance / 2;
  bool contact = c->cutoff <= 0, enclosed = false;

  begin_gjk(c, x);
  for (int pass = 0; pass < c->iterations; pass++) {
    // x is the origin: the shapes touch
    mjtNum squared = ct_dot3(x, x);
    if (squared < (mjtNum)mjMINVAL * (mjtNum)mjMINVAL) {
      c->dist = squared;
      break;
    }

    // x is not finite and stays so; two passes have given it the vertices that it keeps
    if (pass > 1 && !(squared < (mjtNum)HUGE_VAL)) {
      c->dist = squared;
      break;
    }

    // the vertex farthest against x: if it is hardly nearer to the origin, x is the nearest point
    c->dist = ct_sqrt(squared);
    ct_scl3(direction, x, -(1 / c->dist));
    ct_CcdVertex* added = c->simplex + c->count;
    ct_ccd_vertex(c, added, direction);
    ct_sub3(gap, x, added->w);
    if (ct_dot3(x, gap) < tolerance) {
      if (pass == 0) c->count = 1;
      break;
    }
    if (proves_separation(c, x, added->w)) {
      ccd_apart(c);
      return;
    }
    c->count++;

    // a first tetrahedron: is the origin in the difference? Distances need more than that
    if (c->count == 4 && contact && !enclosed) {
      int origin = enclose_origin(c, &pass);
      enclosed = true;
      if (origin == ORIGIN_OUTSIDE) {
        ccd_apart(c);
        return;
      }
      if (origin == ORIGIN_INSIDE) {
        c->dist = 0;
        return;
      }
    }

    if (!approach_origin(c, x)) break;
    if (c->count == 4) {  // all four: the origin is inside
      c->dist = 0;
      break;
    }
  }

  // the nearest points of both shapes have the weights of the nearest point of their difference
  if (c->count) {
    combine_weights(c->x1, c, 1);
    combine_weights(c->x2, c, 2);
  }
}

LANE_INLINE bool has_core(const ct_Support* s) {
  return s->type == mjGEOM_SPHERE || s->type == mjGEOM_CAPSULE;
}

// A round shape without its rounding; returns what was taken away.
LANE_INLINE mjtNum strip_rounding(ct_Support* s) {
  if (!has_core(s)) return 0;
  mjtNum radius = s->size[0] + s->margin / 2;
  s->type = s->type == mjGEOM_SPHERE ? (int)CT_SUPPORT_POINT : (int)CT_SUPPORT_SEGMENT;
  s->margin = 0;
  return radius;
}

// The cores of round shapes are usually apart; then nothing else has to be done. True if so.
LANE_FN static bool cores_apart(ct_Ccd* c) {
  // the distance of the cores, as far as their rounding could bridge it
  int type1 = c->s1.type, type2 = c->s2.type;
  mjtNum margin1 = c->s1.margin, margin2 = c->s2.margin, cutoff = c->cutoff;
  mjtNum radius1 = strip_rounding(&c->s1), radius2 = strip_rounding(&c->s2);
  c->cutoff += radius1 + radius2;
  ct_gjk(c);
  c->s1.type = type1;
  c->s2.type = type2;
  c->s1.margin = margin1;
  c->s2.margin = margin2;
  c->cutoff = cutoff;
  if (!(c->dist > c->tolerance)) return false;
  if (c->dist == CT_CCD_FAR) return true;

  // what was taken away goes back on, along the line between the nearest points
  mjtNum n[3];
  ct_sub3(n, c->x2, c->x1);
  ct_normalize3(n);
  ct_add_to_scl3(c->x1, n, radius1);
  ct_add_to_scl3(c->x2, n, -radius2);
  c->dist -= radius1 + radius2;
  if (c->dist > cutoff) c->dist = CT_CCD_FAR;
  return true;
}

LANE_INLINE bool has_corners_only(const ct_Support* s) {
  bool corners = s->type == mjGEOM_BOX || s->type == mjGEOM_MESH || s->type == CT_SUPPORT_PRISM;
  return corners && s->margin == 0;
}

LANE_FN void ct_ccd(ct_Ccd* c) {
  c->has_face = false;
  c->discrete = has_corners_only(&c->s1) && has_corners_only(&c->s2);
  if ((has_core(&c->s1) || has_core(&c->s2)) && cores_apart(c)) return;
  ct_gjk(c);
  if (c->dist <= c->tolerance && c->count > 1) {
    c->dist = 0;
    ct_epa(c);
  }
}
