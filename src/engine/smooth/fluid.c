// Forces of the medium around the bodies: lift, drag, added mass, and how they change with the
// velocity.
//
//   in    cvel, subtree_com               (nbody x 6), (nbody x 3)
//         xipos, ximat, geom_xpos, geom_xmat
//         cdof                            (nv x 6)
//   out   qfrc_fluid                      (nv)
//
// Two models, chosen by body. A body is taken for a box with its inertia, unless one of its geoms
// has fluid coefficients; then each such geom is an ellipsoid. Velocities are those relative to the
// wind, in the axes of the inertial frame or the geom; w and v stand for angular and linear
// velocity, t and f for torque and force, mu and rho for viscosity and density.
//
// Ellipsoid (after Andersen, Pesavento & Wang 2005, with the coefficients of geom_fluid): with
// semi-axes a, q_i = (a_j a_k)^2, N = sum q v^2, E = sum q^2 v^2, the area seen along v is
// A = pi sqrt(E / N), and
//
//   added mass  p = rho mv * v, l = rho Iv * w:   t += p x v + l x w,   f += p x w
//   Magnus      f += C rho V (w x v)
//   Kutta       f += C rho cos(alpha) A ((q * v) x v) x v,   cos(alpha) = N / (|v| E)
//   drag        f -= [3 pi D mu + rho |v| (A C_blunt + C_slender (A_max - A))] v,  D: mean diameter
//   its torque  t -= [pi D^3 mu + rho |m * w|] w,   m: second moments of the areas, blended
//
// Wrenches are moved to the reference point of the tree and added up from the leaves to the root,
// where dof j of body b feels s_j . F_b.

#include "engine/smooth/fluid.h"

#include "base/memory/scratch.h"
#include "base/model/awake.h"
#include "base/private.h"
#include "engine/smooth/object.h"

#define FLUID_PI ((mjtNum)3.14159265358979323846)

typedef struct Medium_ {  // what the forces depend on, beside the shape
  mjtNum mu, rho;
  mjtNum w[3], v[3];  // velocity of the body relative to it, local axes
} Medium;

LANE_INLINE Medium medium_around(const mjModel* m, const mjData* d, ct_ObjectFrame frame) {
  mjtNum velocity[6], wind[3];
  Medium s;
  ct_frame_velocity(m, d, frame, true, velocity);
  ct_mul_mat_t_vec3(wind, frame.mat, m->opt.wind);
  s.mu = m->opt.viscosity;
  s.rho = m->opt.density;
  ct_copy3(s.w, velocity);
  ct_sub3(s.v, velocity + 3, wind);
  return s;
}

// The box with the mass and the inertia of a body: lengths of its edges, and their mean.
typedef struct Box_ {
  mjtNum edge[3], diameter;
} Box;

LANE_INLINE Box inertia_box(const mjModel* m, int b) {
  const mjtNum* inertia = m->body_inertia + 3 * b;
  mjtNum sum = inertia[0] + inertia[1] + inertia[2];
  Box box;
  for (int i = 0; i < 3; i++) {
    box.edge[i] = ct_sqrt(ct_max(mjMINVAL, sum - 2 * inertia[i]) / m->body_mass[b] * 6);
  }
  box.diameter = (box.edge[0] + box.edge[1] + box.edge[2]) / 3;
  return box;
}

// Quadratic drag of a box along and about axis i, per rho |v_i| v_i and rho |w_i| w_i.
LANE_INLINE mjtNum face_area(const Box* box, int i) {
  return box->edge[(i + 1) % 3] * box->edge[(i + 2) % 3];
}

LANE_INLINE mjtNum face_moment(const Box* box, int i) {
  mjtNum square1 = box->edge[(i + 1) % 3] * box->edge[(i + 1) % 3];
  mjtNum square2 = box->edge[(i + 2) % 3] * box->edge[(i + 2) % 3];
  return box->edge[i] * (square1 * square1 + square2 * square2);
}

LANE_FN static void box_wrench(const Box* box, const Medium* s, mjtNum wrench[6]) {
  mjtNum D = box->diameter;
  ct_zero6(wrench);
  if (s->mu > 0) {
    ct_scl3(wrench, s->w, -FLUID_PI * D * D * D * s->mu);
    ct_scl3(wrench + 3, s->v, -3 * FLUID_PI * D * s->mu);
  }
  for (int i = 0; i < 3 && s->rho > 0; i++) {
    wrench[i] -= s->rho * face_moment(box, i) * ct_abs(s->w[i]) * s->w[i] / 64;
    wrench[3 + i] -= s->rho / 2 * face_area(box, i) * ct_abs(s->v[i]) * s->v[i];
  }
}

LANE_FN static void box_damping(const Box* box, const Medium* s, mjtNum damping[36]) {
  mjtNum D = box->diameter;
  for (int i = 0; i < 3; i++) {
    mjtNum turn = 0, move = 0;
    if (s->mu > 0) {
      turn -= FLUID_PI * D * D * D * s->mu;
      move -= 3 * FLUID_PI * D * s->mu;
    }
    if (s->rho > 0) {
      turn -= s->rho * face_moment(box, i) * 2 * ct_abs(s->w[i]) / 64;
      move -= s->rho * face_area(box, i) * ct_abs(s->v[i]);
    }
    damping[7 * i] = turn;
    damping[7 * (3 + i)] = move;
  }
}

typedef struct Ellipsoid_ {
  mjtNum scale, blunt, slender, angular, kutta, magnus;  // coefficients of geom_fluid
  mjtNum mass[3], inertia[3];                            // added, per density of the medium
  mjtNum q[3];                                           // squares of the products of semi-axes
  mjtNum volume, diameter;                               // diameter: mean
  mjtNum largest_area;
  mjtNum moment[3];   // blended second moments of area
  mjtNum N, E, area;  // by the direction of the velocity
} Ellipsoid;

LANE_INLINE void semi_axes(const mjModel* m, int geom, mjtNum a[3]) {
  const mjtNum* size = m->geom_size + 3 * geom;
  ct_copy3(a, size);
  switch (m->geom_type[geom]) {
    case mjGEOM_SPHERE:
      a[1] = a[2] = size[0];
      break;
    case mjGEOM_CAPSULE:
      a[1] = size[0];
      a[2] = size[0] + size[1];
      break;
    case mjGEOM_CYLINDER:
      a[1] = size[0];
      a[2] = size[1];
      break;
    default:
      break;
  }
}

LANE_INLINE mjtNum fourth_power(mjtNum x) {
  return (x * x) * (x * x);
}

LANE_FN static Ellipsoid ellipsoid_of(const mjModel* m, int geom, const Medium* s) {
  const mjtNum* c = m->geom_fluid + mjNFLUID * geom;
  mjtNum a[3];
  semi_axes(m, geom, a);
  mjtNum most = ct_max(ct_max(a[0], a[1]), a[2]), least = ct_min(ct_min(a[0], a[1]), a[2]);
  mjtNum middle = a[0] + a[1] + a[2] - most - least;
  mjtNum unit = (mjtNum)8 / 15 * FLUID_PI, largest_moment = unit * middle * fourth_power(most);

  Ellipsoid e = {0};
  e.scale = c[0];
  e.blunt = c[1];
  e.slender = c[2];
  e.angular = c[3];
  e.kutta = c[4];
  e.magnus = c[5];
  ct_copy3(e.mass, c + 6);
  ct_copy3(e.inertia, c + 9);
  e.volume = (mjtNum)4 / 3 * FLUID_PI * a[0] * a[1] * a[2];
  e.diameter = (mjtNum)2 / 3 * (a[0] + a[1] + a[2]);
  e.largest_area = FLUID_PI * most * middle;
  for (int i = 0; i < 3; i++) {
    mjtNum aj = a[(i + 1) % 3], ak = a[(i + 2) % 3];
    mjtNum moment = unit * a[i] * fourth_power(ct_max(aj, ak));
    e.q[i] = (aj * ak) * (aj * ak);
    e.moment[i] = e.angular * moment + e.slender * (largest_moment - moment);
    e.N += e.q[i] * s->v[i] * s->v[i];
    e.E += e.q[i] * e.q[i] * s->v[i] * s->v[i];
  }
  e.area = FLUID_PI * ct_sqrt(e.E / ct_max(mjMINVAL, e.N));
  return e;
}

// Drag per speed |v|.
LANE_INLINE mjtNum drag_density(const Ellipsoid* e, const Medium* s) {
  return s->rho * (e->area * e->blunt + e->slender * (e->largest_area - e->area));
}

LANE_INLINE void each_times(mjtNum res[3], const mjtNum a[3], const mjtNum b[3], mjtNum scale) {
  for (int i = 0; i < 3; i++) res[i] = scale * a[i] * b[i];
}

LANE_INLINE void add_cross(mjtNum res[3], const mjtNum a[3], const mjtNum b[3], mjtNum scale) {
  mjtNum product[3];
  ct_cross(product, a, b);
  ct_add_to_scl3(res, product, scale);
}

LANE_FN static void ellipsoid_wrench(const Ellipsoid* e, const Medium* s, mjtNum wrench[6]) {
  const mjtNum *w = s->w, *v = s->v;
  mjtNum *torque = wrench, *force = wrench + 3, p[3], l[3], mw[3], lift[3];
  mjtNum speed = ct_norm3(v), D = e->diameter;
  ct_zero6(wrench);

  each_times(p, e->mass, v, s->rho);
  each_times(l, e->inertia, w, s->rho);
  add_cross(torque, p, v, 1);
  add_cross(torque, l, w, 1);
  add_cross(force, p, w, 1);

  add_cross(force, w, v, e->magnus * s->rho * e->volume);

  mjtNum cosine = e->N / ct_max(mjMINVAL, speed * e->E);
  each_times(lift, e->q, v, 1);
  ct_cross(lift, lift, v);
  add_cross(force, lift, v, e->kutta * s->rho * cosine * e->area);

  ct_add_to_scl3(force, v, -(3 * FLUID_PI * D * s->mu + speed * drag_density(e, s)));
  each_times(mw, e->moment, w, 1);
  ct_add_to_scl3(torque, w, -(FLUID_PI * D * D * D * s->mu + s->rho * ct_norm3(mw)));

  for (int i = 0; i < 6; i++) wrench[i] *= e->scale;
}

// block += scale [x], the matrix with [x] u = x x u; blocks are 3 x 3 parts of a 6 x 6 matrix.
LANE_INLINE void add_skew(mjtNum* block, const mjtNum x[3], mjtNum scale) {
  block[1] -= scale * x[2];
  block[2] += scale * x[1];
  block[6] += scale * x[2];
  block[8] -= scale * x[0];
  block[12] -= scale * x[1];
  block[13] += scale * x[0];
}

// block -= [x] diag(c) scale
LANE_INLINE void sub_skew_diagonal(mjtNum* block, const mjtNum x[3], const mjtNum c[3],
                                   mjtNum scale) {
  block[1] += scale * x[2] * c[1];
  block[2] -= scale * x[1] * c[2];
  block[6] -= scale * x[2] * c[0];
  block[8] += scale * x[0] * c[2];
  block[12] += scale * x[1] * c[0];
  block[13] -= scale * x[0] * c[1];
}

LANE_INLINE void add_outer(mjtNum* block, const mjtNum a[3], const mjtNum b[3], mjtNum scale) {
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++) block[6 * i + j] += scale * a[i] * b[j];
  }
}

LANE_INLINE void add_diagonal(mjtNum* block, mjtNum x) {
  block[0] += x;
  block[7] += x;
  block[14] += x;
}

LANE_FN static void kutta_damping(const Ellipsoid* e, const Medium* s, mjtNum* block) {
  const mjtNum *v = s->v, *q = e->q;
  mjtNum n2 = ct_dot3(v, v);
  mjtNum k = FLUID_PI * e->kutta * s->rho / ct_max(mjMINVAL, ct_sqrt(e->E * e->N * n2));
  mjtNum over_E = e->N / ct_max(mjMINVAL, e->E), over_n2 = e->N / ct_max(mjMINVAL, n2);
  for (int i = 0; i < 3; i++) {
    mjtNum c = 0;
    for (int j = 0; j < 3; j++) c += (q[i] - q[j]) * v[j] * v[j];
    for (int j = 0; j < 3; j++) {
      mjtNum bracket = 2 * e->N * (q[j] - q[i]) + c * (q[j] * q[j] * over_E - q[j] + over_n2);
      block[6 * i + j] += k * v[i] * v[j] * bracket;
    }
    block[7 * i] -= k * c * e->N;
  }
}

LANE_FN static void drag_damping(const Ellipsoid* e, const Medium* s, mjtNum* block) {
  const mjtNum *v = s->v, *q = e->q;
  mjtNum n2 = ct_dot3(v, v), speed = ct_sqrt(n2), slope[3];
  mjtNum per_speed = drag_density(e, s) / ct_max(mjMINVAL, speed);
  mjtNum scale = s->rho * speed * (e->blunt - e->slender) * FLUID_PI /
                 ct_max(mjMINVAL, ct_sqrt(e->N * e->N * e->N * e->E));
  for (int j = 0; j < 3; j++) {
    mjtNum sum = 0;
    for (int k = 0; k < 3; k++) sum += q[k] * v[k] * v[k] * (q[j] - q[k]);
    slope[j] = scale * q[j] * v[j] * sum;
  }
  add_diagonal(block, -3 * FLUID_PI * e->diameter * s->mu - per_speed * n2);
  add_outer(block, v, v, -per_speed);
  add_outer(block, v, slope, -1);
}

// What is linear in the velocities w and v: added mass and the Magnus force.
LANE_FN static void added_mass_damping(const Ellipsoid* e, const Medium* s, const mjtNum w[3],
                                       const mjtNum v[3], mjtNum damping[36]) {
  mjtNum p[3], l[3], magnus = e->magnus * s->rho * e->volume;
  mjtNum *torque_w = damping, *torque_v = damping + 3, *force_w = damping + 18;
  mjtNum* force_v = damping + 21;
  each_times(p, e->mass, v, s->rho);
  each_times(l, e->inertia, w, s->rho);

  add_skew(torque_w, l, 1);
  sub_skew_diagonal(torque_w, w, e->inertia, s->rho);

  add_skew(torque_v, p, 1);
  sub_skew_diagonal(torque_v, v, e->mass, s->rho);

  add_skew(force_w, p, 1);
  add_skew(force_w, v, -magnus);

  sub_skew_diagonal(force_v, w, e->mass, s->rho);
  add_skew(force_v, w, magnus);
}

// All but lift and drag.
LANE_FN static void mass_damping(const Ellipsoid* e, const Medium* s, mjtNum damping[36]) {
  const mjtNum* w = s->w;
  mjtNum mw[3], g[3], D = e->diameter;
  each_times(mw, e->moment, w, 1);
  each_times(g, mw, e->moment, -s->rho / ct_max(mjMINVAL, ct_norm3(mw)));
  added_mass_damping(e, s, w, s->v, damping);
  add_diagonal(damping, ct_dot3(w, g) - FLUID_PI * D * D * D * s->mu);
  add_outer(damping, w, g, 1);
}

// The coefficient `scale` is left out here, as the reference does.
LANE_FN static void ellipsoid_damping(const Ellipsoid* e, const Medium* s, mjtNum damping[36]) {
  mass_damping(e, s, damping);
  kutta_damping(e, s, damping + 21);
  drag_damping(e, s, damping + 21);
}

// How all these change when the velocity does, by (dw, dv) = u. Quotients have the same least
// denominators as above, and do not change with what is below these.

LANE_INLINE mjtNum share(mjtNum part, mjtNum whole) {
  return whole != 0 ? part / whole : 0;
}

LANE_INLINE mjtNum share_above(mjtNum part, mjtNum whole) {
  return whole > mjMINVAL ? part / whole : 0;
}

typedef struct Change_ {
  const mjtNum* u;  // of the linear velocity
  mjtNum speed, n2, N, E, area;
  mjtNum density;  // of the drag per speed
} Change;

LANE_FN static Change change_along(const Ellipsoid* e, const Medium* s, const mjtNum u[3]) {
  Change c = {u, 0, 2 * ct_dot3(s->v, u), 0, 0, 0, 0};
  for (int i = 0; i < 3; i++) {
    c.N += 2 * e->q[i] * s->v[i] * u[i];
    c.E += 2 * e->q[i] * e->q[i] * s->v[i] * u[i];
  }
  c.speed = share(c.n2 / 2, ct_norm3(s->v));
  c.area = e->area * (share(c.E, e->E) - share_above(c.N, e->N)) / 2;
  c.density = s->rho * c.area * (e->blunt - e->slender);
  return c;
}

// Column c of the slope of the force of lift and drag.
LANE_FN static void lift_and_drag_slope(const Ellipsoid* e, const Medium* s, int c, mjtNum* block) {
  const mjtNum* v = s->v;
  mjtNum u[3] = {0, 0, 0}, speed = ct_norm3(v), density = drag_density(e, s);
  u[c] = 1;
  Change change = change_along(e, s, u);
  mjtNum lift = e->kutta * s->rho * e->area * e->N / ct_max(mjMINVAL, speed * e->E);
  mjtNum more = share(change.N, e->N) + share(change.area, e->area);
  if (speed * e->E > mjMINVAL) more -= change.speed / speed + change.E / e->E;
  mjtNum drag = change.speed * density + speed * change.density;
  for (int i = 0; i < 3; i++) {
    mjtNum across = 0;
    for (int j = 0; j < 3; j++) across += (e->q[i] - e->q[j]) * v[j] * v[j];
    mjtNum bend = 2 * (e->q[i] - e->q[c]) * v[c];
    block[6 * i + c] -= lift * (v[i] * (more * across + bend) + u[i] * across);
    block[6 * i + c] -= drag * v[i];
  }
  block[7 * c] -= 3 * FLUID_PI * e->diameter * s->mu + speed * density;
}

// How the wrench changes with the velocity, exactly.
LANE_FN static void ellipsoid_slope(const Ellipsoid* e, const Medium* s, mjtNum slope[36]) {
  mass_damping(e, s, slope);
  for (int c = 0; c < 3; c++) lift_and_drag_slope(e, s, c, slope + 21);
  for (int k = 0; k < 36; k++) slope[k] *= e->scale;
}

LANE_FN static void kutta_bend(const Ellipsoid* e, const Medium* s, const Change* by,
                               mjtNum* block) {
  const mjtNum *v = s->v, *u = by->u, *q = e->q;
  mjtNum n2 = ct_dot3(v, v), root = ct_sqrt(e->E * e->N * n2);
  mjtNum k = FLUID_PI * e->kutta * s->rho / ct_max(mjMINVAL, root), dk = 0;
  if (root > mjMINVAL) dk = -k * (by->E / e->E + by->N / e->N + by->n2 / n2) / 2;
  mjtNum over_E = e->N / ct_max(mjMINVAL, e->E), over_n2 = e->N / ct_max(mjMINVAL, n2);
  mjtNum by_E = by->N / ct_max(mjMINVAL, e->E) - over_E * share_above(by->E, e->E);
  mjtNum by_n2 = by->N / ct_max(mjMINVAL, n2) - over_n2 * share_above(by->n2, n2);
  for (int i = 0; i < 3; i++) {
    mjtNum c = 0, dc = 0;
    for (int j = 0; j < 3; j++) {
      c += (q[i] - q[j]) * v[j] * v[j];
      dc += 2 * (q[i] - q[j]) * v[j] * u[j];
    }
    for (int j = 0; j < 3; j++) {
      mjtNum rest = q[j] * q[j] * over_E - q[j] + over_n2;
      mjtNum bracket = 2 * e->N * (q[j] - q[i]) + c * rest;
      mjtNum change = 2 * by->N * (q[j] - q[i]) + dc * rest + c * (q[j] * q[j] * by_E + by_n2);
      block[6 * i + j] += (dk * v[i] * v[j] + k * (u[i] * v[j] + v[i] * u[j])) * bracket;
      block[6 * i + j] += k * v[i] * v[j] * change;
    }
    block[7 * i] -= dk * c * e->N + k * (dc * e->N + c * by->N);
  }
}

LANE_FN static void drag_bend(const Ellipsoid* e, const Medium* s, const Change* by,
                              mjtNum* block) {
  const mjtNum *v = s->v, *u = by->u, *q = e->q;
  mjtNum n2 = ct_dot3(v, v), speed = ct_sqrt(n2), slope[3], bend[3];
  mjtNum per_speed = drag_density(e, s) / ct_max(mjMINVAL, speed);
  mjtNum by_speed =
      by->density / ct_max(mjMINVAL, speed) - per_speed * share_above(by->speed, speed);
  mjtNum root = ct_sqrt(e->N * e->N * e->N * e->E);
  mjtNum unit = s->rho * (e->blunt - e->slender) * FLUID_PI / ct_max(mjMINVAL, root);
  mjtNum scale = unit * speed, change = unit * by->speed;
  if (root > mjMINVAL) change -= scale * (3 * by->N / e->N + by->E / e->E) / 2;
  for (int j = 0; j < 3; j++) {
    mjtNum sum = 0, more = 0;
    for (int k = 0; k < 3; k++) {
      sum += q[k] * v[k] * v[k] * (q[j] - q[k]);
      more += 2 * q[k] * v[k] * u[k] * (q[j] - q[k]);
    }
    slope[j] = scale * q[j] * v[j] * sum;
    bend[j] = q[j] * (change * v[j] * sum + scale * (u[j] * sum + v[j] * more));
  }
  add_diagonal(block, -by_speed * n2 - per_speed * by->n2);
  add_outer(block, v, v, -by_speed);
  add_outer(block, u, v, -per_speed);
  add_outer(block, v, u, -per_speed);
  add_outer(block, u, slope, -1);
  add_outer(block, v, bend, -1);
}

LANE_FN static void ellipsoid_bend(const Ellipsoid* e, const Medium* s, const mjtNum dw[3],
                                   const mjtNum dv[3], mjtNum bend[36]) {
  const mjtNum* w = s->w;
  mjtNum mw[3], g[3], dg[3], *force_v = bend + 21;
  Change by = change_along(e, s, dv);
  each_times(mw, e->moment, w, 1);
  mjtNum norm = ct_norm3(mw), unit = -s->rho / ct_max(mjMINVAL, norm), slower = 0;
  for (int i = 0; i < 3; i++) slower += mw[i] * e->moment[i] * dw[i];
  slower = norm > mjMINVAL ? slower / (norm * norm) : 0;
  for (int i = 0; i < 3; i++) {
    g[i] = unit * mw[i] * e->moment[i];
    dg[i] = unit * e->moment[i] * e->moment[i] * dw[i] - g[i] * slower;
  }

  added_mass_damping(e, s, dw, dv, bend);
  add_diagonal(bend, ct_dot3(dw, g) + ct_dot3(w, dg));
  add_outer(bend, dw, g, 1);
  add_outer(bend, w, dg, 1);
  kutta_bend(e, s, &by, force_v);
  drag_bend(e, s, &by, force_v);
}

LANE_INLINE bool has_ellipsoids(const mjModel* m, int b) {
  int end = m->body_geomadr[b] + m->body_geomnum[b];
  for (int geom = m->body_geomadr[b]; geom < end; geom++) {
    if (m->geom_fluid[mjNFLUID * geom] > 0) return true;
  }
  return false;
}

LANE_INLINE bool medium_ignores(const mjModel* m, const mjData* d, int b) {
  return m->body_mass[b] < mjMINVAL || m->body_weldid[b] == 0 ||
         (ct_some_asleep(m, d) && ct_body_asleep(d, b));
}

LANE_INLINE ct_ObjectFrame frame_of(const mjModel* m, const mjData* d, int type, int id) {
  ct_ObjectFrame frame = {0, NULL, NULL};
  ct_object_frame(m, d, type, id, &frame);
  return frame;
}

// Adds to sum a wrench in the axes of a frame, seen from the reference point in world axes.
LANE_INLINE void add_wrench(const mjModel* m, const mjData* d, ct_ObjectFrame frame,
                            const mjtNum wrench[6], mjtNum sum[6]) {
  mjtNum world[6];
  ct_mul_mat_vec3(world, frame.mat, wrench);
  ct_mul_mat_vec3(world + 3, frame.mat, wrench + 3);
  ct_transform_force(world, world, ct_reference_point(m, d, frame.body), frame.pos, NULL);
  ct_add_to6(sum, world);
}

LANE_FN static void fluid_on_body(const mjModel* m, const mjData* d, int b, mjtNum sum[6]) {
  mjtNum wrench[6];
  ct_zero6(sum);
  if (medium_ignores(m, d, b)) return;
  if (!has_ellipsoids(m, b)) {
    ct_ObjectFrame frame = frame_of(m, d, mjOBJ_BODY, b);
    Medium s = medium_around(m, d, frame);
    Box box = inertia_box(m, b);
    box_wrench(&box, &s, wrench);
    add_wrench(m, d, frame, wrench, sum);
    return;
  }
  int end = m->body_geomadr[b] + m->body_geomnum[b];
  for (int geom = m->body_geomadr[b]; geom < end; geom++) {
    if (m->geom_fluid[mjNFLUID * geom] == 0) continue;
    ct_ObjectFrame frame = frame_of(m, d, mjOBJ_GEOM, geom);
    Medium s = medium_around(m, d, frame);
    Ellipsoid e = ellipsoid_of(m, geom, &s);
    ellipsoid_wrench(&e, &s, wrench);
    add_wrench(m, d, frame, wrench, sum);
  }
}

LANE_FN void ct_fluid_wrench(const mjModel* m, const mjData* d, int b, mjtNum wrench[6]) {
  fluid_on_body(m, d, b, wrench);
}

LANE_FN static void gather_fluid(const mjModel* m, mjData* d, int b, mjtNum* wrench) {
  const ct_Schedule* s = &ct_private(d)->schedule;
  for (int i = s->child_adr[b]; i < s->child_adr[b + 1]; i++) {
    ct_add_to6(wrench + 6 * b, wrench + 6 * s->child[i]);
  }
  int end = m->body_dofadr[b] + m->body_dofnum[b];
  for (int j = m->body_dofadr[b]; j < end; j++) {
    d->qfrc_fluid[j] += ct_dot6(d->cdof + 6 * j, wrench + 6 * b);
  }
}

LANE_FN int ct_fluid(Lane g, const mjModel* m, mjData* d) {
  if (!lane_mark(g, d)) return CT_STACK_FULL;
  mjtNum* wrench = lane_scratch_num(g, d, 6 * (int)m->nbody);
  if (wrench) {
    bool filter = ct_some_asleep(m, d);
    LANE_FOR(i, g, ct_bodies_awake(m, d, filter)) {
      int b = ct_awake_body(d, filter, i);
      fluid_on_body(m, d, b, wrench + 6 * b);
    }
    lane_sync(g);
    LANE_LEVELS_AWAKE_UP(b, g, m, d, filter) {
      if (m->body_treeid[b] >= 0) gather_fluid(m, d, b, wrench);
    }
  }
  lane_free(g, d);
  return wrench ? CT_OK : CT_STACK_FULL;
}

// X takes velocities at the reference point, world axes, to velocities in the frame: w' = R' w, v'
// = R' (v - r x w), r from the reference point to the frame.
LANE_FN static void frame_map(const mjModel* m, const mjData* d, ct_ObjectFrame frame,
                              mjtNum X[36]) {
  mjtNum arm[3];
  ct_zero(X, 36);
  ct_sub3(arm, frame.pos, ct_reference_point(m, d, frame.body));
  for (int i = 0; i < 3; i++) {
    mjtNum axis[3] = {frame.mat[i], frame.mat[3 + i], frame.mat[6 + i]};
    ct_copy3(X + 6 * i, axis);
    ct_cross(X + 6 * (3 + i), arm, axis);  // axis . (w x r) = w . (r x axis)
    ct_copy3(X + 6 * (3 + i) + 3, axis);
  }
}

// Adds X' A X. Row by row of X: with x_i the six numbers that give component i, the sum over i, j
// of A_ij x_i x_j'.
LANE_FN static void add_damping(const mjModel* m, const mjData* d, ct_ObjectFrame frame,
                                const mjtNum A[36], mjtNum sum[36]) {
  mjtNum X[36], AX[36];
  frame_map(m, d, frame, X);
  for (int i = 0; i < 6; i++) {
    for (int k = 0; k < 6; k++) {
      mjtNum total = 0;
      for (int j = 0; j < 6; j++) total += A[6 * i + j] * X[6 * j + k];
      AX[6 * i + k] = total;
    }
  }
  for (int i = 0; i < 6; i++) {
    for (int k = 0; k < 6; k++) {
      for (int j = 0; j < 6; j++) sum[6 * i + k] += X[6 * j + i] * AX[6 * j + k];
    }
  }
}

LANE_INLINE void make_symmetric(mjtNum damping[36]) {
  for (int i = 0; i < 6; i++) {
    for (int j = 0; j < i; j++) {
      mjtNum mean = (damping[6 * i + j] + damping[6 * j + i]) / 2;
      damping[6 * i + j] = damping[6 * j + i] = mean;
    }
  }
}

// What is asked about a shape.
typedef enum { DAMPING, SYMMETRIC_DAMPING, SLOPE } Question;

LANE_FN static void add_shapes(const mjModel* m, const mjData* d, int b, Question question,
                               mjtNum sum[36]) {
  ct_zero(sum, 36);
  if (medium_ignores(m, d, b)) return;
  if (!has_ellipsoids(m, b)) {
    mjtNum local[36] = {0};
    ct_ObjectFrame frame = frame_of(m, d, mjOBJ_BODY, b);
    Medium s = medium_around(m, d, frame);
    Box box = inertia_box(m, b);
    box_damping(&box, &s, local);
    add_damping(m, d, frame, local, sum);
    return;
  }
  int end = m->body_geomadr[b] + m->body_geomnum[b];
  for (int geom = m->body_geomadr[b]; geom < end; geom++) {
    if (m->geom_fluid[mjNFLUID * geom] == 0) continue;
    mjtNum local[36] = {0};
    ct_ObjectFrame frame = frame_of(m, d, mjOBJ_GEOM, geom);
    Medium s = medium_around(m, d, frame);
    Ellipsoid e = ellipsoid_of(m, geom, &s);
    if (question == SLOPE) {
      ellipsoid_slope(&e, &s, local);
    } else {
      ellipsoid_damping(&e, &s, local);
      if (question == SYMMETRIC_DAMPING) make_symmetric(local);
    }
    add_damping(m, d, frame, local, sum);
  }
}

LANE_FN void ct_fluid_damping(const mjModel* m, const mjData* d, int b, bool symmetric,
                              mjtNum damping[36]) {
  add_shapes(m, d, b, symmetric ? SYMMETRIC_DAMPING : DAMPING, damping);
}

LANE_FN void ct_fluid_slope(const mjModel* m, const mjData* d, int b, mjtNum slope[36]) {
  add_shapes(m, d, b, SLOPE, slope);
}

// The change of the damping of a box, which is a diagonal, times a twist in its frame. Damping goes
// by |w| and |v|: at rest, where it has a kink, the change is the mean of both sides, as that of an
// ellipsoid is.
LANE_FN static void bend_box(const Box* box, const Medium* s, const mjtNum twist[6],
                             mjtNum local[36]) {
  for (int i = 0; i < 3 && s->rho > 0; i++) {
    mjtNum turn = s->rho * face_moment(box, i) * 2 / 64, move = s->rho * face_area(box, i);
    local[7 * i] = -turn * ct_sign(s->w[i]) * twist[i];
    local[7 * (3 + i)] = -move * ct_sign(s->v[i]) * twist[3 + i];
  }
}

LANE_FN static void bend_ellipsoid(const Ellipsoid* e, const Medium* s, bool symmetric,
                                   const mjtNum twist[6], mjtNum local[36]) {
  for (int c = 0; c < 6; c++) {
    mjtNum along[6] = {0, 0, 0, 0, 0, 0}, change[36] = {0};
    along[c] = 1;
    ellipsoid_bend(e, s, along, along + 3, change);
    if (symmetric) make_symmetric(change);
    for (int r = 0; r < 6; r++) local[6 * r + c] = ct_dot6(change + 6 * r, twist);
  }
}

LANE_FN static void twist_in_frame(const mjModel* m, const mjData* d, ct_ObjectFrame frame,
                                   const mjtNum twist[6], mjtNum local[6]) {
  mjtNum X[36];
  frame_map(m, d, frame, X);
  for (int i = 0; i < 6; i++) local[i] = ct_dot6(X + 6 * i, twist);
}

LANE_FN void ct_fluid_bend(const mjModel* m, const mjData* d, int b, bool symmetric,
                           const mjtNum twist[6], mjtNum bend[36]) {
  mjtNum seen[6];
  ct_zero(bend, 36);
  if (medium_ignores(m, d, b)) return;
  if (!has_ellipsoids(m, b)) {
    mjtNum local[36] = {0};
    ct_ObjectFrame frame = frame_of(m, d, mjOBJ_BODY, b);
    Medium s = medium_around(m, d, frame);
    Box box = inertia_box(m, b);
    twist_in_frame(m, d, frame, twist, seen);
    bend_box(&box, &s, seen, local);
    add_damping(m, d, frame, local, bend);
    return;
  }
  int end = m->body_geomadr[b] + m->body_geomnum[b];
  for (int geom = m->body_geomadr[b]; geom < end; geom++) {
    if (m->geom_fluid[mjNFLUID * geom] == 0) continue;
    mjtNum local[36];
    ct_ObjectFrame frame = frame_of(m, d, mjOBJ_GEOM, geom);
    Medium s = medium_around(m, d, frame);
    Ellipsoid e = ellipsoid_of(m, geom, &s);
    twist_in_frame(m, d, frame, twist, seen);
    bend_ellipsoid(&e, &s, symmetric, seen, local);
    add_damping(m, d, frame, local, bend);
  }
}
