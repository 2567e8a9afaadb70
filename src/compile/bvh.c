// Bounding volume hierarchies of bodies.
//
// The leaves are the geoms of the body that can collide, as boxes in its inertial frame. A node is
// split at the median along its longest side; nodes are numbered in preorder. When a tree is built
// again, because a static body was fused into this one, an inner node keeps the geom that was the
// leaf at its index before: nobody reads it, but models of the reference have it.

#include <math.h>
#include <string.h>

#include "compile/assets/volume_tree.h"
#include "compile/bodies.h"

typedef struct {
  ct_WorkGeom* geom;
  int order;  // among the geoms of the body
  double pos[3];
  double low[3], high[3];
} Leaf;

typedef struct {
  ct_Compiler* c;
  ct_BodyTree* tree;
  Leaf** scratch;
} Builder;

static void make_leaf(Leaf* leaf, const ct_WorkBody* body, ct_WorkGeom* geom, int order) {
  const mjsGeom* g = &geom->v;
  double offset[3], back[4];
  leaf->geom = geom;
  leaf->order = order;
  for (int i = 0; i < 3; i++) offset[i] = g->pos[i] - body->v.ipos[i];
  back[0] = body->v.iquat[0];
  for (int i = 1; i < 4; i++) back[i] = -body->v.iquat[i];
  ct_turn(leaf->pos, offset, back);

  for (int corner = 0; corner < 8; corner++) {
    double p[3];
    for (int i = 0; i < 3; i++) {
      double half = geom->aabb[i + 3];
      p[i] = geom->aabb[i] + ((corner >> i) & 1 ? half : -half);
    }
    ct_turn(p, p, g->quat);
    for (int i = 0; i < 3; i++) p[i] += offset[i];
    ct_turn(p, p, back);
    for (int i = 0; i < 3; i++) {
      leaf->low[i] = corner == 0 ? p[i] : fmin(leaf->low[i], p[i]);
      leaf->high[i] = corner == 0 ? p[i] : fmax(leaf->high[i], p[i]);
    }
  }
}

// Does a come before b along an axis? Equal places are ordered like the geoms.
static bool before(const Leaf* a, const Leaf* b, int axis) {
  double difference = a->pos[axis] - b->pos[axis];
  if (fabs(difference) > CT_COMPILER_EPS) return difference < 0;
  return a->order < b->order;
}

static void sort_leaves(Leaf** leaf, int count, int axis, Leaf** scratch) {
  if (count < 2) return;
  int half = count / 2;
  sort_leaves(leaf, half, axis, scratch);
  sort_leaves(leaf + half, count - half, axis, scratch);
  memcpy(scratch, leaf, (size_t)half * sizeof(*leaf));
  for (int i = 0, j = half, k = 0; i < half; k++) {
    leaf[k] = j < count && before(leaf[j], scratch[i], axis) ? leaf[j++] : scratch[i++];
  }
}

// Box around the leaves as centre and half sizes; returns the axis to split along.
static int enclose(double box[6], Leaf* const* leaf, int count) {
  double side[3];
  for (int i = 0; i < 3; i++) {
    double low = leaf[0]->low[i], high = leaf[0]->high[i];
    for (int k = 1; k < count; k++) {
      low = fmin(low, leaf[k]->low[i]);
      high = fmax(high, leaf[k]->high[i]);
    }
    side[i] = ct_box_side(box, i, low, high);
  }
  return ct_longest_side(side);
}

// Depth is logarithmic, so recursion is safe.
static int build(Builder* b, Leaf** leaf, int count, int depth) {
  ct_BodyTree* tree = b->tree;
  int node = tree->nnode++;
  int axis = enclose(tree->box + 6 * node, leaf, count);
  tree->depth[node] = depth;
  tree->child[2 * node] = tree->child[2 * node + 1] = -1;
  if (count == 1) {
    tree->leaf[node] = leaf[0]->geom;
    return node;
  }
  if (depth > mjMAXTREEDEPTH) ct_warn(b->c, NULL, "a bounding volume hierarchy is too deep");
  sort_leaves(leaf, count, axis, b->scratch);
  tree->child[2 * node] = build(b, leaf, count / 2, depth + 1);
  tree->child[2 * node + 1] = build(b, leaf + count / 2, count - count / 2, depth + 1);
  return node;
}

static void make_room(ct_Compiler* c, ct_BodyTree* tree, int nnode) {
  if (nnode <= tree->room) return;
  int room = nnode < 2 * tree->room ? 2 * tree->room : nnode;
  size_t n = (size_t)room;
  ct_WorkGeom** leaf = (ct_WorkGeom**)ct_pool_array(&c->pool, n, sizeof(*leaf));
  if (tree->room) memcpy(leaf, tree->leaf, (size_t)tree->room * sizeof(*leaf));
  tree->leaf = leaf;
  tree->depth = (int*)ct_pool_array(&c->pool, n, sizeof(int));
  tree->child = (int*)ct_pool_array(&c->pool, n, 2 * sizeof(int));
  tree->box = (double*)ct_pool_array(&c->pool, n, 6 * sizeof(double));
  tree->room = room;
}

void ct_build_body_tree(ct_Compiler* c, ct_WorkBody* body) {
  const ct_WorkList* geoms = &body->child[CT_CHILD_GEOM];
  ct_BodyTree* tree = &body->tree;
  tree->nnode = 0;
  int count = 0;
  for (int i = 0; i < geoms->count; i++) {
    const mjsGeom* geom = &CT_WORK(ct_WorkGeom, *geoms, i)->v;
    if (geom->contype || geom->conaffinity) count++;
  }
  if (count == 0) return;

  ct_Pool work = {NULL};
  Leaf* leaf = (Leaf*)ct_pool_array(&work, (size_t)count, sizeof(Leaf));
  Leaf** order = (Leaf**)ct_pool_array(&work, (size_t)count, 2 * sizeof(Leaf*));
  for (int i = 0, k = 0; i < geoms->count; i++) {
    ct_WorkGeom* geom = CT_WORK(ct_WorkGeom, *geoms, i);
    if (!geom->v.contype && !geom->v.conaffinity) continue;
    make_leaf(&leaf[k], body, geom, i);
    order[k] = &leaf[k];
    k++;
  }
  make_room(c, tree, 2 * count - 1);
  Builder builder = {c, tree, order + count};
  build(&builder, order, count, 0);
  ct_pool_free(&work);
}
