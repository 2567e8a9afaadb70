// Elements: one block each, made, copied, compared and destroyed by the table of their type.

#include <stdlib.h>
#include <string.h>

#include "spec/compiled.h"
#include "spec/names.h"
#include "spec/spec.h"
#include "spec/user_values.h"

static size_t rounded(size_t bytes) {
  return (bytes + 7) & ~(size_t)7;
}

static void* allocate(size_t bytes) {
  void* p = calloc(1, bytes);
  if (!p) mju_error("out of memory: a spec needs %zu more bytes", bytes);
  return p;
}

// Lists

void ct_list_append(ct_List* list, ct_Element* e) {
  if (list->count == list->room) {
    int room = list->room ? 2 * list->room : 4;
    ct_Element** item = (ct_Element**)realloc(list->item, (size_t)room * sizeof(*item));
    if (!item) {
      mju_error("out of memory: a spec needs a list of %d elements", room);
      return;
    }
    list->item = item;
    list->room = room;
  }
  e->position = list->count;
  list->item[list->count++] = e;
}

void ct_list_remove(ct_List* list, ct_Element* e) {
  list->count--;
  for (int i = e->position; i < list->count; i++) {
    list->item[i] = list->item[i + 1];
    list->item[i]->position = i;
  }
  e->position = -1;
}

void ct_list_number(ct_List* list) {
  for (int i = 0; i < list->count; i++) list->item[i]->position = i;
}

void ct_list_free(ct_List* list) {
  free(list->item);
  memset(list, 0, sizeof(*list));
}

// Strings and vectors

// The strings and vectors of an element follow its public struct; those of a spec stand in its
// head. Their addresses are computed and not read from the struct, where a program may have spoiled
// them.
static ct_String* containers(const ct_Element* e) {
  if (ct_type(e) == mjOBJ_MODEL) return e->spec->text;
  return (ct_String*)((char*)e->values + rounded(e->kind->size));
}

static void set_pointer(ct_Element* e, size_t offset, void* target) {
  memcpy((char*)e->values + offset, &target, sizeof(target));
}

// Points the public struct at the element's handle, strings and vectors.
static void connect_values(ct_Element* e) {
  const ct_Kind* kind = e->kind;
  ct_String* container = containers(e);
  set_pointer(e, 0, &e->handle);
  for (int i = 0; i < kind->nfield; i++) set_pointer(e, kind->field[i].offset, container + i);
  if (kind->name_field) set_pointer(e, kind->name_field, &e->name);
  if (kind->class_field) set_pointer(e, kind->class_field, &e->class_name);
}

static size_t element_size(ct_ContainerKind kind) {
  switch (kind) {
    case CT_CONTAINER_DOUBLES:
      return sizeof(double);
    case CT_CONTAINER_FLOATS:
    case CT_CONTAINER_FLOAT_VECTORS:
      return sizeof(float);
    case CT_CONTAINER_INTS:
    case CT_CONTAINER_INT_VECTORS:
      return sizeof(int);
    default:
      return 1;
  }
}

static void copy_container(void* to, const void* from, ct_ContainerKind kind) {
  const ct_Vector* v = (const ct_Vector*)from;
  size_t size = element_size(kind);
  switch (kind) {
    case CT_CONTAINER_STRING: {
      const ct_String* s = (const ct_String*)from;
      ct_string_set_n((ct_String*)to, ct_string_get(s), ct_string_length(s));
      break;
    }
    case CT_CONTAINER_STRINGS:
      ct_strings_copy((ct_Vector*)to, v);
      break;
    case CT_CONTAINER_INT_VECTORS:
    case CT_CONTAINER_FLOAT_VECTORS:
      ct_vectors_copy((ct_Vector*)to, v, size);
      break;
    default:
      ct_vector_set((ct_Vector*)to, v->begin, ct_vector_count(v, size), size);
      break;
  }
}

static void free_container(void* container, ct_ContainerKind kind) {
  switch (kind) {
    case CT_CONTAINER_STRING:
      ct_string_free((ct_String*)container);
      break;
    case CT_CONTAINER_STRINGS:
      ct_strings_free((ct_Vector*)container);
      break;
    case CT_CONTAINER_INT_VECTORS:
    case CT_CONTAINER_FLOAT_VECTORS:
      ct_vectors_free((ct_Vector*)container);
      break;
    default:
      ct_vector_free((ct_Vector*)container);
      break;
  }
}

// Values

void ct_values_copy(ct_Element* to, const ct_Element* from) {
  memcpy(to->values, from->values, to->kind->size);
  connect_values(to);
  for (int i = 0; i < to->kind->nfield; i++) {
    copy_container(containers(to) + i, containers(from) + i, to->kind->field[i].kind);
  }
}

// Vectors of strings that have one entry per role from the start.
static void initial_strings(ct_Element* e) {
  mjStringVec* strings = NULL;
  int n = 0;
  if (ct_type(e) == mjOBJ_TEXTURE) {
    strings = CT_VALUES(mjsTexture, e)->cubefiles;
    n = 6;
  } else if (ct_type(e) == mjOBJ_MATERIAL) {
    strings = CT_VALUES(mjsMaterial, e)->textures;
    n = mjNTEXROLE;
  }
  for (int i = 0; i < n; i++) ct_strings_append((ct_Vector*)strings, "");
}

// Making and destroying

// It is in no compiled model of its spec.
static void forget_state(ct_Element* e) {
  e->state.qpos = e->state.dof = e->state.act = e->state.ctrl = e->state.mocap = -1;
}

void ct_element_init(ct_Element* e, const ct_Kind* kind, ct_Spec* spec, void* values) {
  e->handle.elemtype = kind->type;
  e->kind = kind;
  e->values = values;
  e->spec = e->settings = e->owner = spec;
  e->position = e->id = -1;
  forget_state(e);
  memcpy(e->values, kind->initial, kind->size);
  connect_values(e);
}

// A class gets a template of each type that classes know.
static void make_templates(ct_Spec* spec, ct_Element* e) {
  for (int type = 0; type < mjNOBJECT; type++) {
    const ct_Kind* kind = ct_kind((mjtObj)type);
    if (!kind || !kind->in_default) continue;
    ct_Element* template_ = ct_element_make(spec, kind->type, NULL);
    set_pointer(e, kind->in_default, template_->values);
  }
}

ct_Element* ct_template(const ct_Default* def, const ct_Kind* kind) {
  if (!def || !kind->in_default) return NULL;
  mjsElement** values;
  memcpy(&values, (const char*)def->element.values + kind->in_default, sizeof(void*));
  return ct_element(values[0]);
}

ct_Element* ct_element_make(ct_Spec* spec, mjtObj type, const ct_Default* def) {
  const ct_Kind* kind = ct_kind(type);
  size_t head = rounded(kind->head), size = rounded(kind->size);
  ct_Element* e = (ct_Element*)allocate(head + size + (size_t)kind->nfield * sizeof(ct_String));
  ct_element_init(e, kind, spec, (char*)e + head);

  ct_list_append(&spec->owned, e);
  e->made = e->position;
  e->position = -1;  // which belongs to the list of the model

  if (type == mjOBJ_PLUGIN) ct_map_init(&((ct_Plugin*)e)->attributes);
  if (type == mjOBJ_DEFAULT) make_templates(spec, e);
  initial_strings(e);
  const ct_Element* template_ = ct_template(def, kind);
  if (template_) ct_values_copy(e, template_);
  return e;
}

static void free_head(ct_Element* e) {
  switch ((int)ct_type(e)) {
    case mjOBJ_BODY:
      for (int i = 0; i < CT_NCHILD; i++) ct_list_free(&((ct_Body*)e)->child[i]);
      break;
    case mjOBJ_TENDON:
      ct_list_free(&((ct_Tendon*)e)->path);
      break;
    case mjOBJ_UNKNOWN:
      ct_string_free(&((ct_Wrap*)e)->side);
      break;
    case mjOBJ_PLUGIN:
      ct_map_free(&((ct_Plugin*)e)->attributes);
      break;
    case mjOBJ_DEFAULT:
      ct_string_free(&((ct_Default*)e)->key);
      ct_list_free(&((ct_Default*)e)->child);
      break;
    default:
      break;
  }
}

void ct_element_clear(ct_Element* e) {
  ct_user_values_free(e);
  ct_free_compiled(e);
  free_head(e);
  for (int i = 0; i < e->kind->nfield; i++)
    free_container(containers(e) + i, e->kind->field[i].kind);
  ct_string_free(&e->name);
  ct_string_free(&e->class_name);
}

// Adding to a spec

void ct_element_enter(ct_Element* e, ct_Spec* spec) {
  if (e->spec != spec) forget_state(e);
  e->spec = spec;
  if (ct_type(e) != mjOBJ_TENDON) return;
  const ct_List* path = &((const ct_Tendon*)e)->path;
  for (int i = 0; i < path->count; i++) path->item[i]->spec = spec;
}

ct_Element* ct_add_in_body(ct_Body* body, mjtObj type, const ct_Default* def) {
  ct_Spec* spec = body->element.spec;
  const ct_String* inherited = &body->element.class_name;
  if (!def && type != mjOBJ_FRAME) def = ct_inherited_class(spec, ct_string_get(inherited));

  ct_Element* e = ct_element_make(spec, type, def);
  e->body = &body->element;
  if (type == mjOBJ_BODY && !def) {
    ct_string_set(&e->class_name, ct_string_get(inherited));
  } else if (type != mjOBJ_FRAME) {
    ct_string_set(&e->class_name, def ? ct_name(&def->element) : "main");
  }
  ct_list_append(ct_child_list(body, type), e);
  ct_spec_added(e);
  return e;
}

ct_Element* ct_add_in_spec(ct_Spec* spec, mjtObj type, const ct_Default* def) {
  bool classed = ct_kind(type)->in_default != 0;
  if (!def && classed && type != mjOBJ_FLEX) def = ct_inherited_class(spec, "main");
  ct_Element* e = ct_element_make(spec, type, def);
  if (classed) ct_string_set(&e->class_name, def ? ct_name(&def->element) : "main");
  ct_list_append(&spec->list[type], e);
  ct_spec_added(e);
  return e;
}
