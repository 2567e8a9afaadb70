// Decoder of Wavefront OBJ files.
//
// `v`, `vt`, `vn` are vertices, texture coordinates and normals; `f` is a polygon whose corners are
// vertex, vertex/texture, vertex//normal or vertex/texture/normal, numbered from 1, or backwards
// from -1. Everything in the file is one surface: `o` and `g` do not divide it, other words have no
// effect. Pictures have their first row on top, OBJ counts from below: v becomes 1 - v.

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plugins.h"
#include "triangles.h"

typedef struct {
  int index[3];  // vertex, texture coordinate, normal; -1: not given
} Corner;

typedef struct {
  Surface* s;
  char* at;  // in the present line, which ends with a zero
  int line;
  Corner* corner;  // of the present polygon
  int ncorner, room;
} Reader;

static void skip_blanks(Reader* r) {
  r->at += strspn(r->at, " \t\r\v\f");
}

static void take_numbers(Reader* r, Floats* list, int count, int least) {
  for (int i = 0; i < count && !r->s->refused; i++) {
    skip_blanks(r);
    char* end;
    float x = strtof(r->at, &end);
    if (end == r->at && i >= least) {
      x = 0;
    } else if (end == r->at || !isfinite(x)) {
      refuse(r->s, "line %d: %d numbers are needed", r->line, least);
    }
    r->at = end;
    push_float(r->s, list, x);
  }
}

// Corners

// The number of what a corner names, of `count` that have been given so far.
static int take_index(Reader* r, int count) {
  char* end;
  long number = strtol(r->at, &end, 10);
  bool there = end > r->at && number != 0 && number <= count && number >= -(long)count;
  if (!there) {
    refuse(r->s, "line %d: a face names one that is not there; there are %d", r->line, count);
    return -1;
  }
  r->at = end;
  return (int)(number > 0 ? number - 1 : count + number);
}

static Corner take_corner(Reader* r) {
  const Surface* s = r->s;
  const int count[3] = {s->vert.count / 3, s->texcoord.count / 2, s->normal.count / 3};
  Corner corner = {{take_index(r, count[0]), -1, -1}};
  for (int k = 1; k < 3 && *r->at == '/'; k++) {
    r->at++;
    bool given = *r->at && !strchr("/ \t\r", *r->at);
    if (given) corner.index[k] = take_index(r, count[k]);
  }
  if (*r->at && !strchr(" \t\r\v\f", *r->at)) {
    refuse(r->s, "line %d: a corner of a face is i, i/j, i//k or i/j/k", r->line);
  }
  return corner;
}

static void add_corner(Reader* r, Corner corner) {
  if (r->ncorner == r->room) {
    int room = r->room ? 2 * r->room : 16;
    Corner* grown = (Corner*)realloc(r->corner, (size_t)room * sizeof(Corner));
    if (!grown) {
      refuse(r->s, "line %d: a face with more corners than there is memory for", r->line);
      return;
    }
    r->corner = grown;
    r->room = room;
  }
  r->corner[r->ncorner++] = corner;
}

// Polygons to triangles

static const float* place(const Reader* r, int corner) {
  return r->s->vert.at + 3 * (size_t)r->corner[corner].index[0];
}

// Twice the area of a triangle as a vector, (b - a) x (c - a), added to `sum`.
static void add_area(double sum[3], const float* a, const float* b, const float* c) {
  for (int i = 0; i < 3; i++) {
    int j = (i + 1) % 3, k = (i + 2) % 3;
    sum[i] += ((double)b[j] - a[j]) * ((double)c[k] - a[k]) -
              ((double)b[k] - a[k]) * ((double)c[j] - a[j]);
  }
}

// How much the way from a over b to c turns as the polygon does, whose area vector is `up`.
static double turn(const double up[3], const float* a, const float* b, const float* c) {
  double area[3] = {0, 0, 0};
  add_area(area, a, b, c);
  return area[0] * up[0] + area[1] * up[1] + area[2] * up[2];
}

// Can corner k of those left be cut off: does it turn inwards, with no other corner in its
// triangle?
static bool is_ear(const Reader* r, const int* left, int n, int k, const double up[3]) {
  const float* t[3];
  for (int i = 0; i < 3; i++) t[i] = place(r, left[(k + n - 1 + i) % n]);
  if (!(turn(up, t[0], t[1], t[2]) > 0)) return false;
  for (int i = 2; i < n - 1; i++) {
    const float* p = place(r, left[(k + i) % n]);
    bool outside = false;
    for (int e = 0; e < 3 && !outside; e++) outside = turn(up, t[e], t[(e + 1) % 3], p) < 0;
    if (!outside) return false;
  }
  return true;
}

static void emit(Reader* r, int a, int b, int c) {
  const int three[3] = {a, b, c};
  for (int i = 0; i < 3; i++) {
    const Corner* corner = &r->corner[three[i]];
    push_int(r->s, &r->s->face, corner->index[0]);
    push_int(r->s, &r->s->face_texcoord, corner->index[1]);
    push_int(r->s, &r->s->face_normal, corner->index[2]);
  }
}

// Cuts ears until a triangle is left. In a polygon that crosses itself there may be none: then any
// corner goes.
static void cut_polygon(Reader* r) {
  int n = r->ncorner;
  int* left = (int*)malloc((size_t)n * sizeof(int));
  if (!left) {
    refuse(r->s, "line %d: a face with more corners than there is memory for", r->line);
    return;
  }
  double up[3] = {0, 0, 0};
  for (int i = 0; i < n; i++) left[i] = i;
  for (int i = 1; i + 1 < n; i++) add_area(up, place(r, 0), place(r, i), place(r, i + 1));
  while (n > 3) {
    int ear = 1;
    while (ear < n && !is_ear(r, left, n, ear, up)) ear++;
    ear %= n;
    if (ear == 0 && !is_ear(r, left, n, 0, up)) ear = 1;
    emit(r, left[(ear + n - 1) % n], left[ear], left[(ear + 1) % n]);
    memmove(left + ear, left + ear + 1, (size_t)(n - ear - 1) * sizeof(int));
    n--;
  }
  emit(r, left[0], left[1], left[2]);
  free(left);
}

// Ears are looked for in polygons of up to MOST_CUT corners: the time grows with the cube of their
// number. A larger one, the end of a fine cylinder, is a fan if it turns one way only, but for
// rounding: by less than a millionth of its area.
enum { MOST_CUT = 100 };

static void fan_polygon(Reader* r) {
  int n = r->ncorner;
  double up[3] = {0, 0, 0};
  for (int i = 1; i + 1 < n; i++) add_area(up, place(r, 0), place(r, i), place(r, i + 1));
  double rounding = 1e-6 * (up[0] * up[0] + up[1] * up[1] + up[2] * up[2]);
  for (int i = 0; i < n; i++) {
    if (turn(up, place(r, i), place(r, (i + 1) % n), place(r, (i + 2) % n)) < -rounding) {
      refuse(r->s, "line %d: a face with dents has at most %d corners, not %d: divide it", r->line,
             MOST_CUT, n);
      return;
    }
  }
  for (int i = 1; i + 1 < n && !r->s->refused; i++) emit(r, 0, i, i + 1);
}

static void take_face(Reader* r) {
  r->ncorner = 0;
  for (skip_blanks(r); *r->at && !r->s->refused; skip_blanks(r)) add_corner(r, take_corner(r));
  if (r->s->refused) return;
  if (r->ncorner < 3) refuse(r->s, "line %d: a face has at least three corners", r->line);
  if (r->ncorner == 3) emit(r, 0, 1, 2);
  if (r->ncorner > MOST_CUT) {
    fan_polygon(r);
  } else if (r->ncorner > 3) {
    cut_polygon(r);
  }
}

// Lines

static bool take_word(Reader* r, const char* word) {
  size_t length = strlen(word);
  if (strncmp(r->at, word, length) != 0 || !r->at[length] || !strchr(" \t", r->at[length])) {
    return false;
  }
  r->at += length;
  return true;
}

static void read_line(Reader* r) {
  Surface* s = r->s;
  skip_blanks(r);
  if (take_word(r, "v")) {
    take_numbers(r, &s->vert, 3, 3);
  } else if (take_word(r, "vn")) {
    take_numbers(r, &s->normal, 3, 3);
  } else if (take_word(r, "vt")) {
    take_numbers(r, &s->texcoord, 2, 1);
    if (!s->refused)
      s->texcoord.at[s->texcoord.count - 1] = 1 - s->texcoord.at[s->texcoord.count - 1];
  } else if (take_word(r, "f")) {
    take_face(r);
  }
}

static void read_obj(Surface* s, const char* bytes, size_t size) {
  char* text = (char*)malloc(size + 1);
  if (!text) {
    refuse(s, "needs more memory than there is");
    return;
  }
  memcpy(text, bytes, size);
  text[size] = 0;
  Reader r = {s, text, 0, NULL, 0, 0};
  for (char* line = text; line && !s->refused;) {
    char* end = strchr(line, '\n');
    if (end) *end = 0;
    r.at = line;
    r.line++;
    read_line(&r);
    line = end ? end + 1 : NULL;
  }
  free(r.corner);
  free(text);
}

static mjSpec* decode_obj(mjResource* resource, const mjVFS* vfs) {
  (void)vfs;
  return decode_surface(resource, read_obj);
}

void register_obj(void) {
  register_surface_decoder("model/obj", ".obj", decode_obj);
}
