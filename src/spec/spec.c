// Specs: making, numbering; messages. What specs hold of each other is in holding.c.

#include "spec/spec.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "spec/keys.h"
#include "spec/names.h"

ct_Spec* ct_spec_make(void) {
  ct_Spec* spec = (ct_Spec*)calloc(1, sizeof(ct_Spec));
  if (!spec) {
    mju_error("out of memory: no room for a spec");
    return NULL;
  }
  spec->references = 1;
  spec->element.spec = spec;
  ct_element_init(&spec->element, ct_kind(mjOBJ_MODEL), spec, &spec->spec);
  mj_defaultLROpt(&spec->spec.compiler.LRopt);
  mj_defaultOption(&spec->spec.option);
  mj_defaultVisual(&spec->spec.visual);
  mjs_setString(spec->spec.modelname, "MuJoCo Model");

  ct_Default* main_class = (ct_Default*)ct_element_make(spec, mjOBJ_DEFAULT, NULL);
  ct_string_set(&main_class->element.name, "main");
  ct_string_set(&main_class->key, "main");
  ct_list_append(&spec->defaults, &main_class->element);

  ct_make_world(spec);
  return spec;
}

void ct_make_world(ct_Spec* spec) {
  spec->world = (ct_Body*)ct_element_make(spec, mjOBJ_BODY, NULL);
  ct_string_set(&spec->world->element.name, "world");
  ct_string_set(&spec->world->element.class_name, "main");
  spec->world->element.id = 0;
}

const char* ct_spec_text(ct_Spec* spec, const char* text) {
  return ct_pool_text(&spec->texts, text);
}

void ct_spec_changed(ct_Spec* spec, bool tree) {
  if (tree) spec->ids_valid = spec->hashes_valid = false;
  if (!spec->loading) spec->element.handle.signature = ct_spec_signature(spec);
}

void ct_spec_added(ct_Element* e) {
  ct_Spec* spec = e->spec;
  if (!ct_in_spec(e)) return;  // put into a body that was deleted
  if (e->body) spec->ids_valid = false;
  if (spec->loading) {
    spec->hashes_valid = false;
  } else {
    spec->element.handle.signature = ct_spec_signature_from(spec, e);
  }
}

void ct_spec_number(ct_Spec* spec) {
  static const mjtObj tree_types[] = {mjOBJ_BODY, mjOBJ_JOINT,  mjOBJ_GEOM,
                                      mjOBJ_SITE, mjOBJ_CAMERA, mjOBJ_LIGHT};
  for (size_t k = 0; k < sizeof(tree_types) / sizeof(tree_types[0]); k++) {
    int id = 0;
    for (ct_Element* e = ct_first_element(spec, tree_types[k]); e; e = ct_next_element(e))
      e->id = id++;
  }
  spec->ids_valid = true;
}

int ct_element_id(const ct_Element* e) {
  mjtObj type = ct_type(e);
  if (type == mjOBJ_FRAME || type == mjOBJ_DEFAULT || type == mjOBJ_MODEL) return -1;
  if (e == &e->spec->world->element) return 0;
  if (e->body) return e->spec->ids_valid && e->position >= 0 ? e->id : -1;
  return e->position;
}

int ct_spec_error(ct_Spec* spec, const char* format, ...) {
  va_list values;
  va_start(values, format);
  vsnprintf(spec->message, sizeof(spec->message), format, values);
  va_end(values);
  spec->warning = false;
  return -1;
}

// The strings of every kind end with `info`, but for the spec's own and those of classes.
static mjString* info_of(const ct_Element* e) {
  const ct_Kind* kind = e->kind;
  if (kind->type == mjOBJ_MODEL || !kind->nfield || !e->values) return NULL;
  return *(mjString**)(void*)((char*)e->values + kind->field[kind->nfield - 1].offset);
}

void ct_set_line_info(ct_Element* e, int line) {
  char text[40];
  snprintf(text, sizeof(text), "line %d", line);
  mjString* info = info_of(e);
  if (info) ct_string_set(ct_str(info), text);
}

// What a program wrote about an element; "" if it has nothing but the line that reading left there.
static const char* info_of_program(const ct_Element* e) {
  mjString* info = info_of(e);
  const char* text = info ? ct_text(info) : "";
  return e->line > 0 && !strncmp(text, "line ", 5) ? "" : text;
}

const char* ct_info(const ct_Element* e) {
  const mjString* info = info_of(e);
  return info ? ct_text(info) : "";
}

const char* ct_describe(const ct_Element* e, char* text, size_t size) {
  size_t used = 0;
  if (*info_of_program(e)) {
    used = (size_t)snprintf(text, size, "%.200s: ", info_of_program(e));
  } else if (e->file && *e->file && e->line > 0) {
    used = (size_t)snprintf(text, size, "%s:%d: ", e->file, e->line);
  } else if (e->line > 0) {
    used = (size_t)snprintf(text, size, "line %d: ", e->line);
  }
  if (used >= size) return text;
  int id = ct_element_id(e);
  if (ct_string_empty(&e->name) && id < 0) {
    snprintf(text + used, size - used, "%s", e->kind->name);
  } else if (ct_string_empty(&e->name)) {
    snprintf(text + used, size - used, "%s %d", e->kind->name, id);
  } else {
    snprintf(text + used, size - used, "%s \"%s\"", e->kind->name, ct_name(e));
  }
  return text;
}

// Public functions

mjSpec* mj_makeSpec(void) {
  ct_Spec* spec = ct_spec_make();
  return spec ? &spec->spec : NULL;
}

const char* mjs_getError(mjSpec* s) {
  return s ? ct_spec(s)->message : "the spec is NULL";
}

int mjs_isWarning(mjSpec* s) {
  return s && ct_spec(s)->warning;
}

int mjs_setDeepCopy(mjSpec* s, int deepcopy) {
  if (!s) return -1;
  ct_spec(s)->deep_copy = deepcopy != 0;
  return 0;
}
