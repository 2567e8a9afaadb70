// Tactile sensors: pressure and slip at every vertex of a mesh.
//
//   in    contact, geom_xpos, geom_xmat, cvel
//   out   values (3 x nvert of the mesh): pressure, slip along two tangents
//
// The sensor's mesh sits on a geom, its skin. A vertex that is inside a geom which touches the
// skin's body, at depth p < 0 by the signed distance of that geom, reports p / (0.05 - p), which
// is how far a layer 5 cm thick is pressed together, and how fast it slips. If several geoms
// cover a vertex the last one counts; they come in the order of their first contacts.
//
// Oddities of the reference, kept: the mesh has three normals per vertex, normal and tangents;
// these stay in the axes of the geom while the slip velocity is in the world's; the other geom's
// velocity is taken at its own centre. Vertices of meshes that have one normal per vertex would
// read normals of others; here they read zero as soon as the normals of the mesh are at an end.

#include "collide/sdf.h"
#include "engine/sensor/sensor.h"
#include "engine/smooth/object.h"
#include "math/quat.h"

// The geom that touches the weld group of `weld` in this contact; -1: none, or a flex.
LANE_FN static int touching_geom(const mjModel* m, const mjData* d, int weld, int contact) {
  const int* geom = d->contact[contact].geom;
  if (geom[0] < 0 || geom[1] < 0) return -1;
  if (m->body_weldid[m->geom_bodyid[geom[0]]] == weld) return geom[1];
  return m->body_weldid[m->geom_bodyid[geom[1]]] == weld ? geom[0] : -1;
}

// Has the geom been met in an earlier contact?
LANE_FN static bool touched_before(const mjModel* m, const mjData* d, int weld, int contact,
                                   int geom) {
  for (int i = 0; i < contact; i++) {
    if (touching_geom(m, d, weld, i) == geom) return true;
  }
  return false;
}

LANE_INLINE bool has_distance(const mjModel* m, int geom) {
  int mesh = m->geom_dataid[geom];
  return m->geom_type[geom] != mjGEOM_MESH || (mesh >= 0 && m->mesh_octadr[mesh] >= 0);
}

// How deep a point (world) is inside the geom; 0 outside.
LANE_FN static mjtNum depth_in_geom(const mjModel* m, const mjData* d, int geom,
                                    const mjtNum point[3]) {
  mjtNum x[3];
  ct_sub3(x, point, d->geom_xpos + 3 * geom);
  ct_mul_mat_t_vec3(x, d->geom_xmat + 9 * geom, x);
  if (m->geom_type[geom] == mjGEOM_PLANE) return ct_min(x[2], 0);
  int mesh = m->geom_dataid[geom];
  if (m->geom_type[geom] == mjGEOM_SDF && m->geom_plugin[geom] >= 0 && mesh >= 0) {
    ct_rot_vec_quat(x, x, m->mesh_quat + 4 * mesh);
    ct_add_to3(x, m->mesh_pos + 3 * mesh);
  }
  return ct_min(ct_sdf_distance(m, d, geom, x), 0);
}

typedef struct Skin_ {
  int mesh, geom, weld, nvert;
} Skin;

// Velocity of a point of the skin against the other geom.
LANE_FN static void slip_velocity(const mjModel* m, const mjData* d, const Skin* skin, int other,
                                  const mjtNum point[3], mjtNum slip[3]) {
  ct_ObjectFrame geom;
  mjtNum its[6], arm[3];
  ct_sub3(arm, point, ct_reference_point(m, d, skin->weld));
  ct_jac_column(slip, d->cvel + 6 * skin->weld, arm);
  ct_object_frame(m, d, mjOBJ_GEOM, other, &geom);
  ct_frame_velocity(m, d, geom, false, its);
  ct_sub_from3(slip, its + 3);
}

LANE_FN static void feel(const mjModel* m, const mjData* d, const Skin* skin, int other, int vertex,
                         mjtNum* value) {
  mjtNum point[3], slip[3], axis[3];
  if (3 * vertex + 2 >= m->mesh_normalnum[skin->mesh]) return;
  const float* v = m->mesh_vert + 3 * (m->mesh_vertadr[skin->mesh] + vertex);
  const float* axes = m->mesh_normal + 3 * (m->mesh_normaladr[skin->mesh] + 3 * vertex);
  for (int k = 0; k < 3; k++) point[k] = (mjtNum)v[k];
  ct_mul_mat_vec3(point, d->geom_xmat + 9 * skin->geom, point);
  ct_add_to3(point, d->geom_xpos + 3 * skin->geom);
  mjtNum depth = depth_in_geom(m, d, other, point);
  if (depth == 0) return;
  slip_velocity(m, d, skin, other, point, slip);
  for (int c = 0; c < 3; c++) {
    for (int k = 0; k < 3; k++) axis[k] = (mjtNum)axes[3 * c + k];
    ct_rot_vec_quat(axis, axis, m->mesh_quat + 4 * skin->mesh);
    value[c * skin->nvert + vertex] =
        c == 0 ? depth / ct_max((mjtNum)0.05 - depth, (mjtNum)mjMINVAL) * ct_dot3(axis, axis)
               : ct_abs(ct_dot3(slip, axis));
  }
}

LANE_FN int ct_tactile(Lane g, const mjModel* m, const mjData* d, int sensor, mjtNum* value) {
  Skin skin;
  int status = CT_OK;
  skin.mesh = m->sensor_objid[sensor];
  skin.geom = m->sensor_refid[sensor];
  skin.weld = m->body_weldid[m->geom_bodyid[skin.geom]];
  skin.nvert = m->mesh_vertnum[skin.mesh];
  LANE_FOR(i, g, m->sensor_dim[sensor]) {
    value[i] = 0;
  }
  lane_sync(g);
  for (int c = 0; c < d->ncon; c++) {
    int other = touching_geom(m, d, skin.weld, c);
    if (other < 0 || !has_distance(m, other)) continue;
    if (touched_before(m, d, skin.weld, c, other)) continue;
    if (m->geom_type[other] == mjGEOM_HFIELD) {
      status = CT_BAD_SENSOR;
      continue;
    }
    LANE_FOR(j, g, skin.nvert) {
      feel(m, d, &skin, other, j, value);
    }
    lane_sync(g);
  }
  return status;
}
