// Meshes made from a signed distance field: what a plugin says of its shape, sampled on a grid.
//
// The grid covers the plugin's bounding box. Its number of points along an axis is in proportion to
// the box, some 300 for all three together, so that cells are nearly cubes.

#include <math.h>
#include <string.h>

#include "compile/assets/marching_cubes.h"
#include "compile/assets/mesh.h"

static const double grid_points = 300;  // along the three axes together

typedef struct {
  const mjpPlugin* plugin;
  const mjtNum* attribute;
  double centre[3], half[3];  // the bounding box and its half sizes
  int n[3];                   // grid points
} Field;

// The configuration of an instance as numbers, which the plugin makes of the texts.
static const mjtNum* read_attributes(ct_Compiler* c, const mjpPlugin* plugin,
                                     const ct_Element* instance) {
  const ct_Map* given = &((const ct_Plugin*)instance)->attributes;
  size_t n = (size_t)plugin->nattribute + 1;
  mjtNum* number = (mjtNum*)ct_pool_array(&c->scratch, n, sizeof(mjtNum));
  const char** name = (const char**)ct_pool_array(&c->scratch, n, sizeof(char*));
  const char** value = (const char**)ct_pool_array(&c->scratch, n, sizeof(char*));
  for (int i = 0; i < plugin->nattribute; i++) {
    name[i] = plugin->attributes[i];
    value[i] = ct_map_get(given, name[i]);
    if (!value[i]) value[i] = "";
  }
  if (plugin->sdf_attribute) plugin->sdf_attribute(number, name, value);
  return number;
}

static void find_box(ct_Compiler* c, const ct_Element* e, Field* field) {
  mjtNum box[6] = {0};
  field->plugin->sdf_aabb(box, field->attribute);
  for (int i = 0; i < 3; i++) {
    field->centre[i] = (double)box[i];
    field->half[i] = (double)box[3 + i];
  }
  const double* half = field->half;
  double total = half[0] + half[1] + half[2];
  for (int i = 0; i < 3; i++) {
    if (!(half[i] > 0) || !isfinite(total) || !isfinite(field->centre[i])) {
      ct_fail(c, e, "the box of plugin \"%s\" has half sizes %g, %g, %g: is it configured well?",
              field->plugin->name, half[0], half[1], half[2]);
    }
    field->n[i] = (int)floor(grid_points / total * half[i]) + 1;
  }
  for (int i = 0; i < 3; i++) {
    if (field->n[i] < 2) {
      ct_fail(c, e, "the box of plugin \"%s\", with half sizes %g, %g, %g, is too thin for a grid",
              field->plugin->name, half[0], half[1], half[2]);
    }
  }
}

static float* sample(ct_Compiler* c, const Field* field) {
  const int* n = field->n;
  size_t points = (size_t)n[0] * (size_t)n[1] * (size_t)n[2];
  float* value = (float*)ct_pool_array(&c->scratch, points, sizeof(float));
  float* next = value;
  int at[3];
  for (at[2] = 0; at[2] < n[2]; at[2]++) {
    for (at[1] = 0; at[1] < n[1]; at[1]++) {
      for (at[0] = 0; at[0] < n[0]; at[0]++) {
        mjtNum x[3];
        for (int i = 0; i < 3; i++) {
          double along = 2 * field->half[i] * at[i] / (n[i] - 1);
          x[i] = (mjtNum)(field->centre[i] - field->half[i] + along);
        }
        *next++ = (float)field->plugin->sdf_staticdistance(x, field->attribute);
      }
    }
  }
  return value;
}

void ct_read_field(ct_Compiler* c, const ct_WorkMesh* w, ct_MeshFile* mesh) {
  const ct_Element* e = w->head.element;
  const double* scale = w->v.scale;
  if (scale[0] != 1 || scale[1] != 1 || scale[2] != 1) {
    ct_fail(c, e, "the mesh of a plugin cannot be scaled: configure the plugin instead");
  }
  Field field;
  const ct_WorkPlugin* instance = (const ct_WorkPlugin*)w->plugin;
  field.plugin = mjp_getPlugin(ct_text(instance->v.plugin_name), NULL);
  if (!field.plugin->sdf_staticdistance || !field.plugin->sdf_aabb) {
    ct_fail(c, e, "plugin \"%s\" has no distance or no box to make a mesh from",
            field.plugin->name);
  }
  field.attribute = read_attributes(c, field.plugin, instance->head.element);
  find_box(c, e, &field);
  ct_Isosurface surface = ct_marching_cubes(&c->scratch, sample(c, &field), field.n);
  for (int i = 0; i < 3 * surface.nvert; i++) {
    int k = i % 3;
    double along = 2 * field.half[k] * (double)surface.vert[i] / (field.n[k] - 1);
    surface.vert[i] = (float)(along + field.centre[k] - field.half[k]);
  }
  mesh->vert = surface.vert;
  mesh->nvert = 3 * surface.nvert;
  mesh->normal = surface.normal;
  mesh->nnormal = 3 * surface.nvert;
  mesh->face = surface.face;
  mesh->nface = 3 * surface.nface;
}
