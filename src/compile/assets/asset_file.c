// Files of assets. See asset_file.h.

#include "compile/assets/asset_file.h"

#include <string.h>

#include "base/resource/path.h"
#include "base/resource/resource.h"
#include "compile/assets/crew.h"

// Content types

// `type/subtype` of the attribute without parameters (`;name=value`); empty if it is not a type.
static const char* given_type(ct_Compiler* c, const char* text) {
  const char* slash = strchr(text, '/');
  if (!slash || !slash[1]) return "";
  const char* tail = strchr(slash, ';');
  if (!tail || !strchr(tail, '=')) return text;
  return ct_pool_text_n(&c->scratch, text, (size_t)(tail - text));
}

static const char* type_by_ending(const char* path) {
  static const char* const known[][2] = {
      {".stl", "model/stl"}, {".obj", "model/obj"},
      {".ply", "model/ply"}, {".msh", "model/vnd.mujoco.msh"},
      {".png", "image/png"},
  };
  const char* ending = strrchr(path, '.');
  for (size_t i = 0; ending && i < sizeof(known) / sizeof(known[0]); i++) {
    if (ct_same_text(ending, known[i][0])) return known[i][1];
  }
  return "";
}

// Reading

static char* join(ct_Compiler* c, const char* folder, const char* path) {
  char* joined = ct_path_join(folder, path);
  if (!joined) ct_fail(c, NULL, "out of memory");
  char* text = ct_pool_text(&c->scratch, joined);
  mju_free(joined);
  return text;
}

static void close_file(ct_Compiler* c) {
  mjResource* file = c->file;
  c->file = NULL;
  if (!file) return;
  ct_crew_lock_files(c);
  mju_closeResource(file);
  ct_crew_unlock_files(c);
}

// All bytes of a file; no more than 0 if there are none.
static int read_file(ct_Compiler* c, const char* directory, const char* name, const void** bytes) {
  char error[500];
  int size = -1;
  ct_crew_lock_files(c);
  c->file = mju_openResource(directory, name, c->vfs, error, sizeof(error));
  if (c->file) size = mju_readResource(c->file, bytes);
  ct_crew_unlock_files(c);
  return size;
}

void ct_asset_open(ct_Compiler* c, const ct_Element* e, ct_AssetFile* file, const char* folder,
                   const char* path, const char* content_type) {
  close_file(c);
  const char* directory = ct_text(e->settings->spec.modelfiledir);
  file->name = join(c, folder, path);
  file->type = content_type && content_type[0] ? given_type(c, content_type) : type_by_ending(path);
  const void* bytes = NULL;
  int size = read_file(c, directory, file->name, &bytes);
  if (!c->file) {
    const char* why = ct_resource_refusal(directory, file->name);
    const char* folder_of_model = directory[0] ? directory : "not known";
    ct_fail(c, e, "file %.400s cannot be opened; the folder of the model is %.200s%s%s", file->name,
            folder_of_model, why ? ": " : "", why ? why : "");
  }
  if (size <= 0) ct_fail(c, e, "file %.400s is empty or cannot be read", file->name);
  file->bytes = (const unsigned char*)bytes;
  file->size = (size_t)size;
}

const char* ct_mesh_folder(const ct_Element* e) {
  return ct_text(ct_settings(e)->meshdir);
}

void ct_asset_strip(const ct_Element* e, mjString* path) {
  if (!e->settings->spec.strippath) return;
  const char* base = ct_path_base(ct_text(path));
  ct_string_set(ct_str(path), base);
}

void ct_asset_done(ct_Compiler* c) {
  close_file(c);
  ct_pool_free(&c->scratch);
}
