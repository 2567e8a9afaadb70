// Bodies: the order in which a body puts its parts together.

#include "compile/bodies.h"

#include <string.h>

#include "compile/inertia.h"

static void compile_frames(ct_Compiler* c, const ct_WorkBody* body) {
  const ct_List* frames = &((const ct_Body*)body->head.element)->child[CT_CHILD_FRAME];
  for (int i = 0; i < frames->count; i++) ct_compile_frame(c, frames->item[i]);
}

// Children are welded to themselves if they have joints, else to what this body is welded to.
void ct_weld_children(ct_WorkBody* body) {
  const ct_WorkList* children = &body->child[CT_CHILD_BODY];
  for (int i = 0; i < children->count; i++) {
    ct_WorkBody* child = CT_WORK(ct_WorkBody, *children, i);
    child->weld = child->child[CT_CHILD_JOINT].count > 0 ? child : body->weld;
  }
}

// Contact bits and margin from the geoms.
static void combine_geoms(ct_WorkBody* body) {
  const ct_WorkList* geoms = &body->child[CT_CHILD_GEOM];
  body->contype = body->conaffinity = 0;
  body->margin = 0;
  for (int i = 0; i < geoms->count; i++) {
    const mjsGeom* geom = &CT_WORK(ct_WorkGeom, *geoms, i)->v;
    body->contype |= geom->contype;
    body->conaffinity |= geom->conaffinity;
    if (geom->margin > body->margin) body->margin = geom->margin;
  }
}

// Free joints at inertial frames

// Is the frame of the body to be moved to its inertial frame?
static bool is_aligned(const ct_WorkBody* body) {
  const ct_WorkList* joints = &body->child[CT_CHILD_JOINT];
  if (joints->count != 1 || body->child[CT_CHILD_BODY].count > 0) return false;
  const ct_WorkJoint* joint = CT_WORK(ct_WorkJoint, *joints, 0);
  if (joint->v.type != mjJNT_FREE) return false;
  if (joint->v.align == mjALIGNFREE_AUTO) return ct_settings(joint->head.element)->alignfree == 1;
  return joint->v.align == mjALIGNFREE_TRUE;
}

typedef struct {
  double pos[3], quat[4];
} Pose;

// The body moves, its geoms stay where they are. Returns how the parts of the body are to move in
// it.
static Pose align_geoms(ct_WorkBody* body) {
  mjsBody* v = &body->v;
  Pose back;
  memcpy(back.pos, v->ipos, sizeof(back.pos));
  memcpy(back.quat, v->iquat, sizeof(back.quat));

  double pos[3], quat[4];
  memcpy(pos, v->ipos, sizeof(pos));
  memcpy(quat, v->iquat, sizeof(quat));
  ct_pose_compose(pos, quat, v->pos, v->quat);
  memcpy(v->pos, pos, sizeof(pos));
  memcpy(v->quat, quat, sizeof(quat));

  ct_pose_invert(back.pos, back.quat);
  const ct_WorkList* geoms = &body->child[CT_CHILD_GEOM];
  for (int i = 0; i < geoms->count; i++) {
    mjsGeom* geom = &CT_WORK(ct_WorkGeom, *geoms, i)->v;
    ct_pose_compose(geom->pos, geom->quat, back.pos, back.quat);
  }
  memset(v->ipos, 0, sizeof(v->ipos));
  memset(v->iquat, 0, sizeof(v->iquat));
  v->iquat[0] = 1;
  return back;
}

static void align_others(ct_WorkBody* body, const Pose* back) {
  const ct_WorkList* list = body->child;
  for (int i = 0; i < list[CT_CHILD_SITE].count; i++) {
    mjsSite* site = &CT_WORK(ct_WorkSite, list[CT_CHILD_SITE], i)->v;
    ct_pose_compose(site->pos, site->quat, back->pos, back->quat);
  }
  for (int i = 0; i < list[CT_CHILD_CAMERA].count; i++) {
    mjsCamera* camera = &CT_WORK(ct_WorkCamera, list[CT_CHILD_CAMERA], i)->v;
    ct_pose_compose(camera->pos, camera->quat, back->pos, back->quat);
  }
  for (int i = 0; i < list[CT_CHILD_LIGHT].count; i++) {
    mjsLight* light = &CT_WORK(ct_WorkLight, list[CT_CHILD_LIGHT], i)->v;
    double unused[4] = {1, 0, 0, 0};
    ct_pose_compose(light->pos, unused, back->pos, back->quat);
    ct_turn(light->dir, light->dir, back->quat);
  }
}

// One body

static void compile_geom(ct_Compiler* c, ct_Work* work) {
  ct_compile_geom(c, (ct_WorkGeom*)work);
}

static bool has_mistaken_geoms(const ct_WorkBody* body) {
  const ct_WorkList* geoms = &body->child[CT_CHILD_GEOM];
  for (int i = 0; i < geoms->count; i++) {
    if (geoms->item[i]->mistaken) return true;
  }
  return false;
}

static void compile_pose_and_inertia(ct_Compiler* c, ct_Work* work) {
  ct_WorkBody* body = (ct_WorkBody*)work;
  const ct_Element* e = body->head.element;
  mjsBody* v = &body->v;
  ct_normalize64(v->quat, 4);
  ct_normalize64(v->iquat, 4);
  ct_resolve_orientation(c, e, v->quat, &v->alt);
  ct_compile_given_inertia(c, body);
  ct_each(c, &body->child[CT_CHILD_GEOM], compile_geom);
  if (!has_mistaken_geoms(body)) ct_compile_inertia(c, body);
  ct_apply_frame(c, e, v->pos, v->quat);
}

static void compile_joint(ct_Compiler* c, ct_Work* work) {
  ct_compile_joint(c, (ct_WorkJoint*)work);
}

static void compile_site(ct_Compiler* c, ct_Work* work) {
  ct_compile_site(c, (ct_WorkSite*)work);
}

static void compile_camera(ct_Compiler* c, ct_Work* work) {
  ct_compile_camera(c, (ct_WorkCamera*)work);
}

static void compile_light(ct_Compiler* c, ct_Work* work) {
  ct_compile_light(c, (ct_WorkLight*)work);
}

static void compile_attached(ct_Compiler* c, ct_WorkBody* body) {
  const ct_WorkList* list = body->child;
  ct_each(c, &list[CT_CHILD_JOINT], compile_joint);
  ct_check_joints(c, body);
  ct_each(c, &list[CT_CHILD_SITE], compile_site);
  ct_each(c, &list[CT_CHILD_CAMERA], compile_camera);
  ct_each(c, &list[CT_CHILD_LIGHT], compile_light);
  body->plugin = ct_resolve_plugin(c, body->head.element, &body->v.plugin, mjPLUGIN_PASSIVE);
}

static void compile_body(ct_Compiler* c, ct_Work* work) {
  ct_WorkBody* body = (ct_WorkBody*)work;
  compile_frames(c, body);
  ct_check_user(c, body->head.element, body->v.userdata, c->nuser_body);
  ct_one(c, work, compile_pose_and_inertia);
  bool sound = !work->mistaken && !has_mistaken_geoms(body);
  combine_geoms(body);
  bool aligned = sound && is_aligned(body);
  Pose back;
  if (aligned) back = align_geoms(body);
  if (sound) ct_build_body_tree(c, body);
  compile_attached(c, body);
  if (aligned) align_others(body, &back);
}

void ct_compile_bodies(ct_Compiler* c) {
  ct_body_at(c, 0)->weld = ct_body_at(c, 0);
  for (int i = 0; i < CT_COUNT(c, mjOBJ_BODY); i++) ct_weld_children(ct_body_at(c, i));
  ct_each(c, &c->list[mjOBJ_BODY], compile_body);
}
