// Surfaces of sampled fields: the reference's triangles for every cell there is, closed surfaces,
// fields without a surface.

#include "compile/assets/marching_cubes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/fail.h"
#include "support/recorded.h"

// A column of cells whose inner ones have all patterns of signs, as the recording has it.
static void every_cell_has_the_triangles_of_the_reference(void** state) {
  (void)state;
  enum { X = 4, Y = 4, Z = 295 };
  static float value[X * Y * Z];
  const int n[3] = {X, Y, Z};
  Recorded* r = recorded_open("plugins.rec");
  size_t npattern, nface, nvert;
  const int* pattern = recorded_ints(r, "cells/pattern", &npattern);
  const int* face = recorded_ints(r, "cells/face", &nface);
  const int* vert = recorded_ints(r, "cells/vert", &nvert);
  for (int i = 0; i < X * Y * Z; i++) value[i] = 1;
  for (size_t z = 0; z < npattern; z++) {
    for (int corner = 0; corner < 4; corner++) {
      if (!(pattern[z] >> corner & 1)) continue;
      value[((10 + (int)z) * Y + 1 + (corner >> 1)) * X + 1 + (corner & 1)] = -1;
    }
  }
  ct_Pool pool = {NULL};
  ct_Isosurface s = ct_marching_cubes(&pool, value, n);
  assert_int_equal(3 * s.nvert, nvert);
  assert_int_equal(3 * s.nface, nface);
  for (size_t i = 0; i < nvert; i++) {  // recorded in halves of a cell
    if (2 * s.vert[i] != (float)vert[i]) fail_msg("vertex %zu is elsewhere", i / 3);
  }
  for (size_t i = 0; i < nface; i++) {
    if (s.face[i] != face[i]) fail_msg("triangle %zu has other corners", i / 3);
  }
  ct_pool_free(&pool);
  recorded_close(r);
}

static int compare_edges(const void* a, const void* b) {
  return memcmp(a, b, 2 * sizeof(int));
}

// Fails unless triangles face each other across every edge; returns the number of edges.
static int count_edges(const ct_Isosurface* s) {
  int n = 3 * s->nface;
  int* edge = (int*)malloc((size_t)n * 2 * sizeof(int));
  for (int i = 0; i < n; i++) {
    edge[2 * i] = s->face[i];
    edge[2 * i + 1] = s->face[i - i % 3 + (i + 1) % 3];
  }
  qsort(edge, (size_t)n, 2 * sizeof(int), compare_edges);
  for (int i = 0; i < n; i++) {
    int back[2] = {edge[2 * i + 1], edge[2 * i]};
    if (!bsearch(back, edge, (size_t)n, 2 * sizeof(int), compare_edges)) {
      fail_msg("edge %d-%d has one triangle", back[1], back[0]);
    }
    if (i > 0 && !compare_edges(edge + 2 * i, edge + 2 * i - 2)) fail_msg("an edge comes twice");
  }
  free(edge);
  return n / 2;
}

static float ball(double x, double y, double z) {
  return (float)(sqrt(x * x + y * y + z * z) - 0.7);
}

static float ring(double x, double y, double z) {
  double out = sqrt(x * x + y * y) - 0.6;
  return (float)(sqrt(out * out + z * z) - 0.2);
}

static void closed_shapes_have_closed_surfaces(void** state) {
  (void)state;
  enum { N = 24 };
  static float value[N * N * N];
  const int n[3] = {N, N, N};
  const struct {
    float (*field)(double, double, double);
    int euler;
  } shapes[] = {{ball, 2}, {ring, 0}};
  for (int k = 0; k < 2; k++) {
    for (int i = 0; i < N * N * N; i++) {
      double x = 2. * (i % N) / (N - 1) - 1, y = 2. * (i / N % N) / (N - 1) - 1;
      value[i] = shapes[k].field(x, y, 2. * (i / N / N) / (N - 1) - 1);
    }
    ct_Pool pool = {NULL};
    ct_Isosurface s = ct_marching_cubes(&pool, value, n);
    assert_int_equal(s.nvert - count_edges(&s) + s.nface, shapes[k].euler);
    for (int i = 0; i < s.nvert && k == 0; i++) {  // normals of a ball lead away from its middle
      float middle = (N - 1) / 2.f, along = 0;
      for (int j = 0; j < 3; j++) along += s.normal[3 * i + j] * (s.vert[3 * i + j] - middle);
      assert_true(along > 0);
    }
    ct_pool_free(&pool);
  }
}

static void a_field_of_one_sign_has_no_surface(void** state) {
  (void)state;
  const int n[3] = {3, 3, 3};
  float value[27];
  for (int sign = -1; sign <= 1; sign++) {
    for (int i = 0; i < 27; i++) value[i] = (float)sign;
    ct_Pool pool = {NULL};
    ct_Isosurface s = ct_marching_cubes(&pool, value, n);
    assert_int_equal(s.nvert, 0);
    assert_int_equal(s.nface, 0);
    ct_pool_free(&pool);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_cell_has_the_triangles_of_the_reference),
      cmocka_unit_test(closed_shapes_have_closed_surfaces),
      cmocka_unit_test(a_field_of_one_sign_has_no_surface),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
