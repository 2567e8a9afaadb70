// Points and elements of flexes that counts and spacings describe: grids, and the surfaces of boxes
// that are bent into cylinders and ellipsoids, alone or with a point in the middle.
//
// The order of points and elements is that of the reference; x varies slowest.

#include <math.h>
#include <string.h>

#include "math/strict.h"
#include "mjcf/flexcomp.h"
#include "spec/pose.h"

// Share of the way along an axis.
static double share(const ct_Flexcomp* comp, int i, int axis) {
  int last = comp->count[axis] - 1;
  return (double)i / (last > 0 ? last : 1);
}

// Texture coordinates follow two of the indices, if there is a material to show.
static void add_texcoord(ct_Reader* r, ct_Flexcomp* comp, bool wanted, const int at[3], int axis_u,
                         int axis_v) {
  if (!wanted) return;
  ct_flexcomp_add_texcoord(r, comp, share(comp, at[axis_u], axis_u),
                           share(comp, at[axis_v], axis_v));
}

static bool wants_texcoord(const ct_Flexcomp* comp) {
  return !comp->ntexcoord && ct_text(comp->flex.material)[0];
}

static void grid_point(const ct_Flexcomp* comp, const int at[3], double point[3]) {
  for (int k = 0; k < 3; k++) {
    point[k] = k < comp->flex.dim ? comp->spacing[k] * (at[k] - 0.5 * (comp->count[k] - 1)) : 0;
  }
}

// Lines

static void make_line(ct_Reader* r, ct_Flexcomp* comp) {
  for (int i = 0; i < comp->count[0]; i++) {
    int at[3] = {i, 0, 0}, pair[2] = {i, i + 1};
    double point[3];
    grid_point(comp, at, point);
    ct_flexcomp_add_point(r, comp, point);
    if (i < comp->count[0] - 1) ct_flexcomp_add_element(r, comp, pair);
  }
}

// The first point is also the last.
static void make_circle(ct_Reader* r, ct_Flexcomp* comp) {
  int n = comp->count[0] - 1;
  if (n < 2) ct_refuse(r, comp->xml, "count", "a circle needs a first count of 3 or more");
  double angle = 2 * mjPI / n, sine, cosine;
  ct_sincos64(&sine, &cosine, angle / 2);
  double radius = comp->spacing[0] / sine / 2;
  for (int i = 0; i < n; i++) {
    ct_sincos64(&sine, &cosine, angle * i);
    double point[3] = {radius * cosine, radius * sine, 0};
    int pair[2] = {i, i + 1 < n ? i + 1 : 0};
    ct_flexcomp_add_point(r, comp, point);
    ct_flexcomp_add_element(r, comp, pair);
  }
}

// Sheets

// Are the triangles of a cell of a disc cut along its other diagonal?
static bool cut_otherwise(const ct_Flexcomp* comp, const double corner[3]) {
  const double eps = CT_COMPILER_EPS;
  double x = corner[0], y = corner[1];
  return comp->type == CT_FLEXCOMP_DISC && ((x < -eps && y > -eps) || (x > -eps && y < -eps));
}

static void add_cell(ct_Reader* r, ct_Flexcomp* comp, int ix, int iy, bool other) {
  int n = comp->count[1],
      v[4] = {ix * n + iy, (ix + 1) * n + iy, (ix + 1) * n + iy + 1, ix * n + iy + 1};
  int along[2][3] = {{v[0], v[1], v[2]}, {v[0], v[2], v[3]}};
  int across[2][3] = {{v[0], v[1], v[3]}, {v[1], v[2], v[3]}};
  for (int i = 0; i < 2; i++) ct_flexcomp_add_element(r, comp, other ? across[i] : along[i]);
}

// Moves the points of squares around the origin onto circles. Oddity of the reference: the distance
// from the origin is multiplied by half the side, so the disc's radius is the square of it.
static void bend_to_disc(const ct_Flexcomp* comp, double point[3]) {
  double reach = fmax(fabs(point[0]), fabs(point[1]));
  ct_normalize64(point, 2);
  for (int k = 0; k < 2; k++) point[k] *= 0.5 * comp->spacing[k] * (comp->count[k] - 1) * reach;
}

static void make_sheet(ct_Reader* r, ct_Flexcomp* comp) {
  const int* n = comp->count;
  bool textured = wants_texcoord(comp);
  for (int ix = 0; ix < n[0]; ix++) {
    for (int iy = 0; iy < n[1]; iy++) {
      int at[3] = {ix, iy, 0};
      double point[3];
      grid_point(comp, at, point);
      ct_flexcomp_add_point(r, comp, point);
      add_texcoord(r, comp, textured, at, 0, 1);
      if (ix < n[0] - 1 && iy < n[1] - 1) add_cell(r, comp, ix, iy, cut_otherwise(comp, point));
    }
  }
  for (int i = 0; comp->type == CT_FLEXCOMP_DISC && i < comp->npoint; i++) {
    bend_to_disc(comp, comp->point + 3 * i);
  }
}

// Solid grids

// Six tetrahedra around the diagonal of a cell. Corners: 0 to 3 around the lower face, 4 to 7
// above.
static void add_solid_cell(ct_Reader* r, ct_Flexcomp* comp, const int at[3]) {
  static const int corner[8][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0},
                                   {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}};
  static const int cut[6][4] = {{0, 3, 1, 7}, {0, 1, 4, 7}, {1, 3, 2, 7},
                                {1, 2, 6, 7}, {1, 5, 4, 7}, {1, 6, 5, 7}};
  const int* n = comp->count;
  for (int i = 0; i < 6; i++) {
    int vertex[4];
    for (int k = 0; k < 4; k++) {
      const int* step = corner[cut[i][k]];
      vertex[k] = ((at[0] + step[0]) * n[1] + at[1] + step[1]) * n[2] + at[2] + step[2];
    }
    ct_flexcomp_add_element(r, comp, vertex);
  }
}

static void make_solid(ct_Reader* r, ct_Flexcomp* comp) {
  const int* n = comp->count;
  bool textured = wants_texcoord(comp);
  int at[3];
  for (at[0] = 0; at[0] < n[0]; at[0]++) {
    for (at[1] = 0; at[1] < n[1]; at[1]++) {
      for (at[2] = 0; at[2] < n[2]; at[2]++) {
        double point[3];
        grid_point(comp, at, point);
        ct_flexcomp_add_point(r, comp, point);
        add_texcoord(r, comp, textured, at, 0, 1);
        if (at[0] < n[0] - 1 && at[1] < n[1] - 1 && at[2] < n[2] - 1) add_solid_cell(r, comp, at);
      }
    }
  }
}

// Surfaces
//
// Six faces in three pairs: first those across z, then y, then x. A point on several faces belongs
// to the first of them. Sheets have no upper face across z, and no point in the middle.

typedef struct {
  ct_Reader* r;
  ct_Flexcomp* comp;
  int* number;  // of the point at an index; -1: none yet
  bool textured;
} Surface;

static int* number_at(const Surface* s, const int at[3]) {
  const int* n = s->comp->count;
  return &s->number[((size_t)at[0] * (size_t)n[1] + (size_t)at[1]) * (size_t)n[2] + (size_t)at[2]];
}

static void surface_point(const ct_Flexcomp* comp, const int at[3], double point[3]) {
  for (int k = 0; k < 3; k++) point[k] = 2.0 * at[k] / (comp->count[k] - 1) - 1;
  double reach = fmax(fabs(point[0]), fabs(point[1]));
  if (comp->type == CT_FLEXCOMP_CYLINDER) {
    ct_normalize64(point, 2);
    point[0] *= reach;
    point[1] *= reach;
  }
  if (comp->type == CT_FLEXCOMP_ELLIPSOID) ct_normalize64(point, 3);
  for (int k = 0; k < 3; k++) point[k] *= 0.5 * comp->spacing[k] * (comp->count[k] - 1);
}

// The two axes of a face, the outer of the loops first.
static void axes_of_face(int across, int axis[2]) {
  axis[0] = across == 0 ? 1 : 0;
  axis[1] = across == 2 ? 1 : 2;
}

static bool is_open(const Surface* s, int across, int side) {
  return s->comp->flex.dim == 2 && across == 2 && side == 1;
}

static void add_face_points(Surface* s, int across, int side) {
  const int* n = s->comp->count;
  int axis[2], at[3];
  axes_of_face(across, axis);
  at[across] = side ? n[across] - 1 : 0;
  for (int a = 0; a < n[axis[0]]; a++) {
    for (int b = 0; b < n[axis[1]]; b++) {
      at[axis[0]] = a;
      at[axis[1]] = b;
      int* number = number_at(s, at);
      if (*number >= 0) continue;
      double point[3];
      *number = s->comp->npoint;
      surface_point(s->comp, at, point);
      ct_flexcomp_add_point(s->r, s->comp, point);
      add_texcoord(s->r, s->comp, s->textured, at, axis[0], axis[1]);
    }
  }
}

// Tetrahedra between a cell and the middle.
static void add_pyramids(const Surface* s, const int cell[2][2]) {
  int first[4] = {0, cell[0][0], cell[1][0], cell[1][1]};
  int second[4] = {0, cell[0][0], cell[0][1], cell[1][1]};
  ct_flexcomp_add_element(s->r, s->comp, first);
  ct_flexcomp_add_element(s->r, s->comp, second);
}

// Triangles of a cell of a sheet, seen from outside.
static void add_triangles(const Surface* s, int across, int side, const int cell[2][2]) {
  bool swapped = across == 1 ? side == 1 : side == 0;
  int near = swapped ? 1 : 0, far = 1 - near;
  int first[3] = {cell[near][0], cell[far][0], cell[far][1]};
  int second[3] = {cell[near][0], cell[far][1], cell[near][1]};
  if (across == 2) {
    int below[2][3] = {{cell[0][0], cell[1][1], cell[1][0]}, {cell[0][0], cell[0][1], cell[1][1]}};
    memcpy(first, below[0], sizeof(first));
    memcpy(second, below[1], sizeof(second));
  }
  ct_flexcomp_add_element(s->r, s->comp, first);
  ct_flexcomp_add_element(s->r, s->comp, second);
}

static void add_face_elements(const Surface* s, int across, int side) {
  const int* n = s->comp->count;
  int axis[2], at[3], cell[2][2];
  axes_of_face(across, axis);
  at[across] = side ? n[across] - 1 : 0;
  for (int a = 0; a < n[axis[0]] - 1; a++) {
    for (int b = 0; b < n[axis[1]] - 1; b++) {
      for (int k = 0; k < 4; k++) {
        at[axis[0]] = a + k / 2;
        at[axis[1]] = b + k % 2;
        cell[k / 2][k % 2] = *number_at(s, at);
      }
      if (s->comp->flex.dim == 3) {
        add_pyramids(s, cell);
      } else {
        add_triangles(s, across, side, cell);
      }
    }
  }
}

static void make_surface(ct_Reader* r, ct_Flexcomp* comp) {
  const int* n = comp->count;
  size_t all = (size_t)n[0] * (size_t)n[1] * (size_t)n[2];
  Surface s = {r, comp, (int*)ct_pool_array(&r->pool, all, sizeof(int)), wants_texcoord(comp)};
  for (size_t i = 0; i < all; i++) s.number[i] = -1;
  if (comp->flex.dim == 1)
    ct_refuse(r, comp->xml, "dim", "surfaces of boxes, cylinders and ellipsoids have dim 2 or 3");
  if (comp->flex.dim == 3) {
    double middle[3] = {0, 0, 0};
    ct_flexcomp_add_point(r, comp, middle);
    if (s.textured) ct_flexcomp_add_texcoord(r, comp, 0, 0);
  }
  for (int across = 2; across >= 0; across--) {
    for (int side = 0; side < 2; side++) {
      if (!is_open(&s, across, side)) add_face_points(&s, across, side);
    }
  }
  for (int across = 2; across >= 0; across--) {
    for (int side = 0; side < 2; side++) {
      if (!is_open(&s, across, side)) add_face_elements(&s, across, side);
    }
  }
}

void ct_flexcomp_make_points(ct_Reader* r, ct_Flexcomp* comp) {
  bool hollow = comp->type >= CT_FLEXCOMP_BOX && comp->type <= CT_FLEXCOMP_ELLIPSOID;
  if (hollow) {
    make_surface(r, comp);
  } else if (comp->flex.dim == 1) {
    if (comp->type == CT_FLEXCOMP_CIRCLE) {
      make_circle(r, comp);
    } else {
      make_line(r, comp);
    }
  } else if (comp->flex.dim == 2) {
    make_sheet(r, comp);
  } else {
    make_solid(r, comp);
  }
  bool faceted = comp->type == CT_FLEXCOMP_BOX || comp->type == CT_FLEXCOMP_CYLINDER ||
                 (comp->type == CT_FLEXCOMP_GRID && comp->flex.dim == 3);
  if (faceted) comp->flex.flatskin = 1;
}
