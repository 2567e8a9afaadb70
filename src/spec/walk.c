// Walking through a spec in the order of the model. Every element knows its place in its list and
// the body that holds it, so the next one is found without searching.

#include "spec/spec.h"

static int child_slot(mjtObj type) {
  switch ((int)type) {
    case mjOBJ_BODY:
      return CT_CHILD_BODY;
    case mjOBJ_JOINT:
      return CT_CHILD_JOINT;
    case mjOBJ_GEOM:
      return CT_CHILD_GEOM;
    case mjOBJ_SITE:
      return CT_CHILD_SITE;
    case mjOBJ_CAMERA:
      return CT_CHILD_CAMERA;
    case mjOBJ_LIGHT:
      return CT_CHILD_LIGHT;
    case mjOBJ_FRAME:
      return CT_CHILD_FRAME;
    default:
      return -1;
  }
}

ct_List* ct_child_list(ct_Body* body, mjtObj type) {
  int slot = child_slot(type);
  return slot < 0 ? NULL : &body->child[slot];
}

ct_List* ct_list_of(const ct_Element* e) {
  mjtObj type = ct_type(e);
  if (e->position < 0) return NULL;
  if (e->body) return ct_child_list((ct_Body*)e->body, type);
  if (type == mjOBJ_UNKNOWN) return &((ct_Tendon*)((const ct_Wrap*)e)->tendon)->path;
  if (type == mjOBJ_DEFAULT) return &e->spec->defaults;
  return type < mjNOBJECT ? &e->spec->list[type] : NULL;
}

ct_Body* ct_next_body_below(const ct_Body* body, const ct_Body* root) {
  if (body->child[CT_CHILD_BODY].count > 0) return (ct_Body*)body->child[CT_CHILD_BODY].item[0];
  while (body != root && body->element.body) {
    const ct_Body* parent = (const ct_Body*)body->element.body;
    const ct_List* siblings = &parent->child[CT_CHILD_BODY];
    int next = body->element.position + 1;
    if (next < siblings->count) return (ct_Body*)siblings->item[next];
    body = parent;
  }
  return NULL;
}

ct_Body* ct_next_body(const ct_Body* body) {
  return ct_next_body_below(body, NULL);
}

// First element of a type, other than bodies, in this body or the next ones that have some.
static ct_Element* first_from(const ct_Body* body, const ct_Body* root, int slot) {
  for (; body; body = ct_next_body_below(body, root)) {
    if (body->child[slot].count > 0) return body->child[slot].item[0];
  }
  return NULL;
}

ct_Element* ct_first_element_below(const ct_Body* root, mjtObj type) {
  int slot = child_slot(type);
  return slot < 0 ? NULL : first_from(root, root, slot);
}

ct_Element* ct_next_element_below(const ct_Element* e, const ct_Body* root) {
  if (ct_type(e) == mjOBJ_BODY) {
    return (ct_Element*)ct_next_body_below((const ct_Body*)e, root);
  }
  int slot = child_slot(ct_type(e));
  if (slot < 0 || !e->body) return NULL;
  const ct_Body* body = (const ct_Body*)e->body;
  const ct_List* list = &body->child[slot];
  if (e->position + 1 < list->count) return list->item[e->position + 1];
  return first_from(ct_next_body_below(body, root), root, slot);
}

static const ct_List* spec_list(const ct_Spec* spec, mjtObj type) {
  bool listed = type > mjOBJ_UNKNOWN && type < mjNOBJECT && ct_kind(type);
  return listed ? &spec->list[type] : NULL;
}

ct_Element* ct_first_element(const ct_Spec* spec, mjtObj type) {
  if (type == mjOBJ_BODY) return &spec->world->element;
  if (child_slot(type) >= 0) return ct_first_element_below(spec->world, type);
  const ct_List* list = spec_list(spec, type);
  return list && list->count > 0 ? list->item[0] : NULL;
}

ct_Element* ct_next_element(const ct_Element* e) {
  if (child_slot(ct_type(e)) >= 0) return ct_next_element_below(e, NULL);
  const ct_List* list = spec_list(e->spec, ct_type(e));
  return list && e->position >= 0 && e->position + 1 < list->count ? list->item[e->position + 1]
                                                                   : NULL;
}

int ct_count(const ct_Spec* spec, mjtObj type) {
  int slot = child_slot(type);
  if (slot < 0) {
    const ct_List* list = spec_list(spec, type);
    return list ? list->count : 0;
  }
  int count = type == mjOBJ_BODY;
  for (const ct_Body* b = spec->world; b; b = ct_next_body(b)) count += b->child[slot].count;
  return count;
}

// What a deleted body holds is still in its lists, so the way up to the world decides.
bool ct_in_spec(const ct_Element* e) {
  if (ct_type(e) == mjOBJ_UNKNOWN) return ct_in_spec(((const ct_Wrap*)e)->tendon);
  bool in_tree = e->body || e == &e->spec->world->element;
  return in_tree ? ct_below(e, e->spec->world) : e->position >= 0;
}

bool ct_below(const ct_Element* e, const ct_Body* root) {
  for (; e; e = e->body) {
    if (e == &root->element) return true;
  }
  return false;
}
