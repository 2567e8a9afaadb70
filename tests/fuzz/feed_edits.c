// R30.1 R40.3: whatever is done to specs in whatever order, they stay sound, answer questions, and
// release all memory. The bytes are a sequence of edits: each decision takes the next byte, and the
// sequence ends with them. Four specs are edited at a time; elements are drawn from them or from a
// bag of elements that were made earlier and may have gone to another spec, or out of any, since.

#include <mujoco/mujoco.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz/feed.h"
#include "spec/spec.h"
#include "support/idle_plugin.h"

enum { NSPEC = 4, NBAG = 24, LARGEST = 120 };

typedef struct {
  const uint8_t* bytes;
  size_t size, used;
  mjSpec* spec[NSPEC];
  mjsElement* bag[NBAG];  // memory belongs to one of the specs above
  mjModel* model[NSPEC];  // of the last compilation that succeeded, with data
  mjData* data[NSPEC];
  int names;     // made so far
  int cleanups;  // user values that wait for theirs
} Walk;

static int draw(Walk* w, int n) {
  int value = w->used < w->size ? w->bytes[w->used] : 0;
  w->used++;
  return value % n;
}

static bool ended(const Walk* w) {
  return w->used >= w->size;
}

static void expect(bool good, const char* what) {
  if (good) return;
  fprintf(stderr, "a spec is unsound: %s\n", what);
  abort();
}

// Soundness

static void expect_list(const ct_List* list, const ct_Spec* spec, const ct_Element* body) {
  for (int i = 0; i < list->count; i++) {
    const ct_Element* e = list->item[i];
    expect(e->position == i, "an element does not know its place");
    expect(e->spec == spec, "an element does not know its spec");
    expect(e->body == body, "an element does not know its body");
    expect(!e->twin, "an element has kept its twin");
    int depth = 0;
    for (const ct_Element* f = e->frame; f; f = f->frame) {
      expect(depth++ < 10000, "ring of frames");
      expect(f->body == body && f->spec == spec, "a frame is in another body");
    }
  }
}

static void expect_sound(mjSpec* s) {
  const ct_Spec* spec = ct_spec(s);
  expect(spec->world && spec->world->element.spec == spec, "the world belongs to another spec");
  expect(!spec->world->element.body, "the world is in a body");
  int count = 0;
  for (const ct_Body* b = spec->world; b; b = ct_next_body(b)) {
    expect(count++ < 100000, "ring of bodies");
    for (int k = 0; k < CT_NCHILD; k++) expect_list(&b->child[k], spec, &b->element);
  }
  for (int type = 0; type < mjNOBJECT; type++) expect_list(&spec->list[type], spec, NULL);

  // whoever has a way to the world stands in the lists on it
  for (int i = 0; i < spec->owned.count; i++) {
    ct_Element* e = spec->owned.item[i];
    if (!e->body || !ct_in_spec(e)) continue;
    const ct_List* list = ct_child_list((ct_Body*)e->body, ct_type(e));
    expect(e->position >= 0 && e->position < list->count && list->item[e->position] == e,
           "an element is in a body that does not have it");
  }
  for (int i = 0; i < spec->list[mjOBJ_TENDON].count; i++) {
    const ct_Tendon* tendon = (const ct_Tendon*)spec->list[mjOBJ_TENDON].item[i];
    expect_list(&tendon->path, spec, NULL);
  }
}

// Drawing elements

static mjSpec* draw_spec(Walk* w) {
  return w->spec[draw(w, NSPEC)];
}

static mjsElement* draw_from(Walk* w, mjSpec* s, mjtObj type) {
  int skip = draw(w, 16);
  mjsElement* e = mjs_firstElement(s, type);
  while (e && skip-- > 0) {
    mjsElement* next = mjs_nextElement(s, e);
    if (!next) break;
    e = next;
  }
  return e;
}

// An element of a type, from a spec or, now and then, from the bag.
static mjsElement* draw_element(Walk* w, mjSpec* s, mjtObj type) {
  if (draw(w, 4) == 0) {
    mjsElement* e = w->bag[draw(w, NBAG)];
    if (e && e->elemtype == type) return e;
  }
  return draw_from(w, s, type);
}

// Only what the walk itself keeps alive.
static void put_into_bag(Walk* w, mjsElement* e) {
  for (int i = 0; e && i < NSPEC; i++) {
    if (ct_element(e)->owner == ct_spec(w->spec[i])) w->bag[draw(w, NBAG)] = e;
  }
}

// Elements whose memory belongs to a spec that the walk gives up can no longer be touched.
static void forget_elements_of(Walk* w, const mjSpec* s) {
  for (int i = 0; i < NBAG; i++) {
    if (w->bag[i] && ct_element(w->bag[i])->owner == ct_spec(s)) w->bag[i] = NULL;
  }
}

static int size_of(mjSpec* s) {
  static const mjtObj types[] = {mjOBJ_BODY,     mjOBJ_GEOM, mjOBJ_SENSOR,
                                 mjOBJ_ACTUATOR, mjOBJ_KEY,  mjOBJ_FRAME};
  int size = 0;
  for (int i = 0; i < 6; i++) size += ct_count(ct_spec(s), types[i]);
  return size;
}

static const char* name_of(mjsElement* e) {
  return e ? mjs_getString(mjs_getName(e)) : "nobody";
}

static void name(Walk* w, mjsElement* e) {
  char text[32];
  int choice = draw(w, 8);
  snprintf(text, sizeof(text), "n%d", choice ? w->names++ : draw(w, 8));
  if (choice != 1) mjs_setName(e, text);
  put_into_bag(w, e);
}

// Adding

static const mjsDefault* draw_class(Walk* w, mjSpec* s) {
  static const char* const names[] = {"main", "c0", "c1", "p0c0"};
  return draw(w, 3) ? NULL : mjs_findDefault(s, names[draw(w, 4)]);
}

static void add_in_tree(Walk* w, mjSpec* s) {
  mjsBody* body = mjs_asBody(draw_element(w, s, mjOBJ_BODY));
  const mjsDefault* def = draw_class(w, s);
  if (!body || size_of(s) > LARGEST) return;
  mjsElement* e = NULL;
  switch (draw(w, 9)) {
    case 0:
    case 1:
      e = mjs_addBody(body, def)->element;
      mjs_asBody(e)->mocap = draw(w, 5) == 0;
      mjs_addGeom(mjs_asBody(e), NULL)->size[0] = 0.1;
      break;
    case 2:
      e = mjs_addJoint(body, def)->element;
      mjs_asJoint(e)->type = (mjtJoint)draw(w, 4);
      break;
    case 3:
      e = mjs_addGeom(body, def)->element;
      mjs_asGeom(e)->size[0] = mjs_asGeom(e)->size[1] = mjs_asGeom(e)->size[2] = 0.1;
      mjs_asGeom(e)->type = draw(w, 2) ? mjGEOM_SPHERE : mjGEOM_CYLINDER;
      break;
    case 4:
      e = mjs_addSite(body, def)->element;
      break;
    case 5:
      e = mjs_addCamera(body, def)->element;
      mjs_setString(mjs_asCamera(e)->targetbody, name_of(draw_element(w, s, mjOBJ_BODY)));
      break;
    case 6:
      e = mjs_addLight(body, def)->element;
      break;
    default:
      e = mjs_addFrame(body, mjs_asFrame(draw_element(w, s, mjOBJ_FRAME)))->element;
      break;
  }
  name(w, e);
  mjsFrame* frame = mjs_asFrame(draw_element(w, s, mjOBJ_FRAME));
  if (frame && draw(w, 2)) mjs_setFrame(e, frame);
}

static void use_plugin(Walk* w, mjSpec* s, mjsPlugin* link) {
  mjsPlugin* instance = mjs_addPlugin(s);
  mjs_setString(instance->plugin_name, "corten.fuzz.idle");
  link->active = 1;
  if (draw(w, 2)) {
    link->element = instance->element;
    mjs_setString(link->plugin_name, "corten.fuzz.idle");
  } else {
    name(w, instance->element);
    mjs_setString(link->name, name_of(instance->element));
  }
  if (draw(w, 4)) mjs_activatePlugin(s, "corten.fuzz.idle");
}

static void extend_path(Walk* w, mjSpec* s, mjsTendon* tendon) {
  switch (draw(w, 4)) {
    case 0:
      mjs_wrapSite(tendon, name_of(draw_element(w, s, mjOBJ_SITE)));
      break;
    case 1:
      mjs_wrapGeom(tendon, name_of(draw_element(w, s, mjOBJ_GEOM)),
                   draw(w, 2) ? name_of(draw_element(w, s, mjOBJ_SITE)) : "");
      break;
    case 2:
      mjs_wrapJoint(tendon, name_of(draw_element(w, s, mjOBJ_JOINT)), 2);
      break;
    default:
      mjs_wrapPulley(tendon, 2);
      break;
  }
}

// Numbers that fit the spec as it is, or some that do not.
static void add_key(Walk* w, mjSpec* s) {
  static const double numbers[64] = {1, 0.5, 0, 0.25};
  mjsKey* key = mjs_addKey(s);
  int nq = 0;
  for (ct_Element* e = ct_first_element(ct_spec(s), mjOBJ_JOINT); e; e = ct_next_element(e)) {
    mjtJoint type = CT_VALUES(mjsJoint, e)->type;
    nq += type == mjJNT_FREE ? 7 : type == mjJNT_BALL ? 4 : 1;
  }
  if (draw(w, 6) == 0) nq = draw(w, 4);
  mjs_setDouble(key->qpos, numbers, nq < 64 ? nq : 0);
  int nu = ct_count(ct_spec(s), mjOBJ_ACTUATOR);
  if (draw(w, 2)) mjs_setDouble(key->ctrl, numbers, nu < 64 ? nu : 0);
  name(w, key->element);
}

static void add_outside(Walk* w, mjSpec* s) {
  if (size_of(s) > LARGEST) return;
  const mjsDefault* def = draw_class(w, s);
  switch (draw(w, 12)) {
    case 0: {
      mjsActuator* a = mjs_addActuator(s, def);
      a->trntype = mjTRN_JOINT;
      if (draw(w, 2)) a->dyntype = mjDYN_INTEGRATOR;
      mjs_setString(a->target, name_of(draw_element(w, s, mjOBJ_JOINT)));
      name(w, a->element);
      if (draw(w, 4) == 0) use_plugin(w, s, &a->plugin);
      break;
    }
    case 1: {
      mjsPair* pair = mjs_addPair(s, def);
      mjs_setString(pair->geomname1, name_of(draw_element(w, s, mjOBJ_GEOM)));
      mjs_setString(pair->geomname2, name_of(draw_element(w, s, mjOBJ_GEOM)));
      name(w, pair->element);
      break;
    }
    case 2: {
      mjsTendon* tendon = mjs_addTendon(s, def);
      for (int i = draw(w, 4); i >= 0; i--) extend_path(w, s, tendon);
      name(w, tendon->element);
      break;
    }
    case 3: {
      mjsSensor* sensor = mjs_addSensor(s);
      if (draw(w, 3)) {
        sensor->type = mjSENS_FRAMEPOS;
        sensor->objtype = mjOBJ_BODY;
        mjs_setString(sensor->objname, name_of(draw_element(w, s, mjOBJ_BODY)));
      } else {
        sensor->type = mjSENS_CLOCK;
      }
      name(w, sensor->element);
      if (draw(w, 4) == 0) use_plugin(w, s, &sensor->plugin);
      break;
    }
    case 4:
      name(w, mjs_addMaterial(s, def)->element);
      break;
    case 5: {
      mjsEquality* equality = mjs_addEquality(s, def);
      equality->objtype = mjOBJ_BODY;
      mjs_setString(equality->name1, name_of(draw_element(w, s, mjOBJ_BODY)));
      mjs_setString(equality->name2, name_of(draw_element(w, s, mjOBJ_BODY)));
      name(w, equality->element);
      break;
    }
    case 6: {
      mjsExclude* exclude = mjs_addExclude(s);
      mjs_setString(exclude->bodyname1, name_of(draw_element(w, s, mjOBJ_BODY)));
      mjs_setString(exclude->bodyname2, name_of(draw_element(w, s, mjOBJ_BODY)));
      break;
    }
    case 7: {
      mjsTuple* tuple = mjs_addTuple(s);
      int type = mjOBJ_BODY;
      double number = 1;
      mjs_setInt(tuple->objtype, &type, 1);
      mjs_setDouble(tuple->objprm, &number, 1);
      mjs_appendString(tuple->objname, name_of(draw_element(w, s, mjOBJ_BODY)));
      name(w, tuple->element);
      break;
    }
    case 8: {
      mjsMesh* mesh = mjs_addMesh(s, def);
      double parameter = draw(w, 3) - 1;
      mjs_makeMesh(mesh, mjMESH_BUILTIN_SPHERE, &parameter, 1);
      name(w, mesh->element);
      break;
    }
    case 9: {
      static const char* const names[] = {"c0", "c1"};
      mjs_addDefault(s, names[draw(w, 2)], draw_class(w, draw_spec(w)));
      break;
    }
    default:
      if (ct_count(ct_spec(s), mjOBJ_KEY) < 3) add_key(w, s);
      break;
  }
}

// Changing

static void delete_something(Walk* w, mjSpec* s) {
  static const mjtObj types[] = {mjOBJ_BODY,     mjOBJ_BODY,  mjOBJ_GEOM,    mjOBJ_JOINT,
                                 mjOBJ_SITE,     mjOBJ_KEY,   mjOBJ_TENDON,  mjOBJ_SENSOR,
                                 mjOBJ_ACTUATOR, mjOBJ_FRAME, mjOBJ_DEFAULT, mjOBJ_PLUGIN};
  mjtObj type = types[draw(w, 12)];
  mjsElement* e = draw_element(w, s, type);
  if (type == mjOBJ_DEFAULT) {
    const mjsDefault* def = mjs_findDefault(s, draw(w, 2) ? "c0" : "c1");
    e = def ? def->element : NULL;
  }
  mjsBody* body = mjs_asBody(e);
  if (body && draw(w, 3) == 0) {
    put_into_bag(w, mjs_bodyToFrame(&body) ? NULL : e);
  } else {
    mjs_delete(draw(w, 8) ? s : draw_spec(w), e);
  }
}

static void count_cleanup(const void* walk) {
  ((Walk*)(uintptr_t)walk)->cleanups--;
}

static void change_something(Walk* w, mjSpec* s) {
  static const mjtObj types[] = {mjOBJ_BODY, mjOBJ_JOINT,    mjOBJ_GEOM,   mjOBJ_SITE,
                                 mjOBJ_KEY,  mjOBJ_ACTUATOR, mjOBJ_TENDON, mjOBJ_SENSOR};
  mjsElement* e = draw_element(w, s, types[draw(w, 8)]);
  if (!e) return;
  switch (draw(w, 6)) {
    case 0:
    case 1:
      name(w, e);
      break;
    case 2:
      if (mjs_asTendon(e)) extend_path(w, s, mjs_asTendon(e));
      if (mjs_asJoint(e)) mjs_asJoint(e)->type = (mjtJoint)draw(w, 4);
      if (mjs_asBody(e)) mjs_asBody(e)->pos[0] = draw(w, 4);
      break;
    case 3: {
      mjsFrame* frame = mjs_asFrame(draw_element(w, s, mjOBJ_FRAME));
      if (frame) mjs_setFrame(e, frame);
      break;
    }
    case 4: {
      const mjsDefault* def = draw_class(w, s);
      if (def) mjs_setDefault(e, def);
      break;
    }
    default:
      w->cleanups += mjs_getUserValue(e, "key") == NULL;
      if (mjs_getUserValue(e, "key")) w->cleanups++;
      mjs_setUserValueWithCleanup(e, "key", w, count_cleanup);
      break;
  }
}

static void attach(Walk* w, mjSpec* parent, mjSpec* child) {
  static const mjtObj places[] = {mjOBJ_FRAME, mjOBJ_FRAME, mjOBJ_BODY, mjOBJ_SITE};
  mjsElement* place = draw_element(w, parent, places[draw(w, 4)]);
  mjsElement* what = child->element;
  if (draw(w, 4)) what = draw_element(w, child, draw(w, 2) ? mjOBJ_BODY : mjOBJ_FRAME);
  if (!place || !what) return;
  // elements of the bag may be of other specs, which double with every copy
  if (size_of(mjs_getSpec(place)) + size_of(mjs_getSpec(what)) > LARGEST) return;
  char prefix[16];
  snprintf(prefix, sizeof(prefix), "p%d", draw(w, 4) ? w->names++ : 0);
  mjs_setDeepCopy(mjs_getSpec(place), draw(w, 2));
  put_into_bag(w, mjs_attach(place, what, draw(w, 8) ? prefix : "", ""));
}

// Compiling

static void compile(Walk* w, int i) {
  mjModel* m = mj_compile(w->spec[i], NULL);
  expect(m || *mjs_getError(w->spec[i]), "a refusal without a reason");
  if (!m) return;
  mj_deleteData(w->data[i]);
  mj_deleteModel(w->model[i]);
  w->model[i] = m;
  w->data[i] = mj_makeData(m);
  if (draw(w, 4) == 0) mj_step(m, w->data[i]);
}

// On a failure model and data are gone.
static void recompile(Walk* w, int i) {
  if (!w->model[i] || mj_recompile(w->spec[i], NULL, w->model[i], w->data[i]) == 0) return;
  w->model[i] = NULL;
  w->data[i] = NULL;
}

static void let_go_of_model(Walk* w, int i) {
  mj_deleteData(w->data[i]);
  mj_deleteModel(w->model[i]);
  w->data[i] = NULL;
  w->model[i] = NULL;
}

// Asking

static void ask_about(mjsElement* e) {
  mjs_getId(e);
  mjs_getSpec(e);
  mjs_getParent(e);
  mjs_getFrame(e);
  mjs_getDefault(e);
  mjsTendon* tendon = mjs_asTendon(e);
  for (int i = 0; tendon && i < mjs_getWrapNum(tendon); i++) {
    mjsWrap* wrap = mjs_getWrap(tendon, i);
    mjs_getWrapTarget(wrap);
    if (wrap->type == mjWRAP_SPHERE) mjs_getWrapSideSite(wrap);
  }
  if (mjs_asSensor(e)) mjs_sensorDim(mjs_asSensor(e));
  mjsBody* body = mjs_asBody(e);
  int count = 0;
  for (mjsElement* c = body ? mjs_firstChild(body, mjOBJ_GEOM, 1) : NULL; c;
       c = mjs_nextChild(body, c, 1)) {
    expect(count++ < 100000, "a walk without end");
  }
}

static void ask(Walk* w, mjSpec* s) {
  for (int type = 1; type < mjNOBJECT; type++) {
    int count = 0;
    for (mjsElement* e = mjs_firstElement(s, (mjtObj)type); e; e = mjs_nextElement(s, e)) {
      ask_about(e);
      expect(count++ < 100000, "a walk without end");
    }
  }
  for (int i = 0; i < NBAG; i++) {
    if (w->bag[i]) ask_about(w->bag[i]);
  }
  mjs_findElement(s, mjOBJ_BODY, "n1");
  mjs_findChild(mjs_asBody(mjs_firstElement(s, mjOBJ_BODY)), "n2");
}

// The walk

static void give_up(Walk* w, int i, mjSpec* next) {
  forget_elements_of(w, w->spec[i]);
  let_go_of_model(w, i);
  mj_deleteSpec(w->spec[i]);
  w->spec[i] = next;
}

// A spec with a little memory for its models, so that making them takes no time.
static mjSpec* make_spec(void) {
  mjSpec* s = mj_makeSpec();
  s->memory = 1 << 18;
  mjs_addFrame(mjs_findBody(s, "world"), NULL);
  return s;
}

static void step(Walk* w) {
  int i = draw(w, NSPEC), what = draw(w, 48);
  mjSpec* s = w->spec[i];
  if (what < 14) {
    add_in_tree(w, s);
  } else if (what < 22) {
    add_outside(w, s);
  } else if (what < 27) {
    delete_something(w, s);
  } else if (what < 31) {
    change_something(w, s);
  } else if (what < 38) {
    attach(w, s, draw_spec(w));
  } else if (what < 41) {
    compile(w, i);
  } else if (what < 43) {
    recompile(w, i);
  } else if (what < 44) {
    ask(w, s);
  } else if (what < 45) {
    int j = draw(w, NSPEC);
    mjSpec* copy = mj_copySpec(s);
    give_up(w, j, copy);
  } else {
    give_up(w, i, make_spec());
  }
}

static void register_idle_plugin(void) {
  static bool done = false;
  if (done) return;
  mjpPlugin plugin;
  make_idle_plugin(&plugin, "corten.fuzz.idle", NULL, 0, mjPLUGIN_ACTUATOR | mjPLUGIN_SENSOR);
  mjp_registerPlugin(&plugin);
  done = true;
}

void feed_edits(const uint8_t* bytes, size_t size) {
  register_idle_plugin();
  Walk w = {.bytes = bytes, .size = size};
  for (int i = 0; i < NSPEC; i++) w.spec[i] = make_spec();
  while (!ended(&w)) {
    step(&w);
    for (int i = 0; i < NSPEC; i++) expect_sound(w.spec[i]);
  }
  for (int i = 0; i < NSPEC; i++) {
    let_go_of_model(&w, i);
    mj_deleteSpec(w.spec[i]);
  }
  expect(w.cleanups == 0, "user values were not released");
}
