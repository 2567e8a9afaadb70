// Stories about specs. See scenarios.h.

#include "spec/scenarios.h"

#include <mujoco/mujoco.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

// What a spec looks like

// Strings in a vector, as libc++ lays them out: 24 bytes each, short ones in place.
static const char* string_at(const mjStringVec* vector, int i) {
  const char* begin;
  memcpy(&begin, vector, sizeof(begin));
  const char* string = begin + 24 * i;
  return mjs_getString(string);
}

static int string_count(const mjStringVec* vector) {
  const char* ends[2];
  memcpy(ends, vector, sizeof(ends));
  return (int)((ends[1] - ends[0]) / 24);
}

static const char* name_of(mjsElement* element) {
  return mjs_getString(mjs_getName(element));
}

static void print_vector(FILE* out, const char* name, const mjDoubleVec* vector) {
  int n;
  const double* values = mjs_getDouble(vector, &n);
  if (n == 0) return;
  fprintf(out, " %s", name);
  for (int i = 0; i < n; i++) fprintf(out, "%c%.9g", i ? ',' : '=', values[i]);
}

static void print_tree_references(FILE* out, mjsElement* e) {
  if (mjs_asGeom(e)) {
    mjsGeom* g = mjs_asGeom(e);
    fprintf(out, " material=%s mesh=%s hfield=%s", mjs_getString(g->material),
            mjs_getString(g->meshname), mjs_getString(g->hfieldname));
  } else if (mjs_asSite(e)) {
    fprintf(out, " material=%s", mjs_getString(mjs_asSite(e)->material));
  } else if (mjs_asCamera(e)) {
    fprintf(out, " target=%s", mjs_getString(mjs_asCamera(e)->targetbody));
  } else if (mjs_asLight(e)) {
    fprintf(out, " target=%s texture=%s", mjs_getString(mjs_asLight(e)->targetbody),
            mjs_getString(mjs_asLight(e)->texture));
  } else if (mjs_asFrame(e)) {
    mjsFrame* f = mjs_asFrame(e);
    fprintf(out, " pos=%.9g,%.9g,%.9g quat=%.9g,%.9g,%.9g,%.9g", f->pos[0], f->pos[1], f->pos[2],
            f->quat[0], f->quat[1], f->quat[2], f->quat[3]);
  }
}

static void print_path(FILE* out, mjsTendon* tendon) {
  for (int i = 0; i < mjs_getWrapNum(tendon); i++) {
    mjsWrap* wrap = mjs_getWrap(tendon, i);
    bool pulley = wrap->type == mjWRAP_PULLEY;  // its name means nothing
    fprintf(out, " %d:%s", (int)wrap->type, pulley ? "" : name_of(wrap->element));
  }
}

static void print_references(FILE* out, mjsElement* e) {
  if (mjs_asPair(e)) {
    mjsPair* p = mjs_asPair(e);
    fprintf(out, " geoms=%s,%s", mjs_getString(p->geomname1), mjs_getString(p->geomname2));
  } else if (mjs_asExclude(e)) {
    mjsExclude* x = mjs_asExclude(e);
    fprintf(out, " bodies=%s,%s", mjs_getString(x->bodyname1), mjs_getString(x->bodyname2));
  } else if (mjs_asEquality(e)) {
    mjsEquality* q = mjs_asEquality(e);
    fprintf(out, " objects=%s,%s", mjs_getString(q->name1), mjs_getString(q->name2));
  } else if (mjs_asTendon(e)) {
    fprintf(out, " material=%s path", mjs_getString(mjs_asTendon(e)->material));
    print_path(out, mjs_asTendon(e));
  } else if (mjs_asActuator(e)) {
    mjsActuator* a = mjs_asActuator(e);
    fprintf(out, " target=%s slider=%s ref=%s", mjs_getString(a->target),
            mjs_getString(a->slidersite), mjs_getString(a->refsite));
  } else if (mjs_asSensor(e)) {
    mjsSensor* s = mjs_asSensor(e);
    if (s->objtype != mjOBJ_UNKNOWN) fprintf(out, " object=%s", mjs_getString(s->objname));
    if (s->reftype != mjOBJ_UNKNOWN) fprintf(out, " ref=%s", mjs_getString(s->refname));
  } else if (mjs_asTuple(e)) {
    mjStringVec* names = mjs_asTuple(e)->objname;
    for (int i = 0; i < string_count(names); i++) fprintf(out, " %s", string_at(names, i));
  } else if (mjs_asMaterial(e)) {
    fprintf(out, " texture=%s", string_at(mjs_asMaterial(e)->textures, mjTEXROLE_RGB));
  } else if (mjs_asKey(e)) {
    mjsKey* k = mjs_asKey(e);
    print_vector(out, "qpos", k->qpos);
    print_vector(out, "qvel", k->qvel);
    print_vector(out, "act", k->act);
    print_vector(out, "ctrl", k->ctrl);
    print_vector(out, "mpos", k->mpos);
    print_vector(out, "mquat", k->mquat);
  }
}

static bool has_class(int type) {
  switch (type) {
    case mjOBJ_BODY:
    case mjOBJ_JOINT:
    case mjOBJ_GEOM:
    case mjOBJ_SITE:
    case mjOBJ_CAMERA:
    case mjOBJ_LIGHT:
    case mjOBJ_MESH:
    case mjOBJ_MATERIAL:
    case mjOBJ_PAIR:
    case mjOBJ_EQUALITY:
    case mjOBJ_TENDON:
    case mjOBJ_ACTUATOR:
      return true;
    default:
      return false;
  }
}

static bool in_tree(int type) {
  return (type >= mjOBJ_BODY && type <= mjOBJ_LIGHT) || type == mjOBJ_FRAME;
}

static void print_element(FILE* out, mjSpec* spec, mjsElement* e) {
  int type = (int)e->elemtype;
  fprintf(out, "  %d #%d \"%s\"", type, mjs_getId(e), name_of(e));
  if (mjs_getSpec(e) != spec) fprintf(out, " FOREIGN");
  if (has_class(type)) {
    mjsDefault* def = mjs_getDefault(e);
    fprintf(out, " class=%s", (uintptr_t)def > 4096 ? name_of(def->element) : "?");
  }
  if (in_tree(type)) {
    bool world = type == mjOBJ_BODY && !strcmp(name_of(e), "world");
    mjsBody* parent = world ? NULL : mjs_getParent(e);
    mjsFrame* frame = world ? NULL : mjs_getFrame(e);
    fprintf(out, " in=%s%s%s", parent ? name_of(parent->element) : "-", frame ? "/" : "",
            frame ? name_of(frame->element) : "");
    print_tree_references(out, e);
  } else {
    print_references(out, e);
  }
  fprintf(out, "\n");
}

static void print_spec(FILE* out, const char* title, mjSpec* spec) {
  static const int types[] = {
      mjOBJ_BODY,    mjOBJ_FRAME,   mjOBJ_JOINT,    mjOBJ_GEOM,   mjOBJ_SITE,     mjOBJ_CAMERA,
      mjOBJ_LIGHT,   mjOBJ_MESH,    mjOBJ_SKIN,     mjOBJ_HFIELD, mjOBJ_TEXTURE,  mjOBJ_MATERIAL,
      mjOBJ_PAIR,    mjOBJ_EXCLUDE, mjOBJ_EQUALITY, mjOBJ_TENDON, mjOBJ_ACTUATOR, mjOBJ_SENSOR,
      mjOBJ_NUMERIC, mjOBJ_TEXT,    mjOBJ_TUPLE,    mjOBJ_KEY};
  fprintf(out, "%s: signature %016llx\n", title, (unsigned long long)spec->element->signature);
  for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
    for (mjsElement* e = mjs_firstElement(spec, (mjtObj)types[i]); e;
         e = mjs_nextElement(spec, e)) {
      print_element(out, spec, e);
    }
  }
}

static void print_class(FILE* out, mjSpec* spec, const char* name) {
  mjsDefault* def = mjs_findDefault(spec, name);
  if (!def) {
    fprintf(out, "no class %s\n", name);
    return;
  }
  fprintf(out, "class %s: geom group %d material %s, joint damping %g, actuator group %d\n", name,
          def->geom->group, mjs_getString(def->geom->material), def->joint->damping,
          def->actuator->group);
}

// Making

static mjsBody* world_of(mjSpec* spec) {
  return mjs_findBody(spec, "world");
}

static mjsBody* add_body(mjsBody* parent, const char* name) {
  mjsBody* body = mjs_addBody(parent, NULL);
  mjs_setName(body->element, name);
  return body;
}

static mjsJoint* add_joint(mjsBody* body, const char* name, mjtJoint type) {
  mjsJoint* joint = mjs_addJoint(body, NULL);
  joint->type = type;
  mjs_setName(joint->element, name);
  return joint;
}

static mjsGeom* add_geom(mjsBody* body, const char* name) {
  mjsGeom* geom = mjs_addGeom(body, NULL);
  geom->size[0] = 0.1;
  mjs_setName(geom->element, name);
  return geom;
}

static mjsSite* add_site(mjsBody* body, const char* name) {
  mjsSite* site = mjs_addSite(body, NULL);
  mjs_setName(site->element, name);
  return site;
}

static mjsActuator* add_motor(mjSpec* spec, const char* name, const char* joint) {
  mjsActuator* a = mjs_addActuator(spec, NULL);
  mjs_setName(a->element, name);
  mjs_setString(a->target, joint);
  a->trntype = mjTRN_JOINT;
  return a;
}

static void add_pair(mjSpec* spec, const char* name, const char* one, const char* two) {
  mjsPair* pair = mjs_addPair(spec, NULL);
  mjs_setName(pair->element, name);
  mjs_setString(pair->geomname1, one);
  mjs_setString(pair->geomname2, two);
}

static void add_sensor(mjSpec* spec, const char* name, mjtSensor type, mjtObj objtype,
                       const char* object, mjtObj reftype, const char* reference) {
  mjsSensor* sensor = mjs_addSensor(spec);
  mjs_setName(sensor->element, name);
  sensor->type = type;
  sensor->objtype = objtype;
  sensor->reftype = reftype;
  mjs_setString(sensor->objname, object);
  mjs_setString(sensor->refname, reference);
}

static void add_equality(mjSpec* spec, const char* name, mjtEq type, const char* one,
                         const char* two) {
  mjsEquality* eq = mjs_addEquality(spec, NULL);
  mjs_setName(eq->element, name);
  eq->type = type;
  eq->objtype = type == mjEQ_JOINT ? mjOBJ_JOINT : mjOBJ_BODY;
  mjs_setString(eq->name1, one);
  mjs_setString(eq->name2, two);
}

static void add_assets(mjSpec* spec) {
  mjsTexture* texture = mjs_addTexture(spec);
  mjs_setName(texture->element, "tex");
  texture->type = mjTEXTURE_2D;
  texture->builtin = mjBUILTIN_FLAT;
  texture->width = texture->height = 4;
  mjsMaterial* material = mjs_addMaterial(spec, NULL);
  mjs_setName(material->element, "mat");
  mjs_setInStringVec(material->textures, mjTEXROLE_RGB, "tex");
  mjsNumeric* numeric = mjs_addNumeric(spec);
  mjs_setName(numeric->element, "num");
  double one = 1;
  mjs_setDouble(numeric->data, &one, 1);
  numeric->size = 1;
  mjsText* text = mjs_addText(spec);
  mjs_setName(text->element, "txt");
  mjs_setString(text->data, "hello");
}

static void add_tendons(mjSpec* spec) {
  mjsTendon* fixed = mjs_addTendon(spec, NULL);
  mjs_setName(fixed->element, "fixed");
  mjs_wrapJoint(fixed, "j1", 2);
  mjsTendon* spatial = mjs_addTendon(spec, NULL);
  mjs_setName(spatial->element, "spatial");
  mjs_wrapSite(spatial, "s0");
  mjs_wrapPulley(spatial, 2);
  mjs_wrapSite(spatial, "s0");
  mjs_wrapGeom(spatial, "g1", "s1");
  mjs_wrapSite(spatial, "s1");
  mjsTendon* around = mjs_addTendon(spec, NULL);
  mjs_setName(around->element, "around");
  mjs_wrapSite(around, "s1");
  mjs_wrapGeom(around, "g1", "");
  mjs_wrapSite(around, "s2");
}

static void add_outside(mjSpec* spec) {
  add_pair(spec, "p12", "g1", "g2");
  add_pair(spec, "p01", "g0", "g1");
  add_pair(spec, "p00", "g0", "g0b");
  mjsExclude* exclude = mjs_addExclude(spec);
  mjs_setName(exclude->element, "x");
  mjs_setString(exclude->bodyname1, "b1");
  mjs_setString(exclude->bodyname2, "b2");
  add_equality(spec, "e12", mjEQ_WELD, "b1", "b2");
  add_equality(spec, "e1", mjEQ_WELD, "b1", "");
  add_equality(spec, "e01", mjEQ_WELD, "b0", "b1");
  add_equality(spec, "ej", mjEQ_JOINT, "j1", "j2");
  add_tendons(spec);
  add_motor(spec, "m0", "j0");
  add_motor(spec, "m1", "j1")->dyntype = mjDYN_INTEGRATOR;
  mjsActuator* on_tendon = add_motor(spec, "mt", "fixed");
  on_tendon->trntype = mjTRN_TENDON;
  add_sensor(spec, "sj", mjSENS_JOINTPOS, mjOBJ_JOINT, "j1", mjOBJ_UNKNOWN, "");
  add_sensor(spec, "sf", mjSENS_FRAMEPOS, mjOBJ_XBODY, "b1", mjOBJ_XBODY, "b0");
  add_sensor(spec, "clock", mjSENS_CLOCK, mjOBJ_UNKNOWN, "", mjOBJ_UNKNOWN, "");
  mjsTuple* tuple = mjs_addTuple(spec);
  mjs_setName(tuple->element, "tup");
  int types[2] = {mjOBJ_BODY, mjOBJ_GEOM};
  double numbers[2] = {1, 2};
  mjs_setInt(tuple->objtype, types, 2);
  mjs_appendString(tuple->objname, "b1");
  mjs_appendString(tuple->objname, "g2");
  mjs_setDouble(tuple->objprm, numbers, 2);
}

// A spec with something of everything that can be attached: body b0, and body b1 with a frame and
// body b2.
static mjSpec* make_child(void) {
  mjSpec* spec = mj_makeSpec();
  mjs_setString(spec->modelname, "child");
  mjsDefault* main_class = mjs_getSpecDefault(spec);
  main_class->geom->group = 1;
  mjsDefault* def = mjs_addDefault(spec, "cls", NULL);
  def->geom->group = 2;
  mjs_setString(def->geom->material, "mat");
  def->joint->damping = 3;
  mjs_addDefault(spec, "sub", def)->actuator->group = 4;
  add_assets(spec);

  mjsBody* b0 = add_body(world_of(spec), "b0");
  add_joint(b0, "j0", mjJNT_HINGE);
  add_geom(b0, "g0");
  add_geom(b0, "g0b");
  add_site(b0, "s0");
  mjsBody* b1 = mjs_addBody(world_of(spec), def);
  mjs_setName(b1->element, "b1");
  add_joint(b1, "j1", mjJNT_SLIDE)->ref = 0.5;
  add_geom(b1, "g1");
  add_site(b1, "s1");
  mjsFrame* frame = mjs_addFrame(b1, NULL);
  mjs_setName(frame->element, "f1");
  frame->pos[0] = 1;
  mjsFrame* inner = mjs_addFrame(b1, frame);
  mjs_setName(inner->element, "f2");
  mjsBody* b2 = add_body(b1, "b2");
  mjs_setFrame(b2->element, inner);
  add_joint(b2, "j2", mjJNT_BALL);
  add_geom(b2, "g2");
  add_site(b2, "s2");
  mjsCamera* camera = mjs_addCamera(b2, NULL);
  mjs_setName(camera->element, "cam");
  mjs_setString(camera->targetbody, "b1");
  mjsLight* light = mjs_addLight(b2, NULL);
  mjs_setName(light->element, "lamp");
  mjs_setString(light->targetbody, "b1");
  mjsBody* mocap = add_body(b1, "unnamed");
  mjs_setName(mocap->element, "");
  mjs_setFrame(mocap->element, frame);
  add_outside(spec);
  return spec;
}

// Keys that fit the child: nq 1 + 1 + 4, nv 1 + 1 + 3, one activation, three controls.
static void add_keys(mjSpec* spec) {
  mjsKey* key = mjs_addKey(spec);
  mjs_setName(key->element, "k");
  double qpos[6] = {0.1, 0.2, 1, 0, 0, 0}, ctrl[3] = {7, 8, 9}, act = 6;
  key->time = 2;
  mjs_setDouble(key->qpos, qpos, 6);
  mjs_setDouble(key->ctrl, ctrl, 3);
  mjs_setDouble(key->act, &act, 1);
  mjsKey* other = mjs_addKey(spec);
  double qvel[5] = {1, 2, 3, 4, 5};
  mjs_setDouble(other->qvel, qvel, 5);
}

static mjSpec* make_parent(mjsBody** body, mjsFrame** frame) {
  mjSpec* spec = mj_makeSpec();
  *body = add_body(world_of(spec), "host");
  add_joint(*body, "hj", mjJNT_HINGE)->ref = 0.25;
  add_geom(*body, "hg");
  *frame = mjs_addFrame(*body, NULL);
  mjs_setName((*frame)->element, "hf");
  (*frame)->pos[1] = 2;
  mjsKey* key = mjs_addKey(spec);
  mjs_setName(key->element, "hk");
  double qpos = 0.75;
  mjs_setDouble(key->qpos, &qpos, 1);
  return spec;
}

// Stories

static void fresh_spec(FILE* out) {
  mjSpec* spec = mj_makeSpec();
  print_spec(out, mjs_getString(spec->modelname), spec);
  fprintf(out, "error \"%s\" warning %d types %d %d\n", mjs_getError(spec), mjs_isWarning(spec),
          (int)spec->element->elemtype, (int)mjs_getSpecDefault(spec)->element->elemtype);
  mj_deleteSpec(spec);
}

static void full_spec(FILE* out) {
  mjSpec* spec = make_child();
  add_keys(spec);
  print_spec(out, "full", spec);
  print_class(out, spec, "main");
  print_class(out, spec, "cls");
  print_class(out, spec, "sub");
  mj_deleteSpec(spec);
}

// Values come from the class given, the body's class, or the built-in ones.
static void classes_and_children(FILE* out) {
  mjSpec* spec = mj_makeSpec();
  mjsDefault* main_class = mjs_getSpecDefault(spec);
  main_class->geom->group = 3;
  main_class->actuator->group = 4;
  main_class->flex->group = 5;
  mjsDefault* c = mjs_addDefault(spec, "c", NULL);
  c->geom->group = 1;
  fprintf(out, "again %d\n", mjs_addDefault(spec, "c", NULL) != NULL);
  fprintf(out, "main again %d\n", mjs_addDefault(spec, "main", NULL) != NULL);
  mjsBody* body = add_body(world_of(spec), "b");
  fprintf(out, "main %d\n", mjs_addGeom(body, NULL)->group);
  fprintf(out, "given %d\n", mjs_addGeom(body, c)->group);
  mjs_setString(body->childclass, "c");
  fprintf(out, "child class %d\n", mjs_addGeom(body, NULL)->group);
  mjsBody* below = mjs_addBody(body, NULL);
  fprintf(out, "inherited by body %s\n", mjs_getString(below->childclass));
  mjs_setString(body->childclass, "unknown");
  mjsGeom* stray = mjs_addGeom(body, NULL);
  fprintf(out, "unknown %d %s\n", stray->group, name_of(mjs_getDefault(stray->element)->element));
  fprintf(out, "actuator %d flex %d\n", mjs_addActuator(spec, NULL)->group,
          mjs_addFlex(spec)->group);
  mjs_setDefault(stray->element, c);
  fprintf(out, "set %s %d\n", name_of(mjs_getDefault(stray->element)->element), stray->group);
  mjs_setName(c->element, "d");
  mjs_setString(body->childclass, "c");
  fprintf(out, "renamed, old %d\n", mjs_addGeom(body, NULL)->group);
  mjs_setString(body->childclass, "d");
  fprintf(out, "renamed, new %d\n", mjs_addGeom(body, NULL)->group);
  fprintf(out, "find %d %d\n", mjs_findDefault(spec, "c") != NULL,
          mjs_findDefault(spec, "d") != NULL);
  mj_deleteSpec(spec);
}

static void names_and_repeats(FILE* out) {
  mjSpec* spec = make_child();
  fprintf(out, "repeat %d\n", mjs_setName(mjs_findElement(spec, mjOBJ_GEOM, "g1"), "g0"));
  fprintf(out, "stays %s\n", name_of(mjs_firstElement(spec, mjOBJ_GEOM)));
  fprintf(out, "message %d\n", mjs_getError(spec)[0] != 0);
  fprintf(out, "other type %d\n", mjs_setName(mjs_findElement(spec, mjOBJ_SITE, "s1"), "b1"));
  fprintf(out, "frame %d\n", mjs_setName(mjs_findFrame(spec, "f1")->element, "f2"));
  fprintf(out, "empty %d\n", mjs_setName(mjs_findElement(spec, mjOBJ_GEOM, "g2"), ""));
  mjsMesh* mesh = mjs_addMesh(spec, NULL);
  mjs_setString(mesh->file, "some/where/cup.v2.obj");
  fprintf(out, "by file %d %d\n", mjs_findElement(spec, mjOBJ_MESH, "cup.v2") == mesh->element,
          mjs_findElement(spec, mjOBJ_MESH, "cup") != NULL);
  mj_deleteSpec(spec);
}

static void walking(FILE* out) {
  mjSpec* spec = make_child();
  mjsBody* b1 = mjs_findBody(spec, "b1");
  static const int types[] = {mjOBJ_BODY, mjOBJ_JOINT, mjOBJ_GEOM,
                              mjOBJ_SITE, mjOBJ_FRAME, mjOBJ_CAMERA};
  for (int recurse = 0; recurse < 2; recurse++) {
    for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
      mjsBody* roots[2] = {world_of(spec), b1};
      for (int k = 0; k < 2; k++) {
        fprintf(out, "%d %d:", types[i], recurse);
        mjsElement* e = mjs_firstChild(roots[k], (mjtObj)types[i], recurse);
        for (; e; e = mjs_nextChild(roots[k], e, recurse)) fprintf(out, " %s", name_of(e));
        fprintf(out, "\n");
      }
    }
  }
  fprintf(out, "mesh %d", mjs_firstChild(b1, mjOBJ_MESH, 0) != NULL);
  fprintf(out, " message %d\n", mjs_getError(spec)[0] != 0);
  fprintf(out, "find %s %d\n", name_of(mjs_findChild(world_of(spec), "b2")->element),
          mjs_findChild(b1, "b0") != NULL);
  fprintf(out, "frame of another body %d, own %d\n",
          mjs_setFrame(mjs_findElement(spec, mjOBJ_GEOM, "g0"), mjs_findFrame(spec, "f1")),
          mjs_setFrame(mjs_findElement(spec, mjOBJ_GEOM, "g1"), mjs_findFrame(spec, "f1")));
  mj_deleteSpec(spec);
}

static void copies(FILE* out) {
  mjSpec* spec = make_child();
  add_keys(spec);
  add_motor(spec, "lost", "");
  mjSpec* copy = mj_copySpec(spec);
  mjs_findBody(spec, "b1")->pos[0] = 9;
  mjs_setName(mjs_findElement(spec, mjOBJ_GEOM, "g1"), "changed");
  mj_deleteSpec(spec);
  print_spec(out, "copy", copy);
  print_class(out, copy, "cls");
  print_class(out, copy, "sub");
  fprintf(out, "pos %g\n", mjs_findBody(copy, "b1")->pos[0]);
  mj_deleteSpec(copy);
}

// Attaching

typedef enum { BODY, FRAME, SPEC } Part;

static void attach(FILE* out, int by_copy, Part part, int to_body, int keys) {
  mjsBody* host;
  mjsFrame* frame;
  mjSpec *parent = make_parent(&host, &frame), *child = make_child();
  if (keys) add_keys(child);
  mjs_setDeepCopy(parent, by_copy);
  mjsElement* what = part == BODY    ? mjs_findBody(child, "b1")->element
                     : part == FRAME ? mjs_findFrame(child, "f1")->element
                                     : child->element;
  mjsElement* result = mjs_attach(to_body ? host->element : frame->element, what, "p_", "_s");
  fprintf(out, "result %s\n", result ? name_of(result) : "none");
  if (!result) fprintf(out, "message %d\n", mjs_getError(parent)[0] != 0);
  print_spec(out, "parent", parent);
  print_class(out, parent, "main");
  print_class(out, parent, "p_main_s");
  print_class(out, parent, "p_cls_s");
  print_class(out, parent, "p_sub_s");
  if (by_copy) print_spec(out, "child", child);
  mj_deleteSpec(by_copy ? parent : child);
  mj_deleteSpec(by_copy ? child : parent);
}

static void attach_body_by_copy(FILE* out) {
  attach(out, 1, BODY, 0, 1);
}
static void attach_body_by_reference(FILE* out) {
  attach(out, 0, BODY, 0, 0);
}
static void attach_frame_by_copy(FILE* out) {
  attach(out, 1, FRAME, 0, 0);
}
static void attach_frame_to_body_by_copy(FILE* out) {
  attach(out, 1, FRAME, 1, 0);
}
static void attach_frame_by_reference(FILE* out) {
  attach(out, 0, FRAME, 0, 0);
}
static void attach_spec_by_copy(FILE* out) {
  attach(out, 1, SPEC, 0, 1);
}
static void attach_spec_by_reference(FILE* out) {
  attach(out, 0, SPEC, 1, 0);
}
static void attach_body_to_body(FILE* out) {
  attach(out, 1, BODY, 1, 0);
}

static void attach_to_itself(FILE* out) {
  mjSpec* spec = make_child();
  mjs_setDeepCopy(spec, 1);
  mjsFrame* frame = mjs_addFrame(world_of(spec), NULL);
  for (int i = 0; i < 2; i++) {
    mjsElement* result =
        mjs_attach(frame->element, mjs_findBody(spec, "b1")->element, "", i ? "1" : "0");
    fprintf(out, "result %s\n", name_of(result));
  }
  print_spec(out, "twice", spec);
  mj_deleteSpec(spec);
}

static void attach_to_site(FILE* out) {
  mjsBody* host;
  mjsFrame* frame;
  mjSpec *parent = make_parent(&host, &frame), *child = make_child();
  mjs_setDeepCopy(parent, 1);
  mjsSite* site = add_site(host, "place");
  site->pos[2] = 3;
  site->alt.type = mjORIENTATION_EULER;
  site->alt.euler[0] = 90;
  mjs_setFrame(site->element, frame);
  for (int i = 0; i < 2; i++)
    mjs_attach(site->element, mjs_findBody(child, "b2")->element, i ? "q_" : "p_", "");
  print_spec(out, "parent", parent);
  mj_deleteSpec(child);
  mj_deleteSpec(parent);
}

static void attach_repeats_a_name(FILE* out) {
  mjsBody* host;
  mjsFrame* frame;
  mjSpec *parent = make_parent(&host, &frame), *child = make_child();
  mjs_setDeepCopy(parent, 1);
  fprintf(out, "first %d\n",
          mjs_attach(frame->element, mjs_findBody(child, "b1")->element, "p_", "") != NULL);
  fprintf(out, "second %d\n",
          mjs_attach(frame->element, mjs_findBody(child, "b1")->element, "p_", "") != NULL);
  fprintf(out, "message %d\n", mjs_getError(parent)[0] != 0);
  mj_deleteSpec(parent);
  mj_deleteSpec(child);
}

// Keys of what is attached

// The keys of the compiled model: coordinates, velocities, activations, controls.
static void print_keys(FILE* out, mjSpec* spec) {
  mjModel* m = mj_compile(spec, NULL);
  fprintf(out, "compiled %d\n", m != NULL);
  for (int k = 0; m && k < m->nkey; k++) {
    fprintf(out, "%s:", mj_id2name(m, mjOBJ_KEY, k));
    for (int i = 0; i < m->nq; i++) fprintf(out, " %.9g", (double)m->key_qpos[k * m->nq + i]);
    for (int i = 0; i < m->nv; i++) fprintf(out, " v%.9g", (double)m->key_qvel[k * m->nv + i]);
    for (int i = 0; i < m->na; i++) fprintf(out, " a%.9g", (double)m->key_act[k * m->na + i]);
    for (int i = 0; i < m->nu; i++) fprintf(out, " c%.9g", (double)m->key_ctrl[k * m->nu + i]);
    fprintf(out, "\n");
  }
  mj_deleteModel(m);
}

// Bodies a and b with a slide each and a key for both; with_actuators: a motor and an integrator
// each.
static mjSpec* make_pair_with_key(int with_actuators) {
  mjSpec* spec = mj_makeSpec();
  const char* names[2][2] = {{"a", "ja"}, {"b", "jb"}};
  for (int i = 0; i < 2; i++) {
    mjsBody* body = add_body(world_of(spec), names[i][0]);
    add_joint(body, names[i][1], mjJNT_SLIDE);
    add_geom(body, "")->size[0] = 0.1;
    for (int k = 0; k < 2 && with_actuators; k++) {
      mjsActuator* actuator = mjs_addActuator(spec, NULL);
      actuator->trntype = mjTRN_JOINT;
      mjs_setString(actuator->target, names[i][1]);
      if (k) actuator->dyntype = mjDYN_INTEGRATOR;
    }
  }
  mjsKey* key = mjs_addKey(spec);
  double qpos[2] = {0.5, 0.75}, qvel[2] = {1, 2}, act[2] = {3, 4}, ctrl[4] = {5, 6, 7, 8};
  mjs_setName(key->element, "k");
  mjs_setDouble(key->qpos, qpos, 2);
  mjs_setDouble(key->qvel, qvel, 2);
  if (with_actuators) mjs_setDouble(key->act, act, 2);
  if (with_actuators) mjs_setDouble(key->ctrl, ctrl, 4);
  return spec;
}

// Values go over to the first copy that is made of their element.
static void keys_of_a_spec_attached_to_itself(FILE* out) {
  const char* order[3][2] = {{"a", "a"}, {"a", "b"}, {"a", "1_a"}};
  for (int i = 0; i < 3; i++) {
    mjSpec* spec = make_pair_with_key(1);
    mjs_setDeepCopy(spec, 1);
    mjsFrame* frame = mjs_addFrame(world_of(spec), NULL);
    mjs_attach(frame->element, mjs_findBody(spec, order[i][0])->element, "1_", "");
    mjs_attach(frame->element, mjs_findBody(spec, order[i][1])->element, "2_", "");
    print_keys(out, spec);
    mj_deleteSpec(spec);
  }
}

static void attach_both_in_turn(FILE* out, int by_copy, const char* first, const char* second) {
  mjSpec *parent = mj_makeSpec(), *child = make_pair_with_key(0);
  mjs_setDeepCopy(parent, by_copy);
  mjsFrame* frame = mjs_addFrame(world_of(parent), NULL);
  mjs_attach(frame->element, mjs_findBody(child, first)->element, "1_", "");
  mjs_attach(frame->element, mjs_findBody(child, second)->element, "2_", "");
  print_keys(out, parent);
  mj_deleteSpec(parent);
  mj_deleteSpec(child);
}

static void keys_of_two_attachments_by_reference(FILE* out) {
  attach_both_in_turn(out, 0, "a", "b");
  attach_both_in_turn(out, 0, "b", "a");
}

static void keys_of_two_attachments_by_copy(FILE* out) {
  attach_both_in_turn(out, 1, "a", "b");
  attach_both_in_turn(out, 1, "a", "a");
}

// Deleting

static void delete_elements(FILE* out) {
  mjSpec* spec = make_child();
  static const struct {
    mjtObj type;
    const char* name;
  } gone[] = {{mjOBJ_GEOM, "g2"},      {mjOBJ_SITE, "s0"},      {mjOBJ_PAIR, "p12"},
              {mjOBJ_MATERIAL, "mat"}, {mjOBJ_SENSOR, "clock"}, {mjOBJ_NUMERIC, "num"},
              {mjOBJ_JOINT, "j2"}};
  for (size_t i = 0; i < sizeof(gone) / sizeof(gone[0]); i++) {
    mjsElement* e = mjs_findElement(spec, gone[i].type, gone[i].name);
    fprintf(out, "%s %d id %d\n", gone[i].name, mjs_delete(spec, e), mjs_getId(e));
  }
  fprintf(out, "nothing %d\n", mjs_delete(spec, NULL));
  fprintf(out, "main %d\n", mjs_delete(spec, mjs_getSpecDefault(spec)->element));
  fprintf(out, "class %d\n", mjs_delete(spec, mjs_findDefault(spec, "cls")->element));
  fprintf(out, "gone %d %d\n", mjs_findDefault(spec, "cls") == NULL,
          mjs_findDefault(spec, "sub") == NULL);
  mj_deleteSpec(spec);
}

static void delete_body(FILE* out) {
  mjSpec* spec = make_child();
  add_keys(spec);
  fprintf(out, "delete %d\n", mjs_delete(spec, mjs_findBody(spec, "b2")->element));
  print_spec(out, "after", spec);
  mj_deleteSpec(spec);
}

static void delete_body_with_short_key(FILE* out) {
  mjSpec* spec = make_child();
  mjsKey* key = mjs_addKey(spec);
  double qpos[2] = {1, 2};
  mjs_setDouble(key->qpos, qpos, 2);
  fprintf(out, "delete %d\n", mjs_delete(spec, mjs_findBody(spec, "b2")->element));
  fprintf(out, "message %d\n", mjs_getError(spec)[0] != 0);
  mj_deleteSpec(spec);
}

// The reference's new frame does not know its body, so only what is in it is asked.
static void body_to_frame(FILE* out) {
  mjSpec* spec = make_child();
  mjsBody* body = mjs_findBody(spec, "b1");
  body->pos[2] = 4;
  mjsFrame* frame = mjs_bodyToFrame(&body);
  fprintf(out, "body %d frame \"%s\" at %g\n", body != NULL, name_of(frame->element),
          frame->pos[2]);
  static const int types[] = {mjOBJ_JOINT, mjOBJ_GEOM, mjOBJ_SITE, mjOBJ_FRAME, mjOBJ_BODY};
  for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
    mjsElement* e = mjs_firstChild(world_of(spec), (mjtObj)types[i], 1);
    for (; e; e = mjs_nextChild(world_of(spec), e, 1)) {
      if (e == frame->element) continue;
      fprintf(out, "  %d #%d %s in %s, new frame %d\n", types[i], mjs_getId(e), name_of(e),
              name_of(mjs_getParent(e)->element), mjs_getFrame(e) == frame);
    }
  }
  for (mjsElement* e = mjs_firstElement(spec, mjOBJ_EQUALITY); e; e = mjs_nextElement(spec, e)) {
    print_element(out, spec, e);
  }
  mj_deleteSpec(spec);
}

// Shapes

static void print_bits(FILE* out, const char* name, const void* vector) {
  const unsigned char* ends[2];
  memcpy(ends, vector, sizeof(ends));
  unsigned long long hash = 5381;
  for (const unsigned char* byte = ends[0]; byte < ends[1]; byte++) hash = (hash * 33) ^ *byte;
  fprintf(out, " %s %d %016llx", name, (int)((ends[1] - ends[0]) / 4), hash);
}

static void print_mesh(FILE* out, const mjsMesh* mesh) {
  print_bits(out, "vertices", mesh->uservert);
  print_bits(out, "normals", mesh->usernormal);
  print_bits(out, "faces", mesh->userface);
  fprintf(out, " inertia %d\n", (int)mesh->inertia);
}

static void built_in_meshes(FILE* out) {
  static const struct {
    int shape, n;
    double param[5];
  } cases[] = {{1, 1, {0}},
               {1, 1, {3}},
               {1, 1, {2.9}},
               {1, 1, {-0.5}},
               {1, 1, {5}},
               {1, 1, {-1}},
               {1, 2, {1}},
               {2, 1, {0}},
               {2, 1, {3}},
               {2, 1, {10}},
               {2, 1, {11}},
               {3, 2, {5, 0}},
               {3, 2, {5, 0.5}},
               {3, 2, {7, -1}},
               {4, 3, {3, 1, 1}},
               {4, 3, {10, 0.5, 2}},
               {4, 3, {10, 0, 0}},
               {4, 3, {2.9, 1, 1}},
               {4, 3, {5, -1, 1}},
               {5, 4, {3, 0.5, 1, 1}},
               {5, 4, {12, 1, 0.3, 2}},
               {5, 4, {12, 1.1, 0.3, 2}},
               {5, 4, {12, 0.5, 0, 2}},
               {6, 5, {3, 4, 60, 30, 0}},
               {6, 5, {30, 20, 180, 90, 1}},
               {6, 5, {3, 4, 60, 30, 0.5}},
               {6, 5, {3, 4, 181, 30, 0}},
               {6, 5, {0.5, 4, 60, 30, 0}},
               {6, 5, {3, 4, 60, 30, 2}},
               {7, 2, {3, 4}},
               {7, 2, {1, 1}},
               {7, 2, {0, 1}},
               {0, 0, {0}},
               {8, 1, {1}}};
  mjSpec* spec = mj_makeSpec();
  for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
    mjsMesh* mesh = mjs_addMesh(spec, NULL);
    double param[5];
    memcpy(param, cases[i].param, sizeof(param));
    int result = mjs_makeMesh(mesh, (mjtMeshBuiltin)cases[i].shape, param, cases[i].n);
    fprintf(out, "%d %g %g: %d", cases[i].shape, param[0], param[1], result);
    print_mesh(out, mesh);
  }

  // made again, a mesh keeps what the new shape does not have
  mjsMesh* mesh = mjs_addMesh(spec, NULL);
  double plate[2] = {3, 4}, cone[2] = {5, 0};
  mjs_makeMesh(mesh, mjMESH_BUILTIN_PLATE, plate, 2);
  mjs_makeMesh(mesh, mjMESH_BUILTIN_CONE, cone, 2);
  print_mesh(out, mesh);
  mj_deleteSpec(spec);
}

// Actuators

static void print_actuator(FILE* out, const char* name, const char* error, const mjsActuator* a) {
  fprintf(out, "%s%s: dyn %d gain %d bias %d gainprm", name, *error ? " refused" : "",
          (int)a->dyntype, (int)a->gaintype, (int)a->biastype);
  for (int i = 0; i < mjNGAIN; i++) fprintf(out, " %.12g", a->gainprm[i]);
  fprintf(out, " biasprm");
  for (int i = 0; i < mjNBIAS; i++) fprintf(out, " %.12g", a->biasprm[i]);
  fprintf(out, " dynprm %.12g %.12g %.12g inherit %g limited %d %d %d\n", a->dynprm[0],
          a->dynprm[1], a->dynprm[2], a->inheritrange, a->ctrllimited, a->forcelimited,
          a->actlimited);
}

// Each line is a fresh actuator with some of its fields set before.
#define ACTUATOR(name_, before_, call_)           \
  do {                                            \
    mjsActuator* a = mjs_addActuator(spec, NULL); \
    before_;                                      \
    const char* error = call_;                    \
    print_actuator(out, name_, error, a);         \
  } while (0)

static void actuator_shortcuts(FILE* out) {
  mjSpec* spec = mj_makeSpec();
  double two[2] = {2, 3}, less[2] = {-1, -1}, zero[2] = {0, 0}, some[2] = {0.1, 0.2};
  ACTUATOR("motor", a->gainprm[0] = 7, mjs_setToMotor(a));
  ACTUATOR("position", a->biasprm[1] = 1, mjs_setToPosition(a, 5, NULL, NULL, NULL, 0));
  ACTUATOR("position kv", (void)0, mjs_setToPosition(a, 5, two, NULL, NULL, 0));
  ACTUATOR("position dampratio", (void)0, mjs_setToPosition(a, 5, NULL, two, NULL, 0));
  ACTUATOR("position both", (void)0, mjs_setToPosition(a, 5, two, two, two, 2));
  ACTUATOR("position kv < 0", (void)0, mjs_setToPosition(a, 5, less, NULL, two, 2));
  ACTUATOR("position dampratio < 0", (void)0, mjs_setToPosition(a, 5, NULL, less, two, 2));
  ACTUATOR("position timeconst < 0", (void)0, mjs_setToPosition(a, 5, NULL, NULL, less, 2));
  ACTUATOR("position timeconst", (void)0, mjs_setToPosition(a, 5, NULL, NULL, two, 2));
  ACTUATOR("position timeconst 0", (void)0, mjs_setToPosition(a, 5, NULL, NULL, zero, -1));
  ACTUATOR("position two ranges", a->ctrlrange[1] = 1,
           mjs_setToPosition(a, 5, NULL, NULL, NULL, 2));
  ACTUATOR("intvelocity", (void)0, mjs_setToIntVelocity(a, 5, two, two, two, 2));
  ACTUATOR("intvelocity actrange", a->actrange[1] = 1,
           mjs_setToIntVelocity(a, 5, two, NULL, two, 2));
  ACTUATOR("intvelocity ctrlrange", a->ctrlrange[1] = 1,
           mjs_setToIntVelocity(a, 5, two, NULL, two, 2));
  ACTUATOR("velocity", a->biasprm[1] = 4, mjs_setToVelocity(a, 5));
  ACTUATOR("damper", a->gainprm[1] = 3, mjs_setToDamper(a, 5));
  ACTUATOR("damper < 0", (void)0, mjs_setToDamper(a, -5));
  ACTUATOR("damper range", a->ctrlrange[1] = -1, mjs_setToDamper(a, 5));
  ACTUATOR("cylinder area", (void)0, mjs_setToCylinder(a, 2, 3, 4, -1));
  ACTUATOR("cylinder diameter", (void)0, mjs_setToCylinder(a, 2, 3, 4, 5));
  ACTUATOR("muscle", (void)0, mjs_setToMuscle(a, less, 0, less, -1, -1, -1, -1, -1, -1, -1));
  ACTUATOR("muscle class", a->gainprm[4] = 9,
           mjs_setToMuscle(a, less, 0, less, -1, -1, -1, -1, -1, -1, -1));
  ACTUATOR("muscle all", (void)0, mjs_setToMuscle(a, some, 0.5, two, 6, 7, 8, 9, 10, 11, 12));
  ACTUATOR("muscle smooth < 0", (void)0,
           mjs_setToMuscle(a, less, -1, less, -1, -1, -1, -1, -1, -1, -1));
  ACTUATOR("adhesion", a->dyntype = mjDYN_FILTER, mjs_setToAdhesion(a, 5));
  ACTUATOR("adhesion < 0", (void)0, mjs_setToAdhesion(a, -5));
  ACTUATOR("adhesion range", a->ctrlrange[0] = -1, mjs_setToAdhesion(a, 5));
  mj_deleteSpec(spec);
}

const Scenario scenarios[] = {
    {"fresh_spec", fresh_spec},
    {"full_spec", full_spec},
    {"classes_and_children", classes_and_children},
    {"names_and_repeats", names_and_repeats},
    {"walking", walking},
    {"copies", copies},
    {"attach_body_by_copy", attach_body_by_copy},
    {"attach_body_by_reference", attach_body_by_reference},
    {"attach_frame_by_copy", attach_frame_by_copy},
    {"attach_frame_to_body_by_copy", attach_frame_to_body_by_copy},
    {"attach_frame_by_reference", attach_frame_by_reference},
    {"attach_spec_by_copy", attach_spec_by_copy},
    {"attach_spec_by_reference", attach_spec_by_reference},
    {"attach_body_to_body", attach_body_to_body},
    {"attach_to_itself", attach_to_itself},
    {"attach_to_site", attach_to_site},
    {"attach_repeats_a_name", attach_repeats_a_name},
    {"attach_with_names_that_stand_twice", attach_with_names_that_stand_twice},
    {"attach_what_refers_to_nothing", attach_what_refers_to_nothing},
    {"keys_padded_by_compiled_joints", keys_padded_by_compiled_joints},
    {"controls_of_keys_that_wait", controls_of_keys_that_wait},
    {"delete_elements", delete_elements},
    {"delete_body", delete_body},
    {"delete_body_with_short_key", delete_body_with_short_key},
    {"keys_of_a_spec_attached_to_itself", keys_of_a_spec_attached_to_itself},
    {"keys_of_two_attachments_by_reference", keys_of_two_attachments_by_reference},
    {"keys_of_two_attachments_by_copy", keys_of_two_attachments_by_copy},
    {"body_to_frame", body_to_frame},
    {"built_in_meshes", built_in_meshes},
    {"actuator_shortcuts", actuator_shortcuts},
    {NULL, NULL},
};
