// Accelerations of the bodies and the forces on and between them, once all forces are known.
//
//   in    qacc, qvel            (nv)
//         cinert, cvel          (nbody x 10), (nbody x 6)
//         cdof, cdof_dot        (nv x 6)
//         xfrc_applied          (nbody x 6)  force, torque at the body's centre of mass
//         contact, efc_force    (ncon), (nefc)
//   out   cacc                  (nbody x 6)  acceleration, that of gravity upwards included
//         cfrc_ext              (nbody x 6)  from xfrc_applied, contacts, connect and weld
//         cfrc_int              (nbody x 6)  what the body receives from its parent
//
// Spatial vectors as in com_velocity.c; forces are (torque, force). The recursion is that of bias.c
// with qacc, and with the external forces taken from what a body needs:
//
//   f_b = I_b a_b + v_b x* I_b v_b - f_ext_b + sum over children c of f_c
//
// f_ext of the world is zero. Its f_int sums torques about the points of different trees; that is
// what the reference has there. Limits, friction, actuators and passive forces act between a body
// and its parent, so they are part of f_int. Sleep makes no difference here.

#include "engine/constraint/post_constraint.h"

#include "base/model/equality.h"
#include "base/private.h"
#include "engine/constraint/contact_force.h"
#include "engine/smooth/bias.h"
#include "engine/smooth/jacobian.h"
#include "math/lane_vec.h"
#include "math/wide_spatial.h"

typedef struct Wrench_ {  // in world axes
  mjtNum force[3], torque[3];
} Wrench;

// Adds to cfrc_ext of body b a wrench at a point of it.
LANE_FN static void add_external(Lane g, const mjModel* m, mjData* d, int b, const Wrench* w,
                                 const mjtNum point[3], mjtNum sign) {
  if (b == 0 || !LANE_OWNS(g, b)) return;
  mjtNum arm[3], moment[3];
  ct_sub3(arm, point, ct_reference_point(m, d, b));
  ct_cross(moment, arm, w->force);
  ct_add_to3(moment, w->torque);
  ct_add_to_scl3(d->cfrc_ext + 6 * b, moment, sign);
  ct_add_to_scl3(d->cfrc_ext + 6 * b + 3, w->force, sign);
}

// No force is no wrench, wherever the body is: after a reset poses may still be NaN.
LANE_FN static void apply_xfrc(Lane g, const mjModel* m, mjData* d, int b) {
  Wrench w;
  ct_zero6(d->cfrc_ext + 6 * b);
  if (!ct_any_nonzero(d->xfrc_applied + 6 * b, 6)) return;
  ct_copy3(w.force, d->xfrc_applied + 6 * b);
  ct_copy3(w.torque, d->xfrc_applied + 6 * b + 3);
  add_external(g, m, d, b, &w, d->xipos + 3 * b, 1);
}

LANE_FN static void apply_contact(Lane g, const mjModel* m, mjData* d, int contact) {
  const mjContact* con = d->contact + contact;
  if (con->efc_address < 0 || con->geom[0] < 0 || con->geom[1] < 0) return;
  int body1 = m->geom_bodyid[con->geom[0]], body2 = m->geom_bodyid[con->geom[1]];
  if (!LANE_OWNS(g, body1) && !LANE_OWNS(g, body2)) return;
  mjtNum force[6];
  Wrench w;
  ct_contact_force(m, d, contact, force);
  ct_mul_mat_t_vec3(w.force, con->frame, force);
  ct_mul_mat_t_vec3(w.torque, con->frame, force + 3);
  add_external(g, m, d, body1, &w, con->pos, -1);
  add_external(g, m, d, body2, &w, con->pos, 1);
}

// The body of one side of a connect, weld or distance, and the point where it is held. `anchor` is
// the side's in the frame of its body, unless the sides are sites.
LANE_INLINE int equality_side(const mjModel* m, const mjData* d, int eq, int object,
                              const mjtNum anchor[3], mjtNum point[3]) {
  if (m->eq_objtype[eq] == mjOBJ_SITE) {
    ct_copy3(point, d->site_xpos + 3 * object);
    return m->site_bodyid[object];
  }
  ct_mul_mat_vec3(point, d->xmat + 9 * object, anchor);
  ct_add_to3(point, d->xpos + 3 * object);
  return object;
}

// A connect has three rows, the force; a weld has six, force and torque, and its anchors have
// changed places. The row of a distance is the force along the line between its points.
LANE_FN static void apply_joined(Lane g, const mjModel* m, mjData* d, int eq, int row) {
  bool weld = m->eq_type[eq] == mjEQ_WELD;
  const mjtNum* anchors = m->eq_data + mjNEQDATA * eq;
  mjtNum point1[3], point2[3];
  Wrench w;
  int body1 = equality_side(m, d, eq, m->eq_obj1id[eq], anchors + (weld ? 3 : 0), point1);
  int body2 = equality_side(m, d, eq, m->eq_obj2id[eq], anchors + (weld ? 0 : 3), point2);
  ct_zero3(w.torque);
  if (m->eq_type[eq] == mjEQ_DISTANCE) {
    ct_sub3(w.force, point1, point2);
    ct_normalize3(w.force);
    ct_scl3(w.force, w.force, d->efc_force[row]);
  } else {
    ct_copy3(w.force, d->efc_force + row);
  }
  if (weld) ct_copy3(w.torque, d->efc_force + row + 3);
  add_external(g, m, d, body1, &w, point1, 1);
  add_external(g, m, d, body2, &w, point2, -1);
}

// How many rows of J an active equality has.
LANE_FN static int equality_rows(const mjModel* m, int eq) {
  int object = m->eq_obj1id[eq], rows = 0;
  switch (m->eq_type[eq]) {
    case mjEQ_CONNECT:
      return 3;
    case mjEQ_WELD:
      return 6;
    case mjEQ_FLEX:
      for (int e = 0; e < m->flex_edgenum[object]; e++) {
        rows += !m->flexedge_rigid[m->flex_edgeadr[object] + e];
      }
      return rows;
    case mjEQ_FLEXVERT:
      return 2 * m->flex_vertnum[object];
    default:
      return 1;
  }
}

LANE_FN static void external_forces(Lane g, const mjModel* m, mjData* d) {
  bool none = false;
#if LANE_WIDTH > 1
  none = lane_count(g) == 1 && !ct_any_bit(d->xfrc_applied, 6 * (int)m->nbody);
  if (none) lane_set_zero(g, d->cfrc_ext, 6 * m->nbody);
#endif
  LANE_FOR(b, g, none ? 0 : m->nbody) {
    apply_xfrc(g, m, d, b);
  }
  for (int i = 0; i < d->ncon; i++) {
    apply_contact(g, m, d, i);
  }

  // after a collision of its own, mjData has equalities counted whose rows are gone
  int ne = d->ne < d->nefc ? d->ne : d->nefc;
  for (int row = 0; row < ne && d->efc_type[row] == mjCNSTR_EQUALITY;) {
    int eq = d->efc_id[row], rows = equality_rows(m, eq);
    if (ct_holds_points(m, eq)) apply_joined(g, m, d, eq, row);
    row += rows > 0 ? rows : 1;
  }
  lane_sync(g);
}

// What the body needs from its parent: its own force, less what it has, and what its children need.
LANE_FN static void need_of_body(mjData* d, int b) {
  const ct_Schedule* s = &ct_private(d)->schedule;
  mjtNum need[6];
  ct_copy6(need, d->cfrc_int + 6 * b);
  ct_add_to_scl6(need, d->cfrc_ext + 6 * b, -1);
  for (int i = s->child_adr[b]; i < s->child_adr[b + 1]; i++) {
    ct_add_to6(need, d->cfrc_int + 6 * s->child[i]);
  }
  ct_copy6(d->cfrc_int + 6 * b, need);
}

#if LANE_WIDTH > 1
// The same for all bodies: each adds to its parent, which has its own need by then.
LANE_FN static void needs_alone(Lane g, const mjModel* m, mjData* d) {
  mjtNum *need = d->cfrc_int, *has = d->cfrc_ext;
  const int* parent = m->body_parentid;
  int n = 6 * (int)m->nbody;
  LANE_WIDE(k, g, n) {
    wide_store(need + k, wide_add(wide_load(need + k), wide_mul(wide_load(has + k), wide_all(-1))));
  }
  LANE_WIDE_REST(k, g, n) {
    need[k] += has[k] * -1;
  }
  for (int b = (int)m->nbody - 1; b > 0; b--) {
    mjtNum* above = need + 6 * parent[b];
    wide_store6(above, wide_add6(wide_load6(above), wide_load6(need + 6 * b)));
  }
}
#endif

LANE_FN int ct_post_constraint(Lane g, const mjModel* m, mjData* d) {
  external_forces(g, m, d);
  LANE_ONCE(g) {
    d->flg_rnepost = 1;
  }
  ct_body_accelerations(g, m, d, true, d->cacc);
  ct_body_forces(g, m, d, 0, d->cacc, d->cfrc_int);
#if LANE_WIDTH > 1
  if (lane_count(g) == 1) {
    needs_alone(g, m, d);
    return CT_OK;
  }
#endif
  LANE_LEVELS_UP(b, g, ct_private(d)->schedule.bodies) {
    need_of_body(d, b);
  }
  LANE_ONCE(g) {
    need_of_body(d, 0);
  }
  lane_sync(g);
  return CT_OK;
}
