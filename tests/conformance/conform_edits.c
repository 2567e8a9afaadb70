// conform_edits: random sequences of edits, done to specs of both libraries by the same calls;
// every call must have the same verdict, every compilation the same model, and the state after a
// recompilation must be the same.
//
//   usage: conform_edits REFERENCE_LIB CORTEN_LIB [--sequences N] [--first K] [--settle P]
//   [--trace]
//
// Three specs are edited at a time: elements are added, renamed, moved into frames, given other
// numbers, deleted with what refers to them, attached by copy and by reference; classes are made
// and changed; specs are copied, compiled, and recompiled while their data has a state. A sequence
// ends with a compilation of all of them. What is left out is what the reference calls undefined:
// to delete frames, the world, classes, and elements of others, and to go on with a spec that an
// attachment failed on or whose parts went elsewhere. A sequence in which the reference crashes
// counts for nothing.
//
// Bodies are deleted, and parts attached, in the middle of edits as well as right after a
// compilation: with a chance of P percent (50) a spec that has keys, new elements or new names is
// compiled before. Two things that differ by intention then (docs/differences.md) end a sequence
// and are counted by their reason, which is looked at in each case. The reference alone refuses
// keys that have the size of the tree and not that of the last model: it must say so, with this
// size. And it goes by the names of the last compilation when a body is deleted: what it keeps must
// refer to something that has gone, what it drops to a name that something had. What is undefined
// in the reference is not drawn: a copy of a compiled spec with keys is compiled before, for it
// loses numbers; a spec with keys that wait for a compilation before it is copied, for the copy
// takes their controls away; a spec with a joint or actuator that has more coordinates or
// activations than before, for they would be read from those of others. Bodies do not become
// frames, of which copies lose the contents.

#include <malloc.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/compare.h"
#include "conformance/condition.h"
#include "conformance/crew.h"
#include "conformance/engine.h"
#include "conformance/two_libraries.h"

enum { NSPEC = 3, LONGEST = 60, LARGEST = 60, SECONDS = 20, DEFAULT_SEQUENCES = 10000 };

static Engine engines[2];  // the reference, corten
#define CALL(i_, name_) LIBRARY_FUNCTION(engines[i_].handle, name_)

typedef struct {  // shared with the processes
  long sequences, edits, refusals, models, recompilations, wrong;
  long singular;  // models that differ only in inverses of a mass matrix that has none
  long turned;    // models that differ only in axes of bodies with two equal moments of inertia
  long repeated;  // sequences that end where the reference would have keys twice
  long sizes;     // ... where it alone refuses keys that have the size of the tree
  long names;     // ... differ after a body was deleted by names of the last compilation
  int library;    // that is being called
} Score;
static Score* score;

typedef struct {
  char name[LARGEST][64];
  int count;
} Names;

typedef struct {  // the same spec in both libraries
  mjSpec* s[2];
  mjModel* m[2];  // of the last compilation, or NULL
  mjData* d[2];
  int nu;           // actuators then
  bool mocap;       // mocap bodies have come since
  bool grown;       // elements of the tree have come since the last compilation
  bool renamed;     // something has another name since then
  bool keyed;       // has keys
  bool waiting;     // which the next compilation puts into the list: after attaching, deleting
  bool unknown;     // keys, or elements of a recompiled spec, came with what was attached since
  bool recompiled;  // has elements that were recompiled once
  bool compiled;    // the last compilation succeeded
  bool copied;      // with keys, from a compiled spec, and not compiled since
  bool untouched;   // by any compilation, nor is anything in it
  Names former;     // that things had since the last compilation
} Twins;

typedef struct {  // the same element in both
  mjsElement* e[2];
} Pair;

typedef struct {
  Twins twins[NSPEC];
  uint32_t random;
  long number;
  int names, spec;
  bool trace, over;
  int settling;    // chance in percent
  char last[400];  // what was done last, in words
} Sequence;

// Choices

static int draw(Sequence* q, int n) {
  q->random = q->random * 1664525u + 1013904223u;
  return (int)((q->random >> 9) % (uint32_t)n);
}

static double draw_number(Sequence* q) {
  return 0.125 * (draw(q, 33) - 16);
}

static void wrong(Sequence* q, const char* what, const char* more) {
  score->wrong++;
  q->over = true;
  printf("sequence %ld: %s: %s %s\n", q->number, q->last, what, more);
  fflush(stdout);
}

static const char* name_of(int i, mjsElement* e) {
  return CALL(i, mjs_getString)(CALL(i, mjs_getName)(e));
}

static void add_name(Names* names, const char* name) {
  if (names->count < LARGEST) snprintf(names->name[names->count++], 64, "%s", name);
}

static bool has_name(const Names* names, const char* name) {
  for (int k = 0; k < names->count; k++) {
    if (!strcmp(names->name[k], name)) return true;
  }
  return false;
}

// Elements of a type in both specs; the n-th of the reference belongs to the n-th of ours.
static int list_elements(Sequence* q, const Twins* t, mjtObj type, Pair* pair) {
  int count[2] = {0, 0};
  for (int i = 0; i < 2; i++) {
    score->library = i;
    mjsElement* e = CALL(i, mjs_firstElement)(t->s[i], type);
    for (; e; e = CALL(i, mjs_nextElement)(t->s[i], e)) {
      if (count[i] < LARGEST * 4) pair[count[i]].e[i] = e;
      count[i]++;
    }
  }
  if (count[0] != count[1]) {
    char text[100];
    snprintf(text, sizeof(text), "%d, not %d elements of type %d in spec %d", count[1], count[0],
             type, (int)(t - q->twins));
    wrong(q, "there are", text);
    return 0;
  }
  int n = count[0] < LARGEST * 4 ? count[0] : LARGEST * 4;
  for (int k = 0; k < n; k++) {
    if (strcmp(name_of(0, pair[k].e[0]), name_of(1, pair[k].e[1]))) {
      wrong(q, "another name:", name_of(1, pair[k].e[1]));
      return 0;
    }
  }
  return n;
}

// An element of a type, or none; `later`: not the first (the world).
static Pair draw_element(Sequence* q, const Twins* t, mjtObj type, bool later) {
  Pair all[LARGEST * 4], none = {{NULL, NULL}};
  int n = list_elements(q, t, type, all), first = later ? 1 : 0;
  return n > first ? all[first + draw(q, n - first)] : none;
}

static const char* draw_name(Sequence* q, const Twins* t, mjtObj type) {
  Pair p = draw_element(q, t, type, false);
  return p.e[0] && draw(q, 12) ? name_of(0, p.e[0]) : "nobody";
}

static int size_of(const Twins* t) {
  int size = 0;
  for (int type = mjOBJ_BODY; type <= mjOBJ_GEOM; type++) {
    mjsElement* e = CALL(0, mjs_firstElement)(t->s[0], (mjtObj)type);
    for (; e; e = CALL(0, mjs_nextElement)(t->s[0], e)) size++;
  }
  return size;
}

// Verdicts of both libraries; an error that ends a call is a verdict, too.
#define BOTH(q_, verdict_, statement_)                             \
  do {                                                             \
    for (int volatile i = 0; i < 2; i++) {                         \
      score->library = i;                                          \
      ENGINE_TRY(verdict_[i] = (statement_), verdict_[i] = -1000); \
    }                                                              \
    judge_verdicts(q_, verdict_);                                  \
  } while (0)

static int joint_nq(const mjsJoint* joint) {
  return joint->type == mjJNT_FREE ? 7 : joint->type == mjJNT_BALL ? 4 : 1;
}

static int actuator_nact(const mjsActuator* a) {
  return a->actdim >= 0 ? a->actdim : a->dyntype != mjDYN_NONE;
}

// How many numbers the tree has room for in a vector of a key.
static int tree_size(const Twins* t, const char* vector) {
  int nq = 0, nv = 0, nact = 0, nctrl = 0, nmocap = 0;
  mjSpec* s = t->s[0];
  mjsElement* e = CALL(0, mjs_firstElement)(s, mjOBJ_JOINT);
  for (; e; e = CALL(0, mjs_nextElement)(s, e)) {
    int n = joint_nq(CALL(0, mjs_asJoint)(e));
    nq += n;
    nv += n == 1 ? 1 : n - 1;
  }
  e = CALL(0, mjs_firstElement)(s, mjOBJ_ACTUATOR);
  for (; e; e = CALL(0, mjs_nextElement)(s, e), nctrl++) {
    nact += actuator_nact(CALL(0, mjs_asActuator)(e));
  }
  e = CALL(0, mjs_firstElement)(s, mjOBJ_BODY);
  for (; e; e = CALL(0, mjs_nextElement)(s, e)) nmocap += CALL(0, mjs_asBody)(e)->mocap;
  if (!strcmp(vector, "qpos")) return nq;
  if (!strcmp(vector, "qvel")) return nv;
  if (!strcmp(vector, "act")) return nact;
  if (!strcmp(vector, "ctrl")) return nctrl;
  return (strcmp(vector, "mpos") ? 4 : 3) * nmocap;
}

static bool fits_a_tree(const Sequence* q, const char* vector, int size) {
  for (int k = 0; k < NSPEC; k++) {
    if (tree_size(q->twins + k, vector) == size) return true;
  }
  return false;
}

// Does the reference alone refuse a key, because it has the size of the tree? That may be the tree
// of the spec or of what is attached to it.
static bool refuses_keys(const Sequence* q, const int verdict[2]) {
  const Twins* t = q->twins + q->spec;
  const char *error = CALL(0, mjs_getError)(t->s[0]), *says = error ? strstr(error, " has ") : NULL;
  char vector[8];
  int got, expected;
  return verdict[0] < 0 && verdict[1] == 0 && says && !strncmp(error, "Error: Keyframe ", 16) &&
         sscanf(says, " has invalid %7s size, got %d, should be %d", vector, &got, &expected) ==
             3 &&
         got != expected && fits_a_tree(q, vector, got);
}

static void judge_verdicts(Sequence* q, const int verdict[2]) {
  const Twins* t = q->twins + q->spec;
  score->edits++;
  if (verdict[0] < 0) score->refusals++;
  if (refuses_keys(q, verdict)) {
    score->sizes++;
    q->over = true;
  } else if (verdict[0] != verdict[1]) {
    char text[1200];
    snprintf(
        text, sizeof(text), "%d, not %d (%s)", verdict[1], verdict[0],
        verdict[0] < verdict[1] ? CALL(0, mjs_getError)(t->s[0]) : CALL(1, mjs_getError)(t->s[1]));
    wrong(q, "the verdict is", text);
  }
}

static void say(Sequence* q, const char* what, const char* more) {
  snprintf(q->last, sizeof(q->last), "%s %s", what, more);
  if (q->trace) fprintf(stderr, "%ld: spec %d: %s\n", q->number, q->spec, q->last);
}

// Adding

static int give_name(int i, mjsElement* e, const char* name) {
  return *name ? CALL(i, mjs_setName)(e, name) : 0;
}

// A new name, mostly; now and then one that may be there already, or none.
static const char* new_name(Sequence* q, char text[32]) {
  int choice = draw(q, 24);
  if (choice == 0) {
    snprintf(text, 32, "n%d", draw(q, q->names + 1));
  } else {
    snprintf(text, 32, choice < 3 ? "" : "n%d", q->names++);
  }
  return text;
}

typedef struct {  // everything that decides about a new element, drawn once
  mjtObj type;
  Pair body, frame;
  char name[32], class_name[32];
  double number[8];
  int choice[4];
} Plan;

static mjsElement* add_in_tree(int i, const Plan* p, const mjsDefault* def) {
  mjsBody* body = CALL(i, mjs_asBody)(p->body.e[i]);
  const double* x = p->number;
  switch ((int)p->type) {
    case mjOBJ_BODY: {
      mjsBody* b = CALL(i, mjs_addBody)(body, def);
      mjsGeom* geom = CALL(i, mjs_addGeom)(b, NULL);
      memcpy(b->pos, x, sizeof(b->pos));
      b->mocap = p->choice[0] == 0;
      geom->size[0] = 0.1;
      return b->element;
    }
    case mjOBJ_JOINT: {
      mjsJoint* joint = CALL(i, mjs_addJoint)(body, def);
      joint->type = p->choice[1] ? mjJNT_HINGE : (mjtJoint)p->choice[2];
      joint->axis[1] = x[0];
      joint->ref = x[1];
      joint->damping = fabs(x[2]);
      return joint->element;
    }
    case mjOBJ_GEOM: {
      mjsGeom* geom = CALL(i, mjs_addGeom)(body, def);
      geom->type = p->choice[1] ? mjGEOM_SPHERE : mjGEOM_CAPSULE;
      geom->size[0] = geom->size[1] = p->choice[3] ? 0.1 : x[0];
      memcpy(geom->pos, x, sizeof(geom->pos));
      return geom->element;
    }
    case mjOBJ_SITE: {
      mjsSite* site = CALL(i, mjs_addSite)(body, def);
      memcpy(site->pos, x, sizeof(site->pos));
      return site->element;
    }
    case mjOBJ_CAMERA:
      return CALL(i, mjs_addCamera)(body, def)->element;
    case mjOBJ_LIGHT:
      return CALL(i, mjs_addLight)(body, def)->element;
    default: {
      mjsFrame* frame = CALL(i, mjs_addFrame)(body, NULL);
      memcpy(frame->pos, x, sizeof(frame->pos));
      frame->alt.type = mjORIENTATION_EULER;
      memcpy(frame->alt.euler, x + 3, sizeof(frame->alt.euler));
      return frame->element;
    }
  }
}

static const mjsDefault* class_of(int i, const Twins* t, const Plan* p) {
  return *p->class_name ? CALL(i, mjs_findDefault)(t->s[i], p->class_name) : NULL;
}

static void draw_plan(Sequence* q, Plan* p) {
  static const char* const classes[] = {"", "", "", "c0", "c1"};
  memset(p, 0, sizeof(*p));
  for (int k = 0; k < 8; k++) p->number[k] = draw_number(q);
  for (int k = 0; k < 4; k++) p->choice[k] = draw(q, 4);
  new_name(q, p->name);
  snprintf(p->class_name, sizeof(p->class_name), "%s", classes[draw(q, 5)]);
}

static void grow_tree(Sequence* q, Twins* t) {
  static const mjtObj types[] = {mjOBJ_BODY,  mjOBJ_BODY,   mjOBJ_BODY,  mjOBJ_JOINT,
                                 mjOBJ_JOINT, mjOBJ_GEOM,   mjOBJ_FRAME, mjOBJ_FRAME,
                                 mjOBJ_SITE,  mjOBJ_CAMERA, mjOBJ_LIGHT};
  Plan p;
  int verdict[2];
  draw_plan(q, &p);
  p.type = types[draw(q, 11)];
  p.body = draw_element(q, t, mjOBJ_BODY, p.type == mjOBJ_JOINT);
  if (!p.body.e[0] || size_of(t) > LARGEST) return;
  t->mocap = t->mocap || (p.type == mjOBJ_BODY && p.choice[0] == 0);
  t->grown = true;
  if (p.type == mjOBJ_FRAME) snprintf(p.name, sizeof(p.name), "n%d", q->names++);
  char what[200];
  const char* kind = CALL(0, mju_type2Str)(p.type);
  snprintf(what, sizeof(what), "%s \"%s\" to \"%s\"", kind ? kind : "frame", p.name,
           name_of(0, p.body.e[0]));
  say(q, "add", what);
  BOTH(q, verdict, give_name(i, add_in_tree(i, &p, class_of(i, t, &p)), p.name));
}

static mjsElement* add_to_spec(int i, mjSpec* s, const Plan* p, const mjsDefault* def,
                               const char* const name[3]) {
  switch ((int)p->type) {
    case mjOBJ_ACTUATOR: {
      mjsActuator* a = CALL(i, mjs_addActuator)(s, def);
      a->trntype = mjTRN_JOINT;
      if (p->choice[0] == 0) a->dyntype = mjDYN_INTEGRATOR;
      CALL(i, mjs_setString)(a->target, name[0]);
      return a->element;
    }
    case mjOBJ_PAIR: {
      mjsPair* pair = CALL(i, mjs_addPair)(s, def);
      CALL(i, mjs_setString)(pair->geomname1, name[0]);
      CALL(i, mjs_setString)(pair->geomname2, name[1]);
      return pair->element;
    }
    case mjOBJ_EXCLUDE: {
      mjsExclude* exclude = CALL(i, mjs_addExclude)(s);
      CALL(i, mjs_setString)(exclude->bodyname1, name[0]);
      CALL(i, mjs_setString)(exclude->bodyname2, name[1]);
      return exclude->element;
    }
    case mjOBJ_TENDON: {
      mjsTendon* tendon = CALL(i, mjs_addTendon)(s, def);
      CALL(i, mjs_wrapSite)(tendon, name[0]);
      CALL(i, mjs_wrapSite)(tendon, name[1]);
      return tendon->element;
    }
    case mjOBJ_EQUALITY: {
      mjsEquality* equality = CALL(i, mjs_addEquality)(s, def);
      equality->type = p->choice[0] ? mjEQ_WELD : mjEQ_CONNECT;
      equality->objtype = mjOBJ_BODY;
      equality->data[0] = p->number[0];
      CALL(i, mjs_setString)(equality->name1, name[0]);
      CALL(i, mjs_setString)(equality->name2, name[1]);
      return equality->element;
    }
    case mjOBJ_SENSOR: {
      mjsSensor* sensor = CALL(i, mjs_addSensor)(s);
      sensor->type = p->choice[0] ? mjSENS_FRAMEPOS : mjSENS_CLOCK;
      sensor->objtype = p->choice[0] ? mjOBJ_BODY : mjOBJ_UNKNOWN;
      if (p->choice[0]) CALL(i, mjs_setString)(sensor->objname, name[0]);
      return sensor->element;
    }
    case mjOBJ_TUPLE: {
      mjsTuple* tuple = CALL(i, mjs_addTuple)(s);
      int type = mjOBJ_BODY;
      CALL(i, mjs_setInt)(tuple->objtype, &type, 1);
      CALL(i, mjs_setDouble)(tuple->objprm, p->number, 1);
      CALL(i, mjs_appendString)(tuple->objname, name[0]);
      return tuple->element;
    }
    case mjOBJ_MATERIAL:
      return CALL(i, mjs_addMaterial)(s, def)->element;
    default: {
      mjsNumeric* numeric = CALL(i, mjs_addNumeric)(s);
      numeric->size = 1 + p->choice[0];
      CALL(i, mjs_setDouble)(numeric->data, p->number, 1);
      return numeric->element;
    }
  }
}

// What the elements of each type refer to.
static mjtObj referred_type(mjtObj type) {
  switch ((int)type) {
    case mjOBJ_ACTUATOR:
      return mjOBJ_JOINT;
    case mjOBJ_PAIR:
      return mjOBJ_GEOM;
    case mjOBJ_TENDON:
      return mjOBJ_SITE;
    default:
      return mjOBJ_BODY;
  }
}

static void grow_lists(Sequence* q, Twins* t) {
  static const mjtObj types[] = {mjOBJ_ACTUATOR, mjOBJ_ACTUATOR, mjOBJ_PAIR,   mjOBJ_EXCLUDE,
                                 mjOBJ_TENDON,   mjOBJ_EQUALITY, mjOBJ_SENSOR, mjOBJ_TUPLE,
                                 mjOBJ_MATERIAL, mjOBJ_NUMERIC};
  Plan p;
  int verdict[2];
  char texts[3][64];
  const char* names[3] = {texts[0], texts[1], texts[2]};
  draw_plan(q, &p);
  p.type = types[draw(q, 10)];
  for (int k = 0; k < 3; k++) {
    snprintf(texts[k], sizeof(texts[k]), "%s", draw_name(q, t, referred_type(p.type)));
    if (q->over) return;
  }
  if (!*p.name) snprintf(p.name, sizeof(p.name), "n%d", q->names++);
  char what[200];
  snprintf(what, sizeof(what), "%s \"%s\" of \"%s\" \"%s\"", CALL(0, mju_type2Str)(p.type), p.name,
           names[0], names[1]);
  say(q, "add", what);
  BOTH(q, verdict, give_name(i, add_to_spec(i, t->s[i], &p, class_of(i, t, &p), names), p.name));
}

// Numbers of a key that differ from place to place, as many as there are in the last model.
static void fill_key(int i, mjDoubleVec* vector, mjtSize count, double first) {
  double* values = (double*)calloc((size_t)count + 1, sizeof(double));
  for (int k = 0; k < count; k++) values[k] = first + 0.25 * k;
  CALL(i, mjs_setDouble)(vector, values, (int)count);
  free(values);
}

// A key of the last model's size, with the vectors that the bits of `parts` say.
static int add_key(int i, const Twins* t, const char* name, int parts) {
  const mjModel* m = t->m[i];
  mjsKey* key = CALL(i, mjs_addKey)(t->s[i]);
  key->time = 0.5 * parts;
  if (parts & 1) fill_key(i, key->qpos, m->nq, 1);
  if (parts & 2) fill_key(i, key->qvel, m->nv, 2);
  if (parts & 4) fill_key(i, key->act, m->na, 3);
  if (parts & 8) fill_key(i, key->ctrl, m->nu, 4);
  if (parts & 16) fill_key(i, key->mpos, 3 * m->nmocap, 5);
  if (parts & 32) fill_key(i, key->mquat, 4 * m->nmocap, 6);
  return give_name(i, key->element, name);
}

// Compiling

static void release(Twins* t) {
  for (int i = 0; i < 2; i++) {
    score->library = i;
    if (t->d[i]) engines[i].mj_deleteData(t->d[i]);
    if (t->m[i]) engines[i].mj_deleteModel(t->m[i]);
    t->d[i] = NULL;
    t->m[i] = NULL;
  }
}

static mjSpec* make_spec(int i) {
  mjSpec* s = CALL(i, mj_makeSpec)();
  s->memory = 1 << 20;
  return s;
}

static void renew(Twins* t) {
  release(t);
  t->mocap = t->grown = t->renamed = t->keyed = t->waiting = t->compiled = t->copied = false;
  t->unknown = t->recompiled = false;
  t->untouched = true;
  t->former.count = 0;
  for (int i = 0; i < 2; i++) {
    score->library = i;
    if (t->s[i]) CALL(i, mj_deleteSpec)(t->s[i]);
    t->s[i] = make_spec(i);
  }
}

// The condition number of the mass matrix at qpos0, as the reference computes that matrix.
static double mass_condition(const mjModel* m) {
  int nv = (int)m->nv;
  size_t room = sizeof(double) * (size_t)(nv * nv + 1);
  score->library = 0;
  mjData* d = engines[0].mj_makeData(m);
  mjtNum* M = (mjtNum*)calloc(1, room);
  engines[0].mj_forward(m, d);
  engines[0].mj_fullM(m, M, d->qM);
  double* copy = (double*)calloc(1, room);
  for (int i = 0; i < nv * nv; i++) copy[i] = (double)M[i];
  double condition = matrix_condition(copy, nv);
  free(copy);
  free(M);
  engines[0].mj_deleteData(d);
  return condition;
}

// The inertia of a body in its own frame: what its moments and their axes mean together.
static void inertia_tensor(const mjModel* m, int body, mjtNum tensor[9]) {
  mjtNum axes[9];
  CALL(0, mju_quat2Mat)(axes, m->body_iquat + 4 * body);
  for (int i = 0; i < 9; i++) {
    tensor[i] = 0;
    for (int k = 0; k < 3; k++) {
      tensor[i] += axes[3 * (i / 3) + k] * m->body_inertia[3 * body + k] * axes[3 * (i % 3) + k];
    }
  }
}

// Of two equal moments rounding decides the axes: the same tensors are the same bodies.
static bool same_tensors(const mjModel* a, const mjModel* b) {
  for (int body = 0; body < a->nbody; body++) {
    mjtNum one[9], other[9], size = a->body_inertia[3 * body] + a->body_inertia[3 * body + 1];
    inertia_tensor(a, body, one);
    inertia_tensor(b, body, other);
    for (int i = 0; i < 9; i++) {
      if (!(fabs((double)(one[i] - other[i])) <= 1e-13 * (double)size)) return false;
    }
  }
  return true;
}

typedef struct {
  Sequence* q;
  const mjModel *m, *ours;
  int fields;
  bool singular;  // a field differs that is computed from the inverse of a singular matrix
  bool turned;    // axes of inertia differ, tensors do not
} FieldCount;

static void count_field(void* context, const FieldVerdict* v) {
  FieldCount* count = (FieldCount*)context;
  if (!v->wrong || v->kind != FIELD_RESULT) return;
  if (needs_inverse_mass(v->field)) {
    count->singular = count->singular || !(mass_condition(count->m) <= MOST_CONDITION);
    if (count->singular) return;
  }
  if (!strcmp(v->field, "body_iquat") && same_tensors(count->m, count->ours)) {
    count->turned = true;
    return;
  }
  if (count->fields++ >= 3) return;
  printf("sequence %ld: %s[%ld] is %.12g, not %.12g\n", count->q->number, v->field, v->worst.index,
         v->worst.ours, v->worst.reference);
}

static void compare_twins(Sequence* q, Twins* t) {
  FieldFilter all = {NULL, NULL};
  FieldCount count = {q, t->m[0], t->m[1], 0, false, false};
  score->models++;
  compare_models(t->m[0], t->m[1], &all, count_field, &count);
  if (count.singular) score->singular++;
  if (count.turned) score->turned++;
  if (count.fields) wrong(q, "other model", "");
}

// A state of the data that recompiling has to carry over.
static void set_state(int i, Twins* t) {
  const mjModel* m = t->m[i];
  mjData* d = t->d[i];
  for (int k = 0; k < m->nq; k++) d->qpos[k] += 0.01 * k + 0.1;
  for (int k = 0; k < m->nv; k++) d->qvel[k] = 0.02 * k - 0.3;
  for (int k = 0; k < m->na; k++) d->act[k] = 0.5 + k;
  for (int k = 0; k < m->nu; k++) d->ctrl[k] = 0.7 - k;
  for (int k = 0; k < 3 * m->nmocap; k++) d->mocap_pos[k] = 0.1 * k;
  d->time = 1.5;
}

// A compilation of the reference that fails has put waiting keys into the list, and they wait on:
// the next one puts them there again (docs/differences.md).
static void end_where_keys_repeat(Sequence* q, const Twins* t) {
  if (!t->waiting) return;
  score->repeated++;
  q->over = true;
}

static void compile(Sequence* q, Twins* t) {
  int verdict[2];
  release(t);
  t->compiled = t->untouched = false;
  say(q, "compile", "");
  BOTH(q, verdict, (t->m[i] = CALL(i, mj_compile)(t->s[i], NULL)) ? 0 : -1);
  if (!q->over && !t->m[0]) end_where_keys_repeat(q, t);
  if (q->over || !t->m[0]) return;
  compare_twins(q, t);
  for (int i = 0; i < 2; i++) {
    score->library = i;
    t->d[i] = engines[i].mj_makeData(t->m[i]);
    set_state(i, t);
  }
  t->nu = (int)t->m[0]->nu;
  t->mocap = t->grown = t->renamed = t->unknown = t->waiting = t->copied = false;
  t->compiled = true;
  t->former.count = 0;
}

// For actuators and mocap bodies that have come since, the reference reads outside its arrays; and
// for joints, if keys came with them. What came from a spec that was recompiled has the state of
// that time.
static void compare_state(Sequence* q, const Twins* t, bool controls) {
  const mjModel* m = t->m[0];
  const mjData *a = t->d[0], *b = t->d[1];
  const struct {
    const char* name;
    const mjtNum *theirs, *ours;
    mjtSize count;
  } part[] = {{"qpos", a->qpos, b->qpos, m->nq},
              {"qvel", a->qvel, b->qvel, m->nv},
              {"act", a->act, b->act, m->na},
              {"ctrl", a->ctrl, b->ctrl, controls ? m->nu : 0},
              {"mocap_pos", a->mocap_pos, b->mocap_pos, t->mocap ? 0 : 3 * m->nmocap},
              {"mocap_quat", a->mocap_quat, b->mocap_quat, t->mocap ? 0 : 4 * m->nmocap},
              {"time", &a->time, &b->time, 1}};
  for (size_t k = 0; k < sizeof(part) / sizeof(part[0]); k++) {
    for (mjtSize j = 0; j < part[k].count; j++) {
      if (fabs(part[k].theirs[j] - part[k].ours[j]) <= 1e-12) continue;
      char text[100];
      snprintf(text, sizeof(text), "%s[%d] is %g, not %g", part[k].name, (int)j,
               (double)part[k].ours[j], (double)part[k].theirs[j]);
      wrong(q, "other state:", text);
      return;
    }
  }
}

static void recompile(Sequence* q, Twins* t) {
  int verdict[2];
  if (!t->m[0]) return;
  say(q, "recompile", "");
  score->recompilations++;
  BOTH(q, verdict, CALL(i, mj_recompile)(t->s[i], NULL, t->m[i], t->d[i]));
  t->compiled = !verdict[0];
  if (verdict[0] || verdict[1]) {  // both model and data are gone
    for (int i = 0; i < 2; i++) {
      t->m[i] = NULL;
      t->d[i] = NULL;
    }
    if (!q->over) end_where_keys_repeat(q, t);
    return;
  }
  compare_twins(q, t);
  if (!q->over && !t->unknown) compare_state(q, t, t->m[0]->nu == t->nu);
  t->nu = (int)t->m[0]->nu;
  t->grown = t->renamed = t->waiting = t->copied = false;
  t->recompiled = true;
  t->former.count = 0;
}

// Changing

static int set_numbers(int i, mjsElement* e, const double x[3]) {
  if (CALL(i, mjs_asBody)(e)) memcpy(CALL(i, mjs_asBody)(e)->pos, x, 3 * sizeof(double));
  if (CALL(i, mjs_asGeom)(e)) CALL(i, mjs_asGeom)(e)->size[0] = fabs(x[0]);
  if (CALL(i, mjs_asSite)(e)) memcpy(CALL(i, mjs_asSite)(e)->pos, x, 3 * sizeof(double));
  if (CALL(i, mjs_asJoint)(e)) CALL(i, mjs_asJoint)(e)->stiffness = fabs(x[1]);
  if (CALL(i, mjs_asActuator)(e)) CALL(i, mjs_asActuator)(e)->gear[0] = x[2];
  return 0;
}

// Kinds, which decide how many numbers of a state an element has. Do they become more?
static int set_kind(int i, mjsElement* e, int kind, volatile bool* grows) {
  mjsActuator* actuator = CALL(i, mjs_asActuator)(e);
  mjsJoint* joint = CALL(i, mjs_asJoint)(e);
  int before = joint ? joint_nq(joint) : actuator ? actuator_nact(actuator) : 0;
  if (CALL(i, mjs_asBody)(e)) CALL(i, mjs_asBody)(e)->mocap = (mjtByte)(kind % 2);
  if (joint) joint->type = (mjtJoint)(kind % 4);
  if (actuator) {
    actuator->dyntype = kind ? mjDYN_USER : mjDYN_NONE;
    actuator->actdim = kind ? kind - 1 : -1;  // a dimension of 0 is refused
  }
  *grows = before < (joint ? joint_nq(joint) : actuator ? actuator_nact(actuator) : 0);
  return 0;
}

static void change(Sequence* q, Twins* t) {
  static const mjtObj types[] = {mjOBJ_BODY, mjOBJ_GEOM, mjOBJ_SITE, mjOBJ_JOINT, mjOBJ_ACTUATOR};
  double x[3] = {draw_number(q), draw_number(q), draw_number(q)};
  mjtObj type = types[draw(q, 5)];
  Pair e = draw_element(q, t, type, type == mjOBJ_BODY), f;
  int verdict[2], kind = draw(q, 5);
  char name[32];
  bool volatile grows = false;
  if (!e.e[0]) return;
  switch (draw(q, 4)) {
    case 0:
      if (!*new_name(q, name)) return;
      say(q, "rename to", name);
      t->renamed = true;
      add_name(&t->former, name_of(0, e.e[0]));
      BOTH(q, verdict, CALL(i, mjs_setName)(e.e[i], name));
      break;
    case 1:
      f = draw_element(q, t, mjOBJ_FRAME, false);
      if (!f.e[0] || type == mjOBJ_ACTUATOR) return;
      say(q, "move into a frame", name_of(0, e.e[0]));
      BOTH(q, verdict, CALL(i, mjs_setFrame)(e.e[i], CALL(i, mjs_asFrame)(f.e[i])));
      break;
    case 2:
      say(q, "change the kind of", name_of(0, e.e[0]));
      BOTH(q, verdict, set_kind(i, e.e[i], kind, &grows));
      t->mocap = t->mocap || type == mjOBJ_BODY;
      if (grows && !t->untouched) compile(q, t);
      break;
    default:
      say(q, "change", name_of(0, e.e[0]));
      BOTH(q, verdict, set_numbers(i, e.e[i], x));
      break;
  }
}

static int edit_class(int i, mjSpec* s, const char* name, const char* parent, const double x[3]) {
  mjsDefault* def = CALL(i, mjs_findDefault)(s, name);
  if (!def) def = CALL(i, mjs_addDefault)(s, name, CALL(i, mjs_findDefault)(s, parent));
  if (!def) return -1;
  def->geom->friction[0] = fabs(x[0]);
  def->joint->armature = fabs(x[1]);
  def->site->rgba[0] = (float)fabs(x[2]);
  return 0;
}

static void change_class(Sequence* q, Twins* t) {
  double x[3] = {draw_number(q), draw_number(q), draw_number(q)};
  const char *name = draw(q, 2) ? "c0" : "c1", *parent = draw(q, 2) ? "main" : "c0";
  int verdict[2];
  say(q, "change class", name);
  BOTH(q, verdict, edit_class(i, t->s[i], name, parent, x));
}

// Deleting and attaching

// By chance, a compilation before something is deleted or attached, where it could matter.
static bool settle(Sequence* q, Twins* t) {
  if (!t->keyed && !t->grown && !t->renamed) return true;
  if (!t->copied && draw(q, 100) >= q->settling) return true;
  compile(q, t);
  return !q->over && t->m[0];
}

// Names of a body and of all that is in it.
static void collect_names(Names* names, mjsElement* body) {
  names->count = 0;
  add_name(names, name_of(0, body));
  for (int type = mjOBJ_BODY; type <= mjOBJ_LIGHT; type++) {
    mjsBody* b = CALL(0, mjs_asBody)(body);
    mjsElement* e = CALL(0, mjs_firstChild)(b, (mjtObj)type, 1);
    for (; e; e = CALL(0, mjs_nextChild)(b, e, 1)) add_name(names, name_of(0, e));
  }
}

// Does an element refer to one of these names?
static bool refers_to(int i, mjsElement* e, const Names* names) {
  const mjString* name[2] = {NULL, NULL};
  if (CALL(i, mjs_asSensor)(e)) name[0] = CALL(i, mjs_asSensor)(e)->objname;
  if (CALL(i, mjs_asActuator)(e)) name[0] = CALL(i, mjs_asActuator)(e)->target;
  if (CALL(i, mjs_asPair)(e)) {
    name[0] = CALL(i, mjs_asPair)(e)->geomname1;
    name[1] = CALL(i, mjs_asPair)(e)->geomname2;
  }
  if (CALL(i, mjs_asExclude)(e)) {
    name[0] = CALL(i, mjs_asExclude)(e)->bodyname1;
    name[1] = CALL(i, mjs_asExclude)(e)->bodyname2;
  }
  if (CALL(i, mjs_asEquality)(e)) {
    name[0] = CALL(i, mjs_asEquality)(e)->name1;
    name[1] = CALL(i, mjs_asEquality)(e)->name2;
  }
  mjsTendon* tendon = CALL(i, mjs_asTendon)(e);
  for (int k = 0; tendon && k < CALL(i, mjs_getWrapNum)(tendon); k++) {
    if (has_name(names, name_of(i, CALL(i, mjs_getWrap)(tendon, k)->element))) return true;
  }
  for (int k = 0; k < 2; k++) {
    if (name[k] && has_name(names, CALL(i, mjs_getString)(name[k]))) return true;
  }
  return false;
}

// What refers to others, in a list of one of the libraries but not of the other: 1 if it refers to
// one of the names, -1 if it does not, 0 if there is none.
static int judge_extra(const Twins* t, int i, const Names* names) {
  static const mjtObj types[] = {mjOBJ_SENSOR,   mjOBJ_ACTUATOR, mjOBJ_PAIR, mjOBJ_EXCLUDE,
                                 mjOBJ_EQUALITY, mjOBJ_TENDON,   mjOBJ_TUPLE};
  int verdict = 0;
  for (size_t k = 0; k < sizeof(types) / sizeof(types[0]); k++) {
    mjsElement* e = CALL(i, mjs_firstElement)(t->s[i], types[k]);
    for (; e; e = CALL(i, mjs_nextElement)(t->s[i], e)) {
      if (CALL(1 - i, mjs_findElement)(t->s[1 - i], types[k], name_of(i, e))) continue;
      if (!refers_to(i, e, names)) return -1;
      verdict = 1;
    }
  }
  return verdict;
}

// The reference goes by names of the last compilation when a body is deleted: it keeps what refers
// to things in it that have come since, and drops what refers to names that things no longer have.
static void judge_deletion(Sequence* q, const Twins* t, const Names* gone) {
  int kept = judge_extra(t, 0, gone), dropped = judge_extra(t, 1, &t->former);
  if (kept == 0 && dropped == 0) return;
  if (kept < 0 || dropped < 0) {
    wrong(q, kept < 0 ? "only the reference keeps" : "only corten keeps", "what refers to it");
    return;
  }
  score->names++;
  q->over = true;
}

static void delete_something(Sequence* q, Twins* t) {
  static const mjtObj types[] = {mjOBJ_BODY, mjOBJ_BODY,     mjOBJ_GEOM,   mjOBJ_JOINT, mjOBJ_SITE,
                                 mjOBJ_KEY,  mjOBJ_ACTUATOR, mjOBJ_TENDON, mjOBJ_SENSOR};
  mjtObj type = types[draw(q, 9)];
  if (type == mjOBJ_BODY && !settle(q, t)) return;
  Pair e = draw_element(q, t, type, type == mjOBJ_BODY);
  int verdict[2];
  Names gone;
  if (!e.e[0]) return;
  char what[100];
  snprintf(what, sizeof(what), "%s \"%s\"", CALL(0, mju_type2Str)(type), name_of(0, e.e[0]));
  say(q, "delete", what);
  if (type == mjOBJ_BODY) collect_names(&gone, e.e[0]);
  BOTH(q, verdict, CALL(i, mjs_delete)(t->s[i], e.e[i]));
  if (type == mjOBJ_BODY && verdict[0] < 0 && !q->over) {
    t->waiting = false;
    compile(q, t);  // must fail too: the reference's spec cannot be used any more
  }
  if (verdict[0] < 0) q->over = true;
  if (type != mjOBJ_BODY || q->over) return;
  t->waiting = t->keyed;
  if (t->compiled && (t->grown || t->renamed)) judge_deletion(q, t, &gone);
}

static void attach(Sequence* q, int into) {
  int from = (into + 1 + draw(q, NSPEC - 1)) % NSPEC, verdict[2];
  Twins *parent = q->twins + into, *child = q->twins + from;
  if (!settle(q, parent) || !settle(q, child)) return;
  bool copy = draw(q, 2), site = draw(q, 4) == 0, whole = draw(q, 3) == 0;
  Pair place = draw_element(q, parent, site ? mjOBJ_SITE : mjOBJ_FRAME, false), what;
  what.e[0] = child->s[0]->element;
  what.e[1] = child->s[1]->element;
  if (!whole) what = draw_element(q, child, mjOBJ_BODY, true);
  if (!place.e[0] || !what.e[0] || size_of(parent) + size_of(child) > LARGEST) return;
  char prefix[32] = "";
  if (draw(q, 12)) snprintf(prefix, sizeof(prefix), "p%d_", q->names++);
  char words[200];
  snprintf(words, sizeof(words), "%.60s of spec %d to %.60s as \"%s\"",
           whole ? "all" : name_of(0, what.e[0]), from, name_of(0, place.e[0]), prefix);
  say(q, copy ? "attach a copy of" : "attach", words);
  for (int i = 0; i < 2; i++) CALL(i, mjs_setDeepCopy)(parent->s[i], copy);
  BOTH(q, verdict, CALL(i, mjs_attach)(place.e[i], what.e[i], prefix, "") ? 0 : -1);
  if (verdict[0] < 0) q->over = true;
  parent->mocap = parent->grown = true;
  parent->untouched = parent->untouched && child->untouched;
  parent->keyed = parent->waiting = parent->keyed || child->keyed;
  parent->unknown = parent->unknown || parent->keyed || child->recompiled;
  parent->recompiled = parent->recompiled || child->recompiled;
  if (!q->over && !copy) {
    say(q, "compile what was attached", "");
    BOTH(q, verdict, CALL(i, mj_compile)(child->s[i], NULL) ? 0 : -1);
    renew(child);
  }
}

static void copy_spec(Sequence* q, int from, int to) {
  Twins *source = q->twins + from, *target = q->twins + to;
  if (from == to) return;
  q->spec = from;
  if (source->waiting) compile(q, source);
  if (q->over || source->waiting) return;
  char words[32];
  snprintf(words, sizeof(words), "to spec %d", to);
  say(q, "copy", words);
  release(target);
  for (int i = 0; i < 2; i++) {
    score->library = i;
    mjSpec* copy = CALL(i, mj_copySpec)(source->s[i]);
    CALL(i, mj_deleteSpec)(target->s[i]);
    target->s[i] = copy;
  }
  target->grown = true;
  target->renamed = source->renamed;
  target->keyed = source->keyed;
  target->compiled = source->compiled;
  target->recompiled = source->recompiled;
  target->copied = source->keyed && (source->compiled || source->copied);
  target->waiting = source->waiting;
  target->untouched = source->untouched;
  target->former = source->former;
}

// Sequences

static void edit(Sequence* q) {
  int k = draw(q, NSPEC), what = draw(q, 52), verdict[2];
  Twins* t = q->twins + k;
  char name[32];
  q->spec = k;
  if (what < 18) {
    grow_tree(q, t);
  } else if (what < 26) {
    grow_lists(q, t);
  } else if (what < 31) {
    change(q, t);
  } else if (what < 33) {
    change_class(q, t);
  } else if (what < 36) {
    delete_something(q, t);
  } else if (what < 39) {
    attach(q, k);
  } else if (what < 42) {
    compile(q, t);
  } else if (what < 45) {
    recompile(q, t);
  } else if (what < 46) {
    copy_spec(q, k, draw(q, NSPEC));
  } else {
    compile(q, t);
    if (q->over || !t->m[0]) return;
    snprintf(name, sizeof(name), "n%d", q->names++);
    say(q, "add key", name);
    int parts = draw(q, 64) | draw(q, 64);
    BOTH(q, verdict, add_key(i, t, name, parts));
    t->keyed = true;
  }
}

static void run_sequence(long number, int settling, bool trace) {
  Sequence q;
  memset(&q, 0, sizeof(q));
  q.number = number;
  q.trace = trace;
  q.settling = settling;
  q.random = (uint32_t)number * 2654435761u + 12345;
  for (int k = 0; k < NSPEC; k++) renew(q.twins + k);
  int length = 10 + draw(&q, LONGEST);
  for (int k = 0; k < length && !q.over; k++) edit(&q);
  for (q.spec = 0; q.spec < NSPEC && !q.over; q.spec++) compile(&q, q.twins + q.spec);
  score->sequences++;
}

typedef struct {
  long first, last;
  int settling;
  bool trace;
  long* at;  // shared: the sequence that is under way
} Errands;

static int run_sequences(void* argument) {
  const Errands* errands = (const Errands*)argument;
  for (long n = errands->first; n < errands->last; n++) {
    *errands->at = n;
    run_sequence(n, errands->settling, errands->trace);
  }
  *errands->at = errands->last;
  return 0;
}

int main(int argc, char** argv) {
  enum { BLOCK = 50 };
  long first = 0, count = DEFAULT_SEQUENCES;
  int settling = 50;
  bool trace = false;
  if (argc < 3) {
    fprintf(
        stderr,
        "usage: conform_edits REFERENCE_LIB CORTEN_LIB [--sequences N] [--first K] [--settle P] "
        "[--trace]\n");
    return 2;
  }
  for (int k = 3; k < argc; k++) {
    if (!strcmp(argv[k], "--sequences") && k + 1 < argc) count = atol(argv[++k]);
    if (!strcmp(argv[k], "--first") && k + 1 < argc) first = atol(argv[++k]);
    if (!strcmp(argv[k], "--settle") && k + 1 < argc) settling = atoi(argv[++k]);
    if (!strcmp(argv[k], "--trace")) trace = true;
  }
  // mjs_addDefault of the reference reads memory that nobody set: it shall be zero every time
  mallopt(M_PERTURB, 0xff);
  engines[0] = engine_open(argv[1], "reference");
  engines[1] = engine_open(argv[2], "corten");
  score = (Score*)shared_memory(sizeof(Score));
  long *at = (long*)shared_memory(sizeof(long)), crashes[2] = {0, 0};
  for (long n = first; n < first + count;) {
    long last = n + BLOCK < first + count ? n + BLOCK : first + count;
    Errands errands = {n, last, settling, trace, at};
    int ended = run_apart(run_sequences, &errands, SECONDS);
    n = *at;
    if (ended == 0) continue;
    crashes[score->library]++;
    if (score->library || trace) {
      printf("sequence %ld: %s %s\n", n, score->library ? "corten" : "the reference",
             ended == CRASHED ? "crashes" : "takes for ever");
    }
    n++;
  }
  printf(
      "%ld sequences of %ld edits, %ld of them refused by both; %ld models compared, %ld "
      "recompilations\n",
      score->sequences, score->edits, score->refusals, score->models, score->recompilations);
  printf(
      "%ld differ; the reference crashes in %ld sequences, corten in %ld; %ld end where the "
      "reference repeats keys, %ld where it alone refuses their sizes, %ld differ by names of the "
      "last model; %ld models have singular mass matrices, %ld other axes of equal "
      "moments\n",
      score->wrong, crashes[0], crashes[1], score->repeated, score->sizes, score->names,
      score->singular, score->turned);
  return score->wrong > 0 || crashes[1] > 0;
}
