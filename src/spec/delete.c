// Deleting elements. A deleted element leaves the lists and the tree; its memory stays until its
// spec goes, so that a program may still look at it.

#include <stdlib.h>
#include <string.h>

#include "spec/copy.h"
#include "spec/inertial.h"
#include "spec/keys.h"
#include "spec/names.h"
#include "spec/references.h"

// Lists whose elements go when what they refer to goes, in an order in which the later refer to the
// earlier.
static const mjtObj referring_lists[] = {mjOBJ_PAIR,     mjOBJ_EXCLUDE,  mjOBJ_TENDON,
                                         mjOBJ_EQUALITY, mjOBJ_ACTUATOR, mjOBJ_SENSOR};
enum { NREFERRING = sizeof(referring_lists) / sizeof(referring_lists[0]) };

// Takes marked elements out of a list; tells whether there were any.
static bool drop_marked(ct_List* list, const bool* marked) {
  int kept = 0, count = list->count;
  for (int i = 0; i < count; i++) {
    ct_Element* e = list->item[i];
    if (marked[i]) {
      e->position = -1;
    } else {
      list->item[kept++] = e;
    }
  }
  list->count = kept;
  ct_list_number(list);
  return kept < count;
}

static bool* marks(int count) {
  bool* marked = (bool*)calloc((size_t)count + 1, sizeof(bool));
  if (!marked) mju_error("out of memory: cannot delete from a spec");
  return marked;
}

// Plugin instances

// The instance without a name that an element has for itself.
static void delete_own_instance(const ct_Element* e) {
  const mjsPlugin* link = ct_plugin_link(e);
  ct_Element* instance = link && link->element ? ct_element(link->element) : NULL;
  if (!instance || instance->position < 0 || !ct_string_empty(&instance->name)) return;
  ct_list_remove(ct_list_of(instance), instance);
}

static void unmark_used(ct_Spec* spec, mjtObj type, bool* unused) {
  for (ct_Element* e = ct_first_element(spec, type); e; e = ct_next_element(e)) {
    const mjsPlugin* link = ct_plugin_link(e);
    if (ct_string_empty(ct_str(link->name))) continue;
    const ct_Element* instance = ct_find(spec, mjOBJ_PLUGIN, ct_text(link->name));
    if (instance) unused[instance->position] = false;
  }
}

// Instances with a name that nothing uses any more.
static void delete_unused_instances(ct_Spec* spec) {
  static const mjtObj users[] = {mjOBJ_BODY, mjOBJ_GEOM, mjOBJ_MESH, mjOBJ_ACTUATOR, mjOBJ_SENSOR};
  ct_List* instances = &spec->list[mjOBJ_PLUGIN];
  if (!instances->count) return;
  bool* unused = marks(instances->count);
  for (int i = 0; i < instances->count; i++)
    unused[i] = !ct_string_empty(&instances->item[i]->name);
  for (size_t k = 0; k < sizeof(users) / sizeof(users[0]); k++) unmark_used(spec, users[k], unused);
  if (drop_marked(instances, unused)) ct_names_forget(spec);
  free(unused);
}

// Bodies

// Which elements of the referring lists lead nowhere; those that did so before are left alone.
static void mark_broken(ct_Spec* spec, bool* broken[NREFERRING]) {
  for (int k = 0; k < NREFERRING; k++) {
    const ct_List* list = &spec->list[referring_lists[k]];
    broken[k] = marks(list->count);
    for (int i = 0; i < list->count; i++)
      broken[k][i] = !ct_references_resolve(spec, list->item[i]);
  }
}

static void delete_broken(ct_Spec* spec, bool* broken[NREFERRING]) {
  for (int k = 0; k < NREFERRING; k++) {
    ct_List* list = &spec->list[referring_lists[k]];
    for (int i = 0; i < list->count; i++) {
      broken[k][i] = !broken[k][i] && !ct_references_resolve(spec, list->item[i]);
      if (broken[k][i]) delete_own_instance(list->item[i]);
    }
    if (drop_marked(list, broken[k])) ct_names_forget(spec);
    free(broken[k]);
  }
}

// Drops values of keys that wait for the next compilation.
static void drop_values(ct_PendingKey* key, bool (*keep)(const ct_Element*)) {
  for (; key; key = key->next) {
    int kept = 0;
    for (int i = 0; i < key->nvalue; i++) {
      if (keep(key->value[i].element)) {
        key->value[kept++] = key->value[i];
      } else {
        free(key->value[i].act);
      }
    }
    key->nvalue = kept;
  }
}

// When a body is deleted, keys that already wait lose controls and activations, as in the
// reference; not those of actuators that lead nowhere, perhaps because the rest of a file is still
// to be read.
static bool is_kept_by_waiting_keys(const ct_Element* e) {
  if (ct_type(e) != mjOBJ_ACTUATOR || !ct_references_resolve(e->spec, e)) return true;
  const mjsActuator* actuator = CT_VALUES(mjsActuator, e);
  if (actuator->trntype != mjTRN_TENDON) return false;
  const ct_Element* tendon = ct_find(e->spec, mjOBJ_TENDON, ct_text(actuator->target));
  return tendon && !ct_references_resolve(e->spec, tendon);
}

static bool is_not_an_actuator(const ct_Element* e) {
  return ct_type(e) != mjOBJ_ACTUATOR;
}

// The keys of the spec leave their list and wait, taken apart.
static void put_keys_off(ct_Spec* spec, ct_PendingKey* keys) {
  ct_List* list = &spec->list[mjOBJ_KEY];
  for (int i = 0; i < list->count; i++) list->item[i]->position = -1;
  list->count = 0;
  ct_keys_append(spec, keys);
}

// Takes a subtree out of the tree. Its elements have no ids from now on.
static void cut_off(ct_Body* root) {
  ct_list_remove(ct_list_of(&root->element), &root->element);
  root->element.body = NULL;
  for (ct_Body* b = root; b; b = ct_next_body_below(b, root)) {
    b->element.id = -1;
    delete_own_instance(&b->element);
    for (int k = 0; k < CT_NCHILD; k++) {
      for (int i = 0; i < b->child[k].count; i++) {
        b->child[k].item[i]->id = -1;
        delete_own_instance(b->child[k].item[i]);
      }
    }
  }
}

// Deletes a body with all below it. keys: as they were before anything changed. with_referring:
// elements that refer to it go along.
static void delete_body(ct_Spec* spec, ct_Body* body, ct_PendingKey* keys, bool with_referring) {
  bool* broken[NREFERRING];
  if (with_referring) mark_broken(spec, broken);
  drop_values(spec->pending, with_referring ? is_kept_by_waiting_keys : is_not_an_actuator);
  cut_off(body);
  ct_names_forget(spec);
  if (with_referring) delete_broken(spec, broken);
  delete_unused_instances(spec);
  put_keys_off(spec, keys);
  drop_values(spec->pending, ct_in_spec);
}

// The rest

static void delete_class(ct_Default* def) {
  def->deleted = true;
  for (int i = 0; i < def->child.count; i++) delete_class((ct_Default*)def->child.item[i]);
}

static int refuse(ct_Spec* spec, const ct_Element* e, const char* why) {
  char what[200];
  return ct_spec_error(spec, "%s cannot be deleted: %s", ct_describe(e, what, sizeof(what)), why);
}

static void changed(ct_Spec* spec) {
  ct_names_forget(spec);
  ct_spec_changed(spec, true);
  if (!spec->loading) ct_spec_number(spec);
}

// A body that keys keep in the spec. Whoever does not look at what mjs_delete returns (the Python
// package does not) must not get a model with it: the next compilation fails.
static int put_up_with(ct_Spec* spec, ct_Element* body) {
  body->undeletable = spec->undeletable = true;
  return -1;
}

// Bodies stay as long as two things in a list that does not depend on the tree share a name, as in
// the reference.
static bool repeats_a_name(ct_Spec* spec) {
  static const mjtObj lists[] = {mjOBJ_MESH,    mjOBJ_SKIN,     mjOBJ_HFIELD,
                                 mjOBJ_TEXTURE, mjOBJ_MATERIAL, mjOBJ_NUMERIC,
                                 mjOBJ_TEXT,    mjOBJ_FLEX,     mjOBJ_KEY};
  mjtObj type;
  const char* name = ct_repeated_name(spec, lists, (int)(sizeof(lists) / sizeof(lists[0])), &type);
  if (!name || spec->loading) return false;
  ct_spec_error(spec, "no body can be deleted while two elements of type %s are called \"%s\"",
                mju_type2Str(type), name);
  return true;
}

int mjs_delete(mjSpec* spec, mjsElement* element) {
  if (!spec || !element) return -1;
  ct_Spec* s = ct_spec(spec);
  ct_Element* e = ct_element(element);
  if (e->spec != s) return refuse(s, e, "it belongs to another spec");

  // classes
  mjtObj type = ct_type(e);
  if (type == mjOBJ_DEFAULT) {
    ct_Default* def = (ct_Default*)e;
    if (!def->parent) return refuse(s, e, "every spec has the class main");
    delete_class(def);
    ct_names_forget(s);
    return 0;
  }

  // what stays
  if (type == mjOBJ_FRAME) return refuse(s, e, "frames stay as long as their body");
  if (e == &s->world->element) return refuse(s, e, "it is the world");
  ct_List* list = ct_list_of(e);
  if (!list || type == mjOBJ_UNKNOWN) return refuse(s, e, "it is not an element of the model");

  // a body goes with all that is below it, anything else alone; keyframes lose its numbers
  if (type == mjOBJ_BODY) {
    if (repeats_a_name(s)) return -1;
    if (!ct_keys_fit(s, s)) return put_up_with(s, e);
    delete_body(s, (ct_Body*)e, ct_keys_gather(s), true);
  } else {
    delete_own_instance(e);
    ct_list_remove(list, e);
    e->body = NULL;
    e->id = -1;
    drop_values(s->pending, ct_in_spec);
  }
  changed(s);
  return 0;
}

// Body to frame

// All that a body holds goes to the end of its parent's lists, directly into a frame. What was in a
// frame of the body loses that one, as in the reference; the frames themselves become parts of the
// new one.
static void move_contents(ct_Body* from, ct_Body* into, ct_Element* frame) {
  for (int k = 0; k < CT_NCHILD; k++) {
    ct_List* list = &from->child[k];
    for (int i = 0; i < list->count; i++) {
      ct_Element* e = list->item[i];
      e->body = &into->element;
      e->frame = frame;
      ct_list_append(&into->child[k], e);
    }
    list->count = 0;
  }
}

// A frame outside may have come from inside, by attaching; then its body cannot become a frame in
// it.
static bool holds_frame_around(const ct_Body* b) {
  const ct_List* frames = &b->child[CT_CHILD_FRAME];
  for (int i = 0; i < frames->count; i++) {
    if (ct_in_frame(b->element.frame, frames->item[i])) return true;
  }
  return false;
}

// An inertial that was given goes to the body around, if the spec has been compiled, as in the
// reference; the world has none.
static bool keeps_inertial(const ct_Body* b) {
  const mjsBody* values = CT_VALUES(mjsBody, &b->element);
  const ct_Spec* spec = b->element.spec;
  return spec->compiled && b->element.body != &spec->world->element && values->explicitinertial &&
         values->mass >= mjMINVAL;
}

mjsFrame* mjs_bodyToFrame(mjsBody** body) {
  if (!body || !*body) return NULL;
  ct_Body* b = ct_body(*body);
  ct_Spec* spec = b->element.spec;

  // bodies that cannot become frames
  if (!b->element.body) {
    ct_spec_error(spec, "the world cannot become a frame");
    return NULL;
  }
  if (holds_frame_around(b)) {
    ct_spec_error(spec, "the body \"%s\" cannot become a frame: it holds the frame that it is in",
                  ct_name(&b->element));
    return NULL;
  }
  if (!ct_keys_fit(spec, spec)) return NULL;

  // a frame at its pose
  ct_PendingKey* keys = ct_keys_gather(spec);
  ct_Body* parent = (ct_Body*)b->element.body;
  ct_Element* frame = ct_add_in_body(parent, mjOBJ_FRAME, NULL);
  mjsFrame* values = CT_VALUES(mjsFrame, frame);
  frame->frame = b->element.frame;
  memcpy(values->pos, (*body)->pos, sizeof(values->pos));
  memcpy(values->quat, (*body)->quat, sizeof(values->quat));

  // takes over what the body holds
  if (keeps_inertial(b)) ct_merge_inertial(&parent->element, &b->element);
  move_contents(b, parent, frame);
  delete_body(spec, b, keys, false);
  changed(spec);
  *body = NULL;
  return values;
}
