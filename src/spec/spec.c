// Specs: making, holding, releasing; messages.

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

  spec->world = (ct_Body*)ct_element_make(spec, mjOBJ_BODY, NULL);
  ct_string_set(&spec->world->element.name, "world");
  ct_string_set(&spec->world->element.class_name, "main");
  spec->world->element.id = 0;
  return spec;
}

void ct_spec_retain(ct_Spec* spec) {
  spec->references++;
}

// Releasing

enum { UNMARKED, REACHED, IN_USE };

// Specs that can be reached from one, themselves included, by following what they hold. `mark` says
// which.
typedef struct {
  ct_Spec** item;
  int count, room;
} Reached;

static void reach(Reached* reached, ct_Spec* spec, int mark) {
  if (spec->mark == mark) return;
  spec->mark = mark;
  if (reached->count == reached->room) {
    int room = reached->room ? 2 * reached->room : 8;
    ct_Spec** grown = (ct_Spec**)realloc(reached->item, (size_t)room * sizeof(*grown));
    if (!grown) return;  // what cannot be listed is not released
    reached->item = grown;
    reached->room = room;
  }
  reached->item[reached->count++] = spec;
  for (int i = 0; i < spec->nheld; i++) reach(reached, spec->held[i], mark);
}

// Takes elements of one spec out of a list.
static void drop_owned_by(ct_List* list, const ct_Spec* owner) {
  int kept = 0;
  for (int i = 0; i < list->count; i++) {
    if (list->item[i]->owner != owner) list->item[kept++] = list->item[i];
  }
  list->count = kept;
  ct_list_number(list);
}

// Elements that came from a spec which outlives this one go back to it, without what they were
// given here.
static void give_back(ct_Spec* to, const ct_Spec* leaving) {
  for (int i = 0; i < to->owned.count; i++) {
    ct_Element* e = to->owned.item[i];
    if (e->spec != leaving) continue;
    e->spec = to;
    if (e->frame && e->frame->owner == leaving) e->frame = NULL;
    if (e->body && e->body->owner == leaving) {
      e->body = NULL;
      e->position = -1;
    }
    if (ct_type(e) != mjOBJ_BODY) continue;
    for (int k = 0; k < CT_NCHILD; k++) drop_owned_by(&((ct_Body*)e)->child[k], leaving);
  }
}

static void let_go_of_held(ct_Spec* spec) {
  Reached reached = {NULL, 0, 0};
  reach(&reached, spec, REACHED);
  for (int i = 0; i < reached.count; i++) {
    reached.item[i]->mark = UNMARKED;
    if (reached.item[i] != spec) give_back(reached.item[i], spec);
  }
  free(reached.item);
  int count = spec->nheld;
  spec->nheld = 0;
  for (int i = 0; i < count; i++) ct_spec_release(spec->held[i]);
}

static void destroy(ct_Spec* spec) {
  let_go_of_held(spec);
  for (int i = spec->owned.count - 1; i >= 0; i--) {
    ct_element_clear(spec->owned.item[i]);
    free(spec->owned.item[i]);
  }
  ct_list_free(&spec->owned);
  ct_list_free(&spec->defaults);
  for (int type = 0; type < mjNOBJECT; type++) ct_list_free(&spec->list[type]);
  ct_names_free(spec);
  ct_keys_free(spec->pending);
  ct_keys_free(spec->gathered);
  free(spec->held);
  free(spec->lines);
  free((void*)spec->plugin);
  ct_pool_free(&spec->texts);
  ct_element_clear(&spec->element);
  free(spec);
}

// Specs that hold each other

// A spec that is still referred to may be so only by specs that it holds itself, when each was
// attached to the other. If nobody else refers to any of them, they all go.
static void release_circle(ct_Spec* spec) {
  Reached all = {NULL, 0, 0}, used = {NULL, 0, 0};
  reach(&all, spec, REACHED);
  for (int i = 0; i < all.count; i++) all.item[i]->outside = all.item[i]->references;
  for (int i = 0; i < all.count; i++) {
    for (int k = 0; k < all.item[i]->nheld; k++) all.item[i]->held[k]->outside--;
  }
  for (int i = 0; i < all.count; i++) {
    if (all.item[i]->outside > 0) reach(&used, all.item[i], IN_USE);
  }

  // the others are kept by one more reference until none refers to another
  int nunused = 0;
  for (int i = 0; i < all.count; i++) {
    bool unused = all.item[i]->mark == REACHED;
    all.item[i]->mark = UNMARKED;
    if (unused) all.item[nunused++] = all.item[i];
  }
  for (int i = 0; i < nunused; i++) all.item[i]->references++;
  for (int i = 0; i < nunused; i++) let_go_of_held(all.item[i]);
  for (int i = 0; i < nunused; i++) ct_spec_release(all.item[i]);
  free(all.item);
  free(used.item);
}

void ct_spec_release(ct_Spec* spec) {
  if (--spec->references == 0) {
    destroy(spec);
  } else if (spec->nheld > 0) {
    release_circle(spec);
  }
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

void mj_deleteSpec(mjSpec* s) {
  if (s) ct_spec_release(ct_spec(s));
}

const char* mjs_getError(mjSpec* s) {
  if (!s) {
    mju_error("mjs_getError: the spec is NULL");
    return NULL;
  }
  return ct_spec(s)->message;
}

int mjs_isWarning(mjSpec* s) {
  return ct_spec(s)->warning;
}

int mjs_setDeepCopy(mjSpec* s, int deepcopy) {
  ct_spec(s)->deep_copy = deepcopy != 0;
  return 0;
}
