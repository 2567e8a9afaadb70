// Default classes that are written, and what elements have to do with their classes.
//
// A class writes its template as it can be edited, in the units of the file that it came from,
// where that differs from the template of its parent.

#include <string.h>

#include "mjcf/write/write.h"
#include "spec/kinds.h"

static const ct_Default* class_of(const ct_Writer* w, const char* name) {
  const ct_Default* def = ct_inherited_class(w->spec, name);
  return def ? def : (const ct_Default*)w->spec->defaults.item[0];
}

const void* ct_class_values(const ct_Writer* w, const ct_Element* e) {
  const ct_Element* t = ct_template(class_of(w, ct_string_get(&e->class_name)), e->kind);
  return t ? t->values : e->kind->initial;
}

void ct_put_class(ct_Writer* w, ct_Tag* tag, const ct_Element* e, const char* in_force) {
  const char* name = ct_class_that_is_left(w->spec, ct_string_get(&e->class_name));
  if (w->keep_all && !*name) name = "main";
  bool plain = !*name || (!strcmp(name, "main") && (!w->keep_all || !in_force));
  if (!plain && (!in_force || strcmp(name, in_force))) ct_put(w, tag, "class", name);
}

void ct_put_element_user(ct_Writer* w, ct_Tag* tag, const ct_Element* e, const mjDoubleVec* user,
                         const mjDoubleVec* otherwise, int nuser) {
  int count, nother = 0;
  const double* number = ct_compiled_vector(e, 0, user, &count);
  const double* other = otherwise ? ct_doubles(otherwise, &nother) : NULL;
  ct_put_user(w, tag, number, count, other, nother, nuser);
}

// Templates

static void put_template_user(ct_Writer* w, ct_Tag* tag, const mjDoubleVec* user, int nuser) {
  int count;
  const double* number = ct_doubles(user, &count);
  ct_put_user(w, tag, number, count, NULL, 0, nuser);
}

typedef void (*WriteTemplate)(ct_Writer* w, ct_Tag* tag, const ct_Element* t, const ct_Element* d);

static void write_mesh(ct_Writer* w, ct_Tag* tag, const ct_Element* t, const ct_Element* d) {
  ct_write_mesh(w, tag, t, CT_VALUES(mjsMesh, t), CT_VALUES(mjsMesh, d), true);
}

static void write_material(ct_Writer* w, ct_Tag* tag, const ct_Element* t, const ct_Element* d) {
  ct_write_material(w, tag, CT_VALUES(mjsMaterial, t), CT_VALUES(mjsMaterial, d));
}

static void write_joint(ct_Writer* w, ct_Tag* tag, const ct_Element* t, const ct_Element* d) {
  ct_write_joint(w, tag, CT_VALUES(mjsJoint, t), CT_VALUES(mjsJoint, d), true);
  put_template_user(w, tag, CT_VALUES(mjsJoint, t)->userdata, w->whole->nuser_jnt);
}

static void write_geom(ct_Writer* w, ct_Tag* tag, const ct_Element* t, const ct_Element* d) {
  ct_write_geom(w, tag, t, CT_VALUES(mjsGeom, t), CT_VALUES(mjsGeom, d), true);
  put_template_user(w, tag, CT_VALUES(mjsGeom, t)->userdata, w->whole->nuser_geom);
}

static void write_site(ct_Writer* w, ct_Tag* tag, const ct_Element* t, const ct_Element* d) {
  ct_write_site(w, tag, CT_VALUES(mjsSite, t), CT_VALUES(mjsSite, d), true);
  put_template_user(w, tag, CT_VALUES(mjsSite, t)->userdata, w->whole->nuser_site);
}

static void write_camera(ct_Writer* w, ct_Tag* tag, const ct_Element* t, const ct_Element* d) {
  ct_write_camera(w, tag, CT_VALUES(mjsCamera, t), CT_VALUES(mjsCamera, d), true);
  put_template_user(w, tag, CT_VALUES(mjsCamera, t)->userdata, w->whole->nuser_cam);
}

static void write_light(ct_Writer* w, ct_Tag* tag, const ct_Element* t, const ct_Element* d) {
  ct_write_light(w, tag, CT_VALUES(mjsLight, t), CT_VALUES(mjsLight, d), true);
}

static void write_pair(ct_Writer* w, ct_Tag* tag, const ct_Element* t, const ct_Element* d) {
  ct_put_rows(w, tag, "pair", t->values, d->values);
}

static void write_equality(ct_Writer* w, ct_Tag* tag, const ct_Element* t, const ct_Element* d) {
  ct_put_rows(w, tag, "equality", t->values, d->values);
}

static void write_tendon(ct_Writer* w, ct_Tag* tag, const ct_Element* t, const ct_Element* d) {
  ct_write_tendon(w, tag, CT_VALUES(mjsTendon, t), CT_VALUES(mjsTendon, d), true);
  put_template_user(w, tag, CT_VALUES(mjsTendon, t)->userdata, w->whole->nuser_tendon);
}

static void write_actuator(ct_Writer* w, ct_Tag* tag, const ct_Element* t, const ct_Element* d) {
  ct_write_actuator(w, tag, CT_VALUES(mjsActuator, t), CT_VALUES(mjsActuator, d), true);
  put_template_user(w, tag, CT_VALUES(mjsActuator, t)->userdata, w->whole->nuser_actuator);
}

static const struct {
  const char* name;
  mjtObj type;
  WriteTemplate write;
} templates[] = {
    {"mesh", mjOBJ_MESH, write_mesh},
    {"material", mjOBJ_MATERIAL, write_material},
    {"joint", mjOBJ_JOINT, write_joint},
    {"geom", mjOBJ_GEOM, write_geom},
    {"site", mjOBJ_SITE, write_site},
    {"camera", mjOBJ_CAMERA, write_camera},
    {"light", mjOBJ_LIGHT, write_light},
    {"pair", mjOBJ_PAIR, write_pair},
    {"equality", mjOBJ_EQUALITY, write_equality},
    {"tendon", mjOBJ_TENDON, write_tendon},
    {"general", mjOBJ_ACTUATOR, write_actuator},
};

// Classes

static void write_class(ct_Writer* w, ct_Tag* around, const ct_Default* def,
                        const ct_Default* parent) {
  if (def->deleted) return;
  ct_Tag* tag = ct_tag(w, around, "default");
  if (def->parent) ct_put(w, tag, "class", ct_name(&def->element));
  for (size_t i = 0; i < sizeof(templates) / sizeof(templates[0]); i++) {
    const ct_Kind* kind = ct_kind(templates[i].type);
    ct_Tag* part = ct_tag(w, tag, templates[i].name);
    templates[i].write(w, part, ct_template(def, kind), ct_template(parent, kind));
    if (!part->first_value && !w->keep_all) {
      part->first = part->last = NULL;  // layers alone do not count
    }
    ct_drop_if_empty(part);
  }
  for (int i = 0; i < def->child.count; i++)
    write_class(w, tag, (const ct_Default*)def->child.item[i], def);
  ct_drop_if_empty(tag);
}

// The outermost class is compared with one that nobody has changed.
void ct_write_defaults(ct_Writer* w, ct_Tag* root) {
  ct_Spec* fresh = ct_spec_make();
  if (!fresh) return;
  const ct_Default* main_class = (const ct_Default*)w->spec->defaults.item[0];
  write_class(w, root, main_class, (const ct_Default*)fresh->defaults.item[0]);
  ct_spec_release(fresh);
}
