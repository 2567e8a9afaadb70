// Assets that are written: textures, materials, meshes, height fields.

#include <stdio.h>
#include <string.h>

#include "base/resource/path.h"
#include "base/text.h"
#include "compile/assets/asset_file.h"
#include "mjcf/write/write.h"
#include "spec/kinds.h"

// Files

void ct_put_file(ct_Writer* w, ct_Tag* tag, const char* name, const ct_Element* e, const char* file,
                 const char* folder) {
  if (!*file) return;
  if (!w->name_folders) {
    ct_put(w, tag, name, file);
    return;
  }
  char* path = ct_path_join(folder, file);
  if (e->settings != w->spec && path) {
    char* whole = ct_path_join(ct_text(e->settings->spec.modelfiledir), path);
    mju_free(path);
    path = whole;
  }
  ct_put(w, tag, name, path ? path : file);
  mju_free(path);
}

// Textures

static void put_grid(ct_Writer* w, ct_Tag* tag, const mjsTexture* v) {
  if (v->gridsize[0] == 1 && v->gridsize[1] == 1) return;
  double size[2] = {v->gridsize[0], v->gridsize[1]};
  char layout[13];
  memcpy(layout, v->gridlayout, 12);
  layout[12] = 0;
  int cells = v->gridsize[0] * v->gridsize[1];
  if (w->keep_all && cells > 0 && cells < 12) layout[cells] = 0;
  ct_put_reals(w, tag, "gridsize", size, 2, NULL);
  ct_put(w, tag, "gridlayout", layout);
}

static void write_texture(ct_Writer* w, ct_Tag* section, const ct_Element* e) {
  static const char* const faces[6] = {"fileright", "fileleft",  "fileup",
                                       "filedown",  "filefront", "fileback"};
  const mjsTexture* v = CT_COMPILED(mjsTexture, e);
  ct_Tag* tag = ct_tag(w, section, "texture");
  ct_put_word(w, tag, "type", "texture", (int)v->type);
  ct_put_word(w, tag, "colorspace", "colorspace", (int)v->colorspace);
  if (!ct_string_empty(&e->name)) ct_put(w, tag, "name", ct_name(e));
  if (v->builtin != mjBUILTIN_NONE) {
    ct_put_rows(w, tag, "texture_builtin", v, &ct_initial_texture);
    if (w->keep_all) ct_put_int_unless(w, tag, "nchannel", v->nchannel, 3);
    return;
  }
  const char* folder = ct_text(ct_settings(e)->texturedir);
  if (w->keep_all)
    ct_put_rows(w, tag, "texture_file", CT_VALUES(mjsTexture, e), &ct_initial_texture);
  ct_put_text(w, tag, "content_type", v->content_type);
  ct_put_file(w, tag, "file", e, ct_text(v->file), folder);
  for (int i = 0; i < 6; i++) {
    const ct_String* file = ct_strings_at(ct_vec(v->cubefiles), (size_t)i);
    ct_put_file(w, tag, faces[i], e, ct_string_get(file), folder);
  }
  if (v->hflip) ct_put(w, tag, "hflip", "true");
  if (v->vflip) ct_put(w, tag, "vflip", "true");
  put_grid(w, tag, v);
}

// Materials

static const char* texture_of(const mjsMaterial* v, int role) {
  return ct_string_get(ct_strings_at(ct_vec(v->textures), (size_t)role));
}

// Layers, if there is any beside the one of colours.
static bool write_layers(ct_Writer* w, ct_Tag* tag, const mjsMaterial* v) {
  bool layered = false;
  for (int role = 1; role < mjNTEXROLE; role++) {
    if (role != mjTEXROLE_RGB && *texture_of(v, role)) layered = true;
  }
  if (!layered) return false;
  for (int role = 1; role < mjNTEXROLE; role++) {
    if (!*texture_of(v, role)) continue;
    ct_Tag* layer = ct_tag(w, tag, "layer");
    ct_put(w, layer, "texture", texture_of(v, role));
    ct_put_word(w, layer, "role", "role", role);
  }
  return true;
}

void ct_write_material(ct_Writer* w, ct_Tag* tag, const mjsMaterial* v, const mjsMaterial* d) {
  if (!write_layers(w, tag, v)) {
    const char* texture = texture_of(v, mjTEXROLE_RGB);
    if (*texture && strcmp(texture, texture_of(d, mjTEXROLE_RGB)))
      ct_put(w, tag, "texture", texture);
  }
  ct_put_rows(w, tag, "material", v, d);
}

static void write_material(ct_Writer* w, ct_Tag* section, const ct_Element* e) {
  ct_Tag* tag = ct_tag(w, section, "material");
  ct_put(w, tag, "name", ct_name(e));
  ct_put_class(w, tag, e, NULL);
  ct_write_material(w, tag, CT_COMPILED(mjsMaterial, e), (const mjsMaterial*)ct_class_values(w, e));
}

// Meshes

// The format of a file: as given, or as its ending says.
static const char* format_of(const mjsMesh* v) {
  static const struct {
    const char *ending, *format;
  } formats[] = {{".stl", "model/stl"}, {".obj", "model/obj"}, {".msh", "model/vnd.mujoco.msh"}};
  const char* file = ct_text(v->file);
  if (!*file || *ct_text(v->content_type)) return ct_text(v->content_type);
  const char* ending = strrchr(file, '.');
  for (size_t i = 0; ending && i < sizeof(formats) / sizeof(formats[0]); i++) {
    if (ct_same_text(ending, formats[i].ending)) return formats[i].format;
  }
  return "";
}

static void write_mesh_data(ct_Writer* w, ct_Tag* tag, const ct_Element* e, const mjsMesh* v) {
  int count;
  const char* format = format_of(v);
  if (*format) ct_put(w, tag, "content_type", format);
  ct_put_file(w, tag, "file", e, ct_text(v->file), ct_mesh_folder(e));
  const float* number = ct_floats(v->uservert, &count);
  ct_put_float_list(w, tag, "vertex", number, count);
  number = ct_floats(v->usernormal, &count);
  ct_put_float_list(w, tag, "normal", number, count);
  number = ct_floats(v->usertexcoord, &count);
  ct_put_float_list(w, tag, "texcoord", number, count);
  const int* face = ct_ints(v->userface, &count);
  ct_put_int_list(w, tag, "face", face, count);
}

void ct_write_mesh(ct_Writer* w, ct_Tag* tag, const ct_Element* e, const mjsMesh* v,
                   const mjsMesh* d, bool in_class) {
  if (!in_class) {
    ct_put(w, tag, "name", ct_name(e));
    if (v->plugin.active) {
      ct_put_file(w, tag, "file", e, ct_text(v->file), ct_mesh_folder(e));
      ct_put_plugin(w, ct_tag(w, tag, "plugin"), &v->plugin);
      if (!w->keep_all) return;
    }
    ct_put_class(w, tag, e, NULL);
    if (!v->plugin.active) write_mesh_data(w, tag, e, v);
  }
  ct_put_rows(w, tag, "mesh", v, d);
  if (!w->keep_all) return;
  ct_put_int_unless(w, tag, "maxhullvert", v->maxhullvert, d->maxhullvert);
  ct_put_text(w, tag, "material", v->material);
}

// Height fields

// The far row first, each row on a line of its own.
static void put_elevation(ct_Writer* w, ct_Tag* tag, const double* data, int nrow, int ncol) {
  enum { LONGEST = 20 };
  int digits = w->keep_all ? 9 : 6;
  size_t room = (size_t)nrow * ((size_t)ncol * LONGEST + LONGEST) + 1, used = 0;
  char* text = (char*)ct_pool_alloc(&w->pool, room);
  for (int i = nrow - 1; i >= 0; i--) {
    used += (size_t)snprintf(text + used, room - used, "\n            ");
    for (int k = 0; k < ncol; k++) {
      double x = data[(size_t)i * (size_t)ncol + (size_t)k];
      used += (size_t)snprintf(text + used, room - used, k ? " %.*g" : "%.*g", digits, x);
    }
  }
  ct_put(w, tag, "elevation", text);
}

static void write_hfield(ct_Writer* w, ct_Tag* section, const ct_Element* e) {
  const mjsHField* v = CT_COMPILED(mjsHField, e);
  ct_Tag* tag = ct_tag(w, section, "hfield");
  ct_put(w, tag, "name", ct_name(e));
  ct_put_reals(w, tag, "size", v->size, 4, NULL);
  if (*ct_text(v->file)) {
    ct_put_text(w, tag, "content_type", v->content_type);
    ct_put_file(w, tag, "file", e, ct_text(v->file), ct_mesh_folder(e));
    return;
  }
  ct_put_int(w, tag, "nrow", v->nrow);
  ct_put_int(w, tag, "ncol", v->ncol);
  int count;
  const float* live = ct_floats((const mjFloatVec*)v->userdata, &count);
  if (count < v->nrow * v->ncol || count == 0) return;
  double* data = (double*)ct_pool_array(&w->pool, (size_t)count, sizeof(double));
  const ct_Numbers* copied = e->compiled ? &e->compiled->vector[0] : NULL;
  for (int i = 0; i < count; i++) {
    data[i] = copied && copied->number && i < copied->count ? copied->number[i] : (double)live[i];
  }
  put_elevation(w, tag, data, v->nrow, v->ncol);
}

void ct_write_assets(ct_Writer* w, ct_Tag* root) {
  ct_Tag* section = ct_tag(w, root, "asset");
  const ct_List* list = w->spec->list;
  for (int i = 0; i < list[mjOBJ_TEXTURE].count; i++)
    write_texture(w, section, list[mjOBJ_TEXTURE].item[i]);
  for (int i = 0; i < list[mjOBJ_MATERIAL].count; i++)
    write_material(w, section, list[mjOBJ_MATERIAL].item[i]);
  for (int i = 0; i < list[mjOBJ_MESH].count; i++) {
    const ct_Element* e = list[mjOBJ_MESH].item[i];
    ct_write_mesh(w, ct_tag(w, section, "mesh"), e, CT_COMPILED(mjsMesh, e),
                  (const mjsMesh*)ct_class_values(w, e), false);
  }
  for (int i = 0; i < list[mjOBJ_HFIELD].count; i++)
    write_hfield(w, section, list[mjOBJ_HFIELD].item[i]);
  ct_drop_if_empty(section);
}
