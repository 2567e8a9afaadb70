// Two boxes: the separating axis of least overlap, then the contact polygon.
//
// Two boxes are apart if and only if their projections on one of fifteen axes are: the normals of
// the faces of either, and the cross products of an edge of one with an edge of the other
// (Gottschalk, Lin, Manocha: OBBTree, SIGGRAPH 1996). If none separates them, the axis on which
// they overlap least is the normal of the contact.
//
// If it is the normal of a face, the lowest face of the other box is clipped by that face. If it is
// perpendicular to two edges, the face of box 2 behind its edge is projected along the axis onto a
// face of box 1. Which points are kept decides how a stack of boxes rests: the rules are those of
// the reference, taken from written descriptions of its behaviour and from experiments. Those that
// look arbitrary are marked as quirks.
//
// R turns coordinates in the frame of box 2 into those of box 1: column k is axis k of box 2 in
// frame 1, row k is axis k of box 1 in frame 2. Frames have their origin in the centre of the box.

#include "collide/box_box.h"

// An edge must beat the best face by more than rounding.
#define EDGE_WINS (1 - (mjtNum)1e-12)

// Edges of the other box that rise less than this against a face are level: part of what lies on
// it.
#define LEVEL_RISE ((mjtNum)0.5)

// A contact is outside of a box, or well inside, if it is by one part in a hundred.
#define CLEAR_OF_FACE ((mjtNum)1.01)

typedef struct {
  const ct_Shape* box[2];
  mjtNum margin;
  mjtNum R[9], A[9];   // A = |R|, element by element
  mjtNum other[2][3];  // centre of the other box in the frame of each
  // the axis of least overlap
  mjtNum overlap;
  bool is_face;
  int owner, axis;      // face: of which box, normal to which of its axes; owner -1: none found
  bool negative;        // face: on the negative side
  int edge[2];          // edge: axes of the boxes along which the two edges are
  mjtNum direction[3];  // edge: the axis, in frame 1, length 1
  mjtNum sign;          // edge: 1 if box 2 lies ahead in that direction, -1: behind
  int side[2];          // edge: bit k: the edge is on the positive side of axis k of its box
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
  const mjtNum *a = x->box[0]->size, *b = x->box[1]->size;
  mjtNum reach[2][3];  // of the other box along the axes of each
  ct_mul_mat_vec3(reach[0], x->A, b);
  ct_mul_mat_t_vec3(reach[1], x->A, a);
  x->overlap = x->margin;
  for (int i = 0; i < 3; i++) x->overlap += 3 * a[i] + 3 * b[i];

  for (int i = 0; i < 3; i++) {
    for (int box = 0; box < 2; box++) {
      mjtNum away = x->other[box][i];
      mjtNum overlap = -ct_abs(away) + x->box[box]->size[i] + reach[box][i];
      if (overlap < -x->margin) return false;
      if (!(overlap < x->overlap)) continue;
      x->overlap = overlap;
      x->owner = box;
      x->axis = i;
      x->negative = away < 0;
    }
  }
  x->is_face = true;
  return true;
}

// The two axes of a box beside one of them, ascending.
typedef struct {
  int low, high;
} Beside;

LANE_INLINE Beside axes_beside(int axis) {
  Beside b = {axis == 0 ? 1 : 0, axis == 2 ? 1 : 2};
  return b;
}

// The cross product of two edges: along axis i of box 1, which is the unit vector e, and along axis
// j of box 2, which is column R_j. With t = e x R_j / length,
//
//   t . R_k = e . (R_j x R_k) / length = +-e . R_l / length,
//
// where l is the third axis of box 2 beside j and k, and the sign is + if j, k, l follow each other
// cyclically. e . R_l is an entry of row i. False if the axis separates the boxes.
LANE_FN static bool try_edge_axis(BoxAxes* x, int i, int j) {
  const mjtNum *a = x->box[0]->size, *b = x->box[1]->size, *R = x->R + 3 * i, *A = x->A + 3 * i;
  mjtNum e[3] = {0, 0, 0}, t[3];
  e[i] = 1;
  ct_column3(t, x->R, j);
  ct_cross(t, e, t);
  mjtNum length = ct_norm3(t);
  if (length < (mjtNum)mjMINVAL) return true;  // parallel: a face says the same
  ct_scl3(t, t, 1 / length);

  // the projections of both boxes, against the distance of their centres
  Beside of1 = axes_beside(i), of2 = axes_beside(j);
  mjtNum along = ct_dot3(x->other[0], t);
  mjtNum overlap = a[of1.low] * ct_abs(t[of1.low]) + a[of1.high] * ct_abs(t[of1.high]) +
                   b[of2.low] * A[of2.high] / length + b[of2.high] * A[of2.low] / length -
                   ct_abs(along);
  if (overlap < -x->margin) return false;
  if (!(overlap < x->overlap * EDGE_WINS)) return true;

  // The edge of box 1 is on the sides that look towards box 2, the edge of box 2 on those that look
  // back.
  bool behind = along < 0, cyclic = j != 1;  // j, low, high
  bool rises[2] = {(R[of2.high] > 0) != behind, (R[of2.low] > 0) != behind};
  x->overlap = overlap;
  x->is_face = false;
  x->edge[0] = i;
  x->edge[1] = j;
  ct_copy3(x->direction, t);
  x->sign = behind ? (mjtNum)-1 : (mjtNum)1;
  x->side[0] = ((t[of1.low] > 0) != behind) << of1.low | ((t[of1.high] > 0) != behind) << of1.high;
  x->side[1] = (rises[0] != cyclic) << of2.low | (rises[1] == cyclic) << of2.high;
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

// Where the segment o + t D, 0 <= t <= 1, crosses one border of the rectangle |x| <= size[0],
// |y| <= size[1]: the line where coordinate q is `side`. False if it does not.
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

// The part of the other box that lies on a face: its lowest corner o, and the edges from there that
// are nearly level, D[0] and D[1]. axes, centre, s: axes, centre and half sizes of the other box in
// the frame of the face, size: half sizes of the face.
LANE_FN static void face_points(BoxPoints* points, const mjtNum axes[9], const mjtNum centre[3],
                                const mjtNum size[3], const mjtNum s[3]) {
  mjtNum o[3], D[2][3], corner[3], opposite[3];
  int level = 0;
  ct_copy3(o, centre);
  for (int i = 0; i < 3; i++) {
    mjtNum axis[3];
    ct_column3(axis, axes, i);
    mjtNum up = axis[2] < 0 ? (mjtNum)-1 : (mjtNum)1;
    ct_add_to_scl3(o, axis, s[i] * -up);
    if (ct_abs(axis[2]) < LEVEL_RISE && level < 2) ct_scl3(D[level++], axis, s[i] * (2 * up));
  }

  // where the edges of that part cross the borders of the face, and corners of the face under it
  if (level > 0) clip_box_edge(points, o, D[0], size);
  if (level > 1) {
    clip_box_edge(points, o, D[1], size);
    ct_add3(corner, o, D[0]);
    clip_box_edge(points, corner, D[1], size);
    ct_add3(corner, o, D[1]);
    clip_box_edge(points, corner, D[0], size);
    corners_under_quad(points, o, D[0], D[1], size);
  }

  // its corners over the face; the lowest one in any case
  add_box_point(points, o[0], o[1], o[2], o[2]);
  if (level > 0) {
    ct_add3(corner, o, D[0]);
    add_if_inside(points, corner, size);
  }
  if (level > 1) {
    ct_add3(opposite, corner, D[1]);
    ct_add3(corner, o, D[1]);
    add_if_inside(points, corner, size);
    add_if_inside(points, opposite, size);
  }
}

// From the frame of a face of a box, with z = 0 in the face, to the world.
typedef struct {
  mjtNum mat[9];
  const mjtNum* pos;
  mjtNum height;  // of the face over the centre of the box
} FaceToWorld;

LANE_INLINE FaceToWorld face_to_world(const ct_Shape* box, int face, mjtNum height) {
  FaceToWorld f;
  rows_to_face_frame(f.mat, box->mat, face);
  f.pos = box->pos;
  f.height = height;
  return f;
}

LANE_INLINE void add_world_hit(ct_Hit* hit, const FaceToWorld* f, const mjtNum p[3], mjtNum z,
                               mjtNum dist, const mjtNum normal[3]) {
  mjtNum local[3] = {p[0], p[1], z + f->height}, pos[3];
  ct_mul_mat_vec3(pos, f->mat, local);
  ct_add_to3(pos, f->pos);
  ct_set_hit(hit, dist, pos, normal);
}

// The other box stands on a face of its owner.
LANE_FN static int face_contact(ct_Hit* hit, const BoxAxes* x) {
  const ct_Shape *owner = x->box[x->owner], *other = x->box[1 - x->owner];
  int face = x->axis + (x->negative ? 3 : 0), count = 0;
  mjtNum axes[9], centre[3], size[3], turned[9], normal[3];

  // axes and centre of the other box in the frame of the face
  ct_transpose3(turned, x->R);
  columns_to_face_frame(axes, x->owner == 0 ? x->R : turned, face);
  to_face_frame(centre, x->other[x->owner], face);
  abs_face_frame(size, owner->size, face);
  centre[2] -= size[2];

  BoxPoints points;
  points.count = 0;
  face_points(&points, axes, centre, size, other->size);

  // hits are halfway between the points and the face; the normal points from box 1 to box 2
  FaceToWorld to_world = face_to_world(owner, face, size[2]);
  ct_column3(normal, to_world.mat, 2);
  if (x->owner == 1) ct_scl3(normal, normal, -1);
  for (int i = 0; i < points.count; i++) {
    const mjtNum* p = points.point[i];
    if (p[2] > x->margin) continue;
    add_world_hit(hit + count++, &to_world, p, p[2] / 2, p[2], normal);
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

// Corners of the face of box 1 under the quad, which they divide by u and v: W0 + u D1 + v D2. T is
// the point of box 2 above. Quirk: the determinant is replaced by the squared distance of each
// corner that gets that far.
LANE_FN static void corners_in_quad(BoxPoints* points, const EdgeQuad* e) {
  const mjtNum* o = e->W[0];
  mjtNum D1[3], D2[3];
  ct_sub3(D1, e->W[1], o);
  ct_sub3(D2, e->W[2], o);
  mjtNum det = D1[0] * D2[1] - D2[0] * D1[1];
  bool none_yet = points->count == 0;
  for (int i = 0; i < 4; i++) {
    // the corner in coordinates of the quad; the first contact may be out along one of them
    mjtNum X = i & 2 ? e->size[0] : -e->size[0], Y = i & 1 ? e->size[1] : -e->size[1];
    mjtNum x = X - o[0], y = Y - o[1];
    mjtNum u = (x * D2[1] - y * D2[0]) * (1 / det), v = (y * D1[0] - x * D1[1]) * (1 / det);
    bool u_out = outside_unit(u), v_out = outside_unit(v);
    if (none_yet ? u_out && v_out : u_out || v_out) continue;
    u = ct_clip(u, 0, 1);
    v = ct_clip(v, 0, 1);

    // the same place on box 2, and how far it is from the corner
    mjtNum T[3], corner[3] = {X, Y, 0}, apart[3];
    ct_scl3(T, e->U[0], 1 - u - v);
    ct_add_to_scl3(T, e->U[1], u);
    ct_add_to_scl3(T, e->U[2], v);
    ct_sub3(apart, corner, T);
    mjtNum squared = ct_dot3(apart, apart);
    det = squared;

    // a contact halfway between them, if T is below the face or within the margin
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

// Of the two axes of a box beside its edge, `flat` is along the face that the edge is taken to
// belong to, `steep` is that face's normal: the axis that is more, or less, along the edge of the
// other box. `along` has how much each axis is. Quirk: a tie is not always decided for the lower
// axis.
typedef struct {
  int flat, steep;
} EdgeFace;

LANE_INLINE EdgeFace face_of_edge(int axis, const mjtNum along[3]) {
  int first = axis == 1 ? 0 : 1, second = 3 - axis - first;
  EdgeFace f = {first, second};
  if (along[first] < along[second]) {
    f.flat = second;
    f.steep = first;
  }
  return f;
}

// Corners of the face of box 2 that its edge belongs to, two on the edge and two on the opposite
// one, and their projections. All in the frame of the face of box 1; down is the axis in it.
LANE_FN static void quad_of_edge(EdgeQuad* e, const BoxAxes* x, const mjtNum axes[9],
                                 const mjtNum centre[3], const mjtNum down[3], EdgeFace face) {
  const mjtNum* b = x->box[1]->size;
  mjtNum flat[3], steep[3], edge[3];
  ct_column3(flat, axes, face.flat);
  ct_column3(steep, axes, face.steep);
  ct_column3(edge, axes, x->edge[1]);
  mjtNum flat_side = x->side[1] & 1 << face.flat ? (mjtNum)1 : (mjtNum)-1;
  mjtNum steep_side = x->side[1] & 1 << face.steep ? (mjtNum)1 : (mjtNum)-1;
  for (int i = 0; i < 4; i++) {
    mjtNum* U = e->U[i];
    ct_add_scl3(U, centre, flat, b[face.flat] * (i < 2 ? flat_side : -flat_side));
    ct_add_to_scl3(U, steep, b[face.steep] * steep_side);
    ct_add_to_scl3(U, edge, i & 1 ? -b[x->edge[1]] : b[x->edge[1]]);
    ct_add_scl3(e->W[i], U, down, -U[2] * (1 / down[2]));
  }
}

// Two edges cross.
LANE_FN static int edge_contact(ct_Hit* hit, const BoxAxes* x) {
  // the faces that the edges belong to: a quadrilateral of box 2 over a rectangle of box 1
  int i = x->edge[0], j = x->edge[1];
  mjtNum along2[3];
  ct_column3(along2, x->A, j);
  EdgeFace face1 = face_of_edge(i, along2), face2 = face_of_edge(j, x->A + 3 * i);
  int face = face1.steep + (x->side[0] & 1 << face1.steep ? 0 : 3);

  // everything in the frame of the face of box 1
  EdgeQuad e;
  mjtNum centre[3], down[3], axes[9], normal[3];
  to_face_frame(centre, x->other[0], face);
  to_face_frame(down, x->direction, face);
  columns_to_face_frame(axes, x->R, face);
  abs_face_frame(e.size, x->box[0]->size, face);
  e.margin = x->margin;
  centre[2] -= e.size[2];
  if (ct_abs(down[2]) < (mjtNum)mjMINVAL) return 0;
  e.depth_scale = 1 / down[2] * x->sign;
  quad_of_edge(&e, x, axes, centre, down, face2);

  // crossings of edges, corners of the rectangle, corners of the quadrilateral
  BoxPoints points;
  points.count = 0;
  clip_quad(&points, &e);
  int crossings = points.count;
  corners_in_quad(&points, &e);
  quad_corners(&points, &e, crossings);

  FaceToWorld to_world = face_to_world(x->box[0], face, e.size[2]);
  ct_mul_mat_vec3(normal, to_world.mat, down);
  ct_scl3(normal, normal, x->sign);
  for (int k = 0; k < points.count; k++) {
    const mjtNum* p = points.point[k];
    add_world_hit(hit + k, &to_world, p, p[2], points.dist[k], normal);
  }
  return points.count;
}

LANE_FN int ct_box_box(ct_Hit* hit, const ct_Shape* box1, const ct_Shape* box2, mjtNum margin) {
  BoxAxes x;
  mjtNum offset[3];
  x.box[0] = box1;
  x.box[1] = box2;
  x.margin = margin;

  // each box in the frame of the other
  ct_sub3(offset, box2->pos, box1->pos);
  ct_mul_mat_t_vec3(x.other[0], box1->mat, offset);
  ct_sub3(offset, box1->pos, box2->pos);
  ct_mul_mat_t_vec3(x.other[1], box2->mat, offset);
  ct_mul_mat_t_mat3(x.R, box1->mat, box2->mat);
  for (int k = 0; k < 9; k++) x.A[k] = ct_abs(x.R[k]);

  // fifteen axes; one that separates the boxes ends the search
  x.owner = -1;
  if (!try_face_axes(&x)) return 0;
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++) {
      if (!try_edge_axis(&x, i, j)) return 0;
    }
  }
  if (!x.is_face) return edge_contact(hit, &x);
  return x.owner < 0 ? 0 : face_contact(hit, &x);
}

// 1 well inside the box inflated by the margin, -1 outside, 0 between.
LANE_INLINE int side_of_box(const ct_Shape* box, const mjtNum pos[3], mjtNum margin) {
  mjtNum local[3];
  ct_sub3(local, pos, box->pos);
  ct_mul_mat_t_vec3(local, box->mat, local);
  int side = 1;
  for (int k = 0; k < 3; k++) {
    mjtNum size = box->size[k] + margin, x = ct_abs(local[k]);
    if (x > CLEAR_OF_FACE * size) return -1;
    if (!(x < size / CLEAR_OF_FACE)) side = 0;
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
