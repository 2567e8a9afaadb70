// How the forces of tendons with inertia change: a J' (J qacc + c) with c = dJ/dt qvel, along a
// path through sites. Such a path has no geoms; tendons over joints have constant J and no c.
//
//   M x     a J_i sum J_j x_j over the j for which M has a place (i, j), so that with p_i that sum
//           d(M x)_i = a (J_i sum x_j dJ_j + dJ_i p_i)
//   c       v'Gamma v, by v: Gamma v + Gamma'v; by q it is found from the pieces: with u the
//           velocity of one end relative to the other and w the same of accelerations at qacc = 0
//
//             c = n.w + (u.u - (n.u)^2) / l
//
// where for the point of a body (V, A: its twist and the sum of S'_k v_k) that dof j moves
//
//   dV = S_j x (V - V_j),   dA = S_j x (A - A_j) + S'_j x (V - V_j),   V_j, A_j the sums before j

#include "derive/step_work.h"
#include "engine/smooth/tendon.h"

// Places of M, of which the lower half is stored.
LANE_FN static bool has_place(const mjModel* m, int i, int j) {
  int row = i > j ? i : j, wanted = i > j ? j : i;
  for (int e = m->M_rowadr[row]; e < m->M_rowadr[row] + m->M_rownnz[row]; e++) {
    if (m->M_colind[e] == wanted) return true;
  }
  return false;
}

LANE_INLINE bool has_bent_inertia(const mjModel* m, int t) {
  return m->tendon_armature[t] != 0 && ct_is_spatial(m, t);
}

// Row i of d(M x)/dq without its factor a, in `row`; ct_damper_slopes has told of the tendon.
LANE_FN static void inertial_row(const ct_Slopes* s, int i, int count, const mjtNum* x,
                                 mjtNum* row) {
  size_t nv = (size_t)s->nv;
  mjtNum p = 0, mine = s->lever[i];
  for (int f = 0; f < count; f++) row[s->driven[f]] = 0;
  for (int e = 0; e < count; e++) {
    int j = s->driven[e];
    if (!has_place(s->m, i, j)) continue;
    p += s->lever[j] * x[j];
    for (int f = 0; f < count; f++) {
      int c = s->driven[f];
      row[c] += mine * x[j] * s->bend[(size_t)j * nv + (size_t)c];
    }
  }
  for (int f = 0; f < count; f++) {
    int c = s->driven[f];
    row[c] += s->bend[(size_t)i * nv + (size_t)c] * p;
  }
}

// One end of a piece: velocity and acceleration of its point, and how dof j changes them.
typedef struct {
  int body;
  const mjtNum* point;
  mjtNum twist[6], rate[6], velocity[3], acceleration[3];
} PathEnd;

typedef struct {
  mjtNum shift[3], velocity[3], acceleration[3];
} EndChange;

// V and A of all dofs of the body before dof `end`, at the point.
LANE_FN static void sums_before(const ct_Slopes* s, const PathEnd* e, int end, mjtNum twist[6],
                                mjtNum rate[6]) {
  const mjData* d = s->d;
  const mjtNum* origin = ct_reference_point(s->m, d, e->body);
  ct_zero6(twist);
  ct_zero6(rate);
  for (int k = ct_last_dof(s->m, e->body); k >= 0; k = s->m->dof_parentid[k]) {
    if (k >= end) continue;
    mjtNum turned[6];
    ct_cross_motion(turned, s->speed_before + 6 * k, d->cdof + 6 * k);
    ct_add_to_scl6(twist, d->cdof + 6 * k, d->qvel[k]);
    ct_add_to_scl6(rate, turned, d->qvel[k]);
  }
  ct_transform_motion(twist, twist, e->point, origin, NULL);
  ct_transform_motion(rate, rate, e->point, origin, NULL);
}

LANE_FN static PathEnd open_end(const ct_Slopes* s, int site) {
  PathEnd e;
  e.body = s->m->site_bodyid[site];
  e.point = s->d->site_xpos + 3 * site;
  sums_before(s, &e, s->nv, e.twist, e.rate);
  ct_copy3(e.velocity, e.twist + 3);
  ct_cross(e.acceleration, e.twist, e.velocity);
  ct_add_to3(e.acceleration, e.rate + 3);
  return e;
}

LANE_FN static void change_end(const ct_Slopes* s, const PathEnd* e, int j, EndChange* c) {
  mjtNum axis[6], twist[6], rate[6], turned[6], dV[6], dA[6], part[6];
  ct_zero3(c->shift);
  ct_zero3(c->velocity);
  ct_zero3(c->acceleration);
  if (!ct_chain_has(ct_chain(s->d, e->body), j)) return;
  ct_axis_at(s, j, e->point, axis);
  sums_before(s, e, s->first[j], twist, rate);
  ct_cross_motion(turned, twist, axis);  // S'_j
  for (int k = 0; k < 6; k++) {
    twist[k] = e->twist[k] - twist[k];
    rate[k] = e->rate[k] - rate[k];
  }
  ct_cross_motion(dV, axis, twist);
  ct_cross_motion(dA, axis, rate);
  ct_cross_motion(part, turned, twist);
  ct_add_to6(dA, part);

  // of the point, which moves too
  ct_copy3(c->shift, axis + 3);
  ct_cross(c->velocity, e->twist, c->shift);
  ct_add_to3(c->velocity, dV + 3);
  ct_cross(c->acceleration, e->rate, c->shift);
  ct_add_to3(c->acceleration, dA + 3);
  ct_cross(part, dV, e->velocity);
  ct_add_to3(c->acceleration, part);
  ct_cross(part, e->twist, c->velocity);
  ct_add_to3(c->acceleration, part);
}

// dc/dq of one piece, added to `by`.
LANE_FN static void piece_change(const ct_Slopes* s, int site0, int site1, mjtNum scale, int count,
                                 mjtNum* by) {
  PathEnd e0 = open_end(s, site0), e1 = open_end(s, site1);
  mjtNum n[3], u[3], w[3];
  ct_sub3(n, e1.point, e0.point);
  mjtNum length = ct_normalize3(n);
  if (!(length > mjMINVAL)) return;  // has no second derivative either
  ct_sub3(u, e1.velocity, e0.velocity);
  ct_sub3(w, e1.acceleration, e0.acceleration);
  mjtNum along = ct_dot3(n, u), square = ct_dot3(u, u) - along * along;
  for (int f = 0; f < count; f++) {
    int j = s->driven[f];
    EndChange c0, c1;
    mjtNum dn[3], du[3], dw[3];
    change_end(s, &e0, j, &c0);
    change_end(s, &e1, j, &c1);
    ct_sub3(dn, c1.shift, c0.shift);
    ct_sub3(du, c1.velocity, c0.velocity);
    ct_sub3(dw, c1.acceleration, c0.acceleration);
    mjtNum longer = ct_dot3(n, dn);
    ct_add_to_scl3(dn, n, -longer);
    ct_scl3(dn, dn, 1 / length);
    mjtNum faster = ct_dot3(dn, u) + ct_dot3(n, du);
    mjtNum change = ct_dot3(dn, w) + ct_dot3(n, dw);
    change += 2 * (ct_dot3(u, du) - along * faster) / length - square * longer / (length * length);
    by[j] += scale * change;
  }
}

LANE_FN static void path_change(const ct_Slopes* s, int t, int count, mjtNum* by) {
  const mjModel* m = s->m;
  int first = m->tendon_adr[t], before = -1;
  mjtNum scale = 1;
  for (int f = 0; f < count; f++) by[s->driven[f]] = 0;
  for (int k = first; k < first + m->tendon_num[t]; k++) {
    if (m->wrap_type[k] == mjWRAP_PULLEY) scale = 1 / m->wrap_prm[k];
    if (m->wrap_type[k] == mjWRAP_SITE && before >= 0) {
      piece_change(s, before, m->wrap_objid[k], scale, count, by);
    }
    before = m->wrap_type[k] == mjWRAP_SITE ? m->wrap_objid[k] : -1;
  }
}

LANE_FN static void one_tendon(ct_Slopes* s, int t) {
  mjtNum armature = s->m->tendon_armature[t], *row = s->row, *by = s->stretch, c = 0;
  int count = ct_damper_slopes(s, t);
  size_t nv = (size_t)s->nv;
  const mjtNum* v = s->d->qvel;
  path_change(s, t, count, by);
  for (int k = 0; k < count * count; k++) {
    int i = s->driven[k / count], j = s->driven[k % count];
    c += v[i] * s->bend[(size_t)i * nv + (size_t)j] * v[j];
  }
  for (int e = 0; e < count; e++) {
    int i = s->driven[e];
    inertial_row(s, i, count, s->acc, row);
    for (int f = 0; f < count; f++) {
      int j = s->driven[f];
      mjtNum faster = 0;
      for (int k = 0; k < count; k++) {
        size_t l = (size_t)s->driven[k];
        faster += v[l] * (s->bend[(size_t)j * nv + l] + s->bend[l * nv + (size_t)j]);
      }
      mjtNum by_q = row[j] + s->bend[(size_t)i * nv + (size_t)j] * c + s->lever[i] * by[j];
      ct_add_slope(s, i, ct_column_q(s, j), -armature * by_q);
      ct_add_slope(s, i, ct_column_v(s, j), -armature * s->lever[i] * faster);
    }
  }
}

LANE_FN void ct_tendon_inertia_slopes(Lane g, ct_Slopes* s) {
  LANE_ALONE(g) {
    for (int t = 0; t < s->m->ntendon; t++) {
      if (has_bent_inertia(s->m, t)) one_tendon(s, t);
    }
  }
}

LANE_FN void ct_tendon_inertia_other(Lane g, ct_StepWork* w) {
  ct_Slopes* s = &w->s;
  LANE_ALONE(g) {
    for (int t = 0; t < s->m->ntendon; t++) {
      if (!has_bent_inertia(s->m, t)) continue;
      int count = ct_damper_slopes(s, t);
      for (int e = 0; e < count; e++) {
        int i = s->driven[e];
        inertial_row(s, i, count, w->rest, s->row);
        for (int f = 0; f < count; f++) {
          int j = s->driven[f], column = ct_column_q(s, j);
          mjtNum x = s->m->tendon_armature[t] * s->row[j];
          if (s->y) {
            s->by[column] += w->across[i] * x;
          } else {
            w->other[(size_t)i * (size_t)s->width + (size_t)column] += x;
          }
        }
      }
    }
  }
}
