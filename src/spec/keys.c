// Keyframes of a spec while its tree is still changing. See keys.h.

#include "spec/keys.h"

#include <stdlib.h>
#include <string.h>

#include "spec/compiled.h"

static void* allocate(size_t count, size_t size) {
  void* p = calloc(count ? count : 1, size);
  if (!p) mju_error("out of memory: no room for the keyframes of a spec");
  return p;
}

// Sizes

static int coordinates(mjtJoint type) {
  return type == mjJNT_FREE ? 7 : type == mjJNT_BALL ? 4 : 1;
}

int ct_joint_nq(const ct_Element* joint) {
  return coordinates(CT_VALUES(mjsJoint, joint)->type);
}

int ct_joint_nv(const ct_Element* joint) {
  mjtJoint type = CT_VALUES(mjsJoint, joint)->type;
  return type == mjJNT_FREE ? 6 : type == mjJNT_BALL ? 3 : 1;
}

static int actuator_nact(const mjsActuator* a) {
  if (a->actdim >= 0) return a->actdim;
  return a->dyntype != mjDYN_NONE;
}

int ct_actuator_nact(const ct_Element* actuator) {
  return actuator_nact(CT_VALUES(mjsActuator, actuator));
}

// The reference reads as many numbers as there are now, from where they stood: those of others, or
// of nobody, where there were fewer.
bool ct_joint_goes_on(const ct_Element* joint) {
  return !joint->compiled || coordinates(CT_COMPILED(mjsJoint, joint)->type) >= ct_joint_nq(joint);
}

int ct_actuator_kept_nact(const ct_Element* actuator) {
  int now = ct_actuator_nact(actuator);
  int then = actuator->compiled ? actuator_nact(CT_COMPILED(mjsActuator, actuator)) : now;
  return then < now ? then : now;
}

static bool is_mocap(const ct_Element* body) {
  return CT_VALUES(mjsBody, body)->mocap;
}

ct_KeySizes ct_key_sizes(const ct_Spec* spec) {
  ct_KeySizes size = {0, 0, 0, 0, 0};
  for (ct_Element* e = ct_first_element(spec, mjOBJ_JOINT); e; e = ct_next_element(e)) {
    size.nq += ct_joint_nq(e);
    size.nv += ct_joint_nv(e);
  }
  for (ct_Element* e = ct_first_element(spec, mjOBJ_ACTUATOR); e; e = ct_next_element(e)) {
    size.na += ct_actuator_nact(e);
    size.nu++;
  }
  for (ct_Element* e = ct_first_element(spec, mjOBJ_BODY); e; e = ct_next_element(e)) {
    size.nmocap += is_mocap(e);
  }
  return size;
}

static int length(const mjDoubleVec* vector) {
  int count;
  ct_doubles(vector, &count);
  return count;
}

// Has any key numbers? If not, nobody needs to know how many the tree has room for.
static bool have_numbers(const ct_List* keys) {
  for (int i = 0; i < keys->count; i++) {
    const mjsKey* key = CT_VALUES(mjsKey, keys->item[i]);
    if (length(key->qpos) || length(key->qvel) || length(key->act) || length(key->ctrl) ||
        length(key->mpos) || length(key->mquat))
      return true;
  }
  return false;
}

// Numbers of all vectors of a key.
typedef struct {
  int qpos, qvel, act, ctrl, mpos, mquat;
} KeyLengths;

static KeyLengths lengths_for(const ct_KeySizes* size) {
  return (KeyLengths){size->nq, size->nv, size->na, size->nu, 3 * size->nmocap, 4 * size->nmocap};
}

static KeyLengths lengths_of(const mjsKey* key) {
  return (KeyLengths){length(key->qpos), length(key->qvel), length(key->act),
                      length(key->ctrl), length(key->mpos), length(key->mquat)};
}

bool ct_keys_fit(const ct_Spec* spec, ct_Spec* report) {
  const ct_List* keys = &spec->list[mjOBJ_KEY];
  if (!have_numbers(keys)) return true;
  ct_KeySizes size = ct_key_sizes(spec);
  KeyLengths now = lengths_for(&size);
  KeyLengths then = spec->compiled ? lengths_for(&spec->state_sizes) : now;
  for (int i = 0; i < keys->count; i++) {
    // what each vector has, what the model needs, and what the last one needed
    KeyLengths found = lengths_of(CT_VALUES(mjsKey, keys->item[i]));
    const struct {
      const char* name;
      int found, now, then;
    } check[] = {
        {"qpos", found.qpos, now.qpos, then.qpos}, {"qvel", found.qvel, now.qvel, then.qvel},
        {"act", found.act, now.act, then.act},     {"ctrl", found.ctrl, now.ctrl, then.ctrl},
        {"mpos", found.mpos, now.mpos, then.mpos}, {"mquat", found.mquat, now.mquat, then.mquat}};

    // empty ones are not given
    for (size_t k = 0; k < sizeof(check) / sizeof(check[0]); k++) {
      int n = check[k].found;
      if (n == 0 || n == check[k].now || n == check[k].then) continue;
      char what[200];
      ct_spec_error(report, "%s: %s has %d numbers, but the model as it is now needs %d",
                    ct_describe(keys->item[i], what, sizeof(what)), check[k].name, n, check[k].now);
      return false;
    }
  }
  return true;
}

// Padding

// Kind that a joint counts as when keys are padded: that of its last compilation, or of its class
// if there was none, because the reference looks at values that a compilation has not refreshed
// yet. A copy of a compiled joint is what it is.
static mjtJoint padding_type(const ct_Element* joint) {
  bool copied = !joint->compiled && joint->state.compiled;
  return (copied ? CT_VALUES(mjsJoint, joint) : CT_COMPILED(mjsJoint, joint))->type;
}

// Raw reference values: angles as written, poses without frames. How many there are is up to the
// kind that the joint has now.
static void reference_qpos(double* qpos, const ct_Element* joint) {
  const mjsBody* body = CT_VALUES(mjsBody, joint->body);
  double reference[7] = {CT_VALUES(mjsJoint, joint)->ref};
  switch (padding_type(joint)) {
    case mjJNT_FREE:
      memcpy(reference, body->pos, sizeof(body->pos));
      memcpy(reference + 3, body->quat, sizeof(body->quat));
      break;
    case mjJNT_BALL:
      reference[0] = 1;
      break;
    default:
      break;
  }
  memcpy(qpos, reference, (size_t)ct_joint_nq(joint) * sizeof(double));
}

// Extends a vector that is neither empty nor long enough by the end of another one.
static void pad(mjDoubleVec* vector, const double* reference, int needed) {
  int given = length(vector);
  if (given == 0 || given >= needed) return;
  ct_vector_resize((ct_Vector*)vector, (size_t)needed, sizeof(double));
  double* values = (double*)(void*)((ct_Vector*)vector)->begin;
  for (int i = given; i < needed; i++) values[i] = reference ? reference[i] : 0;
}

// Poses of mocap bodies are padded body by body: a part of one is dropped.
static void pad_mocap(mjDoubleVec* vector, const double* reference, int per_body, int nmocap) {
  int given = length(vector);
  if (given == 0 || given >= per_body * nmocap) return;
  ct_vector_resize((ct_Vector*)vector, (size_t)(given - given % per_body), sizeof(double));
  if (given < per_body) {  // nothing is left, but the vector counts as given
    ct_vector_set((ct_Vector*)vector, reference, (size_t)(per_body * nmocap), sizeof(double));
    return;
  }
  pad(vector, reference, per_body * nmocap);
}

void ct_keys_pad(ct_Spec* spec) {
  const ct_List* keys = &spec->list[mjOBJ_KEY];
  if (!have_numbers(keys)) return;

  // the state that the spec describes
  ct_KeySizes size = ct_key_sizes(spec);
  double* qpos = (double*)allocate((size_t)size.nq, sizeof(double));
  double* mpos = (double*)allocate((size_t)size.nmocap, 3 * sizeof(double));
  double* mquat = (double*)allocate((size_t)size.nmocap, 4 * sizeof(double));
  int adr = 0, mocap = 0;
  for (ct_Element* e = ct_first_element(spec, mjOBJ_JOINT); e; e = ct_next_element(e)) {
    reference_qpos(qpos + adr, e);
    adr += ct_joint_nq(e);
  }
  for (ct_Element* e = ct_first_element(spec, mjOBJ_BODY); e; e = ct_next_element(e)) {
    if (!is_mocap(e)) continue;
    memcpy(mpos + 3 * mocap, CT_VALUES(mjsBody, e)->pos, 3 * sizeof(double));
    memcpy(mquat + 4 * mocap, CT_VALUES(mjsBody, e)->quat, 4 * sizeof(double));
    mocap++;
  }

  // its end completes what is too short; velocities, activations and controls are zero
  for (int i = 0; i < keys->count; i++) {
    const mjsKey* key = CT_VALUES(mjsKey, keys->item[i]);
    pad(key->qpos, qpos, size.nq);
    pad(key->qvel, NULL, size.nv);
    pad(key->act, NULL, size.na);
    pad(key->ctrl, NULL, size.nu);
    pad_mocap(key->mpos, mpos, 3, size.nmocap);
    pad_mocap(key->mquat, mquat, 4, size.nmocap);
  }
  free(qpos);
  free(mpos);
  free(mquat);
}

// Taking keys apart

// A key is laid out for the last model, where its elements know their places, or for the tree as it
// is now. Each vector tells by its length which; the last model goes first, as in the reference.
typedef struct {
  const mjsKey* key;
  struct {
    bool qpos, qvel, act, ctrl, mpos, mquat;
  } last;
  int q, v, act, ctrl, mocap;  // places in the tree of the element that is next
} Layout;

static Layout layout_of(const ct_Spec* spec, const mjsKey* key) {
  Layout layout = {.key = key};
  if (!spec->compiled) return layout;
  KeyLengths found = lengths_of(key), then = lengths_for(&spec->state_sizes);
  layout.last.qpos = found.qpos == then.qpos;
  layout.last.qvel = found.qvel == then.qvel;
  layout.last.act = found.act == then.act;
  layout.last.ctrl = found.ctrl == then.ctrl;
  layout.last.mpos = found.mpos == then.mpos;
  layout.last.mquat = found.mquat == then.mquat;
  return layout;
}

// Copies count numbers that start at adr of a vector, if it has them.
static bool take(double* to, const mjDoubleVec* vector, int adr, int count) {
  int n;
  const double* values = ct_doubles(vector, &n);
  if (adr < 0 || adr + count > n) return false;
  if (count > 0) memcpy(to, values + adr, (size_t)count * sizeof(double));
  return true;
}

static void take_joint(ct_PendingValue* value, Layout* at, ct_Element* joint) {
  const ct_StatePlace* then = &joint->state;
  int nq = ct_joint_nq(joint), nv = ct_joint_nv(joint);
  bool known = ct_joint_goes_on(joint);
  value->element = joint;
  int qpos = at->last.qpos ? (known ? then->qpos : -1) : at->q;
  int qvel = at->last.qvel ? (known ? then->dof : -1) : at->v;
  value->no_pos = !take(value->pos, at->key->qpos, qpos, nq);
  take(value->vel, at->key->qvel, qvel, nv);
  at->q += nq;
  at->v += nv;
}

static void take_actuator(ct_PendingValue* value, Layout* at, ct_Element* actuator) {
  const ct_StatePlace* then = &actuator->state;
  value->element = actuator;
  value->nact = ct_actuator_nact(actuator);
  value->act = (double*)allocate((size_t)value->nact, sizeof(double));
  int nact = at->last.act ? ct_actuator_kept_nact(actuator) : value->nact;
  take(value->pos, at->key->ctrl, at->last.ctrl ? then->ctrl : at->ctrl, 1);
  take(value->act, at->key->act, at->last.act ? then->act : at->act, nact);
  at->ctrl++;
  at->act += value->nact;
}

static void take_mocap(ct_PendingValue* value, Layout* at, ct_Element* body) {
  int then = body->state.mocap;
  value->element = body;
  int mpos = at->last.mpos ? then : at->mocap, mquat = at->last.mquat ? then : at->mocap;
  value->no_pos = !take(value->pos, at->key->mpos, 3 * mpos, 3);
  value->no_quat = !take(value->pos + 3, at->key->mquat, 4 * mquat, 4);
  at->mocap++;
}

// The numbers of a key, each with the element that it belongs to.
static ct_PendingKey* gather(const ct_Spec* spec, const ct_Element* e, int nvalue) {
  // what the key has
  const mjsKey* key = CT_VALUES(mjsKey, e);
  ct_PendingKey* pending = (ct_PendingKey*)allocate(1, sizeof(*pending));
  pending->value = (ct_PendingValue*)allocate((size_t)nvalue, sizeof(ct_PendingValue));
  pending->time = key->time;
  ct_string_set(&pending->name, ct_name(e));
  pending->has_qpos = length(key->qpos) > 0;
  pending->has_qvel = length(key->qvel) > 0;
  pending->has_act = length(key->act) > 0;
  pending->has_ctrl = length(key->ctrl) > 0;
  pending->has_mpos = length(key->mpos) > 0;
  pending->has_mquat = length(key->mquat) > 0;

  // whose numbers these are
  bool joints = pending->has_qpos || pending->has_qvel;
  bool actuators = pending->has_act || pending->has_ctrl;
  bool mocaps = pending->has_mpos || pending->has_mquat;
  Layout at = layout_of(spec, key);
  for (ct_Element* j = joints ? ct_first_element(spec, mjOBJ_JOINT) : NULL; j;
       j = ct_next_element(j)) {
    take_joint(&pending->value[pending->nvalue++], &at, j);
  }
  for (ct_Element* a = actuators ? ct_first_element(spec, mjOBJ_ACTUATOR) : NULL; a;
       a = ct_next_element(a)) {
    take_actuator(&pending->value[pending->nvalue++], &at, a);
  }
  for (ct_Element* b = mocaps ? ct_first_element(spec, mjOBJ_BODY) : NULL; b;
       b = ct_next_element(b)) {
    if (is_mocap(b)) take_mocap(&pending->value[pending->nvalue++], &at, b);
  }
  return pending;
}

ct_PendingKey* ct_keys_gather(const ct_Spec* spec) {
  const ct_List* keys = &spec->list[mjOBJ_KEY];
  if (!keys->count) return NULL;
  int nvalue = 0;
  if (have_numbers(keys)) {
    nvalue =
        ct_count(spec, mjOBJ_JOINT) + ct_count(spec, mjOBJ_ACTUATOR) + ct_key_sizes(spec).nmocap;
  }
  ct_PendingKey *first = NULL, **link = &first;
  for (int i = 0; i < keys->count; i++) {
    *link = gather(spec, keys->item[i], nvalue);
    link = &(*link)->next;
  }
  return first;
}

void ct_keys_append(ct_Spec* spec, ct_PendingKey* keys) {
  if (spec->pending) {
    spec->pending_last->next = keys;
  } else {
    spec->pending = keys;
  }
  for (ct_PendingKey* key = keys; key; key = key->next) {
    for (int i = 0; i < key->nvalue; i++) key->value[i].element->waiting = true;
    spec->pending_last = key;
  }
}

void ct_keys_free(ct_PendingKey* keys) {
  while (keys) {
    ct_PendingKey* next = keys->next;
    for (int i = 0; i < keys->nvalue; i++) free(keys->value[i].act);
    free(keys->value);
    ct_string_free(&keys->name);
    free(keys);
    keys = next;
  }
}

// A copy for the same elements, or for their twins, without those that have none.
static ct_PendingKey* copy_key(const ct_PendingKey* key, bool for_twins) {
  ct_PendingKey* copy = (ct_PendingKey*)allocate(1, sizeof(*copy));
  *copy = *key;
  copy->next = NULL;
  copy->key = NULL;
  memset(&copy->name, 0, sizeof(copy->name));
  ct_string_set(&copy->name, ct_string_get(&key->name));
  copy->value = (ct_PendingValue*)allocate((size_t)key->nvalue, sizeof(ct_PendingValue));
  copy->nvalue = 0;
  for (int i = 0; i < key->nvalue; i++) {
    const ct_PendingValue* from = &key->value[i];
    if (for_twins && !from->element->twin) continue;
    ct_PendingValue* to = &copy->value[copy->nvalue++];
    *to = *from;
    if (for_twins) to->element = from->element->twin;
    if (!from->act) continue;
    to->act = (double*)allocate((size_t)from->nact, sizeof(double));
    memcpy(to->act, from->act, (size_t)from->nact * sizeof(double));
  }
  return copy;
}

static ct_PendingKey* copy_keys(const ct_PendingKey* keys, bool for_twins) {
  ct_PendingKey *first = NULL, **link = &first;
  for (; keys; keys = keys->next) {
    *link = copy_key(keys, for_twins);
    link = &(*link)->next;
  }
  return first;
}

ct_PendingKey* ct_keys_copy(const ct_PendingKey* keys) {
  return copy_keys(keys, false);
}

ct_PendingKey* ct_keys_of_twins(const ct_PendingKey* keys) {
  return copy_keys(keys, true);
}

// Putting them together

void ct_pending_make(ct_Spec* spec) {
  for (ct_PendingKey* key = spec->pending; key; key = key->next) {
    if (key->key) continue;
    key->key = ct_element_make(spec, mjOBJ_KEY, NULL);
    CT_VALUES(mjsKey, key->key)->time = key->time;
    ct_string_set(&key->key->name, ct_string_get(&key->name));
    ct_list_append(&spec->list[mjOBJ_KEY], key->key);
  }
}

// A vector of the given length, zero, or NULL if the key does not have it.
static double* give(mjDoubleVec* vector, bool has, mjtSize count) {
  if (!has) return NULL;
  ct_vector_resize((ct_Vector*)vector, 0, sizeof(double));
  ct_vector_resize((ct_Vector*)vector, (size_t)count, sizeof(double));
  return (double*)(void*)((ct_Vector*)vector)->begin;
}

static void put(double* vector, const double* values, int adr, int count, mjtSize size) {
  if (vector && adr >= 0 && adr + count <= size) {
    memcpy(vector + adr, values, (size_t)count * sizeof(double));
  }
}

static void fill(ct_PendingKey* pending, const mjModel* m) {
  const mjsKey* key = CT_VALUES(mjsKey, pending->key);
  double* qpos = give(key->qpos, pending->has_qpos, m->nq);
  double* qvel = give(key->qvel, pending->has_qvel, m->nv);
  double* act = give(key->act, pending->has_act, m->na);
  double* ctrl = give(key->ctrl, pending->has_ctrl, m->nu);
  double* mpos = give(key->mpos, pending->has_mpos, 3 * m->nmocap);
  double* mquat = give(key->mquat, pending->has_mquat, 4 * m->nmocap);

  // where nothing was said: the reference pose
  for (int i = 0; qpos && i < m->nq; i++) qpos[i] = m->qpos0[i];
  for (int b = 0; b < m->nbody; b++) {
    int mocap = m->body_mocapid[b];
    for (int k = 0; mpos && mocap >= 0 && k < 3; k++) mpos[3 * mocap + k] = m->body_pos[3 * b + k];
    for (int k = 0; mquat && mocap >= 0 && k < 4; k++)
      mquat[4 * mocap + k] = m->body_quat[4 * b + k];
  }

  for (int i = 0; i < pending->nvalue; i++) {
    const ct_PendingValue* value = &pending->value[i];
    const ct_Element* e = value->element;
    if (e->spec != pending->key->spec) continue;
    if (ct_type(e) == mjOBJ_JOINT) {
      if (!value->no_pos) put(qpos, value->pos, e->state.qpos, ct_joint_nq(e), m->nq);
      put(qvel, value->vel, e->state.dof, ct_joint_nv(e), m->nv);
    } else if (ct_type(e) == mjOBJ_ACTUATOR) {
      put(ctrl, value->pos, e->state.ctrl, 1, m->nu);
      int now = ct_actuator_nact(e);  // it may have shrunk since
      put(act, value->act, e->state.act, value->nact < now ? value->nact : now, m->na);
    } else if (e->state.mocap >= 0) {
      if (!value->no_pos) put(mpos, value->pos, 3 * e->state.mocap, 3, 3 * m->nmocap);
      if (!value->no_quat) put(mquat, value->pos + 3, 4 * e->state.mocap, 4, 4 * m->nmocap);
    }
  }
}

void ct_pending_fill(ct_Spec* spec, const mjModel* m) {
  for (ct_PendingKey* key = spec->pending; key; key = key->next) {
    if (key->key) fill(key, m);
  }
  ct_keys_free(spec->pending);
  spec->pending = NULL;
}
