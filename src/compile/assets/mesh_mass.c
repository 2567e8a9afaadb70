// Normals, pose, volume and inertia of meshes, and the frame that follows from them.
//
// The inertia is the sum over the triangles of that of tetrahedra with a common tip, or of the
// triangles themselves for shells; see Tonon, "Explicit exact formulas for the 3-D tetrahedron
// inertia tensor", 2004. The order of all sums is part of the behaviour: the search for principal
// axes of nearly round bodies is decided by the last bits.

#include <math.h>
#include <string.h>

#include "compile/assets/mesh.h"

// Orientation

static void edge_vectors(double u[3], double v[3], const double* vert, const int* corner) {
  for (int i = 0; i < 3; i++) {
    u[i] = vert[3 * corner[1] + i] - vert[3 * corner[0] + i];
    v[i] = vert[3 * corner[2] + i] - vert[3 * corner[0] + i];
  }
}

// Triangles that share an edge go through it in opposite directions, or inside and outside are not
// defined.
void ct_mesh_check_orientation(ct_Compiler* c, const ct_WorkMesh* w) {
  const ct_MeshArrays* a = w->arrays;
  if (w->v.inertia != mjMESH_INERTIA_EXACT) return;
  ct_EdgeTable table = ct_edges_make(&c->scratch, 3 * (size_t)a->nface);
  for (int f = 0; f < a->nface; f++) {
    const int* corner = a->face + 3 * f;
    double u[3], v[3], n[3];
    edge_vectors(u, v, a->vert, corner);
    ct_cross64(n, u, v);
    if (!(0.5 * sqrt(ct_dot64(n, n)) > sqrt(mjMINVAL))) continue;
    for (int i = 0; i < 3; i++) {
      int* first = ct_edges_at(&table, 0, corner[i], corner[(i + 1) % 3]);
      if (*first >= 0) {
        ct_fail(
            c, w->head.element,
            "triangles %d and %d go through an edge in the same direction, so the exact inertia "
            "is not defined: repair the mesh or choose another inertia",
            *first, f);
      }
      *first = f;
    }
  }
}

// Normals

// Unit normal of a triangle, and its length; small triangles have length 0.
static double face_normal(double normal[3], const ct_MeshArrays* a, const int* corner) {
  double u[3], v[3];
  edge_vectors(u, v, a->vert, corner);
  ct_cross64(normal, u, v);
  return ct_normalize64(normal, 3);
}

static void add_to_corner(float* sum, const double normal[3], double weight) {
  for (int i = 0; i < 3; i++) sum[i] = (float)((double)sum[i] + normal[i] * weight);
}

// Takes away from the normals of vertices what triangles beyond sharp edges have added.
static void sharpen(ct_Compiler* c, ct_MeshArrays* a) {
  const double smooth = 0.8;
  float* remove = (float*)ct_pool_array(&c->scratch, (size_t)a->nvert, 3 * sizeof(float));
  for (int f = 0; f < a->nface; f++) {
    double normal[3];
    double weight = face_normal(normal, a, a->face + 3 * f);
    for (int k = 0; k < 3; k++) {
      int v = a->face[3 * f + k];
      double mean[3];
      for (int i = 0; i < 3; i++) mean[i] = (double)a->normal[3 * v + i];
      ct_normalize64(mean, 3);
      if (ct_dot64(normal, mean) < smooth) add_to_corner(remove + 3 * v, normal, weight);
    }
  }
  for (int i = 0; i < 3 * a->nvert; i++) a->normal[i] -= remove[i];
}

static void unit_normals(ct_MeshArrays* a) {
  for (int i = 0; i < a->nnormal; i++) {
    float* n = a->normal + 3 * i;
    float length = sqrtf(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    if ((double)length > mjMINVAL) {
      for (int k = 0; k < 3; k++) n[k] /= length;
    } else {
      n[0] = n[1] = 0;
      n[2] = 1;
    }
  }
}

void ct_mesh_make_normals(ct_Compiler* c, ct_WorkMesh* w) {
  ct_MeshArrays* a = w->arrays;
  a->nnormal = a->nvert;
  a->normal = (float*)ct_pool_array(&c->pool, (size_t)a->nvert, 3 * sizeof(float));
  for (int f = 0; f < a->nface; f++) {
    double normal[3];
    double weight = face_normal(normal, a, a->face + 3 * f);
    for (int k = 0; k < 3; k++) {
      add_to_corner(a->normal + 3 * a->face[3 * f + k], normal, weight);
    }
  }
  if (!w->v.smoothnormal) sharpen(c, a);
  unit_normals(a);
}

// Reference pose and scale

static void turn_normals(ct_MeshArrays* a, const double m[9]) {
  for (int i = 0; i < a->nnormal; i++) {
    double n[3];
    for (int k = 0; k < 3; k++) n[k] = (double)a->normal[3 * i + k];
    ct_matrix_times(n, m, n);
    for (int k = 0; k < 3; k++) a->normal[3 * i + k] = (float)n[k];
  }
}

static void turn_vertices(ct_MeshArrays* a, const double m[9]) {
  for (int i = 0; i < a->nvert; i++) ct_matrix_times(a->vert + 3 * i, m, a->vert + 3 * i);
}

static void scale_all(ct_MeshArrays* a, const double scale[3]) {
  for (int i = 0; i < 3 * a->nvert; i++) a->vert[i] *= scale[i % 3];
  for (int i = 0; i < 3 * a->nnormal; i++) {
    a->normal[i] = (float)((double)a->normal[i] * scale[i % 3]);
  }
}

static void apply_reference_pose(ct_WorkMesh* w) {
  ct_MeshArrays* a = w->arrays;
  const double *pos = w->v.refpos, *scale = w->v.scale;
  double quat[4];
  memcpy(quat, w->v.refquat, sizeof(quat));
  if (pos[0] != 0 || pos[1] != 0 || pos[2] != 0) {
    for (int i = 0; i < 3 * a->nvert; i++) a->vert[i] -= pos[i % 3];
  }
  if (!ct_is_identity(quat)) {
    double m[9], back[9];
    ct_normalize64(quat, 4);
    ct_quat_matrix(m, quat);
    for (int i = 0; i < 9; i++) back[i] = m[3 * (i % 3) + i / 3];
    turn_vertices(a, back);
    turn_normals(a, back);
  }
  if (scale[0] != 1 || scale[1] != 1 || scale[2] != 1) scale_all(a, scale);
  for (int i = 0; i < a->nnormal; i++) {
    float* n = a->normal + 3 * i;
    float square = n[0] * n[0] + n[1] * n[1] + n[2] * n[2];
    if ((double)square > mjMINVAL) {
      float scaled = 1 / sqrtf(square);
      for (int k = 0; k < 3; k++) n[k] *= scaled;
    } else {
      n[0] = n[1] = 0;
      n[2] = 1;
    }
  }
}

// Volume and inertia

typedef struct {
  double centre[3], normal[3], area;
} Triangle;

static Triangle triangle_of(const double a[3], const double b[3], const double c[3]) {
  Triangle t;
  double u[3], v[3];
  for (int i = 0; i < 3; i++) {
    t.centre[i] = (a[i] + b[i] + c[i]) / 3;
    u[i] = b[i] - a[i];
    v[i] = c[i] - a[i];
  }
  ct_cross64(t.normal, u, v);
  double length = sqrt(ct_dot64(t.normal, t.normal));
  t.area = 0;
  if (length < mjMINVAL) return t;
  for (int i = 0; i < 3; i++) t.normal[i] /= length;
  t.area = 0.5 * length;
  return t;
}

static Triangle face_triangle(const ct_MeshArrays* a, const int* corner) {
  return triangle_of(a->vert + 3 * corner[0], a->vert + 3 * corner[1], a->vert + 3 * corner[2]);
}

static void surface_centre(ct_Compiler* c, const ct_WorkMesh* w, double centre[3]) {
  const ct_MeshArrays* a = w->arrays;
  double area = 0;
  memset(centre, 0, 3 * sizeof(double));
  for (int f = 0; f < a->nface; f++) {
    Triangle t = face_triangle(a, a->face + 3 * f);
    area += t.area;
    for (int i = 0; i < 3; i++) centre[i] += t.area * t.centre[i];
  }
  if (!(area >= mjMINVAL)) ct_fail(c, w->head.element, "the surface of the mesh is too small");
  for (int i = 0; i < 3; i++) centre[i] /= area;
}

// Area of a triangle, or volume of the tetrahedron from a tip to it.
static double weight_of(const Triangle* t, const double to_centre[3], mjtMeshInertia mode) {
  if (mode == mjMESH_INERTIA_SHELL) return t->area;
  double volume = ct_dot64(to_centre, t->normal) * t->area / 3;
  return mode == mjMESH_INERTIA_LEGACY ? fabs(volume) : volume;
}

static void find_centre(ct_Compiler* c, const ct_WorkMesh* w, const int* face, int nface,
                        double com[3]) {
  double tip[3], sum = 0;
  surface_centre(c, w, tip);
  memset(com, 0, 3 * sizeof(double));
  for (int f = 0; f < nface; f++) {
    Triangle t = face_triangle(w->arrays, face + 3 * f);
    double out[3];
    for (int i = 0; i < 3; i++) out[i] = t.centre[i] - tip[i];
    double weight = weight_of(&t, out, w->v.inertia);
    sum += weight;
    for (int i = 0; i < 3; i++) com[i] += weight * (t.centre[i] * 3 / 4 + tip[i] / 4);
  }
  if (!(sum >= mjMINVAL)) {
    bool shell = w->v.inertia == mjMESH_INERTIA_SHELL;
    ct_fail(c, w->head.element,
            shell ? "the surface of the mesh is too small"
                  : "the volume of the mesh is %g: too small, or its triangles face inwards; "
                    "inertia=\"shell\" is for flat meshes",
            sum);
  }
  for (int i = 0; i < 3; i++) com[i] /= sum;
}

// Volume, and inertia of unit density, about com.
static double integrate(const ct_WorkMesh* w, const int* face, int nface, const double com[3],
                        double inertia[9]) {
  static const int row[6] = {0, 1, 2, 0, 0, 1}, column[6] = {0, 1, 2, 1, 2, 2};
  const double divisor = w->v.inertia == mjMESH_INERTIA_SHELL ? 12 : 20;
  const double* vert = w->arrays->vert;
  double p[6] = {0}, sum = 0;
  for (int f = 0; f < nface; f++) {
    double d[3], e[3], g[3];
    for (int i = 0; i < 3; i++) {
      d[i] = vert[3 * face[3 * f] + i] - com[i];
      e[i] = vert[3 * face[3 * f + 1] + i] - com[i];
      g[i] = vert[3 * face[3 * f + 2] + i] - com[i];
    }
    Triangle t = triangle_of(d, e, g);
    double weight = weight_of(&t, t.centre, w->v.inertia);
    sum += weight;
    for (int k = 0; k < 6; k++) {
      int i = row[k], j = column[k];
      p[k] += weight / divisor *
              (2 * (d[i] * d[j] + e[i] * e[j] + g[i] * g[j]) + d[i] * e[j] + d[j] * e[i] +
               d[i] * g[j] + d[j] * g[i] + e[i] * g[j] + e[j] * g[i]);
    }
  }
  double matrix[9] = {p[1] + p[2], -p[3], -p[4], -p[3],      p[0] + p[2],
                      -p[5],       -p[4], -p[5], p[0] + p[1]};
  memcpy(inertia, matrix, sizeof(matrix));
  return sum;
}

static void check_moments(ct_Compiler* c, const ct_WorkMesh* w, const double moment[3]) {
  if (moment[2] <= 0) {
    ct_fail(c, w->head.element, "an eigenvalue of the mesh inertia must be positive, it is %g",
            moment[2]);
  }
  for (int i = 0; i < 3; i++) {
    double others = moment[(i + 1) % 3] + moment[(i + 2) % 3];
    if (others < moment[i] * (1 - 1e-6) - 1e-9) {
      ct_fail(c, w->head.element,
              "the mesh inertia violates A + B >= C, with %g, %g and %g: it is not closed or its "
              "triangles face different ways",
              moment[0], moment[1], moment[2]);
    }
  }
}

static void find_bounds(ct_WorkMesh* w) {
  const ct_MeshArrays* a = w->arrays;
  for (int i = 0; i < 3 * a->nvert; i++) {
    double x = a->vert[i];
    int k = i % 3;
    if (i < 3 || x < w->min[k]) w->min[k] = x;
    if (i < 3 || x > w->max[k]) w->max[k] = x;
  }
}

void ct_mesh_place(ct_Compiler* c, ct_WorkMesh* w) {
  ct_MeshArrays* a = w->arrays;
  apply_reference_pose(w);
  bool convex = w->v.inertia == mjMESH_INERTIA_CONVEX;
  const int* face = convex ? a->hullface : a->face;
  int nface = convex ? a->nhullface : a->nface;
  double inertia[9], moment[3], back[4], m[9];
  find_centre(c, w, face, nface, w->pos);
  w->volume = integrate(w, face, nface, w->pos, inertia);
  ct_principal_axes(moment, w->quat, inertia);
  check_moments(c, w, moment);
  for (int i = 0; i < 3; i++) {
    double others = moment[(i + 1) % 3] + moment[(i + 2) % 3];
    w->box[i] = 0.5 * sqrt(6 * (others - moment[i]) / w->volume);
  }
  if (w->plugin) {  // its field knows no other frame
    memset(w->pos, 0, sizeof(w->pos));
    memset(w->quat, 0, sizeof(w->quat));
    w->quat[0] = 1;
    find_bounds(w);
    return;
  }
  back[0] = w->quat[0];
  for (int i = 1; i < 4; i++) back[i] = -w->quat[i];
  ct_quat_matrix(m, back);
  for (int i = 0; i < 3 * a->nvert; i++) a->vert[i] -= w->pos[i % 3];
  turn_vertices(a, m);
  turn_normals(a, m);
  find_bounds(w);
}
