// Assets: meshes, height fields, skins, textures, materials, models.

#include <limits.h>
#include <string.h>

#include "mjcf/read.h"
#include "spec/copy.h"

// Folder in which the files of an asset are looked for: its own, else that of all assets.
static const char* folder(ct_Reader* r, const char* own) {
  return ct_join(r, r->directory, *own ? own : r->assetdir);
}

static void set_file(ct_Reader* r, const ct_Xml* xml, const char* attribute, const char* where,
                     mjString* field) {
  const char* file = ct_file_name(r, xml, attribute, where);
  if (file) ct_string_set(ct_str(field), file);
}

// Meshes

void ct_read_mesh_values(ct_Reader* r, const ct_Xml* xml, mjsMesh* mesh) {
  int n;
  if (!ct_read_int(r, xml, "maxhullvert", &n)) return;
  if (n != -1 && n < 4)
    ct_refuse(r, xml, "maxhullvert",
              "maxhullvert is %d; a hull has 4 vertices or more, -1 means any number", n);
  mesh->maxhullvert = n;
}

static void make_builtin(ct_Reader* r, const ct_Xml* xml, mjsMesh* mesh) {
  int builtin, n;
  if (!ct_read_word(r, xml, "builtin", "meshbuiltin", &builtin)) return;
  if (ct_given(xml, "file")) ct_refuse(r, xml, "builtin", "builtin and file both give the shape");
  if (ct_given(xml, "vertex"))
    ct_refuse(r, xml, "builtin", "builtin and vertex both give the shape");
  double* params = ct_read_all_reals(r, xml, "params", &n);
  if (!params) ct_refuse(r, xml, "builtin", "a built-in mesh needs params");
  if (mjs_makeMesh(mesh, (mjtMeshBuiltin)builtin, params, n))
    ct_refuse(r, xml, "params", "%s", r->spec->message);
}

static void read_mesh(ct_Reader* r, const ct_Xml* xml) {
  mjsMesh* mesh = CT_VALUES(mjsMesh, ct_read_element(r, xml, mjOBJ_MESH));
  ct_read_mesh_values(r, xml, mesh);
  set_file(r, xml, "file", folder(r, r->meshdir), mesh->file);
  make_builtin(r, xml, mesh);
  const ct_Xml* plugin = ct_first_child(xml, "plugin");
  if (plugin) ct_read_plugin(r, plugin, &mesh->plugin);
}

// Height fields

// Heights are written with the far row first and stored with the near row first.
static void read_elevation(ct_Reader* r, const ct_Xml* xml, mjsHField* hfield) {
  int n, nrow = hfield->nrow, ncol = hfield->ncol;
  if (ct_given(xml, "file") || nrow <= 0 || ncol <= 0) return;
  if (ncol > INT_MAX / 8 / nrow)
    ct_refuse(r, xml, "nrow", "%d x %d points are too many", nrow, ncol);
  const float* given = ct_read_all_floats(r, xml, "elevation", &n);
  if (given && n != nrow * ncol) {
    ct_refuse(r, xml, "elevation", "elevation needs nrow x ncol = %d numbers, got %d", nrow * ncol,
              n);
  }
  ct_Vector* data = (ct_Vector*)hfield->userdata;
  ct_vector_resize(data, (size_t)nrow * (size_t)ncol, sizeof(float));
  for (int i = 0; given && i < nrow; i++) {
    float* row = (float*)(void*)data->begin + (size_t)(nrow - 1 - i) * (size_t)ncol;
    memcpy(row, given + (size_t)i * (size_t)ncol, (size_t)ncol * sizeof(float));
  }
}

static void read_hfield(ct_Reader* r, const ct_Xml* xml) {
  mjsHField* hfield = CT_VALUES(mjsHField, ct_read_element(r, xml, mjOBJ_HFIELD));
  set_file(r, xml, "file", folder(r, ""), hfield->file);
  read_elevation(r, xml, hfield);
}

// Skins

static void read_bone(ct_Reader* r, const ct_Xml* xml, mjsSkin* skin) {
  float pos[3], quat[4];
  int nid, nweight;
  ct_require(r, xml);
  const char* body = ct_required(r, xml, "body");
  if (!ct_read_floats(r, xml, "bindpos", pos, 3, 3))
    ct_refuse(r, xml, "bindpos", "bindpos is empty");
  if (!ct_read_floats(r, xml, "bindquat", quat, 4, 4))
    ct_refuse(r, xml, "bindquat", "bindquat is empty");
  const int* id = ct_read_all_ints(r, xml, "vertid", &nid);
  const float* weight = ct_read_all_floats(r, xml, "vertweight", &nweight);
  if (!id) ct_refuse(r, xml, "vertid", "vertid is empty");
  if (!weight) ct_refuse(r, xml, "vertweight", "vertweight is empty");
  ct_strings_append((ct_Vector*)skin->bodyname, body);
  for (int i = 0; i < 3; i++) ct_vector_append((ct_Vector*)skin->bindpos, &pos[i], sizeof(float));
  for (int i = 0; i < 4; i++) ct_vector_append((ct_Vector*)skin->bindquat, &quat[i], sizeof(float));
  ct_vectors_append((ct_Vector*)skin->vertid, id, (size_t)nid, sizeof(int));
  ct_vectors_append((ct_Vector*)skin->vertweight, weight, (size_t)nweight, sizeof(float));
}

static void read_skin(ct_Reader* r, const ct_Xml* xml) {
  mjsSkin* skin = CT_VALUES(mjsSkin, ct_read_element(r, xml, mjOBJ_SKIN));
  set_file(r, xml, "file", folder(r, ""), skin->file);
  if (ct_read_int(r, xml, "group", &skin->group) && (skin->group < 0 || skin->group >= mjNGROUP)) {
    ct_refuse(r, xml, "group", "group is %d; groups are 0 to %d", skin->group, mjNGROUP - 1);
  }
  for (const ct_Xml* child = xml->first; child; child = child->next) {
    if (!strcmp(child->name, "bone")) read_bone(r, child, skin);
  }
}

// Textures and materials

static void read_grid_layout(ct_Reader* r, const ct_Xml* xml, mjsTexture* texture) {
  const char* layout = ct_given(xml, "gridlayout");
  if (!layout) return;
  size_t n = strlen(layout);
  long long cells = (long long)texture->gridsize[0] * texture->gridsize[1];
  if (n > sizeof(texture->gridlayout))
    ct_refuse(r, xml, "gridlayout", "gridlayout has %d letters; 12 is the most", (int)n);
  if ((long long)n != cells) {
    ct_refuse(r, xml, "gridlayout", "gridlayout has %d letters, but gridsize says %lld cells",
              (int)n, cells);
  }
  memcpy(texture->gridlayout, layout, n);
}

static void read_texture(ct_Reader* r, const ct_Xml* xml) {
  static const char* const faces[6] = {"fileright", "fileleft",  "fileup",
                                       "filedown",  "filefront", "fileback"};
  mjsTexture* texture = CT_VALUES(mjsTexture, ct_read_element(r, xml, mjOBJ_TEXTURE));
  const char* where = folder(r, r->texturedir);
  set_file(r, xml, "file", where, texture->file);
  for (int i = 0; i < 6; i++)
    set_file(r, xml, faces[i], where,
             ct_strings_at((const ct_Vector*)texture->cubefiles, (size_t)i));
  read_grid_layout(r, xml, texture);
}

static void set_texture(mjsMaterial* material, int role, const char* name) {
  ct_string_set(ct_strings_at((const ct_Vector*)material->textures, (size_t)role), name);
}

void ct_read_material_values(ct_Reader* r, const ct_Xml* xml, mjsMaterial* material) {
  const char* texture = ct_given(xml, "texture");
  if (texture) set_texture(material, mjTEXROLE_RGB, texture);
  for (const ct_Xml* layer = xml->first; layer; layer = layer->next) {
    if (strcmp(layer->name, "layer")) continue;
    if (texture) ct_refuse(r, layer, NULL, "the material has a texture already; use layers only");
    int role;
    ct_require(r, layer);
    ct_read_word(r, layer, "role", "role", &role);
    set_texture(material, role, ct_given(layer, "texture"));
  }
}

static void read_material(ct_Reader* r, const ct_Xml* xml) {
  ct_read_material_values(r, xml, CT_VALUES(mjsMaterial, ct_read_element(r, xml, mjOBJ_MATERIAL)));
}

// Models

static void read_model(ct_Reader* r, const ct_Xml* xml) {
  ct_required(r, xml, "file");
  const char* file = ct_file_name(r, xml, "file", "");
  const char* name = ct_given(xml, "name");
  ct_Spec* child = ct_read_model_asset(r, xml, file, ct_given(xml, "content_type"));
  if (name) mjs_setString(child->spec.modelname, name);
  ct_spec_hold(r->spec, child, false);
  const char* called = ct_text(child->spec.modelname);
  ct_dictionary_add(&r->assets, &r->pool, ct_pool_text(&r->pool, called), child);
  ct_spec_release(child);
}

typedef struct {
  const char* name;
  void (*read)(ct_Reader* r, const ct_Xml* xml);
} Asset;

static const Asset assets[] = {{"mesh", read_mesh},         {"hfield", read_hfield},
                               {"skin", read_skin},         {"texture", read_texture},
                               {"material", read_material}, {"model", read_model}};

static void read_asset(ct_Reader* r, const ct_Xml* xml, void* arg) {
  (void)arg;
  for (size_t i = 0; i < sizeof(assets) / sizeof(assets[0]); i++) {
    if (!strcmp(xml->name, assets[i].name)) assets[i].read(r, xml);
  }
}

void ct_read_asset(ct_Reader* r, const ct_Xml* section) {
  for (const ct_Xml* xml = section->first; xml; xml = xml->next)
    ct_guarded(r, read_asset, xml, NULL);
}

static void read_deformable(ct_Reader* r, const ct_Xml* xml, void* arg) {
  (void)arg;
  if (!strcmp(xml->name, "flex")) ct_read_flex(r, xml);
  if (!strcmp(xml->name, "skin")) read_skin(r, xml);
}

void ct_read_deformable(ct_Reader* r, const ct_Xml* section) {
  for (const ct_Xml* xml = section->first; xml; xml = xml->next)
    ct_guarded(r, read_deformable, xml, NULL);
}
