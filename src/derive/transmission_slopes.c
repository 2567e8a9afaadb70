// How the moment row of an actuator changes with the position, and its length.
//
//   m      moment row, forces on dofs are m f
//   bend   dm_i/dq_j, not symmetric: axes of ball and free joints turn with the body
//   stretch  dl/dq_j, which is m only for hinges, slides, tendons and slider-cranks: the rotation
//          that a ball joint or two sites make is no gradient, and sites and bodies have length 0
//
//   joint      the row of a ball or free joint given in the parent's axes turns
//   tendon     gear times the second derivative of the length (tendon_slopes.c)
//   site       a wrench that is fixed in the frame of the site
//   two ends   a site and its reference site, or crank and slider, see below
//   body       adhesion: the mean of the normals of its contacts

#include <corten/derivative.h>

#include "derive/contact_motion.h"
#include "derive/slopes.h"
#include "derive/tendon_row.h"
#include "math/quat_derivatives.h"

// Lists a dof, with zeros in its rows and columns of bend.
LANE_FN int ct_list_driven(ct_Slopes* s, int count, int dof) {
  size_t nv = (size_t)s->nv, k = (size_t)dof;
  for (int e = 0; e < count; e++) {
    if (s->driven[e] == dof) return count;
  }
  s->driven[count] = dof;
  s->lever[k] = s->stretch[k] = 0;
  for (int e = 0; e <= count; e++) {
    s->bend[k * nv + (size_t)s->driven[e]] = s->bend[(size_t)s->driven[e] * nv + k] = 0;
  }
  return count + 1;
}

LANE_FN static int list_chain(ct_Slopes* s, int count, int body) {
  for (int j = ct_last_dof(s->m, body); j >= 0; j = s->m->dof_parentid[j]) {
    count = ct_list_driven(s, count, j);
  }
  return count;
}

LANE_INLINE mjtNum* bend_entry(const ct_Slopes* s, int i, int j) {
  return s->bend + (size_t)i * (size_t)s->nv + (size_t)j;
}

// The dofs of a moment row and its numbers.
LANE_FN static int list_row(ct_Slopes* s, int i) {
  const mjData* d = s->d;
  int count = 0, start = d->moment_rowadr[i], end = start + d->moment_rownnz[i];
  for (int e = start; e < end; e++) {
    if (d->actuator_moment[e] == 0) continue;
    count = ct_list_driven(s, count, d->moment_colind[e]);
    s->lever[d->moment_colind[e]] = d->actuator_moment[e];
  }
  return count;
}

// Is the moment row the gradient of the length?
LANE_FN static void stretch_along_row(ct_Slopes* s, int count) {
  for (int e = 0; e < count; e++) s->stretch[s->driven[e]] = s->lever[s->driven[e]];
}

// A ball or free joint. Its rotation vector along the row is the length, of a free joint there is
// none; given in the parent's axes, the row turns.
LANE_FN static int rotating_joint(ct_Slopes* s, int i, int count) {
  const mjModel* m = s->m;
  const mjData* d = s->d;
  int joint = m->actuator_trnid[2 * i], type = m->jnt_type[joint];
  int turn = type == mjJNT_FREE ? 3 : 0, dof = m->jnt_dofadr[joint] + turn;
  const mjtNum* row = d->actuator_moment + d->moment_rowadr[i] + turn;
  mjtNum turned[9], by_turn[9], unit[4], vec[3];
  for (int k = 0; k < 3; k++) count = ct_list_driven(s, count, dof + k);
  ct_zero(turned, 9);
  if (m->actuator_trntype[i] == mjTRN_JOINTINPARENT) ct_skew_polynomial(turned, row, 0, 1, 0);
  for (int k = 0; k < 9; k++) *bend_entry(s, dof + k / 3, dof + k % 3) = turned[k];
  if (type != mjJNT_BALL) return count;
  const mjtNum none[4] = {1, 0, 0, 0};
  ct_copy4(unit, d->qpos + m->jnt_qposadr[joint]);
  ct_normalize4(unit);
  ct_quat_to_vel(vec, unit, 1);
  ct_deriv_sub_quat(by_turn, unit, none);
  for (int k = 0; k < 9; k++) {
    s->stretch[dof + k % 3] += row[k / 3] * by_turn[k] + vec[k / 3] * turned[k];
  }
  return count;
}

// A force and torque fixed in the frame of a site: w stays with the body, so only rows above a dof
// see it move, by S_j x* w.
LANE_FN static int site_wrench(ct_Slopes* s, int i, int count) {
  const mjModel* m = s->m;
  const mjData* d = s->d;
  int site = m->actuator_trnid[2 * i], body = m->site_bodyid[site], last = ct_last_dof(m, body);
  const mjtNum *gear = m->actuator_gear + 6 * i, *point = d->site_xpos + 3 * site;
  mjtNum w[6], axis[6], moved[6], other[6];
  ct_mul_mat_vec3(w + 3, d->site_xmat + 9 * site, gear);
  ct_mul_mat_vec3(w, d->site_xmat + 9 * site, gear + 3);
  count = list_chain(s, count, body);
  for (int j = last; j >= 0; j = m->dof_parentid[j]) {
    ct_axis_at(s, j, point, axis);
    ct_cross_force(moved, axis, w);
    for (int k = last; k >= 0; k = m->dof_parentid[k]) {
      if (ct_turns_axis(s, j, k)) continue;
      ct_axis_at(s, k, point, other);
      *bend_entry(s, k, j) = ct_dot6(other, moved);
    }
  }
  return count;
}

// Two ends that an actuator acts between: a site and its reference site, or crank and slider. Each
// has a wrench (T; F) at its point, and m_i = S_i.(T; F) for the dofs i that move only this end:
//
//   dm_i/dq_j = S_i.(dT + dx x F; dF) - S_i.(S_j x* (T; F)), the last if j turns i
//
// with dx the motion of the point.
typedef struct {
  int site[2], body[2];
  const mjtNum* point[2];
  mjtNum wrench[2][6];
} EndPair;

typedef struct {  // what dof j does to it
  bool moves[2];
  mjtNum turn[2][3], shift[2][3];  // of both ends
  mjtNum wrench[2][6];
  mjtNum length;
} EndMotion;

// l = v.a - sqrt((v.a)^2 + r^2 - v.v), v from slider to crank, a the axis of the slider; without
// the root where the rod does not reach. Gradients by v and a are (k a + v/root, k v), k = 1 -
// v.a/root.
typedef struct {
  mjtNum v[3], a[3];
  mjtNum along, root, k;  // root 0: none
  mjtNum by_v[3], by_a[3];
} Crank;

LANE_FN static Crank open_crank(const ct_Slopes* s, int i, const EndPair* p) {
  const mjtNum* mat = s->d->site_xmat + 9 * p->site[1];
  mjtNum rod = s->m->actuator_cranklength[i];
  Crank c;
  for (int k = 0; k < 3; k++) c.a[k] = mat[3 * k + 2];
  ct_sub3(c.v, p->point[0], p->point[1]);
  c.along = ct_dot3(c.a, c.v);
  mjtNum det = c.along * c.along + rod * rod - ct_dot3(c.v, c.v);
  c.root = det > 0 ? ct_sqrt(det) : 0;
  c.k = det > 0 ? 1 - c.along / c.root : 1;
  ct_scl3(c.by_v, c.a, c.k);
  if (det > 0) ct_add_to_scl3(c.by_v, c.v, 1 / c.root);
  ct_scl3(c.by_a, c.v, c.k);
  return c;
}

LANE_FN static void crank_motion(const Crank* c, mjtNum gear, EndMotion* e) {
  mjtNum dv[3], da[3], by_v[3], by_a[3], part[3];
  ct_sub3(dv, e->shift[0], e->shift[1]);
  ct_cross(da, e->turn[1], c->a);
  e->length = gear * (ct_dot3(c->by_v, dv) + ct_dot3(c->by_a, da));
  mjtNum dk = 0, inverse = c->root > 0 ? 1 / c->root : 0;
  if (c->root > 0) {
    mjtNum along = ct_dot3(da, c->v) + ct_dot3(c->a, dv);
    mjtNum root = (c->along * along - ct_dot3(c->v, dv)) * inverse;
    dk = (c->along * root * inverse - along) * inverse;
    ct_scl3(by_v, c->v, -root * inverse * inverse);
    ct_add_to_scl3(by_v, dv, inverse);
  } else {
    ct_zero3(by_v);
  }
  ct_add_to_scl3(by_v, c->a, dk);
  ct_add_to_scl3(by_v, da, c->k);
  ct_scl3(by_a, c->v, dk);
  ct_add_to_scl3(by_a, dv, c->k);
  ct_zero3(e->wrench[0]);
  ct_scl3(e->wrench[0] + 3, by_v, gear);
  ct_scl3(e->wrench[1] + 3, by_v, -gear);
  ct_cross(e->wrench[1], da, c->by_a);
  ct_cross(part, c->a, by_a);
  ct_add_to3(e->wrench[1], part);
  ct_scl3(e->wrench[1], e->wrench[1], gear);
}

// How the rotation vector between the ends, as transmissions measure it, changes along gear.
LANE_FN static mjtNum turn_length(const ct_Slopes* s, const mjtNum* gear, const EndPair* p,
                                  const EndMotion* e) {
  const mjModel* m = s->m;
  mjtNum quat[2][4], by_turn[9], local[3], along[3], sum = 0;
  for (int k = 0; k < 2; k++) {
    ct_mul_quat(quat[k], m->site_quat + 4 * p->site[k], s->d->xquat + 4 * p->body[k]);
  }
  ct_deriv_sub_quat(by_turn, quat[0], quat[1]);
  for (int k = 0; k < 2; k++) {
    ct_mul_mat_t_vec3(local, s->d->xmat + 9 * p->body[k], e->turn[k]);
    if (k == 0) {
      ct_mul_mat_vec3(along, by_turn, local);
    } else {
      ct_mul_mat_t_vec3(along, by_turn, local);
    }
    sum += k ? -ct_dot3(gear, along) : ct_dot3(gear, along);
  }
  return sum;
}

// Force and torque turn with the reference site.
LANE_FN static void reference_motion(const ct_Slopes* s, const mjtNum* gear, const EndPair* p,
                                     EndMotion* e) {
  mjtNum dx[3], offset[3];
  for (int k = 0; k < 2; k++) {
    ct_cross(e->wrench[k], e->turn[1], p->wrench[k]);
    ct_cross(e->wrench[k] + 3, e->turn[1], p->wrench[k] + 3);
  }
  ct_sub3(dx, e->shift[0], e->shift[1]);
  ct_sub3(offset, p->point[0], p->point[1]);
  e->length = ct_dot3(p->wrench[0] + 3, dx) + ct_dot3(offset, e->wrench[0] + 3);
  if (gear[3] != 0 || gear[4] != 0 || gear[5] != 0) e->length += turn_length(s, gear + 3, p, e);
}

LANE_FN static EndPair open_pair(const ct_Slopes* s, int i, const Crank* crank) {
  const mjModel* m = s->m;
  const mjtNum* gear = m->actuator_gear + 6 * i;
  EndPair p;
  for (int k = 0; k < 2; k++) {
    p.site[k] = m->actuator_trnid[2 * i + k];
    p.body[k] = m->site_bodyid[p.site[k]];
    p.point[k] = s->d->site_xpos + 3 * p.site[k];
    mjtNum sign = k ? (mjtNum)-1 : (mjtNum)1;
    if (crank) {
      ct_scl3(p.wrench[k] + 3, crank->by_v, sign * gear[0]);
      ct_zero3(p.wrench[k]);
      if (k) ct_cross(p.wrench[k], crank->a, crank->by_a);
      ct_scl3(p.wrench[k], p.wrench[k], gear[0]);
    } else {
      const mjtNum* mat = s->d->site_xmat + 9 * m->actuator_trnid[2 * i + 1];
      ct_mul_mat_vec3(p.wrench[k] + 3, mat, gear);
      ct_mul_mat_vec3(p.wrench[k], mat, gear + 3);
      for (int c = 0; c < 6; c++) p.wrench[k][c] *= sign;
    }
  }
  return p;
}

LANE_FN static void end_motion(const ct_Slopes* s, const EndPair* p, int j, EndMotion* e) {
  for (int k = 0; k < 2; k++) {
    mjtNum axis[6];
    e->moves[k] = ct_chain_has(ct_chain(s->d, p->body[k]), j);
    ct_axis_at(s, j, p->point[k], axis);
    mjtNum scale = e->moves[k] ? (mjtNum)1 : (mjtNum)0;
    ct_scl3(e->turn[k], axis, scale);
    ct_scl3(e->shift[k], axis + 3, scale);
  }
}

// dm_i/dq_j of a dof i that moves end k.
LANE_FN static mjtNum end_entry(const ct_Slopes* s, const EndPair* p, const EndMotion* e, int k,
                                int i, int j) {
  mjtNum mine[6], change[6], part[6], axis[6];
  ct_axis_at(s, i, p->point[k], mine);
  ct_copy6(change, e->wrench[k]);
  ct_cross(part, e->shift[k], p->wrench[k] + 3);
  ct_add_to3(change, part);
  if (e->moves[k] && ct_turns_axis(s, j, i)) {  // then they are on one chain
    ct_axis_at(s, j, p->point[k], axis);
    ct_cross_force(part, axis, p->wrench[k]);
    for (int c = 0; c < 6; c++) change[c] -= part[c];
  }
  return ct_dot6(mine, change);
}

// Dofs that move both ends change no moment; but the length of a pair with a reference site, whose
// turn is not measured between the sites themselves.
LANE_INLINE bool moves_both(const ct_Slopes* s, const EndPair* p, int dof) {
  return ct_chain_has(ct_chain(s->d, p->body[0]), dof) &&
         ct_chain_has(ct_chain(s->d, p->body[1]), dof);
}

LANE_FN static void pair_column(ct_Slopes* s, const EndPair* p, const EndMotion* e, int j) {
  const mjModel* m = s->m;
  s->stretch[j] = e->length;
  if (moves_both(s, p, j)) return;
  for (int k = 0; k < 2; k++) {
    for (int dof = ct_last_dof(m, p->body[k]); dof >= 0; dof = m->dof_parentid[dof]) {
      if (moves_both(s, p, dof)) break;
      *bend_entry(s, dof, j) += end_entry(s, p, e, k, dof, j);
    }
  }
}

LANE_FN static int end_pair(ct_Slopes* s, int i, int count) {
  const mjModel* m = s->m;
  const mjtNum* gear = m->actuator_gear + 6 * i;
  bool crank = m->actuator_trntype[i] == mjTRN_SLIDERCRANK;
  EndPair p = open_pair(s, i, NULL);
  Crank c;
  if (crank) {
    c = open_crank(s, i, &p);
    p = open_pair(s, i, &c);
  }
  for (int k = 0; k < 2; k++) count = list_chain(s, count, p.body[k]);
  for (int f = 0; f < count; f++) {
    EndMotion e;
    end_motion(s, &p, s->driven[f], &e);
    if (crank) {
      crank_motion(&c, gear[0], &e);
    } else {
      reference_motion(s, gear, &p, &e);
    }
    pair_column(s, &p, &e, s->driven[f]);
  }
  return count;
}

// Adhesion. The normal n of a contact acts at its point p on both bodies,
//
//   m_i = n.(L1_i - L0_i),   dm_i = dn.(L1_i - L0_i) + n.(d(L1_i) - d(L0_i)),
//
// L_i being the velocity of the body there: d(L_i) = (S_j x S_i) at p, if j turns i, + w_i x dp.
typedef struct {
  int body[2];
  mjtNum turn[3], shift[3];  // of the frame and the point, by dof j
} NormalMotion;

LANE_FN static void normal_motion(const ct_Slopes* s, const mjContact* con, int j,
                                  NormalMotion* u) {
  const ct_ContactMotion* motion = (const ct_ContactMotion*)(const void*)s->motion;
  mjtNum axis[6];
  ct_axis_at(s, j, con->pos, axis);
  ct_zero3(u->turn);
  ct_zero3(u->shift);
  for (int side = 0; side < 2; side++) {
    if (!ct_chain_has(ct_chain(s->d, u->body[side]), j)) continue;
    for (int k = 0; k < 6; k++) {
      ct_add_to_scl3(u->turn, motion->turn[side][k], axis[k]);
      ct_add_to_scl3(u->shift, motion->point[side][k], axis[k]);
    }
  }
}

LANE_FN static mjtNum normal_entry(const ct_Slopes* s, const mjContact* con, const NormalMotion* u,
                                   int i, int j) {
  mjtNum mine[6], axis[6], moved[6], dn[3], swept[3], sum = 0;
  ct_axis_at(s, i, con->pos, mine);
  ct_axis_at(s, j, con->pos, axis);
  ct_cross_motion(moved, axis, mine);
  ct_cross(dn, u->turn, con->frame);
  ct_cross(swept, mine, u->shift);
  for (int side = 0; side < 2; side++) {
    if (!ct_chain_has(ct_chain(s->d, u->body[side]), i)) continue;
    mjtNum part = ct_dot3(dn, mine + 3) + ct_dot3(con->frame, swept);
    bool turns = ct_chain_has(ct_chain(s->d, u->body[side]), j) && ct_turns_axis(s, j, i);
    if (turns) part += ct_dot3(con->frame, moved + 3);
    sum += side ? part : -part;
  }
  return sum;
}

// The contacts that adhesion acts at, as the engine counts them; the next one from c on, or ncon.
LANE_FN static int next_adhesive(const mjModel* m, const mjData* d, int body, int c) {
  for (; c < d->ncon; c++) {
    const mjContact* con = d->contact + c;
    if (con->geom[0] < 0 || con->geom[1] < 0 || con->exclude > 1) continue;
    if (m->geom_bodyid[con->geom[0]] == body || m->geom_bodyid[con->geom[1]] == body) return c;
  }
  return c;
}

LANE_FN static int adhesion(ct_Slopes* s, int i, int count) {
  const mjModel* m = s->m;
  const mjData* d = s->d;
  int body = m->actuator_trnid[2 * i], touching = 0;
  for (int c = next_adhesive(m, d, body, 0); c < d->ncon; c = next_adhesive(m, d, body, c + 1)) {
    touching++;
    for (int k = 0; k < 2; k++) {
      count = list_chain(s, count, m->geom_bodyid[d->contact[c].geom[k]]);
    }
  }
  for (int c = next_adhesive(m, d, body, 0); c < d->ncon; c = next_adhesive(m, d, body, c + 1)) {
    const mjContact* con = d->contact + c;
    if (con->exclude != 1 && con->efc_address < 0) continue;
    NormalMotion u = {
        {m->geom_bodyid[con->geom[0]], m->geom_bodyid[con->geom[1]]}, {0, 0, 0}, {0, 0, 0}};
    if (!ct_contact_motion(s, c, (ct_ContactMotion*)(void*)s->motion)) {
      *s->reasons |= CT_NO_SLOPE_CONTACT;
      return count;
    }
    for (int f = 0; f < count; f++) {
      int j = s->driven[f];
      normal_motion(s, con, j, &u);
      for (int e = 0; e < count; e++) {
        *bend_entry(s, s->driven[e], j) -=
            normal_entry(s, con, &u, s->driven[e], j) / (mjtNum)touching;
      }
    }
  }
  return count;
}

LANE_FN int ct_transmission_slopes(ct_Slopes* s, int i) {
  const mjModel* m = s->m;
  int id = m->actuator_trnid[2 * i], count = list_row(s, i);
  switch (m->actuator_trntype[i]) {
    case mjTRN_JOINT:
    case mjTRN_JOINTINPARENT:
      if (m->jnt_type[id] == mjJNT_BALL || m->jnt_type[id] == mjJNT_FREE) {
        return rotating_joint(s, i, count);
      }
      stretch_along_row(s, count);
      return count;
    case mjTRN_TENDON:
      count = ct_tendon_bend(s, id, m->actuator_gear[6 * i], count);
      stretch_along_row(s, count);
      for (int e = 0; e < count; e++) {
        int j = s->driven[e];
        s->stretch[j] +=
            m->actuator_gear[6 * i] * s->length_gap[(size_t)id * (size_t)s->nv + (size_t)j];
      }
      return count;
    case mjTRN_SITE:
      if (m->actuator_trnid[2 * i + 1] < 0) return site_wrench(s, i, count);
      return end_pair(s, i, count);
    case mjTRN_SLIDERCRANK:
      return end_pair(s, i, count);
    case mjTRN_BODY:
      return adhesion(s, i, count);
    default:
      *s->reasons |= CT_NO_SLOPE_TRANSMISSION;
      return count;
  }
}

LANE_FN int ct_damper_slopes(ct_Slopes* s, int t) {
  ct_TendonRow row = ct_tendon_row(s->m, s->d, t);
  int count = 0;
  for (int e = 0; e < row.count; e++) {
    if (row.value[e] == 0) continue;
    count = ct_list_driven(s, count, ct_tendon_dof(row, e));
    s->lever[ct_tendon_dof(row, e)] = row.value[e];
  }
  return ct_tendon_bend(s, t, 1, count);
}
