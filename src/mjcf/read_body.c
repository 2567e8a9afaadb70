// The tree: bodies and frames, and what bodies hold.
//
// An element of the tree takes its values from the class that it names, else from the class in
// force: that of the innermost frame or body around it that names one.

#include <string.h>

#include "mjcf/read.h"

// What bodies hold

void ct_read_geom_values(ct_Reader* r, const ct_Xml* xml, mjsGeom* geom) {
  int value;
  if (ct_read_word(r, xml, "fluidshape", "fluidshape", &value))
    geom->fluid_ellipsoid = (mjtNum)value;
}

// A camera's user values are replaced also by none: those of a class have no effect.
void ct_read_camera_values(ct_Reader* r, const ct_Xml* xml, mjsCamera* camera) {
  unsigned output = ct_read_word_list(r, xml, "output", "output", NULL);
  if (output) camera->output = (int)output;
  if (ct_given(xml, "fovy") && ct_given(xml, "sensorsize")) {
    ct_refuse(r, xml, "sensorsize", "fovy and sensorsize both say how wide it sees; give one");
  }
  int n;
  const double* user = ct_read_all_reals(r, xml, "user", &n);
  ct_vector_set((ct_Vector*)camera->userdata, user, (size_t)n, sizeof(double));
}

void ct_read_light_values(ct_Reader* r, const ct_Xml* xml, mjsLight* light) {
  int directional;
  if (!ct_read_word(r, xml, "directional", "truth", &directional)) return;
  if (ct_given(xml, "type"))
    ct_refuse(r, xml, "directional", "directional and type both say the kind; type is the new way");
  light->type = directional ? mjLIGHT_DIRECTIONAL : mjLIGHT_SPOT;
}

static void read_joint(ct_Reader* r, const ct_Xml* xml, const ct_Scope* scope) {
  ct_read_tree_element(r, xml, mjOBJ_JOINT, scope);
}

static void read_freejoint(ct_Reader* r, const ct_Xml* xml, const ct_Scope* scope) {
  mjsJoint* joint = mjs_addFreeJoint((mjsBody*)scope->body->element.values);
  ct_Element* e = ct_element(joint->element);
  e->frame = scope->frame;
  ct_string_set(&e->class_name, scope->class_name);
  ct_named(r, xml, e);
  ct_read_rows(r, xml, joint);
}

static void read_geom(ct_Reader* r, const ct_Xml* xml, const ct_Scope* scope) {
  ct_Element* e = ct_read_tree_element(r, xml, mjOBJ_GEOM, scope);
  mjsGeom* geom = CT_VALUES(mjsGeom, e);
  ct_read_geom_values(r, xml, geom);
  const ct_Xml* plugin = ct_first_child(xml, "plugin");
  if (plugin) ct_read_plugin(r, plugin, &geom->plugin);
}

static void read_site(ct_Reader* r, const ct_Xml* xml, const ct_Scope* scope) {
  ct_read_tree_element(r, xml, mjOBJ_SITE, scope);
}

static void read_camera(ct_Reader* r, const ct_Xml* xml, const ct_Scope* scope) {
  ct_Element* e = ct_read_tree_element(r, xml, mjOBJ_CAMERA, scope);
  ct_read_camera_values(r, xml, CT_VALUES(mjsCamera, e));
}

static void read_light(ct_Reader* r, const ct_Xml* xml, const ct_Scope* scope) {
  ct_Element* e = ct_read_tree_element(r, xml, mjOBJ_LIGHT, scope);
  ct_read_light_values(r, xml, CT_VALUES(mjsLight, e));
}

static void read_inertial(ct_Reader* r, const ct_Xml* xml, const ct_Scope* scope) {
  static const char* const turns[] = {"quat", "axisangle", "xyaxes", "zaxis", "euler"};
  mjsBody* body = (mjsBody*)scope->body->element.values;
  if (scope->body == r->spec->world)
    ct_refuse(r, xml, NULL, "the world cannot have one; put it into a body");
  ct_read_rows(r, xml, body);
  body->explicitinertial = 1;
  for (int i = 0; i < 5; i++) {
    if (ct_given(xml, "fullinertia") && ct_given(xml, turns[i])) {
      ct_refuse(r, xml, turns[i], "fullinertia and %s both give the orientation", turns[i]);
    }
  }
}

static void read_body_plugin(ct_Reader* r, const ct_Xml* xml, const ct_Scope* scope) {
  ct_read_plugin(r, xml, &((mjsBody*)scope->body->element.values)->plugin);
}

// Bodies and frames

// Class in force inside a body, frame or replicate. Where nothing is checked, class does as
// childclass.
static const char* class_inside(ct_Reader* r, const ct_Xml* xml, const char* around) {
  const char* attribute = ct_given(xml, "childclass") ? "childclass" : "class";
  const ct_Default* def = ct_class_of(r, xml, attribute, NULL);
  return def ? ct_given(xml, attribute) : around;
}

static void read_body(ct_Reader* r, const ct_Xml* xml, const ct_Scope* scope) {
  const char* class_name = class_inside(r, xml, scope->class_name);
  ct_Element* e = ct_add_in_body(scope->body, mjOBJ_BODY, NULL);
  e->frame = scope->frame;
  ct_string_set(&e->class_name, class_name);
  ct_named(r, xml, e);
  ct_read_rows(r, xml, e->values);
  ct_Scope inside = {(ct_Body*)e, NULL, class_name};
  ct_read_children(r, xml, &inside);
}

static void read_frame(ct_Reader* r, const ct_Xml* xml, const ct_Scope* scope) {
  const char* class_name = class_inside(r, xml, scope->class_name);
  ct_Element* e = ct_add_in_body(scope->body, mjOBJ_FRAME, NULL);
  e->frame = scope->frame;
  ct_string_set(&e->class_name, class_name);
  ct_named(r, xml, e);
  ct_read_rows(r, xml, e->values);
  ct_Scope inside = {scope->body, e, class_name};
  ct_read_children(r, xml, &inside);
}

static void read_replicate(ct_Reader* r, const ct_Xml* xml, const ct_Scope* scope) {
  ct_Scope inside = *scope;
  inside.class_name = class_inside(r, xml, scope->class_name);
  ct_read_replicate(r, xml, &inside);
}

typedef struct {
  const char* name;
  void (*read)(ct_Reader* r, const ct_Xml* xml, const ct_Scope* scope);
} Part;

static const Part parts[] = {
    {"geom", read_geom},
    {"body", read_body},
    {"joint", read_joint},
    {"site", read_site},
    {"inertial", read_inertial},
    {"camera", read_camera},
    {"light", read_light},
    {"frame", read_frame},
    {"freejoint", read_freejoint},
    {"plugin", read_body_plugin},
    {"attach", ct_read_attach},
    {"replicate", read_replicate},
    {"composite", ct_read_composite},
    {"flexcomp", ct_read_flexcomp},
};

static void read_part(ct_Reader* r, const ct_Xml* xml, void* arg) {
  const ct_Scope* scope = (const ct_Scope*)arg;
  for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
    if (strcmp(xml->name, parts[i].name)) continue;
    parts[i].read(r, xml, scope);
    return;
  }
  ct_refuse(r, xml, NULL, "not an element of a body");
}

void ct_read_children(ct_Reader* r, const ct_Xml* xml, const ct_Scope* scope) {
  for (const ct_Xml* child = xml->first; child; child = child->next) {
    if (child->reported) continue;
    ct_guarded(r, read_part, child, (void*)(uintptr_t)scope);
  }
}

void ct_read_worldbody(ct_Reader* r, const ct_Xml* section) {
  ct_Scope scope = {r->spec->world, NULL, "main"};
  ct_read_children(r, section, &scope);
}
