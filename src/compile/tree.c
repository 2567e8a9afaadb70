// Arrays of the tree: bodies, joints, dofs, kinematic trees, geoms, sites.

#include "compile/tree.h"

#include <string.h>

static void put(mjtNum* row, const double* numbers, int count) {
  for (int i = 0; i < count; i++) row[i] = (mjtNum)numbers[i];
}

static void put_nums(mjtNum* row, const mjtNum* numbers, int count) {
  memcpy(row, numbers, (size_t)count * sizeof(mjtNum));
}

// Bodies

static void copy_ids(mjModel* m, const ct_WorkBody* body) {
  int b = body->head.id;
  const ct_WorkBody* parent = body->parent;
  const ct_WorkList* joints = &body->child[CT_CHILD_JOINT];
  const ct_WorkList* geoms = &body->child[CT_CHILD_GEOM];
  m->body_parentid[b] = parent ? parent->head.id : 0;
  m->body_rootid[b] = !parent || ct_is_world(parent) ? b : m->body_rootid[parent->head.id];
  m->body_weldid[b] = body->weld->head.id;
  m->body_mocapid[b] = body->mocapid;
  m->body_jntnum[b] = joints->count;
  m->body_jntadr[b] = joints->count ? joints->item[0]->id : -1;
  m->body_dofnum[b] = body->dofnum;
  m->body_dofadr[b] = body->dofnum ? body->dofadr : -1;
  m->body_geomnum[b] = geoms->count;
  m->body_geomadr[b] = geoms->count ? geoms->item[0]->id : -1;
  m->body_plugin[b] = ct_id(body->plugin);
  m->body_contype[b] = body->contype;
  m->body_conaffinity[b] = body->conaffinity;
  m->body_simple[b] = (mjtByte)body->simple;
  m->body_sameframe[b] = (mjtByte)body->sameframe;
}

static int copy_bvh(mjModel* m, const ct_WorkBody* body, int adr) {
  int b = body->head.id;
  const ct_BodyTree* tree = &body->tree;
  m->body_bvhnum[b] = tree->nnode;
  m->body_bvhadr[b] = tree->nnode ? adr : -1;
  for (int i = 0; i < tree->nnode; i++) {
    int row = adr + i;
    m->bvh_depth[row] = tree->depth[i];
    m->bvh_child[2 * row] = tree->child[2 * i];
    m->bvh_child[2 * row + 1] = tree->child[2 * i + 1];
    m->bvh_nodeid[row] = CT_ID(tree->leaf[i]);
    put(m->bvh_aabb + 6 * row, tree->box + 6 * i, 6);
  }
  return adr + tree->nnode;
}

static void copy_bodies(ct_Compiler* c) {
  mjModel* m = c->model;
  for (int b = 0, bvhadr = 0; b < m->nbody; b++) {
    const ct_WorkBody* body = ct_body_at(c, b);
    const mjsBody* v = &body->v;
    copy_ids(m, body);
    put(m->body_pos + 3 * b, v->pos, 3);
    put(m->body_quat + 4 * b, v->quat, 4);
    put(m->body_ipos + 3 * b, v->ipos, 3);
    put(m->body_iquat + 4 * b, v->iquat, 4);
    put(m->body_mass + b, &v->mass, 1);
    put(m->body_inertia + 3 * b, v->inertia, 3);
    put(m->body_gravcomp + b, &v->gravcomp, 1);
    put(m->body_margin + b, &body->margin, 1);
    ct_copy_user(m->body_user + b * m->nuser_body, v->userdata);
    bvhadr = copy_bvh(m, body, bvhadr);
  }
}

// Joints and dofs

static void copy_reference(mjModel* m, const ct_WorkJoint* joint) {
  const mjsJoint* v = &joint->v;
  mjtNum *qpos0 = m->qpos0 + joint->qposadr, *spring = m->qpos_spring + joint->qposadr;
  switch (v->type) {
    case mjJNT_FREE:
      put(qpos0, joint->body->v.pos, 3);
      put(qpos0 + 3, joint->body->v.quat, 4);
      put_nums(spring, qpos0, 7);
      break;
    case mjJNT_BALL:
      qpos0[0] = spring[0] = 1;
      break;
    default:
      put(qpos0, &v->ref, 1);
      put(spring, &v->springref, 1);
      break;
  }
}

static void copy_joints(ct_Compiler* c) {
  mjModel* m = c->model;
  for (int i = 0; i < m->njnt; i++) {
    const ct_WorkJoint* joint = ct_joint_at(c, i);
    const mjsJoint* v = &joint->v;
    m->jnt_type[i] = (int)v->type;
    m->jnt_qposadr[i] = joint->qposadr;
    m->jnt_dofadr[i] = joint->dofadr;
    m->jnt_bodyid[i] = joint->body->head.id;
    m->jnt_group[i] = v->group;
    m->jnt_limited[i] = joint->limited;
    m->jnt_actfrclimited[i] = joint->actfrclimited;
    m->jnt_actgravcomp[i] = v->actgravcomp;
    put_nums(m->jnt_solref + mjNREF * i, v->solref_limit, mjNREF);
    put_nums(m->jnt_solimp + mjNIMP * i, v->solimp_limit, mjNIMP);
    put(m->jnt_pos + 3 * i, v->pos, 3);
    put(m->jnt_axis + 3 * i, v->axis, 3);
    put(m->jnt_stiffness + i, &v->stiffness, 1);
    put(m->jnt_range + 2 * i, v->range, 2);
    put(m->jnt_actfrcrange + 2 * i, v->actfrcrange, 2);
    put(m->jnt_margin + i, &v->margin, 1);
    ct_copy_user(m->jnt_user + i * m->nuser_jnt, v->userdata);
    copy_reference(m, joint);
  }
}

static void copy_dofs(ct_Compiler* c) {
  mjModel* m = c->model;
  int tree = -1, adr = 0;
  for (int j = 0; j < m->nv; j++) {
    const ct_WorkJoint* joint = c->dof.joint[j];
    const mjsJoint* v = &joint->v;
    m->dof_bodyid[j] = joint->body->head.id;
    m->dof_jntid[j] = joint->head.id;
    m->dof_parentid[j] = c->dof.parent[j];
    if (c->dof.parent[j] < 0) tree++;
    m->dof_treeid[j] = tree;
    m->dof_Madr[j] = adr;
    adr += c->dof.chain[j];
    m->dof_simplenum[j] = c->dof.simplenum[j];
    put_nums(m->dof_solref + mjNREF * j, v->solref_friction, mjNREF);
    put_nums(m->dof_solimp + mjNIMP * j, v->solimp_friction, mjNIMP);
    put(m->dof_frictionloss + j, &v->frictionloss, 1);
    put(m->dof_armature + j, &v->armature, 1);
    put(m->dof_damping + j, &v->damping, 1);
  }
}

// Kinematic trees

static void copy_sleep_policy(ct_Compiler* c, const ct_WorkBody* body) {
  mjModel* m = c->model;
  int b = body->head.id, tree = m->body_treeid[b], policy = (int)body->v.sleep;
  if (policy == mjSLEEP_AUTO) return;
  const ct_Element* e = body->head.element;
  if (tree < 0) ct_fail(c, e, "sleep is for bodies that move");
  if (b > 0 && m->body_treeid[b - 1] == tree) {
    ct_fail(c, e, "sleep is for the first body of a moving tree only");
  }
  m->tree_sleep_policy[tree] = policy;
}

static void copy_trees(ct_Compiler* c) {
  mjModel* m = c->model;
  for (int b = 0; b < m->nbody; b++) {
    int weld = m->body_weldid[b];
    int tree = m->body_dofnum[weld] ? m->dof_treeid[m->body_dofadr[weld]] : -1;
    m->body_treeid[b] = tree;
    if (tree < 0) continue;
    if (m->tree_bodynum[tree]++ == 0) m->tree_bodyadr[tree] = b;
  }
  for (int j = 0; j < m->nv; j++) {
    int tree = m->dof_treeid[j];
    if (m->tree_dofnum[tree]++ == 0) m->tree_dofadr[tree] = j;
  }
  for (int b = 0; b < m->nbody; b++) copy_sleep_policy(c, ct_body_at(c, b));
}

// Geoms and sites

static void copy_geoms(ct_Compiler* c) {
  mjModel* m = c->model;
  for (int i = 0; i < m->ngeom; i++) {
    const ct_WorkGeom* geom = ct_geom_at(c, i);
    const mjsGeom* v = &geom->v;
    m->geom_type[i] = (int)v->type;
    m->geom_contype[i] = v->contype;
    m->geom_conaffinity[i] = v->conaffinity;
    m->geom_condim[i] = v->condim;
    m->geom_bodyid[i] = geom->body->head.id;
    m->geom_dataid[i] = geom->mesh ? geom->mesh->head.id : CT_ID(geom->hfield);
    m->geom_matid[i] = CT_ID(geom->material);
    m->geom_group[i] = v->group;
    m->geom_priority[i] = v->priority;
    m->geom_plugin[i] = ct_id(geom->plugin);
    m->geom_sameframe[i] = (mjtByte)ct_sameframe(&geom->body->v, v->pos, v->quat);
    put(m->geom_solmix + i, &v->solmix, 1);
    put_nums(m->geom_solref + mjNREF * i, v->solref, mjNREF);
    put_nums(m->geom_solimp + mjNIMP * i, v->solimp, mjNIMP);
    put(m->geom_size + 3 * i, v->size, 3);
    put(m->geom_aabb + 6 * i, geom->aabb, 6);
    put(m->geom_rbound + i, &geom->rbound, 1);
    put(m->geom_pos + 3 * i, v->pos, 3);
    put(m->geom_quat + 4 * i, v->quat, 4);
    put(m->geom_friction + 3 * i, v->friction, 3);
    put(m->geom_margin + i, &v->margin, 1);
    put(m->geom_gap + i, &v->gap, 1);
    put(m->geom_fluid + mjNFLUID * i, geom->fluid, mjNFLUID);
    ct_copy_user(m->geom_user + i * m->nuser_geom, v->userdata);
    memcpy(m->geom_rgba + 4 * i, v->rgba, sizeof(v->rgba));
  }
}

static void copy_sites(ct_Compiler* c) {
  mjModel* m = c->model;
  for (int i = 0; i < m->nsite; i++) {
    const ct_WorkSite* site = ct_site_at(c, i);
    const mjsSite* v = &site->v;
    m->site_type[i] = (int)v->type;
    m->site_bodyid[i] = site->body->head.id;
    m->site_matid[i] = CT_ID(site->material);
    m->site_group[i] = v->group;
    m->site_sameframe[i] = (mjtByte)ct_sameframe(&site->body->v, v->pos, v->quat);
    put(m->site_size + 3 * i, v->size, 3);
    put(m->site_pos + 3 * i, v->pos, 3);
    put(m->site_quat + 4 * i, v->quat, 4);
    ct_copy_user(m->site_user + i * m->nuser_site, v->userdata);
    memcpy(m->site_rgba + 4 * i, v->rgba, sizeof(v->rgba));
  }
}

void ct_copy_tree(ct_Compiler* c) {
  copy_bodies(c);
  copy_joints(c);
  copy_dofs(c);
  copy_trees(c);
  copy_geoms(c);
  copy_sites(c);
}
