// Two boxes: the separating axis of least overlap, then the contact polygon.
//
// Box 1 has centre p1, axes R1, half sizes a; box 2 has p2, R2, b. R = R1' R2 turns coordinates of
// box 2 into those of box 1, A = |R| element by element, P = R1' (p2 - p1), Q = R2' (p1 - p2).
// (Gottschalk, Lin, Manocha: OBBTree, SIGGRAPH 1996, for the fifteen axes.)
//
// If the axis is the normal of a face, the other box's lowest face is clipped by it. If it is
// perpendicular to two edges, the face of box 2 behind its edge is projected along the axis onto a
// face of box 1. Some rules below look arbitrary: which points are kept decides how a stack of
// boxes rests, so they are the reference's, found by experiment (quirks are marked).

#include "collide/box_box.h"

typedef struct {
  const ct_Shape *box1, *box2;
  mjtNum margin;
  mjtNum R[9], A[9], P[3], Q[3];
  // the axis of least overlap
  mjtNum overlap;
  bool is_face;
  int owner, axis;      // face: of box 1 or 2, and its axis
  bool negative;        // face: on the negative side
  int i1, i2;           // edge: axes of the two edges
  mjtNum direction[3];  // edge: the axis, in frame 1
  mjtNum sign;          // edge: which way box 2 lies
  int side1, side2;     // edge: bit k: the positive side of axis k faces the other box
} BoxAxes;

// v in the frame in which the normal of a face is +z. A face is axis + 3 (negative side).
LANE_INLINE void to_face_frame(mjtNum res[3], const mjtNum v[3], int face) {
  mjtNum x = v[0], y = v[1], z = v[2];
  switch (face) {
    case 0:
      res[0] = -z, res[1] = y, res[2] = x;
      break;
    case 1:
      res[0] = x, res[1] = -z, res[2] = y;
      break;
    case 2:
      res[0] = x, res[1] = y, res[2] = z;
      break;
    case 3:
      res[0] = z, res[1] = y, res[2] = -x;
      break;
    case 4:
      res[0] = x, res[1] = z, res[2] = -y;
      break;
    default:
      res[0] = -x, res[1] = y, res[2] = -z;
      break;
  }
}

LANE_INLINE void abs_face_frame(mjtNum res[3], const mjtNum size[3], int face) {
  to_face_frame(res, size, face);
  for (int k = 0; k < 3; k++) res[k] = ct_abs(res[k]);
}

// mat turned into the frame of a face: its columns are vectors of the old frame.
LANE_INLINE void columns_to_face_frame(mjtNum res[9], const mjtNum mat[9], int face) {
  for (int k = 0; k < 3; k++) {
    mjtNum column[3];
    ct_column3(column, mat, k);
    to_face_frame(column, column, face);
    for (int i = 0; i < 3; i++) res[3 * i + k] = column[i];
  }
}

// mat Q': from the frame of a face to the world, for the box's axes mat.
LANE_INLINE void rows_to_face_frame(mjtNum res[9], const mjtNum mat[9], int face) {
  for (int i = 0; i < 3; i++) to_face_frame(res + 3 * i, mat + 3 * i, face);
}

// Normals of faces. False if one of them separates the boxes by more than the margin.
LANE_FN static bool try_face_axes(BoxAxes* x) {
  const mjtNum *a = x->box1->size, *b = x->box2->size, *A = x->A;
  x->overlap = x->margin;
  for (int i = 0; i < 3; i++) x->overlap += 3 * a[i] + 3 * b[i];
  for (int i = 0; i < 3; i++) {
    mjtNum c1 =
        -ct_abs(x->P[i]) + a[i] + (A[3 * i] * b[0] + A[3 * i + 1] * b[1] + A[3 * i + 2] * b[2]);
    mjtNum c2 = -ct_abs(x->Q[i]) + b[i] + (A[i] * a[0] + A[3 + i] * a[1] + A[6 + i] * a[2]);
    if (c1 < -x->margin || c2 < -x->margin) return false;
    if (c1 < x->overlap) {
      x->overlap = c1;
      x->owner = 1;
      x->axis = i;
      x->negative = x->P[i] < 0;
    }
    if (c2 < x->overlap) {
      x->overlap = c2;
      x->owner = 2;
      x->axis = i;
      x->negative = x->Q[i] < 0;
    }
  }
  x->is_face = true;
  return true;
}

// The cross product of two edges, axis i of box 1 and axis j of box 2. Edges must win clearly.
LANE_FN static bool try_edge_axis(BoxAxes* x, int i, int j) {
  const mjtNum *a = x->box1->size, *b = x->box2->size;
  mjtNum unit[3] = {0, 0, 0}, t[3];
  unit[i] = 1;
  ct_column3(t, x->R, j);
  ct_cross(t, unit, t);
  mjtNum length = ct_norm3(t);
  if (length < (mjtNum)mjMINVAL) return true;
  ct_scl3(t, t, 1 / length);
  mjtNum along = ct_dot3(x->P, t), overlap = 0;
  for (int k = 0; k < 3; k++) {
    if (k != i) overlap += a[k] * ct_abs(t[k]);
  }
  for (int k = 0; k < 3; k++) {
    if (k != j) overlap += b[k] * x->A[3 * i + 3 - k - j] / length;
  }
  overlap -= ct_abs(along);
  if (overlap < -x->margin) return false;
  if (!(overlap < x->overlap * (1 - (mjtNum)1e-12))) return true;

  bool backwards = along < 0;
  x->overlap = overlap;
  x->is_face = false;
  x->i1 = i;
  x->i2 = j;
  ct_copy3(x->direction, t);
  x->sign = backwards ? (mjtNum)-1 : (mjtNum)1;
  x->side1 = x->side2 = 0;
  for (int k = 0; k < 3; k++) {
    bool up1 = (t[k] > 0) != backwards;
    if (k != i && up1) x->side1 |= 1 << k;
    if (k == j) continue;
    bool up2 = ((x->R[3 * i + 3 - k - j] > 0) != backwards) != ((k - j + 3) % 3 == 1);
    if (up2) x->side2 |= 1 << k;
  }
  return true;
}

// Points of a contact polygon, in the frame of the reference face with z = 0 in it.
typedef struct {
  mjtNum point[CT_MOST_HITS][3];
  mjtNum dist[CT_MOST_HITS];
  int count;
} BoxPoints;

LANE_INLINE bool more_room(const BoxPoints* points) {
  return points->count < CT_MOST_HITS;
}

LANE_INLINE void add_box_point(BoxPoints* points, mjtNum x, mjtNum y, mjtNum z, mjtNum dist) {
  if (!more_room(points)) return;
  mjtNum* p = points->point[points->count];
  p[0] = x;
  p[1] = y;
  p[2] = z;
  points->dist[points->count++] = dist;
}

// Where the segment o + t D crosses one border of the rectangle, |x| <= size[0], |y| <= size[1]:
// the line q = side. False if it does not.
LANE_INLINE bool crosses_border(const mjtNum o[3], const mjtNum D[3], const mjtNum size[3], int q,
                                mjtNum side, mjtNum* t) {
  *t = (side - o[q]) * (1 / D[q]);
  return *t >= 0 && *t <= 1 && ct_abs(o[1 - q] + D[1 - q] * *t) <= size[1 - q];
}

LANE_FN static void clip_box_edge(BoxPoints* points, const mjtNum o[3], const mjtNum D[3],
                                  const mjtNum size[3]) {
  for (int q = 0; q < 2; q++) {
    if (!(ct_abs(D[q]) > (mjtNum)mjMINVAL)) continue;
    for (int sign = -1; sign <= 1; sign += 2) {
      mjtNum t;
      if (!crosses_border(o, D, size, q, (mjtNum)sign * size[q], &t)) continue;
      mjtNum z = o[2] + t * D[2];
      add_box_point(points, o[0] + t * D[0], o[1] + t * D[1], z, z);
    }
  }
}

// Corners of the reference rectangle below the parallelogram o + u D1 + v D2.
LANE_FN static void corners_under_quad(BoxPoints* points, const mjtNum o[3], const mjtNum D1[3],
                                       const mjtNum D2[3], const mjtNum size[3]) {
  mjtNum inverse = 1 / (D1[0] * D2[1] - D2[0] * D1[1]);
  for (int i = 0; i < 4; i++) {
    mjtNum X = i & 2 ? size[0] : -size[0], Y = i & 1 ? size[1] : -size[1];
    mjtNum x = X - o[0], y = Y - o[1];
    mjtNum u = (x * D2[1] - y * D2[0]) * inverse, v = (y * D1[0] - x * D1[1]) * inverse;
    if (u > 0 && u < 1 && v > 0 && v < 1) {
      mjtNum z = o[2] + u * D1[2] + v * D2[2];
      add_box_point(points, X, Y, z, z);
    }
  }
}

LANE_INLINE void add_if_inside(BoxPoints* points, const mjtNum p[3], const mjtNum size[3]) {
  if (ct_abs(p[0]) < size[0] && ct_abs(p[1]) < size[1]) {
    add_box_point(points, p[0], p[1], p[2], p[2]);
  }
}

// The lowest corner o of the incident box and those of its edges at o that are nearly level.
LANE_FN static void face_points(BoxPoints* points, const mjtNum r[9], const mjtNum p[3],
                                const mjtNum size[3], const mjtNum s[3]) {
  mjtNum o[3], D[2][3], corner[3];
  int level = 0;
  ct_copy3(o, p);
  for (int i = 0; i < 3; i++) {
    mjtNum axis[3];
    ct_column3(axis, r, i);
    ct_add_to_scl3(o, axis, s[i] * (axis[2] < 0 ? (mjtNum)1 : (mjtNum)-1));
    if (ct_abs(axis[2]) < (mjtNum)0.5 && level < 2) {
      ct_scl3(D[level++], axis, s[i] * (axis[2] < 0 ? (mjtNum)-2 : (mjtNum)2));
    }
  }

  if (level > 0) clip_box_edge(points, o, D[0], size);
  if (level > 1) {
    clip_box_edge(points, o, D[1], size);
    ct_add3(corner, o, D[0]);
    clip_box_edge(points, corner, D[1], size);
    ct_add3(corner, o, D[1]);
    clip_box_edge(points, corner, D[0], size);
    corners_under_quad(points, o, D[0], D[1], size);
  }
  add_box_point(points, o[0], o[1], o[2], o[2]);
  if (level > 0) {
    ct_add3(corner, o, D[0]);
    add_if_inside(points, corner, size);
  }
  if (level > 1) {
    mjtNum far_corner[3];
    ct_add3(far_corner, corner, D[1]);
    ct_add3(corner, o, D[1]);
    add_if_inside(points, corner, size);
    add_if_inside(points, far_corner, size);
  }
}

LANE_FN static int face_contact(ct_Hit* hit, const BoxAxes* x) {
  bool first = x->owner == 1;
  const ct_Shape *reference = first ? x->box1 : x->box2, *incident = first ? x->box2 : x->box1;
  int face = x->axis + (x->negative ? 3 : 0), count = 0;
  mjtNum r[9], p[3], size[3], turned[9], G[9], normal[3], pos[3];
  if (first) {
    columns_to_face_frame(r, x->R, face);
  } else {
    ct_transpose3(turned, x->R);
    columns_to_face_frame(r, turned, face);
  }
  to_face_frame(p, first ? x->P : x->Q, face);
  abs_face_frame(size, reference->size, face);
  p[2] -= size[2];

  BoxPoints points;
  points.count = 0;
  face_points(&points, r, p, size, incident->size);

  rows_to_face_frame(G, reference->mat, face);
  ct_column3(normal, G, 2);
  if (!first) ct_scl3(normal, normal, -1);
  for (int i = 0; i < points.count; i++) {
    mjtNum z = points.point[i][2];
    if (z > x->margin) continue;
    mjtNum local[3] = {points.point[i][0], points.point[i][1], z / 2 + size[2]};
    ct_mul_mat_vec3(pos, G, local);
    ct_add_to3(pos, reference->pos);
    ct_set_hit(hit + count++, z, pos, normal);
  }
  return count;
}

// The face of box 2 behind its edge, and its projection along the axis onto the face of box 1.
typedef struct {
  mjtNum U[4][3];      // corners
  mjtNum W[4][3];      // projected corners, z = 0
  mjtNum size[3];      // of the face of box 1
  mjtNum depth_scale;  // height above the face -> distance along the axis
  mjtNum margin;
} EdgeQuad;

// One edge of the projected quad against the borders; `twin` is the same edge before projection.
LANE_FN static void clip_quad_edge(BoxPoints* points, const EdgeQuad* e, const mjtNum o[3],
                                   const mjtNum D[3], const mjtNum twin_o[3],
                                   const mjtNum twin_D[3]) {
  for (int q = 0; q < 2; q++) {
    if (!(ct_abs(D[q]) > (mjtNum)mjMINVAL)) continue;
    for (int sign = -1; sign <= 1; sign += 2) {
      mjtNum side = (mjtNum)sign * e->size[q], t, point[3];
      if (!crosses_border(o, D, e->size, q, side, &t)) continue;
      ct_add_scl3(point, twin_o, twin_D, t);
      if (point[2] * e->depth_scale > e->margin) continue;
      ct_scl3(point, point, (mjtNum)0.5);
      point[q] += side / 2;
      point[1 - q] += (o[1 - q] + D[1 - q] * t) / 2;
      add_box_point(points, point[0], point[1], point[2], point[2] * e->depth_scale * 2);
    }
  }
}

LANE_FN static void clip_quad(BoxPoints* points, const EdgeQuad* e) {
  mjtNum D1[3], D2[3], E1[3], E2[3], o[3], twin[3];
  ct_sub3(D1, e->W[1], e->W[0]);
  ct_sub3(D2, e->W[2], e->W[0]);
  ct_sub3(E1, e->U[1], e->U[0]);
  ct_sub3(E2, e->U[2], e->U[0]);
  clip_quad_edge(points, e, e->W[0], D1, e->U[0], E1);
  clip_quad_edge(points, e, e->W[0], D2, e->U[0], E2);
  ct_add3(o, e->W[0], D1);
  ct_add3(twin, e->U[0], E1);
  clip_quad_edge(points, e, o, D2, twin, E2);
  ct_add3(o, e->W[0], D2);
  ct_add3(twin, e->U[0], E2);
  clip_quad_edge(points, e, o, D1, twin, E1);
}

LANE_INLINE bool outside_unit(mjtNum x) {
  return x < 0 || x > 1;
}

// Corners of the face of box 1 under the quad. Quirk: the determinant of the first corner is
// replaced by the squared distance of each corner that gets that far.
LANE_FN static void corners_in_quad(BoxPoints* points, const EdgeQuad* e) {
  const mjtNum* o = e->W[0];
  mjtNum D1[3], D2[3];
  ct_sub3(D1, e->W[1], o);
  ct_sub3(D2, e->W[2], o);
  mjtNum det = D1[0] * D2[1] - D2[0] * D1[1];
  bool none_yet = points->count == 0;
  for (int i = 0; i < 4; i++) {
    mjtNum X = i & 2 ? e->size[0] : -e->size[0], Y = i & 1 ? e->size[1] : -e->size[1];
    mjtNum x = X - o[0], y = Y - o[1];
    mjtNum u = (x * D2[1] - y * D2[0]) * (1 / det), v = (y * D1[0] - x * D1[1]) * (1 / det);
    bool u_out = outside_unit(u), v_out = outside_unit(v);
    if (none_yet ? u_out && v_out : u_out || v_out) continue;
    u = ct_clip(u, 0, 1);
    v = ct_clip(v, 0, 1);
    mjtNum T[3], corner[3] = {X, Y, 0}, apart[3];
    ct_scl3(T, e->U[0], 1 - u - v);
    ct_add_to_scl3(T, e->U[1], u);
    ct_add_to_scl3(T, e->U[2], v);
    ct_sub3(apart, corner, T);
    mjtNum squared = ct_dot3(apart, apart);
    det = squared;
    if (T[2] > 0 && squared > e->margin * e->margin) continue;
    mjtNum dist = ct_sqrt(squared);
    add_box_point(points, (X + T[0]) / 2, (Y + T[1]) / 2, T[2] / 2, T[2] < 0 ? -dist : dist);
  }
}

// Corners of the quad over the face of box 1.
LANE_FN static void quad_corners(BoxPoints* points, const EdgeQuad* e, int crossings) {
  const mjtNum* size = e->size;
  int before = points->count;
  for (int i = 0; i < 4; i++) {
    const mjtNum *W = e->W[i], *U = e->U[i];
    bool x_out = W[0] < -size[0] || W[0] > size[0], y_out = W[1] < -size[1] || W[1] > size[1];
    if (crossings ? x_out || y_out : before && x_out && y_out) continue;
    mjtNum clamped[2], squared = 0;
    for (int k = 0; k < 2; k++) {
      clamped[k] = ct_clip(W[k], -size[k], size[k]);
      squared += (W[k] - clamped[k]) * (W[k] - clamped[k]);
    }
    squared += U[2] * e->depth_scale * U[2] * e->depth_scale;
    if (U[2] > 0 && squared > e->margin * e->margin) continue;
    mjtNum dist = ct_sqrt(squared);
    add_box_point(points, clamped[0] / 2 + U[0] / 2, clamped[1] / 2 + U[1] / 2, U[2] / 2,
                  U[2] < 0 ? -dist : dist);
  }
}

// The two axes of a box beside the one of its edge, the more level one first.
LANE_INLINE void other_axes(int* k1, int* k2, int axis) {
  *k1 = axis == 1 ? 0 : 1;
  *k2 = axis == 2 ? 0 : 2;
}

// Corners of the face of box 2 that its edge belongs to.
LANE_FN static void quad_of_edge(EdgeQuad* e, const BoxAxes* x, const mjtNum r[9],
                                 const mjtNum p[3], const mjtNum along[3], int k1, int k2) {
  const mjtNum* b = x->box2->size;
  mjtNum axis1[3], axis2[3], edge[3];
  ct_column3(axis1, r, k1);
  ct_column3(axis2, r, k2);
  ct_column3(edge, r, x->i2);
  mjtNum sign1 = x->side2 & 1 << k1 ? (mjtNum)1 : (mjtNum)-1;
  mjtNum sign2 = x->side2 & 1 << k2 ? (mjtNum)1 : (mjtNum)-1;
  for (int i = 0; i < 4; i++) {
    mjtNum* U = e->U[i];
    ct_add_scl3(U, p, axis1, b[k1] * (i < 2 ? sign1 : -sign1));
    ct_add_to_scl3(U, axis2, b[k2] * sign2);
    ct_add_to_scl3(U, edge, i & 1 ? -b[x->i2] : b[x->i2]);
    ct_add_scl3(e->W[i], U, along, -U[2] * (1 / along[2]));
  }
}

LANE_FN static int edge_contact(ct_Hit* hit, const BoxAxes* x) {
  int k1, k2, a1, a2, swap;
  other_axes(&k1, &k2, x->i2);
  if (x->A[3 * x->i1 + k1] < x->A[3 * x->i1 + k2]) {
    swap = k1;
    k1 = k2;
    k2 = swap;
  }
  other_axes(&a1, &a2, x->i1);
  if (x->A[3 * a1 + x->i2] < x->A[3 * a2 + x->i2]) a2 = a1;
  int face = a2 + (x->side1 & 1 << a2 ? 0 : 3), count = 0;

  EdgeQuad e;
  mjtNum p[3], along[3], r[9], G[9], normal[3], pos[3];
  to_face_frame(p, x->P, face);
  to_face_frame(along, x->direction, face);
  columns_to_face_frame(r, x->R, face);
  abs_face_frame(e.size, x->box1->size, face);
  e.margin = x->margin;
  p[2] -= e.size[2];
  if (ct_abs(along[2]) < (mjtNum)mjMINVAL) return 0;
  e.depth_scale = 1 / along[2] * x->sign;
  quad_of_edge(&e, x, r, p, along, k1, k2);

  BoxPoints points;
  points.count = 0;
  clip_quad(&points, &e);
  int crossings = points.count;
  corners_in_quad(&points, &e);
  quad_corners(&points, &e, crossings);

  rows_to_face_frame(G, x->box1->mat, face);
  ct_mul_mat_vec3(normal, G, along);
  ct_scl3(normal, normal, x->sign);
  for (int i = 0; i < points.count; i++) {
    points.point[i][2] += e.size[2];
    ct_mul_mat_vec3(pos, G, points.point[i]);
    ct_add_to3(pos, x->box1->pos);
    ct_set_hit(hit + count++, points.dist[i], pos, normal);
  }
  return count;
}

LANE_FN int ct_box_box(ct_Hit* hit, const ct_Shape* box1, const ct_Shape* box2, mjtNum margin) {
  BoxAxes x;
  mjtNum offset[3];
  x.box1 = box1;
  x.box2 = box2;
  x.margin = margin;
  ct_sub3(offset, box2->pos, box1->pos);
  ct_mul_mat_t_vec3(x.P, box1->mat, offset);
  ct_sub3(offset, box1->pos, box2->pos);
  ct_mul_mat_t_vec3(x.Q, box2->mat, offset);
  ct_mul_mat_t_mat3(x.R, box1->mat, box2->mat);
  for (int k = 0; k < 9; k++) x.A[k] = ct_abs(x.R[k]);

  x.owner = 0;
  if (!try_face_axes(&x)) return 0;
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++) {
      if (!try_edge_axis(&x, i, j)) return 0;
    }
  }
  if (!x.is_face) return edge_contact(hit, &x);
  return x.owner ? face_contact(hit, &x) : 0;
}

// 1 well inside the box, -1 outside, 0 between, with 1 % tolerance.
LANE_INLINE int side_of_box(const ct_Shape* box, const mjtNum pos[3], mjtNum margin) {
  mjtNum local[3];
  ct_sub3(local, pos, box->pos);
  ct_mul_mat_t_vec3(local, box->mat, local);
  int side = 1;
  for (int k = 0; k < 3; k++) {
    mjtNum size = box->size[k] + margin, x = ct_abs(local[k]);
    if (x > (mjtNum)1.01 * size) return -1;
    if (!(x < size / (mjtNum)1.01)) side = 0;
  }
  return side;
}

LANE_FN int ct_box_box_clean(ct_Hit* hit, int count, const ct_Shape* box1, const ct_Shape* box2,
                             mjtNum margin) {
  bool bad[CT_MOST_HITS];
  int kept = 0;
  for (int i = 0; i < count; i++) {
    int side1 = side_of_box(box1, hit[i].pos, margin),
        side2 = side_of_box(box2, hit[i].pos, margin);
    bad[i] = (side1 < 0 && side2 != 1) || (side2 < 0 && side1 != 1);
  }
  for (int i = 0; i < count; i++) {
    for (int j = i + 1; j < count && !bad[i]; j++) {
      bad[i] = !bad[j] && hit[i].pos[0] == hit[j].pos[0] && hit[i].pos[1] == hit[j].pos[1] &&
               hit[i].pos[2] == hit[j].pos[2];
    }
    if (!bad[i]) hit[kept++] = hit[i];
  }
  return kept;
}
