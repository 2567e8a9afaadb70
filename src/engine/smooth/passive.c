// Passive forces: what joints, flexes, tendons, gravity compensation and the medium do by
// themselves.
//
//   in    qpos, qvel                          (nq), (nv)
//         ten_length, ten_velocity, ten_J     (ntendon), (ntendon), (ntendon x nv or sparse rows)
//         xipos, cdof, subtree_com            where gravity is compensated
//         cvel, ximat, geom_xpos, geom_xmat   fluid.c
//   out   qfrc_spring, qfrc_damper            (nv)
//         qfrc_gravcomp, qfrc_fluid           (nv)
//         qfrc_passive                        (nv) their sum
//
// A spring of stiffness k pulls towards qpos_spring: -k (q - q_spring), where the difference of two
// orientations is the rotation vector that leads from one to the other, in the axes of the body, as
// the dofs are. A tendon has a dead band in which its spring does nothing. Dampers are linear in
// the velocity.
//
// Gravity compensation lifts the centre of mass of a body with a part of its weight. Joints may
// leave it to their actuators; then it is computed here and added in actuation.c.
//
// Oddity kept from the reference: with springs and dampers both disabled nothing of this exists,
// neither fluid nor gravity compensation. While trees sleep, entries of their dofs keep what they
// had.

#include "engine/smooth/passive.h"

#include <stdint.h>
#include <string.h>

#include "base/model/awake.h"
#include "base/model/options.h"
#include "engine/smooth/fluid.h"
#include "engine/smooth/jacobian.h"
#include "math/lane_vec.h"
#include "math/quat.h"
#include "soft/elasticity.h"

LANE_INLINE void turn_back(mjtNum force[3], const mjtNum quat[4], const mjtNum spring[4],
                           mjtNum stiffness) {
  mjtNum unit[4], turn[3];
  ct_copy4(unit, quat);
  ct_normalize4(unit);
  ct_sub_quat(turn, unit, spring);
  ct_scl3(force, turn, -stiffness);
}

LANE_INLINE void joint_spring(const mjModel* m, mjData* d, int joint) {
  mjtNum stiffness = m->jnt_stiffness[joint];
  const mjtNum* q = d->qpos + m->jnt_qposadr[joint];
  const mjtNum* spring = m->qpos_spring + m->jnt_qposadr[joint];
  mjtNum* force = d->qfrc_spring + m->jnt_dofadr[joint];
  switch (m->jnt_type[joint]) {
    case mjJNT_FREE:
      for (int k = 0; k < 3; k++) force[k] = -stiffness * (q[k] - spring[k]);
      turn_back(force + 3, q + 3, spring + 3, stiffness);
      break;
    case mjJNT_BALL:
      turn_back(force, q, spring, stiffness);
      break;
    default:
      force[0] = -stiffness * (q[0] - spring[0]);
      break;
  }
}

#if LANE_WIDTH > 1
// On one lane where nobody sleeps, four neighbours at a time; the last four may overlap those
// before.

LANE_FN static void start_alone(const mjModel* m, mjData* d, bool damper) {
  const mjtNum *damping = m->dof_damping, *qvel = d->qvel;
  mjtNum *spring = d->qfrc_spring, *force = d->qfrc_damper;
  mjtNum *gravcomp = d->qfrc_gravcomp, *fluid = d->qfrc_fluid;
  int last = (int)m->nv - 4;
  for (int k = 0; k < last + 4; k += 4) {
    int at = k < last ? k : last;
    Wide slope = wide_mul(wide_load(damping + at), wide_all(-1));
    wide_store(spring + at, wide_all(0));
    wide_store(gravcomp + at, wide_all(0));
    wide_store(fluid + at, wide_all(0));
    wide_store(force + at, damper ? wide_mul(slope, wide_load(qvel + at)) : wide_all(0));
  }
}

// Are four joints hinges and slides? Then their places in qpos and their dofs are neighbours too.
LANE_INLINE bool four_are_axes(const int* type) {
  uint64_t two[2];
  const uint64_t axis = (uint64_t)mjJNT_SLIDE << 32 | mjJNT_SLIDE;  // a bit that hinges have too
  memcpy(two, type, sizeof(two));
  return (two[0] & two[1] & axis) == axis;
}

// Springs of the joints from i on, up to one that has several dofs; returns the next one.
LANE_FN static int four_springs(const mjModel* m, mjData* d, int i) {
  const mjtNum *stiffness = m->jnt_stiffness, *rest = m->qpos_spring, *qpos = d->qpos;
  int last = (int)m->njnt - 4;
  while (i < last + 4) {
    int joint = i < last ? i : last;
    if (!four_are_axes(m->jnt_type + joint)) break;
    int place = m->jnt_qposadr[joint];
    Wide k = wide_load(stiffness + joint);
    Wide force = wide_mul(k, wide_all(-1)) * (wide_load(qpos + place) - wide_load(rest + place));
    WideMask some = k != wide_all(0);
    wide_store(d->qfrc_spring + m->jnt_dofadr[joint], (Wide)(some & (WideMask)force));
    i = joint + 4;
  }
  return i;
}

LANE_FN static void sum_alone(const mjModel* m, mjData* d) {
  const mjtNum *spring = d->qfrc_spring, *damper = d->qfrc_damper, *fluid = d->qfrc_fluid;
  mjtNum* sum = d->qfrc_passive;
  int last = (int)m->nv - 4;
  for (int k = 0; k < last + 4; k += 4) {
    int at = k < last ? k : last;
    Wide both = wide_add(wide_load(spring + at), wide_load(damper + at));
    wide_store(sum + at, wide_add(both, wide_load(fluid + at)));
  }
}
#endif

LANE_FN static void all_dampers(Lane g, const mjModel* m, mjData* d) {
  LANE_WIDE(k, g, m->nv) {
    Wide damping = wide_mul(wide_load(m->dof_damping + k), wide_all(-1));
    wide_store(d->qfrc_damper + k, wide_mul(damping, wide_load(d->qvel + k)));
  }
  LANE_WIDE_REST(k, g, m->nv) {
    d->qfrc_damper[k] = -m->dof_damping[k] * d->qvel[k];
  }
}

LANE_FN static void start_all(Lane g, const mjModel* m, mjData* d, bool damper) {
  lane_set_zero(g, d->qfrc_spring, m->nv);
  lane_set_zero(g, d->qfrc_gravcomp, m->nv);
  lane_set_zero(g, d->qfrc_fluid, m->nv);
  if (damper) {
    all_dampers(g, m, d);
  } else {
    lane_set_zero(g, d->qfrc_damper, m->nv);
  }
}

// Clears what is added up below, and sets the dampers of the dofs.
LANE_FN static void start_passive(Lane g, const mjModel* m, mjData* d, bool damper, bool filter) {
#if LANE_WIDTH > 1
  if (lane_count(g) == 1 && !filter && m->nv >= 4) {
    start_alone(m, d, damper);
    return;
  }
#endif
  LANE_FOR(i, g, filter ? d->nv_awake : 0) {
    int k = d->dof_awake_ind[i];
    d->qfrc_spring[k] = 0;
    d->qfrc_damper[k] = damper ? -m->dof_damping[k] * d->qvel[k] : 0;
    d->qfrc_gravcomp[k] = 0;
    d->qfrc_fluid[k] = 0;
  }
  if (!filter) start_all(g, m, d, damper);
  lane_sync(g);
}

LANE_FN static void joint_springs(Lane g, const mjModel* m, mjData* d, bool filter) {
#if LANE_WIDTH > 1
  if (lane_count(g) == 1 && !filter && m->njnt >= 4) {
    for (int joint = 0; joint < m->njnt; joint++) {
      joint = four_springs(m, d, joint);
      if (joint < m->njnt && m->jnt_stiffness[joint] != 0) joint_spring(m, d, joint);
    }
    return;
  }
#endif
  LANE_FOR(joint, g, filter ? 0 : m->njnt) {
    if (m->jnt_stiffness[joint] != 0) joint_spring(m, d, joint);
  }
  LANE_FOR(i, g, filter ? d->nbody_awake : 0) {
    int b = d->body_awake_ind[i], end = m->body_jntadr[b] + m->body_jntnum[b];
    for (int joint = m->body_jntadr[b]; joint < end; joint++) {
      if (m->jnt_stiffness[joint] != 0) joint_spring(m, d, joint);
    }
  }
  lane_sync(g);
}

// Adds the forces of one tendon to the dofs it runs over.
LANE_FN static void apply_tendon(Lane g, const mjModel* m, mjData* d, int t, mjtNum spring,
                                 mjtNum damper) {
  if (ct_is_sparse(m)) {
    const mjtNum* J = d->ten_J + d->ten_J_rowadr[t];
    const int* column = d->ten_J_colind + d->ten_J_rowadr[t];
    LANE_FOR(e, g, d->ten_J_rownnz[t]) {
      d->qfrc_spring[column[e]] += J[e] * spring;
      d->qfrc_damper[column[e]] += J[e] * damper;
    }
  } else {
    const mjtNum* J = d->ten_J + t * m->nv;
    LANE_FOR(k, g, m->nv) {
      d->qfrc_spring[k] += J[k] * spring;
      d->qfrc_damper[k] += J[k] * damper;
    }
  }
  lane_sync(g);  // the next tendon may touch the same dofs
}

LANE_FN static void tendon_forces(Lane g, const mjModel* m, mjData* d, bool springs, bool dampers) {
  for (int t = 0; t < m->ntendon; t++) {
    if (m->tendon_stiffness[t] == 0 && m->tendon_damping[t] == 0) continue;
    mjtNum spring = springs ? ct_tendon_spring(m, d, t) : 0;
    mjtNum damper = dampers ? -m->tendon_damping[t] * d->ten_velocity[t] : 0;
    if (spring != 0 || damper != 0) apply_tendon(g, m, d, t, spring, damper);
  }
}

LANE_INLINE bool compensates_gravity(const mjModel* m) {
  const mjtNum* gravity = m->opt.gravity;
  return m->ngravcomp > 0 && !(m->opt.disableflags & mjDSBL_GRAVITY) &&
         (gravity[0] != 0 || gravity[1] != 0 || gravity[2] != 0);
}

LANE_FN static void lift_bodies(Lane g, const mjModel* m, mjData* d, bool filter) {
  for (int b = 1; b < m->nbody; b++) {
    if (m->body_gravcomp[b] == 0 || (filter && ct_body_asleep(d, b))) continue;
    mjtNum force[3];
    ct_scl3(force, m->opt.gravity, -(m->body_mass[b] * m->body_gravcomp[b]));
    ct_apply_force(g, m, d, d->qfrc_gravcomp, force, NULL, d->xipos + 3 * b, b);
  }
}

LANE_FN static void sum_passive(Lane g, const mjModel* m, mjData* d, bool lifted, bool filter) {
  bool plain = !lifted && !filter;
#if LANE_WIDTH > 1
  if (lane_count(g) == 1 && plain && m->nv >= 4) {
    sum_alone(m, d);
    return;
  }
#endif
  LANE_WIDE(k, g, plain ? m->nv : 0) {
    Wide sum = wide_add(wide_load(d->qfrc_spring + k), wide_load(d->qfrc_damper + k));
    wide_store(d->qfrc_passive + k, wide_add(sum, wide_load(d->qfrc_fluid + k)));
  }
  LANE_WIDE_REST(k, g, plain ? m->nv : 0) {
    d->qfrc_passive[k] = d->qfrc_spring[k] + d->qfrc_damper[k] + d->qfrc_fluid[k];
  }
  LANE_FOR(i, g, plain ? 0 : ct_dofs_awake(m, d, filter)) {
    int k = ct_awake_dof(d, filter, i);
    mjtNum sum = d->qfrc_spring[k] + d->qfrc_damper[k] + d->qfrc_fluid[k];
    if (lifted && !m->jnt_actgravcomp[m->dof_jntid[k]]) sum += d->qfrc_gravcomp[k];
    d->qfrc_passive[k] = sum;
  }
  lane_sync(g);
}

LANE_FN int ct_passive(Lane g, const mjModel* m, mjData* d) {
  bool spring = !(m->opt.disableflags & mjDSBL_SPRING);
  bool damper = !(m->opt.disableflags & mjDSBL_DAMPER);
  bool filter = ct_some_asleep(m, d), lifted = compensates_gravity(m);
  start_passive(g, m, d, damper, filter);
  if (!ct_has_passive(m)) {
    sum_passive(g, m, d, false, filter);
    return CT_OK;
  }
  int status = CT_OK;
  if (spring) joint_springs(g, m, d, filter);
  if (ct_has_flexes(m)) status |= ct_soft_forces(g, m, d);
  if (m->ntendon) tendon_forces(g, m, d, spring, damper);
  if (lifted) lift_bodies(g, m, d, filter);
  if (ct_has_fluid(m)) status |= ct_fluid(g, m, d);
  sum_passive(g, m, d, lifted, filter);
  return status;
}
