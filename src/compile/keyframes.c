// Keyframes, and where the state of each element stands in the model.

#include "spec/keys.h"

#include <string.h>

#include "compile/compile.h"
#include "math/vec.h"

void ct_size_keys(ct_Compiler* c) {
  c->size.nkey = CT_COUNT(c, mjOBJ_KEY);
}

// Addresses

// Gives an element new places; the old ones are kept for the case that the compilation fails.
static void give_places(ct_Compiler* c, ct_Element* e, ct_StatePlace place) {
  ct_FormerPlace* former = &c->former_place[c->nformer_place++];
  former->element = e;
  former->place = e->state;
  e->state = place;
}

// Elements remember where their state stands: pending keyframes and the next recompilation need it.
static void keep_addresses(ct_Compiler* c) {
  const mjModel* m = c->model;
  int njoint = CT_COUNT(c, mjOBJ_JOINT), nactuator = CT_COUNT(c, mjOBJ_ACTUATOR);
  int nbody = CT_COUNT(c, mjOBJ_BODY), ngeom = CT_COUNT(c, mjOBJ_GEOM);
  c->former_place = (ct_FormerPlace*)ct_pool_array(
      &c->pool, (size_t)(njoint + nactuator + nbody + ngeom), sizeof(ct_FormerPlace));
  for (int i = 0; i < njoint; i++) {
    const ct_WorkJoint* joint = ct_joint_at(c, i);
    ct_StatePlace place = {joint->qposadr, joint->dofadr, -1, -1, -1, true};
    give_places(c, joint->head.element, place);
  }
  for (int i = 0; i < nactuator; i++) {
    const ct_WorkActuator* actuator = CT_WORK(ct_WorkActuator, c->list[mjOBJ_ACTUATOR], i);
    ct_StatePlace place = {-1, -1, actuator->actadr, i, -1, true};
    give_places(c, actuator->head.element, place);
  }
  for (int i = 0; i < nbody; i++) {
    const ct_WorkBody* body = ct_body_at(c, i);
    ct_StatePlace place = {-1, -1, -1, -1, body->mocapid, true};
    give_places(c, body->head.element, place);
  }
  for (int i = 0; i < ngeom; i++) {
    ct_StatePlace place = {-1, -1, -1, -1, -1, true};
    give_places(c, c->list[mjOBJ_GEOM].item[i]->element, place);
  }
  ct_KeySizes sizes = {(int)m->nq, (int)m->nv, (int)m->na, (int)m->nu, (int)m->nmocap};
  c->former_state_sizes = c->spec->state_sizes;
  c->spec->state_sizes = sizes;
}

void ct_restore_state_places(ct_Compiler* c) {
  for (int i = 0; i < c->nformer_place; i++) {
    c->former_place[i].element->state = c->former_place[i].place;
  }
  if (c->nformer_place) c->spec->state_sizes = c->former_state_sizes;
}

// Completing

// The given numbers, or the defaults where none are given (NULL: zeros).
static void complete(ct_Compiler* c, const ct_Element* e, const char* name, mjtNum* row,
                     const mjDoubleVec* given, const mjtNum* otherwise, mjtSize size) {
  int count;
  const double* number = ct_doubles(given, &count);
  if (count != 0 && count != size) {
    ct_fail(c, e, "%s has %d numbers, the model needs %d", name, count, (int)size);
  }
  for (int i = 0; i < size; i++) {
    row[i] = count ? (mjtNum)number[i] : otherwise ? otherwise[i] : 0;
  }
}

static void unit_quat(mjtNum quat[4], bool repair) {
  double q[4] = {quat[0], quat[1], quat[2], quat[3]};
  ct_normalize64(q, 4);
  for (int i = 0; i < 4; i++) quat[i] = (mjtNum)q[i];
  if (repair) ct_normalize4(quat);
}

static void unit_quats(const mjModel* m, int key) {
  mjtNum* qpos = m->key_qpos + key * m->nq;
  for (int j = 0; j < m->njnt; j++) {
    if (m->jnt_type[j] == mjJNT_FREE) unit_quat(qpos + m->jnt_qposadr[j] + 3, true);
    if (m->jnt_type[j] == mjJNT_BALL) unit_quat(qpos + m->jnt_qposadr[j], true);
  }
  for (int k = 0; k < m->nmocap; k++) unit_quat(m->key_mquat + 4 * (key * m->nmocap + k), false);
}

// Poses of the mocap bodies, in their order.
static void mocap_poses(const ct_Compiler* c, mjtNum* pos, mjtNum* quat) {
  const mjModel* m = c->model;
  for (int b = 0; b < m->nbody; b++) {
    int k = m->body_mocapid[b];
    if (k < 0) continue;
    memcpy(pos + 3 * k, m->body_pos + 3 * b, 3 * sizeof(mjtNum));
    memcpy(quat + 4 * k, m->body_quat + 4 * b, 4 * sizeof(mjtNum));
  }
}

void ct_copy_keys(ct_Compiler* c) {
  mjModel* m = c->model;
  keep_addresses(c);
  ct_pending_fill(c->spec, m);
  size_t nmocap = (size_t)m->nmocap;
  mjtNum* pos = (mjtNum*)ct_pool_array(&c->pool, nmocap, 3 * sizeof(mjtNum));
  mjtNum* quat = (mjtNum*)ct_pool_array(&c->pool, nmocap, 4 * sizeof(mjtNum));
  mocap_poses(c, pos, quat);
  for (int i = 0; i < m->nkey; i++) {
    const ct_Element* e = c->list[mjOBJ_KEY].item[i]->element;
    const mjsKey* v = CT_VALUES(mjsKey, e);
    m->key_time[i] = (mjtNum)v->time;
    complete(c, e, "qpos", m->key_qpos + i * m->nq, v->qpos, m->qpos0, m->nq);
    complete(c, e, "qvel", m->key_qvel + i * m->nv, v->qvel, NULL, m->nv);
    complete(c, e, "act", m->key_act + i * m->na, v->act, NULL, m->na);
    complete(c, e, "mpos", m->key_mpos + 3 * i * m->nmocap, v->mpos, pos, 3 * m->nmocap);
    complete(c, e, "mquat", m->key_mquat + 4 * i * m->nmocap, v->mquat, quat, 4 * m->nmocap);
    complete(c, e, "ctrl", m->key_ctrl + i * m->nu, v->ctrl, NULL, m->nu);
    unit_quats(m, i);
  }
}
