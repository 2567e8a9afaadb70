// Triangles of flexes: flat elements, or a smooth skin around all of them.
//
// A flex is as thick as its radius r says, so what is drawn lies r outside of its vertices. A sheet
// has two sides and a rim between them; of a solid the outer shell is seen, or one of its layers.

#include <string.h>

#include "math/vec.h"
#include "visual/soft_surfaces.h"

// What is being written: the faces of one flex, with what is read for it.
typedef struct Sheet_ {
  const mjModel* m;
  mjvScene* scn;
  int flex;
  const mjtNum* xpos;    // (vertices x 3)
  const mjtNum* normal;  // (vertices x 3) of the smooth skin; NULL: flat
  mjtNum radius;
} Sheet;

typedef mjtNum Corners[3][3];

static void face_normal(const mjtNum* xpos, const int corner[3], mjtNum normal[3]) {
  mjtNum a[3], b[3];
  ct_sub3(a, xpos + 3 * corner[1], xpos + 3 * corner[0]);
  ct_sub3(b, xpos + 3 * corner[2], xpos + 3 * corner[0]);
  ct_cross(normal, a, b);
  ct_normalize3(normal);
}

// Appends a face. texcoord: numbers of texture coordinates at its corners.
static void add_face(const Sheet* s, const Corners pos, const Corners normal,
                     const int texcoord[3]) {
  const mjModel* m = s->m;
  int* used = s->scn->flexfaceused + s->flex;
  if (*used >= s->scn->flexfacenum[s->flex]) {
    mju_error("mjv_updateScene: flex %d has more faces than when the scene was made; make it anew",
              s->flex);
    return;
  }
  int face = s->scn->flexfaceadr[s->flex] + (*used)++;
  int first = m->flex_texcoordadr[s->flex];
  for (int k = 0; k < 3; k++) {
    for (int i = 0; i < 3; i++) {
      s->scn->flexface[9 * face + 3 * k + i] = (float)pos[k][i];
      s->scn->flexnormal[9 * face + 3 * k + i] = (float)normal[k][i];
    }
    if (first < 0) continue;
    mjtSize id = first + texcoord[k];
    bool exists = id >= 0 && id < m->nflextexcoord;
    for (int i = 0; i < 2; i++) {
      s->scn->flextexcoord[6 * face + 2 * k + i] = exists ? m->flex_texcoord[2 * id + i] : 0;
    }
  }
}

// Flat elements

static void add_flat_face(const Sheet* s, const int vertex[3], const int texcoord[3]) {
  Corners pos, normal;
  mjtNum n[3];
  face_normal(s->xpos, vertex, n);
  for (int k = 0; k < 3; k++) {
    ct_add_scl3(pos[k], s->xpos + 3 * vertex[k], n, s->radius);
    ct_copy3(normal[k], n);
  }
  add_face(s, (const mjtNum(*)[3])pos, (const mjtNum(*)[3])normal, texcoord);
}

static void add_elements(const Sheet* s, int layer) {
  static const int sides_of_triangle[2][3] = {{0, 1, 2}, {0, 2, 1}};
  static const int sides_of_tetrahedron[4][3] = {{0, 1, 2}, {0, 2, 3}, {0, 3, 1}, {1, 3, 2}};
  const mjModel* m = s->m;
  int dim = m->flex_dim[s->flex], nside = dim == 2 ? 2 : 4;
  const int(*side)[3] = dim == 2 ? sides_of_triangle : sides_of_tetrahedron;
  for (int e = 0; e < m->flex_elemnum[s->flex]; e++) {
    if (dim == 3 && m->flex_elemlayer[m->flex_elemadr[s->flex] + e] != layer) continue;
    int at = m->flex_elemdataadr[s->flex] + e * (dim + 1);
    for (int f = 0; f < nside; f++) {
      int vertex[3], texcoord[3];
      for (int k = 0; k < 3; k++) {
        vertex[k] = m->flex_elem[at + side[f][k]];
        texcoord[k] = m->flex_elemtexcoord[at + side[f][k]];
      }
      add_flat_face(s, vertex, texcoord);
    }
  }
}

// Smooth skin

// At each vertex the mean of the normals of its triangles, which count alike.
static void add_normals(mjtNum* normal, const mjtNum* xpos, const int* triangle, int count) {
  for (int f = 0; f < count; f++, triangle += 3) {
    mjtNum n[3];
    face_normal(xpos, triangle, n);
    for (int k = 0; k < 3; k++) ct_add_to3(normal + 3 * triangle[k], n);
  }
}

static void make_normals(const mjModel* m, int flex, const mjtNum* xpos, mjtNum* normal) {
  int nvert = m->flex_vertnum[flex];
  bool sheet = m->flex_dim[flex] == 2;
  ct_zero(normal, 3 * nvert);
  if (sheet) {
    add_normals(normal, xpos, m->flex_elem + m->flex_elemdataadr[flex], m->flex_elemnum[flex]);
  } else {
    add_normals(normal, xpos, m->flex_shell + m->flex_shelldataadr[flex], m->flex_shellnum[flex]);
  }
  for (int i = 0; i < nvert; i++) ct_normalize3(normal + 3 * i);
}

// A face of the skin on the side that the sign of the radius tells.
static void add_smooth_face(const Sheet* s, const int vertex[3], const int texcoord[3],
                            mjtNum radius) {
  Corners pos, normal;
  mjtNum flat[3], sign = radius > 0 ? 1 : -1;
  face_normal(s->xpos, vertex, flat);
  for (int k = 0; k < 3; k++) {
    const mjtNum* n = s->normal + 3 * vertex[k];
    ct_add_scl3(pos[k], s->xpos + 3 * vertex[k], n, radius);
    ct_scl3(normal[k], s->m->flex_flatskin[s->flex] ? flat : n, sign);
  }
  add_face(s, (const mjtNum(*)[3])pos, (const mjtNum(*)[3])normal, texcoord);
}

// Half of the strip that joins both sides of a sheet along an edge of its rim.
static void add_rim_face(const Sheet* s, int a, int b, mjtNum radius) {
  const mjtNum *xa = s->xpos + 3 * a, *xb = s->xpos + 3 * b;
  const mjtNum *na = s->normal + 3 * a, *nb = s->normal + 3 * b;
  Corners pos, normal;
  mjtNum along[3], out[3];
  ct_add_scl3(pos[0], xa, na, radius);
  ct_add_scl3(pos[1], xb, nb, -radius);
  ct_add_scl3(pos[2], xb, nb, radius);
  ct_sub3(along, xb, xa);
  ct_cross(out, along, nb);
  if (!(radius > 0)) ct_scl3(out, out, -1);
  ct_normalize3(out);
  for (int k = 0; k < 3; k++) ct_copy3(normal[k], out);
  const int texcoord[3] = {a, b, b};
  add_face(s, (const mjtNum(*)[3])pos, (const mjtNum(*)[3])normal, texcoord);
}

static void add_skin_of_sheet(const Sheet* s) {
  const mjModel* m = s->m;
  const int* vertex = m->flex_elem + m->flex_elemdataadr[s->flex];
  const int* texcoord = m->flex_elemtexcoord + m->flex_elemdataadr[s->flex];
  for (int e = 0; e < m->flex_elemnum[s->flex]; e++, vertex += 3, texcoord += 3) {
    const int back[3] = {vertex[0], vertex[2], vertex[1]};
    const int back_texcoord[3] = {texcoord[0], texcoord[2], texcoord[1]};
    add_smooth_face(s, vertex, texcoord, s->radius);
    add_smooth_face(s, back, back_texcoord, -s->radius);
  }
  const int* edge = m->flex_shell + m->flex_shelldataadr[s->flex];
  for (int e = 0; e < m->flex_shellnum[s->flex]; e++, edge += 2) {
    add_rim_face(s, edge[0], edge[1], s->radius);
    add_rim_face(s, edge[1], edge[0], -s->radius);
  }
}

// The texture coordinates of a shell are taken by the numbers of vertices, as in the reference.
static void add_skin_of_solid(const Sheet* s) {
  const mjModel* m = s->m;
  const int* vertex = m->flex_shell + m->flex_shelldataadr[s->flex];
  for (int e = 0; e < m->flex_shellnum[s->flex]; e++, vertex += 3) {
    add_smooth_face(s, vertex, vertex, s->radius);
  }
}

static void add_skin(Sheet* s, mjData* d) {
  mj_markStack(d);
  mjtNum* normal = mj_stackAllocNum(d, 3 * (size_t)s->m->flex_vertnum[s->flex]);
  if (normal) {
    make_normals(s->m, s->flex, s->xpos, normal);
    s->normal = normal;
    if (s->m->flex_dim[s->flex] == 2) {
      add_skin_of_sheet(s);
    } else {
      add_skin_of_solid(s);
    }
  }
  mj_freeStack(d);
}

void mjv_updateActiveFlex(const mjModel* m, mjData* d, mjvScene* scn, const mjvOption* opt) {
  scn->flexvertopt = opt->flags[mjVIS_FLEXVERT];
  scn->flexedgeopt = opt->flags[mjVIS_FLEXEDGE];
  scn->flexfaceopt = opt->flags[mjVIS_FLEXFACE];
  scn->flexskinopt = opt->flags[mjVIS_FLEXSKIN];
  for (mjtSize i = 0; i < 3 * m->nflexvert; i++) scn->flexvert[i] = (float)d->flexvert_xpos[i];
  for (int flex = 0; flex < m->nflex; flex++) {
    const mjtNum* xpos = d->flexvert_xpos + 3 * m->flex_vertadr[flex];
    Sheet s = {m, scn, flex, xpos, NULL, m->flex_radius[flex]};
    scn->flexfaceused[flex] = 0;
    if (m->flex_dim[flex] == 1) continue;
    if (scn->flexskinopt) {
      add_skin(&s, d);
    } else if (scn->flexfaceopt) {
      add_elements(&s, opt->flex_layer);
    }
  }
}
