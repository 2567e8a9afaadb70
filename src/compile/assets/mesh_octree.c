// Octrees of signed distances, for meshes that geoms of type sdf use.
//
// The box of the mesh, a tenth larger, is cut into eight as long as triangles reach into a part,
// and further until neighbouring leaves differ by one level at most. All corners of boxes lie on a
// fine grid: coordinates are kept as integers and become numbers only where boxes meet triangles. A
// corner that hangs on the edge or side of a coarser neighbour has the mean of what it hangs on, so
// that interpolation is continuous. The sign at a point is that of the angle-weighted pseudonormal
// of the nearest feature: Baerentzen and Aanaes, "Signed distance computation using the angle
// weighted pseudonormal", 2005.

#include <math.h>
#include <string.h>

#include "compile/assets/mesh.h"
#include "math/strict.h"

enum { DEEPEST = 6, NCORNER = 8 };

typedef struct {
  double low[3], high[3];
  int depth, parent, slot;
  int child;  // first of eight; -1: leaf
} Node;

typedef struct {
  ct_Compiler* c;
  const ct_MeshArrays* a;
  Node* node;
  size_t nnode, room;
} Octree;

// Cutting

static void add_children(Octree* o, int parent) {
  o->node =
      (Node*)ct_pool_grow(&o->c->scratch, o->node, o->nnode, o->nnode + 8, &o->room, sizeof(Node));
  Node* p = &o->node[parent];
  p->child = (int)o->nnode;
  for (int slot = 0; slot < 8; slot++) {
    Node* n = &o->node[o->nnode++];
    n->depth = p->depth + 1;
    n->parent = parent;
    n->slot = slot;
    n->child = -1;
    for (int d = 0; d < 3; d++) {
      double middle = (p->low[d] + p->high[d]) / 2;
      n->low[d] = slot >> d & 1 ? middle : p->low[d];
      n->high[d] = slot >> d & 1 ? p->high[d] : middle;
    }
  }
}

static bool beside_axis(const Node* box, const double* const v[3]) {
  for (int d = 0; d < 3; d++) {
    if (v[0][d] < box->low[d] && v[1][d] < box->low[d] && v[2][d] < box->low[d]) return true;
    if (v[0][d] > box->high[d] && v[1][d] > box->high[d] && v[2][d] > box->high[d]) return true;
  }
  return false;
}

// Does an edge, seen along an axis, have the box on its outer side?
static bool beside_edge(const Node* box, const double size[3], const double v[3], const double e[3],
                        int axis, double side) {
  int b = (axis + 1) % 3, c = (axis + 2) % 3;
  double m0 = -e[c] * side, m1 = e[b] * side;
  double reach = -(m0 * v[b] + m1 * v[c]) + fmax(0, size[b] * m0) + fmax(0, size[c] * m1);
  return m0 * box->low[b] + m1 * box->low[c] + reach < 0;
}

// Schwarz and Seidel, "Fast parallel surface and solid voxelization on GPUs", 2010.
static bool meets(const Node* box, const double* const v[3]) {
  double size[3], e[3][3], n[3], near[3], far[3];
  if (beside_axis(box, v)) return false;
  for (int d = 0; d < 3; d++) {
    size[d] = box->high[d] - box->low[d];
    for (int i = 0; i < 3; i++) e[i][d] = v[(i + 1) % 3][d] - v[i][d];
  }
  ct_cross64(n, e[0], e[1]);
  for (int d = 0; d < 3; d++) {
    double corner = n[d] > 0 ? size[d] : 0;
    near[d] = corner - v[0][d];
    far[d] = size[d] - corner - v[0][d];
  }
  double at = ct_dot64(n, box->low);
  if ((at + ct_dot64(n, near)) * (at + ct_dot64(n, far)) > 0) return false;
  for (int axis = 0; axis < 3; axis++) {
    double side = n[axis] >= 0 ? 1 : -1;
    for (int i = 0; i < 3; i++) {
      if (beside_edge(box, size, v[i], e[i], axis, side)) return false;
    }
  }
  return true;
}

typedef struct {  // triangles that may reach into a node
  int* face;
  int count;
} FaceList;

static FaceList faces_in(const Octree* o, const Node* node, const FaceList* from) {
  FaceList list = {(int*)ct_pool_array(&o->c->scratch, (size_t)from->count, sizeof(int)), 0};
  for (int i = 0; i < from->count; i++) {
    const int* corner = o->a->face + 3 * from->face[i];
    const double* v[3] = {o->a->vert + 3 * corner[0], o->a->vert + 3 * corner[1],
                          o->a->vert + 3 * corner[2]};
    if (meets(node, v)) list.face[list.count++] = from->face[i];
  }
  return list;
}

static void cut(Octree* o, const ct_WorkMesh* w) {
  size_t list_room = 0;
  FaceList* list = NULL;  // of the nodes in order
  o->node = (Node*)ct_pool_grow(&o->c->scratch, NULL, 0, 1, &o->room, sizeof(Node));
  Node* root = &o->node[o->nnode++];
  root->parent = root->child = -1;
  root->slot = root->depth = 0;
  for (int d = 0; d < 3; d++) {
    double centre = (w->min[d] + w->max[d]) / 2, half = (w->max[d] - w->min[d]) / 2;
    root->low[d] = centre - 1.1 * half;
    root->high[d] = centre + 1.1 * half;
  }
  FaceList all = {(int*)ct_pool_array(&o->c->scratch, (size_t)o->a->nface, sizeof(int)),
                  o->a->nface};
  for (int i = 0; i < o->a->nface; i++) all.face[i] = i;
  for (size_t i = 0; i < o->nnode; i++) {
    list = (FaceList*)ct_pool_grow(&o->c->scratch, list, i, i + 1, &list_room, sizeof(FaceList));
    const FaceList* from = i == 0 ? &all : &list[o->node[i].parent];
    list[i] = faces_in(o, &o->node[i], from);
    if (list[i].count > 0 && o->node[i].depth < DEEPEST) add_children(o, (int)i);
  }
}

// Balancing

// The leaf on the other side of a face of a leaf (axis dir / 2, upper side if dir is odd); -1: the
// face is on the outside.
static int neighbour(const Octree* o, int leaf, int dir) {
  int axis = dir / 2, bit = 1 << axis, upper = dir & 1, at = leaf;
  const Node* own = &o->node[leaf];
  while (at >= 0 && (o->node[at].slot >> axis & 1) == upper && o->node[at].parent >= 0) {
    at = o->node[at].parent;
  }
  if (o->node[at].parent < 0) return -1;
  at = o->node[o->node[at].parent].child + (o->node[at].slot ^ bit);
  while (o->node[at].child >= 0) {
    const Node* n = &o->node[at];
    int slot = upper ? 0 : bit;
    for (int d = 0; d < 3; d++) {
      double middle = (n->low[d] + n->high[d]) / 2;
      if (d != axis && (own->low[d] + own->high[d]) / 2 > middle) slot |= 1 << d;
    }
    at = n->child + slot;
  }
  return at;
}

static bool balance_once(Octree* o) {
  size_t nnode = o->nnode, nsplit = 0, room = 0;
  int* split = NULL;
  for (size_t i = 0; i < nnode; i++) {
    if (o->node[i].child >= 0) continue;
    for (int dir = 0; dir < 6; dir++) {
      int other = neighbour(o, (int)i, dir);
      if (other < 0) continue;
      int difference = o->node[other].depth - o->node[i].depth;
      if (difference >= -1 && difference <= 1) continue;
      split = (int*)ct_pool_grow(&o->c->scratch, split, nsplit, nsplit + 1, &room, sizeof(int));
      split[nsplit++] = difference > 1 ? (int)i : other;
    }
  }
  for (size_t i = 0; i < nsplit; i++) {
    if (o->node[split[i]].child < 0) add_children(o, split[i]);
  }
  return nsplit > 0;
}

// Distance to the mesh

typedef struct {
  const ct_MeshArrays* a;
  const ct_WorkMesh* w;
  double* facenormal;    // (nface x 3)
  double* edgenormal;    // (nface x 3 x 3) sums over the triangles at each edge
  double* vertexnormal;  // (nvert x 3) weighted by angles
} Surface;

enum { FEATURE_FACE = -1 };  // else corner 0..2, edge 3 + first corner

static void subtract(double res[3], const double a[3], const double b[3]) {
  for (int i = 0; i < 3; i++) res[i] = a[i] - b[i];
}

static double corner_angle(const double u[3], const double v[3]) {
  double cosine = ct_dot64(u, v) / (sqrt(ct_dot64(u, u)) * sqrt(ct_dot64(v, v)));
  return ct_acos64(fmax(-1, fmin(1, cosine)));
}

static void prepare_surface(ct_Compiler* c, const ct_WorkMesh* w, Surface* s) {
  const ct_MeshArrays* a = w->arrays;
  size_t nface = (size_t)a->nface, nvert = (size_t)a->nvert;
  s->a = a;
  s->w = w;
  s->facenormal = (double*)ct_pool_array(&c->scratch, nface, 3 * sizeof(double));
  s->edgenormal = (double*)ct_pool_array(&c->scratch, nface, 9 * sizeof(double));
  s->vertexnormal = (double*)ct_pool_array(&c->scratch, nvert, 3 * sizeof(double));
  double* sum = (double*)ct_pool_array(&c->scratch, 3 * nface, 3 * sizeof(double));
  int nsum = 0;
  ct_EdgeTable table = ct_edges_make(&c->scratch, 3 * nface);
  for (size_t f = 0; f < nface; f++) {
    const int* corner = a->face + 3 * f;
    double *n = s->facenormal + 3 * f, u[3], v[3];
    subtract(u, a->vert + 3 * corner[1], a->vert + 3 * corner[0]);
    subtract(v, a->vert + 3 * corner[2], a->vert + 3 * corner[0]);
    ct_cross64(n, u, v);
    double length = sqrt(ct_dot64(n, n));
    for (int i = 0; i < 3; i++) n[i] = length > 0 ? n[i] / length : 0;
    for (int k = 0; k < 3; k++) {
      int p = corner[k], q = corner[(k + 1) % 3];
      int* edge = ct_edges_at(&table, 0, p < q ? p : q, p < q ? q : p);
      if (*edge < 0) *edge = nsum++;
      subtract(u, a->vert + 3 * q, a->vert + 3 * p);
      subtract(v, a->vert + 3 * corner[(k + 2) % 3], a->vert + 3 * p);
      double angle = length > 0 ? corner_angle(u, v) : 0;
      for (int i = 0; i < 3; i++) {
        sum[3 * *edge + i] += n[i];
        s->vertexnormal[3 * p + i] += angle * n[i];
      }
    }
  }
  for (size_t k = 0; k < 3 * nface; k++) {
    const int* corner = a->face + k / 3 * 3;
    int p = corner[k % 3], q = corner[(k + 1) % 3];
    int edge = *ct_edges_at(&table, 0, p < q ? p : q, p < q ? q : p);
    memcpy(s->edgenormal + 3 * k, sum + 3 * edge, 3 * sizeof(double));
  }
}

// Nearest point of a triangle, and on which feature it is. Ericson, "Real-Time Collision
// Detection", ch. 5.1.5.
static int nearest_on_triangle(double near[3], const double p[3], const double* const v[3]) {
  double to[3][3], edge[3][3], along[3], back[3];  // edge i goes from corner i to the next
  for (int i = 0; i < 3; i++) {
    subtract(to[i], p, v[i]);
    subtract(edge[i], v[(i + 1) % 3], v[i]);
  }
  for (int i = 0; i < 3; i++) {
    along[i] = ct_dot64(to[i], edge[i]);            // from its start
    back[i] = -ct_dot64(to[(i + 1) % 3], edge[i]);  // from its end
  }
  for (int i = 0; i < 3; i++) {
    if (along[i] <= 0 && back[(i + 2) % 3] <= 0) {
      memcpy(near, v[i], 3 * sizeof(double));
      return i;
    }
  }
  double n[3], other[3], x[3], part[3];  // part i: opposite to corner i
  for (int i = 0; i < 3; i++) other[i] = -edge[2][i];
  ct_cross64(n, edge[0], other);
  for (int i = 0; i < 3; i++) {
    ct_cross64(x, to[(i + 1) % 3], to[(i + 2) % 3]);
    part[i] = ct_dot64(n, x);
  }
  for (int i = 0; i < 3; i++) {
    if (part[(i + 2) % 3] > 0 || along[i] < 0 || back[i] < 0) continue;
    double t = along[i] / (along[i] + back[i]);
    for (int d = 0; d < 3; d++) near[d] = v[i][d] + t * edge[i][d];
    return 3 + i;
  }
  double sum = part[0] + part[1] + part[2], s = part[0] / sum, t = part[1] / sum;
  for (int d = 0; d < 3; d++) near[d] = s * v[0][d] + t * v[1][d] + (1 - s - t) * v[2][d];
  return FEATURE_FACE;
}

static double box_distance(const double box[6], const double p[3]) {
  double sum = 0;
  for (int i = 0; i < 3; i++) {
    double out = fmax(0, fabs(p[i] - box[i]) - box[i + 3]);
    sum += out * out;
  }
  return sum;
}

typedef struct {
  double square, near[3];
  int face, feature;
} Nearest;

static void try_face(const Surface* s, const double p[3], int face, Nearest* best) {
  const int* corner = s->a->face + 3 * face;
  const double* v[3] = {s->a->vert + 3 * corner[0], s->a->vert + 3 * corner[1],
                        s->a->vert + 3 * corner[2]};
  double near[3], out[3];
  int feature = nearest_on_triangle(near, p, v);
  subtract(out, p, near);
  double square = ct_dot64(out, out);
  if (!(square < best->square)) return;
  best->square = square;
  best->face = face;
  best->feature = feature;
  memcpy(best->near, near, sizeof(near));
}

// Down the bounding volume tree, the nearer child first.
static void search(const Surface* s, const double p[3], int node, Nearest* best) {
  const ct_MeshArrays* a = s->a;
  const double slack = 1 + 1e-12;
  if (box_distance(a->bvh_box + 6 * node, p) > best->square * slack) return;
  if (a->bvh_face[node] >= 0) {
    try_face(s, p, a->bvh_face[node], best);
    return;
  }
  int left = a->bvh_child[2 * node], right = a->bvh_child[2 * node + 1];
  bool swap = box_distance(a->bvh_box + 6 * right, p) < box_distance(a->bvh_box + 6 * left, p);
  search(s, p, swap ? right : left, best);
  search(s, p, swap ? left : right, best);
}

static double signed_distance(const Surface* s, const double p[3]) {
  Nearest best = {INFINITY, {0, 0, 0}, 0, FEATURE_FACE};
  search(s, p, 0, &best);
  const double* normal = s->facenormal + 3 * best.face;
  if (best.feature >= 3) {
    normal = s->edgenormal + 9 * best.face + 3 * (best.feature - 3);
  } else if (best.feature >= 0) {
    normal = s->vertexnormal + 3 * s->a->face[3 * best.face + best.feature];
  }
  double out[3];
  subtract(out, p, best.near);
  double distance = sqrt(best.square);
  return ct_dot64(out, normal) >= 0 ? distance : -distance;
}

// Corners

typedef struct {
  int ndepend, depend[4];  // on these it hangs
  bool marked, valued;
  double value;
} Vertex;

typedef struct {
  Octree* o;
  int* at;  // (nnode x 8) vertex of each corner
  Vertex* vertex;
  int nvertex;
  int finest;  // level of the finest boxes
} Grid;

// Where a corner is on the grid of the finest boxes.
static void grid_place(const Octree* o, int node, int corner, int finest, int place[3]) {
  int size = 1 << (finest - o->node[node].depth);
  for (int d = 0; d < 3; d++) place[d] = corner >> d & 1 ? size : 0;
  for (int n = node; o->node[n].parent >= 0; n = o->node[n].parent) {
    int step = 1 << (finest - o->node[n].depth);
    for (int d = 0; d < 3; d++) {
      if (o->node[n].slot >> d & 1) place[d] += step;
    }
  }
}

static void make_grid(Octree* o, Grid* g) {
  g->o = o;
  for (size_t i = 0; i < o->nnode; i++) {
    if (o->node[i].depth > g->finest) g->finest = o->node[i].depth;
  }
  ct_EdgeTable table = ct_edges_make(&o->c->scratch, 8 * o->nnode);
  g->at = (int*)ct_pool_array(&o->c->scratch, 8 * o->nnode, sizeof(int));
  for (size_t i = 0; i < 8 * o->nnode; i++) {
    int place[3];
    grid_place(o, (int)(i / 8), (int)(i % 8), g->finest, place);
    int* vertex = ct_edges_at(&table, place[0], place[1], place[2]);
    if (*vertex < 0) *vertex = g->nvertex++;
    g->at[i] = *vertex;
  }
  g->vertex = (Vertex*)ct_pool_array(&o->c->scratch, (size_t)g->nvertex, sizeof(Vertex));
}

// What a corner of a leaf hangs on in a coarser neighbour: ends of an edge, or corners of a side.
static void hang(Grid* g, int leaf, int corner, int coarse) {
  Vertex* vertex = &g->vertex[g->at[8 * leaf + corner]];
  int place[3], low[3], high[3], planes = 0;
  bool free_axis[3];
  if (vertex->marked) return;
  grid_place(g->o, leaf, corner, g->finest, place);
  grid_place(g->o, coarse, 0, g->finest, low);
  grid_place(g->o, coarse, 7, g->finest, high);
  int side = 0;
  for (int d = 0; d < 3; d++) {
    free_axis[d] = place[d] != low[d] && place[d] != high[d];
    if (!free_axis[d]) planes++;
    if (place[d] == high[d]) side |= 1 << d;
  }
  if (planes != 1 && planes != 2) return;
  vertex->marked = true;
  for (int k = 0; k < NCORNER; k++) {
    bool on_it = true;
    for (int d = 0; d < 3; d++) {
      if (!free_axis[d] && (k >> d & 1) != (side >> d & 1)) on_it = false;
    }
    if (on_it) vertex->depend[vertex->ndepend++] = g->at[8 * coarse + k];
  }
}

static void find_hanging(Grid* g) {
  const Octree* o = g->o;
  for (int i = 0; i < (int)o->nnode; i++) {
    if (o->node[i].child >= 0) continue;
    for (int dir = 0; dir < 6; dir++) {
      int other = neighbour(o, i, dir);
      if (other < 0 || o->node[other].depth >= o->node[i].depth) continue;
      for (int corner = 0; corner < NCORNER; corner++) {
        if ((corner >> (dir / 2) & 1) == (dir & 1)) hang(g, i, corner, other);
      }
    }
  }
}

static void set_value(Grid* g, const Surface* s, int node, int corner) {
  Vertex* vertex = &g->vertex[g->at[8 * node + corner]];
  if (vertex->valued) return;
  if (vertex->ndepend) {
    double sum = 0;
    for (int i = 0; i < vertex->ndepend; i++) {
      const Vertex* other = &g->vertex[vertex->depend[i]];
      if (!other->valued) {
        ct_fail(g->o->c, s->w->head.element, "the octree of the mesh cannot be made continuous");
      }
      sum += other->value;
    }
    vertex->value = sum / vertex->ndepend;
  } else {
    const Node* n = &g->o->node[node];
    double p[3];
    for (int d = 0; d < 3; d++) p[d] = corner >> d & 1 ? n->high[d] : n->low[d];
    vertex->value = signed_distance(s, p);
  }
  vertex->valued = true;
}

// Breadth first; nodes are numbered so, but for those that balancing added.
static void set_values(Grid* g, const Surface* s) {
  const Octree* o = g->o;
  int* queue = (int*)ct_pool_array(&o->c->scratch, o->nnode, sizeof(int));
  size_t count = 1;
  for (size_t i = 0; i < count; i++) {
    int node = queue[i];
    for (int corner = 0; corner < NCORNER; corner++) set_value(g, s, node, corner);
    if (o->node[node].child < 0) continue;
    for (int k = 0; k < 8; k++) queue[count++] = o->node[node].child + k;
  }
}

// All

static void keep(ct_Compiler* c, ct_MeshArrays* a, const Grid* g) {
  const Octree* o = g->o;
  a->noct = (int)o->nnode;
  a->oct_depth = (int*)ct_pool_array(&c->pool, o->nnode, sizeof(int));
  a->oct_child = (int*)ct_pool_array(&c->pool, o->nnode, 8 * sizeof(int));
  a->oct_box = (double*)ct_pool_array(&c->pool, o->nnode, 6 * sizeof(double));
  a->oct_distance = (double*)ct_pool_array(&c->pool, o->nnode, 8 * sizeof(double));
  for (size_t i = 0; i < o->nnode; i++) {
    const Node* n = &o->node[i];
    a->oct_depth[i] = n->depth;
    for (int k = 0; k < 8; k++) {
      a->oct_child[8 * i + (size_t)k] = n->child < 0 ? -1 : n->child + k;
      a->oct_distance[8 * i + (size_t)k] = g->vertex[g->at[8 * i + (size_t)k]].value;
    }
    for (int d = 0; d < 3; d++) {
      a->oct_box[6 * i + (size_t)d] = (n->low[d] + n->high[d]) / 2;
      a->oct_box[6 * i + 3 + (size_t)d] = (n->high[d] - n->low[d]) / 2;
    }
  }
}

void ct_mesh_make_octree(ct_Compiler* c, ct_WorkMesh* w) {
  Octree o = {c, w->arrays, NULL, 0, 0};
  Grid g = {&o, NULL, NULL, 0, 0};
  Surface s;
  cut(&o, w);
  while (balance_once(&o)) {
  }
  prepare_surface(c, w, &s);
  make_grid(&o, &g);
  find_hanging(&g);
  set_values(&g, &s);
  keep(c, w->arrays, &g);
}
