// Where elements of flexes touch geoms and each other.
//
// A line element is a capsule, and so are its formulas. A triangle has formulas against spheres,
// boxes and capsules. Everything else goes to the convex solver: an element is the hull of balls
// around its vertices.

#include "soft/element_hits.h"

#include "collide/convex.h"
#include "collide/hfield.h"
#include "collide/sphere.h"
#include "collide/surface.h"
#include "math/quat.h"

typedef struct {  // an element as a shape
  mjtNum vert[CT_ELEMENT_VERTICES][3];
  mjtNum centre[3], size[3], mat[9];  // of its box; as a capsule: radius and half length, axes
  int count;
} ElementShape;

LANE_FN static void element_shape(const mjModel* m, const mjData* d, int f, int e,
                                  ElementShape* s) {
  const int* vert = ct_element(m, f, e);
  s->count = m->flex_dim[f] + 1;
  for (int i = 0; i < s->count; i++) ct_copy3(s->vert[i], ct_flex_vertex(m, d, f, vert[i]));
  ct_copy3(s->centre, d->flexelem_aabb + 6 * (m->flex_elemadr[f] + e));
  s->size[0] = m->flex_radius[f];
  s->size[1] = s->size[2] = 0;
}

// A line element as a capsule, along the way from its second vertex to its first.
LANE_FN static ct_Shape element_capsule(ElementShape* s) {
  mjtNum axis[3], quat[4];
  ct_sub3(axis, s->vert[0], s->vert[1]);
  s->size[1] = ct_normalize3(axis) / 2;
  ct_quat_z_to_vec(quat, axis);
  ct_quat_to_mat(s->mat, quat);
  ct_add3(s->centre, s->vert[0], s->vert[1]);
  ct_scl3(s->centre, s->centre, (mjtNum)0.5);
  ct_Shape shape = {s->centre, s->mat, s->size, mjGEOM_CAPSULE, -1};
  return shape;
}

LANE_INLINE ct_Support element_support(const ElementShape* s, mjtNum margin) {
  ct_Support support;
  support.type = CT_SUPPORT_ELEMENT;
  support.pos = s->centre;
  support.mat = NULL;
  support.size = s->size;
  support.margin = margin;
  support.prism = (const mjtNum(*)[3])s->vert;
  support.vert = NULL;
  support.vertnum = s->count;
  support.has_graph = false;
  support.graph.count = 0;
  support.graph.edge_adr = support.graph.vertex = support.graph.edge = NULL;
  support.vertex = support.code = -1;
  support.hull_vertex = 0;
  return support;
}

// Triangles

// The point of the segment ab that is nearest to the origin; returns its distance squared.
LANE_INLINE mjtNum nearest_on_edge(mjtNum x[3], const mjtNum a[3], const mjtNum b[3]) {
  mjtNum ab[3];
  ct_sub3(ab, b, a);
  mjtNum squared = ct_dot3(ab, ab), t = squared > 0 ? -ct_dot3(a, ab) / squared : 0;
  ct_add_scl3(x, a, ab, ct_clip(t, 0, 1));
  return ct_dot3(x, x);
}

// Which side of the edge ab of a triangle with this normal the point x is on.
LANE_INLINE bool left_of(const mjtNum a[3], const mjtNum b[3], const mjtNum x[3],
                         const mjtNum normal[3]) {
  mjtNum ax[3], bx[3], area[3];
  ct_sub3(ax, a, x);
  ct_sub3(bx, b, x);
  ct_cross(area, ax, bx);
  return ct_dot3(area, normal) > 0;
}

// The nearest point of a triangle to the origin. Where edges are equally near, the later one
// counts.
LANE_FN static void nearest_on_triangle(mjtNum x[3], mjtNum t[3][3], const mjtNum normal[3],
                                        mjtNum height) {
  ct_scl3(x, normal, height);
  bool left = left_of(t[0], t[1], x, normal);
  if (left == left_of(t[1], t[2], x, normal) && left == left_of(t[2], t[0], x, normal)) return;
  mjtNum on[3][3], far[3];
  for (int k = 0; k < 3; k++) far[k] = nearest_on_edge(on[k], t[k], t[(k + 1) % 3]);
  int best = far[0] < far[1] && far[0] < far[2] ? 0 : far[1] < far[2] ? 1 : 2;
  ct_copy3(x, on[best]);
}

// A sphere and a triangle with a radius of its own.
LANE_FN static int sphere_triangle(ct_Hit* hit, const mjtNum centre[3], mjtNum radius,
                                   const ElementShape* s, mjtNum margin) {
  mjtNum t[3][3], e1[3], e2[3], normal[3], x[3], pos[3];
  for (int k = 0; k < 3; k++) ct_sub3(t[k], s->vert[k], centre);
  ct_sub3(e1, t[1], t[0]);
  ct_sub3(e2, t[2], t[0]);
  ct_cross(normal, e1, e2);
  ct_normalize3(normal);
  mjtNum height = ct_dot3(normal, t[0]), reach = margin + radius + s->size[0];
  if (ct_abs(height) > reach) return 0;
  nearest_on_triangle(x, t, normal, height);
  mjtNum far = ct_normalize3(x);
  if (far > reach) return 0;
  mjtNum dist = far - radius - s->size[0];
  ct_add_scl3(pos, centre, x, radius + dist / 2);
  ct_set_hit(hit, dist, pos, x);
  return 1;
}

// A vertex with its radius and a box: the face that it is nearest to, from inside or outside.
LANE_FN static int box_vertex(ct_Hit* hit, const ct_Shape* box, const mjtNum vertex[3],
                              mjtNum radius, mjtNum margin) {
  mjtNum offset[3], l[3], normal[3], pos[3], depth = 0;
  int axis = -1;
  ct_sub3(offset, vertex, box->pos);
  ct_mul_mat_t_vec3(l, box->mat, offset);
  for (int k = 0; k < 3; k++) {
    mjtNum beyond = ct_abs(l[k]) - box->size[k];
    if (ct_abs(l[k]) > box->size[k] + margin + radius) return 0;
    if (axis >= 0 && !(beyond > depth)) continue;
    axis = k;
    depth = beyond;
  }
  if (depth - radius > margin) return 0;
  ct_column3(normal, box->mat, axis);
  ct_scl3(normal, normal, l[axis] < 0 ? (mjtNum)-1 : (mjtNum)1);
  mjtNum dist = depth - radius;
  ct_add_scl3(pos, vertex, normal, -(radius + dist / 2));
  ct_set_hit(hit, dist, pos, normal);
  return 1;
}

LANE_FN static int box_triangle(ct_Hit* hit, const ct_Shape* box, const ElementShape* s,
                                mjtNum margin) {
  int count = 0;
  for (int i = 0; i < 3; i++) count += box_vertex(hit + count, box, s->vert[i], s->size[0], margin);
  for (int i = 0; i < 8; i++) {
    mjtNum l[3], corner[3];
    for (int k = 0; k < 3; k++) l[k] = i >> k & 1 ? box->size[k] : -box->size[k];
    ct_mul_mat_vec3(corner, box->mat, l);
    ct_add_to3(corner, box->pos);
    count += sphere_triangle(hit + count, corner, 0, s, margin);
  }
  return count;
}

// A vertex beside the axis of a capsule, not beyond its ends.
LANE_FN static int capsule_vertex(ct_Hit* hit, const mjtNum from[3], const mjtNum to[3],
                                  mjtNum radius, const mjtNum vertex[3], mjtNum own,
                                  mjtNum margin) {
  mjtNum axis[3], offset[3], c[3], normal[3], pos[3];
  ct_sub3(axis, to, from);
  ct_sub3(offset, vertex, from);
  mjtNum squared = ct_dot3(axis, axis);
  if (!(squared > 0)) return 0;
  mjtNum t = ct_dot3(offset, axis) / squared;
  if (t <= mjMINVAL || t >= 1 - mjMINVAL) return 0;
  ct_add_scl3(c, from, axis, t);
  ct_sub3(normal, vertex, c);
  mjtNum far = ct_normalize3(normal);
  if (far > radius + own + margin) return 0;
  ct_add3(pos, c, vertex);
  ct_add_to_scl3(pos, normal, radius - own);
  ct_scl3(pos, pos, (mjtNum)0.5);
  ct_set_hit(hit, far - radius - own, pos, normal);
  return 1;
}

LANE_FN static int capsule_triangle(ct_Hit* hit, const ct_Shape* capsule, const ElementShape* s,
                                    mjtNum margin) {
  mjtNum axis[3], end[2][3], radius = capsule->size[0];
  int count = 0;
  ct_column3(axis, capsule->mat, 2);
  ct_add_scl3(end[0], capsule->pos, axis, -capsule->size[1]);
  ct_add_scl3(end[1], capsule->pos, axis, capsule->size[1]);
  for (int i = 0; i < 2; i++) count += sphere_triangle(hit + count, end[i], radius, s, margin);
  for (int i = 0; i < 3; i++) {
    count += capsule_vertex(hit + count, end[0], end[1], radius, s->vert[i], s->size[0], margin);
  }
  return count;
}

// Pairs

LANE_FN int ct_plane_vertex(const mjModel* m, const mjData* d, ct_Hit* hit, int geom, int f, int v,
                            mjtNum margin) {
  mjtNum normal[3];
  ct_column3(normal, d->geom_xmat + 9 * geom, 2);
  return ct_plane_point(hit, d->geom_xpos + 3 * geom, normal, ct_flex_vertex(m, d, f, v),
                        m->flex_radius[f], margin);
}

// A height field and an element, in the frame of the field.
LANE_FN static int hfield_element(const mjModel* m, ct_Hit* hit, const ct_Shape* hfield,
                                  ElementShape* s, mjtNum margin) {
  for (int i = 0; i <= s->count; i++) {
    mjtNum* point = i < s->count ? s->vert[i] : s->centre;
    ct_sub_from3(point, hfield->pos);
    ct_mul_mat_t_vec3(point, hfield->mat, point);
  }
  ct_Support support = element_support(s, margin);
  return ct_hfield_support(m, hit, hfield, &support, margin);
}

LANE_FN static int convex_element(const mjModel* m, ct_Hit* hit, const ct_Shape* shape,
                                  const ElementShape* s, mjtNum margin) {
  ct_Support support1 = ct_support_start(m, shape, margin), support2 = element_support(s, margin);
  int count = ct_support_hit(m, hit, &support1, &support2, margin);
  bool native = !(m->opt.disableflags & mjDSBL_NATIVECCD);
  if (native && s->count == 3) ct_correct_normals(hit, count, shape, NULL);
  return count;
}

LANE_FN int ct_geom_element(const mjModel* m, const mjData* d, ct_Hit* hit, int geom, int f, int e,
                            mjtNum margin) {
  ElementShape s;
  ct_Shape shape = ct_shape_of(m, d, geom);
  element_shape(m, d, f, e, &s);
  if (shape.type == mjGEOM_HFIELD) return hfield_element(m, hit, &shape, &s, margin);
  bool line = s.count == 2, triangle = s.count == 3;
  if (line && shape.type == mjGEOM_SPHERE) {
    ct_Shape capsule = element_capsule(&s);
    return ct_sphere_capsule(hit, &shape, &capsule, margin);
  }
  if (line && shape.type == mjGEOM_CAPSULE) {
    ct_Shape capsule = element_capsule(&s);
    return ct_capsule_capsule(hit, &shape, &capsule, margin);
  }
  if (line && shape.type == mjGEOM_BOX) {
    ct_Shape capsule = element_capsule(&s);
    int count = ct_capsule_box(hit, &capsule, &shape, margin);
    for (int i = 0; i < count; i++) ct_swap_normal(hit + i);
    return count;
  }
  if (triangle && shape.type == mjGEOM_SPHERE) {
    return sphere_triangle(hit, shape.pos, shape.size[0], &s, margin);
  }
  if (triangle && shape.type == mjGEOM_BOX) return box_triangle(hit, &shape, &s, margin);
  if (triangle && shape.type == mjGEOM_CAPSULE) return capsule_triangle(hit, &shape, &s, margin);
  return convex_element(m, hit, &shape, &s, margin);
}

// Are two elements apart along the line through their centres, by more than balls and margin? Most
// of those that are near each other are: neighbours of neighbours in one sheet. A little more is
// asked for than the convex solver could see.
LANE_FN static bool apart_along_centres(const ElementShape* s1, const ElementShape* s2,
                                        mjtNum margin) {
  mjtNum axis[3], offset[3], end = 0, start = 0;
  mjtNum reach = (s1->size[0] + s2->size[0] + margin) * (mjtNum)1.001;
  ct_sub3(axis, s2->centre, s1->centre);
  for (int i = 0; i < s1->count; i++) {
    ct_sub3(offset, s1->vert[i], s1->centre);
    mjtNum x = ct_dot3(axis, offset);
    end = i == 0 || x > end ? x : end;
  }
  for (int i = 0; i < s2->count; i++) {
    ct_sub3(offset, s2->vert[i], s1->centre);
    mjtNum x = ct_dot3(axis, offset);
    start = i == 0 || x < start ? x : start;
  }
  mjtNum gap = start - end;
  return gap > 0 && gap * gap > reach * reach * ct_dot3(axis, axis);
}

LANE_FN int ct_element_element(const mjModel* m, const mjData* d, ct_Hit* hit, int f1, int e1,
                               int f2, int e2, mjtNum margin) {
  ElementShape s1, s2;
  element_shape(m, d, f1, e1, &s1);
  element_shape(m, d, f2, e2, &s2);
  if (s1.count == 2 && s2.count == 2) {
    ct_Shape capsule1 = element_capsule(&s1), capsule2 = element_capsule(&s2);
    return ct_capsule_capsule(hit, &capsule1, &capsule2, margin);
  }
  if (apart_along_centres(&s1, &s2, margin)) return 0;
  ct_Support support1 = element_support(&s1, margin), support2 = element_support(&s2, margin);
  return ct_support_hit(m, hit, &support1, &support2, margin);
}

LANE_FN int ct_vertex_element(const mjModel* m, const mjData* d, ct_Hit* hit, int f, int v, int e) {
  ElementShape s;
  mjtNum radius = m->flex_radius[f], unit[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  const mjtNum *vertex = ct_flex_vertex(m, d, f, v), size[3] = {radius, 0, 0};
  element_shape(m, d, f, e, &s);
  if (s.count == 3) return sphere_triangle(hit, vertex, radius, &s, 0);
  if (s.count != 2) return 0;
  ct_Shape sphere = {vertex, unit, size, mjGEOM_SPHERE, -1}, capsule = element_capsule(&s);
  return ct_sphere_capsule(hit, &sphere, &capsule, 0);
}

LANE_FN int ct_face_vertex(const mjModel* m, const mjData* d, ct_Hit* hit, int f, int e, int face,
                           int* vertex) {
  const int corner[4][4] = {{0, 1, 2, 3}, {0, 2, 3, 1}, {0, 3, 1, 2}, {1, 3, 2, 0}};
  const int* vert = ct_element(m, f, e);
  const mjtNum* x[4];
  mjtNum e1[3], e2[3], offset[3], normal[3], pos[3], twice = 2 * m->flex_radius[f];
  for (int k = 0; k < 4; k++) x[k] = ct_flex_vertex(m, d, f, vert[corner[face][k]]);
  *vertex = vert[corner[face][3]];
  ct_sub3(e1, x[1], x[0]);
  ct_sub3(e2, x[2], x[0]);
  ct_cross(normal, e1, e2);
  ct_normalize3(normal);
  ct_sub3(offset, x[3], x[0]);
  mjtNum height = ct_dot3(offset, normal);
  if (height <= -twice) return 0;
  ct_add_scl3(pos, x[3], normal, -height / 2);
  ct_scl3(normal, normal, -1);
  ct_set_hit(hit, -height - twice, pos, normal);
  return 1;
}
