// Adding elements to a spec: the public mjs_add functions, and the parts of a tendon's path.

#include <string.h>

#include "spec/names.h"
#include "spec/spec.h"

static const ct_Default* class_of(const mjsDefault* def) {
  return def ? (const ct_Default*)def->element : NULL;
}

// In the tree

#define ADD_IN_BODY(struct_, type_)                                                      \
  mjs##struct_* mjs_add##struct_(mjsBody* body, const mjsDefault* def) {                 \
    if (!body) return NULL;                                                              \
    return CT_VALUES(mjs##struct_, ct_add_in_body(ct_body(body), type_, class_of(def))); \
  }

ADD_IN_BODY(Body, mjOBJ_BODY)
ADD_IN_BODY(Site, mjOBJ_SITE)
ADD_IN_BODY(Joint, mjOBJ_JOINT)
ADD_IN_BODY(Geom, mjOBJ_GEOM)
ADD_IN_BODY(Camera, mjOBJ_CAMERA)
ADD_IN_BODY(Light, mjOBJ_LIGHT)

// A free joint starts from the built-in values, whatever the classes say.
mjsJoint* mjs_addFreeJoint(mjsBody* body) {
  if (!body) return NULL;
  ct_Body* parent = ct_body(body);
  ct_Element* e = ct_element_make(parent->element.spec, mjOBJ_JOINT, NULL);
  CT_VALUES(mjsJoint, e)->type = mjJNT_FREE;
  ct_string_set(&e->class_name, "main");
  e->body = &parent->element;
  ct_list_append(&parent->child[CT_CHILD_JOINT], e);
  ct_spec_added(e);
  return CT_VALUES(mjsJoint, e);
}

mjsFrame* mjs_addFrame(mjsBody* body, mjsFrame* parentframe) {
  if (!body) return NULL;
  ct_Element* e = ct_add_in_body(ct_body(body), mjOBJ_FRAME, NULL);
  if (parentframe) mjs_setFrame(&e->handle, parentframe);
  return CT_VALUES(mjsFrame, e);
}

// Outside

#define ADD_WITH_CLASS(struct_, type_)                                                \
  mjs##struct_* mjs_add##struct_(mjSpec* s, const mjsDefault* def) {                  \
    if (!s) return NULL;                                                              \
    return CT_VALUES(mjs##struct_, ct_add_in_spec(ct_spec(s), type_, class_of(def))); \
  }

ADD_WITH_CLASS(Actuator, mjOBJ_ACTUATOR)
ADD_WITH_CLASS(Pair, mjOBJ_PAIR)
ADD_WITH_CLASS(Equality, mjOBJ_EQUALITY)
ADD_WITH_CLASS(Tendon, mjOBJ_TENDON)
ADD_WITH_CLASS(Mesh, mjOBJ_MESH)
ADD_WITH_CLASS(Material, mjOBJ_MATERIAL)

#define ADD(struct_, type_)                                                  \
  mjs##struct_* mjs_add##struct_(mjSpec* s) {                                \
    if (!s) return NULL;                                                     \
    return CT_VALUES(mjs##struct_, ct_add_in_spec(ct_spec(s), type_, NULL)); \
  }

ADD(Sensor, mjOBJ_SENSOR)
ADD(Flex, mjOBJ_FLEX)
ADD(Exclude, mjOBJ_EXCLUDE)
ADD(Numeric, mjOBJ_NUMERIC)
ADD(Text, mjOBJ_TEXT)
ADD(Tuple, mjOBJ_TUPLE)
ADD(Key, mjOBJ_KEY)
ADD(Plugin, mjOBJ_PLUGIN)
ADD(HField, mjOBJ_HFIELD)
ADD(Skin, mjOBJ_SKIN)
ADD(Texture, mjOBJ_TEXTURE)

// Classes

mjsDefault* mjs_addDefault(mjSpec* s, const char* classname, const mjsDefault* parent) {
  ct_Spec* spec = ct_spec(s);
  if (!s || !classname || ct_find_class(spec, classname)) return NULL;
  ct_Default* above = (ct_Default*)spec->defaults.item[0];
  ct_Default* given = parent ? (ct_Default*)ct_element(parent->element) : above;
  bool own = given->element.spec == spec;
  ct_Default* def = ct_add_class(spec, classname, own ? given : above);
  if (!own) ct_copy_templates(def, given);  // a class of another spec lends its values
  return CT_VALUES(mjsDefault, &def->element);
}

ct_Default* ct_add_class(ct_Spec* spec, const char* name, ct_Default* parent) {
  ct_Default* def = (ct_Default*)ct_element_make(spec, mjOBJ_DEFAULT, NULL);
  ct_string_set(&def->element.name, name);
  ct_string_set(&def->key, name);
  def->parent = &parent->element;
  ct_copy_templates(def, parent);
  ct_list_append(&parent->child, &def->element);
  ct_list_append(&spec->defaults, &def->element);
  return def;
}

void ct_copy_templates(ct_Default* to, const ct_Default* from) {
  for (int type = 0; type < mjNOBJECT; type++) {
    const ct_Kind* kind = ct_kind((mjtObj)type);
    if (kind && kind->in_default) ct_values_copy(ct_template(to, kind), ct_template(from, kind));
  }
}

// Paths of tendons

ct_Wrap* ct_add_wrap(ct_Tendon* tendon, mjtWrap type, const char* target, const char* side,
                     double number) {
  ct_Wrap* wrap = (ct_Wrap*)ct_element_make(tendon->element.spec, mjOBJ_UNKNOWN, NULL);
  wrap->tendon = &tendon->element;
  wrap->number = number;
  wrap->element.settings = tendon->element.settings;
  ct_string_set(&wrap->element.name, target);
  ct_string_set(&wrap->side, side);
  CT_VALUES(mjsWrap, &wrap->element)->type = type;
  ct_list_append(&tendon->path, &wrap->element);
  return wrap;
}

static mjsWrap* add_wrap(mjsTendon* tendon, mjtWrap type, const char* target, const char* side,
                         double number) {
  if (!tendon || !target) return NULL;
  ct_Wrap* wrap = ct_add_wrap((ct_Tendon*)tendon->element, type, target, side, number);
  return CT_VALUES(mjsWrap, &wrap->element);
}

mjsWrap* mjs_wrapSite(mjsTendon* tendon, const char* name) {
  return add_wrap(tendon, mjWRAP_SITE, name, "", 0);
}

// Which shape the geom has is found when the spec is compiled; until then it counts as a sphere.
mjsWrap* mjs_wrapGeom(mjsTendon* tendon, const char* name, const char* sidesite) {
  return add_wrap(tendon, mjWRAP_SPHERE, name, sidesite ? sidesite : "", 0);
}

mjsWrap* mjs_wrapJoint(mjsTendon* tendon, const char* name, double coef) {
  return add_wrap(tendon, mjWRAP_JOINT, name, "", coef);
}

mjsWrap* mjs_wrapPulley(mjsTendon* tendon, double divisor) {
  return add_wrap(tendon, mjWRAP_PULLEY, "", "", divisor);
}
