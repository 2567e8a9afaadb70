// Places of elements outside the tree in a compilation. Until each has its own file, models that
// have some are refused.

#include "compile/compile.h"

static void refuse(ct_Compiler* c, mjtObj type) {
  if (CT_COUNT(c, type) > 0) {
    const ct_Element* e = c->list[type].item[0]->element;
    ct_fail(c, e, "this version of corten cannot compile %ss yet", e->kind->name);
  }
}

void ct_compile_camera(ct_Compiler* c, ct_WorkCamera* camera) {
  (void)camera;
  refuse(c, mjOBJ_CAMERA);
}
void ct_size_cameras(ct_Compiler* c) {
  (void)c;
}
void ct_copy_cameras(ct_Compiler* c) {
  (void)c;
}

void ct_compile_light(ct_Compiler* c, ct_WorkLight* light) {
  (void)light;
  refuse(c, mjOBJ_LIGHT);
}
void ct_size_lights(ct_Compiler* c) {
  (void)c;
}
void ct_copy_lights(ct_Compiler* c) {
  (void)c;
}

void ct_compile_pairs(ct_Compiler* c) {
  refuse(c, mjOBJ_PAIR);
}
void ct_compile_excludes(ct_Compiler* c) {
  refuse(c, mjOBJ_EXCLUDE);
}
void ct_sort_pairs(ct_Compiler* c) {
  (void)c;
}
void ct_size_pairs(ct_Compiler* c) {
  (void)c;
}
void ct_copy_pairs(ct_Compiler* c) {
  (void)c;
}

void ct_compile_equalities(ct_Compiler* c) {
  refuse(c, mjOBJ_EQUALITY);
}
void ct_size_equalities(ct_Compiler* c) {
  (void)c;
}
void ct_copy_equalities(ct_Compiler* c) {
  (void)c;
}

void ct_compile_tendons(ct_Compiler* c) {
  refuse(c, mjOBJ_TENDON);
}
void ct_size_tendons(ct_Compiler* c) {
  (void)c;
}
void ct_copy_tendons(ct_Compiler* c) {
  (void)c;
}

void ct_compile_actuators(ct_Compiler* c) {
  refuse(c, mjOBJ_ACTUATOR);
}
void ct_size_actuators(ct_Compiler* c) {
  (void)c;
}
void ct_copy_actuators(ct_Compiler* c) {
  (void)c;
}

void ct_compile_sensors(ct_Compiler* c) {
  refuse(c, mjOBJ_SENSOR);
}
void ct_size_sensors(ct_Compiler* c) {
  (void)c;
}
void ct_copy_sensors(ct_Compiler* c) {
  (void)c;
}

void ct_compile_numerics(ct_Compiler* c) {
  refuse(c, mjOBJ_NUMERIC);
}
void ct_compile_texts(ct_Compiler* c) {
  refuse(c, mjOBJ_TEXT);
}
void ct_compile_tuples(ct_Compiler* c) {
  refuse(c, mjOBJ_TUPLE);
}
void ct_size_customs(ct_Compiler* c) {
  (void)c;
}
void ct_copy_customs(ct_Compiler* c) {
  (void)c;
}

void ct_compile_plugins(ct_Compiler* c) {
  refuse(c, mjOBJ_PLUGIN);
}
void ct_size_plugins(ct_Compiler* c) {
  (void)c;
}
void ct_copy_plugins(ct_Compiler* c) {
  (void)c;
}

ct_Work* ct_resolve_plugin(ct_Compiler* c, const ct_Element* e, const mjsPlugin* plugin,
                           int capability) {
  (void)capability;
  if (plugin->active) ct_fail(c, e, "this version of corten cannot compile plugins yet");
  return NULL;
}
