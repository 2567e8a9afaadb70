// Fusing static bodies into their parents.
//
// A body without joints becomes part of its parent, unless something needs it by name. The bodies
// are looked at in order, so chains of static bodies end up in the first ancestor that stays. The
// reference's oddities that show in models are kept: where the inertia of a fused body goes, and
// which names protect a body (see is_needed).

#include <string.h>

#include "compile/bodies.h"
#include "compile/inertia.h"
#include "spec/names.h"

// Who needs which body

typedef struct {
  bool* named;  // by number: an element refers to this body
  int last;     // largest such number; -1: none
} Needs;

// As in the reference, an xbody is no reason to keep a body: who names it so does not find it.
static void need(const ct_Compiler* c, Needs* needs, mjtObj type, const char* name) {
  if (type != mjOBJ_BODY || !name[0]) return;
  const ct_Work* body = ct_lookup(c, mjOBJ_BODY, name);
  if (!body) return;
  needs->named[body->id] = true;
  if (body->id > needs->last) needs->last = body->id;
}

static void need_of_tuple(const ct_Compiler* c, Needs* needs, const mjsTuple* tuple) {
  int count;
  const int* type = ct_ints(tuple->objtype, &count);
  const ct_Vector* names = ct_vec(tuple->objname);
  int nname = (int)ct_vector_count(names, sizeof(ct_String));
  for (int i = 0; i < count && i < nname; i++) {
    need(c, needs, (mjtObj)type[i], ct_string_get(ct_strings_at(names, (size_t)i)));
  }
}

static void need_of_element(const ct_Compiler* c, Needs* needs, const ct_Element* e) {
  switch ((int)ct_type(e)) {
    case mjOBJ_CAMERA:
      need(c, needs, mjOBJ_BODY, ct_text(CT_VALUES(mjsCamera, e)->targetbody));
      break;
    case mjOBJ_LIGHT:
      need(c, needs, mjOBJ_BODY, ct_text(CT_VALUES(mjsLight, e)->targetbody));
      break;
    case mjOBJ_SKIN: {
      const ct_Vector* names = ct_vec(CT_VALUES(mjsSkin, e)->bodyname);
      for (size_t i = 0; i < ct_vector_count(names, sizeof(ct_String)); i++) {
        need(c, needs, mjOBJ_BODY, ct_string_get(ct_strings_at(names, i)));
      }
      break;
    }
    case mjOBJ_EXCLUDE:
      need(c, needs, mjOBJ_BODY, ct_text(CT_VALUES(mjsExclude, e)->bodyname1));
      need(c, needs, mjOBJ_BODY, ct_text(CT_VALUES(mjsExclude, e)->bodyname2));
      break;
    case mjOBJ_EQUALITY: {
      const mjsEquality* eq = CT_VALUES(mjsEquality, e);
      if (eq->type != mjEQ_CONNECT && eq->type != mjEQ_WELD) break;
      need(c, needs, eq->objtype, ct_text(eq->name1));
      need(c, needs, eq->objtype, ct_text(eq->name2));
      break;
    }
    case mjOBJ_ACTUATOR: {
      const mjsActuator* actuator = CT_VALUES(mjsActuator, e);
      if (actuator->trntype == mjTRN_BODY) need(c, needs, mjOBJ_BODY, ct_text(actuator->target));
      break;
    }
    case mjOBJ_SENSOR: {
      const mjsSensor* sensor = CT_VALUES(mjsSensor, e);
      need(c, needs, sensor->objtype, ct_text(sensor->objname));
      need(c, needs, sensor->reftype, ct_text(sensor->refname));
      break;
    }
    case mjOBJ_TUPLE:
      need_of_tuple(c, needs, CT_VALUES(mjsTuple, e));
      break;
    default:
      break;
  }
}

// A force or torque sensor measures what passes between a body and its parent.
static void need_of_force_sensors(const ct_Compiler* c, Needs* needs) {
  for (int i = 0; i < CT_COUNT(c, mjOBJ_SENSOR); i++) {
    const mjsSensor* sensor = CT_VALUES(mjsSensor, c->list[mjOBJ_SENSOR].item[i]->element);
    if (sensor->type != mjSENS_FORCE && sensor->type != mjSENS_TORQUE) continue;
    const ct_WorkSite* site = (ct_WorkSite*)ct_lookup(c, mjOBJ_SITE, ct_text(sensor->objname));
    if (site) needs->named[site->body->head.id] = true;
  }
}

static Needs find_needs(ct_Compiler* c) {
  static const mjtObj type[] = {mjOBJ_CAMERA,   mjOBJ_LIGHT,    mjOBJ_SKIN,   mjOBJ_EXCLUDE,
                                mjOBJ_EQUALITY, mjOBJ_ACTUATOR, mjOBJ_SENSOR, mjOBJ_TUPLE};
  Needs needs = {NULL, -1};
  needs.named = (bool*)ct_pool_array(&c->pool, (size_t)CT_COUNT(c, mjOBJ_BODY), sizeof(bool));
  for (size_t k = 0; k < sizeof(type) / sizeof(type[0]); k++) {
    const ct_WorkList* list = &c->list[type[k]];
    for (int i = 0; i < list->count; i++) need_of_element(c, &needs, list->item[i]->element);
  }
  need_of_force_sensors(c, &needs);
  return needs;
}

// Bodies without a name are never needed. While bodies are being fused, names of bodies further on
// still lead to their old numbers; if one of these is beyond the end of the list, the reference
// finds nothing there and keeps the body that it is looking at.
static bool is_needed(const Needs* needs, const ct_WorkBody* body, int number, int nbody) {
  if (ct_string_empty(&body->head.element->name)) return false;
  if (needs->named[number]) return true;
  return needs->last > number && needs->last >= nbody;
}

// Inertia

// The reference takes the centre of the fused body at ipos + R(iquat) pos and its axes from iquat
// alone, both read in the parent's frame. That is right only without rotations, but it decides the
// numbers of models.
static void absorb_inertia(mjsBody* into, const mjsBody* from) {
  double r[9], centre[3], sum[9] = {0}, offset[3], mean[3];
  ct_quat_matrix(r, from->iquat);
  ct_matrix_times(centre, r, from->pos);
  for (int i = 0; i < 3; i++) centre[i] += from->ipos[i];

  double mass = into->mass + from->mass;
  if (mass < mjMINVAL) {
    into->mass = 0;
    memset(into->inertia, 0, sizeof(into->inertia));
    memset(into->ipos, 0, sizeof(into->ipos));
    memset(into->iquat, 0, sizeof(into->iquat));
    into->iquat[0] = 1;
    return;
  }
  for (int i = 0; i < 3; i++) {
    mean[i] = (into->mass * into->ipos[i] + from->mass * centre[i]) / mass;
  }
  for (int i = 0; i < 3; i++) offset[i] = into->ipos[i] - mean[i];
  ct_add_inertia(sum, into->iquat, into->inertia, into->mass, offset);
  double part[9] = {0};
  for (int i = 0; i < 3; i++) offset[i] = centre[i] - mean[i];
  ct_add_inertia(part, from->iquat, from->inertia, from->mass, offset);
  for (int i = 0; i < 9; i++) sum[i] += part[i];

  into->mass = mass;
  memcpy(into->ipos, mean, sizeof(mean));
  ct_principal_axes(into->inertia, into->iquat, sum);
}

// Fusing

// Inner nodes of a tree that is built again keep what was there before (bvh.c). Only to have the
// same as the reference there, trees are built again for every body that is fused; larger trees are
// not, because that takes quadratic time.
enum { MOST_REBUILT = 400 };  // nodes

static void move_children(const ct_WorkBody* body) {
  const ct_WorkList* children = &body->child[CT_CHILD_BODY];
  for (int i = 0; i < children->count; i++) {
    ct_WorkBody* child = CT_WORK(ct_WorkBody, *children, i);
    child->parent = body->parent;
    ct_pose_compose(child->v.pos, child->v.quat, body->v.pos, body->v.quat);
  }
}

static void move_contents(ct_Compiler* c, ct_WorkBody* body) {
  ct_WorkBody* into = body->parent;
  const mjsBody* at = &body->v;
  for (int i = 0; i < body->child[CT_CHILD_GEOM].count; i++) {
    ct_WorkGeom* geom = CT_WORK(ct_WorkGeom, body->child[CT_CHILD_GEOM], i);
    ct_pose_compose(geom->v.pos, geom->v.quat, at->pos, at->quat);
    geom->body = into;
    ct_work_append(c, &into->child[CT_CHILD_GEOM], &geom->head);
  }
  for (int i = 0; i < body->child[CT_CHILD_SITE].count; i++) {
    ct_WorkSite* site = CT_WORK(ct_WorkSite, body->child[CT_CHILD_SITE], i);
    ct_pose_compose(site->v.pos, site->v.quat, at->pos, at->quat);
    site->body = into;
    ct_work_append(c, &into->child[CT_CHILD_SITE], &site->head);
  }
  for (int i = 0; i < body->child[CT_CHILD_CAMERA].count; i++) {
    ct_WorkCamera* camera = CT_WORK(ct_WorkCamera, body->child[CT_CHILD_CAMERA], i);
    camera->body = into;
    ct_work_append(c, &into->child[CT_CHILD_CAMERA], &camera->head);
  }
  for (int i = 0; i < body->child[CT_CHILD_LIGHT].count; i++) {
    ct_WorkLight* light = CT_WORK(ct_WorkLight, body->child[CT_CHILD_LIGHT], i);
    light->body = into;
    ct_work_append(c, &into->child[CT_CHILD_LIGHT], &light->head);
  }
}

static void fuse(ct_Compiler* c, ct_WorkBody* body) {
  ct_WorkBody* into = body->parent;
  bool both = body->tree.nnode > 0 && into->tree.nnode > 0;
  into->surplus += body->surplus + both;
  if (!ct_is_world(into) && body->v.mass >= mjMINVAL) absorb_inertia(&into->v, &body->v);
  move_children(body);
  move_contents(c, body);
  into->contype |= body->contype;
  into->conaffinity |= body->conaffinity;
  if (body->margin > into->margin) into->margin = body->margin;
  if (into->tree.nnode < MOST_REBUILT) {
    ct_build_body_tree(c, into);
  } else {
    into->tree.outdated = true;
  }
  body->head.discard = true;
}

static void rebuild_trees(ct_Compiler* c) {
  for (int i = 0; i < CT_COUNT(c, mjOBJ_BODY); i++) {
    ct_WorkBody* body = ct_body_at(c, i);
    if (body->tree.outdated) ct_build_body_tree(c, body);
  }
}

// Putting lists in order

// Preorder is kept when bodies leave, so the remaining ones are numbered as they stand.
static void rebuild_lists(ct_Compiler* c) {
  ct_WorkList* bodies = &c->list[mjOBJ_BODY];
  for (int i = 0; i < bodies->count; i++) {
    if (bodies->item[i]->discard) c->body_position[i] = -1;
  }
  ct_drop_discarded(bodies);
  for (int i = 0; i < bodies->count; i++) ct_body_at(c, i)->child[CT_CHILD_BODY].count = 0;
  for (int i = 1; i < bodies->count; i++) {
    ct_WorkBody* body = ct_body_at(c, i);
    ct_work_append(c, &body->parent->child[CT_CHILD_BODY], &body->head);
  }
  for (int i = 0; i < bodies->count; i++) ct_weld_children(ct_body_at(c, i));
  int number = 0;
  for (int i = 0; i < c->names[mjOBJ_BODY].nname; i++) {
    if (c->body_position[i] >= 0) c->body_position[i] = number++;
  }
  ct_number_tree(c);
}

// The spec loses the fused bodies too.
static void change_spec(ct_Compiler* c, ct_WorkBody* const* fused, int nfused) {
  for (int b = 0; b < CT_COUNT(c, mjOBJ_BODY); b++) {
    const ct_WorkBody* body = ct_body_at(c, b);
    ct_Body* e = (ct_Body*)body->head.element;
    for (int k = CT_CHILD_BODY; k <= CT_CHILD_LIGHT; k++) {
      e->child[k].count = 0;
      for (int i = 0; i < body->child[k].count; i++) {
        ct_Element* held = body->child[k].item[i]->element;
        held->body = &e->element;
        ct_list_append(&e->child[k], held);
      }
    }
  }
  for (int i = 0; i < nfused; i++) {
    ct_Body* e = (ct_Body*)fused[i]->head.element;
    for (int k = CT_CHILD_BODY; k <= CT_CHILD_LIGHT; k++) e->child[k].count = 0;
    e->element.position = -1;
  }
  ct_names_forget(c->spec);
}

// Cameras and lights

// They start from the spec again, and then move with the body that they were in.
static void restart_views(ct_Compiler* c) {
  for (int i = 0; i < CT_COUNT(c, mjOBJ_LIGHT); i++) {
    ct_WorkLight* light = CT_WORK(ct_WorkLight, c->list[mjOBJ_LIGHT], i);
    ct_work_restart(&light->head);
    ct_compile_light(c, light);
  }
  for (int i = 0; i < CT_COUNT(c, mjOBJ_CAMERA); i++) {
    ct_WorkCamera* camera = CT_WORK(ct_WorkCamera, c->list[mjOBJ_CAMERA], i);
    ct_work_restart(&camera->head);
    ct_compile_camera(c, camera);
  }
}

static void move_views(const ct_WorkBody* body) {
  const mjsBody* at = &body->v;
  for (int i = 0; i < body->child[CT_CHILD_CAMERA].count; i++) {
    mjsCamera* camera = &CT_WORK(ct_WorkCamera, body->child[CT_CHILD_CAMERA], i)->v;
    ct_pose_compose(camera->pos, camera->quat, at->pos, at->quat);
  }
  for (int i = 0; i < body->child[CT_CHILD_LIGHT].count; i++) {
    mjsLight* light = &CT_WORK(ct_WorkLight, body->child[CT_CHILD_LIGHT], i)->v;
    double unused[4] = {1, 0, 0, 0};
    ct_pose_compose(light->pos, unused, at->pos, at->quat);
    ct_turn(light->dir, light->dir, at->quat);
  }
}

void ct_fuse_static(ct_Compiler* c) {
  Needs needs = find_needs(c);
  int count = CT_COUNT(c, mjOBJ_BODY), nfused = 0;
  ct_WorkBody** fused = (ct_WorkBody**)ct_pool_array(&c->pool, (size_t)count, sizeof(*fused));
  for (int i = 1; i < count; i++) {
    ct_WorkBody* body = ct_body_at(c, i);
    if (body->child[CT_CHILD_JOINT].count > 0 || body->v.mocap) continue;
    if (is_needed(&needs, body, i, count - nfused)) continue;
    fuse(c, body);
    fused[nfused++] = body;
  }
  if (nfused > 0) rebuild_lists(c);
  rebuild_trees(c);
  restart_views(c);
  for (int i = 0; i < nfused; i++) move_views(fused[i]);
  if (nfused > 0) change_spec(c, fused, nfused);
}
