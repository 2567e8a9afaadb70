// Marching cubes (Lorensen and Cline, "Marching cubes: a high resolution 3D surface construction
// algorithm", 1987).
//
// A cell of the grid has eight corners; bit b of its configuration says that the field is negative
// at corner b, whose offsets along x, y, z are the three bits of b. The surface crosses an edge
// whose ends differ. On each of the six squares of the cell the crossings are joined in pairs so
// that negative corners that lie across from each other stay apart; both cells that share the
// square see it alike, so the surface has no cracks. The segments of the six squares close to
// polygons, and polygons are cut into triangles.
//
// The polygons follow from the configuration and are found here. How to cut a polygon is a free
// choice, and that of the reference is in `cuts`: it decides the order of triangles, and through
// their shapes the last digits of volumes.

#include "compile/assets/marching_cubes.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

enum { NCORNER = 8, NEDGE = 12, NCONFIGURATION = 256, MOST_TRIANGLES = 5 };

// The table

// Edge 4 * axis + k begins at the corner whose offsets along the two other axes are the bits of k.
static int edge_between(int corner1, int corner2) {
  int along = corner1 ^ corner2, low = corner1 & corner2;
  int axis = along >> 1;  // 1, 2, 4 become 0, 1, 2
  int first = axis == 0 ? low >> 1 & 1 : low & 1;
  int second = axis == 2 ? low >> 1 & 1 : low >> 2 & 1;
  return 4 * axis + first + 2 * second;
}

// clang-format off

// Ways to cut a polygon into triangles; corners are counted from the one that `cuts` names.
static const char* const ways[] = {
    "012",                                           // A: it is a triangle
    "012023", "023012",                              // B, C: of four corners
    "012024423", "034013123",                        // D, E: of five
    "012024423504", "012025523534", "015123513534",  // F, G, H: of six
    "015145124234", "015145134123", "015534135123",  // I, J, K: of six
    "045014134123", "045024234120",                  // L, M: of six
    "013563603453123",                               // N: of seven
};

// For each polygon of a configuration, in the order of the triangles: the edge (a hexadecimal
// digit) from which its corners are counted, and the way to cut it.
static const char* const cuts[NCONFIGURATION] = {
    "", "0A", "5A", "4C", "1A", "1C", "1A9A", "5D",
    "bA", "5A8A", "0C", "1D", "aC", "0D", "4D", "8C",
    "2A", "0C", "9A6A", "2D", "4A2A", "aD", "0A8A1A", "6L",
    "2A1A", "6CbA", "bC6A", "4H", "5C2A", "2M", "2AaE", "2E",
    "9A", "0A7A", "2C", "8D", "1A2A", "1C7A", "2CaA", "8F",
    "bA2A", "0A5A2A", "7D", "4G", "aC2A", "7A8E", "bH", "7E",
    "8C", "9D", "0D", "4B", "7C1A", "7K", "aA5E", "aE",
    "8C1A", "1A7E", "0F", "1E", "4C6C", "6N", "bN", "6B",
    "3A", "aA0A", "3A0A", "9C3A", "3C", "6D", "3C9A", "9K",
    "3A5A", "1A4A3A", "0C6A", "6AbE", "bD", "8L", "6M", "6E",
    "2C", "4D", "aC5A", "3M", "8D", "0B", "5A2E", "5E",
    "2C5A", "bA0E", "3C1C", "9N", "5K", "bE", "3N", "3B",
    "7AaA", "2A6A0A", "5CaA", "3A4E", "4C9A", "9A3E", "1C0C", "1N",
    "3A7A1A", "0A6A7A1A", "aA2E", "3AbI", "2A5E", "2A8I", "0N", "6J",
    "3D", "aL", "8H", "3E", "1M", "9E", "7N", "1B",
    "5AaE", "1AaI", "8N", "3J", "4N", "9J", "0A3A", "7A",
    "7A", "0A3A", "5A3A", "4C3A", "bA4A", "8C7A", "1AbA0A", "3A9E",
    "1C", "7C8A", "9D", "1F", "3D", "8K", "aG", "3E",
    "2AbA", "0CbA", "2A9A3A", "bA6E", "3AaA2A", "7A1E", "1A8A9A3A", "3A6I",
    "1C8A", "2C3C", "6A0E", "4N", "8A7E", "5N", "2A7I", "2J",
    "3C", "3C4A", "bD", "5H", "9C4A", "0C2C", "4A3E", "2N",
    "5D", "8A1E", "0C", "8E", "3F", "aN", "4E", "2B",
    "6D", "6F", "8G", "bE", "1A8E", "0N", "1A5I", "aJ",
    "9H", "3N", "6E", "3B", "9N", "3A0A", "6J", "3A",
    "6C", "bC0A", "6C0A", "8CaC", "1D", "0M", "9A4E", "8N",
    "aD", "0A6E", "7H", "7N", "4C", "0E", "9E", "8B",
    "7D", "bK", "0AbE", "aN", "4L", "7E", "0A4I", "5J",
    "8M", "2N", "1N", "1A2A", "8E", "2B", "8J", "9A",
    "2D", "4A9E", "2F", "5N", "4K", "bN", "6N", "2A1A",
    "6G", "0A9I", "aE", "aJ", "2E", "0J", "0B", "2A",
    "8B", "4E", "0E", "aB", "1E", "0B", "1J", "bA",
    "5E", "4J", "1B", "1A", "4B", "5A", "0A", "",
};
// clang-format on

typedef struct {
  signed char count;  // triangles
  signed char edge[3 * MOST_TRIANGLES];
} Pattern;

// On a square whose corners are in counterclockwise order seen from outside: from the edge on which
// each run of negative corners begins to the one on which it ends.
static void join_crossings(int next[NEDGE], int configuration, const int corner[4]) {
  for (int k = 0; k < 4; k++) {
    int before = corner[k], begin = corner[(k + 1) % 4];
    if ((configuration >> before & 1) || !(configuration >> begin & 1)) continue;
    int last = k + 1;
    while (configuration >> corner[(last + 1) % 4] & 1) last++;
    next[edge_between(before, begin)] = edge_between(corner[last % 4], corner[(last + 1) % 4]);
  }
}

// The crossing that follows each crossing along its polygon.
static void find_polygons(int next[NEDGE], int configuration) {
  for (int axis = 0; axis < 3; axis++) {
    int u = 1 << (axis + 1) % 3, v = 1 << (axis + 2) % 3, far = 1 << axis;
    int lower[4] = {v, u | v, u, 0};
    int upper[4] = {far, far | u, far | u | v, far | v};
    join_crossings(next, configuration, lower);
    join_crossings(next, configuration, upper);
  }
}

static Pattern pattern_of(int configuration) {
  Pattern p;
  int next[NEDGE] = {0};
  memset(&p, 0, sizeof(p));
  find_polygons(next, configuration);
  for (const char* cut = cuts[configuration]; *cut; cut += 2) {
    int corner[NEDGE];
    corner[0] = *cut <= '9' ? *cut - '0' : *cut - 'a' + 10;
    for (int k = 1; k < NEDGE; k++) corner[k] = next[corner[k - 1]];
    for (const char* way = ways[cut[1] - 'A']; *way; way += 3) {
      for (int k = 0; k < 3; k++) {
        p.edge[3 * p.count + k] = (signed char)corner[way[k] - '0'];
      }
      p.count++;
    }
  }
  return p;
}

// The march

typedef struct {
  ct_Pool* pool;
  const float* value;
  const int* n;
  int* vertex;  // (n[2] x n[1] x n[0] x 3): of the edge from a grid point along an axis
  size_t vertroom, faceroom;
  ct_Isosurface surface;
} March;

static size_t point_at(const March* m, const int at[3]) {
  return ((size_t)at[2] * (size_t)m->n[1] + (size_t)at[1]) * (size_t)m->n[0] + (size_t)at[0];
}

// Where an edge of a cell begins.
static size_t edge_start(const March* m, int at[3], const int cell[3], int edge) {
  int axis = edge / 4;
  int u = axis == 0 ? 1 : 0, v = axis == 2 ? 1 : 2;
  memcpy(at, cell, 3 * sizeof(int));
  at[u] += edge & 1;
  at[v] += edge >> 1 & 1;
  return point_at(m, at);
}

// The vertex on an edge, by linear interpolation, if the surface crosses it.
static void add_vertex(March* m, const int cell[3], int edge) {
  int axis = edge / 4, at[3];
  size_t begin = edge_start(m, at, cell, edge);
  int end[3] = {at[0], at[1], at[2]};
  end[axis]++;
  float a = m->value[begin], b = m->value[point_at(m, end)];
  if ((a < 0) == (b < 0)) return;
  ct_Isosurface* s = &m->surface;
  s->vert = (float*)ct_pool_grow(m->pool, s->vert, (size_t)s->nvert, (size_t)s->nvert + 1,
                                 &m->vertroom, 3 * sizeof(float));
  for (int i = 0; i < 3; i++) s->vert[3 * s->nvert + i] = (float)at[i];
  s->vert[3 * s->nvert + axis] += a / (a - b);
  m->vertex[3 * begin + (size_t)axis] = s->nvert++;
}

// Vertices on the edges of a cell that no earlier cell has seen.
static void add_vertices(March* m, const int cell[3]) {
  for (int edge = 0; edge < NEDGE; edge++) {
    int u = edge / 4 == 0 ? 1 : 0, v = edge / 4 == 2 ? 1 : 2;
    bool seen = (!(edge & 1) && cell[u] > 0) || (!(edge >> 1 & 1) && cell[v] > 0);
    if (!seen) add_vertex(m, cell, edge);
  }
}

static void add_triangles(March* m, const int cell[3], const Pattern* pattern) {
  ct_Isosurface* s = &m->surface;
  s->face = (int*)ct_pool_grow(m->pool, s->face, (size_t)s->nface,
                               (size_t)s->nface + MOST_TRIANGLES, &m->faceroom, 3 * sizeof(int));
  for (int k = 0; k < 3 * pattern->count; k++) {
    int edge = pattern->edge[k], at[3];
    size_t begin = edge_start(m, at, cell, edge);
    s->face[3 * s->nface + k] = m->vertex[3 * begin + (size_t)(edge / 4)];
  }
  s->nface += pattern->count;
}

static int configuration_of(const March* m, const int cell[3]) {
  int configuration = 0;
  for (int b = 0; b < NCORNER; b++) {
    int at[3] = {cell[0] + (b & 1), cell[1] + (b >> 1 & 1), cell[2] + (b >> 2 & 1)};
    if (m->value[point_at(m, at)] < 0) configuration |= 1 << b;
  }
  return configuration;
}

// Normals of vertices: the sum of those of their triangles, weighted by area.
static void add_normals(March* m) {
  ct_Isosurface* s = &m->surface;
  s->normal = (float*)ct_pool_array(m->pool, (size_t)s->nvert, 3 * sizeof(float));
  for (int f = 0; f < s->nface; f++) {
    const int* corner = s->face + 3 * f;
    const float *a = s->vert + 3 * corner[0], *b = s->vert + 3 * corner[1],
                *c = s->vert + 3 * corner[2];
    float u[3], v[3];
    for (int i = 0; i < 3; i++) {
      u[i] = c[i] - b[i];
      v[i] = a[i] - b[i];
    }
    float n[3] = {u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]};
    for (int k = 0; k < 3; k++) {
      for (int i = 0; i < 3; i++) s->normal[3 * corner[k] + i] += n[i];
    }
  }
  for (int i = 0; i < s->nvert; i++) {
    float* n = s->normal + 3 * i;
    float length = sqrtf(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    for (int k = 0; k < 3 && length > 0; k++) n[k] /= length;
  }
}

ct_Isosurface ct_marching_cubes(ct_Pool* pool, const float* value, const int n[3]) {
  March m;
  memset(&m, 0, sizeof(m));
  m.pool = pool;
  m.value = value;
  m.n = n;
  size_t points = (size_t)n[0] * (size_t)n[1] * (size_t)n[2];
  m.vertex = (int*)ct_pool_array(pool, points, 3 * sizeof(int));
  Pattern pattern[NCONFIGURATION];
  for (int i = 0; i < NCONFIGURATION; i++) pattern[i] = pattern_of(i);

  int cell[3];
  for (cell[2] = 0; cell[2] + 1 < n[2]; cell[2]++) {
    for (cell[1] = 0; cell[1] + 1 < n[1]; cell[1]++) {
      for (cell[0] = 0; cell[0] + 1 < n[0]; cell[0]++) {
        int configuration = configuration_of(&m, cell);
        if (configuration == 0 || configuration == NCONFIGURATION - 1) continue;
        add_vertices(&m, cell);
        add_triangles(&m, cell, &pattern[configuration]);
      }
    }
  }
  if (m.surface.nvert) add_normals(&m);
  return m.surface;
}
