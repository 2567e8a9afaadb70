// Meshes made from a few numbers: mjs_makeMesh fills the vertices, normals and faces that a program
// could also give itself. Numbers are computed in double precision and rounded once, except for the
// sphere, which is refined in single precision like the reference's.

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "math/strict.h"
#include "spec/spec.h"

typedef struct {
  ct_Vector vertex, normal, face;  // floats, floats, ints
} Shape;

static void add_floats(ct_Vector* v, double x, double y, double z) {
  const float point[3] = {(float)x, (float)y, (float)z};
  ct_vector_append(v, point, sizeof(point));
}

static void add_vertex(Shape* shape, double x, double y, double z) {
  add_floats(&shape->vertex, x, y, z);
}

static void add_face(Shape* shape, int a, int b, int c) {
  const int face[3] = {a, b, c};
  ct_vector_append(&shape->face, face, sizeof(face));
}

static int count_of(const ct_Vector* v) {
  return (int)ct_vector_count(v, 3 * sizeof(float));
}

// Sphere

// The corners of an icosahedron, then every face divided in four.
static void icosahedron(Shape* shape) {
  static const signed char corner[12][3] = {{-1, 2, 0}, {1, 2, 0}, {-1, -2, 0}, {1, -2, 0},
                                            {0, -1, 2}, {0, 1, 2}, {0, -1, -2}, {0, 1, -2},
                                            {2, 0, -1}, {2, 0, 1}, {-2, 0, -1}, {-2, 0, 1}};
  static const signed char face[20][3] = {
      {0, 11, 5},  {0, 5, 1},  {0, 1, 7},  {0, 7, 10}, {0, 10, 11}, {1, 5, 9}, {5, 11, 4},
      {11, 10, 2}, {10, 7, 6}, {7, 1, 8},  {3, 9, 4},  {3, 4, 2},   {3, 2, 6}, {3, 6, 8},
      {3, 8, 9},   {4, 9, 5},  {2, 4, 11}, {6, 2, 10}, {8, 6, 7},   {9, 8, 1}};
  const float phi = (float)((1 + sqrt(5)) / 2);  // stands where the table has a 2
  const double length = sqrt(1 + (double)(phi * phi));
  for (int i = 0; i < 12; i++) {
    double x[3];
    for (int k = 0; k < 3; k++) {
      double sign = corner[i][k] < 0 ? -1 : 1;
      x[k] = (abs(corner[i][k]) == 2 ? sign * (double)phi : (double)corner[i][k]) / length;
    }
    add_vertex(shape, x[0], x[1], x[2]);
  }
  for (int i = 0; i < 20; i++) add_face(shape, face[i][0], face[i][1], face[i][2]);
}

typedef struct {  // middle of an edge; edges are chained by their smaller vertex
  int other, middle, next;
} Edge;

typedef struct {
  int* first;  // of the chain of each vertex, -1: none
  Edge* edge;
  int count;
} Edges;

static int middle_of(Shape* shape, Edges* edges, int a, int b) {
  int low = a < b ? a : b, high = a < b ? b : a;
  for (int i = edges->first[low]; i >= 0; i = edges->edge[i].next) {
    if (edges->edge[i].other == high) return edges->edge[i].middle;
  }
  const float* vertex = (const float*)(const void*)shape->vertex.begin;
  float x[3], sum = 0;
  for (int k = 0; k < 3; k++) {
    x[k] = (vertex[3 * a + k] + vertex[3 * b + k]) / 2;
  }
  for (int k = 0; k < 3; k++) sum += x[k] * x[k];
  float length = sqrtf(sum);
  const Edge edge = {high, count_of(&shape->vertex), edges->first[low]};
  add_vertex(shape, x[0] / length, x[1] / length, x[2] / length);
  edges->edge[edges->count] = edge;
  edges->first[low] = edges->count++;
  return edge.middle;
}

static bool divide_faces(Shape* shape) {
  int nvertex = count_of(&shape->vertex), nface = count_of(&shape->face);
  ct_Vector old = shape->face;
  memset(&shape->face, 0, sizeof(shape->face));
  Edges edges = {(int*)malloc((size_t)nvertex * sizeof(int)),
                 (Edge*)malloc((size_t)nface * 3 * sizeof(Edge)), 0};
  bool enough = edges.first && edges.edge;
  for (int i = 0; enough && i < nvertex; i++) edges.first[i] = -1;
  for (int i = 0; enough && i < nface; i++) {
    const int* f = (const int*)(const void*)old.begin + 3 * i;
    int x = middle_of(shape, &edges, f[0], f[1]);
    int y = middle_of(shape, &edges, f[1], f[2]);
    int z = middle_of(shape, &edges, f[2], f[0]);
    add_face(shape, f[0], x, z);
    add_face(shape, f[1], y, x);
    add_face(shape, f[2], z, y);
    add_face(shape, x, y, z);
  }
  free(edges.first);
  free(edges.edge);
  ct_vector_free(&old);
  return enough;
}

static const char* sphere(Shape* shape, const double* p) {
  int divisions = (int)p[0];
  if (!(p[0] > -1) || divisions > 4) return "sphere: the number of subdivisions must be 0 to 4";
  icosahedron(shape);
  for (int i = 0; i < divisions; i++) {
    if (!divide_faces(shape)) return "sphere: out of memory";
  }
  return NULL;
}

// Hemisphere

// Four triangles around the pole, divided into rows that get longer towards the equator.
static void hemisphere_vertices(Shape* shape, int resolution) {
  static const double equator[5][2] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}, {1, 0}};
  add_vertex(shape, 0, 0, 1);
  for (int row = 0; row <= resolution; row++) {
    double k = (double)(row + 1) / (resolution + 1);
    for (int side = 0; side < 4; side++) {
      const double *e = equator[side], *next = equator[side + 1];
      double start[3] = {k * e[0], k * e[1], 1 - k};
      double end[3] = {k * next[0], k * next[1], 1 - k};
      for (int i = 0; i <= row; i++) {
        double x[3], sum = 0;
        for (int c = 0; c < 3; c++) {
          x[c] = start[c] + i * ((end[c] - start[c]) / (row + 1));
          sum += x[c] * x[c];
        }
        double length = sqrt(sum);
        add_vertex(shape, x[0] / length, x[1] / length, x[2] / length);
      }
    }
  }
  add_vertex(shape, 0, 0, 0);
}

static const char* hemisphere(Shape* shape, const double* p) {
  int resolution = (int)p[0];
  if (!(p[0] > -1) || resolution > 10) return "hemisphere: the resolution must be 0 to 10";
  hemisphere_vertices(shape, resolution);
  for (int i = 1; i < 5; i++) add_face(shape, 0, i, i % 4 + 1);
  for (int row = 0; row < resolution; row++) {
    int first = 2 * row * (row + 1) + 1, n = 4 * (row + 1), below = first + n, m = 4 * (row + 2);
    for (int side = 0; side < 4; side++) {
      for (int i = 0; i <= row + 1; i++) {
        int u = i + (row + 1) * side, w = i + (row + 2) * side;
        add_face(shape, first + u % n, below + w % m, below + (w + 1) % m);
        if (i <= row) add_face(shape, first + u % n, below + (w + 1) % m, first + (u + 1) % n);
      }
    }
  }
  int rim = 2 * resolution * (resolution + 1) + 1, n = 4 * (resolution + 1), centre = rim + n;
  for (int i = 0; i < n; i++) add_face(shape, rim + i, centre, rim + (i + 1) % n);
  return NULL;
}

// Superquadrics

// Powers of cosine and sine that keep their signs.
static double cos_power(double angle, double power) {
  double c = ct_cos64(angle);
  return copysign(1, c) * ct_pow64(fabs(c), power);
}

static double sin_power(double angle, double power) {
  double s = ct_sin64(angle);
  return copysign(1, s) * ct_pow64(fabs(s), power);
}

// A superellipsoid with the half axes 1 (Barr 1981): at latitude b and longitude a it is
//   (C(b, north) C(a, east), C(b, north) S(a, east), S(b, north))
// where C and S are powers of cosine and sine that keep the sign. The poles are single vertices;
// between them lie `count - 1` circles of latitude with `count` vertices each, south first, joined
// by rings of triangles.
static const char* supersphere(Shape* shape, const double* p) {
  if (!(p[0] >= 3)) return "supersphere: the resolution must be 3 or more";
  if (!(p[1] >= 0) || !(p[2] >= 0)) return "supersphere: the exponents cannot be negative";
  int count = (int)p[0], ncircle = count - 1;
  double east = p[1], north = p[2];

  // vertices from the south pole to the north pole
  add_vertex(shape, 0, 0, -1);
  for (int circle = 0; circle < ncircle; circle++) {
    double latitude = mjPI * (circle + 1) / count - mjPI / 2;
    double radius = cos_power(latitude, north), height = sin_power(latitude, north);
    for (int k = 0; k < count; k++) {
      double longitude = 2 * mjPI * k / count - mjPI;
      add_vertex(shape, radius * cos_power(longitude, east), radius * sin_power(longitude, east),
                 height);
    }
  }
  add_vertex(shape, 0, 0, 1);

  // the southern cap, the rings between neighbouring circles, the northern cap; all seen from
  // outside against the clock
  int south = 0, north_pole = 1 + ncircle * count;
  for (int k = 0; k < count; k++) add_face(shape, south, 1 + (k + 1) % count, 1 + k);
  for (int circle = 0; circle + 1 < ncircle; circle++) {
    int below = 1 + circle * count, above = below + count;
    for (int k = 0; k < count; k++) {
      int next = (k + 1) % count;
      add_face(shape, below + k, below + next, above + k);
      add_face(shape, below + next, above + next, above + k);
    }
  }
  int highest = north_pole - count;
  for (int k = 0; k < count; k++)
    add_face(shape, highest + k, highest + (k + 1) % count, north_pole);
  return NULL;
}

static const char* supertorus(Shape* shape, const double* p) {
  int res = (int)p[0];
  double radius = p[1], s = p[2], t = p[3];
  if (!(p[0] >= 3)) return "supertorus: the resolution must be 3 or more";
  if (!(radius > 0 && radius <= 1)) return "supertorus: the radius must be above 0 and at most 1";
  if (!(s > 0) || !(t > 0)) return "supertorus: the exponents must be positive";
  for (int i = 0; i < res; i++) {
    for (int j = 0; j < res; j++) {
      double u = 2 * mjPI * i / res, v = 2 * mjPI * j / res, reach = 1 + radius * cos_power(v, s);
      add_vertex(shape, reach * cos_power(u, t), reach * sin_power(u, t), radius * sin_power(v, s));
    }
  }
  for (int i = 0; i < res; i++) {
    for (int j = 0; j < res; j++) {
      int i2 = (i + 1) % res, j2 = (j + 1) % res;
      add_face(shape, i * res + j, i2 * res + j, i * res + j2);
      add_face(shape, i2 * res + j, i2 * res + j2, i * res + j2);
    }
  }
  return NULL;
}

// Cone, wedge, plate

// No faces: the hull will be taken.
static const char* cone(Shape* shape, const double* p) {
  int nedge = (int)p[0];
  double radius = p[1];
  if (nedge < 0) return "cone: the number of edges cannot be negative";
  for (int i = 0; i < nedge; i++) {
    double a = 2 * i * mjPI / nedge;
    add_vertex(shape, ct_cos64(a), ct_sin64(a), -1);
  }
  if (!(radius > 0)) {
    add_vertex(shape, 0, 0, 1);
    return NULL;
  }
  for (int i = nedge; i < 2 * nedge; i++) {
    double a = 2 * i * mjPI / nedge;
    add_vertex(shape, radius * ct_cos64(a), radius * ct_sin64(a), 1);
  }
  return NULL;
}

// Bounds of n cells over a field of view, narrower in the middle for gamma above 0.
static void foveated_bounds(double* bound, int n, double fov, double gamma) {
  double x = -1, step = 2.0 / n;
  for (int i = 0; i <= n; i++) {
    double bent = gamma != 0 ? gamma * ct_pow64(x, 5) + (1 - gamma) * x : x;
    bound[i] = bent * (fov * mjPI / 180);
    x += step;
  }
}

static void unit(double v[3]) {
  double length = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
  for (int k = 0; k < 3; k++) v[k] /= length;
}

// A point of the unit sphere seen along -z, and three axes: outwards, along the azimuth, along the
// elevation.
static void wedge_point(Shape* shape, double a, double e) {
  double sa, ca, se, ce;
  ct_sincos64(&sa, &ca, a);
  ct_sincos64(&se, &ce, e);
  add_vertex(shape, ce * sa, se, -ce * ca);
  double ta[3] = {ce * ca, 0, ce * sa}, te[3] = {-se * sa, ce, se * ca};
  unit(ta);
  unit(te);
  add_floats(&shape->normal, te[1] * ta[2] - te[2] * ta[1], te[2] * ta[0] - te[0] * ta[2],
             te[0] * ta[1] - te[1] * ta[0]);
  add_floats(&shape->normal, ta[0], ta[1], ta[2]);
  add_floats(&shape->normal, te[0], te[1], te[2]);
}

static const char* wedge(Shape* shape, const double* p) {
  int n1 = (int)p[0], n2 = (int)p[1];
  if (n1 <= 0 || n2 <= 0) return "wedge: the resolutions must be positive";
  if (!(p[2] > 0 && p[2] <= 180))
    return "wedge: the horizontal field of view must be above 0 and at most 180";
  if (!(p[3] > 0 && p[3] <= 90))
    return "wedge: the vertical field of view must be above 0 and at most 90";
  if (!(p[4] >= 0 && p[4] <= 1)) return "wedge: gamma must be 0 to 1";
  double* x = (double*)malloc((size_t)n1 * sizeof(double) + sizeof(double));
  double* y = (double*)malloc((size_t)n2 * sizeof(double) + sizeof(double));
  if (x && y) {
    foveated_bounds(x, n1, p[2], p[4]);
    foveated_bounds(y, n2, p[3], p[4]);
    for (int i = 0; i < n1; i++) {
      for (int j = 0; j < n2; j++)
        wedge_point(shape, 0.5 * (x[i + 1] + x[i]), 0.5 * (y[j + 1] + y[j]));
    }
  }
  free(x);
  free(y);
  return x && y ? NULL : "wedge: out of memory";
}

static const char* plate(Shape* shape, const double* p) {
  int n1 = (int)p[0], n2 = (int)p[1];
  if (n1 <= 0 || n2 <= 0) return "plate: the resolutions must be positive";
  for (int i = 0; i < n1; i++) {
    for (int j = 0; j < n2; j++) {
      add_vertex(shape, -1 + (i + 0.5) * (2.0 / n1), -1 + (j + 0.5) * (2.0 / n2), -1);
      for (int k = 0; k < 3; k++) add_floats(&shape->normal, k == 0, k == 1, k == 2);
      if (i == 0 || j == 0) continue;
      add_face(shape, (i - 1) * n2 + j - 1, i * n2 + j - 1, (i - 1) * n2 + j);
      add_face(shape, i * n2 + j, (i - 1) * n2 + j, i * n2 + j - 1);
    }
  }
  return NULL;
}

// The public function

typedef struct {
  const char* name;
  int nparam;
  const char* (*make)(Shape* shape, const double* param);
} Builtin;

// Puts a new content behind a vector of the mesh; an empty one leaves it alone.
static void replace(void* field, ct_Vector* content) {
  if (!content->begin) return;
  ct_vector_free((ct_Vector*)field);
  *(ct_Vector*)field = *content;
  memset(content, 0, sizeof(*content));
}

// A parameter that is not a number, or would make more vertices than a mesh can have.
enum { LARGEST = 20000 };
static int first_too_large(const double* param, int n) {
  for (int i = 0; i < n; i++) {
    if (!(fabs(param[i]) < LARGEST)) return i;
  }
  return -1;
}

int mjs_makeMesh(mjsMesh* mesh, mjtMeshBuiltin builtin, double* params, int nparams) {
  static const Builtin builtins[] = {
      [mjMESH_BUILTIN_SPHERE] = {"sphere", 1, sphere},
      [mjMESH_BUILTIN_HEMISPHERE] = {"hemisphere", 1, hemisphere},
      [mjMESH_BUILTIN_CONE] = {"cone", 2, cone},
      [mjMESH_BUILTIN_SUPERSPHERE] = {"supersphere", 3, supersphere},
      [mjMESH_BUILTIN_SUPERTORUS] = {"supertorus", 4, supertorus},
      [mjMESH_BUILTIN_WEDGE] = {"wedge", 5, wedge},
      [mjMESH_BUILTIN_PLATE] = {"plate", 2, plate},
  };

  if (ct_is_null(mesh, "mjs_makeMesh", "mesh")) return -1;

  // does the shape exist, with as many parameters, and of these sizes?
  ct_Spec* spec = ct_element(mesh->element)->spec;
  if ((int)builtin <= mjMESH_BUILTIN_NONE || (int)builtin > mjMESH_BUILTIN_PLATE) {
    ct_spec_error(spec, "there is no built-in mesh number %d", (int)builtin);
    return 1;
  }
  const Builtin* shape_kind = &builtins[builtin];
  if (nparams != shape_kind->nparam) {
    return ct_spec_error(spec, "built-in mesh %s needs %d parameters, got %d", shape_kind->name,
                         shape_kind->nparam, nparams);
  }
  if (!params) return ct_spec_error(spec, "built-in mesh %s: params is NULL", shape_kind->name);
  int large = first_too_large(params, nparams);
  if (large >= 0) {
    return ct_spec_error(spec, "built-in mesh %s: parameter %d is %g, it must be below %d",
                         shape_kind->name, large, params[large], LARGEST);
  }

  // it takes the place of what the mesh had
  Shape shape;
  memset(&shape, 0, sizeof(shape));
  const char* wrong = shape_kind->make(&shape, params);
  if (wrong) {
    ct_spec_error(spec, "built-in mesh %s", wrong);
  } else {
    if (builtin == mjMESH_BUILTIN_PLATE) mesh->inertia = mjMESH_INERTIA_SHELL;
    replace(mesh->uservert, &shape.vertex);
    replace(mesh->usernormal, &shape.normal);
    replace(mesh->userface, &shape.face);
  }
  ct_vector_free(&shape.vertex);
  ct_vector_free(&shape.normal);
  ct_vector_free(&shape.face);
  return wrong ? -1 : 0;
}
