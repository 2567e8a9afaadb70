// Second derivatives of the lengths of tendons.
//
//   Gamma_ij = dJ_i/dq_j        J the row of the tendon; zero for fixed tendons
//   out   length_v, length_a    v' Gamma and a' Gamma, for dampers, actuators and rows
//         rhs                   f Gamma, f being all that acts along the tendon
//
// A straight piece from point 0 to point 1, direction n and length l, has J = n.(J1 - J0), so
//
//   Gamma = (J1 - J0)'(1 - n n')(J1 - J0) / l + n.d(J1 - J0).
//
// A piece that bends round a geom leaves it in two directions: with sigma_e the motion of site e
// seen from the geom, J = -n0.sigma0 + n1.sigma1, and what is needed beyond that is how each n_e
// turns. It turns with the geom, and by its own: m being the normal of the surface where it
// touches, l_e the free length, s = (-1, +1),
//
//   sphere    s_e [m (m.sigma_e) + N (N.sigma_e - alpha N.sigma0 - beta N.sigma1)] / l_e
//             N normal to the plane of the path, touching point = alpha p0 + beta p1
//   cylinder  cos psi s_e m (m.sigma_e) / l_xy + (cos psi z - sin psi t_e) dpsi
//             psi the slope of the unrolled path, t_e its direction across the axis z
//
// On the inside of a geom the string touches it in one point x, which moves with the sites by dx:
// n_e turns by s_e (1 - n_e n_e')(sigma_e - dx) / l_e. The engine finds x by an iteration that
// stops at 1e-6, so what is differentiated is that (ct_wrap_inside_slope), and the length changes
// by (n0 - n1).dx more than J says, which is zero only in the best place.
//
// Not symmetric for dofs of ball and free joints, whose axes turn with the body.
//
// Three places have none of that: two sites in one point, and two sites in line with the centre of
// a sphere, round which all ways are equally short, where the length is the tip of a cone; and a
// site on the surface round which the path is to go, where its direction turns infinitely fast.

#include <corten/derivative.h>

#include "collide/shape.h"
#include "derive/slopes.h"
#include "derive/tendon_row.h"
#include "engine/smooth/passive.h"
#include "engine/smooth/tendon.h"
#include "engine/smooth/wrap.h"
#include "math/mat.h"
#include "math/strict.h"

// How far from the places without derivative rounding still leaves one: the sine between the
// directions to both ends from the centre of a sphere, and the length of a free part in radii,
// which is the root of a difference of squares.
#ifdef mjUSESINGLE
#define LEAST_SINE ((mjtNum)1e-3)
#define LEAST_FREE ((mjtNum)1e-2)
#define LEAST_LENGTH ((mjtNum)1e-6)
#else
#define LEAST_SINE ((mjtNum)1e-8)
#define LEAST_FREE ((mjtNum)1e-5)
#define LEAST_LENGTH ((mjtNum)1e-15)
#endif

typedef struct {           // a piece between two sites
  int body[2], geom_body;  // geom_body -1: straight
  const mjtNum* point[2];  // of the sites
  mjtNum touch[2][3];      // on the geom
  mjtNum n[2][3];          // directions at both ends
  mjtNum length[2];        // free lengths
  bool cylinder, inside;
  mjtNum on_circle[4];          // how a touching point on the inside turns, see wrap.h
  mjtNum plane[9];              // axes of the circle and its normal, in rows
  const mjtNum *centre, *axes;  // of the geom
  mjtNum scale;                 // 1 / divisor
  bool singular;                // has no second derivative
} Piece;

typedef struct {      // what one dof does to it
  mjtNum axis[3];     // rotation
  mjtNum site[2][3];  // motion of the sites
  mjtNum geom[2][3];  // motion of the geom's body at the sites
  mjtNum seen[2][3];  // difference
  mjtNum turn[2][3];  // of the directions
  mjtNum gap;         // slope of the length less that of J
  int moves[2], moves_geom;
} PieceColumn;

LANE_INLINE void load_column(const ct_Slopes* s, const Piece* p, int dof, PieceColumn* c) {
  mjtNum axis[6];
  c->moves_geom = p->geom_body >= 0 && ct_chain_has(ct_chain(s->d, p->geom_body), dof);
  ct_copy3(c->axis, s->d->cdof + 6 * dof);
  for (int e = 0; e < 2; e++) {
    c->moves[e] = ct_chain_has(ct_chain(s->d, p->body[e]), dof);
    ct_axis_at(s, dof, p->point[e], axis);
    ct_scl3(c->site[e], axis + 3, c->moves[e] ? (mjtNum)1 : (mjtNum)0);
    ct_scl3(c->geom[e], axis + 3, c->moves_geom ? (mjtNum)1 : (mjtNum)0);
    ct_sub3(c->seen[e], c->site[e], c->geom[e]);
  }
}

LANE_INLINE void turn_straight(const Piece* p, PieceColumn* c) {
  mjtNum change[3];
  ct_sub3(change, c->seen[1], c->seen[0]);
  ct_add_to_scl3(change, p->n[0], -ct_dot3(p->n[0], change));
  for (int e = 0; e < 2; e++) ct_scl3(c->turn[e], change, 1 / p->length[0]);
}

LANE_FN static void turn_on_sphere(const Piece* p, PieceColumn* c) {
  mjtNum a[3], b[3], N[3];
  ct_sub3(a, p->point[0], p->centre);
  ct_sub3(b, p->point[1], p->centre);
  ct_cross(N, a, b);
  mjtNum area = ct_normalize3(N);
  for (int e = 0; e < 2; e++) {
    mjtNum x[3], normal[3], part[3], sign = e ? (mjtNum)1 : (mjtNum)-1;
    ct_sub3(x, p->touch[e], p->centre);
    ct_cross(part, x, b);
    mjtNum alpha = ct_dot3(N, part) / area;
    ct_cross(part, a, x);
    mjtNum beta = ct_dot3(N, part) / area;
    mjtNum slip = alpha * ct_dot3(N, c->seen[0]) + beta * ct_dot3(N, c->seen[1]);
    ct_copy3(normal, x);
    ct_normalize3(normal);
    ct_scl3(c->turn[e], normal, sign * ct_dot3(normal, c->seen[e]) / p->length[e]);
    ct_add_to_scl3(c->turn[e], N, sign * (ct_dot3(N, c->seen[e]) - slip) / p->length[e]);
  }
}

// A path that climbs less along the axis is as good as flat.
#define LEAST_RISE ((mjtNum)1e-3)

// Length of the path seen along the axis z: two free parts and the arc between them.
LANE_FN static mjtNum flat_length(const Piece* p, const mjtNum z[3], mjtNum cosine) {
  mjtNum normal[2][3], chord[3];
  mjtNum radius = 0;
  for (int e = 0; e < 2; e++) {
    ct_sub3(normal[e], p->touch[e], p->centre);
    ct_add_to_scl3(normal[e], z, -ct_dot3(z, normal[e]));
    radius = ct_normalize3(normal[e]);
  }
  ct_sub3(chord, normal[1], normal[0]);
  mjtNum half = ct_min(1, ct_norm3(chord) / 2);
  mjtNum arc = 2 * ct_atan2(half, ct_sqrt(1 - half * half));
  mjtNum rise = ct_dot3(z, p->n[0]);
  mjtNum climb = ct_dot3(z, p->point[1]) - ct_dot3(z, p->point[0]);
  // an arc of more than half a turn is told from the climb, if there is some
  if (ct_abs(rise) > LEAST_RISE) return climb / rise * cosine;
  return (p->length[0] + p->length[1]) * cosine + radius * arc;
}

LANE_FN static void turn_on_cylinder(const Piece* p, PieceColumn* c) {
  mjtNum z[3], across[2][3], rise[3], moved[3];
  ct_column3(z, p->axes, 2);
  for (int e = 0; e < 2; e++) ct_add_scl3(across[e], p->n[e], z, -ct_dot3(z, p->n[e]));
  mjtNum sine = ct_dot3(z, p->n[0]), cosine = ct_normalize3(across[0]);
  ct_normalize3(across[1]);
  ct_sub3(rise, p->point[1], p->point[0]);
  ct_sub3(moved, c->seen[1], c->seen[0]);
  mjtNum dz = ct_dot3(z, rise), all = flat_length(p, z, cosine);
  mjtNum stretch = ct_dot3(across[1], c->seen[1]) - ct_dot3(across[0], c->seen[0]);
  mjtNum psi = cosine * cosine * (ct_dot3(z, moved) / all - dz / (all * all) * stretch);
  for (int e = 0; e < 2; e++) {
    mjtNum normal[3], way[3], sign = e ? (mjtNum)1 : (mjtNum)-1;
    ct_sub3(normal, p->touch[e], p->centre);
    ct_add_to_scl3(normal, z, -ct_dot3(z, normal));
    ct_normalize3(normal);
    mjtNum free = p->length[e] * cosine;
    ct_scl3(c->turn[e], normal, cosine * sign * ct_dot3(normal, c->seen[e]) / free);
    ct_scl3(way, z, cosine);
    ct_add_to_scl3(way, across[e], -sine);
    ct_add_to_scl3(c->turn[e], way, psi);
  }
}

// Positions and motions of both ends in the plane of the circle.
LANE_INLINE void ends_in_plane(const Piece* p, const mjtNum x[2][3], mjtNum end[2][2]) {
  for (int k = 0; k < 4; k++) end[k / 2][k % 2] = ct_dot3(p->plane + 3 * (k % 2), x[k / 2]);
}

LANE_INLINE void ends_from_centre(const Piece* p, mjtNum x[2][3]) {
  for (int e = 0; e < 2; e++) ct_sub3(x[e], p->point[e], p->centre);
}

// How far a point on the inside of a sphere moves out of the plane: as the ends tilt that.
LANE_FN static mjtNum tilt_on_sphere(const Piece* p, const mjtNum x[3], const PieceColumn* c) {
  const mjtNum* N = p->plane + 6;
  mjtNum ends[2][3], area[3], part[3];
  ends_from_centre(p, ends);
  ct_cross(area, ends[0], ends[1]);
  ct_cross(part, x, ends[1]);
  mjtNum alpha = ct_dot3(N, part);
  ct_cross(part, ends[0], x);
  mjtNum beta = ct_dot3(N, part);
  return (alpha * ct_dot3(N, c->seen[0]) + beta * ct_dot3(N, c->seen[1])) / ct_dot3(N, area);
}

// How far one on the inside of a cylinder moves along its axis: it divides the way between the ends
// as its distances from both in the plane do, of which moved is its motion there.
LANE_FN static mjtNum climb_on_cylinder(const Piece* p, const mjtNum moved[3],
                                        const PieceColumn* c) {
  const mjtNum* z = p->plane + 6;
  mjtNum far[2], change[2], height = ct_dot3(z, p->point[1]) - ct_dot3(z, p->point[0]);
  for (int e = 0; e < 2; e++) {
    mjtNum way[3], rate[3];
    ct_sub3(way, p->touch[0], p->point[e]);
    ct_add_to_scl3(way, z, -ct_dot3(z, way));
    far[e] = ct_normalize3(way);
    ct_sub3(rate, moved, c->seen[e]);
    change[e] = ct_dot3(way, rate);
  }
  mjtNum all = far[0] + far[1], start = ct_dot3(z, c->seen[0]);
  mjtNum share = (change[0] * far[1] - far[0] * change[1]) / (all * all);
  return start + (ct_dot3(z, c->seen[1]) - start) * far[0] / all + height * share;
}

LANE_FN static void turn_inside(const Piece* p, PieceColumn* c) {
  const mjtNum* N = p->plane + 6;
  mjtNum x[3], moved[3], end[2][2], angle = 0;
  ct_sub3(x, p->touch[0], p->centre);
  ends_in_plane(p, (const mjtNum(*)[3])c->seen, end);
  for (int k = 0; k < 4; k++) angle += p->on_circle[k] * end[k / 2][k % 2];
  ct_cross(moved, N, x);
  ct_scl3(moved, moved, angle);
  ct_add_to_scl3(moved, N, p->cylinder ? climb_on_cylinder(p, moved, c) : tilt_on_sphere(p, x, c));
  c->gap = ct_dot3(p->n[0], moved) - ct_dot3(p->n[1], moved);
  for (int e = 0; e < 2; e++) {
    mjtNum change[3], sign = e ? (mjtNum)1 : (mjtNum)-1;
    ct_sub3(change, c->seen[e], moved);
    ct_add_to_scl3(change, p->n[e], -ct_dot3(p->n[e], change));
    ct_scl3(c->turn[e], change, sign / p->length[e]);
  }
}

LANE_FN static void turn_directions(const Piece* p, PieceColumn* c) {
  if (p->geom_body < 0) {
    turn_straight(p, c);
    return;
  }
  if (p->inside) {
    turn_inside(p, c);
  } else if (p->cylinder) {
    turn_on_cylinder(p, c);
  } else {
    turn_on_sphere(p, c);
  }
  for (int e = 0; e < 2 && c->moves_geom; e++) {  // with the geom
    mjtNum turned[3];
    ct_cross(turned, c->axis, p->n[e]);
    ct_add_to3(c->turn[e], turned);
  }
}

// Gamma_ij of a piece.
LANE_FN static mjtNum piece_entry(const ct_Slopes* s, const Piece* p, const PieceColumn* ci, int i,
                                  const PieceColumn* cj, int j) {
  mjtNum sum = 0;
  bool turns = ct_turns_axis(s, j, i);
  for (int e = 0; e < 2; e++) {
    mjtNum part = ct_dot3(ci->seen[e], cj->turn[e]), moved[3], swept[3];
    if (ci->moves[e]) {  // the site's own Jacobian
      ct_zero3(moved);
      if (turns && cj->moves[e]) {
        ct_cross(moved, cj->axis, ci->site[e]);
      } else if (cj->moves[e]) {
        ct_cross(moved, ci->axis, cj->site[e]);
      }
      part += ct_dot3(p->n[e], moved);
    }
    if (ci->moves_geom) {  // that of the geom's body at the moving site
      ct_cross(moved, ci->axis, cj->site[e]);
      if (turns && cj->moves_geom) {
        ct_cross(swept, cj->axis, ci->geom[e]);
        ct_add_to3(moved, swept);
        ct_cross(swept, cj->geom[e], ci->axis);
        ct_add_to3(moved, swept);
      }
      part -= ct_dot3(p->n[e], moved);
    }
    sum += e ? part : -part;
  }
  return sum * p->scale;
}

// Dofs that move a part of the piece. Those that move it as a whole do not change its length, nor
// how others do.
LANE_FN static int list_dofs(const ct_Slopes* s, const Piece* p, int* list) {
  const mjModel* m = s->m;
  int last[3] = {ct_last_dof(m, p->body[0]), ct_last_dof(m, p->body[1]), 0}, count = 0;
  last[2] = p->geom_body >= 0 ? ct_last_dof(m, p->geom_body) : last[0];
  while (last[0] != last[1] || last[0] != last[2]) {
    int most = last[0] > last[1] ? last[0] : last[1];
    most = most > last[2] ? most : last[2];
    for (int k = 0; k < 3; k++) {
      if (last[k] == most) last[k] = m->dof_parentid[most];
    }
    list[count++] = most;
  }
  return count;
}

// What becomes of the entries of pieces: times force they go to R, and their rows times v and a are
// summed; or times scale they go to bend, of whose dofs `driven` are listed.
typedef struct {
  mjtNum force, *by_v, *by_a, *gap;
  bool bends;
  mjtNum scale;
  int driven;
} PieceSink;

LANE_FN static void add_entry(ct_Slopes* s, const PieceSink* to, int i, int j, mjtNum entry) {
  if (to->bends) {
    s->bend[(size_t)i * (size_t)s->nv + (size_t)j] += to->scale * entry;
    return;
  }
  ct_add_slope(s, i, ct_column_q(s, j), to->force * entry);
  to->by_v[j] += s->d->qvel[i] * entry;
  to->by_a[j] += s->acc[i] * entry;
}

// On one chain j turns i, or neither does, by index alone; on different ones it never does.
LANE_FN static void add_piece(ct_Slopes* s, const Piece* p, PieceSink* to) {
  PieceColumn* column = (PieceColumn*)(void*)s->column;
  int count = list_dofs(s, p, s->list);
  if (count && p->singular) {
    *s->reasons |= CT_NO_SLOPE_TENDON;
    return;
  }
  for (int e = 0; e < count; e++) {
    if (to->bends) to->driven = ct_list_driven(s, to->driven, s->list[e]);
    load_column(s, p, s->list[e], column + e);
    turn_directions(p, column + e);
    if (!to->bends && p->geom_body >= 0 && p->inside)
      to->gap[s->list[e]] += p->scale * column[e].gap;
  }
  for (int e = 0; e < count; e++) {
    int i = s->list[e];
    for (int f = 0; f < count; f++) {
      int j = s->list[f];
      add_entry(s, to, i, j, piece_entry(s, p, column + e, i, column + f, j));
    }
  }
}

// Does nothing act along a tendon, and nobody ask for its velocity?
LANE_FN static bool is_idle(const ct_Slopes* s, int t) {
  const mjModel* m = s->m;
  const mjData* d = s->d;
  if (m->tendon_stiffness[t] != 0 || m->tendon_damping[t] != 0) return false;
  if (m->tendon_armature[t] != 0) return false;
  for (int i = 0; i < m->nu; i++) {
    if (m->actuator_trntype[i] == mjTRN_TENDON && m->actuator_trnid[2 * i] == t) return false;
  }
  for (int r = 0; r < d->nefc; r++) {
    int type = d->efc_type[r], id = d->efc_id[r];
    if (type == mjCNSTR_FRICTION_TENDON && id == t) return false;
    if (type == mjCNSTR_LIMIT_TENDON && id == t) return false;
    if (type != mjCNSTR_EQUALITY || m->eq_type[id] != mjEQ_TENDON) continue;
    if (m->eq_obj1id[id] == t || m->eq_obj2id[id] == t) return false;
  }
  for (int i = 0; i < m->nsensor; i++) {
    if (m->sensor_type[i] == mjSENS_TENDONVEL && m->sensor_objid[i] == t) return false;
  }
  return true;
}

// All that acts along a tendon: its spring and damper, actuators, rows.
LANE_FN static mjtNum force_along(const ct_Slopes* s, int t) {
  const mjModel* m = s->m;
  const mjData* d = s->d;
  mjtNum force = 0;
  if (ct_has_passive(m)) {
    if (!(m->opt.disableflags & mjDSBL_SPRING)) force += ct_tendon_spring(m, d, t);
    if (!(m->opt.disableflags & mjDSBL_DAMPER)) force -= m->tendon_damping[t] * d->ten_velocity[t];
  }
  for (int i = 0; i < m->nu && s->acts; i++) {
    bool drives = m->actuator_trntype[i] == mjTRN_TENDON && m->actuator_trnid[2 * i] == t;
    if (drives && !ct_pulls_saturated(m, d, i)) {
      force += m->actuator_gear[6 * i] * d->actuator_force[i];
    }
  }
  for (int r = 0; r < d->nefc; r++) {
    int type = d->efc_type[r], id = d->efc_id[r];
    if (type == mjCNSTR_FRICTION_TENDON && id == t) force += s->force[r];
    if (type == mjCNSTR_LIMIT_TENDON && id == t) force += ct_limit_sign(s, r) * s->force[r];
    if (type == mjCNSTR_EQUALITY && m->eq_type[id] == mjEQ_TENDON) {
      force += ct_equality_slope(s, r, t) * s->force[r];
    }
  }
  return force;
}

LANE_FN static void finish_straight(Piece* p) {
  ct_sub3(p->n[0], p->point[1], p->point[0]);
  p->length[0] = p->length[1] = ct_normalize3(p->n[0]);
  p->singular = !(p->length[0] >= LEAST_LENGTH * ct_max(1, ct_norm3(p->point[0])));
  ct_copy3(p->n[1], p->n[0]);
  p->geom_body = -1;
}

// Are both sites in line with the centre?
LANE_FN static bool is_in_line(const Piece* p) {
  mjtNum a[3], b[3], N[3];
  ct_sub3(a, p->point[0], p->centre);
  ct_sub3(b, p->point[1], p->centre);
  ct_cross(N, a, b);
  return !(ct_norm3(N) >= LEAST_SINE * ct_norm3(a) * ct_norm3(b));
}

// Is the string on the inside, as the engine has it? Then the plane of its circle is needed.
LANE_FN static void open_inside(const ct_Slopes* s, Piece* p, int side, mjtNum radius) {
  mjtNum out[3], ends[2][3], end[2][2];
  ct_sub3(out, s->d->site_xpos + 3 * side, p->centre);
  p->inside = ct_norm3(out) < radius;
  if (!p->inside) return;
  mjtNum *axis0 = p->plane, *axis1 = p->plane + 3, *normal = p->plane + 6;
  ends_from_centre(p, ends);
  if (p->cylinder) {
    for (int k = 0; k < 3; k++) ct_column3(p->plane + 3 * k, p->axes, k);
  } else {
    ct_copy3(axis0, ends[0]);
    ct_normalize3(axis0);
    ct_cross(normal, ends[0], ends[1]);
    ct_normalize3(normal);
    ct_cross(axis1, normal, axis0);
  }
  ends_in_plane(p, (const mjtNum(*)[3])ends, end);
  ct_wrap_inside_slope(radius, (const mjtNum(*)[2])end, p->on_circle);
}

LANE_FN static void finish_wrapped(ct_Slopes* s, Piece* p, int k, const mjtNum* touch) {
  const mjModel* m = s->m;
  int geom = m->wrap_objid[k];
  p->geom_body = m->geom_bodyid[geom];
  p->cylinder = m->wrap_type[k] == mjWRAP_CYLINDER;
  p->centre = s->d->geom_xpos + 3 * geom;
  p->axes = s->d->geom_xmat + 9 * geom;
  ct_copy3(p->touch[0], touch);
  ct_copy3(p->touch[1], touch + 3);
  ct_sub3(p->n[0], p->touch[0], p->point[0]);
  ct_sub3(p->n[1], p->point[1], p->touch[1]);
  p->singular = !p->cylinder && is_in_line(p);
  for (int e = 0; e < 2; e++) {
    p->length[e] = ct_normalize3(p->n[e]);
    p->singular = p->singular || !(p->length[e] >= LEAST_FREE * m->geom_size[3 * geom]);
  }

  int side = ct_wrap_side(m, k);
  p->inside = false;
  if (side >= 0) open_inside(s, p, side, m->geom_size[3 * geom]);
}

LANE_FN static void walk_tendon(ct_Slopes* s, int t, PieceSink* to) {
  const mjModel* m = s->m;
  const mjData* d = s->d;
  int first = m->tendon_adr[t], end = first + m->tendon_num[t], at = d->ten_wrapadr[t];
  mjtNum scale = 1;
  for (int k = first, before = -1; k < end; k++) {
    if (ct_is_wrap_geom(m, k)) continue;
    if (m->wrap_type[k] == mjWRAP_PULLEY) {
      scale = 1 / m->wrap_prm[k];
      before = -1;
      at++;
      continue;
    }
    bool touched = d->wrap_obj[at] >= 0;
    if (before >= 0) {
      Piece p;
      int site0 = m->wrap_objid[before], site1 = m->wrap_objid[k];
      p.body[0] = m->site_bodyid[site0];
      p.body[1] = m->site_bodyid[site1];
      p.point[0] = d->site_xpos + 3 * site0;
      p.point[1] = d->site_xpos + 3 * site1;
      p.scale = scale;
      if (touched) {
        finish_wrapped(s, &p, k - 1, d->wrap_xpos + 3 * at);
      } else {
        finish_straight(&p);
      }
      add_piece(s, &p, to);
    }
    at += touched ? 3 : 1;
    before = k;
  }
}

LANE_FN int ct_tendon_bend(ct_Slopes* s, int t, mjtNum scale, int count) {
  PieceSink to = {0, NULL, NULL, NULL, true, scale, count};
  if (ct_is_spatial(s->m, t)) walk_tendon(s, t, &to);
  return to.driven;
}

LANE_FN void ct_tendon_slopes(Lane g, ct_Slopes* s) {
  const mjModel* m = s->m;
  LANE_FOR(e, g, m->ntendon * m->nv) {
    s->length_v[e] = s->length_a[e] = s->length_gap[e] = 0;
  }
  lane_sync(g);
  LANE_ALONE(g) {
    for (int t = 0; t < m->ntendon; t++) {
      size_t row = (size_t)t * (size_t)s->nv;
      if (!ct_is_spatial(m, t)) continue;
      if (is_idle(s, t)) continue;
      PieceSink to = {force_along(s, t),
                      s->length_v + row,
                      s->length_a + row,
                      s->length_gap + row,
                      false,
                      0,
                      0};
      walk_tendon(s, t, &to);
    }
  }
}
