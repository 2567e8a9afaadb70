// How fast the centre of mass of every subtree moves, and its angular momentum about that centre.
//
//   in    cvel            (nbody x 6)
//         xipos, ximat    (nbody x 3), (nbody x 9)
//         subtree_com     (nbody x 3)
//   out   subtree_linvel  (nbody x 3)
//         subtree_angmom  (nbody x 3)
//
// Both are in world axes. Momenta add up from the leaves to the root. An angular momentum is first
// moved from the centre of a part to the centre of the whole: a part of mass m whose centre is at r
// from the whole's and moves with u relative to it adds m r x u to its own. The parts of subtree b
// are the body b itself and the subtrees of its children.
//
// Sleep makes no difference here.

#include "engine/smooth/subtree.h"

#include "base/private.h"
#include "engine/smooth/jacobian.h"

// Velocity of the centre of mass of body b.
LANE_INLINE void centre_velocity(const mjModel* m, const mjData* d, int b, mjtNum velocity[3]) {
  mjtNum arm[3];
  ct_sub3(arm, d->xipos + 3 * b, ct_reference_point(m, d, b));
  ct_jac_column(velocity, d->cvel + 6 * b, arm);
}

// Momentum of the subtree of b, in the place of its velocity.
LANE_FN static void gather_momentum(const mjModel* m, mjData* d, int b) {
  const ct_Schedule* s = &ct_private(d)->schedule;
  mjtNum* momentum = d->subtree_linvel + 3 * b;
  centre_velocity(m, d, b, momentum);
  ct_scl3(momentum, momentum, m->body_mass[b]);
  for (int i = s->child_adr[b]; i < s->child_adr[b + 1]; i++) {
    ct_add_to3(momentum, d->subtree_linvel + 3 * s->child[i]);
  }
}

// Adds m r x u for a part of subtree b with this mass, centre and velocity.
LANE_INLINE void add_relative_motion(mjData* d, int b, mjtNum mass, const mjtNum centre[3],
                                     const mjtNum velocity[3]) {
  mjtNum r[3], u[3], moment[3];
  ct_sub3(r, centre, d->subtree_com + 3 * b);
  ct_sub3(u, velocity, d->subtree_linvel + 3 * b);
  ct_cross(moment, r, u);
  ct_add_to_scl3(d->subtree_angmom + 3 * b, moment, mass);
}

LANE_FN static void gather_angular_momentum(const mjModel* m, mjData* d, int b) {
  const ct_Schedule* s = &ct_private(d)->schedule;
  mjtNum *momentum = d->subtree_angmom + 3 * b, velocity[3];

  // the body's own, in its principal axes; the velocity of its centre of mass
  ct_mul_mat_t_vec3(momentum, d->ximat + 9 * b, d->cvel + 6 * b);
  for (int k = 0; k < 3; k++) momentum[k] *= m->body_inertia[3 * b + k];
  ct_mul_mat_vec3(momentum, d->ximat + 9 * b, momentum);
  centre_velocity(m, d, b, velocity);
  add_relative_motion(d, b, m->body_mass[b], d->xipos + 3 * b, velocity);

  for (int i = s->child_adr[b]; i < s->child_adr[b + 1]; i++) {
    int c = s->child[i];
    ct_add_to3(momentum, d->subtree_angmom + 3 * c);
    add_relative_motion(d, b, m->body_subtreemass[c], d->subtree_com + 3 * c,
                        d->subtree_linvel + 3 * c);
  }
}

LANE_FN int ct_subtree_velocity(Lane g, const mjModel* m, mjData* d) {
  LANE_LEVELS_UP(b, g, ct_private(d)->schedule.bodies) {
    gather_momentum(m, d, b);
  }
  LANE_ONCE(g) {
    gather_momentum(m, d, 0);
    d->flg_subtreevel = 1;
  }
  lane_sync(g);
  LANE_FOR(b, g, m->nbody) {
    mjtNum mass = ct_max(mjMINVAL, m->body_subtreemass[b]);
    ct_scl3(d->subtree_linvel + 3 * b, d->subtree_linvel + 3 * b, 1 / mass);
  }
  lane_sync(g);
  LANE_LEVELS_UP(b, g, ct_private(d)->schedule.bodies) {
    gather_angular_momentum(m, d, b);
  }
  LANE_ONCE(g) {
    gather_angular_momentum(m, d, 0);
  }
  lane_sync(g);
  return CT_OK;
}
