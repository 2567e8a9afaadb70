// Flat polygons of a mesh: triangles of the hull (or of the mesh, if it has none) with the same
// normal, joined along common edges. Collision clips contacts between flat sides with them.
//
// Triangles are grouped by normal in a search tree. The relation that orders normals calls
// directions within about a tenth of a degree equal and is no strict weak order, so which group a
// triangle finds depends on the shape of the tree: it is a red-black tree with the insertion of
// Cormen, Leiserson, Rivest, Stein, "Introduction to Algorithms", ch. 13. A triangle that finds no
// group but cannot be inserted either is in no polygon.
//
// A group holds the directed edges that no second triangle has cancelled. Edges of connected
// triangles have one label; a label is a set in a union-find forest whose root is its oldest
// member. In the end the edges of each label are followed around once.

#include <math.h>
#include <string.h>

#include "compile/assets/mesh.h"

typedef struct Group_ {
  double normal[3];
  struct Group_ *parent, *left, *right;
  bool red;
  int id;
  int first_edge, last_edge;  // -1: none
  int nedge;
} Group;

typedef struct {
  int from, to;
  int label;           // of its triangle; see find_label
  int previous, next;  // in the group's list; -1: none
  int same;            // next edge of the group with the same ends; -1: none
  int last_same;       // of the first such edge: the last one
} Edge;

typedef struct {
  ct_Compiler* c;
  ct_MeshArrays* a;
  Group *root, *group;
  int ngroup;
  Edge* edge;  // all that ever were
  int nedge;
  int* label;  // union-find forest: smaller label of the same part, or itself
  int nlabel;
  ct_EdgeTable table;  // (group, from, to) to the first such edge
} Polygons;

// Normals

// Not defined for degenerate triangles, but the same as in the reference.
static void triangle_normal(double normal[3], const double* vert, const int* corner) {
  const double *a = vert + 3 * corner[0], *b = vert + 3 * corner[1], *c = vert + 3 * corner[2];
  double u[3], v[3];
  for (int i = 0; i < 3; i++) {
    u[i] = b[i] - a[i];
    v[i] = c[i] - a[i];
  }
  ct_cross64(normal, u, v);
  double length = sqrt(ct_dot64(normal, normal));
  if (length < CT_COMPILER_EPS) {
    normal[0] = 1;
    normal[1] = normal[2] = 0;
  }
  for (int i = 0; i < 3; i++) normal[i] /= length;
}

static bool before(const double p[3], const double q[3]) {
  const double parallel = 0.99999872;
  if (ct_dot64(p, q) > parallel) return false;
  for (int i = 0; i < 3; i++) {
    if (fabs(p[i] - q[i]) > mjMINVAL) return p[i] > q[i];
  }
  return false;
}

// Search tree

static Group* find_group(const Polygons* p, const double normal[3]) {
  Group* found = NULL;
  for (Group* g = p->root; g;) {
    if (before(g->normal, normal)) {
      g = g->right;
    } else {
      found = g;
      g = g->left;
    }
  }
  return found && !before(normal, found->normal) ? found : NULL;
}

// Puts `up`, a child of g, in the place of g, which becomes its child on the other side.
static void rotate(Polygons* p, Group* g, Group* up) {
  Group* moved;
  if (up == g->right) {
    moved = g->right = up->left;
    up->left = g;
  } else {
    moved = g->left = up->right;
    up->right = g;
  }
  if (moved) moved->parent = g;
  up->parent = g->parent;
  if (!g->parent) {
    p->root = up;
  } else if (g == g->parent->left) {
    g->parent->left = up;
  } else {
    g->parent->right = up;
  }
  g->parent = up;
}

static void repair(Polygons* p, Group* g) {
  while (g->parent && g->parent->red) {
    Group *parent = g->parent, *above = parent->parent;
    bool left = parent == above->left;
    Group* uncle = left ? above->right : above->left;
    if (uncle && uncle->red) {
      parent->red = uncle->red = false;
      above->red = true;
      g = above;
      continue;
    }
    if (g == (left ? parent->right : parent->left)) {
      rotate(p, parent, g);
      g = parent;
      parent = g->parent;
    }
    parent->red = false;
    above->red = true;
    rotate(p, above, parent);
  }
  p->root->red = false;
}

// A new group in its place; NULL if it would have to be where another one is.
static Group* insert_group(Polygons* p, const double normal[3]) {
  Group *parent = NULL, **link = &p->root;
  while (*link) {
    parent = *link;
    if (before(normal, parent->normal)) {
      link = &parent->left;
    } else if (before(parent->normal, normal)) {
      link = &parent->right;
    } else {
      return NULL;
    }
  }
  Group* g = &p->group[p->ngroup];
  memcpy(g->normal, normal, sizeof(g->normal));
  g->parent = parent;
  g->red = true;
  g->id = p->ngroup++;
  g->first_edge = g->last_edge = -1;
  *link = g;
  repair(p, g);
  return g;
}

static Group* next_group(const Group* g) {
  if (g->right) {
    for (g = g->right; g->left;) g = g->left;
    return (Group*)(uintptr_t)g;
  }
  while (g->parent && g == g->parent->right) g = g->parent;
  return g->parent;
}

// Edges

static int find_label(Polygons* p, int label) {
  while (p->label[label] != label) {
    p->label[label] = p->label[p->label[label]];
    label = p->label[label];
  }
  return label;
}

static void append_edge(Polygons* p, Group* g, int from, int to, int label) {
  int k = p->nedge++;
  Edge* edge = &p->edge[k];
  Edge made = {from, to, label, g->last_edge, -1, -1, k};
  *edge = made;
  if (g->last_edge >= 0) {
    p->edge[g->last_edge].next = k;
  } else {
    g->first_edge = k;
  }
  g->last_edge = k;
  g->nedge++;
  int* first = ct_edges_at(&p->table, g->id, from, to);
  if (*first < 0) {
    *first = k;
  } else {
    p->edge[p->edge[*first].last_same].same = k;
    p->edge[*first].last_same = k;
  }
}

// Takes the first edge with these ends out of the list and returns its label; -1: there is none.
static int cancel_edge(Polygons* p, Group* g, int from, int to) {
  int* first = ct_edges_at(&p->table, g->id, from, to);
  if (*first < 0) return -1;
  Edge* edge = &p->edge[*first];
  if (edge->same >= 0) p->edge[edge->same].last_same = edge->last_same;
  *first = edge->same;
  if (edge->previous >= 0) {
    p->edge[edge->previous].next = edge->next;
  } else {
    g->first_edge = edge->next;
  }
  if (edge->next >= 0) {
    p->edge[edge->next].previous = edge->previous;
  } else {
    g->last_edge = edge->previous;
  }
  g->nedge--;
  return find_label(p, edge->label);
}

static void join_face(Polygons* p, Group* g, const int* corner) {
  int label = -1;
  bool open[3];
  for (int i = 0; i < 3; i++) {
    int other = cancel_edge(p, g, corner[(i + 1) % 3], corner[i]);
    open[i] = other < 0;
    if (other < 0) continue;
    if (label < 0) label = other;
    int smaller = other < label ? other : label;
    p->label[other] = p->label[label] = smaller;
    label = smaller;
  }
  if (label < 0) {
    label = p->nlabel++;
    p->label[label] = label;
  }
  for (int i = 0; i < 3; i++) {
    if (open[i]) append_edge(p, g, corner[i], corner[(i + 1) % 3], label);
  }
}

// Paths

typedef struct {
  Polygons* p;
  int* order;    // edges of a group by label
  int* bucket;   // (nlabel) first edge in `order` of a label, while sorting
  int* labels;   // of a group, ascending
  int* next_at;  // (nvert) edge that leaves a vertex
  int* stamp;    // (nvert) when next_at was set
  int time;
} Tracer;

static void add_polygon(ct_MeshArrays* a, int first) {
  int n = a->npolyvert - first;
  if (n < 3) {
    a->npolyvert = first;
    return;
  }
  a->polyvertadr[a->npoly] = first;
  a->polyvertnum[a->npoly++] = n;
}

// Follows the edges of one label from the first. Where a vertex has several ways out the first
// counts, so whoever comes to a vertex twice never comes back to the start.
static void trace(Tracer* t, const Group* g, const int* edge, int count) {
  ct_MeshArrays* a = t->p->a;
  const Edge* all = t->p->edge;
  t->time++;
  for (int i = 0; i < count; i++) {
    int from = all[edge[i]].from;
    if (edge[i] == g->first_edge || t->stamp[from] == t->time) continue;
    t->stamp[from] = t->time;
    t->next_at[from] = edge[i];
  }
  int first = a->npolyvert, start = all[edge[0]].from, at = all[edge[0]].to;
  bool complete = false;
  a->polyvert[a->npolyvert++] = start;
  a->polyvert[a->npolyvert++] = at;
  for (int moves = 0; moves < count && t->stamp[at] == t->time; moves++) {
    at = all[t->next_at[at]].to;
    complete = at == start;
    if (complete) break;
    if (moves + 1 < count) a->polyvert[a->npolyvert++] = at;
  }
  if (!complete) a->npolyvert = first;
  add_polygon(a, first);
}

static int compare_ints(const void* a, const void* b) {
  int x = *(const int*)a, y = *(const int*)b;
  return (x > y) - (x < y);
}

// Sorts the edges of a group by label, keeping their order, and traces each label.
static void trace_group(Tracer* t, const Group* g) {
  Polygons* p = t->p;
  int nlabel = 0;
  for (int k = g->first_edge; k >= 0; k = p->edge[k].next) {
    int label = p->edge[k].label = find_label(p, p->edge[k].label);
    if (t->bucket[label]++ == 0) t->labels[nlabel++] = label;
  }
  qsort(t->labels, (size_t)nlabel, sizeof(int), compare_ints);
  for (int i = 0, start = 0; i < nlabel; i++) {
    int count = t->bucket[t->labels[i]];
    t->bucket[t->labels[i]] = start;
    start += count;
  }
  for (int k = g->first_edge; k >= 0; k = p->edge[k].next) {
    t->order[t->bucket[p->edge[k].label]++] = k;
  }
  for (int i = 0, start = 0; i < nlabel; i++) {
    int end = t->bucket[t->labels[i]];
    trace(t, g, t->order + start, end - start);
    t->bucket[t->labels[i]] = 0;
    start = end;
  }
}

static void trace_triangle(ct_MeshArrays* a, const Polygons* p, const Group* g) {
  int first = a->npolyvert;
  for (int k = g->first_edge; k >= 0; k = p->edge[k].next) {
    a->polyvert[a->npolyvert++] = p->edge[k].from;
  }
  add_polygon(a, first);
}

static void trace_all(Polygons* p) {
  ct_Pool* scratch = &p->c->scratch;
  size_t nvert = (size_t)p->a->nvert, nedge = (size_t)p->nedge;
  Tracer t = {p, NULL, NULL, NULL, NULL, NULL, 0};
  t.order = (int*)ct_pool_array(scratch, nedge, sizeof(int));
  t.labels = (int*)ct_pool_array(scratch, nedge, sizeof(int));
  t.bucket = (int*)ct_pool_array(scratch, nedge, sizeof(int));
  t.next_at = (int*)ct_pool_array(scratch, nvert, sizeof(int));
  t.stamp = (int*)ct_pool_array(scratch, nvert, sizeof(int));
  Group* g = p->root;
  while (g && g->left) g = g->left;
  for (; g; g = next_group(g)) {
    if (g->nedge == 3) {
      trace_triangle(p->a, p, g);
    } else if (g->nedge > 0) {
      trace_group(&t, g);
    }
  }
}

// All

// Which polygons each vertex is in.
static void map_vertices(ct_Compiler* c, ct_MeshArrays* a) {
  size_t nvert = (size_t)a->nvert;
  a->npolymap = a->npolyvert;
  a->polymapadr = (int*)ct_pool_array(&c->pool, nvert, sizeof(int));
  a->polymapnum = (int*)ct_pool_array(&c->pool, nvert, sizeof(int));
  a->polymap = (int*)ct_pool_array(&c->pool, (size_t)a->npolymap, sizeof(int));
  for (int i = 0; i < a->npolyvert; i++) a->polymapnum[a->polyvert[i]]++;
  for (size_t v = 1; v < nvert; v++) {
    a->polymapadr[v] = a->polymapadr[v - 1] + a->polymapnum[v - 1];
  }
  memset(a->polymapnum, 0, nvert * sizeof(int));
  for (int k = 0; k < a->npoly; k++) {
    for (int i = 0; i < a->polyvertnum[k]; i++) {
      int v = a->polyvert[a->polyvertadr[k] + i];
      a->polymap[a->polymapadr[v] + a->polymapnum[v]++] = k;
    }
  }
}

void ct_mesh_find_polygons(ct_Compiler* c, ct_WorkMesh* w) {
  ct_MeshArrays* a = w->arrays;
  int nface = a->ngraph ? a->nhullface : a->nface;
  const int* face = a->ngraph ? a->hullface : a->face;
  size_t n = (size_t)nface;
  Polygons p = {c, a, NULL, NULL, 0, NULL, 0, NULL, 0, {{NULL, 0, 0}, NULL}};
  p.group = (Group*)ct_pool_array(&c->scratch, n, sizeof(Group));
  p.edge = (Edge*)ct_pool_array(&c->scratch, n, 3 * sizeof(Edge));
  p.label = (int*)ct_pool_array(&c->scratch, n, sizeof(int));
  p.table = ct_edges_make(&c->scratch, 6 * n);
  for (int i = 0; i < nface; i++) {
    double normal[3];
    triangle_normal(normal, a->vert, face + 3 * i);
    Group* g = find_group(&p, normal);
    if (g) {
      join_face(&p, g, face + 3 * i);
    } else if ((g = insert_group(&p, normal)) != NULL) {
      int label = p.nlabel++;
      p.label[label] = label;
      const int* v = face + 3 * i;
      for (int k = 0; k < 3; k++) append_edge(&p, g, v[k], v[(k + 1) % 3], label);
    }
  }
  a->polyvertadr = (int*)ct_pool_array(&c->pool, n, sizeof(int));
  a->polyvertnum = (int*)ct_pool_array(&c->pool, n, sizeof(int));
  a->polyvert = (int*)ct_pool_array(&c->pool, 6 * n + 2, sizeof(int));
  trace_all(&p);
  map_vertices(c, a);
}

void ct_mesh_polygon_normals(ct_Compiler* c, ct_WorkMesh* w) {
  ct_MeshArrays* a = w->arrays;
  a->polynormal = (double*)ct_pool_array(&c->pool, (size_t)a->npoly, 3 * sizeof(double));
  for (int i = 0; i < a->npoly; i++) {
    triangle_normal(a->polynormal + 3 * i, a->vert, a->polyvert + a->polyvertadr[i]);
  }
}
