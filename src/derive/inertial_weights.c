// Weights of the forces of inertia, and of all that acts on bodies beside them.
//
// With Y = sum S_i y_i of a body, and sums over the subtree of a dof: F of the forces of inertia,
// IY of I_b Y_b, and BY of
//
//   B_b' Y_b = -Y_b x* I_b V_b - I_b (V_b x Y_b) + V_b x* I_b Y_b,
//
// (symbols of inertial_slopes.c) both halves of the matrix together are
//
//   y'd(M a + c)/dq_j = -S_j.(A_j x* IY + Y_j x* F) + S'_j.(BY - V_j x* IY)
//   y'd(M a + c)/dv_j = S'_j.IY + S_j.(BY - V'_j x* IY)
//
// where A_j, Y_j, V_j are sums before dof j and V'_j is that behind its group. V, S' are those of
// the velocity stage. For the integrator z'd(M x)/dq_j = -S_j.(X_j x* IZ + Z_j x* IX) rides along.

#include "derive/slopes.h"
#include "engine/smooth/bias.h"

typedef struct {
  mjtNum bias[6], momentum[6], force[6];  // A without the sum of S a, I V, f
  mjtNum weight[6], change[6];            // I Y, B'Y
} BodyWeight;

typedef struct {  // of M alone: sums of S x and S z, and their momenta
  mjtNum sum[2][6], momentum[2][6];
} BodyPair;

// Sums before dofs (nv x 6): of the bias, and of S x and S z.
LANE_INLINE mjtNum* sums_before(const ct_Slopes* s, int which) {
  return s->dof + (size_t)which * 6 * (size_t)s->nv;
}

// Sums of S x before each dof of a body; `sum` is that of the parent and becomes that of the body.
LANE_INLINE void pass_dofs(const ct_Slopes* s, int b, const mjtNum* x, mjtNum sum[6],
                           mjtNum* before) {
  const mjModel* m = s->m;
  int end = m->body_dofadr[b] + m->body_dofnum[b];
  for (int k = m->body_dofadr[b], last; k >= 0 && k < end; k = last + 1) {
    last = s->last[k];
    for (int j = k; j <= last; j++) ct_copy6(before + 6 * j, sum);
    for (int j = k; j <= last; j++) ct_add_to_scl6(sum, s->d->cdof + 6 * j, x[j]);
  }
}

LANE_INLINE void start_sum(const ct_Slopes* s, int b, const mjtNum* sums, mjtNum sum[6]) {
  int parent = s->m->body_parentid[b];
  if (parent) {
    ct_copy6(sum, sums + 6 * parent);
  } else {
    ct_zero6(sum);
  }
}

LANE_FN static void sweep_body(ct_Slopes* s, int b) {
  const mjModel* m = s->m;
  const mjData* d = s->d;
  BodyWeight *all = (BodyWeight*)(void*)s->body, *body = all + b;
  int parent = m->body_parentid[b], start = m->body_dofadr[b], end = start + m->body_dofnum[b];
  mjtNum *bias_before = sums_before(s, 0), speed[6], push[6], bias[6] = {0, 0, 0, 0, 0, 0};
  mjtNum acceleration[6], momentum[6], force[6], swung[6];
  start_sum(s, b, s->push, push);
  start_sum(s, b, d->cvel, speed);
  pass_dofs(s, b, s->acc, push, s->push_before);
  pass_dofs(s, b, d->qvel, speed, s->speed_before);
  if (parent) {
    ct_copy6(bias, all[parent].bias);
  } else {
    ct_world_acceleration(m, bias);
  }
  for (int k = start, last; k >= 0 && k < end; k = last + 1) {
    last = s->last[k];
    for (int j = k; j <= last; j++) ct_copy6(bias_before + 6 * j, bias);
    for (int j = k; j <= last; j++) ct_add_to_scl6(bias, d->cdof_dot + 6 * j, d->qvel[j]);
  }
  for (int k = 0; k < 6; k++) acceleration[k] = bias[k] + push[k];
  ct_mul_inert_vec(momentum, d->cinert + 10 * b, d->cvel + 6 * b);
  ct_mul_inert_vec(force, d->cinert + 10 * b, acceleration);
  ct_cross_force(swung, d->cvel + 6 * b, momentum);
  for (int k = 0; k < 6; k++) body->force[k] = force[k] + swung[k];
  ct_copy6(body->momentum, momentum);
  ct_copy6(body->bias, bias);
  ct_copy6(s->push + 6 * b, push);
}

LANE_FN void ct_sweep_motion(Lane g, ct_Slopes* s) {
  const ct_Levels bodies = ct_private(s->d)->schedule.bodies;
  LANE_LEVELS(b, g, bodies) {
    sweep_body(s, b);
  }
  lane_sync(g);
}

LANE_FN static void weigh_body(ct_Slopes* s, int b) {
  BodyWeight* body = (BodyWeight*)(void*)s->body + b;
  const mjtNum *inertia = s->d->cinert + 10 * b, *speed = s->d->cvel + 6 * b;
  mjtNum twist[6], weight[6], change[6], part[6], other[6], last[6];
  start_sum(s, b, s->twist, twist);
  pass_dofs(s, b, s->y, twist, s->twist_before);
  ct_mul_inert_vec(weight, inertia, twist);
  ct_cross_force(change, speed, weight);
  ct_cross_force(part, twist, body->momentum);
  ct_cross_motion(other, speed, twist);
  ct_mul_inert_vec(last, inertia, other);
  for (int k = 0; k < 6; k++) body->change[k] = change[k] - part[k] - last[k];
  ct_copy6(body->weight, weight);
  ct_copy6(s->twist + 6 * b, twist);
}

// x and z do the same.
LANE_FN static void sum_pair(const ct_Slopes* s, int b) {
  BodyPair *all = (BodyPair*)(void*)s->pair, *body = all + b;
  int parent = s->m->body_parentid[b];
  for (int k = 0; k < 2; k++) {
    mjtNum sum[6] = {0, 0, 0, 0, 0, 0};
    if (parent) ct_copy6(sum, all[parent].sum[k]);
    pass_dofs(s, b, k ? s->z : s->x, sum, sums_before(s, 1 + k));
    ct_mul_inert_vec(body->momentum[k], s->d->cinert + 10 * b, sum);
    ct_copy6(body->sum[k], sum);
  }
}

LANE_FN void ct_sweep_weights(Lane g, ct_Slopes* s) {
  const ct_Levels bodies = ct_private(s->d)->schedule.bodies;
  LANE_LEVELS(b, g, bodies) {
    weigh_body(s, b);
    if (s->z) sum_pair(s, b);
  }
  LANE_FOR(k, g, s->d->nefc ? 6 : 0) {
    s->twist[k] = 0;
  }
  LANE_FOR(k, g, s->d->nefc ? CT_BURDEN * s->m->nbody : 0) {
    s->burden[k] = 0;
  }
  lane_sync(g);
}

LANE_FN static void gather_children(const ct_Slopes* s, int b) {
  BodyWeight *all = (BodyWeight*)(void*)s->body, *body = all + b;
  const ct_Schedule* schedule = &ct_private(s->d)->schedule;
  for (int c = schedule->child_adr[b]; c < schedule->child_adr[b + 1]; c++) {
    const BodyWeight* child = all + schedule->child[c];
    ct_add_to6(body->force, child->force);
    ct_add_to6(body->weight, child->weight);
    ct_add_to6(body->change, child->change);
  }
}

LANE_FN static void gather_pairs(const ct_Slopes* s, int b) {
  BodyPair *all = (BodyPair*)(void*)s->pair, *body = all + b;
  const ct_Schedule* schedule = &ct_private(s->d)->schedule;
  for (int c = schedule->child_adr[b]; c < schedule->child_adr[b + 1]; c++) {
    const BodyPair* child = all + schedule->child[c];
    for (int k = 0; k < 2; k++) ct_add_to6(body->momentum[k], child->momentum[k]);
  }
}

LANE_FN static void gather_burdens(const ct_Slopes* s, int b) {
  const ct_Schedule* schedule = &ct_private(s->d)->schedule;
  mjtNum* mine = s->burden + CT_BURDEN * b;
  for (int c = schedule->child_adr[b]; c < schedule->child_adr[b + 1]; c++) {
    const mjtNum* child = s->burden + CT_BURDEN * schedule->child[c];
    for (int k = 0; k < CT_BURDEN; k++) mine[k] += child[k];
  }
}

// The velocity behind the group of a dof. That of a dof alone turns nothing about its own axis.
LANE_INLINE void speed_behind(const ct_Slopes* s, int j, mjtNum speed[6]) {
  ct_copy6(speed, s->speed_before + 6 * j);
  for (int k = s->first[j]; k <= s->last[j] && s->last[j] > s->first[j]; k++) {
    ct_add_to_scl6(speed, s->d->cdof + 6 * k, s->d->qvel[k]);
  }
}

LANE_FN static void weigh_dof(const ct_Slopes* s, int j) {
  const BodyWeight* body = (const BodyWeight*)(const void*)s->body + s->m->dof_bodyid[j];
  const mjtNum *S = s->d->cdof + 6 * j, *rate = s->d->cdof_dot + 6 * j;
  mjtNum turned[6], swept[6], speed[6], rest[6], before[6];
  ct_copy6(before, sums_before(s, 0) + 6 * j);
  ct_add_to6(before, s->push_before + 6 * j);
  ct_cross_force(turned, before, body->weight);
  ct_cross_force(swept, s->twist_before + 6 * j, body->force);
  ct_add_to6(turned, swept);
  ct_cross_force(swept, s->speed_before + 6 * j, body->weight);
  for (int k = 0; k < 6; k++) rest[k] = body->change[k] - swept[k];
  s->by[ct_column_q(s, j)] += ct_dot6(S, turned) - ct_dot6(rate, rest);
  if (s->last[j] > s->first[j]) {
    speed_behind(s, j, speed);
    ct_cross_force(swept, speed, body->weight);
    for (int k = 0; k < 6; k++) rest[k] = body->change[k] - swept[k];
  }
  s->by[ct_column_v(s, j)] -= ct_dot6(rate, body->weight) + ct_dot6(S, rest);
}

// The first wrench as it is, the others where sums before the dof do not yet turn with it.
LANE_FN static void unload_dof(const ct_Slopes* s, int j) {
  const mjtNum *S = s->d->cdof + 6 * j, *burden = s->burden + CT_BURDEN * s->m->dof_bodyid[j];
  const mjtNum* before[3] = {s->speed_before, s->push_before, s->twist_before};
  mjtNum sum[6], swept[6];
  ct_copy6(sum, burden);
  for (int z = 0; z < 3; z++) {
    ct_cross_force(swept, before[z] + 6 * j, burden + 6 * (z + 1));
    for (int k = 0; k < 6; k++) sum[k] -= swept[k];
  }
  s->by[ct_column_q(s, j)] += ct_dot6(S, sum);
  s->by[ct_column_v(s, j)] += ct_dot6(S, burden + 6);
}

// z'd(M x)/dq
LANE_FN static void weigh_pair(const ct_Slopes* s, int j) {
  const BodyPair* body = (const BodyPair*)(const void*)s->pair + s->m->dof_bodyid[j];
  mjtNum turned[6], other[6];
  ct_cross_force(turned, sums_before(s, 1) + 6 * j, body->momentum[1]);
  ct_cross_force(other, sums_before(s, 2) + 6 * j, body->momentum[0]);
  ct_add_to6(turned, other);
  s->by[ct_column_q(s, j)] -= ct_dot6(s->d->cdof + 6 * j, turned);
}

LANE_FN void ct_inertial_weights(Lane g, ct_Slopes* s) {
  const ct_Levels bodies = ct_private(s->d)->schedule.bodies;
  bool loaded = s->d->nefc > 0;
  LANE_LEVELS_UP(b, g, bodies) {
    gather_children(s, b);
    if (s->z) gather_pairs(s, b);
    if (loaded) gather_burdens(s, b);
  }
  lane_sync(g);
  LANE_FOR(j, g, s->nv) {
    weigh_dof(s, j);
    if (s->z) weigh_pair(s, j);
    if (loaded) unload_dof(s, j);
  }
  lane_sync(g);
}
