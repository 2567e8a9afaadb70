// Stories about what goes along when a part is attached, and about names that stand twice. Specs
// are read from texts; see scenarios.h.

#include <mujoco/mujoco.h>
#include <string.h>

#include "spec/scenarios.h"

static mjSpec* read_spec(const char* text) {
  return mj_parseXMLString(text, NULL, NULL, 0);
}

static mjsElement* frame_of(mjSpec* spec) {
  return mjs_addFrame(mjs_findBody(spec, "world"), NULL)->element;
}

// Names of all elements of a type.
static void print_names(FILE* out, mjSpec* spec, mjtObj type) {
  mjsElement* e = mjs_firstElement(spec, type);
  for (; e; e = mjs_nextElement(spec, e)) fprintf(out, " %s", mjs_getString(mjs_getName(e)));
  fprintf(out, "\n");
}

static mjsElement* add_listed(mjSpec* spec, mjtObj type) {
  switch ((int)type) {
    case mjOBJ_PAIR:
      return mjs_addPair(spec, NULL)->element;
    case mjOBJ_EXCLUDE:
      return mjs_addExclude(spec)->element;
    case mjOBJ_TENDON:
      return mjs_addTendon(spec, NULL)->element;
    case mjOBJ_EQUALITY:
      return mjs_addEquality(spec, NULL)->element;
    case mjOBJ_ACTUATOR:
      return mjs_addActuator(spec, NULL)->element;
    case mjOBJ_SENSOR:
      return mjs_addSensor(spec)->element;
    case mjOBJ_TUPLE:
      return mjs_addTuple(spec)->element;
    case mjOBJ_MATERIAL:
      return mjs_addMaterial(spec, NULL)->element;
    case mjOBJ_NUMERIC:
      return mjs_addNumeric(spec)->element;
    case mjOBJ_KEY:
      return mjs_addKey(spec)->element;
    default:
      return mjs_addText(spec)->element;
  }
}

static const mjtObj listed[] = {mjOBJ_PAIR,     mjOBJ_EXCLUDE, mjOBJ_TENDON, mjOBJ_EQUALITY,
                                mjOBJ_ACTUATOR, mjOBJ_SENSOR,  mjOBJ_TUPLE,  mjOBJ_MATERIAL,
                                mjOBJ_NUMERIC,  mjOBJ_KEY,     mjOBJ_TEXT};

// Two elements of each type have the same name, in the parent or in the child; what is attached has
// nothing to do with them.
static void attach_beside_repeats(FILE* out, mjtObj type, int by_copy, int in_child) {
  mjSpec* parent = mj_makeSpec();
  mjSpec* child = read_spec("<mujoco><worldbody><body name='b'/></worldbody></mujoco>");
  mjsElement* frame = frame_of(parent);
  mjs_setDeepCopy(parent, by_copy);
  for (int k = 0; k < 2; k++) mjs_setName(add_listed(in_child ? child : parent, type), "x");
  mjsElement* came = mjs_attach(frame, mjs_findBody(child, "b")->element, "p_", "");
  fprintf(out, "%s, %s, in the %s: %d\n", mju_type2Str(type), by_copy ? "copy" : "reference",
          in_child ? "child" : "parent", came != NULL);
  mj_deleteSpec(parent);
  mj_deleteSpec(child);
}

void attach_with_names_that_stand_twice(FILE* out) {
  for (size_t k = 0; k < sizeof(listed) / sizeof(listed[0]); k++) {
    for (int way = 0; way < 4; way++) attach_beside_repeats(out, listed[k], way & 1, way >> 1);
  }
}

// Which sensors without an object, and whether an empty tuple, go along.
void attach_what_refers_to_nothing(FILE* out) {
  for (int type = 0; type <= mjSENS_USER; type++) {
    mjSpec* parent = mj_makeSpec();
    mjSpec* child = read_spec("<mujoco><worldbody><body name='b'/></worldbody></mujoco>");
    mjsElement* frame = frame_of(parent);
    mjs_setDeepCopy(parent, 1);
    mjsSensor* sensor = mjs_addSensor(child);
    sensor->type = (mjtSensor)type;
    mjs_setName(sensor->element, "s");
    mjs_setName(mjs_addTuple(child)->element, "t");
    mjs_attach(frame, mjs_findBody(child, "b")->element, "p_", "");
    fprintf(out, "sensors of type %d:", type);
    print_names(out, parent, mjOBJ_SENSOR);
    if (type == 0) print_names(out, parent, mjOBJ_TUPLE);
    mj_deleteSpec(parent);
    mj_deleteSpec(child);
  }
}

static void print_model_keys(FILE* out, const char* title, mjModel* m) {
  fprintf(out, "%s: %d tendons\n", title, m ? (int)m->ntendon : -1);
  for (int k = 0; m && k < m->nkey; k++) {
    fprintf(out, " key %d:", k);
    for (int i = 0; i < m->nq; i++) fprintf(out, " %.9g", (double)m->key_qpos[k * m->nq + i]);
    for (int i = 0; i < m->nu; i++) fprintf(out, " c%.9g", (double)m->key_ctrl[k * m->nu + i]);
    fprintf(out, "\n");
  }
  mj_deleteModel(m);
}

// A joint that was compiled pads keys as what it is also when it is a copy.
void keys_padded_by_compiled_joints(FILE* out) {
  static const char two[] =
      "<mujoco><worldbody><body name='b'><joint name='j'/><geom size='.1'/></body></worldbody>"
      "<keyframe><key name='k' qpos='.5'/></keyframe></mujoco>";
  for (int compiled = 0; compiled < 2; compiled++) {
    mjSpec *parent = read_spec(two), *child = read_spec(two);
    mjsElement* frame = frame_of(parent);
    mjsJoint* ball = mjs_addJoint(mjs_findBody(child, "b"), NULL);
    ball->type = mjJNT_BALL;
    ball->ref = -7;
    mjs_delete(child, mjs_firstElement(child, mjOBJ_KEY));
    if (compiled) mj_deleteModel(mj_compile(child, NULL));
    mjs_setDeepCopy(parent, 1);
    mjs_attach(frame, mjs_findBody(child, "b")->element, "p_", "");
    print_model_keys(out, compiled ? "compiled" : "not compiled", mj_compile(parent, NULL));
    mj_deleteSpec(parent);
    mj_deleteSpec(child);
  }
}

// Controls of keys that wait get lost when the body of a replicate goes, but not those of actuators
// that lead nowhere yet: their joint comes later in the file, or their tendon goes around a geom
// that counts as a box as long as it was not compiled.
void controls_of_keys_that_wait(FILE* out) {
  static const char head[] =
      "<mujoco><default><default class='k'><geom type='box'/></default></default><worldbody>";
  static const char body[] =
      "<body><site name='s'/><joint name='j'/><geom name='g' size='.1'/>"
      "<geom name='b' type='sphere' class='k' size='.1'/></body>";
  static const char copies[] = "<replicate count='2'><body/></replicate>";
  static const char tail[] =
      "</worldbody><tendon><spatial name='t'><site site='s'/><geom geom='%s'/><site site='s'/>"
      "</spatial></tendon><actuator><motor joint='j'/><motor tendon='t'/></actuator>"
      "<keyframe><key ctrl='3 4'/></keyframe></mujoco>";
  for (int way = 0; way < 4; way++) {
    char text[1000];
    size_t n = (size_t)snprintf(text, sizeof(text), "%s%s%s", head, way & 1 ? copies : body,
                                way & 1 ? body : copies);
    snprintf(text + n, sizeof(text) - n, tail, way & 2 ? "b" : "g");
    mjSpec* spec = read_spec(text);
    print_model_keys(out, way & 1 ? "copies first" : "body first", mj_compile(spec, NULL));
    mj_deleteSpec(spec);
  }
}
