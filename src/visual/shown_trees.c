// Bounding volumes in the list of geoms: trees of bodies, flexes and meshes, octrees, and the
// lattices of interpolated flexes.

#include "math/mat.h"
#include "math/quat.h"
#include "visual/shown.h"

// A node is shown at the chosen depth, and where its branch ends before.
static bool node_shown(const ct_Show* s, int node) {
  const mjModel* m = s->m;
  int depth = m->bvh_depth[node], chosen = s->opt->bvh_depth;
  bool leaf = m->bvh_child[2 * node] == -1 && m->bvh_child[2 * node + 1] == -1;
  return depth == chosen || (leaf && depth < chosen);
}

static bool node_active(const ct_Show* s, int node) {
  return s->m->vis.global.bvactive && s->d->bvh_active[node];
}

static const float* node_color(const ct_Show* s, int node) {
  return node_active(s, node) ? s->m->vis.rgba.bvactive : s->m->vis.rgba.bv;
}

// aabb: centre and half sizes in a frame, or in the world (pos and mat NULL).
static void show_box(const ct_Show* s, int id, const mjtNum aabb[6], const mjtNum* pos,
                     const mjtNum* mat, const float rgba[4]) {
  mjvGeom* geom = ct_begin_decor(s, mjOBJ_UNKNOWN, id);
  if (!geom) return;
  mjtNum centre[3];
  ct_copy3(centre, aabb);
  if (mat) {
    ct_mul_mat_vec3(centre, mat, centre);
    ct_add_to3(centre, pos);
  }
  mjv_initGeom(geom, mjGEOM_LINEBOX, aabb + 3, centre, mat, rgba);
}

void ct_show_body_trees(const ct_Show* s) {
  const mjModel* m = s->m;
  const mjData* d = s->d;
  int body = 0;
  for (int i = 0; i < m->nbvhstatic; i++) {
    while (body < m->nbody && i >= m->body_bvhadr[body] + m->body_bvhnum[body]) body++;
    if (body == m->nbody) return;  // trees of meshes follow
    if (!node_shown(s, i)) continue;
    if (m->bvh_child[2 * i] == -1 && m->bvh_child[2 * i + 1] == -1) {
      int geom = m->bvh_nodeid[i];
      show_box(s, i, m->geom_aabb + 6 * geom, d->geom_xpos + 3 * geom, d->geom_xmat + 9 * geom,
               node_color(s, i));
    } else {
      show_box(s, i, m->bvh_aabb + 6 * i, d->xipos + 3 * body, d->ximat + 9 * body,
               node_color(s, i));
    }
  }
}

// Flexes

static void lattice_point(const ct_Show* s, int flex, int node, mjtNum res[3]) {
  const mjModel* m = s->m;
  int id = m->flex_nodeadr[flex] + node, body = m->flex_nodebodyid[id];
  if (m->flex_centered[flex]) {
    ct_copy3(res, s->d->xpos + 3 * body);
  } else {
    ct_body_point(s->d, res, m->flex_node + 3 * id, body);
  }
}

// Lines between neighbours of the (order + 1)^3 control points.
static void show_lattice(const ct_Show* s, int flex) {
  static const float grey[4] = {0.5f, 0.5f, 0.5f, 1};
  int side = s->m->flex_interp[flex] + 1, stride[3] = {side * side, side, 1};
  for (int node = 0; node < side * side * side; node++) {
    int place[3] = {node / stride[0], node / side % side, node % side};
    for (int k = 0; k < 3; k++) {
      if (place[k] + 1 == side) continue;
      mjtNum from[3], to[3];
      lattice_point(s, flex, node, from);
      lattice_point(s, flex, node + stride[k], to);
      ct_show_line(s, mjOBJ_UNKNOWN, place[0], from, to, grey);
    }
  }
}

void ct_show_flex_trees(const ct_Show* s) {
  const mjModel* m = s->m;
  for (int flex = 0; flex < m->nflex; flex++) {
    int first = m->flex_bvhadr[flex], count = m->flex_bvhnum[flex];
    bool shown = first >= 0 && ct_group_shown(s->opt->flexgroup, m->flex_group[flex]);
    for (int i = first; shown && i < first + count; i++) {
      if (!node_shown(s, i)) continue;
      show_box(s, i, s->d->bvh_aabb_dyn + 6 * (i - m->nbvhstatic), NULL, NULL, node_color(s, i));
    }
    if (m->flex_interp[flex] > 0) show_lattice(s, flex);
  }
}

// Meshes

// The mesh whose tree a geom shows. The reference takes the data id of any type for a mesh, so a
// height field shows the tree of the mesh with its number.
static int mesh_of_geom(const mjModel* m, int geom) {
  int mesh = m->geom_dataid[geom];
  return mesh < m->nmesh ? mesh : -1;
}

void ct_show_mesh_trees(const ct_Show* s) {
  const mjModel* m = s->m;
  for (int geom = 0; geom < m->ngeom; geom++) {
    int mesh = mesh_of_geom(m, geom);
    if (mesh < 0 || m->geom_type[geom] == mjGEOM_SDF || m->mesh_octadr[mesh] >= 0) continue;
    int first = m->mesh_bvhadr[mesh];
    for (int i = first; first >= 0 && i < first + m->mesh_bvhnum[mesh]; i++) {
      if (!node_shown(s, i)) continue;
      if (m->vis.global.bvactive && !s->d->bvh_active[i]) continue;  // there are too many
      show_box(s, i, m->bvh_aabb + 6 * i, s->d->geom_xpos + 3 * geom, s->d->geom_xmat + 9 * geom,
               node_color(s, i));
    }
  }
}

void ct_show_octrees(const ct_Show* s) {
  const mjModel* m = s->m;
  for (int geom = 0; geom < m->ngeom; geom++) {
    int mesh = mesh_of_geom(m, geom);
    if (mesh < 0 || m->geom_type[geom] == mjGEOM_HFIELD || m->mesh_octadr[mesh] < 0) continue;
    int first = m->mesh_octadr[mesh];
    for (int i = first; i < first + m->mesh_octnum[mesh]; i++) {
      if (m->oct_depth[i] != s->opt->bvh_depth) continue;
      show_box(s, i, m->oct_aabb + 6 * i, s->d->geom_xpos + 3 * geom, s->d->geom_xmat + 9 * geom,
               m->vis.rgba.bv);
    }
  }
}
