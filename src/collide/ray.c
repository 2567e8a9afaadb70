// Rays against geoms: primitives by linear and quadratic equations, meshes through their trees,
// height fields cell by cell.
//
// A ray is seen in the frame of the shape, where it is o + x w. A shape offers the values of x at
// which the ray enters or leaves it, each with the outward direction there, and the nearest one
// stays. Equal values keep the first; the order of offers is part of the result.

#include "collide/ray.h"

#include <math.h>

#include "base/memory/scratch.h"
#include "collide/height_field.h"
#include "collide/sdf.h"
#include "math/strict.h"

typedef struct {
  const mjtNum *from, *along;  // world
  const mjtNum *pos, *mat;     // the frame of the shape
  mjtNum arm[3];               // from the centre of the shape to where the ray begins, world
  mjtNum o[3], w[3];           // origin and direction in the frame, once the ray is turned into it
} LocalRay;

typedef struct {
  mjtNum x;       // -1: nothing yet
  mjtNum out[3];  // outward direction in the frame, of any length
} Nearest;

LANE_INLINE LocalRay aim_ray(const mjtNum pos[3], const mjtNum mat[9], const mjtNum from[3],
                             const mjtNum along[3]) {
  LocalRay r;
  r.from = from;
  r.along = along;
  r.pos = pos;
  r.mat = mat;
  ct_sub3(r.arm, from, pos);
  return r;
}

LANE_INLINE void turn_ray(LocalRay* r) {
  ct_mul_mat_t_vec3(r->o, r->mat, r->arm);
  ct_mul_mat_t_vec3(r->w, r->mat, r->along);
}

LANE_INLINE Nearest nothing_yet(void) {
  Nearest none = {-1, {0, 0, 0}};
  return none;
}

// Coordinate k of the point x of the ray.
LANE_INLINE mjtNum ray_at(const LocalRay* r, int k, mjtNum x) {
  return r->o[k] + x * r->w[k];
}

// Would x be nearer? Not if it is negative or not a number.
LANE_INLINE bool is_nearer(mjtNum x, mjtNum best) {
  return x >= 0 && (best < 0 || x < best);
}

LANE_INLINE void offer(Nearest* best, mjtNum x, mjtNum out0, mjtNum out1, mjtNum out2) {
  if (!is_nearer(x, best->x)) return;
  best->x = x;
  best->out[0] = out0;
  best->out[1] = out1;
  best->out[2] = out2;
}

// The outward direction as a unit vector in the world; nothing without a hit, or if nobody asks.
LANE_INLINE mjtNum nearest_in_world(const Nearest* best, const mjtNum mat[9], mjtNum normal[3]) {
  if (normal && best->x >= 0) {
    ct_copy3(normal, best->out);
    ct_normalize3(normal);
    ct_mul_mat_vec3(normal, mat, normal);
  }
  return best->x;
}

// Where a x^2 + 2 b x + c is zero, ascending: a ray is inside of a round shape between the two.
// Both are -1 if it never is, or runs along it.
typedef struct {
  mjtNum enters, leaves;
} Passage;

LANE_INLINE Passage round_passage(mjtNum a, mjtNum b, mjtNum c) {
  Passage p = {-1, -1};
  mjtNum discriminant = b * b - a * c;
  if (discriminant < 0 || a < (mjtNum)mjMINVAL) return p;
  mjtNum root = ct_sqrt(discriminant);
  p.enters = (-b - root) / a;
  p.leaves = (-b + root) / a;
  return p;
}

// The first that is not behind the ray's origin; -1 if both are.
LANE_INLINE mjtNum first_ahead(Passage p) {
  return p.enters >= 0 ? p.enters : p.leaves >= 0 ? p.leaves : (mjtNum)-1;
}

// A ball around the centre of the shape: no need to turn the ray.
LANE_INLINE mjtNum reach_ball(const LocalRay* r, mjtNum radius) {
  return first_ahead(round_passage(ct_dot3(r->along, r->along), ct_dot3(r->along, r->arm),
                                   ct_dot3(r->arm, r->arm) - radius * radius));
}

// Shapes. Those that are long or have corners are left alone by rays that miss a ball around them.

// Planes are seen from the front only, and end at their size where that is positive.
LANE_FN static void meet_plane(LocalRay* r, const mjtNum size[3], Nearest* best) {
  turn_ray(r);
  if (r->w[2] > -(mjtNum)mjMINVAL) return;
  mjtNum x = -r->o[2] / r->w[2];
  for (int k = 0; k < 2; k++) {
    if (size[k] > 0 && ct_abs(ray_at(r, k, x)) > size[k]) return;
  }
  offer(best, x, 0, 0, 1);
}

// x^2 / s^2 summed over the axes is 1 on the surface; its gradient points outward.
LANE_FN static void meet_ellipsoid(LocalRay* r, const mjtNum size[3], Nearest* best) {
  mjtNum weight[3], a = 0, b = 0, c = 0;
  turn_ray(r);
  for (int k = 0; k < 3; k++) {
    weight[k] = 1 / (size[k] * size[k]);
    a += weight[k] * r->w[k] * r->w[k];
    b += weight[k] * r->w[k] * r->o[k];
    c += weight[k] * r->o[k] * r->o[k];
  }
  mjtNum x = first_ahead(round_passage(a, b, c - 1));
  offer(best, x, weight[0] * ray_at(r, 0, x), weight[1] * ray_at(r, 1, x),
        weight[2] * ray_at(r, 2, x));
}

// The round side between the heights -h and h.
LANE_FN static void meet_tube(const LocalRay* r, mjtNum radius, mjtNum h, Nearest* best) {
  const mjtNum *o = r->o, *w = r->w;
  mjtNum x = first_ahead(round_passage(w[0] * w[0] + w[1] * w[1], w[0] * o[0] + w[1] * o[1],
                                       o[0] * o[0] + o[1] * o[1] - radius * radius));
  if (ct_abs(ray_at(r, 2, x)) <= h) offer(best, x, ray_at(r, 0, x), ray_at(r, 1, x), 0);
}

// Of the ball at one end (sign 1 above, -1 below) only what is beyond the tube is surface.
LANE_FN static void meet_round_end(const LocalRay* r, mjtNum radius, mjtNum h, mjtNum sign,
                                   Nearest* best) {
  mjtNum arm[3] = {r->o[0], r->o[1], r->o[2] - sign * h};
  Passage p =
      round_passage(ct_dot3(r->w, r->w), ct_dot3(r->w, arm), ct_dot3(arm, arm) - radius * radius);
  const mjtNum x[2] = {p.enters, p.leaves};
  for (int i = 0; i < 2; i++) {
    mjtNum z = ray_at(r, 2, x[i]);
    if (!(z * sign < h)) offer(best, x[i], ray_at(r, 0, x[i]), ray_at(r, 1, x[i]), z - sign * h);
  }
}

LANE_FN static void meet_capsule(LocalRay* r, const mjtNum size[3], Nearest* best) {
  mjtNum radius = size[0], h = size[1];
  if (reach_ball(r, radius + h) < 0) return;
  turn_ray(r);
  meet_tube(r, radius, h, best);
  meet_round_end(r, radius, h, 1, best);
  meet_round_end(r, radius, h, -1, best);
}

LANE_FN static void meet_cylinder(LocalRay* r, const mjtNum size[3], Nearest* best) {
  mjtNum radius = size[0], h = size[1];
  if (reach_ball(r, ct_sqrt(radius * radius + h * h)) < 0) return;
  turn_ray(r);
  bool level = !(ct_abs(r->w[2]) > (mjtNum)mjMINVAL);  // such a ray meets no cap
  for (int end = -1; end <= 1 && !level; end += 2) {
    mjtNum x = ((mjtNum)end * h - r->o[2]) / r->w[2];
    mjtNum p0 = ray_at(r, 0, x), p1 = ray_at(r, 1, x);
    if (p0 * p0 + p1 * p1 <= radius * radius) offer(best, x, 0, 0, (mjtNum)end);
  }
  meet_tube(r, radius, h, best);
}

// Values of x at the faces of a box, -x, +x, -y, ..., where the ray meets them; else -1.
typedef struct {
  mjtNum x[6];
} FaceHits;

LANE_FN static FaceHits meet_box(LocalRay* r, const mjtNum size[3], Nearest* best) {
  FaceHits hits = {{-1, -1, -1, -1, -1, -1}};
  if (reach_ball(r, ct_norm3(size)) < 0) return hits;
  turn_ray(r);
  for (int face = 0; face < 6; face++) {
    int axis = face / 2, other = (axis + 1) % 3, third = (axis + 2) % 3;
    mjtNum sign = face % 2 ? (mjtNum)1 : (mjtNum)-1;
    if (!(ct_abs(r->w[axis]) > (mjtNum)mjMINVAL)) continue;
    mjtNum x = (sign * size[axis] - r->o[axis]) / r->w[axis];
    bool within =
        ct_abs(ray_at(r, other, x)) <= size[other] && ct_abs(ray_at(r, third, x)) <= size[third];
    if (!(x >= 0) || !within) continue;
    hits.x[face] = x;
    offer(best, x, axis == 0 ? sign : 0, axis == 1 ? sign : 0, axis == 2 ? sign : 0);
  }
  return hits;
}

// The normal of a ball is taken in the world too.
LANE_FN static mjtNum ray_ball(const LocalRay* r, mjtNum radius, mjtNum normal[3]) {
  mjtNum x = reach_ball(r, radius);
  if (normal && x >= 0) {
    ct_add_scl3(normal, r->from, r->along, x);
    ct_sub_from3(normal, r->pos);
    ct_normalize3(normal);
  }
  return x;
}

LANE_FN mjtNum ct_ray_shape(const ct_Shape* shape, const mjtNum from[3], const mjtNum along[3],
                            mjtNum normal[3]) {
  LocalRay r = aim_ray(shape->pos, shape->mat, from, along);
  Nearest best = nothing_yet();
  if (normal) ct_zero3(normal);
  switch (shape->type) {
    case mjGEOM_SPHERE:
      return ray_ball(&r, shape->size[0], normal);
    case mjGEOM_BOX:
      meet_box(&r, shape->size, &best);
      break;
    case mjGEOM_CAPSULE:
      meet_capsule(&r, shape->size, &best);
      break;
    case mjGEOM_CYLINDER:
      meet_cylinder(&r, shape->size, &best);
      break;
    case mjGEOM_ELLIPSOID:
      meet_ellipsoid(&r, shape->size, &best);
      break;
    case mjGEOM_PLANE:
      meet_plane(&r, shape->size, &best);
      break;
    default:
      break;
  }
  return nearest_in_world(&best, shape->mat, normal);
}

// Triangles are looked at in a plane across the ray, in coordinates along two axes of it.
typedef struct {
  mjtNum axis[2][3];
} Across;

LANE_FN static Across across_ray(const mjtNum w[3]) {
  Across a;
  int longest = 0;
  for (int k = 1; k < 3; k++) longest = ct_abs(w[k]) > ct_abs(w[longest]) ? k : longest;
  for (int k = 0; k < 3; k++) a.axis[0][k] = k == longest ? 0 : 1;
  ct_add_scl3(a.axis[1], a.axis[0], w, -ct_dot3(w, a.axis[0]) / ct_dot3(w, w));
  ct_normalize3(a.axis[1]);
  ct_cross(a.axis[0], a.axis[1], w);
  ct_normalize3(a.axis[0]);
  return a;
}

LANE_INLINE mjtNum flat_cross(const mjtNum a[2], const mjtNum b[2]) {
  return a[0] * b[1] - a[1] * b[0];
}

// In that plane the ray is the point 0. With p_i the corners, a = p_0 - p_2 and b = p_1 - p_2, it
// lies in the triangle if -p_2 = s a + t b with s, t >= 0 and s + t <= 1.
LANE_FN static bool ray_passes(const mjtNum v[3][3], const LocalRay* r, const Across* plane) {
  mjtNum p[3][2], arm[3], a[2], b[2], to[2];
  for (int i = 0; i < 3; i++) {
    ct_sub3(arm, v[i], r->o);
    for (int k = 0; k < 2; k++) p[i][k] = ct_dot3(plane->axis[k], arm);
  }
  for (int k = 0; k < 2; k++) {
    if (p[0][k] > 0 && p[1][k] > 0 && p[2][k] > 0) return false;
    if (p[0][k] < 0 && p[1][k] < 0 && p[2][k] < 0) return false;
    a[k] = p[0][k] - p[2][k];
    b[k] = p[1][k] - p[2][k];
    to[k] = -p[2][k];
  }
  mjtNum area = flat_cross(a, b);
  if (ct_abs(area) < (mjtNum)mjMINVAL) return false;
  mjtNum s = flat_cross(to, b) / area, t = flat_cross(a, to) / area;
  return !(s < 0 || t < 0 || s + t > 1);
}

// Offers where the ray passes the plane of a triangle that it passes through. The outward direction
// is by the order of the corners.
LANE_FN static void meet_triangle(const mjtNum v[3][3], const LocalRay* r, const Across* plane,
                                  Nearest* best) {
  mjtNum e0[3], e1[3], arm[3], n[3];
  if (!ray_passes(v, r, plane)) return;
  ct_sub3(e0, v[0], v[2]);
  ct_sub3(e1, v[1], v[2]);
  ct_sub3(arm, r->o, v[2]);
  ct_cross(n, e0, e1);
  mjtNum slope = ct_dot3(r->w, n);
  if (ct_abs(slope) < (mjtNum)mjMINVAL) return;
  offer(best, -ct_dot3(arm, n) / slope, n[0], n[1], n[2]);
}

// Does the ray meet a box (centre, half sizes)? Between pairs of faces it is for x from `from` to
// `to`. Written so that a NaN, from a ray that lies in a face, misses.
LANE_FN static bool ray_meets_box(const mjtNum box[6], const LocalRay* r, const mjtNum inverse[3]) {
  mjtNum from = 0, to = (mjtNum)INFINITY;
  for (int k = 0; k < 3; k++) {
    mjtNum below = (box[k] - box[3 + k] - r->o[k]) * inverse[k];
    mjtNum above = (box[k] + box[3 + k] - r->o[k]) * inverse[k];
    mjtNum near = below < above ? below : above, far = below < above ? above : below;
    from = from > near ? from : near;
    to = to < far ? to : far;
  }
  return from < to;
}

// Is the ray clear of the box in which a geom with data of its own lies? If not, it has been
// turned.
LANE_FN static bool misses_geom_box(const mjModel* m, LocalRay* r, int geom) {
  Nearest best = nothing_yet();
  meet_box(r, m->geom_size + 3 * geom, &best);
  return best.x < 0;
}

LANE_INLINE LocalRay ray_to_geom(const mjData* d, int geom, const mjtNum from[3],
                                 const mjtNum along[3]) {
  return aim_ray(d->geom_xpos + 3 * geom, d->geom_xmat + 9 * geom, from, along);
}

LANE_FN mjtNum ct_ray_triangle(const mjtNum v[3][3], const mjtNum from[3], const mjtNum along[3],
                               mjtNum normal[3]) {
  const mjtNum origin[3] = {0, 0, 0}, upright[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  LocalRay r = aim_ray(origin, upright, from, along);
  ct_copy3(r.o, from);
  ct_copy3(r.w, along);
  Across plane = across_ray(along);
  Nearest best = nothing_yet();
  meet_triangle(v, &r, &plane, &best);
  return nearest_in_world(&best, upright, normal);
}

enum { RAY_STACK = 128 };

LANE_FN mjtNum ct_ray_mesh(const mjModel* m, const mjData* d, int geom, const mjtNum from[3],
                           const mjtNum along[3], mjtNum normal[3]) {
  LocalRay r = ray_to_geom(d, geom, from, along);
  Nearest best = nothing_yet();
  if (normal) ct_zero3(normal);
  if (misses_geom_box(m, &r, geom)) return -1;

  int mesh = m->geom_dataid[geom], root = m->mesh_bvhadr[mesh];
  const float* vert = m->mesh_vert + 3 * m->mesh_vertadr[mesh];
  const int* face = m->mesh_face + 3 * m->mesh_faceadr[mesh];
  Across plane = across_ray(r.w);
  mjtNum inverse[3] = {1 / r.w[0], 1 / r.w[1], 1 / r.w[2]};

  // down the tree of the mesh, whose leaves are its triangles
  int stack[RAY_STACK], depth = 0;
  stack[depth++] = 0;
  while (depth > 0) {
    int node = root + stack[--depth], triangle = m->bvh_nodeid[node];
    if (!ray_meets_box(m->bvh_aabb + 6 * node, &r, inverse)) continue;
    if (triangle != -1) {
      mjtNum v[3][3];
      for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) v[i][k] = (mjtNum)vert[3 * face[3 * triangle + i] + k];
      }
      meet_triangle((const mjtNum(*)[3])v, &r, &plane, &best);
      continue;
    }
    for (int i = 0; i < 2; i++) {
      int child = m->bvh_child[2 * node + i];
      if (child != -1 && depth < RAY_STACK) stack[depth++] = child;
    }
  }
  return nearest_in_world(&best, r.mat, normal);
}

// Both triangles of all cells near the part of the ray from x = begin to x = end.
LANE_FN static void meet_cells(const ct_HeightField* f, const LocalRay* r, mjtNum begin, mjtNum end,
                               Nearest* best) {
  Across plane = across_ray(r->w);
  mjtNum c0 = (ray_at(r, 0, begin) + f->sx) / f->dx, c1 = (ray_at(r, 0, end) + f->sx) / f->dx;
  mjtNum r0 = (ray_at(r, 1, begin) + f->sy) / f->dy, r1 = (ray_at(r, 1, end) + f->sy) / f->dy;
  int columns = f->columns - 1, rows = f->rows - 1;  // of cells
  int first_column = ct_grid_index((mjtNum)floor(ct_min(c0, c1)) - 1, 0, columns);
  int end_column = ct_grid_index((mjtNum)ceil(ct_max(c0, c1)) + 1, 0, columns);
  int first_row = ct_grid_index((mjtNum)floor(ct_min(r0, r1)) - 1, 0, rows);
  int end_row = ct_grid_index((mjtNum)ceil(ct_max(r0, r1)) + 1, 0, rows);
  for (int row = first_row; row < end_row; row++) {
    for (int column = first_column; column < end_column; column++) {
      for (int half = 0; half < 2; half++) {
        const int corner[2][3][2] = {{{0, 0}, {0, 1}, {1, 1}}, {{0, 0}, {1, 1}, {1, 0}}};
        mjtNum v[3][3];
        for (int i = 0; i < 3; i++) {
          int vr = row + corner[half][i][0], vc = column + corner[half][i][1];
          v[i][0] = f->dx * (mjtNum)vc - f->sx;
          v[i][1] = f->dy * (mjtNum)vr - f->sy;
          v[i][2] = (mjtNum)f->data[vr * f->columns + vc] * f->sz;
        }
        meet_triangle((const mjtNum(*)[3])v, r, &plane, best);
      }
    }
  }
}

// Is the terrain at a side of the field higher than the ray there?
LANE_FN static bool under_border(const ct_HeightField* f, const LocalRay* r, int side, mjtNum x) {
  bool across_x = side < 2;  // sides -x and +x have the rows along them
  mjtNum along = across_x ? (ray_at(r, 1, x) + f->sy) / f->dy : (ray_at(r, 0, x) + f->sx) / f->dx;
  int n = across_x ? f->rows : f->columns;
  int at = ct_grid_index((mjtNum)floor(along), 0, n - 2);
  int fixed = side % 2 ? (across_x ? f->columns : f->rows) - 1 : 0;
  int i0 = across_x ? at * f->columns + fixed : fixed * f->columns + at;
  int i1 = across_x ? i0 + f->columns : i0 + 1;
  mjtNum part = along - (mjtNum)at;
  mjtNum profile = (mjtNum)f->data[i0] * (1 - part) + (mjtNum)f->data[i1] * part;
  return ray_at(r, 2, x) / f->sz < profile;
}

// The box between two heights over the rectangle of the field.
LANE_FN static FaceHits meet_layer(const ct_HeightField* f, const LocalRay* r, mjtNum middle,
                                   mjtNum half, Nearest* best) {
  mjtNum size[3] = {f->sx, f->sy, half}, up[3], centre[3];
  ct_column3(up, r->mat, 2);
  ct_add_scl3(centre, r->pos, up, middle);
  LocalRay to_layer = aim_ray(centre, r->mat, r->from, r->along);
  return meet_box(&to_layer, size, best);
}

LANE_FN mjtNum ct_ray_hfield(const mjModel* m, const mjData* d, int geom, const mjtNum from[3],
                             const mjtNum along[3], mjtNum normal[3]) {
  ct_HeightField f = ct_height_field(m, geom);
  LocalRay r = ray_to_geom(d, geom, from, along);
  Nearest best = nothing_yet(), layer = nothing_yet();
  if (normal) ct_zero3(normal);

  // the base is solid, the terrain is somewhere in the layer above
  meet_layer(&f, &r, -f.base / 2, f.base / 2, &best);
  FaceHits sides = meet_layer(&f, &r, f.sz / 2, f.sz / 2, &layer);
  if (layer.x >= 0) {
    // from where the ray begins, or enters the layer, to where it leaves it
    mjtNum begin = 0, end = layer.x;
    for (int face = 0; face < 6; face++) {
      if (!(sides.x[face] > end)) continue;
      begin = layer.x;
      end = sides.x[face];
    }
    turn_ray(&r);
    meet_cells(&f, &r, begin, end, &best);

    // the terrain is cut off at the sides of the layer, and solid below
    for (int side = 0; side < 4; side++) {
      mjtNum x = sides.x[side], sign = side % 2 ? (mjtNum)1 : (mjtNum)-1;
      if (!is_nearer(x, best.x) || !under_border(&f, &r, side, x)) continue;
      offer(&best, x, side < 2 ? sign : 0, side < 2 ? 0 : sign, 0);
    }
  }
  return nearest_in_world(&best, r.mat, normal);
}

LANE_FN mjtNum ct_ray_geom(const mjModel* m, const mjData* d, int geom, const mjtNum from[3],
                           const mjtNum along[3], mjtNum normal[3]) {
  int type = m->geom_type[geom];
  if (type == mjGEOM_HFIELD) return ct_ray_hfield(m, d, geom, from, along, normal);
  if (type == mjGEOM_MESH) return ct_ray_mesh(m, d, geom, from, along, normal);
  if (type == mjGEOM_SDF) {
    LocalRay r = ray_to_geom(d, geom, from, along);
    if (normal) ct_zero3(normal);
    return misses_geom_box(m, &r, geom) ? (mjtNum)-1 : ct_ray_sdf(m, d, geom, from, along, normal);
  }
  ct_Shape shape = ct_shape_of(m, d, geom);
  return ct_ray_shape(&shape, from, along, normal);
}

// Is the geom out of sight: of the excluded body, transparent, fixed or of a group that is off?
LANE_FN static bool ray_ignores(const mjModel* m, int geom, const ct_RayFilter* filter) {
  int body = m->geom_bodyid[geom], material = m->geom_matid[geom];
  if (body == filter->exclude) return true;
  float alpha = material < 0 ? m->geom_rgba[4 * geom + 3] : m->mat_rgba[4 * material + 3];
  if (alpha == 0) return true;
  if (!filter->fixed && m->body_weldid[body] == 0) return true;
  if (!filter->group) return false;
  int group = m->geom_group[geom];
  group = group < 0 ? 0 : group >= mjNGROUP ? mjNGROUP - 1 : group;
  return !filter->group[group];
}

LANE_FN mjtNum ct_ray(const mjModel* m, const mjData* d, const mjtNum from[3],
                      const mjtNum along[3], ct_RayFilter filter, int* geom, mjtNum normal[3]) {
  mjtNum best = -1, n[3];
  if (geom) *geom = -1;
  if (normal) ct_zero3(normal);
  for (int i = 0; i < m->ngeom; i++) {
    if (ray_ignores(m, i, &filter)) continue;
    mjtNum x = ct_ray_geom(m, d, i, from, along, normal ? n : NULL);
    if (!is_nearer(x, best)) continue;
    best = x;
    if (geom) *geom = i;
    if (normal) ct_copy3(normal, n);
  }
  return best;
}

// Many rays from one point. Geoms are left out early if they are beyond the cutoff or outside of
// the window of directions, azimuth and elevation, that their box covers. Quirk: a body with a tree
// is left out if the ray misses the sphere around its root box, whose centre is not turned with the
// body; some hits of single rays are lost by that, and range finders depend on it.

typedef struct {  // directions that a geom covers
  mjtNum azimuth[2], elevation[2];
} Window;

LANE_INLINE mjtNum azimuth_of(const mjtNum v[3]) {
  return ct_atan2(v[1], v[0]);
}

LANE_INLINE mjtNum elevation_of(const mjtNum v[3]) {
  return ct_atan2(ct_sqrt(v[0] * v[0] + v[1] * v[1]), v[2]);
}

LANE_FN static Window geom_window(const mjModel* m, const mjData* d, int geom,
                                  const mjtNum from[3]) {
  const mjtNum* box = m->geom_aabb + 6 * geom;
  const mjtNum *pos = d->geom_xpos + 3 * geom, *mat = d->geom_xmat + 9 * geom;
  const Window full = {{-CT_PI, CT_PI}, {0, CT_PI}};
  Window w;
  mjtNum local[3], corner[3];
  ct_sub3(local, from, pos);
  mjtNum distance = ct_norm3(local);
  ct_mul_mat_t_vec3(local, mat, local);
  bool inside = true;
  for (int k = 0; k < 3; k++) inside = inside && ct_abs(local[k] - box[k]) <= box[3 + k];
  if (inside) return full;

  for (int i = 0; i < 8; i++) {
    for (int k = 0; k < 3; k++) corner[k] = box[k] + (i & 1 << k ? box[3 + k] : -box[3 + k]);
    ct_mul_mat_vec3(corner, mat, corner);
    ct_add_to3(corner, pos);
    ct_sub_from3(corner, from);
    mjtNum azimuth = azimuth_of(corner), elevation = elevation_of(corner);
    w.azimuth[0] = i && w.azimuth[0] < azimuth ? w.azimuth[0] : azimuth;
    w.azimuth[1] = i && w.azimuth[1] > azimuth ? w.azimuth[1] : azimuth;
    w.elevation[0] = i && w.elevation[0] < elevation ? w.elevation[0] : elevation;
    w.elevation[1] = i && w.elevation[1] > elevation ? w.elevation[1] : elevation;
  }
  if (distance > (mjtNum)mjMINVAL) {
    mjtNum size = ct_max(ct_max(box[3], box[4]), box[5]), widen = ct_atan2(size, distance);
    w.azimuth[0] -= widen;
    w.azimuth[1] += widen;
    w.elevation[0] -= widen;
    w.elevation[1] += widen;
  }
  if (w.azimuth[1] - w.azimuth[0] > CT_PI || w.elevation[1] - w.elevation[0] > CT_PI) return full;
  return w;
}

LANE_INLINE bool in_window(const Window* w, mjtNum azimuth, mjtNum elevation) {
  if (elevation < w->elevation[0] || elevation > w->elevation[1]) return false;
  mjtNum apart = azimuth - (w->azimuth[0] + w->azimuth[1]) / 2;
  if (apart > CT_PI) apart -= 2 * CT_PI;
  if (apart < -CT_PI) apart += 2 * CT_PI;
  return ct_abs(apart) <= (w->azimuth[1] - w->azimuth[0]) / 2;
}

LANE_FN static bool ray_misses_body(const mjModel* m, const mjData* d, int b, const mjtNum from[3],
                                    const mjtNum along[3]) {
  if (m->body_bvhadr[b] < 0) return false;
  const mjtNum* box = m->bvh_aabb + 6 * m->body_bvhadr[b];
  mjtNum centre[3];
  ct_add3(centre, d->xipos + 3 * b, box);
  LocalRay r = aim_ray(centre, d->ximat + 9 * b, from, along);
  return reach_ball(&r, ct_norm3(box + 3)) < 0;
}

// One of many rays; ignored (ngeom) and window (ngeom) have been prepared.
LANE_FN static mjtNum one_of_rays(const mjModel* m, const mjData* d, const mjtNum from[3],
                                  const mjtNum along[3], const int* ignored, const Window* window,
                                  int* geom, mjtNum normal[3]) {
  mjtNum best = -1, n[3], azimuth = azimuth_of(along), elevation = elevation_of(along);
  *geom = -1;
  ct_zero3(normal);
  for (int b = 0; b < m->nbody; b++) {
    if (!m->body_geomnum[b] || ray_misses_body(m, d, b, from, along)) continue;
    bool tree = m->body_bvhadr[b] >= 0;
    for (int k = 0; k < m->body_geomnum[b]; k++) {
      int i = m->body_geomadr[b] + k;
      if (ignored[i] || (tree && !in_window(window + i, azimuth, elevation))) continue;
      mjtNum x = ct_ray_geom(m, d, i, from, along, n);
      if (!is_nearer(x, best)) continue;
      best = x;
      *geom = i;
      ct_copy3(normal, n);
    }
  }
  return best;
}

LANE_FN static void prepare_rays(Lane g, const mjModel* m, const mjData* d, const mjtNum from[3],
                                 const ct_RayFilter* filter, mjtNum cutoff, int* ignored,
                                 Window* window) {
  LANE_FOR(i, g, m->ngeom) {
    ignored[i] = ray_ignores(m, i, filter);
    if (ignored[i] || m->body_bvhadr[m->geom_bodyid[i]] < 0) continue;
    if (ct_dist3(d->geom_xpos + 3 * i, from) > cutoff + m->geom_rbound[i]) {
      ignored[i] = 1;
    } else {
      window[i] = geom_window(m, d, i, from);
    }
  }
  lane_sync(g);
}

LANE_FN int ct_multi_ray(Lane g, const mjModel* m, mjData* d, const mjtNum from[3],
                         const mjtNum* along, ct_RayFilter filter, int* geom, mjtNum* dist,
                         mjtNum* normal, int count, mjtNum cutoff) {
  if (!lane_mark(g, d)) return CT_STACK_FULL;
  int ngeom = (int)m->ngeom;
  int* ignored = lane_scratch_int(g, d, ngeom);
  Window* window = ignored ? (Window*)lane_scratch_num(g, d, 4 * ngeom) : NULL;
  if (window) {
    prepare_rays(g, m, d, from, &filter, cutoff, ignored, window);
    LANE_FOR(i, g, count) {
      int nearest;
      mjtNum n[3];
      if (ct_dot3(along + 3 * i, along + 3 * i) < (mjtNum)mjMINVAL) {
        dist[i] = -1;
        continue;
      }
      dist[i] = one_of_rays(m, d, from, along + 3 * i, ignored, window, &nearest, n);
      if (geom) geom[i] = nearest;
      if (normal) ct_copy3(normal + 3 * i, n);
    }
  }
  lane_free(g, d);
  return window ? CT_OK : CT_STACK_FULL;
}
