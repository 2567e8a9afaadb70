// How the elements of a flex hang together: edges, the border, layers below it, and which vertices
// a neighbour can push through an element.
//
// A fragment is a side of an element: a vertex of a line, an edge of a triangle, a triangle of a
// tetrahedron. A fragment of one element only is part of the border; one that two elements share
// connects them.

#include <stdlib.h>
#include <string.h>

#include "compile/assets/mesh.h"
#include "compile/flex_arrays.h"

// Edges

int ct_flex_element_edges(int dim) {
  static const int count[4] = {0, 1, 3, 6};
  return count[dim];
}

const int* ct_flex_local_edge(int dim, int i) {
  static const int line[1][2] = {{0, 1}};
  static const int triangle[3][2] = {{1, 2}, {2, 0}, {0, 1}};
  static const int tetrahedron[6][2] = {{0, 1}, {1, 2}, {2, 0}, {2, 3}, {0, 3}, {1, 3}};
  return dim == 1 ? line[i] : dim == 2 ? triangle[i] : tetrahedron[i];
}

// In the order in which elements have them first.
void ct_flex_find_edges(ct_Compiler* c, ct_FlexArrays* f) {
  int width = f->dim + 1, sides = ct_flex_element_edges(f->dim);
  size_t most = (size_t)f->nelem * (size_t)sides;
  ct_EdgeTable table = ct_edges_make(&c->scratch, most);
  f->elemedge = (int*)ct_pool_array(&c->pool, most, sizeof(int));
  f->edge = (int*)ct_pool_array(&c->pool, most, 2 * sizeof(int));
  f->edge_order = (int*)ct_pool_array(&c->pool, most, 2 * sizeof(int));
  for (int i = 0; i < f->nelem * sides; i++) {
    const int* vertex = f->elem + width * (i / sides);
    const int* local = ct_flex_local_edge(f->dim, i % sides);
    int from = vertex[local[0]], to = vertex[local[1]];
    int small = from < to ? from : to, large = from < to ? to : from;
    int* number = ct_edges_at(&table, 0, small, large);
    if (*number < 0) {
      *number = f->nedge++;
      f->edge[2 * *number] = small;
      f->edge[2 * *number + 1] = large;
      f->edge_order[2 * *number] = from;
      f->edge_order[2 * *number + 1] = to;
    }
    f->elemedge[i] = *number;
  }
}

// The vertices opposite an edge in the triangles that have it. Of more than two the last counts as
// the second.
void ct_flex_find_flaps(ct_Compiler* c, ct_FlexArrays* f) {
  f->flap = (int*)ct_pool_array(&c->pool, (size_t)f->nedge, 2 * sizeof(int));
  for (int i = 0; i < 2 * f->nedge; i++) f->flap[i] = -1;
  for (int i = 0; i < 3 * f->nelem; i++) {
    int* flap = f->flap + 2 * f->elemedge[i];
    int opposite = f->elem[i];  // local edge k is opposite local vertex k
    flap[flap[0] >= 0] = opposite;
  }
}

// Fragments

typedef struct {
  int sorted[3], vertex[3];  // unused ones are -1
  int elem;
} Fragment;

typedef struct {
  int elem[2];
  int common[3];  // vertices
} Connection;

typedef struct {
  Fragment* fragment;
  int nfragment;
  Connection* connection;
  int nconnection;
  bool* border;  // (nelem)
} Border;

static const int* local_fragment(int dim, int i) {
  static const int line[2][3] = {{0, -1, -1}, {1, -1, -1}};
  static const int triangle[3][3] = {{0, 1, -1}, {2, 0, -1}, {1, 2, -1}};
  static const int tetrahedron[4][3] = {{0, 1, 2}, {0, 3, 1}, {0, 2, 3}, {1, 3, 2}};
  return dim == 1 ? line[i] : dim == 2 ? triangle[i] : tetrahedron[i];
}

static void sort_vertices(int v[3], int count) {
  for (int i = 1; i < count; i++) {
    for (int k = i; k > 0 && v[k] < v[k - 1]; k--) {
      int swap = v[k];
      v[k] = v[k - 1];
      v[k - 1] = swap;
    }
  }
}

static int compare_ints(const int* a, const int* b, int count) {
  for (int i = 0; i < count; i++) {
    if (a[i] != b[i]) return a[i] < b[i] ? -1 : 1;
  }
  return 0;
}

static int compare_fragments(const void* one, const void* other) {
  const Fragment *a = (const Fragment*)one, *b = (const Fragment*)other;
  int order = compare_ints(a->sorted, b->sorted, 3);
  if (!order) order = compare_ints(&a->elem, &b->elem, 1);
  return order ? order : compare_ints(a->vertex, b->vertex, 3);
}

static void list_fragments(ct_Compiler* c, const ct_FlexArrays* f, Border* border) {
  int width = f->dim + 1, n = f->nelem * width;
  border->nfragment = n;
  border->fragment = (Fragment*)ct_pool_array(&c->scratch, (size_t)n, sizeof(Fragment));
  for (int i = 0; i < n; i++) {
    Fragment* fragment = &border->fragment[i];
    const int* local = local_fragment(f->dim, i % width);
    fragment->elem = i / width;
    for (int k = 0; k < 3; k++) {
      fragment->vertex[k] = local[k] < 0 ? -1 : f->elem[width * fragment->elem + local[k]];
    }
    memcpy(fragment->sorted, fragment->vertex, sizeof(fragment->sorted));
    sort_vertices(fragment->sorted, f->dim);
  }
  qsort(border->fragment, (size_t)n, sizeof(Fragment), compare_fragments);
}

static void find_connections(ct_Compiler* c, ct_FlexArrays* f, Border* border) {
  size_t n = (size_t)border->nfragment;
  border->connection = (Connection*)ct_pool_array(&c->scratch, n, sizeof(Connection));
  border->border = (bool*)ct_pool_array(&c->scratch, (size_t)f->nelem, sizeof(bool));
  f->shell = (int*)ct_pool_array(&c->pool, n * (size_t)f->dim, sizeof(int));
  bool joined = false;  // this fragment and the one before it
  for (int i = 0; i < border->nfragment; i++) {
    const Fragment* a = &border->fragment[i];
    bool same = i + 1 < border->nfragment && !compare_ints(a->sorted, a[1].sorted, 3);
    if (same) {
      Connection* connection = &border->connection[border->nconnection++];
      connection->elem[0] = a->elem;
      connection->elem[1] = a[1].elem;
      memcpy(connection->common, a->sorted, sizeof(connection->common));
    } else if (!joined) {
      memcpy(f->shell + f->dim * f->nshell++, a->vertex, (size_t)f->dim * sizeof(int));
      border->border[a->elem] = true;
    }
    joined = same;
  }
}

// Layers

// Distance in connections from the border, by breadth-first search.
static void find_layers(ct_Compiler* c, ct_FlexArrays* f, const Border* border) {
  size_t n = (size_t)f->nelem, nc = (size_t)border->nconnection;
  f->layer = (int*)ct_pool_array(&c->pool, n, sizeof(int));
  if (f->dim < 3) return;

  // neighbours of each element, one list after the other
  int* start = (int*)ct_pool_array(&c->scratch, n + 2, sizeof(int));
  int* next = (int*)ct_pool_array(&c->scratch, 2 * nc + 1, sizeof(int));
  for (size_t i = 0; i < nc; i++) {
    for (int k = 0; k < 2; k++) start[border->connection[i].elem[k] + 2]++;
  }
  for (size_t i = 2; i < n + 2; i++) start[i] += start[i - 1];
  for (size_t i = 0; i < nc; i++) {
    for (int k = 0; k < 2; k++) {
      next[start[border->connection[i].elem[k] + 1]++] = border->connection[i].elem[1 - k];
    }
  }

  int* queue = (int*)ct_pool_array(&c->scratch, n, sizeof(int));
  int queued = 0;
  for (int i = 0; i < f->nelem; i++) {
    f->layer[i] = border->border[i] ? 0 : f->nelem + 1;
    if (border->border[i]) queue[queued++] = i;
  }
  for (int q = 0; q < queued; q++) {
    int at = queue[q];
    for (int k = start[at]; k < start[at + 1]; k++) {
      if (f->layer[next[k]] <= f->nelem) continue;
      f->layer[next[k]] = f->layer[at] + 1;
      queue[queued++] = next[k];
    }
  }
}

// Pairs

static bool has_vertex(const int* vertex, int count, int v) {
  for (int i = 0; i < count; i++) {
    if (vertex[i] == v) return true;
  }
  return false;
}

// The first vertex of an element that is not in what it shares with a neighbour; -1: none.
static int free_vertex(const ct_FlexArrays* f, int elem, const int* common) {
  int width = f->dim + 1;
  for (int i = 0; i < width; i++) {
    int v = f->elem[width * elem + i];
    if (!has_vertex(common, f->dim, v)) return v;
  }
  return -1;
}

// Elements beside the border can be pierced by the free vertex of a neighbour.
static void find_pairs(ct_Compiler* c, ct_FlexArrays* f, const Border* border) {
  size_t most = 2 * (size_t)border->nconnection;
  f->evpair = (int*)ct_pool_array(&c->pool, most, 2 * sizeof(int));
  if (f->dim > 2) return;
  for (int i = 0; i < border->nconnection; i++) {
    const Connection* connection = &border->connection[i];
    const int* elem = connection->elem;
    if (!border->border[elem[0]] && !border->border[elem[1]]) continue;
    for (int k = 0; k < 2; k++) {
      int v = free_vertex(f, elem[k], connection->common);
      if (v < 0) continue;
      f->evpair[2 * f->nevpair] = elem[1 - k];
      f->evpair[2 * f->nevpair + 1] = v;
      f->nevpair++;
    }
  }
}

void ct_flex_find_border(ct_Compiler* c, ct_FlexArrays* f) {
  Border border = {0};
  list_fragments(c, f, &border);
  find_connections(c, f, &border);
  find_layers(c, f, &border);
  find_pairs(c, f, &border);
}
