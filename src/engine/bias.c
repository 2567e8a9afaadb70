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
// Bodies that nothing moves take part in neither sweep: they have the acceleration of the world,
// and no dof feels their force. While trees sleep, entries of their dofs keep what they had.

#include "engine/bias.h"

#include "base/private.h"
#include "base/scratch.h"
#include "engine/sleep.h"
#include "engine/tendon_bias.h"

typedef struct NewtonEuler_ {  // what the two sweeps share
  bool accelerate;             // does qacc take part?
  bool filter;                 // does something sleep?
  mjtNum* acc;                 // (nbody x 6)
  mjtNum* force;               // (nbody x 6)
} NewtonEuler;

LANE_INLINE bool has_no_dynamics(const mjModel* m, const mjData* d, const NewtonEuler* s, int b) {
  return m->body_weldid[b] == 0 || (s->filter && ct_body_asleep(d, b));
}

LANE_INLINE void sweep_from_parent(const mjModel* m, const mjData* d, const NewtonEuler* s, int b) {
  mjtNum* acc = s->acc + 6 * b;
  if (has_no_dynamics(m, d, s, b)) {
    ct_copy6(acc, s->acc);
  } else {
    ct_body_acceleration(m, d, b, s->accelerate, acc, s->acc + 6 * m->body_parentid[b]);
    ct_body_force(d, b, acc, s->force + 6 * b);
  }
}

LANE_INLINE void sweep_from_children(const mjModel* m, const mjData* d, const NewtonEuler* s, int b,
                                     mjtNum* result) {
  if (has_no_dynamics(m, d, s, b)) return;
  const ct_Schedule* schedule = &ct_private(d)->schedule;
  mjtNum* force = s->force + 6 * b;
  for (int i = schedule->child_adr[b]; i < schedule->child_adr[b + 1]; i++) {
    ct_add_to6(force, s->force + 6 * schedule->child[i]);
  }
  int end = m->body_dofadr[b] + m->body_dofnum[b];
  for (int j = m->body_dofadr[b]; j < end; j++) {
    result[j] = ct_dot6(d->cdof + 6 * j, force);
  }
}

LANE_FN static void newton_euler_sweeps(Lane g, const mjModel* m, const mjData* d,
                                        const NewtonEuler* s, mjtNum* result) {
  LANE_ONCE(g) {
    ct_world_acceleration(m, s->acc);
  }
  lane_sync(g);
  LANE_LEVELS(b, g, ct_private(d)->schedule.bodies) {
    sweep_from_parent(m, d, s, b);
  }
  LANE_LEVELS_UP(b, g, ct_private(d)->schedule.bodies) {
    sweep_from_children(m, d, s, b, result);
  }
}

LANE_FN bool ct_newton_euler(Lane g, const mjModel* m, mjData* d, bool accelerate, mjtNum* result) {
  int n = 6 * (int)m->nbody;
  if (!lane_mark(g, d)) return false;
  NewtonEuler s = {accelerate, ct_some_asleep(m, d), NULL, NULL};
  s.acc = lane_scratch_num(g, d, 2 * n);
  s.force = s.acc ? s.acc + n : NULL;
  if (s.acc) newton_euler_sweeps(g, m, d, &s, result);
  lane_free(g, d);
  return s.acc != NULL;
}

LANE_FN void ct_bias(Lane g, const mjModel* m, mjData* d) {
  ct_newton_euler(g, m, d, false, d->qfrc_bias);
  ct_tendon_bias(g, m, d, d->qfrc_bias);
}
