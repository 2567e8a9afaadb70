// How a contact moves with its two geoms.
//
// x0 = p - n d/2 and x1 = p + n d/2 are the nearest points of the surfaces, n the normal from geom
// 0 to geom 1. When the bodies move by X0, X1, the points slip by u0, u1 along the surfaces and the
// normal turns by dn, all three in the tangent plane:
//
//   u1 - u0 - d dn = -(X1(x1) - X0(x0))         the points stay opposite to each other
//   P0 (dn - w0 x n) = Q0 u0                    the normal belongs to the surface of geom 0
//   -P1 (dn - w1 x n) = Q1 u1                   and to that of geom 1
//
// where P and Q say how a surface is bent: a vertex or sphere of radius r has P = r, Q = 1; a face
// P = 1, Q = 0; an edge or the side of a capsule is the one along it and the other across; a smooth
// surface has P = 1 and its curvature Q. Then
//
//   dp = (X0(x0) + u0 + X1(x1) + u1) / 2,   dd = n.(X1(x1) - X0(x0)).
//
// The frame turns with the normal, n x dn, and spins about it, because its tangents are made from a
// fixed direction e: by (t2.de - (n.e)(t2.dn)) / |e - n (n.e)|.
//
// That is for pairs whose contacts are nearest points and whose surfaces have a formula. All others
// (boxes on boxes, meshes, height fields) are nudged: twelve motions of the
// two geoms, there and back, only through the function of the pair.

#include "derive/contact_motion.h"

#include <corten/derivative.h>

#include "collide/pairs.h"
#include "math/mat.h"
#include "math/strict.h"

#define SAME_NORMAL ((mjtNum)0.999)   // cosine of the turn of a normal by a nudge
#define FARTHEST_STEP ((mjtNum)1000)  // of one contact, in nudges
#define SMALLER_NUDGES 2              // that are tried, each a tenth of the one before
#define LARGEST_BEND ((mjtNum)1e-3)   // of a step there and back, in nudges
#ifdef mjUSESINGLE
#define SHORTEST_EDGE ((mjtNum)1e-5)
#define END_OF_SIDE ((mjtNum)1e-4)
#define ON_FACE ((mjtNum)1e-5)
#define CONVEX_ERROR ((mjtNum)1e-3)
#define LEAST_PIVOT ((mjtNum)1e-4)
#define NUDGE ((mjtNum)1e-3)
#else
#define SHORTEST_EDGE ((mjtNum)1e-9)  // in the tangent plane, of a direction of length 1
#define END_OF_SIDE ((mjtNum)1e-9)    // share of a capsule's side that counts as its end
#define ON_FACE ((mjtNum)1e-7)        // of a box, beside its largest half size or 1
#define CONVEX_ERROR ((mjtNum)1e-5)   // the convex solver is no more exact
#define LEAST_PIVOT ((mjtNum)1e-7)    // of equations whose entries are about 1
#define NUDGE ((mjtNum)1e-6)
#endif

typedef struct {  // a contact and what it is made of
  const mjContact* con;
  const mjtNum *n, *tangent[2];
  mjtNum witness[2][3];  // nearest points
  int geom[2];
  bool moves[2], on_plane;
  mjtNum P[2][4], Q[2][4];  // in the tangent plane
  bool wishes;              // tangents are made from a direction that moves with geom 1
  mjtNum wish[3];           // the direction that they are made from
  mjtNum along, length;     // its part along the normal, and the length of the rest
} Touch;

LANE_INLINE void set_bend(Touch* t, int side, mjtNum p, mjtNum q) {
  for (int k = 0; k < 4; k++) {
    t->P[side][k] = k == 0 || k == 3 ? p : 0;
    t->Q[side][k] = k == 0 || k == 3 ? q : 0;
  }
}

// An edge along `direction` (world), of radius r. False if it does not lie in the tangent plane.
LANE_INLINE bool set_edge(Touch* t, int side, const mjtNum direction[3], mjtNum r) {
  mjtNum e0 = ct_dot3(t->tangent[0], direction), e1 = ct_dot3(t->tangent[1], direction);
  mjtNum length = ct_sqrt(e0 * e0 + e1 * e1);
  if (length < SHORTEST_EDGE) return false;
  e0 /= length;
  e1 /= length;
  mjtNum *P = t->P[side], *Q = t->Q[side];
  P[0] = e0;
  P[1] = e1;
  P[2] = -r * e1;
  P[3] = r * e0;
  Q[0] = Q[1] = 0;
  Q[2] = -e1;
  Q[3] = e0;
  return true;
}

// A plane is touched by the ends alone.
LANE_FN static bool bend_capsule(Touch* t, int side, const ct_Shape* g, const mjtNum local[3],
                                 const mjtNum normal[3]) {
  mjtNum along = local[2] - g->size[0] * normal[2], axis[3];
  ct_column3(axis, g->mat, 2);
  if (!t->on_plane && ct_abs(along) < g->size[1] * (1 - END_OF_SIDE)) {
    return set_edge(t, side, axis, g->size[0]);
  }
  set_bend(t, side, g->size[0], 1);
  return true;
}

LANE_FN static bool bend_box(Touch* t, int side, const ct_Shape* g, const mjtNum local[3]) {
  int on = 0, off = 0;
  mjtNum most = ct_max(1, ct_max(g->size[0], ct_max(g->size[1], g->size[2]))), axis[3];
  for (int k = 0; k < 3; k++) {
    if (ct_abs(ct_abs(local[k]) - g->size[k]) < ON_FACE * most) {
      on++;
    } else {
      off = k;
    }
  }
  if (on == 2) {
    ct_column3(axis, g->mat, off);
    return set_edge(t, side, axis, 0);
  }
  set_bend(t, side, on == 3 ? 0 : 1, on == 3 ? 1 : 0);
  return true;
}

LANE_FN static bool bend_ellipsoid(Touch* t, int side, const ct_Shape* g, const mjtNum local[3]) {
  mjtNum grad[3], tangent[2][3];
  for (int k = 0; k < 3; k++) grad[k] = local[k] / (g->size[k] * g->size[k]);
  mjtNum length = ct_norm3(grad);
  if (length < mjMINVAL) return false;
  set_bend(t, side, 1, 0);
  for (int a = 0; a < 2; a++) ct_mul_mat_t_vec3(tangent[a], g->mat, t->tangent[a]);
  for (int a = 0; a < 2; a++) {
    for (int b = 0; b < 2; b++) {
      mjtNum sum = 0;
      for (int k = 0; k < 3; k++) sum += tangent[a][k] * tangent[b][k] / (g->size[k] * g->size[k]);
      t->Q[side][2 * a + b] = sum / length;
    }
  }
  return true;
}

LANE_FN static bool bend_cylinder(Touch* t, int side, const ct_Shape* g, const mjtNum local[3],
                                  const mjtNum normal[3]) {
  const mjtNum small = CONVEX_ERROR;
  mjtNum axis[3], rim[3];
  if (1 - ct_abs(normal[2]) < small * small) {
    set_bend(t, side, 1, 0);
    return true;
  }
  ct_column3(axis, g->mat, 2);
  if (ct_abs(normal[2]) < small) return set_edge(t, side, axis, g->size[0]);
  mjtNum radial = ct_sqrt(local[0] * local[0] + local[1] * local[1]);
  mjtNum around[3] = {-local[1] / radial, local[0] / radial, 0};
  mjtNum radius = g->size[0] / ct_sqrt(normal[0] * normal[0] + normal[1] * normal[1]);
  ct_mul_mat_vec3(rim, g->mat, around);
  mjtNum e[2] = {ct_dot3(t->tangent[0], rim), ct_dot3(t->tangent[1], rim)};
  set_bend(t, side, 0, 1);
  for (int k = 0; k < 4; k++) t->P[side][k] = radius * e[k / 2] * e[k % 2];
  return true;
}

// How the surface of a geom is bent at its nearest point.
LANE_FN static bool bend_surface(const ct_Slopes* s, Touch* t, int side) {
  ct_Shape g = ct_shape_of(s->m, s->d, t->geom[side]);
  mjtNum offset[3], local[3], normal[3];
  ct_sub3(offset, t->witness[side], g.pos);
  ct_mul_mat_t_vec3(local, g.mat, offset);
  ct_mul_mat_t_vec3(normal, g.mat, t->n);
  if (side == 1) ct_scl3(normal, normal, -1);
  switch (g.type) {
    case mjGEOM_PLANE:
      set_bend(t, side, 1, 0);
      return true;
    case mjGEOM_SPHERE:
      set_bend(t, side, g.size[0], 1);
      return true;
    case mjGEOM_CAPSULE:
      return bend_capsule(t, side, &g, local, normal);
    case mjGEOM_BOX:
      return bend_box(t, side, &g, local);
    case mjGEOM_ELLIPSOID:
      return bend_ellipsoid(t, side, &g, local);
    case mjGEOM_CYLINDER:
      return bend_cylinder(t, side, &g, local, normal);
    default:
      return false;
  }
}

LANE_INLINE bool is_curved(int type) {
  return type == mjGEOM_ELLIPSOID || type == mjGEOM_CYLINDER;
}

// Do two such geoms meet by an iteration that stops at a tolerance?
LANE_INLINE bool meet_by_iteration(int type0, int type1) {
  if (type0 == mjGEOM_SDF || type1 == mjGEOM_SDF) return true;
  if (type0 == mjGEOM_PLANE || !(is_curved(type0) || is_curved(type1))) return false;
  return !(type0 == mjGEOM_SPHERE && type1 == mjGEOM_CYLINDER);
}

// Are all contacts of two such geoms nearest points, with surfaces that have a formula? Curved
// shapes that meet by the convex solver are among them: its tolerance is far too coarse for
// nudges, but not for the formula.
LANE_INLINE bool is_nearest_pair(int type0, int type1) {
  if (type0 == mjGEOM_PLANE) {
    return type1 == mjGEOM_SPHERE || type1 == mjGEOM_CAPSULE || type1 == mjGEOM_BOX ||
           type1 == mjGEOM_ELLIPSOID;
  }
  if (type0 < mjGEOM_SPHERE || type1 > mjGEOM_BOX) return false;
  if (type0 == mjGEOM_SPHERE || is_curved(type0) || is_curved(type1)) return true;
  return type0 == mjGEOM_CAPSULE && type1 == mjGEOM_CAPSULE;
}

// The direction that the tangents are made from. A capsule on a plane wishes for its axis.
LANE_INLINE void find_wish(const ct_Slopes* s, Touch* t) {
  const mjtNum* n = t->n;
  mjtNum rest[3];
  t->wishes =
      s->m->geom_type[t->geom[0]] == mjGEOM_PLANE && s->m->geom_type[t->geom[1]] == mjGEOM_CAPSULE;
  ct_zero3(t->wish);
  if (t->wishes) {
    ct_column3(t->wish, s->d->geom_xmat + 9 * t->geom[1], 2);
  } else {
    t->wish[ct_abs(n[1]) < (mjtNum)0.5 ? 1 : 2] = 1;
  }
  t->along = ct_dot3(n, t->wish);
  ct_add_scl3(rest, t->wish, n, -t->along);
  t->length = ct_max(mjMINVAL, ct_norm3(rest));
}

// The turn of the frame, with its spin about the normal.
LANE_INLINE void turn_frame(const Touch* t, const mjtNum dn[3], const mjtNum turn1[3],
                            mjtNum turn[3]) {
  const mjtNum* n = t->n;
  mjtNum moved[3] = {0, 0, 0};
  if (t->wishes) ct_cross(moved, turn1, t->wish);
  mjtNum spin = (ct_dot3(t->tangent[1], moved) - t->along * ct_dot3(t->tangent[1], dn)) / t->length;
  ct_cross(turn, n, dn);
  ct_add_to_scl3(turn, n, spin);
}

// The six equations, columns dn, u0, u1, factored with exchange of rows. False if they do not
// determine the motion: parallel edges, a face on a face. Those of a vertex or sphere of radius r
// on a face are solved as they stand.
typedef struct {
  mjtNum a[6][6];
  int row[6];
  bool flat;
  mjtNum radius, dist;
} SlipEquations;

LANE_FN static bool factor_slip(SlipEquations* q) {
  for (int c = 0; c < 6; c++) {
    int best = c;
    for (int r = c + 1; r < 6; r++) {
      if (ct_abs(q->a[r][c]) > ct_abs(q->a[best][c])) best = r;
    }
    q->row[c] = best;
    if (ct_abs(q->a[best][c]) < LEAST_PIVOT) return false;
    for (int k = 0; k < 6 && best != c; k++) {
      mjtNum keep = q->a[c][k];
      q->a[c][k] = q->a[best][k];
      q->a[best][k] = keep;
    }
    for (int r = c + 1; r < 6; r++) {
      mjtNum factor = q->a[r][c] /= q->a[c][c];
      for (int k = c + 1; k < 6; k++) q->a[r][k] -= factor * q->a[c][k];
    }
  }
  return true;
}

LANE_FN static void solve_slip(const SlipEquations* q, mjtNum x[6]) {
  for (int c = 0; c < 2 && q->flat; c++) {
    mjtNum dn = x[2 + c], u1 = x[4 + c] - q->radius * dn;
    x[2 + c] = u1 - q->dist * dn - x[c];
    x[4 + c] = u1;
    x[c] = dn;
  }
  if (q->flat) return;
  for (int c = 0; c < 6; c++) {
    mjtNum keep = x[c];
    x[c] = x[q->row[c]];
    x[q->row[c]] = keep;
  }
  for (int r = 0; r < 6; r++) {
    for (int k = 0; k < r; k++) x[r] -= q->a[r][k] * x[k];
  }
  for (int r = 5; r >= 0; r--) {
    for (int k = r + 1; k < 6; k++) x[r] -= q->a[r][k] * x[k];
    x[r] /= q->a[r][r];
  }
}

// Is the surface bent alike in all directions, as set_bend makes it?
LANE_INLINE bool is_bent(const Touch* t, int side, mjtNum p, mjtNum q) {
  const mjtNum *P = t->P[side], *Q = t->Q[side];
  return P[0] == p && P[3] == p && P[1] == 0 && P[2] == 0 && Q[0] == q && Q[3] == q && Q[1] == 0 &&
         Q[2] == 0;
}

LANE_FN static bool set_up_slip(const Touch* t, SlipEquations* q) {
  q->radius = t->P[1][0];
  q->dist = t->con->dist;
  q->flat = is_bent(t, 0, 1, 0) && is_bent(t, 1, q->radius, 1);
  if (q->flat) return true;
  for (int r = 0; r < 6; r++) ct_zero(q->a[r], 6);
  for (int k = 0; k < 2; k++) {
    q->a[k][k] = -t->con->dist;
    q->a[k][2 + k] = -1;
    q->a[k][4 + k] = 1;
    for (int c = 0; c < 2; c++) {
      q->a[2 + k][c] = t->P[0][2 * k + c];
      q->a[2 + k][2 + c] = -t->Q[0][2 * k + c];
      q->a[4 + k][c] = t->P[1][2 * k + c];
      q->a[4 + k][4 + c] = t->Q[1][2 * k + c];
    }
  }
  return factor_slip(q);
}

// A unit motion of one side.
LANE_FN static void slip_column(const Touch* t, const SlipEquations* q, int side, int k,
                                ct_ContactMotion* motion) {
  mjtNum X[6] = {0, 0, 0, 0, 0, 0}, arm[3], moved[3], swung[3], dn[3], x[6], sign;
  const mjtNum none[3] = {0, 0, 0};
  X[k] = 1;
  sign = side ? (mjtNum)1 : (mjtNum)-1;
  ct_sub3(arm, t->witness[side], t->con->pos);
  ct_cross(moved, X, arm);
  ct_add_to3(moved, X + 3);
  ct_cross(swung, X, t->n);
  for (int c = 0; c < 2; c++) {
    x[c] = -sign * ct_dot3(t->tangent[c], moved);
    x[2 + c] = x[4 + c] = 0;
  }
  for (int r = 0; r < 2; r++) {
    for (int c = 0; c < 2; c++) {
      x[2 + 2 * side + r] += t->P[side][2 * r + c] * ct_dot3(t->tangent[c], swung);
    }
  }
  solve_slip(q, x);
  ct_scl3(motion->point[side][k], moved, (mjtNum)0.5);
  ct_zero3(dn);
  for (int c = 0; c < 2; c++) {
    ct_add_to_scl3(dn, t->tangent[c], x[c]);
    ct_add_to_scl3(motion->point[side][k], t->tangent[c], (x[2 + c] + x[4 + c]) / 2);
  }
  motion->dist[side][k] = sign * ct_dot3(t->n, moved);
  turn_frame(t, dn, side ? X : none, motion->turn[side][k]);
}

LANE_FN static bool motion_by_slip(const ct_Slopes* s, Touch* t, ct_ContactMotion* motion) {
  SlipEquations q;
  if (!is_nearest_pair(s->m->geom_type[t->geom[0]], s->m->geom_type[t->geom[1]])) return false;
  if (!bend_surface(s, t, 0) || !bend_surface(s, t, 1) || !set_up_slip(t, &q)) return false;
  for (int side = 0; side < 2; side++) {
    for (int k = 0; k < 6 && t->moves[side]; k++) slip_column(t, &q, side, k, motion);
  }
  return true;
}

// Weights: the same equations transposed, solved once for all motions.
LANE_FN static void solve_slip_transposed(const SlipEquations* q, mjtNum x[6]) {
  for (int c = 0; c < 2 && q->flat; c++) {
    mjtNum y0 = -x[2 + c], y2 = x[4 + c] - y0;
    x[2 + c] = x[c] + q->dist * y0 - q->radius * y2;
    x[4 + c] = y2;
    x[c] = y0;
  }
  if (q->flat) return;
  for (int r = 0; r < 6; r++) {
    for (int k = 0; k < r; k++) x[r] -= q->a[k][r] * x[k];
    x[r] /= q->a[r][r];
  }
  for (int r = 5; r >= 0; r--) {
    for (int k = r + 1; k < 6; k++) x[r] -= q->a[k][r] * x[k];
  }
  for (int c = 5; c >= 0; c--) {
    mjtNum keep = x[c];
    x[c] = x[q->row[c]];
    x[q->row[c]] = keep;
  }
}

LANE_FN static bool weights_by_slip(const ct_Slopes* s, Touch* t, ct_ContactWeights* w) {
  SlipEquations q;
  const mjtNum* n = t->n;
  mjtNum on_normal[3], x[6];
  if (!is_nearest_pair(s->m->geom_type[t->geom[0]], s->m->geom_type[t->geom[1]])) return false;
  if (!bend_surface(s, t, 0) || !bend_surface(s, t, 1) || !set_up_slip(t, &q)) return false;
  mjtNum spin = ct_dot3(w->turn, n) / t->length;
  ct_cross(on_normal, w->turn, n);
  ct_add_to_scl3(on_normal, t->tangent[1], -t->along * spin);
  for (int c = 0; c < 2; c++) {
    x[c] = ct_dot3(t->tangent[c], on_normal);
    x[2 + c] = x[4 + c] = ct_dot3(t->tangent[c], w->point) / 2;
  }
  solve_slip_transposed(&q, x);
  for (int side = 0; side < 2; side++) {
    mjtNum sign = side ? (mjtNum)1 : (mjtNum)-1, moved[3], swung[3], arm[3], part[3];
    mjtNum *turn = w->pull[side], *shift = w->pull[side] + 3;
    ct_scl3(moved, w->point, (mjtNum)0.5);
    ct_add_to_scl3(moved, n, sign * w->dist);
    ct_zero3(swung);
    for (int c = 0; c < 2; c++) {
      const mjtNum* P = t->P[side];
      ct_add_to_scl3(moved, t->tangent[c], -sign * x[c]);
      ct_add_to_scl3(swung, t->tangent[c], x[2 + 2 * side] * P[c] + x[3 + 2 * side] * P[2 + c]);
    }
    ct_copy3(shift, moved);
    ct_sub3(arm, t->witness[side], t->con->pos);
    ct_cross(turn, arm, moved);
    ct_cross(part, n, swung);
    ct_add_to3(turn, part);
    if (!side || !t->wishes) continue;
    ct_cross(part, t->wish, t->tangent[1]);
    ct_add_to_scl3(turn, part, spin);
  }
  return true;
}

// A cylinder on a plane touches with points of its rims that are not all nearest ones: with a the
// axis, v the way down across it and w = v x a they keep their coordinates in these axes, and
//
//   v = (a (n.a) - n) / L,   dv = (1 - v v')(da (n.a) + a d(n.a) - dn) / L

typedef struct {
  mjtNum a[3], v[3], w[3], centre[3];
  mjtNum length, coordinate[3];
} RimPoint;

// False if the disk lies so flat that there is no way down.
LANE_FN static bool open_rim(const ct_Slopes* s, const Touch* t, RimPoint* r) {
  ct_Shape g = ct_shape_of(s->m, s->d, t->geom[1]);
  mjtNum rel[3];
  ct_copy3(r->centre, g.pos);
  ct_column3(r->a, g.mat, 2);
  ct_scl3(r->v, r->a, ct_dot3(t->n, r->a));
  ct_sub_from3(r->v, t->n);
  r->length = ct_normalize3(r->v);
  if (r->length < LEAST_PIVOT) return false;
  ct_cross(r->w, r->v, r->a);
  ct_sub3(rel, t->witness[1], r->centre);
  r->coordinate[0] = ct_dot3(rel, r->a);
  r->coordinate[1] = ct_dot3(rel, r->v);
  r->coordinate[2] = ct_dot3(rel, r->w);
  return true;
}

LANE_FN static void rim_column(const Touch* t, const RimPoint* r, int side, int k,
                               ct_ContactMotion* motion) {
  const mjtNum none[3] = {0, 0, 0}, *n = t->n;
  mjtNum X[6] = {0, 0, 0, 0, 0, 0}, dn[3], da[3], dv[3], dw[3], arm[3], moved[3], part[3];
  X[k] = 1;
  ct_cross(dn, side ? none : X, n);
  ct_cross(da, side ? X : none, r->a);

  // the axes
  ct_scl3(dv, da, ct_dot3(n, r->a));
  ct_add_to_scl3(dv, r->a, ct_dot3(dn, r->a) + ct_dot3(n, da));
  ct_sub_from3(dv, dn);
  ct_add_to_scl3(dv, r->v, -ct_dot3(r->v, dv));
  ct_scl3(dv, dv, 1 / r->length);
  ct_cross(dw, dv, r->a);
  ct_cross(part, r->v, da);
  ct_add_to3(dw, part);

  // the point of the rim
  ct_zero3(moved);
  if (side) {
    ct_sub3(arm, r->centre, t->con->pos);
    ct_cross(moved, X, arm);
    ct_add_to3(moved, X + 3);
  }
  ct_add_to_scl3(moved, da, r->coordinate[0]);
  ct_add_to_scl3(moved, dv, r->coordinate[1]);
  ct_add_to_scl3(moved, dw, r->coordinate[2]);

  // seen from the plane, which moves at that point too
  mjtNum dist = ct_dot3(n, moved);
  if (!side) {
    ct_sub3(arm, t->witness[1], t->con->pos);
    ct_cross(part, X, arm);
    ct_add_to3(part, X + 3);
    dist -= ct_dot3(n, part);
  }
  motion->dist[side][k] = dist;
  ct_copy3(motion->point[side][k], moved);
  ct_add_to_scl3(motion->point[side][k], dn, -t->con->dist / 2);
  ct_add_to_scl3(motion->point[side][k], n, -dist / 2);
  turn_frame(t, dn, side ? X : none, motion->turn[side][k]);
}

LANE_FN static bool motion_of_rim(const ct_Slopes* s, const Touch* t, ct_ContactMotion* motion) {
  RimPoint r;
  bool fits =
      s->m->geom_type[t->geom[0]] == mjGEOM_PLANE && s->m->geom_type[t->geom[1]] == mjGEOM_CYLINDER;
  if (!fits || !open_rim(s, t, &r)) return false;
  for (int side = 0; side < 2; side++) {
    for (int k = 0; k < 6 && t->moves[side]; k++) rim_column(t, &r, side, k, motion);
  }
  return true;
}

// By differences of the function of the pair

typedef struct {
  ct_GeomPair pair;
  mjtNum margin;
  int count, place;  // contacts of the pair, and which of them this one is
  bool exact;        // the function of the pair is, but for rounding
} Nudged;

LANE_FN static Nudged find_pair(const ct_Slopes* s, int contact) {
  const mjModel* m = s->m;
  const mjContact *all = s->d->contact, *con = all + contact;
  int type0 = m->geom_type[con->geom[0]], type1 = m->geom_type[con->geom[1]];
  Nudged u = {{con->geom[0], con->geom[1], -1}, 0, 0, 0, false};
  u.exact = sizeof(mjtNum) == 8 && !meet_by_iteration(type0, type1);
  for (int k = 0; k < m->npair; k++) {
    int g1 = m->pair_geom1[k], g2 = m->pair_geom2[k];
    bool same =
        (g1 == con->geom[0] && g2 == con->geom[1]) || (g2 == con->geom[0] && g1 == con->geom[1]);
    if (same) u.pair.pair = k;
  }
  u.margin = ct_pair_margin(m, u.pair);
  for (int c = 0; c < s->d->ncon; c++) {
    if (all[c].geom[0] != con->geom[0] || all[c].geom[1] != con->geom[1]) continue;
    if (c < contact) u.place++;
    u.count++;
  }
  return u;
}

typedef struct {
  mjtNum dist, pos[3], frame[9];
} Seen;

// The contact after the geom has turned (k < 3) or shifted by eps; false if it is another one.
LANE_FN static bool see_nudged(ct_Slopes* s, const Touch* t, const Nudged* u, int side, int k,
                               mjtNum eps, Seen* seen) {
  mjtNum *pos = s->d->geom_xpos + 3 * t->geom[side], *mat = s->d->geom_xmat + 9 * t->geom[side];
  mjtNum old_pos[3], old_mat[9], arm[3];
  ct_Hit hit[CT_MOST_HITS];
  ct_copy3(old_pos, pos);
  ct_copy(old_mat, mat, 9);
  if (k >= 3) {
    pos[k - 3] += eps;
  } else {
    mjtNum sine, cosine, turn[9];
    ct_sincos(&sine, &cosine, eps);
    ct_sub3(arm, pos, t->con->pos);
    for (int r = 0; r < 3; r++) {
      for (int c = 0; c < 3; c++) turn[3 * r + c] = r == c ? (r == k ? 1 : cosine) : 0;
    }
    turn[3 * ((k + 2) % 3) + (k + 1) % 3] = sine;
    turn[3 * ((k + 1) % 3) + (k + 2) % 3] = -sine;
    ct_mul_mat_vec3(pos, turn, arm);
    ct_add_to3(pos, t->con->pos);
    ct_mul_mat_mat3(mat, turn, old_mat);
  }
  int count = ct_collide_pair(s->m, s->d, hit, u->pair, u->margin);
  ct_copy3(pos, old_pos);
  ct_copy(mat, old_mat, 9);
  if (count != u->count) return false;
  seen->dist = hit[u->place].dist;
  ct_copy3(seen->pos, hit[u->place].pos);
  ct_copy(seen->frame, hit[u->place].frame, 6);
  return ct_complete_frame(seen->frame);
}

// Has the contact moved no farther than it can, by nudges of this size?
LANE_INLINE bool is_near(const Touch* t, const Seen* seen, mjtNum eps) {
  mjtNum step[3];
  ct_sub3(step, seen->pos, t->con->pos);
  return ct_norm3(step) < FARTHEST_STEP * eps && ct_dot3(seen->frame, t->n) > SAME_NORMAL;
}

// By how much the ways there and back differ, in nudges.
LANE_INLINE mjtNum bend_of(const Touch* t, const Seen* plus, const Seen* minus, mjtNum eps) {
  mjtNum most = ct_abs(plus->dist + minus->dist - 2 * t->con->dist);
  for (int i = 0; i < 3; i++) {
    most = ct_max(most, ct_abs(plus->pos[i] + minus->pos[i] - 2 * t->con->pos[i]));
    most = ct_max(most, ct_abs(plus->frame[i] + minus->frame[i] - 2 * t->n[i]));
  }
  return most / eps;
}

// Returns that; FARTHEST_STEP if the contact is another one on either side.
LANE_FN static mjtNum nudge_column(ct_Slopes* s, const Touch* t, const Nudged* u, int side, int k,
                                   mjtNum eps, ct_ContactMotion* motion) {
  Seen plus, minus;
  bool ahead = see_nudged(s, t, u, side, k, eps, &plus) && is_near(t, &plus, eps);
  bool back = see_nudged(s, t, u, side, k, -eps, &minus) && is_near(t, &minus, eps);
  if (!ahead || !back) return FARTHEST_STEP;
  mjtNum scale = 1 / (2 * eps), turn[3] = {0, 0, 0};
  motion->dist[side][k] = scale * (plus.dist - minus.dist);
  for (int i = 0; i < 3; i++) motion->point[side][k][i] = scale * (plus.pos[i] - minus.pos[i]);
  for (int r = 0; r < 3; r++) {  // if all axes turn by w, the sum of e x (w x e) is 2 w
    mjtNum change[3], part[3];
    ct_sub3(change, plus.frame + 3 * r, minus.frame + 3 * r);
    ct_cross(part, t->con->frame + 3 * r, change);
    ct_add_to_scl3(turn, part, scale / 2);
  }
  ct_copy3(motion->turn[side][k], turn);
  return bend_of(t, &plus, &minus, eps);
}

// Rounding of contacts of meshes, 1e-13 and more, is divided by the nudge, so that it is as large
// as bends allow. A contact that passes from one feature to another within it bends as much at a
// tenth of it; a surface that is bent strongly, such as the rim of a cylinder that all but lies
// flat, a tenth as much.
LANE_FN static bool nudge_exactly(ct_Slopes* s, const Touch* t, const Nudged* u, int side, int k,
                                  ct_ContactMotion* motion) {
  mjtNum eps = NUDGE, bend = nudge_column(s, t, u, side, k, eps, motion), before = bend;
  for (int i = 0; i < SMALLER_NUDGES && !(bend < LARGEST_BEND); i++) {
    before = bend;
    eps /= 10;
    bend = nudge_column(s, t, u, side, k, eps, motion);
  }
  return bend < LARGEST_BEND || (bend < FARTHEST_STEP && bend < before / 5);
}

// Can any dof move the geom this way? Parts that only slide on a plane never tilt, and a tilt may
// be what has no derivative.
LANE_FN static bool is_possible(const ct_Slopes* s, const Touch* t, int side, int k) {
  const mjModel* m = s->m;
  mjtNum axis[6], most = 0;
  for (int j = ct_last_dof(m, m->geom_bodyid[t->geom[side]]); j >= 0; j = m->dof_parentid[j]) {
    ct_axis_at(s, j, t->con->pos, axis);
    most = ct_max(most, ct_abs(axis[k]));
  }
  return most > mjMINVAL;
}

LANE_FN static bool motion_by_nudges(ct_Slopes* s, const Touch* t, int contact,
                                     ct_ContactMotion* motion) {
  Nudged u = find_pair(s, contact);
  for (int side = 0; side < 2; side++) {
    for (int k = 0; k < 6 && t->moves[side]; k++) {
      motion->dist[side][k] = 0;
      ct_zero3(motion->point[side][k]);
      ct_zero3(motion->turn[side][k]);
      if (!is_possible(s, t, side, k)) continue;
      bool seen = u.exact ? nudge_exactly(s, t, &u, side, k, motion)
                          : nudge_column(s, t, &u, side, k, NUDGE, motion) < FARTHEST_STEP;
      if (!seen) return false;
    }
  }
  *s->reasons |= CT_SHAPES_BY_DIFFERENCES;
  return true;
}

// One lane alone.
LANE_FN static Touch open_touch(const ct_Slopes* s, int contact) {
  Touch t;
  t.con = s->d->contact + contact;
  t.n = t.con->frame;
  t.tangent[0] = t.con->frame + 3;
  t.tangent[1] = t.con->frame + 6;
  t.on_plane = s->m->geom_type[t.con->geom[0]] == mjGEOM_PLANE;
  for (int side = 0; side < 2; side++) {
    t.geom[side] = t.con->geom[side];
    t.moves[side] = ct_last_dof(s->m, s->m->geom_bodyid[t.geom[side]]) >= 0;
    ct_add_scl3(t.witness[side], t.con->pos, t.n, (side ? t.con->dist : -t.con->dist) / 2);
  }
  find_wish(s, &t);
  if (meet_by_iteration(s->m->geom_type[t.geom[0]], s->m->geom_type[t.geom[1]])) {
    *s->reasons |= CT_SHAPES_TO_TOLERANCE;
  }
  return t;
}

LANE_FN bool ct_contact_motion(ct_Slopes* s, int contact, ct_ContactMotion* motion) {
  Touch t = open_touch(s, contact);
  return motion_by_slip(s, &t, motion) || motion_of_rim(s, &t, motion) ||
         motion_by_nudges(s, &t, contact, motion);
}

LANE_FN bool ct_contact_weights(ct_Slopes* s, int contact, ct_ContactWeights* w) {
  Touch t = open_touch(s, contact);
  ct_ContactMotion* motion = (ct_ContactMotion*)(void*)s->motion;
  if (weights_by_slip(s, &t, w)) return true;
  if (!motion_of_rim(s, &t, motion) && !motion_by_nudges(s, &t, contact, motion)) return false;
  for (int side = 0; side < 2; side++) {
    for (int k = 0; k < 6; k++) {
      w->pull[side][k] = !t.moves[side] ? 0
                                        : ct_dot3(w->point, motion->point[side][k]) +
                                              ct_dot3(w->turn, motion->turn[side][k]) +
                                              w->dist * motion->dist[side][k];
    }
  }
  return true;
}
