// How sensors change with the state and the controls.
//
//   in    rhs (nv x width)   da
//   out   C, D               rows of the sensors that have a formula; the others are named
//
// An object at the point x of body b, with axes R, turns with w_j and moves with l_j when dof j
// does, which are the halves of S_j at x. Its velocity V_b and acceleration A_b change by
//
//   dV_b/dq_j = S_j x (V_b - V_j)
//   dA_b/dq_j = S_j x (A_b - A_j) + S'_j x (V_b - V_j),   dA_b/dv_j = S'_j + S_j x (V_b - V'_j),
//
// V_j, A_j being the sums before j and V'_j that behind its group, and of the point itself
//
//   dv = dV at x + w x l_j,   d(a) = dA at x + A_w x l_j + dw x v + w x dv     for a = A at x + w x
//   v
//
// A reading y in axes that turn with u changes by R'(dy - u x y). Accelerations also change with
// da.

#include <corten/derivative.h>

#include "collide/shape.h"
#include "derive/step_work.h"
#include "derive/tendon_row.h"
#include "engine/sensor/sensor.h"
#include "engine/smooth/bias.h"
#include "engine/smooth/object.h"
#include "math/mat.h"
#include "math/quat.h"

// Of a dof: sums before it, behind its group, and S'. It shares the scratch of inertial_slopes.c.
typedef struct {
  mjtNum speed[6], acceleration[6], behind[6], rate[6];
} Passage;

typedef struct {                   // of one object and one dof
  mjtNum turn[3], shift[3];        // w_j, l_j
  mjtNum spin[3], speed[3];        // changes of its velocity,
  mjtNum spin_up[3], speed_up[3];  // and of its acceleration
} ObjectChange;

typedef struct {
  const ct_StepWork* w;
  int sensor, dim;
  mjtNum *C, *D;  // its rows; NULL: not wanted
} Rows;

LANE_INLINE Passage* passage_of(const ct_Slopes* s, int dof) {
  return (Passage*)(void*)s->dof + dof;
}

LANE_INLINE mjtNum* acceleration_of(const ct_Slopes* s, int body) {
  return s->body + (size_t)body * CT_BODY_SLOPE;
}

// From parents to children.
LANE_FN static void pass_body(const ct_Slopes* s, int b) {
  const mjModel* m = s->m;
  int parent = m->body_parentid[b], end = m->body_dofadr[b] + m->body_dofnum[b];
  mjtNum V[6] = {0, 0, 0, 0, 0, 0}, A[6];
  ct_world_acceleration(m, A);
  if (parent) {
    ct_copy6(V, s->d->cvel + 6 * parent);
    ct_copy6(A, acceleration_of(s, parent));
  }
  for (int k = m->body_dofadr[b], last; k >= 0 && k < end; k = last + 1) {
    last = s->last[k];
    for (int j = k; j <= last; j++) {
      Passage* p = passage_of(s, j);
      ct_copy6(p->speed, V);
      ct_copy6(p->acceleration, A);
      ct_cross_motion(p->rate, V, s->d->cdof + 6 * j);
    }
    for (int j = k; j <= last; j++) {
      ct_add_to_scl6(V, s->d->cdof + 6 * j, s->d->qvel[j]);
      ct_add_to_scl6(A, s->d->cdof + 6 * j, s->acc[j]);
      ct_add_to_scl6(A, passage_of(s, j)->rate, s->d->qvel[j]);
    }
    for (int j = k; j <= last; j++) ct_copy6(passage_of(s, j)->behind, V);
  }
  ct_copy6(acceleration_of(s, b), A);
}

// Objects

LANE_INLINE void at_point(const ct_Slopes* s, ct_ObjectFrame o, const mjtNum motion[6],
                          mjtNum res[6]) {
  ct_transform_motion(res, motion, o.pos, ct_reference_point(s->m, s->d, o.body), NULL);
}

// Changes with the position (by_q) or the velocity of a dof; zero if it does not move the object.
LANE_FN static void object_change(const ct_Slopes* s, ct_ObjectFrame o, int j, bool by_q,
                                  ObjectChange* c) {
  const mjtNum *S = s->d->cdof + 6 * j, *V = s->d->cvel + 6 * o.body;
  const mjtNum* A = acceleration_of(s, o.body);
  const Passage* p = passage_of(s, j);
  mjtNum axis[6], rest[6], dV[6], dA[6], part[6], v[6], swept[3];
  ct_zero3(c->turn);
  ct_zero3(c->shift);
  at_point(s, o, S, axis);

  // of the body, about the reference point
  if (by_q) {
    ct_copy3(c->turn, axis);
    ct_copy3(c->shift, axis + 3);
    for (int k = 0; k < 6; k++) rest[k] = V[k] - p->speed[k];
    ct_cross_motion(dV, S, rest);
    ct_cross_motion(dA, p->rate, rest);
    for (int k = 0; k < 6; k++) rest[k] = A[k] - p->acceleration[k];
  } else {
    ct_copy6(dV, S);
    ct_copy6(dA, p->rate);
    for (int k = 0; k < 6; k++) rest[k] = V[k] - p->behind[k];
  }
  ct_cross_motion(part, S, rest);
  ct_add_to6(dA, part);

  // of the point
  at_point(s, o, dV, part);
  ct_copy3(c->spin, part);
  ct_cross(swept, V, c->shift);
  ct_add3(c->speed, part + 3, swept);
  at_point(s, o, dA, part);
  at_point(s, o, V, v);
  ct_copy3(c->spin_up, part);
  ct_copy3(c->speed_up, part + 3);
  ct_cross(swept, A, c->shift);
  ct_add_to3(c->speed_up, swept);
  ct_cross(swept, c->spin, v + 3);
  ct_add_to3(c->speed_up, swept);
  ct_cross(swept, V, c->speed);
  ct_add_to3(c->speed_up, swept);
}

LANE_INLINE bool moves(const ct_Slopes* s, ct_ObjectFrame o, int dof) {
  return ct_chain_has(ct_chain(s->d, o.body), dof);
}

// Entries

LANE_INLINE size_t state_size(const ct_Slopes* s) {
  return (size_t)(2 * s->nv + s->na);
}

LANE_INLINE void add_state(const Rows* r, int k, int column, mjtNum x) {
  if (r->C) r->C[(size_t)k * state_size(&r->w->s) + (size_t)column] += x;
}

LANE_INLINE void add_vector(const Rows* r, int column, const mjtNum x[3]) {
  for (int k = 0; k < 3; k++) add_state(r, k, column, x[k]);
}

// Row k += weight times the change of the acceleration of a dof.
LANE_FN static void add_acceleration(const Rows* r, int k, int dof, mjtNum weight) {
  const ct_Slopes* s = &r->w->s;
  const mjtNum* da = ct_slope_row(s, dof);
  size_t n = state_size(s), nu = (size_t)s->nu;
  if (weight == 0) return;
  for (size_t c = 0; r->C && c < n; c++) r->C[(size_t)k * n + c] += weight * da[c];
  for (size_t c = 0; r->D && c < nu; c++) r->D[(size_t)k * nu + c] += weight * da[n + c];
}

// Frames

typedef struct {
  ct_ObjectFrame object, reference;
  bool relative;
  mjtNum value[3];  // in world axes, seen from the reference
} Frames;

LANE_FN static bool open_frames(const ct_Slopes* s, int sensor, Frames* f) {
  const mjModel* m = s->m;
  int reference = m->sensor_refid[sensor];
  if (!ct_object_frame(m, s->d, m->sensor_objtype[sensor], m->sensor_objid[sensor], &f->object)) {
    return false;
  }
  f->relative = reference >= 0 &&
                ct_object_frame(m, s->d, m->sensor_reftype[sensor], reference, &f->reference);
  return true;
}

// Cameras that turn by themselves do so otherwise than their bodies.
LANE_INLINE bool is_fixed(const mjModel* m, int type, int id) {
  return type != mjOBJ_CAMERA || id < 0 || m->cam_mode[id] == mjCAMLIGHT_FIXED;
}

// What the reading of one of these types changes by, in world axes, as the object or, with sign -1,
// the reference changes by c. r is the way from the reference to the object, W the velocity of the
// reference.
LANE_FN static void frame_part(int type, const Frames* f, const ObjectChange* c, bool of_reference,
                               const mjtNum r[3], const mjtNum W[6], mjtNum res[3]) {
  mjtNum axis[3], swept[3];
  ct_zero3(res);
  if (type == mjSENS_FRAMEPOS) ct_copy3(res, c->shift);
  if (type == mjSENS_FRAMEANGVEL) ct_copy3(res, c->spin);
  if (type >= mjSENS_FRAMEXAXIS && type <= mjSENS_FRAMEZAXIS && !of_reference) {
    ct_column3(axis, f->object.mat, type - mjSENS_FRAMEXAXIS);
    ct_cross(res, c->turn, axis);
  }
  if (type == mjSENS_FRAMELINVEL) {
    ct_copy3(res, c->speed);
    if (f->relative) {  // v + r x W
      ct_cross(swept, c->shift, W);
      ct_add_to3(res, swept);
      if (of_reference) {  // turns round below
        ct_cross(swept, r, c->spin);
        ct_add_to_scl3(res, swept, -1);
      }
    }
  }
  if (!of_reference) return;
  ct_scl3(res, res, -1);
  ct_cross(swept, c->turn, f->value);
  ct_add_to_scl3(res, swept, -1);
}

LANE_FN static void frame_column(const Rows* rows, const Frames* f, int j, bool by_q,
                                 const mjtNum r[3], const mjtNum W[6]) {
  const ct_Slopes* s = &rows->w->s;
  int type = s->m->sensor_type[rows->sensor];
  mjtNum sum[3] = {0, 0, 0}, part[3];
  ObjectChange c;
  if (moves(s, f->object, j)) {
    object_change(s, f->object, j, by_q, &c);
    frame_part(type, f, &c, false, r, W, part);
    ct_add_to3(sum, part);
  }
  if (f->relative && moves(s, f->reference, j)) {
    object_change(s, f->reference, j, by_q, &c);
    frame_part(type, f, &c, true, r, W, part);
    ct_add_to3(sum, part);
  }
  if (f->relative) ct_mul_mat_t_vec3(sum, f->reference.mat, sum);
  add_vector(rows, by_q ? ct_column_q(s, j) : ct_column_v(s, j), sum);
}

// Positions, axes and velocities of objects, seen from a reference if there is one.
LANE_FN static void frame_rows(const Rows* rows) {
  const ct_Slopes* s = &rows->w->s;
  mjtNum r[3] = {0, 0, 0}, W[6] = {0, 0, 0, 0, 0, 0};
  Frames f;
  if (!open_frames(s, rows->sensor, &f)) return;
  if (f.relative) {
    ct_sub3(r, f.object.pos, f.reference.pos);
    ct_frame_velocity(s->m, s->d, f.reference, false, W);
  }
  mjtNum reading[4];
  ct_sensor_value(s->m, s->d, rows->sensor, reading);
  ct_copy3(f.value, reading);
  if (f.relative) ct_mul_mat_vec3(f.value, f.reference.mat, f.value);
  for (int j = 0; j < s->nv; j++) {
    if (!moves(s, f.object, j) && !(f.relative && moves(s, f.reference, j))) continue;
    frame_column(rows, &f, j, true, r, W);
    frame_column(rows, &f, j, false, r, W);
  }
}

// Quaternions turn by (0, w) / 2 from the left, w in the axes of the reference.
LANE_FN static void quaternion_rows(const Rows* rows) {
  const ct_Slopes* s = &rows->w->s;
  mjtNum reading[4];
  Frames f;
  if (!open_frames(s, rows->sensor, &f)) return;
  ct_sensor_value(s->m, s->d, rows->sensor, reading);
  for (int j = 0; j < s->nv; j++) {
    bool first = moves(s, f.object, j), second = f.relative && moves(s, f.reference, j);
    if (first == second) continue;  // neither, or both alike
    mjtNum w[3], turn[4] = {0, 0, 0, 0}, change[4];
    ct_scl3(w, s->d->cdof + 6 * j, first ? (mjtNum)0.5 : (mjtNum)-0.5);
    if (f.relative) ct_mul_mat_t_vec3(w, f.reference.mat, w);
    ct_copy3(turn + 1, w);
    ct_mul_quat(change, turn, reading);
    for (int k = 0; k < 4; k++) add_state(rows, k, ct_column_q(s, j), change[k]);
  }
}

// Readings of a site in its own axes, and accelerations of objects in the world's.
LANE_FN static void site_rows(const Rows* rows) {
  const ct_Slopes* s = &rows->w->s;
  const mjModel* m = s->m;
  int type = m->sensor_type[rows->sensor];
  bool local = type == mjSENS_GYRO || type == mjSENS_VELOCIMETER || type == mjSENS_ACCELEROMETER;
  bool accelerates =
      type == mjSENS_ACCELEROMETER || type == mjSENS_FRAMELINACC || type == mjSENS_FRAMEANGACC;
  mjtNum v[6], a[6], y[3], turned[3], axis[6];
  Frames f;
  if (!open_frames(s, rows->sensor, &f) || m->body_weldid[f.object.body] == 0) return;
  at_point(s, f.object, s->d->cvel + 6 * f.object.body, v);
  at_point(s, f.object, acceleration_of(s, f.object.body), a);
  ct_cross(turned, v, v + 3);
  ct_add_to3(a + 3, turned);
  bool spins = type == mjSENS_GYRO || type == mjSENS_FRAMEANGACC;
  ct_copy3(y, accelerates ? (spins ? a : a + 3) : (spins ? v : v + 3));
  for (int j = 0; j < s->nv; j++) {
    if (!moves(s, f.object, j)) continue;
    for (int by_q = 0; by_q < 2; by_q++) {
      ObjectChange c;
      mjtNum dy[3];
      object_change(s, f.object, j, by_q != 0, &c);
      ct_copy3(dy, accelerates ? (spins ? c.spin_up : c.speed_up) : (spins ? c.spin : c.speed));
      if (local) {
        ct_cross(turned, c.turn, y);
        ct_add_to_scl3(dy, turned, -1);
        ct_mul_mat_t_vec3(dy, f.object.mat, dy);
      }
      add_vector(rows, by_q ? ct_column_q(s, j) : ct_column_v(s, j), dy);
    }
    if (!accelerates) continue;
    at_point(s, f.object, s->d->cdof + 6 * j, axis);
    mjtNum* part = spins ? axis : axis + 3;
    if (local) ct_mul_mat_t_vec3(part, f.object.mat, part);
    for (int k = 0; k < 3; k++) add_acceleration(rows, k, j, part[k]);
  }
}

LANE_FN static void magnetometer_rows(const Rows* rows) {
  const ct_Slopes* s = &rows->w->s;
  Frames f;
  if (!open_frames(s, rows->sensor, &f)) return;
  for (int j = 0; j < s->nv; j++) {
    if (!moves(s, f.object, j)) continue;
    mjtNum turned[3];
    ct_cross(turned, s->m->opt.magnetic, s->d->cdof + 6 * j);
    ct_mul_mat_t_vec3(turned, f.object.mat, turned);
    add_vector(rows, ct_column_q(s, j), turned);
  }
}

// A dof moves the whole subtree, or that part of it which hangs on its own body.
LANE_FN static void subtree_rows(const Rows* rows) {
  const ct_Slopes* s = &rows->w->s;
  const mjModel* m = s->m;
  int root = m->sensor_objid[rows->sensor];
  mjtNum mass = ct_max(mjMINVAL, m->body_subtreemass[root]), axis[6], moved[3];
  for (int j = 0; j < s->nv; j++) {
    int part = m->dof_bodyid[j], above = part;
    while (above > root) above = m->body_parentid[above];
    if (ct_chain_has(ct_chain(s->d, root), j)) {
      part = root;
    } else if (above != root) {
      continue;
    }
    ct_axis_at(s, j, s->d->subtree_com + 3 * part, axis);
    ct_scl3(moved, axis + 3, m->body_subtreemass[part] / mass);
    add_vector(rows, ct_column_q(s, j), moved);
  }
}

// Coordinates

LANE_FN static void ball_rows(const Rows* rows) {
  const ct_Slopes* s = &rows->w->s;
  int joint = s->m->sensor_objid[rows->sensor], dof = s->m->jnt_dofadr[joint];
  mjtNum quat[4], change[4];
  ct_copy4(quat, s->d->qpos + s->m->jnt_qposadr[joint]);
  ct_normalize4(quat);
  for (int j = 0; j < 3; j++) {
    mjtNum half[4] = {0, 0, 0, 0};
    half[1 + j] = (mjtNum)0.5;
    ct_mul_quat(change, quat, half);
    for (int k = 0; k < 4; k++) add_state(rows, k, ct_column_q(s, dof + j), change[k]);
  }
}

// scale times the length of a tendon, or its rate.
LANE_FN static void tendon_rows(const Rows* rows, int t, mjtNum scale, bool rate) {
  const ct_Slopes* s = &rows->w->s;
  ct_TendonRow row = ct_tendon_row(s->m, s->d, t);
  for (int e = 0; e < row.count; e++) {
    int j = ct_tendon_dof(row, e);
    add_state(rows, 0, rate ? ct_column_v(s, j) : ct_column_q(s, j), scale * row.value[e]);
  }
  const mjtNum* more = (rate ? s->length_v : s->length_gap) + (size_t)t * (size_t)s->nv;
  for (int j = 0; j < s->nv; j++) add_state(rows, 0, ct_column_q(s, j), scale * more[j]);
}

// Does the length of an actuator's transmission have the moment row for its gradient?
LANE_INLINE bool has_length(const mjModel* m, int i) {
  int type = m->actuator_trntype[i], id = m->actuator_trnid[2 * i];
  if (type == mjTRN_TENDON) return true;
  bool joint = type == mjTRN_JOINT || type == mjTRN_JOINTINPARENT;
  return joint && (m->jnt_type[id] == mjJNT_HINGE || m->jnt_type[id] == mjJNT_SLIDE);
}

// scale times the length of an actuator's transmission, or its rate.
LANE_FN static void actuator_rows(const Rows* rows, int i, mjtNum scale, bool rate) {
  const ct_Slopes* s = &rows->w->s;
  const mjModel* m = s->m;
  int id = m->actuator_trnid[2 * i];
  mjtNum gear = scale * m->actuator_gear[6 * i];
  if (m->actuator_trntype[i] == mjTRN_TENDON) {
    tendon_rows(rows, id, gear, rate);
  } else {
    int dof = m->jnt_dofadr[id];
    add_state(rows, 0, rate ? ct_column_v(s, dof) : ct_column_q(s, dof), gear);
  }
}

LANE_FN static void force_row(const Rows* rows, int i) {
  const ct_Slopes* s = &rows->w->s;
  const mjModel* m = s->m;
  const mjtNum* drive = s->drive + CT_DRIVE * i;
  if (drive[0] != 0) actuator_rows(rows, i, drive[0], false);
  if (drive[1] != 0) actuator_rows(rows, i, drive[1], true);
  if (rows->D) rows->D[i] += drive[2];
  if (m->actuator_actadr[i] >= 0) {
    int act = m->actuator_actadr[i] + m->actuator_actnum[i] - 1;
    add_state(rows, 0, ct_column_act(s, act), drive[3]);
  }
}

// The distance of a coordinate from its limit, or its rate: zero while no row holds it.
LANE_FN static void limit_rows(const Rows* rows, bool tendon, bool rate) {
  const ct_Slopes* s = &rows->w->s;
  const mjModel* m = s->m;
  const mjData* d = s->d;
  int id = m->sensor_objid[rows->sensor];
  int type = tendon ? mjCNSTR_LIMIT_TENDON : mjCNSTR_LIMIT_JOINT;
  for (int row = d->ne + d->nf; row < d->nefc; row++) {
    if (d->efc_type[row] != type || d->efc_id[row] != id) continue;
    if (tendon) {
      tendon_rows(rows, id, ct_limit_sign(s, row), rate);
    } else {
      int dof = m->jnt_dofadr[id];
      mjtNum q = d->qpos[m->jnt_qposadr[id]], pos = d->efc_pos[row];
      const mjtNum* range = m->jnt_range + 2 * id;
      bool low = ct_abs(q - range[0] - pos) < ct_abs(range[1] - q - pos);
      add_state(rows, 0, rate ? ct_column_v(s, dof) : ct_column_q(s, dof), low ? 1 : -1);
    }
    return;
  }
}

// Sensors

// Those with a formula. Cutoffs need the reading, which accelerations do not have here.
LANE_FN bool ct_has_sensor_slope(const mjModel* m, int sensor) {
  int type = m->sensor_type[sensor], id = m->sensor_objid[sensor];
  bool fixed = is_fixed(m, m->sensor_objtype[sensor], id) &&
               is_fixed(m, m->sensor_reftype[sensor], m->sensor_refid[sensor]);
  bool straight = m->sensor_objtype[sensor] == mjOBJ_JOINT && id >= 0 &&
                  (m->jnt_type[id] == mjJNT_HINGE || m->jnt_type[id] == mjJNT_SLIDE);
  switch (type) {
    case mjSENS_CLOCK:
    case mjSENS_INSIDESITE:
    case mjSENS_JOINTPOS:
    case mjSENS_JOINTVEL:
    case mjSENS_TENDONPOS:
    case mjSENS_TENDONVEL:
    case mjSENS_TENDONLIMITPOS:
    case mjSENS_TENDONLIMITVEL:
    case mjSENS_BALLQUAT:
    case mjSENS_BALLANGVEL:
    case mjSENS_MAGNETOMETER:
    case mjSENS_GYRO:
    case mjSENS_VELOCIMETER:
    case mjSENS_SUBTREECOM:
      return true;
    case mjSENS_JOINTLIMITPOS:
    case mjSENS_JOINTLIMITVEL:
      return straight;
    case mjSENS_ACTUATORPOS:
    case mjSENS_ACTUATORVEL:
    case mjSENS_ACTUATORFRC:
      return has_length(m, id);
    case mjSENS_FRAMEPOS:
    case mjSENS_FRAMEQUAT:
    case mjSENS_FRAMEXAXIS:
    case mjSENS_FRAMEYAXIS:
    case mjSENS_FRAMEZAXIS:
    case mjSENS_FRAMELINVEL:
    case mjSENS_FRAMEANGVEL:
      return fixed;
    case mjSENS_ACCELEROMETER:
    case mjSENS_FRAMELINACC:
    case mjSENS_FRAMEANGACC:
      return fixed && !(m->sensor_cutoff[sensor] > 0);
    default:
      return false;
  }
}

LANE_FN static void write_sensor(const Rows* r) {
  const ct_Slopes* s = &r->w->s;
  const mjModel* m = s->m;
  int type = m->sensor_type[r->sensor], id = m->sensor_objid[r->sensor];
  switch (type) {
    case mjSENS_CLOCK:
    case mjSENS_INSIDESITE:
      break;
    case mjSENS_JOINTPOS:
      add_state(r, 0, ct_column_q(s, m->jnt_dofadr[id]), 1);
      break;
    case mjSENS_JOINTVEL:
      add_state(r, 0, ct_column_v(s, m->jnt_dofadr[id]), 1);
      break;
    case mjSENS_BALLANGVEL:
      for (int k = 0; k < 3; k++) add_state(r, k, ct_column_v(s, m->jnt_dofadr[id] + k), 1);
      break;
    case mjSENS_BALLQUAT:
      ball_rows(r);
      break;
    case mjSENS_TENDONPOS:
    case mjSENS_TENDONVEL:
      tendon_rows(r, id, 1, type == mjSENS_TENDONVEL);
      break;
    case mjSENS_ACTUATORPOS:
    case mjSENS_ACTUATORVEL:
      actuator_rows(r, id, 1, type == mjSENS_ACTUATORVEL);
      break;
    case mjSENS_ACTUATORFRC:
      force_row(r, id);
      break;
    case mjSENS_JOINTLIMITPOS:
    case mjSENS_JOINTLIMITVEL:
      limit_rows(r, false, type == mjSENS_JOINTLIMITVEL);
      break;
    case mjSENS_TENDONLIMITPOS:
    case mjSENS_TENDONLIMITVEL:
      limit_rows(r, true, type == mjSENS_TENDONLIMITVEL);
      break;
    case mjSENS_MAGNETOMETER:
      magnetometer_rows(r);
      break;
    case mjSENS_SUBTREECOM:
      subtree_rows(r);
      break;
    case mjSENS_FRAMEQUAT:
      quaternion_rows(r);
      break;
    case mjSENS_GYRO:
    case mjSENS_VELOCIMETER:
    case mjSENS_ACCELEROMETER:
    case mjSENS_FRAMELINACC:
    case mjSENS_FRAMEANGACC:
      site_rows(r);
      break;
    default:
      frame_rows(r);
      break;
  }
}

// Rows of readings that a cutoff holds are zero.
LANE_FN static void apply_cutoff(const Rows* r) {
  const ct_Slopes* s = &r->w->s;
  mjtNum reading[6], held[6];
  if (!(s->m->sensor_cutoff[r->sensor] > 0) || r->dim > 6) return;
  ct_sensor_value(s->m, s->d, r->sensor, reading);
  ct_copy(held, reading, r->dim);
  ct_sensor_cutoff(s->m, r->sensor, held);
  for (int k = 0; k < r->dim; k++) {
    if (held[k] == reading[k]) continue;
    if (r->C) ct_zero(r->C + (size_t)k * state_size(s), (int)state_size(s));
    if (r->D) ct_zero(r->D + (size_t)k * (size_t)s->nu, s->nu);
  }
}

LANE_FN void ct_sensor_slopes(Lane g, ct_StepWork* w, mjtNum* C, mjtNum* D) {
  ct_Slopes* s = &w->s;
  const mjModel* m = s->m;
  size_t n = state_size(s), nu = (size_t)s->nu;
  LANE_ALONE(g) {
    for (int b = 1; b < m->nbody; b++) pass_body(s, b);
  }
  LANE_FOR(i, g, m->nsensor) {
    size_t row = (size_t)m->sensor_adr[i];
    Rows r = {w, i, m->sensor_dim[i], C ? C + row * n : NULL, D ? D + row * nu : NULL};
    if (r.C) ct_zero(r.C, r.dim * (int)n);
    if (r.D) ct_zero(r.D, r.dim * (int)nu);
    if ((m->opt.disableflags & mjDSBL_SENSOR) || !ct_has_sensor_slope(m, i)) continue;
    write_sensor(&r);
    apply_cutoff(&r);
  }
  lane_sync(g);
}
