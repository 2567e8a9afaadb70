// Working copies of all elements of a spec, and their order.

#include <string.h>

#include "compile/work/work.h"

typedef struct {
  size_t size;    // of the working copy
  size_t values;  // where the copy of the public struct is in it
} Shape;

#define SHAPE(name_) \
  { sizeof(ct_Work##name_), offsetof(ct_Work##name_, v) }

static Shape shape_of(mjtObj type) {
  switch (type) {
    case mjOBJ_BODY:
      return (Shape)SHAPE(Body);
    case mjOBJ_JOINT:
      return (Shape)SHAPE(Joint);
    case mjOBJ_GEOM:
      return (Shape)SHAPE(Geom);
    case mjOBJ_SITE:
      return (Shape)SHAPE(Site);
    case mjOBJ_CAMERA:
      return (Shape)SHAPE(Camera);
    case mjOBJ_LIGHT:
      return (Shape)SHAPE(Light);
    case mjOBJ_FLEX:
      return (Shape)SHAPE(Flex);
    case mjOBJ_MESH:
      return (Shape)SHAPE(Mesh);
    case mjOBJ_SKIN:
      return (Shape)SHAPE(Skin);
    case mjOBJ_HFIELD:
      return (Shape)SHAPE(HField);
    case mjOBJ_TEXTURE:
      return (Shape)SHAPE(Texture);
    case mjOBJ_MATERIAL:
      return (Shape)SHAPE(Material);
    case mjOBJ_PAIR:
      return (Shape)SHAPE(Pair);
    case mjOBJ_EXCLUDE:
      return (Shape)SHAPE(Exclude);
    case mjOBJ_EQUALITY:
      return (Shape)SHAPE(Equality);
    case mjOBJ_TENDON:
      return (Shape)SHAPE(Tendon);
    case mjOBJ_ACTUATOR:
      return (Shape)SHAPE(Actuator);
    case mjOBJ_SENSOR:
      return (Shape)SHAPE(Sensor);
    case mjOBJ_NUMERIC:
      return (Shape)SHAPE(Numeric);
    case mjOBJ_TEXT:
      return (Shape)SHAPE(Text);
    case mjOBJ_TUPLE:
      return (Shape)SHAPE(Tuple);
    case mjOBJ_KEY:
      return (Shape)SHAPE(Key);
    case mjOBJ_PLUGIN:
      return (Shape)SHAPE(Plugin);
    default:
      return (Shape){0, 0};
  }
}

void ct_work_append(ct_Compiler* c, ct_WorkList* list, ct_Work* w) {
  size_t used = (size_t)list->count;
  list->item =
      (ct_Work**)ct_pool_grow(&c->pool, list->item, used, used + 1, &list->room, sizeof(ct_Work*));
  list->item[list->count++] = w;
}

const void* ct_work_values(const ct_Work* w) {
  return (const char*)w + shape_of(ct_type(w->element)).values;
}

// A fresh copy of an element's values, over whatever the passes have made of the last one.
void ct_work_restart(ct_Work* w) {
  Shape shape = shape_of(ct_type(w->element));
  memcpy((char*)w + shape.values, w->element->values, w->element->kind->size);
}

static ct_Work* copy_element(ct_Compiler* c, ct_Element* e) {
  ct_Work* w = (ct_Work*)ct_pool_alloc(&c->pool, shape_of(ct_type(e)).size);
  w->element = e;
  ct_work_restart(w);
  ct_WorkList* list = &c->list[ct_type(e)];
  w->id = list->count;
  ct_work_append(c, list, w);
  return w;
}

static void set_body(ct_Work* w, ct_WorkBody* body) {
  switch (ct_type(w->element)) {
    case mjOBJ_JOINT:
      ((ct_WorkJoint*)w)->body = body;
      break;
    case mjOBJ_GEOM:
      ((ct_WorkGeom*)w)->body = body;
      break;
    case mjOBJ_SITE:
      ((ct_WorkSite*)w)->body = body;
      break;
    case mjOBJ_CAMERA:
      ((ct_WorkCamera*)w)->body = body;
      break;
    default:
      ((ct_WorkLight*)w)->body = body;
      break;
  }
}

// Everything that a body holds, except bodies and frames.
static void copy_contents(ct_Compiler* c, ct_WorkBody* body) {
  const ct_Body* b = (const ct_Body*)body->head.element;
  for (int k = CT_CHILD_JOINT; k <= CT_CHILD_LIGHT; k++) {
    for (int i = 0; i < b->child[k].count; i++) {
      ct_Work* w = copy_element(c, b->child[k].item[i]);
      set_body(w, body);
      ct_work_append(c, &body->child[k], w);
    }
  }
}

// Bodies, parents before children; the element's id leads from a parent's element to its copy.
static void copy_tree(ct_Compiler* c) {
  for (const ct_Body* b = c->spec->world; b; b = ct_next_body(b)) {
    ct_Element* e = (ct_Element*)(uintptr_t)&b->element;
    ct_WorkBody* body = (ct_WorkBody*)copy_element(c, e);
    e->id = body->head.id;
    if (e->body) {
      body->parent = ct_body_at(c, e->body->id);
      ct_work_append(c, &body->parent->child[CT_CHILD_BODY], &body->head);
    }
    copy_contents(c, body);
  }
}

void ct_make_workspace(ct_Compiler* c) {
  ct_spec_number(c->spec);  // messages name elements by their numbers
  copy_tree(c);
  for (int type = 0; type < mjNOBJECT; type++) {
    const ct_List* list = &c->spec->list[type];
    if (shape_of((mjtObj)type).size == 0) continue;
    for (int i = 0; i < list->count; i++) copy_element(c, list->item[i]);
  }
}

void ct_number_list(ct_WorkList* list) {
  for (int i = 0; i < list->count; i++) list->item[i]->id = i;
}

void ct_number_tree(ct_Compiler* c) {
  static const mjtObj type[] = {mjOBJ_JOINT, mjOBJ_GEOM, mjOBJ_SITE, mjOBJ_CAMERA, mjOBJ_LIGHT};
  for (int k = 0; k < 5; k++) {
    ct_WorkList* list = &c->list[type[k]];
    list->count = 0;
    for (int b = 0; b < CT_COUNT(c, mjOBJ_BODY); b++) {
      const ct_WorkList* held = &ct_body_at(c, b)->child[CT_CHILD_JOINT + k];
      for (int i = 0; i < held->count; i++) ct_work_append(c, list, held->item[i]);
    }
    ct_number_list(list);
  }
}

void ct_drop_discarded(ct_WorkList* list) {
  int kept = 0;
  for (int i = 0; i < list->count; i++) {
    if (!list->item[i]->discard) list->item[kept++] = list->item[i];
  }
  list->count = kept;
  ct_number_list(list);
}
