// Bounding volume trees over the triangles of meshes.
//
// A set of triangles is split along the longest side of its box into two halves by the
// circumcentres. Circumcentres closer than 1e-14 and those of degenerate triangles, which are not
// numbers, are ordered by triangle. That is no strict weak order, so what ends up in which half
// depends on the algorithm of selection, which is the reference's (select_middle).

#include <math.h>
#include <string.h>

#include "compile/assets/mesh.h"

typedef struct {
  double low[3], high[3];
  double key[3];
} Leaf;

typedef struct {
  const Leaf* leaf;
  int* order;  // leaves, rearranged
  ct_MeshArrays* a;
  int nnode;
} Builder;

static void make_leaf(Leaf* leaf, const double* vert, const int* corner) {
  const double *v0 = vert + 3 * corner[0], *v1 = vert + 3 * corner[1], *v2 = vert + 3 * corner[2];
  double a[3], b[3], m[3], mixed[3], x[3];
  for (int i = 0; i < 3; i++) {
    double low = fmin(v0[i], fmin(v1[i], v2[i])), high = fmax(v0[i], fmax(v1[i], v2[i]));
    double centre = 0.5 * (low + high), half = 0.5 * (high - low);
    leaf->low[i] = centre - half;
    leaf->high[i] = centre + half;
    a[i] = v0[i] - v2[i];
    b[i] = v1[i] - v2[i];
  }
  ct_cross64(m, a, b);
  double area = sqrt(ct_dot64(m, m)), aa = ct_dot64(a, a), bb = ct_dot64(b, b);
  for (int i = 0; i < 3; i++) mixed[i] = aa * b[i] - bb * a[i];
  ct_cross64(x, mixed, m);
  for (int i = 0; i < 3; i++) leaf->key[i] = x[i] / (2 * area * area) + v2[i];
}

// Selection

typedef struct {
  const Leaf* leaf;
  int* order;
  int axis;
} Selection;

static bool less(const Selection* s, int i, int j) {
  int a = s->order[i], b = s->order[j];
  double difference = s->leaf[a].key[s->axis] - s->leaf[b].key[s->axis];
  if (fabs(difference) > CT_COMPILER_EPS) return difference < 0;
  return a < b;
}

static void exchange(Selection* s, int i, int j) {
  int a = s->order[i];
  s->order[i] = s->order[j];
  s->order[j] = a;
}

// Sorts three places; returns how often it exchanged.
static int sort_three(Selection* s, int x, int y, int z) {
  if (!less(s, y, x)) {
    if (!less(s, z, y)) return 0;
    exchange(s, y, z);
    if (!less(s, y, x)) return 1;
    exchange(s, x, y);
    return 2;
  }
  if (less(s, z, y)) {
    exchange(s, x, z);
    return 1;
  }
  exchange(s, x, y);
  if (!less(s, z, y)) return 1;
  exchange(s, y, z);
  return 2;
}

static void selection_sort(Selection* s, int first, int end) {
  for (int i = first; i < end - 1; i++) {
    int smallest = i;
    for (int j = i + 1; j < end; j++) {
      if (less(s, j, smallest)) smallest = j;
    }
    if (smallest != i) exchange(s, i, smallest);
  }
}

static bool is_sorted(const Selection* s, int first, int end) {
  for (int i = first + 1; i < end; i++) {
    if (less(s, i, i - 1)) return false;
  }
  return true;
}

// Nothing is below the first element: splits into what is not above it and what is. Returns where
// the second part starts.
static int split_off_smallest(Selection* s, int first, int end) {
  int i = first + 1, j = end - 1;
  if (!less(s, first, j)) {
    for (;; i++) {
      if (i == j) return end;
      if (less(s, first, i)) break;
    }
    exchange(s, i, j);
    i++;
  }
  if (i == j) return end;
  for (;;) {
    while (!less(s, first, i)) i++;
    do {
      j--;
    } while (less(s, first, j));
    if (i >= j) return i;
    exchange(s, i, j);
    i++;
  }
}

// One round on [*first, *end): moves a bound towards place k; true when k is in place.
static bool narrow(Selection* s, int* first, int* end, int k) {
  int f = *first, l = *end, m = f + (l - f) / 2;
  int exchanges = sort_three(s, f, m, l - 1);
  int i = f, j = l - 1;
  if (!less(s, i, m)) {
    for (j = l - 2; j > f && !less(s, j, m);) j--;
    if (j == f) {
      int start = split_off_smallest(s, f, l);
      *first = start;
      return k < start;
    }
    exchange(s, i, j);
    exchanges++;
  }
  i++;
  if (i < j) {
    for (;;) {
      while (less(s, i, m)) i++;
      do {
        j--;
      } while (!less(s, j, m));
      if (i >= j) break;
      exchange(s, i, j);
      exchanges++;
      if (m == i) m = j;
      i++;
    }
  }
  if (i != m && less(s, m, i)) {
    exchange(s, i, m);
    exchanges++;
  }
  if (k == i) return true;
  if (exchanges == 0 && (k < i ? is_sorted(s, f, i) : is_sorted(s, i, l))) return true;
  if (k < i) {
    *end = i;
  } else {
    *first = i + 1;
  }
  return false;
}

// Rearranges so that place k has what it would have if all were sorted, smaller ones before it.
static void select_middle(Selection* s, int first, int end, int k) {
  while (k != end) {
    int n = end - first;
    if (n <= 1) return;
    if (n == 2) {
      if (less(s, end - 1, first)) exchange(s, first, end - 1);
      return;
    }
    if (n == 3) {
      sort_three(s, first, first + 1, first + 2);
      return;
    }
    if (n <= 7) {
      selection_sort(s, first, end);
      return;
    }
    if (narrow(s, &first, &end, k)) return;
  }
}

// Building

double ct_box_side(double box[6], int axis, double low, double high) {
  if (fabs(high - low) < CT_COMPILER_EPS) {
    low -= CT_COMPILER_EPS;
    high += CT_COMPILER_EPS;
  }
  box[axis] = (high + low) / 2;
  box[axis + 3] = (high - low) / 2;
  return high - low;
}

int ct_longest_side(const double side[3]) {
  int axis = side[1] >= side[0] + CT_COMPILER_EPS ? 1 : 0;
  return side[2] >= side[axis] + CT_COMPILER_EPS ? 2 : axis;
}

// Box around leaves as centre and half sizes; returns the axis to split along.
static int enclose(double box[6], const Leaf* leaf, const int* order, int count) {
  double side[3];
  for (int i = 0; i < 3; i++) {
    double low = leaf[order[0]].low[i], high = leaf[order[0]].high[i];
    for (int k = 1; k < count; k++) {
      low = fmin(low, leaf[order[k]].low[i]);
      high = fmax(high, leaf[order[k]].high[i]);
    }
    side[i] = ct_box_side(box, i, low, high);
  }
  return ct_longest_side(side);
}

// Halves are equal, so the depth is logarithmic and recursion is safe.
static int build(Builder* b, int first, int count, int depth) {
  ct_MeshArrays* a = b->a;
  int node = b->nnode++;
  int axis = enclose(a->bvh_box + 6 * node, b->leaf, b->order + first, count);
  a->bvh_depth[node] = depth;
  a->bvh_child[2 * node] = a->bvh_child[2 * node + 1] = -1;
  a->bvh_face[node] = count == 1 ? b->order[first] : -1;
  if (count == 1) return node;
  int half = count / 2;
  Selection s = {b->leaf, b->order, axis};
  select_middle(&s, first, first + count, first + half);
  a->bvh_child[2 * node] = build(b, first, half, depth + 1);
  a->bvh_child[2 * node + 1] = build(b, first + half, count - half, depth + 1);
  return node;
}

void ct_mesh_make_tree(ct_Compiler* c, ct_WorkMesh* w) {
  ct_MeshArrays* a = w->arrays;
  size_t n = (size_t)a->nface;
  if (n == 0) return;
  Leaf* leaf = (Leaf*)ct_pool_array(&c->scratch, n, sizeof(Leaf));
  Builder b = {leaf, NULL, a, 0};
  b.order = (int*)ct_pool_array(&c->scratch, n, sizeof(int));
  for (int i = 0; i < a->nface; i++) {
    make_leaf(&leaf[i], a->vert, a->face + 3 * i);
    b.order[i] = i;
  }
  w->nnode = 2 * a->nface - 1;
  size_t nnode = (size_t)w->nnode;
  a->bvh_depth = (int*)ct_pool_array(&c->pool, nnode, sizeof(int));
  a->bvh_child = (int*)ct_pool_array(&c->pool, nnode, 2 * sizeof(int));
  a->bvh_face = (int*)ct_pool_array(&c->pool, nnode, sizeof(int));
  a->bvh_box = (double*)ct_pool_array(&c->pool, nnode, 6 * sizeof(double));
  build(&b, 0, a->nface, 0);
}
