// Names of all objects with their hash tables, and names of files.

#include <string.h>

#include "base/model/names_map.h"
#include "base/model/objects.h"
#include "compile/compile.h"

static bool has_names(int type) {
  const ct_ObjectType* object = ct_object_type(type);
  return object && object->name_adr_offset && type != mjOBJ_XBODY;
}

// Names

static const char* model_name(const ct_Compiler* c) {
  return ct_text(c->spec->spec.modelname);
}

static size_t size_of_names(const ct_Compiler* c) {
  size_t bytes = strlen(model_name(c)) + 1;
  for (int type = 0; type < mjNOBJECT; type++) {
    if (!has_names(type)) continue;
    const ct_WorkList* list = &c->list[type];
    for (int i = 0; i < list->count; i++) bytes += strlen(ct_name(list->item[i]->element)) + 1;
  }
  return bytes;
}

static char* append(char* end, const char* text) {
  size_t size = strlen(text) + 1;
  memcpy(end, text, size);
  return end + size;
}

void ct_copy_names(ct_Compiler* c) {
  mjModel* m = c->model;
  char* end = append(m->names, model_name(c));
  ct_names_map_clear(m->names_map, m->nnames_map);
  for (int type = 0; type < mjNOBJECT; type++) {
    if (!has_names(type)) continue;
    const ct_WorkList* list = &c->list[type];
    int* adr = (int*)(uintptr_t)ct_object_name_adr(m, type);
    int* table = m->names_map + ct_object_map_start(m, type);
    for (int i = 0; i < list->count; i++) {
      const char* name = ct_name(list->item[i]->element);
      adr[i] = (int)(end - m->names);
      ct_names_map_insert(table, (int64_t)CT_NAMES_MAP_SLOTS_PER_OBJECT * list->count, name, i);
      end = append(end, name);
    }
  }
}

// Paths

typedef struct {
  mjtObj type;
  int* adr;  // NULL while there is no model
} PathList;

enum { NPATHLIST = 4 };

static void list_paths(PathList list[NPATHLIST], const mjModel* m) {
  list[0] = (PathList){mjOBJ_HFIELD, m ? m->hfield_pathadr : NULL};
  list[1] = (PathList){mjOBJ_MESH, m ? m->mesh_pathadr : NULL};
  list[2] = (PathList){mjOBJ_SKIN, m ? m->skin_pathadr : NULL};
  list[3] = (PathList){mjOBJ_TEXTURE, m ? m->tex_pathadr : NULL};
}

static const char* path_of(const ct_Work* w) {
  switch (ct_type(w->element)) {
    case mjOBJ_HFIELD:
      return ct_text(((const ct_WorkHField*)w)->v.file);
    case mjOBJ_MESH:
      return ct_text(((const ct_WorkMesh*)w)->v.file);
    case mjOBJ_SKIN:
      return ct_text(((const ct_WorkSkin*)w)->v.file);
    default:
      return ct_text(((const ct_WorkTexture*)w)->v.file);
  }
}

static size_t size_of_paths(const ct_Compiler* c) {
  PathList lists[NPATHLIST];
  size_t bytes = 0;
  list_paths(lists, NULL);
  for (int k = 0; k < NPATHLIST; k++) {
    const ct_WorkList* list = &c->list[lists[k].type];
    for (int i = 0; i < list->count; i++) {
      size_t length = strlen(path_of(list->item[i]));
      if (length) bytes += length + 1;
    }
  }
  return bytes ? bytes : 1;
}

void ct_copy_paths(ct_Compiler* c) {
  mjModel* m = c->model;
  PathList lists[NPATHLIST];
  char* end = m->paths;
  list_paths(lists, m);
  for (int k = 0; k < NPATHLIST; k++) {
    const ct_WorkList* list = &c->list[lists[k].type];
    for (int i = 0; i < list->count; i++) {
      const char* path = path_of(list->item[i]);
      lists[k].adr[i] = path[0] ? (int)(end - m->paths) : -1;
      if (path[0]) end = append(end, path);
    }
  }
}

void ct_size_names(ct_Compiler* c) {
  c->size.nnames = (mjtSize)size_of_names(c);
  c->size.npaths = (mjtSize)size_of_paths(c);
}
