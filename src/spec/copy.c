// Copying elements and parts of a tree. See copy.h.

#include "spec/copy.h"

#include <stdlib.h>
#include <string.h>

#include "spec/compiled.h"
#include "spec/keys.h"
#include "spec/names.h"

// Elements

mjsPlugin* ct_plugin_link(const ct_Element* e) {
  switch ((int)ct_type(e)) {
    case mjOBJ_BODY:
      return &CT_VALUES(mjsBody, e)->plugin;
    case mjOBJ_GEOM:
      return &CT_VALUES(mjsGeom, e)->plugin;
    case mjOBJ_MESH:
      return &CT_VALUES(mjsMesh, e)->plugin;
    case mjOBJ_ACTUATOR:
      return &CT_VALUES(mjsActuator, e)->plugin;
    case mjOBJ_SENSOR:
      return &CT_VALUES(mjsSensor, e)->plugin;
    default:
      return NULL;
  }
}

static void touch(ct_Copying* copying, ct_Element* e, ct_Element* twin) {
  if (copying->ntouched == copying->room) {
    int room = copying->room ? 2 * copying->room : 64;
    ct_Element** grown = (ct_Element**)realloc(copying->touched, (size_t)room * sizeof(*grown));
    if (!grown) {
      mju_error("out of memory: no room to copy a spec");
      return;
    }
    copying->touched = grown;
    copying->room = room;
  }
  copying->touched[copying->ntouched++] = e;
  e->twin = twin;
}

void ct_copying_end(ct_Copying* copying) {
  for (int i = 0; i < copying->ntouched; i++) copying->touched[i]->twin = NULL;
  free(copying->touched);
  copying->touched = NULL;
  copying->ntouched = copying->room = 0;
}

static void copy_head(ct_Element* to, const ct_Element* from) {
  if (ct_type(from) == mjOBJ_FRAME) {
    ct_Frame* frame = (ct_Frame*)to;
    const ct_Frame* source = (const ct_Frame*)from;
    frame->compiled = source->compiled;
    memcpy(frame->pos, source->pos, sizeof(frame->pos));
    memcpy(frame->quat, source->quat, sizeof(frame->quat));
  } else if (ct_type(from) == mjOBJ_PLUGIN) {
    ct_map_copy(&((ct_Plugin*)to)->attributes, &((const ct_Plugin*)from)->attributes);
  } else if (ct_type(from) == mjOBJ_TENDON) {
    const ct_List* path = &((const ct_Tendon*)from)->path;
    for (int i = 0; i < path->count; i++) {
      const ct_Wrap* source = (const ct_Wrap*)path->item[i];
      ct_Wrap* wrap =
          ct_add_wrap((ct_Tendon*)to, CT_VALUES(mjsWrap, &source->element)->type,
                      ct_name(&source->element), ct_string_get(&source->side), source->number);
      ct_values_copy(&wrap->element, &source->element);
    }
  }
}

// An instance without a name belongs to one element only, so the copy gets one of its own.
static void copy_instance(ct_Copying* copying, ct_Element* copy) {
  mjsPlugin* link = ct_plugin_link(copy);
  if (!link || !link->element) return;
  if (!copying->whole && !ct_string_empty(ct_str(link->name)))
    return;  // attaching goes by the name
  ct_Element* instance = ct_element(link->element);
  if (!instance->twin) {
    ct_Element* own = ct_copy_element(copying, instance);
    ct_list_append(&copying->to->list[mjOBJ_PLUGIN], own);
  }
  link->element = &instance->twin->handle;
}

// File names belong to the spec of the settings. Most elements share one.
static const char* copied_file(ct_Copying* copying, const char* file) {
  if (!file) return NULL;
  if (file != copying->file) {
    copying->file = file;
    copying->file_copy = ct_spec_text(copying->to, file);
  }
  return copying->file_copy;
}

ct_Element* ct_copy_element(ct_Copying* copying, ct_Element* e) {
  ct_Element* copy = ct_element_make(copying->to, ct_type(e), NULL);
  bool moved_settings = copying->whole && e->settings == e->spec;
  copy->settings = moved_settings ? copying->to : e->settings;
  copy->file = e->file;
  copy->line = e->line;
  ct_values_copy(copy, e);
  ct_string_set(&copy->name, ct_name(e));
  ct_string_set(&copy->class_name, ct_string_get(&e->class_name));
  copy->state.compiled = e->state.compiled;
  if (copying->whole) {
    copy->id = e->id;
    copy->state = e->state;
    copy->undeletable = e->undeletable;
    ct_copy_compiled(copy, e);
    if (moved_settings) copy->file = copied_file(copying, e->file);
  }
  copy_head(copy, e);
  touch(copying, e, copy);
  copy_instance(copying, copy);
  return copy;
}

// Parts of a tree

bool ct_in_frame(const ct_Element* e, const ct_Element* frame) {
  for (; e; e = e->frame) {
    if (e == frame) return true;
  }
  return false;
}

// Lists of a body other than that of its children.
static void copy_lists(ct_Copying* copying, ct_Body* from, ct_Body* into, const ct_Element* frame) {
  static const int order[] = {CT_CHILD_FRAME, CT_CHILD_JOINT,  CT_CHILD_GEOM,
                              CT_CHILD_SITE,  CT_CHILD_CAMERA, CT_CHILD_LIGHT};
  for (size_t k = 0; k < sizeof(order) / sizeof(order[0]); k++) {
    for (int i = 0; i < from->child[order[k]].count; i++) {
      ct_Element* e = from->child[order[k]].item[i];
      if (frame && !ct_in_frame(e, frame)) continue;
      ct_Element* copy = ct_copy_element(copying, e);
      copy->body = &into->element;
      copy->frame = e->frame;
      ct_list_append(&into->child[order[k]], copy);
    }
  }
}

// The frame for a copy of what was in a frame: the copy of that one, if it was copied too. A copy
// of a whole spec must not refer to the original, so a frame that was left outside the tree, by
// attaching or deleting, is copied here.
static ct_Element* frame_for_copy(ct_Copying* copying, ct_Element* frame) {
  if (!frame) return NULL;
  if (frame->twin) return frame->twin;
  if (!copying->whole || frame->owner != copying->from) return frame;
  ct_Element* copy = ct_copy_element(copying, frame);
  copy->frame = frame_for_copy(copying, frame->frame);
  return copy;
}

static void move_into_copied_frames(ct_Copying* copying, const ct_List* list) {
  for (int i = 0; i < list->count; i++) {
    list->item[i]->frame = frame_for_copy(copying, list->item[i]->frame);
  }
}

static ct_Body* copy_body(ct_Copying* copying, ct_Body* from, ct_Body* into) {
  ct_Body* copy = (ct_Body*)ct_copy_element(copying, &from->element);
  copy->element.body = &into->element;
  copy->element.frame = frame_for_copy(copying, from->element.frame);
  ct_list_append(&into->child[CT_CHILD_BODY], &copy->element);
  copy_lists(copying, from, copy, NULL);
  for (int k = 0; k < CT_NCHILD; k++) move_into_copied_frames(copying, &copy->child[k]);
  return copy;
}

ct_Body* ct_copy_subtree(ct_Copying* copying, ct_Body* root, ct_Body* into) {
  // listed first: the copy may hang below its original
  int count = 0;
  for (ct_Body* b = root; b; b = ct_next_body_below(b, root)) count++;
  ct_Body** body = (ct_Body**)calloc((size_t)count, sizeof(*body));
  if (!body) {
    mju_error("out of memory: no room to copy %d bodies", count);
    return NULL;
  }
  count = 0;
  for (ct_Body* b = root; b; b = ct_next_body_below(b, root)) body[count++] = b;

  ct_Body* copy = copy_body(copying, root, into);
  for (int i = 1; i < count; i++)
    copy_body(copying, body[i], (ct_Body*)body[i]->element.body->twin);
  free(body);
  return copy;
}

// `into` may be a part of what is copied, so it gets the copies when all are made.
void ct_copy_contents(ct_Copying* copying, ct_Body* from, ct_Body* into, const ct_Element* frame) {
  ct_Body copies;
  memset(&copies, 0, sizeof(copies));
  copy_lists(copying, from, &copies, frame);
  for (int i = 0; i < from->child[CT_CHILD_BODY].count; i++) {
    ct_Element* body = from->child[CT_CHILD_BODY].item[i];
    if (!frame || ct_in_frame(body, frame)) ct_copy_subtree(copying, (ct_Body*)body, &copies);
  }
  for (int k = 0; k < CT_NCHILD; k++) {
    move_into_copied_frames(copying, &copies.child[k]);
    for (int i = 0; i < copies.child[k].count; i++) {
      copies.child[k].item[i]->body = &into->element;
      ct_list_append(&into->child[k], copies.child[k].item[i]);
    }
    ct_list_free(&copies.child[k]);
  }
}

// Specs

// Classes with their parents, in the order of their making; main exists already.
static void copy_classes(ct_Copying* copying, const ct_Spec* from) {
  ct_Spec* to = copying->to;
  for (int i = 0; i < from->defaults.count; i++) {
    ct_Default* source = (ct_Default*)from->defaults.item[i];
    ct_Default* copy = (ct_Default*)to->defaults.item[0];
    if (i > 0) {
      copy = ct_add_class(to, ct_name(&source->element), (ct_Default*)source->parent->twin);
      copy->deleted = source->deleted;
    }
    ct_copy_templates(copy, source);
    ct_string_set(&copy->element.name, ct_name(&source->element));
    ct_string_set(&copy->key, ct_string_get(&source->key));
    touch(copying, &source->element, &copy->element);
  }
  ct_names_forget(to);
}

// Some lists drop elements whose references lead nowhere, as in the reference.
static bool must_resolve(mjtObj type) {
  switch ((int)type) {
    case mjOBJ_FLEX:
    case mjOBJ_PAIR:
    case mjOBJ_EXCLUDE:
    case mjOBJ_TENDON:
    case mjOBJ_EQUALITY:
    case mjOBJ_ACTUATOR:
    case mjOBJ_SENSOR:
    case mjOBJ_TUPLE:
    case mjOBJ_SKIN:
      return true;
    default:
      return false;
  }
}

static void copy_list(ct_Copying* copying, const ct_Spec* from, mjtObj type) {
  ct_Spec* to = copying->to;
  const ct_List* list = &from->list[type];
  for (int i = 0; i < list->count; i++) {
    ct_Element* e = list->item[i];
    if (e->twin) continue;
    if (must_resolve(type) && !ct_references_resolve(e->spec, e)) continue;
    ct_list_append(&to->list[type], ct_copy_element(copying, e));
  }
}

mjSpec* mj_copySpec(const mjSpec* s) {
  if (!s) return NULL;
  ct_Spec* from = ct_spec(s);
  ct_Spec* to = ct_spec_make();
  if (!to) return NULL;
  ct_Copying copying = {.from = from, .to = to, .whole = true};
  to->loading = true;
  ct_values_copy(&to->element, &from->element);
  copy_classes(&copying, from);
  copy_list(&copying, from, mjOBJ_PLUGIN);  // first: elements that are copied point at them

  // the world exists already, so its values and contents are copied
  ct_values_copy(&to->world->element, &from->world->element);
  ct_string_set(&to->world->element.name, ct_name(&from->world->element));
  ct_string_set(&to->world->element.class_name, ct_string_get(&from->world->element.class_name));
  touch(&copying, &from->world->element, &to->world->element);
  ct_copy_contents(&copying, from->world, to->world, NULL);
  for (int type = 0; type < mjNOBJECT; type++) copy_list(&copying, from, (mjtObj)type);
  ct_keys_append(to, ct_keys_of_twins(from->pending));
  ct_copying_end(&copying);

  for (int i = 0; i < from->nheld; i++) ct_spec_hold(to, from->held[i].spec, false);
  for (int i = 0; i < from->nplugin; i++) ct_plugin_activate(to, from->plugin[i]);
  to->deep_copy = from->deep_copy;
  to->undeletable = from->undeletable;
  to->compiled = from->compiled;
  to->state_sizes = from->state_sizes;
  ct_copy_compiled(&to->world->element, &from->world->element);
  ct_copy_compiled_whole(to, from);
  to->loading = false;
  to->element.handle.signature = ct_spec_signature(to);
  ct_spec_number(to);
  return &to->spec;
}
