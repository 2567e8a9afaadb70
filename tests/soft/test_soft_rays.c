// Rays meet flexes and skins where the reference's do, at the vertex that it names, and leave that
// alone where they meet nothing. tests/record/record_soft_rays.py writes scenes and rays.

#include <math.h>
#include <mujoco/mujoco.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/fail.h"
#include "support/models.h"
#include "support/recorded.h"

enum { UNTOUCHED = -7, WAY = 6 };  // flex, layer, vertices, edges, faces, skin

static Recorded* recorded;

static const double* numbers(const char* state, const char* what, size_t* count) {
  return recorded_numbers_of(recorded, state, what, count);
}

static void narrow(mjtNum to[3], const double from[3]) {
  for (int k = 0; k < 3; k++) to[k] = (mjtNum)from[k];
}

static void expect(const char* state, size_t ray, const char* what, mjtNum got, double want) {
  double tolerance = sizeof(mjtNum) == 8 ? 1e-10 : 2e-3;
  if (fabs((double)got - want) <= tolerance) return;
  fail_msg("%s: ray %zu: %s is %.17g, expected %.17g", state, ray, what, (double)got, want);
}

// Returns how many of its rays meet something.
static int check_flexes(const char* scene) {
  char name[80];
  size_t rays, n;
  snprintf(name, sizeof(name), "soft/%s", scene);
  mjModel* m = recorded_model(name);
  mjData* d = mj_makeData(m);
  recorded_fill(recorded, scene, "in/qpos", d->qpos, (size_t)m->nq);
  mj_kinematics(m, d);
  mj_flex(m, d);
  const double *dist = numbers(scene, "dist", &rays), *normal = numbers(scene, "normal", &n);
  const double *from = numbers(scene, "from", &n), *along = numbers(scene, "along", &n);
  const int *way = recorded_ints_of(recorded, scene, "way"),
            *vertex = recorded_ints_of(recorded, scene, "vertex");
  int hits = 0;
  for (size_t i = 0; i < rays; i++) {
    const int* w = way + WAY * i;
    mjtNum start[3], ray[3], found[3] = {9, 9, 9};
    int at = UNTOUCHED;
    narrow(start, from + 3 * i);
    narrow(ray, along + 3 * i);
    mjtNum x = mj_rayFlex(m, d, w[1], (mjtByte)w[2], (mjtByte)w[3], (mjtByte)w[4], (mjtByte)w[5],
                          w[0], start, ray, &at, found);
    expect(scene, i, "distance", x, dist[i]);
    for (int k = 0; k < 3; k++) expect(scene, i, "normal", found[k], normal[3 * i + (size_t)k]);
    if (at != vertex[i]) fail_msg("%s: ray %zu: vertex %d, expected %d", scene, i, at, vertex[i]);
    hits += x >= 0;
  }
  mj_deleteData(d);
  mj_deleteModel(m);
  return hits;
}

static void rays_meet_flexes_where_those_of_the_reference_do(void** state) {
  (void)state;
  SKIP_IN_SINGLE_PRECISION();
  int hits = 0;
  recorded = recorded_open("soft_rays.rec");
  static const char* const scenes[] = {"drape", "ropes", "block", "cells", "heap"};
  for (size_t i = 0; i < sizeof(scenes) / sizeof(scenes[0]); i++) hits += check_flexes(scenes[i]);
  recorded_close(recorded);
  assert_true(hits > 100);
}

static int check_skin(const char* skin) {
  size_t nvert, rays, n;
  const double* given = numbers(skin, "vert", &nvert);
  const double *dist = numbers(skin, "dist", &rays), *from = numbers(skin, "from", &n),
               *along = numbers(skin, "along", &n);
  const int *vertex = recorded_ints_of(recorded, skin, "vertex"), *face;
  char name[40];
  size_t nface;
  snprintf(name, sizeof(name), "%s/face", skin);
  face = recorded_ints(recorded, name, &nface);
  float* vert = (float*)malloc(nvert * sizeof(float));
  assert_non_null(vert);
  for (size_t i = 0; i < nvert; i++) vert[i] = (float)given[i];
  int hits = 0;
  for (size_t i = 0; i < rays; i++) {
    mjtNum start[3], ray[3];
    int at = UNTOUCHED;
    narrow(start, from + 3 * i);
    narrow(ray, along + 3 * i);
    mjtNum x = mju_raySkin((int)nface / 3, (int)nvert / 3, face, vert, start, ray, &at);
    expect(skin, i, "distance", x, dist[i]);
    if (at != vertex[i]) fail_msg("%s: ray %zu: vertex %d, expected %d", skin, i, at, vertex[i]);
    hits += x >= 0;
  }
  free(vert);
  return hits;
}

static void rays_meet_skins_where_those_of_the_reference_do(void** state) {
  (void)state;
  SKIP_IN_SINGLE_PRECISION();
  int hits = 0;
  recorded = recorded_open("soft_rays.rec");
  for (int i = 0; i < 6; i++) {
    char skin[20];
    snprintf(skin, sizeof(skin), "skin%d", i);
    hits += check_skin(skin);
  }
  recorded_close(recorded);
  assert_true(hits > 100);
}

// Whatever the precision: a triangle, a ray that meets it and one that does not.
static void a_ray_that_misses_leaves_the_vertex_alone(void** state) {
  (void)state;
  const float vert[] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
  const int face[] = {0, 1, 2};
  const mjtNum down[3] = {0, 0, -1}, inside[3] = {(mjtNum).1, (mjtNum).6, 2},
               outside[3] = {3, 3, 2};
  int at = UNTOUCHED;
  assert_true(mju_raySkin(1, 3, face, vert, outside, down, &at) == -1);
  assert_int_equal(at, UNTOUCHED);
  expect("triangle", 0, "distance", mju_raySkin(1, 3, face, vert, inside, down, &at), 2);
  assert_int_equal(at, 2);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rays_meet_flexes_where_those_of_the_reference_do),
      cmocka_unit_test(rays_meet_skins_where_those_of_the_reference_do),
      cmocka_unit_test(a_ray_that_misses_leaves_the_vertex_alone),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
