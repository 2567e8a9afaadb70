// How the forces of inertia change with position and velocity: M a + c of all dofs, by recursive
// sums over subtrees, in as many operations as the mass matrix has entries.
//
//   in    cdof, cinert, crb             of the position stage
//         speed, acc (nv)               and gravity
//   out   by_q, by_v  (nv x width)      scale d(M acc + c)/dq, .../dv is added
//         push, push_before, speed_before   if they are to be kept
//
// Let A_b = (0; -gravity) + sum (S_i a_i + S'_i v_i), S' = V x S with the velocity V before the
// dof, f_b = I_b A_b + V_b x* I_b V_b, and
//
//   B_b x = x x* I_b V_b + V_b x* I_b x - I_b (V_b x x)
//
// whose translation columns vanish. Sums over the subtree of a dof are F, I^c, B^c. With, for each
// dof j,
//
//   zeta_j = A_j x S_j + V_j x S'_j      from the acceleration and velocity before j,
//   eta_j  = S'_j + V'_j x S_j           from the velocity behind its group,
//
// rows i below j, or in its group, are (I^c_i S_i).zeta_j + (B^c_i' S_i).S'_j and
// (I^c_i S_i).eta_j + (B^c_i' S_i).S_j; rows above are S_i.(I^c_j zeta_j + B^c_j S'_j + S_j x* F_j)
// and S_i.(I^c_j eta_j + B^c_j S_j); all others are zero (Carpentier and Mansard, Analytical
// derivatives of rigid body dynamics algorithms, RSS 2018, gives the same by other sums).

#include "derive/slopes.h"
#include "engine/smooth/bias.h"
#include "math/wide_spatial.h"

// Of a body: speed 6, acceleration 6, then sums over its subtree: force 6; later B: 9 and 3.
typedef struct {
  mjtNum speed[6], acceleration[6], force[6];
  mjtNum turn[9], drag[3];  // B (r; l) = (turn r; -2 drag x r)
} BodySlope;

// Of a dof: what it contributes as the lower and as the upper one of a pair.
typedef struct {
  mjtNum rate[6];      // S'
  mjtNum momentum[6];  // I^c S
  mjtNum felt[3];      // rotation part of B^c' S
  mjtNum zeta[6], eta[6];
  mjtNum above_q[6], above_v[6];    // forces that rows above feel
  mjtNum lag[6], held[6], pull[6];  // of contacts with the ground: g, D S, N'S
} DofSlope;

// Rows of s->upper: the same of the dofs of a word side by side.
enum { UPPER_ZETA = 0, UPPER_RATE = 6, UPPER_ETA = 9, UPPER_AXIS = 15, UPPER_LAG = 21 };

LANE_INLINE mjtNum (*upper_word(const ct_Slopes* s, int j))[LANE_WIDTH] {
  return (mjtNum(*)[LANE_WIDTH])(void*)s->upper + j / LANE_WIDTH * CT_UPPER;
}

LANE_FN void ct_prepare_slopes(Lane g, ct_Slopes* s) {
  const mjModel* m = s->m;
  LANE_FOR(j, g, m->njnt) {
    int type = m->jnt_type[j], dof = m->jnt_dofadr[j];
    int count = type == mjJNT_FREE ? 6 : type == mjJNT_BALL ? 3 : 1;
    for (int k = dof; k < dof + count; k++) {
      bool turns = count == 3 || (count == 6 && k >= dof + 3);
      s->first[k] = turns ? dof + count - 3 : k;
      s->last[k] = turns ? dof + count - 1 : k;
    }
  }
  lane_sync(g);
}

// turn = [w](2 I - tr I 1) - 2 [mc][v], drag = m v + w x mc
LANE_FN static void body_change(const mjtNum inertia[10], BodySlope* b) {
  const mjtNum *w = b->speed, *v = b->speed + 3, *mc = inertia + 6;
  mjtNum trace = inertia[0] + inertia[1] + inertia[2], sweep[3];
  mjtNum I[9] = {2 * inertia[0] - trace, 2 * inertia[3],         2 * inertia[4],
                 2 * inertia[3],         2 * inertia[1] - trace, 2 * inertia[5],
                 2 * inertia[4],         2 * inertia[5],         2 * inertia[2] - trace};
  mjtNum along = ct_dot3(mc, v);
  for (int c = 0; c < 3; c++) {
    mjtNum column[3] = {I[c], I[3 + c], I[6 + c]}, turned[3];
    ct_cross(turned, w, column);
    for (int r = 0; r < 3; r++) {  // [mc][v] = v mc' - (mc.v) 1
      b->turn[3 * r + c] = turned[r] - 2 * (v[r] * mc[c] - (r == c ? along : 0));
    }
  }
  ct_cross(sweep, w, mc);
  ct_add_scl3(b->drag, sweep, v, inertia[9]);
}

// Passes the dofs of a body, group by group. push: the sum of S a alone, for rows of constraints.
LANE_FN static void pass_dofs(ct_Slopes* s, int b, BodySlope* body, DofSlope* dofs,
                              const mjtNum* speed, const mjtNum* acc, mjtNum push[6]) {
  const mjModel* m = s->m;
  int end = m->body_dofadr[b] + m->body_dofnum[b];
  mjtNum *V = body->speed, *A = body->acceleration;
  for (int k = m->body_dofadr[b], last; k < end; k = last + 1) {
    last = s->last[k];
    for (int j = k; j <= last; j++) {
      const mjtNum* S = s->d->cdof + 6 * j;
      DofSlope* e = dofs + j;
      mjtNum part[6];
      ct_cross_motion(e->zeta, A, S);
      if (speed) {
        ct_cross_motion(e->rate, V, S);
        ct_cross_motion(part, V, e->rate);
        ct_add_to6(e->zeta, part);
      }
      if (!push) continue;
      ct_copy6(s->speed_before + 6 * j, V);
      ct_copy6(s->push_before + 6 * j, push);
    }
    for (int j = k; j <= last; j++) {
      const mjtNum* S = s->d->cdof + 6 * j;
      if (acc) ct_add_to_scl6(A, S, acc[j]);
      if (speed) {
        ct_add_to_scl6(V, S, speed[j]);
        ct_add_to_scl6(A, dofs[j].rate, speed[j]);
      }
      if (push) ct_add_to_scl6(push, S, acc[j]);
    }
    for (int j = k; j <= last && speed; j++) {
      ct_cross_motion(dofs[j].eta, V, s->d->cdof + 6 * j);
      ct_add_to6(dofs[j].eta, dofs[j].rate);
    }
  }
}

LANE_FN static void start_body(ct_Slopes* s, int b, const mjtNum* speed, const mjtNum* acc,
                               bool gravity, mjtNum* push) {
  BodySlope *all = (BodySlope*)(void*)s->body, *body = all + b;
  int parent = s->m->body_parentid[b];
  ct_copy6(body->speed, all[parent].speed);
  ct_copy6(body->acceleration, all[parent].acceleration);
  if (parent == 0) {
    ct_zero6(body->speed);
    ct_zero6(body->acceleration);
    if (gravity) ct_world_acceleration(s->m, body->acceleration);
  }
  if (push) {
    if (parent == 0) {
      ct_zero6(push + 6 * b);
    } else {
      ct_copy6(push + 6 * b, push + 6 * parent);
    }
  }
  pass_dofs(s, b, body, (DofSlope*)(void*)s->dof, speed, acc, push ? push + 6 * b : NULL);
}

LANE_FN static void load_body(const ct_Slopes* s, int b, bool moving) {
  BodySlope* body = (BodySlope*)(void*)s->body + b;
  const mjtNum* inertia = s->d->cinert + 10 * b;
  ct_mul_inert_vec(body->force, inertia, body->acceleration);
  if (!moving) return;
  mjtNum momentum[6], part[6];
  ct_mul_inert_vec(momentum, inertia, body->speed);
  ct_cross_force(part, body->speed, momentum);
  ct_add_to6(body->force, part);
  body_change(inertia, body);
}

// Adds what the children have.
LANE_FN static void gather_children(const ct_Slopes* s, int b, bool moving) {
  BodySlope *all = (BodySlope*)(void*)s->body, *body = all + b;
  const ct_Schedule* schedule = &ct_private(s->d)->schedule;
  for (int c = schedule->child_adr[b]; c < schedule->child_adr[b + 1]; c++) {
    const BodySlope* child = all + schedule->child[c];
    ct_add_to6(body->force, child->force);
    if (!moving) continue;
    for (int k = 0; k < 9; k++) body->turn[k] += child->turn[k];
    ct_add_to3(body->drag, child->drag);
  }
}

// B x; only the rotation of x counts.
LANE_INLINE void mul_change(mjtNum res[6], const BodySlope* b, const mjtNum x[6]) {
  ct_mul_mat_vec3(res, b->turn, x);
  ct_cross(res + 3, x, b->drag);
  ct_scl3(res + 3, res + 3, 2);
}

// Contacts with the ground (ground_slopes.c): what they do to a body, and to a dof.
LANE_FN static void stand_body(const ct_Slopes* s, int b) {
  ct_GroundSums *all = (ct_GroundSums*)(void*)s->ground, *mine = all + b;
  const ct_Schedule* schedule = &ct_private(s->d)->schedule;
  BodySlope* body = (BodySlope*)(void*)s->body + b;
  for (int k = 0; k < 6; k++) body->force[k] -= mine->wrench[k];  // goes up with the force
  for (int c = schedule->child_adr[b]; c < schedule->child_adr[b + 1]; c++) {
    const ct_GroundSums* child = all + schedule->child[c];
    for (int k = 0; k < 6; k++) {
      ct_add_to6(mine->change[k], child->change[k]);
      ct_add_to6(mine->weight[k], child->weight[k]);
    }
  }
}

LANE_FN static void stand_dof(const ct_Slopes* s, int j) {
  const ct_GroundSums* sums = (const ct_GroundSums*)(const void*)s->ground + s->m->dof_bodyid[j];
  const mjtNum* S = s->d->cdof + 6 * j;
  DofSlope* e = (DofSlope*)(void*)s->dof + j;
  mjtNum before[6], up[6] = {0, 0, 0, 0, 0, 0};
  for (int k = 0; k < 6; k++) {
    before[k] = s->push_before[6 * j + k] + s->ground_B * s->speed_before[6 * j + k];
  }
  ct_cross_motion(e->lag, before, S);
  ct_zero6(e->held);
  for (int k = 0; k < 6; k++) {
    ct_add_to_scl6(e->held, sums->weight[k], S[k]);
    ct_add_to_scl6(up, sums->change[k], S[k]);
    ct_add_to_scl6(up, sums->weight[k], -e->lag[k]);
    e->pull[k] = ct_dot6(sums->change[k], S);
  }
  for (int k = 0; k < 6; k++) e->above_q[k] -= up[k];
  ct_add_to_scl6(e->above_v, e->held, s->ground_B);
}

LANE_FN static void finish_dof(const ct_Slopes* s, int j, bool moving) {
  const BodySlope* body = (const BodySlope*)(const void*)s->body + s->m->dof_bodyid[j];
  const mjtNum *S = s->d->cdof + 6 * j, *inertia = s->d->crb + 10 * s->m->dof_bodyid[j];
  DofSlope* e = (DofSlope*)(void*)s->dof + j;
  mjtNum part[6];
  ct_mul_inert_vec(e->momentum, inertia, S);
  ct_mul_inert_vec(e->above_q, inertia, e->zeta);
  ct_cross_force(part, S, body->force);
  ct_add_to6(e->above_q, part);
  if (!moving) return;
  mul_change(part, body, e->rate);
  ct_add_to6(e->above_q, part);
  ct_mul_inert_vec(e->above_v, inertia, e->eta);
  mul_change(part, body, S);
  ct_add_to6(e->above_v, part);
  ct_mul_mat_t_vec3(e->felt, body->turn, S);
  ct_cross(part, body->drag, S + 3);
  ct_add_to_scl3(e->felt, part, 2);
}

// Side by side in words, so that rows are wide: what dofs contribute as the upper ones of pairs.
LANE_FN static void spread_dof(const ct_Slopes* s, int j, bool moving, bool stands) {
  const DofSlope* e = (const DofSlope*)(const void*)s->dof + j;
  const mjtNum* S = s->d->cdof + 6 * j;
  mjtNum(*to)[LANE_WIDTH] = upper_word(s, j);
  int place = j % LANE_WIDTH;
  for (int k = 0; k < 6; k++) {
    to[UPPER_AXIS + k][place] = S[k];
    to[UPPER_ZETA + k][place] = e->zeta[k];
    if (moving) to[UPPER_ETA + k][place] = e->eta[k];
    if (stands) to[UPPER_LAG + k][place] = e->lag[k];
  }
  for (int k = 0; k < 3 && moving; k++) to[UPPER_RATE + k][place] = e->rate[k];
  for (int rest = place + 1; j == s->nv - 1 && rest < LANE_WIDTH; rest++) {
    for (int k = 0; k < CT_UPPER; k++) to[k][rest] = 0;  // computed with, and left alone
  }
}

LANE_FN static inline void load_upper(Wide res[6], mjtNum (*from)[LANE_WIDTH]) {
  for (int k = 0; k < 6; k++) res[k] = wide_load(from[k]);
}

LANE_FN static inline Wide dot_upper3(const mjtNum a[3], mjtNum (*from)[LANE_WIDTH]) {
  Wide sum = wide_mul(wide_all(a[0]), wide_load(from[0]));
  sum = wide_add(sum, wide_mul(wide_all(a[1]), wide_load(from[1])));
  return wide_add(sum, wide_mul(wide_all(a[2]), wide_load(from[2])));
}

typedef struct {  // entries of a dof with those of a word
  mjtNum q[LANE_WIDTH], q_across[LANE_WIDTH];
  mjtNum v[LANE_WIDTH], v_across[LANE_WIDTH];
  mjtNum held[LANE_WIDTH];
} PairWord;

LANE_FN static inline void pair_by_q(const DofSlope* lower, mjtNum (*upper)[LANE_WIDTH],
                                     bool moving, bool stands, PairWord* word) {
  Wide x[6];
  load_upper(x, upper + UPPER_ZETA);
  Wide q = wide_dot6(lower->momentum, x);
  if (moving) q = wide_add(q, dot_upper3(lower->felt, upper + UPPER_RATE));
  if (stands) {
    load_upper(x, upper + UPPER_LAG);
    q = wide_add(q, wide_dot6(lower->held, x));
  }
  load_upper(x, upper + UPPER_AXIS);
  if (stands) q = wide_sub(q, wide_dot6(lower->pull, x));
  wide_store(word->q, q);
  wide_store(word->q_across, wide_dot6(lower->above_q, x));
}

LANE_FN static inline void pair_by_v(const ct_Slopes* s, const DofSlope* lower,
                                     mjtNum (*upper)[LANE_WIDTH], bool stands, PairWord* word) {
  Wide x[6];
  load_upper(x, upper + UPPER_ETA);
  Wide v = wide_dot6(lower->momentum, x);
  load_upper(x, upper + UPPER_AXIS);
  v = wide_add(v, dot_upper3(lower->felt, upper + UPPER_AXIS));
  if (stands) {
    Wide held = wide_dot6(lower->held, x);
    v = wide_add(v, wide_mul(wide_all(s->ground_B), held));
    wide_store(word->held, held);
  }
  wide_store(word->v, v);
  wide_store(word->v_across, wide_dot6(lower->above_v, x));
}

// In a group, both are below each other.
LANE_FN static void pair_in_group(const ct_Slopes* s, int i, int j, bool moving, bool stands,
                                  PairWord* word) {
  const DofSlope *all = (const DofSlope*)(const void*)s->dof, *row = all + j, *column = all + i;
  const mjtNum* S = s->d->cdof + 6 * i;
  mjtNum by_q = ct_dot6(row->momentum, column->zeta);
  if (stands) by_q += ct_dot6(row->held, column->lag) - ct_dot6(row->pull, S);
  if (moving) {
    mjtNum by_v = ct_dot6(row->momentum, column->eta) + ct_dot3(row->felt, S);
    if (stands) by_v += s->ground_B * ct_dot6(row->held, S);
    by_q += ct_dot3(row->felt, column->rate);
    word->v_across[j % LANE_WIDTH] = by_v;
  }
  word->q_across[j % LANE_WIDTH] = by_q;
}

// Adds the entries of dof i with dof j, which is above it or itself.
LANE_INLINE void write_pair(const ct_Slopes* s, int i, int j, const PairWord* word, bool wants_v,
                            bool stands, ct_InertialTarget to) {
  size_t below = (size_t)i * (size_t)s->width + (size_t)j;
  size_t above = (size_t)j * (size_t)s->width + (size_t)i;
  int k = j % LANE_WIDTH;
  if (to.by_q) {
    to.by_q[below] += to.scale * word->q[k];
    if (j != i) to.by_q[above] += to.scale * word->q_across[k];
  }
  if (wants_v) {
    to.by_v[below] += to.scale * word->v[k];
    if (j != i) to.by_v[above] += to.scale * word->v_across[k];
    if (stands) *ct_sparse_entry(&s->H, i, j) += word->held[k];
  }
}

// Entries of dof i with itself and all dofs above it, on both sides of the diagonal, word by word.
LANE_FN static void write_dof(const ct_Slopes* s, int i, bool moving, bool stands,
                              ct_InertialTarget to) {
  const DofSlope* lower = (const DofSlope*)(const void*)s->dof + i;
  bool wants_v = to.by_v && moving;
  PairWord word;
  for (int j = i; j >= 0;) {
    int start = j - j % LANE_WIDTH;
    if (to.by_q) pair_by_q(lower, upper_word(s, j), moving, stands, &word);
    if (wants_v) pair_by_v(s, lower, upper_word(s, j), stands, &word);
    for (; j >= start; j = s->m->dof_parentid[j]) {
      if (j >= s->first[i] && j < i) pair_in_group(s, i, j, moving, stands, &word);
      write_pair(s, i, j, &word, wants_v, stands, to);
    }
  }
}

LANE_FN void ct_inertial_slopes(Lane g, ct_Slopes* s, const mjtNum* speed, const mjtNum* acc,
                                bool gravity, ct_InertialTarget to) {
  const ct_Levels bodies = ct_private(s->d)->schedule.bodies;
  bool moving = speed != NULL;
  mjtNum* push = to.keep ? s->push : NULL;
  LANE_LEVELS(b, g, bodies) {
    start_body(s, b, speed, acc, gravity, push);
    load_body(s, b, moving);
  }
  lane_sync(g);
  if (to.keep && s->d->nefc) ct_ground_slopes(g, s);
  bool stands = to.keep && s->grounded;
  LANE_LEVELS_UP(b, g, bodies) {
    if (stands) stand_body(s, b);
    gather_children(s, b, moving);
  }
  lane_sync(g);
  if (!to.by_q && !to.by_v) return;
  LANE_FOR(j, g, s->nv) {
    finish_dof(s, j, moving);
    if (stands) stand_dof(s, j);
    spread_dof(s, j, moving, stands);
  }
  lane_sync(g);
  LANE_FOR(i, g, s->nv) {
    write_dof(s, i, moving, stands, to);
  }
  lane_sync(g);
}
