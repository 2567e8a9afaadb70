// Attaching a part of one spec to another, or to itself.
//
// What goes along: the body or frame with all below it; the elements outside the tree that refer to
// it, and if the specs differ also assets, numbers and texts, classes, plugins and keys. By copy,
// everything is copied first and the copies are renamed; by reference, the elements themselves move
// and are renamed, and the spec that they came from can no longer be compiled. From then on both
// ways are the same: Part below names what came.
//
// Elements keep the compiler settings of the spec that they were defined in.

#include <stdlib.h>
#include <string.h>

#include "spec/copy.h"
#include "spec/keys.h"
#include "spec/names.h"
#include "spec/pose.h"
#include "spec/references.h"
#include "spec/replicate.h"

typedef struct {
  ct_Spec *from, *to;
  ct_Rename rename;
  bool by_copy, self;
  ct_Copying copying;
  ct_Replication* replication;  // of which it is one copy; NULL: it is alone
} Attachment;

// Lists that go along, in the order in which they do; assets only between different specs.
static const mjtObj asset_lists[] = {mjOBJ_MESH,     mjOBJ_SKIN,    mjOBJ_HFIELD, mjOBJ_TEXTURE,
                                     mjOBJ_MATERIAL, mjOBJ_NUMERIC, mjOBJ_TEXT};
static const mjtObj referring_lists[] = {mjOBJ_FLEX,   mjOBJ_PAIR,     mjOBJ_EXCLUDE,
                                         mjOBJ_TENDON, mjOBJ_EQUALITY, mjOBJ_ACTUATOR,
                                         mjOBJ_SENSOR, mjOBJ_TUPLE};
enum {
  NASSET = sizeof(asset_lists) / sizeof(asset_lists[0]),
  NREFERRING = sizeof(referring_lists) / sizeof(referring_lists[0])
};

// Renaming

// Names that a tree element refers to. Assets are the same if the spec is.
static void rename_references(const Attachment* at, ct_Element* e) {
  const ct_Rename* rename = &at->rename;
  switch ((int)ct_type(e)) {
    case mjOBJ_GEOM: {
      const mjsGeom* geom = CT_VALUES(mjsGeom, e);
      if (at->self) break;
      ct_rename_given(ct_str(geom->material), rename);
      ct_rename_given(ct_str(geom->meshname), rename);
      ct_rename_given(ct_str(geom->hfieldname), rename);
      break;
    }
    case mjOBJ_SITE:
      if (!at->self) ct_rename_given(ct_str(CT_VALUES(mjsSite, e)->material), rename);
      break;
    case mjOBJ_CAMERA:
      ct_rename_given(ct_str(CT_VALUES(mjsCamera, e)->targetbody), rename);
      break;
    case mjOBJ_LIGHT:
      ct_rename_given(ct_str(CT_VALUES(mjsLight, e)->targetbody), rename);
      ct_rename_given(ct_str(CT_VALUES(mjsLight, e)->texture), rename);
      break;
    case mjOBJ_MATERIAL: {
      const ct_Vector* textures = ct_vec(CT_VALUES(mjsMaterial, e)->textures);
      for (size_t i = 0; i < ct_vector_count(textures, sizeof(ct_String)); i++) {
        ct_rename_given(ct_strings_at(textures, i), rename);
      }
      break;
    }
    default:
      break;
  }
}

// The named plugin instance that an element uses goes along under its new name.
static void bring_instance(Attachment* at, ct_Element* e) {
  mjsPlugin* link = ct_plugin_link(e);
  if (!link || ct_string_empty(ct_str(link->name))) return;
  ct_Element* instance = ct_find(at->from, mjOBJ_PLUGIN, ct_text(link->name));
  ct_rename(ct_str(link->name), &at->rename);
  link->element = NULL;  // the name decides
  if (!instance || ct_find(at->to, mjOBJ_PLUGIN, ct_text(link->name))) return;
  ct_Copying copying = {.from = at->from, .to = at->to};
  ct_Element* copy = ct_copy_element(&copying, instance);
  ct_copying_end(&copying);
  ct_string_set(&copy->name, ct_text(link->name));
  ct_list_append(&at->to->list[mjOBJ_PLUGIN], copy);
  ct_names_enter(copy);
}

static void rename_element(Attachment* at, ct_Element* e) {
  ct_rename_given(&e->name, &at->rename);
  if (!at->self && !ct_string_equal(&e->class_name, "main"))
    ct_rename_given(&e->class_name, &at->rename);
  rename_references(at, e);
  bring_instance(at, e);
  if (e->spec == at->to) ct_names_enter(e);
}

// All that a body holds, the body itself not.
static void rename_contents(Attachment* at, ct_Body* body, const ct_Element* frame) {
  for (int k = 0; k < CT_NCHILD; k++) {
    for (int i = 0; i < body->child[k].count; i++) {
      ct_Element* e = body->child[k].item[i];
      if (k != CT_CHILD_BODY && (!frame || ct_in_frame(e, frame))) rename_element(at, e);
    }
  }
}

static void rename_subtree(Attachment* at, ct_Body* root) {
  for (ct_Body* b = root; b; b = ct_next_body_below(b, root)) {
    rename_element(at, &b->element);
    rename_contents(at, b, NULL);
  }
}

// Moving

// A plugin instance that the element has by its address goes along as it is.
static void move_to_spec(const Attachment* at, ct_Element* e) {
  ct_element_enter(e, at->to);
  const mjsPlugin* link = ct_plugin_link(e);
  if (!link || !link->element || !ct_string_empty(ct_str(link->name))) return;
  ct_Element* instance = ct_element(link->element);
  if (instance->spec != at->from || instance->position < 0) return;
  ct_list_remove(ct_list_of(instance), instance);
  ct_element_enter(instance, at->to);
  ct_list_append(&at->to->list[mjOBJ_PLUGIN], instance);
  ct_names_enter(instance);
}

static void move_element(const Attachment* at, ct_Element* e, ct_Body* into) {
  ct_List* old = ct_list_of(e);
  if (old) ct_list_remove(old, e);
  if (e == &at->from->world->element) ct_make_world(at->from);
  move_to_spec(at, e);
  e->body = &into->element;
  ct_list_append(ct_child_list(into, ct_type(e)), e);
}

static void move_below(const Attachment* at, ct_Body* root) {
  for (ct_Body* b = root; b; b = ct_next_body_below(b, root)) {
    for (int k = 0; k < CT_NCHILD; k++) {
      for (int i = 0; i < b->child[k].count; i++) move_to_spec(at, b->child[k].item[i]);
    }
  }
}

// Moves what is in a frame, the frame included, and all below it.
static void move_frame(const Attachment* at, ct_Element* frame, ct_Body* into) {
  ct_Body* from = (ct_Body*)frame->body;
  for (int k = 0; k < CT_NCHILD; k++) {
    for (int i = 0; i < from->child[k].count;) {
      ct_Element* e = from->child[k].item[i];
      if (!ct_in_frame(e, frame)) {
        i++;
        continue;
      }
      move_element(at, e, into);
      if (k == CT_CHILD_BODY) move_below(at, (ct_Body*)e);
    }
  }
}

// The tree

static ct_Element* attach_body(Attachment* at, ct_Body* body, ct_Body* into, ct_Element* frame) {
  if (at->by_copy) {
    body = ct_copy_subtree(&at->copying, body, into);
  } else {
    move_element(at, &body->element, into);
    move_below(at, body);
  }
  body->element.frame = frame;
  rename_subtree(at, body);
  return &body->element;
}

// Frames around one that goes to another body stay behind, but their poses count there, too: it
// gets copies of them.
static ct_Element* copy_frames_around(Attachment* at, ct_Element* frame, ct_Body* into) {
  if (!frame || frame->body == &into->element) return frame;
  ct_Element* copy = ct_copy_element(&at->copying, frame);
  copy->body = &into->element;
  copy->frame = copy_frames_around(at, frame->frame, into);
  ct_list_append(&into->child[CT_CHILD_FRAME], copy);
  return copy;
}

// Among frames that have come, the one that holds the others stands first, as in the reference.
static void put_first(ct_List* list, int first, ct_Element* e) {
  for (int i = e->position; i > first; i--) list->item[i] = list->item[i - 1];
  list->item[first] = e;
  ct_list_number(list);
}

// By reference, everything beside the frame is renamed as well, as in the reference.
static ct_Element* attach_frame(Attachment* at, ct_Element* child, ct_Body* into,
                                ct_Element* frame) {
  ct_Body* from = (ct_Body*)child->body;
  int before[CT_NCHILD];
  for (int k = 0; k < CT_NCHILD; k++) before[k] = into->child[k].count;

  // the frame with what is in it goes over
  if (at->by_copy) {
    ct_copy_contents(&at->copying, from, into, child);
    child = child->twin;
  } else {
    rename_contents(at, from, NULL);
    for (int i = 0; i < from->child[CT_CHILD_BODY].count; i++) {
      rename_subtree(at, (ct_Body*)from->child[CT_CHILD_BODY].item[i]);
    }
    move_frame(at, child, into);
    ct_names_forget(at->to);
  }
  put_first(&into->child[CT_CHILD_FRAME], before[CT_CHILD_FRAME], child);
  child->frame = frame ? frame : copy_frames_around(at, child->frame, into);

  // copies are renamed where they are now
  for (int k = 0; k < CT_NCHILD && at->by_copy; k++) {
    for (int i = before[k]; i < into->child[k].count; i++) {
      ct_Element* e = into->child[k].item[i];
      if (k == CT_CHILD_BODY) rename_subtree(at, (ct_Body*)e);
      if (k != CT_CHILD_BODY) rename_element(at, e);
    }
  }
  return child;
}

// Lists

// Assets without a name get that of their file before it is changed.
static void name_by_file(ct_String* name, const ct_Element* e) {
  const mjString* file = ct_type(e) == mjOBJ_MESH      ? CT_VALUES(mjsMesh, e)->file
                         : ct_type(e) == mjOBJ_SKIN    ? CT_VALUES(mjsSkin, e)->file
                         : ct_type(e) == mjOBJ_HFIELD  ? CT_VALUES(mjsHField, e)->file
                         : ct_type(e) == mjOBJ_TEXTURE ? CT_VALUES(mjsTexture, e)->file
                                                       : NULL;
  if (file && ct_string_empty(name)) ct_name_by_file(name, ct_text(file));
}

// Flexes and skins keep their names, as in the reference.
static bool keeps_name(const ct_Element* e) {
  return ct_type(e) == mjOBJ_FLEX || ct_type(e) == mjOBJ_SKIN;
}

static void rename_listed(const Attachment* at, ct_Element* e) {
  if (!keeps_name(e)) ct_rename_given(&e->name, &at->rename);
  if (!at->self && !ct_string_equal(&e->class_name, "main"))
    ct_rename_given(&e->class_name, &at->rename);
  rename_references(at, e);
}

// The elements of one list that go along. Those that do not are renamed nevertheless when they
// could have been moved, as in the reference. False: a name is taken.
static bool attach_list(Attachment* at, mjtObj type, bool asset) {
  ct_List *source = &at->from->list[type], *target = &at->to->list[type];
  ct_Replication* r = at->replication;
  int count = r ? ct_replication_choose(r, source, type) : source->count;
  for (int i = 0, k = 0; k < count; k++) {  // copies may go to the end of the same list
    ct_Element* e = r ? r->can_go[type].item[k] : source->item[i];

    // assets always go along, others with what they refer to
    bool always = asset && type != mjOBJ_SKIN;
    bool comes = always || ct_references_came_along(at->to, e, &at->rename);
    i += at->by_copy || !comes;
    if (comes && at->by_copy) e = ct_copy_element(&at->copying, e);
    if (!comes && at->by_copy) continue;

    // new names
    name_by_file(&e->name, e);
    if (comes && !always) ct_references_rename(at->to, e, &at->rename);
    rename_listed(at, e);
    if (!comes) continue;

    // which may be taken
    if (!ct_string_empty(&e->name) && ct_find(at->to, type, ct_name(e))) {
      ct_spec_error(
          at->to,
          "attaching brings a second %s with the name \"%s\": choose another prefix or suffix",
          e->kind->name, ct_name(e));
      return false;
    }

    // a place in the other spec
    if (!at->by_copy) {
      ct_list_remove(source, e);
      move_to_spec(at, e);
      at->from->lists_taken = true;
    }
    ct_list_append(target, e);
    ct_names_enter(e);
    bring_instance(at, e);
  }
  return true;
}

static bool attach_lists(Attachment* at) {
  for (int k = 0; k < NASSET && !at->self; k++) {
    if (!attach_list(at, asset_lists[k], true)) return false;
  }
  for (int k = 0; k < NREFERRING; k++) {
    if (!attach_list(at, referring_lists[k], false)) return false;
  }
  return true;
}

// Classes, plugins, keys

// The whole tree of classes under new names, below main of the other spec.
static void attach_classes(Attachment* at) {
  if (at->self) return;
  int count = at->from->defaults.count;
  for (int i = 0; i < count; i++) {
    ct_Default* source = (ct_Default*)at->from->defaults.item[i];
    ct_Element* above = source->parent ? source->parent->twin : at->to->defaults.item[0];
    ct_Default* copy = ct_add_class(at->to, ct_name(&source->element), (ct_Default*)above);
    ct_copy_templates(copy, source);
    copy->deleted = source->deleted;
    ct_rename(&copy->element.name, &at->rename);
    ct_string_set(&copy->key, ct_string_get(&source->key));
    ct_rename(&copy->key, &at->rename);
    source->element.twin = &copy->element;
  }
  for (int i = 0; i < count; i++) at->from->defaults.item[i]->twin = NULL;
}

// The keys of the spec, taken apart. What goes by reference leaves its spec, whose keys make sense
// only with it: they are kept as they are now for whatever is attached from there later.
static ct_PendingKey* gather_keys(const Attachment* at) {
  ct_Spec* from = at->from;
  if (!at->by_copy && !from->gathered) from->gathered = ct_keys_gather(from);
  return from->gathered ? ct_keys_copy(from->gathered) : ct_keys_gather(from);
}

// Values of keys that already wait go over to the first copy of their element, as in the reference.
static void move_to_twins(const ct_Copying* copying, ct_PendingKey* keys) {
  bool some = false;
  for (int i = 0; i < copying->ntouched; i++) {
    ct_Element* e = copying->touched[i];
    if (!e->waiting) continue;
    e->waiting = false;
    e->twin->waiting = some = true;
  }
  if (!some) return;
  for (; keys; keys = keys->next) {
    for (int i = 0; i < keys->nvalue; i++) {
      ct_Element* e = keys->value[i].element;
      if (e->twin) keys->value[i].element = e->twin;
    }
  }
}

// Values of what did not come along wait too: it may come later.
static void attach_keys(Attachment* at, ct_PendingKey* keys) {
  move_to_twins(&at->copying, at->to->pending);
  for (ct_PendingKey* key = keys; key; key = key->next) {
    ct_rename(&key->name, &at->rename);
    for (int i = 0; i < key->nvalue; i++) {
      ct_Element* e = key->value[i].element;
      if (e->twin) key->value[i].element = e->twin;
    }
  }
  ct_keys_append(at->to, keys);
  if (!at->self && at->from->pending) {
    mju_warning(
        "the attached model \"%s\" has keys from an attachment of its own; they keep their names",
        ct_text(at->from->spec.modelname));
    // also a copy takes them away: the next attachment of this model brings none
    if (at->by_copy) {
      ct_keys_append(at->to, ct_keys_of_twins(at->from->pending));
      ct_keys_free(at->from->pending);
    } else {
      ct_keys_append(at->to, at->from->pending);
    }
    at->from->pending = NULL;
  }
  ct_keys_pad(at->to);
}

// Putting it together

// A frame around everything in the world that is in none yet: what is attached when a spec is.
static ct_Element* frame_around_world(ct_Spec* spec) {
  ct_Element* frame = ct_add_in_body(spec->world, mjOBJ_FRAME, NULL);
  for (int k = 0; k < CT_NCHILD; k++) {
    const ct_List* list = &spec->world->child[k];
    for (int i = 0; i < list->count; i++) {
      if (!list->item[i]->frame && list->item[i] != frame) list->item[i]->frame = frame;
    }
  }
  return frame;
}

// Takes that frame away again.
static void unframe_world(ct_Element* frame) {
  ct_Body* world = frame->spec->world;
  for (int k = 0; k < CT_NCHILD; k++) {
    const ct_List* list = &world->child[k];
    for (int i = 0; i < list->count; i++) {
      if (list->item[i]->frame == frame) list->item[i]->frame = NULL;
    }
  }
  if (frame->position >= 0) ct_list_remove(&world->child[CT_CHILD_FRAME], frame);
  frame->body = NULL;
}

// A frame in place of a site, whose pose is taken with the settings of the spec that it is in.
static ct_Element* frame_of_site(const ct_Element* site) {
  const mjsSite* values = CT_VALUES(mjsSite, site);
  const mjsCompiler* compiler = &site->spec->spec.compiler;
  ct_Element* frame = ct_add_in_body((ct_Body*)site->body, mjOBJ_FRAME, NULL);
  mjsFrame* pose = CT_VALUES(mjsFrame, frame);
  frame->frame = site->frame;
  memcpy(pose->pos, values->pos, sizeof(pose->pos));
  memcpy(pose->quat, values->quat, sizeof(pose->quat));
  mjs_resolveOrientation(pose->quat, compiler->degree, compiler->eulerseq, &values->alt);
  return frame;
}

// Is the name that an element is going to have used only by it, in its spec and in the other?
static bool name_is_free(const Attachment* at, const ct_Element* e) {
  ct_String name;
  memset(&name, 0, sizeof(name));
  ct_string_set(&name, ct_name(e));
  name_by_file(&name, e);
  bool is_free = ct_string_empty(&name);
  if (!is_free) {
    is_free = ct_find(at->from, ct_type(e), ct_string_get(&name)) == e;
    if (!keeps_name(e)) ct_rename_given(&name, &at->rename);
    is_free = is_free && !ct_find(at->to, ct_type(e), ct_string_get(&name));
  }
  ct_string_free(&name);
  return is_free;
}

// Are the names of all that could go along?
static bool names_are_free(const Attachment* at) {
  for (int k = 0; k < NASSET + NREFERRING; k++) {
    const ct_List* list =
        &at->from->list[k < NASSET ? asset_lists[k] : referring_lists[k - NASSET]];
    for (int i = 0; i < list->count; i++) {
      if (!name_is_free(at, list->item[i])) return false;
    }
  }
  return true;
}

// Nothing can be attached to a spec that has a name twice in one of the lists that grow, as in the
// reference.
static bool parent_has_no_repeats(const Attachment* at) {
  mjtObj type;
  const char* name = ct_repeated_name(at->to, referring_lists, NREFERRING, &type);
  if (!name && !at->self) name = ct_repeated_name(at->to, asset_lists, NASSET, &type);
  if (!name) return true;
  ct_spec_error(at->to, "nothing can be attached while two elements of type %s are called \"%s\"",
                mju_type2Str(type), name);
  return false;
}

static bool can_attach(const Attachment* at, const ct_Element* parent, const ct_Element* child) {
  // what can be attached to what
  mjtObj above = ct_type(parent), below = ct_type(child);
  bool place = above == mjOBJ_FRAME || above == mjOBJ_BODY || above == mjOBJ_SITE;
  bool fits =
      below == mjOBJ_FRAME || below == mjOBJ_MODEL || (below == mjOBJ_BODY && above != mjOBJ_BODY);
  if (!place || !fits) {
    ct_spec_error(
        at->to, "a %s cannot be attached to a %s%s", child->kind->name, parent->kind->name,
        above == mjOBJ_BODY && below == mjOBJ_BODY ? "; attach it to a frame of the body" : "");
    return false;
  }

  // by reference a spec can be given away once, to another one that is not a part of it
  if (!at->by_copy && (at->self || at->from->lists_taken)) {
    ct_spec_error(
        at->to, at->self ? "a spec cannot be attached to itself by reference; see mjs_setDeepCopy"
                         : "this spec is attached already; attach a copy, or see mjs_setDeepCopy");
    return false;
  }
  if (!at->by_copy && ct_has_parts_of(at->from, at->to)) {
    ct_spec_error(
        at->to,
        "\"%s\" has parts of \"%s\" by reference and cannot become a part of it; attach a "
        "copy, see mjs_setDeepCopy",
        ct_text(at->from->spec.modelname), ct_text(at->to->spec.modelname));
    return false;
  }

  // both must be there, the parent not inside the child
  if (!ct_in_spec(parent) || (below != mjOBJ_MODEL && !ct_in_spec(child))) {
    char what[200];
    const ct_Element* gone = ct_in_spec(parent) ? child : parent;
    ct_spec_error(at->to, "%s was deleted and cannot be attached or attached to",
                  ct_describe(gone, what, sizeof(what)));
    return false;
  }
  if (!at->by_copy && below == mjOBJ_FRAME &&
      ct_in_frame(above == mjOBJ_FRAME ? parent : parent->frame, child)) {
    ct_spec_error(at->to, "the frame \"%s\" cannot be attached to a frame inside it",
                  ct_name(child));
    return false;
  }

  // keyframes and names
  bool keys_fit = at->from->gathered || ct_keys_fit(at->from, at->to);
  return keys_fit && parent_has_no_repeats(at);
}

// Lengths of all lists that grow by attaching, to cut them back if it fails.
typedef struct {
  int list[mjNOBJECT], defaults, child[CT_NCHILD], main_child;
} Lengths;

static Lengths lengths_of(const ct_Spec* spec, const ct_Body* into) {
  Lengths before;
  for (int type = 0; type < mjNOBJECT; type++) before.list[type] = spec->list[type].count;
  for (int k = 0; k < CT_NCHILD; k++) before.child[k] = into->child[k].count;
  before.defaults = spec->defaults.count;
  before.main_child = ((const ct_Default*)spec->defaults.item[0])->child.count;
  return before;
}

// What is cut off is in no body any more: who asks whether it is in the spec goes by that.
static void cut(ct_List* list, int count) {
  while (list->count > count) {
    ct_Element* e = list->item[--list->count];
    e->position = e->id = -1;
    e->body = NULL;
  }
}

// Copies that came are taken out again; the spec releases them with itself.
static void take_back(Attachment* at, ct_Body* into, const Lengths* before) {
  ct_Spec* spec = at->to;
  for (int type = 0; type < mjNOBJECT; type++) cut(&spec->list[type], before->list[type]);
  for (int k = 0; k < CT_NCHILD; k++) cut(&into->child[k], before->child[k]);
  cut(&spec->defaults, before->defaults);
  ((ct_Default*)spec->defaults.item[0])->child.count = before->main_child;
  ct_names_forget(spec);
  ct_copying_end(&at->copying);
}

static void finish(Attachment* at) {
  if (!at->self) {
    ct_spec_hold(at->to, at->from, !at->by_copy);
    for (int i = 0; i < at->from->nplugin; i++) ct_plugin_activate(at->to, at->from->plugin[i]);
  }
  if (!at->by_copy) {
    at->from->attached = true;
    ct_names_forget(at->from);
    ct_spec_changed(at->from, true);
  }
  ct_copying_end(&at->copying);
  ct_spec_changed(at->to, true);
  if (!at->to->loading) ct_spec_number(at->to);
}

static ct_Element* attach_tree(Attachment* at, ct_Element* child, ct_Body* into,
                               ct_Element* frame) {
  if (ct_type(child) == mjOBJ_BODY) return attach_body(at, (ct_Body*)child, into, frame);
  return attach_frame(at, child, into, frame);
}

// By reference there is no way back. Where names could clash, copies go first and are taken back:
// they tell whether everything finds its place.
static bool would_fit(const Attachment* at, ct_Element* child, ct_Body* into, ct_Element* frame) {
  if (at->by_copy || names_are_free(at)) return true;
  Attachment rehearsal = *at;
  rehearsal.by_copy = true;
  Lengths before = lengths_of(at->to, into);
  attach_classes(&rehearsal);
  attach_tree(&rehearsal, child, into, frame);
  bool fits = attach_lists(&rehearsal);
  take_back(&rehearsal, into, &before);
  return fits;
}

static mjsElement* attach(mjsElement* parent, const mjsElement* child, const char* prefix,
                          const char* suffix, ct_Replication* replication) {
  ct_Element *above = ct_element(parent), *below = ct_element(child);
  Attachment at = {.from = below->spec, .to = above->spec, .rename = {prefix, suffix}};
  at.by_copy = at.to->deep_copy;
  at.self = at.from == at.to;
  at.copying.from = at.from;
  at.copying.to = at.to;
  at.replication = replication;
  if (!can_attach(&at, above, below)) return NULL;

  // the place: a body, and a frame in it
  ct_Body* into = (ct_Body*)(ct_type(above) == mjOBJ_BODY ? above : above->body);
  Lengths before = lengths_of(at.to, into);
  if (ct_type(above) == mjOBJ_SITE) above = frame_of_site(above);
  ct_Element* frame = ct_type(above) == mjOBJ_FRAME ? above : NULL;

  // the part
  bool whole = ct_type(below) == mjOBJ_MODEL;
  if (whole) below = frame_around_world(at.from);
  ct_PendingKey* keys = NULL;
  ct_Element* result = NULL;
  bool fits = would_fit(&at, below, into, frame);
  if (fits) {
    keys = gather_keys(&at);
    attach_classes(&at);
    result = attach_tree(&at, below, into, frame);
    fits = attach_lists(&at);
  }

  // if there is no room for it, everything is as it was
  if (!fits) {
    ct_keys_free(keys);
    take_back(&at, into, &before);
    if (whole) unframe_world(below);
    return NULL;
  }
  attach_keys(&at, keys);
  finish(&at);
  return &result->handle;
}

mjsElement* mjs_attach(mjsElement* parent, const mjsElement* child, const char* prefix,
                       const char* suffix) {
  if (!parent || !child) {
    mju_warning("mjs_attach: the %s is NULL", parent ? "child" : "parent");
    return NULL;
  }
  return attach(parent, child, prefix ? prefix : "", suffix ? suffix : "", NULL);
}

mjsElement* ct_replicate(ct_Replication* r, mjsElement* parent, const mjsElement* child,
                         const char* suffix) {
  return attach(parent, child, "", suffix, r);
}
