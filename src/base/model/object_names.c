// Names of objects and of their types.
//
//   in    names, names_map, name_*adr of the model; base/model/objects.h says which array for which
//         type
//   out   ids and names; names stay in the model's memory

#include <mujoco/mujoco.h>
#include <string.h>

#include "base/model/names_map.h"
#include "base/model/objects.h"

int mj_name2id(const mjModel* m, int type, const char* name) {
  const int* name_adr = m ? ct_object_name_adr(m, type) : NULL;
  if (!name_adr || !name || !name[0]) return -1;
  const int* table = m->names_map + ct_object_map_start(m, type);
  int64_t nslot = CT_NAMES_MAP_SLOTS_PER_OBJECT * (int64_t)ct_object_count(m, type);
  return ct_names_map_find(table, nslot, m->names, name_adr, name);
}

const char* mj_id2name(const mjModel* m, int type, int id) {
  const int* name_adr = m ? ct_object_name_adr(m, type) : NULL;
  if (!name_adr || id < 0 || id >= ct_object_count(m, type)) return NULL;
  const char* name = m->names + name_adr[id];
  return name[0] ? name : NULL;
}

const char* mju_type2Str(int type) {
  if (type == mjOBJ_FRAME) return "frame";  // exists in a spec only, so it is not in the table
  const ct_ObjectType* t = ct_object_type(type);
  return t ? t->name : NULL;
}

// "frame" is not found, as in the reference: no object of a model has that type.
int mju_str2Type(const char* str) {
  for (int type = mjOBJ_BODY; str && type < mjNOBJECT; type++) {
    if (!strcmp(str, ct_object_type(type)->name)) return type;
  }
  return mjOBJ_UNKNOWN;
}
