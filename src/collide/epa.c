// The expanding polytope algorithm (van den Bergen, Proximity queries and penetration depth
// computation on 3D game objects, 2001).
//
// A polytope inside the Minkowski difference, with the origin in it, grows at its face nearest to
// the origin until that face lies on the surface: its distance is the depth. Faces are triangles
// (v1, v2, v3) with a neighbour across each of the edges v1v2, v2v3, v3v1. Faces that could be
// nearest are in a list; the others only remain for their neighbours.
//
// Faces are known by number, in the order in which they were made. Only those that are part of the
// polytope have a place in memory: a GPU reserves the memory of a whole polytope for each thread.

#include "collide/ccd.h"

// A pass takes k faces away that hang together, with at most k + 2 edges around them, and puts a
// face on each edge: the polytope grows by two at most.
enum {
  MOST_FACES = 1020,  // numbers
  MOST_PASSES = 170,
  MOST_VERTICES = MOST_PASSES + 5,
  MOST_AT_ONCE = 6 + 2 * MOST_PASSES,
  MOST_EDGES = MOST_AT_ONCE + 2
};
enum { NOT_LISTED = -1, REMOVED = -2 };
enum { NO_PLACE = -1 };

typedef struct {
  mjtNum nearest[3];  // of its plane to the origin
  mjtNum squared;     // length of that
  short vertex[3], neighbour[3];
  short number;
  short listed;  // place in the list, or one of the two above
} EpaFace;

typedef struct {
  short face;
  signed char edge;  // of the face
  signed char turn;  // how many of its other two edges have been left
} EpaEdge;

typedef struct {
  ct_CcdVertex vertex[MOST_VERTICES];
  EpaFace face[MOST_AT_ONCE];
  short place[MOST_FACES];     // in `face`, of a number; NO_PLACE since the pass after its removal
  short list[MOST_AT_ONCE];    // numbers
  short vacant[MOST_AT_ONCE];  // places without a face, then those of faces removed in this pass
  EpaEdge horizon[MOST_EDGES], stack[MOST_AT_ONCE];
  EpaFace best;
  int vertices, faces, places, vacancies, removed, listed, edges;
} Polytope;

LANE_INLINE EpaFace* face_of(Polytope* p, int number) {
  return p->face + p->place[number];
}

LANE_INLINE bool is_removed(const Polytope* p, int number) {
  return p->place[number] == NO_PLACE || p->face[p->place[number]].listed == REMOVED;
}

LANE_FN static int add_vertex(ct_Ccd* c, Polytope* p, const mjtNum direction[3]) {
  ct_ccd_vertex(c, p->vertex + p->vertices, direction);
  return p->vertices++;
}

// The new face and its squared distance; its neighbours are known to the caller.
LANE_FN static mjtNum add_face(Polytope* p, int v1, int v2, int v3, int n1, int n2, int n3) {
  int place = p->vacancies ? p->vacant[--p->vacancies] : p->places++;
  EpaFace* f = p->face + place;
  p->place[p->faces] = (short)place;
  f->number = (short)p->faces++;
  f->vertex[0] = (short)v1;
  f->vertex[1] = (short)v2;
  f->vertex[2] = (short)v3;
  f->neighbour[0] = (short)n1;
  f->neighbour[1] = (short)n2;
  f->neighbour[2] = (short)n3;
  f->listed = NOT_LISTED;
  bool good = ct_project_origin(f->nearest, p->vertex[v3].w, p->vertex[v2].w, p->vertex[v1].w);
  f->squared = good ? ct_dot3(f->nearest, f->nearest) : 0;
  return f->squared;
}

LANE_INLINE void list_face(Polytope* p, int face) {
  face_of(p, face)->listed = (short)p->listed;
  p->list[p->listed++] = (short)face;
}

LANE_INLINE void remove_face(Polytope* p, int face) {
  EpaFace* f = face_of(p, face);
  int at = f->listed;
  f->listed = REMOVED;
  p->vacant[p->vacancies + p->removed++] = p->place[face];
  if (at < 0) return;
  int last = p->list[--p->listed];
  if (at == p->listed) return;
  p->list[at] = (short)last;
  face_of(p, last)->listed = (short)at;
}

// Gives the places of removed faces away.
LANE_FN static void vacate_places(Polytope* p) {
  for (; p->removed; p->removed--) {
    p->place[p->face[p->vacant[p->vacancies++]].number] = NO_PLACE;
  }
}

LANE_INLINE bool through_origin(mjtNum squared) {
  return squared < (mjtNum)mjMINVAL * (mjtNum)mjMINVAL;
}

// Is a point in a triangle?
LANE_FN static bool in_triangle(const mjtNum q[3], const Polytope* p) {
  const mjtNum *s1 = p->vertex[0].w, *s2 = p->vertex[1].w, *s3 = p->vertex[2].w;
  mjtNum C[3], again[3], error[3];
  mjtNum M = ct_triangle_coordinates(C, q, s1, s2, s3);
  for (int i = 0; i < 3; i++) {
    C[i] /= M;
    if (C[i] < 0) return false;
  }
  ct_scl3(again, s1, C[0]);
  ct_add_to_scl3(again, s2, C[1]);
  ct_add_to_scl3(again, s3, C[2]);
  ct_sub3(error, again, q);
  return ct_norm3(error) < (mjtNum)mjMINVAL;
}

// Two tetrahedra on both sides of a triangle, which are the first three vertices.
LANE_FN static bool polytope_of_triangle(ct_Ccd* c, Polytope* p) {
  mjtNum e1[3], e2[3], n[3];
  ct_sub3(e1, p->vertex[1].w, p->vertex[0].w);
  ct_sub3(e2, p->vertex[2].w, p->vertex[0].w);
  ct_cross(n, e1, e2);
  mjtNum length = ct_norm3(n);
  if (length < (mjtNum)mjMINVAL) return false;
  mjtNum up[3] = {n[0] / length, n[1] / length, n[2] / length}, down[3];
  ct_scl3(down, up, -1);
  p->vertices = 3;
  p->faces = p->places = 0;
  int Q = add_vertex(c, p, down), P = add_vertex(c, p, up);
  if (in_triangle(p->vertex[P].w, p) || in_triangle(p->vertex[Q].w, p)) return false;
  return !through_origin(add_face(p, P, 0, 1, 1, 3, 2)) &&
         !through_origin(add_face(p, P, 2, 0, 2, 4, 0)) &&
         !through_origin(add_face(p, P, 1, 2, 0, 5, 1)) &&
         !through_origin(add_face(p, Q, 1, 0, 5, 0, 4)) &&
         !through_origin(add_face(p, Q, 0, 2, 3, 1, 5)) &&
         !through_origin(add_face(p, Q, 2, 1, 4, 2, 3));
}

// Starts again with the three vertices of a face that the origin lies on.
LANE_FN static bool polytope_of_face(ct_Ccd* c, Polytope* p, int face) {
  ct_CcdVertex v[3];
  for (int i = 0; i < 3; i++) v[i] = p->vertex[face_of(p, face)->vertex[i]];
  for (int i = 0; i < 3; i++) p->vertex[i] = v[i];
  return polytope_of_triangle(c, p);
}

// Do the origin and the fourth vertex lie on the same side of all faces?
LANE_FN static bool origin_in_tetrahedron(const Polytope* p) {
  for (int i = 0; i < 4; i++) {
    const mjtNum *p0 = p->vertex[i].w, *p1 = p->vertex[(i + 1) & 3].w;
    const mjtNum *p2 = p->vertex[(i + 2) & 3].w, *p3 = p->vertex[(i + 3) & 3].w;
    mjtNum e1[3], e2[3], e3[3], n[3];
    ct_sub3(e1, p1, p0);
    ct_sub3(e2, p2, p0);
    ct_sub3(e3, p3, p0);
    ct_cross(n, e1, e2);
    mjtNum vertex = ct_dot3(n, e3), origin = -ct_dot3(n, p0);
    if (!((vertex > 0 && origin > 0) || (vertex < 0 && origin < 0))) return false;
  }
  return true;
}

LANE_FN static bool polytope_of_tetrahedron(ct_Ccd* c, Polytope* p) {
  if (through_origin(add_face(p, 0, 1, 2, 1, 3, 2))) return polytope_of_face(c, p, 0);
  if (through_origin(add_face(p, 0, 3, 1, 2, 3, 0))) return polytope_of_face(c, p, 1);
  if (through_origin(add_face(p, 0, 2, 3, 0, 3, 1))) return polytope_of_face(c, p, 2);
  if (through_origin(add_face(p, 3, 2, 1, 2, 0, 1))) return polytope_of_face(c, p, 3);
  return origin_in_tetrahedron(p);
}

LANE_INLINE mjtNum volume_of(const mjtNum a[3], const mjtNum b[3], const mjtNum c[3]) {
  mjtNum n[3];
  ct_cross(n, b, c);
  return ct_dot3(a, n);
}

// d turned by a third of a circle about the unit vector u.
LANE_FN static void third_of_turn(mjtNum res[3], const mjtNum u[3], const mjtNum d[3]) {
  const mjtNum cosine = (mjtNum)-0.5, sine = (mjtNum)0.86602540378;
  mjtNum T[9];
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++) T[3 * i + j] = u[i] * u[j] * (1 - cosine);
    T[4 * i] += cosine;
  }
  T[1] -= u[2] * sine;
  T[2] += u[1] * sine;
  T[3] += u[2] * sine;
  T[5] -= u[0] * sine;
  T[6] -= u[1] * sine;
  T[7] += u[0] * sine;
  ct_mul_mat_vec3(res, T, d);
}

LANE_FN static int add_vertex_along(ct_Ccd* c, Polytope* p, const mjtNum d[3]) {
  mjtNum length = ct_norm3(d), unit[3] = {d[0] / length, d[1] / length, d[2] / length};
  return add_vertex(c, p, unit);
}

// A segment in the middle of three more vertices.
LANE_FN static bool polytope_of_segment(ct_Ccd* c, Polytope* p) {
  mjtNum e[3], u[3], axis[3] = {0, 0, 0}, d1[3], d2[3], d3[3];

  // three directions around the segment, a third of a turn apart; the first is also across the axis
  // that the segment is least along
  ct_sub3(e, p->vertex[1].w, p->vertex[0].w);
  int k = 0;
  for (int i = 1; i < 3; i++) k = ct_abs(e[i]) < ct_abs(e[k]) ? i : k;
  axis[k] = 1;
  ct_cross(d1, axis, e);
  mjtNum length = ct_norm3(e);
  for (int i = 0; i < 3; i++) u[i] = e[i] / length;
  third_of_turn(d2, u, d1);
  third_of_turn(d3, u, d2);

  // the outermost vertices that way: X, Y and Z
  int X = add_vertex_along(c, p, d1), Y = add_vertex_along(c, p, d2);
  int Z = add_vertex_along(c, p, d3);

  // Three faces at each end of the segment. If the origin lies in one of them, the polytope starts
  // anew from that triangle.
  if (through_origin(add_face(p, 0, X, Y, 1, 3, 2))) return polytope_of_face(c, p, 0);
  if (through_origin(add_face(p, 0, Z, X, 2, 4, 0))) return polytope_of_face(c, p, 1);
  if (through_origin(add_face(p, 0, Y, Z, 0, 5, 1))) return polytope_of_face(c, p, 2);
  if (through_origin(add_face(p, 1, Y, X, 5, 0, 4))) return polytope_of_face(c, p, 3);
  if (through_origin(add_face(p, 1, X, Z, 3, 1, 5))) return polytope_of_face(c, p, 4);
  if (through_origin(add_face(p, 1, Z, Y, 4, 2, 3))) return polytope_of_face(c, p, 5);

  // good if X, Y and Z go around the segment in one sense
  mjtNum x[3], y[3], z[3];
  ct_sub3(x, p->vertex[X].w, p->vertex[0].w);
  ct_sub3(y, p->vertex[Y].w, p->vertex[0].w);
  ct_sub3(z, p->vertex[Z].w, p->vertex[0].w);
  mjtNum v1 = volume_of(x, y, e), v2 = volume_of(y, z, e), v3 = volume_of(z, x, e);
  return (v1 >= 0 && v2 >= 0 && v3 >= 0) || (v1 <= 0 && v2 <= 0 && v3 <= 0);
}

LANE_FN static bool start_polytope(ct_Ccd* c, Polytope* p) {
  p->vertices = c->count;
  p->faces = p->places = p->vacancies = p->removed = p->listed = p->edges = 0;
  for (int i = 0; i < c->count; i++) p->vertex[i] = c->simplex[i];
  bool good = c->count == 2   ? polytope_of_segment(c, p)
              : c->count == 3 ? polytope_of_triangle(c, p)
                              : polytope_of_tetrahedron(c, p);
  if (!good) return false;
  for (int i = 0; i < p->faces; i++) list_face(p, i);
  return true;
}

LANE_INLINE bool sees_face(const EpaFace* f, const mjtNum w[3]) {
  return ct_dot3(f->nearest, w) - f->squared > (mjtNum)mjMINVAL;
}

// The neighbour across an edge of a face, entered by the same edge.
LANE_INLINE EpaEdge across(Polytope* p, int face, int edge) {
  const EpaFace* f = face_of(p, face);
  int end = f->vertex[edge == 2 ? 0 : edge + 1];
  const EpaFace* other = face_of(p, f->neighbour[edge]);
  EpaEdge e;
  e.face = f->neighbour[edge];
  e.edge = (signed char)(other->vertex[0] == end ? 0 : other->vertex[1] == end ? 1 : 2);
  e.turn = 0;
  return e;
}

// Removes the faces that w can see, from one that was entered by an edge; where they end is the
// horizon. Depth first, so that the horizon comes in order.
LANE_FN static void walk_visible(Polytope* p, EpaEdge entry, const mjtNum w[3]) {
  int depth = 0;

  // a first face that w cannot see is on the horizon, and nothing lies behind it
  p->stack[depth++] = entry;
  if (!sees_face(face_of(p, entry.face), w)) {
    p->horizon[p->edges++] = entry;
    return;
  }
  remove_face(p, entry.face);

  // A face that was entered is left by its two other edges, in turn. Beyond an edge is a face that
  // is gone already, one that w sees, which is entered next, or the horizon.
  while (depth > 0) {
    EpaEdge* top = p->stack + depth - 1;
    if (top->turn == 2) {
      depth--;
      continue;
    }
    top->turn++;
    int edge = top->edge + top->turn;
    if (edge >= 3) edge -= 3;
    if (is_removed(p, face_of(p, top->face)->neighbour[edge])) continue;
    EpaEdge next = across(p, top->face, edge);
    if (sees_face(face_of(p, next.face), w)) {
      remove_face(p, next.face);
      p->stack[depth++] = next;
    } else if (p->edges < MOST_EDGES) {
      p->horizon[p->edges++] = next;
    }
  }
}

LANE_FN static void find_horizon(Polytope* p, int face, const mjtNum w[3]) {
  p->edges = 0;
  remove_face(p, face);
  for (int edge = 0; edge < 3; edge++) {
    if (is_removed(p, face_of(p, face)->neighbour[edge])) continue;
    walk_visible(p, across(p, face, edge), w);
  }
}

// New faces from the horizon to vertex w. False if one of them has no area.
LANE_FN static bool close_horizon(Polytope* p, int w, mjtNum lower, mjtNum upper) {
  int first = p->faces, count = p->edges;
  vacate_places(p);
  for (int i = 0; i < count; i++) {
    EpaFace* behind = face_of(p, p->horizon[i].face);
    int edge = p->horizon[i].edge;
    int v1 = behind->vertex[edge], v2 = behind->vertex[edge == 2 ? 0 : edge + 1];
    behind->neighbour[edge] = (short)(first + i);
    int before = i == 0 ? count - 1 : i - 1, after = i == count - 1 ? 0 : i + 1;
    mjtNum squared = add_face(p, w, v2, v1, first + before, p->horizon[i].face, first + after);
    if (squared == 0) return false;
    if (squared >= lower * lower && squared <= upper * upper) list_face(p, first + i);
  }
  return true;
}

LANE_FN static bool known_vertex(const Polytope* p, int w) {
  for (int i = 0; i < w; i++) {
    if (p->vertex[i].code1 == p->vertex[w].code1 && p->vertex[i].code2 == p->vertex[w].code2) {
      return true;
    }
  }
  return false;
}

// NULL without one.
LANE_INLINE const EpaFace* nearest_face(Polytope* p) {
  const EpaFace* best = p->listed ? face_of(p, p->list[0]) : NULL;
  for (int i = 1; i < p->listed; i++) {
    const EpaFace* f = face_of(p, p->list[i]);
    if (f->squared < best->squared) best = f;
  }
  return best;
}

// Makes `best` the face of least depth; false if it fails.
LANE_FN static bool expand_polytope(ct_Ccd* c, Polytope* p) {
  mjtNum upper = CT_CCD_FAR, tolerance = c->discrete ? (mjtNum)mjMINVAL : c->tolerance;
  bool found = false;
  for (int pass = 0; pass < c->iterations && pass < MOST_PASSES; pass++) {
    // the face nearest to the origin bounds the depth from below
    const EpaFace *nearest = nearest_face(p), *f = &p->best;
    if (!nearest || nearest->squared > upper * upper) return found;
    p->best = *nearest;
    found = true;
    if (f->squared <= 0) return true;

    // the outermost vertex along its normal bounds the depth from above
    mjtNum lower = ct_sqrt(f->squared);
    mjtNum d[3] = {f->nearest[0] / lower, f->nearest[1] / lower, f->nearest[2] / lower};
    int w = add_vertex(c, p, d);
    mjtNum reach = ct_dot3(f->nearest, p->vertex[w].w) / lower;
    upper = reach < upper ? reach : upper;
    if (upper - lower < tolerance) return true;
    if (c->discrete && known_vertex(p, w)) return true;

    // the faces that the vertex sees make room for new ones from the horizon to it
    find_horizon(p, f->number, p->vertex[w].w);
    if (p->edges < 3) return false;
    if (p->faces + p->edges > MOST_FACES) return true;
    if (!close_horizon(p, w, lower, upper)) return false;
    if (!p->listed) return true;
  }
  return found;
}

LANE_FN void ct_epa(ct_Ccd* c) {
  Polytope p;
  mjtNum C[3];
  c->dist = 0;
  if (!start_polytope(c, &p)) return;
  if (!expand_polytope(c, &p)) return;

  // the points of both shapes have the weights of the face's nearest point to the origin
  const EpaFace* f = &p.best;
  for (int i = 0; i < 3; i++) c->face[i] = p.vertex[f->vertex[i]];
  mjtNum M = ct_triangle_coordinates(C, f->nearest, c->face[0].w, c->face[1].w, c->face[2].w);
  ct_zero3(c->x1);
  ct_zero3(c->x2);
  for (int i = 0; i < 3; i++) {
    ct_add_to_scl3(c->x1, c->face[i].a, C[i] / M);
    ct_add_to_scl3(c->x2, c->face[i].b, C[i] / M);
  }
  c->dist = -ct_sqrt(f->squared);
  c->witness = c->has_face = true;
}
