// Potential and kinetic energy of everything.
//
//   in    xipos            (nbody x 3)
//         qpos             (nq)
//         ten_length       (ntendon)
//         flexedge_length  (nflexedge)
//         flexvert_xpos    (nflexvert x 3)
//         qvel, M          (nv), (nC)  M: lower triangle of the mass matrix, row by row
//   out   energy[0]        potential: -sum m g.x, and k |d|^2 / 2 of every spring
//         energy[1]        kinetic: qvel' M qvel / 2
//         flg_energypos, flg_energyvel
//
// Springs are those of joints (d: from qpos_spring, a rotation vector for ball and free joints), of
// tendons (d: how far the length is outside its dead band) and of the edges of one-dimensional
// flexes. Shells that bend by angles, which the reference does not know, count too. What other
// flexes of higher dimension, contacts and other soft constraints store is not counted, as in the
// reference.
//
// The mass matrix has armature in it, and so has the kinetic energy. Springs of sleeping joints and
// tendons do not count; the weight of sleeping bodies does.

#include "engine/smooth/energy.h"

#include "base/model/awake.h"
#include "math/quat.h"
#include "soft/elasticity.h"

LANE_INLINE mjtNum rotation_squared(const mjtNum quat[4], const mjtNum spring[4]) {
  mjtNum unit[4], turn[3];
  ct_copy4(unit, quat);
  ct_normalize4(unit);
  ct_sub_quat(turn, unit, spring);
  return ct_dot3(turn, turn);
}

// |d|^2 of the spring of a joint.
LANE_FN static mjtNum joint_stretch_squared(const mjModel* m, const mjData* d, int joint) {
  const mjtNum* q = d->qpos + m->jnt_qposadr[joint];
  const mjtNum* spring = m->qpos_spring + m->jnt_qposadr[joint];
  mjtNum shift[3];
  switch (m->jnt_type[joint]) {
    case mjJNT_FREE:
      ct_sub3(shift, q, spring);
      return ct_dot3(shift, shift) + rotation_squared(q + 3, spring + 3);
    case mjJNT_BALL:
      return rotation_squared(q, spring);
    default:
      return (q[0] - spring[0]) * (q[0] - spring[0]);
  }
}

LANE_FN static mjtNum joint_energy(const mjModel* m, const mjData* d, int joint, bool filter) {
  mjtNum stiffness = m->jnt_stiffness[joint];
  if (stiffness == 0 || (filter && ct_body_asleep(d, m->jnt_bodyid[joint]))) return 0;
  return stiffness * joint_stretch_squared(m, d, joint) / 2;
}

LANE_INLINE mjtNum tendon_energy(const mjModel* m, const mjData* d, int tendon, bool filter) {
  if (filter && ct_tendon_asleep(m, d, tendon)) return 0;  // its length is not kept
  mjtNum length = d->ten_length[tendon], stretch = 0;
  mjtNum lower = m->tendon_lengthspring[2 * tendon];
  mjtNum upper = m->tendon_lengthspring[2 * tendon + 1];
  if (length > upper) {
    stretch = length - upper;
  } else if (length < lower) {
    stretch = length - lower;
  }
  return m->tendon_stiffness[tendon] * stretch * stretch / 2;
}

LANE_INLINE mjtNum flex_edge_energy(const mjModel* m, const mjData* d, int flex, int edge) {
  if (m->flexedge_rigid[edge]) return 0;
  mjtNum stretch = m->flexedge_length0[edge] - d->flexedge_length[edge];
  return m->flex_edgestiffness[flex] * stretch * stretch / 2;
}

LANE_FN static mjtNum spring_energy(Lane g, const mjModel* m, const mjData* d) {
  bool filter = ct_some_asleep(m, d);
  mjtNum joints, tendons, sum;
  LANE_SUM(joints, i, g, m->njnt, joint_energy(m, d, i, filter));
  LANE_SUM(tendons, i, g, m->ntendon, tendon_energy(m, d, i, filter));
  sum = joints + tendons;
  for (int f = 0; f < m->nflex; f++) {
    if (m->flex_rigid[f]) continue;
    mjtNum edges = 0;
    if (m->flex_dim[f] == 1) {
      LANE_SUM(edges, i, g, m->flex_edgenum[f], flex_edge_energy(m, d, f, m->flex_edgeadr[f] + i));
    }
    sum += edges + ct_bending_energy(g, m, d, f);
  }
  return sum;
}

LANE_FN int ct_energy_position(Lane g, const mjModel* m, mjData* d) {
  mjtNum energy = 0;
  if (!(m->opt.disableflags & mjDSBL_GRAVITY)) {
    mjtNum weight;
    LANE_SUM(weight, i, g, m->nbody - 1,
             m->body_mass[i + 1] * ct_dot3(m->opt.gravity, d->xipos + 3 * (i + 1)));
    energy -= weight;
  }
  if (!(m->opt.disableflags & mjDSBL_SPRING)) {
    energy += spring_energy(g, m, d);
  }
  LANE_ONCE(g) {
    d->energy[0] = energy;
    d->flg_energypos = 1;
  }
  lane_sync(g);
  return CT_OK;
}

// What row i of the lower triangle contributes to qvel' M qvel: entries beside the diagonal stand
// for their mirror images too.
LANE_FN static mjtNum row_product(const mjModel* m, const mjData* d, int i) {
  const int* column = m->M_colind + m->M_rowadr[i];
  const mjtNum* row = d->M + m->M_rowadr[i];
  int last = m->M_rownnz[i] - 1;
  mjtNum beside = 0;
  for (int k = 0; k < last; k++) {
    beside += row[k] * d->qvel[column[k]];
  }
  return d->qvel[i] * (2 * beside + row[last] * d->qvel[i]);
}

LANE_FN int ct_energy_velocity(Lane g, const mjModel* m, mjData* d) {
  mjtNum twice = 0;
  if (!ct_all_asleep(m, d)) LANE_SUM(twice, i, g, m->nv, row_product(m, d, i));
  LANE_ONCE(g) {
    d->energy[1] = twice / 2;
    d->flg_energyvel = 1;
  }
  lane_sync(g);
  return CT_OK;
}
