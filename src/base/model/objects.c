#include "base/model/objects.h"

#include <stddef.h>

#include "base/model/names_map.h"

#define NAMED(text_, count_, adr_) \
  { text_, offsetof(mjModel, count_), offsetof(mjModel, adr_) }

static const ct_ObjectType types[mjNOBJECT] = {
    {NULL, 0, 0},
    NAMED("body", nbody, name_bodyadr),
    NAMED("xbody", nbody, name_bodyadr),
    NAMED("joint", njnt, name_jntadr),
    {"dof", offsetof(mjModel, nv), 0},
    NAMED("geom", ngeom, name_geomadr),
    NAMED("site", nsite, name_siteadr),
    NAMED("camera", ncam, name_camadr),
    NAMED("light", nlight, name_lightadr),
    NAMED("flex", nflex, name_flexadr),
    NAMED("mesh", nmesh, name_meshadr),
    NAMED("skin", nskin, name_skinadr),
    NAMED("hfield", nhfield, name_hfieldadr),
    NAMED("texture", ntex, name_texadr),
    NAMED("material", nmat, name_matadr),
    NAMED("pair", npair, name_pairadr),
    NAMED("exclude", nexclude, name_excludeadr),
    NAMED("equality", neq, name_eqadr),
    NAMED("tendon", ntendon, name_tendonadr),
    NAMED("actuator", nu, name_actuatoradr),
    NAMED("sensor", nsensor, name_sensoradr),
    NAMED("numeric", nnumeric, name_numericadr),
    NAMED("text", ntext, name_textadr),
    NAMED("tuple", ntuple, name_tupleadr),
    NAMED("key", nkey, name_keyadr),
    NAMED("plugin", nplugin, name_pluginadr),
};

const ct_ObjectType* ct_object_type(int type) {
  return type >= 0 && type < mjNOBJECT ? types + type : NULL;
}

int ct_object_count(const mjModel* m, int type) {
  const ct_ObjectType* t = ct_object_type(type);
  if (!t || !t->name) return 0;
  return (int)*(const mjtSize*)((const char*)m + t->count_offset);
}

const int* ct_object_name_adr(const mjModel* m, int type) {
  const ct_ObjectType* t = ct_object_type(type);
  if (!t || !t->name_adr_offset) return NULL;
  return *(int* const*)((const char*)m + t->name_adr_offset);
}

int64_t ct_object_map_start(const mjModel* m, int type) {
  int64_t start = 0;
  if (type == mjOBJ_XBODY) type = mjOBJ_BODY;
  for (int t = 0; t < type; t++) {
    if (types[t].name_adr_offset && t != mjOBJ_XBODY) {
      start += CT_NAMES_MAP_SLOTS_PER_OBJECT * (int64_t)ct_object_count(m, t);
    }
  }
  return start;
}
