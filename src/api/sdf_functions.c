// Public functions of signed distance fields, for plugins that make some.

#include "collide/sdf.h"

const mjpPlugin* mjc_getSDF(const mjModel* m, int id) {
  int instance = id >= 0 && id < m->ngeom ? m->geom_plugin[id] : -1;
  const mjpPlugin* plugin = instance < 0 ? NULL : mjp_getPluginAtSlot(m->plugin[instance]);
  if (!plugin || !(plugin->capabilityflags & mjPLUGIN_SDF)) {
    mju_error("mjc_getSDF: geom %d has no plugin that is a signed distance field", id);
    return NULL;
  }
  return plugin;
}

// Side i of a pair. Its id is that of the geom, or of the mesh where the shape is one.
static bool find_field(const mjModel* m, const mjSDF* s, int i, ct_Field* f) {
  int type = s->geomtype[i], id = s->id[i];
  bool mesh = type == mjGEOM_MESH || type == mjGEOM_SDF;
  bool known = id >= 0 && id < (mesh ? m->nmesh : m->ngeom) && type >= 0 && type < mjNGEOMTYPES &&
               type != mjGEOM_HFIELD;
  f->type = type;
  f->size = known && !mesh ? m->geom_size + 3 * id : NULL;
  f->octree = known && mesh ? m->mesh_octadr[id] : -1;
  if (known && (!mesh || f->octree >= 0)) return true;
  mju_error("mjc_distance: shape %d of type %d has no signed distance", id, type);
  return false;
}

static mjtNum side_distance(const mjModel* m, const mjData* d, const mjSDF* s, int i,
                            const mjtNum x[3]) {
  ct_Field f;
  if (s->plugin[i]) return s->plugin[i]->sdf_distance(x, d, s->id[i]);
  return find_field(m, s, i, &f) ? ct_field_distance(m, &f, x) : (mjtNum)mjMAXVAL;
}

static void side_gradient(const mjModel* m, const mjData* d, const mjSDF* s, int i,
                          mjtNum gradient[3], const mjtNum x[3]) {
  ct_Field f;
  ct_zero3(gradient);
  if (s->plugin[i]) {
    s->plugin[i]->sdf_gradient(gradient, x, d, s->id[i]);
  } else if (find_field(m, s, i, &f)) {
    ct_field_gradient(m, &f, gradient, x);
  }
}

// The point in the frame of the second side.
static void point_in_second(const mjSDF* s, mjtNum y[3], const mjtNum x[3]) {
  ct_mul_mat_vec3(y, s->relmat, x);
  ct_add_to3(y, s->relpos);
}

static bool combination_exists(const mjSDF* s, const char* function) {
  if (s->type >= mjSDFTYPE_SINGLE && s->type <= mjSDFTYPE_COLLISION) return true;
  mju_error("%s: type %d is none of mjtSDFType", function, s->type);
  return false;
}

mjtNum mjc_distance(const mjModel* m, const mjData* d, const mjSDF* s, const mjtNum x[3]) {
  mjtNum y[3];
  if (!combination_exists(s, "mjc_distance")) return 0;
  mjtNum A = side_distance(m, d, s, 0, x);
  if (s->type == mjSDFTYPE_SINGLE) return A;
  point_in_second(s, y, x);
  return ct_combine_distances(s->type, A, side_distance(m, d, s, 1, y));
}

void mjc_gradient(const mjModel* m, const mjData* d, const mjSDF* s, mjtNum gradient[3],
                  const mjtNum x[3]) {
  mjtNum y[3], gA[3], gB[3], A = 0, B = 0;
  if (!combination_exists(s, "mjc_gradient")) return;
  side_gradient(m, d, s, 0, gA, x);
  if (s->type == mjSDFTYPE_SINGLE) {
    ct_copy3(gradient, gA);
    return;
  }
  point_in_second(s, y, x);
  side_gradient(m, d, s, 1, gB, y);
  ct_mul_mat_t_vec3(gB, s->relmat, gB);
  if (s->type != mjSDFTYPE_MIDSURFACE) {
    A = side_distance(m, d, s, 0, x);
    B = side_distance(m, d, s, 1, y);
  }
  ct_combine_gradients(s->type, gradient, A, gA, B, gB);
}
