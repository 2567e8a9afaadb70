// Flexes: lines, triangles or tetrahedra between vertices that bodies carry.
//
// A flex names a body for every vertex, or one for all, or control points (nodes) from which all
// vertices are interpolated. What follows from its elements: flex_topology.c; from its material:
// flex_elasticity.c. What depends on the pose of the finished model is completed by mj_setConst.

#include <math.h>
#include <string.h>

#include "compile/assets/asset_file.h"
#include "compile/compile.h"
#include "compile/flex_arrays.h"
#include "compile/work/put.h"
#include "spec/flex_material.h"

// Bodies

static ct_WorkBody** find_bodies(ct_Compiler* c, const ct_WorkFlex* w, const char* attribute,
                                 const mjStringVec* names, int* count) {
  const ct_Vector* list = ct_vec(names);
  size_t n = ct_vector_count(list, sizeof(ct_String));
  ct_WorkBody** body = (ct_WorkBody**)ct_pool_array(&c->pool, n, sizeof(ct_WorkBody*));
  for (size_t i = 0; i < n; i++) {
    const char* name = ct_string_get(ct_strings_at(list, i));
    body[i] = (ct_WorkBody*)ct_lookup_or_fail(c, w->head.element, attribute, mjOBJ_BODY, name);
  }
  *count = (int)n;
  return body;
}

static bool all_zero(const double* number, int count) {
  for (int i = 0; i < count; i++) {
    if (number[i] != 0) return false;
  }
  return true;
}

static bool all_same(ct_WorkBody* const* body, int count) {
  for (int i = 1; i < count; i++) {
    if (body[i] != body[0]) return false;
  }
  return true;
}

// One body given for all vertices becomes one per vertex.
static ct_WorkBody** repeat(ct_Compiler* c, ct_WorkBody* body, int count) {
  ct_WorkBody** list = (ct_WorkBody**)ct_pool_array(&c->pool, (size_t)count, sizeof(ct_WorkBody*));
  for (int i = 0; i < count; i++) list[i] = body;
  return list;
}

static void take_vertices(ct_Compiler* c, const ct_WorkFlex* w, ct_FlexArrays* f) {
  const ct_Element* e = w->head.element;
  int nbody, nnumber;
  ct_WorkBody** body = find_bodies(c, w, "body", w->v.vertbody, &nbody);
  const double* vert = ct_doubles(w->v.vert, &nnumber);
  if (!nbody && !f->nnode) ct_fail(c, e, "neither body nor node says what it moves with");
  if (nnumber % 3) ct_fail(c, e, "vertex has %d numbers, not 3 per vertex", nnumber);
  f->nvert = nnumber ? nnumber / 3 : nbody;
  f->vert = nnumber ? vert : NULL;
  bool fits = nbody == f->nvert || (nbody == 1 && !f->nnode);
  if (!fits && f->nnode) {
    ct_fail(c, e, "%d bodies for %d vertices; with control points, body names one for each", nbody,
            f->nvert);
  }
  if (!fits) {
    ct_fail(c, e, "%d bodies for %d vertices; give one for each or one for all", nbody, f->nvert);
  }
  if (f->nvert < f->dim + 1) {
    ct_fail(c, e, "%d vertices are too few; elements have %d", f->nvert, f->dim + 1);
  }
  if (nbody == 1) body = repeat(c, body[0], f->nvert);
  f->vertbody = body;
  if (f->nnode) return;
  f->rigid = all_same(body, f->nvert);
  f->centred = !f->vert || all_zero(f->vert, 3 * f->nvert);
}

static void take_nodes(ct_Compiler* c, const ct_WorkFlex* w, ct_FlexArrays* f) {
  const ct_Element* e = w->head.element;
  int nnumber;
  f->nodebody = find_bodies(c, w, "node", w->v.nodebody, &f->nnode);
  if (!f->nnode) return;
  f->order = f->nnode == 8 ? 1 : f->nnode == 27 ? 2 : 0;
  if (!f->order) ct_fail(c, e, "node has %d bodies; interpolation needs 8 or 27", f->nnode);
  const double* node = ct_doubles(w->v.node, &nnumber);
  if (nnumber && nnumber != 3 * f->nnode) {
    ct_fail(c, e, "%d numbers do not make 3 for each of %d nodes", nnumber, f->nnode);
  }
  f->centred = all_zero(node, nnumber);
  f->node = f->centred ? NULL : node;
  if (w->v.selfcollide != mjFLEXSELF_NONE || w->v.internal) {
    ct_fail(c, e,
            "interpolated flexes do not collide with themselves; set selfcollide to none, "
            "and internal to false");
  }
}

// Checks

static void check_values(ct_Compiler* c, const ct_WorkFlex* w) {
  const ct_Element* e = w->head.element;
  const mjsFlex* v = &w->v;
  if (v->dim < 1 || v->dim > 3) ct_fail(c, e, "dim is %d; it can be 1, 2 or 3", v->dim);
  if (v->edgestiffness > 0 && v->dim > 1) {
    ct_fail(c, e, "edges have stiffness in flexes of dim 1 only; use young");
  }
  if (v->young > 0 && !(v->poisson >= 0 && v->poisson < 0.5)) {
    ct_fail(c, e, "poisson is %g; it must be at least 0 and below 0.5", v->poisson);
  }
  if (!(v->radius >= 0)) ct_fail(c, e, "radius is %g; it cannot be negative", v->radius);
  if (v->condim > 6) ct_fail(c, e, "condim is %d: it must be 1, 3, 4 or 6", v->condim);
  bool bends = v->dim == 2 && ct_flex_bends(v);
  if (bends && v->young > 0 && v->thickness < 0) ct_fail(c, e, "bending needs a thickness");
}

static void check_bending(ct_Compiler* c, const ct_WorkFlex* w, const ct_FlexArrays* f) {
  bool by_angle = ct_flex_bends_by_angle(&w->v);  // knows how to pull at any body
  if (f->dim != 2 || !ct_flex_bends(&w->v) || by_angle || f->nnode) return;
  for (int i = 0; i < f->nvert; i++) {
    int joints = f->vertbody[i]->child[CT_CHILD_JOINT].count;
    if (joints == 3) continue;
    ct_fail(
        c, w->head.element,
        "bending needs three joints in the body of every vertex (pins are not possible); that of "
        "vertex %d has %d",
        i, joints);
  }
}

static void check_element(ct_Compiler* c, const ct_WorkFlex* w, const ct_FlexArrays* f, int i) {
  const int* vertex = f->elem + (f->dim + 1) * i;
  for (int a = 0; a <= f->dim; a++) {
    if (vertex[a] < 0 || vertex[a] >= f->nvert) {
      ct_fail(c, w->head.element, "element %d has vertex %d; there are %d, counted from 0", i,
              vertex[a], f->nvert);
    }
    for (int b = 0; b < a; b++) {
      if (vertex[a] != vertex[b]) continue;
      ct_fail(c, w->head.element, "element %d has vertex %d twice", i, vertex[a]);
    }
  }
}

static void take_elements(ct_Compiler* c, const ct_WorkFlex* w, ct_FlexArrays* f) {
  int n, width = f->dim + 1;
  const int* elem = ct_ints(w->v.elem, &n);
  if (!n) ct_fail(c, w->head.element, "there are no elements");
  if (n % width)
    ct_fail(c, w->head.element, "element has %d numbers, not %d per element", n, width);
  f->nelem = n / width;
  f->elem = (int*)ct_pool_array(&c->pool, (size_t)n, sizeof(int));
  memcpy(f->elem, elem, (size_t)n * sizeof(int));
  for (int i = 0; i < f->nelem; i++) check_element(c, w, f, i);
  int least = 9 * f->nnode * f->nnode / CT_FLEX_STIFFNESS + 1;
  if (f->nnode && w->v.young > 0 && f->nelem < least) {
    ct_fail(c, w->head.element, "%d elements are too few: with %d nodes elasticity needs %d",
            f->nelem, f->nnode, least);
  }
}

static void take_texcoords(ct_Compiler* c, const ct_WorkFlex* w, ct_FlexArrays* f) {
  const ct_Element* e = w->head.element;
  int nnumber, ncorner, corners = f->nelem * (f->dim + 1);
  f->texcoord = ct_floats(w->v.texcoord, &nnumber);
  f->elemtexcoord = ct_ints(w->v.elemtexcoord, &ncorner);
  if (c->settings->discardvisual) nnumber = ncorner = 0;
  f->ntexcoord = nnumber / 2;
  if (!ncorner) {
    // oddity of the reference: with texture coordinates, corners are in the order that was given
    f->elemtexcoord = nnumber ? ct_ints(w->v.elem, &ncorner) : NULL;
    if (nnumber && nnumber != 2 * f->nvert) {
      ct_fail(c, e, "texcoord has %d numbers, not 2 for each of %d vertices", nnumber, f->nvert);
    }
    return;
  }
  bool three = f->dim == 3 && ncorner == 3 * f->nelem;  // of surfaces that were filled
  if (ncorner != corners && !three) {
    ct_fail(c, e, "elemtexcoord has %d numbers, not %d for each of %d elements", ncorner,
            f->dim + 1, f->nelem);
  }
  for (int i = 0; nnumber && i < ncorner; i++) {
    if (f->elemtexcoord[i] >= 0 && f->elemtexcoord[i] < f->ntexcoord) continue;
    ct_fail(c, e, "elemtexcoord has %d; there are %d texture coordinates, counted from 0",
            f->elemtexcoord[i], f->ntexcoord);
  }
}

// Rest

// Pose of a body in the world at qpos0.
static void world_pose(const ct_WorkBody* body, double pos[3], double quat[4]) {
  memcpy(pos, body->v.pos, 3 * sizeof(double));
  memcpy(quat, body->v.quat, 4 * sizeof(double));
  for (const ct_WorkBody* up = body->parent; up && up->parent; up = up->parent) {
    ct_pose_compose(pos, quat, up->v.pos, up->v.quat);
  }
}

static double* in_world(ct_Compiler* c, ct_WorkBody* const* body, const double* local, int count) {
  double* world = (double*)ct_pool_array(&c->pool, (size_t)count, 3 * sizeof(double));
  const ct_WorkBody* last = NULL;
  double pos[3], quat[4];
  for (int i = 0; i < count; i++) {
    if (body[i] != last) world_pose(body[i], pos, quat);
    last = body[i];
    if (local) ct_turn(world + 3 * i, local + 3 * i, quat);
    for (int k = 0; k < 3; k++) world[3 * i + k] += pos[k];
  }
  return world;
}

// Tetrahedra are given the orientation in which their faces look outwards.
static void orient_elements(ct_FlexArrays* f) {
  for (int i = 0; f->dim == 3 && i < f->nelem; i++) {
    int* v = f->elem + 4 * i;
    const double *x[4], *o = f->vert_world + 3 * v[0];
    double a[3], b[3], d[3], cross[3];
    for (int k = 0; k < 4; k++) x[k] = f->vert_world + 3 * v[k];
    for (int k = 0; k < 3; k++) {
      a[k] = x[1][k] - o[k];
      b[k] = x[2][k] - o[k];
      d[k] = x[3][k] - o[k];
    }
    ct_cross64(cross, a, b);
    if (ct_dot64(cross, d) <= 0) continue;
    int swap = v[1];
    v[1] = v[2];
    v[2] = swap;
  }
}

// Elements that can collide are the leaves.
static void make_tree(ct_Compiler* c, const ct_WorkFlex* w, ct_FlexArrays* f) {
  size_t n = (size_t)f->nelem;
  ct_VolumeLeaf* leaf = (ct_VolumeLeaf*)ct_pool_array(&c->scratch, n, sizeof(ct_VolumeLeaf));
  int* elem = (int*)ct_pool_array(&c->scratch, n, sizeof(int));
  int count = 0, width = f->dim + 1;
  for (int i = 0; i < f->nelem; i++) {
    if (f->dim == 3 && f->layer[i] >= w->v.activelayers) continue;
    ct_VolumeLeaf* box = &leaf[count];
    elem[count++] = i;
    for (int k = 0; k < 3; k++) {
      double low = f->vert_world[3 * f->elem[width * i] + k], high = low;
      for (int a = 1; a < width; a++) {
        double x = f->vert_world[3 * f->elem[width * i + a] + k];
        low = fmin(low, x);
        high = fmax(high, x);
      }
      double centre = 0.5 * (high + low), half = 0.5 * (high - low) + w->v.radius;
      box->low[k] = centre - half;
      box->high[k] = centre + half;
      box->key[k] = centre;
    }
  }
  f->tree = ct_make_volume_tree(&c->pool, &c->scratch, leaf, count);
  for (int i = 0; i < f->tree.nnode; i++) {
    if (f->tree.leaf[i] >= 0) f->tree.leaf[i] = elem[f->tree.leaf[i]];
  }
}

// The root of its tree; a solid of which no layer is active has none.
static void enclose(const ct_WorkFlex* w, const ct_FlexArrays* f, double box[6]) {
  if (f->tree.nnode) {
    memcpy(box, f->tree.box, 6 * sizeof(double));
    return;
  }
  for (int k = 0; k < 3; k++) {
    double low = f->vert_world[k], high = low;
    for (int i = 1; i < f->nvert; i++) {
      low = fmin(low, f->vert_world[3 * i + k]);
      high = fmax(high, f->vert_world[3 * i + k]);
    }
    box[k] = (low + high) / 2;
    box[k + 3] = (high - low) / 2 + w->v.radius;
  }
}

// Half sizes of the box around it, and where its vertices are in that.
static void measure(ct_Compiler* c, const ct_WorkFlex* w, ct_FlexArrays* f) {
  double box[6];
  enclose(w, f, box);
  f->vert0 = (double*)ct_pool_array(&c->pool, (size_t)f->nvert, 3 * sizeof(double));
  for (int k = 0; k < 3; k++) f->size[k] = box[k + 3] - w->v.radius;
  for (int i = 0; i < f->nvert; i++) {
    for (int k = 0; k < 3; k++) {
      double x = f->vert_world[3 * i + k];
      bool flat = !(f->size[k] > mjMINVAL);
      f->vert0[3 * i + k] = flat ? 0.5 : (x - box[k]) / (2 * f->size[k]) + 0.5;
    }
  }
}

static void compile_flex(ct_Compiler* c, ct_Work* work) {
  ct_WorkFlex* w = (ct_WorkFlex*)work;
  ct_FlexArrays* f = (ct_FlexArrays*)ct_pool_alloc(&c->pool, sizeof(ct_FlexArrays));
  w->arrays = f;
  check_values(c, w);
  f->dim = w->v.dim;
  take_nodes(c, w, f);
  take_vertices(c, w, f);
  check_bending(c, w, f);
  take_elements(c, w, f);
  take_texcoords(c, w, f);

  f->vert_world = in_world(c, f->vertbody, f->vert, f->nvert);
  f->node_world = in_world(c, f->nodebody, f->node, f->nnode);
  orient_elements(f);
  ct_flex_find_edges(c, f);
  bool bends = f->dim == 2 && ct_flex_bends(&w->v);
  if (bends) ct_flex_find_flaps(c, f);
  ct_flex_find_border(c, f);
  make_tree(c, w, f);
  measure(c, w, f);
  if (f->nnode) {
    ct_flex_nodes_stiffness(c, w);
  } else {
    ct_flex_elements_stiffness(c, w);
  }
  ct_flex_edges_bending(c, w);
  ct_asset_done(c);
}

void ct_compile_flexes(ct_Compiler* c) {
  ct_each(c, &c->list[mjOBJ_FLEX], compile_flex);
}

// Sizes

// Marks the dofs of a body's chain up to the first that is marked; returns how many are new.
static int mark_chain(const ct_Compiler* c, const ct_WorkBody* body, int* mark, int stamp) {
  int count = 0;
  const ct_WorkBody* up = body;
  while (up && !up->dofnum) up = up->parent;
  for (int j = up ? up->dofadr + up->dofnum - 1 : -1; j >= 0 && mark[j] != stamp;
       j = c->dof.parent[j]) {
    mark[j] = stamp;
    count++;
  }
  return count;
}

// Entries of the Jacobians: of edges from their two ends, of vertices from all edges around them.
static void count_dofs(ct_Compiler* c, ct_FlexArrays* f) {
  if (f->rigid || f->nnode) return;
  int* mark = (int*)ct_pool_array(&c->scratch, (size_t)c->size.nv + 1, sizeof(int));
  int stamp = 0;
  for (int i = 0; i < f->nedge; i++) {
    stamp++;
    for (int k = 0; k < 2; k++) {
      f->nedge_dof += mark_chain(c, f->vertbody[f->edge[2 * i + k]], mark, stamp);
    }
  }

  // edges of each vertex, one list after the other
  size_t n = (size_t)f->nvert;
  int* start = (int*)ct_pool_array(&c->scratch, n + 2, sizeof(int));
  int* neighbour = (int*)ct_pool_array(&c->scratch, 2 * (size_t)f->nedge + 1, sizeof(int));
  for (int i = 0; i < 2 * f->nedge; i++) start[f->edge[i] + 2]++;
  for (size_t i = 2; i < n + 2; i++) start[i] += start[i - 1];
  for (int i = 0; i < 2 * f->nedge; i++) neighbour[start[f->edge[i] + 1]++] = f->edge[i ^ 1];
  for (int i = 0; i < f->nvert; i++) {
    stamp++;
    f->nvert_dof += mark_chain(c, f->vertbody[i], mark, stamp);
    for (int k = start[i]; k < start[i + 1]; k++) {
      f->nvert_dof += mark_chain(c, f->vertbody[neighbour[k]], mark, stamp);
    }
  }
  ct_asset_done(c);
}

void ct_size_flexes(ct_Compiler* c) {
  mjModel* size = &c->size;
  for (int i = 0; i < CT_COUNT(c, mjOBJ_FLEX); i++) {
    ct_FlexArrays* f = ct_flex_at(c, i)->arrays;
    count_dofs(c, f);
    size->nflexnode += f->nnode;
    size->nflexvert += f->nvert;
    size->nflexedge += f->nedge;
    size->nflexelem += f->nelem;
    size->nflexelemdata += (mjtSize)f->nelem * (f->dim + 1);
    size->nflexelemedge += (mjtSize)f->nelem * ct_flex_element_edges(f->dim);
    size->nflexshelldata += (mjtSize)f->nshell * f->dim;
    size->nflexevpair += f->nevpair;
    size->nflextexcoord += f->ntexcoord;
    size->nbvhdynamic += f->tree.nnode;
    size->nJfe += f->nedge_dof;
    size->nJfv += f->nvert_dof;
  }
}

// Arrays

static void copy_values(mjModel* m, int i, const ct_WorkFlex* w) {
  const mjsFlex* v = &w->v;
  m->flex_contype[i] = v->contype;
  m->flex_conaffinity[i] = v->conaffinity;
  m->flex_condim[i] = v->condim;
  m->flex_priority[i] = v->priority;
  m->flex_solmix[i] = (mjtNum)v->solmix;
  ct_put_nums(m->flex_solref + mjNREF * i, v->solref, mjNREF);
  ct_put_nums(m->flex_solimp + mjNIMP * i, v->solimp, mjNIMP);
  ct_put(m->flex_friction + 3 * i, v->friction, 3);
  m->flex_margin[i] = (mjtNum)v->margin;
  m->flex_gap[i] = (mjtNum)v->gap;
  m->flex_internal[i] = v->internal;
  m->flex_selfcollide[i] = v->selfcollide;
  m->flex_activelayers[i] = v->activelayers;
  m->flex_passive[i] = v->passive;
  m->flex_dim[i] = v->dim;
  m->flex_matid[i] = CT_ID(w->material);
  m->flex_group[i] = v->group;
  m->flex_radius[i] = (mjtNum)v->radius;
  m->flex_damping[i] = (mjtNum)v->damping;
  m->flex_edgestiffness[i] = (mjtNum)v->edgestiffness;
  m->flex_edgedamping[i] = (mjtNum)v->edgedamping;
  m->flex_flatskin[i] = v->flatskin;
  ct_put_floats(m->flex_rgba + 4 * i, v->rgba, 4);
}

static void copy_ints(int* to, const int* from, mjtSize count) {
  if (count) memcpy(to, from, (size_t)count * sizeof(int));
}

static void copy_vertices(mjModel* m, const ct_FlexArrays* f, int adr) {
  for (int i = 0; i < f->nvert; i++) {
    m->flex_vertbodyid[adr + i] = f->nnode ? -1 : f->vertbody[i]->head.id;
  }
  bool zero = f->centred && !f->nnode;
  if (f->vert && !zero) ct_put(m->flex_vert + 3 * adr, f->vert, 3 * f->nvert);
  ct_put(m->flex_vert0 + 3 * adr, f->vert0, 3 * f->nvert);
}

static void copy_nodes(mjModel* m, const ct_FlexArrays* f, int adr) {
  for (int i = 0; i < f->nnode; i++) m->flex_nodebodyid[adr + i] = f->nodebody[i]->head.id;
  if (f->node) ct_put(m->flex_node + 3 * adr, f->node, 3 * f->nnode);
  ct_put(m->flex_node0 + 3 * adr, f->node_world, 3 * f->nnode);
}

static void copy_edges(mjModel* m, const ct_FlexArrays* f, int adr) {
  copy_ints(m->flex_edge + 2 * adr, f->edge, 2 * f->nedge);
  for (int i = 0; i < f->nedge; i++) {
    const int* edge = f->edge + 2 * i;
    bool rigid = f->rigid;
    if (!f->nnode && f->vertbody[edge[0]]->weld == f->vertbody[edge[1]]->weld) rigid = true;
    m->flexedge_rigid[adr + i] = rigid;
    for (int k = 0; k < 2; k++)
      m->flex_edgeflap[2 * (adr + i) + k] = f->flap ? f->flap[2 * i + k] : -1;
  }
  ct_put(m->flex_bending + (mjtSize)CT_FLEX_BENDING * adr, f->bending, CT_FLEX_BENDING * f->nedge);
}

// Oddity of the reference: with texture coordinates, only three corners per element are copied.
static void copy_elements(mjModel* m, const ct_FlexArrays* f, int adr, int dataadr) {
  mjtSize ncorner = (mjtSize)f->nelem * (f->dim + 1), nshown = ncorner;
  copy_ints(m->flex_elem + dataadr, f->elem, ncorner);
  if (f->ntexcoord && 3 * f->nelem < nshown) nshown = 3 * (mjtSize)f->nelem;
  copy_ints(m->flex_elemtexcoord + dataadr, f->elemtexcoord ? f->elemtexcoord : f->elem, nshown);
  copy_ints(m->flex_elemlayer + adr, f->layer, f->nelem);
  ct_put(m->flex_stiffness + (mjtSize)CT_FLEX_STIFFNESS * adr, f->stiffness,
         CT_FLEX_STIFFNESS * f->nelem);
}

static void copy_tree(mjModel* m, const ct_FlexArrays* f, mjtSize adr) {
  copy_ints(m->bvh_depth + adr, f->tree.depth, f->tree.nnode);
  copy_ints(m->bvh_child + 2 * adr, f->tree.child, 2 * (mjtSize)f->tree.nnode);
  copy_ints(m->bvh_nodeid + adr, f->tree.leaf, f->tree.nnode);
}

typedef struct {  // how much of the model's arrays is filled
  int vert, node, edge, elem, elemdata, elemedge, shelldata, evpair, texcoord, bvh;
} Filled;

static void copy_addresses(mjModel* m, int i, const ct_FlexArrays* f, const Filled* at) {
  m->flex_interp[i] = f->order;
  m->flex_nodeadr[i] = at->node;
  m->flex_nodenum[i] = f->nnode;
  m->flex_vertadr[i] = at->vert;
  m->flex_vertnum[i] = f->nvert;
  m->flex_edgeadr[i] = at->edge;
  m->flex_edgenum[i] = f->nedge;
  m->flex_elemadr[i] = at->elem;
  m->flex_elemnum[i] = f->nelem;
  m->flex_elemdataadr[i] = at->elemdata;
  m->flex_elemedgeadr[i] = at->elemedge;
  m->flex_shellnum[i] = f->nshell;
  m->flex_shelldataadr[i] = f->nshell ? at->shelldata : -1;
  m->flex_evpairnum[i] = f->nevpair;
  m->flex_evpairadr[i] = f->nevpair ? at->evpair : -1;
  m->flex_texcoordadr[i] = f->ntexcoord ? at->texcoord : -1;
  m->flex_bvhnum[i] = f->tree.nnode;
  m->flex_bvhadr[i] = f->tree.nnode ? at->bvh : -1;
  m->flex_rigid[i] = f->rigid;
  m->flex_centered[i] = f->centred;
  ct_put(m->flex_size + 3 * i, f->size, 3);
}

static void advance(Filled* at, const ct_FlexArrays* f) {
  at->vert += f->nvert;
  at->node += f->nnode;
  at->edge += f->nedge;
  at->elem += f->nelem;
  at->elemdata += f->nelem * (f->dim + 1);
  at->elemedge += f->nelem * ct_flex_element_edges(f->dim);
  at->shelldata += f->nshell * f->dim;
  at->evpair += f->nevpair;
  at->texcoord += f->ntexcoord;
  at->bvh += f->tree.nnode;
}

void ct_copy_flexes(ct_Compiler* c) {
  mjModel* m = c->model;
  Filled at = {.bvh = (int)m->nbvhstatic};
  for (int i = 0; i < m->nflex; i++) {
    const ct_WorkFlex* w = ct_flex_at(c, i);
    const ct_FlexArrays* f = w->arrays;
    copy_values(m, i, w);
    copy_addresses(m, i, f, &at);
    copy_vertices(m, f, at.vert);
    copy_nodes(m, f, at.node);
    copy_edges(m, f, at.edge);
    copy_elements(m, f, at.elem, at.elemdata);
    copy_ints(m->flex_elemedge + at.elemedge, f->elemedge,
              (mjtSize)f->nelem * ct_flex_element_edges(f->dim));
    copy_ints(m->flex_shell + at.shelldata, f->shell, (mjtSize)f->nshell * f->dim);
    copy_ints(m->flex_evpair + 2 * at.evpair, f->evpair, 2 * (mjtSize)f->nevpair);
    if (f->ntexcoord) {
      ct_put_floats(m->flex_texcoord + 2 * at.texcoord, f->texcoord, 2 * f->ntexcoord);
    }
    copy_tree(m, f, at.bvh);
    advance(&at, f);
  }
}
