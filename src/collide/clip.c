// Where two flat faces touch, or an edge lies on a face, one contact is not enough to keep a box
// from tipping. EPA's last triangle has three corners of each shape: three different ones are on a
// face, two on an edge, one is a corner. Of the faces and edges that meet there the first parallel
// ones are taken, and one polygon is clipped by the other (Sutherland and Hodgman, Reentrant
// polygon clipping, 1974). All contacts get the depth of the deepest.

#include "collide/clip.h"

enum { MOST_CORNERS = 150, MOST_CLIPPED = 2 * MOST_CORNERS, MOST_KEPT = 4 };

#define FACES_PARALLEL ((mjtNum)0.99999872)    // cosine of 1.6e-3
#define EDGE_PARALLEL ((mjtNum)0.00159999931)  // sine of 1.6e-3

typedef struct {  // what of a shape touches
  const ct_Shape* shape;
  const ct_Support* support;
  int dimension;  // 1 corner, 2 edge, 3 face
  int code[3];    // its corners; as many as the dimension
  const mjtNum* point[3];
  mjtNum outward[3];  // towards the other shape, world, length 1
  int mesh;           // -1: a box
  int faces, face[MOST_CORNERS];
  mjtNum normal[MOST_CORNERS][3];  // of the faces, world
} Feature;

typedef struct {
  mjtNum point[MOST_CLIPPED][3];
  int count;
} Polygon;

LANE_FN static void name_feature(Feature* f, const ct_Ccd* c, int which) {
  int code[3];
  for (int i = 0; i < 3; i++) {
    code[i] = which == 1 ? c->face[i].code1 : c->face[i].code2;
    f->point[i] = which == 1 ? c->face[i].a : c->face[i].b;
  }
  if (code[0] != code[1]) {
    f->dimension = code[2] == code[0] || code[2] == code[1] ? 2 : 3;
  } else {
    f->dimension = code[2] == code[0] ? 1 : 2;
    code[1] = code[2];
    f->point[1] = f->point[2];
  }
  for (int i = 0; i < 3; i++) f->code[i] = code[i];
}

LANE_INLINE void add_feature_face(Feature* f, int id, const mjtNum local_normal[3]) {
  if (f->faces == MOST_CORNERS) return;
  f->face[f->faces] = id;
  ct_mul_mat_vec3(f->normal[f->faces++], f->shape->mat, local_normal);
}

// Faces 0 to 5 of a box: +x, -x, +y, -y, +z, -z.
LANE_INLINE void add_box_face(Feature* f, int id) {
  mjtNum n[3] = {0, 0, 0};
  n[id / 2] = id % 2 ? (mjtNum)-1 : (mjtNum)1;
  add_feature_face(f, id, n);
}

// The face that looks at the other shape, if one does.
LANE_FN static void add_facing_box_face(Feature* f) {
  mjtNum local[3];
  ct_mul_mat_t_vec3(local, f->shape->mat, f->outward);
  for (int id = 0; id < 6; id++) {
    mjtNum along = id % 2 ? -local[id / 2] : local[id / 2];
    if (along > FACES_PARALLEL) {
      add_box_face(f, id);
      return;
    }
  }
}

// Faces that all corners of the feature are on.
LANE_FN static void find_box_faces(Feature* f) {
  int shared = 0, axes[3];
  for (int k = 0; k < 3; k++) {
    bool all = true;
    for (int i = 1; i < f->dimension; i++) all = all && !((f->code[i] ^ f->code[0]) & 1 << k);
    if (all) axes[shared++] = k;
  }
  if (shared != 4 - f->dimension) {
    add_facing_box_face(f);
    return;
  }
  for (int i = 0; i < shared; i++) {
    add_box_face(f, 2 * axes[i] + (f->code[0] & 1 << axes[i] ? 0 : 1));
  }
}

// The polygons around a vertex of a mesh.
typedef struct {
  const int* list;
  int count;
} Around;

LANE_INLINE Around polygons_around(const mjModel* m, const Feature* f, int vertex) {
  int v = m->mesh_vertadr[f->mesh] + vertex;
  Around a = {m->mesh_polymap + m->mesh_polymapadr[v], m->mesh_polymapnum[v]};
  return a;
}

LANE_INLINE bool is_around(Around a, int polygon) {
  for (int i = 0; i < a.count; i++) {
    if (a.list[i] == polygon) return true;
  }
  return false;
}

LANE_INLINE int polygon_of(const mjModel* m, const Feature* f, int i) {
  return m->mesh_polyadr[f->mesh] + f->face[i];
}

LANE_INLINE void add_mesh_face(const mjModel* m, Feature* f, int polygon) {
  add_feature_face(f, polygon, m->mesh_polynormal + 3 * (m->mesh_polyadr[f->mesh] + polygon));
}

LANE_FN static void find_mesh_faces(const mjModel* m, Feature* f) {
  Around first = polygons_around(m, f, f->code[0]);
  if (f->dimension == 1) {
    for (int i = 0; i < first.count && i < MOST_CORNERS; i++) add_mesh_face(m, f, first.list[i]);
    return;
  }
  Around second = polygons_around(m, f, f->code[1]);
  int common[2], count = 0;
  for (int i = 0; i < first.count && count < 2; i++) {
    if (is_around(second, first.list[i])) common[count++] = first.list[i];
  }
  if (f->dimension == 2) {
    for (int i = 0; i < count; i++) add_mesh_face(m, f, common[i]);
    return;
  }
  Around third = polygons_around(m, f, f->code[2]);
  for (int i = 0; i < count; i++) {
    if (!is_around(third, common[i])) continue;
    add_mesh_face(m, f, common[i]);
    return;
  }
}

LANE_FN static void find_feature(const mjModel* m, Feature* f, const ct_Ccd* c, int which,
                                 const ct_Shape* shape) {
  f->shape = shape;
  f->support = which == 1 ? &c->s1 : &c->s2;
  f->mesh = shape->type == mjGEOM_BOX ? -1 : m->geom_dataid[shape->geom];
  f->faces = 0;
  if (which == 1) {
    ct_sub3(f->outward, c->x1, c->x2);
  } else {
    ct_sub3(f->outward, c->x2, c->x1);
  }
  ct_normalize3(f->outward);
  name_feature(f, c, which);
  if (f->mesh < 0) {
    find_box_faces(f);
  } else {
    find_mesh_faces(m, f);
  }
}

LANE_INLINE void local_to_world(mjtNum res[3], const ct_Shape* s, const mjtNum local[3]) {
  ct_mul_mat_vec3(res, s->mat, local);
  ct_add_to3(res, s->pos);
}

LANE_FN static void mesh_corner(mjtNum res[3], const Feature* f, int vertex) {
  mjtNum local[3];
  ct_mesh_vertex(local, f->support->vert, vertex);
  local_to_world(res, f->shape, local);
}

LANE_FN static void box_corner(mjtNum res[3], const Feature* f, int code) {
  mjtNum local[3];
  for (int k = 0; k < 3; k++) local[k] = code & 1 << k ? f->shape->size[k] : -f->shape->size[k];
  local_to_world(res, f->shape, local);
}

// How many edges of the shape start at the feature's first corner.
LANE_INLINE int count_edges(const mjModel* m, const Feature* f) {
  if (f->dimension == 3) return 0;
  if (f->dimension == 2) return 1;
  if (f->mesh < 0) return 3;
  int count = polygons_around(m, f, f->code[0]).count;
  return count < MOST_CORNERS ? count : (int)MOST_CORNERS;
}

// The other end of edge i: for a corner of a mesh, the vertex before it in the i-th polygon.
LANE_FN static void edge_end(const mjModel* m, const Feature* f, int i, mjtNum end[3]) {
  if (f->dimension == 2) {
    ct_copy3(end, f->point[1]);
  } else if (f->mesh < 0) {
    box_corner(end, f, f->code[0] ^ 1 << i);
  } else {
    int polygon = m->mesh_polyadr[f->mesh] + polygons_around(m, f, f->code[0]).list[i];
    const int* corner = m->mesh_polyvert + m->mesh_polyvertadr[polygon];
    int count = m->mesh_polyvertnum[polygon], at = 0;
    while (at < count - 1 && corner[at] != f->code[0]) at++;
    mesh_corner(end, f, corner[at ? at - 1 : count - 1]);
  }
}

// Corner signs of the faces of a box, in order: bit k of a digit is the sign of axis k.
LANE_INLINE int box_face_corner(int face, int i) {
  const int order[6] = {07315, 02640, 02376, 04510, 06754, 03201};
  return order[face] >> (3 * (3 - i)) & 7;
}

LANE_FN static void face_polygon(const mjModel* m, const Feature* f, int i, Polygon* p) {
  p->count = 0;
  if (f->mesh < 0) {
    for (int k = 0; k < 4; k++) box_corner(p->point[p->count++], f, box_face_corner(f->face[i], k));
    return;
  }
  int polygon = polygon_of(m, f, i), count = m->mesh_polyvertnum[polygon];
  const int* corner = m->mesh_polyvert + m->mesh_polyvertadr[polygon];
  for (int k = count - 1; k >= 0 && p->count < MOST_CORNERS; k--) {
    mesh_corner(p->point[p->count++], f, corner[k]);
  }
}

LANE_FN static bool find_parallel_faces(const Feature* f1, const Feature* f2, int* i1, int* i2) {
  for (*i1 = 0; *i1 < f1->faces; (*i1)++) {
    for (*i2 = 0; *i2 < f2->faces; (*i2)++) {
      if (ct_dot3(f1->normal[*i1], f2->normal[*i2]) < -FACES_PARALLEL) return true;
    }
  }
  return false;
}

// An edge at the corner of `edges` that lies in a face of `faces`: the edge as a polygon.
LANE_FN static bool find_edge_in_face(const mjModel* m, const Feature* edges, const Feature* faces,
                                      int* face, Polygon* edge) {
  int count = count_edges(m, edges);
  edge->count = 2;
  ct_copy3(edge->point[0], edges->point[0]);
  for (*face = 0; *face < faces->faces; (*face)++) {
    for (int i = 0; i < count; i++) {
      mjtNum along[3];
      edge_end(m, edges, i, edge->point[1]);
      ct_sub3(along, edge->point[1], edge->point[0]);
      ct_normalize3(along);
      if (ct_abs(ct_dot3(along, faces->normal[*face])) < EDGE_PARALLEL) return true;
    }
  }
  return false;
}

LANE_INLINE void add_clipped(Polygon* p, const mjtNum x[3]) {
  if (p->count < MOST_CLIPPED) ct_copy3(p->point[p->count++], x);
}

LANE_INLINE int next_corner(const Polygon* p, int i) {
  return i + 1 == p->count ? 0 : i + 1;
}

// A side of the clipping polygon, as the plane through it and the normal of the polygon.
typedef struct {
  mjtNum inward[3];  // of any length
  const mjtNum* point;
  mjtNum height;  // of the plane along inward
} Border;

LANE_INLINE Border border_of(const Polygon* by, int i, const mjtNum normal[3]) {
  Border b;
  mjtNum side[3], up[3];
  b.point = by->point[i];
  ct_sub3(side, by->point[next_corner(by, i)], b.point);
  ct_add3(up, b.point, normal);  // rounded as the corners of a prism would be
  ct_sub_from3(up, b.point);
  ct_cross(b.inward, side, up);
  b.height = ct_dot3(b.inward, b.point);
  return b;
}

LANE_INLINE bool is_within(const Border* b, const mjtNum x[3]) {
  mjtNum arm[3];
  ct_sub3(arm, x, b->point);
  return ct_dot3(b->inward, arm) > -(mjtNum)mjMINVAL;
}

// The part of `from` within a border. Each edge of it gives its end, if that is within, after the
// point in which it crosses the border, if it does.
LANE_FN static void clip_by_border(Polygon* to, const Polygon* from, const Border* b) {
  to->count = 0;
  for (int i = 0; i < from->count; i++) {
    const mjtNum *start = from->point[i], *end = from->point[next_corner(from, i)];
    bool ends_within = is_within(b, end);
    if (is_within(b, start) != ends_within) {
      mjtNum along[3], x[3];
      ct_sub3(along, end, start);
      mjtNum slope = ct_dot3(b->inward, along);
      mjtNum t = slope == 0 ? -1 : (b->height - ct_dot3(b->inward, start)) / slope;
      if (t >= 0 && t <= 1) {
        ct_add_scl3(x, start, along, t);
        add_clipped(to, x);
      }
    }
    if (ends_within) add_clipped(to, end);
  }
}

// subject, clipped by the prism over the polygon `by` with normal n. The result is in subject.
LANE_FN static void clip_polygon(Polygon* subject, Polygon* scratch, const Polygon* by,
                                 const mjtNum n[3]) {
  Polygon *from = subject, *to = scratch;
  for (int i = 0; i < by->count && from->count; i++) {
    Border border = border_of(by, i, n);
    clip_by_border(to, from, &border);
    Polygon* swap = from;
    from = to;
    to = swap;
  }
  if (from != subject) *subject = *from;
}

// How large the quadrilateral between four corners counts as: the area of the closed path through
// the first, fourth, second and third. Quirk: that is not their order around the quadrilateral.
LANE_INLINE mjtNum quad_area(const Polygon* p, const int corner[4]) {
  mjtNum edge[4][3], one[3], other[3];
  for (int i = 0; i < 4; i++) {
    const int from[4] = {0, 3, 1, 2}, to[4] = {3, 1, 2, 0};
    ct_sub3(edge[i], p->point[corner[to[i]]], p->point[corner[from[i]]]);
  }
  ct_cross(one, edge[0], edge[1]);
  ct_cross(other, edge[2], edge[3]);
  ct_add_to3(one, other);
  return ct_norm3(one) / 2;
}

// Moves corner k of the quadrilateral on if that makes it larger than any before.
LANE_FN static bool enlarge_quad(const Polygon* p, int q[4], int k, int best[4], mjtNum* area) {
  int old = q[k];
  q[k] = next_corner(p, old);
  mjtNum larger = quad_area(p, q);
  if (!(larger > *area)) {
    q[k] = old;
    return false;
  }
  *area = larger;
  for (int i = 0; i < 4; i++) best[i] = q[i];
  return true;
}

// Keeps four corners that span a large quadrilateral. The first corner goes once around the
// polygon. At each of its places the last corner moves on while that helps, and after each of its
// moves the third and then the second follow as far as they help. The search is greedy: which
// quadrilateral it ends with depends on this order, and contacts are expected at its corners.
LANE_FN static void keep_quad(Polygon* p) {
  int q[4] = {0, 1, 2, 3}, best[4] = {0, 1, 2, 3};
  mjtNum area = quad_area(p, q), kept[4][3];
  for (int first = 0; first < p->count; first++) {
    q[0] = first;
    while (enlarge_quad(p, q, 3, best, &area)) {
      while (enlarge_quad(p, q, 2, best, &area)) {
      }
      while (enlarge_quad(p, q, 1, best, &area)) {
      }
    }
    // the first corner has caught up with the second: that one moves on, and pushes the others
    for (int k = 1; k < 4 && q[k] == q[k - 1]; k++) q[k] = next_corner(p, q[k]);
  }
  for (int i = 0; i < 4; i++) ct_copy3(kept[i], p->point[best[i]]);
  for (int i = 0; i < 4; i++) ct_copy3(p->point[i], kept[i]);
  p->count = 4;
}

LANE_INLINE bool same_point(const mjtNum a[3], const mjtNum b[3]) {
  for (int k = 0; k < 3; k++) {
    if (!(ct_abs(a[k] - b[k]) < (mjtNum)mjMINVAL)) return false;
  }
  return true;
}

LANE_FN static void drop_repeated(Polygon* p) {
  int kept = 0;
  for (int i = 0; i < p->count; i++) {
    bool seen = false;
    for (int k = 0; k < kept && !seen; k++) seen = same_point(p->point[k], p->point[i]);
    if (!seen && kept != i) ct_copy3(p->point[kept], p->point[i]);
    kept += !seen;
  }
  p->count = kept;
}

// The polygon of points of shape 2 that touch, and the way from shape 1 to shape 2 in the normal
// direction. False if nothing is parallel.
LANE_FN static bool touching_polygon(const mjModel* m, const Feature* f1, const Feature* f2,
                                     mjtNum depth, Polygon* subject, mjtNum way[3]) {
  Polygon by, scratch;
  int i1 = 0, i2 = 0;
  const mjtNum* n;
  if (find_parallel_faces(f1, f2, &i1, &i2)) {
    face_polygon(m, f1, i1, &by);
    face_polygon(m, f2, i2, subject);
    n = f1->normal[i1];
    ct_scl3(way, f2->normal[i2], depth);
  } else if (f1->dimension < 3 && f1->dimension <= f2->dimension) {
    if (!find_edge_in_face(m, f1, f2, &i2, subject)) return false;
    face_polygon(m, f2, i2, &by);
    n = f2->normal[i2];
    ct_scl3(way, n, depth);
  } else if (f2->dimension < 3) {
    if (!find_edge_in_face(m, f2, f1, &i1, subject)) return false;
    face_polygon(m, f1, i1, &by);
    n = f1->normal[i1];
    ct_scl3(way, n, -depth);
  } else {
    return false;
  }
  if (by.count < 3) return false;
  clip_polygon(subject, &scratch, &by, n);
  return subject->count > 0;
}

LANE_FN int ct_clip_faces(const mjModel* m, const ct_Ccd* c, ct_Hit* hit, const ct_Shape* s1,
                          const ct_Shape* s2, bool all) {
  Feature f1, f2;
  Polygon polygon;
  mjtNum way[3], dist = hit[0].dist;
  if (!c->has_face) return 1;
  find_feature(m, &f1, c, 1, s1);
  find_feature(m, &f2, c, 2, s2);
  if (!touching_polygon(m, &f1, &f2, ct_dist3(c->x2, c->x1), &polygon, way)) return 1;
  if (polygon.count > MOST_KEPT && !all) {
    keep_quad(&polygon);
  } else {
    drop_repeated(&polygon);
  }
  int count = polygon.count < CT_MOST_HITS ? polygon.count : (int)CT_MOST_HITS;
  for (int i = 0; i < count; i++) {
    mjtNum x1[3], n[3], pos[3];
    const mjtNum* x2 = polygon.point[i];
    ct_sub3(x1, x2, way);
    ct_sub3(n, x1, x2);
    ct_normalize3(n);
    ct_add3(pos, x1, x2);
    ct_scl3(pos, pos, (mjtNum)0.5);
    ct_set_hit(hit + i, dist, pos, n);
  }
  return count;
}
