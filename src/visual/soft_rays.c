// Rays against flexes and skins, for selecting them. Rays of sensors do not see either.

#include "collide/ray.h"
#include "math/mat.h"
#include "math/quat.h"
#include "visual/soft_surfaces.h"

// The nearest hit so far.
typedef struct SoftHit_ {
  mjtNum x;  // -1: none
  int vertex;
  mjtNum normal[3];
} SoftHit;

static bool is_nearer(mjtNum x, const SoftHit* best) {
  return x >= 0 && (best->x < 0 || x < best->x);
}

static const mjtNum upright[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};

// Does the ray meet the box around all vertices, grown by a margin?
static bool meets_box(const mjtNum low[3], const mjtNum high[3], mjtNum margin,
                      const mjtNum from[3], const mjtNum along[3]) {
  mjtNum pos[3], size[3];
  for (int i = 0; i < 3; i++) {
    pos[i] = (low[i] + high[i]) / 2;
    size[i] = (high[i] - low[i]) / 2 + margin;
  }
  ct_Shape box = {pos, upright, size, mjGEOM_BOX, -1};
  return ct_ray_shape(&box, from, along, NULL) >= 0;
}

static void include(mjtNum low[3], mjtNum high[3], const mjtNum point[3], bool first) {
  for (int i = 0; i < 3; i++) {
    if (first || point[i] < low[i]) low[i] = point[i];
    if (first || point[i] > high[i]) high[i] = point[i];
  }
}

static mjtNum distance_of_hit(const mjtNum from[3], const mjtNum along[3], mjtNum x,
                              const mjtNum vertex[3]) {
  mjtNum hit[3];
  ct_add_scl3(hit, from, along, x);
  return ct_dist3(hit, vertex);
}

// Flexes

typedef struct SoftRay_ {
  const mjtNum *from, *along;
  const mjtNum* xpos;  // (vertices x 3)
  mjtNum radius;
} SoftRay;

static void meet_edge(const SoftRay* r, const int edge[2], SoftHit* best) {
  const mjtNum *a = r->xpos + 3 * edge[0], *b = r->xpos + 3 * edge[1];
  mjtNum along[3], pos[3], quat[4], mat[9], size[3] = {r->radius, 0, 0}, normal[3];
  ct_sub3(along, b, a);
  ct_add3(pos, a, b);
  ct_scl3(pos, pos, (mjtNum)0.5);
  size[1] = ct_norm3(along) / 2;
  ct_quat_z_to_vec(quat, along);
  ct_quat_to_mat(mat, quat);
  ct_Shape capsule = {pos, mat, size, mjGEOM_CAPSULE, -1};
  mjtNum x = ct_ray_shape(&capsule, r->from, r->along, normal);
  if (!is_nearer(x, best)) return;
  best->x = x;
  ct_copy3(best->normal, normal);
  bool first = distance_of_hit(r->from, r->along, x, a) < distance_of_hit(r->from, r->along, x, b);
  best->vertex = edge[first ? 0 : 1];
}

static void meet_vertex(const SoftRay* r, int vertex, SoftHit* best) {
  mjtNum size[3] = {r->radius, 0, 0}, normal[3];
  ct_Shape ball = {r->xpos + 3 * vertex, upright, size, mjGEOM_SPHERE, -1};
  mjtNum x = ct_ray_shape(&ball, r->from, r->along, normal);
  if (!is_nearer(x, best)) return;
  best->x = x;
  best->vertex = vertex;
  ct_copy3(best->normal, normal);
}

static void meet_face(const SoftRay* r, const int corner[3], SoftHit* best) {
  mjtNum v[3][3], normal[3], dist[3];
  for (int k = 0; k < 3; k++) ct_copy3(v[k], r->xpos + 3 * corner[k]);
  mjtNum x = ct_ray_triangle((const mjtNum(*)[3])v, r->from, r->along, normal);
  if (!is_nearer(x, best)) return;
  best->x = x;
  ct_copy3(best->normal, normal);
  for (int k = 0; k < 3; k++) dist[k] = distance_of_hit(r->from, r->along, x, v[k]);
  int nearest = dist[0] <= dist[1] && dist[0] <= dist[2] ? 0 : dist[1] <= dist[2] ? 1 : 2;
  best->vertex = corner[nearest];
}

static void meet_elements(const mjModel* m, int flex, int layer, const SoftRay* r, SoftHit* best) {
  static const int side[4][3] = {{0, 1, 2}, {0, 1, 3}, {0, 2, 3}, {1, 2, 3}};
  int dim = m->flex_dim[flex], nside = dim == 2 ? 1 : 4;
  for (int e = 0; e < m->flex_elemnum[flex]; e++) {
    const int* element = m->flex_elem + m->flex_elemdataadr[flex] + e * (dim + 1);
    if (dim == 3 && m->flex_elemlayer[m->flex_elemadr[flex] + e] != layer) continue;
    for (int f = 0; f < nside; f++) {
      const int corner[3] = {element[side[f][0]], element[side[f][1]], element[side[f][2]]};
      meet_face(r, corner, best);
    }
  }
}

mjtNum mj_rayFlex(const mjModel* m, const mjData* d, int flex_layer, mjtByte flg_vert,
                  mjtByte flg_edge, mjtByte flg_face, mjtByte flg_skin, int flexid,
                  const mjtNum pnt[3], const mjtNum vec[3], int vertid[1], mjtNum normal[3]) {
  if (flexid < 0 || flexid >= m->nflex) {
    mju_error("mj_rayFlex: flex %d does not exist, there are %d", flexid, (int)m->nflex);
    return -1;
  }
  int nvert = m->flex_vertnum[flexid], dim = m->flex_dim[flexid];
  SoftRay r = {pnt, vec, d->flexvert_xpos + 3 * m->flex_vertadr[flexid], m->flex_radius[flexid]};
  SoftHit best = {-1, -1, {0, 0, 0}};
  mjtNum low[3] = {0, 0, 0}, high[3] = {0, 0, 0};
  for (int i = 0; i < nvert; i++) include(low, high, r.xpos + 3 * i, i == 0);
  if (meets_box(low, high, r.radius, pnt, vec)) {
    bool skin = dim > 1 && flg_skin;
    if (flg_edge || skin) {
      const int* edge = m->flex_edge + 2 * m->flex_edgeadr[flexid];
      for (int e = 0; e < m->flex_edgenum[flexid]; e++) meet_edge(&r, edge + 2 * e, &best);
    } else if (flg_vert) {
      for (int i = 0; i < nvert; i++) meet_vertex(&r, i, &best);
    }
    if (dim > 1 && (flg_face || flg_skin)) {
      meet_elements(m, flexid, flg_skin ? 0 : flex_layer, &r, &best);
    }
  }
  if (vertid && best.x >= 0) *vertid = best.vertex;  // else it stays, as in the reference
  if (normal) ct_copy3(normal, best.normal);
  return best.x;
}

// Skins

static void widened(mjtNum to[3], const float from[3]) {
  for (int i = 0; i < 3; i++) to[i] = from[i];
}

mjtNum mju_raySkin(int nface, int nvert, const int* face, const float* vert, const mjtNum pnt[3],
                   const mjtNum vec[3], int vertid[1]) {
  SoftHit best = {-1, -1, {0, 0, 0}};
  mjtNum low[3] = {0, 0, 0}, high[3] = {0, 0, 0}, point[3];
  for (int i = 0; i < nvert; i++) {
    widened(point, vert + 3 * i);
    include(low, high, point, i == 0);
  }
  if (nvert > 0 && meets_box(low, high, 0, pnt, vec)) {
    for (int f = 0; f < nface; f++) {
      mjtNum v[3][3];
      for (int k = 0; k < 3; k++) widened(v[k], vert + 3 * face[3 * f + k]);
      mjtNum x = ct_ray_triangle((const mjtNum(*)[3])v, pnt, vec, NULL);
      if (!is_nearer(x, &best)) continue;
      best.x = x;
      mjtNum nearest = 0;
      for (int k = 0; k < 3; k++) {
        mjtNum dist = distance_of_hit(pnt, vec, x, v[k]);
        if (k == 0 || dist < nearest) {
          nearest = dist;
          best.vertex = face[3 * f + k];
        }
      }
    }
  }
  if (vertid && best.x >= 0) *vertid = best.vertex;
  return best.x;
}
