// Ear clipping. See ear_clipping.h.
//
// Corners are tried in turn. The one after `guess` is cut off if it turns as the whole polygon does
// and no other corner lies in the triangle that it makes with its neighbours; `guess` stays then,
// and the triangles make a fan for as long as that goes well. All in single precision, and with the
// reference's test of a point in a triangle, so that the same ears are found.
//
// That test for all corners that are left would take quadratic time. A tree over the corners, in
// the order of the polygon, knows boxes around them and leaves out what is beside the triangle. The
// boxes are compared with room for rounding: whatever the test may hold to be inside is tested.

#include "compile/assets/ear_clipping.h"

#include <float.h>
#include <math.h>

typedef struct ct_EarBox_ {  // around corners that are left
  float low[2], high[2];
} Box;

enum { SMALL = 32 };  // corners for which a tree is not worth it

typedef struct {
  const float *x, *y;
  int n;
  int *next, *previous;  // corners that are left, in a ring
  int first, nleft;      // where the ring begins; how many there are
  float area;            // twice, with its sign
  Box* box;              // of corner k at nleaf + k, of node k around 2k and 2k + 1; NULL: no tree
  int nleaf;             // a power of two
  float margin;          // by which the test may be wrong, in x; negative: by anything
  long* work;
} Polygon;

typedef struct {
  float x[3], y[3];
  int corner[3];
  float low[2], high[2];
  bool tame;  // margins are large enough for all its edges
} Triangle;

// The tree

static const Box nothing = {{FLT_MAX, FLT_MAX}, {-FLT_MAX, -FLT_MAX}};

static Box around(const Box* a, const Box* b) {
  Box box;
  for (int i = 0; i < 2; i++) {
    box.low[i] = a->low[i] < b->low[i] ? a->low[i] : b->low[i];
    box.high[i] = a->high[i] > b->high[i] ? a->high[i] : b->high[i];
  }
  return box;
}

static void make_tree(Polygon* p) {
  p->nleaf = 1;
  while (p->nleaf < p->n) p->nleaf *= 2;
  for (int k = 0; k < p->nleaf; k++) {
    Box point = {{p->x[k < p->n ? k : 0], p->y[k < p->n ? k : 0]}, {0, 0}};
    point.high[0] = point.low[0];
    point.high[1] = point.low[1];
    p->box[p->nleaf + k] = k < p->n ? point : nothing;
  }
  for (int k = p->nleaf - 1; k > 0; k--) p->box[k] = around(&p->box[2 * k], &p->box[2 * k + 1]);
}

static void leave_tree(Polygon* p, int corner) {
  int k = p->nleaf + corner;
  p->box[k] = nothing;
  for (k /= 2; k > 0; k /= 2) p->box[k] = around(&p->box[2 * k], &p->box[2 * k + 1]);
}

// The test adds and multiplies a few numbers that are not larger than the largest coordinate. Where
// these are so large or so small that products overflow or vanish, nothing is left out.
static float rounding_margin(const Polygon* p) {
  float largest = 0;
  for (int k = 0; k < p->n; k++) {
    if (!isfinite(p->x[k]) || !isfinite(p->y[k])) return -1;
    largest = fmaxf(largest, fmaxf(fabsf(p->x[k]), fabsf(p->y[k])));
  }
  return largest > 1e-9f && largest < 1e15f ? 64 * FLT_EPSILON * largest : -1;
}

// Points in triangles

static Triangle triangle_at(const Polygon* p, int guess) {
  Triangle t;
  int corner = guess;
  for (int i = 0; i < 3; i++, corner = p->next[corner]) {
    t.corner[i] = corner;
    t.x[i] = p->x[corner];
    t.y[i] = p->y[corner];
  }
  t.low[0] = fminf(t.x[0], fminf(t.x[1], t.x[2])) - p->margin;
  t.high[0] = fmaxf(t.x[0], fmaxf(t.x[1], t.x[2])) + p->margin;
  t.low[1] = fminf(t.y[0], fminf(t.y[1], t.y[2]));
  t.high[1] = fmaxf(t.y[0], fmaxf(t.y[1], t.y[2]));
  t.tame = p->margin >= 0;
  for (int i = 0; i < 3; i++) {
    float rise = fabsf(t.y[(i + 1) % 3] - t.y[i]);
    if (rise > 0 && rise < 1e-25f) t.tame = false;
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

// Is the box beyond one edge of the triangle, seen from the corner that the edge does not touch?
static bool beyond_an_edge(const Polygon* p, const Triangle* t, const Box* box) {
  for (int i = 0; i < 3; i++) {
    int j = (i + 1) % 3, k = (i + 2) % 3;
    double x = (double)t->x[i], y = (double)t->y[i];
    double u = (double)t->x[j] - x, v = (double)t->y[j] - y;
    double own = u * ((double)t->y[k] - y) - v * ((double)t->x[k] - x);
    double side = own > 0 ? 1 : -1;
    // the largest value of side * (u dy - v dx) in the box, and by how much that may be wrong
    double dy[2] = {(double)box->low[1] - y, (double)box->high[1] - y};
    double dx[2] = {(double)box->low[0] - x, (double)box->high[0] - x};
    double most =
        fmax(side * u * dy[0], side * u * dy[1]) - fmin(side * v * dx[0], side * v * dx[1]);
    double slack = fabs(v) * (double)p->margin + 1e-12 * (fabs(u) * fmax(fabs(dy[0]), fabs(dy[1])) +
                                                          fabs(v) * fmax(fabs(dx[0]), fabs(dx[1])));
    if (own != 0 && most < -slack) return true;
  }
  return false;
}

static bool is_beside(const Polygon* p, const Triangle* t, const Box* box) {
  if (box->low[0] > box->high[0]) return true;  // nothing is left there
  if (p->margin < 0) return false;
  if (box->low[1] >= t->high[1] || box->high[1] < t->low[1]) return true;
  if (!t->tame) return false;
  if (box->low[0] > t->high[0] || box->high[0] < t->low[0]) return true;
  return beyond_an_edge(p, t, box);
}

static bool has_corner_inside_small(const Polygon* p, const Triangle* t) {
  for (int k = p->next[t->corner[2]]; k != t->corner[0]; k = p->next[k]) {
    --*p->work;
    if (inside(t, p->x[k], p->y[k])) return true;
  }
  return false;
}

// Is a corner other than its own in the triangle? Goes through the tree from left to right.
static bool has_corner_inside(const Polygon* p, const Triangle* t) {
  if (!p->box) return has_corner_inside_small(p, t);
  for (int k = 1; k > 0;) {
    --*p->work;
    if (!is_beside(p, t, &p->box[k])) {
      if (k < p->nleaf) {
        k *= 2;
        continue;
      }
      int corner = k - p->nleaf;
      bool own = corner == t->corner[0] || corner == t->corner[1] || corner == t->corner[2];
      if (!own && inside(t, p->x[corner], p->y[corner])) return true;
    }
    while (k & 1) k /= 2;  // up from right children; from the root's last one to 0
    k += k > 0;
  }
  return false;
}

// Can the corner after `guess` be cut off?
static bool is_ear(const Polygon* p, const Triangle* t) {
  float turn =
      (t->x[1] - t->x[0]) * (t->y[2] - t->y[1]) - (t->y[1] - t->y[0]) * (t->x[2] - t->x[1]);
  --*p->work;
  return !(turn * p->area < 0) && !has_corner_inside(p, t);
}

// Cutting

static void cut_off(Polygon* p, int corner) {
  p->next[p->previous[corner]] = p->next[corner];
  p->previous[p->next[corner]] = p->previous[corner];
  if (corner == p->first) p->first = p->next[corner];
  p->nleft--;
  if (p->box) leave_tree(p, corner);
}

static void open_polygon(Polygon* p) {
  for (int k = 0; k < p->n; k++) {
    int next = (k + 1) % p->n;
    p->next[k] = next;
    p->previous[next] = k;
    p->area += (p->x[k] * p->y[next] - p->y[k] * p->x[next]) * 0.5f;
  }
  p->nleft = p->n;
  if (!p->box) return;
  make_tree(p);
  p->margin = rounding_margin(p);
}

int ct_clip_ears(ct_EarClipper* clipper, int n) {
  Polygon p = {.x = clipper->x, .y = clipper->y, .n = n, .work = &clipper->work};
  p.next = clipper->next;
  p.previous = clipper->previous;
  p.box = n > SMALL ? clipper->box : NULL;
  open_polygon(&p);
  int guess = 0, tries = n, *to = clipper->triangle;
  while (p.nleft > 3 && tries > 0 && clipper->work > 0) {
    Triangle t = triangle_at(&p, guess);
    if (!is_ear(&p, &t)) {
      guess = p.next[guess];
      tries--;
      continue;
    }
    for (int i = 0; i < 3; i++) *to++ = t.corner[i];
    // places are counted from the first corner, so that behind the last one the count begins anew
    if (t.corner[1] == p.first) guess = t.corner[2];
    cut_off(&p, t.corner[1]);
    tries = p.nleft;
  }
  if (clipper->work <= 0) return -1;
  for (int i = 0, k = p.first; p.nleft == 3 && i < 3; i++, k = p.next[k]) *to++ = k;
  return (int)((to - clipper->triangle) / 3);
}

bool ct_ear_room(ct_EarClipper* c, int n) {
  size_t room = c->room < SMALL ? SMALL : c->room;
  if ((size_t)n <= c->room) return true;
  while (room < (size_t)n) room *= 2;
  c->x = (float*)ct_pool_array(c->pool, room, sizeof(float));
  c->y = (float*)ct_pool_array(c->pool, room, sizeof(float));
  c->triangle = (int*)ct_pool_array(c->pool, room, 3 * sizeof(int));
  c->next = (int*)ct_pool_array(c->pool, room, sizeof(int));
  c->previous = (int*)ct_pool_array(c->pool, room, sizeof(int));
  c->box = (Box*)ct_pool_array(c->pool, room, 2 * sizeof(Box));
  bool fine = c->x && c->y && c->triangle && c->next && c->previous && c->box;
  c->room = fine ? room : 0;
  return fine;
}
