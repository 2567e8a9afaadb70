// Elasticity of flexes at rest: what becomes of Young's modulus E and Poisson's ratio nu.
//
//   elements   St. Venant-Kirchhoff energy, written in squared lengths of edges: 1/2 s'Ks, with
//              K[a][b] = mu tr(B_a B_b) + la tr(B_a) tr(B_b), where the symmetric matrix B_e is the
//              strain that edge e alone makes by growing
//   edges      bending of the two triangles beside an edge: a quadratic form in four vertices,
//              made of cotangents, and a term for curvature at rest
//   nodes      minus the stiffness of a block of hexahedral shape, linear in the displacements of 8
//              or 27 control points

#include <math.h>
#include <string.h>

#include "compile/flex_arrays.h"
#include "spec/flex_material.h"
#include "spec/pose.h"

static void between(double res[3], const double* to, const double* from) {
  for (int k = 0; k < 3; k++) res[k] = to[k] - from[k];
}

// res = (a b' + b a') scale
static void symmetric_product(double res[9], const double a[3], const double b[3], double scale) {
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++) res[3 * i + j] = (a[i] * b[j] + b[i] * a[j]) * scale;
  }
}

// Elements

typedef struct {
  double volume;  // or area
  double basis[6][9];
} Strain;

static bool triangle_strain(Strain* s, const double* x[4]) {
  static const int other[3][2] = {{1, 2}, {2, 0}, {0, 1}};  // the other two edges
  double a[3], b[3], cross[3];
  between(a, x[1], x[0]);
  between(b, x[2], x[0]);
  ct_cross64(cross, a, b);
  s->volume = ct_normalize64(cross, 3) / 2;
  if (s->volume == 0) return false;
  for (int e = 0; e < 3; e++) {
    const int *left = ct_flex_local_edge(2, other[e][0]),
              *right = ct_flex_local_edge(2, other[e][1]);
    double l[3], r[3], n[3], bl[3], br[3];
    between(l, x[left[0]], x[left[1]]);
    between(r, x[right[1]], x[right[0]]);
    ct_cross64(n, r, l);
    ct_normalize64(n, 3);
    ct_cross64(bl, n, l);
    ct_cross64(br, r, n);
    symmetric_product(s->basis[e], bl, br, 1 / (8 * s->volume * s->volume));
  }
  return true;
}

static bool tetrahedron_strain(Strain* s, const double* x[4]) {
  static const int face[4][3] = {{2, 1, 0}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}};
  static const int beside[6][2] = {{2, 3}, {1, 3}, {2, 1}, {1, 0}, {0, 2}, {0, 3}};
  double a[3], b[3], d[3], normal[4][3];
  between(a, x[1], x[0]);
  between(b, x[2], x[0]);
  between(d, x[3], x[0]);
  ct_cross64(normal[0], a, b);
  s->volume = ct_dot64(normal[0], d) / 6;
  if (s->volume == 0) return false;
  for (int i = 0; i < 4; i++) {
    between(a, x[face[i][1]], x[face[i][0]]);
    between(b, x[face[i][2]], x[face[i][0]]);
    ct_cross64(normal[i], a, b);
  }
  for (int e = 0; e < 6; e++) {
    symmetric_product(s->basis[e], normal[beside[e][0]], normal[beside[e][1]],
                      1 / (72 * s->volume * s->volume));
  }
  return true;
}

static double trace_of_product(const double a[9], const double b[9]) {
  double sum = 0;
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++) sum += a[3 * i + j] * b[3 * j + i];
  }
  return sum;
}

static double trace(const double a[9]) {
  return a[0] + a[4] + a[8];
}

// Upper triangle of K, row by row.
static void store_stiffness(double* k, const Strain* s, int sides, double mu, double la) {
  for (int e1 = 0; e1 < sides; e1++) {
    for (int e2 = e1; e2 < sides; e2++) {
      *k++ = mu * trace_of_product(s->basis[e1], s->basis[e2]) +
             la * trace(s->basis[e2]) * trace(s->basis[e1]);
    }
  }
}

void ct_flex_elements_stiffness(ct_Compiler* c, const ct_WorkFlex* w) {
  ct_FlexArrays* f = w->arrays;
  const mjsFlex* v = &w->v;
  int width = f->dim + 1;
  double shear = v->young / (2 * (1 + v->poisson));
  double lame = v->young * v->poisson / ((1 + v->poisson) * (1 - 2 * v->poisson));
  f->stiffness =
      (double*)ct_pool_array(&c->pool, (size_t)f->nelem, CT_FLEX_STIFFNESS * sizeof(double));
  bool stretches = ct_flex_stretches(v) && v->thickness > 0;
  if (!(v->young > 0) || f->dim == 1 || (f->dim == 2 && !stretches)) return;
  for (int i = 0; i < f->nelem; i++) {
    const double* x[4] = {NULL, NULL, NULL, NULL};
    for (int k = 0; k < width; k++) x[k] = f->vert_world + 3 * f->elem[width * i + k];
    Strain strain;
    bool sound = f->dim == 2 ? triangle_strain(&strain, x) : tetrahedron_strain(&strain, x);
    if (!sound) {
      ct_fail(c, w->head.element, "element %d has no %s, so it cannot be elastic", i,
              f->dim == 2 ? "area" : "volume");
    }
    double share = fabs(strain.volume) / 4 * (f->dim == 2 ? v->thickness : 4);
    store_stiffness(f->stiffness + CT_FLEX_STIFFNESS * i, &strain, ct_flex_element_edges(f->dim),
                    shear * share, lame * share);
  }
}

// Bending

// Cotangent of the angle at p between q and r.
static double cotangent(const double* p, const double* q, const double* r) {
  double a[3], b[3], cross[3];
  between(a, q, p);
  between(b, r, p);
  ct_cross64(cross, a, b);
  return ct_dot64(a, b) / sqrt(ct_dot64(cross, cross));
}

static double triangle_area(const double* p, const double* q, const double* r) {
  double a[3], b[3], cross[3];
  between(a, q, p);
  between(b, r, p);
  ct_cross64(cross, a, b);
  return sqrt(ct_dot64(cross, cross)) / 2;
}

// The direction of the height from the edge a b to an apex, as long as the edge: cotangents of the
// angles at a and b divide the edge as the foot of the height does.
static void height_over_edge(double res[3], const double* a, const double* b, const double* apex,
                             double cotangent_a, double cotangent_b) {
  for (int k = 0; k < 3; k++) {
    res[k] = -(cotangent_b * (apex[k] - a[k]) + cotangent_a * (apex[k] - b[k]));
  }
}

// Vertices a, b of the edge and c, d opposite it.
static void bend(double* row, const double* x[4], double mu, double thickness) {
  const double *a = x[0], *b = x[1], *c = x[2], *d = x[3];
  // cotangents of the angles at both ends, in the triangle with c and in that with d
  double ac = cotangent(a, b, c), ad = cotangent(a, d, b);
  double bc = cotangent(b, c, a), bd = cotangent(b, a, d);
  double weight[4] = {bc + bd, ac + ad, -(ac + bc), -(ad + bd)};
  double area = triangle_area(a, b, c) + triangle_area(b, a, d);
  double stiffness = 3 * mu * (thickness * thickness * thickness) / (24 * area);

  // the angle between the triangles at rest
  double edge[3], to_c[3], to_d[3], height_c[3], height_d[3];
  between(edge, b, a);
  between(to_c, c, a);
  between(to_d, d, a);
  height_over_edge(height_c, a, b, c, ac, bc);
  height_over_edge(height_d, a, b, d, ad, bd);
  double square = ct_dot64(edge, edge), length = sqrt(square);
  double cosine = -ct_dot64(height_c, height_d) / square;
  for (int i = 0; i < 4; i++) {
    for (int j = 0; j < 4; j++) row[4 * i + j] = weight[i] * weight[j] * cosine * stiffness;
  }
  double cross[3];
  ct_cross64(cross, edge, to_c);
  row[16] = ct_dot64(cross, to_d) * (ac - bc) * (bd - ad) * stiffness / (square * length);
}

// The angle between the triangles at rest, and how much it resists: soft/bending.c derives it. An
// edge that bends by its angle is told by a row that starts with 0 and goes on with something else,
// as products of weights never do.
static void bend_by_angle(double* row, const double* x[4], double young, double thickness) {
  double edge[3], to_c[3], to_d[3], normal_c[3], normal_d[3], cross[3];
  between(edge, x[1], x[0]);
  between(to_c, x[2], x[0]);
  between(to_d, x[3], x[0]);
  ct_cross64(normal_c, edge, to_c);
  ct_cross64(normal_d, to_d, edge);
  ct_cross64(cross, normal_c, normal_d);
  double square = ct_dot64(edge, edge);
  double area = triangle_area(x[0], x[1], x[2]) + triangle_area(x[1], x[0], x[3]);
  row[1] = 9.0 / 8 * young * (thickness * thickness * thickness) / 12 * square / area;
  row[2] = atan2(ct_dot64(edge, cross) / sqrt(square), ct_dot64(normal_c, normal_d));
}

void ct_flex_edges_bending(ct_Compiler* c, const ct_WorkFlex* w) {
  ct_FlexArrays* f = w->arrays;
  const mjsFlex* v = &w->v;
  f->bending = (double*)ct_pool_array(&c->pool, (size_t)f->nedge, CT_FLEX_BENDING * sizeof(double));
  if (f->dim != 2 || !ct_flex_bends(v) || !(v->young > 0)) return;
  double mu = v->young / (2 * (1 + v->poisson));
  for (int i = 0; i < f->nedge; i++) {
    bool by_angle = ct_flex_bends_by_angle(v);
    const int *edge = (by_angle ? f->edge : f->edge_order) + 2 * i, *flap = f->flap + 2 * i;
    if (flap[1] < 0) continue;
    const double* x[4] = {f->vert_world + 3 * edge[0], f->vert_world + 3 * edge[1],
                          f->vert_world + 3 * flap[0], f->vert_world + 3 * flap[1]};
    double* row = f->bending + CT_FLEX_BENDING * i;
    if (by_angle) {
      bend_by_angle(row, x, v->young, v->thickness);
    } else {
      bend(row, x, mu, v->thickness);
    }
    if (!isfinite(row[0]) || !isfinite(row[1])) {
      ct_fail(c, w->head.element, "a triangle between vertices %d and %d has no area to bend",
              edge[0], edge[1]);
    }
  }
}

// Nodes

typedef struct {  // of an interval from 0 to 1
  int count;
  double point[3], weight[3];
} Quadrature;

// Oddity of the reference: the outer points of the second order lie outside of the interval,
// because it divides where it should multiply.
static Quadrature quadrature(int order) {
  Quadrature q = {0};
  q.count = order + 1;
  if (order == 1) {
    q.point[0] = 0.5 - 0.5 / sqrt(3.0);
    q.point[1] = 0.5 + 0.5 / sqrt(3.0);
    q.weight[0] = q.weight[1] = 0.5;
  } else {
    q.point[0] = 0.5 - 0.5 / sqrt(0.6);
    q.point[1] = 0.5;
    q.point[2] = 0.5 + 0.5 / sqrt(0.6);
    q.weight[0] = q.weight[2] = 5.0 / 18;
    q.weight[1] = 4.0 / 9;
  }
  return q;
}

static double basis(double s, int i, int order) {
  if (order == 1) return i == 0 ? 1 - s : s;
  return i == 0 ? 2 * s * s - 3 * s + 1 : i == 1 ? 4 * (s - s * s) : 2 * s * s - s;
}

static double basis_slope(double s, int i, int order) {
  if (order == 1) return i == 0 ? -1 : 1;
  return i == 0 ? 4 * s - 3 : i == 1 ? 4 * (1 - 2 * s) : 4 * s - 1;
}

// Gradients of all basis functions at a point, per length.
static void gradients(double (*g)[3], const double at[3], int order, const double side[3]) {
  int n = order + 1;
  for (int i = 0; i < n * n * n; i++) {
    int index[3] = {i / (n * n), i / n % n, i % n};
    for (int axis = 0; axis < 3; axis++) {
      double product = 1;
      for (int k = 0; k < 3; k++) {
        product *= k == axis ? basis_slope(at[k], index[k], order) : basis(at[k], index[k], order);
      }
      g[i][axis] = product / side[axis];
    }
  }
}

static void add_point(double* stiffness, int n, double (*g)[3], double la, double mu) {
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) {
      double dot = ct_dot64(g[i], g[j]);
      for (int k = 0; k < 3; k++) {
        for (int l = 0; l < 3; l++) {
          double shear = g[i][l] * g[j][k] + (k == l ? dot : 0);
          stiffness[(3 * i + k) * 3 * n + 3 * j + l] -= la * g[i][k] * g[j][l] + mu / 2 * shear;
        }
      }
    }
  }
}

// The matrix stands where the elements' numbers would, from the first on.
void ct_flex_nodes_stiffness(ct_Compiler* c, const ct_WorkFlex* w) {
  enum { MOST_NODES = 27 };
  ct_FlexArrays* f = w->arrays;
  const mjsFlex* v = &w->v;
  size_t room = (size_t)f->nelem * CT_FLEX_STIFFNESS, size = 9 * (size_t)(f->nnode * f->nnode);
  f->stiffness = (double*)ct_pool_array(&c->pool, room > size ? room : size, sizeof(double));
  if (!(v->young > 0)) return;
  double la = v->young * v->poisson / ((1 + v->poisson) * (1 - 2 * v->poisson));
  double mu = v->young / (2 * (1 + v->poisson));
  double side[3], volume = 1;
  between(side, f->node_world + 3 * (f->nnode - 1), f->node_world);
  for (int k = 0; k < 3; k++) volume *= side[k];
  if (volume == 0) {
    ct_fail(c, w->head.element,
            "its control points lie in a plane; elasticity needs a box with a volume");
  }
  Quadrature q = quadrature(f->order);
  for (int i = 0; i < q.count * q.count * q.count; i++) {
    int index[3] = {i / (q.count * q.count), i / q.count % q.count, i % q.count};
    double at[3], weight = volume, g[MOST_NODES][3];
    for (int k = 0; k < 3; k++) {
      at[k] = q.point[index[k]];
      weight *= q.weight[index[k]];
    }
    gradients(g, at, f->order, side);
    add_point(f->stiffness, f->nnode, g, la * weight, mu * weight);
  }
}
