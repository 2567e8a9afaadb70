// Bias forces by the recursive Newton-Euler algorithm.
//
//   in    cinert, cvel    (nbody x 10), (nbody x 6)
//         cdof, cdof_dot  (nv x 6)
//         qvel, qacc      (nv), qacc only where it is asked for
//   out   qfrc_bias       (nv)  what the joints must do for qacc to be zero
//
// Spatial vectors as in com_velocity.c. With p(b) the parent of b and v x* the product of motion
// and force (Featherstone, Rigid Body Dynamics Algorithms, section 5.3), away from the root
//
//   a_b = a_p(b) + sum_{j of b} (ds_j/dt qd_j + s_j qdd_j),      a_world = -gravity
//   f_b = I_b a_b + v_b x* I_b v_b
//
// and towards it f_b += f_c for the children c of b; then dof j of body b feels s_j . f_b.
//
// The forces f_b do not depend on each other, so they are computed for four bodies at a time.
//
// While trees sleep, entries of their dofs keep what they had.

#include "engine/smooth/bias.h"

#include "base/memory/scratch.h"
#include "base/model/awake.h"
#include "base/private.h"
#include "engine/smooth/tendon_bias.h"
#include "math/wide_spatial.h"

// The force on one body: scalars, or one of four bodies in each place of a word.

LANE_INLINE void body_force(mjtNum f[6], const mjtNum inertia[10], const mjtNum velocity[6],
                            const mjtNum acc[6]) {
  mjtNum momentum[6], turning[6];
  ct_mul_inert_vec(momentum, inertia, velocity);
  ct_cross_force(turning, velocity, momentum);
  ct_mul_inert_vec(f, inertia, acc);
  ct_add_to6(f, turning);
}

LANE_FN static void wide_body_force(Wide f[6], const Wide inertia[10], const Wide velocity[6],
                                    const Wide acc[6]) {
  Wide momentum[6], turning[6];
  wide_mul_inert_vec(momentum, inertia, velocity);
  wide_cross_force(turning, velocity, momentum);
  wide_mul_inert_vec(f, inertia, acc);
  for (int i = 0; i < 6; i++) f[i] = wide_add(f[i], turning[i]);
}

LANE_FN void ct_body_forces(Lane g, const mjModel* m, const mjData* d, const mjtNum* acc,
                            mjtNum* force) {
  LANE_WIDE(b, g, m->nbody) {
    Wide inertia[10], velocity[6], a[6], f[6];
    for (int i = 0; i < 10; i++) inertia[i] = wide_gather(d->cinert + 10 * b + i, 10);
    for (int i = 0; i < 6; i++) velocity[i] = wide_gather(d->cvel + 6 * b + i, 6);
    for (int i = 0; i < 6; i++) a[i] = wide_gather(acc + 6 * b + i, 6);
    wide_body_force(f, inertia, velocity, a);
    for (int i = 0; i < 6; i++) wide_scatter(force + 6 * b + i, 6, f[i]);
  }
  LANE_WIDE_REST(b, g, m->nbody) {
    body_force(force + 6 * b, d->cinert + 10 * b, d->cvel + 6 * b, acc + 6 * b);
  }
  lane_sync(g);
}

// Adds the forces of the children, and writes what the dofs of the body feel.
LANE_INLINE void sweep_from_children(const mjModel* m, const mjData* d, mjtNum* forces, int b,
                                     mjtNum* result) {
  const ct_Schedule* s = &ct_private(d)->schedule;
  mjtNum f[6];
  ct_copy6(f, forces + 6 * b);
  for (int i = s->child_adr[b]; i < s->child_adr[b + 1]; i++) {
    ct_add_to6(f, forces + 6 * s->child[i]);
  }
  ct_copy6(forces + 6 * b, f);
  int end = m->body_dofadr[b] + m->body_dofnum[b];
  for (int j = m->body_dofadr[b]; j < end; j++) {
    result[j] = ct_dot6(d->cdof + 6 * j, f);
  }
}

// Inlined twice, because what does not accelerate is worth a loop of its own.
LANE_PRIMITIVE_ void newton_euler_sweeps(Lane g, const mjModel* m, const mjData* d, bool accelerate,
                                         mjtNum* acc, mjtNum* force, mjtNum* result) {
  LANE_ONCE(g) {
    ct_world_acceleration(m, acc);
  }
  lane_sync(g);
  LANE_LEVELS(b, g, ct_private(d)->schedule.bodies) {
    ct_body_acceleration(m, d, b, accelerate, acc + 6 * b, acc + 6 * m->body_parentid[b]);
  }
  ct_body_forces(g, m, d, acc, force);
  LANE_LEVELS_UP(b, g, ct_private(d)->schedule.bodies) {
    sweep_from_children(m, d, force, b, result);
  }
}

#ifndef CT_SIDE_BY_SIDE  // scratch is of one environment, and so are tendons

// The same while some sleep. Bodies that cannot move hand on accelerations but need no force.
LANE_FN LANE_RARE static void newton_euler_of_awake(Lane g, const mjModel* m, const mjData* d,
                                                    bool accelerate, mjtNum* acc, mjtNum* force,
                                                    mjtNum* result) {
  if (d->nv_awake == 0) return;
  LANE_ONCE(g) {
    ct_world_acceleration(m, acc);
  }
  lane_sync(g);
  LANE_LEVELS_AWAKE(b, g, m, d, true) {
    ct_body_acceleration(m, d, b, accelerate, acc + 6 * b, acc + 6 * m->body_parentid[b]);
  }
  LANE_FOR(i, g, d->nbody_awake) {
    int b = d->body_awake_ind[i];
    body_force(force + 6 * b, d->cinert + 10 * b, d->cvel + 6 * b, acc + 6 * b);
  }
  lane_sync(g);
  LANE_LEVELS_AWAKE_UP(b, g, m, d, true) {
    if (m->body_treeid[b] >= 0) sweep_from_children(m, d, force, b, result);
  }
}

LANE_FN int ct_newton_euler(Lane g, const mjModel* m, mjData* d, bool accelerate, mjtNum* result) {
  int n = 6 * (int)m->nbody;
  if (!lane_mark(g, d)) return CT_STACK_FULL;
  mjtNum* scratch = lane_scratch_num(g, d, 2 * n);
  if (scratch && ct_some_asleep(m, d)) {
    newton_euler_of_awake(g, m, d, accelerate, scratch, scratch + n, result);
  } else if (scratch && accelerate) {
    newton_euler_sweeps(g, m, d, true, scratch, scratch + n, result);
  } else if (scratch) {
    newton_euler_sweeps(g, m, d, false, scratch, scratch + n, result);
  }
  lane_free(g, d);
  return scratch ? CT_OK : CT_STACK_FULL;
}

LANE_FN int ct_bias(Lane g, const mjModel* m, mjData* d) {
  int status = ct_newton_euler(g, m, d, false, d->qfrc_bias);
  return status | ct_tendon_bias(g, m, d, d->qfrc_bias);
}

#endif
