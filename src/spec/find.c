// Finding elements and walking through them: the public functions.

#include "spec/spec.h"

// From handles to structs

#define AS(struct_, type_)                                   \
  mjs##struct_* mjs_as##struct_(mjsElement* element) {       \
    if (!element || element->elemtype != type_) return NULL; \
    return CT_VALUES(mjs##struct_, ct_element(element));     \
  }

AS(Body, mjOBJ_BODY)
AS(Geom, mjOBJ_GEOM)
AS(Joint, mjOBJ_JOINT)
AS(Site, mjOBJ_SITE)
AS(Camera, mjOBJ_CAMERA)
AS(Light, mjOBJ_LIGHT)
AS(Frame, mjOBJ_FRAME)
AS(Actuator, mjOBJ_ACTUATOR)
AS(Sensor, mjOBJ_SENSOR)
AS(Flex, mjOBJ_FLEX)
AS(Pair, mjOBJ_PAIR)
AS(Equality, mjOBJ_EQUALITY)
AS(Exclude, mjOBJ_EXCLUDE)
AS(Tendon, mjOBJ_TENDON)
AS(Numeric, mjOBJ_NUMERIC)
AS(Text, mjOBJ_TEXT)
AS(Tuple, mjOBJ_TUPLE)
AS(Key, mjOBJ_KEY)
AS(Mesh, mjOBJ_MESH)
AS(HField, mjOBJ_HFIELD)
AS(Skin, mjOBJ_SKIN)
AS(Texture, mjOBJ_TEXTURE)
AS(Material, mjOBJ_MATERIAL)
AS(Plugin, mjOBJ_PLUGIN)

static mjsElement* handle(ct_Element* e) {
  return e ? &e->handle : NULL;
}

static mjsBody* as_body(ct_Element* e) {
  return e ? CT_VALUES(mjsBody, e) : NULL;
}

// What a spec shows when parts of it went to another one by reference: all that it made and that is
// in some spec, in the order of making, and then what others made for it. An element is in the
// lists of one spec, but who looks through the spec that made it finds it there, too.

static bool is_shown(const ct_Element* e, mjtObj type) {
  return ct_type(e) == type && ct_in_spec(e);
}

static ct_Element* next_made(const ct_Spec* spec, mjtObj type, int from) {
  for (int i = from; i < spec->owned.count; i++) {
    if (is_shown(spec->owned.item[i], type)) return spec->owned.item[i];
  }
  return NULL;
}

static ct_Element* next_made_by_others(const ct_Spec* spec, ct_Element* e) {
  while (e && e->owner == spec) e = ct_next_element(e);
  return e;
}

static ct_Element* first_shown(const ct_Spec* spec, mjtObj type) {
  ct_Element* made = spec->attached ? next_made(spec, type, 0) : NULL;
  return made ? made : ct_first_element(spec, type);
}

static ct_Element* next_shown(const ct_Spec* spec, const ct_Element* e) {
  if (!spec->attached) return ct_next_element(e);
  if (e->owner != spec) return next_made_by_others(spec, ct_next_element(e));
  ct_Element* made = next_made(spec, ct_type(e), e->made + 1);
  return made ? made : next_made_by_others(spec, ct_first_element(spec, ct_type(e)));
}

// By name

static ct_Element* find_shown(ct_Spec* spec, mjtObj type, const char* name) {
  if (!spec || !name) return NULL;
  ct_Element* found = ct_find(spec, type, name);
  if (type == mjOBJ_XBODY) type = mjOBJ_BODY;
  for (int i = 0; !found && spec->attached && i < spec->owned.count; i++) {
    ct_Element* e = spec->owned.item[i];
    if (ct_string_equal(&e->name, name) && is_shown(e, type)) found = e;
  }
  return found;
}

mjsElement* mjs_findElement(mjSpec* s, mjtObj type, const char* name) {
  return handle(find_shown(ct_spec(s), type, name));
}

mjsBody* mjs_findBody(mjSpec* s, const char* name) {
  return as_body(find_shown(ct_spec(s), mjOBJ_BODY, name));
}

mjsFrame* mjs_findFrame(mjSpec* s, const char* name) {
  ct_Element* e = find_shown(ct_spec(s), mjOBJ_FRAME, name);
  return e ? CT_VALUES(mjsFrame, e) : NULL;
}

// Breadth before depth, one level at a time: children first, then below each of them.
static ct_Body* find_below(ct_Body* body, const char* name) {
  const ct_List* children = &body->child[CT_CHILD_BODY];
  for (int i = 0; i < children->count; i++) {
    if (ct_string_equal(&children->item[i]->name, name)) return (ct_Body*)children->item[i];
  }
  for (int i = 0; i < children->count; i++) {
    ct_Body* found = find_below((ct_Body*)children->item[i], name);
    if (found) return found;
  }
  return NULL;
}

mjsBody* mjs_findChild(mjsBody* body, const char* name) {
  if (!body || !name) return NULL;
  ct_Body* b = ct_body(body);
  if (ct_string_equal(&b->element.name, name)) return body;
  ct_Body* found = find_below(b, name);
  return found ? as_body(&found->element) : NULL;
}

mjSpec* mjs_findSpec(mjSpec* spec, const char* name) {
  const ct_Spec* s = ct_spec(spec);
  for (int i = 0; s && name && i < s->nheld; i++) {
    ct_Spec* held = s->held[i].spec;
    if (ct_string_equal(ct_str(held->spec.modelname), name)) return &held->spec;
  }
  return NULL;
}

// Classes

mjsDefault* mjs_findDefault(mjSpec* s, const char* classname) {
  ct_Default* def = s && classname ? ct_find_class(ct_spec(s), classname) : NULL;
  return def ? CT_VALUES(mjsDefault, &def->element) : NULL;
}

mjsDefault* mjs_getSpecDefault(mjSpec* s) {
  return s ? CT_VALUES(mjsDefault, ct_spec(s)->defaults.item[0]) : NULL;
}

mjsDefault* mjs_getDefault(mjsElement* element) {
  if (!element) return NULL;
  ct_Element* e = ct_element(element);
  ct_Default* def = ct_inherited_class(e->spec, ct_string_get(&e->class_name));
  return def ? CT_VALUES(mjsDefault, &def->element) : NULL;
}

void mjs_setDefault(mjsElement* element, const mjsDefault* def) {
  if (!element || !def) return;
  ct_string_set(&ct_element(element)->class_name, ct_name(ct_element(def->element)));
}

// Relations

mjSpec* mjs_getSpec(mjsElement* element) {
  return element ? &ct_element(element)->spec->spec : NULL;
}

mjsBody* mjs_getParent(mjsElement* element) {
  return element ? as_body(ct_element(element)->body) : NULL;
}

mjsFrame* mjs_getFrame(mjsElement* element) {
  ct_Element* frame = element ? ct_element(element)->frame : NULL;
  return frame ? CT_VALUES(mjsFrame, frame) : NULL;
}

int mjs_getId(mjsElement* element) {
  return element ? ct_element_id(ct_element(element)) : -1;
}

// Walking

mjsElement* mjs_firstElement(mjSpec* s, mjtObj type) {
  return s ? handle(first_shown(ct_spec(s), type)) : NULL;
}

mjsElement* mjs_nextElement(mjSpec* s, mjsElement* element) {
  return s && element ? handle(next_shown(ct_spec(s), ct_element(element))) : NULL;
}

// Types that bodies hold; a message for others.
static bool held_by_bodies(ct_Body* body, mjtObj type) {
  if (ct_child_list(body, type)) return true;
  const ct_Kind* kind = ct_kind(type);
  ct_spec_error(body->element.spec, "bodies have no children of type %s",
                kind && type != mjOBJ_UNKNOWN ? kind->name : "unknown");
  return false;
}

mjsElement* mjs_firstChild(mjsBody* body, mjtObj type, int recurse) {
  if (!body) return NULL;
  ct_Body* b = ct_body(body);
  if (!held_by_bodies(b, type)) return NULL;
  const ct_List* list = ct_child_list(b, type);
  if (list->count > 0) return handle(list->item[0]);
  return recurse ? handle(ct_first_element_below(b, type)) : NULL;
}

mjsElement* mjs_nextChild(mjsBody* body, mjsElement* child, int recurse) {
  if (!body || !child) return NULL;
  ct_Body* b = ct_body(body);
  ct_Element* e = ct_element(child);
  if (!held_by_bodies(b, ct_type(e))) return NULL;
  if (recurse) {
    return ct_below(e->body, b) ? handle(ct_next_element_below(e, b)) : NULL;
  }
  const ct_List* list = ct_child_list(b, ct_type(e));
  return e->body == &b->element && e->position + 1 < list->count
             ? handle(list->item[e->position + 1])
             : NULL;
}

// Paths of tendons

int mjs_getWrapNum(const mjsTendon* tendonspec) {
  return tendonspec ? ((const ct_Tendon*)tendonspec->element)->path.count : 0;
}

mjsWrap* mjs_getWrap(const mjsTendon* tendonspec, int i) {
  if (!tendonspec) return NULL;
  const ct_List* path = &((const ct_Tendon*)tendonspec->element)->path;
  if (i < 0 || i >= path->count) {
    mju_warning("mjs_getWrap: there is no part %d, the path of the tendon has %d", i, path->count);
    return NULL;
  }
  return CT_VALUES(mjsWrap, path->item[i]);
}

mjsElement* mjs_getWrapTarget(mjsWrap* wrap) {
  if (!wrap) return NULL;
  ct_Element* e = ct_element(wrap->element);
  mjtObj type;
  switch (wrap->type) {
    case mjWRAP_SITE:
      type = mjOBJ_SITE;
      break;
    case mjWRAP_JOINT:
      type = mjOBJ_JOINT;
      break;
    case mjWRAP_SPHERE:
    case mjWRAP_CYLINDER:
      type = mjOBJ_GEOM;
      break;
    default:
      return NULL;
  }
  return handle(ct_find(e->spec, type, ct_name(e)));
}

mjsSite* mjs_getWrapSideSite(mjsWrap* wrap) {
  if (!wrap) return NULL;
  const ct_Wrap* w = (const ct_Wrap*)wrap->element;
  bool geom = wrap->type == mjWRAP_SPHERE || wrap->type == mjWRAP_CYLINDER;
  if (!geom || ct_string_empty(&w->side)) return NULL;
  ct_Element* site = ct_find(w->element.spec, mjOBJ_SITE, ct_string_get(&w->side));
  if (!site)
    mju_warning("the side site \"%s\" of a tendon does not exist", ct_string_get(&w->side));
  return site ? CT_VALUES(mjsSite, site) : NULL;
}

static double wrap_number(const mjsWrap* wrap, mjtWrap type, const char* what) {
  if (wrap && wrap->type == type) return ((const ct_Wrap*)wrap->element)->number;
  mju_warning("this part of a tendon's path is not a %s; 1 is returned", what);
  return 1;
}

double mjs_getWrapDivisor(mjsWrap* wrap) {
  return wrap_number(wrap, mjWRAP_PULLEY, "pulley and has no divisor");
}

double mjs_getWrapCoef(mjsWrap* wrap) {
  return wrap_number(wrap, mjWRAP_JOINT, "joint and has no coefficient");
}

// Frames

// The frame that holds a frame is checked all the way up: a frame inside itself has no pose.
static bool inside(const ct_Element* frame, const ct_Element* e) {
  for (; frame; frame = frame->frame) {
    if (frame == e) return true;
  }
  return false;
}

int mjs_setFrame(mjsElement* dest, mjsFrame* frame) {
  if (!dest || !frame) return -1;
  ct_Element *e = ct_element(dest), *f = ct_element(frame->element);
  if (!e->body || !f->body) {
    return ct_spec_error(e->spec, "the %s \"%s\" is in no body and cannot %s",
                         e->body ? "frame" : e->kind->name, ct_name(e->body ? f : e),
                         e->body ? "hold anything" : "be put into a frame");
  }
  if (e->body != f->body) {
    return ct_spec_error(e->spec, "the frame \"%s\" and the %s \"%s\" belong to different bodies",
                         ct_name(f), e->kind->name, ct_name(e));
  }
  if (inside(f, e)) {
    return ct_spec_error(e->spec, "the frame \"%s\" cannot be put into itself", ct_name(e));
  }
  e->frame = f;
  return 0;
}
