#include "collide/plane.h"

#include "collide/support.h"

// A point of shape 2 at distance dist below or above the plane; the hit is halfway between them.
LANE_INLINE void set_plane_hit(ct_Hit* hit, const mjtNum normal[3], const mjtNum point[3],
                               mjtNum dist) {
  mjtNum pos[3];
  ct_add_scl3(pos, point, normal, -dist / 2);
  ct_set_hit(hit, dist, pos, normal);
}

// Up to four points on the rims: the lowest point of the lower disk, the one above it on the other
// disk, and two more of the lower disk that make an equilateral triangle with the first.
//
//   v     from the axis to the lowest rim point, length r
//   a     half of the axis, pointing down
LANE_FN int ct_plane_cylinder(ct_Hit* hit, const ct_Shape* plane, const ct_Shape* cylinder,
                              mjtNum margin) {
  mjtNum r = cylinder->size[0], h = cylinder->size[1];
  mjtNum n[3], a[3], v[3], w[3], offset[3], point[3];
  const mjtNum* centre = cylinder->pos;

  // the axis, pointing down, and the centre above the plane
  ct_column3(n, plane->mat, 2);
  ct_column3(a, cylinder->mat, 2);
  mjtNum slope = ct_dot3(n, a);
  if (slope > 0) {
    ct_scl3(a, a, -1);
    slope = -slope;
  }
  ct_sub3(offset, centre, plane->pos);
  mjtNum height = ct_dot3(offset, n);

  // down the lower disk; any direction will do if the disk lies flat
  ct_scl3(v, a, slope);
  ct_sub_from3(v, n);
  mjtNum length_squared = ct_dot3(v, v);
  if (length_squared >= (mjtNum)mjMINVAL * (mjtNum)mjMINVAL) {
    ct_scl3(v, v, r / ct_sqrt(length_squared));
  } else {
    ct_column3(v, cylinder->mat, 0);
    ct_scl3(v, v, r);
  }
  mjtNum rim = ct_dot3(v, n);
  ct_scl3(a, a, h);
  slope *= h;

  // the lowest point
  int count = 0;
  mjtNum dist = height + slope + rim;
  if (!(dist <= margin)) return 0;
  ct_add3(point, centre, v);
  ct_add_to3(point, a);
  set_plane_hit(hit + count++, n, point, dist);

  // the one above it
  dist = height - slope + rim;
  if (dist <= margin) {
    ct_add3(point, centre, v);
    ct_sub_from3(point, a);
    set_plane_hit(hit + count++, n, point, dist);
  }

  // the two others of the triangle
  dist = height + slope - rim / 2;
  if (dist <= margin) {
    ct_cross(w, v, a);
    ct_normalize3(w);
    ct_scl3(w, w, r * ct_sqrt(3) / 2);
    for (int side = 1; side >= -1; side -= 2) {
      ct_add_scl3(point, centre, w, (mjtNum)side);
      ct_add_to3(point, a);
      ct_add_to_scl3(point, v, (mjtNum)-0.5);
      set_plane_hit(hit + count++, n, point, dist);
    }
  }
  return count;
}

// The first four corners, in binary order, that lie below the centre and within the margin.
LANE_FN int ct_plane_box(ct_Hit* hit, const ct_Shape* plane, const ct_Shape* box, mjtNum margin) {
  mjtNum n[3], offset[3];
  int count = 0;
  ct_column3(n, plane->mat, 2);
  ct_sub3(offset, box->pos, plane->pos);
  mjtNum height = ct_dot3(offset, n);
  for (int i = 0; i < 8 && count < 4; i++) {
    mjtNum corner[3], point[3];
    for (int k = 0; k < 3; k++) corner[k] = i & 1 << k ? box->size[k] : -box->size[k];
    ct_mul_mat_vec3(corner, box->mat, corner);
    mjtNum below = ct_dot3(n, corner);
    if (height + below > margin || below > 0) continue;
    ct_add3(point, corner, box->pos);
    set_plane_hit(hit + count++, n, point, height + below);
  }
  return count;
}

// The candidate vertices of a mesh beside its lowest one: neighbours of that on the hull, or all.
typedef struct {
  const int* list;     // ids of hull vertices, ended by -1; NULL: all vertices
  const int* hull_id;  // hull vertex -> mesh vertex
} PlaneNeighbours;

LANE_INLINE int next_plane_vertex(const PlaneNeighbours* near, int vertnum, int* at) {
  int i = (*at)++;
  if (!near->list) return i < vertnum ? i : -1;
  return near->list[i] < 0 ? -1 : near->hull_id[near->list[i]];
}

// Two more vertices of the mesh, not too close to the first hit.
LANE_FN static int more_plane_mesh_hits(const mjModel* m, ct_Hit* hit, const ct_Shape* plane,
                                        const ct_Shape* mesh, const mjtNum n[3], mjtNum margin,
                                        const ct_Support* lowest) {
  int id = m->geom_dataid[mesh->geom], count = 1, at = 0;
  const float* vert = m->mesh_vert + 3 * m->mesh_vertadr[id];
  mjtNum apart = (mjtNum)0.3 * m->geom_rbound[mesh->geom];
  mjtNum offset[3], down[3];
  ct_sub3(offset, mesh->pos, plane->pos);
  mjtNum threshold = ct_dot3(n, offset) - margin;
  ct_scl3(down, n, -1);
  ct_mul_mat_t_vec3(down, mesh->mat, down);

  PlaneNeighbours near = {NULL, NULL};
  if (m->mesh_graphadr[id] >= 0) {
    const ct_HullGraph graph = ct_hull_graph(m, id);
    near.list = graph.edge + graph.edge_adr[lowest->hull_vertex];
    near.hull_id = graph.vertex;
  }
  for (int v; count < 3 && (v = next_plane_vertex(&near, m->mesh_vertnum[id], &at)) >= 0;) {
    mjtNum point[3] = {(mjtNum)vert[3 * v], (mjtNum)vert[3 * v + 1], (mjtNum)vert[3 * v + 2]};
    if (v == lowest->vertex || !(ct_dot3(down, point) > threshold)) continue;
    ct_mul_mat_vec3(point, mesh->mat, point);
    ct_add_to3(point, mesh->pos);
    if (ct_dist3(point, hit->pos) < apart) continue;
    ct_sub3(offset, point, plane->pos);
    set_plane_hit(hit + count++, n, point, ct_dot3(n, offset));
  }
  return count;
}

LANE_FN int ct_plane_convex(const mjModel* m, ct_Hit* hit, const ct_Shape* plane,
                            const ct_Shape* convex, mjtNum margin) {
  mjtNum n[3], down[3], point[3], offset[3];
  ct_Support support = ct_support_start(m, convex, 0);
  ct_column3(n, plane->mat, 2);
  ct_scl3(down, n, -1);
  ct_legacy_support(&support, point, down);
  ct_sub3(offset, point, plane->pos);
  mjtNum dist = ct_dot3(n, offset);
  if (dist > margin) return 0;
  set_plane_hit(hit, n, point, dist);
  if (convex->type == mjGEOM_ELLIPSOID) return 1;
  return more_plane_mesh_hits(m, hit, plane, convex, n, margin, &support);
}
