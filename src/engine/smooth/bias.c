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
// The forces f_b do not depend on each other, so they are computed for four bodies at a time. That
// on the world moves no dof, so it is left out.
//
// While trees sleep, entries of their dofs keep what they had.

#include "engine/smooth/bias.h"

#include "base/memory/scratch.h"
#include "base/model/awake.h"
#include "base/private.h"
#include "engine/smooth/tendon_bias.h"
#include "math/wide_spatial.h"

LANE_INLINE void body_force(mjtNum f[6], const mjtNum inertia[10], const mjtNum velocity[6],
                            const mjtNum acc[6]) {
  mjtNum momentum[6], turning[6];
  ct_mul_inert_vec(momentum, inertia, velocity);
  ct_cross_force(turning, velocity, momentum);
  ct_mul_inert_vec(f, inertia, acc);
  ct_add_to6(f, turning);
}

#if LANE_WIDTH > 1
// On one lane four bodies at a time, the last four overlapping those before.
LANE_FN static void body_forces_alone(const mjModel* m, const mjData* d, int first,
                                      const mjtNum* acc, mjtNum* force) {
  const mjtNum *cinert = d->cinert, *cvel = d->cvel;
  int last = (int)m->nbody - 4;
  for (int b = first; b < last + 4; b += 4) {
    int at = b < last ? b : last;
    Wide inertia[10], velocity[6], a[6], f[6], momentum[6], turning[6];
    wide_gather_rows(inertia, cinert + 10 * at, 10, 10);
    wide_gather_rows(velocity, cvel + 6 * at, 6, 6);
    wide_mul_inert_vec(momentum, inertia, velocity);
    wide_cross_force(turning, velocity, momentum);
    wide_gather_rows(a, acc + 6 * at, 6, 6);
    wide_mul_inert_vec(f, inertia, a);
    for (int i = 0; i < 6; i++) f[i] = wide_add(f[i], turning[i]);
    wide_scatter_rows(force + 6 * at, 6, f, 6);
  }
}
#endif

LANE_FN void ct_body_forces(Lane g, const mjModel* m, const mjData* d, int first, const mjtNum* acc,
                            mjtNum* force) {
#if LANE_WIDTH > 1
  if (lane_count(g) == 1 && m->nbody >= 4) {
    body_forces_alone(m, d, first, acc, force);
    return;
  }
#endif
  LANE_FOR(i, g, m->nbody - first) {
    int b = first + i;
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

#if LANE_WIDTH > 1
// On one lane, with the six numbers of a body in registers. Dofs are numbered in the order of their
// bodies, so that pointers to them go along. What is loaded as a word is stored as one: otherwise
// the load waits for the cache.

// As ct_add_dof_vec.
LANE_INLINE WideSix add_dofs(WideSix acc, const mjtNum* axes, const mjtNum* x, int n) {
  if (n == 0) return acc;
  WideSix sum = wide_scl6(axes, x[0]);
  for (int j = 1; j < n; j++) sum = wide_add_scl6(sum, axes + 6 * j, x[j]);
  return wide_add6(acc, sum);
}

LANE_INLINE void accelerations_alone(const mjModel* m, const mjData* d, bool accelerate,
                                     mjtNum* acc) {
  const mjtNum *axis = d->cdof, *axis_dot = d->cdof_dot, *qvel = d->qvel, *qacc = d->qacc;
  const int *parent = m->body_parentid, *dofs = m->body_dofnum;
  mjtNum world[6];
  ct_world_acceleration(m, world);
  WideSix up = {{world[0], world[1], world[2], world[3]}, {world[4], world[5]}};
  wide_store6(acc, up);
  for (int b = 1, nbody = (int)m->nbody; b < nbody; b++) {
    int n = dofs[b];
    WideSix a = add_dofs(wide_load6(acc + 6 * parent[b]), axis_dot, qvel, n);
    if (accelerate) a = add_dofs(a, axis, qacc, n);
    wide_store6(acc + 6 * b, a);
    axis_dot += 6 * n;
    qvel += n;
    axis += 6 * n;
    qacc += n;
  }
}

// Bodies add to their parents, largest id first, which is the order in which parents pull.
LANE_INLINE void sweep_alone(const mjModel* m, const mjData* d, mjtNum* force, mjtNum* result) {
  const int *parent = m->body_parentid, *dofs = m->body_dofnum;
  const mjtNum* axis = d->cdof + 6 * m->nv;
  result += m->nv;
  for (int b = (int)m->nbody - 1; b > 0; b--) {
    WideSix f = wide_load6(force + 6 * b);
    mjtNum* above = force + 6 * parent[b];
    wide_store6(above, wide_add6(wide_load6(above), f));
    for (int n = dofs[b]; n > 0; n--) {
      axis -= 6;
      *--result = wide_dot_six(axis, f);
    }
  }
}
#endif

LANE_FN void ct_body_accelerations(Lane g, const mjModel* m, const mjData* d, bool accelerate,
                                   mjtNum* acc) {
#if LANE_WIDTH > 1
  if (lane_count(g) == 1 && accelerate) {
    accelerations_alone(m, d, true, acc);
    return;
  } else if (lane_count(g) == 1) {
    accelerations_alone(m, d, false, acc);
    return;
  }
#endif
  LANE_ONCE(g) {
    ct_world_acceleration(m, acc);
  }
  lane_sync(g);
  LANE_LEVELS(b, g, ct_private(d)->schedule.bodies) {
    ct_body_acceleration(m, d, b, accelerate, acc + 6 * b, acc + 6 * m->body_parentid[b]);
  }
}

LANE_FN static void sweep_up(Lane g, const mjModel* m, const mjData* d, mjtNum* force,
                             mjtNum* result) {
  bool filter = ct_some_asleep(m, d);
#if LANE_WIDTH > 1
  if (lane_count(g) == 1 && !filter) {
    sweep_alone(m, d, force, result);
    return;
  }
#endif
  LANE_LEVELS_UP(b, g, ct_private(d)->schedule.bodies) {
    if (filter && ct_body_asleep(d, b)) continue;
    sweep_from_children(m, d, force, b, result);
  }
}

LANE_FN static void newton_euler_sweeps(Lane g, const mjModel* m, const mjData* d, bool accelerate,
                                        mjtNum* acc, mjtNum* force, mjtNum* result) {
  ct_body_accelerations(g, m, d, accelerate, acc);
  ct_body_forces(g, m, d, 1, acc, force);
  sweep_up(g, m, d, force, result);
}

#ifndef CT_SIDE_BY_SIDE  // scratch is of one environment, and so are tendons

LANE_FN int ct_newton_euler(Lane g, const mjModel* m, mjData* d, bool accelerate, mjtNum* result) {
  int n = 6 * (int)m->nbody;
  if (!lane_mark(g, d)) return CT_STACK_FULL;
  mjtNum* scratch = lane_scratch_num(g, d, 2 * n);
  if (scratch) newton_euler_sweeps(g, m, d, accelerate, scratch, scratch + n, result);
  lane_free(g, d);
  return scratch ? CT_OK : CT_STACK_FULL;
}

LANE_FN int ct_bias(Lane g, const mjModel* m, mjData* d) {
  int status = ct_newton_euler(g, m, d, false, d->qfrc_bias);
  return status | ct_tendon_bias(g, m, d, d->qfrc_bias);
}

#endif
