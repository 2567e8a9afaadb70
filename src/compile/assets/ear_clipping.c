// Ear clipping. See ear_clipping.h.
//
// Corners are tried in turn. The one after `guess` is cut off if it turns as the whole polygon does
// and no other corner lies in the triangle that it makes with its neighbours; `guess` stays then,
// and the triangles make a fan for as long as that goes well. All in single precision, and with the
// reference's test of a point in a triangle, so that the same ears are found. Every ear looks at
// all corners that are left.

#include "compile/assets/ear_clipping.h"

#include <stdbool.h>

typedef struct {
  const float *x, *y;
  int next[CT_POLYGON_CORNERS];  // corners that are left, in a ring
  int first, nleft;              // where the ring begins; how many there are
  float area;                    // twice, with its sign
} Polygon;

typedef struct {
  float x[3], y[3];
  int corner[3];
} Triangle;

static Triangle triangle_at(const Polygon* p, int guess) {
  Triangle t;
  int corner = guess;
  for (int i = 0; i < 3; i++, corner = p->next[corner]) {
    t.corner[i] = corner;
    t.x[i] = p->x[corner];
    t.y[i] = p->y[corner];
  }
  return t;
}

// Is the point inside? An edge counts if it passes the point on the right.
static bool inside(const Triangle* t, float px, float py) {
  bool in = false;
  for (int i = 0; i < 3; i++) {
    int j = (i + 2) % 3;
    if ((t->y[i] > py) != (t->y[j] > py) &&
        px < (t->x[j] - t->x[i]) * (py - t->y[i]) / (t->y[j] - t->y[i]) + t->x[i]) {
      in = !in;
    }
  }
  return in;
}

// Can the corner after `guess` be cut off?
static bool is_ear(const Polygon* p, const Triangle* t) {
  float turn =
      (t->x[1] - t->x[0]) * (t->y[2] - t->y[1]) - (t->y[1] - t->y[0]) * (t->x[2] - t->x[1]);
  if (turn * p->area < 0) return false;
  for (int k = p->next[t->corner[2]]; k != t->corner[0]; k = p->next[k]) {
    if (inside(t, p->x[k], p->y[k])) return false;
  }
  return true;
}

static void open_polygon(Polygon* p, int n) {
  for (int k = 0; k < n; k++) {
    int next = (k + 1) % n;
    p->next[k] = next;
    p->area += (p->x[k] * p->y[next] - p->y[k] * p->x[next]) * 0.5f;
  }
  p->nleft = n;
}

int ct_clip_ears(const float* x, const float* y, int n, int triangle[3 * CT_POLYGON_CORNERS]) {
  Polygon p = {.x = x, .y = y};
  open_polygon(&p, n);
  int guess = 0, tries = n, *to = triangle;
  while (p.nleft > 3 && tries > 0) {
    Triangle t = triangle_at(&p, guess);
    if (!is_ear(&p, &t)) {
      guess = p.next[guess];
      tries--;
      continue;
    }
    for (int i = 0; i < 3; i++) *to++ = t.corner[i];
    p.next[guess] = t.corner[2];
    // places are counted from the first corner, so that behind the last one the count begins anew
    if (t.corner[1] == p.first) p.first = guess = t.corner[2];
    tries = --p.nleft;
  }
  for (int i = 0, k = p.first; p.nleft == 3 && i < 3; i++, k = p.next[k]) *to++ = k;
  return (int)((to - triangle) / 3);
}
