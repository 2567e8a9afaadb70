// Rays against geoms: primitives by quadratic equations, meshes through their trees, height fields
// cell by cell. o and w are the origin and the direction of the ray in the frame of the shape.

#include "collide/ray.h"

#include <math.h>

#include "base/memory/scratch.h"
#include "collide/height_field.h"
#include "collide/sdf.h"
#include "math/strict.h"

typedef struct {
  mjtNum o[3], w[3];
} LocalRay;

LANE_INLINE LocalRay local_ray(const mjtNum pos[3], const mjtNum mat[9], const mjtNum pnt[3],
                               const mjtNum vec[3]) {
  LocalRay r;
  mjtNum offset[3];
  ct_sub3(offset, pnt, pos);
  ct_mul_mat_t_vec3(r.o, mat, offset);
  ct_mul_mat_t_vec3(r.w, mat, vec);
  return r;
}

// Roots of a x^2 + 2 b x + c, the smaller first; the answer is the first that is not negative.
LANE_INLINE mjtNum ray_roots(mjtNum a, mjtNum b, mjtNum c, mjtNum x[2]) {
  mjtNum det = b * b - a * c;
  if (det < 0 || a < (mjtNum)mjMINVAL) {
    x[0] = x[1] = -1;
    return -1;
  }
  mjtNum root = ct_sqrt(det);
  x[0] = (-b - root) / a;
  x[1] = (-b + root) / a;
  return x[0] >= 0 ? x[0] : x[1] >= 0 ? x[1] : (mjtNum)-1;
}

// The direction of a local vector, in the world.
LANE_INLINE void world_direction(mjtNum normal[3], const mjtNum mat[9], mjtNum x, mjtNum y,
                                 mjtNum z) {
  mjtNum n[3] = {x, y, z};
  ct_normalize3(n);
  ct_mul_mat_vec3(normal, mat, n);
}

LANE_INLINE mjtNum at_ray(const LocalRay* r, int k, mjtNum x) {
  return r->o[k] + x * r->w[k];
}

// Planes are seen from the front only, and end at their size where that is positive.
LANE_FN static mjtNum ray_plane(const mjtNum pos[3], const mjtNum mat[9], const mjtNum size[3],
                                const mjtNum pnt[3], const mjtNum vec[3], mjtNum normal[3]) {
  LocalRay r = local_ray(pos, mat, pnt, vec);
  if (r.w[2] > -(mjtNum)mjMINVAL) return -1;
  mjtNum x = -r.o[2] / r.w[2];
  if (x < 0) return -1;
  for (int k = 0; k < 2; k++) {
    if (size[k] > 0 && ct_abs(at_ray(&r, k, x)) > size[k]) return -1;
  }
  if (normal) ct_column3(normal, mat, 2);
  return x;
}

LANE_FN static mjtNum ray_sphere(const mjtNum pos[3], mjtNum radius, const mjtNum pnt[3],
                                 const mjtNum vec[3], mjtNum normal[3]) {
  mjtNum offset[3], roots[2];
  ct_sub3(offset, pnt, pos);
  mjtNum x = ray_roots(ct_dot3(vec, vec), ct_dot3(vec, offset),
                       ct_dot3(offset, offset) - radius * radius, roots);
  if (normal && x >= 0) {
    ct_add_scl3(normal, pnt, vec, x);
    ct_sub_from3(normal, pos);
    ct_normalize3(normal);
  }
  return x;
}

LANE_FN static mjtNum ray_ellipsoid(const mjtNum pos[3], const mjtNum mat[9], const mjtNum size[3],
                                    const mjtNum pnt[3], const mjtNum vec[3], mjtNum normal[3]) {
  LocalRay r = local_ray(pos, mat, pnt, vec);
  mjtNum s[3], roots[2], a = 0, b = 0, c = 0;
  for (int k = 0; k < 3; k++) {
    s[k] = 1 / (size[k] * size[k]);
    a += s[k] * r.w[k] * r.w[k];
    b += s[k] * r.w[k] * r.o[k];
    c += s[k] * r.o[k] * r.o[k];
  }
  mjtNum x = ray_roots(a, b, c - 1, roots);
  if (normal && x >= 0) {
    world_direction(normal, mat, s[0] * at_ray(&r, 0, x), s[1] * at_ray(&r, 1, x),
                    s[2] * at_ray(&r, 2, x));
  }
  return x;
}

// Where the ray meets the infinite cylinder of radius r, within half the height h.
LANE_FN static mjtNum ray_round_side(const LocalRay* r, mjtNum radius, mjtNum h) {
  mjtNum roots[2];
  mjtNum x = ray_roots(r->w[0] * r->w[0] + r->w[1] * r->w[1], r->w[0] * r->o[0] + r->w[1] * r->o[1],
                       r->o[0] * r->o[0] + r->o[1] * r->o[1] - radius * radius, roots);
  return x >= 0 && ct_abs(at_ray(r, 2, x)) <= h ? x : (mjtNum)-1;
}

LANE_FN static mjtNum ray_capsule(const mjtNum pos[3], const mjtNum mat[9], const mjtNum size[3],
                                  const mjtNum pnt[3], const mjtNum vec[3], mjtNum normal[3]) {
  mjtNum radius = size[0], h = size[1];
  if (ray_sphere(pos, radius + h, pnt, vec, NULL) < 0) return -1;
  LocalRay r = local_ray(pos, mat, pnt, vec);
  mjtNum best = ray_round_side(&r, radius, h);
  int part = 0;  // side 0, top 1, bottom -1
  for (int end = 1; end >= -1; end -= 2) {
    mjtNum roots[2], dif[3] = {r.o[0], r.o[1], r.o[2] - (mjtNum)end * h};
    ray_roots(ct_dot3(r.w, r.w), ct_dot3(r.w, dif), ct_dot3(dif, dif) - radius * radius, roots);
    for (int i = 0; i < 2; i++) {
      if (!(roots[i] >= 0) || at_ray(&r, 2, roots[i]) * (mjtNum)end < h) continue;
      if (best < 0 || roots[i] < best) {
        best = roots[i];
        part = end;
      }
    }
  }
  if (normal && best >= 0) {
    mjtNum z = part ? at_ray(&r, 2, best) - (mjtNum)part * h : 0;
    world_direction(normal, mat, at_ray(&r, 0, best), at_ray(&r, 1, best), z);
  }
  return best;
}

LANE_FN static mjtNum ray_cylinder(const mjtNum pos[3], const mjtNum mat[9], const mjtNum size[3],
                                   const mjtNum pnt[3], const mjtNum vec[3], mjtNum normal[3]) {
  mjtNum radius = size[0], h = size[1], best = -1;
  if (ray_sphere(pos, ct_sqrt(radius * radius + h * h), pnt, vec, NULL) < 0) return -1;
  LocalRay r = local_ray(pos, mat, pnt, vec);
  int part = 0;
  for (int end = -1; end <= 1 && ct_abs(r.w[2]) > (mjtNum)mjMINVAL; end += 2) {
    mjtNum x = ((mjtNum)end * h - r.o[2]) / r.w[2];
    mjtNum px = at_ray(&r, 0, x), py = at_ray(&r, 1, x);
    if (!(x >= 0) || !(px * px + py * py <= radius * radius)) continue;
    if (best < 0 || x < best) {
      best = x;
      part = end;
    }
  }
  mjtNum x = ray_round_side(&r, radius, h);
  if (x >= 0 && (best < 0 || x < best)) {
    best = x;
    part = 0;
  }
  if (normal && best >= 0) {
    if (part) {
      world_direction(normal, mat, 0, 0, (mjtNum)part);
    } else {
      world_direction(normal, mat, at_ray(&r, 0, best), at_ray(&r, 1, best), 0);
    }
  }
  return best;
}

// all (6): where the ray meets the faces -x, +x, -y, ... within the box, -1: nowhere.
LANE_FN static mjtNum ray_box(const mjtNum pos[3], const mjtNum mat[9], const mjtNum size[3],
                              const mjtNum pnt[3], const mjtNum vec[3], mjtNum all[6],
                              mjtNum normal[3]) {
  mjtNum best = -1;
  int face = 0;
  for (int i = 0; i < 6; i++) all[i] = -1;
  if (ray_sphere(pos, ct_norm3(size), pnt, vec, NULL) < 0) return -1;
  LocalRay r = local_ray(pos, mat, pnt, vec);
  for (int k = 0; k < 3; k++) {
    if (!(ct_abs(r.w[k]) > (mjtNum)mjMINVAL)) continue;
    int k1 = (k + 1) % 3, k2 = (k + 2) % 3;
    for (int side = 0; side < 2; side++) {
      mjtNum x = ((side ? size[k] : -size[k]) - r.o[k]) / r.w[k];
      if (!(x >= 0) || !(ct_abs(at_ray(&r, k1, x)) <= size[k1]) ||
          !(ct_abs(at_ray(&r, k2, x)) <= size[k2])) {
        continue;
      }
      all[2 * k + side] = x;
      if (best < 0 || x < best) {
        best = x;
        face = 2 * k + side;
      }
    }
  }
  if (normal && best >= 0) {
    ct_column3(normal, mat, face / 2);
    if (!(face % 2)) ct_scl3(normal, normal, -1);
  }
  return best;
}

LANE_FN mjtNum ct_ray_shape(const mjtNum pos[3], const mjtNum mat[9], const mjtNum size[3],
                            int type, const mjtNum pnt[3], const mjtNum vec[3], mjtNum normal[3]) {
  mjtNum all[6];
  if (normal) ct_zero3(normal);
  switch (type) {
    case mjGEOM_PLANE:
      return ray_plane(pos, mat, size, pnt, vec, normal);
    case mjGEOM_SPHERE:
      return ray_sphere(pos, size[0], pnt, vec, normal);
    case mjGEOM_CAPSULE:
      return ray_capsule(pos, mat, size, pnt, vec, normal);
    case mjGEOM_ELLIPSOID:
      return ray_ellipsoid(pos, mat, size, pnt, vec, normal);
    case mjGEOM_CYLINDER:
      return ray_cylinder(pos, mat, size, pnt, vec, normal);
    case mjGEOM_BOX:
      return ray_box(pos, mat, size, pnt, vec, all, normal);
    default:
      return -1;
  }
}

// Two axes across the ray, b0 and b1.
typedef struct {
  mjtNum b0[3], b1[3];
} Across;

LANE_FN static Across across_ray(const mjtNum w[3]) {
  Across a;
  int largest = 0;
  for (int k = 1; k < 3; k++) largest = ct_abs(w[k]) > ct_abs(w[largest]) ? k : largest;
  for (int k = 0; k < 3; k++) a.b0[k] = k == largest ? 0 : 1;
  ct_add_scl3(a.b1, a.b0, w, -ct_dot3(w, a.b0) / ct_dot3(w, w));
  ct_normalize3(a.b1);
  ct_cross(a.b0, a.b1, w);
  ct_normalize3(a.b0);
  return a;
}

// A triangle, in the plane across the ray. The answer may be negative; n is its normal by winding.
LANE_FN static mjtNum ray_triangle(const mjtNum v[3][3], const LocalRay* r, const Across* a,
                                   mjtNum n[3]) {
  mjtNum p[3][2], offset[3], e1[3], e2[3];
  for (int i = 0; i < 3; i++) {
    ct_sub3(offset, v[i], r->o);
    p[i][0] = ct_dot3(a->b0, offset);
    p[i][1] = ct_dot3(a->b1, offset);
  }
  for (int k = 0; k < 2; k++) {
    if ((p[0][k] > 0 && p[1][k] > 0 && p[2][k] > 0) ||
        (p[0][k] < 0 && p[1][k] < 0 && p[2][k] < 0)) {
      return -1;
    }
  }
  mjtNum a00 = p[0][0] - p[2][0], a10 = p[0][1] - p[2][1];
  mjtNum a01 = p[1][0] - p[2][0], a11 = p[1][1] - p[2][1];
  mjtNum det = a00 * a11 - a10 * a01, r0 = -p[2][0], r1 = -p[2][1];
  if (ct_abs(det) < (mjtNum)mjMINVAL) return -1;
  mjtNum t0 = (a11 * r0 - a01 * r1) / det, t1 = (-a10 * r0 + a00 * r1) / det;
  if (t0 < 0 || t1 < 0 || t0 + t1 > 1) return -1;

  ct_sub3(e1, v[0], v[2]);
  ct_sub3(e2, v[1], v[2]);
  ct_sub3(offset, r->o, v[2]);
  ct_cross(n, e1, e2);
  mjtNum slope = ct_dot3(r->w, n);
  if (ct_abs(slope) < (mjtNum)mjMINVAL) return -1;
  return -ct_dot3(offset, n) / slope;
}

// Does the ray meet a box? Written so that a NaN, from a ray that lies in a face, misses.
LANE_FN static bool ray_meets_box(const mjtNum box[6], const LocalRay* r, const mjtNum inverse[3]) {
  mjtNum from = 0, to = (mjtNum)INFINITY;
  for (int k = 0; k < 3; k++) {
    mjtNum t1 = (box[k] - box[3 + k] - r->o[k]) * inverse[k];
    mjtNum t2 = (box[k] + box[3 + k] - r->o[k]) * inverse[k];
    mjtNum near = t1 < t2 ? t1 : t2, far = t1 < t2 ? t2 : t1;
    from = from > near ? from : near;
    to = to < far ? to : far;
  }
  return from < to;
}

enum { RAY_STACK = 128 };

LANE_FN mjtNum ct_ray_mesh(const mjModel* m, const mjData* d, int geom, const mjtNum pnt[3],
                           const mjtNum vec[3], mjtNum normal[3]) {
  const mjtNum *pos = d->geom_xpos + 3 * geom, *mat = d->geom_xmat + 9 * geom;
  mjtNum all[6], inverse[3], best = -1, best_normal[3] = {0, 0, 0};
  if (normal) ct_zero3(normal);
  if (ray_box(pos, mat, m->geom_size + 3 * geom, pnt, vec, all, NULL) < 0) return -1;
  int mesh = m->geom_dataid[geom], root = m->mesh_bvhadr[mesh];
  const float* vert = m->mesh_vert + 3 * m->mesh_vertadr[mesh];
  const int* face = m->mesh_face + 3 * m->mesh_faceadr[mesh];
  LocalRay r = local_ray(pos, mat, pnt, vec);
  Across a = across_ray(r.w);
  for (int k = 0; k < 3; k++) inverse[k] = 1 / r.w[k];

  int stack[RAY_STACK], depth = 0;
  stack[depth++] = 0;
  while (depth > 0) {
    int node = root + stack[--depth];
    if (!ray_meets_box(m->bvh_aabb + 6 * node, &r, inverse)) continue;
    const int* child = m->bvh_child + 2 * node;
    if (m->bvh_nodeid[node] != -1) {
      mjtNum v[3][3], n[3];
      for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) {
          v[i][k] = (mjtNum)vert[3 * face[3 * m->bvh_nodeid[node] + i] + k];
        }
      }
      mjtNum x = ray_triangle((const mjtNum(*)[3])v, &r, &a, n);
      if (x >= 0 && (best < 0 || x < best)) {
        best = x;
        ct_copy3(best_normal, n);
      }
      continue;
    }
    for (int i = 0; i < 2; i++) {
      if (child[i] != -1 && depth < RAY_STACK) stack[depth++] = child[i];
    }
  }
  if (normal && best >= 0)
    world_direction(normal, mat, best_normal[0], best_normal[1], best_normal[2]);
  return best;
}

// A box in the frame of the height field, as high as its base or its terrain.
LANE_FN static mjtNum ray_field_box(const ct_HeightField* f, const mjtNum pos[3],
                                    const mjtNum mat[9], mjtNum middle, mjtNum half,
                                    const mjtNum pnt[3], const mjtNum vec[3], mjtNum all[6],
                                    mjtNum normal[3]) {
  mjtNum size[3] = {f->sx, f->sy, half}, axis[3], centre[3];
  ct_column3(axis, mat, 2);
  ct_add_scl3(centre, pos, axis, middle);
  return ray_box(centre, mat, size, pnt, vec, all, normal);
}

// Both triangles of all cells near the segment [from, to] of the ray.
LANE_FN static void ray_cells(const ct_HeightField* f, const LocalRay* r, mjtNum from, mjtNum to,
                              mjtNum* best, mjtNum n[3]) {
  Across a = across_ray(r->w);
  mjtNum c0 = (at_ray(r, 0, from) + f->sx) / f->dx, c1 = (at_ray(r, 0, to) + f->sx) / f->dx;
  mjtNum r0 = (at_ray(r, 1, from) + f->sy) / f->dy, r1 = (at_ray(r, 1, to) + f->sy) / f->dy;
  int columns = f->columns - 1, rows = f->rows - 1;  // of cells
  int first_column = ct_grid_index((mjtNum)floor(ct_min(c0, c1)) - 1, 0, columns);
  int end_column = ct_grid_index((mjtNum)ceil(ct_max(c0, c1)) + 1, 0, columns);
  int first_row = ct_grid_index((mjtNum)floor(ct_min(r0, r1)) - 1, 0, rows);
  int end_row = ct_grid_index((mjtNum)ceil(ct_max(r0, r1)) + 1, 0, rows);
  for (int row = first_row; row < end_row; row++) {
    for (int column = first_column; column < end_column; column++) {
      for (int half = 0; half < 2; half++) {
        const int corner[2][3][2] = {{{0, 0}, {0, 1}, {1, 1}}, {{0, 0}, {1, 1}, {1, 0}}};
        mjtNum v[3][3], candidate[3];
        for (int i = 0; i < 3; i++) {
          int vr = row + corner[half][i][0], vc = column + corner[half][i][1];
          v[i][0] = f->dx * (mjtNum)vc - f->sx;
          v[i][1] = f->dy * (mjtNum)vr - f->sy;
          v[i][2] = (mjtNum)f->data[vr * f->columns + vc] * f->sz;
        }
        mjtNum x = ray_triangle((const mjtNum(*)[3])v, r, &a, candidate);
        if (x >= 0 && (*best < 0 || x < *best)) {
          *best = x;
          ct_copy3(n, candidate);
        }
      }
    }
  }
}

// Is the terrain at a side of the field higher than the ray there?
LANE_FN static bool under_border(const ct_HeightField* f, const LocalRay* r, int side, mjtNum x) {
  bool across_x = side < 2;  // sides -x and +x have the rows along them
  mjtNum along = across_x ? (at_ray(r, 1, x) + f->sy) / f->dy : (at_ray(r, 0, x) + f->sx) / f->dx;
  int n = across_x ? f->rows : f->columns;
  int at = ct_grid_index((mjtNum)floor(along), 0, n - 2);
  int fixed = side % 2 ? (across_x ? f->columns : f->rows) - 1 : 0;
  int i0 = across_x ? at * f->columns + fixed : fixed * f->columns + at;
  int i1 = across_x ? i0 + f->columns : i0 + 1;
  mjtNum part = along - (mjtNum)at;
  mjtNum profile = (mjtNum)f->data[i0] * (1 - part) + (mjtNum)f->data[i1] * part;
  return at_ray(r, 2, x) / f->sz < profile;
}

LANE_FN mjtNum ct_ray_hfield(const mjModel* m, const mjData* d, int geom, const mjtNum pnt[3],
                             const mjtNum vec[3], mjtNum normal[3]) {
  const mjtNum *pos = d->geom_xpos + 3 * geom, *mat = d->geom_xmat + 9 * geom;
  ct_HeightField f = ct_height_field(m, geom);
  mjtNum all[6], n[3] = {0, 0, 0}, local[3] = {0, 0, 0};
  if (normal) ct_zero3(normal);
  mjtNum best = ray_field_box(&f, pos, mat, -f.base / 2, f.base / 2, pnt, vec, all, n);
  mjtNum top = ray_field_box(&f, pos, mat, f.sz / 2, f.sz / 2, pnt, vec, all, NULL);
  if (top >= 0) {
    LocalRay r = local_ray(pos, mat, pnt, vec);
    mjtNum from = 0, to = top, before = best;
    for (int i = 0; i < 6; i++) {
      if (all[i] > to) {
        from = top;
        to = all[i];
      }
    }
    ray_cells(&f, &r, from, to, &best, local);
    if (best != before) world_direction(n, mat, local[0], local[1], local[2]);
    for (int side = 0; side < 4; side++) {
      if (!(all[side] >= 0) || !(best < 0 || all[side] < best)) continue;
      if (!under_border(&f, &r, side, all[side])) continue;
      best = all[side];
      ct_column3(n, mat, side / 2);
      if (side % 2 == 0) ct_scl3(n, n, -1);
    }
  }
  if (normal && best >= 0) ct_copy3(normal, n);
  return best;
}

LANE_FN mjtNum ct_ray_geom(const mjModel* m, const mjData* d, int geom, const mjtNum pnt[3],
                           const mjtNum vec[3], mjtNum normal[3]) {
  switch (m->geom_type[geom]) {
    case mjGEOM_MESH:
      return ct_ray_mesh(m, d, geom, pnt, vec, normal);
    case mjGEOM_HFIELD:
      return ct_ray_hfield(m, d, geom, pnt, vec, normal);
    case mjGEOM_SDF: {
      mjtNum all[6];
      if (normal) ct_zero3(normal);
      if (ray_box(d->geom_xpos + 3 * geom, d->geom_xmat + 9 * geom, m->geom_size + 3 * geom, pnt,
                  vec, all, NULL) < 0) {
        return -1;
      }
      return ct_ray_sdf(m, d, geom, pnt, vec, normal);
    }
    default:
      return ct_ray_shape(d->geom_xpos + 3 * geom, d->geom_xmat + 9 * geom, m->geom_size + 3 * geom,
                          m->geom_type[geom], pnt, vec, normal);
  }
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

LANE_FN mjtNum ct_ray(const mjModel* m, const mjData* d, const mjtNum pnt[3], const mjtNum vec[3],
                      ct_RayFilter filter, int* geom, mjtNum normal[3]) {
  mjtNum best = -1, n[3];
  if (geom) *geom = -1;
  if (normal) ct_zero3(normal);
  for (int i = 0; i < m->ngeom; i++) {
    if (ray_ignores(m, i, &filter)) continue;
    mjtNum x = ct_ray_geom(m, d, i, pnt, vec, normal ? n : NULL);
    if (!(x >= 0) || !(best < 0 || x < best)) continue;
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
                                  const mjtNum pnt[3]) {
  const mjtNum* box = m->geom_aabb + 6 * geom;
  const mjtNum *pos = d->geom_xpos + 3 * geom, *mat = d->geom_xmat + 9 * geom;
  const Window full = {{-CT_PI, CT_PI}, {0, CT_PI}};
  Window w;
  mjtNum local[3], corner[3];
  ct_sub3(local, pnt, pos);
  mjtNum distance = ct_norm3(local);
  ct_mul_mat_t_vec3(local, mat, local);
  bool inside = true;
  for (int k = 0; k < 3; k++) inside = inside && ct_abs(local[k] - box[k]) <= box[3 + k];
  if (inside) return full;

  for (int i = 0; i < 8; i++) {
    for (int k = 0; k < 3; k++) corner[k] = box[k] + (i & 1 << k ? box[3 + k] : -box[3 + k]);
    ct_mul_mat_vec3(corner, mat, corner);
    ct_add_to3(corner, pos);
    ct_sub_from3(corner, pnt);
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

LANE_FN static bool ray_misses_body(const mjModel* m, const mjData* d, int b, const mjtNum pnt[3],
                                    const mjtNum vec[3]) {
  if (m->body_bvhadr[b] < 0) return false;
  const mjtNum* box = m->bvh_aabb + 6 * m->body_bvhadr[b];
  mjtNum centre[3];
  ct_add3(centre, d->xipos + 3 * b, box);
  return ray_sphere(centre, ct_norm3(box + 3), pnt, vec, NULL) < 0;
}

// One of many rays; ignored (ngeom) and window (ngeom) have been prepared.
LANE_FN static mjtNum one_of_rays(const mjModel* m, const mjData* d, const mjtNum pnt[3],
                                  const mjtNum vec[3], const int* ignored, const Window* window,
                                  int* geom, mjtNum normal[3]) {
  mjtNum best = -1, n[3], azimuth = azimuth_of(vec), elevation = elevation_of(vec);
  *geom = -1;
  ct_zero3(normal);
  for (int b = 0; b < m->nbody; b++) {
    if (!m->body_geomnum[b] || ray_misses_body(m, d, b, pnt, vec)) continue;
    bool tree = m->body_bvhadr[b] >= 0;
    for (int k = 0; k < m->body_geomnum[b]; k++) {
      int i = m->body_geomadr[b] + k;
      if (ignored[i] || (tree && !in_window(window + i, azimuth, elevation))) continue;
      mjtNum x = ct_ray_geom(m, d, i, pnt, vec, n);
      if (!(x >= 0) || !(best < 0 || x < best)) continue;
      best = x;
      *geom = i;
      ct_copy3(normal, n);
    }
  }
  return best;
}

LANE_FN static void prepare_rays(Lane g, const mjModel* m, const mjData* d, const mjtNum pnt[3],
                                 const ct_RayFilter* filter, mjtNum cutoff, int* ignored,
                                 Window* window) {
  LANE_FOR(i, g, m->ngeom) {
    ignored[i] = ray_ignores(m, i, filter);
    if (ignored[i] || m->body_bvhadr[m->geom_bodyid[i]] < 0) continue;
    if (ct_dist3(d->geom_xpos + 3 * i, pnt) > cutoff + m->geom_rbound[i]) {
      ignored[i] = 1;
    } else {
      window[i] = geom_window(m, d, i, pnt);
    }
  }
  lane_sync(g);
}

LANE_FN bool ct_multi_ray(Lane g, const mjModel* m, mjData* d, const mjtNum pnt[3],
                          const mjtNum* vec, ct_RayFilter filter, int* geom, mjtNum* dist,
                          mjtNum* normal, int count, mjtNum cutoff) {
  if (!lane_mark(g, d)) return false;
  int ngeom = (int)m->ngeom;
  int* ignored = lane_scratch_int(g, d, ngeom);
  Window* window = ignored ? (Window*)lane_scratch_num(g, d, 4 * ngeom) : NULL;
  if (window) {
    prepare_rays(g, m, d, pnt, &filter, cutoff, ignored, window);
    LANE_FOR(i, g, count) {
      int nearest;
      mjtNum n[3];
      if (ct_dot3(vec + 3 * i, vec + 3 * i) < (mjtNum)mjMINVAL) {
        dist[i] = -1;
        continue;
      }
      dist[i] = one_of_rays(m, d, pnt, vec + 3 * i, ignored, window, &nearest, n);
      if (geom) geom[i] = nearest;
      if (normal) ct_copy3(normal + 3 * i, n);
    }
  }
  lane_free(g, d);
  return window != NULL;
}
