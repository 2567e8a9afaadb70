// Wavefront OBJ files.
//
// Of the geometry in a file the first shape counts: shapes end at `g`, `o` and the end of the file,
// and those without triangles do not count (at `o` and the end, lines and points are enough). All
// vertices of the file stay. Faces with more than three corners are cut into triangles by clipping
// ears, in single precision; those with more than a hundred are left out, as in the reference.

#include <limits.h>
#include <math.h>
#include <string.h>

#include "compile/assets/ear_clipping.h"
#include "compile/assets/mesh.h"
#include "math/strict.h"

typedef struct {
  int vert, texcoord, normal;  // -1: not given
} Corner;

typedef struct {
  ct_Compiler* c;
  const ct_Element* e;
  const ct_AssetFile* file;
  const char *at, *end;  // of the present line
  int line;
  ct_MeshFile* mesh;
  size_t vert_room, normal_room, texcoord_room;

  Corner* corner;  // of the faces of the present shape, one after the other
  size_t ncorner, corner_room;
  int* size;  // corners of each face
  size_t nface, face_room;
  bool strokes;  // the shape has lines or points

  Corner* triangle;  // corners of the shape that counts
  size_t ntriangle, triangle_room;
  bool done;  // there is one
} Reader;

// Words and numbers

// What separates words; a line ends a statement.
static bool is_gap(char ch) {
  return ch == ' ' || ch == '\t';
}

static bool is_digit(const Reader* r) {
  return r->at < r->end && *r->at >= '0' && *r->at <= '9';
}

static void skip_gap(Reader* r) {
  while (r->at < r->end && is_gap(*r->at)) r->at++;
}

// Takes a sign; is it minus?
static bool take_sign(Reader* r) {
  bool minus = r->at < r->end && *r->at == '-';
  if (r->at < r->end && (*r->at == '-' || *r->at == '+')) r->at++;
  return minus;
}

// The sum of digits times powers of ten, in the order in which they stand.
static double take_fraction(Reader* r, double number) {
  static const double power[] = {1, 0.1, 0.01, 0.001, 0.0001, 0.00001, 0.000001, 0.0000001};
  for (int k = 1; is_digit(r); k++) {
    number += (*r->at++ - '0') * (k < 8 ? power[k] : ct_pow64(10, -k));
  }
  return number;
}

// False: no digits.
static bool take_exponent(Reader* r, double* number) {
  const int huge = 100000;
  bool minus = take_sign(r);
  int exponent = 0;
  if (!is_digit(r)) return false;
  while (is_digit(r)) {
    exponent = 10 * exponent + (*r->at++ - '0');
    if (exponent > huge) exponent = huge;
  }
  if (minus) exponent = -exponent;
  if (exponent) *number = ldexp(*number * ct_pow64(5, exponent), exponent);
  return true;
}

// Does a word begin with these three letters, small or large?
static bool begins(const Reader* r, const char* letters) {
  for (int i = 0; i < 3; i++) {
    if (r->end - r->at <= i || (r->at[i] | 32) != letters[i]) return false;
  }
  return true;
}

static double take_unsigned(Reader* r) {
  double number = 0;
  if (begins(r, "nan")) return (double)NAN;
  if (begins(r, "inf")) return (double)INFINITY;
  if (!is_digit(r) && !(r->at < r->end && *r->at == '.')) return 0;
  while (is_digit(r)) number = 10 * number + (*r->at++ - '0');
  if (r->at < r->end && *r->at == '.') {
    r->at++;
    number = take_fraction(r, number);
  }
  if (r->at < r->end && (*r->at == 'e' || *r->at == 'E')) {
    r->at++;
    if (!take_exponent(r, &number)) return 0;
  }
  return number;
}

// The next number of the line; 0 if there is none. What follows it up to a blank is ignored.
static float take_float(Reader* r) {
  skip_gap(r);
  bool minus = take_sign(r);
  double number = take_unsigned(r);
  while (r->at < r->end && !is_gap(*r->at)) r->at++;
  return (float)(minus ? -number : number);
}

static void take_floats(Reader* r, float** array, int* count, size_t* room, int n) {
  if (*count > INT_MAX - n) ct_fail(r->c, r->e, "file %.400s has too many numbers", r->file->name);
  *array = (float*)ct_pool_grow(&r->c->scratch, *array, (size_t)*count, (size_t)(*count + n), room,
                                sizeof(float));
  for (int i = 0; i < n; i++) (*array)[(*count)++] = take_float(r);
}

// Faces

// An index counts from 1, or backwards from what is there (`count`).
static int take_index(Reader* r, int count) {
  bool minus = take_sign(r);
  long long index = 0;
  while (is_digit(r)) {
    index = 10 * index + (*r->at++ - '0');
    if (index > INT_MAX) index = INT_MAX;
  }
  while (r->at < r->end && !is_gap(*r->at) && *r->at != '/') r->at++;
  index = minus ? count - index : index - 1;
  if (index < 0) {
    ct_fail(r->c, r->e, "%.400s:%d: indices of faces count from 1, or backwards from -1",
            r->file->name, r->line);
  }
  return (int)index;
}

// i, i/j, i//k or i/j/k
static Corner take_corner(Reader* r) {
  const ct_MeshFile* mesh = r->mesh;
  Corner corner = {take_index(r, mesh->nvert / 3), -1, -1};
  if (r->at == r->end || *r->at != '/') return corner;
  r->at++;
  if (r->at < r->end && *r->at != '/') corner.texcoord = take_index(r, mesh->ntexcoord / 2);
  if (r->at == r->end || *r->at != '/') return corner;
  r->at++;
  corner.normal = take_index(r, mesh->nnormal / 3);
  return corner;
}

static void take_face(Reader* r) {
  size_t first = r->ncorner;
  for (skip_gap(r); r->at < r->end; skip_gap(r)) {
    Corner corner = take_corner(r);
    r->corner = (Corner*)ct_pool_grow(&r->c->scratch, r->corner, r->ncorner, r->ncorner + 1,
                                      &r->corner_room, sizeof(Corner));
    r->corner[r->ncorner++] = corner;
  }
  if (r->ncorner - first < 3 || r->ncorner - first > CT_POLYGON_CORNERS) {
    r->ncorner = first;
    return;
  }
  r->size = (int*)ct_pool_grow(&r->c->scratch, r->size, r->nface, r->nface + 1, &r->face_room,
                               sizeof(int));
  r->size[r->nface++] = (int)(r->ncorner - first);
}

// Faces with more than three corners

static void emit(Reader* r, const Corner* a, const Corner* b, const Corner* c) {
  r->triangle = (Corner*)ct_pool_grow(&r->c->scratch, r->triangle, r->ntriangle, r->ntriangle + 3,
                                      &r->triangle_room, sizeof(Corner));
  r->triangle[r->ntriangle++] = *a;
  r->triangle[r->ntriangle++] = *b;
  r->triangle[r->ntriangle++] = *c;
}

static const float* place(const Reader* r, const Corner* corner) {
  return r->mesh->vert + 3 * (size_t)corner->vert;
}

// The two coordinates in which the face is looked at, by the first corner that is not straight.
static void choose_plane(const Reader* r, const Corner* corner, int n, int axis[2]) {
  const float straight = 1.1920929e-7f;
  axis[0] = 1;
  axis[1] = 2;
  for (int k = 0; k < n; k++) {
    const float *a = place(r, &corner[k]), *b = place(r, &corner[(k + 1) % n]),
                *c = place(r, &corner[(k + 2) % n]);
    float u[3], v[3];
    for (int i = 0; i < 3; i++) {
      u[i] = b[i] - a[i];
      v[i] = c[i] - b[i];
    }
    float x = fabsf(u[1] * v[2] - u[2] * v[1]), y = fabsf(u[2] * v[0] - u[0] * v[2]),
          z = fabsf(u[0] * v[1] - u[1] * v[0]);
    if (!(x > straight || y > straight || z > straight)) continue;
    if (x > y && x > z) return;
    axis[0] = 0;
    if (z > x && z > y) axis[1] = 1;
    return;
  }
}

static void cut_face(Reader* r, const Corner* corner, int n) {
  int axis[2];
  for (int k = 0; k < n; k++) {
    if (corner[k].vert >= r->mesh->nvert / 3) {
      ct_fail(r->c, r->e, "%.400s:%d: a face above has a vertex that is not there; there are %d",
              r->file->name, r->line, r->mesh->nvert / 3);
    }
  }
  choose_plane(r, corner, n, axis);
  float x[CT_POLYGON_CORNERS], y[CT_POLYGON_CORNERS];
  int triangle[3 * CT_POLYGON_CORNERS];
  for (int k = 0; k < n; k++) {
    x[k] = place(r, &corner[k])[axis[0]];
    y[k] = place(r, &corner[k])[axis[1]];
  }
  int ntriangle = ct_clip_ears(x, y, n, triangle);
  for (int k = 0; k < ntriangle; k++) {
    const int* t = triangle + 3 * k;
    emit(r, &corner[t[0]], &corner[t[1]], &corner[t[2]]);
  }
}

// Shapes and lines

// Ends the present shape. The first one that has something is the mesh.
static void close_shape(Reader* r, bool strokes_count) {
  const Corner* corner = r->corner;
  for (size_t i = 0; i < r->nface && !r->done; i++) {
    if (r->size[i] == 3) {
      emit(r, corner, corner + 1, corner + 2);
    } else {
      cut_face(r, corner, r->size[i]);
    }
    corner += r->size[i];
  }
  if (r->ntriangle || (strokes_count && r->strokes)) r->done = true;
  r->ncorner = r->nface = 0;
  r->strokes = false;
}

static bool is_word(Reader* r, const char* word) {
  size_t n = strlen(word);
  if ((size_t)(r->end - r->at) <= n || memcmp(r->at, word, n) != 0 || !is_gap(r->at[n])) {
    return false;
  }
  r->at += n;
  return true;
}

static void read_line(Reader* r) {
  ct_MeshFile* mesh = r->mesh;
  skip_gap(r);
  if (is_word(r, "v")) {
    take_floats(r, &mesh->vert, &mesh->nvert, &r->vert_room, 3);
  } else if (is_word(r, "vn")) {
    take_floats(r, &mesh->normal, &mesh->nnormal, &r->normal_room, 3);
  } else if (is_word(r, "vt")) {
    take_floats(r, &mesh->texcoord, &mesh->ntexcoord, &r->texcoord_room, 2);
    mesh->texcoord[mesh->ntexcoord - 1] = 1 - mesh->texcoord[mesh->ntexcoord - 1];
  } else if (is_word(r, "f")) {
    take_face(r);
  } else if (is_word(r, "l") || is_word(r, "p")) {
    r->strokes = true;
  } else if (is_word(r, "g")) {
    close_shape(r, false);
  } else if (is_word(r, "o")) {
    close_shape(r, true);
  }
}

static void read_lines(Reader* r) {
  const char* at = (const char*)r->file->bytes;
  const char* end = at + r->file->size;
  while (at < end) {
    const char* stop = at;
    while (stop < end && *stop != '\n' && *stop != '\r') stop++;
    r->line++;
    r->at = at;
    r->end = stop;
    read_line(r);
    if (stop < end && *stop == '\r' && stop + 1 < end && stop[1] == '\n') stop++;
    at = stop + 1;
  }
  close_shape(r, true);
}

// Triangles to arrays of indices.
static void spread_corners(Reader* r, bool mirrored) {
  ct_MeshFile* mesh = r->mesh;
  size_t n = r->ntriangle;
  if (n > INT_MAX) ct_fail(r->c, r->e, "file %.400s has too many triangles", r->file->name);
  mesh->face = (int*)ct_pool_array(&r->c->scratch, n, sizeof(int));
  mesh->facenormal = (int*)ct_pool_array(&r->c->scratch, n, sizeof(int));
  mesh->facetexcoord = (int*)ct_pool_array(&r->c->scratch, n, sizeof(int));
  mesh->nface = (int)n;
  mesh->nfacenormal = mesh->nnormal ? (int)n : 0;
  mesh->nfacetexcoord = mesh->ntexcoord ? (int)n : 0;
  for (size_t i = 0; i < n; i++) {
    size_t from = mirrored && i % 3 ? i / 3 * 3 + 3 - i % 3 : i;
    mesh->face[i] = r->triangle[from].vert;
    mesh->facenormal[i] = r->triangle[from].normal;
    mesh->facetexcoord[i] = r->triangle[from].texcoord;
  }
}

void ct_read_obj(ct_Compiler* c, const ct_Element* e, const ct_AssetFile* file, bool mirrored,
                 ct_MeshFile* mesh) {
  Reader* r = (Reader*)ct_pool_alloc(&c->scratch, sizeof(Reader));
  r->c = c;
  r->e = e;
  r->file = file;
  r->mesh = mesh;
  read_lines(r);
  spread_corners(r, mirrored);
}
