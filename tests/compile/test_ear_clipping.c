// Polygons become the same triangles as by the plain method, which keeps an array of the corners
// that are left.

#include "compile/assets/ear_clipping.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/fail.h"

enum { MOST = CT_POLYGON_CORNERS };

typedef struct {
  const float *x, *y;
  int left[MOST], nleft;
  float area;
} Twin;

static bool twin_inside(const float x[3], const float y[3], float tx, float ty) {
  bool in = false;
  for (int i = 0; i < 3; i++) {
    int j = (i + 2) % 3;
    if ((y[i] > ty) != (y[j] > ty) && tx < (x[j] - x[i]) * (ty - y[i]) / (y[j] - y[i]) + x[i]) {
      in = !in;
    }
  }
  return in;
}

static bool twin_is_ear(const Twin* p, int guess) {
  float x[3], y[3];
  for (int i = 0; i < 3; i++) {
    int k = p->left[(guess + i) % p->nleft];
    x[i] = p->x[k];
    y[i] = p->y[k];
  }
  float turn = (x[1] - x[0]) * (y[2] - y[1]) - (y[1] - y[0]) * (x[2] - x[1]);
  if (turn * p->area < 0) return false;
  for (int i = 3; i < p->nleft; i++) {
    int k = p->left[(guess + i) % p->nleft];
    if (twin_inside(x, y, p->x[k], p->y[k])) return false;
  }
  return true;
}

static int twin_clip(const float* x, const float* y, int n, int* triangle) {
  Twin p = {x, y, {0}, n, 0};
  int guess = 0, tries = n, count = 0;
  for (int k = 0; k < n; k++) {
    int next = (k + 1) % n;
    p.left[k] = k;
    p.area += (x[k] * y[next] - y[k] * x[next]) * 0.5f;
  }
  while (p.nleft > 3 && tries > 0) {
    if (guess >= p.nleft) guess -= p.nleft;
    if (!twin_is_ear(&p, guess)) {
      guess++;
      tries--;
      continue;
    }
    int cut = (guess + 1) % p.nleft, last = p.left[(guess + 2) % p.nleft];
    int made[3] = {p.left[guess], p.left[cut], last};
    memcpy(triangle + 3 * count++, made, sizeof(made));
    p.nleft--;
    memmove(p.left + cut, p.left + cut + 1, (size_t)(p.nleft - cut) * sizeof(int));
    tries = p.nleft;
  }
  if (p.nleft == 3) memcpy(triangle + 3 * count++, p.left, 3 * sizeof(int));
  return count;
}

static uint32_t draw(uint32_t* random) {
  *random = *random * 1664525u + 1013904223u;
  return *random >> 8;
}

// Kinds of polygons: round, wavy, combs, spirals, random, on a coarse grid (with corners that
// repeat or lie on edges), flat; at many sizes and places.
static void make_polygon(int kind, uint32_t* random, float* x, float* y, int n) {
  const double turn = 6.283185307179586;
  double size = pow(10, (int)(draw(random) % 9) - 4), away = size * (draw(random) % 3) * 100;
  if (kind == 8) size = pow(10, (int)(draw(random) % 80) - 42);
  for (int k = 0; k < n; k++) {
    double part = (double)k / n, radius = 1, u, v;
    double noise[2] = {draw(random) * 0x1p-24, draw(random) * 0x1p-24};
    if (kind == 1) radius = 1 + 0.5 * sin(turn * 7 * part);
    if (kind == 2) radius = k & 1 ? 1 : 0.2;
    if (kind == 3) radius = k < n / 2 ? 0.1 + part : 1.0 - part + 0.2;
    if (kind == 4) radius = 0.5 + noise[0];
    u = radius * cos(turn * part * (kind == 3 ? 5 : 1));
    v = radius * sin(turn * part * (kind == 3 ? 5 : 1));
    if (kind >= 5 && kind != 6) {
      u = noise[0];
      v = noise[1];
    }
    if (kind == 6) {
      u = (int)(8 * noise[0]);
      v = (int)(8 * noise[1]);
    }
    if (kind == 7) v = 0.25 * u;
    x[k] = (float)(size * u + away);
    y[k] = (float)(size * v - away);
  }
}

static void the_triangles_are_those_of_the_plain_method(void** state) {
  (void)state;
  SKIP_IN_FAST_BUILD();  // the compiler may round the two differently
  static float x[MOST], y[MOST];
  static int expected[3 * MOST], triangle[3 * MOST];
  uint32_t random = 1;
  for (int round = 0; round < 3000; round++) {
    int kind = round % 9, n = round % 7 ? 4 + (int)(draw(&random) % (MOST - 4)) : MOST;
    make_polygon(kind, &random, x, y, n);
    int count = twin_clip(x, y, n, expected), got = ct_clip_ears(x, y, n, triangle);
    if (got != count || memcmp(triangle, expected, 3 * (size_t)count * sizeof(int)) != 0) {
      fail_msg("polygon %d of kind %d with %d corners: %d triangles, %d wanted, or others", round,
               kind, n, got, count);
    }
  }
}

static void numbers_that_are_none_are_cut_too(void** state) {
  (void)state;
  SKIP_IN_FAST_BUILD();  // the compiler may round the two differently
  static float x[MOST], y[MOST];
  static int expected[3 * MOST], triangle[3 * MOST];
  uint32_t random = 7;
  for (int round = 0; round < 20; round++) {
    make_polygon(1, &random, x, y, 100);
    x[draw(&random) % 100] = round & 1 ? NAN : INFINITY;
    y[draw(&random) % 100] = round & 2 ? 3e38f : -INFINITY;
    int count = twin_clip(x, y, 100, expected);
    assert_int_equal(ct_clip_ears(x, y, 100, triangle), count);
    assert_memory_equal(triangle, expected, 3 * (size_t)count * sizeof(int));
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_triangles_are_those_of_the_plain_method),
      cmocka_unit_test(numbers_that_are_none_are_cut_too),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
