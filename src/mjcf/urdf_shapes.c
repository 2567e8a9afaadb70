// URDF: `visual` and `collision` become geoms.
//
// A link has a running colour: each visual that names a material sets it, whether it becomes a geom
// or not, and what follows has it. The names of files without folder and ending are those of
// meshes; the same file with another scale is another mesh.

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/resource/path.h"
#include "mjcf/urdf.h"

// Colours

static float* read_rgba(ct_Reader* r, const ct_Xml* color) {
  float* rgba = (float*)ct_pool_array(&r->pool, 4, sizeof(float));
  ct_required(r, color, "rgba");
  if (!ct_read_floats(r, color, "rgba", rgba, 4, 4)) ct_refuse(r, color, "rgba", "rgba is empty");
  return rgba;
}

static void register_material(ct_Reader* r, const ct_Xml* xml, void* arg) {
  ct_Urdf* u = (ct_Urdf*)arg;
  const char* name = ct_given(xml, "name");
  if (!name || ct_dictionary_find(&u->materials, name)) return;
  const ct_Xml* color = ct_urdf_child(r, xml, "color");
  if (color) ct_dictionary_add(&u->materials, &r->pool, name, read_rgba(r, color));
}

void ct_urdf_materials(ct_Urdf* u, const ct_Xml* root) {
  const ct_Xml* xml = root;
  while (xml) {
    if (xml != root && !strcmp(xml->name, "material")) ct_guarded(u->r, register_material, xml, u);
    const ct_Xml* next = xml->first;
    while (!next && xml != root) {
      next = xml->next;
      if (!next) xml = xml->parent;
    }
    xml = next;
  }
}

// NULL: as before.
static const float* colour_of(ct_Urdf* u, const ct_Xml* visual) {
  const ct_Xml* material = ct_urdf_child(u->r, visual, "material");
  if (!material) return NULL;
  const ct_Xml* color = ct_urdf_child(u->r, material, "color");
  if (color) return read_rgba(u->r, color);
  const char* name = ct_required(u->r, material, "name");
  return (const float*)ct_dictionary_find(&u->materials, name);
}

// Meshes

typedef struct Mesh_ {  // one scale of a file
  double scale[3];
  struct Mesh_* next;
} Mesh;

typedef struct {
  Mesh* first;
  int count;
} Scales;

static bool has_scale(const Scales* scales, const double scale[3]) {
  for (const Mesh* mesh = scales->first; mesh; mesh = mesh->next) {
    if (!memcmp(mesh->scale, scale, sizeof(mesh->scale))) return true;
  }
  return false;
}

static void add_mesh(ct_Urdf* u, const ct_Xml* xml, Scales* scales, const char* name,
                     const char* file, const double scale[3]) {
  ct_Element* e = ct_add_in_spec(u->r->spec, mjOBJ_MESH, NULL);
  mjsMesh* v = CT_VALUES(mjsMesh, e);
  e->file = xml->file->name;
  e->line = xml->line;
  ct_set_name(e, name);  // a clash is a mistake of compilation
  ct_string_set(ct_str(v->file), file);
  memcpy(v->scale, scale, sizeof(v->scale));
  Mesh* mesh = (Mesh*)ct_pool_alloc(&u->r->pool, sizeof(Mesh));
  memcpy(mesh->scale, scale, sizeof(mesh->scale));
  mesh->next = scales->first;
  scales->first = mesh;
  scales->count++;
}

// Name of the mesh that a geom refers to. As in the reference a scale that is neither the first nor
// new leads to the mesh of the first.
static const char* mesh_name(ct_Urdf* u, const ct_Xml* xml) {
  ct_Reader* r = u->r;
  double scale[3] = {1, 1, 1};
  const char* file = ct_required(r, xml, "filename");
  ct_urdf_numbers(r, xml, "scale", scale, 3);
  if (r->spec->spec.strippath) file = ct_path_base(file);
  char* name = ct_pool_text(&r->pool, ct_path_base(file));
  char* dot = strrchr(name, '.');
  if (dot) *dot = 0;
  Scales* scales = (Scales*)ct_dictionary_find(&u->meshes, name);
  if (!scales) {
    scales = (Scales*)ct_pool_alloc(&r->pool, sizeof(Scales));
    ct_dictionary_add(&u->meshes, &r->pool, name, scales);
    add_mesh(u, xml, scales, name, file, scale);
    return name;
  }
  if (has_scale(scales, scale)) return name;
  size_t room = strlen(name) + 16;
  char* numbered = (char*)ct_pool_alloc(&r->pool, room);
  snprintf(numbered, room, "%s%d", name, scales->count);
  add_mesh(u, xml, scales, numbered, file, scale);
  return numbered;
}

// Shapes

// Radius and half of a length.
static void read_round(ct_Reader* r, const ct_Xml* xml, mjsGeom* geom, mjtGeom type) {
  geom->type = type;
  ct_urdf_required_numbers(r, xml, "radius", &geom->size[0], 1);
  if (type == mjGEOM_SPHERE) return;
  ct_urdf_required_numbers(r, xml, "length", &geom->size[1], 1);
  geom->size[1] /= 2;
}

static void read_shape(ct_Urdf* u, const ct_Xml* geometry, mjsGeom* geom) {
  ct_Reader* r = u->r;
  const ct_Xml* xml = ct_urdf_child(r, geometry, "box");
  if (xml) {
    geom->type = mjGEOM_BOX;
    ct_urdf_required_numbers(r, xml, "size", geom->size, 3);
    for (int i = 0; i < 3; i++) geom->size[i] /= 2;
  } else if ((xml = ct_urdf_child(r, geometry, "cylinder"))) {
    read_round(r, xml, geom, mjGEOM_CYLINDER);
  } else if ((xml = ct_urdf_child(r, geometry, "sphere"))) {
    read_round(r, xml, geom, mjGEOM_SPHERE);
  } else if ((xml = ct_urdf_child(r, geometry, "capsule"))) {
    read_round(r, xml, geom, mjGEOM_CAPSULE);
  } else if ((xml = ct_urdf_child(r, geometry, "mesh"))) {
    geom->type = mjGEOM_MESH;
    ct_string_set(ct_str(geom->meshname), mesh_name(u, xml));
  } else {
    ct_refuse(r, geometry, NULL, "needs a box, cylinder, sphere, capsule or mesh");
  }
}

typedef struct {
  ct_Urdf* u;
  ct_Body* body;
  const char* name;   // of the last element that had one; "": none had
  const float* rgba;  // NULL: none so far
} Shapes;

// A name that is taken leaves the geom without one.
static void name_geom(Shapes* s, const ct_Xml* xml, ct_Element* geom) {
  ct_Reader* r = s->u->r;
  const char* name = ct_given(xml, "name");
  if (name) s->name = name;
  if (!*s->name) return;
  if (ct_dictionary_find(&s->u->geoms, s->name)) {
    fprintf(stderr, "%s:%d: a geom has the name \"%s\" already; this one gets none\n",
            xml->file->name, xml->line, s->name);
    return;
  }
  ct_dictionary_add(&s->u->geoms, &r->pool, s->name, geom);
  ct_set_name(geom, s->name);
}

static void read_geom(ct_Reader* r, const ct_Xml* xml, void* arg) {
  Shapes* s = (Shapes*)arg;
  bool visual = !strcmp(xml->name, "visual");
  if (visual) {
    const float* rgba = colour_of(s->u, xml);
    if (rgba) s->rgba = rgba;
    if (r->spec->spec.compiler.discardvisual) return;
  }
  ct_Element* e = ct_add_in_body(s->body, mjOBJ_GEOM, NULL);
  mjsGeom* geom = CT_VALUES(mjsGeom, e);
  e->file = xml->file->name;
  e->line = xml->line;
  name_geom(s, xml, e);
  read_shape(s->u, ct_urdf_required_child(r, xml, "geometry"), geom);
  ct_urdf_origin(r, xml, geom->pos, geom->quat);
  if (s->rgba && s->rgba[0] >= 0) memcpy(geom->rgba, s->rgba, sizeof(geom->rgba));
  if (!visual) return;
  geom->contype = geom->conaffinity = 0;
  geom->group = 1;
  geom->density = 0;
}

void ct_urdf_shapes(ct_Urdf* u, const ct_Xml* link, ct_Body* body) {
  Shapes shapes = {u, body, "", NULL};
  for (const ct_Xml* xml = link->first; xml; xml = xml->next) {
    if (!strcmp(xml->name, "visual") || !strcmp(xml->name, "collision"))
      ct_guarded(u->r, read_geom, xml, &shapes);
  }
}
