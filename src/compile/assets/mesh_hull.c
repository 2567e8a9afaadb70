// Convex hulls by Qhull, and their graphs.
//
// Qhull works on the vertices as they are in the file, and its order of vertices and facets is the
// model's: hill climbing on the graph breaks ties by it.
//
// Qhull reports errors by longjmp and writes what it thinks into a file; here that file is in
// memory, and its first line becomes part of our message.

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compile/assets/mesh.h"

#include <libqhull_r/qhull_ra.h>

typedef struct {
  const double* point;
  int npoint;
  int most;  // vertices of the hull; -1: any
  bool made;
  char why[200];
} Hull;

// Runs Qhull. Nothing of ours changes between setjmp and a jump but what Qhull itself holds.
static void run_qhull(qhT* qh, Hull* hull, FILE* messages) {
  char options[40] = "qhull Qt";
  if (hull->most > -1) snprintf(options, sizeof(options), "qhull Qt TA%d", hull->most - 4);
  qh_zero(qh, messages);
  qh_init_A(qh, NULL, messages, messages, 0, NULL);  // also forbids jumps
  if (setjmp(qh->errexit) == 0) {
    qh->NOerrexit = False;
    qh_initflags(qh, options);
    qh_init_B(qh, (coordT*)(uintptr_t)hull->point, hull->npoint, 3, False);
    qh_qhull(qh);
    qh_triangulate(qh);
    qh_vertexneighbors(qh);
    hull->made = true;
  }
  qh->NOerrexit = True;
}

static void free_qhull(qhT* qh) {
  int count, total;
  qh_freeqhull(qh, !qh_ALL);
  qh_memfreeshort(qh, &count, &total);
}

// Graph

static size_t graph_size(size_t nvert, size_t nface) {
  return 2 + 3 * nvert + 6 * nface;
}

// Numbers the vertices of the hull; false: one of them is not among the points.
static bool list_vertices(qhT* qh, const Hull* hull, int* id, int* local) {
  vertexT* vertex;
  int n = 0;
  FORALLvertices {
    int point = qh_pointid(qh, vertex->point);
    if (point < 0 || point >= hull->npoint || n >= qh->num_vertices) return false;
    id[n] = point;
    local[point] = n++;
  }
  return n == qh->num_vertices;
}

// Neighbours of all vertices, each once, in the order in which they are met around it. `seen` has
// for each vertex the last one whose neighbour it was.
static bool list_edges(qhT* qh, const int* local, int* seen, int* adr, int* edge, int room) {
  vertexT *around, *vertex, **vertexp;
  facetT *neighbor, **neighborp;
  int n = 0, v = 0;
  for (around = qh->vertex_list; around && around->next; around = around->next) {
    adr[v] = n;
    FOREACHneighbor_(around) {
      FOREACHvertex_(neighbor->vertices) {
        int k = local[qh_pointid(qh, vertex->point)];
        if (vertex == around || seen[k] == v + 1) continue;
        seen[k] = v + 1;
        if (n >= room) return false;
        edge[n++] = k;
      }
    }
    if (n >= room) return false;
    edge[n++] = -1;
    v++;
  }
  return n == room;
}

static bool list_faces(qhT* qh, int* face) {
  facetT* facet;
  vertexT *vertex, **vertexp;
  int n = 0;
  FORALLfacets {
    int corner[3], count = 0;
    if (n >= qh->num_facets || qh_setsize(qh, facet->vertices) != 3) return false;
    FOREACHvertex_(facet->vertices) corner[count++] = qh_pointid(qh, vertex->point);
    face[3 * n] = corner[facet->toporient ? 1 : 0];
    face[3 * n + 1] = corner[facet->toporient ? 0 : 1];
    face[3 * n + 2] = corner[2];
    n++;
  }
  return n == qh->num_facets;
}

// Fills the graph; false, with the reason, if the hull is not a closed surface.
static bool make_graph(qhT* qh, Hull* hull, int* graph) {
  size_t nv = (size_t)qh->num_vertices, nf = (size_t)qh->num_facets, n = (size_t)hull->npoint;
  snprintf(hull->why, sizeof(hull->why), "the hull is not a closed surface of triangles");
  if (nv > n || nf > 2 * n) return false;
  int *adr = graph + 2, *id = adr + nv, *edge = id + nv, *face = edge + nv + 3 * nf;
  int *seen = graph + graph_size(n, 2 * n), *local = seen + n;
  graph[0] = (int)nv;
  graph[1] = (int)nf;
  return list_vertices(qh, hull, id, local) &&
         list_edges(qh, local, seen, adr, edge, (int)(nv + 3 * nf)) && list_faces(qh, face);
}

// First line of what Qhull wrote.
static void keep_message(Hull* hull, const char* text) {
  size_t n = text ? strcspn(text, "\n") : 0;
  if (hull->why[0]) return;
  snprintf(hull->why, sizeof(hull->why), "%.*s", (int)(n < 190 ? n : 190), text ? text : "");
}

// All memory of ours is there before Qhull starts: nothing jumps out of here but ct_fail at the
// end. A triangulated surface around n points has at most 2 n triangles.
void ct_mesh_make_hull(ct_Compiler* c, ct_WorkMesh* w) {
  ct_MeshArrays* a = w->arrays;
  Hull hull = {a->vert, a->nvert, w->v.maxhullvert, false, ""};
  size_t n = (size_t)a->nvert;
  int* graph = (int*)ct_pool_array(&c->scratch, graph_size(n, 2 * n) + 2 * n, sizeof(int));
  qhT* qh = (qhT*)ct_pool_alloc(&c->scratch, sizeof(qhT));
  char* text = NULL;
  size_t length = 0;
  FILE* messages = open_memstream(&text, &length);
  if (messages) {
    run_qhull(qh, &hull, messages);
    if (hull.made) hull.made = make_graph(qh, &hull, graph);
    free_qhull(qh);
    fclose(messages);
  }
  if (!hull.made) keep_message(&hull, text);
  free(text);
  if (!hull.made) {
    ct_fail(
        c, w->head.element,
        "no convex hull can be made; if all vertices are in a plane, set contype and conaffinity "
        "of its geoms to 0: %s",
        hull.why);
  }
  size_t nv = (size_t)graph[0], nf = (size_t)graph[1];
  a->ngraph = (int)graph_size(nv, nf);
  a->graph = (int*)ct_pool_array(&c->pool, (size_t)a->ngraph, sizeof(int));
  memcpy(a->graph, graph, (size_t)a->ngraph * sizeof(int));
  a->nhullface = (int)nf;
  a->hullface = a->graph + 2 + 3 * nv + 3 * nf;
}
