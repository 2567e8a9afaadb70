// The skin around a cable of boxes: a closed strip of two sides, pulled along by the bodies.
//
// Bones stand in a grid, along the cable (x) and across it (y); every bone is a body, bound at a
// point across it. Without points in between, each bone pulls the two vertices at its place. With
// a subgrid, the surface between four bones is a bicubic Hermite patch: positions at the corners
// are those of the bones, slopes are differences of neighbouring bones, so that 16 bones have
// weight in every vertex.

#include <string.h>

#include "mjcf/cable.h"
#include "spec/references.h"

enum { MOST_SKIN_VERTICES = 10000000 };

typedef struct {
  ct_Reader* r;
  const ct_Cable* cable;
  mjsSkin* skin;
  int nx, ny;      // bones along and across
  int between;     // points between two bones
  int cols, rows;  // vertices along and across, of one side
  int side;        // vertices of one side
} Strip;

// Vertices and faces

static void add_vertices(const Strip* s) {
  ct_vector_resize((ct_Vector*)s->skin->vert, (size_t)s->side * 6, sizeof(float));
  if (!s->cable->skin.texcoord) return;
  for (int k = 0; k < 2; k++) {
    for (int x = 0; x < s->cols; x++) {
      for (int y = 0; y < s->rows; y++) {
        float u = (float)x / (float)(s->cols - 1), v = (float)y / (float)(s->rows - 1);
        ct_vector_append((ct_Vector*)s->skin->texcoord, &u, sizeof(u));
        ct_vector_append((ct_Vector*)s->skin->texcoord, &v, sizeof(v));
      }
    }
  }
}

static void add_face(const Strip* s, int a, int b, int c) {
  int face[3] = {a, b, c};
  for (int i = 0; i < 3; i++) ct_vector_append((ct_Vector*)s->skin->face, &face[i], sizeof(int));
}

static int at(const Strip* s, int side, int x, int y) {
  return side * s->side + x * s->rows + y;
}

static void add_sides(const Strip* s) {
  for (int k = 0; k < 2; k++) {
    for (int x = 0; x < s->cols - 1; x++) {
      for (int y = 0; y < s->rows - 1; y++) {
        add_face(s, at(s, k, x, y), at(s, k, x + 1, y + k), at(s, k, x + 1, y + 1 - k));
        add_face(s, at(s, k, x, y), at(s, k, x + 1 - k, y + 1), at(s, k, x + k, y + 1));
      }
    }
  }
}

// Between the sides: along both edges, then across both ends.
static void add_rims(const Strip* s) {
  int e = s->rows - 1, z = s->cols - 1;
  for (int x = 0; x < z; x++) {
    add_face(s, at(s, 0, x, 0), at(s, 1, x + 1, 0), at(s, 0, x + 1, 0));
    add_face(s, at(s, 0, x, 0), at(s, 1, x, 0), at(s, 1, x + 1, 0));
  }
  for (int x = 0; x < z; x++) {
    add_face(s, at(s, 0, x, e), at(s, 0, x + 1, e), at(s, 1, x + 1, e));
    add_face(s, at(s, 0, x, e), at(s, 1, x + 1, e), at(s, 1, x, e));
  }
  for (int y = 0; y < e; y++) {
    add_face(s, at(s, 0, 0, y), at(s, 0, 0, y + 1), at(s, 1, 0, y + 1));
    add_face(s, at(s, 0, 0, y), at(s, 1, 0, y + 1), at(s, 1, 0, y));
  }
  for (int y = 0; y < e; y++) {
    add_face(s, at(s, 0, z, y), at(s, 1, z, y + 1), at(s, 0, z, y + 1));
    add_face(s, at(s, 0, z, y), at(s, 1, z, y), at(s, 1, z, y + 1));
  }
}

// Bones

// The last column of bones is bound at the far end of the last body.
static void add_bones(const Strip* s) {
  const mjsGeom* box = CT_VALUES(mjsGeom, s->cable->geom);
  const float quat[4] = {1, 0, 0, 0};
  for (int x = 0; x < s->nx; x++) {
    int body = x < s->nx - 2 ? x : s->nx - 2;
    for (int y = 0; y < s->ny; y++) {
      double across = y == 0 ? -box->size[1] : y == s->ny - 1 ? box->size[1] : 0;
      float pos[3] = {x == s->nx - 1 ? (float)(-2 * box->size[0]) : 0, (float)across, 0};
      ct_strings_append((ct_Vector*)s->skin->bodyname, ct_cable_name(s->r, s->cable, "B", body));
      for (int k = 0; k < 3; k++)
        ct_vector_append((ct_Vector*)s->skin->bindpos, &pos[k], sizeof(float));
      for (int k = 0; k < 4; k++)
        ct_vector_append((ct_Vector*)s->skin->bindquat, &quat[k], sizeof(float));
      ct_vectors_append((ct_Vector*)s->skin->vertid, NULL, 0, sizeof(int));
      ct_vectors_append((ct_Vector*)s->skin->vertweight, NULL, 0, sizeof(float));
    }
  }
}

// A bone pulls a vertex of both sides.
static void pull(const Strip* s, int x, int y, int vertex, float weight) {
  size_t bone = (size_t)(x * s->ny + y);
  ct_Vector* id = ct_vectors_at((const ct_Vector*)s->skin->vertid, bone);
  ct_Vector* weights = ct_vectors_at((const ct_Vector*)s->skin->vertweight, bone);
  for (int k = 0; k < 2; k++) {
    int v = vertex + k * s->side;
    ct_vector_append(id, &v, sizeof(int));
    ct_vector_append(weights, &weight, sizeof(float));
  }
}

static void pull_directly(const Strip* s) {
  for (int x = 0; x < s->nx; x++) {
    for (int y = 0; y < s->ny; y++) pull(s, x, y, x * s->ny + y, 1);
  }
}

// Bicubic patches
//
// f(x, y) = sum a_ij x^i y^j on the unit square. The coefficients a = W g follow from g: values,
// slopes along x, along y and along both, at the corners (0,0), (1,0), (1,1), (0,1). And g = D b
// follows from the bones b around, a 4 x 4 neighbourhood. Rounding is part of the result (weights
// of 1e-17 are entries, too), so products are formed in this order: (powers W) D, terms ascending,
// those whose left factor is zero left out.

enum { SIXTEEN = 16 };

static const int corner_x[4] = {0, 1, 1, 0}, corner_y[4] = {0, 0, 1, 1};
static const int slope_x[4] = {0, 1, 0, 1}, slope_y[4] = {0, 0, 1, 1};

static void hermite(double W[SIXTEEN][SIXTEEN]) {
  static const double H[4][4] = {{1, 0, 0, 0}, {0, 0, 1, 0}, {-3, 3, -2, -1}, {2, -2, 1, 1}};
  for (int i = 0; i < 4; i++) {
    for (int j = 0; j < 4; j++) {
      for (int d = 0; d < 4; d++) {
        for (int c = 0; c < 4; c++) {
          W[4 * i + j][4 * d + c] =
              H[i][corner_x[c] + 2 * slope_x[d]] * H[j][corner_y[c] + 2 * slope_y[d]];
        }
      }
    }
  }
}

// Weights of the bones -1, 0, 1, 2 in the value or slope at bone `corner`, 0 or 1, of a cell.
static void along(double weight[4], bool slope, int corner, bool first, bool last) {
  memset(weight, 0, 4 * sizeof(weight[0]));
  if (!slope) {
    weight[corner + 1] = 1;
  } else if ((corner == 0 && first) || (corner == 1 && last)) {
    weight[1] = -1;
    weight[2] = 1;
  } else {
    weight[corner] = -0.5;
    weight[corner + 2] = 0.5;
  }
}

static void differences(const Strip* s, int x, int y, double D[SIXTEEN][SIXTEEN]) {
  for (int d = 0; d < 4; d++) {
    for (int c = 0; c < 4; c++) {
      double wx[4], wy[4];
      along(wx, slope_x[d], corner_x[c], x == 0, x == s->nx - 2);
      along(wy, slope_y[d], corner_y[c], y == 0, y == s->ny - 2);
      for (int i = 0; i < SIXTEEN; i++) D[4 * d + c][i] = wx[i / 4] * wy[i % 4];
    }
  }
}

static void row_times(double res[SIXTEEN], const double row[SIXTEEN],
                      double matrix[SIXTEEN][SIXTEEN]) {
  memset(res, 0, SIXTEEN * sizeof(res[0]));
  for (int k = 0; k < SIXTEEN; k++) {
    if (row[k] == 0) continue;
    for (int i = 0; i < SIXTEEN; i++) res[i] += row[k] * matrix[k][i];
  }
}

static void powers(double row[SIXTEEN], double x, double y) {
  double px = 1;
  for (int i = 0; i < 4; i++, px *= x) {
    double py = 1;
    for (int j = 0; j < 4; j++, py *= y) row[4 * i + j] = px * py;
  }
}

static void pull_vertex(const Strip* s, int x, int y, int vertex, const double weight[SIXTEEN]) {
  for (int i = 0; i < SIXTEEN; i++) {
    if (weight[i] != 0) pull(s, x - 1 + i / 4, y - 1 + i % 4, vertex, (float)weight[i]);
  }
}

static void pull_cell(const Strip* s, double W[SIXTEEN][SIXTEEN], int x, int y) {
  double D[SIXTEEN][SIXTEEN], row[SIXTEEN], coefficients[SIXTEEN], weight[SIXTEEN];
  int step = s->between + 1;
  double part = 1.0 / step;
  differences(s, x, y, D);
  for (int dx = 0; dx < (x == s->nx - 2 ? step + 1 : step); dx++) {
    for (int dy = 0; dy < (y == s->ny - 2 ? step + 1 : step); dy++) {
      powers(row, dx * part, dy * part);
      row_times(coefficients, row, W);
      row_times(weight, coefficients, D);
      pull_vertex(s, x, y, at(s, 0, x * step + dx, y * step + dy), weight);
    }
  }
}

static void pull_smoothly(const Strip* s) {
  double W[SIXTEEN][SIXTEEN];
  hermite(W);
  for (int x = 0; x < s->nx - 1; x++) {
    for (int y = 0; y < s->ny - 1; y++) pull_cell(s, W, x, y);
  }
}

// The skin

static mjsSkin* add_skin(ct_Reader* r, const ct_Xml* xml, const ct_Cable* cable) {
  ct_Element* e = ct_add_in_spec(r->spec, mjOBJ_SKIN, NULL);
  ct_Rename rename = {cable->prefix, ""};
  ct_String name = {{0}};
  mjsSkin* skin = CT_VALUES(mjsSkin, e);
  e->file = xml->file->name;
  e->line = xml->line;
  ct_string_set(&name, "Skin");
  ct_rename(&name, &rename);
  ct_set_name(e, ct_string_get(&name));
  ct_string_free(&name);
  mjs_setString(skin->material, cable->skin.material);
  memcpy(skin->rgba, cable->skin.rgba, sizeof(skin->rgba));
  skin->group = cable->skin.group;
  skin->inflate = (float)(2 * CT_VALUES(mjsGeom, cable->geom)->size[2]);
  return skin;
}

void ct_make_cable_skin(ct_Reader* r, const ct_Xml* xml, const ct_Cable* cable) {
  Strip s = {r, cable, NULL, cable->count, 2, 0, 0, 0, 0};
  if (cable->skin.subgrid > 0) {
    s.between = cable->skin.subgrid;
    s.ny = 3;
  }
  double cols = s.nx + (s.nx - 1.0) * s.between, rows = s.ny + (s.ny - 1.0) * s.between;
  if (2 * cols * rows > MOST_SKIN_VERTICES) {
    ct_refuse(r, ct_first_child(xml, "skin"), "subgrid",
              "the skin would have %.0f vertices; %d is the most", 2 * cols * rows,
              MOST_SKIN_VERTICES);
  }
  s.cols = (int)cols;
  s.rows = (int)rows;
  s.side = s.cols * s.rows;
  s.skin = add_skin(r, xml, cable);
  add_vertices(&s);
  add_sides(&s);
  add_rims(&s);
  add_bones(&s);
  if (s.between) {
    pull_smoothly(&s);
  } else {
    pull_directly(&s);
  }
}
