// Display lists of shapes. They are filled between Begin and End once, and kept by the driver in
// whatever form it draws fastest. Curved shapes consist of quads, so that wires show no diagonals.

#include "render/shape_lists.h"

#include <math.h>
#include <string.h>

#define PI 3.14159265358979323846

static void put(const ct_GL* gl, const float v[3]) {
  gl->Vertex3f(v[0], v[1], v[2]);
}

static void put_normal(const ct_GL* gl, const float n[3]) {
  gl->Normal3f(n[0], n[1], n[2]);
}

// A triangle with one normal, given by the order of its corners.
static void put_flat(const ct_GL* gl, const float a[3], const float b[3], const float c[3]) {
  float u[3], v[3];
  for (int i = 0; i < 3; i++) {
    u[i] = b[i] - a[i];
    v[i] = c[i] - a[i];
  }
  float n[3] = {u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]};
  float length = sqrtf(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
  for (int i = 0; length > 0 && i < 3; i++) n[i] /= length;
  put_normal(gl, n);
  put(gl, a);
  put(gl, b);
  put(gl, c);
}

// Round shapes

// Point of the unit sphere, angles from the x axis and from the equator.
static void put_on_sphere(const ct_GL* gl, double around, double above) {
  const float v[3] = {(float)(cos(above) * cos(around)), (float)(cos(above) * sin(around)),
                      (float)sin(above)};
  put_normal(gl, v);
  put(gl, v);
}

// The part of a sphere between two heights (angles above the equator), as bands of triangles.
static void sphere_between(const ct_GL* gl, int slices, int bands, double from, double to) {
  for (int k = 0; k < bands; k++) {
    double low = from + (to - from) * k / bands, high = from + (to - from) * (k + 1) / bands;
    gl->Begin(GL_QUADS);
    for (int i = 0; i < slices; i++) {
      double around = 2 * PI * i / slices, next = 2 * PI * (i + 1) / slices;
      put_on_sphere(gl, around, high);
      put_on_sphere(gl, around, low);
      put_on_sphere(gl, next, low);
      put_on_sphere(gl, next, high);
    }
    gl->End();
  }
}

// The side of a cylinder (radii 1) or cone (radius 1 to 0), from one height to the other.
typedef struct Side_ {
  double from, to, top_radius;
} Side;

static void put_on_side(const ct_GL* gl, const Side* side, double around, double share) {
  double slope = (1 - side->top_radius) / (side->to - side->from);
  double length = sqrt(1 + slope * slope), radius = 1 + share * (side->top_radius - 1);
  double c = cos(around), s = sin(around);
  gl->Normal3f((float)(c / length), (float)(s / length), (float)(slope / length));
  gl->Vertex3f((float)(radius * c), (float)(radius * s),
               (float)(side->from + share * (side->to - side->from)));
}

static void side_between(const ct_GL* gl, int slices, int stacks, Side side) {
  gl->Begin(GL_QUADS);
  for (int k = 0; k < stacks; k++) {
    double low = (double)k / stacks, high = (double)(k + 1) / stacks;
    for (int i = 0; i < slices; i++) {
      double around = 2 * PI * i / slices, next = 2 * PI * (i + 1) / slices;
      put_on_side(gl, &side, around, high);
      put_on_side(gl, &side, around, low);
      put_on_side(gl, &side, next, low);
      put_on_side(gl, &side, next, high);
    }
  }
  gl->End();
}

// A disc at a height, seen from above (up = 1) or from below (-1).
static void disc_at(const ct_GL* gl, int slices, double height, int up) {
  gl->Begin(GL_TRIANGLE_FAN);
  gl->Normal3f(0, 0, (float)up);
  gl->Vertex3f(0, 0, (float)height);
  for (int i = 0; i <= slices; i++) {
    double around = up * 2 * PI * i / slices;
    gl->Vertex3f((float)cos(around), (float)sin(around), (float)height);
  }
  gl->End();
}

// Six faces of n x n squares.
static void box(const ct_GL* gl, int n) {
  for (int face = 0; face < 6; face++) {
    int axis = face / 2, u = (axis + 1) % 3, v = (axis + 2) % 3;
    float side = face % 2 ? -1.0f : 1.0f, normal[3] = {0, 0, 0};
    normal[axis] = side;
    gl->Begin(GL_QUADS);
    put_normal(gl, normal);
    for (int i = 0; i < n * n; i++) {
      const int corner[4][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
      for (int k = 0; k < 4; k++) {
        float p[3];
        int at = side > 0 ? k : 3 - k;
        p[axis] = side;
        p[u] = -1 + 2.0f * (float)(i % n + corner[at][0]) / (float)n;
        p[v] = -1 + 2.0f * (float)(i / n + corner[at][1]) / (float)n;
        put(gl, p);
      }
    }
    gl->End();
  }
}

// A ring in the colour of haze: a cone from the ground, at distance 1 - haze, to the height of the
// eye at distance 1. It is transparent at both rims, and opaque where the eye sees the end of the
// ground behind it: a share t of its way up with r = 1 - haze + t haze and (1 - t) / r = 1.
static void haze_ring(const ct_GL* gl, const mjVisual* vis, int slices) {
  const float* rgba = vis->rgba.haze;
  float haze = vis->map.haze, t = haze / (1 + haze);
  const float radius[3] = {1 - haze, 1 - haze + t * haze, 1}, height[3] = {0, t, 1};
  const float alpha[3] = {0, 1, 0};
  for (int k = 0; k < 2; k++) {
    gl->Begin(GL_TRIANGLE_STRIP);
    for (int i = 0; i <= slices; i++) {
      float c = (float)cos(2 * PI * i / slices), s = (float)sin(2 * PI * i / slices);
      for (int end = k; end < k + 2; end++) {
        gl->Color4f(rgba[0], rgba[1], rgba[2], rgba[3] * alpha[end]);
        gl->Vertex3f(radius[end] * c, radius[end] * s, height[end]);
      }
    }
    gl->End();
  }
}

static void builtin(const ct_GL* gl, const mjVisual* vis, ct_Builtin shape) {
  const Side tube = {-1, 1, 1}, cone = {0, 1, 0};
  int slices = vis->quality.numslices, stacks = vis->quality.numstacks;
  switch (shape) {
    case CT_SPHERE:
      sphere_between(gl, slices, stacks, -PI / 2, PI / 2);
      break;
    case CT_UPPER_HALF:
      sphere_between(gl, slices, stacks / 2, 0, PI / 2);
      break;
    case CT_LOWER_HALF:
      sphere_between(gl, slices, stacks / 2, -PI / 2, 0);
      break;
    case CT_CYLINDER:
      disc_at(gl, slices, 1, 1);
      disc_at(gl, slices, -1, -1);
      side_between(gl, slices, stacks, tube);
      break;
    case CT_TUBE:
      side_between(gl, slices, stacks, tube);
      break;
    case CT_CONE:
      side_between(gl, slices, stacks, cone);
      disc_at(gl, slices, 0, -1);
      break;
    case CT_BOX:
      box(gl, vis->quality.numquads);
      break;
    default:
      haze_ring(gl, vis, slices);
  }
}

void ct_make_builtins(const ct_GL* gl, const mjModel* m, mjrContext* con) {
  con->rangeBuiltin = CT_NBUILTIN;
  con->baseBuiltin = gl->GenLists(CT_NBUILTIN);
  for (int i = 0; i < CT_NBUILTIN; i++) {
    gl->NewList(con->baseBuiltin + (unsigned)i, GL_COMPILE);
    builtin(gl, &m->vis, (ct_Builtin)i);
    gl->EndList();
  }
}

// Planes

// Lines of the grid of a plane along one axis: from the middle outwards with even spacing, the last
// strip on each side as wide as what is left. Returns how many.
static int grid_lines(const mjModel* m, int geom, int k, float line[mjMAXPLANEGRID + 2]) {
  double half = (double)m->geom_size[3 * geom + k], spacing = (double)m->geom_size[3 * geom + 2];
  int n = 0;
  if (half <= 0) {
    // infinite: as far as the eye sees, and two repeats of its texture or grid
    double zfar = (double)(m->vis.map.zfar * m->stat.extent),
           step = 2.1 * zfar / (mjMAXPLANEGRID - 2);
    int material = m->geom_matid[geom];
    if (material >= 0 && m->mat_texrepeat[2 * material + k] > 0) {
      step = 2 / (double)m->mat_texrepeat[2 * material + k];
    }
    double width = 2.1 * zfar + 2 * step;
    for (; n <= mjMAXPLANEGRID; n++) line[n] = (float)(-width / 2 + width * n / mjMAXPLANEGRID);
    return n;
  }
  double least = half / (mjMAXPLANEGRID - 2), quad = 2 * (spacing > least ? spacing : least);
  int inside = (int)floor(half / quad);
  if (inside * quad < half) line[n++] = (float)-half;
  for (int i = -inside; i <= inside && n <= mjMAXPLANEGRID; i++) line[n++] = (float)(i * quad);
  if (inside * quad < half) line[n++] = (float)half;
  return n;
}

static void plane(const ct_GL* gl, const mjModel* m, int geom) {
  float x[mjMAXPLANEGRID + 2], y[mjMAXPLANEGRID + 2];
  int nx = grid_lines(m, geom, 0, x), ny = grid_lines(m, geom, 1, y);
  gl->Begin(GL_QUADS);
  gl->Normal3f(0, 0, 1);
  for (int i = 0; i + 1 < nx; i++) {
    for (int j = 0; j + 1 < ny; j++) {
      gl->Vertex3f(x[i], y[j], 0);
      gl->Vertex3f(x[i + 1], y[j], 0);
      gl->Vertex3f(x[i + 1], y[j + 1], 0);
      gl->Vertex3f(x[i], y[j + 1], 0);
    }
  }
  gl->End();
}

// The last list is a square of unit size, for planes that users add.
void ct_make_planes(const ct_GL* gl, const mjModel* m, mjrContext* con) {
  int n = 0;
  for (int i = 0; i < m->ngeom; i++) n += m->geom_type[i] == mjGEOM_PLANE;
  con->rangePlane = n + 1;
  con->basePlane = gl->GenLists(con->rangePlane);
  unsigned list = con->basePlane;
  for (int i = 0; i < m->ngeom; i++) {
    if (m->geom_type[i] != mjGEOM_PLANE) continue;
    gl->NewList(list++, GL_COMPILE);
    plane(gl, m, i);
    gl->EndList();
  }
  gl->NewList(list, GL_COMPILE);
  gl->Begin(GL_QUADS);
  gl->Normal3f(0, 0, 1);
  const float corner[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
  for (int k = 0; k < 4; k++) gl->Vertex3f(corner[k][0], corner[k][1], 0);
  gl->End();
  gl->EndList();
}

// Meshes

static void cross_of_face(const float* a, const float* b, const float* c, float n[3]) {
  float u[3], v[3];
  for (int i = 0; i < 3; i++) {
    u[i] = b[i] - a[i];
    v[i] = c[i] - a[i];
  }
  n[0] = u[1] * v[2] - u[2] * v[1];
  n[1] = u[2] * v[0] - u[0] * v[2];
  n[2] = u[0] * v[1] - u[1] * v[0];
  float length = sqrtf(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
  for (int i = 0; length > 0 && i < 3; i++) n[i] /= length;
}

// Triangles of a mesh as arrays of corners. A stored normal that is far from that of the face
// belongs to an edge that is meant to be sharp, unless the mesh has been unwrapped with care.
static void mesh_triangles(const ct_GL* gl, const mjModel* m, int mesh) {
  const float* vert = m->mesh_vert + 3 * m->mesh_vertadr[mesh];
  const float* normal = m->mesh_normal + 3 * m->mesh_normaladr[mesh];
  int texadr = m->mesh_texcoordadr[mesh], count = m->mesh_facenum[mesh];
  size_t corners = 3 * (size_t)count, floats = 8 * (corners + 1);
  float* buffer = (float*)mju_malloc(floats * sizeof(float));
  if (!buffer) return;
  float *v = buffer, *n = v + 3 * corners, *t = n + 3 * corners;
  memset(buffer, 0, floats * sizeof(float));
  for (int f = 0; f < count; f++) {
    const int* face = m->mesh_face + 3 * (m->mesh_faceadr[mesh] + f);
    const int* face_normal = m->mesh_facenormal + 3 * (m->mesh_faceadr[mesh] + f);
    const int* face_texcoord = m->mesh_facetexcoord + 3 * (m->mesh_faceadr[mesh] + f);
    float flat[3];
    cross_of_face(vert + 3 * face[0], vert + 3 * face[1], vert + 3 * face[2], flat);
    for (int k = 0; k < 3; k++) {
      size_t at = 3 * (size_t)f + (size_t)k;
      const float* own = face_normal[k] >= 0 ? normal + 3 * face_normal[k] : flat;
      float cosine = own[0] * flat[0] + own[1] * flat[1] + own[2] * flat[2];
      memcpy(v + 3 * at, vert + 3 * face[k], 3 * sizeof(float));
      memcpy(n + 3 * at, texadr < 0 && cosine < 0.8f ? flat : own, 3 * sizeof(float));
      if (texadr < 0 || face_texcoord[k] < 0) continue;
      memcpy(t + 2 * at, m->mesh_texcoord + 2 * (texadr + face_texcoord[k]), 2 * sizeof(float));
    }
  }
  gl->EnableClientState(GL_VERTEX_ARRAY);
  gl->EnableClientState(GL_NORMAL_ARRAY);
  gl->VertexPointer(3, GL_FLOAT, 0, v);
  gl->NormalPointer(GL_FLOAT, 0, n);
  if (texadr >= 0) {
    gl->EnableClientState(GL_TEXTURE_COORD_ARRAY);
    gl->TexCoordPointer(2, GL_FLOAT, 0, t);
  }
  gl->DrawArrays(GL_TRIANGLES, 0, (int)corners);
  gl->DisableClientState(GL_TEXTURE_COORD_ARRAY);
  gl->DisableClientState(GL_NORMAL_ARRAY);
  gl->DisableClientState(GL_VERTEX_ARRAY);
  mju_free(buffer);
}

// mesh_graph: vertices, faces, starts of edges (vertices), ids of vertices (vertices), edges
// (vertices + 3 faces), corners of faces (3 faces)
static void hull_triangles(const ct_GL* gl, const mjModel* m, int mesh) {
  if (m->mesh_graphadr[mesh] < 0) return;
  const int* graph = m->mesh_graph + m->mesh_graphadr[mesh];
  int nvert = graph[0], nface = graph[1];
  const int* face = graph + 2 + 3 * nvert + 3 * nface;
  const float* vert = m->mesh_vert + 3 * m->mesh_vertadr[mesh];
  gl->Begin(GL_TRIANGLES);
  for (int f = 0; f < nface; f++, face += 3) {
    put_flat(gl, vert + 3 * face[0], vert + 3 * face[1], vert + 3 * face[2]);
  }
  gl->End();
}

void ct_make_mesh(const ct_GL* gl, const mjModel* m, const mjrContext* con, int mesh) {
  unsigned list = con->baseMesh + 2 * (unsigned)mesh;
  gl->NewList(list, GL_COMPILE);
  mesh_triangles(gl, m, mesh);
  gl->EndList();
  gl->NewList(list + 1, GL_COMPILE);
  hull_triangles(gl, m, mesh);
  gl->EndList();
}

// Height fields

typedef struct Field_ {
  int rows, columns;
  float size[4];
  const float* data;
} Field;

static void field_point(const Field* f, int r, int c, float v[3]) {
  v[0] = f->size[0] * (2 * (float)c / (float)(f->columns - 1) - 1);
  v[1] = f->size[1] * (2 * (float)r / (float)(f->rows - 1) - 1);
  v[2] = f->size[2] * f->data[r * f->columns + c];
}

// A piece of a wall under the edge from one sample to the next.
static void field_wall(const ct_GL* gl, const Field* f, int r0, int c0, int r1, int c1) {
  float a[3], b[3];
  field_point(f, r0, c0, a);
  field_point(f, r1, c1, b);
  const float low_a[3] = {a[0], a[1], -f->size[3]}, low_b[3] = {b[0], b[1], -f->size[3]};
  put_flat(gl, a, low_a, low_b);
  put_flat(gl, a, low_b, b);
}

void ct_make_height_field(const ct_GL* gl, const mjModel* m, const mjrContext* con, int hfield) {
  Field f;
  f.rows = m->hfield_nrow[hfield];
  f.columns = m->hfield_ncol[hfield];
  f.data = m->hfield_data + m->hfield_adr[hfield];
  for (int i = 0; i < 4; i++) f.size[i] = (float)m->hfield_size[4 * hfield + i];
  gl->NewList(con->baseHField + (unsigned)hfield, GL_COMPILE);
  gl->Begin(GL_TRIANGLES);
  for (int r = 0; r < f.rows - 1; r++) {
    for (int c = 0; c < f.columns - 1; c++) {
      float p[4][3];
      field_point(&f, r, c, p[0]);
      field_point(&f, r, c + 1, p[1]);
      field_point(&f, r + 1, c + 1, p[2]);
      field_point(&f, r + 1, c, p[3]);
      put_flat(gl, p[0], p[1], p[2]);
      put_flat(gl, p[0], p[2], p[3]);
    }
  }
  for (int r = 0; r < f.rows - 1; r++) {
    field_wall(gl, &f, r + 1, 0, r, 0);
    field_wall(gl, &f, r, f.columns - 1, r + 1, f.columns - 1);
  }
  for (int c = 0; c < f.columns - 1; c++) {
    field_wall(gl, &f, 0, c, 0, c + 1);
    field_wall(gl, &f, f.rows - 1, c + 1, f.rows - 1, c);
  }
  const float x = f.size[0], y = f.size[1], z = -f.size[3];
  const float corner[4][3] = {{-x, -y, z}, {-x, y, z}, {x, y, z}, {x, -y, z}};
  put_flat(gl, corner[0], corner[1], corner[2]);
  put_flat(gl, corner[0], corner[2], corner[3]);
  gl->End();
  gl->EndList();
}
