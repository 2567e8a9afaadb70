// Transmissions: lengths of actuators, and how their forces reach the dofs.
//
//   in    qpos                            (nq)
//         site_xpos, site_xmat, xquat     (. x 3, 9, 4)
//         cdof, subtree_com               (nv x 6), (nbody x 3)
//         ten_length, ten_J               tendon.c
//         contact, efc_J                  adhesion only
//   out   actuator_length                 (nu)
//         actuator_moment, moment_colind  (nJmom)  sparse rows, packed, with
//         moment_rownnz, moment_rowadr    (nu)     their lengths and starts
//
// The moment row is the derivative of the length: a force f along the actuator acts on the dofs as
// f times the row. gear (6 numbers) scales it, or says in which direction of a frame it acts. What
// is measured between two bodies makes a pair (pair.h). There are lengths that are not: a force or
// torque in the frame of a site, a joint with several dofs, an adhesive body. These have length 0,
// or that of the rotation vector, and only a row.
//
// Rows of joints have an entry for each dof of the joint and rows of sparse tendons their columns,
// zeros included. From all others zeros are left out.
//
// Oddities: with a reference site, rotation is measured between quaternions that have the site's
// own rotation on the wrong side, and the row leaves out that a turning reference frame moves the
// measured position.

#include "engine/smooth/transmission.h"

#include <stdint.h>
#include <string.h>

#include "base/memory/scratch.h"
#include "base/model/awake.h"
#include "base/model/options.h"
#include "engine/smooth/pair.h"
#include "math/mat.h"
#include "math/quat.h"
#include "math/sparse.h"

typedef struct {  // where a row is written; there is room for nv entries
  mjtNum* value;
  int* column;
} MomentRow;

// Leaves out zeros of a row of n entries and returns how many are left.
LANE_INLINE int drop_zeros(MomentRow row, int n) {
  int count = 0;
  for (int k = 0; k < n; k++) {
    if (row.value[k] == 0) continue;
    row.value[count] = row.value[k];
    row.column[count++] = row.column[k];
  }
  return count;
}

// Are four numbers zero? Their bits say so faster than four comparisons; the sign does not count.
LANE_INLINE bool are_zero4(const mjtNum* x) {
#ifdef mjUSESINGLE
  uint32_t bits[4];
#else
  uint64_t bits[4];
#endif
  memcpy(bits, x, sizeof(bits));
  return (bits[0] | bits[1] | bits[2] | bits[3]) << 1 == 0;
}

// The entries of scale times a full row that are not zero; full may be row.value. Most are zero, so
// four are looked at together.
LANE_INLINE int sparse_row_of(MomentRow row, const mjtNum* full, mjtNum scale, int nv) {
  int count = 0;
  for (int k = 0; k < nv; k += 4) {
    int end = k + 4 < nv ? k + 4 : nv;
    if (end == k + 4 && are_zero4(full + k)) continue;
    for (int j = k; j < end; j++) {
      mjtNum value = scale * full[j];
      if (value == 0) continue;
      row.value[count] = value;
      row.column[count++] = j;
    }
  }
  return count;
}

// The row of a pair.
LANE_FN static int pair_row(const mjModel* m, const mjData* d, MomentRow row, const ct_End* end1,
                            const ct_End* end2) {
  int n = ct_list_one(m, end1->body, end2->body, row.column);
  ct_Chain chain1 = ct_chain(d, end1->body);
  for (int k = 0; k < n; k++) {
    const ct_End* moved = ct_chain_has(chain1, row.column[k]) ? end1 : end2;
    row.value[k] = ct_dot6(d->cdof + 6 * row.column[k], moved->wrench);
  }
  return drop_zeros(row, n);
}

// Each of these writes the row of actuator i and returns its number of entries.

// The rotation part of gear, in the child's axes; in_parent: given in the parent's.
LANE_INLINE void gear_axis(mjtNum axis[3], const mjtNum gear[3], const mjtNum quat[4],
                           bool in_parent) {
  mjtNum back[4];
  ct_copy3(axis, gear);
  if (!in_parent) return;
  ct_neg_quat(back, quat);
  ct_rot_vec_quat(axis, gear, back);
}

LANE_FN static int rotating_joint_row(const mjModel* m, mjData* d, int i, MomentRow row) {
  int joint = m->actuator_trnid[2 * i], count = m->jnt_type[joint] == mjJNT_FREE ? 6 : 3;
  int turn_first = count - 3;  // of a free joint, translations come first
  const mjtNum* gear = m->actuator_gear + 6 * i;
  mjtNum quat[4], turn[3];
  ct_copy4(quat, d->qpos + m->jnt_qposadr[joint] + turn_first);
  ct_normalize4(quat);
  ct_copy3(row.value, gear);
  gear_axis(row.value + turn_first, gear + turn_first, quat,
            m->actuator_trntype[i] == mjTRN_JOINTINPARENT);
  ct_quat_to_vel(turn, quat, 1);
  d->actuator_length[i] = count == 6 ? 0 : ct_dot3(turn, row.value);
  for (int k = 0; k < count; k++) row.column[k] = m->jnt_dofadr[joint] + k;
  return count;
}

LANE_FN static inline int joint_row(const mjModel* m, mjData* d, int i, MomentRow row) {
  int joint = m->actuator_trnid[2 * i], type = m->jnt_type[joint];
  if (type == mjJNT_FREE || type == mjJNT_BALL) return rotating_joint_row(m, d, i, row);
  mjtNum gear = m->actuator_gear[6 * i];
  row.value[0] = gear;
  row.column[0] = m->jnt_dofadr[joint];
  d->actuator_length[i] = gear * d->qpos[m->jnt_qposadr[joint]];
  return 1;
}

// Apart from the others, whose many registers it does not need to save.
LANE_FN static __attribute__((noinline)) int tendon_row(const mjModel* m, mjData* d, int i,
                                                        MomentRow row) {
  int tendon = m->actuator_trnid[2 * i], nv = (int)m->nv;
  mjtNum gear = m->actuator_gear[6 * i];
  d->actuator_length[i] = gear * d->ten_length[tendon];
  if (!ct_is_sparse(m)) {
    return sparse_row_of(row, d->ten_J + (size_t)tendon * (size_t)nv, gear, nv);
  }
  int at = d->ten_J_rowadr[tendon], count = d->ten_J_rownnz[tendon];
  for (int k = 0; k < count; k++) {
    row.value[k] = gear * d->ten_J[at + k];
    row.column[k] = d->ten_J_colind[at + k];
  }
  return count;
}

// A rod of length r joins the crank site to a slider on the z axis a of the slider site. With v
// from that site to the crank the slider is at l = a.v - s on the axis, s = sqrt((a.v)^2 + r^2 -
// v.v). A rod that is too short to reach is taken as perpendicular to the axis: s = 0.
LANE_FN static int slider_crank_row(const mjModel* m, mjData* d, int i, MomentRow row) {
  int crank = m->actuator_trnid[2 * i], slider = m->actuator_trnid[2 * i + 1];
  const mjtNum *mat = d->site_xmat + 9 * slider, axis[3] = {mat[2], mat[5], mat[8]};
  mjtNum gear = m->actuator_gear[6 * i], rod = m->actuator_cranklength[i];
  mjtNum v[3], by_v[3], by_axis[3], torque[3];  // gradients of l by v and by the axis
  ct_sub3(v, d->site_xpos + 3 * crank, d->site_xpos + 3 * slider);
  mjtNum along = ct_dot3(axis, v), det = along * along + rod * rod - ct_dot3(v, v);
  mjtNum length = along;
  ct_copy3(by_v, axis);
  ct_copy3(by_axis, v);
  if (det > 0) {
    mjtNum s = ct_sqrt(det), part = 1 - along / s;
    length = along - s;
    ct_scl3(by_v, axis, part);
    ct_add_to_scl3(by_v, v, 1 / s);
    ct_scl3(by_axis, v, part);
  }
  d->actuator_length[i] = gear * length;

  // turning the axis with w moves it by w x axis, so the force by_axis on it is a torque
  ct_scl3(by_v, by_v, gear);
  ct_scl3(by_axis, by_axis, gear);
  ct_End pull = ct_force_at(m, d, m->site_bodyid[crank], d->site_xpos + 3 * crank, by_v);
  ct_scl3(by_v, by_v, -1);
  ct_End back = ct_force_at(m, d, m->site_bodyid[slider], d->site_xpos + 3 * slider, by_v);
  ct_cross(torque, axis, by_axis);
  ct_add_to3(back.wrench, torque);
  return pair_row(m, d, row, &pull, &back);
}

// Force and torque with the components of gear in a frame, on a body at a point.
LANE_INLINE ct_End gear_wrench(const mjModel* m, const mjData* d, int i, int body,
                               const mjtNum point[3], const mjtNum mat[9], mjtNum sign) {
  mjtNum force[3], torque[3];
  ct_mul_mat_vec3(force, mat, m->actuator_gear + 6 * i);
  ct_mul_mat_vec3(torque, mat, m->actuator_gear + 6 * i + 3);
  ct_scl3(force, force, sign);
  ct_End end = ct_force_at(m, d, body, point, force);
  ct_add_to_scl3(end.wrench, torque, sign);
  return end;
}

// Orientation of a site as transmissions see it: the local rotation stands on the left.
LANE_INLINE void site_turn(const mjModel* m, const mjData* d, int site, mjtNum quat[4]) {
  ct_mul_quat(quat, m->site_quat + 4 * site, d->xquat + 4 * m->site_bodyid[site]);
}

LANE_INLINE bool is_zero3(const mjtNum v[3]) {
  return v[0] == 0 && v[1] == 0 && v[2] == 0;
}

// Position and rotation of a site in the frame of a reference site, along gear.
LANE_FN static mjtNum relative_length(const mjModel* m, const mjData* d, int i) {
  int site = m->actuator_trnid[2 * i], ref = m->actuator_trnid[2 * i + 1];
  const mjtNum* gear = m->actuator_gear + 6 * i;
  mjtNum length = 0, offset[3], local[3], turn[3], quat[4], ref_quat[4];
  if (!is_zero3(gear)) {
    ct_sub3(offset, d->site_xpos + 3 * site, d->site_xpos + 3 * ref);
    ct_mul_mat_t_vec3(local, d->site_xmat + 9 * ref, offset);
    length += ct_dot3(local, gear);
  }
  if (!is_zero3(gear + 3)) {
    site_turn(m, d, site, quat);
    site_turn(m, d, ref, ref_quat);
    ct_sub_quat(turn, quat, ref_quat);
    length += ct_dot3(turn, gear + 3);
  }
  return length;
}

LANE_FN static int site_row(const mjModel* m, mjData* d, int i, MomentRow row) {
  int site = m->actuator_trnid[2 * i], ref = m->actuator_trnid[2 * i + 1];
  bool relative = ref >= 0;
  int frame = relative ? ref : site;
  const mjtNum *mat = d->site_xmat + 9 * frame, *frame_pos = d->site_xpos + 3 * frame;
  d->actuator_length[i] = relative ? relative_length(m, d, i) : 0;
  ct_End act = gear_wrench(m, d, i, m->site_bodyid[site], d->site_xpos + 3 * site, mat, 1);
  ct_End react = gear_wrench(m, d, i, relative ? m->site_bodyid[ref] : 0, frame_pos, mat, -1);
  return pair_row(m, d, row, &act, &react);
}

// row += weight * row j of the constraint Jacobian
LANE_INLINE void add_constraint_row(const mjModel* m, const mjData* d, mjtNum* row, int j,
                                    mjtNum weight) {
  if (ct_is_sparse(m)) {
    int at = d->efc_J_rowadr[j];
    ct_add_to_scl_sparse(row, d->efc_J + at, d->efc_J_colind + at, weight, d->efc_J_rownnz[j]);
  } else {
    ct_add_to_scl(row, d->efc_J + (size_t)j * (size_t)m->nv, weight, (int)m->nv);
  }
}

// Adds the row of the distance at a contact: from its constraint rows, or, where it lies in the gap
// and has none, from its normal. The edges of a friction pyramid average to the normal.
LANE_FN static void add_contact_row(const mjModel* m, const mjData* d, mjtNum* row,
                                    const mjContact* contact) {
  if (contact->exclude == 1) {
    mjtNum back[3];
    ct_scl3(back, contact->frame, -1);
    ct_End end1 = ct_force_at(m, d, m->geom_bodyid[contact->geom[0]], contact->pos, back);
    ct_End end2 = ct_force_at(m, d, m->geom_bodyid[contact->geom[1]], contact->pos, contact->frame);
    ct_add_pair(m, d, row, &end1, &end2);
    return;
  }
  if (contact->efc_address < 0) return;
  bool single = contact->dim == 1 || m->opt.cone == mjCONE_ELLIPTIC;
  int count = single ? 1 : 2 * (contact->dim - 1);
  for (int k = 0; k < count; k++) {
    add_constraint_row(m, d, row, contact->efc_address + k, (mjtNum)1 / count);
  }
}

// Adhesion pulls a body towards everything that it touches, equally.
LANE_FN static int body_row(const mjModel* m, mjData* d, int i, MomentRow row) {
  int body = m->actuator_trnid[2 * i], nv = (int)m->nv, count = 0;
  d->actuator_length[i] = 0;
  ct_zero(row.value, nv);
  for (int c = 0; c < d->ncon; c++) {
    const mjContact* contact = d->contact + c;
    if (contact->geom[0] < 0 || contact->geom[1] < 0 || contact->exclude > 1) continue;
    if (m->geom_bodyid[contact->geom[0]] != body && m->geom_bodyid[contact->geom[1]] != body) {
      continue;
    }
    add_contact_row(m, d, row.value, contact);
    count++;
  }
  if (!count) return 0;
  return sparse_row_of(row, row.value, -(mjtNum)1 / count, nv);
}

LANE_INLINE bool acts_on_joint(const mjModel* m, int i) {
  int type = m->actuator_trntype[i];
  return type == mjTRN_JOINT || type == mjTRN_JOINTINPARENT;
}

LANE_FN static __attribute__((noinline)) int other_row(const mjModel* m, mjData* d, int i,
                                                       MomentRow row) {
  switch (m->actuator_trntype[i]) {
    case mjTRN_SLIDERCRANK:
      return slider_crank_row(m, d, i, row);
    case mjTRN_SITE:
      return site_row(m, d, i, row);
    case mjTRN_BODY:
      return body_row(m, d, i, row);
    default:
      return 0;
  }
}

LANE_FN static inline int actuator_row(const mjModel* m, mjData* d, int i, MomentRow row) {
  if (acts_on_joint(m, i)) return joint_row(m, d, i, row);
  return m->actuator_trntype[i] == mjTRN_TENDON ? tendon_row(m, d, i, row)
                                                : other_row(m, d, i, row);
}

// Most entries that row i can have. Their sum over all actuators is nJmom.
LANE_INLINE int row_room(const mjModel* m, int i) {
  if (!acts_on_joint(m, i)) return (int)m->nv;
  int joint = m->jnt_type[m->actuator_trnid[2 * i]];
  return joint == mjJNT_FREE ? 6 : joint == mjJNT_BALL ? 3 : 1;
}

// Does making the row use room behind its entries?
LANE_INLINE bool leaves_rest(const mjModel* m, int i) {
  return !acts_on_joint(m, i) && m->actuator_trntype[i] != mjTRN_TENDON;
}

// Rows of the first actuators, up to one that does not drive a hinge or slide; returns how many.
LANE_FN static int write_plain_rows(const mjModel* m, mjData* d) {
  const int *trntype = m->actuator_trntype, *id = m->actuator_trnid, *type = m->jnt_type;
  const int *dof = m->jnt_dofadr, *place = m->jnt_qposadr;
  const mjtNum *gears = m->actuator_gear, *qpos = d->qpos;
  mjtNum *value = d->actuator_moment, *length = d->actuator_length;
  int *column = d->moment_colind, *rowadr = d->moment_rowadr, *rownnz = d->moment_rownnz;
  int i = 0;
  for (int nu = (int)m->nu; i < nu; i++) {
    int joint = id[2 * i];
    if (trntype[i] > mjTRN_JOINTINPARENT || type[joint] <= mjJNT_BALL) break;
    mjtNum gear = gears[6 * i];
    value[i] = gear;
    column[i] = dof[joint];
    rowadr[i] = i;
    rownnz[i] = 1;
    length[i] = gear * qpos[place[joint]];
  }
  return i;
}

// On one lane a row starts where the last one ended. What rows leave behind the last one is
// cleared.
LANE_FN static void write_rows_in_place(const mjModel* m, mjData* d, bool filter) {
  bool plain = !filter && acts_on_joint(m, 0);
  int i = plain ? write_plain_rows(m, d) : 0, at = i, touched = 0;
  for (; i < m->nu; i++) {
    MomentRow row = {d->actuator_moment + at, d->moment_colind + at};
    d->moment_rowadr[i] = at;
    if (filter && ct_actuator_asleep(m, d, i)) {
      d->moment_rownnz[i] = 0;
      continue;
    }
    if (leaves_rest(m, i)) touched = at + (int)m->nv;
    int count = actuator_row(m, d, i, row);
    d->moment_rownnz[i] = count;
    at += count;
  }
  for (int a = at; a < touched; a++) {
    d->actuator_moment[a] = 0;
    d->moment_colind[a] = 0;
  }
}

// Several lanes write rows into scratch, each where it has the most room it can need, and move them
// when all lengths are known. The same places are cleared.
LANE_FN static void write_rows_apart(Lane g, const mjModel* m, mjData* d, bool filter,
                                     MomentRow scratch, int* start) {
  int nu = (int)m->nu, touched = 0;
  LANE_FOR(i, g, nu) {
    start[i] = row_room(m, i);
  }
  lane_sync(g);
  lane_scan(g, start, start, nu);
  LANE_FOR(i, g, nu) {
    bool asleep = filter && ct_actuator_asleep(m, d, i);
    MomentRow row = {scratch.value + start[i], scratch.column + start[i]};
    d->moment_rownnz[i] = asleep ? 0 : actuator_row(m, d, i, row);
  }
  lane_sync(g);
  int end = lane_scan(g, d->moment_rowadr, d->moment_rownnz, nu);
  for (int i = 0; i < nu; i++) {
    bool asleep = filter && ct_actuator_asleep(m, d, i);
    if (!asleep && leaves_rest(m, i)) touched = d->moment_rowadr[i] + (int)m->nv;
  }
  LANE_FOR(a, g, touched - end) {
    d->actuator_moment[end + a] = 0;
    d->moment_colind[end + a] = 0;
  }
  LANE_FOR(i, g, nu) {
    for (int k = 0; k < d->moment_rownnz[i]; k++) {
      d->actuator_moment[d->moment_rowadr[i] + k] = scratch.value[start[i] + k];
      d->moment_colind[d->moment_rowadr[i] + k] = scratch.column[start[i] + k];
    }
  }
}

LANE_FN int ct_transmission(Lane g, const mjModel* m, mjData* d) {
  if (m->nu == 0) return CT_OK;
  bool filter = ct_some_asleep(m, d);
  if (lane_count(g) == 1) {
    write_rows_in_place(m, d, filter);
    return CT_OK;
  }
  if (!lane_mark(g, d)) return CT_STACK_FULL;
  MomentRow scratch = {lane_scratch_num(g, d, (int)m->nJmom),
                       lane_scratch_int(g, d, (int)m->nJmom)};
  int* start = lane_scratch_int(g, d, (int)m->nu);
  bool room = scratch.value && scratch.column && start;
  if (room) write_rows_apart(g, m, d, filter, scratch, start);
  lane_free(g, d);
  return room ? CT_OK : CT_STACK_FULL;
}

LANE_FN int ct_actuator_velocity(Lane g, const mjModel* m, mjData* d) {
  const int *rowadr = d->moment_rowadr, *rownnz = d->moment_rownnz, *column = d->moment_colind;
  const mjtNum *moment = d->actuator_moment, *qvel = d->qvel;
  mjtNum* velocity = d->actuator_velocity;
  bool disabled = (m->opt.disableflags & mjDSBL_ACTUATION) != 0;
  LANE_FOR(i, g, m->nu) {
    int at = rowadr[i], n = disabled ? 0 : rownnz[i];
    velocity[i] = ct_dot_sparse(moment + at, column + at, n, qvel);
  }
  lane_sync(g);
  return CT_OK;
}
