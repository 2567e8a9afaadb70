// Sizes of the model as far as they follow from the tree: coordinates, dofs, inertia patterns,
// bounding volumes; and the arena.

#include <math.h>
#include <string.h>

#include "base/model/objects.h"
#include "compile/tree.h"

// How many objects of each type there are: the sizes that every list decides alone.
void ct_count_objects(ct_Compiler* c) {
  for (int type = 0; type < mjNOBJECT; type++) {
    const ct_ObjectType* object = ct_object_type(type);
    if (!object || !object->name || type == mjOBJ_XBODY || type == mjOBJ_DOF) continue;
    *(mjtSize*)((char*)&c->size + object->count_offset) = c->list[type].count;
  }
  const mjSpec* s = &c->spec->spec;
  mjModel* size = &c->size;
  size->njmax = s->njmax;
  size->nconmax = s->nconmax;
  size->nuserdata = s->nuserdata;
  size->nuser_body = c->nuser_body;
  size->nuser_jnt = c->nuser_jnt;
  size->nuser_geom = c->nuser_geom;
  size->nuser_site = c->nuser_site;
  size->nuser_cam = c->nuser_cam;
  size->nuser_tendon = c->nuser_tendon;
  size->nuser_actuator = c->nuser_actuator;
  size->nuser_sensor = c->nuser_sensor;
}

// Dofs

static void place_joints(ct_Compiler* c) {
  int nq = 0, nv = 0, nmocap = 0;
  for (int b = 0; b < CT_COUNT(c, mjOBJ_BODY); b++) {
    ct_WorkBody* body = ct_body_at(c, b);
    const ct_WorkList* joints = &body->child[CT_CHILD_JOINT];
    body->dofadr = nv;
    for (int i = 0; i < joints->count; i++) {
      ct_WorkJoint* joint = CT_WORK(ct_WorkJoint, *joints, i);
      joint->qposadr = nq;
      joint->dofadr = nv;
      nq += joint->nq;
      nv += joint->nv;
    }
    body->mocapid = body->v.mocap ? nmocap++ : -1;
  }
  c->size.nq = nq;
  c->size.nv = nv;
  c->size.nmocap = nmocap;
}

static void connect_dofs(ct_Compiler* c) {
  ct_Dofs* dof = &c->dof;
  size_t nv = (size_t)c->size.nv;
  dof->joint = (ct_WorkJoint**)ct_pool_array(&c->pool, nv, sizeof(ct_WorkJoint*));
  dof->parent = (int*)ct_pool_array(&c->pool, nv, sizeof(int));
  dof->chain = (int*)ct_pool_array(&c->pool, nv, sizeof(int));
  dof->end = (int*)ct_pool_array(&c->pool, nv, sizeof(int));
  dof->simplenum = (int*)ct_pool_array(&c->pool, nv, sizeof(int));

  int nbody = CT_COUNT(c, mjOBJ_BODY);
  int* last = (int*)ct_pool_array(&c->pool, (size_t)nbody, sizeof(int));  // dof up to each body
  last[0] = -1;
  for (int b = 1; b < nbody; b++) {
    const ct_WorkBody* body = ct_body_at(c, b);
    const ct_WorkList* joints = &body->child[CT_CHILD_JOINT];
    last[b] = last[body->parent->head.id];
    for (int i = 0; i < joints->count; i++) {
      ct_WorkJoint* joint = CT_WORK(ct_WorkJoint, *joints, i);
      for (int j = joint->dofadr; j < joint->dofadr + joint->nv; j++) {
        dof->joint[j] = joint;
        dof->parent[j] = last[b];
        dof->chain[j] = 1 + (last[b] >= 0 ? dof->chain[last[b]] : 0);
        last[b] = j;
        if (dof->parent[j] < 0) c->size.ntree++;
        c->size.nM += dof->chain[j];
      }
    }
  }
  for (int j = (int)nv - 1; j >= 0; j--) {
    if (dof->end[j] < j + 1) dof->end[j] = j + 1;
    int parent = dof->parent[j];
    if (parent >= 0 && dof->end[parent] < dof->end[j]) dof->end[parent] = dof->end[j];
  }
}

// Simple bodies

static bool same_vector(const double a[3], const double b[3]) {
  for (int i = 0; i < 3; i++) {
    if (!(fabs(a[i] - b[i]) < CT_FRAME_TOLERANCE)) return false;
  }
  return true;
}

static bool same_quat(const double a[4], const double b[4]) {
  bool plus = true, minus = true;
  for (int i = 0; i < 4; i++) {
    if (!(fabs(a[i] - b[i]) < CT_FRAME_TOLERANCE)) plus = false;
    if (!(fabs(a[i] + b[i]) < CT_FRAME_TOLERANCE)) minus = false;
  }
  return plus || minus;
}

static const double zero[3] = {0, 0, 0}, identity[4] = {1, 0, 0, 0};

int ct_sameframe(const mjsBody* body, const double pos[3], const double quat[4]) {
  bool upright = same_quat(quat, identity);
  if (upright && same_vector(pos, zero)) return mjSAMEFRAME_BODY;
  if (upright) return mjSAMEFRAME_BODYROT;
  bool turned = body && same_quat(quat, body->iquat);
  if (turned && same_vector(pos, body->ipos)) return mjSAMEFRAME_INERTIA;
  return turned ? mjSAMEFRAME_INERTIAROT : mjSAMEFRAME_NONE;
}

// Does the joint leave the inertia of its body diagonal, after the joints before it?
static bool keeps_diagonal(const ct_WorkJoint* joint, bool after_rotation) {
  const mjsJoint* v = &joint->v;
  if (after_rotation || !same_vector(v->pos, zero)) return false;
  if (v->type != mjJNT_HINGE && v->type != mjJNT_SLIDE) return true;
  int along = 0;
  for (int i = 0; i < 3; i++) {
    if (fabs(v->axis[i]) > CT_COMPILER_EPS) along++;
  }
  return along == 1;
}

static int find_simple(const ct_WorkBody* body) {
  const ct_WorkBody* parent = body->parent;
  bool near_root =
      !parent || ct_is_world(parent) || (ct_is_world(parent->parent) && parent->dofnum == 0);
  if (body->sameframe != mjSAMEFRAME_BODY || !near_root) return 0;
  if (parent && body->child[CT_CHILD_BODY].count > 0) return 0;
  const ct_WorkList* joints = &body->child[CT_CHILD_JOINT];
  bool rotates = false, slides = true;
  for (int i = 0; i < joints->count; i++) {
    const ct_WorkJoint* joint = CT_WORK(ct_WorkJoint, *joints, i);
    if (!keeps_diagonal(joint, rotates)) return 0;
    if (joint->v.type == mjJNT_BALL || joint->v.type == mjJNT_HINGE) rotates = true;
    if (joint->v.type != mjJNT_SLIDE) slides = false;
  }
  return joints->count > 0 && slides ? 2 : 1;
}

// Armature of a spatial tendon couples the dofs of all bodies on its path.
static void couple_tendon(const ct_WorkTendon* tendon) {
  if (tendon->v.armature == 0) return;
  for (int i = 0; i < tendon->npath; i++) {
    const ct_WorkWrap* wrap = &tendon->path[i];
    if (wrap->type == mjWRAP_SITE) ((ct_WorkSite*)wrap->object)->body->simple = 0;
    if (wrap->type == mjWRAP_SPHERE || wrap->type == mjWRAP_CYLINDER) {
      ((ct_WorkGeom*)wrap->object)->body->simple = 0;
    }
  }
}

static void find_simple_dofs(ct_Compiler* c) {
  for (int b = 0; b < CT_COUNT(c, mjOBJ_BODY); b++) {
    ct_WorkBody* body = ct_body_at(c, b);
    body->sameframe = ct_sameframe(NULL, body->v.ipos, body->v.iquat);
    body->simple = find_simple(body);
  }
  for (int i = 0; i < CT_COUNT(c, mjOBJ_TENDON); i++) {
    couple_tendon(CT_WORK(ct_WorkTendon, c->list[mjOBJ_TENDON], i));
  }
  int run = 0;
  for (int j = (int)c->size.nv - 1; j >= 0; j--) {
    run = c->dof.joint[j]->body->simple ? run + 1 : 0;
    c->dof.simplenum[j] = run;
    c->size.nC += run ? 1 : c->dof.chain[j];
  }
}

// Patterns and trees

// Entries of B: dofs up to and below every body.
static void size_pattern(ct_Compiler* c) {
  int nbody = CT_COUNT(c, mjOBJ_BODY);
  int* above = (int*)ct_pool_array(&c->pool, (size_t)nbody, sizeof(int));
  int* below = (int*)ct_pool_array(&c->pool, (size_t)nbody, sizeof(int));
  for (int b = 1; b < nbody; b++) {
    const ct_WorkBody* body = ct_body_at(c, b);
    above[b] = above[body->parent->head.id] + body->dofnum;
  }
  for (int b = nbody - 1; b >= 0; b--) {
    const ct_WorkBody* body = ct_body_at(c, b);
    if (body->parent) below[body->parent->head.id] += below[b] + body->dofnum;
    c->size.nB += above[b] + below[b];
  }
  c->size.nD = 2 * c->size.nM - c->size.nv;
}

void ct_size_tree(ct_Compiler* c) {
  place_joints(c);
  connect_dofs(c);
  find_simple_dofs(c);
  size_pattern(c);
  for (int b = 0; b < CT_COUNT(c, mjOBJ_BODY); b++) {
    const ct_WorkBody* body = ct_body_at(c, b);
    c->size.nbvhstatic += body->tree.nnode + body->surplus;
  }

  // trees of meshes follow those of bodies
  int next = 0;
  for (int b = 0; b < CT_COUNT(c, mjOBJ_BODY); b++) next += ct_body_at(c, b)->tree.nnode;
  for (int i = 0; i < CT_COUNT(c, mjOBJ_MESH); i++) {
    ct_WorkMesh* mesh = ct_mesh_at(c, i);
    mesh->bvhadr = next;
    next += mesh->nnode;
    c->size.nbvhstatic += mesh->nnode;
  }
}

// Arena

// Bytes for the arena where the user gives none: enough for dense matrices of the assumed number of
// constraints, in whole megabytes. That grows with the square of the dofs, and models with more
// than some hundred of them have sparse matrices: beyond a gigabyte it goes on linearly, with many
// times what their steps were seen to take (700 bytes per dof for cloths, factors of solids
// included).
void ct_size_arena(ct_Compiler* c) {
  const mjSpec* s = &c->spec->spec;
  mjModel* size = &c->size;
  size->nbvh = size->nbvhstatic + size->nbvhdynamic;
  if (s->nuserdata < 0) {
    ct_fail_setting(c, CT_SETTING_NUSERDATA, "nuserdata is %d, it cannot be negative",
                    s->nuserdata);
  }
  // from 2^63 on the number is negative; -1 means that none is given
  const mjtSize most = (mjtSize)1 << 47;  // addresses that a program has
  if (s->memory < -1 || s->memory > most) {
    ct_fail_setting(c, CT_SETTING_MEMORY, "memory is %llu bytes, more than any machine has",
                    (unsigned long long)s->memory);
  }
  if (s->memory != -1) {
    size->narena = s->memory;
    return;
  }
  const mjtSize megabyte = 1 << 20;
  mjtSize nc = s->nconmax == -1 ? 100 : s->nconmax, nj = s->njmax == -1 ? 500 : s->njmax;
  mjtSize nv = size->nv, rows = nj + size->neq + nv, numbers = s->nstack;
  if (numbers == -1) {
    numbers = 5 * rows * rows +
              20 * (size->nq + nv + size->nu + size->na + size->nbody + size->njnt + size->ngeom +
                    size->nsite + size->neq + size->ntendon + size->nwrap);
    if (numbers < 1000) numbers = 1000;
  }
  mjtSize bytes = (mjtSize)sizeof(mjtNum) * numbers + (mjtSize)sizeof(mjContact) * nc + 144 * nj +
                  12 * nv + 24 * nj * nv + 12 * nj * nj;
  const mjtSize ample = 1024 * megabyte, per_dof = 32 << 10;
  mjtSize linear = per_dof * nv > ample ? per_dof * nv : ample;
  if (bytes > linear && s->nconmax == -1 && s->njmax == -1 && s->nstack == -1) bytes = linear;
  size->narena = (bytes + megabyte - 1) / megabyte * megabyte;
}
